//! The scenes of `board`, and the differences of `family` and `top-bottom`.

use super::Scene;
use super::played::{ConsoleLine, ERROR_TONE, Move, Played};
use trace::Action;
use virtual_time::Nanos;

pub(super) const SCENES: &[Scene] = &[
    (
        "the source's example of twelve stones, which ends in the own #4",
        "twelve-stones",
        |played| {
            played.moves().any(|said| {
                said.cup == 3
                    && said.sown() == 12
                    && said.gains() == [1, 1, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0]
            })
        },
    ),
    ("FREE TURN, of both players", "free-turn", |played| {
        [0, 1].map(|player| {
            played.moves().any(|said| said.is("free-turn") && said.player() == player)
        }) == [true, true]
    }),
    ("BONUS with stones opposite", "bonus", |played| played.moves().any(Move::captures)),
    ("BONUS of Player 2", "bonus-player-2", |played| {
        played.moves().any(|said| said.captures() && said.player() == 1)
    }),
    ("no BONUS without stones opposite", "no-bonus", |played| {
        played.moves().any(|said| {
            said.ends_in_own_empty_cup() && said.before[12 - said.last()] == 0 && !said.captures()
        })
    }),
    ("no BONUS in an empty cup of the opponent", "no-bonus-across", |played| {
        played.moves().any(|said| {
            let last = said.last();
            last % 7 != 6 && last / 7 != said.player() && said.before[last] == 0 && said.is("none")
        })
    }),
    ("ten, eleven and twelve stones", "board/laps-of-ten-to-twelve", Played::sows_ten_to_twelve),
    ("the same in family", "family/laps-of-ten-to-twelve", Played::sows_ten_to_twelve),
    ("the same in top-bottom", "top-bottom/laps-of-ten-to-twelve", Played::sows_ten_to_twelve),
    ("a lap of 13 that captures in its own source cup", "lap-13", |played| {
        played.moves().any(|said| said.sown() == 13 && said.last() == said.cup && said.captures())
    }),
    ("a lap of more than 13", "lap-14", |played| {
        played.moves().any(|said| said.sown() > 13 && said.after[said.cup] == 1)
    }),
    ("an end by FREE TURN", "end-free-turn", |played| played.ends_by(|said| said.is("free-turn"))),
    ("an end by BONUS", "end-bonus", |played| played.ends_by(Move::captures)),
    ("an end by a plain move", "end-sow", |played| {
        played.ends_by(|said| !said.captures() && !said.is("free-turn"))
    }),
    ("a DRAW", "draw", |played| {
        played.ends_by(|said| said.is("draw") && said.stores() == [24, 24])
    }),
    ("RESET in the middle of the animation", "reset-while-sowing", |played| {
        played.said.windows(2).any(|pair| match pair {
            // Four stones take 720 ms and the FREE TURN another 320.
            [(sown_at, ConsoleLine::Move(said)), (reset_at, ConsoleLine::Opening(_))] => {
                said.sown() == 4 && reset_at.saturating_since(*sown_at) < Nanos::from_millis(600)
            }
            _ => false,
        })
    }),
    ("RESET after the game is over, and another game", "reset-after-the-end", |played| {
        played.said.windows(3).any(|three| match three {
            [
                (_, ConsoleLine::Move(last)),
                (_, ConsoleLine::Opening(_)),
                (_, ConsoleLine::Move(_)),
            ] => last.is("game-over"),
            _ => false,
        })
    }),
    ("RESET while a press is explained", "reset-in-mid-game", |played| {
        played.said.windows(2).any(|pair| {
            matches!(pair, [(at, ConsoleLine::Refused(_)), (then, ConsoleLine::Opening(_))]
                if then.saturating_since(*at) < Nanos::from_secs(2))
        })
    }),
    ("illegal presses explained: an empty cup, the opponent's", "illegal-press", |played| {
        played.refuses("empty") && played.refuses("not-yours") && played.sounds(ERROR_TONE)
    }),
    ("an illegal press after the end", "illegal-after-the-end", |played| {
        played.refuses("game-over")
            && played.sounds(ERROR_TONE)
            && played.readings("Player 2 wins: press RESET") == 2
    }),
    ("a press while stones move only finishes the movement", "finish-the-movement", |played| {
        played.presses() == 3 && played.moves().count() == 2 && played.refusals() == 0
    }),
    ("a second finger does not sow what the first has uncovered", "second-finger", |played| {
        played.presses() == 14
            && played.moves().map(|said| said.cup).eq([2, 2, 2, 4, 12, 0, 11])
            && played.refusals() == 0
    }),
    ("a BONUS that is seen and not waited for", "bonus-answered", |played| {
        played.said.windows(2).any(|pair| match pair {
            [(at, ConsoleLine::Move(bonus)), (then, ConsoleLine::Move(_))] => {
                bonus.captures() && then.saturating_since(*at) < Nanos::from_millis(1_200)
            }
            _ => false,
        })
    }),
    ("the marks of the last move", "last-move", |played| {
        played.count(|action| matches!(action, Action::ExpectFrame(_))) >= 8
            && played.refuses("not-yours")
            && played.openings().len() == 2
    }),
    ("a player who taps twice for each move", "quick-player", |played| {
        played.presses() == 2 * played.moves().count() && played.ends_by(|_| true)
    }),
    ("two buttons in the same nanosecond", "together", |played| {
        // In the other direction T1 would be refused.
        played.presses() == 2
            && played.moves().map(|said| said.cup).eq([0])
            && played.refusals() == 0
    }),
    ("contacts that bounce: a press counts once", "bounce", |played| {
        played.trace.get("bounce").is_some_and(|entry| entry.value == "4ms")
            && played.moves().map(|said| said.cup).eq([2, 5, 10, 0])
            && played.refusals() == 0
    }),
    ("a button stuck at power-on", "stuck-button", |played| {
        played
            .said
            .iter()
            .any(|(_, said)| matches!(said, ConsoleLine::Stuck(button) if button == "B2"))
            && played.moves().map(|said| said.cup).eq([2, 1])
    }),
    ("a button that goes down while the LCD starts", "pressed-while-starting", |played| {
        played.moves().map(|said| said.cup).eq([2])
    }),
    ("power off and on in mid-game", "power-cycle", |played| {
        played.boots() == 2 && played.changes("resume").len() == 1
    }),
    ("a board without sound", "sound-off", |played| {
        played.refuses("empty")
            && played.moves().count() > 0
            && played.tones.iter().all(|tone| tone.hz.is_none())
    }),
    ("a short game for looking at", "demo", |played| {
        let screenshots = played.count(|action| matches!(action, Action::Screenshot(_)));
        (6..=9).contains(&screenshots)
            && played.moves().any(|said| said.is("free-turn"))
            && played.moves().any(Move::captures)
            && played.refuses("not-yours")
            && played.ends_by(|_| true)
    }),
    ("a capture in family with nothing opposite", "family/nothing-opposite", |played| {
        played.moves().any(Move::captures_with_nothing_opposite)
    }),
    ("eight stones from bin 6 skip the opponent's Mancala", "family/eight-stones", |played| {
        played.moves().any(|said| {
            said.cup == 5
                && said.sown() == 8
                && said.gains() == [1, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 0]
        })
    }),
    ("illegal presses in the words of family", "family/illegal-press", |played| {
        played.refuses("not-yours")
            && played.refuses("empty")
            && played.sounds(ERROR_TONE)
            && played.reads(&["Not your bin", "Empty bin"])
    }),
    ("the coin in family", "family/coin", |played| played.opens_with(0) && played.opens_with(1)),
    ("first pins the first game of family only", "family/first", |played| {
        let opened: Vec<_> = played.openings().iter().map(|opened| opened.turn).collect();
        opened == [Some(0); 2]
    }),
    ("a lap of 13 that captures nothing in top-bottom", "top-bottom/lap-13", |played| {
        played.moves().any(|said| said.sown() == 13 && said.last() == said.cup && !said.captures())
    }),
    ("a lap of 14 that captures in top-bottom", "top-bottom/lap-14", |played| {
        played.moves().any(|said| said.sown() == 14 && said.captures())
    }),
    ("a capture in top-bottom with nothing opposite", "top-bottom/nothing-opposite", |played| {
        played.moves().any(Move::captures_with_nothing_opposite)
    }),
    ("illegal presses in the words of top-bottom", "top-bottom/illegal-press", |played| {
        played.refuses("not-yours")
            && played.refuses("empty")
            && played.sounds(ERROR_TONE)
            && played.reads(&["Not your pit", "Empty pit"])
    }),
    ("the coin in top-bottom", "top-bottom/coin", |played| {
        played.opens_with(0) && played.opens_with(1)
    }),
    ("first pins the first game of top-bottom only", "top-bottom/first", |played| {
        played.opens_with(1) && !played.opens_with(0)
    }),
    ("a contact counts after five milliseconds of rest", "debounce", |played| {
        // Three presses are too short, and interruptions of RESET and B3 do not count as releases.
        played.moves().map(|said| said.cup).eq([5, 5]) && played.openings().len() == 3
    }),
    ("the backlight waits for the first frame", "backlight", |played| {
        let count =
            |on| played.count(|action| *action == Action::ExpectBacklight { on, display: None });
        (count(false), count(true)) == (6, 2) && played.boots() == 2
    }),
    ("both stores have the same note", "expect/tones-of-both-stores", |played| {
        played.wrote(&["move=2 event=free-turn", "move=9 event=free-turn"])
    }),
    ("notes have their lengths, and end with RESET and Quit", "expect/tones", |played| {
        let lengths =
            played.count(|action| matches!(action, Action::ExpectTone { lasted: Some(_), .. }));
        lengths >= 15 && [784, 659, 523, 1_319, 880].into_iter().all(|hz| played.sounds(hz))
    }),
    ("every phase of a movement", "movement", |played| {
        // Two moves of one or two stones and one of four, with their effects.
        played.count(|action| matches!(action, Action::ExpectFrame(_))) >= 25
            && played.moves().any(|said| said.captures() && !said.is("game-over"))
            && played.ends_by(|said| !said.is("free-turn"))
    }),
    ("a movement in family", "family/movement", moves_by_phases),
    ("a movement in top-bottom", "top-bottom/movement", moves_by_phases),
    ("a movement in wari", "wari/movement", moves_by_phases),
];

/// Returns whether the trace checks each phase of a move of four stones.
fn moves_by_phases(played: &Played) -> bool {
    played.count(|action| matches!(action, Action::ExpectFrame(_))) >= 9
        && played.moves().map(|said| said.cup).eq([2])
}
