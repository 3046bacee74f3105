//! Linear programs over rows that sum to 1, and proven lower bounds from their multipliers.

use super::Alpha;
use crate::Result;
use crate::design::{LinearProgram, Watch};
use crate::exact::{Direction, Rational, to_f64};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Zero};

/// What the tie-break weighs beside the least wrong release.
const TIE_WEIGHT: f64 = 1e-9;
/// A bound this near, as a share, is near enough.
const NEAR: f64 = 1e-6;
/// Bits behind the point of multipliers and costs in the bound.
const BOUND_BITS: u32 = 96;

/// A program: columns at least 0, each part of one row, but for a shared one that is part of all; rows sum to 1.
pub(super) struct RowsProgram<'a> {
    pub(super) alpha: &'a Alpha,
    pub(super) columns: Vec<Column>,
    /// Columns with how often they stand in the row.
    pub(super) rows: Vec<Vec<(u32, u8)>>,
    /// Some rows' truths are at least one of so many: n + 1.
    pub(super) guesses: u32,
    /// The column that is the truth of every row.
    pub(super) shared: Option<u32>,
    pub(super) demands: Vec<Demand>,
}

/// A column of a program.
pub(super) struct Column {
    /// What one unit costs.
    pub(super) cost: Rational,
    /// What it costs in the tie-break: at most what the least wrong release costs in the mean.
    pub(super) tie: f64,
    /// A value strictly inside all demands.
    pub(super) start: f64,
    /// Whether it is at least 1/(n+1).
    pub(super) honest: bool,
}

/// `Σ factor·column ≥ 0`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Demand {
    pub(super) terms: Vec<(u32, Factor)>,
    /// Whether every mechanism that is asked for meets it; what is only nice to have does not count for the bound.
    pub(super) necessary: bool,
}

/// The factor of a column in a demand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Factor {
    Whole(i32),
    MinusAlpha,
}

/// What a program found.
pub(super) struct Solved {
    pub(super) columns: Vec<f64>,
    /// No columns that meet the necessary demands cost less.
    pub(super) bound: Rational,
}

impl RowsProgram<'_> {
    /// The columns of the least cost, and a lower bound. If the bound is not near, the solver starts once more from
    /// elsewhere, and the better answer is taken.
    ///
    /// # Errors
    /// A program that does not fit the memory, or cancellation by the caller.
    pub(super) fn solve(&self, watch: &Watch<'_>) -> Result<Solved> {
        let costs: Vec<f64> = self.columns.iter().map(|column| to_f64(&column.cost, Direction::Nearest)).collect();
        let first = self.solve_from(true, &costs, watch)?;
        if self.gap(&first, &costs) <= NEAR {
            return Ok(first);
        }
        match self.solve_from(false, &costs, watch) {
            Ok(second) if self.gap(&second, &costs) < self.gap(&first, &costs) => Ok(second),
            Err(error) if error.is_stopped() => Err(error),
            _ => Ok(first),
        }
    }

    /// How far the cost is above the bound, as a share of the cost; where next to nothing is lost, of the largest cost
    /// of a column.
    fn gap(&self, solved: &Solved, costs: &[f64]) -> f64 {
        let cost: f64 = solved.columns.iter().zip(costs).map(|(value, cost)| value * cost).sum();
        let bound = to_f64(&solved.bound, Direction::Down);
        (cost - bound) / cost.max(1e-3 * costs.iter().copied().fold(0.0, f64::max)).max(f64::MIN_POSITIVE)
    }

    fn solve_from(&self, named_start: bool, costs: &[f64], watch: &Watch<'_>) -> Result<Solved> {
        let mut program = LinearProgram::new();
        for (column, cost) in self.columns.iter().zip(costs) {
            let lower = if column.honest { 1.0 / f64::from(self.guesses) } else { 0.0 };
            program.column(cost + TIE_WEIGHT * column.tie, lower, named_start.then_some(column.start));
        }
        for row in &self.rows {
            program.equation(row.iter().map(|&(column, count)| (column, f64::from(count))), 1.0);
        }
        let alpha = self.alpha.to_f64();
        for demand in &self.demands {
            program.at_least(demand.terms.iter().map(|&(column, factor)| match factor {
                Factor::Whole(whole) => (column, f64::from(whole)),
                Factor::MinusAlpha => (column, -alpha),
            }));
        }
        let answer = program.solve(watch)?;
        let bound = self.bound(&answer.multipliers[self.rows.len()..]);
        Ok(Solved { columns: answer.columns, bound })
    }

    /// The lower bound of any multipliers λ ≥ 0 of the demands.
    ///
    /// With `g = cost − Σ λ·factor` nothing that meets the demands costs less than the least of Σ g·x over rows that sum
    /// to 1: each row puts everything on its cheapest column, but for a truth that must be 1/(n+1) or the same in all
    /// rows. Evaluated in integers and rounded down, so that nothing of the solver need be trusted.
    fn bound(&self, multipliers: &[f64]) -> Rational {
        let unit = BigInt::one() << BOUND_BITS;
        let whole = |value: &Rational| (value * &unit).floor().to_integer();
        let mut gains: Vec<BigInt> = self.columns.iter().map(|column| whole(&column.cost)).collect();
        let alpha = BigInt::from(self.alpha.scaled(BOUND_BITS.into(), Direction::Down));
        let counted = self.demands.iter().zip(multipliers).filter(|(demand, _)| demand.necessary);
        for (demand, &multiplier) in counted.filter(|(_, multiplier)| **multiplier > 0.0) {
            // Any multipliers are valid: none where a solver went astray.
            let multiplier = scaled_down(multiplier);
            for &(column, factor) in &demand.terms {
                match factor {
                    Factor::Whole(factor) => gains[column as usize] -= &multiplier * factor,
                    Factor::MinusAlpha => gains[column as usize] += (&multiplier * &alpha) >> BOUND_BITS,
                }
            }
        }
        Rational::new(self.least(&gains), unit).max(Rational::zero())
    }

    /// The least of Σ g·x over rows that sum to 1, rounded down.
    fn least(&self, gains: &[BigInt]) -> BigInt {
        let size = BigInt::from(self.guesses);
        let rows = self.rows.iter().map(|row| self.least_of_row(row, gains));
        let sum = rows.fold(BigInt::zero(), |sum, part| sum + part);
        let Some(shared) = self.shared.map(|column| column as usize) else { return sum };
        // The shared truth may be anything from its lower bound to 1; the cost is linear in it.
        let gain = &gains[shared];
        let lowest = if self.columns[shared].honest { guessed(gain, &sum, &size) } else { sum };
        lowest.min(gain.clone())
    }

    /// The least that a row costs, a whole one, without the shared column.
    fn least_of_row(&self, row: &[(u32, u8)], gains: &[BigInt]) -> BigInt {
        let own = || row.iter().filter(|(column, _)| Some(*column) != self.shared);
        let each = |&(column, count): &(u32, u8)| gains[column as usize].div_floor(&count.into());
        let cheapest = own().map(each).min().expect("a row has two columns");
        match own().find(|(column, _)| self.columns[*column as usize].honest) {
            None => cheapest,
            Some(&(truth, _)) => guessed(&gains[truth as usize], &cheapest, &BigInt::from(self.guesses)),
        }
    }
}

/// A positive double in units of 2^-96, rounded down; 0 where it is no number or beyond all measure.
fn scaled_down(value: f64) -> BigInt {
    let bits = value.to_bits();
    let (biased, fraction) = ((bits >> 52) as i64, bits & ((1 << 52) - 1));
    let (mantissa, place) = if biased == 0 { (fraction, -1074) } else { (fraction | 1 << 52, biased - 1075) };
    match place + i64::from(BOUND_BITS) {
        _ if !value.is_finite() => BigInt::zero(),
        shift @ 0.. => BigInt::from(mantissa) << shift,
        shift => BigInt::from(mantissa.checked_shr(shift.unsigned_abs() as u32).unwrap_or(0)),
    }
}

/// 1/size of one cost and the rest of another, rounded down.
fn guessed(truth: &BigInt, rest: &BigInt, size: &BigInt) -> BigInt {
    let sum: BigInt = truth + rest * (size - 1u32);
    sum.div_floor(size)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Randomized response: truths 0 and 2, lies 1 and 3, each lie at least α times the other truth.
    fn response(alpha: &Alpha, honest: bool) -> RowsProgram<'_> {
        let column = |lie: bool| Column {
            cost: if lie { Rational::new(1.into(), 2.into()) } else { Rational::zero() },
            tie: 0.0,
            start: if lie { 0.49 } else { 0.51 },
            honest: honest && !lie,
        };
        let demand =
            |lie, truth| Demand { terms: vec![(lie, Factor::Whole(1)), (truth, Factor::MinusAlpha)], necessary: true };
        RowsProgram {
            alpha,
            columns: [false, true, false, true].map(column).into(),
            rows: vec![vec![(0, 1), (1, 1)], vec![(2, 1), (3, 1)]],
            guesses: 2,
            shared: None,
            demands: vec![demand(1, 2), demand(3, 0)],
        }
    }

    #[test]
    fn the_optimum_is_found_and_proved() {
        for honest in [false, true] {
            let alpha = "1/3".parse().unwrap();
            let solved = response(&alpha, honest).solve(&Watch::default()).unwrap();
            assert!((solved.columns[1] - 0.25).abs() < 1e-9 && (solved.columns[2] - 0.75).abs() < 1e-9);
            let gap = Rational::new(1.into(), 4.into()) - solved.bound;
            assert!((0.0..1e-7).contains(&to_f64(&gap, Direction::Nearest)), "{gap}");
        }
    }

    #[test]
    fn any_multipliers_give_a_bound() {
        let alpha = "1/3".parse().unwrap();
        let program = response(&alpha, false);
        let quarter = Rational::new(1.into(), 4.into());
        for (a, b) in (0..20).flat_map(|a| (0..20).map(move |b| (f64::from(a) / 10.0, f64::from(b) / 10.0))) {
            assert!(program.bound(&[a, b]) <= quarter, "{a} {b}");
        }
        assert_eq!(program.bound(&[f64::NAN, f64::INFINITY]), Rational::zero());
        // At λ = 3/8 truth and lie cost the same: 3/8·1/3 = 1/2 − 3/8.
        assert!(to_f64(&(quarter - program.bound(&[0.375, 0.375])), Direction::Nearest) < 1e-20);
    }

    #[test]
    fn doubles_are_scaled_as_fractions_are() {
        for value in [1.0, 0.1, 1e-9, 1e-29, 7.5e300, 2f64.powi(-96), 2f64.powi(-97), f64::MIN_POSITIVE, 5e-324] {
            let exact = Rational::from_float(value).unwrap() * (BigInt::one() << BOUND_BITS);
            assert_eq!(scaled_down(value), exact.floor().to_integer(), "{value:e}");
        }
        assert!([f64::NAN, f64::INFINITY].map(scaled_down).iter().all(Zero::is_zero));
    }

    #[test]
    fn what_is_only_nice_to_have_does_not_count() {
        let alpha = "1/3".parse().unwrap();
        let mut program = response(&alpha, false);
        program.demands.iter_mut().for_each(|demand| demand.necessary = false);
        assert_eq!(program.bound(&[0.375, 0.375]), Rational::zero());
    }
}
