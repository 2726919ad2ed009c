//! Alpha-beta over sowings, on a stack of its own: it stops after any node and goes on from
//! there. A node is a sowing.
//!
//! [`Search::sow`] begins with one cup of a position, [`Search::run`] goes on. It does not know
//! which levels there are, nor how long it may think.

use super::judge::{self, INFINITE, STONE};
use super::order::Order;
use super::table::{Bound, Finding, Key, Table};
use crate::game::places::{Cup, Player};
use crate::game::rules::{Position, Ruleset, board};

/// The longest line of sowings that the search follows; beyond it, a glance.
pub const MOST_PLIES: usize = 64;

/// The depth of a search to the end of the game, more than any other.
pub const TO_THE_END: u8 = 128;

/// Turns that a search looks ahead at most when it does not go to the end.
pub const DEEPEST: u8 = 60;

const _: () = assert!(DEEPEST < TO_THE_END);

/// What a search came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// For the player who sowed.
    pub value: i16,
    /// Whether every line that counts was played to the end of the game.
    pub whole: bool,
}

/// Between which values it matters what a position is worth, for the player to move.
#[derive(Clone, Copy, Debug)]
pub struct Window {
    /// What is sure already.
    pub alpha: i16,
    /// What the opponent will not allow.
    pub beta: i16,
}

/// A position of the line in hand, and what is known of its cups.
#[derive(Clone, Copy, Debug)]
struct Frame {
    position: Position,
    key: Key,
    /// Cups still to be tried.
    order: Order,
    window: Window,
    best: i16,
    /// What the sowing that led here gained, for its player.
    gain: i16,
    depth: u8,
    in_cups: u8,
    /// The cup in hand and the best one, by their number on their side.
    nth: u8,
    best_nth: u8,
    /// Whether the sowing that led here passed the turn on.
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

/// The large memory of a search: its table and its stack. The caller chooses where it lies.
#[derive(Clone)]
pub struct Scratch {
    frames: [Frame; MOST_PLIES],
    table: Table,
}

impl Default for Scratch {
    fn default() -> Self {
        Self::new()
    }
}

impl Scratch {
    /// Nothing written, and nothing but zeros: in a static it takes no flash.
    pub const fn new() -> Self {
        Self { frames: [Frame::NONE; MOST_PLIES], table: Table::EMPTY }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.table.clear();
    }
}

/// The search below the position given to [`Search::begin`].
#[derive(Clone)]
pub struct Search {
    rules: Ruleset,
    total: u8,
    nodes: u32,
    /// Frames of the line in hand.
    open: usize,
}

impl Search {
    /// One that knows nothing.
    pub const fn new() -> Self {
        Self { rules: board::RULES, total: 0, nodes: 0, open: 0 }
    }

    /// Will search below `position`, in a scratch that is clear.
    pub fn begin(&mut self, rules: &Ruleset, position: &Position) {
        self.rules = *rules;
        self.total = position.total().min(u8::MAX.into()) as u8;
        self.nodes = 0;
        self.open = 0;
    }

    /// Nodes visited since [`Self::begin`].
    pub const fn nodes(&self) -> u32 {
        self.nodes
    }

    /// Sows `cup` of `position`, one node, to look at `depth` turns from this one on; at 0, at
    /// the sowing alone. Without a verdict at once, [`Self::run`] will come to it.
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

    /// Goes on until the verdict, or until `limit` nodes have been visited in all.
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

    /// Sows `cup`: the verdict, or one more frame.
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
        let lead = judge::lead(&next, mover);
        let gain = (lead - judge::lead(position, mover)) * STONE;
        if outcome.result.is_some() {
            return Some(Verdict { value: gain + judge::ended(&self.rules, lead), whole: true });
        }
        let passed = next.turn != mover;
        let window = if passed {
            Window { alpha: gain - beta, beta: gain - alpha }
        } else {
            Window { alpha: alpha - gain, beta: beta - gain }
        };
        // Free turns cost no depth: a turn is looked at with all that it brings.
        let depth = if passed && depth < TO_THE_END { depth.saturating_sub(1) } else { depth };
        let (value, whole) = self.enter(scratch, &next, depth, window, gain, passed)?;
        Some(Verdict { value: if passed { gain - value } else { gain + value }, whole })
    }

    /// What is known of `position`, for its player to move; a frame for it if that is not enough.
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
        let most = judge::most(&self.rules, in_cups);
        if most <= window.alpha {
            return Some((most, true));
        }
        if -most >= window.beta {
            return Some((-most, true));
        }
        if depth == 0 || self.open == MOST_PLIES {
            return Some((judge::glance(&self.rules, position, self.total), false));
        }
        let key = Key::of(position, judge::stores_matter(&self.rules));
        let finding = scratch.table.find(key);
        if let Some(finding) = finding.filter(|finding| settles(finding, depth, window)) {
            return Some((finding.value, finding.depth >= TO_THE_END));
        }
        let order = Order::of(&self.rules, position, finding.map(Finding::nth));
        // In place, field by field: a frame that is copied costs a sixth of a node's time.
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

    /// Takes the verdict on the cup in hand of the last frame.
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

    /// Closes the last frame; the verdict is on the sowing that led there.
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
        // Of what was played to the end, that with more stones was more work.
        let depth = if whole { TO_THE_END | frame.in_cups.min(!TO_THE_END) } else { frame.depth };
        scratch.table.keep(frame.key, value, depth, bound, frame.best_nth);
        Verdict { value: if frame.passed { frame.gain - value } else { frame.gain + value }, whole }
    }
}

/// Whether `finding` answers a search of `depth` within `window`.
#[inline(always)]
fn settles(finding: &Finding, depth: u8, window: Window) -> bool {
    finding.depth >= depth
        && match finding.bound() {
            Bound::Exact => true,
            Bound::Least => finding.value >= window.beta,
            Bound::Most => finding.value <= window.alpha,
        }
}
