//! `lookalike certify` at the edge of what is private: how far a designed file can be changed, computed here from the
//! numbers in the file by plain fractions, must be exactly how far the certifier lets it go.

use crate::common::{Folder, Random, WARNER, example, texts};
use crate::exact::{Change, fraction, laws, least_failing, pairs};
use lookalike::exact::Rational;
use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};
use serde_json::Value;

/// The largest ratio of any pair at the ε that the named pair has, which the witness must show.
fn largest_ratio(file: &Value, edge: &[&str]) -> Rational {
    let (laws, pairs) = (laws(file), pairs(file));
    let law = |name: &str| &laws.iter().find(|law| law.0 == name).unwrap().1;
    let claimed = &pairs.iter().find(|(a, b, _)| a == edge[0] && b == edge[1]).unwrap().2;
    let same = pairs.iter().filter(|pair| pair.2 == *claimed);
    let ratios = same.flat_map(|(a, b, _)| law(a).iter().zip(law(b)).map(|(p, q)| p / q));
    ratios.max().unwrap()
}

/// Whether the binary takes the file for private; a refusal must come with the right witness.
#[track_caller]
fn certifies(folder: &Folder, file: &Value) -> bool {
    folder.write("changed.json", file.to_string());
    let run = folder.words("certify changed.json --json");
    let verdict = run.json();
    if verdict["certified"] == true {
        assert!(run.code == Some(0) && verdict.get("witness").is_none());
        return true;
    }
    run.exits(1);
    let witness = &verdict["witness"];
    let (edge, output) = (texts(&witness["edge"]), witness["output"].as_str().unwrap());
    let y = texts(&file["categories"]).iter().position(|name| *name == output).unwrap();
    let laws = laws(file);
    let [p, q] = [0, 1].map(|end| &laws.iter().find(|law| law.0 == edge[end]).unwrap().1[y]);
    if q.is_zero() {
        assert!(p.is_positive() && witness["ratio"].is_null() && verdict["epsilon"]["upper"].is_null());
    } else {
        let ratio = fraction(witness["ratio"].as_str().unwrap());
        assert_eq!((&ratio, &ratio), (&(p / q), &largest_ratio(file, &edge)));
    }
    false
}

/// Holds the boundary of every change of the file that has one; returns how many had.
#[track_caller]
fn hold_boundaries(folder: &Folder, file: &Value, changes: impl IntoIterator<Item = Change>) -> usize {
    let mut count = 0;
    for change in changes {
        let room = change.room(file);
        match least_failing(file, change) {
            Some(least) if least <= room.into() => {
                let least = u64::try_from(least).unwrap();
                assert!(certifies(folder, &change.apply(file, least - 1)), "{change:?} by {least} − 1 must pass");
                assert!(!certifies(folder, &change.apply(file, least)), "{change:?} by {least} must fail");
                count += 1;
            }
            _ => assert!(certifies(folder, &change.apply(file, room)), "{change:?} by all of {room} must pass"),
        }
    }
    count
}

/// Every move between two outputs of every row of every channel that has rows.
fn all_moves(file: &Value) -> Vec<Change> {
    let mut moves = Vec::new();
    for (channel, entry) in file["channels"].as_array().unwrap().iter().enumerate() {
        // A profile that is released as it is has the keep form.
        let Some(rows) = entry["rows"].as_array().map(Vec::len) else { continue };
        for (row, from, to) in (0..rows * rows * rows).map(|at| (at / rows / rows, at / rows % rows, at % rows)) {
            if from != to && entry["rows"][row][from] != 0 {
                moves.push(Change::Move { channel, row, from, to });
            }
        }
    }
    moves
}

#[test]
fn warner_is_exact_and_every_move_towards_the_truth_fails_at_its_first_unit() {
    let folder = Folder::new();
    let file = folder.design_toml(WARNER);
    let toward_truth = |row: usize| Change::Move { channel: 0, row, from: 1 - row, to: row };
    assert_eq!([0, 1].map(|row| least_failing(&file, toward_truth(row))), [Some(BigInt::one()), Some(BigInt::one())]);
    assert_eq!(hold_boundaries(&folder, &file, all_moves(&file)), 4);
}

#[test]
fn the_workstations_and_the_commute_fail_exactly_where_their_slack_ends() {
    for (spec, channels) in [("workstations/spec.toml", 12), ("commute/spec.toml", 4)] {
        let folder = Folder::new();
        let file = folder.design(&example(spec));
        assert_eq!(file["channels"].as_array().unwrap().len(), channels);
        let ends =
            |change: &Change| least_failing(&file, *change).is_some_and(|least| least <= change.room(&file).into());
        let (ending, endless): (Vec<Change>, Vec<Change>) = all_moves(&file).into_iter().partition(ends);
        // Of the moves that pass as a whole, every tenth will do.
        let moves = ending.into_iter().chain(endless.into_iter().step_by(10));
        let held = hold_boundaries(&folder, &file, moves);
        assert!(held >= 20, "{spec}: only {held} moves had a boundary");
    }
}

#[test]
fn a_channel_in_the_keep_form_fails_exactly_where_its_slack_ends() {
    let folder = Folder::new();
    let names: Vec<String> = (0..70).map(|at| format!("v{at}")).collect();
    let law = |heavy: usize| (0..70).map(|x| if x == heavy { "31/100" } else { "1/100" }).collect::<Vec<_>>();
    let spec = serde_json::json!({
        "epsilon": "1/3", "categories": names, "profiles": { "ana": law(0), "bo": law(69) },
        "graph": { "shape": "chain" },
    });
    let file = folder.design_with(&folder.write("spec.json", spec.to_string()), &["--mechanism", "cluster"]);
    assert!(file["channels"][0].get("keep").is_some(), "d > 64 is stored as keep and redraw");
    let keeps = [0, 1, 35, 69].map(|input| Change::Keep { channel: 0, input });
    let redraws =
        [(0, 69), (69, 0), (0, 1), (1, 0), (20, 30)].map(|(from, to)| Change::Redraw { channel: 0, from, to });
    assert!(hold_boundaries(&folder, &file, keeps.into_iter().chain(redraws)) >= 5);
}

/// A spec of 2 to 5 profiles over 2 to 5 categories: a chain and some more edges, each with an ε of its own.
fn random_spec(random: &mut Random) -> Value {
    const EPSILONS: [&str; 7] = ["0.1", "1/2", "ln(3)", "1/3*ln(5/2)", "1.25", "1/2*sqrt(2)", "ln(2)"];
    let (count, size) = (2 + random.below(4), 2 + random.below(4));
    let mut profiles = serde_json::Map::new();
    for at in 0..count {
        // Zeros are likely, and so are profiles that exclude each other's values.
        let weights: Vec<u64> = (0..size).map(|_| random.below(8)).collect();
        let sum = weights.iter().sum::<u64>();
        let law: Vec<String> = match sum {
            0 => (0..size).map(|_| format!("1/{size}")).collect(),
            sum => weights.iter().map(|weight| format!("{weight}/{sum}")).collect(),
        };
        profiles.insert(format!("p{at}"), law.into());
    }
    let mut edges = Vec::new();
    for a in 0..count {
        for b in a + 1..count {
            if b == a + 1 || random.below(3) == 0 {
                let epsilon = EPSILONS[random.below(7) as usize];
                edges.push(serde_json::json!([format!("p{a}"), format!("p{b}"), epsilon]));
            }
        }
    }
    let categories: Vec<String> = (0..size).map(|at| format!("v{at}")).collect();
    let channel = if random.below(3) == 0 { "shared" } else { "aware" };
    serde_json::json!({
        "epsilon": 1, "categories": categories, "channel": channel, "profiles": profiles,
        "graph": { "edges": edges },
    })
}

#[test]
fn forty_random_specs_fail_exactly_where_their_slack_ends() {
    let (folder, mut random, mut held) = (Folder::new(), Random(2019), 0);
    for _ in 0..40 {
        let spec = random_spec(&mut random);
        let file = folder.design(&folder.write("spec.json", spec.to_string()));
        let moves = all_moves(&file);
        let chosen: Vec<Change> = (0..if moves.is_empty() { 0 } else { 5 })
            .map(|_| moves[random.below(moves.len() as u64) as usize])
            .collect();
        held += hold_boundaries(&folder, &file, chosen);
    }
    assert!(held > 60, "only {held} of 200 moves had a boundary");
}
