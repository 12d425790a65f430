//! Links that mail gateways rewrite in a form of their own. Those that carry the target as an ordinary
//! parameter (Safe Links, search engines) need nothing here: any value that is a URL is found.

use super::decode;
use url::Url;

/// The target of a rewritten link and the name of what rewrote it.
pub(super) fn target(url: &Url) -> Option<(&'static str, String)> {
    let host = url.host_str()?;
    if !(host == "urldefense.com"
        || host.ends_with(".urldefense.com")
        || host.ends_with("urldefense.proofpoint.com"))
    {
        return None;
    }
    if let Some(rest) = url
        .path()
        .strip_prefix("/v2/url")
        .map(|_| url.query().unwrap_or_default())
    {
        // Version 2: `-` stands for `%`, `_` for `/`.
        let u = rest.split('&').find_map(|p| p.strip_prefix("u="))?;
        return Some((
            "URL Defense target",
            decode(&u.replace('-', "%").replace('_', "/")),
        ));
    }
    // Version 3: `/v3/__<url>__;<characters that were replaced by *>!!…`.
    let text = url.as_str();
    let (_, rest) = text.split_once("/v3/__")?;
    let (inner, _) = rest.split_once("__;")?;
    // The URL parser folds the two slashes of the inner scheme in no case, but some mailers do.
    let inner = if inner.contains("://") {
        inner.to_owned()
    } else {
        inner.replacen(":/", "://", 1)
    };
    Some((
        "URL Defense target (* stands for characters kept apart)",
        inner,
    ))
}
