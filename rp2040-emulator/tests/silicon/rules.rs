//! The rules of the chip: each is broken by a small program, and not by its correction.

use rp2040_emulator::chip::{Chip, Rule};

use super::program::Do::{Read, Write};
use super::program::{Do, script, to_end};

mod clocks;
mod devices;
mod flash;
mod shared;

pub(super) const RESETS: u32 = 0x4000_C000;
const UART0_CR: u32 = 0x4003_4030;
const CLK_PERI_CTRL: u32 = 0x4000_8048;

/// Returns the rules that `chip`'s program has broken, each once.
pub(super) fn rules_of(chip: &Chip) -> Vec<Rule> {
    let mut rules = vec![];
    for finding in chip.findings() {
        if !rules.contains(&finding.rule) {
            rules.push(finding.rule);
        }
    }
    rules
}

/// Returns the rules that `steps` break once every block is released.
pub(super) fn broken(steps: &[Do]) -> Vec<Rule> {
    let released = [&[Write(RESETS, 0)], steps].concat();
    let mut chip = script(&released);
    to_end(&mut chip);
    rules_of(&chip)
}

/// Checks that `wrong` breaks just `rule`, and `right` none.
#[track_caller]
pub(super) fn check(rule: Rule, wrong: &[Do], right: &[Do]) {
    assert_eq!(broken(wrong), [rule]);
    assert_eq!(broken(right), []);
}

#[test]
fn the_document_lists_every_rule() {
    let document = include_str!("../../../docs/chip-rules.md");
    let row = |rule: &Rule| {
        let (id, section, severity) = (rule.id(), rule.section(), rule.severity());
        format!("| `{id}` | {section} | {severity} | {} |", rule.sentence())
    };
    let expected: Vec<String> = Rule::ALL.iter().map(row).collect();
    let found: Vec<&str> = document.lines().filter(|line| line.starts_with("| `")).collect();
    assert_eq!(found, expected);
}

#[test]
fn a_finding_has_its_place_once_and_a_sentence() {
    let steps = [Read(UART0_CR), Read(UART0_CR), Write(UART0_CR, 0)];
    let mut chip = script(&steps);
    to_end(&mut chip);
    // The load and the store of the script's loop are a place each.
    let counts: Vec<u64> = chip.findings().iter().map(|finding| finding.count).collect();
    assert_eq!(counts, [2, 1]);
    let symbols = rp2040_emulator::image::Symbols::default();
    let said = chip.findings()[0].describe(&symbols);
    assert!(said.starts_with("core 0 at 0x200001"), "{said}");
    let end = "UART0 register: a register is accessed while RESETS holds its block, which does not \
               respond: the write is lost, a read gives 0 (held-in-reset, datasheet section 2.14); \
               2 times";
    assert!(said.ends_with(end), "{said}");
}

#[test]
fn each_block_that_resets_holds_is_named() {
    // Bit of RESETS, and a register of the block that has no effect when it is read.
    for (bit, address) in [
        (0, 0x4004_C000),
        (1, 0x4003_0000),
        (2, 0x5000_0000),
        (3, 0x4004_4000),
        (4, 0x4004_8000),
        (5, 0x4001_4004),
        (6, 0x4001_8004),
        (8, 0x4001_C004),
        (9, 0x4002_0004),
        (10, 0x5020_0000),
        (11, 0x5030_0000),
        (12, 0x4002_8000),
        (13, 0x4002_C000),
        (14, 0x4005_0000),
        (15, 0x4005_C000),
        (16, 0x4003_C000),
        (17, 0x4004_0000),
        (18, 0x4000_4000),
        (19, 0x4000_0000),
        (20, 0x4006_C000),
        (21, 0x4005_4038),
        (22, UART0_CR),
        (23, 0x4003_8030),
        (24, 0x5011_0040),
        (24, 0x5010_0000),
    ] {
        let held = broken(&[Write(RESETS, 1 << bit), Read(address)]);
        assert_eq!(held, [Rule::HeldInReset], "{address:#x}");
        let free = broken(&[Write(RESETS, 0x01FF_FFFF & !(1 << bit)), Read(address)]);
        assert_eq!(free, [], "{address:#x}");
    }
}

#[test]
fn the_boot_rom_has_released_the_pins_of_the_flash_and_the_timer() {
    let mut chip = script(&[Read(0x4005_4028), Read(0x4001_8004), Read(0x4002_0004)]);
    to_end(&mut chip);
    assert_eq!(rules_of(&chip), []);
}

#[test]
fn a_device_needs_its_clock() {
    const ROSC: u32 = 1 << 11 | 2 << 5;
    for (rule, enables, starts) in [
        (Rule::NoPeripheralClock, Write(CLK_PERI_CTRL, 1 << 11), Write(UART0_CR, 0x301)),
        (Rule::NoPeripheralClock, Write(CLK_PERI_CTRL, 1 << 11), Write(0x4004_0004, 2)),
        (Rule::NoAdcClock, Write(0x4000_8060, ROSC), Write(0x4004_C000, 1)),
        (Rule::NoUsbClock, Write(0x4000_8054, ROSC), Write(0x5011_0040, 1)),
        (Rule::NoRtcClock, Write(0x4000_806C, ROSC), Write(0x4005_C00C, 1)),
    ] {
        assert!(broken(&[starts]).contains(&rule), "{rule:?}");
        assert!(!broken(&[enables, starts]).contains(&rule), "{rule:?}");
    }
}
