use super::*;

#[test]
fn epsilon_is_a_number_or_a_form_in_quotes() {
    let forms = [
        ("0.5", "1/2"),
        ("5e-1", "1/2"),
        ("2", "2"),
        ("\"1/2\"", "1/2"),
        ("\"ln(3)\"", "ln(3)"),
        ("\"2*ln(5/2)\"", "2*ln(5/2)"),
        ("\"ln(4)/200\"", "1/100*ln(2)"),
        ("\"1/2*sqrt(2)\"", "1/2*sqrt(2)"),
    ];
    for (written, expected) in forms {
        let spec = with(&format!("epsilon = {written}"), "edges = [[\"ana\", \"bo\"]]").unwrap();
        assert_eq!(pairs(&spec), [format!("ana bo {expected}")], "{written}");
    }
}

#[test]
fn profiles_are_exact_in_file_order_and_by_default_aware_with_max_flip() {
    let spec = with("epsilon = 1", "shape = \"chain\"").unwrap();
    let problem = &spec.problem;
    assert_eq!(problem.graph().names().iter().collect::<Vec<_>>(), ["ana", "bo", "cleo"]);
    assert_eq!(problem.categories().names().iter().collect::<Vec<_>>(), ["idle", "light", "busy", "full"]);
    assert_eq!(law(&spec, 1), ["3/10", "3/10", "3/10", "1/10"]);
    assert_eq!((problem.kind(), problem.objective()), (Kind::Aware, &Objective::MaxFlip));
    assert_eq!(problem.prior().weight(2).to_string(), "1/3");
}

#[test]
fn bins_take_the_place_of_categories() {
    let text = "epsilon = 1\nbins = [0, 0.5, \"7/2\"]\n[profiles]\nana = [0.5, 0.25, 0.25]\nbo = [1, 0, 0]\n\
                [graph]\nshape = \"chain\"";
    let spec = toml(text).unwrap();
    assert_eq!(spec.problem.categories().names().iter().collect::<Vec<_>>(), ["0..1/2", "1/2..7/2", "7/2.."]);
    assert_eq!(spec.problem.categories().bin_of(&parse_rational("0.5").unwrap()), Some(1));
}

#[test]
fn for_two_categories_one_number_is_the_probability_of_the_second() {
    let spec = bits("", "ana = 0.25\nbo = \"1/3\"\ncleo = [0.5, 0.5]\ndan = 1\neve = 0").unwrap();
    let laws: Vec<_> = (0..5).map(|profile| law(&spec, profile).join(" ")).collect();
    assert_eq!(laws, ["3/4 1/4", "2/3 1/3", "1/2 1/2", "0 1", "1 0"]);
}

#[test]
fn normalize_rescales_each_profile_exactly() {
    let spec = bits("normalize = true", "ana = [1, 2]\nbo = [0.1, 0.2]\ncleo = 0.25").unwrap();
    assert_eq!((law(&spec, 0), law(&spec, 1)), (law(&spec, 1), vec!["1/3".to_owned(), "2/3".to_owned()]));
    assert_eq!(law(&spec, 2), ["3/4", "1/4"]);
    assert!(bits("normalize = false", "ana = [1, 2]\nbo = 1").is_err());
}

#[test]
fn prior_weighs_the_named_profiles_and_leaves_the_others_at_one() {
    let spec = toml(&format!("epsilon = 1\n{PROFILES}\n[prior]\nana = 2\nbo = 0\n[graph]\nshape = \"chain\"")).unwrap();
    let weights: Vec<_> = (0..3).map(|secret| spec.problem.prior().weight(secret).to_string()).collect();
    assert_eq!(weights, ["2/3", "0", "1/3"]);
}

#[test]
fn an_edge_may_have_its_own_epsilon() {
    let spec =
        with("epsilon = 1", "edges = [[\"ana\", \"bo\"], [\"cleo\", \"bo\", 0.25], [\"ana\", \"cleo\", \"ln(9)\"]]");
    assert_eq!(pairs(&spec.unwrap()), ["ana bo 1", "ana cleo 2*ln(3)", "bo cleo 1/4"]);
}

#[test]
fn a_group_makes_every_pair_alike_and_may_have_its_own_epsilon() {
    let spec = with("epsilon = 1", "groups = { all = [\"ana\", \"bo\", \"cleo\"] }").unwrap();
    assert_eq!(pairs(&spec), ["ana bo 1", "ana cleo 1", "bo cleo 1"]);
    let own =
        "groups = { two = { members = [\"ana\", \"bo\"], epsilon = 0.25 }, rest = { members = [\"bo\", \"cleo\"] } }";
    assert_eq!(pairs(&with("epsilon = 1", own).unwrap()), ["ana bo 1/4", "bo cleo 1"]);
}

#[test]
fn shapes_are_over_all_secrets_in_file_order() {
    let shape = |name: &str| pairs(&with("epsilon = 1", &format!("shape = {name:?}")).unwrap());
    assert_eq!(shape("chain"), ["ana bo 1", "bo cleo 1"]);
    assert_eq!(shape("star"), ["ana bo 1", "ana cleo 1"]);
    assert_eq!(shape("complete"), ["ana bo 1", "ana cleo 1", "bo cleo 1"]);
}

#[test]
fn where_parts_of_the_graph_overlap_the_smaller_epsilon_holds() {
    let graph = "edges = [[\"ana\", \"bo\", 2], [\"bo\", \"ana\", 3]]\ngroups = { two = [\"bo\", \"cleo\"] }\n\
                 shape = \"chain\"";
    assert_eq!(pairs(&with("epsilon = 1", graph).unwrap()), ["ana bo 1", "bo cleo 1"]);
    let without = "edges = [[\"ana\", \"bo\", 3], [\"bo\", \"ana\", 2]]";
    assert_eq!(pairs(&with("epsilon = 1", without).unwrap()), ["ana bo 2"], "an own epsilon may be larger");
}

#[test]
fn edges_and_profiles_may_come_from_tables_beside_the_spec() {
    let beside = Texts(&[
        ("edges.csv", "a,b,epsilon\nana,bo,\nbo, cleo ,0.25\n"),
        ("plain.csv", "b,a\r\nana,cleo\r\n"),
        (
            "profiles.csv",
            "profile,full,idle,light,busy\nana,0.1,0.2,0.3,0.4\nbo,1/10,3/10,0.3,0.3\ncleo,0.1,4e-1,0.4,0.1\n",
        ),
        ("bits.csv", "\u{feff}yes,profile\n0.25,ana\n\"1/3\",bo\n"),
    ]);
    let read = |text: &str| Spec::from_toml(text, &beside).unwrap();
    let inline = read(&format!("epsilon = 1{PROFILES}\n[graph]\nedges_file = \"edges.csv\"\n"));
    assert_eq!(pairs(&inline), ["ana bo 1", "bo cleo 1/4"]);
    let tables = "epsilon = 1\ncategories = [\"idle\", \"light\", \"busy\", \"full\"]\n\
                  profiles_file = \"profiles.csv\"\n\
                  [graph]\nedges_file = \"plain.csv\"\nedges = [[\"ana\", \"bo\"]]\n";
    let tables = read(tables);
    assert_eq!(tables.problem.profile_laws(), inline.problem.profile_laws());
    assert_eq!(pairs(&tables), ["ana bo 1", "ana cleo 1"]);
    let short = "epsilon = 1\ncategories = [\"no\", \"yes\"]\nprofiles_file = \"bits.csv\"\ngraph.shape = \"chain\"";
    assert_eq!(law(&read(short), 1), ["2/3", "1/3"]);
}

#[test]
fn values_may_be_the_secrets() {
    let spec = values("", "within = 1").unwrap();
    assert_eq!(pairs(&spec), ["a b 1", "b c 1"]);
    assert_eq!((spec.problem.kind(), spec.problem.profile_laws()), (Kind::Point, &[] as &[Distribution]));
    assert_eq!(pairs(&values("", "within = 2").unwrap()), ["a b 1", "a c 1", "b c 1"]);
    assert_eq!(pairs(&values("", "within = 9223372036854775807").unwrap()).len(), 3);
    assert_eq!(pairs(&values("", "edges = [[\"c\", \"a\"]]").unwrap()), ["a c 1"]);
    assert!(values("", "edges = [[\"c\", \"a\"]]").unwrap().unprotected.is_empty(), "for profiles only");
}

#[test]
fn objective_and_channel_are_chosen_by_name() {
    let with = |top: &str| bits(top, "ana = 0.1\nbo = 0.2").unwrap().problem;
    assert_eq!(with("objective = \"max-flip\"").objective(), &Objective::MaxFlip);
    assert_eq!(with("objective = \"expected-error\"").objective(), &Objective::ExpectedError);
    assert_eq!(with("objective = \"ordinal-error\"").objective(), &Objective::OrdinalError);
    let loss = Loss::matrix(vec![rationals(&["0", "1/2"]), rationals(&["3", "0"])], 2).unwrap();
    for top in ["objective = \"loss\"\nloss = [[0, 0.5], [3, 0]]", "loss = [[0, \"1/2\"], [3, 0]]"] {
        assert_eq!(with(top).objective(), &Objective::Loss(loss.clone()));
    }
    assert_eq!(with("channel = \"shared\"").kind(), Kind::Shared);
    assert_eq!(with("channel = \"aware\"").kind(), Kind::Aware);
}

/// All that a spec says, for comparison.
fn parts(spec: Spec) -> impl PartialEq + std::fmt::Debug {
    let problem = spec.problem;
    let secrets = (problem.graph().clone(), problem.secrets().clone(), problem.prior().clone());
    (problem.categories().clone(), secrets, problem.kind(), problem.objective().clone(), spec.unprotected)
}

fn rationals(texts: &[&str]) -> Vec<Rational> {
    texts.iter().map(|text| parse_rational(text).unwrap()).collect()
}

#[test]
fn profiles_without_an_edge_are_listed_as_unprotected() {
    assert_eq!(with("epsilon = 1", "edges = [[\"ana\", \"cleo\"]]").unwrap().unprotected, ["bo"]);
    assert!(with("epsilon = 1", "shape = \"star\"").unwrap().unprotected.is_empty());
    let alone = "edges = [[\"ana\", \"cleo\"]]\ngroups = { alone = [\"bo\"] }";
    assert_eq!(with("epsilon = 1", alone).unwrap().unprotected, ["bo"], "a group of one asks for nothing");
}

#[test]
fn toml_and_json_with_the_same_keys_are_the_same_spec() {
    let one = r#"
        epsilon = "ln(2)"
        categories = ["no", "yes"]
        channel = "shared"
        objective = "loss"
        loss = [[0, 1], [2.50, 0]]
        [profiles]
        bo = 1_0e-2
        ana = ["1/3", "2/3"]
        [prior]
        ana = 2
        [graph]
        edges = [["ana", "bo", 0.25]]
        [graph.groups.both]
        members = ["bo", "ana"]
        epsilon = 1
    "#;
    let other = r#"{
        "epsilon": "ln(2)", "categories": ["no", "yes"], "channel": "shared", "objective": "loss",
        "loss": [[0, 1], [2.50, 0]], "profiles": {"bo": 10e-2, "ana": ["1/3", "2/3"]}, "prior": {"ana": 2},
        "graph": {"edges": [["ana", "bo", 0.25]],
                  "groups": {"both": {"members": ["bo", "ana"], "epsilon": 1}}}}"#;
    assert_eq!(parts(json(other).unwrap()), parts(toml(one).unwrap()));
}
