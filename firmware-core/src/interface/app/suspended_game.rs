//! Data of a suspended game, except its history, which is in [`Memory`](super::state::Memory).

use crate::game::places::Player;
use crate::interface::message::Message;
use crate::storage::name::Name;

/// A game that another one has replaced for now.
#[derive(Clone, Copy, Debug)]
pub(super) struct SuspendedGame {
    pub(super) because: SuspendReason,
    /// Whether it had begun and was not over.
    pub(super) in_progress: bool,
    /// Player who began it.
    pub(super) first: Player,
    pub(super) status: Message,
    /// Points that it added to the total scores.
    pub(super) counted: Option<[u32; 2]>,
    /// Name under which it was saved or loaded last.
    pub(super) named: Option<Name>,
}

/// Reason why a game is suspended, which limits for how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SuspendReason {
    /// The user began another game: until the first move of that game.
    NewGame,
    /// The demo runs: until it is left.
    Demo,
}
