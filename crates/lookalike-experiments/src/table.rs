//! Tables with named columns.

use lookalike::exact::{Direction, Rational, decimal};

/// Rows under named columns; every number in it is exact until it is printed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    columns: Vec<String>,
    rows: Vec<Vec<Cell>>,
}

/// One entry of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cell {
    /// A name, or a number that is printed as it is written.
    Text(String),
    /// A number, printed with [`Table::DECIMALS`] decimals.
    Number(Rational),
}

impl Table {
    /// Decimals of a printed number: enough to compare, too few for the last bits of a processor to show.
    pub const DECIMALS: u32 = 6;

    /// A table without rows.
    pub fn new<S: Into<String>>(columns: impl IntoIterator<Item = S>) -> Self {
        Table { columns: columns.into_iter().map(Into::into).collect(), rows: Vec::new() }
    }

    /// Adds a row.
    ///
    /// # Panics
    /// If the row has not one cell for each column.
    pub fn row(&mut self, cells: impl IntoIterator<Item = Cell>) {
        let cells: Vec<Cell> = cells.into_iter().collect();
        assert_eq!(cells.len(), self.columns.len(), "one cell for each column");
        self.rows.push(cells);
    }

    /// The names of the columns.
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// The rows.
    pub fn rows(&self) -> &[Vec<Cell>] {
        &self.rows
    }

    /// The rows as they are printed.
    pub fn texts(&self) -> impl ExactSizeIterator<Item = Vec<String>> + '_ {
        self.rows.iter().map(|row| row.iter().map(Cell::text).collect())
    }

    /// The table as comma-separated values under a header.
    pub fn csv(&self) -> String {
        let lines = std::iter::once(self.columns.clone()).chain(self.texts());
        lines.map(|cells| cells.iter().map(|cell| quoted(cell)).collect::<Vec<_>>().join(",") + "\n").collect()
    }
}

impl Cell {
    /// The cell as it is printed.
    pub fn text(&self) -> String {
        match self {
            Cell::Text(text) => text.clone(),
            Cell::Number(number) => decimal(number, Table::DECIMALS, Direction::Nearest),
        }
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Cell::Text(text.to_owned())
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Cell::Text(text)
    }
}

impl From<Rational> for Cell {
    fn from(number: Rational) -> Self {
        Cell::Number(number)
    }
}

impl From<&Rational> for Cell {
    fn from(number: &Rational) -> Self {
        Cell::Number(number.clone())
    }
}

/// The cell of a comma-separated line, in quotes where it needs them.
fn quoted(cell: &str) -> String {
    if cell.contains([',', '"', '\n']) { format!("\"{}\"", cell.replace('"', "\"\"")) } else { cell.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_rounded_only_when_printed_and_texts_are_quoted_where_needed() {
        let mut table = Table::new(["what", "value"]);
        table.row([Cell::from("1, 2"), Rational::new(2.into(), 3.into()).into()]);
        table.row([Cell::from("a \"b\""), Cell::from("-")]);
        assert_eq!(table.csv(), "what,value\n\"1, 2\",0.666667\n\"a \"\"b\"\"\",-\n");
        assert_eq!(table.rows()[0][1], Cell::Number(Rational::new(2.into(), 3.into())));
    }

    #[test]
    #[should_panic(expected = "one cell for each column")]
    fn a_row_of_another_length_is_a_mistake() {
        Table::new(["a", "b"]).row([Cell::from("1")]);
    }
}
