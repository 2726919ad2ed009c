//! The wall clock, and how virtual time keeps step with it.
//!
//! [`Stopwatch`] and [`file_stamp`] are the only places of the project that read the wall clock, [`wait()`] the only one that waits for it. What is calculated
//! from it ([`Speed`], [`Pacer`]) takes the reading as an argument and is plain arithmetic. It
//! knows no board, no window and no thread.

mod date;
mod pacer;
mod speed;
mod stopwatch;
mod wait;

pub use date::file_stamp;
pub use pacer::{LAG_MAX, Pacer};
pub use speed::{Speed, SpeedError};
pub use stopwatch::Stopwatch;
pub use wait::wait;
