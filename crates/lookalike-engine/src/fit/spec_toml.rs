//! Fitted profiles as a spec.

use super::fitted::{Fitted, FittedProfile};
use lookalike::model::Limits;
use lookalike_formats::toml_text::{exact_number, joined, key, number, quoted};
use lookalike_formats::{FitGraph, Small};

impl Fitted {
    /// The spec with these profiles: exact fractions, and the graph that was asked for or a place to fill it in.
    ///
    /// [`lookalike_formats::Spec`] reads it back to the same laws and graph.
    pub fn spec_toml(&self) -> String {
        let limits = if self.options.trust_profiles { Vec::new() } else { vec![self.limits_tables()] };
        let tables = [vec![self.head(), self.domain(), self.profile_table()], limits, vec![self.graph_table()]];
        tables.concat().join("\n")
    }

    fn head(&self) -> String {
        let (least, most) = self.records_per_profile();
        let range = if least == most { least.to_string() } else { format!("{least} to {most}") };
        let mut text = format!(
            "# Fitted from {} records. Profiles: {}; categories: {}; records per profile: {range}.\n\
             # Profiles are public: whoever has this file or a mechanism made from it can read them, and epsilon does\n\
             # not cover what they tell about the records they were fitted from.\n",
            self.rows,
            self.profiles.len(),
            self.categories.len(),
        );
        if let (Small::Pool(name), false) = (&self.options.small, self.small.is_empty()) {
            text += &format!(
                "# Profiles with few records, {}, were made one, {}: write its name in their place before privatizing.\n",
                self.small.len(),
                quoted(name),
            );
        }
        text
    }

    fn domain(&self) -> String {
        let epsilon = match &self.options.epsilon {
            Some(epsilon) => format!("epsilon = {}\n", number(&epsilon.to_string())),
            None => "epsilon = 1  # nobody has chosen yet: smaller is more private\n".to_owned(),
        };
        let domain = match self.categories.bins() {
            Some(edges) => format!("bins = [{}]\n", joined(edges.iter().map(exact_number))),
            None => format!("categories = [{}]\n", joined(self.categories.names().iter().map(quoted))),
        };
        epsilon + &domain
    }

    fn profile_table(&self) -> String {
        let law = |profile: &FittedProfile| joined(profile.law.probabilities().map(|p| format!("\"{p}\"")));
        "[profiles]\n".to_owned() + &self.lines(law)
    }

    /// How wrong the profiles may be, and what that rests on.
    fn limits_tables(&self) -> String {
        let ends = |limits: &Limits| {
            let pair = |place: usize| joined(limits.ends(place).map(|end| format!("\"{end}\"")).into_iter());
            joined((0..limits.len()).map(|place| format!("[{}]", pair(place))))
        };
        let rest = match self.limits_basis() {
            Ok(basis) => format!(
                "[limits_basis]\nconfidence = {}\nholds_for = {}\n",
                exact_number(basis.confidence()),
                quoted(basis.holds_for().name())
            ),
            Err(why) => format!("# No confidence is stated: {why}.\n"),
        };
        let lines = self.lines(|profile| ends(&profile.within));
        format!(
            "# The promise holds for every law within these limits, each profile its own.\n[limits]\n{lines}\n{rest}"
        )
    }

    /// `name = [list]` for each profile.
    fn lines(&self, list: impl Fn(&FittedProfile) -> String) -> String {
        let keys: Vec<String> = self.profiles.iter().map(|profile| key(&profile.name)).collect();
        let width = keys.iter().map(|key| key.chars().count()).max().unwrap_or(0).min(20);
        let line = |(key, profile): (&String, &FittedProfile)| format!("{key:width$} = [{}]\n", list(profile));
        keys.iter().zip(&self.profiles).map(line).collect()
    }

    fn graph_table(&self) -> String {
        match &self.options.graph {
            FitGraph::Open => "\
# Which profiles must look alike? For example:
# groups = { staff = [\"ana\", \"bo\"] }   # everyone in a group
# edges = [[\"ana\", \"cleo\"]]            # single pairs
# shape = \"complete\"                   # all of them
[graph]
"
            .to_owned(),
            FitGraph::Complete => "[graph]\nshape = \"complete\"\n".to_owned(),
            FitGraph::Chain => "[graph]\nshape = \"chain\"  # each profile and the next one by name\n".to_owned(),
            FitGraph::GroupBy(_) => {
                let member = |&place: &u32| quoted(&self.profiles[place as usize].name);
                let line = |(name, members): &(String, Vec<u32>)| {
                    format!("{} = [{}]\n", key(name), joined(members.iter().map(member)))
                };
                "[graph.groups]\n".to_owned() + &self.groups().iter().map(line).collect::<String>()
            }
        }
    }
}
