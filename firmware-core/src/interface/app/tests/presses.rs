//! Each kind of press in each state of the app: the note that it plays, and what the LCD shows
//! after it.
//!
//! The table has a row for each state and a column for each kind of press, so that a condition that
//! concerns one of them alone has its cell.

use std::format;
use std::vec::Vec;

use super::super::state::{Activity, State};
use super::*;

/// Kinds of presses, in the order of the columns of [`TABLE`].
const PRESSES: [&[&str]; 6] =
    [&["B3"], &["T1"], &["RESET"], &["RESET", "T5"], &["RESET", "T6"], &["RESET", "B2"]];

/// States in which a button is pressed.
const STATES: [&str; 13] = [
    "waiting",
    "counting",
    "advising",
    "moving",
    "thinking",
    "helping",
    "over",
    "demo",
    "lesson",
    "question",
    "editing",
    "edit keys",
    "off",
];

/// Frequency of the note and the name of what the LCD shows then.
const TABLE: [(&str, [&str; 6]); 13] = [
    (
        "waiting",
        [
            "220 waiting Refused",
            "0 moving",
            "0 waiting Restarted",
            "1568 Help",
            "1568 waiting",
            "220 waiting NoChord",
        ],
    ),
    (
        "counting",
        [
            "1568 counting",
            "1568 counting",
            "0 Question",
            "1568 Help",
            "1568 waiting",
            "220 counting NoChord",
        ],
    ),
    (
        "advising",
        [
            "220 waiting Refused",
            "0 moving",
            "0 waiting Restarted",
            "1568 Help",
            "1568 waiting",
            "220 advising NoChord",
        ],
    ),
    (
        "moving",
        [
            "1047 waiting",
            "1047 waiting",
            "0 waiting Restarted",
            "1568 Help",
            "1568 waiting",
            "220 moving NoChord",
        ],
    ),
    (
        "thinking",
        [
            "220 Move NotYetYours",
            "220 Move NotYetYours",
            "0 waiting Restarted",
            "1568 Notice",
            "1568 waiting",
            "220 Move NoChord",
        ],
    ),
    (
        "helping",
        [
            "220 Help",
            "220 Help",
            "0 waiting Restarted",
            "1568 Help",
            "1568 waiting",
            "220 Help NoChord",
        ],
    ),
    (
        "over",
        [
            "220 waiting PlayOn",
            "220 waiting PlayOn",
            "0 waiting",
            "1568 Notice",
            "1568 waiting",
            "220 waiting NoChord",
        ],
    ),
    (
        "demo",
        [
            "0 Move HoldToLeave",
            "0 Move HoldToLeave",
            "0 Move",
            "1568 Notice",
            "1568 Notice",
            "220 Move NoChord",
        ],
    ),
    (
        "lesson",
        [
            "220 HowToPlay",
            "220 HowToPlay",
            "0 waiting",
            "220 waiting",
            "220 waiting",
            "1568 HowToPlay",
        ],
    ),
    (
        "question",
        ["220 Question", "220 Question", "0 waiting", "220 waiting", "220 waiting", "220 waiting"],
    ),
    (
        "editing",
        [
            "1568 holding",
            "1568 holding",
            "0 Edit",
            "1568 Edit",
            "1568 Edit",
            "220 Edit EditNothing",
        ],
    ),
    (
        "edit keys",
        [
            "1568 Edit",
            "220 Edit",
            "0 editing",
            "220 editing",
            "220 editing",
            "220 editing EditNothing",
        ],
    ),
    (
        "off",
        [
            "0 off",
            "0 off",
            "0 waiting Resumed",
            "0 waiting Resumed",
            "0 waiting Resumed",
            "0 waiting Resumed",
        ],
    ),
];

/// A board in this state, after a move of each player that can be taken back.
fn board_in(state: &str) -> Scene {
    let players = match state {
        "thinking" => Players::One,
        "demo" => Players::Demo,
        _ => Players::Two,
    };
    let game = if state == "counting" { Game::Wari } else { Game::Board };
    let mut scene = Scene::with(Settings { players, ..playing(game) });
    if state == "counting" {
        scene.tap("B2");
    }
    if players == Players::Two {
        scene.tap("B2");
        scene.wait(9_000);
    }
    match state {
        "counting" => {
            scene.tap("T2");
            scene.tap("T2");
            scene.wait(9_000);
            scene.tap("B4");
        }
        "waiting" | "demo" => {}
        "advising" => {
            scene.choose(Entry::Help);
            scene.wait(2_000);
        }
        "moving" => scene.tap("T3"),
        "thinking" => {
            scene.tap("B2");
            scene.wait(1_000);
        }
        "helping" => scene.choose(Entry::Help),
        "over" => {
            scene.choose(Entry::Resign);
            scene.tap("B1");
            scene.wait(2_000);
        }
        "lesson" => scene.choose(Entry::HowToPlay),
        "question" => scene.choose(Entry::NewBoard),
        "editing" | "edit keys" => {
            scene.choose(Entry::EditBoard);
            if state == "edit keys" {
                scene.tap("RESET");
            }
        }
        "off" => {
            scene.choose(Entry::Quit);
            scene.tap("B1");
        }
        other => panic!("{other}"),
    }
    scene
}

/// Returns the first word of a value's text for debugging.
fn name(value: &impl core::fmt::Debug) -> String {
    let text = format!("{value:?}");
    let end = text.find(|letter: char| !letter.is_alphanumeric()).unwrap_or(text.len());
    text[..end].into()
}

/// Presses the buttons one after the other, releases them, and returns what comes of it.
fn press(scene: &mut Scene, buttons: &[&str]) -> String {
    for button in buttons {
        scene.edge(button, true);
    }
    let note = scene.app.tone(scene.now).0.unwrap_or(0);
    for button in buttons.iter().rev() {
        scene.edge(button, false);
    }
    let notice = scene.app.display.notice.map(|(message, _)| name(&message)).unwrap_or_default();
    let shows = match &scene.app.state {
        State::Board(activity) => match activity {
            Activity::Waiting => "waiting".into(),
            Activity::Counting(_) => "counting".into(),
            Activity::Advising(..) => "advising".into(),
            Activity::Moving(_) => "moving".into(),
            Activity::Thinking(thinking) => name(&thinking.purpose),
        },
        State::Editing { keys: false, draft } if draft.holding.is_some() => "holding".into(),
        State::Editing { keys: false, .. } => "editing".into(),
        State::Off => "off".into(),
        other => other.page().map(|(page, _)| name(&page)).unwrap_or_default(),
    };
    format!("{note} {shows} {notice}").trim_end().into()
}

#[test]
fn each_press_in_each_state_does_what_the_table_says() {
    let table: Vec<(&str, Vec<String>)> = STATES
        .into_iter()
        .map(|state| {
            let cell = |buttons: &&[&str]| press(&mut board_in(state), buttons);
            (state, PRESSES.iter().map(cell).collect())
        })
        .collect();
    let expected: Vec<(&str, Vec<String>)> =
        TABLE.into_iter().map(|(state, cells)| (state, cells.map(Into::into).to_vec())).collect();
    let lines: Vec<String> = table.iter().map(|row| format!("    {row:?},")).collect();
    assert!(table == expected, "the table is\n{}", lines.join("\n"));
}
