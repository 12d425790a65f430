//! The ports of the kit, implemented: how a module reaches the world.

pub mod host_rule;
pub mod http;

pub use host_rule::HostRule;
pub use http::HttpClient;
