use super::*;
use crate::spec::{Alone, Spec};
use std::path::Path;

fn example(name: &str) -> FrameworkFile {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/flu").join(name);
    FrameworkFile::from_toml(&std::fs::read_to_string(path).unwrap(), &Alone).unwrap()
}

fn toml(text: &str) -> Result<FrameworkFile> {
    FrameworkFile::from_toml(text, &Alone)
}

/// Three secrets over two values, with the graph and the laws as given.
fn small(graph: &str, theta: &str) -> Result<FrameworkFile> {
    toml(&format!(
        "epsilon = 1\nvalues = [\"no\", \"yes\"]\nsecrets = [\"a\", \"b\", \"c\"]\n\
         points = [{{ secrets = [\"a\"], value = \"no\" }}, {{ secrets = [\"b\", \"c\"], value = \"yes\" }}]\n\
         [graph]\n{graph}\n[[theta]]\nname = \"one\"\n{theta}\n"
    ))
}

fn error(text: Result<FrameworkFile>) -> String {
    text.map(|_| ()).unwrap_err().to_string()
}

#[test]
fn the_flu_example_has_its_known_laws_and_distance() {
    let file = example("framework.toml");
    let laws = file.framework.profiles();
    let law = |secret: usize| laws[secret].probabilities().map(|p| p.to_string()).collect::<Vec<_>>();
    assert_eq!(law(0), ["1/5", "9/40", "1/2", "3/40", "0"]);
    assert_eq!(law(1), ["0", "3/40", "1/2", "9/40", "1/5"]);
    assert_eq!(file.framework.wasserstein().unwrap().distance().to_string(), "2");
    assert_eq!(file.framework.span().unwrap().to_string(), "4");
    assert_eq!(file.framework.class()[0].belief([1, 0]).unwrap().to_string(), "1/2");
}

#[test]
fn a_joint_law_and_the_laws_that_follow_from_it_are_the_same_framework() {
    let [joint, given] = ["framework.toml", "two-seasons.toml"].map(example);
    assert_eq!(joint.framework.profiles(), &given.framework.profiles()[..2]);
}

#[test]
fn the_spec_reads_back_to_the_framework() {
    let graph = "edges = [[\"a\", \"b\", \"ln(3)\"]]\ngroups = { g = [\"a\", \"c\"], h = { members = [\"a\", \"b\"], epsilon = 2 } }";
    let theta = "given = { a = [0.5, 0.5], b = [\"1/3\", \"2/3\"] }\n[[theta]]\nname = \"x \\\"y\\\" | z\"\njoint = [0.25, 0.75]";
    let files = [example("framework.toml"), example("two-seasons.toml"), small(graph, theta).unwrap()];
    for file in files {
        let text = file.spec_toml();
        let spec = Spec::from_toml(&text, &Alone).unwrap_or_else(|error| panic!("{error}:\n{text}"));
        let (problem, framework) = (&spec.problem, &file.framework);
        assert_eq!(problem.kind(), framework.problem().unwrap().kind());
        assert_eq!(problem.profile_laws(), framework.profiles());
        let (read, meant) = (problem.graph(), framework.graph());
        assert!(read.names().iter().eq(meant.names().iter()), "{text}");
        let count = meant.names().len() as u32;
        for (one, other) in (0..count).flat_map(|one| (one + 1..count).map(move |other| (one, other))) {
            assert_eq!(read.epsilon_between(one, other), meant.epsilon_between(one, other), "{one} {other}\n{text}");
        }
    }
}

#[test]
fn no_edge_joins_different_laws_and_impossible_secrets_are_left_out() {
    let theta = "given = { a = [0.5, 0.5], b = [0, 1] }\n[[theta]]\nname = \"two\"\ngiven = { c = [1, 0], a = [0, 1] }";
    let file = small("shape = \"star\"", theta).unwrap();
    let names: Vec<&str> = file.framework.graph().names().iter().collect();
    assert_eq!(names, ["a | one", "b | one", "a | two", "c | two"]);
    let joined = |one, other| file.framework.graph().epsilon_between(one, other).is_some();
    assert!(joined(0, 1) && joined(2, 3) && !joined(0, 2) && !joined(0, 3) && !joined(1, 2));
}

#[test]
fn mistakes_are_named_with_their_place() {
    let edge = "edges = [[\"a\", \"b\"]]";
    let given = |text: &str| error(small(edge, text));
    assert_eq!(
        given("given = { a = [0.5, 0.5], b = [1] }"),
        "theta 1: given: secret \"b\": 1 probabilities, expected 2, one for each value of the query"
    );
    assert_eq!(
        given("given = { a = [0.5, 0.5], b = [0.5, 0.6] }"),
        "theta 1: given: secret \"b\": probabilities sum to 11/10, expected 1 (set normalize = true to rescale)"
    );
    assert_eq!(given("given = { d = [0.5, 0.5] }"), "theta 1: given: \"d\" is not known, expected one of a, b, c");
    assert_eq!(given("joint = [1]"), "theta 1: joint: 1 probabilities, expected 2, one for each point");
    assert!(given("").starts_with("theta 1: given is missing"));
    assert_eq!(given("given = {}\njoint = [0.5, 0.5]"), "theta 1: both given and joint, expected one of them");
    assert!(given("given = { a = [0.5, 0.5] }").starts_with("no pair has both of its secrets possible"));
    assert_eq!(
        error(small("edges = [[\"b\", \"c\"]]", "joint = [0.5, 0.5]")),
        "point 2: \"b\" and \"c\" are a pair that must look alike and both true here, expected secrets that exclude each \
         other"
    );
    assert_eq!(
        error(toml("epsilon = 1\nvalues = [0, \"x\"]\n")),
        "values: value 2: \"x\" is not a number, expected a form like 0.25, 1e-3 or 1/3"
    );
    assert!(error(toml("epsilon = 1\nvalues = [2, 1]")).starts_with("values: value 2 is 1, expected more than 2"));
    assert!(
        error(toml("epsilon = 1\nvalues = [0]\nsecrets = [\"a\"]\nthetas = 1")).contains("key \"thetas\" is not known")
    );
    assert_eq!(
        error(toml("epsilon = 1\nvalues = [0, 1]\nsecrets = [\"a\", \"b\"]\ngraph.shape = \"chain\"\ntheta = []")),
        "the class of laws is empty, expected at least one that the data may come from"
    );
}

#[test]
fn numbers_may_be_fractions_and_names_stay_names() {
    let values = |text: &str| {
        let tree = Tree::from_toml(&format!("values = {text}")).unwrap();
        Fields::of(&tree).unwrap().required("values", read_values).unwrap()
    };
    assert!(values("[0, \"1/2\", 1.5]").as_numbers().is_ok() && values("[\"1\", \"2\"]").as_numbers().is_ok());
    assert!(values("[\"low\", \"2\"]").as_numbers().is_err());
}
