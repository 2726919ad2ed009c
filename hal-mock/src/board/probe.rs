//! A logic analyser on the board's wires: an implementation of [`Probe`] is called for everything
//! that moves on them, as it happens, and nothing is kept here.
//!
//! Calls do not come in the order of their times: a byte on the UART is reported once it has
//! left, a contact's edge once a pin has read it, and what an emulated chip does once its
//! slice is over. What lies [`TOLD_WITHIN`] before the moment of [`Probe::reached`] is
//! complete. The probe knows wires and no firmware.

use std::cell::RefCell;
use std::rc::Rc;

use super::input::Input;
use trace::Button;
use virtual_time::{Instant, Nanos};

/// How late a probe hears of something at most: the longest boot of a machine is 1 s, and
/// nothing else blocks for longer.
pub const TOLD_WITHIN: Nanos = Nanos::from_secs(2);

/// A pin of the LCD module that firmware sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LcdPin {
    /// D/CX.
    Dc,
    /// RESX.
    Reset,
    /// The module's backlight.
    Backlight,
}

/// What listens to the wires. Each method may be left out.
pub trait Probe {
    /// Something is done to the board from outside, while its clock stands at `now`.
    fn input(&mut self, _now: Instant, _input: Input) {}

    /// The power comes or goes.
    fn power(&mut self, _at: Instant, _on: bool) {}

    /// A contact closes (its pin falls) or opens, bounce included.
    fn contact(&mut self, _at: Instant, _button: Button, _closed: bool) {}

    /// A pin of the LCD is set; it may have had that level already.
    fn lcd_pin(&mut self, _at: Instant, _pin: LcdPin, _high: bool) {}

    /// Bytes on the LCD's SPI with chip select low, from the first clock to the last, evenly
    /// spread. `answered` is what came back: as many bytes, or none if the host only wrote.
    fn lcd_bytes(&mut self, _start: Instant, _end: Instant, _sent: &[u8], _answered: &[u8]) {}

    /// The buzzer's pin toggles at so many hertz from now on, or not at all.
    fn tone(&mut self, _at: Instant, _hz: Option<u32>) {}

    /// A byte whose stop bit has left the console's wire at `end`.
    fn console(&mut self, _end: Instant, _byte: u8) {}

    /// The board's clock stands here. Comes often.
    fn reached(&mut self, _now: Instant) {}
}

/// Where probes can be clipped on: the parts of a board that are heard share them.
#[derive(Clone, Default)]
pub(super) struct Clip(Vec<Rc<RefCell<dyn Probe>>>);

impl Clip {
    pub(super) fn on(probe: Rc<RefCell<dyn Probe>>) -> Self {
        Self(vec![probe])
    }

    /// These, and one more.
    pub(super) fn and(&self, probe: Rc<RefCell<dyn Probe>>) -> Self {
        Self(self.0.iter().cloned().chain([probe]).collect())
    }

    pub(super) fn is_on(&self) -> bool {
        !self.0.is_empty()
    }

    pub(super) fn tell(&self, mut what: impl FnMut(&mut dyn Probe)) {
        for probe in &self.0 {
            what(&mut *probe.borrow_mut());
        }
    }
}
