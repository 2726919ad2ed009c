//! Generates the traces of whole games: a person against the computer in every system, the computer
//! against itself, and two persons at `wari`.
//!
//! ```text
//! cargo run -p nudge-tests --bin compose
//! cargo run -p simulator --bin nudge -- replay tests/traces/computer --bless
//! ```
//!
//! Generate them again whenever the computer's play changes: a trace contains a person's fixed
//! moves and expects the computer's answers. Each game is that of the first seed that meets the
//! trace's requirements. The reference supplies the expected result of each move; it chooses no
//! moves.

use std::fs;
use std::path::Path;

use firmware_board::native;
use hal_mock::replay::{ReplaySettings, Unjudged, Verdict, replay};
use nudge_tests::dice::Dice;
use nudge_tests::reference::{End, Game, Move, System, Variant};
use nudge_tests::session::{Session, header, machine};
use reading::text::Reader;
use trace::{Action, Button, Line, Trace, When};
use virtual_time::{Instant, Nanos};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/traces");

/// Maximum number of seeds that are tried for a game.
const SEEDS: u64 = 3_000;
/// Maximum number of moves of a game: longer games are hard to review.
const MOVES_MOST: usize = 70;
/// Time limit of an answer. The computer thinks for at most one second per move, and may move
/// several times.
const ANSWER: Nanos = Nanos::from_secs(60);
/// Time after which the coin's message has disappeared.
const COIN: Nanos = Nanos::from_millis(2_500);
/// Time limit of a whole game of the computer against itself.
const DEMO: Nanos = Nanos::from_secs(300);

/// The button of each cup, by the cup's index on the console.
const BUTTONS: [Option<Button>; 14] = [
    Some(Button::B1),
    Some(Button::B2),
    Some(Button::B3),
    Some(Button::B4),
    Some(Button::B5),
    Some(Button::B6),
    None,
    Some(Button::T6),
    Some(Button::T5),
    Some(Button::T4),
    Some(Button::T3),
    Some(Button::T2),
    Some(Button::T1),
    None,
];

struct Plan {
    stem: &'static str,
    about: &'static str,
    /// The header; the seed is added.
    settings: &'static [(&'static str, &'static str)],
    /// Whether the game meets the trace's requirement.
    shows: fn(&[Move]) -> bool,
}

const PLANS: &[Plan] = &[
    Plan {
        stem: "wari/game-1",
        about: "A whole game of two persons; who holds most when Top cannot move wins.",
        settings: &[("game", "wari")],
        shows: |moves| {
            ends(moves, |end| end == End::Winner(0))
                && moves.iter().any(|made| made.stones() >= 12)
                && moves.iter().any(|made| made.caught.len() >= 3)
                && left_over(moves) > 0
        },
    },
    Plan {
        stem: "wari/game-2",
        about: "Three stones a cup, and the direction turns at every capture: a draw.",
        settings: &[("game", "wari"), ("stones", "3"), ("bidirectional", "on")],
        shows: |moves| {
            ends(moves, |end| end == End::Draw)
                && moves.iter().filter(|made| made.clockwise).count() >= 8
                && moves.iter().any(|made| made.clockwise && made.caught.len() >= 2)
        },
    },
    Plan {
        stem: "computer/board",
        about: "A whole game against the computer at its best.",
        settings: &[("game", "board"), ("players", "one"), ("level", "advanced")],
        shows: |moves| ends(moves, |_| true),
    },
    Plan {
        stem: "computer/family",
        about: "A whole game against the computer; Player A wins it against a novice.",
        settings: &[("game", "family"), ("players", "one"), ("level", "novice")],
        shows: |moves| ends(moves, |end| end == End::Winner(0)),
    },
    Plan {
        stem: "computer/wari",
        about: "A whole game against the computer.",
        settings: &[("game", "wari"), ("players", "one"), ("level", "intermediate")],
        shows: |moves| ends(moves, |_| true),
    },
    Plan {
        stem: "computer/top-bottom",
        about: "A whole game against the computer, who begins.",
        settings: &[("game", "top-bottom"), ("players", "one"), ("level", "intermediate")],
        shows: |moves| ends(moves, |_| true) && moves.first().is_some_and(|made| made.player == 1),
    },
    Plan {
        stem: "computer/demo",
        about: "The computer against itself: a game that ends by itself, and the next begins.",
        settings: &[("game", "board"), ("players", "demo"), ("level", "intermediate")],
        shows: |moves| ends(moves, |_| true),
    },
];

fn ends(moves: &[Move], how: fn(End) -> bool) -> bool {
    moves.len() >= 20 && moves.last().and_then(|last| last.end).is_some_and(how)
}

/// Returns the number of stones that count for neither player at the end.
fn left_over(moves: &[Move]) -> u32 {
    moves.last().map_or(0, |last| last.after.iter().sum::<u32>() - last.after[6] - last.after[13])
}

fn main() {
    for plan in PLANS {
        let composed = (1..=SEEDS).find_map(|seed| plan.compose(seed));
        let trace = composed.unwrap_or_else(|| panic!("{}: no seed shows it", plan.stem));
        plan.must_pass(&trace);
        let path = Path::new(FOLDER).join(format!("{}.trace", plan.stem));
        fs::create_dir_all(path.parent().expect("a folder")).expect("the folder can be made");
        fs::write(&path, trace.to_string()).expect("the trace can be written");
        println!("{} lines: {}", trace.lines.len(), path.display());
    }
}

impl Plan {
    fn get(&self, key: &str) -> Option<&'static str> {
        self.settings.iter().find(|(other, _)| *other == key).map(|(_, value)| *value)
    }

    fn variant(&self) -> Variant {
        Variant::of_header(|key| self.get(key))
    }

    /// Returns the trace of the game with that seed, if the game meets the requirement.
    fn compose(&self, seed: u64) -> Option<Trace> {
        if self.get("players").is_none() && !(self.shows)(&play_in_reference(self.variant(), seed))
        {
            return None;
        }
        let mut desk = RecordedGame::new(self, seed);
        if self.get("players") == Some("demo") {
            desk.watch();
        } else {
            desk.play();
        }
        if !(self.shows)(&desk.moves) {
            return None;
        }
        Some(Trace { lines: desk.script.lines, ..self.blank(seed) })
    }

    /// Returns the trace without its lines.
    fn blank(&self, seed: u64) -> Trace {
        let mut trace = Trace::default();
        for (key, value) in self.settings {
            trace.header.extend(header(&[(key, value)]));
        }
        trace.header.extend(header(&[("seed", &seed)]));
        trace.header[0].above = vec![self.about.to_owned()];
        trace
    }

    /// Panics unless the trace passes, before it is written.
    fn must_pass(&self, trace: &Trace) {
        let reader = Reader::new(native::fonts());
        let mut machine = machine(trace);
        let options = ReplaySettings::default();
        let outcome = replay(trace, machine.as_mut(), &reader, &mut Unjudged, &options);
        assert_eq!(outcome.verdict, Verdict::Passed, "{}:\n{trace}", self.stem);
    }
}

/// Plays a game of two persons by that seed in the reference, without a board.
fn play_in_reference(variant: Variant, seed: u64) -> Vec<Move> {
    let mut dice = Dice::new(seed);
    let mut game = Game::new(variant, 0);
    let mut moves = Vec::new();
    while game.turn().is_some() && moves.len() < MOVES_MOST {
        let cup = choose(&game, &mut dice);
        moves.push(game.play(cup).expect("it was chosen among the allowed ones"));
    }
    moves
}

/// Chooses the person's move: usually the one that gains the most stones at once, sometimes a
/// random one.
fn choose(game: &Game, dice: &mut Dice) -> usize {
    let moves = game.moves();
    let any = dice.pick(&moves).expect("a legal move");
    if dice.once_in(4) {
        return any;
    }
    let gain = |cup: usize| {
        let made = game.clone().play(cup).expect("it is allowed");
        let store = if made.player == 0 { 6 } else { 13 };
        made.after[store] - made.before[store]
    };
    moves.into_iter().max_by_key(|&cup| (gain(cup), cup == any)).unwrap_or(any)
}

struct RecordedGame {
    session: Session,
    game: Game,
    dice: Dice,
    moves: Vec<Move>,
    script: Script,
    /// Whether the computer plays for the top player.
    against_computer: bool,
}

impl RecordedGame {
    fn new(plan: &Plan, seed: u64) -> Self {
        let mut session = Session::turned_on(plan.blank(seed).header);
        // The first console line has been written; no move has been made.
        session.wait(Nanos::from_millis(300));
        let opening = session.take_lines().into_iter().find(|line| line.starts_with("position "));
        let opening = opening.expect("a game opens with a line");
        let variant = plan.variant();
        let game = Game::new(variant, usize::from(opening.contains(" turn=1 ")));
        assert_eq!(opening, game.opening_line(), "{}", plan.stem);
        let mut script = Script::default();
        script.add(Nanos::ZERO, Action::PowerOn, "");
        script.lines[0].when = When::At(Instant::START);
        let player = variant.system.player(game.turn().expect("a game begins")).to_owned();
        let text = match variant.system {
            System::Family | System::TopBottom => format!("Coin flip: {player} begins"),
            System::Board | System::Wari if plan.get("players") == Some("demo") => player,
            System::Board | System::Wari => format!("{player}'s turn"),
        };
        script.wait_text(&text, Nanos::from_secs(5));
        let against_computer = plan.get("players") == Some("one");
        Self { session, game, dice: Dice::new(seed), moves: Vec::new(), script, against_computer }
    }

    /// Plays the game to its end, or until it is too long.
    fn play(&mut self) {
        self.session.wait(Nanos::from_millis(300));
        if matches!(self.game.variant().system, System::Family | System::TopBottom) {
            // The coin's message is shown for two seconds, also while the computer thinks.
            self.session.wait(COIN);
            self.answer(COIN);
        }
        while self.game.turn().is_some() && self.moves.len() < MOVES_MOST && !self.is_decided() {
            let cup = choose(&self.game, &mut self.dice);
            let button = BUTTONS[cup].expect("a cup has a button");
            if self.game.variant().system == System::Wari {
                self.session.tap(button);
                let stones = self.game.holes()[cup];
                let tap = Action::Tap { button, hold: None };
                self.script.add(Nanos::from_secs(1), tap, &format!("counts {stones}"));
                self.session.wait(Nanos::from_millis(300));
            }
            self.session.tap(button);
            self.session.wait(Nanos::from_millis(30));
            let heard = self.session.take_lines();
            let line = heard.first().expect("a move has its line").clone();
            let said = self.follow(&line);
            let pause = match self.game.variant().system {
                System::Wari => Nanos::from_millis(500),
                _ => Nanos::from_secs(1),
            };
            self.script.add(pause, Action::Tap { button, hold: None }, &said);
            self.answer(Nanos::ZERO);
        }
        self.script.wait_text("GAME OVER", Nanos::from_secs(10));
        self.script.frame("end", Nanos::from_secs(5));
        self.script.add(Nanos::ZERO, Action::End, "");
    }

    /// Returns whether the board asks to abandon play: then this is not the game to compose.
    fn is_decided(&self) -> bool {
        let stones = self.game.holes();
        let most = stones[6].max(stones[13]);
        self.against_computer
            && self.game.variant().system == System::Wari
            && 2 * most > stones.iter().sum()
    }

    /// Waits until the stones are at rest and the computer has moved, `after` the previous line.
    fn answer(&mut self, after: Nanos) {
        self.session.settle_within(ANSWER);
        let said: Vec<String> =
            self.session.take_lines().iter().map(|line| self.follow(line)).collect();
        let within = if self.against_computer { ANSWER } else { Nanos::from_secs(10) };
        self.script.add(after, Action::Settle { display: None, within }, &said.join("; "));
        if let Some(last) = self.moves.last() {
            self.script.add(Nanos::ZERO, Action::ExpectConsole(last.line.clone()), "");
        }
    }

    /// Waits while the computer plays against itself.
    fn watch(&mut self) {
        while self.game.turn().is_some() {
            self.session.wait(Nanos::from_millis(100));
            for line in self.session.take_lines() {
                self.follow(&line);
            }
        }
        self.script.wait_text("GAME OVER", DEMO);
        for made in &self.moves {
            self.script.add(Nanos::ZERO, Action::ExpectConsole(made.line.clone()), "");
        }
        self.script.frame("end", Nanos::from_secs(2));
        // The next game.
        self.script.wait_text("thinks", Nanos::from_secs(10));
        self.script.add(Nanos::ZERO, Action::End, "");
    }

    /// Plays the console's move in the reference, whose line must be equal; returns a description
    /// of the move.
    fn follow(&mut self, line: &str) -> String {
        let word = line.split(' ').find_map(|word| word.strip_prefix("move="));
        let cup = word.and_then(|cup| cup.parse().ok());
        let cup: usize = cup.unwrap_or_else(|| panic!("no move: {line}"));
        let made = self.game.play(cup).unwrap_or_else(|error| panic!("{error}: {line}"));
        assert_eq!(line, made.line);
        let system = made.variant.system;
        let number = self.moves.len() + 1;
        let mut said = format!("{number}. {} sows {}", system.player(made.player), made.stones());
        if let (1, true, Some(button)) = (made.player, self.against_computer, BUTTONS[cup]) {
            said += &format!(" from {button}");
        }
        if made.is_free_turn() {
            said += " and moves again";
        }
        if !made.caught.is_empty() {
            said += " and captures";
        }
        self.moves.push(made);
        said
    }
}

/// The lines of a trace that is being written.
#[derive(Default)]
struct Script {
    lines: Vec<Line>,
}

impl Script {
    fn add(&mut self, after: Nanos, action: Action, comment: &str) {
        let mut line = Line::new(When::After(after), action);
        line.comment = (!comment.is_empty()).then(|| comment.to_owned());
        self.lines.push(line);
    }

    fn wait_text(&mut self, text: &str, within: Nanos) {
        self.add(
            Nanos::ZERO,
            Action::WaitText { text: text.to_owned(), display: None, within },
            "",
        );
    }

    fn frame(&mut self, name: &str, within: Nanos) {
        self.add(Nanos::ZERO, Action::Settle { display: None, within }, "");
        self.add(Nanos::ZERO, Action::ExpectFrame(name.into()), "");
    }
}
