//! Registers as chips have them, where programs found another behaviour.

use super::program::Do::{Byte, Pass, Read, Write};
use super::program::{chip, reads, to_end};

const RESETS: u32 = 0x4000_C000;
const ADC_CS: u32 = 0x4004_C000;
const ADC_FCS: u32 = 0x4004_C008;

#[test]
fn the_fifo_of_the_adc_has_eight_entries() {
    // The clock of the ADC is the ring oscillator.
    let mut steps = vec![Write(RESETS, 0), Write(0x4000_8060, 1 << 11 | 2 << 5)];
    steps.extend([Write(ADC_FCS, 1), Write(ADC_CS, 1 | 1 << 3), Pass(20_000), Read(ADC_FCS)]);
    let found = reads(&steps);
    assert_eq!(found[0] >> 16 & 0xF, 8, "LEVEL in {:#x}", found[0]);
    assert_eq!(found[0] & 1 << 11, 1 << 11, "OVER");
}

#[test]
fn the_last_interrupt_registers_of_the_pins_have_six_pins() {
    const PROC0_INTE3: u32 = 0x4001_410C;
    let found = reads(&[Write(RESETS, 0), Byte(PROC0_INTE3 + 1, 8), Read(PROC0_INTE3)]);
    assert_eq!(found, [0x0008_0808]);
}

#[test]
fn a_cleared_region_of_reserved_registers_is_one_report() {
    const FIRST: u32 = 0x4001_4400;
    let mut chip = chip(|a| {
        a.label("main");
        a.load(0, FIRST);
        a.code(&[0x2100, 0x2240]); // movs r1, #0; movs r2, #64
        a.label("loop");
        a.code(&[0xC002, 0x3A01]); // stm r0!, {r1}; subs r2, #1
        a.branch(0xD100, "loop");
        a.code(&[0xBE00]);
    });
    to_end(&mut chip);
    let reports: Vec<_> = chip.not_modelled().iter().map(ToString::to_string).collect();
    assert_eq!(reports.len(), 1, "{reports:#?}");
    assert!(reports[0].contains("writes 0x40014400 to 0x400144fc at "), "{reports:#?}");
}
