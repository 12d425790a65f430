//! What a person should look at twice in a proposed script. The lint marks, it never blocks: the person decides,
//! and a script that wants to hide something will. Its use is against haste, not against an attacker.
//!
//! ```text
//! script ─► strip: logical lines; comments out, strings masked ─► rules: one table of patterns (`rows`) per line
//!                                                             └─► whole: what only the whole text shows
//! ```
//! Reports are answers, not scripts: a script that was asked for to report something and writes a file on the
//! device stands out as [`Kind::WritesFile`].

mod rows;
mod rules;
mod strip;
mod whole;

use strip::Line;

/// The language of a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// Windows PowerShell and PowerShell 7.
    PowerShell,
    /// `cmd.exe` batch files.
    Cmd,
    /// POSIX shells.
    Sh,
    /// bash and zsh.
    Bash,
    /// Python 3.
    Python,
}

impl Language {
    /// From the name that a proposal gives (`powershell`, `cmd`, `sh`, `bash`, `python`, …).
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Some(match name.to_ascii_lowercase().as_str() {
            "powershell" | "pwsh" | "ps1" => Self::PowerShell,
            "cmd" | "bat" | "batch" => Self::Cmd,
            "sh" | "dash" | "shell" => Self::Sh,
            "bash" | "zsh" => Self::Bash,
            "python" | "python3" | "py" => Self::Python,
            _ => return None,
        })
    }

    const fn is_posix(self) -> bool {
        matches!(self, Self::Sh | Self::Bash)
    }
}

/// The kinds of things that are marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// Writes, copies or moves files on the device.
    WritesFile,
    /// Fetches something from the network and runs it.
    DownloadAndRun,
    /// Deletes whole trees, or a disk.
    DeletesTree,
    /// Switches protection, logging or recovery off.
    DisablesSecurity,
    /// Reads or changes passwords, keys or tokens.
    Credentials,
    /// Restarts the device or switches it off.
    Reboots,
    /// Carries an encoded command.
    EncodedCommand,
    /// Decodes text, or runs text as code.
    Obfuscated,
    /// Holds characters that do not show or look like others.
    HiddenCharacters,
}

impl Kind {
    /// The word for lists and for `--json`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::WritesFile => "writes-file",
            Self::DownloadAndRun => "download-and-run",
            Self::DeletesTree => "deletes-tree",
            Self::DisablesSecurity => "disables-security",
            Self::Credentials => "credentials",
            Self::Reboots => "reboots",
            Self::EncodedCommand => "encoded-command",
            Self::Obfuscated => "obfuscated",
            Self::HiddenCharacters => "hidden-characters",
        }
    }

    /// Why a person should look.
    #[must_use]
    pub const fn why(self) -> &'static str {
        match self {
            Self::WritesFile => {
                "a report is an answer, not a file: print it, the output comes back with the job"
            }
            Self::DownloadAndRun => {
                "what runs is not in this text and can change after you have approved it"
            }
            Self::DeletesTree => {
                "a wrong or empty path deletes more than was meant, and there is no way back"
            }
            Self::DisablesSecurity => "the device is less protected or less watched afterwards",
            Self::Credentials => "secrets can end in the output, which is stored and shown",
            Self::Reboots => "people lose unsaved work; reboot_device says so on its card",
            Self::EncodedCommand => "you cannot read what would run",
            Self::Obfuscated => "what runs is not what is written here",
            Self::HiddenCharacters => "the text does something else than it shows",
        }
    }
}

/// One mark on a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Line of the script, from 1; where a command goes over several lines, its first.
    pub line: usize,
    /// What kind of thing.
    pub kind: Kind,
    /// What stands there, in words of this program; nothing of the script is repeated.
    pub what: &'static str,
}

impl Finding {
    /// Why a person should look.
    #[must_use]
    pub const fn why(&self) -> &'static str {
        self.kind.why()
    }
}

impl std::fmt::Display for Finding {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {}: {}: {}", self.line, self.what, self.why())
    }
}

/// Marks a script. In the order of the lines; the same thing on one line is said once.
#[must_use]
pub fn lint(language: Language, script: &str) -> Vec<Finding> {
    let lines: Vec<Line> = strip::lines(language, script);
    let mut found = whole::hidden_characters(script);
    found.extend(whole::downloaded_file_runs(language, &lines));
    for line in &lines {
        found.extend(whole::line(language, line));
        found.extend(rules::on_line(language, line));
    }
    found.sort_by_key(|f| (f.line, f.kind));
    found.dedup();
    found
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_pattern_of_the_table_compiles() {
        assert_eq!(super::rules::broken(), Vec::<&str>::new());
    }
}
