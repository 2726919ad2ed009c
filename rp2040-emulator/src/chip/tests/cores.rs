//! Two cores, and clones of a chip.

use super::*;

const FIFO_ST: u32 = 0xD000_0050;
const FIFO_WR: u32 = 0xD000_0054;
const FIFO_RD: u32 = 0xD000_0058;
/// Reads the 0 that core 1 sends when it starts in the ROM.
const HELLO: Do = Read(FIFO_RD);

#[test]
fn core_1_starts_after_the_launch_sequence() {
    let mut script = vec![HELLO];
    for word in [0, 0, 1, PROGRAM, STACK - 0x1000, SECOND_CORE | 1] {
        script.extend([Write(FIFO_WR, word), Read(FIFO_RD)]);
    }
    script.extend([Write(0xE000_E100, 1 << 15), Wfi]);
    let mut chip = chip(&script);
    // The word that core 1 has written to the FIFO interrupts core 0.
    assert_eq!(chip.run(SECOND_NS), Halt::Breakpoint(0, 1));
    assert_eq!(chip.core(0).exception().map(|e| e.number()), Some(16 + 15));
    assert_eq!(chip.memory().word(RESULTS + 24), Some(SECOND_CORE | 1), "the last answer");
    assert_eq!(chip.core(1).stack_pointer(false), STACK - 0x1000);
    assert_eq!(chip.core(1).register(1), 0x43);
}

#[test]
fn two_sleeping_cores_wake_at_the_alarm_of_one() {
    let mut script = after_clocks(&[HELLO]);
    for word in [0, 0, 1, PROGRAM, STACK - 0x1000, SECOND_CORE | 1] {
        script.extend([Write(FIFO_WR, word), Read(FIFO_RD)]);
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
fn a_clone_continues_as_its_original() {
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

#[test]
fn core_1_leaves_reset_with_an_empty_fifo_and_sends_0() {
    const FRCE_OFF: u32 = 0x4001_0004;
    const PROC1: u32 = 1 << 16;
    let script = [
        HELLO,
        Read(FIFO_ST),
        // A word that does not start the sequence is answered too.
        Write(FIFO_WR, 7),
        Read(FIFO_RD),
        Write(FRCE_OFF | 0x2000, PROC1),
        Read(FRCE_OFF),
        // Words for a core in reset wait; the core discards them.
        Write(FIFO_WR, 0),
        Read(FIFO_ST),
        Write(FRCE_OFF | 0x3000, PROC1),
        Read(FIFO_RD),
        Read(FIFO_ST),
    ];
    check(&script, &[0, 2, 7, PROC1, 2, 0, 2]);
}

#[test]
fn a_program_of_core_1_that_returns_sleeps_in_the_rom() {
    let mut script = vec![HELLO];
    // The handler's return is two bytes after its BKPT.
    for word in [0, 0, 1, PROGRAM, STACK - 0x1000, (HANDLER + 2) | 1] {
        script.extend([Write(FIFO_WR, word), Read(FIFO_RD)]);
    }
    let mut chip = chip(&script);
    instead_of_the_end(&mut chip, ENDLESS);
    assert_eq!(chip.run(1_000_000), Halt::Time);
    assert!(chip.core(1).asleep() && chip.core(1).fault().is_none());
    assert!((0x1F0..0x200).contains(&chip.core(1).pc()));
}
