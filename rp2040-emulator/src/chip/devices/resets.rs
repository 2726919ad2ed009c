//! Resets of single blocks.

use super::Devices;
use crate::chip::peripherals::bus_control::BusControl;
use crate::chip::peripherals::dma::Dma;
use crate::chip::peripherals::pio::PIO_COUNT;
use crate::chip::peripherals::resets::{
    RESET_ADC, RESET_BUSCTRL, RESET_DMA, RESET_I2C0, RESET_I2C1, RESET_IO_BANK0, RESET_IO_QSPI,
    RESET_PADS_QSPI, RESET_PIO0, RESET_PIO1, RESET_PWM, RESET_RTC, RESET_SPI0, RESET_SPI1,
    RESET_SYSCFG, RESET_TIMER, RESET_UART0, RESET_UART1, RESET_USBCTRL,
};
use crate::chip::peripherals::syscfg::SystemConfig;

const RESET_I2CS: [u32; 2] = [RESET_I2C0, RESET_I2C1];
const RESET_PIOS: [u32; PIO_COUNT] = [RESET_PIO0, RESET_PIO1];
const RESET_SPIS: [u32; 2] = [RESET_SPI0, RESET_SPI1];
const RESET_UARTS: [u32; 2] = [RESET_UART0, RESET_UART1];

impl Devices {
    /// Returns the blocks of the mask `fresh`, whose bits in RESETS are newly set, to their reset
    /// state.
    pub(super) fn reset_blocks(&mut self, fresh: u32, cycle: u64) {
        if fresh & RESET_IO_BANK0 != 0 {
            self.bank = self.bank.after_reset();
            self.settle();
            self.note_functions();
        }
        if fresh & RESET_TIMER != 0 {
            let ns = self.now(cycle);
            self.timer = self.timer.after_reset(ns);
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
        if fresh & RESET_ADC != 0 {
            self.adc = self.adc.after_reset();
        }
        if fresh & RESET_RTC != 0 {
            self.rtc = self.rtc.after_reset();
        }
        if fresh & RESET_BUSCTRL != 0 {
            self.bus_control = BusControl::default();
        }
        if fresh & RESET_SYSCFG != 0 {
            self.system_config = SystemConfig::default();
        }
        if fresh & RESET_DMA != 0 {
            self.dma = Dma::default();
        }
        if fresh & RESET_USBCTRL != 0 {
            let ns = self.now(cycle);
            self.usb = std::mem::take(&mut self.usb).after_reset(ns);
        }
        if fresh & RESET_IO_QSPI != 0 {
            self.qspi = self.qspi.after_reset();
        }
        if fresh & RESET_PADS_QSPI != 0 {
            self.qspi.reset_pads();
        }
    }
}
