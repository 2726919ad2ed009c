//! Presses paths on machines whose views are known. The common beginning with the previous path is not pressed
//! again: a copy of the machine continues from there. This module knows neither which presses to
//! try nor the search.
//!
//! A copy is made some time before the next press, not at its time. A press must be set before the
//! machine passes its time; otherwise, if a step of the firmware overshoots that time, the press
//! would come late. A machine that is past the press even so is not copied. A path therefore shows
//! the same as a replay of it from power-on, to the nanosecond, whatever was pressed before.

use std::panic::{AssertUnwindSafe, catch_unwind};

use hal_mock::{
    Machine, VirtualBoard,
    replay::{self, ReplaySettings, Unjudged, Verdict},
    setup::SetupError,
};
use insight::Step;
use reading::text::Reader;
use trace::{HeaderEntry, Trace};
use virtual_time::{Instant, Nanos};

use super::step::Way;
use super::watched::{ScreenRecogniser, SeenScreen, StoredPictures, Watched};

/// Time before a press at which a machine is copied. A step takes 4 ms, one that erases flash 45
/// ms.
const COPY_BEFORE: Nanos = Nanos::from_millis(500);
/// Number of last presses before the end of a path after each of which a copy is stored.
const RECENT_COPIES: usize = 8;
/// Interval of presses at which copies are stored further back.
const COPY_INTERVAL: usize = 8;

/// The screens and the console of a machine on a path, and its fault, if any.
pub(super) struct Walk {
    pub(super) noted: Vec<SeenScreen>,
    pub(super) console: Vec<String>,
    /// Reason why the firmware could not continue, or the rule of the LCD that it broke.
    pub(super) fault: Option<String>,
}

/// A copy of the machine after the first `presses` presses of a path.
struct Checkpoint<'a> {
    presses: usize,
    machine: Watched<'a>,
}

/// Walks paths one after another. For the current path it stores at most as many machines as
/// `RECENT_COPIES` and `COPY_INTERVAL` allow, of about half a megabyte each.
pub struct Walker<'a> {
    header: &'a [HeaderEntry],
    eye: &'a ScreenRecogniser<'a>,
    /// The path that was walked last.
    path: Vec<Step>,
    /// Copies of the machine on that path, in the order of their presses.
    kept: Vec<Checkpoint<'a>>,
}

impl<'a> Walker<'a> {
    /// Creates a walker for boards with that `header`.
    pub(super) fn new(header: &'a [HeaderEntry], eye: &'a ScreenRecogniser<'a>) -> Self {
        Self { header, eye, path: Vec::new(), kept: Vec::new() }
    }

    /// Presses `path` on a board without power. `keep` applies to the screens of its last press.
    pub(super) fn walk(
        &mut self,
        path: &[Step],
        keep: StoredPictures<'_>,
    ) -> Result<Walk, SetupError> {
        let way = Way::of(path);
        let pairs = self.path.iter().zip(path);
        let common = pairs.take_while(|(one, other)| one == other).count();
        // The result of the last press is requested directly, so no copy after it is needed.
        let is_wanted = |presses| {
            presses < path.len()
                && (presses + RECENT_COPIES >= path.len() || presses % COPY_INTERVAL == 0)
        };
        self.kept.retain(|kept| kept.presses <= common && is_wanted(kept.presses));
        self.path.clear();
        self.path.extend_from_slice(path);

        let near = |kept: &Checkpoint<'a>| Some((kept.machine.copy()?, kept.presses + 1));
        let (mut machine, begun) = match self.kept.last().and_then(near) {
            Some(copied) => copied,
            None => {
                let trace = Trace { header: self.header.to_vec(), ..Trace::default() };
                let machine = self.eye.screens().machine(&trace, None)?;
                (Watched::new(machine, self.eye, StoredPictures::Nothing), 0)
            }
        };
        for presses in begun..path.len() {
            let begin = way.begin(presses + 1);
            let eve = Instant::START.saturating_add(Nanos(begin.since_start().0 - COPY_BEFORE.0));
            let reader = machine.reader();
            if let Some(fault) = go_on(&mut machine, reader, way.piece(presses), eve) {
                return Ok(Walk::of(machine, Some(fault)));
            }
            if is_wanted(presses)
                && machine.board().now() < begin
                && let Some(machine) = machine.copy()
            {
                self.kept.push(Checkpoint { presses, machine });
            }
        }
        let mut machine: Watched<'_> = machine;
        machine.keep = keep;
        let reader = machine.reader();
        let fault = go_on(&mut machine, reader, way.piece(path.len()), way.end());
        let fault = fault.or_else(|| violation(machine.board()));
        Ok(Walk::of(machine, fault))
    }
}

impl Walk {
    pub(super) fn of(machine: Watched<'_>, fault: Option<String>) -> Self {
        let console = machine.board().console_lines().into_iter().map(|line| line.text).collect();
        Self { noted: machine.noted, console, fault }
    }
}

/// Executes the lines of `piece` and runs to `until`. Returns the reason if the firmware could not
/// continue.
pub(super) fn go_on(
    machine: &mut dyn Machine,
    reader: &Reader,
    piece: &Trace,
    until: Instant,
) -> Option<String> {
    // After a panic only the board is read, whose state is consistent between two calls.
    let verdict = catch_unwind(AssertUnwindSafe(|| {
        let settings = ReplaySettings::default();
        let outcome = replay::replay(piece, machine, reader, &mut Unjudged, &settings);
        match outcome.verdict {
            // The lines of the piece end before `until`.
            Verdict::Passed | Verdict::Failed(_) => {
                machine.run_until(until).err().map_or(Verdict::Passed, Verdict::Broken)
            }
            verdict => verdict,
        }
    }));
    match verdict {
        Ok(verdict) => stopped(&verdict),
        Err(_) => Some("the firmware panics".to_owned()),
    }
}

/// Returns the reason why the firmware could not continue.
pub(super) fn stopped(verdict: &Verdict) -> Option<String> {
    match verdict {
        Verdict::LimitReached { .. } => Some("the firmware keeps the clock for itself".to_owned()),
        Verdict::Broken(error) => Some(format!("the firmware cannot go on: {}", error.message())),
        Verdict::Passed | Verdict::Failed(_) => None,
    }
}

/// Returns the first rule of the LCD that was broken.
pub(super) fn violation(board: &VirtualBoard) -> Option<String> {
    let violation = board.violations().into_iter().next()?;
    Some(format!("it breaks the LCD's rule {}", violation.rule))
}
