//! Tests `cargo run` in `firmware-pico`: the runner of its `.cargo/config.toml`, called as cargo
//! calls it, opens the window with the program that cargo has built.

use std::fs;
use std::path::Path;

use boards::pico::firmware;

use crate::command::{NUDGE, through};
use crate::desktop::Desktop;
use crate::folder;

#[test]
#[cfg_attr(not(feature = "pico-test"), ignore = "needs the program of `make firmware`")]
fn cargo_run_opens_the_window_of_the_program() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let config = fs::read_to_string(root.join("firmware-pico/.cargo/config.toml")).unwrap();
    let runner = config.lines().find_map(|line| line.strip_prefix("runner = ")).unwrap();
    // An array of strings is the same in TOML and JSON.
    let words: Vec<String> = serde_json::from_str(runner).unwrap();
    let program = firmware::path().expect("`make firmware` builds the program");
    let program = fs::canonicalize(program).unwrap();
    let mut command = through(&words[0]);
    command.args(&words[1..]).arg(&program).env("NUDGE", NUDGE);
    let folder = folder("cargo-run");
    // The arguments after `cargo run --` follow the program.
    let desktop = Desktop::of_command(&folder, command, &["--game", "family", "--seed", "7"]);
    let title = desktop.title();
    assert!(title.starts_with("nudge - pico, family, seed 7, nudge-pico.elf, "), "{title}");
}
