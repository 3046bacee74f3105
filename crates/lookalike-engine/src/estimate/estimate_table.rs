//! Estimates as a table: a row for each category, and for each cohort.

use super::estimate_facts::EstimateFacts;
use super::reports::{Cohort, EstimateNames};
use crate::facts::Facts;
use arrow_array::{ArrayRef, BooleanArray, Float64Array, StringArray, UInt64Array};
use arrow_schema::{DataType, Field, FieldRef};
use lookalike::Sentence;
use lookalike::estimate::{Estimate, Figure};
use lookalike_formats::records::Format;
use lookalike_formats::{Error, Result, json_text};
use lookalike_records::{AtomicFile, Batch, Output, RecordSchema, at_output, create_sink, write_atomically};
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;

/// The order of the figures in a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum FigureOrder {
    /// That of the mechanism.
    #[default]
    Mechanism,
    /// The largest share first.
    Share,
    /// By name.
    Name,
}

impl FromStr for FigureOrder {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        match text {
            "mechanism" => Ok(FigureOrder::Mechanism),
            "share" => Ok(FigureOrder::Share),
            "name" => Ok(FigureOrder::Name),
            _ => Err(Error::input(format!("order {text:?}, expected mechanism, share or name"))),
        }
    }
}

/// Which figures a table shows, and in which order.
#[derive(Debug, Clone, Copy, Default)]
pub struct FigureChoice {
    /// Their order.
    pub order: FigureOrder,
    /// Only the figures with the largest shares, so many of them.
    pub top: Option<usize>,
}

impl FigureChoice {
    /// The chosen figures; `name` says whose share a figure is.
    pub fn of<'a>(&self, figures: &'a [Figure], name: impl Fn(&Figure) -> String) -> Vec<&'a Figure> {
        let mut places: Vec<usize> = (0..figures.len()).collect();
        // Stable, so that equal shares stand as in the mechanism.
        places.sort_by(|&a, &b| figures[b].share.total_cmp(&figures[a].share));
        places.truncate(self.top.unwrap_or(usize::MAX));
        match self.order {
            FigureOrder::Mechanism => places.sort_unstable(),
            FigureOrder::Share => {}
            FigureOrder::Name => places.sort_by_cached_key(|&place| name(&figures[place])),
        }
        places.into_iter().map(|place| &figures[place]).collect()
    }
}

impl EstimateNames<'_> {
    /// Whose share a figure of the histogram is: a category, or several together.
    pub fn of_figure(&self, figure: &Figure) -> String {
        let names: Vec<&str> = figure.members.iter().map(|&member| self.categories.name(member)).collect();
        names.join(" + ")
    }
}

/// Refuses the name of a file that estimates cannot be written to.
///
/// # Errors
/// A name with another end than .csv, .tsv, .parquet, .arrow, .json or the like; one without an end is CSV. What is no CSV has no
/// formulas to escape.
pub fn check_estimate_file(path: &Path, escape_formulas: bool) -> Result<()> {
    let is_csv = matches!(Format::of(path), None | Some(Format::Csv)) && !is_json(path);
    match is_json(path) || Format::of(path).is_some() || path.extension().is_none() {
        true if escape_formulas && !is_csv => {
            let kind = format!(" is for CSV, and {} is another kind of file", path.display());
            Err(Error::input(Sentence::new().option("escape-formulas").text(kind)))
        }
        true => Ok(()),
        false => Err(Error::input(format!(
            "{}: a file of no known kind, expected a name like estimate.csv, estimate.parquet or estimate.json",
            path.display()
        ))),
    }
}

/// Writes estimates to a file of the kind that its name says: all that is known as JSON, else a table with the columns
/// `cohort` (where there are cohorts), `category`, `share`, `lower`, `upper`, `counted`, `unbiased`, `reports`, `trust`,
/// `confidence` and `simultaneous`. In CSV, text that a spreadsheet would take for a formula can be escaped.
///
/// # Errors
/// A file that exists, unless it may be replaced; a name that [`check_estimate_file`] refuses; a system that refuses.
pub fn write_estimates(
    path: &Path,
    replace: bool,
    escape_formulas: bool,
    names: EstimateNames<'_>,
    cohorts: &[Cohort],
    chosen: FigureChoice,
) -> Result<()> {
    check_estimate_file(path, escape_formulas)?;
    if is_json(path) {
        return write_atomically(path, replace, json_text(&EstimateFacts::of(names, cohorts).json()).as_bytes());
    }
    let format = Format::of(path).unwrap_or(Format::Csv);
    let (fields, columns) = table(names, cohorts, chosen).into_iter().unzip::<_, _, Vec<FieldRef>, Vec<ArrayRef>>();
    let schema = RecordSchema { value: DataType::Utf8, kept: fields, compression: None, one_dictionary: true };
    let output = Output {
        format,
        name: String::new(),
        header: true,
        delimiter: lookalike_formats::records::CsvOptions::delimiter_of(path),
        escape_formulas,
        compression: path
            .extension()
            .is_some_and(|extension| extension.eq_ignore_ascii_case("gz"))
            .then_some(lookalike_formats::records::Compression::Gzip),
        labels: &[],
        schema: &schema,
    };
    let mut file = AtomicFile::create(path, replace)?;
    let mut write = || {
        let mut sink = create_sink(Box::new(&mut file), &output)?;
        let rows = columns[0].len();
        for first in (0..rows).step_by(Batch::MAX_ROWS) {
            let count = Batch::MAX_ROWS.min(rows - first);
            let mut batch = Batch::default();
            (batch.first_row, batch.values) = (first as u64, vec![0; count]);
            batch.replace_kept(columns.iter().map(|column| column.slice(first, count)).collect());
            sink.write_batch(&batch, &vec![0; count])?;
        }
        sink.finish()
    };
    write().map_err(|error| at_output(error, path))?;
    file.commit()
}

fn is_json(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"))
}

/// The columns of the table.
fn table(names: EstimateNames<'_>, cohorts: &[Cohort], chosen: FigureChoice) -> Vec<(FieldRef, ArrayRef)> {
    let rows: Vec<(Option<&str>, &Estimate, &Figure)> = cohorts
        .iter()
        .flat_map(|(cohort, estimate)| {
            let figures = chosen.of(&estimate.histogram, |figure| names.of_figure(figure));
            figures.into_iter().map(move |figure| (cohort.as_deref(), estimate, figure))
        })
        .collect();
    let column = |name: &str, kind: DataType, nullable: bool, array: ArrayRef| {
        (Arc::new(Field::new(name, kind, nullable)), array)
    };
    let number = |name: &str, value: &dyn Fn(&Figure) -> Option<f64>| {
        let values = Float64Array::from_iter(rows.iter().map(|(_, _, figure)| value(figure)));
        column(name, DataType::Float64, true, Arc::new(values))
    };
    let text =
        |name: &str, values: Vec<String>| column(name, DataType::Utf8, false, Arc::new(StringArray::from(values)));
    let has_cohorts = cohorts.iter().any(|(cohort, _)| cohort.is_some());
    let cohort = || text("cohort", rows.iter().map(|row| row.0.unwrap_or_default().to_owned()).collect());
    let reports = UInt64Array::from_iter_values(rows.iter().map(|(_, estimate, _)| estimate.reports));
    let is_simultaneous = BooleanArray::from_iter(rows.iter().map(|(_, estimate, _)| Some(estimate.simultaneous)));
    let confidence = Float64Array::from_iter_values(rows.iter().map(|(_, estimate, _)| estimate.confidence));
    let columns = [
        text("category", rows.iter().map(|(_, _, figure)| names.of_figure(figure)).collect()),
        number("share", &|figure| Some(figure.share)),
        number("lower", &|figure| Some(figure.lower)),
        number("upper", &|figure| Some(figure.upper)),
        number("counted", &|figure| figure.counted),
        number("unbiased", &|figure| figure.unbiased),
        column("reports", DataType::UInt64, false, Arc::new(reports)),
        text("trust", rows.iter().map(|(_, estimate, _)| estimate.trust.name().to_owned()).collect()),
        column("confidence", DataType::Float64, false, Arc::new(confidence)),
        column("simultaneous", DataType::Boolean, false, Arc::new(is_simultaneous)),
    ];
    has_cohorts.then(cohort).into_iter().chain(columns).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use lookalike::estimate::{Confidence, SupportEstimator};
    use lookalike::model::{Categories, Encoding, Oracle, TOTAL};

    fn oracle() -> Oracle {
        let categories = Categories::new(["b", "a", "c"]).unwrap();
        Oracle::new(categories, "ln(3)".parse().unwrap(), Encoding::Unary { one: TOTAL / 2, other: TOTAL / 4 }).unwrap()
    }

    fn estimate() -> Estimate {
        let estimator = SupportEstimator::new(&oracle());
        estimator.estimate(&[300, 325, 400], 1_000, 0, Confidence::default()).unwrap()
    }

    #[test]
    fn figures_are_chosen_by_share_and_shown_in_any_order() {
        let oracle = oracle();
        let (estimate, names) = (estimate(), EstimateNames::from(&oracle));
        let shown = |order: &str, top| {
            let choice = FigureChoice { order: order.parse().unwrap(), top };
            let figures = choice.of(&estimate.histogram, |figure| names.of_figure(figure));
            figures.iter().map(|figure| names.of_figure(figure)).collect::<String>()
        };
        assert_eq!(shown("mechanism", None), "bac");
        assert_eq!(shown("share", None), "cab");
        assert_eq!(shown("name", None), "abc");
        assert_eq!((shown("mechanism", Some(2)), shown("share", Some(1))), ("ac".to_owned(), "c".to_owned()));
        let error = "size".parse::<FigureOrder>().unwrap_err().to_string();
        assert_eq!(error, "order \"size\", expected mechanism, share or name");
    }

    #[test]
    fn a_table_has_a_row_for_each_figure_of_each_cohort() {
        let (folder, oracle) = (tempfile::tempdir().unwrap(), oracle());
        let cohorts = [(Some("mon".to_owned()), estimate()), (Some("tue".to_owned()), estimate())];
        let path = folder.path().join("estimate.csv");
        write_estimates(
            &path,
            false,
            false,
            (&oracle).into(),
            &cohorts,
            FigureChoice { top: Some(1), ..Default::default() },
        )
        .unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            lines[0],
            "cohort,category,share,lower,upper,counted,unbiased,reports,trust,confidence,simultaneous"
        );
        let figure = &cohorts[0].1.histogram[2];
        let start = format!("mon,c,{},{},{},,{},", figure.share, figure.lower, figure.upper, figure.share);
        assert!(lines[1].starts_with(&start) && lines[1].ends_with("1000,nothing,0.95,false"), "{}", lines[1]);
        assert!(lines[2].starts_with("tue,c,") && lines.len() == 3);
        let error =
            write_estimates(&path, false, false, (&oracle).into(), &cohorts, FigureChoice::default()).unwrap_err();
        assert!(error.to_string().contains("exists"), "{error}");
        let strange = folder.path().join("estimate.xlsx");
        let error =
            write_estimates(&strange, false, false, (&oracle).into(), &cohorts, FigureChoice::default()).unwrap_err();
        assert!(error.to_string().ends_with("expected a name like estimate.csv, estimate.parquet or estimate.json"));
    }
}
