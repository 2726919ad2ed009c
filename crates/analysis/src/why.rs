//! Where a pixel came from: the SPI transfer that wrote it, the window it went through, and
//! what drew it.
//!
//! [`ask`] replays a trace up to a moment and watches one cell of the LCD's memory meanwhile;
//! of what it sees it keeps the last few writes, so its memory does not grow with the trace.
//! On `native` the view that the firmware was sending names the element; on `pico` a second
//! replay stops where the last write begins, and the program counter names the function. What
//! the trace expects is not judged. It knows no file; [`Answer`]'s `Display` is the report.

mod answer;
mod ask;
mod element;
mod error;
mod observer;
mod report;

pub use answer::{Answer, PixelWritten};
pub use ask::ask;
pub use element::DrawnElement;
pub use error::{PowerThen, Stopped, WhyError};
