//! What colours mean. The sixteen ANSI colours only, never black or white as a foreground, so that light
//! and dark palettes both read; meaning is always in a word or a sign too, never in colour alone.

use ratatui::style::{Color, Modifier, Style};

/// What a piece of text is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Look {
    /// Running text.
    #[default]
    Plain,
    /// Less important.
    Dim,
    /// Important.
    Bold,
    /// A heading.
    Heading,
    /// Found, done.
    Good,
    /// Wants attention.
    Warn,
    /// Failed, refused, malicious.
    Bad,
    /// A name of the program: module, command, key.
    Name,
    /// A reference that can be opened.
    Link,
    /// Code, raw values.
    Code,
    /// Emphasis.
    Italic,
    /// The selected line.
    Selected,
}

impl Look {
    /// The style.
    #[must_use]
    pub fn style(self) -> Style {
        let s = Style::new();
        match self {
            Self::Plain => s,
            Self::Dim => s.add_modifier(Modifier::DIM),
            Self::Bold => s.add_modifier(Modifier::BOLD),
            Self::Heading => s.add_modifier(Modifier::BOLD | Modifier::UNDERLINED),
            Self::Good => s.fg(Color::Green),
            Self::Warn => s.fg(Color::Magenta).add_modifier(Modifier::BOLD),
            Self::Bad => s.fg(Color::Red).add_modifier(Modifier::BOLD),
            Self::Name => s.fg(Color::Blue).add_modifier(Modifier::BOLD),
            Self::Link => s.fg(Color::Blue).add_modifier(Modifier::UNDERLINED),
            Self::Code => s.fg(Color::Magenta),
            Self::Italic => s.add_modifier(Modifier::ITALIC),
            Self::Selected => s.add_modifier(Modifier::REVERSED),
        }
    }
}
