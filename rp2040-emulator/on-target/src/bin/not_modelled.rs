//! What the emulator does not model, touched through rp2040-hal's own registers, twice each. It
//! names each once. Nothing is outside.
#![no_std]
#![no_main]

use on_target::{Board, same};

#[rp2040_hal::entry]
fn main() -> ! {
    let mut board = Board::take();
    let mut report = on_target::report!(board);
    let mut bits = 0;
    for _ in 0..2 {
        bits |= board.rest.XIP_CTRL.ctr_hit().read().bits();
        bits |= board.rest.XIP_CTRL.ctr_acc().read().bits();
        board.rest.XIP_CTRL.ctr_hit().reset();
    }
    report.record("what is not modelled reads as zero", same("the bits", bits, 0u32));
    report.end()
}
