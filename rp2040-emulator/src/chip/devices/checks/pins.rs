//! Rules of the pins: their functions, and the pads of the ADC (datasheet sections 2.19 and 4.9).

use crate::chip::devices::Devices;
use crate::chip::rules::{Detail, Rule};
use crate::cpu::bus::Access;

/// End of the control registers of IO_BANK0: datasheet 2.19.6.1.
const CONTROLS_END: u32 = 0xF0;
const FUNCSEL: u32 = 0x1F;
const FUNCSEL_NULL: u32 = 0x1F;
const FUNCSEL_CLOCK: u32 = 8;
const FUNCSEL_LAST: u32 = 9;
// Pads: datasheet 2.19.6.3.
const PADS_PDE_PUE_IE: u32 = 3 << 2 | 1 << 6;
const PADS_OD: u32 = 1 << 7;
const FUNCSEL_SIO: u32 = 5;
const ADC_CS_AINSEL_LSB: u32 = 12;
/// Pin of the first analogue input, and the number of inputs with a pin.
const FIRST_INPUT: u32 = 26;
const INPUTS: u32 = 4;

impl Devices {
    pub(super) fn check_function(&mut self, offset: u32, value: u32, access: Access) {
        if offset >= CONTROLS_END || offset & 4 == 0 {
            return;
        }
        let (pin, function) = (offset / 8, value & FUNCSEL);
        let exists = match function {
            // JTAG is on the first four pins.
            0 => pin < 4,
            FUNCSEL_CLOCK => (20..=25).contains(&pin),
            FUNCSEL_NULL => true,
            _ => function <= FUNCSEL_LAST,
        };
        if !exists {
            self.broken(Rule::FunctionNotOnPin, access, Some(Detail::Number(pin)));
        }
    }

    /// Checks the pads of the outputs that a write to the SIO has enabled; `before` were enabled
    /// before it.
    #[inline]
    pub(in crate::chip::devices) fn check_outputs(&mut self, before: u32, access: Access) {
        let mut enabled = self.sio.outputs().1 & !before;
        while enabled != 0 {
            let pin = enabled.trailing_zeros();
            enabled &= enabled - 1;
            let disabled = self.bank.read_pads(4 + 4 * pin).unwrap_or_default() & PADS_OD != 0;
            if disabled && self.bank.function(pin as usize) == Some(FUNCSEL_SIO) {
                self.broken(Rule::OutputDisabled, access, Some(Detail::Number(pin)));
            }
        }
    }

    /// Checks the pad of the input that a conversion reads.
    pub(super) fn check_analogue_pad(&mut self, value: u32, access: Access) {
        let input = value >> ADC_CS_AINSEL_LSB & 7;
        let pad = 4 + 4 * (FIRST_INPUT + input);
        if input < INPUTS && self.bank.read_pads(pad).unwrap_or_default() & PADS_PDE_PUE_IE != 0 {
            self.broken(Rule::AdcPad, access, Some(Detail::Number(FIRST_INPUT + input)));
        }
    }
}
