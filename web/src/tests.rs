//! Requests of a page, and invalid requests.

use hal_mock::flash::FLASH_SIZE;
use serde_json::{Value, json};
use virtual_time::Random;

use crate::Engine;

mod controls;
mod described;
mod displays;

const PLAYED: &str = "trace 1\n\n0ms power on\n+0ms wait text \"Player 1's turn\" within 5s\n\
                      +1s tap B3\n+0ms settle within 5s\n+1s tap B4\n+2s end\n";

fn ask(engine: &mut Engine, request: &Value) -> Value {
    let answer = engine.call(request.to_string().as_bytes(), &mut |_, _| None);
    serde_json::from_slice(&answer).expect("an answer is JSON")
}

#[track_caller]
fn answered(engine: &mut Engine, request: &Value) -> Value {
    let answer = ask(engine, request);
    assert!(answer.get("error").is_none(), "{request}: {answer}");
    answer
}

#[track_caller]
fn refused(engine: &mut Engine, request: &Value, message: &str) {
    let answer = ask(engine, request);
    let found = answer["error"]["message"].as_str().unwrap_or_default().to_owned();
    assert!(found.contains(message), "{request}: {answer}");
}

#[test]
fn a_page_plays_a_trace_and_branches_off() {
    let mut engine = Engine::new();
    let opened = answered(&mut engine, &json!({"do": "open", "trace": PLAYED, "name": "a.trace"}));
    assert_eq!((&opened["session"], &opened["errors"]), (&json!(1), &json!([])));
    let end = opened["end"].as_u64().unwrap();
    let state = answered(&mut engine, &json!({"do": "seek", "session": 1, "t": 1_300_000_000.5}));
    assert_eq!((&state["t"], &state["end"]), (&json!(1_300_000_000_u64), &json!(end)));
    assert_eq!(state["powered"], true);
    assert_eq!(engine.pixels(1).map(<[u8]>::len), Some(320 * 240 * 4));
    assert!(engine.pixels(1).unwrap().chunks(4).any(|pixel| pixel[0] > 0 && pixel[3] == 255));

    let texts = answered(&mut engine, &json!({"do": "texts", "session": 1}));
    let texts: Vec<&str> = texts["lines"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|line| line["text"].as_str())
        .collect();
    assert!(texts.join(" ").contains("Player 1's turn"), "{texts:?}");

    let record = answered(&mut engine, &json!({"do": "record", "session": 1}));
    assert_eq!((&record["verdict"], &record["end"]), (&json!("passed"), &json!(end)));
    assert_eq!(record["lines"].as_array().unwrap().len(), PLAYED.lines().count());
    assert_eq!(record["power"], json!([{"at": 0, "on": true}]));
    assert_eq!(record["fingers"].as_array().unwrap().len(), 2);
    assert!(record["frames"].as_array().unwrap().len() > 10);
    let without = answered(&mut engine, &json!({"do": "record", "session": 1, "frames": false}));
    assert!(without.get("frames").is_none());

    let branch =
        answered(&mut engine, &json!({"do": "branch", "session": 1, "t": 2_000_000_000_u64}));
    assert_eq!(branch["session"], 2);
    refused(&mut engine, &json!({"do": "press", "session": 1, "button": "B1"}), "branch off");
    answered(&mut engine, &json!({"do": "press", "session": 2, "button": "B5"}));
    answered(&mut engine, &json!({"do": "release", "session": 2, "button": "B5"}));
    refused(&mut engine, &json!({"do": "type", "session": 1, "text": "help"}), "branch off");
    refused(
        &mut engine,
        &json!({"do": "type", "session": 2, "text": "h\u{e9}lp"}),
        "printable ASCII",
    );
    refused(&mut engine, &json!({"do": "type", "session": 2, "text": " "}), "printable ASCII");
    answered(&mut engine, &json!({"do": "type", "session": 2, "text": "help"}));
    let run =
        answered(&mut engine, &json!({"do": "run", "session": 2, "until": 4_000_000_000_u64}));
    assert!(!run["events"]["frames"].as_array().unwrap().is_empty());
    assert!(!run["events"]["tones"].as_array().unwrap().is_empty());
    let console = run["events"]["console"].as_array().unwrap();
    assert!(
        console.iter().any(|line| line["text"].as_str().unwrap().contains("help")),
        "{console:?}"
    );
    let saved = answered(&mut engine, &json!({"do": "save", "session": 2}));
    assert!(saved["trace"].as_str().unwrap().contains("type \"help\""), "{saved}");
    let found = answered(&mut engine, &json!({"do": "compare", "a": 1, "b": 2}));
    assert_eq!(found["same"], false);
    let saved = answered(&mut engine, &json!({"do": "save", "session": 2}));
    let saved = saved["trace"].as_str().unwrap();
    assert!(saved.contains("tap B5 for 30ms") && saved.contains("within 5s"), "{saved}");
    answered(&mut engine, &json!({"do": "close", "session": 2}));
    refused(&mut engine, &json!({"do": "state", "session": 2}), "no session 2");
}

#[test]
fn a_moment_is_inspected() {
    let mut engine = Engine::new();
    answered(&mut engine, &json!({"do": "open", "trace": PLAYED}));
    answered(&mut engine, &json!({"do": "seek", "session": 1, "t": 1_300_000_000_u64}));
    let pixel = answered(&mut engine, &json!({"do": "pixel", "session": 1, "x": 160, "y": 8}));
    assert!(pixel["written"]["drawn"]["element"].is_string(), "{pixel}");
    let transaction = &pixel["written"]["transaction"];
    assert!(transaction["end"].as_u64() > transaction["start"].as_u64());
    refused(&mut engine, &json!({"do": "pixel", "session": 1, "x": 320, "y": 8}), "320");
    let panel = answered(&mut engine, &json!({"do": "panel", "session": 1}));
    assert_eq!((&panel["asleep"], &panel["display_on"]), (&json!(false), &json!(true)));
    let flash = answered(&mut engine, &json!({"do": "flash", "session": 1}));
    assert_eq!(flash["sectors"].as_array().unwrap().len(), 64);
}

#[test]
fn a_pixel_of_a_board_with_a_flash_file_needs_no_disk() {
    let mut engine = Engine::new();
    let trace = PLAYED.replacen("trace 1\n", "trace 1\nflash new.flash\n", 1);
    let request = json!({
        "do": "open", "trace": trace, "blobs": {"new.flash": {"ptr": 8, "len": FLASH_SIZE}},
    });
    let mut blob = |_, len: u64| Some(vec![0xFF; usize::try_from(len).unwrap()]);
    let opened = engine.call(request.to_string().as_bytes(), &mut blob);
    let opened: Value = serde_json::from_slice(&opened).unwrap();
    assert_eq!(opened["errors"], json!([]), "{opened}");
    answered(&mut engine, &json!({"do": "seek", "session": 1, "t": 1_300_000_000_u64}));
    let pixel = answered(&mut engine, &json!({"do": "pixel", "session": 1, "x": 160, "y": 8}));
    assert!(pixel["written"]["drawn"]["element"].is_string(), "{pixel}");
    answered(&mut engine, &json!({"do": "thoughts", "session": 1}));
}

#[test]
fn the_computer_thinks_until_it_has_decided_and_plays_that() {
    let mut engine = Engine::new();
    let header = "players demo\nlevel intermediate";
    answered(&mut engine, &json!({"do": "open", "header": header}));
    let at = |engine: &mut Engine, t: u64| {
        let run = json!({"do": "run", "session": 1, "until": t * 1_000_000});
        let run = answered(engine, &run);
        (answered(engine, &json!({"do": "thoughts", "session": 1})), run)
    };
    assert_eq!(at(&mut engine, 100).0, json!({"moves": [], "known": true, "of": "board"}));
    let (mut considered, mut decided) = (false, None::<String>);
    for t in (700..9_000).step_by(100) {
        let (thoughts, run) = at(&mut engine, t);
        let played = run["events"]["console"].as_array().unwrap().iter();
        let mut played = played.filter_map(|line| line["text"].as_str()?.split(" move=").nth(1));
        if let (Some(decided), Some(played)) = (&decided, played.next()) {
            let (row, number) = str::split_at(decided, 1);
            let number: u32 = number.parse().unwrap();
            let place = if row == "B" { number - 1 } else { 13 - number };
            assert!(played.starts_with(&format!("{place} ")), "{decided}: {played}");
            assert!(considered);
            return;
        }
        let moves = thoughts["moves"].as_array().unwrap();
        let value = |button: &Value| {
            let found = moves.iter().find(|one| one["button"] == *button).unwrap();
            found["value"].as_f64()
        };
        considered |= thoughts["in_hand"].is_string()
            && moves.len() > 1
            && moves.iter().any(|one| one["value"].is_number());
        if let Some(button) = thoughts["decided"].as_str() {
            assert!(thoughts["in_hand"].is_null());
            assert!(value(&thoughts["decided"]).is_some(), "{thoughts}");
            decided = Some(button.to_owned());
        }
    }
    panic!("the computer has not moved");
}

#[test]
fn an_expectation_is_inserted_at_its_time() {
    let mut engine = Engine::new();
    answered(&mut engine, &json!({"do": "open", "trace": PLAYED}));
    let t = 1_200_000_000_u64;
    let expect = |kind: &str, more: Value| {
        let mut request = json!({"do": "expect", "session": 1, "t": t, "kind": kind});
        for (name, value) in more.as_object().unwrap() {
            request[name] = value.clone();
        }
        request
    };
    refused(&mut engine, &expect("text", json!({"text": "GAME OVER"})), "does not hold");
    refused(&mut engine, &expect("region", json!({"name": "a/b"})), "no name of a golden");
    refused(&mut engine, &expect("text", json!({"text": "x", "region": [1, 2, 3]})), "`region` is");
    for (kind, more, expected) in [
        ("text", json!({"text": "Player 1's turn"}), "expect text \"Player 1's turn\""),
        ("region", json!({"name": "part", "region": [0, 0, 9, 9]}), "expect frame part in 0,0,9,9"),
        ("settled", json!({}), "settle within 5s"),
        ("tone", json!({}), "expect no tone"),
    ] {
        let answer = answered(&mut engine, &expect(kind, more));
        let line = answer["text"].as_str().unwrap();
        assert!(line.ends_with(expected), "{kind}: {line}");
        assert!(!line.contains("us ") && !line.contains("ns "), "{kind}: {line}");
        let trace = answer["trace"].as_str().unwrap();
        let opened = answered(&mut engine, &json!({"do": "open", "trace": trace}));
        let session = &opened["session"];
        let record = answered(&mut engine, &json!({"do": "record", "session": session}));
        assert_eq!(record["verdict"], "passed", "{trace}");
        answered(&mut engine, &json!({"do": "close", "session": session}));
    }
}

#[test]
fn a_trace_with_errors_is_opened_with_them() {
    let mut engine = Engine::new();
    let trace = "trace 1\nsead 1\n0ms power on\n+1s tpa B3\n";
    let opened = answered(&mut engine, &json!({"do": "open", "trace": trace}));
    assert_eq!(opened["errors"][0]["line"], 4);
    let record = answered(&mut engine, &json!({"do": "record", "session": 1}));
    assert_eq!(record["verdict"], "unusable");
    assert_eq!(record["lines"][3]["verdict"], "failed");
    refused(&mut engine, &json!({"do": "seek", "session": 1, "t": 0}), "has errors");
    assert_eq!(engine.pixels(1), None);
    let opened =
        answered(&mut engine, &json!({"do": "open", "trace": "trace 1\nsead 1\n0ms power on\n"}));
    assert_eq!(opened["errors"][0]["line"], 2);
    refused(&mut engine, &json!({"do": "open", "header": "sead 1"}), "did you mean `seed`");
    refused(&mut engine, &json!({"do": "open", "board": "pico"}), "needs an `elf`");
}

/// Returns a random value, often one that a request accepts.
fn value(random: &mut Random, depth: u32) -> Value {
    const TEXTS: [&str; 16] = [
        "",
        "B3",
        "RESET",
        "frame",
        "transaction",
        "text",
        "region",
        "settled",
        "tone",
        "native",
        "pico",
        "part",
        "trace 1\n\n0ms power on\n+1s tap B3\n",
        "seed 7",
        "\u{1F600}",
        "Player 1's turn",
    ];
    match random.below(if depth > 2 { 6 } else { 8 }) {
        0 => Value::Null,
        1 => json!(random.below(2) == 0),
        2 => json!(random.below(4)),
        3 => json!(random.below(9_000_000_000)),
        4 => json!(
            [-1.0, 0.5, 1e300, 18_446_744_073_709_551_615_u64 as f64][random.below(4) as usize]
        ),
        5 => json!(TEXTS[random.below(16) as usize]),
        6 => (0..random.below(5)).map(|_| value(random, depth + 1)).collect(),
        _ => object(random, depth + 1),
    }
}

fn object(random: &mut Random, depth: u32) -> Value {
    const NAMES: [&str; 20] = [
        "session", "t", "until", "unit", "back", "button", "on", "a", "b", "x", "y", "kind",
        "text", "region", "name", "trace", "files", "blobs", "ptr", "frames",
    ];
    let mut fields = json!({});
    for _ in 0..random.below(if depth == 0 { 16 } else { 4 }) {
        fields[NAMES[random.below(20) as usize]] = value(random, depth);
    }
    fields
}

#[test]
fn no_request_makes_it_panic() {
    const DO: [&str; 21] = [
        "version", "open", "close", "record", "seek", "run", "step", "press", "release", "power",
        "branch", "compare", "save", "texts", "pixel", "panel", "flash", "thoughts", "expect",
        "nothing", "type",
    ];
    let mut engine = Engine::new();
    let mut random = Random::new(11);
    answered(&mut engine, &json!({"do": "open", "trace": PLAYED}));
    answered(&mut engine, &json!({"do": "open"}));
    let mut carried_out = 0;
    for _ in 0..1_500 {
        let mut request = object(&mut random, 0);
        request["do"] = json!(DO[random.below(21) as usize]);
        // Most requests name an existing session and a time in its near future.
        if random.below(4) > 0 {
            request["session"] = json!(1 + random.below(3));
            request["t"] = json!(random.below(6_000_000_000));
            request["until"] = json!(random.below(6_000_000_000));
        }
        if request["do"] == "close" && random.below(4) > 0 {
            continue;
        }
        let answer = ask(&mut engine, &request);
        carried_out += u32::from(answer.get("error").is_none());
        // The number of open sessions is limited.
        if let Some(session) = answer["session"].as_u64().filter(|session| *session > 3) {
            answered(&mut engine, &json!({"do": "close", "session": session}));
        }
        engine.pixels(random.below(5));
    }
    assert!(carried_out > 100, "only {carried_out} requests were carried out");
    for bytes in
        [&b""[..], b"{", b"[]", b"7", b"\xFF", b"{\"do\":7}", b"{\"do\":\"open\",\"elf\":{}}"]
    {
        let answer = engine.call(bytes, &mut |_, _| None);
        assert!(String::from_utf8(answer).unwrap().starts_with("{\"error\""));
    }
}
