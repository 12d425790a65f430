//! Tools that read. Scope is a part of each query.

pub mod export_audit;
pub mod export_inventory;
pub mod find_on_fleet;
pub mod fleet_summary;
pub mod get_inventory;
pub mod get_job_status;
pub mod inventory_report;
pub mod list_checks;
pub mod list_devices;
pub mod list_org;
pub mod list_patches;
pub mod list_policies;
pub mod list_tasks;
mod monitoring;
pub mod query_audit;
pub mod work;

pub use monitoring::Review;
