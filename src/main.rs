//! rmm-analyst: a terminal analyst for security and fleet people.
//!
//! The map of the program (who may import whom: `docs/architecture.md`, checked by
//! `tests/architecture.rs`):
//!
//! ```text
//!   main ──► cli ─────────────► one file per command; errors, exit codes, the only place that prints
//!             │  tui                full screen: update(state, message) → effects, draw(state)
//!             │  plain              line mode: the same powers, line by line
//!             │  mattermost mcp     (later) other surfaces
//!             ▼
//!           engine ───────────► carries out effects, feeds events back; every surface uses it
//!             ├─ agent   PURE   step(state, event) → effects; prompt, context, footer, rules without a model
//!             ├─ case    PURE   events and their fold; authorization, proposals, approval
//!             ├─ gate    PURE   the ordered checks; the only maker of a Permit
//!             ├─ runner         the only caller of look-up modules: Permit in, Evidence out
//!             ├─ model          chat client: OpenAI-compatible, Ollama, constrained output
//!             ├─ store          the one database file and its one writer
//!             ├─ redact  PURE   the only way out of untrusted text
//!             └─ secrets        environment, keyring, 0600 file
//!   config ──► defaults < file < environment < flags; each value knows its origin
//!   modules/kit    the contract: indicators, text types, ports        modules/intel  one file per source
//! ```
//!
//! One question goes: human text → case (what the person named is authorized) → agent → model → gate
//! (permit, ask or refuse) → runner → redact → store → screen and model → answer with a footer of what ran.

use std::process::ExitCode;

fn main() -> ExitCode {
    rmm_analyst::cli::main(std::env::args_os()).into()
}
