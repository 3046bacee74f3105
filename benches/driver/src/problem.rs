//! The instances of the design rows, which `benches/peers/design_instance.py` writes.

use crate::Failure;
use lookalike::design::{Objective, Problem};
use lookalike::exact::Rational;
use lookalike::model::{Categories, Distribution, Epsilon, Limits, Names, SecretGraph};
use std::path::Path;

/// The common denominator of all profiles is 2 to this.
const BITS: u32 = 30;

/// The problem of a folder; without edges all profiles are one group.
pub fn read(folder: &Path, categories: usize, epsilon: &Epsilon, objective: &str) -> Result<Problem, Failure> {
    let profiles = words(&folder.join("numerators.u32"))?;
    let edges = words(&folder.join("edges.u32"))?;
    let laws = profiles.chunks(categories).map(law).collect::<Result<Vec<_>, _>>()?;
    let names = Names::new("profile", (0..laws.len()).map(|at| format!("p{at}")))?;
    let mut graph = SecretGraph::builder(names);
    for ends in edges.chunks(2) {
        graph.edge(ends[0], ends[1], epsilon.clone())?;
    }
    if edges.is_empty() {
        graph.complete(epsilon);
    }
    let categories = Categories::new((0..categories).map(|at| format!("c{at}")))?;
    let objective = match objective {
        "max-flip" => Objective::MaxFlip,
        "expected-error" => Objective::ExpectedError,
        other => return Err(format!("objective {other:?}, expected max-flip or expected-error").into()),
    };
    let problem = Problem::profiles(categories, graph.build()?, laws)?.with_objective(objective)?;
    let ends = words(&folder.join("limits.u32"))?;
    let limits = ends.chunks(2 * problem.categories().len()).map(limits).collect::<Result<Vec<_>, _>>()?;
    Ok(if limits.is_empty() { problem } else { problem.within(limits)? })
}

/// The lower and the upper limit of each category.
fn limits(ends: &[u32]) -> lookalike::Result<Limits> {
    let fraction = |numerator: u32| Rational::new(numerator.into(), (1u32 << BITS).into());
    Limits::new(&ends.chunks(2).map(|pair| [fraction(pair[0]), fraction(pair[1])]).collect::<Vec<_>>())
}

/// Not reduced: over one denominator a distribution needs no greatest common divisor a number.
fn law(numerators: &[u32]) -> lookalike::Result<Distribution> {
    let fraction = |&numerator: &u32| Rational::new_raw(numerator.into(), (1u32 << BITS).into());
    Distribution::new(&numerators.iter().map(fraction).collect::<Vec<_>>())
}

fn words(path: &Path) -> Result<Vec<u32>, Failure> {
    let bytes = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(bytes.chunks_exact(4).map(|four| u32::from_le_bytes([four[0], four[1], four[2], four[3]])).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_read_as_it_was_written() {
        let folder = std::env::temp_dir().join(format!("lookalike-bench-{}", std::process::id()));
        let write = |name: &str, words: &[u32]| {
            std::fs::write(folder.join(name), words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<_>>())
        };
        std::fs::create_dir_all(&folder).unwrap();
        write("numerators.u32", &[1, (1 << 30) - 1, 1 << 29, 1 << 29, 1 << 28, 3 << 28]).unwrap();
        write("edges.u32", &[2, 0]).unwrap();
        write("limits.u32", &[]).unwrap();
        let epsilon = "0.2".parse().unwrap();
        let edges = read(&folder, 2, &epsilon, "max-flip").unwrap();
        write("edges.u32", &[]).unwrap();
        let group = read(&folder, 2, &epsilon, "expected-error").unwrap();
        let half = 1 << 29;
        let around = [[0, half, half, 1 << 30], [0, 1 << 30, 0, 1 << 30], [0, half, half, 1 << 30]].concat();
        write("limits.u32", &around).unwrap();
        let limited = read(&folder, 2, &epsilon, "expected-error").unwrap();
        write("numerators.u32", &[1, 1]).unwrap();
        let short = read(&folder, 2, &epsilon, "max-flip");
        std::fs::remove_dir_all(&folder).unwrap();
        assert_eq!(edges.profile_laws()[2].probability(1).to_string(), "3/4");
        assert_eq!((edges.graph().pairs(), group.graph().pairs()), (1, 3));
        assert!(edges.graph().epsilon_between(0, 2).is_some());
        assert!(edges.limits().is_empty() && limited.limits()[2].ends(1)[0].to_string() == "1/2");
        assert!(short.is_err(), "profiles that do not sum to 1");
    }
}
