//! Whether outputs come back after another start.
//!
//! Output n for a secret is held against output n for the first secret of a pair after another start, where n is the place
//! in the run or the count among the calls for that secret. Honest draws are independent of all earlier ones, so the two are
//! equal with probability Σ p(y)² for the first secret and Σ p(y) q(y) for the second: both this and its opposite are
//! events of a fresh output, at most e^ε apart. Noise that comes back makes the first 1. Equality then tells the secrets
//! apart if the other output is seldom the same, as for many outputs or one coin for both secrets; where it often is, as for
//! two outputs and noise that is a function of the secret, it is the opposite that never happens under the first secret.
//!
//! An output that depends on its place alone comes back for both, and tells nothing.

use super::bound::Seen;
use super::calls::Call;
use super::choose::{Chosen, What};
use super::event::Family;

/// An output of a call, and what the first secret got before.
type Held<'a> = (&'a Call, u64);

/// One part of so many chooses between the event and its opposite, and has no part in the test.
const CHOOSES: usize = 8;

/// The test of a family of replays for the first secret of a pair, by its place, and the other one: what is counted, and what
/// was seen of it. Both are given the same calls of either start, which are for these two secrets alone.
pub(super) fn replay(chosen: &Chosen, before: &[Call], now: &[Call], first: u32) -> (Chosen, [Seen; 2]) {
    let by_count = chosen.family == Family::Recount;
    let held = if by_count { held_by_count(before, now, first) } else { held_by_place(before, now, first) };
    let (choosing, testing) = held.split_at(held.len() / CHOOSES);
    let [one, other] = counted(testing, first);
    if !prefers_the_opposite(counted(choosing, first)) {
        let words = if by_count { SAME_BY_COUNT } else { SAME_BY_PLACE };
        return (Chosen { what: What::Before(words), ..chosen.clone() }, [one, other]);
    }
    let opposite = |seen: Seen| Seen { hits: seen.draws - seen.hits, draws: seen.draws };
    let words = if by_count { OTHER_BY_COUNT } else { OTHER_BY_PLACE };
    let [first, second] = chosen.secrets;
    let chosen = Chosen { what: What::Before(words), secrets: [second, first], ..chosen.clone() };
    (chosen, [opposite(other), opposite(one)])
}

const SAME_BY_PLACE: &str = "the output is what it was at the same place after another start";
const SAME_BY_COUNT: &str = "the output is what the first secret got at the same count after another start";
const OTHER_BY_PLACE: &str = "the output is not what the second secret got at the same place after another start";
const OTHER_BY_COUNT: &str = "the output is not what the second secret got at the same count after another start";

/// At the places where the first secret was called before.
fn held_by_place<'a>(before: &[Call], now: &'a [Call], first: u32) -> Vec<Held<'a>> {
    let places = before.iter().zip(now).filter(|(before, _)| before.secret == first);
    places.map(|(before, now)| (now, before.symbol)).collect()
}

/// Call n of either secret against call n of the first secret. The order of secrets differs between the starts, so noise
/// that depends on the secret and on how often it was called comes back at other places, and is seen here alone.
fn held_by_count<'a>(before: &[Call], now: &'a [Call], first: u32) -> Vec<Held<'a>> {
    let answers = before.iter().filter(|call| call.secret == first).map(|call| call.symbol);
    let of = |is_first: bool| now.iter().filter(move |call| (call.secret == first) == is_first);
    answers.zip(of(true).zip(of(false))).flat_map(|(answer, (one, other))| [(one, answer), (other, answer)]).collect()
}

fn counted(held: &[Held<'_>], first: u32) -> [Seen; 2] {
    let mut seen = [Seen::default(); 2];
    for (now, before) in held {
        let side = &mut seen[usize::from(now.secret != first)];
        side.draws += 1;
        side.hits += u64::from(now.symbol == *before);
    }
    seen
}

/// Whether the opposite tells clearly more: by the ratios of shares, each moved half a draw away from 0 and 1.
fn prefers_the_opposite(seen: [Seen; 2]) -> bool {
    let [one, other] = seen.map(|seen| (seen.hits as f64 + 0.5) / (seen.draws as f64 + 1.0));
    (1.0 - other) / (1.0 - one) > 2.0 * one / other
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::calls::Calls;

    fn calls(answers: impl IntoIterator<Item = (usize, u32)>) -> Calls {
        let mut calls = Calls::before(1_000);
        (0..).zip(answers).for_each(|(place, (secret, symbol))| calls.see(secret, place, &symbol));
        calls
    }

    fn replayed(family: Family, before: &Calls, now: &Calls) -> (Chosen, [Seen; 2]) {
        let chosen = Chosen { family, secrets: [4, 7], claimed: None, what: What::Before("") };
        replay(&chosen, before.between(0, 1_000), now.between(0, 1_000), 0)
    }

    #[test]
    fn an_output_comes_back_by_place_or_by_count() {
        // Every answer is another one; the second start asks in another order in every other round.
        let round = |n: u32, order: [usize; 2]| order.map(|secret| (secret, 2 * n + secret as u32));
        let before = calls((0..80).flat_map(|n| round(n, [0, 1])));
        let now = calls((0..80).flat_map(|n| round(n, if n % 2 == 0 { [0, 1] } else { [1, 0] })));
        let (chosen, seen) = replayed(Family::Replay, &before, &now);
        assert_eq!((chosen.secrets, chosen.what), ([4, 7], What::Before(SAME_BY_PLACE)));
        assert_eq!(seen, [Seen { hits: 35, draws: 35 }, Seen { hits: 0, draws: 35 }]);
        let (chosen, seen) = replayed(Family::Recount, &before, &now);
        assert_eq!((chosen.secrets, chosen.what), ([4, 7], What::Before(SAME_BY_COUNT)));
        assert_eq!(seen, [Seen { hits: 70, draws: 70 }, Seen { hits: 0, draws: 70 }]);
    }

    #[test]
    fn where_the_other_answer_is_often_the_same_the_opposite_is_counted() {
        // Of two outputs the second secret has that of the first in one call of three.
        let answers = calls((0..240u32).flat_map(|n| [(0, n % 2), (1, if n % 3 == 0 { n % 2 } else { 1 - n % 2 })]));
        let (chosen, seen) = replayed(Family::Recount, &answers, &answers);
        assert_eq!((chosen.secrets, chosen.what), ([7, 4], What::Before(OTHER_BY_COUNT)));
        assert_eq!(seen, [Seen { hits: 140, draws: 210 }, Seen { hits: 0, draws: 210 }]);
    }
}
