//! Loops that only wait, whose rounds are skipped.

mod counting;
mod polling;
mod record;
mod repeat;
pub(crate) mod rhythm;
mod slopes;
mod state;
mod turn;

pub(in crate::cpu) use record::Recording;
pub(in crate::cpu) use state::Waiting;
