//! A folder whose files are named from outside: by another program or a page.
//!
//! A name never leads out of the folder: not by `..`, not as an absolute path, not by a symbolic
//! link in any of its components. It opens no file.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::output_files::{OutputError, inside};

/// A folder that no name leads out of.
#[derive(Clone, Debug)]
pub struct Sandbox {
    folder: PathBuf,
}

/// Why a name has no place in a sandbox.
#[derive(Debug, Error)]
pub enum SandboxError {
    /// The name leads out of the folder, or is empty.
    #[error(transparent)]
    Outside(#[from] OutputError),
    /// A component of the name is a symbolic link: its path below the folder.
    #[error("{} is a symbolic link, which is not followed here", .0.display())]
    Link(PathBuf),
}

impl Sandbox {
    /// Opens the folder, which exists. The way to it may have symbolic links.
    ///
    /// # Errors
    /// If there is no such folder.
    pub fn new(folder: &Path) -> io::Result<Self> {
        let folder = folder.canonicalize()?;
        if !folder.is_dir() {
            return Err(io::ErrorKind::NotADirectory.into());
        }
        Ok(Self { folder })
    }

    /// Returns the path of the folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns the path of the file or folder `name`, which need not exist.
    ///
    /// # Errors
    /// If `name` leads out of the folder.
    pub fn place(&self, name: &str) -> Result<PathBuf, SandboxError> {
        let path = inside(&self.folder, Path::new(name))?;
        // The deepest first.
        for step in path.ancestors().take_while(|step| *step != self.folder) {
            if fs::symlink_metadata(step).is_ok_and(|found| found.is_symlink()) {
                return Err(SandboxError::Link(self.below(step).to_owned()));
            }
        }
        Ok(path)
    }

    /// Returns the part of `path` below the folder.
    pub fn below<'a>(&self, path: &'a Path) -> &'a Path {
        path.strip_prefix(&self.folder).unwrap_or(path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A sandbox `in`, beside a folder `out`.
    fn sandbox() -> (tempfile::TempDir, Sandbox) {
        let root = tempfile::tempdir().unwrap();
        for folder in ["in/sub", "out"] {
            fs::create_dir_all(root.path().join(folder)).unwrap();
        }
        let sandbox = Sandbox::new(&root.path().join("in")).unwrap();
        (root, sandbox)
    }

    #[test]
    fn names_below_the_folder_have_a_place() {
        let (root, sandbox) = sandbox();
        let folder = root.path().join("in").canonicalize().unwrap();
        for name in ["a.trace", "sub/a.trace", "new/sub/a.trace"] {
            let path = sandbox.place(name).unwrap();
            assert_eq!((&path, sandbox.below(&path)), (&folder.join(name), Path::new(name)));
        }
        fs::write(root.path().join("in/file"), "").unwrap();
        assert!(Sandbox::new(&root.path().join("in/file")).is_err());
        assert!(Sandbox::new(&root.path().join("none")).is_err());
    }

    #[test]
    fn no_name_leads_out() {
        let (root, sandbox) = sandbox();
        let absolute = root.path().join("in/a.trace").display().to_string();
        for name in ["..", "../out/a", "sub/../../out/a", "sub/..", ".", "", "/", &absolute] {
            let found = sandbox.place(name);
            assert!(matches!(found, Err(SandboxError::Outside(_))), "{name}: {found:?}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn no_component_may_be_a_symbolic_link() {
        use std::os::unix::fs::symlink;
        let (root, sandbox) = sandbox();
        let inside = root.path().join("in");
        symlink("../out", inside.join("first")).unwrap();
        symlink("../../out", inside.join("sub/second")).unwrap();
        symlink("/nothing/is/here", inside.join("sub/dangling")).unwrap();
        // Not even one that stays inside.
        symlink("sub", inside.join("near")).unwrap();
        for (name, link) in [
            ("first", "first"),
            ("first/a", "first"),
            ("first/a/b", "first"),
            ("sub/second", "sub/second"),
            ("sub/second/a", "sub/second"),
            ("sub/dangling", "sub/dangling"),
            ("near/a", "near"),
        ] {
            let error = sandbox.place(name).unwrap_err();
            let text = format!("{link} is a symbolic link, which is not followed here");
            assert_eq!(error.to_string(), text, "{name}");
        }
        // The way to the folder may have one.
        symlink(&inside, root.path().join("way")).unwrap();
        let by_link = Sandbox::new(&root.path().join("way")).unwrap();
        assert_eq!(by_link.place("a").unwrap(), sandbox.place("a").unwrap());
    }
}
