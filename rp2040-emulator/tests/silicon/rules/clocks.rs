//! Rules of the PLLs and the system clock.

use rp2040_emulator::chip::Rule;

use super::super::program::Do::{self, Write};
use super::{broken, check};

const PLL_SYS: u32 = 0x4002_8000;
const CLK_SYS_CTRL: u32 = 0x4000_803C;
const VREG: u32 = 0x4006_4000;

/// Runs the PLL of the system clock with these values of REFDIV, FBDIV_INT and the post dividers.
fn pll(reference: u32, feedback: u32, [first, second]: [u32; 2]) -> [Do; 4] {
    [
        Write(PLL_SYS, reference),
        Write(PLL_SYS + 8, feedback),
        Write(PLL_SYS + 0xC, first << 16 | second << 12),
        Write(PLL_SYS + 4, 0),
    ]
}

#[test]
fn the_vco_has_750_to_1600_mhz() {
    check(Rule::PllVco, &pll(1, 62, [6, 2]), &pll(1, 63, [6, 2]));
    check(Rule::PllVco, &pll(1, 134, [6, 2]), &pll(1, 133, [6, 2]));
}

#[test]
fn the_reference_has_5_mhz() {
    check(Rule::PllReference, &pll(3, 200, [6, 2]), &pll(2, 200, [6, 2]));
}

#[test]
fn the_feedback_divisor_is_16_to_320() {
    assert!(broken(&pll(1, 15, [6, 2])).contains(&Rule::PllFeedback));
    assert!(broken(&pll(4, 321, [6, 2])).contains(&Rule::PllFeedback));
    assert!(!broken(&pll(4, 320, [6, 2])).contains(&Rule::PllFeedback));
}

#[test]
fn a_post_divider_is_not_zero() {
    check(Rule::PllPostDivider, &pll(1, 100, [0, 2]), &pll(1, 100, [1, 2]));
    check(Rule::PllPostDivider, &pll(1, 100, [6, 0]), &pll(1, 100, [6, 1]));
}

#[test]
fn the_system_clock_has_133_mhz_or_more_voltage() {
    let fast = [&pll(1, 125, [5, 2])[..], &[Write(CLK_SYS_CTRL, 1)]].concat();
    let right = [&pll(1, 133, [6, 2])[..], &[Write(CLK_SYS_CTRL, 1)]].concat();
    check(Rule::SystemClock, &fast, &right);
    let raised = [&[Write(VREG, 0xC1)], &fast[..]].concat();
    assert_eq!(broken(&raised), [Rule::SystemOverclocked]);
}
