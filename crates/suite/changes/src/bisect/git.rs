//! Queries git: which commit a name denotes, which commits are between two, and a separate work
//! tree.
//!
//! This module reads only plumbing commands, whose output git keeps stable. It does not know
//! builds.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use host::{
    Interrupt,
    child::{self, ChildError, Limits},
};
use tempfile::TempDir;
use thiserror::Error;

/// Maximum size of an answer from git, in bytes: a million commits.
const BYTES_MAX: usize = 64 << 20;
/// Number of digits in an abbreviated commit name.
const SHORT: usize = 12;

/// Full name of a commit.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Commit(pub String);

impl Commit {
    /// Returns the abbreviated name.
    pub fn short(&self) -> &str {
        self.0.get(..SHORT).unwrap_or(&self.0)
    }
}

/// Reason why a query to git fails.
#[derive(Debug, Error)]
pub enum GitError {
    /// Git cannot be run.
    #[error("git: {0}")]
    Child(#[from] ChildError),
    /// Git refuses the command.
    #[error("git {verb} fails: {said}")]
    Refused {
        /// Name of the git command.
        verb: String,
        /// Last line on git's standard error.
        said: String,
    },
    /// The name does not denote a commit.
    #[error("`{0}` is no commit of this repository; `git log --oneline` lists them")]
    NoCommit(String),
    /// The folder is not in a repository.
    #[error("{} belongs to no git repository; run it in a checkout of nudge", .0.display())]
    NoRepository(PathBuf),
    /// The temporary folder cannot be created.
    #[error("no temporary folder: {0}")]
    Folder(#[from] std::io::Error),
}

/// A repository, addressed by a folder in it.
#[derive(Clone, Debug)]
pub struct Repository {
    folder: PathBuf,
    interrupt: Interrupt,
}

impl Repository {
    /// Returns the repository that `folder` belongs to.
    ///
    /// # Errors
    /// If there is none.
    pub fn around(folder: &Path, interrupt: Interrupt) -> Result<Self, GitError> {
        let repository = Self { folder: folder.to_owned(), interrupt };
        match repository.git(["rev-parse", "--git-dir"]) {
            Err(GitError::Refused { .. }) => Err(GitError::NoRepository(folder.to_owned())),
            answer => answer.map(|_| repository),
        }
    }

    /// Runs `git` with `arguments` and returns its standard output.
    fn git<I: AsRef<OsStr>>(
        &self,
        arguments: impl IntoIterator<Item = I>,
    ) -> Result<String, GitError> {
        let mut command = Command::new("git");
        command.arg("-C").arg(&self.folder).args(arguments);
        // A hook or an alias that calls this program sets these variables for its own repository.
        for variable in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX"] {
            command.env_remove(variable);
        }
        let interrupt = self.interrupt.clone();
        let ended = child::run(&mut command, &Limits { interrupt, time: None, bytes: BYTES_MAX })?;
        if ended.status.success() {
            return Ok(String::from_utf8_lossy(&ended.out).into_owned());
        }
        let said = ended.err.lines().last().unwrap_or("it gives no reason").to_owned();
        let verb = command.get_args().nth(2).unwrap_or_default().to_string_lossy().into_owned();
        Err(GitError::Refused { verb, said })
    }

    /// Returns the commit that `name` denotes.
    ///
    /// # Errors
    /// If there is none.
    pub fn commit(&self, name: &str) -> Result<Commit, GitError> {
        let of = format!("{name}^{{commit}}");
        match self.git(["rev-parse", "--verify", "--quiet", "--end-of-options", &of]) {
            Err(GitError::Refused { .. }) => Err(GitError::NoCommit(name.to_owned())),
            answer => answer.map(|text| Commit(text.trim().to_owned())),
        }
    }

    /// Returns whether `one` is an ancestor of `other`, or the same commit.
    ///
    /// # Errors
    /// If git fails.
    pub fn is_ancestor(&self, one: &Commit, other: &Commit) -> Result<bool, GitError> {
        Ok(self.merge_base(one, other)?.as_ref() == Some(one))
    }

    /// Returns the best common ancestor of two commits.
    ///
    /// # Errors
    /// If git fails.
    pub fn merge_base(&self, one: &Commit, other: &Commit) -> Result<Option<Commit>, GitError> {
        match self.git(["merge-base", &one.0, &other.0]) {
            Err(GitError::Refused { .. }) => Ok(None),
            answer => Ok(answer?.lines().next().map(|line| Commit(line.to_owned()))),
        }
    }

    /// Returns the commits that are reachable from `bad`, including `bad`, but from no commit in
    /// `good`. A commit is earlier in the list the more evenly it splits the rest.
    ///
    /// # Errors
    /// If git fails.
    pub fn between(&self, good: &[Commit], bad: &Commit) -> Result<Vec<Commit>, GitError> {
        let without = good.iter().map(|commit| format!("^{}", commit.0));
        let arguments = ["rev-list", "--bisect-all", &bad.0].map(str::to_owned);
        let text = self.git(arguments.into_iter().chain(without))?;
        let first = |line: &str| line.split_whitespace().next().map(|name| Commit(name.to_owned()));
        Ok(text.lines().filter_map(first).collect())
    }

    /// Returns the first line of a commit's message.
    ///
    /// # Errors
    /// If git fails.
    pub fn subject(&self, commit: &Commit) -> Result<String, GitError> {
        let text = self.git(["show", "--no-patch", "--format=%s", &commit.0])?;
        Ok(text.lines().next().unwrap_or_default().to_owned())
    }
}

/// A work tree in a temporary folder, separate from the user's own.
#[derive(Debug)]
pub struct WorkTree {
    repository: Repository,
    folder: TempDir,
}

impl WorkTree {
    /// Creates the work tree at `commit`.
    ///
    /// # Errors
    /// If git refuses.
    pub fn new(repository: &Repository, commit: &Commit) -> Result<Self, GitError> {
        let folder = tempfile::tempdir()?;
        let place = folder.path().join("tree");
        let tree = Self { repository: repository.clone(), folder };
        let add = ["worktree", "add", "--detach", "--force"].map(OsStr::new);
        let add = add.into_iter().chain([place.as_os_str(), OsStr::new(&commit.0)]);
        repository.git(add)?;
        Ok(tree)
    }

    /// Returns the folder of the checked-out files.
    pub fn path(&self) -> PathBuf {
        self.folder.path().join("tree")
    }

    /// Returns the path of a folder that is removed together with the work tree.
    pub fn beside(&self) -> PathBuf {
        self.folder.path().join("target")
    }

    /// Checks out `commit`, replacing the files.
    ///
    /// # Errors
    /// If git refuses.
    pub fn check_out(&self, commit: &Commit) -> Result<(), GitError> {
        let here = Repository { folder: self.path(), ..self.repository.clone() };
        // `--force` discards changes that a build made in the tree (a lock file).
        here.git(["checkout", "--quiet", "--force", "--detach", &commit.0]).map(drop)
    }
}

impl Drop for WorkTree {
    fn drop(&mut self) {
        // An interruption must not prevent the removal.
        let repository = Repository { interrupt: Interrupt::default(), ..self.repository.clone() };
        let path = self.path();
        let remove = ["worktree", "remove", "--force", "--force"].map(OsStr::new);
        // If git fails, the folder is removed with its parent, and git later drops its entry for
        // the missing tree.
        let _ = repository.git(remove.into_iter().chain([path.as_os_str()]));
        let _ = std::fs::remove_dir_all(&path);
        let _ = repository.git(["worktree", "prune"]);
    }
}
