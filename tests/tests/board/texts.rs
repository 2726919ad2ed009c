//! Checks that printed text of the LCD can be pasted into a trace: each line is found on the same
//! screen, on random screens in the firmware's fonts and on those of every trace.

use std::collections::BTreeSet;
use std::path::PathBuf;

use embedded_graphics::geometry::Point;
use firmware_board::native;
use firmware_core::present::PixelTarget;
use firmware_core::screen::text::Line as Label;
use firmware_core::screen::theme;
use hal_mock::replay::{ReplaySettings, Unjudged, replay_watched};
use ili9341_model::{Frame, Region};
use nudge_tests::paper::Paper;
use nudge_tests::part::Part;
use proptest::collection::vec;
use proptest::prelude::*;
use reading::{
    golden::chain::FrameHash,
    text::{Reader, ScreenText},
};
use trace::Action;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/traces");
/// Minimum number of different screens in the traces.
const SCREENS_MIN: usize = 500;

fn reader() -> Reader {
    Reader::new(native::fonts())
}

/// Puts each line that is printed of `screen` into a trace and parses it. The line must be found on
/// the screen: anywhere, and in the part of the panel where it is.
fn check_what_is_printed(screen: &ScreenText) -> Result<(), TestCaseError> {
    for printed in screen.to_string().lines() {
        let pasted = Action::ExpectText(printed.into());
        let text = format!("trace 1\n0ms power on\n1s {pasted}\n");
        let trace = trace::parse("pasted.trace", &text);
        prop_assert!(trace.is_ok(), "{}", trace.unwrap_err());
        let action = trace.map(|trace| trace.lines[1].action.clone());
        let Ok(Action::ExpectText(check)) = action else { panic!("{text}") };
        let wanted = check.wanted.text;
        prop_assert!(screen.contains(&wanted), "{wanted:?} is not found on\n{screen}");
        let place = screen.find(&wanted).unwrap_or(Region::PANEL);
        prop_assert!(screen.within(place).contains(&wanted), "{wanted:?} is not in {place}");
    }
    Ok(())
}

fn label() -> impl Strategy<Value = (usize, i32, i32, String)> {
    let text = vec(proptest::sample::select(theme::CHARACTERS.chars().collect::<Vec<_>>()), 1..24)
        .prop_map(String::from_iter);
    (0..theme::FONTS.len(), -8..320_i32, -8..240_i32, text)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn any_printed_text_is_found_on_its_screen(labels in vec(label(), 1..24)) {
        let mut paper = Paper(Frame::filled(320, 240, 0));
        for (number, (font, x, y, text)) in labels.iter().enumerate() {
            let inks = [theme::INK, theme::INK_DIM, theme::INK_WARNING];
            let ink = inks[number % inks.len()];
            let label = Label { text, font: theme::FONTS[*font].1, ink, ground: theme::GROUND };
            let Ok(()) = label.draw(Point::new(*x, *y), &mut PixelTarget(&mut paper));
        }
        check_what_is_printed(&reader().read(&paper.0))?;
    }
}

#[test]
fn every_printed_screen_of_every_trace_is_found() {
    let (reader, mut seen) = (reader(), BTreeSet::new());
    let part = Part::of_this_run();
    for found in part.pick(runner::find(&[PathBuf::from(FOLDER)], None).unwrap()) {
        let trace = runner::open_trace(&found.path).unwrap();
        let mut machine = native::build(&trace, None).unwrap();
        let options = ReplaySettings { allow_violations: true, ..ReplaySettings::default() };
        let mut look = |_: &trace::Line, at, board: &hal_mock::VirtualBoard| {
            let frame = board.frame_at(at);
            if seen.insert(FrameHash::of(&frame).to_string()) {
                let checked = check_what_is_printed(&reader.read(&frame));
                assert!(checked.is_ok(), "{} at {at}: {checked:?}", found.path.display());
            }
        };
        replay_watched(&trace, &mut *machine, &reader, &mut Unjudged, &options, &mut look);
    }
    let wanted = if part.is_whole() { SCREENS_MIN } else { SCREENS_MIN / 16 };
    assert!(seen.len() >= wanted, "{} screens", seen.len());
}
