//! Tests that the traces of this repository have the same verdict, console and tones behind a probe
//! as on `native`.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use boards::{emulated_probe, pico};
use firmware_board::Firmware;
use firmware_board::native;
use hal_mock::{Call, Machine, MachineWrapper, VirtualBoard, board::Tone, setup::SetupError};
use host::Exit;
use probe::disturbed::Faults;
use probe::software::Flaws;
use reading::text::Reader;
use runner::ReplayOptions;
use trace::Trace;
use virtual_time::{Instant, Nanos};

use super::on_probe;
use crate::part::Part;

const TRACES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../tests/traces");
/// Traces for the emulated probe, which takes more than a trace's time on one processor.
const ON_EMULATED: &str = include_str!("../../../../../tests/probe-traces.txt");

/// One of this number of traces is replayed on the probe in software, and of these those in this
/// run's part, unless all are requested, or some by a substring of their path:
/// NUDGE_PROBE_TRACE=bonus.
const ONE_OF: usize = 6;
/// The trace with a press while the board starts, which acts behind the probe in software as if it came
/// later. The emulated probe replays it.
const PRESSED_EARLY: &str = "faults/pressed-while-starting.trace";

/// Environment variable that selects the traces for the emulated probe: all of them, or every Nth
/// of the list, from the Kth on. Without it the list is used.
const TRACES_VARIABLE: &str = "NUDGE_PROBE_TRACES";

/// Returns whether the trace has no lines that only a virtual board can execute, and none that need
/// the debug port, which the probe in software does not have. `ON_EMULATED` has traces of that
/// kind.
fn is_for_a_real_board(trace: &str) -> bool {
    !["fault flash", "fault uart", "fault noise", "expect flash", "expect no flash", "expect heap"]
        .iter()
        .any(|line| trace.contains(line))
}

/// The output of a replay.
#[derive(Clone, Debug)]
struct Account {
    /// Text of the trace.
    trace: String,
    console: Vec<String>,
    tones: Vec<Option<u32>>,
    /// Frames that were shown for nearly [`SETTLED`] or longer.
    settled: Vec<ShownFrame>,
    /// Pixels of the LCD at the end.
    lcd: Vec<u32>,
}

/// Time after which a frame has settled, as for `expect settled frames`.
const SETTLED: Nanos = Nanos::from_millis(100);

/// Greatest difference between two boards in the time for which a frame is shown. A frame that is
/// shown for about [`SETTLED`] may have settled on only one of them.
const MARGIN: Nanos = Nanos::from_millis(10);

/// The hash of a frame's pixels, and the time from its last pixel to the first of the next frame,
/// or to the end.
#[derive(Clone, Copy, Debug)]
struct ShownFrame {
    hash: u64,
    time: Nanos,
}

/// Records the frames that are shown while a machine runs.
#[derive(Default)]
struct Settled {
    /// Hash of the last frame, the number of frames up to it, and the time of its last pixel.
    last: Option<(u64, u64, Instant)>,
    stood: Vec<ShownFrame>,
}

impl Settled {
    fn look(&mut self, board: &VirtualBoard) {
        let now = board.now();
        let (frames, span) = (board.frame_count_at(now), board.frame_span_at(now));
        let Some((start, end)) = span else { return };
        if self.last.is_some_and(|(_, counted, _)| counted == frames) {
            return;
        }
        self.ended(start);
        let mut hasher = DefaultHasher::new();
        board.frame_at(now).pixels().hash(&mut hasher);
        self.last = Some((hasher.finish(), frames, end));
    }

    /// Records that the last frame was shown until `at`.
    fn ended(&mut self, at: Instant) {
        let Some((hash, _, end)) = self.last.take() else { return };
        let time = at.saturating_since(end);
        if time.0 + MARGIN.0 >= SETTLED.0 {
            self.stood.push(ShownFrame { hash, time });
        }
    }
}

/// Checks that each frame that has certainly settled on one board was also shown on the other, in
/// the same order. The error is the number of equal frames.
fn settled_alike(one: &[ShownFrame], other: &[ShownFrame]) -> Result<(), usize> {
    let mut sure: Vec<u64> = one
        .iter()
        .filter(|frame| frame.time.0 >= SETTLED.0 + MARGIN.0)
        .map(|frame| frame.hash)
        .collect();
    sure.dedup();
    let mut others = other.iter();
    match sure.iter().position(|hash| !others.any(|frame| frame.hash == *hash)) {
        Some(missing) => Err(missing),
        None => Ok(()),
    }
}

/// Shortest note that is compared. A shorter one has only a period or two of the buzzer, from which
/// a probe may not determine the frequency.
const SHORTEST_NOTE: Nanos = Nanos::from_millis(2);

/// Returns the tones of the buzzer, without notes shorter than [`SHORTEST_NOTE`].
fn notes(tones: &[Tone]) -> Vec<Option<u32>> {
    let ends = tones.iter().skip(1).map(|next| Some(next.at)).chain([None]);
    let is_short = |(tone, end): &(&Tone, Option<Instant>)| {
        tone.hz.is_some() && end.is_some_and(|end| end.saturating_since(tone.at) < SHORTEST_NOTE)
    };
    let long = tones.iter().zip(ends).filter(|note| !is_short(note));
    let mut heard: Vec<Option<u32>> = long.map(|(tone, _)| tone.hz).collect();
    // After a note that was left out the buzzer is as silent as before it.
    heard.dedup_by(|next, last| next.is_none() && last.is_none());
    if heard.first() == Some(&None) {
        heard.remove(0);
    }
    heard
}

/// A machine that stores the output of its board when it is dropped.
struct Recorded {
    inner: Box<dyn Machine>,
    settled: Settled,
    trace: String,
    accounts: Arc<Mutex<Vec<Account>>>,
}

impl Drop for Recorded {
    fn drop(&mut self) {
        let board = self.inner.board();
        let console = board.console_lines().into_iter().map(|line| line.text).collect();
        let tones = notes(&board.tones());
        let lcd = board.frame_at(board.now()).pixels().to_vec();
        self.settled.ended(board.now());
        let settled = std::mem::take(&mut self.settled.stood);
        let account = Account { trace: self.trace.clone(), console, tones, settled, lcd };
        self.accounts.lock().unwrap().push(account);
    }
}

impl MachineWrapper for Recorded {
    fn inner(&self) -> &dyn Machine {
        self.inner.as_ref()
    }

    fn inner_mut(&mut self) -> &mut dyn Machine {
        self.inner.as_mut()
    }

    fn after(&mut self, call: Call, succeeded: bool) {
        if call == Call::Step && succeeded {
            self.settled.look(self.inner.board());
        }
    }

    fn copy(&self) -> Option<Box<dyn Machine>> {
        None
    }
}

fn traces() -> Vec<PathBuf> {
    let mut folders = vec![PathBuf::from(TRACES)];
    let mut traces = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("the traces") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "trace")
                && is_for_a_real_board(&std::fs::read_to_string(&path).expect("a trace"))
            {
                traces.push(path);
            }
        }
    }
    traces.sort();
    let all = std::env::var(TRACES_VARIABLE).is_ok_and(|which| which == "all");
    if let Ok(one) = std::env::var("NUDGE_PROBE_TRACE") {
        traces.retain(|path| path.to_string_lossy().contains(&one));
        return traces;
    }
    let some = traces.iter().step_by(ONE_OF).filter(|path| !path.ends_with(PRESSED_EARLY)).cloned();
    if all { traces } else { Part::of_this_run().pick(some).collect() }
}

/// Parses `K/N`, K from 1 to N.
fn part(asked: &str) -> (usize, usize) {
    let numbers = asked.split_once('/').map(|(first, of)| (first.parse(), of.parse()));
    match numbers {
        Some((Ok(first), Ok(of))) if (1..=of).contains(&first) => (first, of),
        _ => panic!("{TRACES_VARIABLE} is `all` or `K/N` with K from 1 to N, not {asked:?}"),
    }
}

type Build<'a> = dyn Fn(&Trace) -> Result<Box<dyn Machine>, SetupError> + Sync + 'a;

fn replay(traces: &[PathBuf], build: &Build<'_>) -> (Exit, String, Vec<Account>) {
    let accounts = Arc::new(Mutex::new(Vec::new()));
    let factory = |trace: &Trace| -> Result<Box<dyn Machine>, SetupError> {
        let (inner, accounts) = (build(trace)?, Arc::clone(&accounts));
        let settled = Settled::default();
        Ok(Box::new(Recorded { inner, settled, trace: trace.to_string(), accounts }))
    };
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let options = ReplayOptions { quiet: true, ..ReplayOptions::default() };
    let reader = Reader::new(native::fonts());
    let exit = runner::run(traces, &options, &factory, &reader, &mut out, &mut err)
        .expect("a report can be written");
    let mut accounts = accounts.lock().unwrap().clone();
    accounts.sort_by(|a, b| a.trace.cmp(&b.trace));
    out.extend(err);
    (exit, String::from_utf8(out).expect("text"), accounts)
}

/// Both firmwares run on emulated chips whose wires are connected.
#[test]
#[ignore = "needs the programs of `make firmware`; `make test-tools` runs it"]
fn traces_have_the_same_output_on_the_emulated_probe_as_on_pico() {
    let board = Arc::new(pico::firmware::built().expect("`make firmware` builds it"));
    let probe = Arc::new(emulated_probe::built().expect("`make firmware` builds it"));
    let asked = std::env::var(TRACES_VARIABLE).ok();
    let traces =
        if asked.as_deref() == Some("all") || std::env::var_os("NUDGE_PROBE_TRACE").is_some() {
            traces()
        } else {
            let (first, of) = asked.as_deref().map_or((1, 1), part);
            let names = ON_EMULATED.lines().filter(|line| !line.starts_with('#'));
            names.skip(first - 1).step_by(of).map(|name| PathBuf::from(TRACES).join(name)).collect()
        };
    let least =
        if asked.is_none() && std::env::var_os("NUDGE_PROBE_TRACE").is_none() { 20 } else { 1 };
    assert!(traces.len() >= least, "{} traces", traces.len());
    let (exit, said, expected) =
        replay(&traces, &|trace| pico::build(&Firmware, &board, trace, None));
    assert_eq!(exit, Exit::Passed, "{said}");
    let (exit, said, found) =
        replay(&traces, &|trace| emulated_probe::build(&Firmware, &board, &probe, trace, None));
    assert_eq!(exit, Exit::Passed, "{said}");
    same(&expected, &found);
}

/// Checks that both replays have the same output.
#[track_caller]
fn same(expected: &[Account], found: &[Account]) {
    assert_eq!(expected.len(), found.len());
    for (expected, found) in expected.iter().zip(found) {
        // The line that a full console drops depends on the microseconds between contacts that a
        // probe moves one after another.
        if !expected.trace.contains("dropped lines=") {
            assert_eq!(expected.console, found.console, "{}", expected.trace);
        }
        assert_eq!(expected.tones, found.tones, "{}", expected.trace);
        // The noise depends on the time at which it begins, which differs between the boards.
        if expected.trace.contains("fault spi flip") {
            continue;
        }
        for (one, other, of) in [
            (&expected.settled, &found.settled, "the other board"),
            (&found.settled, &expected.settled, "the probe's"),
        ] {
            if let Err(alike) = settled_alike(one, other) {
                panic!(
                    "only the first {alike} settled frames of {of} are the same: {}",
                    expected.trace
                );
            }
        }
        // Not `assert_eq`, which would print every pixel.
        assert!(expected.lcd == found.lcd, "the LCD differs at the end of {}", expected.trace);
    }
}

#[test]
fn traces_have_the_same_output_behind_a_probe_as_on_native() {
    let traces = traces();
    assert!(traces.len() > 3 || std::env::var("NUDGE_PROBE_TRACE").is_ok());
    let (exit, said, expected) = replay(&traces, &|trace| native::build(trace, None));
    assert_eq!(exit, Exit::Passed, "{said}");
    let (exit, said, found) = replay(&traces, &|trace| {
        let built = on_probe(trace, Faults::default(), Flaws::default(), 0)?;
        let (machine, _) = built.map_err(SetupError::new)?;
        Ok(Box::new(machine) as Box<dyn Machine>)
    });
    assert_eq!(exit, Exit::Passed, "{said}");
    same(&expected, &found);
}

#[test]
fn only_frames_near_the_settling_time_may_differ() {
    let stood = |frames: &[(u64, u64)]| -> Vec<ShownFrame> {
        frames
            .iter()
            .map(|(hash, ms)| ShownFrame { hash: *hash, time: Nanos::from_millis(*ms) })
            .collect()
    };
    let one = stood(&[(1, 500), (2, 104), (3, 900), (3, 200), (4, 110)]);
    assert_eq!(settled_alike(&one, &stood(&[(1, 500), (3, 900), (4, 91)])), Ok(()));
    assert_eq!(settled_alike(&one, &stood(&[(1, 500), (4, 900), (3, 91)])), Err(2));
    assert_eq!(settled_alike(&one, &stood(&[(1, 500), (3, 900)])), Err(2));
}

#[test]
fn only_notes_of_a_few_periods_are_left_out() {
    let played = |tones: &[(u64, Option<u32>)]| -> Vec<Tone> {
        tones.iter().map(|(ms, hz)| Tone { at: Instant::from_millis(*ms), hz: *hz }).collect()
    };
    let with =
        played(&[(10, Some(1568)), (11, None), (20, Some(880)), (22, None), (30, Some(440))]);
    assert_eq!(notes(&with), [Some(880), None, Some(440)]);
    let within = played(&[(20, Some(880)), (25, None), (30, Some(1568)), (31, None)]);
    assert_eq!(notes(&within), [Some(880), None]);
}
