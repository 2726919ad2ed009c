//! The firmware that the traces run on, as the reports name it. This module does not know where the
//! names come from.

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
        let note = self.note.iter().map(|note| format!("note: {note}"));
        [format!("firmware: {}", self.name)].into_iter().chain(note).collect()
    }
}
