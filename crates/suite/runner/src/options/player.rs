//! What plays a trace in the page of a run.

use std::sync::Arc;

use page::{Bundle, NoBundle};

/// What plays the traces that failed in the page of a run.
#[derive(Clone, Debug, Default)]
pub enum Player {
    /// No one asks for it.
    #[default]
    None,
    /// There is nothing that could, for this reason.
    Absent(NoBundle),
    /// The machine in the page, as this board.
    Engine {
        /// The machine and the page around it.
        bundle: Bundle,
        /// The board's name: `native` or `pico`.
        board: &'static str,
        /// The program that it runs, if it is not the machine's own.
        elf: Option<Arc<[u8]>>,
    },
    /// A command, because the program that the board runs is not put into the page, for this reason.
    Command {
        /// A sentence.
        reason: String,
    },
}
