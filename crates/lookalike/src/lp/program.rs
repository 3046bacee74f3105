//! A linear program with bounds on every column and row.

/// `min Σ cost·x` (and a pull, see [`Program::pull`]) over `lower ≤ x ≤ upper` and `row_lower ≤ A x ≤ row_upper`.
#[derive(Debug, Clone, Default)]
pub struct Program {
    /// How much less accurate than floats allow the answer may be, as a factor.
    pub(super) tolerance: f64,
    pub(super) cost: Vec<f64>,
    pub(super) lower: Vec<f64>,
    pub(super) upper: Vec<f64>,
    /// Where the solver starts, by column; the middle of the bounds where there is none.
    pub(super) start: Vec<Option<f64>>,
    /// Weight and target of the pull on each column.
    pub(super) pull: Vec<(f64, f64)>,
    pub(super) rows: Rows,
    pub(super) row_lower: Vec<f64>,
    pub(super) row_upper: Vec<f64>,
}

/// Sparse rows.
#[derive(Debug, Clone)]
pub(super) struct Rows {
    pub(super) starts: Vec<usize>,
    pub(super) columns: Vec<u32>,
    pub(super) values: Vec<f64>,
}

impl Default for Rows {
    fn default() -> Self {
        Rows { starts: vec![0], columns: Vec::new(), values: Vec::new() }
    }
}

impl Rows {
    pub(super) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    pub(super) fn push(&mut self, terms: impl IntoIterator<Item = (u32, f64)>) {
        for (column, value) in terms {
            self.columns.push(column);
            self.values.push(value);
        }
        self.starts.push(self.columns.len());
    }

    #[inline]
    pub(super) fn terms(&self, row: usize) -> impl ExactSizeIterator<Item = (usize, f64)> + Clone + '_ {
        let (columns, values) = self.row(row);
        columns.iter().zip(values).map(|(&column, &value)| (column as usize, value))
    }

    /// The columns and values of a row.
    #[inline]
    fn row(&self, row: usize) -> (&[u32], &[f64]) {
        let range = self.starts[row]..self.starts[row + 1];
        (&self.columns[range.clone()], &self.values[range])
    }

    pub(super) fn count(&self, row: usize) -> usize {
        self.starts[row + 1] - self.starts[row]
    }

    #[inline]
    pub(super) fn dot(&self, row: usize, x: &[f64]) -> f64 {
        self.terms(row).map(|(column, value)| value * x[column]).sum()
    }

    /// `sums += scale · row`.
    #[inline]
    pub(super) fn add_to(&self, row: usize, scale: f64, sums: &mut [f64]) {
        self.terms(row).for_each(|(column, value)| sums[column] += scale * value);
    }
}

impl Program {
    /// An empty program.
    pub fn new() -> Self {
        Program { tolerance: 1.0, ..Program::default() }
    }

    /// A new column with finite bounds; returns its number.
    ///
    /// # Panics
    /// If a bound is not finite or they cross: every figure here is a probability or a share of one, so such a bound
    /// is a mistake of the caller.
    pub fn column(&mut self, cost: f64, lower: f64, upper: f64) -> u32 {
        assert!(lower.is_finite() && upper.is_finite() && lower <= upper, "column bounds {lower} to {upper}");
        self.cost.push(cost);
        self.lower.push(lower);
        self.upper.push(upper);
        self.pull.push((0.0, 0.0));
        self.start.push(None);
        (self.cost.len() - 1) as u32
    }

    /// Takes an answer that is less accurate than floats allow by this factor, in fewer steps.
    pub fn tolerate(&mut self, factor: f64) {
        self.tolerance = factor;
    }

    /// Another cost for a column.
    pub fn set_cost(&mut self, column: u32, cost: f64) {
        self.cost[column as usize] = cost;
    }

    /// Other bounds for a column.
    ///
    /// # Panics
    /// As [`Program::column`].
    pub fn bound(&mut self, column: u32, lower: f64, upper: f64) {
        assert!(lower.is_finite() && upper.is_finite() && lower <= upper, "column bounds {lower} to {upper}");
        (self.lower[column as usize], self.upper[column as usize]) = (lower, upper);
    }

    /// Adds `weight/2 · (x − target)²` for one column: among equally good answers it takes the one near the target.
    pub fn pull(&mut self, column: u32, weight: f64, target: f64) {
        self.pull[column as usize] = (weight, target);
    }

    /// Where the solver starts. A start strictly within all bounds and rows saves steps; any other does no harm.
    pub fn start(&mut self, column: u32, value: f64) {
        self.start[column as usize] = Some(value);
    }

    /// Where the solver starts a column, the middle of its bounds if nothing was said.
    pub fn started(&self, column: u32) -> f64 {
        let at = column as usize;
        self.start[at].unwrap_or(0.5 * (self.lower[at] + self.upper[at]))
    }

    /// A new row `lower ≤ Σ value·x ≤ upper`, an equation when the two are equal; infinite bounds are allowed. Returns
    /// its number. A column may be named once.
    pub fn row(&mut self, terms: impl IntoIterator<Item = (u32, f64)>, lower: f64, upper: f64) -> u32 {
        self.rows.push(terms.into_iter().filter(|(_, value)| *value != 0.0));
        self.row_lower.push(lower);
        self.row_upper.push(upper);
        (self.row_lower.len() - 1) as u32
    }

    /// How many columns there are.
    pub fn columns(&self) -> usize {
        self.cost.len()
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.row_lower.len()
    }
}
