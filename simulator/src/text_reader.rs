//! The reader of the firmware's text, for every board.

use boards::native;
use hal_mock::text::Reader;

/// Creates a reader that recognizes the firmware's fonts on the LCD.
pub fn reader() -> Reader {
    Reader::new(native::fonts())
}
