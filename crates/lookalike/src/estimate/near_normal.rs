//! How near a mean of readings is to the normal law.

use super::bentkus::tail_bound;
use super::components::Components;
use super::envelope::Envelope;
use super::identified::dot;
use super::normal::upper_tail;
use super::regions::Regions;
use super::upper_reading::Sampling;
use std::sync::Arc;

/// The constants of Berry and Esseen for draws from one law, and for respondents with laws of their own.
const ALIKE: f64 = 0.4748;
const OF_THEIR_OWN: f64 = 0.56;
/// Parts of the largest variance between which the true one is looked for.
const PARTS: [f64; 9] = [1.0, 0.95, 0.9, 0.8, 0.7, 0.6, 0.5, 0.3, 0.0];
/// Moments that are kept at most, over all readings; with more, Bentkus's bound is all there is.
const MOST_MOMENTS: usize = 1_000_000;

/// The mean of readings under the law of one component, and their second, third and fourth moment about it.
#[derive(Debug, Clone, Copy)]
struct Moments {
    mean: f64,
    central: [f64; 3],
}

impl Moments {
    fn of(law: &[f64], values: &[f64]) -> Self {
        let mean = dot(law, values);
        let moment = |power: i32| law.iter().zip(values).map(|(p, g)| p * (g - mean).powi(power)).sum::<f64>();
        Moments { mean, central: [moment(2), moment(3), moment(4)] }
    }

    /// The fourth moment about another number.
    fn fourth_about(&self, at: f64) -> f64 {
        let [second, third, fourth] = self.central;
        let off = self.mean - at;
        (fourth + 4.0 * third * off + 6.0 * second * off * off + off.powi(4)).max(0.0)
    }
}

/// The moments of readings under the law of each component.
#[derive(Debug, Clone)]
pub(super) struct NearNormal(Moment);

#[derive(Debug, Clone)]
enum Moment {
    /// Of a list.
    Of(Vec<Moments>),
    /// Of all laws within limits, by these readings.
    Within(Arc<Regions>, Vec<f64>),
}

/// A question about sums: how many, by how much one may fall short of its mean, and how often a limit may be wrong.
#[derive(Debug, Clone, Copy)]
pub(super) struct Asked {
    pub(super) reports: u64,
    pub(super) room: f64,
    pub(super) error: f64,
}

impl NearNormal {
    /// The moments, unless there are too many components for so many readings.
    pub(super) fn new(values: &[f64], components: &Components, readings: usize) -> Option<Self> {
        let is_affordable = components.fixed().is_none() && components.parts() * readings <= MOST_MOMENTS;
        is_affordable.then(|| {
            NearNormal(match components.regions() {
                Some(regions) => Moment::Within(regions.clone(), values.to_vec()),
                None => Moment::Of(components.laws().map(|law| Moments::of(law, values)).collect()),
            })
        })
    }

    /// What says whether reports with this mean are as rare as the error where the true mean is another, between these two.
    /// `None` where that would be no better than Bentkus's bound.
    ///
    /// `variance` is the largest that a mix with a mean can have, a concave function.
    ///
    /// # Guarantee
    /// For a sum of independent variables with variance v and fourth moment f on average, the distance to the normal law is at
    /// most `C √f / (v √n)`, by the theorem of Berry and Esseen and `Σ E|X|³ ≤ √(Σ E X² · Σ E X⁴)`. The true v is not known:
    /// small ones have Bentkus's bound, which falls with v, and for each part of the others one of both must do.
    ///
    /// # Reference
    /// I. Shevtsova, arXiv 1111.6554 (2011), for 0.4748; "An improvement of convergence rate estimates in the Lyapunov theorem",
    /// Doklady Mathematics 82 (2010), for 0.56.
    pub(super) fn rarity(
        &self,
        [from, to]: [f64; 2],
        asked: Asked,
        sampling: Sampling,
        variance: impl Fn(f64) -> f64,
    ) -> Option<impl Fn(f64) -> bool> {
        // What draws from a law within limits are when respondents are fixed, nobody has worked out.
        if matches!(self.0, Moment::Within(..)) && sampling != Sampling::Alike {
            return None;
        }
        let constant = if sampling == Sampling::Alike { ALIKE } else { OF_THEIR_OWN };
        let root = (asked.reports as f64).sqrt();
        // √f is no less than v.
        if constant / root >= asked.error {
            return None;
        }
        // A concave function is the least at an end.
        let least = variance(from).min(variance(to));
        let distance = constant * self.fourth([from, to], sampling).sqrt() / (least * root);
        // A distance that is no number is of no use either.
        let is_useful = distance < asked.error;
        is_useful.then_some(move |at: f64| {
            let (largest, short) = (variance(at), at - from);
            PARTS.windows(2).all(|part| {
                let most = part[0] * largest;
                let beyond = upper_tail(short * root / most.sqrt());
                beyond + distance / part[1] < asked.error
                    || tail_bound(asked.reports, most, asked.room, asked.reports as f64 * short) < asked.error
            })
        })
    }

    /// The largest fourth moment on average, about the mean of all where reports are alike, and about each one's own where they are
    /// not, when the mean of all lies between these two.
    fn fourth(&self, [from, to]: [f64; 2], sampling: Sampling) -> f64 {
        let list = match &self.0 {
            Moment::Of(list) => list,
            Moment::Within(regions, values) => {
                let fourth: Vec<f64> = values.iter().map(|g| (g - from).powi(4)).collect();
                return about_another(regions.envelope(values, &fourth).most([from, to]), to - from);
            }
        };
        let most = |of: &dyn Fn(&Moments) -> f64| {
            Envelope::over(list.iter().map(|moments| (moments.mean, of(moments)))).most([from, to])
        };
        let of_all = about_another(most(&|moments| moments.fourth_about(from)), to - from);
        match sampling {
            Sampling::Alike => of_all,
            // What holds of fixed respondents must hold of the population that they were drawn from.
            Sampling::Fixed => of_all.max(most(&|moments| moments.central[2])),
        }
    }
}

/// The most that a fourth moment can be about a number that is so far away, by Minkowski's inequality.
fn about_another(fourth: f64, away: f64) -> f64 {
    (fourth.max(0.0).powf(0.25) + away).powi(4)
}
