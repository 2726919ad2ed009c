//! What the computer thinks at a moment of a trace.
//!
//! [`ask()`] replays the trace on [`native`](boards::native) up to the moment and looks at what the firmware's
//! thinker knows then: the moves to choose from, and what each was found to be worth. Expectations of the trace are
//! ignored. No wire carries any of it, so a Pico's thoughts cannot be asked for; [`ask_beside()`] asks `native` in
//! the same position instead. It knows no file.

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

/// What the computer thinks, or thought last.
#[derive(Clone, Debug, PartialEq)]
pub struct Thoughts {
    /// The moves that it chooses from, the best as far as it has looked first; at least one.
    pub moves: Vec<Considered>,
    /// The button beside the cup that it considers; `None` once it has decided.
    pub in_hand: Option<&'static str>,
    /// The button beside the cup that it plays.
    pub decided: Option<&'static str>,
    /// Turns that it looks ahead: 0 is the sowing alone; `None` is to the end of the game.
    pub turns: Option<u8>,
    /// Sowings that it has looked at.
    pub sowings: u32,
}

/// A move that it considers.
#[derive(Clone, Debug, PartialEq)]
pub struct Considered {
    /// The button beside the cup: `T3`.
    pub button: &'static str,
    /// What it was found to be worth, in stones; `None` if that is not known yet. What is worse than the best may
    /// be worth even less.
    pub value: Option<f32>,
}

/// Parts of a stone in which the firmware counts.
const PARTS: f32 = 16.0;

/// What the computer thinks at `at` in `trace`, or thought last; `None` if it has not thought since power-on, or
/// there is no power. Settings that the header does not name come from `flash`.
///
/// # Errors
/// If there is no board for the header.
pub fn ask(
    trace: &Trace,
    at: Instant,
    flash: Option<Vec<u8>>,
    reader: &Reader,
) -> Result<Option<Thoughts>, HeaderError> {
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
    Ok((!moves.is_empty()).then(|| Thoughts {
        moves,
        in_hand: thinker.in_hand().map(button),
        decided: thinker.decided().map(button),
        turns: thinker.turns(),
        sowings: thinker.nodes(),
    }))
}

/// What [`ask_beside()`] finds.
#[derive(Clone, Debug, PartialEq)]
pub enum Beside {
    /// On `native` the trace leads to other positions.
    Elsewhere,
    /// The same position: what the computer thinks there, or thought last; `None` if it has not thought.
    Same(Option<Thoughts>),
}

/// What the computer thinks on `native` in the position of another board that runs the same firmware, as long
/// after the console has told of the position. `console` is what that board has told by `at`. The boards draw
/// at different speeds, so they are in one position at different moments.
///
/// # Errors
/// As [`ask()`].
pub fn ask_beside(
    trace: &Trace,
    at: Instant,
    console: &[ConsoleLine],
    flash: Option<Vec<u8>>,
    reader: &Reader,
) -> Result<Beside, HeaderError> {
    let theirs: Vec<&ConsoleLine> = console.iter().filter(|line| is_position(line)).collect();
    let Some(last) = theirs.last() else { return Ok(Beside::Same(None)) };
    let mut ours = run(trace, at, flash.clone(), reader)?.board().console_lines();
    ours.retain(is_position);
    let are_same = theirs.iter().zip(&ours).all(|(one, other)| one.text == other.text);
    let Some(told) = ours.get(theirs.len() - 1).filter(|_| are_same) else {
        return Ok(Beside::Elsewhere);
    };
    let moment = told.at.saturating_add(at.saturating_since(last.at));
    // The move that ends the position on this board has not been made on the other.
    let next = ours.get(theirs.len()).map_or(Instant::NEVER, |line| line.at);
    Ok(Beside::Same(ask(trace, moment.min(next), flash, reader)?))
}

/// Whether the line tells of a position (docs/console.md).
fn is_position(line: &ConsoleLine) -> bool {
    line.text.starts_with("position ")
}

/// The board at `at` in `trace`, whose expectations count for nothing.
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
    // A branch goes on behind its last line.
    if ended.ended_at < at {
        // What stops it is told where the moment is shown.
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
    /// How much later everything is on the other board.
    const LATE: Nanos = Nanos::from_millis(170);

    fn at(milliseconds: u64) -> Instant {
        Instant::START.saturating_add(Nanos::from_millis(milliseconds))
    }

    #[test]
    fn another_board_in_the_same_position_is_asked_about_by_native() {
        let trace = trace::parse("demo.trace", DEMO).unwrap();
        let reader = Reader::new(boards::native::fonts());
        let mut lines = run(&trace, at(9_000), None, &reader).unwrap().board().console_lines();
        lines.iter_mut().for_each(|line| line.at = line.at.saturating_add(LATE));
        let mut thought = 0;
        for moment in (0..8_000).step_by(250) {
            let now = at(moment).saturating_add(LATE);
            let told: Vec<ConsoleLine> =
                lines.iter().filter(|line| line.at <= now).cloned().collect();
            let beside = ask_beside(&trace, now, &told, None, &reader).unwrap();
            let native = ask(&trace, at(moment), None, &reader).unwrap();
            thought += usize::from(native.is_some());
            assert_eq!(beside, Beside::Same(native), "{moment} ms");
        }
        assert!(thought > 10);
        // The move was made here and not yet there.
        let mut positions = lines.iter().filter(|line| is_position(line)).cloned();
        let (first, second) = (positions.next().unwrap(), positions.next().unwrap());
        let long_after = second.at.saturating_add(Nanos::from_secs(1));
        let told = [first.clone()];
        let beside = ask_beside(&trace, long_after, &told, None, &reader).unwrap();
        let Beside::Same(Some(thoughts)) = beside else { panic!("{beside:?}") };
        assert!(thoughts.decided.is_some(), "{thoughts:?}");
        // Another game.
        lines.retain(|line| line.text != first.text);
        let beside = ask_beside(&trace, long_after, &lines, None, &reader).unwrap();
        assert_eq!(beside, Beside::Elsewhere);
    }
}
