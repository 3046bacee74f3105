//! Tests of chain files.

use super::*;
use proptest::prelude::*;

fn error(text: &str) -> String {
    ChainFile::from_toml(text).unwrap_err().to_string()
}

const ONE: &str = "states = ['idle', 'walk']\ninitial = 'stationary'\ntransition = [[0.9, 0.1], ['2/5', 0.6]]\n";

#[test]
fn one_chain_several_and_a_box() {
    let one = ChainFile::from_toml(ONE).unwrap();
    let ChainClass::Chains(chains) = &one.class else { panic!("a chain") };
    assert_eq!(chains[0].transition()[1].probability(0).to_string(), "2/5");
    assert_eq!(one.chain_name(0), "chain 1");

    let several = ChainFile::from_toml(
        "bins = [0, 0.5]\nvalues = [0.25, 1]\ninitial = 'arbitrary'\nnormalize = true\n\
         [[chain]]\nname = 'day'\ntransition = [[9, 1], [4, 6]]\n\
         [[chain]]\nname = 'night'\ninitial = [1, 0]\ntransition = [[1, 1], [1, 1]]",
    )
    .unwrap();
    let ChainClass::Chains(chains) = &several.class else { panic!("chains") };
    assert!(matches!((chains[0].initial(), chains[1].initial()), (Initial::Arbitrary, Initial::Given(_))));
    assert_eq!((several.chain_name(1), several.states.name(0)), ("chain \"night\"".into(), "0..1/2"));

    let limits = ChainFile::from_toml(
        "states = ['a b', 'c']\ninitial = 'arbitrary'\n[leave]\nc = [0.2, 0.4]\n'a b' = [0.1, 0.3]",
    );
    let ChainClass::Box(limits) = limits.unwrap().class else { panic!("a box") };
    assert_eq!((limits.up()[1].to_string(), limits.down()[0].to_string()), ("3/10".into(), "1/5".into()));
}

#[test]
fn json_has_the_same_keys() {
    let json = r#"{"states": ["idle", "walk"], "initial": "stationary", "transition": [[0.9, 0.1], ["2/5", 0.6]]}"#;
    assert_eq!(ChainFile::from_json(json).unwrap().to_toml(), ChainFile::from_toml(ONE).unwrap().to_toml());
}

#[test]
fn what_is_no_chain_is_refused_with_its_place() {
    assert_eq!(
        error(&ONE.replace("0.1]", "0.2]")),
        "transition: row 1: probabilities sum to 11/10, expected 1 (set normalize = true to rescale)"
    );
    assert!(error(&ONE.replace("0.1]", "x]")).starts_with("not TOML: string values must be quoted"));
    assert!(error(&ONE.replace("0.1]", "'x']")).starts_with("transition: row 1: probability 2: "));
    assert_eq!(error(&ONE.replace("'walk'", "'walk', 'run'")), "chain 1: transition: 2 rows, expected 3, one a state");
    assert_eq!(error(&ONE.replace("'walk'", "'idle'")), "states: state \"idle\" occurs twice, at places 1 and 2");
    assert!(error(&ONE.replace("'stationary'", "'first'")).starts_with("initial: found \"first\", expected"));
    assert!(error(&ONE.replace("'stationary'", "[1, 0, 0]")).contains("3 initial probabilities, expected 2"));
    assert!(error(&ONE.replace("initial = 'stationary'", "")).starts_with("initial is missing"));
    assert!(error("states = ['a']\ninitial = 'arbitrary'").starts_with("transition is missing"));
    assert!(error(&format!("{ONE}[leave]\nidle = [0, 1]\nwalk = [0, 1]")).starts_with("more than one of"));
    assert!(error(&format!("{ONE}values = [1]")).starts_with("values: 1 values, expected 2"));
    assert!(error(&format!("{ONE}states = []")).contains("duplicate key"));
    assert!(error(&format!("{ONE}sates = []")).starts_with("key \"sates\" is not known"));
    assert!(error("states = ['a']\nchain = []").contains("no chain, expected at least one"));
    let limits = "states = ['a', 'b']\ninitial = 'arbitrary'\n[leave]\n";
    assert!(error(&format!("{limits}a = [0.1, 0.2]")).ends_with("b is missing"));
    assert!(error(&format!("{limits}a = [0.1, 0.2]\nb = [0.3]")).contains("b: 1 numbers, expected two"));
    assert!(error(&format!("{limits}a = [0.2, 0.1]\nb = [0.3, 0.4]")).contains("ascending order"));
    assert!(error("states = ['a', 'b', 'c']\ninitial = 'arbitrary'\n[leave]\na = [0, 1]").contains("for 3 states"));
    let named = "states = ['a']\ninitial = 'arbitrary'\n[[chain]]\nname = 'x'\ntransition = [[1]]\n[[chain]]\ntransition = [[1]]";
    assert!(error(named).contains("1 of 2 chains have a name"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn the_text_reads_back_as_the_same_chains(
        weights in (2usize..5).prop_flat_map(|d| prop::collection::vec(prop::collection::vec(1u64..50, d), d * 2)),
        start in 0usize..3,
        binned in any::<bool>(),
    ) {
        let states = weights[0].len();
        let law = |row: &Vec<u64>| Distribution::from_weights(row.iter().map(|&w| w.into()).collect()).unwrap();
        let chain = |rows: &[Vec<u64>]| {
            let initial = match start {
                0 => Initial::Stationary,
                1 => Initial::Arbitrary,
                _ => Initial::Given(law(&rows[0])),
            };
            Chain::new(initial, rows.iter().map(law).collect()).unwrap()
        };
        let edges: Vec<Rational> = (0..states).map(|place| Rational::new(place.into(), 3.into())).collect();
        let names = match binned {
            true => Categories::from_bins(edges.clone()).unwrap().names().clone(),
            false => Names::new("state", (0..states).map(|place| format!("s\"{place}\\"))).unwrap(),
        };
        let chains: Vec<Chain> = weights.chunks(states).map(chain).collect();
        let mut file = ChainFile::new(names, ChainClass::Chains(chains.clone()));
        file.bins = binned.then_some(edges.clone());
        file.values = binned.then_some(edges);
        let read = ChainFile::from_toml(&file.to_toml()).unwrap();
        prop_assert_eq!(read.to_toml(), file.to_toml());
        prop_assert_eq!(ChainFile::from_json(&file.to_json()).unwrap().to_toml(), file.to_toml());
        prop_assert_eq!((&read.states, &read.bins, &read.values), (&file.states, &file.bins, &file.values));
        let ChainClass::Chains(back) = &read.class else { panic!("chains") };
        for (one, other) in chains.iter().zip(back) {
            for (row, same) in one.transition().iter().zip(other.transition()) {
                prop_assert!(row.probabilities().eq(same.probabilities()));
            }
        }
    }
}
