//! A session in the terminal: sends keys as commands to the live session and shows its frames.
//! `input` handles events, `controls` the keys that are no buttons.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use host::clock::Stopwatch;
use ili9341_model::Frame;
use live::keymap::{Control, Key, KeyAction, Keymap};
use live::{
    Chords, Command, ConsoleView, FlashState, OpenSession, Services, Setup, Status, Update, begin,
    finish, say, short_name,
};
use ratatui_core::layout::Rect;
use ratatui_crossterm::crossterm::event::{self, Event};
use ratatui_crossterm::crossterm::terminal::{BeginSynchronizedUpdate, EndSynchronizedUpdate};
use ratatui_crossterm::crossterm::{execute, queue};
use virtual_time::Instant;

use super::ask::Environment;
use super::colours::Depth;
use super::control_state::HeldStick;
use super::displays::ShownDisplay;
use super::draw::{State, View, draw, draw_tiny};
use super::drawing::Drawing;
use super::error::TerminalError;
use super::holds::Holds;
use super::layout::{Layout, Wanted};
use super::options::TerminalOptions;
use super::pixels;
use super::screen::{Screen, can_stop, cell_size, check, give_back, has_hung_up, stop};

/// Time that the loop waits for a key before it checks for a new frame.
const LOOK: Duration = Duration::from_millis(16);
/// Time that the loop waits when nothing has happened for [`QUIET`]: a key ends it at once.
const QUIET_LOOK: Duration = Duration::from_millis(64);
/// Time without an event after which a session counts as quiet.
const QUIET: Duration = Duration::from_secs(1);
/// Minimum time between two pictures, for slow lines: 30 pictures a second.
const PICTURE: Duration = Duration::from_millis(33);
/// Maximum number of queued events.
const EVENTS_MAX: usize = 1_024;
/// Maximum wait until virtual time is stopped for a suspension.
const STANDSTILL: Duration = Duration::from_millis(500);
/// Candidates for the key that holds the next button down. The first one that the key map does not
/// use is chosen.
const STICKY_KEYS: [&str; 3] = ["Tab", "Insert", "Backspace"];
/// Size of a cell, in pixels, in a terminal that takes sixels and does not report the size.
const USUAL_CELL: (u16, u16) = (10, 20);

/// The terminal, and the session that it shows.
pub struct EventLoop {
    pub(super) session: OpenSession,
    pub(super) screen: Screen,
    environment: Environment,
    depth: Depth,
    drawing: Drawing,
    pub(super) keymap: Keymap,
    pub(super) holds: Holds,
    /// The joystick that the mouse holds.
    pub(super) held_stick: Option<HeldStick>,
    /// The session's wall clock, and the time on it of the event that is handled.
    clock: Stopwatch,
    pub(super) made: Duration,
    /// The last control, its time, and the number of its repetitions.
    pub(super) repeated: Option<(Control, Duration, u32)>,
    /// Whether fast-forward is held.
    pub(super) fast: bool,
    /// The key that holds the next button down, and whether it was pressed.
    pub(super) sticky: Option<Key>,
    pub(super) sticky_next: bool,
    pub(super) chords: Chords,
    pub(super) console: ConsoleView,
    pub(super) view: View,
    display: ShownDisplay,
    pub(super) wanted: Wanted,
    pub(super) layout: Option<Layout>,
    /// Whether everything is drawn again.
    pub(super) redraw: bool,
    /// The picture that the terminal shows in pixels, and where.
    pixels_shown: Option<(Arc<Frame>, Rect)>,
    quit: Arc<AtomicBool>,
    pub(super) suspend: Arc<AtomicBool>,
    pub(super) services: Box<dyn Services>,
    paused: bool,
    /// Time of the request to stop virtual time for a suspension.
    stands_still_from: Option<Duration>,
    gone: bool,
}

/// Reaction of the loop to an event.
#[derive(PartialEq, Eq)]
pub enum AfterEvent {
    Continue,
    Quit,
}

/// Shows a session in the terminal until the user quits, then restores the terminal.
///
/// # Errors
/// Returns [`TerminalError::NoTerminal`] if there is no terminal; otherwise the error that
/// prevented the session from starting, or from being saved at its end. No file is overwritten
/// except the flash.
pub fn run(options: TerminalOptions) -> Result<(), TerminalError> {
    let TerminalOptions {
        start,
        services,
        board,
        files,
        quit,
        suspend,
        speed,
        chords,
        keymap,
        console,
        graphics,
    } = options;
    let environment = Environment::read();
    check(&environment)?;
    let setup = Setup { speed, ..Setup::default() };
    // The terminal is set up before recording starts, and restored before an error is reported.
    let screen = Screen::take(&environment).map_err(TerminalError::Terminal)?;
    let session = begin(start, setup, files)?;
    let view = View {
        frame: Arc::new(Frame::filled(board.panel.0, board.panel.1, 0)),
        buttons: keymap.buttons(),
        identity: session.identity.clone(),
        down: session.held.down(),
        controls: Vec::new(),
        state: State::Runs,
        speed,
        pace: speed,
        now: Instant::START,
        recording: session.recording_files.record.as_deref().map(short_name),
        recording_failed: false,
        flash: words_of(session.flash_state),
        message: None,
        hint: String::new(),
        text: None,
        console: Vec::new(),
        below: 0,
        typed: None,
        hertz: None,
        frame_bytes: 0,
        sent: 0,
        help: None,
        frame_number: 0,
        branches: Arc::default(),
        chosen: None,
        pixels: false,
    };
    let clock = session.live.clock();
    let free = |name: &&str| Key::from_name(name).is_some_and(|key| keymap.action(key).is_none());
    let mut event_loop = EventLoop {
        session,
        depth: environment.depth(),
        drawing: screen.answers.drawing(graphics, &environment),
        screen,
        environment,
        sticky: STICKY_KEYS.iter().find(|name| free(name)).and_then(|name| Key::from_name(name)),
        sticky_next: false,
        keymap,
        holds: Holds::default(),
        held_stick: None,
        clock,
        made: clock.elapsed(),
        repeated: None,
        fast: false,
        chords,
        console: ConsoleView::default(),
        display: ShownDisplay::first(Arc::clone(&view.frame)),
        view,
        wanted: Wanted {
            panel: board.panel,
            buttons: board.buttons,
            pane_first: console,
            pane: true,
            text: false,
        },
        layout: None,
        redraw: true,
        pixels_shown: None,
        quit,
        suspend,
        services,
        paused: false,
        stands_still_from: None,
        gone: false,
    };
    let outcome = event_loop.run();
    let EventLoop { session, screen, gone, .. } = event_loop;
    let mut session = session;
    // The terminal is restored, so messages can be written from here on.
    drop(screen);
    for warning in session.messages.take_warnings() {
        say(format_args!("{warning}"));
    }
    if session.is_hung() {
        outcome?;
        return Ok(session.end()?);
    }
    let OpenSession { live, recording_files, mut flash, .. } = session;
    let ended = live.quit().map_err(TerminalError::Live);
    outcome?;
    let ended = ended?;
    if gone {
        report_hangup(recording_files.record.as_deref(), ended.recording_error.is_none());
    }
    Ok(finish(ended, flash.as_mut(), recording_files.record)?)
}

/// Returns the text of the status line for the flash.
fn words_of(flash: FlashState) -> &'static str {
    match flash {
        FlashState::Kept => "kept",
        FlashState::Discarded => "not kept",
        FlashState::Copy => "copy",
        FlashState::Beside => "kept beside",
        FlashState::Failed => "NOT SAVED",
    }
}

/// Reports the state of the recording after the terminal was lost.
fn report_hangup(record: Option<&Path>, whole: bool) {
    const LOST: &str = "nudge: the terminal is gone";
    match record {
        Some(path) if whole => {
            say(format_args!("{LOST}; the recording in {} is complete up to now", path.display()));
        }
        _ => say(format_args!("{LOST}; the session has ended")),
    }
}

/// An event, and the time at which it was read.
type Read = (Duration, io::Result<Event>);

/// Reads events on another thread, because a read that waits for the rest of an incomplete escape
/// sequence would block the loop.
fn listen(clock: Stopwatch) -> io::Result<mpsc::Receiver<Read>> {
    let (speak, heard) = mpsc::sync_channel(EVENTS_MAX);
    thread::Builder::new().name("keys".into()).spawn(move || {
        loop {
            let event = event::read();
            let failed = event.is_err();
            if speak.send((clock.elapsed(), event)).is_err() || failed {
                return;
            }
        }
    })?;
    Ok(heard)
}

impl EventLoop {
    fn run(&mut self) -> Result<(), TerminalError> {
        let events = listen(self.clock).map_err(TerminalError::Terminal)?;
        self.session.check_flash();
        let mut moved = self.session.clock.elapsed();
        let mut drawn: Option<Duration> = None;
        let mut dirty = true;
        loop {
            if has_hung_up() {
                self.gone = true;
            }
            if self.gone || self.quit.load(Ordering::Relaxed) {
                return Ok(());
            }
            if self.suspend.load(Ordering::Relaxed) {
                self.suspended()?;
                moved = self.session.clock.elapsed();
                dirty = true;
            }
            let now = self.session.clock.elapsed();
            let look = if now.saturating_sub(moved) > QUIET { QUIET_LOOK } else { LOOK };
            let wait = self.holds.next(self.clock.elapsed()).map_or(look, |next| next.min(look));
            let mut next = events.recv_timeout(wait);
            while let Ok((made, event)) = next {
                let Ok(event) = event else {
                    self.gone = true;
                    return Ok(());
                };
                (moved, dirty) = (self.session.clock.elapsed(), true);
                // A key that was released before this one was pressed.
                self.release_due(made)?;
                self.made = made;
                if self.handle(event)? == AfterEvent::Quit {
                    return Ok(());
                }
                next = events.try_recv().map_err(|_| RecvTimeoutError::Timeout);
            }
            self.release_due(self.clock.elapsed())?;
            self.check_hang();
            self.made = self.clock.elapsed();
            self.session.live.flush().map_err(TerminalError::Live)?;
            if let Some(update) = self.session.live.update().map_err(TerminalError::Live)? {
                dirty = true;
                if !update.is_clock {
                    moved = self.session.clock.elapsed();
                }
                if self.take(update)? == AfterEvent::Quit {
                    return Ok(());
                }
            }
            let now = self.session.clock.elapsed();
            dirty |= self.session.message() != self.view.message;
            dirty |= self.session.held.down() != self.view.down;
            let is_time = drawn.is_none_or(|drawn| now.saturating_sub(drawn) >= PICTURE);
            if dirty && is_time && self.screen.is_idle() {
                (drawn, dirty) = (Some(now), false);
                if self.show().is_err() {
                    self.gone = true;
                }
            }
        }
    }

    /// Draws what has changed.
    ///
    /// # Errors
    /// If the terminal is lost.
    fn show(&mut self) -> io::Result<()> {
        self.view.down = self.session.held.down();
        self.view.controls.clone_from(&self.session.hands.shown().controls);
        self.view.message = match (self.sticky_next, self.sticky) {
            (true, Some(key)) => Some(format!("the next button stays down ({key})")),
            _ => self.session.message(),
        };
        self.view.hint = self.hint();
        self.view.flash = words_of(self.session.flash_state);
        self.view.recording_failed = self.session.recording_failed.is_some();
        self.view.sent = self.screen.sent.get();
        self.wanted.panel = (self.view.frame.width(), self.view.frame.height());
        if std::mem::take(&mut self.redraw) {
            // A terminal whose letters have another size now has other cells.
            self.screen.answers.cell = cell_size().or(self.screen.answers.cell);
            self.screen.clear()?;
            self.pixels_shown = None;
        }
        let size = self.screen.cells.size()?;
        let layout = Layout::new(size.width, size.height, &self.wanted);
        let reads =
            layout.as_ref().is_some_and(|layout| layout.pane.is_some() || !layout.has_picture);
        if layout != self.layout {
            self.pixels_away()?;
        }
        self.layout.clone_from(&layout);
        self.view.text = reads.then(|| self.services.text(&self.view.frame));
        let in_pixels = layout.as_ref().is_some_and(|layout| layout.has_picture)
            && self.drawing != Drawing::Blocks
            && self.view.help.is_none()
            && self.view.chosen.is_none();
        if !in_pixels {
            self.pixels_away()?;
        }
        self.view.pixels = in_pixels;
        if size.width == 0 || size.height == 0 {
            return Ok(());
        }
        queue!(self.screen.cells.backend_mut(), BeginSynchronizedUpdate)?;
        let (view, keymap, depth) = (&self.view, &self.keymap, self.depth);
        self.screen.cells.draw(|frame| match &layout {
            Some(layout) => draw(frame.buffer_mut(), view, layout, keymap, depth),
            None => draw_tiny(frame.buffer_mut()),
        })?;
        if let (true, Some(layout)) = (in_pixels, layout) {
            self.show_pixels(layout.lcd)?;
        }
        execute!(self.screen.cells.backend_mut(), EndSynchronizedUpdate)
    }

    /// Returns the keys that a user needs first.
    fn hint(&self) -> String {
        let sticky = self.sticky.map(|key| format!("{key} hold a button · "));
        let reset = self.keymap.key(KeyAction::Control(Control::HoldReset));
        let reset = reset.map(|key| format!("{key} hold RESET · "));
        // The keys of the other controls are beside their names, as those of the buttons.
        let wheel = self.layout.as_ref().is_some_and(|layout| !layout.controls.is_empty());
        let wheel = if wheel { "wheel, click: controls · " } else { "" };
        format!(
            " ? keys · {}{}{wheel}Enter text · Ctrl-C quit",
            sticky.unwrap_or_default(),
            reset.unwrap_or_default(),
        )
    }

    /// Shows the LCD in pixels, if the picture has changed.
    fn show_pixels(&mut self, area: Rect) -> io::Result<()> {
        let frame = &self.view.frame;
        if let Some((shown, place)) = &self.pixels_shown
            && *place == area
            && (Arc::ptr_eq(shown, frame) || shown.pixels() == frame.pixels())
        {
            return Ok(());
        }
        let sequence = match self.drawing {
            Drawing::Kitty => pixels::kitty(frame, area),
            Drawing::Iterm => pixels::iterm(frame, area),
            Drawing::Sixel => {
                pixels::sixel(frame, area, self.screen.answers.cell.unwrap_or(USUAL_CELL))
            }
            Drawing::Blocks => return Ok(()),
        };
        self.pixels_shown = Some((Arc::clone(frame), area));
        self.screen.send(&sequence)
    }

    /// Removes the pixels before something else is drawn in their place.
    fn pixels_away(&mut self) -> io::Result<()> {
        if self.pixels_shown.take().is_some() {
            if self.drawing == Drawing::Kitty {
                self.screen.send(&pixels::kitty_away())?;
            }
            self.screen.clear()?;
        }
        Ok(())
    }

    /// Sends a sequence without visible effect. A lost terminal is detected by the next picture.
    pub(super) fn put_out(&mut self, sequence: &str) {
        let _ = self.screen.send(sequence);
    }

    /// Suspends the process once virtual time is stopped: restores the terminal, stops the
    /// process, and takes the terminal over again when the process continues.
    fn suspended(&mut self) -> Result<(), TerminalError> {
        if !can_stop() {
            self.suspend.store(false, Ordering::Relaxed);
            self.session.say("there is no shell to return to".to_owned());
            return Ok(());
        }
        let now = self.session.clock.elapsed();
        let asked = match (self.paused, self.stands_still_from) {
            (true, asked) => asked,
            (false, Some(asked)) if now.saturating_sub(asked) >= STANDSTILL => Some(asked),
            (false, Some(_)) => return Ok(()),
            (false, None) => {
                self.release_all()?;
                self.stands_still_from = Some(now);
                return self.send(Command::Pause(true));
            }
        };
        self.release_all()?;
        give_back();
        stop();
        self.suspend.store(false, Ordering::Relaxed);
        self.stands_still_from = None;
        self.screen.take_again(&self.environment).map_err(TerminalError::Terminal)?;
        self.redraw = true;
        if asked.is_some() { self.send(Command::Pause(false)) } else { Ok(()) }
    }

    /// Takes an update.
    fn take(&mut self, update: Update) -> Result<AfterEvent, TerminalError> {
        let revive = self.keymap.key_name(KeyAction::Control(Control::PowerCycle)).to_owned();
        self.session.take(&update, &*self.services, &revive);
        self.apply_status(&update.status);
        let released = self.session.hands.take(&update.parts, update.status.shown_at);
        self.send_all(released)?;
        let view = &mut self.view;
        view.now = update.status.shown_at.unwrap_or(update.now);
        view.frame_number = update.status.frames;
        view.branches = update.branches;
        let last = view.branches.len().checked_sub(1);
        view.chosen = view.chosen.and_then(|chosen| last.map(|last| chosen.min(last)));
        view.hertz = update.hertz;
        view.frame_bytes = update.frame_bytes;
        self.console.set_lines(&update.console);
        self.show_console();
        if self.display.take(&update.frame) {
            self.session.film(&update.frame);
        }
        self.view.frame = self.display.frame(&update.parts);
        // The user quit in the board's own menu.
        let off = update.status.off && update.status.shown_at.is_none();
        Ok(if off { AfterEvent::Quit } else { AfterEvent::Continue })
    }

    /// Shows the next display of the board.
    pub(super) fn show_next_display(&mut self) {
        let parts = self.session.hands.shown();
        let message = self.display.next(&parts);
        self.view.frame = self.display.frame(&parts);
        self.session.say(message);
        self.redraw = true;
    }

    fn apply_status(&mut self, status: &Status) {
        self.paused = status.paused;
        self.view.speed = status.speed;
        self.view.pace = status.pace;
        self.view.state = match &status.broken {
            _ if status.shown_at.is_some() && status.paused => State::Past,
            _ if status.shown_at.is_some() => State::Plays,
            Some(_) => State::Stopped,
            None if status.debugged => State::Debugged,
            None if status.paused => State::Paused,
            None if !status.powered => State::Off,
            None => State::Runs,
        };
    }

    pub(super) fn send(&mut self, command: Command) -> Result<(), TerminalError> {
        let sent = self.session.send_at(self.made, command, self.view.speed);
        sent.map(drop).map_err(TerminalError::Live)
    }

    /// Shows firmware that does not return as stopped.
    fn check_hang(&mut self) {
        let name = |control| self.keymap.key_name(KeyAction::Control(control)).to_owned();
        let (revive, back) = (name(Control::PowerCycle), name(Control::Back));
        let was_hung = self.session.is_hung();
        self.session.check_hang(&revive, &back);
        let is_hung = self.session.is_hung();
        if is_hung != was_hung {
            self.view.state = if is_hung { State::Stopped } else { State::Runs };
        }
    }
}
