//! The project whose traces run, and names of its files that are valid on another machine.

use std::path::{Component, Path, PathBuf};

/// The project whose traces run.
#[derive(Clone, Debug, Default)]
pub struct Project {
    /// Working directory, the base of relative paths.
    pub here: PathBuf,
    /// Project root on a CI machine. Other machines do not have this path.
    pub ci_root: Option<PathBuf>,
}

impl Project {
    /// Returns the path relative to the project root on CI and to the working directory elsewhere,
    /// with `/`; `None` if it is outside.
    pub(crate) fn below(&self, path: &Path) -> Option<String> {
        let root = self.ci_root.as_ref().unwrap_or(&self.here);
        below(&self.here, path, root)
    }

    /// Returns the path for a command on another machine: on CI, an absolute path becomes relative
    /// to the root.
    pub fn named(&self, path: &Path) -> String {
        let root = self.ci_root.as_ref().filter(|_| path.is_absolute());
        let below = root.and_then(|root| below(&self.here, path, root));
        below.unwrap_or_else(|| path.display().to_string())
    }
}

/// Returns `path`, given from `here`, relative to `root`, with `/`; `None` if it is outside.
pub(super) fn below(here: &Path, path: &Path, root: &Path) -> Option<String> {
    let mut clean = PathBuf::new();
    for part in here.join(path).components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => drop(clean.pop()),
            part => clean.push(part),
        }
    }
    let below = clean.strip_prefix(root).ok()?;
    Some(below.display().to_string().replace('\\', "/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_names_no_folder_of_a_ci_machine() {
        let ci_root = Some(PathBuf::from("/builds/me/game"));
        let project = Project { here: "/builds/me/game/firmware".into(), ci_root };
        for (path, below, named) in [
            ("tests/a.trace", Some("firmware/tests/a.trace"), "tests/a.trace"),
            ("../out/a.png", Some("out/a.png"), "../out/a.png"),
            ("/builds/me/game/tests/a.trace", Some("tests/a.trace"), "tests/a.trace"),
            ("/tmp/out/a.png", None, "/tmp/out/a.png"),
        ] {
            assert_eq!(project.below(Path::new(path)).as_deref(), below);
            assert_eq!(project.named(Path::new(path)), named);
        }
        let local = Project { here: "/home/me/game".into(), ci_root: None };
        assert_eq!(local.below(Path::new("out/a.png")).as_deref(), Some("out/a.png"));
        assert_eq!(local.named(Path::new("/home/me/game/a.trace")), "/home/me/game/a.trace");
    }
}
