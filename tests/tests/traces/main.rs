//! Tests the traces of `tests/traces`: each passes, each follows the rules of the source document,
//! each shows the scene of its row in `tests/README.md`, and all can run on every board.
//!
//! The scene of a trace is checked in the board's console lines and tones during the replay, not in
//! the trace's own comments; pixels are compared by goldens.
//!
//! | file | subject |
//! |---|---|
//! | `played` | a replayed trace, and queries on it |
//! | `restored` | what is restored is not the default state |
//! | `scenes_board` | `board`; the differences of `family` and `top-bottom`; the board's parts |
//! | `scenes_conditions` | one condition each: who begins, what is withdrawn |
//! | `scenes_console` | lines that are typed on the console |
//! | `scenes_edit` | Edit Board |
//! | `scenes_expect` | parts of frames, chains of frames, tones, budgets |
//! | `scenes_faults` | faults of the board |
//! | `scenes_files` | saved games, logs, How to play |
//! | `scenes_games` | whole games |
//! | `scenes_menu` | every other entry of the menus |
//! | `scenes_player` | what a player sets and looks up |
//! | `scenes_storage` | the content of the flash, and its damage |
//! | `scenes_transitions` | what a transition resets or retains |
//! | `scenes_wari` | the features of `wari` |

mod played;
mod restored;
mod scenes_board;
mod scenes_conditions;
mod scenes_console;
mod scenes_edit;
mod scenes_expect;
mod scenes_faults;
mod scenes_files;
mod scenes_games;
mod scenes_menu;
mod scenes_player;
mod scenes_reset;
mod scenes_storage;
mod scenes_transitions;
mod scenes_wari;

use std::fs;
use std::path::{Path, PathBuf};

use firmware_board::native;
use firmware_core::systems::SYSTEMS;
use hal_mock::setup::SetupError;
use host::{Exit, heap::HEAP_METER};
use nudge_tests::part::Part;
use nudge_tests::reference;
use played::{Change, ConsoleLine, Played, field};
use reading::text::Reader;
use trace::{Action, Trace, When};
use virtual_time::Nanos;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/traces");
const README: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/README.md");

/// Number of stones on the board: three, four or five in each cup.
const STONES: [u32; 3] = [36, 48, 60];

/// A required scene, the trace that shows it, and the check.
type Scene = (&'static str, &'static str, fn(&Played) -> bool);

/// Returns all scenes, folder by folder.
fn scenes() -> impl Iterator<Item = &'static Scene> {
    [
        scenes_board::SCENES,
        scenes_conditions::SCENES,
        scenes_console::SCENES,
        scenes_edit::SCENES,
        scenes_expect::SCENES,
        scenes_faults::SCENES,
        scenes_games::SCENES,
        scenes_files::SCENES,
        scenes_menu::SCENES,
        scenes_player::SCENES,
        scenes_reset::SCENES,
        scenes_storage::SCENES,
        scenes_transitions::SCENES,
        scenes_wari::SCENES,
    ]
    .into_iter()
    .flatten()
}

/// Judges the traces as the command does. `make test` runs the command on all of them, and a part here.
#[test]
fn every_trace_passes() {
    let traces: Vec<PathBuf> =
        Part::of_this_run().pick(stems()).map(|stem| path_of(&stem)).collect();
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let options =
        runner::ReplayOptions { quiet: true, strict: true, ..runner::ReplayOptions::default() };
    let build = |trace: &Trace| -> Result<_, SetupError> {
        native::build_metered(trace, None, Some(HEAP_METER))
    };
    let reader = Reader::new(native::fonts());
    let exit = runner::run(&traces, &options, &build, &reader, &mut out, &mut err).unwrap();
    let said = [out, err].map(|text| String::from_utf8(text).unwrap()).concat();
    assert_eq!(exit, Exit::Passed, "{said}");
    assert_eq!(said, format!("{} passed, 0 failed\n", traces.len()));
}

#[test]
fn every_scene_has_a_trace_that_shows_it() {
    for (row, stem, shows) in scenes() {
        let played = Played::of(stem);
        assert!(shows(played), "{stem}.trace does not show: {row}");
    }
}

#[test]
fn every_trace_shows_a_scene_and_has_its_row_in_the_readme() {
    let readme = fs::read_to_string(README).unwrap();
    for stem in stems() {
        assert!(scenes().any(|(_, named, _)| *named == stem), "{stem}.trace shows no scene");
        let link = format!("](traces/{stem}.trace)");
        assert!(readme.contains(&link), "tests/README.md has no row for {stem}{link}");
    }
}

/// The folders of the menus and the computer are not named after a system.
#[test]
fn a_folder_named_after_a_system_plays_it() {
    for stem in stems() {
        let folder = stem.split_once('/').map_or("board", |(folder, _)| folder);
        if SYSTEMS.iter().any(|system| system.name == folder) {
            assert!(Played::of(&stem).plays(folder), "{stem}.trace");
        }
    }
}

#[test]
fn every_game_of_every_board_trace_follows_the_source_document() {
    for stem in stems().into_iter().filter(|stem| !stem.contains('/')) {
        for (number, game) in Played::of(&stem).games().into_iter().enumerate() {
            let cups: Vec<usize> =
                game.iter().filter_map(|line| field(line, "move=")?.parse().ok()).collect();
            let expected = reference::lines(&cups).unwrap_or_else(|(number, refusal)| {
                panic!("{stem}.trace: move {number} should be refused: {refusal:?}")
            });
            assert_eq!(game, expected, "{stem}.trace, game {number}");
        }
    }
}

#[test]
fn a_game_resumed_after_power_off_has_the_same_position() {
    let mut resumed = 0;
    for stem in stems() {
        for (_, said) in &Played::of(&stem).said {
            if let ConsoleLine::Change(change) = said
                && change.how == "resume"
                && !is_first(change)
            {
                assert_eq!(change.before, change.to.stones, "{stem}.trace");
                resumed += 1;
            }
        }
    }
    assert!(resumed > 10);
}

/// Returns whether no position came before: the trace's flash has a game in progress.
fn is_first(change: &Change) -> bool {
    change.how == "resume" && change.before.iter().sum::<u32>() == 0
}

#[test]
fn no_stone_is_made_or_lost() {
    for stem in stems() {
        for (_, said) in &Played::of(&stem).said {
            let (before, after) = match said {
                ConsoleLine::Move(said) => (said.before, said.after),
                ConsoleLine::Change(change)
                    if !matches!(change.how.as_str(), "load" | "restored") && !is_first(change) =>
                {
                    (change.before, change.to.stones)
                }
                _ => continue,
            };
            let total: u32 = after.iter().sum();
            assert_eq!(before.iter().sum::<u32>(), total, "{stem}.trace: {before:?} {after:?}");
            assert!(STONES.contains(&total), "{stem}.trace: {after:?}");
        }
    }
}

/// Additional time of a slower board for a phase of a movement.
const DRAWN: Nanos = Nanos::from_millis(40);

/// A slower board needs more time for a screen, and a real one has another clock. So a frame is
/// compared when the screen has settled or, while stones move, well after a line of the console.
#[test]
fn every_trace_can_run_on_slower_boards() {
    for stem in stems() {
        let trace = load(&stem);
        let (mut settled, mut anchored) = (false, false);
        for (number, line) in trace.lines.iter().enumerate() {
            let relative = matches!(line.when, When::After(_));
            assert!(number == 0 || relative, "{stem}.trace:{}: an absolute time", line.place);
            match &line.action {
                Action::Settle { .. } => settled = true,
                Action::WaitConsole { .. } => anchored = true,
                Action::ExpectFrames { settled: false, .. } => {
                    panic!("{stem}.trace:{}: other boards have other frames", line.place)
                }
                Action::ExpectFrame(_) if anchored => {
                    let late = matches!(line.when, When::After(after) if after >= DRAWN);
                    assert!(settled || late, "{stem}.trace:{}: too early", line.place);
                }
                Action::ExpectFrame(_) | Action::ExpectFrames { .. } => {
                    assert!(settled, "{stem}.trace:{}: no `settle` before it", line.place);
                }
                action if is_touch(action) => (settled, anchored) = (false, false),
                _ => {}
            }
        }
        assert_eq!(trace.lines.last().map(|line| &line.action), Some(&Action::End), "{stem}.trace");
    }
}

/// A cup is sown more than once in a game: a wait for its number alone ends with a later move too.
#[test]
fn a_wait_for_a_move_names_the_position_after_it() {
    for stem in stems() {
        for line in load(&stem).lines {
            let Action::WaitConsole { text, .. } = &line.action else { continue };
            let cup = text.split_once("move=").and_then(|(_, cup)| cup.chars().next());
            let names_cup = cup.is_some_and(|cup| cup.is_ascii_digit());
            assert!(!names_cup || text.contains("board="), "{stem}.trace:{}: {text}", line.place);
        }
    }
}

#[test]
fn every_trace_is_unchanged_by_writing_and_parsing() {
    for stem in stems() {
        let trace = load(&stem);
        let written = trace.to_string();
        let again = trace::parse("again.trace", &written).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(again.to_string(), written, "{stem}.trace");
        assert_eq!(again.lines.len(), trace.lines.len(), "{stem}.trace");
    }
}

/// Returns the traces' names relative to the folder, without `.trace`, sorted; those of the systems
/// other than `board` are in separate folders.
fn stems() -> Vec<String> {
    let found = runner::find(&[PathBuf::from(FOLDER)], None).unwrap();
    found
        .into_iter()
        .map(|found| {
            let below = found.path.strip_prefix(FOLDER).unwrap().with_extension("");
            below.to_str().unwrap().replace('\\', "/")
        })
        .collect()
}

fn path_of(stem: &str) -> PathBuf {
    Path::new(FOLDER).join(format!("{stem}.trace"))
}

fn load(stem: &str) -> Trace {
    runner::open_trace(&path_of(stem)).unwrap_or_else(|error| panic!("{error}"))
}

/// Returns whether the action is an input: a button, the console, the power or a fault.
fn is_touch(action: &Action) -> bool {
    matches!(
        action,
        Action::Tap { .. }
            | Action::Press(_)
            | Action::Release(_)
            | Action::Move { .. }
            | Action::Type(_)
            | Action::TypeBytes(_)
            | Action::PowerOn
            | Action::PowerOff
            | Action::Fault(_)
    )
}
