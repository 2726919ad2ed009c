//! The firmware that the traces run on, as the reports name it. This module does not know where the
//! names come from.

use core::fmt;
use std::sync::Arc;

use trace::{Trace, counted};

/// Identification of the firmware that the traces run on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FirmwareId {
    /// The board and the identification of its firmware.
    pub name: String,
    /// Remark for the reader of a report, if any.
    pub note: Option<String>,
}

impl FirmwareId {
    /// Returns the lines for a report.
    pub(crate) fn lines(&self) -> Vec<String> {
        [format!("firmware: {}", self.name)].into_iter().chain(self.note_line()).collect()
    }

    fn note_line(&self) -> Option<String> {
        self.note.as_ref().map(|note| format!("note: {note}"))
    }
}

type Names = dyn Fn(&Trace) -> Option<FirmwareId> + Send + Sync;

/// Returns the firmware of a trace that names its board itself; `None` for a trace that runs on the
/// board of the command line.
#[derive(Clone)]
pub struct FirmwareNamer(Arc<Names>);

impl FirmwareNamer {
    /// Creates a namer from a function of the trace.
    pub fn new(names: impl Fn(&Trace) -> Option<FirmwareId> + Send + Sync + 'static) -> Self {
        Self(Arc::new(names))
    }

    /// Returns the firmware of `trace`, if the trace names its board itself.
    pub fn of(&self, trace: &Trace) -> Option<FirmwareId> {
        (self.0)(trace)
    }
}

impl fmt::Debug for FirmwareNamer {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("FirmwareNamer")
    }
}

/// The firmwares of a run with their numbers of traces, in the order of their first traces.
#[derive(Clone, Debug, Default)]
pub(crate) struct FirmwareCounts(Vec<(FirmwareId, usize)>);

impl FirmwareCounts {
    /// Counts a trace that ran on `firmware`.
    pub(crate) fn add(&mut self, firmware: &FirmwareId) {
        match self.0.iter_mut().find(|(counted, _)| counted == firmware) {
            Some((_, traces)) => *traces += 1,
            None => self.0.push((firmware.clone(), 1)),
        }
    }

    /// Returns the lines for a report: several firmwares have their numbers of traces. `otherwise`
    /// is the firmware of the command line, which is named if no trace ran.
    pub(crate) fn lines(&self, otherwise: Option<&FirmwareId>) -> Vec<String> {
        match &self.0[..] {
            [] => otherwise.map(FirmwareId::lines).unwrap_or_default(),
            [(only, _)] => only.lines(),
            several => {
                let line = |(firmware, traces): &(FirmwareId, usize)| {
                    format!("firmware: {} ({})", firmware.name, counted(*traces, "trace"))
                };
                let notes = several.iter().filter_map(|(firmware, _)| firmware.note_line());
                several.iter().map(line).chain(notes).collect()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_firmwares_have_their_numbers_of_traces() {
        let named = |name: &str, note: Option<&str>| FirmwareId {
            name: name.into(),
            note: note.map(str::to_owned),
        };
        let (pad, native) = (named("pad.board.toml", Some("no LED")), named("native", None));
        let mut counts = FirmwareCounts::default();
        assert_eq!(counts.lines(Some(&native)), ["firmware: native"]);
        counts.add(&pad);
        assert_eq!(counts.lines(Some(&native)), ["firmware: pad.board.toml", "note: no LED"]);
        counts.add(&native);
        counts.add(&pad);
        assert_eq!(
            counts.lines(None),
            ["firmware: pad.board.toml (2 traces)", "firmware: native (1 trace)", "note: no LED"]
        );
    }
}
