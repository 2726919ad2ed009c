//! What each transition does to each field of the app: a field that is not in the table does not
//! compile or fails.
//!
//! Before a transition, play has set the fields to values that a new board does not have. After it,
//! each field is compared with what the table declares.

use std::collections::BTreeMap;
use std::format;
use std::vec::Vec;

use super::super::state::{
    CurrentGame, Display, FileTransfer, GameLog, Opponent, StoredRecords, UserActivity,
};
use super::*;

/// What a transition does to a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Effect {
    /// The field has the same value as before.
    Kept,
    /// The field has the value of a new board.
    Cleared,
    /// The field has another value, which the transition determines.
    Set,
}
use Effect::{Cleared, Kept, Set};

/// The transitions, in the order of the columns of [`TABLE`].
const TRANSITIONS: [&str; 9] = [
    "restart",
    "undo",
    "load",
    "another system",
    "demo",
    "quit and wake",
    "power",
    "restart taken back",
    "demo left",
];

/// Effects on each field. Fields of the LCD's drawing, of the contacts and of the clock are not
/// here: [`fields`] names them.
const TABLE: [(&str, [Effect; 9]); 28] = [
    //                restart  undo     load     system   demo     quit     power    back     left
    ("settings.game", [Kept, Kept, Kept, Set, Kept, Kept, Kept, Kept, Kept]),
    ("settings.players", [Kept, Kept, Kept, Kept, Set, Kept, Kept, Kept, Kept]),
    ("settings.before_demo", [Kept, Kept, Kept, Kept, Set, Kept, Kept, Kept, Kept]),
    ("settings.level", [Kept, Kept, Kept, Kept, Kept, Kept, Kept, Kept, Kept]),
    ("settings.stones", [Kept, Kept, Kept, Kept, Kept, Kept, Kept, Kept, Kept]),
    ("settings.bidirectional", [Kept, Kept, Kept, Kept, Kept, Kept, Kept, Kept, Kept]),
    ("settings.thoughts", [Kept, Kept, Kept, Kept, Kept, Kept, Kept, Kept, Kept]),
    ("settings.sound", [Kept, Kept, Kept, Kept, Kept, Kept, Kept, Kept, Kept]),
    ("settings.introduced", [Kept, Kept, Kept, Kept, Kept, Kept, Kept, Kept, Kept]),
    ("settings.side", [Kept, Kept, Kept, Kept, Kept, Kept, Kept, Kept, Kept]),
    ("settings.sows_at_once", [Kept, Kept, Kept, Kept, Kept, Kept, Kept, Kept, Kept]),
    ("settings.volume", [Kept, Kept, Kept, Kept, Kept, Kept, Kept, Kept, Kept]),
    ("settings.other", [Kept, Kept, Kept, Kept, Kept, Kept, Kept, Kept, Kept]),
    ("scores", [Kept, Kept, Kept, Kept, Kept, Kept, Kept, Kept, Kept]),
    ("game.system", [Kept, Kept, Kept, Set, Kept, Kept, Kept, Kept, Kept]),
    ("game.first", [Kept, Kept, Kept, Cleared, Kept, Kept, Kept, Kept, Kept]),
    (
        "game.override",
        [Cleared, Cleared, Cleared, Cleared, Cleared, Cleared, Cleared, Cleared, Cleared],
    ),
    (
        "game.counted",
        [Cleared, Cleared, Cleared, Cleared, Cleared, Cleared, Cleared, Cleared, Cleared],
    ),
    (
        "game.over_since",
        [Cleared, Cleared, Cleared, Cleared, Cleared, Cleared, Cleared, Cleared, Cleared],
    ),
    ("game.first_turn", [Set, Kept, Kept, Set, Set, Kept, Kept, Set, Set]),
    ("game.suspended", [Set, Kept, Kept, Set, Set, Kept, Kept, Kept, Kept]),
    (
        "game.offers_abandon",
        [Cleared, Cleared, Cleared, Cleared, Cleared, Cleared, Cleared, Cleared, Cleared],
    ),
    ("position", [Set, Set, Kept, Set, Set, Kept, Kept, Kept, Kept]),
    (
        "display.message_until",
        [Cleared, Cleared, Cleared, Cleared, Cleared, Cleared, Cleared, Cleared, Cleared],
    ),
    (
        "display.glow",
        [Cleared, Cleared, Cleared, Cleared, Cleared, Cleared, Cleared, Cleared, Cleared],
    ),
    ("files.named", [Kept, Kept, Kept, Kept, Kept, Kept, Kept, Kept, Kept]),
    (
        "files.transfer",
        [Cleared, Cleared, Cleared, Cleared, Cleared, Cleared, Cleared, Cleared, Cleared],
    ),
    ("user.menu", [Kept, Set, Set, Set, Set, Cleared, Cleared, Set, Set]),
];

type Fields = BTreeMap<&'static str, String>;

/// Returns the fields of the table. A new field of the app must be added here, or to those that
/// are ignored.
fn fields(app: &App<Box<Memory>>) -> Fields {
    let App {
        memory: _,
        stored,
        game,
        display,
        log,
        files,
        buttons: _,
        gate: _,
        user,
        opponent,
        state: _,
        player: _,
    } = app;
    let StoredRecords { settings, scores, records: _, damage: _ } = stored;
    let Settings {
        seed,
        sound,
        first: pinned,
        game: selected,
        stones,
        bidirectional,
        players,
        before_demo,
        level,
        thoughts,
        introduced,
        chance,
        side,
        sows_at_once,
        volume,
    } = settings;
    let CurrentGame {
        system,
        first,
        starting_player_override,
        opened: _,
        counted,
        over_since,
        first_turn,
        suspended,
        offers_abandon,
    } = game;
    let Display { status: _, notice: _, message_until, glow } = display;
    let GameLog { progress: _, name: _, failed: _, waits: _ } = log;
    let FileTransfer { named, name_without_room: _, transfer } = files;
    let UserActivity { waits_since: _, untouched_since: _, menu_known: _, menu } = user;
    let Opponent { thinker: _, chance: _ } = opponent;
    let values = [
        ("settings.game", format!("{selected:?}")),
        ("settings.players", format!("{players:?}")),
        ("settings.before_demo", format!("{before_demo:?}")),
        ("settings.level", format!("{level:?}")),
        ("settings.stones", format!("{stones}")),
        ("settings.bidirectional", format!("{bidirectional}")),
        ("settings.thoughts", format!("{thoughts}")),
        ("settings.sound", format!("{sound}")),
        ("settings.introduced", format!("{introduced}")),
        ("settings.side", format!("{side:?}")),
        ("settings.sows_at_once", format!("{sows_at_once}")),
        ("settings.volume", format!("{volume:?}")),
        ("settings.other", format!("{seed} {pinned:?} {chance:?}")),
        ("scores", format!("{scores:?}")),
        ("game.system", format!("{:?}", system.game)),
        ("game.first", format!("{first:?}")),
        ("game.override", format!("{starting_player_override:?}")),
        ("game.counted", format!("{counted:?}")),
        ("game.over_since", format!("{}", over_since.is_some())),
        ("game.first_turn", format!("{first_turn}")),
        ("game.suspended", format!("{}", suspended.is_some())),
        ("game.offers_abandon", format!("{offers_abandon}")),
        ("position", format!("{:?}", app.position())),
        ("display.message_until", format!("{}", message_until.is_some())),
        ("display.glow", format!("{}", glow.is_some())),
        ("files.named", format!("{named:?}")),
        ("files.transfer", format!("{}", transfer.is_some())),
        ("user.menu", format!("{menu:?}")),
    ];
    values.into_iter().collect()
}

/// A board of `wari` in the middle of a saved game: every option differs from that of a new board.
fn played() -> Scene {
    let mut scene = Scene::with(Settings {
        seed: 7,
        sound: false,
        stones: 5,
        players: Players::One,
        level: crate::game::opponent::Level::Intermediate,
        thoughts: true,
        sows_at_once: true,
        volume: sound::Volume::Soft,
        ..playing(Game::Wari)
    });
    let settings = scene.app.stored.settings;
    crate::storage::save(&mut scene.chip, &settings).expect("it is saved");
    // A finished game, which counts, and whose loser begins the next one.
    scene.choose(Entry::Resign);
    scene.tap("B1");
    scene.tap("RESET");
    scene.app.stored.scores.set(Game::Wari, [31, 12]);
    scene.app.save_scores(scene.now, &mut scene.chip);
    for button in ["B2", "B2"] {
        scene.tap(button);
    }
    scene.wait(9_000);
    // An option that the game did not begin with.
    scene.choose(Entry::Bidirectional);
    scene.tap("RESET");
    scene.choose(Entry::SaveGame);
    scene.tap("B3");
    scene.tap("B5");
    scene.tap("B5");
    scene.wait(500);
    assert!(scene.app.in_progress() && scene.app.files.named.is_some(), "{}", scene.log);
    scene
}

fn go(scene: &mut Scene, transition: &str) {
    match transition {
        "restart" => {
            scene.tap("RESET");
            scene.tap("B1");
        }
        "undo" => scene.choose(Entry::Undo),
        "load" => {
            scene.choose(Entry::LoadGame);
            scene.tap("B5");
            scene.tap("B1");
        }
        "another system" => {
            scene.choose(Entry::System(Game::TopBottom));
            scene.tap("B1");
        }
        "demo" => {
            scene.choose(Entry::DemoMode);
            scene.tap("B1");
        }
        "quit and wake" => {
            scene.choose(Entry::Quit);
            scene.tap("B1");
            scene.tap("RESET");
        }
        "power" => scene.power_cycle(),
        "restart taken back" => {
            scene.tap("RESET");
            scene.tap("B1");
            scene.choose(Entry::Undo);
        }
        "demo left" => {
            scene.choose(Entry::DemoMode);
            scene.tap("B1");
            scene.choose(Entry::OnePlayer);
            scene.tap("B1");
        }
        other => panic!("{other}"),
    }
}

#[test]
fn each_transition_does_to_each_field_what_the_table_declares() {
    let new = fields(&Scene::new().app);
    let mut wrong = Vec::new();
    for (column, transition) in TRANSITIONS.into_iter().enumerate() {
        let mut scene = played();
        let before = fields(&scene.app);
        go(&mut scene, transition);
        let after = fields(&scene.app);
        let names: Vec<&str> = TABLE.iter().map(|(name, _)| *name).collect();
        assert!(after.keys().all(|name| names.contains(name)), "a field without a row");
        for (name, effects) in &TABLE {
            let (was, is) = (&before[name], &after[name]);
            let holds = match effects[column] {
                Kept => is == was,
                Cleared => *is == new[name],
                Set => is != was,
            };
            if !holds {
                wrong.push(format!(
                    "{transition}: {name} is {is}, was {was}: not {:?}",
                    effects[column]
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Random sessions: at any settled moment, power off or Quit changes neither position nor settings,
/// totals and players.
#[test]
fn a_power_cycle_or_quit_at_any_settled_moment_keeps_what_is_stored() {
    for seed in 1..=40 {
        let mut dice = crate::game::random::Random::new(seed);
        let mut below = |limit: u64| (dice.number() % limit) as usize;
        let games = [Game::Board, Game::Family, Game::Wari, Game::TopBottom];
        let players = [Players::One, Players::Two][below(2)];
        let first = Some(Player::Bottom);
        let settings = Settings { first, players, ..playing(games[below(4)]) };
        let mut scene = Scene::with(settings);
        crate::storage::save(&mut scene.chip, &settings).expect("it is saved");
        let entries: Vec<Entry> = Menu::ALL.into_iter().flat_map(Menu::entries).collect();
        let names: Vec<&str> = Button::all().map(Button::name).collect();
        let mut replay = Vec::new();
        for _ in 0..12 {
            for _ in 0..below(8) {
                let name = names[below(names.len() as u64)];
                replay.push(format!("tap {name}"));
                scene.tap(name);
                scene.wait([200, 3_000][below(2)]);
            }
            // Back to the board, as a page does not survive.
            for _ in 0..6 {
                if !scene.app.state.is_board() && !scene.app.is_off() {
                    scene.tap("RESET");
                    if scene.app.state.page().is_some() {
                        scene.tap("B6");
                    }
                }
            }
            if !scene.app.state.is_board() {
                break;
            }
            scene.wait(9_000);
            if !scene.app.state.is_board() {
                continue;
            }
            if below(4) == 0 {
                let entry = entries[below(entries.len() as u64)];
                if entry != Entry::Quit {
                    replay.push(format!("choose {entry:?}"));
                    scene.choose(entry);
                }
                continue;
            }
            let values = |scene: &Scene| {
                let app = &scene.app;
                let in_progress = app.in_progress();
                // A game that has not begun is drawn again: the coin, or the loser, decides.
                let position = in_progress.then(|| app.position());
                let kept = (app.stored.settings, app.stored.scores, app.game.system.game);
                (in_progress, position, kept, app.is_demo())
            };
            let before = values(&scene);
            if below(2) == 0 {
                replay.push("power cycle".into());
                scene.power_cycle();
            } else {
                replay.push("quit and wake".into());
                scene.choose(Entry::Quit);
                scene.tap("B1");
                assert!(scene.app.is_off(), "seed {seed}: {replay:?}");
                scene.tap("RESET");
            }
            assert_eq!(values(&scene), before, "seed {seed}: {}", replay.join(", "));
            scene.wait(100);
        }
    }
}
