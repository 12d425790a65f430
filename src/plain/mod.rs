//! Line mode: the same powers as the full screen, line by line. Nothing is ever drawn again, no colour and
//! no cursor movement is sent, states stand in words and choices have numbers.
//!
//! [`run`](run()) owns the terminal, the clock and the session; everything else is [`desk::Desk`], which takes lines
//! and updates and gives words and orders.
//!
//! * [`desk`], [`state`] – the state and what the engine says; [`message`] – what a typed line does;
//!   [`commands`] – those that begin with `/`; [`menu`] – lists to choose from by number.
//! * [`action`] – the same for actions, with the number of devices as a line.
//! * [`card`] – open proposals and the numbered choices; when an answer counts.
//! * [`story`], [`evidence`], [`looked`], [`markdown`] – turns, evidence, look-ups and answers in words.
//! * [`paper`] – the only way to the output; [`input`] – lines of the terminal or of a pipe.
//!
//! Text of models and sources stands indented by two blanks; a line that begins at the margin is the
//! program's own. A card can therefore not be imitated by evidence.

pub mod action;
pub mod card;
pub mod commands;
pub mod desk;
pub mod evidence;
pub mod input;
pub mod looked;
pub mod markdown;
pub mod menu;
pub mod message;
pub mod paper;
mod run;
pub mod state;
pub mod story;

pub use run::{Start, run};
