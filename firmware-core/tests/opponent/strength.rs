//! The levels' results in games from random openings; each opening is played from both sides.

use std::collections::HashMap;
use std::fmt;

use firmware_core::opponent::{Level, Variety};
use firmware_core::rules::{Player, Position, Ruleset};

use super::deep::Deep;
use super::part::Part;
use super::{Dice, Mind, SYSTEMS, Thinker, decision, legal};

/// Maximum number of sowings in a random opening.
const OPENING: usize = 6;
/// Number of moves without a capture after which a game is abandoned, as on the board.
const QUIET_MOVES: u32 = 50;
/// Number of occurrences of a position after which a game is abandoned, as on the board.
const REPETITIONS: u32 = 3;

#[derive(Clone, Copy)]
enum Side {
    Computer(Level),
    /// A plain search of this many turns.
    Plain(u8),
    Chance,
}

use Side::{Chance, Computer, Plain};

/// Results of the first of two players.
#[derive(Default)]
struct Score {
    wins: u32,
    draws: u32,
    losses: u32,
}

impl fmt::Display for Score {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { wins, draws, losses } = self;
        write!(out, "{wins} won, {draws} drawn, {losses} lost")
    }
}

/// Returns the position after a few random moves.
fn opening(rules: &Ruleset, dice: &mut Dice) -> Position {
    let mut position = rules.start(Player::BOTH[dice.below(2)]);
    for _ in 0..dice.below(OPENING + 1) {
        let cup = dice.one_of(&legal(rules, &position));
        let (next, outcome) = rules.sow(&position, cup);
        if outcome.result.is_some() {
            break;
        }
        position = next;
    }
    position
}

/// Plays `position` to its end, or until one player has more than half of all stones, or until the
/// game is abandoned. Returns by how many stones `first` then leads.
fn game(
    rules: &Ruleset,
    mut position: Position,
    first: Player,
    sides: [Side; 2],
    dice: &mut Dice,
    thinker: &mut Thinker,
) -> i32 {
    let half = position.total() / 2;
    let (mut quiet, mut moves) = (0, 0);
    let mut seen: HashMap<Position, u32> = HashMap::new();
    loop {
        let [own, theirs] =
            [first, first.opponent()].map(|player| u16::from(position.in_store(player)));
        let repeated = seen.entry(position).or_default();
        *repeated += 1;
        let abandoned = quiet >= QUIET_MOVES || *repeated >= REPETITIONS;
        if rules.is_over(&position) || own.max(theirs) > half || abandoned {
            return i32::from(own) - i32::from(theirs);
        }
        let side = sides[usize::from(position.turn != first)];
        let seed = dice.number();
        let cup = match side {
            Chance => dice.one_of(&legal(rules, &position)),
            Plain(turns) => {
                let table_bits = if turns > 8 { 20 } else { 14 };
                Deep::new(rules, table_bits).best(&position, turns).0
            }
            Computer(level) => {
                let mind = Mind::new(level, seed, Variety::after(moves));
                decision(thinker, rules, &position, mind)
            }
        };
        let (next, outcome) = rules.play(&position, cup).expect("a legal move");
        quiet = if outcome.capture.is_some() { 0 } else { quiet + 1 };
        position = next;
        moves += 1;
    }
}

/// Plays `games` games between two players.
fn play(rules: &Ruleset, sides: [Side; 2], games: u64, first_seed: u64) -> Score {
    let mut score = Score::default();
    let mut thinker = Thinker::new();
    for seed in first_seed..first_seed + games / 2 {
        let mut dice = Dice(seed);
        let opening = opening(rules, &mut dice);
        for first in Player::BOTH {
            let lead = game(rules, opening, first, sides, &mut dice, &mut thinker);
            score.wins += u32::from(lead > 0);
            score.draws += u32::from(lead == 0);
            score.losses += u32::from(lead < 0);
        }
    }
    score
}

/// Checks that in each system of this run's part, the first player wins at least `percent` of the
/// games.
#[track_caller]
fn check_wins(what: &str, sides: [Side; 2], games: u64, percent: u64) {
    for (name, rules) in Part::of_this_run().some(SYSTEMS) {
        let score = play(rules, sides, games, 1);
        println!("{name}: {what}: {score}");
        assert!(100 * u64::from(score.wins) >= percent * games, "{name}: {what}: {score}");
    }
}

/// Checks that in each system of this run's part, the Advanced level loses no game to random play.
#[track_caller]
fn check_never_loses(games: u64) {
    for (name, rules) in Part::of_this_run().some(SYSTEMS) {
        let score = play(rules, [Computer(Level::Advanced), Chance], games, 1);
        println!("{name}: Advanced against chance: {score}");
        assert_eq!(score.losses, 0, "{name}: {score}");
    }
}

#[test]
fn the_novice_is_better_than_chance() {
    check_wins("Novice against chance", [Computer(Level::Novice), Chance], 200, 60);
}

#[test]
fn intermediate_beats_novice() {
    let sides = [Level::Intermediate, Level::Novice].map(Computer);
    check_wins("Intermediate against Novice", sides, 200, 80);
}

/// The step between two levels is one that a user can take.
#[test]
fn proficient_beats_intermediate_in_most_but_not_all_games() {
    let sides = [Level::Proficient, Level::Intermediate].map(Computer);
    for (name, rules) in Part::of_this_run().some(SYSTEMS) {
        let score = play(rules, sides, 400, 1);
        println!("{name}: Proficient against Intermediate: {score}");
        assert!((60..=80).contains(&(score.wins / 4)), "{name}: {score}");
    }
}

#[test]
fn advanced_beats_proficient() {
    let sides = [Level::Advanced, Level::Proficient].map(Computer);
    check_wins("Advanced against Proficient", sides, 30, 66);
}

#[test]
fn advanced_beats_intermediate() {
    let sides = [Level::Advanced, Level::Intermediate].map(Computer);
    check_wins("Advanced against Intermediate", sides, 30, 80);
}

/// Strength against an opponent of a known depth, in the systems where Advanced looks about eight
/// turns ahead: one of the four in each part.
#[test]
fn advanced_holds_its_own_against_a_plain_search() {
    for (name, rules) in Part::of_this_run().some(SYSTEMS.into_iter().take(4)) {
        let score = play(rules, [Computer(Level::Advanced), Plain(6)], 20, 1);
        println!("{name}: Advanced against a plain search of 6 turns: {score}");
        assert!(score.wins > score.losses, "{name}: {score}");
    }
}

/// Takes some minutes with `--release`.
#[test]
#[ignore = "hundreds of games of the Advanced level; see main.rs for the command"]
fn advanced_against_plain_searches_in_a_hundred_games() {
    for turns in [6, 8] {
        for (name, rules) in SYSTEMS.into_iter().take(4) {
            let score = play(rules, [Computer(Level::Advanced), Plain(turns)], 100, 1);
            println!("{name}: Advanced against a plain search of {turns} turns: {score}");
            assert!(score.wins + score.draws / 2 >= 40, "{name}: {score}");
        }
    }
}

/// A search of twelve turns is better than Advanced. The level must not become weaker than it was
/// before it ended won games sooner: then it won 31, 28, 41 and 58 of these games. Takes twenty
/// minutes with `--release`.
#[test]
#[ignore = "hundreds of games of the Advanced level; see main.rs for the command"]
fn advanced_is_as_strong_against_twelve_turns_as_before() {
    for ((name, rules), before) in SYSTEMS.into_iter().zip([31, 28, 41, 58]) {
        let score = play(rules, [Computer(Level::Advanced), Plain(12)], 100, 1);
        println!("{name}: Advanced against a plain search of 12 turns: {score}");
        // Of a hundred games, ten are about two standard deviations.
        assert!(score.wins + 10 >= before, "{name}: {score}");
    }
}

#[test]
fn advanced_never_loses_to_chance() {
    check_never_loses(30);
}

/// Takes about four minutes with `--release`.
#[test]
#[ignore = "hundreds of games of the Advanced level; see main.rs for the command"]
fn advanced_beats_intermediate_in_hundreds_of_games() {
    let sides = [Level::Advanced, Level::Intermediate].map(Computer);
    check_wins("Advanced against Intermediate", sides, 400, 80);
}

/// Takes about three minutes with `--release`.
#[test]
#[ignore = "hundreds of games of the Advanced level; see main.rs for the command"]
fn advanced_never_loses_to_chance_in_hundreds_of_games() {
    check_never_loses(400);
}
