//! The board of a waveform: the one of the command line, or the one that the waveform's header
//! names. The names of wires are those of its buttons.

use std::path::{Path, PathBuf};

use boards::described::path_of_header;
use boards::session::board_file_from;
use boards::{Board, BoardFactory};
use captures::{Capture, Signal};
use runner::board_parts;
use trace::{BOARD_KEY, BoardError, Buttons, HeaderEntry, Trace, did_you_mean};

/// Reasons why the wires of a file are not known.
#[derive(Debug, thiserror::Error)]
pub enum WiresError {
    #[error(transparent)]
    Board(#[from] BoardError),
    #[error("{}: its header names its board: {source}; `--board NAME.board.toml` names another", capture.display())]
    OfHeader { capture: PathBuf, source: BoardError },
    #[error(
        "`{name}` is no wire of the board{}; there are {}",
        did_you_mean(name, &Signal::names_of(buttons)), Signal::names_of(buttons).join(", ")
    )]
    Unknown { name: String, buttons: Buttons },
}

/// A board whose wires a file has.
pub struct WiredBoard {
    pub buttons: Buttons,
    /// Path of the board file; `None`: the LCD board.
    pub file: Option<PathBuf>,
}

impl WiredBoard {
    /// Returns the board of the captures at `paths`: the described board of the command line, or the
    /// first one that a capture's header names, or the LCD board.
    ///
    /// # Errors
    /// If the board file cannot be read or has errors.
    pub fn of_captures(paths: &[&Path], board: &Board) -> Result<Self, WiresError> {
        if let Board::Described(file) = board {
            return Ok(Self { buttons: board_parts(file)?.buttons, file: Some(file.clone()) });
        }
        for path in paths {
            // `Capture::open` reports a wrong head, with what is wrong about its wires.
            let header = Capture::header_of(path).unwrap_or_default();
            let Some((_, name)) = header.iter().find(|(key, _)| key == BOARD_KEY) else { continue };
            let file = path.parent().unwrap_or(Path::new("")).join(name);
            let parts = board_parts(&file);
            let parts = parts
                .map_err(|source| WiresError::OfHeader { capture: path.to_path_buf(), source })?;
            return Ok(Self { buttons: parts.buttons, file: Some(file) });
        }
        Ok(Self { buttons: Buttons::lcd_board(), file: None })
    }
}

/// Returns the wires with these names of a board with these buttons.
///
/// # Errors
/// If the board has no wire of a name.
pub fn signals(names: &[String], buttons: &Buttons) -> Result<Vec<Signal>, WiresError> {
    let signal = |name: &String| {
        Signal::named(buttons, name)
            .ok_or_else(|| WiresError::Unknown { name: name.clone(), buttons: buttons.clone() })
    };
    names.iter().map(signal).collect()
}

/// Returns the header of a waveform of `trace` in the file `to`: that of the trace, with the board
/// file as it is named from the folder of `to`. A board file that no header can name is left out.
pub fn waveform_header(trace: &Trace, boards: &BoardFactory, to: &Path) -> Vec<HeaderEntry> {
    let file = match boards {
        BoardFactory::Described(board) if board.program().is_some() => {
            Some(board.path().to_owned())
        }
        BoardFactory::Native(..) => path_of_header(trace),
        _ => None,
    };
    with_board(trace.header.clone(), file.as_deref(), to)
}

/// Names the board file of `trace` from the folder of `to`, to which the trace is written. A trace
/// whose header names a flash, too, is not changed: its folder has that file.
pub fn move_board(trace: &mut Trace, to: &Path) {
    if let Some(file) = path_of_header(trace).filter(|_| trace.get("flash").is_none()) {
        trace.header = with_board(std::mem::take(&mut trace.header), Some(&file), to);
        trace.folder = to.parent().map(Path::to_owned);
    }
}

/// Returns `header` with the board file `file` as it is named from the folder of `to`.
pub fn with_board(
    mut header: Vec<HeaderEntry>,
    file: Option<&Path>,
    to: &Path,
) -> Vec<HeaderEntry> {
    header.retain(|entry| entry.key != BOARD_KEY);
    let folder = to.parent().unwrap_or(Path::new(""));
    let named = file.and_then(|file| board_file_from(file, folder).ok());
    header.splice(0..0, named.map(|name| HeaderEntry::new(BOARD_KEY, name)));
    header
}
