//! `certify --delta-at`: how far a mechanism is from a smaller epsilon.

use lookalike::certify::Delta;
use lookalike::exact::{Direction, Excess, decimal, parse_rational};
use lookalike::model::Mechanism;

/// Longer fractions are shown as decimals.
const LONGEST_FRACTION: usize = 12;
/// Decimals of a figure that is not small.
const LEAST_DECIMALS: u32 = 5;
/// Decimals of the smallest figure that is shown.
const MOST_DECIMALS: u32 = 20;
/// Outputs named in the text; `--json` has all.
const MOST_OUTPUTS: usize = 8;

/// For people.
pub fn text(delta: &Delta, mechanism: &Mechanism) -> String {
    let epsilon = delta.epsilon();
    if delta.is_zero() {
        return format!("Delta at epsilon {epsilon}: 0. Every two secrets that must look alike are within it.\n");
    }
    let (count, [more, less]) = (delta.outputs().len(), names(delta, mechanism));
    let listed = outputs(delta, mechanism).take(MOST_OUTPUTS).map(|name| format!("{name:?}")).collect::<Vec<_>>();
    let listed = listed.join(", ") + if count > MOST_OUTPUTS { ", …" } else { "" };
    let subject = match count {
        1 => format!("output {listed} has"),
        _ => format!("{count} outputs ({listed}) have"),
    };
    let [a, b] = delta.probabilities().each_ref().map(|share| decimal(share, LEAST_DECIMALS, Direction::Nearest));
    format!(
        "Delta at epsilon {epsilon}: {}.\nThe probability of any set of outputs is at most e^({epsilon}) times that under \
         a neighbour, plus delta. No smaller delta\nwill do: {subject} probability {a} under {more:?} and {b} under \
         {less:?}.\n",
        shown(delta.excess())
    )
}

/// A short fraction as it is; others as [`at_most`].
fn shown(delta: &Excess) -> String {
    let fraction = delta.exact().map(|delta| delta.to_string()).filter(|text| text.len() <= LONGEST_FRACTION);
    fraction.unwrap_or_else(|| match at_most(delta) {
        below if below.starts_with("below") => below,
        decimals => format!("{decimals}, rounded up"),
    })
}

/// δ rounded up, with so many decimals that there are digits to see.
pub fn at_most(delta: &Excess) -> String {
    let upper = delta.enclosure().upper().to_rational();
    let has_digits = |decimals: &u32| upper >= parse_rational(&format!("1e-{}", decimals - 3)).expect("a number");
    match (LEAST_DECIMALS..=MOST_DECIMALS).find(has_digits) {
        _ if delta.is_zero() => "0".to_owned(),
        Some(decimals) => decimal(&upper, decimals, Direction::Up),
        None => format!("below 1e-{}", MOST_DECIMALS - 3),
    }
}

fn names<'a>(delta: &Delta, mechanism: &'a Mechanism) -> [&'a str; 2] {
    delta.secrets().map(|secret| mechanism.graph().names().name(secret))
}

fn outputs<'a>(delta: &'a Delta, mechanism: &'a Mechanism) -> impl Iterator<Item = &'a str> {
    delta.outputs().iter().map(|&output| mechanism.outputs().names().name(output))
}
