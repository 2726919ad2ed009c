//! Alpha-beta over sowings, on a stack of its own: it can stop after any node.

use super::judge::{self, INFINITE, STONE};
use super::order::Order;
use super::table::{Bound, Key, Table};
use crate::rules::{Cup, Player, Position, Ruleset, board};

/// Sowings that a line of play may have.
pub const MOST_PLIES: usize = 64;

/// The depth of a search to the end of the game; a finding's is this and the stones in the
/// cups, so that big ones stay in the table.
pub const TO_THE_END: u8 = 128;

/// A position of the line in hand.
#[derive(Clone, Copy, Debug)]
struct Frame {
    position: Position,
    key: Key,
    order: Order,
    alpha: i16,
    beta: i16,
    best: i16,
    /// What the sowing that led here gained its player.
    gain: i16,
    depth: u8,
    in_cups: u8,
    /// The cup in hand, and the best one.
    nth: u8,
    best_nth: u8,
    /// Whether the turn passed with the sowing that led here.
    passed: bool,
    /// Whether everything below was played to the end of the game.
    whole: bool,
}

impl Frame {
    const NONE: Self = Self {
        position: Position::start(0, Player::Bottom),
        key: Key::NONE,
        order: Order::NONE,
        alpha: 0,
        beta: 0,
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

/// What a search came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// For the player to move.
    pub value: i16,
    /// Whether every line was played to the end of the game.
    pub whole: bool,
}

/// What a sowing led to.
pub enum Sown {
    Known(Verdict),
    Open,
}

/// The search.
pub struct Search {
    rules: Ruleset,
    total: u8,
    nodes: u32,
    open: usize,
    frames: [Frame; MOST_PLIES],
    table: Table,
}

impl Search {
    pub const fn new() -> Self {
        Self {
            rules: board::RULES,
            total: 0,
            nodes: 0,
            open: 0,
            frames: [Frame::NONE; MOST_PLIES],
            table: Table::EMPTY,
        }
    }

    pub fn begin(&mut self, rules: &Ruleset, position: &Position) {
        self.rules = *rules;
        self.total = position.total().min(u8::MAX.into()) as u8;
        self.nodes = 0;
        self.open = 0;
        self.table.clear();
    }

    pub fn nodes(&self) -> u32 {
        self.nodes
    }

    /// Sows `cup` and looks for the value of that, for its player, between `alpha` and `beta`.
    pub fn sow(
        &mut self,
        position: &Position,
        cup: Cup,
        depth: u8,
        window: (i16, i16),
    ) -> Option<Verdict> {
        self.open = 0;
        self.try_cup(position, cup, depth, window)
    }

    #[inline(always)]
    fn try_cup(
        &mut self,
        position: &Position,
        cup: Cup,
        depth: u8,
        (alpha, beta): (i16, i16),
    ) -> Option<Verdict> {
        self.nodes += 1;
        let mover = position.turn;
        let (next, outcome) = self.rules.sow(position, cup);
        let difference = |at: &Position| {
            i16::from(at.in_store(mover)) - i16::from(at.in_store(mover.opponent()))
        };
        let stored = difference(&next);
        let gain = (stored - difference(position)) * STONE;
        if outcome.result.is_some() {
            let value = gain + judge::ended(&self.rules, stored);
            return Some(Verdict { value, whole: true });
        }
        let passed = next.turn != mover;
        let (alpha, beta) =
            if passed { (gain - beta, gain - alpha) } else { (alpha - gain, beta - gain) };
        let seen = self.enter(&next, gain, passed, depth, alpha, beta)?;
        Some(Verdict {
            value: if passed { gain - seen.value } else { gain + seen.value },
            whole: seen.whole,
        })
    }

    /// Looks at a position; opens a frame if looking is not enough.
    #[inline(always)]
    fn enter(
        &mut self,
        next: &Position,
        gain: i16,
        passed: bool,
        depth: u8,
        alpha: i16,
        beta: i16,
    ) -> Option<Verdict> {
        let in_cups = judge::in_cups(next, self.total);
        let most = judge::most(&self.rules, in_cups);
        if most <= alpha {
            return Some(Verdict { value: most, whole: true });
        }
        if -most >= beta {
            return Some(Verdict { value: -most, whole: true });
        }
        if depth == 0 || self.open == MOST_PLIES {
            return Some(Verdict {
                value: judge::judge(&self.rules, next, self.total),
                whole: false,
            });
        }
        let key = Key::of(next, judge::stores_matter(&self.rules));
        let mut first = None;
        if let Some(finding) = self.table.find(key) {
            let value = finding.value;
            if finding.depth >= depth
                && match finding.bound() {
                    Bound::Exact => true,
                    Bound::Least => value >= beta,
                    Bound::Most => value <= alpha,
                }
            {
                return Some(Verdict { value, whole: finding.depth >= TO_THE_END });
            }
            first = Some(finding.nth());
        }
        self.frames[self.open] = Frame {
            position: *next,
            key,
            order: Order::of(&self.rules, next, first),
            alpha,
            beta,
            best: -INFINITE,
            gain,
            depth,
            in_cups,
            nth: 0,
            best_nth: 0,
            passed,
            whole: true,
        };
        self.open += 1;
        None
    }

    /// Goes on until the verdict or `nodes`.
    pub fn run(&mut self, limit: u32) -> Option<Verdict> {
        loop {
            let top = self.open.checked_sub(1)?;
            let frame = &mut self.frames[top];
            if frame.order.is_empty() {
                let verdict = self.close();
                if self.open == 0 {
                    return Some(verdict);
                }
                self.consider(verdict);
                continue;
            }
            if self.nodes >= limit {
                return None;
            }
            let Some(nth) = frame.order.next() else { continue };
            frame.nth = nth;
            let position = frame.position;
            let depth = if frame.depth >= TO_THE_END { TO_THE_END } else { frame.depth - 1 };
            let window = (frame.alpha.max(frame.best), frame.beta);
            let Some(cup) = Cup::nth(position.turn, nth.into()) else { continue };
            if let Some(verdict) = self.try_cup(&position, cup, depth, window) {
                self.consider(verdict);
            }
        }
    }

    /// Takes the verdict on the cup in hand of the top frame.
    #[inline(always)]
    fn consider(&mut self, verdict: Verdict) {
        let frame = &mut self.frames[self.open - 1];
        frame.whole &= verdict.whole;
        if verdict.value > frame.best {
            frame.best = verdict.value;
            frame.best_nth = frame.nth;
            if verdict.value >= frame.beta {
                frame.order = Order::NONE;
            }
        }
    }

    /// Closes the top frame; the verdict is for the player of the sowing that led there.
    #[inline(always)]
    fn close(&mut self) -> Verdict {
        self.open -= 1;
        let frame = &self.frames[self.open];
        let value = frame.best;
        let bound = if value >= frame.beta {
            Bound::Least
        } else if value > frame.alpha {
            Bound::Exact
        } else {
            Bound::Most
        };
        let depth = if frame.whole { TO_THE_END + frame.in_cups.min(127) } else { frame.depth };
        self.table.keep(frame.key, value, depth, bound, frame.best_nth);
        Verdict {
            value: if frame.passed { frame.gain - value } else { frame.gain + value },
            whole: frame.whole,
        }
    }
}
