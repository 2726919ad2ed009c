//! One replay in progress. [`super`] defines the meaning of each line; this module implements it
//! with a machine that can only be stepped forward.
//!
//! `expect` checks the state at one time, `text` the LCD's text, `output_log` console lines and tones,
//! `stored` the flash; `wait` runs until a condition is satisfied, `fault` injects faults, `watch`,
//! `film` and `showing` record what happens between the lines, `ongoing` takes lines one by one,
//! `plan` reports inputs in advance to a board that cannot be stopped.

mod expect;
mod fault;
mod film;
mod look;
mod ongoing;
mod output_log;
mod plan;
mod showing;
mod stored;
mod text;
mod wait;
mod watch;

use std::sync::Arc;

use super::failure::{Failure, FailureCause, FailureId, of_line};
use super::goldens::{Event, Goldens};
use super::limits::{FAILURES_MAX, STEPS_WITHOUT_TIME};
use super::outcome::{ReplayOutcome, ReplaySettings, Verdict};
use crate::board::VirtualBoard;
use crate::{Machine, MachineError};
use ili9341_model::CachedFrame;
pub use ongoing::{LineResult, Ongoing, ResumePoint, Stopped, can_run_unplanned};
use output_log::OutputLog;
pub use plan::STARTS_WITHIN;
use reading::text::{Reader, Reading, ScreenText};
use trace::{Action, Button, Display, IncludedPlace, Line, Place, TAP_HOLD, Trace, When};
use virtual_time::Instant;
use watch::Watch;

/// The reason why a replay ends.
enum Stop {
    /// `end`, or [`ReplaySettings::until`].
    Done,
    /// A failure, already recorded, after which the trace is meaningless.
    Failed,
    /// See [`Verdict::LimitReached`].
    Limit(Instant),
    Broken(MachineError),
}

/// Pending release of a `tap`.
#[derive(Clone)]
struct Release {
    at: Instant,
    button: Button,
    /// Line of the tap.
    line: u32,
    /// Whether the release has been executed by the replay, or is about to be.
    given: bool,
    /// Whether [`plan`] has reported the release to the board.
    planned: bool,
}

/// The frame of a display whose text was read last.
#[derive(Clone, Default)]
struct Screen {
    /// The frame; dark at first.
    frame: CachedFrame,
    /// Number and text of that frame.
    reading: Option<(u64, Reading)>,
}

/// State of a [`Run`] between two lines.
#[derive(Clone)]
struct State {
    /// Time of the current line. The board's time may be ahead by an overshoot.
    clock: Instant,
    /// Pending releases, at most one per button.
    releases: Vec<Release>,
    /// Time at which a button last moved or the power was last switched.
    last_input: Instant,
    /// The text of each display that was read.
    screens: Vec<Screen>,
    heard: OutputLog,
    steps_without_time: u32,
    /// Number of upcoming lines already scheduled on the board.
    planned: usize,
    /// Whether the board knows of the power cut in the next line.
    cut_is_planned: bool,
    watch: Watch,
}

impl State {
    /// Returns the state at `clock` before any line. Observes only what `trace` needs.
    fn at(clock: Instant, trace: &Trace) -> Self {
        Self {
            clock,
            releases: Vec::new(),
            last_input: Instant::START,
            screens: Vec::new(),
            heard: OutputLog::new(),
            steps_without_time: 0,
            planned: 0,
            cut_is_planned: false,
            watch: Watch::for_lines_of(trace),
        }
    }
}

pub(super) struct Run<'a> {
    machine: &'a mut dyn Machine,
    text: &'a Reader,
    /// The reader of the board's own fonts, which is used instead.
    own_text: Option<Arc<Reader>>,
    goldens: &'a mut dyn Goldens,
    options: ReplaySettings,
    state: State,
    /// The display that the current line names.
    display: Option<Display>,
    /// Place of the current line in an included file.
    included: Option<IncludedPlace>,
    failures: Vec<Failure>,
    failures_left_out: u64,
}

impl<'a> Run<'a> {
    pub(super) fn new(
        machine: &'a mut dyn Machine,
        text: &'a Reader,
        goldens: &'a mut dyn Goldens,
        options: ReplaySettings,
        trace: &Trace,
    ) -> Self {
        Self::with_state(machine, text, goldens, options, State::at(Instant::START, trace))
    }

    fn with_state(
        machine: &'a mut dyn Machine,
        text: &'a Reader,
        goldens: &'a mut dyn Goldens,
        options: ReplaySettings,
        state: State,
    ) -> Self {
        let own_text = machine.board().text_reader();
        Self {
            machine,
            text,
            own_text,
            goldens,
            options,
            state,
            display: None,
            included: None,
            failures: Vec::new(),
            failures_left_out: 0,
        }
    }

    pub(super) fn carry_out(
        mut self,
        trace: &Trace,
        over: &mut dyn FnMut(&Line, Instant, &VirtualBoard),
    ) -> ReplayOutcome {
        let mut lines = 0;
        let mut stop = None;
        for line in &trace.lines {
            lines += 1;
            self.included.clone_from(&line.included);
            self.plan(&trace.lines[lines - 1..]);
            if let Err(reason) = self.line(line, trace.lines.get(lines)) {
                stop = Some((reason, line.place));
                break;
            }
            over(line, self.state.clock, self.machine.board());
        }
        if stop.is_none() {
            self.included = None;
            let last = self.state.releases.iter().map(|release| release.at).max();
            let end = self.state.clock.max(last.unwrap_or_default());
            stop = self.end(end).err().map(|reason| (reason, Place::default()));
        }
        self.outcome(lines, stop)
    }

    fn outcome(mut self, lines: usize, stop: Option<(Stop, Place)>) -> ReplayOutcome {
        let (stop, place) = stop.unzip();
        let ended_at = match &stop {
            Some(Stop::Limit(at)) => *at,
            Some(Stop::Broken(error)) => error.at,
            _ => self.state.clock,
        };
        if let (Some(Stop::Limit(at)), false) = (&stop, self.failures.is_empty()) {
            self.fail(place, *at, FailureCause::NoProgress);
        }
        if !self.options.allow_violations {
            self.violations(ended_at);
        }
        let finished = matches!(stop, None | Some(Stop::Done));
        let failures = std::mem::take(&mut self.failures);
        let (verdict, failed_before) = match stop {
            Some(Stop::Broken(error)) => (Verdict::Broken(error), failures),
            _ if !failures.is_empty() => (Verdict::Failed(failures), Vec::new()),
            Some(Stop::Limit(at)) => (Verdict::LimitReached { at }, Vec::new()),
            _ => (Verdict::Passed, Vec::new()),
        };
        ReplayOutcome {
            verdict,
            ended_at,
            frames: self.board().frame_count_at(ended_at),
            lines,
            stopped_in: place.filter(|place| !finished && *place != Place::default()),
            failures_left_out: self.failures_left_out,
            failed_before,
        }
    }

    /// Executes `line`; `next` is the line after it.
    fn line(&mut self, line: &Line, next: Option<&Line>) -> Result<(), Stop> {
        self.display = line.action.display();
        let at = match (line.when, self.earliest(&line.action)) {
            (When::After(span), earliest) => self.state.clock.saturating_add(span).max(earliest),
            (When::At(at), earliest) if at < earliest => {
                let cause = FailureCause::TimePassed { now: earliest, line_at: at };
                self.fail_with_text(line.place, self.state.clock, cause);
                return Err(Stop::Failed);
            }
            (When::At(at), _) => at,
        };
        if self.options.until.is_some_and(|until| until < at) {
            return self.end(at);
        }
        self.plan_power_cut(at, &line.action, next);
        if matches!(
            line.action,
            Action::Press(_)
                | Action::Release(_)
                | Action::Tap { .. }
                | Action::Move { .. }
                | Action::Type(_)
                | Action::TypeBytes(_)
                | Action::Fault(_)
        ) {
            self.state.watch.note(at, || in_line(line));
        }
        if line.action.is_input() {
            self.state.heard.input(line, at);
        }
        match &line.action {
            Action::Press(button) => return self.press(at, *button, line.place),
            Action::Tap { button, hold } => {
                self.press(at, *button, line.place)?;
                let (at, line) = (at.saturating_add(hold.unwrap_or(TAP_HOLD)), line.place.line);
                let planned = self.is_planned();
                let given = false;
                self.state.releases.push(Release { at, button: *button, line, given, planned });
                return Ok(());
            }
            Action::Release(button) => {
                self.apply_releases(at);
                if !self.is_planned() {
                    self.board().release(at, *button);
                }
                self.goldens.happened(at, Event::Release(*button));
                self.state.last_input = self.state.last_input.max(at);
                return self.reach(at);
            }
            Action::Move { control, movement } => {
                self.apply_releases(at);
                if !self.is_planned() {
                    self.board().move_control(at, *control, *movement);
                }
                let until = at.saturating_add(movement.lasts());
                self.state.last_input = self.state.last_input.max(until);
                return self.reach(at);
            }
            Action::Type(_) | Action::TypeBytes(_) => {
                self.reach(at)?;
                match &line.action {
                    _ if self.is_planned() => {}
                    Action::Type(text) => self.board().type_line(at, text),
                    Action::TypeBytes(bytes) => self.board().type_bytes(at, bytes),
                    _ => {}
                }
                let until = self.board().typed_until();
                self.state.last_input = self.state.last_input.max(until);
                return Ok(());
            }
            Action::Fault(fault) => return self.fault(at, line, *fault),
            Action::PowerOff => self.plan_power_off(at)?,
            _ => self.reach(at)?,
        }
        let place = line.place;
        match &line.action {
            Action::PowerOn if self.board().is_powered() => {
                return Err(self.power_is_on(at, place));
            }
            Action::PowerOn => {
                self.state.watch.note(at, || in_line(line));
                self.state.heard.input(line, self.machine.board().now());
                self.goldens.happened(at, Event::PowerOn);
                self.plan_releases();
                self.power_on()?;
                // Firmware that blocks while it starts has not settled: nothing has been drawn yet.
                self.state.last_input = self.state.last_input.max(at).max(self.board().now());
            }
            Action::PowerOff => {
                self.state.watch.note(at, || in_line(line));
                self.goldens.happened(at, Event::PowerOff);
                self.machine.power_off();
                // Console lines of the last step before the power-off are no response to it.
                self.state.heard.input(line, self.machine.board().now());
                self.look();
                self.state.last_input = self.state.last_input.max(at);
            }
            Action::ExpectText(check) => self.expect_text(place, at, check),
            Action::ExpectNoText(wanted) => self.expect_no_text(place, at, wanted),
            Action::ExpectFrame(expected) => {
                let frame = self.screen().frame_at(at);
                if let Err(error) = self.goldens.check(expected, &frame) {
                    self.fail_with_text(place, at, error.into());
                }
            }
            Action::Screenshot(screenshot) => {
                let frame = self.screen().frame_at(at);
                if let Err(error) = self.goldens.screenshot(&screenshot.name, &frame) {
                    self.fail(Some(place), at, error.into());
                }
            }
            Action::ExpectTone { hertz, lasted } => self.expect_tone(place, at, *hertz, *lasted),
            Action::ExpectNoTone { silent_for } => self.expect_no_tone(place, at, *silent_for),
            Action::ExpectConsole(text) => self.expect_console(place, at, text),
            Action::ExpectNoConsole(text) => self.expect_no_console(place, at, text),
            Action::ExpectFlash(text) => self.expect_flash(place, at, text, true),
            Action::ExpectNoFlash(text) => self.expect_flash(place, at, text, false),
            Action::ExpectBacklight { on, .. } => self.expect_backlight(place, at, *on),
            Action::ExpectLed(check) => self.expect_led(place, at, check),
            Action::ExpectFrames { .. }
            | Action::ExpectBus { .. }
            | Action::ExpectFrameTime { .. }
            | Action::ExpectNoViolations
            | Action::ExpectNoHeap => self.expect_all(place, at, &line.action),
            Action::WaitText { text, display, within } => {
                self.wait_text(place, text, *display, *within)?;
                self.goldens.happened(self.state.clock, Event::Found);
            }
            Action::WaitConsole { text, within } => {
                self.wait_console(place, text, *within)?;
                self.goldens.happened(self.state.clock, Event::Found);
            }
            Action::Settle { display, within } => {
                self.settle(place, *display, *within)?;
                self.goldens.happened(self.state.clock, Event::Settled);
            }
            Action::End => return Err(Stop::Done),
            Action::Press(_)
            | Action::Release(_)
            | Action::Tap { .. }
            | Action::Move { .. }
            | Action::Type(_)
            | Action::TypeBytes(_)
            | Action::Fault(_) => {}
        }
        Ok(())
    }

    /// Runs to `at`, or to [`ReplaySettings::until`] if that is earlier, and stops there.
    fn end(&mut self, at: Instant) -> Result<(), Stop> {
        self.reach(self.options.until.map_or(at, |until| until.min(at)))?;
        Err(Stop::Done)
    }

    /// Presses the button at `at`.
    fn press(&mut self, at: Instant, button: Button, place: Place) -> Result<(), Stop> {
        self.apply_releases(at);
        self.state.releases.retain(|release| release.at > at);
        if let Some(held) = self.state.releases.iter().find(|release| release.button == button) {
            let cause = FailureCause::ButtonDown { button, line: held.line, until: held.at };
            self.reach(at)?;
            self.fail_with_text(place, at, cause);
            return Err(Stop::Failed);
        }
        if !self.is_planned() {
            self.board().press(at, button);
        }
        self.goldens.happened(at, Event::Press(button));
        self.state.last_input = self.state.last_input.max(at);
        self.reach(at)
    }

    /// Returns whether the last complete frame as of `at` shows `text`.
    fn shows(&mut self, at: Instant, text: &str) -> bool {
        self.read(at).contains(text)
    }

    /// Returns the text on the last complete frame of the line's display as of `at`.
    fn read(&mut self, at: Instant) -> &ScreenText {
        self.read_display(self.display.map_or(0, Display::index), at)
    }

    /// Returns the text on the last complete frame of a display as of `at`. Each frame is read once,
    /// and only where it differs from the previous one.
    fn read_display(&mut self, display: usize, at: Instant) -> &ScreenText {
        let board = self.machine.board().at_display(display);
        let number = board.frame_count_at(at);
        let text = self.own_text.as_deref().unwrap_or(self.text);
        let screens = &mut self.state.screens;
        if screens.len() <= display {
            screens.resize_with(display + 1, Screen::default);
        }
        let screen = &mut screens[display];
        let reading = match screen.reading.take() {
            Some((known, reading)) if known == number => reading,
            before => {
                let before = before.map(|(_, reading)| reading);
                let before = before.unwrap_or_else(|| text.read_blank());
                let changed = board.update_frame_at(at, &mut screen.frame);
                text.read_again(before, screen.frame.frame(), &changed)
            }
        };
        screen.reading.insert((number, reading)).1.screen()
    }

    fn fail(&mut self, place: Option<Place>, at: Instant, cause: FailureCause) {
        let id = FailureId(self.failures.len());
        let included = place.and_then(|_| self.included.clone());
        let display = self.display.filter(|_| place.is_some());
        self.note(Failure { id, place, included, at, cause, display, shown: None });
    }

    fn fail_with_text(&mut self, place: Place, at: Instant, cause: FailureCause) {
        let shown = self.read(at).to_string();
        let shown = Some(shown.lines().map(str::to_owned).collect());
        let id = FailureId(self.failures.len());
        let included = self.included.clone();
        let (place, display) = (Some(place), self.display);
        self.note(Failure { id, place, included, at, cause, display, shown });
    }

    fn note(&mut self, failure: Failure) {
        if self.failures.len() < FAILURES_MAX {
            if failure.place.is_some() {
                let frame = self.screen().frame_at(failure.at);
                self.goldens.failed(&failure, &frame);
            }
            self.failures.push(failure);
        } else {
            self.failures_left_out += 1;
        }
    }

    fn board(&self) -> &VirtualBoard {
        self.machine.board()
    }

    /// Returns the board with the display that the current line reads.
    fn screen(&self) -> VirtualBoard {
        self.board().at_display(self.display.map_or(0, Display::index))
    }

    /// Runs to `at`, which becomes the time of the trace.
    fn reach(&mut self, at: Instant) -> Result<(), Stop> {
        self.apply_releases(at);
        while self.board().now() < at {
            self.drive(at)?;
        }
        self.state.clock = at;
        Ok(())
    }

    /// Steps the machine once, after applying every release up to `limit`.
    fn drive(&mut self, limit: Instant) -> Result<(), Stop> {
        self.apply_releases(limit);
        let before = self.board().now();
        self.step(limit)?;
        let now = self.board().now();
        self.state.steps_without_time =
            if now > before { 0 } else { self.state.steps_without_time + 1 };
        let overshoot = now.saturating_since(limit);
        if self.state.steps_without_time >= STEPS_WITHOUT_TIME || overshoot > self.options.limit {
            return Err(Stop::Limit(now));
        }
        Ok(())
    }

    /// Applies the releases up to `until` to the board, in order of time.
    fn apply_releases(&mut self, until: Instant) {
        if self.state.releases.is_empty() {
            return;
        }
        self.state.releases.sort_by_key(|release| release.at);
        let board = self.machine.board().clone();
        for release in &mut self.state.releases {
            if !release.given && release.at <= until {
                if !release.planned {
                    board.release(release.at, release.button);
                }
                self.goldens.happened(release.at, Event::Release(release.button));
                release.given = true;
                let (button, line) = (release.button, release.line);
                self.state
                    .watch
                    .note(release.at, || format!("release of {button}{}", of_line(line)));
                self.state.last_input = self.state.last_input.max(release.at);
            }
        }
        let clock = self.state.clock;
        // All releases up to `until` have been applied, and the clock is not later than that.
        self.state.releases.retain(|release| release.at >= clock);
    }
}

/// Returns a description like `tap of B3 in line 9`.
fn in_line(line: &Line) -> String {
    line.action.noun() + &of_line(line.place.line)
}
