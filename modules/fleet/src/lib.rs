//! The fleet: devices and what is known of them, who may see and change what, and the proposals that a
//! person releases before anything is changed on a machine.
//!
//! Nothing here opens the database: every function takes a connection or an open transaction, so that a
//! proposal and its event, an approval and its claim are one transaction of the program's one file.

pub mod templates;
pub mod versions;
