//! Tests the simulated look of the LCD: `--panel`.

use ili9341_model::{ViewingAngle, seen_through};
use reading::golden::write_png;

use crate::desktop::{Desktop, key};
use crate::{check_replay, folder, layout, output_text, panel_of};

#[test]
fn a_viewing_angle_changes_the_window_but_not_recordings() {
    let folder = folder("look");
    let (scale, below) = (2, ViewingAngle::new(-40).unwrap().curve());
    let run = |arguments: &[&str], name: &str| {
        let mut desktop = Desktop::new(&folder, arguments);
        let lit = desktop.settled(|window| {
            panel_of(window, &layout(scale), scale).pixels().iter().any(|pixel| *pixel != 0)
        });
        desktop.tap('z');
        let before = desktop.settled_after(&lit);
        desktop.tap_named(key::F6);
        let last = desktop.settled_after(&before);
        write_png(folder.join(format!("{name}-window.png")), &last).unwrap();
        let output = desktop.close();
        assert!(output.status.success(), "{}", output_text(&output));
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
    // F6 saves the LCD as seen from the front.
    let saved = std::fs::read_dir(&folder).unwrap().flatten().map(|entry| entry.path());
    let pictures: Vec<_> = saved
        .filter(|path| {
            path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("nudge_"))
        })
        .map(|path| reading::golden::read_png(&path).unwrap())
        .collect();
    assert_eq!(pictures.len(), 2);
    assert!(pictures.iter().all(|picture| *picture == plain));
}

/// Counts the different pictures of the panel in the first 4 s after a press at a hundredth of the
/// speed, which is 40 ms of the board.
fn pictures_of_a_press(arguments: &[&str], name: &str) -> usize {
    let folder = folder(name);
    let mut desktop =
        Desktop::new(&folder, &[&["--seed", "7", "--scale", "1"], arguments].concat());
    let panel = |window: &ili9341_model::Frame| panel_of(window, &layout(1), 1);
    let booted = desktop.settled(|window| panel(window).pixels().iter().any(|pixel| *pixel != 0));
    for _ in 0..12 {
        desktop.tap_named(key::DOWN);
    }
    desktop.key_down('z');
    let clock = host::clock::Stopwatch::start();
    let mut shown = vec![panel(&booted)];
    while clock.elapsed() < std::time::Duration::from_secs(4) {
        let window = desktop.look();
        let picture = panel(&window);
        if shown.last() != Some(&picture) {
            write_png(folder.join(format!("{}.png", shown.len())), &window).unwrap();
            shown.push(picture);
        }
    }
    desktop.key_up('z');
    assert!(desktop.close().status.success());
    shown.len() - 1
}

#[test]
fn slow_motion_shows_tearing() {
    // The second frame is drawn 80 ms after the first.
    let whole = pictures_of_a_press(&[], "look-whole");
    assert!(whole <= 1, "{whole} complete frames");
    let torn = pictures_of_a_press(&["--panel", "tearing"], "look-torn");
    assert!(torn >= 4, "{torn} pictures");
}
