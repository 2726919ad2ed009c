//! A log that is being written.

use super::next::Next;
use crate::interface::log::Log;
use crate::storage::files::Writer;
use crate::storage::name::Name;

#[derive(Clone)]
pub(super) struct Logging {
    pub(super) log: Log,
    pub(super) writer: Writer,
    pub(super) name: Name,
    /// Number of lines written.
    pub(super) written: u32,
    /// State that follows its page.
    pub(super) next: Next,
}

impl Logging {
    /// Returns how much of its lines is written, in per cent.
    pub(super) fn per_cent(&self) -> u8 {
        (100 * self.written / self.log.lines().max(1)).min(100) as u8
    }
}
