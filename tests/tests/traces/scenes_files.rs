//! Scenes of the menu File and of what belongs to it: saved games, logs, How to play, questions of
//! long games.

use trace::Action;

use super::Scene;
use super::played::{ConsoleLine, ERROR_TONE, Move, Played, Position};
use super::scenes_menu::saved;

pub(super) const SCENES: &[Scene] = &[
    ("Load Game", "menu/load-game", |played| {
        played.wrote(&["saved name=GAME1", "saved name=GAMEA", "loaded name=GAME1", "move=undo"])
            && played.changes("load").len() == 1
            && played.changes("load")[0].to == after_move(played, 1)
            && played.reads(&["No saved games", "Load GAME1?"])
    }),
    ("what is damaged cannot be loaded, the games beside it can", "menu/load-damaged", |played| {
        played.reads(&["HURT", "damaged", "HURT cannot be loaded"])
            && !played.wrote(&["loaded name=HURT"])
            && played.wrote(&["loaded name=ONE", "move=load"])
    }),
    ("a game whose header is damaged is listed, and deleted", "menu/load-lost-name", |played| {
        let said = |line: &str| played.lines.iter().filter(|said| said.contains(line)).count();
        played.reads(&["1 file damaged", "1 file cannot be read", "Delete 1 file?"])
            && said("storage state=damaged files=1") == 3
            && said("deleted files=1") == 1
            && played.wrote(&["deleted files=1", "boot ", "loaded name=ONE"])
    }),
    ("Save Game under the name that is offered", "menu/save-game", |played| {
        played.wrote(&["move=0", "saved name=GAME1", "move=12"]) && played.openings().len() == 1
    }),
    ("Save Game lists the saved games below a new name", "menu/save-list", |played| {
        saved(played)
            == ["saved name=GAME1", "saved name=GAME2", "saved name=GAME1", "saved name=GAME3"]
            && played.readings("New name") >= 4
            && played.readings("Overwrite the game GAME1?") == 2
            && played.openings().len() == 4
    }),
    ("Save Game warns before it overwrites", "menu/save-overwrite", |played| {
        played.readings("Overwrite the game GAME1?") == 3
            && played.wrote(&["saved name=GAME1", "move=0", "saved name=GAME1", "move=load"])
            && played.changes("load")[0].to == after_move(played, 1)
    }),
    ("a name, letter by letter", "menu/save-name-entry", |played| {
        played.reads(&["FIG-2", "FIG-2222", "The name is full", "No saved games"])
            && played.sounds(ERROR_TONE)
            && saved(played) == ["saved name=GAMA"]
    }),
    ("a saved game comes back after the power went", "menu/save-power-cycle", |played| {
        played.boots() == 2
            && played.wrote(&["saved name=", "option game=board", "boot", "loaded", "move=undo"])
            && played.changes("load")[0].to == after_move(played, 3)
            && played.changes("undo")[0].to == after_move(played, 2)
    }),
    ("Log Game in wari, over one of the same name", "menu/log-game", |played| {
        played.wrote(&["log of LOG1", "1 Bottom 4", "2 Top 11", "4 Top 12, captures 2"])
            && shows_the_log_twice(played)
            && played.reads(&["Overwrite the log LOG1?"])
    }),
    ("a log is read by rows and by pages, and deleted", "menu/logs", |played| {
        played.wrote(&["logged name=LOG1", "deleted log=LOG1"])
            && played.readings("No logs") == 2
            && played.readings("Delete the log LOG1?") == 2
            && played.reads(&["log of LOG1", "end of the log", "100%"])
            && played.sounds(ERROR_TONE)
            // No key caused a move.
            && played.moves().map(|said| said.cup).eq([2, 0, 12])
    }),
    ("how far a long log is, and its pages", "menu/log-long", |played| {
        played.wrote(&["loaded name=GAME1", "logged name=GAME1"])
            && played.reads(&["25%", "50%", "75%", "STOP", "Logged as GAME1"])
            && played.lines.iter().filter(|line| line.starts_with("log text=")).count() > 1_800
    }),
    ("what Options ticks", "menu/options-ticked", |played| {
        played.readings("is chosen") == 2
            && played.wrote(&["board=3,3,3", "option players=demo"])
            && played.count(|action| matches!(action, Action::ExpectFrame(_))) == 2
    }),
    ("a damaged log says so, the one beside it is read", "menu/logs-damaged", |played| {
        played.reads(&["damaged", "Cannot", "TORN cannot be read", "log of WHOLE"])
            && played.wrote(&["storage state=damaged files=1", "storage state=damaged log=TORN"])
            && played.wrote(&["deleted log=TORN", "deleted files=1"])
    }),
    ("saved games are deleted, after YES alone", "menu/delete-games", |played| {
        let deleted: Vec<_> =
            played.lines.iter().filter(|line| line.starts_with("deleted ")).collect();
        deleted == ["deleted game=HURT", "deleted game=ONE"]
            && played.readings("Delete the game HURT?") == 2
            && played.readings("Delete the game ONE?") == 2
            && played.boots() == 2
    }),
    ("a deleted game leaves the rows above it", "menu/delete-in-a-long-list", |played| {
        played.lines.iter().filter(|line| line.starts_with("deleted game=")).count() == 1
    }),
    ("name entry by the top row", "menu/save-name-rows", |played| {
        saved(played) == ["saved name=N0AB1L"] && played.reads(&["N0AB", "UP", "DOWN"])
    }),
    ("How to play, all of board", "how-to-play/board", |played| {
        played.plays("board")
            && reads_all_lessons(played, 6)
            && played.reads(&["FREE TURN", "BONUS"])
    }),
    ("How to play, all of family", "how-to-play/family", |played| {
        played.plays("family") && reads_all_lessons(played, 6) && played.reads(&["Second turn"])
    }),
    ("How to play, all of wari", "how-to-play/wari", |played| {
        played.plays("wari")
            && reads_all_lessons(played, 10)
            && played.reads(&["All the way round"])
    }),
    ("How to play, all of top-bottom", "how-to-play/top-bottom", |played| {
        played.plays("top-bottom") && reads_all_lessons(played, 6) && played.reads(&["Extra turn"])
    }),
    ("a new board offers How to play once", "how-to-play/first-power-on", |played| {
        played.readings("Shall I show you how to play?") == 2
            && played.boots() == 2
            && played.reads(&["1 of 6"])
            && played.moves().map(|said| said.cup).eq([2])
    }),
    ("a new board asks until it is answered", "how-to-play/first-power-on-no", |played| {
        played.readings("Shall I show you how to play?") == 2
            && played.boots() == 3
            && played.moves().count() == 0
    }),
    ("Log Game in board", "menu/log-game-board", |played| {
        log_has(played, &["1 Player 1 #4, FREE TURN", "2 Player 1 #6", "3 Player 2 #1"])
    }),
    ("Log Game in family", "menu/log-game-family", |played| {
        log_has(played, &["1 Player A 3, second turn", "2 Player A 5"])
    }),
    ("Log Game in top-bottom", "menu/log-game-top-bottom", |played| {
        log_has(played, &["1 Top 4, extra turn", "2 Top 1"])
    }),
    (
        "a sweep of a single stone, on the console and in the log",
        "menu/log-sweep-of-one-stone",
        |played| played.wrote(&["sweep:1,game-over", "1 left over for Player 2"]),
    ),
    ("keys that are held act again at their times", "menu/held-keys", |played| {
        saved(played) == ["saved name=G"] && played.reads(&["GAME1D8", "GAME18", "GAME8"])
    }),
    ("the computer agrees after fifty quiet moves", "menu/abandon-after-fifty-moves", |played| {
        let turns = played.changes("undo").iter().filter_map(|change| change.to.turn).count();
        // The fiftieth move is undone and played again; after an edit it does not count any more.
        agrees_after(played, 51)
            && turns == 2
            && played.readings("The computer plays on") == 2
            && played.readings("without a BONUS (now 49)") == 2
            && played.reads(&["The computer agrees."])
            && played.readings("without a BONUS (now 0)") == 1
    }),
    (
        "the computer agrees fifty moves after a capture",
        "menu/abandon-fifty-moves-after-a-capture",
        |played| {
            let quiet = played.moves().skip_while(|said| !said.captures()).count() - 1;
            agrees_after(played, 59) && quiet == 50
        },
    ),
    ("the marks of a list that is longer than the page", "menu/load-list", |played| {
        played.count(|action| matches!(action, Action::ExpectFrame(_))) == 10
            && played.lines.iter().all(|line| !line.starts_with("loaded"))
    }),
    ("Undo after seventy quiet moves", "menu/undo-in-a-long-game", |played| {
        played.moves().count() == 73
            && played.changes("undo").len() == 3
            && !played.moves().any(Move::captures)
            && played.undoes_to_turns_of(&[0, 1])
    }),
    ("NO and RESET lead back to the game", "menu/no-leads-back-to-the-game", |played| {
        let [first, second] = ["Does Top resign?", "Change to Family?"];
        played.readings(first) == 2
            && played.readings(second) == 2
            && played.reads(&[
                "Switch the board off?",
                "Start a new game?",
                "Start this game again?",
            ])
            && played.reads(&["Overwrite the game GAME1?", "Load GAME1?"])
            && played.openings().len() == 1
            && played.lines.iter().all(|line| !line.starts_with("loaded"))
            && played.moves().map(|said| said.cup).eq([0, 11])
    }),
    ("Quit asks and powers down; RESET starts again", "menu/quit", |played| {
        let offs = played.lines.iter().filter(|line| *line == "off").count();
        let boots_after_off = played.boots() == 3 && played.wrote(&["off", "boot", "move=resume"]);
        let no_cut = played.count(|action| *action == Action::PowerOff) == 0;
        offs == 2 && boots_after_off && no_cut && played.readings("Switch the board off?") == 4
    }),
];

/// Returns whether each of the six pages was shown, and the game is unchanged.
fn reads_all_lessons(played: &Played, of: usize) -> bool {
    (1..=of).all(|nth| played.reads(&[&format!("{nth} of {of}")]))
        && played.readings(&format!("{} of {of}", of - 1)) == 2
        && played.count(|action| matches!(action, Action::ExpectFrame(_))) == of
        && played.sounds(ERROR_TONE)
        && played.moves().count() == 0
        && played.openings().len() == 1
}

/// Returns the position after the `nth` move, counted from 0.
fn after_move(played: &Played, nth: usize) -> Position {
    let mut moves = played.said.iter().filter_map(|(_, said)| match said {
        ConsoleLine::Move(said) => Some(said.to),
        _ => None,
    });
    moves.nth(nth).expect("the move")
}

/// Returns whether one log was written, from head to end, with these lines.
fn log_has(played: &Played, lines: &[&str]) -> bool {
    let head = played.wrote(&["log of LOG1", "log text=\"system ", "log text=\"began "]);
    let logged: Vec<&String> =
        played.lines.iter().filter(|line| line.starts_with("log text=\"   ")).collect();
    let moves = logged.len() == lines.len()
        && logged.iter().zip(lines).all(|(line, wanted)| line.ends_with(&format!(" {wanted}\"")));
    head && moves && played.wrote(&["end of the log", "logged name=LOG1"])
}

/// Returns whether the same log was written twice.
fn shows_the_log_twice(played: &Played) -> bool {
    let lines: Vec<&String> =
        played.lines.iter().filter(|line| line.starts_with("log text=")).collect();
    let (first, second) = lines.split_at(lines.len() / 2);
    !first.is_empty() && first == second
}

/// Returns whether play is abandoned after exactly `moves` moves.
fn agrees_after(played: &Played, moves: usize) -> bool {
    played.moves().count() == moves
        && played.changes("abandon").len() == 1
        && played.readings("The computer plays on") >= 1
}
