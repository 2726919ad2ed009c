//! The files of a recording. This module knows no window.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use host::output_files::{Log, Output};
use trace::{BoardParts, HeaderEntry};
use virtual_time::Instant;

use super::branches::{clock, is_press};
use super::captures;
use super::error::SessionError;
use super::input_log::{InputLog, RecordingStore, Sink, unended};

/// Extension of the file with the branches of a session, each a whole trace.
const BRANCHES: &str = "branches";

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
    /// Parts of the board, which the recording names.
    pub parts: BoardParts,
    /// Initial content of the flash, if the header does not name it.
    pub image: Option<Vec<u8>>,
    /// Folder of traces, pictures and films beside the recording.
    pub captures: PathBuf,
    /// File of the branches, once there is one.
    pub branches: Option<PathBuf>,
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
    /// Returns the recorded inputs up to `end`; `None` if nothing is recorded, or the recording
    /// cannot be read.
    pub(super) fn recorded(&self, end: Instant) -> Option<InputLog> {
        let text = fs::read(self.record.as_ref()?).ok()?;
        let text = String::from_utf8_lossy(&text);
        InputLog::parse_on(&self.parts, &text, end).map(|log| log.until(end))
    }

    /// Replaces the recording by `input_log`, with its end.
    pub(super) fn replace(&self, input_log: &InputLog) -> io::Result<()> {
        let Some(record) = &self.record else { return Ok(()) };
        let text = input_log.text(&self.header)?;
        Ok(Output::trace(record).replace(true).durable().write(&text)?)
    }
}

impl RecordingStore for RecordingFiles {
    fn keep(&mut self, input_log: &InputLog, same: usize) -> io::Result<PathBuf> {
        let path = match (&self.branches, &self.record) {
            (Some(path), _) => path.clone(),
            (None, Some(record)) => record.with_extension(BRANCHES),
            (None, None) => captures::save(&self.captures, BRANCHES, &[])?,
        };
        if let (None, None, Some(image)) = (&self.branches, &self.record, &self.image) {
            let flash = path.with_extension("flash");
            Output::new(&flash).write(image)?;
            let name = flash.file_name().unwrap_or_default().to_string_lossy().into_owned();
            self.header.insert(0, HeaderEntry::new("flash", name));
        }
        self.branches = Some(path.clone());
        let mut text = heading(input_log, same).into_bytes();
        text.extend(input_log.text(&self.header)?);
        text.push(b'\n');
        let mut file = Log::append(&path)?;
        file.add(&text)?;
        Ok(path)
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

/// Returns the comment before the trace of a branch: its first input that the next course lacks.
fn heading(input_log: &InputLog, same: usize) -> String {
    let events = input_log.events.get(same..).unwrap_or_default();
    let first = events.iter().find(|(_, action)| is_press(action)).or(events.first());
    let first =
        first.map_or(String::new(), |(at, action)| format!(", from {action} at {} on", clock(*at)));
    format!("# A branch of this session, left at {}{first}\n", clock(input_log.end))
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
    fn abandoned_futures_are_saved_in_one_file_beside_the_recording() {
        let folder = tempfile::tempdir().unwrap();
        let record = folder.path().join("win.trace");
        fs::write(&record, "what was recorded").unwrap();
        let mut recording_files = RecordingFiles {
            record: Some(record.clone()),
            header: vec![HeaderEntry::new("seed", "7")],
            captures: folder.path().to_owned(),
            ..RecordingFiles::default()
        };
        let at = Instant::from_millis;
        let course = |button| {
            let events = vec![(at(0), Action::PowerOn), (at(500), Action::Press(button))];
            InputLog { events, end: at(900) }
        };
        let [one, other] = [Button::B1, Button::T2].map(course);
        let kept = [&one, &other].map(|log| recording_files.keep(log, 1).unwrap());
        assert_eq!(kept, [(); 2].map(|()| folder.path().join("win.branches")));
        let text = fs::read_to_string(&kept[0]).unwrap();
        let sections: Vec<&str> = text.split("# A branch ").skip(1).collect();
        for (section, log) in sections.iter().zip([one.clone(), other]) {
            let (heading, trace) = section.split_once('\n').unwrap();
            let press = log.events[1].1.to_string();
            assert!(heading.contains(&format!("from {press} at 0:00.500 on")), "{heading}");
            let trace = trace::parse("branch.trace", trace).unwrap();
            assert!(trace.lines.iter().any(|line| line.action == log.events[1].1), "{section}");
        }
        assert_eq!(sections.len(), 2);
        let mut sink = recording_files.rewind(&one.until(at(400))).unwrap().unwrap();
        sink.write_all(b"more\n").unwrap();
        let text = fs::read_to_string(&record).unwrap();
        assert!(
            text.starts_with("trace 1\nseed 7\n") && text.ends_with("power on\nmore\n"),
            "{text}"
        );
    }
}
