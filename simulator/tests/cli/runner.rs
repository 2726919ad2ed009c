//! Tests the replay runner with a board without firmware: its LCD stays black. The key `act` of a
//! trace's header sets the board's behaviour.

use std::fs;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use hal_mock::{BoardConfig, Heap, Machine, MachineError, VirtualBoard, setup::SetupError};
use host::Exit;
use ili9341_model::Frame;
use reading::{
    golden::{read_png, write_png},
    text::Reader,
};
use runner::{ReplayOptions, run};
use tempfile::TempDir;
use trace::Trace;
use virtual_time::Instant;

/// A board whose firmware does at most one thing.
struct Bare {
    board: VirtualBoard,
    act: String,
}

impl Machine for Bare {
    fn board(&self) -> &VirtualBoard {
        &self.board
    }

    fn power_on(&mut self) -> Result<(), MachineError> {
        self.board.power_on();
        Ok(())
    }

    fn power_off(&mut self) {
        self.board.power_off();
    }

    fn heap(&self) -> Heap {
        Heap::unwatched()
    }

    fn step(&mut self, limit: Instant) -> Result<(), MachineError> {
        match self.act.as_str() {
            "panic" => panic!("cup 14 of 14"),
            "break" => {
                let message = "the LCD does not answer".to_owned();
                return Err(MachineError::new(self.board.now(), message));
            }
            "spin" => {}
            "drift" => {
                use embedded_io::Write;
                // Every run prints another line, like firmware that is not deterministic.
                static RUNS: AtomicU32 = AtomicU32::new(0);
                let run = RUNS.fetch_add(1, Ordering::Relaxed);
                let line = format!("run {run}\r\n");
                self.board.uart().write_all(line.as_bytes()).expect("a UART without faults");
                self.board.advance_to(limit);
            }
            "talk" => {
                use embedded_io::Write;
                self.board.uart().write_all(b"hello\r\n").expect("a UART without faults");
                self.board.advance_to(limit);
            }
            _ => self.board.advance_to(limit),
        }
        Ok(())
    }

    fn fork(&self) -> Option<Box<dyn Machine>> {
        None
    }
}

fn bare(trace: &Trace) -> Result<Box<dyn Machine>, SetupError> {
    let act = trace.get("act");
    if let Some(entry) = act.filter(|entry| entry.value == "dance") {
        return Err(SetupError::at(entry.value_place, "no board dances; leave the line out"));
    }
    let act = act.map(|entry| entry.value.clone()).unwrap_or_default();
    Ok(Box::new(Bare { board: VirtualBoard::new(BoardConfig::default()), act }))
}

/// A folder of traces, and their results.
struct Scene {
    folder: TempDir,
    options: ReplayOptions,
    out: String,
    err: String,
}

impl Scene {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        Self { folder, options: ReplayOptions::default(), out: String::new(), err: String::new() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a trace with these lines after `trace 1`.
    fn trace(&self, name: &str, lines: &str) -> &Self {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, format!("trace 1\n{lines}\n")).unwrap();
        self
    }

    fn golden(&self, name: &str, frame: &Frame) -> &Self {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        write_png(path, frame).unwrap();
        self
    }

    fn replay_paths(&mut self, paths: &[PathBuf]) -> Exit {
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let reader = Reader::new(Vec::new());
        let exit = run(paths, &self.options, &bare, &reader, &mut out, &mut err).unwrap();
        let here = format!("{}/", self.folder.path().display());
        self.out = String::from_utf8(out).unwrap().replace(&here, "");
        self.err = String::from_utf8(err).unwrap().replace(&here, "");
        exit
    }

    #[track_caller]
    fn check(&mut self, exit: Exit, summary: &str) {
        let folder = self.folder.path().to_owned();
        let actual = self.replay_paths(&[folder]);
        assert_eq!(actual, exit, "out:\n{}\nerr:\n{}", self.out, self.err);
        assert_eq!(self.out.lines().last(), Some(summary), "{}", self.out);
    }

    #[track_caller]
    fn says(&self, text: &str) {
        assert!(self.out.contains(text), "no {text:?} in:\n{}", self.out);
    }

    #[track_caller]
    fn complains(&self, text: &str) {
        assert!(self.err.contains(text), "no {text:?} in:\n{}", self.err);
    }
}

const LOOK: &str = "0ms power on\n1s expect frame dark\n+0ms end";

fn black() -> Frame {
    Frame::filled(320, 240, 0)
}

fn dotted() -> Frame {
    let mut frame = black();
    frame.pixels_mut()[320 * 7 + 5] = 0x00FF_FFFF;
    frame
}

#[test]
fn a_trace_whose_golden_is_right_passes() {
    let mut scene = Scene::new();
    scene.trace("a.trace", LOOK).golden("a/dark.png", &black());
    scene.check(Exit::Passed, "1 passed, 0 failed");
    scene.says("PASS a.trace  1.0s of board time in ");
}

#[test]
fn traces_are_found_below_and_reported_in_order() {
    let mut scene = Scene::new();
    for name in ["b.trace", "a/z.trace", "a/b/c.trace", "c.trace"] {
        scene.trace(name, "0ms power on\n1s end");
    }
    fs::write(scene.path("a/notes.txt"), "no trace").unwrap();
    scene.check(Exit::Passed, "4 passed, 0 failed");
    let passed = scene.out.lines().filter_map(|line| line.strip_prefix("PASS "));
    let names: Vec<&str> = passed.filter_map(|line| line.split(' ').next()).collect();
    assert_eq!(names, ["a/b/c.trace", "a/z.trace", "b.trace", "c.trace"]);
}

#[test]
fn a_missing_golden_fails_and_is_not_written() {
    let mut scene = Scene::new();
    scene.trace("a.trace", LOOK);
    scene.check(Exit::Failed, "0 passed, 1 failed");
    scene.says("FAIL a.trace");
    scene.says("a.trace:3:4: at 1 s: expected frame dark, but there is no golden a/dark.png");
    scene.says("--bless");
    assert!(!scene.path("a").exists());
}

#[test]
fn an_unused_golden_fails_even_with_bless_and_is_not_removed() {
    let mut scene = Scene::new();
    scene.trace("a.trace", LOOK).golden("a/dark.png", &black()).golden("a/old.png", &black());
    for bless in [false, true] {
        scene.options.bless = bless;
        scene.check(Exit::Failed, "0 passed, 1 failed");
        scene.says("a/old.png: no `expect frame` of the trace");
        assert!(scene.path("a/old.png").exists());
    }
}

#[test]
fn a_golden_that_differs_has_a_position_and_three_pictures() {
    let mut scene = Scene::new();
    scene.trace("x/a.trace", LOOK).golden("x/a/dark.png", &dotted());
    scene.options.artifacts = Some(scene.path("x-artifacts"));
    scene.check(Exit::Failed, "0 passed, 1 failed");
    scene.says("1 pixel differs, in the rectangle x=5 y=7 1x1; the first is x=5 y=7: #000000");
    scene.says("just this again: nudge replay ");
    let artifacts = scene.path("x-artifacts/x/a");
    assert_eq!(read_png(artifacts.join("dark.actual.png")).unwrap(), black());
    assert_eq!(read_png(artifacts.join("dark.expected.png")).unwrap(), dotted());
    assert!(read_png(artifacts.join("dark.diff.png")).is_ok());
    assert_eq!(read_png(scene.path("x/a/dark.png")).unwrap(), dotted(), "not overwritten");

    scene.golden("x/a/dark.png", &black());
    scene.check(Exit::Passed, "1 passed, 0 failed");
    assert!(!artifacts.join("dark.diff.png").exists(), "what is there is of the last run");
}

#[test]
fn a_golden_of_another_size_is_wrong_usage() {
    let mut scene = Scene::new();
    scene.trace("a.trace", LOOK).golden("a/dark.png", &Frame::filled(240, 320, 0));
    scene.check(Exit::Usage, "0 passed, 1 failed");
    scene.says("the frame is 320x240, the golden 240x320");
}

#[test]
fn a_golden_that_is_not_a_picture_is_wrong_usage() {
    let mut scene = Scene::new();
    scene.trace("a.trace", LOOK);
    fs::create_dir(scene.path("a")).unwrap();
    fs::write(scene.path("a/dark.png"), "not a picture").unwrap();
    scene.check(Exit::Usage, "0 passed, 1 failed");
    scene.says("a/dark.png: is no PNG");
    assert_eq!(fs::read(scene.path("a/dark.png")).unwrap(), b"not a picture");
}

#[test]
fn blessing_writes_and_reports_missing_and_changed_goldens() {
    let mut scene = Scene::new();
    scene.trace("a.trace", LOOK);
    scene.trace("b.trace", LOOK).golden("b/dark.png", &dotted());
    scene.trace("c.trace", LOOK).golden("c/dark.png", &black());
    let before = fs::metadata(scene.path("c/dark.png")).unwrap().modified().unwrap();
    scene.options.bless = true;
    scene.check(Exit::Passed, "3 passed, 0 failed");
    scene.says("blessed a/dark.png (new, 320x240)");
    scene.says("blessed b/dark.png (replaced: 1 pixel differs");
    assert!(!scene.out.contains("c/dark.png"));
    assert_eq!(fs::metadata(scene.path("c/dark.png")).unwrap().modified().unwrap(), before);
    scene.options.bless = false;
    scene.check(Exit::Passed, "3 passed, 0 failed");
}

#[test]
fn artifacts_hold_the_console_and_every_screenshot() {
    let mut scene = Scene::new();
    let lines = "act talk\n0ms power on\n1s screenshot a\n2s screenshot a\n+1s end";
    scene.trace("deep/er/a.trace", lines);
    scene.options.artifacts = Some(scene.path("out"));
    let folder = scene.path("deep");
    assert_eq!(scene.replay_paths(&[folder]), Exit::Passed);
    let console = fs::read_to_string(scene.path("out/er/a/console.txt")).unwrap();
    assert!(console.starts_with("hello\nhello\n"), "{console:?}");
    assert_eq!(fs::read_to_string(scene.path("out/er/a/tones.txt")).unwrap(), "");
    for name in ["a.png", "a-2.png"] {
        assert_eq!(read_png(scene.path("out/er/a").join(name)).unwrap(), black());
    }
}

#[test]
fn traces_of_one_name_have_two_folders_and_duplicates_run_once() {
    let mut scene = Scene::new();
    scene.trace("one/a.trace", "0ms power on\n1s end").trace("two/a.trace", "0ms power on\n1s end");
    scene.options.artifacts = Some(scene.path("out"));
    let paths = ["one", "two/a.trace", "one/a.trace"].map(|name| scene.path(name));
    assert_eq!(scene.replay_paths(&paths), Exit::Passed);
    scene.says("2 passed, 0 failed");
    assert!(scene.path("out/a/console.txt").exists() && scene.path("out/a-2/console.txt").exists());
}

#[test]
fn artifacts_that_cannot_be_written_are_wrong_usage() {
    let mut scene = Scene::new();
    scene.trace("a.trace", "0ms power on\n1s end");
    fs::write(scene.path("file"), "in the way").unwrap();
    scene.options.artifacts = Some(scene.path("file"));
    let folder = scene.path("");
    assert_eq!(scene.replay_paths(&[folder]), Exit::Usage);
    scene.complains("file: cannot be written");
    assert_eq!(scene.out, "", "nothing has run");
}

#[test]
fn a_broken_trace_is_wrong_usage_and_the_others_still_run() {
    let mut scene = Scene::new();
    scene.trace("a.trace", "0ms power on\n1s tup B1").trace("b.trace", "0ms power on\n1s end");
    fs::write(scene.path("c.trace"), [0xFF, 0xFE, 0]).unwrap();
    scene.trace("d.trace", "act dance\n0ms power on");
    scene.check(Exit::Usage, "1 passed, 3 failed");
    scene.complains("ERROR a.trace\n  ");
    scene.complains("a.trace:3:4: ");
    scene.complains("c.trace:1:1: ");
    scene.complains("d.trace:2:5: no board dances; leave the line out");
    scene.says("PASS b.trace");
}

#[test]
fn faulty_firmware_fails_only_its_own_trace() {
    let mut scene = Scene::new();
    scene.trace("a.trace", "act spin\n0ms power on\n1s end");
    scene.trace("b.trace", "0ms power on\n1s end");
    scene.check(Exit::LimitReached, "1 passed, 1 failed");
    scene.says("LIMIT a.trace");
    scene.trace("c.trace", "act panic\n0ms power on\n1s end");
    scene.options.artifacts = Some(scene.path("out"));
    scene.trace("d.trace", "act break\n0ms power on\n1s end");
    scene.check(Exit::Failed, "1 passed, 3 failed");
    scene.says("c.trace:4:4: at 0 ms: the firmware panicked at simulator/tests/cli/runner.rs:47:24: cup 14 of 14");
    assert!(scene.path("out/c/line-4.failed.png").exists(), "the last frame is an artifact");
    scene.says("d.trace:4:4: at 0 ms: the firmware cannot go on: the LCD does not answer");
    scene.trace("e.trace", "1s power");
    scene.check(Exit::Usage, "1 passed, 4 failed");
}

#[test]
fn missing_files_are_reported_before_the_run() {
    let mut scene = Scene::new();
    scene.trace("full/a.trace", "0ms power on\n1s end");
    fs::create_dir(scene.path("empty")).unwrap();
    for (name, complaint) in [
        ("missing", "nudge: missing: no such file or folder"),
        ("empty", "nudge: empty: no traces in this folder or below"),
    ] {
        let paths = ["full", name].map(|name| scene.path(name));
        assert_eq!(scene.replay_paths(&paths), Exit::Usage);
        scene.complains(complaint);
        assert_eq!(scene.out, "");
    }
    scene.options.filter = Some("other".into());
    let paths = [scene.path("full")];
    assert_eq!(scene.replay_paths(&paths), Exit::Usage);
    scene.complains("of 1 trace, none has `other` in its path");
}

#[test]
fn a_filter_and_a_time_limit_the_replay() {
    let mut scene = Scene::new();
    scene.trace("win.trace", "0ms power on\n5s expect text \"never shown\"");
    scene.trace("lose.trace", "0ms power on\n1s end");
    scene.options.filter = Some("win".into());
    scene.check(Exit::Failed, "0 passed, 1 failed");
    scene.says("expected text \"never shown\" on the LCD");
    scene.options.until = Some(Instant::from_secs(2));
    scene.check(Exit::Passed, "1 passed, 0 failed");
    scene.says("2.0s of board time");
}

#[test]
fn quiet_omits_traces_that_passed() {
    let mut scene = Scene::new();
    scene.trace("a.trace", "0ms power on\n1s end").trace("b.trace", LOOK);
    scene.options.quiet = true;
    scene.check(Exit::Failed, "1 passed, 1 failed");
    assert!(scene.out.starts_with("FAIL b.trace"), "{}", scene.out);
}

#[test]
fn the_contact_sheet_has_all_screens_and_last_ones_once() {
    let mut scene = Scene::new();
    scene.trace("a.trace", "0ms power on\n1s screenshot first\n2s end");
    scene.trace("b.trace", "0ms power on\n1s end");
    scene.options.contact_sheet = Some(scene.path("sheet.png"));
    scene.check(Exit::Passed, "2 passed, 0 failed");
    scene.says("wrote sheet.png");
    let sheet = read_png(scene.path("sheet.png")).unwrap();
    let dark = sheet.pixels().iter().filter(|pixel| **pixel == 0).count();
    assert_eq!(dark, 2 * 320 * 240, "a's last screen is its screenshot");
}

#[test]
fn results_do_not_depend_on_the_number_of_jobs() {
    let mut scene = Scene::new();
    for number in 0..20 {
        scene.trace(&format!("{number:02}.trace"), &format!("0ms power on\n{number}ms end"));
    }
    let without_times = |out: &str| -> Vec<String> {
        out.lines().map(|line| line.split(" of board").next().unwrap().to_owned()).collect()
    };
    let mut seen = Vec::new();
    for jobs in [1, 2, 7] {
        scene.options.jobs = NonZero::new(jobs);
        scene.check(Exit::Passed, "20 passed, 0 failed");
        seen.push(without_times(&scene.out));
    }
    assert!(seen.windows(2).all(|pair| pair[0] == pair[1]), "{seen:?}");
}

#[test]
fn a_trace_may_have_any_name_when_named_itself() {
    let mut scene = Scene::new();
    scene.trace("session.txt", "0ms power on\n1s end");
    let path = scene.path("session.txt");
    assert!(Path::new(&path).exists());
    assert_eq!(scene.replay_paths(&[path]), Exit::Passed);
}

#[test]
fn a_failure_has_its_history_and_a_command_to_repeat_it() {
    let mut scene = Scene::new();
    let lines = "act talk\n0ms power on\n1s tap B3\n2s expect text \"won\" # by now\n9s end";
    scene.trace("a.trace", lines);
    scene.check(Exit::Failed, "0 passed, 1 failed");
    scene.says("  a.trace:5:4: at 2 s: expected text \"won\" on the LCD\n");
    scene.says("    5 | 2s expect text \"won\" # by now\n      |    ^\n");
    scene.says("    the LCD showed no text\n");
    scene.says("    what happened last before:\n");
    scene.says("  press B3\n");
    scene.says("  release B3\n");
    scene.says("  console \"hello\"\n");
    scene.says("a.trace --until 2s\n");
    scene.says("    as a picture: nudge screenshot ");
    scene.says("a.trace --at 2s --output a.png\n");
}

#[test]
fn the_printed_command_fails_in_the_same_way() {
    let mut scene = Scene::new();
    scene.trace("a.trace", "0ms power on\n2s expect text \"won\"\n9s expect text \"lost\"");
    scene.options.until = Some(Instant::from_secs(2));
    scene.check(Exit::Failed, "0 passed, 1 failed");
    scene.says("a.trace:3:4: at 2 s: expected text \"won\"");
    assert!(!scene.out.contains("lost"), "{}", scene.out);
}

#[test]
fn the_lcd_at_a_failed_line_is_an_artifact_of_this_run_only() {
    let mut scene = Scene::new();
    scene.trace("x/a.trace", "0ms power on\n2s expect text \"won\"\n+0ms end");
    scene.options.artifacts = Some(scene.path("out"));
    scene.check(Exit::Failed, "0 passed, 1 failed");
    scene.says("    as a picture: out/x/a/line-3.failed.png\n");
    assert_eq!(read_png(scene.path("out/x/a/line-3.failed.png")).unwrap(), black());
    scene.trace("x/a.trace", "0ms power on\n2s end");
    scene.check(Exit::Passed, "1 passed, 0 failed");
    assert!(!scene.path("out/x/a/line-3.failed.png").exists());
}

#[test]
fn equal_runs_pass_and_the_first_difference_is_located() {
    let mut scene = Scene::new();
    scene.trace("a.trace", "act talk\n0ms power on\n1s tap B3\n+1s end");
    scene.options.repeat = NonZero::new(3);
    scene.check(Exit::Passed, "1 passed, 0 failed");
    scene.trace("b.trace", "act drift\n0ms power on\n1s end");
    scene.check(Exit::Failed, "1 passed, 1 failed");
    scene.says("run 2 of 3 parts from the first: console line 1 is \"run ");
    scene.says("--repeat 3\n");
}

#[test]
fn fail_fast_reports_nothing_after_the_first_failure() {
    for jobs in [1, 4] {
        let mut scene = Scene::new();
        for number in 0..300 {
            let end = if number == 7 || number == 9 { "1s expect text \"x\"" } else { "1s end" };
            scene.trace(&format!("{number:03}.trace"), &format!("0ms power on\n{end}"));
        }
        scene.options.jobs = NonZero::new(jobs);
        scene.options.fail_fast = true;
        scene.check(Exit::Failed, "7 passed, 1 failed, 292 not run");
        assert!(!scene.out.contains("009.trace"), "{}", scene.out);
    }
}

#[test]
fn more_traces_than_the_queue_holds_are_reported_in_order() {
    let mut scene = Scene::new();
    // The first trace takes longest, so all others finish before it.
    scene.trace("0000.trace", "act talk\n0ms power on\n600s end");
    for number in 1..700 {
        scene.trace(&format!("{number:04}.trace"), "0ms power on\n1ms end");
    }
    scene.check(Exit::Passed, "700 passed, 0 failed");
    let names = scene.out.lines().filter_map(|line| line.strip_prefix("PASS "));
    assert!(names.clone().is_sorted(), "{}", scene.out);
    assert_eq!(names.count(), 700);
}

#[test]
fn a_list_replays_nothing_and_shards_divide_it() {
    let mut scene = Scene::new();
    for name in ["a", "b", "c", "d", "e"] {
        scene.trace(&format!("{name}.trace"), "act panic\n0ms power on");
    }
    scene.options.list = true;
    let folder = scene.path("");
    let mut listed = Vec::new();
    for part in ["1/2", "2/2"] {
        scene.options.shard = Some(part.parse().unwrap());
        assert_eq!(scene.replay_paths(std::slice::from_ref(&folder)), Exit::Passed);
        listed.extend(scene.out.lines().map(str::to_owned));
    }
    assert_eq!(listed, ["a.trace", "c.trace", "e.trace", "b.trace", "d.trace"]);
    scene.options.shard = Some("6/6".parse().unwrap());
    assert_eq!(scene.replay_paths(&[folder]), Exit::Passed);
    scene.complains("part 6/6 has none of 5 traces");
}
