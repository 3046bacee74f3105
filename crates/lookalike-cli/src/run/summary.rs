//! What a run says at its end: what was promised, what it cost, what was learnt.

use crate::design::nearest;
use crate::estimate::{Readback, text};
use crate::terminal::{count, figure};
use lookalike::estimate::Estimator;
use lookalike::model::{Kind, Mechanism};
use lookalike_engine::{
    Cohort, DesignOutcome, FigureChoice, Privatized, estimates_json, no_value_changed, repeated_reports, secrets_of,
    utilities,
};
use lookalike_formats::{Plan, largest_epsilon};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

pub struct Summary<'a> {
    pub plan: &'a Plan,
    pub designed: &'a DesignOutcome,
    pub done: &'a Privatized,
    pub cohorts: &'a [Cohort],
    pub files: &'a [PathBuf],
}

impl Summary<'_> {
    pub fn json(&self) -> Value {
        json!({
            "design": self.designed.facts(None),
            "privatize": {
                "rows": self.done.rows,
                "seeded": self.plan.seed.is_some(),
                "released_in_clear": self.plan.data.keep,
            },
            "estimate": estimates_json(self.designed.certified.mechanism(), self.cohorts),
            "files": self.files.iter().map(|path| path.display().to_string()).collect::<Vec<_>>(),
        })
    }

    pub fn text(&self) -> String {
        let line = |said: Option<String>| said.map_or_else(String::new, |said| format!("{said}\n"));
        let mechanism = self.designed.certified.mechanism();
        let unchanged = line(no_value_changed(self.done, mechanism));
        let repeated = line(repeated_reports(self.done, secrets_of(mechanism), largest_epsilon(mechanism)));
        unchanged + &self.promised() + &repeated + &self.cost() + &self.learnt() + &self.written()
    }

    fn promised(&self) -> String {
        let mechanism = self.designed.certified.mechanism();
        let epsilon = largest_epsilon(mechanism);
        let factor = epsilon.to_f64().exp();
        let pairs = self.designed.certified.certificate().pairs();
        let whom = match mechanism.kind() {
            Kind::Point => "two values",
            _ => "two profiles",
        };
        format!(
            "Promised: no report is more than {factor:.3} times as likely under one of {whom} that must look alike as \
             under the\nother (epsilon {epsilon}; {}, proved in exact arithmetic). The promise is for one report each.\n",
            count(pairs, "pair")
        )
    }

    fn cost(&self) -> String {
        let (ours, local) = (&self.designed.design, &self.designed.baseline);
        let wrong = |mechanism: &Mechanism| {
            let errors = utilities(mechanism).map(|utility| nearest(&utility.expected_error));
            100.0 * errors.sum::<f64>() / mechanism.graph().names().len() as f64
        };
        let mut text = format!(
            "Cost: {:.1} % of the values are released wrongly, averaged over profiles; {:.1} % with local DP ({} {}, with local DP {}).\n",
            wrong(&ours.mechanism),
            wrong(&local.mechanism),
            ours.objective.name,
            figure(ours.objective.value),
            figure(local.objective.value),
        );
        if !self.plan.data.keep.is_empty() {
            text += &format!("Released in clear, outside epsilon: {}.\n", self.plan.data.keep.join(", "));
        }
        text
    }

    fn learnt(&self) -> String {
        let mechanism = self.designed.certified.mechanism();
        match Estimator::new(mechanism, self.plan.estimate.trust) {
            Ok(estimator) => format!(
                "Learnt: {}",
                text(&Readback::Channels(mechanism, &estimator), self.cohorts, FigureChoice::default())
            ),
            Err(_) => String::new(),
        }
    }

    fn written(&self) -> String {
        let name = |path: &PathBuf| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let folder = self.files.first().and_then(|path| path.parent()).unwrap_or(Path::new(""));
        let names: Vec<String> = self.files.iter().map(name).collect();
        format!("Wrote {} to {}.\n", names.join(", "), folder.display())
    }
}
