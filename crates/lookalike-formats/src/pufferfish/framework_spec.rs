//! A framework as an ordinary spec.

use super::framework_file::FrameworkFile;
use crate::text::{joined, key, number, quoted};
use lookalike::exact::Epsilon;
use lookalike::model::{Distribution, Edge, Group};
use std::collections::BTreeSet;

impl FrameworkFile {
    /// The spec whose profiles are the laws of the query, one for each secret and law under which it is possible, with
    /// one channel for all of them and edges inside one law only.
    ///
    /// [`crate::spec::Spec`] reads it back to [`lookalike::pufferfish::Framework::problem`]; what certifies against it is
    /// private in the framework.
    pub fn spec_toml(&self) -> String {
        [self.head(), self.profiles(), self.graph()].join("\n")
    }

    fn head(&self) -> String {
        let values = self.framework.values().categories().names();
        let mut text = format!(
            "# A Pufferfish framework as a spec. Secrets: {}; laws: {}.\n",
            self.framework.pairs().names().len(),
            self.framework.class().len()
        );
        if self.framework.class().len() > 1 {
            text += "# A profile is the law of the query given a secret, \"secret | law\"; only profiles of one law are a pair.\n";
        } else {
            text += "# A profile is the law of the query given a secret.\n";
        }
        text += &format!("epsilon = {}\n", number(&self.epsilon.to_string()));
        text += &format!("categories = [{}]\n", joined(values.iter().map(quoted)));
        text + "channel = \"shared\"  # whoever answers the query does not look at the secret\n"
    }

    fn profiles(&self) -> String {
        let names = self.framework.graph().names();
        let line = |(name, law): (&str, &Distribution)| {
            format!("{} = [{}]\n", key(name), joined(law.probabilities().map(|p| quoted(&p.to_string()))))
        };
        let lines = names.iter().zip(self.framework.profiles()).map(line);
        "[profiles]\n".to_owned() + &lines.collect::<String>()
    }

    fn graph(&self) -> String {
        let graph = self.framework.graph();
        let name = |&secret: &u32| quoted(graph.names().name(secret));
        let own = |epsilon: &Epsilon| (*epsilon != self.epsilon).then(|| number(&epsilon.to_string()));
        let mut text = String::new();
        if !graph.edges().is_empty() {
            let edge = |edge: &Edge| {
                let items = edge.ends().iter().map(name).chain(own(edge.epsilon())).collect::<Vec<_>>();
                format!("  [{}],\n", items.join(", "))
            };
            text += &format!("[graph]\nedges = [\n{}]\n", graph.edges().iter().map(edge).collect::<String>());
        }
        if !graph.groups().is_empty() {
            text += if text.is_empty() { "[graph.groups]\n" } else { "\n[graph.groups]\n" };
        }
        // A group occurs once for each law; then numbers tell them apart.
        let distinct = graph.groups().iter().map(Group::name).collect::<BTreeSet<_>>().len();
        let repeats = distinct < graph.groups().len();
        for (at, group) in graph.groups().iter().enumerate() {
            let members = joined(group.members().iter().map(name));
            let title = if repeats { format!("{} {}", group.name(), at + 1) } else { group.name().to_owned() };
            let title = key(&title);
            text += &match own(group.epsilon()) {
                Some(epsilon) => format!("{title} = {{ members = [{members}], epsilon = {epsilon} }}\n"),
                None => format!("{title} = [{members}]\n"),
            };
        }
        text
    }
}
