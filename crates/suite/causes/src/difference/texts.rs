//! Differences that text explains: which text moved, became another, appeared or disappeared.

use ili9341_model::{Frame, Region};
use reading::text::TextLine;

use super::mask::Mask;
use super::pixels::{is_shifted, shifted};
use super::{Difference, Thing, What, union};

/// Movements that are tried for a text that is partly hidden in its new place.
const NEAR_WAYS: [(i32, i32); 8] =
    [(1, 0), (-1, 0), (0, 1), (0, -1), (2, 0), (-2, 0), (0, 2), (0, -2)];

/// Returns the differences that text explains, and clears their pixels in the mask.
pub(super) fn texts(
    frames: [&Frame; 2],
    [before, after]: [&[TextLine]; 2],
    mask: &mut Mask,
) -> Vec<Difference> {
    let place = |line: &TextLine| (line.x, line.y, line.font);
    let same =
        |one: &TextLine, other: &TextLine| one.text == other.text && place(one) == place(other);
    let alone = |of: &[TextLine], others: &[TextLine]| -> Vec<TextLine> {
        of.iter().filter(|line| !others.iter().any(|other| same(line, other))).cloned().collect()
    };
    let (gone, mut come) = (alone(before, after), alone(after, before));
    let mut found = Vec::new();
    let mut explain = |mask: &mut Mask, what: What, areas: &[Region]| {
        let region = areas.iter().copied().reduce(union);
        areas.iter().for_each(|area| mask.clear(*area));
        found.extend(region.map(|region| Difference { what, region }));
    };
    // Equal text in another place, the nearest first.
    let mut left = Vec::new();
    for line in gone {
        let distance = |other: &TextLine| line.x.abs_diff(other.x) + line.y.abs_diff(other.y);
        let is_it = |other: &TextLine| other.text == line.text && other.font == line.font;
        let nearest = come.iter().enumerate().filter(|(_, other)| is_it(other));
        match nearest.min_by_key(|(_, other)| distance(other)).map(|(index, _)| index) {
            Some(index) => {
                let other = come.remove(index);
                let moved = |from: usize, to: usize| to as i32 - from as i32;
                let what = What::Moved {
                    thing: Thing::Text(line.text.clone()),
                    right: moved(line.x, other.x),
                    down: moved(line.y, other.y),
                };
                explain(mask, what, &[line.area(), other.area()]);
            }
            None => left.push(line),
        }
    }
    // Equal text in another place, of which a part is hidden there: the reader does not find it.
    let mut others = Vec::new();
    let mut ways = ways_of(&found);
    ways.extend(NEAR_WAYS);
    for line in left {
        let area = line.area();
        let is_it = |way: &&(i32, i32)| is_shifted(area, area, frames[0], frames[1], **way);
        let Some((right, down)) = ways.iter().find(is_it).copied() else {
            others.push(line);
            continue;
        };
        let region = shifted(area, (right, down));
        come.retain(|other| !(other.font == line.font && other.area().meets(region)));
        [area, region].into_iter().for_each(|area| mask.clear(area));
        let what = What::Moved { thing: Thing::Text(line.text), right, down };
        found.push(Difference { what, region: union(area, region) });
    }
    let mut explain = |mask: &mut Mask, what: What, areas: &[Region]| {
        let region = areas.iter().copied().reduce(union);
        areas.iter().for_each(|area| mask.clear(*area));
        found.extend(region.map(|region| Difference { what, region }));
    };
    // Other text in the same place.
    for line in others {
        let at = come.iter().position(|other| other.area().meets(line.area()));
        match at.map(|index| come.remove(index)) {
            Some(other) => {
                let areas = [line.area(), other.area()];
                explain(mask, What::Text { before: line.text, after: other.text }, &areas);
            }
            None => explain(mask, What::TextGone(line.text.clone()), &[line.area()]),
        }
    }
    for line in come {
        explain(mask, What::TextNew(line.text.clone()), &[line.area()]);
    }
    found
}

/// Returns the movements among these differences, each once.
pub(super) fn ways_of(found: &[Difference]) -> Vec<(i32, i32)> {
    let mut ways = Vec::new();
    for one in found {
        if let What::Moved { right, down, .. } = one.what
            && !ways.contains(&(right, down))
        {
            ways.push((right, down));
        }
    }
    ways
}
