//! Control transfers: setup, data and status stage (USB 2.0 section 8.5.3), and the reasons why
//! transfers fail.

use super::packet::{Answer, Token, Transaction};

/// Limit of the duration of a control transfer (USB 2.0 section 9.2.6.1).
const LIMIT_NS: u64 = 5_000_000_000;
/// Time between two attempts of a transaction for which the device was not ready.
const RETRY_NS: u64 = 50_000;
/// Time between two transfers, and between the setup stage and the next one: the eighth of a frame
/// that a host behind a high-speed hub takes at least. A device may need this time to drop data
/// that it had ready for the last transfer.
const SETUP_GAP_NS: u64 = 125_000;
/// Number of attempts without an answer after which a transfer has failed (USB 2.0 section 8.7.4).
pub(super) const ATTEMPTS: u8 = 3;

/// The eight bytes of a setup packet (USB 2.0 section 9.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setup {
    /// bmRequestType; bit 7 is set for data to the host.
    pub request_type: u8,
    /// bRequest.
    pub request: u8,
    /// wValue.
    pub value: u16,
    /// wIndex.
    pub index: u16,
    /// wLength: number of data bytes, or the largest number of data bytes to the host.
    pub length: u16,
}

impl Setup {
    /// Returns the eight bytes as they are sent.
    pub fn bytes(self) -> [u8; 8] {
        let [value, index, length] = [self.value, self.index, self.length].map(u16::to_le_bytes);
        let [v0, v1] = value;
        let [i0, i1] = index;
        let [l0, l1] = length;
        [self.request_type, self.request, v0, v1, i0, i1, l0, l1]
    }

    /// Parses a setup packet.
    pub fn parse(bytes: [u8; 8]) -> Self {
        let [request_type, request, v0, v1, i0, i1, l0, l1] = bytes;
        let [value, index, length] = [[v0, v1], [i0, i1], [l0, l1]].map(u16::from_le_bytes);
        Self { request_type, request, value, index, length }
    }

    /// Returns whether the data stage goes to the host.
    pub fn reads(self) -> bool {
        self.request_type & 0x80 != 0
    }
}

/// A reason why a transfer has failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TransferError {
    /// The device answered with STALL.
    #[error("the device stalled it")]
    Stalled,
    /// Three attempts had no answer.
    #[error("the device did not answer")]
    Silent,
    /// The device was not ready for five seconds.
    #[error("the device was not ready for 5 s")]
    TimedOut,
    /// The device sent more bytes than a packet or the transfer may have.
    #[error("the device sent {0} bytes where {1} are the most")]
    Babble(usize, u16),
    /// The status stage had data.
    #[error("the device sent {0} bytes of data to end a transfer")]
    Status(usize),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Setup,
    Data,
    Status,
}

/// A control transfer in progress.
#[derive(Clone, Debug)]
pub(super) struct Control {
    pub(super) setup: Setup,
    stage: Stage,
    /// Data to send, or data received.
    data: Vec<u8>,
    /// Number of bytes of `data` that have been sent.
    sent: usize,
    data1: bool,
    failures: u8,
    end_ns: u64,
    pub(super) retry_ns: u64,
}

impl Control {
    /// Creates a transfer that begins at `ns`; `data` has `setup.length` bytes if they go to the
    /// device.
    pub(super) fn new(setup: Setup, data: Vec<u8>, ns: u64) -> Self {
        Self {
            setup,
            stage: Stage::Setup,
            data,
            sent: 0,
            data1: false,
            failures: 0,
            end_ns: ns.saturating_add(LIMIT_NS),
            retry_ns: ns + SETUP_GAP_NS,
        }
    }

    /// Returns the next transaction.
    pub(super) fn transaction(&self, address: u8, max_packet: u16) -> Transaction {
        let (token, data1, data) = match self.stage {
            Stage::Setup => (Token::Setup, false, self.setup.bytes().to_vec()),
            Stage::Data if self.setup.reads() => (Token::In, self.data1, vec![]),
            Stage::Data => {
                let end = self.data.len().min(self.sent + usize::from(max_packet));
                (Token::Out, self.data1, self.data[self.sent..end].to_vec())
            }
            // The status stage goes against the data stage.
            Stage::Status if self.setup.reads() && self.setup.length > 0 => {
                (Token::Out, true, vec![])
            }
            Stage::Status => (Token::In, true, vec![]),
        };
        Transaction { address, endpoint: 0, token, data1, data }
    }

    /// Processes the answer to `transaction`. Returns the transfer's result when it is complete:
    /// the data that the device has sent.
    pub(super) fn answered(
        &mut self,
        ns: u64,
        transaction: &Transaction,
        answer: Answer,
        max_packet: u16,
    ) -> Option<Result<Vec<u8>, TransferError>> {
        self.retry_ns = ns;
        let reading = transaction.token == Token::In;
        let result = match answer {
            Answer::Ack if !reading => self.taken(ns, transaction.data.len()),
            Answer::Data { data1, bytes } if reading => self.received(data1, &bytes, max_packet),
            Answer::Stall if self.stage != Stage::Setup => Some(Err(TransferError::Stalled)),
            Answer::Nak if self.stage != Stage::Setup => {
                self.retry_ns = ns + RETRY_NS;
                self.failures = 0;
                None
            }
            // Silence, or an answer that is invalid here.
            _ => {
                self.failures += 1;
                (self.failures >= ATTEMPTS).then_some(Err(TransferError::Silent))
            }
        };
        if result.is_none() && ns >= self.end_ns {
            return Some(Err(TransferError::TimedOut));
        }
        result
    }

    /// Handles an acknowledgement of `count` bytes by the device.
    fn taken(&mut self, ns: u64, count: usize) -> Option<Result<Vec<u8>, TransferError>> {
        self.failures = 0;
        match self.stage {
            Stage::Setup => {
                self.retry_ns = ns + SETUP_GAP_NS;
                self.data1 = true;
                self.stage = if self.setup.length == 0 { Stage::Status } else { Stage::Data };
            }
            Stage::Data => {
                self.sent += count;
                self.data1 = !self.data1;
                if self.sent >= self.data.len() {
                    self.stage = Stage::Status;
                }
            }
            Stage::Status => return Some(Ok(std::mem::take(&mut self.data))),
        }
        None
    }

    fn received(
        &mut self,
        data1: bool,
        bytes: &[u8],
        max_packet: u16,
    ) -> Option<Result<Vec<u8>, TransferError>> {
        self.failures = 0;
        let status = self.stage == Stage::Status;
        // The device has missed the last acknowledgement and repeats its packet, or sends one that
        // was meant for the previous transfer. A status stage has DATA1 (USB 2.0 section 8.5.3).
        if data1 != (status || self.data1) {
            return None;
        }
        if status {
            return Some(match bytes.len() {
                0 => Ok(std::mem::take(&mut self.data)),
                count => Err(TransferError::Status(count)),
            });
        }
        if bytes.len() > usize::from(max_packet) {
            return Some(Err(TransferError::Babble(bytes.len(), max_packet)));
        }
        self.data1 = !self.data1;
        self.data.extend_from_slice(bytes);
        let whole = usize::from(self.setup.length);
        if self.data.len() > whole {
            return Some(Err(TransferError::Babble(self.data.len(), self.setup.length)));
        }
        if self.data.len() == whole || bytes.len() < usize::from(max_packet) {
            self.stage = Stage::Status;
        }
        None
    }
}
