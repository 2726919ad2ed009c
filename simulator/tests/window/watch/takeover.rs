//! Tests that no button stays down on the board when firmware takes over from another one.

use std::fs;
use std::path::Path;

use host::clock::Stopwatch;

use super::{Scene, kill};
use crate::desktop::PATIENCE;
use crate::output_text;

/// Returns the text of the recording once it is as `wanted`.
#[track_caller]
fn recorded(recording: &Path, wanted: impl Fn(&str) -> bool) -> String {
    let clock = Stopwatch::start();
    loop {
        let text = fs::read_to_string(recording).unwrap();
        if wanted(&text) {
            return text;
        }
        assert!(clock.elapsed() < PATIENCE, "not recorded:\n{text}");
        std::thread::yield_now();
    }
}

#[test]
fn a_key_that_goes_up_while_no_firmware_runs_leaves_no_button_down() {
    let mut scene = Scene::new("stuck", &["--record", "w.trace"]);
    let recording = scene.path().join("w.trace");
    scene.desktop.key_down('z');
    scene.desktop.key_down('x');
    recorded(&recording, |text| text.contains("press B1\n") && text.contains("press B2\n"));
    // The firmware before takes over: B1 goes up meanwhile, B2 stays under its finger.
    kill(&scene);
    scene.desktop.key_up('z');
    scene.says("the fall back", |footer| footer.starts_with("the firmware before runs again: "));
    let text = recorded(&recording, |text| text.contains("release B1\n"));
    assert!(!text.contains("release B2\n"), "{text}");
    // None is before that one: the next build takes over.
    kill(&scene);
    scene.says("the end", |footer| footer.ends_with("the next build continues it"));
    scene.desktop.key_up('x');
    scene.save("family");
    recorded(&recording, |text| text.contains("release B2\n"));
    // A rebuild of firmware that runs.
    scene.settled("family", |_| true);
    scene.desktop.key_down('c');
    recorded(&recording, |text| text.contains("press B3\n"));
    scene.save("wari");
    scene.wait_for("the firmware", |scene| scene.firmwares() == ["firmware-3"]);
    scene.settled("wari", |_| true);
    scene.desktop.key_up('c');
    recorded(&recording, |text| text.contains("release B3\n"));
    let output = scene.desktop.close();
    assert!(output.status.success(), "{}", output_text(&output));
    runner::open_trace(&recording).unwrap();
}
