//! The page that contains the machine: one HTML file that needs no other file and no network.
//!
//! [`Bundle`] is the output of `make page`: the machine as WebAssembly, the page's script and
//! style. `data` has the data of a page, which `docs/page-data.md` describes: [`PackedTrace`],
//! [`Failure`], [`BlobWriter`]. [`Document`] joins both into a file. A page with more than one
//! board, such as a report, is written by its own crate with [`write_engine`], [`entry`] and
//! [`rest`].
//!
//! **Invariant:** all text of a trace is escaped by [`escape::json`] or [`escape::html`] before it
//! is written into a page. This crate knows no firmware, no board, no report and no server, and
//! opens no file.

mod bundle;
mod data;
mod document;

pub use bundle::{Bundle, BundleError};
pub use data::{
    BlobWriter, Failure, Mode, PackedBoard, PackedTrace, TraceEntry, board_file, entry,
};
pub use document::{Document, Server, policy, rest, write_engine};
