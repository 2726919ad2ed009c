//! Tests displays that are not there, and renderers that do not work.

use std::fs;
use std::path::Path;
use std::process::Command;

use ili9341_model::Frame;
use reading::golden::write_png;
use trace::Button;
use window::face::Theme;

use crate::command::nudge;
use crate::desktop::{Desktop, key};
use crate::{folder, layout, output_text, panel_of};

fn is_lit(window: &Frame) -> bool {
    panel_of(window, &layout(1), 1).pixels().iter().any(|pixel| *pixel != 0)
}

#[test]
fn the_next_renderer_is_used_if_one_does_not_work() {
    let folder = folder("renderer");
    let library = folder.join("no_renderer.so");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/window/no_renderer.c");
    let mut compiler = Command::new("cc");
    compiler.args(["-shared", "-fPIC", "-Wall", "-Werror", "-o"]).arg(&library).arg(source);
    let output = compiler.arg("-ldl").output().expect("a C compiler");
    assert!(output.status.success(), "{}", output_text(&output));
    let log = folder.join("renderers");
    let arguments = ["--seed", "7", "--scale", "1"];
    let variable = ("NUDGE_TEST_RENDERERS", log.as_path());
    let mut desktop = Desktop::with_library(&folder, &arguments, &library, variable);
    let lit = desktop.settled(is_lit);
    write_png(folder.join("textured.png"), &lit).unwrap();
    let output = desktop.close();
    assert!(output.status.success(), "{}", output_text(&output));
    let log = fs::read_to_string(log).unwrap();
    assert!(log.ends_with("made\n"), "{log}");
    // With a graphics processor the software renderer is not the first.
    assert!(log.starts_with("refused\n") || log == "made\n", "{log}");
}

#[test]
fn a_display_that_does_not_answer_is_named() {
    let mut command = nudge();
    command.arg("run").env("DISPLAY", ":4711").env_remove("WAYLAND_DISPLAY");
    let output = command.env_remove("SDL_VIDEODRIVER").output().unwrap();
    let text = output_text(&output);
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(text.contains("DISPLAY is `:4711`, and no display answers there"), "{text}");
    assert!(text.contains("`nudge run --tty`"), "{text}");
}

#[test]
fn the_next_window_looks_like_the_last() {
    let folder = folder("remembered");
    let arguments = ["--seed", "7", "--flash", "flash.bin"];
    let mut desktop = Desktop::new(&folder, &arguments);
    let usual = desktop.size();
    desktop.settled(|_| true);
    desktop.resize(500, 640);
    desktop.tap_named(key::F4);
    let light = desktop.settled(|window| window.pixel(0, 0) == Some(Theme::Light.backdrop()));
    write_png(folder.join("light.png"), &light).unwrap();
    assert!(desktop.close().status.success());
    let stored = fs::read_to_string(folder.join("nudge/window.txt")).unwrap();
    assert!(stored.contains("size 500 640\n") && stored.contains("light\n"), "{stored}");
    let mut desktop = Desktop::new(&folder, &arguments);
    let again = desktop.settled(|window| window.pixel(0, 0) == Some(Theme::Light.backdrop()));
    assert_eq!((again.width(), again.height()), (500, 640));
    assert!(desktop.close().status.success());
    // A scale has priority, and a damaged file changes nothing.
    fs::write(folder.join("nudge/window.txt"), "size 9 9\nplace 99999 99999\n\0").unwrap();
    let mut desktop = Desktop::new(&folder, &arguments);
    desktop.settled(|window| window.pixel(0, 0) == Some(Theme::Dark.backdrop()));
    assert_eq!(desktop.size(), usual);
    assert!(desktop.close().status.success());
}

#[test]
fn a_trace_that_is_named_continues_at_its_end() {
    let folder = folder("named");
    let trace = "trace 1\nseed 7\n\n0ms power on\n+2s press B3\n+100ms release B3\n+3s end\n";
    fs::write(folder.join("win.trace"), trace).unwrap();
    let mut screenshot = nudge();
    screenshot.args(["screenshot", "win.trace", "--output", "end.png"]);
    let output = screenshot.current_dir(&folder).output().unwrap();
    assert!(output.status.success(), "{}", output_text(&output));
    let end = reading::golden::read_png(folder.join("end.png")).unwrap();
    let mut desktop = Desktop::new(&folder, &["win.trace", "--scale", "1"]);
    let panel = |window: &Frame| panel_of(window, &layout(1), 1);
    desktop.settled(|window| panel(window) == end);
    desktop.click(&layout(1), Button::B4);
    desktop.settled(|window| panel(window) != end);
    let output = desktop.close();
    assert!(output.status.success(), "{}", output_text(&output));
    assert_eq!(fs::read_to_string(folder.join("win.trace")).unwrap(), trace);
}

#[test]
fn the_bare_view_keeps_the_size_of_the_lcd_and_shows_messages() {
    let folder = folder("bare-message");
    let arguments = ["--seed", "7", "--scale", "2", "--record", "w.trace"];
    let mut desktop = Desktop::new(&folder, &arguments);
    let usual = desktop.size();
    let panel = |window: &Frame| panel_of(window, &layout(2), 2);
    desktop.settled(|window| panel(window).pixels().iter().any(|pixel| *pixel != 0));
    desktop.tap_named(key::F2);
    let bare = desktop.settled(|window| (window.width(), window.height()) == (640, 480));
    let shown = (0..240).flat_map(|y| (0..320).map(move |x| (2 * x, 2 * y)));
    let shown: Vec<u32> = shown.map(|(x, y)| bare.pixel(x, y).unwrap()).collect();
    desktop.tap('-');
    let noted = desktop.settled(|window| *window != bare);
    write_png(folder.join("noted.png"), &noted).unwrap();
    let rect = window::face::Rect { left: 0, top: 440, width: 640, height: 40 };
    let text = crate::words::rows(&noted, rect);
    assert!(text.iter().any(|row| row.contains("volume 90 %")), "{text:?}");
    desktop.tap_named(key::F2);
    // A slow machine draws the board some time after the window has its size.
    let glass = layout(2).panel();
    desktop.settled(|window| {
        let points = (0..240).flat_map(|y| (0..320).map(move |x| (x, y)));
        let mut pixels = points.map(|(x, y): (u32, u32)| {
            let at = (glass.left + 2 * x, glass.top + 2 * y);
            window.pixel(at.0 as usize, at.1 as usize)
        });
        (window.width() as u32, window.height() as u32) == usual
            && shown.iter().all(|rgb| pixels.next().flatten() == Some(*rgb))
    });
    assert!(desktop.close().status.success());
}
