//! Whole games and sessions on the board `native`, by random players.
//!
//! | file | claims |
//! |---|---|
//! | `differential` | every move goes as the reference says |
//! | `properties` | what holds for every session of presses and power cuts |
//! | `reference` | the reference plays the examples of its sources |

mod differential;
mod properties;
mod reference;
