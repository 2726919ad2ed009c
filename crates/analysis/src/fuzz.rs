//! Random sessions, and what must hold in every one of them.
//!
//! [`session::session`] writes the trace of session K of seed N: always the same. [`Judge`] replays a
//! trace and says what was wrong first: an invariant, or a line of the trace. [`run`] does both on
//! all cores. What it finds is a trace like any other; [`runner::shrink`] makes it small.
//!
//! The invariants:
//!
//! | | |
//! |---|---|
//! | stones | the stones of each `position` line of the console add up to 36, 48 or 60, and to the same as in the line before, unless a game was opened or loaded |
//! | panel | on a settled screen whose message is that of the last `position` line, the digits are its stones |
//! | RESET | within 200 ms of RESET's release something visible changes or a console line comes; if it was held for a second, since its press |
//! | linter | no rule of the LCD's datasheet is broken |
//! | panic | the firmware neither panics nor gives up nor keeps the clock for itself |
//!
//! It knows no wall clock: how long to go on is asked of the caller.

mod dice;
mod invariants;
mod panel;
pub mod session;
pub mod targets;
mod witness;

use core::fmt;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use hal_mock::lcd::Rule;
use hal_mock::replay::{self, Failure, Outcome, Verdict};
use hal_mock::text::Reader;
use hal_mock::trace::{Action, Trace, spoken};
use hal_mock::{Machine as _, Nanos};

use hal_mock::setup::{MachineFactory, SetupError};
use panel::Panel;
use runner::interrupt::Interrupt;
use session::Plan;
use witness::{Goldens, Log, Watched};

/// The virtual time that a replay in a fuzz run may keep for itself.
const LIMIT: Nanos = Nanos::from_secs(60);

/// What was wrong, as far as two failures are the same if they agree in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A line of the trace, without its numbers: `expect text "GAME OVER"`, `settle`.
    Line(String),
    /// A rule of the LCD's datasheet.
    Rule(Rule),
    /// Stones were made or lost.
    Stones,
    /// The LCD does not show the position.
    Panel,
    /// RESET was let go and nothing came of it.
    Reset,
    /// The firmware panicked.
    Panic,
    /// The machine could not go on.
    Broken,
    /// The firmware keeps the clock for itself.
    Clock,
}

impl fmt::Display for Kind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(line) => write!(out, "a line fails: {line}"),
            Self::Rule(rule) => write!(out, "the LCD's datasheet (section {})", rule.section()),
            Self::Stones => out.write_str("stones were made or lost"),
            Self::Panel => out.write_str("the LCD does not show the position"),
            Self::Reset => out.write_str("RESET was not answered"),
            Self::Panic => out.write_str("the firmware panicked"),
            Self::Broken => out.write_str("the firmware cannot go on"),
            Self::Clock => out.write_str("the firmware keeps the clock for itself"),
        }
    }
}

/// The first thing that was wrong in a replay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What it has in common with others of its kind.
    pub kind: Kind,
    /// The virtual time.
    pub at: Nanos,
    /// What was expected and what there was, as a sentence without a full stop.
    pub message: String,
}

/// `at 1.2 s: the LCD does not show the position: …`
impl fmt::Display for Finding {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "at {}: {}: {}", spoken(self.at), self.kind, self.message)
    }
}

/// Replays traces and says what was wrong.
#[derive(Clone, Copy)]
pub struct Judge<'a> {
    /// Builds the machines.
    pub boards: MachineFactory<'a>,
    /// Reads the LCD.
    pub reader: &'a Reader,
    /// Where golden frames are; `None`: frames are not compared.
    pub goldens: Option<&'a Path>,
    /// Set when nobody wants to know any more. From then on a replay ends where it is, and
    /// nothing is found.
    pub interrupt: &'a Interrupt,
}

impl Judge<'_> {
    /// Whether `trace` fails as `finding` says and, if there is another board on which it has
    /// to pass, nothing is wrong there: an expectation fails as well when what should bring it
    /// about is gone.
    pub fn fails_like(&self, finding: &Finding, trace: &Trace, passes: Option<&Self>) -> bool {
        let is_fine = |judge: &Self| matches!(judge.judge(trace), Ok(None));
        let found = self.judge(trace);
        let fails = matches!(found, Ok(Some(found)) if found.kind == finding.kind);
        fails && passes.is_none_or(is_fine) && !self.interrupt.is_set()
    }

    /// What is wrong first when `trace` is replayed; `None` if nothing is, or if it was interrupted.
    ///
    /// # Errors
    /// If no machine can be built for its header.
    pub fn judge(&self, trace: &Trace) -> Result<Option<Finding>, SetupError> {
        if self.interrupt.is_set() {
            return Ok(None);
        }
        let mut machine = Watched::new(self.interrupt.guard((self.boards)(trace)?));
        let mut log = Log::default();
        let mut panel = Panel::new(self.reader);
        let options = replay::Options { limit: LIMIT, ..replay::Options::default() };
        // Behind a panic only the board is looked at, and nothing of it is half done that matters.
        let replayed = catch_unwind(AssertUnwindSafe(|| {
            let mut goldens = Goldens { log: &mut log, folder: self.goldens };
            let mut over = |line: &_, at, board: &_| panel.look(line, at, board);
            replay::replay_watched(
                trace,
                &mut machine,
                self.reader,
                &mut goldens,
                &options,
                &mut over,
            )
        }));
        if self.interrupt.is_set() {
            return Ok(None);
        }
        let now = machine.board().now();
        let (ended_at, failed) = match replayed {
            Ok(outcome) => (outcome.ended_at, failed(outcome, trace)),
            Err(panic) => {
                let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
                let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
                let message = text.unwrap_or_else(|| "without a message".into());
                (now, Some(Finding { kind: Kind::Panic, at: now, message }))
            }
        };
        let lines = machine.board().console_lines();
        let found = [
            failed,
            invariants::stones(&lines),
            invariants::reset(&log.in_order(), &machine.changes, &lines, panel.in_menu(), ended_at),
            panel.into_finding(),
        ];
        Ok(found.into_iter().flatten().min_by_key(|finding| finding.at))
    }
}

/// The first failure of a replay.
fn failed(outcome: Outcome, trace: &Trace) -> Option<Finding> {
    let first = |failures: Vec<Failure>| {
        let failure = failures.into_iter().min_by_key(|failure| failure.at)?;
        let line = trace.lines.iter().find(|line| Some(line.place) == failure.place);
        let kind = match line {
            Some(line) => Kind::Line(without_numbers(&line.action)),
            None => Kind::Rule(rule_of(&failure)?),
        };
        Some(Finding { kind, at: failure.at, message: failure.message })
    };
    match outcome.verdict {
        Verdict::Passed => None,
        Verdict::Failed(failures) => first(failures),
        Verdict::LimitReached { at } => Some(Finding {
            kind: Kind::Clock,
            at,
            message: "it lets no time pass, or too much of it".into(),
        }),
        Verdict::Broken(error) => first(outcome.failed_before).or(Some(Finding {
            kind: Kind::Broken,
            at: error.at,
            message: error.message,
        })),
    }
}

/// The rule whose sentence the failure of no line repeats.
fn rule_of(failure: &Failure) -> Option<Rule> {
    Rule::ALL.into_iter().find(|rule| failure.message.contains(&rule.to_string()))
}

/// What two lines have in common that fail in the same way, whatever their times are.
fn without_numbers(action: &Action) -> String {
    match action {
        Action::WaitText { text, .. } => format!("wait text {text:?}"),
        Action::Settle { .. } => "settle".into(),
        action => action.to_string(),
    }
}

/// How many sessions, and which.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// What they are drawn from.
    pub plan: Plan,
    /// The first session's number.
    pub first: u64,
    /// How many; `None`: until told to stop.
    pub count: Option<u64>,
    /// Threads; at least 1.
    pub jobs: usize,
}

/// What a run came to.
#[derive(Debug, Default)]
pub struct Summary {
    /// Sessions that were played to their end.
    pub played: u64,
    /// Those in which something was wrong, by their numbers.
    pub found: BTreeMap<u64, Finding>,
}

/// Findings behind which a run stops: they are most likely the same.
pub const FINDINGS_MAX: usize = 10;

/// Plays sessions until they are done, `stop` says so, or [`FINDINGS_MAX`] findings have come.
/// `told` hears of each session that is over, from any thread.
///
/// # Errors
/// If no machine can be built.
pub fn run(
    options: &Options,
    judge: &Judge<'_>,
    stop: &(dyn Fn() -> bool + Sync),
    told: &(dyn Fn(u64, Option<&Finding>) + Sync),
) -> Result<Summary, SetupError> {
    let next = AtomicU64::new(options.first);
    let last = options.count.map_or(u64::MAX, |count| options.first.saturating_add(count));
    let over = AtomicBool::new(false);
    let summary = Mutex::new(Ok(Summary::default()));
    // Every session is judged for itself, so the threads share numbers only.
    let work = |judge: &Judge<'_>| {
        while !over.load(Ordering::Relaxed) && !stop() && !judge.interrupt.is_set() {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= last {
                break;
            }
            let judged = judge.judge(&session::session(&options.plan, number));
            // A session that was not over counts for nothing; a finding is one.
            if judge.interrupt.is_set() && matches!(judged, Ok(None)) {
                break;
            }
            let mut summary = summary.lock().unwrap_or_else(PoisonError::into_inner);
            let Ok(so_far) = &mut *summary else { break };
            match judged {
                Ok(finding) => {
                    told(number, finding.as_ref());
                    so_far.played += 1;
                    so_far.found.extend(finding.map(|finding| (number, finding)));
                    if so_far.found.len() >= FINDINGS_MAX {
                        over.store(true, Ordering::Relaxed);
                    }
                }
                Err(error) => {
                    *summary = Err(error);
                    over.store(true, Ordering::Relaxed);
                }
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..options.jobs.max(1) {
            // A reader is shared by reference; a machine lives on the thread that built it.
            scope.spawn(|| work(judge));
        }
    });
    summary.into_inner().unwrap_or_else(PoisonError::into_inner)
}
