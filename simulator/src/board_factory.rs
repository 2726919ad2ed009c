//! The boards of every verb: those of the crate `boards`, with the heap meter of this program.

use boards::{Board, BoardError, BoardFactory, ProbePort};
use host::heap::HEAP_METER;

/// Builds what `--board` names.
///
/// # Errors
/// As [`BoardFactory::of`].
pub fn board_factory(board: &Board) -> Result<BoardFactory, BoardError> {
    Ok(BoardFactory::of(board)?.with_heap_meter(HEAP_METER))
}

/// As [`board_factory`], without what is slower than real time: for what people play on. A real board keeps its settings.
///
/// # Errors
/// As [`BoardFactory::of`], and for two emulated chips.
pub fn session_factory(board: &Board) -> Result<BoardFactory, BoardError> {
    match board {
        Board::Probe(ProbePort::Emulated) => Err(BoardError::NoSessions),
        board => Ok(board_factory(board)?.keeping_settings()),
    }
}

/// As [`board_factory`], without boards behind a probe: for what needs many boards, or one in a page.
///
/// # Errors
/// As [`BoardFactory::of`], and for a board behind a probe.
pub fn virtual_factory(board: &Board) -> Result<BoardFactory, BoardError> {
    match board {
        Board::Probe(_) => Err(BoardError::NotVirtual(board.clone())),
        board => board_factory(board),
    }
}

/// Builds the board `native`, whatever `--board` names.
pub fn native() -> BoardFactory {
    BoardFactory::Native(Some(HEAP_METER))
}
