//! The boards of every verb: those of the crate `boards`, with the heap meter of this program.

use boards::{Board, BoardError, BoardFactory};
use heap_meter::HEAP_METER;

/// Builds what `--board` names.
///
/// # Errors
/// As [`BoardFactory::of`].
pub fn board_factory(board: &Board) -> Result<BoardFactory, BoardError> {
    Ok(BoardFactory::of(board)?.with_heap_meter(HEAP_METER))
}

/// Builds the board `native`, whatever `--board` names.
pub fn native() -> BoardFactory {
    BoardFactory::Native(Some(HEAP_METER))
}
