//! The fleet: devices and what is known of them, who may see and change what, and the proposals that a
//! person releases before anything is changed on a machine.
//!
//! Nothing here opens the database: every function takes a connection or an open transaction, so that a
//! proposal and its event, an approval and its claim are one transaction of the program's one file. There
//! is no clock, no randomness and no environment in here either: the time (milliseconds since 1970, UTC)
//! and random bytes come in as values.
//!
//! * [`schema`] – the tables, and the constraints that hold whatever path writes.
//! * [`model`] – the words of the tables as types.
//! * [`sql`], [`scope`] – queries with their parameters; the scope of a principal as a part of them.
//! * [`principal`] – stored principals: who may do what and where.
//! * [`audit`] – the append-only trail: chain, summary, entries.
//! * [`proposals`] – what waits for a person, with a digest over everything that would happen.
//! * [`approvals`] – deciding it: the one place where a proposal becomes an act.
//! * [`hand`] – the same acts by a person, proposed and decided in one step.
//! * [`backend`] – what a source of devices can do; the embedded one.
//! * [`import`] – devices, software and patches from files; [`org`] – places made by hand.
//! * [`inventory`] – writing what a collection found, so that the kept counts stay right.
//! * [`versions`] – versions as packagers compare them, and ranges of them.
//! * [`templates`] – the vetted commands of the high-level tools.
//! * [`mod@lint`] – what a person should look at twice in a proposed script.
//! * [`report`] – counts and rows over the inventory.
//! * [`tools`] – what a model may ask for, one file per tool.
//! * [`seed`] – made-up fleets of fixed sizes for benches and trials.

pub mod approvals;
pub mod audit;
pub mod backend;
pub mod hand;
pub mod import;
pub mod inventory;
pub mod lint;
pub mod model;
pub mod org;
pub mod principal;
pub mod proposals;
pub mod report;
pub mod schema;
pub mod scope;
pub mod seed;
pub mod sql;
pub mod templates;
pub mod tools;
pub mod versions;

pub use schema::MIGRATIONS;
