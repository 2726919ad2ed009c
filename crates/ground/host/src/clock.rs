//! The wall clock, and the pacing of virtual time by it.
//!
//! [`Stopwatch`], [`file_stamp`], [`today`] and [`iso_stamp`] are the only places of the project that read the wall clock,
//! [`wait()`] the only one that waits for it. [`Speed`] and [`Pacer`] take the reading as an
//! argument and are plain arithmetic. The crate knows no board, no window and no thread.

mod date;
mod pacer;
mod speed;
mod stopwatch;
mod wait;

pub use date::{file_stamp, iso_stamp, today};
pub use pacer::{LAG_MAX, Pacer};
pub use speed::{Speed, SpeedError};
pub use stopwatch::Stopwatch;
pub use wait::wait;
