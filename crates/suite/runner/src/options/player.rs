//! Player of the traces in the page of a run.

use std::sync::Arc;

use page::{Bundle, BundleError, PackedBoard};

/// Player of the failed traces in the page of a run.
#[derive(Clone, Debug, Default)]
pub enum Player {
    /// No player is requested.
    #[default]
    None,
    /// The bundle for a player is missing, for this reason.
    Absent(BundleError),
    /// The machine in the page, as this board.
    Engine {
        /// The machine and the page around it.
        bundle: Bundle,
        /// Name of the board: `native`, `pico` or `described`.
        board: &'static str,
        /// Program that the board runs, if it is not the machine's own.
        elf: Option<Arc<[u8]>>,
        /// The board file that describes the board, if the command line names one.
        board_file: Option<Arc<PackedBoard>>,
    },
    /// A command to run instead, because the page does not contain the board's program.
    Command {
        /// Sentence that gives the reason.
        reason: String,
    },
}
