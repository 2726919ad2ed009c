//! Detects a board that restarts by itself: it was reset, or its power failed for a short time.
//!
//! The firmware also writes its `boot` line again when RESET is held and after some console lines.
//! Only a chip that starts resets the LCD before it. If the wire of RST breaks, RST does not go
//! high again.

use probe_protocol::Wire;

use crate::bring_up::BOOTED;

/// Progress of a board since its power was switched on.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Stage {
    #[default]
    Starting,
    /// The board has written its `boot` line.
    Booted,
    /// RST went low after the `boot` line.
    InReset,
    /// RST went high again after that.
    WasReset,
}

/// Detector of restarts.
#[derive(Default)]
pub(crate) struct Restarts {
    stage: Stage,
    /// Whether something was typed, which may cause a restart.
    is_typed: bool,
    /// Last bytes received on the console, at most the length of [`BOOTED`].
    received: Vec<u8>,
}

impl Restarts {
    pub(crate) fn typed(&mut self) {
        self.is_typed = true;
    }

    pub(crate) fn level(&mut self, wire: Wire, high: bool) {
        self.stage = match (self.stage, wire, high) {
            (Stage::Booted, Wire::Reset, false) => Stage::InReset,
            (Stage::InReset, Wire::Reset, true) => Stage::WasReset,
            (stage, ..) => stage,
        };
    }

    /// Processes a byte of the console. Returns true if it completes the `boot` line of a restart
    /// that was not ordered.
    pub(crate) fn receive(&mut self, byte: u8) -> bool {
        if self.received.len() == BOOTED.len() {
            self.received.remove(0);
        }
        self.received.push(byte);
        if self.received != BOOTED.as_bytes() {
            return false;
        }
        let before = std::mem::replace(&mut self.stage, Stage::Booted);
        before == Stage::WasReset && !self.is_typed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns whether the events contain a restart. `low` and `high` are levels of RST, `typed` is
    /// input; every other event is console output.
    fn is_restart(events: &[&str]) -> bool {
        let mut restarts = Restarts::default();
        let mut found = false;
        for event in events {
            match *event {
                "low" => restarts.level(Wire::Reset, false),
                "high" => restarts.level(Wire::Reset, true),
                "typed" => restarts.typed(),
                line => line.bytes().for_each(|byte| found |= restarts.receive(byte)),
            }
        }
        found
    }

    const BOOT: &str = "boot nudge=0.1.0 game=board\r\n";

    #[test]
    fn a_restart_is_an_lcd_reset_and_a_boot_line() {
        assert!(is_restart(&["low", "high", BOOT, "position\n", "low", "high", BOOT]));
        // Power-on, RESET that is held, a wire that breaks, a line that is typed.
        assert!(!is_restart(&["low", "high", BOOT]));
        assert!(!is_restart(&["low", "high", BOOT, BOOT]));
        assert!(!is_restart(&["low", "high", BOOT, "low", BOOT]));
        assert!(!is_restart(&["high", "low", "high", BOOT]));
        assert!(!is_restart(&["low", "high", BOOT, "typed", "low", "high", BOOT]));
    }
}
