use super::*;

use trace::{Button, Buttons, ControlKind};

fn default_file() -> String {
    Keymap::default().to_string()
}

#[track_caller]
fn check_error(text: &str, expected: &str) {
    let error = Keymap::parse("my.keys", text).unwrap_err().to_string();
    assert_eq!(error, expected);
}

#[test]
fn the_default_has_the_two_letter_rows_and_space() {
    let map = Keymap::default();
    let names = |actions: &[Button]| -> String {
        actions.iter().map(|button| map.key_name(KeyAction::Press(*button))).collect()
    };
    assert_eq!(names(&Button::LCD_BOARD[..6]), "ZXCVBN");
    assert_eq!(names(&Button::LCD_BOARD[6..12]), "QWERTY");
    assert_eq!(map.key_name(KeyAction::Press(Button::Reset)), "Space");
    let controls = [
        Control::Pause,
        Control::SingleFrame,
        Control::PowerCycle,
        Control::Mute,
        Control::Undo,
        Control::Help,
    ];
    let keys = controls.map(|control| map.key_name(KeyAction::Control(control)));
    assert_eq!(keys, ["P", ".", "F5", "M", "U", "H"]);
    for action in KeyAction::all() {
        assert_eq!(map.action(map.key(action).unwrap()), Some(action), "{}", action.name());
    }
}

#[test]
fn the_boards_file_has_the_buttons_of_traces_with_a_key_each() {
    let described = &board_file::lcd_board().button;
    let names: Vec<&str> = described.iter().map(|button| button.name.text.as_str()).collect();
    assert_eq!(names, Button::LCD_BOARD.map(Button::name));
    assert!(described.iter().all(|button| !button.keys.is_empty()));
}

#[test]
fn a_written_map_reads_back() {
    assert_eq!(Keymap::parse("my.keys", &default_file()), Ok(Keymap::default()));
}

#[test]
fn case_comments_and_the_key_number_sign_are_read() {
    let text = default_file().replace("B1 = Z", "  b1=#  # the key left of Return");
    let map = Keymap::parse("my.keys", &format!("# mine\n\n{text}")).unwrap();
    assert_eq!(map.key_name(KeyAction::Press(Button::B1)), "#");
    let text = default_file().replace("B1 = Z", "B1 = keypad 1\r");
    let map = Keymap::parse("my.keys", &text).unwrap();
    assert_eq!(map.key_name(KeyAction::Press(Button::B1)), "Keypad 1");
}

#[test]
fn controls_keep_their_keys_unless_named() {
    let text = default_file().replace("PAUSE = P\n", "");
    assert_eq!(Keymap::parse("my.keys", &text), Ok(Keymap::default()));
}

#[test]
fn an_unknown_key_or_button_names_the_nearest() {
    check_error(
        "B1 = Z\nB2 = Spcae\n",
        "my.keys:2:6: unknown key `Spcae`; docs/keymap.md lists the names; \
         did you mean `Space`?",
    );
    check_error(
        "  RESTE = A",
        "my.keys:1:3: unknown button `RESTE`; there are B1 to B6, T1 to T6, RESET, \
         and the controls that docs/keymap.md lists; did you mean `RESET`?",
    );
}

#[test]
fn an_invalid_line_is_refused_with_the_format_of_a_line() {
    check_error("B1 Z", "my.keys:1:1: this line has no `=`; a key map has lines like `B1 = Z`");
    check_error("B1 =   ", "my.keys:1:8: B1 has no key behind its `=`");
}

#[test]
fn a_repeated_button_or_key_is_an_error() {
    check_error("B1 = Z\nB1 = X", "my.keys:2:1: B1 has a key already, in line 1; keep one");
    check_error("B1 = Z\nT1 = z", "my.keys:2:6: the key Z is B1's already; a key does one thing");
}

#[test]
fn an_assigned_key_is_exchanged_with_the_action_that_had_it() {
    let mut map = Keymap::default();
    let action = KeyAction::Press(Button::B1);
    let [free, taken] = ["J", "X"].map(|name| Key::from_name(name).unwrap());
    assert_eq!(map.assign(action, free), None);
    assert_eq!(map.key(action), Some(free));
    assert_eq!(map.action(Key::from_name("Z").unwrap()), None);
    let other = KeyAction::Press(Button::B2);
    assert_eq!(map.assign(action, taken), Some(other));
    assert_eq!([map.key(action), map.key(other)], [Some(taken), Some(free)]);
    assert_eq!(map.assign(action, taken), None);
    // No key has two actions, and the map can be written and read.
    assert_eq!(Keymap::parse("own.keys", &map.to_string()).unwrap(), map);
}

#[test]
fn a_button_without_a_key_is_an_error() {
    let text = default_file().replace("T6 = Y\n", "");
    let last = text.lines().count();
    check_error(&text, &format!("my.keys:{last}:1: T6 has no key; a key map names all 13 buttons"));
    let text = text.replace("B1 = Z\n", "");
    let last = last - 1;
    check_error(
        &text,
        &format!("my.keys:{last}:1: B1, T6 have no key; a key map names all 13 buttons"),
    );
}

#[test]
fn a_button_on_the_default_key_of_a_control_asks_for_another() {
    let text = default_file().replace("PAUSE = P\n", "").replace("B1 = Z", "B1 = P");
    check_error(
        &text,
        "my.keys:1:1: B1 takes the key P, which is PAUSE's unless the map names another; \
         add a line `PAUSE = …`",
    );
}

#[test]
fn a_file_too_large_for_a_key_map_is_refused() {
    let text = "#".repeat(FILE_BYTES_MAX + 1);
    check_error(
        &text,
        "my.keys:1:1: this is no key map: it has 65537 bytes; the largest has 65536",
    );
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("big.keys");
    std::fs::write(&path, "#".repeat(2 * FILE_BYTES_MAX)).unwrap();
    let error = Keymap::load(&path).unwrap_err().to_string();
    assert!(error.ends_with("it has 65537 bytes; the largest has 65536"), "{error}");
}

#[test]
fn a_file_that_cannot_be_read_is_named_with_the_reason() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("gone.keys");
    let reason = std::fs::read(&path).unwrap_err();
    let error = Keymap::load(&path).unwrap_err().to_string();
    assert_eq!(error, format!("the key map {} cannot be read: {reason}", path.display()));
}

#[test]
fn the_example_in_the_documentation_is_a_key_map() {
    let documentation = include_str!("../../../../docs/keymap.md");
    let example = documentation.split("```\n").nth(1).unwrap();
    let map = Keymap::parse("docs/keymap.md", example).unwrap();
    assert_eq!(map.key_name(KeyAction::Press(Button::T6)), "Keypad -");
    assert_eq!(map.key_name(KeyAction::Control(Control::Pause)), "Pause");
}

#[test]
fn the_documentation_lists_every_control_with_its_default_key() {
    let documentation = include_str!("../../../../docs/keymap.md");
    for control in Control::all().map(KeyAction::Control) {
        let row = format!("| `{}` | `{}` |", Keymap::default().key_name(control), control.name());
        assert!(documentation.contains(&row), "{row}");
    }
}

/// Returns the default map of a board with these buttons and suggested keys.
fn of_board(buttons: &[(&str, &str)]) -> Keymap {
    let names = Buttons::new(buttons.iter().map(|(name, _)| *name)).unwrap();
    let keys = buttons.iter().map(|(_, key)| Key::from_name(key));
    Keymap::of_buttons(names.all().iter().copied().zip(keys))
}

#[test]
fn a_described_board_has_its_suggested_keys_and_no_key_twice() {
    // P is PAUSE's and Up is FASTER's by default, and JUMP has no suggestion.
    let map = of_board(&[("A", "P"), ("UP", "Up"), ("JUMP", "")]);
    let key = |name: &str| map.key_name(map.named(name).unwrap());
    assert_eq!([key("A"), key("UP"), key("JUMP")], ["P", "Up", "Z"]);
    assert_eq!([key("FASTER"), key("PAUSE"), key("POWER")], ["C", "X", "F5"]);
    assert_eq!((map.named("HOLDRESET"), map.named("UNDO"), map.named("B1")), (None, None, None));
    let mut keys: Vec<Key> = map.actions().filter_map(|action| map.key(action)).collect();
    let all = keys.len();
    keys.sort();
    keys.dedup();
    assert_eq!(keys.len(), all);
    for action in map.actions() {
        assert_eq!(map.action(map.key(action).unwrap()), Some(action), "{}", action.name());
    }
}

#[test]
fn a_key_map_of_a_described_board_names_its_buttons() {
    let map = of_board(&[("A", "Z"), ("UP", "W")]);
    let parse = |text: &str| Keymap::parse_for(&map, "my.keys", text);
    assert_eq!(parse(&map.to_string()), Ok(map.clone()));
    let own = parse("up = Keypad 8\nA = Q\n").unwrap();
    assert_eq!(own.key_name(own.named("UP").unwrap()), "Keypad 8");
    assert_eq!(own.key_name(own.named("PAUSE").unwrap()), "P");
    let error = |text: &str| parse(text).unwrap_err().to_string();
    assert_eq!(
        error("B1 = Z"),
        "my.keys:1:1: unknown button `B1`; there are A, UP, and the controls that docs/keymap.md \
         lists"
    );
    assert_eq!(error("A = Z"), "my.keys:1:1: UP has no key; a key map names all 2 buttons");
}

#[test]
fn a_button_has_priority_over_a_control_of_its_name() {
    let map = of_board(&[("POWER", "Q")]);
    assert_eq!(map.named("power"), Some(KeyAction::Press(Button::B1)));
    assert_eq!(Keymap::parse_for(&map, "my.keys", &map.to_string()), Ok(map));
}

#[test]
fn the_other_controls_of_a_board_have_keys_too() {
    let buttons = Buttons::new(["A"]).unwrap();
    let controls = trace::Controls::new([
        (ControlKind::Encoder, "DIAL"),
        (ControlKind::Switch, "MODE"),
        (ControlKind::Potentiometer, "LEVEL"),
        (ControlKind::Joystick, "STICK"),
        (ControlKind::Joystick, "OTHER"),
    ]);
    let controls = controls.unwrap();
    let key = |name: &str| Key::from_name(name).unwrap();
    let suggested = [vec![key("Left"), key("Right")], vec![key("M")], vec![], vec![], vec![]];
    let map = Keymap::of_board(
        buttons.all().iter().map(|button| (*button, Some(key("H")))),
        controls.all().iter().copied().zip(suggested),
    );
    let keys = |names: &[&str]| -> Vec<&str> {
        names.iter().map(|name| map.key_name(map.named(name).unwrap())).collect()
    };
    assert_eq!(keys(&["DIAL.CCW", "DIAL.CW", "MODE"]), ["Left", "Right", "M"]);
    assert_eq!(keys(&["LEVEL.LESS", "level.more"]), ["[", "]"]);
    // H is a button's, and D is a control's of the window.
    let cross = ["STICK.LEFT", "STICK.RIGHT", "STICK.UP", "STICK.DOWN"];
    assert_eq!(keys(&cross), ["Keypad 4", "Keypad 6", "Keypad 8", "Keypad 2"]);
    let spare = ["OTHER.LEFT", "OTHER.RIGHT", "OTHER.UP", "OTHER.DOWN", "BACK", "MUTE"];
    assert_eq!(keys(&spare), ["Z", "X", "C", "V", "B", "Q"]);
    let mut all: Vec<Key> = map.actions().filter_map(|action| map.key(action)).collect();
    let count = all.len();
    all.sort();
    all.dedup();
    assert_eq!(all.len(), count);
    // A key map may name them, and need not.
    assert_eq!(Keymap::parse_for(&map, "my.keys", &map.to_string()), Ok(map.clone()));
    let own = Keymap::parse_for(&map, "my.keys", "A = W\nDIAL.CW = T\n").unwrap();
    assert_eq!(own.key_name(own.named("DIAL.CW").unwrap()), "T");
    assert_eq!(own.key_name(own.named("LEVEL.MORE").unwrap()), "]");
    assert_eq!(map.board_controls(), controls.all());
    let rows = control_rows(&map, |action| map.key_name(action).to_owned());
    assert_eq!(rows[0], ("Left Right".to_owned(), "turn DIAL".to_owned()));
    assert_eq!(rows[1], ("M".to_owned(), "switch MODE".to_owned()));
}

#[test]
fn an_action_without_a_free_key_is_left_out() {
    let names: Vec<String> = (0..150).map(|number| format!("S{number}")).collect();
    let controls = names.iter().map(|name| (ControlKind::Switch, name.as_str()));
    let controls = trace::Controls::new(controls).unwrap();
    let map = Keymap::of_board([], controls.all().iter().map(|control| (*control, Vec::new())));
    let keys: Vec<Key> = map.actions().filter_map(|action| map.key(action)).collect();
    assert_eq!(keys.len(), map.actions().count());
    assert_eq!(keys.len(), Key::all().count());
}

#[test]
fn the_keys_of_a_board_file_are_those_of_its_buttons_and_controls() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../examples/own-boards/dial.board.toml");
    let board = boards::DescribedBoard::load(std::path::Path::new(path)).unwrap();
    let parts = board.parts();
    let map = Keymap::of_file(board.file(), &parts.buttons, &parts.controls);
    let key = |name: &str| map.key_name(map.named(name).unwrap());
    assert_eq!([key("PUSH"), key("K1"), key("K4")], ["P", "1", "4"]);
    assert_eq!([key("DIAL.CCW"), key("MODE"), key("STICK.UP")], ["Left", "M", "U"]);
}
