//! The only place of the program that prints outside the full-screen terminal: results to stdout,
//! progress, warnings and errors to stderr.
//!
//! Text from outside comes as [`ScreenText`], the program's own words as `&'static str` or [`Own`]. In
//! both, control, bidirectional and invisible characters are written visibly: no text moves the cursor.

use crate::cli::error::{Error, ErrorJson};
use crate::redact::Redact;
use kit::text::Redactor;
use kit::{ScreenText, Untrusted};
use serde::Serialize;
use std::fmt::Write as _;
use std::io::{self, IsTerminal, Write};
use std::sync::Arc;

/// `--color`
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Color {
    /// On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

impl Color {
    /// Whether to colour, given what the environment says. `NO_COLOR` (<https://no-color.org>) counts
    /// when it is set to anything but the empty string; `--color always` is stronger.
    #[must_use]
    pub fn decide(self, terminal: bool, no_color: Option<&str>, term: Option<&str>) -> bool {
        match self {
            Self::Always => true,
            Self::Never => false,
            Self::Auto => terminal && no_color.is_none_or(str::is_empty) && term != Some("dumb"),
        }
    }
}

/// How a piece of text looks. Meaning is never carried by the look alone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// As it is.
    #[default]
    Plain,
    /// Heads and names.
    Bold,
    /// Of less interest.
    Dim,
    /// Good.
    Green,
    /// To be looked at.
    Yellow,
    /// Bad.
    Red,
}

impl Style {
    /// SGR parameters from the 16 colours of every terminal; nothing that is invisible on a light or a
    /// dark background.
    const fn sgr(self) -> &'static str {
        match self {
            Self::Plain => "",
            Self::Bold => "1",
            Self::Dim => "2",
            Self::Green => "32",
            Self::Yellow => "33",
            Self::Red => "31",
        }
    }
}

/// Text that the program composed of its own words, numbers and names. Text from a tool, a model, a file
/// or a server is not the program's own: it comes as [`ScreenText`].
#[derive(Clone, Debug)]
pub struct Own(pub String);

/// What can be printed: pieces, each with its look.
#[derive(Clone, Debug, Default)]
pub struct Text(Vec<(Style, String)>);

impl Text {
    /// Nothing yet.
    #[must_use]
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// Adds a piece as it is.
    #[must_use]
    pub fn then(self, text: impl Into<Self>) -> Self {
        self.styled(Style::Plain, text)
    }

    /// Adds a piece with a look; pieces that have a look of their own keep it.
    #[must_use]
    pub fn styled(mut self, style: Style, text: impl Into<Self>) -> Self {
        for (own, piece) in text.into().0 {
            self.0
                .push((if own == Style::Plain { style } else { own }, piece));
        }
        self
    }

    /// The bytes to write.
    fn render(&self, color: bool) -> String {
        let mut line = String::new();
        for (style, piece) in &self.0 {
            let sgr = style.sgr();
            if color && !sgr.is_empty() {
                let _ = write!(line, "\u{1b}[{sgr}m");
                visible(&mut line, piece);
                line.push_str("\u{1b}[0m");
            } else {
                visible(&mut line, piece);
            }
        }
        line
    }
}

impl From<&'static str> for Text {
    fn from(text: &'static str) -> Self {
        Self(vec![(Style::Plain, text.to_owned())])
    }
}

impl From<Own> for Text {
    fn from(text: Own) -> Self {
        Self(vec![(Style::Plain, text.0)])
    }
}

impl From<&ScreenText> for Text {
    fn from(text: &ScreenText) -> Self {
        Self(vec![(Style::Plain, text.as_str().to_owned())])
    }
}

impl From<ScreenText> for Text {
    fn from(text: ScreenText) -> Self {
        Self::from(&text)
    }
}

/// The longest line of text from outside, in characters.
const LINE: usize = 2000;

/// Appends `text` with control and invisible characters written as `\u{…}`. New lines and tabs stay.
fn visible(into: &mut String, text: &str) {
    for c in text.chars() {
        if hidden(c) && c != '\n' && c != '\t' {
            let _ = write!(into, "\\u{{{:x}}}", u32::from(c));
        } else {
            into.push(c);
        }
    }
}

/// Characters that act on a terminal or cannot be seen: C0, C1, DEL, bidirectional controls, zero-width
/// and format characters, line separators, the tag block. The second wall: [`ScreenText`] is the first.
fn hidden(c: char) -> bool {
    c.is_control()
        || matches!(u32::from(c),
            0x00AD | 0x061C | 0x180E | 0x200B..=0x200F | 0x2028..=0x202E | 0x2060..=0x206F | 0xFEFF
            | 0xFFF9..=0xFFFB | 0xE0000..=0xE007F)
}

/// Serialised JSON with the same characters as `\uXXXX`, which JSON allows in strings and which stand
/// nowhere else in it.
fn visible_json(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        if hidden(c) && c != '\n' {
            let mut units = [0_u16; 2];
            for unit in c.encode_utf16(&mut units) {
                let _ = write!(out, "\\u{unit:04x}");
            }
        } else {
            out.push(c);
        }
    }
    out
}

#[cfg(unix)]
fn terminal_columns() -> Option<usize> {
    let size = rustix::termios::tcgetwinsize(io::stdout()).ok()?;
    Some(usize::from(size.ws_col))
}

#[cfg(not(unix))]
fn terminal_columns() -> Option<usize> {
    None
}

/// Stdout and stderr with what the flags and the environment say about them.
pub struct Output {
    stdout: Box<dyn Write + Send>,
    stderr: Box<dyn Write + Send>,
    color_out: bool,
    color_err: bool,
    /// Whether stdout is a terminal.
    terminal_out: bool,
    /// Whether stderr is a terminal: progress is only shown there.
    terminal_err: bool,
    quiet: bool,
    verbose: u8,
    /// Whether anything went to stdout.
    printed: bool,
    redactor: Arc<dyn Redactor>,
}

impl std::fmt::Debug for Output {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Output")
            .field("quiet", &self.quiet)
            .field("verbose", &self.verbose)
            .finish_non_exhaustive()
    }
}

impl Output {
    /// The process's own streams.
    #[must_use]
    pub fn system(color: Color, quiet: bool, verbose: u8) -> Self {
        let no_color = std::env::var("NO_COLOR").ok();
        let term = std::env::var("TERM").ok();
        let (out, err) = (io::stdout(), io::stderr());
        let (terminal_out, terminal_err) = (out.is_terminal(), err.is_terminal());
        let decide = |terminal| color.decide(terminal, no_color.as_deref(), term.as_deref());
        Self {
            color_out: decide(terminal_out),
            color_err: decide(terminal_err),
            stdout: Box::new(io::BufWriter::new(out)),
            stderr: Box::new(err),
            terminal_out,
            terminal_err,
            quiet,
            verbose,
            printed: false,
            redactor: Arc::new(Redact::default()),
        }
    }

    /// Prints nothing; for a helper that needs an output and has nothing to say.
    #[must_use]
    pub fn silent() -> Self {
        Self {
            stdout: Box::new(std::io::sink()),
            stderr: Box::new(std::io::sink()),
            ..Self::system(Color::Never, true, 0)
        }
    }

    /// Uses the redactor that knows this installation's secrets, once it is built.
    pub fn set_redactor(&mut self, redactor: Arc<dyn Redactor>) {
        self.redactor = redactor;
    }

    /// The redactor in use.
    #[must_use]
    pub fn redactor(&self) -> Arc<dyn Redactor> {
        Arc::clone(&self.redactor)
    }

    /// Text from outside, redacted and fit for the screen.
    #[must_use]
    pub fn outside(&self, text: impl Into<String>) -> ScreenText {
        ScreenText::from(&Untrusted::new(text.into()).redact(self.redactor.as_ref()))
    }

    /// Text from outside in one line, redacted: for output whose every line is the program's own. Line ends
    /// show as `␊`.
    #[must_use]
    pub fn outside_line(&self, text: impl Into<String>) -> ScreenText {
        let text = Untrusted::new(text.into()).redact(self.redactor.as_ref());
        ScreenText::line(&text, LINE)
    }

    /// Whether stdout is a terminal.
    #[must_use]
    pub const fn is_terminal(&self) -> bool {
        self.terminal_out
    }

    /// Columns of the terminal that stdout is: `COLUMNS` where somebody set it, else what the system says.
    /// `None` for a pipe or a file, and where nobody knows.
    #[must_use]
    pub fn width(&self) -> Option<usize> {
        if !self.terminal_out {
            return None;
        }
        let set = std::env::var("COLUMNS").ok();
        set.and_then(|c| c.trim().parse().ok())
            .or_else(terminal_columns)
            .filter(|columns| *columns > 0)
    }

    /// Whether stderr is a terminal: only then is progress shown.
    #[must_use]
    pub const fn shows_progress(&self) -> bool {
        self.terminal_err && !self.quiet
    }

    /// How often `-v` was given.
    #[must_use]
    pub const fn verbosity(&self) -> u8 {
        self.verbose
    }

    /// One line of the result.
    ///
    /// # Errors
    /// The output could not be written; a broken pipe is a quiet error.
    pub fn line(&mut self, text: impl Into<Text>) -> Result<(), Error> {
        let mut line = text.into().render(self.color_out);
        line.push('\n');
        self.print_bytes(line.as_bytes())
    }

    /// Part of the result, without a line end.
    ///
    /// # Errors
    /// As [`Output::line`].
    pub fn part(&mut self, text: impl Into<Text>) -> Result<(), Error> {
        let part = text.into().render(self.color_out);
        self.print_bytes(part.as_bytes())
    }

    /// One JSON value as the result: one line, or indented when a person reads it on a terminal. Strings
    /// from outside must have been redacted.
    ///
    /// # Errors
    /// As [`Output::line`]; a value that has no JSON form is an internal error.
    pub fn json<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        let json = if self.terminal_out {
            serde_json::to_string_pretty(value)
        } else {
            serde_json::to_string(value)
        }
        .map_err(|e| Error::internal("a result has no JSON form").why(e.to_string()))?;
        let mut line = visible_json(&json);
        line.push('\n');
        self.print_bytes(line.as_bytes())
    }

    /// One JSON value without a line end and always in one line: a part of a longer JSON text.
    ///
    /// # Errors
    /// As [`Output::json`].
    pub fn json_part<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        let json = serde_json::to_string(value)
            .map_err(|e| Error::internal("a result has no JSON form").why(e.to_string()))?;
        self.print_bytes(visible_json(&json).as_bytes())
    }

    /// Bytes of a generated file (a man page, a completion script), as they are.
    ///
    /// # Errors
    /// As [`Output::line`].
    pub fn generated(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.print_bytes(bytes)
    }

    /// For text that is written in many pieces (a report, a table) and is fit for the screen already; what
    /// is not is made visible here too.
    pub fn writer(&mut self) -> ScreenWriter<'_> {
        ScreenWriter {
            out: self,
            held: Vec::new(),
        }
    }

    /// What long work is at; only on a terminal and not with `-q`. Whole lines, no redrawing: they read
    /// well in a screen reader and in scrollback.
    pub fn progress(&mut self, text: impl Into<Text>) {
        if self.shows_progress() {
            self.say(Text::new().styled(Style::Dim, text));
        }
    }

    /// Something that the person should know; not with `-q`.
    pub fn warn(&mut self, text: impl Into<Text>) {
        if !self.quiet {
            self.say(Text::new().styled(Style::Yellow, "warning: ").then(text));
        }
    }

    /// What was done, where the result has no words of its own; not with `-q`.
    pub fn note(&mut self, text: impl Into<Text>) {
        if !self.quiet {
            self.say(text.into());
        }
    }

    /// Detail for `-v`.
    pub fn detail(&mut self, text: impl Into<Text>) {
        if self.verbose > 0 && !self.quiet {
            self.say(Text::new().styled(Style::Dim, text));
        }
    }

    /// A question to a person at a terminal; the caller has checked that there is one.
    pub fn ask(&mut self, text: impl Into<Text>) {
        let _ = self.stdout.flush();
        let line = text.into().render(self.color_err);
        let _ = self.stderr.write_all(line.as_bytes());
        let _ = self.stderr.flush();
    }

    /// An error in up to three lines: what, why, what to do. `-q` does not silence it.
    pub fn error(&mut self, error: &Error) {
        if error.is_quiet() {
            return;
        }
        let what = self.outside(error.what());
        self.say(Text::new().styled(Style::Red, "error: ").then(what));
        if let Some(why) = error.reason() {
            let why = self.outside(why);
            self.say(Text::new().styled(Style::Dim, "  why: ").then(why));
        }
        if let Some(hint) = error.advice() {
            let hint = self.outside(hint);
            self.say(Text::new().styled(Style::Bold, " hint: ").then(hint));
        }
    }

    /// An error in its JSON form, redacted.
    #[must_use]
    pub fn error_json(&self, error: &Error) -> ErrorJson {
        let json = error.json();
        ErrorJson {
            kind: json.kind,
            message: self.outside(json.message).as_str().to_owned(),
            hint: json.hint.map(|h| self.outside(h).as_str().to_owned()),
        }
    }

    /// What the argument parser wants to say: help and version to stdout, complaints to stderr.
    ///
    /// # Errors
    /// As [`Output::line`].
    pub fn clap(&mut self, message: &clap::Error) -> Result<(), Error> {
        let styled = message.render();
        if message.use_stderr() {
            // A complaint is the program's own text around the person's own words: `unexpected argument '-1'`
            // is no password. What the configuration holds never shows.
            let text = ScreenText::from(
                &Untrusted::new(styled.to_string()).redact_configured(self.redactor.as_ref()),
            );
            self.say(Text::from(Own(text.as_str().trim_end().to_owned())));
            return Ok(());
        }
        let text = if self.color_out {
            styled.ansi().to_string()
        } else {
            styled.to_string()
        };
        self.print_bytes(text.as_bytes())
    }

    /// Writes what is still held back. Call it before the process ends.
    ///
    /// # Errors
    /// As [`Output::line`].
    pub fn flush(&mut self) -> Result<(), Error> {
        self.stdout.flush().map_err(|e| Error::output(&e))
    }

    /// Whether anything of the result was printed yet.
    #[must_use]
    pub const fn printed(&self) -> bool {
        self.printed
    }

    fn print_bytes(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.printed = true;
        self.stdout.write_all(bytes).map_err(|e| Error::output(&e))
    }

    /// A line on stderr. A stderr that cannot be written is no reason to fail.
    fn say(&mut self, text: Text) {
        // Results and messages in the order in which they happened, where both go to one terminal.
        if self.terminal_out {
            let _ = self.stdout.flush();
        }
        let mut line = text.render(self.color_err);
        line.push('\n');
        let _ = self.stderr.write_all(line.as_bytes());
    }
}

/// Writes text to stdout, with control and invisible characters made visible. A character may come in
/// several pieces. Errors of the stream come as they are, for [`Error::output`].
#[derive(Debug)]
pub struct ScreenWriter<'a> {
    out: &'a mut Output,
    /// The beginning of a character whose rest has not come yet.
    held: Vec<u8>,
}

impl ScreenWriter<'_> {
    fn put(&mut self, text: &str) -> io::Result<()> {
        let mut shown = String::with_capacity(text.len());
        visible(&mut shown, text);
        self.out.printed = true;
        self.out.stdout.write_all(shown.as_bytes())
    }
}

impl Write for ScreenWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.held.extend_from_slice(bytes);
        let held = std::mem::take(&mut self.held);
        match std::str::from_utf8(&held) {
            Ok(text) => self.put(text)?,
            Err(e) => {
                // Only the beginning of one character may wait: at most three bytes.
                let wait = if e.error_len().is_none() {
                    e.valid_up_to()
                } else {
                    held.len()
                };
                let (now, later) = held.split_at(wait);
                self.put(&String::from_utf8_lossy(now))?;
                self.held = later.to_vec();
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.stdout.flush()
    }
}

impl Drop for ScreenWriter<'_> {
    fn drop(&mut self) {
        if !self.held.is_empty() {
            let rest = String::from_utf8_lossy(&self.held).into_owned();
            let _ = self.put(&rest);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn colour_follows_flag_terminal_and_environment() {
        assert!(Color::Auto.decide(true, None, Some("xterm")));
        assert!(Color::Auto.decide(true, Some(""), None));
        assert!(!Color::Auto.decide(true, Some("1"), None));
        assert!(!Color::Auto.decide(true, None, Some("dumb")));
        assert!(!Color::Auto.decide(false, None, None));
        assert!(Color::Always.decide(false, Some("1"), Some("dumb")));
        assert!(!Color::Never.decide(true, None, None));
    }

    #[test]
    fn own_text_cannot_move_the_cursor_either() {
        let text = Text::from(Own("a\u{1b}[2Jb\u{202e}c\td\n".into()));
        assert_eq!(text.render(false), "a\\u{1b}[2Jb\\u{202e}c\td\n");
        assert_eq!(
            Text::new().styled(Style::Red, "x").render(true),
            "\u{1b}[31mx\u{1b}[0m"
        );
    }

    /// A stream that can be looked at afterwards.
    #[derive(Clone, Default)]
    struct Kept(Arc<std::sync::Mutex<Vec<u8>>>);

    impl Write for Kept {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn written(text: &[u8], piece: usize) -> String {
        let kept = Kept::default();
        let mut out = Output::system(Color::Never, false, 0);
        out.stdout = Box::new(kept.clone());
        let mut writer = out.writer();
        for part in text.chunks(piece) {
            writer.write_all(part).unwrap();
        }
        drop(writer);
        let bytes = kept.0.lock().unwrap().clone();
        String::from_utf8(bytes).unwrap()
    }

    proptest! {
        #[test]
        fn a_writer_keeps_characters_whole(text in any::<String>(), piece in 1_usize..5) {
            let mut wanted = String::new();
            visible(&mut wanted, &text);
            prop_assert_eq!(written(text.as_bytes(), piece), wanted);
        }

        #[test]
        fn a_writer_takes_any_bytes(bytes in any::<Vec<u8>>(), piece in 1_usize..5) {
            prop_assert!(written(&bytes, piece).chars().all(|c| !hidden(c) || c == '\n' || c == '\t'));
        }

        #[test]
        fn nothing_hidden_is_printed(text in any::<String>()) {
            let line = Text::from(Own(text)).render(false);
            prop_assert!(line.chars().all(|c| !hidden(c) || c == '\n' || c == '\t'));
        }

        #[test]
        fn json_stays_the_same_value(text in any::<String>()) {
            let json = visible_json(&serde_json::to_string(&text).unwrap());
            prop_assert!(json.chars().all(|c| !hidden(c)));
            prop_assert_eq!(serde_json::from_str::<String>(&json).unwrap(), text);
        }
    }
}
