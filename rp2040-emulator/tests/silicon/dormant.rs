//! Oscillators that stand still until a pin or the RTC wakes them (datasheet section 2.11.3).

use rp2040_emulator::chip::{Chip, Drive, Halt, Turns};

use super::program::Do::{self, Read, Write};
use super::program::{results, script};

const DORMANT: u32 = 0x636F_6D61;
const XOSC_DORMANT: u32 = 0x4002_4008;
const ROSC_DORMANT: u32 = 0x4006_000C;
const CLK_REF_CTRL: u32 = 0x4000_8030;
const TIMERAWL: u32 = 0x4005_4028;
const SLEEP_NS: u64 = 500_000_000;

/// Returns a program that goes dormant with the crystal, until a falling edge of GP3.
fn until_pin() -> Vec<Do> {
    vec![
        Write(0x4000_C000, 0),
        Write(CLK_REF_CTRL, 2),
        Write(0x4005_802C, 1 << 9 | 12), // WATCHDOG.TICK
        Write(0x4001_401C, 5),           // GPIO3_CTRL: SIO
        Read(TIMERAWL),
        Write(0x4001_4160, 4 << 12), // DORMANT_WAKE_INTE0: EDGE_LOW of GP3
        Write(XOSC_DORMANT, DORMANT),
        Read(TIMERAWL),
        Read(0x4001_40F0), // INTR0
        Read(XOSC_DORMANT),
    ]
}

/// Runs `chip` to `until` or to its BKPT, at once or step by step.
fn run(chip: &mut Chip, until: u64, steps: bool) -> Halt {
    let mut turns = Turns::default();
    loop {
        if !steps {
            return chip.run(until);
        }
        if let Err(halt) = chip.step(&mut turns, until) {
            return halt;
        }
    }
}

#[test]
fn a_pin_wakes_the_crystal_oscillator_and_no_clock_has_counted() {
    for by_steps in [false, true] {
        let steps = until_pin();
        let mut chip = script(&steps);
        chip.drive(3, Drive::High);
        assert_eq!(run(&mut chip, SLEEP_NS, by_steps), Halt::Time);
        assert!(chip.is_dormant());
        assert_eq!(chip.now_ns(), SLEEP_NS);
        let cycles = chip.core(0).cycles();
        assert!(cycles < 10_000, "{cycles} cycles");
        chip.drive(3, Drive::Low);
        assert_eq!(run(&mut chip, 2 * SLEEP_NS, by_steps), Halt::Breakpoint(0, 0));
        assert!(!chip.is_dormant());
        let found = results(&chip, &steps);
        assert!(found[1] - found[0] < 50, "the timer stood still: {found:?}");
        assert_eq!(found[2] >> 12 & 4, 4, "the edge is latched");
        assert_eq!(found[3], 0x7761_6B65, "WAKE");
        assert!(chip.now_ns() - SLEEP_NS < 100_000, "it woke at once");
    }
}

#[test]
fn without_an_edge_it_sleeps_on_and_another_clock_goes_on() {
    let mut chip = script(&until_pin());
    chip.drive(3, Drive::Low);
    assert_eq!(chip.run(10 * SLEEP_NS), Halt::Time);
    assert!(chip.is_dormant());
    // From the ring oscillator the cores continue.
    let steps = until_pin().into_iter().map(|step| match step {
        Write(CLK_REF_CTRL, _) => Write(CLK_REF_CTRL, 0),
        other => other,
    });
    let mut chip = script(&steps.collect::<Vec<_>>());
    assert_eq!(chip.run(SLEEP_NS), Halt::Breakpoint(0, 0));
}

#[test]
fn an_alarm_of_the_rtc_wakes_the_ring_oscillator() {
    const RTC: u32 = 0x4005_C000;
    let mut chip = script(&[
        Write(0x4000_C000, 0),
        Write(0x4000_8070, 256 << 8),         // CLK_RTC_DIV
        Write(0x4000_806C, 1 << 11 | 3 << 5), // CLK_RTC_CTRL: XOSC
        Write(RTC, 46_874),
        Write(RTC + 4, 2024 << 12 | 2 << 8 | 1),
        Write(RTC + 8, 0),
        Write(RTC + 0xC, 1 << 4),
        Write(RTC + 0xC, 1),
        Write(RTC + 0x14, 1 << 28 | 3), // IRQ_SETUP_1: second 3
        Write(RTC + 0x10, 1 << 28),     // IRQ_SETUP_0: MATCH_ENA
        Write(RTC + 0x24, 1),
        Write(ROSC_DORMANT, DORMANT),
        Read(ROSC_DORMANT),
    ]);
    assert_eq!(chip.run(1_000_000_000), Halt::Time);
    assert!(chip.is_dormant());
    assert_eq!(chip.run(5_000_000_000), Halt::Breakpoint(0, 0));
    let woke = chip.now_ns();
    assert!((2_990_000_000..3_010_000_000).contains(&woke), "{woke}");
}
