//! What limits promise of fitted profiles: a part of the experiment `refits`, which has more refits.
//!
//! Seeds are fixed. If the true ε were above the claim in 5 % of the refits, it would be so in more than 9 of 60 with probability
//! below 0.2 %.

use lookalike_experiments::Trusted;

const REFITS: u64 = 60;

#[test]
fn designs_within_limits_of_all_profiles_keep_their_claim_and_those_for_points_do_not() {
    let found = Trusted::ALL.map(|trusted| trusted.refitted(REFITS).unwrap());
    let [points, cell, pair, all] = &found;
    assert!(all.above <= 9, "{} of {REFITS} are above", all.above);
    // Two-sided: limits that hold more often than asked for cost more than is asked for.
    assert!(all.quantile(95) > 0.2, "{:?}", all.epsilons);
    assert!(points.above >= 40, "{} of {REFITS} are above", points.above);
    assert!(
        points.error < cell.error && cell.error < pair.error && pair.error < all.error && all.error < 0.4,
        "{found:?}"
    );
    for found in &found {
        // Decided exactly; the floats agree away from the claim.
        let near = found.epsilons.iter().filter(|epsilon| (**epsilon - 0.5).abs() < 1e-9).count();
        let above = found.epsilons.iter().filter(|epsilon| **epsilon > 0.5).count();
        assert!(above.abs_diff(found.above) <= near);
    }
}
