//! `lookalike counts compare`.

use super::figures::Figures;
use super::named::Named;
use super::question::{Privacy, Question};
use crate::Answer;
use crate::interrupt::Interrupt;
use crate::terminal::{Terminal, whole_table};
use lookalike::counts::Alpha;
use lookalike::design::Watch;
use lookalike_formats::Result;
use serde_json::json;

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

/// One mechanism at one n and α.
struct Row {
    mechanism: Named,
    n: usize,
    alpha: Alpha,
    figures: Figures,
}

impl Compare {
    pub fn run(self, terminal: &Terminal) -> Result<Answer> {
        let bar = terminal.spinner("comparing");
        let _interrupt = Interrupt::new(&bar);
        let rows = self.rows()?;
        bar.finish_and_clear();
        let objects: Vec<_> = rows.iter().map(Row::json).collect();
        terminal.answer(json!({ "mechanisms": objects }), || self.text(&rows))?;
        Ok(Answer::Yes)
    }

    fn rows(&self) -> Result<Vec<Row>> {
        let mut mechanisms = self.mechanisms.clone();
        if !self.question.properties.is_empty() && !mechanisms.contains(&Named::Optimal) {
            mechanisms.push(Named::Optimal);
        }
        let mut rows = Vec::new();
        for &n in &self.n {
            let prior = self.question.prior(n)?;
            for alpha in self.privacy.alphas() {
                for &mechanism in &mechanisms {
                    let found = mechanism.find(n, &alpha, &self.question, &prior, &Watch::default())?;
                    let figures = Figures::of(&found.mechanism, &prior)?;
                    rows.push(Row { mechanism, n, alpha: alpha.clone(), figures });
                }
            }
        }
        Ok(rows)
    }

    /// A table a pair of n and α.
    fn text(&self, rows: &[Row]) -> String {
        let header: Vec<&str> = std::iter::once("mechanism").chain(Figures::header()).collect();
        let mut text = String::new();
        for same in rows.chunk_by(|a, b| a.n == b.n && a.alpha == b.alpha) {
            let Row { n, alpha, .. } = &same[0];
            let (epsilon, prior) = (alpha.epsilon(), self.question.prior_text());
            text += &format!("Counts 0 to {n} at alpha {alpha} (epsilon {epsilon}); {prior}.\n");
            text += &whole_table(&header, same.iter().map(Row::cells));
        }
        text
    }
}

impl Row {
    fn cells(&self) -> Vec<String> {
        std::iter::once(self.mechanism.title().to_owned()).chain(self.figures.cells()).collect()
    }

    fn json(&self) -> serde_json::Value {
        let mut object = json!({
            "mechanism": self.mechanism.name(),
            "n": self.n,
            "alpha": self.alpha.to_f64(),
            "alpha_text": self.alpha.to_string(),
            "epsilon": self.alpha.epsilon().to_f64(),
            "epsilon_text": self.alpha.epsilon().to_string(),
        });
        if let (Some(object), serde_json::Value::Object(figures)) = (object.as_object_mut(), self.figures.json()) {
            object.extend(figures);
        }
        object
    }
}
