//! The texts of questions and notices, and what follows from an answer.

use core::fmt::Write as _;

use super::text::{self, Sentences, Text, player_name, text, totals};
use crate::interface::page::{Notice, Question};
use crate::interface::screen::style::Style;
use crate::storage::files::FileKind;

/// What a question asks, and what follows from YES or NO.
pub fn question(question: &Question, style: &Style) -> Sentences {
    const NOT_COUNTED: &str = "The game in progress ends and is not counted.";
    match question {
        Question::Quit => sentences(
            &["Switch the board off?"],
            "The game in progress ends. RESET switches on again.",
        ),
        Question::NewBoard { in_progress: true } => sentences(&["Start a new game?"], NOT_COUNTED),
        Question::NewBoard { .. } => {
            sentences(&["Start a new game?"], "The totals are shown first.")
        }
        Question::Restart => sentences(&["Start this game again?"], NOT_COUNTED),
        Question::Stones(stones) => {
            let number = match stones {
                3 => "three",
                5 => "five",
                _ => "four",
            };
            sentences(&["New game with ", number, " stones in each cup?"], NOT_COUNTED)
        }
        Question::System(game) => sentences(&["Change to ", game.system().title, "?"], NOT_COUNTED),
        Question::Load(name) => {
            sentences(&["Load ", name.as_str(), "?"], "It takes the place of the game in progress.")
        }
        Question::Abandon(player) => sentences(
            &["Does ", player_name(style, *player), " agree to end the game now?"],
            "If both agree, whoever has captured more wins.",
        ),
        Question::LeaveDemo => sentences(&["Leave the demo?"], "NO goes on with the demo."),
        Question::Overwrite(kind, name) => sentences(
            &["Overwrite the ", text::kind(*kind), " ", name.as_str(), "?"],
            "What it holds now is lost.",
        ),
        Question::OverwriteOldest(kind, name) => sentences(
            &["Overwrite the oldest ", text::kind(*kind), ", ", name.as_str(), "?"],
            "There is no more room.",
        ),
    }
}

/// The text of a notice. The totals at the end of a game are shown as scores are.
pub fn notice(notice: &Notice) -> Sentences {
    match notice {
        Notice::Demo => sentences(
            &["The computer plays against itself"],
            "Hold any key to leave the demo. OK starts it.",
        ),
        Notice::NoGames => {
            sentences(&["No saved games"], "Save Game in the menu File saves the one you play.")
        }
        Notice::CannotLoad(name) => {
            sentences(&[name.as_str(), " cannot be loaded"], "It is damaged, or no saved game.")
        }
        Notice::Saved(FileKind::Game, name) => {
            sentences(&["Saved as ", name.as_str()], "Load Game brings the game back.")
        }
        Notice::Saved(FileKind::Log, name) => sentences(
            &["Logged as ", name.as_str()],
            "The moves are in the flash and on the console.",
        ),
        Notice::SaveFailed => {
            sentences(&["Nothing was saved"], "The flash memory has failed. Try again.")
        }
        Notice::TooLong => {
            sentences(&["Too long to be saved"], "It would need more than the whole flash memory.")
        }
        Notice::NoRoom { kind, files, older } => {
            let mut heading = text(&["No room beside "]);
            let plural = if *files == 1 { "" } else { "s" };
            // Two digits at most: there is room.
            let _ = write!(heading, "{files} file{plural}");
            let detail = match older {
                0 => text(&["Delete one on a computer: nudge flash delete."]),
                _ => text(&[
                    "Choose an older ",
                    text::kind(*kind),
                    "'s name, or delete one on a computer: nudge flash delete.",
                ]),
            };
            Sentences { heading, detail }
        }
        Notice::Declined => {
            sentences(&["The computer plays on"], "It does not agree to end the game now.")
        }
        Notice::NothingToUndo => {
            sentences(&["Nothing to take back"], "No move has been played yet.")
        }
        Notice::ScoresReset => {
            sentences(&["The scores are reset"], "A game in progress still counts.")
        }
        Notice::NotHere(game) => sentences(
            &["Not in ", game.system().title],
            "Another game may have it: see the menu Game.",
        ),
        Notice::GameOver => {
            sentences(&["The game is over"], "New Board in the menu Play begins the next one.")
        }
        Notice::ComputersTurn => {
            sentences(&["The computer is to move"], "Help is for your own turn.")
        }
        Notice::Totals(..) => Sentences { heading: totals(), detail: Text::new() },
    }
}

fn sentences(heading: &[&str], detail: &str) -> Sentences {
    Sentences { heading: text(heading), detail: text(&[detail]) }
}
