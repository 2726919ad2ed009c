//! With few stones in the cups, the Advanced level plays an optimal move.

use std::collections::HashSet;

use firmware_core::opponent::{EXACT_STONES, Level, MAX_SLICES, NODES_A_SLICE, Variety};
use firmware_core::rules::{
    Cup, Direction, GameResult, Player, Position, Ruleset, board, family, top_bottom,
};

use super::naive::{Game, System};
use super::part::Part;
use super::solver::Solver;
use super::{Dice, Mind, Thinker, decision, legal};

/// Systems that sow into the stores.
const SYSTEMS: [(System, &Ruleset); 3] = [
    (System::Board, &board::RULES),
    (System::Family, &family::RULES),
    (System::TopBottom, &top_bottom::RULES),
];

const _: () = assert!(EXACT_STONES == 10);

/// Returns the board of `game` as the firmware's position.
fn position_of(game: &Game) -> Position {
    let stones = game.stones.map(|stones| u8::try_from(stones).expect("a small board"));
    Position {
        direction: Direction::CounterClockwise,
        ..Position::of(stones, Player::BOTH[game.turn])
    }
}

/// Checks that the move in `game` is optimal. Returns the number of search nodes.
#[track_caller]
fn check(
    solver: &mut Solver,
    thinker: &mut Thinker,
    rules: &Ruleset,
    game: &Game,
    (seed, variety): (u64, Variety),
) -> u32 {
    let position = position_of(game);
    let cup = decision(thinker, rules, &position, Mind::new(Level::Advanced, seed, variety));
    let (found, best) = (solver.value_of(game, cup.place()), solver.value(game));
    assert_eq!(found, best, "{cup:?} gains that, but one can gain more in {game:?}; {variety:?}");
    thinker.nodes()
}

/// Returns the seed and variety for a position, by its number.
fn variety(number: usize) -> (u64, Variety) {
    let all = [Variety::None, Variety::Equals, Variety::Opening];
    (number as u64, all[number % all.len()])
}

/// Checks each position of this run's part with up to `stones` stones, with either player to move,
/// and with one variety or with all of them in turn.
fn check_all(stones: usize, only: Option<Variety>) {
    for (system, rules) in SYSTEMS {
        let mut solver = Solver::new(system, stones);
        let mut thinker = Thinker::new();
        let (mut most, mut total, mut count) = (0, 0, 0);
        for number in Part::of_this_run().pick(0..solver.positions()) {
            for turn in [0, 1] {
                let game = solver.position(number, turn);
                if !game.is_over() {
                    let turned = variety(number);
                    let chance = only.map_or(turned, |variety| (turned.0, variety));
                    let nodes = check(&mut solver, &mut thinker, rules, &game, chance);
                    most = most.max(nodes);
                    total += u64::from(nodes);
                    count += 1;
                }
            }
        }
        println!(
            "{system:?}, {only:?}: {count} positions of up to {stones} stones, {} nodes each, at most {most}",
            total / count
        );
        assert!(most < MAX_SLICES * NODES_A_SLICE / 8, "a wide margin below the limit");
    }
}

#[test]
fn every_position_of_up_to_seven_stones_is_played_perfectly() {
    check_all(7, None);
}

/// Every position of three stones: some seed chooses each of the best moves.
#[test]
fn every_optimal_move_of_an_ending_is_chosen_by_some_seed() {
    for (system, rules) in SYSTEMS {
        let mut solver = Solver::new(system, 3);
        let mut thinker = Thinker::new();
        let mut ended = 0;
        for number in 0..solver.positions() {
            let game = solver.position(number, number % 2);
            if game.is_over() {
                continue;
            }
            let best = solver.value(&game);
            let position = position_of(&game);
            let optimal: HashSet<_> = legal(rules, &position)
                .into_iter()
                .filter(|cup| solver.value_of(&game, cup.place()) == best)
                .collect();
            let mut decided = HashSet::new();
            for seed in 0..60 {
                let mind = Mind::new(Level::Advanced, seed, Variety::Equals);
                decided.insert(decision(&mut thinker, rules, &position, mind));
                if decided == optimal {
                    break;
                }
            }
            // Of these, one that wins the game at once is always taken.
            let wins = |cup: &&Cup| {
                let result = rules.sow(&position, **cup).1.result;
                result == Some(GameResult::Winner(position.turn))
            };
            let ends: HashSet<_> = optimal.iter().filter(wins).copied().collect();
            if ends.is_empty() {
                assert_eq!(decided, optimal, "{system:?}: {game:?}");
            } else {
                assert!(decided.is_subset(&ends), "{system:?}: {game:?}");
                ended += 1;
            }
        }
        assert!(ended > 20, "{system:?}: {ended}");
    }
}

/// Two and a half million endings; takes half a minute with `--release`.
#[test]
#[ignore = "goes through all positions; see main.rs for the command"]
fn every_position_of_up_to_ten_stones_is_played_perfectly() {
    check_all(EXACT_STONES.into(), Some(Variety::Equals));
}

#[test]
fn positions_of_8_to_10_stones_are_played_perfectly() {
    const POSITIONS: usize = 6_000;
    for (system, rules) in SYSTEMS {
        let mut solver = Solver::new(system, EXACT_STONES.into());
        let mut thinker = Thinker::new();
        let mut dice = Dice(10);
        let mut checked = 0;
        while checked < POSITIONS {
            let mut game = solver.position(dice.below(solver.positions()), dice.below(2));
            let in_cups = game.stones.iter().sum::<u32>();
            if in_cups < 8 || game.is_over() {
                continue;
            }
            let stored = dice.below(51) as u32;
            game.stones[6] = dice.below(stored as usize + 1) as u32;
            game.stones[13] = stored - game.stones[6];
            check(&mut solver, &mut thinker, rules, &game, variety(checked));
            checked += 1;
        }
    }
}
