//! The flashed program crashes on the emulated Pico and reports it on the console and on the LCD,
//! which is compared by pixel. The feature `pico-test`, because it needs the output of `make
//! firmware`.
//!
//! The tests themselves cause the crash, with a fixed location of the panic, so that an edit of the
//! firmware does not change the pages. `BLESS=1` rewrites the pages.

use std::path::Path;
use std::sync::Arc;

use boards::pico::{Pico, firmware};
use firmware_board::native;
use hal_mock::{BoardConfig, Machine};
use reading::{golden, text::Reader};
use rp2040_emulator::bus::Width;
use rp2040_emulator::chip::{Chip, DebugTarget};
use virtual_time::Nanos;

/// Time in which the board restarts and draws the crash page.
const SHOWN: Nanos = Nanos::from_secs(2);
/// Time after which the page has disappeared; it is shown for 8 s.
const OVER: Nanos = Nanos::from_secs(12);
/// Time in which the watchdog resets the chip, with a margin.
const BITTEN: Nanos = Nanos::from_secs(9);
/// Address in RAM that the program does not use: above its data, below its deepest stack.
const FREE: u32 = 0x2002_0000;
/// Register with the address of the vector table.
const VTOR: u32 = 0xE000_ED08;

fn program() -> Arc<rp2040_emulator::program::Program> {
    Arc::new(firmware::built().unwrap_or_else(|error| panic!("{error}")))
}

/// Runs for `span` and returns the machine's reports; a crash is expected here.
fn run(pico: &mut Pico, span: Nanos) -> Vec<String> {
    let until = pico.board().now().saturating_add(span);
    let mut reported = vec![];
    while pico.board().now() < until {
        if let Err(error) = pico.step(until) {
            reported.push(error.message());
        }
    }
    reported
}

fn lines(pico: &Pico) -> Vec<String> {
    pico.board().console_lines().into_iter().map(|line| line.text).collect()
}

/// Runs the board and applies `crash` to its chip. A replay would end with `report`. `said` must be
/// on the console and the LCD, which must equal the golden `page`; then the board must start again.
#[track_caller]
fn check(page: &str, crash: impl FnOnce(&mut Chip), until_shown: Nanos, said: &str, report: &str) {
    let mut pico = Pico::new(program(), BoardConfig::default());
    pico.power_on().unwrap();
    assert_eq!(run(&mut pico, SHOWN), Vec::<String>::new());
    let board = pico.board().frame();
    pico.with_chip(crash).unwrap();
    let reported = run(&mut pico, until_shown);
    assert!(reported.iter().any(|reported| reported.contains(report)), "{reported:?}");
    let console = lines(&pico);
    assert_eq!(console.last().unwrap(), &format!("crash text=\"{said}\""), "{console:?}");
    let shown = pico.board().frame();
    let text = Reader::new(native::fonts()).read(&shown).to_string();
    assert!(text.contains("The firmware crashed"), "{text}");
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/cli/pico_crash/{page}.png"));
    if std::env::var_os("BLESS").is_some() {
        golden::write_png(&path, &shown).unwrap();
    }
    let expected = golden::read_png(&path).unwrap();
    if let Err(mismatch) = golden::compare(&shown, &expected) {
        panic!("{page}: {mismatch}; BLESS=1 writes the page anew\n{text}");
    }

    run(&mut pico, OVER);
    assert!(lines(&pico).iter().filter(|line| line.starts_with("boot ")).count() == 2);
    assert!(pico.board().frame() == board, "the new game shows the first frame");
}

#[test]
fn a_panic_is_shown_with_its_location_and_message() {
    let said = "scene.rs:7: index out of bounds: the len is 3 but the index is 5";
    check("panic", |chip| panics(chip, b"scene.rs"), SHOWN, said, said);
}

/// Calls the check of an index with a place in `file`.
fn panics(chip: &mut Chip, file: &[u8]) {
    let check_bounds = "core::panicking::panic_bounds_check";
    let address = program().symbols().address(check_bounds).expect(check_bounds);
    // A `Location`: the file's name and its length, the line, the column.
    let place = [FREE + 16, file.len() as u32, 7, 1].map(u32::to_le_bytes).concat();
    chip.memory_mut().load(FREE, &[&place, file].concat()).unwrap();
    let core = chip.core_mut(0);
    for (register, value) in [(0, 5), (1, 3), (2, FREE), (15, address)] {
        core.set_register(register, value);
    }
}

#[test]
fn a_panic_is_a_crash_with_its_place_in_the_source() {
    let mut pico = Pico::new(program(), BoardConfig::default());
    pico.power_on().unwrap();
    assert_eq!(run(&mut pico, SHOWN), Vec::<String>::new());
    pico.with_chip(|chip| panics(chip, b"src/scene.rs")).unwrap();
    let until = pico.board().now().saturating_add(SHOWN);
    let error = pico.run_until(until).unwrap_err();
    let place = error.crash().and_then(|crash| crash.place.as_ref());
    assert_eq!(place.map(ToString::to_string).as_deref(), Some("src/scene.rs:7"), "{error}");
}

#[test]
fn a_fault_is_a_crash_with_the_line_that_led_to_it() {
    let mut pico = Pico::new(program(), BoardConfig::default());
    pico.power_on().unwrap();
    assert_eq!(run(&mut pico, SHOWN), Vec::<String>::new());
    // The stack has the calls of the program's own main loop.
    pico.with_chip(|chip| chip.core_mut(0).set_register(15, 0x3000_0000)).unwrap();
    let until = pico.board().now().saturating_add(SHOWN);
    let error = pico.run_until(until).unwrap_err();
    let crash = error.crash().unwrap();
    let file = crash.place.as_ref().map(|place| place.file.as_str()).unwrap_or_default();
    assert!(file.starts_with("firmware-") && error.to_string().contains(file), "{crash:?}");
}

#[test]
fn a_wild_jump_is_shown_with_its_address_and_the_board_restarts() {
    sampled!();
    let crash = |chip: &mut Chip| {
        let core = chip.core_mut(0);
        core.set_register(14, 0x1000_0001);
        core.set_register(15, 0x3000_0000);
    };
    let said = "hard fault at 0x30000000, called from 0x10000001";
    check("fault", crash, SHOWN, said, "HardFault on core 0 at 0x30000000");
}

#[test]
fn a_fault_whose_handler_returns_is_a_note() {
    let mut pico = Pico::new(program(), BoardConfig::default());
    pico.power_on().unwrap();
    assert_eq!(run(&mut pico, SHOWN), Vec::<String>::new());
    assert_eq!(pico.notes(), Vec::<String>::new());
    let fault = |chip: &mut Chip| {
        // The program's vectors, with a handler of HardFault that returns to where it was.
        let vectors = chip.debug_read(0, VTOR, Width::Word).unwrap();
        let mut table: Vec<u32> =
            (0..48).map(|n| chip.memory().word(vectors + 4 * n).unwrap()).collect();
        table[3] = FREE + 256 + 1;
        // ldr r0, =pc; str r0, [sp, #24]; bx lr; udf #0
        table.resize(64, 0);
        table.extend([0x9006_4801, 0xDE00_4770, chip.core(0).pc()]);
        let bytes: Vec<u8> = table.into_iter().flat_map(u32::to_le_bytes).collect();
        chip.memory_mut().load(FREE, &bytes).unwrap();
        chip.debug_write(0, VTOR, Width::Word, FREE).unwrap();
        chip.core_mut(0).set_register(15, FREE + 256 + 6);
    };
    pico.with_chip(fault).unwrap();
    assert_eq!(run(&mut pico, SHOWN), Vec::<String>::new(), "the program continues");
    let notes = pico.copy().notes();
    assert!(notes.len() == 1 && notes[0].contains("undefined instruction; its handler returned"));
    pico.power_off();
    assert_eq!(pico.notes(), notes);
}

/// Returns the lowest address of the program's stack; the guard is below it.
fn stack_end() -> u32 {
    program().value(&["_stack_end"]).expect("cortex-m-rt defines it")
}

/// Calls a function that calls itself, in the last bytes of the stack. Its first return address is
/// in the flash.
fn overflow(chip: &mut Chip) {
    // push {r4, lr}; bl to the push.
    let code = [0xB510_u16, 0xF7FF, 0xFFFD].map(u16::to_le_bytes).concat();
    chip.memory_mut().load(FREE, &code).unwrap();
    let core = chip.core_mut(0);
    for (register, value) in [(4, 0), (13, stack_end() + 24), (14, 0x1000_0201), (15, FREE)] {
        core.set_register(register, value);
    }
}

#[test]
fn a_stack_overflow_is_shown_with_its_last_caller() {
    let said = "stack overflow, called from 0x10000201";
    check("overflow", overflow, SHOWN, said, "which the MPU protects");
}

#[test]
fn a_stack_overflow_overwrites_nothing_below_the_stack() {
    /// Bytes that are checked. The variables are further below.
    const BYTES: u32 = 16 * 1024;
    let pattern: Vec<u8> = (0..BYTES).map(|at| (at % 251) as u8).collect();
    // str r4, [sp]: of a frame that is larger than the rest of the stack.
    let deep = |chip: &mut Chip| {
        chip.memory_mut().load(FREE, &0x9400_u16.to_le_bytes()).unwrap();
        let core = chip.core_mut(0);
        core.set_register(13, stack_end() - 6_000);
        core.set_register(15, FREE);
    };
    let crashes: [&dyn Fn(&mut Chip); 2] = [&overflow, &deep];
    for crash in crashes {
        let mut pico = Pico::new(program(), BoardConfig::default());
        pico.power_on().unwrap();
        assert_eq!(run(&mut pico, SHOWN), Vec::<String>::new());
        let below = stack_end() - BYTES;
        pico.with_chip(|chip| {
            chip.memory_mut().load(below, &pattern).unwrap();
            crash(chip);
        })
        .unwrap();
        run(&mut pico, SHOWN);
        let last = lines(&pico).last().cloned().unwrap_or_default();
        assert!(last.starts_with("crash text=\"stack overflow, called from 0x"), "{last}");
        let after = pico.with_chip(|chip| {
            (below..stack_end()).map(|at| chip.memory().byte(at)).collect::<Option<Vec<u8>>>()
        });
        assert!(after.unwrap().unwrap() == pattern, "the guard has been written to");
    }
}

#[test]
fn a_hanging_program_is_reset_by_the_watchdog_and_reported() {
    let crash = |chip: &mut Chip| {
        // b .
        chip.memory_mut().load(FREE, &[0xFE, 0xE7]).unwrap();
        chip.core_mut(0).set_register(15, FREE);
    };
    let said = "hung: the watchdog was not fed";
    check("hang", crash, BITTEN.saturating_add(SHOWN), said, said);
}
