//! The promise in plain words.

use super::Page;
use crate::plot;
use lookalike::design::ImpossibleInputs;
use lookalike::exact::{Direction, Epsilon, decimal};
use lookalike::model::Kind;
use maud::{Markup, html};

/// The longest name that is shown whole.
const MOST_LETTERS: usize = 40;

/// A name, set apart from the text around it whatever its direction, and cut when it is very long.
pub(super) fn name(name: &str) -> Markup {
    html! { bdi { (cut(name, MOST_LETTERS)) } }
}

/// As much of a name as anyone reads, without characters that a page may not hold.
pub(super) fn cut(name: &str, most: usize) -> String {
    let mut kept: String = name.chars().take(most).map(plot::allowed).collect();
    if name.chars().nth(most).is_some() {
        kept.push('…');
    }
    kept
}

/// Names separated by commas; a long list is cut.
pub(super) fn names<'a>(list: impl ExactSizeIterator<Item = &'a str>, most: usize) -> Markup {
    let more = list.len().saturating_sub(most);
    html! {
        @for (at, item) in list.take(most).enumerate() {
            @if at > 0 { ", " }
            (name(item))
        }
        @if more > 0 { " and " (grouped(more as u64)) " more" }
    }
}

/// `1 pair`, `2 pairs`, `1,000 pairs`.
pub(super) fn count(number: u64, noun: &str) -> String {
    let ending = if number == 1 { "" } else { "s" };
    format!("{} {noun}{ending}", grouped(number))
}

/// The digits in groups of three.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// The shorter exact text of ε.
pub(super) fn epsilon(epsilon: &Epsilon) -> String {
    let (exact, decimal) = (epsilon.to_string(), epsilon.to_f64().to_string());
    let is_exact = decimal.parse().is_ok_and(|parsed: Epsilon| parsed == *epsilon);
    if is_exact && decimal.len() <= exact.len() + 1 { decimal } else { exact }
}

/// e^ε rounded up: the factor of the promise.
pub(super) fn factor(epsilon: &Epsilon) -> String {
    // Above this the factor has more digits than anyone reads.
    if epsilon.to_f64() > 20.0 {
        return format!("e^{}", self::epsilon(epsilon));
    }
    // The lower end of an enclosure of 64 bits: where e^ε is a round number, the upper end would be shown as a larger one.
    let lower = epsilon.exp(64).lower().to_rational();
    let text = decimal(&lower, if epsilon.to_f64() < 0.1 { 4 } else { 2 }, Direction::Up);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// One sentence on what a reader of one output can tell, no stronger than ε allows, and the number behind it.
pub(super) fn promise(page: &Page<'_>) -> Markup {
    let (mechanism, worst) = (page.mechanism(), page.certified.certificate().worst());
    let [one, other] = worst.secrets().map(|secret| mechanism.graph().names().name(secret));
    let (pairs, largest) = (page.certified.certificate().pairs(), lookalike_formats::largest_epsilon(mechanism));
    let (how, sure) = strength(worst.claimed());
    html! {
        "Someone who sees one released value " (how) " "
        @if mechanism.kind() == Kind::Point { "whether the true value was " (name(one)) " or " (name(other)) }
        @else { (name(one)) " from " (name(other)) }
        ": no value is more than " strong { (factor(worst.claimed())) " times" }
        " as likely for one as for the other"
        @if pairs > 1 {
            ", and the same holds for each of " (count(pairs, "protected pair"))
            @if largest != worst.claimed() || mechanism.graph().epsilons().len() > 1 {
                ", with factors of at most " (factor(largest))
            }
        }
        @if !mechanism.limits().is_empty() { ", for every law within the limits of the profiles" }
        "." (sure)
    }
}

/// How well a pair can be told apart at a budget: the words must not promise more than the number.
fn strength(epsilon: &Epsilon) -> (&'static str, &'static str) {
    match epsilon.to_f64() {
        small if small <= 1.0 => ("can hardly tell", ""),
        medium if medium <= 3.0 => ("can tell only with considerable doubt", ""),
        _ => (
            "may be able to tell",
            " That is a weak promise: at a factor this large a single value can be strong evidence.",
        ),
    }
}

/// What is not promised, so that nobody reads more into the page than was proved.
pub(super) fn limits(page: &Page<'_>) -> Markup {
    let (mechanism, graph) = (page.mechanism(), page.mechanism().graph());
    let components = graph.components();
    let alone: Vec<&str> =
        components.iter().filter(|part| part.len() == 1).map(|part| graph.names().name(part[0])).collect();
    html! {
        section {
            h2 { "What is not promised" }
            ul {
                @if !alone.is_empty() {
                    li {
                        strong { (count(alone.len() as u64, page.secret())) " without any protection: " }
                        (names(alone.iter().copied(), 20)) "."
                    }
                }
                @if components.len() > 1 {
                    li {
                        "Only the pairs above are protected. " (count(components.len() as u64, "part"))
                        " of the graph may be told apart from each other."
                    }
                }
                li {
                    "The promise is about one release of one observation. Releases of independent observations of the same "
                    "person add up: n of them are covered by n times ε, if an observer can link them; ten by ε = "
                    (lookalike_engine::sum_of(10, lookalike_formats::largest_epsilon(mechanism))) ", a hundred by ε = "
                    (lookalike_engine::sum_of(100, lookalike_formats::largest_epsilon(mechanism))) ". "
                    @if mechanism.kind() == Kind::Point {
                        "So are n releases of the same value."
                    } @else {
                        "A second release of the same observation is not covered at all."
                    }
                }
                @if mechanism.kind() != Kind::Point {
                    @if mechanism.limits().is_empty() {
                        li { "The profiles themselves are public: they are part of the mechanism file and of this page." }
                    } @else {
                        li { "Should the true law of a profile lie outside its limits, the promise need not hold for it." }
                        li { "The profiles and their limits are public: they are part of the mechanism file and of this page." }
                    }
                }
                @if let Some(found) = ImpossibleInputs::of(mechanism) { (impossible(page, &found)) }
                @if mechanism.kind() == Kind::Aware {
                    li { "Each device must use the channel of its own profile; one that uses another is not covered." }
                }
                li { "The order of the rows is not covered. Rows that are sorted, or take turns, tell by their place what the noise hides." }
                li { "Columns that are passed through beside the privatized one, and the number of rows, are not covered." }
            }
        }
    }
}

/// What happens to values that their profiles never have.
fn impossible(page: &Page<'_>, found: &ImpossibleInputs) -> Markup {
    let (mechanism, names) = (page.mechanism(), page.mechanism().graph().names());
    html! {
        li {
            "The promise rests on what profiles never have: "
            @if found.count == 1 { "one value that a profile never has" }
            @else { (grouped(found.count)) " values that their profiles never have" }
            " would not be hidden. Should " (name(mechanism.inputs().names().name(found.input))) " occur for "
            (name(names.name(found.secret))) " all the same, it is released as it is with probability "
            (decimal(&found.kept, 5, Direction::Up)) "."
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_no_stronger_than_the_number() {
        let of = |text: &str| strength(&text.parse().unwrap());
        assert!(of("1/2").0.contains("hardly") && of("1").0.contains("hardly"));
        assert!(of("2").0.contains("doubt"));
        assert!(of("5").0.contains("may be able") && of("5").1.contains("weak"));
    }

    #[test]
    fn factors_are_rounded_up_and_never_long() {
        let of = |text: &str| factor(&text.parse().unwrap());
        assert_eq!([of("1/2"), of("ln(3)"), of("ln(2)"), of("0.01")], ["1.65", "3", "2", "1.0101"]);
        assert_eq!(of("100"), "e^100");
    }

    #[test]
    fn epsilons_and_counts_are_shown_as_people_write_them() {
        let of = |text: &str| epsilon(&text.parse().unwrap());
        assert_eq!([of("1/2"), of("1/3"), of("2*ln(3)"), of("1.098613")], ["0.5", "1/3", "2*ln(3)", "1.098613"]);
        assert_eq!([count(1, "pair"), count(499_500, "pair")], ["1 pair", "499,500 pairs"]);
        assert_eq!(cut("żółw", 2), "żó…");
    }
}
