//! The place of a part on the face of the board.

use serde_json::Value as Json;

use crate::error::BoardErrorKind;
use crate::limits::GRID_MAX;
use crate::reader::{Entry, Reader, Span};
use crate::table::value::Whole;
use crate::table::{Claim, Value, table};

table! {
    /// A rectangle of cells on the face of the board. Column 1, row 1 is the cell at the top left.
    PlaceKeys, "a place" {
        /// Leftmost column, from 1.
        column: Whole<1, GRID_MAX> = required;
        /// Top row, from 1.
        row: Whole<1, GRID_MAX> = required;
        /// Width in columns.
        columns: Whole<1, GRID_MAX> = default(1);
        /// Height in rows.
        rows: Whole<1, GRID_MAX> = default(1);
    }
}

/// A rectangle of cells on the face of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Leftmost column, from 1.
    pub column: u32,
    /// Top row, from 1.
    pub row: u32,
    /// Width in columns.
    pub columns: u32,
    /// Height in rows.
    pub rows: u32,
    pub span: Span,
}

impl Place {
    /// Returns the first column to the right of the place.
    pub fn right(&self) -> u32 {
        self.column.saturating_add(self.columns)
    }

    /// Returns the first row below the place.
    pub fn bottom(&self) -> u32 {
        self.row.saturating_add(self.rows)
    }

    /// Returns whether the places have a cell in common.
    pub fn overlaps(&self, other: &Self) -> bool {
        self.column < other.right()
            && other.column < self.right()
            && self.row < other.bottom()
            && other.row < self.bottom()
    }
}

impl Value for Place {
    fn shape() -> String {
        format!(
            "table: `{{ column = 1, row = 2 }}`, also with `columns` and `rows` for a larger part; \
             the face has {GRID_MAX} columns and rows"
        )
    }

    fn example() -> String {
        "{ column = 1, row = 2 }".into()
    }

    fn json() -> Json {
        PlaceKeys::json()
    }

    fn read(entry: Entry<'_>, reader: &mut Reader) -> Option<Self> {
        let keys = PlaceKeys::read(entry, reader)?;
        let place = Self {
            column: keys.column.value,
            row: keys.row.value,
            columns: keys.columns.value,
            rows: keys.rows.value,
            span: entry.span,
        };
        let ends = [("column", place.right() - 1), ("row", place.bottom() - 1)];
        match ends.into_iter().find(|(_, end)| *end > GRID_MAX) {
            Some((axis, end)) => {
                reader.refuse(entry.span, BoardErrorKind::OutsideFace { axis, end })
            }
            None => Some(place),
        }
    }

    fn claims<'a>(&'a self, _key: &'static str, _index: usize, found: &mut Vec<Claim<'a>>) {
        found.push(Claim::Place(self));
    }
}
