//! The computer opponent: its moves, its strength, and its search.
//!
//! | file | subject |
//! |---|---|
//! | `deep` | a search to a fixed depth, as an opponent and for the openings |
//! | `ends` | a decided game ends soon |
//! | `exact` | the Advanced level's endgames against an exhaustive solution |
//! | `openings` | the table of the best first moves |
//! | `solver` | that solution, on the naive rules |
//! | `strength` | the levels against each other, and against random play |
//! | `thoughts` | slices, seeds, any board |
//! | `variety` | the same line of play gets different answers |
//!
//! The long tests:
//! `cargo test --release -p firmware-core --test opponent -- --ignored --nocapture`

#[path = "../naive/mod.rs"]
#[expect(dead_code, reason = "perft is for the rules' own test")]
mod naive;
#[path = "../../../tests/src/part.rs"]
#[expect(dead_code, reason = "its other readers need more of it")]
mod part;

mod deep;
mod ends;
mod exact;
mod openings;
mod solver;
mod strength;
mod thoughts;
mod variety;

use firmware_core::opponent::{self, Level, MAX_SLICES, NODES_A_SLICE, Scratch, Thought, Variety};
use firmware_core::rules::{Cup, Position, Ruleset, board, family, top_bottom, wari};

const BIDIRECTIONAL: Ruleset = Ruleset { bidirectional: true, ..wari::RULES };

/// Every way to play, with its name.
const SYSTEMS: [(&str, &Ruleset); 9] = [
    ("board", &board::RULES),
    ("family", &family::RULES),
    ("top-bottom", &top_bottom::RULES),
    ("wari", &wari::RULES),
    ("wari bidirectional", &BIDIRECTIONAL),
    ("wari of 3", &Ruleset { stones_a_cup: 3, ..wari::RULES }),
    ("wari of 5", &Ruleset { stones_a_cup: 5, ..wari::RULES }),
    ("wari of 3 bidirectional", &Ruleset { stones_a_cup: 3, ..BIDIRECTIONAL }),
    ("wari of 5 bidirectional", &Ruleset { stones_a_cup: 5, ..BIDIRECTIONAL }),
];

/// Seeded random numbers (SplitMix64).
struct Dice(u64);

impl Dice {
    fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.number() % bound as u64) as usize
    }

    fn one_of(&mut self, cups: &[Cup]) -> Cup {
        cups[self.below(cups.len())]
    }
}

/// Parameters of the computer's thinking about a position.
#[derive(Clone, Copy, Debug)]
struct Mind {
    level: Level,
    seed: u64,
    variety: Variety,
}

impl Mind {
    const fn new(level: Level, seed: u64, variety: Variety) -> Self {
        Self { level, seed, variety }
    }
}

/// The computer and its memory.
struct Thinker {
    thinker: opponent::Thinker,
    scratch: Box<Scratch>,
}

impl Thinker {
    fn new() -> Self {
        Self { thinker: opponent::Thinker::new(), scratch: Box::new(Scratch::new()) }
    }

    fn begin(&mut self, rules: &Ruleset, position: &Position, mind: Mind) {
        let Mind { level, seed, variety } = mind;
        self.thinker.begin(&mut self.scratch, rules, position, level, seed, variety);
    }

    fn think(&mut self) -> Option<Thought> {
        self.thinker.think(&mut self.scratch)
    }

    const fn nodes(&self) -> u32 {
        self.thinker.nodes()
    }
}

/// Returns the cups that may be sown.
fn legal(rules: &Ruleset, position: &Position) -> Vec<Cup> {
    if rules.is_over(position) {
        return Vec::new();
    }
    Cup::of(position.turn).filter(|cup| position.in_cup(*cup) > 0).collect()
}

/// Returns the thoughts of `thinker` about `position`, slice by slice; the last one is its
/// decision. Checks the bounds of every thought.
#[track_caller]
fn thoughts(
    thinker: &mut Thinker,
    rules: &Ruleset,
    position: &Position,
    mind: Mind,
) -> Vec<Thought> {
    let at = format!("{mind:?} in {position:?}");
    let legal = legal(rules, position);
    let mut thoughts = Vec::new();
    thinker.begin(rules, position, mind);
    loop {
        let before = thinker.nodes();
        let thought = thinker.think().unwrap_or_else(|| panic!("no thought of {at}"));
        thoughts.push(thought);
        assert!(thinker.nodes() - before <= NODES_A_SLICE, "too many nodes of {at}");
        let (Thought::Considering(cup) | Thought::Decided(cup)) = thought;
        assert!(legal.contains(&cup), "{thought:?} is not legal for {at}");
        if let Thought::Decided(_) = thought {
            break;
        }
        assert!(thoughts.len() < MAX_SLICES as usize, "too many slices of {at}");
    }
    thoughts
}

/// Returns the move of `mind`.
#[track_caller]
fn decision(thinker: &mut Thinker, rules: &Ruleset, position: &Position, mind: Mind) -> Cup {
    let thoughts = thoughts(thinker, rules, position, mind);
    let Some(Thought::Decided(cup)) = thoughts.last() else { unreachable!("it decides") };
    *cup
}
