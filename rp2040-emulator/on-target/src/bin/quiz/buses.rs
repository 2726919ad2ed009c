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
/// Calls the code at the address.
const CALL: Sequence = sequence!("adds r1, #1", "blx r1");

/// The flash in its windows: cached, without allocation, uncached.
const FLASH: u32 = 0x1000_0000;
const NO_ALLOCATE: u32 = 0x0100_0000;
const NO_CACHE: u32 = 0x0300_0000;
/// Words of the flash in one set of the cache: eight KiB apart.
const A: u32 = FLASH + 0x10_0040;
const WAY: u32 = 0x2000;

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

    cache(answers, &timed);
    dma(answers);
}

fn cache(answers: &mut Answers, timed: &impl Fn(Sequence, u32) -> u32) {
    let mut ask = |question, cycles| answers.number("cache", question, cycles);
    flush();
    ask("load that misses", timed(LOAD, A));
    ask("the same word again", timed(LOAD, A));
    ask("the other word of the line", timed(LOAD, A + 4));
    ask("the next line", timed(LOAD, A + 8));
    ask("the line after that", timed(LOAD, A + 16));
    flush();
    ask("the second word of a line first", timed(LOAD, A + 4));
    ask("then the first", timed(LOAD, A));
    flush();
    ask("a byte that misses", timed(sequence!("", "ldrb r2, [r1]"), A));
    flush();
    ask("ldm of two lines", timed(sequence!("", "ldm r1!, {{r2,r3}}"), A + 4));
    flush();
    ask("no allocation, first", timed(LOAD, A + NO_ALLOCATE));
    ask("no allocation, again", timed(LOAD, A + NO_ALLOCATE));
    ask("uncached, first", timed(LOAD, A + NO_CACHE));
    ask("uncached, again", timed(LOAD, A + NO_CACHE));

    // Two ways: the third line of a set replaces one of two.
    flush();
    timed(LOAD, A);
    timed(LOAD, A + WAY);
    ask("the first of two lines in a set", timed(LOAD, A));
    ask("the second of two lines in a set", timed(LOAD, A + WAY));
    flush();
    timed(LOAD, A);
    timed(LOAD, A + WAY);
    timed(LOAD, A + 2 * WAY);
    ask("A after A, B, C in a set", timed(LOAD, A));
    flush();
    timed(LOAD, A);
    timed(LOAD, A + WAY);
    timed(LOAD, A);
    timed(LOAD, A + 2 * WAY);
    ask("A after A, B, A, C in a set", timed(LOAD, A));
    flush();
    timed(LOAD, A);
    timed(LOAD, A + WAY);
    timed(LOAD, A);
    timed(LOAD, A + 2 * WAY);
    ask("B after A, B, A, C in a set", timed(LOAD, A + WAY));

    let code = address_of(code::nops) & !1;
    flush();
    ask("63 nop in the flash, first", timed(CALL, code));
    ask("63 nop in the flash, again", timed(CALL, code));
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
