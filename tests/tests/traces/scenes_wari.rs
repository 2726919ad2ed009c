//! Scenes of `wari`: two presses, its captures, who begins, how it ends.

use trace::Action;

use super::Scene;
use super::played::{ERROR_TONE, KEY_TONE, Move, Played};

pub(super) const SCENES: &[Scene] = &[
    ("the first press counts, the second sows", "wari/two-press", |played| {
        played.presses() == 2
            && played.moves().map(|said| said.cup).eq([2])
            && played.reads(&["Press again to sow it"])
            && played.sounds(KEY_TONE)
    }),
    ("an empty cup is counted, and explained", "wari/count-empty-cup", |played| {
        played.refuses("empty") && played.sounds(ERROR_TONE) && played.reads(&["Only counted"])
    }),
    ("an opponent's cup is counted, and explained", "wari/count-opponents-cup", |played| {
        played.refuses("not-yours") && played.sounds(ERROR_TONE) && played.reads(&["Only counted"])
    }),
    (
        "another button, or a new turn, forgets the first press",
        "wari/another-button-forgets",
        |played| {
            played.presses() > 2 * played.moves().count()
                && played.moves().map(|said| said.cup).eq([0, 12])
                && played.refusals() == 0
        },
    ),
    ("the manual's Figure 2", "wari/figure-2", |played| {
        played.moves().any(|said| {
            said.cup == 4
                && said.before[4..=10] == [5, 4, 0, 1, 3, 2, 1]
                && said.after[4..=10] == [0, 5, 5, 2, 4, 0, 0]
                && said.is("capture:5")
        })
    }),
    ("a chain of four cups", "wari/chain-capture", |played| {
        played.moves().any(|said| emptied(said).len() == 4 && said.is("capture:10"))
    }),
    ("a chain of five cups", "wari/chain-of-five", |played| {
        played.moves().any(|said| emptied(said).len() == 5 && said.is("capture:12"))
    }),
    ("a chain of six cups, after which Top has no move", "wari/chain-of-six", |played| {
        played.ends_by(|said| emptied(said).len() == 6 && said.is("capture:15"))
    }),
    (
        "ten, eleven and twelve stones in wari",
        "wari/laps-of-ten-to-twelve",
        Played::sows_ten_to_twelve,
    ),
    ("a lap of twelve passes the source over", "wari/lap-skips-source", |played| {
        played.moves().any(|said| {
            let gained = (0..14).filter(|place| said.after[*place] > said.before[*place]).count();
            // The stones fall into eleven cups, into the first of them twice.
            said.sown() == 12
                && said.after[said.cup] == 0
                && gained == 11
                && said.after[said.cup + 1] == said.before[said.cup + 1] + 2
        })
    }),
    ("what is left at the end does not count", "wari/no-sweep-at-the-end", |played| {
        played
            .ends_by(|said| said.is("winner:1") && said.leaves_seeds() && said.stores() == [0, 21])
    }),
    ("the totals after a game; the loser begins", "wari/game-over-totals", |played| {
        let turns: Vec<_> = played.openings().iter().map(|opened| opened.turn).collect();
        played.ends_by(|said| said.is("winner:0") && said.stores() == [3, 0])
            && turns == [Some(0), Some(1)]
            && played.reads(&["Game over: total scores", "Bottom is ahead by 3"])
            && played.reads(&["Bottom wins: press RESET", "Bottom wins. In all games:"])
    }),
    ("the marks of the last move beside those of a count", "wari/last-move", |played| {
        played.moves().map(|said| said.cup).eq([0, 12])
            && played.count(|action| matches!(action, Action::ExpectFrame(_))) == 2
    }),
    (
        "the end may be looked at; RESET begins the next game",
        "wari/reset-after-the-end",
        |played| {
            let turns: Vec<_> = played.openings().iter().map(|opened| opened.turn).collect();
            played.ends_by(|said| said.is("winner:0"))
                && turns == [Some(0), Some(1)]
                && played.refuses("game-over")
                && played.readings("Start this game again?") == 0
        },
    ),
    ("the loser begins after power-off too", "wari/loser-begins-after-power-off", |played| {
        let turns: Vec<_> = played.openings().iter().map(|opened| opened.turn).collect();
        played.boots() == 4
            && played.wrote(&["winner:0", "boot", "turn=1 move=- ", "draw", "boot", "off", "boot"])
            && turns == [0, 1, 1, 1, 0, 1].map(Some)
    }),
    (
        "sown clockwise, captured back counter-clockwise",
        "wari/bidirectional-capture-back",
        |played| {
            let clockwise = played.lines.iter().rev().nth(1).is_some_and(|l| l.ends_with("=cw"));
            clockwise && played.moves().last().is_some_and(|said| emptied(said) == [2, 3])
        },
    ),
    ("three stones a cup", "wari/stones-3", |played| {
        played.moves().any(Move::captures) && played.moves().all(|said| total(said) == 36)
    }),
    ("five stones a cup", "wari/stones-5", |played| {
        played.moves().count() > 0 && played.moves().all(|said| total(said) == 60)
    }),
    ("RESET asks in the middle of a game, and only there", "wari/reset-asks", |played| {
        // At the start, while a cup is counted, and after YES.
        played.openings().len() == 4 && played.readings("Start this game again?") == 3
    }),
    ("first top; a board that is left keeps its beginner", "wari/first-top", |played| {
        played.openings().iter().all(|opened| opened.turn == Some(1))
            && played.openings().len() == 3
            && played.moves().all(|said| !said.is("game-over"))
    }),
    ("after a draw its beginner begins again", "wari/draw", |played| {
        let turns: Vec<_> = played.openings().iter().map(|opened| opened.turn).collect();
        turns == [Some(1), Some(1)] && played.ends_by(|said| said.is("draw"))
    }),
    ("Edit Board decides who goes first", "wari/edit-who-begins", |played| {
        played.openings()[0].turn == Some(0)
            && played.changes("edit").len() == 1
            && played.changes("edit")[0].before == played.changes("edit")[0].to.stones
            && played.moves().map(Move::player).eq([1])
    }),
    (
        "the totals follow three seconds after the end",
        "wari/totals-after-three-seconds",
        |played| {
            played.openings().len() == 4
                && played.changes("abandon").len() == 4
                && played.readings("Game over: total scores") == 3
        },
    ),
    ("a game of wari that is decided is abandoned on request", "wari/abandon-decided", |played| {
        played.changes("abandon").len() == 1
            && played.moves().count() == 0
            && played.reads(&["The computer agrees: Bottom wins, whatever is played."])
    }),
    ("the board offers that once", "wari/abandon-offered", |played| {
        played.changes("abandon").len() == 1
            && played.moves().map(|said| said.player()).eq([0, 1])
            && played.readings("Does Bottom agree to end the game now?") == 2
    }),
    ("Reset Scores after Top has lost", "wari/reset-scores-after-the-loser", |played| {
        played.wrote(&["move=resign", "turn=0 move=-"]) && played.reads(&["The scores are reset"])
    }),
    ("Reset Scores in wari: Bottom begins", "wari/reset-scores-who-begins", |played| {
        played.wrote(&["turn=1 move=-", "turn=0 move=-"]) && played.boots() == 3
    }),
];

/// Returns the opponent's cups that a move emptied.
fn emptied(said: &Move) -> Vec<usize> {
    let side = 7 * (1 - said.player());
    let cups = side..side + 6;
    if !said.captures() {
        return Vec::new();
    }
    // A captured cup cannot have been empty before: one stone cannot be captured.
    cups.filter(|cup| said.before[*cup] > 0 && said.after[*cup] == 0).collect()
}

fn total(said: &Move) -> u32 {
    said.after.iter().sum()
}
