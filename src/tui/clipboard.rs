//! Copying: OSC 52, wrapped for tmux, up to a size that terminals take; the caller keeps a file otherwise.

use base64::Engine as _;

/// Bytes of text that are sent at most; terminals silently drop more than about 100,000 base64 characters.
pub const MOST: usize = 74_000;

/// The bytes to write to the terminal; `None` when the text is too large. No terminal confirms, so the
/// screen says "sent", never "copied".
#[must_use]
pub fn osc52(text: &str, tmux: bool) -> Option<Vec<u8>> {
    if text.len() > MOST {
        return None;
    }
    let data = base64::engine::general_purpose::STANDARD.encode(text.as_bytes());
    let plain = format!("\x1b]52;c;{data}\x07");
    Some(if tmux {
        // tmux passes what is inside on, with every escape doubled.
        format!("\x1bPtmux;{}\x1b\\", plain.replace('\x1b', "\x1b\x1b")).into_bytes()
    } else {
        plain.into_bytes()
    })
}
