//! Puts streamed tool calls together. The pieces are keyed by (index, id), since servers leave either
//! out, repeat them, or give several calls one index (`docs/model-servers.md`).

use super::arguments::{NameArg, RawArguments};
use super::types::ToolCall;
use serde_json::Value;
use std::collections::{HashMap, HashSet};

/// Calls kept of one reply; what comes after is counted and dropped.
const MAX_CALLS: usize = 4096;

#[derive(Debug)]
struct Building {
    id: Option<String>,
    name: NameArg,
    arguments: RawArguments,
}

/// The calls of one reply, as they come.
#[derive(Debug, Default)]
pub(super) struct CallMerger {
    calls: Vec<Building>,
    /// The newest call with an index.
    by_index: HashMap<u64, usize>,
    /// Calls beyond the cap.
    pub(super) dropped: usize,
    /// Bytes kept.
    pub(super) bytes: usize,
}

/// What a piece did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Merged {
    /// A new call began; its name as far as it is known.
    Started(String),
    /// An earlier call grew.
    Grew,
}

impl CallMerger {
    /// True when there is none.
    pub(super) fn is_empty(&self) -> bool {
        self.calls.is_empty()
    }

    /// One entry of `tool_calls`, in a delta or in a whole message.
    pub(super) fn push(&mut self, entry: &Value) -> Option<Merged> {
        let Some(entry) = entry.as_object() else {
            if entry.is_null() {
                return None;
            }
            return self.begin(
                None,
                None,
                NameArg::Missing,
                RawArguments::Value(entry.clone()),
            );
        };
        let index = entry.get("index").and_then(Value::as_u64);
        let id = entry
            .get("id")
            .and_then(Value::as_str)
            .filter(|id| !id.is_empty());
        let function = match entry.get("function") {
            Some(Value::Object(function)) => function,
            // Some servers leave the inner object out.
            _ => entry,
        };
        let index = index.or_else(|| function.get("index").and_then(Value::as_u64));
        let name = NameArg::from_value(function.get("name"));
        let arguments = RawArguments::from_value(function.get("arguments"));
        match self.target(index, id, &name, &arguments) {
            Some(at) => {
                self.grow(at, id, name, arguments);
                Some(Merged::Grew)
            }
            None => self.begin(index, id, name, arguments),
        }
    }

    /// Which earlier call a piece continues; `None` for a new one.
    fn target(
        &self,
        index: Option<u64>,
        id: Option<&str>,
        name: &NameArg,
        arguments: &RawArguments,
    ) -> Option<usize> {
        let newest = match index {
            Some(index) => *self.by_index.get(&index)?,
            None => self.calls.len().checked_sub(1)?,
        };
        let call = self.calls.get(newest)?;
        match (id, call.id.as_deref()) {
            // A new id on a used index is a new call (Ollama gave all parallel calls the index 0).
            (Some(new), Some(old)) if new != old => return None,
            // A late id names a call that began without one, unless that one is whole already.
            (Some(_), None) if *name != NameArg::Missing && call.is_whole() => return None,
            _ => {}
        }
        let more = !matches!(arguments, RawArguments::Missing)
            && !matches!(arguments, RawArguments::Text(t) if t.trim().is_empty());
        let named = *name != NameArg::Missing;
        // A name and arguments after a whole call: the next call, whatever the index says.
        if named && more && call.is_whole() {
            return None;
        }
        // Neither index nor id: a name begins a call.
        if named && index.is_none() && id.is_none() && call.name != NameArg::Missing {
            return None;
        }
        Some(newest)
    }

    fn begin(
        &mut self,
        index: Option<u64>,
        id: Option<&str>,
        name: NameArg,
        arguments: RawArguments,
    ) -> Option<Merged> {
        if self.calls.len() >= MAX_CALLS {
            self.dropped += 1;
            return None;
        }
        let shown = name.as_str().unwrap_or_default().to_owned();
        self.bytes += shown.len() + size(&arguments);
        if let Some(index) = index {
            self.by_index.insert(index, self.calls.len());
        }
        self.calls.push(Building {
            id: id.map(str::to_owned),
            name,
            arguments,
        });
        Some(Merged::Started(shown))
    }

    fn grow(&mut self, at: usize, id: Option<&str>, name: NameArg, arguments: RawArguments) {
        let Some(call) = self.calls.get_mut(at) else {
            return;
        };
        if call.id.is_none() {
            call.id = id.map(str::to_owned);
        }
        match (&mut call.name, name) {
            (_, NameArg::Missing) => {}
            (slot @ NameArg::Missing, new) => *slot = new,
            // Repeated in every piece by some servers, cut into pieces by others.
            (NameArg::Name(old), NameArg::Name(new)) if *old != new => {
                self.bytes += new.len();
                old.push_str(&new);
            }
            _ => {}
        }
        self.bytes += size(&arguments);
        match (&mut call.arguments, arguments) {
            (_, RawArguments::Missing) => {}
            (slot @ RawArguments::Missing, new) => *slot = new,
            (RawArguments::Text(old), RawArguments::Text(new)) => old.push_str(&new),
            (slot @ RawArguments::Text(_), new @ RawArguments::Value(_))
                if slot.to_text().trim().is_empty() =>
            {
                *slot = new;
            }
            // An object and then more: kept as text, which no reader takes for one object.
            (slot, new) => *slot = RawArguments::Text(slot.to_text() + &new.to_text()),
        }
    }

    /// The calls, each with an id of its own.
    pub(super) fn finish(self) -> Vec<ToolCall> {
        let mut taken: HashSet<String> = self.calls.iter().filter_map(|c| c.id.clone()).collect();
        let mut used: HashSet<String> = HashSet::new();
        let mut number = 0usize;
        let mut calls = Vec::with_capacity(self.calls.len());
        for call in self.calls {
            let id = match call.id {
                Some(id) if used.insert(id.clone()) => id,
                _ => loop {
                    number += 1;
                    let made = format!("call_{number}");
                    if taken.insert(made.clone()) {
                        break made;
                    }
                },
            };
            calls.push(ToolCall {
                id,
                name: call.name,
                arguments: call.arguments,
            });
        }
        calls
    }
}

impl Building {
    /// Whether the arguments are a whole JSON value.
    fn is_whole(&self) -> bool {
        match &self.arguments {
            RawArguments::Missing => false,
            RawArguments::Value(_) => true,
            RawArguments::Text(text) => {
                // Cheap look first: this runs for every piece that carries a name.
                text.trim_end().ends_with('}')
                    && serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok()
            }
        }
    }
}

fn size(arguments: &RawArguments) -> usize {
    match arguments {
        RawArguments::Missing => 0,
        RawArguments::Text(text) => text.len(),
        RawArguments::Value(value) => value.to_string().len(),
    }
}

/// The entries of a `tool_calls` field: a list, one object, or nothing.
pub(super) fn entries(value: Option<&Value>) -> &[Value] {
    match value {
        None | Some(Value::Null) => &[],
        Some(Value::Array(list)) => list,
        Some(other) => std::slice::from_ref(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn merge(entries: &[Value]) -> Vec<(String, String, String)> {
        let mut merger = CallMerger::default();
        for e in entries {
            merger.push(e);
        }
        merger
            .finish()
            .into_iter()
            .map(|c| (c.id, c.name.to_string(), c.arguments.to_text()))
            .collect()
    }

    fn call(id: &str, name: &str, arguments: &str) -> (String, String, String) {
        (id.into(), name.into(), arguments.into())
    }

    #[test]
    fn pieces_by_index() {
        let got = merge(&[
            json!({"index":0,"id":"a","function":{"name":"x","arguments":"{"}}),
            json!({"index":1,"id":"b","function":{"name":"y"}}),
            json!({"index":0,"function":{"arguments":"}"}}),
            json!({"index":1,"function":{"arguments":"{\"q\":1}"}}),
        ]);
        assert_eq!(got, [call("a", "x", "{}"), call("b", "y", "{\"q\":1}")]);
    }

    #[test]
    fn a_new_id_on_a_used_index_is_a_new_call() {
        let got = merge(&[
            json!({"index":0,"id":"a","function":{"name":"x","arguments":"{\"q\":1}"}}),
            json!({"index":0,"id":"b","function":{"name":"x","arguments":"{\"q\":2}"}}),
        ]);
        assert_eq!(
            got,
            [call("a", "x", "{\"q\":1}"), call("b", "x", "{\"q\":2}")]
        );
    }

    #[test]
    fn a_new_id_begins_a_call_although_the_last_one_is_not_whole() {
        let got = merge(&[
            json!({"index":0,"id":"a","function":{"name":"x"}}),
            json!({"index":0,"id":"b","function":{"name":"x"}}),
            json!({"index":0,"function":{"arguments":"{\"q\":2}"}}),
        ]);
        assert_eq!(got, [call("a", "x", ""), call("b", "x", "{\"q\":2}")]);
    }

    #[test]
    fn whole_calls_without_index_or_id_or_with_one_id_for_all_stay_apart() {
        let whole = |q: u32| json!({"function":{"name":"x","arguments":format!("{{\"q\":{q}}}")}});
        assert_eq!(
            merge(&[whole(1), whole(2)]),
            [
                call("call_1", "x", "{\"q\":1}"),
                call("call_2", "x", "{\"q\":2}")
            ]
        );
        let same =
            |q: u32| json!({"index":0,"id":"call_1","function":{"name":"x","arguments":{"q":q}}});
        assert_eq!(
            merge(&[same(1), same(2)]),
            [
                call("call_1", "x", "{\"q\":1}"),
                call("call_2", "x", "{\"q\":2}")
            ]
        );
    }

    #[test]
    fn a_server_that_repeats_id_and_name_in_every_piece() {
        let piece = |a: &str| json!({"index":0,"id":"a","function":{"name":"x","arguments":a}});
        assert_eq!(
            merge(&[piece("{\"q\""), piece(":1"), piece("}"), piece("")]),
            [call("a", "x", "{\"q\":1}")]
        );
    }

    #[test]
    fn pieces_without_index_continue_the_last_call() {
        let got = merge(&[
            json!({"id":"a","function":{"name":"x","arguments":""}}),
            json!({"function":{"arguments":"{\"q\":"}}),
            json!({"function":{"arguments":"1}"}}),
        ]);
        assert_eq!(got, [call("a", "x", "{\"q\":1}")]);
    }

    #[test]
    fn malformed_entries_become_calls_that_the_gate_can_refuse() {
        let mut merger = CallMerger::default();
        for e in [
            json!(null),
            json!("x"),
            json!({"function":{"name":["a"],"arguments":"{}"}}),
            json!({"function":7}),
            json!([1]),
        ] {
            merger.push(&e);
        }
        let calls = merger.finish();
        assert_eq!(calls.len(), 3, "{calls:?}");
        assert_eq!(calls[0].name, NameArg::Missing);
        assert_eq!(calls[1].name, NameArg::NotAString(json!(["a"])));
        let ids: HashSet<&str> = calls.iter().map(|c| c.id.as_str()).collect();
        assert_eq!(ids.len(), calls.len());
    }

    #[test]
    fn ten_thousand_calls_are_capped() {
        let mut merger = CallMerger::default();
        for n in 0..10_000 {
            merger.push(&json!({"index":n,"id":"same","function":{"name":"x","arguments":"{}"}}));
        }
        assert_eq!(merger.dropped, 10_000 - MAX_CALLS);
        let calls = merger.finish();
        let ids: HashSet<&str> = calls.iter().map(|c| c.id.as_str()).collect();
        assert_eq!(ids.len(), MAX_CALLS);
    }
}
