//! Internationalised names that imitate others: letters of several scripts in one label, or a label whose
//! every letter looks like a Latin one.

use std::fmt;

/// How the letters of a name may deceive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LookAlike {
    /// One label mixes letters of scripts that are not written together (UTS 39, 5.2).
    MixedScripts,
    /// Every letter of a label has a Latin twin (UTS 39, 4.2).
    WholeScript,
}

impl fmt::Display for LookAlike {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::MixedScripts => "mixed scripts",
            Self::WholeScript => "looks like Latin letters",
        })
    }
}

/// The Unicode form of a name with A-labels, if it has any and they decode to visible letters.
pub(super) fn to_unicode(name: &str) -> Option<String> {
    if !name.split('.').any(|label| label.starts_with("xn--")) {
        return None;
    }
    let (unicode, result) = idna::domain_to_unicode(name);
    let visible = unicode.chars().all(|c| {
        c.is_ascii()
            || (c.is_alphanumeric() || unicode_normalization::char::is_combining_mark(c))
                && !crate::refang::is_invisible(c)
    });
    (result.is_ok() && visible && unicode != name).then_some(unicode)
}

/// Looks at each label of a Unicode name.
pub(super) fn of_name(unicode: &str) -> Option<LookAlike> {
    let labels = unicode.split('.').filter(|l| !l.is_ascii());
    let mut whole = None;
    for label in labels {
        let mut scripts: Vec<Script> = Vec::new();
        for script in label.chars().filter(|c| c.is_alphabetic()).map(script) {
            if !scripts.contains(&script) {
                scripts.push(script);
            }
        }
        let mixed = scripts.len() > 1
            && !(scripts.len() == 2
                && scripts.contains(&Script::Latin)
                && scripts.contains(&Script::EastAsian));
        if mixed {
            return Some(LookAlike::MixedScripts);
        }
        let twins = label
            .chars()
            .filter(|c| c.is_alphabetic())
            .all(has_latin_twin);
        if scripts.first() != Some(&Script::Latin) && twins
            || label
                .chars()
                .any(|c| matches!(c, 'ı' | 'ɑ' | 'ɡ' | 'ɩ' | 'ʟ' | 'ɴ' | 'ʀ' | 'ѕ'))
        {
            whole = Some(LookAlike::WholeScript);
        }
    }
    whole
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Script {
    Latin,
    Greek,
    Cyrillic,
    Armenian,
    Cherokee,
    /// Han, kana, bopomofo and hangul, which are written together.
    EastAsian,
    /// Any other script, told apart by its block of 256 characters.
    Other(u32),
}

fn script(c: char) -> Script {
    match u32::from(c) {
        0x41..=0x24f
        | 0x250..=0x2af
        | 0x1e00..=0x1eff
        | 0xa720..=0xa7ff
        | 0x2c60..=0x2c7f
        | 0xab30..=0xab6f => Script::Latin,
        0x370..=0x3ff | 0x1f00..=0x1fff => Script::Greek,
        0x400..=0x52f | 0x1c80..=0x1c8f | 0x2de0..=0x2dff | 0xa640..=0xa69f => Script::Cyrillic,
        0x530..=0x58f => Script::Armenian,
        0x13a0..=0x13ff | 0xab70..=0xabbf => Script::Cherokee,
        0x1100..=0x11ff
        | 0x3005..=0x30ff
        | 0x3100..=0x318f
        | 0x31a0..=0x31ff
        | 0x3400..=0x4dbf
        | 0x4e00..=0x9fff
        | 0xac00..=0xd7af
        | 0xf900..=0xfaff
        | 0x20000..=0x3ffff => Script::EastAsian,
        other => Script::Other(other >> 8),
    }
}

/// Letters of other scripts that most fonts draw like a Latin one.
fn has_latin_twin(c: char) -> bool {
    "аеорсухіјѕһԁԛԝүкмтвнзьѵѡγνορυικαχτηωեհոսցօյզքᴀᴏ".contains(c)
}
