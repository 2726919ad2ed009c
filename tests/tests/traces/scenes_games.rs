//! Scenes of whole games, from the opening to the end.

use std::collections::HashSet;

use trace::Action;
use virtual_time::Nanos;

use super::Scene;
use super::played::{ConsoleLine, ERROR_TONE, Move, Played};

pub(super) const SCENES: &[Scene] = &[
    ("a whole game at a calm pace", "game-1", Played::is_a_calm_whole_game),
    ("another whole game at a calm pace", "game-2", Played::is_a_calm_whole_game),
    ("a whole game of family, swept at the end", "family/game-1", |played| {
        played.is_a_calm_whole_game()
            && played.ends_by(|said| said.is("game-over"))
            && played.readings("Player A wins: press RESET") == 2
    }),
    ("another one, begun by Player B", "family/game-2", |played| {
        played.is_a_calm_whole_game() && played.opens_with(1)
    }),
    ("a whole game of top-bottom without a sweep", "top-bottom/game-1", |played| {
        played.is_a_calm_whole_game()
            && played.ends_by(Move::leaves_seeds)
            && played.readings("Bottom wins: press RESET") == 2
    }),
    ("another one, begun by Top", "top-bottom/game-2", |played| {
        played.is_a_calm_whole_game() && played.opens_with(1) && played.ends_by(Move::leaves_seeds)
    }),
    ("a whole game of wari between two people", "wari/game-1", |played| {
        played.is_a_whole_game() && played.touches_the_top_row() && played.moves().count() >= 25
    }),
    ("another one: three stones, both directions, a draw", "wari/game-2", |played| {
        let ways = ["direction=ccw", "direction=cw", "direction=ccw"];
        played.is_a_whole_game() && played.wrote(&ways) && played.ends_by(|said| said.is("draw"))
    }),
    ("board ends by a free turn", "ends/board-free-turn", |played| ends(played, "free-turn", true)),
    ("board ends by a capture", "ends/board-capture", |played| ends(played, "capture", false)),
    ("a press shows the end at once", "ends/board-capture-finished-by-a-press", |played| {
        played.wrote(&["capture:6,game-over"]) && played.reads(&["GAME OVER Player 1 wins"])
    }),
    ("board ends by a plain move", "ends/board-sow", |played| ends(played, "winner:1", true)),
    ("board ends in a draw", "ends/board-draw", |played| ends(played, "draw", true)),
    ("family ends by a free turn", "ends/family-free-turn", |played| {
        ends(played, "free-turn", true)
    }),
    ("family ends by a capture", "ends/family-capture", |played| ends(played, "capture", false)),
    ("family ends by a plain move", "ends/family-sow", |played| ends(played, "winner:1", true)),
    ("family ends in a draw", "ends/family-draw", |played| ends(played, "draw", true)),
    ("top-bottom ends by a free turn", "ends/top-bottom-free-turn", |played| {
        ends(played, "free-turn", false)
    }),
    ("top-bottom ends by a capture", "ends/top-bottom-capture", |played| {
        ends(played, "capture", false)
    }),
    ("top-bottom ends by a plain move", "ends/top-bottom-sow", |played| {
        ends(played, "winner:1", false)
    }),
    ("top-bottom ends in a draw", "ends/top-bottom-draw", |played| ends(played, "draw", false)),
    ("wari ends without a move", "ends/wari-no-move", |played| ends(played, "winner:0", false)),
    ("wari ends by a capture", "ends/wari-capture", |played| ends(played, "capture", false)),
    ("wari ends in a draw", "ends/wari-draw", |played| ends(played, "draw", false)),
    ("a whole game against the computer", "computer/board", Played::is_against_the_computer),
    ("one of family", "computer/family", Played::is_against_the_computer),
    ("one of wari", "computer/wari", Played::is_against_the_computer),
    ("one of top-bottom", "computer/top-bottom", Played::is_against_the_computer),
    ("the computer against itself, and the next game", "computer/demo", |played| {
        let ends = played.moves().filter(|said| said.is("game-over")).count();
        played.presses() == 0 && ends == 1 && played.reads(&["GAME OVER", "thinks"])
    }),
    ("the computer ends a decided game of wari at once", "wari/ends-a-decided-game", |played| {
        played.moves().count() == 1 && played.reads(&["GAME OVER Top wins"])
    }),
    ("how long stones and the computer take", "computer/pace", paced),
    ("how long Advanced takes", "computer/pace-advanced", paced),
    ("the computer waits until the coin was seen", "computer/pace-coin", |played| {
        paced(played) && played.opens_with(1)
    }),
    ("dots come while the computer thinks", "computer/pace-dots", |played| {
        played.reads(&["please wait.", "please wait..", "please wait..."])
            && played.sounds(ERROR_TONE)
    }),
    ("the message of a BONUS while the computer thinks", "computer/bonus-stands", stands),
    ("the same after a press", "computer/bonus-stands-in-a-hurry", stands),
    (
        "the message of a capture in wari while the computer thinks",
        "computer/capture-stands-wari",
        |played| played.plays("wari") && played.wrote(&["option players=one", "event=capture:10"]),
    ),
    ("the messages of the computer's own moves", "computer/free-turn-stands", |played| {
        played.presses() == 0 && stands(played)
    }),
    ("a press after the demo's game", "computer/demo-press-after-the-end", |played| {
        played.presses() == 2 && played.readings(": hold to leave") == 2
    }),
    (
        "the demo after a power-off gives back its players",
        "computer/demo-after-power-off",
        |played| played.boots() == 2 && played.reads(&["Leave the demo?"]),
    ),
    ("how long the demo shows an end, and what leaves it", "computer/demo-pace", |played| {
        played.readings("Game over: total scores") == 2
            && played.reads(&["Leave the demo?", "Both have the same"])
            && played.openings().len() == 3
    }),
    ("what the computer plays in board", "computer/moves-board", plays_by_itself),
    ("what it plays in family", "computer/moves-family", plays_by_itself),
    ("what it plays in wari", "computer/moves-wari", plays_by_itself),
    ("what it plays in top-bottom", "computer/moves-top-bottom", plays_by_itself),
    ("what Intermediate plays", "computer/moves-intermediate", plays_by_itself),
    ("what Proficient plays", "computer/moves-proficient", plays_by_itself),
    ("what Novice plays", "computer/moves-novice", plays_by_itself),
    ("what it plays near the end of board", "computer/endings-board", plays_eight_endings),
    ("near the end of family", "computer/endings-family", plays_eight_endings),
    ("near the end of top-bottom", "computer/endings-top-bottom", plays_eight_endings),
    ("near the end of wari", "computer/endings-wari", plays_eight_endings),
    ("without a seed every power-on is the same", "computer/moves-without-seed", |played| {
        let [first, again] = &games(played)[..] else { return false };
        played.boots() == 2 && first.len() > 12 && first.starts_with(again) && again.len() > 12
    }),
    ("with a seed the same press gets other answers", "computer/moves-after-power-on", |played| {
        let games = games(played);
        let replies: HashSet<_> = games.iter().map(|game| &game[..2]).collect();
        played.boots() == 3 && games.len() == 3 && replies.len() == 3
    }),
    ("the coin falls anew at each power-on", "computer/coin-at-each-power-on", |played| {
        let begins: HashSet<_> = played.openings().iter().map(|opened| opened.turn).collect();
        played.boots() == played.openings().len() && begins.len() == 2
    }),
];

/// Returns whether the only move ends the game with this event, with or without a sweep, and the
/// melody of the end is the last thing that is heard.
fn ends(played: &Played, event: &str, swept: bool) -> bool {
    let melody = [784, 659, 523, 1_047];
    let heard: Vec<u32> = played.tones.iter().filter_map(|tone| tone.hz).collect();
    let moves: Vec<&Move> = played.moves().collect();
    let has = |event: &str| moves[0].events.iter().any(|named| named.starts_with(event));
    moves.len() == 1
        && has("game-over")
        && has(event)
        && has("sweep") == swept
        && heard.ends_with(&melody)
        && played.trace.lines.iter().any(|line| matches!(line.action, Action::ExpectTone { .. }))
}

/// Returns whether the trace expects the display time of an event's message.
fn stands(played: &Played) -> bool {
    let event = ["collected BONUS", "FREE TURN"];
    played.count(|action| match action {
        Action::ExpectText(check) => {
            check.shown_for == Some(Nanos::from_millis(1_360))
                && event.iter().any(|event| check.wanted.text.contains(event))
        }
        _ => false,
    }) > 0
}

/// Returns the cups that were sown, by game.
fn games(played: &Played) -> Vec<Vec<usize>> {
    let mut games: Vec<Vec<usize>> = Vec::new();
    for (_, said) in &played.said {
        match said {
            ConsoleLine::Opening(_) => games.push(Vec::new()),
            ConsoleLine::Move(made) => games.last_mut().expect("a game opens").push(made.cup),
            _ => {}
        }
    }
    games
}

/// Returns whether the trace expects the time of a line: first its absence, then the line.
fn paced(played: &Played) -> bool {
    played.count(|action| matches!(action, Action::ExpectNoConsole(_))) > 0
        && played.moves().any(|said| said.player() == 1)
}

/// Returns whether the computer moves in each of eight games that are loaded.
fn plays_eight_endings(played: &Played) -> bool {
    let loaded = played.changes("load");
    loaded.len() == 8
        && loaded.iter().all(|loaded| {
            played.moves().any(|played| played.player() == 1 && played.before == loaded.to.stones)
        })
}

/// Returns whether the computer plays against itself for a while, and the trace names the
/// positions.
fn plays_by_itself(played: &Played) -> bool {
    let named = played.count(|action| matches!(action, Action::WaitConsole { .. }));
    played.presses() == 0 && named >= 2 && played.moves().count() >= 6 * named
}
