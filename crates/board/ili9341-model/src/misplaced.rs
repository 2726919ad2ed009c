//! A picture that is in another part of the memory than the one that the panel shows. The usual
//! causes are a wrong offset, and a MADCTL that mirrors columns or lines.

use core::fmt;

use crate::Ili9341;

/// Columns and lines of the memory, first and last, that a program has written, and those that the
/// panel shows. Both areas have the same size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Misplaced {
    pub written: [(usize, usize); 2],
    pub shown: [(usize, usize); 2],
}

impl fmt::Display for Misplaced {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [written_columns, written_lines] = self.written;
        let [shown_columns, shown_lines] = self.shown;
        let ranges = |columns: (usize, usize), lines: (usize, usize)| {
            format!("columns {} to {} and lines {} to {}", columns.0, columns.1, lines.0, lines.1)
        };
        write!(
            out,
            "the program has written the {} of the display's memory, and the display shows the {}: are \
             `offset` of the board file and MADCTL right?",
            ranges(written_columns, written_lines),
            ranges(shown_columns, shown_lines)
        )
    }
}

impl Ili9341 {
    /// Returns where the picture is, if exactly a part of the memory has been written since
    /// power-on that has the size of the visible panel and is not the part that it shows.
    pub fn misplaced(&self) -> Option<Misplaced> {
        let module = self.module();
        let range = |first: u16, count: u16| {
            let first = usize::from(first);
            (first, first + usize::from(count) - 1)
        };
        let shown =
            [range(module.first_column, module.columns), range(module.first_line, module.lines)];
        let written = self.memory.written_area()?;
        let length = |range: (usize, usize)| range.1 - range.0;
        let is_same_size = written.map(length) == shown.map(length);
        (self.powered && is_same_size && written != shown).then_some(Misplaced { written, shown })
    }
}
