//! The LCD as it looks to an eye: `--panel`.

use hal_mock::golden::write_png;
use hal_mock::lcd::{ViewingAngle, seen_through};

use crate::desk::{Desk, key};
use crate::{check_replay, folder, layout, panel_of, said};

#[test]
fn the_panel_from_below_is_seen_through_its_curve_and_recorded_as_it_is() {
    let folder = folder("look");
    let (scale, below) = (2, ViewingAngle::new(-40).unwrap().curve());
    let run = |arguments: &[&str], name: &str| {
        let mut desk = Desk::new(&folder, arguments);
        desk.settled(|window| {
            panel_of(window, &layout(scale), scale).pixels().iter().any(|pixel| *pixel != 0)
        });
        desk.tap('z');
        let before = desk.settled(|_| true);
        desk.tap_named(key::F6);
        let last = desk.settled(|window| *window != before);
        write_png(folder.join(format!("{name}-window.png")), &last).unwrap();
        let output = desk.close();
        assert!(output.status.success(), "{}", said(&output));
        panel_of(&last, &layout(scale), scale)
    };
    let plain = ["--seed", "7", "--scale", "2", "--record", "plain.trace"];
    let plain = run(&plain, "plain");
    let look =
        ["--seed", "7", "--scale", "2", "--record", "look.trace", "--panel", "angle=-40,tearing"];
    let look = run(&look, "look");
    assert!(look == seen_through(&plain, &below), "the window shows other colours");
    assert!(look != plain);
    check_replay(&folder.join("look.trace"), &plain);
    // What F6 saves is the LCD along its axis.
    let saved = std::fs::read_dir(&folder).unwrap().flatten().map(|entry| entry.path());
    let pictures: Vec<_> = saved
        .filter(|path| {
            path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("nudge_"))
        })
        .map(|path| hal_mock::golden::read_png(&path).unwrap())
        .collect();
    assert_eq!(pictures.len(), 2);
    assert!(pictures.iter().all(|picture| *picture == plain));
}
