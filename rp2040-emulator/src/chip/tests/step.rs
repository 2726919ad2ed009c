//! Checks that a run step by step is the same as a run in one go.

use super::*;
use crate::cpu::StepOutcome;

const STEPS_MAX: usize = 1_000_000;

/// Steps `chip` until it stops by itself; returns the reason, and the steps.
pub(super) fn stepped(chip: &mut Chip, until_ns: u64) -> (Halt, Vec<Step>) {
    let (mut turns, mut steps) = (Turns::default(), vec![]);
    while steps.len() < STEPS_MAX {
        match chip.step(&mut turns, until_ns) {
            Ok(step) => steps.push(step),
            Err(halt) => return (halt, steps),
        }
    }
    panic!("{STEPS_MAX} steps and no end");
}

/// Returns all state by which a program could distinguish two chips.
pub(super) fn state(chip: &Chip) -> impl PartialEq + std::fmt::Debug + use<> {
    let cores = [0, 1].map(|number| {
        let core = chip.core(number);
        let registers: Vec<u32> = (0..16).map(|number| core.register(number)).collect();
        (registers, core.xpsr(), core.cycles(), core.instructions(), core.slept())
    });
    let ram: Vec<u32> =
        (0..512).map(|word| chip.memory().word(RESULTS + 4 * word).unwrap()).collect();
    (cores, ram, chip.now_ns(), chip.levels())
}

/// Executes `script` in one go and step by step, and compares the results.
#[track_caller]
fn check(script: &[Do]) -> Vec<Step> {
    let mut at_once = chip(script);
    let mut slowly = at_once.clone();
    let halt = at_once.run(SECOND_NS);
    let (found, steps) = stepped(&mut slowly, SECOND_NS);
    assert_eq!(found, halt);
    assert_eq!(state(&slowly), state(&at_once));
    steps
}

pub(super) fn launch_of_core_1() -> Vec<Do> {
    let words = [0, 0, 1, PROGRAM, STACK - 0x1000, SECOND_CORE | 1];
    let sent = words.into_iter().flat_map(|word| [Write(0xD000_0054, word), Read(0xD000_0058)]);
    // First the 0 of core 1 in the ROM.
    std::iter::once(Read(0xD000_0058)).chain(sent).collect()
}

#[test]
fn devices_and_rom_functions_are_the_same_step_by_step() {
    let script = [Write(RAM_BASE, 7), Rom(b"P3", [0xF0F0, 0, 0]), Read(RAM_BASE)];
    let steps = check(&after_clocks(&script));
    let calls = steps.iter().filter(|step| step.happened == StepEvent::RomFunction).count();
    assert_eq!(calls, 2, "the look-up and the function");
}

#[test]
fn interrupts_arrive_at_the_same_cycle_and_are_steps_of_their_own() {
    let steps = check(&after_clocks(&[
        Write(0xE000_E100, 2),    // NVIC: interrupt 1
        Write(0x4005_4038, 2),    // INTE: alarm 1
        Write(0x4005_4014, 5000), // ALARM1
        Wfi,
    ]));
    let entries =
        steps.iter().filter(|step| step.happened == StepEvent::Core(StepOutcome::Entry)).count();
    assert_eq!(entries, 1);
}

#[test]
fn a_sleeping_core_takes_no_steps() {
    let mut chip = chip(&after_clocks(&[Wfi]));
    let (halt, steps) = stepped(&mut chip, SECOND_NS);
    assert_eq!(halt, Halt::Time);
    assert!(steps.len() < 500, "{} steps", steps.len());
    let core = chip.core(0);
    assert!(core.slept() > core.cycles() / 100 * 99, "{} of {}", core.slept(), core.cycles());
}

#[test]
fn both_cores_have_the_same_turns() {
    let mut script = launch_of_core_1();
    script.extend([Read(0xD000_0058), Read(0xD000_0050)]);
    let steps = check(&after_clocks(&script));
    assert!(steps.iter().any(|step| step.core == 1), "core 1 has not run");
}

#[test]
fn a_fault_is_a_step_before_its_handler() {
    let steps = check(&[Read(0x3000_0000)]);
    let last: Vec<_> = steps.iter().rev().take(2).map(|step| step.happened).collect();
    assert_eq!(last, [StepEvent::Core(StepOutcome::Entry), StepEvent::Core(StepOutcome::Fault)]);
}

#[test]
fn clones_of_chip_and_turns_continue_alike() {
    let mut script = launch_of_core_1();
    script.push(Read(0xD000_0058));
    let (mut chip, mut turns) = (chip(&script), Turns::default());
    while chip.core(1).instructions() < 3 {
        chip.step(&mut turns, SECOND_NS).unwrap();
    }
    let (mut other, mut other_turns) = (chip.clone(), turns);
    loop {
        let step = chip.step(&mut turns, SECOND_NS);
        assert_eq!(other.step(&mut other_turns, SECOND_NS), step);
        if step.is_err() {
            break;
        }
    }
    assert_eq!(state(&chip), state(&other));
}
