//! How much noise hides every moment, and why, in words.

use crate::noise::significant;
use crate::terminal::count;
use lookalike::exact::{Direction, Rational};
use lookalike::pufferfish::{Calibration, Quilt};
use lookalike_engine::pufferfish::{Basis, Calibrated};
use lookalike_formats::pufferfish::ChainFile;

/// Why so much, in sentences.
pub fn calibrated_text(found: &Calibrated, file: &ChainFile, length: u64) -> String {
    match &found.basis {
        Basis::Quilt(..) if found.fell_back() => format!(
            "No quilt helps at this epsilon: over {} the chain forgets too little.\n\
             The noise is that of group privacy, which hides the whole sequence at once.\n",
            count(length, "moment")
        ),
        Basis::Quilt(basis, worst) => format!(
            "Moment {}{} needs the most noise. Its quilt is {}:\n{} on the near side, and its state changes the odds \
             of the quilt by at most e^{}.\n",
            basis.node,
            chain_text(basis, worst.as_ref(), file),
            quilt_text(basis.quilt),
            stands(basis.card),
            figure(&basis.influence),
        ),
        Basis::Contraction(basis) => format!(
            "Each step passes on at most {} of what it was told, so that a moment stands for at most {} independent \
             ones.\n",
            figure(&basis.coefficient),
            figure(&basis.weight)
        ),
        Basis::InfluenceMatrix(basis) => {
            format!("The influence matrix has a norm of at most {}.\n", figure(&basis.norm))
        }
        Basis::Distance(basis) => format!(
            "The state of moment {} moves the answer by at most {} in all: between {:?} and {:?}.\n",
            basis.node,
            figure(&basis.distance),
            file.states.name(basis.states[0]),
            file.states.name(basis.states[1]),
        ),
        Basis::Group => "All moments are hidden at once, so that no correlation can tell.\n".to_owned(),
        Basis::Entry => "NOT PRIVATE for a chain: neighbours in time tell of a moment what the noise hides. It is \
                       here to be compared with.\n"
            .to_owned(),
    }
}

/// Which chain needs the most noise, where there are several.
fn chain_text(found: &Calibration, worst: Option<&[Rational; 2]>, file: &ChainFile) -> String {
    match worst {
        Some([first, second]) => format!(
            " of the chains that leave {:?} with about {} and {:?} with about {}",
            file.states.name(0),
            significant(first, Direction::Nearest),
            file.states.name(1),
            significant(second, Direction::Nearest),
        ),
        None if file.names.is_empty() && found.chain == 0 => String::new(),
        None => format!(" of {}", file.chain_name(found.chain)),
    }
}

fn stands(card: u64) -> String {
    if card == 1 { "1 moment stands".to_owned() } else { format!("{card} moments stand") }
}

/// Where the nodes of a quilt stand, in words.
fn quilt_text(quilt: Quilt) -> String {
    let side = |distance: u64, word: &str| format!("the moment {distance} {word}");
    match (quilt.left, quilt.right) {
        (Some(left), Some(right)) => format!("{} it and {}", side(left, "before"), side(right, "after")),
        (Some(left), None) => side(left, "before it"),
        (None, Some(right)) => side(right, "after it"),
        (None, None) => "empty".to_owned(),
    }
}

/// A number that bounds from above, as short as it can be read.
pub fn figure(number: &Rational) -> String {
    significant(number, Direction::Up)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quilts_in_words() {
        let text = |left, right| quilt_text(Quilt { left, right });
        assert_eq!(text(Some(3), Some(4)), "the moment 3 before it and the moment 4 after");
        assert_eq!(text(Some(3), None), "the moment 3 before it");
        assert_eq!(text(None, Some(1)), "the moment 1 after it");
    }
}
