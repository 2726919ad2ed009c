//! Reads the arguments of `expect led`: a name, a number in a chain, a state.

use crate::board_parts::BoardParts;
use crate::error::{LineFault, PartError};
use crate::led::{Led, LedCheck, LedKind, LedLight};
use crate::share::{Share, ShareError};
use crate::token::{Cursor, Word, is_colour};

/// Reads `STATUS on`, `DIMMED 50%`, `MOOD #ff0000` or `STRIP 3 #ff0000`.
pub(super) fn read(cursor: &mut Cursor<'_>, parts: &BoardParts) -> Result<LedCheck, LineFault> {
    let led = led(cursor, parts)?;
    let behind = format!("`expect led {}`", led.name());
    let wanted = format!("its state: {}", states(led));
    let word = cursor.need_with_colour(&behind, &wanted)?;
    if !word.text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Ok(LedCheck { led, number: None, expected: light(word, led)? });
    }
    let number = number(word, led)?;
    let word = cursor.need_with_colour("the number of the LED", &wanted)?;
    Ok(LedCheck { led, number: Some(number), expected: light(word, led)? })
}

fn led(cursor: &mut Cursor<'_>, parts: &BoardParts) -> Result<Led, LineFault> {
    let known: Vec<&'static str> = parts.leds.all().iter().map(|led| led.name()).collect();
    let wanted = match known.as_slice() {
        [] => "the name of an LED".to_owned(),
        known => format!("the name of an LED: {}", known.join(", ")),
    };
    let word = cursor.need("`expect led`", &wanted)?;
    parts.leds.named(word.text).ok_or_else(|| {
        let kind = match known.is_empty() {
            true => PartError::NoLed,
            false => PartError::UnknownLed { word: word.text.to_owned(), known },
        };
        LineFault::new(word.column, kind)
    })
}

/// Reads the number of an LED of a chain.
fn number(word: Word<'_>, led: Led) -> Result<u16, LineFault> {
    let LedKind::Chain { count, .. } = led.kind() else {
        return Err(LineFault::new(word.column, PartError::NotAChain { led }));
    };
    let number = word.text.parse::<u16>().ok().filter(|number| *number < count);
    number.ok_or_else(|| {
        let kind = PartError::LedNumber { led, word: word.text.to_owned() };
        LineFault::new(word.column, kind)
    })
}

/// Returns the states that `expect led` can name, for messages.
pub(crate) fn states(led: Led) -> &'static str {
    match led.kind() {
        LedKind::Plain => "`on` or `off`",
        LedKind::Pwm => "`on`, `off` or a duty cycle like `50%`",
        LedKind::Rgb | LedKind::Chain { has_white: false, .. } => {
            "`on`, `off` or a colour like `#ff8000`"
        }
        LedKind::Chain { has_white: true, .. } => {
            "`on`, `off` or a colour like `#ff8000`, or with its white `#ff800040`"
        }
    }
}

fn light(word: Word<'_>, led: Led) -> Result<LedLight, LineFault> {
    let text = word.text;
    let fault = |kind| Err(LineFault::new(word.column, kind));
    let of_kind = |light, fits: bool| match fits {
        true => Ok(light),
        false => fault(PartError::OtherLight { led, word: text.to_owned(), states: states(led) }),
    };
    match text {
        "on" => return Ok(LedLight::On),
        "off" => return Ok(LedLight::Off),
        _ => {}
    }
    if text.ends_with('%') {
        return match Share::read_percent(text) {
            Ok(share) => of_kind(LedLight::Level(share), led.kind() == LedKind::Pwm),
            Err(ShareError::TooLarge) => fault(PartError::DutyOutOfRange(text.to_owned())),
            Err(ShareError::NotANumber) => {
                fault(PartError::NotALight { word: text.to_owned(), states: states(led) })
            }
        };
    }
    match colour(text) {
        Some([red, green, blue, rest @ ..]) => {
            let white = rest[0];
            let has_white = matches!(led.kind(), LedKind::Chain { has_white: true, .. });
            let has_colour = matches!(led.kind(), LedKind::Rgb | LedKind::Chain { .. });
            let rgb = [red, green, blue].map(Option::unwrap_or_default);
            of_kind(LedLight::Colour { rgb, white }, has_colour && (white.is_none() || has_white))
        }
        None => fault(PartError::NotALight { word: text.to_owned(), states: states(led) }),
    }
}

/// Reads `#rrggbb` or `#rrggbbww`.
fn colour(text: &str) -> Option<[Option<u8>; 4]> {
    let digits = text.strip_prefix('#').filter(|_| is_colour(text))?;
    let byte = |nth: usize| {
        let pair = digits.get(2 * nth..2 * nth + 2)?;
        u8::from_str_radix(pair, 16).ok()
    };
    Some([byte(0), byte(1), byte(2), byte(3)])
}
