//! Tests the board for different kinds of colour vision: text must be large and bright enough, and
//! whose turn it is, which place is meant and what happened there must be visible by brightness
//! alone.

use firmware_core::rules::Direction;
use firmware_core::screen::hollow::CellSide;
use firmware_core::screen::rows::Light;
use firmware_core::screen::text::centred;
use nudge_tests::vision::{Vision, contrast};
use nudge_tests::{legible, sheet};

use super::*;

/// Minimum contrast at which two pixels are distinguishable (WCAG 2.2, 1.4.11).
const SEEN: f64 = 3.0;

/// Checks the text of `board` in every style, including its digits and labels.
#[track_caller]
fn check_text(board: BoardView) {
    let eye = GameReader::default();
    for system in SYSTEMS {
        let frame = frame(in_style(system.style(), board), PANEL);
        let fault = legible::fault(eye.reader(), &frame, legible::READ_TO_PLAY);
        assert_eq!(fault, None, "in {}", system.name);
    }
}

#[test]
fn every_text_of_the_board_is_large_and_bright_enough() {
    for message in messages() {
        check_text(view([4; PLACES], message));
    }
    for stones in [0, 9, 12] {
        check_text(view([stones; PLACES], Message::Turn(Player::Top)));
    }
    let (warning, ground) = (seen(theme::INK_WARNING), seen(theme::GROUND));
    // The dashes of a stuck button are not text for the reader.
    assert!(contrast(warning, ground) >= legible::READ_TO_PLAY);
}

/// Returns how many percent of the pixels of `area` differ in brightness between two boards, for
/// the kind of colour vision for which they differ least.
fn differing(one: BoardView, other: BoardView, area: &Rectangle) -> usize {
    let [one, other] = [one, other].map(|board| frame(board, PANEL));
    let share = |vision: Vision| {
        let pairs = pixels_in(&one, area).zip(pixels_in(&other, area));
        let all = pairs.map(|(one, other)| contrast(vision.sees(one.2), vision.sees(other.2)));
        let all: Vec<f64> = all.collect();
        all.iter().filter(|contrast| **contrast >= SEEN).count() * 100 / all.len()
    };
    Vision::ALL.into_iter().map(share).min().expect("eyes")
}

#[test]
fn different_rims_differ_in_brightness_for_every_colour_vision() {
    /// Minimum percentage of the pixels around a hollow.
    const LEAST: usize = 15;
    let lights = [None, Some(Light::Sowing), Some(Light::Event), Some(Light::Advice)];
    for system in SYSTEMS {
        let layout = Layout::of(system.style().table, PANEL);
        for place in [0, 5, 6, 12, 13] {
            let cell = match Cup::at(place) {
                Some(cup) => layout.cup_hollow(cup),
                None => layout.store_hollow(Player::BOTH[place / 7]),
            };
            let lit = |light: Option<Light>| BoardView {
                lit: light.map(|light| (light, Places::NONE.with(place))),
                ..in_style(system.style(), view([4; PLACES], Message::PressAgain))
            };
            for (nth, one) in lights.into_iter().enumerate() {
                for other in lights.into_iter().skip(nth + 1) {
                    // A store's own rim is as bright as a mark: only the shape distinguishes them.
                    let sides = CellSide::ALL.map(|side| side.strip(cell));
                    let sides = sides.map(|side| differing(lit(one), lit(other), &side));
                    let found = sides.into_iter().min().expect("four sides");
                    let case = format!("{one:?} and {other:?} at {place} in {}", system.name);
                    assert!(found >= LEAST, "{found} of 100 pixels between {case}");
                }
            }
        }
    }
}

#[test]
fn the_turn_is_visible_by_brightness_and_shape_in_any_vision() {
    for system in SYSTEMS {
        let layout = Layout::of(system.style().table, PANEL);
        let turn = |turn| BoardView {
            turn,
            ..in_style(system.style(), view([4; PLACES], Message::PressAgain))
        };
        let [bottom, top, over] = [Some(Player::Bottom), Some(Player::Top), None].map(turn);
        for area in layout.triangles().into_iter().flatten() {
            let area = centred(Size::new_equal(layout.triangle_size()), &area);
            assert!(differing(bottom, top, &area) >= 25, "triangle in {}", system.name);
            assert!(differing(bottom, over, &area) >= 25, "triangle in {}", system.name);
        }
        for player in Player::BOTH {
            assert_eq!(differing(bottom, top, &layout.rail(player)), 100, "in {}", system.name);
        }
    }
}

#[test]
fn the_dash_and_digits_of_a_cup_near_a_store_are_in_its_rim() {
    for size in PANELS {
        let layout = Layout::of(wari::STYLE.table, size);
        for cup in Cup::all() {
            let hollow = firmware_core::screen::hollow::inside(layout.cup_hollow(cup));
            for area in [layout.cup_count(cup), layout.cup_dash(cup), layout.cup_stones(cup)] {
                assert_eq!(area.intersection(&hollow), area, "{cup:?} on {size}");
            }
        }
    }
}

/// Returns boards as they occur in games: every message, the rims, the dashes, the counts, the
/// directions.
fn boards() -> Vec<BoardView> {
    let game = [0, 3, 7, 1, 0, 13, 25, 4, 2, 9, 0, 1, 6, 17];
    let mut all: Vec<BoardView> =
        messages().into_iter().map(|message| view(game, message)).collect();
    for light in [Light::Sowing, Light::Event, Light::Advice] {
        for place in [2, 6, 7, 11] {
            let lit = Some((light, Places::NONE.with(place)));
            all.push(BoardView { lit, ..view(game, Message::Captured(Player::Bottom)) });
        }
    }
    for place in 0..PLACES as u8 {
        let counted = Places::STORES.with(place.into());
        all.push(BoardView { dash: Some(place), counted, ..view(game, Message::PressAgain) });
    }
    for stones in [0, 4, 12, 24, 25, 48] {
        all.push(BoardView { turn: Some(Player::Top), ..view([stones; PLACES], Message::Counted) });
    }
    for direction in [Direction::Clockwise, Direction::CounterClockwise] {
        all.push(BoardView {
            direction: Some(direction),
            stuck: Places::NONE.with(3),
            turn: Some(Player::Top),
            ..view([4; PLACES], Message::Turn(Player::Top))
        });
    }
    all
}

#[test]
#[ignore = "writes sheets of pictures for a person to look at"]
fn gallery_of_boards() {
    for system in SYSTEMS {
        let boards = boards().into_iter().map(|board| in_style(system.style(), board));
        let frames: Vec<Frame> = boards.map(|board| frame(board, PANEL)).collect();
        sheet::write_sheets(env!("CARGO_TARGET_TMPDIR").as_ref(), system.name, &frames);
    }
}
