//! Controls of the window: keys that are no buttons of the board.

use std::path::{Path, PathBuf};

use sdl2::video::FullscreenType;
use trace::{Button, counted};

use super::arrangement::{Shown, with_pane};
use super::error::RunError;
use super::event_loop::{EventLoop, name_on_this_keyboard};
use super::remembered::Remembered;
use super::screen::Over;
use crate::face::{Labels, Running, Sound, Theme};
use live::held_buttons::Holder;
use live::keymap::{Control, Key, KeyAction, button_rows, control_rows};
use live::{Command, command_of, say};

/// Returns the label of `key` on this keyboard.
pub(super) fn key_name(key: Key) -> String {
    name_on_this_keyboard(key)
        .filter(|name| !name.is_empty())
        .unwrap_or_else(|| key.name().to_owned())
}

/// Step of the volume, in percent.
const VOLUME_STEP: u8 = 10;

impl EventLoop<'_> {
    /// Executes a control. `fine` is Shift, `repeats` the number of repetitions of its held key.
    pub(super) fn control(
        &mut self,
        control: Control,
        fine: bool,
        repeats: u32,
    ) -> Result<(), RunError> {
        let broken = self.session.view.running == Running::Broken;
        let speed = self.session.view.speed;
        if let Some(command) = command_of(control, fine, repeats, speed, self.chords) {
            return self.send(command);
        }
        match control {
            Control::SingleFrame | Control::Pause
                if self.session.view.running == Running::Debugged && !self.session.view.past =>
            {
                self.session.open.say_debugged();
            }
            Control::SingleFrame if !broken => {
                if !self.session.view.past {
                    self.session.view.running = Running::Paused;
                    self.update_silence();
                }
                return self.send(Command::SingleFrame);
            }
            _ if repeats > 0 => return Ok(()),
            Control::Pause if !broken || self.session.view.past => {
                let view = &mut self.session.view;
                if view.past {
                    view.plays = !view.plays;
                    let pause = !view.plays;
                    return self.send(Command::Pause(pause));
                }
                let pause = view.running == Running::Runs;
                view.running = if pause { Running::Paused } else { Running::Runs };
                self.update_silence();
                return self.send(Command::Pause(pause));
            }
            Control::Mute => {
                self.session.view.sound = match self.session.view.sound {
                    Sound::On => Sound::Muted,
                    Sound::Muted => Sound::On,
                    Sound::Missing => Sound::Missing,
                };
                self.update_silence();
            }
            Control::Louder => self.change_volume(true),
            Control::Quieter => self.change_volume(false),
            Control::Keys => self.toggle_help()?,
            Control::Bare => {
                let Shown { bare, pane } = self.screen.shown();
                self.fit_bare(!bare);
                self.arrange(Shown { bare: !bare, pane })?;
            }
            Control::Console => {
                if self.types() {
                    self.end_typing()?;
                }
                self.show_pane(!self.screen.shown().pane)?;
            }
            Control::Type => self.begin_typing()?,
            Control::Theme => {
                let (shown, theme) = (self.screen.shown(), self.screen.theme());
                self.screen.arrange(shown, theme.other()).map_err(RunError::Window)?;
            }
            Control::FullScreen => self.toggle_full_screen(),
            Control::Picture => self.session.open.save_picture(self.screen.frame()),
            Control::Film => self.session.open.save_film(&*self.services),
            Control::Text => {
                let lines = self.services.text(self.screen.frame());
                let copied = self.video.clipboard().set_clipboard_text(&lines.join("\n"));
                self.session.open.say(match copied {
                    Ok(()) => format!("in the clipboard: {} of text", counted(lines.len(), "line")),
                    Err(error) => format!("the text cannot be copied: {error}"),
                });
            }
            Control::Remap | Control::Branches | Control::Recent if self.types() => {
                self.end_typing()?;
                return self.control(control, fine, repeats);
            }
            Control::Remap => self.begin_remap(),
            Control::Change => self.toggle_change()?,
            Control::Branches => self.toggle_branches()?,
            Control::Recent => self.toggle_recent()?,
            Control::HoldReset => {
                let held = !self.session.open.held.holds(Button::Reset, Holder::Sticky);
                match held {
                    true => self.hold(Button::Reset, Holder::Sticky)?,
                    false => self.let_go(Button::Reset, Holder::Sticky)?,
                }
                let key = self.key_of(Control::HoldReset);
                self.session.open.say_reset(held, key);
            }
            // While its key is down, which `fast_forward` handles.
            Control::FastForward => {}
            // Stopped firmware does neither.
            Control::Pause | Control::SingleFrame => {}
            // `command_of` has their commands.
            Control::Back
            | Control::Forward
            | Control::PreviousPress
            | Control::NextPress
            | Control::Now
            | Control::PowerCycle
            | Control::Undo
            | Control::Help
            | Control::Faster
            | Control::Slower
            | Control::Studio => {}
        }
        Ok(())
    }

    /// Starts or ends fast-forward, whose key went down or up.
    pub(super) fn fast_forward(&mut self, on: bool) -> Result<(), RunError> {
        if std::mem::replace(&mut self.session.fast, on) == on {
            return Ok(());
        }
        self.send(Command::FastForward(on))
    }

    /// Makes the sound a step louder or quieter. A louder sound is not muted.
    fn change_volume(&mut self, louder: bool) {
        let view = &mut self.session.view;
        view.volume = match louder {
            true => view.volume.saturating_add(VOLUME_STEP).min(100),
            false => view.volume.saturating_sub(VOLUME_STEP),
        };
        if louder && view.sound == Sound::Muted {
            view.sound = Sound::On;
        }
        let volume = view.volume;
        self.apply_volume();
        self.update_silence();
        self.session.open.say(format!("volume {volume} %"));
    }

    /// Passes the volume to the loudspeaker.
    pub(super) fn apply_volume(&mut self) {
        let volume = self.session.view.volume;
        if let Some(speaker) = &mut self.speaker {
            speaker.set_volume(volume);
        }
    }

    /// Returns the look of the window, for the next one. Its size is that of `before` unless it is
    /// the one of a window with the board alone.
    pub(super) fn look(&mut self, is_usual: bool, before: &Remembered) -> Remembered {
        let light = self.screen.theme() == Theme::Light;
        let Shown { bare, pane } = self.screen.shown();
        let view = &self.session.view;
        let (muted, volume) = (view.sound == Sound::Muted, view.volume);
        let window = self.screen.window();
        let full = window.fullscreen_state() != FullscreenType::Off || window.is_maximized();
        let has_size = is_usual && !bare && !pane && !full;
        Remembered {
            size: if has_size { Some(window.size()) } else { before.size },
            place: if full { before.place } else { Some(window.position()) },
            light,
            muted: muted || (view.sound == Sound::Missing && before.muted),
            volume: Some(volume).filter(|volume| *volume < 100),
        }
    }

    /// Shows the console's pane, or hides it.
    pub(super) fn show_pane(&mut self, pane: bool) -> Result<(), RunError> {
        let shown = self.screen.shown();
        if shown.pane == pane {
            return Ok(());
        }
        self.make_room(pane);
        self.arrange(Shown { pane, ..shown })
    }

    fn arrange(&mut self, shown: Shown) -> Result<(), RunError> {
        let theme = self.screen.theme();
        self.screen.arrange(shown, theme).map_err(RunError::Window)
    }

    /// Widens the window for the pane, as far as the screen permits, or restores the width without
    /// it.
    fn make_room(&mut self, pane: bool) {
        let window = self.screen.window();
        let screen =
            window.display_index().and_then(|index| self.video.display_usable_bounds(index));
        let full = window.fullscreen_state() != FullscreenType::Off || window.is_maximized();
        let (Ok(screen), false) = (screen, full) else { return };
        let size = window.size();
        let wanted = if pane {
            self.narrow = Some(size);
            Some((with_pane(size.0).min(screen.width()), size.1))
        } else {
            self.narrow.take()
        };
        if let Some((width, height)) = wanted
            && let Err(error) = window.set_size(width, height)
        {
            self.session.open.say(format!("the window cannot have another size: {error}"));
        }
    }

    /// Gives the window the size of the panel at its present scale, or the size with the board
    /// again.
    fn fit_bare(&mut self, bare: bool) {
        let (scale, pixels) = (self.screen.pixel_scale(), self.screen.pixels());
        let panel = self.screen.face().panel_size();
        let Shown { pane, .. } = self.screen.shown();
        let window = self.screen.window();
        let full = window.fullscreen_state() != FullscreenType::Off || window.is_maximized();
        if full || pane {
            // The whole window is used then.
            self.whole = None;
            return;
        }
        let size = window.size();
        let wanted = if bare {
            self.whole = Some(size);
            let scale = (scale.round() as u32).max(1);
            // The window's size is in points, which may be larger than pixels.
            let points = |length: u32, points: u32, pixels: u32| {
                (length * scale * points).div_ceil(pixels.max(1))
            };
            let width = points(panel.0, size.0, pixels.0);
            Some((width, points(panel.1, size.1, pixels.1)))
        } else {
            self.whole.take()
        };
        if let Some((width, height)) = wanted
            && let Err(error) = window.set_size(width, height)
        {
            self.session.open.say(format!("the window cannot have another size: {error}"));
        }
    }

    fn toggle_help(&mut self) -> Result<(), RunError> {
        let shown = matches!(self.screen.over(), Some(Over::Keys(..)));
        let help = (!shown).then(|| self.list_of_keys());
        self.screen.set_over(help).map_err(RunError::Window)
    }

    fn list_of_keys(&self) -> Over {
        let name = |action: KeyAction| self.keymap.key(action).map_or_else(String::new, key_name);
        let mut rows = button_rows(&self.keymap, name);
        rows.extend(control_rows(&self.keymap, name));
        let row = |control| (name(KeyAction::Control(control)), Control::what(control).to_owned());
        rows.extend(self.keymap.controls().map(row));
        rows.push(("Ctrl-click".to_owned(), "hold a button until the next click".to_owned()));
        rows.push(("drop a file".to_owned(), "run a trace, ELF or UF2".to_owned()));
        rows.push(("strip".to_owned(), "drag: any time; wheel: zoom, with Shift move".to_owned()));
        Over::Keys("All keys, as this keyboard names them".to_owned(), rows)
    }

    /// Returns the name of the key of `control` on this keyboard.
    pub(super) fn key_of(&self, control: Control) -> String {
        self.keymap.key(KeyAction::Control(control)).map_or_else(String::new, key_name)
    }

    /// Updates the names of the keys on the caps, and in the list of keys.
    pub(super) fn rename_keys(&mut self) -> Result<(), RunError> {
        let labels = Labels::with_names(&self.keymap, name_on_this_keyboard);
        self.screen.set_labels(labels).map_err(RunError::Window)?;
        if matches!(self.screen.over(), Some(Over::Keys(..))) {
            let list = self.list_of_keys();
            self.screen.set_over(Some(list)).map_err(RunError::Window)?;
        }
        Ok(())
    }

    fn toggle_full_screen(&mut self) {
        let window = self.screen.window();
        let full = window.fullscreen_state() == FullscreenType::Off;
        let wanted = if full { FullscreenType::Desktop } else { FullscreenType::Off };
        if let Err(error) = window.set_fullscreen(wanted) {
            self.session.open.say(format!("the window cannot fill the screen: {error}"));
        }
    }

    /// Opens a file that was dropped on the window, if it can be run.
    pub(super) fn drop_file(&mut self, path: PathBuf) {
        match self.services.open(&path) {
            Ok(start) => self.dropped = Some((path, Box::new(start))),
            Err(error) => self.refuse(&path, &error.to_string()),
        }
    }

    /// Reports why the file at `path` does not run. The footer has room for its name, and the
    /// reason.
    pub(super) fn refuse(&mut self, path: &Path, why: &str) {
        say(format_args!("nudge: not opened: {why}"));
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        self.session
            .open
            .say(format!("not opened: {}", why.replace(&*path.to_string_lossy(), &name)));
    }
}
