//! The console in the terminal: scrolling, copying, and typing on it.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use live::TypingKey;
use ratatui_crossterm::crossterm::event::{KeyCode, KeyModifiers};
use trace::counted;

use super::error::TerminalError;
use super::event_loop::EventLoop;

/// Number of lines that the keys for a page scroll.
const PAGE: isize = 8;
/// Maximum number of lines that are shown.
const LINES_MAX: usize = 256;

impl EventLoop {
    /// Updates what is shown of the console.
    pub(super) fn show_console(&mut self) {
        self.view.console = self.console.shown(LINES_MAX);
        self.view.below = self.console.below();
        self.view.typed = self.console.typed().map(str::to_owned);
    }

    /// Begins to type on the console. All buttons are released: their keys are letters now.
    pub(super) fn begin_typing(&mut self) -> Result<(), TerminalError> {
        self.release_all()?;
        self.console.begin();
        self.show_console();
        Ok(())
    }

    /// Types text on the console.
    pub(super) fn type_text(&mut self, text: &str) -> Result<(), TerminalError> {
        for command in self.console.add(&text.replace('\r', "\n")) {
            self.send(command)?;
        }
        self.show_console();
        Ok(())
    }

    /// Handles a key while the user types on the console. Returns whether the key belongs to the
    /// console.
    pub(super) fn typing_key(
        &mut self,
        code: KeyCode,
        modifiers: KeyModifiers,
    ) -> Result<bool, TerminalError> {
        let ctrl = modifiers.contains(KeyModifiers::CONTROL);
        let key = match code {
            KeyCode::Char('u') if ctrl => TypingKey::Clear,
            KeyCode::Char('y') if ctrl => {
                self.copy_console();
                return Ok(true);
            }
            KeyCode::Char(letter) if !ctrl && !modifiers.contains(KeyModifiers::ALT) => {
                return self.type_text(letter.encode_utf8(&mut [0; 4])).map(|()| true);
            }
            KeyCode::PageUp => {
                self.scroll_console(-PAGE);
                return Ok(true);
            }
            KeyCode::PageDown => {
                self.scroll_console(PAGE);
                return Ok(true);
            }
            KeyCode::Esc => TypingKey::End,
            KeyCode::Enter => TypingKey::Enter,
            KeyCode::Backspace => TypingKey::Backspace,
            KeyCode::Up => TypingKey::Older,
            KeyCode::Down => TypingKey::Newer,
            // Function keys keep their controls, and Ctrl-C quits.
            _ => return Ok(false),
        };
        if let Some(command) = self.console.key(key) {
            self.send(command)?;
        }
        self.show_console();
        Ok(true)
    }

    /// Scrolls the console by `lines`, back if negative.
    pub(super) fn scroll_console(&mut self, lines: isize) {
        self.console.scroll(lines);
        self.show_console();
    }

    /// Copies all stored lines into the clipboard of the terminal's side (OSC 52).
    fn copy_console(&mut self) {
        let (text, lines) = self.console.text();
        self.put_out(&format!("\x1b]52;c;{}\x07", STANDARD.encode(text)));
        self.session
            .say(format!("sent to the clipboard: {} of the console", counted(lines, "line")));
    }
}
