//! Tokens: 32 random bytes as text. Only the SHA-256 of the text is kept.

use sha2::{Digest, Sha256};

/// RFC 4648 base32 in lower case. Hexadecimal digits would read as a SHA-256 value, an indicator.
const ALPHABET: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";

/// Digits of the hash that name an export in lists and in the audit.
const ID: usize = 12;

/// A token as a person types it.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Token({})", self.id())
    }
}

impl Token {
    /// From random bytes; `None` where they are all zero: nobody drew any.
    #[must_use]
    pub fn of(random: &[u8; 32]) -> Option<Self> {
        if random.iter().all(|b| *b == 0) {
            return None;
        }
        let mut text = String::with_capacity(52);
        let (mut bits, mut held) = (0_u32, 0_u32);
        for byte in random {
            held = (held << 8) | u32::from(*byte);
            bits += 8;
            while bits >= 5 {
                bits -= 5;
                push(&mut text, held >> bits);
            }
        }
        if bits > 0 {
            push(&mut text, held << (5 - bits));
        }
        Some(Self(text))
    }

    /// What a person typed; blanks around it do not matter.
    #[must_use]
    pub fn typed(text: &str) -> Self {
        Self(text.trim().to_owned())
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// What is stored of it.
    #[must_use]
    pub fn hash(&self) -> String {
        Sha256::digest(self.0.as_bytes())
            .iter()
            .map(|b| format!("{b:02x}"))
            .collect()
    }

    /// What names its export without opening it.
    #[must_use]
    pub fn id(&self) -> String {
        id_of(&self.hash())
    }
}

fn push(text: &mut String, value: u32) {
    if let Some(c) = ALPHABET.get((value & 31) as usize) {
        text.push(char::from(*c));
    }
}

/// The first digits of a hash.
pub(super) fn id_of(hash: &str) -> String {
    format!("x-{}", hash.get(..ID).unwrap_or(hash))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_the_base32_of_its_bytes() {
        let mut bytes = [0_u8; 32];
        bytes[..6].copy_from_slice(b"foobar");
        let token = Token::of(&bytes).unwrap();
        assert_eq!(token.as_str().len(), 52);
        // RFC 4648, section 10: "foobar" is MZXW6YTBOI.
        assert!(token.as_str().starts_with("mzxw6ytboi"));
        assert!(token.as_str().ends_with("aaaa"));
        assert_eq!(Token::of(&[0; 32]), None);
        assert_ne!(Token::of(&[1; 32]), Token::of(&[2; 32]));
    }

    #[test]
    fn what_is_kept_does_not_show_the_token() {
        let token = Token::of(&[7; 32]).unwrap();
        assert_eq!(token.hash().len(), 64);
        assert!(!token.hash().contains(token.as_str()));
        assert!(!format!("{token:?}").contains(token.as_str()));
        assert_eq!(Token::typed(&format!(" {}\n", token.as_str())), token);
    }
}
