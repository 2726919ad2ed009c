//! A pipe: the host's side of one bulk or interrupt endpoint.

use std::collections::VecDeque;

use super::control::{ATTEMPTS, TransferError};
use super::packet::{Answer, Token, Transaction};

/// Largest number of bytes that wait in a pipe, for the device or for the caller. A pipe whose
/// caller does not read its bytes is not polled.
pub const PIPE_BYTES: usize = 65536;
/// Time between two attempts while an endpoint is in use.
const BUSY_RETRY_NS: u64 = 20_000;
/// Time after its last data for which an endpoint counts as in use.
const BUSY_NS: u64 = 1_000_000;
/// Time between two attempts otherwise: a frame.
const IDLE_RETRY_NS: u64 = 1_000_000;
/// Number of consecutive stalls after which the host no longer clears them.
const STALLS: u8 = 3;

/// A packet that a device has sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packet {
    /// Time of the acknowledgement, in nanoseconds.
    pub ns: u64,
    pub bytes: Vec<u8>,
}

/// The host's side of one endpoint.
#[derive(Clone, Debug)]
pub(super) struct Pipe {
    /// bEndpointAddress: bit 7 is set for data to the host.
    pub(super) address: u8,
    max_packet: u16,
    /// Time between two polls of an interrupt endpoint; 0 for bulk.
    interval_ns: u64,
    /// Whether the endpoint is polled or written.
    pub(super) open: bool,
    /// Reason why the endpoint has failed.
    pub(super) failed: Option<TransferError>,
    /// Whether received bytes are not for the caller.
    pub(super) discards: bool,
    outgoing: VecDeque<u8>,
    incoming: VecDeque<Packet>,
    incoming_bytes: usize,
    data1: bool,
    failures: u8,
    stalls: u8,
    retry_ns: u64,
    busy_until_ns: u64,
}

/// Action of the host that follows from an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum After {
    Nothing,
    /// Clear the halt of the endpoint.
    ClearHalt,
}

impl Pipe {
    pub(super) fn new(address: u8, max_packet: u16, interval_ms: Option<u8>) -> Self {
        Self {
            address,
            max_packet,
            interval_ns: interval_ms.map_or(0, |ms| u64::from(ms.max(1)) * 1_000_000),
            open: true,
            failed: None,
            discards: false,
            outgoing: VecDeque::new(),
            incoming: VecDeque::new(),
            incoming_bytes: 0,
            data1: false,
            failures: 0,
            stalls: 0,
            retry_ns: 0,
            busy_until_ns: 0,
        }
    }

    fn reads(&self) -> bool {
        self.address & 0x80 != 0
    }

    pub(super) fn max_packet(&self) -> u16 {
        self.max_packet
    }

    /// Queues bytes for the device and returns the number that fitted.
    pub(super) fn send(&mut self, bytes: &[u8]) -> usize {
        let room = PIPE_BYTES.saturating_sub(self.outgoing.len());
        let taken = &bytes[..bytes.len().min(room)];
        self.outgoing.extend(taken);
        taken.len()
    }

    /// Returns the number of bytes that the device has not accepted yet.
    pub(super) fn waiting(&self) -> usize {
        self.outgoing.len()
    }

    /// Returns the packets since the last call.
    pub(super) fn take(&mut self) -> Vec<Packet> {
        self.incoming_bytes = 0;
        std::mem::take(&mut self.incoming).into()
    }

    /// Returns the time of the next transaction; `None` if there is none.
    pub(super) fn due_ns(&self) -> Option<u64> {
        let works = self.open && self.failed.is_none();
        let wants =
            if self.reads() { self.incoming_bytes < PIPE_BYTES } else { !self.outgoing.is_empty() };
        (works && wants).then_some(self.retry_ns)
    }

    pub(super) fn transaction(&self, address: u8) -> Transaction {
        let endpoint = self.address & 0xF;
        if self.reads() {
            return Transaction {
                address,
                endpoint,
                token: Token::In,
                data1: self.data1,
                data: vec![],
            };
        }
        let data = self.outgoing.iter().take(self.max_packet.into()).copied().collect();
        Transaction { address, endpoint, token: Token::Out, data1: self.data1, data }
    }

    /// Processes the answer to `transaction`.
    pub(super) fn answered(&mut self, ns: u64, transaction: &Transaction, answer: Answer) -> After {
        let reading = transaction.token == Token::In;
        self.retry_ns = ns + self.interval_ns;
        match answer {
            Answer::Ack if !reading => {
                self.moved(ns);
                self.outgoing.drain(..transaction.data.len().min(self.outgoing.len()));
            }
            Answer::Data { bytes, .. } if reading && bytes.len() > self.max_packet.into() => {
                self.failed = Some(TransferError::Babble(bytes.len(), self.max_packet));
            }
            Answer::Data { data1, bytes } if reading => {
                // With the other PID it would be a repeated packet.
                if data1 == self.data1 {
                    self.moved(ns);
                    if !self.discards {
                        // An empty packet counts too, so that an endless sequence of them is
                        // bounded.
                        self.incoming_bytes += bytes.len().max(1);
                        self.incoming.push_back(Packet { ns, bytes });
                    }
                }
            }
            Answer::Nak => {
                let idle = ns >= self.busy_until_ns;
                let wait = if idle { IDLE_RETRY_NS } else { BUSY_RETRY_NS };
                self.retry_ns = ns + self.interval_ns.max(wait);
                self.failures = 0;
            }
            Answer::Stall => {
                self.stalls += 1;
                if self.stalls < STALLS {
                    // Wait until the halt is cleared.
                    self.retry_ns = u64::MAX;
                    return After::ClearHalt;
                }
                self.failed = Some(TransferError::Stalled);
            }
            // Silence, or an answer that is invalid here.
            _ => {
                self.failures += 1;
                if self.failures >= ATTEMPTS {
                    self.failed = Some(TransferError::Silent);
                }
            }
        }
        After::Nothing
    }

    fn moved(&mut self, ns: u64) {
        self.data1 = !self.data1;
        self.failures = 0;
        self.stalls = 0;
        self.busy_until_ns = ns + BUSY_NS;
    }

    /// Continues after the halt is cleared; the device restarts with DATA0 (USB 2.0 section 9.4.5).
    pub(super) fn cleared(&mut self, ns: u64) {
        self.data1 = false;
        self.retry_ns = ns;
    }
}
