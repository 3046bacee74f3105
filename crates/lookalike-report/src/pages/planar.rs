//! A page about noise on places.

use super::kind_page::{KindPage, code};
use super::request::{HasPage, PageOutcome, PageRequest};
use super::words;
use crate::plot::{Style, Track, TrackMap};
use lookalike::certify::Certified;
use lookalike::design::Watch;
use lookalike::exact::{Direction, Epsilon, Rational, decimal, to_f64};
use lookalike::geo::{planar_mean, planar_quantile};
use lookalike::model::PlanarNoise;
use lookalike_formats::{MechanismFile, MechanismKind, Result};
use maud::{Markup, html};

impl HasPage for PlanarNoise {
    fn page(
        _: &MechanismFile<Self>,
        certified: &Certified<Self>,
        request: &PageRequest<'_>,
        _: Watch<'_>,
    ) -> Result<PageOutcome> {
        request.refuse_all(Self::CALLED)?;
        let noise = certified.mechanism();
        let page = KindPage {
            title: format!("Privacy report: places with noise, ε = {} a metre", words::epsilon(noise.epsilon())),
            lead: promise(noise),
            proof: proof(certified),
            sections: moved(noise),
            not_promised: not_promised(noise),
            claim: claim(),
            facts: facts(certified),
        };
        Ok(page.page())
    }
}

/// The circles around a point of the plane that hold half, 95 % and 99 % of all releases.
pub fn planar_map(noise: &PlanarNoise, [x, y]: [f64; 2]) -> TrackMap {
    const CORNERS: u32 = 180;
    let circle = |(hundredths, name, style): (i32, &str, Style)| {
        let radius = quantile(noise, hundredths);
        let point = |corner: u32| {
            let angle = std::f64::consts::TAU * f64::from(corner) / f64::from(CORNERS);
            (x + radius * angle.cos(), y + radius * angle.sin())
        };
        Track { name: name.to_owned(), points: (0..=CORNERS).map(point).collect(), style, joined: true }
    };
    let place = Track { name: "the true place".into(), points: vec![(x, y)], style: Style::Baseline, joined: false };
    let circles =
        [(50, "half of all releases", Style::Ours), (95, "95 %", Style::Plain(1)), (99, "99 %", Style::Plain(2))];
    let tracks = std::iter::once(place).chain(circles.map(circle)).collect();
    TrackMap { title: "What is released for a place".into(), tracks }
}

/// The ε of continuous noise with this decay, for a metre in the plane.
fn decay(noise: &PlanarNoise) -> Epsilon {
    noise.decay().scale(&noise.grid().recip()).expect("a decay a metre is a budget as the one a step is")
}

fn quantile(noise: &PlanarNoise, hundredths: i32) -> f64 {
    let p = Rational::new(hundredths.into(), 100.into());
    planar_quantile(&decay(noise), &p).expect("a probability below 1")
}

/// What is promised of places so many metres apart.
fn at(noise: &PlanarNoise, metres: i32) -> Option<Epsilon> {
    noise.epsilon().scale(&(Rational::from_integer(metres.into()) + noise.resolution())).ok()
}

fn promise(noise: &PlanarNoise) -> Markup {
    html! {
        "Places look alike after the noise, the nearer the more"
        @if let Some(epsilon) = at(noise, 100) {
            ": no release is more than " strong { (words::factor(&epsilon)) " times" } " as likely for one of two places 100 "
            "metres apart as for the other"
        }
        ". Places far apart can be told apart; that is what keeps a release useful."
    }
}

fn proof(certified: &Certified<PlanarNoise>) -> Markup {
    let (noise, form) = (certified.mechanism(), certified.certificate());
    html! {
        p {
            "A place is mapped to a plane, rounded to a grid of " (noise.grid()) " metres, and moved by a point z of the "
            "endless grid, drawn in proportion to e" sup { "−decay·|z|" } ". What falls outside of the region is brought to "
            "its border. The grid looks the same from each of its points, so the border tells nothing more."
        }
        dl class="facts" {
            div { dt { "ε of a metre" } dd { (words::epsilon(form.claimed())) } }
            div { dt { "A metre in the plane, at most" } dd { (decimal(form.stretch(), 9, Direction::Up)) } }
            div { dt { "Rounding adds at most" } dd { (decimal(form.resolution(), 4, Direction::Up)) " m" } }
        }
        div class="scroll" {
            table {
                caption { "What is promised of two places, rounding included" }
                thead { tr { th { "metres apart" } th class="number" { "ε, at most" } } }
                tbody {
                    @for metres in [10, 50, 100, 200, 500, 1000] {
                        @if let Some(epsilon) = at(noise, metres) {
                            tr {
                                td { (metres) }
                                td class="number" { (decimal(&epsilon.enclose(64).upper().to_rational(), 4, Direction::Up)) }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn moved(noise: &PlanarNoise) -> Markup {
    html! {
        section {
            h2 { "What it costs" }
            p { "A place is moved by " (format!("{:.1}", planar_mean(&decay(noise)))) " metres on average." }
            div class="figures" { figure { (planar_map(noise, [0.0, 0.0]).svg()) } }
            div class="scroll" {
                table {
                    caption { "How far places are moved, away from the border" }
                    thead { tr { th { "of all releases" } th class="number" { "metres, at most" } } }
                    tbody {
                        @for hundredths in [50, 90, 95, 99] {
                            tr {
                                td { (hundredths) " %" }
                                td class="number" { (format!("{:.1}", quantile(noise, hundredths))) }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn not_promised(noise: &PlanarNoise) -> Vec<Markup> {
    let kilometres = to_f64(noise.region().half_width(), Direction::Nearest) / 1e3;
    vec![
        html! {
            "Each released place is a release of its own: n places of one person cost n times as much, and the "
            "average of many releases from one place tells the place."
        },
        html! {
            "The region, " (format!("{kilometres:.1}")) " km to each side of its origin, is public. It must not be taken "
            "from the data."
        },
        html! { "Columns that are passed through beside the places, and the number of rows, are not covered." },
    ]
}

fn claim() -> Markup {
    html! {
        "For places a, b that are d metres apart on the ground and points i, j of the grid after rounding, the ratio of "
        "the probabilities of any z is e" sup { "decay·(|z − j| − |z − i|)" } " ≤ e" sup { "decay·|i − j|" } ", and "
        "|i − j|·g ≤ stretch·d + r. The claim holds if decay · stretch ≤ ε · g. The stretch is proved in interval "
        "arithmetic, and noise is drawn in whole numbers from exactly this law."
    }
}

fn facts(certified: &Certified<PlanarNoise>) -> Vec<(&'static str, Markup)> {
    let (noise, form) = (certified.mechanism(), certified.certificate());
    let region = noise.region();
    vec![
        ("mechanism", html! { "planar Laplace noise on a grid, kind noise" }),
        ("origin", html! { code { (region.latitude()) ", " (region.longitude()) } }),
        ("half-width", html! { (code(region.half_width())) " m" }),
        ("g", html! { (code(noise.grid())) " m" }),
        ("decay", code(words::cut(&noise.decay().to_string(), 100))),
        ("stretch", code(form.stretch())),
        ("claimed ε", html! { (code(words::cut(&form.claimed().to_string(), 100))) " a metre" }),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use lookalike::certify::certify;
    use lookalike::exact::parse_rational;
    use lookalike::model::Region;

    fn noise() -> PlanarNoise {
        let [latitude, longitude, half_width] = ["57.2", "19.5", "10000"].map(|text| parse_rational(text).unwrap());
        let region = Region::new(latitude, longitude, half_width).unwrap();
        PlanarNoise::for_epsilon("ln(4)/200".parse().unwrap(), region, -3).unwrap()
    }

    #[test]
    fn the_page_says_the_promise_and_what_it_costs() {
        let certified = certify(noise()).unwrap();
        let page =
            PlanarNoise::page(&MechanismFile::of(noise()), &certified, &PageRequest::default(), Watch::default());
        let page = page.unwrap().html;
        for text in
            ["two places 100 metres apart", "<td>200</td><td class=\"number\">1.3876</td>", "288.5 metres", "684.4"]
        {
            assert!(page.contains(text), "{text} in {page}");
        }
        assert_eq!(page.matches("<svg").count(), 1);
    }

    #[test]
    fn the_circles_are_where_the_quantiles_are() {
        let map = planar_map(&noise(), [100.0, -50.0]);
        for (track, hundredths) in map.tracks[1..].iter().zip([50, 95, 99]) {
            let radius = quantile(&noise(), hundredths);
            assert!(track.points.iter().all(|(x, y)| ((x - 100.0).hypot(y + 50.0) - radius).abs() < 1e-6));
        }
    }
}
