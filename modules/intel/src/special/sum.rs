//! Hashes of files that everyone has: they say nothing about a sample, and a source that "knows" them
//! knows noise.

use super::Fact;

static KNOWN: &[(&str, &str)] = &[
    ("d41d8cd98f00b204e9800998ecf8427e", "an empty file"),
    ("da39a3ee5e6b4b0d3255bfef95601890afd80709", "an empty file"),
    (
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "an empty file",
    ),
    (
        "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e",
        "an empty file",
    ),
    (
        "68b329da9893e34099c7d8ad5cb9c940",
        "a file of one line feed",
    ),
    (
        "adc83b19e793491b1c6ea0fd8b46cd9f32e592fc",
        "a file of one line feed",
    ),
    (
        "01ba4719c80b6fe911b091a7c05124b64eeece964e09c058ef8f9805daca546b",
        "a file of one line feed",
    ),
    (
        "81051bcc2cf1bedf378224b0a93e2877",
        "a file of one line end (CR LF)",
    ),
    (
        "ba8ab5a0280b953aa97435ff8946cbcbb2755a27",
        "a file of one line end (CR LF)",
    ),
    (
        "7eb70257593da06f682a3ddda54a9d260d4fc514f645237f5ca74b08f8da61a6",
        "a file of one line end (CR LF)",
    ),
    (
        "44d88612fea8a8f36de82e1278abb02f",
        "the EICAR anti-virus test file, which is harmless by design",
    ),
    (
        "3395856ce81f2b7382dee72602f798b642f14140",
        "the EICAR anti-virus test file, which is harmless by design",
    ),
    (
        "275a021bbfb6489e54d471899f7db9d1663fc695ec2fe2a2c4538aabf651fd0f",
        "the EICAR anti-virus test file, which is harmless by design",
    ),
    (
        "cc805d5fab1fd71a4ab352a9c533e65fb2d5b885518f4e565e68847223b8e6b85cb48f3afad842726d99239c9e36505c64b0dc9a061d9e507d833277ada336ab",
        "the EICAR anti-virus test file, which is harmless by design",
    ),
];

/// What the hash is of, when everyone has that file; nothing for any other hash.
pub(super) fn facts(value: &str) -> Vec<Fact> {
    if let Some((_, what)) = KNOWN.iter().find(|(hash, _)| *hash == value) {
        return vec![Fact::new("File", format!("this is the hash of {what}"), "")];
    }
    let mut digits = value.bytes();
    match digits.next() {
        Some(first) if digits.all(|d| d == first) => {
            vec![Fact::new(
                "File",
                format!("a placeholder: only the digit {}", char::from(first)),
                "",
            )]
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_known_hash_is_canonical() {
        for (hash, what) in KNOWN {
            assert!([32, 40, 64, 128].contains(&hash.len()), "{hash}");
            assert!(
                hash.bytes()
                    .all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b)),
                "{hash}"
            );
            assert!(!what.is_empty());
        }
    }
}
