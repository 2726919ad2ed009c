//! The virtual LCD board: clock, pins, the ILI9341 at the end of its SPI wire, buzzer,
//! flash, console; and the traces that press its buttons and read its panel.
//!
//! It meets the firmware only at embedded-hal, embedded-io, embedded-storage and
//! embedded-graphics: it knows no game, no screen, no font of its own and no setting.

pub mod button;
pub mod frame;
pub mod time;

pub use button::Button;
pub use frame::Frame;
pub use time::Nanos;
