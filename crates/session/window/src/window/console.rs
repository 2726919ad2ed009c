//! The console in the pane: what it shows, scrolling, copying, and typing on it.

use sdl2::keyboard::{Mod, Scancode};
use trace::counted;

use super::error::RunError;
use super::event_loop::EventLoop;
use crate::face::{LINES_MAX, PaneView, Typing};
use live::TypingKey;
use live::keymap::Control;

/// Number of lines that the mouse wheel scrolls, and the keys for a page.
const WHEEL: isize = 3;
const PAGE: isize = 16;

impl EventLoop<'_> {
    /// Updates the console's part of the pane.
    pub(super) fn show_console(&mut self) -> Result<(), RunError> {
        let Some(before) = self.screen.pane() else { return Ok(()) };
        let view = PaneView { ..before.clone() };
        let view = self.with_console(view);
        self.screen.set_pane(view).map_err(RunError::Window)
    }

    /// Returns `view` with the console as it is now.
    pub(super) fn with_console(&self, view: PaneView) -> PaneView {
        let console = &self.session.console;
        PaneView {
            console: console.shown(LINES_MAX),
            below: console.below(),
            typing: match console.typed() {
                Some(line) => Typing::Line(line.to_owned()),
                None => {
                    Typing::Hint(format!("{} or a click types here", self.key_of(Control::Type)))
                }
            },
            ..view
        }
    }

    /// Returns whether the keyboard types on the console.
    pub(super) fn types(&self) -> bool {
        self.session.console.typed().is_some()
    }

    /// Begins to type on the console, and shows its pane. All buttons are released: their keys are
    /// letters now.
    pub(super) fn begin_typing(&mut self) -> Result<(), RunError> {
        self.show_pane(true)?;
        self.release_all()?;
        self.session.remap = None;
        self.session.console.begin();
        self.video.text_input().start();
        self.show_console()
    }

    /// Ends the typing: keys are buttons and controls again.
    pub(super) fn end_typing(&mut self) -> Result<(), RunError> {
        self.session.console.key(TypingKey::End);
        self.video.text_input().stop();
        self.show_console()
    }

    /// Types text on the console.
    pub(super) fn type_text(&mut self, text: &str) -> Result<(), RunError> {
        for command in self.session.console.add(text) {
            self.send(command)?;
        }
        self.show_console()
    }

    /// Handles a key while the user types on the console. Letters come as text. Returns whether the
    /// key belongs to the console.
    pub(super) fn typing_key(&mut self, scancode: Scancode, keymod: Mod) -> Result<bool, RunError> {
        let ctrl = keymod.intersects(Mod::LCTRLMOD | Mod::RCTRLMOD);
        let key = match scancode {
            Scancode::Escape => return self.end_typing().map(|()| true),
            Scancode::PageUp => return self.scroll_console(-PAGE).map(|()| true),
            Scancode::PageDown => return self.scroll_console(PAGE).map(|()| true),
            Scancode::C if ctrl => return self.copy_console().map(|()| true),
            Scancode::V if ctrl => {
                let text = self.video.clipboard().clipboard_text().unwrap_or_default();
                return self.type_text(&text).map(|()| true);
            }
            Scancode::U if ctrl => TypingKey::Clear,
            Scancode::Return | Scancode::KpEnter => TypingKey::Enter,
            Scancode::Backspace => TypingKey::Backspace,
            Scancode::Up => TypingKey::Older,
            Scancode::Down => TypingKey::Newer,
            // Keys without a letter keep their control.
            _ => return Ok(!is_function_key(scancode)),
        };
        if let Some(command) = self.session.console.key(key) {
            self.send(command)?;
        }
        self.show_console().map(|()| true)
    }

    /// Scrolls the console by `lines`, back if negative.
    pub(super) fn scroll_console(&mut self, lines: isize) -> Result<(), RunError> {
        self.session.console.scroll(lines);
        self.show_console()
    }

    /// Scrolls the console by the mouse wheel.
    pub(super) fn wheel(&mut self, turns: i32) -> Result<(), RunError> {
        self.scroll_console(-(turns as isize) * WHEEL)
    }

    /// Copies all stored lines of the console.
    pub(super) fn copy_console(&mut self) -> Result<(), RunError> {
        let (text, lines) = self.session.console.text();
        let copied = self.video.clipboard().set_clipboard_text(&text);
        self.session.open.say(match copied {
            Ok(()) => format!("in the clipboard: {} of the console", counted(lines, "line")),
            Err(error) => format!("the console cannot be copied: {error}"),
        });
        Ok(())
    }
}

fn is_function_key(scancode: Scancode) -> bool {
    (Scancode::F1 as i32..=Scancode::F12 as i32).contains(&(scancode as i32))
}
