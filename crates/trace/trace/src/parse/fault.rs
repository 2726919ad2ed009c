//! Reads the arguments of `fault`.

use super::display;
use super::words::{button, keyword, unknown};
use crate::board_parts::BoardParts;
use crate::error::{AmountError, LineFault};
use crate::fault::BoardFault;
use crate::fault_limits::{LONGEST_BOUNCE, RAREST_FLIP};
use crate::number::time;
use crate::token::Cursor;
use virtual_time::Nanos;

const KINDS: [&str; 8] = ["stuck", "bounce", "spi", "uart", "noise", "power", "flash", "none"];
/// Words other than a button that may follow `fault none`.
const PARTS: [&str; 4] = ["spi", "uart", "noise", "flash"];

/// Reads the arguments of `fault`.
pub(super) fn read(cursor: &mut Cursor<'_>, parts: &BoardParts) -> Result<BoardFault, LineFault> {
    let buttons = &parts.buttons;
    let kind = cursor.need("`fault`", "what goes wrong, like `stuck B3` or `power cut`")?;
    Ok(match kind.text {
        "stuck" => BoardFault::Stuck(button("`fault stuck`", cursor, buttons)?),
        "bounce" => BoardFault::Bounce {
            button: button("`fault bounce`", cursor, buttons)?,
            bounce: bounce(cursor)?,
        },
        "spi" => {
            keyword(cursor, "flip", "`fault spi`")?;
            let wanted = "the share of bits that flip, like `1/100000`";
            let one_in = one_in(cursor, "`fault spi flip`", wanted, AmountError::NotAShare)?;
            BoardFault::SpiFlip { one_in, display: display::optional(cursor, parts)? }
        }
        "uart" => uart(cursor)?,
        "noise" => {
            keyword(cursor, "stuck", "`fault noise`")?;
            BoardFault::NoiseStuck
        }
        "power" => {
            keyword(cursor, "cut", "`fault power`")?;
            BoardFault::PowerCut
        }
        "flash" => flash(cursor)?,
        "none" => none(cursor, parts)?,
        _ => return Err(unknown(kind, "fault", &KINDS)),
    })
}

fn bounce(cursor: &mut Cursor<'_>) -> Result<Nanos, LineFault> {
    let word = cursor.need("`fault bounce`", "how long it bounces, like `8ms`")?;
    let bounce = time(word)?;
    if bounce == Nanos::ZERO || bounce > LONGEST_BOUNCE {
        let error = AmountError::BounceOutOfRange(word.text.to_owned());
        return Err(LineFault::new(word.column, error));
    }
    Ok(bounce)
}

/// Reads the arguments of `fault flash`.
fn flash(cursor: &mut Cursor<'_>) -> Result<BoardFault, LineFault> {
    let what = cursor.need("`fault flash`", "what goes wrong: `cut after 37 bytes` or `stuck`")?;
    match what.text {
        "cut" => {
            keyword(cursor, "after", "`fault flash cut`")?;
            let after = bytes(cursor)?;
            keyword(cursor, "bytes", "`fault flash cut after`")?;
            Ok(BoardFault::FlashCut { after })
        }
        "stuck" => Ok(BoardFault::FlashStuck),
        _ => Err(unknown(what, "fault of the flash", &["cut", "stuck"])),
    }
}

/// Reads the arguments of `fault uart`.
fn uart(cursor: &mut Cursor<'_>) -> Result<BoardFault, LineFault> {
    let wanted = "what happens to typed bytes: `lose 1/20` or `garble`";
    let what = cursor.need("`fault uart`", wanted)?;
    let share = |cursor: &mut Cursor<'_>, behind| {
        let wanted = "the share of bytes that it happens to, like `1/20`";
        one_in(cursor, behind, wanted, AmountError::NotAShareOfBytes)
    };
    match what.text {
        "lose" => Ok(BoardFault::UartLose { one_in: share(cursor, "`fault uart lose`")? }),
        "garble" if cursor.clone().word().is_none() => Ok(BoardFault::UartGarble { one_in: 1 }),
        "garble" => Ok(BoardFault::UartGarble { one_in: share(cursor, "`fault uart garble`")? }),
        _ => Err(unknown(what, "fault of the UART", &["lose", "garble"])),
    }
}

/// Reads a share like `1/100000`; returns the denominator.
fn one_in(
    cursor: &mut Cursor<'_>,
    behind: &str,
    wanted: &str,
    wrong: fn(String) -> AmountError,
) -> Result<u32, LineFault> {
    let word = cursor.need(behind, wanted)?;
    let one_in = word.text.strip_prefix("1/").and_then(whole);
    one_in
        .filter(|one_in| (1..=RAREST_FLIP).contains(one_in))
        .ok_or_else(|| LineFault::new(word.column, wrong(word.text.to_owned())))
}

fn bytes(cursor: &mut Cursor<'_>) -> Result<u32, LineFault> {
    let word = cursor.need("`after`", "a number of bytes, like `37 bytes`")?;
    whole(word.text).ok_or_else(|| {
        LineFault::new(word.column, AmountError::NotAByteCount(word.text.to_owned()))
    })
}

fn none(cursor: &mut Cursor<'_>, parts: &BoardParts) -> Result<BoardFault, LineFault> {
    let wanted = "what is well again: a button, `spi`, `uart`, `noise` or `flash`";
    let part = cursor.need("`fault none`", wanted)?;
    Ok(match part.text {
        "spi" => BoardFault::NoSpiFault { display: display::optional(cursor, parts)? },
        "uart" => BoardFault::NoUartFault,
        "noise" => BoardFault::NoNoiseFault,
        "flash" => BoardFault::NoFlashFault,
        name => match parts.buttons.named(name) {
            Some(button) => BoardFault::NoContactFault(button),
            None => {
                let known: Vec<&'static str> =
                    PARTS.into_iter().chain(parts.buttons.names()).collect();
                return Err(unknown(part, "part of the board", &known));
            }
        },
    })
}

fn whole(digits: &str) -> Option<u32> {
    digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok())?
}
