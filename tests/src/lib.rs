//! What the tests of the whole board share: who plays, who knows the rules, who reads the LCD.
//!
//! The tests themselves are in `tests/tests`, the recorded traces in `tests/traces`.
//!
//! | module | subject | does not know |
//! |---|---|---|
//! | [`reference`] | the `board` rules once more, from their source document | the firmware |
//! | [`session`] | a person at the board: presses, waits, listens | rules, pixels |
//! | [`glance`] | what a person reads off the LCD: digits, stones, words, whose turn | rules, the console |
//! | [`paper`] | a view drawn as the panel would show it, whole or what changed | buses, the presenter |
//! | [`dice`] | seeded chance | everything else |

pub mod dice;
pub mod glance;
pub mod paper;
pub mod reference;
pub mod session;
