//! The traces of this repository: verdict, console and tones are those of `native`.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use boards::{emulated_probe, native, pico};
use hal_mock::{Heap, Machine, MachineError, VirtualBoard, board::Tone, setup::SetupError};
use host::Exit;
use probe::disturbed::Faults;
use probe::software::Flaws;
use reading::text::Reader;
use runner::ReplayOptions;
use trace::Trace;
use virtual_time::{Instant, Nanos};

use super::behind_a_probe;

const TRACES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../tests/traces");
/// Those for the emulated probe: a trace takes more than its time on a processor there.
const ON_EMULATED: &str = include_str!("../../../../../tests/probe-traces.txt");

/// One of so many traces for the probe in software, except when all are asked for, or one by a part of its path:
/// NUDGE_PROBE_TRACE=bonus.
const ONE_OF: usize = 6;

/// Which traces the emulated probe replays: all of them, or every Nth of the list, from the Kth on; without it the list.
const ASKED: &str = "NUDGE_PROBE_TRACES";

/// Lines that only a virtual board can carry out or answer.
fn is_for_a_real_board(trace: &str) -> bool {
    !["fault flash cut", "expect flash", "expect no flash", "expect heap"]
        .iter()
        .any(|line| trace.contains(line))
}

/// What a replay left on the board.
#[derive(Clone, Debug)]
struct Account {
    /// The trace itself.
    trace: String,
    console: Vec<String>,
    tones: Vec<Option<u32>>,
    /// The frames that stood for nearly [`SETTLED`] or longer.
    settled: Vec<Stood>,
    /// The LCD at the end.
    lcd: Vec<u32>,
}

/// A frame that is shown for this long has settled, as `expect settled frames` has it.
const SETTLED: Nanos = Nanos::from_millis(100);

/// By so much two boards may differ in how long a frame stands: one that stands for about [`SETTLED`] has settled
/// on one of them and not on the other.
const MARGIN: Nanos = Nanos::from_millis(10);

/// A frame, by a hash of its pixels, and the time from its last pixel to the first of the next one, or to the end.
#[derive(Clone, Copy, Debug)]
struct Stood {
    hash: u64,
    time: Nanos,
}

/// Frames that have stood while a machine went on.
#[derive(Default)]
struct Settled {
    /// The last frame, how many there were with it, and when its last pixel came.
    last: Option<(u64, u64, Instant)>,
    stood: Vec<Stood>,
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

    /// The last frame stood until `at`.
    fn ended(&mut self, at: Instant) {
        let Some((hash, _, end)) = self.last.take() else { return };
        let time = at.saturating_since(end);
        if time.0 + MARGIN.0 >= SETTLED.0 {
            self.stood.push(Stood { hash, time });
        }
    }
}

/// Whether each frame that has surely settled on one board stood on the other, in the same order; if not, how many did.
fn settled_alike(one: &[Stood], other: &[Stood]) -> Result<(), usize> {
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

/// A note that ends sooner is a period or two of the buzzer: a probe may not tell its frequency.
const SHORTEST_NOTE: Nanos = Nanos::from_millis(2);

/// What the buzzer did, without notes of less than [`SHORTEST_NOTE`].
fn notes(tones: &[Tone]) -> Vec<Option<u32>> {
    let ends = tones.iter().skip(1).map(|next| Some(next.at)).chain([None]);
    let is_short = |(tone, end): &(&Tone, Option<Instant>)| {
        tone.hz.is_some() && end.is_some_and(|end| end.saturating_since(tone.at) < SHORTEST_NOTE)
    };
    let long = tones.iter().zip(ends).filter(|note| !is_short(note));
    let mut heard: Vec<Option<u32>> = long.map(|(tone, _)| tone.hz).collect();
    // Behind a note that was left out the buzzer is as silent as before it.
    heard.dedup_by(|next, last| next.is_none() && last.is_none());
    if heard.first() == Some(&None) {
        heard.remove(0);
    }
    heard
}

/// A machine that writes down what its board has said when it is dropped.
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

impl Machine for Recorded {
    fn board(&self) -> &VirtualBoard {
        self.inner.board()
    }
    fn power_on(&mut self) -> Result<(), MachineError> {
        self.inner.power_on()
    }
    fn power_off(&mut self) {
        self.inner.power_off();
    }
    fn step(&mut self, limit: Instant) -> Result<(), MachineError> {
        self.inner.step(limit)?;
        self.settled.look(self.inner.board());
        Ok(())
    }
    fn heap(&self) -> Heap {
        self.inner.heap()
    }
    fn fork(&self) -> Option<Box<dyn Machine>> {
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
    let all = std::env::var(ASKED).is_ok_and(|which| which == "all");
    if let Ok(one) = std::env::var("NUDGE_PROBE_TRACE") {
        traces.retain(|path| path.to_string_lossy().contains(&one));
        return traces;
    }
    if all { traces } else { traces.into_iter().step_by(ONE_OF).collect() }
}

/// Reads `K/N`, K from 1 to N.
fn part(asked: &str) -> (usize, usize) {
    let numbers = asked.split_once('/').map(|(first, of)| (first.parse(), of.parse()));
    match numbers {
        Some((Ok(first), Ok(of))) if (1..=of).contains(&first) => (first, of),
        _ => panic!("{ASKED} is `all` or `K/N` with K from 1 to N, not {asked:?}"),
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

/// Both firmwares, each on an emulated chip, wire to wire.
#[test]
fn traces_pass_on_the_emulated_probe_with_console_tones_and_settled_frames_of_pico() {
    let board = Arc::new(pico::firmware::built().expect("`make firmware` builds it"));
    let probe = Arc::new(emulated_probe::built().expect("`make firmware` builds it"));
    let asked = std::env::var(ASKED).ok();
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
    let (exit, said, expected) = replay(&traces, &|trace| pico::build(&board, trace, None));
    assert_eq!(exit, Exit::Passed, "{said}");
    let (exit, said, found) =
        replay(&traces, &|trace| emulated_probe::build(&board, &probe, trace, None));
    assert_eq!(exit, Exit::Passed, "{said}");
    same(&expected, &found);
}

/// Both have left the same.
#[track_caller]
fn same(expected: &[Account], found: &[Account]) {
    assert_eq!(expected.len(), found.len());
    for (expected, found) in expected.iter().zip(found) {
        // Which line a full console leaves out hangs on the microseconds between contacts that a probe moves one after the other.
        if !expected.trace.contains("dropped lines=") {
            assert_eq!(expected.console, found.console, "{}", expected.trace);
        }
        assert_eq!(expected.tones, found.tones, "{}", expected.trace);
        // Noise follows from the moment at which it begins, which is another one on each board.
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
        // Not `assert_eq`: it would write every pixel.
        assert!(expected.lcd == found.lcd, "the LCD differs at the end of {}", expected.trace);
    }
}

#[test]
fn traces_pass_with_console_tones_and_settled_frames_of_native() {
    let traces = traces();
    assert!(traces.len() > 20 || std::env::var("NUDGE_PROBE_TRACE").is_ok());
    let (exit, said, expected) = replay(&traces, &|trace| native::build(trace, None));
    assert_eq!(exit, Exit::Passed, "{said}");
    let (exit, said, found) = replay(&traces, &|trace| {
        let built = behind_a_probe(trace, Faults::default(), Flaws::default(), 0)?;
        let (machine, _) = built.map_err(SetupError::new)?;
        Ok(Box::new(machine) as Box<dyn Machine>)
    });
    assert_eq!(exit, Exit::Passed, "{said}");
    same(&expected, &found);
}

#[test]
fn frames_that_stand_for_about_as_long_as_settled_ones_may_differ_and_others_may_not() {
    let stood = |frames: &[(u64, u64)]| -> Vec<Stood> {
        frames
            .iter()
            .map(|(hash, ms)| Stood { hash: *hash, time: Nanos::from_millis(*ms) })
            .collect()
    };
    let one = stood(&[(1, 500), (2, 104), (3, 900), (3, 200), (4, 110)]);
    assert_eq!(settled_alike(&one, &stood(&[(1, 500), (3, 900), (4, 91)])), Ok(()));
    assert_eq!(settled_alike(&one, &stood(&[(1, 500), (4, 900), (3, 91)])), Err(2));
    assert_eq!(settled_alike(&one, &stood(&[(1, 500), (3, 900)])), Err(2));
}

#[test]
fn a_note_of_a_period_or_two_is_left_out_and_others_are_compared() {
    let played = |tones: &[(u64, Option<u32>)]| -> Vec<Tone> {
        tones.iter().map(|(ms, hz)| Tone { at: Instant::from_millis(*ms), hz: *hz }).collect()
    };
    let with =
        played(&[(10, Some(1568)), (11, None), (20, Some(880)), (22, None), (30, Some(440))]);
    assert_eq!(notes(&with), [Some(880), None, Some(440)]);
    let within = played(&[(20, Some(880)), (25, None), (30, Some(1568)), (31, None)]);
    assert_eq!(notes(&within), [Some(880), None]);
}
