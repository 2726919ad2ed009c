//! A device on an I2C bus: registers with fixed answers, or a display, which only acknowledges.

use std::sync::Arc;

use rp2040_emulator::chip::I2cTarget;

use crate::pico::wiring::I2cDeviceWiring;

/// Answer of a register that the device does not have, and of a device that cannot be read: no
/// output pulls SDA low.
const NOTHING: u8 = 0xFF;

/// A register: its number and its answer.
type Register = (u8, Vec<u8>);

/// A device on an I2C bus.
#[derive(Clone, Debug)]
pub(super) struct Device {
    address: u8,
    /// The registers with their answers; `None` for a display.
    registers: Option<Arc<[Register]>>,
    /// Register that the program has selected with the first byte of a transfer.
    selected: u8,
    /// Whether the next byte selects a register.
    selects: bool,
    /// Number of bytes that have been read in this transfer.
    count: usize,
}

impl Device {
    pub(super) fn new(wiring: &I2cDeviceWiring) -> Self {
        Self {
            address: wiring.wires.address,
            registers: wiring.registers.as_ref().map(|registers| registers.as_slice().into()),
            selected: 0,
            selects: false,
            count: 0,
        }
    }
}

impl I2cTarget for Device {
    fn start(&mut self, _: u64, address: u16, reading: bool) -> bool {
        self.selects = !reading;
        self.count = 0;
        address == u16::from(self.address)
    }

    fn write(&mut self, _: u64, byte: u8) -> bool {
        if std::mem::take(&mut self.selects) {
            self.selected = byte;
        }
        true
    }

    fn read(&mut self, _: u64) -> u8 {
        let count = self.count;
        self.count = count.saturating_add(1);
        let registers = self.registers.iter().flat_map(|registers| registers.iter());
        let answer = registers.filter(|(register, _)| *register == self.selected).map(|(_, a)| a);
        answer
            .filter_map(|answer| answer.get(count).or(answer.last()))
            .next()
            .copied()
            .unwrap_or(NOTHING)
    }

    fn stop(&mut self, _: u64) {}

    fn boxed_clone(&self) -> Box<dyn I2cTarget> {
        Box::new(self.clone())
    }
}
