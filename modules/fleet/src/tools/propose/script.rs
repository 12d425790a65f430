//! What every script that is proposed goes through.

use crate::lint::{Language, lint};
use crate::model::Shell;
use crate::tools::Refusal;

/// Bytes of a script at most.
const SCRIPT_MAX: usize = 65_536;

/// How long a script may run unless the call says otherwise, seconds.
pub(super) const TIMEOUT_S: u32 = 300;

/// A script that can be stored, shown and run as it is: not empty, not too long, without NUL.
pub(super) fn checked(field: &str, body: &str) -> Result<(), Refusal> {
    if body.trim().is_empty() {
        return Err(Refusal::value(field, "it is empty"));
    }
    if body.len() > SCRIPT_MAX {
        return Err(Refusal::value(
            field,
            format!("at most {SCRIPT_MAX} bytes are taken"),
        ));
    }
    if body.contains('\0') {
        return Err(Refusal::value(field, "it holds a NUL byte"));
    }
    Ok(())
}

/// What the approval card should say of a script, in words of this program.
pub(super) fn findings(shell: Shell, body: &str) -> Vec<String> {
    let language = match shell {
        Shell::Sh => Language::Sh,
        Shell::Bash => Language::Bash,
        Shell::Python => Language::Python,
        Shell::Powershell => Language::PowerShell,
        Shell::Cmd => Language::Cmd,
    };
    lint(language, body)
        .iter()
        .map(ToString::to_string)
        .collect()
}
