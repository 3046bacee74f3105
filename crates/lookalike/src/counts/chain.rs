//! The optimal mechanism for L_0 by a program with three columns a count.
//!
//! L_0 sees the diagonal only. For the count j let D_j be the probability of the truth, M_j of releasing less and U_j
//! of releasing more. Every private mechanism has `D + M + U = 1` in each row and, between neighbouring rows,
//!
//! - `M_{j+1} ≥ α·(D_j + M_j)`: both are the probability of an output of at most j;
//! - `U_j ≥ α·(D_{j+1} + U_{j+1})`: both are that of an output of at least j+1.
//!
//! And for every solution of these there is a private mechanism with the same diagonal, the *product form*: the step from
//! j to j+1 multiplies the probabilities of all outputs up to j by `s_j = M_{j+1}/(D_j + M_j)`, and the step back those of
//! all outputs above by `t_j = U_j/(D_{j+1} + U_{j+1})`. Rows sum to 1 since their parts do, and factors of at least α
//! keep privacy; factors of at most 1 give row monotonicity. So 3(n+1) columns do for (n+1)².
//!
//! Column honesty asks `D_j ≥ α·D_{j±1}`, `M_j ≤ j·D_j` and `U_j ≤ (n−j)·D_j`, at least. Whether the product form then
//! has it, or column monotonicity, is for the exact check to say: for even counts it has; for other priors it may not,
//! or the bound may lie below the optimum, and the program over all entries is needed.

use super::entries::{inside, probability};
use super::rounding::Target;
use super::rows_program::{Column, Demand, Factor, RowsProgram};
use super::{Alpha, Properties, Property};
use crate::Result;
use crate::design::Watch;
use crate::exact::Rational;
use crate::model::Prior;
use num_traits::Zero;

/// The mechanism in product form with the largest expected diagonal, and a lower bound on the probability of an error
/// over all mechanisms with the properties, of product form or not.
///
/// Of several optima it is near the one with the least mass on the longer side of the truth.
///
/// # Errors
/// A program that does not fit the memory, or cancellation by the caller.
pub(super) fn solve(
    n: usize,
    alpha: &Alpha,
    properties: Properties,
    prior: &Prior,
    watch: &Watch<'_>,
) -> Result<(Target, Rational)> {
    let chain = Chain::new(n, properties);
    let program = RowsProgram {
        alpha,
        columns: chain.columns(alpha, properties, prior),
        rows: (0..=chain.last).map(|j| chain.row(j)).collect(),
        guesses: n as u32 + 1,
        shared: chain.column(0, Part::Truth).filter(|_| properties.contains(Property::Fairness)),
        demands: chain.demands(properties),
    };
    let solved = program.solve(watch)?;
    Ok((chain.product_form(alpha, &solved.columns), solved.bound))
}

/// A part of a row.
#[derive(Clone, Copy, PartialEq)]
enum Part {
    Truth,
    Less,
    More,
}

const PARTS: [Part; 3] = [Part::Truth, Part::Less, Part::More];

/// Which column each part of each row is.
struct Chain {
    n: usize,
    /// Three a row; `None` for outputs below 0 and above n, which nobody releases.
    places: Vec<[Option<u32>; 3]>,
    /// How many columns there are.
    size: u32,
    /// The last row with columns of its own.
    last: usize,
}

impl Chain {
    /// With symmetry the second half is the mirror image of the first, with fairness one truth serves all.
    fn new(n: usize, properties: Properties) -> Self {
        let (symmetric, fair) = (properties.contains(Property::Symmetry), properties.contains(Property::Fairness));
        let mut chain = Chain { n, places: Vec::new(), size: 0, last: if symmetric { n / 2 } else { n } };
        for j in 0..=n {
            let size = &mut chain.size;
            let mut next = |exists: bool| {
                *size += u32::from(exists);
                exists.then(|| *size - 1)
            };
            let row = if j > chain.last {
                let [truth, less, more] = chain.places[n - j];
                [truth, more, less]
            } else {
                let truth = if fair && j > 0 { chain.places[0][0] } else { next(true) };
                let less = next(j > 0);
                let more = if symmetric && 2 * j == n { less } else { next(j < n) };
                [truth, less, more]
            };
            chain.places.push(row);
        }
        chain
    }

    fn column(&self, j: usize, part: Part) -> Option<u32> {
        self.places[j][part as usize]
    }

    /// The row as columns, each with how often it stands there.
    fn row(&self, j: usize) -> Vec<(u32, u8)> {
        let mut row: Vec<(u32, u8)> = Vec::new();
        for column in PARTS.into_iter().filter_map(|part| self.column(j, part)) {
            match row.iter_mut().find(|(known, _)| *known == column) {
                Some((_, count)) => *count += 1,
                None => row.push((column, 1)),
            }
        }
        row
    }

    fn columns(&self, alpha: &Alpha, properties: Properties, prior: &Prior) -> Vec<Column> {
        let (honest, start) = (properties.contains(Property::WeakHonesty), inside(self.n, alpha));
        let column = || Column { cost: Rational::zero(), tie: 0.0, start: 0.0, honest: false };
        let mut columns: Vec<Column> = (0..self.size).map(|_| column()).collect();
        for (j, start) in start.iter().enumerate() {
            for part in PARTS {
                let Some(at) = self.column(j, part) else { continue };
                let column = &mut columns[at as usize];
                let (outputs, length) = match part {
                    Part::Truth => (j..=j, 0),
                    Part::Less => (0..=j - 1, j),
                    Part::More => (j + 1..=self.n, self.n - j),
                };
                column.start = start[outputs].iter().sum();
                column.tie += length as f64 / (self.n * (self.n + 1)) as f64;
                column.honest = honest && part == Part::Truth;
                if part != Part::Truth {
                    column.cost += prior.weight(j);
                }
            }
        }
        columns
    }

    fn demands(&self, properties: Properties) -> Vec<Demand> {
        let mut found = Vec::new();
        let mut add = |terms: &[(Option<u32>, Factor)], necessary: bool| {
            let terms: Vec<_> = terms.iter().filter_map(|&(column, factor)| Some((column?, factor))).collect();
            // A column against itself demands nothing here.
            if terms.len() > 1 && terms.iter().skip(1).all(|term| term.0 != terms[0].0) {
                found.push(Demand { terms, necessary });
            }
        };
        let monotone = properties.contains(Property::RowMonotonicity);
        for (j, side) in (0..self.n).flat_map(|j| [(j, Part::Less), (j, Part::More)]) {
            // The outputs on one side of the gap between j and j + 1, from the row on that side and from the other.
            let (near, far) = if side == Part::Less { (j, j + 1) } else { (j + 1, j) };
            let (truth, beyond, all) =
                (self.column(near, Part::Truth), self.column(near, side), self.column(far, side));
            add(&[(all, Factor::Whole(1)), (truth, Factor::MinusAlpha), (beyond, Factor::MinusAlpha)], true);
            add(&[(all, Factor::Whole(-1)), (truth, Factor::Whole(1)), (beyond, Factor::Whole(1))], monotone);
            if properties.contains(Property::ColumnHonesty) {
                let other = self.column(far, Part::Truth);
                add(&[(other, Factor::Whole(1)), (truth, Factor::MinusAlpha)], true);
            }
        }
        if properties.contains(Property::ColumnHonesty) {
            for j in 0..=self.n {
                for (side, outputs) in [(Part::Less, j), (Part::More, self.n - j)] {
                    let (part, truth) = (self.column(j, side), self.column(j, Part::Truth));
                    add(&[(part, Factor::Whole(-1)), (truth, Factor::Whole(outputs as i32))], true);
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The entries of these columns.
    fn product_form(&self, alpha: &Alpha, columns: &[f64]) -> Target {
        let value = |j: usize, part: Part| self.column(j, part).map_or(0.0, |column| columns[column as usize]);
        let alpha = alpha.to_f64();
        // The factor of the outputs on one side of the gap between `near` and `far`.
        let factor = |near: usize, far: usize, side: Part| {
            let factor = value(far, side) / (value(near, Part::Truth) + value(near, side));
            if factor < alpha * (1.0 + NEARLY) { alpha } else { factor.min(1.0) }
        };
        let size = self.n + 1;
        let mut entries = vec![vec![0.0; size]; size];
        entries.iter_mut().enumerate().for_each(|(j, row)| row[j] = value(j, Part::Truth));
        for j in 0..self.n {
            let (down, up) = (factor(j, j + 1, Part::Less), factor(self.n - j, self.n - j - 1, Part::More));
            for output in 0..=j {
                entries[j + 1][output] = entries[j][output] * down;
                entries[self.n - j - 1][self.n - output] = entries[self.n - j][self.n - output] * up;
            }
        }
        Target::of(self.n, |input, output| probability(entries[input][output]))
    }
}

/// Factors this near to α, as a share, are α but for the solver's error.
const NEARLY: f64 = 1e-9;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counts::fixed::PROBABILITY_BITS;

    fn of(properties: &str, n: usize) -> Chain {
        Chain::new(n, properties.parse().unwrap())
    }

    #[test]
    fn mirror_images_and_fair_truths_are_one_column() {
        // Three a row, but for the two sides of the ends that nobody releases.
        assert_eq!((of("none", 4).size, of("S", 4).size, of("S", 5).size, of("F", 4).size), (13, 7, 8, 9));
        let chain = of("S", 4);
        assert_eq!(chain.column(4, Part::Less), chain.column(0, Part::More));
        assert_eq!(chain.column(2, Part::Less), chain.column(2, Part::More));
        assert_eq!(chain.row(2).iter().map(|(_, count)| count).collect::<Vec<_>>(), [&1, &2]);
    }

    #[test]
    fn the_product_form_has_the_parts_it_was_made_of() {
        let alpha: Alpha = "0.8".parse().unwrap();
        let prior = Prior::uniform(8).unwrap();
        for properties in ["none", "WH", "CH,WH", "F", "S,WH"] {
            let properties: Properties = properties.parse().unwrap();
            let (target, _) = solve(7, &alpha, properties, &prior, &Watch::default()).unwrap();
            let one = f64::exp2(f64::from(PROBABILITY_BITS));
            for (j, row) in target.rows.iter().enumerate() {
                let sum = row.iter().map(|&entry| entry as f64 / one).sum::<f64>();
                assert!((sum - 1.0).abs() < 1e-8, "row {j} of {properties} sums to {sum}");
            }
            for (j, i) in (0..7).flat_map(|j| (0..8).map(move |i| (j, i))) {
                let ratio = target.rows[j][i] as f64 / target.rows[j + 1][i] as f64;
                assert!((0.8 - 1e-8..=1.25 + 1e-8).contains(&ratio), "entry {j} {i} of {properties}: {ratio}");
            }
        }
    }
}
