//! Properties of every session of button presses and power cuts, in each of the systems: on the
//! board, in the menus, and while the computer thinks.
//!
//! proptest shrinks a failure and replays it from `proptest-regressions/properties.txt` on the next
//! run. The session is also written as a trace, which the message names.

mod inputs;
mod plan;

use std::env;

use firmware_core::screen::layout::Table;
use hal_mock::{
    Call, Machine, MachineWrapper,
    replay::{Goldens, ReplayOutcome, ReplaySettings, Verdict, replay},
};
use ili9341_model::Frame;
use nudge_tests::dice::Dice;
use nudge_tests::glance::{GameReader, Shown};
use nudge_tests::menus::{HOLD, OK, YES};
use nudge_tests::part::Part;
use nudge_tests::reference::{Game, System, Variant};
use nudge_tests::session::{Session, header, machine, save};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{FileFailurePersistence, TestRunner};
use reading::{golden::GoldenError, text::Reader};
use trace::{Action, Button, FrameCheck, HeaderEntry, Line, Trace, When};
use virtual_time::{Instant, Nanos};

use inputs::{Input, any_input, input, micros, span};
use plan::{Plan, plan};

/// Maximum time to answer the release of RESET.
const RESET_ANSWER: Nanos = Nanos::from_millis(200);
/// Number of buttons except RESET, which is the last.
const NUDGES: usize = Button::LCD_BOARD.len() - 1;
/// Maximum bounce of a contact in µs: below the 5 ms for which a level must be stable.
const BOUNCE_MOST_US: u64 = 4_000;
/// Hold time after which a level is detected in spite of bounce.
const FIRM: Nanos = Nanos::from_millis(10);
/// Time after a press in which the LCD is complete again.
const CALM: Nanos = Nanos::from_millis(300);
/// A NUDGE that goes down this long before RESET is no part of a chord.
const CHORD: Nanos = Nanos::from_millis(100);
/// Distance of two presses of soft keys, and the hold time of each.
const KEY_TIME: Nanos = Nanos::from_millis(160);
const KEY_HOLD: Nanos = Nanos::from_millis(80);
/// Time for which a level must be stable to count.
const DEBOUNCE: Nanos = Nanos::from_millis(5);
/// Resolution of the firmware's clock.
const TICK: Nanos = Nanos::from_micros(1);
/// Hold time of RESET that acts before its release.
const LONG_PRESS: Nanos = Nanos::from_millis(1_000);
/// Maximum time for which a temporary message is shown, for example the coin's.
const NOTICE: Nanos = Nanos::from_millis(2_200);
/// Time from power-on to the first line: LCD initialisation, frame, console.
const START: Nanos = Nanos::from_millis(500);
/// Time after which everything is at rest: the longest movement and every notice.
const REST: Nanos = Nanos::from_secs(12);
/// Maximum number of stones in a cup that can be counted: more are in a third layer.
const COUNTABLE: u32 = 24;
/// Maximum number of checked moves in a game; `wari` may never end.
const MOVES_MOST: usize = 120;

/// Returns the configuration with the number of cases of a whole run, unless `PROPTEST_CASES` sets
/// it.
fn config(cases: u32) -> ProptestConfig {
    let usual = ProptestConfig::default();
    let set = env::var_os("PROPTEST_CASES").is_some();
    let cases = if set { usual.cases } else { Part::of_this_run().share(cases) };
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
    /// Parses a line; `None` if it is of another kind.
    fn of(line: &str) -> Option<Self> {
        let rest = line.strip_prefix("position board=")?;
        let (stones, rest) = rest.split_once(" turn=")?;
        let (turn, rest) = rest.split_once(' ')?;
        let (_, rest) = rest.split_once("message=\"")?;
        let (message, _) = rest.split_once('"')?;
        let numbers: Option<Vec<u32>> =
            stones.split(',').map(|number| number.parse().ok()).collect();
        Some(Self {
            stones: numbers?.try_into().ok()?,
            turn: turn.parse().ok(),
            message: message.to_owned(),
        })
    }
}

/// The game that is played, and its players.
#[derive(Clone, Debug)]
struct Setting {
    variant: Variant,
    seed: u64,
    bounce: Nanos,
    /// Further entries of the header.
    more: Vec<(&'static str, &'static str)>,
}

impl Setting {
    fn header(&self) -> Vec<HeaderEntry> {
        let Self { variant, seed, bounce, more } = self;
        let mut all =
            header(&[("game", &variant.system.name()), ("seed", seed), ("bounce", bounce)]);
        if variant.system == System::Wari {
            let direction = if variant.bidirectional { "on" } else { "off" };
            all.extend(header(&[("stones", &variant.stones), ("bidirectional", &direction)]));
        }
        all.extend(more.iter().flat_map(|(key, value)| header(&[(key, value)])));
        all
    }

    fn with_bounce(&self, bounce: Nanos) -> Self {
        Self { bounce, ..self.clone() }
    }

    /// Returns the number of stones on the board, in cups and stores.
    fn stones(&self) -> u32 {
        12 * self.variant.stones
    }

    fn table(&self) -> Table {
        match self.variant.system {
            System::Wari => Table::StoresInTheMiddle,
            _ => Table::StoresAtTheEnds,
        }
    }

    /// Returns the lines that may open a game: a coin may decide who begins.
    fn openings(&self) -> [String; 2] {
        [0, 1].map(|first| Game::new(self.variant, first).opening_line())
    }

    /// Checks that the LCD, with no stone moving and no cup counted, agrees with the console:
    /// digits, drawn stones, and whose turn it is.
    fn agrees(&self, shown: &Shown, position: &Position) -> Result<(), TestCaseError> {
        for (place, stones) in position.stones.into_iter().enumerate() {
            let counted = match self.variant.system {
                System::Board | System::TopBottom => true,
                System::Family => position.turn.is_none(),
                System::Wari => place % 7 == 6,
            };
            let digits = counted.then_some(stones);
            prop_assert_eq!(shown.digits[place], digits, "digits on the LCD, place {}", place);
        }
        for (place, stones) in position.stones.into_iter().enumerate() {
            let most = if place % 7 == 6 { u32::MAX } else { COUNTABLE };
            let (seen, lie) = (shown.stones[place].min(most), stones.min(most));
            prop_assert_eq!(seen, lie, "stones drawn on the LCD, place {}", place);
        }
        prop_assert_eq!(shown.turn, position.turn, "whose turn on the LCD");
        Ok(())
    }
}

fn variant() -> impl Strategy<Value = Variant> {
    let wari = (3..6_u32, any::<bool>()).prop_map(|(stones, bidirectional)| Variant {
        system: System::Wari,
        stones,
        bidirectional,
    });
    prop_oneof![
        Just(Variant::BOARD),
        Just(Variant::plain(System::Family)),
        Just(Variant::plain(System::TopBottom)),
        wari,
    ]
}

/// Generates settings of two persons, with and without contact bounce.
fn setting() -> impl Strategy<Value = Setting> {
    let bounce = prop_oneof![1 => Just(Nanos::ZERO), 2 => micros(1..BOUNCE_MOST_US + 1)];
    (variant(), any::<u64>(), bounce).prop_map(|(variant, seed, bounce)| Setting {
        variant,
        seed,
        bounce,
        more: Vec::new(),
    })
}

/// Generates settings with the computer in about half of them.
fn any_setting() -> impl Strategy<Value = Setting> {
    let players = prop_oneof![Just("two"), Just("one"), Just("demo")];
    let level =
        prop_oneof![Just("novice"), Just("intermediate"), Just("proficient"), Just("advanced")];
    (setting(), players, level).prop_map(|(mut setting, players, level)| {
        setting.more = vec![("players", players), ("level", level)];
        setting
    })
}

/// Returns the buttons of a player's cups in the order of the console's board.
fn row(player: usize) -> [(Button, usize); 6] {
    let cups = |at: usize| match player {
        0 => (Button::LCD_BOARD[at], at),
        _ => (Button::LCD_BOARD[11 - at], 7 + at),
    };
    core::array::from_fn(cups)
}

/// Returns a button that the player to move may press; `None` once the game is over.
fn choose(position: &Position, dice: &mut Dice) -> Option<Button> {
    let own = row(position.turn?).into_iter().filter(|(_, cup)| position.stones[*cup] > 0);
    dice.pick(&own.map(|(button, _)| button).collect::<Vec<_>>())
}

/// Plays a whole game, and checks the LCD after each move; returns the console's `position` lines
/// and the last frame.
fn play(
    setting: &Setting,
    session: &mut Session,
    dice: &mut Dice,
) -> Result<(Vec<String>, Frame), TestCaseError> {
    let eye = GameReader::default();
    let mut lines = session.take_lines();
    session.wait(NOTICE);
    loop {
        let last = lines.iter().rev().find_map(|line| Position::of(line));
        let position = last.expect("a game opens with a position");
        let frame = session.board().frame();
        let shown = eye.glance(&frame, setting.table());
        setting.agrees(&shown, &position)?;
        prop_assert_eq!(&shown.message, &position.message, "the message on the LCD");
        prop_assert_eq!(position.stones.iter().sum::<u32>(), setting.stones());
        if lines.len() > MOVES_MOST {
            return Ok((lines, frame));
        }
        let Some(button) = choose(&position, dice) else { return Ok((lines, frame)) };
        if setting.variant.system == System::Wari {
            session.tap(button);
            session.settle();
            let shown = eye.glance(&session.board().frame(), setting.table());
            let cup = row(position.turn.unwrap_or(0)).into_iter().find(|cup| cup.0 == button);
            let counted = cup.map(|(_, cup)| (shown.digits[cup], Some(position.stones[cup])));
            prop_assert!(counted.is_some_and(|(shown, lie)| shown == lie), "{:?}", counted);
        }
        session.tap(button);
        session.settle();
        let heard = session.take_lines();
        prop_assert_eq!(heard.len(), 1, "a move is one line: {:?}", heard);
        lines.extend(heard);
    }
}

/// An observer that stores every screenshot.
#[derive(Default)]
struct Album(Vec<(String, Frame)>);

impl Goldens for Album {
    fn check(&mut self, expected: &FrameCheck, _actual: &Frame) -> Result<(), GoldenError> {
        Err(format!("{expected}: there are no goldens here").into())
    }

    fn screenshot(&mut self, name: &str, frame: &Frame) -> Result<(), GoldenError> {
        self.0.push((name.to_owned(), frame.clone()));
        Ok(())
    }
}

/// A machine that records the times of visible changes.
struct Watched {
    machine: Box<dyn Machine>,
    changes: Vec<Instant>,
}

impl MachineWrapper for Watched {
    fn inner(&self) -> &dyn Machine {
        self.machine.as_ref()
    }

    fn inner_mut(&mut self) -> &mut dyn Machine {
        self.machine.as_mut()
    }

    fn after(&mut self, call: Call, succeeded: bool) {
        let change = self.machine.board().last_change();
        if call == Call::Step && succeeded && self.changes.last() != Some(&change) {
            self.changes.push(change);
        }
    }
}

/// The results of a session.
struct Run {
    outcome: ReplayOutcome,
    album: Album,
    machine: Watched,
}

fn run(trace: &Trace) -> Run {
    let mut machine = Watched { machine: machine(trace), changes: Vec::new() };
    let mut album = Album::default();
    let reader = Reader::new(Vec::new());
    let outcome = replay(trace, &mut machine, &reader, &mut album, &ReplaySettings::default());
    Run { outcome, album, machine }
}

impl Run {
    /// Returns the positions on the console, with their times.
    fn positions(&self) -> Vec<(Instant, Position)> {
        let lines = self.machine.board().console_lines();
        lines.iter().filter_map(|line| Some((line.at, Position::of(&line.text)?))).collect()
    }
}

/// Maximum number of sessions that together must reach each part.
const SESSIONS_MOST: usize = 1_200;

/// Console lines that show which part a session reached.
const REACHED: [&str; 14] = [
    "option game=",
    "option stones=",
    "option players=one",
    "option players=two",
    "option players=demo",
    "option level=",
    "move=undo",
    "restored game=",
    "move=edit",
    "move=resign",
    "saved name=",
    "log text=",
    "logged name=",
    "off",
];

/// Those that only one session in about a hundred reaches.
const RARELY_REACHED: [&str; 4] =
    ["option bidirectional=", "move=abandon", "loaded name=", "deleted "];

/// Words with which a line of the console may begin.
const WORDS: [&str; 13] = [
    "boot", "storage", "stuck", "position", "refused", "option", "saved", "loaded", "restored",
    "log", "logged", "deleted", "off",
];

/// Checks every session: no error, no lost stone, only known console lines, and an answer to a
/// short RESET, at least another page.
fn judge(plan: &Plan, run: &Run) -> Result<(), TestCaseError> {
    prop_assert_eq!(&run.outcome.verdict, &Verdict::Passed);
    let board = run.machine.board();
    prop_assert_eq!(board.violations(), vec![]);
    let lines = board.console_lines();
    let (mut stones, mut restored) = (0, false);
    for line in &lines {
        let word = line.text.split(' ').next().unwrap_or_default();
        // A power cut may have truncated a line.
        prop_assert!(WORDS.contains(&word) || line.text.contains("boot nudge="), "{:?}", line);
        restored |= word == "restored";
        let Some(position) = Position::of(&line.text) else { continue };
        let sum = position.stones.iter().sum::<u32>();
        // The line is of another system, another number of stones, or a loaded or resumed game.
        let other = [" move=- ", " move=load ", " move=resume "];
        let other = other.iter().any(|how| line.text.contains(how));
        if std::mem::take(&mut restored) || other {
            stones = sum;
            prop_assert!([36, 48, 60].contains(&sum), "{:?}", line);
        }
        prop_assert_eq!(sum, stones, "at {}: {}", line.at, &line.text);
    }
    for &release in &plan.resets {
        let in_time = |at: &Instant| (release..=release.saturating_add(RESET_ANSWER)).contains(at);
        let answered =
            lines.iter().any(|line| in_time(&line.at)) || run.machine.changes.iter().any(in_time);
        prop_assert!(answered, "RESET, up at {}, is not answered in {}", release, RESET_ANSWER);
    }
    Ok(())
}

/// Checks a session on the board of two persons who do not open the menus.
fn judge_the_board(plan: &Plan, run: &Run) -> Result<(), TestCaseError> {
    let (setting, positions) = (&plan.setting, run.positions());
    let openings = setting.openings();
    for (at, position) in &positions {
        prop_assert_eq!(position.stones.iter().sum::<u32>(), setting.stones(), "at {}", at);
    }
    let eye = GameReader::default();
    for (name, frame) in &run.album.0 {
        // In `wari` a question or the totals may be shown at rest.
        let on_a_page = name == "rest" && setting.variant.system == System::Wari;
        if on_a_page {
            continue;
        }
        let until = if name == "rest" { plan.rest } else { plan.end };
        let (_, position) = positions.iter().rfind(|(at, _)| *at <= until).expect("an opening");
        let shown = eye.glance(frame, setting.table());
        setting.agrees(&shown, position)?;
        let message = shown.message.strip_prefix("Game goes on: ").unwrap_or(&shown.message);
        prop_assert_eq!(message, &position.message, "the message, {}", name);
    }
    let last = &positions.last().expect("an opening").1;
    let opens = openings.iter().any(|line| Position::of(line).as_ref() == Some(last));
    let before = positions.len().checked_sub(2).map(|before| &positions[before].1);
    let lines = run.machine.board().console_lines();
    let line = lines.iter().rfind(|line| line.text.starts_with("position "));
    let resumes = line.is_some_and(|line| line.text.contains(" move=resume "))
        && before.is_some_and(|before| before.stones == last.stones);
    prop_assert!(
        opens || resumes,
        "a board that is turned on opens a game, or goes on: {:?}",
        last
    );
    Ok(())
}

/// Saves the trace of a failure, and names it in the message.
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

/// Generates sessions on the board only.
fn sessions() -> impl Strategy<Value = (Setting, Vec<(Nanos, Input)>)> {
    (setting(), vec((span(), input()), 0..60))
}

/// Generates sessions with any input.
fn any_sessions() -> impl Strategy<Value = (Setting, Vec<(Nanos, Input)>)> {
    (any_setting(), vec((span(), any_input()), 0..60))
}

proptest! {
    #![proptest_config(config(60))]

    #[test]
    fn after_every_move_of_a_game_the_lcd_shows_the_position(setting in setting()) {
        let mut session = Session::new(setting.header());
        let result = play(&setting, &mut session, &mut Dice::new(setting.seed)).map(drop);
        explained(result, session.trace(), "a-game")?;
        prop_assert_eq!(session.board().violations(), vec![]);
    }

    #[test]
    fn bounce_changes_nothing_in_a_game(
        setting in setting(),
        bounce in 1..BOUNCE_MOST_US + 1,
    ) {
        let game = |bounce| {
            let setting = setting.with_bounce(bounce);
            play(&setting, &mut Session::new(setting.header()), &mut Dice::new(setting.seed))
        };
        let (firm, bouncing) = (game(Nanos::ZERO)?, game(Nanos::from_micros(bounce))?);
        prop_assert_eq!(firm.0, bouncing.0);
        prop_assert!(firm.1 == bouncing.1, "the last frames differ");
    }

    #[test]
    fn a_power_cut_at_any_time_restores_the_game_or_starts_clean(
        setting in setting(),
        moves in 0..6usize,
        run_on in span(),
        dark_for in span(),
    ) {
        let mut dice = Dice::new(setting.seed);
        let mut session = Session::new(setting.header());
        let first = session.board().frame();
        let opening = session.board().console_lines().pop().expect("a game is open").text;
        for _ in 0..moves {
            session.tap(dice.pick(&Button::LCD_BOARD).expect("there are thirteen"));
        }
        session.wait(run_on);
        session.power_off();
        let size = (first.width(), first.height());
        prop_assert!(session.board().frame() == Frame::filled(size.0, size.1, 0), "dark");
        session.wait(dark_for);
        let said = session.take_lines();
        session.power_on();
        session.settle();
        let heard = session.take_lines();
        prop_assert_eq!(heard.len(), 2, "{:?}", heard);
        // A line that the power cut truncated may come before it, as on any wire.
        prop_assert!(heard[0].contains("boot nudge="), "{:?}", heard);
        if heard[1].contains(" move=resume ") {
            let found = Position::of(&heard[1]).map(|position| position.stones);
            let accepted = said.iter().rev().filter_map(|line| Position::of(line));
            // The position that was being written at the power cut may be lost.
            let mut known = accepted.map(|position| position.stones).take(2);
            prop_assert!(known.any(|stones| Some(stones) == found), "{:?} after {:?}", heard, said);
        } else {
            prop_assert!(setting.openings().contains(&heard[1]), "{:?}", heard);
            // The coin may show the other side.
            let other = heard[1] != opening;
            prop_assert!(other || session.board().frame() == first, "not the first frame");
        }
        prop_assert_eq!(session.board().violations(), vec![]);
    }
}

proptest! {
    #![proptest_config(config(80))]

    #[test]
    fn any_presses_on_the_board_follow_the_rules((setting, inputs) in sessions()) {
        let plan = plan(&setting, &inputs);
        let run = run(&plan.trace);
        let judged = judge(&plan, &run).and_then(|()| judge_the_board(&plan, &run));
        explained(judged, &plan.trace, "session-on-the-board")?;
    }

    #[test]
    fn any_presses_anywhere_break_nothing((setting, inputs) in any_sessions()) {
        let plan = plan(&setting, &inputs);
        let run = run(&plan.trace);
        explained(judge(&plan, &run), &plan.trace, "session-anywhere")?;
    }
}

proptest! {
    #![proptest_config(config(60))]

    #[test]
    fn two_runs_of_a_session_are_equal_in_every_pixel_and_time(
        (setting, inputs) in any_sessions(),
    ) {
        let mut plan = plan(&setting, &inputs);
        // Takes a screenshot after every input.
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

/// Sessions that never left the board would prove little.
#[test]
fn random_sessions_reach_every_part_of_the_board() {
    let mut runner = TestRunner::deterministic();
    let part = Part::of_this_run();
    let mut missing: Vec<_> = part.pick(REACHED).collect();
    if part.is_whole() {
        missing.extend(RARELY_REACHED);
    }
    for _ in 0..SESSIONS_MOST {
        let tree = any_sessions().new_tree(&mut runner).expect("a session");
        let (setting, inputs) = tree.current();
        let lines = run(&plan(&setting, &inputs).trace).machine.board().console_lines();
        missing.retain(|what| !lines.iter().any(|line| line.text.contains(what)));
        if missing.is_empty() {
            return;
        }
    }
    assert_eq!(missing, [""; 0], "in {SESSIONS_MOST} sessions");
}

#[test]
fn a_session_is_a_trace_that_can_be_read_back() {
    let inputs = [
        (START, Input::Tap(Button::B3, FIRM)),
        (FIRM, Input::Chord(vec![Button::T1, Button::Reset], FIRM)),
        (FIRM, Input::Move(Button::B6)),
        (FIRM, Input::Menu(vec![Button::B4, Button::B5])),
        (FIRM, Input::PowerCut(FIRM)),
    ];
    let bounce = Nanos::from_micros(3_500);
    let setting = Setting { variant: Variant::BOARD, seed: 7, bounce, more: Vec::new() };
    let plan = plan(&setting, &inputs);
    let text = plan.trace.to_string();
    let read = trace::parse("any-session.trace", &text).expect("it parses");
    assert_eq!(read.to_string(), text);
}
