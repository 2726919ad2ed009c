//! Tests `nudge replay --perfetto`: the timeline of a trace, as JSON for the viewer.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use firmware_board::native;
use hal_mock::replay::{ReplaySettings, Unjudged, replay};
use reading::text::Reader;

use serde_json::Value;

/// A trace that expects a text that is never on the LCD.
const TRACE: &str = "trace 1\ngame wari\nsound on\nbounce 2ms\n\n0ms power on\n+0ms settle within 9s\n\
                     +0ms tap B3\n+0ms settle within 9s\n+0ms expect text \"a \\\"nowhere\\\"\"\n\
                     +0ms tap T2\n+0ms settle within 9s\n+0ms end\n";

/// Returns the events of the file by the name of their track; counters have their own track.
fn tracks(file: &Path) -> BTreeMap<String, Vec<Value>> {
    let text = fs::read_to_string(file).unwrap();
    let json: Value = serde_json::from_str(&text).unwrap();
    let events = json["traceEvents"].as_array().unwrap();
    let named = |event: &&Value| event["ph"] == "M" && event["name"] == "thread_name";
    let names: BTreeMap<u64, &str> = events
        .iter()
        .filter(named)
        .map(|event| (event["tid"].as_u64().unwrap(), event["args"]["name"].as_str().unwrap()))
        .collect();
    let mut tracks: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for event in events.iter().filter(|event| event["ph"] != "M") {
        let track = match event["ph"].as_str() {
            Some("C") => event["name"].as_str().unwrap(),
            _ => names[&event["tid"].as_u64().unwrap()],
        };
        tracks.entry(track.to_owned()).or_default().push(event.clone());
    }
    tracks
}

/// Checks that times never go back, and that a span ends before the next one begins.
#[track_caller]
fn check_order(track: &str, events: &[Value]) {
    let number = |event: &Value, key: &str| event[key].as_f64().unwrap_or_default();
    for pair in events.windows(2) {
        let [end, next] =
            [number(&pair[0], "ts") + number(&pair[0], "dur"), number(&pair[1], "ts")];
        assert!(end <= next + 1e-6, "{track}: {} and then {}", pair[0], pair[1]);
    }
}

#[test]
fn the_timeline_has_all_events_of_the_replay() {
    sampled!();
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("win.trace"), TRACE).unwrap();
    // Two recorders observe the same board.
    let arguments = "replay win.trace --vcd win.vcd --perfetto out/win.json";
    let [out, _] = crate::command::check(folder.path(), arguments, 1, &[]);

    let waveform = fs::read_to_string(folder.path().join("win.vcd")).unwrap();
    assert!(waveform.matches('\n').count() > 1_000, "{waveform}");

    let parsed = trace::parse("win.trace", TRACE).unwrap();
    let mut machine = native::build(&parsed, None).unwrap();
    let reader = Reader::new(native::fonts());
    let settings = ReplaySettings::default();
    let outcome = replay(&parsed, machine.as_mut(), &reader, &mut Unjudged, &settings);
    let board = machine.board();
    let said = format!("wrote out/win.json, 7 lines and {} frames", outcome.frames);
    assert!(out.contains(&said), "{out}");

    let tracks = tracks(&folder.path().join("out/win.json"));
    for (track, events) in &tracks {
        check_order(track, events);
    }
    let count = |track: &str| tracks.get(track).map_or(0, Vec::len);
    // The line `end` ends with the replay, so it is not counted.
    let lines = ["inputs", "waits", "expectations", "other lines"];
    assert_eq!(lines.map(count), [3, 3, 1, 0]);
    assert_eq!(count("frames") as u64, outcome.frames);
    assert_eq!(count("console"), board.console_lines().len());
    assert_eq!(count("tones"), board.tones().iter().filter(|tone| tone.hz.is_some()).count());
    assert!(count("B3 (contact)") > 1, "it bounces");
    assert_eq!(count("power"), 1);
    let bytes = tracks["LCD bus, bytes in 1 ms"].iter();
    let bytes: u64 = bytes.map(|event| event["args"]["bytes"].as_u64().unwrap()).sum();
    assert_eq!(bytes, board.bus().bytes);

    let failed = &tracks["expectations"][0];
    assert_eq!(failed["name"], "FAILED: expect text \"a \\\"nowhere\\\"\"");
    assert_eq!(
        (&failed["args"]["verdict"], &failed["args"]["line"]),
        (&"failed".into(), &10.into())
    );
    let message = failed["args"]["message"].as_str().unwrap();
    assert!(message.contains("nowhere"), "{message}");
    assert!(tracks["waits"].iter().all(|wait| wait["args"]["verdict"] == "met"));
}

#[test]
fn a_stopped_trace_has_a_timeline_up_to_its_stop() {
    let folder = tempfile::tempdir().unwrap();
    let text =
        "trace 1\n0ms power on\n+0ms wait text \"nowhere\" within 3s\n+0ms tap B3\n+0ms end\n";
    fs::write(folder.path().join("stops.trace"), text).unwrap();
    crate::command::check(folder.path(), "replay stops.trace --perfetto a.json", 1, &[]);
    let tracks = tracks(&folder.path().join("a.json"));
    let wait = &tracks["waits"][0];
    assert_eq!(wait["name"], "FAILED: wait text \"nowhere\" within 3s");
    assert!(wait["dur"].as_f64().unwrap() >= 3_000_000.0, "{wait}");
    assert!(!tracks.contains_key("B3 (contact)"));
}
