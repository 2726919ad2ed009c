//! The bus of an I2C controller with its attached devices.

use std::fmt;

/// A device on an I2C bus. Each method is called at the end of the bits of its byte and returns the
/// answer immediately; a device cannot stretch the clock. `ns` is the time since power-on.
pub trait I2cTarget: fmt::Debug + Send + Sync {
    /// A start or repeated start with an address of 7 or 10 bits; `reading` for a read. Returns true
    /// to acknowledge it: then the following bytes are for this device.
    fn start(&mut self, ns: u64, address: u16, reading: bool) -> bool;

    /// A byte from the controller. Returns whether the device acknowledges it.
    fn write(&mut self, ns: u64, byte: u8) -> bool;

    /// The next byte for the controller.
    fn read(&mut self, ns: u64) -> u8;

    /// The transfer has ended.
    fn stop(&mut self, ns: u64);

    /// The same device, for a clone of the chip.
    fn boxed_clone(&self) -> Box<dyn I2cTarget>;
}

impl Clone for Box<dyn I2cTarget> {
    fn clone(&self) -> Self {
        self.boxed_clone()
    }
}

/// The devices on the bus, and the one that is addressed.
#[derive(Clone, Debug, Default)]
pub(super) struct Wires {
    targets: Vec<Box<dyn I2cTarget>>,
    addressed: Option<usize>,
}

impl Wires {
    pub(super) fn attach(&mut self, target: Box<dyn I2cTarget>) {
        self.targets.push(target);
    }

    /// Offers the address to the devices in order; the first that acknowledges is addressed.
    pub(super) fn start(&mut self, ns: u64, address: u16, reading: bool) -> bool {
        let answers = |target: &mut Box<dyn I2cTarget>| target.start(ns, address, reading);
        self.addressed = self.targets.iter_mut().position(answers);
        self.addressed.is_some()
    }

    pub(super) fn write(&mut self, ns: u64, byte: u8) -> bool {
        self.target().is_some_and(|target| target.write(ns, byte))
    }

    /// An undriven line is high.
    pub(super) fn read(&mut self, ns: u64) -> u8 {
        self.target().map_or(0xFF, |target| target.read(ns))
    }

    pub(super) fn stop(&mut self, ns: u64) {
        if let Some(target) = self.target() {
            target.stop(ns);
        }
        self.addressed = None;
    }

    fn target(&mut self) -> Option<&mut Box<dyn I2cTarget>> {
        self.targets.get_mut(self.addressed?)
    }
}
