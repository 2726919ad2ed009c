//! The board's debug port through the probe: its program is written, its memory read while it runs,
//! and faults of the two wires are named.

use boards::probe::{flash_board, heap_of_board, program_sectors, reference};
use hal_mock::Heap;
use probe::bring_up::{examine, with_debug_port};
use probe::swd::{DebugPort, SwdError};

use super::*;

/// A program as `make firmware` builds it, with another hash of its sources.
fn of_other_sources(program: &Program) -> (Program, String, String) {
    let hash = boards::identity::sources(program.image()).expect("the hash of the sources");
    let other = "0".repeat(hash.len());
    let mut bytes = std::fs::read(pico::firmware::path().expect("a program")).expect("its bytes");
    let places: Vec<usize> = bytes
        .windows(hash.len())
        .enumerate()
        .filter_map(|(at, found)| (found == hash.as_bytes()).then_some(at))
        .collect();
    for at in places {
        bytes[at..at + hash.len()].copy_from_slice(other.as_bytes());
    }
    (Program::parse(&bytes).expect("a program"), hash, other)
}

/// Returns a session with a probe on a board that runs `program`.
fn session(program: &Arc<Program>) -> (Session, Bench) {
    let (_, probe) = programs();
    let config = header::board(&Trace::default(), None).expect("a board");
    let bench = emulated_probe::bench(&Firmware, program, &probe, &config).expect("a bench");
    (Session::open(Box::new(bench.link()), 1).expect("a session"), bench)
}

fn boot_line(session: &mut Session) -> String {
    let reference = reference(&Firmware).expect("a reference");
    examine(session, &reference).expect("it is examined").boot.expect("a `boot` line")
}

#[test]
fn a_board_is_written_and_boots_with_the_other_sources() {
    let (wanted, _) = programs();
    let (old, hash, old_hash) = of_other_sources(&wanted);
    let (mut session, bench) = session(&Arc::new(old));
    assert!(boot_line(&mut session).contains(&old_hash));
    assert!(matches!(heap_of_board(&mut session, &wanted), Heap::Unknown(_)), "another program");
    let sectors = program_sectors(wanted.image()).expect("sectors");
    let written = flash_board(&mut session, &sectors, &mut |_, _| {}).expect("it is written");
    let few = 1..=3;
    assert!(few.contains(&written.flashed.written), "{:?}", written.flashed);
    assert!(written.boot.expect("a `boot` line").contains(&hash));
    assert!(!bench.is_powered());
    // It has it after a power cycle, too.
    assert!(boot_line(&mut session).contains(&hash));
    assert_eq!(heap_of_board(&mut session, &wanted), Heap::Absent);
    assert_eq!(bench.usb_late_buffers(), 0, "erratum RP2040-E15");
    assert_eq!(bench.not_modelled(), Vec::<String>::new());
}

#[test]
fn memory_is_read_while_the_board_runs_undisturbed() {
    let (mut machine, bench) = machine_that_draws_nothing();
    machine.run_until(machine.board().now().saturating_add(Nanos::from_millis(20))).expect("runs");
    let [before, _] = bench.instructions();
    let words = {
        let mut port = DebugPort::connect(machine.session()).expect("it answers");
        port.read_words(0x1300_0000, 200).expect("the flash")
    };
    let (_, probe) = programs();
    let mut parts = probe.image().segments.iter();
    let first = parts.find(|part| part.address == 0x1000_0000).expect("the beginning of the flash");
    let expected: Vec<u8> = first.bytes.iter().copied().take(252).collect();
    let bytes: Vec<u8> = words.into_iter().flat_map(u32::to_le_bytes).take(252).collect();
    assert_eq!(bytes, expected, "the second boot stage");
    let [after, _] = bench.instructions();
    assert!(after > before + 1_000, "the core has run on: {before} {after}");
    machine.run_until(machine.board().now().saturating_add(Nanos::from_millis(20))).expect("runs");
}

#[test]
fn faults_of_the_debug_wires_are_named() {
    let (board, _) = programs();
    for (role, state) in [
        (Role::SwdData, WireState::Cut),
        (Role::SwdData, WireState::Stuck(false)),
        (Role::SwdClock, WireState::Cut),
        (Role::SwdClock, WireState::Stuck(true)),
    ] {
        let (mut session, bench) = session(&board);
        bench.at(0, Fault::Wire(role, state));
        let found = with_debug_port(&mut session, false, |it| DebugPort::connect(it).map(drop));
        assert_eq!(found, Err(SwdError::NoAnswer), "{role:?} {state:?}");
    }
}

#[test]
fn a_board_without_power_is_named() {
    let (board, _) = programs();
    let (mut session, bench) = session(&board);
    let off = DebugPort::connect(&mut session).map(drop);
    assert_eq!(off, Err(SwdError::NoPower), "the probe has not switched it on");
    // Its supply fails while the switch is on.
    let lost = with_debug_port(&mut session, false, |session| {
        let mut port = DebugPort::connect(session)?;
        bench.at(0, Fault::BoardPower(false));
        port.read_words(0x2000_0000, 10_000).map(drop)
    });
    assert!(matches!(lost, Err(SwdError::NoAnswer | SwdError::Garbled)), "{lost:?}");
}
