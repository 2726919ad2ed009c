//! Checks that a change of the view draws only what changed: enough of it, nothing twice, and
//! little else.

use firmware_core::rules::Direction;
use firmware_core::screen::rows::Light;
use nudge_tests::dice::Dice;
use nudge_tests::part::Part;

use super::*;

/// Number of pixels in a dash.
const DASH: u32 = 20 * 4;
/// Number of pixels in a character of the message.
const CHARACTER: u32 = 12 * 22;
/// Number of pixels in a step of RESET's bar.
const STEP: u32 = 5 * 8;

/// Changes the panel from `before` to `after`; returns the number of drawn pixels.
#[track_caller]
fn drawn(before: BoardView, after: BoardView, size: Size) -> u32 {
    let [before, after] = [before, after].map(View::Board);
    let parts = damage(&after, Some(&before), size);
    let mut paper = Paper::drawn(&before, size);
    paper.draw(&after, &parts);
    let whole = Paper::drawn(&after, size);
    let differs = paper.0.pixels().iter().zip(whole.0.pixels()).position(|(is, be)| is != be);
    let place = differs.map(|at| (at as u32 % size.width, at as u32 / size.width));
    assert_eq!(place, None, "from {before:?} to {after:?} on {size}");
    let mut times = vec![0u8; (size.width * size.height) as usize];
    for point in parts.iter().flat_map(|part| area(part).points()) {
        let times = &mut times[(point.y as u32 * size.width + point.x as u32) as usize];
        *times += 1;
        assert_eq!(*times, 1, "{point} twice from {before:?} to {after:?}");
    }
    parts.iter().map(|part| area(part).size).map(|size| size.width * size.height).sum()
}

/// Checks in every style and on every panel that `change` draws at most `most` pixels, and so does
/// the reverse change.
#[track_caller]
fn check_change(most: u32, board: BoardView, change: impl Fn(&mut BoardView)) {
    for system in SYSTEMS {
        for size in PANELS {
            let before = BoardView { style: system.style(), ..board };
            let mut after = before;
            change(&mut after);
            for (before, after) in [(before, after), (after, before)] {
                let pixels = drawn(before, after, size);
                assert!(pixels <= most, "{pixels} pixels in {} on {size}", system.name);
            }
        }
    }
}

fn board() -> BoardView {
    BoardView { dash: Some(3), ..view([4; PLACES], Message::Turn(Player::Bottom)) }
}

#[test]
fn a_dash_that_moves_draws_two_bars() {
    for place in (0..PLACES as u8).filter(|place| *place != 3) {
        check_change(2 * DASH, board(), |board| board.dash = Some(place));
    }
    check_change(DASH, board(), |board| board.dash = None);
}

#[test]
fn a_step_of_the_bar_draws_that_step() {
    let holding = |steps| Message::Holding(Holding { does: HoldAction::Menu, steps });
    for steps in 0..BAR_STEPS {
        check_change(STEP, view([4; PLACES], holding(steps)), |board| {
            board.message = holding(steps + 1);
        });
    }
}

#[test]
fn a_dot_of_the_thinking_message_draws_one_character() {
    for player in Player::BOTH {
        for dots in 0..MOST_DOTS {
            let thinking = view([4; PLACES], Message::Thinking(player, dots));
            check_change(CHARACTER, thinking, |board| {
                board.message = Message::Thinking(player, dots + 1);
            });
        }
    }
}

#[test]
fn a_last_move_mark_and_a_triangle_dot_draw_few_pixels() {
    const PLATE: u32 = 34 * 18;
    const BRACKETS: u32 = 2 * 5 * 14;
    const DOTS: u32 = 16 * 4;
    for place in 0..PLACES as u8 {
        check_change(PLATE, board(), |board| board.ended = Some(place));
        if Cup::at(place.into()).is_some() {
            check_change(BRACKETS, board(), |board| board.began = Some(place));
        }
    }
    for dots in 1..=MOST_DOTS {
        check_change(2 * DOTS, board(), |board| board.dots = dots);
    }
}

#[test]
fn a_blinking_turn_draws_triangles_and_a_rail() {
    const RAIL: u32 = 360 * 3;
    check_change(2 * 16 * 16 + RAIL, board(), |board| board.turn = None);
}

#[test]
fn a_cup_that_is_counted_draws_its_digits() {
    let uncounted =
        BoardView { counted: Places::STORES, ..view([12; PLACES], Message::Advice(None)) };
    check_change(2 * CHARACTER, uncounted, |board| {
        board.counted = board.counted.with(2);
    });
    // In a cup without a count, another stone draws no digit.
    let uncounted = BoardView { counted: Places::NONE, ..uncounted };
    check_change(9 * 9, uncounted, |board| board.stones[2] += 1);
}

#[test]
fn a_direction_that_flips_draws_two_arrows() {
    let bidirectional = BoardView { direction: Some(Direction::Clockwise), ..board() };
    for direction in [Some(Direction::CounterClockwise), None] {
        check_change(2 * 36 * 21, bidirectional, |board| board.direction = direction);
    }
}

#[test]
fn an_advised_cup_draws_its_rim() {
    let lit = |light, place| Some((light, Places::NONE.with(place)));
    for other in [None, lit(Light::Event, 3), lit(Light::Sowing, 3)] {
        let board = BoardView { lit: other, ..board() };
        // The rim of a cup on the larger panel; in `wari` its digits are inside.
        check_change(2 * 3 * (60 + 118), board, |board| board.lit = lit(Light::Advice, 3));
    }
}

#[test]
fn any_change_of_view_is_drawn_correctly_without_overdraw() {
    const CHANGES: u32 = 400;
    const SEED: u64 = 20;
    let part = Part::of_this_run();
    let seed = part.seed(SEED);
    let mut dice = Dice::new(seed);
    let messages = messages();
    let mut shown = board();
    for change in 0..part.share(CHANGES) {
        let mut next = shown;
        // Usually the system stays the same.
        if dice.once_in(8) {
            next.style = dice.pick(&SYSTEMS).expect("four").style();
        }
        for stones in &mut next.stones {
            match dice.below(4) {
                0 => *stones = dice.below(61) as u8,
                1 => *stones = (*stones + 1) % 61,
                _ => {}
            }
        }
        let places = |dice: &mut Dice| {
            (0..PLACES).filter(|_| dice.once_in(3)).fold(Places::NONE, Places::with)
        };
        if dice.once_in(2) {
            next.counted = places(&mut dice);
            next.stuck = Cup::all()
                .filter(|_| dice.once_in(6))
                .fold(Places::NONE, |places, cup| places.with(cup.place()));
        }
        next.dash = (!dice.once_in(3)).then(|| dice.below(PLACES as u64) as u8);
        let directions = [None, Some(Direction::Clockwise), Some(Direction::CounterClockwise)];
        next.direction = dice.pick(&directions).expect("three");
        next.turn = dice.pick(&[None, Some(Player::Bottom), Some(Player::Top)]).expect("three");
        next.message = dice.pick(&messages).expect("many");
        let light = dice.pick(&[Light::Sowing, Light::Event, Light::Advice]).expect("three");
        let place = |dice: &mut Dice| (!dice.once_in(4)).then(|| dice.below(14) as u8);
        next.began = place(&mut dice).filter(|place| Cup::at((*place).into()).is_some());
        next.ended = place(&mut dice);
        next.dots = dice.below(4) as u8;
        next.lit = (!dice.once_in(3)).then(|| (light, places(&mut dice)));
        for size in PANELS {
            let pixels = drawn(shown, next, size);
            assert!(pixels <= size.width * size.height, "change {change} of seed {seed}");
        }
        shown = next;
    }
}
