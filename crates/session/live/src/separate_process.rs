//! A program that runs sessions in a process of its own.

use std::path::PathBuf;

use trace::{BoardParts, HeaderEntry};

/// A program that runs sessions, and the data that it builds a machine from.
#[derive(Clone, Debug)]
pub struct SeparateProcess {
    pub program: PathBuf,
    /// Arguments with which it [`serve`](super::serve)s on its standard streams.
    pub arguments: Vec<String>,
    /// Parts of the board of both programs.
    pub parts: BoardParts,
    /// Header that the machine is built from.
    pub header: Vec<HeaderEntry>,
    /// Content of the flash.
    pub image: Option<Vec<u8>>,
}
