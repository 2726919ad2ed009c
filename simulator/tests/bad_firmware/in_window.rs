//! The same firmware in the window of its application: the session reports it, goes back before it, and
//! loses nothing of its recording.

use std::fs;
use std::path::Path;
use std::time::Duration;

use crate::VARIABLE;
use crate::command::through;
use crate::desktop::{Desktop, key};

/// Wall time after which the window must have noticed that the firmware does not return.
const NOTICED: Duration = Duration::from_secs(6);

/// Plays until GO was pressed on a board with this firmware, and does what `then` does. Returns the exit
/// code, the output and the recording.
fn played(kind: &str, then: impl FnOnce(&mut Desktop)) -> (Option<i32>, String, String) {
    let folder = tempfile::tempdir().unwrap();
    let program = std::env::current_exe().unwrap();
    let mut command = through(program.to_str().unwrap());
    command.env(VARIABLE, kind).arg("run");
    let mut desktop =
        Desktop::of_command(folder.path(), command, &["--record", "w.trace", "--seed", "7"]);
    desktop.rest(Duration::from_secs(1));
    desktop.key_down('g');
    desktop.rest(NOTICED);
    desktop.key_up('g');
    then(&mut desktop);
    let output = desktop.close();
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.code(), text, read(&folder.path().join("w.trace")))
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap()
}

#[track_caller]
fn check(kind: &str, expected: &str) {
    let (code, text, recording) = played(kind, |_| {});
    assert!(text.contains(expected), "{kind}: {text}");
    assert_eq!(code, Some(1), "{kind}: {text}");
    assert!(recording.contains("press GO"), "{kind}: {recording}");
    println!("{kind} in the window: ok");
}

pub(crate) fn tests() {
    check("hangs", "the firmware hangs at ");
    check("panics", "no such level: 7");
    check("asks", "the firmware asks for the button `STOP`");
    // The firmware is started again, and the session continues.
    let (code, text, recording) = played("hangs", |desktop| {
        desktop.tap_named(key::F5);
        desktop.rest(Duration::from_secs(2));
    });
    assert_eq!(code, Some(0), "{text}");
    assert!(recording.trim_end().ends_with(" end"), "{recording}");
    println!("started again in the window: ok");
}
