//! A plan that promises a budget, held to its data before anything is released.

use super::{Listener, Run, told};
use crate::release::{ProfileRows, sum_of};
use lookalike::model::{Kind, Mechanism};
use lookalike_formats::records::{Columns, Format};
use lookalike_formats::{Error, Plan, Result, largest_epsilon};
use lookalike_records::{Batch, GrowingLabels, Input, at_input, open_columns};

impl Run<'_> {
    /// Refuses data in which one profile, or subject, has more reports than the budget of the plan covers.
    ///
    /// Each is counted with ε of the mechanism: by Observation 4 of Geumlek and Chaudhuri for profiles, whose observations
    /// must be independent given the profile, and by basic composition for values.
    ///
    /// # Errors
    /// A refusal, and a column that is not there. Memory grows with the number of names in the column.
    pub(super) fn check_budget(&self, plan: &Plan, mechanism: &Mechanism, listener: &dyn Listener) -> Result<()> {
        let data = &plan.data;
        let Some(budget) = &data.budget else {
            return match &data.subject {
                None => Ok(()),
                Some(_) => Err(self.at_data("subject is there to be counted for a budget (budget = 10, for example)")),
            };
        };
        let column = match (&data.subject, mechanism.kind()) {
            (Some(subject), _) => subject,
            (None, Kind::Point) => {
                return Err(
                    self.at_data("budget: values have no profile (subject = \"COLUMN\" says whose rows they are)")
                );
            }
            (None, _) => &data.profile,
        };
        let epsilon = largest_epsilon(mechanism);
        let most = self.most_rows(plan, column, listener)?;
        let sum = sum_of(most, epsilon);
        if sum <= *budget {
            return Ok(());
        }
        let whose = if data.subject.is_some() { "subject" } else { "profile" };
        Err(Error::refused(format!(
            "budget: the plan promises epsilon {budget} for all reports of one {whose}, and there are up to {most} of one, which \
             add up to epsilon {sum} (release fewer rows of each, lower epsilon, or raise the budget)"
        ))
        .at("data")
        .in_file(self.path))
    }

    /// The largest number of rows with the same entry in a column.
    fn most_rows(&self, plan: &Plan, column: &str, listener: &dyn Listener) -> Result<u64> {
        let data = &plan.data;
        let format = Format::of(&data.records).unwrap_or(Format::Csv);
        let csv = data.csv.options(&data.records, format).map_err(|error| error.at("data").in_file(self.path))?;
        let columns = Columns { profile: Some(column.to_owned()), ..Columns::default() };
        let input = Input { path: &data.records, format, csv: &csv, columns: &columns, charging: None };
        let count = || -> Result<u64> {
            let mut source = open_columns(&input, Some(Box::new(GrowingLabels::default())))?;
            let (mut rows, mut batch) = (ProfileRows::default(), Batch::default());
            let mut progress = told(listener, "counting", &data.records);
            while source.read_batch(&mut batch)? {
                rows.see(&batch.profiles);
                progress(source.bytes_read());
                super::go_on(listener)?;
            }
            Ok(rows.most().unwrap_or(0))
        };
        count().map_err(|error| at_input(error, &data.records))
    }

    fn at_data(&self, message: &str) -> Error {
        Error::input(message).at("data").in_file(self.path)
    }
}
