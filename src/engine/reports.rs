//! Reports, exports and the audit of the fleet, as a person asks for them by hand: what the runner gives to
//! the surfaces.

pub use crate::runner::reports::{
    Asked, Checked, Csv, Export, ExportFailed, ExportRow, Fault, Ready, Refused, csv_rows,
    group_names, report_types,
};
