//! A logic analyser on the board's wires: an implementation of [`WireListener`] is called for everything
//! that happens on them. Nothing is stored here.
//!
//! Calls do not come in the order of their times: a byte on the UART is reported once it has left,
//! a contact's edge once a pin has read it, and what an emulated chip does once its time slice is
//! over. Everything more than [`REPORT_DELAY_MAX`] before the time of [`WireListener::reached`] is complete. A
//! probe knows wires and no firmware.

use std::cell::RefCell;
use std::rc::Rc;

use super::input::Input;
use trace::Button;
use virtual_time::{Instant, Nanos};

/// Maximum delay of a report: the longest boot of a machine is 1 s, and nothing else blocks for
/// longer.
pub const REPORT_DELAY_MAX: Nanos = Nanos::from_secs(2);

/// A pin of the LCD module that firmware sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LcdPin {
    /// The D/CX pin.
    Dc,
    /// The RESX pin.
    Reset,
    /// The pin of the module's backlight.
    Backlight,
}

/// A listener on the wires. Every method has an empty default body.
pub trait WireListener {
    /// Called for an input from outside, while the board's clock is at `now`.
    fn input(&mut self, _now: Instant, _input: Input) {}

    /// Called when the power is switched.
    fn power(&mut self, _at: Instant, _on: bool) {}

    /// Called when a contact closes (its pin falls) or opens, bounce included.
    fn contact(&mut self, _at: Instant, _button: Button, _closed: bool) {}

    /// Called when a pin of the first display is set; it may have had that level already.
    fn lcd_pin(&mut self, _at: Instant, _pin: LcdPin, _high: bool) {}

    /// Called for bytes on the first display's SPI with chip select low, evenly spread from the first clock
    /// to the last. `_answered` is the LCD's answer: equally many bytes, or none if the host only
    /// wrote.
    fn lcd_bytes(&mut self, _start: Instant, _end: Instant, _sent: &[u8], _answered: &[u8]) {}

    /// Called when a pin of a display after the first one is set. The number of the display is at
    /// least 1.
    fn further_lcd_pin(&mut self, _display: usize, _at: Instant, _pin: LcdPin, _high: bool) {}

    /// Called for bytes on the bus of a display after the first one, like
    /// [`lcd_bytes`](Self::lcd_bytes).
    fn further_lcd_bytes(
        &mut self,
        _display: usize,
        _start: Instant,
        _end: Instant,
        _sent: &[u8],
        _answered: &[u8],
    ) {
    }

    /// Called when the buzzer's pin begins to toggle at the given frequency, or stops.
    fn tone(&mut self, _at: Instant, _hz: Option<u32>) {}

    /// Called for a byte whose stop bit has left the console's wire at `end`.
    fn console(&mut self, _end: Instant, _byte: u8) {}

    /// Called with the time of the board's clock. Called often.
    fn reached(&mut self, _now: Instant) {}
}

/// The attached probes, shared by all parts of a board that report to them.
#[derive(Clone, Default)]
pub(super) struct Listeners(Vec<Rc<RefCell<dyn WireListener>>>);

impl Listeners {
    pub(super) fn on(probe: Rc<RefCell<dyn WireListener>>) -> Self {
        Self(vec![probe])
    }

    /// Returns these probes and one more.
    pub(super) fn and(&self, probe: Rc<RefCell<dyn WireListener>>) -> Self {
        Self(self.0.iter().cloned().chain([probe]).collect())
    }

    pub(super) fn is_on(&self) -> bool {
        !self.0.is_empty()
    }

    pub(super) fn tell(&self, mut what: impl FnMut(&mut dyn WireListener)) {
        for probe in &self.0 {
            what(&mut *probe.borrow_mut());
        }
    }
}
