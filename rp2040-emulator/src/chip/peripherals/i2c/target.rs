//! The bus of an I2C controller with its attached devices.

use std::any::Any;
use std::fmt;

/// A device on an I2C bus. Each method is called at the end of the bits of its byte and returns the
/// answer immediately; a device cannot stretch the clock. `ns` is the time since power-on.
pub trait I2cTarget: fmt::Debug + Send + Sync + Any {
    /// Receives a start or repeated start with an address of 7 or 10 bits; `reading` for a read.
    /// Returns true to acknowledge it: the following bytes are then for this device.
    fn start(&mut self, ns: u64, address: u16, reading: bool) -> bool;

    /// Receives a byte from the controller. Returns whether the device acknowledges it.
    fn write(&mut self, ns: u64, byte: u8) -> bool;

    /// Returns the next byte for the controller.
    fn read(&mut self, ns: u64) -> u8;

    /// Ends the transfer.
    fn stop(&mut self, ns: u64);

    /// Clones the device, for a clone of the chip.
    fn boxed_clone(&self) -> Box<dyn I2cTarget>;
}

impl Clone for Box<dyn I2cTarget> {
    fn clone(&self) -> Self {
        self.boxed_clone()
    }
}

/// An event on an I2C bus, for a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum I2cEvent {
    /// A start or repeated start, and an address.
    Start {
        /// Address of 7 or 10 bits.
        address: u16,
        /// Whether the controller reads.
        reading: bool,
        /// Whether a device has acknowledged the address.
        acknowledged: bool,
    },
    /// A byte to the device.
    Written {
        byte: u8,
        /// Whether the device has acknowledged the byte.
        acknowledged: bool,
    },
    /// A byte from the device.
    Read(u8),
    /// A stop.
    Stop,
}

/// Largest number of events stored; further ones are dropped.
const MAX_EVENTS: usize = 1 << 18;

/// A device, and where it is connected.
#[derive(Clone, Debug)]
struct Attached {
    device: Box<dyn I2cTarget>,
    /// Pins that must have the controller's function; 0 if any may.
    pins: u32,
}

/// The devices on the bus, and the one that is addressed.
#[derive(Clone, Debug, Default)]
pub(super) struct Wires {
    targets: Vec<Attached>,
    /// Pins that have the controller's function, if a device is connected to certain ones.
    routed: u32,
    addressed: Option<usize>,
    /// Events on the bus with the nanosecond of their end, once the caller has asked for them.
    events: Option<Vec<(u64, I2cEvent)>>,
}

impl Wires {
    pub(super) fn attach(&mut self, device: Box<dyn I2cTarget>, pins: u32) {
        self.targets.push(Attached { device, pins });
    }

    /// Returns all devices.
    pub(super) fn all(&self) -> impl Iterator<Item = &dyn I2cTarget> {
        self.targets.iter().map(|target| &*target.device)
    }

    /// Returns all devices, for changes.
    pub(super) fn all_mut(&mut self) -> impl Iterator<Item = &mut dyn I2cTarget> {
        self.targets.iter_mut().map(|target| &mut *target.device)
    }

    /// Returns whether a device is connected to certain pins.
    pub(super) fn needs_pins(&self) -> bool {
        self.targets.iter().any(|target| target.pins != 0)
    }

    /// Sets the pins that have the controller's function.
    pub(super) fn route(&mut self, pins: u32) {
        self.routed = pins;
    }

    /// Offers the address to the devices in order; the first that acknowledges is addressed.
    pub(super) fn offer(&mut self, ns: u64, address: u16, reading: bool) -> bool {
        let routed = self.routed;
        let answers = |target: &mut Attached| {
            target.pins & !routed == 0 && target.device.start(ns, address, reading)
        };
        self.addressed = self.targets.iter_mut().position(answers);
        self.addressed.is_some()
    }

    /// Passes a byte to the addressed device. Returns whether it acknowledges the byte.
    pub(super) fn give(&mut self, ns: u64, byte: u8) -> bool {
        self.target().is_some_and(|target| target.write(ns, byte))
    }

    /// Returns a byte of the addressed device. An undriven line is high.
    pub(super) fn take(&mut self, ns: u64) -> u8 {
        self.target().map_or(0xFF, |target| target.read(ns))
    }

    /// Records an event, if the caller has asked for events.
    pub(super) fn note(&mut self, ns: u64, event: I2cEvent) {
        if let Some(events) = self.events.as_mut().filter(|events| events.len() < MAX_EVENTS) {
            events.push((ns, event));
        }
    }

    /// Returns the events since the last call; the first call starts the recording.
    pub(super) fn take_events(&mut self) -> Vec<(u64, I2cEvent)> {
        std::mem::take(self.events.get_or_insert_default())
    }

    pub(super) fn stop(&mut self, ns: u64) {
        if let Some(target) = self.target() {
            target.stop(ns);
        }
        self.addressed = None;
        self.note(ns, I2cEvent::Stop);
    }

    /// Ends the addressing of a device without a stop of this master.
    pub(super) fn leave(&mut self) {
        self.addressed = None;
    }

    fn target(&mut self) -> Option<&mut Box<dyn I2cTarget>> {
        self.targets.get_mut(self.addressed?).map(|target| &mut target.device)
    }
}
