//! Displays of a described board after the first one: the gauge of `examples/own-boards`.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::Engine;

fn example(name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/own-boards");
    fs::read(folder.join(name)).unwrap()
}

/// Executes a request; all bytes that it passes are the program.
fn ask(engine: &mut Engine, request: &Value) -> Value {
    let program = example("gauge.elf");
    let answer = engine.call(request.to_string().as_bytes(), &mut |_, _| Some(program.clone()));
    serde_json::from_slice(&answer).unwrap()
}

#[test]
fn each_further_display_has_its_place_its_picture_and_its_pixels() {
    let mut engine = Engine::new();
    let file = String::from_utf8(example("gauge.board.toml")).unwrap();
    let opened = ask(
        &mut engine,
        &json!({
            "do": "open", "board": "described", "board_file": "gauge.board.toml",
            "files": {"gauge.board.toml": file}, "blobs": {"gauge.elf": {"ptr": 1, "len": 1}},
        }),
    );
    let [readout] = opened["board"]["displays"].as_array().unwrap().as_slice() else {
        panic!("one further display: {opened}")
    };
    assert_eq!((&readout["name"], &readout["panel"]), (&json!("READOUT"), &json!([128, 64])));
    assert_eq!(readout["area"].as_array().map(Vec::len), Some(4));
    ask(&mut engine, &json!({"do": "run", "session": 1, "until": 600_000_000}));
    let first = engine.pixels(1).unwrap().to_vec();
    let pixels = engine.display_pixels(1, 1).unwrap().to_vec();
    assert_eq!((first.len(), pixels.len()), (240 * 240 * 4, 128 * 64 * 4));
    let colour = |x: usize, y: usize| &pixels[4 * (128 * y + x)..][..4];
    // The bar at 20 %: from column 14 on, 20 columns.
    assert_eq!((colour(20, 46), colour(40, 46)), (&[255; 4][..], &[0, 0, 0, 255][..]));
    assert!(engine.display_pixels(1, 0).is_none() && engine.display_pixels(1, 2).is_none());
    let pixel =
        |display: &str| json!({"do": "pixel", "session": 1, "x": 20, "y": 46, "display": display});
    let answer = ask(&mut engine, &pixel("READOUT"));
    let report = answer["report"].as_str().unwrap();
    assert!(report.starts_with("pixel 20,46 of READOUT"), "{answer}");
    let answer = ask(&mut engine, &pixel("TOP")).to_string();
    assert!(answer.contains("unknown display `TOP`; the board has DIAL, READOUT"), "{answer}");
}
