//! Limits of a board file. They bound the time and the memory of reading one.

/// Version of the format.
pub const VERSION: i64 = 1;
/// Maximum size of a file in bytes.
pub const FILE_BYTES_MAX: usize = 256 << 10;
/// Maximum number of parts on a board.
pub const PARTS_MAX: usize = 200;
/// Maximum number of buttons on a board, those of its matrices included.
pub const BUTTONS_MAX: usize = 128;
/// Maximum number of values in one list.
pub const LIST_MAX: usize = 256;
/// Maximum number of errors in one report.
pub const ERRORS_MAX: usize = 20;
/// Maximum number of errors that are collected before the first [`ERRORS_MAX`] are chosen.
pub(crate) const COLLECTED_MAX: usize = 2_000;
/// Maximum width and height of a display in pixels.
pub const DISPLAY_SIDE_MAX: u32 = 1_024;
/// Maximum number of characters of a name.
pub const NAME_CHARS_MAX: usize = 24;
/// Maximum number of bytes of a text: a path or the title of the board.
pub const TEXT_BYTES_MAX: usize = 1_024;
/// Maximum number of columns and rows of the face.
pub const GRID_MAX: u32 = 64;
/// Number of characters of a text from the file that a message quotes.
pub(crate) const QUOTED_CHARS_MAX: usize = 40;
/// Highest GPIO number of the RP2040 (RP2040 datasheet, 1.4.3).
pub const GPIO_MAX: u8 = 29;
/// Lowest GPIO number with an analog input: ADC0 is GP26, ADC3 is GP29.
pub const FIRST_ANALOG_GPIO: u8 = 26;

const _: () = assert!(BUTTONS_MAX <= PARTS_MAX);
const _: () = assert!(ERRORS_MAX < COLLECTED_MAX);
const _: () = assert!(FIRST_ANALOG_GPIO <= GPIO_MAX);
