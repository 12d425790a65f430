//! The ports of the kit, implemented: how a module reaches the world.

pub mod data;
pub mod dns;
pub mod host_rule;
pub mod http;

pub use data::DataStore;
pub use dns::Resolver;
pub use host_rule::HostRule;
pub use http::HttpClient;
