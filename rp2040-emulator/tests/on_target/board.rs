//! Runs a program of `on-target` and reads its report. The caller simulates the external devices.

use std::path::Path;

use rp2040_emulator::chip::{Chip, Halt};
use rp2040_emulator::image::Image;
use rp2040_emulator::memory::{RAM_BASE, RAM_SIZE};

/// Size of the flash of a Pico in bytes.
const FLASH_SIZE: usize = 2 << 20;
/// Interval at which the external devices poll the chip.
const LOOK_NS: u64 = 10_000;
/// Limit of a program's time; a program that has not ended by then hangs.
const LIMIT_NS: u64 = 5_000_000_000;

/// A program that has run to its end.
pub struct Run {
    pub chip: Chip,
    /// Lines of its report, except the last, which marks the end.
    pub lines: Vec<String>,
}

/// Returns the ELF file of the program `name`.
///
/// # Panics
/// Panics if it has not been built.
#[track_caller]
pub fn file(name: &str) -> Vec<u8> {
    let built = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("it is in a target folder");
    let path = built.join("on-target").join(name).with_extension("elf");
    std::fs::read(&path).unwrap_or_else(|error| {
        panic!("{}: {error}; scripts/on-target.sh builds it", path.display())
    })
}

/// Runs the program `name` until its report ends. `outside` is called every 10 µs.
///
/// # Panics
/// Panics if the program has not been built, does not end, or ends in a fault.
#[track_caller]
pub fn run(name: &str, mut outside: impl FnMut(&mut Chip)) -> Run {
    let image = Image::parse(&file(name)).expect("a program");
    let mut chip = Chip::new(FLASH_SIZE);
    chip.load(&image).expect("it fits");
    chip.power_on().expect("it boots");
    let mut text = String::new();
    for look in 1.. {
        let halt = chip.run(look * LOOK_NS);
        text.extend(chip.take_sent(0).iter().map(|(_, byte)| char::from(*byte)));
        if text.ends_with("end\r\n") || text.ends_with("end\n") {
            break;
        }
        if halt != Halt::Time || look * LOOK_NS > LIMIT_NS || chip.fault().is_some() {
            let faults = [0, 1].map(|core| chip.fault_report(core, &image.symbols));
            let places = [0, 1].map(|core| {
                let pc = chip.core(core).pc();
                format!("core {core} at {}", image.symbols.describe(pc))
            });
            let unknown: Vec<String> =
                chip.not_modelled().iter().map(ToString::to_string).collect();
            panic!(
                "{name} did not end: {halt:?}, {places:?}\n{faults:#?}\n{unknown:#?}\nits report:\n{text}"
            );
        }
        outside(&mut chip);
    }
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    lines.pop();
    Run { chip, lines }
}

/// Checks that every line of the report is `ok` and one of these names, in this order, and that the
/// program has accessed nothing that is not modelled.
#[track_caller]
pub fn check(name: &str, outside: impl FnMut(&mut Chip), expected: &[&str]) -> Run {
    let run = run(name, outside);
    let expected: Vec<String> = expected.iter().map(|name| format!("ok {name}")).collect();
    assert_eq!(run.lines, expected, "{name}");
    let unknown: Vec<String> = run.chip.not_modelled().iter().map(ToString::to_string).collect();
    assert!(unknown.is_empty(), "{name}: {unknown:#?}");
    run
}

/// Runs programs without external devices, block by block and instruction by instruction, and
/// checks that the state is the same at every poll.
#[track_caller]
pub fn check_both_loops(name: &str, looks: u64) {
    let image = Image::parse(&file(name)).expect("a program");
    let mut chip = Chip::new(FLASH_SIZE);
    chip.load(&image).expect("it fits");
    chip.power_on().expect("it boots");
    let mut other = chip.clone();
    for number in 0..2 {
        other.core_mut(number).set_block_wise(false);
    }
    for look in 1..=looks {
        let ns = look * LOOK_NS + look % 7 * 8;
        assert_eq!(chip.run(ns), other.run(ns), "{name} at {ns} ns");
        assert_eq!(state(&mut chip), state(&mut other), "{name} at {ns} ns");
    }
    for offset in (0..RAM_SIZE as u32).step_by(4) {
        let word = |chip: &Chip| chip.memory().word(RAM_BASE + offset);
        assert_eq!(word(&chip), word(&other), "{name}: the RAM at {offset:#x}");
    }
}

fn state(chip: &mut Chip) -> impl PartialEq + std::fmt::Debug + use<> {
    let cores = [0, 1].map(|number| {
        let core = chip.core(number);
        let registers: [u32; 16] = std::array::from_fn(|number| core.register(number));
        (registers, core.xpsr(), core.cycles(), core.instructions(), core.slept())
    });
    (cores, chip.now_ns(), chip.levels(), chip.take_sent(0), chip.take_sent(1))
}

/// Simulates no external device.
pub fn nothing(_: &mut Chip) {}
