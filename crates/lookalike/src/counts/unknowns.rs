//! The entries of a mechanism as columns of a program: one a class of entries that are equal.

use super::Properties;
use super::Property;
use super::check::Cell;

/// Which column each entry of a mechanism over 0 to n is.
///
/// With symmetry an entry and its mirror image are one column, which halves the program; with fairness the diagonal is.
pub(super) struct Unknowns {
    n: usize,
    columns: Vec<u32>,
    /// The first entry of each column.
    cells: Vec<Cell>,
    halved: bool,
}

impl Unknowns {
    /// The columns that the equations among the properties leave.
    pub(super) fn new(n: usize, properties: Properties) -> Self {
        let (halved, fair) = (properties.contains(Property::Symmetry), properties.contains(Property::Fairness));
        let mut unknowns = Unknowns { n, columns: Vec::with_capacity((n + 1) * (n + 1)), cells: Vec::new(), halved };
        for input in 0..=n {
            for output in 0..=n {
                let mirrored = (n - input) * (n + 1) + n - output;
                let column = match unknowns.columns.get(mirrored) {
                    _ if fair && input == output && input > 0 => unknowns.columns[0],
                    Some(&column) if halved => column,
                    _ => {
                        unknowns.cells.push(Cell { input, output });
                        unknowns.cells.len() as u32 - 1
                    }
                };
                unknowns.columns.push(column);
            }
        }
        unknowns
    }

    /// The group's size.
    pub(super) fn n(&self) -> usize {
        self.n
    }

    /// How many columns there are.
    pub(super) fn len(&self) -> usize {
        self.cells.len()
    }

    /// The column of an entry.
    pub(super) fn column(&self, cell: Cell) -> u32 {
        self.columns[cell.input * (self.n + 1) + cell.output]
    }

    /// The first entry of each column.
    pub(super) fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// Whether the column is on the diagonal.
    pub(super) fn is_diagonal(&self, column: usize) -> bool {
        self.cells[column].input == self.cells[column].output
    }

    /// The inputs whose rows differ: all, or half of them.
    pub(super) fn inputs(&self) -> std::ops::RangeInclusive<usize> {
        0..=if self.halved { self.n / 2 } else { self.n }
    }

    /// The row of an input as columns, each with how many of its entries it is.
    pub(super) fn row(&self, input: usize) -> Vec<(u32, u8)> {
        let mut columns: Vec<u32> = (0..=self.n).map(|output| self.column(Cell { input, output })).collect();
        columns.sort_unstable();
        let mut row: Vec<(u32, u8)> = Vec::with_capacity(columns.len());
        for column in columns {
            match row.last_mut() {
                Some((last, count)) if *last == column => *count += 1,
                _ => row.push((column, 1)),
            }
        }
        row
    }
}
