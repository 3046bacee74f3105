//! What the promise costs each profile, beside what local DP would cost it, and what other ε would cost.

use super::{MOST_SECRETS, Page, trade_off, within, words};
use crate::plot::{Axis, Bar, BarRow, Bars, Style};
use lookalike::exact::{Direction, to_f64};
use lookalike::model::{ExpectedLoss, Kind, Loss, Mechanism};
use maud::{Markup, html};
use rayon::prelude::*;
use std::cmp::Ordering;

pub(super) fn section(page: &Page<'_>) -> Markup {
    let errors = page.is_square().then(|| Errors { ours: errors(page.mechanism()), theirs: errors(page.baseline) });
    html! {
        section {
            h2 { "What it costs" }
            @match &errors {
                Some(errors) => (errors.words(page)),
                None => p { "What is released are other categories than the true values, so there is no error to count." },
            }
            (trade_off::words(page))
            (within::costs(page))
            div class="figures" {
                @if let Some(errors) = &errors { figure { (errors.bars(page).svg()) } }
                (within::survivals(page))
                (trade_off::figure(page))
                @if let Some(errors) = &errors { (errors.worst(page)) }
            }
        }
    }
}

/// Pr[output ≠ input] of each secret.
fn errors(mechanism: &Mechanism) -> Vec<f64> {
    let loss = ExpectedLoss::new(&Loss::ZeroOne, mechanism.inputs().len());
    let error = |secret: u32| {
        let channel = mechanism.channel(secret);
        match mechanism.kind() {
            Kind::Point => {
                let lost = channel.scale() - channel.weight(secret as usize, secret as usize);
                lost as f64 / channel.scale() as f64
            }
            _ => to_f64(&loss.of(&mechanism.input_law(secret), channel), Direction::Nearest),
        }
    };
    (0..mechanism.graph().names().len() as u32).into_par_iter().map(error).collect()
}

/// Their mean over the secrets.
pub(super) fn mean(mechanism: &Mechanism) -> f64 {
    let errors = errors(mechanism);
    errors.iter().sum::<f64>() / errors.len() as f64
}

/// The errors of the mechanism and of local DP, secret by secret.
struct Errors {
    ours: Vec<f64>,
    theirs: Vec<f64>,
}

impl Errors {
    fn words(&self, page: &Page<'_>) -> Markup {
        let mean = |errors: &[f64]| errors.iter().sum::<f64>() / errors.len() as f64;
        let (ours, theirs) = (mean(&self.ours), mean(&self.theirs));
        html! {
            p {
                "On average over the " (page.secret()) "s, " strong { (share(ours)) }
                " of the records are released with a wrong value. "
                @if (ours - theirs).abs() < 5e-4 { "Local differential privacy at the same ε costs the same." }
                @else {
                    "Local differential privacy at the same ε, which makes every two values alike whoever they come from, "
                    "would release " strong { (share(theirs)) } " wrongly."
                }
            }
        }
    }

    /// Each secret, or where there are many of them five places of their order.
    fn bars(&self, page: &Page<'_>) -> Bars {
        let is_small = self.ours.len() <= MOST_SECRETS;
        let title = if is_small {
            format!("Wrong values, {} by {0}", page.secret())
        } else {
            format!("Wrong values over all {}s", page.secret())
        };
        Bars {
            title,
            axis: Axis::new("share of records released with a wrong value"),
            series: vec![
                ("this mechanism".into(), Style::Ours),
                ("local DP (randomized response)".into(), Style::Baseline),
            ],
            rows: if is_small { self.each(page) } else { self.quantiles() },
        }
    }

    fn each(&self, page: &Page<'_>) -> Vec<BarRow> {
        let names = page.mechanism().graph().names().iter();
        let row = |(name, (ours, theirs)): (&str, (&f64, &f64))| BarRow {
            name: words::cut(name, 48),
            bars: vec![Bar::new(*ours), Bar::new(*theirs)],
        };
        names.zip(self.ours.iter().zip(&self.theirs)).map(row).collect()
    }

    fn quantiles(&self) -> Vec<BarRow> {
        let sorted = |errors: &[f64]| {
            let mut sorted = errors.to_vec();
            sorted.sort_by(f64::total_cmp);
            sorted
        };
        let (ours, theirs) = (sorted(&self.ours), sorted(&self.theirs));
        let at = |errors: &[f64], place: f64| Bar::new(errors[(place * (errors.len() - 1) as f64).round() as usize]);
        let row =
            |(name, place): (&str, f64)| BarRow { name: name.into(), bars: vec![at(&ours, place), at(&theirs, place)] };
        let places =
            [("smallest", 0.0), ("lower quarter", 0.25), ("median", 0.5), ("upper quarter", 0.75), ("largest", 1.0)];
        places.into_iter().map(row).collect()
    }

    /// Those who pay most, where not all are shown.
    fn worst(&self, page: &Page<'_>) -> Markup {
        const MOST: usize = 10;
        if self.ours.len() <= MOST_SECRETS {
            return html! {};
        }
        let order = first(self.ours.len(), MOST, |a, b| self.ours[b].total_cmp(&self.ours[a]));
        html! {
            div class="scroll" {
                table {
                    caption { "The " (MOST) " " (page.secret()) "s with the largest error" }
                    thead { tr { th { (page.secret()) } th class="number" { "error" } th class="number" { "of local DP" } } }
                    tbody {
                        @for at in order {
                            tr {
                                td { (words::name(page.mechanism().graph().names().name(at as u32))) }
                                td class="number" { (format!("{:.5}", self.ours[at])) }
                                td class="number" { (format!("{:.5}", self.theirs[at])) }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// The places of the first few of many in an order, without sorting the many; equals in the order of their places.
pub(super) fn first(count: usize, wanted: usize, compare: impl Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    let compare = |&a: &usize, &b: &usize| compare(a, b).then(a.cmp(&b));
    if count > wanted {
        order.select_nth_unstable_by(wanted, compare);
        order.truncate(wanted);
    }
    order.sort_by(compare);
    order
}

/// `1.2 %`
fn share(value: f64) -> String {
    format!("{:.1} %", 100.0 * value)
}
