//! `lookalike noise choose`.

use crate::Answer;
use crate::design::{check_output, write};
use crate::interrupt::Interrupt;
use crate::outcome::{answer, kept_text, warn};
use crate::terminal::{Terminal, count, figure, small};
use lookalike::certify::Achieved;
use lookalike::exact::{Direction, Epsilon, Rational, decimal, parse_rational, to_f64};
use lookalike::model::SecretGraph;
use lookalike_engine::noise::{ExponentialDesign, ExponentialDesigned, ScoreShortfall};
use lookalike_engine::{Scores, note_input};
use lookalike_formats::{Error, Result, largest_epsilon};
use std::path::PathBuf;

/// Design the exponential mechanism over a finite set, prove it, and write it to a file
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  lookalike noise choose scores.csv --epsilon 1 --sensitivity 2 -o m.json
  lookalike noise choose scores.csv --edges edges.csv --epsilon 1 --sensitivity 2 -o m.json
  lookalike privatize m.json records.csv --value place -o private.csv

The first column of the table names the inputs x, each other column is an output y, and an entry
is the score u(x, y): how good y is for x, exactly as it is written. Released is y with
  P(y|x) in proportion to e^(E u(x,y) / (2D)), or with --together to e^(E u(x,y) / D),
where D is the most by which the score of any output differs between neighbours. The table is
public: it has every input that there may be, and what it says must not come from the data.
The file is of kind point: privatize, estimate, report and audit take it as any other.")]
pub struct Choose {
    /// The scores: CSV, Parquet or Arrow
    scores: PathBuf,
    /// How alike neighbours must look, like 0.5 or ln(3)
    #[arg(long, value_name = "E", allow_negative_numbers = true)]
    epsilon: Epsilon,
    /// The most by which the score of an output differs between neighbours
    #[arg(long, value_name = "D", value_parser = parse_rational, allow_negative_numbers = true)]
    sensitivity: Rational,
    /// Between neighbours all scores rise or all fall, as when people are added or removed: half the noise. Inputs two such
    /// steps apart, as when a person changes their answer, are then hidden at twice epsilon
    #[arg(long)]
    together: bool,
    /// Which inputs are neighbours: a table with columns a, b and perhaps epsilon
    #[arg(long, value_name = "FILE", conflicts_with = "shape")]
    edges: Option<PathBuf>,
    /// Which inputs are neighbours: every two, or each and the next
    #[arg(long, default_value = "complete")]
    shape: Shape,
    /// The mechanism file to write; - for standard output
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Shape {
    Complete,
    Chain,
}

impl Choose {
    pub fn run(self, terminal: &Terminal) -> Result<Answer> {
        note_input(&self.scores);
        check_output(self.output.as_deref(), terminal)?;
        let bar = terminal.spinner("designing");
        let interrupt = Interrupt::new(&bar);
        let designed = self.request()?.run().map_err(|error| error.in_file(&self.scores))?;
        bar.finish_and_clear();
        interrupt.writing();
        warn(&designed.warnings, terminal);
        if let Some(path) = &self.output {
            write(&designed.file(), path, terminal)?;
        }
        answer(&designed.facts(), self.output.as_deref(), || self.text(&designed), terminal)?;
        Ok(Answer::Yes)
    }

    fn request(&self) -> Result<ExponentialDesign> {
        let scores = Scores::read(&self.scores)?;
        let graph = self.graph(&scores)?;
        let Scores { inputs, outputs, scores } = scores;
        let (sensitivity, together) = (self.sensitivity.clone(), self.together);
        Ok(ExponentialDesign { inputs, outputs, graph, scores, sensitivity, together })
    }

    fn graph(&self, scores: &Scores) -> Result<SecretGraph> {
        if let Some(path) = &self.edges {
            return scores.edges(path, &self.epsilon);
        }
        let mut builder = scores.builder();
        match self.shape {
            Shape::Complete => builder.complete(&self.epsilon),
            Shape::Chain => builder.chain(&self.epsilon),
        }
        builder.build().map_err(|error| Error::from(error).in_file(&self.scores))
    }

    fn text(&self, designed: &ExponentialDesigned) -> String {
        let (mechanism, certificate) = (designed.certified.mechanism(), designed.certified.certificate());
        let worst = certificate.worst();
        let used = match worst.achieved() {
            Achieved::Infinite => "infinite".to_owned(),
            Achieved::Within(interval) => decimal(&interval.upper().to_rational(), 5, Direction::Up),
        };
        let (form, how) = match self.together {
            true => ("e^(epsilon u(x,y) / sensitivity)", "scores that move together"),
            false => ("e^(epsilon u(x,y) / (2 sensitivity))", "scores that move anyhow"),
        };
        let twice = match self.together {
            true => {
                "Inputs two steps apart, as when one person leaves and another comes, are hidden at twice epsilon.\n"
            }
            false => "",
        };
        let smallest = mechanism.graph().epsilons()[0];
        let mut text = format!(
            "The exponential mechanism over {} and {}; {} of values certified, epsilon at most {}.\n\
             P(y|x) in proportion to {form}: epsilon {smallest}, sensitivity {}, {how}.\n{twice}",
            count(mechanism.inputs().len() as u64, "input"),
            count(mechanism.outputs().len() as u64, "output"),
            count(certificate.pairs(), "pair"),
            largest_epsilon(mechanism),
            self.sensitivity,
        );
        let names = worst.secrets().map(|secret| mechanism.graph().names().name(secret));
        text += &format!(
            "Tightest: {:?} against {:?}, true epsilon at most {used} of {}.\n",
            names[0],
            names[1],
            worst.claimed()
        );
        let ScoreShortfall { mean, worst, at } = &designed.shortfall;
        text += &format!(
            "The score falls short of the best by {} on average over inputs, and by {} for {:?}.\n",
            figure(to_f64(mean, Direction::Nearest)),
            figure(to_f64(worst, Direction::Nearest)),
            mechanism.inputs().names().name(*at),
        );
        if designed.repair_cost > 0.0 {
            text +=
                &format!("Rounded to weights out of 2^53, and made exact at a cost {}.\n", small(designed.repair_cost));
        }
        text + &kept_text(self.output.as_deref())
    }
}
