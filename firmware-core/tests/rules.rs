//! Compares the rules of all systems with an independent naive implementation: random games, move
//! by move, and all games to a depth.

mod naive;

use firmware_core::rules::{
    Cup, Direction, GameResult, MoveOutcome, PLACES, PlayError, Player, Position, Ruleset, board,
    family, perft, top_bottom, wari,
};
use naive::{Game, MoveRecord, System};

const BIDIRECTIONAL: Ruleset = Ruleset { bidirectional: true, ..wari::RULES };

/// Every way to play.
const SYSTEMS: [(System, &Ruleset); 5] = [
    (System::Board, &board::RULES),
    (System::Family, &family::RULES),
    (System::Wari, &wari::RULES),
    (System::WariBidirectional, &BIDIRECTIONAL),
    (System::TopBottom, &top_bottom::RULES),
];

/// Stones a cup that the Wari program offers; the other systems' rules must accept them as well.
const STONES: [u32; 3] = [3, 4, 5];

/// Number of random games per system; each begins at its usual start or with an edited board.
const GAMES: u64 = 4_000;

/// A game of Wari may have no end: it is abandoned after this many moves.
const LONGEST_GAME: usize = 400;

/// Seeded random numbers (SplitMix64).
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % bound as u64) as usize
    }
}

fn player(index: usize) -> Player {
    Player::BOTH[index]
}

/// Returns the firmware's position of a naive game.
fn position(game: &Game) -> Position {
    let stones = game.stones.map(|stones| u8::try_from(stones).expect("a small board"));
    let direction = if game.clockwise { Direction::Clockwise } else { Direction::CounterClockwise };
    Position { direction, ..Position::of(stones, player(game.turn)) }
}

/// Returns the start of the `nth` random game.
fn opening(system: System, nth: u64, dice: &mut Dice) -> Game {
    let stones_a_cup = STONES[dice.below(STONES.len())];
    let mut game = Game::new(system, stones_a_cup, dice.below(2));
    if nth % 2 == 1 {
        // Heaps of any size anywhere: long laps, empty sides, odd endings.
        let mut left = std::mem::replace(&mut game.stones, [0; PLACES]).iter().sum::<u32>();
        while left > 0 {
            let heap = 1 + dice.below(left.min(30) as usize) as u32;
            game.stones[dice.below(PLACES)] += heap;
            left -= heap;
        }
        game.clockwise = system == System::WariBidirectional && dice.below(2) == 1;
    }
    game
}

/// Rare events that must occur in the random games.
#[derive(Debug, Default)]
struct Seen {
    laps_of_13: u32,
    laps_of_14: u32,
    two_laps: u32,
    nothing_opposite: u32,
    lone_captures: u32,
    chains: u32,
    clockwise_chains: u32,
    ended_by_free_turn: u32,
    stones_left_over: u32,
    draws: u32,
}

impl Seen {
    fn note(&mut self, before: &Game, after: &Game, record: &MoveRecord) {
        let source_stones = record.path.len();
        let add = |count: &mut u32, seen: bool| *count += u32::from(seen);
        add(&mut self.laps_of_13, source_stones == 13);
        add(&mut self.laps_of_14, source_stones == 14);
        add(&mut self.two_laps, source_stones > 22);
        let last = record.path[source_stones - 1];
        let own_empty = Cup::at(last)
            .is_some_and(|cup| cup.owner().index() == before.turn && before.stones[last] == 0);
        let opposite = Cup::at(last).map_or(0, |cup| after.stones[cup.opposite().place()]);
        add(&mut self.nothing_opposite, own_empty && opposite == 0 && record.captured == 0);
        add(&mut self.lone_captures, record.captured == 1);
        add(&mut self.chains, record.captured_from.len() > 2);
        add(&mut self.clockwise_chains, before.clockwise && record.captured_from.len() > 2);
        add(&mut self.ended_by_free_turn, record.over.is_some() && record.free_turn);
        let left = Cup::all().any(|cup| after.stones[cup.place()] > 0);
        add(&mut self.stones_left_over, record.over.is_some() && left);
        add(&mut self.draws, record.over == Some(None));
    }
}

/// Plays the move of `game` at `place` with the firmware's rules and compares everything.
fn check(rules: &Ruleset, game: &Game, place: usize, after: &Game, record: &MoveRecord) {
    let at = format!("{:?} sows {place} in {game:?}", game.system);
    let before = position(game);
    let cup = Cup::at(place).expect("a cup");
    assert!(rules.sowing(&before, cup).eq(record.path.iter().copied()), "{at}: the path");
    let (next, outcome) = rules.play(&before, cup).unwrap_or_else(|error| panic!("{at}: {error}"));
    let MoveOutcome { mover, free_turn, capture, swept, result, .. } = outcome;
    assert_eq!(next.stones, position(after).stones, "{at}: the stones");
    assert_eq!(next.total(), before.total(), "{at}: stones are neither made nor lost");
    assert_eq!(next.direction, position(after).direction, "{at}: the direction");
    assert_eq!(mover.index(), game.turn, "{at}: the mover");
    assert_eq!(free_turn, record.free_turn, "{at}: the free turn");
    let stones = capture.map_or(0, |capture| u32::from(capture.stones));
    assert_eq!(stones, record.captured, "{at}: captured");
    let from = capture.map_or(Vec::new(), |capture| capture.cups.iter().collect());
    assert_eq!(from, record.captured_from, "{at}: captured from");
    assert_eq!(swept.map(u32::from), record.swept, "{at}: swept");
    let expected_result = record.over.map(|winner| match winner {
        Some(winner) => GameResult::Winner(player(winner)),
        None => GameResult::Draw,
    });
    assert_eq!(result, expected_result, "{at}: the result");
    if result.is_none() {
        assert_eq!(next.turn.index(), after.turn, "{at}: the turn");
    }
}

/// Checks that every cup that may not be sown is refused, with the right reason.
fn check_refusals(rules: &Ruleset, game: &Game) {
    let before = position(game);
    for cup in Cup::all().filter(|cup| !game.moves().contains(&cup.place())) {
        let reason = if game.is_over() {
            PlayError::GameOver
        } else if cup.owner() != before.turn {
            PlayError::NotYours
        } else {
            PlayError::Empty
        };
        assert_eq!(rules.play(&before, cup), Err(reason), "{cup:?} in {game:?}");
    }
}

fn random_games(system: System, rules: &Ruleset) -> Seen {
    let mut seen = Seen::default();
    for nth in 0..GAMES {
        let mut dice = Dice(nth);
        let mut game = opening(system, nth, &mut dice);
        for _ in 0..LONGEST_GAME {
            check_refusals(rules, &game);
            let moves = game.moves();
            assert_eq!(rules.is_over(&position(&game)), moves.is_empty(), "{game:?}");
            if moves.is_empty() {
                break;
            }
            let place = moves[dice.below(moves.len())];
            let before = game.clone();
            let record = game.play(place);
            check(rules, &before, place, &game, &record);
            seen.note(&before, &game, &record);
            if record.over.is_some() {
                break;
            }
        }
    }
    seen
}

#[test]
fn random_games_follow_the_naive_rules() {
    for (system, rules) in SYSTEMS {
        let seen = random_games(system, rules);
        println!("{system:?}: {seen:?}");
        let wari = matches!(system, System::Wari | System::WariBidirectional);
        for (name, count, expected) in [
            ("laps of 13", seen.laps_of_13, true),
            ("laps of 14", seen.laps_of_14, true),
            ("two laps", seen.two_laps, true),
            ("draws", seen.draws, true),
            ("nothing opposite, no capture", seen.nothing_opposite, system == System::Board),
            (
                "lone captures",
                seen.lone_captures,
                matches!(system, System::Family | System::TopBottom),
            ),
            ("chains", seen.chains, wari),
            ("clockwise chains", seen.clockwise_chains, system == System::WariBidirectional),
            ("ends by a free turn", seen.ended_by_free_turn, !wari),
            ("stones left over", seen.stones_left_over, wari || system == System::TopBottom),
        ] {
            if expected {
                assert!(count > 20, "{system:?}: only {count} {name} in {GAMES} games");
            }
        }
    }
}

/// Numbers of leaves from the usual start at depths 1 to 9. benches/perft.rs goes one deeper.
const LEAVES: [(System, [u64; 9]); 5] = [
    (System::Board, [6, 35, 185, 942, 4_690, 23_233, 114_430, 563_055, 2_763_490]),
    (System::Family, [6, 35, 185, 942, 4_685, 23_169, 113_959, 559_885, 2_743_126]),
    (System::Wari, [6, 36, 190, 1_014, 5_219, 27_332, 139_157, 711_414, 3_592_872]),
    (System::WariBidirectional, [6, 36, 190, 1_014, 5_219, 27_271, 139_415, 711_662, 3_597_417]),
    (System::TopBottom, [6, 35, 185, 942, 4_685, 23_169, 113_959, 559_885, 2_743_126]),
];

#[test]
fn perft_counts_from_the_usual_start() {
    for ((system, rules), (_, leaves)) in SYSTEMS.into_iter().zip(LEAVES) {
        for (depth, expected) in (1..).zip(leaves) {
            let counted = perft(rules, &rules.start(Player::Bottom), depth);
            assert_eq!(counted.leaves, expected, "{system:?} at depth {depth}");
        }
    }
}

#[test]
fn perft_counts_equal_those_of_the_naive_rules() {
    const DEPTH: u32 = 6;
    for (system, rules) in SYSTEMS {
        for stones_a_cup in STONES {
            for first in [0, 1] {
                let game = Game::new(system, stones_a_cup, first);
                for depth in 0..=DEPTH {
                    let counted = perft(rules, &position(&game), depth).leaves;
                    let record = naive::perft(&game, depth);
                    assert_eq!(counted, record, "{system:?}, {stones_a_cup} stones, depth {depth}");
                }
            }
        }
    }
}

#[test]
fn perft_counts_from_edited_boards_equal_those_of_the_naive_rules() {
    for (system, rules) in SYSTEMS {
        for nth in 0..200 {
            let mut dice = Dice(nth);
            let game = opening(system, 1, &mut dice);
            let counted = perft(rules, &position(&game), 4).leaves;
            assert_eq!(counted, naive::perft(&game, 4), "depth 4 of {game:?}");
        }
    }
}
