//! The error to expect, before anything is collected, for people.

use crate::terminal::{figure, table};
use lookalike::estimate::PredictedError;
use lookalike_io::{Comparison, EstimateNames};

/// The errors beside those of local DP.
pub fn text(asked: &Comparison, names: EstimateNames<'_>) -> String {
    let row = |error: &PredictedError| {
        let local = match error.members[..] {
            [member] => figure(asked.local.histogram[member as usize].deviation),
            _ => String::new(),
        };
        let members: Vec<&str> = error.members.iter().map(|&member| names.categories.name(member)).collect();
        vec![members.join(" + "), figure(error.deviation), local]
    };
    let mut text = format!(
        "With {} reports, every secret equally frequent, the standard errors of the shares will be:\n",
        asked.ours.reports
    );
    let local_error = format!("error of {}", asked.local_name);
    text += &table(&["category", "error", &local_error], asked.ours.histogram.iter().map(row));
    let (bias, name) = (asked.bias(), asked.local_name);
    if bias > 0.0 {
        text +=
            &format!("Beside this, shares stay open by up to {}, which no number of reports can tell.\n", figure(bias));
    } else if let Some(times) = asked.times_as_many() {
        text += &format!("With {name} it takes {times:.1} times as many reports for the same mean squared error.\n");
    }
    text
}
