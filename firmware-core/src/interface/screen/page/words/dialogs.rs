//! The texts of questions and notices, and of the consequences of an answer.

use core::fmt::Write as _;

use super::text::{self, Sentences, Text, file_count, player_name, text, totals};
use crate::game::agreement::{QUIET_MOVES, REPETITIONS, computer_agrees};
use crate::game::history::Quiet;
use crate::game::outcome::GameResult;
use crate::game::places::Player;
use crate::interface::page::{Agreement, Notice, Question, TotalsAfter};
use crate::interface::screen::style::Style;
use crate::storage::files::FileKind;

/// Returns the text of a question, and the consequence of YES or NO.
pub fn question(question: &Question, style: &Style) -> Sentences {
    const NOT_COUNTED: &str = "The game in progress ends and is not counted.";
    match question {
        Question::Quit { waits: false } => {
            sentences(&["Switch the board off?"], "No game waits. RESET switches on again.")
        }
        Question::Quit { waits: true } => sentences(
            &["Switch the board off?"],
            "The game in progress waits. RESET switches on again.",
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
        Question::ResetScores(after) => Sentences {
            heading: text(&["Reset the total scores?"]),
            detail: totals_after(after, style),
        },
        Question::Abandon(player, other) => {
            let heading =
                text(&["Does ", player_name(style, *player), " agree to end the game now?"]);
            let wins = |who| text(&[who, " has more in the ", style.words.store, " wins."]);
            let detail = match other {
                Agreement::Person => wins("If both agree, whoever"),
                Agreement::ComputerAtResult(GameResult::Winner(winner)) => text(&[
                    "The computer agrees: ",
                    player_name(style, *winner),
                    " wins, whatever is played.",
                ]),
                Agreement::ComputerAtResult(GameResult::Draw) => {
                    text(&["The computer agrees: nobody wins, whatever is played."])
                }
                Agreement::Computer(quiet) if computer_agrees(*quiet, None) => {
                    wins("The computer agrees. Whoever")
                }
                Agreement::Computer(quiet) => agrees_when("The computer does", *quiet, style),
            };
            Sentences { heading, detail }
        }
        Question::Resign(player) => Sentences {
            heading: text(&["Does ", player_name(style, *player), " resign?"]),
            detail: text(&[
                player_name(style, player.opponent()),
                " wins. Only what is in the ",
                style.words.store,
                "s now counts.",
            ]),
        },
        Question::Demo => sentences(
            &["Start the demo?"],
            "Your game waits. Hold any key to leave the demo and play on.",
        ),
        Question::LeaveDemo { waits: true, .. } => {
            sentences(&["Leave the demo?"], "YES brings your game back, NO goes on with the demo.")
        }
        Question::LeaveDemo { .. } => sentences(&["Leave the demo?"], "NO goes on with the demo."),
        Question::Overwrite(kind, name) => sentences(
            &["Overwrite the ", text::kind(*kind), " ", name.as_str(), "?"],
            "What it holds now is lost.",
        ),
        Question::OverwriteOldest(kind, name) => sentences(
            &["Overwrite the oldest ", text::kind(*kind), ", ", name.as_str(), "?"],
            "There is no more room.",
        ),
        Question::Delete(kind, name) => sentences(
            &["Delete the ", text::kind(*kind), " ", name.as_str(), "?"],
            "It does not come back.",
        ),
        Question::DeleteLost(lost) => {
            sentences(&["Delete ", &file_count(*lost), "?"], "Damaged, and without a name.")
        }
        Question::Introduction => sentences(
            &["Shall I show you how to play?"],
            "It is in the menu, too: hold RESET for 1 s, then Play, How to play.",
        ),
    }
}

/// Returns the text about the total scores after a reset.
fn totals_after(after: &TotalsAfter, style: &Style) -> Text {
    match after {
        TotalsAfter::Zero => text(&["Both players' totals become 0."]),
        TotalsAfter::GameUncounted => {
            text(&["Both players' totals become 0. The game in progress counts at its end."])
        }
        TotalsAfter::Game(score) => {
            let mut text = text(&["The totals become the score of this game:"]);
            for (player, separator) in Player::BOTH.into_iter().zip([",", "."]) {
                let (name, stones) = (player_name(style, player), score[player.index()]);
                // The text has room for it.
                let _ = write!(text, " {name}: {stones}{separator}");
            }
            text
        }
    }
}

/// Returns when the computer, called `it`, agrees to abandon play, and how far the game is from
/// that.
fn agrees_when(it: &str, quiet: Quiet, style: &Style) -> Text {
    let Quiet { moves_since_capture: moves, repetitions } = quiet;
    let capture = style.words.capture;
    let mut text = Text::new();
    // The text fits: two digits at most, as the computer does not agree yet.
    let _ = write!(
        text,
        "{it} after {QUIET_MOVES} moves without {capture} (now {moves}) or a position seen \
         {REPETITIONS} times (now {repetitions})."
    );
    text
}

/// Returns the text of a notice. The totals at the end of a game are shown like scores.
pub fn notice(notice: &Notice, style: &Style) -> Sentences {
    match notice {
        Notice::Demo => sentences(
            &["The computer plays against itself"],
            "Hold any key to leave the demo. OK starts it.",
        ),
        Notice::TouchMove(game) => sentences(
            &["Touch-move in ", game.system().title],
            "Touched stones are played: no move is taken back.",
        ),
        Notice::NoGames => {
            sentences(&["No saved games"], "Save Game in the menu File saves the one you play.")
        }
        Notice::NoLogs => sentences(&["No logs"], "Log Game in the menu File writes one."),
        Notice::CannotRead(name) => sentences(
            &[name.as_str(), " cannot be read"],
            "It is damaged. DEL in the list deletes it.",
        ),
        Notice::Lost(lost) => sentences(
            &[&file_count(*lost), " cannot be read"],
            "Damaged, and without a name. DEL in the list deletes.",
        ),
        Notice::NotDeleted(name) => sentences(
            &[name.as_str(), " is still there"],
            "The flash memory has failed. Try again.",
        ),
        Notice::LostNotDeleted => {
            sentences(&["Damaged files are still there"], "The flash memory has failed. Try again.")
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
            let heading = text(&["No room beside ", &file_count(*files)]);
            let detail = match older {
                0 => text(&["Delete one in the menu File: Load Game or Logs, then DEL."]),
                _ => text(&[
                    "Choose an older ",
                    text::kind(*kind),
                    "'s name, or delete one: File, Load Game or Logs, then DEL.",
                ]),
            };
            Sentences { heading, detail }
        }
        Notice::Declined(quiet) => Sentences {
            heading: text(&["The computer plays on"]),
            detail: agrees_when("It agrees", *quiet, style),
        },
        Notice::NothingToUndo => {
            sentences(&["Nothing to take back"], "There is no move of yours before this one.")
        }
        Notice::NothingToRedo => sentences(
            &["Nothing to play again"],
            "Redo follows Undo, until something else is played.",
        ),
        Notice::ScoresReset => {
            sentences(&["The scores are reset"], "A game in progress still counts.")
        }
        Notice::NotHere(game) => sentences(
            &["Not in ", game.system().title],
            "Another game may have it: see the menu Game.",
        ),
        Notice::NotOver(_) => {
            sentences(&["The game is not over"], "Nothing is counted before its end.")
        }
        Notice::GameOver => {
            sentences(&["The game is over"], "New Board in the menu Play begins the next one.")
        }
        Notice::NotInDemo => {
            sentences(&["Not in the demo"], "Hold any key to leave the demo first.")
        }
        Notice::ComputersTurn => {
            sentences(&["The computer is to move"], "Help is for your own turn.")
        }
        Notice::Totals(..) => Sentences { heading: totals(style), detail: Text::new() },
    }
}

fn sentences(heading: &[&str], detail: &str) -> Sentences {
    Sentences { heading: text(heading), detail: text(&[detail]) }
}
