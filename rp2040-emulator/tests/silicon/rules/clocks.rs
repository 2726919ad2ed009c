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

#[test]
fn a_source_is_changed_while_nothing_runs_from_it() {
    const CLK_PERI_CTRL: u32 = 0x4000_8048;
    let peri = |source: u32, enable: u32| Write(CLK_PERI_CTRL, enable << 11 | source << 5);
    let right = [peri(3, 1), peri(3, 0), peri(4, 0), peri(4, 1)];
    check(Rule::ClockGlitch, &[peri(3, 1), peri(4, 1)], &right);
    // clk_sys: from the ring oscillator to the crystal, by the reference clock.
    let sys = |auxiliary: u32, source: u32| Write(CLK_SYS_CTRL, auxiliary << 5 | source);
    let right = [sys(2, 0), sys(2, 1), sys(2, 0), sys(3, 0), sys(3, 1)];
    check(Rule::ClockGlitch, &[sys(2, 0), sys(2, 1), sys(3, 1)], &right);
}

#[test]
fn a_second_of_the_rtc_is_a_second() {
    const RTC: u32 = 0x4005_C000;
    // 12 MHz of the crystal, divided by 256.
    let clock = [Write(0x4000_8070, 256 << 8), Write(0x4000_806C, 1 << 11 | 3 << 5)];
    let run = |divider| [&clock[..], &[Write(RTC, divider), Write(RTC + 0xC, 1)]].concat();
    check(Rule::RtcDivider, &run(46_875), &run(46_874));
}

#[test]
fn the_clock_of_the_flash_has_133_mhz() {
    const SSI: u32 = 0x1800_0000;
    // Reads in place, at half of clk_sys.
    let xip = [
        Write(SSI + 8, 0),
        Write(SSI + 0x14, 2),
        Write(SSI, 2 << 21 | 31 << 16 | 3 << 8),
        Write(SSI + 8, 1),
        Write(VREG, 0xC1),
    ];
    // 276 MHz and 264 MHz.
    let fast = [&xip[..], &pll(1, 115, [5, 1]), &[Write(CLK_SYS_CTRL, 1)]].concat();
    let right = [&xip[..], &pll(1, 110, [5, 1]), &[Write(CLK_SYS_CTRL, 1)]].concat();
    let found = [broken(&fast), broken(&right)];
    assert!(found[0].contains(&Rule::FlashClock), "{found:?}");
    assert!(!found[1].contains(&Rule::FlashClock), "{found:?}");
}

#[test]
fn the_usb_controller_has_48_mhz() {
    const PLL_USB: u32 = 0x4002_C000;
    const CLK_USB_CTRL: u32 = 0x4000_8054;
    let run = |first: u32| {
        [
            Write(PLL_USB, 1),
            Write(PLL_USB + 8, 100),
            Write(PLL_USB + 0xC, first << 16 | 5 << 12),
            Write(PLL_USB + 4, 0),
            Write(CLK_USB_CTRL, 1 << 11),
            Write(0x5011_0040, 1),
        ]
    };
    check(Rule::UsbClock, &run(6), &run(5));
}
