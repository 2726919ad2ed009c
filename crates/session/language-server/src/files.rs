//! Files on the disk, replaced by those that are open in the editor.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use runner::{IncludedFiles, parts_of};
use trace::{BoardError, BoardParts, IncludeReadError, IncludeSource};

use crate::document::Document;
use crate::uri::plain;

/// Texts that are open in the editor, by their paths.
pub type OpenTexts = HashMap<PathBuf, Arc<[u8]>>;

/// Returns the texts of documents that a trace can include or name.
pub fn open_texts<'a>(documents: impl Iterator<Item = &'a Document>) -> OpenTexts {
    let can_be_named =
        documents.filter(|document| document.path.is_absolute() && document.too_large.is_none());
    can_be_named
        .map(|document| (plain(&document.path), Arc::from(document.text.as_bytes())))
        .collect()
}

/// Files on the disk, replaced by those that are open in the editor.
#[derive(Debug)]
pub struct Files<'a> {
    open: &'a OpenTexts,
    disk: IncludedFiles,
}

impl<'a> Files<'a> {
    pub fn new(open: &'a OpenTexts) -> Self {
        Self { open, disk: IncludedFiles::default() }
    }
}

impl IncludeSource for Files<'_> {
    fn read(&mut self, path: &Path, limit: usize) -> Result<Arc<[u8]>, IncludeReadError> {
        match self.open.get(&plain(path)) {
            Some(text) => Ok(Arc::clone(text)),
            None => self.disk.read(path, limit),
        }
    }

    fn board(&mut self, path: &Path) -> Result<BoardParts, BoardError> {
        let Some(text) = self.open.get(&plain(path)) else { return self.disk.board(path) };
        let board = board_file::parse_bytes(&path.display().to_string(), text)
            .map_err(|errors| BoardError::Wrong(errors.to_string()))?;
        parts_of(&board, path)
    }
}
