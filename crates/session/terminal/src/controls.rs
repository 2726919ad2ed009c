//! What a key does that is no button, in a terminal. Some controls are of the window alone.

use std::io;
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use live::keymap::Control;
use live::{Command, Story, save_capture};
use reading::golden::encode_png;
use trace::counted;
use virtual_time::Nanos;

use super::draw::State;
use super::error::TerminalError;
use super::event_loop::EventLoop;

/// How far one press of the key goes back, or forward; a held key repeats it.
const LEAP: Nanos = Nanos::from_millis(250);

impl EventLoop {
    /// Carries out a control. `fine` is Shift, `repeat` says that its key is held.
    pub(super) fn control(
        &mut self,
        control: Control,
        fine: bool,
        repeat: bool,
    ) -> Result<(), TerminalError> {
        let stopped = self.view.state == State::Stopped;
        match control {
            Control::Back if fine => return self.send(Command::StepFrame(true)),
            Control::Back => return self.send(Command::Back(LEAP)),
            Control::Forward if fine => return self.send(Command::StepFrame(false)),
            Control::Forward => return self.send(Command::Forward(LEAP)),
            Control::SingleFrame if !stopped => return self.send(Command::SingleFrame),
            _ if repeat => return Ok(()),
            Control::Now => return self.send(Command::Now),
            Control::Pause if !stopped => {
                let pause = !matches!(self.view.state, State::Paused | State::Past);
                return self.send(Command::Pause(pause));
            }
            Control::Pause | Control::SingleFrame => {}
            Control::PowerCycle => return self.send(Command::PowerCycle),
            Control::Undo => return self.send(Command::Chord(self.chords.undo)),
            Control::Help => return self.send(Command::Chord(self.chords.help)),
            Control::Faster => return self.send(Command::Speed(self.view.speed.faster())),
            Control::Slower => return self.send(Command::Speed(self.view.speed.slower())),
            Control::Keys => self.show_help(),
            Control::Bare => self.wanted.pane = !self.wanted.pane,
            Control::Console => {
                self.wanted.pane_first = !(self.wanted.pane && self.wanted.pane_first);
                self.wanted.pane = true;
            }
            Control::Theme => self.wanted.text = !self.wanted.text,
            Control::Mute => self.say("a terminal has no sound".to_owned()),
            Control::FullScreen => self.say("full screen is the terminal's".to_owned()),
            Control::Picture => {
                let png = encode_png(&self.view.frame);
                let saved = save_capture(&self.tape.captures, "png", &png);
                self.say_where(saved);
            }
            Control::Film => {
                let (frames, end) = self.reel.film(self.clock.elapsed());
                let film = self.host.film(&frames, end);
                let saved = film.and_then(|gif| save_capture(&self.tape.captures, "gif", &gif));
                self.say_where(saved);
            }
            Control::Text => self.copy_text(),
            Control::Change => self.say("`nudge run --watch` needs a window".to_owned()),
            Control::Studio => return self.send(Command::Story),
        }
        Ok(())
    }

    /// Copies the LCD's text into the clipboard of the terminal's side (OSC 52).
    fn copy_text(&mut self) {
        let lines = self.host.text(&self.view.frame);
        let text = STANDARD.encode(lines.join("\n"));
        self.put_out(&format!("\x1b]52;c;{text}\x07"));
        self.say(format!("sent to the clipboard: {} of text", counted(lines.len(), "line")));
    }

    fn say_where(&mut self, saved: io::Result<PathBuf>) {
        let folder = shown_path(&self.tape.captures);
        self.say(match saved {
            Ok(path) => format!("saved {}", shown_path(&path)),
            Err(error) => format!("nothing saved in {folder}: {error}"),
        });
    }

    /// Opens what was done in the studio's page.
    pub(super) fn open_studio(&mut self, story: &Story) {
        let path = match self.tape.save(story) {
            Ok(path) => path,
            Err(error) => return self.say(format!("the session cannot be saved: {error}")),
        };
        let speak = self.messages.speak.clone();
        let told = Box::new(move |what| {
            // The session may have ended.
            let _ = speak.send(what);
        });
        match self.host.studio(&path, told) {
            Ok(()) => self.say(format!("the studio opens {}", shown_path(&path))),
            Err(error) => self.say(format!("the studio does not open: {error}")),
        }
    }
}

/// The path as it was named, the present folder as `.`.
fn shown_path(path: &Path) -> String {
    if path.as_os_str().is_empty() { ".".to_owned() } else { path.display().to_string() }
}
