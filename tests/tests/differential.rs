//! Whole random games through the wire, against the reference: buttons in, console lines out.
//!
//! All four systems, `wari` with three, four and five stones and in both directions. Every
//! move's console line must equal the reference's; every press that the rules do not allow must
//! change nothing and report the reason. Some moves are taken back, and RESET is pressed in the
//! middle of some games. `NUDGE_SEED` plays just one game.

use std::env;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::PathBuf;

use boards::native;
use firmware_core::screen::layout::Table;
use hal_mock::replay::{ReplaySettings, Unjudged, Verdict, replay};
use hal_mock::text::Reader;
use hal_mock::trace::{HeaderEntry, Trace, parse};
use hal_mock::{Button, Instant, Nanos};
use nudge_tests::dice::Dice;
use nudge_tests::glance::Eye;
use nudge_tests::menus::{HOLD, Menus, NO, OK, YES};
use nudge_tests::rare::{self, CASES};
use nudge_tests::reference::{Game, Move, System, Variant, lines, lines_of};
use nudge_tests::session::{Session, header, machine};

/// The recorded traces.
const TRACES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/traces");

/// Games of a normal run.
const GAMES: u64 = 375;
/// Games of a long run.
const MANY_GAMES: u64 = 2_400;
/// After so many moves of `wari`, whose stones may circle for ever, both players agree to
/// abandon play.
const CIRCLING: usize = 100;
/// In each game of so many one player resigns.
const RESIGNED: u64 = 25;
/// After fewer moves no player resigns.
const EARLIEST_RESIGNATION: u64 = 12;
/// Moves that no game of the others reaches: every stone sown comes nearer to a store.
const MOVES_MOST: usize = 400;
/// Waits of 100 ms without a move: enough for a lap of stones and a second of thinking.
const PATIENCE: usize = 100;
/// The longest time to answer a NUDGE: debouncing, and a line of 150 characters on the wire.
const ANSWER: Nanos = Nanos::from_millis(25);

/// What else must have happened in that many games, in the console's words.
const SAID: [&str; 14] = [
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

/// What is played, game by game; all options of `wari` are covered.
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

/// The button beside the cup with this index on the console, and the index beside a button.
const CUPS: [(Button, usize); 12] = [
    (Button::B1, 0),
    (Button::B2, 1),
    (Button::B3, 2),
    (Button::B4, 3),
    (Button::B5, 4),
    (Button::B6, 5),
    (Button::T6, 7),
    (Button::T5, 8),
    (Button::T4, 9),
    (Button::T3, 10),
    (Button::T2, 11),
    (Button::T1, 12),
];

/// A number from the environment.
fn number(name: &str) -> Option<u64> {
    let text = env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name}={text} is no whole number")))
}

/// How a player chooses among the legal moves.
#[derive(Clone, Copy)]
enum Taste {
    /// A random move.
    Any,
    /// The move with the most rare events.
    Seldom,
    /// Never the fullest cup, so that it grows full enough for laps.
    Hoarding,
    /// A move without a capture: long games with stones all over the board.
    Peaceful,
    /// The move that makes the scores most equal, to reach draws.
    Even,
    /// The move that leaves the fewest stones in the cups, to end with both sides bare.
    Emptying,
}

impl Taste {
    const ALL: [Self; 6] =
        [Self::Any, Self::Seldom, Self::Hoarding, Self::Peaceful, Self::Even, Self::Emptying];
}

/// A game in progress, on the board and in the reference.
struct Match {
    dice: Dice,
    taste: Taste,
    session: Session,
    menus: Menus,
    game: Game,
    /// The positions before each move, for Undo.
    past: Vec<Game>,
    /// After so many moves the player to move resigns, if one does. No roll of the dice decides it,
    /// so the other games are what they would be without.
    resigns_after: Option<usize>,
    /// The game that the last restart replaced, for Undo before the first move.
    replaced: Option<(Game, Vec<Game>, String)>,
    /// The message of the last position.
    message: String,
    /// Whether every stone of the last move has come to rest.
    at_rest: bool,
    /// The lines that the board must have said.
    said: Vec<String>,
    /// The moves that were made.
    moves: Vec<Move>,
}

impl Match {
    fn new(seed: u64) -> Self {
        let mut dice = Dice::new(seed);
        let variant = VARIANTS[(seed % VARIANTS.len() as u64) as usize];
        let taste = dice.pick(&Taste::ALL).expect("there are some");
        let bounce = Nanos::from_micros(dice.below(2) * dice.below(4_000));
        let mut settings =
            header(&[("game", &variant.system.name()), ("seed", &seed), ("bounce", &bounce)]);
        if variant.system == System::Wari {
            let direction = if variant.bidirectional { "on" } else { "off" };
            settings.extend(header(&[("stones", &variant.stones), ("bidirectional", &direction)]));
        }
        let mut session = Session::new(settings);
        let opening = session.heard().pop().expect("a game opens with a line");
        // A coin may decide who begins; all else is known.
        let first = usize::from(opening.contains(" turn=1 "));
        let game = Game::new(variant, first);
        assert_eq!(opening, game.opening_line(), "after power-on");
        if matches!(variant.system, System::Board | System::Wari) {
            assert_eq!(first, 0, "who begins the first game");
        }
        Self {
            dice,
            taste,
            session,
            menus: Menus::default(),
            game,
            past: Vec::new(),
            resigns_after: (seed % RESIGNED == RESIGNED - 1)
                .then_some((EARLIEST_RESIGNATION + seed / RESIGNED) as usize),
            replaced: None,
            message: message_of(&opening).to_owned(),
            at_rest: true,
            said: Vec::new(),
            moves: Vec::new(),
        }
    }

    fn system(&self) -> System {
        self.game.variant().system
    }

    /// Plays on until the game is over.
    fn play(&mut self) {
        while self.game.turn().is_some() {
            if self.dice.once_in(4) {
                self.press_in_vain();
            }
            if self.dice.once_in(40) {
                self.undo();
            }
            if self.dice.once_in(120) {
                self.reset_in_the_middle();
            }
            assert!(self.past.len() < MOVES_MOST, "the game does not end");
            if self.resigns_after.is_some_and(|moves| self.past.len() >= moves) {
                self.resign();
                continue;
            }
            if self.system() == System::Wari && self.past.len() > CIRCLING {
                self.abandon();
            } else {
                let cup = self.choose();
                self.sow(cup);
            }
        }
    }

    /// A cup of the player to move.
    fn choose(&mut self) -> usize {
        let moves = self.game.moves();
        let any = self.dice.pick(&moves).expect("a legal move");
        let tried = |cup: usize| self.game.clone().play(cup).expect("it is allowed");
        let best = |worth: &dyn Fn(usize) -> usize| {
            // Among equals the choice is random.
            moves.iter().copied().max_by_key(|&cup| (worth(cup), cup == any))
        };
        let chosen = match self.taste {
            Taste::Any => None,
            Taste::Seldom => best(&|cup| rare::count(&tried(cup))),
            Taste::Hoarding => best(&|cup| match self.game.holes()[cup] {
                stones @ 12..=14 => stones as usize,
                stones => 11_usize.saturating_sub(stones as usize),
            }),
            Taste::Peaceful => best(&|cup| usize::from(tried(cup).caught.is_empty())),
            Taste::Even => best(&|cup| {
                let after = tried(cup).after;
                60_usize.saturating_sub(after[6].abs_diff(after[13]) as usize)
            }),
            Taste::Emptying => best(&|cup| {
                let made = tried(cup);
                (made.after[6] + made.after[13] - made.swept[0] - made.swept[1]) as usize
            }),
        };
        if self.dice.once_in(4) { any } else { chosen.unwrap_or(any) }
    }

    fn sow(&mut self, cup: usize) {
        self.rest();
        self.replaced = None;
        self.past.push(self.game.clone());
        let made = self.game.play(cup).expect("it was chosen among the allowed ones");
        self.press_cup(cup, &made.line);
        self.moves.push(made);
        self.at_rest = false;
    }

    /// Presses a button that the rules do not allow now, if there is one.
    fn press_in_vain(&mut self) {
        let refused: Vec<(Button, usize)> =
            CUPS.into_iter().filter(|(_, cup)| self.game.refusal(*cup).is_some()).collect();
        let Some((button, cup)) = self.dice.pick(&refused) else { return };
        let reason = self.game.refusal(cup).expect("it was chosen so");
        self.rest();
        self.press_cup(cup, &format!("refused button={button} reason={reason}"));
    }

    /// Presses the button of `cup`, in `wari` twice, and compares the console's line with
    /// `expected`.
    fn press_cup(&mut self, cup: usize, expected: &str) {
        let button = CUPS.iter().find(|(_, other)| *other == cup).expect("a cup").0;
        if self.system() == System::Wari {
            if self.dice.once_in(8) {
                self.count_another(button);
            }
            if self.dice.once_in(60) {
                self.count_and_look_into_the_menu(button);
            }
            self.session.tap(button);
            self.session.wait(ANSWER);
            assert_eq!(self.session.heard(), [""; 0], "the first press of {button} only counts");
        }
        self.session.tap(button);
        self.must_answer(expected, &format!("after a press of {button}"));
    }

    /// A press of one button cancels the first press of another.
    fn count_another(&mut self, button: Button) {
        let others = CUPS.map(|(other, _)| other).into_iter().filter(|other| *other != button);
        let other = self.dice.pick(&others.collect::<Vec<_>>()).expect("there are eleven");
        self.session.tap(other);
        self.session.wait(ANSWER);
        assert_eq!(self.session.heard(), [""; 0], "the first press of {other} only counts");
    }

    /// The menu cancels a first press as well: RESET is another button, too.
    fn count_and_look_into_the_menu(&mut self, button: Button) {
        self.session.tap(button);
        self.session.hold(&[Button::Reset], HOLD);
        self.session.wait(ANSWER);
        self.session.tap(Button::Reset);
        self.session.wait(ANSWER);
        assert_eq!(self.session.heard(), [""; 0], "a look into the menu");
    }

    /// Compares the console's lines with `expected`.
    #[track_caller]
    fn must_answer(&mut self, expected: &str, when: &str) {
        self.session.wait(ANSWER);
        self.session.must_have_said(expected);
        self.said.push(expected.to_owned());
        if expected.starts_with("position ") {
            self.message = message_of(expected).to_owned();
        }
        assert_eq!(self.session.heard(), [expected], "{when}");
    }

    /// Brings the stones to rest: by waiting, or by a press that only ends the movement.
    fn rest(&mut self) {
        if self.at_rest {
            return;
        }
        self.at_rest = true;
        if self.dice.once_in(3) {
            self.session.settle();
        } else {
            let (button, _) = self.dice.pick(&CUPS).expect("there are twelve");
            self.session.wait(Nanos::from_millis(self.dice.below(60)));
            self.session.tap(button);
            self.session.wait(ANSWER);
        }
        assert_eq!(self.session.heard(), [""; 0], "stones that move take no press");
    }

    /// Opens the menu and chooses `entry` there.
    fn choose_entry(&mut self, entry: &str) {
        self.session.hold(&[Button::Reset], HOLD);
        for button in self.menus.way_to(entry) {
            self.session.wait(ANSWER);
            self.session.tap(button);
        }
    }

    /// Takes moves back, where that is possible.
    fn undo(&mut self) {
        for _ in 0..=self.dice.below(3) {
            if let Some((game, past, message)) = self.replaced.take() {
                self.choose_entry("Undo");
                (self.game, self.past) = (game, past);
                let line = self.game.undo_line();
                let line = line.replace(message_of(&line), &message);
                self.message = message;
                self.session.wait(ANSWER);
                self.session.must_have_said(&line);
                self.said.push(line.clone());
                let restored = format!("restored game={}", self.system().name());
                self.said.push(restored.clone());
                assert_eq!(self.session.heard(), [restored, line], "after Undo of a restart");
                self.at_rest = true;
                continue;
            }
            if self.system() == System::Family || self.past.is_empty() {
                // The LCD reports it, and OK leads back to the board.
                self.choose_entry("Undo");
                self.session.wait(ANSWER);
                self.session.tap(OK);
                self.session.wait(ANSWER);
                assert_eq!(self.session.heard(), [""; 0], "there is nothing to take back");
                self.at_rest = true;
                return;
            }
            self.choose_entry("Undo");
            self.game = self.past.pop().expect("it is not empty");
            self.must_answer(&self.game.undo_line(), "after Undo");
            self.at_rest = true;
        }
    }

    /// RESET in the middle of a game: a new one, at once or after YES.
    fn reset_in_the_middle(&mut self) {
        let asks = self.system() == System::Wari && !self.past.is_empty();
        self.session.tap(Button::Reset);
        if asks {
            self.session.wait(ANSWER);
            assert_eq!(self.session.heard(), [""; 0], "it asks");
            self.at_rest = true;
            if self.dice.once_in(2) {
                self.session.tap(NO);
                self.session.wait(ANSWER);
                return;
            }
            self.session.tap(YES);
        }
        if !self.past.is_empty() {
            let past = std::mem::take(&mut self.past);
            self.replaced = Some((self.game.clone(), past, self.message.clone()));
        }
        self.begin_anew("after RESET");
        if self.dice.once_in(2) {
            self.undo();
        }
    }

    /// The board sets up the next game.
    fn begin_anew(&mut self, when: &str) {
        self.session.wait(ANSWER);
        let heard = self.session.heard();
        let first = match self.system() {
            System::Family | System::TopBottom => {
                usize::from(heard.iter().any(|line| line.contains(" turn=1 ")))
            }
            System::Board | System::Wari => self.game.next_first(),
        };
        self.game = Game::new(self.game.variant(), first);
        self.past.clear();
        self.at_rest = true;
        let opening = self.game.opening_line();
        self.message = message_of(&opening).to_owned();
        self.session.must_have_said(&opening);
        assert_eq!(heard, [opening], "{when}");
    }

    /// Both players agree to stop.
    fn abandon(&mut self) {
        self.choose_entry("Abandon play");
        for _ in 0..2 {
            self.session.wait(ANSWER);
            self.session.tap(YES);
        }
        let line = self.game.abandon();
        self.past.clear();
        self.must_answer(&line, "after both agreed");
        self.at_rest = true;
    }

    /// The player to move gives the game up.
    fn resign(&mut self) {
        let player = self.game.turn().expect("a game that goes on");
        self.choose_entry("Resign");
        self.session.wait(ANSWER);
        self.session.tap(YES);
        let line = self.game.resign(player);
        self.past.clear();
        self.must_answer(&line, "after a resignation");
        self.at_rest = true;
    }

    /// The finished game, looked at: nothing moves it but RESET, or OK under the totals.
    fn finish(&mut self, eye: &Eye) {
        self.session.settle();
        self.at_rest = true;
        if self.system() == System::Wari {
            self.press_in_vain();
            if self.dice.once_in(2) {
                // The totals come by themselves.
                self.session.wait(Nanos::from_secs(5));
                self.session.tap(OK);
                self.begin_anew("after OK");
                return;
            }
        } else {
            let shown = eye.glance(&self.session.board().frame(), Table::StoresAtTheEnds);
            assert_eq!(shown.digits, self.game.holes().map(Some), "on the LCD at the end");
            self.press_in_vain();
        }
        self.session.tap(Button::Reset);
        self.begin_anew("after RESET");
    }
}

/// Plays the game of `seed` to its end. A failure says how to play it again and
/// leaves it as a trace.
fn play(seed: u64, eye: &Eye) -> Match {
    let mut table = Match::new(seed);
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
             NUDGE_SEED={seed} cargo test -p nudge-tests --test differential\nor its trace:\n  \
             nudge replay {}",
            path.display()
        );
        resume_unwind(panic);
    }
    table
}

/// Plays the games of so many seeds, and counts what is rare in them.
fn play_games(seeds: u64) {
    let eye = Eye::default();
    if let Some(seed) = number("NUDGE_SEED") {
        play(seed, &eye);
        return;
    }
    let mut seen = vec![[0_u32; System::ALL.len()]; CASES.len()];
    let mut unsaid = SAID.to_vec();
    let mut moves = 0;
    for seed in 0..seeds {
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
    println!("{seeds} games, {moves} moves");
    for (case, seen) in CASES.iter().zip(&seen) {
        for system in case.systems {
            assert!(seen[place_of(*system)] > 0, "never seen in {}: {}", system.name(), case.name);
        }
    }
    assert_eq!(unsaid, [""; 0], "never happened, so never compared");
}

/// Says how often each case was seen in the systems that have it.
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
fn random_games_go_move_by_move_as_the_reference_says() {
    play_games(GAMES);
}

/// `cargo test -p nudge-tests --test differential -- --ignored --nocapture`
#[test]
#[ignore = "takes minutes"]
fn many_random_games_go_move_by_move_as_the_reference_says() {
    play_games(MANY_GAMES);
}

/// A game with the computer at the board, and a person who moves at random, if `players` is
/// `one`; how many moves were made.
fn play_with_the_computer(system: System, players: &str, level: &str, seed: u64) -> usize {
    let settings = [("game", system.name()), ("players", players), ("level", level)]
        .map(|(key, value)| HeaderEntry::new(key, value));
    let mut session = Session::turned_on([&settings[..], &header(&[("seed", &seed)])].concat());
    let mut dice = Dice::new(seed);
    session.wait(Nanos::from_millis(300));
    let opening = session.heard().pop().expect("a game opens with a line");
    let first = usize::from(opening.contains(" turn=1 "));
    let mut game = Game::new(Variant::plain(system), first);
    assert_eq!(opening, game.opening_line());
    let (mut moves, mut patience) = (0, 0);
    while game.turn().is_some() && moves < CIRCLING {
        let choices = game.moves();
        // A tap while stones move ends the movement; in `wari` the first one counts.
        match (players, game.turn(), choices.get(seed as usize % choices.len())) {
            ("one", Some(0), Some(cup)) => {
                let button = CUPS.iter().find(|(_, other)| other == cup).expect("a cup").0;
                session.tap(button);
                session.wait(ANSWER);
            }
            _ => session.wait(Nanos::from_millis(100 + dice.below(100))),
        }
        for line in session.heard() {
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
fn games_with_the_computer_go_move_by_move_as_the_reference_says() {
    let mut moves = 0;
    for (nth, system) in System::ALL.into_iter().enumerate() {
        for (level, seed) in ["novice", "intermediate", "advanced"].into_iter().zip(nth as u64..) {
            moves += play_with_the_computer(system, "one", level, seed);
            moves += play_with_the_computer(system, "demo", level, seed);
        }
    }
    assert!(moves > 600, "only {moves} moves");
}

/// The last stones are still moving when a button interrupts the demo.
#[test]
fn the_demo_goes_on_though_it_is_interrupted_at_the_end_of_a_game() {
    let demo = |seed: u64| {
        Session::turned_on(header(&[
            ("game", &"board"),
            ("players", &"demo"),
            ("level", &"novice"),
            ("seed", &seed),
        ]))
    };
    // RESET opens the menu after 1 s; another key opens a question after 0.5 s. Both are pressed
    // while the computer thinks about its last move, and act while that move's stones move.
    for (seed, button, before, back) in
        [(1, Button::Reset, 950, Button::Reset), (2, Button::T3, 350, NO), (3, Button::B1, 400, NO)]
    {
        let mut undisturbed = demo(seed);
        while !undisturbed.heard().iter().any(|line| line.contains("game-over")) {
            undisturbed.wait(Nanos::from_millis(20));
            assert!(undisturbed.now() < Instant::from_secs(300), "the game does not end");
        }
        let mut session = demo(seed);
        session.wait(undisturbed.now().saturating_sub(Nanos::from_millis(before)).since_start());
        session.hold(&[button], HOLD);
        session.wait(ANSWER);
        assert!(session.heard().iter().any(|line| line.contains("game-over")), "seed {seed}");
        session.tap(back);
        session.wait(Nanos::from_secs(10));
        let goes_on = session.heard().iter().any(|line| line.contains("move=-"));
        assert!(goes_on, "seed {seed}: the next game does not begin");
    }
}

#[test]
fn a_game_that_was_played_here_is_a_trace_that_passes_on_a_fresh_board() {
    for seed in (0..VARIANTS.len() as u64).step_by(2) {
        let played = play(seed, &Eye::default());
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

/// The traces of `tests/traces`. A position with another origin (Undo, Edit Board, Load Game) ends
/// the comparison of its game.
#[test]
fn every_game_of_every_trace_goes_as_the_reference_says() {
    let mut games = 0;
    for found in runner::find(&[PathBuf::from(TRACES)], None).expect("the folder is there") {
        let trace = runner::open_trace(&found.path).unwrap_or_else(|error| panic!("{error}"));
        let (lines, rules_stay) = positions(&trace);
        // A flash beside the trace has the settings that the header does not name.
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
    assert!(games > 40, "only {games} games");
}

/// The `position` lines of a trace, and whether its rules stayed those of its header.
fn positions(trace: &Trace) -> (Vec<String>, bool) {
    let mut machine = machine(trace);
    let reader = Reader::new(native::fonts());
    replay(trace, machine.as_mut(), &reader, &mut Unjudged, &ReplaySettings::default());
    let lines = machine.board().console_lines().into_iter().map(|line| line.text);
    let lines: Vec<String> = lines.collect();
    let changes = ["option game=", "option bidirectional=", "loaded name="];
    let stay = !lines.iter().any(|line| changes.iter().any(|change| line.starts_with(change)));
    (lines.into_iter().filter(|line| line.starts_with("position ")).collect(), stay)
}

/// How the line begins that opens a game of `variant`.
fn start_of(variant: Variant) -> String {
    let line = Game::new(variant, 0).opening_line();
    line.split_once(" turn=").expect("every line has it").0.to_owned()
}

/// The message of a `position` line.
fn message_of(line: &str) -> &str {
    let message = line.split_once("message=\"").and_then(|(_, rest)| rest.split_once('"'));
    message.expect("every position has one").0
}

/// The cup that the line says was sown.
fn cup_of(line: &str) -> Option<usize> {
    line.split(' ').find_map(|word| word.strip_prefix("move="))?.parse().ok()
}

/// The stones after `cup` was sown from `holes`, and what its line says happened.
#[track_caller]
fn check(mut game: Game, cup: usize, board: &str, event: &str) {
    let line = game.play(cup).expect("allowed").line;
    let field = |name: &str| {
        let found = line.split(' ').find_map(|word| word.strip_prefix(name));
        found.expect("every line has it").to_owned()
    };
    assert_eq!((field("board=").as_str(), field("event=").as_str()), (board, event));
}

fn at(system: System, holes: [u32; 14], turn: usize) -> Game {
    Game::at(Variant::plain(system), holes, turn)
}

#[test]
fn the_reference_plays_the_source_s_example_of_twelve_stones_with_its_error_mended() {
    // "Assume that a player has 12 stones in cup #3": #3 is index 3, #4 index 2.
    let holes = [1, 1, 1, 12, 1, 1, 0, 1, 1, 1, 1, 1, 1, 9];
    check(at(System::Board, holes, 0), 3, "2,2,2,0,2,2,1,2,2,2,2,2,2,9", "none");
}

#[test]
fn the_reference_plays_the_family_source_s_example_of_eight_stones() {
    // "Player A picks up eight stones from bin #6": the last falls into bin #1.
    let holes = [0, 4, 4, 4, 4, 8, 0, 4, 4, 4, 4, 4, 4, 0];
    let board = "0,4,4,4,4,0,7,5,5,5,5,5,0,0";
    check(at(System::Family, holes, 0), 5, board, "capture:6");
}

#[test]
fn the_reference_captures_after_a_lap_of_thirteen_but_in_top_bottom() {
    let holes = [0, 0, 13, 0, 0, 1, 0, 0, 0, 0, 0, 0, 3, 31];
    // The thirteenth stone falls into its own cup, empty since it was lifted; across lie 0 + 1.
    for system in [System::Board, System::Family] {
        check(at(system, holes, 0), 2, "1,1,0,1,1,2,3,1,1,1,0,1,4,31", "capture:2");
    }
    // "Empty [means] no seeds in it prior to a move."
    check(at(System::TopBottom, holes, 0), 2, "1,1,1,1,1,2,1,1,1,1,1,1,4,31", "none");
}

#[test]
fn the_reference_captures_two_seeds_after_a_lap_of_fourteen_in_top_bottom_alone() {
    let holes = [1, 0, 14, 0, 1, 1, 0, 1, 1, 1, 1, 1, 3, 23];
    check(at(System::Board, holes, 0), 2, "2,1,1,2,2,2,1,2,2,2,2,2,4,23", "none");
    check(at(System::TopBottom, holes, 0), 2, "2,1,1,0,2,2,5,2,2,0,2,2,4,23", "capture:4");
}

#[test]
fn the_reference_ends_a_game_by_a_free_turn_and_keeps_the_event() {
    let holes = [0, 0, 0, 0, 0, 1, 23, 0, 0, 0, 0, 0, 2, 22];
    let event = "free-turn,sweep:2,game-over,draw";
    check(at(System::Board, holes, 0), 5, "0,0,0,0,0,0,24,0,0,0,0,0,0,24", event);
    // The stones left over count for neither player.
    let event = "free-turn,game-over,winner:0";
    check(at(System::TopBottom, holes, 0), 5, "0,0,0,0,0,0,24,0,0,0,0,0,2,22", event);
}

#[test]
fn the_reference_plays_figure_2_of_the_manual() {
    // Cup 5 holds five; 9 becomes a three, 10 a two, 8 a four and breaks the sequence.
    let holes = [1, 1, 1, 1, 5, 1, 0, 2, 3, 2, 1, 1, 1, 0];
    check(at(System::Wari, holes, 0), 4, "1,1,1,1,0,2,5,3,4,0,0,1,1,0", "capture:5");
}

#[test]
fn the_reference_passes_over_the_source_of_a_lap_in_wari() {
    let holes = [12, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    check(at(System::Wari, holes, 0), 0, "0,2,1,1,1,1,0,1,1,1,1,1,1,0", "none");
}

#[test]
fn the_reference_sows_and_captures_the_other_way_round_clockwise() {
    // Cup 2's stones fall into 1, 12 and 11; back against the sowing lies 12.
    let variant = wari(4, true);
    let holes = [1, 3, 0, 0, 0, 1, 0, 1, 1, 1, 1, 2, 1, 0];
    let game = Game::at(variant, holes, 0).clockwise();
    check(game.clone(), 1, "2,0,0,0,0,1,5,1,1,1,1,0,0,0", "capture:5");
    let mut game = game;
    let line = game.play(1).expect("allowed").line;
    assert!(line.ends_with("message=\"Bottom captures\" direction=ccw"), "{line}");
}

#[test]
fn the_reference_refuses_with_the_number_of_the_move() {
    use nudge_tests::reference::Refusal::NotYours;
    assert_eq!(lines(&[0, 1]), Err((1, NotYours)));
    assert_eq!(lines(&[2]).map(|lines| lines.len()), Ok(2));
}
