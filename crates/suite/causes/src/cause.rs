//! The key of a group of differences: what one change of the firmware makes of many elements.

use std::fmt;

use ili9341_model::Region;

use crate::console::Token;
use crate::difference::{Difference, What, way};
use crate::words::{replaced, without_numbers};

/// Greatest distance in pixels between two parts of one change.
const BESIDE: u16 = 4;

/// A cause of differences. Equal values are one group.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Cause {
    /// Elements are in another place.
    Moved {
        /// Movement to the right, in columns.
        right: i32,
        /// Movement down, in rows.
        down: i32,
        /// Whether some elements moved as far in the opposite direction: both halves of a layout
        /// that is symmetric.
        is_mirrored: bool,
    },
    /// Colours are others, `0x00RRGGBB`: before and after.
    Recoloured(Vec<(u32, u32)>),
    /// Texts are drawn in another size.
    Font,
    /// Texts are worded otherwise; `N` is any number.
    Words { before: String, after: String },
    /// Pictures are drawn otherwise.
    Redrawn,
    /// Another screen is shown.
    Screens,
    /// Something else is printed from a line on.
    Behaviour(Token),
    /// A frequency in hertz is another, 0 is silence; `None` is no note.
    Tone([Option<u32>; 2]),
    /// The same happens at another time.
    Time { is_later: bool },
    /// The same is drawn with other bytes on the LCD's bus.
    Bytes { are_more: bool },
    /// Settled frames are the same, but the frames before them are not.
    Movements,
    /// Another expectation fails, or none does.
    Verdict,
}

impl Cause {
    /// Returns the cause of a difference.
    pub fn of(what: &What) -> Self {
        match what {
            What::Moved { right, down, .. } => Self::moved(*right, *down),
            What::Recoloured { colours, .. } => Self::Recoloured(colours.clone()),
            What::Text { before, after } if before == after => Self::Font,
            What::Text { before, after } => {
                let (before, after) = replaced(before, after);
                Self::words(before, after)
            }
            What::TextNew(text) => Self::words("", text),
            What::TextGone(text) => Self::words(text, ""),
            What::Picture { .. } => Self::Redrawn,
            What::Screen { before, after } if before == after => Self::Redrawn,
            What::Screen { .. } | What::FrameNew { .. } | What::FrameGone { .. } => Self::Screens,
        }
    }

    /// Returns the cause of a movement in one direction.
    pub fn moved(right: i32, down: i32) -> Self {
        Self::Moved { right, down, is_mirrored: false }
    }

    fn words(before: &str, after: &str) -> Self {
        Self::Words { before: without_numbers(before), after: without_numbers(after) }
    }

    /// Returns the cause of a token in which only texts differ.
    pub fn wording(Token([before, after]): Token) -> Self {
        Self::Words { before: before.unwrap_or_default(), after: after.unwrap_or_default() }
    }

    /// Returns whether everything after the difference may only follow from it.
    pub fn diverges(&self) -> bool {
        match self {
            Self::Behaviour(_) | Self::Screens => true,
            // Another number is no wording.
            Self::Words { before, after } => before == after,
            _ => false,
        }
    }

    /// Returns whether the difference follows from any other drawing or behaviour.
    pub fn is_weak(&self) -> bool {
        matches!(self, Self::Time { .. } | Self::Bytes { .. } | Self::Movements)
    }

    /// Joins a cause with another one that is the same change. Returns whether it is.
    pub fn joins(&mut self, other: &Self) -> bool {
        match (self, other) {
            (Self::Recoloured(colours), Self::Recoloured(others)) => {
                let is_shared = others.iter().any(|pair| colours.contains(pair));
                if is_shared {
                    colours.extend(others);
                    colours.sort_unstable();
                    colours.dedup();
                }
                is_shared
            }
            (
                Self::Moved { right, down, is_mirrored },
                Self::Moved { right: across, down: along, is_mirrored: both },
            ) => {
                let is_opposite = (-*right, -*down) == (*across, *along);
                let is_same = (*right, *down) == (*across, *along);
                *is_mirrored |= is_opposite || is_same && *both;
                is_same || is_opposite
            }
            (one, other) => one == other,
        }
    }
}

/// Leaves out the differences of one frame that only follow from another one: pixels beside a text
/// or an element that moved, changed its colour or its words.
pub fn folded(found: &[Difference]) -> impl Iterator<Item = (Cause, &Difference)> {
    let is_beside = move |one: Region, other: Region| {
        let grown = Region {
            x: one.x.saturating_sub(BESIDE),
            y: one.y.saturating_sub(BESIDE),
            width: one.width.saturating_add(2 * BESIDE),
            height: one.height.saturating_add(2 * BESIDE),
        };
        grown.meets(other)
    };
    let explains = move |other: &Difference, region: Region| {
        Cause::of(&other.what) != Cause::Redrawn && is_beside(other.region, region)
    };
    found.iter().map(|one| (Cause::of(&one.what), one)).filter(move |(cause, one)| {
        *cause != Cause::Redrawn || !found.iter().any(|other| explains(other, one.region))
    })
}

/// Prints `elements moved 1 px to the right`: a sentence without a full stop.
impl fmt::Display for Cause {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let note = |hertz: &Option<u32>| match hertz {
            None => "no note".to_owned(),
            Some(0) => "silence".to_owned(),
            Some(hertz) => format!("{hertz} Hz"),
        };
        match self {
            Self::Moved { right, down, is_mirrored } => {
                write!(out, "moved {}", way(*right, *down))?;
                if *is_mirrored {
                    write!(out, ", others {}", way(-right, -down))?;
                }
                Ok(())
            }
            Self::Recoloured(colours) => {
                out.write_str("other colours: ")?;
                for (number, (was, is)) in colours.iter().enumerate() {
                    let comma = if number > 0 { ", " } else { "" };
                    write!(out, "{comma}#{was:06x} became #{is:06x}")?;
                }
                Ok(())
            }
            Self::Font => out.write_str("texts in another size"),
            Self::Words { before, after } if before.is_empty() => {
                write!(out, "the text “{after}” is new")
            }
            Self::Words { before, after } if after.is_empty() => {
                write!(out, "the text “{before}” is gone")
            }
            Self::Words { before, after } if before == after => {
                write!(out, "another number in “{before}”")
            }
            Self::Words { before, after } => write!(out, "“{before}” became “{after}”"),
            Self::Redrawn => out.write_str("pictures are drawn otherwise"),
            Self::Screens => out.write_str("other screens are shown"),
            Self::Behaviour(Token([Some(before), Some(after)])) if before == after => {
                write!(out, "another value of {before}")
            }
            Self::Behaviour(Token([before, after])) => {
                let word = |token: &Option<String>| token.clone().unwrap_or("nothing".to_owned());
                write!(out, "{} became {}", word(before), word(after))
            }
            Self::Tone(hertz) => {
                let [before, after] = hertz.each_ref().map(note);
                write!(out, "the tone {before} became {after}")
            }
            Self::Time { is_later: true } => out.write_str("the same, later"),
            Self::Time { is_later: false } => out.write_str("the same, earlier"),
            Self::Bytes { are_more: true } => {
                out.write_str("the same, with more bytes on the LCD's bus")
            }
            Self::Bytes { are_more: false } => {
                out.write_str("the same, with fewer bytes on the LCD's bus")
            }
            Self::Movements => out.write_str("other movements before the same screens"),
            Self::Verdict => out.write_str("another expectation fails, or none does"),
        }
    }
}

#[cfg(test)]
mod tests {
    use reading::golden::chain::FrameHash;

    use super::*;
    use crate::difference::Thing;

    fn text(before: &str, after: &str) -> What {
        What::Text { before: before.to_owned(), after: after.to_owned() }
    }

    #[test]
    fn one_transformation_of_many_elements_is_one_cause() {
        let moved = |text: &str| What::Moved { thing: Thing::Text(text.into()), right: 1, down: 0 };
        assert_eq!(Cause::of(&moved("Player 1")), Cause::of(&moved("FREE TURN")));
        assert_eq!(Cause::of(&moved("#1")).to_string(), "moved 1 px to the right");
    }

    #[test]
    fn one_wording_of_many_texts_is_one_cause() {
        let one = Cause::of(&text("Player 1's turn", "Player 1 to move"));
        assert_eq!(one, Cause::of(&text("Top's turn", "Top to move")));
        assert_eq!(one.to_string(), "“'s turn” became “to move”");
        assert_eq!(Cause::of(&text("12 points", "13 points")), Cause::of(&text("1", "2")));
        assert!(Cause::of(&text("1", "2")).diverges() && !one.diverges());
    }

    #[test]
    fn recolourings_with_a_common_colour_are_joined() {
        let mut one = Cause::Recoloured(vec![(1, 2)]);
        assert!(!one.joins(&Cause::Recoloured(vec![(3, 4)])));
        assert!(one.joins(&Cause::Recoloured(vec![(1, 2), (3, 4)])));
        assert!(one.joins(&Cause::Recoloured(vec![(3, 4)])));
    }

    #[test]
    fn both_halves_of_a_symmetric_layout_move_for_one_reason() {
        let mut one = Cause::moved(0, 1);
        assert!(!one.joins(&Cause::moved(1, 0)) && !one.joins(&Cause::moved(0, 2)));
        assert!(one.joins(&Cause::moved(0, 1)));
        assert_eq!(one.to_string(), "moved 1 px down");
        assert!(one.joins(&Cause::moved(0, -1)));
        assert_eq!(one.to_string(), "moved 1 px down, others 1 px up");
    }

    #[test]
    fn pixels_beside_an_explained_element_are_folded() {
        let at = |x: u16| Region { x, y: 10, width: 8, height: 8 };
        let picture = |x: u16| {
            let hash = FrameHash(x.into());
            Difference {
                what: What::Picture { region: at(x), before: hash, after: hash },
                region: at(x),
            }
        };
        let moved = What::Moved { thing: Thing::Several, right: 1, down: 0 };
        let found = [Difference { what: moved, region: at(20) }, picture(30), picture(60)];
        let causes: Vec<(Cause, u16)> =
            folded(&found).map(|(cause, one)| (cause, one.region.x)).collect();
        assert_eq!(causes, [(Cause::moved(1, 0), 20), (Cause::Redrawn, 60)]);
    }
}
