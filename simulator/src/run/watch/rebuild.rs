//! Rebuilds firmware when its sources are saved: `nudge run --watch` without the session.
//!
//! - `sources` watches folders and reports saved source files;
//! - [`Builder`] waits for saved files and builds, on its own thread; a file that is saved during a build
//!   restarts the build;
//! - [`messages`] parses cargo's messages, `progress` its progress bar.
//!
//! **Invariant:** this module knows no firmware, no board and no session: a build is a shell
//! command, and its result is a file.

mod builder;
pub mod messages;
mod progress;
mod sources;

pub use builder::{BuildEvent, BuildSettings, Builder};
pub use sources::WatchError;
