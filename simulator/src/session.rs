//! `nudge session`: this program's firmware in a session that the window of another program
//! controls.

use std::io::{self, BufReader, Write};

use boards::BoardFactory;
use host::Exit;
use live::{ChildError, MachineFactory, Machines, serve};
use reading::text::Reader;
use trace::{BoardParts, HeaderEntry, Trace};

use crate::{board_factory, text_reader};

/// Executes the commands from standard input.
pub fn session(out: &mut dyn Write, err: &mut dyn Write) -> io::Result<Exit> {
    match serve(BufReader::new(io::stdin()), out, &Native(board_factory::native())) {
        Ok(()) => Ok(Exit::Passed),
        // The firmware has panicked and reported it, or the window was closed.
        Err(ChildError::Gone | ChildError::Io(_)) => Ok(Exit::Failed),
        Err(error) => {
            writeln!(err, "nudge: {error}")?;
            Ok(Exit::Usage)
        }
    }
}

/// The board `native` of this program.
struct Native(BoardFactory);

impl Machines for Native {
    fn machine(&self, header: Vec<HeaderEntry>, image: Option<Vec<u8>>) -> MachineFactory {
        let boards = self.0.clone();
        let trace = Trace { header, ..Trace::default() };
        Box::new(move || boards.build(&trace, image.clone()))
    }

    fn parts(&self) -> BoardParts {
        self.0.parts().unwrap_or_default()
    }

    fn reader(&self) -> Reader {
        text_reader::reader()
    }
}
