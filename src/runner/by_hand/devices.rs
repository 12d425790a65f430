//! Devices, places and patches by hand: what the fleet does for a person, in the words of the command line.

use super::ByHandError;
use crate::runner::Runner;
use crate::store::StoreError;
use fleet::approvals::{self, PatchDecision};
use fleet::hand::{self, ByHand, OrgError, Place};
use fleet::model::{ClientId, SiteId};
use fleet::proposals::devices as rows;
use fleet::scope;
use fleet::sql::{Query, int, text};
use fleet::tools::refer::{self, DEVICES_MAX};
use fleet::tools::{self, Refusal};
use kit::principal::Permission;
use kit::text::Redacted;
use serde_json::json;

/// A device as it is named before something is done to it.
#[derive(Clone, Debug)]
pub struct Named {
    /// Id as shown.
    pub id: String,
    /// `d-12 web-01`.
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
        Ok(self.named(&found))
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
        Ok(self.named(&found))
    }

    fn named(&self, found: &[fleet::proposals::Device]) -> Vec<Named> {
        found
            .iter()
            .map(|d| Named {
                id: d.id.to_string(),
                label: d.name().redact(&*self.redact),
                place: d.place().redact(&*self.redact),
                number: d.id.0,
            })
            .collect()
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
                format!(
                    "{} would be changed, not {count}: nothing was changed",
                    many(devices.len())
                ),
                "look at the list again and give the number that it has",
            ));
        }
        if devices.len() > DEVICES_MAX {
            return Err(ByHandError::refused(
                format!("at most {DEVICES_MAX} devices are changed at once"),
                "do it in parts",
            ));
        }
        let ids: Vec<String> = devices.iter().map(|d| d.id.clone()).collect();
        let (name, mut arguments) = match act {
            Act::Move { site, department } => (
                "propose_move_devices",
                json!({ "devices": ids, "site": site, "department": department }),
            ),
            Act::Remove => ("propose_delete_devices", json!({ "devices": ids })),
        };
        if let Some(why) = why {
            arguments["why"] = json!(why);
        }
        let tool = tools::find(name)
            .ok_or_else(|| StoreError::Other(format!("there is no act {name}")))?;
        let arguments = arguments.to_string();
        let typed = u32::try_from(count).ok();
        let done = self.by_hand(move |acting| hand::act(acting, tool, &arguments, typed))?;
        match done {
            ByHand::Refused(refusal) => Err(self.refusal(&refusal)),
            ByHand::Denied(denial) => Err(ByHandError::refused(
                denial.to_string(),
                "rmm-analyst principal show says what you may",
            )),
            ByHand::Done(outcomes) => {
                let failed = outcomes.iter().find(|o| o.status != "succeeded");
                match failed {
                    None => Ok(count),
                    Some(o) => Err(ByHandError::refused(
                        format!("{} {}: {}", o.id, o.status, o.detail),
                        "rmm-analyst devices list shows what is there now",
                    )),
                }
            }
        }
    }

    /// Makes a place; gives its id.
    ///
    /// # Errors
    /// The permission is missing, the scope does not hold where it would be, the name is taken.
    pub fn add_place(&self, new: &NewPlace) -> Result<String, ByHandError> {
        let done = match new.clone() {
            NewPlace::Client { name } => self
                .by_hand(move |acting| hand::add_client(acting, &name))?
                .map(Place::Client),
            NewPlace::Site { client, name } => {
                let client = self.client_of(&client)?;
                self.by_hand(move |acting| hand::add_site(acting, client, &name))?
                    .map(Place::Site)
            }
            NewPlace::Department { client, site, name } => {
                let site = self.site_of(client.as_deref(), &site)?;
                self.by_hand(move |acting| hand::add_department(acting, site, &name))?
                    .map(Place::Department)
            }
        };
        done.map(|place| place.to_string())
            .map_err(|e| place_refused(&e))
    }

    /// Gives a place another name; gives its id.
    ///
    /// # Errors
    /// As [`Runner::add_place`].
    pub fn rename_place(&self, of: &NewPlace, name: &str) -> Result<String, ByHandError> {
        let place = match of {
            NewPlace::Client { name } => Place::Client(self.client_of(name)?),
            NewPlace::Site { client, name } => {
                let client = (!client.is_empty()).then_some(client.as_str());
                Place::Site(self.site_of(client, name)?)
            }
            NewPlace::Department { name, .. } => {
                let found =
                    self.fleet_look(|ctx| Ok(refer::department(ctx, name, "department")))?;
                Place::Department(found.map_err(|r| self.refusal(&r))?.id)
            }
        };
        let name = name.to_owned();
        self.by_hand(move |acting| hand::rename(acting, place, &name))?
            .map(|()| place.to_string())
            .map_err(|e| place_refused(&e))
    }

    fn client_of(&self, given: &str) -> Result<ClientId, ByHandError> {
        let found = self.fleet_look(|ctx| Ok(refer::client(ctx, given, "client")))?;
        Ok(found.map_err(|r| self.refusal(&r))?.id)
    }

    /// A site by id or name; a name is looked for at the client only where one is named.
    fn site_of(&self, client: Option<&str>, given: &str) -> Result<SiteId, ByHandError> {
        let found = self.fleet_look(|ctx| {
            let Some(client) = client else {
                return Ok(refer::site(ctx, given, "site"));
            };
            let client = match refer::client(ctx, client, "client") {
                Ok(client) => client.id,
                Err(refusal) => return Ok(Err(refusal)),
            };
            let mut query = Query::new("SELECT id FROM sites WHERE");
            query.push(
                "client_id = ? AND name = ?",
                [int(client), text(given.trim())],
            );
            let there: Option<SiteId> = query.first(ctx.connection, |r| r.get(0))?;
            // What the scope says of it is for `refer` to say.
            Ok(match there {
                Some(id) => refer::site(ctx, &id.to_string(), "site"),
                None if SiteId::parse(given).is_some() => refer::site(ctx, given, "site"),
                None => refer::site(ctx, &SiteId(0).to_string(), "site"),
            })
        })?;
        Ok(found.map_err(|r| self.refusal(&r))?.id)
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

/// `1 device`, `7 devices`.
fn many(n: usize) -> String {
    match n {
        1 => "1 device".to_owned(),
        n => format!("{n} devices"),
    }
}

fn may_not(permission: Permission) -> Refusal {
    Refusal::new(
        tools::RefusalKey::Access,
        format!("This needs the permission {permission}, which you do not have."),
    )
}

fn place_refused(e: &OrgError) -> ByHandError {
    let hint = match e {
        OrgError::Unknown(_) => "rmm-analyst org list shows what you may see",
        OrgError::BadName | OrgError::Taken => "choose another name",
        OrgError::NotAPerson | OrgError::Denied | OrgError::Scoped => {
            "rmm-analyst principal show says what you may"
        }
    };
    ByHandError::refused(e.to_string(), hint)
}
