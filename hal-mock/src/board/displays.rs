//! The displays of a board: the first one, and further ones, each with its panel and the wire of its
//! backlight.
//!
//! A handle to the board reads the picture of one display, and gives its wire a fault. Listeners are
//! called for further displays by methods of their own.

use std::rc::Rc;

use super::backlight::BacklightWire;
use super::circuit::Circuit;
use super::more_lcd::MoreLcd;
use super::noise::Noise;
use super::probe::LcdPin;
use super::{Ili9341, VirtualBoard};
use ili9341_model::{Module, Table};
use trace::Displays;
use virtual_time::Instant;

impl VirtualBoard {
    /// Returns a handle to the same board that reads the picture of another display; of the first
    /// one, if the board has none with this number.
    #[must_use]
    pub fn at_display(&self, display: usize) -> Self {
        Self(Rc::clone(&self.0), display)
    }

    /// Returns the number of displays, at least 1.
    pub fn display_count(&self) -> usize {
        1 + self.0.borrow().more_lcds.len()
    }

    /// Returns the displays, with their names.
    pub fn displays(&self) -> Displays {
        self.0.borrow().displays.clone()
    }

    /// Returns the controller of the display, and how its panel is mounted.
    pub fn controller(&self) -> (&'static Table, Module) {
        let circuit = self.0.borrow();
        let lcd = circuit.lcd(self.1);
        (lcd.table(), *lcd.module())
    }

    /// Returns the time at which something visible last changed on any display.
    pub fn last_change_of_all(&self) -> Instant {
        self.0.borrow().lcds().map(Ili9341::last_change).max().unwrap_or_default()
    }

    /// Returns the number of bytes that all displays have received since power-on.
    pub fn bytes_of_all(&self) -> u64 {
        self.0.borrow().lcds().map(|lcd| lcd.bus().bytes).sum()
    }

    /// Returns whether any display has received a pixel since power-on.
    pub fn has_drawn(&self) -> bool {
        self.0.borrow().lcds().any(|lcd| lcd.bus().pixel_bytes > 0)
    }
}

impl Circuit {
    /// Returns the display with this number; the first one, if there is none.
    pub(super) fn lcd(&self, display: usize) -> &Ili9341 {
        self.more(display).map_or(&self.lcd, |more| &more.lcd)
    }

    /// Returns the display with this number; the first one, if there is none.
    pub(super) fn lcd_mut(&mut self, display: usize) -> &mut Ili9341 {
        let more = display.checked_sub(1).and_then(|index| self.more_lcds.get_mut(index));
        more.map_or(&mut self.lcd, |more| &mut more.lcd)
    }

    /// Returns all displays.
    pub(super) fn lcds(&self) -> impl Iterator<Item = &Ili9341> {
        std::iter::once(&self.lcd).chain(self.more_lcds.iter().map(|more| &more.lcd))
    }

    /// Returns the wire of the display's backlight.
    pub(super) fn backlight(&self, display: usize) -> &BacklightWire {
        self.more(display).map_or(&self.backlight, |more| &more.backlight)
    }

    fn more(&self, display: usize) -> Option<&MoreLcd> {
        display.checked_sub(1).and_then(|index| self.more_lcds.get(index))
    }

    /// Sends bytes to the display with this number.
    pub(super) fn write_to(&mut self, display: usize, start: Instant, end: Instant, bytes: &[u8]) {
        let Some(index) = display.checked_sub(1) else { return self.write(start, end, bytes) };
        self.clip.tell(|probe| probe.further_lcd_bytes(display, start, end, bytes, &[]));
        if let Some(more) = self.more_lcds.get_mut(index) {
            more.write(start, end, bytes);
        }
    }

    /// Sends bytes to the display with this number, and replaces them with its answer.
    pub(super) fn exchange_with(
        &mut self,
        display: usize,
        start: Instant,
        end: Instant,
        bytes: &mut [u8],
    ) {
        let Some(index) = display.checked_sub(1) else { return self.exchange(start, end, bytes) };
        let Some(more) = self.more_lcds.get_mut(index) else { return };
        let sent = if self.clip.is_on() { bytes.to_vec() } else { Vec::new() };
        more.exchange(start, end, bytes);
        self.clip.tell(|probe| probe.further_lcd_bytes(display, start, end, &sent, bytes));
    }

    /// Sets a pin of the display with this number.
    pub(super) fn set_pin_of(&mut self, display: usize, at: Instant, pin: LcdPin, high: bool) {
        let Some(index) = display.checked_sub(1) else { return self.set_lcd_pin(at, pin, high) };
        if self.is_dead() {
            return;
        }
        if let Some(more) = self.more_lcds.get_mut(index) {
            self.clip.tell(|probe| probe.further_lcd_pin(display, at, pin, high));
            more.set(at, pin, high);
        }
    }

    /// Sets the noise on the wire of the display with this number.
    pub(super) fn set_noise(&mut self, display: usize, noise: Option<Noise>) {
        match display.checked_sub(1).and_then(|index| self.more_lcds.get_mut(index)) {
            Some(more) => more.noise = noise,
            None => self.noise = noise,
        }
    }
}
