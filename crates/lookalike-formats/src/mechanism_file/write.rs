//! Writing mechanism and device files.

use super::stream::Stream;
use super::{DEVICE_FORMAT, DEVICE_VERSION, FORMAT, LIMITS, MechanismFile, MechanismKind, VERSION, places};
use crate::spec::BASIS;
use lookalike::estimate::LimitsBasis;
use lookalike::model::{Categories, Channel, Distribution, Form, Kind, Limits, Mechanism};
use std::io::{BufWriter, Result, Write};

impl<M: MechanismKind> MechanismFile<M> {
    /// The text of the file. [`MechanismFile::write_to`] does without all of it in memory.
    pub fn to_json(&self) -> String {
        let mut text = Vec::new();
        self.write_to(&mut text).expect("memory takes every byte");
        String::from_utf8(text).expect("JSON is UTF-8")
    }

    /// Writes the file: the same mechanism gives the same bytes.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write_to(&self, out: impl Write) -> Result<()> {
        let mut out = BufWriter::new(out);
        let mut stream = Stream::new(&mut out as &mut dyn Write);
        stream.open('{')?;
        start(&mut stream, FORMAT, VERSION)?;
        if let Some(name) = &self.name {
            stream.key("mechanism")?;
            stream.text(name)?;
        }
        stream.key("kind")?;
        stream.text(self.mechanism.kind_name())?;
        stream.key("epsilon")?;
        stream.text(&self.epsilon().to_string())?;
        self.mechanism.write_secrets(&mut stream)?;
        if let Some(places) = &self.places {
            places::write(places, &mut stream)?;
        }
        if let Some(basis) = &self.limits_basis {
            write_basis(&mut stream, basis)?;
        }
        self.mechanism.write_keys(&mut stream)?;
        for (key, value) in [("objective", &self.objective), ("certificate", &self.certificate)] {
            if let Some(value) = value {
                stream.key(key)?;
                stream.value(value)?;
            }
        }
        stream.close('}')?;
        stream.end()
    }
}

/// Writes the keys of channels between finite sets.
pub(super) fn write_mechanism(stream: &mut Stream<&mut dyn Write>, mechanism: &Mechanism) -> Result<()> {
    write_categories(stream, mechanism.inputs())?;
    if mechanism.outputs() != mechanism.inputs() {
        stream.key("outputs")?;
        stream.texts(mechanism.outputs().names().iter())?;
    }
    if mechanism.kind() != Kind::Point {
        stream.key("profiles")?;
        stream.open('{')?;
        for (name, law) in mechanism.graph().names().iter().zip(mechanism.profiles()) {
            stream.key(name)?;
            write_fractions(stream, law)?;
        }
        stream.close('}')?;
    }
    if !mechanism.limits().is_empty() {
        stream.key(LIMITS)?;
        stream.open('{')?;
        for (name, limits) in mechanism.graph().names().iter().zip(mechanism.limits()) {
            stream.key(name)?;
            write_limits(stream, limits)?;
        }
        stream.close('}')?;
    }
    write_graph(stream, mechanism)?;
    write_channels(stream, mechanism)
}

/// What one device needs and nothing more: the categories and its own channel. No profile, no name, no graph.
pub fn device_json(mechanism: &Mechanism, secret: u32) -> String {
    let mut text = Vec::new();
    write_device(&mut text, mechanism, secret).expect("memory takes every byte");
    String::from_utf8(text).expect("JSON is UTF-8")
}

fn write_device(out: &mut Vec<u8>, mechanism: &Mechanism, secret: u32) -> Result<()> {
    let mut stream = Stream::new(out);
    stream.open('{')?;
    start(&mut stream, DEVICE_FORMAT, DEVICE_VERSION)?;
    write_categories(&mut stream, mechanism.inputs())?;
    if mechanism.outputs() != mechanism.inputs() {
        stream.key("outputs")?;
        stream.texts(mechanism.outputs().names().iter())?;
    }
    write_channel(&mut stream, mechanism.channel(secret))?;
    stream.close('}')?;
    stream.end()
}

fn start(stream: &mut Stream<impl Write>, format: &str, version: u64) -> Result<()> {
    stream.key("format")?;
    stream.text(format)?;
    stream.key("version")?;
    stream.number(version)
}

pub(super) fn write_categories(stream: &mut Stream<impl Write>, categories: &Categories) -> Result<()> {
    match categories.bins() {
        Some(edges) => {
            stream.key("bins")?;
            stream.list(edges, |stream, edge| stream.quoted(edge))
        }
        None => {
            stream.key("categories")?;
            stream.texts(categories.names().iter())
        }
    }
}

pub(super) fn write_fractions(stream: &mut Stream<impl Write>, law: &Distribution) -> Result<()> {
    stream.list(0..law.len(), |stream, place| match law.in_lowest_terms(place) {
        (numerator, denominator) if denominator.to_u64() == Some(1) => stream.quoted(numerator),
        (numerator, denominator) => stream.quoted(format_args!("{numerator}/{denominator}")),
    })
}

/// What limits rest on: a statement, in front of the limits themselves.
fn write_basis(stream: &mut Stream<impl Write>, basis: &LimitsBasis) -> Result<()> {
    stream.key(BASIS)?;
    stream.open('{')?;
    stream.key("confidence")?;
    stream.quoted(basis.confidence())?;
    stream.key("holds_for")?;
    stream.text(basis.holds_for().name())?;
    stream.close('}')
}

/// For each category the least and the largest probability.
fn write_limits(stream: &mut Stream<impl Write>, limits: &Limits) -> Result<()> {
    stream.list(0..limits.len(), |stream, place| stream.list(limits.ends(place), |stream, end| stream.quoted(end)))
}

fn write_graph(stream: &mut Stream<impl Write>, mechanism: &Mechanism) -> Result<()> {
    let graph = mechanism.graph();
    let name = |secret: u32| graph.names().name(secret);
    // Millions of edges share a few values of ε, most often the one before.
    let mut last = None;
    stream.key("edges")?;
    stream.block(graph.edges().iter(), |stream, edge| {
        if last.as_ref().is_none_or(|(epsilon, _)| *epsilon != edge.epsilon()) {
            last = Some((edge.epsilon(), edge.epsilon().to_string()));
        }
        stream.open('{')?;
        stream.key("pair")?;
        stream.texts(edge.ends().map(name))?;
        stream.key("epsilon")?;
        stream.text(last.as_ref().map_or("", |(_, text)| text))?;
        stream.close('}')
    })?;
    stream.key("groups")?;
    stream.block(graph.groups().iter(), |stream, group| {
        stream.open('{')?;
        stream.key("name")?;
        stream.text(group.name())?;
        stream.key("members")?;
        stream.texts(group.members().iter().map(|&member| name(member)))?;
        stream.key("epsilon")?;
        stream.text(&group.epsilon().to_string())?;
        stream.close('}')
    })
}

/// Each distinct channel with the profiles that use it; the one channel of the other kinds names none.
fn write_channels(stream: &mut Stream<impl Write>, mechanism: &Mechanism) -> Result<()> {
    let mut users: Vec<Vec<u32>> = vec![Vec::new(); mechanism.channels().len()];
    for (secret, &place) in (0u32..).zip(mechanism.assignment()) {
        users[place as usize].push(secret);
    }
    stream.key("channels")?;
    stream.block(mechanism.channels().iter().zip(users), |stream, (channel, users)| {
        stream.open('{')?;
        if mechanism.kind() == Kind::Aware {
            stream.key("profiles")?;
            stream.texts(users.iter().map(|&secret| mechanism.graph().names().name(secret)))?;
        }
        write_channel(stream, channel)?;
        stream.close('}')
    })
}

fn write_channel(stream: &mut Stream<impl Write>, channel: &Channel) -> Result<()> {
    match channel.form() {
        Form::Rows { weights, outputs } => {
            stream.key("rows")?;
            stream.block(weights.chunks_exact(outputs), Stream::numbers)
        }
        Form::Keep { keep, redraw } => {
            stream.key("keep")?;
            stream.numbers(keep)?;
            stream.key("redraw")?;
            stream.numbers(redraw)
        }
    }
}
