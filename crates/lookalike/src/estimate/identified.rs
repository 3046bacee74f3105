//! Which shares the reports determine at all.

use super::components::Components;
use super::dense::Symmetric;
use faer::Mat;

/// Singular values below this share of the largest are those of dependent laws.
const DEPENDENT: f64 = 1e-8;
/// Entries of a projector that are not zero.
const LINKED: f64 = 1e-6;
/// Components whose own shares are looked for.
pub(super) const MOST_COMPONENTS: usize = 1_000;

/// The components' output laws Q = U·Σ·Vᵀ: what depends on Qᵀw, and so on the law of the reports, can be learnt.
pub(super) struct Identified<'a> {
    components: &'a Components,
    /// Right singular vectors with their singular values, the largest first; `None` where the laws do not vary.
    directions: Vec<(Option<f64>, Vec<f64>)>,
    /// Where there are directions in which no law varies.
    idle: Option<Idle>,
}

/// Readings of the outputs that change no mean, whatever the mix.
struct Idle {
    vectors: Vec<Vec<f64>>,
    /// The law that is to be expected, with some weight for every output.
    law: Vec<f64>,
    /// Their products with each other under that law.
    products: Symmetric,
}

impl Idle {
    fn new(vectors: Vec<Vec<f64>>, components: &Components) -> Self {
        let law: Vec<f64> = components.expected_law().iter().map(|p| p + 1e-3 / components.outputs as f64).collect();
        let mut products = Symmetric::zero(vectors.len());
        for (output, weight) in law.iter().enumerate() {
            let row: Vec<f64> = vectors.iter().map(|vector| vector[output]).collect();
            products.add_outer(*weight, &row);
        }
        Idle { vectors, law, products }
    }

    /// Takes away from a reading what makes it noisier to no use.
    fn subtract_from(&self, reading: &mut [f64]) {
        let along = |vector: &Vec<f64>| vector.iter().zip(&*reading).zip(&self.law).map(|((a, b), p)| a * b * p).sum();
        let right: Vec<f64> = self.vectors.iter().map(along).collect();
        for (vector, amount) in self.vectors.iter().zip(self.products.solve(&right)) {
            reading.iter_mut().zip(vector).for_each(|(c, z)| *c -= amount * z);
        }
    }
}

impl<'a> Identified<'a> {
    pub(super) fn new(components: &'a Components) -> Self {
        let size = components.outputs;
        let triangle = triangle(components);
        let found = triangle.svd().expect("finite entries converge");
        let vector = |at: usize| (0..size).map(|row| found.V()[(row, at)]).collect();
        let largest = found.S()[0];
        let value = |at: usize| Some(found.S()[at]).filter(|&value| value > DEPENDENT * largest);
        let directions: Vec<(Option<f64>, Vec<f64>)> = (0..size).map(|at| (value(at), vector(at))).collect();
        let idle = || directions.iter().filter(|(value, _)| value.is_none()).map(|(_, vector)| vector.clone());
        let idle = (idle().count() > 0).then(|| Idle::new(idle().collect(), components));
        Identified { components, directions, idle }
    }

    /// The directions in which the laws vary.
    fn seen(&self) -> impl Iterator<Item = (f64, &[f64])> {
        self.directions.iter().filter_map(|(value, vector)| value.map(|value| (value, &vector[..])))
    }

    /// Readings c of the outputs with `Q c = share` where there are such: their mean over the reports estimates Σ w·share
    /// without bias, whatever the mix w. Where there are many, with fewer components than outputs, those with the least
    /// variance under the law that is to be expected; the readings of shares that sum to 1 do so too.
    pub(super) fn least_noisy(&self, shares: &[f64]) -> Vec<f64> {
        let centre = dot(shares, self.components.expected());
        let centred: Vec<f64> = shares.iter().map(|share| share - centre).collect();
        let mut reading = self.smallest(&centred);
        if let Some(idle) = &self.idle {
            idle.subtract_from(&mut reading);
        }
        reading.iter_mut().for_each(|value| *value += centre);
        reading
    }

    /// The smallest such readings.
    fn smallest(&self, shares: &[f64]) -> Vec<f64> {
        let size = self.components.outputs;
        let mut weighted = vec![0.0; size];
        for (law, share) in self.components.laws().zip(shares) {
            weighted.iter_mut().zip(law).for_each(|(sum, q)| *sum += share * q);
        }
        let mut reading = vec![0.0; size];
        for (value, vector) in self.seen() {
            let along = dot(&weighted, vector) / (value * value);
            reading.iter_mut().zip(vector).for_each(|(sum, v)| *sum += along * v);
        }
        reading
    }

    /// The finest groups of components whose total shares are determined.
    ///
    /// A change v of the mix goes unseen when Qᵀv = 0. These v are a subspace; it falls apart along the groups that its
    /// projector connects, and as laws sum to 1, so does v to 0 within each: the group's total is the same for all v.
    pub(super) fn component_groups(&self) -> Option<Vec<Vec<u32>>> {
        let count = self.components.count;
        if count > MOST_COMPONENTS {
            return None;
        }
        let left: Vec<Vec<f64>> = self.seen().map(|(value, vector)| self.left(value, vector)).collect();
        let unseen = |a: usize, b: usize| {
            let own = f64::from(u8::from(a == b));
            own - left.iter().map(|u| u[a] * u[b]).sum::<f64>()
        };
        Some(groups(count, unseen))
    }

    /// The same for the inputs: an unseen change v of the mix changes their shares by Pᵀv.
    pub(super) fn input_groups(&self) -> Vec<Vec<u32>> {
        let (inputs, count) = (self.components.inputs, self.components.count);
        let mut changes = Symmetric::zero(inputs);
        let row = |component: usize| (0..inputs).map(|x| self.components.input(component, x)).collect::<Vec<_>>();
        for component in 0..count {
            changes.add_outer(1.0 / count as f64, &row(component));
        }
        for (value, vector) in self.seen() {
            let left = self.left(value, vector);
            let mut along = vec![0.0; inputs];
            for (component, u) in left.iter().enumerate() {
                along.iter_mut().zip(row(component)).for_each(|(sum, p)| *sum += u * p);
            }
            changes.add_outer(-1.0 / count as f64, &along);
        }
        let eigen = changes.eigen();
        let real: Vec<&Vec<f64>> = eigen.iter().filter(|(value, _)| *value > 1e-12).map(|(_, vector)| vector).collect();
        groups(inputs, |a, b| real.iter().map(|v| v[a] * v[b]).sum())
    }

    /// The left singular vector U = Q V / Σ.
    fn left(&self, value: f64, vector: &[f64]) -> Vec<f64> {
        self.components.laws().map(|law| dot(law, vector) / value).collect()
    }
}

/// R of Q = O·R with O orthonormal, a block of laws after the other.
fn triangle(components: &Components) -> Mat<f64> {
    let size = components.outputs;
    let block = 4 * size;
    let mut triangle: Mat<f64> = Mat::zeros(size, size);
    for first in (0..components.count).step_by(block) {
        let rows = block.min(components.count - first);
        let stacked = Mat::from_fn(size + rows, size, |row, column| match row.checked_sub(size) {
            None => triangle[(row, column)],
            Some(row) => components.law(first + row)[column],
        });
        triangle = stacked.qr().thin_R().to_owned();
    }
    Mat::from_fn(size, size, |row, column| if row <= column { triangle[(row, column)] } else { 0.0 })
}

/// The connected components of the entries that are not zero.
fn groups(count: usize, entry: impl Fn(usize, usize) -> f64) -> Vec<Vec<u32>> {
    let mut first: Vec<usize> = (0..count).collect();
    fn root(first: &[usize], mut at: usize) -> usize {
        while first[at] != at {
            at = first[at];
        }
        at
    }
    for a in 0..count {
        for b in 0..a {
            if entry(a, b).abs() > LINKED {
                let (a, b) = (root(&first, a), root(&first, b));
                first[a.max(b)] = a.min(b);
            }
        }
    }
    let mut groups: Vec<Vec<u32>> = vec![Vec::new(); count];
    for at in 0..count {
        groups[root(&first, at)].push(at as u32);
    }
    groups.retain(|group| !group.is_empty());
    groups
}

pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
