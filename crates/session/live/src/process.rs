//! A session in a process of its own: firmware that was built a moment ago runs in the program that was built,
//! and a firmware that panics or never returns takes no window with it.
//!
//! `message` is what both ends say, a line of JSON each, behind some of them bytes; `parent` starts the program and is a
//! [`Live`](crate::Live) like any other; `child` is the other end. Neither knows a window or a firmware.

mod child;
mod message;
mod parent;
#[cfg(test)]
mod tests;

pub use child::{ChildError, Machines, serve};
pub(crate) use parent::Process;
pub use parent::spawn_process;
