//! Text from people, tools and models inside Markdown, made inert: no image, link, HTML, heading, table
//! or code of it is live (CommonMark 0.31, GFM autolinks and tables, `$` mathematics).

/// Text in one line, for a cell or a list item.
#[must_use]
pub fn cell(text: &str) -> String {
    let one_line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    escape(&one_line)
}

/// Text of several lines: line breaks and simple lists stay, everything else is inert.
#[must_use]
pub fn block(text: &str) -> String {
    let mut out = String::with_capacity(text.len().saturating_add(64));
    let mut lines = text.lines().map(block_line).peekable();
    while let Some(line) = lines.next() {
        out.push_str(&line);
        // Two blanks keep a line break inside a paragraph (CommonMark 6.7). A backslash does so too, but
        // not in every reader and never at the end of a paragraph, where it shows.
        if !line.is_empty() && lines.peek().is_some_and(|next| !next.is_empty()) {
            out.push_str("  ");
        }
        out.push('\n');
    }
    out
}

fn block_line(line: &str) -> String {
    // Four blanks would make code of it.
    let line = line.trim();
    let (marker, rest) = list_marker(line);
    let rest = escape(rest);
    if !marker.is_empty() {
        return format!("{marker}{}", guard(&rest));
    }
    guard(&rest)
}

/// `- `, `* `, `+ ` or `12. ` at the beginning, and what follows.
fn list_marker(line: &str) -> (&str, &str) {
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let marker = match line.as_bytes() {
        [b'-' | b'*' | b'+', b' ', ..] => 2,
        _ if (1..=4).contains(&digits) && line[digits..].starts_with(". ") => digits + 2,
        _ => 0,
    };
    line.split_at(marker)
}

/// Makes the first character of a line inert where it alone could begin a block.
fn guard(text: &str) -> String {
    match text.chars().next() {
        Some('-' | '+' | '=' | '#' | ':') => format!("\\{text}"),
        Some(c) if c.is_ascii_digit() => {
            let digits = text.bytes().take_while(u8::is_ascii_digit).count();
            let (number, rest) = text.split_at(digits);
            match rest.chars().next() {
                Some('.' | ')') => format!("{number}\\{rest}"),
                _ => text.to_owned(),
            }
        }
        _ => text.to_owned(),
    }
}

/// Every character that can begin or end an inline construct.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len().saturating_add(16));
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '(' | ')' | '!' | '|' | '~' | '$' | '#' => {
                out.push('\\');
                out.push(c);
            }
            // Inside a line, tab is the only control character that may be left; the rest was made
            // visible when the text became screen text.
            '\t' => out.push(' '),
            _ => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn images_links_html_tables_and_code_are_text() {
        assert_eq!(
            cell("![x](http://e/?q=1) <img src=x> [a]: b | c `d`"),
            "\\!\\[x\\]\\(http://e/?q=1\\) &lt;img src=x&gt; \\[a\\]: b \\| c \\`d\\`"
        );
        assert_eq!(
            block("# head\n\n- one\n2. two\n---\n===\n    code\n- # nested\n5) five"),
            "\\# head\n\n- one  \n2. two  \n\\---  \n\\===  \ncode  \n- \\# nested  \n5\\) five\n"
        );
    }

    proptest! {
        #[test]
        fn no_special_character_is_left_bare(text in "[ -~\n]{0,80}") {
            for line in block(&text).lines() {
                let mut escaped = false;
                for (i, c) in line.char_indices() {
                    if escaped {
                        escaped = false;
                        continue;
                    }
                    match c {
                        '\\' => escaped = true,
                        '*' | '+' => prop_assert!(i == 0 || c == '+', "{line:?}"),
                        '`' | '[' | ']' | '|' | '<' | '>' | '!' | '#' => prop_assert!(false, "{c} in {line:?}"),
                        _ => {}
                    }
                }
                prop_assert!(!escaped, "a backslash shows at the end of {line:?}");
            }
        }
    }
}
