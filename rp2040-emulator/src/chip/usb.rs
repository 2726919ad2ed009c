//! The other end of the chip's USB cable.

use super::Chip;
use crate::usb_host::Host;

impl Chip {
    /// Connects a USB host, replacing an earlier one.
    pub fn attach_usb(&mut self, host: Host) {
        let ns = self.now_ns();
        self.devices.usb.attach(host, ns);
        self.devices.touch();
    }

    /// Returns the number of bulk IN buffers that the program has made available in the last 200 µs
    /// of a frame since power-on. On the chip a bus error then may make the controller unusable
    /// until its reset (erratum RP2040-E15); here nothing else happens.
    pub fn usb_late_buffers(&self) -> u64 {
        self.devices.usb.late_buffers()
    }

    /// Returns the USB host.
    pub fn usb_host(&self) -> Option<&Host> {
        self.devices.usb.host()
    }

    /// Returns the USB host, for its next tasks.
    pub fn usb_host_mut(&mut self) -> Option<&mut Host> {
        let ns = self.now_ns();
        self.devices.touch();
        self.devices.usb.host_mut(ns)
    }
}
