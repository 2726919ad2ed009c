//! Tests that reading its wires costs the board nothing: the same chip without a probe executes as
//! many instructions in the same time, and sends the same on its console.

use hal_mock::flash::FlashChip;
use rp2040_emulator::chip::{Chip, Drive, Halt, RandomBits};
use rp2040_emulator::memory::FLASH_BASE;
use rp2040_emulator::program::FLASH_SIZE;

use super::*;

/// Number of times after power-on at which instructions are counted.
const MOMENTS: u64 = 12;
const BETWEEN_NS: u64 = 50_000_000;
/// Number of the console's UART.
const CONSOLE: usize = 0;

/// Pins that idle high: UART0 RX, and the LCD's RESX with the pull-up of its module.
const IDLE_HIGH: [usize; 2] = [1, 21];

/// Returns the number of instructions of a board alone at each of these times, and its console
/// output up to the last one.
fn alone(program: &Program) -> (Vec<u64>, String) {
    let mut chip = Chip::new(FLASH_SIZE);
    chip.load(program.image()).expect("it fits");
    let storage = FlashChip::factory_new().image().to_vec();
    let begin = FLASH_BASE + (FLASH_SIZE - storage.len()) as u32;
    chip.memory_mut().load(begin, &storage).expect("it fits");
    chip.set_random_bits(RandomBits::Still);
    chip.power_on().expect("it boots");
    for pin in IDLE_HIGH {
        chip.drive(pin, Drive::High);
    }
    let mut at = |moment: u64| {
        while chip.now_ns() < moment * BETWEEN_NS {
            assert_eq!(chip.run(moment * BETWEEN_NS), Halt::Time);
        }
        chip.core(0).instructions()
    };
    let instructions = (1..=MOMENTS).map(&mut at).collect();
    let said = chip.take_sent(CONSOLE).into_iter().map(|(_, byte)| byte).collect();
    (instructions, String::from_utf8(said).expect("text"))
}

#[test]
fn reading_its_wires_costs_the_board_nothing() {
    let (board, probe) = programs();
    let bench = emulated_probe::bench(&Firmware, &board, &probe, &hal_mock::BoardConfig::default())
        .expect("a bench");
    let mut session = Session::open(Box::new(bench.link()), 1).expect("a session");
    bench.record();
    let config = hal_mock::BoardConfig::default();
    session.levels().expect("levels");
    let mut machine = ProbeMachine::new(session, config, LEAD);
    // Meanwhile the probe reads, packs and forwards everything.
    machine.power_on().expect("it boots");
    let switched = bench.take_recorded().outputs;
    let power = 1 << wiring::POWER.probe;
    let on = switched.iter().find(|change| change.levels & power != 0).expect("power");
    let since_ns = on.ns;
    let (expected, console) = alone(&board);
    let mut compared = 0;
    for (moment, expected) in (1..=MOMENTS).zip(expected) {
        let at_ns = since_ns + moment * BETWEEN_NS;
        if at_ns <= bench.now_ns() {
            continue;
        }
        bench.advance(at_ns - bench.now_ns()).expect("it runs");
        assert_eq!(bench.instructions()[0], expected, "{moment} × {BETWEEN_NS} ns after power-on");
        compared += 1;
    }
    assert!(compared >= 4, "{compared} moments were left");
    // Console output that the probe has forwarded.
    machine.run_until(Instant(MOMENTS * BETWEEN_NS)).expect("it runs");
    let lines = machine.board().console_lines().into_iter().map(|line| line.text + "\n");
    let said: String = lines.collect();
    assert!(said.starts_with("boot nudge="), "{said}");
    assert_eq!(said, console);
}
