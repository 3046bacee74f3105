//! The Markov Quilt mechanism for Bayesian networks, by quilts that are given.

use super::walk::rounded_up;
use super::{Network, group};
use crate::exact::{Epsilon, Rational, enclose_ln};
use crate::model::Noise;
use crate::{Error, Result};
use num_bigint::BigInt;
use num_traits::{Inv, Signed, Zero};

/// The scale σ of a quilt mechanism on a network, and the node and the quilt it comes from.
///
/// # Guarantee
/// For every network of Θ and every node X_i there is a quilt X_Q with `card/σ + e ≤ ε`: the nodes of X_R, which are all
/// but the `card` nodes of X_N and X_Q, are independent of X_i given X_Q, and e is the max-influence of X_i on X_Q. So
/// `F + L·σ·Lap(1)`, where one node changes F by at most L in all, is ε-Pufferfish private for the states of each node.
///
/// # Reference
/// Song, Wang and Chaudhuri, Pufferfish Privacy Mechanisms for Correlated Data (2017), definition 4.2 and theorem 4.3.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NetworkCalibration {
    /// σ, rounded up.
    pub scale: Rational,
    /// The place in Θ of the network that needs the most noise.
    pub network: usize,
    /// The place of its node that needs the most noise.
    pub node: usize,
    /// X_Q: the best quilt of that node.
    pub quilt: Vec<usize>,
    /// How many nodes there are in X_N, the node itself included.
    pub card: u64,
    /// The max-influence of the node on its quilt, rounded up.
    pub influence: Rational,
}

impl NetworkCalibration {
    /// Whole-number noise for one coordinate of a query that one node changes by at most `lipschitz` in all, on a grid
    /// of 2^exponent.
    ///
    /// # Errors
    /// As [`Noise::for_epsilon`].
    pub fn noise(&self, lipschitz: &Rational, exponent: i32) -> Result<Noise> {
        Noise::for_epsilon(Epsilon::rational(self.scale.clone().inv())?, lipschitz.clone(), exponent)
    }
}

/// Bits of a logarithm.
const BITS: u64 = 96;

/// The scale that hides every node of every network of Θ, by the best of the quilts given for it.
///
/// `quilts[i]` lists quilts X_Q of node i. Which nodes are then remote follows from the graph ([`Network::remote`]), so
/// that every set of other nodes is a Markov quilt. The empty one is always tried; with it the near side is all that is
/// connected with the node.
///
/// # Errors
/// No network, networks on different graphs; a list of quilts too many or too few, a quilt that names a node that is not
/// there, its own node or a node twice; a quilt with too many combinations of states to enumerate.
///
/// # Complexity
/// For each quilt the number of combinations of states of its nodes and all that they descend from.
///
/// # Example
/// ```
/// use lookalike::{exact::parse_rational, model::Distribution, pufferfish::{Network, Node, calibrate_networks}};
/// let law = |texts: [&str; 2]| Distribution::new(&texts.map(|text| parse_rational(text).unwrap())).unwrap();
/// let step = |before| Node { parents: vec![before], table: vec![law(["0.9", "0.1"]), law(["0.4", "0.6"])] };
/// let first = Node { parents: vec![], table: vec![law(["0.8", "0.2"])] };
/// let chain = Network::new(vec![first, step(0), step(1)])?;
/// let quilts = [vec![vec![1]], vec![vec![0], vec![2], vec![0, 2]], vec![vec![1]]];
/// let calibration = calibrate_networks(&[chain], &quilts, &"10".parse()?)?;
/// assert_eq!((calibration.node, calibration.quilt, calibration.card), (1, vec![0, 2], 1));
/// # Ok::<(), lookalike::Error>(())
/// ```
pub fn calibrate_networks(
    theta: &[Network],
    quilts: &[Vec<Vec<usize>>],
    epsilon: &Epsilon,
) -> Result<NetworkCalibration> {
    check(theta, quilts)?;
    let mut worst: Option<NetworkCalibration> = None;
    for (place, network) in theta.iter().enumerate() {
        for (node, quilts) in quilts.iter().enumerate() {
            let best = best_quilt(network, node, quilts, epsilon)?;
            if worst.as_ref().is_none_or(|worst| best.scale > worst.scale) {
                worst = Some(NetworkCalibration { network: place, ..best });
            }
        }
    }
    Ok(worst.expect("a network has nodes"))
}

fn check(theta: &[Network], quilts: &[Vec<Vec<usize>>]) -> Result<()> {
    let first = theta
        .first()
        .ok_or_else(|| Error::input("no network in Θ, expected at least one that the data may come from"))?;
    let nodes = first.nodes().len();
    let shape = |network: &Network| -> Vec<(usize, Vec<usize>)> {
        network.nodes().iter().map(|node| (node.table[0].len(), node.parents.clone())).collect()
    };
    if let Some(place) = theta.iter().position(|network| shape(network) != shape(first)) {
        return Err(Error::input(format!(
            "network {} has other nodes, parents or states than network 1, expected one graph for all",
            place + 1
        )));
    }
    if quilts.len() != nodes {
        return Err(Error::input(format!("quilts for {} nodes, expected {nodes} lists, one a node", quilts.len())));
    }
    for (node, quilt) in quilts.iter().enumerate().flat_map(|(node, list)| list.iter().map(move |quilt| (node, quilt)))
    {
        let twice = (1..quilt.len()).any(|later| quilt[..later].contains(&quilt[later]));
        if twice || quilt.iter().any(|&place| place >= nodes || place == node) {
            let found: Vec<String> = quilt.iter().map(|place| (place + 1).to_string()).collect();
            return Err(Error::input(format!(
                "a quilt of nodes {}, expected other nodes of 1 to {nodes}, each once",
                found.join(", ")
            ))
            .at(format_args!("node {}", node + 1)));
        }
    }
    Ok(())
}

fn best_quilt(network: &Network, node: usize, quilts: &[Vec<usize>], epsilon: &Epsilon) -> Result<NetworkCalibration> {
    let near = |quilt: &[usize]| (network.nodes().len() - quilt.len() - network.remote(node, quilt).len()) as u64;
    let card = near(&[]);
    let scale = group::scale(card, epsilon);
    let mut best = NetworkCalibration { scale, network: 0, node, quilt: vec![], card, influence: Rational::zero() };
    let budget = epsilon.enclose(BITS).lower().to_rational();
    for quilt in quilts {
        let Some(ratio) = network.influence_ratio(node, quilt)? else { continue };
        let influence = enclose_ln(&ratio, BITS).expect("a ratio is positive").upper().to_rational();
        let (card, slack) = (near(quilt), &budget - &influence);
        if slack.is_positive() {
            let scale = rounded_up(&(Rational::from(BigInt::from(card)) / slack));
            if scale < best.scale {
                best = NetworkCalibration { scale, network: 0, node, quilt: quilt.clone(), card, influence };
            }
        }
    }
    Ok(best)
}

#[cfg(test)]
mod tests {
    use super::super::network::tests::{law, networks, true_loss};
    use super::super::{Network, Node};
    use super::*;
    use crate::exact::{Direction, to_f64};
    use proptest::prelude::*;

    fn chain_of_three() -> Network {
        let step = |before| Node { parents: vec![before], table: vec![law(&[9, 1]), law(&[4, 6])] };
        Network::new(vec![Node { parents: vec![], table: vec![law(&[8, 2])] }, step(0), step(1)]).unwrap()
    }

    #[test]
    fn the_scores_of_the_middle_of_a_chain_of_three() {
        let score = |quilts: Vec<Vec<usize>>| {
            let best = best_quilt(&chain_of_three(), 1, &quilts, &"10".parse().unwrap()).unwrap();
            to_f64(&best.scale, Direction::Up)
        };
        for (quilts, expected) in
            [(vec![vec![0]], 0.2437), (vec![vec![2]], 0.2437), (vec![vec![0, 2]], 0.1558), (vec![], 0.3)]
        {
            assert!((score(quilts) - expected).abs() < 5e-5);
        }
    }

    #[test]
    fn what_is_no_quilt_is_named() {
        let error = |quilts: &[Vec<Vec<usize>>]| {
            calibrate_networks(&[chain_of_three()], quilts, &"1".parse().unwrap()).unwrap_err().to_string()
        };
        let none = vec![];
        assert_eq!(error(std::slice::from_ref(&none)), "quilts for 1 nodes, expected 3 lists, one a node");
        assert_eq!(
            error(&[none.clone(), vec![vec![1]], none.clone()]),
            "node 2: a quilt of nodes 2, expected other nodes of 1 to 3, each once"
        );
        assert!(error(&[vec![vec![7]], none.clone(), none.clone()]).starts_with("node 1: a quilt of nodes 8"));
        assert!(error(&[vec![vec![1, 1]], none.clone(), none.clone()]).contains("each once"));
        let quilts = [none.clone(), none.clone(), none];
        assert!(calibrate_networks(&[], &quilts, &"1".parse().unwrap()).unwrap_err().is_input());
        let single = Network::new(vec![Node { parents: vec![], table: vec![law(&[1, 1])] }]).unwrap();
        let error = calibrate_networks(&[chain_of_three(), single], &quilts, &"1".parse().unwrap()).unwrap_err();
        assert!(error.to_string().starts_with("network 2 has other nodes"));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        /// All quilts of all nodes of random networks of five nodes, against all states.
        #[test]
        fn the_true_loss_is_at_most_epsilon(network in networks(5), text in prop::sample::select(vec!["1/4", "1", "3", "8"])) {
            let epsilon: Epsilon = text.parse().unwrap();
            let sets = |node: usize| (1usize..32).filter(|set| set >> node & 1 == 0).map(|set| (0..5).filter(|place| set >> place & 1 == 1).collect()).collect();
            let quilts: Vec<Vec<Vec<usize>>> = (0..5).map(sets).collect();
            let theta = [network];
            let found = calibrate_networks(&theta, &quilts, &epsilon).unwrap();
            prop_assert!(found.scale <= group::scale(5, &epsilon));
            prop_assert!(true_loss(&theta[0], to_f64(&found.scale, Direction::Down)) <= epsilon.to_f64() + 1e-9);
            // Fewer quilts never need less noise.
            let empty = vec![vec![]; 5];
            prop_assert!(calibrate_networks(&theta, &empty, &epsilon).unwrap().scale >= found.scale);
        }
    }

    #[test]
    fn half_of_the_noise_is_too_little() {
        let copy = |before| Node { parents: vec![before], table: vec![law(&[99, 1]), law(&[1, 99])] };
        let network =
            Network::new(vec![Node { parents: vec![], table: vec![law(&[1, 1])] }, copy(0), copy(0)]).unwrap();
        for text in ["1/2", "2"] {
            let epsilon: Epsilon = text.parse().unwrap();
            let theta = [network.clone()];
            let found =
                calibrate_networks(&theta, &[vec![vec![1, 2]], vec![vec![0]], vec![vec![0]]], &epsilon).unwrap();
            assert!(true_loss(&network, to_f64(&found.scale, Direction::Up) / 2.0) > 1.5 * epsilon.to_f64());
        }
    }
}
