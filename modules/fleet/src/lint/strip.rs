//! Scripts as logical lines: continued lines joined, comments out, the inside of string literals masked. A rule for
//! commands then does not trip over words in messages, and a redirect is not the `>` of `echo "a > b"`.
//!
//! This is a reader of shapes, not a parser: on odd input it shows too much rather than too little.

use super::Language;

/// One logical line.
#[derive(Clone, Debug)]
pub(super) struct Line {
    /// Where it begins, from 1.
    pub(super) number: usize,
    /// Strings masked with `_`, byte for byte: a place in one text is the same place in the other.
    pub(super) code: String,
    /// Strings as they are.
    pub(super) full: String,
    /// Escape characters between two letters (``i`ex``, `p^owershell`), which only hide a word.
    pub(super) split_words: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Code,
    Single,
    Double,
    /// Python's strings of three quotes.
    Triple(char),
    /// `$( … )` inside a double-quoted string; holds the open parentheses.
    Inside(usize),
    /// `` ` … ` ``
    Tick,
}

struct Reader<'a> {
    language: Language,
    text: &'a [char],
    at: usize,
    number: usize,
    begin: usize,
    modes: Vec<Mode>,
    code: String,
    full: String,
    split_words: usize,
    /// Open brackets of Python.
    depth: usize,
    /// Ends of here-documents that wait for the end of the line.
    here: Vec<String>,
    out: Vec<Line>,
}

/// Splits a script into logical lines.
pub(super) fn lines(language: Language, script: &str) -> Vec<Line> {
    let text: Vec<char> = script.replace("\r\n", "\n").chars().collect();
    let mut reader = Reader {
        language,
        text: &text,
        at: 0,
        number: 1,
        begin: 1,
        modes: Vec::new(),
        code: String::new(),
        full: String::new(),
        split_words: 0,
        depth: 0,
        here: Vec::new(),
        out: Vec::new(),
    };
    while let Some(c) = reader.peek(0) {
        match reader.mode() {
            Mode::Code | Mode::Inside(_) | Mode::Tick => reader.code_char(c),
            mode => reader.string_char(c, mode),
        }
    }
    reader.end_line();
    reader.out
}

impl Reader<'_> {
    fn peek(&self, ahead: usize) -> Option<char> {
        self.text.get(self.at + ahead).copied()
    }

    fn starts(&self, word: &str) -> bool {
        word.chars()
            .enumerate()
            .all(|(i, w)| self.peek(i).is_some_and(|c| c.eq_ignore_ascii_case(&w)))
    }

    fn mode(&self) -> Mode {
        self.modes.last().copied().unwrap_or(Mode::Code)
    }

    fn emit(&mut self, c: char, masked: bool) {
        let c = if c == '\n' { ' ' } else { c };
        self.full.push(c);
        if masked {
            self.code.extend(std::iter::repeat_n('_', c.len_utf8()));
        } else {
            self.code.push(c);
        }
    }

    fn take(&mut self, masked: bool) {
        if let Some(c) = self.peek(0) {
            if c == '\n' {
                self.number += 1;
            }
            self.emit(c, masked);
            self.at += 1;
        }
    }

    fn end_line(&mut self) {
        if !self.code.trim().is_empty() {
            self.out.push(Line {
                number: self.begin,
                code: std::mem::take(&mut self.code),
                full: std::mem::take(&mut self.full),
                split_words: self.split_words,
            });
        }
        self.code.clear();
        self.full.clear();
        self.split_words = 0;
        self.begin = self.number;
    }

    fn skip_comment(&mut self) {
        while self.peek(0).is_some_and(|c| c != '\n') {
            self.at += 1;
        }
    }

    /// Whether a word begins here.
    fn at_word_start(&self) -> bool {
        self.code.chars().next_back().is_none_or(|c| {
            c.is_whitespace() || matches!(c, ';' | '(' | '{' | '|' | '&' | ')' | '}')
        })
    }

    fn code_char(&mut self, c: char) {
        let posix = self.language.is_posix();
        let powershell = self.language == Language::PowerShell;
        let cmd = self.language == Language::Cmd;
        let python = self.language == Language::Python;
        let escape = match self.language {
            Language::PowerShell => '`',
            Language::Cmd => '^',
            _ => '\\',
        };
        match c {
            '\n' => self.newline(),
            _ if c == escape => self.escaped(),
            '#' if !cmd && (python || self.at_word_start()) => self.skip_comment(),
            '<' if powershell && self.peek(1) == Some('#') => {
                while self.peek(0).is_some() && !self.starts("#>") {
                    if self.peek(0) == Some('\n') {
                        self.number += 1;
                    }
                    self.at += 1;
                }
                self.at += 2;
            }
            '@' if powershell
                && matches!(self.peek(1), Some('"' | '\''))
                && self.peek(2) == Some('\n') =>
            {
                self.here_string();
            }
            ':' if cmd && self.code.trim().is_empty() && self.peek(1) == Some(':') => {
                self.skip_comment()
            }
            'r' | 'R'
                if cmd
                    && self.at_word_start()
                    && self.starts("rem")
                    && !self.peek(3).is_some_and(char::is_alphanumeric) =>
            {
                self.skip_comment();
            }
            '\'' | '"' if python && self.peek(1) == Some(c) && self.peek(2) == Some(c) => {
                for _ in 0..3 {
                    self.take(false);
                }
                self.modes.push(Mode::Triple(c));
            }
            '\'' if !cmd => self.open(Mode::Single),
            '"' => self.open(Mode::Double),
            '`' if posix => {
                if self.mode() == Mode::Tick {
                    self.modes.pop();
                } else {
                    self.modes.push(Mode::Tick);
                }
                self.take(false);
            }
            '<' if posix && self.peek(1) == Some('<') && self.peek(2) != Some('<') => {
                self.here_document()
            }
            '<' if posix && self.starts("<<<") => (0..3).for_each(|_| self.take(false)),
            '(' | '[' | '{' => {
                self.depth += 1;
                if let Some(Mode::Inside(n)) = self.modes.last_mut()
                    && c == '('
                {
                    *n += 1;
                }
                self.take(false);
            }
            ')' | ']' | '}' => {
                self.depth = self.depth.saturating_sub(1);
                self.take(false);
                if let Some(Mode::Inside(n)) = self.modes.last_mut()
                    && c == ')'
                {
                    *n -= 1;
                    if *n == 0 {
                        self.modes.pop();
                    }
                }
            }
            _ => self.take(false),
        }
    }

    fn open(&mut self, mode: Mode) {
        self.take(false);
        self.modes.push(mode);
    }

    /// An escape character outside of strings: a joined line, or one character that stands for itself.
    fn escaped(&mut self) {
        let before = self.code.chars().next_back();
        self.at += 1;
        match self.peek(0) {
            Some('\n') => {
                self.at += 1;
                self.number += 1;
                self.emit(' ', false);
            }
            Some(c) => {
                if self.language != Language::Python {
                    let letters = before.is_some_and(char::is_alphabetic) && c.is_alphabetic();
                    self.split_words += usize::from(letters);
                }
                self.emit(c, !c.is_alphanumeric());
                self.at += 1;
            }
            None => {}
        }
    }

    fn newline(&mut self) {
        self.at += 1;
        self.number += 1;
        let code = self.code.trim_end();
        let goes_on = match self.language {
            Language::Python => self.depth > 0,
            Language::PowerShell => code.ends_with('|'),
            Language::Cmd => false,
            Language::Sh | Language::Bash => code.ends_with('|') || code.ends_with("&&"),
        };
        if goes_on {
            self.emit(' ', false);
            return;
        }
        if self.modes.last() == Some(&Mode::Tick) {
            self.modes.pop();
        }
        // Every ending of a here-document is looked for in turn.
        for end in std::mem::take(&mut self.here) {
            loop {
                let line: String = self
                    .text
                    .iter()
                    .skip(self.at)
                    .take_while(|c| **c != '\n')
                    .collect();
                if self.at >= self.text.len() {
                    break;
                }
                self.at += line.chars().count() + 1;
                self.number += 1;
                if line.trim() == end {
                    break;
                }
            }
        }
        self.end_line();
    }

    /// `<<END`: the lines up to `END` are text, unless a shell or an interpreter reads them.
    fn here_document(&mut self) {
        self.take(false);
        self.take(false);
        let mut ahead = 0;
        while self
            .peek(ahead)
            .is_some_and(|c| matches!(c, '-' | ' ' | '\'' | '"' | '\\'))
        {
            ahead += 1;
        }
        let mut end = String::new();
        while let Some(c) = self
            .peek(ahead)
            .filter(|c| c.is_alphanumeric() || *c == '_')
        {
            end.push(c);
            ahead += 1;
        }
        // Past a closing quote, so that it opens no string.
        while self.peek(ahead).is_some_and(|c| matches!(c, '\'' | '"')) {
            ahead += 1;
        }
        for _ in 0..ahead {
            self.take(true);
        }
        let reads_code = self
            .code
            .split(|c: char| !c.is_alphanumeric() && c != '_')
            .any(|w| {
                matches!(
                    w,
                    "sh" | "bash" | "zsh" | "dash" | "ksh" | "python" | "python3" | "perl" | "ssh"
                )
            });
        if !end.is_empty() && !reads_code {
            self.here.push(end);
        }
    }

    /// PowerShell's `@" … "@`, which ends at the start of a line.
    fn here_string(&mut self) {
        let quote = self.peek(1).unwrap_or('"');
        self.take(false);
        self.take(false);
        while self.peek(0).is_some() {
            if self.peek(0) == Some('\n')
                && self.peek(1) == Some(quote)
                && self.peek(2) == Some('@')
            {
                self.take(true);
                self.take(false);
                self.take(false);
                return;
            }
            self.take(true);
        }
    }

    fn string_char(&mut self, c: char, mode: Mode) {
        let posix = self.language.is_posix();
        let powershell = self.language == Language::PowerShell;
        let python = self.language == Language::Python;
        let escapes = match mode {
            Mode::Single => python && c == '\\',
            Mode::Double => ((posix || python) && c == '\\') || (powershell && c == '`'),
            Mode::Triple(_) => c == '\\',
            _ => false,
        };
        if escapes {
            self.take(true);
            self.take(true);
            return;
        }
        match mode {
            Mode::Single if c == '\'' => self.close(),
            Mode::Double if c == '"' => self.close(),
            Mode::Double if c == '$' && self.peek(1) == Some('(') && (posix || powershell) => {
                self.take(false);
                self.take(false);
                self.modes.push(Mode::Inside(1));
            }
            Mode::Double if c == '`' && posix => self.open(Mode::Tick),
            // An unclosed string of these ends with the line.
            Mode::Single | Mode::Double
                if c == '\n' && (python || self.language == Language::Cmd) =>
            {
                self.modes.pop();
                self.newline();
            }
            Mode::Triple(q) if c == q && self.peek(1) == Some(q) && self.peek(2) == Some(q) => {
                (0..3).for_each(|_| self.take(false));
                self.modes.pop();
            }
            Mode::Triple(_) => {
                // Masked on both sides: documentation is no code, and `exec("""…""")` is marked for `exec`.
                let number = usize::from(c == '\n');
                self.number += number;
                self.at += 1;
                self.emit('_', true);
            }
            _ => self.take(true),
        }
    }

    fn close(&mut self) {
        self.take(false);
        self.modes.pop();
    }
}
