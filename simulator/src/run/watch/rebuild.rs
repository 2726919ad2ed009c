//! Rebuilds firmware when its sources are saved: `nudge run --watch` without the session.
//!
//! - `sources` has the folders that are watched, and which of their files count;
//! - [`Builder`] waits for saved files and builds, on a thread of its own; a file that is saved meanwhile
//!   begins the build again;
//! - [`messages`] reads what cargo says of it.
//!
//! **Invariant:** it knows no firmware, no board and no session: a build is a command of a shell, and its result a
//! file.

mod builder;
pub mod messages;
mod sources;

pub use builder::{Builder, Plan, Progress};
pub use sources::WatchError;
