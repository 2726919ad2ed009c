//! The only place that writes files: completely or not at all, and never over a file of another
//! kind.
//!
//! [`Output`] names a file and the rules for it. [`Output::create`] opens a temporary file in the
//! same folder, [`OutputFile::commit`] renames it to its path. Until then the path is unchanged; a
//! dropped [`OutputFile`] leaves neither the temporary file nor a folder that was created for it.
//! [`Log`] is the exception, because a crash must not cost a line: it is appended to in place, and
//! truncated to a whole line when a write fails. [`FileLock`] prevents two programs from replacing
//! one file in turn.
//!
//! Rules for all writers:
//! - Missing parent folders are created.
//! - A file that exists is replaced only if [`Output::replace`] allows it, or
//!   [`Output::replace_like`] recognises it as a file of the same kind.
//! - Only [`Output::trace`] writes a file named `*.trace`, and only [`Output::golden`] writes into
//!   the folder of a trace's golden pictures.
//! - [`goldens_of`] and [`inside`] make the paths that are derived from a trace's name; these do
//!   not lead out of their folder.
//! - A symbolic link is followed: its target is replaced, the link stays.
//! - [`remove_unfinished`] ends all writing, for a process that is about to exit.
//!
//! The crate knows no format, no board and no command line.

mod copy;
mod error;
mod file;
mod folder;
mod golden;
#[cfg(any(unix, windows))]
mod lock;
mod log;
mod output;
mod place;
mod unfinished;

pub use copy::{copy_new, write_new};
pub use error::OutputError;
pub use file::OutputFile;
pub use golden::trace_of_goldens;
#[cfg(any(unix, windows))]
pub use lock::{FileLock, LockError};
pub use log::Log;
pub use output::{Output, Recognizer, check_folder, create_folder, demand_extension};
pub use place::{goldens_of, inside};
pub use unfinished::remove_unfinished;
