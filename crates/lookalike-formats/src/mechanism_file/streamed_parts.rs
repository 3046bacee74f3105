//! Reading long files as they come: profiles, edges and channels never become a tree.
//!
//! This reader takes files as they are written, keys in that order, and gives up on anything else. What it gives up on
//! is read as a tree, which takes any valid file and says what is wrong with others. So it must only be right about
//! what it takes.

use super::cursor::Cursor;
use super::read::{Claim, KEYS, categories, check_start, finite, place};
use super::{MechanismFile, places};
use crate::spec::read_law;
use crate::text::{Fields, Tree, read_rational};
use lookalike::exact::{Natural, Rational};
use lookalike::model::{Channel, Distribution, Names};
use rayon::prelude::*;
use std::borrow::Cow;

/// The parts of a file that were read as they came.
#[derive(Default)]
pub(super) struct StreamedParts {
    pub(super) profiles: Option<(Names, Vec<Distribution>)>,
    pub(super) claim: Option<Claim>,
    pub(super) channels: Option<(Vec<Channel>, Vec<u32>)>,
}

/// The file, if it is written as this reader expects.
pub(super) fn read(text: &str) -> Option<MechanismFile> {
    let (mut cursor, mut rest, mut long) = (Cursor::new(text), Tree::Table(Vec::new()), StreamedParts::default());
    cursor.eat(b'{')?;
    loop {
        let key = cursor.text()?;
        cursor.eat(b':')?;
        long.read(&key, &mut cursor, &mut rest)?;
        if !cursor.goes_on(b'}')? {
            break;
        }
    }
    if !cursor.is_at_end() {
        return None;
    }
    let fields = Fields::of(&rest).ok()?;
    check_start(&fields).ok()?;
    finite(&fields, long).ok()
}

impl StreamedParts {
    /// Reads the value of one key, here or into `rest`.
    fn read(&mut self, key: &str, cursor: &mut Cursor<'_>, rest: &mut Tree) -> Option<()> {
        let fields = Fields::of(rest).ok()?;
        let is_read = match key {
            "profiles" => self.profiles.is_some(),
            "edges" => self.claim.is_some(),
            "channels" => self.channels.is_some(),
            _ => !KEYS.contains(&key) && key != places::KEY,
        };
        let kind = fields.get("kind").and_then(|tree| tree.text().ok());
        match key {
            _ if is_read || fields.get(key).is_some() => None,
            "profiles" if matches!(kind?, "aware" | "shared") => {
                let (inputs, _) = categories(&fields).ok()?;
                let (mut names, mut laws) = (Vec::new(), Vec::new());
                table(cursor, |cursor, name| {
                    names.push(name);
                    cursor.peek()?;
                    cursor.through(b']').map(|law| laws.push(law))
                })?;
                let names = Names::new("profile", names).ok()?;
                let read = |law: &&str| {
                    let numbers = texts(&mut Cursor::new(law))?;
                    short_law(&numbers).filter(|law| law.len() == inputs.len()).or_else(|| {
                        let numbers: Vec<Rational> =
                            numbers.iter().map(|text| read_rational(text)).collect::<Result<_, _>>().ok()?;
                        read_law(&numbers, &inputs, false).ok()
                    })
                };
                let laws = laws.par_iter().map(read).collect::<Option<Vec<_>>>()?;
                self.profiles = Some((names, laws));
                Some(())
            }
            "edges" => {
                let names = match kind? {
                    "point" => categories(&fields).ok()?.0.names().clone(),
                    _ => self.profiles.as_ref()?.0.clone(),
                };
                let mut claim = Claim::new(&fields, names.clone()).ok()?;
                cursor.list(|cursor| {
                    cursor.eat(b'{')?;
                    cursor.key("pair")?;
                    let pair = texts(cursor)?;
                    let [a, b] = &pair[..] else { return None };
                    cursor.eat(b',')?;
                    cursor.key("epsilon")?;
                    let epsilon = cursor.text()?;
                    cursor.eat(b'}')?;
                    claim.edge([place(&names, a).ok()?, place(&names, b).ok()?], &epsilon).ok()
                })?;
                self.claim = Some(claim);
                Some(())
            }
            "channels" if kind? == "aware" => {
                self.channels = Some(channels(cursor, &self.profiles.as_ref()?.0)?);
                Some(())
            }
            _ => {
                let tree = cursor.tree()?;
                let Tree::Table(entries) = rest else { return None };
                entries.push((key.to_owned(), tree));
                Some(())
            }
        }
    }
}

fn table<'a>(
    cursor: &mut Cursor<'a>,
    mut entry: impl FnMut(&mut Cursor<'a>, Cow<'a, str>) -> Option<()>,
) -> Option<()> {
    cursor.eat(b'{')?;
    loop {
        let key = cursor.text()?;
        cursor.eat(b':')?;
        entry(cursor, key)?;
        if !cursor.goes_on(b'}')? {
            return Some(());
        }
    }
}

fn texts<'a>(cursor: &mut Cursor<'a>) -> Option<Vec<Cow<'a, str>>> {
    let mut texts = Vec::new();
    cursor.list(|cursor| cursor.text().map(|text| texts.push(text)))?;
    Some(texts)
}

/// A law whose fractions and their least common denominator are machine words.
fn short_law(texts: &[Cow<'_, str>]) -> Option<Distribution> {
    let mut common = 1u64;
    let mut fractions = Vec::with_capacity(texts.len());
    for text in texts {
        let (numerator, denominator) = text.split_once('/').unwrap_or((text, "1"));
        let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse::<u64>().ok())?;
        let (n, d) = (digits(numerator)?, digits(denominator)?);
        let divisor = gcd(n, d);
        if divisor == 0 {
            return None;
        }
        let (n, d) = (n / divisor, d.checked_div(divisor).filter(|d| *d > 0)?);
        if !common.is_multiple_of(d) {
            common = (common / gcd(common, d)).checked_mul(d)?;
        }
        fractions.push((n, d));
    }
    let numerators: Vec<u64> = fractions.into_iter().map(|(n, d)| n.checked_mul(common / d)).collect::<Option<_>>()?;
    let sum = numerators.iter().try_fold(0u64, |sum, n| sum.checked_add(*n))?;
    (sum == common).then(|| Distribution::from_weights(numerators.into_iter().map(Natural::from).collect()).ok())?
}

fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// The channels of the kind aware, and for each profile the place of its one channel.
fn channels(cursor: &mut Cursor<'_>, names: &Names) -> Option<(Vec<Channel>, Vec<u32>)> {
    let (mut channels, mut assignment) = (Vec::new(), vec![u32::MAX; names.len()]);
    cursor.list(|cursor| {
        cursor.eat(b'{')?;
        cursor.key("profiles")?;
        cursor.list(|cursor| {
            let slot = &mut assignment[place(names, &cursor.text()?).ok()? as usize];
            let is_first = *slot == u32::MAX;
            *slot = channels.len() as u32;
            is_first.then_some(())
        })?;
        cursor.eat(b',')?;
        channels.push(channel(cursor)?);
        cursor.eat(b'}')
    })?;
    assignment.iter().all(|&place| place != u32::MAX).then_some((channels, assignment))
}

fn channel(cursor: &mut Cursor<'_>) -> Option<Channel> {
    let numbers = |cursor: &mut Cursor<'_>| {
        let mut numbers = Vec::new();
        cursor.list(|cursor| cursor.number().map(|number| numbers.push(number)))?;
        Some(numbers)
    };
    let form = cursor.text()?;
    cursor.eat(b':')?;
    match &*form {
        "rows" => {
            let mut rows = Vec::new();
            cursor.list(|cursor| numbers(cursor).map(|row| rows.push(row)))?;
            Channel::rows(rows).ok()
        }
        "keep" => {
            let keep = numbers(cursor)?;
            cursor.eat(b',')?;
            cursor.key("redraw")?;
            Channel::keep(keep, numbers(cursor)?).ok()
        }
        _ => None,
    }
}
