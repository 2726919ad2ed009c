//! Tests that a real board is set up as a trace's header describes, over its console, from any
//! earlier state.

use std::path::PathBuf;
use std::sync::Arc;

use boards::probe::{RealBoardError, reference, set_up_board};
use boards::{emulated_probe, pico};
use firmware_board::Firmware;
use firmware_board::header;
use firmware_board::native::{self, Native};
use hal_mock::{BoardConfig, Machine, setup::SetupError};
use host::Exit;
use probe::bring_up::BringUpError;
use probe::disturbed::{Faults, FaultyLink};
use probe::doctor::Diagnosis;
use probe::software::{Flaws, SoftwareProbe};
use probe::{LEAD, Link, ProbeMachine, Session};
use probe_protocol::Wire;
use reading::text::Reader;
use runner::ReplayOptions;
use trace::{HeaderEntry, Trace};
use virtual_time::Nanos;

const TRACES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../tests/traces");

/// Traces whose headers have settings: a system, its stones, chance, sound.
const WITH_SETTINGS: [&str; 4] = ["wari/stones-5", "top-bottom/coin", "sound-off", "family/coin"];

fn trace(header: &[(&str, &str)]) -> Trace {
    let header = header.iter().map(|(key, value)| HeaderEntry::new(*key, *value)).collect();
    Trace { header, ..Trace::default() }
}

/// Returns a used board, on which every setting differs from a factory-new board's.
fn used() -> BoardConfig {
    let set = [
        ("game", "family"),
        ("sound", "off"),
        ("players", "one"),
        ("level", "advanced"),
        ("introduction", "on"),
        ("first", "top"),
    ];
    let config = header::board(&trace(&set), None).expect("a header");
    // The board has its own entropy.
    BoardConfig { entropy: Some(99), ..config }
}

/// Sets up a board by `lines`, behind a software probe with `flaws` on a line with `faults`.
fn set_up(
    lines: &[String],
    flaws: Flaws,
    faults: Faults,
    seed: u64,
) -> Result<(Session, Option<Diagnosis>), RealBoardError> {
    let software = SoftwareProbe::new(Box::new(Native::new(used())), flaws);
    let link: Box<dyn Link> = Box::new(FaultyLink::new(software, faults, seed));
    let mut session = Session::open(link, 7).map_err(BringUpError::from)?;
    let diagnosis = set_up_board(&Firmware, &mut session, lines)?.diagnosis;
    Ok((session, diagnosis))
}

fn lines(trace: &Trace) -> Vec<String> {
    header::console_lines(trace).expect("lines")
}

type Build<'a> = dyn Fn(&Trace) -> Result<Box<dyn Machine>, SetupError> + Sync + 'a;

fn replay(names: &[&str], build: &Build<'_>) -> (Exit, String) {
    let paths: Vec<PathBuf> =
        names.iter().map(|name| PathBuf::from(TRACES).join(name).with_extension("trace")).collect();
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let options = ReplayOptions { quiet: true, ..ReplayOptions::default() };
    let reader = Reader::new(native::fonts());
    let exit = runner::run(&paths, &options, build, &reader, &mut out, &mut err).expect("a report");
    out.extend(err);
    (exit, String::from_utf8(out).expect("text"))
}

fn on_software_probe(trace: &Trace, sets_up: bool) -> Result<Box<dyn Machine>, SetupError> {
    let config = header::board(trace, None)?;
    let lines = if sets_up { lines(trace) } else { Vec::new() };
    let told = set_up(&lines, Flaws::default(), Faults::default(), 0);
    let (session, diagnosis) = told.map_err(SetupError::new)?;
    assert_eq!(diagnosis, None);
    Ok(Box::new(ProbeMachine::new(session, config, LEAD)))
}

#[test]
fn traces_with_settings_pass_on_a_board_that_had_others() {
    let (exit, said) = replay(&WITH_SETTINGS, &|trace| on_software_probe(trace, true));
    assert_eq!(exit, Exit::Passed, "{said}");
    // The traces detect the settings: without them each fails.
    for name in WITH_SETTINGS {
        let (exit, said) = replay(&[name], &|trace| on_software_probe(trace, false));
        assert_eq!(exit, Exit::Failed, "{name}: {said}");
    }
}

#[test]
#[ignore = "needs the programs of `make firmware`; `make test-tools` runs it"]
fn the_emulated_probe_replaces_other_settings_of_a_board() {
    let board = Arc::new(pico::firmware::built().expect("`make firmware` builds it"));
    let probe = Arc::new(emulated_probe::built().expect("`make firmware` builds it"));
    let (exit, said) = replay(&WITH_SETTINGS[..1], &|trace| {
        let config = header::board(trace, None)?;
        let bench =
            emulated_probe::bench(&Firmware, &board, &probe, &used()).map_err(SetupError::new)?;
        let mut session = Session::open(Box::new(bench.link()), 1).map_err(SetupError::new)?;
        let diagnosis = set_up_board(&Firmware, &mut session, &lines(trace))
            .map_err(SetupError::new)?
            .diagnosis;
        assert_eq!(diagnosis, None);
        Ok(Box::new(ProbeMachine::new(session, config, LEAD)))
    });
    assert_eq!(exit, Exit::Passed, "{said}");
}

/// Returns the error when a board with `flaws` is set up by `lines`.
#[track_caller]
fn refused(lines: &[&str], flaws: Flaws) -> BringUpError {
    let lines: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
    match set_up(&lines, flaws, Faults::default(), 0) {
        Err(RealBoardError::BringUp(error)) => error,
        Err(error) => panic!("{error}"),
        Ok(_) => panic!("it is set up"),
    }
}

#[test]
fn a_refusal_of_the_board_is_reported_in_its_own_words() {
    let error = refused(&["factory new", "set stones 5"], Flaws::default());
    assert!(
        matches!(&error, BringUpError::Refused { line, .. } if line == "set stones 5"),
        "{error}"
    );
    assert!(error.to_string().contains("stones is not set: it belongs to game wari"), "{error}");
}

#[test]
fn no_answer_and_no_start_are_distinguished() {
    let console_off = Flaws { console_off: true, ..Flaws::default() };
    let error = refused(&["factory new"], console_off);
    assert_eq!(error, BringUpError::NoAnswer { line: "factory new".into() });
    let silent = Flaws { wire_off: Some(Wire::Uart), ..Flaws::default() };
    let error = refused(&["factory new"], silent);
    assert_eq!(error, BringUpError::NoBoot(Diagnosis::ConsoleUnreadable { speaks: false }));
    assert!(error.to_string().contains("UART0 TX (board GP0, probe GP1)"), "{error}");
}

#[test]
fn setting_up_names_a_disconnected_wire_of_the_lcd() {
    for wire in [Wire::Cs, Wire::Sck, Wire::Mosi, Wire::Dc] {
        let flaws = Flaws { wire_off: Some(wire), ..Flaws::default() };
        let (_, diagnosis) = set_up(&[], flaws, Faults::default(), 0).expect("it is set up");
        assert!(
            matches!(diagnosis, Some(Diagnosis::Still { wire: named, .. }) if named == wire),
            "{wire:?}: {diagnosis:?}"
        );
    }
    let (_, diagnosis) = set_up(&[], Flaws::default(), Faults::default(), 0).expect("it is set up");
    assert_eq!(diagnosis, None);
    assert!(!reference(&Firmware).expect("a virtual board").0.is_empty());
}

/// On a disturbed line to the probe, the board is set up or the reason is reported, in bounded
/// time.
#[test]
fn setting_up_over_a_bad_line_succeeds_or_reports_why_not() {
    let wanted = trace(&[("game", "wari"), ("stones", "5"), ("seed", "3")]);
    let (mut set, mut refused) = (0, 0);
    for seed in 0..40 {
        let faults =
            Faults { lost: seed % 12, doubled: seed % 7, changed: seed % 5, ..Faults::default() };
        match set_up(&lines(&wanted), Flaws::default(), faults, seed) {
            Ok((session, _)) => {
                let config = header::board(&wanted, None).expect("a board");
                let mut machine = ProbeMachine::new(session, config, LEAD);
                if machine.power_on().is_err() {
                    refused += 1;
                    continue;
                }
                let until = machine.board().now().saturating_add(Nanos::from_millis(600));
                if machine.run_until(until).is_err() {
                    refused += 1;
                    continue;
                }
                let said = machine.board().console_lines();
                let is_set = said.iter().any(|line| line.text.contains("game=wari"));
                assert!(is_set, "seed {seed}: {said:?}");
                set += 1;
            }
            Err(RealBoardError::BringUp(BringUpError::Probe(_))) => refused += 1,
            Err(error) => panic!("seed {seed}: {error}"),
        }
    }
    assert!(set > 20, "{set} set up, {refused} not");
}

#[test]
fn a_board_stays_without_power_until_its_capacitors_are_empty() {
    let config = header::board(&trace(&[]), None).expect("a header");
    let software = SoftwareProbe::new(Box::new(Native::new(config.clone())), Flaws::default());
    let session = Session::open(Box::new(software), 7).expect("a session");
    let mut machine = ProbeMachine::new(session, config, LEAD);
    machine.power_on().expect("it boots");
    let boot = machine.board().now();
    machine.power_off();
    let off = machine.board().now();
    machine.power_on().expect("it boots again");
    let dark = machine.board().now().0 - off.0 - boot.0;
    let gap = ::probe::bring_up::POWER_GAP.0;
    assert!((gap - 5_000_000..gap + 20_000_000).contains(&dark), "{dark} ns");
}
