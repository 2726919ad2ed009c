//! The values after reset of the registers of every modelled block, by the tables of the datasheet.
//! The PIOs, whose registers are in groups, have a separate test.

use crate::chip::Chip;
use crate::chip::devices::Devices;
use crate::cpu::bus::{Access, Bus, Width};

/// Registers at regular offsets, all with the same value.
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

/// Checks a block: these registers have these values, those of `others` have other values that
/// depend on this chip, and the rest up to `last` reads 0.
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

/// RP2040 datasheet 2.1.5.
#[test]
fn busctrl_is_reset_as_the_datasheet_says() {
    // BUS_PRIORITY_ACK: the priorities are in effect.
    check(0x4003_0000, 0x24, &[one(0x4, 0x1), some(0xC, 0x8, 4, 0x1F)], &[]);
}

/// RP2040 datasheet 2.21.2.
#[test]
fn syscfg_is_reset_as_the_datasheet_says() {
    check(0x4000_4000, 0x18, &[one(0x8, 0x1000_0000), one(0x14, 0x66)], &[]);
}

/// RP2040 datasheet 2.22.1. The platform has no reset value: this is a chip.
#[test]
fn tbman_names_the_platform() {
    check(0x4006_C000, 0x0, &[one(0x0, 0x1)], &[]);
}

/// RP2040 datasheet 4.9.6, whose table has status bits as 0.
#[test]
fn adc_is_reset_as_the_datasheet_says() {
    // FCS: the FIFO is empty.
    check(0x4004_C000, 0x20, &[one(0x8, 1 << 8)], &[]);
}

/// RP2040 datasheet 4.8.6.
#[test]
fn rtc_is_reset_as_the_datasheet_says() {
    check(0x4005_C000, 0x2C, &[], &[]);
}

/// RP2040 datasheet 2.5.7.
#[test]
fn dma_is_reset_as_the_datasheet_says() {
    // N_CHANNELS. CHAIN_TO is 0 in every channel, as in the SVD file and the chip.
    check(0x5000_0000, 0xAC4, &[one(0x448, 12)], &[]);
}

/// RP2040 datasheet 4.1.4.
#[test]
fn usb_is_reset_as_the_datasheet_says() {
    check(0x5010_0000, 0xFFC, &[], &[]);
    check(0x5011_0000, 0x98, &[one(0x6C, 0x0010_0010), one(0x84, 0x1F1F)], &[]);
}

/// RP2040 datasheet 2.3.1.7.
#[test]
fn sio_is_reset_as_the_datasheet_says() {
    // FIFO_ST: core 1 has come out of reset before and has sent its 0 (2.8.2).
    let mut registers = vec![one(0x50, 0x3), one(0x78, 0x1)];
    // A read of a free spinlock claims it, and returns its bit.
    registers.extend((0..32).map(|lock| one(0x100 + 4 * lock, 1 << lock)));
    // GPIO_HI_IN: the levels of the flash's pins.
    check(0xD000_0000, 0x17C, &registers, &[0x8]);
}

/// RP2040 datasheet 2.19.6.2.
#[test]
fn io_qspi_is_reset_as_the_datasheet_says() {
    // The pins' levels are in their status and in INTR. Each CTRL is 0x1F until the ROM gives the
    // pins to the flash.
    let status = [0x0, 0x8, 0x10, 0x18, 0x20, 0x28, 0x30];
    check(0x4001_8000, 0x54, &[], &status);
}

/// RP2040 datasheet 2.6.3.6.
#[test]
fn xip_ctrl_is_reset_as_the_datasheet_says() {
    // STAT: the FIFO is empty, and there is nothing to flush.
    check(0x1400_0000, 0x1C, &[one(0x0, 0x3), one(0x8, 0x3)], &[]);
}

/// RP2040 datasheet 2.20.2. The chip's identity has no reset value. It is a B2.
#[test]
fn sysinfo_names_the_chip() {
    check(0x4000_0000, 0x4, &[one(0x0, 0x2000_2927), one(0x4, 0x2)], &[]);
}

/// RP2040 datasheet 2.4.8, in both cores.
#[test]
fn the_private_peripheral_bus_is_reset_as_the_datasheet_says() {
    let chip = Chip::new(0);
    let expected = |address| match address {
        0xE000_ED00 => 0x410C_C601, // CPUID
        // Bits that ARMv6-M fixes, which the table has as 0: VECTKEYSTAT of AIRCR; STKALIGN and
        // UNALIGN_TRP of CCR.
        0xE000_ED0C => 0xFA05_0000,
        0xE000_ED14 => 0x208,
        0xE000_ED90 => 0x800, // MPU_TYPE
        _ => 0,
    };
    for core in [0, 1] {
        let addresses = (0xE000_E010..=0xE000_EDA0).step_by(4);
        let wrong: Vec<_> = addresses
            .map(|address| (address, chip.peek(core, address)))
            .filter(|&(address, read)| read != Some(expected(address)))
            .map(|(address, read)| format!("{address:#x} reads {read:x?}"))
            .collect();
        assert_eq!(wrong, [""; 0], "core {core}");
    }
}
