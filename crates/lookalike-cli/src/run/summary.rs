//! What a run says at its end: what was promised, what it cost, what was learnt.

use crate::design::nearest;
use crate::estimate::{ReportReader, text};
use crate::terminal::{count, figure};
use lookalike::model::{Kind, Mechanism};
use lookalike_engine::{FigureChoice, Ran, utilities};
use lookalike_formats::largest_epsilon;
use std::path::{Path, PathBuf};

/// A run in words.
pub struct Summary<'a>(pub &'a Ran);

impl Summary<'_> {
    pub fn text(&self) -> String {
        let line = |said: Option<String>| said.map_or_else(String::new, |said| format!("{said}\n"));
        let (unchanged, repeated) = (line(self.0.unchanged()), line(self.0.repeated()));
        unchanged + &self.promised() + &repeated + &self.cost() + &self.learnt() + &self.written()
    }

    fn promised(&self) -> String {
        let mechanism = self.0.mechanism();
        let epsilon = largest_epsilon(mechanism);
        let factor = epsilon.to_f64().exp();
        let pairs = self.0.designed.certified.certificate().pairs();
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
        let (ours, local) = (&self.0.designed.design, &self.0.designed.baseline);
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
        if !self.0.plan.data.keep.is_empty() {
            text += &format!("Released in clear, outside epsilon: {}.\n", self.0.plan.data.keep.join(", "));
        }
        text
    }

    fn learnt(&self) -> String {
        let mechanism = self.0.mechanism();
        match ReportReader::channels(mechanism, self.0.plan.estimate.trust) {
            Ok(reader) => format!("Learnt: {}", text(&reader, &self.0.cohorts, FigureChoice::default())),
            Err(_) => String::new(),
        }
    }

    fn written(&self) -> String {
        let name = |path: &PathBuf| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let folder = self.0.files.first().and_then(|path| path.parent()).unwrap_or(Path::new(""));
        let names: Vec<String> = self.0.files.iter().map(name).collect();
        format!("Wrote {} to {}.\n", names.join(", "), folder.display())
    }
}
