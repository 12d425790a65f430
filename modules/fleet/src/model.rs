//! The words of the tables as types: ids as they are shown, and the values of every enumerated column.

use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSql, ToSqlOutput, ValueRef};
use serde::{Deserialize, Serialize};
use std::fmt;

/// An enumerated column: the names are the same in the database, in JSON and in messages.
macro_rules! names {
    ($(#[$meta:meta])* $name:ident { $($(#[$vmeta:meta])* $variant:ident = $text:literal,)+ }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
        pub enum $name {
            $($(#[$vmeta])* #[serde(rename = $text)] $variant,)+
        }

        impl $name {
            /// Every value, in the order of the manual.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)+];

            /// The stable name.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $text,)+ }
            }

            /// The value of this name.
            #[must_use]
            pub fn from_name(name: &str) -> Option<Self> {
                match name { $($text => Some(Self::$variant),)+ _ => None }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.name())
            }
        }

        impl rusqlite::types::ToSql for $name {
            fn to_sql(&self) -> rusqlite::Result<rusqlite::types::ToSqlOutput<'_>> {
                Ok(rusqlite::types::ToSqlOutput::from(self.name()))
            }
        }

        impl rusqlite::types::FromSql for $name {
            fn column_result(value: rusqlite::types::ValueRef<'_>) -> rusqlite::types::FromSqlResult<Self> {
                let name = value.as_str()?;
                Self::from_name(name).ok_or_else(|| rusqlite::types::FromSqlError::Other(
                    format!("`{name}` is no {}", stringify!($name)).into(),
                ))
            }
        }
    };
}
pub(crate) use names;

/// An id with its prefix: `d-12`. The number is that of the table, never used again.
macro_rules! ids {
    ($($(#[$meta:meta])* $name:ident = $prefix:literal;)+) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub i64);

        impl $name {
            /// The letter and dash before the number.
            pub const PREFIX: &'static str = $prefix;

            /// Reads `d-12` (either case); `None` where it is not of this form.
            #[must_use]
            pub fn parse(text: &str) -> Option<Self> {
                let head = text.get(..Self::PREFIX.len())?;
                let digits = text.get(Self::PREFIX.len()..)?;
                let plain = head.eq_ignore_ascii_case(Self::PREFIX)
                    && !digits.is_empty()
                    && digits.bytes().all(|b| b.is_ascii_digit());
                plain.then(|| digits.parse().ok().map(Self)).flatten()
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}{}", Self::PREFIX, self.0)
            }
        }

        impl From<$name> for i64 {
            fn from(id: $name) -> Self {
                id.0
            }
        }

        impl ToSql for $name {
            fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
                Ok(ToSqlOutput::from(self.0))
            }
        }

        impl FromSql for $name {
            fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
                value.as_i64().map(Self).map_err(|_| FromSqlError::InvalidType)
            }
        }

        impl Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = String::deserialize(deserializer)?;
                Self::parse(&text).ok_or_else(|| {
                    serde::de::Error::custom(concat!("an id of the form ", $prefix, "12 is expected"))
                })
            }
        }
    )+};
}

ids! {
    /// A client (company).
    ClientId = "c-";
    /// A site of a client.
    SiteId = "s-";
    /// A department of a site.
    DepartmentId = "u-";
    /// A device.
    DeviceId = "d-";
    /// A job.
    JobId = "j-";
    /// A device operation.
    OperationId = "o-";
    /// A scheduled task.
    TaskId = "t-";
    /// A check.
    CheckId = "k-";
    /// A policy.
    PolicyId = "p-";
}

names! {
    /// The family of an operating system.
    Platform {
        /// Linux.
        Linux = "linux",
        /// Windows.
        Windows = "windows",
        /// macOS.
        Macos = "macos",
        /// Anything else, or not known yet.
        Other = "other",
    }
}

names! {
    /// What a device is for.
    DeviceKind {
        /// A server.
        Server = "server",
        /// A workstation or laptop.
        Workstation = "workstation",
    }
}

names! {
    /// Whether a device answers, as its backend last saw it.
    DeviceStatus {
        /// Answers.
        Online = "online",
        /// Does not answer.
        Offline = "offline",
        /// Has not been seen for longer than its backend expects.
        Overdue = "overdue",
        /// Nobody looked yet.
        Unknown = "unknown",
    }
}

names! {
    /// Which package manager, or which list of installed programs, a software title comes from.
    SoftwareSource {
        /// Debian packages.
        Dpkg = "dpkg",
        /// RPM packages.
        Rpm = "rpm",
        /// Alpine packages.
        Apk = "apk",
        /// Arch packages.
        Pacman = "pacman",
        /// winget.
        Winget = "winget",
        /// The list of installed programs of Windows.
        Msi = "msi",
        /// Homebrew.
        Brew = "brew",
        /// Application bundles of macOS.
        App = "app",
        /// Anything else.
        Other = "other",
    }
}

names! {
    /// What a patch is for one device.
    PatchState {
        /// Missing; nobody decided.
        Missing = "missing",
        /// A person let it in; not installed yet.
        Approved = "approved",
        /// A person decided against it.
        Ignored = "ignored",
        /// Being installed.
        Installing = "installing",
        /// Installed.
        Installed = "installed",
        /// The installation failed.
        Failed = "failed",
    }
}

names! {
    /// What a patch mends.
    PatchClass {
        /// A security update.
        Security = "security",
        /// A critical update that is not about security.
        Critical = "critical",
        /// A feature update.
        Feature = "feature",
        /// A driver.
        Driver = "driver",
        /// Anything else.
        Other = "other",
    }
}

names! {
    /// How grave what a patch mends is, in the vendor's words.
    Severity {
        /// Critical.
        Critical = "critical",
        /// Important, or high.
        Important = "important",
        /// Moderate, or medium.
        Moderate = "moderate",
        /// Low.
        Low = "low",
        /// The vendor does not say.
        Unknown = "unknown",
    }
}

names! {
    /// What runs a script.
    Shell {
        /// POSIX shell.
        Sh = "sh",
        /// bash.
        Bash = "bash",
        /// Python 3.
        Python = "python",
        /// PowerShell.
        Powershell = "powershell",
        /// The command prompt of Windows.
        Cmd = "cmd",
    }
}

names! {
    /// Where a job stands.
    JobStatus {
        /// Waits for a person.
        AwaitingApproval = "awaiting_approval",
        /// A person approved it; not handed over yet.
        Approved = "approved",
        /// Handed to the backend.
        Dispatched = "dispatched",
        /// Runs on at least one device.
        Running = "running",
        /// Every device succeeded.
        Succeeded = "succeeded",
        /// At least one device failed.
        Failed = "failed",
        /// At least one device did not finish in time, none failed otherwise.
        TimedOut = "timed_out",
        /// Stopped by a person.
        Cancelled = "cancelled",
        /// The program or the backend was restarted in the middle; what happened is not known.
        Lost = "lost",
        /// A person said no.
        Rejected = "rejected",
        /// Nobody decided in time, which is a no.
        Expired = "expired",
    }
}

impl JobStatus {
    /// Whether nothing more happens.
    #[must_use]
    pub const fn is_final(self) -> bool {
        !matches!(
            self,
            Self::AwaitingApproval | Self::Approved | Self::Dispatched | Self::Running
        )
    }
}

names! {
    /// Where a job stands on one device.
    TargetStatus {
        /// Not handed over.
        Pending = "pending",
        /// Handed to the backend.
        Queued = "queued",
        /// Runs.
        Running = "running",
        /// Ended with exit code 0.
        Succeeded = "succeeded",
        /// Ended with another exit code, or could not be started.
        Failed = "failed",
        /// Did not end in time.
        TimedOut = "timed_out",
        /// Stopped by a person.
        Cancelled = "cancelled",
        /// What happened is not known.
        Lost = "lost",
        /// Not run: the target had changed, or a canary failed.
        Skipped = "skipped",
    }
}

names! {
    /// What a job is.
    JobKind {
        /// A script.
        Script = "script",
        /// Installs patches that a person approved.
        InstallPatches = "install_patches",
        /// Collects the inventory.
        Inventory = "inventory",
    }
}

names! {
    /// Where a device operation stands.
    OperationStatus {
        /// Waits for a person.
        AwaitingApproval = "awaiting_approval",
        /// Approved, not begun.
        Approved = "approved",
        /// Being done.
        Running = "running",
        /// Done on every device.
        Succeeded = "succeeded",
        /// Failed on at least one device.
        Failed = "failed",
        /// The program was stopped in the middle.
        Lost = "lost",
        /// A person said no.
        Rejected = "rejected",
        /// Nobody decided in time.
        Expired = "expired",
    }
}

names! {
    /// What a device operation does.
    OperationKind {
        /// Moves devices to a site.
        Move = "move",
        /// Deletes devices.
        Delete = "delete",
    }
}

names! {
    /// What a check looks at.
    CheckKind {
        /// Used space of a disk, percent.
        Disk = "disk",
        /// Round trip, milliseconds.
        Ping = "ping",
        /// Processor load, percent.
        Cpu = "cpu",
        /// Used memory, percent.
        Memory = "memory",
        /// Whether a service runs.
        Service = "service",
        /// A script's exit code.
        Script = "script",
    }
}

names! {
    /// What a check found.
    CheckStatus {
        /// Inside the thresholds.
        Passing = "passing",
        /// Beyond the warning threshold.
        Warning = "warning",
        /// Beyond the error threshold.
        Failing = "failing",
        /// Could not be looked at; says nothing of the device.
        Unknown = "unknown",
    }
}

names! {
    /// Who acted, or who proposed.
    ActorKind {
        /// A person, by hand.
        Human = "human",
        /// A model on behalf of a person.
        Ai = "ai",
        /// The program by itself (a schedule, an expiry).
        System = "system",
    }
}

names! {
    /// How an act ended, for the audit.
    ActResult {
        /// Done.
        Ok = "ok",
        /// Refused.
        Refused = "refused",
        /// Tried and failed.
        Failed = "failed",
    }
}

names! {
    /// What a principal is.
    PrincipalKind {
        /// A person.
        Person = "person",
        /// A program that acts for people: an MCP client, a chat bot.
        Connector = "connector",
    }
}

/// Draws the next number of a proposal: one sequence for the whole file.
///
/// # Errors
/// The store refuses to write.
pub fn draw_proposal_number(connection: &rusqlite::Connection) -> rusqlite::Result<i64> {
    connection.execute("INSERT INTO proposal_numbers DEFAULT VALUES", [])?;
    Ok(connection.last_insert_rowid())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_read_as_they_are_written_and_nothing_else_is() {
        assert_eq!(
            DeviceId::parse(&DeviceId(12).to_string()),
            Some(DeviceId(12))
        );
        assert_eq!(DeviceId::parse("D-12"), Some(DeviceId(12)));
        for wrong in [
            "",
            "d",
            "d-",
            "d-x",
            "d--1",
            "d-1 ",
            "12",
            "s-1",
            "é-1",
            "d-99999999999999999999",
        ] {
            assert_eq!(DeviceId::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn names_come_back() {
        for s in JobStatus::ALL {
            assert_eq!(JobStatus::from_name(s.name()), Some(*s));
            assert_eq!(
                serde_json::to_value(s).unwrap(),
                serde_json::json!(s.name())
            );
        }
    }
}
