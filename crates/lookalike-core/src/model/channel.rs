//! Channels: what a mechanism does to one input, as whole numbers that a sampler draws exactly.

use super::Distribution;
use crate::error::{Error, Result};
use crate::exact::{Natural, Rational};
pub use lookalike_device::{TOTAL, TOTAL_BITS};

/// A row-stochastic matrix in one of two forms; rows are inputs, always.
///
/// - `rows`: integer weights, each row summing to 2^53.
/// - `keep`: input x stays with weight k_x out of 2^53, else the output is drawn from one redraw row. O(d) numbers
///   instead of d², the optimal coupling for expected error, and randomized response at any d.
///
/// # Example
/// ```
/// use lookalike_core::model::{Channel, TOTAL};
/// let warner = Channel::rows(vec![vec![3 * (TOTAL / 4), TOTAL / 4], vec![TOTAL / 4, 3 * (TOTAL / 4)]])?;
/// assert_eq!(warner.probability(0, 1).to_string(), "1/4");
/// assert!(Channel::rows(vec![vec![TOTAL, 1]]).is_err());
/// # Ok::<(), lookalike_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Channel(Matrix);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Matrix {
    /// Two rows of two: a million one-bit channels must not cost a heap cell each.
    Bit([u64; 4]),
    /// Any other size.
    Rows {
        weights: Box<[u64]>,
        outputs: usize,
    },
    Keep {
        keep: Box<[u64]>,
        redraw: Box<[u64]>,
    },
}

/// The numbers behind a [`Channel`], for those that store or sample it.
#[derive(Debug, Clone, Copy)]
pub enum Form<'a> {
    /// All rows one after the other.
    Rows {
        /// inputs × outputs weights.
        weights: &'a [u64],
        /// The length of a row.
        outputs: usize,
    },
    /// Keep weights and the redraw row.
    Keep {
        /// One weight an input, at most 2^53.
        keep: &'a [u64],
        /// Weights that sum to 2^53.
        redraw: &'a [u64],
    },
}

impl Channel {
    /// The channel with these rows.
    ///
    /// # Errors
    /// No row, rows of different or zero length, or a row that does not sum to exactly 2^53.
    pub fn rows(rows: Vec<Vec<u64>>) -> Result<Self> {
        let outputs = rows.first().map_or(0, Vec::len);
        if let Some(x) = rows.iter().position(|row| row.len() != outputs) {
            return Err(Error::input(format!(
                "row {} has {} weights, expected {outputs} as in row 1",
                x + 1,
                rows[x].len()
            )));
        }
        Channel::from_weights(rows.concat(), outputs)
    }

    /// The channel with these rows, one after the other, of `outputs` weights each.
    ///
    /// # Errors
    /// No row, a part of a row, or a row that does not sum to exactly 2^53.
    pub fn from_weights(weights: impl Into<Box<[u64]>> + AsRef<[u64]>, outputs: usize) -> Result<Self> {
        let flat = weights.as_ref();
        if outputs == 0 || flat.is_empty() || flat.len() % outputs != 0 {
            return Err(Error::input("a channel without rows or columns, expected at least one of each"));
        }
        for (x, row) in flat.chunks_exact(outputs).enumerate() {
            check_sum(row).map_err(|error| error.at(format!("row {}", x + 1)))?;
        }
        Ok(Channel(match (flat, outputs) {
            (&[a, b, c, d], 2) => Matrix::Bit([a, b, c, d]),
            _ => Matrix::Rows { weights: weights.into(), outputs },
        }))
    }

    /// The channel that keeps x with weight `keep[x]` out of 2^53 and else draws from `redraw`.
    ///
    /// # Errors
    /// Different or zero lengths, a keep weight above 2^53, or a redraw row that does not sum to 2^53.
    pub fn keep(keep: Vec<u64>, redraw: Vec<u64>) -> Result<Self> {
        if keep.is_empty() || keep.len() != redraw.len() {
            return Err(Error::input(format!(
                "{} keep weights and {} redraw weights, expected equally many and at least one",
                keep.len(),
                redraw.len()
            )));
        }
        if let Some(x) = keep.iter().position(|&weight| weight > TOTAL) {
            return Err(Error::input(format!("keep weight {} is {}, expected at most 2^53", x + 1, keep[x])));
        }
        check_sum(&redraw).map_err(|error| error.at("redraw row"))?;
        Ok(Channel(Matrix::Keep { keep: keep.into(), redraw: redraw.into() }))
    }

    /// The channel that releases its input unchanged, in the `keep` form.
    pub fn identity(size: usize) -> Result<Self> {
        let mut redraw = vec![0; size];
        if let Some(first) = redraw.first_mut() {
            *first = TOTAL;
        }
        Channel::keep(vec![TOTAL; size], redraw)
    }

    /// The form and its numbers.
    pub fn form(&self) -> Form<'_> {
        match &self.0 {
            Matrix::Bit(weights) => Form::Rows { weights, outputs: 2 },
            Matrix::Rows { weights, outputs } => Form::Rows { weights, outputs: *outputs },
            Matrix::Keep { keep, redraw } => Form::Keep { keep, redraw },
        }
    }

    /// The number of inputs.
    pub fn inputs(&self) -> usize {
        match self.form() {
            Form::Rows { weights, outputs } => weights.len() / outputs,
            Form::Keep { keep, .. } => keep.len(),
        }
    }

    /// The number of outputs.
    pub fn outputs(&self) -> usize {
        match self.form() {
            Form::Rows { outputs, .. } => outputs,
            Form::Keep { redraw, .. } => redraw.len(),
        }
    }

    /// Entry (x, y) as a whole number over [`Channel::scale`].
    ///
    /// # Panics
    /// If x or y is out of range.
    pub fn weight(&self, x: usize, y: usize) -> u128 {
        match self.form() {
            Form::Rows { weights, outputs } => {
                assert!(y < outputs, "output {y} of {outputs}");
                weights[x * outputs + y].into()
            }
            Form::Keep { keep, redraw } => {
                let kept = if x == y { u128::from(keep[x]) << TOTAL_BITS } else { 0 };
                kept + u128::from(TOTAL - keep[x]) * u128::from(redraw[y])
            }
        }
    }

    /// What [`Channel::weight`] is out of: 2^53 for `rows`, 2^106 for `keep`.
    pub fn scale(&self) -> u128 {
        match self.form() {
            Form::Rows { .. } => u128::from(TOTAL),
            Form::Keep { .. } => u128::from(TOTAL) << TOTAL_BITS,
        }
    }

    /// The probability of output y on input x.
    pub fn probability(&self, x: usize, y: usize) -> Rational {
        Rational::new(self.weight(x, y).into(), self.scale().into())
    }

    /// The law of the output for an input with this law: `P·A`, over the denominator of P times [`Channel::scale`].
    ///
    /// Takes O(inputs · outputs) steps for `rows` and O(d) for `keep`.
    ///
    /// # Panics
    /// If the law has another size than the channel has inputs.
    pub fn apply(&self, law: &Distribution) -> Distribution {
        assert_eq!(law.len(), self.inputs(), "a law over {} values for {} inputs", law.len(), self.inputs());
        let output = match (self.form(), law.words()) {
            (Form::Rows { weights, outputs }, Some(words)) => apply_rows_to_words(weights, outputs, words),
            (Form::Rows { weights, outputs }, None) => apply_rows(weights, outputs, law),
            (Form::Keep { keep, redraw }, _) => apply_keep(keep, redraw, law),
        };
        Distribution::from_weights(output).expect("rows and laws have positive sums")
    }

    /// The channel that applies `next` to this one's output, when the product is again made of whole numbers: always
    /// for a deterministic `next` after a channel of the form `rows`.
    ///
    /// # Errors
    /// Sizes that do not fit, or a product that 2^53 cannot express.
    pub fn then(&self, next: &Channel) -> Result<Channel> {
        if self.outputs() != next.inputs() {
            return Err(Error::input(format!(
                "a channel with {} outputs followed by one with {} inputs",
                self.outputs(),
                next.inputs()
            )));
        }
        let scale = Natural::from(self.scale()).times(&next.scale().into()).to_big();
        let unit = scale >> TOTAL_BITS;
        let product = |x: usize, z: usize| {
            let terms = (0..self.outputs()).map(|y| Natural::from(self.weight(x, y)).times(&next.weight(y, z).into()));
            let sum = terms.fold(Natural::ZERO, |sum, term| sum.plus(&term)).to_big();
            let whole = (&sum % &unit == num_bigint::BigUint::ZERO).then(|| &sum / &unit);
            whole.map(|whole| u64::try_from(whole).expect("a probability is at most 1")).ok_or_else(|| {
                Error::inapplicable(format!(
                    "entry ({}, {}) of the product is no multiple of 2^-53: rounding it could break the guarantee",
                    x + 1,
                    z + 1
                ))
            })
        };
        let row = |x: usize| (0..next.outputs()).map(|z| product(x, z)).collect::<Result<Vec<u64>>>();
        Channel::rows((0..self.inputs()).map(row).collect::<Result<Vec<_>>>()?)
    }
}

fn check_sum(row: &[u64]) -> Result<()> {
    let sum: u128 = row.iter().map(|&weight| u128::from(weight)).sum();
    if sum == u128::from(TOTAL) {
        return Ok(());
    }
    Err(Error::input(format!("weights sum to {sum}, expected 2^53 = {TOTAL}")))
}

/// Numerators and denominator fit words, so the sums fit 64 + 53 bits.
fn apply_rows_to_words(weights: &[u64], outputs: usize, words: &[u64]) -> Vec<Natural> {
    let mut sums = vec![0u128; outputs];
    for (row, &word) in weights.chunks_exact(outputs).zip(words) {
        if word != 0 {
            for (sum, &weight) in sums.iter_mut().zip(row) {
                *sum += u128::from(word) * u128::from(weight);
            }
        }
    }
    sums.into_iter().map(Natural::from).collect()
}

fn apply_rows(weights: &[u64], outputs: usize, law: &Distribution) -> Vec<Natural> {
    let mut sums = vec![Natural::ZERO; outputs];
    for (row, numerator) in weights.chunks_exact(outputs).zip(law.numerators()) {
        for (sum, &weight) in sums.iter_mut().zip(row) {
            *sum = sum.plus(&numerator.times(&weight.into()));
        }
    }
    sums
}

/// q_y = p_y k_y + r_y Σ_x p_x (1 − k_x).
fn apply_keep(keep: &[u64], redraw: &[u64], law: &Distribution) -> Vec<Natural> {
    let lost = law
        .numerators()
        .zip(keep)
        .fold(Natural::ZERO, |sum, (numerator, &weight)| sum.plus(&numerator.times(&(TOTAL - weight).into())));
    let one = |(numerator, (&weight, &back)): (Natural, (&u64, &u64))| {
        let kept = numerator.times(&(u128::from(weight) << TOTAL_BITS).into());
        kept.plus(&lost.times(&back.into()))
    };
    law.numerators().zip(keep.iter().zip(redraw)).map(one).collect()
}

impl Channel {
    /// Whether every input is released unchanged.
    pub fn is_identity(&self) -> bool {
        self.inputs() == self.outputs() && (0..self.inputs()).all(|x| self.weight(x, x) == self.scale())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::strategies::row;
    use proptest::prelude::*;

    fn law(length: usize) -> impl Strategy<Value = Distribution> {
        prop::collection::vec(prop_oneof![0u64..50, any::<u64>()], length).prop_filter_map("zero sum", |weights| {
            let weights: Vec<_> = weights.into_iter().map(|weight| Rational::from_integer(weight.into())).collect();
            Distribution::normalized(&weights).ok()
        })
    }

    #[test]
    fn wrong_channels_are_refused_with_the_row_and_the_sum() {
        let message = |rows: Vec<Vec<u64>>| Channel::rows(rows).unwrap_err().to_string();
        assert_eq!(
            message(vec![vec![TOTAL, 0], vec![TOTAL, 1]]),
            "row 2: weights sum to 9007199254740993, expected 2^53 = 9007199254740992"
        );
        assert_eq!(message(vec![vec![TOTAL], vec![]]), "row 2 has 0 weights, expected 1 as in row 1");
        assert!(message(vec![]).contains("without rows"));
        assert!(message(vec![vec![u64::MAX, u64::MAX]]).contains("sum to 36893488147419103230"), "no wrap-around");
        let message = |keep, redraw| Channel::keep(keep, redraw).unwrap_err().to_string();
        assert_eq!(message(vec![TOTAL + 1], vec![TOTAL]), "keep weight 1 is 9007199254740993, expected at most 2^53");
        assert_eq!(message(vec![0], vec![1]), "redraw row: weights sum to 1, expected 2^53 = 9007199254740992");
        assert!(message(vec![0, 0], vec![TOTAL]).contains("2 keep weights and 1 redraw weights"));
    }

    proptest! {
        #[test]
        fn applying_a_channel_is_the_matrix_product(rows in prop::collection::vec(row(3), 4), law in law(4)) {
            let channel = Channel::rows(rows).unwrap();
            let output = channel.apply(&law);
            for y in 0..3 {
                let expected: Rational = (0..4).map(|x| law.probability(x) * channel.probability(x, y)).sum();
                prop_assert_eq!(output.probability(y), expected);
            }
        }

        #[test]
        fn applying_the_keep_form_is_the_matrix_product(keep in prop::collection::vec(0..=TOTAL, 4), redraw in row(4), law in law(4)) {
            let channel = Channel::keep(keep, redraw).unwrap();
            let output = channel.apply(&law);
            for y in 0..4 {
                let expected: Rational = (0..4).map(|x| law.probability(x) * channel.probability(x, y)).sum();
                prop_assert_eq!(output.probability(y), expected);
            }
        }

        #[test]
        fn post_processing_by_a_map_is_exact(rows in prop::collection::vec(row(3), 3), map in prop::collection::vec(0usize..2, 3), law in law(3)) {
            let channel = Channel::rows(rows).unwrap();
            let deterministic = map.iter().map(|&to| if to == 0 { vec![TOTAL, 0] } else { vec![0, TOTAL] }).collect();
            let next = Channel::rows(deterministic).unwrap();
            let both = channel.then(&next).unwrap();
            prop_assert_eq!(both.apply(&law), next.apply(&channel.apply(&law)));
        }
    }

    #[test]
    fn a_product_that_needs_rounding_is_refused() {
        let odd = Channel::rows(vec![vec![TOTAL - 1, 1], vec![1, TOTAL - 1]]).unwrap();
        assert!(odd.then(&odd).unwrap_err().is_inapplicable());
        let half = Channel::rows(vec![vec![TOTAL / 2; 2]; 2]).unwrap();
        assert!(half.then(&half).is_ok(), "halves multiply to whole weights");
    }

    #[test]
    fn the_identity_changes_nothing() {
        let identity = Channel::identity(3).unwrap();
        assert!(identity.is_identity());
        assert!(Channel::identity(0).is_err());
        assert!(!Channel::rows(vec![vec![TOTAL - 1, 1], vec![0, TOTAL]]).unwrap().is_identity());
    }
}
