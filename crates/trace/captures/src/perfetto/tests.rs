use embedded_hal::spi::SpiDevice as _;
use hal_mock::BoardConfig;

use super::*;

/// Returns the events of a recording of `act` that ends at 1 s.
fn events(
    act: impl FnOnce(&VirtualBoard),
    lines: &[TimelineLine],
    frames: &[TimelineFrame],
) -> Vec<Value> {
    let board = VirtualBoard::new(BoardConfig::default());
    let recorder = TimelineRecorder::attach(&board);
    board.power_on();
    act(&board);
    let mut out = Vec::new();
    let end = Instant::from_secs(1);
    board.advance_to(end);
    let counts = recorder.finish(&board, end, "win.trace", lines, frames, &mut out).unwrap();
    assert_eq!((counts.lines, counts.frames, counts.left_out), (lines.len(), frames.len(), 0));
    let text = String::from_utf8(out).unwrap();
    let Value::Array(events) = serde_json::from_str::<Value>(&text).unwrap()["traceEvents"].take()
    else {
        panic!("{text}")
    };
    events
}

/// Returns phase, name, start and length in microseconds of the events on `track`.
fn on(events: &[Value], track: Track) -> Vec<(&str, &str, f64, f64)> {
    let number = track.number() as u64;
    let here = events.iter().filter(|event| event["tid"] == number && event["ph"] != "M");
    here.map(|event| {
        let number = |key: &str| event[key].as_f64().unwrap_or_default();
        let text = |key: &str| event[key].as_str().unwrap();
        (text("ph"), text("name"), number("ts"), number("dur"))
    })
    .collect()
}

#[test]
fn contacts_power_and_tones_are_spans_up_to_the_end() {
    let events = events(
        |board| {
            board.press(Instant::from_millis(10), Button::B3);
            board.release(Instant::from_millis(70), Button::B3);
            board.press(Instant::from_millis(900), Button::T1);
            let terminals = board.terminals();
            terminals.set_tone(Instant::from_millis(20), Some(880));
            terminals.set_tone(Instant::from_millis(30), Some(440));
            terminals.set_tone(Instant(35_000_001), None);
            for button in [Button::B3, Button::T1] {
                terminals.is_closed(Instant::from_secs(1), button);
            }
        },
        &[],
        &[],
    );
    let contact = |button| on(&events, Track::Contact(button));
    assert_eq!(contact(Button::B3), [("X", "B3", 10_000.0, 60_000.0)]);
    assert_eq!(contact(Button::T1), [("X", "T1", 900_000.0, 100_000.0)]);
    assert_eq!(on(&events, Track::Power), [("X", "on", 0.0, 1_000_000.0)]);
    let tones = [("X", "880 Hz", 20_000.0, 10_000.0), ("X", "440 Hz", 30_000.0, 5_000.001)];
    assert_eq!(on(&events, Track::Tones), tones);
}

#[test]
fn lines_have_a_track_and_a_verdict() {
    let line = |kind, text: &str, over, failure: Option<&str>| TimelineLine {
        number: 7,
        text: text.into(),
        kind,
        at: Instant::from_millis(100),
        over: Instant::from_millis(over),
        failure: failure.map(Into::into),
    };
    let lines = [
        line(LineKind::Input, "tap B3", 100, None),
        line(LineKind::Wait, "settle within 5s", 340, None),
        line(LineKind::Expectation, "expect text \"A\\B\"", 100, Some("there is no \"A\"")),
    ];
    let events = events(|_| {}, &lines, &[]);
    assert_eq!(on(&events, Track::Inputs), [("i", "tap B3", 100_000.0, 0.0)]);
    assert_eq!(on(&events, Track::Waits), [("X", "settle within 5s", 100_000.0, 240_000.0)]);
    let failed = [("i", "FAILED: expect text \"A\\B\"", 100_000.0, 0.0)];
    assert_eq!(on(&events, Track::Expectations), failed);
    let args: Vec<&Value> = events
        .iter()
        .filter(|event| event["ph"] != "M" && event["args"]["line"] == 7)
        .map(|event| &event["args"]["verdict"])
        .collect();
    assert_eq!(args, ["done", "met", "failed"]);
}

#[test]
fn every_byte_on_the_bus_is_counted_in_its_millisecond() {
    let events = events(
        |board| {
            // At 31.25 MHz a byte takes 256 ns: 10,000 bytes take 2.56 ms.
            board.advance_to(Instant(500_000));
            board.lcd_spi().write(&[0; 10_000]).unwrap();
            board.advance_to(Instant::from_millis(10));
            board.lcd_spi().write(&[0; 5]).unwrap();
        },
        &[],
        &[],
    );
    let counter: Vec<(f64, u64)> = events
        .iter()
        .filter(|event| event["ph"] == "C")
        .map(|event| (event["ts"].as_f64().unwrap(), event["args"]["bytes"].as_u64().unwrap()))
        .collect();
    let expected = [
        (0.0, 1_953),
        (1_000.0, 3_906),
        (2_000.0, 3_906),
        (3_000.0, 235),
        (4_000.0, 0),
        (10_000.0, 5),
        (11_000.0, 0),
    ];
    assert_eq!(counter, expected);
    assert_eq!(counter.iter().map(|(_, bytes)| bytes).sum::<u64>(), 10_005);
}

#[test]
fn events_are_in_order_of_time_without_those_after_the_end() {
    let frame = |number, first, last| TimelineFrame {
        number,
        first: Instant::from_millis(first),
        last: Instant::from_millis(last),
        bytes: 4_096,
    };
    let kept = [frame(2, 500, 540), frame(1, 100, 110), frame(3, 990, 1_020)];
    let events = events(|_| {}, &[], &kept);
    let spans = [
        ("X", "frame 1", 100_000.0, 10_000.0),
        ("X", "frame 2", 500_000.0, 40_000.0),
        ("X", "frame 3", 990_000.0, 10_000.0),
    ];
    assert_eq!(on(&events, Track::Frames), spans);
    let board = VirtualBoard::new(BoardConfig::default());
    let recorder = TimelineRecorder::attach(&board);
    let late = frame(4, 2_000, 2_001);
    let counts = recorder.finish(&board, Instant::from_secs(1), "", &[], &[late], &mut Vec::new());
    assert_eq!(counts.unwrap().frames, 0);
}
