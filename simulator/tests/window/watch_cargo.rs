//! Tests a build on every save with the real cargo and the real compiler, as `nudge run --watch`
//! builds by default. The package is a small one with this repository's names; its program passes
//! everything to the command under test, with another game on the board.

use std::fs;
use std::path::Path;

use host::clock::Stopwatch;
use ili9341_model::Frame;
use reading::golden::{compare, write_png};
use trace::Button;

use crate::command::NUDGE;
use crate::desktop::{Desktop, PATIENCE};
use crate::watch::{picture_with, processes};
use crate::{folder, input_names, layout, output_text, panel_of};

const MANIFEST: &str = r#"
[package]
name = "firmware-native"
version = "0.1.0"
edition = "2024"

[[bin]]
name = "nudge-firmware"
path = "src/main.rs"

[profile.play]
inherits = "dev"

[workspace]
"#;

/// The program; the game is in a separate file.
const MAIN: &str = r##"
mod game;

use std::ffi::OsString;
use std::io::{self, BufRead, Write};
use std::process::{Command, Stdio, exit};

fn main() {
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    let mut command = Command::new(NUDGE);
    let is = |at: usize, word: &str| arguments.get(at).is_some_and(|argument| argument == word);
    if is(0, "session") {
        let mut child = command.arg("session").stdin(Stdio::piped()).spawn().unwrap();
        let (mut input, mut own) = (child.stdin.take().unwrap(), io::stdin().lock());
        let mut line = String::new();
        own.read_line(&mut line).unwrap();
        // The machine's header comes before the recording's.
        let other = format!("\"game\",\"{}\"", game::GAME);
        input.write_all(line.replacen("\"game\",\"board\"", &other, 1).as_bytes()).unwrap();
        loop {
            let bytes = own.fill_buf().unwrap();
            let length = bytes.len();
            if length == 0 || input.write_all(bytes).is_err() {
                break;
            }
            own.consume(length);
        }
        drop(input);
        exit(child.wait().unwrap().code().unwrap_or(1));
    }
    if is(0, "trace") && is(1, "observe") && arguments.len() > 2 {
        let text = std::fs::read_to_string(&arguments[2]).unwrap();
        let mut other = arguments[2].clone();
        other.push(".other.trace");
        std::fs::write(&other, text.replace("game board", &format!("game {}", game::GAME))).unwrap();
        command.args(["trace", "observe"]).arg(other);
    } else {
        command.args(arguments);
    }
    exit(command.status().unwrap().code().unwrap_or(1));
}
"##;

#[test]
fn cargo_builds_on_save_and_the_session_continues() {
    let whole = tempfile::tempdir().unwrap();
    let sources = whole.path().join("sources");
    let pictures = folder("watch-cargo");
    let at = |name: &str| sources.join(name);
    fs::create_dir_all(at("src")).unwrap();
    fs::write(at("Cargo.toml"), MANIFEST).unwrap();
    fs::write(at("src/main.rs"), MAIN.replace("NUDGE", &format!("{NUDGE:?}"))).unwrap();
    let save = |game: &str| {
        fs::write(at("src/game.rs"), format!("pub const GAME: &str = {game};\n")).unwrap();
    };
    save("\"board\"");
    let recording = at("w.trace");
    let mut desktop = Desktop::in_sources(
        whole.path(),
        &sources,
        &[
            "--watch", "--target", "built", "--game", "board", "--seed", "7", "--scale", "1",
            "--record", "w.trace",
        ],
    );
    let runs = |name: &str| {
        let clock = Stopwatch::start();
        let only = |found: Vec<(String, String)>| {
            !found.is_empty() && found.iter().all(|(_, firmware)| firmware == name)
        };
        while !only(processes(whole.path())) {
            assert!(clock.elapsed() < PATIENCE, "{name} does not come");
            std::thread::yield_now();
        }
    };
    let panel = |window: &Frame| panel_of(window, &layout(1), 1);
    let keep = |name: &str, window: &Frame| {
        write_png(pictures.join(format!("{name}.png")), window).unwrap();
    };
    runs("firmware-1");
    let booted = desktop.settled(|window| panel(window).pixels().iter().any(|pixel| *pixel != 0));
    desktop.click(&layout(1), Button::B3);
    let played = desktop.settled(|window| panel(window) != panel(&booted));

    // A compiler error is shown with its place; the firmware continues.
    save("42");
    let refused = desktop.settled(|window| *window != played && panel(window) == panel(&played));
    keep("refused", &refused);
    desktop.tap('d');
    let errors = desktop.settled(|window| panel(window) != panel(&played));
    keep("errors", &errors);
    desktop.tap('d');
    desktop.settled(|window| panel(window) == panel(&played));
    runs("firmware-1");

    save("\"family\"");
    runs("firmware-3");
    let family = desktop.settled(|window| panel(window) != panel(&played));
    keep("family", &family);
    assert!(compare(&picture_with("family", &recording), &panel(&family)).is_ok());
    // Cargo's output folder is not watched, so the build does not cause another build.
    runs("firmware-3");
    let output = desktop.close();
    let text = output_text(&output);
    assert!(output.status.success(), "{text}");
    assert!(text.contains("nudge: not built: src/game.rs:1:24: mismatched types\n"), "{text}");
    assert!(text.contains("nudge: the screens part before any press: frame 1, at "), "{text}");
    assert!(at("built/play/nudge-firmware").exists(), "it is built where `--target` says");
    assert!(Path::new(&at("Cargo.lock")).exists());
    let names = input_names(&runner::open_trace(&recording).unwrap());
    assert_eq!(names, ["power on", "press of B3", "release of B3", "end"]);
}
