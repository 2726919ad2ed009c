use crate::naive::{Game, System};
use firmware_core::opponent::{Level, Thinker, Thought};
use firmware_core::rules::*;

pub struct Dice(pub u64);
impl Dice {
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
    pub fn below(&mut self, bound: usize) -> usize {
        (self.number() % bound as u64) as usize
    }
}

#[derive(Clone, Copy, Debug)]
pub enum Who {
    Random,
    Level(Level),
}

#[derive(Default, Debug)]
pub struct Score {
    pub wins: u32,
    pub draws: u32,
    pub losses: u32,
    pub abandoned: u32,
    pub moves: u64,
    pub nodes: u64,
    pub slices: u64,
    pub depth: u64,
}

pub fn legal(rules: &Ruleset, p: &Position) -> Vec<Cup> {
    if rules.is_over(p) { vec![] } else { Cup::of(p.turn).filter(|c| p.in_cup(*c) > 0).collect() }
}

/// Game from opening; `first` plays side `side`.
pub fn game(
    rules: &Ruleset,
    start: Position,
    players: [Who; 2],
    thinker: &mut Thinker,
    dice: &mut Dice,
    score: &mut Score,
    me: usize,
) {
    let mut p = start;
    let total = p.total() as u8;
    let mut quiet = 0;
    let mut seen = std::collections::HashMap::new();
    loop {
        if rules.is_over(&p) {
            break;
        }
        if p.in_store(Player::Bottom) > total / 2 || p.in_store(Player::Top) > total / 2 {
            break;
        }
        let n = seen.entry(p).or_insert(0);
        *n += 1;
        if quiet >= 50 || *n >= 3 {
            score.abandoned += 1;
            break;
        }
        let cups = legal(rules, &p);
        let cup = match players[p.turn.index()] {
            Who::Random => cups[dice.below(cups.len())],
            Who::Level(level) => {
                thinker.begin(rules, &p, level, dice.number());
                let cup = loop {
                    if p.turn.index() == me {
                        score.slices += 1;
                    }
                    match thinker.think() {
                        Some(Thought::Decided(c)) => break c,
                        Some(_) => {}
                        None => panic!(),
                    }
                };
                if p.turn.index() == me {
                    score.moves += 1;
                    score.nodes += thinker.nodes() as u64;
                }
                cup
            }
        };
        let (next, outcome) = rules.play(&p, cup).expect("legal");
        quiet = if outcome.capture.is_some()
            || (rules.path == Path::OwnStore
                && next.stones[6] + next.stones[13] > p.stones[6] + p.stones[13])
        {
            0
        } else {
            quiet + 1
        };
        p = next;
    }
    let d =
        p.stones[Player::BOTH[me].store()] as i32 - p.stones[Player::BOTH[1 - me].store()] as i32;
    if d > 0 {
        score.wins += 1
    } else if d == 0 {
        score.draws += 1
    } else {
        score.losses += 1
    }
}

pub fn opening(rules: &Ruleset, dice: &mut Dice) -> Position {
    loop {
        let mut p = rules.start(Player::BOTH[dice.below(2)]);
        let plies = 2 + dice.below(5);
        let mut ok = true;
        for _ in 0..plies {
            let cups = legal(rules, &p);
            if cups.is_empty() {
                ok = false;
                break;
            }
            p = rules.sow(&p, cups[dice.below(cups.len())]).0;
        }
        if ok && !rules.is_over(&p) {
            return p;
        }
    }
}

pub fn play_match(rules: &Ruleset, a: Who, b: Who, games: u32, seed: u64) -> Score {
    let mut score = Score::default();
    let mut thinker = Thinker::new();
    for n in 0..games / 2 {
        let mut dice = Dice(seed + n as u64);
        let p = opening(rules, &mut dice);
        game(rules, p, [a, b], &mut thinker, &mut dice, &mut score, 0);
        game(rules, p, [b, a], &mut thinker, &mut dice, &mut score, 1);
    }
    score
}
