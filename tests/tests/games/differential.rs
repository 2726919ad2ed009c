//! Compares whole random games on the board with the reference: buttons in, console lines out.
//!
//! The games cover all four systems, and `wari` with three, four and five stones and in both
//! directions. Every move's console line must be equal to the reference's; every press that the
//! rules do not allow must change nothing and report the reason. Some moves are undone, and RESET
//! is pressed in the middle of some games. `NUDGE_SEED` plays only one game.

mod table;

use std::env;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::PathBuf;

use firmware_board::native;
use firmware_core::screen::layout::Table;
use hal_mock::replay::{ReplaySettings, Unjudged, Verdict, replay};
use nudge_tests::dice::Dice;
use nudge_tests::glance::GameReader;
use nudge_tests::menus::{HOLD, Menus, NO, OK, YES};
use nudge_tests::part::Part;
use nudge_tests::rare::{self, CASES};
use nudge_tests::reference::{Game, Move, System, Variant, lines_of};
use nudge_tests::session::{Session, header, machine};
use reading::text::Reader;
use trace::{Button, HeaderEntry, Trace, parse};
use virtual_time::{Instant, Nanos};

use table::{CUPS, ComparedGame};

/// Folder of the recorded traces.
const TRACES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/traces");

/// Number of games in a normal run.
const GAMES: u64 = 375;
/// Number of games in a long run.
const MANY_GAMES: u64 = 2_400;
/// Number of moves in `wari`, whose stones may circle for ever, after which both players agree to
/// abandon play.
const CIRCLING: usize = 100;
/// One player resigns in one of this many games.
const RESIGNED: u64 = 25;
/// Minimum number of moves before a resignation.
const EARLIEST_RESIGNATION: u64 = 12;
/// Maximum number of moves in the other systems: every sown stone comes closer to a store.
const MOVES_MOST: usize = 400;
/// Maximum number of waits of 100 ms without a move: enough for a lap of stones and a second of
/// thinking.
const PATIENCE: usize = 100;
/// Maximum time to answer a NUDGE: debouncing, and a line of 150 characters on the wire.
const ANSWER: Nanos = Nanos::from_millis(25);

/// Texts on the console that must occur in all games together.
const REQUIRED_TEXTS: [&str; 14] = [
    "event=none",
    "event=free-turn ",
    "event=capture:1 ",
    "event=capture:2 ",
    "event=free-turn,sweep:",
    "game-over,winner:0",
    "game-over,draw",
    "move=undo",
    "restored game=",
    "move=abandon",
    "move=resign",
    "reason=empty",
    "reason=not-yours",
    "reason=game-over",
];

/// The variants that the games play in turn; all options of `wari` are covered.
const VARIANTS: [Variant; 15] = [
    Variant::BOARD,
    Variant::BOARD,
    Variant::BOARD,
    Variant::plain(System::Family),
    Variant::plain(System::Family),
    Variant::plain(System::Family),
    Variant::plain(System::TopBottom),
    Variant::plain(System::TopBottom),
    Variant::plain(System::TopBottom),
    wari(3, false),
    wari(4, false),
    wari(5, false),
    wari(3, true),
    wari(4, true),
    wari(5, true),
];

const fn wari(stones: u32, bidirectional: bool) -> Variant {
    Variant { system: System::Wari, stones, bidirectional }
}

/// Returns a number from the environment.
fn number(name: &str) -> Option<u64> {
    let text = env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name}={text} is no whole number")))
}

/// Plays the game of `seed` to its end. A failure prints how to repeat the game and saves it as a
/// trace.
fn play(seed: u64, eye: &GameReader) -> ComparedGame {
    let mut table = ComparedGame::new(seed);
    let played = catch_unwind(AssertUnwindSafe(|| {
        table.play();
        table.finish(eye);
        assert_eq!(table.session.board().violations(), [], "the LCD's datasheet");
    }));
    if let Err(panic) = played {
        let folder = env!("CARGO_TARGET_TMPDIR");
        let path = table.session.save(folder, &format!("differential-{seed}"));
        eprintln!(
            "seed {seed} differs from the reference; play just this game again:\n  \
             NUDGE_SEED={seed} cargo test -p nudge-tests --test games\nor its trace:\n  \
             nudge replay {}",
            path.display()
        );
        resume_unwind(panic);
    }
    table
}

/// Plays this run's part of the games with seeds below `seeds`, and counts rare events. In a part
/// only each single game is judged.
fn play_games(seeds: u64) {
    let eye = GameReader::default();
    if let Some(seed) = number("NUDGE_SEED") {
        play(seed, &eye);
        return;
    }
    let mut seen = vec![[0_u32; System::ALL.len()]; CASES.len()];
    let mut unsaid = REQUIRED_TEXTS.to_vec();
    let mut moves = 0;
    let part = Part::of_this_run();
    for seed in part.pick(0..seeds) {
        let played = play(seed, &eye);
        let system = place_of(played.system());
        for made in &played.moves {
            moves += 1;
            for (case, seen) in CASES.iter().zip(&mut seen) {
                seen[system] += u32::from((case.shows)(made));
            }
        }
        unsaid.retain(|text| !played.said.iter().any(|line| line.contains(text)));
    }
    tell(&seen);
    println!("{part:?} of {seeds} games, {moves} moves");
    if !part.is_whole() {
        return;
    }
    for (case, seen) in CASES.iter().zip(&seen) {
        for system in case.systems {
            assert!(seen[place_of(*system)] > 0, "never seen in {}: {}", system.name(), case.name);
        }
    }
    assert_eq!(unsaid, [""; 0], "never happened, so never compared");
}

/// Prints how often each case occurred in the systems that have it.
fn tell(seen: &[[u32; System::ALL.len()]]) {
    println!("{}", System::ALL.map(|system| format!("{:>11}", system.name())).concat());
    for (case, seen) in CASES.iter().zip(seen) {
        let cells = System::ALL.map(|system| match case.systems.contains(&system) {
            true => format!("{:>11}", seen[place_of(system)]),
            false => format!("{:>11}", "."),
        });
        println!("{}  {}", cells.concat(), case.name);
    }
}

fn place_of(system: System) -> usize {
    System::ALL.iter().position(|other| *other == system).expect("all of them")
}

#[test]
fn random_games_follow_the_reference_move_by_move() {
    play_games(GAMES);
}

/// `cargo test -p nudge-tests --test games -- --ignored --nocapture`
#[test]
#[ignore = "takes minutes"]
fn many_random_games_follow_the_reference_move_by_move() {
    play_games(MANY_GAMES);
}

/// Plays a game with the computer, against a random person if `players` is `one`; returns the
/// number of moves.
fn play_with_the_computer(system: System, players: &str, level: &str, seed: u64) -> usize {
    let settings = [("game", system.name()), ("players", players), ("level", level)]
        .map(|(key, value)| HeaderEntry::new(key, value));
    let mut session = Session::turned_on([&settings[..], &header(&[("seed", &seed)])].concat());
    let mut dice = Dice::new(seed);
    session.wait(Nanos::from_millis(300));
    let opening = session.take_lines().pop().expect("a game opens with a line");
    let first = usize::from(opening.contains(" turn=1 "));
    let mut game = Game::new(Variant::plain(system), first);
    assert_eq!(opening, game.opening_line());
    let (mut moves, mut patience) = (0, 0);
    // A decided game of `wari` is abandoned by two computers, and the board asks a person.
    let decided = |game: &Game| {
        let stones = game.holes();
        system == System::Wari && 2 * stones[6].max(stones[13]) > stones.iter().sum()
    };
    while game.turn().is_some() && moves < CIRCLING && !decided(&game) {
        let choices = game.moves();
        // A tap while stones move ends the movement; in `wari` the first one counts the cup.
        match (players, game.turn(), choices.get(seed as usize % choices.len())) {
            ("one", Some(0), Some(cup)) => {
                let button = CUPS.iter().find(|(_, other)| other == cup).expect("a cup").0;
                session.tap(button);
                session.wait(ANSWER);
            }
            _ => session.wait(Nanos::from_millis(100 + dice.below(100))),
        }
        for line in session.take_lines() {
            let cup = cup_of(&line).unwrap_or_else(|| panic!("no move: {line}"));
            let made = game.play(cup).unwrap_or_else(|error| panic!("{error}: {line}"));
            assert_eq!(line, made.line, "{players}, {level}, seed {seed}");
            (moves, patience) = (moves + 1, 0);
        }
        patience += 1;
        assert!(patience < PATIENCE, "no move for too long");
    }
    moves
}

#[test]
fn games_with_the_computer_follow_the_reference_move_by_move() {
    let mut moves = 0;
    let levels = ["novice", "intermediate", "proficient", "advanced"];
    let games = System::ALL.into_iter().enumerate().flat_map(|(nth, system)| {
        let games = levels.into_iter().zip(nth as u64..);
        games.flat_map(move |game| ["one", "demo"].map(|players| (system, players, game)))
    });
    let part = Part::of_this_run();
    for (system, players, (level, seed)) in part.pick(games) {
        moves += play_with_the_computer(system, players, level, seed);
    }
    assert!(moves > if part.is_whole() { 600 } else { 20 }, "only {moves} moves");
}

/// The last stones are still moving when a button interrupts the demo.
#[test]
fn the_demo_continues_after_an_interruption_at_the_end() {
    let demo = |seed: u64| {
        Session::turned_on(header(&[
            ("game", &"board"),
            ("players", &"demo"),
            ("level", &"novice"),
            ("seed", &seed),
        ]))
    };
    // RESET opens the menu after 1 s; another key opens a question after 0.5 s. Both are pressed
    // while the computer thinks about its last move, and take effect while that move's stones move.
    for (seed, button, before, back) in
        [(1, Button::Reset, 950, Button::Reset), (2, Button::T3, 350, NO), (3, Button::B1, 400, NO)]
    {
        let mut undisturbed = demo(seed);
        while !undisturbed.take_lines().iter().any(|line| line.contains("game-over")) {
            undisturbed.wait(Nanos::from_millis(20));
            assert!(undisturbed.now() < Instant::from_secs(300), "the game does not end");
        }
        let mut session = demo(seed);
        session.wait(undisturbed.now().saturating_sub(Nanos::from_millis(before)).since_start());
        session.hold(&[button], HOLD);
        session.wait(ANSWER);
        assert!(session.take_lines().iter().any(|line| line.contains("game-over")), "seed {seed}");
        session.tap(back);
        session.wait(Nanos::from_secs(10));
        let goes_on = session.take_lines().iter().any(|line| line.contains("move=-"));
        assert!(goes_on, "seed {seed}: the next game does not begin");
    }
}

#[test]
fn the_trace_of_a_random_game_passes_on_a_new_board() {
    for seed in (0..VARIANTS.len() as u64).step_by(2) {
        let played = play(seed, &GameReader::default());
        let text = played.session.trace().to_string();
        let trace = parse("game.trace", &text).expect("it parses");
        let mut machine = machine(&trace);
        let reader = Reader::new(Vec::new());
        let options = ReplaySettings::default();
        let outcome = replay(&trace, machine.as_mut(), &reader, &mut Unjudged, &options);
        assert_eq!(outcome.verdict, Verdict::Passed);
        let (here, there) = (played.session.board(), machine.board());
        assert_eq!(there.console_lines(), here.console_lines());
        assert!(there.frame() == here.frame(), "the last frames of seed {seed} differ");
    }
}

/// Compares the traces of `tests/traces`. A position with another origin (Undo, Edit Board, Load
/// Game) ends the comparison of its game.
#[test]
fn every_game_of_every_trace_follows_the_reference() {
    let mut games = 0;
    let part = Part::of_this_run();
    let traces = runner::find(&[PathBuf::from(TRACES)], None).expect("the folder is there");
    for found in part.pick(traces) {
        let trace = runner::open_trace(&found.path).unwrap_or_else(|error| panic!("{error}"));
        let (lines, rules_stay) = positions(&trace);
        // A trace's flash contains the settings that the header does not name.
        let flash_decides = trace.get("flash").is_some() && trace.get("game").is_none();
        if !rules_stay || flash_decides {
            continue;
        }
        let variant = Variant::of_header(|key| trace.get(key).map(|entry| entry.value.as_str()));
        for game in lines.split(|line| !line.contains(" move=-") && cup_of(line).is_none()) {
            for game in game.chunk_by(|_, line| cup_of(line).is_some()) {
                if !game[0].contains(" move=- ") || !game[0].starts_with(&start_of(variant)) {
                    continue;
                }
                let cups: Vec<usize> = game.iter().filter_map(|line| cup_of(line)).collect();
                let first = usize::from(game[0].contains(" turn=1 "));
                let expected = lines_of(variant, first, &cups);
                assert_eq!(Ok(game.to_vec()), expected, "{}", found.path.display());
                games += 1;
            }
        }
    }
    assert!(games > if part.is_whole() { 40 } else { 4 }, "only {games} games");
}

/// Returns the `position` lines of a trace, and whether its rules stayed those of its header.
fn positions(trace: &Trace) -> (Vec<String>, bool) {
    let mut machine = machine(trace);
    let reader = Reader::new(native::fonts());
    replay(trace, machine.as_mut(), &reader, &mut Unjudged, &ReplaySettings::default());
    let lines = machine.board().console_lines().into_iter().map(|line| line.text);
    let lines: Vec<String> = lines.collect();
    let changes = ["option game=", "option bidirectional=", "loaded name=", "setting ", "factory "];
    let stay = !lines.iter().any(|line| changes.iter().any(|change| line.starts_with(change)));
    (lines.into_iter().filter(|line| line.starts_with("position ")).collect(), stay)
}

/// Returns the beginning of the line that opens a game of `variant`.
fn start_of(variant: Variant) -> String {
    let line = Game::new(variant, 0).opening_line();
    line.split_once(" turn=").expect("every line has it").0.to_owned()
}

/// Returns the message of a `position` line.
fn message_of(line: &str) -> &str {
    let message = line.split_once("message=\"").and_then(|(_, rest)| rest.split_once('"'));
    message.expect("every position has one").0
}

/// Returns the sown cup in the line.
fn cup_of(line: &str) -> Option<usize> {
    line.split(' ').find_map(|word| word.strip_prefix("move="))?.parse().ok()
}
