//! Devices and places by hand. A move or a deletion is a proposal that the same person approves in the same
//! transaction, so that every check of an approval holds for it and its trail reads like any other.

use super::ByHandError;
use crate::runner::Runner;
use crate::store::StoreError;
use fleet::approvals::{self, Ask, Decision, PatchDecision};
use fleet::org::{self, New};
use fleet::proposals::{Acting, ProposalError, devices as rows};
use fleet::sql::{Query, int, text};
use fleet::tools::refer::{self, DEVICES_MAX};
use fleet::tools::{self, Performed, Refusal};
use fleet::{model::DeviceId, scope};
use kit::principal::Permission;
use kit::text::Redacted;
use serde_json::json;

/// A device as it is named before something is done to it.
#[derive(Clone, Debug)]
pub struct Named {
    /// Id as shown.
    pub id: String,
    /// `d-12 web-01`: what an act is given, so that a device that was renamed meanwhile is not touched.
    pub label: Redacted,
    /// `Contoso / Berlin / Lab`.
    pub place: Redacted,
    number: i64,
}

/// What is done to devices.
#[derive(Clone, Debug)]
pub enum Act {
    /// Moved to a site, and a department of it.
    Move {
        /// Site by id or name.
        site: String,
        /// Department by id or name.
        department: Option<String>,
    },
    /// Deleted with their inventory.
    Remove,
}

/// A place to be made, in the words of the command line.
#[derive(Clone, Debug)]
pub enum NewPlace {
    /// A client.
    Client {
        /// Name.
        name: String,
    },
    /// A site of a client.
    Site {
        /// Client by id or name.
        client: String,
        /// Name.
        name: String,
    },
    /// A department of a site.
    Department {
        /// Client by id or name, where the site's name is not enough.
        client: Option<String>,
        /// Site by id or name.
        site: String,
        /// Name.
        name: String,
    },
}

impl Runner {
    /// The devices that these words name, each once, inside the scope.
    ///
    /// # Errors
    /// One of them is not there, or several fit; more than 500.
    pub fn named_devices(&self, given: &[String]) -> Result<Vec<Named>, ByHandError> {
        let found = self.fleet_look(|ctx| {
            if !ctx.principal.allow(Permission::DevicesView) {
                return Ok(Err(may_not(Permission::DevicesView)));
            }
            let found = match refer::devices(ctx, given, "devices") {
                Ok(found) => found,
                Err(refusal) => return Ok(Err(refusal)),
            };
            let ids: Vec<i64> = found.iter().map(|d| d.id.0).collect();
            Ok(Ok(rows(ctx.connection, &ids)?))
        })?;
        let found = found.map_err(|r| self.refusal(&r))?;
        Ok(found
            .iter()
            .map(|d| Named {
                id: d.id.to_string(),
                label: d.name().redact(&*self.redact),
                place: d.place().redact(&*self.redact),
                number: d.id.0,
            })
            .collect())
    }

    /// Devices inside the scope on which one of these patches waits for a decision, of a client or site where
    /// one is named.
    ///
    /// # Errors
    /// The permission is missing, a place is not there.
    pub fn devices_missing(
        &self,
        patches: &[String],
        client: Option<&str>,
        site: Option<&str>,
    ) -> Result<Vec<Named>, ByHandError> {
        let found = self.fleet_look(|ctx| {
            if !ctx.principal.allow(Permission::PatchesView) {
                return Ok(Err(may_not(Permission::PatchesView)));
            }
            let mut query = Query::new("SELECT d.id FROM devices d WHERE d.deleted_ms IS NULL AND");
            query.append(&scope::devices(&ctx.principal.scope, "d"));
            if let Err(refusal) = tools::args::within(
                ctx,
                &mut query,
                (client, site, None),
                ["d.client_id", "d.site_id", "d.department_id"],
            ) {
                return Ok(Err(refusal));
            }
            query.push(
                "AND EXISTS (SELECT 1 FROM device_patches x JOIN patches p ON p.id = x.patch_id
                             WHERE x.device_id = d.id AND x.state IN ('missing', 'approved', 'ignored', 'failed')
                               AND p.identifier IN (SELECT value FROM json_each(?))) ORDER BY d.id",
                [text(serde_json::Value::from(patches.to_vec()).to_string())],
            );
            let ids: Vec<i64> = query.rows(ctx.connection, |r| r.get(0))?;
            Ok(Ok(rows(ctx.connection, &ids)?))
        })?;
        let found = found.map_err(|r| self.refusal(&r))?;
        Ok(found
            .iter()
            .map(|d| Named {
                id: d.id.to_string(),
                label: d.name().redact(&*self.redact),
                place: d.place().redact(&*self.redact),
                number: d.id.0,
            })
            .collect())
    }

    /// Does this to the devices, or nothing; `count` is the number that the person confirmed. Gives how many
    /// were changed.
    ///
    /// # Errors
    /// A permission or a place is missing, things have changed meanwhile, or the store failed: nothing was done.
    pub fn act_on(
        &self,
        devices: &[Named],
        act: &Act,
        why: Option<&str>,
        count: usize,
    ) -> Result<usize, ByHandError> {
        if devices.len() != count {
            return Err(ByHandError::refused(
                format!("{} devices would be changed, not {count}", devices.len()),
                "look at the list again and give the number that it has",
            ));
        }
        if devices.len() > DEVICES_MAX {
            return Err(ByHandError::refused(
                format!("at most {DEVICES_MAX} devices are changed at once"),
                "do it in parts",
            ));
        }
        let numbers: Vec<i64> = devices.iter().map(|d| d.number).collect();
        let (tool, mut arguments) = match act {
            Act::Move { site, department } => (
                "propose_move_devices",
                json!({ "site": site, "department": department }),
            ),
            Act::Remove => ("propose_delete_devices", json!({})),
        };
        if let Some(why) = why {
            arguments["why"] = json!(why);
        }
        let hand = self.hand();
        let done = self.store.write(move |tx| {
            let done = hand.acting(tx, None, false, |acting| {
                decided(acting, tool, arguments, &numbers)
            })?;
            match done {
                Ok(n) => Ok(Ok(n)),
                // Refused before anything was written but its audit row.
                Err(NotDone::Refusal(refusal)) => Ok(Err(refusal)),
                Err(NotDone::Denied(why)) => Err(StoreError::Refused(why)),
            }
        })?;
        done.map_err(|refusal| self.refusal(&refusal))
    }

    /// Makes a place; gives its id and name.
    ///
    /// # Errors
    /// The permission is missing, the scope does not hold where it would be, the name is taken.
    pub fn add_place(&self, new: &NewPlace) -> Result<Redacted, ByHandError> {
        let new = new.clone();
        let done = self.by_hand(move |acting| {
            let place = match &new {
                NewPlace::Client { name } => New::Client { name },
                NewPlace::Site { client, name } => New::Site { client, name },
                NewPlace::Department { client, site, name } => New::Department {
                    client: client.as_deref(),
                    site,
                    name,
                },
            };
            org::add(acting, &place)
        })?;
        match done {
            Ok(label) => Ok(label.redact(&*self.redact)),
            Err(refusal) => Err(self.refusal(&refusal)),
        }
    }

    /// Lets patches in on these devices, or keeps them out; gives how many (a patch on a device is one) changed.
    ///
    /// # Errors
    /// The permission is missing, or the store failed.
    pub fn decide_patches(
        &self,
        approve: bool,
        devices: &[Named],
        patches: &[String],
    ) -> Result<usize, ByHandError> {
        let ids: Vec<i64> = devices.iter().map(|d| d.number).collect();
        let patches = patches.to_vec();
        let decision = if approve {
            PatchDecision::Approve
        } else {
            PatchDecision::Ignore
        };
        let done = self
            .by_hand(move |acting| approvals::decide_patches(acting, decision, &ids, &patches))?;
        done.map_err(|denial| {
            ByHandError::refused(
                denial.to_string(),
                "rmm-analyst principal show says what you may",
            )
        })
    }

    /// Names of devices, clients or principals that begin with this, for a shell; at most 200.
    ///
    /// # Errors
    /// The store failed.
    pub fn names(&self, of: NamesOf, prefix: &str) -> Result<Vec<Redacted>, ByHandError> {
        const MOST: i64 = 200;
        let found = self.fleet_look(|ctx| {
            let (mut query, permission) = match of {
                NamesOf::Devices => {
                    let mut query = Query::new(
                        "SELECT d.hostname FROM devices d WHERE d.deleted_ms IS NULL AND",
                    );
                    query.append(&scope::devices(&ctx.principal.scope, "d"));
                    query.push(
                        "AND substr(d.hostname, 1, length(?)) = ? COLLATE NOCASE",
                        [text(prefix), text(prefix)],
                    );
                    (query, Permission::DevicesView)
                }
                NamesOf::Clients => {
                    let mut query = Query::new("SELECT x.name FROM clients x WHERE");
                    query.append(&scope::clients(&ctx.principal.scope, "x"));
                    query.push(
                        "AND substr(x.name, 1, length(?)) = ? COLLATE NOCASE",
                        [text(prefix), text(prefix)],
                    );
                    (query, Permission::ClientsView)
                }
                NamesOf::Sites => {
                    let mut query = Query::new("SELECT x.name FROM sites x WHERE");
                    query.append(&scope::sites(&ctx.principal.scope, "x"));
                    query.push(
                        "AND substr(x.name, 1, length(?)) = ? COLLATE NOCASE",
                        [text(prefix), text(prefix)],
                    );
                    (query, Permission::ClientsView)
                }
            };
            if !ctx.principal.allow(permission) {
                return Ok(Vec::new());
            }
            query.push("GROUP BY 1 ORDER BY 1 LIMIT ?", [int(MOST)]);
            Ok(query.rows(ctx.connection, |r| {
                r.get::<_, String>(0).map(kit::text::Untrusted::new)
            })?)
        })?;
        Ok(found.iter().map(|n| n.redact(&*self.redact)).collect())
    }
}

/// Whose names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NamesOf {
    /// Devices.
    Devices,
    /// Clients.
    Clients,
    /// Sites.
    Sites,
}

fn may_not(permission: Permission) -> Refusal {
    Refusal::new(
        tools::RefusalKey::Access,
        format!("This needs the permission {permission}, which you do not have."),
    )
}

enum NotDone {
    Refusal(Refusal),
    Denied(String),
}

/// Proposes and approves in one go.
fn decided(
    acting: &Acting<'_>,
    tool: &str,
    mut arguments: serde_json::Value,
    numbers: &[i64],
) -> Result<Result<usize, NotDone>, ProposalError> {
    let Some(found) = tools::find(tool) else {
        return Ok(Err(NotDone::Denied(format!("there is no act {tool}"))));
    };
    arguments["devices"] = numbers
        .iter()
        .map(|n| DeviceId(*n).to_string())
        .collect::<Vec<_>>()
        .into();
    let proposals = match tools::perform(acting, found, &arguments.to_string())? {
        Performed::Answer { proposals, .. } => proposals,
        Performed::Refused(refusal) => return Ok(Err(NotDone::Refusal(refusal))),
    };
    let mut changed = 0_usize;
    for p in &proposals {
        let ask = Ask {
            n: p.n,
            digest: &p.digest,
            typed_count: Some(p.devices),
        };
        match approvals::approve(acting, &ask)? {
            Decision::Done(outcome) if outcome.status == "succeeded" => {
                changed = changed.saturating_add(p.devices as usize);
            }
            Decision::Done(outcome) => {
                return Ok(Err(NotDone::Denied(format!(
                    "nothing was changed: {} {}",
                    outcome.status, outcome.detail
                ))));
            }
            Decision::Refused(denial) => {
                return Ok(Err(NotDone::Denied(format!(
                    "nothing was changed: {denial}"
                ))));
            }
        }
    }
    Ok(Ok(changed))
}
