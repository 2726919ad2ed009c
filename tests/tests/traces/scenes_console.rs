//! Scenes of lines that are typed on the console.

use super::Scene;
use super::played::{ConsoleLine, Played};
use trace::Action;

pub(super) const SCENES: &[Scene] = &[
    ("a board that is set up over its console", "console/set-up", |played| {
        openings(played) > 6 && typed(played) > 4
    }),
    ("lines on the console that are refused", "console/refused", |played| {
        openings(played) == 2 && typed(played) > 6
    }),
    ("lines that are refused while a page covers the game", "console/refused-pages", |played| {
        openings(played) == 1 && typed(played) > 12
    }),
    ("a saved game that goes out", "console/export", |played| {
        played.wrote(&["saved name=GAME1", "import game=GAME1", "import end=GAME1 lines=11"])
    }),
    ("a saved game that is typed with mistakes", "console/import", |played| {
        played.wrote(&["error text=", "imported game=WIN lines=4", "loaded name=WIN"])
    }),
    ("a game comes in and goes out over the console alone", "console/import-export", |played| {
        played.wrote(&["imported game=WIN lines=4", "import game=WIN", "import end=WIN lines=9"])
    }),
    ("a log that is half sent leaves nothing behind", "console/import-half", |played| {
        played.wrote(&["boot", "no import is open", "imported log=LOG1 lines=3", "import end=LOG1"])
    }),
    ("Ctrl-U drops what is no text", "console/ctrl-u-after-noise", |played| {
        played.wrote(&["setting sound=on", "error text=", "setting sound=on"])
    }),
    ("keys of a terminal, blank lines, half a line", "console/typed-bytes", |played| {
        let bytes = |action: &Action| matches!(action, Action::TypeBytes(_));
        let blank =
            |action: &Action| matches!(action, Action::Type(text) if text.trim().is_empty());
        played.count(bytes) > 5
            && played.count(blank) == 3
            && played.lines.iter().filter(|line| line.starts_with("setting sound=on")).count() == 5
            && !played.lines.iter().any(|line| line.starts_with("setting sound=off"))
    }),
    ("the coin follows from a seed that is typed", "console/seed", |played| {
        let turns: Vec<_> = played.openings().iter().filter_map(|opened| opened.turn).collect();
        played.plays("family") && turns == [1, 1, 0, 1, 0, 1, 0, 1]
    }),
    ("a new board that is set up before its question is answered", "console/new-board", |played| {
        played.wrote(&["setting sound=off"]) && openings(played) == 2
    }),
    ("a game goes on though another is set", "console/game-goes-on", |played| {
        played.wrote(&["setting game=wari", "boot", "move=resume"]) && openings(played) == 1
    }),
    ("the options are those of the game that goes on", "console/options-of-a-game", |played| {
        played.wrote(&["setting stones=3", "resume", "setting bidirectional=on", "resume"])
            && openings(played) == 1
    }),
    (
        "a log whose sectors a saved game has taken",
        "console/import-log-in-a-saved-game",
        |played| {
            played.wrote(&["importing log=NEW", "saved name=GAME1", "another file was written"])
                && played.wrote(&["loaded name=GAME1", "move=load"])
                && !played.wrote(&["imported log=NEW"])
        },
    ),
    ("a log fills a sector", "console/import-log-of-a-sector", |played| {
        played.wrote(&["importing log=FULL", "imported log=FULL", "stored log=FULL bytes=4032"])
    }),
    ("what a name is made of", "console/names", |played| {
        played.lines.iter().filter(|line| line.contains("is no name")).count() == 3
            && played.wrote(&["importing game=A-Z09", "setting first=bottom", "first is not set"])
    }),
];

fn openings(played: &Played) -> usize {
    played.said.iter().filter(|(_, said)| matches!(said, ConsoleLine::Opening(_))).count()
}

fn typed(played: &Played) -> usize {
    played.count(|action| matches!(action, Action::Type(_)))
}
