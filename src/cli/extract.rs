//! `extract`: the indicators of a text.

use crate::cli::error::Error;
use crate::cli::exit::Exit;
use crate::cli::input;
use crate::cli::output::{Output, Own, Text};
use crate::cli::session::Session;
use clap::Args;
use kit::Found;
use serde::Serialize;
use std::io::Read;

const EXAMPLES: &str = "\
Examples:
  rmm-analyst extract report.txt
      One line an indicator: type, tab, value.
  rmm-analyst extract --json < alert.eml
      With the text as it stood there and its place in the input.
  rmm-analyst extract mail.log | cut -f2 | sort -u
      Every value once.";

/// Print the indicators of a text
///
/// Prose, tables, markdown, logs and defanged values are understood. Without --json each indicator is one line `type<TAB>value`, in order of appearance. With --json it is one array of objects with `type`, `value` (canonical), `text` (as it stood there), `start`, `end` (byte offsets) and `defanged`.
///
/// Input of any size and any bytes is taken; it is worked on in pieces of some megabytes, cut at line ends.
#[derive(Clone, Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub struct ExtractArgs {
    /// The file; `-` or nothing reads standard input
    pub file: Option<String>,

    /// Print one JSON array
    #[arg(long)]
    pub json: bool,
}

/// How much is worked on at a time. Longer than any line of a log that makes sense.
const PIECE: usize = 16 << 20;

#[derive(Serialize)]
struct Row<'a> {
    r#type: &'a str,
    value: &'a str,
    text: &'a str,
    start: usize,
    end: usize,
    defanged: bool,
}

/// Runs the command.
///
/// # Errors
/// The input cannot be read; the configuration is wrong; the output cannot be written.
pub fn run(args: &ExtractArgs, session: &mut Session) -> Result<Exit, Error> {
    let loaded = session.config(&[])?;
    session.redactor(&loaded)?;
    let mut reader = input::open(args.file.as_deref(), &mut session.out)?;
    let mut pieces = Pieces::new(PIECE);
    let mut printer = Printer {
        json: args.json,
        any: false,
    };
    while let Some((start, bytes)) = pieces.next(reader.as_mut())? {
        let text = if start == 0 && input::utf16(&bytes).is_some() {
            let rest = pieces.rest(reader.as_mut(), bytes)?;
            input::text(rest, &mut session.out)
        } else {
            input::utf8(bytes)
        };
        for found in kit::extract(&text) {
            printer.print(&found, start, &mut session.out)?;
        }
    }
    printer.finish(&mut session.out)?;
    Ok(Exit::Ok)
}

struct Printer {
    json: bool,
    any: bool,
}

impl Printer {
    fn print(&mut self, found: &Found, offset: usize, out: &mut Output) -> Result<(), Error> {
        let value = out.outside(found.indicator.value());
        let kind = found.indicator.kind().name();
        if !self.json {
            return out.line(Text::from(kind).then("\t").then(value));
        }
        out.part(if self.any { ",\n" } else { "[" })?;
        self.any = true;
        let text = out.outside(found.text.as_str());
        out.json_part(&Row {
            r#type: kind,
            value: value.as_str(),
            text: text.as_str(),
            start: offset + found.start,
            end: offset + found.end,
            defanged: found.defanged,
        })
    }

    fn finish(self, out: &mut Output) -> Result<(), Error> {
        if !self.json {
            return Ok(());
        }
        out.line(Own(if self.any { "]" } else { "[]" }.to_owned()))
    }
}

/// Cuts a stream into pieces at line ends (at blanks, or anywhere between characters, where a line is
/// longer than a piece), so that memory stays bounded whatever comes.
struct Pieces {
    size: usize,
    offset: usize,
    held: Vec<u8>,
    end: bool,
}

impl Pieces {
    const fn new(size: usize) -> Self {
        Self {
            size,
            offset: 0,
            held: Vec::new(),
            end: false,
        }
    }

    /// The next piece and the offset of its first byte.
    fn next(&mut self, reader: &mut dyn Read) -> Result<Option<(usize, Vec<u8>)>, Error> {
        self.fill(reader, self.size)?;
        if self.held.is_empty() {
            return Ok(None);
        }
        let cut = if self.end {
            self.held.len()
        } else {
            cut(&self.held)
        };
        let rest = self.held.split_off(cut);
        let piece = std::mem::replace(&mut self.held, rest);
        let start = self.offset;
        self.offset += piece.len();
        Ok(Some((start, piece)))
    }

    /// Everything from the first piece on, for text that has to be converted whole.
    fn rest(&mut self, reader: &mut dyn Read, mut first: Vec<u8>) -> Result<Vec<u8>, Error> {
        self.fill(reader, input::WHOLE_MAX)?;
        if !self.end {
            return Err(Error::user("the UTF-16 input is too long")
                .why(format!(
                    "more than {} MiB do not fit",
                    input::WHOLE_MAX >> 20
                ))
                .hint("convert it first: iconv -f UTF-16 -t UTF-8"));
        }
        first.append(&mut self.held);
        Ok(first)
    }

    fn fill(&mut self, reader: &mut dyn Read, size: usize) -> Result<(), Error> {
        if self.end || self.held.len() >= size {
            return Ok(());
        }
        let wanted = u64::try_from(size - self.held.len()).unwrap_or(u64::MAX);
        let got = reader
            .take(wanted)
            .read_to_end(&mut self.held)
            .map_err(|e| input::read_error(&e))?;
        self.end = u64::try_from(got).unwrap_or(u64::MAX) < wanted;
        Ok(())
    }
}

/// Where to cut: behind the last line end, else behind the last blank, else at the end but not inside a
/// character. Never 0.
fn cut(bytes: &[u8]) -> usize {
    let behind = |test: fn(&u8) -> bool| bytes.iter().rposition(test).map(|i| i + 1);
    if let Some(at) = behind(|b| *b == b'\n').or_else(|| behind(|b| *b == b' ' || *b == b'\t')) {
        return at;
    }
    let continuing = bytes
        .iter()
        .rev()
        .take(3)
        .take_while(|b| **b & 0xc0 == 0x80)
        .count();
    let at = bytes.len().saturating_sub(continuing + 1);
    if bytes.get(at).is_some_and(|b| *b >= 0xc0) && at > 0 {
        at
    } else {
        bytes.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn cuts_at_lines_then_blanks_then_characters() {
        assert_eq!(cut(b"ab\ncd"), 3);
        assert_eq!(cut(b"ab cd"), 3);
        assert_eq!(cut(b"abcd"), 4);
        assert_eq!(cut("abä".as_bytes()), 2);
        assert_eq!(cut(&"ab😀".as_bytes()[..5]), 2);
        assert_eq!(cut(&[0x80, 0x80]), 2);
    }

    proptest! {
        #[test]
        fn pieces_are_the_whole_input(bytes in any::<Vec<u8>>(), size in 1_usize..20) {
            let mut reader = bytes.as_slice();
            let mut pieces = Pieces::new(size);
            let mut all = Vec::new();
            while let Some((start, piece)) = pieces.next(&mut reader).unwrap() {
                prop_assert_eq!(start, all.len());
                prop_assert!(!piece.is_empty() && piece.len() <= size);
                all.extend(piece);
            }
            prop_assert_eq!(all, bytes);
        }
    }
}
