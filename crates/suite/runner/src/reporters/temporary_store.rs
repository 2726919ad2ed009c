//! Parts of reports that are written at the end wait in a temporary file, not in memory.

use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::ops::Range;

/// Bytes in a file without a name; the operating system removes it with the process.
pub(crate) struct TemporaryStore {
    file: BufWriter<File>,
    length: u64,
}

impl TemporaryStore {
    /// # Errors
    /// If no temporary file can be made.
    pub fn new() -> io::Result<Self> {
        Ok(Self { file: BufWriter::new(tempfile::tempfile()?), length: 0 })
    }

    /// Appends `bytes` and returns their range.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn append(&mut self, bytes: &[u8]) -> io::Result<Range<u64>> {
        self.file.write_all(bytes)?;
        let start = self.length;
        self.length += bytes.len() as u64;
        Ok(start..self.length)
    }

    /// Writes the bytes in `range` to `out`.
    ///
    /// # Errors
    /// If they cannot be read or written.
    pub fn copy(&mut self, range: Range<u64>, out: &mut dyn Write) -> io::Result<()> {
        self.file.flush()?;
        let file = self.file.get_mut();
        file.seek(SeekFrom::Start(range.start))?;
        io::copy(&mut file.take(range.end - range.start), out)?;
        self.file.get_mut().seek(SeekFrom::End(0)).map(drop)
    }

    /// Writes all bytes to `out`.
    ///
    /// # Errors
    /// If they cannot be read or written.
    pub fn copy_all(&mut self, out: &mut dyn Write) -> io::Result<()> {
        self.copy(0..self.length, out)
    }
}
