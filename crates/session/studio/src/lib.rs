//! The server of `nudge open`: one page on this computer's loopback, and the files of one folder.
//!
//! [`listen`] answers on 127.0.0.1 only. [`Studio`] answers requests: `request` has the requests of a browser
//! and their answers, `guard` refuses requests of other pages or without the token, `files` reads and writes
//! in the folder. A [`PageServices`] makes the page and finds source lines.
//!
//! **Invariant:** a request without the token of this session is refused, and the only file outside of the
//! folder that can be read or written is the opened trace. This crate knows no firmware, no board and no page.

mod files;
mod guard;
mod request;
mod server;
mod studio;

pub use files::Sandbox;
pub use request::{Method, Reply, Request};
pub use server::{ListenError, RunningServer, listen};
pub use studio::{PageServices, Source, Studio};

/// Maximum size of a request's body, or of a requested file, in bytes.
pub const BODY_BYTES_MAX: usize = 16 << 20;
