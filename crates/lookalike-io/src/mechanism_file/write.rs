//! Writing mechanism and device files.

use super::{DEVICE_FORMAT, FORMAT, MechanismFile, VERSION};
use crate::json_text::json_text;
use lookalike::model::{Categories, Channel, Distribution, Form, Kind, Mechanism};
use serde_json::{Map, Value, json};

impl MechanismFile {
    /// The text of the file.
    pub fn to_json(&self) -> String {
        let mechanism = &self.mechanism;
        let mut file = Map::new();
        file.insert("format".into(), FORMAT.into());
        file.insert("version".into(), VERSION.into());
        if let Some(name) = &self.name {
            file.insert("mechanism".into(), name.as_str().into());
        }
        file.insert("kind".into(), mechanism.kind().name().into());
        file.insert("epsilon".into(), self.epsilon().to_string().into());
        insert_categories(&mut file, mechanism);
        if mechanism.kind() != Kind::Point {
            let names = mechanism.graph().names().iter();
            let profiles = names.zip(mechanism.profiles()).map(|(name, law)| (name.to_owned(), fractions(law)));
            file.insert("profiles".into(), Value::Object(profiles.collect()));
        }
        insert_graph(&mut file, mechanism);
        file.insert("channels".into(), channels(mechanism));
        for (key, value) in [("objective", &self.objective), ("certificate", &self.certificate)] {
            if let Some(value) = value {
                file.insert(key.into(), value.clone());
            }
        }
        json_text(&Value::Object(file))
    }
}

/// What one device needs and nothing more: the categories and its own channel. No profile, no name, no graph.
pub fn device_json(mechanism: &Mechanism, secret: u32) -> String {
    let mut file = Map::new();
    file.insert("format".into(), DEVICE_FORMAT.into());
    file.insert("version".into(), VERSION.into());
    insert_categories(&mut file, mechanism);
    file.extend(channel(mechanism.channel(secret)));
    json_text(&Value::Object(file))
}

fn insert_categories(file: &mut Map<String, Value>, mechanism: &Mechanism) {
    let names = |categories: &Categories| Value::from(categories.names().iter().collect::<Vec<_>>());
    match mechanism.inputs().bins() {
        Some(edges) => {
            let edges: Vec<String> = edges.iter().map(ToString::to_string).collect();
            file.insert("bins".into(), edges.into());
        }
        None => {
            file.insert("categories".into(), names(mechanism.inputs()));
        }
    }
    if mechanism.outputs() != mechanism.inputs() {
        file.insert("outputs".into(), names(mechanism.outputs()));
    }
}

fn insert_graph(file: &mut Map<String, Value>, mechanism: &Mechanism) {
    let graph = mechanism.graph();
    let name = |secret: u32| graph.names().name(secret);
    let edges = graph
        .edges()
        .iter()
        .map(|edge| json!({ "pair": edge.ends().map(name), "epsilon": edge.epsilon().to_string() }));
    let groups = graph.groups().iter().map(|group| {
        let members: Vec<&str> = group.members().iter().map(|&member| name(member)).collect();
        json!({ "name": group.name(), "members": members, "epsilon": group.epsilon().to_string() })
    });
    file.insert("edges".into(), edges.collect());
    file.insert("groups".into(), groups.collect());
}

/// Each distinct channel with the profiles that use it; the one channel of the other kinds names none.
fn channels(mechanism: &Mechanism) -> Value {
    let mut users: Vec<Vec<&str>> = vec![Vec::new(); mechanism.channels().len()];
    for (name, &place) in mechanism.graph().names().iter().zip(mechanism.assignment()) {
        users[place as usize].push(name);
    }
    let entry = |(matrix, users): (&Channel, Vec<&str>)| {
        let mut entry = Map::new();
        if mechanism.kind() == Kind::Aware {
            entry.insert("profiles".into(), users.into());
        }
        entry.extend(channel(matrix));
        Value::Object(entry)
    };
    mechanism.channels().iter().zip(users).map(entry).collect()
}

fn channel(channel: &Channel) -> Map<String, Value> {
    let mut entry = Map::new();
    match channel.form() {
        Form::Rows { weights, outputs } => {
            let rows: Vec<Value> = weights.chunks_exact(outputs).map(Value::from).collect();
            entry.insert("rows".into(), rows.into());
        }
        Form::Keep { keep, redraw } => {
            entry.insert("keep".into(), keep.into());
            entry.insert("redraw".into(), redraw.into());
        }
    }
    entry
}

fn fractions(law: &Distribution) -> Value {
    law.probabilities().map(|p| p.to_string()).collect::<Vec<_>>().into()
}
