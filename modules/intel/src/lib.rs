//! Look-up modules, one file per source. A module is pure: it builds a request, reads an answer and
//! says one of three things (found, not found, could not look); the ports in [`kit::ports`] do the I/O.
//!
//! A new source is one file here, one `pub mod` line, one line in [`registry`] and its fixtures under
//! `tests/fixtures/intel/<name>/`.

mod abusech;
pub mod abuseipdb;
pub mod circlpdns;
pub mod common;
pub mod crtsh;
pub mod ipinfo;
pub mod malwarebazaar;
pub mod threatfox;
pub mod urlhaus;

use kit::Module;

/// Every module of the program, in name order.
static REGISTRY: &[&dyn Module] = &[
    &abuseipdb::AbuseIpDb,
    &circlpdns::CirclPdns,
    &crtsh::CrtSh,
    &ipinfo::IpInfo,
    &malwarebazaar::MalwareBazaar,
    &threatfox::ThreatFox,
    &urlhaus::UrlHaus,
];

/// Every module of the program, in name order.
#[must_use]
pub fn registry() -> &'static [&'static dyn Module] {
    REGISTRY
}
