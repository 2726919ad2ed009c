//! A device on an I2C bus: registers with fixed answers, the controller of a touch panel, or a
//! display, which only acknowledges.

use std::sync::Arc;

use rp2040_emulator::chip::I2cTarget;

use super::ft6206::{Ft6206, SCL};
use crate::pico::bus_clock::{ByteTimes, TooFast};
use crate::pico::interrupt_line::InterruptMode;
use crate::pico::wiring::{I2cDeviceKind, I2cDeviceWiring};

/// Answer of a register that the device does not have, and of a device that cannot be read: no
/// output pulls SDA low.
const NOTHING: u8 = 0xFF;

/// A register: its number and its answer.
type Register = (u8, Vec<u8>);

/// A device on an I2C bus.
#[derive(Clone, Debug)]
pub(super) struct Device {
    address: u8,
    content: DeviceContent,
    /// Register that the program has selected with the first byte of a transfer.
    selected: u8,
    /// Whether the next byte selects a register.
    selects: bool,
    /// Number of bytes that have been read in this transfer.
    count: usize,
    times: ByteTimes,
}

/// Content of a device.
#[derive(Clone, Debug)]
enum DeviceContent {
    Display,
    Registers(Arc<[Register]>),
    Touch(Box<Ft6206>),
}

impl Device {
    pub(super) fn new(wiring: &I2cDeviceWiring) -> Self {
        let content = match &wiring.kind {
            I2cDeviceKind::Display => DeviceContent::Display,
            I2cDeviceKind::Registers(registers) => {
                DeviceContent::Registers(registers.as_slice().into())
            }
            I2cDeviceKind::Touch { control, cipher } => {
                DeviceContent::Touch(Box::new(Ft6206::new(*control, *cipher)))
            }
        };
        let address = wiring.wires.address;
        let times = ByteTimes::default();
        Self { address, content, selected: 0, selects: false, count: 0, times }
    }

    /// Moves the finger, if the device is the controller of the touch panel `control`.
    pub(super) fn touch(&mut self, control: usize, finger: Option<[u16; 2]>) {
        if let DeviceContent::Touch(controller) = &mut self.content {
            controller.touch(control, finger);
        }
    }

    /// Returns how INT reports a touch, if the device is the controller of the touch panel `control`.
    pub(super) fn interrupt(&self, control: usize) -> Option<InterruptMode> {
        match &self.content {
            DeviceContent::Touch(controller) => controller.interrupt(control),
            DeviceContent::Display | DeviceContent::Registers(_) => None,
        }
    }

    /// Returns the clock of the bus, if it was too fast for the controller of a touch panel.
    pub(super) fn too_fast(&self) -> Option<TooFast> {
        match &self.content {
            DeviceContent::Touch(_) => SCL.broken_by(self.times),
            DeviceContent::Display | DeviceContent::Registers(_) => None,
        }
    }
}

impl I2cTarget for Device {
    fn start(&mut self, ns: u64, address: u16, reading: bool) -> bool {
        self.times.begin();
        self.times.end(ns);
        self.selects = !reading;
        self.count = 0;
        address == u16::from(self.address)
    }

    fn write(&mut self, ns: u64, byte: u8) -> bool {
        self.times.end(ns);
        if std::mem::take(&mut self.selects) {
            self.selected = byte;
        } else if let DeviceContent::Touch(controller) = &mut self.content {
            controller.write(self.selected, byte);
            self.selected = self.selected.wrapping_add(1);
        }
        true
    }

    fn read(&mut self, ns: u64) -> u8 {
        self.times.end(ns);
        let count = self.count;
        self.count = count.saturating_add(1);
        match &mut self.content {
            DeviceContent::Display => NOTHING,
            DeviceContent::Registers(registers) => {
                let answers = registers.iter().filter(|(register, _)| *register == self.selected);
                answers
                    .filter_map(|(_, answer)| answer.get(count).or(answer.last()))
                    .next()
                    .copied()
                    .unwrap_or(NOTHING)
            }
            DeviceContent::Touch(controller) => {
                let byte = controller.read(self.selected);
                self.selected = self.selected.wrapping_add(1);
                byte
            }
        }
    }

    fn stop(&mut self, _: u64) {}

    fn boxed_clone(&self) -> Box<dyn I2cTarget> {
        Box::new(self.clone())
    }
}
