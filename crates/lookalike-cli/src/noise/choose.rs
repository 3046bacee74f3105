//! `lookalike noise choose`.

use crate::Answer;
use crate::design::{check_output, prove, write};
use crate::interrupt::Interrupt;
use crate::streams::is_stdout;
use crate::terminal::{Terminal, count, figure, small};
use lookalike::certify::{Achieved, Certified};
use lookalike::design::exponential;
use lookalike::exact::{Direction, Epsilon, Rational, decimal, parse_rational, to_f64};
use lookalike::model::{Mechanism, Movement, SecretGraph};
use lookalike_engine::{Scores, note_input};
use lookalike_formats::{Error, MechanismFile, Result, certificate_json, largest_epsilon};
use serde_json::{Value, json};
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

/// How far the score of the released output falls short of the best, exactly.
struct Shortfall {
    /// Over inputs.
    mean: Rational,
    worst: Rational,
    /// The input with the worst.
    at: u32,
}

/// A design with its proof.
struct Chosen {
    certified: Certified<Mechanism>,
    shortfall: Shortfall,
    repair_cost: f64,
}

impl Choose {
    pub fn run(self, terminal: &Terminal) -> Result<Answer> {
        note_input(&self.scores);
        check_output(self.output.as_deref(), terminal)?;
        let bar = terminal.spinner("designing");
        let interrupt = Interrupt::new(&bar);
        let scores = Scores::read(&self.scores)?;
        let graph = self.graph(&scores)?;
        for component in graph.components().iter().filter(|component| component.len() == 1) {
            let name = graph.names().name(component[0]);
            bar.suspend(|| terminal.warn(&format!("input {name:?} has no edge and is not protected")));
        }
        let chosen = self.designed(scores, graph)?;
        bar.finish_and_clear();
        interrupt.writing();
        if let Some(path) = &self.output {
            write(&MechanismFile::of_certified("exponential", &chosen.certified), path, terminal)?;
        }
        if self.output.as_deref().is_some_and(is_stdout) {
            terminal.note(self.text(&chosen).trim_end());
        } else {
            terminal.answer(self.json(&chosen), || self.text(&chosen))?;
        }
        Ok(Answer::Yes)
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

    fn designed(&self, scores: Scores, graph: SecretGraph) -> Result<Chosen> {
        let movement = if self.together { Movement::Together } else { Movement::Anyhow };
        let Scores { inputs, outputs, scores } = scores;
        let repaired = exponential(inputs, outputs, graph, &scores, &self.sensitivity, movement)
            .map_err(|error| Error::from(error).in_file(&self.scores))?;
        let certified = prove(repaired.mechanism)?;
        let shortfall = Shortfall::of(certified.mechanism(), &scores);
        Ok(Chosen { certified, shortfall, repair_cost: repaired.cost })
    }

    fn text(&self, chosen: &Chosen) -> String {
        let (mechanism, certificate) = (chosen.certified.mechanism(), chosen.certified.certificate());
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
        let Shortfall { mean, worst, at } = &chosen.shortfall;
        text += &format!(
            "The score falls short of the best by {} on average over inputs, and by {} for {:?}.\n",
            figure(to_f64(mean, Direction::Nearest)),
            figure(to_f64(worst, Direction::Nearest)),
            mechanism.inputs().names().name(*at),
        );
        if chosen.repair_cost > 0.0 {
            text += &format!("Rounded to weights out of 2^53, and repaired at a cost {}.\n", small(chosen.repair_cost));
        }
        match &self.output {
            Some(path) if is_stdout(path) => text,
            Some(path) => text + &format!("Wrote {}.\n", path.display()),
            None => text + "Nothing written: give -o FILE to keep the mechanism.\n",
        }
    }

    fn json(&self, chosen: &Chosen) -> Value {
        let mechanism = chosen.certified.mechanism();
        let epsilon = largest_epsilon(mechanism);
        json!({
            "mechanism": "exponential",
            "inputs": mechanism.inputs().len(),
            "outputs": mechanism.outputs().len(),
            "epsilon": epsilon.to_f64(),
            "epsilon_text": epsilon.to_string(),
            "sensitivity": self.sensitivity.to_string(),
            "together": self.together,
            "shortfall": {
                "mean": to_f64(&chosen.shortfall.mean, Direction::Nearest),
                "worst": to_f64(&chosen.shortfall.worst, Direction::Nearest),
                "input": mechanism.inputs().names().name(chosen.shortfall.at),
            },
            "repair_cost": chosen.repair_cost,
            "certificate": certificate_json(mechanism, chosen.certified.certificate()),
            "output": self.output,
        })
    }
}

impl Shortfall {
    fn of(mechanism: &Mechanism, scores: &[Vec<Rational>]) -> Self {
        let channel = &mechanism.channels()[0];
        let of_input = |(x, row): (usize, &Vec<Rational>)| {
            let best = row.iter().max().expect("a table has an output");
            row.iter().enumerate().map(|(y, score)| (best - score) * channel.probability(x, y)).sum::<Rational>()
        };
        let all: Vec<Rational> = scores.iter().enumerate().map(of_input).collect();
        let mean = all.iter().sum::<Rational>() / Rational::from_integer(all.len().into());
        // The first of equals.
        let at = (0..all.len()).reduce(|worst, at| if all[at] > all[worst] { at } else { worst }).unwrap_or(0);
        Shortfall { mean, worst: all[at].clone(), at: at as u32 }
    }
}
