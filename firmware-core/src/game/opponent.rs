//! The computer opponent, and the choice of who plays.
//!
//! A [`Thinker`] begins with a position and thinks in slices, so that buttons and LCD are served in
//! between; after each slice it reports the cup under consideration, or its move. The same
//! position, level, seed and [`Variety`] give the same thoughts, slice by slice. A [`Scratch`]
//! stores what it finds: all the memory that it needs. It knows no time and no pixel, nor the moves
//! before the position.
//!
//! | file | subject |
//! |---|---|
//! | `level` | the levels and their skills |
//! | `variety` | the set of moves among which chance decides |
//! | `openings` | the best first moves of each system, for Help |
//! | `search` | alpha-beta below one sowing, interruptible after any node |
//! | `order` | which cup to try first |
//! | `table` | findings about positions |
//! | `judge` | static value of a position |

mod judge;
mod level;
pub mod openings;
mod order;
mod search;
mod table;
mod variety;

use heapless::Vec;

use crate::game::outcome::GameResult;
use crate::game::places::{CUPS_A_SIDE, Cup, Player};
use crate::game::random::Random;
use crate::game::rules::{Path, Position, Ruleset};
use judge::INFINITE;
pub use level::Level;
use level::Skill;
use order::Order;
pub use search::Scratch;
use search::{Search, TO_THE_END, Verdict, Window};
pub use variety::{OPENING_LAG, OPENING_MARGIN, OPENING_MOVES, Variety};

/// Choice of the sides that the computer plays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Players {
    /// The user at the bottom against the computer at the top.
    One,
    /// Two users.
    #[default]
    Two,
    /// The computer against itself.
    Demo,
}

impl Players {
    /// All variants, in the order of the menu.
    pub const ALL: [Self; 3] = [Self::One, Self::Two, Self::Demo];

    /// Returns the name on the console and in a trace's header.
    pub const fn name(self) -> &'static str {
        match self {
            Self::One => "one",
            Self::Two => "two",
            Self::Demo => "demo",
        }
    }
}

/// Number of nodes that one slice of thinking may visit; a node is a sowing. See docs/budgets.md.
pub const NODES_A_SLICE: u32 = 1_000;
/// Maximum number of slices for an answer.
pub const MAX_SLICES: u32 = 48;
/// With at most this many stones in the cups, the Advanced level plays the best move in the systems
/// that sow into the stores: it searches to the end of the game.
pub const EXACT_STONES: u8 = 10;

/// State of the thinking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Thought {
    /// Not finished; this is the cup under consideration.
    Considering(Cup),
    /// The move to play.
    Decided(Cup),
}

/// Next step of the thinker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// Nothing to think about.
    Idle,
    /// Begin with the next cup.
    Next,
    /// Continue with the current cup.
    Current,
    /// Nothing: it has decided.
    Decided(Cup),
}

/// A cup that may be sown, and its latest value.
#[derive(Clone, Copy, Debug)]
struct Choice {
    cup: Cup,
    value: i16,
}

/// The computer's thoughts about one position.
#[derive(Clone)]
pub struct Thinker {
    search: Search,
    stage: Stage,
    position: Position,
    skill: Skill,
    chance: Random,
    slices: u32,
    /// Cups to choose from, ordered by the previous depth, the best first.
    choices: Vec<Choice, CUPS_A_SIDE>,
    /// Indices of the current cup and of the best cup of this depth.
    index: usize,
    best: usize,
    /// Depth in turns, this one included; 0 at first, for the sowing alone.
    depth: u8,
    best_value: i16,
    /// Upper bound of all values; its negative is the lower bound.
    most: i16,
    /// Whether the search only has to prove that the current cup is no better than the best.
    scouting: bool,
    /// Whether all of this depth was played to the end of the game.
    whole: bool,
    variety: Variety,
    /// The best choice that wins the game at once.
    winning_end: Option<Choice>,
    /// A choice that is worse than the best by this much is no candidate; 0: only the best is one.
    slack: i16,
    /// Candidates of the previous depth, a bit a cup by its number on its side.
    candidates: u8,
    /// Value of the best choice of the previous depth.
    last_best: i16,
}

const _: () = assert!(CUPS_A_SIDE <= u8::BITS as usize);

impl Default for Thinker {
    fn default() -> Self {
        Self::new()
    }
}

impl Thinker {
    /// Creates a thinker with nothing to think about.
    pub const fn new() -> Self {
        Self {
            search: Search::new(),
            stage: Stage::Idle,
            position: Position::start(0, Player::Bottom),
            skill: Level::Novice.skill(),
            chance: Random::new(0),
            slices: 0,
            choices: Vec::new(),
            index: 0,
            best: 0,
            depth: 0,
            best_value: -INFINITE,
            most: 0,
            scouting: false,
            whole: true,
            variety: Variety::None,
            winning_end: None,
            slack: 0,
            candidates: 0,
            last_best: 0,
        }
    }

    /// Begins to think about `position` and drops any earlier thoughts; about nothing if the game
    /// is over there. `seed` decides the errors of a level, and the choice among the moves of
    /// `variety`. Pass the same `scratch` to [`Self::think`].
    pub fn begin(
        &mut self,
        scratch: &mut Scratch,
        rules: &Ruleset,
        position: &Position,
        level: Level,
        seed: u64,
        variety: Variety,
    ) {
        scratch.clear();
        self.search.begin(rules, position);
        self.stage = Stage::Next;
        self.position = *position;
        self.skill = level.skill();
        self.chance = Random::new(seed);
        self.slices = 0;
        self.winning_end = None;
        self.choices.clear();
        if !rules.is_over(position) {
            let mut order = Order::of(rules, position, None);
            while let Some(nth) = order.next() {
                let cup = Cup::nth(position.turn, nth.into());
                // `choices` has room for all cups of a side.
                let _ = cup.map(|cup| self.choices.push(Choice { cup, value: 0 }));
            }
        }
        self.consider_ends(rules);
        let in_cups = judge::in_cups(position, position.total().min(u8::MAX.into()) as u8);
        self.most = judge::most(rules, in_cups, true);
        let to_the_end = rules.path == Path::OwnStore && in_cups <= EXACT_STONES;
        self.depth = if to_the_end && !self.skill.errs() { TO_THE_END } else { 0 };
        let few = in_cups <= EXACT_STONES && variety != Variety::None;
        self.variety = if few { Variety::Equals } else { variety };
        let varies = variety != Variety::None && !self.skill.errs();
        // At first only choices as good as the best are candidates; each depth sets the slack
        // again.
        self.slack = i16::from(varies);
        self.candidates = 0;
        if self.depth == 0 && !self.choices.is_empty() {
            let first = self.chance.number() % self.choices.len() as u64;
            self.choices.rotate_left(first as usize);
        }
        self.begin_depth();
        if self.choices.len() <= 1 {
            self.decide();
        }
    }

    /// Finds the choices that end the game at once. Once the outcome is decided where stones circle,
    /// the best of them is the only choice left, at every level.
    fn consider_ends(&mut self, rules: &Ruleset) {
        let position = &self.position;
        let decided = rules.decided(position).is_some();
        let mut best: Option<Choice> = None;
        for &Choice { cup, .. } in &self.choices {
            let (next, outcome) = rules.sow(position, cup);
            let wins = outcome.result == Some(GameResult::Winner(position.turn));
            if !(wins || decided && outcome.result.is_some()) {
                continue;
            }
            let value = self.search.value_of_end(position, &next);
            if best.is_none_or(|best| value > best.value) {
                best = Some(Choice { cup, value });
            }
        }
        self.winning_end = best;
        if let Some(end) = best.filter(|_| decided) {
            self.choices.clear();
            // `choices` is empty.
            let _ = self.choices.push(end);
        }
    }

    /// Decides for `cup`, which is known to be the best, without thinking.
    pub fn decide_for(&mut self, cup: Cup) {
        self.stage = Stage::Decided(cup);
    }

    /// Thinks for one more slice of at most [`NODES_A_SLICE`] nodes. Returns `None` if there is
    /// nothing to think about. The [`MAX_SLICES`]th slice decides at the latest; later calls
    /// return the same decision.
    pub fn think(&mut self, scratch: &mut Scratch) -> Option<Thought> {
        if let Stage::Decided(cup) = self.stage {
            return Some(Thought::Decided(cup));
        }
        let limit = self.search.nodes().saturating_add(NODES_A_SLICE);
        self.slices = self.slices.saturating_add(1);
        let mut considered = self.choices.get(self.index)?.cup;
        while matches!(self.stage, Stage::Next | Stage::Current) && self.search.nodes() < limit {
            considered = self.choices.get(self.index)?.cup;
            let verdict = match self.stage {
                Stage::Current => self.search.run(scratch, limit),
                _ => {
                    let window = self.window();
                    self.search.sow(scratch, &self.position, considered, self.depth, window)
                }
            };
            self.stage = Stage::Current;
            if let Some(verdict) = verdict {
                self.take(verdict);
                if self.skill.errs() {
                    break;
                }
            }
        }
        if self.slices >= MAX_SLICES && matches!(self.stage, Stage::Next | Stage::Current) {
            self.decide();
        }
        match self.stage {
            Stage::Idle => None,
            Stage::Next | Stage::Current => Some(Thought::Considering(considered)),
            Stage::Decided(cup) => Some(Thought::Decided(cup)),
        }
    }

    /// Returns the number of nodes visited since [`Self::begin`].
    pub const fn nodes(&self) -> u32 {
        self.search.nodes()
    }

    /// Returns the cups to choose from, ordered by the previous depth, the best first, each with
    /// its latest value in sixteenths of a stone; `None` if that is not known yet. A value worse
    /// than the best may only be a bound. For observing tools: the board does not use it.
    pub fn considered(&self) -> impl Iterator<Item = (Cup, Option<i16>)> {
        // A search to the end of the game begins at its depth and has no previous one.
        let has_one_before = self.depth > 0 && self.depth < TO_THE_END;
        let known = if has_one_before { self.choices.len() } else { self.index };
        let value = move |at: usize, value: i16| (at < known).then_some(value);
        self.choices
            .iter()
            .enumerate()
            .map(move |(at, choice)| (choice.cup, value(at, choice.value)))
    }

    /// Returns the cup under consideration, or `None` if there is nothing to think about or the
    /// move is decided.
    pub fn current_cup(&self) -> Option<Cup> {
        let thinks = matches!(self.stage, Stage::Next | Stage::Current);
        self.choices.get(self.index).filter(|_| thinks).map(|choice| choice.cup)
    }

    /// Returns the move to play, once it is decided.
    pub const fn decided(&self) -> Option<Cup> {
        match self.stage {
            Stage::Decided(cup) => Some(cup),
            _ => None,
        }
    }

    /// Returns the current depth in turns: 0 is the sowing alone, `None` is the end of the game.
    pub const fn turns(&self) -> Option<u8> {
        if self.depth < TO_THE_END { Some(self.depth) } else { None }
    }

    /// Returns the range in which the exact value of the current cup matters.
    fn window(&self) -> Window {
        if self.scouting {
            // Within the slack below the best, the exact value is needed too.
            Window { alpha: self.best_value - self.slack, beta: self.best_value + 1 }
        } else {
            // Where the value of every cup is needed, there is no lower bound before the first one
            // is known.
            let alpha = if self.needs_all() { -INFINITE } else { self.best_value };
            Window { alpha, beta: INFINITE }
        }
    }

    /// Returns whether the value of every cup is needed: to err, or to order the cups.
    fn needs_all(&self) -> bool {
        self.skill.errs() || self.depth == 0
    }

    /// Records the verdict on the current cup.
    fn take(&mut self, Verdict { value, whole }: Verdict) {
        self.stage = Stage::Next;
        self.whole &= whole;
        if value > self.best_value {
            self.best = self.index;
            if self.scouting && value < self.most {
                // The cup is better; the next search of it finds the value.
                self.scouting = false;
                return;
            }
            self.best_value = value;
        }
        if let Some(choice) = self.choices.get_mut(self.index) {
            choice.value = value;
        }
        self.index += 1;
        self.scouting = !self.needs_all();
        let settled = self.best_value >= self.most && !self.needs_all() && self.slack == 0;
        if self.index == self.choices.len() || settled {
            self.end_depth();
        }
    }

    fn begin_depth(&mut self) {
        self.index = 0;
        self.best = 0;
        self.best_value = -INFINITE;
        self.scouting = false;
        self.whole = true;
    }

    /// Decides, or searches one turn deeper, the best cup first.
    fn end_depth(&mut self) {
        let slack = if self.slack > 0 { self.margin(self.best_value) + 1 } else { 0 };
        if self.whole || self.depth >= self.skill.turns {
            self.decide();
            return;
        }
        self.candidates = self.near().fold(0, |bits, choice| bits | 1 << choice.cup.nth_of_owner());
        self.last_best = self.best_value;
        self.slack = slack;
        if self.depth == 0 || self.slack > 0 {
            // Insertion sort: stable, so the first of equal choices stays first.
            for (at, Choice { value, .. }) in self.choices.clone().into_iter().enumerate() {
                let sorted = self.choices.get_mut(..=at).unwrap_or_default();
                let place = sorted[..at].partition_point(|choice| choice.value >= value);
                sorted[place..].rotate_right(1);
            }
        } else if !self.skill.errs()
            && let Some(up_to_best) = self.choices.get_mut(..=self.best)
        {
            up_to_best.rotate_right(1);
        }
        self.depth += 1;
        self.begin_depth();
    }

    /// Returns the choices that are candidates at this depth so far.
    fn near(&self) -> impl Iterator<Item = &Choice> {
        let known = self.choices.get(..self.index).unwrap_or_default();
        let least = self.best_value - self.slack;
        known.iter().filter(move |choice| choice.value > least)
    }

    /// Returns the candidates of the previous depth that this depth has not reached.
    fn not_reached(&self) -> impl Iterator<Item = &Choice> {
        let rest = self.choices.get(self.index..).unwrap_or_default();
        rest.iter().filter(|choice| self.candidates >> choice.cup.nth_of_owner() & 1 == 1)
    }

    /// Decides for the best cup, one that is nearly as good, or the one that the level takes for the
    /// best.
    fn decide(&mut self) {
        let chosen = if self.skill.errs() {
            self.seemingly_best()
        } else {
            self.end_as_good_as_any()
                .or_else(|| self.one_of_the_candidates())
                .or(self.choices.get(self.best).map(|choice| choice.cup))
        };
        self.stage = chosen.map_or(Stage::Idle, Stage::Decided);
    }

    /// Returns the cup that wins at once, if no other is known to be better.
    fn end_as_good_as_any(&self) -> Option<Cup> {
        let end = self.winning_end?;
        (!self.best_is_alone() && end.value >= self.latest_best()).then_some(end.cup)
    }

    /// Returns whether the search has shown that the best cup is better than all before it, but not
    /// yet by how much.
    fn best_is_alone(&self) -> bool {
        self.best == self.index && self.index > 0
    }

    /// Returns the value of the best cup of this depth so far, or of the previous depth.
    fn latest_best(&self) -> i16 {
        if self.index == 0 { self.last_best } else { self.best_value }
    }

    /// Returns the best cup as seen by a level that errs.
    fn seemingly_best(&mut self) -> Option<Cup> {
        let spread = 2 * u64::from(self.skill.error) + 1;
        // Errors from 0 to twice the maximum order the cups as errors of up to the maximum either
        // way do.
        let mut seen = |value: i16| value + (self.chance.number() % spread) as i16;
        let cups = self.choices.iter().map(|choice| (seen(choice.value), choice.cup));
        cups.max_by_key(|seen| seen.0).map(|(_, cup)| cup)
    }

    /// Returns how much worse a move may be than one of value `best`.
    fn margin(&self, best: i16) -> i16 {
        let is_solved = self.whole && self.index == self.choices.len();
        let lead = judge::lead(&self.position, self.position.turn) * judge::STONE + best;
        if self.variety == Variety::Opening && !is_solved && lead >= -OPENING_LAG {
            OPENING_MARGIN
        } else {
            0
        }
    }

    /// Returns a random candidate, or `None` if only the best counts.
    fn one_of_the_candidates(&mut self) -> Option<Cup> {
        if self.slack == 0 || self.best_is_alone() {
            return None;
        }
        let margin = self.margin(self.latest_best()).min(self.slack - 1);
        let mut chance = self.chance.clone();
        let near = self.near().map(|choice| (choice.value - self.best_value, choice.cup));
        let not_reached =
            self.not_reached().map(|choice| (choice.value - self.last_best, choice.cup));
        let close = near.chain(not_reached).filter(|(behind, _)| *behind >= -margin);
        close.max_by_key(|_| chance.number()).map(|(_, cup)| cup)
    }
}

#[cfg(test)]
mod tests;
