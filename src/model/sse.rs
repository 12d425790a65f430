//! Server-sent events, byte by byte, as the WHATWG HTML standard says (section "Interpreting an event
//! stream"), plus what model servers do outside of it.

/// Longest line or event that is kept, in bytes.
const MAX_EVENT: usize = 8 * 1024 * 1024;

/// A line or event is longer than any server sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TooLong;

/// Cuts bytes into lines at LF, CRLF or CR, wherever the pieces were split; a UTF-8 sequence is never
/// read in halves, since a line is decoded as a whole.
#[derive(Debug, Default)]
pub(super) struct Lines {
    buffer: Vec<u8>,
    /// The last line ended in CR: an LF that follows belongs to it.
    after_cr: bool,
    started: bool,
}

impl Lines {
    /// Takes the next bytes and hands every line that ended to `each`.
    pub(super) fn push(&mut self, bytes: &[u8], mut each: impl FnMut(&str)) -> Result<(), TooLong> {
        let mut rest = bytes;
        while let Some(at) = rest.iter().position(|b| matches!(b, b'\n' | b'\r')) {
            let (head, tail) = (&rest[..at], &rest[at + 1..]);
            let lf_of_crlf =
                rest[at] == b'\n' && self.after_cr && at == 0 && self.buffer.is_empty();
            self.after_cr = rest[at] == b'\r';
            rest = tail;
            if lf_of_crlf {
                continue;
            }
            self.buffer.extend_from_slice(head);
            self.check()?;
            self.emit(&mut each);
        }
        if !rest.is_empty() {
            self.after_cr = false;
            self.buffer.extend_from_slice(rest);
            self.check()?;
        }
        Ok(())
    }

    /// The end: what stands after the last line break is a line too.
    pub(super) fn end(&mut self, mut each: impl FnMut(&str)) {
        if !self.buffer.is_empty() {
            self.emit(&mut each);
        }
    }

    fn check(&self) -> Result<(), TooLong> {
        if self.buffer.len() > MAX_EVENT {
            Err(TooLong)
        } else {
            Ok(())
        }
    }

    fn emit(&mut self, each: &mut impl FnMut(&str)) {
        let mut line: &[u8] = &self.buffer;
        if !self.started {
            self.started = true;
            line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
        }
        each(&String::from_utf8_lossy(line));
        self.buffer.clear();
    }
}

/// One event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum SseItem {
    /// The data of an event; several `data` lines are joined with LF.
    Data(String),
    /// A line `error: …`, as llama.cpp wrote in 2025 for an error in the middle of a stream.
    Error(String),
    /// A comment, sent to keep the connection alive.
    Comment,
}

/// Turns bytes into events.
#[derive(Debug, Default)]
pub(super) struct SseParser {
    lines: Lines,
    data: Option<String>,
}

impl SseParser {
    /// Takes the next bytes; appends the events that they complete to `out`.
    pub(super) fn push(&mut self, bytes: &[u8], out: &mut Vec<SseItem>) -> Result<(), TooLong> {
        let Self { lines, data } = self;
        let mut too_long = false;
        lines.push(bytes, |line| too_long |= !line_in(line, data, out))?;
        if too_long { Err(TooLong) } else { Ok(()) }
    }

    /// The end of the stream. The standard throws an event away that no blank line ended; servers that
    /// forget the last blank line mean it, so it counts here.
    pub(super) fn end(&mut self, out: &mut Vec<SseItem>) {
        let Self { lines, data } = self;
        lines.end(|line| {
            line_in(line, data, out);
        });
        if let Some(data) = data.take() {
            out.push(SseItem::Data(data));
        }
    }
}

/// One line; false when the event has become too long.
fn line_in(line: &str, data: &mut Option<String>, out: &mut Vec<SseItem>) -> bool {
    if line.is_empty() {
        if let Some(data) = data.take() {
            out.push(SseItem::Data(data));
        }
        return true;
    }
    let (field, value) = line.split_once(':').unwrap_or((line, ""));
    let value = value.strip_prefix(' ').unwrap_or(value);
    match field {
        "" => out.push(SseItem::Comment),
        "data" => match data {
            Some(before) => {
                before.push('\n');
                before.push_str(value);
            }
            None => *data = Some(value.to_owned()),
        },
        "error" => out.push(SseItem::Error(value.to_owned())),
        // event, id, retry and unknown fields say nothing here.
        _ => {}
    }
    data.as_ref().is_none_or(|d| d.len() <= MAX_EVENT)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn parse(pieces: &[&[u8]]) -> Vec<SseItem> {
        let mut parser = SseParser::default();
        let mut out = Vec::new();
        for piece in pieces {
            parser.push(piece, &mut out).unwrap();
        }
        parser.end(&mut out);
        out
    }

    fn data(text: &str) -> SseItem {
        SseItem::Data(text.into())
    }

    #[test]
    fn every_kind_of_line_break_and_comment() {
        for text in [
            ": ping\n\ndata: a\n\ndata: b\ndata: c\n\n",
            ": ping\r\n\r\ndata: a\r\n\r\ndata: b\r\ndata: c\r\n\r\n",
            ": ping\r\rdata: a\r\rdata: b\rdata: c\r\r",
            "\u{feff}:\n\nevent: x\nid: 7\ndata:a\n\nretry: 3\ndata: b\ndata: c\n\nnonsense\n",
            ": ping\n\ndata: a\n\ndata: b\ndata: c",
        ] {
            assert_eq!(
                parse(&[text.as_bytes()]),
                [SseItem::Comment, data("a"), data("b\nc")],
                "{text:?}"
            );
        }
    }

    #[test]
    fn a_cr_at_the_end_of_a_piece_and_an_lf_in_the_next_are_one_break() {
        assert_eq!(
            parse(&[b"data: a\r", b"\n\r", b"\ndata: b\r", b"\n"]),
            [data("a"), data("b")]
        );
        assert_eq!(parse(&[b"data: a\r", b"data: b\r", b"\r"]), [data("a\nb")]);
    }

    #[test]
    fn error_lines_come_out_at_once() {
        assert_eq!(
            parse(&[b"error: {\"x\":1}\n\n"]),
            [SseItem::Error("{\"x\":1}".into())]
        );
    }

    #[test]
    fn an_endless_line_is_an_error() {
        let mut parser = SseParser::default();
        let block = vec![b'x'; 1 << 20];
        let mut out = Vec::new();
        let ended = (0..20).find(|_| parser.push(&block, &mut out).is_err());
        assert_eq!(ended, Some(8));
        let mut parser = SseParser::default();
        let line = [b"data: ".as_slice(), &block, b"\n"].concat();
        assert!((0..20).any(|_| parser.push(&line, &mut out).is_err()));
    }

    proptest! {
        #[test]
        fn any_split_gives_the_same_events(
            lines in proptest::collection::vec("(data: ?|: |error: |event: |)[aé日\u{1F600}x:]{0,6}(\n|\r\n|\r|\n\n)", 0..12),
            cuts in proptest::collection::vec(0usize..400, 0..12),
        ) {
            let text = lines.concat();
            let bytes = text.as_bytes();
            let mut cuts: Vec<usize> = cuts.into_iter().map(|c| c % (bytes.len() + 1)).collect();
            cuts.push(bytes.len());
            cuts.sort_unstable();
            let mut pieces = Vec::new();
            let mut at = 0;
            for cut in cuts {
                pieces.push(&bytes[at..cut]);
                at = cut;
            }
            prop_assert_eq!(parse(&pieces), parse(&[bytes]));
        }
    }
}
