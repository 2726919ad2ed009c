//! Transfers on an SPI that the firmware can be suspended in.

use std::ops::Range;

use embedded_hal::spi::Operation;
use hal_mock::board::Terminals;
use virtual_time::{Instant, Nanos};

use crate::context;

/// Number of words after which a long transfer can be suspended.
const CHUNK: usize = 512;

/// Transfers `count` words of `bits` in pieces, and calls `reach` with the times of each piece, and its
/// place.
pub(super) fn in_pieces(
    count: usize,
    bits: u64,
    hertz: u32,
    mut reach: impl FnMut(&Terminals, Instant, Instant, Range<usize>),
) {
    let mut sent = 0;
    while sent < count {
        let piece = CHUNK.min(count - sent);
        let takes = Nanos(piece as u64 * bits * 1_000_000_000 / u64::from(hertz));
        context::terminals(|terminals, start| {
            reach(terminals, start, start.saturating_add(takes), sent..sent + piece);
        });
        sent += piece;
        context::spend(takes);
    }
}

/// Executes the operations of a transaction: `send` sends words, `exchange` also replaces them with those
/// that are received.
pub(super) fn execute<Word: Copy + Default + 'static>(
    operations: &mut [Operation<'_, Word>],
    send: impl Fn(&[Word]),
    exchange: impl Fn(&mut [Word]),
) {
    for operation in operations {
        match operation {
            Operation::Write(words) => send(words),
            Operation::Read(words) => {
                words.fill(Word::default());
                exchange(words);
            }
            Operation::TransferInPlace(words) => exchange(words),
            Operation::Transfer(read, write) => {
                // The longer of the two sets the length.
                let mut words = context::uncounted(|| {
                    let mut words = write.to_vec();
                    words.resize(read.len().max(write.len()), Word::default());
                    words
                });
                exchange(&mut words);
                read.copy_from_slice(&words[..read.len()]);
            }
            Operation::DelayNs(nanos) => context::spend(Nanos(u64::from(*nanos))),
        }
    }
}
