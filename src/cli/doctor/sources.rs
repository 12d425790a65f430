//! What the look-ups need: network settings, keys, data sets. No source is asked: `modules test` does that.

use crate::cli::registry;
use crate::config::Loaded;
use crate::config::paths::Paths;
use crate::engine::doctor::{Check, State, bytes};
use crate::secrets::Secrets;
use kit::{Activity, KeyNeed, ModuleSpec};
use std::time::SystemTime;

/// Proxy and certificates; a proxy's password is never shown.
pub(super) fn network(loaded: &Loaded) -> Vec<Check> {
    let net = &loaded.config.network;
    let mut out = Vec::new();
    let configured = net.proxy.as_deref();
    let environment = ["HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"]
        .into_iter()
        .find_map(|name| {
            let value = std::env::var_os(name)?.to_string_lossy().into_owned();
            (!value.is_empty()).then_some((name, value))
        });
    out.push(match (configured, environment) {
        (Some(""), _) => Check::new("proxy", State::Ok, "none, as configured"),
        (Some(url), _) => proxy(url, "[network] proxy"),
        (None, Some((name, url))) => proxy(&url, name),
        (None, None) => Check::new("proxy", State::Ok, "none"),
    });
    out.push(match &net.ca_file {
        None => Check::new("certificates", State::Ok, "the system's authorities"),
        Some(file) => match std::fs::read(file) {
            Ok(pem) => {
                let n = String::from_utf8_lossy(&pem)
                    .matches("-----BEGIN CERTIFICATE-----")
                    .count();
                if n > 0 {
                    Check::new(
                        "certificates",
                        State::Ok,
                        format!("the system's authorities and {n} from {file}"),
                    )
                } else {
                    Check::new(
                        "certificates",
                        State::Fail,
                        format!("{file} holds no certificate in PEM form"),
                    )
                    .hint("name a file with -----BEGIN CERTIFICATE----- in it, or: rmm-analyst config set network.ca_file --unset")
                }
            }
            Err(e) => Check::new(
                "certificates",
                State::Fail,
                format!("{file} cannot be read: {e}"),
            )
            .hint("name another one: rmm-analyst config set network.ca_file FILE"),
        },
    });
    out
}

/// What the check of the resolver really shows: an answer, which may have been that there is no such name.
pub(super) fn resolver(check: Check) -> Check {
    if check.state != State::Ok {
        return check;
    }
    Check {
        message: "a name server answers; whether public names resolve was not asked".to_owned(),
        ..check
    }
}

fn proxy(text: &str, from: &str) -> Check {
    let whole = if text.contains("://") {
        text.to_owned()
    } else {
        format!("http://{text}")
    };
    match url::Url::parse(&whole) {
        Ok(url) if url.host_str().is_some() => {
            let port = url.port().map(|p| format!(":{p}")).unwrap_or_default();
            let user = if url.username().is_empty() && url.password().is_none() {
                ""
            } else {
                ", with a user"
            };
            Check::new(
                "proxy",
                State::Ok,
                format!(
                    "{}://{}{port}{user} ({from})",
                    url.scheme(),
                    url.host_str().unwrap_or_default()
                ),
            )
        }
        _ => Check::new("proxy", State::Fail, format!("{from} is not a URL"))
            .hint("rmm-analyst config set network.proxy http://HOST:PORT, or '' for none"),
    }
}

/// One line a module: switched on, key, who may use it.
pub(super) fn modules(loaded: &Loaded, secrets: &Secrets) -> Vec<Check> {
    registry::specs()
        .into_iter()
        .map(|spec| module(spec, loaded, secrets))
        .collect()
}

fn module(spec: &'static ModuleSpec, loaded: &Loaded, secrets: &Secrets) -> Check {
    let name = format!("@{}", spec.name);
    let settings = loaded
        .config
        .modules
        .get(spec.name)
        .cloned()
        .unwrap_or_default();
    if !settings.enabled {
        return Check::new(name, State::Skip, "switched off").hint(format!(
            "rmm-analyst config set modules.{}.enabled true",
            spec.name
        ));
    }
    let ai = &loaded.config.ai;
    let listed = ai.modules.is_empty() || ai.modules.iter().any(|m| m == spec.name);
    let blocked = ai.blocked_modules.iter().any(|m| m == spec.name);
    let who = match (spec.ai_tool, listed && !blocked, spec.local_model_only) {
        (false, _, _) => "for people only",
        (true, false, _) => "not offered to models ([ai])",
        (true, true, true) => "offered to local models",
        (true, true, false) => "offered to models",
    };
    let kind = match spec.activity {
        Activity::Offline => "offline, ",
        Activity::Active => "active, ",
        Activity::Passive => "",
    };
    let names: Vec<&str> = match &settings.key {
        Some(own) => vec![own.as_str()],
        None => spec.secrets.to_vec(),
    };
    if spec.key == KeyNeed::None {
        return Check::new(name, State::Ok, format!("{kind}no key needed; {who}"));
    }
    let statuses = secrets.list(&names);
    if let Some(broken) = statuses.iter().find(|s| s.error.is_some()) {
        return Check::new(
            name,
            State::Fail,
            format!("{kind}its key cannot be read; {who}"),
        )
        .hint(broken.error.clone().unwrap_or_default());
    }
    let set = statuses.iter().find_map(|s| Some((s, s.origin?)));
    let first = names.first().copied().unwrap_or(spec.name);
    let how = format!(
        "rmm-analyst secret set {}. {}",
        names.last().copied().unwrap_or(first),
        spec.help.get_key
    );
    match (set, spec.key) {
        (Some((s, origin)), _) => Check::new(
            name,
            State::Ok,
            format!("{kind}key {} set ({origin}); {who}", s.name),
        ),
        (None, KeyNeed::Optional) => Check::new(
            name,
            State::Ok,
            format!("{kind}works without a key, better with one; {who}"),
        )
        .hint(how),
        (None, _) => Check::new(name, State::Warn, format!("{kind}no key; {who}")).hint(how),
    }
}

/// Each data set: present, how old.
pub(super) fn data_sets(paths: &Paths) -> Vec<Check> {
    let mut out: Vec<Check> = Vec::new();
    for set in registry::specs().into_iter().flat_map(|s| s.data) {
        let name = format!("data {}", set.name);
        if out.iter().any(|c| c.check == name) {
            continue;
        }
        let found = std::fs::metadata(paths.data_sets_dir().join(set.name))
            .ok()
            .filter(std::fs::Metadata::is_file);
        let age = found
            .as_ref()
            .and_then(|m| m.modified().ok())
            .and_then(|t| SystemTime::now().duration_since(t).ok());
        let update = format!("rmm-analyst data update {}", set.name);
        out.push(match (found, age) {
            (None, _) => Check::new(
                name,
                State::Skip,
                "not here yet: fetched when a look-up needs it",
            )
            .hint(update),
            (Some(m), Some(age)) if age.as_secs() <= set.fresh_s => Check::new(
                name,
                State::Ok,
                format!(
                    "{}, {} old",
                    bytes(m.len()),
                    crate::cli::render::age(age.as_secs())
                ),
            ),
            (Some(m), age) => Check::new(
                name,
                State::Warn,
                format!(
                    "{}, {}: older than {} and still used",
                    bytes(m.len()),
                    age.map_or_else(
                        || "from the future".to_owned(),
                        |a| format!("{} old", crate::cli::render::age(a.as_secs()))
                    ),
                    crate::cli::render::age(set.fresh_s)
                ),
            )
            .hint(update),
        });
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proxy_is_shown_without_its_password() {
        let check = proxy(
            "http://someone:hunter2hunter2@proxy.example:3128/x",
            "HTTPS_PROXY",
        );
        assert_eq!(
            check.message,
            "http://proxy.example:3128, with a user (HTTPS_PROXY)"
        );
        assert_eq!(proxy("::", "[network] proxy").state, State::Fail);
        assert!(proxy("proxy.example:3128", "x").message.contains("3128"));
    }
}
