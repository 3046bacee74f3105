//! Sparse positive definite systems: an order, a factorization and solutions.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::ldlt::factor::LdltRegularization;
use faer::perm::PermRef;
use faer::sparse::linalg::amd;
use faer::sparse::linalg::cholesky::{
    CholeskySymbolicParams, LdltRef, SymbolicCholesky, SymmetricOrdering, factorize_symbolic_cholesky,
};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMatRef};
use faer::{Conj, MatMut, Par, Side};

/// A pivot below this share of its diagonal is lost to rounding, and becomes the diagonal: its unknown stays nearly where it is.
const LOST: f64 = 1e-15;

/// A symmetric matrix of a fixed pattern, and its factorization once there is one.
pub struct PositiveDefinite {
    starts: Vec<usize>,
    indices: Vec<usize>,
    values: Vec<f64>,
    diagonal: Vec<u32>,
    symbolic: SymbolicCholesky<usize>,
    factor: Vec<f64>,
    scale: Vec<f64>,
    signs: Vec<i8>,
    memory: MemBuffer,
    solve_memory: MemBuffer,
}

impl PositiveDefinite {
    /// The structure of a matrix of this size with entries at these places, each given in either order and as often as one likes;
    /// the diagonal is always there. Returns with it where the value of each place goes. `None` when memory runs out.
    pub fn new(size: usize, places: &[(u32, u32)]) -> Option<(Self, Vec<u32>)> {
        let ordered = |&(one, other): &(u32, u32)| (one.max(other), one.min(other));
        let mut columns: Vec<Vec<u32>> = (0..size as u32).map(|node| vec![node]).collect();
        for (column, row) in places.iter().map(ordered) {
            columns[column as usize].push(row);
        }
        let (mut starts, mut indices) = (vec![0], Vec::new());
        for mut column in columns {
            column.sort_unstable();
            column.dedup();
            indices.extend(column.into_iter().map(|node| node as usize));
            starts.push(indices.len());
        }
        let place = |(column, row): (u32, u32)| {
            let range = starts[column as usize]..starts[column as usize + 1];
            let within = indices[range.clone()].binary_search(&(row as usize)).expect("an entry of the pattern");
            (range.start + within) as u32
        };
        let targets = places.iter().map(ordered).map(place).collect();
        let diagonal = (0..size as u32).map(|node| place((node, node))).collect();
        let pattern = SymbolicSparseColMatRef::new_checked(size, size, &starts, None, &indices);
        let order = minimum_degree(&starts, &indices)?;
        let mut inverse = vec![0; size];
        order.iter().enumerate().for_each(|(at, &node)| inverse[node] = at);
        let order = SymmetricOrdering::Custom(PermRef::new_checked(&order, &inverse, size));
        let symbolic =
            factorize_symbolic_cholesky(pattern, Side::Upper, order, CholeskySymbolicParams::default()).ok()?;
        let memory = MemBuffer::try_new(symbolic.factorize_numeric_ldlt_scratch::<f64>(Par::Seq, Default::default()));
        let solve_memory = MemBuffer::try_new(symbolic.solve_in_place_scratch::<f64>(1, Par::Seq));
        let system = PositiveDefinite {
            values: vec![0.0; indices.len()],
            diagonal,
            factor: vec![0.0; symbolic.len_val()],
            scale: vec![1.0; size],
            signs: vec![1; size],
            memory: memory.ok()?,
            solve_memory: solve_memory.ok()?,
            symbolic,
            starts,
            indices,
        };
        Some((system, targets))
    }

    /// All entries 0.
    pub fn clear(&mut self) {
        self.values.fill(0.0);
    }

    /// Adds to the entry of a place, as [`PositiveDefinite::new`] named it.
    #[inline]
    pub fn add(&mut self, target: u32, value: f64) {
        self.values[target as usize] += value;
    }

    /// Factors the matrix, scaled to a diagonal of 1. What is there is lost; says whether it worked.
    pub fn factorize(&mut self) -> bool {
        let size = self.scale.len();
        for (scale, &at) in self.scale.iter_mut().zip(&self.diagonal) {
            let pivot = self.values[at as usize];
            *scale = if pivot > 0.0 { 1.0 / pivot.sqrt() } else { 1.0 };
        }
        for node in 0..size {
            for at in self.starts[node]..self.starts[node + 1] {
                self.values[at] *= self.scale[node] * self.scale[self.indices[at]];
            }
        }
        let regularization = LdltRegularization {
            dynamic_regularization_signs: Some(&self.signs),
            dynamic_regularization_delta: 1.0,
            dynamic_regularization_epsilon: LOST,
        };
        let pattern = SymbolicSparseColMatRef::new_checked(size, size, &self.starts, None, &self.indices);
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

    /// Solves the system that was factored, in place.
    pub fn solve(&mut self, right: &mut [f64]) {
        let size = right.len();
        right.iter_mut().zip(&self.scale).for_each(|(value, scale)| *value *= scale);
        LdltRef::<'_, usize, f64>::new(&self.symbolic, &self.factor).solve_in_place_with_conj(
            Conj::No,
            MatMut::from_column_major_slice_mut(right, size, 1),
            Par::Seq,
            MemStack::new(&mut self.solve_memory),
        );
        right.iter_mut().zip(&self.scale).for_each(|(value, scale)| *value *= scale);
    }
}

/// An order of the nodes of a pattern, whose upper triangle is given by columns, that leaves few entries in the factor.
pub(super) fn minimum_degree(starts: &[usize], indices: &[usize]) -> Option<Vec<usize>> {
    let (size, entries) = (starts.len() - 1, starts[starts.len() - 1]);
    let pattern = SymbolicSparseColMatRef::new_checked(size, size, starts, None, &indices[..entries]);
    let (mut forward, mut inverse) = (vec![0usize; size], vec![0usize; size]);
    let mut memory = MemBuffer::try_new(amd::order_scratch::<usize>(size, entries)).ok()?;
    amd::order(&mut forward, &mut inverse, pattern, amd::Control::default(), MemStack::new(&mut memory)).ok()?;
    Some(forward)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_solution_solves(
            size in 1usize..20, links in prop::collection::vec((0u32..20, 0u32..20, -1.0f64..1.0), 0..60),
            right in prop::collection::vec(-1.0f64..1.0, 20),
        ) {
            // A sum of squares (x_i + w x_j)² and all x_i².
            let links: Vec<_> = links.into_iter().filter(|link| (link.0.max(link.1) as usize) < size && link.0 != link.1).collect();
            let places: Vec<_> = links.iter().flat_map(|&(i, j, _)| [(i, i), (i, j), (j, j)]).chain((0..size as u32).map(|i| (i, i))).collect();
            let values: Vec<f64> = links.iter().flat_map(|&(_, _, w)| [1.0, w, w * w]).chain((0..size).map(|_| 1.0)).collect();
            let (mut system, targets) = PositiveDefinite::new(size, &places).unwrap();
            for _ in 0..2 {
                system.clear();
                targets.iter().zip(&values).for_each(|(&target, &value)| system.add(target, value));
                prop_assert!(system.factorize());
                let mut x = right[..size].to_vec();
                system.solve(&mut x);
                let mut found = vec![0.0; size];
                for (&(i, j), &value) in places.iter().zip(&values) {
                    found[i as usize] += value * x[j as usize];
                    found[j as usize] += if i == j { 0.0 } else { value * x[i as usize] };
                }
                prop_assert!(found.iter().zip(&right).all(|(found, right)| (found - right).abs() < 1e-10), "{found:?}");
            }
        }
    }
}
