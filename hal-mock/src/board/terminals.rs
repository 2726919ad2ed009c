//! The board's wires for a chip that keeps its own time: an emulated microcontroller reports when
//! each thing happened on its pins, and reads the levels of the contacts.
//!
//! The handles of `wires` spend the board's time themselves, as firmware does that is compiled for
//! this computer. Here nothing takes time: the caller moves the clock with
//! [`VirtualBoard::advance_to`](super::VirtualBoard::advance_to). Times never go back.

use std::cell::RefCell;
use std::rc::Rc;

use super::circuit::Circuit;
use super::controls::Position;
use super::probe::LcdPin;
use super::typing::TypedByte;
use trace::{Button, LedState};
use virtual_time::Instant;

/// The far ends of the wires, and the number of the display that the methods about an LCD act on.
#[derive(Clone)]
pub struct Terminals(pub(super) Rc<RefCell<Circuit>>, pub(super) usize);

impl Terminals {
    /// Returns the same terminals with those of another display.
    #[must_use]
    pub fn at_display(&self, display: usize) -> Self {
        Self(Rc::clone(&self.0), display)
    }

    /// Sends bytes on MOSI while the LCD is selected, from the first clock to the last.
    pub fn lcd_write(&self, start: Instant, end: Instant, bytes: &[u8]) {
        self.0.borrow_mut().write_to(self.1, start, end, bytes);
    }

    /// Sends bytes like [`lcd_write`](Self::lcd_write) and replaces them with the LCD's answer on
    /// MISO.
    pub fn lcd_exchange(&self, start: Instant, end: Instant, bytes: &mut [u8]) {
        self.0.borrow_mut().exchange_with(self.1, start, end, bytes);
    }

    /// Sets the LCD's D/CX.
    pub fn set_lcd_dc(&self, at: Instant, high: bool) {
        self.0.borrow_mut().set_pin_of(self.1, at, LcdPin::Dc, high);
    }

    /// Sets the LCD's RESX, which a pull-up holds high until it is driven.
    pub fn set_lcd_reset(&self, at: Instant, high: bool) {
        self.0.borrow_mut().set_pin_of(self.1, at, LcdPin::Reset, high);
    }

    /// Switches the LCD's backlight.
    pub fn set_backlight(&self, at: Instant, on: bool) {
        self.0.borrow_mut().set_pin_of(self.1, at, LcdPin::Backlight, on);
    }

    /// Sets the frequency at which the piezo toggles from `at` on; `None` stops it.
    pub fn set_tone(&self, at: Instant, hertz: Option<u32>) {
        self.0.borrow_mut().sound.set(at, hertz);
    }

    /// Applies the movements of controls up to `at`.
    pub fn move_controls(&self, at: Instant) {
        self.0.borrow_mut().controls.advance(at);
    }

    /// Returns the position of the control with this number among the controls of the board.
    pub fn position(&self, control: usize) -> Option<Position> {
        self.0.borrow().controls.position(control)
    }

    /// Sets the state of an LED from `at` on: its number among the LEDs of the board, and in its
    /// chain.
    pub fn set_led(&self, at: Instant, led: usize, number: usize, state: LedState) {
        self.0.borrow_mut().lamps.set(at, led, number, state);
    }

    /// Selects the SPI flash or SD card with this number on the board, or ends its selection.
    pub fn select_memory(&self, at: Instant, number: usize, is_selected: bool) {
        self.0.borrow_mut().memories.select(at, number, is_selected);
    }

    /// Sends bytes to the selected memory with this number, from the first clock to the last, and
    /// replaces them with its answers. `open` is the answer while it drives nothing.
    pub fn exchange_with_memory(
        &self,
        start: Instant,
        end: Instant,
        number: usize,
        bytes: &mut [u8],
        open: u8,
    ) {
        self.0.borrow_mut().memories.exchange(start, end, number, bytes, open);
    }

    /// Returns whether a card is in the slot with this number among the memories.
    pub fn has_card(&self, number: usize) -> bool {
        self.0.borrow().memories.has_card(number)
    }

    /// Receives a byte whose stop bit has left UART0 at `at`.
    pub fn hear(&self, at: Instant, byte: u8) {
        self.0.borrow_mut().console.receive(byte, at);
    }

    /// Returns the next typed byte, if it has arrived at UART0 at `at`.
    pub fn take_typed(&self, at: Instant) -> Option<TypedByte> {
        self.0.borrow_mut().typing.take(at)
    }

    /// Returns the button with the name that it has on this board.
    pub fn named(&self, button: Button) -> Button {
        self.0.borrow().named(button)
    }

    /// Returns whether the contact of `button` is closed at `at` (its pin is low then). Consumes
    /// the edges up to that time.
    pub fn is_closed(&self, at: Instant, button: Button) -> bool {
        self.0.borrow_mut().read_contact(at, button)
    }

    /// Returns whether the contact of the button with this number is closed at `at`, as
    /// [`is_closed`](Self::is_closed) does; false for a number that the board does not have.
    pub fn is_button_closed(&self, at: Instant, number: usize) -> bool {
        let circuit = &mut *self.0.borrow_mut();
        circuit.contacts.get_mut(number).is_some_and(|contact| contact.read(at))
    }
}
