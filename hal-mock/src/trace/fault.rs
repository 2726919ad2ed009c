//! What a `fault` line breaks, and what it makes whole again: read and written here.
//!
//! To add one: its word in [`KINDS`], its arm in [`read`] and in `Display`, its variant of
//! [`BoardFault`], what it does in `replay/run/fault.rs`, its row in `docs/trace-format.md`.
//! It does not know how a board is broken: that is [`crate::board`].

use core::fmt;

use super::number::time;
use super::parse::{button, keyword, unknown};
use super::spoken;
use super::token::{Cursor, Fault, abbreviated};
use crate::{Button, Nanos};

/// The longest bounce of a contact: ten times what a bad switch does.
pub const LONGEST_BOUNCE: Nanos = Nanos::from_millis(50);
/// The rarest flip of a bit: one of so many.
pub const RAREST_FLIP: u32 = 1_000_000_000;

const KINDS: [&str; 6] = ["stuck", "bounce", "spi", "power", "flash", "none"];
/// What `fault none` may name besides a button.
const PARTS: [&str; 2] = ["spi", "flash"];

/// Something on the board that goes wrong, or is well again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BoardFault {
    /// `fault stuck B3`: its contact is closed, whatever the finger does.
    Stuck(Button),
    /// `fault bounce B3 8ms`: its contact bounces for at most so long.
    Bounce {
        /// Which.
        button: Button,
        /// More than zero, at most [`LONGEST_BOUNCE`].
        bounce: Nanos,
    },
    /// `fault spi flip 1/100000`: one bit of so many that the LCD receives is the other one;
    /// from 1 to [`RAREST_FLIP`].
    SpiFlip {
        /// The share's denominator.
        one_in: u32,
    },
    /// `fault power cut`: the power goes at that very nanosecond.
    PowerCut,
    /// `fault flash cut after 37 bytes`: the power goes behind that programmed or erased byte.
    FlashCut {
        /// Bytes that still are.
        after: u32,
    },
    /// `fault none B3`: the contact is a good one again.
    NoContactFault(Button),
    /// `fault none spi`: the LCD receives what is sent.
    NoSpiFault,
    /// `fault none flash`: the cut that has not come is not planned any more.
    NoFlashFault,
}

impl BoardFault {
    /// What it is called in an error: `fault stuck of B3`.
    pub fn noun(&self) -> String {
        match self {
            Self::Stuck(button) => format!("fault stuck of {button}"),
            Self::Bounce { button, .. } => format!("fault bounce of {button}"),
            Self::SpiFlip { .. } => "fault spi".into(),
            Self::PowerCut => "fault power".into(),
            Self::FlashCut { .. } => "fault flash".into(),
            Self::NoContactFault(button) => format!("fault none of {button}"),
            Self::NoSpiFault => "fault none of spi".into(),
            Self::NoFlashFault => "fault none of flash".into(),
        }
    }
}

/// What follows the verb, as a trace has it.
impl fmt::Display for BoardFault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stuck(button) => write!(out, "stuck {button}"),
            Self::Bounce { button, bounce } => write!(out, "bounce {button} {bounce}"),
            Self::SpiFlip { one_in } => write!(out, "spi flip 1/{one_in}"),
            Self::PowerCut => out.write_str("power cut"),
            Self::FlashCut { after } => write!(out, "flash cut after {after} bytes"),
            Self::NoContactFault(button) => write!(out, "none {button}"),
            Self::NoSpiFault => out.write_str("none spi"),
            Self::NoFlashFault => out.write_str("none flash"),
        }
    }
}

/// Reads what follows `fault`.
pub(super) fn read(cursor: &mut Cursor<'_>) -> Result<BoardFault, Fault> {
    let kind = cursor.need("`fault`", "what goes wrong, like `stuck B3` or `power cut`")?;
    Ok(match kind.text {
        "stuck" => BoardFault::Stuck(button("`fault stuck`", cursor)?),
        "bounce" => BoardFault::Bounce {
            button: button("`fault bounce`", cursor)?,
            bounce: bounce(cursor)?,
        },
        "spi" => {
            keyword(cursor, "flip", "`fault spi`")?;
            BoardFault::SpiFlip { one_in: one_in(cursor)? }
        }
        "power" => {
            keyword(cursor, "cut", "`fault power`")?;
            BoardFault::PowerCut
        }
        "flash" => {
            keyword(cursor, "cut", "`fault flash`")?;
            keyword(cursor, "after", "`fault flash cut`")?;
            let after = bytes(cursor)?;
            keyword(cursor, "bytes", "`fault flash cut after`")?;
            BoardFault::FlashCut { after }
        }
        "none" => none(cursor)?,
        _ => return Err(unknown(kind, "fault", &KINDS)),
    })
}

fn bounce(cursor: &mut Cursor<'_>) -> Result<Nanos, Fault> {
    let word = cursor.need("`fault bounce`", "how long it bounces, like `8ms`")?;
    let bounce = time(word)?;
    if bounce == Nanos::ZERO || bounce > LONGEST_BOUNCE {
        let text = abbreviated(word.text);
        let longest = spoken(LONGEST_BOUNCE);
        let message = format!(
            "{text} is no bounce; a contact bounces for more than 0 and at most {longest}; \
             `fault none` makes it a good one"
        );
        return Err(Fault::new(word.column, message));
    }
    Ok(bounce)
}

/// `1/100000`.
fn one_in(cursor: &mut Cursor<'_>) -> Result<u32, Fault> {
    let wanted = "the share of bits that flip, like `1/100000`";
    let word = cursor.need("`fault spi flip`", wanted)?;
    let one_in = word.text.strip_prefix("1/").and_then(whole);
    one_in.filter(|one_in| (1..=RAREST_FLIP).contains(one_in)).ok_or_else(|| {
        let text = abbreviated(word.text);
        let message = format!(
            "{text} is no share of bits; 1/1 (every bit) to 1/{RAREST_FLIP}, like `1/100000`"
        );
        Fault::new(word.column, message)
    })
}

fn bytes(cursor: &mut Cursor<'_>) -> Result<u32, Fault> {
    let word = cursor.need("`after`", "a number of bytes, like `37 bytes`")?;
    whole(word.text).ok_or_else(|| {
        let text = abbreviated(word.text);
        Fault::new(word.column, format!("{text} is no number of bytes; 0 to {}", u32::MAX))
    })
}

fn none(cursor: &mut Cursor<'_>) -> Result<BoardFault, Fault> {
    let wanted = "what is well again: a button, `spi` or `flash`";
    let part = cursor.need("`fault none`", wanted)?;
    Ok(match part.text {
        "spi" => BoardFault::NoSpiFault,
        "flash" => BoardFault::NoFlashFault,
        name => match Button::from_name(name) {
            Some(button) => BoardFault::NoContactFault(button),
            None => {
                let known: Vec<&str> =
                    PARTS.into_iter().chain(Button::ALL.map(Button::name)).collect();
                return Err(unknown(part, "part of the board", &known));
            }
        },
    })
}

fn whole(digits: &str) -> Option<u32> {
    digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok())?
}
