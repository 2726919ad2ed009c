//! Actions in a dispatcher's session are a trace, which replays to the same result.

use std::fs;
use std::path::Path;

use firmware_board::native;
use hal_mock::{
    board::{ConsoleLine, Tone},
    flash::FLASH_SIZE,
    replay::{ReplaySettings, Unjudged, Verdict, replay},
};
use ili9341_model::Frame;
use reading::text::Reader;
use serde_json::{Value, json};
use trace::{parse, parse_with};
use virtual_time::Instant;

use super::{BUILT, ask, dispatcher, refused};
use crate::{Dispatcher, FaultKind, SESSIONS_MAX};

/// Output of the board up to a time: the last frame, the number of frames, the console lines, and
/// the tones.
type Seen = (Frame, u64, Vec<ConsoleLine>, Vec<Tone>);

/// Replays the text of a trace. Returns its verdict, the time of its end, and the output.
fn replayed(text: &str) -> (Verdict, Instant, Seen) {
    let trace = parse("some.trace", text).expect("a trace");
    let mut machine = native::build(&trace, None).expect("a machine");
    let reader = Reader::new(native::fonts());
    let settings = ReplaySettings::default();
    let outcome = replay(&trace, machine.as_mut(), &reader, &mut Unjudged, &settings);
    let (board, at) = (machine.board(), outcome.ended_at);
    let console = board.console_lines().into_iter().filter(|line| line.at <= at).collect();
    let tones = board.tones().into_iter().filter(|tone| tone.at <= at).collect();
    let seen = (board.frame_at(at), board.frame_count_at(at), console, tones);
    (outcome.verdict, at, seen)
}

/// Checks that the session's trace replays to the session's frame, console output and tones.
#[track_caller]
pub(super) fn check_same(dispatcher: &mut Dispatcher, session: u64) -> String {
    let session = json!({"session": session});
    let answer = ask(dispatcher, "trace", session.clone());
    let text = answer["trace"].as_str().expect("a text").to_owned();
    let (_, at, (frame, frames, console, tones)) = replayed(&text);
    assert_eq!(json!(at.0), answer["t"], "{text}");
    // A fork has the output since power-on, not since the last call.
    let whole = ask(dispatcher, "fork", session);
    let number = whole["session"].as_u64().expect("a number");
    let live = dispatcher_session(dispatcher, number);
    assert_eq!((live.1, live.2, live.3), (frames, console, tones), "{text}");
    assert!(live.0 == frame, "{text}");
    ask(dispatcher, "close", json!({"session": number}));
    text
}

fn dispatcher_session(dispatcher: &mut Dispatcher, number: u64) -> Seen {
    let session = dispatcher.session(number).expect("a session");
    let (board, at) = (session.board(), session.clock());
    let console = board.console_lines().into_iter().filter(|line| line.at <= at).collect();
    let tones = board.tones().into_iter().filter(|tone| tone.at <= at).collect();
    (board.frame_at(at), board.frame_count_at(at), console, tones)
}

#[test]
fn a_session_is_a_trace_that_replays_to_the_same_outputs() {
    let folder = tempfile::tempdir().unwrap();
    let mut dispatcher = dispatcher(folder.path(), false);
    let booted = ask(&mut dispatcher, "boot", json!({"header": {"seed": 7, "bounce": "3ms"}}));
    assert_eq!(booted["session"], 1);
    ask(&mut dispatcher, "wait_text", json!({"text": "Player 1's turn", "within": "5s"}));
    // The spans are odd numbers, so that steps of the firmware go beyond them.
    for (nth, button) in ["B3", "B1", "T2", "T5", "B6", "RESET", "T1"].into_iter().enumerate() {
        ask(&mut dispatcher, "advance", json!({"by": format!("{}us", 517_003 + 61_311 * nth)}));
        ask(&mut dispatcher, "tap", json!({"button": button}));
        ask(&mut dispatcher, "advance", json!({"by": "3ms"}));
    }
    ask(&mut dispatcher, "chord", json!({"buttons": ["RESET", "T6", "B2"]}));
    ask(&mut dispatcher, "settle", json!({"within": "20s"}));
    ask(&mut dispatcher, "reset", json!({"hold": "1200ms"}));
    ask(&mut dispatcher, "do", json!({"line": "fault stuck B4"}));
    ask(&mut dispatcher, "press", json!({"button": "B1"}));
    ask(&mut dispatcher, "power", json!({"on": false}));
    ask(&mut dispatcher, "advance", json!({"by": 1_234_567}));
    ask(&mut dispatcher, "power", json!({"on": true}));
    ask(&mut dispatcher, "release", json!({"button": "B1"}));
    ask(&mut dispatcher, "advance", json!({"by": "1.5s"}));
    let text = check_same(&mut dispatcher, 1);
    assert!(text.contains("tap RESET for 1.2s") && text.contains("fault stuck B4"), "{text}");
    assert_eq!(replayed(&text).0, Verdict::Passed, "{text}");
}

#[test]
fn failed_expectations_stay_and_an_unmet_wait_ends_the_trace() {
    let folder = tempfile::tempdir().unwrap();
    let mut dispatcher = dispatcher(folder.path(), false);
    ask(&mut dispatcher, "boot", json!({}));
    ask(&mut dispatcher, "settle", json!({"within": "5s"}));
    ask(
        &mut dispatcher,
        "expect_text",
        json!({"text": "Player 1's turn", "region": [0, 90, 320, 60]}),
    );
    let fault = refused(&mut dispatcher, "expect_text", json!({"text": "GAME OVER"}));
    assert_eq!(fault.kind, FaultKind::Expectation);
    let shown = fault.data.unwrap()["shown"].to_string();
    assert!(shown.contains("Player 1's turn"), "{shown}");
    let fault = refused(&mut dispatcher, "wait_text", json!({"text": "GAME OVER", "within": "2s"}));
    assert_eq!(fault.kind, FaultKind::NotMet);
    let text = check_of(&mut dispatcher, "trace");
    let last = text.lines().last().unwrap();
    assert!(last.contains("wait text \"GAME OVER\" within 2s"), "{text}");
    let (verdict, ..) = replayed(&text);
    let Verdict::Failed(failures) = verdict else { panic!("{verdict:?}") };
    assert_eq!(failures.len(), 2, "{failures:?}");
    // The session continues, and the trace has the wait as a comment from then on.
    ask(&mut dispatcher, "tap", json!({"button": "B3"}));
    ask(&mut dispatcher, "advance", json!({"by": "2s"}));
    let text = check_same(&mut dispatcher, 1);
    assert!(text.contains("# not met: +0ms wait text"), "{text}");
    for line in ["expect text \"a\" for 2s", "expect frames x", "fault power cut", "end", "tpa B1"]
    {
        let fault = refused(&mut dispatcher, "do", json!({"line": line}));
        assert_eq!(fault.kind, FaultKind::Params, "{line}");
    }
}

fn check_of(dispatcher: &mut Dispatcher, method: &str) -> String {
    ask(dispatcher, method, json!({}))["trace"].as_str().unwrap().to_owned()
}

#[test]
fn a_fork_is_independent_and_a_rewound_session_is_restored() {
    let folder = tempfile::tempdir().unwrap();
    let mut dispatcher = dispatcher(folder.path(), false);
    ask(&mut dispatcher, "boot", json!({"header": {"seed": 3}}));
    ask(&mut dispatcher, "settle", json!({"within": "5s"}));
    let before = ask(&mut dispatcher, "tap", json!({"button": "B3"}))["t"].clone();
    let texts = ask(&mut dispatcher, "read", json!({}))["text"].clone();
    ask(&mut dispatcher, "advance", json!({"by": "3s"}));
    // Forks at the present and at an earlier time have the same input lines and therefore the same
    // frames.
    for at in [Value::Null, before.clone()] {
        let fork = ask(&mut dispatcher, "fork", json!({"session": 1, "at": at}))["session"].clone();
        ask(&mut dispatcher, "tap", json!({"session": fork, "button": "B5"}));
        ask(&mut dispatcher, "advance", json!({"session": fork, "by": "777777us"}));
        check_same(&mut dispatcher, fork.as_u64().unwrap());
        ask(&mut dispatcher, "close", json!({"session": fork}));
    }
    ask(&mut dispatcher, "press", json!({"button": "T1"}));
    let back = ask(&mut dispatcher, "rewind", json!({"to": before}));
    assert_eq!(back["t"], before);
    let read = ask(&mut dispatcher, "read", json!({}));
    assert_eq!((&read["text"], &read["down"]), (&texts, &json!([])));
    let begins = read["console"][0]["text"].as_str().unwrap().starts_with("boot ");
    assert!(begins, "the console since power-on: {read}");
    // A time in the middle of a tap is moved to the tap's end.
    let tap = before.as_u64().unwrap() - 40_000_000;
    assert_eq!(ask(&mut dispatcher, "rewind", json!({"to": tap}))["t"], before);
    ask(&mut dispatcher, "press", json!({"button": "T1"}));
    assert_eq!(ask(&mut dispatcher, "read", json!({}))["down"], json!(["T1"]));
    assert_eq!(refused(&mut dispatcher, "press", json!({"button": "T1"})).kind, FaultKind::State);
    check_same(&mut dispatcher, 1);
    let fault = refused(&mut dispatcher, "rewind", json!({"to": "90h"}));
    assert_eq!(fault.kind, FaultKind::Params);
    // Rewinds to the power-on, which is never undone.
    ask(&mut dispatcher, "rewind", json!({"to": 0}));
    ask(&mut dispatcher, "settle", json!({"within": "5s"}));
    let read = ask(&mut dispatcher, "read", json!({}));
    assert!(read["text"].to_string().contains("Player 1's turn"), "{read}");
    check_same(&mut dispatcher, 1);
}

#[test]
fn an_earlier_time_is_reached_from_a_copy_and_equals_a_replay() {
    let folder = tempfile::tempdir().unwrap();
    let mut dispatcher = dispatcher(folder.path(), false);
    ask(&mut dispatcher, "boot", json!({"header": {"seed": 7, "bounce": "3ms"}}));
    for (nth, button) in ["B3", "B1", "T2", "T5", "B6", "RESET", "T1", "B2"].into_iter().enumerate()
    {
        ask(&mut dispatcher, "press", json!({"button": button}));
        ask(&mut dispatcher, "advance", json!({"by": format!("{}us", 61_311 * (nth + 1))}));
        ask(&mut dispatcher, "release", json!({"button": button}));
        ask(&mut dispatcher, "advance", json!({"by": format!("{}us", 23_517_003 + 61_311 * nth)}));
        ask(&mut dispatcher, "settle", json!({"within": "60s"}));
    }
    let built = BUILT.get();
    for at in ["3s", "60.061311s", "100s", "123.456789s", "170s"] {
        let fork = ask(&mut dispatcher, "fork", json!({"session": 1, "at": at}))["session"].clone();
        ask(&mut dispatcher, "tap", json!({"session": fork, "button": "B5"}));
        check_same(&mut dispatcher, fork.as_u64().unwrap());
        ask(&mut dispatcher, "close", json!({"session": fork}));
    }
    ask(&mut dispatcher, "rewind", json!({"to": "150s"}));
    check_same(&mut dispatcher, 1);
    assert_eq!(BUILT.get(), built, "a machine was built");
}

#[test]
fn a_fork_has_the_state_of_the_expectations() {
    let folder = tempfile::tempdir().unwrap();
    let mut dispatcher = dispatcher(folder.path(), false);
    ask(&mut dispatcher, "boot", json!({}));
    ask(&mut dispatcher, "settle", json!({"within": "5s"}));
    ask(&mut dispatcher, "tap", json!({"button": "B3"}));
    let tapped = ask(&mut dispatcher, "advance", json!({"by": "2s"}))["t"].clone();
    let moved = json!({"session": 1, "line": "expect console \"move\""});
    ask(&mut dispatcher, "do", moved.clone());
    // The expectation has consumed the console line, and a fork at an earlier time has it again.
    let fault = refused(&mut dispatcher, "do", moved.clone());
    ask(&mut dispatcher, "advance", json!({"by": "1s"}));
    for (at, consumed) in
        [(Value::Null, true), (tapped.clone(), true), (json!(tapped.as_u64().unwrap() - 1), false)]
    {
        let fork = ask(&mut dispatcher, "fork", json!({"session": 1, "at": at}))["session"].clone();
        let line = json!({"session": fork, "line": moved["line"]});
        if consumed {
            let again = refused(&mut dispatcher, "do", line);
            assert_eq!(again.message, fault.message);
        } else {
            ask(&mut dispatcher, "do", line);
        }
    }
}

#[test]
fn a_fork_of_a_later_time_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let mut dispatcher = dispatcher(folder.path(), false);
    ask(&mut dispatcher, "boot", json!({}));
    let fault = refused(&mut dispatcher, "fork", json!({"at": "90h"}));
    assert_eq!(
        (fault.kind, fault.message.as_str()),
        (FaultKind::Params, "`at` is later than now; use `advance`")
    );
}

/// Measures the duration of going back and prints it. `docs/serve.md` has the command.
#[test]
#[ignore = "measures"]
fn rewinding_after_an_hour_is_measured() {
    let folder = tempfile::tempdir().unwrap();
    let mut dispatcher = dispatcher(folder.path(), false);
    ask(&mut dispatcher, "boot", json!({"header": {"seed": 7}}));
    let played = host::clock::Stopwatch::start();
    for nth in 0..1_800 {
        let button = ["B3", "B1", "T2", "T5", "B6", "T1", "B2", "T4"][nth % 8];
        ask(&mut dispatcher, "tap", json!({"button": button}));
        ask(&mut dispatcher, "advance", json!({"by": "1920ms"}));
    }
    println!("an hour was played in {:?}", played.elapsed());
    for to in ["3595s", "3000s", "1800s", "600s", "10s"] {
        let clock = host::clock::Stopwatch::start();
        ask(&mut dispatcher, "fork", json!({"session": 1, "at": to}));
        println!("back to {to}: {:?}", clock.elapsed());
    }
}

#[test]
fn lines_are_on_disk_before_the_answer_and_after_a_rewind() {
    let folder = tempfile::tempdir().unwrap();
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    let mut dispatcher = dispatcher(folder.path(), true);
    let booted = ask(&mut dispatcher, "boot", json!({"header": {"seed": 5}}));
    assert_eq!(booted["recording"], "session.trace");
    assert_eq!(read("session.trace"), "trace 1\nseed 5\n\n0ms     power on\n");
    ask(&mut dispatcher, "settle", json!({"within": "5s"}));
    ask(&mut dispatcher, "press", json!({"button": "B3"}));
    assert!(read("session.trace").ends_with("press B3\n"));
    ask(&mut dispatcher, "advance", json!({"by": "200ms"}));
    assert_eq!(
        refused(&mut dispatcher, "do", json!({"line": "release B4"})).kind,
        FaultKind::State
    );
    ask(&mut dispatcher, "release", json!({"button": "B3"}));
    let whole = read("session.trace");
    let fork = ask(&mut dispatcher, "fork", json!({"record": "fork.trace"}));
    assert_eq!((&fork["recording"], read("fork.trace")), (&json!("fork.trace"), whole.clone()));
    ask(&mut dispatcher, "close", json!({"session": fork["session"]}));
    let again = refused(&mut dispatcher, "fork", json!({"record": "fork.trace"}));
    assert_eq!(again.kind, FaultKind::File);
    let back = ask(&mut dispatcher, "rewind", json!({"to": "0s"}));
    assert_eq!(back["recording"], "session.2.trace");
    assert_eq!(read("session.trace"), whole);
    ask(&mut dispatcher, "advance", json!({"by": "1s"}));
    ask(&mut dispatcher, "close", json!({}));
    assert_eq!(read("session.2.trace"), "trace 1\nseed 5\n\n0ms     power on\n+1s     end\n");
    for name in ["session.trace", "session.2.trace"] {
        parse(name, &read(name)).unwrap_or_else(|errors| panic!("{name}: {errors}"));
    }
}

#[test]
fn files_stay_in_their_folder_and_goldens_are_saved() {
    let folder = tempfile::tempdir().unwrap();
    let inside = folder.path().join("in");
    fs::create_dir(&inside).unwrap();
    let mut dispatcher = dispatcher(&inside, false);
    ask(&mut dispatcher, "boot", json!({}));
    ask(&mut dispatcher, "settle", json!({"within": "5s"}));
    let picture = json!({"name": "start", "region": [0, 0, 320, 40]});
    assert_eq!(
        refused(&mut dispatcher, "expect_frame", picture.clone()).kind,
        FaultKind::Expectation
    );
    let mut blessing = picture.clone();
    blessing["bless"] = true.into();
    assert_eq!(ask(&mut dispatcher, "expect_frame", blessing.clone())["blessed"], true);
    assert_eq!(ask(&mut dispatcher, "expect_frame", blessing)["blessed"], false);
    ask(&mut dispatcher, "expect_frame", picture);
    ask(&mut dispatcher, "save", json!({"file": "sub/one.trace"}));
    assert!(inside.join("sub/one/start.png").exists() && inside.join("goldens/start.png").exists());
    let text = fs::read_to_string(inside.join("sub/one.trace")).unwrap();
    let trace = parse_with("one.trace", text.as_bytes(), &mut trace::NoIncludes).unwrap();
    assert_eq!(trace.lines.len(), 7, "{text}");
    ask(&mut dispatcher, "screenshot", json!({"file": "a.png"}));
    assert_eq!(
        refused(&mut dispatcher, "screenshot", json!({"file": "a.png"})).kind,
        FaultKind::File
    );
    #[cfg(unix)]
    std::os::unix::fs::symlink(folder.path(), inside.join("link")).unwrap();
    for file in ["../x.png", "/tmp/x.png", "link/x.png", "", "a/../../x.png", "x.trace", "x"] {
        let fault = refused(&mut dispatcher, "screenshot", json!({"file": file}));
        assert_eq!(fault.kind, FaultKind::File, "{file}");
    }
    let outside: Vec<_> = fs::read_dir(folder.path()).unwrap().collect();
    assert_eq!(outside.len(), 1, "{outside:?}");
    let fault = refused(&mut dispatcher, "boot", json!({"record": "../x.trace"}));
    assert_eq!(fault.kind, FaultKind::File);
    assert!(!Path::new("goldens").exists());
}

#[test]
fn a_flash_is_saved_with_the_trace() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.flash"), vec![0xFF; FLASH_SIZE]).unwrap();
    let mut dispatcher = dispatcher(folder.path(), false);
    ask(&mut dispatcher, "boot", json!({"header": {"flash": "a.flash"}}));
    ask(&mut dispatcher, "save", json!({"file": "sub/one.trace"}));
    assert!(folder.path().join("sub/a.flash").exists());
    for (flash, kind) in [("../a.flash", FaultKind::File), ("b.flash", FaultKind::Board)] {
        let fault = refused(&mut dispatcher, "boot", json!({"header": {"flash": flash}}));
        assert_eq!(fault.kind, kind, "{flash} {fault}");
    }
}

#[test]
fn a_client_is_bounded() {
    let folder = tempfile::tempdir().unwrap();
    let mut dispatcher = dispatcher(folder.path(), false);
    for _ in 0..SESSIONS_MAX {
        ask(&mut dispatcher, "boot", json!({}));
    }
    assert_eq!(refused(&mut dispatcher, "boot", json!({})).kind, FaultKind::Limit);
    assert_eq!(refused(&mut dispatcher, "fork", json!({"session": 1})).kind, FaultKind::Limit);
    let long = trace::RUN_MAX.0 + 1;
    for (method, params) in [
        ("advance", json!({"session": 1, "by": long})),
        ("settle", json!({"session": 1, "within": long})),
        ("tap", json!({"session": 1, "button": "B1", "hold": long})),
        ("tap", json!({"session": 1, "button": "B1", "hold": 0})),
        ("tap", json!({"session": 1, "button": "B7"})),
        ("tap", json!({"session": 1, "buton": "B1"})),
        ("advance", json!({"session": 1, "by": -5})),
        ("advance", json!({"session": 1, "by": "5"})),
        ("advance", json!({"by": "5s"})),
        ("chord", json!({"session": 1, "buttons": ["B1", "B1"]})),
        ("wait_text", json!({"session": 1, "text": " ", "within": "1s"})),
        ("expect_text", json!({"session": 1, "text": "a\nb"})),
        ("expect_text", json!({"session": 1, "text": "a", "region": [0, 0, 400, 1]})),
        ("boot", json!([1])),
    ] {
        if method == "boot" {
            ask(&mut dispatcher, "close", json!({"session": 2}));
        }
        let fault = refused(&mut dispatcher, method, params.clone());
        assert_eq!(fault.kind, FaultKind::Params, "{method} {params} {fault}");
    }
    assert_eq!(
        refused(&mut dispatcher, "tap", json!({"session": 99, "button": "B1"})).kind,
        FaultKind::NoSession
    );
    assert_eq!(
        refused(&mut dispatcher, "boot", json!({"header": {"game": "chess"}})).kind,
        FaultKind::Board
    );
    assert_eq!(refused(&mut dispatcher, "boot", json!({"board": "uno"})).kind, FaultKind::Board);
    assert_eq!(
        refused(&mut dispatcher, "boot", json!({"header": {"a b": "c"}})).kind,
        FaultKind::Board
    );
}
