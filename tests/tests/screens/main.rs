//! Tests the board's screen in the styles of all systems, on the board's panel and on a larger one.
//!
//! | file | claims |
//! |---|---|
//! | `main` | every text of the LCD is read back from the pixels: complete, in its place, in the fonts and characters known to the readers |
//! | `sight` | every text is large and bright enough; the meaning of a mark is visible without colour vision; sheets of pictures |
//! | `marks` | stones, dash, triangle, arrows and rims are visible where they belong, and differ from each other |
//! | `changes` | changes are drawn, and little else |
//! | `pages` | the same for every page of the menus, and for the change from any screen to any other |

mod changes;
mod colour_vision;
mod marks;
mod pages;

use std::collections::BTreeSet;

use embedded_graphics::geometry::Size;
use embedded_graphics::primitives::{PointsIter as _, Rectangle};
use firmware_core::button::Button;
use firmware_core::lcd::PANEL;
use firmware_core::message::{BAR_STEPS, Fallback, HoldAction, Holding, Message};
use firmware_core::places::Places;
use firmware_core::reason::Reason;
use firmware_core::rules::{Cup, GameResult, PLACES, PlayError, Player};
use firmware_core::screen::layout::{Layout, Table};
use firmware_core::screen::style::Style;
use firmware_core::screen::{BoardView, View, board, family, theme, top_bottom, wari};
use firmware_core::systems::SYSTEMS;
use ili9341_model::Frame;
use nudge_tests::glance::{GameReader, cut_out, pixels_in, seen};
use nudge_tests::own_words::foreign_word;
use nudge_tests::paper::{Paper, area, damage};
use nudge_tests::part::Part;

/// The board's panel, and a larger one that another board may have.
const PANELS: [Size; 2] = [PANEL, Size::new(480, 320)];

/// Maximum number of dots after the message of the thinking computer.
const MOST_DOTS: u8 = 3;

/// Returns every message.
fn messages() -> Vec<Message> {
    let results =
        [GameResult::Draw, GameResult::Winner(Player::Bottom), GameResult::Winner(Player::Top)];
    let mut all = vec![
        Message::StorageDamaged(Fallback::Older),
        Message::StorageDamaged(Fallback::Defaults),
        Message::StorageDamaged(Fallback::NoTotals),
        Message::NotStored,
        Message::PressAgain,
        Message::Counted,
        Message::Advice(None),
        Message::Advice(Some(Reason::Only)),
        Message::Advice(Some(Reason::Wins)),
        Message::Advice(Some(Reason::Captures(24))),
        Message::Advice(Some(Reason::MovesAgain)),
        Message::Advice(Some(Reason::Saves(24))),
        Message::Advice(Some(Reason::Threatens(24))),
        Message::Advice(Some(Reason::Later)),
        Message::EditTake,
        Message::EditPut,
        Message::EditNothing,
        Message::HoldToLeave,
        Message::NoChord,
        Message::Restarted,
    ];
    for does in [HoldAction::Menu, HoldAction::Keys] {
        all.extend([0, 1, BAR_STEPS].map(|steps| Message::Holding(Holding { does, steps })));
    }
    all.extend(results.map(Message::Over));
    all.extend(results.map(Message::Abandoned));
    all.extend(Player::BOTH.map(Message::Resigned));
    all.extend(results.map(Message::PlayOn));
    all.extend(results.map(Message::DemoOver));
    all.extend(Button::all().map(Message::Stuck));
    all.extend((0..=MOST_DOTS).map(Message::Helping));
    for player in Player::BOTH {
        all.extend([
            Message::Turn(player),
            Message::TurnHint(player),
            Message::FreeTurn(player),
            Message::Captured(player),
            Message::Coin(player),
            Message::Resumed(player),
            Message::Refused(PlayError::NotYours, player),
            Message::Refused(PlayError::Empty, player),
            Message::Refused(PlayError::GameOver, player),
        ]);
        all.extend((0..=MOST_DOTS).map(|dots| Message::Thinking(player, dots)));
        all.extend((0..=MOST_DOTS).map(|dots| Message::NotYetYours(player, dots)));
    }
    // A new message does not compile here until it is added to the list above.
    for message in &all {
        match message {
            Message::TurnHint(_) | Message::Restarted | Message::Resumed(_) => {}
            Message::Holding(Holding { does: HoldAction::Menu | HoldAction::Keys, .. }) => {}
            Message::Turn(_) | Message::FreeTurn(_) | Message::Captured(_) | Message::Coin(_) => {}
            Message::Over(GameResult::Winner(_) | GameResult::Draw) => {}
            Message::Abandoned(GameResult::Winner(_) | GameResult::Draw) => {}
            Message::PlayOn(GameResult::Winner(_) | GameResult::Draw) => {}
            Message::DemoOver(GameResult::Winner(_) | GameResult::Draw) => {}
            Message::Refused(PlayError::NotYours | PlayError::Empty | PlayError::GameOver, _) => {}
            Message::Stuck(_) | Message::NotStored | Message::Resigned(_) => {}
            Message::StorageDamaged(Fallback::Older | Fallback::Defaults | Fallback::NoTotals) => {}
            Message::Thinking(_, 0..=MOST_DOTS | 4..)
            | Message::NotYetYours(_, 0..=MOST_DOTS | 4..) => {}
            Message::Helping(0..=MOST_DOTS | 4..) | Message::HoldToLeave | Message::NoChord => {}
            Message::PressAgain | Message::Counted => {}
            // Every reason is listed.
            Message::Advice(
                None
                | Some(
                    Reason::Only
                    | Reason::Wins
                    | Reason::Captures(_)
                    | Reason::MovesAgain
                    | Reason::Saves(_)
                    | Reason::Threatens(_)
                    | Reason::Later,
                ),
            ) => {}
            Message::EditTake | Message::EditPut | Message::EditNothing => {}
        }
    }
    all
}

/// Returns the expected text of `message`, its lines joined by one space.
fn expected(style: &Style, message: Message) -> String {
    let [first, second] = style.words.lines(message);
    match message {
        // The reader takes dots alone for a picture.
        Message::Thinking(..) | Message::Helping(_) => first.to_string(),
        _ => format!("{first} {second}").trim_end().to_owned(),
    }
}

/// Returns a view in the style of `board`, with all places counted.
fn view(stones: [u8; PLACES], message: Message) -> BoardView {
    BoardView {
        style: &board::STYLE,
        stones,
        counted: Places::ALL,
        dash: None,
        direction: None,
        turn: Some(Player::Bottom),
        message,
        lit: None,
        began: None,
        ended: None,
        dots: 0,
        stuck: Places::NONE,
    }
}

/// Returns `board` in the style of another system.
fn in_style(style: &'static Style, board: BoardView) -> BoardView {
    BoardView { style, ..board }
}

/// Returns the frame that shows `board` on a panel of `size`.
#[track_caller]
fn frame(board: BoardView, size: Size) -> Frame {
    Paper::drawn(&View::Board(board), size).0
}

/// Draws `board` in every system's style on every panel and reads it: message, digits and labels
/// must be at their places, and every pixel of ink must belong to a letter that was read.
#[track_caller]
fn check(board: BoardView) {
    for system in SYSTEMS {
        check_style(in_style(system.style(), board));
    }
}

#[track_caller]
fn check_style(board: BoardView) {
    let BoardView { style, stones, counted, stuck, .. } = board;
    let digits = |place: usize| match (style.table, Cup::at(place)) {
        _ if !counted.contains(place) => String::new(),
        (Table::StoresInTheMiddle, None) => format!("{:02}", stones[place]),
        _ => stones[place].to_string(),
    };
    let eye = GameReader::default();
    for size in PANELS {
        let layout = Layout::of(style.table, size);
        let frame = frame(board, size);
        let mut expected = vec![(layout.message(), expected(style, board.message))];
        for player in Player::BOTH {
            expected.push((layout.store_count(player), digits(player.store())));
            expected.push((layout.store_label(player), style.stores[player.index()].to_owned()));
        }
        for cup in Cup::all() {
            expected.push((layout.cup_count(cup), digits(cup.place())));
            if !stuck.contains(cup.place()) {
                expected.push((layout.cup_label(cup), style.label(cup).to_owned()));
            }
        }
        for (area, words) in &expected {
            assert_eq!(&eye.words(&frame, area), words, "in {} on {size}", style.name);
            let stray = stray_ink(&eye, &frame, area);
            // Dots and the bar are pictures.
            let picture = matches!(
                board.message,
                Message::Thinking(..) | Message::Helping(_) | Message::Holding(_)
            ) && *area == layout.message();
            assert!(picture || stray.is_none(), "ink beside {words:?} at {stray:?} on {size}");
        }
    }
}

/// Returns a pixel of `area`, relative to the area, that is neither ground nor part of a letter
/// that was read.
fn stray_ink(eye: &GameReader, frame: &Frame, area: &Rectangle) -> Option<(usize, usize)> {
    let lines = eye.text(&cut_out(frame, area)).lines;
    let ground = pixels_in(frame, area).next()?.2;
    let ink = pixels_in(frame, area).filter(|&(_, _, pixel)| pixel != ground);
    let mut places = ink.map(|(x, y, _)| (x, y));
    places.find(|(x, y)| {
        !lines.iter().any(|line| {
            (line.x..line.x + line.width).contains(x) && (line.y..line.y + line.height).contains(y)
        })
    })
}

#[test]
fn every_message_fits_its_box_and_is_legible() {
    for message in Part::of_this_run().pick(messages()) {
        check(view([4; PLACES], message));
    }
}

#[test]
fn every_system_has_its_own_messages() {
    use Player::{Bottom, Top};
    let over = |player| Message::Over(GameResult::Winner(player));
    let refused = |error| Message::Refused(error, Bottom);
    let styles = [&board::STYLE, &family::STYLE, &wari::STYLE, &top_bottom::STYLE];
    let sentences = [
        (
            Message::Turn(Bottom),
            ["Player 1's turn", "Player A's turn", "Bottom's turn", "Bottom's turn"],
        ),
        (
            Message::TurnHint(Bottom),
            [
                "Player 1's turn Hold RESET: menu",
                "Player A's turn Hold RESET: menu",
                "Bottom's turn Hold RESET: menu",
                "Bottom's turn Hold RESET: menu",
            ],
        ),
        (Message::Restarted, ["Game restarted Undo: RESET + T6"; 4]),
        (
            Message::FreeTurn(Top),
            ["Player 2 FREE TURN", "Player B second turn", "Top moves again", "Top extra turn"],
        ),
        (
            Message::Captured(Bottom),
            [
                "Player 1 collected BONUS",
                "Player A collects stones",
                "Bottom captures",
                "Bottom captures seeds",
            ],
        ),
        (
            over(Top),
            [
                "GAME OVER Player 2 wins",
                "GAME OVER Player B wins",
                "GAME OVER Top wins",
                "GAME OVER Top wins",
            ],
        ),
        (
            Message::Over(GameResult::Draw),
            ["GAME OVER DRAW", "GAME OVER TIE", "GAME OVER DRAW", "GAME OVER DRAW"],
        ),
        (
            refused(PlayError::NotYours),
            [
                "Not your cup: Player 1's turn",
                "Not your bin: Player A's turn",
                "Not your cup: Bottom's turn",
                "Not your pit: Bottom's turn",
            ],
        ),
        (
            refused(PlayError::Empty),
            [
                "Empty cup: choose another",
                "Empty bin: choose another",
                "Empty cup: choose another",
                "Empty pit: choose another",
            ],
        ),
        (refused(PlayError::GameOver), ["GAME OVER: press RESET"; 4]),
        (
            Message::Resigned(Top),
            [
                "Player 2 resigns Player 1 wins",
                "Player B resigns Player A wins",
                "Top resigns Bottom wins",
                "Top resigns Bottom wins",
            ],
        ),
        (
            Message::Coin(Top),
            [
                "Coin flip: Player 2 begins",
                "Coin flip: Player B begins",
                "Coin flip: Top begins",
                "Coin flip: Top begins",
            ],
        ),
        (
            Message::NotYetYours(Top, 3),
            [
                "Player 2 thinks: please wait...",
                "Player B thinks: please wait...",
                "Top thinks: please wait...",
                "Top thinks: please wait...",
            ],
        ),
        (
            Message::Advice(None),
            [
                "Help: play the marked cup",
                "Help: play the marked bin",
                "Help: play the marked cup",
                "Help: play the marked pit",
            ],
        ),
        (
            Message::Advice(Some(Reason::Captures(5))),
            [
                "Help: this cup BONUS 5",
                "Help: this bin collects 5",
                "Help: this cup captures 5",
                "Help: this pit captures 5",
            ],
        ),
        (
            Message::EditNothing,
            [
                "No stone here: choose another",
                "No stone here: choose another",
                "No stone here: choose another",
                "No seed here: choose another",
            ],
        ),
        (Message::StorageDamaged(Fallback::Older), ["Flash damaged: old data used"; 4]),
        (Message::StorageDamaged(Fallback::Defaults), ["Flash damaged: defaults used"; 4]),
        (Message::StorageDamaged(Fallback::NoTotals), ["Flash damaged: totals at zero"; 4]),
    ];
    for (message, words) in sentences {
        for (style, words) in styles.into_iter().zip(words) {
            let layout = Layout::of(style.table, PANEL);
            let frame = frame(BoardView { style, ..view([4; PLACES], message) }, PANEL);
            assert_eq!(GameReader::default().words(&frame, &layout.message()), words);
        }
    }
}

#[test]
fn every_count_of_stones_is_legible() {
    for stones in Part::of_this_run().pick(0..=60) {
        check(view([stones; PLACES], Message::Turn(Player::Top)));
    }
}

#[test]
fn places_without_a_count_show_no_digit() {
    let board = view([12; PLACES], Message::PressAgain);
    for counted in [Places::NONE, Places::STORES, Places::STORES.with(0).with(9)] {
        check(BoardView { counted, ..board });
    }
}

#[test]
fn the_scores_of_wari_have_two_digits_from_the_start() {
    let eye = GameReader::default();
    let layout = Layout::of(Table::StoresInTheMiddle, PANEL);
    for (stones, digits) in [(0, "00"), (7, "07"), (10, "10"), (60, "60")] {
        let mut board =
            BoardView { style: &wari::STYLE, ..view([0; PLACES], Message::Advice(None)) };
        board.stones[Player::Bottom.store()] = stones;
        let frame = frame(board, PANEL);
        assert_eq!(eye.words(&frame, &layout.store_count(Player::Bottom)), digits);
        assert_eq!(eye.words(&frame, &layout.store_count(Player::Top)), "00");
        // A counted cup that is empty has one digit.
        assert_eq!(eye.words(&frame, &layout.cup_count(Cup::at(3).unwrap())), "0");
    }
}

#[test]
fn the_stores_of_wari_are_between_the_rows_bottoms_on_the_left() {
    for size in PANELS {
        let layout = Layout::of(Table::StoresInTheMiddle, size);
        let [bottom, top] = Player::BOTH.map(|player| layout.store_hollow(player));
        assert!(bottom.center().x < layout.message().center().x, "on {size}");
        assert!(top.center().x > layout.message().center().x, "on {size}");
        for store in [bottom, top] {
            let above = |cup: &Cup| layout.cup_hollow(*cup).center().y < store.center().y;
            assert_eq!(Cup::all().filter(above).count(), 6, "rows above and below, on {size}");
        }
    }
}

#[test]
fn the_cups_line_up_with_the_buttons_in_every_table() {
    for size in PANELS {
        for system in SYSTEMS {
            let layout = Layout::of(system.style().table, size);
            for nth in 0..6 {
                let column = Layout::new(size).button_column(nth);
                assert_eq!(layout.button_column(nth), column);
                for place in [nth, 12 - nth] {
                    let hollow = layout.cup_hollow(Cup::at(place).unwrap());
                    let middle = hollow.top_left.x as u32 + hollow.size.width / 2;
                    assert_eq!(middle, column, "{place} in {} on {size}", system.name);
                }
            }
        }
    }
}

#[test]
fn a_stuck_cup_shows_two_warning_dashes_and_no_number() {
    let mut over = view([0; PLACES], Message::Over(GameResult::Draw));
    over.stuck = Places::ALL;
    over.turn = None;
    check(over);
    for size in PANELS {
        let frame = frame(over, size);
        let layout = Layout::new(size);
        for cup in Cup::all() {
            let label = layout.cup_label(cup);
            let warning = seen(theme::INK_WARNING);
            let ink = pixels_in(&frame, &label).filter(|&(_, _, pixel)| pixel == warning);
            let rows: BTreeSet<usize> = ink.map(|(_, y, _)| y).collect();
            // The reader takes a dash alone for a line of a picture.
            assert!((1..=2).contains(&rows.len()), "dashes in rows {rows:?} of {cup:?}");
            assert_eq!(GameReader::default().words(&frame, &label), "");
        }
    }
}

#[test]
fn every_system_uses_its_own_words_in_every_message() {
    for system in SYSTEMS {
        for message in messages() {
            let text = expected(system.style(), message);
            assert_eq!(foreign_word(&text, system.game), None, "{text:?} in {}", system.name);
        }
    }
}

#[test]
fn messages_use_only_characters_known_to_the_readers() {
    for system in SYSTEMS {
        for message in messages() {
            let text = system.style().words.lines(message).concat();
            let foreign = text.chars().find(|letter| !theme::CHARACTERS.contains(*letter));
            assert_eq!(foreign, None, "in {text:?}");
        }
    }
}

#[test]
fn the_parts_of_the_screen_cover_it_without_overlapping() {
    for system in SYSTEMS {
        for size in PANELS {
            let mut covered = vec![0u32; (size.width * size.height) as usize];
            let style = system.style();
            let board = BoardView { style, ..view([4; PLACES], Message::Turn(Player::Bottom)) };
            for part in damage(&View::Board(board), None, size) {
                for point in area(&part).points() {
                    covered[(point.y as u32 * size.width + point.x as u32) as usize] += 1;
                }
            }
            let wrong = covered.iter().position(|times| *times != 1);
            let place =
                wrong.map(|at| (at as u32 % size.width, at as u32 / size.width, covered[at]));
            assert_eq!(place, None, "x, y and how often, of {} on {size}", system.name);
        }
    }
}
