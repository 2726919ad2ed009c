//! Differences that no text explains: a region that was moved, recoloured or replaced.

use std::collections::BTreeMap;

use ili9341_model::{Frame, Region};
use reading::{golden::chain::FrameHash, text::TextLine};

use super::mask::{Mask, pixel};
use super::{Difference, Thing, What, union};

/// Greatest movement of a region that is detected, in pixels. Longer movements are detected for
/// text only.
const MOVE_MAX: i32 = 12;
/// Maximum number of colours in a recoloured region.
const COLOURS_MAX: usize = 16;
/// Smallest number of pixels of a colour that is another one everywhere.
const EVERYWHERE_MIN: usize = 64;

/// Returns whether the pixels of `from` are shifted by a way, as far as they are in `seen` then. Of a
/// flat area nothing is known.
pub(super) fn is_shifted(
    from: Region,
    seen: Region,
    before: &Frame,
    after: &Frame,
    way: (i32, i32),
) -> bool {
    let (left, top) = from.corner();
    let ink = before.pixel(left, top);
    let (mut is_flat, mut count) = (true, 0);
    for y in top..top + usize::from(from.height) {
        for x in left..left + usize::from(from.width) {
            let to = (x as i32 + way.0, y as i32 + way.1);
            let (Ok(to_x), Ok(to_y)) = (usize::try_from(to.0), usize::try_from(to.1)) else {
                continue;
            };
            if !seen.contains(to_x, to_y) {
                continue;
            }
            let was = before.pixel(x, y);
            if was != after.pixel(to_x, to_y) {
                return false;
            }
            is_flat &= was == ink;
            count += 1;
        }
    }
    !is_flat && count * 2 > usize::from(from.width) * usize::from(from.height)
}

pub(super) fn shifted(region: Region, (right, down): (i32, i32)) -> Region {
    let side = |from: u16, by: i32| u16::try_from(i32::from(from) + by).unwrap_or(0);
    Region { x: side(region.x, right), y: side(region.y, down), ..region }
}

/// Returns the difference in `region`, which no text explains.
pub(super) fn region_of(
    region: Region,
    before: &Frame,
    after: &Frame,
    read_before: &[TextLine],
    read_after: &[TextLine],
) -> Difference {
    let thing = || {
        let mut lines =
            read_after.iter().chain(read_before).filter(|line| line.area().meets(region));
        match lines.next() {
            Some(line) if lines.all(|other| other.text == line.text) => {
                Thing::Text(line.text.clone())
            }
            _ => Thing::Picture(region),
        }
    };
    if let Some((right, down)) = movement(region, before, after) {
        return Difference { what: What::Moved { thing: thing(), right, down }, region };
    }
    match recoloured(region, before, after) {
        Some(colours) => Difference { what: What::Recoloured { thing: thing(), colours }, region },
        None => picture(region, before, after),
    }
}

pub(super) fn picture(region: Region, before: &Frame, after: &Frame) -> Difference {
    let hash = |frame: &Frame| FrameHash::of(&frame.part(region));
    let what = What::Picture { region, before: hash(before), after: hash(after) };
    Difference { what, region }
}

/// Returns the distance by which the content of `region` has moved, if nothing else changed.
///
/// The region is the smallest that contains all differences. Content that moved to the right
/// therefore leaves columns at the left of the region and reaches its right edge.
fn movement(region: Region, before: &Frame, after: &Frame) -> Option<(i32, i32)> {
    let (width, height) = (i32::from(region.width), i32::from(region.height));
    let (before, after) = (before.part(region), after.part(region));
    let mut ways: Vec<(i32, i32)> = (-MOVE_MAX..=MOVE_MAX)
        .flat_map(|right| (-MOVE_MAX..=MOVE_MAX).map(move |down| (right, down)))
        .filter(|(right, down)| (*right, *down) != (0, 0))
        .filter(|(right, down)| right.abs() < width && down.abs() < height)
        .collect();
    ways.sort_by_key(|(right, down)| (right.abs() + down.abs(), *right, *down));
    ways.into_iter().find(|way| is_moved(&before, &after, *way))
}

fn is_moved(before: &Frame, after: &Frame, (right, down): (i32, i32)) -> bool {
    let (width, height) = (before.width() as i32, before.height() as i32);
    let pixel = |of: &Frame, x: i32, y: i32| of.pixels()[(y * width + x) as usize];
    let inside = |x: i32, y: i32| (0..width).contains(&x) && (0..height).contains(&y);
    let mut ground = None;
    let mut is_flat = true;
    for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
        let (from_x, from_y) = (x - right, y - down);
        if inside(from_x, from_y) {
            let is = pixel(after, x, y);
            if is != pixel(before, from_x, from_y) {
                return false;
            }
            is_flat &= is == pixel(after, right.max(0), down.max(0));
        } else if *ground.get_or_insert(pixel(after, x, y)) != pixel(after, x, y) {
            // The area that the content left shows the background, so it must have a single colour.
            return false;
        }
        let (to_x, to_y) = (x + right, y + down);
        if !inside(to_x, to_y) && *ground.get_or_insert(pixel(before, x, y)) != pixel(before, x, y)
        {
            return false;
        }
    }
    // A flat overlap proves nothing, unless the moved content is itself flat and differs from the
    // background.
    !is_flat || ground != Some(pixel(after, right.max(0), down.max(0)))
}

/// Returns the colours that are others wherever they are, and clears their pixels in the mask: what
/// remains is another change. `None` if these colours explain all pixels or none.
///
/// A colour counts if nearly all its pixels have one other colour, which was nowhere before.
pub(super) fn recoloured_everywhere(
    before: &Frame,
    after: &Frame,
    mask: &mut Mask,
) -> Option<Difference> {
    let width = before.width();
    let pair = |(x, y): (usize, usize)| {
        let at = y * width + x;
        (before.pixels()[at], after.pixels()[at])
    };
    let mut pairs = counts(mask.places().map(pair));
    pairs.retain(|_, count| *count >= EVERYWHERE_MIN);
    if pairs.is_empty() {
        return None;
    }
    let totals = counts(before.pixels().iter().copied());
    pairs.retain(|(was, is), count| {
        let total = totals.get(was).copied().unwrap_or_default();
        *count * 10 >= total * 9 && !totals.contains_key(is)
    });
    let explained: Vec<(usize, usize)> =
        mask.places().filter(|place| pairs.contains_key(&pair(*place))).collect();
    if explained.is_empty() || explained.len() == mask.places().count() {
        return None;
    }
    let region = explained.iter().copied().map(pixel).reduce(union)?;
    explained.into_iter().for_each(|place| mask.clear(pixel(place)));
    let colours = pairs.into_keys().collect();
    Some(Difference { what: What::Recoloured { thing: Thing::Several, colours }, region })
}

/// Counts equal items. Neighbours are often equal.
fn counts<T: Ord + Copy>(items: impl Iterator<Item = T>) -> BTreeMap<T, usize> {
    let mut found = BTreeMap::new();
    let mut items = items.peekable();
    while let Some(item) = items.next() {
        let mut count = 1;
        while items.next_if_eq(&item).is_some() {
            count += 1;
        }
        *found.entry(item).or_default() += count;
    }
    found
}

/// Returns the colours that changed in `region`, if they map one to one and nothing else changed.
fn recoloured(region: Region, before: &Frame, after: &Frame) -> Option<Vec<(u32, u32)>> {
    let (before, after) = (before.part(region), after.part(region));
    let mut colours: Vec<(u32, u32)> = Vec::new();
    for (was, is) in before.pixels().iter().copied().zip(after.pixels().iter().copied()) {
        if colours.contains(&(was, is)) {
            continue;
        }
        let is_one_to_one = colours.iter().all(|(from, to)| *from != was && *to != is);
        if !is_one_to_one || colours.len() >= COLOURS_MAX {
            return None;
        }
        colours.push((was, is));
    }
    colours.retain(|(was, is)| was != is);
    colours.sort_unstable();
    Some(colours)
}
