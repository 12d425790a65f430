//! Which characters do not show, or do something to a terminal instead of showing.

/// How a character must be treated before anybody sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    /// Shows as itself.
    Plain,
    /// A C0 control or DEL that has a control picture (U+2400 block); holds the picture.
    Picture(char),
    /// Invisible, bidirectional, a tag, a line separator, a C1 control or a noncharacter.
    Hidden,
    /// U+FE0E or U+FE0F: asks for a text or emoji face of the character before it.
    FaceSelector,
    /// A combining mark: draws over the character before it.
    Mark,
}

/// Classifies one character. `\n` and `\t` are [`Class::Plain`]; what to do with them depends on the place.
///
/// The invisible ones are Unicode's `Default_Ignorable_Code_Point` and `Bidi_Control` (Unicode 16,
/// `DerivedCoreProperties.txt` and `PropList.txt`), the line and paragraph separators, the interlinear
/// annotation marks and the format controls of the Egyptian, shorthand and musical blocks.
pub(super) fn class(c: char) -> Class {
    match c {
        '\n' | '\t' => Class::Plain,
        '\0'..='\u{1f}' => Class::Picture(char::from_u32(0x2400 + c as u32).unwrap_or('\u{2426}')),
        ' '..='~' => Class::Plain,
        '\u{7f}' => Class::Picture('\u{2421}'),
        '\u{fe0e}' | '\u{fe0f}' => Class::FaceSelector,
        '\u{80}'..='\u{9f}'
        | '\u{ad}'
        | '\u{34f}'
        | '\u{61c}'
        | '\u{115f}'..='\u{1160}'
        | '\u{17b4}'..='\u{17b5}'
        | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{3164}'
        | '\u{fdd0}'..='\u{fdef}'
        | '\u{fe00}'..='\u{fe0d}'
        | '\u{feff}'
        | '\u{ffa0}'
        | '\u{fff0}'..='\u{fffb}'
        | '\u{13430}'..='\u{1343f}'
        | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}' => Class::Hidden,
        _ if c as u32 & 0xfffe == 0xfffe => Class::Hidden,
        _ if unicode_normalization::char::is_combining_mark(c) => Class::Mark,
        _ => Class::Plain,
    }
}

/// Whether a face selector after this character is ordinary (`✔` + U+FE0F) and can be dropped unseen.
pub(super) fn takes_face_selector(c: char) -> bool {
    matches!(c, '#' | '*' | '0'..='9' | '\u{a9}' | '\u{ae}' | '\u{203c}'..='\u{27bf}' | '\u{2900}'..='\u{2bff}' | '\u{3030}'..='\u{303d}' | '\u{3297}'..='\u{3299}' | '\u{1f000}'..='\u{1faff}')
}
