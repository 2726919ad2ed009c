//! Tests of wires that are disconnected, stuck or exchanged, and of a board that loses its power or
//! is reset, on the bench of two emulated chips.

use bench::Fault;
use boards::probe::{RealBoardError, reference, set_up_board};
use hal_mock::Machine as _;
use probe::bring_up::{BringUpError, examine, examine_buttons};
use probe::doctor::Diagnosis;
use probe::doctor::buttons::ButtonFault;
use probe_protocol::LINES;
use probe_protocol::wiring::Role;

use super::part::Part;
use super::*;

/// Opens a session with the probe of a bench that has these faults from the beginning.
fn session_of(board: &Arc<Program>, probe: &Arc<Program>, faults: &[Fault]) -> (Bench, Session) {
    let config = header::board(&Trace::default(), None).expect("a board");
    let bench = emulated_probe::bench(&Firmware, board, probe, &config).expect("a bench");
    for fault in faults {
        bench.at(0, *fault);
    }
    let session = Session::open(Box::new(bench.link()), 1).expect("a session");
    (bench, session)
}

fn session(faults: &[Fault]) -> (Bench, Session) {
    let (board, probe) = programs();
    session_of(&board, &probe, faults)
}

/// Returns the doctor's diagnosis of a board that runs `board`.
fn of(board: &Arc<Program>, probe: &Arc<Program>, faults: &[Fault]) -> Option<Diagnosis> {
    let (_bench, mut session) = session_of(board, probe, faults);
    let reference = reference(&Firmware).expect("what a board sends first");
    examine(&mut session, &reference).expect("it is examined").diagnosis
}

/// Returns the doctor's diagnosis of a board with these faults from the beginning.
fn diagnosis(faults: &[Fault]) -> Option<Diagnosis> {
    let (board, probe) = programs();
    of(&board, &probe, faults)
}

/// Checks that the diagnosis names this wire, alone or among those that can cause the same fault.
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
fn the_doctor_names_a_disconnected_wire_of_the_lcd() {
    for wire in [Wire::Sck, Wire::Mosi, Wire::Dc] {
        names(Fault::Wire(Role::Read(wire), WireState::Cut), wire);
    }
}

#[test]
fn the_doctor_names_a_stuck_wire_of_the_lcd() {
    for (wire, high) in [(Wire::Sck, true), (Wire::Mosi, false), (Wire::Dc, true), (Wire::Cs, true)]
    {
        names(Fault::Wire(Role::Read(wire), WireState::Stuck(high)), wire);
    }
}

/// Settings must not be typed over exchanged wires.
#[test]
fn a_board_whose_wires_are_exchanged_is_not_set_up() {
    let (bench, mut session) =
        session(&[Fault::Swap(Role::Read(Wire::Sck), Role::Read(Wire::Reset))]);
    let error =
        set_up_board(&Firmware, &mut session, &["factory new".to_owned()]).expect_err("no board");
    let exchanged = Diagnosis::Exchanged(Wire::Sck, Wire::Reset);
    assert!(
        matches!(&error, RealBoardError::BringUp(BringUpError::Wires(it)) if *it == exchanged),
        "{error}"
    );
    assert!(
        error.to_string().starts_with("the board cannot be set up: LCD SCK (GP18) and LCD RST")
    );
    drop(session);
    bench.advance(20_000_000).expect("it runs");
    assert!(!bench.is_powered());
}

#[test]
fn the_doctor_names_a_poor_sck_contact_and_missing_firmware() {
    let half = Fault::Wire(Role::Read(Wire::Sck), WireState::Halved);
    let found = diagnosis(&[half]).expect("it is found");
    assert_eq!(found, Diagnosis::HalfTheBits);
    assert!(found.to_string().contains("every second bit is missing: LCD SCK"), "{found}");
    let (_, probe) = programs();
    let blank = Arc::new(Program::from_bin(&[0xFF; 4096]).expect("an image"));
    let found = of(&blank, &probe, &[]).expect("it is found");
    assert_eq!(found, Diagnosis::NothingMoves);
    assert!(found.to_string().contains("or no firmware"), "{found}");
}

#[test]
fn the_doctor_names_console_wires_and_stuck_buttons() {
    names(Fault::Wire(Role::Read(Wire::Uart), WireState::Cut), Wire::Uart);
    assert_eq!(
        diagnosis(&[Fault::Wire(Role::Console, WireState::Cut)]),
        Some(Diagnosis::ConsoleUnanswered)
    );
    assert_eq!(
        diagnosis(&[Fault::Wire(Role::Button(6), WireState::Stuck(false))]),
        Some(Diagnosis::PulledLow(vec![6]))
    );
    assert_eq!(diagnosis(&[Fault::BoardPower(false)]), Some(Diagnosis::NoPower));
}

/// Returns the faults of the buttons' wires of a board whose other wires are in order.
fn button_faults(faults: &[Fault]) -> Vec<ButtonFault> {
    let (bench, mut session) = session(faults);
    let found = examine_buttons(&mut session).expect("its buttons are examined");
    drop(session);
    bench.advance(20_000_000).expect("it runs");
    assert!(!bench.is_powered() && bench.pulled() == 0, "it is left off, and no button down");
    match found {
        None => vec![],
        Some(Diagnosis::Buttons(faults)) => faults,
        Some(other) => panic!("{faults:?}: {other}"),
    }
}

#[test]
fn the_doctor_presses_each_button_and_names_its_wire() {
    let cut = Fault::Wire(Role::Button(2), WireState::Cut);
    let swap = Fault::Swap(Role::Button(6), Role::Button(12));
    // The probe reads an open wire as low, which the board does not confirm.
    assert_eq!(diagnosis(&[cut]), Some(Diagnosis::Buttons(vec![ButtonFault::Off(2)])));
    let expected = [ButtonFault::Off(2), ButtonFault::Exchanged(6, 12)];
    assert_eq!(button_faults(&[cut, swap]), expected);
    let said = expected.map(|it| it.to_string());
    assert!(said[0].contains("presses of B3 (GP4): its wire is off"), "{said:?}");
    assert!(said[1].contains("T1 (GP8) and RESET (GP14) are exchanged"), "{said:?}");
}

#[test]
fn the_exchanged_wires_of_the_console_are_named() {
    let swap = Fault::Swap(Role::Console, Role::Read(Wire::Uart));
    let found = diagnosis(&[swap]).expect("it is found");
    assert_eq!(found, Diagnosis::ConsoleUnreadable { speaks: false });
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

/// Expected diagnosis of a fault.
#[derive(Debug)]
enum ExpectedDiagnosis {
    Nothing,
    Exactly(Diagnosis),
    /// Only this wire is named.
    Names(Role),
}

/// Returns every fault of one wire, and every exchange of two wires, with the expected diagnosis.
fn every_fault() -> Vec<(Fault, ExpectedDiagnosis)> {
    let mut faults = Vec::new();
    for (nth, one) in WIRES.into_iter().enumerate() {
        for state in [WireState::Cut, WireState::Stuck(false), WireState::Stuck(true)] {
            let says = match one {
                // The buzzer is silent while a board starts.
                Wire::Buzzer => ExpectedDiagnosis::Nothing,
                _ => ExpectedDiagnosis::Names(Role::Read(one)),
            };
            faults.push((Fault::Wire(Role::Read(one), state), says));
        }
        for other in &WIRES[nth + 1..] {
            let says = match (one, *other) {
                (Wire::Reset, Wire::Backlight) => Diagnosis::InReset,
                (Wire::Buzzer, Wire::Uart) => Diagnosis::Exchanged(Wire::Uart, Wire::Buzzer),
                // Wires are named in the order of the probe's pins.
                (_, Wire::Buzzer | Wire::Uart) => Diagnosis::Exchanged(*other, one),
                (_, other) => Diagnosis::Exchanged(one, other),
            };
            faults.push((
                Fault::Swap(Role::Read(one), Role::Read(*other)),
                ExpectedDiagnosis::Exactly(says),
            ));
        }
    }
    for line in 0..LINES {
        let low = Diagnosis::PulledLow(vec![line]);
        let off = Diagnosis::Buttons(vec![ButtonFault::Off(line)]);
        for (state, says) in [(WireState::Stuck(false), low), (WireState::Cut, off)] {
            let fault = Fault::Wire(Role::Button(line), state);
            faults.push((fault, ExpectedDiagnosis::Exactly(says)));
        }
    }
    faults
}

/// Environment variable that selects faults from [`every_fault`]: `K/N`, every N-th from the K-th
/// on. scripts/test.sh selects one of 13 parts by the commit.
pub const PART: &str = "NUDGE_WIRING_PART";
/// Part that is tested if none is selected.
pub const A_PART: Part = Part::new(1, 13);

#[test]
fn the_doctor_names_the_wires_of_every_fault() {
    let part = if is_long_run() { Part::WHOLE } else { Part::of(PART).unwrap_or(A_PART) };
    let mut wrong = Vec::new();
    for (fault, says) in part.pick(every_fault()) {
        let found = diagnosis(&[fault]);
        println!("{fault:?}: {found:?}");
        let named = |it: &Diagnosis| it.wires().iter().map(|it| it.role).collect::<Vec<_>>();
        let right = match &says {
            ExpectedDiagnosis::Nothing => found.is_none(),
            ExpectedDiagnosis::Exactly(said) => found.as_ref() == Some(said),
            ExpectedDiagnosis::Names(role) => found.as_ref().is_some_and(|it| named(it) == [*role]),
        };
        if !right {
            wrong.push(format!("{fault:?}: {found:?}, not {says:?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Returns whether a long run is requested.
pub fn is_long_run() -> bool {
    std::env::var("NUDGE_PROBE_TRACES").is_ok_and(|which| which == "all")
}

/// Returns the console output of a board after `faults`, a while after it has drawn, and the reason
/// if it could not continue.
fn console_after(faults: &[(u64, Fault)]) -> (Vec<String>, Option<String>) {
    let (mut machine, bench) = machine();
    machine.power_on().expect("it boots");
    for (at_ns, fault) in faults {
        bench.at(bench.now_ns() + at_ns, *fault);
    }
    let ended = machine.run_until(Instant(1_200_000_000));
    let said = machine.board().console_lines().into_iter().map(|line| line.text).collect();
    (said, ended.err().map(|error| error.message()))
}

#[test]
fn a_restart_of_the_board_is_reported() {
    let off_and_on =
        [(200_000_000, Fault::BoardPower(false)), (300_000_000, Fault::BoardPower(true))];
    for faults in [&[(200_000_000, Fault::ResetBoard)][..], &off_and_on] {
        let (_, why) = console_after(faults);
        let why = why.unwrap_or_else(|| panic!("{faults:?}: nothing is told"));
        assert!(why.starts_with("the board has started again by itself"), "{faults:?}: {why}");
    }
    let (said, why) = console_after(&[]);
    assert_eq!(why, None);
    assert_eq!(said.iter().filter(|line| line.contains("boot nudge=")).count(), 1, "{said:?}");
}
