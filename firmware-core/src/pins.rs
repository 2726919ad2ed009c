//! The logic between the app and the board's peripherals. The peripherals themselves are traits of
//! embedded-hal, embedded-io and [`sound::Buzzer`].
//!
//! | module | subject |
//! |---|---|
//! | [`button`] | the 13 buttons and their names |
//! | [`contacts`] | the levels and level changes that a board reports |
//! | [`debounce`] | levels of the contacts in, presses out |
//! | [`sound`] | the buzzer's notes |
//! | [`entropy`] | random numbers from the board's noise |
//! | [`console`] | the lines that wait for the UART |
//! | [`command_line`] | the lines that the UART receives |
//! | [`lcd`] | the ILI9341, driven by mipidsi |
//! | [`present`] | updates the panel from one view to the next: only the changed pixels, each once |

pub mod button;
pub mod command_line;
pub mod console;
pub mod contacts;
pub mod debounce;
pub mod entropy;
pub mod lcd;
pub mod present;
pub mod sound;
