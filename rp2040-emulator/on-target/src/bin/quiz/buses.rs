//! Cycles of accesses to memories and devices, the XIP cache, and the DMA.

use crate::answers::Answers;
use crate::code::{self, address_of};
use crate::registers::{read, wait, write};
use crate::sequence;
use crate::sequences::{Scratch, Sequence, empty};

/// Where the sequences load from.
const LOADS: &[(&str, u32)] = &[
    ("load from the ROM", 0x0000_0000),
    ("load from SRAM5", 0x2004_1000),
    ("load from SRAM0, not striped", 0x2100_0000),
    ("load from SIO", 0xD000_0000),
    ("load from UART0", 0x4003_4018),
    ("load from TIMER", 0x4005_4028),
    ("load from WATCHDOG", 0x4005_8000),
    ("load from CLOCKS", 0x4000_8044),
    ("load from ADC", 0x4004_C000),
    ("load from RTC", 0x4005_C00C),
    ("load from I2C0", 0x4004_4070),
    ("load from PWM", 0x4005_00A0),
    ("load from IO_BANK0", 0x4001_4000),
    ("load from DMA", 0x5000_0400),
    ("load from the RAM of USB", 0x5010_0000),
    ("load from USB", 0x5011_0040),
    ("load from PIO0", 0x5020_0004),
    ("load from XIP_CTRL", 0x1400_0000),
    ("load from SSI", 0x1800_0028),
    ("load from NVIC", 0xE000_E100),
    ("load from SCB", 0xE000_ED04),
];

/// Where the sequences store a word that changes nothing: into aliases, or where it is ignored.
const STORES: &[(&str, u32)] = &[
    ("store to SRAM5", 0x2004_1000),
    ("store to SIO", 0xD000_0018),
    ("store to UART0", 0x4003_4038),
    ("store to WATCHDOG", 0x4005_800C),
    ("store to PWM", 0x4005_0008),
    ("store to IO_BANK0", 0x4001_4004 + 0x2000),
    ("store to DMA", 0x5000_0000),
    ("store to the RAM of USB", 0x5010_0000),
    ("store to PIO0", 0x5020_00D0 + 0x2000),
    ("store to NVIC", 0xE000_E100),
];

const LOAD: Sequence = sequence!("", "ldr r2, [r1]");
const LOADS_4: Sequence = sequence!("", "ldr r2, [r1]\nldr r2, [r1]\nldr r2, [r1]\nldr r2, [r1]");
const STORE: Sequence = sequence!("movs r2, #0", "str r2, [r1]");
const STORES_4: Sequence =
    sequence!("movs r2, #0", "str r2, [r1]\nstr r2, [r1]\nstr r2, [r1]\nstr r2, [r1]");
const STORE_LOAD: Sequence = sequence!("movs r2, #0", "str r2, [r1]\nldr r2, [r1]");
const LOAD_MULTIPLE: Sequence = sequence!("", "ldm r1!, {{r2,r3}}");
/// The flash in its windows: cached, without allocation, uncached.
const FLASH: u32 = 0x1000_0000;
const NO_ALLOCATE: u32 = 0x0100_0000;
const NO_CACHE: u32 = 0x0300_0000;
/// A word of the flash, beyond the program.
const A: u32 = FLASH + 0x10_0040;

const XIP_FLUSH: u32 = 0x1400_0004;

/// Discards the contents of the cache. A read of the register waits until this is done.
fn flush() {
    write(XIP_FLUSH, 1);
    read(XIP_FLUSH);
}

pub fn ask(answers: &mut Answers) {
    let mut scratch = Scratch::new();
    let scratch = scratch.address();
    let empty = empty(scratch);
    let timed = |sequence: Sequence, address| sequence(scratch, address).wrapping_sub(empty);

    for (question, address) in LOADS {
        answers.number("bus", question, timed(LOAD, *address));
    }
    answers.number("bus", "4 loads from SRAM5", timed(LOADS_4, 0x2004_1000));
    answers.number("bus", "4 loads from SIO", timed(LOADS_4, 0xD000_0000));
    answers.number("bus", "4 loads from UART0", timed(LOADS_4, 0x4003_4018));
    answers.number("bus", "4 loads from PIO0", timed(LOADS_4, 0x5020_0004));
    answers.number("bus", "ldm of two words from IO_BANK0", timed(LOAD_MULTIPLE, 0x4001_4000));
    for (question, address) in STORES {
        answers.number("bus", question, timed(STORE, *address));
    }
    answers.number("bus", "4 stores to SRAM5", timed(STORES_4, 0x2004_1000));
    answers.number("bus", "4 stores to SIO", timed(STORES_4, 0xD000_0018));
    answers.number("bus", "4 stores to UART0", timed(STORES_4, 0x4003_4038));
    answers.number("bus", "4 stores to PIO0", timed(STORES_4, 0x5020_20D0));
    answers.number("bus", "store to UART0, load", timed(STORE_LOAD, 0x4003_4038));
    answers.number("bus", "store to SIO, load", timed(STORE_LOAD, 0xD000_0018));

    cache(answers, empty);
    dma(answers);
}

/// The same as instructions, for sequences with [`XIP_FLUSH`] in `r0`: no code of the flash is
/// executed between this and the loads.
macro_rules! flushed {
    ($then:literal) => {
        concat!("movs r2, #1\nstr r2, [r0]\nldr r2, [r0]\n", $then)
    };
}

/// Loads of words in one set, with the distance of two ways in `r3`: A at `r1`, B, C.
macro_rules! set {
    ($loads:literal) => {
        concat!(
            "movs r2, #1\nstr r2, [r0]\nldr r2, [r0]\nmovs r3, #1\nlsls r3, r3, #13\n",
            ".macro a\nldr r2, [r1]\n.endm\n",
            ".macro b\nldr r2, [r1, r3]\n.endm\n",
            ".macro c\nlsls r2, r3, #1\nldr r2, [r1, r2]\n.endm\n",
            $loads,
            "\n.purgem a\n.purgem b\n.purgem c"
        )
    };
}

/// Questions about the cache: a sequence, and the address in `r1`.
const CACHE: &[(&str, Sequence, u32)] = &[
    ("load that misses", sequence!(flushed!(""), "ldr r2, [r1]"), A),
    ("the same word again", sequence!(flushed!("ldr r2, [r1]"), "ldr r2, [r1]"), A),
    ("the other word of the line", sequence!(flushed!("ldr r2, [r1]"), "ldr r2, [r1, #4]"), A),
    ("the next line", sequence!(flushed!("ldr r2, [r1]"), "ldr r2, [r1, #8]"), A),
    (
        "the line after that",
        sequence!(flushed!("ldr r2, [r1]\nldr r2, [r1, #8]"), "ldr r2, [r1, #16]"),
        A,
    ),
    ("the second word of a line first", sequence!(flushed!(""), "ldr r2, [r1, #4]"), A),
    ("then the first", sequence!(flushed!("ldr r2, [r1, #4]"), "ldr r2, [r1]"), A),
    ("a byte that misses", sequence!(flushed!(""), "ldrb r2, [r1]"), A),
    ("ldm of two lines", sequence!(flushed!(""), "ldm r1!, {{r2,r3}}"), A + 4),
    ("two misses in two loads", sequence!(flushed!(""), "ldr r2, [r1]\nldr r2, [r1, #8]"), A),
    ("no allocation, first", sequence!(flushed!(""), "ldr r2, [r1]"), A + NO_ALLOCATE),
    ("no allocation, again", sequence!(flushed!("ldr r2, [r1]"), "ldr r2, [r1]"), A + NO_ALLOCATE),
    ("uncached, first", sequence!(flushed!(""), "ldr r2, [r1]"), A + NO_CACHE),
    ("uncached, again", sequence!(flushed!("ldr r2, [r1]"), "ldr r2, [r1]"), A + NO_CACHE),
    ("A after A, B in a set", sequence!(set!("a\nb"), "ldr r2, [r1]"), A),
    ("B after A, B in a set", sequence!(set!("a\nb"), "ldr r2, [r1, r3]"), A),
    ("A after A, B, C in a set", sequence!(set!("a\nb\nc"), "ldr r2, [r1]"), A),
    ("B after A, B, C in a set", sequence!(set!("a\nb\nc"), "ldr r2, [r1, r3]"), A),
    ("A after A, B, A, C in a set", sequence!(set!("a\nb\na\nc"), "ldr r2, [r1]"), A),
    ("B after A, B, A, C in a set", sequence!(set!("a\nb\na\nc"), "ldr r2, [r1, r3]"), A),
];

/// The code at `r1`, which begins at a line: not in the cache, and in it.
const CODE: &[(&str, Sequence)] = &[
    ("63 nop in the flash, first", sequence!(flushed!("adds r1, #1"), "blx r1")),
    ("63 nop in the flash, again", sequence!(flushed!("adds r1, #1\nblx r1"), "blx r1")),
];

fn cache(answers: &mut Answers, empty: u32) {
    for (question, sequence, address) in CACHE {
        answers.number("cache", question, sequence(XIP_FLUSH, *address).wrapping_sub(empty));
    }
    for (question, sequence) in CODE {
        let cycles = sequence(XIP_FLUSH, address_of(code::nops) & !1).wrapping_sub(empty);
        answers.number("cache", question, cycles);
    }
}

const CH0_READ_ADDR: u32 = 0x5000_0000;
const CH0_WRITE_ADDR: u32 = 0x5000_0004;
const CH0_TRANS_COUNT: u32 = 0x5000_0008;
const CH0_CTRL_TRIG: u32 = 0x5000_000C;
const CH0_AL1_CTRL: u32 = 0x5000_0010;
const CH0_BUSY: u32 = 1 << 24;
const DMA_INTR: u32 = 0x5000_0400;

/// Control: enabled, words, both addresses rise, chained to itself, unpaced.
const COPY: u32 = 1 | 2 << 2 | 1 << 4 | 1 << 5 | 0x3F << 15;

fn dma(answers: &mut Answers) {
    let mut target = [0u32; 64];
    let target = target.as_mut_ptr().expose_provenance() as u32;
    let mut ask = |question, from, count, control| {
        write(DMA_INTR, 1);
        write(CH0_READ_ADDR, from);
        write(CH0_WRITE_ADDR, target);
        write(CH0_TRANS_COUNT, count);
        let cycles = TRANSFER(control, CH0_CTRL_TRIG);
        answers.number("dma", question, cycles);
    };
    ask("1 word in RAM", target, 1, COPY);
    ask("16 words in RAM", target, 16, COPY);
    ask("64 words in RAM", target, 64, COPY);
    ask("64 words from one register of PIO0", 0x5020_0004, 64, COPY & !(1 << 4));
    ask("64 words from one register of UART0", 0x4003_4018, 64, COPY & !(1 << 4));
    ask("64 words from the ROM", 0, 64, COPY);
    flush();
    ask("16 words from the flash, first", A, 16, COPY);
    ask("16 words from the flash, again", A, 16, COPY);

    write(CH0_READ_ADDR, target);
    write(CH0_WRITE_ADDR, target);
    write(CH0_TRANS_COUNT, 0);
    write(CH0_CTRL_TRIG, COPY);
    wait(100);
    answers.word("dma", "CTRL after no transfer", read(CH0_AL1_CTRL));
    answers.word("dma", "INTR after no transfer", read(DMA_INTR) & 1);
    write(DMA_INTR, 1);
    // The word after the RAM: nothing is there.
    write(CH0_READ_ADDR, 0x2004_2000);
    write(CH0_TRANS_COUNT, 4);
    write(CH0_CTRL_TRIG, COPY);
    wait(100);
    answers.word("dma", "CTRL after a read of nothing", read(CH0_AL1_CTRL));
    answers.number("dma", "words left after it", read(CH0_TRANS_COUNT));
    write(CH0_AL1_CTRL, 0b11 << 29);
    answers.word("dma", "CTRL once the error is cleared", read(CH0_AL1_CTRL));
    answers.number("dma", "address after 64 words", {
        write(CH0_READ_ADDR, target);
        write(CH0_WRITE_ADDR, target);
        write(CH0_TRANS_COUNT, 64);
        write(CH0_CTRL_TRIG, COPY);
        while read(CH0_AL1_CTRL) & CH0_BUSY != 0 {}
        read(CH0_READ_ADDR) - target
    });
    answers.number("dma", "count after 64 words", read(CH0_TRANS_COUNT));
}

/// Starts the channel by the value of `r0` and polls it until it is idle.
const TRANSFER: Sequence = sequence!("", "str r0, [r1]\n2: ldr r2, [r1]\nlsls r2, r2, #7\nbmi 2b");
