//! Holds what `--json` prints to `schemas/facts.schema.json`, which has a property for each verb.

#[path = "../../../../lookalike-formats/tests/all/validator/mod.rs"]
mod validator;

use serde_json::Value;
use std::path::Path;
use std::sync::OnceLock;
use validator::Schema;

/// The schema, read once.
pub fn schema() -> &'static Schema {
    static SCHEMA: OnceLock<Schema> = OnceLock::new();
    SCHEMA.get_or_init(|| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../schemas/facts.schema.json");
        Schema::new(serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap())
    })
}

/// The verb of a command line, as the schema names it: `counts design`, `fit`.
pub fn verb_of(words: &[String]) -> Option<String> {
    let known = |verb: String| schema().json()["properties"].get(&verb).map(|_| verb);
    let first = words.first()?;
    words.get(1).and_then(|second| known(format!("{first} {second}"))).or_else(|| known(first.clone()))
}

/// What is wrong with an answer of a verb. With the exit code 1 it may be that of `certify`, for a mechanism whose claim is
/// false.
pub fn error(verb: &str, code: i32, answer: &Value) -> Option<String> {
    let of = |verb: &str| schema().error_at(&format!("/properties/{verb}"), answer);
    let error = of(verb)?;
    if code == 1 && of("certify").is_none() { None } else { Some(error) }
}

/// Holds every answer that any test asks for to the schema.
#[track_caller]
pub fn check(words: &[String], code: Option<i32>, stdout: &str) {
    let has = |word: &str| words.iter().any(|other| other == word);
    let Some(verb) = verb_of(words) else { return };
    // There standard output is a file.
    let is_file = (verb == "export" || verb == "ledger export") && !has("-o");
    let Some(code @ (0 | 1)) = code.filter(|_| has("--json") && !has("--help") && !is_file) else { return };
    if !stdout.is_empty() {
        let answer = serde_json::from_str(stdout).unwrap_or_else(|error| panic!("{words:?}: {error}:\n{stdout}"));
        if let Some(error) = error(&verb, code, &answer) {
            panic!("{words:?} answers with what schemas/facts.schema.json does not have: {error}");
        }
    }
}
