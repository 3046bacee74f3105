//! The whole path of a plan: fit or read profiles, design, prove, release, estimate, report.

mod hidden_folder;
mod journal;
mod promised_budget;
mod run_facts;
mod staging;

pub use hidden_folder::Unfinished;
pub use run_facts::{RunFacts, RunReleaseFacts};

use crate::design::{DesignOutcome, DesignOverrides, DesignRequest, Trusting};
use crate::estimate::{Cohort, EstimateFacts, EstimateRequest, ReportReader, ReportRecords};
use crate::facts::Facts;
use crate::files::{ReadFile, SaveFile};
use crate::fit::FitRequest;
use crate::mechanism::Within;
use crate::release::{
    Channels, OutputFile, Privatized, ReleaseOptions, ReleaseRequest, Written, check_in_clear, stopped,
};
use lookalike::Sentence;
use lookalike::certify::Certified;
use lookalike::design::{Progress, Watch};
use lookalike::estimate::Confidence;
use lookalike::model::Mechanism;
use lookalike_formats::records::{Columns, CsvOptions, Format};
use lookalike_formats::{DATA, Error, FIT, MechanismFile, Plan, PlanFit, Result, Spec, json_text};
use lookalike_records::{
    AtomicFile, InputGuard, RecordFile, Records, check_spared, escape_formula, is_same_file, length, note_input,
    write_atomically, write_for_owner,
};
use staging::Staging;
use std::path::{Path, PathBuf};

/// A plan to be run. Nothing is put in place before all is done, and then all of it: what a run that died had begun, the
/// next one to the same folder completes or undoes.
pub struct Run<'a> {
    /// The plan's file.
    pub path: &'a Path,
    /// The folder to write to, instead of the plan's.
    pub output: Option<&'a Path>,
    /// Whether files of an earlier run may be replaced.
    pub replace: bool,
    /// Makes the page.
    pub page: MakePage<'a>,
}

/// Makes the page about a mechanism with what was learnt; says what it leaves out, and can be stopped.
pub type MakePage<'a> =
    &'a dyn Fn(&MechanismFile, &Certified<Mechanism>, &[Cohort], Watch<'_>, &dyn Fn(&str)) -> Result<String>;

/// Who hears of a run while it goes on.
pub trait Listener: Sync {
    /// Something that the owner of the records should know.
    fn warn(&self, message: &Sentence);

    /// Something that may interest.
    fn note(&self, message: &str);

    /// Secrets without an edge, which are released unchanged.
    fn unprotected(&self, names: &[String]);

    /// How far a step is.
    fn progress(&self, progress: Progress);

    /// Whether to stop.
    fn is_stopped(&self) -> bool {
        false
    }

    /// Folders are about to be made in the target: whoever ends the process waits for [`Listener::staged`], or for the end.
    fn staging(&self) {}

    /// This waits in the target from now on, and is removed when the run fails; whoever ends the process removes it first.
    fn staged(&self, _unfinished: &Unfinished) {}

    /// All is done but to move the files. Nothing that waits may be removed any more.
    fn publishing(&self) {}

    /// The files are in place.
    fn published(&self) {}
}

/// What a run did.
pub struct Ran {
    /// The plan.
    pub plan: Plan,
    /// What was designed.
    pub designed: DesignOutcome,
    /// What it would cost to trust the profiles, where they have limits.
    pub trusting: Option<Trusting>,
    /// What the limits of profiles that were fitted and are trusted would allow.
    pub within: Option<Within>,
    /// What was released.
    pub done: Privatized,
    /// What was learnt.
    pub cohorts: Vec<Cohort>,
    /// The files that were written, by name.
    pub files: Vec<PathBuf>,
}

/// The files of a run beside the released records.
const SPEC: &str = "spec.toml";
const LIMITS: &str = "limits.csv";
const MECHANISM: &str = "m.json";
const ESTIMATE: &str = "estimate.json";
const REPORT: &str = "report.html";

impl Run<'_> {
    /// Does everything.
    ///
    /// # Errors
    /// Those of every step, naming the file at fault; a folder that has files already; and work that was stopped.
    pub fn run(&self, listener: &dyn Listener) -> Result<Ran> {
        let _inputs = InputGuard::new();
        let plan = Plan::read(self.path)?;
        let folder = self.output.unwrap_or(&plan.folder);
        spare_inputs(&plan, folder)?;
        listener.staging();
        let staging = Staging::new(folder, self.replace, &|said| listener.note(said))?;
        listener.staged(staging.unfinished());

        let spec = match &plan.fit {
            Some(asked) => self.fitted(&plan, asked, &staging, listener).map_err(|error| error.in_table(&FIT))?,
            None => plan.spec.clone().unwrap_or_else(|| self.path.to_path_buf()),
        };
        let read = Spec::read(&spec)?;
        listener.unprotected(&read.unprotected);
        let designed = self.designed(&plan, read, listener).map_err(|error| error.in_file(&spec))?;
        let trusting = watched(listener, |watch| Trusting::of(&designed, watch))?;
        designed.warnings.iter().for_each(|warning| listener.warn(warning.sentence()));
        let certified = &designed.certified;
        let within = match plan.fit.as_ref().is_some_and(|fit| fit.options.trust_profiles) {
            true => Some(Within::of(certified.mechanism(), &staging.path(LIMITS))?),
            false => None,
        };
        self.check_budget(&plan, certified.mechanism(), listener)?;
        // What cannot be read back is better known before the release than after it.
        let reader = ReportReader::channels(certified.mechanism(), plan.estimate.trust, plan.estimate.by.is_some());
        let reader = reader.map_err(|error| error.in_file(&spec))?;
        let file = designed.file();
        file.save(&staging.path(MECHANISM), false)?;
        go_on(listener)?;

        let done = self.released(&plan, certified, &staging, listener).map_err(|error| error.in_table(&DATA))?;
        go_on(listener)?;
        let cohorts = self.estimated(&plan, &reader, &staging, listener)?;
        let json = EstimateFacts::of(certified.mechanism(), &cohorts).json();
        write_atomically(&staging.path(ESTIMATE), false, json_text(&json).as_bytes())?;

        let note = |note: &str| listener.note(note);
        let page = watched(listener, |watch| (self.page)(&file, certified, &cohorts, watch, &note))?;
        write_atomically(&staging.path(REPORT), false, page.as_bytes())?;
        go_on(listener)?;
        listener.publishing();
        let files = staging.publish()?;
        listener.published();
        Ok(Ran { plan, designed, trusting, within, done, cohorts, files })
    }

    /// The spec that is fitted to records.
    fn fitted(&self, plan: &Plan, asked: &PlanFit, staging: &Staging, listener: &dyn Listener) -> Result<PathBuf> {
        let same = is_same_file(&asked.records, &plan.data.records);
        if same && !asked.same_data {
            return Err(Error::input(
                "fit: the profiles would be fitted to the records that are released (same_data = true allows it; \
                 epsilon then does not cover what the profiles reveal)",
            )
            .in_file(self.path));
        }
        let (path, mut options) = (&asked.records, asked.options.clone());
        options.epsilon = plan.epsilon.clone();
        options.same_data = same;
        let format = asked.format.or_else(|| Format::of(path)).unwrap_or(Format::Csv);
        let csv = asked.csv.options(path, format).map_err(|error| error.at("fit").in_file(self.path))?;
        let input = RecordFile { path, format, csv: &csv };
        let request = FitRequest { records: Records::File(input), options: &options };
        let fitted = request.run(&mut told(listener, "fitting", path))?;
        let spec = staging.path(SPEC);
        write_for_owner(&staging.path(LIMITS), false, fitted.limits_csv().as_bytes())?;
        write_atomically(&spec, false, fitted.spec_toml().as_bytes())?;
        if same {
            let revealed = "profiles fitted to the released records: epsilon does not cover what the profiles reveal";
            listener.warn(&revealed.into());
        }
        listener.note(
            "The fitted profiles become public with m.json and spec.toml. limits.csv has exact counts: keep it to \
             yourself.",
        );
        Ok(spec)
    }

    fn designed(&self, plan: &Plan, spec: Spec, listener: &dyn Listener) -> Result<DesignOutcome> {
        let channel = plan.channel.as_deref().map(str::parse).transpose()?;
        let overrides = DesignOverrides { channel, objective: plan.objective.clone(), epsilon: None };
        let max_gap = plan.design.max_gap.clone();
        let request = DesignRequest { overrides, max_gap, ..DesignRequest::new(spec) };
        watched(listener, |watch| request.run(watch))
    }

    fn released(
        &self,
        plan: &Plan,
        certified: &Certified<Mechanism>,
        staging: &Staging,
        listener: &dyn Listener,
    ) -> Result<Privatized> {
        let (data, output) = (&plan.data, staging.path(&plan.released));
        let here = |error: Error| error.at("data").in_file(self.path);
        let columns =
            Columns { profile: Some(data.profile.clone()), values: data.value.clone(), keep: data.keep.clone() };
        check_in_clear(&columns, None)?;
        let format = Format::of(&data.records).unwrap_or(Format::Csv);
        let csv = data.csv.options(&data.records, format).map_err(here)?;
        let unknown = (data.unknown != "error").then(|| data.unknown.clone());
        let (seed, shuffle) = (plan.seed, data.shuffle);
        let request = ReleaseRequest {
            mechanism: Box::new(Channels::new(certified)),
            records: Records::File(RecordFile { path: &data.records, format, csv: &csv }),
            options: ReleaseOptions { columns, unknown, seed, shuffle, ..ReleaseOptions::default() },
            charging: None,
        };
        // What is wrong with the plan itself has no place yet.
        let at_plan = |error: Error| if error.has_place() { error } else { error.in_file(self.path) };
        let release = request.open().map_err(at_plan)?;
        let gzip = output.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("gz"));
        let file = OutputFile {
            path: &output,
            format: Format::of(&output).unwrap_or(format),
            header: data.csv.columns.is_none(),
            delimiter: released_delimiter(plan),
            escape_formulas: plan.escape_formulas,
            compression: gzip.then_some(lookalike_formats::records::Compression::Gzip),
            rows_out: None,
        };
        let written = Written::File(AtomicFile::create(&output, false)?);
        let mut progress = told(listener, "privatizing", &data.records);
        let outcome = release.write(&file, written, None, &mut progress, &|| listener.is_stopped())?;
        if outcome.done.rows == 0 {
            return Err(Error::input("no records, expected at least one").in_file(&data.records));
        }
        outcome.warnings().into_iter().for_each(|warning| listener.warn(&DATA.keyed(warning)));
        Ok(outcome.done)
    }

    fn estimated(
        &self,
        plan: &Plan,
        reader: &ReportReader<'_>,
        staging: &Staging,
        listener: &dyn Listener,
    ) -> Result<Vec<Cohort>> {
        let asked = &plan.estimate;
        let confidence = Confidence { level: asked.confidence, simultaneous: asked.simultaneous };
        // Names are read as they were written.
        let written = |name: &str| match plan.escape_formulas {
            true => escape_formula(name).into_owned(),
            false => name.to_owned(),
        };
        let (path, value) = (staging.path(&plan.released), written(&plan.data.value.join("|")));
        let by = asked.by.as_deref().map(written);
        let header = || std::iter::once(value.clone()).chain(plan.data.keep.iter().map(|name| written(name))).collect();
        let csv = CsvOptions {
            delimiter: released_delimiter(plan),
            columns: plan.data.csv.columns.is_some().then(header),
            ..CsvOptions::default()
        };
        let records = Format::of(&plan.data.records).unwrap_or(Format::Csv);
        let format = Format::of(&path).unwrap_or(records);
        let file = RecordFile { path: &path, format, csv: &csv };
        let request = EstimateRequest {
            records: ReportRecords::Files(&[file]),
            value: &value,
            by: by.as_deref(),
            count: None,
            stand_ins: 0,
            notes: &[],
            confidence,
        };
        let mut progress = told(listener, "estimating", &path);
        let outcome = request.run(reader, &mut |_, bytes| progress(bytes)).map_err(|error| error.in_file(self.path))?;
        Ok(outcome.cohorts)
    }
}

/// Refuses to replace what the plan reads, before anything is read that takes long. What else is read, the spec's tables for
/// example, is spared when the files are moved.
fn spare_inputs(plan: &Plan, folder: &Path) -> Result<()> {
    let inputs = [plan.spec.as_ref(), Some(&plan.data.records), plan.fit.as_ref().map(|fit| &fit.records)];
    inputs.into_iter().flatten().for_each(|input| note_input(input));
    let fitted = [SPEC, LIMITS].into_iter().filter(|_| plan.fit.is_some());
    let names = fitted.chain([MECHANISM, ESTIMATE, REPORT, &plan.released]);
    names.map(|name| folder.join(name)).try_for_each(|written| check_spared(&written))
}

/// The delimiter of released CSV: as told, as its name says, or as in the records.
fn released_delimiter(plan: &Plan) -> u8 {
    let released = Path::new(&plan.released);
    let named = if Format::of(released) == Some(Format::Csv) { released } else { &plan.data.records };
    plan.data.csv.delimiter.unwrap_or_else(|| CsvOptions::delimiter_of(named))
}

fn go_on(listener: &dyn Listener) -> Result<()> {
    if listener.is_stopped() { Err(stopped()) } else { Ok(()) }
}

/// Something that takes a watch of the library.
fn watched<T>(listener: &dyn Listener, work: impl FnOnce(Watch<'_>) -> T) -> T {
    let (progress, stop) = (|progress| listener.progress(progress), || listener.is_stopped());
    work(Watch::default().on_progress(&progress).stop_when(&stop))
}

/// Tells how many bytes of a file a step has read.
fn told<'a>(listener: &'a dyn Listener, stage: &'static str, path: &Path) -> impl FnMut(u64) + 'a {
    let total = length(path);
    move |done| listener.progress(Progress { stage, done, total })
}
