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

/// Text in UTF-16 with a byte order mark; `None` for everything else.
#[must_use]
pub fn utf16(bytes: &[u8]) -> Option<String> {
    let (rest, little) = match bytes {
        [0xff, 0xfe, rest @ ..] => (rest, true),
        [0xfe, 0xff, rest @ ..] => (rest, false),
        _ => return None,
    };
    let units = rest.chunks_exact(2).map(|pair| match pair {
        [a, b] if little => u16::from_le_bytes([*a, *b]),
        [a, b] => u16::from_be_bytes([*a, *b]),
        _ => 0,
    });
    Some(
        char::decode_utf16(units)
            .map(|c| c.unwrap_or(NOT_UTF8))
            .collect(),
    )
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
    }

    proptest! {
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
