//! Movements within the start of the firmware, which blocks for about 265 ms.

use serde_json::{Value, json};
use virtual_time::Random;

use super::played::check_same;
use super::{ask, dispatcher};
use crate::Dispatcher;

fn advance(dispatcher: &mut Dispatcher, by: &str) {
    ask(dispatcher, "advance", json!({"by": by}));
}

fn has_stuck(dispatcher: &mut Dispatcher) -> bool {
    ask(dispatcher, "read", json!({}))["console"].to_string().contains("stuck")
}

#[test]
fn a_press_within_the_start_has_its_time() {
    let folder = tempfile::tempdir().unwrap();
    let mut dispatcher = dispatcher(folder.path(), true);
    ask(&mut dispatcher, "boot", json!({"header": {"seed": 7}}));
    advance(&mut dispatcher, "100ms");
    ask(&mut dispatcher, "press", json!({"button": "B2"}));
    advance(&mut dispatcher, "50ms");
    ask(&mut dispatcher, "release", json!({"button": "B2"}));
    ask(&mut dispatcher, "tap", json!({"button": "T1", "hold": "30ms"}));
    advance(&mut dispatcher, "2s");
    assert!(!has_stuck(&mut dispatcher));
    let text = check_same(&mut dispatcher, 1);
    let inputs: Vec<&str> =
        text.lines().filter(|line| line.contains(" B2") || line.contains("tap")).collect();
    assert_eq!(
        inputs,
        ["+100ms  press B2", "+50ms   release B2", "+0ms    tap T1 for 30ms"],
        "{text}"
    );
    let file = std::fs::read_to_string(folder.path().join("session.trace")).unwrap();
    assert!(text.starts_with(file.trim_end()), "{file}");
}

#[test]
fn a_release_within_a_later_start_is_in_time() {
    let folder = tempfile::tempdir().unwrap();
    let mut dispatcher = dispatcher(folder.path(), false);
    ask(&mut dispatcher, "boot", json!({"header": {"seed": 7}}));
    ask(&mut dispatcher, "settle", json!({"within": "5s"}));
    ask(&mut dispatcher, "press", json!({"button": "B2"}));
    ask(&mut dispatcher, "power", json!({"on": false}));
    advance(&mut dispatcher, "1s");
    ask(&mut dispatcher, "power", json!({"on": true}));
    advance(&mut dispatcher, "1ms");
    ask(&mut dispatcher, "release", json!({"button": "B2"}));
    advance(&mut dispatcher, "1s");
    assert!(!has_stuck(&mut dispatcher));
    let text = check_same(&mut dispatcher, 1);
    // The session as it was between power-on and release: B2 stays down.
    let released = text.lines().position(|line| line == "+1ms    release B2").is_some();
    assert!(released, "{text}");
    let now = ask(&mut dispatcher, "trace", json!({}))["t"].as_u64().unwrap();
    let fork = ask(&mut dispatcher, "fork", json!({"session": 1, "at": now - 1_000_500_000}));
    let fork = fork["session"].as_u64().unwrap();
    ask(&mut dispatcher, "advance", json!({"session": fork, "by": "2s"}));
    let read = ask(&mut dispatcher, "read", json!({"session": fork}));
    assert!(read["console"].to_string().contains("stuck button=B2"), "{read}");
    check_same(&mut dispatcher, fork);
}

#[test]
fn sessions_with_movements_within_each_start_replay_to_the_same_outputs() {
    let mut random = Random::new(3);
    let mut within = 0;
    for case in 0..24 {
        let folder = tempfile::tempdir().unwrap();
        let mut dispatcher = dispatcher(folder.path(), false);
        ask(&mut dispatcher, "boot", json!({"header": {"seed": case}}));
        let mut draw = |count| random.below(count);
        for _ in 0..16 {
            // A press of a button that is down is refused, and changes nothing.
            let call = |dispatcher: &mut Dispatcher, method: &str, params: Value| {
                let _ = dispatcher.call(method, Some(params));
            };
            let button = ["B1", "B3", "T2", "RESET"][draw(4) as usize];
            match draw(9) {
                0 | 1 => call(&mut dispatcher, "press", json!({"button": button})),
                2 | 3 => call(&mut dispatcher, "release", json!({"button": button})),
                4 => call(&mut dispatcher, "tap", json!({"button": button, "hold": "20ms"})),
                5 => {
                    call(&mut dispatcher, "power", json!({"on": false}));
                    call(&mut dispatcher, "power", json!({"on": true}));
                }
                6 => call(&mut dispatcher, "do", json!({"line": "type \"stats\""})),
                7 => {
                    let now = ask(&mut dispatcher, "trace", json!({}))["t"].as_u64().unwrap();
                    call(&mut dispatcher, "rewind", json!({"to": draw(now.max(1))}));
                }
                _ => {
                    let by = 1_000_000 + draw(150_000_000);
                    call(&mut dispatcher, "advance", json!({"by": by}));
                    within += usize::from(by < 100_000_000);
                }
            }
        }
        check_same(&mut dispatcher, 1);
    }
    assert!(within > 10, "{within}");
}

#[test]
fn lines_are_answered_once_although_the_board_drops_the_oldest() {
    let folder = tempfile::tempdir().unwrap();
    let mut dispatcher = dispatcher(folder.path(), false);
    ask(&mut dispatcher, "boot", json!({"header": {"seed": 7}}));
    ask(&mut dispatcher, "settle", json!({"within": "5s"}));
    dispatcher.session(1).unwrap().board().keep_outputs(256, 4);
    for _ in 0..30 {
        ask(&mut dispatcher, "do", json!({"line": "type \"help\""}));
        advance(&mut dispatcher, "500ms");
    }
    let first = ask(&mut dispatcher, "read", json!({}))["console"].as_array().unwrap().len();
    assert!(first > 0);
    let again = ask(&mut dispatcher, "read", json!({}));
    assert_eq!((&again["console"], &again["tones"]), (&json!([]), &json!([])));
    ask(&mut dispatcher, "do", json!({"line": "type \"nonsense\""}));
    advance(&mut dispatcher, "500ms");
    let last = ask(&mut dispatcher, "read", json!({}))["console"].clone();
    assert!(!last.as_array().unwrap().is_empty(), "{last}");
}
