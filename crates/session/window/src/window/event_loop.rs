//! The loop of a session in the window: events in, commands to the live session, frames and tones
//! out. What an event does is in `input`, what a key of the window does in `controls`.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::time::Duration;

use host::clock::Stopwatch;
use sdl2::EventPump;
use sdl2::keyboard::{Keycode, Scancode};

use super::build::Build;
use super::error::RunError;
use super::fingers::Fingers;
use super::gamepad::Gamepads;
use super::screen::{Screen, region_between};
use super::sound::Loudspeaker;
use super::update_event::UpdateEvents;
use crate::face::{Flash, FooterView, PaneView, Recording, Running, Sound, View};
use live::held_buttons::HeldButtons;
use live::keymap::{Control, Key, Keymap};
use live::{
    Chords, Command, FileTape, Host, KeepError, KeptFlash, Live, LiveError, Reel, Status, Update,
    say,
};

/// How long the window waits for an event before it looks for other news than the session's, in milliseconds, while something
/// happens. An update of the session is an event.
const LOOK_MS: u32 = 16;
/// The same when nothing has happened for [`QUIET`]: an event ends it at once.
const QUIET_LOOK_MS: u32 = 32;
/// How long nothing happens until a session counts as quiet.
const QUIET: Duration = Duration::from_secs(1);
/// How long a message stands in the footer.
const MESSAGE: Duration = Duration::from_secs(8);

/// The name of the key at that position on the user's keyboard.
pub(super) fn name_on_this_keyboard(key: Key) -> Option<String> {
    let code = Keycode::from_scancode(Scancode::from_i32(key.usage().into())?)?;
    Some(code.name())
}

/// The session from the user's side: the picture, the sound, the keys and the mouse.
pub(super) struct EventLoop<'a> {
    pub(super) live: Live,
    /// What wakes the loop for an update.
    pub(super) update_events: UpdateEvents,
    /// Whether the LCD is shown line by line, as it is scanned.
    pub(super) tearing: bool,
    pub(super) screen: Screen<'a>,
    pub(super) video: sdl2::VideoSubsystem,
    pub(super) speaker: Option<Loudspeaker>,
    pub(super) gamepads: Gamepads,
    pub(super) keymap: Keymap,
    pub(super) held: HeldButtons,
    pub(super) fingers: Fingers,
    /// What the keys for Undo and Help press.
    pub(super) chords: Chords,
    pub(super) view: View,
    pub(super) footer: FooterView,
    /// The file that keeps the flash.
    pub(super) flash: Option<KeptFlash>,
    /// Ends the session when it is set.
    pub(super) quit: Arc<AtomicBool>,
    /// The title of the window, without what is wrong.
    pub(super) title: String,
    pub(super) messages: Messages,
    pub(super) host: Box<dyn Host>,
    /// Writes traces of the session.
    pub(super) tape: FileTape,
    pub(super) reel: Reel,
    /// Whether the reel has the frame that is shown.
    pub(super) is_filmed: bool,
    pub(super) clock: Stopwatch,
    /// Whether the mouse drags the hand of the strip.
    pub(super) drags: bool,
    /// The window's size without the pane, while that is shown.
    pub(super) narrow: Option<(u32, u32)>,
    /// The file that was dropped, until the session has ended.
    pub(super) dropped: Option<PathBuf>,
    /// The firmware that is built anew, and what has become of it.
    pub(super) build: Option<Build>,
}

/// What is said in the footer.
pub(super) struct Messages {
    /// Why the firmware has stopped, for as long as it has.
    pub(super) stopped: Option<String>,
    /// Why the flash is not in its file: it stays.
    pub(super) lasting: Option<String>,
    /// What becomes of the build.
    pub(super) build: Option<String>,
    /// What happened, and until when it stands.
    passing: Option<(String, Duration)>,
    /// What is said by another thread.
    pub(super) heard: mpsc::Receiver<String>,
    pub(super) speak: mpsc::Sender<String>,
}

impl Default for Messages {
    fn default() -> Self {
        let (speak, heard) = mpsc::channel();
        Self { stopped: None, lasting: None, build: None, passing: None, heard, speak }
    }
}

/// What the loop does after an event.
#[derive(PartialEq, Eq)]
pub(super) enum AfterEvent {
    Continue,
    Quit,
}

impl EventLoop<'_> {
    /// Handles events until the window is closed, or a file was dropped on it.
    pub(super) fn run(&mut self, pump: &mut EventPump) -> Result<(), RunError> {
        self.update_silence();
        let checked = self.flash.as_mut().map_or(Ok(()), KeptFlash::check);
        self.tell_of_flash(checked);
        let mut moved = self.clock.elapsed();
        loop {
            let other = self.build.as_ref().is_some_and(|build| build.has_taken_over);
            if self.quit.load(Ordering::Relaxed) || self.dropped.is_some() || other {
                return Ok(());
            }
            let is_quiet = self.clock.elapsed().saturating_sub(moved) > QUIET;
            let mut next = pump.wait_event_timeout(if is_quiet { QUIET_LOOK_MS } else { LOOK_MS });
            while let Some(event) = next {
                moved = self.clock.elapsed();
                if self.handle(event)? == AfterEvent::Quit {
                    return Ok(());
                }
                next = pump.poll_event();
            }
            self.screen.resized().map_err(RunError::Window)?;
            self.take_news()?;
            self.update_events.taken();
            if let Some(update) = self.newest()? {
                moved = self.clock.elapsed();
                if self.take(update)? == AfterEvent::Quit {
                    return Ok(());
                }
                self.show_the_moment()?;
            }
            self.view.down = self.held.down();
            self.footer.theme = self.screen.theme();
            self.footer.message = self.messages.now(self.clock.elapsed());
            self.screen.show(&self.view, &self.footer, pump).map_err(RunError::Window)?;
            // It is packed for the film only now: the picture is shown already.
            if !std::mem::replace(&mut self.is_filmed, true) {
                self.reel.add(self.clock.elapsed(), self.screen.frame());
            }
        }
    }

    /// Asks the session for the LCD line by line, if it is to be shown so. Each new session is asked anew.
    pub(super) fn show_tearing(&mut self) -> Result<(), RunError> {
        if self.tearing { self.send(Command::Scan(true)) } else { Ok(()) }
    }

    /// Shows and plays what is new.
    fn take(&mut self, update: Update) -> Result<AfterEvent, RunError> {
        if let Some(speaker) = &mut self.speaker {
            speaker.play(update.now, update.status.speed, &update.tones);
        }
        self.view.tone = update.hertz.is_some();
        self.apply_status(&update.status);
        self.save_flash(update.flash.as_deref());
        for notice in &update.notices {
            self.say(notice.to_string());
        }
        self.footer.marks = update.marks;
        self.footer.now = update.now;
        self.footer.looks_at = update.status.looks_at;
        // An update without a new picture leaves what was said of the last one.
        let redrawn = match Arc::ptr_eq(self.screen.frame(), &update.frame) {
            true => self.screen.pane().and_then(|pane| pane.redrawn),
            false => region_between(self.screen.frame(), &update.frame),
        };
        // A pane that is not shown has it too: it may be asked for while nothing changes.
        let pane = PaneView {
            console: update.console.to_vec(),
            hertz: update.hertz,
            closed: update.closed,
            frame_bytes: update.frame_bytes,
            redrawn,
        };
        self.screen.set_pane(pane).map_err(RunError::Window)?;
        if !Arc::ptr_eq(self.screen.frame(), &update.frame) {
            self.screen.set_frame(update.frame);
            self.is_filmed = false;
        }
        if let Some(story) = update.story {
            self.open_studio(&story);
        }
        // Quit, from the board's own menu.
        let off = update.status.off && update.status.looks_at.is_none();
        Ok(if off { AfterEvent::Quit } else { AfterEvent::Continue })
    }

    /// Saves the flash as soon as it has changed, so that a crash of this program loses no saved game.
    fn save_flash(&mut self, image: Option<&Vec<u8>>) {
        if let (Some(kept), Some(image)) = (&mut self.flash, image) {
            let saved = kept.save(image);
            self.tell_of_flash(saved);
        }
    }

    /// Tells in the window whether the flash is in its file. Saving is tried again with the next change
    /// and when the window closes; a failure is an error then.
    fn tell_of_flash(&mut self, saved: Result<(), KeepError>) {
        if self.flash.is_none() {
            return;
        }
        self.view.flash = match &saved {
            Ok(()) => Flash::Kept,
            Err(KeepError::Beside { .. }) => Flash::Beside,
            Err(KeepError::Unwritable { .. }) => Flash::Failed,
        };
        self.tell(saved.err().map(|error| error.to_string()));
    }

    /// Tells what is wrong, once, in the title of the window and on standard error, and in the footer for as long
    /// as it is.
    fn tell(&mut self, what: Option<String>) {
        if self.messages.lasting == what {
            return;
        }
        if let Some(what) = &what {
            say(format_args!("warning: {what}"));
            self.screen.set_title(&format!("{what} - {}", self.title));
        } else {
            self.screen.set_title(&self.title);
        }
        self.messages.lasting = what;
    }

    /// Says in the footer what happened.
    pub(super) fn say(&mut self, what: String) {
        self.messages.passing = Some((what, self.clock.elapsed().saturating_add(MESSAGE)));
    }

    fn apply_status(&mut self, status: &Status) {
        self.view.powered = status.powered;
        self.view.speed = status.speed;
        self.view.past = status.looks_at.is_some();
        match &status.broken {
            Some(why) if self.view.running != Running::Broken => {
                say(format_args!("the firmware stopped {why}"));
                self.view.running = Running::Broken;
                let key = self.key_of(Control::PowerCycle);
                self.messages.stops(format!("the firmware stopped ({key} revives it) {why}"));
                self.update_silence();
            }
            None if self.view.running == Running::Broken => {
                self.view.running = if status.paused { Running::Paused } else { Running::Runs };
                self.messages.stopped = None;
                self.update_silence();
            }
            None if !self.view.past => {
                let running = if status.paused { Running::Paused } else { Running::Runs };
                if self.view.running != running {
                    self.view.running = running;
                    self.update_silence();
                }
            }
            _ => {}
        }
        if status.recording_failed && self.view.recording != Recording::Failed {
            self.view.recording = Recording::Failed;
            let what = "the recording cannot be written and ends here";
            say(format_args!("warning: {what}"));
            self.title = format!("{what} - {}", self.title);
            self.screen.set_title(&self.title);
            self.say(what.to_owned());
        }
    }

    /// Silences the loudspeaker if the session is muted, paused or broken.
    pub(super) fn update_silence(&mut self) {
        let silent = self.view.sound != Sound::On || self.view.running != Running::Runs;
        if let Some(speaker) = &mut self.speaker {
            speaker.set_silenced(silent);
        }
    }

    pub(super) fn send(&mut self, command: Command) -> Result<(), RunError> {
        if self.has_no_firmware() {
            return Ok(());
        }
        match self.live.send(command) {
            Err(error @ LiveError::Gone) => self.firmware_is_gone(error),
            sent => sent.map_err(RunError::Live),
        }
    }
}

impl Messages {
    /// Says why the firmware has stopped, instead of what happened.
    pub(super) fn stops(&mut self, what: String) {
        self.stopped = Some(what);
        self.passing = None;
    }

    /// What the footer says at `now`.
    fn now(&mut self, now: Duration) -> Option<String> {
        if let Ok(heard) = self.heard.try_recv() {
            self.passing = Some((heard, now.saturating_add(MESSAGE)));
        }
        self.passing = self.passing.take().filter(|(_, until)| now < *until);
        let passing = self.passing.as_ref().map(|(what, _)| what.clone());
        let lasting = self.stopped.as_ref().or(self.lasting.as_ref()).or(self.build.as_ref());
        passing.or_else(|| lasting.cloned())
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

    #[test]
    fn a_message_passes_and_what_is_wrong_stays() {
        let mut messages = Messages { lasting: Some("wrong".into()), ..Messages::default() };
        messages.passing = Some(("saved".into(), Duration::from_secs(8)));
        assert_eq!(messages.now(Duration::from_secs(7)).as_deref(), Some("saved"));
        assert_eq!(messages.now(Duration::from_secs(8)).as_deref(), Some("wrong"));
        messages.speak.send("open".into()).unwrap();
        assert_eq!(messages.now(Duration::from_secs(9)).as_deref(), Some("open"));
        // What was wrong before the firmware stopped is wrong still when it runs again.
        messages.stops("stopped".into());
        assert_eq!(messages.now(Duration::from_secs(9)).as_deref(), Some("stopped"));
        messages.stopped = None;
        assert_eq!(messages.now(Duration::from_secs(9)).as_deref(), Some("wrong"));
    }
}
