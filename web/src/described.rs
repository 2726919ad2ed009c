//! Boards that board files describe, among the files that a page passes.
//!
//! [`TraceFiles`] are the files of a trace while it is parsed: it makes the board that the header names.
//! No file is read from a disk.

use std::io;
use std::path::Path;
use std::sync::Arc;

use boards::{BoardFiles, DescribedBoard, DescribedError};
use rp2040_emulator::program::{Program, ProgramError};
use serde_json::{Value, json};
use timeline::Files;
use trace::{BoardError, BoardParts, IncludeReadError, IncludeSource};

use crate::fault::RequestError;

/// Returns the board of the board file at `path`.
pub(crate) fn board(path: &str, files: &Files) -> Result<Arc<DescribedBoard>, RequestError> {
    let text = files.get(path).cloned();
    let text = text.ok_or_else(|| RequestError::new(format!("the file {path} was not passed")))?;
    load(path, &text, files).map_err(|error| RequestError::new(error.to_string()))
}

fn load(
    path: &str,
    text: &[u8],
    files: &Files,
) -> Result<Arc<DescribedBoard>, Box<DescribedError>> {
    let board = DescribedBoard::with_files(Path::new(path), text, &mut Passed(files));
    board.map(Arc::new).map_err(Box::new)
}

/// Files that the page has passed.
struct Passed<'a>(&'a Files);

impl Passed<'_> {
    fn get(&self, path: &Path) -> io::Result<&Arc<[u8]>> {
        let found = path.to_str().and_then(|path| self.0.get(path));
        found.ok_or_else(|| io::ErrorKind::NotFound.into())
    }
}

impl BoardFiles for Passed<'_> {
    fn program(&mut self, path: &Path) -> Result<Program, ProgramError> {
        let unreadable = |source| ProgramError::Unreadable { path: path.to_owned(), source };
        Program::of_file(path, self.get(path).map_err(unreadable)?)
    }

    fn data(&mut self, path: &Path, _: usize) -> io::Result<Vec<u8>> {
        self.get(path).map(|bytes| bytes.to_vec())
    }
}

/// The files of a trace.
pub(crate) struct TraceFiles<'a> {
    files: &'a Files,
    /// The board that the header names.
    pub(crate) board: Option<Arc<DescribedBoard>>,
}

impl<'a> TraceFiles<'a> {
    pub(crate) fn new(files: &'a Files) -> Self {
        Self { files, board: None }
    }
}

impl IncludeSource for TraceFiles<'_> {
    fn read(&mut self, path: &Path, limit: usize) -> Result<Arc<[u8]>, IncludeReadError> {
        self.files.clone().read(path, limit)
    }

    fn board(&mut self, path: &Path) -> Result<BoardParts, BoardError> {
        let name = path.display().to_string();
        let reason = IncludeReadError::NotFound;
        let text = self.files.get(&name).cloned();
        let text = text.ok_or_else(|| BoardError::Unreadable { file: name.clone(), reason })?;
        let board = load(&name, &text, self.files);
        let board = board.map_err(|error| BoardError::Wrong(error.to_string()))?;
        let parts = board.parts().clone();
        self.board = Some(board);
        Ok(parts)
    }
}

/// Returns the name, the panel, the buttons and the face of a board as JSON.
pub(crate) fn answer(board: &DescribedBoard) -> Value {
    let face = board.face();
    let area = |kind: &str, name: Option<&str>| {
        let mut items = face.items.iter().filter(|item| item.kind == kind);
        let found = items.find(|item| name.is_none_or(|name| item.name == name));
        found.map(|item| {
            let place = item.place;
            json!([place.column, place.row, place.columns, place.rows])
        })
    };
    let (file, panel) = (board.file(), board.parts().panel);
    let buttons = file.button.iter().map(|button| {
        let name = button.name.text.as_str();
        let keys: Vec<&str> = button.keys.iter().map(|key| key.name).collect();
        json!({"name": name, "keys": keys, "area": area("button", Some(name))})
    });
    json!({
        "name": file.name.0,
        "panel": [panel.width, panel.height],
        "buttons": buttons.collect::<Vec<_>>(),
        "display": area("display", None),
        "columns": face.columns,
        "rows": face.rows,
    })
}
