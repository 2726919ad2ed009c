//! Transfers on an SPI that the firmware can be suspended in.

use std::ops::Range;

use embedded_hal::spi::Operation;
use hal_mock::board::Terminals;
use virtual_time::{Instant, Nanos};

use crate::context;

/// Number of bytes after which a long transfer can be suspended.
const CHUNK: usize = 512;

/// Transfers `count` bytes in pieces, and calls `reach` with the times of each piece, and its place.
pub(super) fn in_pieces(
    count: usize,
    hertz: u32,
    mut reach: impl FnMut(&Terminals, Instant, Instant, Range<usize>),
) {
    let mut sent = 0;
    while sent < count {
        let piece = CHUNK.min(count - sent);
        let takes = Nanos(piece as u64 * 8 * 1_000_000_000 / u64::from(hertz));
        context::terminals(|terminals, start| {
            reach(terminals, start, start.saturating_add(takes), sent..sent + piece);
        });
        sent += piece;
        context::spend(takes);
    }
}

/// Executes the operations of a transaction: `send` sends bytes, `exchange` also replaces them with those
/// that are received.
pub(super) fn execute(
    operations: &mut [Operation<'_, u8>],
    send: impl Fn(&[u8]),
    exchange: impl Fn(&mut [u8]),
) {
    for operation in operations {
        match operation {
            Operation::Write(bytes) => send(bytes),
            Operation::Read(bytes) => {
                bytes.fill(0);
                exchange(bytes);
            }
            Operation::TransferInPlace(bytes) => exchange(bytes),
            Operation::Transfer(read, write) => {
                // The longer of the two sets the length.
                let mut bytes = context::uncounted(|| {
                    let mut bytes = write.to_vec();
                    bytes.resize(read.len().max(write.len()), 0);
                    bytes
                });
                exchange(&mut bytes);
                read.copy_from_slice(&bytes[..read.len()]);
            }
            Operation::DelayNs(nanos) => context::spend(Nanos(u64::from(*nanos))),
        }
    }
}
