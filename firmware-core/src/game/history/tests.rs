//! Pushing, undoing and counting the steps of a history, one by one; `naive` has random games.

pub(crate) mod naive;

extern crate std;
use std::vec::Vec;

use super::*;
use crate::game::history::saved::{Opening, SAVED_BYTES};
use crate::game::places::{Cup, Direction};

const WARI: Setup = Setup { game: Game::Wari, stones: 4, bidirectional: false };

fn cup(place: usize) -> Step {
    Step::Sow(Cup::at(place).expect("a cup"))
}

fn begun(setup: Setup) -> History {
    History::new(setup, setup.rules().start(Player::Bottom))
}

/// A game of `setup` with these moves, each given by the place of its cup.
fn played(setup: Setup, places: &[usize]) -> History {
    let mut history = begun(setup);
    for place in places {
        assert!(history.push(cup(*place)), "{place} can be sown");
    }
    history
}

/// Checks that the replayed steps are contiguous and lead to the current position.
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
fn step_codes_are_unique_and_other_codes_have_no_step() {
    let places = 0..PLACES as u8;
    let mut steps: Vec<Step> = Cup::all().map(Step::Sow).collect();
    for from in places.clone() {
        steps.extend(places.clone().map(|to| Step::Transfer { from, to }));
    }
    let rest = [Step::Turn, Step::Edited, Step::Bidirectional(false), Step::Bidirectional(true)];
    steps.extend(rest);
    steps.extend([Step::Abandon, Step::Resign(Player::Bottom), Step::Resign(Player::Top)]);
    for step in &steps {
        assert_eq!(Step::from_code(step.code()), Some(*step));
    }
    let known = (0..=u8::MAX).filter(|code| Step::from_code(*code).is_some()).count();
    assert_eq!(known, steps.len());
}

#[test]
fn an_illegal_step_changes_nothing() {
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
fn a_finished_game_can_only_be_edited() {
    let mut history = begun(Setup { game: Game::Board, ..WARI });
    let mut bare = Position::of([0; PLACES], Player::Bottom);
    bare.stones[6] = 48;
    assert!(history.edit(&bare) && history.is_over());
    assert!(!history.push(Step::Abandon) && !history.push(cup(0)));
    assert!(!history.push(Step::Resign(Player::Top)));
    let mut after = bare;
    (after.stones[6], after.stones[0], after.stones[7]) = (46, 1, 1);
    assert!(history.edit(&after) && !history.is_over() && history.push(cup(0)));
    check(&history);
}

/// However a position comes about in which one side is bare, the stones left over are swept where
/// the system sweeps.
#[test]
fn a_terminal_position_is_settled_however_it_comes_about() {
    for (game, sweeps) in
        [(Game::Board, true), (Game::Family, true), (Game::Wari, false), (Game::TopBottom, false)]
    {
        let setup = Setup { game, stones: 4, bidirectional: false };
        let mut bare = Position::of([0, 0, 0, 0, 0, 0, 24, 1, 1, 1, 0, 0, 0, 21], Player::Bottom);
        let mut settled = bare;
        if sweeps {
            settled.stones = [0, 0, 0, 0, 0, 0, 24, 0, 0, 0, 0, 0, 0, 24];
        }
        let result = if sweeps { GameResult::Draw } else { GameResult::Winner(Player::Bottom) };
        let opening = Opening {
            position: bare,
            moves: 9,
            quiet: 0,
            first: Player::Bottom,
            bidirectional: false,
            stopped: None,
        };
        let resumed = History::resume(setup, opening).expect("a possible opening");
        let mut begun_at = begun(setup);
        assert_eq!(begun_at.begin_at(setup, opening), Ok(()));
        let mut edited = begun(setup);
        assert!(edited.edit(&bare));
        let mut bytes = [0; SAVED_BYTES];
        let length = resumed.saved_bytes(0, &mut bytes);
        // Firmware of earlier versions saved such a board as it was edited.
        bytes[4..4 + PLACES].copy_from_slice(&bare.stones);
        let loaded = History::from_bytes(&bytes[..length]).expect("a saved game");
        for history in [&resumed, &begun_at, &edited, &loaded] {
            assert_eq!((history.position(), history.result()), (settled, Some(result)), "{game:?}");
        }
        // A side of the player who is not to move counts in these systems, too.
        bare.turn = Player::Top;
        let rules = setup.rules();
        assert_eq!(rules.settled(&bare).stones == bare.stones, !sweeps, "{game:?}");
        let start = rules.start(Player::Top);
        assert_eq!(rules.settled(&start), start, "play continues");
    }
}

#[test]
fn an_abandoned_game_continues_only_after_undo() {
    let mut history = played(WARI, &[0]);
    let before = history.position();
    assert!(history.push(Step::Abandon) && history.is_over());
    assert_eq!(history.stopped(), Some(Stop::Abandoned));
    assert!(!history.push(cup(7)) && !history.push(Step::Abandon));
    assert!(!history.edit(&begun(WARI).position()), "nor is it edited");
    assert!(history.push(Step::Bidirectional(true)), "options can be switched");
    assert!(history.undo() && history.stopped().is_none() && history.rules().bidirectional);
    assert_eq!(history.position(), before);
    assert!(history.push(cup(7)));
    check(&history);
}

#[test]
fn the_player_who_resigns_loses_in_every_position() {
    for player in Player::BOTH {
        let mut history = begun(WARI);
        let mut after = history.position();
        (after.stones[0], after.stones[player.store()]) = (0, 4);
        assert!(history.edit(&after) && history.push(Step::Resign(player)) && history.is_over());
        assert_eq!(history.stopped(), Some(Stop::Resigned(player)));
        assert_eq!(history.result(), Some(GameResult::Winner(player.opponent())));
        assert_eq!(history.position(), after, "no stone moves");
        assert!(!history.push(cup(1)) && !history.push(Step::Resign(player.opponent())));
        assert!(!history.push(Step::Abandon) && !history.edit(&begun(WARI).position()));
        check(&history);
        assert!(history.undo() && history.result().is_none() && history.push(cup(1)));
    }
}

#[test]
fn an_edit_takes_the_fewest_transfers() {
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
fn undo_removes_a_whole_edit_before_the_move_before_it() {
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
fn undo_does_not_change_the_options() {
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
    // The sowing from 5 ends in cup 7, which had one stone: two are captured.
    (before.stones[5], before.stones[7], before.stones[0]) = (1, 1, 10);
    let mut history = History::new(setup, before);
    assert!(history.push(cup(5)));
    assert_eq!(history.position().direction, Direction::Clockwise);
    assert!(history.push(Step::Bidirectional(false)));
    assert_eq!(history.position().direction, Direction::CounterClockwise);
    assert_eq!(history.setup(), setup, "the setup is what the game began with");
}

#[test]
fn the_first_player_is_the_one_to_make_the_first_move() {
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
fn repetitions_are_counted_until_a_capture() {
    // One stone on each side, chasing each other: the position repeats every twelve moves.
    let mut start = Position::of([0; PLACES], Player::Bottom);
    (start.stones[0], start.stones[7], start.stones[6]) = (1, 1, 46);
    let mut history = History::new(WARI, start);
    for lap in 1..=8 {
        for nth in 0..12 {
            let quiet = history.quiet();
            assert_eq!(quiet.moves_since_capture, (lap - 1) * 12 + nth);
            if nth == 0 {
                // `QUIET_WINDOW` covers five laps.
                assert_eq!(quiet.repetitions, lap.min(6));
            }
            let before = history.position();
            // The foremost stone is sown, so neither side is ever bare.
            let cup = Cup::of(before.turn).filter(|cup| before.in_cup(*cup) > 0).last();
            assert!(history.push(Step::Sow(cup.expect("a stone to sow"))));
        }
    }
}

#[test]
fn a_replay_knows_how_many_steps_are_left_at_most() {
    let history = played(WARI, &[0, 7, 1]);
    let mut replay = history.replay();
    for left in (0..=3).rev() {
        assert_eq!(replay.size_hint(), (0, Some(left)));
        assert_eq!(replay.next().is_some(), left > 0);
    }
}

#[test]
fn a_new_game_has_nothing_of_the_one_before() {
    let mut history = played(WARI, &[0, 7, 1, 8, 2, 9]);
    history.mark_logged(7);
    assert!(history.push(Step::Bidirectional(true)) && history.undo());
    let setup = Setup { stones: 3, ..WARI };
    history.begin(setup, setup.rules().start(Player::Top));
    assert_eq!(history, History::new(setup, setup.rules().start(Player::Top)));
    assert!(!history.can_redo() && !history.undo() && !history.redo());
    assert_eq!(history.unlogged(7), Unlogged::Rewrite);
}

#[test]
fn single_steps_of_an_edit_are_refused() {
    let mut history = played(WARI, &[0]);
    let before = history.clone();
    for step in [Step::Turn, Step::Transfer { from: 1, to: 2 }, Step::Edited] {
        assert!(!history.push(step), "{step:?}");
        assert_eq!(history, before);
    }
}
