//! The computer as a player.

use super::*;
use crate::game::history::History;
use crate::game::opponent::{Level, Players, openings};
use crate::game::outcome::GameResult;
use crate::game::rules::Position;
use crate::interface::page::{Agreement, Notice, Question};
use crate::interface::screen::PageView;

fn against(level: Level, game: Game) -> Scene {
    Scene::with(Settings { players: Players::One, level, ..playing(game) })
}

#[test]
fn the_computer_answers_within_a_second_after_the_last_stone() {
    for level in Level::ALL {
        let mut scene = against(level, Game::Board);
        scene.tap("B1");
        // Ten phases: one to lift, two for each stone, and the last.
        scene.wait(10 * 80 + 20);
        assert!(matches!(scene.view().message, Message::Thinking(Player::Top, _)), "{level:?}");
        assert_eq!(scene.count("position"), 2);
        scene.wait(1_000);
        assert_eq!(scene.count("position"), 3, "{level:?}");
    }
}

#[test]
fn a_press_while_the_computer_thinks_is_explained() {
    let mut scene = against(Level::Advanced, Game::Wari);
    scene.tap("B1");
    scene.tap("B1");
    scene.tap("B1");
    scene.wait(50);
    scene.tap("B2");
    assert!(matches!(scene.view().message, Message::NotYetYours(Player::Top, _)));
    scene.wait(1_000);
    assert_eq!(scene.count("position"), 3);
}

#[test]
fn the_screen_never_settles_while_the_computer_thinks() {
    let mut scene = against(Level::Advanced, Game::Board);
    scene.tap("B1");
    scene.wait(10 * 80);
    let (mut last, mut since) = (scene.view(), scene.now);
    while scene.count("position") < 3 {
        scene.wait(5);
        if scene.view() != last {
            (last, since) = (scene.view(), scene.now);
        }
        assert!(scene.now.saturating_since(since) < Micros::from_millis(95));
    }
}

#[test]
fn undo_against_the_computer_returns_to_the_users_turn() {
    let mut scene = against(Level::Novice, Game::Wari);
    let start = scene.view().stones;
    scene.tap("B1");
    scene.tap("B1");
    scene.wait(5_000);
    assert_eq!(scene.count("position"), 3);
    scene.choose(Entry::Undo);
    assert_eq!((scene.view().stones, scene.view().turn), (start, Some(Player::Bottom)));
}

/// The computer has begun the game: its move is not the user's to undo, and the same move stays.
#[test]
fn undo_before_the_users_first_move_has_nothing_to_undo() {
    let settings = Settings { first: Some(Player::Top), ..playing(Game::TopBottom) };
    let mut scene = Scene::with(Settings { players: Players::One, ..settings });
    scene.wait(20_000);
    let before = scene.view();
    assert_eq!(before.turn, Some(Player::Bottom));
    assert!(scene.count("position") > 1, "the computer has begun");
    for _ in 0..2 {
        scene.choose(Entry::Undo);
        assert_eq!(scene.page(), Page::Notice(Notice::NothingToUndo));
        scene.tap("B5");
        assert_eq!((scene.view().stones, scene.view().turn), (before.stones, before.turn));
    }
    let button = ["B1", "B2"].into_iter().zip(&before.stones).find(|(_, stones)| **stones > 0);
    scene.tap(button.expect("a stone").0);
    scene.wait(20_000);
    scene.choose(Entry::Undo);
    assert_eq!((scene.view().stones, scene.view().turn), (before.stones, before.turn));
    // With two players, the first move of either is undone.
    scene.app.stored.settings.players = Players::Two;
    scene.choose(Entry::Undo);
    assert_ne!(scene.view().stones, before.stones);
}

#[test]
fn the_menu_interrupts_the_computer_which_then_thinks_again() {
    // In wari no player moves twice.
    let mut scene = against(Level::Advanced, Game::Wari);
    scene.tap("B1");
    scene.tap("B1");
    // Holding it takes one second: the stones have just come to rest.
    scene.hold_reset();
    scene.wait(5_000);
    assert_eq!(scene.count("position"), 2, "it does not move behind the menu");
    scene.tap("RESET");
    scene.wait(3_000);
    assert_eq!(scene.count("position"), 3);
}

#[test]
fn the_same_seed_plays_the_same_game() {
    let play = |seed| {
        let settings =
            Settings { players: Players::Demo, seed, level: Level::Novice, ..Settings::default() };
        let mut scene = Scene::with(settings);
        scene.wait(30_000);
        scene.log
    };
    assert_eq!(play(5), play(5));
    assert_ne!(play(5), play(6));
}

#[test]
fn the_demo_plays_by_itself_and_is_left_by_holding_a_key() {
    let mut scene = Scene::new();
    scene.choose(Entry::DemoMode);
    assert_eq!(scene.page(), Page::Notice(Notice::Demo));
    scene.tap("B5");
    scene.wait(10_000);
    assert!(scene.count("position") > 3);
    scene.edge("T3", true);
    scene.wait(500);
    let leave = Question::LeaveDemo { waits: false, players: Players::Two };
    assert_eq!(scene.page(), Page::Question(leave));
    scene.edge("T3", false);
    scene.tap("B6");
    let lines = scene.count("position");
    scene.wait(10_000);
    assert!(scene.count("position") > lines, "NO: it goes on");
    scene.edge("B1", true);
    scene.wait(500);
    scene.edge("B1", false);
    scene.tap("B1");
    let lines = scene.count("position");
    scene.wait(10_000);
    assert_eq!(scene.count("position"), lines, "YES: two persons play on");
}

#[test]
fn the_demo_continues_with_the_next_game() {
    let settings = Settings { players: Players::Demo, ..playing(Game::Wari) };
    let mut scene = Scene::with(settings);
    for _ in 0..60 {
        scene.wait(30_000);
        if scene.count("position") > 1 && scene.log.contains("game-over") {
            break;
        }
    }
    assert!(scene.log.contains("game-over"));
    scene.wait(20_000);
    assert!(scene.log.matches("move=-").count() > 1);
}

#[test]
fn thoughts_are_shown_only_if_the_option_is_on() {
    for thoughts in [false, true] {
        let settings = Settings {
            players: Players::Demo,
            thoughts,
            level: Level::Advanced,
            ..Settings::default()
        };
        let mut scene = Scene::with(settings);
        let mut seen = std::vec::Vec::new();
        for _ in 0..40 {
            scene.wait(20);
            seen.extend(scene.view().dash);
        }
        assert_eq!(!seen.is_empty(), thoughts);
        assert!(seen.iter().all(|place| *place < 6), "cups of the player to move: {seen:?}");
    }
}

#[test]
fn reset_on_the_totals_continues_the_demo() {
    let mut scene = Scene::with(Settings { players: Players::Demo, ..playing(Game::Wari) });
    while !matches!(scene.app.view(scene.now), View::Page(_)) {
        scene.wait(1_000);
        let hour = Instant::POWER_ON.saturating_add(Micros::from_millis(3_600_000));
        assert!(scene.now < hour, "the demo's game ends");
    }
    scene.tap("RESET");
    scene.wait(5_000);
    assert!(scene.log.matches("move=-").count() > 1);
    assert!(scene.count("position") > 3);
}

#[test]
fn there_is_no_help_for_the_computer() {
    let mut scene = against(Level::Advanced, Game::Wari);
    // RESET is held while the stones still move: under the menu it is the computer's turn.
    scene.tap("B1");
    scene.tap("B1");
    scene.choose(Entry::Help);
    assert_eq!(scene.page(), Page::Notice(Notice::ComputersTurn));
}

/// Returns for how many milliseconds the message is shown without interruption, and whether dots
/// change next to it.
fn stands(scene: &mut Scene, wanted: Message) -> (u32, bool) {
    let (mut millis, mut dots) = (0, false);
    while !matches!(scene.app.view(scene.now), View::Board(view) if view.message == wanted) {
        scene.wait(10);
        millis += 10;
        assert!(millis < 60_000, "{wanted:?} comes");
    }
    millis = 0;
    while scene.view().message == wanted && millis < 5_000 {
        dots |= scene.view().dots > 0;
        scene.wait(10);
        millis += 10;
    }
    (millis, dots)
}

#[test]
fn the_message_of_a_capture_stays_while_the_computer_thinks() {
    for hurry in [false, true] {
        let mut scene = against(Level::Novice, Game::Wari);
        // Cup 7 has one stone; the last of cup 3's four stones falls there.
        scene.choose(Entry::EditBoard);
        for (from, to) in [("T6", "B1"), ("T6", "B1"), ("T6", "B1")] {
            scene.tap(from);
            scene.tap(to);
        }
        scene.tap("RESET");
        scene.tap("B5");
        scene.tap("B3");
        scene.tap("B3");
        assert!(scene.last_line().contains("event=capture"), "{}", scene.last_line());
        if hurry {
            scene.tap("B3");
        }
        let (millis, dots) = stands(&mut scene, Message::Captured(Player::Bottom));
        assert!((1_300..1_900).contains(&millis), "{millis} ms");
        assert!(dots, "they run beside it");
    }
}

#[test]
fn the_demo_shows_a_free_turn_as_long_as_a_capture() {
    let settings = Settings { players: Players::Demo, level: Level::Novice, ..Settings::default() };
    let mut scene = Scene::with(settings);
    let (free_turn, _) = stands(&mut scene, Message::FreeTurn(Player::Bottom));
    assert!((1_300..2_000).contains(&free_turn), "{free_turn} ms");
    let (capture, _) = stands(&mut scene, Message::Captured(Player::Top));
    assert!((1_200..2_000).contains(&capture), "{capture} ms");
}

#[test]
fn a_nudge_after_the_demos_end_shows_the_result_and_the_way_out() {
    let mut scene = Scene::with(Settings { players: Players::Demo, ..Settings::default() });
    while !matches!(scene.view().message, Message::Over(_)) {
        scene.wait(100);
        assert!(scene.now < Instant(3_600_000_000), "the demo's game ends");
    }
    let Message::Over(result) = scene.view().message else { unreachable!() };
    scene.tap("B1");
    assert_eq!(scene.view().message, Message::DemoOver(result));
}

/// Puts stones on the board of a `wari` scene, Bottom to move: his cup 6 takes two from cup 7, and
/// with them more than half of all stones.
fn before_the_deciding_capture(scene: &mut Scene) {
    let stones = [4, 2, 0, 0, 0, 1, 24, 1, 0, 0, 4, 2, 0, 10];
    let setup = scene.app.memory.history.setup();
    scene.app.memory.history = History::new(setup, Position::of(stones, Player::Bottom));
}

fn abandon(scene: &Scene) -> Option<Agreement> {
    match scene.app.view(scene.now) {
        View::Page(PageView { page: Page::Question(Question::Abandon(player, other)), .. }) => {
            assert_eq!(player, Player::Bottom);
            Some(other)
        }
        _ => None,
    }
}

#[test]
fn the_board_offers_once_to_abandon_a_game_of_wari_whose_result_is_certain() {
    let certain = Agreement::ComputerAtResult(GameResult::Winner(Player::Bottom));
    let mut scene = against(Level::Novice, Game::Wari);
    before_the_deciding_capture(&mut scene);
    scene.tap("B6");
    scene.tap("B6");
    let captured = scene.log.lines().filter(|line| line.contains("event=capture:2")).count();
    assert_eq!(captured, 1, "{}", scene.log);
    while abandon(&scene).is_none() {
        scene.wait(100);
        assert!(scene.now < Instant(20_000_000), "it is offered");
    }
    assert_eq!(abandon(&scene), Some(certain));
    assert_eq!(scene.app.position().turn, Player::Bottom, "the computer has answered before");
    scene.tap("B6");
    scene.wait(5_000);
    assert_eq!(abandon(&scene), None, "NO: the game continues, and it is not asked again");
    scene.choose(Entry::AbandonPlay);
    assert_eq!(abandon(&scene), Some(certain));
    scene.tap("B1");
    assert_eq!(scene.view().message, Message::Abandoned(GameResult::Winner(Player::Bottom)));
}

#[test]
fn only_a_move_against_the_computer_makes_the_board_offer_to_abandon() {
    // Two persons end their game when they like.
    let mut scene = Scene::with(playing(Game::Wari));
    before_the_deciding_capture(&mut scene);
    scene.tap("B6");
    scene.tap("B6");
    scene.wait(10_000);
    assert_eq!(abandon(&scene), None);
    // A game that comes back in such a position is played on.
    scene.tap("T2");
    scene.tap("T2");
    scene.wait(10_000);
    scene.app.stored.settings.players = Players::One;
    scene.wait(10_000);
    assert_eq!(abandon(&scene), None);
    // Undo withdraws the offer; the same move makes it again.
    let mut scene = against(Level::Novice, Game::Wari);
    before_the_deciding_capture(&mut scene);
    for _ in 0..2 {
        scene.tap("B6");
        scene.tap("B6");
        scene.wait(500);
        scene.choose(Entry::Undo);
        scene.wait(5_000);
        assert_eq!(abandon(&scene), None);
    }
    scene.tap("B6");
    scene.tap("B6");
    scene.wait(20_000);
    assert!(abandon(&scene).is_some());
}

#[test]
fn two_computers_end_a_game_of_wari_whose_result_is_certain() {
    let settings = Settings { players: Players::Demo, ..playing(Game::Wari) };
    let mut scene = Scene::with(settings);
    while scene.count("position") < 2 || !scene.last_line().contains("game-over") {
        scene.wait(100);
        assert!(scene.now < Instant(3_600_000_000), "the demo's game ends");
    }
    let position = scene.app.position();
    let most = position.in_store(Player::Bottom).max(position.in_store(Player::Top));
    assert!(most < 35, "{}", scene.last_line());
}

#[test]
fn help_knows_the_best_first_moves() {
    for game in [Game::Board, Game::Family, Game::Wari, Game::TopBottom] {
        let mut scene = Scene::with(Settings { first: Some(Player::Bottom), ..playing(game) });
        scene.wait(5_000);
        for _ in 0..2 {
            let best = openings::best(game, &scene.app.rules(), &scene.app.position());
            scene.choose(Entry::Help);
            scene.wait(600);
            assert_eq!((scene.app.state.advising(), best.is_some()), (best, true), "{game:?}");
            let button = Button::beside(best.expect("an opening")).name();
            scene.tap(button);
            if game == Game::Wari {
                scene.tap(button);
            }
            scene.wait(5_000);
        }
    }
}

/// Fifty moves of `board` without a capture, by their buttons.
const QUIET: &str = "B1 T6 B3 T6 B4 T6 B2 B3 T4 B4 T2 B3 T3 B2 T2 B1 T5 B1 T3 B2 T2 T1 B1 T6 B2 \
                     T4 B3 T4 B4 T6 B5 T6 B5 T4 B1 T1 B3 T3 B4 T2 B1 T1 B5 T5 B1 T2 B4 T4 B3 T3";

#[test]
fn two_computers_end_a_game_after_the_last_message_was_shown() {
    let mut scene = Scene::new();
    for name in QUIET.split_whitespace() {
        let button = Button::all().find(|button| button.name() == name).expect("a button");
        let cup = button.cup().expect("a cup");
        assert!(scene.app.memory.history.push(Step::Sow(cup)), "{name}");
    }
    scene.app.stored.settings.players = Players::Demo;
    let until = scene.now.saturating_add(Micros::from_millis(1_000));
    scene.app.display.message_until = Some(until);
    let wake = scene.app.step(scene.now, &[], Levels::default(), &mut scene.chip);
    assert_eq!(wake, Wake::At(until));
    scene.wait(999);
    assert_eq!(scene.count("position"), 1);
    scene.wait(1);
    assert!(scene.last_line().contains("move=abandon"), "{}", scene.last_line());
}

#[test]
fn each_dash_of_a_thought_is_shown_for_150_ms() {
    for level in [Level::Novice, Level::Intermediate, Level::Advanced] {
        let settings =
            Settings { players: Players::One, level, thoughts: true, ..playing(Game::Board) };
        let mut scene = Scene::with(settings);
        scene.tap("B1");
        let mut shown: std::vec::Vec<(Option<u8>, u64)> = std::vec::Vec::new();
        // The movement and its message, and the thinking.
        for _ in 0..4_000 {
            let dash = scene.view().dash;
            match shown.last_mut() {
                Some((last, millis)) if *last == dash => *millis += 1,
                _ => shown.push((dash, 1)),
            }
            scene.wait(1);
        }
        let dashes: std::vec::Vec<_> = shown.iter().filter(|(dash, _)| dash.is_some()).collect();
        assert!(!dashes.is_empty(), "{level:?}");
        assert!(dashes.iter().all(|(_, millis)| *millis >= 150), "{level:?}: {shown:?}");
    }
}
