//! The server of `nudge open`: one page on this computer's loopback, and the files of one folder.
//!
//! [`listen`] answers on 127.0.0.1 only. [`Studio`] decides what is answered: `request` is what a browser
//! asks, `guard` refuses what comes from another page or has no token, `files` reads and writes in the
//! folder. What makes the page and knows source lines is a [`PageServices`].
//!
//! **Invariant:** a request without the token of this session is refused, and the only file outside of the
//! folder that can be read or written is the opened trace. This crate knows no firmware, no board and no page.

mod files;
mod guard;
mod request;
mod server;
mod studio;

pub use files::TraceFolder;
pub use request::{Method, Reply, Request};
pub use server::{ListenError, RunningServer, listen};
pub use studio::{PageServices, Source, Studio};

/// Maximum size of a request's body, or of a requested file, in bytes.
pub const BODY_BYTES_MAX: usize = 16 << 20;
