//! `lookalike pufferfish wasserstein`.

use crate::Answer;
use crate::certify::proved;
use crate::design::{check_output, write};
use crate::noise::{Level, Width, coarse_grid, exponent, scale, significant};
use crate::streams::is_stdout;
use crate::terminal::Terminal;
use lookalike::certify::Certified;
use lookalike::exact::{Direction, Rational, parse_rational, to_f64};
use lookalike::model::Noise;
use lookalike::pufferfish::{Framework, Learned, Wasserstein, learned_from_noise};
use lookalike_engine::{ReadFile, note_input};
use lookalike_formats::pufferfish::FrameworkFile;
use lookalike_formats::{MechanismFile, Result};
use serde_json::{Value, json};
use std::path::PathBuf;

/// Noise as wide as the secrets can move the query: prove it, and write it to a file
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  lookalike pufferfish wasserstein framework.toml
  lookalike pufferfish wasserstein framework.toml -o m.json
  lookalike privatize m.json answers.csv --value ill -o private.csv

W is the largest distance by which the answer has to be moved to turn its law under one secret of
a pair into its law under the other. Group differential privacy hides a change of everything at
once and so needs at least as much noise.
Exit code 1 when W = 0: then the query tells nothing about the secrets, and nothing is written.")]
pub struct WassersteinVerb {
    /// The framework: secrets, pairs and laws, TOML or JSON; the values of its query are numbers
    framework: PathBuf,
    /// Round to multiples of this power of two, like 1/1024, 0.25 or 2^-10
    #[arg(long, value_name = "G", default_value = "1", value_parser = exponent)]
    grid: i32,
    /// Say what an adversary learns who believes this of a secret before the release
    #[arg(long, value_name = "P", default_value = "1/2", value_parser = parse_rational)]
    prior: Rational,
    /// The mechanism file to write; - for standard output
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// What is said about the noise of a framework.
struct Found<'a> {
    framework: &'a Framework,
    wasserstein: Wasserstein,
    certified: Certified<Noise>,
    /// What hides everything at once.
    group: Noise,
    learned: Learned,
    width: Width,
}

impl WassersteinVerb {
    pub fn run(self, terminal: &Terminal) -> Result<Answer> {
        note_input(&self.framework);
        check_output(self.output.as_deref(), terminal)?;
        let file = FrameworkFile::read(&self.framework)?;
        let framework = &file.framework;
        let wasserstein =
            framework.wasserstein().map_err(|error| lookalike_formats::Error::from(error).in_file(&self.framework))?;
        if *wasserstein.distance() == Rational::default() {
            let reason = "the query has the same law under both secrets of every pair, tells nothing about them and needs \
                          no noise";
            let object = json!({ "distance": "0", "reason": reason });
            terminal.answer(object, || format!("W = 0: {reason}; nothing written.\n"))?;
            return Ok(Answer::No);
        }
        let noise = wasserstein.noise(self.grid)?;
        if let Some(warning) = coarse_grid(&noise) {
            terminal.warn(&warning);
        }
        let least = wasserstein.by_epsilon().keys().next().expect("a framework has a pair");
        let group = Noise::for_epsilon(least.clone(), framework.span()?, self.grid)?;
        let learned = self.learned(framework, &wasserstein, &noise)?;
        let width = Width::of(&noise, &Level::usual())?;
        let Some(certified) = proved(noise, "nothing written", terminal)? else {
            return Ok(Answer::No);
        };
        let mechanism = MechanismFile::of_certified("wasserstein", &certified);
        if let Some(path) = &self.output {
            write(&mechanism, path, terminal)?;
        }
        let found = Found { framework, wasserstein, certified, group, learned, width };
        if self.output.as_deref().is_some_and(is_stdout) {
            terminal.note(self.text(&found).trim_end());
        } else {
            terminal.answer(self.json(&found, &mechanism), || self.text(&found))?;
        }
        Ok(Answer::Yes)
    }

    /// What the noise tells about the farthest pair, in the direction in which it tells more.
    fn learned(&self, framework: &Framework, wasserstein: &Wasserstein, noise: &Noise) -> Result<Learned> {
        let farthest = wasserstein.farthest();
        let [one, other] = farthest.secrets;
        let about = |secrets| learned_from_noise(framework, farthest.theta, secrets, noise, &self.prior);
        let (first, second) = (about([one, other])?, about([other, one])?);
        Ok(if second.achieved > first.achieved { second } else { first })
    }

    fn text(&self, found: &Found<'_>) -> String {
        let (farthest, noise) = (found.wasserstein.farthest(), found.certified.mechanism());
        let name = |secret: u32| found.framework.pairs().names().name(secret);
        let mut text = format!(
            "W = {}: the farthest that the secrets move the query.\n\
             The farthest pair: {:?} and {:?}, under the law {:?}.\n\
             Discrete Laplace noise on a grid of {}, certified at epsilon {}: decay {} a step, a scale of {}.\n",
            farthest.distance,
            name(farthest.secrets[0]),
            name(farthest.secrets[1]),
            found.framework.class()[farthest.theta].name(),
            noise.grid(),
            noise.epsilon(),
            noise.decay(),
            significant(&scale(noise), Direction::Nearest),
        );
        text += &format!(
            "Group differential privacy hides a change of {} and would need a scale of {}.\n",
            found.group.sensitivity(),
            significant(&scale(&found.group), Direction::Nearest),
        );
        let by_epsilon = found.wasserstein.by_epsilon();
        if by_epsilon.len() > 1 {
            let each =
                by_epsilon.iter().map(|(epsilon, farthest)| format!("{} at epsilon {epsilon}", farthest.distance));
            text += &format!("W for each epsilon: {}.\n", each.collect::<Vec<_>>().join(", "));
        }
        let [one, other] = found.learned.secrets.map(name);
        text += &format!("Belief in {one:?} rather than {other:?}: {}.\n", found.learned);
        text += &(found.width.text() + "\n");
        match &self.output {
            Some(path) if is_stdout(path) => text,
            Some(path) => text + &format!("Wrote {}.\n", path.display()),
            None => text + "Nothing written: give -o FILE to keep the mechanism.\n",
        }
    }

    fn json(&self, found: &Found<'_>, mechanism: &MechanismFile<Noise>) -> Value {
        let (farthest, noise) = (found.wasserstein.farthest(), found.certified.mechanism());
        let name = |secret: u32| found.framework.pairs().names().name(secret);
        let nearest = |value: &Rational| to_f64(value, Direction::Nearest);
        let by_epsilon = found.wasserstein.by_epsilon().iter();
        json!({
            "distance": farthest.distance.to_string(),
            "pair": farthest.secrets.map(name),
            "law": found.framework.class()[farthest.theta].name(),
            "by_epsilon": by_epsilon
                .map(|(epsilon, farthest)| json!({ "epsilon_text": epsilon.to_string(), "distance": farthest.distance.to_string() }))
                .collect::<Vec<_>>(),
            "mechanism": mechanism.name,
            "epsilon": noise.epsilon().to_f64(),
            "epsilon_text": noise.epsilon().to_string(),
            "grid": noise.grid().to_string(),
            "decay": noise.decay().to_string(),
            "scale": nearest(&scale(noise)),
            "group": { "distance": found.group.sensitivity().to_string(), "scale": nearest(&scale(&found.group)) },
            "learned": {
                "pair": found.learned.secrets.map(name),
                "prior": nearest(&found.learned.prior),
                "promised": found.learned.promised.as_ref().map(|belief| to_f64(belief, Direction::Up)),
                "achieved": to_f64(&found.learned.achieved, Direction::Up),
            },
            "intervals": [found.width.json()],
            "certificate": mechanism.certificate,
            "output": self.output,
        })
    }
}
