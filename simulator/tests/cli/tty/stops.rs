//! Tests firmware that stops, in a terminal. The feature `pico-test`: the firmware is a program of
//! `make firmware`.

use std::fs;

use super::USUAL;
use super::pty::{Kind, Tty};
use crate::command::check;
use crate::command::crashing::crashing;

/// A key map in which every button has its usual key, but the power has another one.
const KEYS: &str = "B1 = Z\nB2 = X\nB3 = C\nB4 = V\nB5 = B\nB6 = N\nT1 = Q\nT2 = W\nT3 = E\nT4 = R\n\
                    T5 = T\nT6 = Y\nRESET = Space\nPOWER = F6\nPICTURE = F5\n";

#[test]
fn the_reason_is_shown_until_power_or_the_past_revives_it() {
    sampled!();
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("crashes.elf"), crashing()).unwrap();
    fs::write(path("own.keys"), KEYS).unwrap();
    let arguments =
        "run --tty --board pico=crashes.elf --keymap own.keys --record on.trace --seed 7";
    let mut tty = Tty::nudge(folder.path(), arguments, Kind { size: (120, 40), ..USUAL });
    tty.wait_for("Player 1's turn");
    let stop = || {
        tty.type_in("c");
        tty.wait_for("STOPPED");
        // The message names the key of the key map.
        tty.wait_for("the firmware stopped (F6 revives it) at ");
        tty.wait_for("HardFault");
    };
    let says_nothing = |screen: &vt100::Screen| {
        let contents = screen.contents();
        (contents.contains("RUNNING") && !contents.contains("the firmware stopped")).then_some(())
    };
    stop();
    // Neither buttons nor a pause revive the firmware.
    tty.type_in("zp.");
    tty.wait("the release", |screen| (!screen.contents().contains('▼')).then_some(()));
    tty.wait_for("STOPPED");
    // F6 turns the power off and on.
    tty.type_in("\x1b[17~");
    tty.wait("the firmware", says_nothing);
    tty.wait_for("Player 1's turn");
    stop();
    // The past is shown with the reason; a press in it continues from before the stop.
    tty.type_in("\x1b[D");
    tty.wait_for("PAST");
    tty.wait_for("the firmware stopped (F6");
    tty.type_in("v");
    tty.wait("the firmware", says_nothing);
    tty.wait("the release", |screen| (!screen.contents().contains('▼')).then_some(()));
    tty.type_in("\x03");
    assert_eq!(tty.code(), 0, "{}", tty.text());
    tty.check_given_back();
    // The reason is reported again on the screen to which the terminal returns, once in each
    // report.
    tty.wait_for("the firmware stopped at ");
    assert_eq!(tty.text().matches("the firmware stopped at ").count(), 2, "{}", tty.text());
    let recorded = fs::read_to_string(path("on.trace")).unwrap();
    assert!(recorded.contains("power off") && recorded.ends_with("end\n"), "{recorded}");
    assert!(recorded.contains("press B4"), "{recorded}");
    // The recording of the first future stops in its replay, too.
    let branches = fs::read_to_string(path("on.branches")).unwrap();
    let (_, first) = branches.split_once('\n').unwrap();
    fs::write(path("first.trace"), first).unwrap();
    let [out, _] = check(folder.path(), "replay first.trace --board pico=crashes.elf", 1, &[]);
    assert!(out.contains("HardFault"), "{out}");
}
