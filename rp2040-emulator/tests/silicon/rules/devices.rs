//! Rules of UART, SPI, I2C, DMA, pins, watchdog and timer.

use rp2040_emulator::chip::Rule;

use super::super::program::Do::{self, Byte, Pass, Read, Write};
use super::{broken, check};

const CLK_PERI_CTRL: u32 = 0x4000_8048;
/// clk_peri runs from clk_sys.
const CLK_PERI: Do = Write(CLK_PERI_CTRL, 1 << 11);
const UART0: u32 = 0x4003_4000;
const SPI0: u32 = 0x4003_C000;
const I2C0: u32 = 0x4004_4000;
const DMA: u32 = 0x5000_0000;
const WATCHDOG: u32 = 0x4005_8000;
const TICK: Do = Write(WATCHDOG + 0x2C, 1 << 9 | 12);
const TIMER_ALARM0: u32 = 0x4005_4010;
const RAM: u32 = 0x2000_8000;

#[test]
fn the_format_of_an_enabled_uart_stays() {
    let (format, enable) = (Write(UART0 + 0x2C, 0x70), Write(UART0 + 0x30, 0x301));
    check(Rule::UartFormat, &[CLK_PERI, enable, format], &[CLK_PERI, format, enable]);
    let baud = Write(UART0 + 0x24, 7);
    check(Rule::UartFormat, &[CLK_PERI, enable, baud], &[CLK_PERI, baud, enable, baud]);
    // A break.
    assert_eq!(broken(&[CLK_PERI, format, enable, Write(UART0 + 0x2C, 0x71)]), []);
}

#[test]
fn the_format_of_an_spi_that_transfers_stays() {
    let setup = [CLK_PERI, Write(SPI0 + 0x10, 2), Write(SPI0, 7), Write(SPI0 + 4, 2)];
    let change = Write(SPI0, 0x0107);
    let wrong = [&setup[..], &[Write(SPI0 + 8, 0x55), change]].concat();
    let right = [&setup[..], &[Write(SPI0 + 8, 0x55), Pass(100), change]].concat();
    check(Rule::SpiFormat, &wrong, &right);
}

#[test]
fn an_i2c_is_set_up_while_it_is_disabled() {
    let (target, enable) = (Write(I2C0 + 4, 0x17), Write(I2C0 + 0x6C, 1));
    check(Rule::I2cConfigured, &[enable, target], &[target, enable]);
}

/// Sets up channel 0 with these addresses and this count, and starts it with this control.
fn transfer(read: u32, write: u32, count: u32, control: u32) -> [Do; 4] {
    [
        Write(DMA, read),
        Write(DMA + 4, write),
        Write(DMA + 8, count),
        Write(DMA + 0xC, control | 0x3F << 15 | 1),
    ]
}

const WORDS: u32 = 2 << 2;

#[test]
fn a_busy_channel_is_not_started() {
    let long = transfer(RAM, RAM + 0x100, 100_000, WORDS);
    let wrong = [&long[..], &[Write(DMA + 0x430, 1)]].concat();
    let right = [&transfer(RAM, RAM + 0x100, 1, WORDS)[..], &[Pass(20), Write(DMA + 0x430, 1)]];
    check(Rule::DmaBusy, &wrong, &right.concat());
    // Paused and continued.
    let paused = [Write(DMA + 0xC, WORDS | 0x3F << 15), Write(DMA + 0xC, WORDS | 0x3F << 15 | 1)];
    assert_eq!(broken(&[&long[..], &paused].concat()), []);
}

#[test]
fn the_addresses_of_a_channel_are_aligned() {
    let wrong = transfer(RAM + 2, RAM + 0x100, 1, WORDS);
    let found = broken(&[&wrong[..], &[Pass(20)]].concat());
    assert!(found.contains(&Rule::DmaMisaligned), "{found:?}");
    let halves = transfer(RAM + 2, RAM + 0x100, 1, 1 << 2);
    assert_eq!(broken(&[&halves[..], &[Pass(20)]].concat()), []);
}

#[test]
fn the_dma_has_no_access_to_the_sio() {
    let wrong = [&transfer(RAM, 0xD000_0014, 1, WORDS)[..], &[Pass(20)]].concat();
    let right = [&transfer(RAM, RAM + 0x100, 1, WORDS)[..], &[Pass(20)]].concat();
    check(Rule::DmaBusError, &wrong, &right);
}

#[test]
fn the_dma_does_not_write_to_a_null_pointer() {
    let wrong = [&transfer(RAM, 0, 1, WORDS)[..], &[Pass(20)]].concat();
    let right = [&transfer(0, RAM, 1, WORDS)[..], &[Pass(20)]].concat();
    check(Rule::DmaToRom, &wrong, &right);
}

#[test]
fn nothing_is_stored_to_the_flash() {
    const FLASH: u32 = 0x1000_4000;
    check(Rule::FlashWritten, &[Write(FLASH, 0)], &[Read(FLASH)]);
    let right = [&transfer(FLASH, RAM, 1, WORDS)[..], &[Pass(20)]].concat();
    let wrong = [&transfer(RAM, FLASH, 1, WORDS)[..], &[Pass(20)]].concat();
    check(Rule::FlashWritten, &wrong, &right);
}

#[test]
fn the_watchdog_has_24_bits_and_a_tick() {
    let load = WATCHDOG + 4;
    check(Rule::WatchdogLoad, &[Write(load, 0x0100_0000)], &[Write(load, 0x00FF_FFFF)]);
    let enable = Write(WATCHDOG, 1 << 30);
    let right = [TICK, Write(load, 0x00FF_FFFF), enable];
    check(Rule::WatchdogTick, &[enable], &right);
}

#[test]
fn an_alarm_needs_the_tick() {
    let alarm = Write(TIMER_ALARM0, 100);
    check(Rule::TimerTick, &[alarm], &[TICK, alarm]);
}

#[test]
fn a_register_is_written_as_a_word() {
    // PWM slice 0, compare values of both channels; the data register of a UART takes a byte.
    check(Rule::NarrowWrite, &[Byte(0x4005_000C, 5)], &[Write(0x4005_000C, 5), Byte(UART0, 5)]);
}

#[test]
fn a_function_is_on_its_pins() {
    let control = |pin: u32, function| Write(0x4001_4004 + 8 * pin, function);
    check(Rule::FunctionNotOnPin, &[control(2, 8)], &[control(21, 8), control(2, 5)]);
    check(Rule::FunctionNotOnPin, &[control(2, 10)], &[control(2, 9), control(2, 0x1F)]);
    check(Rule::FunctionNotOnPin, &[control(4, 0)], &[control(3, 0)]);
}

#[test]
fn an_output_needs_its_pad() {
    let pad = |output_disabled: u32| Write(0x4001_C004 + 4 * 2, output_disabled << 7 | 0x56);
    let output = [Write(0x4001_4004 + 8 * 2, 5), Write(0xD000_0024, 1 << 2)];
    let wrong = [&[pad(1)], &output[..]].concat();
    check(Rule::OutputDisabled, &wrong, &[&[pad(0)], &output[..]].concat());
}

#[test]
fn an_analogue_pad_is_not_digital() {
    let clock = Write(0x4000_8060, 1 << 11 | 2 << 5);
    let convert = [Write(0x4004_C000, 1), Write(0x4004_C000, 1 | 1 << 2 | 1 << 12)];
    let wrong = [&[clock], &convert[..]].concat();
    // Pad of GPIO 27: OD without IE and pulls.
    let right = [&[clock, Write(0x4001_C004 + 4 * 27, 1 << 7)], &convert[..]].concat();
    check(Rule::AdcPad, &wrong, &right);
    // The sensor has no pin.
    let sensor = [clock, Write(0x4004_C000, 3), Write(0x4004_C000, 3 | 1 << 2 | 4 << 12)];
    assert_eq!(broken(&sensor), []);
}

#[test]
fn vectors_are_aligned() {
    let vectors = |address| Write(0xE000_ED08, address);
    check(Rule::VectorTable, &[vectors(RAM + 0x80)], &[vectors(RAM + 0x100), Read(0xE000_ED08)]);
}
