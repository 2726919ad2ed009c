//! A stack overflow restarts the probe before it overwrites a variable.

use rp2040_emulator::chip::{Chip, Halt};
use rp2040_emulator::usb_host::{Event, Host};

use super::programs;

/// Address in RAM that the program does not use (firmware-probe/memory.x).
const FREE: u32 = 0x2004_1000;
/// Size of the probe's flash.
const FLASH_SIZE: usize = 2 << 20;
/// Size in bytes of the guard.
const GUARD: u32 = 512;
const MILLISECOND: u64 = 1_000_000;

/// Runs the chip for `ms` milliseconds and returns what its host has noticed.
fn run(chip: &mut Chip, ms: u64) -> Vec<Event> {
    let until = chip.now_ns() + ms * MILLISECOND;
    while chip.now_ns() < until {
        assert_eq!(chip.run(until), Halt::Time);
    }
    chip.usb_host_mut().expect("a host").take_events()
}

#[test]
fn a_stack_overflow_restarts_the_probe_and_overwrites_nothing() {
    let (_, program) = programs();
    let end = program.value(&["_stack_end"]).expect("cortex-m-rt defines it");
    let mut chip = Chip::new(FLASH_SIZE);
    chip.load(program.image()).expect("it fits");
    chip.power_on().expect("it boots");
    chip.attach_usb(Host::new());
    assert_eq!(run(&mut chip, 1_000), [Event::Configured]);
    assert_eq!(chip.fault(), None);

    // push {r4, lr}; bl to the push: a function that calls itself.
    let code = [0xB510_u16, 0xF7FF, 0xFFFD].map(u16::to_le_bytes).concat();
    chip.memory_mut().load(FREE, &code).expect("it is RAM");
    let pattern: Vec<u8> = (0..GUARD).map(|at| at as u8 ^ 0x5A).collect();
    chip.memory_mut().load(end - GUARD, &pattern).expect("it is RAM");
    chip.core_mut(0).set_register(13, end + 64);
    chip.core_mut(0).set_register(15, FREE);
    while chip.fault().is_none() {
        let until = chip.now_ns() + 100;
        chip.run(until);
    }
    let fault = chip.fault().expect("a fault").to_string();
    // An interrupt's frame may be what has no room.
    let causes = ["which the MPU protects", "writing an exception's frame"];
    assert!(causes.iter().any(|cause| fault.contains(cause)), "{fault}");
    let after: Option<Vec<u8>> = (end - GUARD..end).map(|at| chip.memory().byte(at)).collect();
    assert!(after == Some(pattern), "the guard has been written to");
    assert_eq!(run(&mut chip, 1_000), [Event::Disconnected, Event::Configured]);
}
