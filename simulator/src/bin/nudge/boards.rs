//! The firmware that the verbs run, and the fonts it draws with.

use hal_mock::Machine;
use hal_mock::text::Reader;
use hal_mock::trace::Trace;
use simulator::native;
use simulator::setup::SetupError;

/// A fresh machine for `trace`.
pub fn build(trace: &Trace) -> Result<Box<dyn Machine>, SetupError> {
    native::build(trace, None)
}

/// What reads the firmware's text off the LCD.
pub fn reader() -> Reader {
    Reader::new(native::fonts())
}
