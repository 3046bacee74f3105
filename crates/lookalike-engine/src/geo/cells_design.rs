//! A mechanism between the cells of a grid, with its proof.

use super::cell_loss::CellLoss;
use super::moved::{Moved, MovedFacts};
use super::promise::{Promise, one};
use crate::design::prove_design;
use crate::facts::{Facts, nearest, up};
use lookalike::Sentence;
use lookalike::certify::Certified;
use lookalike::design::{Algorithm, Objective, Problem, Watch, smooth_categorical};
use lookalike::exact::{Epsilon, Rational};
use lookalike::geo::{Errors, PlaceGrid, expected_loss, optimal, planar, truncated, within};
use lookalike::model::{Loss, Mechanism, Prior};
use lookalike_formats::geo::Length;
use lookalike_formats::{Error, MechanismFile, Result};
use serde::Serialize;
use serde_json::Value;
use std::str::FromStr;

/// Up to so many cells the optimum is found in some seconds.
const MOST_OPTIMAL: usize = 100;

/// More between places at a border of cells is worth a warning: a factor of e².
const LARGEST_AT_BORDER: i32 = 2;

/// What makes the mechanism.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CellDesigner {
    /// The least expected loss.
    Optimal,
    /// Noise on the endless grid, brought to this one.
    Planar,
    /// Noise cut off at the edges.
    Truncated,
}

/// The mechanism that is asked for.
pub struct CellsDesign {
    /// The cells.
    pub grid: PlaceGrid,
    /// How alike they must look.
    pub promise: Promise,
    /// What makes the mechanism; by default the optimum where it is found in seconds.
    pub designer: Option<CellDesigner>,
    /// How often each cell is the true one.
    pub prior: Prior,
    /// Where that is from, as the file says it.
    pub prior_from: String,
    /// What a wrong cell costs.
    pub loss: CellLoss,
    /// Of the spanner on which the optimum is designed; 1 for all pairs.
    pub dilation: Rational,
}

/// The mechanism with its proof.
pub struct CellsDesigned {
    /// The cells.
    pub grid: PlaceGrid,
    /// What made it.
    pub designer: CellDesigner,
    /// ε for each metre on the ground; none where only pairs are protected.
    pub epsilon: Option<Epsilon>,
    /// What it costs on average.
    pub value: f64,
    /// No mechanism costs less, where that is known.
    pub lower_bound: Option<f64>,
    /// How it was made.
    pub making: CellsMakingFacts,
    /// The mechanism.
    pub certified: Certified<Mechanism>,
    /// How far it moves places.
    pub moved: Moved,
    /// What whoever asks should know.
    pub warnings: Vec<Sentence>,
    name: &'static str,
    loss: CellLoss,
    prior_from: String,
}

/// How a mechanism between cells was made.
#[derive(Debug, Clone, Default, Serialize)]
pub struct CellsMakingFacts {
    /// The optimum: how many edges its spanner has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edges: Option<usize>,
    /// Noise that is cut off: with which share of ε it falls.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub share_of_epsilon: Option<f64>,
    /// What rounding to weights cost.
    pub repair_cost: f64,
}

/// What is said of a mechanism between cells.
#[derive(Debug, Clone, Serialize)]
pub struct CellsDesignFacts {
    /// Its name.
    pub mechanism: Option<String>,
    /// ε for each metre on the ground; none where only pairs are protected.
    pub epsilon_per_metre: Option<f64>,
    /// The same as exact text.
    pub epsilon_text: Option<String>,
    /// Latitude and longitude of the middle.
    pub origin: [f64; 2],
    /// How many cells there are from west to east.
    pub columns: u32,
    /// And from south to north.
    pub rows: u32,
    /// The side of a cell in metres, exactly.
    pub step: String,
    /// How much farther apart places may be than their cells, in metres.
    pub resolution: f64,
    /// How much longer a metre may be in the plane.
    pub stretch: f64,
    /// What it costs on average.
    pub objective: Option<Value>,
    /// How far it moves places.
    pub moved: MovedFacts,
    /// How many pairs of cells were compared.
    pub pairs: u64,
    /// The proof.
    pub certificate: Option<Value>,
}

/// What a file says of the cost of a mechanism between cells.
#[derive(Debug, Clone, Serialize)]
pub struct CellsObjectiveFacts {
    /// The loss.
    pub name: String,
    /// What it costs on average.
    pub value: f64,
    /// No mechanism costs less, where that is known.
    pub lower_bound: Option<f64>,
    /// Where the prior is from.
    pub prior: String,
}

/// A mechanism before its proof.
struct Made {
    mechanism: Mechanism,
    lower_bound: Option<f64>,
    making: CellsMakingFacts,
}

impl CellDesigner {
    /// The word by which it is asked for.
    pub fn name(self) -> &'static str {
        match self {
            CellDesigner::Optimal => "optimal",
            CellDesigner::Planar => "planar",
            CellDesigner::Truncated => "truncated",
        }
    }
}

impl FromStr for CellDesigner {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let all = [CellDesigner::Optimal, CellDesigner::Planar, CellDesigner::Truncated];
        let wrong = || Error::input(format!("{text:?} is no mechanism, expected optimal, planar or truncated"));
        all.into_iter().find(|designer| designer.name() == text).ok_or_else(wrong)
    }
}

impl CellsDesign {
    /// The mechanism with its proof.
    ///
    /// # Errors
    /// A mechanism that does not keep such a promise; a radius that the cells use up; what the library refuses.
    pub fn run(self, watch: &Watch<'_>) -> Result<CellsDesigned> {
        let designer = self.designer()?;
        let (cells, loss) = (self.grid.cells(), self.loss.of(self.grid.cells())?);
        let epsilon = self.promise.per_metre(&self.grid)?;
        let made = match (&epsilon, &self.promise) {
            (Some(epsilon), _) => self.made(designer, &self.grid.epsilon_in_plane(epsilon)?, &loss, watch)?,
            (None, Promise::Pairs { level, radius }) => self.pairs((level, radius), &loss, watch)?,
            (None, _) => unreachable!("only pairs are without an epsilon for each metre"),
        };
        let certified = prove_design(made.mechanism.clone().of_cells()?)?;
        let moved = Moved::of_cells(&Errors::of(cells, &made.mechanism, &self.prior)?)?;
        let value = nearest(&expected_loss(&made.mechanism, &self.prior, &loss)?);
        let warnings = self.coarse()?.into_iter().collect();
        let name = match (self.promise.is_of_pairs(), designer) {
            (true, _) => "geo-within",
            (_, CellDesigner::Optimal) => "geo-optimal",
            (_, CellDesigner::Planar) => "geo-planar",
            (_, CellDesigner::Truncated) => "geo-truncated",
        };
        let Made { lower_bound, making, .. } = made;
        let CellsDesign { grid, loss, prior_from, .. } = self;
        Ok(CellsDesigned {
            grid,
            designer,
            epsilon,
            value,
            lower_bound,
            making,
            certified,
            moved,
            warnings,
            name,
            loss,
            prior_from,
        })
    }

    fn designer(&self) -> Result<CellDesigner> {
        let (all, pairs) = (self.dilation == one(), self.promise.is_of_pairs());
        let designer = match self.designer {
            Some(designer) => designer,
            None if self.grid.cells().len() <= MOST_OPTIMAL || pairs || !all => CellDesigner::Optimal,
            None => CellDesigner::Planar,
        };
        let option = |name| Sentence::new().option(name);
        if designer != CellDesigner::Optimal && pairs {
            let message =
                Sentence::from(format!("{} noise keeps epsilon for each metre, which is more (", designer.name()));
            let message = message.then(option("radius")).text(" asks for that), expected ");
            let message = message.then(option("mechanism").word("optimal"));
            return Err(Error::input(message).at_option(option("within")));
        }
        if !all && (designer != CellDesigner::Optimal || pairs) {
            let message = option("spanner").text(" is for the optimal mechanism that keeps epsilon for each metre");
            return Err(Error::input(message));
        }
        Ok(designer)
    }

    fn made(&self, designer: CellDesigner, epsilon: &Epsilon, loss: &Loss, watch: &Watch<'_>) -> Result<Made> {
        let cells = self.grid.cells();
        Ok(match designer {
            CellDesigner::Optimal => {
                let found = optimal(cells, epsilon, (&self.prior, loss), &self.dilation, watch)?;
                let making = CellsMakingFacts {
                    edges: Some(found.edges),
                    repair_cost: found.repair_cost,
                    ..CellsMakingFacts::default()
                };
                Made { mechanism: found.mechanism, lower_bound: Some(found.lower_bound), making }
            }
            CellDesigner::Planar => {
                let found = planar(cells, epsilon)?;
                let making = CellsMakingFacts { repair_cost: found.cost, ..CellsMakingFacts::default() };
                Made { mechanism: found.mechanism, lower_bound: None, making }
            }
            CellDesigner::Truncated => {
                let found = truncated(cells, epsilon)?;
                let making = CellsMakingFacts {
                    share_of_epsilon: Some(found.decay.to_f64() / epsilon.to_f64()),
                    repair_cost: found.repair_cost,
                    ..CellsMakingFacts::default()
                };
                Made { mechanism: found.mechanism, lower_bound: None, making }
            }
        })
    }

    /// The optimum where only cells within the radius are protected.
    fn pairs(&self, (level, radius): (&Epsilon, &Length), loss: &Loss, watch: &Watch<'_>) -> Result<Made> {
        let (cells, option) = (self.grid.cells(), || Sentence::new().option("within"));
        if radius.metres() < cells.step() {
            let step = Length::new(cells.step().clone())?;
            return Err(Error::input(option().text(format!(
                " {radius} is shorter than the step of {step}: no two cells would be protected, expected at least a step"
            ))));
        }
        // Whatever is within the radius on the ground is within this in the plane.
        let reach = radius.metres() * self.grid.region().stretch();
        let graph = within(cells, &reach, level).map_err(|error| Error::from(error).at_option(option()))?;
        let problem = Problem::values(cells.categories()?, graph)?
            .with_objective(Objective::Loss(loss.clone()))?
            .with_prior(self.prior.clone())?;
        let design = smooth_categorical(&problem, Some(Algorithm::LinearProgram), *watch)?;
        let lower_bound = Some(design.objective.lower_bound);
        Ok(Made { mechanism: design.mechanism, lower_bound, making: CellsMakingFacts::default() })
    }

    /// A warning where the cells alone use up what places near each other should have.
    fn coarse(&self) -> Result<Option<Sentence>> {
        let Promise::PerMetre(epsilon) = &self.promise else { return Ok(None) };
        let border = epsilon.scale(&self.grid.resolution())?;
        if border <= Epsilon::rational(Rational::from_integer(LARGEST_AT_BORDER.into()))? {
            return Ok(None);
        }
        let step = Length::new(self.grid.cells().step().clone())?;
        let bound = super::shown_epsilon(&border);
        let warning = Sentence::from(format!(
            "cells of {step} are coarse for this epsilon: places on two sides of a border may be a metre apart and only \
             {bound}-alike (a shorter "
        ));
        let warning = warning.option("step").text(", or ").option("level").text(" with ").option("radius");
        Ok(Some(warning.text(", which counts the cells in)")))
    }
}

impl CellsDesigned {
    /// The mechanism file.
    pub fn file(&self) -> MechanismFile {
        let objective = CellsObjectiveFacts {
            name: self.loss.to_string(),
            value: self.value,
            lower_bound: self.lower_bound,
            prior: self.prior_from.clone(),
        };
        MechanismFile {
            places: Some(self.grid.clone()),
            objective: Some(objective.json()),
            ..MechanismFile::of_certified(self.name, &self.certified)
        }
    }

    /// What is said of it.
    pub fn facts(&self) -> CellsDesignFacts {
        let (file, region, cells) = (self.file(), self.grid.region(), self.grid.cells());
        CellsDesignFacts {
            mechanism: file.name,
            epsilon_per_metre: self.epsilon.as_ref().map(Epsilon::to_f64),
            epsilon_text: self.epsilon.as_ref().map(ToString::to_string),
            origin: [region.latitude(), region.longitude()].map(nearest),
            columns: cells.columns(),
            rows: cells.rows(),
            step: cells.step().to_string(),
            resolution: up(&self.grid.resolution()),
            stretch: up(region.stretch()),
            objective: file.objective,
            moved: self.moved.facts(),
            pairs: self.certified.certificate().pairs(),
            certificate: file.certificate,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lookalike::exact::parse_rational;
    use lookalike::geo::Cells;
    use lookalike_formats::CommandLine;

    fn design(side: u32, promise: Promise, designer: Option<CellDesigner>) -> CellsDesign {
        let number = |text: &str| parse_rational(text).unwrap();
        let cells = Cells::new(side, side, number("100")).unwrap();
        CellsDesign {
            prior: Prior::uniform(cells.len()).unwrap(),
            grid: PlaceGrid::new(number("45"), number("7"), cells).unwrap(),
            promise,
            designer,
            prior_from: "uniform".to_owned(),
            loss: CellLoss::Euclidean,
            dilation: one(),
        }
    }

    fn per_metre(text: &str) -> Promise {
        Promise::PerMetre(text.parse().unwrap())
    }

    #[test]
    fn the_optimum_is_the_default_up_to_100_cells() {
        let chosen = |side| design(side, per_metre("1/100"), None).designer().unwrap();
        assert_eq!((chosen(10), chosen(11)), (CellDesigner::Optimal, CellDesigner::Planar));
    }

    #[test]
    fn pairs_are_for_the_optimum_alone() {
        let pairs = || Promise::Pairs { level: "1".parse().unwrap(), radius: "150m".parse().unwrap() };
        let error = design(2, pairs(), Some(CellDesigner::Planar)).designer().unwrap_err().spelled(&CommandLine);
        assert!(
            error.starts_with("--within: planar noise keeps epsilon for each metre, which is more (--radius"),
            "{error}"
        );
        assert_eq!(design(11, pairs(), None).designer().unwrap(), CellDesigner::Optimal);
    }

    #[test]
    fn a_longer_radius_for_a_level_protects_more() {
        let found = |radius: &str| {
            let promise = Promise::Radius { level: "ln(4)".parse().unwrap(), radius: radius.parse().unwrap() };
            let done = design(3, promise, Some(CellDesigner::Planar)).run(&Watch::default()).unwrap();
            assert!(done.warnings.is_empty());
            done.epsilon.unwrap()
        };
        assert!(found("200m") < found("100m"));
    }

    #[test]
    fn coarse_cells_are_warned_of_only_where_they_are() {
        let warnings = |text| design(2, per_metre(text), Some(CellDesigner::Planar)).coarse().unwrap().is_some();
        assert!(warnings("1/10") && !warnings("1/1000"));
    }
}
