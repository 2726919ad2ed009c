//! A short trace on the bench of two emulated chips, on a given line and with given faults.

use std::time::Duration;

use hal_mock::replay::{Goldens, ReplaySettings, Verdict, replay};
use ili9341_model::Frame;
use probe::disturbed::{Faults, FaultyLink};
use probe::{Link, ProbeError};
use reading::{golden::GoldenError, text::Reader};
use trace::{FrameCheck, parse};
use virtual_time::Nanos;

use super::*;

/// Limit of the bench's time for a run. The trace takes 2 s of it, in addition to the greeting and
/// the longest waits for a line.
const LIMIT: Duration = Duration::from_secs(15);

/// A trace that checks the LCD, the buzzer and the console, and presses one button. The press is
/// later than [`BEFORE_THE_PRESS_NS`].
const TRACE: &str = "trace 1\ngame board\n\n0ms power on\n+0ms wait text \"Player 1's turn\" within 2s\n\
     +300ms press B1\n+60ms release B1\n+0ms settle within 2s\n+0ms expect text \"Player 2's turn\"\n\
     +0ms expect tone 1047Hz for 15ms\n\
     +0ms expect console \"board=0,5,5,5,5,4,0,4,4,4,4,4,4,0 turn=1 move=0 event=none\"\n+0ms end\n";
/// Time before the press. The session begins 150 ms before the trace, and the board takes longer
/// than that for its first frame.
pub const BEFORE_THE_PRESS_NS: u64 = 600_000_000;
/// Time by which the board has drawn its first frame.
pub const DRAWN_NS: u64 = 500_000_000;

/// The result of a run.
#[derive(Debug, PartialEq, Eq)]
pub enum End {
    Passed,
    /// The first failure of the trace.
    Failed(String),
    /// The reason why the run could not continue.
    Stopped(String),
}

impl End {
    /// Checks that the run failed for a reason that contains one of these texts.
    #[track_caller]
    pub fn failed_by(&self, reasons: &[&str], whose: &str) {
        let is_one = |said: &String| reasons.iter().any(|reason| said.contains(reason));
        let (Self::Failed(said) | Self::Stopped(said)) = self else { panic!("{whose}: it passes") };
        assert!(is_one(said), "{whose}: {said}; the reasons that it may have: {reasons:?}");
    }
}

struct NoGoldens;

impl Goldens for NoGoldens {
    fn check(&mut self, expected: &FrameCheck, _: &Frame) -> Result<(), GoldenError> {
        Err(format!("no golden {expected}").into())
    }

    fn screenshot(&mut self, _: &str, _: &Frame) -> Result<(), GoldenError> {
        Ok(())
    }
}

/// Replays the trace over a line with `disturbed` faults. Each of `faults` comes at its time in
/// nanoseconds after the beginning of the session. Checks that the run ends within its limit, and
/// that no button is down a second after its end.
#[track_caller]
pub fn play(disturbed: (Faults, u64), faults: &[(u64, Fault)]) -> End {
    let (board, probe) = programs();
    let trace = parse("scene.trace", TRACE).expect("a trace");
    let config = header::board(&trace, None).expect("a board");
    let bench = emulated_probe::bench(&Firmware, &board, &probe, &config).expect("a bench");
    let begun = bench.now_ns();
    let link = FaultyLink::new(bench.link(), disturbed.0, disturbed.1);
    let end = over(Box::new(link), &bench, config, &trace, faults);
    let took = Duration::from_nanos(bench.now_ns() - begun);
    assert!(took < LIMIT, "{took:?}: {end:?}");
    bench.advance(1_050_000_000).expect("the probe runs on");
    assert_eq!(bench.pulled(), 0, "buttons are left down: {end:?}");
    assert_eq!(bench.driven_high(), 0);
    end
}

fn over(
    link: Box<dyn Link>,
    bench: &Bench,
    config: hal_mock::BoardConfig,
    trace: &Trace,
    faults: &[(u64, Fault)],
) -> End {
    let session = match Session::open(link, 1) {
        Ok(session) => session,
        Err(error) => return End::Stopped(ProbeError::to_string(&error)),
    };
    for (at_ns, fault) in faults {
        bench.at(bench.now_ns() + at_ns, *fault);
    }
    let mut machine = ProbeMachine::new(session, config, LEAD);
    let reader = Reader::new(firmware_board::native::fonts());
    let settings = ReplaySettings::default();
    let outcome = replay(trace, &mut machine, &reader, &mut NoGoldens, &settings);
    match outcome.verdict {
        Verdict::Passed => End::Passed,
        Verdict::Failed(failures) => End::Failed(failures[0].cause.to_string()),
        Verdict::Broken(error) => End::Stopped(error.message()),
        Verdict::LimitReached { at } => End::Stopped(format!("the limit at {at}")),
    }
}

/// Checks that the run passes on an undisturbed line if these faults come too late to have an
/// effect.
#[track_caller]
pub fn passes_without(faults: &[(u64, Fault)]) {
    assert_eq!(play(WHOLE_LINE, faults), End::Passed);
}

/// A line that loses nothing.
pub const WHOLE_LINE: (Faults, u64) =
    (Faults { lost: 0, doubled: 0, changed: 0, cut: None, silent: None, noise_from: None }, 0);

/// Converts milliseconds to nanoseconds.
pub const fn ms(number: u64) -> u64 {
    Nanos::from_millis(number).0
}
