//! A case: an append-only log of events whose state is a pure fold over that log. PURE: time, random
//! markers and numbers come in as values and are stored with the event, so that a fold gives the same
//! answer for ever.

pub mod action;
pub mod event;
pub mod parts;
pub mod state;

pub use action::{Action, ActionNews, ProposedAction};
pub use event::{
    Attachment, Body, CallVerdict, Event, Marked, Mode, Planner, ProposalFrom, ProposalKind,
    ProposalState, Seen, Status, TurnStatus, Usage,
};
pub use parts::{Authorized, Call, EvidenceRef, Proposal, Turn};
pub use state::CaseState;
