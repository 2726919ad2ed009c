//! `file:` addresses of paths, and back.

use std::path::{Path, PathBuf};
use std::str::FromStr as _;

use lsp_types::Uri;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

/// Characters of a path that an address has as an escape.
const ESCAPED: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// Returns the path of a `file:` address of this computer.
pub fn path_of(uri: &str) -> Option<PathBuf> {
    let path = uri.strip_prefix("file://")?;
    let path = path.strip_prefix("localhost").unwrap_or(path);
    let path = percent_decode_str(path).decode_utf8().ok()?;
    let drive = path.strip_prefix('/').filter(|rest| rest.as_bytes().get(1) == Some(&b':'));
    match drive {
        Some(path) if cfg!(windows) => Some(PathBuf::from(path.replace('/', "\\"))),
        _ => path.starts_with('/').then(|| PathBuf::from(&*path)),
    }
}

/// Returns the address of an absolute path.
pub fn uri_of(path: &Path) -> Option<Uri> {
    let path = path.to_str()?.replace('\\', "/");
    let slash = if path.starts_with('/') { "" } else { "/" };
    let escaped = utf8_percent_encode(&path, ESCAPED);
    Uri::from_str(&format!("file://{slash}{escaped}")).ok()
}

/// Returns a path without `.` and, where a folder precedes it, without `..`, as the addresses of an editor are.
pub fn plain(path: &Path) -> PathBuf {
    use std::path::Component;
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir
                if matches!(plain.components().next_back(), Some(Component::Normal(_))) =>
            {
                plain.pop();
            }
            part => plain.push(part),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_path_survives_its_address() {
        for path in ["/a/b.trace", "/a b/ü#?%.trace", "/x:y/[1].trace"] {
            let uri = uri_of(Path::new(path)).unwrap();
            assert_eq!(path_of(uri.as_str()).as_deref(), Some(Path::new(path)), "{}", uri.as_str());
        }
        assert_eq!(path_of("file://localhost/a"), Some(PathBuf::from("/a")));
    }

    #[test]
    fn other_addresses_have_no_path() {
        for uri in
            ["untitled:Untitled-1", "file://%ff", "file://%FF/", "http://x/a", "", "file://host/a"]
        {
            assert_eq!(path_of(uri), None, "{uri}");
        }
    }

    #[test]
    fn a_plain_path_has_no_steps_back() {
        assert_eq!(plain(Path::new("/a/b/../c/./d")), Path::new("/a/c/d"));
        assert_eq!(plain(Path::new("../a")), Path::new("../a"));
    }
}
