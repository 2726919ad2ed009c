//! Reads the arguments of `expect frame`.

use super::display;
use super::words::keyword;
use crate::board_parts::BoardParts;
use crate::display::Display;
use crate::error::{FrameCheckError, LineFault};
use crate::frame_check::FrameCheck;
use crate::limits::{IGNORED_MAX, TOLERANCE_MAX};
use crate::token::{Cursor, Word};
use ili9341_model::frame::Region;

const OPTIONS: [&str; 5] = [display::ON, "in", "ignore", "tolerance", "at"];

/// Reads the options after the name.
pub(super) fn read(
    name: String,
    cursor: &mut Cursor<'_>,
    parts: &BoardParts,
) -> Result<FrameCheck, LineFault> {
    let ahead = display::ahead(cursor, parts)?;
    let panel = ahead.map_or(parts.panel, Display::panel);
    let mut check = FrameCheck::from(name);
    let mut ignored: Vec<(u32, Region)> = Vec::new();
    let mut pixels_off = None;
    while let Some(option) = cursor.word() {
        let column = option.column;
        match option.text {
            display::ON if check.display.is_none() => {
                check.display = Some(display::name(cursor, parts)?);
            }
            "in" if check.region.is_none() => check.region = Some(region(cursor, "`in`", panel)?.1),
            "ignore" if ignored.len() < IGNORED_MAX => {
                ignored.push(region(cursor, "`ignore`", panel)?);
            }
            "ignore" => {
                return Err(LineFault::new(column, FrameCheckError::TooManyIgnored));
            }
            "tolerance" if check.rules.tolerance == 0 => check.rules.tolerance = tolerance(cursor)?,
            "at" if pixels_off.is_none() => pixels_off = Some(at_most(cursor)?),
            display::ON => {
                return Err(LineFault::new(column, FrameCheckError::Twice(display::ON)));
            }
            "in" => return Err(LineFault::new(column, FrameCheckError::Twice("in"))),
            "tolerance" => return Err(LineFault::new(column, FrameCheckError::Twice("tolerance"))),
            "at" => return Err(LineFault::new(column, FrameCheckError::Twice("at most"))),
            other => {
                let option = other.to_owned();
                let (what, known) = ("`expect frame`", &OPTIONS);
                let error = FrameCheckError::UnknownOption { option, what, known };
                return Err(LineFault::new(column, error));
            }
        }
    }
    let shown = check.region.unwrap_or(panel);
    for (number, &(column, region)) in ignored.iter().enumerate() {
        let error = if !shown.holds(region) {
            FrameCheckError::IgnoredOutside { ignored: region, compared: shown }
        } else if let Some(&(_, other)) =
            ignored[..number].iter().find(|(_, other)| other.meets(region))
        {
            FrameCheckError::IgnoredOverlap { ignored: region, other }
        } else {
            continue;
        };
        return Err(LineFault::new(column, error));
    }
    // The ignored regions do not overlap, so their areas can be added.
    let compared = shown.area() - ignored.iter().map(|(_, region)| region.area()).sum::<usize>();
    if let (0, Some((column, _))) = (compared, ignored.first()) {
        return Err(LineFault::new(*column, FrameCheckError::AllIgnored));
    }
    if let Some((column, pixels)) = pixels_off {
        if pixels >= compared {
            let error = FrameCheckError::AllMayBeOff { allowed: pixels, compared };
            return Err(LineFault::new(column, error));
        }
        check.rules.pixels_off = pixels;
    }
    check.rules.ignored = ignored.into_iter().map(|(_, region)| region).collect();
    Ok(check)
}

/// Reads a region inside the panel, and returns its column too.
pub(super) fn region(
    cursor: &mut Cursor<'_>,
    behind: &str,
    panel: Region,
) -> Result<(u32, Region), LineFault> {
    let word = cursor.need(behind, "a region: x,y,width,height, like `0,0,320,40`")?;
    let fault = |error| Err(LineFault::new(word.column, error));
    match Region::parse(word.text) {
        None => fault(FrameCheckError::NotARegion(word.text.to_owned())),
        Some(region) if region.area() == 0 => fault(FrameCheckError::EmptyRegion(region)),
        Some(region) if !panel.holds(region) => {
            fault(FrameCheckError::OutsideThePanel { region, panel })
        }
        Some(region) => Ok((word.column, region)),
    }
}

fn tolerance(cursor: &mut Cursor<'_>) -> Result<u8, LineFault> {
    let word = cursor.need("`tolerance`", "steps of RGB565 a channel, like `2`")?;
    let steps = whole(word).and_then(|steps| u8::try_from(steps).ok());
    steps.filter(|steps| (1..=TOLERANCE_MAX).contains(steps)).ok_or_else(|| {
        LineFault::new(word.column, FrameCheckError::NotATolerance(word.text.to_owned()))
    })
}

/// Reads `most PIXELS pixels` after `at`, and returns the number's column too.
fn at_most(cursor: &mut Cursor<'_>) -> Result<(u32, usize), LineFault> {
    keyword(cursor, "most", "`at`")?;
    let word = cursor.need("`at most`", "a number of pixels, like `30 pixels`")?;
    let pixels = whole(word).filter(|pixels| *pixels > 0).ok_or_else(|| {
        LineFault::new(word.column, FrameCheckError::NotAPixelCount(word.text.to_owned()))
    })?;
    keyword(cursor, "pixels", "`at most`")?;
    Ok((word.column, pixels))
}

fn whole(word: Word<'_>) -> Option<usize> {
    word.text.bytes().all(|byte| byte.is_ascii_digit()).then(|| word.text.parse().ok())?
}
