//! The Newton system of a small program in twice the precision of a double.
//!
//! Near a degenerate optimum the system's weights span more digits than a double has, and directions lose their last
//! one. Programs of some hundred columns can afford not to care.

use super::program::Rows;
use std::ops::{Add, Mul, Neg, Sub};

/// The largest system, columns and equations together, that is solved this way.
const LARGEST: usize = 320;
/// Pivots below this share of their diagonal are what rounding left of zero.
const LOST: f64 = 1e-28;

/// The unevaluated sum of two doubles, the second below the last digit of the first.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Double(f64, f64);

impl Double {
    const ZERO: Double = Double(0.0, 0.0);

    /// a + b exactly.
    fn sum(a: f64, b: f64) -> Double {
        let sum = a + b;
        let part = sum - a;
        Double(sum, (a - (sum - part)) + (b - part))
    }

    /// a · b exactly.
    fn product(a: f64, b: f64) -> Double {
        const SPLIT: f64 = 134_217_729.0;
        let halves = |value: f64| {
            let high = SPLIT * value - (SPLIT * value - value);
            (high, value - high)
        };
        let (product, (a_high, a_low), (b_high, b_low)) = (a * b, halves(a), halves(b));
        Double(product, ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low)
    }

    fn over(self, divisor: Double) -> Double {
        let first = self.0 / divisor.0;
        let rest = self - divisor * Double(first, 0.0);
        Double::sum(first, rest.0 / divisor.0)
    }
}

impl From<f64> for Double {
    fn from(value: f64) -> Self {
        Double(value, 0.0)
    }
}

impl Add for Double {
    type Output = Double;
    fn add(self, other: Double) -> Double {
        let (high, low) = (Double::sum(self.0, other.0), Double::sum(self.1, other.1));
        let high = Double::sum(high.0, high.1 + low.0);
        Double::sum(high.0, high.1 + low.1)
    }
}

impl Neg for Double {
    type Output = Double;
    fn neg(self) -> Double {
        Double(-self.0, -self.1)
    }
}

impl Sub for Double {
    type Output = Double;
    fn sub(self, other: Double) -> Double {
        self + -other
    }
}

impl Mul for Double {
    type Output = Double;
    fn mul(self, other: Double) -> Double {
        let product = Double::product(self.0, other.0);
        Double::sum(product.0, product.1 + (self.0 * other.1 + self.1 * other.0))
    }
}

/// `[H Aᵀ; A 0]` dense, with all rows but the equations eliminated into H, and its factorization L·D·Lᵀ.
pub(super) struct Precise {
    columns: usize,
    equations: Vec<usize>,
    /// The lower triangle, row after row; D on the diagonal.
    factor: Vec<Double>,
}

impl Precise {
    /// The structure, if the program is small enough.
    pub(super) fn new(rows: &Rows, columns: usize, is_equation: impl Fn(usize) -> bool) -> Option<Self> {
        let equations: Vec<usize> = (0..rows.len()).filter(|&row| is_equation(row) && rows.count(row) > 0).collect();
        let size = columns + equations.len();
        (size <= LARGEST).then(|| Precise { columns, equations, factor: vec![Double::ZERO; size * size] })
    }

    fn size(&self) -> usize {
        self.columns + self.equations.len()
    }

    pub(super) fn factorize(&mut self, rows: &Rows, diagonal: &[f64], weights: &[f64]) {
        let size = self.size();
        self.factor.fill(Double::ZERO);
        diagonal.iter().enumerate().for_each(|(at, &value)| self.factor[at * size + at] = value.into());
        for row in (0..rows.len()).filter(|&row| weights[row].is_finite()) {
            for (left, a) in rows.terms(row) {
                for (right, b) in rows.terms(row).filter(|(right, _)| *right <= left) {
                    let product = Double::product(a, b) * weights[row].into();
                    self.factor[left * size + right] = self.factor[left * size + right] + product;
                }
            }
        }
        for (place, &row) in self.equations.iter().enumerate() {
            rows.terms(row)
                .for_each(|(column, value)| self.factor[(self.columns + place) * size + column] = value.into());
        }
        for at in 0..size {
            self.eliminate(at);
        }
    }

    /// Row `at` of L, from the rows before it.
    fn eliminate(&mut self, at: usize) {
        let size = self.size();
        for column in 0..at {
            let mut sum = self.factor[at * size + column];
            for before in 0..column {
                let pivot = self.factor[before * size + before];
                sum = sum - self.factor[at * size + before] * self.factor[column * size + before] * pivot;
            }
            self.factor[at * size + column] = sum.over(self.factor[column * size + column]);
        }
        let own = self.factor[at * size + at];
        let (mut pivot, mut largest) = (own, own.0.abs());
        for before in 0..at {
            let entry = self.factor[at * size + before];
            let part = entry * entry * self.factor[before * size + before];
            largest = largest.max(part.0.abs());
            pivot = pivot - part;
        }
        let sign = if at < self.columns { 1.0 } else { -1.0 };
        // A direction that nothing holds, or an equation that the others imply: left alone.
        let lost = sign * pivot.0 <= LOST * largest || largest == 0.0;
        self.factor[at * size + at] = if lost { Double(sign * 1e60, 0.0) } else { pivot };
    }

    /// Solves `diag·dx − Aᵀ dy = g`, `A dx + dy/weight = h` over all rows.
    pub(super) fn solve(&self, rows: &Rows, weights: &[f64], g: &[f64], h: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let size = self.size();
        let mut right: Vec<Double> = g.iter().map(|&value| value.into()).collect();
        for row in (0..rows.len()).filter(|&row| weights[row].is_finite()) {
            let scale = Double::product(weights[row], h[row]);
            rows.terms(row).for_each(|(column, value)| right[column] = right[column] + scale * value.into());
        }
        right.extend(self.equations.iter().map(|&row| Double::from(h[row])));
        for at in 0..size {
            for before in 0..at {
                right[at] = right[at] - self.factor[at * size + before] * right[before];
            }
        }
        right.iter_mut().enumerate().for_each(|(at, value)| *value = value.over(self.factor[at * size + at]));
        for at in (0..size).rev() {
            for after in at + 1..size {
                right[at] = right[at] - self.factor[after * size + at] * right[after];
            }
        }
        let mut dy: Vec<f64> = (0..rows.len())
            .map(|row| {
                let reached =
                    rows.terms(row).fold(Double::ZERO, |sum, (column, value)| sum + right[column] * value.into());
                if weights[row].is_finite() { ((Double::from(h[row]) - reached) * weights[row].into()).0 } else { 0.0 }
            })
            .collect();
        self.equations.iter().enumerate().for_each(|(place, &row)| dy[row] = -right[self.columns + place].0);
        (right[..self.columns].iter().map(|value| value.0).collect(), dy)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_and_products_keep_what_a_double_loses() {
        let tiny = Double::from(1e-25);
        assert_eq!((Double::from(1.0) + tiny - Double::from(1.0)).0, 1e-25);
        let third = Double::from(1.0).over(Double::from(3.0));
        let rest = third * Double::from(3.0) - Double::from(1.0);
        assert!(rest.0.abs() < 1e-31, "{rest:?}");
        let square = Double::product(1.0 + f64::EPSILON, 1.0 + f64::EPSILON) - Double::from(1.0 + 2.0 * f64::EPSILON);
        assert_eq!(square.0, f64::EPSILON * f64::EPSILON);
    }

    #[test]
    fn weights_of_any_size_do_not_hurt() {
        // Two nearly opposite rows of huge weight, and an equation.
        let mut rows = Rows::default();
        rows.push([(0, 1.0), (1, -1.001)]);
        rows.push([(0, -1.0), (1, 0.999)]);
        rows.push([(0, 1.0), (1, 1.0), (2, 1.0)]);
        let (diagonal, weights) = ([1e-10, 2e-10, 1e-9], [1e14, 3e13, f64::INFINITY]);
        let (g, h) = ([0.5, -0.25, 1.0], [1e-3, 2e-3, 0.75]);
        let mut precise = Precise::new(&rows, 3, |row| row == 2).unwrap();
        precise.factorize(&rows, &diagonal, &weights);
        let (dx, dy) = precise.solve(&rows, &weights, &g, &h);
        for row in 0..3 {
            let left = rows.dot(row, &dx) + if row < 2 { dy[row] / weights[row] } else { 0.0 };
            assert!((left - h[row]).abs() < 1e-13, "row {row}: {left}");
        }
        let mut columns: Vec<f64> = (0..3).map(|at| diagonal[at] * dx[at] - g[at]).collect();
        (0..3).for_each(|row| rows.add_to(row, -dy[row], &mut columns));
        let largest = dy.iter().fold(1.0f64, |most, value| most.max(value.abs()));
        assert!(columns.iter().all(|miss| miss.abs() < 1e-14 * largest), "{columns:?}");
    }
}
