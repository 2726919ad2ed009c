//! The status message as a value. [`crate::interface::screen::words`] has its texts.

use crate::game::outcome::{GameResult, PlayError};
use crate::game::places::Player;
use crate::game::reason::Reason;
use crate::pins::button::Button;

/// Number of steps of the bar that fills while RESET is held.
pub const BAR_STEPS: u8 = 28;

/// State of a held RESET.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Holding {
    /// Effect when the bar is full.
    pub does: HoldAction,
    /// Number of full steps of the bar, of [`BAR_STEPS`].
    pub steps: u8,
}

/// Effect of holding RESET.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HoldAction {
    /// Opens the menu.
    Menu,
    /// Shows the keys of Edit Board.
    Keys,
}

/// A status of the game, or the reason why a press did nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Message {
    /// It is this player's turn.
    Turn(Player),
    /// It is this player's turn, and RESET opens the menu.
    TurnHint(Player),
    Holding(Holding),
    /// A game in progress was restarted, and Undo can restore it.
    Restarted,
    /// The player ended in his own store and moves again.
    FreeTurn(Player),
    Captured(Player),
    /// The game is over.
    Over(GameResult),
    /// Both players agreed to stop; this is the result.
    Abandoned(GameResult),
    /// This player resigned: the other one wins.
    Resigned(Player),
    /// A press that the rules do not allow, and the player to move.
    Refused(PlayError, Player),
    /// The coin chose this player to begin.
    Coin(Player),
    /// The game that was in progress when the power went off continues: it is this player's turn.
    Resumed(Player),
    /// A button that has been down since power-on.
    Stuck(Button),
    /// The settings or the totals in flash are damaged; this replaces them.
    StorageDamaged(Fallback),
    /// The computer thinks about this player's move; number of dots, 0 to 3.
    Thinking(Player, u8),
    /// The computer thinks about its advice; number of dots, 0 to 3.
    Helping(u8),
    /// A press after the end of a game with this result: explains how to continue.
    PlayOn(GameResult),
    /// A press in the demo after the end of a game with this result.
    DemoOver(GameResult),
    /// A NUDGE in the demo: explains that holding it leaves the demo.
    HoldToLeave,
    /// A NUDGE together with RESET that makes no chord: names the two that do.
    NoChord,
    /// A press while the computer plays for this player; number of dots, which continue to change.
    NotYetYours(Player, u8),
    /// A cup is counted; the same button again sows it.
    PressAgain,
    /// A cup of the opponent's, or an empty one, is counted.
    Counted,
    /// The computer would play the marked cup, for this reason; without one where stones are not
    /// counted.
    Advice(Option<Reason>),
    /// The board is being edited: the user chooses a stone.
    EditTake,
    /// The board is being edited: the user chooses a place for the stone.
    EditPut,
    /// The user tries to take a stone from an empty place.
    EditNothing,
    /// A change of the settings or the scores could not be stored.
    NotStored,
}

impl Message {
    /// Returns the result of the game, in a message about its end.
    pub const fn result(self) -> Option<GameResult> {
        match self {
            Self::Over(result) | Self::Abandoned(result) => Some(result),
            Self::Resigned(player) => Some(GameResult::Winner(player.opponent())),
            _ => None,
        }
    }

    /// Returns whether the message reports a capture or a free turn, which the next move covers.
    pub const fn is_event(self) -> bool {
        matches!(self, Self::FreeTurn(_) | Self::Captured(_))
    }
}

/// Replacement for damaged settings or totals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fallback {
    /// The ones that were stored before.
    Older,
    /// The settings of a factory-new board.
    Defaults,
    /// Totals of zero.
    NoTotals,
}
