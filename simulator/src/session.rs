//! `nudge session`: this program's firmware in a session that the window of another program
//! controls.

use std::io::{self, Write};
use std::sync::Arc;

use boards::BoardFactory;
use firmware_process::FirmwareProgram;
use hal_mock::Machine;
use hal_mock::setup::SetupError;
use host::Exit;
use reading::text::Reader;
use trace::{BoardParts, Trace};

use crate::firmware::firmware_name;
use crate::{board_factory, text_reader};

/// Executes the commands from standard input.
pub fn session(out: &mut dyn Write, err: &mut dyn Write) -> io::Result<Exit> {
    firmware_process::session(Arc::new(OfBoards(board_factory::native())), out, err)
}

/// The firmware of a board of this program.
pub struct OfBoards(pub BoardFactory);

impl FirmwareProgram for OfBoards {
    fn machine(
        &self,
        trace: &Trace,
        flash: Option<Vec<u8>>,
    ) -> Result<Box<dyn Machine>, SetupError> {
        self.0.build(trace, flash)
    }

    fn parts(&self) -> Option<BoardParts> {
        self.0.parts()
    }

    fn reader(&self) -> Reader {
        text_reader::reader()
    }

    fn name(&self) -> String {
        firmware_name(&boards::Board::Native, &self.0)
    }
}
