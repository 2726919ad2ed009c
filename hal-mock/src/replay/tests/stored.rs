//! Contents of the flash: read at any time, with or without power.

use super::super::fake::{FakeMachine, reader};
use super::{errors, fails};
use crate::flash::FlashReader;
use crate::replay::{ReplayOutcome, ReplaySettings, Unjudged, replay};
use crate::{BoardConfig, Machine};
use trace::parse;

/// Describes a flash; T4 of `fake` programs the first 16 bytes with zeros.
fn describe(image: &[u8]) -> Vec<String> {
    let zeros = image.iter().take_while(|byte| **byte == 0).count();
    vec![format!("zeros    {zeros}"), String::new(), "game  FRIDAY wari".to_owned()]
}

fn run(lines: &str) -> (ReplayOutcome, FakeMachine) {
    let trace = parse("scene.trace", &format!("trace 1\n0ms power on\n{lines}\n")).unwrap();
    let flash_reader = Some(FlashReader(describe));
    let mut machine =
        FakeMachine::with_board(BoardConfig { flash_reader, ..BoardConfig::default() });
    let settings = ReplaySettings::default();
    let outcome = replay(&trace, &mut machine, &reader(), &mut Unjudged, &settings);
    (outcome, machine)
}

#[track_caller]
fn check(lines: &str, expected: &[&str]) {
    let errors = errors(&run(lines).0);
    let first: Vec<&str> = errors.iter().filter_map(|error| error.lines().next()).collect();
    assert_eq!(first, expected);
}

#[test]
fn a_line_of_the_flash_is_found_with_any_white_space() {
    check(
        "1s expect flash \"zeros 0\"\n+0ms expect flash \"game   FRIDAY\"\n\
         +0ms expect no flash \"16\"\n+0ms expect no flash \"0 game\"\n+0ms tap T4\n\
         +500ms expect flash \"zeros 16\"\n+0ms expect no flash \"zeros 0\"",
        &[],
    );
}

#[test]
fn the_flash_is_read_without_power_and_not_changed() {
    let lines = "1s tap T4\n+500ms power off\n+1s expect flash \"zeros 16\"\n+1s power on\n\
                 +0ms expect flash \"zeros 16\"";
    check(lines, &[]);
    let (_, machine) = run(lines);
    let image = machine.board().with_flash(|flash| flash.image().to_vec());
    assert!(image[..16].iter().all(|byte| *byte == 0));
    assert!(image[16..].iter().all(|byte| *byte == 0xFF));
}

#[test]
fn a_failure_shows_the_lines_and_the_nearest() {
    check(
        "1s expect flash \"Zeros 0\"\n+0ms expect no flash \"FRIDAY\"",
        &[
            r#"3:4: at 1 s: expected a line with "Zeros 0" in the flash; nearest: "zeros 0" (differs in case); it has "zeros 0", "game FRIDAY wari""#,
            r#"4:6: at 1 s: expected no line with "FRIDAY" in the flash; there is "game FRIDAY wari""#,
        ],
    );
}

#[test]
fn a_flash_without_a_reader_fails_either_expectation() {
    let said = "what the flash of this board holds is not known here; the board has no reader for it\n    \
                the LCD showed:\n      | READY";
    let errors = [format!("3:4: at 1 s: {said}"), format!("4:6: at 1 s: {said}")];
    fails("1s expect flash \"zeros 0\"\n+0ms expect no flash \"x\"", &[&errors[0], &errors[1]]);
}
