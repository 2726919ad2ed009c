//! Replays many traces at once and reports on them: `nudge replay` without its command line.
//!
//! [`run()`] finds the traces below the given paths, replays them on all cores, prints one line per
//! trace in the order of the traces, and returns the result as an `Exit`. The golden frames of
//! `win.trace` are `win/NAME.png` beside it; only [`ReplayOptions::bless`] writes them.
//!
//! The modules:
//!
//! - `run` connects the others. `suite` turns paths into traces, and [`open_trace`] opens one.
//! - `case` replays one trace, unless `results` has the result of an earlier replay.
//! - [`contained()`] turns a panic of the firmware into an error of its machine.
//! - `check` reads traces without a replay, and `rejected` reports the errors of a trace that is
//!   not replayed.
//! - `merge` joins the reports of several machines.
//! - `report` is the data on a replay, `command` the command lines in it. `reporters` write it for
//!   people, CI, browsers and GitHub; the crate `escape` escapes text for them.
//! - `exit` and `options` do not know the modules above. [`notice`] finds reasons why a trace
//!   passes although it tests nothing.
//! - [`observe`] attaches other observers to the same replays. [`film`], [`frames`], [`guard`],
//!   [`shrink`], [`timing`] and [`traffic`] are independent tools for replays.
//!
//! Each report is dropped after it is written: memory does not grow with the number of traces,
//! apart from their names and the contact sheet.
//!
//! **Invariant:** this crate does not know firmware, fonts or boards: machines come from a
//! [`MachineFactory`](hal_mock::setup::MachineFactory), text from a
//! [`Reader`](reading::text::Reader). It reads the wall clock only for the report.

mod case;
mod check;
mod choice;
mod command;
mod contained;
pub mod film;
mod firmware;
pub mod frames;
pub mod guard;
mod hang;
mod header;
pub mod history;
mod memory;
mod merge;
pub mod notice;
pub mod observe;
mod options;
mod parts;
mod rejected;
mod report;
mod reporters;
mod results;
pub mod review;
mod run;
pub mod shrink;
mod suite;
pub mod timing;
pub mod traffic;

pub use case::gallery::chain::{ChainDifference, ChainRecord, Shift};
pub use check::check;
pub use command::quoted;
pub use contained::{contained, crash_of};
pub use firmware::{FirmwareId, FirmwareNamer};
pub use merge::{MergeOptions, durations, merge};
pub use options::converted::{ConvertedTrace, ConvertedTraces};
pub use options::elements::ElementNamer;
pub use options::github::Github;
pub use options::picture_protocol::{PictureProtocol, PictureProtocolError};
pub use options::player::Player;
pub use options::project::Project;
pub use options::result_cache::ResultCache;
pub use options::{JOBS_MAX, REPEATS_MAX, ReplayOptions};
pub use parts::{Joined, MergeError};
pub use reporters::page::{LIST_SCRIPT as PAGE_LIST_SCRIPT, STYLE as PAGE_STYLE};
pub use run::{run, run_observed};
pub use suite::error::FindError;
pub use suite::find::{FoundTrace, find, find_sources};
pub use suite::open::{
    Formatted, IncludedFiles, OpenError, board_of_included, board_parts, format_trace,
    open_recording, open_trace, open_trace_on, parts_of,
};
pub use suite::pack::{PACKED_BYTES_MAX, PackError, pack_trace, pack_trace_on};
pub use suite::shard::{Shard, ShardError};
