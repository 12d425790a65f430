//! What a person changes by hand in a case, outside of a turn: proposals, withdrawals, the evidence mode.

use super::view::ModuleFact;
use super::{Draft, Engine, EngineError, Pivot};
use crate::case::{Body, Mode, ProposalFrom};
use crate::store::CaseId;
use kit::indicator::Indicator;

impl Engine {
    /// Makes a proposal out of an indicator that the case mentions. Nothing is looked up by this.
    ///
    /// # Errors
    /// The case has no turn yet, the indicator is authorized, denied or proposed already, or too many are open.
    pub fn propose(
        &self,
        case: &CaseId,
        indicator: Indicator,
        found_in: Option<u32>,
    ) -> Result<(), EngineError> {
        let state = self.store.read(|r| r.case(case))?;
        let user = |message: String, hint: &str| EngineError::User {
            message,
            hint: hint.to_owned(),
        };
        let value = indicator.defanged();
        if state.denied.contains(&indicator) {
            return Err(user(
                format!("{value} was denied in this case"),
                "name it in a message to take that back",
            ));
        }
        if state
            .authorization(&indicator, self.config.ai.authorize_url_host)
            .is_some()
        {
            return Err(user(
                format!("{value} is authorized already"),
                "ask about it",
            ));
        }
        if state.open_proposals().any(|p| p.indicator == indicator) {
            return Err(user(
                format!("{value} is proposed already"),
                "decide on its card",
            ));
        }
        if state.open_proposals().count() >= self.config.limits.proposals_open {
            return Err(user(
                "too many proposals are open".into(),
                "decide some of them first",
            ));
        }
        let Some(turn) = state.turns.last().map(|t| t.n) else {
            return Err(user("the case has no turn yet".into(), "ask something"));
        };
        let found_in = found_in.or_else(|| state.seen.get(&indicator).copied());
        let pivot = Pivot {
            turn,
            not_in_evidence: found_in.is_none() && !state.knows(&indicator),
            why: self.redacted("a person picked it out of what the case mentions"),
            indicator,
            found_in,
            from: ProposalFrom::Input,
        };
        self.append(case, vec![Draft::Propose(pivot)])?;
        Ok(())
    }

    /// Withdraws an authorization; evidence stays.
    ///
    /// # Errors
    /// It is not authorized.
    pub fn revoke(&self, case: &CaseId, indicator: &Indicator) -> Result<(), EngineError> {
        let state = self.store.read(|r| r.case(case))?;
        if !state.authorized.contains_key(indicator) {
            return Err(EngineError::User {
                message: format!("{} is not authorized in this case", indicator.defanged()),
                hint: "the evidence pane lists what is".into(),
            });
        }
        let body = Body::Revoked {
            indicator: indicator.clone(),
            principal: self.principal.name.clone(),
        };
        self.append(case, vec![Draft::Body(body)])?;
        Ok(())
    }

    /// Sets the evidence mode of a case.
    ///
    /// # Errors
    /// The store.
    pub fn set_mode(&self, case: &CaseId, mode: Mode) -> Result<(), EngineError> {
        self.append(case, vec![Draft::Body(Body::ModeSet { mode })])?;
        Ok(())
    }

    /// What there is to look up with. Asks the secret store which keys are there.
    #[must_use]
    pub fn module_facts(&self) -> Vec<ModuleFact> {
        self.catalog
            .values()
            .map(|t| ModuleFact {
                name: t.spec.name.to_owned(),
                what: t.spec.help.what.to_owned(),
                types: t.spec.types.to_vec(),
                host: self.asked_host(t.spec),
                for_model: t.spec.ai_tool && t.allowed,
                enabled: t.enabled,
                ready: self.runner().ready(t.spec),
                get_key: t.spec.help.get_key.to_owned(),
                secret: self.secret_of(t.spec),
                optional: !t.spec.key.required(),
            })
            .collect()
    }

    /// The host that a module really asks: the configured one, else its own.
    fn asked_host(&self, spec: &kit::ModuleSpec) -> String {
        let configured = self.config.modules.get(spec.name);
        let url = configured.and_then(|m| m.base_url.as_deref());
        host(url.unwrap_or(spec.base_url))
    }

    /// The secret that a module wants: the configured one, else the one that it shares with others.
    fn secret_of(&self, spec: &kit::ModuleSpec) -> String {
        let configured = self
            .config
            .modules
            .get(spec.name)
            .and_then(|m| m.key.clone());
        configured.unwrap_or_else(|| {
            spec.secrets
                .last()
                .map_or_else(String::new, |s| (*s).to_owned())
        })
    }
}

fn host(url: &str) -> String {
    let rest = url.split_once("://").map_or(url, |(_, r)| r);
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let place = rest.get(..end).unwrap_or_default();
    // A name and password before the host are for the host alone.
    place.rsplit('@').next().unwrap_or_default().to_owned()
}
