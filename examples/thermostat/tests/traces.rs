//! The traces of the thermostat, and the atlas of its screens.

use std::path::Path;
use std::process::Command;

#[test]
fn traces() {
    nudge::test!("traces");
}

#[test]
fn the_atlas_has_the_screens_of_the_application() {
    let page = Path::new(env!("CARGO_TARGET_TMPDIR")).join("thermostat.html");
    let arguments = ["atlas", "--screens", "4", "--force", "--output"];
    let run = Command::new(env!("CARGO_BIN_EXE_sim")).args(arguments).arg(&page).output();
    let run = run.expect("the application runs");
    let printed = String::from_utf8_lossy(&run.stdout);
    assert!(run.status.success() && printed.contains("0 findings"), "{printed}");
    let page = std::fs::read_to_string(page).expect("a page");
    assert!(page.contains("\"panel\":\"128×64\""), "a page of another board");
}
