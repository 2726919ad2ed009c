//! Transactions of a full-speed bus: token, data and handshake, and their duration (USB 2.0 section
//! 8.4).

/// First packet of a transaction, which selects its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token {
    /// Eight bytes that begin a control transfer.
    Setup,
    /// Data from the device.
    In,
    /// Data to the device.
    Out,
}

/// A transaction as sent by the host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transaction {
    /// Address of the device, 0 to 127.
    pub address: u8,
    /// Number of the endpoint, 0 to 15.
    pub endpoint: u8,
    /// Kind of the transaction.
    pub token: Token,
    /// Whether the PID of the data is DATA1; for [`Token::Setup`] and [`Token::Out`].
    pub data1: bool,
    /// Data bytes; empty for [`Token::In`].
    pub data: Vec<u8>,
}

/// Answer of the device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The device has accepted the data.
    Ack,
    /// The device is not ready.
    Nak,
    /// The endpoint is halted, or the request is not supported.
    Stall,
    /// Data for the host.
    Data {
        /// Whether the PID of the data is DATA1.
        data1: bool,
        /// Data bytes, at most 1023.
        bytes: Vec<u8>,
    },
    /// There is no answer: no device has this address, or no such endpoint.
    Silence,
}

/// Number of bits of a token packet: SYNC, PID, address, endpoint, CRC, end of packet.
const TOKEN_BITS: u64 = 8 + 8 + 16 + 3;
/// Number of bits of a data packet without its data.
const DATA_BITS: u64 = 8 + 8 + 16 + 3;
/// Number of bits of a handshake.
const HANDSHAKE_BITS: u64 = 8 + 8 + 3;
/// Number of bit times between two packets (USB 2.0 section 7.1.18: two to six and a half).
const GAP_BITS: u64 = 4;
/// Number of bit times after which there is no answer (USB 2.0 section 7.1.19: 16 to 18).
const TIMEOUT_BITS: u64 = 18;
/// Largest data packet of a full-speed bus in bytes.
const LONGEST: u64 = 1023;

/// Duration of a start-of-frame packet.
pub(crate) const FRAME_PACKET_NS: u64 = ns(TOKEN_BITS);

/// Returns the nanoseconds of `bits` at 12 Mbit/s. Stuffed bits are not counted.
const fn ns(bits: u64) -> u64 {
    bits * 250 / 3
}

impl Transaction {
    /// Returns the duration of this transaction in nanoseconds.
    pub(crate) fn duration_ns(&self, answer: &Answer) -> u64 {
        let sent = match self.token {
            Token::In => TOKEN_BITS,
            Token::Setup | Token::Out => {
                TOKEN_BITS + GAP_BITS + DATA_BITS + 8 * self.data.len() as u64
            }
        };
        ns(sent
            + match answer {
                Answer::Ack | Answer::Nak | Answer::Stall => GAP_BITS + HANDSHAKE_BITS,
                Answer::Data { bytes, .. } => {
                    2 * GAP_BITS + DATA_BITS + 8 * bytes.len() as u64 + HANDSHAKE_BITS
                }
                Answer::Silence => TIMEOUT_BITS,
            })
    }

    /// Returns the longest duration of the transaction if an answer has at most `max_packet` bytes.
    pub(crate) fn longest_ns(&self, max_packet: u16) -> u64 {
        let most = match self.token {
            Token::In => u64::from(max_packet).min(LONGEST),
            Token::Setup | Token::Out => 0,
        };
        self.duration_ns(&Answer::Silence)
            + ns(2 * GAP_BITS + DATA_BITS + 8 * most + HANDSHAKE_BITS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_duration_of_a_bulk_packet_is_that_of_its_bits() {
        let poll =
            Transaction { address: 1, endpoint: 1, token: Token::In, data1: false, data: vec![] };
        assert_eq!(poll.duration_ns(&Answer::Nak), 58 * 1000 / 12);
        let full = Answer::Data { data1: false, bytes: vec![0; 64] };
        assert_eq!(poll.duration_ns(&full), (35 + 8 + 35 + 512 + 19) * 1000 / 12);
        assert!(poll.longest_ns(64) >= poll.duration_ns(&full));
    }
}
