//! What is known of one ε from both sides, as numbers that stay bounds when they are rounded, and as a bar.

use crate::plot::{Axis, Mark, Stretch, Stretches, Style};
use lookalike::audit::Family;
use lookalike::exact::{Direction, Rational, decimal, parse_rational};
use lookalike_engine::AuditFigures;

/// Where the audited bound stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Standing {
    /// Within all that is claimed and certified.
    Below,
    /// Within the claim, and above what is certified.
    AboveCertified,
    /// Above the claim.
    AboveClaim,
    /// Above 0, which is what one call may tell of another.
    AboveNothing,
}

/// The bounds of the bar and how they are written.
#[derive(Debug)]
pub(super) struct Bounds {
    pub standing: Standing,
    /// The audited bound, rounded down.
    pub lower: String,
    /// The certified one, rounded up, if there is one.
    pub upper: Option<String>,
    /// The certified one; infinite if there is none.
    end: f64,
}

impl Bounds {
    pub(super) fn of(figures: &AuditFigures) -> Self {
        let worst = figures.worst();
        let claimed = worst.claimed.unwrap_or(f64::INFINITY);
        let end = match figures.certified {
            // A double rounded up may lie a last bit above the claim, which is certified as well.
            Some(upper) if upper.is_finite() => upper.min(claimed),
            _ => f64::INFINITY,
        };
        let standing = match worst.bound {
            bound if bound > claimed && worst.family == Family::Carried => Standing::AboveNothing,
            bound if bound > claimed => Standing::AboveClaim,
            bound if bound > end => Standing::AboveCertified,
            _ => Standing::Below,
        };
        let lower = at_least(worst.bound, Some(end.min(claimed)));
        Bounds { standing, lower, upper: end.is_finite().then(|| at_most(end)), end }
    }

    /// From 0 to what is proved, from there to what is certified, with marks there and at the claim.
    pub(super) fn bar(&self, figures: &AuditFigures, claim: &str) -> Stretches {
        let worst = figures.worst();
        let last = [worst.bound, worst.claimed.unwrap_or(0.0), self.end];
        let last = last.into_iter().filter(|end| end.is_finite()).fold(0.0, f64::max);
        let certified = |upper: &String| Mark { x: self.end, label: format!("certified: at most {upper}") };
        Stretches {
            title: "What is known of ε".into(),
            // A little beyond the last mark; with nothing to show, any axis will do.
            axis: Axis::new("ε").from_to(0.0, if last > 1e-9 { 1.1 * last } else { 1.0 }),
            stretches: self.stretches(worst.bound, worst.claimed),
            above: self.upper.as_ref().map(certified),
            below: worst.claimed.map(|claimed| Mark { x: claimed, label: format!("claimed: {claim}") }),
        }
    }

    fn stretches(&self, bound: f64, claimed: Option<f64>) -> Vec<Stretch> {
        let (lower, stretch) = (&self.lower, |to: f64, name: String, style: Style| Stretch { to, name, style });
        let proved = |to: f64| {
            let nothing = || "the draws prove nothing".to_owned();
            let name = if bound > 0.0 { format!("proved by the draws: at least {lower}") } else { nothing() };
            stretch(to, name, Style::Ours)
        };
        let excess = |of: &str| stretch(bound, format!("of this, more than is {of}"), Style::Excess);
        let above =
            || stretch(f64::INFINITY, format!("the truth is somewhere here, or further: above {lower}"), Style::Open);
        match (self.standing, &self.upper, claimed) {
            (Standing::AboveNothing, ..) => {
                vec![stretch(bound, format!("told of another call: at least {lower}"), Style::Excess), above()]
            }
            (Standing::AboveClaim, _, claimed) => vec![proved(claimed.unwrap_or(0.0)), excess("claimed"), above()],
            (Standing::AboveCertified, ..) => vec![proved(self.end), excess("certified"), above()],
            (Standing::Below, None, _) => vec![proved(bound), above()],
            (Standing::Below, Some(upper), claimed) => {
                let open = format!("the truth is somewhere here: {lower} to {upper}");
                let mut stretches = vec![proved(bound), stretch(self.end, open, Style::Open)];
                // What would be no wider than the marks is not worth a word.
                if let Some(claimed) = claimed.filter(|claimed| self.end < 0.99 * claimed) {
                    stretches.push(stretch(claimed, "claimed, and certainly not used".into(), Style::Unused));
                }
                stretches
            }
        }
    }
}

/// A lower bound, rounded down; with so many digits that one above a limit is seen to be.
///
/// # Example
/// ```
/// use lookalike_report::at_least;
/// assert_eq!(at_least(0.47236, None), "0.4723");
/// assert_eq!(at_least(1.0000001, Some(1.0)), "1.0000001");
/// ```
pub fn at_least(bound: f64, limit: Option<f64>) -> String {
    let (exact, limit) = (rational(bound), limit.filter(|limit| bound > *limit));
    let is_seen = |text: &String| limit.is_none_or(|limit| text.parse().is_ok_and(|shown: f64| shown > limit));
    let mut texts = (decimals(bound)..20).map(|decimals| short(decimal(&exact, decimals, Direction::Down)));
    texts.find(is_seen).unwrap_or_else(|| bound.to_string())
}

/// An upper bound, rounded up.
fn at_most(bound: f64) -> String {
    short(decimal(&rational(bound), decimals(bound), Direction::Up))
}

/// Four, or as many as three digits of a small number need.
fn decimals(value: f64) -> u32 {
    if value > 0.0 { (2.0 - value.log10().floor()).clamp(4.0, 12.0) as u32 } else { 4 }
}

/// The number that the double was written as: 0.2, and not the bits a little above it.
fn rational(value: f64) -> Rational {
    parse_rational(&value.to_string()).expect("a bound is finite")
}

/// A decimal without zeros at its end.
fn short(text: String) -> String {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_stay_bounds_when_they_are_rounded() {
        assert_eq!(at_least(0.999_999, Some(1.0)), "0.9999");
        assert_eq!(at_least(1.000_000_1, Some(1.0)), "1.0000001");
        assert_eq!(at_least(1.0f64.next_up(), Some(1.0)), "1.0000000000000002");
        assert_eq!([at_least(0.0, None), at_least(0.000_123_49, None), at_least(2.0, None)], ["0", "0.000123", "2"]);
        assert_eq!([at_most(0.5), at_most(0.123_41), at_most(0.000_123_41)], ["0.5", "0.1235", "0.000124"]);
        assert_eq!([at_least(0.3, None), at_most(0.2)], ["0.3", "0.2"]);
    }
}
