//! Parts of frames, ignored pixels, tolerances.

use proptest::prelude::*;

use super::super::*;
use ili9341_model::frame::{Frame, Region};
use virtual_time::Random;

const PART: Region = Region { x: 10, y: 20, width: 4, height: 3 };

fn white() -> Frame {
    Frame::filled(320, 240, 0x00FF_FFFF)
}

fn set(frame: &mut Frame, x: usize, y: usize, rgb: u32) {
    frame.pixels_mut()[y * 320 + x] = rgb;
}

/// Compares the panel with a white golden in `PART`, and checks the mismatch as text; "" for none.
#[track_caller]
fn check(panel: &Frame, rules: &Rules, expected: &str) {
    let golden = Frame::filled(4, 3, 0x00FF_FFFF);
    let mismatch = compare_part(panel, &golden, PART, rules).err();
    assert_eq!(mismatch.map(|mismatch| mismatch.to_string()).unwrap_or_default(), expected);
    let picture = difference_part(panel, &golden, PART, rules);
    let marked = picture.pixels().contains(&DIFFERENCE_COLOUR);
    assert_eq!(marked, !expected.is_empty() || rules.pixels_off > 0, "the picture agrees");
}

#[test]
fn only_the_part_is_compared_and_reported_in_panel_coordinates() {
    let mut panel = white();
    for (x, y) in [(9, 20), (14, 20), (10, 19), (10, 23)] {
        set(&mut panel, x, y, 0);
    }
    check(&panel, &Rules::default(), "");
    set(&mut panel, 13, 22, 0);
    check(
        &panel,
        &Rules::default(),
        "1 pixel differs, in the rectangle x=13 y=22 1x1; the first is x=13 y=22: #000000, \
         expected #ffffff",
    );
    let small = Frame::filled(4, 2, 0);
    let mismatch = compare_part(&panel, &small, PART, &Rules::default()).unwrap_err();
    assert_eq!(mismatch.to_string(), "the frame is 4x3, the golden 4x2");
}

#[test]
fn ignored_pixels_are_not_compared() {
    let mut panel = white();
    set(&mut panel, 12, 21, 0);
    set(&mut panel, 13, 21, 0);
    let ignored = vec![Region { x: 12, y: 21, width: 1, height: 1 }];
    let rules = Rules { ignored, ..Rules::default() };
    check(
        &panel,
        &rules,
        "1 pixel differs, in the rectangle x=13 y=21 1x1; the first is x=13 y=21: #000000, \
         expected #ffffff",
    );
    set(&mut panel, 13, 21, 0x00FF_FFFF);
    check(&panel, &rules, "");
}

#[test]
fn accepted_pixels_between_two_that_differ_are_not_counted() {
    let mut panel = white();
    set(&mut panel, 10, 20, 0);
    set(&mut panel, 11, 20, 0x00FF_FFF7);
    set(&mut panel, 12, 20, 0);
    let two = "2 pixels differ";
    let near = Rules { tolerance: 1, ..Rules::default() };
    let ignored = vec![Region { x: 11, y: 20, width: 1, height: 1 }];
    let part = Rules { ignored, ..Rules::default() };
    for (rules, count) in [(near, two), (part, two), (Rules::default(), "3 pixels differ")] {
        let golden = Frame::filled(4, 3, 0x00FF_FFFF);
        let mismatch = compare_part(&panel, &golden, PART, &rules).unwrap_err().to_string();
        assert!(mismatch.starts_with(count), "{mismatch}");
    }
}

#[test]
fn a_tolerance_is_counted_in_steps_of_each_channel() {
    // One step less of red, green or blue; two of blue.
    for (rgb, steps) in [
        (0x00F7_FFFF, 1),
        (0x00FF_FBFF, 1),
        (0x00FF_FFF7, 1),
        (0x00EF_FFFF, 2),
        (0x00FF_F7FF, 2),
        (0x00FF_FFEF, 2),
    ] {
        let mut panel = white();
        set(&mut panel, 10, 20, rgb);
        for tolerance in 0..4 {
            let rules = Rules { tolerance, ..Rules::default() };
            let golden = Frame::filled(4, 3, 0x00FF_FFFF);
            let passes = compare_part(&panel, &golden, PART, &rules).is_ok();
            assert_eq!(passes, tolerance >= steps, "#{rgb:06x} within {tolerance}");
        }
    }
    let mut panel = white();
    set(&mut panel, 10, 20, 0x00FF_FFFE);
    check(
        &panel,
        &Rules::default(),
        "1 pixel differs, in the rectangle x=10 y=20 1x1; the first is x=10 y=20: #fffffe, \
         expected #ffffff",
    );
}

#[test]
fn pixels_off_is_the_maximum_number_of_differing_pixels() {
    let mut panel = white();
    let rules = Rules { tolerance: 1, pixels_off: 2, ..Rules::default() };
    set(&mut panel, 10, 20, 0);
    set(&mut panel, 11, 20, 0);
    check(&panel, &rules, "");
    set(&mut panel, 12, 21, 0);
    check(
        &panel,
        &rules,
        "3 pixels differ by more than 1 step (2 may), in the rectangle x=10 y=20 3x2; the first is \
         x=10 y=20: #000000, expected #ffffff",
    );
}

#[test]
fn a_region_is_read_as_it_is_written() {
    for text in ["0,0,320,240", "1,2,3,4", "65535,0,1,65535"] {
        assert_eq!(Region::parse(text).map(|region| region.to_string()).as_deref(), Some(text));
    }
    for text in ["", "1,2,3", "1,2,3,4,5", "+1,2,3,4", "1, 2,3,4", "65536,0,1,1"] {
        assert_eq!(Region::parse(text), None, "{text}");
    }
}

#[test]
fn regions_meet_if_they_share_a_pixel() {
    let region = |text| Region::parse(text).unwrap();
    for (one, other, meet) in [
        ("0,0,2,2", "1,1,2,2", true),
        ("0,0,2,2", "2,0,2,2", false),
        ("0,0,9,9", "3,3,1,1", true),
        ("0,5,9,1", "4,0,1,9", true),
        ("0,0,2,2", "0,2,2,2", false),
    ] {
        for (one, other) in [(one, other), (other, one)] {
            assert_eq!(region(one).meets(region(other)), meet, "{one} {other}");
        }
    }
    assert!(region("0,0,9,9").holds(region("3,3,6,6")));
    assert!(!region("0,0,9,9").holds(region("3,3,7,6")));
}

/// Returns the expected result of [`compare_part`] for two whole frames, found pixel by pixel.
fn compared(is: &Frame, should: &Frame, rules: &Rules) -> Option<[usize; 7]> {
    let places = (0..is.height()).flat_map(|y| (0..is.width()).map(move |x| (x, y)));
    let pixels = |x, y| is.pixel(x, y).zip(should.pixel(x, y));
    let differ: Vec<(usize, usize)> = places
        .filter(|(x, y)| {
            pixels(*x, *y).is_some_and(|(is, should)| rules.differs(*x, *y, is, should))
        })
        .collect();
    let (left, right) = (differ.iter().map(|at| at.0).min()?, differ.iter().map(|at| at.0).max()?);
    let (first, last) = (differ.first()?, differ.last()?);
    (differ.len() > rules.pixels_off).then_some([
        first.0,
        first.1,
        differ.len(),
        left,
        first.1,
        right,
        last.1,
    ])
}

proptest! {
    #[test]
    fn a_difference_is_that_of_the_pixels(
        width in 1..40_usize, height in 1..12_usize, dots in 0..30_usize, seed: u64,
        ignored in any::<bool>(), tolerance in 0..3_u8, pixels_off in 0..3_usize,
    ) {
        let mut random = Random::new(seed);
        let should = Frame::filled(width, height, 0);
        let mut is = should.clone();
        for _ in 0..dots {
            let at = random.below((width * height) as u64) as usize;
            is.pixels_mut()[at] = (random.below(4) as u32) << 3;
        }
        let ignored = ignored.then_some(Region { x: 3, y: 1, width: 9, height: 4 });
        let rules = Rules { ignored: ignored.into_iter().collect(), tolerance, pixels_off };
        let whole = Region { x: 0, y: 0, width: width as u16, height: height as u16 };
        let found = match compare_part(&is, &should, whole, &rules) {
            Ok(()) => None,
            Err(Mismatch::Pixels(found)) => Some([
                found.first.0, found.first.1, found.count, found.left, found.top, found.right, found.bottom,
            ]),
            Err(other) => return Err(TestCaseError::fail(other.to_string())),
        };
        prop_assert_eq!(found, compared(&is, &should, &rules));
    }
}
