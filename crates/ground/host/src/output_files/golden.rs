//! The location of golden pictures: those of `win.trace` are in the folder `win` beside it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Returns the trace whose golden pictures are in `folder`: a file beside the folder, with the
/// folder's name and the extension `.trace`. `None` if there is no such file.
///
/// A relative path counts from the current folder; `folder` need not exist.
pub fn trace_of_goldens(folder: &Path) -> Option<PathBuf> {
    // `.`, `..` and links hide the folder's name. They cannot be resolved for a folder that does
    // not exist, but its path then has its future name.
    let folder = folder.canonicalize().or_else(|_| std::path::absolute(folder)).ok()?;
    let mut name = OsString::from(folder.file_name()?);
    name.push(".trace");
    let trace = folder.with_file_name(name);
    trace.is_file().then_some(trace)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn goldens_are_in_the_folder_named_like_their_trace() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path().canonicalize().unwrap();
        fs::create_dir_all(root.join("t/a.b/inner")).unwrap();
        fs::write(root.join("t/a.b.trace"), "trace 1\n").unwrap();
        let trace = Some(root.join("t/a.b.trace"));
        assert_eq!(trace_of_goldens(&root.join("t/a.b")), trace);
        assert_eq!(trace_of_goldens(&root.join("t/a.b/inner/..")), trace);
        assert_eq!(trace_of_goldens(&root.join("t/a")), None);
        assert_eq!(trace_of_goldens(&root.join("t")), None);
        fs::write(root.join("t/new.trace"), "trace 1\n").unwrap();
        assert_eq!(trace_of_goldens(&root.join("t/new")), Some(root.join("t/new.trace")));
    }
}
