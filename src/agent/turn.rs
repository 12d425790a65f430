//! The machine of one turn.

use super::{CallResult, Message, Reply, ToolMode, WireCall};
use kit::text::{ModelText, Redactor, Untrusted};

/// Calls of one reply that are sent back to the model with their results; more are refused all the same,
/// but telling the model about each would only fill the window.
const ECHOED_CALLS: usize = 24;

/// What the engine is to do.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// Ask the model, with these messages behind the history; `answer` makes it the answer round.
    Ask {
        /// Messages of this turn so far.
        tail: Vec<Message>,
        /// No more calls: answer now.
        answer: bool,
    },
    /// Show text that came together with calls.
    Progress(String),
    /// Put these calls through the gate, run what is permitted, and come back with the results.
    Judge(Vec<WireCall>),
    /// Ask again in constrained mode: the server let a call through as text.
    SwitchToConstrained,
    /// The turn has an answer (untrusted).
    Answer(String),
    /// The turn ends without one.
    NoAnswer(&'static str),
    /// A warning for the person.
    Warn(&'static str),
}

/// What the engine reports.
#[derive(Clone, Debug)]
pub enum Input {
    /// Begin.
    Begin,
    /// The model replied.
    Reply(Reply),
    /// The calls of the last [`Effect::Judge`] were dealt with.
    Results(Vec<CallResult>),
}

/// State of the machine.
#[derive(Clone, Debug)]
pub struct TurnMachine {
    mode: ToolMode,
    may_switch: bool,
    rounds: u32,
    round: u32,
    answer_next: bool,
    empty: bool,
    tools: Vec<String>,
    tail: Vec<Message>,
    said: String,
}

impl TurnMachine {
    /// A machine for one turn. `rounds` is the most model rounds (at least 1), `tools` the names on
    /// offer, `may_switch` whether a leaked call may switch the turn to constrained mode.
    #[must_use]
    pub fn new(mode: ToolMode, may_switch: bool, rounds: u32, tools: Vec<String>) -> Self {
        Self {
            mode,
            may_switch,
            rounds: rounds.max(1),
            round: 0,
            answer_next: false,
            empty: false,
            tools,
            tail: Vec::new(),
            said: String::new(),
        }
    }

    /// The mode that the next round is asked in.
    #[must_use]
    pub const fn mode(&self) -> ToolMode {
        self.mode
    }

    /// One step.
    pub fn step(&mut self, input: Input, redactor: &dyn Redactor) -> Vec<Effect> {
        match input {
            Input::Begin => self.ask(),
            Input::Reply(reply) => self.reply(reply),
            Input::Results(results) => self.results(results, redactor),
        }
    }

    fn ask(&mut self) -> Vec<Effect> {
        self.round += 1;
        let answer = self.answer_next || self.round >= self.rounds;
        self.answer_next = answer;
        vec![Effect::Ask {
            tail: self.tail.clone(),
            answer,
        }]
    }

    fn reply(&mut self, reply: Reply) -> Vec<Effect> {
        let text = reply.text.trim();
        if !reply.calls.is_empty() && !self.answer_next {
            let mut effects = Vec::new();
            if !text.is_empty() && self.mode == ToolMode::Native {
                effects.push(Effect::Progress(text.to_owned()));
            }
            text.clone_into(&mut self.said);
            effects.push(Effect::Judge(reply.calls));
            return effects;
        }
        if self.mode == ToolMode::Native && super::leaked::is_call(text, &self.tools) {
            return self.leaked();
        }
        // Dots or a lone bracket are what small models copy from an example: no answer.
        let text = if text.chars().any(char::is_alphanumeric) {
            text
        } else {
            ""
        };
        let mut effects = Vec::new();
        if reply.cut && !text.is_empty() {
            effects.push(Effect::Warn(
                "the answer was cut at max_tokens: raise [model] max_tokens for longer answers",
            ));
        }
        if !text.is_empty() {
            effects.push(Effect::Answer(text.to_owned()));
        } else if !reply.reasoning.trim().is_empty() && (self.answer_next || self.empty) {
            effects.push(Effect::Answer(reply.reasoning.trim().to_owned()));
        } else if self.empty || self.round > self.rounds {
            effects.push(Effect::NoAnswer("the model gave no answer"));
        } else {
            // An empty reply is asked once more, for the answer and nothing else.
            self.empty = true;
            self.answer_next = true;
            effects.extend(self.ask());
        }
        effects
    }

    fn leaked(&mut self) -> Vec<Effect> {
        if self.may_switch {
            self.may_switch = false;
            self.mode = ToolMode::Constrained;
            self.round = self.round.saturating_sub(1);
            self.answer_next = false;
            let mut effects = vec![Effect::SwitchToConstrained];
            effects.extend(self.ask());
            return effects;
        }
        vec![Effect::NoAnswer(super::leaked::ADVICE)]
    }

    fn results(&mut self, results: Vec<CallResult>, redactor: &dyn Redactor) -> Vec<Effect> {
        if results.iter().any(|r| r.flood) {
            self.answer_next = true;
        }
        let dropped = results.len().saturating_sub(ECHOED_CALLS);
        let kept: Vec<CallResult> = results.into_iter().take(ECHOED_CALLS).collect();
        let said = std::mem::take(&mut self.said);
        let said = ModelText::from(&Untrusted::new(said).redact(redactor));
        match self.mode {
            ToolMode::Native => {
                let calls = kept.iter().map(|r| echo(&r.call)).collect();
                self.tail.push(Message::Assistant { text: said, calls });
                for r in kept {
                    let name = r.call.name.unwrap_or_else(|| "unknown".to_owned());
                    self.tail.push(Message::Tool {
                        id: r.call.id,
                        name: plain_name(&name),
                        text: r.text,
                    });
                }
            }
            ToolMode::Constrained => {
                for r in kept {
                    let step = ModelText::from(
                        &Untrusted::new(echo(&r.call).arguments_as_step()).redact(redactor),
                    );
                    self.tail.push(Message::Assistant {
                        text: step,
                        calls: Vec::new(),
                    });
                    self.tail.push(Message::User(r.text));
                }
            }
        }
        let mut effects = Vec::new();
        if dropped > 0 {
            effects.push(Effect::Warn("the model asked for more calls at once than it is told about; all of them were judged"));
        }
        effects.extend(self.ask());
        effects
    }
}

/// The call as it is sent back: a name and arguments that every server accepts, whatever came.
fn echo(call: &WireCall) -> WireCall {
    let object =
        serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(&call.arguments).ok();
    WireCall {
        id: call.id.clone(),
        name: Some(plain_name(call.name.as_deref().unwrap_or("unknown"))),
        arguments: object.map_or_else(
            || "{}".to_owned(),
            |o| serde_json::Value::Object(o).to_string(),
        ),
    }
}

/// A tool name for the wire: letters, digits, `_` and `-`, at most 64.
fn plain_name(name: &str) -> String {
    let plain: String = name
        .chars()
        .filter(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))
        .take(64)
        .collect();
    if plain.is_empty() {
        "unknown".to_owned()
    } else {
        plain
    }
}

impl WireCall {
    /// The call in the form of a step of constrained mode.
    fn arguments_as_step(&self) -> String {
        let mut step = serde_json::Map::new();
        let name = self.name.clone().unwrap_or_default();
        let action = if name == crate::gate::PROPOSE_PIVOT {
            "propose"
        } else {
            "call"
        };
        step.insert("action".into(), action.into());
        if action == "call" {
            step.insert("tool".into(), name.into());
        }
        if let Ok(serde_json::Value::Object(arguments)) = serde_json::from_str(&self.arguments) {
            step.extend(arguments);
        }
        serde_json::Value::Object(step).to_string()
    }
}
