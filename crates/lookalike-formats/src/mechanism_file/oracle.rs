//! Frequency oracles in mechanism files.

use super::any::claim;
use super::secrets;
use super::stream::Stream;
use super::write::{Stored, write_categories};
use crate::error::{Error, Result};
use crate::spec::read_categories;
use crate::text::{Fields, Tree};
use lookalike::exact::Epsilon;
use lookalike::model::{Encoding, Oracle, Secrets};
use std::io::Write;

impl Stored for Oracle {
    fn kind_name(&self) -> &'static str {
        match self.encoding() {
            Encoding::Unary { .. } => "unary",
            Encoding::Hash { .. } => "hash",
            Encoding::Hadamard { .. } => "hadamard",
            Encoding::Subset { .. } => "subset",
        }
    }

    fn claim(&self) -> &Epsilon {
        self.epsilon()
    }

    fn secrets(&self) -> Secrets {
        Secrets::Values
    }

    fn write_keys(&self, stream: &mut Stream<&mut dyn Write>) -> std::io::Result<()> {
        write_categories(stream, self.categories())?;
        let numbers = match self.encoding() {
            Encoding::Unary { one, other } => vec![("one", one), ("other", other)],
            Encoding::Hash { buckets, keep } => vec![("buckets", buckets.into()), ("keep", keep)],
            Encoding::Hadamard { plus } => vec![("plus", plus)],
            Encoding::Subset { size, include } => vec![("size", size.into()), ("include", include)],
        };
        numbers.into_iter().try_for_each(|(key, number)| {
            stream.key(key)?;
            stream.number(number)
        })
    }
}

/// The oracle of a file of one of these kinds.
pub(super) fn read(fields: &Fields<'_>, kind: &str) -> Result<Oracle> {
    let keys: &[&str] = match kind {
        "unary" => &["one", "other"],
        "hash" => &["buckets", "keep"],
        "hadamard" => &["plus"],
        _ => &["size", "include"],
    };
    let epsilon = claim(fields, &[&["categories", "bins"], keys].concat())?;
    secrets::check(fields, &[Secrets::Values])?;
    let weight = |key: &str| fields.required(key, Tree::integer);
    let small = |key: &str| {
        fields.required(key, |tree| {
            let number = tree.integer()?;
            u32::try_from(number).map_err(|_| Error::input(format!("{number}, expected a number below 2^32")))
        })
    };
    let encoding = match kind {
        "unary" => Encoding::Unary { one: weight("one")?, other: weight("other")? },
        "hash" => Encoding::Hash { buckets: small("buckets")?, keep: weight("keep")? },
        "hadamard" => Encoding::Hadamard { plus: weight("plus")? },
        _ => Encoding::Subset { size: small("size")?, include: weight("include")? },
    };
    Ok(Oracle::new(read_categories(fields)?, epsilon, encoding)?)
}
