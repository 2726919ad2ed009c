//! Intersection of two rectangles: computed for each mark of each element in each tile, most of
//! which are outside it.

use embedded_graphics::geometry::{Point, Size};
use embedded_graphics::primitives::Rectangle;

/// Returns the intersection of `one` and `other`, or `None` if they have no pixel in common.
///
/// embedded-graphics' `Rectangle::intersection` also returns the position of an empty intersection,
/// and takes four times as long for it.
#[inline]
pub(crate) fn overlap(one: &Rectangle, other: &Rectangle) -> Option<Rectangle> {
    let start = one.top_left.component_max(other.top_left);
    let end = end(one).component_min(end(other));
    (start.x < end.x && start.y < end.y).then(|| {
        Rectangle::new(start, Size::new((end.x - start.x) as u32, (end.y - start.y) as u32))
    })
}

/// Returns whether all of `area`, which must not be empty, is inside `whole`.
#[inline]
pub(crate) fn contains(whole: &Rectangle, area: &Rectangle) -> bool {
    // A negative offset becomes a huge unsigned one.
    let from = |one: i32, other: i32| one.wrapping_sub(other) as u32;
    let (x, y) = (from(area.top_left.x, whole.top_left.x), from(area.top_left.y, whole.top_left.y));
    let fits = |from: u32, length: u32, all: u32| from < all && length <= all - from;
    fits(x, area.size.width, whole.size.width) && fits(y, area.size.height, whole.size.height)
}

/// Returns the first column and row after `area`, which must not exceed the maximum `i32`: a
/// saturating sum takes a Cortex-M0+ three times as long.
#[inline]
fn end(area: &Rectangle) -> Point {
    let Rectangle { top_left, size } = area;
    Point::new(
        top_left.x.wrapping_add_unsigned(size.width),
        top_left.y.wrapping_add_unsigned(size.height),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlap_and_contains_agree_with_embedded_graphics() {
        const FAR: [i32; 6] = [i32::MIN, -3, 0, 2, 7, i32::MAX];
        const LONG: [u32; 5] = [0, 1, 4, 9, u32::MAX >> 1];
        let spans = || FAR.into_iter().flat_map(|from| LONG.map(|length| (from, length)));
        let area =
            |(x, width), (y, height)| Rectangle::new(Point::new(x, y), Size::new(width, height));
        for (one, other) in spans().flat_map(|one| spans().map(move |other| (one, other))) {
            // A rectangle may not end after the largest number.
            let ends = |(from, length): (i32, u32)| {
                i64::from(from) + i64::from(length) <= i64::from(i32::MAX)
            };
            if !ends(one) || !ends(other) {
                continue;
            }
            for (a, b) in [
                (area(one, (0, 5)), area(other, (3, 5))),
                (area((0, 5), one), area((3, 5), other)),
                (area(one, (0, 5)), area(other, (5, 5))),
            ] {
                let expected = Some(a.intersection(&b)).filter(|area| !area.is_zero_sized());
                assert_eq!(overlap(&a, &b), expected, "{a:?} and {b:?}");
                let inside = expected == Some(b);
                assert!(b.is_zero_sized() || contains(&a, &b) == inside, "{b:?} in {a:?}");
            }
        }
    }
}
