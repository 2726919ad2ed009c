//! A font of the glyphs in a picture whose text a person has read.

use std::collections::HashMap;

use ili9341_model::Frame;
use ili9341_model::frame::Region;
use thiserror::Error;

use super::{FontFault, Glyphs, bdf};

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

/// Makes a font of `region`, whose cells have equal widths and contain `text` in one line. Text that
/// is drawn at twice its size is stored at its size.
///
/// # Errors
/// If the region is not divided evenly, has more than two colours, or contradicts the text.
pub fn learn(name: &str, frame: &Frame, region: Region, text: &str) -> Result<Glyphs, LearnError> {
    let letters: Vec<char> = text.chars().collect();
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
    let mut counts: HashMap<u32, usize> = HashMap::new();
    (0..height).for_each(|y| (0..width).for_each(|x| *counts.entry(pixel(x, y)).or_default() += 1));
    if counts.len() != 2 {
        return Err(LearnError::Colours(counts.len()));
    }
    let ground = counts.into_iter().max_by_key(|(pixel, count)| (*count, *pixel));
    let ground = ground.map_or(0, |(pixel, _)| pixel);
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
    let mut font = Glyphs {
        name: name.to_owned(),
        columns: columns as u32,
        rows: height as u32,
        all,
        pens: Vec::new(),
    };
    while font.halve() {}
    Ok(font)
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
    /// If the sizes differ, or a character has other pixels in `other`, or one of them is proportional.
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
