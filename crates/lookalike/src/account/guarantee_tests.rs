//! What each kind of mechanism is taken to promise.

use super::*;
use crate::exact::parse_rational;
use crate::model::{Categories, Channel, Distribution, Encoding, Names, Region, TOTAL};

fn graph(names: Names) -> SecretGraph {
    let mut builder = SecretGraph::builder(names);
    builder.edge(0, 1, "ln(3)".parse().unwrap()).unwrap();
    builder.edge(0, 2, "1".parse().unwrap()).unwrap();
    builder.build().unwrap()
}

#[test]
fn finite_mechanisms_hide_laws_or_points_along_their_graph() {
    let categories = Categories::new(["x", "y", "z"]).unwrap();
    let channel = || Channel::rows(vec![vec![TOTAL, 0, 0]; 3]).unwrap();
    let point =
        Mechanism::point(categories.clone(), categories.clone(), graph(categories.names().clone()), channel()).unwrap();
    let found = Guarantee::of_mechanism(&point).unwrap();
    assert_eq!((found.secrets(), found.epsilon().to_string().as_str()), (Secrets::Points, "ln(3)"));
    assert_eq!(found.pairs(), &Pairs::Graph(point.graph().clone()));
    assert_eq!(found.to_string(), r#"3 values: "x", "y", "z""#);

    let profiles = graph(Names::new("profile", ["ana", "bo", "cleo"]).unwrap());
    let law = Distribution::new(&["1/2", "1/4", "1/4"].map(|text| parse_rational(text).unwrap())).unwrap();
    let laws = vec![law; 3];
    let shared =
        Mechanism::shared(categories.clone(), categories.clone(), profiles.clone(), laws.clone(), channel()).unwrap();
    let aware = Mechanism::aware(categories.clone(), categories, profiles, laws, vec![channel()], vec![0; 3]).unwrap();
    for mechanism in [shared, aware] {
        let found = Guarantee::of_mechanism(&mechanism).unwrap();
        assert_eq!(
            (found.secrets(), found.to_string().as_str()),
            (Secrets::Laws, r#"3 profiles: "ana", "bo", "cleo""#)
        );
    }
}

#[test]
fn an_oracle_is_one_group_of_its_categories() {
    let categories = Categories::new((0..100_000).map(|at| at.to_string())).unwrap();
    let encoding = Encoding::Unary { one: TOTAL / 2, other: TOTAL / 4 };
    let oracle = Oracle::new(categories, "ln(3)".parse().unwrap(), encoding).unwrap();
    let found = Guarantee::of_oracle(&oracle).unwrap();
    assert_eq!((found.secrets(), found.epsilon()), (Secrets::Points, oracle.epsilon()));
    let Pairs::Graph(graph) = found.pairs() else { panic!("a graph") };
    assert_eq!((graph.pairs(), graph.groups().len(), graph.edges().len()), (4_999_950_000, 1, 0));
}

#[test]
fn noise_says_which_numbers_or_places_it_hides() {
    let epsilon = || "ln(4)/200".parse::<Epsilon>().unwrap();
    let noise = Noise::for_epsilon(epsilon(), parse_rational("0.3").unwrap(), -2).unwrap();
    let found = Guarantee::of_noise(&noise).unwrap();
    assert_eq!((found.to_string().as_str(), found.epsilon()), ("numbers at most 3/10 apart", &epsilon()));
    let number = |text| parse_rational(text).unwrap();
    let region = Region::new(number("45.07"), number("7.69"), number("20000")).unwrap();
    let planar = PlanarNoise::for_epsilon(epsilon(), region, -3).unwrap();
    let found = Guarantee::of_planar(&planar).unwrap();
    assert_eq!((found.to_string().as_str(), found.epsilon()), ("places, a metre", &epsilon()));
    assert_eq!(found.secrets(), Secrets::Points);
}

#[test]
fn chains_and_kinds_need_a_name() {
    let epsilon: Epsilon = "1".parse().unwrap();
    let chain = Guarantee::of_chain("activity.toml", &epsilon).unwrap();
    assert_eq!((chain.secrets(), chain.to_string().as_str()), (Secrets::Moments, "moments of activity.toml"));
    assert!(Guarantee::of_chain(" ", &epsilon).unwrap_err().to_string().contains("expected one that says which"));
    let nameless = Guarantee::new(Secrets::Points, Pairs::Every { what: String::new(), epsilon });
    assert!(nameless.unwrap_err().to_string().starts_with("secrets without a name"));
}
