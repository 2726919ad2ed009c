//! What a reset of single blocks does.

use super::{
    Devices, RESET_DMA, RESET_I2CS, RESET_IO_BANK, RESET_IO_QSPI, RESET_PADS_QSPI, RESET_PIOS,
    RESET_PWM, RESET_SPIS, RESET_TIMER, RESET_UARTS,
};
use crate::chip::peripherals::dma::Dma;
use crate::chip::peripherals::timer::Timer;

impl Devices {
    /// Blocks whose bit is newly set lose their state.
    pub(super) fn hold_in_reset(&mut self, resets: u32, cycle: u64) {
        let fresh = resets & !self.resets;
        self.resets = resets;
        if fresh & RESET_IO_BANK != 0 {
            self.bank = self.bank.after_reset();
            self.settle();
        }
        if fresh & RESET_TIMER != 0 {
            self.timer = Timer::default();
            let ns = self.now(cycle);
            self.timer.set_tick(ns, self.watchdog.tick_ns(self.clocks.ref_hz()));
        }
        for (uart, bit) in self.uarts.iter_mut().zip(RESET_UARTS) {
            if fresh & bit != 0 {
                *uart = uart.after_reset();
                uart.set_clock(self.clocks.peri_hz());
            }
        }
        for (spi, bit) in self.spis.iter_mut().zip(RESET_SPIS) {
            if fresh & bit != 0 {
                *spi = spi.after_reset();
            }
        }
        for (number, bit) in RESET_I2CS.into_iter().enumerate() {
            if fresh & bit != 0 {
                let ns = self.now(cycle);
                self.i2cs[number] = self.i2cs[number].after_reset(ns);
            }
        }
        if fresh & RESET_PWM != 0 {
            let ns = self.now(cycle);
            self.pwm = self.pwm.after_reset(ns);
        }
        for (number, bit) in RESET_PIOS.into_iter().enumerate() {
            if fresh & bit != 0 {
                self.pios.reset(number);
                self.take_pio_outputs();
            }
        }
        if fresh & RESET_DMA != 0 {
            self.dma = Dma::default();
        }
        if fresh & RESET_IO_QSPI != 0 {
            self.qspi = self.qspi.after_reset();
        }
        if fresh & RESET_PADS_QSPI != 0 {
            self.qspi.reset_pads();
        }
    }
}
