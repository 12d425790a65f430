//! The ports of the kit, implemented: how a module reaches the world.

pub mod data;
pub mod dns;
pub mod history;
pub mod host_rule;
pub mod http;
pub mod lazy;
pub mod nothing;

pub use data::DataStore;
pub use dns::Resolver;
pub use history::History;
pub use host_rule::HostRule;
pub use http::HttpClient;
pub use lazy::LazyHttp;
pub use nothing::Nothing;
