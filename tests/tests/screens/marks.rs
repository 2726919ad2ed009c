//! Tests stones, dash, triangle, arrows and rims: each must be in its place, and distinguishable by
//! shape, so that no mark depends on its colour.

use std::collections::BTreeSet;
use std::ops::Range;

use embedded_graphics::geometry::Point;
use firmware_core::rules::Direction;
use firmware_core::screen::hollow::{CellSide, inside};
use firmware_core::screen::layout::Side;
use firmware_core::screen::rows::Light;

use super::*;

type Pixels = BTreeSet<(usize, usize)>;

/// Returns `board` in each system's style.
fn in_every_style(board: BoardView) -> [BoardView; SYSTEMS.len()] {
    SYSTEMS.map(|system| in_style(system.style(), board))
}

fn board() -> BoardView {
    view([13; PLACES], Message::EditPut)
}

/// Returns the pixels in which two frames differ.
fn differing(one: &Frame, other: &Frame) -> Pixels {
    let pairs = one.pixels().iter().zip(other.pixels()).enumerate();
    let places = pairs.filter(|(_, (one, other))| one != other);
    places.map(|(at, _)| (at % one.width(), at / one.width())).collect()
}

/// Returns the pixels of `area` that differ from its ground, which is its first pixel.
fn shape(frame: &Frame, area: &Rectangle) -> Pixels {
    let ground = pixels_in(frame, area).next().expect("an area").2;
    let ink = pixels_in(frame, area).filter(|&(_, _, pixel)| pixel != ground);
    ink.map(|(x, y, _)| (x, y)).collect()
}

/// Returns the distance of `row` from the rows of a hollow.
fn distance(row: i32, hollow: Range<i32>) -> i32 {
    (hollow.start - row).max(row - hollow.end + 1).max(0)
}

fn hollow(layout: &Layout, place: usize) -> Rectangle {
    match Cup::at(place) {
        Some(cup) => layout.cup_hollow(cup),
        None => layout.store_hollow(Player::BOTH[place / 7]),
    }
}

#[test]
fn a_dash_is_a_white_bar_in_the_column_of_its_place() {
    for plain in in_every_style(board()) {
        for size in PANELS {
            let layout = Layout::of(plain.style.table, size);
            let without = frame(plain, size);
            for place in 0..PLACES {
                let with = frame(BoardView { dash: Some(place as u8), ..plain }, size);
                let dash = differing(&without, &with);
                assert_eq!(dash.len(), 80, "place {place} in {} on {size}", plain.style.name);
                let white = seen(theme::DASH);
                assert!(dash.iter().all(|&(x, y)| with.pixel(x, y) == Some(white)));
                let (first, last) = (dash.first().unwrap(), dash.last().unwrap());
                assert_eq!((last.0 - first.0 + 1, last.1 - first.1 + 1), (20, 4), "a bar");
                let middle = Point::new(first.0 as i32 + 10, first.1 as i32 + 2);
                let nearest = (0..PLACES)
                    .filter(|other| hollow(&layout, *other).columns().contains(&middle.x))
                    .min_by_key(|other| distance(middle.y, hollow(&layout, *other).rows()));
                assert_eq!(nearest, Some(place), "in {} on {size}", plain.style.name);
            }
        }
    }
}

#[test]
fn a_dash_is_next_to_its_cup_where_no_digits_are_shown() {
    for plain in in_every_style(BoardView { counted: Places::NONE, ..board() }) {
        let layout = Layout::of(plain.style.table, PANEL);
        let without = frame(plain, PANEL);
        for cup in Player::BOTH.into_iter().flat_map(Cup::of) {
            let with = frame(BoardView { dash: Some(cup.place() as u8), ..plain }, PANEL);
            let rows = layout.cup_hollow(cup).rows();
            let dash = differing(&without, &with);
            let nearest = dash.iter().map(|(_, y)| distance(*y as i32, rows.clone())).min();
            assert!(nearest.is_some_and(|nearest| nearest <= 2), "{cup:?} in {}", plain.style.name);
        }
    }
}

#[test]
fn a_dash_covers_no_digit_and_no_stone() {
    let eye = GameReader::default();
    for place in 0..PLACES as u8 {
        check(BoardView { dash: Some(place), ..board() });
        for marked in in_every_style(BoardView { dash: Some(place), ..board() }) {
            let shown = eye.glance(&frame(marked, PANEL), marked.style.table);
            assert_eq!(shown.stones, [13; PLACES], "dash at {place} in {}", marked.style.name);
        }
    }
}

#[test]
fn a_triangle_points_at_the_player_to_move_and_can_be_off() {
    let turned = |turn: Option<Player>| in_every_style(BoardView { turn, ..board() });
    let views =
        turned(Some(Player::Bottom)).into_iter().zip(turned(Some(Player::Top))).zip(turned(None));
    for ((bottom, top), off) in views {
        for size in PANELS {
            let layout = Layout::of(bottom.style.table, size);
            for area in layout.triangles().into_iter().flatten() {
                let [bottom, top, off] =
                    [bottom, top, off].map(|view| shape(&frame(view, size), &area));
                assert!(off.is_empty());
                let widest = |pixels: &Pixels| {
                    let rows = pixels.iter().map(|&(_, y)| y).collect::<BTreeSet<_>>();
                    let width = |row: &usize| pixels.iter().filter(|&&(_, y)| y == *row).count();
                    (rows.first().map(width), rows.last().map(width))
                };
                let (first, last) = widest(&bottom);
                assert!(first > Some(10) && last == Some(1), "it points down: {first:?} {last:?}");
                assert_eq!(widest(&top), (last, first), "it points up");
            }
        }
    }
}

#[test]
fn wari_has_one_triangle_in_the_middle_of_the_board() {
    for size in PANELS {
        let layout = Layout::of(wari::STYLE.table, size);
        let [Some(triangle), None] = layout.triangles() else { panic!("one, on {size}") };
        let middle = triangle.top_left.x as u32 + triangle.size.width / 2;
        assert_eq!(middle, size.width / 2);
    }
}

#[test]
fn arrows_show_a_changing_direction_by_their_shape() {
    for size in PANELS {
        let layout = Layout::of(wari::STYLE.table, size);
        let seen = |direction, side| {
            let board = BoardView { style: &wari::STYLE, direction, ..board() };
            shape(&frame(board, size), &layout.arrow(side).expect("wari has arrows"))
        };
        for side in Side::BOTH {
            let [counter, clockwise] = [Direction::CounterClockwise, Direction::Clockwise]
                .map(|direction| seen(Some(direction), side));
            assert!(seen(None, side).is_empty());
            assert!(counter.symmetric_difference(&clockwise).count() > 20, "on {size}");
        }
        // Arrows point in the direction of sowing. Counter-clockwise sowing goes along the lower
        // row to the right, so the left arrow, which turns around the left end, has its tip on its
        // lower lane.
        let tip = |side, direction| {
            let pixels = seen(Some(direction), side);
            let middle = layout.arrow(side).map_or(0, |area| area.size.height as usize) / 2;
            let below = pixels.iter().filter(|&&(_, y)| y > middle).count();
            below > pixels.iter().filter(|&&(_, y)| y < middle).count()
        };
        assert!(tip(Side::Left, Direction::CounterClockwise));
        assert!(!tip(Side::Right, Direction::CounterClockwise));
        assert!(!tip(Side::Left, Direction::Clockwise));
        assert!(tip(Side::Right, Direction::Clockwise));
        assert_eq!(Layout::new(size).arrow(Side::Left), None);
    }
}

#[test]
fn the_rims_of_sowing_capture_and_help_have_three_shapes() {
    let rim = |board: BoardView, light: Light, place: usize| {
        let lit = Some((light, Places::NONE.with(place)));
        let frame = frame(BoardView { lit, ..board }, PANEL);
        let layout = Layout::of(board.style.table, PANEL);
        let strips = CellSide::ALL.map(|side| side.strip(hollow(&layout, place)));
        strips.map(|strip| {
            let ground = seen(theme::GROUND);
            let ink = pixels_in(&frame, &strip).filter(|&(_, _, pixel)| pixel != ground);
            ink.map(|(x, y, _)| (x, y)).collect::<Pixels>()
        })
    };
    for board in in_every_style(BoardView { counted: Places::NONE, ..board() }) {
        for cup in Cup::all() {
            let place = cup.place();
            let [advice, event, sowing] =
                [Light::Advice, Light::Event, Light::Sowing].map(|light| rim(board, light, place));
            for ((advice, event), sowing) in advice.iter().zip(&event).zip(&sowing) {
                assert!(advice.symmetric_difference(event).count() > 20, "{place}");
                assert!(advice.symmetric_difference(sowing).count() > 20, "{place}");
                assert!(event.symmetric_difference(sowing).count() > 20, "{place}");
            }
        }
    }
}

#[test]
fn no_stone_of_a_game_overlaps_the_dash_of_a_store() {
    let layout = Layout::new(PANEL);
    for player in Player::BOTH {
        let (stones, dash) = (layout.store_stones(player), layout.store_dash(player));
        let inside = inside(layout.store_hollow(player));
        assert_eq!(stones.size.height + dash.size.height, inside.size.height);
        let heap = firmware_core::screen::stones::Heap::new(inside);
        for number in 0..60 {
            assert!(heap.stone(number).intersection(&dash).is_zero_sized(), "stone {number}");
        }
    }
}

#[test]
fn the_stones_that_are_drawn_can_be_counted_on_every_panel() {
    let eye = GameReader::default();
    // With one more stone the small panel has a third layer; a game hardly ever has 20.
    for (style, most) in [(&board::STYLE, 32u8), (&wari::STYLE, 25)] {
        for size in PANELS {
            for stones in 0..=most {
                let board =
                    BoardView { style, ..view([stones; PLACES], Message::Turn(Player::Top)) };
                let shown = eye.glance(&frame(board, size), style.table);
                assert_eq!(shown.stones, [u32::from(stones); PLACES], "{} on {size}", style.name);
            }
        }
    }
}

#[test]
fn the_stones_of_a_whole_game_have_room_in_one_store() {
    let eye = GameReader::default();
    for system in SYSTEMS {
        for size in PANELS {
            for player in Player::BOTH {
                let mut stones = [0; PLACES];
                stones[player.store()] = 60;
                let style = system.style();
                let board = BoardView { style, ..view(stones, Message::Turn(Player::Top)) };
                let shown = eye.glance(&frame(board, size), style.table);
                assert_eq!(shown.stones[player.store()], 60, "{} on {size}", system.name);
            }
        }
    }
}

/// The marks are brackets outside the letters and a plate behind them: they differ in shape, and
/// both are visible if a move began and ended in the same cup.
#[test]
fn last_move_marks_differ_in_shape_and_leave_labels_legible() {
    let eye = GameReader::default();
    for plain in in_every_style(board()) {
        for size in PANELS {
            let layout = Layout::of(plain.style.table, size);
            let without = frame(plain, size);
            for cup in Cup::all() {
                let place = Some(cup.place() as u8);
                let label = layout.cup_label(cup);
                let marked = |began, ended| {
                    let mut board: BoardView = plain;
                    (board.began, board.ended) = (began, ended);
                    let with = frame(board, size);
                    let changed = differing(&without, &with);
                    let inside =
                        |(x, y): &(usize, usize)| label.contains(Point::new(*x as i32, *y as i32));
                    assert!(changed.iter().all(inside), "beyond the label of {place:?}");
                    assert_eq!(eye.words(&with, &label), eye.words(&without, &label));
                    changed
                };
                let (began, ended) = (marked(place, None), marked(None, place));
                assert!(began.is_disjoint(&ended), "at {place:?}");
                assert!(began.len() > 60 && ended.len() > 200, "{} {}", began.len(), ended.len());
                assert_eq!(marked(place, place).len(), began.len() + ended.len());
            }
        }
    }
}
