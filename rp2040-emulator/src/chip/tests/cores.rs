//! Two cores, and clones of a chip.

use super::*;

#[test]
fn core_1_starts_after_the_launch_sequence() {
    let mut script = vec![];
    for word in [0, 0, 1, PROGRAM, STACK - 0x1000, SECOND_CORE | 1] {
        script.extend([Write(0xD000_0054, word), Read(0xD000_0058)]);
    }
    script.extend([Write(0xE000_E100, 1 << 15), Wfi]);
    let mut chip = chip(&script);
    // What core 1 has written to the FIFO interrupts core 0.
    assert_eq!(chip.run(SECOND_NS), Halt::Breakpoint(0, 1));
    assert_eq!(chip.core(0).exception().map(|e| e.number()), Some(16 + 15));
    assert_eq!(chip.memory().word(RESULTS + 20), Some(SECOND_CORE | 1), "the last answer");
    assert_eq!(chip.core(1).stack_pointer(false), STACK - 0x1000);
    assert_eq!(chip.core(1).register(1), 0x43);
}

#[test]
fn two_sleeping_cores_wake_at_the_alarm_of_one() {
    let mut script = CLOCKS.to_vec();
    for word in [0, 0, 1, PROGRAM, STACK - 0x1000, SECOND_CORE | 1] {
        script.extend([Write(0xD000_0054, word), Read(0xD000_0058)]);
    }
    script.extend([Write(0x4005_4038, 1), Write(0x4005_4010, 900_000), Write(0xE000_E100, 1), Wfi]);
    let mut chip = chip(&script);
    assert_eq!(chip.run(SECOND_NS), Halt::Breakpoint(0, 1));
    let ns = chip.now_ns();
    assert!((900_000_000..900_060_000).contains(&ns), "{ns} ns");
    assert!(chip.core(1).asleep());
    let apart = chip.core(0).cycles().abs_diff(chip.core(1).cycles());
    assert!(apart <= 2 * LEAD, "{apart} cycles apart");
}

#[test]
fn a_clone_goes_on_as_its_original() {
    let mut one = chip(&after_clocks(&[Write(0x4005_4010, 100), Wfi]));
    one.run(20_000);
    let mut other = one.clone();
    one.run(5_000_000);
    for part in 1..=50 {
        other.run(part * 100_000);
    }
    assert_eq!(one.core(0).cycles(), other.core(0).cycles());
    assert_eq!(one.core(0).instructions(), other.core(0).instructions());
}
