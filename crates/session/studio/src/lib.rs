//! The server of `nudge open`: one page on this computer's loopback, and the files of one folder.
//!
//! [`listen`] answers on 127.0.0.1 only. [`Studio`] answers requests: `request` has requests and
//! replies, `guard` refuses requests from another page or without the token, `files` reads and
//! writes in the folder. A [`PageServices`] makes the page and knows source lines.
//!
//! **Invariant:** no request without the token is answered, and no file outside of the folder is
//! read or written but the trace that was opened. It knows no firmware, no board and no page.

mod files;
mod guard;
mod request;
mod server;
mod studio;

pub use files::TraceFolder;
pub use request::{Method, Reply, Request};
pub use server::{ListenError, RunningServer, listen};
pub use studio::{PageError, PageServices, Source, Studio};

/// Most bytes of a request's body, and of a requested file.
pub const BODY_BYTES_MAX: usize = 16 << 20;
