//! Writes through the aliases that flip, set and clear bits (datasheet section 2.1.2), and the bits
//! that a written 1 clears.
//!
//! The datasheet calls such a bit WC: a normal write and the clear alias both clear the bits that
//! are written as 1; the other two aliases leave it. The module does not know the blocks' state,
//! only which bits are of that type. The USB controller handles its aliases itself
//! (`peripherals::usb`).

use super::block::{
    ADC_BASE, BLOCK_BITS, DMA_BASE, IO_BANK0_BASE, IO_QSPI_BASE, PIO0_BASE, PIO1_BASE, PWM_BASE,
    ROSC_BASE, SPI0_BASE, SPI1_BASE, TIMER_BASE, UART0_BASE, UART1_BASE, VREG_AND_CHIP_RESET_BASE,
    XOSC_BASE,
};
use crate::chip::peripherals::clocks::{rosc, xosc};
use crate::chip::peripherals::io_bank::registers as io_bank;
use crate::chip::peripherals::pio::registers as pio;
use crate::chip::peripherals::{adc, dma, pwm, qspi_pins, spi, timer, uart};

// Registers with such bits that no peripheral module names.
const CHIP_RESET: u32 = 0x08; // reason of the last reset, 2.12.8
const CH_CTRL_TRIG: u32 = 0x0C; // a DMA channel's control, 2.5.7
const CH_AL1_CTRL: u32 = 0x10; // its first alias, 2.5.7
const CH_AL2_CTRL: u32 = 0x20; // its second alias, 2.5.7
const CH_AL3_CTRL: u32 = 0x30; // its third alias, 2.5.7

/// Bits of the two edges of each of eight pins.
const EDGES: u32 = 0xCCCC_CCCC;
/// Bits of the DMA channels; the registers have sixteen.
const CHANNELS: u32 = 0xFFFF;
/// READ_ERROR and WRITE_ERROR.
const DMA_ERRORS: u32 = 3 << 29;
/// BADWRITE of both oscillators.
const BADWRITE: u32 = 1 << 24;

/// Returns the value that reaches the register at `address`, for a write of `value` through the
/// alias that the address selects; `old` is what the register reads.
pub(super) fn written(address: u32, old: u32, value: u32) -> u32 {
    let clears = cleared_by_writing(address & BLOCK_BITS, address & 0xFFC);
    match address >> 12 & 3 {
        0 => value,
        1 => (old ^ value) & !clears,
        2 => (old | value) & !clears,
        _ => old & !value & !clears | value & clears,
    }
}

/// Returns the WC bits of the register at `offset` of the block at `base`, by its description in
/// the datasheet.
fn cleared_by_writing(base: u32, offset: u32) -> u32 {
    match (base, offset) {
        (TIMER_BASE, timer::ARMED | timer::INTR) => 0xF,
        (IO_BANK0_BASE, io_bank::INTR0..=io_bank::INTR3) => EDGES,
        (IO_QSPI_BASE, qspi_pins::INTR) => EDGES & 0xFF_FFFF,
        (PWM_BASE, pwm::INTR) => 0xFF,
        (PIO0_BASE | PIO1_BASE, pio::FDEBUG) => 0x0F0F_0F0F,
        (PIO0_BASE | PIO1_BASE, pio::IRQ) => 0xFF,
        (UART0_BASE | UART1_BASE, uart::UARTRSR) => 0xF,
        (UART0_BASE | UART1_BASE, uart::UARTICR) => 0x7FF,
        (SPI0_BASE | SPI1_BASE, spi::SSPICR) => 3,
        // ERR_STICKY
        (ADC_BASE, adc::CS) => 1 << 10,
        // OVER and UNDER
        (ADC_BASE, adc::FCS) => 3 << 10,
        (XOSC_BASE, xosc::STATUS) | (ROSC_BASE, rosc::STATUS) => BADWRITE,
        // PSM_RESTART_FLAG
        (VREG_AND_CHIP_RESET_BASE, CHIP_RESET) => 1 << 24,
        // The control register of a channel, under each of its four names.
        (DMA_BASE, ..dma::CH_END)
            if matches!(
                offset % dma::CHANNEL_STRIDE,
                CH_CTRL_TRIG | CH_AL1_CTRL | CH_AL2_CTRL | CH_AL3_CTRL
            ) =>
        {
            DMA_ERRORS
        }
        (DMA_BASE, dma::INTR | dma::INTS0 | dma::INTS1) => CHANNELS,
        (DMA_BASE, dma::CH0_DBG_CTDREQ..dma::DBG_END)
            if offset.is_multiple_of(dma::CHANNEL_STRIDE) =>
        {
            0x3F
        }
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FLIP: u32 = 0x1000;
    const SET: u32 = 0x2000;
    const CLEAR: u32 = 0x3000;

    #[test]
    fn write_clear_bits_are_cleared_only_by_the_clear_alias() {
        let intr = TIMER_BASE + 0x34;
        assert_eq!(written(intr, 0b0111, 0b0010), 0b0010);
        assert_eq!(written(intr | CLEAR, 0b0111, 0b0010), 0b0010);
        assert_eq!(written(intr | SET, 0b0111, 0b1000), 0);
        assert_eq!(written(intr | FLIP, 0b0111, 0b1000), 0);
    }

    #[test]
    fn dma_and_pin_interrupts_are_cleared_only_by_the_clear_alias() {
        let edges = [0, 4, 8, 12].map(|more| (IO_BANK0_BASE + 0xF0 + more, 0xCCCC_CCCC));
        let channels = [0x400, 0x40C, 0x41C].map(|offset| (DMA_BASE + offset, 0xFFFF));
        let qspi = (IO_QSPI_BASE + 0x30, 0x00CC_CCCC);
        for (register, bits) in edges.into_iter().chain(channels).chain([qspi]) {
            let some: u32 = bits & 0x0F0F_0F0F;
            assert_eq!(written(register | CLEAR, bits, some), some, "{register:#x}");
            assert_eq!(written(register | SET, bits, some), 0, "{register:#x}");
            assert_eq!(written(register | FLIP, bits, some), 0, "{register:#x}");
        }
        // The levels of pins are not WC, nor are the gaps between the registers of the DMA.
        assert_eq!(written((IO_BANK0_BASE + 0xF0) | SET, 3, 1), 3);
        assert_eq!(written((DMA_BASE + 0x404) | SET, 3, 1), 3);
    }

    #[test]
    fn other_bits_of_a_write_clear_register_change_normally() {
        // FCS of the ADC: EN and ERR next to UNDER, which is set.
        let fcs = ADC_BASE + 0x08;
        assert_eq!(written(fcs | SET, 1 << 10 | 1, 4), 5);
        assert_eq!(written(fcs | CLEAR, 1 << 10 | 5, 1 << 10 | 4), 1 << 10 | 1);
        // A channel with an error is enabled without clearing the error.
        assert_eq!(written((DMA_BASE + 0x30) | SET, 1 << 29, 1), 1);
    }

    #[test]
    fn an_ordinary_register_is_flipped_set_and_cleared() {
        let inte = TIMER_BASE + 0x38;
        assert_eq!([0, FLIP, SET, CLEAR].map(|alias| written(inte | alias, 6, 3)), [3, 5, 7, 4]);
    }
}
