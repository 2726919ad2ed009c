//! A game that is put aside: what is remembered of it beside its history, which lies in
//! [`Memory`](super::state::Memory).

use crate::game::places::Player;
use crate::interface::message::Message;
use crate::storage::name::Name;

/// A game that another one has taken the place of.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shelved {
    pub(super) because: Because,
    /// Whether it had begun and was not over.
    pub(super) in_progress: bool,
    /// Who began it.
    pub(super) first: Player,
    pub(super) status: Message,
    /// What it added to the total scores.
    pub(super) counted: Option<[u32; 2]>,
    /// The name under which it was saved or loaded last.
    pub(super) named: Option<Name>,
}

/// Why a game is put aside, and how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Because {
    /// A person began another one: until that one's first move.
    Anew,
    /// The demo runs: until it is left.
    Demo,
}
