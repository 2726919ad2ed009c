//! Injected bugs: each is found in a long session, which is shrunk to a minimal trace with the bug,
//! in which every line is necessary.
//!
//! The bugs are injected between the firmware and the board: a press that the firmware does not
//! receive, a console line that it did not write, a panic.

use firmware_board::native;
use firmware_insight::LcdBoard;
use firmware_insight::rules::{PANEL, RESET, STONES};
use fuzz::{Finding, FindingKind, Judge, LinePattern, Original};
use hal_mock::{Call, Machine, MachineError, MachineWrapper, VirtualBoard, setup::SetupError};
use host::Interrupt;
use ili9341_model::Rule;
use reading::text::Reader;
use runner::shrink::{Candidate, shrink};
use trace::{Action, Button, ButtonSet, Line, TAP_HOLD, Trace, When, parse};
use virtual_time::{Instant, Nanos};

use embedded_hal::digital::OutputPin as _;
use embedded_hal::spi::SpiDevice as _;
use embedded_io::Write as _;

/// An injected bug of the firmware.
#[derive(Clone, Copy)]
enum Bug {
    /// Loses a press of a NUDGE within this duration after the release of another.
    LosesPressesWithin(Nanos),
    /// Panics if the second button is pressed while the first is pressed.
    PanicsAtChord(Button, Button),
    /// Adds a stone at the press of a NUDGE with this number.
    MakesAStoneAt(u32),
    /// Reports a position that the LCD does not show, at the press of a NUDGE with this number.
    ShowsAnotherPositionAt(u32),
    /// Sends a command that the LCD does not have, at the press of a NUDGE with this number.
    SendsNonsenseAt(u32),
    /// Loses the press of RESET with this number.
    LosesResetAt(u32),
    /// Panics at the press of RESET with this number.
    PanicsAtReset(u32),
    /// Panics at a press after a pause of at least this duration.
    PanicsAfterPause(Nanos),
    /// Does not start again after a power cut during a write to flash.
    PanicsAfterTornStore,
    /// Does not start again after a power cut within this duration after a press.
    PanicsAfterCutWithin(Nanos),
}

/// The firmware with a bug.
struct Buggy {
    machine: Box<dyn Machine>,
    bug: Bug,
    down: ButtonSet,
    presses: u32,
    resets: u32,
    pressed_at: Option<Instant>,
    released_at: Option<Instant>,
}

impl Buggy {
    fn new(machine: Box<dyn Machine>, bug: Bug) -> Self {
        Self {
            machine,
            bug,
            down: ButtonSet::EMPTY,
            presses: 0,
            resets: 0,
            pressed_at: None,
            released_at: None,
        }
    }

    fn pressed(&mut self, button: Button) {
        let board = self.machine.board();
        let now = board.now();
        let is_nudge = button != Button::Reset;
        *(if is_nudge { &mut self.presses } else { &mut self.resets }) += 1;
        match self.bug {
            Bug::PanicsAtReset(number) if !is_nudge && self.resets == number => {
                panic!("one RESET too many")
            }
            Bug::PanicsAtChord(first, second) if button == second && self.down.contains(first) => {
                panic!("two at once")
            }
            Bug::PanicsAfterPause(rest)
                if self.pressed_at.is_some_and(|pressed| pressed.saturating_add(rest) <= now) =>
            {
                panic!("the timer has run over")
            }
            Bug::LosesPressesWithin(span)
                if is_nudge && self.released_at.is_some_and(|at| now < at.saturating_add(span)) =>
            {
                board.release(now, button);
            }
            Bug::MakesAStoneAt(number) if is_nudge && self.presses == number => {
                let line = b"position board=5,4,4,4,4,4,0,4,4,4,4,4,4,0 turn=0 move=3 event=none \
                    message=\"x\"\n";
                board.uart().write_all(line).expect("the console takes it");
            }
            Bug::ShowsAnotherPositionAt(number) if is_nudge && self.presses == number => {
                if let Some(line) = another_position(board) {
                    board.uart().write_all(line.as_bytes()).expect("the console takes it");
                }
            }
            Bug::SendsNonsenseAt(number) if is_nudge && self.presses == number => {
                board.lcd_dc().set_low().expect("a pin moves");
                board.lcd_spi().write(&[0xFF]).expect("the bus takes it");
            }
            Bug::LosesResetAt(number) if !is_nudge && self.resets == number => {
                board.release(now, button);
            }
            _ => {}
        }
        self.pressed_at = Some(now);
    }
}

/// Returns the last position line, with a stone of the top player moved one cup further.
fn another_position(board: &VirtualBoard) -> Option<String> {
    let lines = board.console_lines();
    let last = lines.iter().rfind(|line| line.text.starts_with("position "))?;
    let (before, stones) = last.text.split_once("board=")?;
    let (stones, behind) = stones.split_once(' ')?;
    let stones = stones.split(',').map(str::parse).collect::<Result<Vec<u32>, _>>();
    let mut stones = stones.ok()?;
    let [.., from, to, _] = &mut stones[..] else { return None };
    (*from, *to) = (from.checked_sub(1)?, *to + 1);
    let stones: Vec<String> = stones.iter().map(u32::to_string).collect();
    Some(format!("{before}board={} {behind}\n", stones.join(",")))
}

impl MachineWrapper for Buggy {
    fn inner(&self) -> &dyn Machine {
        self.machine.as_ref()
    }

    fn inner_mut(&mut self) -> &mut dyn Machine {
        self.machine.as_mut()
    }

    fn before(&mut self, call: Call) -> Result<(), MachineError> {
        if call != Call::PowerOn {
            return Ok(());
        }
        let now = self.machine.board().now();
        // The operation that exceeded the limit is torn.
        let torn = self.machine.board().with_flash(|flash| flash.bytes_left() == Some(0));
        match self.bug {
            Bug::PanicsAfterTornStore if torn => panic!("half a record"),
            Bug::PanicsAfterCutWithin(span)
                if self.pressed_at.is_some_and(|pressed| now < pressed.saturating_add(span)) =>
            {
                panic!("half a press")
            }
            _ => {}
        }
        (self.down, self.pressed_at, self.released_at) = (ButtonSet::EMPTY, None, None);
        Ok(())
    }

    fn after(&mut self, call: Call, succeeded: bool) {
        if call != Call::Step || !succeeded {
            return;
        }
        let board = self.machine.board().clone();
        for button in Button::LCD_BOARD {
            let is_down = board.is_down(button);
            let was_down = self.down.contains(button);
            self.down.set(button, is_down);
            if is_down && !was_down {
                self.pressed(button);
            } else if was_down && !is_down {
                self.released_at = Some(board.now());
            }
        }
    }

    fn copy(&self) -> Option<Box<dyn Machine>> {
        None
    }
}

/// Returns the finding in `session`, and the smallest trace with the same finding; with
/// `passes_without`, the smallest that also passes without the bug.
#[track_caller]
fn shrunk(bug: Bug, session: &str, passes_without: bool) -> (Finding, Trace) {
    let trace = parse("session.trace", session).unwrap();
    let reader = Reader::new(native::fonts());
    let sound = |trace: &Trace| native::build(trace, None);
    let build = move |trace: &Trace| -> Result<Box<dyn Machine>, SetupError> {
        Ok(Box::new(Buggy::new(native::build(trace, None)?, bug)))
    };
    let judge = Judge {
        boards: &build,
        reader: &reader,
        rules: Some(&LcdBoard),
        goldens: None,
        interrupt: &Interrupt::default(),
    };
    let sound = Judge { boards: &sound, ..judge };
    assert_eq!(sound.judge(&trace).unwrap(), None, "the session fails without the bug");
    let judged = judge.examine(&trace).unwrap().expect("nothing interrupts it");
    let original = Original::new(judged).expect("the bug is found");
    let passes = passes_without.then_some(&sound);
    let mut fails = |candidate: &Candidate| judge.fails_like(&original, candidate, passes);
    let shrunk = shrink(&trace, 1_000, &mut fails);
    let small = shrunk.small;
    assert!(shrunk.minimal, "{} replays were too few", shrunk.runs);
    assert!(fails(&small), "it fails no more:\n{}", small.trace);
    for index in 1..small.trace.lines.len() {
        let mut less = small.clone();
        less.trace.lines.remove(index);
        less.origins.remove(index);
        if let Ok(parsed) = parse("less.trace", &less.trace.to_string()) {
            less.trace = parsed;
            assert!(!fails(&less), "line {index} is not needed:\n{}", small.trace);
        }
    }
    (original.finding().clone(), small.trace)
}

/// Checks that the bug is found in [`SESSION`] as `kind`, and that the session shrinks to the lines
/// `left`.
#[track_caller]
fn check(bug: Bug, kind: &FindingKind, left: &[&str]) -> Trace {
    let (finding, trace) = shrunk(bug, SESSION, false);
    assert_eq!(finding.cause.kind(), *kind, "{finding}");
    assert!(trace.header.is_empty(), "{trace}");
    assert_eq!(lines(&trace), left);
    trace
}

/// Returns the lines without their times: most times depend on the firmware's start and debouncing.
fn lines(trace: &Trace) -> Vec<String> {
    let written = |line: &Line| match &line.action {
        Action::Tap { button, .. } => format!("tap {button}"),
        action => action.to_string(),
    };
    trace.lines.iter().map(written).collect()
}

/// Returns the duration between the line `index` and the line above it.
fn delay_of(trace: &Trace, index: usize) -> Nanos {
    match trace.lines[index].when {
        When::After(span) => span,
        When::At(at) => panic!("{at} is no span"),
    }
}

/// A session with every kind of input and fault.
const SESSION: &str = "trace 1
# A session with everything in it.
seed 7
bounce 4ms

0ms        power on
1s         tap B3
2s         tap RESET
3s         press B6            # holds it
+40ms      tap T2
+200ms     release B6
6s         tap T5
9s         tap RESET for 200ms
12s        tap B1
13.234567s tap B2
15s        tap RESET
18s        tap B4
30.5s      tap B6
+3s        fault power cut
+1s        power on
+2s        tap B3
+10ms      fault power cut
+20ms      power on
+2s        fault flash cut after 5 bytes
+0ms       tap RESET for 1200ms  # the menu
+1.5s      tap B1                # Game
+200ms     tap B4                # down
+200ms     tap B4                # down to Wari
+200ms     tap B5                # OK: Wari
+200ms     tap B1                # YES: Wari is stored
+2s        power off
+1s        power on
+5s        tap T3
+2s        end
";

#[test]
fn a_panic_at_the_third_reset_shrinks_to_three_presses_of_reset() {
    let left = ["power on", "tap RESET", "tap RESET", "tap RESET"];
    check(Bug::PanicsAtReset(3), &FindingKind::Panic, &left);
}

#[test]
fn a_stone_added_at_the_third_press_shrinks_to_three_presses() {
    // The last three presses that need no other line.
    let left = ["power on", "tap B3", "tap B6", "tap T2"];
    check(Bug::MakesAStoneAt(3), &FindingKind::Invariant(STONES), &left);
}

#[test]
fn a_position_not_on_the_lcd_shrinks_to_its_presses() {
    // The LCD is checked when it has settled, after another line.
    let left = ["power on", "tap B3", "tap B6", "tap T2", "tap T5"];
    check(Bug::ShowsAnotherPositionAt(3), &FindingKind::Invariant(PANEL), &left);
}

#[test]
fn a_broken_rule_of_the_lcd_shrinks_to_its_presses() {
    let left = ["power on", "tap B3", "tap B6", "tap T2"];
    check(Bug::SendsNonsenseAt(3), &FindingKind::Rule(Rule::UnknownCommand), &left);
}

#[test]
fn a_lost_reset_shrinks_to_the_presses_of_reset() {
    // The answer is due within 200 ms, so the trace must last longer.
    let left = ["power on", "tap RESET", "tap RESET", "tap B1"];
    check(Bug::LosesResetAt(2), &FindingKind::Invariant(RESET), &left);
}

#[test]
fn a_bug_of_a_chord_shrinks_to_the_chord() {
    let bug = Bug::PanicsAtChord(Button::B6, Button::T2);
    let trace = check(bug, &FindingKind::Panic, &["power on", "tap B6", "tap T2"]);
    let Action::Tap { hold, .. } = trace.lines[1].action else { panic!("{trace}") };
    assert!(delay_of(&trace, 2) < hold.unwrap_or(TAP_HOLD), "{trace}");
}

#[test]
fn a_bug_after_a_long_pause_shrinks_to_a_round_pause() {
    let bug = Bug::PanicsAfterPause(Nanos::from_millis(9_900));
    let trace = check(bug, &FindingKind::Panic, &["power on", "tap B1", "tap B6"]);
    // The session's pause is longer, and not a whole number of seconds.
    assert_eq!(delay_of(&trace, 2), Nanos::from_secs(11));
}

#[test]
fn a_bug_of_a_torn_write_shrinks_to_the_write_and_the_cut() {
    // A move is also stored.
    let left = ["power on", "fault flash cut after 5 bytes", "tap B1", "power on"];
    check(Bug::PanicsAfterTornStore, &FindingKind::Panic, &left);
}

#[test]
fn a_bug_of_a_power_cut_shrinks_to_the_press_before_it() {
    let bug = Bug::PanicsAfterCutWithin(Nanos::from_millis(50));
    let left = ["power on", "tap B3", "fault power cut", "power on"];
    let trace = check(bug, &FindingKind::Panic, &left);
    assert!(
        delay_of(&trace, 2).saturating_add(delay_of(&trace, 3)) < Nanos::from_millis(50),
        "{trace}"
    );
}

/// Quick taps in the menu: the second tap of B4 is 20 ms after the first one.
const QUICK: &str = "trace 1
seed 7
bounce 2ms

0ms     power on
1s      tap T2
3s      tap T3
6s      tap RESET for 1200ms
+1.5s   tap B1               # Game
+200ms  tap B4               # down
+100ms  tap B4               # down to Wari
+300ms  tap B5               # OK
+2s     expect text \"Bottom's turn\"
+1s     tap RESET
+2s     end
";

#[test]
fn a_lost_press_shrinks_to_itself_and_the_one_before() {
    sampled!();
    let bug = Bug::LosesPressesWithin(Nanos::from_millis(50));
    let (finding, trace) = shrunk(bug, QUICK, true);
    let expected = Action::ExpectText("Bottom's turn".into());
    assert_eq!(finding.cause.kind(), FindingKind::Line(LinePattern::of(&expected)));
    let expected = "expect text \"Bottom's turn\"";
    let left = ["power on", "tap RESET", "tap B1", "tap B4", "tap B4", "tap B5", expected];
    assert_eq!(lines(&trace), left);
    // The menu opens after RESET is held for 1 s; the second press of B4 is lost.
    assert!(
        matches!(trace.lines[1].action, Action::Tap { hold: Some(hold), .. } if hold.0 > 900_000_000)
    );
    assert!(delay_of(&trace, 4) < TAP_HOLD.saturating_add(Nanos::from_millis(50)), "{trace}");
}

#[test]
fn without_a_passing_board_the_screen_stays_the_same() {
    sampled!();
    // Without the lost press, the LCD shows the same.
    let bug = Bug::LosesPressesWithin(Nanos::from_millis(50));
    let (_, trace) = shrunk(bug, QUICK, false);
    let expected = "expect text \"Bottom's turn\"";
    let left = ["power on", "tap RESET", "tap B1", "tap B4", "tap B5", expected];
    assert_eq!(lines(&trace), left);
}
