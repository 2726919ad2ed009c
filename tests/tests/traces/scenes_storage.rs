//! Scenes of data in flash after a power cycle, and of its damage.

use super::Scene;
use super::played::Played;
use trace::{Action, BoardFault};

pub(super) const SCENES: &[Scene] = &[
    ("each option is stored by itself", "storage/options-one-by-one", |played| {
        let options = played.lines.iter().filter(|line| line.starts_with("option ")).count();
        // Show Thoughts and Sound Off, twice each, have no line of their own.
        options == 12
            && played.boots() == 17
            && played.readings("is on") == 1
            && played.readings("is silent") == 1
    }),
    ("each system is stored by itself", "storage/systems-one-by-one", |played| {
        played.boots() == 4
            && played.wrote(&["boot", "game=top-bottom", "game=family", "game=board"])
    }),
    ("a game in progress survives power-off and Quit", "storage/progress-board", |played| {
        let resumed = played.changes("resume").len();
        resumed == 5 && played.changes("undo").len() == 2 && played.boots() == 6
    }),
    (
        "the computer thinks again after power-off, with Undo before and after it",
        "storage/progress-wari",
        |played| {
            played.changes("resume").len() == 5
                && played.changes("undo").len() == 1
                && played.reads(&["Game goes on:", "Top thinks"])
        },
    ),
    ("a game that goes on after power-off flips no coin", "storage/progress-family", |played| {
        played.changes("resume").len() == 1 && played.boots() == 3
    }),
    ("a game that is over does not come back", "storage/progress-top-bottom", |played| {
        played.changes("resume").len() == 2
            && played.changes("abandon").len() == 2
            && played.boots() == 4
    }),
    ("the totals in flash follow Undo", "storage/totals-and-undo", |played| {
        let over = played.lines.iter().filter(|line| line.contains("game-over")).count();
        over == 4
            && played.changes("undo").len() == 2
            && played.reads(&["ahead by 34", "ahead by 68", "ahead by 37", "ahead by 68"])
    }),
    (
        "an end that is taken back, and the totals that are set then",
        "storage/undone-end",
        |played| {
            played.changes("undo").len() == 2
                && played.wrote(&["game-over", "move=undo", "totals game=board", "move=resume"])
        },
    ),
    (
        "totals of one system are reset, those of another stay",
        "storage/scores-of-another-system",
        |played| {
            let over = played.lines.iter().filter(|line| line.contains("game-over")).count();
            over == 3 && played.changes("undo").len() == 1 && played.changes("restored").len() == 1
        },
    ),
    ("the end of a game is stored in part", "storage/end-cut", |played| {
        played.changes("resign").is_empty() && played.boots() == 2
    }),
    ("who begins after a game that is loaded", "storage/who-begins-after-load", |played| {
        played.changes("load").len() == 3
            && played.changes("resign").len() == 2
            && played.boots() == 3
    }),
    ("a game waits for the demo without power", "storage/a-game-waits-for-the-demo", |played| {
        played.wrote(&["option players=demo", "boot", "option players=two", "move=resume"])
            && !played.wrote(&["option game="])
    }),
    ("a finished game that is loaded counts once", "storage/finished-game-loaded", |played| {
        played.changes("load").len() == 4
            && played.changes("undo").len() == 1
            && played.readings("Player 1 is ahead by 34") >= 7
            && played.readings("Player 1 is ahead by 68") == 0
    }),
    (
        "an imported finished game is no part of the totals",
        "storage/imported-finished-game",
        |played| {
            played.changes("load").len() == 1
                && played.changes("undo").len() == 1
                && played.wrote(&[
                    "totals game=board bottom=100 top=90",
                    "imported game=NEW",
                    "move=5",
                ])
        },
    ),
    (
        "a loaded game has its player to move, direction, option, moves and log",
        "storage/what-load-game-restores",
        |played| {
            played.changes("load").len() == 2
                && played.changes("undo").len() == 5
                && played.wrote(&["direction=cw", "loaded name=GAME1", "direction=cw"])
                && played.reads(&["Nothing to take back"])
        },
    ),
    ("a loaded game has its counters", "storage/long-game-loaded", |played| {
        played.wrote(&["loaded name=QUIET49", "loaded name=QUIET48", "97 moves went before"])
            && played.readings("The computer plays on") == 2
            && played.changes("abandon").len() == 1
    }),
    ("a game that was given up is loaded as that", "storage/resigned-game-loaded", |played| {
        played.changes("resign").len() == 1
            && played.wrote(&["Bottom resigns, Top wins 0-1", "move=load event=game-over,winner:1"])
            && played.changes("undo").len() == 1
            && played.reads(&["Bottom is ahead by 1"])
    }),
    ("totals survive the repair of damaged settings", "storage/settings-repaired", |played| {
        let cuts =
            played.count(|action| matches!(action, Action::Fault(BoardFault::FlashCut { .. })));
        cuts == 4 && says_damaged(played) == 2 && played.readings("Bottom is ahead by 14") == 2
    }),
    ("records go round their sectors", "storage/worn-records", |played| {
        stores(played, 35) && played.boots() == 41
    }),
    ("damage among older records", "storage/records-hole", |played| stores(played, 4)),
    ("records where the game is today", "storage/records-of-earlier-versions", |played| {
        stores(played, 4) && played.changes("resume").len() == 1
    }),
    ("an erase that was interrupted", "storage/records-odd-sector", |played| stores(played, 4)),
    ("an erasing save that is cut", "storage/erasing-save-cut", |played| {
        says_damaged(played) == 0
            && played.count(|action| matches!(action, Action::Fault(BoardFault::FlashCut { .. })))
                == 14
    }),
    ("older settings stand in for damaged ones", "storage/older-settings", |played| {
        played.wrote(&["record=settings used=older", "option level=advanced", "boot"])
            && says_damaged(played) == 1
    }),
    ("damaged totals count from zero", "storage/lost-totals", |played| {
        played.wrote(&["record=totals used=defaults", "option level=advanced", "boot"])
            && says_damaged(played) == 1
            && played.reads(&["Both have the same"])
    }),
    ("Show Thoughts is stored", "storage/thoughts-after-power-off", |played| {
        played.boots() == 3 && played.readings("is on") == 2
    }),
    (
        "two lost settings are reported until the next change",
        "storage/two-lost-settings",
        |played| {
            let reported = |line: &&String| line.contains("record=settings used=older");
            played.boots() == 3 && played.lines.iter().filter(reported).count() == 1
        },
    ),
    ("what no firmware writes does not count", "storage/impossible-notes", |played| {
        played.changes("resume").len() == 1
            && played.moves().count() == 1
            && !played.lines.iter().any(|line| line.contains("state="))
    }),
    ("the block after a lost one counts", "storage/first-block-lost", |played| {
        played.changes("resume").len() == 1 && played.openings().is_empty()
    }),
    (
        "an end that begins the next sector, with the power cut in it",
        "storage/end-in-the-next-sector",
        |played| {
            played.count(|action| matches!(action, Action::Fault(BoardFault::FlashCut { .. }))) == 2
                && played.changes("resume").len() == 2
                && played.wrote(&["resume", "resume", "move=resign", "boot"])
        },
    ),
    ("files that a newer one has replaced are gone", "menu/replaced-files", |played| {
        played.wrote(&["stored game=B", "files=1 damaged=0", "loaded name=B", "files=2 damaged=0"])
            && !played.lines.iter().any(|line| line.contains("game=A"))
    }),
    ("files on both sides of the ring, and room for one", "menu/ring-full", |played| {
        played.wrote(&["saved name=GAME1", "stored files=4 damaged=0"])
            && played.reads(&["Overwrite the oldest game, OLD?"])
            && !played.wrote(&["saved name=GAME2"])
    }),
    ("the newest of too many files are listed", "menu/too-many-files", |played| {
        played.reads(&["G24", "G01"]) && played.readings("G25") == 0
    }),
    ("full sectors alone are written again", "storage/records-all-closed", written_again),
    ("an open sector with a byte is not relied on", "storage/records-dirty-open", written_again),
    (
        "an older copy behind the newest does not count",
        "storage/records-older-copy-last",
        written_again,
    ),
    ("records after a gap count", "storage/records-gap", written_again),
    (
        "the newest record counts in an earlier sector",
        "storage/records-newest-earlier",
        written_again,
    ),
    (
        "records of earlier versions are moved",
        "storage/records-of-earlier-versions-cut",
        written_again,
    ),
    ("a full sector is followed by the next one", "storage/records-last-closed", |played| {
        played.wrote(&["setting sound=off", "boot"]) && !played.wrote(&["state="])
    }),
    ("a journal that is lost hides no loss", "storage/records-journal-lost", |played| {
        played.wrote(&["record=settings used=defaults", "record=totals used=defaults"])
    }),
    ("of records without numbers the later counts", "storage/records-without-numbers", |played| {
        played.boots() == 3 && played.wrote(&["setting sound=on"]) && !played.wrote(&["state="])
    }),
];

/// Returns whether the power went while a save wrote the records again, and nothing was reported.
fn written_again(played: &Played) -> bool {
    let cut = |action: &Action| matches!(action, Action::Fault(BoardFault::FlashCut { .. }));
    played.count(cut) == 2 && played.boots() >= 4 && !played.wrote(&["state="])
}

fn says_damaged(played: &Played) -> usize {
    played.lines.iter().filter(|line| line.starts_with("storage state=damaged")).count()
}

/// Returns whether `changes` changes of the sound were stored, and no damage was reported.
fn stores(played: &Played, changes: usize) -> bool {
    let stored = played.lines.iter().filter(|line| line.starts_with("setting sound=")).count();
    stored == changes && says_damaged(played) == 0
}
