//! Presses ways on native machines. What a way has in common with the one before is not pressed again: a copy
//! of the machine goes on from there. It knows neither which presses are worth a try nor the search.
//!
//! A copy is made shortly before the next press would begin, not in the moment itself: a finger has to move
//! before the machine has passed that moment, or the press would be seen late where a step of the firmware
//! overshoots it. A machine that is busy even so is not copied. So what a way shows is what a replay of it from
//! power-on shows, to the nanosecond, whatever was pressed before.

use std::panic::{AssertUnwindSafe, catch_unwind};

use boards::header;
use boards::native::Native;
use hal_mock::{
    Machine as _, VirtualBoard,
    replay::{self, ReplaySettings, Unjudged, Verdict},
    setup::SetupError,
};
use trace::{HeaderEntry, Trace};
use virtual_time::{Instant, Nanos};

use super::step::{Step, Way};
use super::watched::{Eye, Keep, Noted, Watched};

/// So long before a press a machine is copied. A step takes 4 ms, one that erases flash 45 ms.
const EVE: Nanos = Nanos::from_millis(500);
/// So many presses before the last one there is a copy behind each, ...
const NEAR: usize = 8;
/// ... and further back behind every one of so many.
const FAR: usize = 8;

/// What a machine has shown on a way, and how it ended.
pub(super) struct Walk {
    pub(super) noted: Vec<Noted>,
    pub(super) console: Vec<String>,
    /// Why the firmware could not go on, or which rule of the LCD it broke.
    pub(super) fault: Option<String>,
}

/// A machine behind some presses of a way.
struct Kept<'a> {
    presses: usize,
    machine: Watched<'a>,
}

/// Walks ways one after the other. Of one way it keeps at most as many machines as `NEAR` and `FAR` say, of
/// about half a megabyte each.
pub struct Walker<'a> {
    header: &'a [HeaderEntry],
    eye: &'a Eye<'a>,
    /// The way that was walked last.
    path: Vec<Step>,
    /// Machines on it, those behind fewer presses first.
    kept: Vec<Kept<'a>>,
}

impl<'a> Walker<'a> {
    /// On boards with that `header`.
    pub(super) fn new(header: &'a [HeaderEntry], eye: &'a Eye<'a>) -> Self {
        Self { header, eye, path: Vec::new(), kept: Vec::new() }
    }

    /// Presses `path` on a board without power; `keep` holds for what its last press shows.
    pub(super) fn walk(&mut self, path: &[Step], keep: Keep<'_>) -> Result<Walk, SetupError> {
        let way = Way::of(path);
        let pairs = self.path.iter().zip(path);
        let common = pairs.take_while(|(one, other)| one == other).count();
        // Behind the last press no machine is of use: what that shows is asked for.
        let is_wanted =
            |presses| presses < path.len() && (presses + NEAR >= path.len() || presses % FAR == 0);
        self.kept.retain(|kept| kept.presses <= common && is_wanted(kept.presses));
        self.path.clear();
        self.path.extend_from_slice(path);

        let near = |kept: &Kept<'a>| Some((kept.machine.copy()?, kept.presses + 1));
        let (mut machine, begun) = match self.kept.last().and_then(near) {
            Some(copied) => copied,
            None => {
                let trace = Trace { header: self.header.to_vec(), ..Trace::default() };
                let native = Native::new(header::board(&trace, None)?);
                (Watched::new(native, self.eye, Keep::Nothing), 0)
            }
        };
        for presses in begun..path.len() {
            let begin = way.begin(presses + 1);
            let eve = Instant::START.saturating_add(Nanos(begin.since_start().0 - EVE.0));
            if let Some(fault) = go_on(&mut machine, way.piece(presses), eve) {
                return Ok(Walk::of(machine, Some(fault)));
            }
            if is_wanted(presses)
                && machine.board().now() < begin
                && let Some(machine) = machine.copy()
            {
                self.kept.push(Kept { presses, machine });
            }
        }
        let mut machine: Watched<'_> = machine;
        machine.keep = keep;
        let fault = go_on(&mut machine, way.piece(path.len()), way.end());
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

/// Carries the lines of `piece` out and runs to `until`; says why the firmware could not go on.
fn go_on(machine: &mut Watched<'_>, piece: &Trace, until: Instant) -> Option<String> {
    let reader = machine.reader();
    // After a panic only the board is looked at, whose state is consistent between two calls.
    let verdict = catch_unwind(AssertUnwindSafe(|| {
        let settings = ReplaySettings::default();
        let outcome = replay::replay(piece, machine, reader, &mut Unjudged, &settings);
        match outcome.verdict {
            // The lines end before the moment does.
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

/// Why the firmware could not go on.
pub(super) fn stopped(verdict: &Verdict) -> Option<String> {
    match verdict {
        Verdict::LimitReached { .. } => Some("the firmware keeps the clock for itself".to_owned()),
        Verdict::Broken(error) => Some(format!("the firmware cannot go on: {}", error.message())),
        Verdict::Passed | Verdict::Failed(_) => None,
    }
}

/// The first rule of the LCD that was broken.
pub(super) fn violation(board: &VirtualBoard) -> Option<String> {
    let violation = board.violations().into_iter().next()?;
    Some(format!("it breaks the LCD's rule {}", violation.rule))
}
