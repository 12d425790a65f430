//! What a command fails with: a kind, one sentence of what, one of why, one of what to do.
//!
//! The texts may hold names and words from outside (a path, a server's message): they are printed
//! through the output helper, which redacts them and takes control characters out.

use crate::cli::exit::Exit;
use crate::config::Problem;
use serde::Serialize;
use std::io;

/// Who has to do something about it. The name is the `kind` of the JSON form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// The command line, the input, a name that does not exist.
    User,
    /// Configuration, a secret, the database, a file or directory of the program.
    Config,
    /// The model server.
    Model,
    /// A source or the network.
    Network,
    /// A defect of the program.
    Internal,
}

/// An error of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    kind: Kind,
    what: String,
    why: Option<String>,
    hint: Option<String>,
    exit: Exit,
    /// The reader of our output went away; nothing is printed.
    quiet: bool,
}

/// The JSON form: `{"kind": "config", "message": "…", "hint": "…"}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ErrorJson {
    /// Kind.
    pub kind: Kind,
    /// What and why, in one line.
    pub message: String,
    /// What to do, in one line; `null` where nothing sensible can be said.
    pub hint: Option<String>,
}

impl Error {
    fn new(kind: Kind, exit: Exit, what: impl Into<String>) -> Self {
        Self {
            kind,
            what: one_line(what.into()),
            why: None,
            hint: None,
            exit,
            quiet: false,
        }
    }

    /// The command line or the input is wrong (exit 2).
    #[must_use]
    pub fn user(what: impl Into<String>) -> Self {
        Self::new(Kind::User, Exit::Usage, what)
    }

    /// Configuration, secret, database or a file of the program (exit 3).
    #[must_use]
    pub fn config(what: impl Into<String>) -> Self {
        Self::new(Kind::Config, Exit::Config, what)
    }

    /// The model cannot be reached (exit 4).
    #[must_use]
    pub fn model(what: impl Into<String>) -> Self {
        Self::new(Kind::Model, Exit::ModelUnreachable, what)
    }

    /// The model cannot call tools (exit 5).
    #[must_use]
    pub fn no_tool_calls(what: impl Into<String>) -> Self {
        Self::new(Kind::Model, Exit::NoToolCalls, what)
    }

    /// No source could be asked (exit 8).
    #[must_use]
    pub fn network(what: impl Into<String>) -> Self {
        Self::new(Kind::Network, Exit::AllSourcesFailed, what)
    }

    /// Another process works on the case (exit 9).
    #[must_use]
    pub fn busy(what: impl Into<String>) -> Self {
        Self::new(Kind::User, Exit::Busy, what)
    }

    /// The person interrupted (exit 130).
    #[must_use]
    pub fn interrupted() -> Self {
        Self::new(Kind::User, Exit::Interrupted, "interrupted")
    }

    /// A defect of the program (exit 1).
    #[must_use]
    pub fn internal(what: impl Into<String>) -> Self {
        Self::new(Kind::Internal, Exit::Internal, what)
    }

    /// An error of this kind with the exit code that goes with it.
    #[must_use]
    pub fn of(kind: Kind, what: impl Into<String>) -> Self {
        let exit = match kind {
            Kind::User => Exit::Usage,
            Kind::Config => Exit::Config,
            Kind::Model => Exit::ModelUnreachable,
            Kind::Network => Exit::AllSourcesFailed,
            Kind::Internal => Exit::Internal,
        };
        Self::new(kind, exit, what)
    }

    /// The reader of stdout went away (`| head`): the program ends quietly and with success, like other
    /// filters, for the reader has got all that it wanted.
    #[must_use]
    pub fn broken_pipe() -> Self {
        let mut error = Self::new(Kind::User, Exit::Ok, "the reader of the output went away");
        error.quiet = true;
        error
    }

    /// Writing the output failed: quiet for a broken pipe, an error of the environment otherwise
    /// (a full disk behind a redirect, for example).
    #[must_use]
    pub fn output(error: &io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            return Self::broken_pipe();
        }
        Self::config("the output could not be written").why(error.to_string())
    }

    /// The first thing that is wrong with the configuration, and how many more there are.
    #[must_use]
    pub fn from_problems(problems: &[Problem]) -> Self {
        let Some(first) = problems.first() else {
            return Self::internal("the configuration was refused without a reason");
        };
        let error = Self::config(format!("{}: {}", first.place, first.what));
        let error = match problems.len() {
            1 => error,
            n => error.why(format!(
                "and {} more; `rmm-analyst config check` lists them all",
                n - 1
            )),
        };
        match &first.hint {
            Some(hint) => error.hint(hint.clone()),
            None => error,
        }
    }

    /// Adds why it happened.
    #[must_use]
    pub fn why(mut self, why: impl Into<String>) -> Self {
        self.why = Some(one_line(why.into()));
        self
    }

    /// Adds what to do.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(one_line(hint.into()));
        self
    }

    /// The kind.
    #[must_use]
    pub const fn kind(&self) -> Kind {
        self.kind
    }

    /// The exit code.
    #[must_use]
    pub const fn exit(&self) -> Exit {
        self.exit
    }

    /// True when nothing is to be printed.
    #[must_use]
    pub const fn is_quiet(&self) -> bool {
        self.quiet
    }

    /// What happened, in one line.
    #[must_use]
    pub fn what(&self) -> &str {
        &self.what
    }

    /// Why, in one line.
    #[must_use]
    pub fn reason(&self) -> Option<&str> {
        self.why.as_deref()
    }

    /// What to do, in one line.
    #[must_use]
    pub fn advice(&self) -> Option<&str> {
        self.hint.as_deref()
    }

    /// The JSON form. Not redacted yet: print it with [`crate::cli::output::Output::json`], whose caller
    /// redacts, or with `Output::error_json`, which does it itself.
    #[must_use]
    pub fn json(&self) -> ErrorJson {
        let message = match &self.why {
            Some(why) => format!("{}: {why}", self.what),
            None => self.what.clone(),
        };
        ErrorJson {
            kind: self.kind,
            message,
            hint: self.hint.clone(),
        }
    }
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.json().message)
    }
}

impl std::error::Error for Error {}

/// One line, whatever a library put into its message.
fn one_line(text: String) -> String {
    if !text.contains(['\n', '\r']) {
        return text;
    }
    text.split(['\n', '\r'])
        .map(str::trim)
        .filter(|l| !l.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_its_exit_code() {
        assert_eq!(Error::user("x").exit().code(), 2);
        assert_eq!(Error::config("x").exit().code(), 3);
        assert_eq!(Error::model("x").exit().code(), 4);
        assert_eq!(Error::no_tool_calls("x").exit().code(), 5);
        assert_eq!(Error::network("x").exit().code(), 8);
        assert_eq!(Error::busy("x").exit().code(), 9);
        assert_eq!(Error::interrupted().exit().code(), 130);
        assert_eq!(Error::internal("x").exit().code(), 1);
    }

    #[test]
    fn the_json_form_has_three_keys() {
        let error = Error::config("the file\nis odd")
            .why("line 3")
            .hint("look at it");
        let json = serde_json::to_string(&error.json()).unwrap();
        assert_eq!(
            json,
            r#"{"kind":"config","message":"the file is odd: line 3","hint":"look at it"}"#
        );
    }

    #[test]
    fn a_broken_pipe_is_quiet_and_a_full_disk_is_not() {
        let pipe = Error::output(&io::Error::from(io::ErrorKind::BrokenPipe));
        assert!(pipe.is_quiet());
        assert_eq!(pipe.exit(), Exit::Ok);
        let full = Error::output(&io::Error::from(io::ErrorKind::StorageFull));
        assert!(!full.is_quiet());
        assert_eq!(full.exit(), Exit::Config);
    }
}
