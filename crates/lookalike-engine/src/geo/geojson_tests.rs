//! Tests of [`super::GeoJson`]: features through files and back.

use super::super::places::tests::BERLIN;
use super::*;
use proptest::prelude::*;
use serde_json::json;

fn document(keep: &[&str]) -> GeoJson {
    GeoJson { form: GeoJsonForm::Document, keep: keep.iter().map(ToString::to_string).collect(), shuffle: false }
}

fn release(geojson: &GeoJson, text: &[u8]) -> Result<(String, ReleasedFeatures)> {
    let mut written = Vec::new();
    let done = geojson.release(text, &mut written, &BERLIN, &RandomKey::from_seed(1))?;
    Ok((String::from_utf8(written).unwrap(), done))
}

fn error(geojson: &GeoJson, value: Value) -> String {
    release(geojson, value.to_string().as_bytes()).unwrap_err().to_string()
}

fn point(longitude: f64, latitude: f64) -> Value {
    json!({"type": "Feature", "geometry": {"type": "Point", "coordinates": [longitude, latitude]}, "properties": {"n": 1}})
}

fn collection(features: &[Value]) -> Value {
    json!({"type": "FeatureCollection", "features": features})
}

#[test]
fn a_collection_stays_a_collection() {
    let track = json!({
        "type": "Feature", "id": "a", "properties": {"who": "ana"},
        "geometry": {"type": "LineString", "coordinates": [[13.5, 52.5, 30.1], [13.25, 52.25]]},
    });
    let text = collection(&[point(13.0, 52.0), track.clone()]).to_string();
    let (written, done) = release(&document(&[]), text.as_bytes()).unwrap();
    assert_eq!(
        written,
        "{\"type\":\"FeatureCollection\",\"features\":[\n\
         {\"type\":\"Feature\",\"geometry\":{\"type\":\"Point\",\"coordinates\":[13,52.001]},\"properties\":{}},\n\
         {\"type\":\"Feature\",\"geometry\":{\"type\":\"LineString\",\"coordinates\":[[14.5,52.501],[15.25,52.251]]},\
         \"properties\":{}}\n]}\n"
    );
    assert_eq!(done, ReleasedFeatures { features: 2, positions: 3, longest: 2 });
    let kept = release(&document(&["id", "altitude", "who"]), text.as_bytes()).unwrap().0;
    let kept: Value = serde_json::from_str(&kept).unwrap();
    assert_eq!(kept["features"][1]["id"], "a");
    assert_eq!(kept["features"][1]["properties"], json!({"who": "ana"}));
    assert_eq!(kept["features"][1]["geometry"]["coordinates"][0].to_string(), "[14.5,52.501,30.1]");
    assert_eq!(
        release(&document(&[]), b"{\"features\":[],\"type\":\"FeatureCollection\"}").unwrap().0,
        "{\"type\":\"FeatureCollection\",\"features\":[\n]}\n"
    );
}

#[test]
fn lines_single_features_and_geometries_are_read() {
    let lines = GeoJson { form: GeoJsonForm::Lines, ..document(&[]) };
    let text = format!("{}\n\n\u{1e}{}\r\n", point(13.0, 52.0), json!({"type": "Point", "coordinates": [13, 52.5]}));
    let (written, done) = release(&lines, text.as_bytes()).unwrap();
    assert_eq!(written.lines().count(), 2);
    assert_eq!(written.lines().last().unwrap(), "{\"type\":\"Point\",\"coordinates\":[14,52.501]}");
    assert_eq!((done.features, done.longest), (2, 1));
    let single = release(&document(&[]), format!("\u{feff}{}", point(13.5, 52.5)).as_bytes()).unwrap().0;
    assert_eq!(serde_json::from_str::<Value>(&single).unwrap()["geometry"]["coordinates"], json!([13.5, 52.501]));
    let broken = release(&lines, format!("{}\n{{\"a\":\n", point(13.0, 52.0)).as_bytes()).unwrap_err().to_string();
    assert!(broken.starts_with("line 2: ") && broken.contains("ends too early"), "{broken}");
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(text.as_bytes()).unwrap();
    assert_eq!(release(&lines, &gzip.finish().unwrap()).unwrap().0, written);
}

#[test]
fn errors_name_the_feature_and_never_the_place() {
    let plain = document(&[]);
    assert_eq!(
        error(&plain, collection(&[point(13.5, 52.5), point(13.5, 52.5), point(13.77, 48.77)])),
        "feature 3, position 1: outside the region"
    );
    assert_eq!(
        error(&plain, collection(&[point(52.77, 13.77), point(52.77, 13.77)])),
        "feature 1, position 1: outside the region (2 of the first 2 places do not fit: latitude and longitude seem to be \
         swapped)"
    );
    let line = json!({"type": "LineString", "coordinates": [[13.5, 52.5], [13.5, 52.5], [13.77, 177.7]]});
    assert_eq!(
        error(&plain, collection(&[point(13.5, 52.5), json!({"type": "Feature", "geometry": line})])),
        "feature 2, position 3: latitude, the second number: beyond 90 degrees, expected a latitude"
    );
    let polygon = json!({"type": "Feature", "geometry": {"type": "Polygon", "coordinates": [[[1, 2]]]}});
    assert!(error(&plain, collection(&[point(13.5, 52.5), polygon])).starts_with("feature 2: found a Polygon: "));
    assert_eq!(error(&document(&["who"]), point(13.5, 52.5)), "`keep who`: no feature has a property of this name");
    assert_eq!(
        error(&document(&["Lat"]), point(13.5, 52.5)),
        "`keep Lat`: this is the place, it cannot be released in clear (rename it if it is something else)"
    );
    assert_eq!(error(&document(&["n", "n"]), point(13.5, 52.5)), "`keep n`: named twice, expected once");
}

#[test]
fn files_are_named_and_a_stop_is_heard() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.geojson");
    std::fs::write(&path, point(13.5, 52.5).to_string()).unwrap();
    let key = RandomKey::from_seed(1);
    let run = |path: &Path, writer: &mut dyn Write, stop: bool| {
        document(&[]).release_file([path, Path::new("out.json")], writer, &BERLIN, &key, &mut |_| {}, &|| stop, None)
    };
    assert_eq!(run(&path, &mut Vec::new(), false).unwrap().features, 1);
    let stopped = run(&path, &mut Vec::new(), true).unwrap_err().to_string();
    assert!(stopped.ends_with("stopped before it was done"), "{stopped}");
    let missing = run(Path::new("missing.geojson"), &mut Vec::new(), false).unwrap_err();
    assert!(missing.is_system() && missing.to_string().starts_with("missing.geojson: cannot read: "), "{missing}");
    struct Full;
    impl Write for Full {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::ErrorKind::StorageFull.into())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let full = run(&path, &mut Full, false).unwrap_err();
    assert!(full.is_system() && full.to_string() == "out.json: cannot write: no storage space", "{full}");
}

#[test]
fn more_positions_than_are_released_at_once_have_rows_of_their_own() {
    let features: Vec<Value> =
        (0..700).map(|_| json!({"type": "MultiPoint", "coordinates": vec![[13.5, 52.5]; 100]})).collect();
    let (written, done) = release(&document(&[]), collection(&features).to_string().as_bytes()).unwrap();
    assert_eq!(done, ReleasedFeatures { features: 700, positions: 70_000, longest: 100 });
    let places: Value = serde_json::from_str(&written).unwrap();
    assert_eq!(places["features"][699]["coordinates"][99][0], 69_999.0 + 13.5);
}

#[test]
fn forms_are_told_by_names() {
    let of = |name: &str| GeoJsonForm::of(Path::new(name));
    assert_eq!(["a.geojson", "b/A.JSON", "a.geojson.gz"].map(of), [Some(GeoJsonForm::Document); 3]);
    assert_eq!(["a.geojsonl", "a.ndjson", "a.geojsonseq"].map(of), [Some(GeoJsonForm::Lines); 3]);
    assert_eq!(["a.csv", "-", "geojson"].map(of), [None; 3]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_place_comes_out_once_in_any_order(
        places in prop::collection::vec((13.0..14.0f64, 52.0..53.0f64), 1..40), shuffle in any::<bool>(),
    ) {
        let features: Vec<Value> = places.iter().map(|place| point(place.0, place.1)).collect();
        let geojson = GeoJson { shuffle, ..document(&["n"]) };
        let written = release(&geojson, collection(&features).to_string().as_bytes()).unwrap().0;
        let mut found = document(&[]).places(written.as_bytes()).unwrap().latitudes;
        let mut expected: Vec<f64> = places.iter().map(|place| ((place.1 + 0.001) * 1e7).round() / 1e7).collect();
        if shuffle {
            found.sort_by(f64::total_cmp);
            expected.sort_by(f64::total_cmp);
        }
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn no_bytes_make_the_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        for form in [GeoJsonForm::Document, GeoJsonForm::Lines] {
            let _ = GeoJson { form, ..document(&[]) }.places(&bytes[..]);
        }
    }
}
