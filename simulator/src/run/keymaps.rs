//! The key map of a session: that of the LCD board, or of a described board.

use std::path::PathBuf;

use boards::DescribedBoard;
use live::keymap::Keymap;

use crate::data_folder;

/// Returns the default key map: that of the LCD board, or the keys that the file of a described
/// board suggests.
pub fn default_keymap(described: Option<&DescribedBoard>) -> Keymap {
    let Some(board) = described else { return Keymap::default() };
    let parts = board.parts();
    Keymap::of_file(board.file(), &parts.buttons, &parts.controls)
}

/// Returns the file of the key map that was changed in a window: one for the LCD board, and one for
/// each described board.
pub fn keymap_file(described: Option<&DescribedBoard>) -> Option<PathBuf> {
    match described {
        Some(board) => data_folder::keymap_file_of(board.path()),
        None => data_folder::keymap_file(),
    }
}

/// Returns the key map that was changed in a window, or the default one.
pub fn kept_keymap(default: Keymap, described: Option<&DescribedBoard>) -> Keymap {
    let file = keymap_file(described).filter(|file| file.exists());
    match file.as_deref().map(|file| Keymap::load_for(&default, file)) {
        Some(Ok(keymap)) => keymap,
        Some(Err(error)) => {
            live::say(format_args!("warning: the default keys are used: {error}"));
            default
        }
        None => default,
    }
}
