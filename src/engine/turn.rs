//! One turn: a message comes in, is read and recorded, look-ups run, an answer goes out. A turn never
//! waits for a decision: it ends as `waiting`, and a continuation shares its budget.

use super::begin::Begun;
use super::calls::{Dealt, Running};
use super::connect::{ModelWish, NoModel, Planning};
use super::finish::{End, model_error};
use super::own_words::MODEL_ELSEWHERE;
use super::report::TurnReport;
use super::{Draft, Engine, EngineError, OnProgress, Progress, now_ms};
use crate::agent::{leaked, prompt};
use crate::case::{Body, CaseState, Mode, Planner, TurnStatus, Usage};
use crate::store::CaseId;
use kit::indicator::Indicator;
use std::future::Future;
use std::time::Instant;

/// Longest question, in bytes; longer text belongs into an attachment.
pub const QUESTION_MAX: usize = 256 * 1024;

/// Which case a message belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CaseChoice {
    /// A new one.
    New,
    /// The one with this id or unique prefix.
    Id(String),
    /// The one that was used last.
    Last,
}

/// Text that came with a message.
#[derive(Clone, Debug)]
pub struct RawAttachment {
    /// `stdin` or a file's name.
    pub name: String,
    /// The text.
    pub text: String,
}

/// A message to the engine.
#[derive(Clone, Debug)]
pub struct AskInput {
    /// Which case.
    pub case: CaseChoice,
    /// The person's own words; empty for a continuation.
    pub text: String,
    /// What came with it: never the person's own words.
    pub attachments: Vec<RawAttachment>,
    /// The person authorizes what stands in the attachments and in pasted or quoted parts.
    pub authorize_input: bool,
    /// Go on with what was approved, without a new message.
    pub continuation: bool,
    /// Evidence mode from here on.
    pub mode: Option<Mode>,
    /// Go past the cache.
    pub fresh: bool,
    /// Send the person's own words as they wrote them, this once: what looks like a secret in them is not
    /// hidden from the model. What came with them stays redacted, the program's own secrets stay out, and
    /// a model on another machine gets nothing.
    pub as_is: bool,
    /// The model.
    pub model: ModelWish,
    /// `cli`, `tui`, …
    pub surface: &'static str,
}

/// What a person saw and chose on a screen before a message was sent.
#[derive(Clone, Debug, Default)]
pub struct Choices {
    /// Pivots that were on screen at that moment: a typed yes can cover only these. `None`: all open ones.
    pub shown: Option<Vec<u64>>,
    /// Indicators of the message, or of what came with it, whose stance was changed by key.
    pub stances: Vec<(Indicator, kit::human::Stance)>,
}

impl Engine {
    /// Runs one turn, as [`Engine::ask_chosen`] without choices.
    ///
    /// # Errors
    /// What keeps a turn from starting (no such case, busy, database) or being recorded.
    pub async fn ask(
        &self,
        input: AskInput,
        cancel: impl Future<Output = ()>,
        on: OnProgress<'_>,
    ) -> Result<TurnReport, EngineError> {
        self.ask_chosen(input, &Choices::default(), cancel, on)
            .await
    }

    /// Runs one turn. When `cancel` resolves first, the running requests are dropped, the turn is marked
    /// interrupted, and the report says so.
    ///
    /// # Errors
    /// What keeps a turn from starting (no such case, busy, database) or being recorded.
    pub async fn ask_chosen(
        &self,
        input: AskInput,
        choices: &Choices,
        cancel: impl Future<Output = ()>,
        on: OnProgress<'_>,
    ) -> Result<TurnReport, EngineError> {
        let started = Instant::now();
        tokio::pin!(cancel);
        // Nothing is written before it is known who would read words that are to be sent as they are.
        let planned = if input.as_is && self.own_words().hidden(&input.text).may_be_sent() {
            Some(self.planned_as_is(&input, cancel.as_mut(), on).await?)
        } else {
            None
        };
        let as_is = matches!(planned, Some(Ok(Planning::Model { .. })));
        let mut begun = self.begin(&input, choices, as_is)?;
        on(Progress::Started {
            case: begun.case.clone(),
            turn: begun.turn,
        });
        let (case, turn) = (begun.case.clone(), begun.turn);
        let ran = {
            let run = self.run(&input, &mut begun, planned, started, on);
            tokio::pin!(run);
            tokio::select! {
                biased;
                () = &mut cancel => None,
                ran = &mut run => Some(ran),
            }
        };
        match ran {
            Some(Ok(())) => {}
            Some(Err(e)) => {
                // The turn must not stay open; what it cost stays charged.
                let now = now_ms();
                let id = case.clone();
                if let Err(second) = self.store.write(move |tx| tx.recover(&id, now)) {
                    tracing::error!(error = %second, "a turn that failed could not be closed");
                }
                return Err(e);
            }
            None => {
                let now = now_ms();
                let id = case.clone();
                self.store.write(move |tx| tx.recover(&id, now))?;
            }
        }
        drop(begun.lock);
        let state = self.store.read(|r| r.case(&case))?;
        Ok(TurnReport::new(&self.config, &case, &state, turn))
    }

    async fn run(
        &self,
        input: &AskInput,
        begun: &mut Begun,
        planned: Option<Result<Planning, NoModel>>,
        started: Instant,
        on: OnProgress<'_>,
    ) -> Result<(), EngineError> {
        let (case, turn) = (begun.case.clone(), begun.turn);
        let from_input =
            |t: &crate::case::Turn| !t.attachments.is_empty() || !t.proposals.is_empty();
        let only_listed =
            begun.subjects.is_empty() && begun.state.turn(turn).is_some_and(from_input);
        let planning = if begun.fixed.is_some() {
            Ok(Planning::Rules {
                warnings: Vec::new(),
            })
        } else {
            let planned = match planned {
                Some(planned) => planned,
                None => self.planning(&input.model, on).await?,
            };
            planned.map(|p| at_home(p, &begun.state))
        };
        let (planner, model, mode) = match &planning {
            Ok(Planning::Model { client, mode, .. }) => (
                Planner::Model,
                Some(client.info().model.clone()),
                Some(mode.name().to_owned()),
            ),
            _ => (Planner::Rules, None, None),
        };
        self.append(
            &case,
            vec![Draft::Body(Body::TurnStarted {
                turn,
                continues: begun.continues,
                planner,
                model,
                tools_mode: mode,
            })],
        )?;
        self.sync(&case, &mut begun.state)?;
        let mut end = End {
            case: &case,
            turn,
            started,
            usage: Usage::default(),
            warnings: begun.notes.clone(),
        };
        match planning {
            Err(NoModel::Unreachable(e)) => self.end_without_model(
                &end,
                &mut begun.state,
                TurnStatus::ModelUnreachable,
                &model_error(&e),
            ),
            Err(NoModel::NoTools(why)) => {
                self.end_without_model(&end, &mut begun.state, TurnStatus::NoToolCalls, &why)
            }
            Ok(Planning::Rules { warnings }) => {
                for w in &warnings {
                    on(Progress::Warning(w.clone()));
                }
                end.warnings.extend(warnings);
                let running = self.running(&case, turn, false, input.fresh, &begun.state);
                let answer = match begun.fixed.take() {
                    Some(fixed) => fixed,
                    None if only_listed => self.listed_answer(&begun.state, turn),
                    None => {
                        let unplanned =
                            self.unplanned(&begun.state, &begun.subjects, &begun.refused);
                        self.by_rules(
                            &running,
                            &mut begun.state,
                            &begun.subjects.clone(),
                            &unplanned,
                            on,
                        )
                        .await?
                        .0
                    }
                };
                self.finish(
                    &mut end,
                    &mut begun.state,
                    &running,
                    Some(answer),
                    None,
                    false,
                )
            }
            Ok(Planning::Model {
                client,
                mode,
                may_switch,
            }) => {
                let mut running =
                    self.running(&case, turn, client.info().remote, input.fresh, &begun.state);
                if client.info().remote {
                    end.warnings
                        .push(format!("{MODEL_ELSEWHERE} ({})", client.info().base_url));
                }
                let subjects = begun.subjects.clone();
                let out = self
                    .with_model(
                        &mut running,
                        &mut begun.state,
                        &client,
                        mode,
                        may_switch,
                        &subjects,
                        on,
                    )
                    .await?;
                end.usage = out.usage;
                end.warnings.extend(out.warnings);
                let mut answer = out.answer;
                if answer.is_none() {
                    let why = out.why.clone().unwrap_or_else(|| "no answer".to_owned());
                    end.warnings.push(why.clone());
                    answer = self.answer_from_evidence(&why, &out.dealt);
                    let limits = &self.config.limits;
                    let spent = begun.state.used_in_turn(turn) >= limits.calls_per_turn
                        || begun.state.used >= limits.calls_per_case;
                    if answer.is_none() && why == leaked::ADVICE {
                        // Only where native calls alone are allowed: else the turn went on constrained.
                        return self.end_without_model(
                            &end,
                            &mut begun.state,
                            TurnStatus::NoToolCalls,
                            &why,
                        );
                    }
                    if answer.is_none()
                        && (out.failed || !spent)
                        && self.config.model.fallback_to_rules
                    {
                        let (text, _): (String, Vec<Dealt>) = self
                            .by_rules(&running, &mut begun.state, &subjects, &[], on)
                            .await?;
                        // Its first line says that no model was asked.
                        let rest = text.split_once('\n').map_or("", |(_, rest)| rest);
                        answer = Some(format!(
                            "The model gave no answer ({why}), so rules chose the look-ups.\n{rest}"
                        ));
                    } else if answer.is_none() && out.failed {
                        return self.end_without_model(
                            &end,
                            &mut begun.state,
                            TurnStatus::ModelUnreachable,
                            &why,
                        );
                    }
                }
                if out.mode != mode {
                    self.remember(&client, out.mode);
                }
                self.finish(&mut end, &mut begun.state, &running, answer, out.why, true)
            }
        }
    }

    fn running<'a>(
        &self,
        case: &'a CaseId,
        turn: u32,
        model_remote: bool,
        fresh: bool,
        state: &CaseState,
    ) -> Running<'a> {
        Running {
            case,
            turn,
            model_remote,
            fresh,
            handles: prompt::handles(state, &*self.redact),
            evidence_chars: self.config.limits.evidence_chars,
        }
    }

    /// Indicators of the message that are not looked up, and why not.
    fn unplanned(
        &self,
        state: &CaseState,
        subjects: &[Indicator],
        refused: &[Indicator],
    ) -> Vec<(Indicator, String)> {
        let mut out: Vec<(Indicator, String)> = subjects
            .iter()
            .filter(|s| {
                !self
                    .catalog
                    .values()
                    .any(|t| t.enabled && t.allowed && t.spec.takes(s.kind()))
            })
            .map(|s| (s.clone(), format!("no look-up module takes {}", s.kind())))
            .collect();
        let red = state
            .red
            .iter()
            .filter(|i| state.turns.last().is_some_and(|_| state.said.contains(*i)));
        out.extend(red.map(|i| (i.clone(), "it is TLP:RED and stays at home".to_owned())));
        let why = "you refused it; it stays out of this case until you name it again";
        out.extend(refused.iter().map(|i| (i.clone(), why.to_owned())));
        out
    }

    /// What a turn says that names nothing in the person's own words and lists what the input holds.
    fn listed_answer(&self, state: &CaseState, turn: u32) -> String {
        let mut out = String::from(
            "Nothing was looked up: the indicators stand in the input, and nobody named them.",
        );
        let listed: Vec<String> = state
            .proposals
            .values()
            .filter(|p| p.turn == turn)
            .map(|p| p.n.to_string())
            .collect();
        if !listed.is_empty() {
            out.push_str(&format!(" They wait as proposals: {}.", listed.join(", ")));
        }
        let rest: Vec<String> = state
            .turn(turn)
            .into_iter()
            .flat_map(|t| &t.attachments)
            .flat_map(|a| &a.mentioned)
            .map(|i| match kit::reach::check(i, &self.reach) {
                Err(why) => format!("{} ({}): stays here, {why}", i.value(), i.kind()),
                Ok(()) => format!("{} ({})", i.value(), i.kind()),
            })
            .collect();
        let red: Vec<String> = state
            .red
            .iter()
            .map(|i| format!("{} ({}): TLP:RED, stays here", i.value(), i.kind()))
            .collect();
        let rest: Vec<String> = rest.into_iter().chain(red).collect();
        if !rest.is_empty() {
            out.push_str(&format!("\n\nAlso mentioned:\n- {}", rest.join("\n- ")));
        }
        out
    }
}

/// What is TLP:RED in a case goes to no model on another machine, and the person's words may hold it: the
/// rules plan instead.
fn at_home(planning: Planning, state: &CaseState) -> Planning {
    match planning {
        Planning::Model { client, .. } if client.info().remote && !state.red.is_empty() => {
            Planning::Rules {
                warnings: vec![
                    "the case holds TLP:RED indicators, so the model on another machine was not asked; rules chose the look-ups".to_owned(),
                ],
            }
        }
        planning => planning,
    }
}
