//! The table of one device, for `lookalike-device`.

use super::largest_epsilon;
use crate::error::{Error, Result};
use lookalike::certify::Certified;
use lookalike::model::{Form, Mechanism};
use lookalike::sample::AliasTable;
use lookalike_device::format::{self, Header};
use lookalike_device::sha256;

/// The bytes of a table, and what they must hash to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeviceTable {
    /// The file, as [`lookalike_device::format`] says.
    pub bytes: Vec<u8>,
    /// The SHA-256 digest at its end, in hexadecimal.
    pub digest: String,
}

/// What one device needs to draw, and nothing more: the columns of its own channel, the names of the categories and the
/// largest ε of the mechanism. No profile, no name of one, no graph.
///
/// Secrets with the same channel have the same bytes.
///
/// # Errors
/// Names that take more than 4 GiB.
pub fn device_table(certified: &Certified<Mechanism>, secret: u32) -> Result<DeviceTable> {
    let mechanism = certified.mechanism();
    let (inputs, outputs) = (mechanism.inputs(), mechanism.outputs());
    let epsilon = largest_epsilon(mechanism).to_string();
    let names = inputs.names().iter().chain(outputs.names().iter().filter(|_| outputs != inputs));
    let (mut texts, mut count) = (Vec::new(), 0);
    for text in std::iter::once(epsilon.as_str()).chain(names) {
        texts.extend(number(text.len())?.to_le_bytes());
        texts.extend(text.as_bytes());
        count += 1;
    }
    let (form, keep, rows): (_, &[u64], Vec<&[u64]>) = match mechanism.channel(secret).form() {
        Form::Rows { weights, outputs } => (format::Form::Rows, &[], weights.chunks_exact(outputs).collect()),
        Form::Keep { keep, redraw } => (format::Form::Keep, keep, vec![redraw]),
    };
    let (inputs, outputs, text_bytes) = (number(inputs.len())?, number(outputs.len())?, number(texts.len())?);
    let header = Header { form, inputs, outputs, texts: count, text_bytes };
    let columns = rows.into_iter().flat_map(|row| AliasTable::new(row).into_columns());
    let mut bytes = header.to_bytes().to_vec();
    bytes.extend(keep.iter().copied().chain(columns.map(|column| column.to_word())).flat_map(u64::to_le_bytes));
    bytes.extend(texts);
    let digest = sha256(&bytes);
    bytes.extend(digest);
    Ok(DeviceTable { bytes, digest: digest.iter().map(|byte| format!("{byte:02x}")).collect() })
}

fn number(length: usize) -> Result<u32> {
    u32::try_from(length).map_err(|_| Error::input("a table with a number above 2^32, expected fewer or shorter names"))
}

#[cfg(test)]
mod tests {
    use super::super::tests::{AWARE, POINT, read};
    use super::*;
    use lookalike::certify::certify;
    use lookalike_device::Table;

    /// The table of a secret, with claims that are easily kept.
    fn table(text: &str, secret: u32) -> (Mechanism, DeviceTable) {
        let claims = ["\"1/2\"", "\"1/3*ln(2)\"", "\"ln(4)\"", "\"2*ln(2)\""];
        let claim = |text: String, claim| text.replace(&format!("\"epsilon\": {claim}"), "\"epsilon\": \"9\"");
        let certified = certify(read(&claims.into_iter().fold(text.to_owned(), claim)).mechanism).unwrap();
        (certified.mechanism().clone(), device_table(&certified, secret).unwrap())
    }

    /// The weights of a channel, as the device adds them up.
    fn has_the_law(mechanism: &Mechanism, secret: u32, bytes: &[u8]) {
        let table = Table::read(bytes).unwrap();
        for value in 0..table.inputs() {
            let drawn: Vec<u64> =
                (0..table.outputs()).map(|output| table.drawn_weight(value, output).unwrap()).collect();
            let (kept, row) = match mechanism.channel(secret).form() {
                Form::Rows { weights, outputs } => (0, weights.chunks_exact(outputs).nth(value as usize).unwrap()),
                Form::Keep { keep, redraw } => (keep[value as usize], redraw),
            };
            assert_eq!((table.kept_weight(value), &drawn[..]), (Some(kept), row));
        }
    }

    #[test]
    fn the_law_on_the_device_is_the_one_that_was_certified() {
        for (text, secrets) in [(AWARE, 0..3), (POINT, 0..1)] {
            for secret in secrets {
                let (mechanism, made) = table(text, secret);
                has_the_law(&mechanism, secret, &made.bytes);
            }
        }
    }

    #[test]
    fn a_table_has_the_names_of_its_categories_and_no_other() {
        let (_, made) = table(POINT, 0);
        let table = Table::read(&made.bytes).unwrap();
        assert_eq!(table.epsilon(), Some("9"));
        assert_eq!([0, 1, 2].map(|code| table.input_name(code)), [Some("a"), Some("b"), Some("c")]);
        assert_eq!(table.output_name(2), Some("c"));
        assert_eq!(made.digest.len(), 64);
        assert!(made.digest.starts_with(&format!("{:02x}", table.digest()[0])));
    }
}
