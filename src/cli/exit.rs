//! Exit codes. They are a contract for scripts (`man rmm-analyst`); where several apply, [`Exit::first`]
//! picks the one that the contract names first.

/// What the process ends with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// 0: answered, done, nothing failed.
    Ok,
    /// 1: a defect of the program.
    Internal,
    /// 2: the command line or the input is wrong.
    Usage,
    /// 3: configuration, secret or database.
    Config,
    /// 4: the model cannot be reached and `fallback_to_rules` is off.
    ModelUnreachable,
    /// 5: the model cannot call tools in the mode that was asked for.
    NoToolCalls,
    /// 6: proposals of this turn are open.
    Waiting,
    /// 7: the budget is spent and there is no answer.
    Budget,
    /// 8: there was something to look up and every source failed.
    AllSourcesFailed,
    /// 9: another process works on the case.
    Busy,
    /// 130: interrupted by the person (Ctrl-C).
    Interrupted,
}

impl Exit {
    /// The order in which the contract looks: the first that applies wins.
    pub const ORDER: [Self; 11] = [
        Self::Interrupted,
        Self::Internal,
        Self::Usage,
        Self::Config,
        Self::ModelUnreachable,
        Self::NoToolCalls,
        Self::Busy,
        Self::Waiting,
        Self::Budget,
        Self::AllSourcesFailed,
        Self::Ok,
    ];

    /// The number that the shell sees.
    #[must_use]
    pub const fn code(self) -> u8 {
        match self {
            Self::Ok => 0,
            Self::Internal => 1,
            Self::Usage => 2,
            Self::Config => 3,
            Self::ModelUnreachable => 4,
            Self::NoToolCalls => 5,
            Self::Waiting => 6,
            Self::Budget => 7,
            Self::AllSourcesFailed => 8,
            Self::Busy => 9,
            Self::Interrupted => 130,
        }
    }

    /// The exit with this number; an unknown one is a defect of the program.
    #[must_use]
    pub fn from_code(code: u8) -> Self {
        Self::ORDER
            .into_iter()
            .find(|e| e.code() == code)
            .unwrap_or(Self::Internal)
    }

    /// Of all that apply, the one that the contract names first; [`Exit::Ok`] when none is given.
    #[must_use]
    pub fn first(applying: &[Self]) -> Self {
        Self::ORDER
            .into_iter()
            .find(|e| applying.contains(e))
            .unwrap_or(Self::Ok)
    }
}

impl From<Exit> for std::process::ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_contract_names_these_codes() {
        let codes: Vec<u8> = Exit::ORDER.iter().map(|e| e.code()).collect();
        assert_eq!(codes, [130, 1, 2, 3, 4, 5, 9, 6, 7, 8, 0]);
    }

    #[test]
    fn the_first_that_applies_wins() {
        assert_eq!(
            Exit::first(&[Exit::AllSourcesFailed, Exit::Waiting]),
            Exit::Waiting
        );
        assert_eq!(Exit::first(&[Exit::Waiting, Exit::Busy]), Exit::Busy);
        assert_eq!(
            Exit::first(&[Exit::Ok, Exit::Interrupted, Exit::Internal]),
            Exit::Interrupted
        );
        assert_eq!(Exit::first(&[]), Exit::Ok);
    }
}
