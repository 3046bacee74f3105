//! A page about noise on numbers.

use super::kind_page::{KindPage, code};
use super::request::{HasPage, PageOutcome, PageRequest};
use super::words;
use crate::plot::{Axis, LineChart, Mark, Series, Style};
use lookalike::certify::{Certified, ClosedForm};
use lookalike::design::Watch;
use lookalike::exact::{Direction, Epsilon, Rational, decimal, parse_rational, to_f64};
use lookalike::model::{MomentsProof, Noise, Secrets};
use lookalike_formats::{MechanismFile, MechanismKind, Result};
use maud::{Markup, html};

impl HasPage for Noise {
    fn page(
        _: &MechanismFile<Self>,
        certified: &Certified<Self>,
        request: &PageRequest<'_>,
        _: Watch<'_>,
    ) -> Result<PageOutcome> {
        request.refuse_all(Self::CALLED)?;
        let noise = certified.mechanism();
        let epsilon = words::epsilon(noise.epsilon());
        let title = match noise.secrets() {
            Secrets::Moments { length } => {
                format!("Privacy report: any one moment of a chain of {length}, ε = {epsilon}")
            }
            _ => format!("Privacy report: numbers with noise, ε = {epsilon}"),
        };
        let page = KindPage {
            title,
            lead: promise(noise),
            proof: proof(certified),
            sections: law(noise),
            not_promised: not_promised(noise),
            claim: claim(noise),
            facts: facts(certified),
        };
        Ok(page.page())
    }
}

fn promise(noise: &Noise) -> Markup {
    if let Some(moments) = noise.moments() {
        return html! {
            "The state at any one moment of a sequence of " strong { (words::grouped(moments.length())) }
            " moments is hidden, also from somebody who knows the chain that made it: no released number is more than "
            strong { (words::factor(noise.epsilon())) " times" } " as likely with one state there as with another."
        };
    }
    html! {
        "Two numbers that differ by at most " strong { (noise.sensitivity()) } " look alike after the noise: no released "
        "number is more than " strong { (words::factor(noise.epsilon())) " times" } " as likely for one as for the other."
    }
}

fn proof(certified: &Certified<Noise>) -> Markup {
    let (noise, proof) = (certified.mechanism(), certified.certificate());
    let decay = brief(proof.decay());
    html! {
        p {
            "A number is " @if noise.clamp().is_some() { "brought into its bounds, " }
            "rounded to the nearest multiple of " (noise.grid()) " (halves upward), and a whole number of steps is added. "
            "The probability of z steps is in proportion to e" sup { "−d·|z|" } " with d = " (decay)
            ", so each step between two numbers costs at most d. Rounding is counted: numbers that "
            "differ by at most " (noise.sensitivity()) " are at most " (proof.steps()) " steps apart."
        }
        @if let Some(moments) = noise.moments() {
            p {
                "One moment changes the number by at most " (noise.sensitivity()) ". Its neighbours tell of it too: the loss "
                "about a moment is found from the chain in the file, by "
                @match moments.proof() {
                    MomentsProof::Contraction => "what each step of the chain forgets",
                    MomentsProof::Quilts(_) => "the Markov quilts that the file names",
                }
                "."
            }
        }
        dl class="facts" {
            div { dt { "Steps between neighbours" } dd { (proof.steps()) } }
            div { dt { "Cost of a step" } dd { (decay) } }
            div {
                dt { @if noise.moments().is_some() { "ε about a moment, at most" } @else { "True ε" } }
                dd {
                    (achieved(proof))
                    small { "of " (words::epsilon(proof.claimed())) " claimed" }
                }
            }
        }
    }
}

/// A long fraction as a decimal; the facts for a reviewer have all of it.
fn brief(epsilon: &Epsilon) -> String {
    match epsilon.to_string() {
        short if short.len() <= LONGEST => short,
        _ => format!("about {:.6}", epsilon.to_f64()),
    }
}

/// Letters of the longest fraction that is read with ease.
const LONGEST: usize = 20;

/// The loss about the secrets: exact for numbers, rounded up for the moments of a chain.
fn achieved(proof: &ClosedForm) -> String {
    match (proof.achieved(), proof.secrets()) {
        (None, _) => "infinite".to_owned(),
        (Some(epsilon), Secrets::Moments { .. }) => {
            decimal(&epsilon.enclose(64).upper().to_rational(), 6, Direction::Up)
        }
        (Some(epsilon), _) => epsilon.to_string(),
    }
}

/// Points of the picture: enough to see the shape.
const MOST_POINTS: u64 = 200;

fn law(noise: &Noise) -> Markup {
    let grid = to_f64(&noise.grid(), Direction::Nearest);
    let widths = ["0.5", "0.9", "0.95", "0.99", "0.999"].map(|level| {
        let confidence: Rational = parse_rational(level).expect("a constant");
        (level, noise.interval(&confidence).expect("a level between 0 and 1"))
    });
    let decay = noise.decay().to_f64();
    let (alpha, furthest) = ((-decay).exp(), widths[3].1.max(1));
    let share = |steps: f64| (1.0 - alpha) / (1.0 + alpha) * (-decay * steps.abs()).exp();
    let stride = furthest.div_ceil(MOST_POINTS / 2).max(1);
    let side = (0..=furthest / stride).map(|at| (at * stride) as f64);
    let points = side.clone().rev().map(|steps| -steps).chain(side.skip(1)).map(|steps| (steps * grid, share(steps)));
    let within = widths[2].1 as f64 * grid;
    let chart = LineChart {
        title: "How likely each error is".into(),
        x: Axis::new("released number minus the rounded one"),
        y: Axis::new("probability"),
        series: vec![Series { name: String::new(), points: points.collect(), style: Style::Ours }],
        marks: vec![
            Mark { x: -within, label: "at least 95 %".into() },
            Mark { x: within, label: "lie between".into() },
        ],
    };
    let deviation = (2.0 * alpha).sqrt() / (1.0 - alpha) * grid;
    html! {
        section {
            h2 { "What it costs" }
            p { "The noise has a standard deviation of about " (format!("{deviation:.4}")) "." }
            div class="figures" { figure { (chart.svg()) } }
            div class="scroll" {
                table {
                    caption { "How far a released number is from the rounded one" }
                    thead { tr { th { "with a probability of at least" } th class="number" { "at most" } th class="number" { "steps" } } }
                    tbody {
                        @for (level, steps) in widths {
                            tr {
                                td { (level) }
                                td class="number" { (Rational::from_integer(steps.into()) * noise.grid()) }
                                td class="number" { (words::grouped(steps)) }
                            }
                        }
                    }
                }
            }
            p class="note" { "Rounding adds at most half a step, " (noise.grid() / num_bigint::BigInt::from(2)) ", to this." }
        }
    }
}

fn not_promised(noise: &Noise) -> Vec<Markup> {
    let about = match noise.moments() {
        Some(_) => html! {
            "The promise holds for sequences from the chains of the file, if one moment changes the number by at most "
            (noise.sensitivity()) ". It is about one moment at a time, and says less about several together."
        },
        None => html! {
            "The promise is about numbers that differ by at most " (noise.sensitivity()) ". That one person changes a "
            "number by no more is for whoever uses it to know; it must not be taken from the data."
        },
    };
    let bounds = match noise.clamp() {
        Some([lower, upper]) => html! {
            "Numbers below " (lower) " or above " (upper) " are brought to these bounds first, which shifts what is "
            "made of them."
        },
        None => html! { "Numbers are not bounded: a single one far away stays visible." },
    };
    let together = html! { "Each released number about the same people adds its ε to the others." };
    let beside =
        html! { "Columns that are passed through beside the noisy one, and the number of rows, are not covered." };
    vec![about, bounds, together, beside]
}

fn claim(noise: &Noise) -> Markup {
    match noise.moments() {
        Some(moments) => html! {
            "The claim: for every chain of the file, moment t of " (words::grouped(moments.length())) ", states x, x' that can "
            "occur there and output y, Pr[y | X" sub { "t" } " = x] ≤ e" sup { "ε" } " · Pr[y | X" sub { "t" } " = x']. Noise on "
            "a number that one moment changes by at most Δ falls by decay · ⌈Δ/g⌉ with each moment that changes; what one "
            "moment tells of others is bounded from the chains by what the file names as its proof."
        },
        None => html! {
            "The claim: for numbers a, b with |a − b| ≤ Δ and every output y, Pr[y | a] ≤ e" sup { "ε" } " · Pr[y | b]. "
            "With i = ⌊a/g + 1/2⌋ and j = ⌊b/g + 1/2⌋ the ratio is e" sup { "decay·(|y − j| − |y − i|)" } " ≤ e"
            sup { "decay·|i − j|" } ", and |i − j| ≤ ⌈Δ/g⌉. Noise is drawn in whole numbers from exactly this law; "
            "no float is added to a float."
        },
    }
}

fn facts(certified: &Certified<Noise>) -> Vec<(&'static str, Markup)> {
    let (noise, proof) = (certified.mechanism(), certified.certificate());
    vec![
        ("mechanism", html! { "discrete Laplace (two-sided geometric), kind noise" }),
        ("Δ", code(words::cut(&noise.sensitivity().to_string(), 100))),
        ("g", code(words::cut(&noise.grid().to_string(), 100))),
        ("decay", code(words::cut(&proof.decay().to_string(), 100))),
        ("⌈Δ/g⌉", code(proof.steps())),
        ("claimed ε", code(proof.claimed())),
    ]
}
