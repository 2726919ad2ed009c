//! Faults of a probe in software, of its wires, and of the board on it.

use std::time::Duration;

use probe_protocol::Wire;
use trace::Button;
use virtual_time::Instant;

/// Faults to simulate. Times are those of the board's clock, which runs from the probe's first
/// start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flaws {
    /// The probe has this version of the protocol.
    pub protocol: Option<u16>,
    /// The probe is in use by another host.
    pub busy: bool,
    /// Another host greets the probe at this time.
    pub other_host_at: Option<Instant>,
    /// The probe loses LCD data from this time on.
    pub overrun_at: Option<Instant>,
    /// The probe restarts at this time.
    pub restart_at: Option<Instant>,
    /// The probe sends nothing from this time on.
    pub silent_from: Option<Instant>,
    /// This wire from the board is disconnected and stays low.
    pub wire_off: Option<Wire>,
    /// A wire gets this fault at this time.
    pub wire_at: Option<(Instant, WireFlaw)>,
    /// This slow wire touches a fast one: it changes whenever bytes are sent.
    pub restless: Option<Wire>,
    /// The wire to the board's UART0 RX is disconnected.
    pub console_off: bool,
    /// The wire of this button is disconnected.
    pub button_off: Option<Button>,
    /// The wires of these two buttons are exchanged.
    pub buttons_exchanged: Option<(Button, Button)>,
    /// The board loses its power at this time, for this duration; a short one acts as a reset.
    pub power_cut_at: Option<(Instant, Duration)>,
    /// The board has this other firmware.
    pub firmware: Option<OtherFirmware>,
    /// The board's firmware was built from other sources: the hash in its `boot` line is another
    /// one.
    pub other_sources: bool,
    /// Slowness of the board's clock against the probe's, in millionths.
    pub board_slow_ppm: u32,
}

impl Flaws {
    /// Returns the button that the probe's wire of `button` closes.
    pub(super) fn closed_by(&self, button: Button) -> Option<Button> {
        let button = match self.buttons_exchanged {
            Some((one, other)) if button == one => other,
            Some((one, other)) if button == other => one,
            _ => button,
        };
        (self.button_off != Some(button)).then_some(button)
    }
}

/// A fault of a wire from the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WireFlaw {
    /// The wire has this level, whatever the board drives.
    Stuck(Wire, bool),
    /// Each of these inputs of the probe shows the other wire. Only for RST, the backlight, DC and
    /// the console's byte.
    Swapped(Wire, Wire),
}

/// A firmware that draws as the board's own, but initialises its LCD differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OtherFirmware {
    /// The picture is mirrored.
    Mirrored,
    /// The LCD is an ST7789.
    St7789,
}

impl OtherFirmware {
    /// Returns the commands with their data that this firmware sends before the board's own bytes,
    /// of which the last command is `command`.
    pub(super) fn before(self, command: u8, data: bool) -> &'static [(u8, &'static [u8])] {
        match (self, command, data) {
            // As the drivers of Adafruit and TFT_eSPI do before sleep out, 11h.
            (Self::St7789, 0x11, false) => &[
                (0xB2, &[0x0C, 0x0C, 0x00, 0x33, 0x33]),
                (0xB7, &[0x35]),
                (0xBB, &[0x28]),
                (0xC3, &[0x10]),
                (0xC4, &[0x20]),
                (0xC6, &[0x0F]),
                (0xD0, &[0xA4, 0xA1]),
            ],
            _ => &[],
        }
    }

    /// Replaces the `bytes` of `command` by those that this firmware sends.
    pub(super) fn instead(self, command: u8, data: bool, bytes: &mut [u8]) {
        if let (Self::Mirrored, 0x36, true, Some(first)) = (self, command, data, bytes.first_mut())
        {
            *first ^= 0x40;
        }
    }
}
