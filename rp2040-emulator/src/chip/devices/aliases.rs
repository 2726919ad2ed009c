//! Writes through the aliases that flip, set and clear bits (datasheet section 2.1.2), and the bits
//! that a written 1 clears.
//!
//! The datasheet calls such a bit WC: a normal write and the clear alias both clear the bits that are
//! written as 1; the other two aliases leave it. This does not know the blocks' state: only which bits
//! are of that type. Blocks that are not modelled stand here too.

use super::block::{
    ADC_BASE, BLOCK_BITS, DMA_BASE, IO_BANK0_BASE, IO_QSPI_BASE, PIO0_BASE, PIO1_BASE, PWM_BASE,
    ROSC_BASE, SPI0_BASE, SPI1_BASE, TIMER_BASE, UART0_BASE, UART1_BASE, VREG_AND_CHIP_RESET_BASE,
    XOSC_BASE,
};

/// The registers of the USB controller, behind its memory: RP2040 datasheet 2.2.
const USBCTRL_REGS_BASE: u32 = 0x5011_0000;

/// The two edges of each of eight pins.
const EDGES: u32 = 0xCCCC_CCCC;
/// A bit for each DMA channel; the registers have sixteen.
const CHANNELS: u32 = 0xFFFF;
/// READ_ERROR and WRITE_ERROR.
const DMA_ERRORS: u32 = 3 << 29;
/// BADWRITE of both oscillators.
const BADWRITE: u32 = 1 << 24;

/// The value that reaches the register at `address`, for a write of `value` through the alias that the
/// address selects; `old` is what the register reads.
pub(super) fn written(address: u32, old: u32, value: u32) -> u32 {
    let clears = cleared_by_writing(address & BLOCK_BITS, address & 0xFFC);
    match address >> 12 & 3 {
        0 => value,
        1 => (old ^ value) & !clears,
        2 => (old | value) & !clears,
        _ => old & !value & !clears | value & clears,
    }
}

/// The WC bits of the register at `offset` of the block at `base`, by its description in the
/// datasheet.
fn cleared_by_writing(base: u32, offset: u32) -> u32 {
    match (base, offset) {
        (TIMER_BASE, 0x20 | 0x34) => 0xF,             // ARMED, INTR: 4.6.5
        (IO_BANK0_BASE, 0xF0..=0xFC) => EDGES,        // INTR0 to INTR3: 2.19.6.1
        (IO_QSPI_BASE, 0x30) => EDGES & 0xFF_FFFF,    // INTR: 2.19.6.2
        (PWM_BASE, 0xA4) => 0xFF,                     // INTR: 4.5.3
        (PIO0_BASE | PIO1_BASE, 0x08) => 0x0F0F_0F0F, // FDEBUG: 3.7
        (PIO0_BASE | PIO1_BASE, 0x30) => 0xFF,        // IRQ: 3.7
        (UART0_BASE | UART1_BASE, 0x04) => 0xF,       // UARTRSR: 4.2.8
        (UART0_BASE | UART1_BASE, 0x44) => 0x7FF,     // UARTICR: 4.2.8
        (SPI0_BASE | SPI1_BASE, 0x20) => 3,           // SSPICR: 4.4.4
        (ADC_BASE, 0x00) => 1 << 10,                  // CS: ERR_STICKY, 4.9.6
        (ADC_BASE, 0x08) => 3 << 10,                  // FCS: OVER and UNDER, 4.9.6
        (XOSC_BASE, 0x04) | (ROSC_BASE, 0x18) => BADWRITE, // STATUS: 2.16.7, 2.17.8
        (VREG_AND_CHIP_RESET_BASE, 0x08) => 1 << 24,  // CHIP_RESET: PSM_RESTART_FLAG, 2.12.8
        // BUFF_STATUS, EP_ABORT_DONE, EP_STATUS_STALL_NAK: 4.1.4
        (USBCTRL_REGS_BASE, 0x58 | 0x64 | 0x70) => u32::MAX,
        // SIE_STATUS: SETUP_REC and what is above it, RESUME: 4.1.4
        (USBCTRL_REGS_BASE, 0x50) => 0xFF0E_0800,
        // The control register of a channel, under each of its four names: 2.5.7
        (DMA_BASE, 0x000..0x300) if matches!(offset % 0x40, 0x0C | 0x10 | 0x20 | 0x30) => {
            DMA_ERRORS
        }
        (DMA_BASE, 0x400 | 0x40C | 0x41C) => CHANNELS, // INTR, INTS0, INTS1: 2.5.7
        (DMA_BASE, 0x800..0xB00) if offset.is_multiple_of(0x40) => 0x3F, // CH0_DBG_CTDREQ: 2.5.7
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
    fn a_bit_that_is_cleared_by_writing_is_cleared_by_the_clear_alias_and_no_other() {
        let intr = TIMER_BASE + 0x34;
        assert_eq!(written(intr, 0b0111, 0b0010), 0b0010);
        assert_eq!(written(intr | CLEAR, 0b0111, 0b0010), 0b0010);
        assert_eq!(written(intr | SET, 0b0111, 0b1000), 0);
        assert_eq!(written(intr | FLIP, 0b0111, 0b1000), 0);
    }

    #[test]
    fn the_other_bits_of_such_a_register_are_changed_as_everywhere() {
        // FCS of the ADC: EN and ERR beside UNDER, which is set.
        let fcs = ADC_BASE + 0x08;
        assert_eq!(written(fcs | SET, 1 << 10 | 1, 4), 5);
        assert_eq!(written(fcs | CLEAR, 1 << 10 | 5, 1 << 10 | 4), 1 << 10 | 1);
        // A channel with an error is enabled without clearing it.
        assert_eq!(written((DMA_BASE + 0x30) | SET, 1 << 29, 1), 1);
    }

    #[test]
    fn an_ordinary_register_is_flipped_set_and_cleared() {
        let inte = TIMER_BASE + 0x38;
        assert_eq!([0, FLIP, SET, CLEAR].map(|alias| written(inte | alias, 6, 3)), [3, 5, 7, 4]);
    }
}
