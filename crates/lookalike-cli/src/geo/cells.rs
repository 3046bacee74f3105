//! Mechanisms between the cells of a grid, for people.

use super::loss;
use super::moved::moved_words;
use super::planar::{place, shown};
use super::promise::{at_most, factor, radius_words, words};
use crate::noise::short;
use crate::terminal::count;
use lookalike::exact::{Direction, Rational, decimal};
use lookalike_engine::geo::{CellDesigner, CellLoss, CellsDesigned, Promise};
use lookalike_formats::Result;
use lookalike_formats::geo::Length;

/// What is asked for, in words.
pub struct CellsText<'a> {
    /// How alike cells must look.
    pub promise: &'a Promise,
    /// What a wrong one costs.
    pub loss: &'a CellLoss,
    /// How often each is the true one.
    pub prior: String,
    /// Of the spanner.
    pub dilation: &'a Rational,
}

fn title(designer: CellDesigner) -> &'static str {
    match designer {
        CellDesigner::Optimal => "The optimal mechanism",
        CellDesigner::Planar => "Planar noise brought to the grid",
        CellDesigner::Truncated => "Truncated planar noise",
    }
}

impl CellsText<'_> {
    /// What is said of a mechanism.
    pub fn text(&self, designed: &CellsDesigned) -> Result<String> {
        let (grid, cells) = (&designed.grid, designed.grid.cells());
        let mut text = format!(
            "{} for {}x{} cells of {} around {}, certified: {} of cells.\n",
            title(designed.designer),
            cells.columns(),
            cells.rows(),
            Length::new(cells.step().clone())?,
            place(grid.region()),
            count(designed.certified.certificate().pairs(), "pair"),
        );
        text += &self.promised(designed)?;
        text += &self.notes(designed);
        let title = loss::title(self.loss);
        text += &format!("{title}: {}, with {}", loss::value(self.loss, designed.value), self.prior);
        text += &match designed.lower_bound {
            Some(bound) if self.is_whole() => {
                let bound = loss::value(self.loss, bound);
                format!("; no mechanism with these claims between the cells goes below {bound}.\n")
            }
            Some(bound) => format!("; bound {}.\n", loss::value(self.loss, bound)),
            None => "; --mechanism optimal finds the least.\n".to_owned(),
        };
        Ok(text + &moved_words(&designed.moved))
    }

    fn is_whole(&self) -> bool {
        *self.dilation == Rational::from_integer(1.into())
    }

    /// What the mechanism says of itself.
    fn notes(&self, designed: &CellsDesigned) -> String {
        match (designed.making.edges, designed.making.share_of_epsilon) {
            (Some(edges), _) if !self.is_whole() => {
                let dilation = short(decimal(self.dilation, 6, Direction::Nearest));
                format!(
                    "Designed on a spanner of {edges} edges with the dilation {dilation}: the bound is for mechanisms that \
                     keep epsilon/{dilation}; at epsilon there may be better ones, which --spanner 1 finds.\n"
                )
            }
            (_, Some(share)) => format!(
                "It falls with {share:.3} of epsilon: cut off at the edges, noise with all of it would give more away.\n"
            ),
            _ => String::new(),
        }
    }

    /// What is promised, in words.
    fn promised(&self, designed: &CellsDesigned) -> Result<String> {
        let grid = &designed.grid;
        let Some(epsilon) = &designed.epsilon else {
            let Promise::Pairs { level, radius } = self.promise else { unreachable!("the rest have an epsilon") };
            return Ok(format!(
                "Cells whose middles are at most {radius} apart are {level}-alike: no release is more than {} times as likely \
                 for one as for the other.\nThis is less than epsilon for each metre: nearer cells are no more alike, and of \
                 cells farther apart only this is promised: {level} for each step of at most {radius} between them.\n",
                factor(level)
            ));
        };
        let mut text = match self.promise {
            Promise::Radius { level, radius } => radius_words(level, radius),
            _ => String::new(),
        };
        let next = grid.epsilon_in_plane(epsilon)?.scale(grid.cells().step())?;
        text += &format!(
            "Epsilon is {} for each metre: next cells are {}-alike, and places of one cell are alike altogether.\n",
            shown(&epsilon.to_string(), epsilon.to_f64()),
            at_most(&next)
        );
        Ok(match self.promise {
            Promise::Radius { .. } => {
                let resolution = short(decimal(&grid.resolution(), 4, Direction::Up));
                text + &format!("Places d metres apart, farther than that, are epsilon*(d + {resolution})-alike.\n")
            }
            _ => text + &words(epsilon, &grid.resolution())?,
        })
    }
}
