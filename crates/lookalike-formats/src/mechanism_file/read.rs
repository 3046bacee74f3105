//! Reading mechanism files: strict, since a file is somebody's claim.

use super::kinds::{AnyMechanism, file, unknown_kind};
use super::streamed_parts::StreamedParts;
use super::{DEVICE_FORMAT, FORMAT, LIMITS, MechanismFile, MechanismKind, VERSION, places, secrets};
use crate::error::{Error, Result};
use crate::spec::{BASIS, Budgets, read_basis, read_categories, read_limits, read_profiles};
use crate::text::{Fields, Tree};
use lookalike::exact::Epsilon;
use lookalike::model::{
    Categories, Channel, Distribution, GraphBuilder, Kind, Limits, Mechanism, Names, SecretGraph, Secrets,
};

impl MechanismFile {
    /// Reads the text of the file of a finite mechanism; [`AnyMechanism`] reads every kind.
    ///
    /// # Errors
    /// Those of [`AnyMechanism::from_json`], and another kind.
    pub fn from_json(text: &str) -> Result<MechanismFile> {
        AnyMechanism::from_json(text)?.finite()
    }
}

/// The version, if this is a mechanism file of one that is known; and whether it says its secrets as that version does.
pub(super) fn check_start(fields: &Fields<'_>) -> Result<u64> {
    fields.required("format", |tree| match tree.text()? {
        FORMAT => Ok(()),
        DEVICE_FORMAT => Err(Error::input(format!("{DEVICE_FORMAT:?}, expected {FORMAT:?}"))),
        // What is of no format of ours may be anybody's data.
        _ => Err(Error::input(format!("another one, expected {FORMAT:?}"))),
    })?;
    let version = fields.required("version", |tree| match tree.integer()? {
        version @ 1..=VERSION => Ok(version),
        0 => Err(Error::input(format!("0, expected {VERSION}"))),
        newer => Err(Error::input(format!("{newer}, expected {VERSION} (a newer release may read this file)"))),
    })?;
    match (version, secrets::word(fields)?) {
        (1, Some(_)) => Err(Error::input("secrets in a file of version 1, expected version 2")),
        (2.., None) => {
            Err(Error::input("secrets is missing (which secrets epsilon is about, like { \"are\": \"values\" })"))
        }
        _ => Ok(version),
    }
}

/// The file of a finite mechanism from a tree, and from parts that were read already.
pub(super) fn finite(fields: &Fields<'_>, long: StreamedParts) -> Result<MechanismFile> {
    let read = match fields.required("kind", Tree::text)? {
        "aware" => aware,
        "shared" => shared,
        "point" => point,
        other => return Err(unknown_kind(other, Mechanism::NAMES)),
    };
    let mechanism = read(fields, long)?;
    let places = fields.read(places::KEY, |tree| places::read(tree, mechanism.inputs()))?;
    let mechanism = about(fields, mechanism, places.is_some())?;
    let limits_basis = fields.read(BASIS, read_basis)?;
    if limits_basis.is_some() && fields.get(LIMITS).is_none() {
        return Err(Error::input(format!("{BASIS} without {LIMITS}, expected both or none")));
    }
    let limits_basis = limits_basis.filter(|_| !mechanism.limits().is_empty());
    Ok(MechanismFile { places, limits_basis, ..file(fields, mechanism)? })
}

/// The mechanism with the secrets that the file says, or that follow from its kind in version 1.
fn about(fields: &Fields<'_>, mechanism: Mechanism, is_of_places: bool) -> Result<Mechanism> {
    let expected: &[Secrets] = match mechanism.kind() {
        Kind::Point if is_of_places => &[Secrets::Cells],
        Kind::Point => &[Secrets::Values, Secrets::Counts],
        _ => &[Secrets::Profiles],
    };
    match secrets::check(fields, expected)? {
        Some(Secrets::Counts) => Ok(mechanism.of_counts().map_err(|error| Error::from(error).at("secrets"))?),
        _ if is_of_places => Ok(mechanism.of_cells()?),
        _ => Ok(mechanism),
    }
}

/// The keys that a file of any kind may have.
pub(super) const KEYS_OF_ALL: [&str; 8] =
    ["format", "version", "mechanism", "kind", "epsilon", secrets::KEY, "objective", "certificate"];

/// The keys of every finite kind.
pub(super) const KEYS: [&str; 14] = [
    "format",
    "version",
    "mechanism",
    "kind",
    "epsilon",
    secrets::KEY,
    "categories",
    "bins",
    "outputs",
    "edges",
    "groups",
    "channels",
    "objective",
    "certificate",
];

fn aware(fields: &Fields<'_>, long: StreamedParts) -> Result<Mechanism> {
    fields.only(&[&KEYS[..], &["profiles", LIMITS, BASIS]].concat())?;
    let (inputs, outputs) = categories(fields)?;
    let (names, profiles) = long.profiles.map_or_else(|| profiles(fields, &inputs), Ok)?;
    let read = || fields.required("channels", |tree| assigned_channels(tree, &names));
    let (channels, assignment) = long.channels.map_or_else(read, Ok)?;
    let graph = graph(fields, names, long.claim)?;
    within(fields, Mechanism::aware(inputs, outputs, graph, profiles, channels, assignment)?)
}

fn shared(fields: &Fields<'_>, long: StreamedParts) -> Result<Mechanism> {
    fields.only(&[&KEYS[..], &["profiles", LIMITS, BASIS]].concat())?;
    let (inputs, outputs) = categories(fields)?;
    let (names, profiles) = long.profiles.map_or_else(|| profiles(fields, &inputs), Ok)?;
    let channel = fields.required("channels", only_channel)?;
    within(fields, Mechanism::shared(inputs, outputs, graph(fields, names, long.claim)?, profiles, channel)?)
}

/// The mechanism whose claim is about all laws within the limits of its profiles, where the file has limits: of each profile, written out.
fn within(fields: &Fields<'_>, mechanism: Mechanism) -> Result<Mechanism> {
    let limits = fields.read(LIMITS, |tree| {
        let (names, table) = (mechanism.graph().names(), tree.table()?);
        let mut limits: Vec<Option<Limits>> = vec![None; names.len()];
        for (name, ends) in table {
            let read = read_limits(ends, mechanism.inputs()).map_err(|error| error.at(format!("profile {name:?}")))?;
            limits[place(names, name)? as usize] = Some(read);
        }
        let missing =
            |name: &str| Error::input(format!("profile {name:?} has no limits, expected those of each profile"));
        limits.into_iter().zip(names.iter()).map(|(limits, name)| limits.ok_or_else(|| missing(name))).collect()
    })?;
    match limits {
        Some(limits) => Ok(mechanism.within(limits)?),
        None => Ok(mechanism),
    }
}

fn point(fields: &Fields<'_>, long: StreamedParts) -> Result<Mechanism> {
    fields.only(&[&KEYS[..], &[places::KEY]].concat())?;
    let (inputs, outputs) = categories(fields)?;
    let channel = fields.required("channels", only_channel)?;
    let graph = graph(fields, inputs.names().clone(), long.claim)?;
    Ok(Mechanism::point(inputs, outputs, graph, channel)?)
}

pub(super) fn categories(fields: &Fields<'_>) -> Result<(Categories, Categories)> {
    let inputs = read_categories(fields)?;
    let outputs = fields.read("outputs", |tree| Ok(Categories::new(tree.texts()?)?))?;
    let outputs = outputs.unwrap_or_else(|| inputs.clone());
    Ok((inputs, outputs))
}

/// The profiles, each written out: the short form of a spec is for people.
fn profiles(fields: &Fields<'_>, inputs: &Categories) -> Result<(Names, Vec<Distribution>)> {
    fields.required("profiles", |tree| {
        for (name, law) in tree.table()? {
            law.list().map_err(|error| error.at(format!("profile {name:?}")))?;
        }
        read_profiles(tree, inputs, false)
    })
}

/// The channels of the kind aware, and for each profile the place of its one channel.
fn assigned_channels(tree: &Tree, names: &Names) -> Result<(Vec<Channel>, Vec<u32>)> {
    let mut assignment = vec![None; names.len()];
    let mut at = 0;
    let channels = tree.each("channel", |entry| {
        let fields = Fields::with(entry, &["profiles", "rows", "keep", "redraw"])?;
        for name in fields.required("profiles", Tree::texts)? {
            if assignment[place(names, name)? as usize].replace(at).is_some() {
                return Err(Error::input(format!("profile {name:?} has two channels, expected one")));
            }
        }
        at += 1;
        channel(&fields)
    })?;
    let assigned = assignment.into_iter().zip(names.iter()).map(|(channel, name)| {
        channel.ok_or_else(|| Error::input(format!("profile {name:?} has no channel, expected one")))
    });
    Ok((channels, assigned.collect::<Result<_>>()?))
}

fn only_channel(tree: &Tree) -> Result<Channel> {
    match tree.list()? {
        [entry] => channel(&Fields::with(entry, &["rows", "keep", "redraw"])?),
        other => Err(Error::input(format!("{} channels, expected 1 for this kind", other.len()))),
    }
}

fn channel(fields: &Fields<'_>) -> Result<Channel> {
    let rows = fields.read("rows", |tree| tree.each("row", Tree::integers))?;
    let keep = fields.read("keep", Tree::integers)?;
    let redraw = fields.read("redraw", Tree::integers)?;
    match (rows, keep, redraw) {
        (Some(rows), None, None) => Ok(Channel::rows(rows)?),
        (None, Some(keep), Some(redraw)) => Ok(Channel::keep(keep, redraw)?),
        _ => Err(Error::input("expected either rows, or keep and redraw")),
    }
}

/// The claim, of which the edges may have been read already.
fn graph(fields: &Fields<'_>, names: Names, claim: Option<Claim>) -> Result<SecretGraph> {
    let mut claim = match claim {
        Some(claim) => claim,
        None => {
            let mut claim = Claim::new(fields, names)?;
            fields.read("edges", |tree| claim.edges(tree))?;
            claim
        }
    };
    fields.read("groups", |tree| claim.groups(tree))?;
    Ok(claim.builder.build()?)
}

/// A graph as it is read. An edge without its own ε has the file's, and none has more: the file's ε holds for the
/// whole file.
pub(super) struct Claim {
    builder: GraphBuilder,
    largest: Epsilon,
    budgets: Budgets,
}

impl Claim {
    pub(super) fn new(fields: &Fields<'_>, names: Names) -> Result<Self> {
        let largest = Budgets::default().of(fields)?.ok_or_else(|| Error::input("epsilon is missing"))?;
        let budgets = Budgets::at_most(largest.clone());
        Ok(Claim { builder: SecretGraph::builder(names), largest, budgets })
    }

    /// One edge with its ε.
    pub(super) fn edge(&mut self, [a, b]: [u32; 2], epsilon: &str) -> Result<()> {
        Ok(self.builder.edge(a, b, self.budgets.parse(epsilon)?)?)
    }

    fn edges(&mut self, tree: &Tree) -> Result<Vec<()>> {
        tree.each("edge", |entry| {
            let fields = Fields::with(entry, &["pair", "epsilon"])?;
            let own = self.budgets.of(&fields)?.unwrap_or_else(|| self.largest.clone());
            let [a, b] = fields.required("pair", |tree| match tree.texts()?[..] {
                [a, b] => Ok([place(self.builder.names(), a)?, place(self.builder.names(), b)?]),
                ref other => Err(Error::input(format!("{} names, expected two", other.len()))),
            })?;
            Ok(self.builder.edge(a, b, own)?)
        })
    }

    fn groups(&mut self, tree: &Tree) -> Result<Vec<()>> {
        tree.each("group", |entry| {
            let fields = Fields::with(entry, &["name", "members", "epsilon"])?;
            let own = self.budgets.of(&fields)?.unwrap_or_else(|| self.largest.clone());
            let place = |member: &Tree| place(self.builder.names(), member.text()?);
            let members = fields.required("members", |tree| tree.each("item", place))?;
            Ok(self.builder.group(fields.required("name", Tree::text)?, members, own)?)
        })
    }
}

/// The place of a secret by its name.
pub(super) fn place(names: &Names, name: &str) -> Result<u32> {
    names.place(name).ok_or_else(|| Error::input(format!("{name:?} is not one of the secrets of this file")))
}

/// A part of the file that is only passed on.
pub(super) fn summary(tree: &Tree) -> Result<serde_json::Value> {
    tree.table()?;
    Ok(to_value(tree))
}

fn to_value(tree: &Tree) -> serde_json::Value {
    use serde_json::Value;
    match tree {
        Tree::Null => Value::Null,
        Tree::Bool(value) => Value::Bool(*value),
        Tree::Number(text) => serde_json::from_str(text).unwrap_or(Value::Null),
        Tree::Text(text) => Value::from(text.as_str()),
        Tree::List(items) => items.iter().map(to_value).collect(),
        Tree::Table(entries) => entries.iter().map(|(key, value)| (key.clone(), to_value(value))).collect(),
    }
}
