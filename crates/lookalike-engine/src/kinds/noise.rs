//! Noise on numbers.

use crate::audit::{Attacked, DrawTexts, Subject};
use crate::estimate::{ReadBack, ReportReader};
use crate::figures::at_most;
use crate::mechanism::{AccountRows, Accounted, Composing, ProofInWords};
use crate::release::{Numbers, Releasable, Released};
use lookalike::Sentence;
use lookalike::account::loss::compose_noise;
use lookalike::audit::Text;
use lookalike::certify::{Certified, ClosedForm};
use lookalike::estimate::Trust;
use lookalike::exact::Rational;
use lookalike::model::{Noise, Secrets};
use lookalike::pufferfish::{ExactOptions, moments_lost};
use lookalike::sample::{NoiseSampler, RandomKey};
use lookalike_formats::{Error, Result};

impl Accounted for Noise {
    fn rows(proved: &Certified<Self>, asked: &Composing<'_>) -> Result<AccountRows> {
        let noise = proved.mechanism();
        let Some(moments) = noise.moments() else {
            return asked.composed(Vec::new(), |releases| compose_noise(noise, releases));
        };
        let rate = proved.certificate().rate_at_most().expect("a proved rate is below 100,000");
        let most = noise.epsilon().enclose(96).upper().to_rational();
        asked.of_sequence(|count| {
            let lost = moments_lost(moments, &(&rate * count), &ExactOptions::default())?;
            Ok(lost.min(&most * count))
        })
    }
}

impl ProofInWords for Noise {
    fn proof_text(&self, certificate: &ClosedForm) -> String {
        let steps =
            format!("{} grid {}", certificate.steps(), if *certificate.steps() == 1.into() { "step" } else { "steps" });
        match certificate.secrets() {
            secrets @ Secrets::Moments { .. } => format!(
                "Certified: {secrets} within epsilon {}, by the chain in the file.\nOne moment moves the number by at most \
                 {steps}. With what its neighbours tell of it a moment loses\n{}.\n",
                certificate.claimed(),
                certificate.achieved().map_or("all".to_owned(), |epsilon| at_most(&epsilon.enclose(64))),
            ),
            secrets => format!(
                "Certified: {secrets} within epsilon {}, by the closed form of the law.\nNeighbours are at most {steps} \
                 apart, and each step costs {}: true epsilon {}.\n",
                certificate.claimed(),
                certificate.decay(),
                certificate.achieved().map_or("infinite".to_owned(), |epsilon| epsilon.to_string()),
            ),
        }
    }

    /// A bound from a chain is an upper one: where it is too large, another proof might do.
    fn refutation(&self) -> &'static str {
        if self.moments().is_some() { "NOT PROVED" } else { "NOT PRIVATE" }
    }
}

impl Released for Noise {
    fn releasable<'a>(certified: &'a Certified<Self>) -> Result<Box<dyn Releasable + 'a>> {
        Ok(Box::new(Numbers::new(certified)))
    }
}

impl ReadBack for Noise {
    fn check_shares(&self) -> Result<()> {
        self.reader(None, false).map(|_| ())
    }

    /// None: numbers have no shares.
    fn reader(&self, _: Option<Trust>, _: bool) -> Result<ReportReader<'_>> {
        let found = "kind: \"noise\" releases numbers, of which there are no shares to estimate: each number has an interval \
                     of its own, which ";
        Err(Error::input(Sentence::from(found).verb("lookalike noise design").text(" prints")))
    }
}

impl Attacked for Noise {
    /// On two numbers that are neighbours. Of noise about moments there is none: what is attacked are numbers, and about a
    /// moment numbers say too little.
    fn subject(certified: Certified<Self>) -> Result<Subject> {
        let noise = certified.mechanism();
        if noise.moments().is_some() {
            return Err(Error::input(format!(
                "noise about {}: an audit attacks numbers, and the loss about a moment is more than that about the number",
                noise.secrets()
            )));
        }
        let values = neighbours(noise);
        let steps = values
            .each_ref()
            .map(|value| i64::try_from(noise.round(value)).expect("neighbours are near 0 or their bounds"));
        let secrets = values.iter().map(Rational::to_string).collect();
        Ok(Subject::of_texts(noise.epsilon().clone(), secrets, Steps { sampler: NoiseSampler::new(&certified), steps }))
    }
}

/// Two numbers in whole steps, with noise.
struct Steps {
    sampler: NoiseSampler,
    steps: [i64; 2],
}

impl DrawTexts for Steps {
    fn draw(&self, key: &RandomKey, first: u64, secrets: &[u32], outputs: &mut [Text]) -> lookalike::Result<()> {
        let steps: Vec<i64> = secrets.iter().map(|&secret| self.steps[secret as usize]).collect();
        let mut released = vec![0; steps.len()];
        self.sampler.add_steps(key, first, &steps, &mut released)?;
        // In steps: the grid is public, and whole numbers show their low bits.
        outputs.iter_mut().zip(released).for_each(|(output, steps)| *output = Text::new(&steps.to_string()));
        Ok(())
    }
}

/// Two numbers Δ apart that are as many steps apart after rounding as there can be: the first lies (1/2 − f)·g from a grid
/// point, for f the fraction of Δ/g, so that both round up together. Within the bounds, where there are any and they
/// have the room.
fn neighbours(noise: &Noise) -> [Rational; 2] {
    let (grid, sensitivity) = (noise.grid(), noise.sensitivity());
    let fraction = (sensitivity / &grid).fract();
    let half = Rational::new(1.into(), 2.into());
    let first = if fraction.is_integer() { fraction } else { (half - fraction) * &grid };
    let Some([lower, upper]) = noise.clamp() else {
        return [first.clone(), first + sensitivity];
    };
    let inside = &first + ((lower - &first) / &grid).ceil() * &grid;
    let second = &inside + sensitivity;
    if second <= *upper { [inside, second] } else { [lower.clone(), upper.clone().min(lower + sensitivity)] }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lookalike::exact::parse_rational;

    #[test]
    fn neighbours_are_as_far_apart_as_rounding_allows() {
        let number = |text: &str| parse_rational(text).unwrap();
        for sensitivity in ["1", "3", "1/3", "0.3", "7/4", "1/1000"] {
            for exponent in [-3, 0, 1] {
                let noise = Noise::for_epsilon("1".parse().unwrap(), number(sensitivity), exponent).unwrap();
                let bounded = noise.clone().clamped(number("-20.3"), number("17")).unwrap();
                let narrow = noise.clone().clamped(number("0.1"), number("0.2")).unwrap();
                for (noise, is_wide) in [(&noise, true), (&bounded, true), (&narrow, false)] {
                    let [a, b] = neighbours(noise);
                    let apart = noise.round(&b) - noise.round(&a);
                    assert!(&b - &a <= number(sensitivity) && a < b);
                    assert!(noise.clamp().is_none_or(|[lower, upper]| *lower <= a && b <= *upper));
                    assert!(!is_wide || apart == noise.steps().into(), "{sensitivity} on 2^{exponent}");
                }
            }
        }
    }
}
