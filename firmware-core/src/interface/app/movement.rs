//! The animation of a move.
//!
//! A movement is a sequence of phases of equal length: the source cup is emptied; then, for each
//! stone, the rim of the next place lights up and the stone falls in; then the capture, the free
//! turn and the sweep are shown. The picture of a phase depends only on its number. Phases are
//! shorter than the 100 ms after which a still screen counts as settled, so the screen settles only
//! when the movement is over.

use crate::game::outcome::MoveOutcome;
use crate::game::places::{Cup, Direction, PLACES, Places, Player};
use crate::game::rules::{Position, Sowing};
use crate::interface::message::Message;
use crate::interface::screen::rows::Light;
use crate::pins::sound;
use crate::time::{Instant, Micros};

pub(super) const PHASE: Micros = Micros::from_millis(80);

/// A screen that has not changed for this long is settled (docs/trace-format.md).
const SETTLED_AFTER: Micros = Micros::from_millis(100);

const _: () = assert!(PHASE.0 + 5_000 < SETTLED_AFTER.0, "a movement must not seem settled");
const _: () = assert!(
    PHASE.0 * LAST_BLINKS as u64 >= 1_200_000,
    "the message of the last move can be read before the result"
);

/// Minimum time for which the message of a capture or a free turn is shown, unless a press ends it.
/// On the LCD it is visible for 1.2 s: a frame with the stones of a whole lap takes a Pico 0.1 s.
pub(super) const MESSAGE_TIME: Micros = Micros::from_millis(1_360);

/// Number of phases in which the captured cups, or the store of a free turn, light up and go out.
pub(super) const BLINKS: u32 = 4;
/// The same in the last move of a game, whose message is shown until the result. In the second half
/// of these phases the captured stones are in the store; any other capture has its own animation
/// after the movement.
const LAST_BLINKS: u32 = 16;
/// Number of phases of a sweep: the cups light up and go out, then the stones are in the stores.
const SWEEPS: u32 = 3;

/// A move that is being animated.
#[derive(Clone, Copy, Debug)]
pub(super) struct MoveAnimation {
    started: Instant,
    phase: u32,
    before: Position,
    after: Position,
    path: Sowing,
    outcome: MoveOutcome,
    was: Message,
}

/// Picture of one phase of a movement.
#[derive(Clone, Copy, Debug)]
pub(super) struct AnimationFrame {
    /// Number of stones at each place.
    pub(super) stones: [u8; PLACES],
    /// Rims that are lit.
    pub(super) lit: Option<(Light, Places)>,
    /// The message, if it is not the final status yet.
    pub(super) message: Option<Message>,
    /// Direction of the arrows.
    pub(super) direction: Direction,
    /// Whether the last stone has fallen.
    pub(super) landed: bool,
    /// Whether turn and status are the final ones.
    pub(super) settled: bool,
}

impl AnimationFrame {
    /// Creates the picture of a position in which nothing moves.
    pub(super) fn still(position: Position) -> Self {
        let Position { stones, direction, .. } = position;
        Self { stones, lit: None, message: None, direction, landed: true, settled: true }
    }
}

/// Parts of a movement, in their order.
enum Part {
    Lift,
    /// The rim of the next place is lit, after `fallen` stones.
    Reach {
        fallen: u32,
    },
    /// The `nth` stone falls.
    Drop {
        nth: u32,
    },
    Capture {
        phase: u32,
    },
    FreeTurn {
        phase: u32,
    },
    Sweep {
        phase: u32,
    },
    Done,
}

impl MoveAnimation {
    /// Creates the movement of the move `outcome` from `before` to `after`, whose stones fall along
    /// `path`. It begins at `started`; until it ends the status stays `was`.
    pub(super) fn new(
        started: Instant,
        before: Position,
        after: Position,
        path: Sowing,
        outcome: MoveOutcome,
        was: Message,
    ) -> Self {
        Self { started, phase: 0, before, after, path, outcome, was }
    }

    pub(super) fn outcome(&self) -> &MoveOutcome {
        &self.outcome
    }

    /// Advances to the phase of `now`. Returns the sound that begins there.
    pub(super) fn advance(&mut self, now: Instant) -> Option<&'static [sound::Note]> {
        // A step that is late by more than a phase still plays the sound that matters: the last
        // one.
        let phase =
            u32::try_from(now.saturating_since(self.started).whole(PHASE)).unwrap_or(u32::MAX);
        if phase == self.phase {
            return None;
        }
        self.phase = phase;
        match self.part() {
            Part::Drop { nth } => match self.path.clone().nth(nth as usize) {
                Some(place) if Cup::at(place).is_none() => Some(sound::STORE),
                _ => Some(sound::STONE),
            },
            Part::Capture { phase: 0 } => Some(sound::CAPTURE),
            Part::FreeTurn { phase: 0 } => Some(sound::FREE_TURN),
            Part::Sweep { phase: 0 } => Some(sound::GAME_OVER),
            Part::Done if self.outcome.result.is_some() && !self.sweeps() => Some(sound::GAME_OVER),
            _ => None,
        }
    }

    /// Returns the sound when the movement is cut short.
    pub(super) fn last_sound(&self) -> Option<&'static [sound::Note]> {
        if self.outcome.result.is_some() {
            Some(sound::GAME_OVER)
        } else if self.outcome.free_turn {
            Some(sound::FREE_TURN)
        } else if self.outcome.capture.is_some() {
            Some(sound::CAPTURE)
        } else {
            Some(sound::STONE)
        }
    }

    /// Returns when the next phase begins.
    pub(super) fn next_phase_at(&self) -> Instant {
        self.started.saturating_add(PHASE.saturating_mul(u64::from(self.phase) + 1))
    }

    /// Returns when the capture or the free turn was announced, if it has been.
    pub(super) fn announced_at(&self) -> Option<Instant> {
        let first = 1 + 2 * self.path.len() as u32;
        let announces = self.outcome.capture.is_some() || self.outcome.free_turn;
        (announces && self.phase >= first)
            .then(|| self.started.saturating_add(PHASE.saturating_mul(first.into())))
    }

    pub(super) fn is_done(&self) -> bool {
        matches!(self.part(), Part::Done)
    }

    /// Returns the picture of this phase.
    pub(super) fn frame(&self) -> AnimationFrame {
        let mover = self.outcome.mover;
        let (stones, lit) = match self.part() {
            Part::Lift => (self.fallen(0), Some((Light::Sowing, only(self.outcome.cup.place())))),
            Part::Reach { fallen } => (self.fallen(fallen), self.reached(fallen)),
            Part::Drop { nth } => (self.fallen(nth + 1), self.reached(nth)),
            Part::Capture { phase } => self.capture_frame(phase),
            Part::FreeTurn { phase } => {
                let lit = phase.is_multiple_of(2).then_some((Light::Event, only(mover.store())));
                (self.captured(), lit)
            }
            Part::Sweep { phase } => self.sweep_frame(phase),
            Part::Done => return AnimationFrame::still(self.after),
        };
        let (message, direction) = (self.early_message(), self.before.direction);
        let landed = self.phase >= 2 * self.path.len() as u32;
        AnimationFrame { stones, lit, message, direction, landed, settled: false }
    }

    /// Returns the announcement of a free turn or a capture, which is shown when it happens, before
    /// the movement ends.
    fn early_message(&self) -> Option<Message> {
        let mover = self.outcome.mover;
        Some(match self.part() {
            Part::Capture { .. } => Message::Captured(mover),
            Part::FreeTurn { .. } => Message::FreeTurn(mover),
            Part::Sweep { .. } if self.outcome.free_turn => Message::FreeTurn(mover),
            Part::Sweep { .. } if self.outcome.capture.is_some() => Message::Captured(mover),
            _ => self.was,
        })
    }

    fn part(&self) -> Part {
        let Some(mut phase) = self.phase.checked_sub(1) else { return Part::Lift };
        let sowing = 2 * self.path.len() as u32;
        if phase < sowing {
            let nth = phase / 2;
            return if phase.is_multiple_of(2) {
                Part::Reach { fallen: nth }
            } else {
                Part::Drop { nth }
            };
        }
        phase -= sowing;
        if self.outcome.capture.is_some() {
            if phase < self.blinks() {
                return Part::Capture { phase };
            }
            phase -= self.blinks();
        }
        if self.outcome.free_turn {
            if phase < self.blinks() {
                return Part::FreeTurn { phase };
            }
            phase -= self.blinks();
        }
        if self.sweeps() && phase < SWEEPS {
            return Part::Sweep { phase };
        }
        Part::Done
    }

    const fn blinks(&self) -> u32 {
        if self.outcome.result.is_some() { LAST_BLINKS } else { BLINKS }
    }

    fn sweeps(&self) -> bool {
        self.outcome.swept != [0; 2]
    }

    /// Returns the rim of the place that stone `nth` falls into.
    fn reached(&self, nth: u32) -> Option<(Light, Places)> {
        let mut path = self.path;
        path.nth(nth as usize).map(|place| (Light::Sowing, only(place)))
    }

    /// Lets the captured cups blink; in the last move, their stones are then in the store, which
    /// blinks.
    fn capture_frame(&self, phase: u32) -> ([u8; PLACES], Option<(Light, Places)>) {
        let Some(capture) = self.outcome.capture else { return (self.captured(), None) };
        let (stones, places) = if phase < LAST_BLINKS / 2 {
            (self.fallen(self.path.len() as u32), capture.cups)
        } else {
            (self.captured(), only(self.outcome.mover.store()))
        };
        (stones, phase.is_multiple_of(2).then_some((Light::Event, places)))
    }

    fn sweep_frame(&self, phase: u32) -> ([u8; PLACES], Option<(Light, Places)>) {
        let mut places = Places::NONE;
        if phase + 1 == SWEEPS {
            for player in Player::BOTH {
                if self.outcome.swept[player.index()] > 0 {
                    places = places.with(player.store());
                }
            }
            return (self.after.stones, Some((Light::Event, places)));
        }
        let stones = self.captured();
        for cup in Cup::all() {
            if stones[cup.place()] > 0 {
                places = places.with(cup.place());
            }
        }
        // The rims go out in between: a phase that looks like the one before would seem settled.
        (stones, phase.is_multiple_of(2).then_some((Light::Event, places)))
    }

    /// Returns the stones after `count` stones have fallen.
    fn fallen(&self, count: u32) -> [u8; PLACES] {
        let mut stones = self.before.stones;
        stones[self.outcome.cup.place()] = 0;
        for place in self.path.take(count as usize) {
            stones[place] += 1;
        }
        stones
    }

    /// Returns the stones after the sowing and its capture, before a sweep.
    fn captured(&self) -> [u8; PLACES] {
        let mut stones = self.fallen(self.path.len() as u32);
        if let Some(capture) = self.outcome.capture {
            for place in capture.cups.iter() {
                stones[place] = 0;
            }
            stones[self.outcome.mover.store()] += capture.stones;
        }
        stones
    }
}

fn only(place: usize) -> Places {
    Places::NONE.with(place)
}
