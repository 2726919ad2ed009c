//! Thousands of runs over a disturbed line, each with a fault at a random time, in virtual time. A
//! run passes as on `native`, or fails with a reason that its fault can have. It ends within its
//! limit, never passes if something is wrong, and leaves no button down.
//!
//! `NUDGE_PROBE_RUNS=20000` sets the number of runs, `NUDGE_PROBE_SEED=7` runs one seed.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use firmware_board::native::Native;
use firmware_board::{header, native};
use hal_mock::{
    BoardConfig, Call, Machine, MachineError, MachineWrapper,
    replay::{Goldens, ReplaySettings, Verdict, replay},
};
use ili9341_model::Frame;
use probe::disturbed::{Faults, FaultyLink};
use probe::software::{Flaws, SoftwareProbe, WireFlaw};
use probe::{Cut, LEAD, Link, ProbeMachine, Session};
use probe_protocol::Wire;
use reading::{golden::GoldenError, text::Reader};
use trace::{Button, FrameCheck, Trace, parse};
use virtual_time::{Instant, Nanos, Random};

use crate::part::Part;

/// Number of runs of all parts together, unless NUDGE_PROBE_RUNS sets another.
const RUNS: u64 = 2000;
/// Time limit of a run. The trace lasts 1.3 s, in addition to the greeting, the boot, and the
/// longest wait for a silent line.
const LIMIT: Duration = Duration::from_secs(15);

/// Returns a trace whose expectations are right, or wrong in the last line.
fn trace(is_right: bool) -> Trace {
    let whose = if is_right { "Player 2's turn" } else { "Player 7's turn" };
    let text = format!(
        "trace 1\ngame board\n\n0ms power on\n+0ms wait text \"Player 1's turn\" within 3s\n\
         +200ms press B5\n+300ms release B5\n\
         +0ms settle within 5s\n+0ms expect text \"{whose}\"\n+0ms expect console \"turn=1 move=4 event=none\"\n\
         +0ms expect tone 1047Hz for 15ms\n+0ms end\n"
    );
    parse("seeded.trace", &text).expect("a trace")
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

/// A link to a probe that outlives its session.
struct SharedProbe(Rc<RefCell<SoftwareProbe>>);

impl Link for SharedProbe {
    fn now(&mut self) -> Duration {
        self.0.borrow_mut().now()
    }
    fn write(&mut self, bytes: &[u8]) -> Result<usize, Cut> {
        self.0.borrow_mut().write(bytes)
    }
    fn read(&mut self, into: &mut [u8], wait: Duration) -> Result<usize, Cut> {
        self.0.borrow_mut().read(into, wait)
    }
    fn reconnect(&mut self, wait: Duration) -> Result<(), Cut> {
        self.0.borrow_mut().reconnect(wait)
    }
}

/// The faults of a run, and the reasons with which it may fail.
#[derive(Debug)]
struct Plan {
    /// Number of the fault; [`plan`] has the list.
    kind: u64,
    faults: Faults,
    flaws: Flaws,
    /// Beginnings of possible reasons, in addition to [`TOO_LATE`].
    reasons: &'static [&'static str],
    /// Time from which the board's screen, console or tones may be wrong.
    board_fails: Option<Instant>,
    /// Whether the fault must be detected.
    is_noticed: bool,
    /// Time in the trace at which the host is killed.
    killed_at: Option<Instant>,
    is_right: bool,
}

/// Lower bound of the press's time by the probe's clock: the session begins before the trace, which
/// waits for 200 ms.
const BEFORE_THE_PRESS: Instant = Instant::from_millis(300);

/// Possible reasons when a line is interrupted for a while; they depend on the messages due in that
/// time.
const LINE_LOST_REASONS: &[&str] = &[
    "the line to the probe is cut",
    "the probe has said nothing for",
    "the probe heard nothing of this nudge",
    "too much is lost on the line",
    "a press of line",
    "a release of line",
    "switching the power",
    "the probe's clock has stopped",
    "nothing answers",
    "what is on this port is no probe",
];

/// Possible reason on any line that loses bytes.
const TOO_LATE: &str = "was not carried out: it reached the probe after its time";

/// Number of kinds of faults, in addition to lost, doubled and changed bytes, which every run has:
/// no further fault (two kinds), an unplugged and replugged cable, a silent line, random bytes, an
/// overrun, a restart of the probe, a wire, the board's power, another host, another protocol,
/// another device, a killed host, a hanging probe.
const KINDS: u64 = 14;

fn plan(seed: u64) -> Plan {
    let mut random = Random::new(seed);
    let mut faults = Faults {
        lost: random.below(12),
        doubled: random.below(12),
        changed: random.below(12),
        ..Faults::default()
    };
    let mut flaws = Flaws::default();
    let at = Duration::from_micros(random.below(2_500_000));
    let instant = Instant(at.as_nanos() as u64);
    let to = at + Duration::from_millis(random.below(2500));
    let (mut board_fails, mut is_noticed, mut killed_at) = (None, false, None);
    let kind = random.below(KINDS);
    let reasons: &[&str] = match kind {
        0 | 1 => &[],
        2 => {
            faults.cut = Some((at, to));
            LINE_LOST_REASONS
        }
        3 => {
            faults.silent = Some((at, to));
            LINE_LOST_REASONS
        }
        4 => {
            faults.noise_from = Some(at);
            LINE_LOST_REASONS
        }
        5 => {
            flaws.overrun_at = Some(instant);
            &["the probe lost what was on the LCD's wires"]
        }
        6 => {
            // A probe that restarts immediately after its start looks like one that is silent.
            flaws.restart_at = Some(instant.max(Instant::from_millis(250)));
            &["the probe has restarted"]
        }
        7 => {
            let flaw = wire_flaw(&mut random);
            flaws.wire_at = Some((instant, flaw));
            (board_fails, is_noticed) = (Some(instant), has_effect(flaw));
            &[]
        }
        8 => {
            let span = Duration::from_millis(random.below(400));
            flaws.power_cut_at = Some((instant, span));
            board_fails = Some(instant);
            &["the board has started again by itself"]
        }
        9 => {
            flaws.other_host_at = Some(instant);
            &[]
        }
        10 => {
            flaws.protocol = Some(random.below(2) as u16 * 2);
            &[
                "the probe speaks version 0 of its protocol",
                "the probe speaks version 2 of its protocol",
            ]
        }
        11 => {
            // Another device is at the port.
            faults.noise_from = Some(Duration::ZERO);
            &["what is on this port is no probe", "nothing answers"]
        }
        12 => {
            killed_at = Some(Instant(instant.0 / 2));
            &[KILLED]
        }
        _ => {
            flaws.silent_from = Some(instant);
            // The noise may destroy the only answer.
            &[
                "the probe has said nothing for",
                "nothing answers",
                "what is on this port is no probe",
            ]
        }
    };
    let is_right = random.below(4) > 0;
    Plan { kind, faults, flaws, reasons, board_fails, is_noticed, killed_at, is_right }
}

/// Returns a wire that is disconnected, touches another level or is exchanged with another one.
fn wire_flaw(random: &mut Random) -> WireFlaw {
    let mut draw = || Wire::ALL[random.below(Wire::ALL.len() as u64) as usize];
    let (one, other) = (draw(), draw());
    match (one == other, random.below(2) == 0) {
        (true, high) => WireFlaw::Stuck(one, high),
        (false, true) => WireFlaw::Stuck(one, random.below(2) == 0),
        (false, false) => WireFlaw::Swapped(one, other),
    }
}

/// Returns whether the trace must detect the flaw. A low CS, a high RST and a high backlight are
/// the normal levels of a selected LCD.
fn has_effect(flaw: WireFlaw) -> bool {
    !matches!(
        flaw,
        WireFlaw::Stuck(Wire::Cs, false)
            | WireFlaw::Stuck(Wire::Reset | Wire::Backlight, true)
            | WireFlaw::Swapped(Wire::Reset, Wire::Backlight)
            | WireFlaw::Swapped(Wire::Backlight, Wire::Reset)
    )
}

/// Error message of a machine whose host is killed; it is not read.
const KILLED: &str = "the host is killed";

/// A machine whose host is killed at a given time of its trace.
struct Killed<'m> {
    inner: &'m mut ProbeMachine,
    at: Option<Instant>,
}

impl MachineWrapper for Killed<'_> {
    fn inner(&self) -> &dyn Machine {
        self.inner
    }

    fn inner_mut(&mut self) -> &mut dyn Machine {
        self.inner
    }

    fn before(&mut self, call: Call) -> Result<(), MachineError> {
        let now = self.inner.board().now();
        match call == Call::Step && self.at.is_some_and(|at| now >= at) {
            true => Err(MachineError::new(now, KILLED)),
            false => Ok(()),
        }
    }

    fn copy(&self) -> Option<Box<dyn Machine>> {
        None
    }
}

/// The result of a run.
#[derive(Debug, PartialEq, Eq)]
enum End {
    Passed(Vec<String>),
    Failed,
    Stopped(String),
}

fn ended(trace: &Trace, machine: &mut dyn Machine, reader: &Reader) -> End {
    let outcome = replay(trace, machine, reader, &mut NoGoldens, &ReplaySettings::default());
    match outcome.verdict {
        Verdict::Passed => {
            let console = machine.board().console_lines();
            End::Passed(console.into_iter().map(|line| line.text).collect())
        }
        Verdict::Broken(error) => End::Stopped(error.message()),
        Verdict::Failed(_) | Verdict::LimitReached { .. } => End::Failed,
    }
}

/// A result that the run's faults cannot have.
#[derive(Debug)]
struct Unexpected(String);

/// Executes a run.
fn run(seed: u64, console: &[String], reader: &Reader) -> Result<End, Unexpected> {
    let plan = plan(seed);
    let trace = trace(plan.is_right);
    let config = header::board(&trace, None).expect("a board");
    let pins = BoardConfig { bounce: Nanos::ZERO, ..config.clone() };
    let software = SoftwareProbe::new(Box::new(Native::new(pins)), plan.flaws);
    let bench = software.bench();
    let software = Rc::new(RefCell::new(software));
    let link = FaultyLink::new(SharedProbe(Rc::clone(&software)), plan.faults, seed);
    let end = match Session::open(Box::new(link), seed as u32) {
        Ok(session) => {
            let mut machine = ProbeMachine::new(session, config, LEAD);
            let end =
                ended(&trace, &mut Killed { inner: &mut machine, at: plan.killed_at }, reader);
            if end == End::Stopped(KILLED.into()) {
                // A killed host sends no goodbye.
                std::mem::forget(machine);
            }
            end
        }
        Err(error) => End::Stopped(error.to_string()),
    };
    let wrong = |what: &str| Err(Unexpected(format!("{what}: {end:?}, of {plan:?}")));
    let mut software = software.borrow_mut();
    if software.now() > LIMIT {
        return wrong("it took too long");
    }
    // The host is gone: the probe has a second to release its buttons.
    let until = software.now() + Duration::from_millis(1010);
    while software.now() < until {
        let left = until - software.now();
        let _ = software.read(&mut [0; 4096], left);
    }
    let down: Vec<Button> = bench.buttons_down();
    if !down.is_empty() {
        return wrong(&format!("{down:?} are left down"));
    }
    match &end {
        End::Passed(_) if !plan.is_right => wrong("it passes what is wrong"),
        End::Passed(_)
            if plan.is_noticed && plan.board_fails.is_some_and(|at| at < BEFORE_THE_PRESS) =>
        {
            wrong("it passes behind a board or a wire that failed before its press")
        }
        End::Passed(said) if said != console && plan.board_fails.is_none() => {
            wrong("it passes with another console")
        }
        End::Passed(_) => Ok(end),
        End::Failed if plan.is_right && plan.board_fails.is_none() => {
            wrong("it fails for no reason of the line")
        }
        End::Failed => Ok(end),
        // Lost messages are sent again, and may therefore come too late.
        End::Stopped(why)
            if why.contains(TOO_LATE) && plan.faults.lost + plan.faults.changed > 0 =>
        {
            Ok(end)
        }
        End::Stopped(why) if plan.reasons.iter().any(|reason| why.starts_with(reason)) => Ok(end),
        End::Stopped(_) => wrong("it fails for a reason that it cannot have"),
    }
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|text| text.parse().unwrap_or_else(|_| panic!("{name}: {text}")))
}

#[test]
fn runs_on_a_bad_line_pass_or_fail_with_their_true_reason() {
    let reader = Reader::new(native::fonts());
    let right = trace(true);
    let mut machine = native::build(&right, None).expect("a board");
    let End::Passed(console) = ended(&right, &mut *machine, &reader) else {
        panic!("the trace passes on native")
    };
    let seeds: Vec<u64> = match (number("NUDGE_PROBE_SEED"), number("NUDGE_PROBE_RUNS")) {
        (Some(seed), _) => vec![seed],
        (None, Some(runs)) => (0..runs).collect(),
        (None, None) => Part::of_this_run().pick(0..RUNS).collect(),
    };
    let runs = seeds.len();
    let (mut passed, mut failed, mut stopped) = (0, 0, 0);
    let mut kinds = [0; KINDS as usize];
    for seed in seeds {
        kinds[plan(seed).kind as usize] += 1;
        match run(seed, &console, &reader) {
            Ok(End::Passed(_)) => passed += 1,
            Ok(End::Failed) => failed += 1,
            Ok(End::Stopped(_)) => stopped += 1,
            Err(Unexpected(what)) => panic!(
                "{what}\nagain: NUDGE_PROBE_SEED={seed} cargo test -p boards --all-features --test probe seeded"
            ),
        }
    }
    assert!(runs < 1000 || kinds.iter().all(|count| count * 28 > runs), "{kinds:?}");
    // The plans produce each kind of result.
    assert!(
        runs < 100 || passed * 5 > runs && failed * 20 > runs && stopped * 5 > runs,
        "{passed} passed, {failed} failed, {stopped} stopped"
    );
}
