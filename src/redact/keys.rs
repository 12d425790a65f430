//! Names that say "what follows is a secret", and what can be such a value. The name decides, never entropy alone:
//! strong names take any value, weaker ones (`token`, `key`) only what no word, id or path looks like. PURE.

use super::class::Class;

/// How much a name alone proves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Name {
    /// A password: any value, short ones and several words too.
    Password,
    /// A key or token by a name that means nothing else (`api_key`, `client_secret`).
    Strong(Class),
    /// `token`, `secret`, `key`, `session`: the value must look like one.
    Weak(Class),
    /// `Authorization` and its kin: a scheme, then the credential.
    Authorization,
    /// `Cookie`, `Set-Cookie`: pairs.
    Cookie,
}

/// Endings of a name, letters and digits only, lower case. Longer ones first where one ends in another.
const PASSWORDS: [&str; 12] = [
    "password",
    "passwd",
    "passphrase",
    "passwort",
    "pwd",
    "passcode",
    "motdepasse",
    "contrasena",
    "wachtwoord",
    "userpw",
    "mypw",
    "presharedkey",
];

const STRONG: [&str; 47] = [
    "apikey",
    "apikeys",
    "authkey",
    "secretkey",
    "privatekey",
    "accesskey",
    "accountkey",
    "sharedkey",
    "masterkey",
    "encryptionkey",
    "signingkey",
    "subscriptionkey",
    "storagekey",
    "hmackey",
    "appkey",
    "applicationkey",
    "integrationkey",
    "routingkey",
    "servicekey",
    "hapikey",
    "apisecret",
    "clientsecret",
    "appsecret",
    "consumersecret",
    "consumerkey",
    "webhooksecret",
    "signingsecret",
    "sharedsecret",
    "jwtsecret",
    "accesstoken",
    "refreshtoken",
    "authtoken",
    "idtoken",
    "apitoken",
    "bearertoken",
    "sessiontoken",
    "securitytoken",
    "bottoken",
    "privatetoken",
    "deploytoken",
    "personaltoken",
    "usertoken",
    "mmauthtoken",
    "csrftoken",
    "xsrftoken",
    "secretaccesskey",
    "licensekey",
];

const WEAK: [&str; 11] = [
    "token",
    "secret",
    "key",
    "session",
    "sessionid",
    "sessid",
    "credential",
    "credentials",
    "jwt",
    "bearer",
    "signature",
];

/// Names that end like a secret and are none.
const HARMLESS: [&str; 40] = [
    "publickey",
    "pubkey",
    "hostkey",
    "primarykey",
    "foreignkey",
    "partitionkey",
    "sortkey",
    "rowkey",
    "registrykey",
    "cachekey",
    "objectkey",
    "hotkey",
    "shortcutkey",
    "pagetoken",
    "nextpagetoken",
    "nexttoken",
    "prevtoken",
    "continuationtoken",
    "synctoken",
    "cursortoken",
    "csrfmiddlewaretokenname",
    "resetpassword",
    "forgotpassword",
    "changepassword",
    "showpassword",
    "nopassword",
    "haspassword",
    "requirepassword",
    "bypass",
    "compass",
    "monkey",
    "turkey",
    "donkey",
    "hockey",
    "jockey",
    "whiskey",
    "oldpwd",
    "tokenaddress",
    "subjectkey",
    "issuerkey",
];

/// Reads a name such as `X-Api-Key`, `SHODAN_API_KEY`, `api key`, `clientSecret`.
pub(super) fn classify(name: &str) -> Option<Name> {
    let mut buffer = [0u8; 64];
    let mut len = 0;
    // Only the end of a long name counts.
    let tail = name.as_bytes().get(name.len().saturating_sub(64)..)?;
    for b in tail.iter().filter(|b| b.is_ascii_alphanumeric()) {
        buffer[len] = b.to_ascii_lowercase();
        len += 1;
    }
    let norm = std::str::from_utf8(buffer.get(..len)?).ok()?;
    match norm {
        "authorization"
        | "proxyauthorization"
        | "xauthorization"
        | "xamzauthorization"
        | "httpauthorization"
        | "httpproxyauthorization" => {
            return Some(Name::Authorization);
        }
        "cookie" | "setcookie" | "cookie2" | "setcookie2" | "httpcookie" => {
            return Some(Name::Cookie);
        }
        "pass" | "pw" | "psk" | "wpapsk" | "sshpass" => return Some(Name::Weak(Class::Password)),
        "sig" | "xamzsignature" | "xamzcredential" | "xamzsecuritytoken" | "xgoogsignature"
        | "xgoogcredential" => {
            return Some(Name::Weak(Class::Signature));
        }
        "auth" | "xauth" | "authentication" => return Some(Name::Weak(Class::Auth)),
        "sid" | "connectsid" | "connect.sid" | "jsessionid" | "phpsessid" | "asp.netsessionid"
        | "aspnetsessionid" => return Some(Name::Weak(Class::Cookie)),
        _ => {}
    }
    if HARMLESS.iter().any(|h| norm.ends_with(h)) {
        return None;
    }
    if PASSWORDS.iter().any(|p| norm.ends_with(p)) || separate(name, "pass") || separate(name, "pw")
    {
        return Some(Name::Password);
    }
    if STRONG.iter().any(|s| norm.ends_with(s)) {
        let class = if norm.ends_with("token") {
            Class::Token
        } else {
            Class::Key
        };
        return Some(Name::Strong(class));
    }
    let weak = WEAK.iter().find(|w| norm.ends_with(**w))?;
    let class = match *weak {
        "key" => {
            // `key` and `x-key` only: `registry_key`, `sort key` and the like are everywhere.
            if !matches!(norm, "key" | "xkey" | "authorizationkey") {
                return None;
            }
            Class::Key
        }
        "signature" => {
            // A signature is a secret only in a signed URL, where it has this very name.
            if norm != "signature" {
                return None;
            }
            Class::Signature
        }
        "session" | "sessionid" | "sessid" => Class::Cookie,
        "secret" => Class::Key,
        _ => Class::Token,
    };
    Some(Name::Weak(class))
}

/// True when `name` ends in `word` behind a separator or a change of case: `DB_PASS`, `userPass`.
fn separate(name: &str, word: &str) -> bool {
    let Some(cut) = name.len().checked_sub(word.len()) else {
        return false;
    };
    let (Some(head), Some(tail)) = (name.get(..cut), name.get(cut..)) else {
        return false;
    };
    if !tail.eq_ignore_ascii_case(word) {
        return false;
    }
    match head.as_bytes().last() {
        None => false,
        Some(b'_' | b'-' | b'.') => true,
        Some(b) => {
            b.is_ascii_lowercase() && tail.as_bytes().first().is_some_and(u8::is_ascii_uppercase)
        }
    }
}

/// Values that stand for "nothing here", a variable, or something already masked.
pub(super) fn is_placeholder(v: &str) -> bool {
    let v = v.trim();
    let lower = v.to_ascii_lowercase();
    if v.is_empty()
        || matches!(
            lower.as_str(),
            "null"
                | "none"
                | "nil"
                | "undefined"
                | "true"
                | "false"
                | "yes"
                | "no"
                | "n/a"
                | "na"
                | "-"
                | "--"
                | "..."
                | "…"
                | "string"
                | "str"
                | "&str"
                | "redacted"
                | "masked"
                | "hidden"
                | "required"
                | "optional"
                | "unset"
                | "empty"
                | "not set"
                | "unknown"
                | "default"
        )
    {
        return true;
    }
    let first = v.chars().next();
    // A row of one character (`********`, `xxxx`), whatever it is.
    if v.chars().all(|c| Some(c) == first)
        || v.chars()
            .all(|c| matches!(c, '*' | 'x' | 'X' | '.' | '-' | '•' | '#' | '_'))
    {
        return true;
    }
    lower.starts_with("[redacted")
        || lower.starts_with("<redacted")
        || lower.starts_with("(redacted")
        || lower.starts_with("your_")
        || lower.starts_with("your-")
        || v.starts_with("${")
        || v.starts_with("{{")
        || v.starts_with("$(")
        || v.starts_with("%(")
        || v.starts_with("<%")
        || (v.starts_with('<') && v.ends_with('>'))
        || (v.starts_with('%') && v.ends_with('%') && v.len() > 2)
        || is_variable(v)
        || is_call(v)
}

/// `$NAME`, `$env:NAME`, `process.env.NAME`, `os.environ[...]`.
fn is_variable(v: &str) -> bool {
    if let Some(rest) = v.strip_prefix('$') {
        return rest.len() > 1
            && rest
                .bytes()
                .all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_')
            || rest.starts_with("env:");
    }
    [
        "process.env",
        "os.environ",
        "env.",
        "secrets.",
        "vars.",
        "config.",
        "settings.",
        "self.",
        "this.",
        "args.",
        "op://",
        "vault:",
    ]
    .iter()
    .any(|p| v.starts_with(p))
}

/// `getpass()`, `getenv("X")`, `input(...)`: a name and a bracket.
fn is_call(v: &str) -> bool {
    let Some(at) = v.find('(') else { return false };
    let head = v.get(..at).unwrap_or_default();
    head.len() >= 3
        && head
            .bytes()
            .all(|b| b.is_ascii_alphabetic() || matches!(b, b'_' | b'.' | b':'))
        && head.bytes().any(|b| b.is_ascii_lowercase())
}

/// A value that no word, number, date, path, address or id looks like: for weak names.
pub(super) fn looks_secret(v: &str, name: Class) -> bool {
    if v.len() < 8
        || is_placeholder(v)
        || v.contains("://")
        || v.contains('\\')
        || v.contains("..")
        || v.contains("::")
    {
        return false;
    }
    if !v.bytes().all(|b| b.is_ascii_graphic())
        || v.starts_with('/')
        || v.starts_with("CVE-")
        || v.contains('(')
        || v.contains('<')
    {
        return false;
    }
    if v.strip_prefix("0x")
        .is_some_and(|h| h.bytes().all(|b| b.is_ascii_hexdigit()))
    {
        return false;
    }
    // A date or time, a version, an address.
    if v.bytes()
        .all(|b| b.is_ascii_digit() || matches!(b, b'.' | b':' | b'-' | b'/' | b'T' | b'Z' | b'+'))
    {
        return false;
    }
    if v.bytes().all(|b| b.is_ascii_hexdigit() || b == b':') && v.contains(':') {
        return false;
    }
    if name == Class::Key && is_uuid(v) {
        return false;
    }
    // A digest says so itself.
    if [
        "sha256:", "sha1:", "sha512:", "md5:", "sha256-", "sha384-", "sha512-",
    ]
    .iter()
    .any(|p| v.get(..p.len()).is_some_and(|h| h.eq_ignore_ascii_case(p)))
    {
        return false;
    }
    let alnum = |b: &u8| b.is_ascii_alphanumeric();
    // A host or file name: dots between short words. Tokens with dots are long.
    if v.contains('.') && v.len() < 24 {
        return false;
    }
    // A path, unless it is base64.
    if v.contains('/')
        && !(v.ends_with('=')
            || (v.len() >= 40
                && v.bytes()
                    .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'/' | b'+'))))
    {
        return false;
    }
    let digits = v.bytes().filter(u8::is_ascii_digit).count();
    let upper = v.bytes().filter(u8::is_ascii_uppercase).count();
    let lower = v.bytes().filter(u8::is_ascii_lowercase).count();
    if digits > 0 && upper + lower > 0 {
        // `win-server-2019`, `step_2`: words with a number. A secret has letters and digits in one run.
        return v.split(|c: char| !c.is_ascii_alphanumeric()).any(|part| {
            part.len() >= 6
                && part.bytes().any(|b| b.is_ascii_digit())
                && part.bytes().any(|b| b.is_ascii_alphabetic())
                && (!word_then_number(part) || part.len() >= 20)
        }) || (v.bytes().filter(alnum).count() >= 16 && digits >= 4);
    }
    if digits > 0 {
        return false;
    }
    // Letters only: both cases mixed in a way that no name is, or very long without a break.
    let turns = v
        .as_bytes()
        .windows(2)
        .filter(|w| w[0].is_ascii_lowercase() && w[1].is_ascii_uppercase())
        .count();
    (upper >= 3 && lower >= 3 && turns >= 3 && v.len() >= 12)
        || (v.len() >= 24 && v.bytes().all(|b| alnum(&b)))
}

/// `Windows10`, `server2019`: letters, then digits.
fn word_then_number(part: &str) -> bool {
    let letters = part.bytes().take_while(u8::is_ascii_alphabetic).count();
    let tail = part.get(letters..).unwrap_or_default();
    let head = part.get(..letters).unwrap_or_default();
    letters >= 3
        && tail.len() <= 6
        && tail.bytes().all(|b| b.is_ascii_digit())
        && (head.bytes().skip(1).all(|b| b.is_ascii_lowercase())
            || head.bytes().all(|b| b.is_ascii_uppercase()))
}

pub(super) fn is_uuid(v: &str) -> bool {
    v.len() == 36
        && v.bytes().enumerate().all(|(i, b)| {
            if matches!(i, 8 | 13 | 18 | 23) {
                b == b'-'
            } else {
                b.is_ascii_hexdigit()
            }
        })
}

/// A value under a strong name that is a plain word of prose (`api key: required`).
pub(super) fn is_plain_word(v: &str) -> bool {
    v.len() < 16
        && v.bytes().skip(1).all(|b| b.is_ascii_lowercase())
        && v.bytes().all(|b| b.is_ascii_alphabetic())
}

/// First words that make what follows `password:` prose and no password.
pub(super) fn starts_prose(v: &str) -> bool {
    let word: String = v
        .chars()
        .take_while(|c| c.is_alphabetic() || *c == '\'')
        .collect::<String>()
        .to_lowercase();
    matches!(
        word.as_str(),
        "the"
            | "a"
            | "an"
            | "is"
            | "was"
            | "are"
            | "must"
            | "should"
            | "may"
            | "can"
            | "cannot"
            | "could"
            | "will"
            | "required"
            | "reset"
            | "changed"
            | "expired"
            | "incorrect"
            | "invalid"
            | "wrong"
            | "policy"
            | "not"
            | "for"
            | "to"
            | "of"
            | "and"
            | "or"
            | "in"
            | "on"
            | "at"
            | "by"
            | "your"
            | "you"
            | "please"
            | "use"
            | "using"
            | "click"
            | "see"
            | "spraying"
            | "failed"
            | "error"
            | "missing"
            | "unknown"
            | "stored"
            | "protected"
            | "authentication"
            | "login"
            | "same"
            | "if"
            | "when"
            | "how"
            | "why"
            | "what"
            | "it"
            | "this"
            | "that"
            | "there"
            | "minimum"
            | "at least"
            | "no"
            | "never"
            | "enter"
            | "new"
            | "old"
            | "has"
            | "have"
            | "did"
            | "does"
            | "do"
            | "with"
            | "from"
            | "we"
            | "they"
            | "he"
            | "she"
            | "attempts"
            | "guessing"
            | "cracking"
            | "dumping"
            | "stealing"
            | "theft"
            | "hash"
            | "hashes"
            | "manager"
            | "blank"
    )
}
