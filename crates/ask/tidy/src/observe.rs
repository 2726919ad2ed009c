//! Observes a recording: the times at which the screen settles, its content then, the console lines
//! and the tones.
//!
//! The machine is driven as in a replay: the board gets a press or release before the firmware runs
//! up to it, the power changes when its time is reached, and the screen is settled by the same rule
//! ([`SETTLED_AFTER`]).

use std::cell::Cell;

use hal_mock::{
    Machine, VirtualBoard,
    board::{ConsoleLine, SETTLED_AFTER, Tone},
    replay::{self, Event, Goldens, ReplaySettings, STEPS_WITHOUT_TIME, Unjudged, Verdict},
};
use ili9341_model::Frame;
use reading::{
    golden::{GoldenError, chain::FrameHash},
    text::{Reader, ScreenText},
};
use trace::{
    Action, FrameCheck, Line, Trace,
    tidy::{Movement, RecordedLine},
};
use virtual_time::{Instant, Nanos};

use super::error::TidyError;

/// A settled screen of the LCD.
pub(super) struct SettledScreen {
    pub(super) at: Instant,
    pub(super) hash: FrameHash,
    pub(super) text: ScreenText,
    pub(super) backlit: bool,
}

/// The screens and console lines of a recording.
pub(super) struct Observation {
    /// Settled screens for each stretch, up to the next stretch: the first, and each that differs
    /// from the previous one.
    pub(super) screens: Vec<Vec<SettledScreen>>,
    pub(super) console: Vec<ConsoleLine>,
    /// Changes of the buzzer's tone.
    pub(super) tones: Vec<Tone>,
    /// Hash of the last complete frame.
    pub(super) last: FrameHash,
}

/// Effects of the lines of a recording.
#[derive(Debug, Default)]
pub(super) struct Recorded {
    /// Presses, releases and power changes, in order of time.
    pub(super) movements: Vec<(Instant, Movement)>,
    /// Index of the line of each movement; `None` for the end of a `tap`.
    pub(super) lines: Vec<Option<usize>>,
    /// Indexes of the `settle` lines, with the times at which they were satisfied.
    pub(super) met: Vec<(usize, Instant)>,
    pub(super) end: Instant,
}

/// Returns the presses, releases and power changes of a replay of `trace`.
pub(super) fn movements(
    trace: &Trace,
    machine: &mut dyn Machine,
    reader: &Reader,
) -> Result<Recorded, TidyError> {
    let over = Cell::new(0);
    let mut recorder = MovementRecorder { trace, over: &over, movements: Vec::new() };
    let mut met = Vec::new();
    let mut line_over = |line: &Line, at: Instant, _: &VirtualBoard| {
        if matches!(line.action, Action::Settle { .. }) {
            met.push((over.get(), at));
        }
        over.set(over.get() + 1);
    };
    let options = ReplaySettings { allow_violations: true, ..ReplaySettings::default() };
    let outcome =
        replay::replay_watched(trace, machine, reader, &mut recorder, &options, &mut line_over);
    let stopped = match outcome.verdict {
        Verdict::Passed => None,
        // Failed expectations do not count here, but a line that stops the replay does.
        Verdict::Failed(failures) => outcome.stopped_in.and(failures.last().cloned()),
        Verdict::LimitReached { at } => {
            return Err(TidyError::ClockKept { at });
        }
        Verdict::Broken(error) => {
            return Err(TidyError::Broken(error));
        }
    };
    if let Some(failure) = stopped {
        return Err(TidyError::Stopped(Box::new(failure)));
    }
    let mut movements = recorder.movements;
    movements.retain(|(at, _, _)| *at <= outcome.ended_at);
    movements.sort_by_key(|(at, _, _)| *at);
    let lines = movements.iter().map(|(_, _, line)| *line).collect();
    let movements = movements.iter().map(|(at, movement, _)| (*at, *movement)).collect();
    Ok(Recorded { movements, lines, met, end: outcome.ended_at })
}

/// Records the presses, releases and power changes of a replay.
struct MovementRecorder<'a> {
    trace: &'a Trace,
    /// Number of executed lines, which is the index of the current one.
    over: &'a Cell<usize>,
    movements: Vec<(Instant, Movement, Option<usize>)>,
}

impl MovementRecorder<'_> {
    /// Returns the current line if it makes the movement. A tap's release is reported with a later
    /// line.
    fn line_of(&self, movement: Movement) -> Option<usize> {
        let index = self.over.get();
        let makes = match (&self.trace.lines.get(index)?.action, movement) {
            (Action::PowerOn, Movement::PowerOn) | (Action::PowerOff, Movement::PowerOff) => true,
            (Action::Press(line) | Action::Tap { button: line, .. }, Movement::Press(button))
            | (Action::Release(line), Movement::Release(button)) => *line == button,
            _ => false,
        };
        makes.then_some(index)
    }
}

impl Goldens for MovementRecorder<'_> {
    fn check(&mut self, expected: &FrameCheck, actual: &Frame) -> Result<(), GoldenError> {
        Unjudged.check(expected, actual)
    }

    fn chain(&mut self, name: &str) -> Result<(), GoldenError> {
        Unjudged.chain(name)
    }

    fn screenshot(&mut self, name: &str, frame: &Frame) -> Result<(), GoldenError> {
        Unjudged.screenshot(name, frame)
    }

    fn happened(&mut self, at: Instant, event: Event) {
        let movement = match event {
            Event::PowerOn => Movement::PowerOn,
            Event::PowerOff => Movement::PowerOff,
            Event::Press(button) => Movement::Press(button),
            Event::Release(button) => Movement::Release(button),
            // Traces with faults were refused earlier.
            Event::Found | Event::Settled | Event::Fault(_) => return,
        };
        self.movements.push((at, movement, self.line_of(movement)));
    }
}

/// Executes `movements` and observes the board until `end`.
pub(super) fn watch(
    movements: &[(Instant, Movement)],
    stretches: &[RecordedLine],
    end: Instant,
    machine: &mut dyn Machine,
    reader: &Reader,
) -> Result<Observation, TidyError> {
    let mut observer = ScreenObserver {
        machine,
        reader,
        last_input: Instant::START,
        noted: None,
        screens: Vec::new(),
        steps_without_time: 0,
    };
    let mut begun = 0;
    for (at, movement) in movements {
        match movement {
            Movement::Press(button) => observer.machine.board().press(*at, *button),
            Movement::Release(button) => observer.machine.board().release(*at, *button),
            Movement::PowerOn | Movement::PowerOff => {}
        }
        observer.run_to(*at)?;
        // A stretch begins with its line. The release of a tap does not begin one.
        let begins = stretches.get(begun).is_some_and(|stretch| stretch.at == *at);
        if begins && !is_end_of_tap(*movement, &stretches[begun]) {
            begun += 1;
            observer.screens.push(Vec::new());
        }
        observer.last_input = *at;
        match movement {
            Movement::PowerOn => {
                observer.machine.power_on()?;
                observer.last_input = observer.last_input.max(observer.machine.board().now());
            }
            Movement::PowerOff => observer.machine.power_off(),
            Movement::Press(_) | Movement::Release(_) => {}
        }
    }
    observer.run_to(end)?;
    let (board, screens) = (observer.machine.board(), observer.screens);
    let last = FrameHash::of(&board.frame_at(end));
    Ok(Observation { screens, console: board.console_lines(), tones: board.tones(), last })
}

/// Returns whether `movement` cannot be the line with which `stretch` begins.
pub(super) fn is_end_of_tap(movement: Movement, stretch: &RecordedLine) -> bool {
    match movement {
        Movement::PowerOn => stretch.action != Action::PowerOn,
        Movement::PowerOff => stretch.action != Action::PowerOff,
        Movement::Release(button) => stretch.action != Action::Release(button),
        Movement::Press(pressed) => match stretch.action {
            Action::Tap { button, .. } | Action::Press(button) => button != pressed,
            _ => true,
        },
    }
}

struct ScreenObserver<'a> {
    machine: &'a mut dyn Machine,
    reader: &'a Reader,
    last_input: Instant,
    /// Start of the quiet period in which the last screen was taken.
    noted: Option<Instant>,
    screens: Vec<Vec<SettledScreen>>,
    steps_without_time: u32,
}

impl ScreenObserver<'_> {
    /// Runs to `next`, the time of the next movement, and takes each screen that settles before.
    fn run_to(&mut self, next: Instant) -> Result<(), TidyError> {
        loop {
            let board = self.machine.board();
            let (now, quiet) = (board.now(), board.last_change().max(self.last_input));
            let met = quiet.saturating_add(SETTLED_AFTER);
            let just_before = met.saturating_sub(Nanos(1));
            let news = self.noted != Some(quiet) && met < next;
            if news && now >= just_before {
                self.noted = Some(quiet);
                self.take_screen(met);
                continue;
            }
            if now >= next {
                return Ok(());
            }
            self.step(if news { just_before } else { next })?;
        }
    }

    fn take_screen(&mut self, at: Instant) {
        let Some(screens) = self.screens.last_mut() else { return };
        let frame = self.machine.board().frame_at(at);
        let backlit = self.machine.board().is_backlit_at(at);
        let hash = FrameHash::of(&frame);
        if screens.last().is_none_or(|last| last.hash != hash) {
            screens.push(SettledScreen { at, hash, text: self.reader.read(&frame), backlit });
        }
    }

    fn step(&mut self, limit: Instant) -> Result<(), TidyError> {
        let before = self.machine.board().now();
        self.machine.step(limit)?;
        let passed = self.machine.board().now() > before;
        self.steps_without_time = if passed { 0 } else { self.steps_without_time + 1 };
        if self.steps_without_time >= STEPS_WITHOUT_TIME {
            return Err(TidyError::ClockKept { at: before });
        }
        Ok(())
    }
}
