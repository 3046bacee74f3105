//! The intervals to expect, before anything is collected, for people.

use crate::terminal::{count, figure, table};
use lookalike::estimate::PredictedInterval;
use lookalike_engine::{Comparison, EstimateNames, about_text};
use lookalike_report::percent;

/// The widths beside those of local DP.
pub fn text(asked: &Comparison, names: EstimateNames<'_>) -> String {
    let row = |interval: &PredictedInterval| {
        let local = match interval.members[..] {
            [member] => figure(asked.local.histogram[member as usize].width),
            _ => String::new(),
        };
        let members: Vec<&str> = interval.members.iter().map(|&member| names.categories.name(member)).collect();
        vec![members.join(" + "), figure(interval.width), local]
    };
    let mut text = format!(
        "With {}, every secret equally frequent, the {} intervals of the shares will be this wide:\n",
        count(asked.ours.reports, "report"),
        percent(asked.ours.confidence)
    );
    let local_width = format!("width of {}", asked.local_name);
    text += &table(&["category", "width", &local_width], asked.ours.histogram.iter().map(row));
    match asked.times_as_many() {
        Some(times) => {
            let name = asked.local_name;
            text +=
                &format!("With {name} it takes {times:.1} times as many reports for intervals that are as narrow.\n");
        }
        None => text += "Some shares cannot be determined exactly, however many reports there are.\n",
    }
    if asked.ours.trust.is_about_population() {
        text += about_text(asked.ours.trust);
        text += "\n";
    }
    text
}
