//! Tests the observers of the runner's replays: they observe one replay of a trace, and cause no
//! further replay.

use std::fs;
use std::num::NonZero;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use firmware_board::native;
use hal_mock::VirtualBoard;
use host::Exit;
use reading::text::Reader;
use runner::{
    ReplayOptions,
    observe::{ReplayEnd, ReplayObserver, ReplayStart},
    run_observed,
};
use trace::{Line, Trace};
use virtual_time::Instant;

const TRACE: &str = "trace 1\nseed 7\n\n0ms power on\n+0ms settle within 9s\n+10ms tap B3\n\
                     +2s expect no text \"NEVER\"\n+0ms screenshot end\n+0ms end\n";

/// The calls that an observer received.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Seen {
    frames: Vec<Instant>,
    /// The lines of the trace that ended, with their times.
    lines: Vec<(u32, Instant)>,
    /// The end of the replay, and the number of frames in its outcome.
    end: Option<(Instant, u64)>,
}

struct Observer<'a> {
    seen: Seen,
    all: &'a Mutex<Vec<Seen>>,
}

impl ReplayObserver for Observer<'_> {
    fn frame_complete(&mut self, at: Instant, _board: &VirtualBoard) {
        self.seen.frames.push(at);
    }

    fn line_ended(&mut self, line: &Line, at: Instant, _board: &VirtualBoard) {
        self.seen.lines.push((line.place.line, at));
    }

    fn ended(&mut self, end: &ReplayEnd<'_>) {
        self.seen.end = Some((end.ended_at, end.outcome.unwrap().frames));
        self.all.lock().unwrap().push(std::mem::take(&mut self.seen));
    }
}

/// Replays [`TRACE`] with `observers` observers; returns how often a machine was built, the calls
/// that each observer received, and the exit code.
fn observed(options: &ReplayOptions, observers: usize) -> (usize, Vec<Seen>, Exit) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.trace");
    fs::write(&path, TRACE).unwrap();
    let (machines, all) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let build = |trace: &Trace| {
        machines.fetch_add(1, Ordering::Relaxed);
        firmware_board::factory().build(trace, None)
    };
    let observe = |_: &ReplayStart<'_>| {
        let observer = || Observer { seen: Seen::default(), all: &all };
        (0..observers).map(|_| Box::new(observer()) as Box<dyn ReplayObserver + '_>).collect()
    };
    let reader = Reader::new(native::fonts());
    let paths: [PathBuf; 1] = [path];
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let exit =
        run_observed(&paths, options, &build, &reader, &observe, &mut out, &mut err).unwrap();
    let machines = machines.into_inner();
    (machines, all.into_inner().unwrap(), exit)
}

#[test]
fn all_observers_see_the_one_replay() {
    let (machines, seen, exit) = observed(&ReplayOptions::default(), 3);
    assert_eq!((machines, exit), (1, Exit::Passed));
    assert_eq!(seen.len(), 3);
    assert!(seen.iter().all(|one| *one == seen[0]));
    // Line 9, `end`, is not reported as a line.
    let lines: Vec<u32> = seen[0].lines.iter().map(|(line, _)| *line).collect();
    assert_eq!(lines, [4, 5, 6, 7, 8]);
    let (ended_at, frames) = seen[0].end.unwrap();
    assert_eq!(seen[0].lines.last().map(|(_, at)| *at), Some(ended_at));
    assert!(frames > 2 && seen[0].frames.len() <= frames as usize, "{frames}");
    assert!(seen[0].frames.is_sorted() && !seen[0].frames.is_empty());
}

#[test]
fn only_the_first_of_several_runs_is_observed() {
    let options = ReplayOptions { repeat: NonZero::new(3), ..ReplayOptions::default() };
    let (machines, seen, exit) = observed(&options, 1);
    assert_eq!((machines, seen.len(), exit), (3, 1, Exit::Passed));
    assert_eq!(seen, observed(&ReplayOptions::default(), 1).1);
}

#[test]
fn an_interrupted_replay_has_no_end() {
    let options = ReplayOptions::default();
    options.interrupt.set();
    let (_, seen, exit) = observed(&options, 1);
    assert_eq!((seen.len(), exit), (0, Exit::Interrupted));
}
