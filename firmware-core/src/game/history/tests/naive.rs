//! Random games, compared between a history and a plain list of all positions.

extern crate std;
use std::vec::Vec;

use super::check;
use crate::game::history::*;
use crate::game::places::{Cup, Direction};
use crate::game::random::Random;
use crate::game::systems::SYSTEMS;

/// Returns a game of `actions` random actions, undone ones included.
pub(crate) fn random_history(game: Game, seed: u64, actions: u32) -> History {
    let mut naive = Naive::begin(game, seed);
    naive.play(actions, &mut Seen::default());
    naive.history
}

#[test]
fn a_history_matches_a_plain_list_of_positions() {
    let mut seen = Seen::default();
    for seed in 0..8 {
        for system in SYSTEMS {
            Naive::begin(system.game, seed).play(3_000, &mut seen);
        }
    }
    let Seen { undone, edits_undone, abandoned, resigned, switched, gone, long_quiet, repeated } =
        seen;
    for (count, what) in [
        (undone, "moves taken back"),
        (edits_undone, "edits taken back"),
        (abandoned, "games abandoned"),
        (resigned, "games given up"),
        (switched, "options switched"),
        (gone, "moves gone"),
        (long_quiet, "more quiet moves than are looked at"),
        (repeated, "positions that came up three times"),
    ] {
        assert!(count > 20, "only {count} {what}");
    }
}

/// Counters of rare events, each of which must occur in the random games.
#[derive(Debug, Default)]
struct Seen {
    undone: u32,
    edits_undone: u32,
    abandoned: u32,
    resigned: u32,
    switched: u32,
    gone: u32,
    long_quiet: u32,
    repeated: u32,
}

/// An action with the state after it.
#[derive(Clone, Copy, Debug)]
struct Happened {
    what: What,
    after: Position,
    bidirectional: bool,
    /// Number of bytes the history takes for the action.
    steps: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    Began,
    Moved { mover: Player, captured: bool },
    Edited,
    Switched,
    Stopped(Stop),
}

/// The history as a list of all positions, from the start.
struct Naive {
    seed: u64,
    random: Random,
    setup: Setup,
    happened: Vec<Happened>,
    /// Number of dropped entries; the first entry is the start and is never dropped.
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
            // Many undos at the beginning; later the game grows long.
            let undoes = if time < 300 { 20 } else { 4 };
            match self.random.number() % 80 {
                0 => self.edit(),
                1 => self.switch(seen),
                2 => self.stop(Stop::Abandoned, seen),
                3 => self.resign(seen),
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

    fn stopped(&self) -> Option<Stop> {
        match self.happened.iter().rev().find(|it| it.what != What::Switched)?.what {
            What::Stopped(stop) => Some(stop),
            _ => None,
        }
    }

    fn is_stopped(&self) -> bool {
        self.stopped().is_some()
    }

    fn rules(&self) -> Ruleset {
        self.setup.game.system().variant(self.setup.stones, self.now().bidirectional)
    }

    fn sow(&mut self) {
        let Happened { after: before, bidirectional, .. } = self.now();
        let cups: Vec<Cup> = Cup::of(before.turn).filter(|cup| before.in_cup(*cup) > 0).collect();
        // With few stones left, let them chase each other around the board instead of capturing
        // them.
        let foremost = cups.len() < 5 && self.setup.game == Game::Wari;
        let any = self.random.number() as usize;
        if self.rules().is_over(&before) || self.is_stopped() {
            assert!(!Cup::all().any(|cup| self.history.push(Step::Sow(cup))), "{}", self.seed);
            return if self.is_stopped() { self.undo(&mut Seen::default()) } else { self.edit() };
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
        let place = |random: &mut Random| random.number() as usize % PLACES;
        match self.random.number() % 3 {
            // A few stones move anywhere.
            0 => {
                for _ in 0..3 {
                    let (from, to) = (place(&mut self.random), place(&mut self.random));
                    let moved = after.stones[from].min(1);
                    after.stones[from] -= moved;
                    after.stones[to] += moved;
                }
            }
            // All stones but two move into a store; those two chase each other.
            1 => {
                after.stones = [0; PLACES];
                (after.stones[0], after.stones[7]) = (1, 1);
                after.stones[13] = before.total() as u8 - 2;
            }
            // All stones move anywhere.
            _ => {
                after.stones = [0; PLACES];
                for _ in 0..before.total() {
                    after.stones[place(&mut self.random)] += 1;
                }
            }
        }
        if self.random.heads() {
            after.turn = after.turn.opponent();
        }
        assert_eq!(self.history.edit(&after), !self.is_stopped(), "seed {}", self.seed);
        if self.is_stopped() || after == before {
            return;
        }
        let pairs = before.stones.into_iter().zip(after.stones);
        let moved: usize = pairs.map(|(was, is)| usize::from(is.saturating_sub(was))).sum();
        let steps = moved + usize::from(before.turn != after.turn) + 1;
        self.settle(&mut after);
        self.happened.push(Happened { what: What::Edited, after, bidirectional, steps });
    }

    /// Sweeps the stones that are left when one side is bare, in the systems that do so.
    fn settle(&self, position: &mut Position) {
        let sides = Player::BOTH.map(|player| position.on_side(player));
        if !matches!(self.setup.game, Game::Board | Game::Family) || !sides.contains(&0) {
            return;
        }
        for cup in Cup::all() {
            let stones = core::mem::take(&mut position.stones[cup.place()]);
            position.stones[cup.owner().store()] += stones;
        }
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

    fn resign(&mut self, seen: &mut Seen) {
        let player = if self.random.heads() { Player::Top } else { Player::Bottom };
        self.stop(Stop::Resigned(player), seen);
    }

    fn stop(&mut self, stop: Stop, seen: &mut Seen) {
        let (step, count) = match stop {
            Stop::Abandoned => (Step::Abandon, &mut seen.abandoned),
            Stop::Resigned(player) => (Step::Resign(player), &mut seen.resigned),
        };
        let can = !self.is_stopped() && !self.rules().is_over(&self.now().after);
        assert_eq!(self.history.push(step), can, "seed {}", self.seed);
        if can {
            *count += 1;
            self.happened.push(Happened { what: What::Stopped(stop), steps: 1, ..self.now() });
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
        let ours = (history.position(), history.moves(), history.stopped(), history.first());
        let now = self.now();
        let first = all.first().copied().unwrap_or(now.after.turn);
        let theirs = (now.after, all.len() as u32, self.stopped(), first);
        assert_eq!(ours, theirs, "{game:?}, seed {seed}");
        assert_eq!(history.rules().bidirectional, now.bidirectional, "{game:?}, seed {seed}");
        assert_eq!(history.last_mover(), kept.last().copied(), "{game:?}, seed {seed}");
        assert_eq!(history.gone() as usize, all.len() - kept.len(), "{game:?}, seed {seed}");
        assert_eq!(history.base(), happened[*gone].after, "{game:?}, seed {seed}");
        let quiet = self.quiet();
        assert_eq!(history.quiet(), quiet, "{game:?}, seed {seed}");
        seen.long_quiet += u32::from(quiet.moves_since_capture > QUIET_WINDOW);
        seen.repeated += u32::from(quiet.repetitions > 2);
    }

    fn quiet(&self) -> Quiet {
        let mut quiet = Quiet { moves_since_capture: 0, repetitions: 1 };
        for (index, it) in self.happened.iter().enumerate().rev() {
            match it.what {
                What::Edited | What::Moved { captured: true, .. } | What::Began => break,
                What::Switched | What::Stopped(_) => {}
                What::Moved { captured: false, .. } => {
                    quiet.moves_since_capture += 1;
                    let looked_at = index > self.gone && quiet.moves_since_capture <= QUIET_WINDOW;
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
