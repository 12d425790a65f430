//! Telling the person that a case wants them, while they look elsewhere: the bytes for the terminal.

use crate::engine::view;

/// Longest notification in cells.
const MOST: usize = 80;

/// The bytes for this way (`[ui] notify`): a bell, or a desktop notification (OSC 9). `None`: nothing.
///
/// The words name a case, and anybody may have named it: no character of them can end the sequence,
/// begin another, or be read as a parameter.
#[must_use]
pub fn bytes(way: &str, words: &str, tmux: bool) -> Option<Vec<u8>> {
    match way {
        "bell" => Some(b"\x07".to_vec()),
        "desktop" => {
            let words = harmless(words);
            let plain = format!("\x1b]9;{words}\x07");
            Some(if tmux {
                format!("\x1bPtmux;{}\x1b\\", plain.replace('\x1b', "\x1b\x1b")).into_bytes()
            } else {
                plain.into_bytes()
            })
        }
        _ => None,
    }
}

/// The words as one short line without control characters, without `;` (OSC 9;4 is a progress bar), and
/// with indicators defanged, for desktops make links of them.
fn harmless(words: &str) -> String {
    let words = view::Defang::plain().text(words);
    let words = super::text::one_line(view::screen(&words).as_str(), MOST);
    words
        .chars()
        .map(|c| if c == ';' { ',' } else { c })
        .filter(|c| !c.is_control())
        .collect()
}
