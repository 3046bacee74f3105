mod what_is_read;
mod what_is_refused;

use super::*;
use lookalike::exact::parse_rational;
use lookalike::model::{Distribution, Kind};
use proptest::prelude::*;

/// Four loads of three people, without `epsilon` and `[graph]`.
const PROFILES: &str = r#"
categories = ["idle", "light", "busy", "full"]
[profiles]
ana = [0.2, 0.3, 0.4, 0.1]
bo = ["3/10", 0.3, 0.3, 0.1]
cleo = [0.4, 0.4, 0.1, 0.1]
"#;

fn toml(text: &str) -> Result<Spec> {
    Spec::from_toml(text, &Alone)
}

fn json(text: &str) -> Result<Spec> {
    Spec::from_json(text, &Alone)
}

/// A spec over three profiles and four categories with these top keys and this graph.
fn with(top: &str, graph: &str) -> Result<Spec> {
    toml(&format!("{top}\n{PROFILES}\n[graph]\n{graph}"))
}

/// A spec over two categories with these profiles.
fn bits(top: &str, profiles: &str) -> Result<Spec> {
    toml(&format!(
        "epsilon = 1\ncategories = [\"no\", \"yes\"]\n{top}\n[graph]\nshape = \"chain\"\n[profiles]\n{profiles}"
    ))
}

/// A spec over three values.
fn values(top: &str, graph: &str) -> Result<Spec> {
    toml(&format!("epsilon = 1\ncategories = [\"a\", \"b\", \"c\"]\nsecrets = \"values\"\n{top}\n[graph]\n{graph}"))
}

fn error(spec: Result<Spec>) -> String {
    spec.map(|_| ()).unwrap_err().to_string()
}

/// Every pair of the graph with its ε, by name.
fn pairs(spec: &Spec) -> Vec<String> {
    let graph = spec.problem.graph();
    let count = graph.names().len() as u32;
    let all = (0..count).flat_map(|a| (a + 1..count).map(move |b| (a, b)));
    let text = |(a, b)| {
        let epsilon = graph.epsilon_between(a, b)?;
        Some(format!("{} {} {epsilon}", graph.names().name(a), graph.names().name(b)))
    };
    all.filter_map(text).collect()
}

fn law(spec: &Spec, profile: usize) -> Vec<String> {
    spec.problem.profile_laws()[profile].probabilities().map(|p| p.to_string()).collect()
}

/// Tables of CSV in memory, by their names.
struct Texts<'a>(&'a [(&'a str, &'a str)]);

impl Beside for Texts<'_> {
    fn table(&self, name: &str) -> Result<Table> {
        let found = self.0.iter().find(|(known, _)| *known == name);
        found.map_or_else(|| Alone.table(name), |(_, text)| Table::from_csv((*text).to_owned()))
    }
}

proptest! {
    /// Whatever bytes of a spec are changed, the answer is a spec or a message.
    #[test]
    fn no_change_of_bytes_makes_the_reader_panic(at in 0usize..200, byte in any::<u8>(), cut in 0usize..3) {
        let text = format!("epsilon = 1\n{PROFILES}\n[graph]\nedges = [[\"ana\", \"bo\", 0.5]]\n");
        let mut bytes = text.into_bytes();
        let at = at % bytes.len();
        let end = (at + cut).min(bytes.len());
        bytes.splice(at..end, [byte]);
        match toml(&String::from_utf8_lossy(&bytes)) {
            Ok(spec) => prop_assert!(spec.problem.graph().pairs() > 0),
            Err(error) => prop_assert!(!error.to_string().is_empty()),
        }
    }
}
