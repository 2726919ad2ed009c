//! Paths on a GitHub runner, and GitHub's names for files.

use std::path::{Path, PathBuf};

use super::project::below;

/// Paths on the GitHub runner.
#[derive(Clone, Debug, Default)]
pub struct Github {
    /// Working directory, the base of relative paths.
    pub here: PathBuf,
    /// Repository root (`GITHUB_WORKSPACE`), the base of GitHub's paths.
    pub workspace: Option<PathBuf>,
    /// File to which the summary is appended (`GITHUB_STEP_SUMMARY`).
    pub summary: Option<PathBuf>,
}

impl Github {
    /// Returns the path from the repository's root, with `/`; unchanged if it is outside the
    /// repository.
    pub(crate) fn in_repository(&self, path: &Path) -> String {
        let below = self.workspace.as_ref().and_then(|root| below(&self.here, path, root));
        below.unwrap_or_else(|| path.display().to_string().replace('\\', "/"))
    }

    /// Returns the path of a source file from the repository's root; `None` if the repository has no such
    /// file. Compilers name files from the working directory or from the root of their workspace.
    pub(crate) fn file_of_repository(&self, path: &Path) -> Option<String> {
        let root = self.workspace.as_ref()?;
        let bases = [self.here.as_path(), root.as_path()];
        let base = bases.into_iter().find(|base| base.join(path).is_file())?;
        below(base, path, root)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_relative_to_the_repositorys_root() {
        let github = Github {
            here: "/src/repo/firmware".into(),
            workspace: Some("/src/repo".into()),
            summary: None,
        };
        for (path, named) in [
            ("tests/win.trace", "firmware/tests/win.trace"),
            ("./../tests/win.trace", "tests/win.trace"),
            ("/src/repo/a.trace", "a.trace"),
            ("/elsewhere/a.trace", "/elsewhere/a.trace"),
        ] {
            assert_eq!(github.in_repository(Path::new(path)), named);
        }
    }
}
