//! Reads what follows `expect frame`.

use super::words::{keyword, listed};
use crate::frame::Region;
use crate::trace::frame_check::FrameCheck;
use crate::trace::nearest::did_you_mean;
use crate::trace::token::{Cursor, Fault, Word, abbreviated};

/// The most regions that one line ignores.
pub(in crate::trace) const IGNORED_MAX: usize = 32;

/// The largest tolerance, in steps of RGB565: half of what red and blue have.
pub(in crate::trace) const TOLERANCE_MAX: u8 = 16;

const OPTIONS: [&str; 4] = ["in", "ignore", "tolerance", "at"];

/// Reads what follows the name.
pub(super) fn read(name: String, cursor: &mut Cursor<'_>) -> Result<FrameCheck, Fault> {
    let mut check = FrameCheck::from(name);
    let mut ignored: Vec<(u32, Region)> = Vec::new();
    let mut pixels_off = None;
    while let Some(option) = cursor.word() {
        let column = option.column;
        match option.text {
            "in" if check.region.is_none() => check.region = Some(region(cursor, "`in`")?.1),
            "ignore" if ignored.len() < IGNORED_MAX => ignored.push(region(cursor, "`ignore`")?),
            "ignore" => {
                let message = format!("a frame ignores at most {IGNORED_MAX} regions");
                return Err(Fault::new(column, message));
            }
            "tolerance" if check.rules.tolerance == 0 => check.rules.tolerance = tolerance(cursor)?,
            "at" if pixels_off.is_none() => pixels_off = Some(at_most(cursor)?),
            "in" | "tolerance" | "at" => {
                let option = abbreviated(option.text).replace("`at`", "`at most`");
                let message = format!("{option} stands here for the second time");
                return Err(Fault::new(column, message));
            }
            other => {
                let hint = match did_you_mean(other, &OPTIONS) {
                    none if none.is_empty() => format!("; known are {}", listed(&OPTIONS)),
                    near => near,
                };
                let message =
                    format!("{} does not go with `expect frame`{hint}", abbreviated(other));
                return Err(Fault::new(column, message));
            }
        }
    }
    for (number, &(column, region)) in ignored.iter().enumerate() {
        let message = if !check.shown().holds(region) {
            format!("the ignored {region} reaches out of the region {}", check.shown())
        } else if let Some((_, other)) =
            ignored[..number].iter().find(|(_, other)| other.meets(region))
        {
            format!(
                "the ignored {region} overlaps the ignored {other}; make them one, or part them"
            )
        } else {
            continue;
        };
        return Err(Fault::new(column, message));
    }
    // No two overlap.
    let compared =
        check.shown().area() - ignored.iter().map(|(_, region)| region.area()).sum::<usize>();
    if let (0, Some((column, _))) = (compared, ignored.first()) {
        return Err(Fault::new(*column, "all is ignored; nothing is left to compare"));
    }
    if let Some((column, pixels)) = pixels_off {
        if pixels >= compared {
            let message = format!(
                "{pixels} pixels may be off, but only {compared} are compared: that holds for any frame"
            );
            return Err(Fault::new(column, message));
        }
        check.rules.pixels_off = pixels;
    }
    check.rules.ignored = ignored.into_iter().map(|(_, region)| region).collect();
    Ok(check)
}

/// A region inside the panel, and its column.
fn region(cursor: &mut Cursor<'_>, behind: &str) -> Result<(u32, Region), Fault> {
    let word = cursor.need(behind, "a region: x,y,width,height, like `0,0,320,40`")?;
    let fault = |message| Err(Fault::new(word.column, message));
    let text = abbreviated(word.text);
    match Region::parse(word.text) {
        None => fault(format!(
            "{text} is no region; a region is x,y,width,height in pixels, like `0,0,320,40`"
        )),
        Some(region) if region.area() == 0 => fault(format!("the region {region} is empty")),
        Some(region) if !Region::PANEL.holds(region) => {
            let (width, height) = (Region::PANEL.width, Region::PANEL.height);
            fault(format!(
                "the region {region} reaches out of the panel, which has {width}x{height} pixels"
            ))
        }
        Some(region) => Ok((word.column, region)),
    }
}

fn tolerance(cursor: &mut Cursor<'_>) -> Result<u8, Fault> {
    let wanted = "steps of RGB565 a channel, like `2`";
    let word = cursor.need("`tolerance`", wanted)?;
    let steps = whole(word).and_then(|steps| u8::try_from(steps).ok());
    steps.filter(|steps| (1..=TOLERANCE_MAX).contains(steps)).ok_or_else(|| {
        let message = format!(
            "{} is no tolerance; 1 to {TOLERANCE_MAX} {wanted}; without `tolerance` pixels are equal",
            abbreviated(word.text)
        );
        Fault::new(word.column, message)
    })
}

/// `most PIXELS pixels` behind `at`, with the number's column.
fn at_most(cursor: &mut Cursor<'_>) -> Result<(u32, usize), Fault> {
    keyword(cursor, "most", "`at`")?;
    let word = cursor.need("`at most`", "a number of pixels, like `30 pixels`")?;
    let pixels = whole(word).filter(|pixels| *pixels > 0).ok_or_else(|| {
        let message = format!("{} is no number of pixels; 1 or more", abbreviated(word.text));
        Fault::new(word.column, message)
    })?;
    keyword(cursor, "pixels", "`at most`")?;
    Ok((word.column, pixels))
}

fn whole(word: Word<'_>) -> Option<usize> {
    word.text.bytes().all(|byte| byte.is_ascii_digit()).then(|| word.text.parse().ok())?
}
