//! Everything on the board, with one clock. The handles in `wires` and `terminals` act on this
//! state.

use super::backlight::BacklightWire;
use super::console::Console;
use super::contact::Contact;
use super::controls::ControlPanel;
use super::entropy::Source;
use super::lamps::Lamps;
use super::memories::Memories;
use super::more_lcd::MoreLcd;
use super::noise::Noise;
use super::probe::{LcdPin, Listeners};
use super::sound::Sound;
use super::text_reader::TextReader;
use super::typing::Typing;
use crate::flash::{FlashChip, FlashReader};
use ili9341_model::Ili9341;
use trace::{Button, ButtonSet, Buttons, Displays};
use virtual_time::{Instant, Nanos};

/// Duration of a byte on SPI at 1 Hz, in nanoseconds.
pub(super) const BYTE_AT_ONE_HERTZ: u64 = 8_000_000_000;

#[derive(Clone)]
pub(super) struct Circuit {
    pub(super) now: Instant,
    pub(super) powered: bool,
    pub(super) spi_hz: u64,
    /// Duration of a byte on SPI in nanoseconds, if that is a whole number.
    pub(super) spi_byte: Option<u64>,
    /// Fraction of a nanosecond of SPI time that has not been counted yet, in 1/`spi_hz` ns.
    pub(super) spi_remainder: u64,
    /// The contact of each button, in the order of `buttons`.
    pub(super) contacts: Vec<Contact>,
    pub(super) buttons: Buttons,
    pub(super) controls: ControlPanel,
    pub(super) lamps: Lamps,
    /// The first display.
    pub(super) lcd: Ili9341,
    /// The displays after the first one.
    pub(super) more_lcds: Vec<MoreLcd>,
    pub(super) displays: Displays,
    pub(super) console: Console,
    pub(super) typing: Typing,
    pub(super) sound: Sound,
    pub(super) backlight: BacklightWire,
    pub(super) flash: FlashChip,
    pub(super) memories: Memories,
    pub(super) flash_reader: Option<FlashReader>,
    pub(super) text_reader: Option<TextReader>,
    pub(super) clip: Listeners,
    /// See [`VirtualBoard::set_input_listener`](super::VirtualBoard::set_input_listener).
    pub(super) input_listeners: Listeners,
    pub(super) seed: u64,
    /// See [`VirtualBoard::inputs_from`](super::VirtualBoard::inputs_from).
    pub(super) inputs_from: Option<Instant>,
    pub(super) entropy: Source,
    /// Noise on the first display's wire, if any.
    pub(super) noise: Option<Noise>,
    /// Planned time of a power cut under the running firmware.
    pub(super) cut_at: Option<Instant>,
    /// Time of the last power-off.
    pub(super) off_since: Instant,
    /// Whether the power was cut under the running firmware and is still off.
    pub(super) cut: bool,
}

impl Circuit {
    /// Sets the probes of the board, including its contacts, console and buzzer.
    pub(super) fn set_listener(&mut self, clip: Listeners) {
        for contact in &mut self.contacts {
            contact.clip = clip.clone();
        }
        self.console.clip = clip.clone();
        self.sound.clip = clip.clone();
        self.clip = clip;
    }

    pub(super) fn switch_off(&mut self) {
        if !self.powered {
            return;
        }
        self.console.catch_up(self.now);
        self.powered = false;
        self.cut_at = None;
        self.off_since = self.now;
        self.clip.tell(|probe| probe.power(self.now, false));
        self.lcd.set_power(self.now, false);
        self.backlight.set(self.now, false);
        self.more_lcds.iter_mut().for_each(|lcd| lcd.power_off(self.now));
        self.console.lose_power();
        self.typing.lose_power();
        self.sound.lose_power(self.now);
        self.lamps.lose_power(self.now);
        self.memories.lose_power(self.now);
    }

    pub(super) fn advance_to(&mut self, at: Instant) {
        if self.cut_if_due(at) {
            return;
        }
        self.now = self.now.max(at);
        if self.clip.is_on() {
            self.notify_listeners();
        }
    }

    /// Updates the lazily updated parts (console, contacts) to now and reports to the probes.
    pub(super) fn notify_listeners(&mut self) {
        self.console.catch_up(self.now);
        if !self.powered {
            self.settle_contacts();
        }
        let now = self.now;
        self.clip.tell(|probe| probe.reached(now));
    }

    /// Returns the button with the name that it has on this board.
    pub(super) fn named(&self, button: Button) -> Button {
        self.buttons.all().get(button.index()).copied().unwrap_or(button)
    }

    pub(super) fn move_finger(&mut self, at: Instant, button: Button, down: bool) {
        if let Some(contact) = self.contacts.get_mut(button.index()) {
            contact.move_finger(at, down);
        }
        if !self.powered {
            // Without power no pin is read: drop past edges, so that they do not accumulate.
            self.settle_contacts();
        }
    }

    /// Returns whether the contact of `button` is closed at `at`, and consumes its edges up to that
    /// time. A board that does not have the button has no such contact.
    pub(super) fn read_contact(&mut self, at: Instant, button: Button) -> bool {
        self.contacts.get_mut(button.index()).is_some_and(|contact| contact.read(at))
    }

    /// Returns the buttons whose contacts are closed at `at`, and consumes the edges up to that time.
    pub(super) fn read_contacts(&mut self, at: Instant) -> ButtonSet {
        let mut closed = ButtonSet::EMPTY;
        for (button, contact) in self.buttons.all().iter().zip(&mut self.contacts) {
            if contact.read(at) {
                closed.insert(*button);
            }
        }
        closed
    }

    /// Reads the contacts and controls as they are now and drops earlier edges.
    pub(super) fn settle_contacts(&mut self) {
        self.controls.advance(self.now);
        for contact in &mut self.contacts {
            contact.read(self.now);
        }
    }

    /// Sends `bytes`, eight clocks each.
    pub(super) fn clock_out(&mut self, bytes: &[u8]) {
        if self.is_dead() {
            return;
        }
        if self.clip.is_on() || self.noise.is_some() || self.cut_at.is_some() {
            return self.clock_out_watched(bytes);
        }
        // The common case: all bytes arrive, and no probe listens.
        let (start, end) = self.spend_bus_time(bytes.len());
        self.lcd.write(start, end, bytes);
    }

    /// Sends `bytes` with noise, power cuts and probes taken into account.
    #[cold]
    fn clock_out_watched(&mut self, bytes: &[u8]) {
        let (start, end) = self.spend_bus_time(bytes.len());
        let received = self.received(start, end, bytes.len());
        self.write(start, end, &bytes[..received]);
        self.bus_is_free(start, end);
    }

    /// Sends `bytes` and replaces them with the LCD's answer.
    pub(super) fn clock_both(&mut self, bytes: &mut [u8]) {
        if self.is_dead() {
            return;
        }
        let (start, end) = self.spend_bus_time(bytes.len());
        let received = self.received(start, end, bytes.len());
        self.exchange(start, end, &mut bytes[..received]);
        self.bus_is_free(start, end);
    }

    pub(super) fn write(&mut self, start: Instant, end: Instant, bytes: &[u8]) {
        self.clip.tell(|probe| probe.lcd_bytes(start, end, bytes, &[]));
        match self.disturbed(bytes) {
            Some(arrived) => self.lcd.write(start, end, &arrived),
            None => self.lcd.write(start, end, bytes),
        }
    }

    pub(super) fn exchange(&mut self, start: Instant, end: Instant, bytes: &mut [u8]) {
        let sent = if self.clip.is_on() { bytes.to_vec() } else { Vec::new() };
        if let Some(arrived) = self.disturbed(bytes) {
            bytes.copy_from_slice(&arrived);
        }
        self.lcd.exchange(start, end, bytes);
        self.clip.tell(|probe| probe.lcd_bytes(start, end, &sent, bytes));
    }

    pub(super) fn set_lcd_pin(&mut self, at: Instant, pin: LcdPin, high: bool) {
        if self.is_dead() {
            return;
        }
        self.clip.tell(|probe| probe.lcd_pin(at, pin, high));
        match pin {
            LcdPin::Dc => self.lcd.set_dc(at, high),
            LcdPin::Reset => self.lcd.set_reset(at, high),
            LcdPin::Backlight => {
                self.lcd.set_backlight(at, high);
                self.backlight.set(at, high);
            }
        }
    }

    pub(super) fn spend_bus_time(&mut self, bytes: usize) -> (Instant, Instant) {
        let start = self.now;
        if let (Some(byte), 0) = (self.spi_byte, self.spi_remainder) {
            self.now = start.saturating_add(Nanos(byte.saturating_mul(bytes as u64)));
            return (start, self.now);
        }
        let product = (bytes as u64).checked_mul(BYTE_AT_ONE_HERTZ);
        let span = match product.and_then(|product| product.checked_add(self.spi_remainder)) {
            Some(due) => {
                self.spi_remainder = due % self.spi_hz;
                due / self.spi_hz
            }
            // At least two gigabytes in one write: slow division suffices.
            None => {
                let due =
                    bytes as u128 * u128::from(BYTE_AT_ONE_HERTZ) + u128::from(self.spi_remainder);
                let hz = u128::from(self.spi_hz);
                self.spi_remainder = (due % hz) as u64;
                u64::try_from(due / hz).unwrap_or(u64::MAX)
            }
        };
        self.now = start.saturating_add(Nanos(span));
        (start, self.now)
    }
}
