//! Reading a text from a file or from standard input, whatever is in it.

use crate::cli::error::Error;
use crate::cli::output::Output;
use std::fs::File;
use std::io::{self, IsTerminal, Read};

/// The longest input that is held in memory whole.
pub const WHOLE_MAX: usize = 256 << 20;

/// Stands for one byte that is no UTF-8. One byte long, so that offsets stay those of the input; a
/// control character, so that it is part of nothing.
const NOT_UTF8: char = '\u{1a}';

/// Opens `name`; `-` and `None` are standard input. Says on a terminal what is waited for.
///
/// # Errors
/// The file cannot be opened, or is a directory.
pub fn open(name: Option<&str>, out: &mut Output) -> Result<Box<dyn Read>, Error> {
    let Some(name) = name.filter(|n| *n != "-") else {
        let stdin = io::stdin();
        if stdin.is_terminal() {
            out.progress("reading standard input; end it with Ctrl-D");
        }
        return Ok(Box::new(stdin));
    };
    let unreadable = |why: String| {
        Error::user(format!("{name} cannot be read"))
            .why(why)
            .hint("name a readable file, or `-` for standard input")
    };
    let file = File::open(name).map_err(|e| unreadable(e.to_string()))?;
    if file.metadata().is_ok_and(|m| m.is_dir()) {
        return Err(unreadable("it is a directory".into()));
    }
    Ok(Box::new(file))
}

/// Whether standard input is something to read without being asked: a pipe, a socket or a file. A
/// terminal or a device (`/dev/null`) is not.
#[must_use]
pub fn is_pipe_or_file() -> bool {
    if io::stdin().is_terminal() {
        return false;
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt as _;
        match std::fs::metadata("/dev/stdin") {
            Ok(m) => m.file_type().is_fifo() || m.file_type().is_socket() || m.is_file(),
            Err(_) => false,
        }
    }
    #[cfg(not(unix))]
    {
        true
    }
}

/// Reads an input whole.
///
/// # Errors
/// It cannot be read, or is longer than [`WHOLE_MAX`].
pub fn whole(name: Option<&str>, out: &mut Output) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    let limit = u64::try_from(WHOLE_MAX)
        .unwrap_or(u64::MAX)
        .saturating_add(1);
    open(name, out)?
        .take(limit)
        .read_to_end(&mut bytes)
        .map_err(|e| read_error(&e))?;
    if bytes.len() > WHOLE_MAX {
        return Err(Error::user("the input is too long")
            .why(format!("more than {} MiB do not fit", WHOLE_MAX >> 20))
            .hint("split it into parts"));
    }
    Ok(bytes)
}

/// An input that failed while it was read.
#[must_use]
pub fn read_error(error: &io::Error) -> Error {
    Error::user("the input cannot be read").why(error.to_string())
}

/// Bytes as text. UTF-16 with a byte order mark (Windows writes its logs so) is converted; then offsets
/// are those of the converted text. Bytes that are no UTF-8 are replaced one by one.
#[must_use]
pub fn text(bytes: Vec<u8>, out: &mut Output) -> String {
    match utf16(&bytes) {
        Some(text) => {
            out.warn("the input is UTF-16; offsets count the bytes of its UTF-8 form");
            text
        }
        None => utf8(bytes),
    }
}

/// Bytes as text of the same length in bytes.
#[must_use]
pub fn utf8(bytes: Vec<u8>) -> String {
    let bytes = match String::from_utf8(bytes) {
        Ok(text) => return text,
        Err(e) => e.into_bytes(),
    };
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|_| NOT_UTF8));
    }
    text
}

/// Text in UTF-16 with a byte order mark; `None` for everything else, so for bytes that only begin like it:
/// two bytes in front of an alert must not turn its indicators into signs of another script.
#[must_use]
pub fn utf16(bytes: &[u8]) -> Option<String> {
    let (rest, little) = match bytes {
        [0xff, 0xfe, rest @ ..] => (rest, true),
        [0xfe, 0xff, rest @ ..] => (rest, false),
        _ => return None,
    };
    if !is_utf16(rest, little) {
        return None;
    }
    let pairs = rest.chunks_exact(2);
    // Cut in the middle of a unit.
    let cut = (!pairs.remainder().is_empty()).then_some(NOT_UTF8);
    let units = pairs.map(|pair| match pair {
        [a, b] if little => u16::from_le_bytes([*a, *b]),
        [a, b] => u16::from_be_bytes([*a, *b]),
        _ => 0,
    });
    Some(
        char::decode_utf16(units)
            .map(|c| c.unwrap_or(NOT_UTF8))
            .chain(cut)
            .collect(),
    )
}

/// Bytes of a run that UTF-16 does not hold by chance, where all of them are such as names and addresses have.
const RUN: usize = 11;

/// Whether the bytes behind a byte order mark are UTF-16. Western text has a zero in every other byte. Other
/// scripts have none, or few; then the bytes must come in pairs and must not be readable as they are. In no
/// case may there be a name or an address in one piece, which reading the bytes in pairs would hide.
fn is_utf16(rest: &[u8], little: bool) -> bool {
    let units = rest.len() / 2;
    let high = usize::from(little);
    let zeros = rest
        .chunks_exact(2)
        .filter(|pair| pair.get(high) == Some(&0) && pair.get(1 - high) != Some(&0))
        .count();
    let named = |b: &u8| b.is_ascii_alphanumeric() || b".:/-_@%".contains(b);
    if rest.split(|b| !named(b)).any(|run| run.len() >= RUN) {
        return false;
    }
    if zeros.saturating_mul(2) > units {
        return true;
    }
    let control = |b: &u8| b.is_ascii_control() && !b"\t\n\r".contains(b);
    let readable = std::str::from_utf8(rest).is_ok() && !rest.iter().any(control);
    let ascii = |b: &&u8| b.is_ascii_graphic() || b.is_ascii_whitespace();
    let mostly_ascii =
        rest.iter().filter(ascii).count().saturating_mul(4) > rest.len().saturating_mul(3);
    units > 0 && rest.len().is_multiple_of(2) && !readable && !mostly_ascii
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn windows_text_is_read() {
        let bytes = [0xff, 0xfe, b'8', 0, b'.', 0, 0x00, 0xd8, b'8', 0];
        assert_eq!(utf16(&bytes).unwrap(), "8.\u{1a}8");
        assert_eq!(utf16(&[0xfe, 0xff, 0, b'a']).unwrap(), "a");
        assert_eq!(utf16(b"plain"), None);
        // A file that was cut in the middle of a unit is still read.
        assert_eq!(
            utf16(&[0xff, 0xfe, b'h', 0, b'i', 0, b'x']).unwrap(),
            "hi\u{1a}"
        );
    }

    fn encoded(text: &str, little: bool) -> Vec<u8> {
        let mut bytes = if little {
            vec![0xff, 0xfe]
        } else {
            vec![0xfe, 0xff]
        };
        for unit in text.encode_utf16() {
            bytes.extend(if little {
                unit.to_le_bytes()
            } else {
                unit.to_be_bytes()
            });
        }
        bytes
    }

    #[test]
    fn other_scripts_are_read_too() {
        for text in [
            "Соединение с 203.0.113.7 отклонено: неизвестный узел",
            "与主机的连接已断开，未知错误。请联系管理员",
            "Verbindung zu 203.0.113.7 abgelehnt\r\n",
        ] {
            for little in [true, false] {
                assert_eq!(utf16(&encoded(text, little)).as_deref(), Some(text));
            }
        }
    }

    #[test]
    fn a_mark_in_front_of_other_bytes_hides_nothing() {
        let alert = "connect to http://bad.example/x from 203.0.113.7\n";
        let cyrillic = encoded(
            "Соединение отклонено: неизвестный узел, ещё раз и ещё раз",
            true,
        );
        for mark in [[0xff, 0xfe], [0xfe, 0xff]] {
            for text in [
                alert.to_owned(),
                format!("{alert}x"),
                format!("\u{0}{alert}\u{0}"),
                "203.0.113.7".into(),
            ] {
                let bytes = [&mark[..], text.as_bytes()].concat();
                assert!(
                    super::text(bytes, &mut Output::silent()).contains("203.0.113.7"),
                    "{text}"
                );
            }
        }
        for padding in [cyrillic, encoded(&"plain western text ".repeat(9), true)] {
            let bytes = [&padding[..], alert.as_bytes()].concat();
            assert!(super::text(bytes, &mut Output::silent()).contains("203.0.113.7"));
        }
    }

    proptest! {
        #[test]
        fn ascii_behind_a_mark_is_read_as_it_is(text in "[ -~\\n]{1,60}", big in any::<bool>()) {
            let mark: [u8; 2] = if big { [0xfe, 0xff] } else { [0xff, 0xfe] };
            prop_assert_eq!(utf16(&[&mark[..], text.as_bytes()].concat()), None);
        }

        #[test]
        fn any_bytes_keep_their_offsets(bytes in any::<Vec<u8>>()) {
            let text = utf8(bytes.clone());
            prop_assert_eq!(text.len(), bytes.len());
            if let Ok(valid) = std::str::from_utf8(&bytes) {
                prop_assert_eq!(text, valid);
            }
        }
    }
}
