//! What a run says at its end: what was promised, what it cost, what was learnt.

use crate::certify::within_text;
use crate::design::{kept, nearest};
use crate::estimate::{ReportReader, text};
use crate::terminal::{figure, wrapped};
use lookalike::model::Mechanism;
use lookalike_engine::{FigureChoice, Ran, utilities};
use lookalike_formats::LIMITS_REST_ON;
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
        let designed = &self.0.designed;
        let basis = designed.limits_basis.as_ref().map_or_else(String::new, |_| wrapped(LIMITS_REST_ON));
        let within = self.0.within.as_ref().map_or_else(String::new, |within| within_text(within, self.0.mechanism()));
        let exactly = if self.0.within.is_some() { ", if the profiles are exactly as they were fitted" } else { "" };
        let promise = format!("Promised{exactly}: {}. The promise is for one report each.", designed.promised());
        wrapped(&promise) + &basis + &within
    }

    fn cost(&self) -> String {
        let (ours, local) = (&self.0.designed.design, &self.0.designed.baseline);
        let wrong = |mechanism: &Mechanism| {
            let errors = utilities(mechanism).map(|utility| nearest(&utility.expected_error));
            100.0 * errors.sum::<f64>() / mechanism.graph().names().len() as f64
        };
        let (name, value) = (ours.objective.name, figure(ours.objective.value));
        let (error, local_error) = (wrong(&ours.mechanism), wrong(&local.mechanism));
        let local_value = figure(local.objective.value);
        let text = match &self.0.trusting {
            None => format!(
                "Cost: {error:.1} % of the values are released wrongly, averaged over profiles; {local_error:.1} % with local DP \
                 ({name} {value}, with local DP {local_value})."
            ),
            Some(trusting) => format!(
                "Cost: {error:.1} % of the values are released wrongly, averaged over profiles; {:.1} % if the profiles were \
                 trusted, {local_error:.1} % with local DP ({name} {value}; {} if trusted, {local_value} with local DP).",
                wrong(&trusting.design.mechanism),
                figure(trusting.design.objective.value),
            ),
        };
        let mut text = wrapped(&text) + &kept(&self.0.designed);
        if !self.0.plan.data.keep.is_empty() {
            text += &format!("Released in clear, outside epsilon: {}.\n", self.0.plan.data.keep.join(", "));
        }
        text
    }

    fn learnt(&self) -> String {
        let mechanism = self.0.mechanism();
        let asked = &self.0.plan.estimate;
        match ReportReader::channels(mechanism, asked.trust, asked.by.is_some()) {
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
