//! The loop of a session in the window: events in, commands to the live session, frames and tones
//! out. It knows no files but the flash's.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use sdl2::EventPump;
use sdl2::event::{Event, WindowEvent};
use sdl2::keyboard::{Keycode, Scancode};
use sdl2::mouse::MouseButton;

use super::error::RunError;
use super::kept_flash::{KeepError, KeptFlash};
use super::options::Chords;
use super::screen::Screen;
use super::sound::Loudspeaker;
use super::stderr::say;
use crate::face::{Flash, Recording, Running, Sound, View};
use crate::held_buttons::{HeldButtons, Holder};
use crate::keymap::{Key, KeyAction, Keymap};
use crate::live::{Command, Live, Status};

/// How long the window waits for an event before it checks for a new frame, in milliseconds: 125
/// checks per second.
const LOOK_MS: u32 = 8;
/// The name of the key at that position on the user's keyboard.
pub(super) fn name_on_this_keyboard(key: Key) -> Option<String> {
    let code = Keycode::from_scancode(Scancode::from_i32(key.usage().into())?)?;
    Some(code.name())
}

/// The session from the user's side: the picture, the sound, the keys and the mouse.
pub(super) struct EventLoop<'a> {
    pub(super) live: Live,
    pub(super) screen: Screen<'a>,
    pub(super) speaker: Option<Loudspeaker>,
    pub(super) keymap: Keymap,
    pub(super) held: HeldButtons,
    /// What the keys for Undo and Help press.
    pub(super) chords: Chords,
    pub(super) view: View,
    /// The file that keeps the flash.
    pub(super) flash: Option<KeptFlash>,
    /// Ends the session when it is set.
    pub(super) quit: Arc<AtomicBool>,
    /// The title of the window, without what is wrong.
    pub(super) title: String,
    /// Why the flash or the recording is not in its file, as it was told last.
    pub(super) told: Option<String>,
}

/// What the loop does after an event.
#[derive(PartialEq, Eq)]
enum AfterEvent {
    Continue,
    Redraw,
    Quit,
}

impl EventLoop<'_> {
    /// Handles events until the window is closed.
    pub(super) fn run(&mut self, mut pump: EventPump) -> Result<(), RunError> {
        self.update_silence();
        let checked = self.flash.as_mut().map_or(Ok(()), KeptFlash::check);
        self.tell_of_flash(checked);
        loop {
            if self.quit.load(Ordering::Relaxed) {
                return Ok(());
            }
            let mut next = pump.wait_event_timeout(LOOK_MS);
            while let Some(event) = next {
                match self.handle(event)? {
                    AfterEvent::Continue => {}
                    AfterEvent::Redraw => self.screen.needs_redraw = true,
                    AfterEvent::Quit => return Ok(()),
                }
                next = pump.poll_event();
            }
            self.live.flush().map_err(RunError::Live)?;
            if let Some(update) = self.live.update().map_err(RunError::Live)? {
                if let Some(speaker) = &mut self.speaker {
                    speaker.play(update.now, update.status.speed, &update.tones);
                }
                if let Some(tone) = update.tones.last() {
                    self.view.tone = tone.hz.is_some();
                }
                self.apply_status(&update.status);
                self.save_flash(update.flash.as_deref());
                self.screen.set_frame(update.frame);
                if update.status.off {
                    // Quit, from the board's own menu.
                    return Ok(());
                }
            }
            self.view.down = self.held.down();
            self.screen.show(&self.view).map_err(RunError::Window)?;
        }
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

    /// Tells what is wrong, once, in the title of the window and on standard error.
    fn tell(&mut self, what: Option<String>) {
        if self.told == what {
            return;
        }
        if let Some(what) = &what {
            say(format_args!("warning: {what}"));
            self.screen.set_title(&format!("{what} - {}", self.title));
        } else {
            self.screen.set_title(&self.title);
        }
        self.told = what;
    }

    fn apply_status(&mut self, status: &Status) {
        self.view.powered = status.powered;
        self.view.speed = status.speed;
        if let Some(why) = &status.broken
            && self.view.running != Running::Broken
        {
            say(format_args!("the firmware stopped {why}"));
            self.view.running = Running::Broken;
            self.update_silence();
        }
        if status.recording_failed && self.view.recording != Recording::Failed {
            self.view.recording = Recording::Failed;
            let what = "the recording cannot be written and ends here";
            say(format_args!("warning: {what}"));
            self.title = format!("{what} - {}", self.title);
            self.screen.set_title(&self.title);
        }
    }

    fn handle(&mut self, event: Event) -> Result<AfterEvent, RunError> {
        match event {
            Event::Quit { .. } => return Ok(AfterEvent::Quit),
            Event::KeyDown { scancode: Some(scancode), repeat: false, .. } => {
                if let Some(action) = self.action(scancode) {
                    self.key_down(action)?;
                }
            }
            Event::KeyUp { scancode: Some(scancode), .. } => {
                if let Some(KeyAction::Press(button)) = self.action(scancode)
                    && self.held.release(button, Holder::Key)
                {
                    self.send(Command::Release(button))?;
                }
            }
            Event::MouseButtonDown { mouse_btn: MouseButton::Left, x, y, .. } => {
                if let Some(button) = self.screen.face.layout().hit(x, y)
                    && self.held.press(button, Holder::Mouse)
                {
                    self.send(Command::Press(button))?;
                }
            }
            // The pointer may be outside the window: SDL captures the mouse.
            Event::MouseButtonUp { mouse_btn: MouseButton::Left, .. } => {
                let released: Vec<_> = self.held.release_mouse().collect();
                for button in released {
                    self.send(Command::Release(button))?;
                }
            }
            Event::Window {
                win_event: WindowEvent::FocusLost | WindowEvent::Minimized, ..
            } => {
                let released: Vec<_> = self.held.release_all().collect();
                for button in released {
                    self.send(Command::Release(button))?;
                }
            }
            Event::Window { .. } | Event::RenderTargetsReset { .. } => {
                return Ok(AfterEvent::Redraw);
            }
            _ => {}
        }
        Ok(AfterEvent::Continue)
    }

    fn action(&self, scancode: Scancode) -> Option<KeyAction> {
        let usage = u16::try_from(scancode as i32).ok()?;
        self.keymap.action(Key::from_usage(usage)?)
    }

    fn key_down(&mut self, action: KeyAction) -> Result<(), RunError> {
        let broken = self.view.running == Running::Broken;
        match action {
            KeyAction::Press(button) => {
                if self.held.press(button, Holder::Key) {
                    self.send(Command::Press(button))?;
                }
            }
            KeyAction::Pause if !broken => {
                let pause = self.view.running == Running::Runs;
                self.view.running = if pause { Running::Paused } else { Running::Runs };
                self.update_silence();
                self.send(Command::Pause(pause))?;
            }
            KeyAction::SingleFrame if !broken => {
                self.view.running = Running::Paused;
                self.update_silence();
                self.send(Command::SingleFrame)?;
            }
            KeyAction::PowerCycle => self.send(Command::PowerCycle)?,
            KeyAction::Undo => self.send(Command::Chord(self.chords.undo))?,
            KeyAction::Help => self.send(Command::Chord(self.chords.help))?,
            KeyAction::Mute => {
                self.view.sound = match self.view.sound {
                    Sound::On => Sound::Muted,
                    Sound::Muted => Sound::On,
                    Sound::Missing => Sound::Missing,
                };
                self.update_silence();
            }
            KeyAction::Pause | KeyAction::SingleFrame => {}
        }
        Ok(())
    }

    /// Silences the loudspeaker if the session is muted, paused or broken.
    fn update_silence(&mut self) {
        let silent = self.view.sound != Sound::On || self.view.running != Running::Runs;
        if let Some(speaker) = &mut self.speaker {
            speaker.set_silenced(silent);
        }
    }

    fn send(&mut self, command: Command) -> Result<(), RunError> {
        self.live.send(command).map_err(RunError::Live)
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
