//! What is said of an outcome, to machines.

use lookalike::exact::{Direction, Rational, to_f64};
use serde::Serialize;
use serde_json::Value;
use std::path::Path;

/// What an outcome says of itself: a struct whose fields are what `--json` prints and what Python reads.
pub trait Facts {
    /// All of it, in the order of the fields.
    fn json(&self) -> Value;

    /// The same with the file that was written, if one was.
    fn written(&self, file: Option<&Path>) -> Value {
        let mut object = self.json();
        object["file"] = file.map(|path| path.display().to_string()).into();
        object
    }
}

impl<T: Serialize> Facts for T {
    fn json(&self) -> Value {
        lookalike_formats::json_of(self)
    }
}

/// A number that is a bound from above, as a double.
pub(crate) fn up(number: &Rational) -> f64 {
    to_f64(number, Direction::Up)
}

/// A number that is a bound from below, as a double.
pub(crate) fn down(number: &Rational) -> f64 {
    to_f64(number, Direction::Down)
}

/// The nearest double.
pub(crate) fn nearest(number: &Rational) -> f64 {
    to_f64(number, Direction::Nearest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Serialize)]
    struct Two {
        later: u8,
        earlier: f64,
    }

    #[test]
    fn facts_are_in_the_order_of_their_fields_and_the_file_is_last() {
        let two = Two { later: 1, earlier: 0.5 };
        assert_eq!(two.json().to_string(), r#"{"later":1,"earlier":0.5}"#);
        assert_eq!(two.written(Some(Path::new("m.json"))).to_string(), r#"{"later":1,"earlier":0.5,"file":"m.json"}"#);
        assert_eq!(two.written(None)["file"], Value::Null);
    }
}
