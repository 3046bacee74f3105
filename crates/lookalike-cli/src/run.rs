//! `lookalike run`.

mod staging;
mod summary;

use crate::Answer;
use crate::design::{Design, Designed};
use crate::estimate::{Readback, Reports};
use crate::fit::Fit;
use crate::formats::InputFormat;
use crate::interrupt::Interrupt;
use crate::privatize::{Privatize, Released};
use crate::report::Report;
use crate::terminal::Terminal;
use clap::{Args, Command, FromArgMatches};
use lookalike::estimate::{Confidence, Estimator};
use lookalike_io::records::Format;
use lookalike_io::{Cohort, Error, Plan, PlanFit, Privatized, Result, estimates_json, json_text, write_atomically};
use staging::Staging;
use std::path::{Path, PathBuf};

/// Run a whole plan: fit or read profiles, design, certify, privatize, estimate, report
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  lookalike run plan.toml
  lookalike run plan.toml --output elsewhere --force

Each step is also a verb of its own with the same result: fit, design, certify, privatize, estimate, report.
Nothing is put in place before all is done.")]
pub struct Run {
    /// The plan: a spec with [data], [output] and more; see docs/run.md
    plan: PathBuf,
    /// The folder to write to, instead of the plan's
    #[arg(long, short, value_name = "FOLDER")]
    output: Option<PathBuf>,
}

/// The files of a run beside the released records.
const SPEC: &str = "spec.toml";
const LIMITS: &str = "limits.csv";
const MECHANISM: &str = "m.json";
const ESTIMATE: &str = "estimate.json";
const REPORT: &str = "report.html";

impl Run {
    pub fn run(self, terminal: &Terminal) -> Result<Answer> {
        let plan = Plan::read(&self.plan)?;
        let folder = self.output.clone().unwrap_or_else(|| plan.folder.clone());
        self.spare_inputs(&plan, &folder)?;
        let staging = Staging::new(&folder, terminal.force())?;
        let bar = terminal.spinner("reading");
        let interrupt = Interrupt::removing(&bar, staging.folder().to_path_buf());

        let spec = match &plan.fit {
            Some(fit) => self.fitted(&plan, fit, &staging, terminal)?,
            None => plan.spec.clone().unwrap_or_else(|| self.plan.clone()),
        };
        let design = self.design(&plan, &spec)?;
        let (problem, unprotected) = design.problem(terminal, &bar)?;
        let designed = design.designed(problem, unprotected, &bar)?;
        // What cannot be read back is better known before the release than after it.
        let estimator =
            Estimator::new(designed.certified.mechanism()).map_err(|error| Error::from(error).in_file(&spec))?;
        designed.file().save(&staging.path(MECHANISM), false)?;
        bar.finish_and_clear();

        let Some(done) = self.released(&plan, &staging, terminal)? else {
            return Ok(Answer::No);
        };
        let cohorts = self.estimated(&plan, &designed, &estimator, &staging, terminal)?;
        let json = estimates_json(designed.certified.mechanism(), &cohorts);
        write_atomically(&staging.path(ESTIMATE), false, json_text(&json).as_bytes())?;

        let words = vec![text(&staging.path(MECHANISM)), "--estimate".into(), text(&staging.path(ESTIMATE))];
        let bar = terminal.spinner("drawing");
        let Some(page) = verb::<Report>("report", words)?.page(terminal, &bar)? else {
            return Ok(Answer::No);
        };
        write_atomically(&staging.path(REPORT), false, page.as_bytes())?;

        interrupt.writing();
        let files = staging.publish()?;
        let summary =
            summary::Summary { plan: &plan, designed: &designed, done: &done, cohorts: &cohorts, files: &files };
        terminal.answer(summary.json(), || summary.text())?;
        Ok(Answer::Yes)
    }

    /// Refuses to replace what the plan reads.
    fn spare_inputs(&self, plan: &Plan, folder: &Path) -> Result<()> {
        let inputs =
            [Some(&self.plan), plan.spec.as_ref(), Some(&plan.data.records), plan.fit.as_ref().map(|fit| &fit.records)];
        for name in [SPEC, LIMITS, MECHANISM, ESTIMATE, REPORT, &plan.released] {
            let written = folder.join(name);
            let fitted = [SPEC, LIMITS].contains(&name);
            if (plan.fit.is_some() || !fitted) && inputs.iter().flatten().any(|input| is_same_file(input, &written)) {
                return Err(Error::input(
                    "the plan reads this file, and would replace it (choose another folder or name)",
                )
                .in_file(&written));
            }
        }
        Ok(())
    }

    /// The spec that is fitted to records.
    fn fitted(&self, plan: &Plan, fit: &PlanFit, staging: &Staging, terminal: &Terminal) -> Result<PathBuf> {
        let same = is_same_file(&fit.records, &plan.data.records);
        if same && !fit.same_data {
            return Err(Error::input(
                "fit: the profiles would be fitted to the records that are released (same_data = true allows it; \
                 epsilon then does not cover what the profiles reveal)",
            )
            .in_file(&self.plan));
        }
        let spec = staging.path(SPEC);
        let mut words =
            vec![text(&fit.records), "-o".into(), text(&spec), "--limits".into(), text(&staging.path(LIMITS))];
        words.extend(fit.options.iter().cloned());
        words.extend(options(plan, &["epsilon"]));
        let fit: Fit = verb("fit", words).map_err(|error| error.at("fit").in_file(&self.plan))?;
        fit.write(&fit.fitted(terminal)?, terminal)?;
        if same {
            terminal.warn("profiles fitted to the released records: epsilon does not cover what the profiles reveal");
        }
        terminal.note("The fitted profiles become public with m.json and spec.toml. limits.csv has exact counts: keep it to yourself.");
        Ok(spec)
    }

    fn design(&self, plan: &Plan, spec: &Path) -> Result<Design> {
        let mut words = vec![text(spec)];
        if plan.fit.is_some() {
            words.extend(options(plan, &["objective", "channel"]));
        }
        verb("design", words).map_err(|error| error.in_file(&self.plan))
    }

    fn released(&self, plan: &Plan, staging: &Staging, terminal: &Terminal) -> Result<Option<Privatized>> {
        let data = &plan.data;
        let output = staging.path(&plan.released);
        let mut words = vec![text(&staging.path(MECHANISM)), text(&data.records), "-o".into(), text(&output)];
        words.push(format!("--profile={}", data.profile));
        words.push(format!("--value={}", data.value.join(",")));
        words.push(format!("--unknown={}", data.unknown));
        words.extend((!data.keep.is_empty()).then(|| format!("--keep={}", data.keep.join(","))));
        words.extend(data.shuffle.then(|| "--shuffle".into()));
        words.extend(plan.seed.map(|seed| format!("--seed={seed}")));
        words.extend(data.csv.options());
        let privatize: Privatize = verb("privatize", words).map_err(|error| error.in_file(&self.plan))?;
        match privatize.released(terminal)? {
            Some(Released::All { done, .. }) if done.rows == 0 => {
                Err(Error::input("no records, expected at least one").in_file(&data.records))
            }
            Some(Released::All { done, .. }) => {
                privatize.warn(terminal, &done);
                Ok(Some(done))
            }
            Some(Released::Some) | None => Ok(None),
        }
    }

    fn estimated(
        &self,
        plan: &Plan,
        designed: &Designed,
        estimator: &Estimator,
        staging: &Staging,
        terminal: &Terminal,
    ) -> Result<Vec<Cohort>> {
        let asked = &plan.estimate;
        let confidence = Confidence { level: asked.confidence, simultaneous: asked.simultaneous };
        let (data, value) = (staging.path(&plan.released), plan.data.value.join("|"));
        let format: InputFormat = verb("estimate", released_format(plan))?;
        let reports = Reports { data: &data, value: &value, by: asked.by.as_deref(), format: &format };
        let readback = Readback::Channels(designed.certified.mechanism(), estimator);
        let cohorts = reports.estimate(&readback, confidence, terminal);
        cohorts.map_err(|error| error.in_file(&self.plan))
    }
}

/// How the released records are read, as options: what separates their fields, and their columns if they have no header.
fn released_format(plan: &Plan) -> Vec<String> {
    let csv = &plan.data.csv;
    let mut words = Vec::new();
    if Format::of(Path::new(&plan.released)).is_none_or(|format| format == Format::Csv) {
        words.extend(csv.delimiter.iter().map(|delimiter| format!("--delimiter={delimiter}")));
        let columns = || std::iter::once(plan.data.value.join("|")).chain(plan.data.keep.iter().cloned());
        words.extend(csv.columns.iter().map(|_| format!("--columns={}", columns().collect::<Vec<_>>().join(","))));
    }
    words
}

/// The arguments of a verb from the words of its command line: what a plan asks for is what the verb would do.
fn verb<V: Args + FromArgMatches>(name: &'static str, words: Vec<String>) -> Result<V> {
    let line = std::iter::once(name.to_owned()).chain(words);
    let parsed = V::augment_args(Command::new(name)).try_get_matches_from(line);
    parsed.and_then(|matches| V::from_arg_matches(&matches)).map_err(|error| {
        let text = error.to_string();
        let first = text.lines().next().unwrap_or_default().trim_start_matches("error: ").to_owned();
        Error::input(first)
    })
}

/// What the plan asks for as options.
fn options(plan: &Plan, keys: &[&str]) -> Vec<String> {
    let asked = plan.asked.iter().filter(|(key, _)| keys.contains(&key.as_str()));
    asked.map(|(key, value)| format!("--{key}={value}")).collect()
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

fn is_same_file(a: &Path, b: &Path) -> bool {
    match (a.canonicalize(), b.canonicalize()) {
        (Ok(a), Ok(b)) => a == b,
        _ => a == b,
    }
}
