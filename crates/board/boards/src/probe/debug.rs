//! The board's program through its debug port: writes it, and compares it with a file.

use hal_mock::Heap;
use probe::Session;
use probe::bring_up::with_debug_port;
use probe::swd::flash::{Flasher, sectors};
use probe::swd::{DebugPort, Flashed, Sectors, SwdError};
use rp2040_emulator::image::Image;
use rp2040_emulator::program::Program;
use trace::{Action, Trace};

use super::examined::{AtPort, ExamineError};
use super::pool::ProbePool;
use crate::pico::firmware;

/// Result of writing a board's program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlashedBoard {
    pub flashed: Flashed,
    /// The `boot` line that the board wrote after its reset; `None` if it wrote none.
    pub boot: Option<String>,
}

/// Returns the sectors of the flash that a program has.
///
/// # Errors
/// If the program has bytes outside the flash of a Pico.
pub fn program_sectors(image: &Image) -> Result<Sectors, SwdError> {
    sectors(image.segments.iter().map(|part| (part.address, &part.bytes[..])))
}

/// Writes the sectors that differ into the flash of the board of `session`, verifies them, and
/// resets the board. Its power is off afterwards. `progress` gets the numbers of sectors that are
/// written and that are to be written.
///
/// # Errors
/// If the board's debug port fails.
pub fn flash_board(
    session: &mut Session,
    sectors: &Sectors,
    progress: &mut dyn FnMut(usize, usize),
) -> Result<FlashedBoard, SwdError> {
    let (flashed, boot) = with_debug_port(session, true, |session| {
        let mut port = DebugPort::connect(session)?;
        let flashed = Flasher::begin(&mut port)?.write(sectors, progress)?;
        port.reset()?;
        Ok(flashed)
    })?;
    Ok(FlashedBoard { flashed, boot })
}

/// Writes a program to the board of each probe; see [`flash_board`].
pub fn flash_boards(
    probes: &ProbePool,
    sectors: &Sectors,
    progress: &mut dyn FnMut(usize, usize),
) -> Vec<AtPort<FlashedBoard>> {
    let progress = std::cell::RefCell::new(progress);
    let written = probes.each(|mut session| {
        flash_board(&mut session, sectors, &mut |done, all| (progress.borrow_mut())(done, all))
    });
    let flat = |(port, ended): (std::path::PathBuf, _)| {
        let result = match ended {
            Ok(Ok(written)) => Ok(written),
            Ok(Err(error)) => Err(ExamineError::Debug { port: port.clone(), error }),
            Err(error) => Err(ExamineError::Pool(error)),
        };
        (port, result)
    };
    written.into_iter().map(flat).collect()
}

/// Returns whether a trace has `expect heap`.
pub(crate) fn expects_heap(trace: &Trace) -> bool {
    trace.lines.iter().any(|line| line.action == Action::ExpectNoHeap)
}

/// Returns whether the board's program has an allocator: according to the functions of `program`,
/// if the board's flash has exactly that program. The board is switched on and off.
pub fn heap_of_board(session: &mut Session, program: &Program) -> Heap {
    let compared = program_sectors(program.image()).and_then(|sectors| {
        with_debug_port(session, false, |session| {
            let mut port = DebugPort::connect(session)?;
            Flasher::begin(&mut port)?.differing(&sectors)
        })
    });
    match compared {
        Ok((differing, _)) => match differing.first() {
            None => firmware::heap(program),
            Some(address) => Heap::Unknown(format!(
                "its flash has another program than target/{}, from {address:#010x} on; `nudge probe flash-board` writes it",
                firmware::FIRMWARE
            )),
        },
        Err(error) => Heap::Unknown(format!("its program cannot be read: {error}")),
    }
}
