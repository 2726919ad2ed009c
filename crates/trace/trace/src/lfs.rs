//! Pointers of Git LFS: the small texts that stand in place of large files in a checkout that has not
//! fetched them. Whatever reads a file of a repository can name one, instead of calling it damaged.

/// How a pointer begins (the specification of Git LFS, "The Pointer").
const FIRST_LINE: &[u8] = b"version https://git-lfs.github.com/spec/v1";

/// What to say of a file that is a pointer, behind its name.
pub const IS_A_POINTER: &str =
    "is a pointer of Git LFS, not the file itself; fetch the files with `git lfs pull`";

/// Whether a file that begins with `bytes` is a pointer.
pub fn is_pointer(bytes: &[u8]) -> bool {
    bytes.starts_with(FIRST_LINE)
}
