//! The relation of a frame to a golden from which it differs.

use ili9341_model::frame::Region;

use super::*;
use crate::golden::relation::{Colours, Placement, Relation, relation};

/// Returns a picture without any symmetry, of colours that RGB565 has.
fn scene(width: usize, height: usize) -> Frame {
    let mut frame = Frame::filled(width, height, 0x0000_0000);
    for (left, top, side, colour) in
        [(3, 2, 9, 0x00FF_0000), (11, 6, 4, 0x0000_FF00), (20, 17, 7, 0x00FF_82C6)]
    {
        for y in top..(top + side).min(height) {
            for x in left..(left + side).min(width) {
                // Each pixel of the rectangles has its own colour.
                let shade = ((x * 8 + y * 40) as u32 & 0xF8) << 8;
                frame.pixels_mut()[y * width + x] = colour ^ shade;
            }
        }
    }
    frame
}

fn mapped(
    frame: &Frame,
    (width, height): (usize, usize),
    pixel: impl Fn(usize, usize) -> Option<u32>,
) -> Frame {
    let places = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    let pixels = places.map(|(x, y)| pixel(x, y).unwrap_or(frame.pixels()[0] ^ 0x0000_0808));
    Frame::from_pixels(width, height, pixels.collect())
}

#[track_caller]
fn check(actual: &Frame, expected: &Frame, sentence: Option<&str>) {
    let found = relation(actual, expected, actual.whole(), &Rules::default());
    assert_eq!(found.map(|relation| relation.to_string()).as_deref(), sentence);
}

#[test]
fn a_mirrored_or_turned_picture_is_named() {
    let golden = scene(40, 30);
    let (same, turned) = ((40, 30), (30, 40));
    let mirror = |what: &str| {
        format!("it is the golden {what}: are MADCTL and the `mirror` of the display right?")
    };
    let rotation = |what: &str| {
        format!("it is the golden {what}: are MADCTL and the `rotation` of the display right?")
    };
    let of = |x: usize, y: usize| golden.pixel(x, y);
    for (actual, sentence) in [
        (mapped(&golden, same, |x, y| of(39 - x, y)), mirror("mirrored left to right")),
        (mapped(&golden, same, |x, y| of(x, 29 - y)), mirror("mirrored top to bottom")),
        (mapped(&golden, same, |x, y| of(39 - x, 29 - y)), rotation("turned by 180 degrees")),
        // The right column of a picture turned clockwise is the top row of the golden.
        (mapped(&golden, turned, |x, y| of(y, 29 - x)), rotation("turned by 90 degrees clockwise")),
        (
            mapped(&golden, turned, |x, y| of(39 - y, x)),
            rotation("turned by 90 degrees counterclockwise"),
        ),
        (mapped(&golden, turned, |x, y| of(y, x)), rotation("with columns and rows exchanged")),
    ] {
        check(&actual, &golden, Some(&sentence));
    }
}

#[test]
fn exchanged_and_inverted_colours_are_named() {
    let golden = scene(40, 30);
    let map = |colour: fn(u32) -> u32| {
        let pixels = golden.pixels().iter().map(|pixel| colour(*pixel)).collect();
        Frame::from_pixels(40, 30, pixels)
    };
    let exchange = |rgb: u32| (rgb & 0xFF) << 16 | rgb & 0xFF00 | rgb >> 16;
    check(
        &map(exchange),
        &golden,
        Some(
            "it is the golden with red and blue exchanged: are BGR of MADCTL and the `subpixels` \
             of the display right?",
        ),
    );
    check(
        &map(|rgb| rgb ^ 0x00FF_FFFF),
        &golden,
        Some("it is the golden with inverted colours: is INVON or INVOFF right for the panel?"),
    );
    let bytes = |rgb: u32| {
        let word = (rgb >> 19 << 11 | (rgb >> 10 & 0x3F) << 5 | rgb >> 3 & 0x1F) as u16;
        let word = u32::from(word.swap_bytes());
        (word >> 11) << 19 | (word >> 5 & 0x3F) << 10 | (word & 0x1F) << 3
    };
    check(
        &map(bytes),
        &golden,
        Some(
            "it is the golden with the two bytes of each pixel exchanged: is the upper byte sent \
             first?",
        ),
    );
    let both = mapped(&golden, (40, 30), |x, y| golden.pixel(39 - x, y).map(exchange));
    check(
        &both,
        &golden,
        Some(
            "it is the golden mirrored left to right, with red and blue exchanged: are MADCTL and \
             the `mirror` of the display right?",
        ),
    );
}

#[test]
fn a_shifted_picture_is_named_whatever_its_margin_shows() {
    let golden = scene(40, 30);
    for (columns, rows, by) in [
        (2, 1, "2 to the right and 1 down"),
        (-3, 0, "3 to the left"),
        (0, -2, "2 up"),
        (7, -4, "7 to the right and 4 up"),
    ] {
        let from = |x: usize, y: usize| {
            golden.pixel(x.checked_add_signed(-columns)?, y.checked_add_signed(-rows)?)
        };
        let actual = mapped(&golden, (40, 30), from);
        let sentence = format!(
            "it is the golden shifted by {by} pixels: is the `offset` of the display right?"
        );
        check(&actual, &golden, Some(&sentence));
    }
}

#[test]
fn another_picture_has_no_relation() {
    let golden = scene(40, 30);
    let mut other = mapped(&golden, (40, 30), |x, y| golden.pixel(39 - x, y));
    other.pixels_mut()[700] ^= 0x0010_1010;
    check(&other, &golden, None);
    // A dark panel is not an inverted white one.
    check(&Frame::filled(40, 30, 0), &Frame::filled(40, 30, 0x00FF_FFFF), None);
    check(&Frame::filled(4, 3, 0), &scene(40, 30), None);
    check(&Frame::filled(1, 1, 0), &Frame::filled(1, 1, 1), None);
}

#[test]
fn a_region_has_only_relations_of_colours() {
    let panel = scene(40, 30);
    let region = Region { x: 2, y: 1, width: 20, height: 12 };
    let golden = panel.part(region);
    let exchange = |rgb: u32| (rgb & 0xFF) << 16 | rgb & 0xFF00 | rgb >> 16;
    let exchanged = mapped(&panel, (40, 30), |x, y| panel.pixel(x, y).map(exchange));
    let found = relation(&exchanged, &golden, region, &Rules::default());
    let expected = Relation { placement: Placement::Same, colours: Colours::Exchanged };
    assert_eq!(found, Some(expected));
    let mirrored = golden.clone();
    let mirrored = mapped(&panel, (40, 30), |x, y| {
        if region.contains(x, y) { mirrored.pixel(21 - x, y - 1) } else { panel.pixel(x, y) }
    });
    assert_eq!(relation(&mirrored, &golden, region, &Rules::default()), None);
    // The colours of a selected line of text are inverted for another reason.
    let text =
        mapped(&panel, (40, 30), |x, y| Some(if (x + y) % 3 == 0 { 0x00FF_FFFF } else { 0 }));
    let inverted = mapped(&panel, (40, 30), |x, y| text.pixel(x, y).map(|rgb| rgb ^ 0x00FF_FFFF));
    assert_eq!(relation(&inverted, &text.part(region), region, &Rules::default()), None);
}

#[test]
fn the_rules_of_the_comparison_apply_to_a_relation() {
    let golden = scene(40, 30);
    let mut actual = mapped(&golden, (40, 30), |x, y| golden.pixel(39 - x, y));
    actual.pixels_mut()[5 * 40 + 7] = 0x0012_3456;
    check(&actual, &golden, None);
    let ignored = vec![Region { x: 7, y: 5, width: 1, height: 1 }];
    for rules in
        [Rules { ignored, ..Rules::default() }, Rules { pixels_off: 1, ..Rules::default() }]
    {
        let found = relation(&actual, &golden, actual.whole(), &rules);
        assert_eq!(found.map(|found| found.placement), Some(Placement::Mirrored));
    }
}
