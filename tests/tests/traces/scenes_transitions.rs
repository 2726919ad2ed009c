//! Scenes of transitions: what a restart, Undo, Load Game, Quit, the demo, another system and a
//! power-off reset or retain, and which press counts meanwhile.

use super::Scene;
use super::played::ERROR_TONE;
use trace::{Action, BoardFault};

pub(super) const SCENES: &[Scene] = &[
    ("an illegal press begins the idle minute again", "reset/hint-after-a-press", |played| {
        played.refuses("not-yours") && played.reads(&["Hold RESET: menu"])
    }),
    ("the hint returns with a first move taken back", "reset/hint-after-a-chord", |played| {
        played.changes("undo").len() == 1 && played.readings("Hold RESET: menu") == 2
    }),
    ("the hint returns after Quit", "reset/quit-hint", |played| {
        played.wrote(&["boot", "off", "boot"]) && played.readings("Hold RESET: menu") == 2
    }),
    ("the first player that is set begins after Quit", "reset/quit-first", |played| {
        let turns: Vec<_> = played.openings().iter().filter_map(|opened| opened.turn).collect();
        played.wrote(&["boot", "off", "boot"]) && turns == [0, 0]
    }),
    ("the coin falls as at power-on after Quit", "reset/quit-coin", |played| {
        let turns: Vec<_> = played.openings().iter().filter_map(|opened| opened.turn).collect();
        played.wrote(&["boot", "off", "boot"]) && turns == [1, 0, 1, 0]
    }),
    ("a restart cannot be taken back after Quit", "reset/quit-nothing-to-undo", |played| {
        played.wrote(&["move=0 ", "move=-", "off", "boot"]) && !played.wrote(&["restored"])
    }),
    ("the name of a saved game is forgotten after Quit", "reset/quit-name", |played| {
        played.wrote(&["saved name=GAME1", "off", "boot"])
    }),
    ("a restart is taken back by two buttons", "reset/undo-by-chord", |played| {
        played.wrote(&["move=0 ", "move=-", "restored game=board"])
    }),
    ("a move by mistake leaves the restart to take back", "reset/undo-after-a-chord", |played| {
        played.wrote(&["move=0 ", "move=-", "move=undo", "restored game=board"])
    }),
    ("a game resigned at once is restored", "reset/undo-resigned-at-once", |played| {
        played.moves().count() == 0 && played.wrote(&["move=resign", "move=-", "restored"])
    }),
    ("the backlight goes on at once after a long Quit", "backlight-off-for-long", |played| {
        played.wrote(&["boot", "off", "boot"])
    }),
    ("the backlight stays on in the demo", "backlight-in-the-demo", |played| {
        played.reads(&["Leave the demo?"])
    }),
    ("a key that goes down too early does not repeat", "menu/held-too-early", |played| {
        played.reads(&["No saved games"])
    }),
    ("a held key ends with its page", "menu/held-key-of-a-closed-page", |played| {
        played.wrote(&["saved name=GAME1"]) && !played.wrote(&["loaded"])
    }),
    ("a notice does not return after a menu", "menu/notice-gone", |played| {
        played.refuses("not-yours")
    }),
    ("a held button edits in the demo", "menu/edit-in-the-demo", |played| {
        !played.wrote(&["option players"])
    }),
    ("DONE without a change", "menu/edit-board-unchanged", |played| {
        played.changes("edit").is_empty() && played.moves().count() == 1
    }),
    ("options of wari in another system", "menu/options-of-wari-elsewhere", |played| {
        played.wrote(&["setting game=board", "setting game=wari", "setting stones=5"])
    }),
    ("the demo's stones are in no total", "menu/show-scores-demo", |played| {
        played.moves().any(|played| played.stores() != [0, 0])
            && played.reads(&["Both have the same"])
    }),
    ("Undo in the demo takes back one move", "menu/undo-in-the-demo", |played| {
        played.undoes_to_turns_of(&[0, 1]) && played.changes("undo").len() == 1
    }),
    ("Redo in the demo plays one move", "menu/redo-in-the-demo", |played| {
        played.changes("undo").len() == 2 && played.changes("redo").len() == 1
    }),
    ("Redo plays one round against the computer", "menu/redo-one-round", |played| {
        played.changes("undo").len() == 2 && played.changes("redo").len() == 1
    }),
    ("How to play is offered at the next power-on", "how-to-play/first-power-on-stuck", |played| {
        played.wrote(&["boot", "boot", "stuck button=T3", "boot"])
    }),
    ("a button held too early does not leave the demo", "computer/demo-held-too-early", |played| {
        played.readings("Leave the demo?") == 2
    }),
    ("the demo of `board` shows no totals", "computer/demo-board-no-totals", |played| {
        played.wrote(&["game-over", "move=-"])
    }),
    ("the computer thinks again after a question", "computer/question-drops-thinking", |played| {
        played.moves().count() == 2 && played.openings().len() == 1
    }),
    ("an edited board is a game in progress", "storage/edited-board-after-power-off", |played| {
        played.wrote(&["move=edit", "boot", "move=resume"]) && played.moves().count() == 0
    }),
    ("Undo leaves an option and stores it", "storage/switched-back-after-power-off", |played| {
        played.wrote(&["option bidirectional=on", "move=undo", "boot", "move=resume"])
    }),
    ("a loaded game in progress is in no total", "storage/undo-in-a-loaded-game", |played| {
        played.wrote(&["saved", "loaded name=GAME1", "move=undo"])
    }),
    ("totals reset after the end", "storage/reset-totals-of-a-finished-game", |played| {
        played.wrote(&["game-over", "saved", "move=undo", "game-over", "loaded", "move=undo"])
    }),
    ("totals reset after a restart", "storage/reset-totals-of-a-suspended-game", |played| {
        played.wrote(&["game-over", "restored", "saved", "game-over", "loaded", "move=undo"])
    }),
    ("damage that was repaired is no longer reported", "storage/repaired-at-once", |played| {
        let reported = |line: &&String| line.contains("storage state=damaged");
        played.lines.iter().filter(reported).count() == 1 && played.boots() == 3
    }),
    ("no offer in `board`", "board/no-offer", |played| {
        played.plays("board") && !played.wrote(&["game-over"])
    }),
    ("the offer waits for the menu", "wari/offer-waits-for-the-menu", |played| {
        played.reads(&["Does Bottom agree to end the game now?"])
    }),
    ("the offer waits while RESET is down", "wari/offer-waits-for-reset", |played| {
        played.reads(&["Bottom's turn", "Does Bottom agree to end the game now?"])
    }),
    ("the offer waits for a notice", "wari/offer-waits-for-the-notice", |played| {
        played.reads(&["Not with RESET", "Does Bottom agree to end the game now?"])
    }),
    ("the offer waits for the message", "wari/offer-after-the-message", |played| {
        played.reads(&["Top captures", "Does Bottom agree to end the game now?"])
    }),
    ("the offer is made once", "wari/offer-once", |played| {
        played.moves().count() == 4
            && played.readings("Does Bottom agree to end the game now?") == 1
    }),
    ("too few stones to capture", "wari/abandon-few-stones", |played| {
        played.reads(&["The computer agrees: Top wins, whatever is played."])
    }),
    ("nothing is sown at once after the end", "wari/sow-at-once-after-the-end", |played| {
        played.refusals() == 0 && played.sounds(1568)
    }),
    ("a question ends the counting", "wari/reset-forgets-the-count", |played| {
        played.moves().count() == 1 && played.readings("Press again") == 2
    }),
    ("the totals come between two buttons", "wari/chord-on-totals", |played| {
        played.wrote(&["move=resign"]) && played.changes("undo").is_empty()
    }),
    ("the loser begins in the demo, too", "wari/demo-loser-begins", |played| {
        played.wrote(&["winner:0", "turn=1 move=-"])
    }),
    ("Reset Scores leaves a game in progress", "wari/reset-scores-in-progress", |played| {
        played.openings().len() == 2 && played.moves().count() == 2
    }),
    ("Reset Scores leaves a resigned game", "wari/reset-scores-after-resigning", |played| {
        played.openings().len() == 1 && played.wrote(&["move=resign"])
    }),
    ("Reset Scores leaves the demo's game", "wari/reset-scores-in-the-demo", |played| {
        played.reads(&["The scores are reset"])
    }),
    ("the loser is kept by other totals", "wari/loser-kept-by-other-scores", |played| {
        played.wrote(&["turn=1 move=-", "setting game=board", "setting game=wari", "turn=1 move=-"])
    }),
    ("commands with wrong words", "console/usages", |played| {
        played.lines.iter().filter(|line| line.starts_with("error text=\"it is written")).count()
            == 5
    }),
    (
        "the first player is forgotten with the system",
        "console/first-of-another-system",
        |played| played.wrote(&["setting first=top", "setting game=board", "setting first=-"]),
    ),
    ("the demo is set twice", "console/demo-twice", |played| {
        played.wrote(&["players=demo", "players=demo", "option players=one"])
    }),
    ("a factory-new board has no import", "console/factory-drops-import", |played| {
        played.wrote(&["importing", "factory state=new", "error text=\"no import is open"])
    }),
    ("an import over a game of the same name", "console/import-over", |played| {
        played.wrote(&["imported game=WIN", "error", "2 lines came, not 3", "imported game=WIN"])
    }),
    ("lines that are typed while the board writes", "console/typed-while-answering", |played| {
        played.wrote(&[
            "help usage=\"import stop\"",
            "setting sound=on",
            "import end=GAME1",
            "setting",
        ])
    }),
    ("games that cannot be", "console/import-impossible", |played| {
        let refused = |line: &&String| line.starts_with("error text=");
        played.lines.iter().filter(refused).count() > 12
    }),
    ("another move leaves nothing to redo", "menu/redo-forgotten", |played| {
        played.changes("undo").len() == 2 && played.changes("redo").is_empty()
    }),
    ("an option between Undo and Redo", "menu/redo-across-an-option", |played| {
        played.changes("undo").len() == 2 && played.changes("redo").len() == 2
    }),
    ("an option is switched after the end", "menu/option-after-the-end", |played| {
        played.wrote(&["move=resign", "option bidirectional=on", "move=undo"])
    }),
    ("a log that begins in the middle", "menu/view-log-of-a-loaded-game", |played| {
        played.wrote(&["loaded name=END", "logged name=END"]) && played.reads(&["0 of 1", "1 of 1"])
    }),
    ("Help in the first two positions", "menu/help-openings", |played| {
        played.wrote(&["setting stones=5", "setting bidirectional=on", "move=0 "])
    }),
    ("a game that is sown clockwise", "console/import-direction", |played| {
        played.wrote(&["imported game=END", "move=1 ", "import text=\"direction cw\""])
    }),
    ("no offer in a game that is loaded", "wari/offer-not-for-a-loaded-game", |played| {
        played.wrote(&["loaded name=END", "event=capture:2", "loaded name=WON"])
    }),
    ("an edit keeps the new game", "reset/edit-keeps-the-new-game", |played| {
        played.wrote(&["move=-", "move=edit", "move=undo"]) && !played.wrote(&["restored"])
    }),
    ("a restart ends the light of a capture", "reset/while-a-capture-glows", |played| {
        played.wrote(&["capture:5", "move=-"])
    }),
    ("chance is drawn for each game", "computer/another-game-another-play", |played| {
        played.openings().len() == 3 && played.wrote(&["move=5 ", "move=12 ", "move=5 ", "move=8 "])
    }),
    ("Undo in the game after a finished one", "storage/undo-in-the-next-game", |played| {
        played.wrote(&["game-over", "move=-", "move=undo"])
    }),
    ("a game waits while another is loaded", "menu/load-in-the-demo", |played| {
        played.wrote(&["option players=demo", "loaded name=GAME1"])
    }),
    ("a secret score is reset", "family/reset-scores", |played| {
        played.moves().count() == 1 && played.reads(&["totals become 0."])
    }),
    ("Undo of a restart is silent", "reset/undo-is-silent", |played| {
        played.wrote(&["restored game=board"]) && played.refuses("not-yours")
    }),
    ("a first player is forgotten with the power", "reset/first-not-after-resuming", |played| {
        let turns: Vec<_> = played.openings().iter().filter_map(|opened| opened.turn).collect();
        played.boots() == 2 && turns == [0, 1]
    }),
    ("a setting silences the board", "console/set-silences", |played| {
        played.sounds(ERROR_TONE) && played.wrote(&["refused", "setting level=advanced", "boot"])
    }),
    ("imports rest while a menu is open", "console/refused-imports", |played| {
        let refused = |line: &&String| line.contains("a menu, a question or an edit is open");
        played.lines.iter().filter(refused).count() == 6 && played.wrote(&["imported game=END"])
    }),
    ("a game is saved while a log comes", "console/import-meanwhile", |played| {
        played.wrote(&["saved name=GAME1", "another file was written", "no import is open"])
    }),
    ("numbers that are too large", "console/numbers-out-of-range", |played| {
        let refused = |line: &&String| line.contains("is no whole number in range");
        played.lines.iter().filter(refused).count() == 4
    }),
    ("a factory-new board has no game", "console/factory-in-a-game", |played| {
        played.wrote(&["move=12 ", "factory state=new", "turn=0 move=-", "boot", "turn=0 move=-"])
    }),
    (
        "the third game begins without the moves of the first",
        "menu/undo-in-the-third-game",
        |played| {
            played.openings().len() == 3
                && played.changes("undo").len() == 1
                && played.changes("redo").len() == 1
        },
    ),
    ("Redo plays an option", "menu/redo-plays-the-option", |played| {
        played.wrote(&["option bidirectional=on", "move=undo", "move=redo"])
            && played.screenshots.is_empty()
    }),
    ("a button is held while the backlight goes out", "backlight-button-held", |played| {
        played.moves().count() == 1 && played.changes("undo").is_empty()
    }),
    ("two buttons end the counting", "wari/chord-drops-the-count", |played| {
        played.moves().count() == 0 && played.readings("Press again") == 2
    }),
    ("a game has begun with its first move", "reset/begun-though-as-at-the-beginning", |played| {
        played.changes("load").len() == 1 && played.openings().len() == 1
    }),
    (
        "the end of another system decides nothing",
        "reset/begins-after-the-end-of-another-system",
        |played| played.wrote(&["move=resign", "option game=wari", "turn=1 move=-"]),
    ),
    ("Redo after a move that a chord took back", "reset/redo-not-after-a-chord", |played| {
        played.changes("undo").len() == 1 && played.reads(&["Nothing to play again"])
    }),
    ("a chord is heard", "reset/chord-sounds", |played| {
        played.sounds(1568) && played.changes("undo").len() == 1
    }),
    ("a seed continues at each power-on", "console/seed-goes-on", |played| {
        let turns: Vec<_> = played.openings().iter().filter_map(|opened| opened.turn).collect();
        turns == [1, 0, 0, 0, 1, 1, 1]
    }),
    ("a button that is held on the board", "held-on-the-board", |played| {
        played.moves().count() == 1 && !played.reads(&["Leave the demo?"])
    }),
    ("OK that is held chooses once", "menu/held-ok", |played| {
        played.wrote(&["option bidirectional=on"]) && !played.wrote(&["bidirectional=off"])
    }),
    ("Quit in the demo names the game that waits", "menu/quit-in-the-demo", |played| {
        played.reads(&["Switch the board off?", "The game in progress waits."])
    }),
    (
        "the totals of a finished game that returns",
        "wari/totals-after-a-restart-taken-back",
        |played| {
            played.wrote(&["move=abandon", "restored game=wari"])
                && played.reads(&["Game over: total scores"])
        },
    ),
    ("the person's row survives power-off", "storage/side-after-power-off", |played| {
        played.boots() == 5 && played.wrote(&["setting side=top", "boot", "setting side=top"])
    }),
    (
        "a finished game that is in no total any more",
        "storage/finished-game-of-earlier-totals",
        |played| played.wrote(&["saved name=GAME1", "totals game=board bottom=20", "move=undo"]),
    ),
    ("a full sector of the log", "storage/full-log-sector", |played| {
        played.changes("resume").len() == 4 && played.moves().count() == 3
    }),
    ("a log that begins in a dirty sector", "storage/dirty-log", |played| {
        played.changes("resume").len() == 1 && !played.wrote(&["storage"])
    }),
    ("records whose next sector is not blank", "storage/dirty-next-records", |played| {
        played.wrote(&["setting sound=on", "setting sound=off"]) && !played.wrote(&["storage"])
    }),
    ("totals that are typed repair the records", "storage/totals-repair", |played| {
        played.wrote(&["storage state=damaged record=settings", "totals game=board bottom=3"])
            && played.boots() == 3
    }),
    ("a finished game brings its options", "storage/loaded-end-after-power-off", |played| {
        played.changes("load").len() == 1 && played.wrote(&["boot", "setting bidirectional=on"])
    }),
    (
        "positions are counted across a power-off",
        "storage/positions-counted-across-power-off",
        |played| played.changes("resume").len() == 2 && played.moves().count() == 1,
    ),
    ("a log grows by single steps", "storage/steps-appended", |played| {
        let cuts =
            played.count(|action| matches!(action, Action::Fault(BoardFault::FlashCut { .. })));
        cuts == 3 && played.boots() == 2
    }),
    (
        "a game waits for a demo of another system",
        "storage/waiting-game-of-another-system",
        |played| {
            played.wrote(&["option game=top-bottom", "option players=two", "option game=board"])
        },
    ),
    ("a line that is too long", "console/long-line", |played| {
        played.wrote(&["the line is too long", "setting sound=on"])
    }),
    ("the next sector of the log is erased once", "storage/next-sector-erased-once", |played| {
        played.openings().len() == 1 && played.moves().count() == 2
    }),
    (
        "the next sector of the log is erased in idle time",
        "storage/next-sector-erased-when-idle",
        |played| {
            let cuts =
                played.count(|action| matches!(action, Action::Fault(BoardFault::FlashCut { .. })));
            cuts == 4 && played.boots() == 3
        },
    ),
    ("headers that no file can have", "menu/impossible-headers", |played| {
        played.wrote(&["storage state=damaged files=4", "loaded name=ONE", "stored files=1"])
    }),
    ("an edit is no repetition", "menu/abandon-not-after-edits", |played| {
        played.changes("load").len() == 1 && played.changes("abandon").is_empty()
    }),
    ("a finished game of `family` is viewed", "menu/view-finished-family", |played| {
        played.plays("family") && played.reads(&["0 of 1"])
    }),
    ("agreement follows Undo and Redo", "menu/abandon-after-undo-and-redo", |played| {
        played.changes("undo").len() == 2 && played.changes("redo").len() == 2
    }),
    ("Redo leaves an option off", "menu/redo-leaves-the-option", |played| {
        played.changes("undo").len() == 2 && played.changes("redo").len() == 1
    }),
    ("a restored game has its own name", "reset/name-of-a-restored-game", |played| {
        played.wrote(&["saved name=GAME1", "saved name=GAME2", "restored game=board", "move=undo"])
    }),
    ("a restored game has its first player", "reset/first-player-of-a-restored-game", |played| {
        let first: Vec<_> = played.openings().iter().filter_map(|opened| opened.turn).collect();
        first == [0, 1, 0] && played.wrote(&["restored game=wari", "move=undo", "move=undo"])
    }),
    ("who plays after Load Game in the demo", "menu/load-in-the-demo-of-one", |played| {
        played.wrote(&["option players=demo", "loaded name=GAME1", "option players=one"])
    }),
    ("a game in progress has its name after power-off", "storage/name-after-power-off", |played| {
        played.wrote(&["saved name=GAME1", "boot", "move=resume"]) && played.reads(&["GAME1"])
    }),
];
