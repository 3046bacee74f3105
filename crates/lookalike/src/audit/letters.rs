//! Chooses two letters of the output that tell together what neither tells alone.

use super::calls::Line;
use super::candidate::{Measure, Ruler, Shape, visit};
use super::choose::{Chosen, What};
use super::event::{Event, Family};
use super::pairs::Pair;
use super::tally::{CodeCounts, Places, Tally};
use super::view::View;
use rayon::prelude::*;
use std::collections::HashMap;

/// Different letters at a place that are told apart, the most frequent ones.
const MOST_LETTERS: usize = 16;
/// Columns times ordered pairs times places that are looked at, at most, but for one pair in any case.
const MOST_WORK: usize = 8_000_000;

/// The two letters, the event of them and the pair that promise the most, if that is more than `least`, by which the best
/// event of one output promises to exceed its claim.
///
/// All two places are tried, for the first pairs, so many that the work stays small.
pub(super) fn choose_letters(
    lines: &[Line],
    pairs: &[Pair],
    places: &Places,
    (measure, error): (Measure, f64),
    least: f64,
) -> Option<Chosen> {
    let longest = lines.iter().map(|line| line.letters.len()).max().unwrap_or(0);
    let two: Vec<[usize; 2]> = (0..longest).flat_map(|one| (one + 1..longest).map(move |other| [one, other])).collect();
    // Two views, both orders of the pair, and two events for each of 256 columns.
    let of_pair = 2 * 2 * 2 * 256 * two.len().max(1);
    let pairs = &pairs[..pairs.len().min((MOST_WORK / of_pair).max(1))];
    let ruler = Ruler::new(measure, error, of_pair * pairs.len());
    let table = Table::new(lines, longest, pairs, places);
    let best_at = |(number, at): (usize, &[usize; 2])| {
        let [one, other] = at.map(|place| place as u8);
        let tallies =
            [table.together(*at, View::Letters(one, other)), table.apart(*at, View::LettersApart(one, other))];
        let mut best: Option<(f64, usize, Chosen)> = None;
        for (tally, pair) in tallies.iter().flat_map(|tally| pairs.iter().map(move |pair| (tally, pair))) {
            let rows = pair.secrets.map(|secret| table.row_of[places.of(secret)]);
            for ordered in [[0, 1], [1, 0]] {
                let rows = ordered.map(|side: usize| rows[side]);
                let claimed = pair.claimed.unwrap_or(0.0);
                let mut score = (best.as_ref().map_or(least, |best| best.0) + claimed).max(0.0);
                let (mut shape, mut ratio): (Option<Shape>, f64) = (None, score.exp());
                visit(tally, rows, |_, new, seen, against| {
                    if ruler.may_score(seen, against, ratio) && ruler.score(seen, against) > score {
                        score = ruler.score(seen, against);
                        (shape, ratio) = (Some(new), score.exp());
                    }
                });
                if let (Some(shape), excess) = (shape, score - claimed) {
                    let what = What::Output(Event::new(tally.view, shape.ranges(tally, rows)));
                    let secrets = ordered.map(|side: usize| pair.secrets[side]);
                    best = Some((
                        excess,
                        number,
                        Chosen { family: Family::Letters, secrets, claimed: pair.claimed, what },
                    ));
                }
            }
        }
        best
    };
    let best = two.par_iter().enumerate().filter_map(best_at);
    // The first of equals, whatever the threads.
    best.max_by(|one, other| one.0.total_cmp(&other.0).then(other.1.cmp(&one.1))).map(|(_, _, chosen)| chosen)
}

/// The lines of the secrets that matter, place by place.
struct Table {
    /// The row of each secret, by its place.
    row_of: Vec<usize>,
    /// The row of each line.
    rows: Vec<u32>,
    /// The letters at each place, line by line; `None` beyond the end.
    letters: Vec<Vec<Option<u8>>>,
    /// The most frequent letters at each place, ascending.
    frequent: Vec<Vec<u8>>,
    draws: Vec<u64>,
}

impl Table {
    fn new(lines: &[Line], longest: usize, pairs: &[Pair], places: &Places) -> Self {
        let mut row_of = vec![usize::MAX; places.len()];
        let mut count = 0;
        for secret in pairs.iter().flat_map(|pair| pair.secrets) {
            let row = &mut row_of[places.of(secret)];
            if *row == usize::MAX {
                *row = count;
                count += 1;
            }
        }
        let lines: Vec<&Line> = lines.iter().filter(|line| row_of[line.secret] < count).collect();
        let rows: Vec<u32> = lines.iter().map(|line| row_of[line.secret] as u32).collect();
        let mut draws = vec![0; count];
        rows.iter().for_each(|&row| draws[row as usize] += 1);
        let at = |place: usize| lines.iter().map(|line| line.letters.get(place).copied()).collect();
        let letters: Vec<Vec<Option<u8>>> = (0..longest).map(at).collect();
        let frequent = letters.iter().map(|letters| most_frequent(letters)).collect();
        Table { row_of, rows, letters, frequent, draws }
    }

    /// The bits in which the letters at two places differ.
    fn apart(&self, [one, other]: [usize; 2], view: View) -> Tally {
        let mut counts = CodeCounts::new(self.draws.len(), 256);
        for (&row, two) in self.rows.iter().zip(self.letters[one].iter().zip(&self.letters[other])) {
            if let (Some(one), Some(other)) = two {
                counts.add(row as usize, u64::from(one ^ other));
            }
        }
        Tally::of_codes(view, &counts, self.draws.clone(), 256)
    }

    /// The letters at two places, the frequent ones of each.
    fn together(&self, at: [usize; 2], view: View) -> Tally {
        let class = |place: usize| {
            let mut class = [None; 256];
            (0..).zip(&self.frequent[place]).for_each(|(number, &letter)| class[usize::from(letter)] = Some(number));
            class
        };
        let [one, other] = at.map(class);
        let mut counts = vec![0u32; self.draws.len() * MOST_LETTERS * MOST_LETTERS];
        for (&row, two) in self.rows.iter().zip(self.letters[at[0]].iter().zip(&self.letters[at[1]])) {
            let (Some(a), Some(b)) = two else { continue };
            if let (Some(a), Some(b)) = (one[usize::from(*a)], other[usize::from(*b)]) {
                let column: usize = a * MOST_LETTERS + b;
                counts[row as usize * MOST_LETTERS * MOST_LETTERS + column] += 1;
            }
        }
        let letter = |place: usize, number: usize| u64::from(self.frequent[place][number]);
        let symbol = |column: usize| letter(at[0], column / MOST_LETTERS) << 8 | letter(at[1], column % MOST_LETTERS);
        let seen = counts.iter().enumerate().filter(|(_, count)| **count > 0).map(|(at, &count)| {
            let (row, column) = (at / (MOST_LETTERS * MOST_LETTERS), at % (MOST_LETTERS * MOST_LETTERS));
            ((symbol(column), row as u32), count)
        });
        Tally::of_symbols(view, &seen.collect::<HashMap<_, _>>(), self.draws.clone(), MOST_LETTERS * MOST_LETTERS)
    }
}

fn most_frequent(letters: &[Option<u8>]) -> Vec<u8> {
    let mut counts = [0u32; 256];
    letters.iter().flatten().for_each(|&letter| counts[usize::from(letter)] += 1);
    let mut seen: Vec<u8> = (0..=255).filter(|&letter| counts[usize::from(letter)] > 0).collect();
    seen.sort_by_key(|&letter| std::cmp::Reverse(counts[usize::from(letter)]));
    seen.truncate(MOST_LETTERS);
    seen.sort_unstable();
    seen
}
