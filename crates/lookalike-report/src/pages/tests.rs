//! Pages of any mechanism are well formed, ask for nothing, and stay short.

use super::*;
use lookalike::audit::{Audit, Family, Seen, Test};
use lookalike::certify::certify;
use lookalike::design::{Options, Problem, Watch, design};
use lookalike::estimate::{Figure, Misfit, Trust};
use lookalike::model::{Categories, Channel, Distribution, Limits, Names, SecretGraph, TOTAL};
use lookalike_engine::AuditSource;
use proptest::prelude::*;

/// Every element and attribute that a page has. What could fetch, run or style anything is not among them.
const ELEMENTS: [&str; 40] = [
    "html",
    "head",
    "meta",
    "title",
    "style",
    "body",
    "header",
    "section",
    "h1",
    "h2",
    "h3",
    "p",
    "strong",
    "bdi",
    "small",
    "ul",
    "li",
    "dl",
    "dt",
    "dd",
    "div",
    "figure",
    "figcaption",
    "table",
    "caption",
    "thead",
    "tbody",
    "tr",
    "th",
    "td",
    "pre",
    "code",
    "sup",
    "sub",
    "svg",
    "desc",
    "text",
    "path",
    "rect",
    "circle",
];
const ATTRIBUTES: [&str; 19] = [
    "class",
    "xmlns",
    "role",
    "width",
    "height",
    "viewBox",
    "aria-label",
    "x",
    "y",
    "d",
    "cx",
    "cy",
    "r",
    "transform",
    "lang",
    "charset",
    "http-equiv",
    "content",
    "name",
];

/// The elements and their nesting, attributes and texts; panics where anything is out of order.
pub(super) fn check(page: &str) {
    let mut rest = page.strip_prefix("<!DOCTYPE html>").expect("a document type");
    let mut open: Vec<&str> = Vec::new();
    while let Some(at) = rest.find('<') {
        check_text(&rest[..at], open.last().copied());
        let end = at + rest[at..].find('>').expect("a tag ends");
        let tag = &rest[at + 1..end];
        rest = &rest[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "the innermost element is closed first");
            continue;
        }
        let (name, attributes) = tag.split_once(' ').unwrap_or((tag, ""));
        assert!(ELEMENTS.contains(&name), "element {name:?}");
        check_attributes(attributes);
        if name != "meta" {
            open.push(name);
        }
    }
    assert!(open.is_empty() && rest.trim().is_empty(), "everything is closed: {open:?}");
}

fn check_text(text: &str, inside: Option<&str>) {
    let is_allowed = |character: char| !character.is_control() || character == '\n';
    assert!(text.chars().all(is_allowed), "{text:?}");
    if inside != Some("style") {
        assert!(!text.contains('>'), "{text:?}");
        for entity in text.split('&').skip(1) {
            assert!(["amp;", "lt;", "gt;", "quot;"].iter().any(|known| entity.starts_with(known)), "{text:?}");
        }
    }
}

fn check_attributes(text: &str) {
    let mut rest = text;
    while let Some((name, value)) = rest.split_once("=\"") {
        assert!(ATTRIBUTES.contains(&name.trim()), "attribute {name:?} of {text:?}");
        let end = value.find('"').expect("a value ends");
        check_text(&value[..end], None);
        rest = &value[end + 1..];
    }
    assert!(rest.is_empty(), "{rest:?} of {text:?}");
}

/// A channel without a zero, so that any laws through it are within a finite ε.
fn channel(inputs: usize, outputs: usize, seed: u64) -> Channel {
    let row = |x: u64| {
        let weight = |y: u64| 1 + (seed ^ (x * 7 + y * 13)) % (TOTAL / outputs as u64 / 2);
        let mut row: Vec<u64> = (0..outputs as u64).map(weight).collect();
        let rest = TOTAL - row.iter().sum::<u64>();
        row[(x % outputs as u64) as usize] += rest;
        row
    };
    Channel::rows((0..inputs as u64).map(row).collect()).unwrap()
}

pub(super) fn page(
    mechanism: &Mechanism,
    baseline: &Mechanism,
    estimates: &[(Option<String>, Estimate)],
    audit: Option<&AuditFigures>,
) -> String {
    let file = MechanismFile {
        name: Some("<script>alert(1)</script>".into()),
        objective: Some(serde_json::json!({ "name": "max-flip", "value": 0.25 })),
        ..MechanismFile::of(mechanism.clone())
    };
    let point =
        |epsilon: f64| TradeOffPoint { epsilon, value: 0.5 / epsilon, lower_bound: 0.4 / epsilon, baseline: 0.9 };
    let certified = certify(mechanism.clone()).expect("a generous claim");
    let trade_off = [0.5, 1.0, 2.0].map(point);
    Page {
        file: &file,
        certified: &certified,
        baseline,
        trade_off: &trade_off,
        compared: None,
        estimates,
        audit,
        account: None,
        priors: &[],
    }
    .html()
}

/// Names that try to break out, run the other way, or are far too long.
fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        ".{1,12}",
        Just("<script>alert(\"x\")</script>".to_owned()),
        Just("\" onload=\"x".to_owned()),
        Just("a & b &amp; </svg></td>".to_owned()),
        Just("\u{202e}שלום \u{2066}مرحبا".to_owned()),
        Just("w".repeat(5_000)),
        Just("\u{0}\u{1}\r\n\u{ffff}".to_owned()),
    ]
}

fn distinct(names: Vec<String>) -> Vec<String> {
    names.into_iter().enumerate().map(|(at, name)| format!("{name}{at}")).collect()
}

/// The page says that the promise is about all laws within the limits, how sure the profiles are, and what each choice costs.
#[test]
fn a_page_about_limits_says_how_sure_the_profiles_are_and_what_that_costs() {
    let number = |text: &str| lookalike::exact::parse_rational(text).unwrap();
    let categories = Categories::new(["no", "yes", "often"]).unwrap();
    let mut builder = SecretGraph::builder(Names::new("profile", ["ana", "bo"]).unwrap());
    builder.complete(&"1".parse().unwrap());
    let law = |weights: [u64; 3]| Distribution::from_weights(weights.map(Into::into).to_vec()).unwrap();
    let around = |weights: [i64; 3]| {
        let ends = weights.map(|weight| [weight - 1, weight + 1].map(|end| number(&format!("{end}/10"))));
        Limits::new(&ends).unwrap()
    };
    let problem =
        Problem::profiles(categories, builder.build().unwrap(), vec![law([6, 3, 1]), law([3, 3, 4])]).unwrap();
    let problem = problem.within(vec![around([6, 3, 1]), around([3, 3, 4])]).unwrap();
    let design = design(&problem, &Options::default()).unwrap();
    let certified = certify(design.mechanism.clone()).unwrap();
    let file = MechanismFile::new(design, &certified);
    let page = |curve: Curve| {
        let request = PageRequest { curve, ..PageRequest::default() };
        Mechanism::page(&file, &certified, &request, Watch::default()).unwrap().html
    };
    let text = page(Curve::Designed);
    check(&text);
    for said in [
        "for every law within the limits of the profiles",
        "it is 0.2000 on average, and 0.2000 at most",
        "Bars are the profiles; the lines reach from the lower limits to the upper ones.",
        "Each profile stands for every law within its limits",
        "What an adversary can learn",
        "the profiles taken for right",
        "How much of each category survives",
    ] {
        assert!(text.contains(said), "{said}");
    }
    // Twelve ends of six limits.
    assert_eq!(text.matches("class=\"whisker\"").count(), 6);
    // Designed for the profiles, it would promise less than this mechanism, which keeps its 1.
    let within: Vec<f64> =
        text.split(">at most ").skip(1).filter_map(|rest| rest.split('<').next()?.parse().ok()).collect();
    assert!(within.iter().any(|epsilon| *epsilon > 1.05) && within.iter().any(|epsilon| *epsilon <= 1.0), "{within:?}");
    let plain = page(Curve::None);
    check(&plain);
    assert!(!plain.contains("the profiles taken for right") && plain.contains("How much of each category survives"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn any_mechanism_gives_a_page_that_is_well_formed_and_asks_for_nothing(
        secrets in prop::collection::vec(name(), 2..60), categories in prop::collection::vec(name(), 2..40), kind in 0usize..3,
        edges in prop::collection::vec((0u32..60, 0u32..60), 0..150), size in 0usize..60, seed in any::<u64>(),
        bound in prop_oneof![Just(0.0), 0.0..3.0, Just(1e-320), Just(1e300)],
        certified in prop_oneof![Just(None), Just(Some(f64::INFINITY)), (0.0..2.0).prop_map(Some)],
    ) {
        let (secrets, categories) = (distinct(secrets), Categories::new(distinct(categories)).unwrap());
        let names = if kind == 0 { categories.names().clone() } else { Names::new("profile", &secrets).unwrap() };
        let count = names.len() as u32;
        let mut builder = SecretGraph::builder(names);
        builder.edge(0, 1, "1000".parse().unwrap()).unwrap();
        for (a, b) in edges.iter().map(|(a, b)| (a % count, b % count)).filter(|(a, b)| a != b) {
            builder.edge(a, b, "999/2".parse().unwrap()).unwrap();
        }
        if size > 0 {
            builder.group("<g> & \"", (0..count.min(size as u32)).collect(), "40*ln(3)".parse().unwrap()).unwrap();
        }
        let (graph, d) = (builder.build().unwrap(), categories.len());
        let weight = |at: u64, x: u64| (1 + (seed ^ (at * 31 + x * 17)) % 9).into();
        let law = |at: u64| Distribution::from_weights((0..d as u64).map(|x| weight(at, x)).collect()).unwrap();
        let laws: Vec<Distribution> = (0..u64::from(count)).map(law).collect();
        let shared = |outputs: &Categories| {
            let channel = channel(d, outputs.len(), seed);
            Mechanism::shared(categories.clone(), outputs.clone(), graph.clone(), laws.clone(), channel).unwrap()
        };
        let (mechanism, baseline) = match kind {
            0 => {
                let (inputs, outputs) = (categories.clone(), categories.clone());
                let point = |seed| Mechanism::point(inputs.clone(), outputs.clone(), graph.clone(), channel(d, d, seed)).unwrap();
                (point(seed), point(!seed))
            }
            1 => {
                let channels: Vec<Channel> = (0..u64::from(count)).map(|at| channel(d, d, seed ^ at)).collect();
                let (inputs, outputs, assignment) = (categories.clone(), categories.clone(), (0..count).collect());
                let mechanism = Mechanism::aware(inputs, outputs, graph.clone(), laws.clone(), channels, assignment);
                (mechanism.unwrap(), shared(&categories))
            }
            // Released as other categories than those of the input.
            _ => (shared(&Categories::new(["<yes>", "no & maybe"]).unwrap()), shared(&categories)),
        };
        let (counted, unbiased) = ((kind == 0).then_some(0.3), (kind > 0).then_some(-0.1));
        let figure = |member: u32| Figure { members: vec![member], share: 0.2, lower: 0.0, upper: 0.4, counted, unbiased };
        let misfit = Misfit { output: 0, reported: 0.2, fitted: 0.1, probability: 1e-9 };
        let estimate = Estimate {
            reports: 1234,
            stand_ins: seed % 3,
            trust: Trust::ALL[kind % 3],
            misfit: (seed % 2 == 0).then_some(misfit),
            histogram: (0..d as u32).map(figure).collect(),
            covariance: vec![0.0; d * d],
            mix: vec![figure(0), Figure { members: (1..count).collect(), ..figure(0) }],
            confidence: 0.95,
            simultaneous: kind == 1,
        };
        let test = |bound: f64, claimed: bool| Test {
            family: Family::Set,
            secrets: [1, 0],
            event: format!("the output is {}", categories.names().name(0)),
            seen: [Seen { hits: seed, draws: u64::MAX }; 2],
            bound,
            claimed: claimed.then(|| mechanism.graph().epsilon_between(0, 1).unwrap().to_f64()),
        };
        let tests: Vec<Test> = (0..size).map(|at| test(at as f64 / 3.0, kind > 0)).chain([test(bound, kind > 0)]).collect();
        let attack = AuditFigures {
            worst: tests.len() - 1,
            audit: Audit { tests, chosen_on: 5, tested_on: u64::MAX, confidence: 0.999 },
            certified: certified.map(|share| share * bound),
            pairs: [1, 1 + size as u64],
            source: [AuditSource::Mechanism, AuditSource::Program, AuditSource::Records][kind],
            seed: (size > 9).then_some(seed),
        };
        let estimates = [(Some("<cohort>".into()), estimate)];
        let text = page(&mechanism, &baseline, &estimates, Some(&attack));
        check(&text);
        prop_assert!(text.len() < 600_000, "{} bytes", text.len());
        prop_assert_eq!(text, page(&mechanism, &baseline, &estimates, Some(&attack)));
    }
}

#[test]
fn the_checker_of_pages_can_fail() {
    for wrong in [
        "<p>",
        "<p></b>",
        "<script></script>",
        "<p onload=\"x\"></p>",
        "<p>a & b</p>",
        "<p class=\"x></p>",
        "<p>\u{1}</p>",
        "<p>></p>",
    ] {
        let page = format!("<!DOCTYPE html>{wrong}");
        assert!(std::panic::catch_unwind(|| check(&page)).is_err(), "{wrong}");
    }
    check("<!DOCTYPE html><p class=\"x\">a &amp; b</p>\n");
}

/// A chain of profiles over three values behind one channel.
pub(super) fn chain(count: u32) -> Mechanism {
    let mut builder = SecretGraph::builder(Names::new("profile", (0..count).map(|at| format!("u{at}"))).unwrap());
    builder.chain(&"1".parse().unwrap());
    let values = Categories::new(["a", "b", "c"]).unwrap();
    let law = |at: u32| {
        Distribution::from_weights([20 + at % 7, 20, 20].map(|weight| u64::from(weight).into()).to_vec()).unwrap()
    };
    let laws: Vec<Distribution> = (0..count).map(law).collect();
    Mechanism::shared(values.clone(), values, builder.build().unwrap(), laws, channel(3, 3, 5)).unwrap()
}

#[test]
fn a_hundred_thousand_profiles_still_make_a_short_page() {
    let (small, large) = (chain(41), chain(100_000));
    let text = page(&large, &large, &[], None);
    check(&text);
    assert!(text.len() < page(&small, &small, &[], None).len() + 2_000, "{} bytes", text.len());
    assert!(text.contains("Too many to draw") && text.contains("The 10 tightest of 99,999"));
    assert!(!text.contains("class=\"node\""));
}

#[test]
fn small_graphs_are_drawn_and_tightness_is_that_of_the_certificate() {
    let mechanism = chain(9);
    let text = page(&mechanism, &mechanism, &[], None);
    assert_eq!(text.matches("class=\"node\"").count(), 9);
    let certified = certify(mechanism.clone()).unwrap();
    let worst = certified.certificate().worst();
    let tightest = tightness::of(&mechanism).into_iter().fold(None::<tightness::Tightness>, |best, one| {
        if best.is_some_and(|best| best.achieved >= one.achieved) { best } else { Some(one) }
    });
    let tightest = tightest.unwrap();
    assert_eq!((tightest.pair, tightest.output), (worst.secrets(), worst.output()));
    let lookalike::certify::Achieved::Within(interval) = worst.achieved() else { panic!("finite") };
    let true_epsilon = lookalike::exact::to_f64(&interval.upper().to_rational(), lookalike::exact::Direction::Nearest);
    assert!((tightest.achieved - true_epsilon).abs() < 1e-12);
}
