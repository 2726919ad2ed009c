//! The boards of every verb: those of the crate `boards`, with this program's heap meter and its
//! [`Firmware`] of the LCD board; and the [`Insight`] of their firmware.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use boards::described::path_of_header;
use boards::{Board, BoardError, BoardFactory, DescribedBoard, LcdFirmware as _, ProbePort};
use firmware_board::Firmware;
use firmware_insight::LcdBoard;
use hal_mock::setup::SetupError;
use host::heap::HEAP_METER;
use insight::{Insight, SessionRules};
use runner::{FindError, OpenError};
use trace::{BOARD_KEY, Trace};

/// An application: its board, which then is `native`, and what it tells the tools.
#[derive(Clone)]
struct Application {
    board: Arc<DescribedBoard>,
    insight: Option<&'static dyn Insight>,
}

/// Set once, before the arguments are read.
static APPLICATION: OnceLock<Application> = OnceLock::new();

/// Makes `board` the board `native`, and `insight` that of its firmware. A second call has no effect.
pub fn set_application(board: DescribedBoard, insight: Option<&'static dyn Insight>) {
    let board = Arc::new(board.with_lcd_settings(Firmware.settings()));
    let _ = APPLICATION.set(Application { board, insight });
    if let Some(program) = application_program() {
        live::set_command_name(runner::quoted(&program));
    }
}

/// Returns the description of the firmware that runs `trace` on `boards`; `None` for the
/// program of a board file.
pub fn insight(boards: &BoardFactory, trace: &Trace) -> Option<&'static dyn Insight> {
    insight_of(boards).filter(|_| trace.get(BOARD_KEY).is_none())
}

/// Returns the description of the firmware of `boards`; `None` for the program of a board
/// file.
pub fn insight_of(boards: &BoardFactory) -> Option<&'static dyn Insight> {
    match (boards, APPLICATION.get()) {
        (BoardFactory::Described(board), Some(application))
            if Arc::ptr_eq(board, &application.board) =>
        {
            application.insight
        }
        (BoardFactory::Described(_), _) => None,
        _ => Some(&LcdBoard),
    }
}

/// Returns the rules of random sessions, for boards with the buttons that they name.
pub fn session_rules() -> Option<&'static dyn SessionRules> {
    match APPLICATION.get() {
        Some(application) => application.insight.map(|insight| insight as &dyn SessionRules),
        None => Some(&LcdBoard),
    }
}

/// Returns how this program was called, if it is an application.
pub fn application_program() -> Option<String> {
    APPLICATION.get()?;
    std::env::args().next()
}

/// Returns the board of this program, if it is an application.
#[cfg(feature = "window")]
pub fn application() -> Option<Arc<DescribedBoard>> {
    APPLICATION.get().map(|application| Arc::clone(&application.board))
}

/// Returns whether `board` is the LCD board, and not one of a board file or of an application.
#[cfg(any(feature = "terminal", feature = "window"))]
pub fn is_lcd_board(board: &Board) -> bool {
    match board {
        Board::Native => APPLICATION.get().is_none(),
        Board::Described(_) => false,
        Board::Pico(_) | Board::Probe(_) => true,
    }
}

/// Returns whether the firmware of `boards` is linked into this program.
#[cfg(feature = "window")]
pub fn is_own_firmware(boards: &BoardFactory) -> bool {
    match boards {
        BoardFactory::Native(..) => true,
        BoardFactory::Described(board) => board.program().is_none(),
        BoardFactory::Pico(..) | BoardFactory::Probe(..) | BoardFactory::EmulatedProbe(..) => false,
    }
}

/// Returns the factory of the boards that `--board` names.
///
/// # Errors
/// The same as [`BoardFactory::of`].
pub fn board_factory(board: &Board) -> Result<BoardFactory, BoardError> {
    match board {
        Board::Native => Ok(native()),
        board => Ok(BoardFactory::of(board, &Firmware)?.with_heap_meter(HEAP_METER)),
    }
}

/// Returns the factory of [`board_factory`] without delays that are slower than real time, for
/// interactive sessions. A real board keeps its settings.
///
/// # Errors
/// The same as [`BoardFactory::of`]; also for two emulated chips.
pub fn session_factory(board: &Board) -> Result<BoardFactory, BoardError> {
    match board {
        Board::Probe(ProbePort::Emulated) => Err(BoardError::NoSessions),
        board => Ok(board_factory(board)?.keeping_settings()),
    }
}

/// Returns the factory of [`board_factory`], but refuses boards connected by a probe. For verbs that
/// need many boards, or a board in a page.
///
/// # Errors
/// The same as [`BoardFactory::of`]; also for a board connected by a probe.
pub fn virtual_factory(board: &Board) -> Result<BoardFactory, BoardError> {
    match board {
        Board::Probe(_) => Err(BoardError::NotVirtual(board.clone())),
        board => board_factory(board),
    }
}

/// Reason why traces have no common program for the chip.
#[derive(Debug, thiserror::Error)]
pub enum CommonBoardError {
    #[error(transparent)]
    Find(#[from] FindError),
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error("{}:{source}", trace.display())]
    Board { trace: PathBuf, source: SetupError },
    #[error(
        "{} runs on {}, and {} on {}; name traces of one board, or select them with `--filter`",
        first.display(), board(one.as_deref()), trace.display(), board(other.as_deref())
    )]
    Several { first: PathBuf, one: Option<PathBuf>, trace: PathBuf, other: Option<PathBuf> },
}

fn board(file: Option<&Path>) -> String {
    file.map_or_else(|| "the default board".to_owned(), |file| file.display().to_string())
}

/// Returns the factory of the one board of the traces at `paths` that `filter` selects, for verbs that
/// measure one program: the board that all headers name; `boards`, if it is not `native` or no header
/// names a board.
///
/// # Errors
/// If a trace cannot be read, if the board of its header cannot run, or if the headers name
/// several boards.
pub fn common_board(
    boards: &BoardFactory,
    paths: &[PathBuf],
    filter: Option<&str>,
) -> Result<BoardFactory, CommonBoardError> {
    let BoardFactory::Native(..) = boards else { return Ok(boards.clone()) };
    let mut common: Option<(PathBuf, Option<PathBuf>)> = None;
    for found in runner::find(paths, filter)? {
        let file = path_of_header(&runner::open_trace(&found.path)?);
        match &common {
            None => common = Some((found.path, file)),
            Some((_, first)) if is_same_file(first.as_deref(), file.as_deref()) => {}
            Some((first, one)) => {
                let (first, one) = (first.clone(), one.clone());
                return Err(CommonBoardError::Several {
                    first,
                    one,
                    trace: found.path,
                    other: file,
                });
            }
        }
    }
    let Some((path, Some(_))) = common else { return Ok(boards.clone()) };
    let trace = runner::open_trace(&path)?;
    boards.for_trace(&trace).map_err(|source| CommonBoardError::Board { trace: path, source })
}

/// Returns the board that runs `trace`, for messages: `board`, or the board file that the header names
/// if `board` is `native`.
pub fn board_of_trace(board: &Board, trace: &Trace) -> Board {
    match board {
        Board::Native => path_of_header(trace).map_or(Board::Native, Board::Described),
        board => board.clone(),
    }
}

/// Returns whether both are the same board file, or both are none.
fn is_same_file(one: Option<&Path>, other: Option<&Path>) -> bool {
    let (Some(one), Some(other)) = (one, other) else { return one == other };
    one == other
        || matches!((one.canonicalize(), other.canonicalize()), (Ok(one), Ok(other)) if one == other)
}

/// Returns the factory of the board `native`, regardless of `--board`.
pub fn native() -> BoardFactory {
    match APPLICATION.get() {
        Some(application) => BoardFactory::Described(Arc::clone(&application.board)),
        None => BoardFactory::Native(&Firmware, Some(HEAP_METER)),
    }
}

#[cfg(all(test, any(feature = "terminal", feature = "window")))]
mod tests {
    use super::*;

    #[test]
    fn only_the_lcd_board_has_the_flash_that_is_kept() {
        assert!(is_lcd_board(&Board::Native) && is_lcd_board(&Board::Pico(None)));
        assert!(!is_lcd_board(&Board::Described("pad.board.toml".into())));
    }
}
