//! The report on firmware that cannot continue: the line of the trace, the place in the source, the calls,
//! and the last picture of the LCD.

use hal_mock::replay::{ReplayOutcome, Verdict};
use hal_mock::{Crash, CrashKind, ErrorKind, MachineError, VirtualBoard};
use host::Exit;
use reading::golden;
use reading::text::Reader;
use trace::Place;

use crate::guard::TimedOut;
use crate::report::{CrashReport, FailureScreen, Problem};

/// The LCD when the firmware stopped.
pub(super) struct LastScreen {
    /// Text, line by line.
    shown: Vec<String>,
    screen: Option<FailureScreen>,
}

/// Returns what the first LCD of `board` shows, if the firmware of `outcome` could not continue.
pub(super) fn last_screen(
    outcome: &ReplayOutcome,
    board: &VirtualBoard,
    reader: &Reader,
    wants_picture: bool,
) -> Option<LastScreen> {
    if !matches!(outcome.verdict, Verdict::Broken(_)) {
        return None;
    }
    let frame = board.frame_at(outcome.ended_at);
    if frame.pixels().is_empty() {
        // The board has no LCD.
        return None;
    }
    let own = board.text_reader();
    let text = own.as_deref().unwrap_or(reader).read(&frame).to_string();
    let shown = text.lines().map(str::to_owned).collect();
    let actual = wants_picture.then(|| golden::encode_png(&frame));
    let screen = actual.map(|actual| FailureScreen { actual, ..FailureScreen::default() });
    Some(LastScreen { shown, screen })
}

/// Returns the report on a machine that could not continue in the line at `place`.
pub(super) fn broken(
    error: &MachineError,
    place: Option<Place>,
    last: Option<LastScreen>,
) -> (Exit, Problem) {
    let said = error.message();
    let crash = error.crash();
    let (exit, message) = match error.kind {
        _ if error.is::<TimedOut>() => {
            (Exit::LimitReached, format!("{said} (`--timeout`); the rest did not run"))
        }
        ErrorKind::Bench => (Exit::Bench, format!("the bench has failed: {said}")),
        ErrorKind::Firmware if crash.is_some_and(|crash| crash.kind == CrashKind::Panic) => {
            (Exit::Failed, said)
        }
        ErrorKind::Firmware => (Exit::Failed, format!("the firmware cannot go on: {said}")),
    };
    let (shown, screen) = last.map(|last| (last.shown, last.screen)).unzip();
    let problem = Problem {
        place,
        at: Some(error.at),
        shown: shown.filter(|_| exit == Exit::Failed),
        screen: screen.flatten().filter(|_| exit == Exit::Failed),
        crash: crash.map(|Crash { place, calls, .. }| CrashReport {
            place: place.clone(),
            calls: calls.clone(),
        }),
        ..Problem::of_trace(message)
    };
    (exit, problem)
}
