//! Tests files that are dropped on the window: traces, programs, and other files.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;

use ili9341_model::Frame;
use reading::golden::{compare, read_png, write_png};
use runner::open_trace;
use trace::Button;

use crate::command::nudge;
use crate::desktop::Desktop;
use crate::{check_replay, folder, input_names, layout, output_text, panel_of, words};

const DROPPED: &str = "trace 1\ngame family\nseed 7\n\n0ms power on\n2s tap T3\n+5s end\n";

fn panel(window: &Frame) -> Frame {
    panel_of(window, &layout(1), 1)
}

fn is_lit(window: &Frame) -> bool {
    panel(window).pixels().iter().any(|pixel| *pixel != 0)
}

/// Returns the last frame of a trace.
#[track_caller]
fn picture(trace: &Path) -> Frame {
    let picture = trace.with_extension("png");
    let output =
        nudge().arg("screenshot").arg(trace).arg("--output").arg(&picture).output().unwrap();
    assert!(output.status.success(), "{}", output_text(&output));
    read_png(picture).unwrap()
}

#[test]
fn a_dropped_trace_is_played_after_saving_the_session() {
    let folder = folder("dropped");
    let dropped = folder.join("other one.trace");
    fs::write(&dropped, DROPPED).unwrap();
    let wanted = picture(&dropped);
    let mut desktop =
        Desktop::new(&folder, &["--record", "mine.trace", "--seed", "7", "--scale", "1"]);
    let lit = desktop.settled(is_lit);
    desktop.click(&layout(1), Button::B3);
    let played = desktop.settled_after(&lit);
    desktop.drop_file(&dropped);
    let shown = desktop.settled(|window| compare(&panel(window), &wanted).is_ok());
    write_png(folder.join("dropped.png"), &shown).unwrap();
    // The session before has ended properly.
    let trace = check_replay(&folder.join("mine.trace"), &panel(&played));
    assert_eq!(input_names(&trace), ["power on", "press of B3", "release of B3", "end"]);
    // The new session continues from the trace's end, and the file stays unchanged.
    desktop.click(&layout(1), Button::B3);
    desktop.settled(|window| compare(&panel(window), &wanted).is_err());
    let output = desktop.close();
    assert!(output.status.success(), "{}", output_text(&output));
    assert_eq!(fs::read_to_string(&dropped).unwrap(), DROPPED);
}

#[test]
fn other_dropped_files_are_refused_and_the_session_continues() {
    let folder = folder("dropped-wrong");
    let files: [(&str, &[u8], &str); 5] = [
        (
            "broken.trace",
            b"trace 1\n\n0ms power on\n5ms tip B3\n",
            "broken.trace:4:5: unknown verb `tip`; did you mean",
        ),
        ("setting.trace", b"trace 1\ngame chess\n\n0ms power on\n", "2:6: `game chess` is unknown"),
        (
            "foreign.elf",
            b"\x7fELF\x02\x01\x01\0 of another machine",
            "foreign.elf: this ELF file is for a 64-bit machine",
        ),
        ("torn.uf2", b"UF2\n\x57\x51\x5d\x9e", "torn.uf2: block 0 of this UF2 file is cut short"),
        ("letter.txt", b"Dear Sir", "letter.txt: a window runs traces (.trace) and programs"),
    ];
    let mut desktop =
        Desktop::new(&folder, &["--record", "mine.trace", "--seed", "7", "--scale", "1"]);
    let booted = desktop.settled(is_lit);
    for (name, bytes, why) in files {
        let path = folder.join(name);
        fs::write(&path, bytes).unwrap();
        let before = desktop.look();
        desktop.drop_file(&path);
        let told = desktop.changed(|window| *window != before);
        write_png(folder.join(format!("{name}.png")), &told).unwrap();
        assert!(panel(&told) == panel(&booted), "{name}: the board is as it was");
        // The folder's path would leave no room for the reason.
        let said = words::footer(&told, &layout(1));
        assert!(said.starts_with(&format!("not opened: {why}")), "{said}");
    }
    desktop.drop_file(&folder.join("gone.trace"));
    // The session is the same as before.
    desktop.click(&layout(1), Button::B3);
    let last = desktop.settled(|window| panel(window) != panel(&booted));
    let output = desktop.close();
    let text = output_text(&output);
    assert!(output.status.success(), "{text}");
    for part in [
        "broken.trace:4:5: ",
        "2:6: `game chess` is unknown",
        "foreign.elf: ",
        "torn.uf2: ",
        "letter.txt: a window runs traces (.trace) and programs (.elf, .uf2, .hex, .bin)",
        "gone.trace: ",
    ] {
        let is_told = |line: &str| line.starts_with("nudge: not opened: ") && line.contains(part);
        assert!(text.lines().any(is_told), "{part:?} is not in\n{text}");
    }
    let trace = check_replay(&folder.join("mine.trace"), &panel(&last));
    assert_eq!(input_names(&trace), ["power on", "press of B3", "release of B3", "end"]);
}

#[test]
#[cfg_attr(not(feature = "pico-test"), ignore = "needs the program of `make firmware`")]
fn a_program_that_is_dropped_runs_on_an_emulated_pico() {
    let built = Path::new(env!("CARGO_TARGET_TMPDIR")).join("../firmware");
    for name in ["nudge-pico.elf", "nudge-pico.uf2"] {
        let folder = folder(&format!("dropped-{name}"));
        let mut desktop =
            Desktop::new(&folder, &["--seed", "7", "--game", "family", "--scale", "1"]);
        let native = desktop.settled(is_lit);
        desktop.drop_file(&built.join(name));
        // The picture is that of another game, because the Pico's flash is factory-new.
        let shown = desktop.settled(|window| is_lit(window) && panel(window) != panel(&native));
        write_png(folder.join("pico.png"), &shown).unwrap();
        assert!(desktop.title().contains("pico"), "{}", desktop.title());
        desktop.click(&layout(1), Button::B3);
        desktop.settled(|window| panel(window) != panel(&shown));
        let output = desktop.close();
        assert!(output.status.success(), "{}", output_text(&output));
    }
}

#[test]
fn the_studio_opens_the_session_and_ends_with_the_window() {
    let folder = folder("studio");
    let mut desktop = Desktop::new(&folder, &["--captures", "kept", "--seed", "7", "--scale", "1"]);
    let lit = desktop.settled(is_lit);
    desktop.click(&layout(1), Button::B3);
    let played = desktop.settled_after(&lit);
    desktop.tap_named(crate::desktop::key::F9);
    let told = desktop.changed(|window| *window != played);
    write_png(folder.join("studio.png"), &told).unwrap();
    let saved = || {
        let found = fs::read_dir(folder.join("kept")).ok()?.flatten();
        found
            .map(|entry| entry.path())
            .find(|path| path.extension().is_some_and(|end| end == "trace"))
    };
    let saved = saved().expect("the session is saved before the studio is started");
    let names = input_names(&open_trace(&saved).unwrap());
    assert_eq!(names, ["power on", "press of B3", "release of B3", "end"]);
    assert!(compare(&picture(&saved), &panel(&played)).is_ok());
    // The studio is a child process of the window, and serves the session at its own address.
    let marker = saved.file_name().unwrap().to_string_lossy().into_owned();
    desktop.wait_for_child(|words| {
        words.contains(&"open".to_owned())
            && words.last().is_some_and(|last| last.ends_with(&marker))
    });
    let said_where =
        desktop.changed(|window| words::footer(window, &layout(1)).contains("http://"));
    let told = words::footer(&said_where, &layout(1));
    let address = told.split("http://").nth(1).unwrap().split(' ').next().unwrap();
    let (host, page) = address.split_once('/').expect("an address with a token");
    let mut stream = TcpStream::connect(host).unwrap();
    write!(
        stream,
        "GET /{} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n",
        page.split('#').next().unwrap()
    )
    .unwrap();
    let mut answer = String::new();
    // The page may contain bytes that are not text.
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).unwrap();
    answer.push_str(&String::from_utf8_lossy(&bytes));
    assert!(answer.starts_with("HTTP/1.1 200 "), "{}", answer.lines().next().unwrap_or_default());
    let output = desktop.close();
    assert!(output.status.success(), "{}", output_text(&output));
    assert!(TcpStream::connect(host).is_err(), "it still answers");
    let runs = fs::read_dir("/proc").unwrap().flatten().any(|entry| {
        let line = fs::read(entry.path().join("cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&line).contains(&marker)
    });
    assert!(!runs, "the studio still runs");
}
