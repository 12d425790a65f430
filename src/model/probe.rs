//! Finds out by trying what a model can do. What servers say of their templates is a hint only: a model
//! whose template takes tools may still never call one.

use super::client::ModelClient;
use super::error::ModelError;
use super::schema::step_schema;
use super::step::{Offer, OfferedTool, Step, ToolInput, parse_step};
use super::types::{ChatReply, ChatRequest, Finish, Message, RequestMode, ToolChoice};
use crate::config::settings::ToolsMode;
use kit::tool::{Effect, ToolSpec};
use serde_json::{Value, json};

const TOOL: &str = "lookup_domain";
/// Reserved for documentation (RFC 2606).
const VALUE: &str = "example.com";
const SYSTEM: &str =
    "You are an analyst. You look things up with tools and never answer from memory.";
const ASK: &str = "Look up the domain example.com now.";
/// A call is 20 to 40 tokens; a model that thinks gets more at the second try.
const MAX_TOKENS: u32 = 128;
const MAX_TOKENS_THINKING: u32 = 2048;

/// Tries a native call with the choice left to the model, as the loop does; then a schema.
pub(super) async fn probe(client: &ModelClient) -> Result<ToolsMode, ModelError> {
    // llama.cpp drops tools without an error when the template takes none: asking is a waste of a round.
    if client.info().tools_template != Some(false) && calls_natively(client).await? {
        return Ok(ToolsMode::Native);
    }
    if keeps_a_schema(client).await? {
        return Ok(ToolsMode::Constrained);
    }
    Err(ModelError::ToolsUnsupported {
        hint: "Choose a model that calls tools, or a server that holds output to a JSON Schema."
            .into(),
    })
}

async fn calls_natively(client: &ModelClient) -> Result<bool, ModelError> {
    let tool = ToolSpec {
        name: TOOL.into(),
        description: "Looks up a domain.".into(),
        parameters: json!({
            "type": "object",
            "properties": { "query": { "type": "string", "description": "The domain" } },
            "required": ["query"],
            "additionalProperties": false
        }),
        effect: Effect::Read,
    };
    for max_tokens in [MAX_TOKENS, MAX_TOKENS_THINKING] {
        let request = request(
            RequestMode::Native {
                tools: vec![tool.clone()],
                choice: ToolChoice::Auto,
            },
            max_tokens,
        );
        let reply = match client.chat(&request, &mut |_| {}).await {
            Ok(reply) => reply,
            // The server refuses tools for this model, or stumbles over a call: try the schema.
            Err(ModelError::ToolsUnsupported { .. } | ModelError::Server { .. }) => {
                return Ok(false);
            }
            Err(e) => return Err(e),
        };
        if is_the_call(&reply) {
            return Ok(true);
        }
        let cut_while_thinking = reply.finish == Finish::Length
            && !reply.reasoning.is_empty()
            && reply.text.trim().is_empty();
        if !cut_while_thinking {
            return Ok(false);
        }
    }
    Ok(false)
}

fn is_the_call(reply: &ChatReply) -> bool {
    reply.calls.iter().any(|call| {
        call.name.as_str() == Some(TOOL)
            && call
                .arguments
                .object()
                .is_ok_and(|a| a.get("query").and_then(Value::as_str).is_some())
    })
}

async fn keeps_a_schema(client: &ModelClient) -> Result<bool, ModelError> {
    let offer = Offer {
        tools: vec![OfferedTool {
            name: TOOL.into(),
            input: ToolInput::Values(vec![VALUE.into()]),
        }],
        allow_call: true,
        ..Offer::default()
    };
    let request = request(
        RequestMode::Constrained {
            schema: step_schema(&offer),
        },
        MAX_TOKENS,
    );
    match client.chat(&request, &mut |_| {}).await {
        Ok(reply) => Ok(parse_step(&reply.text)
            .is_ok_and(|step| matches!(step, Step::Call { .. }) && offer.check(&step).is_ok())),
        Err(ModelError::Server { .. }) => Ok(false),
        Err(e) => Err(e),
    }
}

fn request(mode: RequestMode, max_tokens: u32) -> ChatRequest {
    let ask = match &mode {
        RequestMode::Constrained { .. } => {
            format!(
                "{ASK} Answer with JSON only: {{\"action\":\"call\",\"tool\":\"{TOOL}\",\"query\":\"{VALUE}\"}}"
            )
        }
        _ => ASK.to_owned(),
    };
    ChatRequest {
        messages: vec![Message::System(SYSTEM.into()), Message::User(ask)],
        mode,
        max_tokens,
        temperature: 0.0,
    }
}
