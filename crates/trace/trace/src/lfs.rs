//! Pointers of Git LFS: small texts in place of large files in a checkout that has not fetched
//! them. Code that reads a file of a repository can report a pointer as such, instead of as damage.

/// First line of a pointer (the specification of Git LFS, "The Pointer").
const FIRST_LINE: &[u8] = b"version https://git-lfs.github.com/spec/v1";

/// Message for a file that is a pointer, to follow the file's name.
pub const IS_A_POINTER: &str =
    "is a pointer of Git LFS, not the file itself; fetch the files with `git lfs pull`";

/// Returns whether a file that begins with `bytes` is a pointer.
pub fn is_pointer(bytes: &[u8]) -> bool {
    bytes.starts_with(FIRST_LINE)
}
