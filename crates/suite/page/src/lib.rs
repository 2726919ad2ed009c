//! The page that contains the machine: one HTML file that needs no other file and no network.
//!
//! [`Bundle`] is what `make page` has built: the machine as WebAssembly, the page's script and style.
//! `data` is what a page shows, as `docs/page-data.md` describes it: [`PackedTrace`], [`Failure`],
//! [`Blobs`]; [`Document`] joins both to a file, and a page that holds more than the board does so itself
//! with [`write_engine`], [`entry`] and [`rest`].
//!
//! **Invariant:** whatever a trace contains passes [`escape::json`] or [`escape::html`] before it stands in a
//! page. It knows no firmware, no board, no report and no server, and opens no file.

mod bundle;
mod data;
mod document;

pub use bundle::{Bundle, NoBundle};
pub use data::{Blobs, Failure, Mode, PackedTrace, TraceEntry, entry};
pub use document::{Document, Server, policy, rest, write_engine};
