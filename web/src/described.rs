//! Boards that board files describe, among the files that a page passes.
//!
//! [`TraceFiles`] are the files of a trace while it is parsed: it makes the board that the header names.
//! No file is read from a disk.

use std::io;
use std::path::Path;
use std::sync::Arc;

use board_file::Face;
use board_file::parts::Matrix;
use board_file::value::KeyName;
use boards::{BoardFiles, DescribedBoard, DescribedError, LcdFirmware as _};
use firmware_board::Firmware;
use keymap::{ControlMove, KeyAction, Keymap};
use rp2040_emulator::program::{Program, ProgramError};
use serde_json::{Value, json};
use timeline::Files;
use trace::{BoardError, BoardParts, Control, ControlKind, IncludeReadError, IncludeSource};

use crate::fault::RequestError;

/// Returns the board of the board file at `path`. `program` is the path of the program that runs
/// instead of the one that the file names.
pub(crate) fn board(
    path: &str,
    program: Option<&str>,
    files: &Files,
) -> Result<Arc<DescribedBoard>, RequestError> {
    let text = files.get(path).cloned();
    let text = text.ok_or_else(|| RequestError::new(format!("the file {path} was not passed")))?;
    load(path, &text, program, files).map_err(|error| RequestError::new(error.to_string()))
}

fn load(
    path: &str,
    text: &[u8],
    program: Option<&str>,
    files: &Files,
) -> Result<Arc<DescribedBoard>, Box<DescribedError>> {
    let (path, program) = (Path::new(path), program.map(Path::new));
    let board = DescribedBoard::with_files(path, text, program, &mut Passed(files));
    let board = board.map(|board| board.with_lcd_settings(Firmware.settings()));
    board.map(Arc::new).map_err(Box::new)
}

/// Files that the page has passed. A file that was dropped on the page has no folder: it is found by its
/// name alone.
struct Passed<'a>(&'a Files);

impl Passed<'_> {
    fn get(&self, path: &Path) -> io::Result<&Arc<[u8]>> {
        let found = path.to_str().and_then(|path| self.0.get(path));
        let name = path.file_name().and_then(|name| name.to_str());
        let found = found.or_else(|| self.0.get(name?));
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
    /// The program that runs instead of the one that the board file names.
    program: Option<&'a str>,
    /// The board that the header names.
    pub(crate) board: Option<Arc<DescribedBoard>>,
}

impl<'a> TraceFiles<'a> {
    pub(crate) fn new(files: &'a Files, program: Option<&'a str>) -> Self {
        Self { files, program, board: None }
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
        let board = load(&name, &text, self.program, self.files);
        let board = board.map_err(|error| BoardError::Wrong(error.to_string()))?;
        let parts = board.parts().clone();
        self.board = Some(board);
        Ok(parts)
    }
}

/// Returns the path, the program, the name, the panel, the parts and the face of a board as JSON.
pub(crate) fn answer(board: &DescribedBoard) -> Value {
    let face = &board.face();
    let area = |kind: &str, name: Option<&str>| {
        let mut items = face.items.iter().filter(|item| item.kind == kind);
        let found = items.find(|item| name.is_none_or(|name| item.name == name));
        found.map(|item| {
            let place = item.place;
            json!([place.column, place.row, place.columns, place.rows])
        })
    };
    let (file, panel) = (board.file(), board.parts().panel);
    let keys = Keys::of(board);
    let buttons = file.button.iter().map(|button| {
        let name = button.name.text.as_str();
        let keys = keys.of_button(name, names(&button.keys));
        json!({"name": name, "keys": keys, "area": area("button", Some(name))})
    });
    let buttons = buttons.chain(file.matrix.iter().flat_map(|matrix| keys_of(matrix, face, &keys)));
    let and_more = |kind: ControlKind, name: &str| match kind {
        ControlKind::Encoder => {
            let found = file.encoder.iter().find(|part| part.name.text == name);
            found.map(|part| {
                let (detents, edges) = (part.detents.value, part.edges.value);
                (&part.keys, json!({"detents": detents, "edges": edges}))
            })
        }
        ControlKind::Switch => {
            let found = file.switch.iter().find(|part| part.name.text == name);
            found.map(|part| (&part.keys, json!({})))
        }
        ControlKind::Potentiometer => {
            let found = file.potentiometer.iter().find(|part| part.name.text == name);
            found.map(|part| (&part.keys, json!({})))
        }
        ControlKind::Joystick => {
            let found = file.joystick.iter().find(|part| part.name.text == name);
            let rest = |percent: u64| percent.min(100) as f64 / 100.0;
            found.map(|part| (&part.keys, json!({"rest": rest(part.rest.0)})))
        }
        // A finger touches a display, not a part of the face.
        ControlKind::Touch(_) => None,
    };
    let controls = board.parts().controls.all().iter().filter_map(|control| {
        let (name, kind) = (control.name(), control.kind());
        let (suggested, mut answer) = and_more(kind, name)?;
        answer["keys"] = keys.of_control(*control, names(suggested)).into();
        answer["name"] = name.into();
        answer["kind"] = kind.table().into();
        answer["area"] = area(kind.table(), Some(name)).into();
        Some(answer)
    });
    let leds = file.led.iter().map(|led| {
        let (name, colour) = (led.name.text.as_str(), &led.colour);
        let colour = format!("#{:02x}{:02x}{:02x}", colour.red, colour.green, colour.blue);
        json!({"name": name, "count": led.count.value, "colour": colour, "area": area("led", Some(name))})
    });
    let buzzers = face.items.iter().filter(|item| item.kind == "buzzer");
    let buzzers = buzzers.map(|item| {
        let name = item.name.as_str();
        json!({"name": name, "area": area("buzzer", Some(name))})
    });
    let displays = board.parts().displays.clone();
    let displays = displays.all().iter().skip(1).map(|display| {
        let (name, panel) = (display.name(), display.panel());
        json!({"name": name, "panel": [panel.width, panel.height], "area": area("display", Some(name))})
    });
    let touches = board.parts().controls.all().iter().filter_map(|control| match control.kind() {
        ControlKind::Touch(area) => Some(json!({"name": control.name(), "display": area.display})),
        _ => None,
    });
    json!({
        "touches": touches.collect::<Vec<_>>(),
        "file": board.path().display().to_string(),
        "program": board.program_path().map(|path| path.display().to_string()),
        "buzzers": buzzers.collect::<Vec<_>>(),
        "name": file.name.0,
        "panel": [panel.width, panel.height],
        "buttons": buttons.collect::<Vec<_>>(),
        "controls": controls.collect::<Vec<_>>(),
        "leds": leds.collect::<Vec<_>>(),
        "displays": displays.collect::<Vec<_>>(),
        "display": area("display", None),
        "columns": face.columns,
        "rows": face.rows,
    })
}

fn names(keys: &[KeyName]) -> Vec<&'static str> {
    keys.iter().map(|key| key.name).collect()
}

/// The keys of a board: those that its file names, and for the other buttons and controls those that the
/// window has, too.
struct Keys<'a> {
    parts: &'a BoardParts,
    map: Keymap,
}

impl<'a> Keys<'a> {
    fn of(board: &'a DescribedBoard) -> Self {
        let parts = board.parts();
        Self { parts, map: Keymap::of_file(board.file(), &parts.buttons, &parts.controls) }
    }

    /// Returns `suggested`, or the keys of these actions if it is empty.
    fn or(
        &self,
        suggested: Vec<&'static str>,
        actions: impl Iterator<Item = KeyAction>,
    ) -> Vec<&'static str> {
        if !suggested.is_empty() {
            return suggested;
        }
        let keys: Option<Vec<_>> = actions.map(|action| self.map.key(action)).collect();
        keys.unwrap_or_default().into_iter().map(|key| key.name()).collect()
    }

    fn of_button(&self, name: &str, suggested: Vec<&'static str>) -> Vec<&'static str> {
        self.or(suggested, self.parts.buttons.named(name).map(KeyAction::Press).into_iter())
    }

    /// Returns the keys of a control, in the order of `keys` in a board file.
    fn of_control(&self, control: Control, suggested: Vec<&'static str>) -> Vec<&'static str> {
        let moves = ControlMove::of(control.kind()).iter();
        self.or(suggested, moves.map(|by| KeyAction::Move(control, *by)))
    }
}

/// Returns the buttons of a matrix, each in its part of the cells of the matrix.
fn keys_of(matrix: &Matrix, face: &Face, of_board: &Keys<'_>) -> Vec<Value> {
    let mut items = face.items.iter().filter(|item| item.kind == "matrix");
    let place = items.find(|item| item.name == matrix.name.text).map(|item| item.place);
    let rows = matrix.buttons.len().max(1);
    let key = |row: usize, column: usize| matrix.keys.get(row)?.get(column);
    let mut buttons = Vec::new();
    for (row, in_row) in matrix.buttons.iter().enumerate() {
        let columns = in_row.len().max(1);
        for (column, button) in in_row.iter().enumerate() {
            let area = place.map(|place| {
                let share = |first: u32, cells: u32, at: usize, of: usize| {
                    let size = f64::from(cells) / of as f64;
                    (f64::from(first) + at as f64 * size, size)
                };
                let (left, width) = share(place.column, place.columns, column, columns);
                let (top, height) = share(place.row, place.rows, row, rows);
                json!([left, top, width, height])
            });
            let keys = key(row, column).iter().map(|key| key.name).collect();
            let keys = of_board.of_button(&button.text, keys);
            buttons.push(json!({"name": button.text, "keys": keys, "area": area}));
        }
    }
    buttons
}
