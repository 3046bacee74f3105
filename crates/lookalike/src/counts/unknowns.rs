//! The entries of a mechanism as columns of a program: one a class of entries that are equal.

use super::check::Cell;
use super::{Properties, Property};

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

    /// The column of an entry.
    pub(super) fn column(&self, cell: Cell) -> u32 {
        self.columns[cell.input * (self.n + 1) + cell.output]
    }

    /// The first entry of each column.
    pub(super) fn cells(&self) -> &[Cell] {
        &self.cells
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_entries_are_one_column() {
        // Of 25 entries: 12 pairs and the middle; a diagonal of five or, with both, of three pairs.
        for (properties, size, rows) in [("none", 25, 5), ("S", 13, 3), ("F", 21, 5), ("S,F", 11, 3)] {
            let unknowns = Unknowns::new(4, properties.parse().unwrap());
            assert_eq!((unknowns.cells().len(), unknowns.inputs().count()), (size, rows), "{properties}");
            for (column, &cell) in unknowns.cells().iter().enumerate() {
                assert_eq!(unknowns.column(cell) as usize, column);
            }
            for input in unknowns.inputs() {
                assert_eq!(unknowns.row(input).iter().map(|(_, count)| count).sum::<u8>(), 5, "{properties}");
            }
        }
        let unknowns = Unknowns::new(4, "S,F".parse().unwrap());
        let column = |input, output| unknowns.column(Cell { input, output });
        assert!(column(0, 1) == column(4, 3) && column(2, 1) == column(2, 3) && column(0, 0) == column(3, 3));
        assert!(column(0, 1) != column(1, 0));
    }
}
