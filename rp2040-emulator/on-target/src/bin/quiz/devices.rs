//! FIFOs, dividers, interpolators, spinlocks, the timer, the ADC, the watchdog and the clocks.

use crate::answers::Answers;
use crate::registers::{clear, cycles, read, set, wait, wait_for, write};
use crate::sequence;
use crate::sequences::{Scratch, Sequence, empty};

pub fn ask(answers: &mut Answers) {
    uart(answers);
    spi(answers);
    sio(answers);
    interpolators(answers);
    pins(answers);
    timer(answers);
    adc(answers);
    watchdog(answers);
    clocks(answers);
}

/// Writes until one of the bits is set, at most 100 times. Returns the number of writes.
fn writes_until(status: u32, bits: u32, register: u32, value: u32) -> u32 {
    let mut count = 0;
    while read(status) & bits == 0 && count < 100 {
        write(register, value);
        count += 1;
    }
    count
}

const UART1: u32 = 0x4003_8000;
const UARTDR: u32 = UART1;
const UARTFR: u32 = UART1 + 0x18;
const UARTIBRD: u32 = UART1 + 0x24;
const UARTFBRD: u32 = UART1 + 0x28;
const UARTLCR_H: u32 = UART1 + 0x2C;
const UARTCR: u32 = UART1 + 0x30;
const UARTRIS: u32 = UART1 + 0x3C;
const UARTRSR: u32 = UART1 + 0x04;

/// UART1, in loopback.
fn uart(answers: &mut Answers) {
    write(UARTIBRD, 1);
    write(UARTFBRD, 0);
    write(UARTLCR_H, 0x70); // 8 bits, FIFOs
    answers.number("fifo", "writes until a disabled UART is full", {
        writes_until(UARTFR, 1 << 5, UARTDR, 0x55)
    });
    write(UARTLCR_H, 0x60); // without FIFOs
    write(UARTCR, 1 << 7 | 1 << 8 | 1 << 9 | 1);
    wait(10_000);
    while read(UARTFR) & 1 << 4 == 0 {
        read(UARTDR);
    }
    write(UARTLCR_H, 0x70);
    for _ in 0..40 {
        while read(UARTFR) & 1 << 5 != 0 {}
        write(UARTDR, 0x55);
    }
    wait(20_000);
    answers.word("fifo", "UARTFR after 40 bytes", read(UARTFR) & 0xFF);
    answers.word("fifo", "UARTRIS after 40 bytes", read(UARTRIS));
    let mut count = 0;
    let mut last = 0;
    while read(UARTFR) & 1 << 4 == 0 && count < 100 {
        last = read(UARTDR);
        count += 1;
    }
    answers.number("fifo", "bytes in the receiver of a UART", count);
    answers.word("fifo", "the last of them", last);
    write(UARTRSR, 0);
    write(UARTDR, 0x5A);
    wait(2_000);
    answers.word("fifo", "the byte after an overrun", read(UARTDR));
    // A byte of ten bits at 125 MHz / 16.
    write(UARTDR, 0);
    let took = cycles(|| while read(UARTFR) & 1 << 3 != 0 {});
    answers.number("fifo", "cycles of a byte at 7.8 Mbaud, divided by 40", took / 40);
    write(UARTCR, 0);
}

const SPI1: u32 = 0x4004_0000;
const SSPCR0: u32 = SPI1;
const SSPCR1: u32 = SPI1 + 0x04;
const SSPDR: u32 = SPI1 + 0x08;
const SSPSR: u32 = SPI1 + 0x0C;
const SSPCPSR: u32 = SPI1 + 0x10;

/// SPI1, in loopback.
fn spi(answers: &mut Answers) {
    write(SSPCPSR, 2);
    write(SSPCR0, 0x7);
    let mut count = 0;
    while read(SSPSR) & 1 << 1 != 0 && count < 100 {
        write(SSPDR, 0x5A);
        count += 1;
    }
    answers.number("fifo", "writes until a disabled SPI is full", count);
    write(SSPCR1, 0b11);
    wait(2_000);
    answers.word("fifo", "SSPSR when 8 frames came back", read(SSPSR));
    let mut count = 0;
    while read(SSPSR) & 1 << 2 != 0 && count < 100 {
        read(SSPDR);
        count += 1;
    }
    answers.number("fifo", "frames in the receiver of an SPI", count);
    // Eight frames of eight bits, at several settings: the pause between frames follows from them.
    let mut ask = |question, prescaler, control| {
        write(SSPCR1, 0);
        write(SSPCPSR, prescaler);
        write(SSPCR0, control);
        for _ in 0..8 {
            write(SSPDR, 0x5A);
        }
        answers.number("fifo", question, SPI_FRAMES(0b11, SSPCR1));
        while read(SSPSR) & 1 << 2 != 0 {
            read(SSPDR);
        }
    };
    ask("cycles of 8 frames, SPH 0, SCK / 2", 2, 0x07);
    ask("cycles of 8 frames, SPH 1, SCK / 2", 2, 0x87);
    ask("cycles of 8 frames, SPH 0, SCK / 4", 2, 0x107);
    ask("cycles of 8 frames, SPH 1, SCK / 4", 2, 0x187);
    ask("cycles of 8 frames, SPH 0, SCK / 32", 32, 0x07);
    ask("cycles of 8 frames, SPH 1, SCK / 32", 32, 0x87);
    ask("cycles of 8 frames of 16 bits, SPH 0, SCK / 4", 4, 0x0F);
    write(SSPCR1, 0);
}

/// Stores `r0` to SSPCR1 at `r1` and polls SSPSR until the SPI is idle.
const SPI_FRAMES: Sequence =
    sequence!("", "str r0, [r1]\n2: ldr r2, [r1, #8]\nlsls r2, r2, #27\nbmi 2b");

const SIO: u32 = 0xD000_0000;
const FIFO_ST: u32 = SIO + 0x50;
const FIFO_WR: u32 = SIO + 0x54;
const FIFO_RD: u32 = SIO + 0x58;
const SPINLOCK_ST: u32 = SIO + 0x5C;
const DIV_UDIVIDEND: u32 = SIO + 0x60;
const DIV_UDIVISOR: u32 = SIO + 0x64;
const DIV_SDIVIDEND: u32 = SIO + 0x68;
const DIV_SDIVISOR: u32 = SIO + 0x6C;
const DIV_QUOTIENT: u32 = SIO + 0x70;
const DIV_REMAINDER: u32 = SIO + 0x74;
const DIV_CSR: u32 = SIO + 0x78;
const SPINLOCK5: u32 = SIO + 0x114;
const PSM_FRCE_OFF: u32 = 0x4001_0004;
const PROC1: u32 = 1 << 16;

/// Division of `r2` by 3, and the number of cycles until it is READY.
const DIVIDE: Sequence = sequence!(
    "movs r2, #100\nmovs r3, #3\nstr r2, [r1]",
    "str r3, [r1, #4]\n2: ldr r2, [r1, #0x18]\nlsrs r2, r2, #1\nbcc 2b"
);

fn sio(answers: &mut Answers) {
    // Core 1 would read the words: it is held in reset.
    set(PSM_FRCE_OFF, PROC1);
    wait(100);
    while read(FIFO_ST) & 1 != 0 {
        read(FIFO_RD);
    }
    let mut count = 0;
    while read(FIFO_ST) & 1 << 1 != 0 && count < 100 {
        write(FIFO_WR, 1);
        count += 1;
    }
    answers.number("sio", "words in the FIFO to core 1", count);
    write(FIFO_WR, 1);
    answers.word("sio", "FIFO_ST after one more", read(FIFO_ST));
    write(FIFO_ST, 0);
    read(FIFO_RD);
    answers.word("sio", "FIFO_ST after a read of the empty FIFO", read(FIFO_ST));
    write(FIFO_ST, 0);
    clear(PSM_FRCE_OFF, PROC1);
    wait(10_000);

    answers.word("sio", "SPINLOCK5, first read", read(SPINLOCK5));
    answers.word("sio", "SPINLOCK5, second read", read(SPINLOCK5));
    answers.word("sio", "SPINLOCK_ST", read(SPINLOCK_ST));
    write(SPINLOCK5, 0);
    answers.word("sio", "SPINLOCK_ST after the release", read(SPINLOCK_ST));

    let mut divide = |question, remainder, places: [u32; 2], dividend, divisor| {
        write(places[0], dividend);
        write(places[1], divisor);
        wait(20);
        answers.word("sio", remainder, read(DIV_REMAINDER));
        answers.word("sio", question, read(DIV_QUOTIENT));
    };
    let (unsigned, signed) = ([DIV_UDIVIDEND, DIV_UDIVISOR], [DIV_SDIVIDEND, DIV_SDIVISOR]);
    divide("7 / 0", "remainder of 7 / 0", unsigned, 7, 0);
    divide("-7 / 0", "remainder of -7 / 0", signed, -7i32 as u32, 0);
    divide("0 / 0, signed", "remainder of 0 / 0, signed", signed, 0, 0);
    divide("-2^31 / -1", "remainder of -2^31 / -1", signed, 1 << 31, u32::MAX);
    divide("-7 / 2", "remainder of -7 / 2", signed, -7i32 as u32, 2);
    write(DIV_UDIVIDEND, 1);
    answers.word("sio", "DIV_CSR right after a write", read(DIV_CSR) & 0b10);
    read(DIV_QUOTIENT);
    answers.word("sio", "DIV_CSR after a read of the quotient", read(DIV_CSR));
    let mut scratch = Scratch::new();
    let scratch = scratch.address();
    let cycles = DIVIDE(scratch, DIV_UDIVIDEND).wrapping_sub(empty(scratch));
    answers.number("sio", "cycles of polling DIV_CSR", cycles);
}

const ACCUM0: u32 = SIO + 0x80;
const ACCUM1: u32 = SIO + 0x84;
const BASE0: u32 = SIO + 0x88;
const BASE1: u32 = SIO + 0x8C;
const BASE2: u32 = SIO + 0x90;
const POP_FULL: u32 = SIO + 0x9C;
const PEEK_LANE0: u32 = SIO + 0xA0;
const PEEK_FULL: u32 = SIO + 0xA8;
const CTRL_LANE0: u32 = SIO + 0xAC;
const CTRL_LANE1: u32 = SIO + 0xB0;
const ACCUM0_ADD: u32 = SIO + 0xB4;
const BASE_1AND0: u32 = SIO + 0xBC;
/// The second interpolator.
const SECOND: u32 = 0x40;

fn interpolators(answers: &mut Answers) {
    write(CTRL_LANE0, 4 << 10 | 2);
    write(CTRL_LANE1, 31 << 10);
    write(ACCUM0, 0xFFFF_FFFF);
    write(ACCUM1, 0x100);
    write(BASE0, 1);
    write(BASE1, 2);
    write(BASE2, 0x10_0000);
    answers.word("interp", "lane 0 with shift 2 and MSB 4", read(PEEK_LANE0));
    answers.word("interp", "full", read(PEEK_FULL));
    read(POP_FULL);
    answers.word("interp", "full after a pop", read(PEEK_FULL));
    answers.word("interp", "CTRL_LANE0 with OVERF", read(CTRL_LANE0));
    write(ACCUM0_ADD, 0xFFFF_FFFF);
    answers.word("interp", "ACCUM0_ADD reads", read(ACCUM0_ADD));
    answers.word("interp", "ACCUM0 after ACCUM0_ADD of 2^32-1", read(ACCUM0));
    write(CTRL_LANE0, 1 << 21 | 31 << 10); // blend
    write(CTRL_LANE1, 1 << 15 | 31 << 10); // signed
    write(BASE_1AND0, 0x8000_7FFF);
    answers.word("interp", "BASE1 after BASE_1AND0 of 0x80007FFF", read(BASE1));
    write(ACCUM1, 128);
    answers.word("interp", "blend, half way", read(SIO + 0xA4));
    write(CTRL_LANE0 + SECOND, 1 << 22 | 1 << 15 | 31 << 10); // clamp, signed
    write(BASE0 + SECOND, -10i32 as u32);
    write(BASE1 + SECOND, 10);
    write(ACCUM0 + SECOND, -11i32 as u32);
    answers.word("interp", "clamp of -11 to -10", read(PEEK_LANE0 + SECOND));
    write(CTRL_LANE0, u32::MAX);
    answers.word(
        "interp",
        "CTRL_LANE0 of all ones, OVERF not asked",
        read(CTRL_LANE0) & !(7 << 23),
    );
}

const IO_BANK0: u32 = 0x4001_4000;
const PADS_BANK0: u32 = 0x4001_C000;
const GPIO_IN: u32 = SIO + 0x04;
const GPIO_OUT: u32 = SIO + 0x10;
const GPIO_OUT_SET: u32 = SIO + 0x14;
const GPIO_OUT_XOR: u32 = SIO + 0x1C;
const GPIO_OE_SET: u32 = SIO + 0x24;
const GPIO_OE_CLR: u32 = SIO + 0x28;
/// A pin that nothing is connected to on a Pico without headers.
const PIN: u32 = 14;

/// Sets the pin by a store, and reads it at once, one and two instructions later.
const ECHO_0: Sequence = sequence!(
    "movs r2, #1\nlsls r2, r2, #14",
    "str r2, [r1, #0x14]\nldr r3, [r1, #4]\nstr r3, [r0]"
);
const ECHO_2: Sequence = sequence!(
    "movs r2, #1\nlsls r2, r2, #14",
    "str r2, [r1, #0x14]\nnop\nnop\nldr r3, [r1, #4]\nstr r3, [r0]"
);
const ECHO_4: Sequence = sequence!(
    "movs r2, #1\nlsls r2, r2, #14",
    "str r2, [r1, #0x14]\nnop\nnop\nnop\nnop\nldr r3, [r1, #4]\nstr r3, [r0]"
);

fn pins(answers: &mut Answers) {
    let (control, pad) = (IO_BANK0 + 8 * PIN + 4, PADS_BANK0 + 4 + 4 * PIN);
    write(pad, 0x56);
    write(control, 5);
    write(GPIO_OE_SET, 1 << PIN);
    let mut scratch = Scratch::new();
    let place = scratch.address();
    let mut echo = |question, sequence: Sequence| {
        write(GPIO_OUT, 0);
        wait(20);
        sequence(place, SIO);
        answers.number("pin", question, read(place) >> PIN & 1);
    };
    echo("level read right after its store", ECHO_0);
    echo("level read after 2 nop", ECHO_2);
    echo("level read after 4 nop", ECHO_4);
    answers.word("pin", "STATUS of a high output", read(control - 4));
    write(GPIO_OUT_XOR, 1 << PIN);
    answers.word("pin", "STATUS of a low output", {
        wait(20);
        read(control - 4)
    });
    write(control, 5 | 0b01 << 8);
    wait(20);
    answers.number("pin", "level of an inverted low output", read(GPIO_IN) >> PIN & 1);
    write(control, 5 | 0b11 << 16);
    wait(20);
    answers.number("pin", "level read with INOVER high", read(GPIO_IN) >> PIN & 1);
    write(control, 5);
    write(GPIO_OE_CLR, 1 << PIN);
    write(pad, 0x5A); // pull-up
    wait(1_000);
    answers.number("pin", "level of an input with a pull-up", read(GPIO_IN) >> PIN & 1);
    write(pad, 0x56); // pull-down
    wait(1_000);
    answers.number("pin", "level of an input with a pull-down", read(GPIO_IN) >> PIN & 1);
    write(pad, 0x16); // input disabled
    wait(20);
    answers.number("pin", "level of a disabled input", read(GPIO_IN) >> PIN & 1);
    write(GPIO_OUT_SET, u32::MAX);
    answers.word("pin", "GPIO_OUT of all ones", read(GPIO_OUT));
    write(GPIO_OUT, 0);
    write(pad, u32::MAX);
    answers.word("pin", "a pad of all ones", read(pad));
    write(pad, 0x56);
    // A byte is written to all four of the word (datasheet section 2.1.4).
    byte(control, 0x3F);
    answers.word("pin", "CTRL after a byte of 0x3F", read(control));
    write(control, 0x1F);
}

/// Stores a byte.
fn byte(address: u32, value: u32) {
    const STORE: Sequence = sequence!("", "strb r0, [r1]");
    STORE(value, address);
}

const TIMER: u32 = 0x4005_4000;
const TIMEHR: u32 = TIMER + 0x08;
const TIMELR: u32 = TIMER + 0x0C;
const ALARM0: u32 = TIMER + 0x10;
const ARMED: u32 = TIMER + 0x20;
const TIMERAWL: u32 = TIMER + 0x28;
const TIMER_INTR: u32 = TIMER + 0x34;

fn timer(answers: &mut Answers) {
    // From the beginning of a count to that of the thousandth after it.
    let next = read(TIMERAWL);
    while read(TIMERAWL) == next {}
    let took = cycles(|| while read(TIMERAWL).wrapping_sub(next) <= 1_000 {});
    answers.number("timer", "cycles of 1,000 counts, divided by 1,000", (took + 500) / 1_000);
    write(ALARM0, read(TIMERAWL).wrapping_add(50));
    answers.word("timer", "ARMED after a write of ALARM0", read(ARMED));
    wait(125 * 100);
    answers.word("timer", "ARMED after the alarm", read(ARMED));
    answers.word("timer", "INTR after the alarm", read(TIMER_INTR));
    write(TIMER_INTR, 1);
    answers.word("timer", "INTR once cleared", read(TIMER_INTR));
    write(ALARM0, read(TIMERAWL).wrapping_sub(1));
    wait(125 * 100);
    answers.word("timer", "INTR of an alarm that is in the past", read(TIMER_INTR));
    write(ARMED, 1);
    answers.word("timer", "ARMED after a write of 1 to it", read(ARMED));
    read(TIMELR);
    answers.number("timer", "TIMEHR", read(TIMEHR));
}

const ADC_CS: u32 = 0x4004_C000;
const ADC_RESULT: u32 = 0x4004_C004;
const ADC_FCS: u32 = 0x4004_C008;
const ADC_FIFO: u32 = 0x4004_C00C;
const ADC_DIV: u32 = 0x4004_C010;
const ADC_INTR: u32 = 0x4004_C014;
const ADC_READY: u32 = 1 << 8;
/// Enabled, with the temperature sensor at input 4.
const ADC_SENSOR: u32 = 4 << 12 | 0b11;

/// Sets START_ONCE by the alias at `r1`, and polls READY at `r0`.
const CONVERT: Sequence =
    sequence!("movs r2, #4", "str r2, [r1]\n2: ldr r3, [r0]\nlsls r3, r3, #23\nbpl 2b");

fn adc(answers: &mut Answers) {
    write(ADC_CS, ADC_SENSOR);
    wait_for(ADC_CS, ADC_READY);
    answers.word("adc", "CS once it is ready", read(ADC_CS));
    answers.number("adc", "cycles of a conversion, polled", CONVERT(ADC_CS, ADC_CS + 0x2000));
    let sensor = read(ADC_RESULT);
    answers.number(
        "adc",
        "the sensor is between 700 and 1000",
        (700..1000).contains(&sensor).into(),
    );
    answers.number("varies", "adc: the sensor", sensor);
    write(ADC_FCS, 1);
    set(ADC_CS, 1 << 3);
    wait(10_000);
    clear(ADC_CS, 1 << 3);
    wait(1_000);
    answers.word("adc", "FCS after more results than fit", read(ADC_FCS) & 0x0F_0F0F);
    let mut count = 0;
    while read(ADC_FCS) & 1 << 8 == 0 && count < 100 {
        read(ADC_FIFO);
        count += 1;
    }
    answers.number("adc", "results in the FIFO", count);
    read(ADC_FIFO);
    answers.word("adc", "FCS after a read of the empty FIFO", read(ADC_FCS));
    write(ADC_FCS, 0xC01 | 1 << 24);
    answers.word("adc", "INTR with an empty FIFO", read(ADC_INTR));
    // Ten thousand cycles at an interval of 1,000 of its clock.
    write(ADC_DIV, 999 << 8);
    set(ADC_CS, 1 << 3);
    wait(12_500);
    clear(ADC_CS, 1 << 3);
    wait(3_000);
    answers.number("adc", "conversions in 4.8 intervals", read(ADC_FCS) >> 16 & 0xF);
    write(ADC_CS, 0);
    answers.word("adc", "CS when it is off", read(ADC_CS));
}

const WATCHDOG: u32 = 0x4005_8000;
const WATCHDOG_LOAD: u32 = WATCHDOG + 0x04;

/// Erratum RP2040-E1: the count falls twice a tick. PSM is not told to reset anything.
fn watchdog(answers: &mut Answers) {
    write(0x4001_0008, 0);
    write(WATCHDOG_LOAD, 0x00FF_FFFF);
    set(WATCHDOG, 1 << 30);
    let start = read(WATCHDOG) & 0x00FF_FFFF;
    wait(125_000);
    let end = read(WATCHDOG) & 0x00FF_FFFF;
    clear(WATCHDOG, 1 << 30);
    answers.number(
        "erratum",
        "E1: counts of the watchdog in 1 ms, divided by 10",
        (start - end + 5) / 10,
    );
    answers.word("timer", "WATCHDOG.CTRL once it is off", read(WATCHDOG) >> 24);
}

const FC0_REF_KHZ: u32 = 0x4000_8080;
const FC0_MIN_KHZ: u32 = 0x4000_8084;
const FC0_MAX_KHZ: u32 = 0x4000_8088;
const FC0_INTERVAL: u32 = 0x4000_8090;
const FC0_SRC: u32 = 0x4000_8094;
const FC0_STATUS: u32 = 0x4000_8098;
const FC0_RESULT: u32 = 0x4000_809C;

/// Returns the kilohertz of a clock, rounded.
fn kilohertz(source: u32) -> u32 {
    write(FC0_REF_KHZ, 12_000);
    write(FC0_INTERVAL, 10);
    write(FC0_MIN_KHZ, 0);
    write(FC0_MAX_KHZ, 0x01FF_FFFF);
    write(FC0_SRC, source);
    wait_for(FC0_STATUS, 1 << 4);
    let result = read(FC0_RESULT);
    write(FC0_SRC, 0);
    (result + 16) >> 5
}

fn clocks(answers: &mut Answers) {
    for (question, source) in [
        ("kHz of PLL_SYS", 1),
        ("kHz of PLL_USB", 2),
        ("kHz of XOSC", 5),
        ("kHz of clk_sys", 9),
        ("kHz of clk_peri", 10),
        ("kHz of clk_usb", 11),
        ("kHz of clk_adc", 12),
        ("kHz of clk_rtc", 13),
    ] {
        answers.number("clock", question, kilohertz(source));
    }
    answers.number("varies", "clock: kHz of ROSC", kilohertz(3));
    for (question, register) in [
        ("CLK_SYS_SELECTED", 0x4000_8044),
        ("CLK_REF_SELECTED", 0x4000_8038),
        ("PLL_SYS.CS", 0x4002_8000),
        ("XOSC.STATUS", 0x4002_4004),
        ("ENABLED0", 0x4000_80B0),
    ] {
        answers.word("clock", question, read(register));
    }
}
