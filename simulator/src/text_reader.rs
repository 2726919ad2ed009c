//! The reader of the firmware's text, for every board.

use firmware_board::native;
use reading::text::Reader;

/// Creates a reader that recognizes the firmware's fonts on the LCD.
pub fn reader() -> Reader {
    Reader::new(native::fonts())
}
