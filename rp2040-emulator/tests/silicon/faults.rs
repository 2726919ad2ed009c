//! HardFaults that a program survives, and those that end it.

use rp2040_emulator::chip::{Chip, Halt, Survival};
use rp2040_emulator::cpu::CoreFaultKind;

use super::assembler::Assembler;
use super::program::{
    B, BEQ, BKPT, BX_LR, CODE, SECOND_NS, STACK, UDF, chip, launch_core_1, to_end,
};

const WATCHDOG: u32 = 0x4005_8000;
/// Handler that returns after the instruction of two bytes that faulted.
const SKIPS: [u16; 4] = [0x9806, 0x3002, 0x9006, BX_LR]; // ldr r0, [sp, #24]; adds; str; bx lr

/// Returns how the program survived faults, with their number.
fn survived(chip: &Chip) -> Vec<(Survival, CoreFaultKind, u64)> {
    chip.survived_faults().map(|(how, faults)| (how, faults.first.kind, faults.count)).collect()
}

#[test]
fn a_fault_whose_handler_returns_is_no_end() {
    let mut chip = chip(|a| {
        a.label("fault");
        a.code(&SKIPS);
        a.label("main");
        // cpsid i; svc #0, whose frame has the address after it; what the handler skips
        a.code(&[UDF, 0xB672, 0xDF00, 0xBF00, UDF, BKPT]);
    });
    to_end(&mut chip);
    assert!(chip.fault().is_none());
    assert_eq!(survived(&chip), [(Survival::HandlerReturned, CoreFaultKind::Undefined, 3)]);
    let pc = chip.survived_faults().next().unwrap().1.first.pc;
    assert_eq!(pc, CODE + 8, "the first of them is named");
}

#[test]
fn a_lockup_after_a_survived_fault_has_no_part_of_it() {
    let mut chip = chip(|a| {
        a.label("fault");
        a.code(&[0x3601, 0x2E02]); // adds r6, #1; cmp r6, #2
        a.branch(BEQ, "again");
        a.code(&SKIPS);
        a.label("again");
        a.code(&[UDF]);
        a.label("main");
        a.code(&[0x2600, UDF, 0xDF00, UDF]); // movs r6, #0; svc #0
    });
    // The second fault is that of an SVC without a handler: entry 0 is no Thumb code.
    let halt = chip.run(SECOND_NS);
    assert_eq!(halt, Halt::Lockup(0));
    let fault = chip.fault().expect("a lockup");
    let cause = fault.cause.as_ref().expect("the fault before it");
    assert!(fault.lockup && cause.pc != CODE + 16, "{fault}");
    assert_eq!(survived(&chip), [(Survival::HandlerReturned, CoreFaultKind::Undefined, 1)]);
}

/// Assembles a program that arms the watchdog for 1 ms and faults, and ends after the reset.
fn armed(a: &mut Assembler, fault: &[u16]) {
    a.label("fault");
    a.code(fault);
    a.label("main");
    a.load(0, WATCHDOG);
    a.code(&[0x6881, 0x2901]); // ldr r1, [r0, #8]: REASON; cmp r1, #1
    a.branch(BEQ, "back");
    let entry = (CODE + 2 * fault.len() as u32) | 1;
    for (register, value) in
        [(0x1C, 0xB007_C0D3), (0x20, entry ^ 0x4FF8_3F2D), (0x24, STACK), (0x28, entry)]
    {
        a.load(1, value);
        a.code(&[0x6001 | (register / 4) << 6]); // str r1, [r0, #register]
    }
    // The tick of the ring oscillator's 6 MHz; 1,000 ticks; ENABLE.
    for (register, value) in [(0x2C, 1 << 9 | 6), (0x04, 2000), (0x00, 1 << 30)] {
        a.load(1, value);
        a.code(&[0x6001 | (register / 4) << 6]);
    }
    a.code(&[UDF]);
    a.label("back");
    a.code(&[BKPT]);
}

#[test]
fn a_fault_in_an_armed_watchdog_ends_with_its_reset() {
    // A handler that loops, and one that faults again: a lockup.
    for fault in [&[0xE7FE, 0xBF00], &[UDF, 0xBF00]] {
        let mut chip = chip(|a| armed(a, fault));
        chip.run(200_000);
        assert!(chip.fault().is_some() && chip.awaits_watchdog());
        to_end(&mut chip);
        assert_eq!(chip.core(0).register(1), 1, "REASON.TIMER");
        assert!(chip.fault().is_none() && !chip.awaits_watchdog());
        assert_eq!(survived(&chip).len(), 1);
        assert_eq!(survived(&chip)[0].0, Survival::WatchdogReset);
    }
}

#[test]
fn a_lockup_without_a_watchdog_ends_the_run_or_its_core() {
    let mut chip = chip(|a| {
        a.label("fault");
        a.code(&[UDF, 0xBF00]);
        a.label("main");
        a.code(&[UDF]);
    });
    assert_eq!(chip.run(SECOND_NS), Halt::Lockup(0));
    assert!(chip.now_ns() < 100_000);
    chip.set_lockup_halts(false);
    assert_eq!(chip.run(SECOND_NS), Halt::Time);
    assert!(chip.fault().is_some_and(|fault| fault.lockup));
}

#[test]
fn of_two_faulted_cores_the_first_is_the_cause() {
    let mut chip = chip(|a| {
        a.label("fault");
        a.branch(B, "fault");
        a.label("other");
        a.code(&[UDF]);
        a.label("main");
        let other = a.address("other");
        launch_core_1(a, other);
        a.code(&[0x20FF]); // movs r0, #255
        a.label("wait");
        a.code(&[0x3801]);
        a.branch(0xD100, "wait");
        a.code(&[UDF]);
    });
    assert_eq!(chip.run(10_000_000), Halt::Time);
    assert!([0, 1].iter().all(|core| chip.core(*core).fault().is_some()));
    assert_eq!(chip.faulted_core(), Some(1));
    assert_eq!(chip.fault().map(|fault| fault.pc), Some(CODE + 2));
}
