//! Names of the kinds of files.

use firmware_core::storage::files::FileKind;

/// Returns `game` or `log`.
pub fn kind_name(kind: FileKind) -> &'static str {
    match kind {
        FileKind::Game => "game",
        FileKind::Log => "log",
    }
}
