//! Finds the commit that introduced a failure: `nudge bisect` without its command line.
//!
//! [`search()`] finds the first bad commit between two, [`git`] queries git for commits and
//! provides the work tree in which they are checked out, [`build`] builds each and replays the
//! trace with it. The user's own checkout is never touched: the work tree is in a temporary folder,
//! which is removed at the end, also after an error or Ctrl-C.

pub mod build;
pub mod git;
pub mod search;

pub use build::{Builder, NotBuilt, Skipped, TraceResult};
pub use git::{Commit, GitError, Repository, WorkTree};
pub use search::{Found, Verdict, search};
