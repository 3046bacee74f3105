//! `lookalike counts compare`.

use super::figures::{cells, header};
use super::named::Named;
use super::question::{Privacy, Question};
use crate::Answer;
use crate::interrupt::Interrupt;
use crate::terminal::{Terminal, whole_table};
use lookalike::design::Watch;
use lookalike_engine::Facts;
use lookalike_engine::counts::{CountComparison, CountFound, CountsCompared};
use lookalike_formats::Result;

/// Compare mechanisms: which properties each has, and how wrong it is
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  lookalike counts compare --n 4 --alpha 0.9
  lookalike counts compare --n 4,7 --alpha 0.9,0.76 --mechanisms gm,em
  lookalike counts compare --n 4 --alpha 0.9 --properties WH,CM    # and the best with these

RH row honesty, RM row monotonicity, CH column honesty, CM column monotonicity, F fairness, WH weak honesty, S symmetry.
L_0 and L_1 are scaled by (n+1)/n, so that L_0 is 1 for guessing; RMSE is in counts.")]
pub struct Compare {
    /// How many people a group has; several with commas between
    #[arg(long, value_name = "N", value_delimiter = ',', required = true)]
    n: Vec<usize>,
    #[command(flatten)]
    privacy: Privacy,
    /// Which mechanisms; with --properties also the optimum
    #[arg(long, value_name = "NAMES", value_delimiter = ',', default_value = "gm,em,wm,um")]
    mechanisms: Vec<Named>,
    #[command(flatten)]
    question: Question,
}

impl Compare {
    pub fn run(self, terminal: &Terminal) -> Result<Answer> {
        let bar = terminal.spinner("comparing");
        let _interrupt = Interrupt::new(&bar);
        let compared = self.request()?.run(&Watch::default())?;
        bar.finish_and_clear();
        terminal.answer(compared.facts().json(), || self.text(&compared))?;
        Ok(Answer::Yes)
    }

    fn request(&self) -> Result<CountComparison> {
        let mut questions = Vec::new();
        for &n in &self.n {
            for alpha in self.privacy.alphas() {
                questions.push(self.question.request(n, alpha)?);
            }
        }
        Ok(CountComparison { questions, mechanisms: self.mechanisms.iter().map(|named| named.kind()).collect() })
    }

    /// A table a pair of n and α.
    fn text(&self, compared: &CountsCompared) -> String {
        let header: Vec<&str> = std::iter::once("mechanism").chain(header()).collect();
        let row = |found: &CountFound| {
            std::iter::once(found.solution.kind.title().to_owned()).chain(cells(&found.figures)).collect()
        };
        let alike = |one: &CountFound, other: &CountFound| {
            one.question.n == other.question.n && one.question.alpha == other.question.alpha
        };
        let mut text = String::new();
        for same in compared.0.chunk_by(alike) {
            let (n, alpha) = (same[0].question.n, &same[0].question.alpha);
            let (epsilon, prior) = (alpha.epsilon(), self.question.prior_text());
            text += &format!("Counts 0 to {n} at alpha {alpha} (epsilon {epsilon}); {prior}.\n");
            text += &whole_table(&header, same.iter().map(row));
        }
        text
    }
}
