//! The files of a recording. This module knows no window.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use host::output_files::{Log, Output, OutputError};
use trace::HeaderEntry;
use virtual_time::Instant;

use super::captures;
use super::error::SessionError;
use super::input_log::{InputLog, RecordingStore, Sink, unended};

/// Maximum number of futures of one recording.
const FUTURES_MAX: u32 = 10_000;

/// Creates the file to record into. An existing file is an error and is not changed.
pub fn create_new(path: &Path) -> Result<Sink, SessionError> {
    match Log::create(path) {
        Ok(log) => Ok(Box::new(log)),
        Err(error) => Err(SessionError::Record { path: path.to_owned(), error: error.into() }),
    }
}

/// Writes `image` into a file of [`create_new`].
pub fn fill(mut file: Sink, path: &Path, image: &[u8]) -> Result<(), SessionError> {
    file.write_all(image).map_err(|error| SessionError::Record { path: path.to_owned(), error })
}

/// Removes a file of [`create_new`] into which nothing was recorded.
pub fn discard(path: Option<&Path>) {
    if let Some(path) = path {
        // A file that cannot be removed contains only the lines of a header.
        let _ = fs::remove_file(path);
    }
}

/// Files of a session's recording, and of the futures that the session has abandoned.
#[derive(Clone, Debug, Default)]
pub struct RecordingFiles {
    pub record: Option<PathBuf>,
    /// Header of the recording.
    pub header: Vec<HeaderEntry>,
    /// Initial content of the flash, if the header does not name it.
    pub image: Option<Vec<u8>>,
    /// Folder of traces, pictures and films beside the recording.
    pub captures: PathBuf,
}

impl RecordingFiles {
    /// Writes a new trace of `input_log` among the captures, and a flash file next to it if the
    /// trace needs one.
    pub fn save(&self, input_log: &InputLog) -> io::Result<PathBuf> {
        let mut header = self.header.clone();
        // The header of a recording names a file in the recording's folder.
        let beside = self.record.as_ref().and_then(|record| record.parent());
        let folder = beside.unwrap_or(&self.captures);
        if let Some(image) = &self.image {
            let flash = captures::save(folder, "flash", image)?;
            let name = flash.file_name().unwrap_or_default().to_string_lossy().into_owned();
            header.insert(0, HeaderEntry::new("flash", name));
        }
        captures::save(folder, "trace", &input_log.text(&header)?)
    }
}

impl RecordingFiles {
    /// Returns the recorded inputs up to `end`; `None` if nothing is recorded, or the recording cannot
    /// be read.
    pub(super) fn recorded(&self, end: Instant) -> Option<InputLog> {
        let text = fs::read(self.record.as_ref()?).ok()?;
        InputLog::parse(&String::from_utf8_lossy(&text), end).map(|log| log.until(end))
    }

    /// Replaces the recording by `input_log`, with its end.
    pub(super) fn replace(&self, input_log: &InputLog) -> io::Result<()> {
        let Some(record) = &self.record else { return Ok(()) };
        let text = input_log.text(&self.header)?;
        Ok(Output::trace(record).replace(true).durable().write(&text)?)
    }
}

impl RecordingStore for RecordingFiles {
    fn keep(&mut self, input_log: &InputLog) -> io::Result<PathBuf> {
        let Some(record) = &self.record else { return self.save(input_log) };
        let text = input_log.text(&self.header)?;
        let stem = record.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        for number in 2..FUTURES_MAX {
            let path = record.with_file_name(format!("{stem}.{number}.trace"));
            match Output::trace(&path).durable().write(&text) {
                Ok(()) => return Ok(path),
                Err(OutputError::Exists { .. }) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }

    fn rewind(&mut self, input_log: &InputLog) -> io::Result<Option<Sink>> {
        let Some(record) = &self.record else { return Ok(None) };
        let text = unended(input_log, &self.header)?;
        Output::trace(record).replace(true).durable().write(&text)?;
        Ok(Some(Box::new(Log::append(record)?)))
    }

    fn go_on(&mut self) -> io::Result<Option<(Sink, Vec<HeaderEntry>)>> {
        let Some(record) = &self.record else { return Ok(None) };
        // A process whose input has closed before it was killed ends its recording.
        let text = fs::read(record)?;
        let body = text.strip_suffix(b"\n").unwrap_or(&text);
        let last = body.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        if body[last..].split(u8::is_ascii_whitespace).next_back() == Some(b"end") {
            Output::trace(record).replace(true).durable().write(&text[..last])?;
        }
        Ok(Some((Box::new(Log::append(record)?), self.header.clone())))
    }
}

/// Returns the file's name without its folders and extension, for the board's status line.
pub fn short_name(path: &Path) -> String {
    path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use trace::{Action, Button};

    use super::*;

    #[test]
    fn a_recording_overwrites_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("win.trace");
        create_new(&path).unwrap().write_all(b"trace 1\n").unwrap();
        let error = create_new(&path).err().unwrap();
        assert!(error.to_string().ends_with("overwrites nothing; name another file"), "{error}");
        assert_eq!(error.exit_code(), 2);
        assert_eq!(fs::read(&path).unwrap(), b"trace 1\n");
    }

    #[test]
    fn an_ended_recording_continues_without_its_end() {
        let folder = tempfile::tempdir().unwrap();
        let record = folder.path().join("win.trace");
        let begun = "trace 1\nseed 7\n\n0ms     power on\n500ms   press B1\n";
        let mut recording_files =
            RecordingFiles { record: Some(record.clone()), ..RecordingFiles::default() };
        for text in [begun.to_owned(), format!("{begun}1200ms  end\n"), format!("{begun}end\n")] {
            fs::write(&record, text).unwrap();
            let (mut sink, _) = recording_files.go_on().unwrap().unwrap();
            sink.write_all(b"900ms   release B1\n").unwrap();
            let text = fs::read_to_string(&record).unwrap();
            assert_eq!(text, format!("{begun}900ms   release B1\n"));
        }
    }

    #[test]
    fn an_abandoned_future_is_saved_beside_the_recording() {
        let folder = tempfile::tempdir().unwrap();
        let record = folder.path().join("win.trace");
        fs::write(&record, "what was recorded").unwrap();
        fs::write(folder.path().join("win.2.trace"), "of another").unwrap();
        let mut recording_files = RecordingFiles {
            record: Some(record.clone()),
            header: vec![HeaderEntry::new("seed", "7")],
            image: None,
            captures: folder.path().to_owned(),
        };
        let at = Instant::from_millis;
        let events = vec![(at(0), Action::PowerOn), (at(500), Action::Press(Button::B1))];
        let input_log = InputLog { events, end: at(900) };
        let kept = recording_files.keep(&input_log).unwrap();
        assert_eq!(kept, folder.path().join("win.3.trace"));
        assert!(fs::read_to_string(&kept).unwrap().contains("press B1"));
        let mut sink = recording_files.rewind(&input_log.until(at(400))).unwrap().unwrap();
        sink.write_all(b"more\n").unwrap();
        let text = fs::read_to_string(&record).unwrap();
        assert!(
            text.starts_with("trace 1\nseed 7\n") && text.ends_with("power on\nmore\n"),
            "{text}"
        );
        assert_eq!(fs::read(folder.path().join("win.2.trace")).unwrap(), b"of another");
    }
}
