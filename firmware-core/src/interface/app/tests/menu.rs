//! The menus: opened and left by buttons alone; each entry works as described.

use super::*;
use crate::game::opponent::{Level, Players};
use crate::game::places::Places;
use crate::interface::page::{Agreement, Notice, Question, TotalsAfter};
use crate::interface::screen::rows::Light;
use crate::storage::files::FileKind;

/// Plays one move of Player 1 after which Player 2 is to move.
fn one_move(scene: &mut Scene) {
    scene.tap("B1");
    scene.wait(2_000);
}

#[test]
fn reset_held_for_a_second_opens_the_menu_and_a_short_one_leaves_it() {
    let mut scene = Scene::new();
    scene.edge("RESET", true);
    scene.wait(999);
    assert_eq!(scene.view().stones[0], 4);
    scene.wait(1);
    assert!(matches!(scene.page(), Page::Menu { menu: Menu::File, cursor: 0, .. }));
    // The release has no further effect.
    scene.edge("RESET", false);
    assert!(matches!(scene.page(), Page::Menu { .. }));
    scene.tap("RESET");
    assert_eq!(scene.view().message, Message::Turn(Player::Bottom));
}

#[test]
fn every_entry_can_be_chosen_and_left_again_by_buttons_alone() {
    for game in [Game::Board, Game::Family, Game::Wari, Game::TopBottom] {
        for menu in Menu::ALL {
            for entry in menu.entries() {
                let mut scene = Scene::with(playing(game));
                one_move(&mut scene);
                scene.choose(entry);
                scene.wait(1_500);
                // At most: a board being edited, its keys, a question, a menu.
                for _ in 0..4 {
                    if let View::Page(_) = scene.app.view(scene.now) {
                        scene.tap("RESET");
                    }
                    if matches!(scene.app.state, State::Editing { .. }) {
                        scene.tap("RESET");
                        scene.tap("B6");
                    }
                }
                scene.view();
                assert!(!matches!(scene.app.state, State::Editing { .. }), "{entry:?} in {game:?}");
            }
        }
    }
}

#[test]
fn a_held_key_keeps_moving_the_cursor() {
    let mut scene = Scene::new();
    scene.hold_reset();
    scene.edge("B4", true);
    scene.wait(800);
    scene.edge("B4", false);
    scene.wait(1_000);
    assert!(matches!(scene.page(), Page::Menu { menu: Menu::File, .. }), "{:?}", scene.page());
    assert_eq!(scene.app.user.menu.1, (1 + 3) % Menu::File.len() as u8);
}

#[test]
fn undo_goes_back_to_the_start_of_the_game() {
    let mut scene = Scene::new();
    let start = scene.view().stones;
    for button in ["B1", "T1", "B2"] {
        scene.tap(button);
        scene.wait(3_000);
    }
    for _ in 0..3 {
        scene.choose(Entry::Undo);
        assert!(scene.last_line().contains("move=undo event=none"), "{}", scene.last_line());
    }
    assert_eq!((scene.view().stones, scene.view().turn), (start, Some(Player::Bottom)));
    scene.choose(Entry::Undo);
    assert_eq!(scene.page(), Page::Notice(Notice::NothingToUndo));
}

#[test]
fn family_has_neither_undo_nor_previews() {
    let mut scene = Scene::with(playing(Game::Family));
    one_move(&mut scene);
    scene.choose(Entry::Undo);
    assert_eq!(scene.page(), Page::Notice(Notice::TouchMove(Game::Family)));
    scene.tap("B5");
    scene.choose(Entry::Help);
    scene.wait(1_000);
    let view = scene.view();
    assert_eq!(
        (view.message, view.dash, view.counted),
        (Message::Advice(None), None, Places::NONE)
    );
    assert!(matches!(view.lit, Some((Light::Advice, _))));
}

#[test]
fn options_are_ticked_and_survive_power_off() {
    let mut scene = Scene::new();
    scene.choose(Entry::SoundOff);
    assert!(matches!(scene.page(), Page::Menu { checked, .. } if checked.contains(14)));
    scene.choose(Entry::Advanced);
    scene.choose(Entry::ShowThoughts);
    scene.choose(Entry::OnePlayer);
    scene.power_cycle();
    let kept = scene.app.stored.settings;
    assert!(!kept.sound && kept.thoughts);
    assert_eq!((kept.level, kept.players), (Level::Advanced, Players::One));
}

#[test]
fn changing_the_stones_a_cup_asks_only_during_a_game() {
    let mut scene = Scene::with(playing(Game::Wari));
    scene.choose(Entry::ThreeStones);
    assert_eq!(scene.view().stones[0], 3);
    scene.tap("B1");
    scene.tap("B1");
    scene.wait(3_000);
    scene.choose(Entry::FiveStones);
    assert_eq!(scene.page(), Page::Question(Question::Stones(5)));
    scene.tap("B6");
    assert_eq!(scene.view().stones[1], 4);
    scene.choose(Entry::FiveStones);
    scene.tap("B1");
    assert_eq!(scene.view().stones[..7], [5, 5, 5, 5, 5, 5, 0]);
}

#[test]
fn wari_only_entries_explain_themselves_in_other_systems() {
    let mut scene = Scene::new();
    for entry in [Entry::Bidirectional, Entry::ThreeStones] {
        scene.choose(entry);
        assert_eq!(scene.page(), Page::Notice(Notice::NotHere(Game::Board)));
        scene.tap("B5");
    }
}

#[test]
fn changing_the_system_asks_during_a_game() {
    let mut scene = Scene::new();
    scene.choose(Entry::System(Game::Wari));
    assert_eq!(scene.view().style.name, "wari");
    scene.tap("B1");
    scene.tap("B1");
    scene.wait(3_000);
    scene.choose(Entry::System(Game::Board));
    assert_eq!(scene.page(), Page::Question(Question::System(Game::Board)));
    scene.tap("B1");
    assert_eq!(scene.view().style.name, "board");
    scene.power_cycle();
    assert_eq!(scene.view().style.name, "board");
}

#[test]
fn quit_powers_down_and_reset_starts_again() {
    let mut scene = Scene::new();
    one_move(&mut scene);
    scene.choose(Entry::Quit);
    scene.tap("B1");
    assert_eq!((scene.app.view(scene.now), scene.last_line()), (View::Off, "off"));
    scene.tap("B1");
    assert_eq!(scene.app.view(scene.now), View::Off);
    scene.tap("RESET");
    assert_eq!(scene.view().stones[0], 0, "the game goes on");
    assert_eq!(scene.count("boot"), 2);
}

#[test]
fn new_board_asks_shows_the_scores_and_counts_nothing() {
    let mut scene = Scene::with(playing(Game::Wari));
    scene.tap("B1");
    scene.tap("B1");
    scene.wait(3_000);
    scene.choose(Entry::NewBoard);
    assert_eq!(scene.page(), Page::Question(Question::NewBoard { in_progress: true }));
    scene.tap("B1");
    assert_eq!(scene.page(), Page::Scores { game: Game::Wari, totals: [0, 0] });
    scene.tap("B5");
    assert_eq!((scene.view().stones[0], scene.view().turn), (4, Some(Player::Bottom)));
}

#[test]
fn new_board_shows_the_totals_without_the_unfinished_game() {
    let mut scene = Scene::with(playing(Game::Board));
    scene.app.stored.scores.set(Game::Board, [20, 28]);
    scene.tap("B3");
    scene.wait(3_000);
    scene.choose(Entry::ShowScores);
    assert_eq!(scene.page(), Page::Scores { game: Game::Board, totals: [21, 28] });
    scene.tap("B5");
    scene.choose(Entry::NewBoard);
    scene.tap("B1");
    assert_eq!(scene.page(), Page::Scores { game: Game::Board, totals: [20, 28] });
}

#[test]
fn a_log_can_be_written_before_a_new_board() {
    let mut scene = Scene::new();
    one_move(&mut scene);
    scene.choose(Entry::NewBoard);
    scene.tap("B1");
    scene.tap("B1");
    assert!(matches!(scene.page(), Page::Name { kind: FileKind::Log, .. }));
    scene.tap("B5");
    scene.wait(1_000);
    assert!(matches!(scene.page(), Page::Notice(Notice::Saved(FileKind::Log, _))));
    assert!(scene.count("log ") > 1 && scene.count("logged name=LOG1") == 1);
    scene.tap("B5");
    assert_eq!(scene.view().stones[0], 4);
}

#[test]
fn play_is_abandoned_when_both_players_agree() {
    let mut scene = Scene::with(playing(Game::Wari));
    scene.choose(Entry::AbandonPlay);
    assert_eq!(scene.page(), Page::Question(Question::Abandon(Player::Bottom, Agreement::Person)));
    scene.tap("B1");
    assert_eq!(scene.page(), Page::Question(Question::Abandon(Player::Top, Agreement::Person)));
    scene.tap("B6");
    assert_eq!(scene.view().turn, Some(Player::Bottom));
    scene.choose(Entry::AbandonPlay);
    scene.tap("B1");
    scene.tap("B1");
    assert!(scene.last_line().contains("turn=- move=abandon event=game-over,draw"));
    scene.choose(Entry::Undo);
    assert!(scene.last_line().contains("turn=0 move=undo"));
}

#[test]
fn an_unfinished_game_before_quit_decides_nothing() {
    let mut scene = Scene::with(Settings { first: Some(Player::Top), ..playing(Game::Wari) });
    scene.app.stored.settings.first = None;
    assert_eq!(scene.view().turn, Some(Player::Top));
    scene.choose(Entry::Quit);
    scene.tap("B1");
    scene.tap("RESET");
    assert_eq!(scene.view().turn, Some(Player::Bottom));
}

/// Returns the entries that ask in the middle of a game, and begins one.
fn questions(scene: &mut Scene, game: Game) -> [Entry; 6] {
    scene.tap("B1");
    if game == Game::Wari {
        scene.tap("B1");
    }
    scene.wait(3_000);
    let other = if game == Game::Wari { Game::Board } else { Game::Wari };
    [
        Entry::Quit,
        Entry::NewBoard,
        Entry::ResetScores,
        Entry::AbandonPlay,
        Entry::Resign,
        Entry::System(other),
    ]
}

#[test]
fn no_and_reset_return_from_every_question_to_the_game() {
    for game in [Game::Board, Game::Family, Game::Wari, Game::TopBottom] {
        let first = Some(Player::Bottom);
        let mut scene = Scene::with(Settings { first, ..playing(game) });
        for entry in questions(&mut scene, game) {
            for no in ["B6", "RESET"] {
                let before = scene.view().stones;
                scene.choose(entry);
                assert!(matches!(scene.page(), Page::Question(_)), "{entry:?}");
                scene.tap(no);
                assert_eq!(scene.view().stones, before, "{entry:?}, {no}, in {game:?}");
            }
        }
    }
}

#[test]
fn a_player_who_resigns_loses_and_can_undo_it() {
    let mut scene = Scene::with(playing(Game::Wari));
    scene.choose(Entry::EditBoard);
    // A stone of the bottom player's for his store.
    scene.tap("B2");
    scene.tap("RESET");
    scene.tap("B1");
    scene.tap("RESET");
    scene.tap("B5");
    scene.choose(Entry::Resign);
    assert_eq!(scene.page(), Page::Question(Question::Resign(Player::Bottom)));
    scene.tap("B1");
    assert!(scene.last_line().contains("turn=- move=resign event=game-over,winner:1"));
    assert_eq!(scene.view().message, Message::Resigned(Player::Bottom));
    assert_eq!(scene.app.stored.scores.of(Game::Wari), [1, 0]);
    // Only Undo and a new game are left.
    for entry in [Entry::Resign, Entry::AbandonPlay, Entry::EditBoard, Entry::Help] {
        scene.choose(entry);
        assert_eq!(scene.page(), Page::Notice(Notice::GameOver), "{entry:?}");
        scene.tap("B5");
    }
    scene.choose(Entry::Undo);
    assert!(scene.last_line().contains("turn=0 move=undo event=none"));
    assert_eq!(
        scene.app.stored.scores,
        crate::storage::load_scores(&mut scene.chip).expect("scores")
    );
    assert_eq!(scene.app.stored.scores.of(Game::Wari), [0, 0]);
}

#[test]
fn resigning_is_impossible_in_the_demo() {
    let mut scene = Scene::with(Settings { players: Players::Demo, ..playing(Game::Board) });
    scene.choose(Entry::Resign);
    assert_eq!(scene.page(), Page::Notice(Notice::NotInDemo));
}

#[test]
fn reset_scores_shows_the_resulting_totals() {
    let mut scene = Scene::with(playing(Game::Board));
    scene.app.stored.scores.add(Game::Board, [30, 18]);
    let asks = |scene: &mut Scene, after| {
        scene.choose(Entry::ResetScores);
        assert_eq!(scene.page(), Page::Question(Question::ResetScores(after)));
        scene.tap("B6");
        assert_eq!(scene.app.stored.scores.of(scene.app.game.system.game), [30, 18]);
    };
    asks(&mut scene, TotalsAfter::Zero);
    scene.tap("B3");
    scene.wait(3_000);
    asks(&mut scene, TotalsAfter::Game([1, 0]));
    scene.choose(Entry::System(Game::Family));
    scene.tap("B1");
    scene.app.stored.scores.add(Game::Family, [30, 18]);
    scene.wait(3_000);
    asks(&mut scene, TotalsAfter::Zero);
    let button = if scene.view().turn == Some(Player::Bottom) { "B3" } else { "T4" };
    scene.tap(button);
    scene.wait(3_000);
    asks(&mut scene, TotalsAfter::GameUncounted);
    scene.choose(Entry::ShowScores);
    assert_eq!(scene.page(), Page::Scores { game: Game::Family, totals: [30, 18] });
}

#[test]
fn the_loser_begins_after_power_off_unless_the_end_is_undone() {
    let mut scene = Scene::with(playing(Game::Wari));
    crate::storage::save(&mut scene.chip, &playing(Game::Wari)).expect("settings");
    scene.choose(Entry::TwoPlayers);
    one_move(&mut scene);
    scene.tap("B1");
    scene.wait(3_000);
    assert_eq!(scene.view().turn, Some(Player::Top));
    scene.choose(Entry::Resign);
    scene.tap("B1");
    assert_eq!(scene.app.stored.scores.begins, Some(Player::Top));
    scene.choose(Entry::Undo);
    assert_eq!(scene.app.stored.scores.begins, Some(Player::Bottom));
    scene.choose(Entry::Resign);
    scene.tap("B1");
    scene.power_cycle();
    assert_eq!(scene.view().turn, Some(Player::Top), "after power-off");
    // Playing another system in between changes nothing.
    scene.choose(Entry::System(Game::Board));
    assert_eq!(scene.view().turn, Some(Player::Bottom));
    scene.choose(Entry::System(Game::Wari));
    assert_eq!(scene.view().turn, Some(Player::Top), "after a game of another system");
}

/// Holds DOWN in a menu, which moves the cursor at once and repeats. The contact is in doubt since
/// `after`, as seen by the step in which the key would repeat. Returns the selected entry.
fn held_and_in_doubt(after: Micros) -> u8 {
    let mut scene = Scene::new();
    scene.hold_reset();
    scene.wait(1_000);
    let button = Button::all().find(|button| button.name() == "B4").expect("a button");
    let down = {
        let mut levels = Levels::default();
        levels.set_down(button);
        levels
    };
    let mut contacts = Debouncer::new(scene.now, Levels::default());
    contacts.sample(scene.now, down);
    let settled = scene.now.saturating_add(Micros::from_millis(5));
    contacts.sample(settled, down);
    scene.edge("B4", true);
    let again = scene.now.saturating_add(REPEAT_AFTER);
    contacts.sample(scene.now.saturating_add(after), Levels::default());
    scene.app.sample_contacts(&contacts);
    scene.app.step(again, &[], Levels::default(), &mut scene.chip);
    let Page::Menu { cursor, .. } = scene.page() else { panic!("no menu") };
    cursor
}

#[test]
fn a_key_acts_again_unless_its_contact_opened_before() {
    assert_eq!(held_and_in_doubt(Micros(REPEAT_AFTER.0 - 1)), 1);
    assert_eq!(held_and_in_doubt(REPEAT_AFTER), 2);
}

#[test]
fn a_board_that_is_off_sleeps_while_a_button_is_held() {
    let mut scene = Scene::new();
    scene.choose(Entry::Quit);
    scene.tap("B1");
    scene.wait(1_000);
    assert!(scene.app.is_off());
    let button = Button::all().find(|button| button.name() == "B1").expect("a button");
    let edge = Edge { at: scene.now, button, down: true };
    let wake = scene.app.step(scene.now, &[edge], Levels::default(), &mut scene.chip);
    assert_eq!(wake, Wake::OnInput);
}
