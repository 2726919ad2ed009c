//! Additional information for the user of a replay on real boards.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::PathBuf;

use boards::probe::{Diagnosis, Health, ProbePool, examine_all, pin_table};
use boards::{BoardFactory, LcdFirmware};
use host::Exit;

/// Reports the probes that could not be used and, if a trace has failed, faults that are likely in
/// the wires of a board. Writes nothing for virtual boards.
///
/// The boards are examined again, because a wire may have broken during a trace.
pub fn tell(boards: &BoardFactory, exit: Exit, err: &mut dyn Write) -> io::Result<()> {
    let BoardFactory::Probe(firmware, pool, _) = boards else { return Ok(()) };
    for error in pool.set_aside() {
        writeln!(err, "nudge: a probe was set aside: {error}")?;
    }
    for (port, Health { lent, failures, last }) in pool.health() {
        let last = last.map(|last| format!("; the last one: {last}")).unwrap_or_default();
        let port = port.display();
        writeln!(err, "nudge: probe {port}: {lent} boards set up, {failures} failures{last}")?;
    }
    if exit == Exit::Passed {
        return Ok(());
    }
    for (port, diagnosis) in diagnoses(*firmware, pool, exit) {
        writeln!(err, "nudge: the board at {}: {diagnosis}", port.display())?;
        let suspects = diagnosis.wires();
        if !suspects.is_empty() {
            write!(err, "{}", pin_table(&suspects))?;
        }
    }
    Ok(())
}

/// Returns the faults found now or when a board was set up: a contact may be loose.
fn diagnoses(
    firmware: &dyn LcdFirmware,
    pool: &ProbePool,
    exit: Exit,
) -> Vec<(PathBuf, Diagnosis)> {
    let mut found: BTreeMap<_, _> = pool.diagnoses().into_iter().collect();
    if exit == Exit::Failed {
        let again = examine_all(firmware, pool).unwrap_or_default();
        found.extend(
            again.into_iter().filter_map(|(port, it)| Some((port, it.ok()?.board.diagnosis?))),
        );
    }
    found.into_iter().collect()
}
