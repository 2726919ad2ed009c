//! Boards of board files, which a page passes with their programs: the handheld of `examples/own-boards`.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::Engine;

const UP: &str = "trace 1\nboard ../handheld.board.toml\n\n0ms power on\n+1s expect console \"ready\"\n+1s tap UP\n\
                  +500ms expect console \"square y=60\"\n+0ms end\n";

fn example(name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/own-boards");
    fs::read(folder.join(name)).unwrap()
}

fn board_file() -> String {
    String::from_utf8(example("handheld.board.toml")).unwrap()
}

/// Executes a request; all bytes that it passes are the program.
fn ask(engine: &mut Engine, request: &Value) -> Value {
    let program = example("handheld.elf");
    let answer = engine.call(request.to_string().as_bytes(), &mut |_, _| Some(program.clone()));
    serde_json::from_slice(&answer).unwrap()
}

/// Returns the request to open `rest` with the board's files in `folder`.
fn request(folder: &str, rest: Value) -> Value {
    let mut request = json!({
        "do": "open",
        "files": {format!("{folder}handheld.board.toml"): board_file()},
        "blobs": {format!("{folder}handheld.elf"): {"ptr": 1, "len": 1}},
    });
    for (name, value) in rest.as_object().unwrap() {
        request[name] = value.clone();
    }
    request
}

#[test]
fn a_trace_runs_on_the_board_that_its_header_names() {
    let mut engine = Engine::new();
    let mut open = request("../", json!({"trace": UP, "name": "a/up.trace"}));
    let opened = ask(&mut engine, &open);
    assert_eq!(opened["errors"], json!([]), "{opened}");
    let board = &opened["board"];
    assert_eq!((&board["name"], &board["panel"]), (&json!("Handheld"), &json!([240, 240])));
    assert_eq!(board["buttons"][2]["name"], "UP");
    assert_eq!(board["buttons"][2]["keys"], json!(["W"]));
    assert_eq!(board["buttons"][2]["area"].as_array().map(Vec::len), Some(4), "{board}");
    open["do"] = "describe".into();
    assert_eq!(ask(&mut engine, &open), json!({"board": board, "errors": []}));
    assert_eq!(board["file"], "../handheld.board.toml");
    assert_eq!(board["program"], "../handheld.elf");
    let record = ask(&mut engine, &json!({"do": "record", "session": 1}));
    assert_eq!(record["verdict"], "passed", "{record}");
    assert_eq!(record["fingers"][0]["button"], "UP");
    assert_eq!(record["contacts"][0]["button"], "UP");
    assert_eq!(engine.pixels(1).map(<[u8]>::len), Some(240 * 240 * 4));
    let thoughts = ask(&mut engine, &json!({"do": "thoughts", "session": 1}));
    assert_eq!(thoughts["known"], false);
    ask(&mut engine, &json!({"do": "seek", "session": 1, "t": 2_400_000_000_u64}));
    let pixel = ask(&mut engine, &json!({"do": "pixel", "session": 1, "x": 120, "y": 80}));
    assert!(pixel.get("error").is_none(), "{pixel}");
    // A branch has the buttons of the board.
    ask(&mut engine, &json!({"do": "branch", "session": 1, "t": 1_500_000_000_u64}));
    let pressed = ask(&mut engine, &json!({"do": "press", "session": 2, "button": "DOWN"}));
    assert!(pressed.get("error").is_none(), "{pressed}");
    let state = ask(&mut engine, &json!({"do": "run", "session": 2, "until": 1_700_000_000_u64}));
    assert_eq!(state["down"], json!(["DOWN"]));
    let saved = ask(&mut engine, &json!({"do": "save", "session": 2}));
    let saved = saved["trace"].as_str().unwrap();
    assert!(saved.contains("board ../handheld.board.toml\n") && saved.contains("press DOWN"));
}

#[test]
fn a_live_board_has_the_buttons_of_its_board_file() {
    let mut engine = Engine::new();
    let live = json!({"board": "described", "board_file": "pads/handheld.board.toml"});
    let opened = ask(&mut engine, &request("pads/", live));
    assert_eq!(opened["board"]["columns"], 8, "{opened}");
    ask(&mut engine, &json!({"do": "run", "session": 1, "until": 1_000_000_000_u64}));
    let refused = ask(&mut engine, &json!({"do": "press", "session": 1, "button": "B1"}));
    assert_eq!(refused["error"]["message"], "there is no button `B1`");
    ask(&mut engine, &json!({"do": "press", "session": 1, "button": "UP"}));
    ask(&mut engine, &json!({"do": "run", "session": 1, "until": 1_500_000_000_u64}));
    let saved = ask(&mut engine, &json!({"do": "save", "session": 1}));
    let saved = saved["trace"].as_str().unwrap();
    assert!(saved.starts_with("trace 1\nboard pads/handheld.board.toml\n"), "{saved}");
    let record = ask(&mut engine, &json!({"do": "record", "session": 1}));
    let console = record["console"].as_array().unwrap();
    assert!(console.iter().any(|line| line["text"] == "square y=60 colour=0"), "{console:?}");
}

#[test]
fn files_that_are_missing_or_wrong_are_named() {
    let mut engine = Engine::new();
    let message = |answer: &Value| answer["error"]["message"].as_str().unwrap().to_owned();
    let live = json!({"do": "open", "board": "described", "board_file": "x.board.toml"});
    let refused = ask(&mut engine, &live);
    assert_eq!(message(&refused), "the file x.board.toml was not passed");
    let mut request = request("", json!({"trace": UP.replace("../", ""), "name": "up.trace"}));
    request["blobs"] = json!({});
    let opened = ask(&mut engine, &request);
    assert_eq!(opened["errors"][0]["line"], 2, "{opened}");
    let error = opened["errors"][0]["message"].as_str().unwrap();
    assert!(error.contains("handheld.elf cannot be read"), "{error}");
    request["files"] = json!({"handheld.board.toml": board_file().replace("GP10", "GP99")});
    let opened = ask(&mut engine, &request);
    let error = opened["errors"][0]["message"].as_str().unwrap();
    assert!(error.contains("handheld.board.toml:18:"), "{error}");
}

/// Files that are dropped on a page: their names have no folder.
#[test]
fn a_dropped_program_and_board_file_replace_those_of_the_page() {
    let mut engine = Engine::new();
    // A program of another name runs instead of the one that the file names.
    let live = json!({
        "do": "open", "board": "described", "board_file": "new.board.toml", "program": "game.uf2",
        "files": {"new.board.toml": board_file().replace("Handheld", "New")},
        "blobs": {"game.uf2": {"ptr": 1, "len": 1}},
    });
    let opened = ask(&mut engine, &live);
    assert_eq!(opened["board"]["name"], "New", "{opened}");
    assert_eq!((&opened["board"]["program"], &opened["end"]), (&json!("game.uf2"), &Value::Null));
    // The program and the board that a trace names.
    let trace = json!({"trace": UP, "name": "a/up.trace", "program": "game.uf2"});
    let mut open = request("../", trace);
    open["blobs"] = json!({"game.uf2": {"ptr": 1, "len": 1}});
    let opened = ask(&mut engine, &open);
    assert_eq!((&opened["errors"], &opened["board"]["program"]), (&json!([]), &json!("game.uf2")));
    // A program in a folder that the page does not have is found by its name.
    let text = board_file().replace("\"handheld.elf\"", "\"build/handheld.elf\"");
    let mut open = request("", json!({"board": "described", "board_file": "x.board.toml"}));
    open["files"] = json!({"x.board.toml": text});
    let opened = ask(&mut engine, &open);
    assert_eq!(opened["board"]["program"], "build/handheld.elf", "{opened}");
    // A board file without a program, and one whose panel's table is missing.
    let message = |answer: &Value| answer["error"]["message"].as_str().unwrap().to_owned();
    open["files"] = json!({"x.board.toml": board_file().replace("program = ", "# ")});
    let refused = message(&ask(&mut engine, &open));
    assert!(refused.starts_with("x.board.toml: the board has no program to run"), "{refused}");
    let text = board_file().replace("panel = \"st7789\"", "panel = \"glass/mine.toml\"");
    open["files"] = json!({"x.board.toml": text});
    let refused = message(&ask(&mut engine, &open));
    assert!(
        refused.contains("the table of the panel, glass/mine.toml, cannot be read"),
        "{refused}"
    );
    open["board"] = "native".into();
    open["trace"] = "trace 1\n0ms press UP\n".into();
    open["do"] = "describe".into();
    let described = ask(&mut engine, &open);
    assert_eq!(described["errors"][0]["line"], 2, "{described}");
}
