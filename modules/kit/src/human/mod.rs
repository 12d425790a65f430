//! What a person's own words mean: which indicators they authorize or refuse ([`reading`]), and what a
//! typed reply to open proposals covers ([`reply`]).

mod back;
mod clause;
mod hosts;
mod lex;
mod limits;
mod machine;
mod mode;
mod parser;
pub mod reading;
mod regions;
pub mod reply;
mod sentence;
mod typos;
mod vocabulary;
mod words;

pub use mode::mode_word;
pub use reading::{Mention, ReadOptions, Reading, Stance, read, red_in};
pub use reply::{BareYes, OpenPivot, Reply, is_bare_yes, parse_reply};
