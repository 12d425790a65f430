//! Real shells that run a text where every program is a fake that writes down its arguments, and a reader for
//! the part of PowerShell that the templates write.

#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests fail like tests; not every test uses all of them"
)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Every program that a template starts.
pub(crate) const PROGRAMS: [&str; 10] = [
    "env",
    "dnf",
    "zypper",
    "systemctl",
    "lpadmin",
    "resolvectl",
    "shutdown",
    "launchctl",
    "dscacheutil",
    "killall",
];

/// The POSIX shells of this machine, by their full paths. There is always an `sh`.
pub(crate) fn shells() -> Vec<PathBuf> {
    let path = std::env::var_os("PATH").unwrap();
    let found: Vec<PathBuf> = ["sh", "dash", "bash", "zsh", "ksh", "mksh", "yash", "posh"]
        .iter()
        .filter_map(|name| {
            std::env::split_paths(&path)
                .map(|d| d.join(name))
                .find(|p| p.is_file())
        })
        .collect();
    assert!(!found.is_empty(), "there is no sh in the path");
    found
}

/// A directory of fakes and an empty directory to run in.
pub(crate) struct Stage {
    dir: tempfile::TempDir,
}

impl Stage {
    pub(crate) fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let bin = dir.path().join("bin");
        fs::create_dir(&bin).unwrap();
        fs::create_dir(dir.path().join("empty")).unwrap();
        // The name and the arguments, each ended by NUL, then an empty record that no argument can be confused
        // with because the number of arguments stands in front.
        let fake = "#!/bin/sh\nprintf '%s\\0' \"$#\" \"${0##*/}\" \"$@\" >> \"$STAGE_OUT\"\n";
        for program in PROGRAMS {
            let file = bin.join(program);
            fs::write(&file, fake).unwrap();
            fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
        }
        Self { dir }
    }

    fn out(&self) -> PathBuf {
        self.dir.path().join("out")
    }

    /// What was started, in order, when this shell runs the text. Nothing but the fakes can be started, and a
    /// file that appears in the working directory fails the test.
    pub(crate) fn run(&self, shell: &Path, text: &str) -> Result<Vec<Vec<String>>, String> {
        let _ = fs::remove_file(self.out());
        let empty = self.dir.path().join("empty");
        let output = Command::new(shell)
            .arg("-c")
            .arg(text)
            .env_clear()
            .env("PATH", self.dir.path().join("bin"))
            .env("STAGE_OUT", self.out())
            .current_dir(&empty)
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let left: Vec<_> = fs::read_dir(&empty).unwrap().collect();
        if !left.is_empty()
            || !output.status.success()
            || !output.stderr.is_empty()
            || !output.stdout.is_empty()
        {
            return Err(format!(
                "{}: {output:?}, files: {left:?}\n{text}",
                shell.display()
            ));
        }
        let bytes = fs::read(self.out()).unwrap_or_default();
        let text = String::from_utf8(bytes).unwrap();
        let mut fields = text.split('\0');
        let mut calls = Vec::new();
        while let Some(count) = fields.next().filter(|f| !f.is_empty()) {
            let count: usize = count.parse().map_err(|e| format!("{e}: {text:?}"))?;
            calls.push(fields.by_ref().take(count + 1).map(str::to_owned).collect());
        }
        Ok(calls)
    }
}

/// A reader for the part of PowerShell's grammar that the templates write, and for nothing more: one line of
/// words divided by blanks, each a bare word, a single-quoted literal, or one of the fixed words of the code
/// (`&`, `$winget`, a double-quoted path). Everything that could end the command, start an expression or expand
/// a value is an error. This is not PowerShell; it follows its rules for literals (five kinds of single quotes,
/// doubled inside) and for what ends a bare word.
pub(crate) fn powershell_words_of_our_subset(line: &str) -> Result<Vec<String>, String> {
    const QUOTES: [char; 5] = ['\'', '\u{2018}', '\u{2019}', '\u{201a}', '\u{201b}'];
    let fixed = [
        "&",
        "$winget",
        "\"$env:SystemRoot\\System32\\shutdown.exe\"",
    ];
    let mut words = Vec::new();
    let mut rest = line;
    loop {
        rest = rest.trim_start_matches([' ', '\t']);
        let Some(first) = rest.chars().next() else {
            return Ok(words);
        };
        if let Some(word) = fixed.iter().find(|w| {
            rest.strip_prefix(**w)
                .is_some_and(|r| r.is_empty() || r.starts_with(' '))
        }) {
            words.push((*word).to_owned());
            rest = &rest[word.len()..];
        } else if QUOTES.contains(&first) {
            let mut word = String::new();
            let mut chars = rest.char_indices().skip(1).peekable();
            let end = loop {
                match chars.next() {
                    None => return Err(format!("a literal does not end: {line}")),
                    Some((at, c)) if QUOTES.contains(&c) => match chars.peek() {
                        // Two quotes of any kind are the second one.
                        Some((_, next)) if QUOTES.contains(next) => {
                            word.push(*next);
                            chars.next();
                        }
                        _ => break at + c.len_utf8(),
                    },
                    Some((_, c)) => word.push(c),
                }
            };
            words.push(word);
            rest = &rest[end..];
            if !rest.is_empty() && !rest.starts_with(' ') {
                return Err(format!("something hangs on a literal: {line}"));
            }
        } else {
            let end = rest.find(' ').unwrap_or(rest.len());
            let word = &rest[..end];
            let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '/' | ':' | '.');
            if !word.chars().all(plain) {
                return Err(format!("{word:?} is no bare word of ours: {line}"));
            }
            words.push(word.to_owned());
            rest = &rest[end..];
        }
    }
}
