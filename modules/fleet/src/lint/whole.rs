//! What one pattern on one line does not show: redirects with harmless targets, files that are fetched in one
//! line and run in another, long encoded literals, characters that do not show.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use regex::Regex;

use super::strip::Line;
use super::{Finding, Kind, Language};

/// Characters that are invisible, steer the direction of text, or are controls other than line feed, carriage
/// return and tab. Face selectors of emoji are left out, and so is a byte order mark at the very beginning.
fn hides(c: char) -> bool {
    matches!(c,
        '\0'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{7f}'..='\u{9f}'
        | '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0d}'
        | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}')
}

/// Greek, Cyrillic and full-width letters: one of them beside ASCII letters in one word is a look-alike.
fn looks_like_latin(c: char) -> bool {
    matches!(c, '\u{370}'..='\u{3ff}' | '\u{400}'..='\u{52f}' | '\u{ff21}'..='\u{ff5a}')
}

pub(super) fn hidden_characters(script: &str) -> Vec<Finding> {
    let mut found = Vec::new();
    for (n, line) in script
        .strip_prefix('\u{feff}')
        .unwrap_or(script)
        .split('\n')
        .enumerate()
    {
        let mut add = |what| {
            found.push(Finding {
                line: n + 1,
                kind: Kind::HiddenCharacters,
                what,
            });
        };
        if line.contains([
            '\u{202a}', '\u{202b}', '\u{202d}', '\u{202e}', '\u{2066}', '\u{2067}', '\u{2068}',
        ]) {
            add("characters that turn the direction of text");
        } else if line.chars().any(hides) {
            add("invisible or control characters");
        }
        let mixed = |word: &str| {
            word.chars().any(looks_like_latin) && word.chars().any(|c| c.is_ascii_alphabetic())
        };
        if line.split(|c: char| !c.is_alphabetic()).any(mixed) {
            add("a word of look-alike letters from two alphabets");
        }
    }
    found
}

pub(super) fn line(language: Language, line: &Line) -> Vec<Finding> {
    let mut found = Vec::new();
    let mut add = |kind, what| {
        found.push(Finding {
            line: line.number,
            kind,
            what,
        });
    };
    if language != Language::Python && redirects_to_a_file(language, line) {
        add(Kind::WritesFile, "a redirect into a file");
    }
    // One is a typing error, two are a habit of hiding.
    if line.split_words >= 2 {
        add(Kind::Obfuscated, "words split by escape characters");
    }
    static LONG: OnceLock<Option<Regex>> = OnceLock::new();
    let long = LONG.get_or_init(|| Regex::new(r"[A-Za-z0-9+/]{160,}={0,2}").ok());
    if let Some(run) = long.as_ref().and_then(|r| r.find(&line.full)) {
        let text = run.as_str();
        let has = |kind: fn(&u8) -> bool| text.bytes().any(|b| kind(&b));
        if has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase) && has(u8::is_ascii_digit) {
            add(Kind::Obfuscated, "a long run of encoded text");
        }
    }
    found
}

/// Whether some `>` of the line writes into a file.
fn redirects_to_a_file(language: Language, line: &Line) -> bool {
    let code = line.code.as_bytes();
    let comparison = comparisons(language, &line.code);
    let mut at = 0;
    while at < code.len() {
        if code.get(at) != Some(&b'>')
            || comparison
                .iter()
                .any(|(from, to)| (*from..*to).contains(&at))
        {
            at += 1;
            continue;
        }
        let before = at.checked_sub(1).and_then(|b| code.get(b)).copied();
        at += 1;
        while matches!(code.get(at), Some(b'>' | b'|')) {
            at += 1;
        }
        // `->`, `=>`, `<>`, `>(…)`, `>=` are something else.
        if matches!(before, Some(b'-' | b'=' | b'<')) || matches!(code.get(at), Some(b'(' | b'=')) {
            continue;
        }
        let target: String = line
            .full
            .get(at..)
            .unwrap_or("")
            .trim_start_matches(' ')
            .chars()
            .take_while(|c| !c.is_whitespace() && !matches!(c, ';' | '|' | ')' | '}'))
            .collect();
        let target = target.trim_matches(['"', '\'']).to_ascii_lowercase();
        let harmless = target.is_empty()
            || target.starts_with('&')
            || [
                "/dev/null",
                "/dev/stdout",
                "/dev/stderr",
                "/dev/tty",
                "$null",
                "nul",
                "con",
            ]
            .contains(&target.as_str())
            || target.starts_with("/dev/fd/");
        if !harmless {
            return true;
        }
    }
    false
}

/// Where `>` compares: `[[ a > b ]]`, `(( a > b ))`, and arithmetic of PowerShell does not use it at all.
fn comparisons(language: Language, code: &str) -> Vec<(usize, usize)> {
    if !language.is_posix() {
        return Vec::new();
    }
    let mut out = Vec::new();
    for (open, close) in [("[[", "]]"), ("((", "))")] {
        let mut from = 0;
        while let Some(start) = code
            .get(from..)
            .and_then(|s| s.find(open))
            .map(|n| n + from)
        {
            let end = code
                .get(start..)
                .and_then(|s| s.find(close))
                .map_or(code.len(), |n| start + n + close.len());
            out.push((start, end));
            from = end;
        }
    }
    out
}

/// How many fetched files are followed, so that the time stays linear in the length of the script.
const MAX_NAMES: usize = 64;

/// A file that a line fetches, and that the same or a later line runs, opens as a package or makes executable.
pub(super) fn downloaded_file_runs(language: Language, lines: &[Line]) -> Vec<Finding> {
    static FETCH: OnceLock<Option<Regex>> = OnceLock::new();
    let fetch = FETCH.get_or_init(|| {
        Regex::new(concat!(
            r#"(?i)(?:\bcurl(?:\.exe)?\b[^|;]*?\s(?:-\w*o|--output)[\s=]*|\bwget\b[^|;]*?\s(?:-\w*O|--output-document)[\s=]*"#,
            r#"|-OutFile\s+|-Destination\s+|DownloadFile\([^,]+,\s*|urlretrieve\([^,]+,\s*|-urlcache\b.*\s(?:-f\s+)?\S+://\S+\s+|/transfer\b.*://\S+\s+)"#,
            r#"["']?([^\s"';|&)]+)"#
        ))
        .ok()
    });
    static SAVED_UNDER_ITS_NAME: OnceLock<Option<Regex>> = OnceLock::new();
    let named = SAVED_UNDER_ITS_NAME.get_or_init(|| {
        Regex::new(
            r#"\b(?:curl\b[^|;]*\s-\w*O\w*\b[^|;]*|wget\b[^|;]*)\s["']?\w+://[^\s"']*/([\w.-]+)"#,
        )
        .ok()
    });
    let mut found = Vec::new();
    let mut seen = BTreeSet::new();
    for (n, line) in lines.iter().enumerate() {
        let mut names: Vec<String> = Vec::new();
        for pattern in [fetch, named].into_iter().flatten() {
            names.extend(
                pattern
                    .captures_iter(&line.full)
                    .filter_map(|c| c.get(1))
                    .map(|m| {
                        m.as_str()
                            .rsplit(['/', '\\'])
                            .next()
                            .unwrap_or("")
                            .to_owned()
                    }),
            );
        }
        for name in names {
            if name.len() < 2
                || name == "null"
                || seen.len() == MAX_NAMES
                || !seen.insert(name.clone())
            {
                continue;
            }
            let Some(running) = running(language, &name) else {
                continue;
            };
            if lines
                .iter()
                .skip(n)
                .any(|later| running.is_match(&later.full))
            {
                found.push(Finding {
                    line: line.number,
                    kind: Kind::DownloadAndRun,
                    what: "a file is fetched and then run",
                });
            }
        }
    }
    found
}

/// A pattern for lines that run this file.
fn running(language: Language, name: &str) -> Option<Regex> {
    let name = regex::escape(name);
    let starters = match language {
        Language::PowerShell | Language::Cmd => {
            r"(?:&\s*|\bstart\s+(?:/\w+\s+)*|Start-Process\b.*?|Invoke-Expression\s+|\.\s+|msiexec(?:\.exe)?\b.*?|powershell\b.*-File\s+|Add-AppxPackage\s+(?:-Path\s+)?|&&\s*|^\s*)"
        }
        Language::Sh | Language::Bash => {
            r"(?:\b(?:ba|da|z|k)?sh\s+(?:-\w+\s+)*|\bpython3?\s+|\bperl\s+|\bchmod\s+\S+\s+|\bsource\s+|(?:^|[;&|]\s*|sudo\s+)(?:\.\s+)?|\bdpkg\s+-i\s+|\brpm\s+-\w+\s+|\b(?:apt|apt-get|dnf|yum)\b.*\binstall\b.*\s|\binstaller\s+.*-pkg\s+|\bopen\s+)"
        }
        Language::Python => r"(?:system\(|run\(|Popen\(|call\(|startfile\(|chmod\().*",
    };
    let path = r#"["']?(?:[^\s"';|&]*[/\\])?"#;
    Regex::new(&format!("(?i){starters}{path}{name}\\b")).ok()
}
