//! The computer that plays, and who plays at all.

mod judge;
mod order;
mod search;
mod table;

use crate::random::Random;
use crate::rules::{CUPS_A_SIDE, Cup, Path, Player, Position, Ruleset};
use judge::{INFINITE, STONE};
use search::{Search, TO_THE_END, Verdict};

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

/// Nodes that one slice of thinking may visit; a node is a sowing.
pub const NODES_A_SLICE: u32 = 800;
/// Most slices that an answer takes.
pub const MOST_SLICES: u32 = 48;
/// With so many stones in the cups or fewer, the Advanced level plays the best move there is,
/// in the systems that sow into the stores.
pub const EXACT_STONES: u8 = 10;

/// What a level can do.
#[derive(Clone, Copy, Debug)]
struct Skill {
    /// Sowings that it looks ahead.
    depth: u8,
    /// Largest mistake in judging a cup, in 1/16 stones; 0 for none.
    mistake: i16,
}

impl Level {
    const fn skill(self) -> Skill {
        match self {
            Self::Novice => Skill { depth: 2, mistake: 4 * STONE },
            Self::Intermediate => Skill { depth: 4, mistake: STONE },
            Self::Advanced => Skill { depth: 60, mistake: 0 },
        }
    }
}

/// How far the thinking is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Thought {
    /// It goes on; this is the cup in hand.
    Considering(Cup),
    /// The move to play.
    Decided(Cup),
}

/// A cup that may be sown, and what that was found to be worth.
#[derive(Clone, Copy, Debug)]
struct Choice {
    nth: u8,
    value: i16,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Idle,
    /// The cup's search has to be begun, with this window.
    Next,
    /// The cup's search is under way.
    InHand,
    Decided(Cup),
}

/// The computer's thoughts about one position.
pub struct Thinker {
    search: Search,
    stage: Stage,
    position: Position,
    skill: Skill,
    choices: [Choice; CUPS_A_SIDE],
    count: usize,
    index: usize,
    depth: u8,
    best: i16,
    most: i16,
    scout: bool,
    whole: bool,
    chance: Random,
}

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
            choices: [Choice { nth: 0, value: 0 }; CUPS_A_SIDE],
            count: 0,
            index: 0,
            depth: 0,
            best: 0,
            most: 0,
            scout: false,
            whole: false,
            chance: Random::new(0),
        }
    }

    /// Begins to think about `position`, in which the game is not over. `seed` decides among
    /// moves that are equally good.
    pub fn begin(&mut self, rules: &Ruleset, position: &Position, level: Level, seed: u64) {
        self.search.begin(rules, position);
        self.position = *position;
        self.skill = level.skill();
        self.chance = Random::new(seed);
        self.count = 0;
        self.index = 0;
        self.depth = 0;
        self.best = -INFINITE;
        self.scout = false;
        self.whole = true;
        self.stage = Stage::Idle;
        if rules.is_over(position) {
            return;
        }
        let in_cups = judge::in_cups(position, position.total() as u8);
        self.most = judge::most(rules, in_cups);
        let exact =
            level == Level::Advanced && in_cups <= EXACT_STONES && rules.path == Path::OwnStore;
        if exact {
            self.depth = TO_THE_END;
        }
        let mut order = order::Order::of(rules, position, None);
        while let Some(nth) = order.next() {
            self.choices[self.count] = Choice { nth, value: 0 };
            self.count += 1;
        }
        if !exact && self.count > 0 {
            let turn = self.chance.number() % self.count as u64;
            self.choices[..self.count].rotate_left(turn as usize);
        }
        self.stage = Stage::Next;
        if self.count <= 1 {
            self.decide();
        }
    }

    /// Nodes visited since the beginning.
    pub fn nodes(&self) -> u32 {
        self.search.nodes()
    }

    /// Depth in hand.
    pub fn depth(&self) -> u8 {
        self.depth
    }

    /// One slice more; `None` if there is nothing to think about.
    pub fn think(&mut self) -> Option<Thought> {
        let limit = self.search.nodes() + NODES_A_SLICE;
        loop {
            match self.stage {
                Stage::Idle => return None,
                Stage::Decided(cup) => return Some(Thought::Decided(cup)),
                Stage::Next if self.search.nodes() >= limit => return Some(self.considering()),
                Stage::Next => {
                    let Some(cup) = self.cup(self.index) else { return None };
                    let window = self.window();
                    self.stage = Stage::InHand;
                    if let Some(verdict) = self.search.sow(&self.position, cup, self.depth, window)
                    {
                        self.take(verdict);
                    }
                }
                Stage::InHand => {
                    let verdict = self.search.run(limit);
                    let thought = self.considering();
                    let Some(verdict) = verdict else {
                        if self.search.nodes() >= NODES_A_SLICE * MOST_SLICES {
                            self.decide();
                            continue;
                        }
                        return Some(thought);
                    };
                    self.take(verdict);
                    if self.skill.mistake > 0 {
                        return Some(thought);
                    }
                }
            }
        }
    }

    fn considering(&self) -> Thought {
        Thought::Considering(self.cup(self.index).unwrap_or(Cup::nth(Player::Bottom, 0).unwrap()))
    }

    fn cup(&self, index: usize) -> Option<Cup> {
        Cup::nth(self.position.turn, self.choices[index].nth.into())
    }

    fn window(&self) -> (i16, i16) {
        if self.skill.mistake > 0 || self.depth == 0 {
            (-self.most - 1, self.most + 1)
        } else if self.scout {
            (self.best, self.best + 1)
        } else {
            (self.best.max(-self.most - 1), self.most + 1)
        }
    }

    fn take(&mut self, Verdict { value, whole }: Verdict) {
        self.stage = Stage::Next;
        if self.scout && value > self.best && value < self.most {
            self.scout = false;
            return;
        }
        self.whole &= whole;
        self.choices[self.index].value = value;
        if value > self.best {
            self.best = value;
            if self.skill.mistake == 0 && self.depth > 0 {
                self.choices[..=self.index].rotate_right(1);
            }
        }
        self.index += 1;
        self.scout = self.skill.mistake == 0 && self.depth > 0;
        if self.index == self.count || (self.skill.mistake == 0 && self.best >= self.most) {
            self.next_depth();
        }
    }

    fn next_depth(&mut self) {
        if self.depth == 0 {
            let choices = &mut self.choices[..self.count];
            // insertion sort, stable
            for at in 1..choices.len() {
                let mut place = at;
                while place > 0 && choices[place - 1].value < choices[place].value {
                    choices.swap(place - 1, place);
                    place -= 1;
                }
            }
        }
        self.index = 0;
        if self.whole || self.depth + 1 >= self.skill.depth {
            self.decide();
            return;
        }
        self.whole = true;
        self.scout = false;
        self.best = -INFINITE;
        self.depth += 1;
    }

    fn decide(&mut self) {
        let mut best = 0;
        if self.skill.mistake > 0 {
            let mut best_value = i16::MIN;
            for index in 0..self.count {
                let off = (self.chance.number() % (2 * self.skill.mistake as u64 + 1)) as i16;
                let value = self.choices[index].value + off;
                if value > best_value {
                    best_value = value;
                    best = index;
                }
            }
        }
        self.stage = match self.cup(best) {
            Some(cup) => Stage::Decided(cup),
            None => Stage::Idle,
        };
    }
}
