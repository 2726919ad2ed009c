//! The I2C buses of a board: displays, and devices with fixed registers.
//!
//! While a controller has both wires by the functions of the pins, its bytes are the transfers: the
//! devices are attached to the controller, and the displays' bytes are among the events that the
//! chip records. Otherwise the levels of the wires are decoded (`line`), and the devices
//! acknowledge and answer by pulling SDA low. The caller passes events, levels and functions in
//! order of time. The board pulls all wires up.

mod device;
mod display;
mod ft6206;
mod line;

use std::any::Any;

use hal_mock::VirtualBoard;
use rp2040_emulator::chip::{Chip, Drive, FunctionChange, I2cEvent};
use virtual_time::Instant;

use super::interrupt_line::InterruptMode;
use super::wiring::{BusWiring, Gpio, I2cDeviceKind, I2cDeviceWiring, I2cWiring, Wiring};
use device::Device;
use display::DisplayDevice;
use line::Line;

/// FUNCSEL of the I2C controllers (RP2040 datasheet, 2.19.2).
const I2C_FUNCTION: u32 = 3;

/// The I2C buses of a board.
#[derive(Clone, Default)]
pub(super) struct I2cBuses {
    buses: Vec<I2cBus>,
    displays: Vec<DisplayDevice>,
    /// Pins at whose changes the chip stops.
    stops: u32,
}

/// A bus: two wires with devices.
#[derive(Clone)]
struct I2cBus {
    sda: Gpio,
    scl: Gpio,
    /// Controller whose pins these can be.
    controller: Option<usize>,
    /// Functions of SDA and SCL.
    functions: [u32; 2],
    devices: Vec<Device>,
    line: Line,
    /// Whether the board pulls SDA low.
    is_low: bool,
}

impl I2cBus {
    /// Returns whether the controller has both wires.
    fn is_routed(&self) -> bool {
        self.controller.is_some() && self.functions == [I2C_FUNCTION; 2]
    }

    fn pins(&self) -> u32 {
        self.sda.bit() | self.scl.bit()
    }
}

/// Returns the devices that are attached to the chip's controllers.
fn attached(chip: &Chip) -> impl Iterator<Item = &Device> {
    chip.i2c_targets().filter_map(|target| (target as &dyn Any).downcast_ref())
}

/// An event on a bus, with its time in nanoseconds.
pub(super) struct BusEvent {
    pub(super) ns: u64,
    /// Number of the controller.
    controller: usize,
    event: I2cEvent,
}

impl I2cBuses {
    /// Connects the displays and the devices of a board to the chip.
    pub(super) fn attach(wiring: &Wiring, board: &VirtualBoard, chip: &mut Chip) -> Self {
        let mut buses = Self::default();
        for (number, lcd) in wiring.lcds().enumerate() {
            let BusWiring::I2c(wires) = lcd.bus else { continue };
            let bus = buses.add(&I2cDeviceWiring { wires, kind: I2cDeviceKind::Display }, chip);
            buses.displays.push(DisplayDevice::new(bus, number, wires.address, board));
            if let Some(controller) = buses.buses[bus].controller {
                // The first call starts the recording.
                chip.take_i2c_events(controller);
            }
        }
        for device in &wiring.i2c_devices {
            buses.add(device, chip);
        }
        for bus in &buses.buses {
            for pin in [bus.sda, bus.scl] {
                chip.drive(pin.number(), Drive::High);
            }
        }
        buses
    }

    /// Returns the same buses with the displays of another board.
    pub(super) fn fork(&self, board: &VirtualBoard) -> Self {
        let displays = self.displays.iter().map(|display| display.fork(board)).collect();
        Self { displays, ..self.clone() }
    }

    /// Adds a device, and returns the index of its bus.
    fn add(&mut self, device: &I2cDeviceWiring, chip: &mut Chip) -> usize {
        let I2cWiring { sda, scl, .. } = device.wires;
        let at = self.buses.iter().position(|bus| (bus.sda, bus.scl) == (sda, scl));
        let at = at.unwrap_or_else(|| {
            let function = |pin: Gpio| chip.function(pin.number()).unwrap_or_default();
            self.buses.push(I2cBus {
                sda,
                scl,
                controller: device.wires.controller(),
                functions: [function(sda), function(scl)],
                devices: Vec::new(),
                line: Line::new(sda.bit(), scl.bit()),
                is_low: false,
            });
            self.buses.len() - 1
        });
        let bus = &mut self.buses[at];
        let device = Device::new(device);
        if bus.controller.is_some() {
            chip.attach_i2c_at([sda.number(), scl.number()], Box::new(device.clone()));
        }
        bus.devices.push(device);
        at
    }

    /// Moves the finger on the touch panel of this control: the raw values under it.
    pub(super) fn touch(&mut self, control: usize, finger: Option<[u16; 2]>, chip: &mut Chip) {
        // The controllers of the chip have their own devices.
        chip.change_targets(|target| {
            if let Some(device) = target.downcast_mut::<Device>() {
                device.touch(control, finger);
            }
        });
        for device in self.buses.iter_mut().flat_map(|bus| &mut bus.devices) {
            device.touch(control, finger);
        }
    }

    /// Returns how the controller of the touch panel of this control reports a touch.
    pub(super) fn interrupt(&self, control: usize, chip: &Chip) -> InterruptMode {
        let of_bus = |bus: &I2cBus| bus.devices.iter().find_map(|device| device.interrupt(control));
        let Some((bus, by_hand)) = self.buses.iter().find_map(|bus| Some((bus, of_bus(bus)?)))
        else {
            return InterruptMode::Off;
        };
        // The settings are those of the device that the program talks to.
        let mut attached = attached(chip).filter(|_| bus.is_routed());
        attached.find_map(|device| device.interrupt(control)).unwrap_or(by_hand)
    }

    /// Returns a sentence for each touch controller whose clock was too fast.
    pub(super) fn notes(&self, chip: &Chip) -> impl Iterator<Item = String> {
        self.buses.iter().filter_map(|bus| {
            let mut devices = bus.devices.iter().chain(attached(chip));
            let too_fast = devices.find_map(Device::too_fast)?;
            Some(format!("the touch controller with SDA at {} {too_fast}", bus.sda))
        })
    }

    /// Returns whether the board has no such bus.
    pub(super) fn is_empty(&self) -> bool {
        self.buses.is_empty()
    }

    /// Returns the wires, as a mask.
    pub(super) fn pins(&self) -> u32 {
        self.buses.iter().fold(0, |pins, bus| pins | bus.pins())
    }

    /// Returns the last address on the bus of the display with this number that no device has, while
    /// that display has received nothing.
    pub(super) fn unanswered(&self, number: usize) -> Option<u16> {
        self.displays.iter().find(|display| display.number == number)?.unanswered()
    }

    /// Returns the events of the controllers at the displays' buses since the last call, in order of
    /// time.
    pub(super) fn take_events(&self, chip: &mut Chip) -> Vec<BusEvent> {
        let mut all = Vec::new();
        for controller in [0, 1] {
            let is_here =
                |display: &DisplayDevice| self.buses[display.bus].controller == Some(controller);
            if self.displays.iter().any(is_here) {
                let events = chip.take_i2c_events(controller).into_iter();
                all.extend(events.map(|(ns, event)| BusEvent { ns, controller, event }));
            }
        }
        all.sort_by_key(|event| event.ns);
        all
    }

    /// Handles an event of a controller.
    pub(super) fn receive(&mut self, powered_at: Instant, event: &BusEvent) {
        for display in &mut self.displays {
            let bus = &self.buses[display.bus];
            if bus.is_routed() && bus.controller == Some(event.controller) {
                display.receive(powered_at, event.ns, event.event);
            }
        }
    }

    /// Handles a change of the function of a pin.
    pub(super) fn change_function(&mut self, change: FunctionChange) {
        for bus in &mut self.buses {
            for (pin, function) in [bus.sda, bus.scl].into_iter().zip(&mut bus.functions) {
                if pin.number() == usize::from(change.pin) {
                    *function = change.function;
                }
            }
        }
    }

    /// Handles a change of the levels of the pins.
    pub(super) fn change_levels(&mut self, powered_at: Instant, ns: u64, levels: u32) {
        for (at, bus) in self.buses.iter_mut().enumerate() {
            let is_routed = bus.is_routed();
            let devices = if is_routed { &mut [][..] } else { &mut bus.devices };
            let Some(event) = bus.line.change(ns, levels, devices) else { continue };
            for display in self.displays.iter_mut().filter(|display| display.bus == at) {
                display.receive(powered_at, ns, event);
            }
        }
    }

    /// Transfers the consecutive bytes to the displays.
    pub(super) fn flush(&mut self) {
        self.displays.iter_mut().for_each(DisplayDevice::flush);
    }

    /// Drives SDA as the devices do now, and lets the chip stop at edges of SCL that the program
    /// makes by hand, so that the devices answer at once.
    pub(super) fn drive(&mut self, chip: &mut Chip) {
        let mut stops = 0;
        for bus in &mut self.buses {
            let low = bus.line.pulls_low() && !bus.is_routed();
            if std::mem::replace(&mut bus.is_low, low) != low {
                chip.drive(bus.sda.number(), if low { Drive::Low } else { Drive::High });
            }
            if !bus.is_routed() {
                stops |= bus.scl.bit();
            }
        }
        if std::mem::replace(&mut self.stops, stops) != stops {
            chip.stop_at_changes(stops);
        }
    }
}

#[cfg(test)]
mod tests;
