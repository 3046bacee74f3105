//! Framework files: secrets, pairs and laws, as TOML or JSON.
//!
//! ```toml
//! epsilon = 1
//! values = [0, 1, 2]                  # what the query can give: ascending numbers, or names
//! secrets = ["ana is well", "ana is ill"]
//!
//! [graph]                             # the pairs, in the words of a spec
//! edges = [["ana is well", "ana is ill"]]
//!
//! [[theta]]                           # one for each law that the data may have come from
//! name = "flu"
//! given = { "ana is well" = [0.5, 0.5, 0], "ana is ill" = [0, 0.5, 0.5] }
//! ```
//!
//! The whole format is described in `docs/pufferfish-frameworks.md`.

use crate::error::{Error, Result};
use crate::spec::{Beside, Budgets, place, read_graph, read_law};
use crate::text::{Fields, Tree};
use lookalike::exact::{Epsilon, Rational};
use lookalike::model::{Categories, Distribution, Names, SecretGraph};
use lookalike::pufferfish::{Framework, Theta, Values};

/// A framework file that has been read and checked.
#[derive(Debug, Clone)]
pub struct FrameworkFile {
    /// Secrets, pairs and laws.
    pub framework: Framework,
    /// The ε of pairs that have none of their own.
    pub epsilon: Epsilon,
}

const KEYS: [&str; 7] = ["epsilon", "values", "secrets", "normalize", "graph", "points", "theta"];

impl FrameworkFile {
    /// The framework in a TOML text; an `edges_file` is `beside` it.
    ///
    /// # Errors
    /// Content that is no framework.
    pub fn from_toml(text: &str, beside: &dyn Beside) -> Result<Self> {
        FrameworkFile::from_tree(&Tree::from_toml(text)?, beside)
    }

    /// The framework in a JSON text; an `edges_file` is `beside` it.
    ///
    /// # Errors
    /// Content that is no framework.
    pub fn from_json(text: &str, beside: &dyn Beside) -> Result<Self> {
        FrameworkFile::from_tree(&Tree::from_json(text)?, beside)
    }

    fn from_tree(tree: &Tree, beside: &dyn Beside) -> Result<Self> {
        let fields = Fields::with(tree, &KEYS)?;
        let epsilon = Budgets::default().of(&fields)?.ok_or_else(|| missing("epsilon", "for example epsilon = 0.5"))?;
        let values = fields.read("values", read_values)?;
        let values = values.ok_or_else(|| missing("values", "what the query can give: ascending numbers, or names"))?;
        let secrets = fields.read("secrets", |tree| Ok(Names::new("secret", tree.texts()?)?))?;
        let secrets = secrets.ok_or_else(|| missing("secrets", "a list of names"))?;
        let pairs = fields.read("graph", |tree| read_graph(tree, secrets.clone(), &epsilon, true, beside))?;
        let pairs = pairs.ok_or_else(|| missing("graph", "edges, groups or a shape: which secrets must look alike"))?;
        let normalize = fields.read("normalize", Tree::bool)?.unwrap_or(false);
        let points = fields.get("points").map(|tree| tree.each("point", |tree| read_point(tree, &pairs, &values)));
        let laws = Laws { secrets: &secrets, values: &values, points: points.transpose()?, normalize };
        let class =
            fields.get("theta").ok_or_else(|| missing("theta", "a [[theta]] for each law the data may have"))?;
        let class = class.each("theta", |tree| laws.read(tree))?;
        Ok(FrameworkFile { framework: Framework::new(pairs, values, class)?, epsilon })
    }
}

fn missing(key: &str, hint: &str) -> Error {
    Error::input(format!("{key} is missing ({hint})"))
}

/// Numbers where every item reads as one, else names.
fn read_values(tree: &Tree) -> Result<Values> {
    let has_number = tree.list()?.iter().any(|item| matches!(item, Tree::Number(_)));
    let numbers: Result<Vec<Rational>> = tree.each("value", Tree::rational);
    match numbers {
        Ok(numbers) => Ok(Values::numbers(numbers)?),
        Err(_) if !has_number => Ok(Values::named(Categories::new(tree.texts()?)?)),
        Err(error) => Err(error),
    }
}

/// A data set that may occur: what is true of it, and what the query gives.
struct Point {
    secrets: Vec<u32>,
    value: usize,
}

fn read_point(tree: &Tree, pairs: &SecretGraph, values: &Values) -> Result<Point> {
    let fields = Fields::with(tree, &["secrets", "value"])?;
    let names = pairs.names();
    let secrets = fields.required("secrets", |tree| tree.each("secret", |item| place(names, item.text()?)))?;
    let value = fields.required("value", |tree| value_place(tree, values))?;
    for (at, &one) in secrets.iter().enumerate() {
        if let Some(&other) = secrets[at + 1..].iter().find(|&&other| pairs.epsilon_between(one, other).is_some()) {
            return Err(Error::input(format!(
                "{:?} and {:?} are a pair that must look alike and both true here, expected secrets that exclude each other",
                names.name(one),
                names.name(other)
            )));
        }
    }
    Ok(Point { secrets, value })
}

fn value_place(tree: &Tree, values: &Values) -> Result<usize> {
    let found = match values.as_numbers() {
        Ok(numbers) => {
            let number = tree.rational()?;
            numbers.iter().position(|value| *value == number)
        }
        Err(_) => values.categories().names().place(tree.text()?).map(|place| place as usize),
    };
    found.ok_or_else(|| Error::input(format!("{} is not one of the values", tree.number_text().unwrap_or_default())))
}

/// What the laws of a file are read with.
struct Laws<'a> {
    secrets: &'a Names,
    values: &'a Values,
    points: Option<Vec<Point>>,
    normalize: bool,
}

impl Laws<'_> {
    /// One `[[theta]]`: `given`, the law of the query for each possible secret, or `joint`, the law of the points.
    fn read(&self, tree: &Tree) -> Result<Theta> {
        let fields = Fields::with(tree, &["name", "given", "joint"])?;
        let name = fields.required("name", Tree::text)?;
        let given = fields.read("given", |tree| self.given(tree))?;
        let joint = fields.read("joint", |tree| self.joint(name, tree))?;
        match (given, joint) {
            (Some(laws), None) => Ok(Theta::new(name, laws)),
            (None, Some(theta)) => Ok(theta),
            (None, None) => Err(missing("given", "the law of the query for each secret; or joint, that of the points")),
            (Some(_), Some(_)) => Err(Error::input("both given and joint, expected one of them")),
        }
    }

    /// Secrets that are not named are impossible.
    fn given(&self, tree: &Tree) -> Result<Vec<Option<Distribution>>> {
        let mut laws = vec![None; self.secrets.len()];
        for (name, tree) in tree.table()? {
            let secret = place(self.secrets, name)?;
            let law = self.law(tree, self.values.categories(), "value of the query");
            laws[secret as usize] = Some(law.map_err(|error| error.at(format!("secret {name:?}")))?);
        }
        Ok(laws)
    }

    fn joint(&self, name: &str, tree: &Tree) -> Result<Theta> {
        let points = self.points.as_ref();
        let points = points.ok_or_else(|| missing("points", "the data sets that a joint law is over"))?;
        let places = Categories::new((1..=points.len()).map(|at| at.to_string()))?;
        let joint = self.law(tree, &places, "point")?;
        let holds = |secret: usize, point: usize| points[point].secrets.contains(&(secret as u32));
        let query = |point: usize| points[point].value;
        Ok(Theta::from_joint(name, &joint, self.secrets.len(), holds, self.values.len(), query)?)
    }

    fn law(&self, tree: &Tree, domain: &Categories, what: &str) -> Result<Distribution> {
        let numbers = tree.each("probability", Tree::rational)?;
        if numbers.len() != domain.len() {
            let (found, expected) = (numbers.len(), domain.len());
            return Err(Error::input(format!("{found} probabilities, expected {expected}, one for each {what}")));
        }
        read_law(&numbers, domain, self.normalize)
    }
}

#[cfg(test)]
#[path = "framework_file_tests.rs"]
mod tests;
