//! The values after reset of the registers of every block that is modelled, by the tables of the
//! datasheet. The PIOs, whose registers are in groups, have a test of their own.

use crate::chip::devices::Devices;
use crate::cpu::bus::{Access, Bus, Width};

/// Registers at regular offsets, all with one value.
struct Registers {
    first: u32,
    step: u32,
    count: u32,
    value: u32,
}

const fn some(first: u32, step: u32, count: u32, value: u32) -> Registers {
    Registers { first, step, count, value }
}

const fn one(first: u32, value: u32) -> Registers {
    some(first, 4, 1, value)
}

/// Checks a block: these registers have these values, those of `others` have another one that says
/// something of this chip, and the rest up to `last` reads 0.
#[track_caller]
fn check(base: u32, last: u32, registers: &[Registers], others: &[u32]) {
    let offsets = (0..=last).step_by(4).filter(|offset| !others.contains(offset));
    let wrong = offsets.filter_map(|offset| {
        let address = base + offset;
        let access = Access { core: 0, address, width: Width::Word, cycle: 0, pc: 0 };
        let found = registers.iter().find(|Registers { first, step, count, .. }| {
            offset >= *first
                && (offset - first).is_multiple_of(*step)
                && (offset - first) / step < *count
        });
        let expected = found.map_or(0, |registers| registers.value);
        // A read may change another register.
        let read = Devices::new().read(access).expect("a block");
        (read != expected).then(|| format!("{address:#x} reads {read:#x}, not {expected:#x}"))
    });
    assert_eq!(wrong.collect::<Vec<_>>(), [""; 0]);
}

/// RP2040 datasheet 2.15.7.
#[test]
fn clocks_is_reset_as_the_datasheet_says() {
    check(
        0x4000_8000,
        0xC4,
        &[
            some(0x4, 0xC, 6, 0x100),
            some(0x8, 0xC, 10, 0x1),
            some(0x58, 0xC, 3, 0x100),
            one(0x78, 0xFF),
            one(0xA0, 0xFFFF_FFFF),
            one(0xA4, 0x7FFF),
            one(0xA8, 0xFFFF_FFFF),
            one(0xAC, 0x7FFF),
        ],
        // The frequency counter.
        &[0x80, 0x84, 0x88, 0x8C, 0x90, 0x94, 0x98, 0x9C],
    );
}

/// RP2040 datasheet 2.14.3.
#[test]
fn resets_is_reset_as_the_datasheet_says() {
    check(0x4000_C000, 0x8, &[one(0x0, 0x01FF_FFFF)], &[]);
}

/// RP2040 datasheet 2.13.5.
#[test]
fn psm_is_reset_as_the_datasheet_says() {
    // DONE: every part is ready.
    check(0x4001_0000, 0xC, &[], &[0xC]);
}

/// RP2040 datasheet 2.19.6.1.
#[test]
fn io_bank0_is_reset_as_the_datasheet_says() {
    // The pins' levels, low by their pulls, are conditions in INTR0 to INTR3.
    check(0x4001_4000, 0x18C, &[some(0x4, 0x8, 30, 0x1F)], &[0xF0, 0xF4, 0xF8, 0xFC]);
}

/// RP2040 datasheet 2.19.6.3.
#[test]
fn pads_bank0_is_reset_as_the_datasheet_says() {
    check(0x4001_C000, 0x80, &[some(0x4, 0x4, 30, 0x56), one(0x7C, 0xDA), one(0x80, 0x5A)], &[]);
}

/// RP2040 datasheet 2.19.6.4.
#[test]
fn pads_qspi_is_reset_as_the_datasheet_says() {
    check(0x4002_0000, 0x18, &[one(0x4, 0x56), some(0x8, 0x4, 4, 0x52), one(0x18, 0x5A)], &[]);
}

/// RP2040 datasheet 2.16.7.
#[test]
fn xosc_is_reset_as_the_datasheet_says() {
    check(0x4002_4000, 0x1C, &[], &[0x8]);
}

/// RP2040 datasheet 2.18.4.
#[test]
fn pll_sys_is_reset_as_the_datasheet_says() {
    check(0x4002_8000, 0xC, &[one(0x0, 0x1), one(0x4, 0x2D), one(0xC, 0x0007_7000)], &[]);
    check(0x4002_C000, 0xC, &[one(0x0, 0x1), one(0x4, 0x2D), one(0xC, 0x0007_7000)], &[]);
}

/// RP2040 datasheet 4.2.8.
#[test]
fn uart_is_reset_as_the_datasheet_says() {
    check(
        0x4003_4000,
        0xFFC,
        &[
            one(0x18, 0x90),
            one(0x30, 0x300),
            one(0x34, 0x12),
            one(0xFE0, 0x11),
            one(0xFE4, 0x10),
            one(0xFE8, 0x34),
            one(0xFF0, 0xD),
            one(0xFF4, 0xF0),
            one(0xFF8, 0x5),
            one(0xFFC, 0xB1),
        ],
        &[],
    );
    check(
        0x4003_8000,
        0xFFC,
        &[
            one(0x18, 0x90),
            one(0x30, 0x300),
            one(0x34, 0x12),
            one(0xFE0, 0x11),
            one(0xFE4, 0x10),
            one(0xFE8, 0x34),
            one(0xFF0, 0xD),
            one(0xFF4, 0xF0),
            one(0xFF8, 0x5),
            one(0xFFC, 0xB1),
        ],
        &[],
    );
}

/// RP2040 datasheet 4.4.4.
#[test]
fn spi_is_reset_as_the_datasheet_says() {
    check(
        0x4003_C000,
        0xFFC,
        &[
            one(0xC, 0x3),
            one(0x18, 0x8),
            one(0xFE0, 0x22),
            one(0xFE4, 0x10),
            one(0xFE8, 0x34),
            one(0xFF0, 0xD),
            one(0xFF4, 0xF0),
            one(0xFF8, 0x5),
            one(0xFFC, 0xB1),
        ],
        &[0x8],
    );
    check(
        0x4004_0000,
        0xFFC,
        &[
            one(0xC, 0x3),
            one(0x18, 0x8),
            one(0xFE0, 0x22),
            one(0xFE4, 0x10),
            one(0xFE8, 0x34),
            one(0xFF0, 0xD),
            one(0xFF4, 0xF0),
            one(0xFF8, 0x5),
            one(0xFFC, 0xB1),
        ],
        &[0x8],
    );
}

/// RP2040 datasheet 4.3.17.
#[test]
fn i2c_is_reset_as_the_datasheet_says() {
    check(
        0x4004_4000,
        0xFC,
        &[
            one(0x0, 0x65),
            one(0x4, 0x55),
            one(0x8, 0x55),
            one(0x14, 0x28),
            one(0x18, 0x2F),
            one(0x1C, 0x6),
            one(0x20, 0xD),
            one(0x30, 0x8FF),
            one(0x70, 0x6),
            one(0x7C, 0x1),
            one(0x94, 0x64),
            one(0x98, 0x1),
            one(0xA0, 0x7),
            one(0xF8, 0x3230_312A),
            one(0xFC, 0x4457_0140),
        ],
        &[],
    );
    check(
        0x4004_8000,
        0xFC,
        &[
            one(0x0, 0x65),
            one(0x4, 0x55),
            one(0x8, 0x55),
            one(0x14, 0x28),
            one(0x18, 0x2F),
            one(0x1C, 0x6),
            one(0x20, 0xD),
            one(0x30, 0x8FF),
            one(0x70, 0x6),
            one(0x7C, 0x1),
            one(0x94, 0x64),
            one(0x98, 0x1),
            one(0xA0, 0x7),
            one(0xF8, 0x3230_312A),
            one(0xFC, 0x4457_0140),
        ],
        &[],
    );
}

/// RP2040 datasheet 4.5.3.
#[test]
fn pwm_is_reset_as_the_datasheet_says() {
    check(0x4005_0000, 0xB0, &[some(0x4, 0x14, 8, 0x10), some(0x10, 0x14, 8, 0xFFFF)], &[]);
}

/// RP2040 datasheet 4.6.5.
#[test]
fn timer_is_reset_as_the_datasheet_says() {
    check(0x4005_4000, 0x40, &[one(0x2C, 0x7)], &[]);
}

/// RP2040 datasheet 4.7.6.
#[test]
fn watchdog_is_reset_as_the_datasheet_says() {
    // TICK: it is running.
    check(0x4005_8000, 0x2C, &[one(0x0, 0x0700_0000)], &[0x2C]);
}

/// RP2040 datasheet 2.17.8.
#[test]
fn rosc_is_reset_as_the_datasheet_says() {
    // CTRL: enabled at power-on; DORMANT, DIV and STATUS; RANDOMBIT.
    check(0x4006_0000, 0x20, &[one(0x14, 0x8)], &[0x0, 0xC, 0x10, 0x18, 0x1C]);
}

/// RP2040 datasheet 2.10.6.
#[test]
fn vreg_and_chip_reset_is_reset_as_the_datasheet_says() {
    // VREG: in regulation. CHIP_RESET: reset by the supply.
    check(0x4006_4000, 0x8, &[one(0x4, 0x91)], &[0x0, 0x8]);
}

/// RP2040 datasheet 4.10.13.
#[test]
fn xip_ssi_is_reset_as_the_datasheet_says() {
    check(
        0x1800_0000,
        0xF8,
        &[one(0x58, 0x5153_5049), one(0x5C, 0x3430_312A), one(0xF4, 0x0300_0000)],
        // SR: both FIFOs are empty.
        &[0x28],
    );
}
