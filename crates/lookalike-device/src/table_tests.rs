extern crate std;

use super::*;
use crate::format::{MAGIC, VERSION};
use proptest::prelude::*;
use std::string::ToString;
use std::vec::Vec;

const ROWS: &[u8] = include_bytes!("../vectors/rows.table");
const KEEP: &[u8] = include_bytes!("../vectors/keep.table");

/// Bytes with the digest that they need.
fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    let digest = sha256(&bytes);
    bytes.extend(digest);
    bytes
}

fn made(header: Header, numbers: &[u64], texts: &[u8]) -> Vec<u8> {
    let mut bytes = header.to_bytes().to_vec();
    bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    bytes.extend(texts);
    sealed(bytes)
}

fn header(form: Form, inputs: u32, outputs: u32) -> Header {
    Header { form, inputs, outputs, texts: 0, text_bytes: 0 }
}

/// A copy with eight bytes changed and the digest computed anew, as a person would do it.
fn forged(bytes: &[u8], place: usize, word: u64) -> Vec<u8> {
    let mut bytes = bytes[..bytes.len() - DIGEST_BYTES].to_vec();
    bytes[place..place + 8].copy_from_slice(&word.to_le_bytes());
    sealed(bytes)
}

fn refusal(bytes: &[u8]) -> Refused {
    Table::read(bytes).map(|_| ()).unwrap_err()
}

/// Gives so many words, and then none.
struct Few(usize);

impl Generator for Few {
    type Error = &'static str;

    fn word(&mut self) -> Result<u64, Self::Error> {
        self.0 = self.0.checked_sub(1).ok_or("the generator is not ready")?;
        Ok(u64::MAX)
    }
}

#[test]
fn every_flipped_bit_is_refused() {
    for table in [ROWS, KEEP] {
        assert!(Table::read(table).is_ok());
        let mut bytes = table.to_vec();
        for bit in 0..8 * table.len() {
            bytes[bit / 8] ^= 1 << (bit % 8);
            assert!(Table::read(&bytes).is_err(), "bit {bit}");
            bytes[bit / 8] ^= 1 << (bit % 8);
        }
    }
}

#[test]
fn every_cut_and_every_addition_is_refused() {
    for table in [ROWS, KEEP] {
        for length in 0..table.len() {
            assert!(Table::read(&table[..length]).is_err(), "{length} bytes");
            assert!(Table::read(&table[table.len() - length..]).is_err(), "the last {length} bytes");
        }
        for more in 1..70 {
            let mut bytes = table.to_vec();
            bytes.resize(table.len() + more, 0);
            let expected = table.len();
            assert_eq!(refusal(&bytes), Refused::Length { found: expected + more, expected });
        }
        assert!(matches!(refusal(&[table, table].concat()), Refused::Length { .. }));
        // One part more with a digest of its own is no table either.
        let mut longer = table[..table.len() - DIGEST_BYTES].to_vec();
        longer.extend([0; 8]);
        assert!(matches!(refusal(&sealed(longer)), Refused::Length { .. }));
    }
}

#[test]
fn a_digest_from_elsewhere_stops_a_person_too() {
    let digest = *Table::read(ROWS).unwrap().digest();
    assert!(Table::read_expected(ROWS, &digest).is_ok());
    // A column that draws its own output always: a table as it may be, and not the one that was exported.
    let layout = Layout::new(5);
    let forged = forged(ROWS, HEADER_BYTES + 8 * 4, layout.column(0, 4).to_word());
    assert!(Table::read(&forged).is_ok());
    assert_eq!(Table::read_expected(&forged, &digest).map(|_| ()), Err(Refused::OtherDigest));
    assert_eq!(Table::read_expected(KEEP, &digest).map(|_| ()), Err(Refused::OtherDigest));
}

#[test]
fn what_cannot_be_drawn_is_refused_whatever_the_digest() {
    let (layout, place) = (Layout::new(5), |column: usize| HEADER_BYTES + 8 * column);
    let column = |place| Refused::Column { place };
    let half = layout.height() / 2;
    assert_eq!(refusal(&forged(ROWS, place(9), layout.column(half, 5).to_word())), column(9), "no output 5");
    assert_eq!(refusal(&forged(ROWS, place(9), layout.column(half, 1 << 13).to_word())), column(9), "nor 2^13");
    assert_eq!(refusal(&forged(ROWS, place(6), layout.column(1, 0).to_word())), column(6), "none of its own either");
    let weight = |weight| forged(KEEP, place(3), weight);
    assert_eq!(refusal(&weight(TOTAL + 1)), Refused::Keep { value: 3 });
    assert!(Table::read(&weight(TOTAL)).is_ok());
    let other = Layout::new(16).column(1, 16).to_word();
    assert_eq!(refusal(&forged(KEEP, place(16), other)), column(0));
}

#[test]
fn headers_of_no_table_are_refused() {
    let numbers = [0; 64];
    let of = |header| refusal(&made(header, &numbers, &[]));
    assert_eq!(of(header(Form::Rows, 0, 2)), Refused::Size);
    assert_eq!(of(header(Form::Rows, 2, 0)), Refused::Size);
    assert_eq!(of(header(Form::Keep, 2, 3)), Refused::Size);
    for form in [Form::Rows, Form::Keep] {
        let refused = of(header(form, u32::MAX, u32::MAX));
        assert!(matches!(refused, Refused::Size | Refused::Length { .. }), "{refused:?}");
    }
    let changed = |place: usize, number: u32| {
        let mut bytes = made(header(Form::Rows, 1, 2), &numbers[..2], &[]);
        bytes[place..place + 4].copy_from_slice(&number.to_le_bytes());
        refusal(&bytes)
    };
    assert_eq!(changed(0, 7), Refused::Magic);
    assert_eq!(changed(MAGIC.len(), VERSION + 1), Refused::Version(VERSION + 1));
    assert!(Refused::Version(2).to_string().contains("version 2, expected 1 (take a newer release"));
    assert_eq!(changed(MAGIC.len() + 4, 3), Refused::Form);
    assert_eq!(refusal(b""), Refused::Length { found: 0, expected: 64 });
}

#[test]
fn texts_are_all_there_or_none() {
    let text = |texts: &[&str]| -> Vec<u8> {
        texts.iter().flat_map(|text| [&(text.len() as u32).to_le_bytes(), text.as_bytes()].concat()).collect()
    };
    let layout = Layout::new(2);
    let columns = [layout.column(1, 1), layout.column(0, 1)].map(Column::to_word);
    let of = |count: u32, texts: &[u8]| {
        let header = Header { texts: count, text_bytes: texts.len() as u32, ..header(Form::Rows, 1, 2) };
        made(header, &columns, texts)
    };
    let whole = of(4, &text(&["ln(3)", "all", "no", "ja"]));
    let table = Table::read(&whole).unwrap();
    assert_eq!((table.epsilon(), table.input_name(0), table.input_name(1)), (Some("ln(3)"), Some("all"), None));
    assert_eq!([0, 1, 2].map(|output| table.output_name(output)), [Some("no"), Some("ja"), None]);
    let alone = of(1, &text(&["1/2"]));
    let table = Table::read(&alone).unwrap();
    assert_eq!((table.epsilon(), table.input_name(0), table.output_name(0)), (Some("1/2"), None, None));
    let none = of(0, &[]);
    let table = Table::read(&none).unwrap();
    assert_eq!((table.epsilon(), table.input_name(0), table.output_name(1)), (None, None, None));
    for (count, texts) in [
        (2, text(&["1", "all"])),
        (3, text(&["1", "all", "no"])),
        (4, text(&["1", "all", "no"])),
        (4, text(&["1", "all", "no", "ja", "more"])),
        (1, Vec::from([1, 0, 0, 0, 0xff])),
        (1, Vec::from([9, 0, 0, 0, b'a'])),
        (u32::MAX, text(&["1"])),
        (0, text(&["1"])),
    ] {
        assert_eq!(refusal(&of(count, &texts)), Refused::Texts, "{count} {texts:?}");
    }
}

#[test]
fn without_a_word_nothing_is_released() {
    for (table, words) in [(ROWS, 1), (KEEP, 2)] {
        let table = Table::read(table).unwrap();
        assert_eq!(table.words_a_value(), words);
        for few in 0..words {
            let released = table.privatize(0, &mut Few(few));
            assert_eq!(released, Err(NotReleased::Generator("the generator is not ready")));
        }
        let mut generator = Few(10);
        assert_eq!(table.privatize(1, &mut generator).ok(), table.draw(1, &[u64::MAX, u64::MAX][..words]).ok());
        assert_eq!(generator.0, 10 - words, "a draw takes its words and no more");
        for found in (0..4).filter(|&found| found != words) {
            let wrong = NotReleased::Generator(WordCount { found, expected: words });
            assert_eq!(table.draw(0, &[0; 4][..found]), Err(wrong));
        }
    }
}

#[test]
fn an_unknown_value_takes_no_word_and_is_not_told() {
    for (bytes, inputs) in [(ROWS, 5), (KEEP, 16)] {
        let (table, mut generator) = (Table::read(bytes).unwrap(), Few(10));
        for value in [inputs, 4711, u32::MAX] {
            let error = table.privatize(value, &mut generator).unwrap_err();
            assert_eq!(error, NotReleased::UnknownValue { inputs });
            assert!(!error.to_string().contains("4711") && !std::format!("{error:?}").contains("4711"));
            assert_eq!(table.draw(value, &[]), Err(NotReleased::UnknownValue { inputs }));
        }
        assert_eq!(generator.0, 10);
    }
}

#[test]
fn bytes_may_stand_anywhere() {
    for offset in 0..8 {
        let bytes = [&[7; 8][..offset], ROWS].concat();
        let table = Table::read(&bytes[offset..]).unwrap();
        assert_eq!(table.draw(1, &[1 << 60]), Table::read(ROWS).unwrap().draw(1, &[1 << 60]));
    }
}

proptest! {
    // Whatever the numbers are: refused, or every row adds up and every draw exists.
    #[test]
    fn a_table_that_is_read_can_be_drawn_from(is_keep in any::<bool>(), inputs in 1u32..6, outputs in 1u32..10,
                                              tame in any::<bool>(), seed in any::<u64>(), words in any::<[u64; 2]>()) {
        let (form, inputs) = if is_keep { (Form::Keep, outputs) } else { (Form::Rows, inputs) };
        let header = header(form, inputs, outputs);
        let (keep, columns) = header.numbers().unwrap();
        let mut state = seed;
        let mut next = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            state ^ state >> 29
        };
        let layout = header.layout();
        let mut numbers: Vec<u64> = (0..keep).map(|_| next() >> if tame { 11 } else { 9 }).collect();
        numbers.extend((0..columns).map(|place| {
            let own = (place % layout.columns()) as u64;
            let threshold = if tame && own >= u64::from(outputs) { 0 } else { next() % layout.height() };
            layout.column(threshold, (next() % (u64::from(outputs) + u64::from(!tame))) as usize).to_word()
        }));
        let bytes = made(header, &numbers, &[]);
        let table = match Table::read(&bytes) {
            Ok(table) => table,
            Err(refused) => {
                let is_about_numbers = matches!(refused, Refused::Keep { .. } | Refused::Column { .. });
                prop_assert!(!tame && is_about_numbers);
                return Ok(());
            }
        };
        for value in 0..inputs {
            let sum: u64 = (0..outputs).map(|output| table.drawn_weight(value, output).unwrap()).sum();
            prop_assert_eq!(sum, TOTAL);
            prop_assert!(table.kept_weight(value).unwrap() <= TOTAL);
            let output = table.draw(value, &words[..table.words_a_value()]).unwrap();
            prop_assert!(output < outputs);
        }
        prop_assert_eq!((table.kept_weight(inputs), table.drawn_weight(0, outputs)), (None, None));
    }
}
