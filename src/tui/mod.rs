//! The full-screen terminal. [`run`] owns the terminal and the clock; everything else is a pure function:
//! [`update::update`] takes the state and a message and gives effects, [`draw::draw`] draws the state.
//!
//! * [`app`] – the state, messages and effects; [`update`] – what a message does.
//! * [`draw`], [`layout`], [`popup`] – the screen; [`narrative`], [`evidence`], [`card`] – its panes.
//! * [`hidden`] – what of a message the model does not get, in words.
//! * [`text`], [`table`], [`markdown`] – text that is fit for the screen, as lines of a given width.
//! * [`keys`], [`commands`] – the tables from which key bar, help and documentation are made.
//! * [`guard`] – the one owner of the terminal's state.

pub use crate::surface::commands;

pub mod app;
pub mod card;
pub mod clipboard;
pub mod completion;
pub mod composer;
pub mod draw;
pub mod evidence;
pub mod guard;
pub mod hidden;
pub mod keys;
pub mod layout;
pub mod markdown;
pub mod narrative;
pub mod notify;
pub mod overlay;
pub mod popup;
pub mod run;
pub mod setup;
pub mod style;
pub mod table;
pub mod text;
pub mod update;
