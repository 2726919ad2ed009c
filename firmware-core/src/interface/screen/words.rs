//! The sentences of the status message, composed of each system's own nouns: the same
//! sentence is written once. The console writes them too. It knows no font and no pixel.

use core::fmt::{self, Write as _};

use heapless::String;

use crate::game::outcome::{GameResult, PlayError};
use crate::game::places::Player;
use crate::interface::message::{HoldDoes, Instead, Message};

/// Characters of the longest line that has room beside the stores at the ends of the board;
/// between the stores in its middle there are fewer.
pub const LONGEST: usize = 16;

/// How the menu opens.
pub const HINT: &str = "Hold RESET: menu";

/// The one or two lines of a message; the second may be empty.
pub type Lines = [String<LONGEST>; 2];

/// What a system calls things.
#[derive(Clone, Copy, Debug)]
pub struct Words {
    /// The bottom and the top player, at most eight characters.
    pub players: [&'static str; 2],
    /// A cup of a row.
    pub cup: &'static str,
    /// What is sown.
    pub stone: &'static str,
    /// Where a player's stones end up.
    pub store: &'static str,
    /// What a player has who moves again.
    pub free_turn: &'static str,
    /// What a player does who captures.
    pub captures: &'static str,
    /// How the log begins the number of stones that were captured.
    pub capturing: &'static str,
    /// What has not happened in quiet moves, at most ten characters.
    pub capture: &'static str,
    /// What happened to captured stones, at the beginning of a sentence.
    pub captured: &'static str,
    /// A game without a winner.
    pub draw: &'static str,
}

impl Words {
    /// `message` in these words.
    pub fn lines(&self, message: Message) -> Lines {
        let cup = self.cup;
        let name = |player: Player| self.players[player.index()];
        match message {
            Message::Turn(player) => one(format_args!("{}'s turn", name(player))),
            Message::TurnHint(player) => {
                two(format_args!("{}'s turn", name(player)), format_args!("{HINT}"))
            }
            Message::Holding(holding) => one(format_args!("{}", hold(holding.does))),
            Message::Restarted => [line("Game restarted"), line("Undo: RESET + T6")],
            Message::FreeTurn(player) => [line(name(player)), line(self.free_turn)],
            Message::Captured(player) => [line(name(player)), line(self.captures)],
            Message::Over(result) => [line("GAME OVER"), self.result(result)],
            Message::Abandoned(result) => [line("PLAY ABANDONED"), self.result(result)],
            Message::Resigned(player) => two(
                format_args!("{} resigns", name(player)),
                format_args!("{} wins", name(player.opponent())),
            ),
            Message::Refused(PlayError::NotYours, player) => {
                two(format_args!("Not your {cup}:"), format_args!("{}'s turn", name(player)))
            }
            Message::Refused(PlayError::Empty, _) => {
                two(format_args!("Empty {cup}:"), format_args!("choose another"))
            }
            Message::Refused(PlayError::GameOver, _) => [line("GAME OVER:"), line("press RESET")],
            Message::Coin(player) => {
                two(format_args!("Coin flip:"), format_args!("{} begins", name(player)))
            }
            Message::GoesOn(player) => {
                two(format_args!("Game goes on:"), format_args!("{}'s turn", name(player)))
            }
            Message::Stuck(button) => {
                two(format_args!("{} is stuck", button.name()), format_args!("and ignored"))
            }
            Message::StorageDamaged(instead) => {
                [line("Flash damaged:"), line(instead_of_damaged(instead))]
            }
            Message::NotStored => [line("Flash failed:"), line("not stored")],
            // As wide with any number of dots: only the dots' own cells change.
            Message::Thinking(player, count) => {
                two(format_args!("{} thinks", name(player)), format_args!("{}", dots(count)))
            }
            Message::Helping(count) => two(format_args!("Help"), format_args!("{}", dots(count))),
            Message::PlayOn(result) => {
                two(format_args!("{}:", self.result(result)), format_args!("press RESET"))
            }
            Message::DemoOver(result) => {
                two(format_args!("{}:", self.result(result)), format_args!("hold to leave"))
            }
            Message::HoldToLeave => [line("Hold a button"), line("to leave")],
            Message::NotYetYours(player, count) => {
                let (name, dots) = (name(player), dots(count));
                two(format_args!("{name} thinks:"), format_args!("please wait{dots}"))
            }
            Message::PressAgain => [line("Press again"), line("to sow it")],
            Message::Counted => [line("Only counted:"), line("can't be sown")],
            Message::Advice => two(format_args!("Help: play the"), format_args!("marked {cup}")),
            Message::EditTake => [line("Edit: take one"), line("RESET: more")],
            Message::EditPut => [line("Edit: put it"), line("RESET: more")],
            Message::EditNothing => {
                two(format_args!("No {} here:", self.stone), format_args!("choose another"))
            }
        }
    }

    /// How a game came out.
    pub fn result(&self, result: GameResult) -> String<LONGEST> {
        match result {
            GameResult::Winner(player) => {
                written(format_args!("{} wins", self.players[player.index()]))
            }
            GameResult::Draw => line(self.draw),
        }
    }
}

/// What holding RESET does.
pub const fn hold(does: HoldDoes) -> &'static str {
    match does {
        HoldDoes::Menu => "Hold: menu",
        HoldDoes::Keys => "Hold: keys",
    }
}

fn instead_of_damaged(instead: Instead) -> &'static str {
    match instead {
        Instead::Older => "old data used",
        Instead::Defaults => "defaults used",
        Instead::NoTotals => "totals at zero",
    }
}

/// Dots that are seen at most while the computer thinks.
const MOST_DOTS: usize = 3;

/// So many dots in the cells of as many as there can be.
fn dots(count: u8) -> &'static str {
    ["   ", ".  ", ".. ", "..."][usize::from(count).min(MOST_DOTS)]
}

fn one(first: fmt::Arguments<'_>) -> Lines {
    [written(first), String::new()]
}

fn two(first: fmt::Arguments<'_>, second: fmt::Arguments<'_>) -> Lines {
    [written(first), written(second)]
}

fn line(text: &str) -> String<LONGEST> {
    written(format_args!("{text}"))
}

/// `text`, cut off where a line has no more room. A test of every message in every system's
/// words checks that none is cut.
fn written(text: fmt::Arguments<'_>) -> String<LONGEST> {
    let mut line = String::new();
    let _ = line.write_fmt(text);
    line
}
