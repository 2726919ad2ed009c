//! The status message as a value. [`crate::interface::screen::words`] puts it into words.

use crate::game::outcome::{GameResult, PlayError};
use crate::game::places::Player;
use crate::pins::button::Button;

/// Steps of the bar that fills while RESET is held.
pub const BAR_STEPS: u8 = 28;

/// RESET is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Holding {
    /// What that will do.
    pub does: HoldDoes,
    /// Steps of the bar that are full, of [`BAR_STEPS`].
    pub steps: u8,
}

/// What holding RESET does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HoldDoes {
    /// It opens the menu.
    Menu,
    /// It shows the keys of Edit Board.
    Keys,
}

/// A status of the game, or why a press did nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Message {
    /// It is this player's turn.
    Turn(Player),
    /// It is this player's turn, and RESET opens the menu.
    TurnHint(Player),
    /// RESET is held.
    Holding(Holding),
    /// A game in progress was restarted, and can be brought back.
    Restarted,
    /// The player ended in his own store and moves again.
    FreeTurn(Player),
    /// The player captured.
    Captured(Player),
    /// The game is over.
    Over(GameResult),
    /// Both players agreed to stop; the game came out like this.
    Abandoned(GameResult),
    /// This player gave the game up: the other one wins.
    Resigned(Player),
    /// A press that the rules do not allow, and whose turn it is.
    Refused(PlayError, Player),
    /// The coin showed this player: he begins.
    Coin(Player),
    /// The game that was in progress when the power went goes on: it is this player's turn.
    GoesOn(Player),
    /// A button that has been down since power-on.
    Stuck(Button),
    /// The settings or the totals in flash are damaged; this is used instead.
    StorageDamaged(Instead),
    /// The computer thinks about this player's move; so many dots are seen, 0 to 3.
    Thinking(Player, u8),
    /// The computer thinks about what to advise; so many dots are seen, 0 to 3.
    Helping(u8),
    /// A press after the end of a game that came out like this: what goes on.
    PlayOn(GameResult),
    /// The same in the demo.
    DemoOver(GameResult),
    /// A NUDGE in the demo: held, it leaves it.
    HoldToLeave,
    /// A press while it is the computer's turn, who plays for this player; the dots run on.
    NotYetYours(Player, u8),
    /// A cup is counted; the same button again sows it.
    PressAgain,
    /// A cup of the opponent's, or an empty one, is counted.
    Counted,
    /// The computer would play the marked cup.
    Advice,
    /// The board is being edited: a stone is to be chosen.
    EditTake,
    /// The board is being edited: a stone is to be put somewhere.
    EditPut,
    /// A press that takes a stone from where none is.
    EditNothing,
    /// A change of the settings or the scores could not be stored.
    NotStored,
}

impl Message {
    /// How the game came out, in a message about its end.
    pub const fn result(self) -> Option<GameResult> {
        match self {
            Self::Over(result) | Self::Abandoned(result) => Some(result),
            Self::Resigned(player) => Some(GameResult::Winner(player.opponent())),
            _ => None,
        }
    }

    /// Whether it tells of a capture or a free turn, which the next move covers.
    pub const fn is_event(self) -> bool {
        matches!(self, Self::FreeTurn(_) | Self::Captured(_))
    }
}

/// What is used instead of settings or totals that are damaged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Instead {
    /// Those that were stored before.
    Older,
    /// The settings of a factory-new board.
    Defaults,
    /// Totals of zero.
    NoTotals,
}
