//! The time for which a register keeps its value without a write. A core uses it to skip the
//! iterations of a loop that polls the register.
//!
//! Only the registers named here are known to be steady. Changes by an interrupt line, by the DMA,
//! and from outside the chip happen at the end of a core's run
//! ([`next_change`](crate::cpu::bus::Bus::next_change)) and not within.

use super::Devices;
use super::block::Block;
use crate::chip::peripherals::sio::{CPUID, FIFO_ST, GPIO_HI_IN, GPIO_IN, GPIO_OE, GPIO_OUT};
use crate::chip::peripherals::spi::SSPSR;
use crate::chip::peripherals::timer::Timer;
use crate::chip::peripherals::uart::UARTFR;

/// End of the clocks block's registers before the frequency counter (datasheet section 2.15.7).
const CLOCKS_STEADY: u32 = 0x80;

/// The register that was read last.
#[derive(Clone, Copy, Debug)]
pub(super) enum LastRead {
    /// A register of the SIO, by its offset.
    Sio(u32),
    /// A register of another block, by the block and the offset in it.
    Register(Block, u32),
}

impl Devices {
    /// Returns the cycle before which the register that was read last gives the same value again,
    /// and reading it has no effect; 0 if that is not known.
    pub(super) fn steady(&self) -> u64 {
        // Counters of accesses must count each access.
        if self.bus_control.is_counting() || self.counts_memory() {
            return 0;
        }
        let steady = match self.last_read {
            LastRead::Sio(offset) => self.steady_sio(offset),
            LastRead::Register(block, offset) => self.steady_register(block, offset),
        };
        // Reading the pins is the only way to notice their edges.
        let edge = match self.last_read {
            LastRead::Sio(GPIO_IN) => self.functions.next(),
            _ => self.functions.next_noticed(),
        };
        if steady == 0 { 0 } else { steady.min(self.time.cycle(edge)) }
    }

    /// Returns the cycles per increment of the register that was read last, if it is a half of the
    /// timer's time that counts.
    pub(super) fn count_cycles(&self) -> Option<u64> {
        match self.last_read {
            LastRead::Register(Block::Timer, offset) if Timer::counts(offset) => {
                self.time.whole_cycles(self.timer.tick_ns()?)
            }
            _ => None,
        }
    }

    fn steady_sio(&self, offset: u32) -> u64 {
        match offset {
            CPUID | FIFO_ST | GPIO_OUT | GPIO_OE | GPIO_HI_IN => u64::MAX,
            GPIO_IN if self.pios.is_quiet() => u64::MAX,
            _ => 0,
        }
    }

    fn steady_register(&self, block: Block, offset: u32) -> u64 {
        match (block, offset) {
            (Block::Timer, offset) => {
                self.time.cycle(self.timer.steady_until_ns(offset, self.now_ns))
            }
            (Block::Uart(_), UARTFR) => u64::MAX,
            (Block::Spi(number), SSPSR) => self.time.cycle(self.spis[number].steady_ns()),
            (Block::Clocks, offset) if offset < CLOCKS_STEADY => u64::MAX,
            (
                Block::Xosc | Block::PllSys | Block::PllUsb | Block::Resets | Block::SystemInfo,
                _,
            ) => u64::MAX,
            _ => 0,
        }
    }
}
