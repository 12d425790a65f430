//! Why a decision did not count, in words, with the next step.

use super::{Choice, NotDecided};
use fleet::approvals::Denial;
use fleet::proposals::Status;

/// A time in the local zone, to the minute.
fn local(ms: i64) -> String {
    jiff::Timestamp::from_millisecond(ms).map_or_else(
        |_| String::from("an unknown time"),
        |t| {
            t.to_zoned_datetime(jiff::tz::TimeZone::system())
                .strftime("%Y-%m-%d %H:%M")
                .to_string()
        },
    )
}

/// The refusal of a decision on proposal `n`.
pub(super) fn not_decided(denial: &Denial, n: u64, choice: &Choice) -> NotDecided {
    let release = matches!(choice, Choice::Release { .. });
    let look = format!("rmm-analyst approve {n} shows it as it is now, with its digest");
    let (message, hint) = match denial {
        Denial::Unknown(_) if release => (
            format!("proposal {n} is no approved job that you may decide on"),
            "rmm-analyst jobs list shows the jobs".to_owned(),
        ),
        // What is outside the scope and what does not exist get the same words.
        Denial::Unknown(_) => (
            format!("there is no proposal {n}"),
            "rmm-analyst proposals lists what is open".to_owned(),
        ),
        Denial::Denied(permission) => (
            format!(
                "deciding proposal {n} needs the permission {permission}, which you do not have"
            ),
            "ask somebody who has it; rmm-analyst principal show says what you may".to_owned(),
        ),
        Denial::Scoped => (
            format!(
                "proposal {n} is a policy, and yours is a scope: principals of the whole fleet decide those"
            ),
            "ask somebody without a scope".to_owned(),
        ),
        Denial::NotAPerson => (
            "actions are decided by a person who is known here and not disabled".to_owned(),
            "rmm-analyst principal list shows who is; --as NAME acts as one of them".to_owned(),
        ),
        Denial::Decided {
            by, at_ms, status, ..
        } => (
            format!(
                "{by} was first: proposal {n} was {} by {by} on {}",
                match status {
                    Status::Approved if release => "released",
                    Status::Approved => "approved",
                    Status::Rejected => "denied",
                    Status::Expired => "expired",
                    Status::AwaitingApproval => "taken",
                },
                local(*at_ms)
            ),
            "rmm-analyst proposals --all shows what became of it".to_owned(),
        ),
        Denial::Expired(_) => (
            format!("proposal {n} has expired, which is a no: nothing has happened"),
            "have it proposed again".to_owned(),
        ),
        Denial::Tampered(_) => (
            format!(
                "the rows of proposal {n} are not what was proposed: they were changed in the database, and nothing of it is done"
            ),
            format!(
                "deny it (rmm-analyst deny {n}), have it proposed again, and look who writes to the database: rmm-analyst audit verify"
            ),
        ),
        Denial::NotShown(_) => (
            format!("the digest is not that of proposal {n}: something else was read"),
            look,
        ),
        Denial::Count { expected, typed } => (
            match typed {
                Some(typed) => format!(
                    "{typed} is not the number of devices: proposal {n} concerns {expected}"
                ),
                None => format!(
                    "proposal {n} concerns {expected} devices: their number is typed to confirm it"
                ),
            },
            format!("read the card and add --count {expected}, where that is what you mean"),
        ),
        Denial::Changed(what) => (
            format!(
                "things have changed since proposal {n} was made: {}",
                what.join("; ")
            ),
            if release {
                "rmm-analyst jobs show says how the job stands".to_owned()
            } else {
                "have it proposed again".to_owned()
            },
        ),
    };
    NotDecided {
        key: denial.key(),
        message,
        hint,
    }
}
