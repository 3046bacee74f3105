//! The closed forms for counts: what the slides and the reference page say of them, and that whole weights keep it all.

use lookalike::certify::certify;
use lookalike::counts::*;
use lookalike::exact::{Direction, Epsilon, Rational, to_f64};
use lookalike::model::{Mechanism, Prior};

type ClosedForm = fn(usize, &Alpha) -> lookalike::Result<Mechanism>;

fn alpha(text: &str) -> Alpha {
    text.parse().unwrap()
}

fn float(value: &Rational) -> f64 {
    to_f64(value, Direction::Nearest)
}

fn entry(mechanism: &Mechanism, input: usize, output: usize) -> f64 {
    float(&mechanism.channels()[0].probability(input, output))
}

fn scored(mechanism: &Mechanism, loss: CountLoss) -> f64 {
    float(&score(mechanism, &Prior::uniform(mechanism.inputs().len()).unwrap(), loss).unwrap())
}

fn assert_close(found: f64, expected: f64, tolerance: f64, what: &str) {
    assert!((found - expected).abs() <= tolerance, "{what}: found {found}, expected {expected}");
}

/// Budgets of all kinds: α rational from nearly nothing to nearly 1, and ε with an irrational α.
fn alphas() -> Vec<Alpha> {
    let rational = ["1e-30", "1/100", "1/4", "1/2", "0.500000001", "2/3", "0.76", "0.9", "10/11", "0.99", "0.9999"];
    let epsilons = ["1/2", "ln(3)/2", "sqrt(2)", "ln(2)", "1/1000", "40"];
    let from_epsilon = epsilons.map(|text| Alpha::from_epsilon(text.parse().unwrap()));
    rational.map(alpha).into_iter().chain(from_epsilon).collect()
}

/// The smallest groups, and some of each parity that are larger.
fn sizes() -> impl Iterator<Item = usize> {
    (1..=9).chain([12, 31, 32])
}

#[test]
fn the_reference_scores_come_out() {
    let cases: [(&str, ClosedForm, usize, &str, f64); 6] = [
        ("GM", geometric, 4, "0.9", 0.94737),
        ("WM", weakly_honest, 4, "0.9", 0.96420),
        ("EM", explicit_fair, 4, "0.9", 0.96719),
        ("GM", geometric, 7, "0.76", 0.86364),
        ("WM", weakly_honest, 7, "0.76", 0.86364),
        ("EM", explicit_fair, 7, "0.76", 0.90899),
    ];
    for (name, form, n, text, expected) in cases {
        assert_close(scored(&form(n, &alpha(text)).unwrap(), CountLoss::L0), expected, 5e-6, name);
    }
}

#[test]
fn the_reference_errors_come_out_and_gm_is_worse_than_guessing() {
    let forms: [(&str, ClosedForm); 3] = [("GM", geometric), ("EM", explicit_fair), ("UM", uniform)];
    // Uniform counts; then UCI Adult in groups of four consecutive rows: how many groups have 0 to 4 men, and 0 to 4
    // incomes above 50K.
    let cases = [
        ([1, 1, 1, 1, 1], [2.190, 1.931, 2.000], None),
        ([84, 814, 2353, 3286, 1603], [2.089, 1.763, 1.826], Some([0.849, 0.774, 0.800])),
        ([2697, 3434, 1650, 330, 29], [2.160, 1.883, 1.950], Some([0.789, 0.774, 0.800])),
    ];
    for (counts, errors, wrong) in cases {
        let prior = Prior::new(&counts.map(|count: i64| Rational::from_integer(count.into()))).unwrap();
        for (at, (name, form)) in forms.into_iter().enumerate() {
            let mechanism = form(4, &alpha("0.9")).unwrap();
            let expected = |loss| float(&expected_loss(&mechanism, &prior, loss).unwrap());
            assert_close(expected(CountLoss::L2).sqrt(), errors[at], 5e-4, name);
            if let Some(wrong) = wrong {
                assert_close(expected(CountLoss::L0), wrong[at], 5e-4, name);
            }
        }
    }
}

#[test]
fn the_heat_map_of_gm_is_that_of_the_slide() {
    let slide = [
        [0.524, 0.476, 0.433, 0.394, 0.358],
        [0.043, 0.048, 0.043, 0.039, 0.036],
        [0.039, 0.043, 0.048, 0.043, 0.039],
        [0.036, 0.039, 0.043, 0.048, 0.043],
        [0.358, 0.394, 0.433, 0.476, 0.524],
    ];
    let mechanism = geometric(4, &alpha("10/11")).unwrap();
    for (output, row) in slide.iter().enumerate() {
        for (input, &printed) in row.iter().enumerate() {
            assert_close(entry(&mechanism, input, output), printed, 5e-4, &format!("P[{output}|{input}]"));
        }
    }
}

#[test]
fn entries_follow_the_printed_formulas() {
    for alpha in alphas() {
        let a = alpha.to_f64();
        // What the rounding needs to stay private grows with 1/ε.
        let near = 1e-10 / (1.0 - a);
        for n in sizes() {
            let gm = geometric(n, &alpha).unwrap();
            let em = explicit_fair(n, &alpha).unwrap();
            let y = match n % 2 {
                0 => (1.0 - a) / (1.0 + a - 2.0 * a.powi(n as i32 / 2 + 1)),
                _ => (1.0 - a) / ((1.0 + a) * (1.0 - a.powi((n as i32 + 1) / 2))),
            };
            for input in 0..=n {
                for output in 0..=n {
                    let (d, m) = (output.abs_diff(input), input.min(n - input));
                    let factor = if output == 0 || output == n { 1.0 } else { 1.0 - a };
                    let expected = factor / (1.0 + a) * a.powi(d as i32);
                    assert_close(entry(&gm, input, output), expected, near, &format!("GM n {n} alpha {alpha}"));
                    let k = if d < m { d } else { (d + m).div_ceil(2) };
                    let expected = y * a.powi(k as i32);
                    assert_close(entry(&em, input, output), expected, near, &format!("EM n {n} alpha {alpha}"));
                }
            }
            let what = format!("n {n} alpha {alpha}");
            assert_close(scored(&gm, CountLoss::L0), 2.0 * a / (1.0 + a), near, &what);
            assert_close(scored(&em, CountLoss::L0), (1.0 - y) * (n as f64 + 1.0) / n as f64, near, &what);
        }
    }
}

// The middle row bounds what any weakly honest mechanism can do, and WM reaches the bound.
#[test]
fn wm_reaches_the_bound_of_the_middle_row() {
    for alpha in alphas() {
        let a = alpha.to_f64();
        for n in sizes().filter(|&n| (n as f64) < 2.0 * a / (1.0 - a) * (1.0 - 1e-12)) {
            let guess = 1.0 / (n as f64 + 1.0);
            let low = |i: usize| {
                let middle = [n / 2, n.div_ceil(2)].map(|j| a.powi(i.abs_diff(j) as i32));
                (middle[0] + middle[1]) / 2.0
            };
            let end = (1.0 - (1..n).map(|i| guess * low(i)).sum::<f64>()) / (low(0) + low(n));
            let diagonal = (n as f64 - 1.0) * guess + 2.0 * end;
            let expected = (1.0 - diagonal * guess) * (n as f64 + 1.0) / n as f64;
            let found = scored(&weakly_honest(n, &alpha).unwrap(), CountLoss::L0);
            assert_close(found, expected, 1e-10 / (1.0 - a), &format!("n {n} alpha {alpha}"));
        }
    }
}

#[test]
fn closed_forms_are_private_at_epsilon_and_at_no_less() {
    let forms: [(&str, ClosedForm); 4] =
        [("GM", geometric), ("EM", explicit_fair), ("WM", weakly_honest), ("UM", uniform)];
    for (name, form) in forms {
        for alpha in alphas() {
            for n in sizes() {
                let mechanism = form(n, &alpha).unwrap();
                let what = format!("{name} n {n} alpha {alpha}");
                assert!(certify(mechanism.clone()).is_ok(), "{what}");
                let less = alpha.epsilon().scale(&Rational::new(99.into(), 100.into())).unwrap();
                let mut builder = lookalike::model::SecretGraph::builder(mechanism.graph().names().clone());
                builder.chain(&less);
                let claimed = mechanism.with_graph(builder.build().unwrap()).unwrap();
                // Where α is too small for weights of 2^-53 the weights themselves protect more.
                let expressible = alpha.epsilon() < &"24".parse::<Epsilon>().unwrap();
                assert_eq!(certify(claimed).is_ok(), name == "UM" || !expressible, "{what} at 99 %");
            }
        }
    }
}

#[test]
fn closed_forms_have_exactly_the_properties_that_they_should() {
    for alpha in alphas() {
        for n in sizes() {
            let what = format!("n {n} alpha {alpha}");
            let found = |form: ClosedForm| properties(&form(n, &alpha).unwrap()).unwrap();
            assert_eq!(found(uniform), Properties::ALL, "UM {what}");
            assert_eq!(found(explicit_fair), Properties::ALL, "EM {what}");
            // GM, by the corrected rules; α ≤ r is ε ≥ ln(1/r).
            let at_most = |numerator: usize, denominator: usize| {
                let ratio = Rational::new(denominator.into(), numerator.into());
                alpha.epsilon() >= &Epsilon::ln(Rational::from_integer(1.into()), ratio).unwrap()
            };
            let mut expected: Properties = "S,RM,RH".parse().unwrap();
            if at_most(n, n + 2) {
                expected = expected.with(Property::WeakHonesty);
            }
            if at_most(1, 2) {
                expected = expected.with(Property::ColumnMonotonicity).closure();
            }
            let gm = found(geometric);
            // At its borders, and where weights are too coarse to tell, it may have more.
            if n == 1 {
                assert_eq!(gm, Properties::ALL, "GM {what}");
            } else if alpha.epsilon() < &"24".parse::<Epsilon>().unwrap() {
                assert_eq!(gm, expected, "GM {what}");
            }
            assert!(gm.includes(expected), "GM {what}");
            assert!(found(weakly_honest).includes("S,RM,RH,WH".parse().unwrap()), "WM {what}");
        }
    }
}

#[test]
fn nothing_is_made_for_nobody_or_for_an_alpha_next_to_one() {
    let forms: [ClosedForm; 4] = [geometric, explicit_fair, weakly_honest, uniform];
    for form in forms {
        let nobody = form(0, &alpha("0.9")).unwrap_err();
        assert_eq!(nobody.to_string(), "a group of n = 0, expected at least 1: a count of nobody tells nothing");
        assert!(form(4, &alpha("0.99999999999999999")).unwrap_err().is_inapplicable());
        assert!(form(4, &alpha("0.999999999999")).is_ok());
    }
}
