//! Mechanisms between the cells of a grid.

use super::design::Designed;
use super::loss::LossName;
use super::moved::Moved;
use super::planar::{degrees, place, shown};
use super::prior::PriorFile;
use super::promise::{Promise, at_most, factor, radius_words, words};
use crate::design::{nearest, prove, stage, write};
use crate::interrupt::Interrupt;
use crate::noise::short;
use crate::terminal::{Terminal, count};
use lookalike::certify::Certified;
use lookalike::design::{Algorithm, Objective, Problem, Progress, Watch, smooth_categorical};
use lookalike::exact::{Direction, Epsilon, Rational, decimal, to_f64};
use lookalike::geo::{Cells, Errors, PlaceGrid, expected_loss, optimal, planar, truncated, within};
use lookalike::model::{Loss, Mechanism, Prior};
use lookalike_formats::geo::{Length, Origin};
use lookalike_formats::{Error, MechanismFile, Result};
use serde_json::{Value, json};
use std::path::Path;
use std::str::FromStr;

/// Up to so many cells the optimum is found in some seconds.
const MOST_OPTIMAL: usize = 100;

/// More between places at a border of cells is worth a warning: a factor of e².
const LARGEST_AT_BORDER: i32 = 2;

/// What makes the mechanism.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Designer {
    Optimal,
    Planar,
    Truncated,
}

impl Designer {
    fn name(self) -> &'static str {
        match self {
            Designer::Optimal => "optimal",
            Designer::Planar => "planar",
            Designer::Truncated => "truncated",
        }
    }

    fn title(self) -> &'static str {
        match self {
            Designer::Optimal => "The optimal mechanism",
            Designer::Planar => "Planar noise brought to the grid",
            Designer::Truncated => "Truncated planar noise",
        }
    }
}

impl FromStr for Designer {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let all = [Designer::Optimal, Designer::Planar, Designer::Truncated];
        let wrong = || Error::input(format!("{text:?} is no mechanism, expected optimal, planar or truncated"));
        all.into_iter().find(|designer| designer.name() == text).ok_or_else(wrong)
    }
}

/// What is asked for.
pub struct CellsQuestion<'a> {
    pub origin: &'a Origin,
    pub size: [u32; 2],
    pub step: &'a Length,
    pub promise: Promise,
    pub designer: Option<Designer>,
    pub prior: &'a PriorFile,
    pub loss: &'a LossName,
    pub dilation: &'a Rational,
}

/// What was found.
struct Found {
    mechanism: Mechanism,
    /// No mechanism costs less, where that is known.
    lower_bound: Option<f64>,
    /// What the mechanism says of itself.
    notes: String,
}

impl CellsQuestion<'_> {
    /// The mechanism, proved and written.
    pub fn run(&self, output: Option<&Path>, terminal: &Terminal) -> Result<Option<Designed>> {
        let grid = self.grid()?;
        let designer = self.designer(&grid)?;
        let (prior, loss) = (self.prior.over(&grid, terminal)?, self.loss.of(grid.cells())?);
        let bar = terminal.spinner("designing");
        let interrupt = Interrupt::new(&bar);
        let progress = |progress: Progress| bar.set_message(stage(progress));
        let found = self.find(designer, &grid, (&prior, &loss), &Watch::default().on_progress(&progress))?;
        bar.set_message("certifying");
        let certified = prove(found.mechanism.clone().of_cells()?)?;
        let moved = Moved::of_cells(&Errors::of(grid.cells(), &found.mechanism, &prior)?)?;
        let value = nearest(&expected_loss(&found.mechanism, &prior, &loss)?);
        bar.finish_and_clear();
        interrupt.writing();
        if let Some(warning) = self.coarse(&grid)? {
            terminal.warn(&warning);
        }
        let file = MechanismFile {
            places: Some(grid.clone()),
            objective: Some(self.objective(value, found.lower_bound)),
            ..MechanismFile::of_certified(&format!("geo-{}", self.kind(designer)), &certified)
        };
        if let Some(path) = output {
            write(&file, path, terminal)?;
        }
        let text = self.text(designer, &grid, &certified, &found, value, &moved)?;
        Ok(Some(Designed { text, json: self.json(&file, &grid, &certified, &moved)? }))
    }

    fn grid(&self) -> Result<PlaceGrid> {
        let [columns, rows] = self.size;
        let cells = Cells::new(columns, rows, self.step.metres().clone())
            .map_err(|error| Error::from(error).at("--cells and --step"))?;
        PlaceGrid::new(self.origin.latitude().clone(), self.origin.longitude().clone(), cells)
            .map_err(|error| Error::from(error).at("--origin, --cells and --step"))
    }

    fn designer(&self, grid: &PlaceGrid) -> Result<Designer> {
        let all = self.is_whole();
        let designer = match self.designer {
            Some(designer) => designer,
            None if grid.cells().len() <= MOST_OPTIMAL || matches!(self.promise, Promise::Pairs { .. }) || !all => {
                Designer::Optimal
            }
            None => Designer::Planar,
        };
        if designer != Designer::Optimal && matches!(self.promise, Promise::Pairs { .. }) {
            return Err(Error::input(format!(
                "--within: {} noise keeps epsilon for each metre, which is more (--radius asks for that), expected \
                 --mechanism optimal",
                designer.name()
            )));
        }
        if !all && (designer != Designer::Optimal || matches!(self.promise, Promise::Pairs { .. })) {
            return Err(Error::input("--spanner is for the optimal mechanism that keeps epsilon for each metre"));
        }
        Ok(designer)
    }

    /// ε for each metre on the ground; none where only pairs are protected.
    fn epsilon(&self, grid: &PlaceGrid) -> Result<Option<Epsilon>> {
        match &self.promise {
            Promise::PerMetre(epsilon) => Ok(Some(epsilon.clone())),
            Promise::Radius { level, radius } => Ok(Some(grid.epsilon_for_radius(level, radius.metres())?)),
            Promise::Pairs { .. } => Ok(None),
        }
    }

    fn find(
        &self,
        designer: Designer,
        grid: &PlaceGrid,
        (prior, loss): (&Prior, &Loss),
        watch: &Watch<'_>,
    ) -> Result<Found> {
        let cells = grid.cells();
        let plain = |mechanism, notes| Found { mechanism, lower_bound: None, notes };
        let Some(epsilon) = self.epsilon(grid)? else {
            return self.pairs(grid, (prior, loss), watch);
        };
        let epsilon = grid.epsilon_in_plane(&epsilon)?;
        Ok(match designer {
            Designer::Optimal => {
                let found = optimal(cells, &epsilon, (prior, loss), self.dilation, watch)?;
                let dilation = short(decimal(self.dilation, 6, Direction::Nearest));
                let notes = match self.is_whole() {
                    true => String::new(),
                    false => format!(
                        "Designed on a spanner of {} edges with the dilation {}: the bound is for mechanisms that keep \
                         epsilon/{}; at epsilon there may be better ones, which --spanner 1 finds.\n",
                        found.edges, dilation, dilation
                    ),
                };
                Found { mechanism: found.mechanism, lower_bound: Some(found.lower_bound), notes }
            }
            Designer::Planar => plain(planar(cells, &epsilon)?.mechanism, String::new()),
            Designer::Truncated => {
                let found = truncated(cells, &epsilon)?;
                let share = found.decay.to_f64() / epsilon.to_f64();
                let notes = format!(
                    "It falls with {share:.3} of epsilon: cut off at the edges, noise with all of it would give more away.\n"
                );
                plain(found.mechanism, notes)
            }
        })
    }

    /// The optimum where only cells within the radius are protected.
    fn pairs(&self, grid: &PlaceGrid, (prior, loss): (&Prior, &Loss), watch: &Watch<'_>) -> Result<Found> {
        let Promise::Pairs { level, radius } = &self.promise else { unreachable!("only pairs come here") };
        if radius < self.step {
            return Err(Error::input(format!(
                "--within {radius} is shorter than the step of {}: no two cells would be protected, expected at least a step",
                self.step
            )));
        }
        // Whatever is within the radius on the ground is within this in the plane.
        let reach = radius.metres() * grid.region().stretch();
        let graph = within(grid.cells(), &reach, level).map_err(|error| Error::from(error).at("--within"))?;
        let problem = Problem::values(grid.cells().categories()?, graph)?
            .with_objective(Objective::Loss(loss.clone()))?
            .with_prior(prior.clone())?;
        let design = smooth_categorical(&problem, Some(Algorithm::LinearProgram), *watch)?;
        Ok(Found { mechanism: design.mechanism, lower_bound: Some(design.objective.lower_bound), notes: String::new() })
    }

    /// A warning where the cells alone use up what places near each other should have.
    fn coarse(&self, grid: &PlaceGrid) -> Result<Option<String>> {
        let Promise::PerMetre(epsilon) = &self.promise else { return Ok(None) };
        let border = epsilon.scale(&grid.resolution())?;
        Ok((border > Epsilon::rational(Rational::from_integer(LARGEST_AT_BORDER.into()))?).then(|| {
            format!(
                "cells of {} are coarse for this epsilon: places on two sides of a border may be a metre apart and only \
                 {}-alike (a shorter --step, or --level with --radius, which counts the cells in)",
                self.step,
                at_most(&border)
            )
        }))
    }

    fn is_whole(&self) -> bool {
        *self.dilation == Rational::from_integer(1.into())
    }

    fn kind(&self, designer: Designer) -> &'static str {
        if matches!(self.promise, Promise::Pairs { .. }) { "within" } else { designer.name() }
    }

    fn objective(&self, value: f64, lower_bound: Option<f64>) -> Value {
        json!({ "name": self.loss.to_string(), "value": value, "lower_bound": lower_bound, "prior": self.prior.text() })
    }

    fn json(
        &self,
        file: &MechanismFile,
        grid: &PlaceGrid,
        certified: &Certified<Mechanism>,
        moved: &Moved,
    ) -> Result<Value> {
        let epsilon = self.epsilon(grid)?;
        let region = grid.region();
        Ok(json!({
            "mechanism": file.name,
            "epsilon_per_metre": epsilon.as_ref().map(Epsilon::to_f64),
            "epsilon_text": epsilon.as_ref().map(ToString::to_string),
            "origin": degrees(region),
            "columns": grid.cells().columns(),
            "rows": grid.cells().rows(),
            "step": grid.cells().step().to_string(),
            "resolution": to_f64(&grid.resolution(), Direction::Up),
            "stretch": to_f64(region.stretch(), Direction::Up),
            "objective": file.objective,
            "moved": moved.json(),
            "pairs": certified.certificate().pairs(),
            "certificate": file.certificate,
        }))
    }

    fn text(
        &self,
        designer: Designer,
        grid: &PlaceGrid,
        certified: &Certified<Mechanism>,
        found: &Found,
        value: f64,
        moved: &Moved,
    ) -> Result<String> {
        let [columns, rows] = self.size;
        let mut text = format!(
            "{} for {columns}x{rows} cells of {} around {}, certified: {} of cells.\n",
            designer.title(),
            self.step,
            place(grid.region()),
            count(certified.certificate().pairs(), "pair"),
        );
        text += &self.promised(grid)?;
        text += &found.notes;
        let title = self.loss.title();
        text += &format!("{title}: {}, with {}", self.loss.value(value), self.prior.words());
        text += &match found.lower_bound {
            Some(bound) if self.is_whole() => {
                format!("; no mechanism with these claims between the cells goes below {}.\n", self.loss.value(bound))
            }
            Some(bound) => format!("; bound {}.\n", self.loss.value(bound)),
            None => "; --mechanism optimal finds the least.\n".to_owned(),
        };
        Ok(text + &moved.words())
    }

    /// What is promised, in words.
    fn promised(&self, grid: &PlaceGrid) -> Result<String> {
        let Some(epsilon) = self.epsilon(grid)? else {
            let Promise::Pairs { level, radius } = &self.promise else { unreachable!("the rest have an epsilon") };
            return Ok(format!(
                "Cells whose middles are at most {radius} apart are {level}-alike: no release is more than {} times as likely \
                 for one as for the other.\nThis is less than epsilon for each metre: nearer cells are no more alike, and of \
                 cells farther apart only this is promised: {level} for each step of at most {radius} between them.\n",
                factor(level)
            ));
        };
        let mut text = match &self.promise {
            Promise::Radius { level, radius } => radius_words(level, radius),
            _ => String::new(),
        };
        let next = grid.epsilon_in_plane(&epsilon)?.scale(grid.cells().step())?;
        text += &format!(
            "Epsilon is {} for each metre: next cells are {}-alike, and places of one cell are alike altogether.\n",
            shown(&epsilon.to_string(), epsilon.to_f64()),
            at_most(&next)
        );
        Ok(match &self.promise {
            Promise::Radius { .. } => {
                let resolution = short(decimal(&grid.resolution(), 4, Direction::Up));
                text + &format!("Places d metres apart, farther than that, are epsilon*(d + {resolution})-alike.\n")
            }
            _ => text + &words(&epsilon, &grid.resolution())?,
        })
    }
}
