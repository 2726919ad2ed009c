//! The common parts of the tests of the whole board: a player, the reference rules, a reader of the
//! LCD.
//!
//! The tests themselves are in `tests/tests`, the recorded traces in `tests/traces`.
//!
//! | module | subject | does not know |
//! |---|---|---|
//! | [`mod@reference`] | the four systems once more, from their source documents | the firmware |
//! | [`rare`] | rare events of a game, by name | the firmware |
//! | [`session`] | a person at the board: presses, waits, reads the console | rules, pixels |
//! | [`menus`] | the button presses that lead to each entry of the menus | rules, the firmware |
//! | [`own_words`] | words that a system does not have, because another has them | screens |
//! | [`glance`] | reads the LCD as a person does: digits, stones, words, whose turn | rules, the console |
//! | [`paper`] | a view drawn as the panel would show it, whole or only its changes | buses, the presenter |
//! | [`vision`], [`legible`] | colours as different eyes see them, and whether text is large and bright enough: those of `analysis` | screens |
//! | [`sheet`] | pictures next to each other on sheets, for inspection | their content |
//! | [`dice`] | seeded random numbers | everything else |
//! | [`part`] | the cases of a long test that this run plays | the cases |

pub mod dice;
pub mod glance;
pub mod menus;
pub mod own_words;
pub mod paper;
pub mod part;
pub mod rare;
pub mod reference;
pub mod session;
pub mod sheet;

pub use legibility::{legible, vision};
