//! The LCD board's firmware, and nothing else: `nudge run --watch` builds this program on every save, and
//! starts it for its window.

use std::process::ExitCode;
use std::sync::Arc;

use firmware_board::native;
use firmware_core::SOURCE_HASH;
use firmware_process::FirmwareProgram;
use hal_mock::Machine;
use hal_mock::setup::SetupError;
use host::heap::HEAP_METER;
use reading::text::Reader;
use trace::{BoardParts, Trace};

fn main() -> ExitCode {
    firmware_process::main(Arc::new(LcdBoard))
}

/// The LCD board.
struct LcdBoard;

impl FirmwareProgram for LcdBoard {
    fn machine(
        &self,
        trace: &Trace,
        flash: Option<Vec<u8>>,
    ) -> Result<Box<dyn Machine>, SetupError> {
        native::build_metered(trace, flash, Some(HEAP_METER))
    }

    fn parts(&self) -> Option<BoardParts> {
        Some(BoardParts::lcd_board())
    }

    fn reader(&self) -> Reader {
        Reader::new(native::fonts())
    }

    fn name(&self) -> String {
        format!("native, source {SOURCE_HASH}")
    }
}
