//! Faults that need power, after a cut in the flash has switched it off.

use super::{fails, passes};

/// T4 of `fake` programs 16 bytes.
const CUT: &str =
    "1s fault flash cut after 5 bytes\n+0ms tap T4\n+500ms expect no text \"READY\"\n";

#[track_caller]
fn meets_no_power(fault: &str) {
    let message = format!(
        "7:6: at 2 s: `{fault}` meets no power, which is gone since 1 s; write `power on` above it, \
         or take it out\n    the LCD showed no text"
    );
    // Directly after a line that waits, or planned one line ahead: the next power-on is not
    // affected.
    for above in ["settle within 1s", "expect no text \"READY\""] {
        let next = "+1s power on\n+1s expect text \"READY\"\n+0ms tap B1\n+500ms end";
        let lines =
            format!("{CUT}1.9s {above}\n2s {fault}\n{next}").replace("2s fault", "2s   fault");
        fails(&lines, &[&message]);
    }
}

#[test]
fn a_power_cut_without_power_fails_only_its_line() {
    meets_no_power("fault power cut");
}

#[test]
fn a_cut_in_the_flash_without_power_fails_its_line() {
    meets_no_power("fault flash cut after 3 bytes");
}

#[test]
fn a_cut_in_the_flash_that_has_happened_cannot_be_undone() {
    meets_no_power("fault none flash");
    passes("1s fault flash cut after 99 bytes\n+0ms tap T4\n+500ms fault none flash\n+1s tap T4");
}

#[test]
fn a_power_cut_may_precede_the_planned_one_in_the_flash() {
    passes("1s fault flash cut after 99 bytes\n+0ms tap T4\n+500ms fault power cut\n+1s power on");
}

#[test]
fn power_on_fails_while_a_cut_in_the_flash_is_still_planned() {
    let outcome = super::run("1s fault flash cut after 99 bytes\n+1s power on\n+1s end");
    let errors = super::errors(&outcome);
    assert_eq!(errors.len(), 1, "{errors:?}");
    assert!(errors[0].starts_with("4:5: at 2 s: ") && errors[0].contains("99 bytes"), "{errors:?}");
    assert_eq!(outcome.stopped_in.map(|place| place.line), Some(4));
}

#[test]
fn contacts_and_the_wire_break_without_power() {
    passes(&format!(
        "{CUT}2s fault stuck B1\n+0ms fault bounce B2 8ms\n+0ms fault spi flip 1/1000000\n\
         +0ms fault none spi\n+0ms fault none B1\n+0ms fault none B2\n+1s power on"
    ));
}

#[test]
fn a_power_cut_after_a_wait_comes_when_the_wait_is_satisfied() {
    let lines = "1s tap B1\n+0ms wait text \"FREE TURN\" within 1s\n+1ms fault power cut\n\
                 +0ms expect no text \"READY\"";
    passes(lines);
}
