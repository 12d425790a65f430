//! Tools that read. Scope is a part of each query.

pub mod get_inventory;
pub mod list_devices;
pub mod list_org;
