//! What is asked of git: which commit a name means, which lie between two, and a work tree of its own.
//!
//! Only plumbing commands whose output git keeps stable are read. It knows no build.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use host::{
    Interrupt,
    child::{self, ChildError, Limits},
};
use tempfile::TempDir;
use thiserror::Error;

/// Bytes that git may answer: a million commits.
const BYTES_MAX: usize = 64 << 20;
/// Digits by which people name a commit.
const SHORT: usize = 12;

/// The full name of a commit.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Commit(pub String);

impl Commit {
    /// Its first digits.
    pub fn short(&self) -> &str {
        self.0.get(..SHORT).unwrap_or(&self.0)
    }
}

/// Why git does not answer.
#[derive(Debug, Error)]
pub enum GitError {
    /// It cannot run.
    #[error("git: {0}")]
    Child(#[from] ChildError),
    /// It refuses.
    #[error("git {verb} fails: {said}")]
    Refused {
        /// What was asked.
        verb: String,
        /// The last line that it wrote to standard error.
        said: String,
    },
    /// A name means no commit.
    #[error("`{0}` is no commit of this repository; `git log --oneline` lists them")]
    NoCommit(String),
    /// The folder belongs to no repository.
    #[error("{} belongs to no git repository; run it in a checkout of nudge", .0.display())]
    NoRepository(PathBuf),
    /// The temporary folder cannot be made.
    #[error("no temporary folder: {0}")]
    Folder(#[from] std::io::Error),
}

/// A repository, as it is seen from a folder.
#[derive(Clone, Debug)]
pub struct Repository {
    folder: PathBuf,
    interrupt: Interrupt,
}

impl Repository {
    /// The one that `folder` belongs to.
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

    /// What `git` with `arguments` writes.
    fn git<I: AsRef<OsStr>>(
        &self,
        arguments: impl IntoIterator<Item = I>,
    ) -> Result<String, GitError> {
        let mut command = Command::new("git");
        command.arg("-C").arg(&self.folder).args(arguments);
        // A hook or an alias that calls this sets them for its own repository.
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

    /// The commit that `name` means.
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

    /// Whether `one` is an ancestor of `other`, or the same.
    ///
    /// # Errors
    /// If git fails.
    pub fn is_ancestor(&self, one: &Commit, other: &Commit) -> Result<bool, GitError> {
        Ok(self.merge_base(one, other)?.as_ref() == Some(one))
    }

    /// The best common ancestor of two commits.
    ///
    /// # Errors
    /// If git fails.
    pub fn merge_base(&self, one: &Commit, other: &Commit) -> Result<Option<Commit>, GitError> {
        match self.git(["merge-base", &one.0, &other.0]) {
            Err(GitError::Refused { .. }) => Ok(None),
            answer => Ok(answer?.lines().next().map(|line| Commit(line.to_owned()))),
        }
    }

    /// The commits that `bad` has and none of `good` has, `bad` among them: those first that part
    /// the rest most evenly.
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

    /// The first line of a commit's message.
    ///
    /// # Errors
    /// If git fails.
    pub fn subject(&self, commit: &Commit) -> Result<String, GitError> {
        let text = self.git(["show", "--no-patch", "--format=%s", &commit.0])?;
        Ok(text.lines().next().unwrap_or_default().to_owned())
    }
}

/// A work tree in a temporary folder, beside the user's own.
#[derive(Debug)]
pub struct WorkTree {
    repository: Repository,
    folder: TempDir,
}

impl WorkTree {
    /// At `commit`.
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

    /// Where the files are.
    pub fn path(&self) -> PathBuf {
        self.folder.path().join("tree")
    }

    /// A folder beside the files that lasts as long as they do.
    pub fn beside(&self) -> PathBuf {
        self.folder.path().join("target")
    }

    /// Replaces the files with those of `commit`.
    ///
    /// # Errors
    /// If git refuses.
    pub fn check_out(&self, commit: &Commit) -> Result<(), GitError> {
        let here = Repository { folder: self.path(), ..self.repository.clone() };
        // What a build has changed in the tree (a lock file) is not kept.
        here.git(["checkout", "--quiet", "--force", "--detach", &commit.0]).map(drop)
    }
}

impl Drop for WorkTree {
    fn drop(&mut self) {
        // An interruption must not keep it from being removed.
        let repository = Repository { interrupt: Interrupt::default(), ..self.repository.clone() };
        let path = self.path();
        let remove = ["worktree", "remove", "--force", "--force"].map(OsStr::new);
        // Where that fails, the folder is removed with its parent, and git forgets what is gone.
        let _ = repository.git(remove.into_iter().chain([path.as_os_str()]));
        let _ = std::fs::remove_dir_all(&path);
        let _ = repository.git(["worktree", "prune"]);
    }
}
