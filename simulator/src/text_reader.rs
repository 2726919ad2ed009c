//! The fonts that the firmware draws with, whatever board it runs on.

use boards::native;
use reading::text::Reader;

/// What reads the firmware's text off the LCD.
pub fn reader() -> Reader {
    Reader::new(native::fonts())
}
