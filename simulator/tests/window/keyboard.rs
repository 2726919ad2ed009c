//! Tests the names of keys on the user's keyboard, and the user's own key maps.

use std::fs;

use ili9341_model::Frame;
use live::keymap::{Control, Key, KeyAction, Keymap, button_rows};
use reading::golden::write_png;
use trace::Button;
use window::face::{Face, Labels, Recording, Theme, View, help};

use crate::desktop::{Desktop, key};
use crate::{board_of, check_replay, folder, input_names, layout, output_text, panel_of};

/// The keys of the key map that are at other places on a French keyboard than on a US one.
const FRENCH: [(char, char); 2] = [('q', 'a'), ('w', 'z')];

fn is_lit(window: &Frame) -> bool {
    panel_of(window, &layout(1), 1).pixels().iter().any(|pixel| *pixel != 0)
}

/// Returns the name of the key on a keyboard on which the keys of `pairs` are swapped.
fn name_of(key: Key, pairs: &[(char, char)]) -> String {
    let name = key.name();
    for (one, other) in pairs {
        let [one, other] = [one, other].map(|letter| letter.to_uppercase().to_string());
        if name == one {
            return other;
        }
        if name == other {
            return one;
        }
    }
    name.to_owned()
}

/// Draws the board with the key names of such a keyboard, around the panel that `window` shows.
fn board_with(window: &Frame, pairs: &[(char, char)], view: &View) -> Frame {
    let labels = Labels::with_names(&Keymap::default(), |key| Some(name_of(key, pairs)));
    let mut face = Face::new(layout(1), labels);
    face.draw(view);
    face.with_panel(&panel_of(window, &layout(1), 1))
}

/// Draws the list of keys in the window, for such a keyboard.
fn list_with(size: (u32, u32), pairs: &[(char, char)]) -> Frame {
    let keymap = Keymap::default();
    let name = |action| name_of(keymap.key(action).unwrap(), pairs);
    let mut rows = button_rows(&keymap, name);
    let row = |control: Control| (name(KeyAction::Control(control)), control.what().to_owned());
    rows.extend(Control::all().map(row));
    for (key, what) in [
        ("Ctrl-click", "hold a button until the next click"),
        ("drop a file", "run a trace, ELF or UF2"),
        ("strip", "drag: any time; wheel: zoom, with Shift move"),
    ] {
        rows.push((key.to_owned(), what.to_owned()));
    }
    help(size, Theme::Dark, "All keys, as this keyboard names them", &rows)
}

#[test]
fn key_names_follow_the_keyboard_layout() {
    let folder = folder("keyboard");
    let mut desktop =
        Desktop::new(&folder, &["--record", "w.trace", "--seed", "7", "--scale", "1"]);
    let view = View { recording: Recording::To("w".into()), ..View::default() };
    let american = desktop.settled(is_lit);
    assert!(board_of(&american, &layout(1)) == board_with(&american, &[], &view));
    desktop.tap_named(key::F1);
    let listed = desktop.settled_after(&american);
    assert!(listed == list_with(desktop.size(), &[]));

    // The list covers the board, and gets new names.
    desktop.swap_keys(&FRENCH);
    // Each pair of keys is swapped separately, so the list may be visible between two swaps.
    let named_anew = list_with(desktop.size(), &FRENCH);
    let french = desktop.settled(|window| *window == named_anew);
    write_png(folder.join("list.png"), &french).unwrap();
    desktop.tap_named(key::F1);
    let caps = desktop.settled_after(&french);
    write_png(folder.join("caps.png"), &caps).unwrap();
    assert!(board_of(&caps, &layout(1)) == board_with(&caps, &FRENCH, &view));
    assert!(board_of(&caps, &layout(1)) != board_of(&american, &layout(1)));
    // B1 is at the position of Z on a US keyboard; here that key is W.
    desktop.tap('w');
    let last = desktop.settled_after(&caps);
    let output = desktop.close();
    assert!(output.status.success(), "{}", output_text(&output));
    let panel = panel_of(&last, &layout(1), 1);
    let names = input_names(&check_replay(&folder.join("w.trace"), &panel));
    assert_eq!(names, ["power on", "press of B1", "release of B1", "end"]);
}

#[test]
fn a_custom_key_map_works_and_is_shown_on_the_buttons() {
    let folder = folder("own-keys");
    let own = Keymap::default().to_string();
    // Buttons and a control on other keys.
    let own = own.replace("B3 = C\n", "B3 = 3\n").replace("PAUSE = P\n", "PAUSE = J\n");
    assert!(own.contains("B3 = 3\n") && own.contains("PAUSE = J\n"), "{own}");
    fs::write(folder.join("own.keys"), own).unwrap();
    let arguments = ["--record", "w.trace", "--seed", "7", "--scale", "1", "--keymap", "own.keys"];
    let mut desktop = Desktop::new(&folder, &arguments);
    let booted = desktop.settled(is_lit);
    // The former keys have no function.
    desktop.tap('c');
    desktop.tap('p');
    desktop.tap('3');
    let played = desktop.settled_after(&booted);
    let panel = |window: &Frame| panel_of(window, &layout(1), 1);
    assert!(panel(&played) != panel(&booted));
    desktop.tap('j');
    let paused = desktop.settled_after(&played);
    assert!(panel(&paused) == panel(&played));
    let text = fs::read_to_string(folder.join("own.keys")).unwrap();
    let keymap = Keymap::parse("own.keys", &text).unwrap();
    let mut face = Face::new(layout(1), Labels::new(&keymap));
    let running = window::face::Running::Paused;
    face.draw(&View { running, recording: Recording::To("w".into()), ..View::default() });
    assert!(face.with_panel(&panel(&paused)) == board_of(&paused, &layout(1)));
    let output = desktop.close();
    assert!(output.status.success(), "{}", output_text(&output));
    let trace = check_replay(&folder.join("w.trace"), &panel(&paused));
    let [press, release] = [Button::B3; 2].map(|button| format!("{button}"));
    let expected = [
        "power on".to_owned(),
        format!("press of {press}"),
        format!("release of {release}"),
        "end".to_owned(),
    ];
    assert_eq!(input_names(&trace), expected);
}

#[test]
fn a_key_that_was_changed_in_the_window_is_kept() {
    let folder = folder("remapped");
    let arguments = ["--seed", "7", "--scale", "1", "--record", "one.trace"];
    let mut desktop = Desktop::new(&folder, &arguments);
    let booted = desktop.settled(is_lit);
    desktop.tap_named(key::F10);
    desktop.tap('c');
    desktop.tap('j');
    desktop.tap('c');
    desktop.tap('j');
    let played = desktop.settled_after(&booted);
    write_png(folder.join("remapped.png"), &played).unwrap();
    assert!(desktop.close().status.success());
    let recording = fs::read_to_string(folder.join("one.trace")).unwrap();
    assert_eq!(recording.matches("press B3").count(), 1, "{recording}");
    let kept = fs::read_to_string(folder.join("nudge/keys.txt")).unwrap();
    assert!(kept.contains("B3 = J\n"), "{kept}");
    let arguments = ["--seed", "7", "--scale", "1", "--record", "two.trace"];
    let mut desktop = Desktop::new(&folder, &arguments);
    let booted = desktop.settled(is_lit);
    desktop.tap('j');
    desktop.settled_after(&booted);
    assert!(desktop.close().status.success());
    let recording = fs::read_to_string(folder.join("two.trace")).unwrap();
    assert!(recording.contains("press B3"), "{recording}");
}
