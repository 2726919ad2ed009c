//! The game on the board: moves, refusals, RESET.

use std::vec::Vec;

use super::super::movement::PHASE;
use super::*;
use crate::game::outcome::PlayError;
use crate::interface::page::{Notice, Question};

#[test]
fn a_game_opens_with_player_1_and_a_line_on_the_console() {
    let scene = Scene::new();
    assert_eq!(scene.view().message, Message::TurnHint(Player::Bottom));
    assert_eq!(
        scene.last_line(),
        "position board=4,4,4,4,4,4,0,4,4,4,4,4,4,0 turn=0 move=- event=none \
         message=\"Player 1's turn\""
    );
}

#[test]
fn a_free_turn_is_written_at_once_and_shown_after_the_movement() {
    let mut scene = Scene::new();
    scene.tap("B3");
    assert_eq!(
        scene.last_line(),
        "position board=4,4,0,5,5,5,1,4,4,4,4,4,4,0 turn=0 move=2 event=free-turn \
         message=\"Player 1 FREE TURN\""
    );
    assert_eq!(scene.view().message, Message::Turn(Player::Bottom));
    assert_eq!(scene.view().stones, [4, 4, 0, 4, 4, 4, 0, 4, 4, 4, 4, 4, 4, 0]);
    scene.wait(2_000);
    assert_eq!(scene.view().message, Message::FreeTurn(Player::Bottom));
    assert_eq!(scene.view().stones, [4, 4, 0, 5, 5, 5, 1, 4, 4, 4, 4, 4, 4, 0]);
}

#[test]
fn stones_fall_one_by_one() {
    let mut scene = Scene::new();
    scene.tap("B1");
    let mut sums = Vec::new();
    for _ in 0..10 {
        sums.push(scene.view().stones.iter().map(|stones| u32::from(*stones)).sum::<u32>());
        scene.wait((PHASE.0 / 1_000) as u32);
    }
    assert_eq!(sums, [44, 44, 45, 45, 46, 46, 47, 47, 48, 48]);
}

#[test]
fn a_press_while_stones_move_only_finishes_the_movement() {
    let mut scene = Scene::new();
    scene.tap("B3");
    scene.wait(100);
    let lines = scene.log.lines().count();
    scene.tap("B1");
    assert_eq!(scene.log.lines().count(), lines);
    assert_eq!(scene.view().stones, [4, 4, 0, 5, 5, 5, 1, 4, 4, 4, 4, 4, 4, 0]);
    assert_eq!(scene.view().message, Message::FreeTurn(Player::Bottom));
    scene.tap("B1");
    assert_eq!(scene.log.lines().count(), lines + 1);
}

#[test]
fn an_illegal_press_is_explained_briefly_and_changes_nothing() {
    let mut scene = Scene::new();
    scene.tap("T1");
    assert_eq!(scene.last_line(), "refused button=T1 reason=not-yours");
    assert_eq!(scene.view().message, Message::Refused(PlayError::NotYours, Player::Bottom));
    assert_eq!(scene.app.tone(scene.now).0, Some(220));
    scene.wait(2_000);
    assert_eq!(scene.view().message, Message::TurnHint(Player::Bottom));
    assert_eq!(scene.view().stones, [4, 4, 4, 4, 4, 4, 0, 4, 4, 4, 4, 4, 4, 0]);
}

#[test]
fn reset_restarts_on_release_even_while_stones_move() {
    let mut scene = Scene::new();
    scene.tap("B1");
    scene.wait(200);
    scene.edge("RESET", true);
    scene.wait(100);
    assert_eq!(scene.view().message, Message::Turn(Player::Bottom));
    assert_ne!(scene.view().stones, [4, 4, 4, 4, 4, 4, 0, 4, 4, 4, 4, 4, 4, 0]);
    scene.edge("RESET", false);
    assert_eq!(scene.view().stones, [4, 4, 4, 4, 4, 4, 0, 4, 4, 4, 4, 4, 4, 0]);
    assert!(scene.last_line().contains("move=-"));
}

#[test]
fn with_the_sound_off_no_tone_is_played() {
    let mut scene = Scene::with(Settings { sound: false, ..Settings::default() });
    scene.edge("T1", true);
    assert_eq!(scene.app.tone(scene.now).0, None);
}

#[test]
fn in_wari_the_first_press_counts_and_the_second_sows() {
    let mut scene = Scene::with(playing(Game::Wari));
    scene.tap("B2");
    let view = scene.view();
    assert_eq!((view.message, view.dash), (Message::PressAgain, Some(5)));
    assert!(view.counted.contains(1) && !view.counted.contains(0));
    // Pressing another button counts that cup instead of the first.
    scene.tap("B1");
    assert_eq!((scene.view().dash, scene.view().counted.contains(1)), (Some(4), false));
    scene.tap("B1");
    assert!(scene.last_line().contains("move=0") && scene.last_line().ends_with("direction=ccw"));
}

#[test]
fn in_wari_a_cup_of_the_opponents_can_be_counted_but_not_sown() {
    let mut scene = Scene::with(playing(Game::Wari));
    scene.tap("T6");
    let view = scene.view();
    assert_eq!((view.message, view.dash), (Message::Counted, Some(11)));
    scene.tap("T6");
    assert_eq!(scene.view().message, Message::Refused(PlayError::NotYours, Player::Bottom));
    assert_eq!(scene.last_line(), "refused button=T6 reason=not-yours");
}

#[test]
fn in_wari_a_short_reset_asks_only_during_a_game() {
    let mut scene = Scene::with(playing(Game::Wari));
    scene.tap("RESET");
    assert_eq!(scene.view().message, Message::TurnHint(Player::Bottom));
    scene.tap("B1");
    scene.tap("B1");
    scene.wait(3_000);
    scene.tap("RESET");
    assert_eq!(scene.page(), Page::Question(Question::Restart));
    // RESET means back: the game continues.
    scene.tap("RESET");
    assert_eq!(scene.view().stones[0], 0);
    scene.tap("RESET");
    scene.tap("B1");
    assert_eq!(scene.view().stones[0], 4);
}

/// Two fingers: the first press finishes the movement and uncovers a FREE TURN, the second began
/// before the LCD showed it.
#[test]
fn a_press_that_began_before_the_turn_was_shown_does_not_sow_it() {
    for (apart, sows) in [(0, false), (1, false), (29, false), (30, true), (100, true)] {
        for second in ["B1", "B2"] {
            let mut scene = Scene::new();
            scene.tap("B3");
            scene.wait(100);
            let down = |name: &str| Edge {
                at: scene.now,
                button: Button::all().find(|button| button.name() == name).expect("a button"),
                down: true,
            };
            let [first, second] = [down("B1"), down(second)];
            let later = |at: Instant, millis| at.saturating_add(Micros::from_millis(millis));
            let second = Edge { at: later(scene.now, apart), ..second };
            let mut stepped = scene.now;
            let step = |scene: &mut Scene, at: Instant, edges: &[Edge]| {
                scene.app.step(at, edges, Levels::default(), &mut scene.chip);
                scene.read_console();
            };
            // The frame is on the LCD 30 ms after the first press; an edge counts after 5 ms.
            let mut shown = false;
            let frame = later(scene.now, 30);
            step(&mut scene, later(stepped, 5), &[first]);
            for millis in 6..=110 {
                stepped = later(first.at, millis);
                if stepped >= frame && !shown {
                    scene.app.shown(frame);
                    shown = true;
                }
                if stepped == later(second.at, 5) {
                    step(&mut scene, stepped, &[second]);
                }
            }
            if apart == 0 {
                step(&mut scene, later(first.at, 111), &[second]);
            }
            let moves = scene.count("position") - 1;
            assert_eq!(moves, if sows { 2 } else { 1 }, "{apart} ms apart");
        }
    }
}

/// All three presses arrive in the same step: the LCD has not shown the movement.
#[test]
fn of_three_simultaneous_presses_only_one_has_an_effect() {
    let mut scene = Scene::new();
    let edges = ["B3", "B4", "B5"].map(|name| Edge {
        at: scene.now,
        button: Button::all().find(|button| button.name() == name).expect("a button"),
        down: true,
    });
    scene.app.step(scene.now, &edges, Levels::default(), &mut scene.chip);
    scene.read_console();
    assert_eq!(scene.count("position"), 2);
    assert_eq!(scene.view().stones, [4, 4, 0, 4, 4, 4, 0, 4, 4, 4, 4, 4, 4, 0]);
}

/// Checks the marks of the last move: its cup and, once the last stone has fallen, its end.
#[track_caller]
fn ticks(scene: &Scene, expected: (Option<u8>, Option<u8>)) {
    let view = scene.view();
    assert_eq!((view.began, view.ended), expected);
}

#[test]
fn the_last_move_stays_marked_until_the_next_one() {
    for game in [Game::Board, Game::Family, Game::TopBottom] {
        let mut scene = Scene::with(Settings { first: Some(Player::Bottom), ..playing(game) });
        ticks(&scene, (None, None));
        scene.tap("B3");
        ticks(&scene, (Some(2), None));
        scene.wait(3_000);
        ticks(&scene, (Some(2), Some(6)));
        // A refused press, a visit to the menu and a cancelled edit are not moves.
        scene.tap("T1");
        scene.hold_reset();
        scene.tap("RESET");
        ticks(&scene, (Some(2), Some(6)));
        scene.tap("B2");
        ticks(&scene, (Some(1), None));
        scene.tap("B1");
        ticks(&scene, (Some(1), Some(5)));
        scene.tap("RESET");
        ticks(&scene, (None, None));
    }
}

#[test]
fn marks_stay_correct_after_undo_edit_and_count() {
    let mut scene = Scene::with(playing(Game::Wari));
    for button in ["B1", "B1", "B1", "T1", "T1", "T1"] {
        scene.tap(button);
    }
    ticks(&scene, (Some(12), Some(3)));
    // A cup that is counted has the dash.
    scene.tap("B2");
    ticks(&scene, (Some(12), Some(3)));
    scene.choose(Entry::Undo);
    ticks(&scene, (Some(0), Some(4)));
    scene.choose(Entry::EditBoard);
    ticks(&scene, (None, None));
    scene.tap("RESET");
    scene.tap("B6");
    ticks(&scene, (Some(0), Some(4)));
    scene.choose(Entry::EditBoard);
    scene.tap("B2");
    scene.tap("B3");
    scene.tap("RESET");
    scene.tap("B5");
    ticks(&scene, (None, None));
    scene.choose(Entry::Undo);
    ticks(&scene, (Some(0), Some(4)));
    scene.choose(Entry::Undo);
    ticks(&scene, (None, None));
}

#[test]
fn after_the_end_each_press_shows_the_result_and_what_to_do() {
    for game in [Game::Board, Game::Family, Game::Wari, Game::TopBottom] {
        let mut scene = Scene::with(Settings { first: Some(Player::Bottom), ..playing(game) });
        scene.choose(Entry::AbandonPlay);
        scene.tap("B1");
        scene.tap("B1");
        let result = crate::game::outcome::GameResult::Draw;
        assert_eq!(scene.view().message, Message::Abandoned(result));
        for button in Button::all().filter(|button| button.cup().is_some()) {
            for _ in 0..2 {
                scene.tap(button.name());
                assert_eq!(scene.view().message, Message::PlayOn(result), "{game:?}");
            }
        }
        scene.wait(2_000);
        assert_eq!(scene.view().message, Message::Abandoned(result), "{game:?}");
        scene.wait(1_000);
        if game == Game::Wari {
            assert!(matches!(scene.page(), Page::Notice(Notice::Totals(was, _)) if was == result));
            scene.tap("RESET");
        }
        scene.tap("T2");
        assert_eq!(scene.view().message, Message::PlayOn(result), "{game:?}");
    }
}

/// Plays a NUDGE and RESET, `millis` apart, on a board on which T1 is legal and a move can be
/// undone. Returns the lines of the console after the presses.
fn nudge_and_reset(nudge: &str, millis: i32) -> (Scene, String) {
    let mut scene = Scene::new();
    scene.tap("B1");
    scene.wait(2_000);
    scene.log.clear();
    let button = |name: &str| Button::all().find(|button| button.name() == name).expect("a button");
    let at = |millis: i32| scene.now.saturating_add(Micros::from_millis((200 + millis) as u32));
    let mut edges = [
        Edge { at: at(0), button: button(nudge), down: true },
        Edge { at: at(millis), button: button("RESET"), down: true },
        Edge { at: at(300), button: button(nudge), down: false },
        Edge { at: at(400), button: button("RESET"), down: false },
    ];
    edges.sort_by_key(|edge| edge.at);
    for edge in edges {
        let until = edge.at.saturating_since(scene.now).0 / 1_000;
        scene.wait(until as u32);
        scene.app.step(scene.now, &[edge], Levels::default(), &mut scene.chip);
        scene.app.shown(scene.now);
        scene.read_console();
    }
    scene.wait(3_000);
    let log = scene.log.clone();
    (scene, log)
}

#[test]
fn a_nudge_shortly_before_reset_or_during_it_never_sows_and_restarts() {
    let started = "board=4,4,4,4,4,4,0,4,4,4,4,4,4,0 turn=0";
    let moved = "board=0,5,5,5,5,4,0,4,4,4,4,4,4,0 turn=1";
    for millis in [-150, -80, -10, -1, 0, 1, 10, 79, 80] {
        // T6 is Undo: its own move, if it made one, and then the one before are taken back.
        let (scene, log) = nudge_and_reset("T6", millis);
        assert!(scene.last_line().contains(started), "{millis} ms: {log}");
        assert!(scene.last_line().contains("move=undo") && !log.contains("move=-"), "{log}");
        // T1 makes no chord: nothing happens, and the LCD says why.
        let (scene, log) = nudge_and_reset("T1", millis);
        assert!(log.is_empty() || scene.last_line().contains(moved), "{millis} ms: {log}");
        assert!(!log.contains("move=-"), "{millis} ms: {log}");
        // B2 is not Player 2's.
        let (_, log) = nudge_and_reset("B2", millis);
        assert!(!log.contains("move="), "{millis} ms: {log}");
    }
    // Later they are two presses.
    for nudge in ["T1", "T6"] {
        let (scene, log) = nudge_and_reset(nudge, 81);
        assert!(log.contains("event=none") && !log.contains("undo"), "{log}");
        assert!(scene.last_line().contains("move=-"), "{log}");
    }
}

#[test]
fn reset_and_another_nudge_explain_themselves_on_the_lcd() {
    let mut scene = Scene::new();
    scene.edge("RESET", true);
    scene.wait(50);
    scene.tap("B3");
    assert_eq!(scene.view().message, Message::NoChord);
    // RESET is still down: no button sows, and the chords work again and again.
    scene.tap("B2");
    assert_eq!(scene.view().stones, [4, 4, 4, 4, 4, 4, 0, 4, 4, 4, 4, 4, 4, 0]);
    scene.tap("T5");
    assert!(scene.app.is_thinking());
    scene.wait(2_000);
    scene.edge("RESET", false);
    assert!(matches!(scene.view().message, Message::Advice(_)), "{:?}", scene.view().message);
}

#[test]
fn a_move_that_a_chord_takes_back_leaves_the_restarted_game_to_undo() {
    let mut scene = Scene::new();
    for button in ["B1", "B1"] {
        scene.tap(button);
    }
    scene.wait(2_000);
    scene.tap("RESET");
    let edge = |scene: &mut Scene, name: &str, down| {
        let button = Button::all().find(|button| button.name() == name).expect("a button");
        let edge = Edge { at: scene.now, button, down };
        scene.app.step(scene.now, &[edge], Levels::default(), &mut scene.chip);
        scene.app.shown(scene.now);
        scene.read_console();
    };
    edge(&mut scene, "B2", true);
    scene.wait(40);
    edge(&mut scene, "RESET", true);
    edge(&mut scene, "RESET", false);
    assert_eq!(scene.view().message, Message::NoChord);
    edge(&mut scene, "B2", false);
    scene.choose(Entry::Undo);
    assert!(scene.last_line().contains("board=0,5,5,5,5,4,0"), "{}", scene.last_line());
}
