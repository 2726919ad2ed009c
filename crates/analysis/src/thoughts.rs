//! What the computer thinks at a moment of a trace.
//!
//! [`ask()`] replays the trace on [`native`](boards::native) up to the moment and looks at what the firmware's
//! thinker knows then: the moves to choose from, and what each was found to be worth. Expectations of the trace are
//! ignored. No wire carries any of it, so a Pico's thoughts cannot be asked for. It knows no file.

use boards::header::{self, HeaderError};
use boards::native::Native;
use firmware_core::button::Button;
use firmware_core::places::Cup;
use hal_mock::replay::{self, ReplaySettings, Unjudged};
use hal_mock::text::Reader;
use hal_mock::trace::Trace;
use hal_mock::{Instant, Machine as _};

use crate::why::without_expectations;

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
