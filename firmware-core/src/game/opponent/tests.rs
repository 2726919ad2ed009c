//! Values that observing tools get while the computer thinks, and the number of nodes of a search.

extern crate std;
use std::boxed::Box;
use std::vec::Vec;

use super::*;
use crate::game::rules::{PLACES, board, family, top_bottom, wari};

fn known(thinker: &Thinker) -> usize {
    thinker.considered().filter(|(_, value)| value.is_some()).count()
}

#[test]
fn an_observer_sees_the_values_cup_by_cup() {
    let mut scratch = Box::new(Scratch::new());
    let mut thinker = Thinker::new();
    assert_eq!((thinker.current_cup(), thinker.decided()), (None, None));
    let start = board::RULES.start(Player::Bottom);
    thinker.begin(&mut scratch, &board::RULES, &start, Level::Novice, 1, Variety::None);
    assert_eq!((known(&thinker), thinker.turns(), thinker.nodes()), (0, Some(0), 0));
    assert!(thinker.current_cup().is_some());
    let mut decided = None;
    for slice in 1..=50 {
        match thinker.think(&mut scratch) {
            Some(Thought::Decided(cup)) => {
                decided = Some(cup);
                break;
            }
            thought => assert!(matches!(thought, Some(Thought::Considering(_)))),
        }
        // First each cup by itself, then each with its free turns.
        let looked_at = if slice < 6 { (slice, Some(0)) } else { (6, Some(1)) };
        assert_eq!((known(&thinker), thinker.turns()), looked_at, "slice {slice}");
        assert!(thinker.nodes() >= slice as u32);
        assert_eq!(thinker.decided(), None);
        let in_hand = thinker.current_cup().expect("a cup");
        assert!(thinker.considered().any(|(cup, _)| cup == in_hand));
    }
    assert!(decided.is_some());
    assert_eq!((thinker.decided(), thinker.current_cup()), (decided, None));
}

#[test]
fn an_ending_is_searched_to_its_end_from_the_first_cup() {
    let mut scratch = Box::new(Scratch::new());
    let mut thinker = Thinker::new();
    let ending = Position::of([1, 2, 1, 1, 0, 0, 20, 1, 1, 1, 1, 1, 0, 18], Player::Bottom);
    thinker.begin(&mut scratch, &board::RULES, &ending, Level::Advanced, 1, Variety::None);
    assert_eq!((known(&thinker), thinker.turns()), (0, None));
    while thinker.think(&mut scratch).is_some_and(|thought| !matches!(thought, Thought::Decided(_)))
    {
        assert_eq!(thinker.turns(), None);
    }
    assert!(thinker.decided().is_some());
}

/// The search tries cup 4 first, a free turn, which gives the capture away. Cup 3 takes all that
/// the opponent has: no value can be higher, so it is not searched again for the exact value.
#[test]
fn a_move_that_brings_everything_is_searched_once() {
    let mut scratch = Box::new(Scratch::new());
    let mut thinker = Thinker::new();
    let ending = Position::of([0, 0, 2, 3, 0, 0, 10, 0, 5, 0, 0, 0, 0, 28], Player::Bottom);
    thinker.begin(&mut scratch, &board::RULES, &ending, Level::Advanced, 1, Variety::None);
    let thought = thinker.think(&mut scratch);
    assert_eq!(thought, Cup::nth(Player::Bottom, 2).map(Thought::Decided));
    assert_eq!(thinker.nodes(), 320);
}

/// Returns the cups that a thinker may choose when its time is up. `values` are those of the cups 1
/// to 6: of this depth up to `index`, of the previous depth from there on. `best` is the index of
/// the best one, or of one that was found to be better than all.
fn candidates(
    values: [i16; CUPS_A_SIDE],
    (index, best): (usize, usize),
    (best_value, last_best): (i16, i16),
    slack: i16,
) -> Vec<usize> {
    let mut scratch = Box::new(Scratch::new());
    let mut thinker = Thinker::new();
    let start = board::RULES.start(Player::Bottom);
    thinker.begin(&mut scratch, &board::RULES, &start, Level::Advanced, 1, Variety::Opening);
    thinker.choices.clear();
    for (cup, value) in Cup::of(Player::Bottom).zip(values) {
        assert!(thinker.choices.push(Choice { cup, value }).is_ok());
    }
    (thinker.index, thinker.best, thinker.slack) = (index, best, slack);
    (thinker.best_value, thinker.last_best) = (best_value, last_best);
    // Cup 6 was no candidate at the previous depth.
    thinker.candidates = 0b01_1111;
    let mut chosen: Vec<usize> = (0..100)
        .filter_map(|seed| {
            thinker.chance = Random::new(seed);
            thinker.one_of_the_candidates().map(|cup| cup.nth_of_owner() + 1)
        })
        .collect();
    chosen.sort_unstable();
    chosen.dedup();
    chosen
}

#[test]
fn a_thinker_out_of_time_chooses_among_known_values() {
    const NONE: i16 = -INFINITE;
    // In the opening a move may be 16 worse. Until a depth has a value, those of the previous depth
    // count.
    assert_eq!(candidates([2, -14, -15, -30, 2, 2], (0, 0), (NONE, 2), 17), [1, 2, 5]);
    // The slack was smaller when these were found.
    assert_eq!(candidates([2, 1, 0, -14, -16, 2], (0, 0), (NONE, 2), 1), [1]);
    // A player who is far behind takes no worse move.
    assert_eq!(candidates([-200, -202, -214, -200, 0, 0], (0, 0), (NONE, -200), 17), [1, 4, 5]);
    // Three values are known at this depth, the others are not.
    assert_eq!(candidates([10, -6, -7, 2, -14, 2], (3, 0), (10, 2), 17), [1, 2, 4, 5]);
    // All values are known, and reach to the end of the game: nothing is given away.
    assert_eq!(candidates([10, 9, 10, -6, -14, 2], (6, 0), (10, 2), 17), [1, 3]);
    // The third was found to be better than both before it, but not yet by how much.
    assert_eq!(candidates([10, 10, 0, 0, 0, 0], (2, 2), (10, 0), 17), [0_usize; 0]);
    // Only the best counts.
    assert_eq!(candidates([10, 10, 0, 0, 0, 0], (2, 0), (10, 0), 0), [0_usize; 0]);
}

/// Returns some positions of random games, of both players.
fn positions(rules: &Ruleset) -> Vec<Position> {
    let mut random = Random::new(3);
    let mut positions = Vec::new();
    for moves in [3, 9, 18] {
        let mut position = rules.start(Player::Bottom);
        for _ in 0..moves {
            let cups: Vec<Cup> =
                Cup::of(position.turn).filter(|cup| position.in_cup(*cup) > 0).collect();
            let cup = cups[random.number() as usize % cups.len()];
            let (next, outcome) = rules.sow(&position, cup);
            if outcome.result.is_some() {
                break;
            }
            position = next;
        }
        positions.push(position);
        // The same with few stones in the cups, the others in the stores: the search reaches the
        // end.
        for most in [2, 1] {
            let mut few = position;
            for cup in Cup::all() {
                let more = few.in_cup(cup).saturating_sub(most);
                few.stones[cup.place()] -= more;
                few.stones[cup.owner().store()] += more;
            }
            if !rules.is_over(&few) {
                positions.push(few);
            }
        }
    }
    // A few stones in some of the cups: often one player gets all of them.
    for stones in 2..62 {
        let mut few = Position::of([0; PLACES], Player::BOTH[stones % 2]);
        for _ in 0..2 + stones % 4 {
            let cup = Cup::all().nth(random.number() as usize % Cup::COUNT).expect("a cup");
            few.stones[cup.place()] += 1;
        }
        few.stones[Player::Bottom.store()] = random.number() as u8 % 20;
        few.stones[Player::Top.store()] = random.number() as u8 % 20;
        if !rules.is_over(&few) {
            positions.push(few);
        }
    }
    positions
}

/// Returns the number of nodes for all positions, and a checksum over the moves and the value of
/// each cup.
fn nodes_and_moves(rules: &Ruleset, level: Level, variety: Variety) -> (u32, u32) {
    let mut scratch = Box::new(Scratch::new());
    let (mut thinker, mut nodes, mut sum) = (Thinker::new(), 0, 0_u32);
    let mut add = |number: u32| sum = sum.wrapping_mul(31).wrapping_add(number);
    for (seed, position) in (0..).zip(positions(rules)) {
        thinker.begin(&mut scratch, rules, &position, level, seed, variety);
        // The longest thoughts are cut off before their end: their nodes until then count.
        for _ in 0..16 {
            thinker.think(&mut scratch);
        }
        nodes += thinker.nodes();
        add(thinker.decided().map_or(99, |cup| cup.place() as u32));
        for (cup, value) in thinker.considered() {
            add(cup.place() as u32);
            add(value.map_or(9_999, |value| value as u32));
        }
    }
    (nodes, sum)
}

/// The number of nodes per move decides how well the computer plays in its time. A better search
/// may change these numbers; nothing else should.
#[test]
fn the_search_visits_the_expected_number_of_nodes() {
    let bidirectional = Ruleset { bidirectional: true, ..wari::RULES };
    let systems = [board::RULES, family::RULES, top_bottom::RULES, wari::RULES, bidirectional];
    let found = systems.map(|rules| {
        [
            nodes_and_moves(&rules, Level::Intermediate, Variety::None),
            nodes_and_moves(&rules, Level::Proficient, Variety::None),
            nodes_and_moves(&rules, Level::Advanced, Variety::None),
            nodes_and_moves(&rules, Level::Advanced, Variety::Equals),
            nodes_and_moves(&rules, Level::Advanced, Variety::Opening),
        ]
    });
    assert_eq!(found, EXPECTED);
}

/// By system, then by kind of search, in the order above.
const EXPECTED: [[(u32, u32); 5]; 5] = [
    [
        (1_203, 586_238_596),
        (1_766, 772_856_016),
        (96_782, 1_987_255_818),
        (97_410, 1_938_371_480),
        (97_410, 2_291_030_834),
    ],
    [
        (1_134, 1_433_166_215),
        (1_664, 2_291_171_861),
        (55_113, 1_383_682_308),
        (61_211, 4_077_619_455),
        (63_031, 243_520_887),
    ],
    [
        (1_033, 2_820_327_568),
        (1_561, 1_249_497_190),
        (56_137, 114_063_987),
        (57_964, 2_313_569),
        (59_698, 1_456_914_801),
    ],
    [
        (541, 435_238_055),
        (1_019, 1_165_478_423),
        (351_304, 2_003_441_559),
        (351_519, 1_170_487_050),
        (351_519, 585_569_194),
    ],
    [
        (536, 423_107_944),
        (1_027, 3_332_829_683),
        (355_757, 2_641_276_940),
        (366_912, 3_578_145_938),
        (366_912, 1_993_869_300),
    ],
];
