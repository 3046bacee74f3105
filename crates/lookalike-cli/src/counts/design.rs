//! `lookalike counts design`.

use super::figures::properties_text;
use super::named::Named;
use super::question::{Privacy, Question};
use crate::Answer;
use crate::design::{check_output, nearest, stage, write};
use crate::interrupt::Interrupt;
use crate::outcome::{answer, kept_text};
use crate::terminal::{Terminal, figure, small, spelled};
use lookalike::counts::Method;
use lookalike::design::{Progress, Watch};
use lookalike::exact::{Direction, Rational, parse_rational, to_f64};
use lookalike_engine::Facts;
use lookalike_engine::counts::{CountDesign, CountDesigned, CountFound, CountMechanism};
use lookalike_formats::{CommandLine, Result};
use std::path::PathBuf;

/// Design a mechanism over the counts 0 to n, prove it, and write it to a file
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  lookalike counts design --n 8 --alpha 0.9 -o m.json
  lookalike counts design --n 8 --alpha 0.9 --mechanism em -o m.json
  lookalike counts design --n 8 --epsilon 0.1 --properties WH,CM --loss l1 -o m.json
  lookalike counts design --n 4 --alpha 0.9 --prior 1,4,6,4,1 --loss more-than-1 -o m.json

Exit code 1 when no mechanism is as asked for: then nothing is written.")]
pub struct Design {
    /// How many people a group has; counts go from 0 to this
    #[arg(long, value_name = "N")]
    n: usize,
    #[command(flatten)]
    privacy: Privacy,
    /// The mechanism; the optimum for the properties, loss and prior by default
    #[arg(long, value_name = "NAME", default_value = "optimal")]
    mechanism: Named,
    #[command(flatten)]
    question: Question,
    /// The largest score that is acceptable for the loss: L_0 is 1 for guessing
    #[arg(long, value_name = "SCORE", value_parser = parse_rational)]
    at_most: Option<Rational>,
    /// The mechanism file to write; - for standard output
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl Design {
    pub fn run(self, terminal: &Terminal) -> Result<Answer> {
        check_output(self.output.as_deref(), terminal)?;
        let question = self.question.request(self.n, self.privacy.alpha()?)?;
        let request = CountDesign { question, kind: self.mechanism.kind(), at_most: self.at_most.clone() };
        let bar = terminal.spinner("designing");
        let interrupt = Interrupt::new(&bar);
        let progress = |progress: Progress| bar.set_message(stage(progress));
        let designed = request.run(&Watch::default().on_progress(&progress))?;
        bar.finish_and_clear();
        interrupt.writing();
        let found = match designed {
            CountDesigned::Found(found) => found,
            CountDesigned::Impossible(why) => {
                let text = || format!("NOT POSSIBLE: {}\n", spelled(&why.reason));
                terminal.answer(why.facts(&CommandLine).json(), text)?;
                return Ok(Answer::No);
            }
        };
        if let Some(path) = &self.output {
            write(&found.file(), path, terminal)?;
        }
        let output = self.output.as_deref();
        answer(&found.facts(output), output, || self.text(&found), terminal)?;
        Ok(Answer::Yes)
    }

    fn text(&self, found: &CountFound) -> String {
        let (alpha, figures, kind) = (&found.question.alpha, &found.figures, found.solution.kind);
        let title = if kind == CountMechanism::Optimal { "The optimum" } else { kind.title() };
        let (n, epsilon) = (self.n, alpha.epsilon());
        let mut text = format!("{title} for the counts 0 to {n}, certified at alpha {alpha} (epsilon {epsilon}).\n");
        text += &format!("Properties: {}.\n", properties_text(figures));
        let [l0, l1, rmse] = [figures.l0, figures.l1, figures.rmse].map(figure);
        text += &format!("L_0 {l0}, L_1 {l1}, RMSE {rmse}; {}.\n", self.question.prior_text());
        text + &reason(found) + &kept_text(self.output.as_deref())
    }
}

/// How the optimum was found, and how good it is.
fn reason(found: &CountFound) -> String {
    let solution = &found.solution;
    let Some(method) = solution.method else { return String::new() };
    let (loss, asked) = (found.question.loss, found.question.properties);
    let with = if asked.is_empty() { String::new() } else { format!(" with {asked}") };
    let tie_break = Method::tie_break(method);
    let mut text = format!("Found by {}.\nAmong equally good ones: {tie_break}.\n", method.name());
    text += &match &solution.bound {
        Some(bound) => format!(
            "Score for {loss}: {}; no mechanism{with} goes below {}, gap {}.\n",
            figure(nearest(&solution.score)),
            figure(to_f64(bound, Direction::Down)),
            small(to_f64(&(&solution.score - bound), Direction::Up)),
        ),
        None => format!(
            "Score for {loss}: {}, the least of any mechanism{with} up to the rounding of its weights.\n",
            figure(nearest(&solution.score))
        ),
    };
    text
}
