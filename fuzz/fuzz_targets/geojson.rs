//! Any bytes as GeoJSON, a document or lines, plain or gzip: refused, or released with as many positions as were read.
#![no_main]

use libfuzzer_sys::fuzz_target;
use lookalike::sample::{PlaceRows, RandomKey, ReleasePlaces};
use lookalike_engine::geo::{GeoJson, GeoJsonForm};
use lookalike_fuzz::{names, told};

/// Releases the places as they are, so that what comes out can be held against what went in.
struct AsTheyAre;

impl ReleasePlaces for AsTheyAre {
    fn release(&self, rows: &PlaceRows<'_>, [latitudes, longitudes]: [&mut [f64]; 2]) -> lookalike::Result<()> {
        latitudes.copy_from_slice(rows.latitudes);
        longitudes.copy_from_slice(rows.longitudes);
        Ok(())
    }
}

fuzz_target!(|bytes: &[u8]| {
    let Some((&options, text)) = bytes.split_first() else { return };
    let form = if options & 1 == 1 { GeoJsonForm::Lines } else { GeoJsonForm::Document };
    let keep = if options & 2 == 2 { names(&["name"]) } else { Vec::new() };
    let geojson = GeoJson { form, keep, shuffle: options & 4 == 4 };
    let mut written = Vec::new();
    let released = told(geojson.release(text, &mut written, &AsTheyAre, &RandomKey::from_seed(1)));
    let places = told(geojson.places(text));
    let Some(released) = released else { return };
    let places = places.expect("what is released was read");
    assert_eq!(released.positions, places.len() as u64, "a position for each");
    let again = geojson.places(&written[..]).expect("what is written is read");
    assert_eq!(again.len(), places.len());
});
