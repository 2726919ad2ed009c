//! Tests a build on every save. The build's result is a stand-in: the command under test, with
//! another game on its board, or a firmware that panics. The compiler is a shell script.

mod scene;
mod takeover;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use host::clock::Stopwatch;
use ili9341_model::Frame;
use reading::golden::{compare, write_png};
use trace::Button;
use window::face::{Layout, Rect};

use scene::{COMPILER, Scene};
pub use scene::{picture_with, processes};

use crate::command::NUDGE;
use crate::desktop::{Desktop, PATIENCE, key};
use crate::{folder, input_names, layout, output_text, panel_of, words};

#[test]
fn a_saved_source_is_built_and_the_session_continues_in_it() {
    let mut scene = Scene::new("goes-on", &["--record", "w.trace"]);
    let recording = scene.path().join("w.trace");
    let booted = scene.settled("before", |_| true);
    scene.desktop.click(&scene.layout, Button::B3);
    let played = scene.settled("played", |panel| *panel != booted);
    // This firmware swaps two cups, so its screens differ from the press of one of them on.
    scene.save("cups");
    scene.wait_for("the firmware", |scene| scene.firmwares() == ["firmware-2"]);
    scene.wait_for("the comparison", |scene| scene.was_compared(2));
    scene.settled("cups", |_| true);
    scene.save("family");
    let family = scene.settled("family", |panel| *panel != played && *panel != booted);
    assert_eq!(scene.firmwares(), ["firmware-3"], "the one before has ended");
    // The new firmware has played the presses so far.
    assert!(compare(&picture_with("family", &recording), &family).is_ok());
    // Both are shown side by side; at an earlier time, with their pictures of that time.
    scene.says("the comparison", |said| said.starts_with("the screens part before any press"));
    scene.settled("compared", |_| true);
    let both = |window: &Frame, panels: [&Frame; 2]| {
        // The pictures are scaled down, but their most frequent colours are present.
        panels.iter().all(|panel| window.pixels().contains(&panel.pixels()[120 * 320 + 160]))
    };
    let before = scene.desktop.look();
    scene.desktop.tap('d');
    let window = scene.desktop.settled_after(&before);
    write_png(scene.pictures.join("both.png"), &window).unwrap();
    assert!(both(&window, [&played, &family]));
    scene.desktop.tap_named(key::LEFT);
    let past = scene.desktop.settled(|shown| *shown != window);
    write_png(scene.pictures.join("both-past.png"), &past).unwrap();
    scene.desktop.tap_named(key::END);
    scene.desktop.tap('d');
    assert!(scene.panel(&past) != family);
    scene.settled("hidden", |panel| *panel == family);
    // The session continues, in the same recording.
    scene.desktop.click(&scene.layout, Button::T1);
    let last = scene.settled("last", |panel| *panel != family);
    let output = scene.desktop.close();
    let text = output_text(&output);
    assert!(output.status.success(), "{text}");
    assert!(text.contains("nudge: the screens part at the press of B3 at "), "{text}");
    assert!(text.contains("nudge: the screens part before any press: frame 1, at "), "{text}");
    assert!(text.contains(", is the first that differs ("), "{text}");
    let trace = runner::open_trace(&recording).unwrap();
    let expected =
        ["power on", "press of B3", "release of B3", "press of T1", "release of T1", "end"];
    assert_eq!(input_names(&trace), expected);
    assert!(compare(&picture_with("family", &recording), &last).is_ok());
    assert!(processes(scene.sources.path()).is_empty());
}

#[test]
fn a_failed_or_endless_build_leaves_the_old_firmware() {
    let mut scene = Scene::new("fails", &["--record", "w.trace"]);
    let recording = scene.path().join("w.trace");
    let booted = scene.settled("before", |_| true);
    scene.save("error");
    scene.wait_for("the build", |scene| scene.builds() == 2);
    scene.settled("failed", |_| true);
    let failed = "not built: firmware.rs:3:5: mismatched types; the previous firmware continues, D shows all";
    scene.says("the error", |footer| footer == failed);
    // The old firmware continues.
    scene.desktop.click(&scene.layout, Button::B3);
    let played = scene.settled("failed-played", |panel| *panel != booted);
    let before = scene.desktop.look();
    scene.desktop.tap('d');
    let errors = scene.desktop.settled_after(&before);
    write_png(scene.pictures.join("errors.png"), &errors).unwrap();
    // The window shows all output of the compiler.
    let (width, height) = (errors.width() as u32, errors.height() as u32);
    let report = words::rows(&errors, Rect { left: 0, top: 0, width, height }).join("\n");
    for part in [
        "not built: firmware.rs:3:5: mismatched types",
        "error[E0308]: mismatched types",
        "--> firmware.rs:3:5",
        "expected `Board`, found integer",
    ] {
        assert!(report.contains(part), "{part:?} is not in\n{report}");
    }
    scene.desktop.tap('d');
    scene.settled("hidden", |panel| *panel == played);

    // A build that never ends is shown, and blocks nothing.
    scene.save("slow");
    scene.wait_for("the build", |scene| scene.builds() == 3);
    let first = scene.keep("building");
    // The footer shows the duration of the build.
    let seconds =
        |footer: &str| footer.strip_prefix("building, ")?.strip_suffix(" s")?.parse::<u32>().ok();
    let mut before = None;
    for _ in 0..2 {
        let said = scene.says("the seconds of the build", |footer| seconds(footer) > before);
        before = seconds(&said);
    }
    scene.desktop.click(&scene.layout, Button::B5);
    let moved = scene.desktop.changed(|window| panel_of(window, &layout(1), 1) != played);
    assert!(moved != first);
    scene.keep("building-played");
    scene.save("family");
    scene.wait_for("the build", |scene| scene.builds() == 4);
    scene.wait_for("the firmware", |scene| scene.firmwares() == ["firmware-4"]);
    // Until its first picture the window shows that of the firmware before.
    let expected = picture_with("family", &recording);
    let family = scene.settled("family", |panel| compare(&expected, panel).is_ok());

    // A firmware that cannot play the session does not replace the current one.
    scene.save("panic");
    scene.wait_for("the build", |scene| scene.builds() == 5);
    scene.settled("unfit", |panel| *panel == family);
    scene.says("why it does not run", |footer| {
        footer.starts_with("the new firmware does not run: ")
    });
    let output = scene.desktop.close();
    let text = output_text(&output);
    assert!(output.status.success(), "{text}");
    assert!(text.contains("nudge: not built: firmware.rs:3:5: mismatched types\n"), "{text}");
    assert!(text.contains("the new firmware does not run: "), "{text}");
    assert!(text.contains("nudge: the screens part before any press: frame 1, at "), "{text}");
    assert!(text.contains("thread main panicked at firmware.rs:7:1: no such cup"), "{text}");
    let names = input_names(&runner::open_trace(&recording).unwrap());
    assert_eq!(names.len(), 6, "{names:?}");
}

#[test]
fn firmware_that_hangs_at_start_blocks_nothing_and_is_ended() {
    let mut scene = Scene::new("hangs", &["--record", "w.trace"]);
    let recording = scene.path().join("w.trace");
    let booted = scene.settled("before", |_| true);
    scene.save("hang");
    scene.wait_for("the hanging one", |scene| scene.firmwares() == ["firmware-1", "firmware-2"]);
    // The old firmware continues, and the window reports the state of the new one.
    scene.desktop.click(&scene.layout, Button::B3);
    let played = scene.settled("hangs", |panel| *panel != booted);
    // The message about the build before disappears once; then only the seconds can differ.
    for _ in 0..4 {
        let waits = scene.desktop.look();
        let counted = scene.desktop.changed(|window| *window != waits);
        assert!(scene.panel(&counted) == played, "only the seconds differ");
    }
    scene.keep("counts");
    // The next build ends the hanging firmware.
    scene.save("family");
    scene.wait_for("the firmware", |scene| scene.firmwares() == ["firmware-3"]);
    let family = scene.settled("family", |panel| *panel != played);
    assert!(compare(&picture_with("family", &recording), &family).is_ok());
    // The end of the window ends it, too.
    scene.save("hang");
    scene.wait_for("the hanging one", |scene| scene.firmwares() == ["firmware-3", "firmware-4"]);
    let Scene { sources, desktop, .. } = scene;
    let output = desktop.close();
    assert!(output.status.success(), "{}", output_text(&output));
    assert!(processes(sources.path()).is_empty(), "{:?}", processes(sources.path()));
    let names = input_names(&runner::open_trace(&recording).unwrap());
    assert_eq!(names, ["power on", "press of B3", "release of B3", "end"]);
}

/// Returns the upper part of a window, in which the title of a report is.
fn top(layout: &Layout) -> Rect {
    Rect { left: 0, top: 0, width: layout.width(), height: 40 }
}

/// Kills the processes in which a session of `scene` runs.
fn kill(scene: &Scene) {
    // The session's process is killed first, so that it does not end because of the script. A
    // process that starts meanwhile is not killed.
    let scripts = processes(scene.path());
    let of_tests = format!("{NUDGE}\0session\0");
    for entry in fs::read_dir("/proc").unwrap().flatten() {
        let is_it =
            fs::read(entry.path().join("cmdline")).is_ok_and(|line| line == of_tests.as_bytes());
        let environment = fs::read(entry.path().join("environ")).unwrap_or_default();
        let mine = format!("XDG_DATA_HOME={}\0", scene.path().display());
        if is_it && environment.windows(mine.len()).any(|part| part == mine.as_bytes()) {
            let number = entry.file_name().to_string_lossy().into_owned();
            Command::new("kill").args(["-KILL", &number]).output().unwrap();
        }
    }
    for (number, _) in scripts {
        // One process may have ended with the other.
        Command::new("kill").args(["-KILL", &number]).output().unwrap();
    }
}

#[test]
fn firmware_that_dies_is_replaced_by_the_one_before() {
    let mut scene = Scene::new("dies", &["--record", "w.trace"]);
    let recording = scene.path().join("w.trace");
    let booted = scene.settled("before", |_| true);
    scene.desktop.click(&scene.layout, Button::B3);
    let played = scene.settled("played", |panel| *panel != booted);
    // The program's own first firmware is the one before.
    kill(&scene);
    scene.wait_for("the firmware before", |scene| scene.firmwares() == ["firmware-0"]);
    // The firmware before has taken over, and is not still starting.
    scene.says("the fall back", |footer| footer.starts_with("the firmware before runs again: "));
    scene.settled("fell-back", |panel| *panel == played);
    // No firmware is before that one, so the session waits for the next.
    kill(&scene);
    scene.says("the end", |footer| footer.ends_with("the next build continues it"));
    scene.settled("gone", |_| true);
    assert!(scene.firmwares().is_empty());
    // `D` shows the crash, and dismisses it.
    let before = scene.desktop.look();
    scene.desktop.tap('d');
    scene.desktop.changed(|window| {
        words::cropped(window, top(&scene.layout)) != words::cropped(&before, top(&scene.layout))
    });
    scene.keep("crash");
    scene.desktop.tap('d');
    scene.desktop.changed(|window| {
        words::cropped(window, top(&scene.layout)) == words::cropped(&before, top(&scene.layout))
    });
    scene.desktop.click(&scene.layout, Button::B5);
    scene.save("family");
    scene.wait_for("the firmware", |scene| scene.firmwares() == ["firmware-2"]);
    let family = scene.settled("family", |panel| *panel != played);
    assert!(compare(&picture_with("family", &recording), &family).is_ok());
    scene.desktop.click(&scene.layout, Button::B4);
    scene.settled("last", |panel| *panel != family);
    let output = scene.desktop.close();
    let text = output_text(&output);
    assert!(output.status.success(), "{text}");
    assert!(text.contains("the firmware's process has ended: "), "{text}");
    let names = input_names(&runner::open_trace(&recording).unwrap());
    assert_eq!(names.len(), 6, "{names:?}");
}

#[test]
fn an_unrecorded_session_survives_a_kill_and_is_removed_at_exit() {
    let scene = Scene::new("kept", &[]);
    let sessions = scene.path().join("nudge/sessions");
    let kept = || -> Vec<PathBuf> {
        fs::read_dir(&sessions).unwrap().map(|entry| entry.unwrap().path()).collect()
    };
    assert_eq!(kept().len(), 1);
    scene.desktop.click(&scene.layout, Button::B3);
    let clock = Stopwatch::start();
    while !fs::read_to_string(&kept()[0]).unwrap().ends_with("release B3\n") {
        assert!(clock.elapsed() < PATIENCE);
    }
    let Scene { sources, desktop, .. } = scene;
    desktop.kill();
    let text = fs::read_to_string(&kept()[0]).unwrap();
    assert!(text.contains("press B3\n") && text.contains("release B3\n"), "{text}");
    runner::open_trace(&kept()[0]).unwrap();
    // The processes of the window have ended by themselves.
    while !processes(sources.path()).is_empty() {
        assert!(clock.elapsed() < PATIENCE, "{:?}", processes(sources.path()));
    }

    let scene = Scene::new("in-order", &[]);
    let sessions = scene.path().join("nudge/sessions");
    let output = scene.desktop.close();
    assert!(output.status.success(), "{}", output_text(&output));
    assert_eq!(fs::read_dir(&sessions).unwrap().count(), 0);
    assert!(scene.sources.path().join("nudge/flash.bin").exists());
}

#[test]
fn files_of_a_killed_window_are_removed_by_the_next() {
    let sources = tempfile::tempdir().unwrap();
    fs::write(sources.path().join("firmware.rs"), "board").unwrap();
    fs::write(sources.path().join("build.sh"), format!("NUDGE='{NUDGE}'\n{COMPILER}")).unwrap();
    let window = |recording: &str| {
        let all = ["--watch", "--build", "sh build.sh", "--scale", "1", "--record", recording];
        Desktop::new(sources.path(), &all)
    };
    let copies = || -> Vec<PathBuf> {
        let entries = fs::read_dir(sources.path()).unwrap().flatten().map(|entry| entry.path());
        let mut found: Vec<PathBuf> =
            entries.filter(|path| path.join("firmware-0").exists()).collect();
        found.sort();
        found
    };
    let killed = window("a.trace");
    let of_killed = copies();
    assert_eq!(of_killed.len(), 1);
    let other = window("b.trace");
    assert_eq!(copies().len(), 2, "that of a window that is open stays");
    killed.kill();
    assert_eq!(copies().len(), 2, "it is not removed");
    let last = window("c.trace");
    let left = copies();
    assert!(left.len() == 2 && !left.contains(&of_killed[0]), "{left:?} {of_killed:?}");
    for window in [other, last] {
        let output = window.close();
        assert!(output.status.success(), "{}", output_text(&output));
    }
    assert!(copies().is_empty(), "{:?}", copies());
    let hidden = fs::read_dir(sources.path()).unwrap().flatten();
    let hidden = hidden.filter(|entry| entry.file_name().to_string_lossy().starts_with(".nudge"));
    let hidden: Vec<_> = hidden.map(|entry| entry.path()).collect();
    assert!(hidden.is_empty(), "locks are removed too: {hidden:?}");
}

#[test]
fn too_many_folders_and_build_without_watch_are_refused() {
    let sources = tempfile::tempdir().unwrap();
    let deep = sources.path().join("a");
    fs::create_dir(&deep).unwrap();
    for number in 0..9_000 {
        fs::create_dir(deep.join(number.to_string())).unwrap();
    }
    let output = Desktop::refused(sources.path(), &["--watch", "--record", "w.trace"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(output_text(&output).contains("more than 8192 folders"), "{}", output_text(&output));
    assert!(!sources.path().join("w.trace").exists());
    let output = Desktop::refused(sources.path(), &["--build", "true"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(output_text(&output).contains("--watch"), "{}", output_text(&output));
}

#[test]
#[cfg_attr(not(feature = "pico-test"), ignore = "needs the program of `make firmware`")]
fn a_rebuilt_pico_program_continues_the_session() {
    let sources = tempfile::tempdir().unwrap();
    let pictures = folder("watch-pico");
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join("../firmware/nudge-pico.elf");
    // The compiler changes a text on the LCD to another one of the same length.
    let build = format!(
        "LC_ALL=C sed \"$(cat firmware.rs)\" '{}' >built.elf; echo built.elf",
        program.display()
    );
    let write = |name: &str, text: &str| fs::write(sources.path().join(name), text).unwrap();
    write("build.sh", &build);
    write("firmware.rs", "");
    let all =
        ["--watch", "--build", "sh build.sh", "--board", "pico", "--seed", "7", "--scale", "1"];
    let mut desktop = Desktop::new(sources.path(), &[&all[..], &["--record", "w.trace"]].concat());
    let panel = |window: &Frame| panel_of(window, &layout(1), 1);
    let keep = |name: &str, window: &Frame| {
        write_png(pictures.join(format!("{name}.png")), window).unwrap();
    };
    let booted = desktop.settled(|window| panel(window).pixels().iter().any(|pixel| *pixel != 0));
    keep("booted", &booted);
    write("firmware.rs", "s/Hold RESET/Keep RESET/g");
    let other = desktop.settled(|window| panel(window) != panel(&booted));
    keep("other", &other);
    desktop.click(&layout(1), Button::B3);
    let played = desktop.settled(|window| panel(window) != panel(&other));
    keep("played", &played);
    let output = desktop.close();
    let text = output_text(&output);
    assert!(output.status.success(), "{text}");
    assert!(text.contains("nudge: the screens part before any press: frame "), "{text}");
    let names = input_names(&runner::open_trace(&sources.path().join("w.trace")).unwrap());
    assert_eq!(names, ["power on", "press of B3", "release of B3", "end"]);
}

/// Returns a copy of `program`, a UF2 file whose second block begins with the vector table, in
/// which RESET starts an endless loop.
fn hanging(program: &Path) -> Vec<u8> {
    /// Size of a UF2 block, and the offset of its 256 bytes of program.
    const BLOCK: usize = 512;
    const PAYLOAD: usize = 32;
    let mut bytes = fs::read(program).unwrap();
    let second = &mut bytes[BLOCK..2 * BLOCK];
    assert_eq!(second[12..16], 0x1000_0100_u32.to_le_bytes(), "the address of the second block");
    // RESET's vector, in Thumb; then `b .`, in place of the vectors of interrupts.
    second[PAYLOAD + 4..PAYLOAD + 8].copy_from_slice(&0x1000_0141_u32.to_le_bytes());
    second[PAYLOAD + 0x40..PAYLOAD + 0x42].copy_from_slice(&[0xFE, 0xE7]);
    bytes
}

#[test]
#[cfg_attr(not(feature = "pico-test"), ignore = "needs the program of `make firmware`")]
fn a_hanging_pico_program_blocks_no_window_or_next_build() {
    let sources = tempfile::tempdir().unwrap();
    let pictures = folder("watch-pico-hangs");
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join("../firmware/nudge-pico.uf2");
    let at = |name: &str| sources.path().join(name);
    fs::write(at("hangs.uf2"), hanging(&program)).unwrap();
    fs::copy(&program, at("plays.uf2")).unwrap();
    fs::write(at("build.sh"), "cp \"$(cat firmware.rs)\" built.uf2; echo built.uf2\n").unwrap();
    let save = |name: &str| fs::write(at("firmware.rs"), name).unwrap();
    save("plays.uf2");
    let all = ["--watch", "--build", "sh build.sh", "--board", "pico", "--seed", "7"];
    let more = ["--scale", "1", "--record", "w.trace"];
    let mut desktop = Desktop::new(sources.path(), &[&all[..], &more[..]].concat());
    let panel = |window: &Frame| panel_of(window, &layout(1), 1);
    let is_dark = |window: &Frame| panel(window).pixels().iter().all(|pixel| *pixel == 0);
    let keep = |name: &str, window: &Frame| {
        write_png(pictures.join(format!("{name}.png")), window).unwrap();
    };
    let booted = desktop.settled(|window| !is_dark(window));
    // The firmware draws nothing, but the window still works: buttons, pause, the list of keys.
    save("hangs.uf2");
    let hangs = desktop.settled(is_dark);
    keep("hangs", &hangs);
    desktop.click(&layout(1), Button::B3);
    desktop.tap('p');
    let paused = desktop.settled(|window| *window != hangs && is_dark(window));
    keep("paused", &paused);
    desktop.tap('p');
    desktop.settled(is_dark);
    // The next program receives the presses of the meantime.
    save("plays.uf2");
    let played = desktop.settled(|window| !is_dark(window) && panel(window) != panel(&booted));
    keep("played", &played);
    // A window can be closed while its firmware hangs, too.
    save("hangs.uf2");
    desktop.settled(is_dark);
    let output = desktop.close();
    assert!(output.status.success(), "{}", output_text(&output));
    let recording = at("w.trace");
    let names = input_names(&runner::open_trace(&recording).unwrap());
    assert_eq!(names, ["power on", "press of B3", "release of B3", "end"]);
}
