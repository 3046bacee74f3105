//! For a reviewer: exact numbers, and how to check them again.

use super::{Page, words};
use lookalike::certify::Achieved;
use lookalike::exact::{Direction, decimal};
use lookalike::model::{Distribution, Form, Kind};
use lookalike_formats::{FORMAT, VERSION};
use maud::{Markup, html};

/// Exact fractions are shown for at most so many secrets and categories.
const MOST_SECRETS: usize = 12;
const MOST_CATEGORIES: usize = 8;

pub(super) fn section(page: &Page<'_>) -> Markup {
    let mechanism = page.mechanism();
    let is_small = mechanism.graph().names().len() <= MOST_SECRETS
        && mechanism.inputs().len().max(mechanism.outputs().len()) <= MOST_CATEGORIES;
    html! {
        section {
            h2 { "For a reviewer" }
            p {
                "The claim: for every pair s, s′ of " (page.secret()) "s that must look alike within ε and every output y, "
                "Pr[y | s] ≤ e" sup { "ε" } " · Pr[y | s′] and the reverse, where "
                @match mechanism.kind() {
                    Kind::Aware => { "Pr[y | s] = Σ" sub { "x" } " P" sub { "s" } "(x) A" sub { "s" } "(x, y)" },
                    Kind::Shared => { "Pr[y | s] = Σ" sub { "x" } " P" sub { "s" } "(x) A(x, y)" },
                    _ => { "Pr[y | s] = A(s, y)" },
                }
                " and every A(x, y) is a whole number over 2" sup { "53" }
                @if mechanism.channels().iter().any(|channel| matches!(channel.form(), Form::Keep { .. })) {
                    " (2" sup { "106" } " where a value is kept or else redrawn)"
                }
                ". This page decides nothing: the mechanism file does. Check it with nothing but the file:"
            }
            pre { code { "lookalike certify m.json" } }
            p { "and that it claims no less than was asked for:" }
            pre { code { "lookalike certify m.json --spec spec.toml" } }
            (facts(page))
            @if is_small { (laws(page)) (channels(page)) }
            @else { p class="note" { "Profiles, laws and channels are too many to print here; the file has them as exact numbers." } }
        }
    }
}

fn facts(page: &Page<'_>) -> Markup {
    let (mechanism, worst) = (page.mechanism(), page.certified.certificate().worst());
    let name = page.file.name.as_deref().unwrap_or("not named");
    let budgets: Vec<String> = mechanism.graph().epsilons().iter().map(ToString::to_string).collect();
    let ends = match worst.achieved() {
        Achieved::Infinite => None,
        Achieved::Within(interval) => Some((
            decimal(&interval.lower().to_rational(), 15, Direction::Down),
            decimal(&interval.upper().to_rational(), 15, Direction::Up),
        )),
    };
    html! {
        div class="scroll" {
            table {
                caption { "Facts" }
                tbody {
                    tr { th { "format" } td { code { (FORMAT) } ", version " (VERSION) } }
                    tr { th { "mechanism" } td { (words::cut(name, 48)) ", kind " (mechanism.kind()) } }
                    tr { th { "pairs" } td { (words::grouped(page.certified.certificate().pairs())) } }
                    tr {
                        th { "budgets" }
                        td { (words::names(budgets.iter().map(String::as_str), 12)) }
                    }
                    @if let Some((lower, upper)) = ends {
                        tr { th { "true ε of the closest pair" } td { "from " (lower) " to " (upper) ", enclosed" } }
                    }
                    @if let Some(ratio) = worst.ratio() {
                        tr { th { "its likelihood ratio" } td { code { (words::cut(&ratio.to_string(), 200)) } } }
                    }
                    tr { th { "its claimed ε" } td { code { (worst.claimed()) } } }
                }
            }
        }
    }
}

/// Each law as fractions in lowest terms.
fn laws(page: &Page<'_>) -> Markup {
    let mechanism = page.mechanism();
    let outputs: Vec<Distribution> = mechanism.output_laws();
    html! {
        @if mechanism.kind() != Kind::Point {
            (table(page, "Profiles P", "profile", mechanism.inputs().names(), mechanism.profiles()))
        }
        (table(page, "Output laws Pr[y | s]", page.secret(), mechanism.outputs().names(), &outputs))
    }
}

fn table(
    page: &Page<'_>,
    caption: &str,
    what: &str,
    columns: &lookalike::model::Names,
    laws: &[Distribution],
) -> Markup {
    let fraction = |law: &Distribution, place: usize| {
        let (numerator, denominator) = law.in_lowest_terms(place);
        words::cut(
            &if denominator.to_string() == "1" { numerator.to_string() } else { format!("{numerator}/{denominator}") },
            100,
        )
    };
    html! {
        div class="scroll" {
            table class="exact" {
                caption { (caption) }
                thead { tr { th { (what) } @for column in columns.iter() { th { (words::name(column)) } } } }
                tbody {
                    @for (name, law) in page.mechanism().graph().names().iter().zip(laws) {
                        tr { td { (words::name(name)) } @for place in 0..law.len() { td { code { (fraction(law, place)) } } } }
                    }
                }
            }
        }
    }
}

/// The integers of each distinct channel.
fn channels(page: &Page<'_>) -> Markup {
    let mechanism = page.mechanism();
    let users = |place: usize| {
        let of = mechanism.assignment().iter().enumerate().filter(move |(_, at)| **at as usize == place);
        of.map(|(secret, _)| mechanism.graph().names().name(secret as u32)).collect::<Vec<_>>()
    };
    html! {
        @for (place, channel) in mechanism.channels().iter().enumerate() {
            div class="scroll" {
                table class="exact" {
                    caption {
                        "Channel A"
                        @if mechanism.kind() == Kind::Aware { " of " (words::names(users(place).into_iter(), 12)) }
                        @match channel.form() {
                            Form::Rows { .. } => { ", out of 2" sup { "53" } },
                            Form::Keep { .. } => {
                                ": kept with this weight out of 2" sup { "53" } ", else redrawn by the last row"
                            },
                        }
                    }
                    (weights(page, channel.form()))
                }
            }
        }
    }
}

fn weights(page: &Page<'_>, form: Form<'_>) -> Markup {
    let (inputs, outputs) = (page.mechanism().inputs().names(), page.mechanism().outputs().names());
    html! {
        thead { tr { th { "true value" } @for output in outputs.iter() { th { (words::name(output)) } } } }
        tbody {
            @match form {
                Form::Rows { weights, outputs } => {
                    @for (name, row) in inputs.iter().zip(weights.chunks_exact(outputs)) {
                        tr { td { (words::name(name)) } @for weight in row { td { code { (weight) } } } }
                    }
                }
                Form::Keep { keep, redraw } => {
                    tr { td { "kept" } @for weight in keep { td { code { (weight) } } } }
                    tr { td { "redrawn" } @for weight in redraw { td { code { (weight) } } } }
                }
            }
        }
    }
}
