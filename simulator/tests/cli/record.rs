//! From a recording to a test: the tidied trace replays to the same screens and the same console,
//! and fails on another board.

use std::fs;
use std::path::Path;

use firmware_board::native;
use firmware_insight::LcdBoard;
use hal_mock::replay::{ReplaySettings, Unjudged, replay};
use proptest::prelude::*;
use reading::{golden::chain::FrameHash, text::Reader};
use trace::{Action, Button, HeaderEntry, MIN_HOLD, Recorder, Trace};
use virtual_time::{Instant, Nanos};

/// A recording with every press and release at a time that is not round.
const RECORDED: &str = "trace 1
game board
first bottom
seed 7

0ms     power on
1834562917ns press B3
1950000113ns release B3
4100000007ns press T1
4187654321ns release T1
6012345679ns press B4
6099999999ns release B4
7500000001ns press RESET
9120000003ns release RESET
10777777777ns press B6
10855555555ns release B6
12345678901ns end
";

fn reader() -> Reader {
    Reader::new(native::fonts())
}

/// Returns the last frame and all console lines.
fn outcome(trace: &Trace) -> (FrameHash, Vec<String>) {
    let mut machine = firmware_board::factory().build(trace, None).unwrap();
    let options = ReplaySettings { allow_violations: true, ..ReplaySettings::default() };
    let outcome = replay(trace, machine.as_mut(), &reader(), &mut Unjudged, &options);
    let board = machine.board();
    let console = board.console_lines().into_iter().map(|line| line.text).collect();
    (FrameHash::of(&board.frame_at(outcome.ended_at)), console)
}

#[track_caller]
fn nudge(folder: &Path, arguments: &str, code: i32) -> (String, String) {
    crate::command::check(folder, arguments, code, &[]).into()
}

#[test]
fn a_recording_becomes_a_maintainable_trace() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("raw.trace"), RECORDED).unwrap();
    let (out, _) = nudge(folder.path(), "trace tidy raw.trace --expect --output win.trace", 0);
    assert!(out.contains("wrote win.trace: 6 movements, "), "{out}");
    let text = fs::read_to_string(folder.path().join("win.trace")).unwrap();
    for line in [
        "# Player 1 sows 4 from #4: FREE TURN\n",
        "# T1 is refused: not yours\n",
        "# Player 1 sows 5 from #3\n",
        " tap B3\n",
        " tap RESET for 1.6s\n",
        "expect text \"Player 1 FREE TURN\"\n",
        "expect console \"board=4,4,0,5,5,5,1,4,4,4,4,4,4,0 turn=0 move=2 event=free-turn\"\n",
        "expect console \"refused button=T1 reason=not-yours\"\n",
        "expect tone 220Hz for 150ms\n",
        "expect frame 02-player-1-free-turn\n",
        "settle within 5s\n",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
    assert!(!text.contains("press") && !text.contains("ns ") && !text.contains("us "), "{text}");
    // Each note is expected once.
    assert_eq!(text.matches("expect tone 220Hz").count(), 1, "{text}");
    let (out, _) = nudge(folder.path(), "replay win.trace", 0);
    assert!(out.contains("PASS"), "{out}");
    // A frame that appears again has the same golden.
    let goldens = fs::read_dir(folder.path().join("win")).unwrap().count();
    let frames = text.matches("expect frame").count();
    assert!(goldens < frames && goldens > 2, "{goldens} goldens, {frames} frames\n{text}");
}

#[test]
fn the_display_time_of_a_message_is_expected() {
    let folder = tempfile::tempdir().unwrap();
    let longer =
        RECORDED.replace("6012345679ns", "8012345679ns").replace("6099999999ns", "8099999999ns");
    let longer =
        longer.replace("7500000001ns", "8800000001ns").replace("9120000003ns", "10420000003ns");
    fs::write(folder.path().join("raw.trace"), longer).unwrap();
    nudge(folder.path(), "trace tidy raw.trace --expect --output win.trace", 0);
    let text = fs::read_to_string(folder.path().join("win.trace")).unwrap();
    let line = "expect text \"Not your cup: Player 1's turn\" for 2s\n";
    assert_eq!(text.matches(line).count(), 1, "{text}");
    nudge(folder.path(), "replay win.trace", 0);
    // The test fails if the message is shown for another duration.
    fs::write(folder.path().join("win.trace"), text.replace(line, &line.replace("2s", "2200ms")))
        .unwrap();
    nudge(folder.path(), "replay win.trace", 1);
}

#[test]
fn the_test_fails_when_the_firmware_behaves_differently() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("raw.trace"), RECORDED).unwrap();
    nudge(folder.path(), "trace tidy raw.trace --expect --output win.trace", 0);
    let text = fs::read_to_string(folder.path().join("win.trace")).unwrap();
    for (is, becomes) in [("game board", "game wari"), ("first bottom", "first top")] {
        let other =
            text.replace(is, becomes).replace("game board\nfirst top", "game family\nfirst top");
        assert_ne!(other, text);
        fs::write(folder.path().join("win.trace"), other).unwrap();
        nudge(folder.path(), "replay win.trace", 1);
    }
}

#[test]
fn without_expect_the_trace_only_waits() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("raw.trace"), RECORDED).unwrap();
    nudge(folder.path(), "trace tidy raw.trace --output win.trace", 0);
    let text = fs::read_to_string(folder.path().join("win.trace")).unwrap();
    assert!(text.contains("settle within") && !text.contains("expect"), "{text}");
    assert!(!folder.path().join("win").exists());
    let (raw, tidied) = (load(RECORDED), load(&text));
    assert_eq!(outcome(&raw), outcome(&tidied));
}

/// Returns the comments of a trace, without `# `, in order.
fn comments(text: &str) -> Vec<&str> {
    text.lines().filter_map(|line| line.split_once("# ")).map(|(_, comment)| comment).collect()
}

#[test]
fn comments_are_preserved_and_console_lines_appear_once() {
    let folder = tempfile::tempdir().unwrap();
    let recorded = RECORDED
        .replace("trace 1\n", "# By hand.\ntrace 1   # the format\n")
        .replace("seed 7", "# The coin.\nseed 7  # bottom begins")
        .replace("ns press T1", "ns press T1   # not his")
        .replace("6012345679ns", "# His second move.\n6012345679ns")
        .replace("s end\n", "s end   # enough\n# Recorded today.\n");
    fs::write(folder.path().join("raw.trace"), &recorded).unwrap();
    nudge(folder.path(), "trace tidy raw.trace --expect --output win.trace", 0);
    let text = fs::read_to_string(folder.path().join("win.trace")).unwrap();
    let kept = comments(&text);
    for comment in comments(&recorded) {
        assert!(kept.contains(&comment), "{comment}\n{text}");
    }
    assert!(text.contains("# His second move.\n# Player 1 sows 5 from #3\n"), "{text}");
    // The trace has the same comments after it is tidied again.
    nudge(folder.path(), "trace tidy win.trace --expect --output again.trace", 0);
    let again = fs::read_to_string(folder.path().join("again.trace")).unwrap();
    assert_eq!(comments(&again), kept, "{text}\n{again}");
}

#[test]
fn tidy_overwrites_no_file_and_refuses_what_is_no_recording() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("raw.trace"), RECORDED).unwrap();
    let refuses = |options: &str, said: &str| {
        let (_, err) = nudge(folder.path(), &format!("trace tidy {options}"), 2);
        assert!(err.contains(said), "{err}");
    };
    refuses("raw.trace --output raw.trace", "raw.trace is there already; `--force`");
    refuses("raw.trace --output win.txt", "must be named *.trace");
    refuses("none.trace --output win.trace", "none.trace");
    refuses("raw.trace --output raw.trace/win.trace", "cannot be written");
    assert_eq!(fs::read_to_string(folder.path().join("raw.trace")).unwrap(), RECORDED);
    // With `--force` the trace replaces the recording.
    nudge(folder.path(), "trace tidy raw.trace --expect --output raw.trace --force", 0);
    nudge(folder.path(), "replay raw.trace", 0);
    assert!(!folder.path().join("raw.trace.new").exists());
}

#[test]
fn a_recording_cut_within_a_line_is_tidied_up_to_that_line() {
    let folder = tempfile::tempdir().unwrap();
    let whole = RECORDED.replace("12345678901ns end\n", "");
    fs::write(folder.path().join("raw.trace"), format!("{whole}12.136s releas")).unwrap();
    let (_, err) = nudge(folder.path(), "replay raw.trace", 2);
    assert!(err.contains("if it is torn") && err.contains("`nudge trace tidy`"), "{err}");
    let (out, _) = nudge(folder.path(), "trace tidy raw.trace --expect --output win.trace", 0);
    assert!(out.contains("note: the last line is torn and left out: `12.136s releas`"), "{out}");
    nudge(folder.path(), "replay win.trace", 0);
}

/// The window was closed in different states: during a movement, with keys held, paused, without
/// power.
#[test]
fn every_end_of_a_session_becomes_a_test() {
    sampled!();
    for end in [
        // Stones are moving, and the press is not debounced yet.
        "1900000001ns end\n",
        "1836000000ns end\n",
        // B3 is held, then RESET, shorter and longer than its long press.
        "1950000113ns release B3\n2400000001ns press RESET\n2401000000ns end\n",
        "1950000113ns release B3\n2400000001ns press RESET\n9s end\n",
        "1950000113ns release B3\n6s press T1\n6.2s press B4\n6.21s release T1\n6211000001ns end\n",
        // Without power, right after power-on, and while the firmware boots.
        "1950000113ns release B3\n2100ms power off\n2100ms end\n",
        "1950000113ns release B3\n2100ms power off\n2300ms power on\n2300ms end\n",
        "1950000113ns release B3\n2100ms power off\n2300ms power on\n2400000007ns end\n",
    ] {
        let folder = tempfile::tempdir().unwrap();
        let (begin, _) = RECORDED.split_once("1950000113ns").unwrap();
        let text = format!("{begin}{end}");
        fs::write(folder.path().join("raw.trace"), &text).unwrap();
        nudge(folder.path(), "trace tidy raw.trace --expect --output win.trace", 0);
        nudge(folder.path(), "replay win.trace", 0);
        let tidied = fs::read_to_string(folder.path().join("win.trace")).unwrap();
        assert_eq!(outcome(&load(&text)), outcome(&load(&tidied)), "{end}\n{tidied}");
    }
}

fn load(text: &str) -> Trace {
    trace::parse("x.trace", text).unwrap()
}

/// Generates a session: each press with its duration and the pause before it.
fn sessions() -> impl Strategy<Value = Vec<(u64, usize, u64)>> {
    let gap = prop_oneof![0..200_000_000u64, 0..3_000_000_000u64];
    let hold = prop_oneof![8 => 30_000_000..300_000_000u64, 1 => 900_000_000..1_300_000_000u64];
    let button =
        prop_oneof![10 => 0..Button::LCD_BOARD.len() - 1, 1 => Just(Button::LCD_BOARD.len() - 1)];
    prop::collection::vec((gap, button, hold), 1..14)
}

/// Returns the trace that the recorder would write: presses of different buttons may overlap.
fn recorded(seed: u64, session: &[(u64, usize, u64)]) -> Trace {
    let mut moves: Vec<(Instant, Action)> = Vec::new();
    let mut free = [Instant::START; Button::LCD_BOARD.len()];
    let mut now = Instant::from_millis(400);
    for (gap, button, hold) in session {
        now = now.saturating_add(Nanos(*gap)).max(free[*button].saturating_add(MIN_HOLD));
        moves.push((now, Action::Press(Button::LCD_BOARD[*button])));
        free[*button] = now.saturating_add(Nanos(*hold));
        moves.push((free[*button], Action::Release(Button::LCD_BOARD[*button])));
    }
    moves.sort_by_key(|(at, _)| *at);
    let header = [HeaderEntry::new("game", "board"), HeaderEntry::new("seed", seed.to_string())];
    let mut recorder = Recorder::start(Vec::new(), &header).unwrap();
    recorder.record(Instant::START, Action::PowerOn).unwrap();
    for (at, action) in &moves {
        recorder.record(*at, action.clone()).unwrap();
    }
    let end = moves.last().unwrap().0.saturating_add(Nanos(2_000_000_001));
    let text = recorder.finish(end).unwrap();
    load(&String::from_utf8(text).unwrap())
}

/// Tidies `raw` into `folder`; the result must replay to the same screens and console.
#[track_caller]
fn tidied(raw: &Trace, folder: &Path) -> std::path::PathBuf {
    let output = folder.join("session.trace");
    let build = |trace: &Trace| firmware_board::factory().build(trace, None);
    tidy::tidy(raw, &output, false, true, &build, Some(&LcdBoard), &reader()).unwrap();
    let tidied = runner::open_trace(&output).unwrap();
    assert_eq!(outcome(raw), outcome(&tidied), "\n{raw}\n{tidied}");
    output
}

#[test]
fn two_long_taps_30_ms_apart_are_tidied() {
    let folder = tempfile::tempdir().unwrap();
    let t4 = Button::LCD_BOARD.iter().position(|button| button.name() == "T4").unwrap();
    // Pressed at 1,623,687,142 ns and at 2,705,587,404 ns.
    let session = [(1_223_687_142, t4, 1_051_900_262), (0, t4, 123_378_158)];
    tidied(&recorded(0, &session), folder.path());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn any_session_tidied_replays_to_the_same(seed in 0..1000u64, session in sessions()) {
        let folder = tempfile::tempdir().unwrap();
        let raw = recorded(seed, &session);
        let output = tidied(&raw, folder.path());
        let options = runner::ReplayOptions::default();
        let build = |trace: &Trace| firmware_board::factory().build(trace, None);
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let paths = [output];
        let exit = runner::run(&paths, &options, &build, &reader(), &mut out, &mut err)
            .unwrap();
        prop_assert_eq!(exit.code(), 0, "{}", String::from_utf8_lossy(&out));
    }
}
