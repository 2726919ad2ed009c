//! A font of the glyphs in a picture whose text a person has read.

use std::collections::HashSet;

use ili9341_model::Frame;
use ili9341_model::frame::Region;
use thiserror::Error;

use super::placed::Nearby;
use super::{FontFault, Glyphs, bdf, placed};

/// Reason why no font can be learned of a picture. `Display` gives the fact and the next step.
#[derive(Debug, Error)]
pub enum LearnError {
    /// No character with ink in the text.
    #[error("the text has no letter; give the text that is in the region")]
    NoText,
    /// A region that is not on the panel.
    #[error("the region is not on the panel of {width}x{height} px")]
    Outside { width: usize, height: usize },
    /// A region that cannot be divided into cells.
    #[error(
        "a region of {width} px cannot be divided into {count} characters; with {} px each has {} px",
        width / count * count, width / count
    )]
    Width { width: usize, count: usize },
    /// More colours than ink and ground.
    #[error(
        "the region has {0} colours; text has one on a ground of another: choose a region in which \
         nothing else is drawn"
    )]
    Colours(usize),
    /// Two cells with the same character and different pixels.
    #[error(
        "the {first}. and the {second}. character, both {letter:?}, look different: the region does \
         not begin at the first cell, or is not as wide as the text"
    )]
    Differs { letter: char, first: usize, second: usize },
    /// A region whose edges or cells cut glyphs, and one nearby that cuts none.
    #[error(
        "the region cuts glyphs; {}: give the region {},{},{},{}",
        moved(*columns, *rows), region.x, region.y, region.width, region.height
    )]
    Moved {
        /// Distance to the other region, to the right and downwards.
        columns: isize,
        rows: isize,
        /// The region that cuts no glyph.
        region: Region,
    },
    /// Glyphs that continue above or below the region.
    #[error(
        "the glyphs continue {} the region: give a region with all their rows, and with no other \
         shape that touches them", if *.is_above { "above" } else { "below" }
    )]
    Cut { is_above: bool },
    /// A character with ink where the text has a space, or the reverse.
    #[error(
        "the {place}. character is {letter:?}, but its cell is {}; check the text and the region",
        if *.has_ink { "not empty" } else { "empty" }
    )]
    Space { place: usize, letter: char, has_ink: bool },
    /// A cell of a size that the reader cannot have.
    #[error(transparent)]
    Size(#[from] FontFault),
}

impl From<Nearby> for LearnError {
    fn from(Nearby { columns, rows, region }: Nearby) -> Self {
        Self::Moved { columns, rows, region }
    }
}

/// Makes a font of `region`, whose cells have equal widths and contain `text` in one line. Text
/// that is drawn at twice its size is stored at its size.
///
/// # Errors
/// If the region is not divided evenly, has more than two colours, contradicts the text, or cuts
/// glyphs.
pub fn learn(name: &str, frame: &Frame, region: Region, text: &str) -> Result<Glyphs, LearnError> {
    let letters: Vec<char> = text.chars().collect();
    let font = cells(name, frame, region, &letters);
    let cut = placed::cut(frame, region, letters.len());
    let contradicts = matches!(font, Err(LearnError::Differs { .. } | LearnError::Space { .. }));
    if contradicts || font.is_ok() && cut.is_any() {
        let fits = |region: Region| {
            !placed::cut(frame, region, letters.len()).is_any()
                && cells(name, frame, region, &letters).is_ok()
        };
        if let Some(moved) = placed::nearby(region, placed::REACH, fits) {
            return Err(moved.into());
        }
    }
    let mut font = font?;
    if cut.above || cut.below {
        return Err(LearnError::Cut { is_above: cut.above });
    }
    if !font.halve() {
        // At an odd place no glyph of twice its size can be halved.
        let is_double = |region: Region| {
            !placed::cut(frame, region, letters.len()).is_any()
                && cells(name, frame, region, &letters).is_ok_and(|mut font| font.halve())
        };
        return match placed::nearby(region, 1, is_double) {
            Some(moved) => Err(moved.into()),
            None => Ok(font),
        };
    }
    while font.halve() {}
    Ok(font)
}

/// Words a distance: the direction in which a region is moved.
fn moved(columns: isize, rows: isize) -> String {
    let word = |distance: isize, back: &str, on: &str| match distance {
        0 => None,
        _ => Some(format!("{} px {}", distance.abs(), if distance < 0 { back } else { on })),
    };
    let words = [word(columns, "to the left", "to the right"), word(rows, "up", "down")];
    let words = words.into_iter().flatten().collect::<Vec<_>>().join(" and ");
    format!("moved by {words} it cuts none")
}

/// Returns the glyphs in the cells of a region, at the size in which they are drawn.
fn cells(
    name: &str,
    frame: &Frame,
    region: Region,
    letters: &[char],
) -> Result<Glyphs, LearnError> {
    if !letters.iter().any(|letter| !letter.is_whitespace()) {
        return Err(LearnError::NoText);
    }
    let (left, top) = region.corner();
    let (width, height) = (usize::from(region.width), usize::from(region.height));
    if left + width > frame.width() || top + height > frame.height() || width * height == 0 {
        return Err(LearnError::Outside { width: frame.width(), height: frame.height() });
    }
    if width % letters.len() != 0 {
        return Err(LearnError::Width { width, count: letters.len() });
    }
    let columns = width / letters.len();
    Glyphs::check_size(columns as u32, height as u32)?;
    let pixel = |x: usize, y: usize| frame.pixels()[(top + y) * frame.width() + left + x];
    let inside = || (0..height).flat_map(|y| (0..width).map(move |x| pixel(x, y)));
    let colours = inside().collect::<HashSet<u32>>().len();
    if colours != 2 {
        return Err(LearnError::Colours(colours));
    }
    let ground = placed::ground(inside()).unwrap_or_default();
    let mut all: Vec<(char, Vec<u64>)> = Vec::new();
    let mut places: Vec<usize> = Vec::new();
    for (place, letter) in letters.iter().enumerate() {
        let row = |y| {
            let ink = (0..columns).filter(|x| pixel(place * columns + x, y) != ground);
            ink.fold(0, |row, x| row | 1_u64 << x)
        };
        let rows: Vec<u64> = (0..height).map(row).collect();
        let has_ink = rows.iter().any(|row| *row != 0);
        if has_ink == letter.is_whitespace() {
            return Err(LearnError::Space { place: place + 1, letter: *letter, has_ink });
        }
        if !has_ink {
            continue;
        }
        match all.iter().position(|(known, _)| known == letter) {
            Some(known) if all[known].1 != rows => {
                let (first, second) = (places[known] + 1, place + 1);
                return Err(LearnError::Differs { letter: *letter, first, second });
            }
            Some(_) => {}
            None => {
                all.push((*letter, rows));
                places.push(place);
            }
        }
    }
    all.sort_unstable_by_key(|(letter, _)| *letter);
    let (columns, rows) = (columns as u32, height as u32);
    Ok(Glyphs { name: name.to_owned(), columns, rows, all, pens: Vec::new() })
}

impl Glyphs {
    /// Halves the size of the font if each of its pixels is drawn twice in both directions.
    fn halve(&mut self) -> bool {
        let (columns, rows) = (self.columns / 2, self.rows / 2);
        if !self.columns.is_multiple_of(2) || !self.rows.is_multiple_of(2) {
            return false;
        }
        let half = |row: u64| {
            let ink = (0..columns).filter(|column| row >> (2 * column) & 1 != 0);
            ink.fold(0, |half, column| half | 1_u64 << column)
        };
        let is_double = |(_, ink): &(char, Vec<u64>)| {
            let mut pairs = ink.as_chunks::<2>().0.iter();
            pairs.all(|[upper, lower]| {
                let odd = (0..columns).filter(|column| upper >> (2 * column + 1) & 1 != 0);
                let odd = odd.fold(0, |half, column| half | 1_u64 << column);
                upper == lower && half(*upper) == odd
            })
        };
        if !self.all.iter().all(is_double) {
            return false;
        }
        for (_, ink) in &mut self.all {
            *ink = ink.iter().step_by(2).map(|row| half(*row)).collect();
        }
        (self.columns, self.rows) = (columns, rows);
        true
    }

    /// Adds the glyphs of `other`, which must have the same size. Glyphs of this font stay.
    ///
    /// # Errors
    /// If the sizes differ, or a character has other pixels in `other`, or one of them is
    /// proportional.
    pub fn extend(&mut self, other: &Self) -> Result<(), FontFault> {
        if !self.pens.is_empty() || !other.pens.is_empty() {
            return Err(FontFault::Proportional);
        }
        if (self.columns, self.rows) != (other.columns, other.rows) {
            return Err(FontFault::OtherSize {
                columns: self.columns,
                rows: self.rows,
                other_columns: other.columns,
                other_rows: other.rows,
            });
        }
        for (letter, rows) in &other.all {
            match self.all.iter().find(|(known, _)| known == letter) {
                Some((_, known)) if known != rows => {
                    return Err(FontFault::OtherGlyph { character: *letter });
                }
                Some(_) => {}
                None => self.all.push((*letter, rows.clone())),
            }
        }
        self.all.sort_unstable_by_key(|(letter, _)| *letter);
        Ok(())
    }

    /// Returns the font as a BDF file.
    pub fn to_bdf(&self) -> String {
        bdf::write(self)
    }
}
