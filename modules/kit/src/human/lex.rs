//! Cuts a person's message into words, indicators and punctuation, for the readers beside this file.

/// What a token is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A word in lower case with plain apostrophes (`don’t` is `don't`); numbers too.
    Word(String),
    /// An indicator; the index of its span.
    Ind(usize),
    /// The end of a sentence: `.` `!` `?` `;` and their like, with the character.
    Stop(char),
    /// Any other punctuation or symbol.
    Sep(char),
    /// A quotation mark or backtick.
    Quote(char),
    /// A line end.
    Newline,
}

/// A token and where it stands, in bytes.
#[derive(Clone, Debug)]
pub(super) struct Token {
    /// What it is.
    pub kind: Kind,
    /// First byte.
    pub start: usize,
    /// Behind the last byte.
    pub end: usize,
}

impl Token {
    /// The word, if it is one.
    pub(super) fn word(&self) -> Option<&str> {
        match &self.kind {
            Kind::Word(w) => Some(w),
            _ => None,
        }
    }
}

/// Short forms whose full stop ends no sentence.
const ABBREVIATIONS: [&str; 17] = [
    "e.g", "eg", "i.e", "ie", "etc", "vs", "incl", "excl", "approx", "resp", "mr", "mrs", "ms",
    "dr", "nr", "cf", "viz",
];

fn is_apostrophe(c: char) -> bool {
    matches!(
        c,
        '\'' | '\u{2019}' | '\u{2018}' | '\u{2bc}' | '\u{ff07}' | '\u{b4}' | '\u{201b}'
    )
}

fn is_quote(c: char) -> bool {
    matches!(
        c,
        '"' | '`' | '\u{201c}'..='\u{201f}' | '«' | '»' | '‹' | '›' | '\u{ff02}'
    ) || is_apostrophe(c)
}

fn is_question(c: char) -> bool {
    matches!(
        c,
        '?' | '\u{ff1f}' | '\u{61f}' | '\u{2047}'
            ..='\u{2049}' | '\u{203d}' | '\u{bf}' | '\u{fe56}' | '\u{37e}'
    )
}

/// True when the text asks anything, in any script's question mark.
pub(super) fn has_question(text: &str) -> bool {
    text.chars().any(is_question)
}

/// Cuts `text` into tokens. `spans` are byte ranges of indicators, ascending and disjoint; each becomes one
/// token whatever it holds, so that a full stop or a `not` inside a URL is no punctuation and no word.
/// Linear.
pub(super) fn lex(text: &str, spans: &[(usize, usize)]) -> Vec<Token> {
    let mut out = Vec::new();
    let mut next_span = 0;
    let mut at = 0;
    while at < text.len() {
        while spans.get(next_span).is_some_and(|s| s.1 <= at) {
            next_span += 1;
        }
        if let Some(&(start, end)) = spans.get(next_span)
            && start <= at
        {
            out.push(Token {
                kind: Kind::Ind(next_span),
                start,
                end,
            });
            at = end;
            next_span += 1;
            continue;
        }
        let limit = spans.get(next_span).map_or(text.len(), |s| s.0);
        let Some(c) = text[at..].chars().next() else {
            break;
        };
        let end = at + c.len_utf8();
        let kind = if c == '\n' {
            Some(Kind::Newline)
        } else if c.is_whitespace() {
            None
        } else if is_word(c) {
            let end = word_end(text, at, limit);
            out.push(Token {
                kind: Kind::Word(normal(&text[at..end])),
                start: at,
                end,
            });
            at = end;
            continue;
        } else if is_question(c) {
            Some(Kind::Stop('?'))
        } else if matches!(c, '!' | ';' | '\u{ff01}' | '\u{ff1b}' | '\u{3002}') {
            Some(Kind::Stop(c))
        } else if c == '.' {
            Some(full_stop(&out, &text[end..], at))
        } else if is_quote(c) {
            Some(Kind::Quote(c))
        } else {
            Some(Kind::Sep(c))
        };
        if let Some(kind) = kind {
            out.push(Token {
                kind,
                start: at,
                end,
            });
        }
        at = end;
    }
    out
}

/// A full stop that stands outside a word: the end of a sentence unless it belongs to a short form or is
/// glued to what follows.
fn full_stop(before: &[Token], after: &str, at: usize) -> Kind {
    let short = before
        .last()
        .is_some_and(|t| t.end == at && t.word().is_some_and(|w| ABBREVIATIONS.contains(&w)));
    let glued = after.chars().next().is_some_and(is_word);
    if short || glued {
        Kind::Sep('.')
    } else {
        Kind::Stop('.')
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The end of the word that starts at `at`: letters and digits, and between them apostrophes, hyphens and
/// full stops (`don't`, `off-limits`, `1-3`, `e.g`).
fn word_end(text: &str, at: usize, limit: usize) -> usize {
    let mut end = at;
    let mut chars = text[at..limit].chars().peekable();
    while let Some(c) = chars.next() {
        // `don`t` and `don;t` are slips of the finger that must not lose their negation.
        let slip = (c == '`' || c == ';')
            && chars.clone().next() == Some('t')
            && text[at..end].ends_with('n');
        let joins = slip || is_apostrophe(c) || matches!(c, '-' | '.' | '\u{2010}'..='\u{2013}');
        if is_word(c) || (joins && chars.peek().is_some_and(|n| is_word(*n))) {
            end += c.len_utf8();
        } else {
            break;
        }
    }
    end
}

fn normal(word: &str) -> String {
    word.chars()
        .flat_map(char::to_lowercase)
        .map(|c| match c {
            c if is_apostrophe(c) || c == '`' || c == ';' => '\'',
            '\u{2010}'..='\u{2013}' => '-',
            c => c,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{Kind, lex};

    fn words(text: &str) -> Vec<String> {
        lex(text, &[])
            .into_iter()
            .map(|t| match t.kind {
                Kind::Word(w) => w,
                Kind::Ind(n) => format!("<{n}>"),
                Kind::Stop(c) => format!("stop{c}"),
                Kind::Sep(c) | Kind::Quote(c) => c.to_string(),
                Kind::Newline => "nl".to_owned(),
            })
            .collect()
    }

    #[test]
    fn words_and_stops() {
        assert_eq!(
            words("Don’t, e.g. X. 1–3"),
            ["don't", ",", "e.g", ".", "x", "stop.", "1-3"]
        );
        assert_eq!(words("yes 1,3\nok"), ["yes", "1", ",", "3", "nl", "ok"]);
    }

    #[test]
    fn spans_are_whole() {
        let text = "not http://a.b/?not=1!";
        let tokens = lex(text, &[(4, 21)]);
        assert_eq!(tokens.len(), 3);
        assert_eq!(tokens[1].kind, Kind::Ind(0));
    }
}
