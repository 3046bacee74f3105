//! JSON Schema, as far as our schema uses it: a whole validator takes minutes to build.

use serde_json::Value;
use std::collections::HashSet;

/// A schema with its definitions.
pub struct Schema(Value);

/// Keywords that say nothing about validity.
const ANNOTATIONS: [&str; 6] = ["$schema", "$id", "$defs", "title", "description", "examples"];

#[allow(dead_code, reason = "not every program of tests asks for parts, or for the whole")]
impl Schema {
    pub fn new(schema: Value) -> Self {
        assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
        Schema(schema)
    }

    /// The first rule that a value breaks, with its place; `None` for a valid value.
    pub fn error(&self, value: &Value) -> Option<String> {
        self.check(&self.0, value).map(|error| format!("at top{error}"))
    }

    /// The same by a part of the schema.
    pub fn error_at(&self, pointer: &str, value: &Value) -> Option<String> {
        self.error_by(self.0.pointer(pointer).expect("a part of the schema"), value)
    }

    /// The same by a part of the schema that is here.
    pub fn error_by(&self, part: &Value, value: &Value) -> Option<String> {
        self.check(part, value).map(|error| format!("at top{error}"))
    }

    /// The schema itself.
    pub fn json(&self) -> &Value {
        &self.0
    }

    fn check(&self, schema: &Value, value: &Value) -> Option<String> {
        let rules = match schema {
            Value::Bool(true) => return None,
            Value::Bool(false) => return Some(": not allowed here".into()),
            schema => schema.as_object().expect("a schema is an object or a boolean"),
        };
        let checked = rules.iter().filter(|(keyword, _)| !ANNOTATIONS.contains(&keyword.as_str()));
        checked.into_iter().find_map(|(keyword, rule)| self.keyword(schema, keyword, rule, value))
    }

    fn keyword(&self, schema: &Value, keyword: &str, rule: &Value, value: &Value) -> Option<String> {
        let broken = |holds: bool| (!holds).then(|| format!(": {keyword} {rule} is broken by {value}"));
        let size = || rule.as_u64().unwrap() as usize;
        let count = || rule.as_array().unwrap().iter().filter(|one| self.check(one, value).is_none()).count();
        // A rule about lists says nothing about texts, and so on.
        match (keyword, value) {
            ("$ref", _) => {
                let place = rule.as_str().unwrap().strip_prefix('#').unwrap();
                self.check(self.0.pointer(place).expect("a definition"), value)
            }
            ("type", _) => match rule {
                Value::Array(names) => broken(names.iter().any(|name| is_of_type(value, name.as_str().unwrap()))),
                name => broken(is_of_type(value, name.as_str().unwrap())),
            },
            ("const", _) => broken(value == rule),
            ("enum", _) => broken(rule.as_array().unwrap().contains(value)),
            ("oneOf", _) => broken(count() == 1),
            ("anyOf", _) => {
                let errors = rule.as_array().unwrap().iter().map(|one| self.check(one, value));
                errors.collect::<Option<Vec<_>>>().map(|errors| format!(": none of {{{}}}", errors.join("; ")))
            }
            ("allOf", _) => rule.as_array().unwrap().iter().find_map(|one| self.check(one, value)),
            ("items", Value::Array(items)) => items
                .iter()
                .enumerate()
                .find_map(|(at, item)| self.check(rule, item).map(|error| format!("/{at}{error}"))),
            ("minItems", Value::Array(items)) => broken(items.len() >= size()),
            ("maxItems", Value::Array(items)) => broken(items.len() <= size()),
            ("uniqueItems", Value::Array(items)) => {
                broken(items.iter().map(Value::to_string).collect::<HashSet<_>>().len() == items.len())
            }
            ("required", Value::Object(entries)) => {
                broken(rule.as_array().unwrap().iter().all(|key| entries.contains_key(key.as_str().unwrap())))
            }
            ("dependentRequired", Value::Object(entries)) => {
                broken(rule.as_object().unwrap().iter().all(|(key, others)| {
                    let others =
                        || others.as_array().unwrap().iter().all(|key| entries.contains_key(key.as_str().unwrap()));
                    !entries.contains_key(key) || others()
                }))
            }
            ("minProperties", Value::Object(entries)) => broken(entries.len() >= size()),
            ("properties", Value::Object(entries)) => entries
                .iter()
                .find_map(|(key, entry)| self.check(rule.get(key)?, entry).map(|error| format!("/{key}{error}"))),
            ("additionalProperties", Value::Object(entries)) => {
                let known = |key: &str| schema.get("properties").is_some_and(|known| known.get(key).is_some());
                let others = entries.iter().filter(|(key, _)| !known(key));
                others
                    .into_iter()
                    .find_map(|(key, entry)| self.check(rule, entry).map(|error| format!("/{key}{error}")))
            }
            ("minLength", Value::String(text)) => broken(text.chars().count() >= size()),
            ("pattern", Value::String(text)) => broken(matches(rule.as_str().unwrap(), text)),
            ("minimum", Value::Number(number)) => broken(number.as_f64().unwrap() >= rule.as_f64().unwrap()),
            // Doubles do not tell 2^53 from 2^53 + 1.
            ("maximum", Value::Number(number)) => {
                broken(number.as_i64().is_some_and(|one| one <= rule.as_i64().unwrap()))
            }
            (
                "items"
                | "minItems"
                | "maxItems"
                | "uniqueItems"
                | "required"
                | "dependentRequired"
                | "minProperties"
                | "properties"
                | "additionalProperties"
                | "minLength"
                | "pattern"
                | "minimum"
                | "maximum",
                _,
            ) => None,
            (other, _) => panic!("the schema uses {other}, which this validator does not know"),
        }
    }
}

fn is_of_type(value: &Value, name: &str) -> bool {
    match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        "number" => value.is_number(),
        "integer" => value.is_i64() || value.is_u64(),
        other => panic!("the schema uses the type {other}, which this validator does not know"),
    }
}

/// The one pattern of the schema, by hand.
fn matches(pattern: &str, text: &str) -> bool {
    assert_eq!(pattern, "^-?[0-9]+(/[0-9]+)?$");
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let (numerator, denominator) = unsigned.split_once('/').unwrap_or((unsigned, "1"));
    digits(numerator) && digits(denominator)
}
