//! Whole games and sessions on the board `native`, by random players.
//!
//! | file | claims |
//! |---|---|
//! | `differential` | every move is equal to that of the reference |
//! | `properties` | properties of every session of presses and power cuts |
//! | `reference` | the reference plays the examples of its sources |

mod differential;
mod properties;
mod reference;
