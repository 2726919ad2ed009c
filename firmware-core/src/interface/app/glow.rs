//! The animation after a capture, when its stones are in the store: the store and the cups that the
//! stones came from light up in turn. The game does not wait for it: the turn has already passed.

use super::movement::{BLINKS, MESSAGE_TIME, PHASE};
use crate::game::outcome::MoveOutcome;
use crate::game::places::Places;
use crate::interface::screen::rows::Light;
use crate::time::Instant;

/// Number of phases of the animation, each as long as one of a movement: a screen that changes is
/// not settled.
const CAPTURE_PHASES: u64 = 12;

const _: () = assert!(
    PHASE.0 * (BLINKS as u64 + CAPTURE_PHASES) >= 1_200_000
        && PHASE.0 * (BLINKS as u64 + CAPTURE_PHASES) <= MESSAGE_TIME.0,
    "a capture can be understood before the computer's next move"
);

/// The animation of a capture.
#[derive(Clone, Copy, Debug)]
pub(super) struct CaptureAnimation {
    since: Instant,
    cups: Places,
    store: Places,
}

impl CaptureAnimation {
    /// Creates the animation of a move that came to rest at `since`, if it captured.
    pub(super) fn of(outcome: &MoveOutcome, since: Instant) -> Option<Self> {
        let store = Places::NONE.with(outcome.mover.store());
        outcome.capture.map(|capture| Self { since, cups: capture.cups, store })
    }

    /// Returns the rims that are lit at `now`, and why; `None` once the animation is over.
    pub(super) fn lit(&self, now: Instant) -> Option<(Light, Places)> {
        let phase = self.phase(now);
        let places = if phase.is_multiple_of(2) { self.store } else { self.cups };
        (phase < CAPTURE_PHASES).then_some((Light::Event, places))
    }

    /// Returns when the next phase begins; `None` once the animation is over.
    pub(super) fn wake_at(&self, now: Instant) -> Option<Instant> {
        let phase = self.phase(now);
        (phase < CAPTURE_PHASES).then(|| self.since.saturating_add(PHASE.saturating_mul(phase + 1)))
    }

    const fn phase(&self, now: Instant) -> u64 {
        now.saturating_since(self.since).whole(PHASE)
    }
}
