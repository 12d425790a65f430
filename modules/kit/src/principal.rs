//! Who acts. The fleet adds permissions and scope; look-ups need `lookups.run`.

use serde::{Deserialize, Serialize};

/// A person or a connector.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Principal {
    /// Name, unique.
    pub name: String,
    /// May run look-ups.
    pub lookups_run: bool,
    /// Sees the cases of others.
    pub cases_view_all: bool,
}

impl Principal {
    /// The unrestricted principal of the operating-system user.
    #[must_use]
    pub fn owner(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            lookups_run: true,
            cases_view_all: true,
        }
    }
}
