//! What is attacked when it is a mechanism of ours.

use lookalike::audit::Text;
use lookalike::certify::Certified;
use lookalike::exact::{Direction, Epsilon, Rational};
use lookalike::model::{Mechanism, Names, Noise, Oracle, PlanarNoise};
use lookalike::sample::{NoiseSampler, OracleSampler, PlanarSampler, RandomKey};
use lookalike_formats::{Error, Result, largest_epsilon};
use num_traits::ToPrimitive;

/// A mechanism whose claim is proved, ready to be drawn from.
pub enum Subject {
    /// Channels between categories.
    Channels(Box<Certified<Mechanism>>),
    /// A frequency oracle.
    Oracle {
        /// With its proof.
        certified: Box<Certified<Oracle>>,
        /// What draws its reports.
        sampler: OracleSampler,
    },
    /// Noise.
    Noise {
        /// With its proof.
        certified: Box<Certified<Noise>>,
        /// What draws it.
        sampler: Box<NoiseSampler>,
        /// Two numbers that must look alike.
        values: Box<[Rational; 2]>,
    },
    /// Noise on places.
    Planar {
        /// What draws it.
        sampler: Box<PlanarSampler>,
        /// Two places that must look alike: the origin of the region, and one to the east of it.
        places: [[f64; 2]; 2],
        /// What is claimed of the two.
        epsilon: Epsilon,
    },
}

impl Subject {
    /// Channels between categories.
    pub fn channels(certified: Certified<Mechanism>) -> Subject {
        Subject::Channels(Box::new(certified))
    }

    /// A frequency oracle.
    pub fn oracle(certified: Certified<Oracle>) -> Subject {
        let sampler = OracleSampler::new(&certified);
        Subject::Oracle { certified: Box::new(certified), sampler }
    }

    /// Noise, on two numbers that are neighbours.
    ///
    /// # Errors
    /// Noise about moments: what is attacked are numbers, and about a moment numbers say too little.
    pub fn noise(certified: Certified<Noise>) -> Result<Subject> {
        let noise = certified.mechanism();
        if noise.moments().is_some() {
            return Err(Error::input(format!(
                "noise about {}: an audit attacks numbers, and the loss about a moment is more than that about the number",
                noise.secrets()
            )));
        }
        let (sampler, values) = (NoiseSampler::new(&certified), neighbours(certified.mechanism()));
        Ok(Subject::Noise { certified: Box::new(certified), sampler: Box::new(sampler), values: Box::new(values) })
    }

    /// Noise on places, for two that are about one scale of the noise apart, so that ε is about 1.
    pub fn planar(certified: Certified<PlanarNoise>) -> Subject {
        let (noise, sampler) = (certified.mechanism(), PlanarSampler::new(&certified));
        let (steps, epsilon) = a_scale_apart(noise);
        let east = lookalike::exact::to_f64(&(noise.grid() * Rational::from_integer(steps.into())), Direction::Nearest);
        let places = [[0.0, 0.0], [east, 0.0]].map(|point| sampler.plane().place(point));
        Subject::Planar { sampler: Box::new(sampler), places, epsilon }
    }

    /// What is claimed of every pair.
    pub fn epsilon(&self) -> &Epsilon {
        match self {
            Subject::Channels(certified) => largest_epsilon(certified.mechanism()),
            Subject::Oracle { certified, .. } => certified.mechanism().epsilon(),
            Subject::Noise { certified, .. } => certified.mechanism().epsilon(),
            Subject::Planar { epsilon, .. } => epsilon,
        }
    }

    /// The secrets: profiles or categories, or for noise two numbers or places that are neighbours.
    pub fn secrets(&self) -> Vec<String> {
        let all = |names: &Names| names.iter().map(str::to_owned).collect();
        match self {
            Subject::Channels(certified) => all(certified.mechanism().graph().names()),
            Subject::Oracle { certified, .. } => all(certified.mechanism().categories().names()),
            Subject::Noise { values, .. } => values.iter().map(Rational::to_string).collect(),
            Subject::Planar { places, .. } => places.iter().map(|[a, b]| format!("{a:.7},{b:.7}")).collect(),
        }
    }

    /// The names of the outputs, where they are known beforehand.
    pub fn outputs(&self) -> Option<&Names> {
        match self {
            Subject::Channels(certified) => Some(certified.mechanism().outputs().names()),
            _ => None,
        }
    }

    /// Draws for each secret what would be written to a file; channels have a way of their own.
    ///
    /// # Errors
    /// As those of the samplers.
    pub fn draw(&self, key: &RandomKey, first: u64, secrets: &[u32], outputs: &mut [Text]) -> lookalike::Result<()> {
        match self {
            Subject::Channels(_) => {}
            Subject::Oracle { certified, sampler } => {
                let most = sampler.rows_at_once();
                let parts = secrets.chunks(most).zip(outputs.chunks_mut(most));
                for (first, (secrets, outputs)) in (first..).step_by(most).zip(parts) {
                    let reports = sampler.privatize(key, first, secrets)?;
                    for (output, report) in outputs.iter_mut().zip(reports.iter()) {
                        *output = Text::new(&certified.mechanism().text(report));
                    }
                }
            }
            Subject::Noise { certified, sampler, values } => {
                let steps = values.each_ref().map(|value| {
                    i64::try_from(certified.mechanism().round(value)).expect("neighbours are near 0 or their bounds")
                });
                let steps: Vec<i64> = secrets.iter().map(|&secret| steps[secret as usize]).collect();
                let mut released = vec![0; steps.len()];
                sampler.add_steps(key, first, &steps, &mut released)?;
                // In steps: the grid is public, and whole numbers show their low bits.
                outputs.iter_mut().zip(released).for_each(|(output, steps)| *output = Text::new(&steps.to_string()));
            }
            Subject::Planar { sampler, places, .. } => {
                let column =
                    |axis: usize| secrets.iter().map(|&secret| places[secret as usize][axis]).collect::<Vec<_>>();
                let (mut latitudes, mut longitudes) = (vec![0.0; secrets.len()], vec![0.0; secrets.len()]);
                sampler.release(key, first, &column(0), &column(1), &mut latitudes, &mut longitudes)?;
                // The places lie east and west of each other: the longitude comes first, where it is read as a number.
                for (output, (latitude, longitude)) in outputs.iter_mut().zip(latitudes.iter().zip(&longitudes)) {
                    *output = Text::new(&format!("{longitude},{latitude}"));
                }
            }
        }
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

/// The steps of one scale 1/decay, within the region, and what they claim together.
fn a_scale_apart(noise: &PlanarNoise) -> (i64, Epsilon) {
    let scale = (noise.decay().enclose(64).upper().to_rational()).recip().floor().to_integer().to_i64();
    let steps = scale.unwrap_or(i64::MAX).clamp(1, noise.half_steps());
    let epsilon = noise.decay().scale(&Rational::from_integer(steps.into()));
    (steps, epsilon.expect("at most a scale, or one step of a decay that is bounded"))
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
