//! What a person does with the fleet by hand: reading, places, devices, patches, files, principals. Everything
//! runs with the rights and the scope of the principal that acts, and every act and refusal leaves an audit row.
//!
//! * [`people`] – who acts, and making and changing principals.
//! * [`devices`] – moving and deleting devices, deciding on patches, making places.
//! * [`import`] – devices, software and patches from files. [`seed`] – made-up fleets.

pub mod devices;
pub mod import;
pub mod people;
pub mod seed;

use super::Runner;
use crate::store::{Reader, StoreError, Tx};
use fleet::backend::Directory;
use fleet::proposals::{Acting, ProposalError};
use fleet::tools::{self, Ctx, Refusal, RefusalKey};
use kit::text::{Redacted, Untrusted};
use kit::tool::Effect;
use serde_json::{Map, Value};

/// Why something was not done.
#[derive(Debug, thiserror::Error)]
pub enum ByHandError {
    /// It cannot be done as asked, or this principal may not. Words of machines in it are redacted.
    #[error("{message}")]
    Refused {
        /// What and why.
        message: String,
        /// What to do.
        hint: String,
    },
    /// The store.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl ByHandError {
    pub(crate) fn refused(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::Refused {
            message: message.into(),
            hint: hint.into(),
        }
    }
}

/// What a read came to, redacted.
#[derive(Clone, Debug)]
pub struct Shown {
    /// One or two sentences.
    pub said: Redacted,
    /// Heads of the columns.
    pub columns: Vec<&'static str>,
    /// Rows as text.
    pub rows: Vec<Vec<Redacted>>,
    /// The rows as JSON objects with the same columns; numbers stay numbers.
    pub json: Vec<Map<String, Value>>,
    /// How many rows there are in all.
    pub total: u64,
}

impl Runner {
    /// Reads from the fleet as the tool of this name does.
    ///
    /// # Errors
    /// The permission is missing, a place or device is not there, a value does not fit; or the store failed.
    pub fn fleet_read(&self, tool: &str, arguments: &Value) -> Result<Shown, ByHandError> {
        let tool = tools::find(tool)
            .filter(|t| t.effect == Effect::Read)
            .ok_or_else(|| StoreError::Other(format!("nothing reads by {tool}")))?;
        let arguments = arguments.to_string();
        let answer = self.fleet_look(|ctx| Ok(tools::call(ctx, tool, &arguments)))?;
        match answer {
            Ok(answer) => Ok(self.shown(answer)),
            Err(refusal) => {
                // A look at what is not one's own is worth a trace; what is only mistyped is not.
                if matches!(refusal.key, RefusalKey::Access | RefusalKey::Scope)
                    && !self.store.is_read_only()
                {
                    let kept = Refusal::new(refusal.key, refusal.sentence.clone());
                    let name = tool.name;
                    self.by_hand(move |acting| tools::refused(acting, name, &kept))?;
                }
                Err(self.refusal(&refusal))
            }
        }
    }

    /// Runs `f` with the fleet's view of a snapshot.
    pub(super) fn fleet_look<T>(
        &self,
        f: impl FnOnce(&Ctx<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        self.store.read(|r| {
            let directory = Directory::default();
            f(&self.hand_context(r, &directory))
        })
    }

    pub(super) fn hand_context<'a>(
        &'a self,
        r: &'a Reader<'_>,
        directory: &'a Directory,
    ) -> Ctx<'a> {
        Ctx {
            connection: r.fleet(),
            principal: &self.principal,
            backends: directory,
            now_ms: (self.now_ms)(),
            case: None,
            by_model: false,
            random: [0; 32],
        }
    }

    /// Runs `f` in a transaction as a person's act. An error rolls back.
    pub(super) fn by_hand<T: Send + 'static>(
        &self,
        f: impl FnOnce(&Acting<'_>) -> Result<T, ProposalError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let hand = self.hand();
        self.store
            .write(move |tx: &mut Tx<'_>| hand.acting(tx, None, false, f))
    }

    pub(super) fn shown(&self, answer: tools::Answer) -> Shown {
        let redact = &*self.redact;
        let columns = answer.table.columns.clone();
        let rows: Vec<Vec<Redacted>> = answer
            .table
            .rows
            .iter()
            .map(|row| row.iter().map(|c| c.redact(redact)).collect())
            .collect();
        let total = answer.total.unwrap_or(rows.len() as u64);
        // Numbers and truth values keep their kind; every text is the redacted one of the table.
        let raw: Value =
            serde_json::from_str(answer.raw.redact(redact).as_str()).unwrap_or_default();
        let typed = |at: usize, column: &str| {
            raw.get("rows")
                .and_then(|r| r.get(at))
                .and_then(|r| r.get(column))
                .filter(|v| !v.is_string() && !v.is_array() && !v.is_object())
                .cloned()
        };
        let json = rows
            .iter()
            .enumerate()
            .map(|(at, row)| {
                columns
                    .iter()
                    .zip(row)
                    .map(|(column, cell)| {
                        let value = typed(at, column).unwrap_or_else(|| Value::from(cell.as_str()));
                        (column.replace(' ', "_"), value)
                    })
                    .collect()
            })
            .collect();
        Shown {
            said: answer.said.redact(redact),
            columns,
            rows,
            json,
            total,
        }
    }

    /// A refusal of the fleet in the words of the command line.
    pub(super) fn refusal(&self, refusal: &Refusal) -> ByHandError {
        let mut message = for_people(&refusal.sentence);
        if !refusal.matches.is_empty() {
            message.push_str(": ");
            let all: Vec<String> = refusal.matches.iter().map(|m| self.plain(m)).collect();
            message.push_str(&all.join(", "));
        }
        let hint = match refusal.key {
            RefusalKey::Access => {
                "rmm-analyst principal show says what you may; somebody with principals.manage changes it"
            }
            RefusalKey::Scope => {
                "rmm-analyst devices list and rmm-analyst org list show what you may see"
            }
            RefusalKey::Ambiguous => "give the id, as in d-12; the lists show it",
            RefusalKey::Arguments => "--help says what is expected",
            RefusalKey::Conflict | RefusalKey::NotApproved => "look at it again",
            RefusalKey::Unsupported => "another backend may be able to",
            RefusalKey::Internal => "rmm-analyst db check looks at the database",
        };
        ByHandError::refused(message, hint)
    }

    fn plain(&self, text: &Untrusted) -> String {
        text.redact(&*self.redact).as_str().to_owned()
    }
}

/// The sentence without what only a model needs: names of fields and tools.
fn for_people(sentence: &str) -> String {
    let mut out = sentence.to_owned();
    while let Some(at) = out.find(" (field \"") {
        let Some(end) = out.get(at..).and_then(|rest| rest.find("\")")) else {
            break;
        };
        out.replace_range(at..at + end + 2, "");
    }
    // `This person may not use list_devices (permission devices.view).`
    if let Some(rest) = out.strip_prefix("This person may not use ")
        && let Some((_, permission)) = rest.split_once(" (permission ")
    {
        let permission = permission.trim_end_matches(['.', ')']);
        return format!("this needs the permission {permission}, which you do not have");
    }
    let out = out
        .replace("list_devices", "rmm-analyst devices list")
        .replace("list_org", "rmm-analyst org list")
        .replace("software_match", "--match");
    let mut chars = out.trim_end_matches(['.', ':']).chars();
    match chars.next() {
        Some(first) => first.to_lowercase().chain(chars).collect(),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::for_people;

    #[test]
    fn a_person_reads_no_names_of_fields() {
        assert_eq!(
            for_people("There is no such device here (field \"devices[0]\")."),
            "there is no such device here"
        );
        assert_eq!(
            for_people("2 devices fit the field: say which one by its id."),
            "2 devices fit the field: say which one by its id"
        );
        assert_eq!(
            for_people("This person may not use list_devices (permission devices.view)."),
            "this needs the permission devices.view, which you do not have"
        );
    }
}
