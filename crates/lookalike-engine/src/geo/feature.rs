//! One feature of GeoJSON, its positions apart from its shape.

use super::places::Places;
use lookalike_formats::{Error, Result};
use serde_json::{Map, Value};
use std::fmt::Write;

/// A feature or a bare geometry without its positions.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Feature {
    /// What is written beside the geometry; `None` for a bare geometry.
    members: Option<Map<String, Value>>,
    shape: Shape,
}

/// How the positions of a geometry belong together.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Shape {
    Point,
    MultiPoint(usize),
    LineString(usize),
    MultiLineString(Vec<usize>),
    GeometryCollection(Vec<Shape>),
}

/// Positions on their way: places, and altitudes where they are kept.
#[derive(Debug, Clone, Default)]
pub(super) struct Positions {
    pub places: Places,
    pub altitudes: Vec<Option<Value>>,
}

/// The geometries that have positions of their own.
const SUPPORTED: &str = "expected Point, MultiPoint, LineString, MultiLineString or a GeometryCollection of these";
const SUPPORTED_TYPES: [&str; 5] = ["Point", "MultiPoint", "LineString", "MultiLineString", "GeometryCollection"];

impl Feature {
    /// Takes a feature apart: its positions go behind the others, and of its properties those to keep stay.
    ///
    /// # Errors
    /// What is no feature or geometry with positions, in words without them.
    pub fn read(value: Value, keep: &[String], positions: &mut Positions) -> Result<Feature> {
        let mut object = object(value)?;
        if object.get("type").and_then(Value::as_str) != Some("Feature") {
            return Ok(Feature { members: None, shape: shape(object, positions)? });
        }
        check_crs(&object)?;
        let mut members = Map::new();
        if let Some(id) = object.remove("id").filter(|_| is_kept("id", keep)) {
            members.insert("id".to_owned(), id);
        }
        let geometry = match object.remove("geometry") {
            None | Some(Value::Null) => {
                return Err(Error::input("no geometry, expected a place (leave the feature out)"));
            }
            Some(geometry) => self::object(geometry)?,
        };
        let mut properties = match object.remove("properties") {
            Some(Value::Object(properties)) => properties,
            _ => Map::new(),
        };
        properties.retain(|name, _| is_kept(name, keep));
        members.insert("properties".to_owned(), Value::Object(properties));
        Ok(Feature { members: Some(members), shape: shape(geometry, positions)? })
    }

    /// Which of the names to keep this feature has.
    pub fn has(&self, name: &str) -> bool {
        let members = self.members.as_ref();
        members.is_some_and(|members| {
            (name == "id" && members.contains_key("id")) || members["properties"].get(name).is_some()
        })
    }

    /// The text of the feature with other positions, which come one by one.
    pub fn text(&self, mut next: impl FnMut() -> String) -> String {
        let mut text = String::new();
        match &self.members {
            None => self.shape.write(&mut next, &mut text),
            Some(members) => {
                text += "{\"type\":\"Feature\",";
                if let Some(id) = members.get("id") {
                    // Writing to a string cannot fail.
                    let _ = write!(text, "\"id\":{id},");
                }
                text += "\"geometry\":";
                self.shape.write(&mut next, &mut text);
                let _ = write!(text, ",\"properties\":{}}}", members["properties"]);
            }
        }
        text
    }
}

impl Shape {
    fn write(&self, next: &mut dyn FnMut() -> String, text: &mut String) {
        let mut list = |count: usize| format!("[{}]", (0..count).map(|_| next()).collect::<Vec<_>>().join(","));
        let (name, coordinates) = match self {
            Shape::Point => ("Point", next()),
            Shape::MultiPoint(count) => ("MultiPoint", list(*count)),
            Shape::LineString(count) => ("LineString", list(*count)),
            Shape::MultiLineString(counts) => {
                let lines: Vec<String> = counts.iter().map(|count| list(*count)).collect();
                ("MultiLineString", format!("[{}]", lines.join(",")))
            }
            Shape::GeometryCollection(shapes) => {
                text.push_str("{\"type\":\"GeometryCollection\",\"geometries\":[");
                for (at, shape) in shapes.iter().enumerate() {
                    text.push_str(if at == 0 { "" } else { "," });
                    shape.write(next, text);
                }
                return text.push_str("]}");
            }
        };
        let _ = write!(text, "{{\"type\":\"{name}\",\"coordinates\":{coordinates}}}");
    }
}

impl Positions {
    /// Puts others behind these.
    pub fn append(&mut self, others: Positions) {
        self.places.latitudes.extend(others.places.latitudes);
        self.places.longitudes.extend(others.places.longitudes);
        self.altitudes.extend(others.altitudes);
    }

    fn push(&mut self, position: &Value) -> Result<()> {
        let at = self.places.len() + 1;
        let degrees = |at: usize| position.get(at).and_then(Value::as_f64);
        let (Some(longitude), Some(latitude)) = (degrees(0), degrees(1)) else {
            return Err(Error::input(format!("position {at}: not two numbers, expected [longitude, latitude]")));
        };
        self.places.push(latitude, longitude);
        self.altitudes.push(position.get(2).filter(|altitude| altitude.is_number()).cloned());
        Ok(())
    }
}

fn is_kept(name: &str, keep: &[String]) -> bool {
    keep.iter().any(|kept| kept == name)
}

fn object(value: Value) -> Result<Map<String, Value>> {
    match value {
        Value::Object(object) => Ok(object),
        _ => Err(Error::input("found no object, expected a Feature or a geometry")),
    }
}

fn shape(mut geometry: Map<String, Value>, positions: &mut Positions) -> Result<Shape> {
    check_crs(&geometry)?;
    let found = geometry.get("type").and_then(Value::as_str).unwrap_or_default().to_owned();
    if found == "GeometryCollection" {
        let Some(Value::Array(geometries)) = geometry.remove("geometries") else {
            return Err(Error::input("GeometryCollection: no list of geometries"));
        };
        let shapes = geometries.into_iter().map(|geometry| shape(object(geometry)?, positions));
        return Ok(Shape::GeometryCollection(not_empty(shapes.collect::<Result<_>>()?)?));
    }
    if !SUPPORTED_TYPES.contains(&found.as_str()) {
        // Other texts might be anything.
        return Err(Error::input(match found.as_str() {
            "Polygon" | "MultiPolygon" => format!("found a {found}: the border of an area is no place, {SUPPORTED}"),
            "FeatureCollection" => "found a FeatureCollection in another, expected a Feature".to_owned(),
            _ => format!("found another type, {SUPPORTED}"),
        }));
    }
    let coordinates = geometry.remove("coordinates").unwrap_or_default();
    let list = |value: &Value, positions: &mut Positions| -> Result<usize> {
        let Value::Array(items) = value else {
            return Err(Error::input(format!("{found}: no list of positions, expected [[longitude, latitude], …]")));
        };
        items.iter().try_for_each(|position| positions.push(position))?;
        Ok(not_empty(items.iter().collect())?.len())
    };
    match found.as_str() {
        "Point" => positions.push(&coordinates).map(|()| Shape::Point),
        "MultiPoint" => list(&coordinates, positions).map(Shape::MultiPoint),
        "LineString" => list(&coordinates, positions).map(Shape::LineString),
        _ => {
            let lines = coordinates.as_array().map(Vec::as_slice).unwrap_or_default();
            let counts = lines.iter().map(|line| list(line, positions)).collect::<Result<_>>()?;
            Ok(Shape::MultiLineString(not_empty(counts)?))
        }
    }
}

/// A geometry without positions stands for no place.
fn not_empty<T>(items: Vec<T>) -> Result<Vec<T>> {
    if items.is_empty() {
        Err(Error::input("no position, expected a place (leave the feature out)"))
    } else {
        Ok(items)
    }
}

/// Refuses another reference system than that of RFC 7946, which has no member `crs` any more. EPSG 4326 is the same
/// one; GeoJSON has its longitudes first whatever the name says.
pub(super) fn check_crs(object: &Map<String, Value>) -> Result<()> {
    let Some(crs) = object.get("crs").filter(|crs| !crs.is_null()) else {
        return Ok(());
    };
    let name = crs.pointer("/properties/name").and_then(Value::as_str).unwrap_or_default();
    let code = name.rsplit([':', '/', '#']).next().unwrap_or_default();
    match code {
        "CRS84" | "4326" => Ok(()),
        code if !code.is_empty() && code.len() <= 6 && code.bytes().all(|byte| byte.is_ascii_digit()) => Err(
            Error::input(format!("crs: EPSG {code}, expected longitudes and latitudes of WGS 84 (convert the file)")),
        ),
        _ => Err(Error::input("crs: another system, expected longitudes and latitudes of WGS 84 (convert the file)")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// The feature with its own positions again.
    fn through(value: Value, keep: &[&str]) -> Result<Value> {
        let keep: Vec<String> = keep.iter().map(ToString::to_string).collect();
        let mut positions = Positions::default();
        let feature = Feature::read(value, &keep, &mut positions)?;
        let mut at = 0;
        let text = feature.text(|| {
            at += 1;
            format!("[{},{}]", positions.places.longitudes[at - 1], positions.places.latitudes[at - 1])
        });
        assert_eq!(at, positions.places.len(), "every position once");
        Ok(serde_json::from_str(&text).unwrap())
    }

    #[test]
    fn shapes_stay_what_they_are() {
        let line = json!({"type": "LineString", "coordinates": [[13.5, 52.5], [13.25, 52.25]]});
        let shapes = [
            json!({"type": "Point", "coordinates": [13.5, 52.5]}),
            json!({"type": "MultiPoint", "coordinates": [[13.5, 52.5]]}),
            line.clone(),
            json!({"type": "MultiLineString", "coordinates": [[[13.5, 52.5], [1.5, 2.5]], [[3.5, 4.5]]]}),
            json!({"type": "GeometryCollection", "geometries": [line.clone(), {"type": "Point", "coordinates": [1.5, 2.5]}]}),
        ];
        for shape in shapes {
            assert_eq!(through(shape.clone(), &[]).unwrap(), shape);
            let feature = json!({"type": "Feature", "geometry": shape, "properties": {}});
            assert_eq!(through(feature.clone(), &[]).unwrap(), feature);
        }
    }

    #[test]
    fn only_what_is_named_is_kept() {
        let feature = json!({
            "type": "Feature", "id": 7, "bbox": [1, 2, 3, 4], "foreign": "SECRETMARKER",
            "geometry": {"type": "Point", "coordinates": [13.5, 52.5, 117.5, 9], "bbox": [1, 2, 3, 4]},
            "properties": {"day": "mon", "home": [1, 2], "bbox": 3},
        });
        let geometry = json!({"type": "Point", "coordinates": [13.5, 52.5]});
        let kept = |keep: &[&str]| through(feature.clone(), keep).unwrap();
        assert_eq!(kept(&[]), json!({"type": "Feature", "geometry": geometry, "properties": {}}));
        assert_eq!(kept(&["day", "x"]), json!({"type": "Feature", "geometry": geometry, "properties": {"day": "mon"}}));
        assert_eq!(kept(&["id"]), json!({"type": "Feature", "id": 7, "geometry": geometry, "properties": {}}));
    }

    #[test]
    fn what_is_no_place_is_told_without_it() {
        let error = |value: Value| through(value, &[]).unwrap_err().to_string();
        let geometry = |kind: &str, coordinates: Value| error(json!({"type": kind, "coordinates": coordinates}));
        assert_eq!(
            geometry("Polygon", json!([[[77.7, 77.7]]])),
            "found a Polygon: the border of an area is no place, expected Point, MultiPoint, LineString, MultiLineString or \
             a GeometryCollection of these"
        );
        assert!(geometry("SECRETMARKER", json!([77.7, 77.7])).starts_with("found another type, expected Point"));
        for wrong in [json!(["77.7", 1]), json!([77.7]), json!([]), json!(null), json!({"x": 77.7})] {
            let expected = "position 1: not two numbers, expected [longitude, latitude]";
            assert_eq!(geometry("Point", wrong), expected);
        }
        assert_eq!(geometry("LineString", json!([])), "no position, expected a place (leave the feature out)");
        assert!(geometry("MultiPoint", json!(77.7)).starts_with("MultiPoint: no list of positions"));
        assert!(geometry("MultiPoint", json!([[1, 2], [77.7]])).starts_with("position 2: not two numbers"));
        let null = json!({"type": "Feature", "geometry": null, "properties": {}});
        assert_eq!(error(null), "no geometry, expected a place (leave the feature out)");
        assert_eq!(error(json!([1, 2])), "found no object, expected a Feature or a geometry");
    }

    #[test]
    fn other_reference_systems_are_refused() {
        let crs = |name: &str| {
            let value = json!({"crs": {"type": "name", "properties": {"name": name}}});
            check_crs(value.as_object().unwrap()).map_err(|error| error.to_string())
        };
        for name in ["urn:ogc:def:crs:OGC:1.3:CRS84", "EPSG:4326", "http://www.opengis.net/def/crs/OGC/1.3/CRS84"] {
            assert_eq!(crs(name), Ok(()));
        }
        assert!(crs("urn:ogc:def:crs:EPSG::25833").unwrap_err().starts_with("crs: EPSG 25833, expected longitudes"));
        assert!(crs("SECRETMARKER").unwrap_err().starts_with("crs: another system, expected longitudes"));
        assert_eq!(check_crs(json!({"crs": null}).as_object().unwrap()).map_err(|error| error.to_string()), Ok(()));
    }
}
