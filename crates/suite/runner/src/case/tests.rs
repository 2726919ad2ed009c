//! Tests how a replay's outcome becomes the report of one trace, on a machine that does little.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use hal_mock::{BoardConfig, Heap, MachineError, replay::FailureCause};
use ili9341_model::{Frame, Region};
use reading::golden::{self, chain::Chain, chain::FrameHash};
use trace::Place;
use virtual_time::Nanos;

use super::*;
use crate::guard::TimedOut;
use crate::notice::NoticeKind;
use crate::observe::ReplayObserver;
use crate::options::elements::ElementNamer;
use crate::report::ComparedWith;

/// Frequency at which the firmware panics.
const PANICS: u32 = 1;
/// Frequency at which the firmware turns the LCD on, which then shows the noise in its memory.
const DRAWS: u32 = 2;
/// Frequency at which the firmware turns the LCD on with inverted colours.
const DRAWS_INVERTED: u32 = 3;
/// Frequency at which the firmware writes a pixel before it turns the LCD on.
const DRAWS_ASLEEP: u32 = 4;
/// Frequency at which the firmware sends a command that the LCD does not have.
const BREAKS_A_RULE: u32 = 5;

/// Frequency at which the bench fails.
const BENCH_FAILS: u32 = 6;

/// Frequency at which the machine has a remark about the firmware.
const POLLS_IN_VAIN: u32 = 7;

/// A board whose firmware sounds a tone, if one is set.
struct Sounding {
    board: VirtualBoard,
    hertz: Option<u32>,
}

impl Machine for Sounding {
    fn board(&self) -> &VirtualBoard {
        &self.board
    }

    fn power_on(&mut self) -> Result<(), MachineError> {
        self.board.power_on();
        assert_ne!(self.hertz, Some(PANICS), "out of ideas");
        if self.hertz == Some(BENCH_FAILS) {
            return Err(MachineError::of_bench(self.board.now(), "the cable is pulled"));
        }
        let wires = self.board.terminals();
        wires.set_tone(self.board.now(), self.hertz.filter(|hertz| *hertz > BREAKS_A_RULE));
        let send = |command: u8, data: &[u8]| {
            self.board.advance_to(self.board.now().saturating_add(Nanos::from_millis(120)));
            let now = self.board.now();
            let behind = now.saturating_add(Nanos(800));
            wires.set_lcd_dc(now, false);
            wires.lcd_write(now, behind, &[command]);
            wires.set_lcd_dc(behind, true);
            wires.lcd_write(behind, behind.saturating_add(Nanos(800 * data.len() as u64)), data);
        };
        if self.hertz == Some(DRAWS_ASLEEP) {
            send(0x2C, &[0, 0, 0]);
        }
        if self.hertz == Some(BREAKS_A_RULE) {
            send(0xFF, &[]);
        }
        if matches!(self.hertz, Some(DRAWS..=DRAWS_ASLEEP)) {
            send(0x11, &[]);
            send(if self.hertz == Some(DRAWS_INVERTED) { 0x21 } else { 0x20 }, &[]);
            send(0x29, &[]);
            wires.set_backlight(self.board.now().saturating_add(Nanos(800)), true);
        }
        Ok(())
    }

    fn power_off(&mut self) {
        self.board.power_off();
    }

    fn step(&mut self, limit: Instant) -> Result<(), MachineError> {
        self.board.advance_to(limit);
        Ok(())
    }

    fn heap(&self) -> Heap {
        Heap::Absent
    }

    fn remark(&self) -> Option<String> {
        (self.hertz == Some(POLLS_IN_VAIN)).then(|| "polled in vain: GP8".to_owned())
    }

    fn fork(&self) -> Option<Box<dyn Machine>> {
        None
    }
}

/// Returns the report on `lines` below `0ms power on`, in a folder of its own. Each run sounds the
/// next tone of `hertz`; runs after the last one repeat it.
fn replayed(lines: &str, options: &ReplayOptions, hertz: &[Option<u32>]) -> TraceReport {
    let folder = tempfile::tempdir().unwrap();
    replayed_in(folder.path(), lines, options, hertz)
}

fn replayed_in(
    folder: &Path,
    lines: &str,
    options: &ReplayOptions,
    hertz: &[Option<u32>],
) -> TraceReport {
    observed_in(folder, lines, options, hertz, &|_| Vec::new())
}

fn observed_in(
    folder: &Path,
    lines: &str,
    options: &ReplayOptions,
    hertz: &[Option<u32>],
    observers: ObserverFactory<'_>,
) -> TraceReport {
    let path = folder.join("a.trace");
    fs::write(&path, format!("trace 1\n0ms power on\n{lines}\n")).unwrap();
    let runs = AtomicUsize::new(0);
    let build = |_: &Trace| -> Result<Box<dyn Machine>, hal_mock::setup::SetupError> {
        let run = runs.fetch_add(1, Ordering::Relaxed);
        let hertz = hertz.get(run).or(hertz.last()).copied().flatten();
        Ok(Box::new(Sounding { board: VirtualBoard::new(BoardConfig::default()), hertz }))
    };
    let found = FoundTrace { path, artifacts: "a".into() };
    let reader = Reader::new(Vec::new());
    replay_one(&found, options, &build, &reader, observers).unwrap()
}

fn headlines(report: &TraceReport) -> Vec<&str> {
    report.problems.iter().map(Problem::headline).collect()
}

#[test]
fn the_first_failure_has_the_remark_of_the_machine() {
    let lines = "1s expect console \"x\"\n+1s expect console \"y\"";
    let replayed = |hertz, lines| replayed(lines, &ReplayOptions::default(), &[Some(hertz)]);
    let report = replayed(POLLS_IN_VAIN, lines);
    let remarks = |problem: &Problem| problem.message.ends_with("\npolled in vain: GP8");
    assert_eq!(report.problems.iter().map(remarks).collect::<Vec<_>>(), [true, false]);
    assert!(!headlines(&report)[0].contains("vain"), "a line of its own");
    let without = replayed(POLLS_IN_VAIN + 1, lines);
    assert!(without.problems.iter().all(|problem| !problem.message.contains("vain")));
    assert_eq!(replayed(POLLS_IN_VAIN, "1s end").exit, Exit::Passed);
}

#[test]
fn a_problem_has_its_place_time_and_command() {
    let report = replayed("1s expect console \"x\"\n+1s end", &ReplayOptions::default(), &[None]);
    assert_eq!((report.exit, report.problems.len()), (Exit::Failed, 1));
    assert_eq!(report.ran.map(|(end, _)| end), Some(Instant::from_millis(2_000)));
    let problem = &report.problems[0];
    assert_eq!(problem.place, Some(Place { line: 3, column: 4 }));
    assert_eq!(problem.at, Some(Instant::from_millis(1_000)));
    assert_eq!(problem.quote.as_deref(), Some("1s expect console \"x\""));
    let file = report.file.display();
    assert_eq!(problem.again, Some(format!("nudge replay {file} --until 1s")));
    assert!(problem.look.as_ref().is_some_and(|look| look.contains("nudge screenshot")));
    assert!(problem.events.iter().any(|(_, event)| event == "power on"), "{:?}", problem.events);
    assert!((report.console, report.timeline, report.equal_runs) == (None, None, None));
}

#[test]
fn the_frames_before_a_problem_are_reported() {
    let options = ReplayOptions::default();
    let report = replayed("1s expect console \"x\"", &options, &[Some(DRAWS)]);
    let events = &report.problems[0].events;
    assert!(events.iter().any(|(_, event)| event == "a frame"), "{events:?}");
}

#[test]
fn a_broken_rule_of_the_lcd_fails_a_trace_unless_it_is_allowed() {
    let lines = "1s expect no console \"x\"";
    let report = replayed(lines, &ReplayOptions::default(), &[Some(BREAKS_A_RULE)]);
    assert_eq!((report.exit, report.problems.len()), (Exit::Failed, 1));
    assert!(report.problems[0].of_the_trace && report.problems[0].message.contains("FF"));
    let allowed = ReplayOptions { allow_violations: true, ..ReplayOptions::default() };
    let report = replayed(lines, &allowed, &[Some(BREAKS_A_RULE)]);
    assert_eq!((report.exit, headlines(&report).len()), (Exit::Passed, 0));
}

/// Counts the calls of an observer: frames, lines, ends.
struct Counts(Arc<[AtomicUsize; 3]>);

impl Counts {
    fn count(&self, what: usize) {
        self.0[what].fetch_add(1, Ordering::Relaxed);
    }
}

impl ReplayObserver for Counts {
    fn frame_complete(&mut self, _at: Instant, _board: &VirtualBoard) {
        self.count(0);
    }

    fn line_ended(&mut self, _line: &Line, _at: Instant, _board: &VirtualBoard) {
        self.count(1);
    }

    fn ended(&mut self, _end: &ReplayEnd<'_>) {
        self.count(2);
    }
}

#[test]
fn observers_see_only_the_first_run() {
    let folder = tempfile::tempdir().unwrap();
    let repeat = std::num::NonZero::new(2);
    let options = ReplayOptions { repeat, ..ReplayOptions::default() };
    let counts = Arc::<[AtomicUsize; 3]>::default();
    let observers = |_: &ReplayStart<'_>| -> Vec<Box<dyn ReplayObserver>> {
        vec![Box::new(Counts(counts.clone()))]
    };
    let lines = "1s expect no console \"x\"";
    let report = observed_in(folder.path(), lines, &options, &[Some(DRAWS)], &observers);
    assert_eq!((report.exit, report.equal_runs), (Exit::Passed, Some(2)));
    let counted = counts.each_ref().map(|count| count.load(Ordering::Relaxed));
    assert!(counted[0] > 0, "{counted:?}");
    assert_eq!(counted[1..], [2, 1]);
}

#[test]
fn a_note_of_the_lcd_up_to_the_end_is_a_notice() {
    let options = ReplayOptions::default();
    let lines = "1s expect no console \"x\"";
    let report = replayed(lines, &options, &[Some(DRAWS_ASLEEP)]);
    let kinds: Vec<_> = report.notices.iter().map(|notice| &notice.kind).collect();
    let [NoticeKind::Linter { count: 1, .. }] = kinds[..] else { panic!("{kinds:?}") };
    // The firmware takes longer than that to start.
    let until = Some(Instant::from_millis(1));
    let early = ReplayOptions { until, ..options };
    let report =
        replayed(&format!("0ms expect no console \"x\"\n{lines}"), &early, &[Some(DRAWS_ASLEEP)]);
    assert_eq!((report.exit, report.notices.len()), (Exit::Passed, 0));
}

#[test]
fn lines_after_an_early_end_are_not_judged() {
    let until = Some(Instant::from_millis(500));
    let options = ReplayOptions { until, ..ReplayOptions::default() };
    let report = replayed("1s expect console \"never\"", &options, &[None]);
    assert_eq!((report.exit, report.ran.map(|(end, _)| end)), (Exit::Passed, until));
    let kinds: Vec<_> = report.notices.iter().map(|notice| &notice.kind).collect();
    assert_eq!(kinds, [&NoticeKind::EndedBefore { until: Instant::from_millis(500) }]);
}

#[test]
fn a_notice_fails_a_trace_that_is_judged_strictly() {
    let lenient = ReplayOptions::default();
    let report = replayed("1s settle within 1s", &lenient, &[None]);
    assert_eq!((report.exit, report.notices.len(), report.problems.len()), (Exit::Passed, 1, 0));
    let strict = ReplayOptions { strict: true, ..lenient };
    let report = replayed("1s settle within 1s", &strict, &[None]);
    assert_eq!((report.exit, report.notices.len(), report.problems.len()), (Exit::Failed, 0, 1));
    assert!(report.problems[0].message.ends_with("; --strict passes no trace with a notice"));
}

#[test]
fn a_panic_of_the_firmware_fails_its_trace_with_its_message() {
    let options = ReplayOptions::default();
    let report = replayed("1s expect no console \"x\"", &options, &[Some(PANICS)]);
    assert_eq!(report.exit, Exit::Failed);
    assert!(report.problems[0].message.contains("out of ideas"), "{:?}", headlines(&report));
    assert_eq!(report.problems[0].at, Some(Instant::START));
}

#[test]
fn a_failure_of_the_bench_is_no_failure_of_the_firmware() {
    let options = ReplayOptions::default();
    let report = replayed("+1ms end", &options, &[Some(BENCH_FAILS), None]);
    assert_eq!(report.exit, Exit::Passed, "{:?}", headlines(&report));
    let note = "this is the second attempt, because the first one failed: the bench has failed: the cable is pulled";
    assert_eq!(report.notes, [note]);
    let report = replayed("+1ms end", &options, &[Some(BENCH_FAILS)]);
    assert_eq!(report.exit, Exit::Bench);
    assert_eq!(headlines(&report), ["the bench has failed: the cable is pulled"]);
    let mut junit = quick_junit::TestSuite::new("");
    junit.add_test_case(crate::reporters::junit::junit_case(&report, &options));
    assert_eq!((junit.errors, junit.failures), (1, 0));
}

#[test]
fn repeated_runs_are_equal_or_the_first_difference_is_named() {
    let repeat = std::num::NonZero::new(3);
    let options = ReplayOptions { repeat, ..ReplayOptions::default() };
    let lines = "1s expect no console \"x\"";
    for hertz in [440, DRAWS] {
        let report = replayed(lines, &options, &[Some(hertz)]);
        assert_eq!((report.exit, report.equal_runs), (Exit::Passed, Some(3)));
    }
    let report = replayed(lines, &options, &[Some(440), Some(440), Some(441)]);
    assert_eq!((report.exit, report.equal_runs), (Exit::Failed, None));
    let message = &report.problems[0].message;
    assert!(message.starts_with("run 3 of 3 parts from the first: change of tone 1 is 441 Hz"));
    let looks = replayed(lines, &options, &[Some(DRAWS), Some(DRAWS_INVERTED)]);
    let parting = "run 2 of 3 parts from the first: frame 0 looks different";
    assert_eq!(headlines(&looks), [parting]);
    let again = report.problems[0].again.as_ref().unwrap();
    assert!(again.ends_with(" --repeat 3"), "{again}");
    // Without the option there is a single run and nothing to compare it with.
    let report = replayed(lines, &ReplayOptions::default(), &[Some(440), Some(441)]);
    assert_eq!((report.exit, report.equal_runs), (Exit::Passed, None));
}

#[test]
fn a_golden_that_no_line_compares_with_fails_its_trace() {
    let folder = tempfile::tempdir().unwrap();
    golden::write_png(folder.path().join("a/old.png"), &Frame::filled(1, 1, 0)).unwrap();
    let options = ReplayOptions::default();
    let report = replayed_in(folder.path(), "1s expect no console \"x\"", &options, &[None]);
    assert_eq!(report.exit, Exit::Failed);
    assert!(report.problems[0].message.contains("old.png: no `expect frame` of the trace"));
}

#[test]
fn a_report_has_only_the_parts_that_its_outputs_need() {
    let lines = "1s expect console \"x\"";
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| Some(folder.path().join(name));
    let junit = ReplayOptions { junit: at("a.xml"), ..ReplayOptions::default() };
    assert_eq!(replayed(lines, &junit, &[None]).console.as_deref(), Some(""));
    let html = ReplayOptions { html: at("page"), ..ReplayOptions::default() };
    let report = replayed(lines, &html, &[None]);
    assert!(report.timeline.is_some() && report.packed.is_none() && report.console.is_none());
    assert!(report.problems[0].screen.is_some());
    let plain = replayed(lines, &ReplayOptions::default(), &[None]);
    assert!(plain.timeline.is_none() && plain.problems[0].screen.is_none());

    let artifacts = ReplayOptions { artifacts: at("out"), ..ReplayOptions::default() };
    let shown = format!("{lines}\n{lines}\n+0ms screenshot menu");
    let report = replayed(&shown, &artifacts, &[Some(DRAWS)]);
    assert!(folder.path().join("out/a/menu.png").exists());
    fs::remove_file(folder.path().join("out/a/menu.png")).unwrap();
    let saved = |nth: usize| report.problems[nth].saved_at.clone();
    assert_eq!(saved(0), at("out/a/line-3.failed.png"));
    assert_eq!(saved(1), at("out/a/line-4.failed.png"));
    // The run removes pictures of an earlier run, and nothing else.
    fs::write(folder.path().join("out/a/line-x.failed.png"), "").unwrap();
    let report = replayed(lines, &artifacts, &[None]);
    assert_eq!(report.problems.len(), 1);
    let mut left: Vec<_> = fs::read_dir(folder.path().join("out/a")).unwrap().flatten().collect();
    left.sort_by_key(fs::DirEntry::file_name);
    let left: Vec<_> = left.iter().map(fs::DirEntry::file_name).collect();
    let expected =
        ["console.txt", "flash.bin", "line-3.failed.png", "line-x.failed.png", "tones.txt"];
    assert_eq!(left, expected);
}

#[test]
fn a_page_that_plays_traces_gets_those_that_failed() {
    let bundle = page::Bundle { engine: &[], script: "", style: "" };
    let player = Player::Engine { bundle, board: "native", elf: None, board_file: None };
    let html = Some("page".into());
    let options = ReplayOptions { html, player, ..ReplayOptions::default() };
    let failed = replayed("1s expect console \"x\"", &options, &[None]);
    let packed = failed.packed.unwrap();
    assert!(packed.text.ends_with("1s expect console \"x\"\n"), "{}", packed.text);
    let passed = replayed("1s expect no console \"x\"", &options, &[None]);
    assert_eq!((passed.exit, passed.packed.is_none()), (Exit::Passed, true));
}

#[test]
fn a_differing_golden_is_shown_beside_the_picture_of_the_lcd() {
    let folder = tempfile::tempdir().unwrap();
    let mut start = Frame::filled(4, 4, 0);
    start.pixels_mut()[2 * 4 + 1] = 0x00FF_FFFF;
    golden::write_png(folder.path().join("a/start.png"), &start).unwrap();
    let lines = "1s expect frame start in 10,5,4,4\n+0ms expect console \"x\"";
    let at = |name: &str| Some(folder.path().join(name));
    let options =
        ReplayOptions { html: at("page"), artifacts: at("out"), ..ReplayOptions::default() };
    let report = replayed_in(folder.path(), lines, &options, &[None]);
    let screen = report.problems[0].screen.as_ref().unwrap();
    let compared = screen.compared.as_ref().unwrap();
    assert_eq!(compared.with, ComparedWith::Golden);
    assert_eq!(compared.region, Some(Region { x: 1, y: 2, width: 1, height: 1 }));
    assert_eq!(screen.actual, golden::encode_png(&Frame::filled(4, 4, 0)));
    assert_eq!(compared.other, golden::encode_png(&start));
    let difference = golden::difference_frame(&Frame::filled(4, 4, 0), &start);
    assert_eq!(compared.difference, golden::encode_png(&difference));
    assert_eq!(screen.difference, at("out/a/start.diff.png"));
    let next = report.problems[1].screen.as_ref().unwrap();
    assert!(next.compared.is_none() && next.difference.is_none(), "it is of another line");
    let plain = replayed_in(folder.path(), lines, &ReplayOptions::default(), &[None]);
    assert!(plain.problems.iter().all(|problem| problem.screen.is_none()));
}

#[test]
fn a_differing_frame_names_the_elements_that_drew_its_pixels() {
    let folder = tempfile::tempdir().unwrap();
    let mut start = Frame::filled(4, 4, 0);
    start.pixels_mut()[2 * 4 + 1] = 0x00FF_FFFF;
    golden::write_png(folder.path().join("a/start.png"), &start).unwrap();
    let lines = "1s expect frame start in 10,5,4,4\n+0ms expect console \"x\"";
    let namer = |count: usize| {
        ElementNamer::new(move |_: &Trace, at: Instant, pixels: &[(usize, usize)]| {
            (0..count).map(|nth| format!("{nth} at {pixels:?} {at}")).collect()
        })
    };
    let with = |count| ReplayOptions { elements: Some(namer(count)), ..ReplayOptions::default() };
    let report = replayed_in(folder.path(), lines, &with(1), &[None]);
    let headlines = headlines(&report);
    assert!(headlines[0].ends_with("; drawn there: 0 at [(11, 7)] 1s"), "{headlines:?}");
    assert!(!headlines[1].contains("drawn there"), "it is about the console");
    let report = replayed_in(folder.path(), lines, &with(9), &[None]);
    assert!(report.problems[0].headline().ends_with(" and 3 more"), "{:?}", report.problems[0]);
    let report = replayed_in(folder.path(), lines, &with(0), &[None]);
    assert!(!report.problems[0].message.contains("drawn there"));
}

#[test]
fn a_differing_frame_of_a_chain_is_shown_beside_its_predecessor() {
    let folder = tempfile::tempdir().unwrap();
    let lines = "1s expect frames all";
    let bless = ReplayOptions { bless: true, ..ReplayOptions::default() };
    let report = replayed_in(folder.path(), lines, &bless, &[Some(DRAWS)]);
    assert_eq!((report.exit, report.notes.len()), (Exit::Passed, 1), "{:?}", headlines(&report));
    let passes = replayed_in(folder.path(), lines, &ReplayOptions::default(), &[Some(DRAWS)]);
    assert_eq!(passes.exit, Exit::Passed);
    let mut chain = Chain::load(&folder.path().join("a/all.frames")).unwrap();
    chain.links[0].hash = FrameHash(7);
    chain.save(&folder.path().join("a/all.frames")).unwrap();
    let html = Some(folder.path().join("page"));
    let options = ReplayOptions { html, ..ReplayOptions::default() };
    let report = replayed_in(folder.path(), lines, &options, &[Some(DRAWS)]);
    let screen = report.problems[0].screen.as_ref().unwrap();
    let compared = screen.compared.as_ref().unwrap();
    assert_eq!(compared.with, ComparedWith::FrameBefore);
    assert_eq!(compared.other, golden::encode_png(&Frame::filled(320, 240, 0)));
    assert_eq!(compared.region, Some(Region::PANEL), "noise changes every corner");
    assert_ne!(screen.actual, compared.other);
    let plain = replayed_in(folder.path(), lines, &ReplayOptions::default(), &[Some(DRAWS)]);
    assert!(plain.problems[0].screen.is_none());
}

/// Returns an outcome with this verdict that ended at 2 s.
fn outcome(verdict: Verdict) -> ReplayOutcome {
    let ended_at = Instant::from_millis(2_000);
    ReplayOutcome {
        verdict,
        ended_at,
        frames: 0,
        lines: 0,
        stopped_in: None,
        failures_left_out: 0,
        failed_before: Vec::new(),
    }
}

fn failure(id: usize) -> Failure {
    let place = Some(Place { line: 3, column: 1 });
    let at = Instant::from_millis(1_000);
    let (cause, shown) = (FailureCause::NoProgress, None);
    Failure { id: FailureId(id), place, included: None, at, cause, display: None, shown }
}

fn judged(outcome: ReplayOutcome, screens: BTreeMap<FailureId, FailureScreen>) -> TraceReport {
    let mut report = TraceReport::new(Path::new("a.trace"));
    report.judge(outcome, Explanations { screens, ..Explanations::default() });
    report
}

#[test]
fn firmware_that_never_advances_the_clock_reaches_the_limit() {
    let at = Instant::from_millis(7);
    let report = judged(outcome(Verdict::LimitReached { at }), BTreeMap::new());
    assert_eq!((report.exit, report.problems[0].at), (Exit::LimitReached, Some(at)));
    let limit = spoken(replay::LIMIT);
    assert!(report.problems[0].message.ends_with(&format!("the limit of {limit} is reached")));
}

#[test]
fn a_machine_that_stops_before_the_limit_fails_its_trace() {
    let at = Instant::from_millis(7);
    let broken = |error: MachineError| {
        let failed_before = vec![failure(0)];
        judged(ReplayOutcome { failed_before, ..outcome(Verdict::Broken(error)) }, BTreeMap::new())
    };
    let report = broken(MachineError::new(at, "no stones".to_owned()));
    let said = ["the firmware keeps the clock", "the firmware cannot go on: no stones"];
    for (headline, said) in headlines(&report).iter().zip(said) {
        assert!(headline.starts_with(said), "{headline}");
    }
    assert_eq!((report.exit, report.problems[1].at), (Exit::Failed, Some(at)));
    let limit = Nanos::from_millis(10);
    let report = broken(MachineError::new(at, TimedOut { limit }));
    let message = "it takes longer than 10 ms of wall time (`--timeout`); the rest did not run";
    assert_eq!((report.problems.len(), headlines(&report)[1]), (2, message));
    let error = MachineError::new(at, TimedOut { limit });
    let report = judged(outcome(Verdict::Broken(error)), BTreeMap::new());
    assert_eq!(report.exit, Exit::LimitReached);
}

#[test]
fn three_failures_have_pictures_and_the_rest_is_counted() {
    let screen = |id: usize| {
        // The second failure has no picture.
        let actual = if id == 1 { Vec::new() } else { vec![id as u8] };
        (FailureId(id), FailureScreen { actual, ..FailureScreen::default() })
    };
    let failed = outcome(Verdict::Failed((0..6).map(failure).collect()));
    let failed = ReplayOutcome { failures_left_out: 2, ..failed };
    let report = judged(failed, (0..6).map(screen).collect());
    let kept: Vec<bool> = report.problems.iter().map(|problem| problem.screen.is_some()).collect();
    assert_eq!(kept, [true, false, true, true, false, false, false]);
    assert_eq!(headlines(&report)[6], "2 more failures are left out");
    assert!(report.problems.iter().all(|problem| problem.of_the_trace));
    assert_eq!(report.exit, Exit::Failed);
    let report = judged(outcome(Verdict::Passed), BTreeMap::new());
    assert_eq!((report.exit, report.problems.len()), (Exit::Passed, 0));
}

#[test]
fn failures_of_one_line_have_pictures_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    for old in ["line-9.failed.png", "line-9-2.failed.png", "line-9-2-3.failed.png", "line-.png"] {
        fs::write(folder.path().join(old), "").unwrap();
    }
    let mut report = TraceReport::new(Path::new("a.trace"));
    for line in [3, 3, 4, 3] {
        let screen = Some(FailureScreen { actual: vec![7], ..FailureScreen::default() });
        let place = Some(Place { line, column: 1 });
        report.add(Exit::Failed, Problem { place, screen, ..Problem::default() });
    }
    report.add(Exit::Failed, Problem::default());
    report.save_screens(folder.path());
    let names: Vec<_> = report
        .problems
        .iter()
        .map(|problem| problem.saved_at.as_ref().and_then(|path| path.file_name()))
        .map(|name| name.and_then(|name| name.to_str()).unwrap_or_default())
        .collect();
    let pictures =
        ["line-3.failed.png", "line-3-2.failed.png", "line-4.failed.png", "line-3-3.failed.png"];
    assert_eq!(names[..4], pictures);
    assert_eq!((names[4], report.exit), ("", Exit::Failed));
    let mut there: Vec<_> = fs::read_dir(folder.path())
        .unwrap()
        .flatten()
        .map(|entry| entry.file_name().into_string().unwrap())
        .filter(|name| !pictures.contains(&name.as_str()))
        .collect();
    there.sort();
    assert_eq!(there, ["line-.png", "line-9-2-3.failed.png"]);
}

#[test]
fn a_picture_that_cannot_be_written_is_wrong_usage() {
    let folder = tempfile::tempdir().unwrap();
    let mut report = TraceReport::new(Path::new("a.trace"));
    let screen = Some(FailureScreen { actual: vec![7], ..FailureScreen::default() });
    let place = Some(Place { line: 3, column: 1 });
    report.add(Exit::Failed, Problem { place, screen, ..Problem::default() });
    fs::create_dir_all(folder.path().join("line-3.failed.png/x")).unwrap();
    report.save_screens(folder.path());
    assert_eq!(report.exit, Exit::Usage);
    assert!(report.problems[1].message.contains("line-3.failed.png"), "{:?}", headlines(&report));
    assert_eq!(report.problems[0].saved_at, None);
}

#[test]
fn only_the_end_of_a_long_console_is_reported() {
    assert_eq!(tail(b"boot\r\nmove B1\r\n"), "boot\nmove B1\n");
    let long = [b"abc".as_slice(), &[b'x'; CONSOLE_REPORTED]].concat();
    assert_eq!(tail(&long[3..]).len(), CONSOLE_REPORTED);
    let told = tail(&long);
    assert!(told.starts_with("(3 bytes before this are left out)\nxxx"), "{}", &told[..60]);
    assert_eq!(told.lines().nth(1).unwrap().len(), CONSOLE_REPORTED);
}
