//! What will run: programs with their arguments, and the one text that a person reads, a digest covers and a
//! shell runs.

use sha2::{Digest, Sha256};

use super::quote;

/// The shell that the text is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shell {
    /// A POSIX shell. The steps are plain programs too, so an executor may also start them without a shell.
    Sh,
    /// Windows PowerShell 5.1 or later. Never `cmd.exe`.
    PowerShell,
}

impl Shell {
    /// As scripts of a proposal name it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sh => "sh",
            Self::PowerShell => "powershell",
        }
    }
}

/// One argument, or the program itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    text: String,
    value: bool,
}

impl Word {
    /// The argument as the program gets it. For a fixed word of PowerShell: as it is written in the text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether a parameter decides on it. The others are written in this program's code.
    #[must_use]
    pub const fn is_value(&self) -> bool {
        self.value
    }
}

/// One program or cmdlet with its arguments. The first word is always fixed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    words: Vec<Word>,
}

impl Step {
    pub(super) fn new(fixed: &[&'static str]) -> Self {
        Self { words: Vec::new() }.fixed(fixed)
    }

    pub(super) fn fixed(mut self, words: &[&'static str]) -> Self {
        self.words.extend(words.iter().map(|w| Word {
            text: (*w).to_owned(),
            value: false,
        }));
        self
    }

    /// A word that a checked parameter decides on.
    pub(super) fn value(mut self, text: impl ToString) -> Self {
        self.words.push(Word {
            text: text.to_string(),
            value: true,
        });
        self
    }

    /// The words in order.
    #[must_use]
    pub fn words(&self) -> &[Word] {
        &self.words
    }

    /// The program and its arguments, for starting it without a shell ([`Shell::Sh`] only).
    #[must_use]
    pub fn argv(&self) -> Vec<&str> {
        self.words.iter().map(Word::text).collect()
    }

    /// The step as one line of the shell.
    #[must_use]
    pub fn line(&self, shell: Shell) -> String {
        let word = |w: &Word| match shell {
            Shell::Sh => quote::sh(&w.text),
            // A fixed word may be `$winget` or `-Name`, which quotes would change.
            Shell::PowerShell if w.value => quote::powershell(&w.text),
            Shell::PowerShell => w.text.clone(),
        };
        self.words.iter().map(word).collect::<Vec<_>>().join(" ")
    }
}

/// What a high-level tool runs on one kind of device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// What the text is for.
    pub shell: Shell,
    /// Whether it must run as root, or as an administrator or the system on Windows. When not: as the person who
    /// owns Homebrew, who must not be root.
    pub needs_root: bool,
    /// Lines before the steps that no parameter reaches.
    pub(super) before: &'static str,
    /// Run in order; the first that fails ends it.
    pub steps: Vec<Step>,
    /// Lines after the steps that no parameter reaches.
    pub(super) after: &'static str,
    /// In one sentence, what will be different afterwards.
    pub effect: String,
    /// Whether the device restarts.
    pub reboot: bool,
}

impl Command {
    /// The one canonical text: what the approval card shows, what the digest covers, what runs. It ends with a
    /// line feed and has no other line breaks than `\n`.
    #[must_use]
    pub fn text(&self) -> String {
        let lines: Vec<String> = self.steps.iter().map(|s| s.line(self.shell)).collect();
        let (head, between) = match (self.shell, self.needs_root) {
            (Shell::Sh, true) => ("# sh, as root\n", " &&\n"),
            (Shell::Sh, false) => ("# sh, as the user who owns Homebrew\n", " &&\n"),
            // `Stop` ends the script with exit code 1 at the first cmdlet that fails.
            (Shell::PowerShell, _) => (
                "# PowerShell, as administrator\n$ErrorActionPreference = 'Stop'\n",
                "\n",
            ),
        };
        format!(
            "{head}{}{}\n{}",
            self.before,
            lines.join(between),
            self.after
        )
    }

    /// SHA-256 over [`Self::text`], in lower-case hexadecimal digits. Shell and account stand in the text's first
    /// line, so another account is another digest.
    #[must_use]
    pub fn sha256(&self) -> String {
        Sha256::digest(self.text())
            .iter()
            .map(|b| format!("{b:02x}"))
            .collect()
    }
}
