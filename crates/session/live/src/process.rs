//! A session in a process of its own: firmware that was just built runs in the program that was
//! built, and firmware that panics or never returns does not end the window.
//!
//! `message` has the messages of both ends, a line of JSON each, some of them followed by bytes;
//! `parent` starts the program and is a [`Live`](crate::Live) like any other; `child` is the
//! other end. Neither knows a window or a firmware.

mod child;
mod message;
mod parent;
#[cfg(test)]
mod tests;

pub use child::{ChildError, Machines, serve};
pub(crate) use parent::Process;
pub use parent::spawn_process;
