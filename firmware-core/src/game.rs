//! The game: how Mancala is played, without pixels, pins or flash.
//!
//! | module | subject |
//! |---|---|
//! | [`places`] | the board: players, cups, stores, directions, sets of places |
//! | [`outcome`] | what a move does, or why it cannot be made |
//! | [`rules`] | positions, sowing, captures, the end of a game, for all four systems |
//! | [`systems`] | the register of game systems |
//! | [`history`] | the steps of the game in progress: undo, saved games, the log |
//! | [`opponent`] | the computer's moves |
//! | [`agreement`] | when the computer agrees to abandon play |
//! | [`reason`] | what a move gains or prevents at once |
//! | [`random`] | random numbers from a seed |

pub mod agreement;
pub mod history;
pub mod opponent;
pub mod outcome;
pub mod places;
pub mod random;
pub mod reason;
pub mod rules;
pub mod systems;
