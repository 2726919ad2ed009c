//! Where GitHub runs the traces, and how it names their files.

use std::path::{Path, PathBuf};

use super::project::below;

/// Where GitHub runs this.
#[derive(Clone, Debug, Default)]
pub struct Github {
    /// The working directory: what relative paths are relative to.
    pub here: PathBuf,
    /// The repository's root (`GITHUB_WORKSPACE`): what GitHub's paths are relative to.
    pub workspace: Option<PathBuf>,
    /// The file to which the summary is appended (`GITHUB_STEP_SUMMARY`).
    pub summary: Option<PathBuf>,
}

impl Github {
    /// The path from the repository's root, with `/`; as it is if it lies elsewhere.
    pub(crate) fn in_repository(&self, path: &Path) -> String {
        let below = self.workspace.as_ref().and_then(|root| below(&self.here, path, root));
        below.unwrap_or_else(|| path.display().to_string().replace('\\', "/"))
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
