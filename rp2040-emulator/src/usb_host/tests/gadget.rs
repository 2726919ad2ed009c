//! A simulated device: two serial ports that echo, with faults that can be switched on.

use std::collections::VecDeque;

use super::super::wire::Wire;
use super::super::{Answer, Function, Host, Setup, Token, Transaction};

/// Device descriptor with packets of 8 bytes on endpoint 0, so that descriptors take several
/// packets.
pub const DEVICE: [u8; 18] = [18, 1, 0, 2, 0xEF, 2, 1, 8, 0x09, 0x12, 0x01, 0x00, 0, 1, 0, 2, 0, 1];

/// Returns a configuration of two CDC-ACM functions with interface associations.
pub fn configuration() -> Vec<u8> {
    let mut bytes = vec![9, 2, 0, 0, 4, 1, 0, 0x80, 50];
    for function in 0..2 {
        let (control, data) = (function * 2, function * 2 + 1);
        let (notify, endpoint) = (0x81 + function, 0x83 + function);
        bytes.extend([8, 0x0B, control, 2, 2, 2, 0, 0]);
        bytes.extend([9, 4, control, 0, 1, 2, 2, 0, 0]);
        // The union is at byte 35, the endpoint at byte 40 of the first function.
        bytes.extend([5, 0x24, 0, 0x20, 1, 4, 0x24, 2, 2, 5, 0x24, 6, control, data]);
        bytes.extend([7, 5, notify, 3, 16, 0, 16]);
        bytes.extend([9, 4, data, 0, 2, 0x0A, 0, 0, 0]);
        bytes.extend([7, 5, endpoint, 2, 64, 0, 0, 7, 5, endpoint & 0xF, 2, 64, 0, 0]);
    }
    bytes[2] = bytes.len() as u8;
    bytes
}

/// Returns a configuration with one vendor-specific interface: bulk endpoints 0x83 and 0x03, and an
/// interrupt endpoint 0x84.
pub fn vendor_configuration() -> Vec<u8> {
    let mut bytes = vec![9, 2, 0, 0, 1, 1, 0, 0x80, 50];
    bytes.extend([9, 4, 0, 0, 3, 0xFF, 0, 0, 0]);
    bytes.extend([7, 5, 0x83, 2, 64, 0, 0, 7, 5, 0x03, 2, 64, 0, 0, 7, 5, 0x84, 3, 8, 0, 1]);
    bytes[2] = bytes.len() as u8;
    bytes
}

#[derive(Debug, Default)]
pub struct Gadget {
    /// Whether the device has a vendor-specific interface instead of serial ports.
    is_vendor: bool,
    pub disconnected: bool,
    pub address: u8,
    next_address: Option<u8>,
    pub configured: bool,
    pub dtr: [bool; 2],
    /// Number of bytes received before DTR.
    pub early: usize,
    setup: Option<Setup>,
    reply: Vec<u8>,
    sent: usize,
    stalled: bool,
    control_data1: bool,
    echo: [VecDeque<u8>; 2],
    /// Toggles of data in and data out.
    toggles: [[bool; 2]; 2],
    pub chatters: bool,
    /// Number of times that each transaction except a setup is refused.
    pub naks: u32,
    /// Whether only transactions of control transfers are refused.
    pub refuses_control_only: bool,
    refused: [[u32; 2]; 16],
    /// Whether the bulk IN endpoint of port 0 is halted.
    pub halted: bool,
    pub wants_wakeup: bool,
    pub resumes: u32,
    pub resets: Vec<(u64, bool)>,
    pub frames: Vec<(u64, u16)>,
    pub first_setup_ns: u64,
    /// Time and address of each transaction; bit 7 is set if the endpoint was asked for data.
    pub asked: Vec<(u64, u8)>,
}

impl Gadget {
    pub fn two_ports() -> Self {
        Self::default()
    }

    /// Creates a device that echoes in bulk, and knows one vendor request.
    pub fn vendor() -> Self {
        Self { is_vendor: true, ..Self::default() }
    }

    fn begin_control(&mut self, setup: Setup) {
        let (mut reply, mut stalled) = (vec![], false);
        match (setup.request_type, setup.request, setup.value >> 8) {
            (0x80, 6, 1) => reply = DEVICE.to_vec(),
            (0x80, 6, 2) if self.is_vendor => reply = vendor_configuration(),
            (0x80, 6, 2) => reply = configuration(),
            (0xC0, 1, _) if self.is_vendor => reply = setup.index.to_le_bytes().to_vec(),
            (0x80, 6, 3) => match setup.value & 0xFF {
                0 => reply = vec![4, 3, 9, 4],
                _ => {
                    reply = vec![14, 3];
                    reply.extend("Gadget".encode_utf16().flat_map(u16::to_le_bytes));
                }
            },
            (0, 5, _) => self.next_address = Some(setup.value as u8),
            (0, 9, _) => self.configured = true,
            (0x21, 0x20, _) => {}
            (0x21, 0x22, _) => self.dtr[usize::from(setup.index) / 2 % 2] = setup.value & 1 != 0,
            (2, 1, _) => {
                self.halted = false;
                self.toggles[0][0] = false;
            }
            _ => stalled = true,
        }
        reply.truncate(setup.length.into());
        (self.reply, self.stalled, self.sent) = (reply, stalled, 0);
        self.setup = Some(setup);
        self.control_data1 = true;
    }
}

impl Function for Gadget {
    fn connected(&self) -> bool {
        !self.disconnected
    }

    fn reset(&mut self, ns: u64, begins: bool) {
        self.resets.push((ns, begins));
        self.address = 0;
        self.configured = false;
        self.toggles = Default::default();
    }

    fn frame(&mut self, ns: u64, number: u16) {
        self.frames.push((ns, number));
    }

    fn resume(&mut self, _: u64) {
        self.resumes += 1;
    }

    fn take_wakeup(&mut self) -> bool {
        std::mem::take(&mut self.wants_wakeup)
    }

    fn begin(&mut self, ns: u64, transaction: &Transaction) -> Answer {
        if transaction.address != self.address {
            return Answer::Silence;
        }
        if transaction.token == Token::Setup {
            if self.first_setup_ns == 0 {
                self.first_setup_ns = ns;
            }
            return Answer::Ack;
        }
        let direction = u8::from(transaction.token == Token::In) << 7;
        self.asked.push((ns, transaction.endpoint | direction));
        // Each endpoint is counted separately: otherwise two that are polled in turn could always
        // get a NAK.
        let direction = usize::from(transaction.token == Token::In);
        let refused = &mut self.refused[usize::from(transaction.endpoint & 15)][direction];
        let refuses = transaction.endpoint == 0 || !self.refuses_control_only;
        if refuses && *refused < self.naks {
            *refused += 1;
            return Answer::Nak;
        }
        *refused = 0;
        let port = usize::from(transaction.endpoint.saturating_sub(3)) & 1;
        match (transaction.endpoint, transaction.token) {
            (0, _) if self.stalled => Answer::Stall,
            (0, Token::In) => {
                let end = self.reply.len().min(self.sent + 8);
                let bytes = self.reply[self.sent..end].to_vec();
                Answer::Data { data1: self.control_data1, bytes }
            }
            (0, _) => Answer::Ack,
            (3, Token::In) if self.halted => Answer::Stall,
            (3 | 4, Token::In) if self.chatters => {
                Answer::Data { data1: self.toggles[port][0], bytes: vec![b'.'; 64] }
            }
            (3 | 4, Token::In) if self.echo[port].is_empty() => Answer::Nak,
            (3 | 4, Token::In) => {
                let bytes = self.echo[port].iter().take(64).copied().collect();
                Answer::Data { data1: self.toggles[port][0], bytes }
            }
            (3 | 4, Token::Out) => Answer::Ack,
            _ => Answer::Nak,
        }
    }

    fn complete(&mut self, _: u64, transaction: &Transaction, answer: &Answer) {
        let port = usize::from(transaction.endpoint.saturating_sub(3)) & 1;
        match (transaction.endpoint, transaction.token, answer) {
            (0, Token::Setup, _) => {
                let bytes = transaction.data.as_slice().try_into().expect("eight bytes");
                self.begin_control(Setup::parse(bytes));
            }
            (0, Token::In, Answer::Data { bytes, .. }) => {
                self.sent += bytes.len();
                self.control_data1 = !self.control_data1;
                if let Some(address) = self.next_address.take() {
                    self.address = address;
                }
            }
            (_, Token::In, Answer::Data { bytes, .. }) if !self.chatters => {
                self.echo[port].drain(..bytes.len());
                self.toggles[port][0] ^= true;
            }
            (_, Token::In, Answer::Data { .. }) => self.toggles[port][0] ^= true,
            (1.., Token::Out, Answer::Ack) => {
                assert_eq!(transaction.data1, self.toggles[port][1], "the host's toggle");
                self.toggles[port][1] ^= true;
                if !self.dtr[port] {
                    self.early += transaction.data.len();
                }
                self.echo[port].extend(&transaction.data);
            }
            _ => {}
        }
    }
}

/// A device and a host with a cable between them.
pub struct Bench {
    pub gadget: Gadget,
    wire: Wire,
    pub now: u64,
}

impl Bench {
    pub fn new(gadget: Gadget, host: Host) -> Self {
        Self { gadget, wire: Wire::new(host), now: 0 }
    }

    pub fn host(&mut self) -> &mut Host {
        &mut self.wire.host
    }

    pub fn wake(&mut self) {
        self.wire.wake(self.now);
    }

    pub fn run(&mut self, until_ns: u64) {
        self.wire.advance(&mut self.gadget, until_ns);
        self.now = until_ns;
    }
}
