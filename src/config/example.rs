//! `config.toml.example`: every key with its default and what it means, commented out.

use crate::config::Config;
use crate::config::keys::{Key, MODULES, SECTIONS, of_section};

const HEAD: &str = "\
# Configuration of rmm-analyst. Every key is commented out and shows its default, or an example where
# there is none. A flag is stronger than an environment variable (RMM_ANALYST_<SECTION>_<KEY>, for
# example RMM_ANALYST_MODEL_BASE_URL), which is stronger than this file.
#
#   rmm-analyst config check              is this file right?
#   rmm-analyst config show --origin      what is in use, and where it is from
#   rmm-analyst config set model.name x   change one value, keeping comments
#
# No secret stands here: keys name secrets, which `rmm-analyst secret set NAME` stores.
# man rmm-analyst.5 says more about each key.
";

/// The text of the example file; `config init` writes it.
#[must_use]
pub fn text() -> String {
    let defaults =
        toml::Value::try_from(Config::default()).unwrap_or(toml::Value::Table(toml::Table::new()));
    let mut out = String::from(HEAD);
    for (section, about) in SECTIONS {
        out.push('\n');
        for line in wrapped(about) {
            out.push_str(&format!("# {line}\n"));
        }
        // A whole commented section where its name is only an example.
        if section == MODULES {
            out.push_str("# [modules.abuseipdb]\n");
        } else {
            out.push_str(&format!("[{section}]\n"));
        }
        for key in of_section(section) {
            for line in wrapped(key.about) {
                out.push_str(&format!("# {line}\n"));
            }
            out.push_str(&format!("# {} = {}\n", key.name, shown(key, &defaults)));
        }
    }
    out
}

/// The default, or the sample where there is none.
#[must_use]
pub fn shown(key: &Key, defaults: &toml::Value) -> String {
    if key.section == MODULES && key.name == "enabled" {
        return "true".into();
    }
    let mut value = Some(defaults);
    for part in key.section.split('.').chain([key.name]) {
        value = value.and_then(|v| v.get(part));
    }
    match value {
        Some(toml::Value::Table(t)) if t.is_empty() && !key.sample.is_empty() => {
            key.sample.to_owned()
        }
        Some(toml::Value::Table(t)) if t.is_empty() => "{}".into(),
        Some(value) => value.to_string(),
        None => key.sample.to_owned(),
    }
}

fn wrapped(text: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let full = lines
            .last()
            .is_some_and(|l| !l.is_empty() && l.len() + 1 + word.len() > 98);
        if full {
            lines.push(String::new());
        }
        if let Some(line) = lines.last_mut() {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    lines
}
