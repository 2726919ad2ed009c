//! Which firmware the traces run on, as the reports name it. Where the names come from is not known
//! here.

/// Which firmware the traces run on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FirmwareId {
    /// The board, and what identifies its firmware.
    pub name: String,
    /// What a reader should know of it, if anything.
    pub note: Option<String>,
}

impl FirmwareId {
    /// The lines of a report.
    pub(crate) fn lines(&self) -> Vec<String> {
        let note = self.note.iter().map(|note| format!("note: {note}"));
        [format!("firmware: {}", self.name)].into_iter().chain(note).collect()
    }
}
