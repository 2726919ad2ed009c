//! What is outside of an I2C controller: the bus with its targets.

use std::fmt;

/// A device on an I2C bus, as a board has them: it is asked when the bits are over that carry a
/// byte, and answers at once. It cannot stretch the clock.
pub trait I2cTarget: fmt::Debug + Send + Sync {
    /// A start, or a repeated one, and an address of 7 or 10 bits; `reading` if the controller
    /// wants to read. True to acknowledge it: then what follows is for this device.
    fn start(&mut self, ns: u64, address: u16, reading: bool) -> bool;

    /// A byte from the controller. False not to acknowledge it.
    fn write(&mut self, ns: u64, byte: u8) -> bool;

    /// The next byte for the controller.
    fn read(&mut self, ns: u64) -> u8;

    /// The transfer is over.
    fn stop(&mut self, ns: u64);

    /// The same device, for a clone of the chip.
    fn boxed_clone(&self) -> Box<dyn I2cTarget>;
}

impl Clone for Box<dyn I2cTarget> {
    fn clone(&self) -> Self {
        self.boxed_clone()
    }
}

/// The devices on the bus, and the one that has been addressed.
#[derive(Clone, Debug, Default)]
pub(super) struct Wires {
    targets: Vec<Box<dyn I2cTarget>>,
    addressed: Option<usize>,
}

impl Wires {
    pub(super) fn attach(&mut self, target: Box<dyn I2cTarget>) {
        self.targets.push(target);
    }

    /// Asks all devices in turn; the first that acknowledges is addressed.
    pub(super) fn start(&mut self, ns: u64, address: u16, reading: bool) -> bool {
        let answers = |target: &mut Box<dyn I2cTarget>| target.start(ns, address, reading);
        self.addressed = self.targets.iter_mut().position(answers);
        self.addressed.is_some()
    }

    pub(super) fn write(&mut self, ns: u64, byte: u8) -> bool {
        self.target().is_some_and(|target| target.write(ns, byte))
    }

    /// Where nobody drives the line, it is high.
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
