//! Tests `nudge board`: checks, pictures, the schema, and imports.

use std::fs;

use serde_json::Value;

use crate::command::check;

const TWICE: &str = "board = 1\nname = \"Pad\"\nchip = \"rp2040\"\n\n[[display]]\npanel = \"ili9341\"\n\
                     bus = \"spi4\"\nsck = \"GP18\"\nmosi = \"GP19\"\ndc = \"GP20\"\n\n[[button]]\n\
                     name = \"A\"\npin = \"GP18\"\n";

#[test]
fn a_board_file_is_checked_and_its_errors_have_lines() {
    let folder = tempfile::tempdir().unwrap();
    let [out, _] = check(folder.path(), "board check", 0, &[]);
    assert!(out.starts_with("lcd-board.board.toml: LCD board, rp2040, 2 MiB of flash\n"), "{out}");
    assert!(out.lines().any(|line| line.starts_with("button   T6")), "{out}");

    fs::write(folder.path().join("pad.board.toml"), TWICE).unwrap();
    let [out, err] = check(folder.path(), "board check pad.board.toml", 2, &[]);
    let expected = "pad.board.toml:14:7: GP18 is `pin` of the button A and in line 8 `sck` of the \
                    display LCD; give one of them another pin\n";
    assert_eq!((out.as_str(), err.as_str()), ("", expected));
    let [out, _] = check(folder.path(), "board check --json pad.board.toml", 2, &[]);
    let json: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(json[0]["errors"][0]["line"], 14);

    let [_, err] = check(folder.path(), "board check missing.board.toml", 2, &[]);
    assert!(err.starts_with("the board file missing.board.toml cannot be read"), "{err}");
}

#[test]
fn the_face_and_the_schema_are_printed() {
    let folder = tempfile::tempdir().unwrap();
    let [out, _] = check(folder.path(), "board show", 0, &[]);
    assert!(out.contains("│  B1  ││  B2  │"), "{out}");
    let [out, _] = check(folder.path(), "board schema", 0, &[]);
    let schema: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(schema["properties"]["chip"]["const"], "rp2040");
    let [out, _] = check(folder.path(), "board schema --markdown", 0, &[]);
    assert!(out.starts_with("### The board\n"), "{out}");
}

#[test]
fn a_diagram_is_imported_and_never_replaces_a_file_unasked() {
    let folder = tempfile::tempdir().unwrap();
    let diagram = r#"{ "version": 1, "parts": [
        { "type": "wokwi-pi-pico", "id": "pico" },
        { "type": "wokwi-pushbutton", "id": "A" },
        { "type": "wokwi-servo", "id": "servo1" }
    ], "connections": [["pico:GP2", "A:1.l"], ["A:2.l", "pico:GND.1"]] }"#;
    fs::write(folder.path().join("diagram.json"), diagram).unwrap();
    // The diagram has no display, so its board file is not complete.
    let [out, err] = check(folder.path(), "board import diagram.json", 1, &[]);
    assert_eq!(out, "wrote diagram.board.toml\n");
    assert!(
        err.starts_with(
            "not carried over: diagram.json: servo1 (wokwi-servo): a board file has no such part\n"
        ),
        "{err}"
    );
    assert!(err.contains("diagram.board.toml:1:1: the board has no display"), "{err}");
    let text = fs::read_to_string(folder.path().join("diagram.board.toml")).unwrap();
    assert!(text.contains("[[button]]\nname = \"A\"\npin = \"GP2\"\n"), "{text}");

    let [_, err] = check(folder.path(), "board import diagram.json", 2, &[]);
    assert!(err.contains("diagram.board.toml"), "{err}");
    check(folder.path(), "board import diagram.json --force", 1, &[]);
    let [_, err] = check(folder.path(), "board import diagram.json -o diagram.json", 2, &[]);
    assert!(err.contains("--output"), "{err}");
}
