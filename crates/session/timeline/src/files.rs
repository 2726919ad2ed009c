//! Files of a trace, which the caller provides: included files, goldens, flash images. No file is
//! read from a disk.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use trace::{IncludeReadError, IncludeSource};

/// Files by their paths, which are relative to the trace's folder.
#[derive(Clone, Debug, Default)]
pub struct Files(HashMap<String, Arc<[u8]>>);

impl Files {
    /// Adds the file at `path`.
    pub fn insert(&mut self, path: &str, bytes: impl Into<Arc<[u8]>>) {
        self.0.insert(plain(path), bytes.into());
    }

    /// Returns the bytes of the file at `path`.
    pub fn get(&self, path: &str) -> Option<&Arc<[u8]>> {
        self.0.get(&plain(path))
    }
}

impl IncludeSource for Files {
    fn read(&mut self, path: &Path, _: usize) -> Result<Arc<[u8]>, IncludeReadError> {
        let path = path.to_str().ok_or(IncludeReadError::NotFound)?;
        self.get(path).cloned().ok_or(IncludeReadError::NotFound)
    }
}

/// Returns the path without `.`, without doubled `/`, and without `..` where a folder precedes
/// it.
fn plain(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match (part, parts.last()) {
            ("" | ".", _) => {}
            ("..", Some(last)) if *last != ".." => drop(parts.pop()),
            (part, _) => parts.push(part),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_found_by_any_spelling_of_its_path() {
        let mut files = Files::default();
        files.insert("../suite/./boot.inc", *b"x");
        for path in ["../suite/boot.inc", "menu/../../suite//boot.inc"] {
            assert!(files.get(path).is_some(), "{path}");
        }
        assert!(files.get("boot.inc").is_none());
    }
}
