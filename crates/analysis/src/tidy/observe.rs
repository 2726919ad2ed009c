//! What a recording leads to: when the screen settles and what it shows then, and what the
//! console says.
//!
//! The machine is driven as a replay drives it: a finger's movement is handed to the board
//! before the firmware runs up to it, power comes and goes when it is reached, and the screen
//! is settled by the same rule ([`SETTLED_AFTER`]).

use hal_mock::board::{ConsoleLine, SETTLED_AFTER};
use hal_mock::golden::chain::FrameHash;
use hal_mock::replay::{self, Event, Goldens, Options, STEPS_WITHOUT_TIME, Unjudged, Verdict};
use hal_mock::text::{Reader, ScreenText};
use hal_mock::trace::tidy::{Movement, Stretch};
use hal_mock::trace::{FrameCheck, Trace};
use hal_mock::{Frame, Machine, Nanos};

use super::error::TidyError;

/// What the LCD showed once it had settled.
pub(super) struct Shot {
    pub(super) at: Nanos,
    pub(super) hash: FrameHash,
    pub(super) text: ScreenText,
}

/// What a recording leads to.
pub(super) struct Observed {
    /// For each stretch, the settled screens before the next: the first, and those that showed
    /// something else than the one before.
    pub(super) shots: Vec<Vec<Shot>>,
    pub(super) console: Vec<ConsoleLine>,
    /// The last complete frame.
    pub(super) last: FrameHash,
}

/// What is done to the board when `trace` is replayed, in order of time, and when it ends.
pub(super) fn movements(
    trace: &Trace,
    machine: &mut dyn Machine,
    reader: &Reader,
) -> Result<(Vec<(Nanos, Movement)>, Nanos), TidyError> {
    let mut hands = Hands::default();
    let options = Options { allow_violations: true, ..Options::default() };
    let outcome = replay::replay(trace, machine, reader, &mut hands, &options);
    let stopped = match outcome.verdict {
        Verdict::Passed => None,
        // What it expects is not judged here; only what stops it counts.
        Verdict::Failed(failures) => outcome.stopped_in.and(failures.last().cloned()),
        Verdict::LimitReached { at } => {
            return Err(TidyError::ClockKept { at });
        }
        Verdict::Broken(error) => {
            return Err(TidyError::Broken(error));
        }
    };
    if let Some(failure) = stopped {
        return Err(TidyError::Stopped(failure));
    }
    let Hands(mut movements) = hands;
    movements.retain(|(at, _)| *at <= outcome.ended_at);
    movements.sort_by_key(|(at, _)| *at);
    Ok((movements, outcome.ended_at))
}

/// Notes what is done to the board.
#[derive(Default)]
struct Hands(Vec<(Nanos, Movement)>);

impl Goldens for Hands {
    fn check(&mut self, expected: &FrameCheck, actual: &Frame) -> Result<(), String> {
        Unjudged.check(expected, actual)
    }

    fn chain(&mut self, name: &str) -> Result<(), String> {
        Unjudged.chain(name)
    }

    fn screenshot(&mut self, name: &str, frame: &Frame) -> Result<(), String> {
        Unjudged.screenshot(name, frame)
    }

    fn happened(&mut self, at: Nanos, event: Event) {
        self.0.extend(match event {
            Event::PowerOn => Some((at, Movement::PowerOn)),
            Event::PowerOff => Some((at, Movement::PowerOff)),
            Event::Press(button) => Some((at, Movement::Press(button))),
            Event::Release(button) => Some((at, Movement::Release(button))),
            // A trace with faults is not tidied.
            Event::Found | Event::Settled | Event::Fault(_) => None,
        });
    }
}

/// Does `movements` and watches until `end`.
pub(super) fn watch(
    movements: &[(Nanos, Movement)],
    stretches: &[Stretch],
    end: Nanos,
    machine: &mut dyn Machine,
    reader: &Reader,
) -> Result<Observed, TidyError> {
    let mut eye = Eye {
        machine,
        reader,
        last_input: Nanos::ZERO,
        noted: None,
        shots: Vec::new(),
        steps_without_time: 0,
    };
    let mut begun = 0;
    for (at, movement) in movements {
        match movement {
            Movement::Press(button) => eye.machine.board().press(*at, *button),
            Movement::Release(button) => eye.machine.board().release(*at, *button),
            Movement::PowerOn | Movement::PowerOff => {}
        }
        eye.until(*at)?;
        // A stretch begins with its line; the release of a tap begins none.
        let begins = stretches.get(begun).is_some_and(|stretch| stretch.at == *at);
        if begins && !is_end_of_tap(*movement, &stretches[begun]) {
            begun += 1;
            eye.shots.push(Vec::new());
        }
        eye.last_input = *at;
        match movement {
            Movement::PowerOn => {
                eye.machine.power_on()?;
                eye.last_input = eye.last_input.max(eye.machine.board().now());
            }
            Movement::PowerOff => eye.machine.power_off(),
            Movement::Press(_) | Movement::Release(_) => {}
        }
    }
    eye.until(end)?;
    let (board, shots) = (eye.machine.board(), eye.shots);
    let last = FrameHash::of(&board.frame_at(end));
    Ok(Observed { shots, console: board.console_lines(), last })
}

/// Whether `movement` cannot be the line with which `stretch` begins.
fn is_end_of_tap(movement: Movement, stretch: &Stretch) -> bool {
    use hal_mock::trace::Action;
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

struct Eye<'a> {
    machine: &'a mut dyn Machine,
    reader: &'a Reader,
    last_input: Nanos,
    /// Since when all was quiet when the last shot was taken.
    noted: Option<Nanos>,
    shots: Vec<Vec<Shot>>,
    steps_without_time: u32,
}

impl Eye<'_> {
    /// Runs to `next`, when the next thing is done, and looks whenever the screen has settled
    /// before.
    fn until(&mut self, next: Nanos) -> Result<(), TidyError> {
        loop {
            let board = self.machine.board();
            let (now, quiet) = (board.now(), board.last_change().max(self.last_input));
            let met = quiet + SETTLED_AFTER;
            let just_before = met - Nanos(1);
            let news = self.noted != Some(quiet) && met < next;
            if news && now >= just_before {
                self.noted = Some(quiet);
                self.shoot(met);
                continue;
            }
            if now >= next {
                return Ok(());
            }
            self.step(if news { just_before } else { next })?;
        }
    }

    fn shoot(&mut self, at: Nanos) {
        let Some(shots) = self.shots.last_mut() else { return };
        let frame = self.machine.board().frame_at(at);
        let hash = FrameHash::of(&frame);
        if shots.last().is_none_or(|last| last.hash != hash) {
            shots.push(Shot { at, hash, text: self.reader.read(&frame) });
        }
    }

    fn step(&mut self, limit: Nanos) -> Result<(), TidyError> {
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
