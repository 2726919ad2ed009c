//! What the firmware considers at a given time of a trace, as the player that the computer is.
//!
//! [`ask()`] replays the trace on a machine whose firmware can be looked into up to that time, and
//! returns the moves to choose from, and the value found for each. Expectations of the trace are
//! ignored. No wire carries this state, so it cannot be read from a Pico;
//! [`ask_for_other_board()`] reads it from `native` in the same position instead. This module knows
//! no game and no files.

use hal_mock::{
    board::ConsoleLine,
    replay::{self, ReplaySettings, Unjudged},
    setup::SetupError,
};
use insight::{Consideration, Interior, OpenMachine};
use reading::text::Reader;
use trace::Trace;
use virtual_time::Instant;

use crate::without_expectations;

/// Returns the computer player's current or last consideration at `at` in `trace`; `None` if it has
/// not thought since power-on, or there is no power. Settings that the header does not name come
/// from `flash`.
///
/// # Errors
/// If no board can be built for the header.
pub fn ask(
    interior: &dyn Interior,
    trace: &Trace,
    at: Instant,
    flash: Option<Vec<u8>>,
    reader: &Reader,
) -> Result<Option<Consideration>, SetupError> {
    Ok(run(interior, trace, at, flash, reader)?.consideration())
}

/// Result of [`ask_for_other_board()`].
#[derive(Clone, Debug, PartialEq)]
pub enum OtherBoard {
    /// The trace leads to other positions on `native`.
    OtherPosition,
    /// The trace leads to the same position. Contains the current or last consideration; `None` if
    /// the computer player has not thought.
    Same(Option<Consideration>),
}

/// Returns the consideration on `native` in the same position as another board that runs the same
/// firmware, at the same time after the console line of that position. `console` is the other
/// board's output up to `at`. The boards draw at different speeds, so they are in the same position
/// at different times.
///
/// # Errors
/// As for [`ask()`].
pub fn ask_for_other_board(
    interior: &dyn Interior,
    trace: &Trace,
    at: Instant,
    console: &[ConsoleLine],
    flash: Option<Vec<u8>>,
    reader: &Reader,
) -> Result<OtherBoard, SetupError> {
    let is_position = |line: &ConsoleLine| interior.is_position(&line.text);
    let theirs: Vec<&ConsoleLine> = console.iter().filter(|line| is_position(line)).collect();
    let Some(last) = theirs.last() else { return Ok(OtherBoard::Same(None)) };
    let mut ours = run(interior, trace, at, flash.clone(), reader)?.board().console_lines();
    ours.retain(is_position);
    let are_same = theirs.iter().zip(&ours).all(|(one, other)| one.text == other.text);
    let Some(told) = ours.get(theirs.len() - 1).filter(|_| are_same) else {
        return Ok(OtherBoard::OtherPosition);
    };
    let moment = told.at.saturating_add(at.saturating_since(last.at));
    // The move that ends the position on this board has not been made on the other.
    let next = ours.get(theirs.len()).map_or(Instant::NEVER, |line| line.at);
    Ok(OtherBoard::Same(ask(interior, trace, moment.min(next), flash, reader)?))
}

/// Replays `trace` up to `at`, without its expectations, and returns the board.
fn run(
    interior: &dyn Interior,
    trace: &Trace,
    at: Instant,
    flash: Option<Vec<u8>>,
    reader: &Reader,
) -> Result<Box<dyn OpenMachine>, SetupError> {
    let mut machine = interior.machine(trace, flash)?;
    let trace = without_expectations(trace);
    let settings =
        ReplaySettings { allow_violations: true, until: Some(at), ..ReplaySettings::default() };
    let ended = replay::replay(&trace, &mut *machine, reader, &mut Unjudged, &settings);
    // A branch continues after its last line.
    if ended.ended_at < at {
        // An error here is reported where the state at `at` is shown.
        let _ = machine.run_until(at);
    }
    Ok(machine)
}
