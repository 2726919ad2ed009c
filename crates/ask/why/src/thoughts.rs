//! The computer player's state of thinking at a given time of a trace.
//!
//! [`ask()`] replays the trace on [`native`](boards::native) up to that time and reads the state of
//! the firmware's thinker: the moves to choose from, and the value found for each. Expectations of
//! the trace are ignored. No wire carries this state, so it cannot be read from a Pico;
//! [`ask_for_other_board()`] reads it from `native` in the same position instead. This module does
//! not know files.

use boards::header::{self, HeaderError};
use boards::native::Native;
use firmware_core::button::Button;
use firmware_core::places::Cup;
use hal_mock::{
    Machine as _,
    board::ConsoleLine,
    replay::{self, ReplaySettings, Unjudged},
};
use reading::text::Reader;
use trace::Trace;
use virtual_time::Instant;

use crate::without_expectations;

/// The computer player's current or last consideration.
#[derive(Clone, Debug, PartialEq)]
pub struct Consideration {
    /// Moves to choose from, at least one. The best according to the search so far comes first.
    pub moves: Vec<Considered>,
    /// Button beside the cup that is being considered; `None` after the decision.
    pub in_hand: Option<&'static str>,
    /// Button beside the cup that was chosen.
    pub decided: Option<&'static str>,
    /// Search depth in turns: 0 is the sowing alone; `None` is to the end of the game.
    pub turns: Option<u8>,
    /// Number of sowings examined.
    pub sowings: u32,
}

/// A move that the computer player considers.
#[derive(Clone, Debug, PartialEq)]
pub struct Considered {
    /// Button beside the cup, for example `T3`.
    pub button: &'static str,
    /// Value of the move in stones; `None` if it is not known yet. The value of a move that is not
    /// the best is only an upper bound.
    pub value: Option<f32>,
}

/// Number of units per stone in the firmware's values.
const PARTS: f32 = 16.0;

/// Returns the computer player's current or last consideration at `at` in `trace`; `None` if it has
/// not thought since power-on, or there is no power. Settings that the header does not name come
/// from `flash`.
///
/// # Errors
/// If no board can be built for the header.
pub fn ask(
    trace: &Trace,
    at: Instant,
    flash: Option<Vec<u8>>,
    reader: &Reader,
) -> Result<Option<Consideration>, HeaderError> {
    let native = run(trace, at, flash, reader)?;
    let Some(thinker) = native.thinker() else { return Ok(None) };
    let button = |cup: Cup| Button::beside(cup).name();
    let moves: Vec<Considered> = thinker
        .considered()
        .map(|(cup, value)| Considered {
            button: button(cup),
            value: value.map(|value| f32::from(value) / PARTS),
        })
        .collect();
    Ok((!moves.is_empty()).then(|| Consideration {
        moves,
        in_hand: thinker.current_cup().map(button),
        decided: thinker.decided().map(button),
        turns: thinker.turns(),
        sowings: thinker.nodes(),
    }))
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
    trace: &Trace,
    at: Instant,
    console: &[ConsoleLine],
    flash: Option<Vec<u8>>,
    reader: &Reader,
) -> Result<OtherBoard, HeaderError> {
    let theirs: Vec<&ConsoleLine> = console.iter().filter(|line| is_position(line)).collect();
    let Some(last) = theirs.last() else { return Ok(OtherBoard::Same(None)) };
    let mut ours = run(trace, at, flash.clone(), reader)?.board().console_lines();
    ours.retain(is_position);
    let are_same = theirs.iter().zip(&ours).all(|(one, other)| one.text == other.text);
    let Some(told) = ours.get(theirs.len() - 1).filter(|_| are_same) else {
        return Ok(OtherBoard::OtherPosition);
    };
    let moment = told.at.saturating_add(at.saturating_since(last.at));
    // The move that ends the position on this board has not been made on the other.
    let next = ours.get(theirs.len()).map_or(Instant::NEVER, |line| line.at);
    Ok(OtherBoard::Same(ask(trace, moment.min(next), flash, reader)?))
}

/// Returns whether the line reports a position (docs/console.md).
fn is_position(line: &ConsoleLine) -> bool {
    line.text.starts_with("position ")
}

/// Replays `trace` up to `at`, without its expectations, and returns the board.
fn run(
    trace: &Trace,
    at: Instant,
    flash: Option<Vec<u8>>,
    reader: &Reader,
) -> Result<Native, HeaderError> {
    let mut native = Native::new(header::board(trace, flash)?);
    let trace = without_expectations(trace);
    let settings =
        ReplaySettings { allow_violations: true, until: Some(at), ..ReplaySettings::default() };
    let ended = replay::replay(&trace, &mut native, reader, &mut Unjudged, &settings);
    // A branch continues after its last line.
    if ended.ended_at < at {
        // An error here is reported where the state at `at` is shown.
        let _ = native.run_until(at);
    }
    Ok(native)
}

#[cfg(test)]
mod tests {
    use virtual_time::Nanos;

    use super::*;

    const DEMO: &str =
        "trace 1\nseed 7\nplayers demo\nlevel intermediate\n\n0ms power on\n9s end\n";
    /// Delay of everything on the other board.
    const LATE: Nanos = Nanos::from_millis(170);

    fn at(milliseconds: u64) -> Instant {
        Instant::START.saturating_add(Nanos::from_millis(milliseconds))
    }

    #[test]
    fn native_answers_for_another_board_in_the_same_position() {
        let trace = trace::parse("demo.trace", DEMO).unwrap();
        let reader = Reader::new(boards::native::fonts());
        let mut lines = run(&trace, at(9_000), None, &reader).unwrap().board().console_lines();
        lines.iter_mut().for_each(|line| line.at = line.at.saturating_add(LATE));
        let mut thought = 0;
        for moment in (0..8_000).step_by(250) {
            let now = at(moment).saturating_add(LATE);
            let told: Vec<ConsoleLine> =
                lines.iter().filter(|line| line.at <= now).cloned().collect();
            let beside = ask_for_other_board(&trace, now, &told, None, &reader).unwrap();
            let native = ask(&trace, at(moment), None, &reader).unwrap();
            thought += usize::from(native.is_some());
            assert_eq!(beside, OtherBoard::Same(native), "{moment} ms");
        }
        assert!(thought > 10);
        // The move was made here, but not yet on the other board.
        let mut positions = lines.iter().filter(|line| is_position(line)).cloned();
        let (first, second) = (positions.next().unwrap(), positions.next().unwrap());
        let long_after = second.at.saturating_add(Nanos::from_secs(1));
        let told = [first.clone()];
        let beside = ask_for_other_board(&trace, long_after, &told, None, &reader).unwrap();
        let OtherBoard::Same(Some(thoughts)) = beside else { panic!("{beside:?}") };
        assert!(thoughts.decided.is_some(), "{thoughts:?}");
        // A console of another game.
        lines.retain(|line| line.text != first.text);
        let beside = ask_for_other_board(&trace, long_after, &lines, None, &reader).unwrap();
        assert_eq!(beside, OtherBoard::OtherPosition);
    }
}
