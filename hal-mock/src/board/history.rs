//! Histories of a board: the console, the changes of tone, and how much of each is stored.

use super::VirtualBoard;
use super::console::ConsoleLine;
use super::sound::Tone;
use crate::log::Log;
use virtual_time::Instant;

impl VirtualBoard {
    /// Returns the lines that have left the console's wire by now, without those that were dropped.
    pub fn console_lines(&self) -> Vec<ConsoleLine> {
        self.console_lines_from(0)
    }

    /// Returns the lines that have left the console's wire by now, from the line with index `first`
    /// on. Lines that were dropped are missing.
    pub fn console_lines_from(&self, first: usize) -> Vec<ConsoleLine> {
        self.with_console(|lines| lines.range(first..).cloned().collect())
    }

    /// Calls `look` with the lines that have left the console's wire by now: the newest, of at most
    /// [`CONSOLE_BYTES_MAX`](super::CONSOLE_BYTES_MAX) bytes.
    pub fn with_console<R>(&self, look: impl FnOnce(&Log<ConsoleLine>) -> R) -> R {
        let circuit = &mut *self.0.borrow_mut();
        circuit.console.catch_up(circuit.now);
        look(circuit.console.lines())
    }

    /// Stores only the newest `bytes` of the console and the newest `tones` changes of tone from
    /// now on, instead of [`CONSOLE_BYTES_MAX`](super::CONSOLE_BYTES_MAX) and
    /// [`TONES_MAX`](super::TONES_MAX). Copies of the board do the same.
    pub fn keep_outputs(&self, bytes: usize, tones: usize) {
        let circuit = &mut *self.0.borrow_mut();
        circuit.console.keep(bytes);
        circuit.sound.keep(tones);
    }

    /// Returns the earliest time after now at which the line being sent can have left the wire;
    /// `None` if no line is being sent. Exact once the line's newline is in the transmitter.
    pub fn console_line_due(&self) -> Option<Instant> {
        let circuit = &mut *self.0.borrow_mut();
        circuit.console.catch_up(circuit.now);
        circuit.console.line_due(circuit.now)
    }

    /// Returns the bytes that have left the console's wire by now: the newest
    /// [`CONSOLE_BYTES_MAX`](super::CONSOLE_BYTES_MAX).
    pub fn console_bytes(&self) -> Vec<u8> {
        let circuit = &mut *self.0.borrow_mut();
        circuit.console.catch_up(circuit.now);
        circuit.console.bytes().iter().copied().collect()
    }

    /// Returns every change of the buzzer's tone, of the newest [`TONES_MAX`](super::TONES_MAX).
    pub fn tones(&self) -> Vec<Tone> {
        self.tones_from(0)
    }

    /// Returns every change of the buzzer's tone, from the change with index `first` on.
    pub fn tones_from(&self, first: usize) -> Vec<Tone> {
        self.with_tones(|tones| tones.range(first..).copied().collect())
    }

    /// Calls `look` with the newest changes of the buzzer's tone, without a copy.
    pub fn with_tones<R>(&self, look: impl FnOnce(&Log<Tone>) -> R) -> R {
        look(self.0.borrow().sound.tones())
    }

    /// Returns how many entries were dropped because a history was full.
    pub fn dropped(&self) -> Dropped {
        let circuit = self.0.borrow();
        let (violations, notes) = circuit.lcd(self.1).dropped();
        Dropped {
            violations,
            notes,
            console_bytes: circuit.console.bytes().first() as u64,
            console_lines: circuit.console.lines().first() as u64,
            tones: circuit.sound.tones().first() as u64,
        }
    }
}

/// Number of entries dropped from each history.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dropped {
    /// Violations beyond [`VIOLATIONS_MAX`](ili9341_model::VIOLATIONS_MAX).
    pub violations: u64,
    /// Notes beyond [`VIOLATIONS_MAX`](ili9341_model::VIOLATIONS_MAX).
    pub notes: u64,
    /// Console bytes before the newest that are stored.
    pub console_bytes: u64,
    /// Console lines before the newest that are stored.
    pub console_lines: u64,
    /// Changes of tone before the newest that are stored.
    pub tones: u64,
}
