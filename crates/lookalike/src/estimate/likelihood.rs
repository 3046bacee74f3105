//! The most likely mix of components.

use super::components::Components;
use super::dense::Symmetric;
use super::majorant::reach;
use std::borrow::Cow;

/// Where the method stops: the mean log likelihood is this close to its largest value.
const GAP: f64 = 1e-13;
const MOST_STEPS: u32 = 200;

/// The mix w ≥ 0, Σ w = 1 that maximizes `Σ_y f_y log Σ_k w_k Q_k(y)`, for shares f of the outputs.
///
/// Adding the term `−Σ w` leaves the maximum where it is and makes Σ w = 1 come out by itself. The optimality conditions
/// are `z = 1 − Q(f/μ) ≥ 0`, `w·z = 0` with μ the mixed law; a primal-dual interior point method solves them. Its Newton
/// system is a diagonal plus a matrix of rank m, the number of outputs, so that a step takes O(k·m²): a hundred thousand
/// profiles are no obstacle, and flat directions, where expectation-maximization crawls, are none either. Where several
/// mixes are equally likely it ends in the middle of them.
///
/// # Reference
/// Koenker and Mizera, "Convex optimization, shape constraints, compound decisions, and empirical Bayes rules",
/// JASA 109 (2014), for interior points in mixtures.
pub(super) fn most_likely_mix(components: &Components, shares: &[f64]) -> Vec<f64> {
    let count = components.count;
    let mut w = vec![1.0 / count as f64; count];
    let mut z = vec![1.0; count];
    for _ in 0..MOST_STEPS {
        let law = components.mixed(&w);
        let seen: Vec<usize> = (0..shares.len()).filter(|&y| shares[y] > 0.0).collect();
        let pull: Vec<f64> = seen.iter().map(|&y| shares[y] / law[y]).collect();
        let gradient: Vec<f64> = components
            .laws()
            .map(|q| 1.0 - seen.iter().zip(&pull).map(|(&y, pull)| q[y] * pull).sum::<f64>())
            .collect();
        let complementary = w.iter().zip(&z).map(|(w, z)| w * z).sum::<f64>();
        let miss = gradient.iter().zip(&z).fold(0.0f64, |most, (g, z)| most.max((g - z).abs()));
        if complementary <= GAP && miss <= GAP.sqrt() * 1e-2 {
            break;
        }
        // Aim at a tenth of the way: slow enough to stay near the central path, and ever faster as it is followed.
        let target = 0.1 * complementary / count as f64;
        let theta: Vec<f64> = w.iter().zip(&z).map(|(w, z)| z / w).collect();
        let right: Vec<f64> = gradient.iter().zip(&w).map(|(g, w)| target / w - g).collect();
        let curve: Vec<f64> = seen.iter().zip(&pull).map(|(&y, pull)| (pull / law[y]).sqrt()).collect();
        let dw = newton_step(components, &seen, &curve, &theta, &right);
        let dz: Vec<f64> = (0..count).map(|k| (target - z[k] * dw[k]) / w[k] - z[k]).collect();
        let length = reach(&w, &dw).min(reach(&z, &dz));
        w.iter_mut().zip(&dw).for_each(|(w, dw)| *w += length * dw);
        z.iter_mut().zip(&dz).for_each(|(z, dz)| *z += length * dz);
    }
    let total: f64 = w.iter().sum();
    w.iter_mut().for_each(|w| *w /= total);
    w
}

/// The most likely mix of laws within limits: of some, to which those are added that would make the reports likelier. With it the
/// components that it is a mix of, and how much larger than this one's the mean log likelihood of any mix can be.
///
/// For shares f of the outputs and the mixed law μ, that of a law q is larger by `Σ f log(q/μ) ≤ log Σ f q/μ`, by Jensen's inequality;
/// the sum is largest at a knapsack for each profile. Without limits all laws are there, and nothing is larger.
pub(super) fn most_likely<'c>(components: &'c Components, shares: &[f64]) -> (Cow<'c, Components>, Vec<f64>, f64) {
    let mut working = Cow::Borrowed(components);
    let mut mix = most_likely_mix(components, shares);
    let Some(regions) = components.regions() else { return (working, mix, 0.0) };
    let parts = vec![-1.0; components.parts()];
    for _ in 0..MOST_CUTS {
        let law = working.mixed(&mix);
        // Below −1 by how much the mean of f/μ can be above 1.
        let pull = |(f, q): (&f64, &f64)| if *f > 0.0 { -f / q } else { 0.0 };
        let pull: Vec<f64> = shares.iter().zip(&law).map(pull).collect();
        let larger = regions.short(&pull, &parts).ln_1p();
        let more = if larger <= CLOSE { Vec::new() } else { regions.short_laws(&pull, &parts, CLOSE) };
        if more.is_empty() {
            return (working, mix, larger);
        }
        working = Cow::Owned(working.into_owned().with(more));
        mix = most_likely_mix(&working, shares);
    }
    (working, mix, f64::INFINITY)
}

/// How often laws are added, and how much likelier reports may be in another mix without that.
const MOST_CUTS: u32 = 40;
const CLOSE: f64 = 1e-9;

/// Solves `(Θ + Q C² Qᵀ) dw = right` through a system of the size of the outputs (Woodbury).
fn newton_step(components: &Components, seen: &[usize], curve: &[f64], theta: &[f64], right: &[f64]) -> Vec<f64> {
    let size = seen.len();
    let mut matrix = Symmetric::identity(size);
    let mut projected = vec![0.0; size];
    let mut scaled = vec![0.0; size];
    for (k, q) in components.laws().enumerate() {
        let inverse = 1.0 / theta[k];
        scaled.iter_mut().zip(seen.iter().zip(curve)).for_each(|(scaled, (&y, curve))| *scaled = q[y] * curve);
        matrix.add_outer(inverse, &scaled);
        projected.iter_mut().zip(&scaled).for_each(|(sum, q)| *sum += inverse * right[k] * q);
    }
    let solved = matrix.solve(&projected);
    let step = |(k, q): (usize, &[f64])| {
        let back: f64 = seen.iter().zip(curve.iter().zip(&solved)).map(|(&y, (curve, s))| q[y] * curve * s).sum();
        (right[k] - back) / theta[k]
    };
    components.laws().enumerate().map(step).collect()
}
