//! What holds for every session that fingers can make of the board.
//!
//! A failure is shrunk by proptest, whose file `proptest-regressions/properties.txt` plays it
//! again on the next run; sessions are also left as a trace, which the message names.

use std::env;

use hal_mock::replay::{Goldens, Options, Outcome, Verdict, replay};
use hal_mock::text::Reader;
use hal_mock::trace::{Action, Line, Trace, When};
use hal_mock::{Button, Frame, Machine, Nanos};
use nudge_tests::dice::Dice;
use nudge_tests::glance::{Eye, Shown};
use nudge_tests::session::{Session, header, machine, save};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;

/// Stones on the board, in cups and stores.
const STONES: u32 = 48;
/// How soon the board must answer the release of RESET.
const RESET_ANSWER: Nanos = Nanos::from_millis(200);
/// The longest bounce that a contact may have: below the 5 ms that a level must hold.
const BOUNCE_MOST_US: u64 = 4_000;
/// A level that is held so long counts, whatever the bounce.
const FIRM: Nanos = Nanos::from_millis(10);
/// RESET held so long acts before it is let go.
const LONG_PRESS: Nanos = Nanos::from_millis(1_000);
/// From power-on until the first line has been said: LCD initialisation, frame, console.
const START: Nanos = Nanos::from_millis(500);
/// After that everything has come to rest, the longest movement and every notice.
const REST: Nanos = Nanos::from_secs(12);
/// Moves that no game reaches.
const MOVES_MOST: usize = 1_000;

const OPENING: &str = "position board=4,4,4,4,4,4,0,4,4,4,4,4,4,0 turn=0 move=- event=none \
                       message=\"Player 1's turn\"";

/// So many cases, or as many as proptest's own `PROPTEST_CASES` asks for.
fn config(cases: u32) -> ProptestConfig {
    let usual = ProptestConfig::default();
    let cases = if env::var_os("PROPTEST_CASES").is_some() { usual.cases } else { cases };
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/proptest-regressions/properties.txt");
    ProptestConfig {
        cases,
        failure_persistence: Some(Box::new(FileFailurePersistence::Direct(file))),
        max_shrink_iters: 400,
        ..usual
    }
}

/// A `position` line of the console.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Position {
    stones: [u32; 14],
    turn: Option<usize>,
    message: String,
}

impl Position {
    /// Reads a line; `None` if it is of another kind.
    fn of(line: &str) -> Option<Self> {
        let rest = line.strip_prefix("position board=")?;
        let (stones, rest) = rest.split_once(" turn=")?;
        let (turn, rest) = rest.split_once(' ')?;
        let (_, message) = rest.split_once("message=\"")?;
        let numbers: Option<Vec<u32>> =
            stones.split(',').map(|number| number.parse().ok()).collect();
        Some(Self {
            stones: numbers?.try_into().ok()?,
            turn: turn.parse().ok(),
            message: message.trim_end_matches('"').to_owned(),
        })
    }
}

/// Whether the LCD says what the console says: digits, drawn stones, whose turn it is.
fn agrees(shown: &Shown, position: &Position) -> Result<(), TestCaseError> {
    prop_assert_eq!(shown.digits, position.stones.map(Some), "digits on the LCD");
    prop_assert_eq!(shown.stones, position.stones, "stones drawn on the LCD");
    prop_assert_eq!(shown.turn, position.turn, "whose turn on the LCD");
    Ok(())
}

/// The buttons of a player's cups in the order of the console's board.
fn row(player: usize) -> [(Button, usize); 6] {
    use Button::{B1, B2, B3, B4, B5, B6, T1, T2, T3, T4, T5, T6};
    match player {
        0 => [(B1, 0), (B2, 1), (B3, 2), (B4, 3), (B5, 4), (B6, 5)],
        _ => [(T6, 7), (T5, 8), (T4, 9), (T3, 10), (T2, 11), (T1, 12)],
    }
}

/// A button that `shown` lets somebody nudge; `None` once the game is over.
fn choose(shown: &Shown, dice: &mut Dice) -> Option<Button> {
    let own = row(shown.turn?).into_iter().filter(|(_, cup)| shown.digits[*cup] > Some(0));
    dice.pick(&own.map(|(button, _)| button).collect::<Vec<_>>())
}

/// Plays a game whole by what the LCD shows, and looks at it after each move; the console's
/// `position` lines and the last frame.
fn play(session: &mut Session, dice: &mut Dice) -> Result<(Vec<String>, Frame), TestCaseError> {
    let eye = Eye::default();
    let mut lines = session.heard();
    loop {
        prop_assert!(lines.len() < MOVES_MOST, "the game does not end");
        let last = lines.iter().rev().find_map(|line| Position::of(line));
        let position = last.expect("a game opens with a position");
        let frame = session.board().frame();
        let shown = eye.glance(&frame);
        agrees(&shown, &position)?;
        prop_assert_eq!(&shown.message, &position.message, "the message on the LCD");
        prop_assert_eq!(position.stones.iter().sum::<u32>(), STONES);
        let Some(button) = choose(&shown, dice) else { return Ok((lines, frame)) };
        session.tap(button);
        session.settle();
        let heard = session.heard();
        prop_assert_eq!(heard.len(), 1, "a move is one line: {:?}", heard);
        lines.extend(heard);
    }
}

/// What fingers, and the plug, do.
#[derive(Clone, Debug)]
enum Deed {
    /// Goes down if it is up, and up if it is down.
    Move(Button),
    /// Down and up again.
    Tap(Button, Nanos),
    /// Several in one moment.
    Chord(Vec<Button>, Nanos),
    /// Power off, and on again after that time.
    PowerCut(Nanos),
}

fn button() -> impl Strategy<Value = Button> {
    (0..Button::COUNT).prop_map(|index| Button::ALL[index])
}

fn micros(range: core::ops::Range<u64>) -> impl Strategy<Value = Nanos> {
    range.prop_map(Nanos::from_micros)
}

/// How long something is held, or until the next: mostly as people are, sometimes not.
fn span() -> impl Strategy<Value = Nanos> {
    prop_oneof![
        1 => Just(Nanos(1)),
        2 => (1..20_000_000u64).prop_map(Nanos),
        6 => micros(20_000..400_000),
        2 => micros(400_000..2_600_000),
    ]
}

fn deed() -> impl Strategy<Value = Deed> {
    prop_oneof![
        3 => button().prop_map(Deed::Move),
        8 => (button(), span()).prop_map(|(button, hold)| Deed::Tap(button, hold)),
        3 => span().prop_map(|hold| Deed::Tap(Button::Reset, hold)),
        2 => (vec(button(), 2..13), span()).prop_map(|(all, hold)| Deed::Chord(all, hold)),
        1 => span().prop_map(Deed::PowerCut),
    ]
}

/// A session: its trace, and what can be said of it beforehand.
#[derive(Debug)]
struct Plan {
    trace: Trace,
    /// Releases of RESET that must restart the game.
    resets: Vec<Nanos>,
    end: Nanos,
}

/// Puts `deeds`, each with the time to the next, into a trace; at its end everybody lets go,
/// the LCD comes to rest (`rest`), and a tap of RESET starts anew (`anew`).
fn plan(seed: u64, bounce: Nanos, deeds: &[(Nanos, Deed)]) -> Plan {
    let mut plan = Planner::new(seed, bounce);
    for (pause, deed) in deeds {
        plan.now += *pause;
        match deed {
            Deed::Move(button) => plan.change(*button),
            Deed::Tap(button, hold) => plan.tap(*button, *hold),
            Deed::Chord(buttons, hold) => {
                buttons.iter().for_each(|button| plan.tap(*button, *hold));
            }
            Deed::PowerCut(time) => plan.cut_power(*time),
        }
    }
    plan.finish()
}

struct Planner {
    now: Nanos,
    lines: Vec<Line>,
    header: Trace,
    /// Until when a button is held; `MAX` if nobody knows yet.
    held: [Nanos; Button::COUNT],
    /// Presses of RESET since the last power-on, with their releases.
    resets: Vec<(Nanos, Nanos)>,
    certain: Vec<Nanos>,
    powered: Nanos,
}

impl Planner {
    fn new(seed: u64, bounce: Nanos) -> Self {
        let mut new = Self {
            now: Nanos::ZERO,
            lines: Vec::new(),
            header: Trace { header: header(seed, bounce), ..Trace::default() },
            held: [Nanos::ZERO; Button::COUNT],
            resets: Vec::new(),
            certain: Vec::new(),
            powered: Nanos::ZERO,
        };
        new.note(Action::PowerOn);
        new
    }

    fn note(&mut self, action: Action) {
        self.lines.push(Line::new(When::At(self.now), action));
    }

    fn change(&mut self, button: Button) {
        match self.held[button.index()] {
            Nanos::MAX => {
                self.note(Action::Release(button));
                self.held[button.index()] = self.now;
                if let (Button::Reset, Some(last)) = (button, self.resets.last_mut()) {
                    last.1 = self.now;
                }
            }
            until if until <= self.now => {
                self.note(Action::Press(button));
                self.held[button.index()] = Nanos::MAX;
                if button == Button::Reset {
                    self.resets.push((self.now, Nanos::MAX));
                }
            }
            _ => {}
        }
    }

    fn tap(&mut self, button: Button, hold: Nanos) {
        if self.held[button.index()] > self.now {
            return;
        }
        self.note(Action::Tap { button, hold: Some(hold) });
        self.held[button.index()] = self.now + hold;
        if button == Button::Reset {
            self.resets.push((self.now, self.now + hold));
        }
    }

    fn cut_power(&mut self, time: Nanos) {
        self.judge_resets(self.now);
        self.note(Action::PowerOff);
        self.now += time;
        self.note(Action::PowerOn);
        self.powered = self.now;
        let held = self.held[Button::Reset.index()];
        if held > self.now {
            // It counts as stuck until it is let go.
            self.resets.push((self.now, held));
        }
    }

    /// Sorts out which presses of RESET the board must have answered by `end`.
    fn judge_resets(&mut self, end: Nanos) {
        for (index, &(press, release)) in self.resets.iter().enumerate() {
            let next = self.resets.get(index + 1).map_or(Nanos::MAX, |next| next.0);
            let held = release - press;
            let before = index
                .checked_sub(1)
                .map_or(self.powered + START, |last| self.resets[last].1 + FIRM);
            if press >= before.max(self.powered + START)
                && (FIRM..LONG_PRESS - FIRM).contains(&held)
                && next >= release + FIRM
                && end >= release + RESET_ANSWER + FIRM
            {
                self.certain.push(release);
            }
        }
        self.resets.clear();
    }

    fn finish(mut self) -> Plan {
        self.now += Nanos::from_millis(1);
        for button in Button::ALL {
            if self.held[button.index()] == Nanos::MAX {
                self.change(button);
            }
        }
        let last = self.held.into_iter().max().unwrap_or_default();
        self.now = self.now.max(last) + REST;
        self.note(Action::Screenshot("rest".into()));
        self.tap(Button::Reset, Nanos::from_millis(80));
        self.now += REST;
        self.note(Action::Screenshot("anew".into()));
        self.note(Action::End);
        self.judge_resets(self.now);
        let trace = Trace { lines: self.lines, ..self.header };
        Plan { trace, resets: self.certain, end: self.now }
    }
}

/// Keeps every screenshot.
#[derive(Default)]
struct Album(Vec<(String, Frame)>);

impl Goldens for Album {
    fn check(&mut self, name: &str, _actual: &Frame) -> Result<(), String> {
        Err(format!("{name}: there are no goldens here"))
    }

    fn screenshot(&mut self, name: &str, frame: &Frame) -> Result<(), String> {
        self.0.push((name.to_owned(), frame.clone()));
        Ok(())
    }
}

/// What a session left behind.
struct Run {
    outcome: Outcome,
    album: Album,
    machine: Box<dyn Machine>,
}

fn run(trace: &Trace) -> Run {
    let mut machine = machine(trace);
    let mut album = Album::default();
    let nobody = Reader::new(Vec::new());
    let outcome = replay(trace, machine.as_mut(), &nobody, &mut album, &Options::default());
    Run { outcome, album, machine }
}

/// Holds a finished session against everything that must be true of it.
fn judge(plan: &Plan, run: &Run) -> Result<(), TestCaseError> {
    prop_assert_eq!(&run.outcome.verdict, &Verdict::Passed);
    let board = run.machine.board();
    prop_assert_eq!(board.violations(), vec![]);
    let lines = board.console_lines();
    let positions: Vec<(Nanos, Position)> =
        lines.iter().filter_map(|line| Some((line.at, Position::of(&line.text)?))).collect();
    for (at, position) in &positions {
        prop_assert_eq!(position.stones.iter().sum::<u32>(), STONES, "at {}", at);
    }
    for &release in &plan.resets {
        let answered = lines.iter().any(|line| {
            line.text == OPENING && line.at > release && line.at <= release + RESET_ANSWER
        });
        prop_assert!(answered, "RESET, let go at {}, is not answered in {}", release, RESET_ANSWER);
    }
    let eye = Eye::default();
    for (name, frame) in &run.album.0 {
        let until = if name == "rest" { plan.end - REST } else { plan.end };
        let (_, position) = positions.iter().rfind(|(at, _)| *at <= until).expect("an opening");
        let shown = eye.glance(frame);
        agrees(&shown, position)?;
        prop_assert_eq!(&shown.message, &position.message, "the message, {}", name);
    }
    prop_assert_eq!(&positions.last().expect("an opening").1, &Position::of(OPENING).unwrap());
    Ok(())
}

/// A trace of a failure, named in it.
fn explained(
    result: Result<(), TestCaseError>,
    trace: &Trace,
    name: &str,
) -> Result<(), TestCaseError> {
    result.map_err(|error| {
        let path = save(trace, env!("CARGO_TARGET_TMPDIR"), name);
        TestCaseError::fail(format!("{error}\nas a trace: nudge replay {}", path.display()))
    })
}

fn sessions() -> impl Strategy<Value = (u64, Nanos, Vec<(Nanos, Deed)>)> {
    let bounce = prop_oneof![1 => Just(Nanos::ZERO), 2 => micros(1..BOUNCE_MOST_US + 1)];
    (any::<u64>(), bounce, vec((span(), deed()), 0..60))
}

proptest! {
    #![proptest_config(config(60))]

    #[test]
    fn after_every_move_of_a_game_the_lcd_shows_the_position(seed: u64) {
        let mut session = Session::new(seed, Nanos::ZERO);
        let result = play(&mut session, &mut Dice::new(seed)).map(drop);
        explained(result, session.trace(), "a-game")?;
        prop_assert_eq!(session.board().violations(), vec![]);
    }

    #[test]
    fn bounce_changes_nothing_in_a_game(seed: u64, bounce in 1..BOUNCE_MOST_US + 1) {
        let game = |bounce| play(&mut Session::new(seed, bounce), &mut Dice::new(seed));
        let (firm, bouncing) = (game(Nanos::ZERO)?, game(Nanos::from_micros(bounce))?);
        prop_assert_eq!(firm.0, bouncing.0);
        prop_assert!(firm.1 == bouncing.1, "the last frames differ");
    }

    #[test]
    fn power_that_goes_at_any_moment_comes_back_to_a_clean_start(
        seed: u64,
        moves in 0..6usize,
        run_on in span(),
        dark_for in span(),
    ) {
        let mut dice = Dice::new(seed);
        let mut session = Session::new(seed, Nanos::ZERO);
        let first = session.board().frame();
        for _ in 0..moves {
            session.tap(dice.pick(&Button::ALL).expect("there are thirteen"));
        }
        session.wait(run_on);
        session.power_off();
        let size = (first.width(), first.height());
        prop_assert!(session.board().frame() == Frame::filled(size.0, size.1, 0), "dark");
        session.wait(dark_for);
        session.heard();
        session.power_on();
        session.settle();
        let heard = session.heard();
        prop_assert_eq!(heard.len(), 2, "{:?}", heard);
        // A line that the power cut in two stands before it, as on any wire.
        prop_assert!(heard[0].contains("boot nudge="), "{:?}", heard);
        prop_assert_eq!(&heard[1], OPENING);
        prop_assert!(session.board().frame() == first, "not the first frame");
        prop_assert_eq!(session.board().violations(), vec![]);
    }
}

proptest! {
    #![proptest_config(config(120))]

    #[test]
    fn whatever_is_pressed_the_board_keeps_its_rules((seed, bounce, deeds) in sessions()) {
        let plan = plan(seed, bounce, &deeds);
        let run = run(&plan.trace);
        explained(judge(&plan, &run), &plan.trace, "any-session")?;
    }

    #[test]
    fn two_runs_of_a_session_are_equal_to_the_last_pixel_nanosecond_and_byte(
        (seed, bounce, deeds) in sessions(),
    ) {
        let mut plan = plan(seed, bounce, &deeds);
        // Looks at the LCD behind everything that is done.
        let looks = plan.trace.lines.iter().flat_map(|line| {
            let look = Line::new(line.when, Action::Screenshot("look".into()));
            if line.action == Action::End { vec![line.clone()] } else { vec![line.clone(), look] }
        });
        plan.trace.lines = looks.collect();
        let (one, two) = (run(&plan.trace), run(&plan.trace));
        prop_assert_eq!(&one.outcome, &two.outcome);
        let (left, right) = (one.machine.board(), two.machine.board());
        prop_assert_eq!(left.now(), right.now());
        prop_assert_eq!(left.bus(), right.bus());
        prop_assert_eq!(left.tones(), right.tones());
        prop_assert_eq!(left.console_lines(), right.console_lines());
        prop_assert_eq!(left.console_bytes(), right.console_bytes());
        prop_assert_eq!(left.last_change(), right.last_change());
        prop_assert!(one.album.0 == two.album.0, "the frames differ");
    }
}

#[test]
fn a_session_is_a_trace_that_can_be_read_back() {
    let deeds = [
        (START, Deed::Tap(Button::B3, FIRM)),
        (FIRM, Deed::Chord(vec![Button::T1, Button::Reset], FIRM)),
        (FIRM, Deed::Move(Button::B6)),
        (FIRM, Deed::PowerCut(FIRM)),
    ];
    let plan = plan(7, Nanos::from_micros(3_500), &deeds);
    let text = plan.trace.to_string();
    let read = hal_mock::trace::parse("any-session.trace", &text).expect("it parses");
    assert_eq!(read.to_string(), text);
}
