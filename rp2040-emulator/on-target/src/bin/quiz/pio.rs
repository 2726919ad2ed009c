//! Corner cases of the PIO: FIFOs, shift registers, forced instructions, and the cycles of its clock
//! between two stores.

use crate::answers::Answers;
use crate::registers::{clear, read, set, wait, write};
use crate::sequence;
use crate::sequences::{Scratch, Sequence};

const RESETS: u32 = 0x4000_C000;
const RESET_DONE: u32 = 0x4000_C008;
const RESET_PIO0: u32 = 1 << 10;

const CTRL: u32 = 0x5020_0000;
const FSTAT: u32 = 0x5020_0004;
const FDEBUG: u32 = 0x5020_0008;
const FLEVEL: u32 = 0x5020_000C;
const TXF0: u32 = 0x5020_0010;
const RXF0: u32 = 0x5020_0020;
const IRQ: u32 = 0x5020_0030;
const IRQ_FORCE: u32 = 0x5020_0034;
const INSTR_MEM0: u32 = 0x5020_0048;
const SM0_CLKDIV: u32 = 0x5020_00C8;
const SM0_EXECCTRL: u32 = 0x5020_00CC;
const SM0_SHIFTCTRL: u32 = 0x5020_00D0;
const SM0_ADDR: u32 = 0x5020_00D4;
const SM0_INSTR: u32 = 0x5020_00D8;
const INTR: u32 = 0x5020_0128;

const TX_FULL: u32 = 1 << 16;
const RX_FULL: u32 = 1;
const EXEC_STALLED: u32 = 1 << 31;
const JOIN_TX: u32 = 1 << 30;
const JOIN_RX: u32 = 1 << 31;
/// Shifts to the right in both directions, as after reset.
const SHIFT_RIGHT: u32 = 0b11 << 18;
const AUTO_PULL: u32 = 1 << 17;
const AUTO_PUSH: u32 = 1 << 16;

// Instructions (datasheet section 3.4).
const JMP_X_DEC_0: u16 = 0x0040;
const JMP_7: u16 = 0x0007;
const PUSH: u16 = 0x8000;
const PUSH_BLOCK: u16 = 0x8020;
const PULL: u16 = 0x8080;
const PULL_BLOCK: u16 = 0x80A0;
const SET_X_21: u16 = 0xE035;
const MOV_X_NOT_NULL: u16 = 0xA02B;
const MOV_X_OSR: u16 = 0xA027;
const MOV_ISR_X: u16 = 0xA0C1;
const MOV_ISR_NOT_X: u16 = 0xA0C9;
const MOV_ISR_REVERSED_X: u16 = 0xA0D1;
const MOV_ISR_OSR: u16 = 0xA0C7;
const MOV_ISR_STATUS: u16 = 0xA0C5;
const IN_X_8: u16 = 0x4028;
const IN_X_32: u16 = 0x4020;
const OUT_X_8: u16 = 0x6028;
const OUT_X_32: u16 = 0x6020;
const OUT_ISR_8: u16 = 0x60C8;
const IRQ_SET_0_REL: u16 = 0xC010;
const IRQ_SET_7: u16 = 0xC007;
const NOP: u16 = 0xA042;

/// Puts the PIO into its state after reset.
fn reset() {
    set(RESETS, RESET_PIO0);
    clear(RESETS, RESET_PIO0);
    while read(RESET_DONE) & RESET_PIO0 == 0 {}
}

/// Lets the disabled machine 0 execute instructions.
fn execute(instructions: &[u16]) {
    for instruction in instructions {
        write(SM0_INSTR, u32::from(*instruction));
        wait(20);
    }
}

/// Returns what the instructions leave in the input shift register.
fn result(instructions: &[u16]) -> u32 {
    execute(instructions);
    execute(&[PUSH]);
    read(RXF0)
}

/// Number of writes until the flag is set, at most 40.
fn writes_until(flag: u32, mut one: impl FnMut()) -> u32 {
    let mut count = 0;
    while read(FSTAT) & flag == 0 && count < 40 {
        one();
        count += 1;
    }
    count
}

pub fn ask(answers: &mut Answers) {
    fifos(answers);
    shifts(answers);
    forced(answers);
    clock(answers);
    reset();
}

fn fifos(answers: &mut Answers) {
    reset();
    answers.number("pio", "words in TXF", writes_until(TX_FULL, || write(TXF0, 1)));
    answers.word("pio", "FLEVEL when TXF is full", read(FLEVEL));
    write(TXF0, 2);
    answers.word("pio", "FDEBUG after one more", read(FDEBUG));
    read(RXF0);
    answers.word("pio", "FDEBUG after a read of an empty RXF", read(FDEBUG));
    write(FDEBUG, u32::MAX);
    answers.word("pio", "FDEBUG once cleared", read(FDEBUG));
    answers.word("pio", "INTR with full TXF of machine 0", read(INTR));
    set(SM0_SHIFTCTRL, JOIN_TX);
    answers.word("pio", "FLEVEL after joining to TX", read(FLEVEL));
    answers.number("pio", "words in a joined TXF", writes_until(TX_FULL, || write(TXF0, 1)));
    answers.word("pio", "FSTAT of a full joined TXF", read(FSTAT));
    clear(SM0_SHIFTCTRL, JOIN_TX);
    answers.number("pio", "words in RXF", writes_until(RX_FULL, || execute(&[PUSH])));
    execute(&[PUSH]);
    answers.word("pio", "FDEBUG after a push without block to a full RXF", read(FDEBUG));
    set(SM0_SHIFTCTRL, JOIN_RX);
    answers.number("pio", "words in a joined RXF", writes_until(RX_FULL, || execute(&[PUSH])));
    set(SM0_SHIFTCTRL, JOIN_TX);
    answers.word("pio", "FSTAT with both joins", read(FSTAT));
    answers.word("pio", "a read of INSTR_MEM0", {
        write(INSTR_MEM0, u32::from(NOP));
        read(INSTR_MEM0)
    });
}

fn shifts(answers: &mut Answers) {
    reset();
    answers.word("pio", "x after set x, 21", result(&[SET_X_21, MOV_ISR_X]));
    answers.word("pio", "isr after mov isr, ~x", result(&[MOV_ISR_NOT_X]));
    answers.word("pio", "isr after mov isr, ::x", result(&[MOV_ISR_REVERSED_X]));
    answers.word("pio", "isr after in x, 8 to the right", result(&[IN_X_8]));
    clear(SM0_SHIFTCTRL, SHIFT_RIGHT);
    answers.word("pio", "isr after in x, 8 to the left", result(&[IN_X_8]));
    answers.word("pio", "isr after in x, 32", result(&[IN_X_32]));
    write(TXF0, 0x1234_5678);
    answers.word("pio", "osr after out x, 8 to the left", result(&[PULL, OUT_X_8, MOV_ISR_OSR]));
    answers.word("pio", "x after out x, 8 to the left", result(&[MOV_ISR_X]));
    set(SM0_SHIFTCTRL, SHIFT_RIGHT);
    write(TXF0, 0x1234_5678);
    answers.word("pio", "osr after out x, 8 to the right", result(&[PULL, OUT_X_8, MOV_ISR_OSR]));
    answers.word("pio", "x after out x, 32 of a part", result(&[OUT_X_32, MOV_ISR_X]));
    answers.word("pio", "osr after pull without block of an empty TXF", {
        result(&[SET_X_21, PULL, MOV_ISR_OSR])
    });
    answers.word("pio", "isr after out isr, 8 and in x, 8", {
        write(TXF0, 0x0000_00A5);
        result(&[PULL, OUT_ISR_8, IN_X_8])
    });
    for (question, level) in [("0", 0), ("1", 1)] {
        write(SM0_EXECCTRL, 0x0001_F000 | level);
        let question =
            if question == "0" { "STATUS_N 0, TXF empty" } else { "STATUS_N 1, TXF empty" };
        answers.word("pio", question, result(&[MOV_ISR_STATUS]));
    }
    write(SM0_EXECCTRL, 0x0001_F000);
    // Automatic: two words of 16 bits.
    write(SM0_SHIFTCTRL, SHIFT_RIGHT | AUTO_PUSH | 16 << 20);
    execute(&[SET_X_21, IN_X_8]);
    answers.word("pio", "FLEVEL after 8 of 16 bits with autopush", read(FLEVEL));
    execute(&[IN_X_8]);
    answers.word("pio", "FLEVEL after 16 of 16 bits with autopush", read(FLEVEL));
    answers.word("pio", "the word of autopush", read(RXF0));
    write(SM0_SHIFTCTRL, SHIFT_RIGHT | AUTO_PULL | 8 << 25);
    write(TXF0, 0x1111_1111);
    write(TXF0, 0x2222_2222);
    execute(&[OUT_X_8]);
    answers.word("pio", "FLEVEL after out x, 8 with autopull at 8", read(FLEVEL));
    execute(&[MOV_X_OSR, MOV_ISR_X, PUSH]);
    answers.word("pio", "osr after out x, 8 with autopull at 8", read(RXF0));
}

fn forced(answers: &mut Answers) {
    reset();
    execute(&[JMP_7]);
    answers.number("pio", "ADDR after a forced jmp 7", read(SM0_ADDR));
    execute(&[NOP]);
    answers.number("pio", "ADDR after a forced nop", read(SM0_ADDR));
    execute(&[PULL_BLOCK]);
    answers.word("pio", "EXECCTRL while a forced pull stalls", read(SM0_EXECCTRL));
    answers.word("pio", "INSTR while a forced pull stalls", read(SM0_INSTR));
    write(TXF0, 7);
    wait(20);
    answers.word("pio", "EXEC_STALLED once it has a word", read(SM0_EXECCTRL) & EXEC_STALLED);
    execute(&[SET_X_21, MOV_ISR_X, PUSH, PUSH, PUSH, PUSH, PUSH_BLOCK]);
    answers.word("pio", "EXEC_STALLED by a forced push", read(SM0_EXECCTRL) & EXEC_STALLED);
    // SM_RESTART of machine 0.
    write(CTRL, 1 << 4);
    wait(20);
    answers.word("pio", "EXEC_STALLED after SM_RESTART", read(SM0_EXECCTRL) & EXEC_STALLED);
    answers.number("pio", "ADDR after SM_RESTART", read(SM0_ADDR));
    while read(FSTAT) & RX_FULL << 8 == 0 {
        read(RXF0);
    }
    answers.word("pio", "x after SM_RESTART", result(&[MOV_ISR_X]));
    execute(&[IRQ_SET_0_REL, IRQ_SET_7]);
    answers.word("pio", "IRQ after irq 0 rel and irq 7", read(IRQ));
    answers.word("pio", "INTR after irq 0 rel and irq 7", read(INTR));
    write(IRQ_FORCE, 0x02);
    answers.word("pio", "IRQ after IRQ_FORCE of 1", read(IRQ));
    write(IRQ, 0xFF);
    answers.word("pio", "IRQ once cleared", read(IRQ));
}

/// Enables and disables machine 0 by two stores.
const STORES: Sequence = sequence!("movs r2, #1\nmovs r3, #0", "str r2, [r1]\nstr r3, [r1]");
const STORES_4: Sequence =
    sequence!("movs r2, #1\nmovs r3, #0", "str r2, [r1]\n.rept 4\nnop\n.endr\nstr r3, [r1]");
const STORES_100: Sequence =
    sequence!("movs r2, #1\nmovs r3, #0", "str r2, [r1]\n.rept 100\nnop\n.endr\nstr r3, [r1]");
/// The same with a restart of the divider, whose phase is not known otherwise.
const STORES_RESTART: Sequence = sequence!(
    "movs r2, #1\nlsls r2, r2, #8\nadds r2, #1\nmovs r3, #0",
    "str r2, [r1]\n.rept 100\nnop\n.endr\nstr r3, [r1]"
);

fn clock(answers: &mut Answers) {
    let mut scratch = Scratch::new();
    let scratch = scratch.address();
    let mut ask = |question, divider: u32, stores: Sequence| {
        reset();
        write(INSTR_MEM0, u32::from(JMP_X_DEC_0));
        write(SM0_CLKDIV, divider);
        execute(&[MOV_X_NOT_NULL, 0]);
        stores(scratch, CTRL);
        answers.number("pio", question, !result(&[MOV_ISR_X]));
    };
    ask("instructions between two stores", 1 << 16, STORES);
    ask("instructions between two stores 4 nop apart", 1 << 16, STORES_4);
    ask("instructions between two stores 100 nop apart", 1 << 16, STORES_100);
    ask("the same with a divider of 2", 2 << 16, STORES_RESTART);
    ask("the same with a divider of 2.5", 2 << 16 | 128 << 8, STORES_RESTART);
    ask("the same with a divider of 10 and 255/256", 10 << 16 | 255 << 8, STORES_RESTART);
    ask("the same with a divider of 65536", 0, STORES_RESTART);
    ask("the same with a divider of 7", 7 << 16, STORES_RESTART);
}
