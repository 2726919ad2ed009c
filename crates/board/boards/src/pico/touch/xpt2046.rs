//! The resistive touch controller XPT2046 as an SPI target (data sheet of 2007-05).
//!
//! A control byte starts a conversion, whose result follows in the next two bytes: one clock of BUSY,
//! then 12 or 8 bits ("Digital Interface", conversion in 24 clocks). A control byte in place of the
//! second one starts the next conversion: 16 clocks each.
//!
//! The panel has the resistances of a usual one and one strength of a touch. Noise and settling times are
//! not modelled: a DCLK above its limit is reported, and has no effect.

use rp2040_emulator::chip::SpiTarget;

use crate::pico::bus_clock::{ByteTimes, ClockLimit, TooFast};

/// DCLK: at least 200 ns high and 200 ns low.
const DCLK: ClockLimit = ClockLimit {
    clock: "DCLK",
    clocks: 8,
    khz: 2_500,
    source: "XPT2046 data sheet of 2007-05, \"Digital Interface\"",
};

/// Bits of the control byte ("Control Byte", table 3).
const START: u8 = 1 << 7;
const MODE_8_BITS: u8 = 1 << 3;
const PD0: u8 = 1 << 0;

/// Number of steps of the converter.
const STEPS: f64 = 4_096.0;
const LARGEST: u16 = 4_095;

/// Resistances in ohms: of the X plate, of the Y plate, and of the touch ("Pressure Measurement").
const X_PLATE: f64 = 300.0;
const Y_PLATE: f64 = 500.0;
const TOUCH: f64 = 200.0;

/// Conversions against the internal reference of 2.5 V, at 25 °C and with 3.3 V: the voltage of the
/// diode at both currents ("Temperature Measurement"), and a quarter of VBAT ("Battery Measurement").
const TEMPERATURE_0: u16 = 983;
const TEMPERATURE_1: u16 = 1_173;
const BATTERY: u16 = 1_352;

/// An XPT2046.
#[derive(Clone, Debug)]
pub(super) struct Xpt2046 {
    /// Number of the control.
    control: usize,
    /// Values of X and Y under the finger.
    finger: Option<[u16; 2]>,
    /// The last result, from its BUSY clock on.
    result: [u8; 2],
    /// Number of bytes of the result that were sent.
    sent: usize,
    /// Whether PENIRQ is enabled: PD0 of the last control byte was 0 ("PENIRQ Output").
    has_interrupt: bool,
    times: ByteTimes,
}

impl Xpt2046 {
    /// Creates the controller of the touch panel `control` after its power-on.
    pub(super) fn new(control: usize) -> Self {
        let times = ByteTimes::default();
        Self { control, finger: None, result: [0; 2], sent: 2, has_interrupt: true, times }
    }

    /// Moves the finger, if the controller is that of the touch panel `control`.
    pub(super) fn touch(&mut self, control: usize, finger: Option<[u16; 2]>) {
        if control == self.control {
            self.finger = finger;
        }
    }

    /// Returns whether PENIRQ is low during a touch.
    pub(super) fn has_interrupt(&self) -> bool {
        self.has_interrupt
    }

    /// Returns the clock of the bus, if it was too fast.
    pub(super) fn too_fast(&self) -> Option<TooFast> {
        DCLK.broken_by(self.times)
    }

    /// Returns the result of a conversion, 0 to 4,095 ("Analog Input", tables 1 and 2).
    fn converted(&self, control: u8) -> u16 {
        match (control >> 4 & 0b111, self.finger) {
            (0b000, _) => TEMPERATURE_0,
            (0b001, Some([_, y])) => y,
            (0b010, _) => BATTERY,
            (0b011, Some(at)) => pressure(at)[0],
            (0b100, Some(at)) => pressure(at)[1],
            (0b101, Some([x, _])) => x,
            // Without a touch the inputs of Y and Z2 are at Y+ and Y-, which the driver of Y+ pulls high.
            (0b001 | 0b100, None) => LARGEST,
            (0b111, _) => TEMPERATURE_1,
            // X and Z1 without a touch, and an open AUX.
            _ => 0,
        }
    }
}

/// Returns Z1 and Z2: Y+ is at the supply, X- at ground, and the current flows through a part of each
/// plate and the touch.
fn pressure([x, y]: [u16; 2]) -> [u16; 2] {
    let to_ground = X_PLATE * f64::from(x) / STEPS;
    let to_supply = Y_PLATE * (1.0 - f64::from(y) / STEPS);
    let total = to_ground + TOUCH + to_supply;
    // Less than the number of steps.
    [to_ground, to_ground + TOUCH].map(|part| (part / total * STEPS) as u16)
}

impl SpiTarget for Xpt2046 {
    fn select(&mut self, _: u64) {
        self.sent = self.result.len();
        self.times.begin();
    }

    fn deselect(&mut self, _: u64, _: bool) {}

    fn next_output(&mut self, _: u64) -> Option<u8> {
        Some(self.result.get(self.sent).copied().unwrap_or(0))
    }

    fn receive(&mut self, ns: u64, byte: u8) {
        self.times.end(ns);
        self.sent = self.sent.saturating_add(1);
        if byte & START == 0 {
            return;
        }
        let value = self.converted(byte);
        let bits = if byte & MODE_8_BITS == 0 { value << 3 } else { (value >> 4) << 7 };
        (self.result, self.sent) = (bits.to_be_bytes(), 0);
        self.has_interrupt = byte & PD0 == 0;
    }

    fn boxed_clone(&self) -> Box<dyn SpiTarget> {
        Box::new(self.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sends bytes while the controller is selected, and returns its answers.
    fn exchange(controller: &mut Xpt2046, bytes: &[u8]) -> Vec<u8> {
        controller.select(0);
        let answers = bytes.iter().map(|byte| {
            let answer = controller.next_output(0).unwrap();
            controller.receive(0, *byte);
            answer
        });
        let answers = answers.collect();
        controller.deselect(0, true);
        answers
    }

    fn twelve(controller: &mut Xpt2046, control: u8) -> u16 {
        let answer = exchange(controller, &[control, 0, 0]);
        u16::from_be_bytes([answer[1], answer[2]]) >> 3
    }

    #[test]
    fn a_conversion_follows_its_control_byte_after_a_clock() {
        let mut controller = Xpt2046::new(0);
        controller.touch(0, Some([0xABC, 0x123]));
        assert_eq!(exchange(&mut controller, &[0xD0, 0, 0, 0]), [0, 0x55, 0xE0, 0]);
        assert_eq!(twelve(&mut controller, 0xD0), 0xABC);
        assert_eq!(twelve(&mut controller, 0x90), 0x123);
        // Eight bits: 12 clocks after the control byte.
        assert_eq!(exchange(&mut controller, &[0xD8, 0, 0]), [0, 0xAB >> 1, 0x80]);
        // The next control byte in place of the second byte of the result.
        let answer = exchange(&mut controller, &[0x91, 0, 0xD0, 0, 0]);
        let word = |at: usize| u16::from_be_bytes([answer[at], answer[at + 1]]) >> 3;
        assert_eq!((word(1), word(3)), (0x123, 0xABC));
        // A rising chip select ends a result.
        exchange(&mut controller, &[0xD0]);
        assert_eq!(exchange(&mut controller, &[0, 0]), [0, 0]);
    }

    #[test]
    fn pressure_tells_a_touch_from_none() {
        let mut controller = Xpt2046::new(0);
        let pressed = |controller: &mut Xpt2046| {
            let (z1, z2) = (twelve(controller, 0xB0), twelve(controller, 0xC0));
            i32::from(z1) + 4_095 - i32::from(z2)
        };
        assert_eq!(pressed(&mut controller), 0);
        assert_eq!((twelve(&mut controller, 0xD0), twelve(&mut controller, 0x90)), (0, 4_095));
        // Drivers compare z1 + 4095 - z2 with about 300.
        for at in [[200, 200], [2_000, 2_000], [3_900, 200], [200, 3_900]] {
            controller.touch(0, Some(at));
            assert!(pressed(&mut controller) > 500, "{at:?}");
        }
        controller.touch(1, None);
        assert!(pressed(&mut controller) > 500, "the touch of another panel");
    }

    #[test]
    fn the_last_control_byte_switches_penirq() {
        let mut controller = Xpt2046::new(0);
        assert!(controller.has_interrupt());
        exchange(&mut controller, &[0x91, 0, 0]);
        assert!(!controller.has_interrupt());
        exchange(&mut controller, &[0x91, 0, 0xD0, 0, 0]);
        assert!(controller.has_interrupt());
        exchange(&mut controller, &[0x93, 0, 0]);
        assert!(!controller.has_interrupt());
        exchange(&mut controller, &[0x92, 0, 0]);
        assert!(controller.has_interrupt());
    }
}
