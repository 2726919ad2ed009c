//! Places the parts on the face: a grid of cells, column 1 and row 1 at the top left.
//!
//! Parts with a place in the file get it. All others follow in a fixed order: displays in the
//! middle at the top, then below them a cross of buttons named UP, DOWN, LEFT and RIGHT, then each
//! part at the first free cells from the left and from the top. The same file always yields the
//! same face.

use crate::limits::GRID_MAX;
use crate::part::Part;
use crate::parts::BoardFile;
use crate::reader::Span;
use crate::table::place::Place;

/// Minimum width of a face in columns.
const COLUMNS_MIN: u32 = 8;

/// The places of all parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Face {
    /// Width in columns, 1 to 64.
    pub columns: u32,
    /// Height in rows.
    pub rows: u32,
    /// The parts in the order of [`BoardFile::parts`].
    pub items: Vec<FaceItem>,
}

/// A part on the face.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FaceItem {
    /// The table in the file: `button`, `display`.
    pub kind: &'static str,
    /// Name of the part in traces.
    pub name: String,
    pub place: Place,
    /// Whether the file has no place for the part.
    pub automatic: bool,
}

impl Face {
    /// Returns the place of the part with the name, ignoring case.
    pub fn place_of(&self, name: &str) -> Option<Place> {
        let item = self.items.iter().find(|item| item.name.eq_ignore_ascii_case(name));
        item.map(|item| item.place)
    }
}

/// Returns the face of a board.
pub fn layout(board: &BoardFile) -> Face {
    let parts: Vec<Part<'_>> = board.parts().into_iter().filter(|part| part.on_face).collect();
    let placed = parts.iter().filter_map(|part| part.place);
    let rightmost = placed.clone().map(|place| place.right() - 1).max().unwrap_or(0);
    let widest = parts.iter().map(|part| part.cells.0).max().unwrap_or(0);
    let mut grid =
        Grid { columns: COLUMNS_MIN.max(rightmost).max(widest).min(GRID_MAX), rows: Vec::new() };
    for place in placed {
        grid.occupy(place);
    }
    let mut places: Vec<Option<Place>> = parts.iter().map(|part| part.place).collect();
    let is_open = |places: &[Option<Place>], at: usize| places[at].is_none();

    for (at, part) in parts.iter().enumerate() {
        if part.kind == "display" && is_open(&places, at) {
            places[at] = Some(grid.take_middle(part.cells));
        }
    }
    let below_displays = parts
        .iter()
        .zip(&places)
        .filter(|(part, _)| part.kind == "display")
        .filter_map(|(_, place)| place.map(|place| place.bottom()))
        .max()
        .unwrap_or(1);
    cross(&parts, &mut places, &mut grid, below_displays);
    for (at, part) in parts.iter().enumerate() {
        if is_open(&places, at) {
            places[at] = Some(grid.take_first(part.cells, below_displays));
        }
    }

    let items = parts.iter().zip(places).filter_map(|(part, place)| {
        Some(FaceItem {
            kind: part.kind,
            name: part.name.clone(),
            place: place?,
            automatic: part.place.is_none(),
        })
    });
    let items: Vec<FaceItem> = items.collect();
    let rows = items.iter().map(|item| item.place.bottom() - 1).max().unwrap_or(1);
    Face { columns: grid.columns, rows, items }
}

/// Places the buttons of a direction pad, if the board has all four and the file places none.
fn cross(parts: &[Part<'_>], places: &mut [Option<Place>], grid: &mut Grid, from_row: u32) {
    const CROSS: [(&str, u32, u32); 4] =
        [("UP", 1, 0), ("LEFT", 0, 1), ("RIGHT", 2, 1), ("DOWN", 1, 2)];
    let find = |wanted: &str| {
        parts.iter().position(|part| {
            part.kind == "button" && part.place.is_none() && part.name.eq_ignore_ascii_case(wanted)
        })
    };
    let found: Vec<(usize, u32, u32)> =
        CROSS.iter().filter_map(|(name, x, y)| Some((find(name)?, *x, *y))).collect();
    if found.len() < CROSS.len() {
        return;
    }
    // A fourth column keeps the other buttons at a distance.
    let Place { column, row, .. } = grid.take_first((4, 3), from_row);
    for (at, x, y) in found {
        places[at] = Some(cell(column + x, row + y, (1, 1)));
    }
}

fn cell(column: u32, row: u32, (columns, rows): (u32, u32)) -> Place {
    Place { column, row, columns, rows, span: Span::default() }
}

/// The occupied cells.
struct Grid {
    columns: u32,
    /// The occupied columns of each row, bit 0 is column 1.
    rows: Vec<u64>,
}

const _: () = assert!(GRID_MAX <= u64::BITS);

impl Grid {
    fn mask(place: Place) -> u64 {
        let ones = if place.columns >= u64::BITS { u64::MAX } else { (1 << place.columns) - 1 };
        ones << (place.column - 1).min(u64::BITS - 1)
    }

    fn occupy(&mut self, place: Place) {
        let bottom = place.bottom() as usize;
        if self.rows.len() < bottom {
            self.rows.resize(bottom, 0);
        }
        for row in &mut self.rows[place.row as usize - 1..bottom - 1] {
            *row |= Self::mask(place);
        }
    }

    fn is_free(&self, place: Place) -> bool {
        let rows = self.rows.iter().skip(place.row as usize - 1).take(place.rows as usize);
        rows.fold(0, |taken, row| taken | row) & Self::mask(place) == 0
    }

    /// Occupies the first row that has room in the middle, or any room.
    fn take_middle(&mut self, cells: (u32, u32)) -> Place {
        let middle = (self.columns.saturating_sub(cells.0)) / 2 + 1;
        self.take(cells, 1, |columns| std::iter::once(middle).chain(columns))
    }

    /// Occupies the first free cells from the left and from the top, from `row` on.
    fn take_first(&mut self, cells: (u32, u32), row: u32) -> Place {
        self.take(cells, row, |columns| columns)
    }

    /// Occupies the first free place; ends at the latest in the first row below all others.
    fn take<I: Iterator<Item = u32>>(
        &mut self,
        cells: (u32, u32),
        from_row: u32,
        order: impl Fn(std::ops::RangeInclusive<u32>) -> I,
    ) -> Place {
        let cells = (cells.0.min(self.columns), cells.1);
        let last = self.columns + 1 - cells.0;
        let end = (self.rows.len() as u32 + 1).max(from_row);
        let rows = from_row..=end;
        let all = rows.flat_map(|row| order(1..=last).map(move |column| cell(column, row, cells)));
        let place = all.into_iter().find(|place| self.is_free(*place));
        let place = place.unwrap_or(cell(1, end, cells));
        self.occupy(place);
        place
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{lcd_board, parse};

    const HEAD: &str = "board = 1\nname = \"x\"\nchip = \"rp2040\"\n[[display]]\npanel = \"ili9341\"\n\
                        bus = \"spi4\"\nrotation = \"90 deg\"\nsck = \"GP18\"\nmosi = \"GP19\"\n\
                        dc = \"GP20\"\n";

    fn face(buttons: &[&str]) -> Face {
        let mut text = HEAD.to_owned();
        for (at, name) in buttons.iter().enumerate() {
            text += &format!("[[button]]\nname = \"{name}\"\npin = \"GP{at}\"\n");
        }
        layout(&parse("x", &text).unwrap())
    }

    #[track_caller]
    fn check(face: &Face, name: &str, expected: (u32, u32, u32, u32)) {
        let place = face.place_of(name).unwrap();
        assert_eq!((place.column, place.row, place.columns, place.rows), expected, "{name}");
    }

    #[test]
    fn a_direction_pad_is_a_cross_below_the_display() {
        let face = face(&["A", "B", "UP", "down", "LEFT", "RIGHT"]);
        check(&face, "LCD", (1, 1, 8, 6));
        check(&face, "UP", (2, 7, 1, 1));
        check(&face, "LEFT", (1, 8, 1, 1));
        check(&face, "RIGHT", (3, 8, 1, 1));
        check(&face, "DOWN", (2, 9, 1, 1));
        check(&face, "A", (5, 7, 1, 1));
        check(&face, "B", (6, 7, 1, 1));
    }

    #[test]
    fn three_directions_are_buttons_like_the_others() {
        let face = face(&["UP", "DOWN", "LEFT"]);
        check(&face, "UP", (1, 7, 1, 1));
        check(&face, "DOWN", (2, 7, 1, 1));
        check(&face, "LEFT", (3, 7, 1, 1));
    }

    #[test]
    fn the_largest_board_is_laid_out_without_overlaps() {
        let mut text = HEAD.to_owned();
        // Displays without chip select share their pins; the other parts are chains of LEDs and the
        // devices of one I2C bus.
        let free = (0..30).filter(|pin| ![18, 19, 20, 28, 29].contains(pin));
        for pin in free {
            text += &format!(
                "[[led]]\nname = \"L{pin}\"\nkind = \"ws2812\"\ncount = 1024\npin = \"GP{pin}\"\n"
            );
        }
        for address in 8..0x78 {
            text +=
                &format!("[[i2c_device]]\nsda = \"GP28\"\nscl = \"GP29\"\naddress = {address}\n");
        }
        for at in 0..200 - 1 - 25 - 112 {
            text += &format!(
                "[[display]]\nname = \"D{at}\"\npanel = \"ili9341\"\nbus = \"spi4\"\nsck = \"GP18\"\n\
                 mosi = \"GP19\"\ndc = \"GP20\"\n"
            );
        }
        let board = parse("x", &text.replacen("panel", "name = \"D\"\npanel", 1)).unwrap();
        assert_eq!(board.parts().len(), crate::limits::PARTS_MAX);
        let face = layout(&board);
        let on_face = board.parts().iter().filter(|part| part.on_face).count();
        assert_eq!(face.items.len(), on_face);
        assert!(face.columns <= GRID_MAX);
        for (at, item) in face.items.iter().enumerate() {
            assert!(item.place.right() <= face.columns + 1 && item.place.bottom() <= face.rows + 1);
            for other in &face.items[..at] {
                assert!(!item.place.overlaps(&other.place), "{} {}", item.name, other.name);
            }
        }
        let one_more = text.clone()
            + "[[sd_card]]\nsck = \"GP18\"\nmosi = \"GP19\"\nmiso = \"GP29\"\ncs = \"GP28\"\n";
        let error = parse("x", &one_more).unwrap_err().to_string();
        assert!(error.contains("the board has 201 parts; the limit is 200"), "{error}");
    }

    #[test]
    fn places_of_the_file_are_kept_and_never_shared() {
        let face = layout(lcd_board());
        check(&face, "B1", (2, 8, 1, 1));
        check(&face, "RESET", (4, 9, 2, 1));
        assert!(face.items.iter().all(|item| !item.automatic));
        let names: Vec<String> = (0..18).map(|at| format!("K{at}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let face = self::face(&names);
        for (at, item) in face.items.iter().enumerate() {
            assert!(item.place.right() <= face.columns + 1 && item.place.bottom() <= face.rows + 1);
            for other in &face.items[..at] {
                assert!(!item.place.overlaps(&other.place), "{} {}", item.name, other.name);
            }
        }
    }
}
