//! Finds the origin of a pixel: the SPI transfer that wrote it, the address window that it was
//! written through, and the element or function that drew it.
//!
//! [`ask()`] replays a trace up to a given time and watches one cell of the LCD's memory. It
//! retains the last few writes, so its memory does not grow with the trace. On `native` the view
//! that the firmware was sending identifies the element, if the application tells its views
//! ([`insight::Interior`]); on `pico` a second replay stops where the last write begins, and the
//! program counter identifies the function. Expectations of the trace are ignored. This crate knows
//! no firmware and no files; [`Answer`]'s `Display` is the report.

mod answer;
mod ask;
mod error;
mod observer;
mod report;

pub mod thoughts;

pub use answer::{Answer, PixelWritten};
pub(crate) use ask::without_expectations;
pub use ask::{Pixel, ask, elements};
pub use error::{PowerThen, Stopped, WhyError};
