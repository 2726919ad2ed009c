//! The registers of the capacitive touch controllers FT6206 and FT6236 (FT6x06 register map, operating
//! mode).
//!
//! One finger is reported. Gestures are not recognised. INT is low during a touch in the polling mode of
//! G_MODE, and has a pulse for each report in its trigger mode.

use virtual_time::Nanos;

use crate::pico::bus_clock::ClockLimit;
use crate::pico::interrupt_line::InterruptMode;

/// SCL of the bus ("I2C Interface").
pub(super) const SCL: ClockLimit = ClockLimit {
    clock: "SCL",
    clocks: 9,
    khz: 400,
    source: "FT6206 data sheet, \"I2C Interface\"",
};

/// Registers by their names in the register map.
const TD_STATUS: u8 = 0x02;
const P1_XH: u8 = 0x03;
const P1_XL: u8 = 0x04;
const P1_YH: u8 = 0x05;
const P1_YL: u8 = 0x06;
const P1_WEIGHT: u8 = 0x07;
const P1_MISC: u8 = 0x08;
const P2_XH: u8 = 0x09;
const P2_MISC: u8 = 0x0E;
const TH_GROUP: u8 = 0x80;
const CTRL: u8 = 0x86;
const TIME_ENTER_MONITOR: u8 = 0x87;
const PERIOD_ACTIVE: u8 = 0x88;
const PERIOD_MONITOR: u8 = 0x89;
const CIPHER: u8 = 0xA3;
const G_MODE: u8 = 0xA4;
const FOCALTECH_ID: u8 = 0xA8;
const STATE: u8 = 0xBC;

/// First register that the program can change.
const FIRST_SETTING: u8 = 0x80;

/// Event flag, bits 7 and 6 of P1_XH.
const PRESS_DOWN: u8 = 0b00 << 6;
const LIFT_UP: u8 = 0b01 << 6;
const CONTACT: u8 = 0b10 << 6;
/// Mode of INT, bit 0 of G_MODE: 0 is polling, 1 is trigger.
const TRIGGER: u8 = 0x01;
/// Value of the registers of a point that no finger has touched: no event, no touch identification.
const NO_POINT: u8 = 0xFF;

/// An FT6206 or FT6236.
#[derive(Clone, Debug)]
pub(super) struct Ft6206 {
    /// Number of the control.
    control: usize,
    is_touched: bool,
    registers: [u8; 256],
}

impl Ft6206 {
    /// Creates the controller of the touch panel `control`. `cipher` is its identification.
    pub(super) fn new(control: usize, cipher: u8) -> Self {
        let mut registers = [0; 256];
        registers[usize::from(P1_XH)..=usize::from(P2_MISC)].fill(NO_POINT);
        for (register, value) in [
            (TH_GROUP, 0x12),
            (CTRL, 0x01),
            (TIME_ENTER_MONITOR, 0x0A),
            (PERIOD_ACTIVE, 0x0C),
            (PERIOD_MONITOR, 0x28),
            (CIPHER, cipher),
            (G_MODE, 0x01),
            (FOCALTECH_ID, 0x11),
            (STATE, 0x01),
        ] {
            registers[usize::from(register)] = value;
        }
        Self { control, is_touched: false, registers }
    }

    /// Moves the finger, if the controller is that of the touch panel `control`.
    pub(super) fn touch(&mut self, control: usize, finger: Option<[u16; 2]>) {
        if control != self.control {
            return;
        }
        let was_touched = std::mem::replace(&mut self.is_touched, finger.is_some());
        self.set(TD_STATUS, finger.is_some().into());
        let Some([x, y]) = finger else {
            if was_touched {
                // The last point remains readable.
                let high = self.registers[usize::from(P1_XH)] & 0x0F;
                self.set(P1_XH, LIFT_UP | high);
            }
            return;
        };
        let event = match was_touched {
            true => self.registers[usize::from(P1_XH)] & 0xC0,
            false => PRESS_DOWN,
        };
        let [x_high, x_low] = x.to_be_bytes();
        let [y_high, y_low] = y.to_be_bytes();
        self.set(P1_XH, event | x_high & 0x0F);
        self.set(P1_XL, x_low);
        // The touch identification, bits 7 to 4, is 0.
        self.set(P1_YH, y_high & 0x0F);
        self.set(P1_YL, y_low);
        self.set(P1_WEIGHT, 0);
        self.set(P1_MISC, 0);
    }

    /// Returns how INT reports a touch, if the controller is that of the touch panel `control`. The
    /// register map gives PERIOD_ACTIVE no unit; here it is in milliseconds.
    pub(super) fn interrupt(&self, control: usize) -> Option<InterruptMode> {
        if control != self.control {
            return None;
        }
        let is_trigger = self.registers[usize::from(G_MODE)] & TRIGGER != 0;
        let period = u64::from(self.registers[usize::from(PERIOD_ACTIVE)]);
        Some(match is_trigger {
            true => InterruptMode::Pulses { period: Nanos::from_millis(period) },
            false => InterruptMode::Level,
        })
    }

    fn set(&mut self, register: u8, value: u8) {
        self.registers[usize::from(register)] = value;
    }

    /// Returns the value of a register. The first read after a press is the report of its event; later
    /// ones report the contact.
    pub(super) fn read(&mut self, register: u8) -> u8 {
        let value = self.registers[usize::from(register)];
        if register == P1_XH && self.is_touched {
            self.set(P1_XH, CONTACT | value & 0x0F);
        }
        value
    }

    /// Changes a setting. The other registers are read-only, except those of modes for the factory.
    pub(super) fn write(&mut self, register: u8, value: u8) {
        if register >= FIRST_SETTING && ![CIPHER, FOCALTECH_ID, STATE].contains(&register) {
            self.set(register, value);
        }
    }
}

const _: () = assert!(P2_XH == P1_MISC + 1);

#[cfg(test)]
mod tests {
    use super::*;

    fn point(controller: &mut Ft6206) -> [u8; 5] {
        core::array::from_fn(|at| controller.read(TD_STATUS + at as u8))
    }

    #[test]
    fn a_finger_presses_stays_and_leaves() {
        let mut controller = Ft6206::new(2, 0x36);
        assert_eq!(point(&mut controller), [0, 0xFF, 0xFF, 0xFF, 0xFF]);
        controller.touch(2, Some([0x123, 0x045]));
        assert_eq!(point(&mut controller), [1, 0x01, 0x23, 0x00, 0x45]);
        assert_eq!(point(&mut controller), [1, 0x81, 0x23, 0x00, 0x45]);
        controller.touch(2, Some([0x0FF, 0x100]));
        assert_eq!(point(&mut controller), [1, 0x80, 0xFF, 0x01, 0x00]);
        controller.touch(1, None);
        assert_eq!(controller.read(TD_STATUS), 1, "the finger of another panel");
        controller.touch(2, None);
        assert_eq!(point(&mut controller), [0, 0x40, 0xFF, 0x01, 0x00]);
        // A press that is not read before it moves remains a press.
        controller.touch(2, Some([1, 2]));
        controller.touch(2, Some([3, 4]));
        assert_eq!(point(&mut controller), [1, 0x00, 3, 0, 4]);
    }

    #[test]
    fn it_is_identified_and_its_settings_change() {
        let mut controller = Ft6206::new(0, 0x06);
        assert_eq!((controller.read(CIPHER), controller.read(FOCALTECH_ID)), (0x06, 0x11));
        for register in [TH_GROUP, G_MODE, CIPHER, TD_STATUS] {
            controller.write(register, 0x40);
        }
        let read = [TH_GROUP, G_MODE, CIPHER, TD_STATUS].map(|register| controller.read(register));
        assert_eq!(read, [0x40, 0x40, 0x06, 0]);
    }

    #[test]
    fn int_is_a_level_or_pulses_as_g_mode_says() {
        let mut controller = Ft6206::new(3, 0x36);
        let pulses = |ms| Some(InterruptMode::Pulses { period: Nanos::from_millis(ms) });
        assert_eq!(controller.interrupt(3), pulses(12));
        controller.write(PERIOD_ACTIVE, 5);
        assert_eq!(controller.interrupt(3), pulses(5));
        controller.write(G_MODE, 0);
        assert_eq!(controller.interrupt(3), Some(InterruptMode::Level));
        assert_eq!(controller.interrupt(2), None);
    }
}
