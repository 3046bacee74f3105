//! A page about the noise that hides every moment of a sequence.

mod bounds;
mod figures;
mod methods;
#[cfg(test)]
mod tests;

use super::{PageOutcome, words};
use crate::plot;
use crate::plot::{Axis, HeatMap, LineChart, Mark, Series, Style};
use figures::Figures;
use lookalike::design::Watch;
use lookalike::exact::{Direction, Epsilon, Rational, decimal, to_f64};
use lookalike::pufferfish::{Calibration, Quilt};
use lookalike_formats::Result;
use lookalike_formats::pufferfish::{ChainClass, ChainFile};
use maud::{Markup, html};
use methods::Method;

/// What a page about a sequence is made of.
pub struct ChainPage<'a> {
    /// The states, and the chains that the sequence may have come from.
    pub file: &'a ChainFile,
    /// How many moments the sequence has.
    pub length: u64,
    /// How alike any two states of a moment must look.
    pub epsilon: &'a Epsilon,
}

impl ChainPage<'_> {
    /// The page: influence over distance, the score of quilts, the noise over the length, the methods beside each other
    /// and the chain itself. The same inputs give the same bytes.
    ///
    /// # Errors
    /// As [`lookalike::pufferfish::exact_with`].
    ///
    /// # Complexity
    /// A search for each of about a dozen lengths, and about a hundred influences.
    pub fn page(&self, watch: Watch<'_>) -> Result<PageOutcome> {
        let figures = Figures::of(self, watch)?;
        let title = format!("Noise for {}, ε = {}", words::count(self.length, "moment"), words::epsilon(self.epsilon));
        let body = html! {
            header {
                h1 { (title) }
                p class="lead" { (self.lead(&figures)) }
            }
            (self.methods(&figures))
            (self.forgetting(&figures))
            (self.lengths(&figures))
            (self.chain(&figures))
            (limits())
        };
        Ok(PageOutcome { html: plot::page(&title, body), notes: Vec::new() })
    }

    fn lead(&self, figures: &Figures) -> Markup {
        let best = figures.least();
        let group = Rational::from_integer(self.length.into()) / best;
        let saved = to_f64(&group, Direction::Down) / self.epsilon.to_f64();
        html! {
            "Whatever the state of any one moment was, no released number is more than "
            strong { (words::factor(self.epsilon)) " times" }
            " as likely as it would be for another state, although the moments around it tell of it. A count needs noise of "
            "the scale " strong { (shown(best)) }
            @if saved < 1.05 {
                ": the chain forgets too slowly for its length, so this is that of group privacy, which hides all moments at "
                "once."
            } @else {
                ", where group privacy, which hides all moments at once, needs " (format!("{saved:.1}")) " times as much."
            }
        }
    }

    fn methods(&self, figures: &Figures) -> Markup {
        html! {
            section {
                h2 { "What it costs" }
                div class="scroll" {
                    table {
                        caption { "Scale σ of the noise on a count, by method" }
                        thead { tr { th { "method" } th class="number" { "σ" } th { "" } } }
                        tbody {
                            @for Method { name, scale, note, .. } in &figures.methods {
                                tr {
                                    td { (name) }
                                    td class="number" { (scale.as_ref().map_or_else(|| "–".to_owned(), shown)) }
                                    td { (note) }
                                }
                            }
                        }
                    }
                }
                p class="note" {
                    "σ is also the error that the noise makes on average, without its sign. A histogram needs twice the "
                    "scale in each of its counts, and a mean the scale over the number of moments. Figures are rounded up."
                }
            }
        }
    }

    fn forgetting(&self, figures: &Figures) -> Markup {
        let line =
            |name: &str, points: &[(f64, f64)], style| Series { name: name.into(), points: points.to_vec(), style };
        let influence = LineChart {
            title: "Influence over distance".into(),
            x: Axis::new("moments away"),
            y: Axis::new("influence e, at least 1/1000").logarithmic(),
            series: vec![
                line("earlier moment", &figures.left, Style::Plain(3)),
                line("later moment", &figures.right, Style::Plain(2)),
                line("both together", &figures.both, Style::Ours),
            ],
            marks: vec![],
        };
        let best = figures.best_point(self.length);
        let score = LineChart {
            title: "Score of quilts".into(),
            x: Axis::new("moments on the near side").logarithmic(),
            y: Axis::new("score: moments / (ε − influence)").logarithmic(),
            series: vec![
                line("as far on both sides", &figures.scores, Style::Plain(2)),
                line("the best of all", &[best], Style::Ours),
                line("group privacy", &figures.group_line(self.length, self.epsilon), Style::Baseline),
            ],
            marks: vec![Mark { x: best.0, label: "best".into() }],
        };
        let Calibration { node, quilt, influence: e, card, .. } = &figures.exact;
        html! {
            section {
                h2 { "How fast it forgets" }
                p {
                    "The moment that is hardest to hide is number " (words::grouped(*node)) @if let ChainClass::Chains(chains) = &self.file.class && chains.len() > 1 {
                        " of " (words::name(&self.file.chain_name(figures.exact.chain)))
                    } ". " (quilt_text(*quilt, *node)) " The noise hides the " (words::count(*card, "moment"))
                    " on the near side with what is left of ε after an influence of at most " (decimal(e, 4, Direction::Up)) "."
                }
                @if figures.node != *node {
                    p class="note" {
                        "The pictures are of moment " (words::grouped(figures.node)) " of a shorter sequence; both lie so deep "
                        "inside that they look alike."
                    }
                }
                div class="figures" { figure { (influence.svg()) } figure { (score.svg()) } }
                p {
                    "The influence is how much the state of one moment can shift the probability of another's, as a "
                    "logarithm. A near quilt leaves little to hide but takes much of ε; a far one the other way round."
                }
            }
        }
    }

    fn lengths(&self, figures: &Figures) -> Markup {
        let line =
            |name: &str, points: &[(f64, f64)], style| Series { name: name.into(), points: points.to_vec(), style };
        let chart = LineChart {
            title: "Noise over the length".into(),
            x: Axis::new("moments T").logarithmic(),
            y: Axis::new("scale σ of the noise on a count").logarithmic(),
            series: vec![
                line("exact quilts", &figures.exact_lengths, Style::Ours),
                line("approximate quilts", &figures.approximate_lengths, Style::Plain(3)),
                line("contraction", &figures.contraction_lengths, Style::Plain(2)),
                line("group privacy", &figures.group_lengths, Style::Baseline),
            ],
            marks: vec![Mark { x: self.length as f64, label: "chosen".into() }],
        };
        html! {
            section {
                h2 { "Longer sequences" }
                div class="figures" { figure { (chart.svg()) } }
                p {
                    "Group privacy pays for every moment. The others stop paying once the sequence is longer than the chain's "
                    "memory."
                }
            }
        }
    }

    fn chain(&self, figures: &Figures) -> Markup {
        let nearest = |p: Rational| to_f64(&p, Direction::Nearest);
        let names: Vec<String> = self.file.states.iter().map(str::to_owned).collect();
        let rows = figures.worst.transition().iter().map(|row| row.probabilities().map(nearest).collect());
        let map = HeatMap {
            title: "How likely each state comes next".into(),
            row_label: "state".into(),
            column_label: "next state".into(),
            rows: names.clone(),
            columns: names,
            values: rows.collect(),
        };
        html! {
            section {
                h2 { "The chain" }
                @match &self.file.class {
                    ChainClass::Chains(chains) if chains.len() == 1 => {},
                    ChainClass::Chains(chains) => p {
                        "The promise holds for each of " (words::count(chains.len() as u64, "chain"))
                        "; this is the one that needs the most noise, " (words::name(&self.file.chain_name(figures.exact.chain)))
                        "."
                    },
                    ChainClass::Box(_) => p {
                        "The promise holds for every chain within the limits of the file; this is one that needs the most "
                        "noise, or next to it."
                    },
                }
                div class="figures" { figure { (map.svg()) } }
            }
        }
    }
}

fn quilt_text(quilt: Quilt, node: u64) -> String {
    let before = quilt.left.map(|distance| words::grouped(node - distance));
    let after = quilt.right.map(|distance| words::grouped(node + distance));
    match (before, after) {
        (Some(before), Some(after)) => format!("Its best quilt is made of the moments {before} and {after}."),
        (Some(one), None) | (None, Some(one)) => format!("Its best quilt is the moment {one}."),
        (None, None) => "Its best quilt is empty: everything is hidden at once.".to_owned(),
    }
}

fn limits() -> Markup {
    html! {
        section {
            h2 { "What is not promised" }
            ul {
                li {
                    "The promise holds for the chains of the file and says nothing of others. Whether the sequence comes from "
                    "one of them is for whoever uses it to know."
                }
                li { "The secret is the state of one moment. What is true of long stretches, such as the share of a state, shows." }
                li { "Each further number about the same sequence costs its own ε." }
            }
        }
    }
}

/// Four digits, rounded up.
fn shown(scale: &Rational) -> String {
    let size = to_f64(scale, Direction::Up);
    let decimals = if size > 0.0 { (3.0 - size.log10().floor()).clamp(0.0, 12.0) as u32 } else { 0 };
    let text = decimal(scale, decimals, Direction::Up);
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}
