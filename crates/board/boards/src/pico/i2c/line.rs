//! The wires of an I2C bus as levels, and the devices at them: starts, bits, acknowledgements and
//! stops (UM10204, 3.1).
//!
//! A device changes SDA when SCL has fallen: it pulls it low to acknowledge a byte, and to send a
//! 0.

use rp2040_emulator::chip::{I2cEvent, I2cTarget as _};

use super::device::Device;

const BYTE: u8 = 8;
const WITH_ACKNOWLEDGEMENT: u8 = 9;

/// Role of the current byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// No transfer, or one for no device of this bus.
    Idle,
    Address,
    Write,
    Read,
}

/// The two wires of a bus.
#[derive(Clone, Debug)]
pub(super) struct Line {
    sda: u32,
    scl: u32,
    /// Levels of all pins; both wires are high while the bus is idle.
    levels: u32,
    phase: Phase,
    /// Number of bits of the current byte that SCL has clocked.
    bits: u8,
    byte: u8,
    /// Whether the last ninth bit was low.
    acknowledged: bool,
    /// Device that is addressed.
    addressed: Option<usize>,
    pulls_low: bool,
}

impl Line {
    /// Creates an idle bus with these masks of its wires.
    pub(super) fn new(sda: u32, scl: u32) -> Self {
        Self {
            sda,
            scl,
            levels: sda | scl,
            phase: Phase::Idle,
            bits: 0,
            byte: 0,
            acknowledged: false,
            addressed: None,
            pulls_low: false,
        }
    }

    /// Returns whether a device pulls SDA low.
    pub(super) fn pulls_low(&self) -> bool {
        self.pulls_low
    }

    /// Handles the levels of all pins from `ns` on. Returns the event that ends there.
    pub(super) fn change(
        &mut self,
        ns: u64,
        levels: u32,
        devices: &mut [Device],
    ) -> Option<I2cEvent> {
        let before = std::mem::replace(&mut self.levels, levels);
        let changed = (before ^ levels) & (self.sda | self.scl);
        if changed == 0 || devices.is_empty() {
            return None;
        }
        let sda_high = levels & self.sda != 0;
        if changed & self.scl != 0 {
            if levels & self.scl == 0 {
                return self.scl_falls(ns, devices);
            }
            self.scl_rises(before & self.sda != 0);
            None
        } else if levels & self.scl == 0 {
            None
        } else if sda_high {
            self.stop(ns, devices)
        } else {
            self.pulls_low = false;
            (self.phase, self.bits, self.byte) = (Phase::Address, 0, 0);
            None
        }
    }

    fn stop(&mut self, ns: u64, devices: &mut [Device]) -> Option<I2cEvent> {
        if let Some(device) = self.addressed.take().and_then(|at| devices.get_mut(at)) {
            device.stop(ns);
        }
        self.pulls_low = false;
        let phase = std::mem::replace(&mut self.phase, Phase::Idle);
        (phase != Phase::Idle).then_some(I2cEvent::Stop)
    }

    fn scl_rises(&mut self, sda_high: bool) {
        match self.bits {
            BYTE.. => {
                self.acknowledged = !sda_high;
                self.bits = WITH_ACKNOWLEDGEMENT;
            }
            _ => {
                self.byte = self.byte << 1 | u8::from(sda_high);
                self.bits += 1;
            }
        }
    }

    fn scl_falls(&mut self, ns: u64, devices: &mut [Device]) -> Option<I2cEvent> {
        match (self.phase, self.bits) {
            (Phase::Idle, _) => None,
            (_, WITH_ACKNOWLEDGEMENT..) => {
                self.byte_over(ns, devices);
                None
            }
            (Phase::Address, BYTE) => {
                let (address, reading) = (u16::from(self.byte >> 1), self.byte & 1 != 0);
                let answers = |device: &mut Device| device.start(ns, address, reading);
                self.addressed = devices.iter_mut().position(answers);
                let acknowledged = self.addressed.is_some();
                self.pulls_low = acknowledged;
                Some(I2cEvent::Start { address, reading, acknowledged })
            }
            (Phase::Write, BYTE) => {
                let device = self.addressed.and_then(|at| devices.get_mut(at));
                let acknowledged = device.is_some_and(|device| device.write(ns, self.byte));
                self.pulls_low = acknowledged;
                Some(I2cEvent::Written { byte: self.byte, acknowledged })
            }
            (Phase::Read, BYTE) => {
                self.pulls_low = false;
                Some(I2cEvent::Read(self.byte))
            }
            (Phase::Read, _) => {
                self.put_bit();
                None
            }
            (Phase::Address | Phase::Write, _) => None,
        }
    }

    /// Handles the end of the ninth bit.
    fn byte_over(&mut self, ns: u64, devices: &mut [Device]) {
        self.pulls_low = false;
        self.bits = 0;
        let reading = match self.phase {
            // Without an acknowledgement no device listens until the next start.
            Phase::Address if self.addressed.is_none() => return self.phase = Phase::Idle,
            Phase::Address => self.byte & 1 != 0,
            Phase::Read if !self.acknowledged => return self.phase = Phase::Idle,
            phase => phase == Phase::Read,
        };
        self.phase = if reading { Phase::Read } else { Phase::Write };
        if let Some(device) = self.addressed.and_then(|at| devices.get_mut(at)).filter(|_| reading)
        {
            self.byte = device.read(ns);
            self.put_bit();
        }
    }

    /// Puts the next bit of a read byte on SDA. It is always the highest, because
    /// [`scl_rises`](Self::scl_rises) shifts the byte.
    fn put_bit(&mut self) {
        self.pulls_low = self.byte & 0x80 == 0;
    }
}
