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

// Registers with such bits.
const TIMER_ARMED: u32 = 0x20; // alarms that are armed, 4.6.5
const TIMER_INTR: u32 = 0x34; // raw interrupts, 4.6.5
const IO_BANK0_INTR0: u32 = 0xF0; // raw interrupts of pins 0 to 7, 2.19.6.1
const IO_BANK0_INTR3: u32 = 0xFC; // raw interrupts of pins 24 to 29, 2.19.6.1
const IO_QSPI_INTR: u32 = 0x30; // raw interrupts, 2.19.6.2
const PWM_INTR: u32 = 0xA4; // raw interrupts, 4.5.3
const PIO_FDEBUG: u32 = 0x08; // what became of the FIFOs, 3.7
const PIO_IRQ: u32 = 0x30; // flags, 3.7
const UARTRSR: u32 = 0x04; // errors of reception, 4.2.8
const UARTICR: u32 = 0x44; // interrupt clear, 4.2.8
const SSPICR: u32 = 0x20; // interrupt clear, 4.4.4
const ADC_CS: u32 = 0x00; // control and status, 4.9.6
const ADC_FCS: u32 = 0x08; // the FIFO's, 4.9.6
const XOSC_STATUS: u32 = 0x04; // of the crystal oscillator, 2.16.7
const ROSC_STATUS: u32 = 0x18; // of the ring oscillator, 2.17.8
const CHIP_RESET: u32 = 0x08; // why the chip was reset, 2.12.8
const SIE_STATUS: u32 = 0x50; // of the serial interface engine, 4.1.4
const BUFF_STATUS: u32 = 0x58; // buffers that are done, 4.1.4
const EP_ABORT_DONE: u32 = 0x64; // endpoints that have stopped, 4.1.4
const EP_STATUS_STALL_NAK: u32 = 0x70; // endpoints that did not transfer, 4.1.4
const DMA_STRIDE: u32 = 0x40; // bytes of a channel's registers, 2.5.7
const DMA_CHANNELS_END: u32 = 0x300; // behind the last channel, 2.5.7
const CH_CTRL_TRIG: u32 = 0x0C; // a channel's control, 2.5.7
const CH_AL1_CTRL: u32 = 0x10; // its first alias, 2.5.7
const CH_AL2_CTRL: u32 = 0x20; // its second alias, 2.5.7
const CH_AL3_CTRL: u32 = 0x30; // its third alias, 2.5.7
const DMA_INTR: u32 = 0x400; // raw interrupts, 2.5.7
const DMA_INTS0: u32 = 0x40C; // interrupt status 0, 2.5.7
const DMA_INTS1: u32 = 0x41C; // interrupt status 1, 2.5.7
const CH0_DBG_CTDREQ: u32 = 0x800; // requests counted for channel 0, 2.5.7
const DMA_DBG_END: u32 = 0xB00; // behind the last of them, 2.5.7

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
        (TIMER_BASE, TIMER_ARMED | TIMER_INTR) => 0xF,
        (IO_BANK0_BASE, IO_BANK0_INTR0..=IO_BANK0_INTR3) => EDGES,
        (IO_QSPI_BASE, IO_QSPI_INTR) => EDGES & 0xFF_FFFF,
        (PWM_BASE, PWM_INTR) => 0xFF,
        (PIO0_BASE | PIO1_BASE, PIO_FDEBUG) => 0x0F0F_0F0F,
        (PIO0_BASE | PIO1_BASE, PIO_IRQ) => 0xFF,
        (UART0_BASE | UART1_BASE, UARTRSR) => 0xF,
        (UART0_BASE | UART1_BASE, UARTICR) => 0x7FF,
        (SPI0_BASE | SPI1_BASE, SSPICR) => 3,
        // ERR_STICKY
        (ADC_BASE, ADC_CS) => 1 << 10,
        // OVER and UNDER
        (ADC_BASE, ADC_FCS) => 3 << 10,
        (XOSC_BASE, XOSC_STATUS) | (ROSC_BASE, ROSC_STATUS) => BADWRITE,
        // PSM_RESTART_FLAG
        (VREG_AND_CHIP_RESET_BASE, CHIP_RESET) => 1 << 24,
        (USBCTRL_REGS_BASE, BUFF_STATUS | EP_ABORT_DONE | EP_STATUS_STALL_NAK) => u32::MAX,
        // SETUP_REC and what is above it, RESUME
        (USBCTRL_REGS_BASE, SIE_STATUS) => 0xFF0E_0800,
        // The control register of a channel, under each of its four names.
        (DMA_BASE, ..DMA_CHANNELS_END)
            if matches!(
                offset % DMA_STRIDE,
                CH_CTRL_TRIG | CH_AL1_CTRL | CH_AL2_CTRL | CH_AL3_CTRL
            ) =>
        {
            DMA_ERRORS
        }
        (DMA_BASE, DMA_INTR | DMA_INTS0 | DMA_INTS1) => CHANNELS,
        (DMA_BASE, CH0_DBG_CTDREQ..DMA_DBG_END) if offset.is_multiple_of(DMA_STRIDE) => 0x3F,
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
