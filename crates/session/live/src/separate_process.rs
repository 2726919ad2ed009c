//! A program that runs sessions in a process of its own.

use std::path::PathBuf;

use trace::HeaderEntry;

/// A program that runs sessions, and what it builds a machine from.
#[derive(Clone, Debug)]
pub struct SeparateProcess {
    /// The program.
    pub program: PathBuf,
    /// What makes it [`serve`](super::serve) on its standard streams.
    pub arguments: Vec<String>,
    /// What the machine is built from.
    pub header: Vec<HeaderEntry>,
    /// What its flash holds.
    pub image: Option<Vec<u8>>,
}
