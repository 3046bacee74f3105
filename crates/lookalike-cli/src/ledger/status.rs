//! `lookalike ledger status`.

use crate::Answer;
use crate::terminal::{Terminal, count, figure, spelled, table};
use lookalike::account::Worst;
use lookalike::exact::{Direction, EpsilonSum};
use lookalike_engine::ledger::{LEDGER_VERSION, Ledger, LedgerStatus, SubjectStatus, time_text};
use lookalike_engine::{Facts, clock_behind};
use lookalike_formats::Result;
use std::path::PathBuf;

/// Show what the releases add up to
#[derive(clap::Args)]
pub struct Status {
    /// The ledger
    ledger: PathBuf,
    /// What one subject has lost, by its name in the records
    #[arg(long, value_name = "NAME")]
    subject: Option<String>,
    /// The file of the ledger's key; by default its name with .key added
    #[arg(long, value_name = "FILE")]
    key: Option<PathBuf>,
}

impl Status {
    pub fn run(self, terminal: &Terminal) -> Result<Answer> {
        let mut ledger = Ledger::open(&self.ledger, self.key.as_deref())?;
        let status = ledger.status()?;
        match &self.subject {
            None => {
                let behind =
                    clock_behind(&ledger)?.map_or_else(String::new, |said| format!("The {}.\n", spelled(&said)));
                terminal.answer(status.facts().json(), || text(&status, &behind))?;
            }
            Some(name) => {
                let subject = ledger.subject_status(name)?;
                terminal.answer(subject.facts().json(), || subject_text(&status, &subject))?;
            }
        }
        Ok(Answer::Yes)
    }
}

fn text(status: &LedgerStatus, behind: &str) -> String {
    let mut text = format!(
        "{}, the last at {}; {}.\n",
        super::entries(status.entries),
        time_text(status.time),
        count(status.subjects, "subject")
    );
    text += behind;
    if let Some(secrets) = &status.secrets {
        text += &format!("Secrets: {secrets}.\n");
    }
    if !status.releases.is_empty() {
        let rows = status
            .releases
            .iter()
            .map(|release| vec![release.name.clone(), release.epsilon.to_string(), release.charges.to_string()]);
        text += &table(&["release", "epsilon", "charges"], rows);
    }
    let total = status.budgets.total.as_ref();
    text += &spent("In all", &status.spent, total, status.subjects - status.uncovered);
    if let Some((period, budget)) = &status.budgets.periodic {
        let subjects = status.spent_in_period.iter().map(|(_, subjects)| subjects).sum();
        text += &spent(&format!("This {period}"), &status.spent_in_period, Some(budget), subjects);
    }
    if status.uncovered > 0 {
        let what =
            "had a release that no theorem covers: what they have lost is not known, and nothing more is released";
        text += &format!("{} {what}.\n", count(status.uncovered, "subject"));
    }
    if status.withdrawn > 0 {
        text += &format!("{} of releases that were withdrawn count as before.\n", count(status.withdrawn, "charge"));
    }
    if status.corrections > 0 {
        text += &format!(
            "{} of the clock (lookalike ledger export shows when).\n",
            count(status.corrections, "correction")
        );
    }
    if status.version != LEDGER_VERSION {
        text += &format!(
            "Version {}: lookalike ledger migrate makes it one of version {LEDGER_VERSION}, which can be charged.\n",
            status.version
        );
    }
    text + &format!("Ledger head: {}\n", status.head)
}

/// How many subjects have lost how much of a budget.
fn spent(when: &str, spent: &[(Worst, u64)], budget: Option<&EpsilonSum>, subjects: u64) -> String {
    let of = budget.map_or_else(String::new, |budget| format!(" of the budget {budget}"));
    let Some((most, _)) = spent.first() else {
        return format!("{when}: nothing spent{of}.\n");
    };
    let mut text = format!("{when}: at most {} spent{of}.\n", most.epsilon);
    let rows = spent.iter().map(|(worst, number)| {
        let left = budget
            .map_or_else(|| "no limit".to_owned(), |budget| figure(worst.epsilon.left_of(budget, Direction::Down)));
        let share = 100.0 * *number as f64 / subjects.max(1) as f64;
        vec![
            worst.epsilon.to_string(),
            figure(worst.epsilon.to_f64(Direction::Up)),
            left,
            number.to_string(),
            format!("{share:.1} %"),
        ]
    });
    text += &table(&["spent", "", "left", "subjects", ""], rows);
    text
}

fn subject_text(status: &LedgerStatus, subject: &SubjectStatus) -> String {
    if subject.charges.iter().all(|&charges| charges == 0) && subject.spent.is_some() {
        return "No charge under this name.\n".to_owned();
    }
    let Some(spent) = &subject.spent else {
        return "This subject had a release that no theorem covers: what it has lost is not known.\n".to_owned();
    };
    let pair =
        spent.pair.as_ref().map_or_else(String::new, |(one, other)| format!(", most about {one:?} and {other:?}"));
    let left = status.budgets.total.as_ref().map_or_else(String::new, |budget| {
        format!(" of {budget}, {} left", figure(spent.epsilon.left_of(budget, Direction::Down)))
    });
    let mut text = format!("Spent {}{left}{pair}.\n", spent.epsilon);
    if let (Some(recent), Some((period, budget))) = (&subject.spent_in_period, &status.budgets.periodic) {
        text += &format!("Spent {} of {budget} in this {period}.\n", recent.epsilon);
    }
    let rows = status.releases.iter().zip(&subject.charges);
    let rows =
        rows.map(|(release, charges)| vec![release.name.clone(), release.epsilon.to_string(), charges.to_string()]);
    text + &table(&["release", "epsilon", "charges"], rows.collect::<Vec<_>>().into_iter())
}
