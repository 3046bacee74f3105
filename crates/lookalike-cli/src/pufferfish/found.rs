//! How much noise hides every moment, and why.

use super::method::Method;
use crate::noise::significant;
use crate::terminal::count;
use lookalike::exact::{Direction, Rational, to_f64};
use lookalike::pufferfish::{Calibration, Contraction, Gk16, Quilt, SumDistance};
use lookalike_io::pufferfish::ChainFile;
use serde_json::{Value, json};

/// A scale σ: the noise for a query with the Lipschitz constant L has the scale L·σ.
#[derive(Debug, Clone)]
pub struct Found {
    pub method: Method,
    pub scale: Rational,
    pub how: How,
}

/// What the scale rests on.
#[derive(Debug, Clone)]
pub enum How {
    /// The best quilt of the worst moment; for a box the chain that needs nearly as much.
    Quilt(Calibration, Option<[Rational; 2]>),
    Contraction(Contraction),
    InfluenceMatrix(Gk16),
    Distance(SumDistance),
    Group,
    Entry,
}

impl Found {
    /// Whether no quilt was any good, so that the whole sequence is hidden.
    pub fn fell_back(&self) -> bool {
        matches!(&self.how, How::Quilt(found, _) if found.quilt.left.is_none() && found.quilt.right.is_none())
    }

    /// Why so much, in sentences.
    pub fn text(&self, file: &ChainFile, length: u64) -> String {
        match &self.how {
            How::Quilt(..) if self.fell_back() => format!(
                "No quilt helps at this epsilon: over {} the chain forgets too little.\n\
                 The noise is that of group privacy, which hides the whole sequence at once.\n",
                count(length, "moment")
            ),
            How::Quilt(found, worst) => format!(
                "Moment {}{} needs the most noise. Its quilt is {}:\n{} on the near side, and its state changes the odds \
                 of the quilt by at most e^{}.\n",
                found.node,
                chain_text(found, worst.as_ref(), file),
                quilt_text(found.quilt),
                stands(found.card),
                figure(&found.influence),
            ),
            How::Contraction(found) => format!(
                "Each step passes on at most {} of what it was told, so that a moment stands for at most {} independent \
                 ones.\n",
                figure(&found.coefficient),
                figure(&found.weight)
            ),
            How::InfluenceMatrix(found) => {
                format!("The influence matrix has a norm of at most {}.\n", figure(&found.norm))
            }
            How::Distance(found) => format!(
                "The state of moment {} moves the answer by at most {} in all: between {:?} and {:?}.\n",
                found.node,
                figure(&found.distance),
                file.states.name(found.states[0]),
                file.states.name(found.states[1]),
            ),
            How::Group => "All moments are hidden at once, so that no correlation can tell.\n".to_owned(),
            How::Entry => "NOT PRIVATE for a chain: neighbours in time tell of a moment what the noise hides. It is \
                           here to be compared with.\n"
                .to_owned(),
        }
    }

    pub fn json(&self) -> Value {
        let up = |number: &Rational| to_f64(number, Direction::Up);
        let mut object = json!({ "method": self.method.name(), "sigma": up(&self.scale) });
        match &self.how {
            How::Quilt(found, _) => {
                object["moment"] = found.node.into();
                object["chain"] = (found.chain + 1).into();
                object["quilt"] = json!({ "before": found.quilt.left, "after": found.quilt.right });
                object["near"] = found.card.into();
                object["influence"] = up(&found.influence).into();
                object["group_privacy"] = self.fell_back().into();
            }
            How::Contraction(found) => {
                object["passed_on"] = up(&found.coefficient).into();
                object["stands_for"] = up(&found.weight).into();
            }
            How::InfluenceMatrix(found) => object["norm"] = up(&found.norm).into(),
            How::Distance(found) => {
                object["distance"] = up(&found.distance).into();
                object["moment"] = found.node.into();
            }
            How::Group => {}
            How::Entry => object["private"] = false.into(),
        }
        object
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
