//! The real-time clock, used by a program: 46,875 Hz from the crystal, as the SDK sets it.

use super::*;

const RTC_BASE: u32 = 0x4005_C000;

#[test]
fn an_alarm_wakes_a_sleeping_core_on_its_second() {
    let script = after_clocks(&[
        Write(0x4000_8070, 256 << 8),
        Write(0x4000_806C, 1 << 11 | 3 << 5),
        Write(RTC_BASE, 46_874),
        Write(RTC_BASE + 4, 2024 << 12 | 12 << 8 | 31),
        Write(RTC_BASE + 8, 2 << 24 | 23 << 16 | 59 << 8 | 58),
        Write(RTC_BASE + 12, 1 << 4),
        Write(RTC_BASE + 12, 1),
        // At midnight.
        Write(RTC_BASE + 0x14, 1 << 30),
        Write(RTC_BASE + 0x10, 1 << 28),
        Write(RTC_BASE + 0x24, 1),
        Write(0xE000_E100, 1 << 25),
        Wfi,
        Read(RTC_BASE + 0x1C),
        Read(RTC_BASE + 0x18),
    ]);
    let mut chip = chip(&script);
    assert_eq!(chip.run(10 * SECOND_NS), Halt::Breakpoint(0, 1));
    assert_eq!(chip.core(0).exception().map(|e| e.number()), Some(16 + 25));
    let ns = chip.now_ns();
    assert!((2 * SECOND_NS..2 * SECOND_NS + 100_000).contains(&ns), "{ns} ns");
    // The handler returns, and the alarm interrupts again immediately: mask it.
    chip.core_mut(0).set_register(15, CODE + 4);
    chip.run(chip.now_ns() + 1_000);
    assert_eq!(chip.memory().word(RESULTS), Some(3 << 24));
    assert_eq!(chip.memory().word(RESULTS + 4), Some(2025 << 12 | 1 << 8 | 1));
}
