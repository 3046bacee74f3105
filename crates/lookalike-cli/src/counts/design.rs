//! `lookalike counts design`.

use super::figures::Figures;
use super::named::{Found, Named};
use super::properties;
use super::question::{Privacy, Question};
use crate::Answer;
use crate::design::{check_output, nearest, prove, stage, write};
use crate::interrupt::Interrupt;
use crate::streams::is_stdout;
use crate::terminal::{Terminal, figure, small};
use lookalike::certify::Certified;
use lookalike::counts::{Alpha, Method, check, closed_form_tie_break};
use lookalike::design::{Progress, Watch};
use lookalike::exact::{Direction, Rational, decimal, parse_rational, to_f64};
use lookalike::model::Mechanism;
use lookalike_formats::{MechanismFile, Result, certificate_json};
use serde_json::{Value, json};
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
        let alpha = self.privacy.alpha()?;
        let prior = self.question.prior(self.n)?;
        let bar = terminal.spinner("designing");
        let interrupt = Interrupt::new(&bar);
        let progress = |progress: Progress| bar.set_message(stage(progress));
        let watch = Watch::default().on_progress(&progress);
        let found = self.mechanism.find(self.n, &alpha, &self.question, &prior, &watch)?;
        if let Some(reason) = self.refusal(&found, &alpha)? {
            bar.finish_and_clear();
            let object = json!({ "possible": false, "reason": reason, "score": nearest(&found.score) });
            terminal.answer(object, || format!("NOT POSSIBLE: {reason}\n"))?;
            return Ok(Answer::No);
        }
        bar.set_message("certifying");
        let figures = Figures::of(&found.mechanism, &prior)?;
        let certified = prove(found.mechanism.clone())?;
        bar.finish_and_clear();
        interrupt.writing();
        if let Some(path) = &self.output {
            write(&self.file(&found, &certified), path, terminal)?;
        }
        if self.output.as_deref().is_some_and(is_stdout) {
            terminal.note(self.text(&found, &alpha, &figures).trim_end());
        } else {
            terminal.answer(self.json(&found, &alpha, &figures, &certified), || self.text(&found, &alpha, &figures))?;
        }
        Ok(Answer::Yes)
    }

    /// Why the mechanism is not what was asked for, with a way out.
    fn refusal(&self, found: &Found, alpha: &Alpha) -> Result<Option<String>> {
        let (n, title, asked) = (self.n, self.mechanism.title(), self.question.properties);
        let findings = check(&found.mechanism)?;
        let missing = properties::missing(&findings, asked);
        if let Some(finding) = findings.iter().find(|finding| missing.contains(finding.property)) {
            let line = properties::line(&found.mechanism, finding);
            let line = line.split_whitespace().collect::<Vec<_>>().join(" ");
            return Ok(Some(format!(
                "{title} for n = {n} and alpha {alpha} lacks {missing}: {line}; \
                 --mechanism optimal finds the best with {asked}"
            )));
        }
        let Some(limit) = self.at_most.as_ref().filter(|&limit| found.score > *limit) else {
            return Ok(None);
        };
        let (loss, score, limit) = (self.question.loss, shown_above(&found.score), nearest(limit));
        let with = if asked.is_empty() { String::new() } else { format!(" with {asked}") };
        Ok(Some(match self.mechanism {
            Named::Optimal => format!(
                "the best mechanism{with} for n = {n} and alpha {alpha} has the score {score} for {loss}, and at most \
                 {limit} was asked for; demand less, raise --at-most or lower alpha, which protects less"
            ),
            _ => format!(
                "{title} for n = {n} and alpha {alpha} has the score {score} for {loss}, and at most {limit} was asked \
                 for; --mechanism optimal finds the best"
            ),
        }))
    }

    fn file(&self, found: &Found, certified: &Certified<Mechanism>) -> MechanismFile {
        MechanismFile {
            mechanism: found.mechanism.clone(),
            name: Some(self.mechanism.name().to_owned()),
            places: None,
            objective: Some(self.objective(found)),
            certificate: Some(certificate_json(&found.mechanism, certified.certificate())),
        }
    }

    /// The score, what it is of, and how it was found.
    fn objective(&self, found: &Found) -> Value {
        let bound = found.bound.as_ref().map(down);
        json!({
            "name": self.question.loss.to_string(),
            "value": nearest(&found.score),
            "lower_bound": bound,
            "gap": found.bound.as_ref().map(|bound| to_f64(&(&found.score - bound), Direction::Up)),
            "tie_break": found.method.map(Method::tie_break).or_else(|| closed_form_tie_break(self.mechanism.title())),
        })
    }

    fn json(&self, found: &Found, alpha: &Alpha, figures: &Figures, certified: &Certified<Mechanism>) -> Value {
        let mut object = json!({
            "possible": true,
            "mechanism": self.mechanism.name(),
            "n": self.n,
            "alpha": alpha.to_f64(),
            "alpha_text": alpha.to_string(),
            "epsilon": alpha.epsilon().to_f64(),
            "epsilon_text": alpha.epsilon().to_string(),
            "method": found.method.map(Method::name),
            "objective": self.objective(found),
            "certificate": certificate_json(&found.mechanism, certified.certificate()),
            "output": self.output,
        });
        if let (Some(object), Value::Object(figures)) = (object.as_object_mut(), figures.json()) {
            object.extend(figures);
        }
        object
    }

    fn text(&self, found: &Found, alpha: &Alpha, figures: &Figures) -> String {
        let (title, n, epsilon) = (self.mechanism.title(), self.n, alpha.epsilon());
        let title = if self.mechanism == Named::Optimal { "The optimum" } else { title };
        let mut text = format!("{title} for the counts 0 to {n}, certified at alpha {alpha} (epsilon {epsilon}).\n");
        text += &format!("Properties: {}.\n", figures.properties_text());
        let [l0, l1, rmse] = [figures.l0, figures.l1, figures.rmse].map(figure);
        text += &format!("L_0 {l0}, L_1 {l1}, RMSE {rmse}; {}.\n", self.question.prior_text());
        text += &self.reason(found);
        match &self.output {
            Some(path) if is_stdout(path) => text,
            Some(path) => text + &format!("Wrote {}.\n", path.display()),
            None => text + "Nothing written: give -o FILE to keep the mechanism.\n",
        }
    }

    /// How the optimum was found, and how good it is.
    fn reason(&self, found: &Found) -> String {
        let Some(method) = found.method else { return String::new() };
        let (loss, asked) = (self.question.loss, self.question.properties);
        let with = if asked.is_empty() { String::new() } else { format!(" with {asked}") };
        let mut text = format!("Found by {}.\nAmong equally good ones: {}.\n", method.name(), method.tie_break());
        text += &match &found.bound {
            Some(bound) => format!(
                "Score for {loss}: {}; no mechanism{with} goes below {}, gap {}.\n",
                figure(nearest(&found.score)),
                figure(down(bound)),
                small(to_f64(&(&found.score - bound), Direction::Up)),
            ),
            None => format!(
                "Score for {loss}: {}, the least of any mechanism{with} up to the rounding of its weights.\n",
                figure(nearest(&found.score))
            ),
        };
        text
    }
}

/// With as many decimals as set it apart from a limit that people write, and not below the number.
fn shown_above(value: &Rational) -> String {
    decimal(value, 7, Direction::Up)
}

fn down(value: &Rational) -> f64 {
    to_f64(value, Direction::Down)
}
