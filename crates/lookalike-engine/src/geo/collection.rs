//! The features of a GeoJSON document one by one.

use super::feature::check_crs;
use lookalike_formats::{Error, Result};
use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};
use std::fmt;
use std::io::Read;

/// Who takes the features of a document.
pub(super) trait TakeFeatures {
    /// Features of a collection follow.
    fn begin_collection(&mut self) -> Result<()>;

    /// The next feature, or the only one of a document that is no collection.
    fn feature(&mut self, feature: Value) -> Result<()>;
}

/// Hands over the features of a document, of which one at a time is in memory.
///
/// # Errors
/// Those of the taker, as they are; a document that is no GeoJSON, by line and column; an input that cannot be read.
pub(super) fn read_document(input: impl Read, taker: &mut dyn TakeFeatures) -> Result<()> {
    let mut failure = None;
    let mut deserializer = serde_json::Deserializer::from_reader(input);
    let read = Document { taker, failure: &mut failure }.deserialize(&mut deserializer);
    let read = read.and_then(|()| deserializer.end());
    match (failure, read) {
        (Some(error), _) => Err(error),
        (None, Err(error)) => Err(explain(error)),
        (None, Ok(())) => Ok(()),
    }
}

/// An error of the parser. Its words are about JSON and quote none of it, but for those about data.
pub(super) fn explain(error: serde_json::Error) -> Error {
    let place = format!("line {}, column {}", error.line(), error.column());
    match error.classify() {
        serde_json::error::Category::Io => {
            let error = std::io::Error::from(error);
            match error.get_ref() {
                Some(_) if error.raw_os_error().is_none() => Error::input(error.to_string()),
                _ => Error::system("cannot read", error),
            }
        }
        serde_json::error::Category::Eof => Error::input(format!("{place}: ends too early (is the file complete?)")),
        serde_json::error::Category::Syntax => Error::input(format!("not JSON: {error}")),
        serde_json::error::Category::Data => {
            Error::input(format!("{place}: not GeoJSON, expected a FeatureCollection, a Feature or a geometry"))
        }
    }
}

struct Document<'a> {
    taker: &'a mut dyn TakeFeatures,
    /// The error that ends the reading, since a parser's own has only words.
    failure: &'a mut Option<Error>,
}

impl<'de> DeserializeSeed<'de> for Document<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> std::result::Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Document<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> std::result::Result<(), A::Error> {
        let (mut others, mut is_collection) = (Map::new(), false);
        while let Some(key) = entries.next_key::<String>()? {
            if key != "features" {
                others.insert(key, entries.next_value()?);
            } else if std::mem::replace(&mut is_collection, true) {
                return Err(failed(self.failure, Error::input("key \"features\" occurs twice")));
            } else {
                let begun = self.taker.begin_collection();
                begun.map_err(|error| failed(self.failure, error))?;
                entries.next_value_seed(Features { taker: self.taker, failure: self.failure })?;
            }
        }
        let ended = end(self.taker, others, is_collection);
        ended.map_err(|error| failed(self.failure, error))
    }
}

/// What is known once all members of a document are read.
fn end(taker: &mut dyn TakeFeatures, others: Map<String, Value>, is_collection: bool) -> Result<()> {
    let is_named_so = others.get("type").and_then(Value::as_str) == Some("FeatureCollection");
    match (is_collection, is_named_so) {
        (true, true) => check_crs(&others),
        (true, false) => Err(Error::input("features, but the type is no FeatureCollection")),
        (false, true) => Err(Error::input("a FeatureCollection without features")),
        (false, false) => taker.feature(Value::Object(others)),
    }
}

struct Features<'a> {
    taker: &'a mut dyn TakeFeatures,
    failure: &'a mut Option<Error>,
}

impl<'de> DeserializeSeed<'de> for Features<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> std::result::Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Features<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of features")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> std::result::Result<(), A::Error> {
        while let Some(feature) = items.next_element::<Value>()? {
            let taken = self.taker.feature(feature);
            taken.map_err(|error| failed(self.failure, error))?;
        }
        Ok(())
    }
}

/// Puts an error aside and ends the parser with another.
fn failed<E: serde::de::Error>(failure: &mut Option<Error>, error: Error) -> E {
    *failure = Some(error);
    E::custom("told elsewhere")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default)]
    struct Taken(Vec<String>);

    impl TakeFeatures for Taken {
        fn begin_collection(&mut self) -> Result<()> {
            self.0.push("begin".to_owned());
            Ok(())
        }

        fn feature(&mut self, feature: Value) -> Result<()> {
            if feature.get("stop").is_some() {
                return Err(Error::input("the taker's own words"));
            }
            self.0.push(feature.to_string());
            Ok(())
        }
    }

    fn read(text: &str) -> std::result::Result<Vec<String>, String> {
        let mut taken = Taken::default();
        read_document(text.as_bytes(), &mut taken).map(|()| taken.0).map_err(|error| error.to_string())
    }

    #[test]
    fn members_may_come_in_any_order() {
        let expected = Ok(vec!["begin".to_owned(), "{\"a\":1.50}".to_owned(), "{\"b\":2}".to_owned()]);
        assert_eq!(read(r#"{"type":"FeatureCollection","features":[{"a":1.50},{"b":2}]}"#), expected);
        assert_eq!(read(r#"{"features":[{"a":1.50},{"b":2}],"x":{},"type":"FeatureCollection"} "#), expected);
        assert_eq!(read(r#"{"type":"Feature","c":[]}"#), Ok(vec![r#"{"type":"Feature","c":[]}"#.to_owned()]));
        assert_eq!(read(r#"{"type":"FeatureCollection","features":[]}"#), Ok(vec!["begin".to_owned()]));
    }

    #[test]
    fn errors_are_the_taker_s_or_quote_nothing() {
        assert_eq!(read(r#"{"features":[{"stop":1},{"#), Err("the taker's own words".to_owned()));
        assert_eq!(read(r#"{"type":"FeatureCollection"}"#), Err("a FeatureCollection without features".to_owned()));
        assert_eq!(read(r#"{"features":[]}"#), Err("features, but the type is no FeatureCollection".to_owned()));
        assert_eq!(read(r#"{"features":[],"features":[]}"#), Err("key \"features\" occurs twice".to_owned()));
        let end = "line 1, column 14: ends too early (is the file complete?)";
        assert_eq!(read(r#"{"features":[{"#), Err(end.to_owned()));
        for text in ["\"SECRETMARKER\"", "77.7", "[]", r#"{"features":"SECRETMARKER"}"#, r#"{"features":77.7}"#] {
            let error = read(text).unwrap_err();
            assert!(error.contains("not GeoJSON, expected a FeatureCollection"), "{error}");
            assert!(!error.contains("SECRET") && !error.contains("77"), "{error}");
        }
        for text in ["{SECRETMARKER", "{\"a\":77x}", "{} {}", "{\"a\" 77}", "type,SECRETMARKER"] {
            let error = read(text).unwrap_err();
            assert!(error.starts_with("not JSON: ") && !error.contains("SECRET") && !error.contains("77"), "{error}");
        }
        assert!(read(&"[".repeat(1_000_000)).is_err());
        let crs = r#"{"type":"FeatureCollection","features":[],"crs":{"properties":{"name":"EPSG:3857"}}}"#;
        assert!(read(crs).unwrap_err().starts_with("crs: EPSG 3857, expected"));
    }
}
