//! What a reader of a replay on real boards should know beside its verdicts.

use std::io::{self, Write};

use boards::BoardFactory;
use boards::probe::pin_table;
use runner::Exit;

/// Writes which probes could not be used and, if a trace has failed, what is likely wrong with the wires of a board; nothing about
/// virtual boards.
pub fn tell(boards: &BoardFactory, exit: Exit, err: &mut dyn Write) -> io::Result<()> {
    let BoardFactory::Probe(pool, _) = boards else { return Ok(()) };
    for error in pool.set_aside() {
        writeln!(err, "nudge: a probe was not used: {error}")?;
    }
    if exit == Exit::Passed {
        return Ok(());
    }
    for (port, diagnosis) in pool.diagnoses() {
        writeln!(err, "nudge: the board at {}: {diagnosis}", port.display())?;
        let suspects = diagnosis.wires();
        if !suspects.is_empty() {
            write!(err, "{}", pin_table(&suspects))?;
        }
    }
    Ok(())
}
