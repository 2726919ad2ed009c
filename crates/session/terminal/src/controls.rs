//! Controls in a terminal: keys that are no buttons. Some controls exist only in the window.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use live::held_buttons::Holder;
use live::keymap::{Control, KeyAction};
use live::{Command, Crash, command_of};
use trace::{Button, counted};

use super::draw::{State, wrapped};
use super::error::TerminalError;
use super::event_loop::EventLoop;

/// Width of the lines of a crash, in letters.
const CRASH_WIDTH: usize = 76;

impl EventLoop {
    /// Executes a control. `fine` is Shift, `repeats` the number of repetitions of its held key.
    pub(super) fn control(
        &mut self,
        control: Control,
        fine: bool,
        repeats: u32,
    ) -> Result<(), TerminalError> {
        let stopped = self.view.state == State::Stopped;
        if let Some(command) = command_of(control, fine, repeats, self.view.speed, self.chords) {
            return self.send(command);
        }
        match control {
            Control::SingleFrame | Control::Pause if self.view.state == State::Debugged => {
                self.session.say_debugged();
            }
            Control::SingleFrame if !stopped => return self.send(Command::SingleFrame),
            _ if repeats > 0 => return Ok(()),
            Control::Pause if !stopped => {
                let pause = !matches!(self.view.state, State::Paused | State::Past);
                if self.view.state == State::Past {
                    self.view.state = State::Plays;
                }
                return self.send(Command::Pause(pause));
            }
            Control::Keys => self.show_help(),
            Control::Bare => self.wanted.pane = !self.wanted.pane,
            Control::Console => {
                self.wanted.pane_first = !(self.wanted.pane && self.wanted.pane_first);
                self.wanted.pane = true;
            }
            Control::Type => self.begin_typing()?,
            Control::Theme => self.wanted.text = !self.wanted.text,
            Control::Mute | Control::Louder | Control::Quieter => {
                self.session.say("a terminal has no sound".to_owned());
            }
            Control::Remap => {
                self.session.say("keys are changed in the window, or with --keymap".to_owned());
            }
            Control::Recent => {
                let program = live::command_name();
                self.session.say(format!("`{program} run --last` opens the last session"));
            }
            Control::FullScreen => self.session.say("full screen is the terminal's".to_owned()),
            Control::Picture => self.session.save_picture(&self.view.frame),
            Control::Film => self.session.save_film(&*self.services),
            Control::Text => self.copy_text(),
            Control::Change => self.show_crash(),
            Control::Branches if self.view.branches.is_empty() => {
                self.session.say("no branches yet: a press in the past begins one".to_owned());
            }
            Control::Branches => {
                // The one that was left last is the likeliest.
                self.view.chosen = Some(self.view.branches.len() - 1);
                self.redraw = true;
            }
            Control::HoldReset => {
                self.toggle_sticky(Button::Reset)?;
                let held = self.session.held.holds(Button::Reset, Holder::Sticky);
                let key = self.keymap.key_name(KeyAction::Control(Control::HoldReset));
                self.session.say_reset(held, key);
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

    /// Shows the last crash. Closing the list dismisses it.
    fn show_crash(&mut self) {
        match self.session.crash.take() {
            Some(Crash { title, lines }) => {
                let rows = wrapped(&lines, CRASH_WIDTH).into_iter();
                self.view.help = Some((title, rows.map(|row| (String::new(), row)).collect()));
            }
            None => self.session.say("nothing has crashed".to_owned()),
        }
    }

    /// Copies the LCD's text into the clipboard of the terminal's side (OSC 52).
    fn copy_text(&mut self) {
        let lines = self.services.text(&self.view.frame);
        let text = STANDARD.encode(lines.join("\n"));
        self.put_out(&format!("\x1b]52;c;{text}\x07"));
        self.session
            .say(format!("sent to the clipboard: {} of text", counted(lines.len(), "line")));
    }
}
