//! A capture of the board's wires in any of the formats.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use virtual_time::Instant;

use crate::edge::{CaptureEvent, Edge};
use crate::error::{CaptureError, FormatError};
use crate::format::FileFormat;
use crate::signal::Signal;
use crate::wiring::Wiring;
use crate::{csv, vcd};

/// The edges of a capture in order of time, read from the file on demand. The iterator ends after
/// the first error.
pub struct Capture {
    name: String,
    reader: Reader,
    /// Level of each wire; `None` before its first edge.
    levels: [Option<bool>; Signal::COUNT_MAX],
    span: Option<(Instant, Instant)>,
    over: bool,
}

enum Reader {
    Vcd(Box<vcd::Reader<BufReader<File>>>),
    Csv(Box<csv::Reader<BufReader<File>>>),
}

impl Capture {
    /// Opens the capture in the file at `path` and reads its head.
    ///
    /// # Errors
    /// If the file cannot be read, is not a capture, or has none of the board's wires.
    pub fn open(path: &Path, wiring: &Wiring) -> Result<Self, FormatError> {
        let name = path.display().to_string();
        let kind = FileFormat::of_file(path)?;
        let file = host::input_files::open(path).map_err(|error| FormatError::of(&name, error))?;
        let file = BufReader::new(file);
        let reader = match kind {
            FileFormat::Vcd => Reader::Vcd(Box::new(vcd::Reader::new(&name, file, wiring)?)),
            FileFormat::Csv => Reader::Csv(Box::new(csv::Reader::new(&name, file, wiring)?)),
            FileFormat::Trace | FileFormat::Yaml => {
                return Err(FormatError::of(&name, CaptureError::NotACapture));
            }
        };
        let capture =
            Self { name, reader, levels: [None; Signal::COUNT_MAX], span: None, over: false };
        let channels = || capture.channels().to_vec();
        if capture.signals().is_empty() {
            let kind = CaptureError::NoWires { channels: channels() };
            return Err(FormatError::of(&capture.name, kind));
        }
        for (signal, channel) in wiring.entries() {
            if !capture.signals().contains(&signal) {
                let channel = channel.to_owned();
                let kind = CaptureError::NoChannel { channel, signal, channels: channels() };
                return Err(FormatError::of(&capture.name, kind));
            }
        }
        Ok(capture)
    }

    /// Returns the keys and values of the trace's header in the waveform at `path`, whatever its
    /// wires are; none if it is no waveform.
    ///
    /// # Errors
    /// If the file cannot be read or its head is wrong.
    pub fn header_of(path: &Path) -> Result<Vec<(String, String)>, FormatError> {
        if FileFormat::of_file(path)? != FileFormat::Vcd {
            return Ok(Vec::new());
        }
        let name = path.display().to_string();
        let file = host::input_files::open(path).map_err(|error| FormatError::of(&name, error))?;
        vcd::header(&name, BufReader::new(file))
    }

    /// Returns the file's name, as the caller gave it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the board's wires that the capture has.
    pub fn signals(&self) -> &[Signal] {
        match &self.reader {
            Reader::Vcd(reader) => reader.signals(),
            Reader::Csv(reader) => reader.signals(),
        }
    }

    /// Returns the names of all channels, including those that are not wires of the board.
    pub fn channels(&self) -> &[String] {
        match &self.reader {
            Reader::Vcd(reader) => reader.channels(),
            Reader::Csv(reader) => reader.channels(),
        }
    }

    /// Returns the first and the last time of the part that has been read.
    pub fn span(&self) -> Option<(Instant, Instant)> {
        self.span
    }

    /// Returns the keys and values of the trace's header in the file.
    pub fn header(&self) -> &[(String, String)] {
        match &self.reader {
            Reader::Vcd(reader) => reader.header(),
            Reader::Csv(_) => &[],
        }
    }

    /// Returns the reader's changes to the part of the capture that has been read, as sentences
    /// without a full stop.
    pub fn notes(&mut self) -> Vec<String> {
        match &mut self.reader {
            Reader::Vcd(reader) => reader.notes(),
            Reader::Csv(reader) => reader.notes(),
        }
    }
}

impl Iterator for Capture {
    type Item = Result<Edge, FormatError>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.over {
            let found = match &mut self.reader {
                Reader::Vcd(reader) => reader.next(),
                Reader::Csv(reader) => reader.next(),
            };
            let (at, edge) = match found {
                Ok(Some(CaptureEvent::Level(edge))) => (edge.at, Some(edge)),
                Ok(Some(CaptureEvent::Reached(at))) => (at, None),
                Ok(None) => break,
                Err(error) => {
                    self.over = true;
                    return Some(Err(error));
                }
            };
            self.span = Some((self.span.map_or(at, |(first, _)| first), at));
            if let Some(edge) = edge {
                let level = &mut self.levels[edge.signal.index()];
                if level.replace(edge.high) != Some(edge.high) {
                    return Some(Ok(edge));
                }
            }
        }
        self.over = true;
        None
    }
}
