//! Tests the window: `nudge run` under a real X server (Xvfb, which the tests start), with real key
//! and mouse events, pictures of the screen, and replays of the recording. `desktop` simulates the
//! user. The end of a session and its files are in `leaving`.
//!
//! `cargo test -p simulator --features window-test --test window`

mod cargo_run;
#[path = "../command/mod.rs"]
mod command;
mod console;
mod controls;
mod described;
#[path = "../desktop/mod.rs"]
mod desktop;
mod devices;
mod display;
mod dropped;
mod keyboard;
mod leaving;
mod look;
mod measured;
mod pico;
mod recent;
mod screens;
mod shape;
mod strip;
mod time;
mod watch;
mod watch_cargo;
mod words;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use ili9341_model::Frame;
use live::keymap::Keymap;
use reading::golden::{compare, read_png, write_png};
use trace::{Action, Button, Trace};
use window::face::{
    Face, FlashState, Footer, Labels, Layout, Panel, Recording, Running, Scale, View,
};

use command::nudge;
use desktop::Desktop;

const PANEL: Panel = Panel { width: 320, height: 240, columns: [60, 100, 140, 180, 220, 260] };

/// Creates a folder for a test; the pictures stay there for inspection.
fn folder(scene: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("window-{scene}"));
    if folder.exists() {
        fs::remove_dir_all(&folder).unwrap();
    }
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn layout(scale: u32) -> Layout {
    Layout::new(PANEL, Scale::new(scale).unwrap())
}

/// Returns the part of the window that shows the board, without the footer.
fn board_of(window: &Frame, layout: &Layout) -> Frame {
    let (width, height) = (layout.width() as usize, layout.height() as usize);
    let pixels = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    let pixels = pixels.map(|(x, y)| window.pixel(x, y).unwrap()).collect();
    Frame::from_pixels(width, height, pixels)
}

/// Returns the size of a window with the board at a whole scale.
fn window_size(layout: &Layout) -> (u32, u32) {
    (layout.width(), layout.height() + Footer::height(layout.unit()))
}

/// Returns the part of the window that shows the panel, reduced to the panel's size; fails if the
/// pixels of one panel pixel differ.
#[track_caller]
fn panel_of(window: &Frame, layout: &Layout, scale: u32) -> Frame {
    let glass = layout.panel();
    let pixel = |x: u32, y: u32| window.pixel(x as usize, y as usize).unwrap();
    let mut pixels = Vec::new();
    for (y, x) in (0..PANEL.height).flat_map(|y| (0..PANEL.width).map(move |x| (y, x))) {
        let (left, top) = (glass.left + x * scale, glass.top + y * scale);
        let rgb = pixel(left, top);
        for at in 0..scale * scale {
            assert_eq!(pixel(left + at % scale, top + at / scale), rgb, "panel pixel {x},{y}");
        }
        pixels.push(rgb);
    }
    Frame::from_pixels(PANEL.width as usize, PANEL.height as usize, pixels)
}

/// Replays a recording with the command line and compares its last frame with `panel`.
#[track_caller]
fn check_replay(recording: &Path, panel: &Frame) -> Trace {
    let output = nudge().arg("replay").arg(recording).output().unwrap();
    assert!(output.status.success(), "{}", output_text(&output));
    let picture = recording.with_extension("png");
    let output =
        nudge().arg("screenshot").arg(recording).arg("--output").arg(&picture).output().unwrap();
    assert!(output.status.success(), "{}", output_text(&output));
    if let Err(mismatch) = compare(&read_png(&picture).unwrap(), panel) {
        panic!("the replay ends with another picture than the window: {mismatch}");
    }
    runner::open_trace(recording).unwrap()
}

fn output_text(output: &Output) -> String {
    format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    )
}

/// Returns the names of the board's inputs, in order.
fn input_names(trace: &Trace) -> Vec<String> {
    trace.lines.iter().map(|line| line.action.noun()).collect()
}

#[test]
fn a_session_in_the_window_replays_to_the_same_picture() {
    let folder = folder("played");
    let recording = folder.join("played.trace");
    let scale = 2;
    let layout = layout(scale);
    let mut desktop =
        Desktop::new(&folder, &["--record", "played.trace", "--seed", "7", "--scale", "2"]);
    assert_eq!(desktop.size(), window_size(&layout));
    let booted = desktop.settled(|window| {
        panel_of(window, &layout, scale).pixels().iter().any(|pixel| *pixel != 0)
    });
    write_png(folder.join("booted.png"), &booted).unwrap();

    // A held key shows its button pressed, as the face draws it.
    desktop.key_down('c');
    let shown = desktop.settled_after(&booted);
    let mut face = Face::new(layout.clone(), Labels::new(&Keymap::default()));
    let mut view = View { recording: Recording::To("played".into()), ..View::default() };
    view.down.insert(Button::B3);
    face.draw(&view);
    let rect = layout.button(Button::B3);
    for y in rect.top..rect.top + rect.height {
        for x in rect.left..rect.left + rect.width {
            let (x, y) = (x as usize, y as usize);
            assert_eq!(shown.pixel(x, y), face.picture().pixel(x, y), "B3 down at {x},{y}");
        }
    }
    desktop.key_up('c');
    let after_b3 = desktop.settled_after(&shown);
    assert_ne!(
        panel_of(&after_b3, &layout, scale),
        panel_of(&booted, &layout, scale),
        "the firmware played B3"
    );

    // A click, a press released outside the window, a key held while the window loses the focus.
    desktop.click(&layout, Button::B6);
    desktop.settled(|_| true);
    desktop.mouse_down(&layout, Button::T2);
    desktop.mouse_up_far_away();
    desktop.settled(|_| true);
    desktop.key_down('t');
    desktop.take_focus_away();
    desktop.key_up('t');
    desktop.give_focus();
    desktop.click(&layout, Button::Reset);
    desktop.settled(|_| true);
    desktop.tap('z');
    // A press during the movement of stones only ends the movement.
    desktop.tap('v');
    let last = desktop.settled(|_| true);
    write_png(folder.join("last.png"), &last).unwrap();
    let output = desktop.close();
    assert!(output.status.success(), "{}", output_text(&output));

    let trace = check_replay(&recording, &panel_of(&last, &layout, scale));
    let expected = [
        "power on",
        "press of B3",
        "release of B3",
        "press of B6",
        "release of B6",
        "press of T2",
        "release of T2",
        "press of T5",
        "release of T5",
        "press of RESET",
        "release of RESET",
        "press of B1",
        "release of B1",
        "press of B4",
        "release of B4",
        "end",
    ];
    assert_eq!(input_names(&trace), expected);
    assert_eq!(trace.get("seed").map(|entry| entry.value.as_str()), Some("7"));
}

#[test]
fn a_recording_with_expect_becomes_a_test_on_closing_the_window() {
    let folder = folder("expect");
    let recording = folder.join("expect.trace");
    let layout = layout(1);
    let arguments = ["--record", "expect.trace", "--expect", "--seed", "7", "--scale", "1"];
    let mut desktop = Desktop::new(&folder, &arguments);
    let panel = |window: &Frame| panel_of(window, &layout, 1);
    let booted = desktop.settled(|window| panel(window).pixels().iter().any(|pixel| *pixel != 0));
    desktop.click(&layout, Button::B3);
    let played = desktop.settled(|window| panel(window) != panel(&booted));
    desktop.click(&layout, Button::T2);
    // The refusal is shown for two seconds: on a busy computer it may disappear before its picture
    // counts as settled.
    desktop.changed(|window| panel(window) != panel(&played));
    let last = desktop.settled(|window| panel(window) == panel(&played));
    // Until the window is closed, the file is the raw recording of presses and releases.
    assert!(fs::read_to_string(&recording).unwrap().contains("press B3"));
    let output = desktop.close();
    assert!(output.status.success(), "{}", output_text(&output));
    assert!(output_text(&output).contains("settled screens"), "{}", output_text(&output));

    let trace = check_replay(&recording, &panel_of(&last, &layout, 1));
    let input_names = input_names(&trace);
    let has = |deed: &str| input_names.iter().any(|done| done == deed);
    assert!(has("tap of B3") && has("tap of T2") && has("expect frame"), "{input_names:?}");
    assert!(has("expect text") && !has("press of B3"), "{input_names:?}");
}

#[test]
fn pause_single_frame_power_cycle_and_mute_are_keys() {
    let folder = folder("controls");
    let layout = layout(1);
    let mut desktop = Desktop::new(&folder, &["--record", "controls.trace", "--scale", "1"]);
    let booted = desktop
        .settled(|window| panel_of(window, &layout, 1).pixels().iter().any(|pixel| *pixel != 0));
    let drawn = |view: &View| {
        let mut face = Face::new(layout.clone(), Labels::new(&Keymap::default()));
        face.draw(view);
        face
    };
    let mut view = View { recording: Recording::To("controls".into()), ..View::default() };
    assert_eq!(view.flash, FlashState::Discarded);
    let panel = panel_of(&booted, &layout, 1);
    assert_eq!(drawn(&view).with_panel(&panel), board_of(&booted, &layout));

    desktop.tap('m');
    desktop.tap('p');
    view.running = Running::Paused;
    view.sound = window::face::Sound::Muted;
    let paused = desktop.settled_after(&booted);
    assert_eq!(drawn(&view).with_panel(&panel), board_of(&paused, &layout));
    write_png(folder.join("paused.png"), &paused).unwrap();

    // Virtual time is paused, so the press has no effect yet. Each single frame is one step.
    desktop.tap('x');
    assert_eq!(board_of(&desktop.settled(|_| true), &layout), board_of(&paused, &layout));
    let mut panels = vec![panel_of(&paused, &layout, 1)];
    for _ in 0..4 {
        desktop.tap('.');
        panels.push(panel_of(&desktop.settled(|_| true), &layout, 1));
    }
    assert!(panels.windows(2).any(|pair| pair[0] != pair[1]), "a frame came");

    desktop.tap('p');
    desktop.settled(|_| true);
    desktop.power_key();
    let last = desktop.settled(|_| true);
    let output = desktop.close();
    assert!(output.status.success(), "{}", output_text(&output));
    let trace = check_replay(&folder.join("controls.trace"), &panel_of(&last, &layout, 1));
    let power = |action: &Action| matches!(action, Action::PowerOn | Action::PowerOff);
    assert_eq!(trace.lines.iter().filter(|line| power(&line.action)).count(), 3);
}

#[test]
fn the_window_fits_at_every_scale_and_the_flash_is_saved() {
    // Each has a folder of its own: a window remembers the place of the last one.
    for scale in [1, 2, 3] {
        let folder = folder(&format!("scale-{scale}"));
        let flash = folder.join("flash.bin");
        let layout = layout(scale);
        let scale_text = scale.to_string();
        let mut desktop = Desktop::new(&folder, &["--scale", &scale_text, "--flash", "flash.bin"]);
        assert_eq!(desktop.size(), window_size(&layout));
        let window = desktop.settled(|_| true);
        write_png(folder.join(format!("scale-{scale}.png")), &window).unwrap();
        let output = desktop.close();
        assert!(output.status.success(), "{}", output_text(&output));
        assert_eq!(fs::metadata(&flash).unwrap().len(), 256 * 1024);
    }
}

#[test]
fn a_recording_overwrites_nothing() {
    let folder = folder("overwrite");
    fs::write(folder.join("mine.trace"), "precious").unwrap();
    let output = Desktop::refused(&folder, &["--record", "mine.trace"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(output_text(&output).contains("mine.trace exists already"), "{}", output_text(&output));
    assert_eq!(fs::read(folder.join("mine.trace")).unwrap(), b"precious");
}

#[test]
fn without_a_display_a_message_names_the_alternative() {
    let folder = folder("no-display");
    let output = nudge()
        .args(["run", "--record", "none.trace"])
        .current_dir(&folder)
        .env("SDL_VIDEODRIVER", "x11")
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    let said = output_text(&output);
    assert_eq!(said.lines().count(), 1, "{said}");
    assert!(said.contains("`nudge replay`") && said.contains("`nudge screenshot`"), "{said}");
    assert!(!folder.join("none.trace").exists());
}
