//! Tests displays that are not there, and renderers that do not work.

use std::fs;
use std::path::Path;
use std::process::Command;

use reading::golden::write_png;

use crate::command::nudge;
use crate::desk::Desk;
use crate::{folder, layout, panel_of, said};

#[test]
fn the_next_renderer_is_used_if_one_does_not_work() {
    let folder = folder("renderer");
    let library = folder.join("no_renderer.so");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/window/no_renderer.c");
    let mut compiler = Command::new("cc");
    compiler.args(["-shared", "-fPIC", "-Wall", "-Werror", "-o"]).arg(&library).arg(source);
    let output = compiler.arg("-ldl").output().expect("a C compiler");
    assert!(output.status.success(), "{}", said(&output));
    let log = folder.join("renderers");
    let arguments = ["--seed", "7", "--scale", "1"];
    let variable = ("NUDGE_TEST_RENDERERS", log.as_path());
    let mut desk = Desk::with_library(&folder, &arguments, &library, variable);
    let lit = desk
        .settled(|window| panel_of(window, &layout(1), 1).pixels().iter().any(|pixel| *pixel != 0));
    write_png(folder.join("textured.png"), &lit).unwrap();
    let output = desk.close();
    assert!(output.status.success(), "{}", said(&output));
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
    let text = said(&output);
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(text.contains("DISPLAY is `:4711`, and no display answers there"), "{text}");
    assert!(text.contains("`nudge run --tty`"), "{text}");
}
