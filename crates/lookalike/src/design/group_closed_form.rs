//! The law nearest to a profile between given bounds.

/// The bounds `l ≤ q ≤ u` of one profile.
pub(super) struct Range {
    pub(super) least: Vec<f64>,
    pub(super) most: Vec<f64>,
}

/// `u = min_g u^g` and `l = max_g u^g/E_g` over the groups that hold a profile; anything where there is none.
pub(super) fn range_of(groups: &[u32], bounds: &[f64], shrink: &[f64], size: usize) -> Range {
    let mut range = Range { least: vec![0.0; size], most: vec![1.0; size] };
    for &group in groups {
        let (u, shrink) = (&bounds[group as usize * size..][..size], shrink[group as usize]);
        for ((least, most), u) in range.least.iter_mut().zip(&mut range.most).zip(u) {
            *least = least.max(u * shrink);
            *most = most.min(*u);
        }
    }
    range
}

/// Writes a law q with `l ≤ q ≤ u` and the least TV(p, q); returns that distance, `max(Σ(p − u)⁺, Σ(l − p)⁺)`.
///
/// Needs `l ≤ u` and `Σ l ≤ 1 ≤ Σ u`. Clamping p to the bounds misses a sum of 1 by the difference of the two terms;
/// what misses is put where there is room, in proportion to it, which costs no more than the larger term.
pub(super) fn law_between(p: &[f64], range: &Range, q: &mut [f64]) -> f64 {
    let Range { least, most } = range;
    for y in 0..p.len() {
        q[y] = p[y].min(most[y]).max(least[y]);
    }
    let missing = 1.0 - q.iter().sum::<f64>();
    let to: &[f64] = if missing > 0.0 { most } else { least };
    let room: f64 = q.iter().zip(to).map(|(q, to)| to - q).sum();
    if room != 0.0 {
        let share = (missing / room).clamp(0.0, 1.0);
        q.iter_mut().zip(to).for_each(|(q, to)| *q += share * (to - *q));
    }
    let lost: f64 = p.iter().zip(&*q).map(|(p, q)| (p - q).max(0.0)).sum();
    let won: f64 = p.iter().zip(&*q).map(|(p, q)| (q - p).max(0.0)).sum();
    lost.max(won)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn law(size: usize) -> impl Strategy<Value = Vec<f64>> {
        prop::collection::vec(prop_oneof![Just(0.0), 0.0..1.0f64], size).prop_filter_map("zero", |weights| {
            let sum: f64 = weights.iter().sum();
            (sum > 0.0).then(|| weights.iter().map(|weight| weight / sum).collect())
        })
    }

    proptest! {
        #[test]
        fn the_distance_is_the_closed_form(p in law(5), inside in law(5), down in prop::collection::vec(0.0..1.0f64, 5), up in prop::collection::vec(0.0..0.3f64, 5)) {
            let least: Vec<f64> = inside.iter().zip(&down).map(|(q, down)| q * down).collect();
            let most: Vec<f64> = inside.iter().zip(&up).map(|(q, up)| q + up).collect();
            let range = Range { least, most };
            let mut q = vec![0.0; 5];
            let distance = law_between(&p, &range, &mut q);
            let term = |part: &dyn Fn(usize) -> f64| (0..5).map(|y| part(y).max(0.0)).sum::<f64>();
            let closed = term(&|y| p[y] - range.most[y]).max(term(&|y| range.least[y] - p[y]));
            prop_assert!((distance - closed).abs() < 1e-12, "{} {}", distance, closed);
            prop_assert!((q.iter().sum::<f64>() - 1.0).abs() < 1e-12);
            prop_assert!((0..5).all(|y| range.least[y] - 1e-15 <= q[y] && q[y] <= range.most[y] + 1e-15));
        }
    }

    #[test]
    fn overlapping_groups_take_the_tighter_bounds() {
        let range = range_of(&[0, 1], &[0.6, 0.5, 0.8, 0.4], &[0.5, 0.25], 2);
        assert_eq!((range.least, range.most), (vec![0.3, 0.25], vec![0.6, 0.4]));
    }
}
