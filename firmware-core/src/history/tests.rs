//! The history against a list of all positions, and its rules one by one.

extern crate std;
use std::vec::Vec;

use super::*;
use crate::random::Random;
use crate::rules::{Cup, Direction};
use crate::systems::SYSTEMS;

const WARI: Setup = Setup { game: Game::Wari, stones: 4, bidirectional: false };

fn cup(place: usize) -> Step {
    Step::Sow(Cup::at(place).expect("a cup"))
}

fn begun(setup: Setup) -> History {
    History::new(setup, setup.rules().start(Player::Bottom))
}

/// A game of `setup` with these moves, each at the place of its cup.
fn played(setup: Setup, places: &[usize]) -> History {
    let mut history = begun(setup);
    for place in places {
        assert!(history.push(cup(*place)), "{place} can be sown");
    }
    history
}

/// Steps that are told again lead to the position at the end, each from where the one before
/// it led to.
#[track_caller]
fn check(history: &History) {
    let mut position = history.base();
    let mut moves = history.gone();
    for replayed in history.replay() {
        assert_eq!(replayed.before, position, "{replayed:?}");
        moves += u32::from(matches!(replayed.step, Step::Sow(_)));
        assert_eq!(replayed.number, moves, "{replayed:?}");
        assert_eq!(replayed.outcome.is_some(), matches!(replayed.step, Step::Sow(_)));
        position = replayed.after;
    }
    assert_eq!((history.position(), history.moves()), (position, moves));
    assert_eq!(history.replay().count(), history.len(), "no step is lost");
}

#[test]
fn every_step_has_a_code_of_its_own_and_every_other_code_has_no_step() {
    let places = 0..PLACES as u8;
    let mut steps: Vec<Step> = Cup::all().map(Step::Sow).collect();
    for from in places.clone() {
        steps.extend(places.clone().map(|to| Step::Transfer { from, to }));
    }
    let rest = [Step::Turn, Step::Edited, Step::Bidirectional(false), Step::Bidirectional(true)];
    steps.extend(rest);
    steps.push(Step::Abandon);
    for step in &steps {
        assert_eq!(Step::from_code(step.code()), Some(*step));
    }
    let known = (0..=u8::MAX).filter(|code| Step::from_code(*code).is_some()).count();
    assert_eq!(known, steps.len());
}

#[test]
fn what_the_rules_do_not_allow_changes_nothing() {
    let mut history = played(WARI, &[0]);
    let before = history.position();
    for step in [
        cup(1),
        cup(0),
        Step::Bidirectional(false),
        Step::Transfer { from: 0, to: 99 },
        Step::Turn,
        Step::Edited,
    ] {
        assert!(!history.push(step), "{step:?}");
    }
    assert!(!begun(Setup { game: Game::Board, ..WARI }).push(Step::Bidirectional(true)));
    assert_eq!((history.position(), history.len()), (before, 1));
}

#[test]
fn a_game_that_is_over_is_neither_moved_on_nor_abandoned_but_can_be_edited() {
    let mut history = begun(Setup { game: Game::Board, ..WARI });
    let mut bare = Position::of([0; PLACES], Player::Bottom);
    bare.stones[6] = 48;
    assert!(history.edit(&bare) && history.is_over());
    assert!(!history.push(Step::Abandon) && !history.push(cup(0)));
    let mut after = bare;
    (after.stones[6], after.stones[0], after.stones[7]) = (46, 1, 1);
    assert!(history.edit(&after) && !history.is_over() && history.push(cup(0)));
    check(&history);
}

#[test]
fn an_abandoned_game_goes_no_further_until_that_is_taken_back() {
    let mut history = played(WARI, &[0]);
    let before = history.position();
    assert!(history.push(Step::Abandon) && history.is_abandoned() && history.is_over());
    assert!(!history.push(cup(7)) && !history.push(Step::Abandon));
    assert!(!history.edit(&begun(WARI).position()), "nor is it edited");
    assert!(history.push(Step::Bidirectional(true)), "options can be switched");
    assert!(history.undo() && !history.is_abandoned() && history.rules().bidirectional);
    assert_eq!(history.position(), before);
    assert!(history.push(cup(7)));
    check(&history);
}

#[test]
fn an_edit_moves_no_stone_in_vain() {
    let mut history = begun(WARI);
    let mut after = history.position();
    after.turn = Player::Top;
    (after.stones[0], after.stones[5], after.stones[13]) = (1, 5, 2);
    assert!(history.edit(&after));
    assert_eq!(history.position(), after);
    assert_eq!(history.len(), 3 + 2, "three transfers, the turn, the end");
    assert!(history.edit(&after), "it is so already");
    assert_eq!(history.len(), 5);
    check(&history);
}

#[test]
fn an_edit_that_makes_or_loses_stones_changes_nothing() {
    let mut history = begun(WARI);
    for stones in [0, 3, 5, 255] {
        let mut after = history.position();
        after.stones[2] = stones;
        assert!(!history.edit(&after), "{stones}");
    }
    assert!(history.is_empty());
}

#[test]
fn an_edit_is_taken_back_whole_and_before_the_move_before_it() {
    let mut history = played(WARI, &[0]);
    let before = history.position();
    let edits = [(1, 2), (3, 7)].map(|(from, to)| {
        let mut after = history.position();
        after.stones[from] -= 1;
        after.stones[to] += 1;
        assert!(history.edit(&after));
        after
    });
    assert_eq!(history.position(), edits[1]);
    assert!(history.undo());
    assert_eq!(history.position(), edits[0]);
    assert!(history.undo());
    assert_eq!((history.position(), history.moves()), (before, 1));
    assert!(history.undo() && !history.undo());
    assert_eq!(history.position(), begun(WARI).position());
}

#[test]
fn what_is_taken_back_leaves_the_options_as_they_are() {
    let mut history = begun(WARI);
    assert!(history.push(Step::Bidirectional(true)));
    assert!(!history.undo(), "a switch alone is not taken back");
    assert!(history.push(cup(0)) && history.push(Step::Bidirectional(false)));
    assert!(history.undo() && !history.rules().bidirectional);
    assert!(!history.undo());
    assert_eq!((history.position(), history.moves()), (begun(WARI).position(), 0));
    check(&history);
}

#[test]
fn switching_bidirectional_off_sows_counter_clockwise_again() {
    let setup = Setup { bidirectional: true, ..WARI };
    let mut before = setup.rules().start(Player::Bottom);
    // 5 ends in cup 7, which had one stone: two are captured.
    (before.stones[5], before.stones[7], before.stones[0]) = (1, 1, 10);
    let mut history = History::new(setup, before);
    assert!(history.push(cup(5)));
    assert_eq!(history.position().direction, Direction::Clockwise);
    assert!(history.push(Step::Bidirectional(false)));
    assert_eq!(history.position().direction, Direction::CounterClockwise);
    assert_eq!(history.setup(), setup, "the setup is what the game began with");
}

#[test]
fn who_begins_is_who_is_to_make_the_first_move() {
    let mut history = begun(WARI);
    let mut after = history.position();
    after.turn = Player::Top;
    assert_eq!(history.first(), Player::Bottom);
    assert!(history.edit(&after) && history.first() == Player::Top);
    assert_eq!(history.last_mover(), None);
    assert!(
        history.push(cup(7))
            && history.edit(&Position { turn: Player::Top, ..history.now.position })
    );
    assert_eq!((history.first(), history.last_mover()), (Player::Top, Some(Player::Top)));
    assert!(history.undo() && history.undo() && history.undo());
    assert_eq!(history.first(), Player::Bottom);
}

#[test]
fn a_position_that_comes_up_again_is_counted_until_something_is_captured() {
    // One stone each, round and round after each other: the same again every twelve moves.
    let mut start = Position::of([0; PLACES], Player::Bottom);
    (start.stones[0], start.stones[7], start.stones[6]) = (1, 1, 46);
    let mut history = History::new(WARI, start);
    for lap in 1..=8 {
        for nth in 0..12 {
            let quiet = history.quiet();
            assert_eq!(quiet.moves_since_capture, (lap - 1) * 12 + nth);
            if nth == 0 {
                // Five laps are as much as is looked back at.
                assert_eq!(quiet.repetitions, lap.min(6));
            }
            let before = history.position();
            // The foremost stone goes, so neither side is ever bare.
            let cup = Cup::of(before.turn).filter(|cup| before.in_cup(*cup) > 0).last();
            assert!(history.push(Step::Sow(cup.expect("a stone to sow"))));
        }
    }
}

/// A game of so many random actions, undone ones among them.
pub(super) fn random_history(game: Game, seed: u64, actions: u32) -> History {
    let mut naive = Naive::begin(game, seed);
    naive.play(actions, &mut Seen::default());
    naive.history
}

#[test]
fn random_games_are_kept_told_again_and_taken_back_like_by_a_list_of_positions() {
    let mut seen = Seen::default();
    for seed in 0..20 {
        for system in SYSTEMS {
            Naive::begin(system.game, seed).play(3_000, &mut seen);
        }
    }
    let Seen { undone, edits_undone, abandoned, switched, gone, long_quiet, repeated } = seen;
    for (count, what) in [
        (undone, "moves taken back"),
        (edits_undone, "edits taken back"),
        (abandoned, "games abandoned"),
        (switched, "options switched"),
        (gone, "moves gone"),
        (long_quiet, "more quiet moves than are looked at"),
        (repeated, "positions that came up three times"),
    ] {
        assert!(count > 20, "only {count} {what}");
    }
}

/// What happens rarely, and must have happened in the random games.
#[derive(Debug, Default)]
struct Seen {
    undone: u32,
    edits_undone: u32,
    abandoned: u32,
    switched: u32,
    gone: u32,
    long_quiet: u32,
    repeated: u32,
}

/// A thing that happened, with everything as it was after it.
#[derive(Clone, Copy, Debug)]
struct Happened {
    what: What,
    after: Position,
    bidirectional: bool,
    /// Bytes that the history takes for it.
    steps: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    Began,
    Moved { mover: Player, captured: bool },
    Edited,
    Switched,
    Abandoned,
}

/// The history as a list of all positions, from the beginning on.
struct Naive {
    seed: u64,
    random: Random,
    setup: Setup,
    happened: Vec<Happened>,
    /// Those that went; the first never does, it is the beginning.
    gone: usize,
    history: History,
}

impl Naive {
    fn begin(game: Game, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let choices = game.system().choices;
        let setup = Setup {
            game,
            stones: if choices { 3 + (random.number() % 3) as u8 } else { 4 },
            bidirectional: choices && random.heads(),
        };
        let first = if random.heads() { Player::Top } else { Player::Bottom };
        let after = setup.rules().start(first);
        let bidirectional = setup.bidirectional;
        let happened = Vec::from([Happened { what: What::Began, after, bidirectional, steps: 0 }]);
        Self { seed, random, setup, happened, gone: 0, history: History::new(setup, after) }
    }

    fn play(&mut self, times: u32, seen: &mut Seen) {
        for time in 0..times {
            // In the beginning much is taken back; afterwards the game grows long.
            let undoes = if time < 300 { 20 } else { 4 };
            match self.random.number() % 80 {
                0 => self.edit(),
                1 => self.switch(seen),
                2 => self.abandon(seen),
                roll if roll < undoes => self.undo(seen),
                _ => self.sow(),
            }
            while self.happened[1 + self.gone..].iter().map(|it| it.steps).sum::<usize>() > MOST {
                self.gone += 1;
            }
            self.compare(seen);
            if time % 300 == 0 {
                check(&self.history);
                self.compare_replay();
            }
        }
        seen.gone += u32::from(self.gone > 0);
    }

    fn now(&self) -> Happened {
        self.happened[self.happened.len() - 1]
    }

    fn is_abandoned(&self) -> bool {
        let done = self.happened.iter().rev().find(|it| it.what != What::Switched);
        done.is_some_and(|it| it.what == What::Abandoned)
    }

    fn rules(&self) -> Ruleset {
        self.setup.game.system().variant(self.setup.stones, self.now().bidirectional)
    }

    fn sow(&mut self) {
        let Happened { after: before, bidirectional, .. } = self.now();
        let cups: Vec<Cup> = Cup::of(before.turn).filter(|cup| before.in_cup(*cup) > 0).collect();
        // Few stones are not thrown away: let them chase each other round the board.
        let foremost = cups.len() < 5 && self.setup.game == Game::Wari;
        let any = self.random.number() as usize;
        if self.rules().is_over(&before) || self.is_abandoned() {
            assert!(!Cup::all().any(|cup| self.history.push(Step::Sow(cup))), "{}", self.seed);
            return if self.is_abandoned() { self.undo(&mut Seen::default()) } else { self.edit() };
        }
        let cup = cups[if foremost { cups.len() - 1 } else { any % cups.len() }];
        let (after, outcome) = self.rules().play(&before, cup).expect("a legal move");
        assert!(self.history.push(Step::Sow(cup)), "seed {}", self.seed);
        let what = What::Moved { mover: outcome.mover, captured: outcome.capture.is_some() };
        self.happened.push(Happened { what, after, bidirectional, steps: 1 });
    }

    fn edit(&mut self) {
        let Happened { after: before, bidirectional, .. } = self.now();
        let mut after = before;
        // A few stones go anywhere; or nearly all of them into a store.
        let few = self.random.heads();
        for _ in 0..if few { 3 } else { 300 } {
            let from = self.random.number() as usize % PLACES;
            let to = if few { self.random.number() as usize % PLACES } else { 6 };
            let left = if few { 0 } else { u8::from(from == 0 || from == 7) };
            if after.stones[from] > left && from != 6 {
                after.stones[from] -= 1;
                after.stones[to] += 1;
            }
        }
        if self.random.heads() {
            after.turn = after.turn.opponent();
        }
        assert_eq!(self.history.edit(&after), !self.is_abandoned(), "seed {}", self.seed);
        if self.is_abandoned() || after == before {
            return;
        }
        let pairs = before.stones.into_iter().zip(after.stones);
        let moved: usize = pairs.map(|(was, is)| usize::from(is.saturating_sub(was))).sum();
        let steps = moved + usize::from(before.turn != after.turn) + 1;
        self.happened.push(Happened { what: What::Edited, after, bidirectional, steps });
    }

    fn switch(&mut self, seen: &mut Seen) {
        let bidirectional = !self.now().bidirectional;
        let can = self.setup.game.system().choices;
        assert_eq!(self.history.push(Step::Bidirectional(bidirectional)), can);
        if can {
            seen.switched += 1;
            self.switched(bidirectional);
        }
    }

    fn switched(&mut self, bidirectional: bool) {
        let mut after = self.now().after;
        if !bidirectional {
            after.direction = Direction::CounterClockwise;
        }
        self.happened.push(Happened { what: What::Switched, after, bidirectional, steps: 1 });
    }

    fn abandon(&mut self, seen: &mut Seen) {
        let can = !self.is_abandoned() && !self.rules().is_over(&self.now().after);
        assert_eq!(self.history.push(Step::Abandon), can, "seed {}", self.seed);
        if can {
            seen.abandoned += 1;
            self.happened.push(Happened { what: What::Abandoned, steps: 1, ..self.now() });
        }
    }

    fn undo(&mut self, seen: &mut Seen) {
        let bidirectional = self.now().bidirectional;
        let kept = &self.happened[1 + self.gone..];
        let latest = kept.iter().rposition(|it| it.what != What::Switched);
        assert_eq!(self.history.undo(), latest.is_some(), "seed {}", self.seed);
        let Some(latest) = latest.map(|index| index + 1 + self.gone) else { return };
        match self.happened[latest].what {
            What::Edited => seen.edits_undone += 1,
            _ => seen.undone += 1,
        }
        self.happened.truncate(latest);
        if self.now().bidirectional != bidirectional {
            self.switched(bidirectional);
        }
    }

    #[track_caller]
    fn compare(&self, seen: &mut Seen) {
        let Self { seed, setup, history, happened, gone, .. } = self;
        let game = setup.game;
        let movers = |all: &[Happened]| -> Vec<Player> {
            let mover = |it: &Happened| match it.what {
                What::Moved { mover, .. } => Some(mover),
                _ => None,
            };
            all.iter().filter_map(mover).collect()
        };
        let all = movers(happened);
        let kept = movers(&happened[1 + gone..]);
        let ours = (history.position(), history.moves(), history.is_abandoned(), history.first());
        let now = self.now();
        let first = all.first().copied().unwrap_or(now.after.turn);
        let theirs = (now.after, all.len() as u32, self.is_abandoned(), first);
        assert_eq!(ours, theirs, "{game:?}, seed {seed}");
        assert_eq!(history.rules().bidirectional, now.bidirectional, "{game:?}, seed {seed}");
        assert_eq!(history.last_mover(), kept.last().copied(), "{game:?}, seed {seed}");
        assert_eq!(history.gone() as usize, all.len() - kept.len(), "{game:?}, seed {seed}");
        assert_eq!(history.base(), happened[*gone].after, "{game:?}, seed {seed}");
        let quiet = self.quiet();
        assert_eq!(history.quiet(), quiet, "{game:?}, seed {seed}");
        seen.long_quiet += u32::from(quiet.moves_since_capture > LOOKS_BACK);
        seen.repeated += u32::from(quiet.repetitions > 2);
    }

    fn quiet(&self) -> Quiet {
        let mut quiet = Quiet { moves_since_capture: 0, repetitions: 1 };
        for (index, it) in self.happened.iter().enumerate().rev() {
            match it.what {
                What::Edited | What::Moved { captured: true, .. } | What::Began => break,
                What::Switched | What::Abandoned => {}
                What::Moved { captured: false, .. } => {
                    quiet.moves_since_capture += 1;
                    let looked_at = index > self.gone && quiet.moves_since_capture <= LOOKS_BACK;
                    let before = self.happened[index - 1].after;
                    if looked_at && before == self.now().after {
                        quiet.repetitions += 1;
                    }
                }
            }
        }
        quiet
    }

    fn compare_replay(&self) {
        let told = self.history.replay().filter(|it| !it.step.is_within_edit()).map(|it| it.after);
        let kept = self.happened[1 + self.gone..].iter().map(|it| it.after);
        assert!(told.eq(kept), "{:?}, seed {}", self.setup.game, self.seed);
    }
}
