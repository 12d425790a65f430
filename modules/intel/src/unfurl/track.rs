//! Parameters that follow a person from a mail or an advertisement to a page.

/// What a parameter is known to be for on this host; `None` for an ordinary one. Names as their vendors
/// document them.
pub(super) fn tracker(name: &str, host: &str) -> Option<&'static str> {
    let name = name.to_ascii_lowercase();
    if name.starts_with("utm_") {
        return Some("tracker: campaign (UTM)");
    }
    if name.starts_with("mtm_") || name.starts_with("pk_") || name.starts_with("piwik_") {
        return Some("tracker: campaign (Matomo)");
    }
    if name.starts_with("hsa_") {
        return Some("tracker: advertisement (HubSpot)");
    }
    Some(match name.as_str() {
        "gclid" | "dclid" | "gbraid" | "wbraid" | "gclsrc" | "gad_source" | "srsltid" => {
            "tracker: click (Google)"
        }
        "_ga" | "_gl" => "tracker: visitor (Google Analytics)",
        "fbclid" => "tracker: click (Facebook)",
        "igshid" | "igsh" => "tracker: share (Instagram)",
        "msclkid" => "tracker: click (Microsoft Advertising)",
        "ttclid" => "tracker: click (TikTok)",
        "twclid" => "tracker: click (X)",
        "li_fat_id" => "tracker: member (LinkedIn)",
        "yclid" | "_openstat" | "ysclid" => "tracker: click (Yandex)",
        "mc_eid" => "tracker: mail recipient (Mailchimp)",
        "mc_cid" => "tracker: mail campaign (Mailchimp)",
        "_hsenc" | "_hsmi" | "__hstc" | "__hssc" | "__hsfp" | "hsctatracking" => {
            "tracker: mail recipient (HubSpot)"
        }
        "mkt_tok" => "tracker: mail recipient (Marketo)",
        "vero_id" | "vero_conv" => "tracker: mail recipient (Vero)",
        "oly_enc_id" | "oly_anon_id" => "tracker: reader (Omeda)",
        "_kx" | "_ke" => "tracker: mail recipient (Klaviyo)",
        "sc_cid" | "s_cid" | "s_kwcid" | "ef_id" => "tracker: campaign (Adobe)",
        "epik" => "tracker: click (Pinterest)",
        "rdt_cid" => "tracker: click (Reddit)",
        "irclickid" | "irgwc" => "tracker: click (Impact)",
        "wickedid" => "tracker: click (Wicked Reports)",
        // Short names mean this only at home.
        "si" if on(host, "youtube.com") || on(host, "youtu.be") => "tracker: share (YouTube)",
        "si" if on(host, "spotify.com") => "tracker: share (Spotify)",
        "s" | "t" if on(host, "x.com") || on(host, "twitter.com") => "tracker: share (X)",
        _ => return None,
    })
}

fn on(host: &str, domain: &str) -> bool {
    host.strip_suffix(domain)
        .is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
}
