//! Scenes of what a player sets and looks up: Redo, the side against the computer, sowing at once,
//! the volume, the backlight that dims, the reason of Help, games step by step, the strategies.

use super::Scene;

pub(super) const SCENES: &[Scene] = &[
    ("Redo of all that was undone, until something else is played", "menu/redo", |played| {
        let (undone, redone) = (played.changes("undo"), played.changes("redo"));
        undone.len() == 4
            && redone.len() == 3
            && redone[0].to == undone[1].to
            && redone[1].to == undone[0].to
            && played.readings("Nothing to play again") == 3
    }),
    ("Redo of the move that ended a game", "menu/redo-after-the-end", |played| {
        played.wrote(&["game-over", "move=undo event=none", "move=redo event=game-over,winner:0"])
            && played.reads(&["Player 1 is ahead by 34"])
    }),
    ("Redo against the computer", "menu/redo-against-the-computer", |played| {
        let redone = played.changes("redo");
        redone.len() == 1
            && played.changes("resume").iter().all(|resumed| resumed.to == redone[0].to)
            && played.moves().count() == 2
    }),
    ("the top row against the computer", "menu/swap-sides", |played| {
        let turns = played.moves().map(|said| said.from.turn).collect::<Vec<_>>();
        played.wrote(&["option side=top", "turn=1 move=", "boot", "resume", "option side=bottom"])
            && turns.first() == Some(&Some(0))
            && played.reads(&["Player 1 thinks", "Player 2 thinks", "is on"])
    }),
    ("Sow at Once: the first press sows, other cups are counted", "wari/sow-at-once", |played| {
        played.wrote(&["option sow-at-once=on", "move=3", "boot", "setting sow-at-once=on"])
            && played.moves().count() == 2
            && played.reads(&["Press again to sow it", "Only counted"])
    }),
    ("Volume in three steps, stored without power", "menu/volume", |played| {
        played.wrote(&[
            "option volume=medium",
            "option volume=soft",
            "boot",
            "setting volume=soft",
            "option volume=loud",
        ]) && played.reads(&["loud", "medium", "soft"])
    }),
    ("Help advises as the highest level", "menu/help-level", |played| {
        let helps = played.readings("Help: this cup");
        helps >= 5 && played.lines.iter().filter(|line| line.starts_with("loaded ")).count() == 5
    }),
    ("Help right after a capture", "menu/help-after-a-capture", |played| {
        played.wrote(&["capture:6"]) && played.reads(&["collected BONUS", "Help: this cup"])
    }),
    ("Help says why", "menu/help-why", |played| {
        played.reads(&["Help: this cup BONUS 6", "Help: this cup must be played"])
            && played.moves().next().is_some_and(|said| said.is("capture:6"))
    }),
    ("a saved game step by step, beside the game on the board", "menu/view-game", |played| {
        played.reads(&["0 of 4", "1 of 4", "3 of 4", "4 of 4", "The game is not over"])
            && played.changes("load").is_empty()
            && played.moves().count() == 5
    }),
    ("a logged game step by step", "menu/view-log", |played| {
        played.reads(&["0 of 4", "1 Bottom 4", "edited: top row", "2 Top 12", "Bottom resigns"])
            && played.wrote(&["move=edit", "move=resign", "logged name=LOG1"])
    }),
    ("the four strategies of the manual", "how-to-play/wari", |played| {
        played.reads(&["Flight", "Reinforcement", "Overkill", "Threat", "10 of 10"])
    }),
    (
        "the backlight goes out after ten minutes, and a press only lights it",
        "backlight-rests",
        |played| {
            let lit = |wanted: bool| {
                played.count(|action| matches!(action, trace::Action::ExpectBacklight { on, .. } if *on == wanted))
            };
            lit(false) >= 3 && lit(true) >= 4 && played.moves().count() == 2
        },
    ),
];
