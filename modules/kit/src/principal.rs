//! Who acts, what they may do, and which devices they may see.
//!
//! A permission says *what*, the scope says *where*: both are checked for every act, and neither stands in
//! for the other. The gate, the engine and the fleet share this one type.

use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fmt;

/// One thing that a principal may do. The names are stable: they stand in the database, in the
/// configuration and in messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Permission {
    /// See devices and their inventory.
    #[serde(rename = "devices.view")]
    DevicesView,
    /// Delete devices, or propose it.
    #[serde(rename = "devices.delete")]
    DevicesDelete,
    /// See clients, sites and departments.
    #[serde(rename = "clients.view")]
    ClientsView,
    /// Change clients and sites, move devices, or propose it.
    #[serde(rename = "clients.manage")]
    ClientsManage,
    /// See jobs and their results.
    #[serde(rename = "jobs.view")]
    JobsView,
    /// Propose jobs.
    #[serde(rename = "jobs.create")]
    JobsCreate,
    /// Approve or reject jobs.
    #[serde(rename = "jobs.approve")]
    JobsApprove,
    /// Cancel jobs.
    #[serde(rename = "jobs.manage")]
    JobsManage,
    /// Reports over the inventory, and their export.
    #[serde(rename = "reports.view")]
    ReportsView,
    /// Read the audit trail; never for a scoped principal.
    #[serde(rename = "audit.view")]
    AuditView,
    /// See missing patches.
    #[serde(rename = "patches.view")]
    PatchesView,
    /// Approve patches.
    #[serde(rename = "patches.approve")]
    PatchesApprove,
    /// Install patches that a person approved.
    #[serde(rename = "patches.manage")]
    PatchesManage,
    /// See scheduled tasks.
    #[serde(rename = "tasks.view")]
    TasksView,
    /// Change or propose scheduled tasks.
    #[serde(rename = "tasks.manage")]
    TasksManage,
    /// See checks.
    #[serde(rename = "checks.view")]
    ChecksView,
    /// Change or propose checks.
    #[serde(rename = "checks.manage")]
    ChecksManage,
    /// See policies; never for a scoped principal.
    #[serde(rename = "policies.view")]
    PoliciesView,
    /// Change or propose policies; never for a scoped principal.
    #[serde(rename = "policies.manage")]
    PoliciesManage,
    /// Make and change principals.
    #[serde(rename = "principals.manage")]
    PrincipalsManage,
    /// See the cases of others; never for a scoped principal.
    #[serde(rename = "cases.view_all")]
    CasesViewAll,
    /// Run look-ups.
    #[serde(rename = "lookups.run")]
    LookupsRun,
}

impl Permission {
    /// All, in the order of the manual.
    pub const ALL: [Self; 22] = [
        Self::DevicesView,
        Self::DevicesDelete,
        Self::ClientsView,
        Self::ClientsManage,
        Self::JobsView,
        Self::JobsCreate,
        Self::JobsApprove,
        Self::JobsManage,
        Self::ReportsView,
        Self::AuditView,
        Self::PatchesView,
        Self::PatchesApprove,
        Self::PatchesManage,
        Self::TasksView,
        Self::TasksManage,
        Self::ChecksView,
        Self::ChecksManage,
        Self::PoliciesView,
        Self::PoliciesManage,
        Self::PrincipalsManage,
        Self::CasesViewAll,
        Self::LookupsRun,
    ];

    /// The stable name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::DevicesView => "devices.view",
            Self::DevicesDelete => "devices.delete",
            Self::ClientsView => "clients.view",
            Self::ClientsManage => "clients.manage",
            Self::JobsView => "jobs.view",
            Self::JobsCreate => "jobs.create",
            Self::JobsApprove => "jobs.approve",
            Self::JobsManage => "jobs.manage",
            Self::ReportsView => "reports.view",
            Self::AuditView => "audit.view",
            Self::PatchesView => "patches.view",
            Self::PatchesApprove => "patches.approve",
            Self::PatchesManage => "patches.manage",
            Self::TasksView => "tasks.view",
            Self::TasksManage => "tasks.manage",
            Self::ChecksView => "checks.view",
            Self::ChecksManage => "checks.manage",
            Self::PoliciesView => "policies.view",
            Self::PoliciesManage => "policies.manage",
            Self::PrincipalsManage => "principals.manage",
            Self::CasesViewAll => "cases.view_all",
            Self::LookupsRun => "lookups.run",
        }
    }

    /// The permission of this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|p| p.name() == name)
    }
}

impl fmt::Display for Permission {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Which devices a principal may see. What is not named is not seen: an empty [`Places`] sees nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// The whole fleet.
    All,
    /// Only what stands in these places.
    Only(Places),
}

impl Default for Scope {
    /// Nothing: who forgets to give a scope gives none.
    fn default() -> Self {
        Self::Only(Places::default())
    }
}

impl Scope {
    /// Whether nothing limits it.
    #[must_use]
    pub const fn is_all(&self) -> bool {
        matches!(self, Self::All)
    }

    /// Whether a device that stands there is inside.
    #[must_use]
    pub fn holds(&self, client: i64, site: i64, department: Option<i64>) -> bool {
        match self {
            Self::All => true,
            Self::Only(places) => {
                places.clients.contains(&client)
                    || places.sites.contains(&site)
                    || department.is_some_and(|d| places.departments.contains(&d))
            }
        }
    }
}

/// Places by their ids in the store. A client holds all of its sites, a site all of its departments.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Places {
    /// Whole clients.
    #[serde(default)]
    pub clients: BTreeSet<i64>,
    /// Whole sites.
    #[serde(default)]
    pub sites: BTreeSet<i64>,
    /// Departments.
    #[serde(default)]
    pub departments: BTreeSet<i64>,
}

impl Places {
    /// Whether no place is named.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.clients.is_empty() && self.sites.is_empty() && self.departments.is_empty()
    }
}

/// A person or a connector.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Principal {
    /// Name, unique.
    pub name: String,
    /// May run look-ups. The one place where `lookups.run` is kept.
    pub lookups_run: bool,
    /// Sees the cases of others, unless a scope limits it: [`Self::reads_all_cases`]. The one place where
    /// `cases.view_all` is kept.
    pub cases_view_all: bool,
    /// Every other permission.
    #[serde(default)]
    pub permissions: BTreeSet<Permission>,
    /// Which devices it may see.
    #[serde(default)]
    pub scope: Scope,
    /// The principal that the first start made: the only one that may change itself.
    #[serde(default)]
    pub first_owner: bool,
}

impl Principal {
    /// The unrestricted principal of the operating-system user.
    #[must_use]
    pub fn owner(name: impl Into<String>) -> Self {
        Self {
            first_owner: true,
            ..Self::with(name, Permission::ALL, Scope::All)
        }
    }

    /// A principal with exactly these permissions inside this scope.
    #[must_use]
    pub fn with(
        name: impl Into<String>,
        permissions: impl IntoIterator<Item = Permission>,
        scope: Scope,
    ) -> Self {
        let mut principal = Self {
            name: name.into(),
            lookups_run: false,
            cases_view_all: false,
            permissions: BTreeSet::new(),
            scope,
            first_owner: false,
        };
        for permission in permissions {
            match permission {
                Permission::LookupsRun => principal.lookups_run = true,
                Permission::CasesViewAll => principal.cases_view_all = true,
                other => {
                    principal.permissions.insert(other);
                }
            }
        }
        principal
    }

    /// Whether it has this permission. Says nothing of the scope.
    #[must_use]
    pub fn allow(&self, permission: Permission) -> bool {
        match permission {
            Permission::LookupsRun => self.lookups_run,
            Permission::CasesViewAll => self.cases_view_all,
            other => self.permissions.contains(&other),
        }
    }

    /// Everything that it may do, in the order of the manual.
    pub fn allowed(&self) -> impl Iterator<Item = Permission> + '_ {
        Permission::ALL.into_iter().filter(|p| self.allow(*p))
    }

    /// Whether it reads the cases of others: only without a scope, for evidence in them is of the whole fleet.
    #[must_use]
    pub const fn reads_all_cases(&self) -> bool {
        self.cases_view_all && self.scope.is_all()
    }

    /// Whether a scope limits it.
    #[must_use]
    pub const fn is_scoped(&self) -> bool {
        !self.scope.is_all()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_back() {
        for p in Permission::ALL {
            assert_eq!(Permission::from_name(p.name()), Some(p));
            assert_eq!(
                serde_json::to_value(p).unwrap(),
                serde_json::json!(p.name())
            );
        }
        let names: BTreeSet<_> = Permission::ALL.iter().map(|p| p.name()).collect();
        assert_eq!(names.len(), Permission::ALL.len());
    }

    #[test]
    fn the_owner_may_everything_and_nobody_gets_anything_by_default() {
        let owner = Principal::owner("anna");
        assert_eq!(owner.allowed().count(), Permission::ALL.len());
        assert!(owner.scope.holds(1, 2, None));
        let nobody = Principal::with("bob", [], Scope::default());
        assert_eq!(nobody.allowed().count(), 0);
        assert!(!nobody.scope.holds(1, 2, Some(3)));
        // A principal that an older program wrote down has no place of the fleet.
        let old: Principal =
            serde_json::from_str(r#"{"name":"carl","lookups_run":true,"cases_view_all":true}"#)
                .unwrap();
        assert_eq!(old.allowed().count(), 2);
        assert!(old.is_scoped() && !old.scope.holds(1, 1, Some(1)));
    }
}
