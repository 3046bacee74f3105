//! Cells with a place on the ground, and the release of places by way of them.

use super::Cells;
use crate::certify::Certified;
use crate::exact::{Direction, Epsilon, Rational, to_f64};
use crate::model::{Kind, Mechanism, Region, SecretGraph, rounding};
use crate::sample::{PlaceRows, Plane, ReleasePlaces, Sampler};
use crate::{Error, Result};
use num_bigint::BigInt;
use std::collections::BTreeMap;

/// A grid of [`Cells`] on the ground: its middle is a public origin, rows go north and columns east, and the sides of a
/// cell are metres in the plane of the [`Region`] that just holds the grid.
///
/// # Example
/// ```
/// use lookalike::{exact::parse_rational, geo::{Cells, PlaceGrid}};
/// let cells = Cells::new(10, 10, parse_rational("500")?)?;
/// let places = PlaceGrid::new(parse_rational("-10.95")?, parse_rational("-37.06")?, cells)?;
/// assert_eq!(places.cell_of(-10.95 + 0.01, -37.06 + 0.01), Some(77));
/// assert_eq!(places.cell_of(-10.0, -37.06), None);
/// # Ok::<(), lookalike::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct PlaceGrid {
    cells: Cells,
    region: Region,
    plane: Plane,
    step: f64,
}

impl PlaceGrid {
    /// The cells about an origin in degrees; their step is in metres.
    ///
    /// # Errors
    /// As [`Region::new`].
    pub fn new(latitude: Rational, longitude: Rational, cells: Cells) -> Result<Self> {
        let half_width = cells.step() * BigInt::from(cells.columns().max(cells.rows())) / BigInt::from(2);
        let region = Region::new(latitude, longitude, half_width)?;
        let (plane, step) = (Plane::new(&region), to_f64(cells.step(), Direction::Nearest));
        Ok(PlaceGrid { cells, region, plane, step })
    }

    /// The cells.
    pub fn cells(&self) -> &Cells {
        &self.cells
    }

    /// The region that just holds them.
    pub fn region(&self) -> &Region {
        &self.region
    }

    /// The ε for each metre in the plane that keeps ε for each metre on the ground: ε/stretch. Graphs between the cells
    /// are made with this one.
    ///
    /// # Errors
    /// None for a region's stretch.
    pub fn epsilon_in_plane(&self, epsilon: &Epsilon) -> Result<Epsilon> {
        epsilon.scale(&self.region.stretch().recip())
    }

    /// The metres by which the middles of two cells can be farther apart than the places in them: √2 steps, and what
    /// doubles add. Two places d metres apart on the ground are ε·(d + resolution)-alike.
    pub fn resolution(&self) -> Rational {
        rounding(self.cells.step())
    }

    /// The ε for each metre on the ground at which places at most `radius` metres apart are within the level, whatever
    /// their cells: `level·stretch/D`, where D is how far apart the middles of two cells can be that hold such places.
    ///
    /// Farther places are alike within ε·(d + resolution), as always.
    ///
    /// # Errors
    /// None for a positive radius.
    pub fn epsilon_for_radius(&self, level: &Epsilon, radius: &Rational) -> Result<Epsilon> {
        // In steps; doubles place a border to within 2^-20 metres.
        let error = Rational::new(1.into(), (1 << 18).into());
        let reach = (radius * self.region.stretch() + error) / self.cells.step();
        let reach_squared = &reach * &reach;
        // Between the nearest sides of two cells there is a step less in each direction.
        let can_hold = |&[columns, rows]: &[u64; 2]| {
            let [a, b] = [columns, rows].map(|by| by.saturating_sub(1));
            Rational::from_integer((a * a + b * b).into()) <= reach_squared
        };
        let counts = [self.cells.columns(), self.cells.rows()].map(u64::from);
        let apart = (0..counts[0]).flat_map(|columns| (0..counts[1]).map(move |rows| [columns, rows]));
        let farthest = apart.filter(can_hold).map(|[columns, rows]| columns * columns + rows * rows).max();
        let farthest = farthest.expect("a cell and itself").max(1);
        // level/√n = level·√n/n.
        let in_plane = level.times_root(farthest)?.scale(&(self.cells.step() * BigInt::from(farthest)).recip())?;
        in_plane.scale(self.region.stretch())
    }

    /// The ε for each metre on the ground that claims between the cells amount to: the largest of any pair over the
    /// distance of their middles, times the stretch. `None` where a pair has no claim of its own.
    ///
    /// # Errors
    /// An ε above 100,000.
    pub fn epsilon_per_metre(&self, graph: &SecretGraph) -> Result<Option<Epsilon>> {
        let count = self.cells.len() as u32;
        let mut largest: BTreeMap<u64, &Epsilon> = BTreeMap::new();
        for (a, b) in (0..count).flat_map(|a| (a + 1..count).map(move |b| (a, b))) {
            let Some(claim) = graph.epsilon_between(a, b) else { return Ok(None) };
            let known = largest.entry(self.cells.squared_steps(a, b)).or_insert(claim);
            *known = (*known).max(claim);
        }
        let mut most: Option<Epsilon> = None;
        for (squared, claim) in largest {
            let factor = self.region.stretch() / (self.cells.step() * BigInt::from(squared));
            let found = claim.times_root(squared)?.scale(&factor)?;
            most = Some(most.map_or(found.clone(), |most| most.max(found)));
        }
        Ok(most)
    }

    /// The cell of a place; `None` for a place outside of the grid, or none.
    pub fn cell_of(&self, latitude: f64, longitude: f64) -> Option<u32> {
        let point = self.plane.point(latitude, longitude)?;
        let counts = [self.cells.columns(), self.cells.rows()];
        let at: [f64; 2] =
            std::array::from_fn(|axis| (point[axis] / self.step + f64::from(counts[axis]) / 2.0).floor());
        let is_inside = (0..2).all(|axis| at[axis] >= 0.0 && at[axis] < f64::from(counts[axis]));
        is_inside.then(|| self.cells.cell(at.map(|place| place as u32)))
    }

    /// Latitude and longitude of the middle of a cell.
    pub fn place_of(&self, cell: u32) -> [f64; 2] {
        self.plane.place(self.cells.centre(cell).map(|metres| to_f64(&metres, Direction::Nearest)))
    }

    /// The cell of each place, which must be one of the grid.
    ///
    /// # Errors
    /// A place outside of the grid, by its row and without its value.
    pub fn cells_of(&self, first_row: u64, latitudes: &[f64], longitudes: &[f64]) -> Result<Vec<u32>> {
        let places = latitudes.iter().zip(longitudes);
        let cell = |(at, (&latitude, &longitude)): (usize, (&f64, &f64))| {
            self.cell_of(latitude, longitude).ok_or_else(|| {
                let reason = if latitude.is_finite() && longitude.is_finite() {
                    "a place outside the grid of cells, expected one inside; are latitude and longitude exchanged, or not \
                     in degrees?"
                } else {
                    "not a finite number, expected degrees"
                };
                Error::input(format!("row {}: {reason}", u128::from(first_row) + at as u128 + 1))
            })
        };
        places.enumerate().map(cell).collect()
    }
}

/// A certified mechanism between the cells of a grid, ready to release places.
///
/// # Guarantee
/// A place is released as the middle of a cell, drawn from exactly the certified row of its own cell. The claim is about
/// the cells: two places in cells whose middles are d metres apart are as alike as the claim of the two cells says.
#[derive(Debug, Clone)]
pub struct PlaceSampler {
    places: PlaceGrid,
    sampler: Sampler,
    /// Latitude and longitude of each output.
    outputs: Vec<[f64; 2]>,
}

impl PlaceSampler {
    /// The sampler of a mechanism whose categories are the cells of the grid.
    ///
    /// # Errors
    /// A mechanism between other values, with outputs that are no cells, or with cells that no claim connects with the rest.
    pub fn new(certified: &Certified<Mechanism>, places: PlaceGrid) -> Result<Self> {
        let mechanism = certified.mechanism();
        let cells = places.cells().categories()?;
        let wrong = |what: &str| {
            Error::input(format!(
                "{what}, expected the cells of a grid of {}x{}",
                places.cells().columns(),
                places.cells().rows()
            ))
        };
        if mechanism.kind() != Kind::Point || mechanism.inputs() != &cells {
            return Err(wrong("a mechanism between other values"));
        }
        if let Some(alone) = mechanism.graph().first_of_component().iter().position(|&first| first != 0) {
            return Err(Error::input(format!(
                "cell {:?} is not claimed to look like cell {:?}, nor by way of others: places in it could be told from all \
                 the rest, expected a claim that connects all cells",
                cells.names().name(alone as u32),
                cells.names().name(0),
            )));
        }
        let output = |name: &str| cells.names().place(name).map(|cell| places.place_of(cell));
        let outputs: Option<Vec<_>> = mechanism.outputs().names().iter().map(output).collect();
        let outputs = outputs.ok_or_else(|| wrong("an output that is no cell"))?;
        Ok(PlaceSampler { sampler: Sampler::new(certified), outputs, places })
    }
}

impl ReleasePlaces for PlaceSampler {
    /// # Errors
    /// A place outside of the grid too.
    fn release(&self, rows: &PlaceRows<'_>, released: [&mut [f64]; 2]) -> Result<()> {
        rows.check_lengths(&released)?;
        let cells = self.places.cells_of(rows.first_row, rows.latitudes, rows.longitudes)?;
        let mut outputs = vec![0; cells.len()];
        self.sampler.privatize(rows.key, rows.first_row, None, &cells, &mut outputs)?;
        let [latitudes, longitudes] = released;
        for (at, output) in outputs.into_iter().enumerate() {
            [latitudes[at], longitudes[at]] = self.outputs[output as usize];
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::certify::certify;
    use crate::exact::parse_rational;
    use crate::sample::RandomKey;

    fn places(columns: u32, rows: u32) -> PlaceGrid {
        let [latitude, longitude, step] = ["-17", "179.99", "500"].map(|text| parse_rational(text).unwrap());
        PlaceGrid::new(latitude, longitude, Cells::new(columns, rows, step).unwrap()).unwrap()
    }

    #[test]
    fn the_middle_of_a_cell_is_in_it() {
        for (columns, rows) in [(10, 10), (3, 8), (7, 2)] {
            let places = places(columns, rows);
            for cell in 0..columns * rows {
                let [latitude, longitude] = places.place_of(cell);
                assert_eq!(places.cell_of(latitude, longitude), Some(cell));
                assert!((-180.0..=180.0).contains(&longitude));
            }
        }
    }

    #[test]
    fn claims_between_cells_are_read_for_each_metre() {
        let places = places(4, 3);
        let epsilon: Epsilon = "ln(2)/800".parse().unwrap();
        let graph = super::super::all_pairs(places.cells(), &places.epsilon_in_plane(&epsilon).unwrap()).unwrap();
        assert_eq!(places.epsilon_per_metre(&graph).unwrap(), Some(epsilon));
        let near =
            super::super::within(places.cells(), &parse_rational("500").unwrap(), &"1".parse().unwrap()).unwrap();
        assert_eq!(places.epsilon_per_metre(&near).unwrap(), None);
    }

    #[test]
    fn a_radius_is_spent_on_the_cells_that_hold_such_places() {
        let (places, level) = (places(8, 8), "ln(4)".parse::<Epsilon>().unwrap());
        for (radius, farthest) in [("200", 2), ("499", 2), ("501", 5), ("710", 8), ("100000", 98)] {
            let epsilon = places.epsilon_for_radius(&level, &parse_rational(radius).unwrap()).unwrap();
            // All pairs at this ε: the farthest middles use the level, exactly.
            let in_plane = places.epsilon_in_plane(&epsilon).unwrap();
            let spent = in_plane.scale(places.cells().step()).unwrap().times_root(farthest).unwrap();
            assert_eq!(spent, level, "{radius}");
            let simple = level.scale(&(parse_rational(radius).unwrap() + places.resolution()).recip()).unwrap();
            assert!(epsilon >= simple, "{radius}");
        }
    }

    #[test]
    fn places_are_released_as_middles_of_cells() {
        let places = places(3, 3);
        let mechanism = super::super::planar(places.cells(), &"1/500".parse().unwrap()).unwrap().mechanism;
        let sampler = PlaceSampler::new(&certify(mechanism.clone()).unwrap(), places.clone()).unwrap();
        let [latitude, longitude] = places.place_of(4);
        let (mut a, mut b) = (vec![0.0; 500], vec![0.0; 500]);
        let here = (vec![latitude + 1e-4; 500], vec![longitude; 500]);
        let key = &RandomKey::from_seed(1);
        let rows = PlaceRows { key, first_row: 0, latitudes: &here.0, longitudes: &here.1 };
        sampler.release(&rows, [&mut a, &mut b]).unwrap();
        assert!(sampler.release(&rows, [&mut a, &mut [0.0]]).is_err(), "columns of different lengths");
        let middles: Vec<[f64; 2]> = (0..9).map(|cell| places.place_of(cell)).collect();
        assert!(a.iter().zip(&b).all(|(a, b)| middles.contains(&[*a, *b])));
        assert!(middles.iter().all(|middle| a.iter().zip(&b).any(|(a, b)| [*a, *b] == *middle)));
        let rows = PlaceRows { key, first_row: 5, latitudes: &[0.0], longitudes: &[0.0] };
        let far = sampler.release(&rows, [&mut [0.0], &mut [0.0]]).unwrap_err();
        assert!(far.to_string().starts_with("row 6: a place outside the grid of cells"), "{far}");
        // A file may claim less: then it says nothing for each metre, and what is not connected is refused.
        let mut builder = SecretGraph::builder(mechanism.inputs().names().clone());
        builder.edge(0, 1, "1".parse().unwrap()).unwrap();
        let one_pair = mechanism.clone().with_graph(builder.build().unwrap()).unwrap();
        assert_eq!(places.epsilon_per_metre(one_pair.graph()).unwrap(), None);
        let alone = PlaceSampler::new(&certify(one_pair).unwrap(), places).unwrap_err().to_string();
        assert!(alone.starts_with("cell \"2,0\" is not claimed to look like cell \"0,0\""), "{alone}");
        let other = PlaceSampler::new(&certify(mechanism).unwrap(), super::tests::places(9, 1)).unwrap_err();
        assert_eq!(other.to_string(), "a mechanism between other values, expected the cells of a grid of 9x1");
    }
}
