//! The JSON Schema of one step. What the three servers keep of a schema, and why it is built like this,
//! is in `docs/model-servers.md`.

use super::step::{Offer, OfferedTool, ToolInput};
use serde_json::{Map, Value, json};

/// The schema that holds a model's answer to one step of `offer`: `oneOf` at the top, without siblings
/// (llama.cpp's converter ignores them); every property required; `action`, which decides, first, and
/// first by name too, since Ollama sorts keys on one of its paths. An offer of nothing leaves an answer.
#[must_use]
pub fn step_schema(offer: &Offer) -> Value {
    let mut branches = Vec::new();
    if offer.allow_call {
        call_branches(&offer.tools, &mut branches);
    }
    if offer.allow_propose {
        branches.push(branch(
            "propose",
            [
                (
                    "indicator",
                    if offer.propose.is_empty() {
                        json!({"type": "string"})
                    } else {
                        json!({ "enum": offer.propose })
                    },
                ),
                ("reason", json!({"type": "string"})),
            ],
        ));
    }
    if offer.allow_answer || branches.is_empty() {
        branches.push(branch("answer", [("text", json!({"type": "string"}))]));
    }
    match branches.pop() {
        Some(only) if branches.is_empty() => only,
        Some(last) => {
            branches.push(last);
            json!({ "oneOf": branches })
        }
        None => json!({}),
    }
}

/// Look-up tools that take the same values share a branch, so that the grammar stays small.
fn call_branches(tools: &[OfferedTool], branches: &mut Vec<Value>) {
    let mut groups: Vec<(&[String], Vec<&str>)> = Vec::new();
    for tool in tools {
        if let ToolInput::Values(values) = &tool.input {
            if values.is_empty() {
                continue;
            }
            match groups.iter_mut().find(|(v, _)| *v == values.as_slice()) {
                Some((_, names)) => names.push(&tool.name),
                None => groups.push((values, vec![&tool.name])),
            }
        }
    }
    for (values, names) in groups {
        branches.push(branch(
            "call",
            [
                ("tool", json!({ "enum": names })),
                ("query", json!({ "enum": values })),
            ],
        ));
    }
    for tool in tools {
        if let ToolInput::Schema(schema) = &tool.input {
            let arguments = portable(schema);
            branches.push(branch(
                "call",
                [
                    ("tool", json!({ "const": tool.name })),
                    ("arguments", arguments),
                ],
            ));
        }
    }
}

fn branch<const N: usize>(action: &str, fields: [(&str, Value); N]) -> Value {
    let mut properties = Map::from_iter([("action".to_owned(), json!({ "const": action }))]);
    let mut required = vec![json!("action")];
    for (name, schema) in fields {
        required.push(json!(name));
        properties.insert(name.to_owned(), schema);
    }
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}

/// How deep a tool's schema may nest before what is below is left open.
const MAX_DEPTH: usize = 16;

/// A tool's schema in the part of JSON Schema that llama.cpp's converter, xgrammar and Ollama keep:
/// references inlined (the schema becomes a part of another, so `#/$defs/…` would point nowhere), notes
/// and unknown formats left out, patterns only where they are anchored (llama.cpp refuses others).
fn portable(schema: &Value) -> Value {
    let mut out = portable_at(schema, schema, 0);
    if let Value::Object(map) = &mut out {
        map.entry("type").or_insert_with(|| json!("object"));
    } else {
        out = json!({ "type": "object" });
    }
    out
}

fn portable_at(schema: &Value, root: &Value, depth: usize) -> Value {
    let Value::Object(map) = schema else {
        // `true` allows anything; so does an empty schema.
        return json!({});
    };
    if depth > MAX_DEPTH {
        return json!({});
    }
    if let Some(target) = map.get("$ref").and_then(Value::as_str) {
        return target
            .strip_prefix('#')
            .and_then(|pointer| root.pointer(pointer))
            .map_or_else(|| json!({}), |found| portable_at(found, root, depth + 1));
    }
    let mut out = Map::new();
    for (key, value) in map {
        let kept = match key.as_str() {
            "properties" => value.as_object().map(|props| {
                Value::Object(
                    props
                        .iter()
                        .map(|(k, v)| (k.clone(), portable_at(v, root, depth + 1)))
                        .collect(),
                )
            }),
            "items" => Some(portable_at(value, root, depth + 1)),
            "oneOf" | "anyOf" | "allOf" | "prefixItems" => value.as_array().map(|list| {
                Value::Array(
                    list.iter()
                        .map(|v| portable_at(v, root, depth + 1))
                        .collect(),
                )
            }),
            "format" => value
                .as_str()
                .filter(|f| matches!(*f, "date" | "time" | "date-time" | "uuid"))
                .map(|f| Value::String(f.to_owned())),
            "pattern" => value
                .as_str()
                .filter(|p| p.starts_with('^') && p.ends_with('$'))
                .map(|p| Value::String(p.to_owned())),
            "additionalProperties" => value.as_bool().map(Value::Bool),
            "type" | "required" | "enum" | "const" | "minItems" | "maxItems" | "minLength"
            | "maxLength" | "minimum" | "maximum" => Some(value.clone()),
            _ => None,
        };
        if let Some(kept) = kept {
            out.insert(key.clone(), kept);
        }
    }
    Value::Object(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lookup(name: &str, values: &[&str]) -> OfferedTool {
        OfferedTool {
            name: name.into(),
            input: ToolInput::Values(values.iter().map(|v| (*v).to_owned()).collect()),
        }
    }

    #[test]
    fn tools_with_the_same_values_share_a_branch() {
        let offer = Offer {
            tools: vec![
                lookup("crtsh", &["a.example"]),
                lookup("ipinfo", &["192.0.2.1"]),
                lookup("rdap", &["a.example"]),
            ],
            allow_answer: true,
            allow_call: true,
            allow_propose: false,
            propose: Vec::new(),
        };
        let schema = step_schema(&offer);
        let branches = schema["oneOf"].as_array().unwrap();
        assert_eq!(branches.len(), 3);
        assert_eq!(
            branches[0]["properties"]["tool"]["enum"],
            json!(["crtsh", "rdap"])
        );
        assert_eq!(
            branches[0]["properties"]["query"]["enum"],
            json!(["a.example"])
        );
        assert_eq!(branches[2]["properties"]["action"]["const"], "answer");
        for b in branches {
            let names: Vec<&String> = b["properties"].as_object().unwrap().keys().collect();
            assert_eq!(names[0], "action");
            assert!(
                names.iter().all(|n| n.as_str() >= "action"),
                "action sorts first"
            );
            assert_eq!(b["required"].as_array().unwrap().len(), names.len());
        }
    }

    #[test]
    fn one_branch_stands_alone_and_a_tool_without_values_is_left_out() {
        let offer = Offer {
            tools: vec![lookup("crtsh", &[])],
            allow_call: true,
            ..Offer::default()
        };
        assert_eq!(
            step_schema(&offer)["properties"]["action"]["const"],
            "answer"
        );
        let offer = Offer {
            tools: vec![lookup("crtsh", &["a.example"])],
            allow_call: true,
            ..Offer::default()
        };
        assert_eq!(step_schema(&offer)["properties"]["action"]["const"], "call");
    }

    #[test]
    fn references_are_inlined_and_what_no_server_keeps_is_dropped() {
        let schema = json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Args", "type": "object",
            "properties": {
                "filter": {"$ref": "#/$defs/Filter"},
                "limit": {"type": ["integer", "null"], "format": "uint32", "minimum": 0, "default": 5},
                "name": {"type": "string", "pattern": "abc", "description": "x"},
            },
            "required": ["filter"],
            "$defs": {"Filter": {"type": "object", "properties": {"os": {"enum": ["linux", "windows"]}, "again": {"$ref": "#/$defs/Filter"}}}}
        });
        let out = portable(&schema);
        let text = out.to_string();
        for gone in [
            "$ref",
            "$defs",
            "title",
            "uint32",
            "default",
            "description",
            "pattern",
        ] {
            assert!(!text.contains(gone), "{gone} in {text}");
        }
        assert_eq!(
            out["properties"]["filter"]["properties"]["os"]["enum"],
            json!(["linux", "windows"])
        );
        assert_eq!(out["required"], json!(["filter"]));
    }
}
