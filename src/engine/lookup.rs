//! A person's own look-ups: one module or every module that takes the type, in parallel, without a case
//! and without a model. Access and reach are checked; a person may go past reach.

use super::{Engine, EngineError};
use crate::case::Status;
use crate::gate;
use crate::runner::{Done, StoredOutcome};
use futures_util::stream::{FuturesOrdered, StreamExt as _};
use kit::indicator::Indicator;
use kit::module::{Activity, ModuleSpec};
use kit::outcome::CouldNot;

/// The answer of one module about one value.
#[derive(Clone, Debug)]
pub struct Looked {
    /// Module.
    pub module: &'static str,
    /// Indicator.
    pub subject: Indicator,
    /// What came.
    pub done: Done,
}

impl Engine {
    /// The modules for a name: `@ioc` (or `ioc`) is every enabled module, `@crtsh` (or `crtsh`) is one.
    ///
    /// # Errors
    /// An unknown or switched-off module, with the nearest name.
    pub fn modules_for(&self, name: &str) -> Result<Vec<&'static ModuleSpec>, EngineError> {
        let plain = name.trim().trim_start_matches('@').to_lowercase();
        if plain == "ioc" {
            return Ok(self
                .catalog
                .values()
                .filter(|t| t.enabled)
                .map(|t| t.spec)
                .collect());
        }
        match self.catalog.get(plain.as_str()) {
            Some(t) if t.enabled => Ok(vec![t.spec]),
            Some(_) => Err(EngineError::User {
                message: format!("the module {plain} is switched off"),
                hint: format!(
                    "switch it on with: rmm-analyst config set modules.{plain}.enabled true"
                ),
            }),
            None => {
                let near = self
                    .catalog
                    .keys()
                    .map(|k| (strsim::jaro_winkler(k, &plain), *k))
                    .filter(|(s, _)| *s > 0.75)
                    .max_by(|a, b| a.0.total_cmp(&b.0));
                Err(EngineError::User {
                    message: format!("there is no module {plain:?}"),
                    hint: near.map_or_else(
                        || {
                            "rmm-analyst modules list shows them all; @ioc asks every one that fits"
                                .to_owned()
                        },
                        |(_, k)| {
                            format!("did you mean {k}? rmm-analyst modules list shows them all")
                        },
                    ),
                })
            }
        }
    }

    /// Looks values up. With every module (`all`), active ones and those that do not take the type are
    /// left out; one that was named runs or says why not.
    pub async fn look_up(
        &self,
        specs: &[&'static ModuleSpec],
        all: bool,
        subjects: &[Indicator],
        fresh: bool,
        anyway: bool,
    ) -> Vec<Looked> {
        let mut running = FuturesOrdered::new();
        for subject in subjects {
            for spec in specs
                .iter()
                .copied()
                .filter(|s| !all || (s.takes(subject.kind()) && s.activity != Activity::Active))
            {
                let subject = subject.clone();
                running.push_back(async move {
                    let done = match gate::permit_person(
                        spec,
                        &subject,
                        &self.principal,
                        &self.reach,
                        anyway,
                    ) {
                        Ok(permit) => {
                            let plan = self.runner().plan(&permit, fresh);
                            self.runner().run(permit, plan, None).await
                        }
                        Err(refusal) => {
                            let hint = if refusal.key == gate::Key::Reach {
                                " (--anyway sends it all the same)"
                            } else {
                                ""
                            };
                            let why = CouldNot::Unsupported {
                                detail: format!("{}{hint}", refusal.sentence),
                            };
                            Done {
                                outcome: StoredOutcome::could_not(why, &*self.redact),
                                age_s: None,
                                ms: 0,
                            }
                        }
                    };
                    Looked {
                        module: spec.name,
                        subject,
                        done,
                    }
                });
            }
        }
        let mut out = Vec::new();
        while let Some(looked) = running.next().await {
            out.push(looked);
        }
        out
    }
}

/// True when there was something to ask and nothing could be asked. The program's own memory knowing
/// nothing is no answer of a source.
#[must_use]
pub fn every_source_failed(statuses: impl IntoIterator<Item = (Status, bool)>) -> bool {
    let mut failed = false;
    for (status, offline) in statuses {
        match status {
            Status::Found => return false,
            Status::NotFound if !offline => return false,
            Status::NotFound => {}
            Status::CouldNotLook => failed = true,
        }
    }
    failed
}
