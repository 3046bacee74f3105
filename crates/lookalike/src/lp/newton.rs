//! The Newton system of the interior-point method, and its factorization.

use super::cholesky::minimum_degree;
use super::program::Rows;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::ldlt::factor::LdltRegularization;
use faer::perm::PermRef;
use faer::sparse::linalg::cholesky::{
    CholeskySymbolicParams, LdltRef, SymbolicCholesky, SymmetricOrdering, factorize_symbolic_cholesky,
};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMatRef};
use faer::{Conj, MatMut, Par, Side};

/// Rows with at most this many entries are eliminated into the block of the columns.
const SHORT: usize = 4;
/// A pivot below this share of its diagonal would be lost to rounding; the regularization keeps all above it.
const LOST: f64 = 1e-15;
/// Rounds of refinement at most; a miss beside the right-hand side that is small enough; a round that gains less is the last.
const ROUNDS: usize = 8;
const REFINED: f64 = 1e-14;
const SLOW: f64 = 0.3;

/// `[H Aᵀ; A −D]` with `H = diag + Σ weight·a aᵀ` over the eliminated rows; A holds the kept rows.
pub(super) struct Newton<'a> {
    rows: &'a Rows,
    columns: usize,
    /// For each row its place among the kept ones.
    kept: Vec<Option<u32>>,
    kept_rows: Vec<usize>,
    starts: Vec<usize>,
    indices: Vec<usize>,
    values: Vec<f64>,
    /// Where the products of each eliminated row's entries go, one row after the other.
    targets: Vec<u32>,
    diagonal: Vec<u32>,
    symbolic: SymbolicCholesky<usize>,
    factor: Vec<f64>,
    signs: Vec<i8>,
    /// For each kept row the columns that are eliminated before it, of which its pivot is made.
    pivots: Vec<Vec<u32>>,
    scale: Vec<f64>,
    memory: MemBuffer,
    solve_memory: MemBuffer,
}

impl<'a> Newton<'a> {
    /// The structure. `must_keep` marks equations, which cannot be eliminated. `None` when memory runs out.
    pub(super) fn new(rows: &'a Rows, columns: usize, must_keep: impl Fn(usize) -> bool) -> Option<Self> {
        let long = (0..rows.len()).filter(|&row| rows.count(row) > SHORT && !must_keep(row)).count();
        // Many long rows fill the columns' block anyway; few are cheaper as rows of their own.
        let keeps = |row: usize| must_keep(row) || (rows.count(row) > SHORT && long <= columns);
        let kept_rows: Vec<usize> = (0..rows.len()).filter(|&row| keeps(row)).collect();
        let mut kept = vec![None; rows.len()];
        kept_rows.iter().enumerate().for_each(|(place, &row)| kept[row] = Some(place as u32));
        let own = own_columns(rows, columns, &kept);
        let pattern = Pattern::new(rows, columns, kept, &kept_rows);
        let pivots: Vec<Vec<u32>> = kept_rows.iter().map(|&row| pivots(rows, row, &own)).collect();
        let symbolic = best_order(&pattern, columns, &pivots)?;
        let signs = (0..pattern.size).map(|node| if node < columns { 1 } else { -1 }).collect();
        let memory = MemBuffer::try_new(symbolic.factorize_numeric_ldlt_scratch::<f64>(Par::Seq, Default::default()));
        let solve_memory = MemBuffer::try_new(symbolic.solve_in_place_scratch::<f64>(1, Par::Seq));
        Some(Newton {
            rows,
            columns,
            kept_rows,
            factor: vec![0.0; symbolic.len_val()],
            values: vec![0.0; pattern.indices.len()],
            targets: pattern.targets(rows),
            diagonal: (0..pattern.size).map(|node| pattern.place(node, node)).collect(),
            starts: pattern.starts,
            indices: pattern.indices,
            kept: pattern.kept,
            symbolic,
            scale: vec![1.0; pattern.size],
            pivots,
            signs,
            memory: memory.ok()?,
            solve_memory: solve_memory.ok()?,
        })
    }

    /// Factors the system for a diagonal of the columns and one weight per row; the weight of an equation is infinite.
    ///
    /// The regularization is added to the scaled diagonal, with its sign; refinement takes its effect out again.
    pub(super) fn factorize(&mut self, diagonal: &[f64], weights: &[f64], regularization: f64) -> bool {
        self.values.fill(0.0);
        let mut target = self.targets.iter();
        for (row, &weight) in weights.iter().enumerate() {
            let terms = self.rows.terms(row);
            match self.kept[row] {
                None => {
                    for (at, (_, left)) in terms.clone().enumerate() {
                        let scaled = weight * left;
                        for (_, right) in terms.clone().take(at + 1) {
                            self.values[*target.next().expect("one target a product") as usize] += scaled * right;
                        }
                    }
                }
                Some(place) => {
                    for (_, value) in terms {
                        self.values[*target.next().expect("one target an entry") as usize] = value;
                    }
                    let node = self.columns + place as usize;
                    self.values[self.diagonal[node] as usize] = -1.0 / weight;
                }
            }
        }
        for (node, value) in diagonal.iter().enumerate() {
            self.values[self.diagonal[node] as usize] += value;
        }
        self.scale(regularization);
        let size = self.signs.len();
        let pattern = SymbolicSparseColMatRef::new_checked(size, size, &self.starts, None, &self.indices);
        let regularization = LdltRegularization {
            dynamic_regularization_signs: Some(&self.signs),
            dynamic_regularization_delta: 1.0,
            dynamic_regularization_epsilon: LOST,
        };
        let done = self.symbolic.factorize_numeric_ldlt(
            &mut self.factor,
            SparseColMatRef::new(pattern, &self.values),
            Side::Upper,
            regularization,
            Par::Seq,
            MemStack::new(&mut self.memory),
            Default::default(),
        );
        done.is_ok()
    }

    /// Scales the system so that its diagonal is 1 for columns and about −1 for rows after their columns.
    fn scale(&mut self, regularization: f64) {
        for node in 0..self.signs.len() {
            let mut size = self.values[self.diagonal[node] as usize].abs();
            if node >= self.columns {
                let pivots = &self.pivots[node - self.columns];
                let row = self.kept_rows[node - self.columns];
                let terms = self.rows.terms(row).filter(|(column, _)| pivots.binary_search(&(*column as u32)).is_ok());
                size += terms.map(|(column, value)| (value * self.scale[column]).powi(2)).sum::<f64>();
            }
            self.scale[node] = if size > 0.0 { 1.0 / size.sqrt() } else { 1.0 };
        }
        for node in 0..self.signs.len() {
            for at in self.starts[node]..self.starts[node + 1] {
                self.values[at] *= self.scale[node] * self.scale[self.indices[at]];
            }
            self.values[self.diagonal[node] as usize] += regularization * f64::from(self.signs[node]);
        }
    }

    /// Solves `diag·dx − Aᵀ dy = g`, `A dx + dy/weight = h` over all rows, refined until what is missed, in the units of the
    /// scaled system, shrinks no more.
    ///
    /// Those units matter: near the optimum entries differ by twenty powers of ten, and a large one that is refined well
    /// would hide that the small ones are not.
    pub(super) fn solve(&mut self, diagonal: &[f64], weights: &[f64], g: &[f64], h: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let (mut dx, mut dy) = (vec![0.0; self.columns], vec![0.0; self.rows.len()]);
        let (mut g_left, mut h_left) = (g.to_vec(), h.to_vec());
        let (mut x, mut y) = (dx.clone(), dy.clone());
        let units = self.units(weights);
        let whole = largest_of(g, h, &units);
        let mut left = whole;
        for _ in 0..ROUNDS {
            let (step_x, step_y) = self.solve_once(weights, &g_left, &h_left);
            x.iter_mut().zip(&dx).zip(&step_x).for_each(|((x, dx), step)| *x = dx + step);
            y.iter_mut().zip(&dy).zip(&step_y).for_each(|((y, dy), step)| *y = dy + step);
            self.residual((diagonal, weights), (g, h), (&x, &y), (&mut g_left, &mut h_left));
            let now = largest_of(&g_left, &h_left, &units);
            if now >= left || now.is_nan() {
                break;
            }
            std::mem::swap(&mut dx, &mut x);
            std::mem::swap(&mut dy, &mut y);
            if now <= REFINED * whole || now > SLOW * left {
                break;
            }
            left = now;
        }
        (dx, dy)
    }

    /// The units of the scaled system, for the columns and for all rows.
    fn units(&self, weights: &[f64]) -> Vec<f64> {
        let row = |(kept, weight): (&Option<u32>, &f64)| match kept {
            Some(place) => self.scale[self.columns + *place as usize],
            None => weight.sqrt(),
        };
        let columns = self.scale[..self.columns].iter().copied();
        columns.chain(self.kept.iter().zip(weights).map(row)).collect()
    }

    /// What a point misses of the system.
    fn residual(
        &self,
        (diagonal, weights): (&[f64], &[f64]),
        (g, h): (&[f64], &[f64]),
        (x, y): (&[f64], &[f64]),
        (g_left, h_left): (&mut [f64], &mut [f64]),
    ) {
        let columns = g_left.iter_mut().zip(g).zip(diagonal.iter().zip(x));
        columns.for_each(|((left, g), (diagonal, x))| *left = g - diagonal * x);
        for row in 0..self.rows.len() {
            self.rows.add_to(row, y[row], g_left);
            h_left[row] = h[row] - (self.rows.dot(row, x) + y[row] / weights[row]);
        }
    }

    fn solve_once(&mut self, weights: &[f64], g: &[f64], h: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let mut right = Vec::with_capacity(self.scale.len());
        right.extend_from_slice(g);
        for row in (0..self.rows.len()).filter(|&row| self.kept[row].is_none()) {
            self.rows.add_to(row, weights[row] * h[row], &mut right);
        }
        right.extend(self.kept_rows.iter().map(|&row| h[row]));
        let size = right.len();
        right.iter_mut().zip(&self.scale).for_each(|(value, scale)| *value *= scale);
        LdltRef::<'_, usize, f64>::new(&self.symbolic, &self.factor).solve_in_place_with_conj(
            Conj::No,
            MatMut::from_column_major_slice_mut(&mut right, size, 1),
            Par::Seq,
            MemStack::new(&mut self.solve_memory),
        );
        right.iter_mut().zip(&self.scale).for_each(|(value, scale)| *value *= scale);
        let dy = (0..self.rows.len())
            .map(|row| match self.kept[row] {
                Some(place) => -right[self.columns + place as usize],
                None => weights[row] * (h[row] - self.rows.dot(row, &right)),
            })
            .collect();
        right.truncate(self.columns);
        (right, dy)
    }
}

/// The largest entry of a right-hand side in these units.
fn largest_of(g: &[f64], h: &[f64], units: &[f64]) -> f64 {
    let scaled = g.iter().chain(h).zip(units).map(|(value, unit)| (value * unit).abs());
    scaled.fold(0.0, |most, value| if most >= value || f64::is_nan(most) { most } else { value })
}

/// The upper triangle's entries, by columns.
struct Pattern {
    size: usize,
    starts: Vec<usize>,
    indices: Vec<usize>,
    kept: Vec<Option<u32>>,
    columns: usize,
}

impl Pattern {
    fn new(rows: &Rows, columns: usize, kept: Vec<Option<u32>>, kept_rows: &[usize]) -> Self {
        let size = columns + kept_rows.len();
        let mut entries: Vec<Vec<u32>> = (0..size as u32).map(|node| vec![node]).collect();
        for (row, kept) in kept.iter().enumerate() {
            match *kept {
                Some(place) => {
                    entries[columns + place as usize].extend(rows.terms(row).map(|(column, _)| column as u32))
                }
                None => {
                    for (left, _) in rows.terms(row) {
                        entries[left]
                            .extend(rows.terms(row).map(|(right, _)| right as u32).filter(|&r| (r as usize) < left));
                    }
                }
            }
        }
        let (mut starts, mut indices) = (vec![0], Vec::new());
        for mut column in entries {
            column.sort_unstable();
            column.dedup();
            indices.extend(column.into_iter().map(|node| node as usize));
            starts.push(indices.len());
        }
        Pattern { size, starts, indices, kept, columns }
    }

    fn place(&self, row: usize, column: usize) -> u32 {
        let range = self.starts[column]..self.starts[column + 1];
        let within = self.indices[range.clone()].binary_search(&row).expect("an entry of the pattern");
        (range.start + within) as u32
    }

    fn targets(&self, rows: &Rows) -> Vec<u32> {
        let mut targets = Vec::new();
        for row in 0..rows.len() {
            match self.kept[row] {
                Some(place) => {
                    targets
                        .extend(rows.terms(row).map(|(column, _)| self.place(column, self.columns + place as usize)));
                }
                None => {
                    for (at, (left, _)) in rows.terms(row).enumerate() {
                        let earlier = rows.terms(row).take(at + 1);
                        targets.extend(earlier.map(|(right, _)| self.place(left.min(right), left.max(right))));
                    }
                }
            }
        }
        targets
    }

    fn symbolic(&self) -> SymbolicSparseColMatRef<'_, usize> {
        SymbolicSparseColMatRef::new_checked(self.size, self.size, &self.starts, None, &self.indices)
    }
}

/// Which columns are in no eliminated row: only the kept rows know them.
fn own_columns(rows: &Rows, columns: usize, kept: &[Option<u32>]) -> Vec<bool> {
    let mut own = vec![true; columns];
    for row in (0..rows.len()).filter(|&row| kept[row].is_none() && rows.count(row) > 1) {
        rows.terms(row).for_each(|(column, _)| own[column] = false);
    }
    own
}

/// The columns of a kept row that have to be eliminated before it, ascending: those that only kept rows know, as the entries of
/// a plan, or all where there is none of them.
///
/// Its own pivot is next to nothing; they give it a size that makes the factorization stable. A probability of a law, which
/// many rows know, may come later: waiting for it would tie all profiles to each other before any of them is done.
fn pivots(rows: &Rows, row: usize, own: &[bool]) -> Vec<u32> {
    let all = || rows.terms(row).map(|(column, _)| column as u32);
    let mut pivots: Vec<u32> = all().filter(|&column| own[column as usize]).collect();
    if pivots.is_empty() {
        pivots = all().collect();
    }
    pivots.sort_unstable();
    pivots
}

/// The analysis with fewer entries in the factor: minimum degree over the columns with the kept rows last, or over
/// everything, each kept row moved behind its last pivot.
fn best_order(pattern: &Pattern, columns: usize, pivots: &[Vec<u32>]) -> Option<SymbolicCholesky<usize>> {
    let mut staged = minimum_degree(&pattern.starts[..=columns], &pattern.indices)?;
    staged.extend(columns..pattern.size);
    let mut place = vec![0; pattern.size];
    let mixed = minimum_degree(&pattern.starts, &pattern.indices)?;
    mixed.iter().enumerate().for_each(|(at, &node)| place[node] = 2 * at);
    for (row, pivots) in (columns..pattern.size).zip(pivots) {
        let last = pivots.iter().map(|&column| place[column as usize] + 1).max();
        place[row] = last.map_or(place[row], |last| last.max(place[row]));
    }
    let mut mixed = mixed;
    mixed.sort_by_key(|&node| place[node]);
    let analyses = [staged, mixed].into_iter().filter_map(|order| {
        let mut inverse = vec![0; order.len()];
        order.iter().enumerate().for_each(|(at, &node)| inverse[node] = at);
        let order = SymmetricOrdering::Custom(PermRef::new_checked(&order, &inverse, pattern.size));
        factorize_symbolic_cholesky(pattern.symbolic(), Side::Upper, order, CholeskySymbolicParams::default()).ok()
    });
    analyses.min_by_key(SymbolicCholesky::len_val)
}
