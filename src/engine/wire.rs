//! Between the words of a turn and those of the model client: requests there, replies back.

use super::Engine;
use super::calls::Running;
use crate::agent::{Message, Offer, Reply, Request, WireCall};
use crate::gate::PROPOSE_PIVOT;
use crate::model::{
    self, ChatReply, ChatRequest, Finish, NameArg, OfferedTool, RawArguments, RequestMode, Step,
    ToolCall, ToolChoice, ToolInput,
};

impl Engine {
    /// What a reply of the model says and asks for.
    pub(super) fn read_reply(
        &self,
        reply: ChatReply,
        request: &Request,
        running: &Running<'_>,
    ) -> Reply {
        let cut = reply.finish == Finish::Length;
        let Request::Constrained(offer) = request else {
            let calls = if reply.cut_calls {
                Vec::new()
            } else {
                reply.calls.into_iter().map(wire).collect()
            };
            return Reply {
                text: reply.text,
                reasoning: reply.reasoning,
                calls,
                cut,
            };
        };
        let mut out = Reply {
            cut,
            ..Reply::default()
        };
        match model::parse_step(&reply.text) {
            // A step that was not on offer still goes to the gate: it decides, and the log shows it.
            Ok(Step::Answer { text }) => out.text = text,
            Ok(step) if offer.call || !offer.propose.is_empty() => out.calls.push(step_call(step)),
            Ok(_) => {}
            Err(e) => {
                tracing::info!(turn = running.turn, error = %e, "a constrained reply was no step");
                out.text = salvage(&reply.text).unwrap_or_default();
                out.reasoning = reply.reasoning;
            }
        }
        out
    }
}

fn wire(call: ToolCall) -> WireCall {
    let name = match call.name {
        NameArg::Name(name) => Some(name),
        NameArg::Missing | NameArg::NotAString(_) => None,
    };
    WireCall {
        id: call.id,
        name,
        arguments: call.arguments.to_text(),
    }
}

fn step_call(step: Step) -> WireCall {
    let id = format!("step_{}", super::marker());
    match step {
        Step::Call { tool, arguments } => WireCall {
            id,
            name: Some(tool),
            arguments: serde_json::Value::Object(arguments).to_string(),
        },
        Step::Propose { indicator, reason } => WireCall {
            id,
            name: Some(PROPOSE_PIVOT.to_owned()),
            arguments: serde_json::json!({"indicator": indicator, "reason": reason}).to_string(),
        },
        Step::Answer { .. } => WireCall {
            id,
            name: None,
            arguments: String::new(),
        },
    }
}

/// The text of an answer step that was cut at `max_tokens`.
fn salvage(reply: &str) -> Option<String> {
    let rest = reply.trim_start().strip_prefix('{')?;
    let (head, tail) = rest.split_once("\"text\"")?;
    if !head.contains("answer") {
        return None;
    }
    let body = tail
        .trim_start()
        .strip_prefix(':')?
        .trim_start()
        .strip_prefix('"')?;
    // Close the string at the last place where it is valid JSON.
    for cut in (0..=body.len().min(8))
        .map(|n| body.len() - n)
        .filter(|at| body.is_char_boundary(*at))
    {
        let closed = format!("\"{}\"", body.get(..cut)?);
        if let Ok(text) = serde_json::from_str::<String>(&closed) {
            return Some(text);
        }
    }
    None
}

/// A request in the form of the model client.
pub(super) fn chat_request(
    messages: &[Message],
    request: &Request,
    max_tokens: u32,
    temperature: f64,
) -> ChatRequest {
    let messages = messages
        .iter()
        .map(|m| match m {
            Message::System(t) => model::Message::System(t.as_str().to_owned()),
            Message::User(t) => model::Message::User(t.as_str().to_owned()),
            Message::Assistant { text, calls } => model::Message::Assistant {
                text: text.as_str().to_owned(),
                calls: calls
                    .iter()
                    .map(|c| ToolCall {
                        id: c.id.clone(),
                        name: c.name.clone().map_or(NameArg::Missing, NameArg::Name),
                        arguments: RawArguments::Text(c.arguments.clone()),
                    })
                    .collect(),
            },
            Message::Tool { id, name, text } => model::Message::Tool {
                call_id: id.clone(),
                name: name.clone(),
                text: text.as_str().to_owned(),
            },
        })
        .collect();
    let mode = match request {
        Request::Native { tools, call } => RequestMode::Native {
            tools: tools.clone(),
            choice: if *call {
                ToolChoice::Auto
            } else {
                ToolChoice::None
            },
        },
        Request::Constrained(offer) => RequestMode::Constrained {
            schema: model::step_schema(&model_offer(offer)),
        },
    };
    ChatRequest {
        messages,
        mode,
        max_tokens,
        temperature,
    }
}

fn model_offer(offer: &Offer) -> model::Offer {
    model::Offer {
        tools: offer
            .tools
            .iter()
            .map(|(name, values)| OfferedTool {
                name: name.clone(),
                input: ToolInput::Values(values.clone()),
            })
            .chain(offer.fleet.iter().map(|(name, schema)| OfferedTool {
                name: name.clone(),
                input: ToolInput::Schema(schema.clone()),
            }))
            .collect(),
        allow_answer: offer.answer,
        allow_call: offer.call,
        allow_propose: !offer.propose.is_empty(),
        propose: offer.propose.clone(),
    }
}
