//! What a person's own words mean: which indicators they authorize or refuse ([`reading`]), and what a
//! typed reply to open proposals covers ([`reply`]).

pub mod reading;
pub mod reply;

pub use reading::{Mention, ReadOptions, Reading, Stance, read};
pub use reply::{BareYes, OpenPivot, Reply, parse_reply};
