//! Wires that are off, stuck or exchanged, and a board that loses its power or is reset: on the bench of two emulated chips.

use bench::Fault;
use boards::native;
use boards::probe::reference;
use hal_mock::setup::SetupError;
use hal_mock::text::Reader;
use hal_mock::{Machine as _, MachineError};
use probe::bring_up::examine;
use probe::doctor::Diagnosis;
use probe_protocol::LINES;
use probe_protocol::wiring::Role;
use runner::{Exit, ReplayOptions};
use seeded_random::Random;

use super::*;

/// What the doctor says of a board with these faults from the beginning.
fn diagnosis(faults: &[Fault]) -> Option<Diagnosis> {
    let (board, probe) = programs();
    let config = header::board(&Trace::default(), None).expect("a board");
    let bench = emulated_probe::bench(&board, &probe, &config).expect("a bench");
    for fault in faults {
        bench.at(0, *fault);
    }
    let mut session = Session::open(Box::new(bench.link()), 1).expect("a session");
    let reference = reference().expect("what a board sends first");
    examine(&mut session, &reference).expect("it is examined").diagnosis
}

/// This wire is named, alone or among those that make up the same fault.
#[track_caller]
fn names(fault: Fault, wire: Wire) {
    let found = diagnosis(&[fault]).unwrap_or_else(|| panic!("{fault:?}: nothing is wrong"));
    let named = found.wires();
    assert!(
        named.iter().any(|it| it.role == Role::Read(wire)),
        "{fault:?}: {found}; the wires named are {named:?}"
    );
}

#[test]
fn a_board_that_is_wired_right_has_no_diagnosis() {
    assert_eq!(diagnosis(&[]), None);
}

#[test]
fn the_doctor_names_a_wire_of_the_lcd_that_is_off() {
    for wire in [Wire::Sck, Wire::Mosi, Wire::Dc] {
        names(Fault::Wire(Role::Read(wire), WireState::Cut), wire);
    }
}

#[test]
fn the_doctor_names_a_wire_of_the_lcd_that_touches_another_level() {
    for (wire, high) in [(Wire::Sck, true), (Wire::Mosi, false), (Wire::Dc, true), (Wire::Cs, true)]
    {
        names(Fault::Wire(Role::Read(wire), WireState::Stuck(high)), wire);
    }
}

#[test]
fn the_doctor_names_wires_that_are_exchanged() {
    assert_eq!(
        diagnosis(&[Fault::Swap(Wire::Dc, Wire::Cs)]),
        Some(Diagnosis::DcAndCsSwapped),
        "DC and CS"
    );
    names(Fault::Swap(Wire::Sck, Wire::Mosi), Wire::Sck);
}

#[test]
fn the_doctor_names_the_consoles_wires_and_a_button_that_is_stuck() {
    names(Fault::Wire(Role::Read(Wire::Uart), WireState::Cut), Wire::Uart);
    assert_eq!(diagnosis(&[Fault::Wire(Role::Console, WireState::Cut)]), Some(Diagnosis::Deaf));
    assert_eq!(
        diagnosis(&[Fault::Wire(Role::Button(6), WireState::Stuck(false))]),
        Some(Diagnosis::PulledLow(vec![6]))
    );
    assert_eq!(diagnosis(&[Fault::BoardPower(false)]), Some(Diagnosis::NoPower));
}

/// All wires that the probe reads.
const WIRES: [Wire; 8] = [
    Wire::Cs,
    Wire::Sck,
    Wire::Mosi,
    Wire::Dc,
    Wire::Reset,
    Wire::Backlight,
    Wire::Buzzer,
    Wire::Uart,
];

/// Every fault of one wire, and every two wires exchanged; with it the wires of which the doctor has to name one.
fn every_fault() -> Vec<(Fault, Vec<Role>)> {
    let mut faults = Vec::new();
    for (nth, one) in WIRES.into_iter().enumerate() {
        for state in [WireState::Cut, WireState::Stuck(false), WireState::Stuck(true)] {
            // Nothing sounds while a board starts.
            let named = if one == Wire::Buzzer { Vec::new() } else { vec![Role::Read(one)] };
            faults.push((Fault::Wire(Role::Read(one), state), named));
        }
        for other in &WIRES[nth + 1..] {
            faults.push((Fault::Swap(one, *other), vec![Role::Read(one), Role::Read(*other)]));
        }
    }
    for line in 0..LINES {
        let button = Role::Button(line);
        faults.push((Fault::Wire(button, WireState::Stuck(false)), vec![button]));
    }
    faults
}

/// Faults of [`every_fault`] that are not looked at between two that are, except in a long run.
const SKIPPED: usize = 12;

#[test]
fn the_doctor_names_one_of_the_wires_of_every_fault() {
    let asked = std::env::var("NUDGE_PROBE_TRACES").unwrap_or_default();
    let first = asked.split_once('/').and_then(|(part, _)| part.parse::<usize>().ok());
    let step = if asked == "all" { 1 } else { SKIPPED + 1 };
    let mut wrong = Vec::new();
    for (fault, roles) in every_fault().into_iter().skip(first.unwrap_or(0)).step_by(step) {
        let found = diagnosis(&[fault]);
        let named = found.as_ref().map(Diagnosis::wires).unwrap_or_default();
        let right = match roles.as_slice() {
            [] => found.is_none(),
            roles => named.iter().any(|it| roles.contains(&it.role)),
        };
        if !right {
            wrong.push(format!("{fault:?}: {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Replays a short trace; `fault` happens `at_ns` of the bench's time after its session has begun.
fn replay_with(fault: Fault, at_ns: u64) -> (Exit, String) {
    let (board, probe) = programs();
    let factory = |trace: &Trace| -> Result<Box<dyn Machine>, SetupError> {
        let config = header::board(trace, None)?;
        let bench = emulated_probe::bench(&board, &probe, &config).map_err(SetupError::new)?;
        let session = Session::open(Box::new(bench.link()), 1).map_err(SetupError::new)?;
        bench.at(bench.now_ns() + at_ns, fault);
        Ok(Box::new(ProbeMachine::new(session, config, LEAD)))
    };
    let trace = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/traces/together.trace");
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let options = ReplayOptions { quiet: true, ..ReplayOptions::default() };
    let reader = Reader::new(native::fonts());
    let exit = runner::run(&[trace.into()], &options, &factory, &reader, &mut out, &mut err)
        .expect("runs");
    out.extend(err);
    (exit, String::from_utf8(out).expect("text"))
}

/// The press of the trace, which is drawn and read on the console, is later than this after the beginning of its session.
const BEFORE_THE_PRESS_NS: u64 = 1_200_000_000;
/// Broken wires that are tried, and in a long run.
const BROKEN: u64 = 2;
const BROKEN_IN_A_LONG_RUN: u64 = 40;

/// A wire breaks at a moment that follows from a seed, before the trace's only press: the trace must not pass.
#[test]
fn no_trace_passes_behind_a_wire_that_breaks() {
    let seeds = match std::env::var("NUDGE_WIRE_SEED") {
        Ok(seed) => {
            let seed = seed.parse().expect("a number");
            seed..seed + 1
        }
        Err(_) if std::env::var("NUDGE_PROBE_TRACES").is_ok_and(|which| which == "all") => {
            1..1 + BROKEN_IN_A_LONG_RUN
        }
        Err(_) => 1..1 + BROKEN,
    };
    let much_later = Fault::Wire(Role::Read(Wire::Sck), WireState::Cut);
    let (exit, said) = replay_with(much_later, 60_000_000_000);
    assert_eq!(exit, Exit::Passed, "{said}");
    for seed in seeds {
        let mut random = Random::new(seed);
        let mut draw = |below: u64| random.next() % below;
        let wire = [Wire::Sck, Wire::Mosi, Wire::Dc, Wire::Uart][draw(4) as usize];
        let state = [WireState::Cut, WireState::Stuck(false), WireState::Stuck(true)];
        let fault = Fault::Wire(Role::Read(wire), state[draw(3) as usize]);
        let at_ns = draw(BEFORE_THE_PRESS_NS);
        let (exit, said) = replay_with(fault, at_ns);
        assert_eq!(
            exit,
            Exit::Failed,
            "{fault:?} {at_ns} ns after the beginning; again: NUDGE_WIRE_SEED={seed} cargo test -p boards --all-features --test \
             emulated_probe wire_that_breaks\n{said}"
        );
    }
}

/// A board that runs on for `span_ns`, and has been through `faults` a while after it has drawn; what its console said.
fn console_after(faults: &[(u64, Fault)], until: Instant) -> Result<Vec<String>, MachineError> {
    let (mut machine, bench) = machine();
    machine.power_on()?;
    for (at_ns, fault) in faults {
        bench.at(bench.now_ns() + at_ns, *fault);
    }
    machine.run_until(until)?;
    Ok(machine.board().console_lines().into_iter().map(|line| line.text).collect())
}

fn boots(console: &[String]) -> usize {
    console.iter().filter(|line| line.contains("boot nudge=")).count()
}

#[test]
fn a_board_that_is_reset_or_loses_its_power_starts_again() {
    let until = Instant(1_200_000_000);
    let told = console_after(&[(200_000_000, Fault::ResetBoard)], until).expect("it goes on");
    assert_eq!(boots(&told), 2, "{told:?}");
    let off_and_on =
        [(200_000_000, Fault::BoardPower(false)), (300_000_000, Fault::BoardPower(true))];
    let told = console_after(&off_and_on, until).expect("it goes on");
    assert_eq!(boots(&told), 2, "{told:?}");
    let told = console_after(&[], until).expect("it goes on");
    assert_eq!(boots(&told), 1, "{told:?}");
}
