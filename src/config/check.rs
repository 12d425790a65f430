//! What a value must be. Texts from the environment, from flags and from `config set` become values here.

use crate::config::KnownModule;
use crate::config::keys::{Kind, did_you_mean};
use ipnet::IpNet;
use kit::reach::ReachPolicy;
use std::net::IpAddr;
use toml::Value;

/// What is wrong, and what to do.
pub type Complaint = (String, Option<String>);

/// Parts of the request body that the program sets itself.
const BODY_RESERVED: &[&str] = &[
    "model",
    "messages",
    "prompt",
    "tools",
    "tool_choice",
    "parallel_tool_calls",
    "functions",
    "function_call",
    "stream",
    "stream_options",
    "response_format",
    "format",
    "json_schema",
    "grammar",
    "structured_outputs",
    "guided_json",
    "n",
    "max_tokens",
    "max_completion_tokens",
    "temperature",
    "truncate",
    "shift",
];

/// Parts of Ollama's `options` that the program sets itself.
const OPTIONS_RESERVED: &[&str] = &["num_ctx", "num_predict", "temperature"];

/// A value of the right kind from text: the environment, a flag, `config set`.
///
/// # Errors
/// What is allowed.
pub fn from_text(kind: Kind, text: &str) -> Result<Value, Complaint> {
    let wrong = || {
        (
            format!("`{text}` is not allowed here"),
            Some(format!("allowed: {}", kind.allowed())),
        )
    };
    match kind {
        Kind::Text | Kind::Url | Kind::Proxy | Kind::Path | Kind::Choice(_) => {
            Ok(Value::String(text.to_owned()))
        }
        // Never repeated: it may be the secret itself.
        Kind::SecretName => Ok(Value::String(text.to_owned())),
        Kind::Bool => match text.trim().to_ascii_lowercase().as_str() {
            "true" | "1" | "yes" | "on" => Ok(Value::Boolean(true)),
            "false" | "0" | "no" | "off" => Ok(Value::Boolean(false)),
            _ => Err(wrong()),
        },
        Kind::Int(..) => text
            .trim()
            .replace('_', "")
            .parse::<i64>()
            .map(Value::Integer)
            .map_err(|_| wrong()),
        Kind::Float(..) => text
            .trim()
            .parse::<f64>()
            .map(Value::Float)
            .map_err(|_| wrong()),
        Kind::Texts | Kind::Modules | Kind::Suffixes | Kind::Reach | Kind::Patterns => {
            let trimmed = text.trim();
            if trimmed.starts_with('[')
                && let Some(value @ Value::Array(_)) = toml_value(trimmed)
            {
                return Ok(value);
            }
            // A pattern may hold a comma: there, text that is no list is one pattern.
            if kind == Kind::Patterns {
                return Ok(Value::Array(vec![Value::String(text.to_owned())]));
            }
            let parts = trimmed.split(',').map(str::trim).filter(|p| !p.is_empty());
            Ok(Value::Array(
                parts.map(|p| Value::String(p.to_owned())).collect(),
            ))
        }
        Kind::Body | Kind::Map => toml_value(text.trim())
            .filter(Value::is_table)
            .ok_or_else(wrong),
    }
}

fn toml_value(text: &str) -> Option<Value> {
    toml::from_str::<toml::Table>(&format!("v = {text}"))
        .ok()
        .filter(|t| t.len() == 1)?
        .remove("v")
}

/// Checks a value against what its key takes.
///
/// # Errors
/// What is wrong with it, and what is allowed.
pub fn value(kind: Kind, value: &Value, modules: &[KnownModule]) -> Result<(), Complaint> {
    let wrong = |what: String| Err((what, Some(format!("allowed: {}", kind.allowed()))));
    let mismatch = || wrong(format!("{} is not allowed here", described(kind, value)));
    match (kind, value) {
        (Kind::Text | Kind::Path, Value::String(s)) if s.trim().is_empty() => {
            wrong("an empty text is not allowed here".into())
        }
        (Kind::Text | Kind::Path, Value::String(_)) | (Kind::Bool, Value::Boolean(_)) => Ok(()),
        (Kind::Url, Value::String(s)) => url(s),
        (Kind::Proxy, Value::String(s)) => proxy(s),
        (Kind::SecretName, Value::String(s)) => secret_name(s),
        (Kind::Int(min, max), Value::Integer(n)) => match u64::try_from(*n) {
            Ok(n) if (min..=max).contains(&n) => Ok(()),
            _ => wrong(format!("{n} is out of range")),
        },
        (Kind::Float(min, max), Value::Float(_) | Value::Integer(_)) => {
            let n = value.as_float().or_else(|| {
                value
                    .as_integer()
                    .and_then(|i| i32::try_from(i).ok())
                    .map(f64::from)
            });
            match n {
                Some(n) if (min..=max).contains(&n) => Ok(()),
                _ => wrong(format!("{value} is out of range")),
            }
        }
        (Kind::Choice(words), Value::String(s)) => {
            if words.contains(&s.as_str()) {
                return Ok(());
            }
            let what = format!("`{s}` is not allowed here");
            match did_you_mean(s, words.iter().copied()) {
                Some(meant) => Err((
                    what,
                    Some(format!(
                        "did you mean `{meant}`? allowed: {}",
                        kind.allowed()
                    )),
                )),
                None => wrong(what),
            }
        }
        (
            Kind::Texts | Kind::Modules | Kind::Suffixes | Kind::Reach | Kind::Patterns,
            Value::Array(items),
        ) => {
            for item in items {
                let Value::String(item) = item else {
                    return mismatch();
                };
                list_item(kind, item, modules)?;
            }
            Ok(())
        }
        (Kind::Body, Value::Table(table)) => body(table),
        (Kind::Map, Value::Table(table)) if table.values().all(Value::is_str) => Ok(()),
        _ => mismatch(),
    }
}

/// The value in an error: never that of a key which might hold a secret by mistake.
fn described(kind: Kind, value: &Value) -> String {
    match kind {
        Kind::SecretName | Kind::Proxy | Kind::Url | Kind::Body => match value {
            Value::String(_) => "this text".into(),
            other => format!("a value of type {}", other.type_str()),
        },
        _ => format!("{value} ({})", value.type_str()),
    }
}

fn list_item(kind: Kind, item: &str, modules: &[KnownModule]) -> Result<(), Complaint> {
    match kind {
        Kind::Modules => module_name(item, modules),
        Kind::Suffixes => suffix(item).map(|_| ()).ok_or_else(|| not_a_suffix(item)),
        Kind::Reach => reach(item).map(|_| ()),
        Kind::Patterns => regex::Regex::new(item).map(|_| ()).map_err(|e| {
            let detail = e.to_string();
            let last = detail.lines().last().unwrap_or_default().trim();
            let last = last.strip_prefix("error: ").unwrap_or(last);
            (format!("`{item}` is no regular expression: {last}"), None)
        }),
        _ if item.trim().is_empty() => Err(("an empty text is not allowed here".into(), None)),
        _ => Ok(()),
    }
}

/// Checks a module's name.
///
/// # Errors
/// There is none of this name; the nearest is suggested.
pub fn module_name(name: &str, modules: &[KnownModule]) -> Result<(), Complaint> {
    if modules.iter().any(|m| m.name == name) {
        return Ok(());
    }
    let hint = match did_you_mean(name, modules.iter().map(|m| m.name)) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => "rmm-analyst modules list shows them".into(),
    };
    Err((format!("there is no module `{name}`"), Some(hint)))
}

fn url(text: &str) -> Result<(), Complaint> {
    let sample = Some(format!("allowed: {}", Kind::Url.allowed()));
    let Ok(url) = url::Url::parse(text) else {
        let hint = match text.split_once("://") {
            None if !text.is_empty() && !text.contains(char::is_whitespace) => {
                Some(format!("did you mean `http://{text}`?"))
            }
            _ => sample,
        };
        return Err((format!("`{text}` is not an address"), hint));
    };
    if !url.username().is_empty() || url.password().is_some() {
        return Err((
            "an address may not hold a user name or password".into(),
            Some("keep keys in the secret store: rmm-analyst secret set NAME".into()),
        ));
    }
    if !matches!(url.scheme(), "http" | "https") {
        let hint = if url.cannot_be_a_base() {
            Some(format!("did you mean `http://{text}`?"))
        } else {
            sample
        };
        return Err((format!("`{text}` is not an http or https address"), hint));
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Err((
            "an address may not hold a query or a fragment here".into(),
            sample,
        ));
    }
    Ok(())
}

fn proxy(text: &str) -> Result<(), Complaint> {
    if text.is_empty() {
        return Ok(());
    }
    // A proxy's password stands in its address: it is not repeated.
    match url::Url::parse(text) {
        Ok(url)
            if matches!(url.scheme(), "http" | "https" | "socks5" | "socks5h")
                && url.has_host() =>
        {
            Ok(())
        }
        _ => Err((
            "this is not the address of a proxy".into(),
            Some(format!("allowed: {}", Kind::Proxy.allowed())),
        )),
    }
}

/// Whether a name can be that of a secret: it must fit an environment variable and a file key.
#[must_use]
pub fn is_secret_name(name: &str) -> bool {
    let fits =
        |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-' || c == '_' || c == '.';
    !name.is_empty()
        && name.len() <= 64
        && name.chars().all(fits)
        && name.starts_with(|c: char| c.is_ascii_lowercase())
}

/// Beginnings of keys as vendors give them out (the patterns that secret scanners publish). A prefix counts
/// where enough follows it: `sk-lab` is a name.
const KEY_PREFIXES: [&str; 17] = [
    "sk-",
    "sk_",
    "pk_",
    "rk_",
    "ghp_",
    "gho_",
    "ghs_",
    "github_pat_",
    "glpat-",
    "hf_",
    "gsk_",
    "nvapi-",
    "xoxb-",
    "xoxp-",
    "xapp-",
    "eyj",
    "bearer",
];

/// Whether a text looks like a key rather than like the name that somebody gave it: long with letters and
/// digits mixed, long in one piece, or with the beginning of a vendor's keys.
#[must_use]
pub fn looks_like_key(text: &str) -> bool {
    let digits = text.chars().filter(char::is_ascii_digit).count();
    let letters = text.chars().filter(char::is_ascii_alphabetic).count();
    let piece = text.split(['-', '_', '.']).map(str::len).max().unwrap_or(0);
    let lower = text.to_ascii_lowercase();
    let prefixed = KEY_PREFIXES
        .iter()
        .filter_map(|p| lower.strip_prefix(p))
        .any(|rest| rest.len() >= 12);
    // A hash or a number in hexadecimal.
    let hex = text.len() >= 16 && digits > 0 && text.chars().all(|c| c.is_ascii_hexdigit());
    (text.len() > 24 && digits > 2 && letters > 2)
        || (piece >= 20 && digits > 1)
        || piece > 32
        || prefixed
        || hex
}

fn secret_name(text: &str) -> Result<(), Complaint> {
    if is_secret_name(text) && !looks_like_key(text) {
        return Ok(());
    }
    Err((
        "this is the name of a secret, not its value; what stands here is no such name and is not shown, for it may be the value"
            .into(),
        Some("store the key with `rmm-analyst secret set NAME` and write NAME here".into()),
    ))
}

/// Whether a text is the address of a server as `base_url` takes it: the check of the configuration, for
/// flags that stand for the same.
///
/// # Errors
/// What is wrong with it, and what is allowed.
pub fn base_url(text: &str) -> Result<(), Complaint> {
    value(Kind::Url, &Value::String(text.to_owned()), &[])
}

/// Whether requests to this address leave the machine in the clear: `http` to anything but loopback.
pub(super) fn in_the_clear(text: &str) -> bool {
    let Ok(url) = url::Url::parse(text) else {
        return false;
    };
    let loopback = match url.host() {
        Some(url::Host::Ipv4(ip)) => ip.is_loopback(),
        Some(url::Host::Ipv6(ip)) => ip.to_canonical().is_loopback(),
        Some(url::Host::Domain(name)) => {
            let name = name.trim_end_matches('.').to_ascii_lowercase();
            name == "localhost" || name.ends_with(".localhost")
        }
        None => true,
    };
    url.scheme() == "http" && !loopback
}

/// A name suffix in the form that comparisons use: lower case, no leading or trailing dot.
fn suffix(text: &str) -> Option<String> {
    let name = text
        .trim()
        .trim_start_matches("*.")
        .trim_matches('.')
        .to_lowercase();
    let label = |l: &str| {
        !l.is_empty()
            && l.len() <= 63
            && l.chars()
                .all(|c| c.is_alphanumeric() || c == '-' || c == '_')
    };
    (!name.is_empty() && name.len() <= 253 && name.split('.').all(label)).then_some(name)
}

fn not_a_suffix(text: &str) -> Complaint {
    (
        format!("`{text}` is not a name suffix"),
        Some("write it like \"corp.example\"".into()),
    )
}

enum Reach {
    Net(IpNet),
    Suffix(String),
}

fn reach(text: &str) -> Result<Reach, Complaint> {
    let text = text.trim();
    if let Ok(net) = text.parse::<IpNet>() {
        return Ok(Reach::Net(net.trunc()));
    }
    if let Ok(address) = text.parse::<IpAddr>() {
        return Ok(Reach::Net(IpNet::from(address)));
    }
    let numeric = !text.is_empty()
        && text
            .chars()
            .all(|c| c.is_ascii_digit() || matches!(c, '.' | ':' | '/'));
    match suffix(text) {
        Some(name) if !numeric && !text.contains('/') => Ok(Reach::Suffix(name)),
        _ => Err((
            format!("`{text}` is neither a network nor a name suffix"),
            Some(format!("allowed: {}", Kind::Reach.allowed())),
        )),
    }
}

/// `[network]` as the rules of reach want it.
///
/// # Errors
/// What cannot be read; after [`value`] has checked the keys, nothing.
pub fn reach_policy(
    internal_suffixes: &[String],
    reach_allow: &[String],
) -> Result<ReachPolicy, Complaint> {
    let mut policy = ReachPolicy::default();
    for text in internal_suffixes {
        policy
            .internal_suffixes
            .push(suffix(text).ok_or_else(|| not_a_suffix(text))?);
    }
    for text in reach_allow {
        match reach(text)? {
            Reach::Net(net) => policy.allow_nets.push(net),
            Reach::Suffix(name) => policy.allow_suffixes.push(name),
        }
    }
    Ok(policy)
}

fn body(table: &toml::Table) -> Result<(), Complaint> {
    let reserved = |name: &str, words: &[&str]| words.iter().any(|w| w.eq_ignore_ascii_case(name));
    if let Some(name) = table.keys().find(|k| reserved(k, BODY_RESERVED)) {
        return Err((
            format!("extra may not set `{name}`"),
            Some("the program sets it itself; see the other keys of [model]".into()),
        ));
    }
    let options = table
        .iter()
        .filter(|(k, _)| k.eq_ignore_ascii_case("options"))
        .filter_map(|(_, v)| v.as_table());
    for name in options.flat_map(toml::Table::keys) {
        if reserved(name, OPTIONS_RESERVED) {
            return Err((
                format!("extra may not set `options.{name}`"),
                Some("use context, max_tokens and temperature of [model]".into()),
            ));
        }
    }
    Ok(())
}
