//! The registers of a PIO, and the fields that more than one module reads.

// RP2040 datasheet 3.7.
pub(super) const CTRL: u32 = 0x000; // enables and restarts, 3.7
pub(super) const FSTAT: u32 = 0x004; // FIFO status, 3.7
pub(in crate::chip) const FDEBUG: u32 = 0x008; // FIFO debug, 3.7
pub(super) const FLEVEL: u32 = 0x00C; // FIFO levels, 3.7
pub(in crate::chip) const TXF0: u32 = 0x010; // first of four transmit FIFOs, 3.7
pub(in crate::chip) const TXF3: u32 = 0x01C; // last transmit FIFO, 3.7
pub(super) const RXF0: u32 = 0x020; // first of four receive FIFOs, 3.7
pub(super) const RXF3: u32 = 0x02C; // last receive FIFO, 3.7
pub(in crate::chip) const IRQ: u32 = 0x030; // interrupt flags, 3.7
pub(super) const IRQ_FORCE: u32 = 0x034; // sets interrupt flags, 3.7
pub(super) const INPUT_SYNC_BYPASS: u32 = 0x038; // pins without synchronisers, 3.7
pub(super) const DBG_PADOUT: u32 = 0x03C; // output levels, 3.7
pub(super) const DBG_PADOE: u32 = 0x040; // output enables, 3.7
pub(super) const DBG_CFGINFO: u32 = 0x044; // configuration of the hardware, 3.7
pub(super) const INSTR_MEM0: u32 = 0x048; // first of 32 instructions, 3.7
pub(super) const INSTR_MEM31: u32 = 0x0C4; // last instruction, 3.7
pub(super) const SM0_CLKDIV: u32 = 0x0C8; // first register of machine 0, 3.7
pub(super) const SM3_PINCTRL: u32 = 0x124; // last register of machine 3, 3.7
pub(super) const INTR: u32 = 0x128; // raw interrupts, 3.7
pub(super) const IRQ0_INTE: u32 = 0x12C; // interrupt enable of line 0, 3.7
pub(super) const IRQ1_INTS: u32 = 0x140; // interrupt status of line 1, 3.7

// Registers of machine n, by their offset from SMn_CLKDIV.
pub(super) const SM_CLKDIV: u32 = 0x00; // SM0_CLKDIV to SM3_CLKDIV: clock divider, 3.7
pub(super) const SM_EXECCTRL: u32 = 0x04; // SM0_EXECCTRL to SM3_EXECCTRL: execution, 3.7
pub(super) const SM_SHIFTCTRL: u32 = 0x08; // SM0_SHIFTCTRL to SM3_SHIFTCTRL: shifting, 3.7
pub(super) const SM_ADDR: u32 = 0x0C; // SM0_ADDR to SM3_ADDR: program counter, 3.7
pub(super) const SM_INSTR: u32 = 0x10; // SM0_INSTR to SM3_INSTR: current instruction, 3.7
#[cfg(test)]
pub(super) const SM_PINCTRL: u32 = 0x14; // SM0_PINCTRL to SM3_PINCTRL: pins, 3.7
/// Size of a machine's registers in bytes.
pub(super) const SM_STRIDE: u32 = 0x18;

// Registers of an interrupt line, by their offset from IRQ0_INTE or IRQ1_INTE.
pub(super) const IRQ_INTE: u32 = 0x0; // IRQ0_INTE, IRQ1_INTE: interrupt enable, 3.7
pub(super) const IRQ_INTF: u32 = 0x4; // IRQ0_INTF, IRQ1_INTF: interrupt force, 3.7
/// Size of an interrupt line's registers in bytes.
pub(super) const IRQ_STRIDE: u32 = 0xC;

pub(super) const CTRL_SM_RESTART_LSB: usize = 4;
pub(super) const CTRL_CLKDIV_RESTART_LSB: usize = 8;
// Bits of machine 0; those of the others follow.
pub(super) const FSTAT_RXFULL_LSB: u32 = 0;
pub(super) const FSTAT_RXEMPTY_LSB: u32 = 8;
pub(super) const FSTAT_TXFULL_LSB: u32 = 16;
pub(super) const FSTAT_TXEMPTY_LSB: u32 = 24;
pub(super) const FDEBUG_RXSTALL: u32 = 1;
pub(super) const FDEBUG_RXUNDER: u32 = 1 << 8;
pub(super) const FDEBUG_TXOVER: u32 = 1 << 16;
pub(super) const FDEBUG_TXSTALL: u32 = 1 << 24;
pub(super) const FLEVEL_RX0_LSB: usize = 4;
pub(super) const FLEVEL_STRIDE: u32 = 8;
/// Bits of DBG_PADOUT and DBG_PADOE: there are 30 GPIOs, and the two bits above are zero.
pub(super) const DBG_PAD_BITS: u32 = 0x3FFF_FFFF;
/// Value of DBG_CFGINFO: 32 instructions, four machines, FIFOs of four words.
pub(super) const DBG_CFGINFO_VALUE: u32 = 32 << 16 | 4 << 8 | 4;
pub(super) const SM_EXECCTRL_EXEC_STALLED_LSB: u32 = 31;
pub(super) const INTR_SM0_RXNEMPTY_LSB: u32 = 0;
pub(super) const INTR_SM0_TXNFULL_LSB: u32 = 4;
/// Interrupts of machine 0's FIFOs.
pub(super) const INTR_SM0: u32 = 1 << INTR_SM0_RXNEMPTY_LSB | 1 << INTR_SM0_TXNFULL_LSB;
pub(super) const INTR_SM0_LSB: u32 = 8;
/// Bits of all interrupts: words in four FIFOs, room in four, four flags.
pub(super) const INTR_BITS: u32 = 0xFFF;

/// Returns whether reading a register has a side effect: a word leaves its FIFO.
pub(super) fn is_disturbed_by_reading(offset: u32) -> bool {
    (RXF0..=RXF3).contains(&offset)
}
