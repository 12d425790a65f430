//! Tool calls that a server let through as text. They are never run and never shown as an answer.
//!
//! What is looked for is a reply that *is* a call: it begins with one, or with a short preamble and ends with
//! one. An answer that quotes a call (in code, in quotation marks, as a quoted line, or with prose behind it)
//! is an answer: evidence can hold such text, and the person must be told of it.

/// What to tell the person.
pub const ADVICE: &str = "the server passed a tool call through as text, so nothing was looked up: start vLLM with --enable-auto-tool-choice --tool-call-parser, llama.cpp with --jinja, choose another model, or set [model] tools = \"constrained\"";

/// Marks with which the chat templates of the common model families begin a call (lower case): Hermes and
/// Qwen, Qwen-Coder, Llama 3, Mistral, DeepSeek, Kimi, GLM, Phi and Granite, Cohere, LFM2, InternLM, gpt-oss,
/// Nemotron, OLMo, Gemma, MiniMax, Seed.
const MARKS: [&str; 33] = [
    "<tool_call>",
    "<tool_calls>",
    "<toolcall>",
    "<tool_code>",
    "<tool_use>",
    "<tool>",
    "<tools>",
    "<function_calls>",
    "<function_call>",
    "<functioncall>",
    "<function=",
    "<function name=",
    "<invoke ",
    "<minimax:tool_call>",
    "<seed:tool_call>",
    "<start_function_call>",
    "<|channel|>",
    "<|start|>assistant",
    "<|tool_call",
    "<|toolcall",
    "<|tool_call>",
    "<|python_tag|>",
    "<|start_action|>",
    "<|action_start|>",
    "<｜tool▁call",
    "<｜dsml｜",
    "[tool_calls]",
    "[tool_call]",
    "functools[",
    "<response>",
    "<name>",
    "commentary to=functions.",
    "assistantcommentary to=",
];

/// Keys of an object that hold the arguments of a call.
const ARGUMENTS: [&str; 9] = [
    "arguments",
    "parameters",
    "args",
    "params",
    "input",
    "tool_input",
    "action_input",
    "query",
    "kwargs",
];

/// Longest preamble, in bytes: `I will look this up.`
const PREAMBLE: usize = 600;

/// Whether a reply's text is a call rather than an answer. `tools` are the names on offer.
#[must_use]
pub fn is_call(text: &str, tools: &[String]) -> bool {
    let text = text.trim();
    let (body, language) = unfenced(text);
    if begins(body, tools) || (language.starts_with("tool") && pythonic(body, tools)) {
        return true;
    }
    behind_preamble(text, tools)
}

/// Whether the text begins with a call.
fn begins(text: &str, tools: &[String]) -> bool {
    let text = text.trim();
    marked(text, tools) || json_call(text, tools) || pythonic(text, tools) || react(text, tools)
}

/// A template's mark with the structure of a call behind it.
fn marked(text: &str, tools: &[String]) -> bool {
    let head: String = text.chars().take(64).collect::<String>().to_lowercase();
    let Some(mark) = MARKS.iter().find(|m| head.starts_with(**m)) else {
        return false;
    };
    // Harmony's channels are never an answer; nor are these openings in any other text.
    if mark.starts_with("<|")
        || mark.starts_with("<｜")
        || mark.ends_with('.')
        || mark.ends_with('=')
    {
        return true;
    }
    let rest: String = text
        .chars()
        .skip(mark.chars().count())
        .take(400)
        .collect::<String>()
        .trim_start()
        .to_lowercase();
    let named = tools.iter().any(|t| names(&rest, t));
    match *mark {
        // These tags stand in any kind of page: only with a tool's name.
        "<response>" | "<name>" | "<tool>" => {
            let first: String = rest.chars().take(40).collect();
            tools.iter().any(|t| names(&first, t))
                && (rest.contains("argument") || rest.contains("query"))
        }
        _ => named || rest.is_empty() || rest.starts_with(['{', '[', '<']),
    }
}

fn names(text: &str, tool: &str) -> bool {
    text.match_indices(tool).any(|(at, _)| {
        let word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
        !word(text.get(..at).and_then(|t| t.chars().next_back()))
            && !word(text.get(at + tool.len()..).and_then(|t| t.chars().next()))
    })
}

/// JSON that is a call, or several one after the other, or one that was cut off.
fn json_call(text: &str, tools: &[String]) -> bool {
    if !text.starts_with(['{', '[']) {
        return false;
    }
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<serde_json::Value>();
    match values.next() {
        Some(Ok(serde_json::Value::Array(items))) => {
            !items.is_empty() && items.iter().all(|v| is_call_object(v, tools))
        }
        Some(Ok(value)) => is_call_object(&value, tools),
        _ => looks_cut(text, tools),
    }
}

/// A JSON call that was cut off before its end, or whose quotes are missing.
fn looks_cut(text: &str, tools: &[String]) -> bool {
    let compact: String = text
        .chars()
        .take(240)
        .filter(|c| !c.is_whitespace() && !matches!(c, '"' | '\''))
        .collect();
    let object = compact.trim_start_matches(['[', '{']);
    let function = object
        .strip_prefix("type:function,function:{")
        .or_else(|| object.strip_prefix("function:{"))
        .unwrap_or(object);
    tools.iter().any(|t| {
        [
            "name:",
            "tool:",
            "function:",
            "tool_name:",
            "action:call,tool:",
        ]
        .iter()
        .any(|key| {
            let rest = function
                .strip_prefix(key)
                .and_then(|r| r.strip_prefix(t.as_str()));
            rest.is_some_and(|r| {
                let r = r.trim_start_matches([',', '}']);
                r.is_empty()
                    || ARGUMENTS
                        .iter()
                        .any(|a| r.starts_with(a) || a.starts_with(r))
            })
        })
    })
}

fn is_call_object(value: &serde_json::Value, tools: &[String]) -> bool {
    let Some(object) = value.as_object() else {
        return false;
    };
    if let Some(calls) = object.get("tool_calls") {
        return calls.is_array();
    }
    if let Some(inner) = object.get("function").filter(|f| f.is_object()) {
        return is_call_object(inner, tools);
    }
    let name = ["name", "tool", "function", "tool_name", "action"]
        .iter()
        .filter_map(|k| object.get(*k)?.as_str())
        .find(|n| {
            tools
                .iter()
                .any(|t| t == n.trim_start_matches("functions."))
        });
    let arguments = ARGUMENTS.iter().any(|a| object.contains_key(*a));
    if name.is_some() {
        return arguments || object.len() == 1;
    }
    // A call of a tool that is not on offer looks like nothing else either.
    let only = object.keys().all(|k| {
        matches!(
            k.as_str(),
            "name" | "arguments" | "parameters" | "id" | "type"
        )
    });
    let inner = object.get("arguments").or_else(|| object.get("parameters"));
    only && object.get("name").is_some_and(serde_json::Value::is_string)
        && inner.is_some_and(serde_json::Value::is_object)
}

/// `[crtsh(query="example.com")]`, `crtsh(query="example.com")`, `print(default_api.crtsh(…))`.
fn pythonic(text: &str, tools: &[String]) -> bool {
    let text = text
        .trim()
        .trim_end_matches([']', ' '])
        .trim_start_matches('[');
    let text = text.strip_prefix("print(").unwrap_or(text);
    let text = text.strip_prefix("default_api.").unwrap_or(text);
    let one_line = text.lines().filter(|l| !l.trim().is_empty()).count() <= 8;
    tools.iter().any(|t| {
        text.strip_prefix(t.as_str())
            .and_then(|r| r.strip_prefix('('))
            .is_some_and(|r| {
                one_line && r.trim_end().ends_with(')') && r.contains(['=', '"', '\''])
            })
    })
}

/// `Action: crtsh` and `Action Input: …` on the next line.
fn react(text: &str, tools: &[String]) -> bool {
    let mut lines = text.lines().map(str::trim).filter(|l| !l.is_empty());
    let mut last_action = false;
    for line in lines.by_ref().take(40) {
        let lower = line.to_lowercase();
        if last_action && lower.starts_with("action input:") {
            return true;
        }
        last_action = lower
            .strip_prefix("action:")
            .is_some_and(|r| tools.iter().any(|t| r.trim().trim_matches('`') == t));
    }
    false
}

/// A call that ends the text, behind a short preamble that does not introduce a quotation.
fn behind_preamble(text: &str, tools: &[String]) -> bool {
    let lower = text.to_lowercase();
    // Lower-casing keeps the length for all that matters here; where it does not, nothing is guessed.
    if lower.len() != text.len() {
        return false;
    }
    let mut starts: Vec<usize> = MARKS
        .iter()
        .filter_map(|m| lower.find(m))
        .chain(text.match_indices("\n{").map(|(i, _)| i + 1))
        .chain(text.match_indices("\n[").map(|(i, _)| i + 1))
        .chain(text.match_indices("\n```").map(|(i, _)| i + 1))
        .filter(|at| (1..=PREAMBLE).contains(at))
        .collect();
    starts.sort_unstable();
    starts.into_iter().take(32).any(|at| {
        let (before, rest) = text.split_at(at);
        let line = before.rsplit('\n').next().unwrap_or_default();
        let in_code = line.matches('`').count() % 2 == 1 || before.matches("```").count() % 2 == 1;
        let quoted = line.trim_start().starts_with('>')
            || line.trim_end().ends_with(['"', '“', '\'', '‘', '«', '`']);
        if in_code || quoted || introduces(before) {
            return false;
        }
        let (body, _) = unfenced(rest.trim());
        let is = marked(body, tools) || json_call(body, tools);
        is && !prose_behind(rest)
    })
}

/// Whether the preamble speaks of what somebody else wrote.
fn introduces(before: &str) -> bool {
    const OTHERS: [&str; 22] = [
        "contain", "evidence", "inject", "tried", "tries", "page", "says", "said", "text",
        "instruct", "returned", "quote", "attempt", "log", "banner", "html", "script", "body",
        "example", "payload", "title", "header",
    ];
    let last = before
        .trim_end()
        .rsplit(['\n', '.'])
        .find(|s| !s.trim().is_empty());
    let last = last.unwrap_or_default().to_lowercase();
    OTHERS.iter().any(|w| last.contains(w))
}

/// More than a few words behind the last mark that can end a call.
fn prose_behind(rest: &str) -> bool {
    let end = rest.rfind(['>', '}', ']', '`', ')']).map_or(0, |i| i + 1);
    rest.get(end..)
        .unwrap_or_default()
        .split_whitespace()
        .count()
        > 3
}

/// The inside of a text that is one code fence, and the fence's language.
fn unfenced(text: &str) -> (&str, &str) {
    let Some((first, body)) = text.strip_prefix("```").and_then(|r| r.split_once('\n')) else {
        return (text, "");
    };
    let body = body.trim_end();
    let inside = body.strip_suffix("```").unwrap_or(body).trim();
    (inside, first.trim())
}
