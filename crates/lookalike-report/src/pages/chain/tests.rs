use super::*;
use lookalike::exact::parse_rational;
use lookalike::model::{Distribution, Names};
use lookalike::pufferfish::{Chain, Initial};

fn chain(initial: Initial, rows: &[&[&str]]) -> Chain {
    let law = |row: &&[&str]| {
        Distribution::new(&row.iter().map(|text| parse_rational(text).unwrap()).collect::<Vec<_>>()).unwrap()
    };
    Chain::new(initial, rows.iter().map(law).collect()).unwrap()
}

fn page(chains: &[Chain], length: u64, epsilon: &str) -> String {
    let states = Names::new("state", (0..chains[0].states()).map(|at| format!("<s{at}>"))).unwrap();
    page_of(&ChainFile::new(states, ChainClass::Chains(chains.to_vec())), length, epsilon)
}

fn page_of(file: &ChainFile, length: u64, epsilon: &str) -> String {
    let epsilon = epsilon.parse().unwrap();
    ChainPage { file, length, epsilon: &epsilon }.page(Watch::default()).unwrap().html
}

const KNOWN: [&[&str]; 2] = [&["0.9", "0.1"], &["0.4", "0.6"]];

#[test]
fn the_page_has_the_known_scale_the_methods_and_four_pictures() {
    let text = page(&[chain(Initial::Stationary, &KNOWN)], 100, "1");
    let row = |name: &str, scale: &str| text.contains(&format!("<td>{name}</td><td class=\"number\">{scale}</td>"));
    assert!(
        row("exact quilts", "12.84") && row("approximate quilts", "21.87") && row("group privacy", "100"),
        "{text}"
    );
    // Contraction needs the least: √r = √13.5, (1 + c)/(1 − c) = √13.5.
    assert!(row("contraction", "3.64") && text.contains("<strong>3.64</strong>"));
    assert!(text.contains("NOT private here"));
    assert_eq!(text.matches("<svg").count(), 4);
    assert!(!text.contains("<s0>") && text.contains("&lt;s0&gt;") && !text.contains("NaN") && !text.contains("inf "));
}

#[test]
fn the_page_is_the_same_each_time_and_does_not_grow_with_the_length() {
    let chains = [chain(Initial::Stationary, &KNOWN), chain(Initial::Arbitrary, &[&["0.5", "0.5"], &["0.3", "0.7"]])];
    let text = page(&chains, 1_000_000, "1/2");
    assert!(text == page(&chains, 1_000_000, "1/2") && text.len() < 100_000);
    assert!(text.contains("each of 2 chains") && text.contains("of a shorter sequence"));
}

#[test]
fn a_chain_that_never_forgets_is_said_to_cost_as_much_as_a_group() {
    let text = page(&[chain(Initial::Arbitrary, &[&["1", "0"], &["0", "1"]])], 20, "1");
    assert!(text.contains("this is that of group privacy") && text.contains("does not apply"));
    assert!(text.contains("Its best quilt is empty"));
    let one = page(&[chain(Initial::Stationary, &[&["1"]])], 1, "1");
    assert!(one.contains("Noise for 1 moment"));
}

#[test]
fn limits_are_drawn_by_a_chain_that_needs_the_most() {
    let limits = "states = ['off', 'on']\ninitial = 'arbitrary'\n[leave]\noff = [0.4, 0.6]\non = [0.4, 0.6]";
    let text = page_of(&ChainFile::from_toml(limits).unwrap(), 100, "1");
    // The known error of the mean of 100 states is .0395.
    assert!(text.contains("<td>exact quilts</td><td class=\"number\">3.949<"));
    assert!(text.contains("every chain within the limits") && text.matches("<svg").count() == 4);
}
