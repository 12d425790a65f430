//! Who acts, and the principals of this installation.

use super::ByHandError;
use crate::runner::Runner;
use crate::store::{Store, StoreError};
use fleet::model::PrincipalKind;
use fleet::principal::{self, Change, New, PrincipalError, Stored};
use fleet::tools::refer;
use kit::principal::{Permission, Places, Principal, Scope};
use kit::text::Redacted;
use std::collections::BTreeSet;

pub use fleet::principal::presets::{PRESETS, Preset};

/// The principal that this user of the operating system acts as. The first start on a database makes its first
/// owner; one that may not be written and has none is read by a first owner that is not kept.
///
/// # Errors
/// The user may not act as the one named, or as none; the one that it would be is disabled; the store failed.
pub fn acting(
    store: &Store,
    os_user: &str,
    name: Option<&str>,
    now_ms: i64,
) -> Result<Principal, ByHandError> {
    let known = store.read(|r| principal::any(r.fleet()).map_err(StoreError::from))?;
    let found = if known {
        store.read(|r| Ok(principal::acting(r.fleet(), os_user, name, now_ms)))?
    } else if name.is_some_and(|n| n != os_user) {
        Err(PrincipalError::Unknown)
    } else if store.is_read_only() {
        Ok(Principal::owner(os_user))
    } else {
        let (user, as_name) = (os_user.to_owned(), name.map(str::to_owned));
        store.write(move |tx| {
            Ok(principal::acting(
                tx.fleet(),
                &user,
                as_name.as_deref(),
                now_ms,
            ))
        })?
    };
    found.map_err(|e| match e {
        PrincipalError::Sql(e) => StoreError::from(e).into(),
        PrincipalError::Unknown => ByHandError::refused(
            format!(
                "there is no principal {} that {os_user}, the user of this operating system, may act as",
                name.unwrap_or_default()
            ),
            "rmm-analyst principal list shows them; without --as the user's own is taken",
        ),
        PrincipalError::NoneForUser => ByHandError::refused(
            format!("{os_user}, the user of this operating system, has no principal in this database"),
            format!("its owner makes one: rmm-analyst principal add NAME --os-user {os_user}"),
        ),
        other => refused(&other),
    })
}

/// Whether a principal may do what concerns the whole installation: copies of the database, its settings and its
/// secrets.
///
/// # Errors
/// The store failed.
pub fn is_steward(store: &Store, by: &Principal) -> Result<bool, ByHandError> {
    store
        .read(|r| Ok(principal::is_steward(r.fleet(), by)))?
        .map_err(|e| refused(&e))
}

fn refused(e: &PrincipalError) -> ByHandError {
    let hint = match e {
        PrincipalError::Unknown => "rmm-analyst principal list",
        PrincipalError::NoneForUser => "rmm-analyst principal add NAME --os-user USER",
        PrincipalError::Disabled => "rmm-analyst principal edit NAME --enable",
        PrincipalError::Denied(_) | PrincipalError::MoreThanOwn(_) => {
            "rmm-analyst principal show says what you may"
        }
        PrincipalError::NotAPerson => "a person with principals.manage does it",
        PrincipalError::Oneself | PrincipalError::FirstOwner => {
            "make another principal for other work: rmm-analyst principal add"
        }
        PrincipalError::BadName(_) | PrincipalError::Taken => "choose another name",
        PrincipalError::NoPlace(_) => "rmm-analyst org list shows places",
        PrincipalError::Sql(_) => "rmm-analyst db check looks at the database",
    };
    ByHandError::refused(e.to_string(), hint)
}

/// A principal as it is shown.
#[derive(Clone, Debug)]
pub struct Person {
    /// Name.
    pub name: String,
    /// `person` or `connector`.
    pub kind: &'static str,
    /// The first owner of this installation.
    pub first_owner: bool,
    /// May not be used.
    pub disabled: bool,
    /// The one that acts now.
    pub acting: bool,
    /// What it may do, in the order of the manual.
    pub permissions: Vec<&'static str>,
    /// The whole fleet.
    pub whole_fleet: bool,
    /// Its places by id and name, as far as the one who asks may see them.
    pub places: Vec<Redacted>,
    /// How many places more.
    pub hidden_places: usize,
    /// Users of the operating system that may act as it.
    pub users: Vec<String>,
}

/// Where somebody may act, in the words of the command line.
#[derive(Clone, Debug, Default)]
pub struct Where {
    /// The whole fleet.
    pub whole_fleet: bool,
    /// Clients by id or name.
    pub clients: Vec<String>,
    /// Sites by id or name.
    pub sites: Vec<String>,
    /// Departments by id or name.
    pub departments: Vec<String>,
}

impl Where {
    /// Whether nothing was said.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        !self.whole_fleet
            && self.clients.is_empty()
            && self.sites.is_empty()
            && self.departments.is_empty()
    }
}

/// A principal to be made.
#[derive(Clone, Debug, Default)]
pub struct NewPerson {
    /// Name.
    pub name: String,
    /// A program, not a person.
    pub connector: bool,
    /// Permissions, presets and families by name.
    pub allow: Vec<String>,
    /// Where.
    pub place: Where,
    /// Users of the operating system.
    pub users: Vec<String>,
}

/// What changes of a principal.
#[derive(Clone, Debug, Default)]
pub struct PersonChange {
    /// Permissions, presets and families that are added.
    pub allow: Vec<String>,
    /// And those taken away, after that.
    pub revoke: Vec<String>,
    /// The scope from now on, where something is said.
    pub place: Where,
    /// Users that may act as it from now on, besides those that may.
    pub add_users: Vec<String>,
    /// Users that may not any more.
    pub remove_users: Vec<String>,
    /// Disabled or enabled.
    pub disabled: Option<bool>,
}

fn permissions(words: &[String]) -> Result<BTreeSet<Permission>, ByHandError> {
    let mut out = BTreeSet::new();
    for word in words.iter().map(|w| w.trim()).filter(|w| !w.is_empty()) {
        let named = principal::presets::named(word).ok_or_else(|| {
            let known = PRESETS
                .iter()
                .map(|p| p.name)
                .chain(Permission::ALL.iter().map(|p| p.name()));
            let meant = crate::config::keys::did_you_mean(word, known)
                .map_or_else(String::new, |m| format!("did you mean {m}? "));
            ByHandError::refused(
                format!("there is no permission {word}"),
                format!("{meant}rmm-analyst principal add --help lists them"),
            )
        })?;
        out.extend(named);
    }
    Ok(out)
}

impl Runner {
    /// The scope that these words mean, each place inside what the one who acts may see.
    fn scope_of(&self, place: &Where) -> Result<Scope, ByHandError> {
        if place.whole_fleet {
            return Ok(Scope::All);
        }
        let found = self.fleet_look(|ctx| {
            let mut places = Places::default();
            for given in &place.clients {
                match refer::client(ctx, given, "client") {
                    Ok(client) => places.clients.insert(client.id.0),
                    Err(refusal) => return Ok(Err(refusal)),
                };
            }
            for given in &place.sites {
                match refer::site(ctx, given, "site") {
                    Ok(site) => places.sites.insert(site.id.0),
                    Err(refusal) => return Ok(Err(refusal)),
                };
            }
            for given in &place.departments {
                match refer::department(ctx, given, "department") {
                    Ok(department) => places.departments.insert(department.id.0),
                    Err(refusal) => return Ok(Err(refusal)),
                };
            }
            Ok(Ok(places))
        })?;
        found.map(Scope::Only).map_err(|r| self.refusal(&r))
    }

    /// The principals that this one may see: all with `principals.manage`, else only itself.
    ///
    /// # Errors
    /// The store failed.
    pub fn people(&self) -> Result<Vec<Person>, ByHandError> {
        let stored = self.fleet_look(|ctx| {
            let all = principal::list(ctx.connection, ctx.principal).map_err(other)?;
            all.into_iter()
                .map(|s| {
                    let places =
                        principal::places_named(ctx.connection, ctx.principal, &s.principal.scope)?;
                    Ok((s, places))
                })
                .collect::<Result<Vec<_>, StoreError>>()
        })?;
        Ok(stored
            .into_iter()
            .map(|(s, (places, hidden_places))| Person {
                acting: s.principal.name == self.principal.name,
                kind: s.kind.name(),
                first_owner: s.principal.first_owner,
                disabled: s.disabled,
                permissions: s.principal.allowed().map(|p| p.name()).collect(),
                whole_fleet: s.principal.scope.is_all(),
                places: places.iter().map(|p| p.redact(&*self.redact)).collect(),
                hidden_places,
                users: s.users,
                name: s.principal.name,
            })
            .collect())
    }

    /// One of [`Runner::people`]; the one that acts unless named.
    ///
    /// # Errors
    /// There is none of this name that this principal may see.
    pub fn person(&self, name: Option<&str>) -> Result<Person, ByHandError> {
        let wanted = name.unwrap_or(&self.principal.name).to_lowercase();
        self.people()?
            .into_iter()
            .find(|p| p.name.to_lowercase() == wanted)
            .ok_or_else(|| {
                ByHandError::refused(
                    format!(
                        "there is no principal {} that you may see",
                        name.unwrap_or_default()
                    ),
                    "rmm-analyst principal list",
                )
            })
    }

    /// Makes a principal.
    ///
    /// # Errors
    /// A permission or place that does not exist, more than the one who acts has, a bad or taken name.
    pub fn add_person(&self, new: &NewPerson) -> Result<Person, ByHandError> {
        let made = New {
            name: new.name.clone(),
            kind: if new.connector {
                PrincipalKind::Connector
            } else {
                PrincipalKind::Person
            },
            permissions: permissions(&new.allow)?,
            scope: self.scope_of(&new.place)?,
            users: users(&new.users),
        };
        let done = self.by_hand(move |acting| principal::make(acting, &made))?;
        self.changed(done)
    }

    /// Changes a principal.
    ///
    /// # Errors
    /// As [`Runner::add_person`]; oneself, or the first owner.
    pub fn edit_person(&self, name: &str, wanted: &PersonChange) -> Result<Person, ByHandError> {
        let now = self.person(Some(name))?;
        let change = Change {
            permissions: if wanted.allow.is_empty() && wanted.revoke.is_empty() {
                None
            } else {
                let mut all: BTreeSet<Permission> = now
                    .permissions
                    .iter()
                    .filter_map(|p| Permission::from_name(p))
                    .collect();
                all.extend(permissions(&wanted.allow)?);
                for gone in permissions(&wanted.revoke)? {
                    all.remove(&gone);
                }
                Some(all)
            },
            scope: if wanted.place.is_empty() {
                None
            } else {
                Some(self.scope_of(&wanted.place)?)
            },
            users: if wanted.add_users.is_empty() && wanted.remove_users.is_empty() {
                None
            } else {
                let mut all = users(&now.users);
                all.extend(users(&wanted.add_users));
                for gone in &wanted.remove_users {
                    all.remove(gone.trim());
                }
                Some(all)
            },
            disabled: wanted.disabled,
        };
        let name = now.name;
        let done = self.by_hand(move |acting| principal::change(acting, &name, &change))?;
        self.changed(done)
    }

    fn changed(&self, done: Result<Stored, PrincipalError>) -> Result<Person, ByHandError> {
        match done {
            Ok(stored) => self.person(Some(&stored.principal.name)),
            Err(e) => Err(refused(&e)),
        }
    }
}

fn users(given: &[String]) -> BTreeSet<String> {
    given
        .iter()
        .map(|u| u.trim().to_owned())
        .filter(|u| !u.is_empty())
        .collect()
}

fn other(e: PrincipalError) -> StoreError {
    match e {
        PrincipalError::Sql(e) => e.into(),
        e => StoreError::Other(e.to_string()),
    }
}
