//! Controls and LEDs of a described board: the dial of `examples/own-boards`.

use std::fs;
use std::path::Path;

use keymap::{ControlMove, KeyAction, Keymap};
use serde_json::{Value, json};

use crate::Engine;

fn example(name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/own-boards");
    fs::read(folder.join(name)).unwrap()
}

/// Executes a request; all bytes that it passes are the program.
fn ask(engine: &mut Engine, request: &Value) -> Value {
    let program = example("dial.elf");
    let answer = engine.call(request.to_string().as_bytes(), &mut |_, _| Some(program.clone()));
    serde_json::from_slice(&answer).unwrap()
}

fn opened() -> (Engine, Value) {
    let mut engine = Engine::new();
    let file = String::from_utf8(example("dial.board.toml")).unwrap();
    let opened = ask(
        &mut engine,
        &json!({
            "do": "open", "board": "described", "board_file": "dial.board.toml",
            "files": {"dial.board.toml": file}, "blobs": {"dial.elf": {"ptr": 1, "len": 1}},
        }),
    );
    (engine, opened)
}

fn run(engine: &mut Engine, until_ms: u64) -> Value {
    ask(engine, &json!({"do": "run", "session": 1, "until": until_ms * 1_000_000}))
}

#[test]
fn the_board_has_its_controls_leds_and_keys_of_a_matrix() {
    let (_, opened) = opened();
    let board = &opened["board"];
    let names = |list: &str| -> Vec<String> {
        let parts = board[list].as_array().unwrap().iter();
        parts.map(|part| part["name"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(names("controls"), ["DIAL", "MODE", "STICK", "LEVEL"]);
    assert_eq!(names("leds"), ["STATUS", "DIMMED", "MOOD", "STRIP"]);
    assert_eq!(names("buttons"), ["PUSH", "K1", "K2", "K3", "K4"]);
    let dial = &board["controls"][0];
    assert_eq!((&dial["kind"], &dial["keys"]), (&json!("encoder"), &json!(["Left", "Right"])));
    assert_eq!((&dial["detents"], &dial["edges"]), (&json!(20), &json!(4)));
    assert_eq!(board["controls"][2]["rest"], 0.5);
    assert_eq!(board["leds"][3]["count"], 4);
    assert_eq!(board["buttons"][4]["keys"], json!(["4"]));
    for list in ["controls", "leds", "buttons", "buzzers"] {
        for part in board[list].as_array().unwrap() {
            assert_eq!(part["area"].as_array().map(Vec::len), Some(4), "{part}");
        }
    }
    assert_eq!(names("buzzers"), ["BUZZER"]);
    // The keys of the matrix share its cells.
    let area = |at: usize| board["buttons"][at]["area"].clone();
    assert_eq!(area(1)[1], area(2)[1]);
    assert_eq!(area(1)[0].as_f64().unwrap() + area(1)[2].as_f64().unwrap(), area(2)[0]);
}

#[test]
fn parts_without_keys_in_the_file_have_the_keys_that_the_window_gives_them() {
    let file = String::from_utf8(example("dial.board.toml")).unwrap();
    let lines = file.lines().filter(|line| !line.starts_with("keys = "));
    let without: String = lines.flat_map(|line| [line, "\n"]).collect();
    assert_ne!(without, file);
    let opened = ask(
        &mut Engine::new(),
        &json!({
            "do": "open", "board": "described", "board_file": "dial.board.toml",
            "files": {"dial.board.toml": without}, "blobs": {"dial.elf": {"ptr": 1, "len": 1}},
        }),
    );
    let mut files = timeline::Files::default();
    files.insert("dial.board.toml", without.into_bytes());
    files.insert("dial.elf", example("dial.elf"));
    let described = crate::described::board("dial.board.toml", None, &files).unwrap();
    let parts = described.parts();
    let map = Keymap::of_file(described.file(), &parts.buttons, &parts.controls);
    let keys = |actions: Vec<KeyAction>| -> Value {
        actions.into_iter().map(|action| map.key_name(action)).collect()
    };
    let board = &opened["board"];
    for (at, button) in parts.buttons.all().iter().enumerate() {
        let expected = keys(vec![KeyAction::Press(*button)]);
        assert_ne!(expected, json!([""]));
        assert_eq!(board["buttons"][at]["keys"], expected, "{button}");
    }
    for (at, control) in parts.controls.all().iter().enumerate() {
        let moves = ControlMove::of(control.kind()).iter();
        let expected = keys(moves.map(|by| KeyAction::Move(*control, *by)).collect());
        assert_eq!(board["controls"][at]["keys"], expected, "{}", control.name());
    }
    // The keys of the file stay as they are.
    let (_, opened) = self::opened();
    assert_eq!(opened["board"]["controls"][0]["keys"], json!(["Left", "Right"]));
}

#[test]
fn controls_move_and_the_state_has_them_with_the_leds() {
    let (mut engine, _) = opened();
    let state = run(&mut engine, 1_000);
    let start = json!({"DIAL": 0, "MODE": false, "LEVEL": 0.25, "STICK": [0.5, 0.5]});
    assert_eq!(state["controls"], start);
    assert_eq!(state["leds"]["STRIP"].as_array().map(Vec::len), Some(4), "{state}");
    let dark = state["leds"].clone();
    let mut move_by = |more: Value| {
        let mut request = json!({"do": "move", "session": 1});
        for (name, value) in more.as_object().unwrap() {
            request[name] = value.clone();
        }
        ask(&mut engine, &request)
    };
    let turned = move_by(json!({"control": "DIAL", "turn": 2}));
    assert_eq!(turned["line"], "turn DIAL by 2", "{turned}");
    assert_eq!(turned["at"], 1_001_000_000);
    assert_eq!(move_by(json!({"control": "MODE", "on": true}))["line"], "switch MODE on");
    assert_eq!(move_by(json!({"control": "LEVEL", "x": 0.8}))["line"], "set LEVEL 0.8");
    let tilted = move_by(json!({"control": "STICK", "x": 0, "y": 1}));
    assert_eq!(tilted["line"], "set STICK 0,1");
    for (wrong, message) in [
        (json!({"control": "PUSH", "turn": 1}), "there is no control `PUSH`"),
        (
            json!({"control": "DIAL", "turn": 0}),
            "`turn` is a number of detents, not 0, at most 1000 in a direction",
        ),
        (
            json!({"control": "DIAL", "turn": 1_001}),
            "`turn` is a number of detents, not 0, at most 1000 in a direction",
        ),
        (json!({"control": "MODE"}), "`on` is missing"),
        (json!({"control": "LEVEL", "x": 1.5}), "`x` is a number from 0 to 1"),
        (json!({"control": "STICK", "x": 1}), "`y` is a number from 0 to 1"),
    ] {
        assert_eq!(move_by(wrong)["error"]["message"], message);
    }
    let state = run(&mut engine, 1_500);
    let moved = json!({"DIAL": 8, "MODE": true, "LEVEL": 0.8, "STICK": [0.0, 1.0]});
    assert_eq!(state["controls"], moved);
    assert_ne!(state["leds"], dark);
    // An earlier time has its own state.
    let past = ask(&mut engine, &json!({"do": "seek", "session": 1, "t": 1_000_000_000_u64}));
    assert_eq!((&past["controls"], &past["leds"]), (&start, &dark));
    ask(&mut engine, &json!({"do": "seek", "session": 1, "t": 1_500_000_000_u64}));
    let saved = ask(&mut engine, &json!({"do": "save", "session": 1}));
    let saved = saved["trace"].as_str().unwrap();
    for line in ["turn DIAL by 2", "switch MODE on", "set LEVEL 0.8", "set STICK 0,1"] {
        assert!(saved.contains(line), "{saved}");
    }
    let record = ask(&mut engine, &json!({"do": "record", "session": 1}));
    // The record has all inputs, as the actions that the saved trace has.
    let inputs: Vec<(&str, &Value)> = record["inputs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|input| (input["action"].as_str().unwrap(), &input["control"]))
        .collect();
    let (dial, mode, level, stick) = (json!("DIAL"), json!("MODE"), json!("LEVEL"), json!("STICK"));
    let expected = [
        ("power on", &Value::Null),
        ("turn DIAL by 2", &dial),
        ("switch MODE on", &mode),
        ("set LEVEL 0.8", &level),
        ("set STICK 0,1", &stick),
    ];
    assert_eq!(inputs, expected);
    assert_eq!(record["inputs"][1]["at"], 1_001_000_000);
    // The saved trace has the same inputs at the same times when it is replayed.
    let file = String::from_utf8(example("dial.board.toml")).unwrap();
    let again = ask(
        &mut engine,
        &json!({
            "do": "open", "trace": saved, "files": {"dial.board.toml": file},
            "blobs": {"dial.elf": {"ptr": 1, "len": 1}},
        }),
    );
    assert_eq!(again["errors"], json!([]), "{again}");
    let replayed = ask(&mut engine, &json!({"do": "record", "session": 2}));
    assert_eq!(replayed["inputs"], record["inputs"]);
    let console = record["console"].as_array().unwrap();
    let said =
        |text: &str| console.iter().any(|line| line["text"].as_str().unwrap().contains(text));
    assert!(said("dial=2 mode=true"), "{console:?}");
}

#[test]
fn a_finger_touches_the_pixels_of_its_display() {
    let mut engine = Engine::new();
    let file = String::from_utf8(example("dial.board.toml")).unwrap();
    let file = file + "\n[[touch]]\ncontroller = \"ft6206\"\nsda = \"GP23\"\nscl = \"GP24\"\n";
    let opened = ask(
        &mut engine,
        &json!({
            "do": "open", "board": "described", "board_file": "dial.board.toml",
            "files": {"dial.board.toml": file}, "blobs": {"dial.elf": {"ptr": 1, "len": 1}},
        }),
    );
    assert_eq!(opened["board"]["touches"], json!([{"name": "TOUCH", "display": 0}]), "{opened}");
    let [width, height] = [0, 1].map(|at| opened["board"]["panel"][at].as_u64().unwrap());
    assert_eq!(run(&mut engine, 100)["controls"]["TOUCH"], Value::Null);
    let mut touch = |more: Value| {
        let mut request = json!({"do": "move", "session": 1, "control": "TOUCH"});
        for (name, value) in more.as_object().unwrap() {
            request[name] = value.clone();
        }
        ask(&mut engine, &request)
    };
    assert_eq!(touch(json!({"x": 3, "y": 4}))["line"], "touch TOUCH at 3,4");
    let outside = touch(json!({"x": width, "y": 0})).to_string();
    assert!(outside.contains(&format!("`x` is a pixel from 0 to {}", width - 1)), "{outside}");
    assert!(touch(json!({"x": 0, "y": height})).to_string().contains("`y` is a pixel"));
    assert_eq!(run(&mut engine, 200)["controls"]["TOUCH"], json!([3, 4]));
    let lifted =
        ask(&mut engine, &json!({"do": "move", "session": 1, "control": "TOUCH", "lift": true}));
    assert_eq!(lifted["line"], "lift TOUCH");
    assert_eq!(run(&mut engine, 300)["controls"]["TOUCH"], Value::Null);
}
