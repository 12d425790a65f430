//! The schema of arguments, generated from the type, and a reader of the part of JSON Schema that such schemas
//! use: it names the field that is wrong, which a deserializer's message does not.

use super::Refusal;
use super::RefusalKey;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value};

/// The schema of `T`: an object without references, closed, and without `null` for what may be left out.
pub(super) fn of<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().with(|s| {
        s.inline_subschemas = true;
        s.meta_schema = None;
    });
    let mut value = settings
        .into_generator()
        .into_root_schema_for::<T>()
        .to_value();
    plain(&mut value);
    if let Value::Object(map) = &mut value {
        map.remove("title");
        map.remove("description");
        map.entry("properties")
            .or_insert_with(|| Value::Object(Map::new()));
        map.insert("additionalProperties".to_owned(), Value::Bool(false));
    }
    value
}

/// Takes out what servers stumble over or what says nothing: `null`, formats of numbers, defaults; and turns a
/// choice between constants into one `enum`.
fn plain(value: &mut Value) {
    let Value::Object(map) = value else { return };
    map.remove("format");
    map.remove("default");
    if let Some(Value::Array(types)) = map.get_mut("type") {
        types.retain(|t| t != "null");
        if types.len() == 1 {
            let only = types.remove(0);
            map.insert("type".to_owned(), only);
        }
    }
    if let Some(Value::Array(values)) = map.get_mut("enum") {
        values.retain(|v| !v.is_null());
    }
    for key in ["anyOf", "oneOf"] {
        let Some(Value::Array(mut choices)) = map.remove(key) else {
            continue;
        };
        choices.retain(|c| c.get("type") != Some(&Value::String("null".to_owned())));
        choices.iter_mut().for_each(plain);
        let constants: Vec<Value> = choices
            .iter()
            .filter_map(|c| c.get("const").cloned())
            .collect();
        if constants.len() == choices.len() && !constants.is_empty() {
            map.insert("type".to_owned(), Value::String("string".to_owned()));
            map.insert("enum".to_owned(), Value::Array(constants));
        } else if let (1, Some(Value::Object(only))) = (choices.len(), choices.first()) {
            for (k, v) in only {
                // The words of the field say more than those of its type.
                map.entry(k.clone()).or_insert_with(|| v.clone());
            }
        } else {
            map.insert(key.to_owned(), Value::Array(choices));
        }
    }
    if let Some(Value::Object(properties)) = map.get_mut("properties") {
        properties.values_mut().for_each(plain);
    }
    if let Some(items) = map.get_mut("items") {
        plain(items);
    }
}

/// Compares a value with a schema of [`of`].
pub(super) fn check(schema: &Value, value: &Value) -> Result<(), Refusal> {
    at(schema, value, "")
}

fn wrong(path: &str, expected: impl Into<String>) -> Refusal {
    let expected = expected.into();
    let sentence = if path.is_empty() {
        format!("The arguments are wrong: {expected}.")
    } else {
        format!("The field \"{path}\" is wrong: {expected}.")
    };
    Refusal {
        field: (!path.is_empty()).then(|| path.to_owned()),
        ..Refusal::new(RefusalKey::Arguments, sentence)
    }
}

fn at(schema: &Value, value: &Value, path: &str) -> Result<(), Refusal> {
    let Value::Object(schema) = schema else {
        return Ok(());
    };
    kind(schema, value, path)?;
    if let Some(Value::Array(allowed)) = schema.get("enum")
        && !allowed.contains(value)
    {
        let names: Vec<&str> = allowed.iter().filter_map(Value::as_str).collect();
        return Err(wrong(
            path,
            format!("one of {} is expected", names.join(", ")),
        ));
    }
    match value {
        Value::Object(map) => object(schema, map, path),
        Value::Array(items) => array(schema, items, path),
        Value::String(text) => {
            let n = text.chars().count() as u64;
            bounds(
                schema,
                "minLength",
                "maxLength",
                Some(n),
                path,
                "characters",
            )
        }
        Value::Number(number) => {
            let n = number.as_f64().unwrap_or(f64::NAN);
            let low = schema.get("minimum").and_then(Value::as_f64);
            let high = schema.get("maximum").and_then(Value::as_f64);
            match (low, high) {
                (Some(l), _) if n < l => Err(wrong(path, format!("at least {l} is expected"))),
                (_, Some(h)) if n > h => Err(wrong(path, format!("at most {h} is expected"))),
                _ => Ok(()),
            }
        }
        _ => Ok(()),
    }
}

fn kind(schema: &Map<String, Value>, value: &Value, path: &str) -> Result<(), Refusal> {
    let fits = |name: &str| match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        _ => false,
    };
    match schema.get("type") {
        Some(Value::String(name)) if !fits(name) => {
            let article = if name.starts_with(['a', 'o', 'i']) {
                "an"
            } else {
                "a"
            };
            Err(wrong(path, format!("{article} {name} is expected")))
        }
        Some(Value::Array(names)) if !names.iter().filter_map(Value::as_str).any(fits) => {
            Err(wrong(path, "another type is expected"))
        }
        _ => Ok(()),
    }
}

fn object(
    schema: &Map<String, Value>,
    map: &Map<String, Value>,
    path: &str,
) -> Result<(), Refusal> {
    let below = |name: &str| {
        if path.is_empty() {
            name.to_owned()
        } else {
            format!("{path}.{name}")
        }
    };
    let Some(Value::Object(properties)) = schema.get("properties") else {
        return Ok(());
    };
    let closed = schema.get("additionalProperties") == Some(&Value::Bool(false));
    if closed && map.keys().any(|k| !properties.contains_key(k)) {
        // The unknown name is the model's own text and is not said back.
        let known: Vec<&str> = properties.keys().map(String::as_str).collect();
        let known = if known.is_empty() {
            "there are none".to_owned()
        } else {
            format!("the fields are {}", known.join(", "))
        };
        return Err(wrong(path, format!("there is a field too many, {known}")));
    }
    if let Some(Value::Array(required)) = schema.get("required") {
        for name in required.iter().filter_map(Value::as_str) {
            if !map.contains_key(name) {
                return Err(wrong(&below(name), "it is missing"));
            }
        }
    }
    for (name, value) in map {
        if let Some(schema) = properties.get(name) {
            at(schema, value, &below(name))?;
        }
    }
    Ok(())
}

fn array(schema: &Map<String, Value>, items: &[Value], path: &str) -> Result<(), Refusal> {
    bounds(
        schema,
        "minItems",
        "maxItems",
        Some(items.len() as u64),
        path,
        "entries",
    )?;
    if let Some(of) = schema.get("items") {
        for (i, item) in items.iter().enumerate() {
            at(of, item, &format!("{path}[{i}]"))?;
        }
    }
    Ok(())
}

fn bounds(
    schema: &Map<String, Value>,
    low: &str,
    high: &str,
    n: Option<u64>,
    path: &str,
    unit: &str,
) -> Result<(), Refusal> {
    let Some(n) = n else { return Ok(()) };
    let limit = |key: &str| schema.get(key).and_then(Value::as_u64);
    match (limit(low), limit(high)) {
        (Some(l), _) if n < l => Err(wrong(path, format!("at least {l} {unit} are expected"))),
        (_, Some(h)) if n > h => Err(wrong(path, format!("at most {h} {unit} are expected"))),
        _ => Ok(()),
    }
}
