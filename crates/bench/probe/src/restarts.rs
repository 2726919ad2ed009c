//! A board that starts again by itself: it was reset, or its power failed for a moment.
//!
//! RESET that is held, and some lines of the console, have the firmware write its `boot` line again. What only a chip that starts does
//! is resetting the LCD before. A wire of RST that breaks does not come up again.

use probe_protocol::Wire;

use crate::bring_up::BOOTED;

/// How far a board has come since its power was switched on.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Stage {
    #[default]
    Starting,
    /// It has written its `boot` line.
    Booted,
    /// RST is low after that,
    InReset,
    /// and high again.
    WasReset,
}

/// See the module.
#[derive(Default)]
pub(crate) struct Restarts {
    stage: Stage,
    /// Something was typed, which may have it start.
    is_typed: bool,
    /// The end of what came on the console, as long as what is looked for.
    said: Vec<u8>,
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

    /// Takes a byte of the console; true if with it the board says that it starts, and it was not told to.
    pub(crate) fn heard(&mut self, byte: u8) -> bool {
        if self.said.len() == BOOTED.len() {
            self.said.remove(0);
        }
        self.said.push(byte);
        if self.said != BOOTED.as_bytes() {
            return false;
        }
        let before = std::mem::replace(&mut self.stage, Stage::Booted);
        before == Stage::WasReset && !self.is_typed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `low` and `high` are RST's levels; whether a line of the console says that the board has started by itself.
    fn is_restart(events: &[&str]) -> bool {
        let mut restarts = Restarts::default();
        let mut found = false;
        for event in events {
            match *event {
                "low" => restarts.level(Wire::Reset, false),
                "high" => restarts.level(Wire::Reset, true),
                "typed" => restarts.typed(),
                line => line.bytes().for_each(|byte| found |= restarts.heard(byte)),
            }
        }
        found
    }

    const BOOT: &str = "boot nudge=0.1.0 game=board\r\n";

    #[test]
    fn a_chip_that_starts_resets_its_lcd_and_says_so() {
        assert!(is_restart(&["low", "high", BOOT, "position\n", "low", "high", BOOT]));
        // Power-on, RESET that is held, a wire that breaks, a line that is typed.
        assert!(!is_restart(&["low", "high", BOOT]));
        assert!(!is_restart(&["low", "high", BOOT, BOOT]));
        assert!(!is_restart(&["low", "high", BOOT, "low", BOOT]));
        assert!(!is_restart(&["high", "low", "high", BOOT]));
        assert!(!is_restart(&["low", "high", BOOT, "typed", "low", "high", BOOT]));
    }
}
