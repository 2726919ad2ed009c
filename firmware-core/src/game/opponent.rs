//! The computer that plays, and who plays at all.
//!
//! A [`Thinker`] begins with a position and thinks in slices, so that buttons and LCD are
//! served in between; after each it says which cup it has in hand, or its move. The same
//! position, level, seed and [`Variety`] give the same thoughts, slice by slice. What it
//! finds out lies in a [`Scratch`]: all the memory that it needs. It knows no time and no pixel, nor what was played before.
//!
//! | file | subject |
//! |---|---|
//! | `search` | alpha-beta below one sowing, stopping after any node |
//! | `order` | which cup to try first |
//! | `table` | what was found out about positions |
//! | `judge` | what a position is worth at a glance |

mod judge;
mod order;
mod search;
mod table;

use heapless::Vec;

use crate::game::places::{CUPS_A_SIDE, Cup, Player};
use crate::game::random::Random;
use crate::game::rules::{Path, Position, Ruleset};
use judge::INFINITE;
use order::Order;
pub use search::Scratch;
use search::{DEEPEST, Search, TO_THE_END, Verdict, Window};

/// Who sits at the board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Players {
    /// A person at the bottom against the computer at the top.
    One,
    /// Two persons.
    #[default]
    Two,
    /// The computer against itself.
    Demo,
}

/// How well the computer plays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the manual's own names")]
pub enum Level {
    #[default]
    Novice,
    Intermediate,
    Advanced,
}

impl Players {
    /// All of them, in the order of the menu.
    pub const ALL: [Self; 3] = [Self::One, Self::Two, Self::Demo];

    /// Its name on the console and in a trace's header.
    pub const fn name(self) -> &'static str {
        match self {
            Self::One => "one",
            Self::Two => "two",
            Self::Demo => "demo",
        }
    }
}

impl Level {
    /// All of them, the weakest first.
    pub const ALL: [Self; 3] = [Self::Novice, Self::Intermediate, Self::Advanced];

    /// Its name on the console and in a trace's header.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Novice => "novice",
            Self::Intermediate => "intermediate",
            Self::Advanced => "advanced",
        }
    }
}

/// Among which moves the seed chooses, where a level does not err. Each of them is as likely.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Variety {
    /// None: of moves that are equally good it plays the one that it found first.
    #[default]
    None,
    /// All that are as good as the best one.
    Equals,
    /// Those, and where the search sees the end of the game all that win it ([`PROVEN_LEAD`]). The
    /// last moves of a game ([`EXACT_STONES`]) are the best ones all the same.
    Wins,
    /// Those, and all that are at most [`OPENING_MARGIN`] worse than the best one, unless that is
    /// far behind ([`OPENING_LAG`]).
    Opening,
}

/// Moves of a game, of both players, with [`Variety::Opening`]: what it costs is in
/// docs/budgets.md.
pub const OPENING_MOVES: u32 = 6;

/// How much worse than the best a move of the opening may be: as much as a stone and a half.
pub const OPENING_MARGIN: i16 = 3 * judge::STONE / 2;

/// A player who seems to lose by more than so much has nothing to give away, in the opening either. The
/// player who moves second begins about five stones behind.
pub const OPENING_LAG: i16 = 6 * judge::STONE;

/// The lead at the end of the game that a move must keep that is worse than the best.
pub const PROVEN_LEAD: i16 = judge::STONE;

impl Variety {
    /// That of the move after so many others.
    pub const fn after(moves: u32) -> Self {
        if moves < OPENING_MOVES { Self::Opening } else { Self::Wins }
    }
}

/// Nodes that one slice of thinking may visit; a node is a sowing. See docs/budgets.md.
pub const NODES_A_SLICE: u32 = 1_000;
/// Most slices that an answer takes.
pub const MOST_SLICES: u32 = 48;
/// With at most so many stones in the cups, the Advanced level plays the very best move in the
/// systems that sow into the stores: it searches to the end of the game.
pub const EXACT_STONES: u8 = 10;

/// How far the thinking is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Thought {
    /// It goes on; this is the cup in hand.
    Considering(Cup),
    /// The move to play.
    Decided(Cup),
}

/// What a level is able to do.
#[derive(Clone, Copy, Debug)]
struct Skill {
    /// Turns that it looks at, at most: 1 is its own one with all its free turns.
    turns: u8,
    /// How far it may be off when it judges a cup, in sixteenths of a stone.
    error: u8,
}

impl Level {
    const fn skill(self) -> Skill {
        match self {
            Self::Novice => Skill { turns: 1, error: 128 },
            Self::Intermediate => Skill { turns: 2, error: 48 },
            Self::Advanced => Skill { turns: DEEPEST, error: 0 },
        }
    }
}

impl Skill {
    /// Whether it may be off. Then it needs the value of every cup, and takes up one a slice,
    /// so that one can watch it; else only what could be the best matters.
    const fn errs(self) -> bool {
        self.error > 0
    }
}

/// What the thinker is about to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// Nothing.
    Idle,
    /// To take up the next cup.
    Next,
    /// To go on with the cup in hand.
    InHand,
    /// It has decided.
    Decided(Cup),
}

/// A cup that may be sown, and what it was found to be worth at last.
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
    /// The cups to choose from, the best of the depth before first.
    choices: Vec<Choice, CUPS_A_SIDE>,
    /// The cup in hand, and the best of this depth, by their index.
    index: usize,
    best: usize,
    /// Turns to look at, this one included; at first 0, the sowing alone.
    depth: u8,
    best_value: i16,
    /// No value is more, no value less than its negative.
    most: i16,
    /// Whether the cup in hand has only to show that it is no better than the best.
    scouting: bool,
    /// Whether all of this depth was played to the end of the game.
    whole: bool,
    variety: Variety,
    /// Whether the depth before, and this one so far, was played to the end of the game.
    solved: bool,
    /// A choice that is this much worse than the best is no candidate; 0: only the best is one.
    slack: i16,
    /// The candidates of the depth before, a bit a cup by its number on its side.
    candidates: u8,
    /// The value of its best.
    last_best: i16,
}

const _: () = assert!(CUPS_A_SIDE <= u8::BITS as usize);

impl Default for Thinker {
    fn default() -> Self {
        Self::new()
    }
}

impl Thinker {
    /// One that thinks of nothing.
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
            solved: false,
            slack: 0,
            candidates: 0,
            last_best: 0,
        }
    }

    /// Begins to think about `position`, whatever it thought before; about nothing if the game
    /// is over there. `seed` decides where a level errs, and among the moves of `variety`.
    /// The same `scratch` is to be handed to [`Self::think`].
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
        self.solved = false;
        self.choices.clear();
        if !rules.is_over(position) {
            let mut order = Order::of(rules, position, None);
            while let Some(nth) = order.next() {
                let cup = Cup::nth(position.turn, nth.into());
                // There is room for each cup of a side.
                let _ = cup.map(|cup| self.choices.push(Choice { cup, value: 0 }));
            }
        }
        let in_cups = judge::in_cups(position, position.total().min(u8::MAX.into()) as u8);
        self.most = judge::most(rules, in_cups);
        let to_the_end = rules.path == Path::OwnStore && in_cups <= EXACT_STONES;
        self.depth = if to_the_end && !self.skill.errs() { TO_THE_END } else { 0 };
        let few = in_cups <= EXACT_STONES && variety != Variety::None;
        self.variety = if few { Variety::Equals } else { variety };
        let varies = variety != Variety::None && !self.skill.errs();
        // At first only what is as good as the best is a candidate; each depth says anew how much worse one may be.
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

    /// One slice more, of at most [`NODES_A_SLICE`] nodes; `None` if there is nothing to think
    /// about. The [`MOST_SLICES`]th decides at the latest, and it stays decided.
    pub fn think(&mut self, scratch: &mut Scratch) -> Option<Thought> {
        if let Stage::Decided(cup) = self.stage {
            return Some(Thought::Decided(cup));
        }
        let limit = self.search.nodes().saturating_add(NODES_A_SLICE);
        self.slices = self.slices.saturating_add(1);
        let mut considered = self.choices.get(self.index)?.cup;
        while matches!(self.stage, Stage::Next | Stage::InHand) && self.search.nodes() < limit {
            considered = self.choices.get(self.index)?.cup;
            let verdict = match self.stage {
                Stage::InHand => self.search.run(scratch, limit),
                _ => {
                    let window = self.window();
                    self.search.sow(scratch, &self.position, considered, self.depth, window)
                }
            };
            self.stage = Stage::InHand;
            if let Some(verdict) = verdict {
                self.take(verdict);
                if self.skill.errs() {
                    break;
                }
            }
        }
        if self.slices >= MOST_SLICES && matches!(self.stage, Stage::Next | Stage::InHand) {
            self.decide();
        }
        match self.stage {
            Stage::Idle => None,
            Stage::Next | Stage::InHand => Some(Thought::Considering(considered)),
            Stage::Decided(cup) => Some(Thought::Decided(cup)),
        }
    }

    /// Nodes visited since [`Self::begin`].
    pub const fn nodes(&self) -> u32 {
        self.search.nodes()
    }

    /// The cups to choose from, the best of the depth before first, each with what it was found to
    /// be worth at last, in sixteenths of a stone; `None` if that is not known yet. A value that is
    /// worse than the best may only be a bound. For tools that look on: the board does not use it.
    pub fn considered(&self) -> impl Iterator<Item = (Cup, Option<i16>)> {
        // A search to the end of the game begins at its depth, and has one before once it is solved.
        let has_one_before = self.depth > 0 && (self.depth < TO_THE_END || self.solved);
        let known = if has_one_before { self.choices.len() } else { self.index };
        let value = move |at: usize, value: i16| (at < known).then_some(value);
        self.choices
            .iter()
            .enumerate()
            .map(move |(at, choice)| (choice.cup, value(at, choice.value)))
    }

    /// The cup in hand; `None` if it thinks of nothing, or has decided.
    pub fn in_hand(&self) -> Option<Cup> {
        let thinks = matches!(self.stage, Stage::Next | Stage::InHand);
        self.choices.get(self.index).filter(|_| thinks).map(|choice| choice.cup)
    }

    /// The move to play, once it has decided.
    pub const fn decided(&self) -> Option<Cup> {
        match self.stage {
            Stage::Decided(cup) => Some(cup),
            _ => None,
        }
    }

    /// Turns that it looks ahead at present: 0 is the sowing alone; `None` is to the end of the game.
    pub const fn turns(&self) -> Option<u8> {
        if self.depth < TO_THE_END { Some(self.depth) } else { None }
    }

    /// Between which values it matters what the cup in hand is worth.
    fn window(&self) -> Window {
        if self.scouting {
            // Within the slack below the best, its exact value is wanted too.
            Window { alpha: self.best_value - self.slack, beta: self.best_value + 1 }
        } else {
            // Where the value of every cup is needed, nothing is sure before the first one is known.
            let alpha = if self.needs_all() { -INFINITE } else { self.best_value };
            Window { alpha, beta: INFINITE }
        }
    }

    /// Whether the value of every cup is needed: to err, or to put them in order.
    fn needs_all(&self) -> bool {
        self.skill.errs() || self.depth == 0
    }

    /// Takes the verdict on the cup in hand.
    fn take(&mut self, Verdict { value, whole }: Verdict) {
        self.stage = Stage::Next;
        self.whole &= whole;
        if value > self.best_value {
            self.best = self.index;
            if self.scouting && value < self.most {
                // It is better; the next search of it says by how much.
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

    /// Decides, or looks one turn further, the best cup first. Once it has seen the end of the game it
    /// looks once more, for the value of each move that keeps the lead.
    fn end_depth(&mut self) {
        let first_to_the_end = self.whole && !self.solved;
        self.solved = self.whole;
        let slack = if self.slack > 0 { self.margin(self.best_value) + 1 } else { 0 };
        let again = first_to_the_end && slack > self.slack;
        if (self.whole || self.depth >= self.skill.turns) && !again {
            self.decide();
            return;
        }
        self.candidates = self.near().fold(0, |bits, choice| bits | 1 << choice.cup.nth_of_owner());
        self.last_best = self.best_value;
        self.slack = slack;
        if self.depth == 0 || self.slack > 0 {
            // Insertion: of equals, the first stays first.
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
        if !again {
            self.depth += 1;
        }
        self.begin_depth();
    }

    /// The choices that this depth has found to be candidates so far.
    fn near(&self) -> impl Iterator<Item = &Choice> {
        let known = self.choices.get(..self.index).unwrap_or_default();
        let least = self.best_value - self.slack;
        known.iter().filter(move |choice| choice.value > least)
    }

    /// The candidates of the depth before that this one has not come to.
    fn not_reached(&self) -> impl Iterator<Item = &Choice> {
        let rest = self.choices.get(self.index..).unwrap_or_default();
        rest.iter().filter(|choice| self.candidates >> choice.cup.nth_of_owner() & 1 == 1)
    }

    /// Settles for the best cup, or one that is as good, or what it takes for the best.
    fn decide(&mut self) {
        let chosen = if self.skill.errs() {
            self.seemingly_best()
        } else {
            self.one_of_the_candidates().or(self.choices.get(self.best).map(|choice| choice.cup))
        };
        self.stage = chosen.map_or(Stage::Idle, Stage::Decided);
    }

    /// The best cup as a level sees it that errs.
    fn seemingly_best(&mut self) -> Option<Cup> {
        let spread = 2 * u64::from(self.skill.error) + 1;
        // Up to twice the error too high is, among cups, up to the error off either way.
        let mut seen = |value: i16| value + (self.chance.number() % spread) as i16;
        let cups = self.choices.iter().map(|choice| (seen(choice.value), choice.cup));
        cups.max_by_key(|seen| seen.0).map(|(_, cup)| cup)
    }

    /// How much worse than a move of the value `best` another one may be.
    fn margin(&self, best: i16) -> i16 {
        if matches!(self.variety, Variety::None | Variety::Equals) {
            return 0;
        }
        let lead = judge::lead(&self.position, self.position.turn) * judge::STONE + best;
        if self.solved && self.whole {
            (lead - PROVEN_LEAD).max(0)
        } else if self.variety == Variety::Opening && lead >= -OPENING_LAG {
            OPENING_MARGIN
        } else {
            0
        }
    }

    /// Any of the candidates. `None` if only the best counts.
    fn one_of_the_candidates(&mut self) -> Option<Cup> {
        // Found to be better than all before it, and it was not found out by how much.
        let alone = self.best == self.index && self.index > 0;
        if self.slack == 0 || alone {
            return None;
        }
        let best = if self.index == 0 { self.last_best } else { self.best_value };
        let margin = self.margin(best).min(self.slack - 1);
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
