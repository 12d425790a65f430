//! Text that comes piece by piece, cut where a block of it is finished.

/// Where finished blocks of a growing text end: what is before it never changes any more.
/// A block ends at a blank line outside of a code fence; lists and tables end with the next block.
#[must_use]
pub fn finished(text: &str) -> usize {
    let mut fence: Option<&str> = None;
    let mut at = 0;
    let mut end = 0;
    let mut before_blank = false;
    for line in text.split_inclusive('\n') {
        let plain = line.trim();
        let mark = ["```", "~~~"].into_iter().find(|f| plain.starts_with(f));
        if before_blank && fence.is_none() && !plain.is_empty() {
            // A list or an indented part may go on over a blank line.
            let goes_on = line.starts_with([' ', '\t'])
                || plain.starts_with(['-', '*', '+', '>'])
                || plain.starts_with(|c: char| c.is_ascii_digit());
            if !goes_on {
                end = at;
            }
        }
        match (fence, mark) {
            (None, Some(m)) => fence = Some(m),
            (Some(open), Some(m)) if open == m => fence = None,
            _ => {}
        }
        before_blank = plain.is_empty() && fence.is_none() && line.ends_with('\n');
        at += line.len();
    }
    end
}
