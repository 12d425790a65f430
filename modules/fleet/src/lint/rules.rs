//! Applies the table of [`super::rows`] to one line.

use std::sync::OnceLock;

use regex::Regex;

use super::rows::{On, ROWS, Row};
use super::strip::Line;
use super::{Finding, Language};

/// Where a command can begin: at the start, after a separator or a bracket, behind a word like `sudo`.
const POSIX_START: &str = r#"(?:^|[;&|({`"'!]|\$\()\s*(?:(?:then|do|else|sudo|doas|exec|xargs|nohup|time|command|env|builtin|nice|ionice|timeout)(?:\s+-\S+|\s+\w+=\S*|\s+\d+\w?)*\s+)*(?:[\w./-]*/)?"#;
const WINDOWS_START: &str = r#"(?i)(?:^|[;&|({@"'=]|\bdo\s|\belse\s)\s*(?:call\s+|start\s+(?:/\w+\s+)*|&\s*)?(?:["']?[\w:.\\%$ ()-]*\\)?"#;
const PYTHON_START: &str = r#"(?:^|[;:("'=,\[|&])\s*(?:sudo\s+)?(?:/[\w/]*/)?"#;

struct Compiled {
    row: &'static Row,
    pattern: Regex,
    unless: Option<Regex>,
}

/// The start of a command in the language of the row.
fn expand(languages: &str, language: char, pattern: &str) -> String {
    debug_assert!(languages.contains(language));
    let start = match language {
        's' => POSIX_START,
        'y' => PYTHON_START,
        _ => WINDOWS_START,
    };
    pattern.replace('§', start)
}

fn compile(language: char) -> Vec<Compiled> {
    ROWS.iter()
        .filter(|row| row.0.contains(language))
        .filter_map(|row| {
            let pattern = Regex::new(&expand(row.0, language, row.3)).ok()?;
            let unless = match row.4 {
                "" => None,
                text => Some(Regex::new(&expand(row.0, language, text)).ok()?),
            };
            Some(Compiled {
                row,
                pattern,
                unless,
            })
        })
        .collect()
}

/// The rows whose patterns do not compile, for the test.
#[cfg(test)]
pub(super) fn broken() -> Vec<&'static str> {
    let mut broken = Vec::new();
    for language in ['s', 'p', 'c', 'y'] {
        let good = compile(language);
        broken.extend(
            ROWS.iter()
                .filter(|row| row.0.contains(language))
                .filter(|row| !good.iter().any(|c| std::ptr::eq(c.row, *row)))
                .map(|row| row.3),
        );
    }
    broken
}

fn table(language: Language) -> &'static [Compiled] {
    static POSIX: OnceLock<Vec<Compiled>> = OnceLock::new();
    static POWERSHELL: OnceLock<Vec<Compiled>> = OnceLock::new();
    static CMD: OnceLock<Vec<Compiled>> = OnceLock::new();
    static PYTHON: OnceLock<Vec<Compiled>> = OnceLock::new();
    match language {
        Language::Sh | Language::Bash => POSIX.get_or_init(|| compile('s')),
        Language::PowerShell => POWERSHELL.get_or_init(|| compile('p')),
        Language::Cmd => CMD.get_or_init(|| compile('c')),
        Language::Python => PYTHON.get_or_init(|| compile('y')),
    }
}

/// Whether the line hands a string to something that runs it, so that strings count as code.
fn runs_strings(language: Language, code: &str) -> bool {
    static PATTERN: OnceLock<Option<Regex>> = OnceLock::new();
    let pattern = PATTERN.get_or_init(|| {
        Regex::new(r"(?i)\b(?:ba|da|z|k)?sh\s+(?:-\w+\s+)*-\w*c\b|\beval\b|\bsu\b.*\s-c\b|\bssh\s|\bosascript\b|Invoke-Expression|\biex\b|\bcmd(?:\.exe)?\s+/c|\b(?:powershell|pwsh)(?:\.exe)?\b|Start-Process|Invoke-Command|\bxargs\b.*-c\b|os\.(?:system|popen|exec\w*|spawn\w*)\(|subprocess\.|\bPopen\(|\bexec\(|\bcrontab\b|\bat\s+now\b|\bforfiles\b|\bschtasks\b")
            .ok()
    });
    // PowerShell's call operator runs the string behind it.
    let call = language == Language::PowerShell
        && code
            .split('&')
            .skip(1)
            .any(|after| after.trim_start().starts_with(['"', '\'']));
    call || pattern.as_ref().is_some_and(|p| p.is_match(code))
}

/// The command around a match: up to the separators before and after it, so that what makes one command harmless
/// says nothing about its neighbour.
fn command_around(line: &Line, from: usize, to: usize) -> &str {
    const SEPARATORS: [&str; 4] = [";", "&&", "||", " & "];
    let before = line.code.get(..from).unwrap_or("");
    let after = line.code.get(to..).unwrap_or("");
    let start = SEPARATORS
        .iter()
        .filter_map(|s| before.rfind(s).map(|at| at + s.len()))
        .max()
        .unwrap_or(0);
    let end = SEPARATORS
        .iter()
        .filter_map(|s| after.find(s))
        .min()
        .map_or(line.code.len(), |at| to + at);
    line.full.get(start..end).unwrap_or(&line.full)
}

/// The rows that hold on this line.
pub(super) fn on_line(language: Language, line: &Line) -> Vec<Finding> {
    let code = if runs_strings(language, &line.code) {
        &line.full
    } else {
        &line.code
    };
    table(language)
        .iter()
        .filter(|c| {
            let text = match c.row.2 {
                On::Code => code,
                On::Full => &line.full,
            };
            c.pattern.find_iter(text).any(|found| {
                let command = command_around(line, found.start(), found.end());
                !c.unless.as_ref().is_some_and(|u| u.is_match(command))
            })
        })
        .map(|c| Finding {
            line: line.number,
            kind: c.row.1,
            what: c.row.5,
        })
        .collect()
}
