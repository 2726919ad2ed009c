//! The loop of a session in the window: events in, commands to the live session, frames and tones
//! out. `input` handles events, `controls` the keys of the window.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use sdl2::EventPump;
use sdl2::keyboard::{Keycode, Scancode};

use super::error::RunError;
use super::gamepad::{Gamepads, PadMap};
use super::options::KeepKeymap;
use super::screen::{Screen, region_between};
use super::session_view::SessionView;
use super::sound::Loudspeaker;
use super::update_event::UpdateEvents;
use crate::face::{PaneView, Running, Sound, Typing};
use live::keymap::{Control, Key, Keymap};
use live::{Chords, Command, LiveError, Services, Start, Status, Update, say};

/// Time, in milliseconds, that the window waits for an event before it polls for other news than
/// the session's. An update of the session is an event.
const LOOK_MS: u32 = 16;
/// Time, in milliseconds, that the window waits when nothing has happened for [`QUIET`]: an event
/// ends it at once.
const QUIET_LOOK_MS: u32 = 32;
/// Time without an event after which a session counts as quiet.
const QUIET: Duration = Duration::from_secs(1);
/// Returns the name of the key at that position on the user's keyboard.
pub(super) fn name_on_this_keyboard(key: Key) -> Option<String> {
    let code = Keycode::from_scancode(Scancode::from_i32(key.usage().into())?)?;
    Some(code.name())
}

/// The window: the picture, the sound, the keys and the mouse, and the session that it shows.
pub(super) struct EventLoop<'a> {
    /// The session, which is replaced as a whole.
    pub(super) session: SessionView,
    /// Wakes the loop for an update.
    pub(super) update_events: UpdateEvents,
    /// Whether the LCD is shown line by line, as it is scanned.
    pub(super) tearing: bool,
    pub(super) screen: Screen<'a>,
    pub(super) video: sdl2::VideoSubsystem,
    pub(super) speaker: Option<Loudspeaker>,
    pub(super) gamepads: Gamepads,
    pub(super) pads: PadMap,
    pub(super) keymap: Keymap,
    pub(super) keep_keymap: Option<KeepKeymap>,
    /// Buttons that the keys for Undo and Help press.
    pub(super) chords: Chords,
    /// Ends the session when it is set.
    pub(super) quit: Arc<AtomicBool>,
    pub(super) services: Box<dyn Services>,
    /// Size of the window without the pane, while the pane is shown.
    pub(super) narrow: Option<(u32, u32)>,
    /// Size of the window with the board, while only the panel is shown.
    pub(super) whole: Option<(u32, u32)>,
    /// A file that was dropped, and the start of its session.
    pub(super) dropped: Option<(PathBuf, Box<Start>)>,
}

/// Reason why the loop has ended.
pub(super) enum LoopEnd {
    /// The session is to end, and the window with it.
    Quit,
    /// A file was dropped: its session replaces the one that is shown.
    Dropped(PathBuf, Box<Start>),
    /// The session continues in other firmware.
    TakenOver,
}

/// Reaction of the loop to an event.
#[derive(PartialEq, Eq)]
pub(super) enum AfterEvent {
    Continue,
    Quit,
}

impl EventLoop<'_> {
    /// Handles events until the window is closed, a file is dropped on it, or other firmware takes over.
    pub(super) fn run(&mut self, pump: &mut EventPump) -> Result<LoopEnd, RunError> {
        self.update_silence();
        self.session.open.check_flash();
        let mut moved = self.session.open.clock.elapsed();
        loop {
            if self.quit.load(Ordering::Relaxed) {
                return Ok(LoopEnd::Quit);
            }
            if let Some((path, start)) = self.dropped.take() {
                return Ok(LoopEnd::Dropped(path, start));
            }
            if let Some(build) = &mut self.session.build
                && std::mem::take(&mut build.has_taken_over)
            {
                return Ok(LoopEnd::TakenOver);
            }
            let is_quiet = self.session.open.clock.elapsed().saturating_sub(moved) > QUIET;
            let mut next = pump.wait_event_timeout(if is_quiet { QUIET_LOOK_MS } else { LOOK_MS });
            while let Some(event) = next {
                moved = self.session.open.clock.elapsed();
                if self.handle(event)? == AfterEvent::Quit {
                    return Ok(LoopEnd::Quit);
                }
                next = pump.poll_event();
            }
            self.move_held_parts(false)?;
            self.screen.resized().map_err(RunError::Window)?;
            self.take_news()?;
            self.update_events.taken();
            self.check_hang();
            if let Some(update) = self.newest()? {
                if !update.is_clock {
                    moved = self.session.open.clock.elapsed();
                }
                if self.take(update)? == AfterEvent::Quit {
                    return Ok(LoopEnd::Quit);
                }
                self.show_both_at_time()?;
            }
            self.session.refresh();
            self.session.footer.theme = self.screen.theme();
            for warning in self.session.open.messages.take_warnings() {
                say(format_args!("{warning}"));
            }
            self.screen.set_title(&self.session.open.window_title());
            let SessionView { view, footer, .. } = &self.session;
            self.screen.show(view, footer, pump).map_err(RunError::Window)?;
            // Packs the picture for the film only after it was shown.
            if !std::mem::replace(&mut self.session.is_filmed, true) {
                self.session.open.film(self.screen.frame());
            }
        }
    }

    /// Requests the LCD line by line from the session, if it is to be shown so. Each new session
    /// needs the request.
    pub(super) fn show_tearing(&mut self) -> Result<(), RunError> {
        if self.tearing { self.send(Command::Scan(true)) } else { Ok(()) }
    }

    /// Shows and plays an update.
    fn take(&mut self, update: Update) -> Result<AfterEvent, RunError> {
        if update.is_clock {
            // The window shows no time, and the strip ends with the last event.
            return Ok(AfterEvent::Continue);
        }
        if let Some(speaker) = &mut self.speaker {
            speaker.play(update.now, update.status.pace, &update.tones);
        }
        self.session.view.tone = update.hertz.is_some();
        let released = self.session.open.hands.take(&update.parts, update.status.shown_at);
        self.session.show_parts();
        self.send_all(released)?;
        self.apply_status(&update.status);
        let revive = self.key_of(Control::PowerCycle);
        self.session.open.take(&update, &*self.services, &revive);
        self.session.footer.marks = update.marks;
        self.session.footer.now = update.now;
        self.session.footer.shown_at = update.status.shown_at;
        self.session.footer.stopped =
            update.status.paused || update.status.debugged || update.status.broken.is_some();
        self.session.footer.frame = update.status.frames;
        self.session.footer.presses = update.presses;
        let shown = update.status.shown_at.unwrap_or(update.now);
        let drags = self.session.drags;
        let span = &mut self.session.footer.span;
        *span = span.map(|span| if drags { span } else { span.around(shown) });
        if self.session.branches != update.branches {
            self.session.branches = update.branches;
            self.refresh_branches()?;
        }
        // An update without a new picture does not change the region of the last one.
        let redrawn = match Arc::ptr_eq(self.screen.frame(), &update.frame) {
            true => self.screen.pane().and_then(|pane| pane.redrawn),
            false => region_between(self.screen.frame(), &update.frame),
        };
        // A hidden pane is updated too: the user may show it while nothing changes.
        self.session.console.set_lines(&update.console);
        let pane = self.with_console(PaneView {
            console: Vec::new(),
            below: 0,
            typing: Typing::Line(String::new()),
            hertz: update.hertz,
            contacts: self.screen.face().contacts(update.closed),
            frame_bytes: update.frame_bytes,
            redrawn,
        });
        self.screen.set_pane(pane).map_err(RunError::Window)?;
        if !Arc::ptr_eq(self.screen.frame(), &update.frame) {
            self.screen.set_frame(update.frame);
            self.session.is_filmed = false;
        }
        // The user quit in the board's own menu.
        let off = update.status.off && update.status.shown_at.is_none();
        Ok(if off { AfterEvent::Quit } else { AfterEvent::Continue })
    }

    fn apply_status(&mut self, status: &Status) {
        self.session.view.powered = status.powered;
        self.session.view.speed = status.speed;
        self.session.view.pace = status.pace;
        self.session.view.past = status.shown_at.is_some();
        self.session.view.plays = status.shown_at.is_some() && !status.paused;
        let view = &mut self.session.view;
        let running = match &status.broken {
            Some(_) => Running::Broken,
            // Virtual time is stopped while the past is shown.
            None if status.debugged && !view.past => Running::Debugged,
            None if view.past && view.running != Running::Broken => view.running,
            None if status.paused => Running::Paused,
            None => Running::Runs,
        };
        if std::mem::replace(&mut view.running, running) != running {
            self.update_silence();
        }
    }

    /// Silences the loudspeaker if the session is muted, paused or broken.
    pub(super) fn update_silence(&mut self) {
        let silent =
            self.session.view.sound != Sound::On || self.session.view.running != Running::Runs;
        if let Some(speaker) = &mut self.speaker {
            speaker.set_silenced(silent);
        }
    }

    pub(super) fn send(&mut self, command: Command) -> Result<(), RunError> {
        if self.has_no_firmware() {
            return Ok(());
        }
        match self.session.open.send(command, self.session.view.speed) {
            Err(error @ LiveError::Gone) => self.firmware_is_gone(error),
            Ok(true) => {
                // Another session of the same firmware has replaced the one that hangs.
                self.update_events.watch(&self.session.open.live);
                self.show_tearing()
            }
            sent => sent.map(drop).map_err(RunError::Live),
        }
    }

    /// Shows firmware that does not return as stopped.
    fn check_hang(&mut self) {
        let (revive, back) = (self.key_of(Control::PowerCycle), self.key_of(Control::Back));
        let was_hung = self.session.open.is_hung();
        self.session.open.check_hang(&revive, &back);
        let is_hung = self.session.open.is_hung();
        if is_hung != was_hung {
            self.session.view.running = if is_hung { Running::Broken } else { Running::Runs };
            self.update_silence();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_has_the_name_that_sdl_gives_its_scancode() {
        for key in Key::all() {
            let scancode = Scancode::from_i32(key.usage().into()).unwrap();
            assert_eq!(scancode.name(), key.name());
        }
    }
}
