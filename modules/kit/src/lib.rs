//! The contract between rmm-analyst and its tools. Everything here is pure: no I/O, no clock, no
//! randomness, no environment. What a tool needs of the world comes in through [`ports`].
//!
//! * [`indicator`] – typed values in canonical form; [`mod@classify`], [`refang`], [`mod@extract`], [`strict`]
//!   read them from text, [`reach`] says whether one may leave the machine.
//! * [`human`] – what a person's own words authorize or refuse, and what a typed "yes" covers.
//! * [`text`] – `Untrusted → Redacted → ScreenText | ModelText`: the ways out of untrusted text.
//! * [`module`], [`outcome`], [`ports`] – a look-up module, what it returns, how it reaches the world.
//! * [`principal`] – who acts, what they may do, which devices they may see.
//! * [`tool`] – what a model may ask for: name, effect, argument schema.

pub mod classify;
pub mod extract;
pub mod human;
pub mod indicator;
pub mod json;
pub mod module;
pub mod outcome;
pub mod ports;
pub mod principal;
pub mod reach;
pub mod refang;
pub mod strict;
pub mod text;
pub mod tool;

pub use classify::classify;
pub use extract::{Found, extract};
pub use indicator::{Indicator, IndicatorType};
pub use module::{Activity, Context, Help, HostsFrom, KeyNeed, Module, ModuleSpec, RateLimit};
pub use outcome::{CouldNot, Outcome, Report, Table, Verdict};
pub use principal::{Permission, Places, Principal, Scope};
pub use strict::parse_strict;
pub use text::{ModelText, Redacted, Redactor, ScreenText, Untrusted};
pub use tool::{Effect, ToolSpec};
