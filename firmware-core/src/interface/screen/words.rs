//! The sentences of the status message, composed with each system's own nouns, so that every
//! sentence is written once. The console prints them too. This module knows no font and no pixel.

use core::fmt::{self, Write as _};

use heapless::String;

use crate::game::outcome::{GameResult, PlayError};
use crate::game::places::Player;
use crate::game::reason::Reason;
use crate::interface::message::{Fallback, HoldAction, Message};

/// Length in characters of the longest line that fits next to the stores at the ends of the board;
/// between the stores in its middle fewer fit.
pub const LONGEST: usize = 16;

/// Text that explains how to open the menu.
pub const HINT: &str = "Hold RESET: menu";

/// One or two lines of a message; the second may be empty.
pub type Lines = [String<LONGEST>; 2];

/// Nouns and verbs of a system.
#[derive(Clone, Copy, Debug)]
pub struct Words {
    /// Names of the bottom and the top player, at most eight characters.
    pub players: [&'static str; 2],
    /// Name of a cup of a row.
    pub cup: &'static str,
    /// Name of a stone.
    pub stone: &'static str,
    /// Name of a store.
    pub store: &'static str,
    /// Name of an extra turn.
    pub free_turn: &'static str,
    /// Verb for a capture, after the player's name.
    pub captures: &'static str,
    /// Word before the number of captured stones in the log.
    pub capturing: &'static str,
    /// Noun for the event that quiet moves lack, at most ten characters.
    pub capture: &'static str,
    /// Beginning of a sentence about captured stones.
    pub captured: &'static str,
    /// Name of a game without a winner.
    pub draw: &'static str,
}

impl Words {
    /// Returns `message` in these words.
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
            Message::Resumed(player) => {
                two(format_args!("Game goes on:"), format_args!("{}'s turn", name(player)))
            }
            Message::Stuck(button) => {
                two(format_args!("{} is stuck", button.name()), format_args!("and ignored"))
            }
            Message::StorageDamaged(instead) => {
                [line("Flash damaged:"), line(fallback_text(instead))]
            }
            Message::NotStored => [line("Flash failed:"), line("not stored")],
            // The same width for any number of dots: only the dots' own cells change.
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
            Message::NoChord => [line("Not with RESET"), line("T5 Help, T6 Undo")],
            Message::NotYetYours(player, count) => {
                let (name, dots) = (name(player), dots(count));
                two(format_args!("{name} thinks:"), format_args!("please wait{dots}"))
            }
            Message::PressAgain => [line("Press again"), line("to sow it")],
            Message::Counted => [line("Only counted:"), line("can't be sown")],
            Message::Advice(None) => {
                two(format_args!("Help: play the"), format_args!("marked {cup}"))
            }
            Message::Advice(Some(reason)) => {
                [written(format_args!("Help: this {cup}")), self.reason(reason)]
            }
            Message::EditTake => [line("Edit: take one"), line("RESET: more")],
            Message::EditPut => [line("Edit: put it"), line("RESET: more")],
            Message::EditNothing => {
                two(format_args!("No {} here:", self.stone), format_args!("choose another"))
            }
        }
    }

    /// Returns what a cup does, as the end of a sentence about it.
    fn reason(&self, reason: Reason) -> String<LONGEST> {
        match reason {
            Reason::Only => line("must be played"),
            Reason::Wins => line("wins the game"),
            Reason::Captures(stones) => written(format_args!("{} {stones}", self.capturing)),
            Reason::MovesAgain => line("moves again"),
            Reason::Saves(stones) => written(format_args!("saves {stones}")),
            Reason::Threatens(stones) => written(format_args!("threatens {stones}")),
            Reason::Later => line("pays off later"),
        }
    }

    /// Returns the text of a game's result.
    pub fn result(&self, result: GameResult) -> String<LONGEST> {
        match result {
            GameResult::Winner(player) => {
                written(format_args!("{} wins", self.players[player.index()]))
            }
            GameResult::Draw => line(self.draw),
        }
    }
}

/// Returns the text for holding RESET.
pub const fn hold(does: HoldAction) -> &'static str {
    match does {
        HoldAction::Menu => "Hold: menu",
        HoldAction::Keys => "Hold: keys",
    }
}

fn fallback_text(instead: Fallback) -> &'static str {
    match instead {
        Fallback::Older => "old data used",
        Fallback::Defaults => "defaults used",
        Fallback::NoTotals => "totals at zero",
    }
}

/// Maximum number of dots shown while the computer thinks.
const MOST_DOTS: usize = 3;

/// Returns `count` dots, padded to the cells of the maximum.
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

/// Formats `text`, truncated to the length of a line. A test of every message in every system's
/// words checks that none is truncated.
fn written(text: fmt::Arguments<'_>) -> String<LONGEST> {
    let mut line = String::new();
    let _ = line.write_fmt(text);
    line
}
