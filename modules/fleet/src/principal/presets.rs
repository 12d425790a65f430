//! Sets of permissions with a name, for the usual kinds of work.

use kit::principal::Permission::{self, *};

/// A named set.
#[derive(Clone, Copy, Debug)]
pub struct Preset {
    /// Its name.
    pub name: &'static str,
    /// Who it is for.
    pub what: &'static str,
    /// What it holds.
    pub permissions: &'static [Permission],
}

/// Every preset.
pub const PRESETS: &[Preset] = &[
    Preset {
        name: "read-only",
        what: "sees devices, jobs, reports, patches and monitoring",
        permissions: &[
            DevicesView,
            ClientsView,
            JobsView,
            ReportsView,
            PatchesView,
            TasksView,
            ChecksView,
        ],
    },
    Preset {
        name: "analyst",
        what: "read-only, and look-ups",
        permissions: &[
            DevicesView,
            ClientsView,
            JobsView,
            ReportsView,
            PatchesView,
            TasksView,
            ChecksView,
            LookupsRun,
        ],
    },
    Preset {
        name: "technician",
        what: "analyst, and proposes and approves jobs, patches, tasks and checks, and moves devices",
        permissions: &[
            DevicesView,
            ClientsView,
            ClientsManage,
            JobsView,
            JobsCreate,
            JobsApprove,
            JobsManage,
            ReportsView,
            PatchesView,
            PatchesApprove,
            PatchesManage,
            TasksView,
            TasksManage,
            ChecksView,
            ChecksManage,
            LookupsRun,
        ],
    },
    Preset {
        name: "manager",
        what: "technician, and deletes devices, policies, audit and principals",
        permissions: &[
            DevicesView,
            DevicesDelete,
            ClientsView,
            ClientsManage,
            JobsView,
            JobsCreate,
            JobsApprove,
            JobsManage,
            ReportsView,
            AuditView,
            PatchesView,
            PatchesApprove,
            PatchesManage,
            TasksView,
            TasksManage,
            ChecksView,
            ChecksManage,
            PoliciesView,
            PoliciesManage,
            PrincipalsManage,
            LookupsRun,
        ],
    },
    Preset {
        name: "all",
        what: "every permission",
        permissions: &Permission::ALL,
    },
];

/// The permissions that a word names: one, a preset, or all of a family (`devices.*`).
#[must_use]
pub fn named(word: &str) -> Option<Vec<Permission>> {
    if let Some(preset) = PRESETS.iter().find(|p| p.name == word) {
        return Some(preset.permissions.to_vec());
    }
    if let Some(family) = word.strip_suffix('*').filter(|f| f.ends_with('.')) {
        let all: Vec<Permission> = Permission::ALL
            .into_iter()
            .filter(|p| p.name().starts_with(family))
            .collect();
        return (!all.is_empty()).then_some(all);
    }
    Permission::from_name(word).map(|p| vec![p])
}
