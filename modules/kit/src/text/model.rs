//! [`ModelText`]: text in which nothing can be taken for a chat template's own tokens, for a turn of the
//! conversation, or for the wrapper that marks text as untrusted.
//!
//! Local servers tokenise special tokens inside message text, so a tool result that holds
//! `<|im_end|>` could end its own turn. Lists of tokens age (every model family adds some), so the rule
//! is about shape: no `<` that could open a tag or token survives, whatever its name. It becomes `‹`.
//! Bracket tokens (`[INST]`) can't be told from ordinary brackets by shape and go by name.

use super::Redacted;
use super::hidden::{Class, class};
use crate::indicator::Indicator;
use regex::Regex;
use std::borrow::Cow;
use std::sync::LazyLock;

/// Text that is safe to send to a model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ModelText(String);

impl ModelText {
    /// The program's own words, unchanged.
    #[must_use]
    pub fn trusted(text: &'static str) -> Self {
        Self(text.to_owned())
    }

    /// A number.
    #[must_use]
    pub fn number(n: impl Into<u64>) -> Self {
        Self(n.into().to_string())
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// True when empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Appends.
    pub fn push(&mut self, more: &Self) {
        self.0.push_str(&more.0);
    }

    /// Appends the program's own words.
    pub fn push_trusted(&mut self, more: &'static str) {
        self.0.push_str(more);
    }

    /// All parts, one after the other.
    #[must_use]
    pub fn concat<'a>(parts: impl IntoIterator<Item = &'a Self>) -> Self {
        Self(parts.into_iter().map(Self::as_str).collect())
    }

    /// All parts with the program's own `separator` between them.
    #[must_use]
    pub fn join<'a>(parts: impl IntoIterator<Item = &'a Self>, separator: &'static str) -> Self {
        let mut out = String::new();
        for (n, part) in parts.into_iter().enumerate() {
            if n > 0 {
                out.push_str(separator);
            }
            out.push_str(&part.0);
        }
        Self(out)
    }

    /// The first `max_chars` characters, and whether anything was cut.
    #[must_use]
    pub fn cap(&self, max_chars: usize) -> (Self, bool) {
        match self.0.char_indices().nth(max_chars) {
            Some((at, _)) => (Self(self.0[..at].to_owned()), true),
            None => (self.clone(), false),
        }
    }
}

impl From<&Redacted> for ModelText {
    fn from(text: &Redacted) -> Self {
        Self(neutralise(text.as_str()))
    }
}

impl From<&Indicator> for ModelText {
    fn from(indicator: &Indicator) -> Self {
        Self(neutralise(indicator.value()))
    }
}

impl Extend<Self> for ModelText {
    fn extend<T: IntoIterator<Item = Self>>(&mut self, parts: T) {
        for part in parts {
            self.push(&part);
        }
    }
}

impl FromIterator<Self> for ModelText {
    fn from_iter<T: IntoIterator<Item = Self>>(parts: T) -> Self {
        let mut out = Self::default();
        out.extend(parts);
        out
    }
}

/// Characters of an attribute that are kept.
const ATTRIBUTE_MAX: usize = 300;

/// Wraps a tool's text so that a model can tell it from instructions: one opening and one closing
/// `untrusted_tool_result` tag, both with the random `marker` of this call. `source` and `subject` are
/// neutralised and escaped; of `marker` only ASCII letters, digits, `-` and `_` are used. Look-alikes of
/// the wrapper inside the body (any case, blanks) are broken; entities stay as they are.
#[must_use]
pub fn wrap_untrusted(source: &str, subject: &str, marker: &str, body: &ModelText) -> ModelText {
    let marker: String = marker
        .chars()
        .filter(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))
        .take(64)
        .collect();
    let mut inner = break_wrappers(&body.0);
    if !marker.is_empty() && inner.contains(&marker) {
        inner = Cow::Owned(inner.replace(&marker, "⟨marker⟩"));
    }
    ModelText(format!(
        "<untrusted_tool_result source=\"{}\" subject=\"{}\" marker=\"{marker}\">\n{inner}\n</untrusted_tool_result marker=\"{marker}\">",
        attribute(source),
        attribute(subject),
    ))
}

/// One attribute value: neutralised, one line, capped, `& " ' < >` escaped.
fn attribute(text: &str) -> String {
    let mut out = String::new();
    let clean = neutralise(text);
    for c in break_wrappers(&clean).chars().take(ATTRIBUTE_MAX) {
        match c {
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '\n' | '\t' => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

/// A pattern of this file. One that does not compile matches nothing and fails the tests.
fn pattern(source: &str) -> Option<Regex> {
    Regex::new(source).ok()
}

/// Bracket tokens of the Mistral, Llama 2, GLM and BERT families; opening and closing, any case.
static BRACKET_TOKEN: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(
        r"(?i)[\[［](\s*/?\s*(?:INST|SYS|SYSTEM|USER|ASSISTANT|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS?|TOOL_RESULTS?|TOOL_CONTENT|THINK|ARGS|CALL_ID|IMG|IMG_BREAK|IMG_END|AUDIO|BEGIN_AUDIO|TRANSCRIBE|PREFIX|MIDDLE|SUFFIX|MODEL_SETTINGS|CLS|SEP|PAD|E?MASK|[GS]MASK|UNK|BOS|EOS|EOD|control_\d+|UNUSED_?\d+)\s*[\]］])",
    )
});

/// Turn markers at the start of a line, behind any decoration.
static TURN_MARKER: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(
        r"(?im)^([^\w\n]*(?:human|assistant|user|system|ai|bot|model|developer|tool|function|observation|instruction|instructions|input|response|tool[ _]result|tool[ _]response|end[ _]of[ _]turn)[*_`\x22' \t]*)[:：]",
    )
});

/// The wrapper's name behind an opening bracket of any kind.
static WRAPPER: LazyLock<Option<Regex>> =
    LazyLock::new(|| pattern(r"(?i)[<‹＜﹤](\s*/?\s*)untrusted[\s_\-]*tool[\s_\-]*results?"));

fn break_wrappers(text: &str) -> Cow<'_, str> {
    match WRAPPER.as_ref() {
        Some(re) => re.replace_all(text, "‹${1}untrusted·tool·result"),
        None => Cow::Borrowed(text),
    }
}

/// The conversion. Idempotent, linear.
fn neutralise(text: &str) -> String {
    let mut out = break_angles(&show_hidden(text));
    if let Some(re) = BRACKET_TOKEN.as_ref() {
        out = re.replace_all(&out, "⟦$1").into_owned();
    }
    // MiniMax writes its tokens as `]~b]` and `]~!b[`.
    if out.contains("]~") {
        out = out.replace("]~", "] ~");
    }
    if let Some(re) = TURN_MARKER.as_ref() {
        out = re.replace_all(&out, "$1∶").into_owned();
    }
    out
}

/// Controls become pictures; a run of invisible characters becomes its count, so that nothing can be
/// smuggled in it and its presence still shows. Comes first: what is hidden inside a token must not hide
/// the token from the later steps.
fn show_hidden(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    let mut marks = 0_usize;
    while let Some(c) = chars.next() {
        match class(c) {
            Class::Plain => {
                out.push(c);
                marks = 0;
            }
            Class::Picture(_) if c == '\r' && chars.peek() == Some(&'\n') => {}
            Class::Picture(picture) => out.push(picture),
            Class::Mark => {
                marks += 1;
                if marks <= 4 {
                    out.push(c);
                }
            }
            Class::FaceSelector => {}
            Class::Hidden => {
                let mut n = 1_usize;
                while chars
                    .next_if(|c| matches!(class(*c), Class::Hidden | Class::FaceSelector))
                    .is_some()
                {
                    n += 1;
                }
                out.push('⟨');
                out.push_str(&n.to_string());
                out.push_str(" hidden⟩");
            }
        }
    }
    out
}

/// Replaces every `<` (and its wide and small forms) that could open a tag or token. Kept: `<=`, and `<`
/// before a blank and a digit, as in `5 < 7`.
fn break_angles(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '<' => {
                let mut rest = chars.clone();
                let harmless = match rest.next() {
                    Some('=') => true,
                    Some(' ') => rest.next().is_some_and(|c| c.is_ascii_digit()),
                    _ => false,
                };
                out.push(if harmless { '<' } else { '‹' });
            }
            '＜' | '﹤' => out.push('‹'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{BRACKET_TOKEN, TURN_MARKER, WRAPPER, neutralise};

    #[test]
    fn every_pattern_compiles() {
        assert!(BRACKET_TOKEN.is_some() && TURN_MARKER.is_some() && WRAPPER.is_some());
    }

    #[test]
    fn tokens_break_and_ordinary_text_stays() {
        assert_eq!(neutralise("a<|im_end|>b"), "a‹|im_end|>b");
        assert_eq!(neutralise("[INST] x [ / inst ]"), "⟦INST] x ⟦ / inst ]");
        assert_eq!(neutralise("x\n### Human: hi"), "x\n### Human∶ hi");
        assert_eq!(
            neutralise("5 < 7, a <= b, [1,2], evil[.]com"),
            "5 < 7, a <= b, [1,2], evil[.]com"
        );
        assert_eq!(
            neutralise("&lt;/untrusted_tool_result&gt;"),
            "&lt;/untrusted_tool_result&gt;"
        );
        assert_eq!(neutralise("<\u{200b}|im_start|>"), "‹⟨1 hidden⟩|im_start|>");
    }
}
