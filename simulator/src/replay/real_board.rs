//! What a reader of a replay on real boards should know beside its verdicts.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::PathBuf;

use boards::BoardFactory;
use boards::probe::unset;
use runner::open_trace;

/// Writes which probes could not be used, and which settings of the traces' headers are not set on a real board; nothing about
/// virtual boards.
pub fn tell(
    boards: &BoardFactory,
    paths: &[PathBuf],
    filter: Option<&str>,
    err: &mut dyn Write,
) -> io::Result<()> {
    let BoardFactory::Probe(pool) = boards else { return Ok(()) };
    for error in pool.set_aside() {
        writeln!(err, "nudge: a probe was not used: {error}")?;
    }
    let traces = runner::find(paths, filter).unwrap_or_default();
    let mut keys = BTreeSet::new();
    for trace in traces.iter().filter_map(|found| open_trace(&found.path).ok()) {
        keys.extend(unset(&trace).into_iter().map(str::to_owned));
    }
    if !keys.is_empty() {
        let keys: Vec<String> = keys.iter().map(|key| format!("`{key}`")).collect();
        writeln!(
            err,
            "nudge: a real board keeps its own settings: {} of the traces' headers are not set on it; a trace \
             that needs them fails unless the board has them",
            keys.join(", ")
        )?;
    }
    Ok(())
}
