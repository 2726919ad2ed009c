//! The wire of the debug port: bits to packets (ADIv5.2 B4).
//!
//! The port samples SWDIO at each rising edge of SWCLK, and changes what it drives there after it.

use super::dormant::Dormant;
use super::dp::{Ack, Dp, Request};
use super::registers::TARGETSEL_ADDRESS;
use super::target::DebugTarget;

/// Consecutive high bits of a line reset (ADIv5.2 B4.3.3).
const RESET_BITS: u32 = 50;
const REQUEST_BITS: u8 = 8;
const ACK_BITS: u8 = 3;
/// Data and its parity.
const DATA_BITS: u8 = 33;
/// Turnaround, acknowledgement and turnaround around which no port drives, for TARGETSEL.
const UNDRIVEN_BITS: u8 = 1 + ACK_BITS + 1;

#[derive(Clone, Debug)]
enum Phase {
    Dormant(Dormant),
    /// Ignores everything up to a line reset: after the wake-up, an error, or the selection of
    /// another port.
    Deaf,
    /// After a line reset, up to its first low bit.
    Reset,
    /// Between packets.
    Idle,
    Request {
        bits: u8,
        count: u8,
    },
    /// Drives bits, the next one in bit 0, from the next edge on.
    Driving {
        bits: u64,
        left: u8,
        next: AfterAnswer,
    },
    /// Ignores bits before the data of a write.
    Gap {
        left: u8,
        write: Write,
    },
    Data {
        bits: u64,
        count: u8,
        write: Write,
    },
    /// The turnaround after an answer that no data of the host follows.
    Turnaround,
}

/// Receiver of a write's data.
#[derive(Clone, Copy, Debug)]
enum Write {
    TargetSelect,
    Register(Request),
}

#[derive(Clone, Copy, Debug)]
enum AfterAnswer {
    Turnaround,
    Data(Request),
}

/// The debug port of one chip; see the module's documentation.
#[derive(Clone, Debug)]
pub struct DebugPort {
    clock: bool,
    phase: Phase,
    /// Consecutive high bits of the host.
    ones: u32,
    ports: [Dp; 2],
    selected: Option<usize>,
    /// Whether the next request is the first after a line reset.
    fresh: bool,
    driven: Option<bool>,
}

impl Default for DebugPort {
    fn default() -> Self {
        Self::new()
    }
}

impl DebugPort {
    /// Creates a port as it is at power-on: dormant.
    pub fn new() -> Self {
        Self {
            clock: true,
            phase: Phase::Dormant(Dormant::default()),
            ones: 0,
            ports: [Dp::new(0), Dp::new(1)],
            selected: None,
            fresh: false,
            driven: None,
        }
    }

    /// Returns the level that the port drives on SWDIO; `None` while it does not drive. A pull-up
    /// of the chip then holds the wire high (RP2040 datasheet 2.3.4).
    pub fn driven(&self) -> Option<bool> {
        self.driven
    }

    /// Sets the level of SWCLK, while SWDIO has the level `data`. A rising edge may access
    /// `target`.
    pub fn set_clock(&mut self, high: bool, data: bool, target: &mut dyn DebugTarget) {
        if !std::mem::replace(&mut self.clock, high) && high {
            self.rise(data, target);
        }
    }

    /// Returns whether the next rising edge, with this level of SWDIO, may access the target. The
    /// caller can then bring the target up to date first.
    pub fn is_about_to_access(&self) -> bool {
        match self.phase {
            Phase::Request { count, .. } => count + 1 == REQUEST_BITS && self.selected.is_some(),
            Phase::Data { count, .. } => count + 1 == DATA_BITS,
            _ => false,
        }
    }

    fn rise(&mut self, data: bool, target: &mut dyn DebugTarget) {
        if let Phase::Dormant(dormant) = &mut self.phase {
            if dormant.take(data) {
                self.phase = Phase::Deaf;
                self.ones = 0;
            }
            return;
        }
        if self.driven.is_none() {
            self.ones = if data { self.ones + 1 } else { 0 };
            if self.ones >= RESET_BITS {
                self.reset_line();
                return;
            }
        }
        match &mut self.phase {
            Phase::Dormant(_) | Phase::Deaf => {}
            Phase::Reset if data => {}
            Phase::Reset => self.phase = Phase::Idle,
            Phase::Idle if data => self.phase = Phase::Request { bits: 1, count: 1 },
            Phase::Idle => {}
            Phase::Request { bits, count } => {
                *bits |= u8::from(data) << *count;
                *count += 1;
                if *count == REQUEST_BITS {
                    let bits = *bits;
                    self.answer(bits, target);
                }
            }
            Phase::Driving { bits, left, next } => {
                if *left > 0 {
                    self.driven = Some(*bits & 1 != 0);
                    *bits >>= 1;
                    *left -= 1;
                    return;
                }
                self.driven = None;
                self.ones = 0;
                self.phase = match *next {
                    AfterAnswer::Turnaround => Phase::Turnaround,
                    AfterAnswer::Data(request) => {
                        Phase::Gap { left: 1, write: Write::Register(request) }
                    }
                };
            }
            Phase::Gap { left, write } => {
                *left -= 1;
                if *left == 0 {
                    self.phase = Phase::Data { bits: 0, count: 0, write: *write };
                }
            }
            Phase::Data { bits, count, write } => {
                *bits |= u64::from(data) << *count;
                *count += 1;
                if *count == DATA_BITS {
                    let (bits, write) = (*bits, *write);
                    self.finish_write(bits, write, target);
                }
            }
            Phase::Turnaround => self.phase = Phase::Idle,
        }
    }

    fn reset_line(&mut self) {
        self.phase = Phase::Reset;
        self.selected = None;
        self.fresh = true;
        self.ports.iter_mut().for_each(Dp::reset_line);
    }

    /// Begins the answer to a request.
    fn answer(&mut self, bits: u8, target: &mut dyn DebugTarget) {
        let fresh = std::mem::take(&mut self.fresh);
        let Some(request) = Request::decode(bits) else {
            // A protocol error: the port stays silent up to a line reset (ADIv5.2 B4.2.5).
            self.phase = Phase::Deaf;
            self.selected = None;
            return;
        };
        let selects = !request.access_port && !request.read && request.address == TARGETSEL_ADDRESS;
        if selects && fresh {
            // No port drives the acknowledgement of TARGETSEL (ADIv5.2 B4.3.4).
            self.phase = Phase::Gap { left: UNDRIVEN_BITS, write: Write::TargetSelect };
            return;
        }
        let Some(port) = self.selected.and_then(|number| self.ports.get_mut(number)) else {
            self.phase = Phase::Deaf;
            return;
        };
        let ack = port.acknowledge(request, target);
        let (mut bits, mut left) = (ack as u64, ACK_BITS);
        let mut next = AfterAnswer::Turnaround;
        if ack == Ack::Ok {
            if request.read {
                let value = port.read(request, target);
                let parity = u64::from(value.count_ones() & 1);
                bits |= u64::from(value) << ACK_BITS | parity << (ACK_BITS + DATA_BITS - 1);
                left += DATA_BITS;
            } else {
                next = AfterAnswer::Data(request);
            }
        }
        self.phase = Phase::Driving { bits, left, next };
    }

    fn finish_write(&mut self, bits: u64, write: Write, target: &mut dyn DebugTarget) {
        let value = bits as u32;
        let whole = u64::from(value.count_ones() & 1) == bits >> 32;
        self.phase = Phase::Idle;
        match write {
            Write::TargetSelect => {
                let mut ports = self.ports.iter();
                self.selected = ports.position(|port| whole && port.is_selected_by(value));
                if self.selected.is_none() {
                    self.phase = Phase::Deaf;
                }
            }
            Write::Register(request) => {
                let Some(port) = self.selected.and_then(|it| self.ports.get_mut(it)) else {
                    return;
                };
                if whole {
                    port.write(request, value, target);
                } else {
                    port.note_bad_data();
                }
            }
        }
    }
}
