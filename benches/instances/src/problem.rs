//! An instance as the library has it.

use crate::{Channels, Instance, Objective};
use lookalike::Result;
use lookalike::design::{Objective as Goal, Problem};
use lookalike::exact::Rational;
use lookalike::model::{Categories, Distribution, Loss, Names, Prior, SecretGraph};

impl Instance {
    /// The problem that the library designs for.
    ///
    /// # Errors
    /// None for an instance of the set.
    pub fn problem(&self) -> Result<Problem> {
        let categories = Categories::new((0..self.categories).map(|x| format!("c{x}")))?;
        let names = match self.channels {
            Channels::Point => categories.names().clone(),
            _ => Names::new("profile", (0..self.secrets()).map(|at| format!("p{at}")))?,
        };
        let graph = self.graph(names)?;
        let problem = match self.channels {
            Channels::Point => Problem::values(categories, graph)?,
            _ => {
                let law =
                    |weights: &Vec<u64>| Distribution::from_weights(weights.iter().map(|&mass| mass.into()).collect());
                Problem::profiles(categories, graph, self.profiles.iter().map(law).collect::<Result<_>>()?)?
            }
        };
        let problem = if self.channels == Channels::Shared { problem.shared()? } else { problem };
        let problem = problem.with_objective(self.goal()?)?;
        if self.prior.is_empty() {
            return Ok(problem);
        }
        let weights: Vec<Rational> = self.prior.iter().map(|&weight| whole(weight)).collect();
        problem.with_prior(Prior::new(&weights)?)
    }

    fn graph(&self, names: Names) -> Result<SecretGraph> {
        let mut builder = SecretGraph::builder(names);
        for (a, b, epsilon) in &self.edges {
            builder.edge(*a, *b, epsilon.parse()?)?;
        }
        for (at, (members, epsilon)) in self.groups.iter().enumerate() {
            builder.group(&format!("g{at}"), members.clone(), epsilon.parse()?)?;
        }
        builder.build()
    }

    fn goal(&self) -> Result<Goal> {
        let size = self.categories;
        Ok(match self.objective {
            Objective::MaxFlip => Goal::MaxFlip,
            Objective::ExpectedError => Goal::ExpectedError,
            Objective::Ordinal => Goal::OrdinalError,
            Objective::Squared => {
                let row = |x: usize| (0..size).map(|y| whole(self.objective.cost(x, y))).collect();
                Goal::Loss(Loss::matrix((0..size).map(row).collect(), size)?)
            }
        })
    }
}

fn whole(number: u64) -> Rational {
    Rational::from_integer(number.into())
}
