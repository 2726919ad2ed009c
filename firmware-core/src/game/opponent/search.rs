//! Alpha-beta over sowings, with an explicit stack: it can stop after any node and resume later. A
//! node is a sowing.
//!
//! [`Search::sow`] begins with one cup of a position, [`Search::run`] continues. The search does
//! not know the levels or the time limit.

use super::judge::{self, INFINITE, MAX_PLIES, STONE};
use super::order::Order;
use super::table::{Bound, Finding, Key, Table};
use crate::game::places::{Cup, Player};
use crate::game::rules::{Position, Ruleset, board};

/// Depth of a search to the end of the game, more than any other.
pub const TO_THE_END: u8 = 128;

/// Maximum depth in turns of a search that does not go to the end.
pub const DEEPEST: u8 = 60;

const _: () = assert!(DEEPEST < TO_THE_END);

/// Result of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// Value for the player who sowed.
    pub value: i16,
    /// Whether every relevant line was played to the end of the game.
    pub whole: bool,
}

/// Range of values in which the exact value of a position matters, for the player to move.
#[derive(Clone, Copy, Debug)]
pub struct Window {
    /// Value that the player already has for certain.
    pub alpha: i16,
    /// Value above which the opponent avoids the position.
    pub beta: i16,
}

/// A position of the current line, and what is known of its cups.
#[derive(Clone, Copy, Debug)]
struct Frame {
    position: Position,
    key: Key,
    /// Cups not tried yet.
    order: Order,
    window: Window,
    best: i16,
    /// Gain of the sowing that led here, for the player who sowed.
    gain: i16,
    depth: u8,
    in_cups: u8,
    /// Numbers of the current and of the best cup on their side.
    nth: u8,
    best_nth: u8,
    /// Whether the sowing that led here passed the turn.
    passed: bool,
    whole: bool,
}

impl Frame {
    const NONE: Self = Self {
        position: Position::start(0, Player::Bottom),
        key: Key::NONE,
        order: Order::NONE,
        window: Window { alpha: 0, beta: 0 },
        best: 0,
        gain: 0,
        depth: 0,
        in_cups: 0,
        nth: 0,
        best_nth: 0,
        passed: false,
        whole: false,
    };
}

/// Large memory of a search: its table and its stack. The caller chooses its location.
#[derive(Clone)]
pub struct Scratch {
    frames: [Frame; MAX_PLIES],
    table: Table,
}

impl Default for Scratch {
    fn default() -> Self {
        Self::new()
    }
}

impl Scratch {
    /// Creates an empty scratch. All its bytes are zero: in a static it takes no flash.
    pub const fn new() -> Self {
        Self { frames: [Frame::NONE; MAX_PLIES], table: Table::EMPTY }
    }

    /// Discards all findings.
    pub(super) fn clear(&mut self) {
        self.table.clear();
    }
}

/// A search below the position passed to [`Search::begin`].
#[derive(Clone)]
pub struct Search {
    rules: Ruleset,
    total: u8,
    /// Player for whom the computer thinks.
    thinks_for: Player,
    nodes: u32,
    /// Number of frames in the current line.
    open: usize,
}

impl Search {
    /// Creates a search without a position.
    pub const fn new() -> Self {
        Self { rules: board::RULES, total: 0, thinks_for: Player::Bottom, nodes: 0, open: 0 }
    }

    /// Prepares a search below `position`. The scratch must be clear.
    pub fn begin(&mut self, rules: &Ruleset, position: &Position) {
        self.rules = *rules;
        self.total = position.total().min(u8::MAX.into()) as u8;
        self.thinks_for = position.turn;
        self.nodes = 0;
        self.open = 0;
    }

    /// Returns the number of nodes visited since [`Self::begin`].
    pub const fn nodes(&self) -> u32 {
        self.nodes
    }

    /// Sows `cup` of `position`, one node, to search `depth` turns from this one on; 0 is the
    /// sowing alone. If this returns no verdict, [`Self::run`] continues the search.
    pub fn sow(
        &mut self,
        scratch: &mut Scratch,
        position: &Position,
        cup: Cup,
        depth: u8,
        window: Window,
    ) -> Option<Verdict> {
        self.open = 0;
        self.try_cup(scratch, position, cup, depth, window)
    }

    /// Continues until the verdict, or until `limit` nodes have been visited in total.
    pub fn run(&mut self, scratch: &mut Scratch, limit: u32) -> Option<Verdict> {
        loop {
            let frame = &mut scratch.frames[self.open.checked_sub(1)?];
            if frame.order.is_empty() {
                let verdict = self.close(scratch);
                if self.open == 0 {
                    return Some(verdict);
                }
                self.consider(scratch, verdict);
                continue;
            }
            if self.nodes >= limit {
                return None;
            }
            frame.nth = frame.order.next().unwrap_or(0);
            let (position, depth) = (frame.position, frame.depth);
            let window = Window { alpha: frame.window.alpha.max(frame.best), ..frame.window };
            let cup = Cup::nth(position.turn, frame.nth.into())?;
            if let Some(verdict) = self.try_cup(scratch, &position, cup, depth, window) {
                self.consider(scratch, verdict);
            }
        }
    }

    /// Returns the value of a sowing from `position` to `next` that ends the game.
    pub fn value_of_end(&self, position: &Position, next: &Position) -> i16 {
        self.gain(position, next) + judge::ended(&self.rules, judge::lead(next, position.turn))
    }

    /// Returns the gain of a sowing from `position` to `next`, for the player who sowed.
    #[inline(always)]
    fn gain(&self, position: &Position, next: &Position) -> i16 {
        let mover = position.turn;
        let stones = judge::lead(next, mover) - judge::lead(position, mover);
        let own = mover == self.thinks_for;
        stones * STONE - judge::tempo(&self.rules, position, self.total, own)
    }

    /// Sows `cup`. Returns the verdict or adds a frame.
    #[inline(always)]
    fn try_cup(
        &mut self,
        scratch: &mut Scratch,
        position: &Position,
        cup: Cup,
        depth: u8,
        Window { alpha, beta }: Window,
    ) -> Option<Verdict> {
        self.nodes += 1;
        let mover = position.turn;
        let (next, outcome) = self.rules.sow(position, cup);
        let gain = self.gain(position, &next);
        if outcome.result.is_some() {
            let value = gain + judge::ended(&self.rules, judge::lead(&next, mover));
            return Some(Verdict { value, whole: true });
        }
        let passed = next.turn != mover;
        let window = if passed {
            Window { alpha: gain - beta, beta: gain - alpha }
        } else {
            Window { alpha: alpha - gain, beta: beta - gain }
        };
        // Free turns cost no depth: a turn is searched with all the moves that it brings.
        let depth = if passed && depth < TO_THE_END { depth.saturating_sub(1) } else { depth };
        let (value, whole) = self.enter(scratch, &next, depth, window, gain, passed)?;
        Some(Verdict { value: if passed { gain - value } else { gain + value }, whole })
    }

    /// Returns the value of `position` for its player to move if it is known; otherwise adds a
    /// frame for it.
    #[inline(always)]
    fn enter(
        &mut self,
        scratch: &mut Scratch,
        position: &Position,
        depth: u8,
        window: Window,
        gain: i16,
        passed: bool,
    ) -> Option<(i16, bool)> {
        let in_cups = judge::in_cups(position, self.total);
        let own = position.turn == self.thinks_for;
        let most = judge::most(&self.rules, in_cups, own);
        if most <= window.alpha {
            return Some((most, true));
        }
        let least = -judge::most(&self.rules, in_cups, !own);
        if least >= window.beta {
            return Some((least, true));
        }
        if depth == 0 || self.open == MAX_PLIES {
            return Some((judge::glance(&self.rules, position, self.total, own), false));
        }
        let key = Key::of(position, judge::stores_matter(&self.rules));
        let finding = scratch.table.find(key);
        if let Some(finding) = finding.filter(|finding| settles(finding, depth, window)) {
            return Some((finding.value, finding.depth >= TO_THE_END));
        }
        let order = Order::of(&self.rules, position, finding.map(Finding::nth));
        // Filled in place, field by field: copying a frame costs a sixth of a node's time.
        let frame = &mut scratch.frames[self.open];
        frame.position = *position;
        frame.key = key;
        frame.order = order;
        frame.window = window;
        frame.best = -INFINITE;
        frame.gain = gain;
        frame.depth = depth;
        frame.in_cups = in_cups;
        frame.passed = passed;
        frame.whole = true;
        self.open += 1;
        None
    }

    /// Records the verdict on the current cup of the last frame.
    #[inline(always)]
    fn consider(&mut self, scratch: &mut Scratch, Verdict { value, whole }: Verdict) {
        let frame = &mut scratch.frames[self.open - 1];
        frame.whole &= whole;
        if value > frame.best {
            frame.best = value;
            frame.best_nth = frame.nth;
            if value >= frame.window.beta {
                frame.order = Order::NONE;
            }
        }
    }

    /// Closes the last frame and returns the verdict on the sowing that led there.
    #[inline(always)]
    fn close(&mut self, scratch: &mut Scratch) -> Verdict {
        self.open -= 1;
        let frame = &scratch.frames[self.open];
        let (value, whole) = (frame.best, frame.whole);
        let bound = if value >= frame.window.beta {
            Bound::Least
        } else if value > frame.window.alpha {
            Bound::Exact
        } else {
            Bound::Most
        };
        // Among findings played to the end, one with more stones took more work, so it counts as
        // deeper.
        let depth = if whole { TO_THE_END | frame.in_cups.min(!TO_THE_END) } else { frame.depth };
        scratch.table.keep(frame.key, value, depth, bound, frame.best_nth);
        Verdict { value: if frame.passed { frame.gain - value } else { frame.gain + value }, whole }
    }
}

/// Returns whether `finding` answers a search of `depth` within `window`.
#[inline(always)]
fn settles(finding: &Finding, depth: u8, window: Window) -> bool {
    finding.depth >= depth
        && match finding.bound() {
            Bound::Exact => true,
            Bound::Least => finding.value >= window.beta,
            Bound::Most => finding.value <= window.alpha,
        }
}
