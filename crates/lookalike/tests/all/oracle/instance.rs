//! Problems as the tests see them: small whole numbers, from which both the library's problem and the oracle's
//! program are made, each on its own.

use lookalike::design::{Objective, Problem};
use lookalike::exact::{Natural, Rational};
use lookalike::model::{Categories, Distribution, Epsilon, Loss, Names, Prior, SecretGraph};

pub use lookalike::model::Kind;

/// A budget: the text that the library reads, and the value that the oracle uses.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Budget(pub &'static str, pub f64);

/// What is to be kept small.
#[derive(Debug, Clone, PartialEq)]
pub enum Goal {
    MaxFlip,
    ExpectedError,
    OrdinalError,
    /// Costs in quarters, inputs × outputs.
    Loss(Vec<Vec<u32>>),
}

/// A problem. For the kind point the profiles do not count and there are as many secrets as categories.
#[derive(Debug, Clone)]
pub struct Instance {
    pub kind: Kind,
    pub categories: usize,
    /// Weights of the categories, a row a profile.
    pub profiles: Vec<Vec<u64>>,
    pub edges: Vec<(usize, usize, Budget)>,
    pub groups: Vec<(Vec<usize>, Budget)>,
    pub goal: Goal,
    /// Weights of the secrets.
    pub prior: Vec<u64>,
}

impl Instance {
    /// Profiles in a chain, all with one budget, in an aware problem with the paper's objective.
    pub fn chain(profiles: Vec<Vec<u64>>, budget: Budget) -> Self {
        let (k, categories) = (profiles.len(), profiles[0].len());
        let edges = (1..k).map(|at| (at - 1, at, budget)).collect();
        let (groups, goal, prior) = (Vec::new(), Goal::MaxFlip, vec![1; k]);
        Instance { kind: Kind::Aware, categories, profiles, edges, groups, goal, prior }
    }

    /// The same with another kind. Values have as many secrets as there are categories: the graph must fit.
    pub fn of_kind(&self, kind: Kind) -> Self {
        Instance { kind, ..self.clone() }
    }

    /// The same with another goal.
    pub fn with_goal(&self, goal: Goal) -> Self {
        Instance { goal, ..self.clone() }
    }

    /// The library's problem.
    pub fn problem(&self) -> Problem {
        let categories = Categories::new((0..self.categories).map(|x| format!("c{x}"))).unwrap();
        let names = match self.kind {
            Kind::Point => categories.names().clone(),
            _ => Names::new("profile", (0..self.profiles.len()).map(|s| format!("p{s}"))).unwrap(),
        };
        let mut builder = SecretGraph::builder(names);
        let epsilon = |budget: &Budget| budget.0.parse::<Epsilon>().unwrap();
        for (a, b, budget) in &self.edges {
            builder.edge(*a as u32, *b as u32, epsilon(budget)).unwrap();
        }
        for (at, (members, budget)) in self.groups.iter().enumerate() {
            let members = members.iter().map(|&member| member as u32).collect();
            builder.group(&format!("g{at}"), members, epsilon(budget)).unwrap();
        }
        let graph = builder.build().unwrap();
        let law = |weights: &Vec<u64>| Distribution::from_weights(weights.iter().map(|&w| Natural::from(w)).collect());
        let problem = match self.kind {
            Kind::Point => Problem::values(categories, graph).unwrap(),
            _ => {
                let laws = self.profiles.iter().map(law).collect::<Result<_, _>>().unwrap();
                Problem::profiles(categories, graph, laws).unwrap()
            }
        };
        let problem = if self.kind == Kind::Shared { problem.shared().unwrap() } else { problem };
        let weights: Vec<_> = self.prior.iter().map(|&weight| Rational::from_integer(weight.into())).collect();
        problem.with_prior(Prior::new(&weights).unwrap()).unwrap().with_objective(self.objective()).unwrap()
    }

    fn objective(&self) -> Objective {
        let quarter = |&cost: &u32| Rational::new(cost.into(), 4.into());
        match &self.goal {
            Goal::MaxFlip => Objective::MaxFlip,
            Goal::ExpectedError => Objective::ExpectedError,
            Goal::OrdinalError => Objective::OrdinalError,
            Goal::Loss(quarters) => {
                let entries = quarters.iter().map(|row| row.iter().map(quarter).collect()).collect();
                Objective::Loss(Loss::matrix(entries, self.categories).unwrap())
            }
        }
    }

    /// The law of the input given each secret.
    pub fn laws(&self) -> Vec<Vec<f64>> {
        let d = self.categories;
        if self.kind == Kind::Point {
            return (0..d).map(|s| (0..d).map(|x| f64::from(u8::from(x == s))).collect()).collect();
        }
        self.profiles.iter().map(|weights| normalized(weights)).collect()
    }

    /// The prior.
    pub fn weights(&self) -> Vec<f64> {
        normalized(&self.prior)
    }

    /// Every ordered pair that must look alike, with e^ε; a pair that is asked for twice comes twice.
    pub fn directed_pairs(&self) -> Vec<(usize, usize, f64)> {
        let mut pairs: Vec<_> = self.edges.iter().map(|&(a, b, budget)| (a, b, budget.1.exp())).collect();
        for (members, budget) in &self.groups {
            for (at, &a) in members.iter().enumerate() {
                pairs.extend(members[at + 1..].iter().map(|&b| (a, b, budget.1.exp())));
            }
        }
        pairs.iter().flat_map(|&(a, b, ratio)| [(a, b, ratio), (b, a, ratio)]).collect()
    }

    /// The smallest ε of all.
    pub fn smallest_budget(&self) -> Budget {
        let budgets = self.edges.iter().map(|edge| edge.2).chain(self.groups.iter().map(|group| group.1));
        budgets.min_by(|a, b| a.1.total_cmp(&b.1)).unwrap()
    }

    /// The costs that are averaged, inputs × outputs; `None` for a maximum.
    pub fn costs(&self) -> Option<Vec<Vec<f64>>> {
        let cost = |x: usize, y: usize| match &self.goal {
            Goal::MaxFlip => 0.0,
            Goal::ExpectedError => f64::from(u8::from(x != y)),
            Goal::OrdinalError => x.abs_diff(y) as f64,
            Goal::Loss(quarters) => f64::from(quarters[x][y]) / 4.0,
        };
        let d = self.categories;
        (self.goal != Goal::MaxFlip).then(|| (0..d).map(|x| (0..d).map(|y| cost(x, y)).collect()).collect())
    }

    /// The largest change of the objective when a probability moves by 1.
    pub fn largest_cost(&self) -> f64 {
        self.costs().map_or(1.0, |costs| costs.into_iter().flatten().fold(0.0, f64::max))
    }

    /// The objective of a mechanism given by its entries A^s(x, y), over inputs with P_s(x) > 0.
    pub fn value_of(&self, entry: impl Fn(usize, usize, usize) -> f64) -> f64 {
        let (d, weights, costs) = (self.categories, self.weights(), self.costs());
        let (mut sum, mut largest) = (0.0, 0f64);
        for (secret, law) in self.laws().iter().enumerate() {
            for (x, y) in (0..d * d).map(|at| (at / d, at % d)).filter(|&(x, _)| law[x] > 0.0) {
                match &costs {
                    None if x != y => largest = largest.max(entry(secret, x, y)),
                    None => {}
                    Some(costs) => sum += weights[secret] * law[x] * costs[x][y] * entry(secret, x, y),
                }
            }
        }
        if costs.is_some() { sum } else { largest }
    }
}

fn normalized(weights: &[u64]) -> Vec<f64> {
    let sum: u64 = weights.iter().sum();
    weights.iter().map(|&weight| weight as f64 / sum as f64).collect()
}
