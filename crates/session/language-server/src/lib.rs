//! Traces, board files and panel tables in an editor, over the Language Server Protocol.
//!
//! [`serve`] answers the messages of one editor until it ends the connection: problems as one types, completion,
//! hover, inlay hints with absolute times, formatting, rename, definitions, and the commands that replay a trace.
//! `docs/editors.md` has the list, and the settings of four editors.
//!
//! - `transport`: messages on a stream, with their limits. `server`: their order, and which function answers.
//! - `document`: a text in the editor, and its positions. `words`: the words of a line, also of a wrong one. `uri`:
//!   paths. `files`: files on the disk, replaced by those that are open in the editor.
//! - `problems`, `completion`, `hover`, `times`, `names`, `lenses`: one file for each kind of answer. `reference`:
//!   the documentation that they show, from the pages in `docs/`.
//! - `tool`: what only the command can do: run a board. Answers that need it come from a thread of their own.
//!
//! The crate knows neither a board nor a firmware: a [`Tool`] runs them. It writes no file.

mod completion;
mod document;
mod files;
mod hover;
mod lenses;
mod names;
mod problems;
mod reference;
mod server;
mod times;
mod tool;
mod transport;
mod uri;
mod words;

pub use document::TEXT_BYTES_MAX;
pub use server::{Ended, serve};
pub use tool::{HeaderProblem, NoTool, Replayed, Shown, Tool};
pub use transport::{HEAD_BYTES_MAX, MESSAGE_BYTES_MAX, TransportError};
