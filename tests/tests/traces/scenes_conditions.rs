//! Scenes of one condition each: who begins after an edit, what is withdrawn, which of two things
//! that happen at once counts. Bugs that were seeded by hand had shown that no trace noticed them.

use super::Scene;
use super::played::ERROR_TONE;

pub(super) const SCENES: &[Scene] = &[
    ("a stuck cup where a move began", "board/stuck-where-the-last-move-began", |played| {
        played.wrote(&["move=1 ", "boot", "stuck button=B2", "move=resume"])
    }),
    ("each end of `board` by a press", "ends/board-each-finished-by-a-press", |played| {
        played.wrote(&["sweep:4,game-over", "sweep:15,game-over", "draw", "capture:6,game-over"])
    }),
    ("each end of `family` by a press", "ends/family-each-finished-by-a-press", |played| {
        played.wrote(&["sweep:4,game-over", "sweep:15,game-over", "draw", "capture:6,game-over"])
    }),
    ("each end of `top-bottom` by a press", "ends/top-bottom-each-finished-by-a-press", |played| {
        played.wrote(&["event=game-over", "free-turn,game-over", "draw", "capture:6,game-over"])
    }),
    ("each end of `wari` by a press", "ends/wari-each-finished-by-a-press", |played| {
        played.wrote(&["event=game-over,winner:0", "draw", "capture:2,game-over"])
    }),
    ("RESET closes the demo's totals", "wari/demo-totals-left", |played| {
        played.wrote(&["game-over", "move=-"]) && played.reads(&["Game over: total scores"])
    }),
    ("a dash under a message", "computer/thoughts-under-a-message", |played| {
        played.wrote(&["capture:5"]) && played.reads(&["Player 1 collected BONUS"])
    }),
    ("no dash while Help thinks", "menu/help-with-thoughts", |played| {
        played.reads(&["is on", "Help: this cup"])
    }),
    ("Help in a position with equal cups", "menu/help-without-chance", |played| {
        played.reads(&["Help:"]) && played.moves().count() == 0
    }),
    ("two buttons while the computer thinks", "reset/chord-while-thinking", |played| {
        played.sounds(ERROR_TONE)
            && played.reads(&["Not with RESET", "The computer is to move"])
            && played.changes("undo").len() == 2
    }),
    ("the other player's stones alone", "menu/reset-scores-of-player-2", |played| {
        played.reads(&["Player 1: 0, Player 2: 1."])
    }),
    ("an option of a restored game", "reset/option-of-a-restored-game", |played| {
        played.changes("restored").len() == 2
            && played.wrote(&["option bidirectional=on", "restored", "restored"])
    }),
    ("an option after the only move", "wari/option-after-undo-of-the-first-move", |played| {
        played.wrote(&["option bidirectional=on", "move=undo", "setting bidirectional=on"])
    }),
    ("Undo of who begins", "wari/edit-of-who-begins-undone", |played| {
        let first: Vec<_> = played.openings().iter().filter_map(|opened| opened.turn).collect();
        first == [0, 0] && played.wrote(&["turn=1 move=edit", "move=undo", "move=abandon"])
    }),
    ("an edit after the end", "wari/edit-after-the-end-who-begins", |played| {
        let first: Vec<_> = played.openings().iter().filter_map(|opened| opened.turn).collect();
        first == [0, 0, 0] && played.wrote(&["game-over,winner:0", "turn=1 move=edit"])
    }),
    ("an offer withdrawn", "wari/offer-withdrawn", |played| {
        played.wrote(&["capture:2", "option players=two", "option players=one"])
            && played.changes("abandon").is_empty()
    }),
    ("a setting typed while the board is off", "console/set-while-off", |played| {
        played.wrote(&["off", "setting sound=off", "totals", "boot", "refused"])
            && !played.sounds(ERROR_TONE)
    }),
    ("totals without who begins", "console/totals-leave-who-begins", |played| {
        played.wrote(&["top=20", "turn=1 move=-", "top=21", "turn=1 move=-", "top=2", "turn=1"])
    }),
    ("the cost of the search in `board`", "computer/cost-board", |played| {
        played.changes("load").len() == 4
    }),
    ("the cost of the search in `family`", "computer/cost-family", |played| {
        played.changes("load").len() == 2
    }),
    ("the cost of the search in `top-bottom`", "computer/cost-top-bottom", |played| {
        played.changes("load").len() == 2
    }),
    ("a stuck button and lost totals", "storage/stuck-and-lost-totals", |played| {
        played.wrote(&["record=totals used=defaults", "stuck button=T4"]) && played.boots() == 2
    }),
    ("the hint after a restart and Quit", "reset/quit-hint-after-a-restart", |played| {
        played.wrote(&["move=1 ", "move=-", "off", "boot"])
            && played.readings("Hold RESET: menu") == 2
    }),
    ("a button held as a move is made", "computer/demo-held-as-a-move-is-made", |played| {
        played.reads(&["Leave the demo?", "thinks"])
    }),
    ("a question drops Help", "wari/question-drops-help", |played| {
        played.moves().count() == 1 && played.reads(&["Help", "Start this game again?"])
    }),
    ("Help covers the message of a capture", "menu/help-covers-the-message", |played| {
        played.wrote(&["capture:6"]) && played.reads(&["collected BONUS", "Help: this cup"])
    }),
    ("dots under a message in the demo", "wari/demo-dots-under-a-message", |played| {
        played.wrote(&["event=capture"]) && played.reads(&["captures"])
    }),
    ("two computers wait for the message", "wari/demo-abandons-after-the-message", |played| {
        played.wrote(&["event=capture"]) && played.reads(&["PLAY ABANDONED", "captures"])
    }),
    ("a stuck button while the board is edited", "menu/edit-board-stuck-button", |played| {
        played.wrote(&["stuck button=T5"]) && played.reads(&["Edit: take one"])
    }),
    ("the coin continues after Quit", "reset/quit-coin-continues", |played| {
        let turns: Vec<_> = played.openings().iter().filter_map(|opened| opened.turn).collect();
        turns == [0, 1, 0, 0]
    }),
    ("Help names a win by a capture", "menu/help-wins-by-a-capture", |played| {
        played.reads(&["Help: this cup wins the game"])
    }),
    ("Help names the only cup before a capture", "menu/help-the-only-cup-captures", |played| {
        played.reads(&["Help: this cup must be played"])
    }),
];
