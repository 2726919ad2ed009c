//! What can be wrong with a probe in software, with its wires, and with the board behind it.

use std::time::Duration;

use probe_protocol::Wire;
use virtual_time::Instant;

/// What can be wrong. Moments are those of the board's clock, which runs from the probe's first start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flaws {
    /// It speaks another protocol.
    pub protocol: Option<u16>,
    /// It has another host.
    pub busy: bool,
    /// Another host greets it then.
    pub other_host_at: Option<Instant>,
    /// It loses what is on the LCD's wire from this moment on.
    pub overrun_at: Option<Instant>,
    /// It restarts then.
    pub restart_at: Option<Instant>,
    /// It says nothing from then on.
    pub silent_from: Option<Instant>,
    /// This wire from the board is off, and stays low.
    pub wire_off: Option<Wire>,
    /// A wire becomes so at this moment.
    pub wire_at: Option<(Instant, WireFlaw)>,
    /// This slow wire touches a fast one: it moves whenever bytes come.
    pub restless: Option<Wire>,
    /// The wire to the board's UART0 RX is off.
    pub console_off: bool,
    /// The board is reset then, or loses its power for so long.
    pub power_cut_at: Option<(Instant, Duration)>,
    /// The board has another firmware.
    pub firmware: Option<OtherFirmware>,
    /// The board's clock is so many millionths slower than the probe's.
    pub board_slow_ppm: u32,
}

/// What becomes of a wire from the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WireFlaw {
    /// It has this level, whatever the board does.
    Stuck(Wire, bool),
    /// The probe reads each of these where it should read the other. Of RST, the backlight, DC and the console's byte alone.
    Swapped(Wire, Wire),
}

/// A firmware that draws as the board's own, and sets its LCD up in another way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OtherFirmware {
    /// Its picture is mirrored.
    Mirrored,
    /// Its LCD is an ST7789.
    St7789,
}

impl OtherFirmware {
    /// What it says before the board's own bytes, of which the last command is `command`: commands with their data.
    pub(super) fn before(self, command: u8, data: bool) -> &'static [(u8, &'static [u8])] {
        match (self, command, data) {
            // As Adafruit's and TFT_eSPI's drivers do before sleep out, 11h.
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

    /// What it says in place of the `bytes` of `command`.
    pub(super) fn instead(self, command: u8, data: bool, bytes: &mut [u8]) {
        if let (Self::Mirrored, 0x36, true, Some(first)) = (self, command, data, bytes.first_mut())
        {
            *first ^= 0x40;
        }
    }
}
