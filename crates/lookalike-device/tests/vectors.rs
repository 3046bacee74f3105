//! The pinned vectors: values, words, and what is released.

use lookalike_device::{Generator, NotReleased, Table, format::Form};

struct Vector {
    profile: String,
    value: String,
    code: u32,
    words: Vec<u64>,
    released: u32,
    output: String,
}

fn vectors(text: &str) -> Vec<Vector> {
    let vector = |line: &str| {
        let fields: Vec<&str> = line.split(',').collect();
        Vector {
            profile: fields[0].into(),
            value: fields[1].into(),
            code: fields[2].parse().unwrap(),
            words: fields[3].split(' ').map(|word| u64::from_str_radix(word, 16).unwrap()).collect(),
            released: fields[4].parse().unwrap(),
            output: fields[5].into(),
        }
    };
    text.lines().skip(1).map(vector).collect()
}

/// Gives the words of a vector, and no more.
struct Given<'a>(std::slice::Iter<'a, u64>);

impl Generator for Given<'_> {
    type Error = ();

    fn word(&mut self) -> Result<u64, ()> {
        self.0.next().copied().ok_or(())
    }
}

fn check(bytes: &[u8], form: Form, files: [&str; 2]) {
    let table = Table::read(bytes).unwrap();
    assert_eq!(table.form(), form);
    let (mut changed, mut kept) = (0, 0);
    for vector in files.into_iter().flat_map(vectors) {
        assert_eq!(vector.profile, "bo");
        assert_eq!(table.draw(vector.code, &vector.words), Ok(vector.released));
        let mut given = Given(vector.words.iter());
        assert_eq!(table.privatize(vector.code, &mut given), Ok(vector.released));
        assert_eq!(table.privatize(vector.code, &mut given), Err(NotReleased::Generator(())), "all words were taken");
        assert_eq!(table.input_name(vector.code), Some(vector.value.as_str()));
        assert_eq!(table.output_name(vector.released), Some(vector.output.as_str()));
        *if vector.code == vector.released { &mut kept } else { &mut changed } += 1;
    }
    assert!(kept > 50 && changed > 50, "{kept} kept, {changed} changed");
}

#[test]
fn tables_of_rows_draw_as_pinned() {
    let files = [include_str!("../vectors/rows.csv"), include_str!("../vectors/rows-edges.csv")];
    check(include_bytes!("../vectors/rows.table"), Form::Rows, files);
}

#[test]
fn tables_that_keep_draw_as_pinned() {
    let files = [include_str!("../vectors/keep.csv"), include_str!("../vectors/keep-edges.csv")];
    check(include_bytes!("../vectors/keep.table"), Form::Keep, files);
}
