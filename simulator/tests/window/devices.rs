//! Tests fingers and gamepads: the real program is preloaded with `devices.c`, which makes SDL
//! report their events.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use host::clock::Stopwatch;
use ili9341_model::Frame;
use reading::golden::write_png;
use trace::Button;
use window::face::Layout;

use crate::desktop::{Desktop, PATIENCE};
use crate::{check_replay, folder, input_names, layout, output_text, panel_of, window_size};

/// The window with simulated devices, and its last settled panel.
struct Scene {
    folder: PathBuf,
    desktop: Desktop,
    layout: Layout,
    shown: Frame,
}

/// Compiles the library into `folder`; returns its path.
fn library(folder: &Path) -> PathBuf {
    let to = folder.join("devices.so");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/window/devices.c");
    let mut compiler = Command::new("cc");
    compiler.args(["-shared", "-fPIC", "-Wall", "-Werror", "-pthread", "-o"]).arg(&to).arg(source);
    let output = compiler.output().expect("a C compiler, which links Rust programs too");
    assert!(output.status.success(), "{}", output_text(&output));
    to
}

impl Scene {
    fn new(name: &str) -> Self {
        let folder = folder(name);
        let pipe = folder.join("devices");
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let arguments = ["--record", "w.trace", "--seed", "7", "--scale", "1"];
        let variable = ("NUDGE_TEST_DEVICES", pipe.as_path());
        let desktop = Desktop::with_library(&folder, &arguments, &library(&folder), variable);
        let mut scene = Self { folder, desktop, layout: layout(1), shown: Frame::filled(1, 1, 0) };
        scene.settled("booted", |panel| panel.pixels().iter().any(|pixel| *pixel != 0));
        scene
    }

    fn say(&self, line: &str) {
        // Opened for reading and writing, so that opening does not wait for a reader.
        let pipe = OpenOptions::new().read(true).write(true).open(self.folder.join("devices"));
        writeln!(pipe.unwrap(), "{line}").unwrap();
    }

    /// Simulates a state of the gamepad until the program has seen it: SDL polls the gamepad, so a
    /// shorter state would be missed.
    #[track_caller]
    fn pad(&self, what: &str) {
        let done = || {
            let done = fs::read_to_string(self.folder.join("devices.done")).unwrap_or_default();
            done.lines().count()
        };
        let before = done();
        self.say(&format!("pad {what}"));
        let clock = Stopwatch::start();
        while done() == before {
            assert!(clock.elapsed() < PATIENCE, "the program does not see: {what}");
            self.desktop.rest(Duration::from_millis(10));
        }
    }

    fn finger(&self, what: &str, finger: u32, button: Button) {
        let rect = self.layout.button(button);
        let (x, y) = (rect.left + rect.width / 2, rect.top + rect.height / 2);
        self.finger_at(what, finger, (x, y));
    }

    fn finger_at(&self, what: &str, finger: u32, (x, y): (u32, u32)) {
        let (width, height) = window_size(&self.layout);
        let share = |at: u32, whole: u32| (at as f32 + 0.5) / whole as f32;
        self.say(&format!("finger {what} {finger} {} {}", share(x, width), share(y, height)));
    }

    /// Waits until the board has other contacts than before or the panel has changed, and until the
    /// panel has settled; returns the panel.
    #[track_caller]
    fn settled(&mut self, name: &str, wanted: impl Fn(&Frame) -> bool) -> Frame {
        let layout = self.layout.clone();
        let shown = self.desktop.settled(|window| wanted(&panel_of(window, &layout, 1)));
        write_png(self.folder.join(format!("{name}.png")), &shown).unwrap();
        self.shown = shown;
        panel_of(&self.shown, &layout, 1)
    }

    /// Waits until the window has changed.
    #[track_caller]
    fn changed(&mut self, name: &str) {
        let shown = self.shown.clone();
        self.shown = self.desktop.settled_after(&shown);
        write_png(self.folder.join(format!("{name}.png")), &self.shown).unwrap();
    }

    fn recorded(self) -> Vec<String> {
        let output = self.desktop.close();
        assert!(output.status.success(), "{}", output_text(&output));
        let panel = panel_of(&self.shown, &self.layout, 1);
        input_names(&check_replay(&self.folder.join("w.trace"), &panel))
    }
}

#[test]
fn several_fingers_press_and_release_buttons_independently() {
    let mut scene = Scene::new("fingers");
    scene.finger("down", 1, Button::B3);
    // SDL also creates mouse events for a finger, which must press nothing.
    let other = scene.layout.button(Button::B5);
    scene.say(&format!("mouse down {} {}", other.left + 3, other.top + 3));
    scene.changed("down");
    scene.finger("up", 1, Button::B3);
    scene.changed("up");
    // One finger holds RESET, another one taps T6 and slides off: Undo.
    scene.finger("down", 1, Button::Reset);
    scene.changed("reset");
    scene.finger("down", 2, Button::T6);
    scene.changed("both");
    scene.finger_at("move", 2, (2, 2));
    scene.finger_at("up", 2, (2, 2));
    scene.changed("one");
    scene.finger("up", 1, Button::Reset);
    scene.changed("none");
    let expected = [
        "power on",
        "press of B3",
        "release of B3",
        "press of RESET",
        "press of T6",
        "release of T6",
        "release of RESET",
        "end",
    ];
    assert_eq!(scene.recorded(), expected);
}

#[test]
fn a_finger_drags_the_strip() {
    let mut scene = Scene::new("finger-drags");
    let lit = scene.desktop.look();
    let (_, height) = window_size(&scene.layout);
    let mut footer = window::face::Footer::new(scene.layout.width(), 1.0);
    let strip = footer.strip();
    footer.draw(&window::face::FooterView::default());
    let top = scene.layout.height() + strip.top + strip.height / 2;
    assert!(top < height);
    scene.finger_at("down", 1, (strip.left + strip.width / 2, top));
    scene.finger_at("move", 1, (strip.left, top));
    let dark = scene.settled("begin", |panel| panel.pixels().iter().all(|pixel| *pixel == 0));
    assert!(dark != panel_of(&lit, &scene.layout, 1));
    scene.finger_at("up", 1, (strip.left, top));
    scene.desktop.tap_named(crate::desktop::key::END);
    scene.settled("now", |panel| *panel != dark);
    assert_eq!(scene.recorded(), ["power on", "end"]);
}

#[test]
fn a_gamepad_works_and_releases_all_buttons_when_unplugged() {
    /// Buttons of SDL_GameControllerButton.
    const BACK: u32 = 4;
    const START: u32 = 6;
    const DPAD_RIGHT: u32 = 14;
    let mut scene = Scene::new("gamepad");
    let booted = panel_of(&scene.shown, &scene.layout, 1);
    scene.pad("attach");
    scene.pad(&format!("down {DPAD_RIGHT}"));
    scene.changed("down");
    scene.pad(&format!("up {DPAD_RIGHT}"));
    scene.changed("up");
    assert!(panel_of(&scene.shown, &scene.layout, 1) != booted, "B3 was played");
    scene.pad(&format!("down {BACK}"));
    scene.changed("paused");
    scene.pad(&format!("up {BACK}"));
    scene.pad(&format!("down {BACK}"));
    scene.changed("goes-on");
    scene.pad(&format!("up {BACK}"));
    scene.pad(&format!("down {START}"));
    scene.changed("reset");
    scene.say("pad detach");
    scene.changed("unplugged");
    // Another gamepad takes its place.
    scene.pad("attach");
    scene.pad(&format!("down {START}"));
    scene.changed("again");
    scene.pad(&format!("up {START}"));
    scene.changed("again-up");
    let names = scene.recorded();
    let expected = [
        "power on",
        "press of B3",
        "release of B3",
        "press of RESET",
        "release of RESET",
        "press of RESET",
        "release of RESET",
        "end",
    ];
    assert_eq!(names, expected);
}
