//! One serial wire debug port (ADIv5.2 B2 and B4): its registers, and the acknowledgement of each
//! request.

use super::ap::AccessPort;
use super::registers::*;
use super::target::DebugTarget;

/// A request: the register that a packet reads or writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Request {
    /// APnDP: a register of the access port.
    pub(super) access_port: bool,
    /// RnW.
    pub(super) read: bool,
    /// A[3:2], as an address: 0, 4, 8 or 12.
    pub(super) address: u8,
}

impl Request {
    /// Decodes the eight bits of a request, the first in bit 0; `None` if start, stop, park or
    /// parity are wrong (ADIv5.2 B4.1.1).
    pub(super) fn decode(bits: u8) -> Option<Self> {
        let fields = bits >> 1 & 0xF;
        let parity = bits >> 5 & 1;
        let whole = bits & 1 == 1 && bits >> 6 == 0b10 && fields.count_ones() as u8 & 1 == parity;
        whole.then_some(Self {
            access_port: fields & 1 != 0,
            read: fields & 2 != 0,
            address: fields & 0xC,
        })
    }
}

/// Acknowledgement of a request, with the bits on the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ack {
    Ok = 0b001,
    Wait = 0b010,
    Fault = 0b100,
}

#[derive(Clone, Debug)]
pub(super) struct Dp {
    core: usize,
    select: u32,
    /// Sticky flags and power-up requests of CTRL/STAT.
    control: u32,
    /// Result of the last read of the access port.
    result: u32,
    /// Data of the last read packet, for RESEND.
    sent: u32,
    ap: AccessPort,
}

impl Dp {
    pub(super) fn new(core: usize) -> Self {
        Self { core, select: 0, control: 0, result: 0, sent: 0, ap: AccessPort::new(core) }
    }

    /// Returns whether TARGETSEL `value` selects this port.
    pub(super) fn is_selected_by(&self, value: u32) -> bool {
        value == TARGETSEL[self.core]
    }

    /// Resets what a line reset does: SELECT's bank of the debug port (ADIv5.2 B4.3.3).
    pub(super) fn reset_line(&mut self) {
        self.select &= !SELECT_DPBANKSEL;
    }

    /// Acknowledges a request. While a sticky flag is set, only DPIDR and CTRL/STAT are read and
    /// ABORT is written (ADIv5.2 B4.2.4).
    pub(super) fn acknowledge(&mut self, request: Request, target: &dyn DebugTarget) -> Ack {
        let Request { access_port, read, address } = request;
        let always = !access_port
            && match address {
                DPIDR => true,
                CTRL_STAT => read && self.select & SELECT_DPBANKSEL == BANK_CTRL_STAT,
                _ => false,
            };
        if always {
            return Ack::Ok;
        }
        let waits = access_port && AccessPort::is_transfer(self.ap_register(address))
            || !access_port && read && address == RDBUFF;
        if waits && target.is_busy() {
            return Ack::Wait;
        }
        if self.control & STICKY != 0 {
            return Ack::Fault;
        }
        if access_port && self.control & CDBGPWRUPREQ == 0 {
            self.control |= STICKYERR;
            return Ack::Fault;
        }
        Ack::Ok
    }

    /// Executes an acknowledged read, and returns the packet's data.
    pub(super) fn read(&mut self, request: Request, target: &mut dyn DebugTarget) -> u32 {
        let value = match (request.access_port, request.address) {
            (true, address) => {
                // The result comes with the next read (ADIv5.2 B4.2.2).
                let before = self.result;
                let register = self.ap_register(address);
                self.result = match self.reaches_ap() {
                    true => match self.ap.read(register, target) {
                        Ok(value) => value,
                        Err(_) => {
                            self.control |= STICKYERR;
                            0
                        }
                    },
                    false => 0,
                };
                self.control |= READOK;
                before
            }
            (false, DPIDR) => DPIDR_VALUE,
            (false, CTRL_STAT) => match self.select & SELECT_DPBANKSEL {
                BANK_CTRL_STAT => self.status(),
                // DLCR: a turnaround of one cycle, which is not changed.
                BANK_DLCR => 0x40,
                BANK_TARGETID => TARGETID,
                BANK_DLPIDR => DLPIDR_VALUE | (self.core as u32) << 28,
                _ => 0,
            },
            (false, RESEND) => self.sent,
            (false, RDBUFF) => self.result,
            (false, _) => 0,
        };
        self.sent = value;
        value
    }

    /// Executes an acknowledged write.
    pub(super) fn write(&mut self, request: Request, value: u32, target: &mut dyn DebugTarget) {
        match (request.access_port, request.address) {
            (true, address) => {
                let register = self.ap_register(address);
                if self.reaches_ap() && self.ap.write(register, value, target).is_err() {
                    self.control |= STICKYERR;
                }
            }
            (false, ABORT) => {
                for (clear, flag) in [
                    (STKCMPCLR, STICKYCMP),
                    (STKERRCLR, STICKYERR),
                    (WDERRCLR, WDATAERR),
                    (ORUNERRCLR, STICKYORUN),
                ] {
                    if value & clear != 0 {
                        self.control &= !flag;
                    }
                }
            }
            (false, CTRL_STAT) if self.select & SELECT_DPBANKSEL == BANK_CTRL_STAT => {
                let requests = CDBGPWRUPREQ | CSYSPWRUPREQ;
                self.control = self.control & !requests | value & requests;
            }
            (false, SELECT) => self.select = value,
            (false, _) => {}
        }
    }

    /// Records that the data of a write had a wrong parity (ADIv5.2 B4.2.5).
    pub(super) fn note_bad_data(&mut self) {
        self.control |= WDATAERR;
    }

    fn status(&self) -> u32 {
        let mut status = self.control;
        for (request, done) in [(CDBGPWRUPREQ, CDBGPWRUPACK), (CSYSPWRUPREQ, CSYSPWRUPACK)] {
            if status & request != 0 {
                status |= done;
            }
        }
        status
    }

    fn ap_register(&self, address: u8) -> u8 {
        (self.select & SELECT_APBANKSEL) as u8 | address
    }

    /// Returns whether APSEL selects the only access port, number 0.
    fn reaches_ap(&self) -> bool {
        self.select >> SELECT_APSEL_LSB == 0
    }
}
