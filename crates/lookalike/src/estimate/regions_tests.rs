//! What is said of all laws within limits, against lists of all their extreme laws.

use super::super::components::Components;
use super::super::identified::dot;
use super::super::majorant::{Purpose, majorant_within};
use super::super::trust::Trust;
use super::*;
use crate::exact::Rational;
use crate::model::{Categories, Channel, Distribution, Names, SecretGraph};
use proptest::prelude::*;

/// Profiles with limits of so many twelfths, and a channel of its own for each profile, in parts of the sum of a row.
#[derive(Debug, Clone)]
struct Case {
    limits: Vec<Vec<[i64; 2]>>,
    channels: Vec<Vec<Vec<u64>>>,
}

const D: usize = 3;

fn case() -> impl Strategy<Value = Case> {
    // Around a law each, so that limits meet some law.
    let limits = proptest::collection::vec(
        (proptest::collection::vec(0..7i64, D - 1), proptest::collection::vec([0..4i64, 0..4i64], D)),
        2..4,
    );
    let limits = limits.prop_map(|profiles| {
        let of = |(law, off): (Vec<i64>, Vec<[i64; 2]>)| {
            let last = 12 - law.iter().sum::<i64>();
            let law = law.into_iter().chain([last]);
            law.zip(off).map(|(p, [down, up])| [(p - down).max(0), (p + up).min(12)]).collect()
        };
        profiles.into_iter().map(of).collect::<Vec<Vec<[i64; 2]>>>()
    });
    (limits, proptest::collection::vec(proptest::collection::vec(proptest::collection::vec(0..9u64, D), D), 4))
        .prop_map(|(limits, mut channels)| {
            channels.truncate(limits.len());
            Case { limits, channels }
        })
}

fn fraction(number: i64) -> Rational {
    Rational::new(number.into(), 12.into())
}

impl Case {
    fn limits(&self) -> Vec<Limits> {
        let one = |ends: &Vec<[i64; 2]>| Limits::new(&ends.iter().map(|ends| ends.map(fraction)).collect::<Vec<_>>());
        self.limits.iter().map(|limits| one(limits).unwrap()).collect()
    }

    fn mechanism(&self) -> Mechanism {
        let categories = Categories::new((0..D).map(|x| format!("x{x}"))).unwrap();
        let count = self.limits.len();
        let mut builder = SecretGraph::builder(Names::new("profile", (0..count).map(|s| format!("p{s}"))).unwrap());
        builder.complete(&"100".parse().unwrap());
        let row = |weights: &Vec<u64>| {
            let sum = weights.iter().sum::<u64>() + 1;
            let mut row: Vec<u64> = weights.iter().map(|weight| weight * ((1 << 53) / sum)).collect();
            row[0] += (1 << 53) - row.iter().sum::<u64>();
            row
        };
        let channel = |rows: &Vec<Vec<u64>>| Channel::rows(rows.iter().map(row).collect()).unwrap();
        let channels = self.channels.iter().map(channel).collect();
        let laws: Vec<Distribution> =
            self.limits().iter().map(|limits| limits.extreme_laws(|x| x as u128)[0].clone()).collect();
        let graph = builder.build().unwrap();
        Mechanism::aware(categories.clone(), categories, graph, laws, channels, (0..count as u32).collect()).unwrap()
    }

    /// All extreme laws: every value but one at an end of its limits.
    fn extremes(&self) -> Vec<(usize, Vec<f64>)> {
        let mut all = Vec::new();
        for (profile, limits) in self.limits.iter().enumerate() {
            for free in 0..D {
                for ends in 0..1u32 << D {
                    let mut law: Vec<i64> = (0..D).map(|x| limits[x][(ends >> x & 1) as usize]).collect();
                    law[free] = 0;
                    law[free] = 12 - law.iter().sum::<i64>();
                    if limits[free][0] <= law[free] && law[free] <= limits[free][1] {
                        all.push((profile, law.iter().map(|p| *p as f64 / 12.0).collect()));
                    }
                }
            }
        }
        all
    }
}

fn output_law(mechanism: &Mechanism, profile: usize, law: &[f64]) -> Vec<f64> {
    let channel = mechanism.channel(profile as u32);
    let at =
        |y: usize| law.iter().enumerate().map(|(x, p)| p * channel.weight(x, y) as f64 / channel.scale() as f64).sum();
    (0..D).map(at).collect()
}

proptest! {
    #[test]
    fn readings_are_below_a_share_by_as_much_as_at_the_worst_of_all_extreme_laws(
        case in case(),
        readings in proptest::collection::vec(-3.0..3.0, D),
        parts in proptest::collection::vec(0.0..1.0, 4 * D),
    ) {
        let mechanism = case.mechanism();
        let components = Components::limits(&mechanism, &case.limits()).unwrap();
        let parts = &parts[..components.parts()];
        let short = |(profile, law): &(usize, Vec<f64>)| {
            dot(law, &parts[profile * D..][..D]) - dot(&output_law(&mechanism, *profile, law), &readings)
        };
        let worst = case.extremes().iter().map(short).fold(0.0, f64::max);
        prop_assert!((components.short(&readings, parts) - worst).abs() < 1e-12);
        // The laws that are named are those.
        let regions = components.regions().unwrap();
        for law in regions.short_laws(&readings, parts, 0.0).iter().take(1) {
            prop_assert!((short(&(law.profile as usize, law.inputs.clone())) - worst).abs() < 1e-12);
        }
    }

    #[test]
    fn the_largest_square_for_a_mean_is_that_of_the_best_two_extreme_laws(
        case in case(),
        readings in proptest::collection::vec(-3.0..3.0, D),
        at in 0.0..1.0,
    ) {
        let mechanism = case.mechanism();
        let components = Components::limits(&mechanism, &case.limits()).unwrap();
        let found = components.squares(&readings, 0.5);
        let point = |(profile, law): &(usize, Vec<f64>)| {
            let law = output_law(&mechanism, *profile, law);
            let square = law.iter().zip(&readings).map(|(p, g)| p * (g - 0.5) * (g - 0.5)).sum::<f64>();
            (dot(&law, &readings), square)
        };
        let listed = Envelope::over(case.extremes().iter().map(point));
        let ([low, high], [least, most]) = (found.range(), listed.range());
        prop_assert!((low - least).abs() < 1e-12 && (high - most).abs() < 1e-12);
        // Not below, and above by next to nothing; ends of means that are nearly one aside.
        prop_assume!(most - least > 1e-6);
        let mean = least + (0.01 + 0.98 * at) * (most - least);
        let (found, listed) = (found.at(mean), listed.at(mean));
        prop_assert!(found >= listed - 1e-11 && found <= listed + 1e-5, "{found} {listed}");
    }

    #[test]
    fn readings_that_are_found_are_above_the_share_at_every_extreme_law(
        case in case(),
        member in 0..D,
    ) {
        let mechanism = case.mechanism();
        let components = Components::limits(&mechanism, &case.limits()).unwrap();
        let parts: Vec<f64> =
            (0..components.parts()).map(|part| f64::from(u8::from(part % D == member))).collect();
        let expected = components.expected_law();
        let purpose = Purpose { expected: &expected, reports: 300.0, deviations: 2.4 };
        let readings = majorant_within(&components, &parts, purpose, None, 12);
        let short = components.short(&readings, &parts);
        prop_assert!(short < 1e-4, "{short}");
        for (profile, law) in case.extremes() {
            let mean = dot(&output_law(&mechanism, profile, &law), &readings);
            prop_assert!(mean + short >= law[member] - 1e-12, "{law:?}");
        }
        // No more above it than where values need not come from the limits: these readings would do as well.
        let all = Components::of(&mechanism, Trust::Nothing).unwrap();
        let shares: Vec<f64> = (0..all.count).map(|part| f64::from(u8::from(part % D == member))).collect();
        let free = majorant_within(&all, &shares, purpose, None, 12);
        prop_assert!(purpose.limit(&readings) <= purpose.limit(&free) + 0.01);
    }

    #[test]
    fn spanning_laws_lie_within_the_limits_and_span_them(
        case in case(),
    ) {
        let regions = Regions::new(&case.mechanism(), &case.limits(), Vec::new());
        let spanning = regions.spanning();
        for (profile, limits) in case.limits().iter().enumerate() {
            let own: Vec<&RegionLaw> = spanning.iter().filter(|law| law.profile as usize == profile).collect();
            for law in &own {
                prop_assert!((law.inputs.iter().sum::<f64>() - 1.0).abs() < 1e-12);
                for (x, p) in law.inputs.iter().enumerate() {
                    let [least, most] = limits.ends(x).map(|end| to_f64(&end, Direction::Nearest));
                    prop_assert!(least - 1e-12 <= *p && *p <= most + 1e-12);
                }
            }
            // One more than there are directions: of d values that are free, d − 1.
            let free = (0..D).filter(|&x| !limits.room(x).is_zero()).count();
            prop_assert_eq!(own.len(), free.max(1));
            // Three laws over three values span all when their determinant is not zero.
            if let [a, b, c] = own[..] {
                let minor = |x: usize, y: usize| b.inputs[x] * c.inputs[y] - b.inputs[y] * c.inputs[x];
                let determinant = a.inputs[0] * minor(1, 2) - a.inputs[1] * minor(0, 2) + a.inputs[2] * minor(0, 1);
                prop_assert!(determinant.abs() > 1e-6, "{:?}", own);
            }
        }
    }
}
