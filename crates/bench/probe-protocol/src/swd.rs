//! Serial wire debug: batches of operations that the probe executes on the board's SWCLK and SWDIO,
//! and their results.
//!
//! The probe knows packets and acknowledgements, and no register: ports, memory, cores and flash
//! are the host's subject. A batch is a sequence of operations, each with a tag:
//!
//! ```text
//! 0x00 · bits u8 (1 to 255) · the bits, the first in bit 0      drive these bits
//! 0x10 + register · count u8                                    read a register `count` times
//! 0x20 + register · count u8 · words, little-endian             write these words to a register
//! ```
//!
//! The register is `A[3:2]` in bits 2 and 3, and APnDP in bit 0. The probe has one batch at a time,
//! and answers each with one [`SwdResult`].
//!
//! Sources: ARM IHI 0031 (ADIv5.2) B4.

use serde::{Deserialize, Serialize};

/// Largest size of a batch in bytes. With its number it fits into a frame.
pub const BATCH: usize = 440;
/// Largest number of words that a batch reads. They fit into an observation.
pub const WORDS: usize = 104;
/// Number of times that the probe repeats a transfer that is acknowledged with WAIT.
pub const WAITS: u32 = 100;
/// Number of idle clocks after a batch, in which the port ends the last transfer (ADIv5.2 B4.1.2).
pub const IDLE_BITS: u8 = 8;

const _: () = assert!(BATCH + 8 <= crate::frame::PAYLOAD);
const _: () = assert!(WORDS * 4 + 8 <= crate::frame::PACKED);

const SEQUENCE: u8 = 0x00;
const READ: u8 = 0x10;
const WRITE: u8 = 0x20;
const KIND: u8 = 0xF0;

/// A register of the selected debug port or of its access port.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Register {
    /// APnDP: whether it is a register of the access port.
    pub access_port: bool,
    /// Address in the current bank: 0, 4, 8 or 12.
    pub address: u8,
}

impl Register {
    /// Returns the register of the debug port at `address`.
    pub const fn dp(address: u8) -> Self {
        Self { access_port: false, address: address & 0xC }
    }

    /// Returns the register of the access port at `address` of the current bank.
    pub const fn ap(address: u8) -> Self {
        Self { access_port: true, address: address & 0xC }
    }

    /// Returns the eight bits that request this register, the first in bit 0: start, APnDP, RnW,
    /// `A[3:2]`, parity, stop, park (ADIv5.2 B4.1.1).
    pub const fn request(self, read: bool) -> u8 {
        let fields = self.access_port as u8 | (read as u8) << 1 | self.address;
        let parity = fields.count_ones() as u8 & 1;
        1 | fields << 1 | parity << 5 | 1 << 7
    }

    const fn tag(self) -> u8 {
        self.access_port as u8 | self.address
    }

    const fn of_tag(tag: u8) -> Option<Self> {
        match tag & 0b0010 {
            0 => Some(Self { access_port: tag & 1 != 0, address: tag & 0xC }),
            _ => None,
        }
    }
}

/// An operation on the wires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SwdOp<'a> {
    /// Drives this number of bits; the first one is bit 0 of the first byte.
    Sequence { bits: u8, bytes: &'a [u8] },
    /// Reads a register a number of times.
    Read { register: Register, count: u8 },
    /// Writes these words, little-endian, to a register.
    Write { register: Register, words: &'a [u8] },
}

/// The error for bytes that are no batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotABatch;

impl<'a> SwdOp<'a> {
    /// Decodes the first operation, and returns the bytes after it.
    ///
    /// # Errors
    /// Returns an error if the bytes are no operation.
    pub fn decode(bytes: &'a [u8]) -> Result<(Self, &'a [u8]), NotABatch> {
        let [tag, count, rest @ ..] = bytes else { return Err(NotABatch) };
        let register = || Register::of_tag(*tag).ok_or(NotABatch);
        if *count == 0 {
            return Err(NotABatch);
        }
        let split = |length: usize| rest.split_at_checked(length).ok_or(NotABatch);
        match tag & KIND {
            SEQUENCE if *tag == SEQUENCE => {
                let (bytes, rest) = split(usize::from(*count).div_ceil(8))?;
                Ok((Self::Sequence { bits: *count, bytes }, rest))
            }
            READ => Ok((Self::Read { register: register()?, count: *count }, rest)),
            WRITE => {
                let (words, rest) = split(4 * usize::from(*count))?;
                Ok((Self::Write { register: register()?, words }, rest))
            }
            _ => Err(NotABatch),
        }
    }

    /// Returns the first bytes of the operation; its [data](Self::data) follows. `None` if a count
    /// is out of range.
    pub fn head(&self) -> Option<[u8; 2]> {
        let (tag, count, length) = match *self {
            Self::Sequence { bits, bytes } => {
                (SEQUENCE, bits, bytes.len() == usize::from(bits).div_ceil(8))
            }
            Self::Read { register, count } => (READ | register.tag(), count, true),
            Self::Write { register, words } => {
                let count = u8::try_from(words.len() / 4).ok()?;
                (WRITE | register.tag(), count, words.len().is_multiple_of(4))
            }
        };
        (count > 0 && length).then_some([tag, count])
    }

    /// Returns the operation's bits or words.
    pub const fn data(&self) -> &'a [u8] {
        match *self {
            Self::Sequence { bytes, .. } => bytes,
            Self::Read { .. } => &[],
            Self::Write { words, .. } => words,
        }
    }
}

/// Checks a batch: its size, its operations, and the number of words that it reads.
///
/// # Errors
/// Returns an error if the probe cannot execute it.
pub fn check(batch: &[u8]) -> Result<(), NotABatch> {
    let (mut rest, mut words) = (batch, 0);
    if batch.len() > BATCH {
        return Err(NotABatch);
    }
    while !rest.is_empty() {
        let (op, after) = SwdOp::decode(rest)?;
        if let SwdOp::Read { count, .. } = op {
            words += usize::from(count);
        }
        rest = after;
    }
    if words > WORDS { Err(NotABatch) } else { Ok(()) }
}

/// The end of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SwdEnd {
    /// Every operation was executed.
    Done,
    /// The port acknowledged with WAIT [`WAITS`] times.
    Wait,
    /// The port acknowledged with FAULT.
    Fault,
    /// Nothing, or something that is no acknowledgement, was on the wire.
    NoAck,
    /// Data came with a wrong parity.
    Parity,
    /// The bytes are no batch; nothing was executed.
    NotABatch,
    /// The board's power is off; nothing was executed.
    NoPower,
}

/// The result of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SwdResult<'a> {
    /// Number of the batch.
    pub number: u8,
    pub end: SwdEnd,
    /// Number of transfers that were acknowledged with OK.
    pub transfers: u16,
    /// Words that were read, little-endian.
    #[serde(borrow)]
    pub words: &'a [u8],
}

#[cfg(test)]
mod tests {
    extern crate std;

    use std::vec::Vec;

    use super::*;

    #[test]
    fn requests_have_the_bits_of_the_specification() {
        // The values are in the tables of ADIv5.2 B4.1.1 and of CMSIS-DAP.
        for (register, read, bits) in [
            (Register::dp(0), true, 0xA5),
            (Register::dp(0), false, 0x81),
            (Register::dp(4), true, 0x8D),
            (Register::dp(4), false, 0xA9),
            (Register::dp(8), false, 0xB1),
            (Register::dp(12), true, 0xBD),
            (Register::dp(12), false, 0x99),
            (Register::ap(0), false, 0xA3),
            (Register::ap(4), false, 0x8B),
            (Register::ap(12), true, 0x9F),
            (Register::ap(12), false, 0xBB),
        ] {
            assert_eq!(register.request(read), bits, "{register:?} {read}");
        }
    }

    #[track_caller]
    fn refused(bytes: &[u8]) {
        assert_eq!(check(bytes), Err(NotABatch), "{bytes:?}");
    }

    #[test]
    fn what_is_no_batch_is_refused() {
        assert_eq!(check(&[]), Ok(()));
        refused(&[READ]);
        refused(&[READ, 0]);
        refused(&[READ | 2, 1]);
        refused(&[SEQUENCE, 9, 0xFF]);
        refused(&[SEQUENCE | 1, 8, 0xFF]);
        refused(&[WRITE, 1, 1, 2, 3]);
        refused(&[0x30, 1, 1]);
        refused(&[READ, 100, READ, 5]);
        assert_eq!(check(&[READ, 100, READ, 4]), Ok(()));
        refused(&[READ, 1].repeat(BATCH / 2 + 1));
    }

    #[test]
    fn an_operation_with_a_wrong_count_has_no_bytes() {
        assert_eq!(SwdOp::Sequence { bits: 9, bytes: &[1] }.head(), None);
        assert_eq!(SwdOp::Sequence { bits: 0, bytes: &[] }.head(), None);
        assert_eq!(SwdOp::Read { register: Register::ap(0), count: 0 }.head(), None);
        let words = [0; 1024];
        assert_eq!(SwdOp::Write { register: Register::ap(0), words: &words }.head(), None);
        assert_eq!(SwdOp::Write { register: Register::ap(0), words: &words[..3] }.head(), None);
    }

    mod random {
        use super::*;
        use proptest::prelude::*;

        fn register() -> impl Strategy<Value = Register> {
            (any::<bool>(), 0..4_u8)
                .prop_map(|(access_port, word)| Register { access_port, address: 4 * word })
        }

        proptest! {
            #[test]
            fn operations_are_decoded_as_they_were_encoded(
                register in register(),
                count in 1..=40_u8,
                bits in 1..=255_u8,
                data in proptest::collection::vec(any::<u8>(), 160),
            ) {
                let ops = [
                    SwdOp::Read { register, count },
                    SwdOp::Sequence { bits, bytes: &data[..usize::from(bits).div_ceil(8)] },
                    SwdOp::Write { register, words: &data[..4 * usize::from(count)] },
                ];
                let mut batch = Vec::new();
                for op in &ops {
                    batch.extend(op.head().expect("a valid operation"));
                    batch.extend(op.data());
                }
                prop_assert_eq!(check(&batch), Ok(()));
                let mut rest = &batch[..];
                for op in ops {
                    let (decoded, after) = SwdOp::decode(rest).expect("an operation");
                    prop_assert_eq!(decoded, op);
                    rest = after;
                }
                prop_assert!(rest.is_empty());
                prop_assert!(check(&batch[..batch.len() - 1]).is_err());
            }

            #[test]
            fn any_bytes_end(bytes in proptest::collection::vec(any::<u8>(), 0..600)) {
                let _ = check(&bytes);
                let mut rest = &bytes[..];
                while let Ok((_, after)) = SwdOp::decode(rest) {
                    prop_assert!(after.len() < rest.len());
                    rest = after;
                }
            }

            #[test]
            fn results_are_decoded_as_they_were_encoded(
                number in any::<u8>(),
                transfers in any::<u16>(),
                words in proptest::collection::vec(any::<u8>(), 0..=4 * WORDS),
            ) {
                let ends = [
                    SwdEnd::Done, SwdEnd::Wait, SwdEnd::Fault, SwdEnd::NoAck, SwdEnd::Parity,
                    SwdEnd::NotABatch, SwdEnd::NoPower,
                ];
                for end in ends {
                    let result = SwdResult { number, end, transfers, words: &words };
                    let mut bytes = [0; crate::frame::PACKED];
                    let bytes = postcard::to_slice(&result, &mut bytes).expect("it fits");
                    prop_assert_eq!(postcard::from_bytes(bytes), Ok(result));
                }
            }
        }
    }
}
