//! The people of the UCI Adult data, and three attributes that each has or has not.

use crate::adult_hours::Hours;
use lookalike::Sentence;
use lookalike_engine::open_input;
use lookalike_engine::records::{Batch, Columns, CsvOptions, CsvSource, Encode, Encoder, RecordSource};
use lookalike_formats::{Error, Result};

use std::io::{Cursor, Read};
use std::path::Path;

/// The columns of `adult.data`, which has no header.
const COLUMNS: [&str; 15] = [
    "age",
    "workclass",
    "fnlwgt",
    "education",
    "education-num",
    "marital-status",
    "occupation",
    "relationship",
    "race",
    "sex",
    "capital-gain",
    "capital-loss",
    "hours-per-week",
    "native-country",
    "income",
];

/// Something that a person has or has not.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Attribute {
    /// Its name in tables and pictures.
    pub name: &'static str,
    /// Its name in the names of files.
    pub short: &'static str,
    column: &'static str,
    has: fn(&str) -> Option<bool>,
    expected: &'static str,
}

/// The attributes. The slides name none; these are the two of the reference values and an age.
pub(crate) const ATTRIBUTES: [Attribute; 3] = [
    Attribute {
        name: "sex: male",
        short: "sex",
        column: "sex",
        has: |text| ["Female", "Male"].contains(&text).then_some(text == "Male"),
        expected: ": Female and Male",
    },
    Attribute {
        name: "income above 50K",
        short: "income",
        column: "income",
        has: |text| ["<=50K", ">50K"].contains(&text).then_some(text == ">50K"),
        expected: ": <=50K and >50K",
    },
    Attribute {
        name: "age below 30",
        short: "age",
        column: "age",
        has: |text| text.parse::<u8>().ok().map(|age| age < 30),
        expected: ": whole years below 30, and from 30 to 255",
    },
];

impl Encode for Attribute {
    fn encode(&self, text: &str) -> Option<u32> {
        (self.has)(text).map(u32::from)
    }

    fn count(&self) -> usize {
        2
    }

    fn hint(&self) -> Sentence {
        self.expected.into()
    }
}

/// Who has which of the three attributes, in the order of the file.
///
/// # Example
/// ```
/// use lookalike_experiments::Adult;
/// let line = "39, State-gov, 77516, Bachelors, 13, Never-married, Adm-clerical, Not-in-family, White, Male, 2174, 0, 40, \
///             United-States, <=50K\n";
/// assert_eq!(Adult::parse(&line.repeat(5))?.people(), 5);
/// # Ok::<(), lookalike_formats::Error>(())
/// ```
#[derive(Clone)]
pub struct Adult {
    attributes: [Vec<bool>; ATTRIBUTES.len()],
    hours: Hours,
}

impl Adult {
    /// The people of `adult.data` as the UCI Machine Learning Repository has it: 15 fields, commas and blanks, no header.
    ///
    /// # Errors
    /// A file that cannot be read, or with another number of fields, or with something else in the columns age, hours,
    /// sex and income; the error names row and column, and no content.
    pub fn read(path: &Path) -> Result<Self> {
        let failed = |error| Error::system("cannot read", error);
        let open = || -> Result<Box<dyn Read + Send>> {
            let file = open_input(path).map_err(failed)?;
            // It is read once an attribute, which a pipe cannot be.
            match file.metadata().map_err(failed)?.is_file() {
                true => Ok(Box::new(file)),
                false => Err(Error::input("not a file, expected adult.data")),
            }
        };
        Adult::from(open).map_err(|error| error.in_file(path))
    }

    /// The people of such a text.
    ///
    /// # Errors
    /// Those of [`Adult::read`] about the content.
    pub fn parse(text: &str) -> Result<Self> {
        Adult::from(|| Ok(Box::new(Cursor::new(text.as_bytes().to_vec()))))
    }

    fn from(open: impl Fn() -> Result<Box<dyn Read + Send>>) -> Result<Self> {
        let [sex, income, age] = ATTRIBUTES.map(|attribute| column(open()?, attribute));
        let people = Adult { attributes: [sex?, income?, age?], hours: Hours::from(&open)? };
        let is_whole = |column: &Vec<bool>| column.len() == people.hours.hours.len();
        if !people.attributes.iter().all(is_whole) {
            return Err(Error::input("it changed while it was read"));
        }
        Ok(people)
    }

    /// How many there are.
    pub fn people(&self) -> usize {
        self.attributes[0].len()
    }

    /// How long they work.
    pub(crate) fn hours(&self) -> &Hours {
        &self.hours
    }

    /// How many of each group have an attribute: the groups are the first n people, the next n, and so on. Those left
    /// over at the end are in no group.
    pub(crate) fn counts(&self, attribute: usize, n: usize) -> Vec<u32> {
        let count = |group: &[bool]| group.iter().filter(|has| **has).count() as u32;
        self.attributes[attribute].chunks_exact(n).map(count).collect()
    }
}

/// Shows how many people there are and nothing of them.
impl std::fmt::Debug for Adult {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Adult").field("people", &self.people()).finish_non_exhaustive()
    }
}

/// Who has the attribute.
fn column(input: Box<dyn Read + Send>, attribute: Attribute) -> Result<Vec<bool>> {
    let codes = column_codes(input, attribute.column, Box::new(attribute))?;
    Ok(codes.into_iter().map(|code| code == 1).collect())
}

/// The codes of a column.
pub(crate) fn column_codes(input: Box<dyn Read + Send>, column: &str, encoder: Encoder) -> Result<Vec<u32>> {
    let names = COLUMNS.map(str::to_owned).to_vec();
    let options = CsvOptions { columns: Some(names), trim: true, ..CsvOptions::default() };
    let columns = Columns { values: vec![column.to_owned()], ..Columns::default() };
    let mut source = CsvSource::open(input, &options, &columns, None, Some(encoder), None)?;
    let (mut batch, mut found) = (Batch::default(), Vec::new());
    while source.read_batch(&mut batch)? {
        found.extend_from_slice(&batch.values);
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A line of the file with this age, sex and income.
    fn line(age: &str, sex: &str, income: &str) -> String {
        format!("{age}, Private, 1, HS-grad, 9, Divorced, Sales, Unmarried, White, {sex}, 0, 0, 40, ?, {income}\n")
    }

    #[test]
    fn people_are_counted_in_groups_of_the_order_of_the_file() {
        let people =
            [("29", "Male", ">50K"), ("30", "Male", "<=50K"), ("17", "Female", "<=50K"), ("90", "Male", ">50K")];
        let text: String = people.map(|(age, sex, income)| line(age, sex, income)).concat();
        let adult = Adult::parse(&(text.clone() + &text + "\n")).unwrap();
        assert_eq!(adult.people(), 8, "the empty last line is nobody");
        let counts = |n: usize| [0, 1, 2].map(|attribute| adult.counts(attribute, n));
        assert_eq!(counts(2), [vec![2, 1, 2, 1], vec![1; 4], vec![1; 4]]);
        assert_eq!(counts(4), [vec![3; 2], vec![2; 2], vec![2; 2]]);
        // Two are left over.
        assert_eq!(counts(3), [vec![2, 3], vec![1, 2], vec![2, 1]]);
        assert!(counts(9).iter().all(Vec::is_empty));
    }

    #[test]
    fn what_is_not_the_file_is_refused_by_row_and_column_and_not_shown() {
        let good = line("39", "Male", ">50K");
        for (bad, expected) in [
            (line("39", "SECRET", ">50K"), "row 2, column \"sex\": not one of the 2 categories: Female and Male"),
            (line("39", "", ">50K"), "row 2, column \"sex\": empty, expected one of the 2 categories"),
            (line("39", "Male", ">50K."), "row 2, column \"income\": not one of the 2 categories: <=50K and >50K"),
            (
                line("-1", "Male", ">50K"),
                "row 2, column \"age\": not one of the 2 categories: whole years below 30, and from 30 to 255",
            ),
            ("|1x3 Cross validator\n".to_owned(), "row 2, line 2: the number of fields is 1, expected 15"),
            (good.replace(", ?", ""), "row 2, line 2: the number of fields is 14, expected 15"),
            (good.replace("39", "\"39"), "row 2: a quote is opened and never closed"),
        ] {
            let error = Adult::parse(&format!("{good}{bad}{good}")).unwrap_err().to_string();
            assert_eq!(error, expected);
            assert!(!format!("{:?}", Adult::parse(&good)).contains("true"), "nobody is shown");
        }
    }
}
