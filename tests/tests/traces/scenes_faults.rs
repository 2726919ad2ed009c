//! The firmware's reaction to faults of the board.

use super::Scene;
use super::played::{ConsoleLine, Played};
use trace::{Action, BoardFault, Button};

pub(super) const SCENES: &[Scene] = &[
    (
        "a contact that sticks is one press, and ignored from the next power-on on",
        STUCK,
        |played| {
            breaks(played, |fault| matches!(fault, BoardFault::Stuck(_)))
                && played.moves().count() == 5
                && played
                    .said
                    .iter()
                    .any(|(_, said)| matches!(said, ConsoleLine::Stuck(name) if name == "B3"))
        },
    ),
    (
        "a button pressed and let go while the LCD starts does nothing",
        "faults/pressed-while-starting",
        |played| {
            played.boots() == 2
                && played.moves().count() == 0
                && !played.said.iter().any(|(_, said)| matches!(said, ConsoleLine::Stuck(_)))
        },
    ),
    (
        "a button let go while the LCD starts is not stuck",
        "faults/released-while-starting",
        |played| {
            played.boots() == 5
                && played
                    .said
                    .iter()
                    .filter(|(_, said)| matches!(said, ConsoleLine::Stuck(_)))
                    .count()
                    == 1
        },
    ),
    ("a contact that bounces is one press a tap", "faults/bounce", |played| {
        breaks(played, |fault| matches!(fault, BoardFault::Bounce { .. }))
            && played.moves().count() == 3
            && played.refusals() == 0
    }),
    ("the game goes on behind a wire with noise", "faults/spi-flips", |played| {
        breaks(played, |fault| matches!(fault, BoardFault::SpiFlip { .. }))
            && played.moves().count() == 2
            && played.openings().len() == 1
            && played.changes("resume").len() == 1
    }),
    (
        "a line that has lost bytes is refused, and the next one counts",
        "faults/uart-lose",
        |played| {
            let lost = |line: &&String| line.contains("bytes were lost");
            breaks(played, |fault| matches!(fault, BoardFault::UartLose { .. }))
                && played.lines.iter().filter(lost).count() == 2
                && !played.wrote(&["setting sound=off"])
        },
    ),
    ("a line with wrong bytes sets nothing", "faults/uart-garble", |played| {
        let refused = |line: &&String| line.starts_with("error ");
        breaks(played, |fault| matches!(fault, BoardFault::UartGarble { .. }))
            && played.lines.iter().filter(refused).count() >= 2
            && !played.wrote(&["setting sound=off"])
    }),
    ("a stuck source of noise flips the same coin", "faults/noise-stuck", |played| {
        breaks(played, |fault| *fault == BoardFault::NoiseStuck) && played.openings().len() == 5
    }),
    (
        "the power is cut while stones fall, and while the board starts",
        "faults/power-cut",
        |played| {
            breaks(played, |fault| *fault == BoardFault::PowerCut)
                && played.changes("resume").len() == 1
                && played.moves().count() == 2
        },
    ),
    ("a setting whose storing was cut is the old one, whole", "faults/flash-cut", |played| {
        breaks(played, |fault| matches!(fault, BoardFault::FlashCut { .. }))
            && played.wrote(&["game=board", "game=board", "option game=wari", "game=wari"])
            && !played.lines.iter().any(|line| line.contains("damaged"))
    }),
    ("a flash that ignores what is programmed", "faults/flash-stuck", |played| {
        breaks(played, |fault| *fault == BoardFault::FlashStuck)
            && played.wrote(&["state=failed", "log text=", "option level=advanced", "state=failed"])
            && played.reads(&["Flash failed: not stored", "Nothing was saved"])
    }),
    ("totals that cannot be stored yet", "faults/flash-stuck-at-the-end", |played| {
        breaks(played, |fault| *fault == BoardFault::FlashStuck)
            && played.wrote(&["boot", "move=8 ", "state=failed", "boot", "boot", "boot"])
    }),
    ("the end of a game that cannot be stored", "faults/flash-stuck-totals", |played| {
        breaks(played, |fault| *fault == BoardFault::FlashStuck)
            && played.wrote(&["move=resign", "state=failed", "boot", "move=resume"])
    }),
    ("a game that cannot be deleted", "faults/flash-stuck-delete", |played| {
        played.wrote(&["state=failed"]) && played.reads(&["NINE is still there"])
    }),
    ("the demo says what it could not store", "faults/flash-stuck-demo", |played| {
        let said = |change: &str| played.wrote(&["storage state=failed", change]);
        said("option players=two") && said("restored game=wari") && said("option players=demo")
    }),
    ("a waiting game goes on, and is not stored", "faults/flash-stuck-waiting-game", |played| {
        played.wrote(&["boot", "boot", "option players=two", "state=failed", "move=resume"])
            && played.reads(&["Flash failed: not stored"])
    }),
    ("an erase that the flash ignores is reported once", "storage/erase-ignored", |played| {
        breaks(played, |fault| *fault == BoardFault::FlashStuck)
            && played.lines.iter().filter(|line| line.contains("state=failed")).count() == 1
            && played.moves().count() == 2
            && played.wrote(&["state=failed", "turn=0", "move=resume"])
            && played.reads(&["Flash failed: not stored"])
    }),
    ("damaged files that cannot be erased are there still", "menu/delete-lost-ignored", |played| {
        played.wrote(&["state=failed", "files=1", "deleted files=1"])
            && played.reads(&["Damaged files are still there"])
    }),
    ("a saved game whose deletion was cut is there still", "faults/delete-cut", |played| {
        breaks(played, |fault| matches!(fault, BoardFault::FlashCut { .. }))
            && played.lines.iter().filter(|line| line.starts_with("deleted ")).count() == 1
            && played.wrote(&["boot", "boot", "deleted game="])
    }),
    ("each button alone is stuck, by name", "faults/stuck-each", |played| {
        let stuck = |said: &&(_, ConsoleLine)| matches!(said.1, ConsoleLine::Stuck(_));
        // Each of thirteen buttons alone, and two at once.
        played.said.iter().filter(stuck).count() == 15
            && Button::LCD_BOARD
                .iter()
                .all(|button| played.reads(&[&format!("{button} is stuck and ignored")]))
    }),
    ("lines that find no room are counted", "faults/console-overrun", |played| {
        played.wrote(&["move=abandon", "refused", "dropped lines=7", "refused button=T1"])
            // Most of 121 presses.
            && (60..121).contains(&played.refusals())
    }),
];

const STUCK: &str = "faults/stuck-contact";

fn breaks(played: &Played, is: impl Fn(&BoardFault) -> bool) -> bool {
    played.count(|action| matches!(action, Action::Fault(fault) if is(fault))) > 0
}
