//! Any trace survives writing and reading; no bytes make the reader panic; a recording that stops
//! early contains every event before the stop.

use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;

use proptest::collection::vec;
use proptest::prelude::*;

use super::limits::TOLERANCE_MAX;
use super::sequence::SourceLine;
use super::{
    Action, BoardFault, Comparison, FrameCheck, HeaderEntry, LATEST, LONGEST_BOUNCE, Line, Place,
    RAREST_FLIP, Recorder, RegionText, SHOWN_TOLERANCE, TAP_HOLD, TextCheck, Trace, When, parse,
    parse_bytes,
};
use crate::Button;
use crate::frame_rules::Rules;
use ili9341_model::Region;
use virtual_time::{Instant, Nanos};

const EXAMPLE: &str = "\
# A game that ends early.
trace 1                       # format version
game board
seed 7

0ms     power on
250ms   tap B3                # sow
+2s     expect text \"Player 1 FREE TURN\"
+10ms   press T1
+95ms   release T1
# What the player sees.
+1s     expect frame after-free-turn
+0ms    wait text \"GAME \\\"OVER\\\"\" within 60s
+0ms    settle within 5s
+0ms    expect tone 880Hz
+0ms    screenshot final
+0ms    end
# Nothing follows.
";

/// Returns `trace` without places, as if it had not come from a file.
pub(super) fn without_places(mut trace: Trace) -> Trace {
    for entry in &mut trace.header {
        (entry.key_place, entry.value_place) = (Place::default(), Place::default());
    }
    for line in &mut trace.lines {
        line.place = Place::default();
    }
    trace
}

fn comment() -> impl Strategy<Value = Option<String>> {
    proptest::option::of(comment_text())
}

fn comment_text() -> impl Strategy<Value = String> {
    "[ -~é—]{0,20}".prop_map(|text| text.trim().to_owned())
}

fn comments() -> impl Strategy<Value = Vec<String>> {
    vec(comment_text(), 0..3)
}

fn span() -> impl Strategy<Value = Nanos> {
    prop_oneof![
        Just(0),
        0_u64..1_000,
        (0_u64..100_000).prop_map(|millis| millis * 1_000_000),
        0_u64..1_000_000_000_000,
    ]
    .prop_map(Nanos)
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[ -~]{1,20}",
        "[^\\p{Cc}]{1,20}",
        Just(r#"\"#.to_owned()),
        Just(r#"" # ""#.to_owned())
    ]
    .prop_filter("a blank text is refused", |text| !text.trim().is_empty())
}

fn name() -> impl Strategy<Value = String> {
    "[A-Za-z0-9_-]{1,64}"
}

fn region() -> impl Strategy<Value = Region> {
    (0..320_u16, 0..240_u16).prop_flat_map(|(x, y)| {
        (1..=320 - x, 1..=240 - y).prop_map(move |(width, height)| Region { x, y, width, height })
    })
}

/// Generates valid checks: ignored regions are inside the compared one and leave pixels to compare.
fn frame_check() -> impl Strategy<Value = FrameCheck> {
    let off = (0..=TOLERANCE_MAX, 0..100_usize);
    (name(), proptest::option::of(region()), vec(region(), 0..4), off).prop_map(
        |(name, region, drawn, (tolerance, pixels_off))| {
            let shown = region.unwrap_or(Region::PANEL);
            let mut ignored: Vec<Region> = Vec::new();
            let mut left = shown.area();
            for region in drawn {
                let fits = shown.holds(region) && ignored.iter().all(|other| !other.meets(region));
                if fits && region.area() < left {
                    left -= region.area();
                    ignored.push(region);
                }
            }
            let pixels_off = pixels_off.min(left - 1);
            FrameCheck {
                name,
                display: None,
                region,
                rules: Rules { ignored, tolerance, pixels_off },
            }
        },
    )
}

fn region_text() -> impl Strategy<Value = RegionText> {
    (text(), proptest::option::of(region())).prop_map(|(text, region)| RegionText {
        text,
        display: None,
        region,
    })
}

fn text_check() -> impl Strategy<Value = TextCheck> {
    let shown_for = span().prop_map(|span| span.saturating_add(SHOWN_TOLERANCE));
    let shown_for = shown_for.prop_map(|span| span.saturating_add(Nanos(1)));
    (region_text(), proptest::option::of(shown_for))
        .prop_map(|(wanted, shown_for)| TextCheck { wanted, shown_for })
}

fn comparison() -> impl Strategy<Value = Comparison> {
    prop_oneof![Just(Comparison::Below), Just(Comparison::AtMost)]
}

/// Generates expectations about several frames, or about budgets.
fn account() -> impl Strategy<Value = Action> {
    let bytes = prop_oneof![1..u64::MAX, (1..1_000_u64).prop_map(|kilo| kilo << 10)];
    let span = || (0..1_000_000_000_000_u64).prop_map(|nanos| Nanos(nanos + 1));
    prop_oneof![
        (name(), any::<bool>()).prop_map(|(name, settled)| Action::ExpectFrames {
            name,
            settled,
            display: None
        }),
        (comparison(), bytes, span()).prop_map(|(comparison, bytes, within)| {
            Action::ExpectBus { comparison, bytes, within }
        }),
        (comparison(), span()).prop_map(|(comparison, limit)| Action::ExpectFrameTime {
            comparison,
            limit,
            display: None
        }),
        Just(Action::ExpectNoViolations),
        Just(Action::ExpectNoHeap),
    ]
}

/// Generates lines about the console, the buzzer, the flash and the backlight.
fn heard() -> impl Strategy<Value = Action> {
    let length = || proptest::option::of(span().prop_map(|span| span.saturating_add(Nanos(1))));
    prop_oneof![
        (1..=u32::MAX, length()).prop_map(|(hertz, lasted)| Action::ExpectTone { hertz, lasted }),
        length().prop_map(|silent_for| Action::ExpectNoTone { silent_for }),
        text().prop_map(Action::ExpectConsole),
        text().prop_map(Action::ExpectNoConsole),
        text().prop_map(Action::ExpectFlash),
        text().prop_map(Action::ExpectNoFlash),
        any::<bool>().prop_map(|on| Action::ExpectBacklight { on, display: None }),
        prop_oneof![text(), Just(String::new()), Just("  ".to_owned())].prop_map(Action::Type),
        vec(any::<u8>(), 1..20).prop_map(Action::TypeBytes),
        (text(), span()).prop_map(|(text, within)| Action::WaitConsole { text, within }),
    ]
}

fn button() -> impl Strategy<Value = Button> {
    proptest::sample::select(Button::LCD_BOARD.to_vec())
}

/// Generates any action, valid at its position or not.
fn action() -> impl Strategy<Value = Action> {
    let hold = proptest::option::of(span().prop_map(|span| span.saturating_add(Nanos(1))));
    prop_oneof![
        Just(Action::PowerOn),
        Just(Action::PowerOff),
        (button(), hold).prop_map(|(button, hold)| Action::Tap { button, hold }),
        button().prop_map(Action::Press),
        button().prop_map(Action::Release),
        text_check().prop_map(Action::ExpectText),
        region_text().prop_map(Action::ExpectNoText),
        frame_check().prop_map(Action::ExpectFrame),
        heard(),
        (text(), span()).prop_map(|(text, within)| Action::WaitText {
            text,
            display: None,
            within
        }),
        span().prop_map(|within| Action::Settle { display: None, within }),
        name().prop_map(|name| Action::Screenshot(name.into())),
        account(),
        board_fault().prop_map(Action::Fault),
    ]
}

fn board_fault() -> impl Strategy<Value = BoardFault> {
    prop_oneof![
        button().prop_map(BoardFault::Stuck),
        (button(), 1..=LONGEST_BOUNCE.0)
            .prop_map(|(button, bounce)| BoardFault::Bounce { button, bounce: Nanos(bounce) }),
        (1..=RAREST_FLIP).prop_map(|one_in| BoardFault::SpiFlip { one_in, display: None }),
        (1..=RAREST_FLIP).prop_map(|one_in| BoardFault::UartLose { one_in }),
        (1..=RAREST_FLIP).prop_map(|one_in| BoardFault::UartGarble { one_in }),
        Just(BoardFault::UartGarble { one_in: 1 }),
        Just(BoardFault::NoiseStuck),
        Just(BoardFault::PowerCut),
        any::<u32>().prop_map(|after| BoardFault::FlashCut { after }),
        Just(BoardFault::FlashStuck),
        button().prop_map(BoardFault::NoContactFault),
        Just(BoardFault::NoSpiFault { display: None }),
        Just(BoardFault::NoUartFault),
        Just(BoardFault::NoNoiseFault),
        Just(BoardFault::NoFlashFault),
    ]
}

/// Generates valid lines: those actions that can follow the ones before them.
fn lines() -> impl Strategy<Value = Vec<Line>> {
    let line = (action(), span(), any::<bool>(), comments(), comment());
    (vec(line, 0..40), any::<bool>()).prop_map(|(drawn, ended)| {
        let mut lines = vec![Line::new(When::At(Instant::START), Action::PowerOn)];
        let mut sequence = super::sequence::Sequence::new();
        let first = SourceLine { file: "any.trace".into(), line: 1 };
        sequence.accept(&first, lines[0].when, &lines[0].action).unwrap();
        let mut earliest = Instant::START;
        for (action, span, absolute, above, comment) in drawn {
            let when =
                if absolute { When::At(earliest.saturating_add(span)) } else { When::After(span) };
            if sequence.accept(&first, when, &action).is_ok() {
                earliest = earliest.saturating_add(span);
                lines.push(Line { above, comment, ..Line::new(when, action) });
            }
        }
        if ended {
            lines.push(Line::new(When::After(Nanos::ZERO), Action::End));
        }
        lines
    })
}

fn header() -> impl Strategy<Value = Vec<HeaderEntry>> {
    // No verb is a `k` and six more letters.
    let entry = ("k[a-z0-9-]{6}", "[!-\"$-~]([ -\"$-~#]{0,10}[!-\"$-~])?", comments(), comment())
        .prop_map(|(key, value, above, comment)| {
            let value = value.replace(" #", "_#");
            HeaderEntry { above, comment, ..HeaderEntry::new(key, value) }
        });
    vec(entry, 0..6).prop_map(|mut entries| {
        entries.sort_by(|one, other| one.key.cmp(&other.key));
        entries.dedup_by(|one, other| one.key == other.key);
        entries
    })
}

pub(super) fn trace() -> impl Strategy<Value = Trace> {
    (comments(), comment(), header(), lines(), comments()).prop_map(
        |(above, comment, header, lines, closing)| Trace {
            above,
            comment,
            header,
            lines,
            closing,
            ..Trace::default()
        },
    )
}

/// Generates the bytes of a valid trace after random damage.
fn mutated() -> impl Strategy<Value = Vec<u8>> {
    let edit = (any::<proptest::sample::Index>(), any::<u8>(), 0..3_u8);
    (trace(), vec(edit, 0..8)).prop_map(|(trace, edits)| {
        let mut bytes = trace.to_string().into_bytes();
        for (index, byte, kind) in edits {
            let at = index.index(bytes.len());
            match kind {
                0 => bytes[at] = byte,
                1 => bytes.insert(at, byte),
                _ if bytes.len() > 1 => drop(bytes.remove(at)),
                _ => {}
            }
        }
        bytes
    })
}

proptest! {
    #[test]
    fn a_written_trace_is_read_back_equal(trace in trace()) {
        let written = trace.to_string();
        let read = parse("written.trace", &written);
        prop_assert!(read.is_ok(), "{}\n{written}", read.unwrap_err());
        prop_assert_eq!(without_places(read.unwrap()), trace, "\n{}", written);
    }

    #[test]
    fn any_bytes_are_a_trace_or_an_error_with_a_place(
        bytes in prop_oneof![vec(any::<u8>(), 0..300), mutated()]
    ) {
        match parse_bytes("any.trace", &bytes) {
            Ok(trace) => {
                let again = parse("again.trace", &trace.to_string());
                prop_assert_eq!(again.map(without_places), Ok(without_places(trace)));
            }
            Err(error) => {
                let places = error.iter().map(|error| error.place);
                for place in places {
                    prop_assert!(place.line > 0 && place.column > 0, "{error}");
                }
            },
        }
    }

    #[test]
    fn any_line_of_words_is_read_or_refused(
        words in vec(prop_oneof![
            proptest::sample::select(vec![
                "power", "on", "tap", "B3", "for", "80ms", "+2s", "expect", "no", "text", "\"", "\\",
                "\"x\"", "within", "#", "frame", "tone", "880Hz", "console", "type", "wait", "settle", "+", ".", "1",
                "frames", "settled", "in", "ignore", "0,0,320,40", "1,1,2,2", "tolerance", "2", "at", "most",
                "pixels", "flash", "backlight", "off", "bus", "frame-time", "<", "<=", "40kB", "violations", "heap", "none",
            ]).prop_map(str::to_owned),
            "\\PC{0,6}",
        ], 0..8)
    ) {
        let text = format!("trace 1\n0ms power on\n{}\n", words.join(" "));
        let _ = parse("any.trace", &text);
    }

    #[test]
    fn a_recording_has_every_event_before_a_crash(
        trace in trace(),
        crash_after in any::<proptest::sample::Index>(),
    ) {
        let disk = Disk::default();
        let mut recorder = Recorder::start(disk.clone(), &trace.header).unwrap();
        let mut kept = Vec::new();
        let mut clock = Instant::START;
        let crash_after = 1 + crash_after.index(trace.lines.len());
        for line in &trace.lines[..crash_after] {
            clock = match line.when {
                When::At(at) => at.max(clock),
                When::After(span) => clock.saturating_add(span),
            };
            // An absolute time can be within the hold of a tap, although a relative one was not.
            if recorder.record(clock, line.action.clone()).is_ok() {
                kept.push((When::At(clock), line.action.clone()));
            }
        }
        drop(recorder);
        let read = parse("crashed.trace", &disk.text()).unwrap();
        let events: Vec<_> = read.lines.iter().map(|line| (line.when, line.action.clone())).collect();
        prop_assert_eq!(events, kept);
        let pairs = |header: &[HeaderEntry]| -> Vec<_> {
            header.iter().map(|entry| (entry.key.clone(), entry.value.clone())).collect()
        };
        prop_assert_eq!(pairs(&read.header), pairs(&trace.header));
    }
}

/// A disk that stores what was written before the last flush.
#[derive(Clone, Default)]
struct Disk {
    kept: Rc<RefCell<Vec<u8>>>,
    buffered: Rc<RefCell<Vec<u8>>>,
}

impl Disk {
    fn text(&self) -> String {
        String::from_utf8(self.kept.borrow().clone()).unwrap()
    }
}

impl Write for Disk {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.buffered.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.kept.borrow_mut().append(&mut self.buffered.borrow_mut());
        Ok(())
    }
}

#[test]
fn the_example_is_written_unchanged() {
    assert_eq!(parse("example.trace", EXAMPLE).unwrap().to_string(), EXAMPLE);
}

#[test]
fn places_point_at_keys_values_and_verbs() {
    let trace = parse("example.trace", EXAMPLE).unwrap();
    let seed = trace.get("seed").unwrap();
    assert_eq!(
        (seed.key_place, seed.value_place),
        (Place { line: 4, column: 1 }, Place { line: 4, column: 6 })
    );
    assert_eq!(trace.lines[1].place.to_string(), "7:9");
    assert_eq!(trace.get("stones"), None);
}

#[test]
fn a_recording_has_one_line_per_event_and_an_end() {
    let header = [HeaderEntry::new("game", "board"), HeaderEntry::new("seed", "7")];
    let mut recorder = Recorder::start(Vec::new(), &header).unwrap();
    recorder.record(Instant::START, Action::PowerOn).unwrap();
    recorder.record(Instant::from_millis(250), Action::Press(Button::B3)).unwrap();
    recorder.comment("sow").unwrap();
    recorder.record(Instant(330_000_017), Action::Release(Button::B3)).unwrap();
    let written = recorder.finish(Instant::from_secs(2)).unwrap();
    assert_eq!(
        String::from_utf8(written).unwrap(),
        "trace 1\ngame board\nseed 7\n\n0ms     power on\n250ms   press B3\n# sow\n\
         330000.017us release B3\n2s      end\n"
    );
}

#[test]
fn an_invalid_event_is_refused_and_changes_nothing() {
    let mut recorder = Recorder::start(Vec::new(), &[]).unwrap();
    recorder.record(Instant::START, Action::PowerOn).unwrap();
    recorder.record(Instant::from_secs(1), Action::Press(Button::T1)).unwrap();
    for (at, action, reason) in [
        (
            1,
            Action::Press(Button::T1),
            "press of T1, which is down already (pressed in line 4); release it first",
        ),
        (1, Action::Release(Button::T2), "release of T2, which is not down"),
        (0, Action::End, "end at 0 ms comes before the line above (1 s); times never go back"),
        (
            1,
            Action::Screenshot("../x".into()),
            "`../x` is no name; names become file names: letters, digits, - and _ only",
        ),
        (
            1,
            Action::ExpectText("two\nlines".into()),
            "the control character U+000A is not allowed; a trace is plain text",
        ),
    ] {
        let error = recorder.record(Instant::from_secs(at), action).unwrap_err();
        assert_eq!(error.to_string(), format!("not recorded: {reason}"));
    }
    assert!(recorder.record(LATEST.saturating_add(TAP_HOLD), Action::End).is_err());
    let written = recorder.finish(Instant::from_secs(3)).unwrap();
    assert_eq!(
        String::from_utf8(written).unwrap(),
        "trace 1\n\n0ms     power on\n1s      press T1\n3s      end\n"
    );
    for (key, value) in [("game", "board # mine"), ("tap", "B3"), ("game", " board"), ("a b", "c")]
    {
        assert!(
            Recorder::start(Vec::new(), &[HeaderEntry::new(key, value)]).is_err(),
            "{key} {value}"
        );
    }
}
