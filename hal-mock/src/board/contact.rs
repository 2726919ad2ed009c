//! The contact of one push button: when the button is pressed and released, and what the pin reads.
//!
//! A contact bounces: its first edge is exactly when the finger moves, then it toggles, holds no
//! level for 2 ms, and settles within the bounce time. The toggles are drawn from seed, button and
//! time, so they do not depend on the order of calls. The module knows nothing of debouncing.

use std::collections::VecDeque;

use super::probe::Listeners;
use trace::Button;
use virtual_time::{Instant, Nanos, Random};

/// Every level before the contact has settled is shorter than this.
pub const BOUNCE_HELD_BELOW: Nanos = Nanos::from_millis(2);
/// Maximum number of toggles per movement of the finger, for any bounce time.
const TOGGLES: usize = 512;

/// A change of the pin's level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Edge {
    pub(super) at: Instant,
    pub(super) closed: bool,
}

/// A movement of the finger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Move {
    at: Instant,
    down: bool,
}

/// A contact to ground, with a pull-up on the pin.
#[derive(Clone)]
pub(super) struct Contact {
    button: Button,
    seed: u64,
    bounce: Nanos,
    /// Bounce time of the contact when it has no fault.
    configured_bounce: Nanos,
    /// Whether the contact is closed regardless of the finger.
    stuck: bool,
    /// Position of the finger after the last reported movement.
    finger_down: bool,
    /// Whether the finger was down before the first of `moves`.
    was_down: bool,
    /// Movements in order of time; past ones are dropped once the pin has been read.
    moves: VecDeque<Move>,
    /// Level when the pin was last read.
    closed: bool,
    /// Edges up to this time have been read; `None` before the first read.
    read_until: Option<Instant>,
    /// Edges that have not been read yet, in order of time.
    edges: VecDeque<Edge>,
    /// Probes that get each edge once it has been read.
    pub(super) clip: Listeners,
}

impl Contact {
    pub(super) fn new(button: Button, seed: u64, bounce: Nanos) -> Self {
        Self {
            button,
            seed,
            bounce,
            configured_bounce: bounce,
            stuck: false,
            finger_down: false,
            was_down: false,
            moves: VecDeque::new(),
            closed: false,
            read_until: None,
            edges: VecDeque::new(),
            clip: Listeners::default(),
        }
    }

    /// Moves the finger down or up at `at`. Causes no edge if the finger is there already, or if
    /// the contact is stuck.
    pub(super) fn move_finger(&mut self, at: Instant, down: bool) {
        self.finger_down = down;
        if !self.stuck {
            self.move_contact(at, down);
        }
    }

    /// Closes the contact from `at` on, whatever the finger does.
    pub(super) fn stick(&mut self, at: Instant) {
        self.stuck = true;
        self.move_contact(at, true);
    }

    /// Sets the maximum bounce time of future movements.
    pub(super) fn set_bounce(&mut self, bounce: Nanos) {
        self.bounce = bounce;
    }

    /// Removes the contact's faults from `at` on; the contact follows the finger again.
    pub(super) fn heal(&mut self, at: Instant) {
        self.bounce = self.configured_bounce;
        if std::mem::take(&mut self.stuck) {
            self.move_contact(at, self.finger_down);
        }
    }

    fn move_contact(&mut self, at: Instant, down: bool) {
        // An edge that has been read cannot be moved: a late call takes effect just after it.
        let at = self.read_until.map_or(at, |read| at.max(read.saturating_add(Nanos(1))));
        let step = Move { at, down };
        if self.moves.back().is_none_or(|last| last.at <= at) {
            let was_down = self.moves.back().map_or(self.was_down, |last| last.down);
            self.moves.push_back(step);
            if was_down != down {
                while self.edges.back().is_some_and(|edge| edge.at >= at) {
                    self.edges.pop_back();
                }
                self.append_edges(step, Instant::NEVER);
            }
        } else {
            let place = self.moves.partition_point(|earlier| earlier.at <= at);
            self.moves.insert(place, step);
            self.redraw_edges();
        }
    }

    /// Returns whether the finger is down as of `now`, without bounce; true for a stuck contact.
    pub(super) fn is_down(&self, now: Instant) -> bool {
        let past = self.moves.iter().rev().find(|past| past.at <= now);
        past.map_or(self.was_down, |past| past.down)
    }

    /// Returns the level as of `now`: true = closed, the pin is low. Consumes the edges up to
    /// `now`.
    pub(super) fn read(&mut self, now: Instant) -> bool {
        while self.edges.front().is_some_and(|edge| edge.at <= now) {
            if let Some(edge) = self.edges.pop_front() {
                self.closed = edge.closed;
                self.read_until = Some(edge.at);
                self.clip.tell(|probe| probe.contact(edge.at, self.button, edge.closed));
            }
        }
        // A movement can be dropped once its bounce is over.
        while let Some(first) =
            self.moves.front().filter(|first| first.at.saturating_add(self.bounce) <= now)
        {
            self.was_down = first.down;
            self.moves.pop_front();
        }
        self.closed
    }

    /// Returns the time of the earliest edge that has not been read.
    pub(super) fn next_edge(&self) -> Option<Instant> {
        self.edges.front().map(|edge| edge.at)
    }

    /// Draws all edges again, for a movement that was reported after a later one.
    fn redraw_edges(&mut self) {
        let mut down = self.was_down;
        let mut steps: Vec<Move> = Vec::with_capacity(self.moves.len());
        for step in &self.moves {
            if step.down != down {
                steps.push(*step);
                down = step.down;
            }
        }
        self.edges.clear();
        for (i, step) in steps.iter().enumerate() {
            let until = steps.get(i + 1).map_or(Instant::NEVER, |next| next.at);
            self.append_edges(*step, until);
        }
        let read = self.read_until;
        self.edges.retain(|edge| read.is_none_or(|read| edge.at > read));
    }

    /// Appends the edges of one movement that come before `until`.
    fn append_edges(&mut self, step: Move, until: Instant) {
        let mut closed = self.edges.back().map_or(self.closed, |last| last.closed);
        for (i, at) in self.bounce_times(step).enumerate() {
            let level = step.down == (i % 2 == 0);
            if at < until && level != closed {
                self.edges.push_back(Edge { at, closed: level });
                closed = level;
            }
        }
    }

    /// Returns the times at which the contact toggles: an odd number, so that it ends at the
    /// finger's position.
    fn bounce_times(&self, step: Move) -> impl Iterator<Item = Instant> + use<> {
        let bounce = self.bounce.0;
        let mut random = Random::new(
            self.seed ^ (self.button.index() as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15),
        );
        random.stir(step.at.0);
        let settles = bounce / 2 + random.below(bounce / 2 + 1);
        let shortest = (bounce / 20).clamp(1, 10_000);
        let longest = (bounce / 5).clamp(shortest, BOUNCE_HELD_BELOW.0 - 1);
        let mut times = vec![step.at];
        let mut at = 0;
        while times.len() + 2 < TOGGLES {
            let away = at + shortest + random.below(longest - shortest + 1);
            let back = away + shortest + random.below(longest - shortest + 1);
            if back >= settles {
                break;
            }
            times
                .extend([step.at.saturating_add(Nanos(away)), step.at.saturating_add(Nanos(back))]);
            at = back;
        }
        times.into_iter()
    }
}
