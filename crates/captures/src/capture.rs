//! A capture of the board's wires, whatever format it is in: the formats are told apart here.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

use hal_mock::Nanos;

use super::{FormatError, Signal, Wiring, csv, vcd};

/// Bytes that are looked at to tell the formats apart.
const LOOKED_AT: usize = 4096;

/// A wire changes its level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// When, since the capture's zero.
    pub at: Nanos,
    /// Which.
    pub signal: Signal,
    /// The level from then on. The first edge of each wire is the level it begins with.
    pub high: bool,
}

/// The format of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A trace of ours.
    Trace,
    /// A value change dump.
    Vcd,
    /// An export of Saleae Logic 2 or sigrok.
    Csv,
    /// A scenario of Wokwi.
    Yaml,
}

impl Kind {
    /// By the end of its name.
    pub fn of_name(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "trace" => Some(Self::Trace),
            "vcd" => Some(Self::Vcd),
            "csv" => Some(Self::Csv),
            "yaml" | "yml" => Some(Self::Yaml),
            _ => None,
        }
    }

    /// By the end of its name, or else by how it begins.
    ///
    /// # Errors
    /// If the file cannot be read or begins like none of them.
    pub fn of_file(path: &Path) -> Result<Self, FormatError> {
        if let Some(kind) = Self::of_name(path) {
            return Ok(kind);
        }
        let name = path.display().to_string();
        let mut start = Vec::new();
        File::open(path)
            .and_then(|file| file.take(LOOKED_AT as u64).read_to_end(&mut start))
            .map_err(|error| FormatError::of(&name, error.to_string()))?;
        Self::of_start(&start).ok_or_else(|| {
            FormatError::of(
                &name,
                "is neither a trace, a VCD, a CSV export nor a scenario; a name that ends in \
                 .trace, .vcd, .csv or .yaml says which is meant",
            )
        })
    }

    fn of_start(start: &[u8]) -> Option<Self> {
        let start = start.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(start);
        let text = String::from_utf8_lossy(start);
        let text = text.trim_start();
        let has_line = |begin: &str| text.lines().any(|line| line.starts_with(begin));
        if text.starts_with('$') {
            Some(Self::Vcd)
        } else if text.starts_with(';') || text.starts_with("Time [s]") {
            Some(Self::Csv)
        } else if has_line("trace 1") {
            Some(Self::Trace)
        } else if has_line("steps:") {
            Some(Self::Yaml)
        } else {
            None
        }
    }
}

/// Edges in order of time, read while they are asked for. After the first error comes none.
pub struct Capture {
    name: String,
    reader: Reader,
    /// The level of each wire, once known.
    levels: [Option<bool>; Signal::COUNT],
    span: Option<(Nanos, Nanos)>,
    over: bool,
}

enum Reader {
    Vcd(Box<vcd::Reader<BufReader<File>>>),
    Csv(Box<csv::Reader<BufReader<File>>>),
}

/// What a format's reader finds next.
pub(super) enum Found {
    /// A level, which may be the one that the wire had.
    Level(Edge),
    /// Time goes on to here.
    Reached(Nanos),
}

impl Capture {
    /// Opens the capture in the file at `path` and reads its head.
    ///
    /// # Errors
    /// If it cannot be read, is no capture, or has none of the board's wires.
    pub fn open(path: &Path, wiring: &Wiring) -> Result<Self, FormatError> {
        let name = path.display().to_string();
        let kind = Kind::of_file(path)?;
        let file = File::open(path).map_err(|error| FormatError::of(&name, error.to_string()))?;
        let file = BufReader::new(file);
        let reader = match kind {
            Kind::Vcd => Reader::Vcd(Box::new(vcd::Reader::new(&name, file, wiring)?)),
            Kind::Csv => Reader::Csv(Box::new(csv::Reader::new(&name, file, wiring)?)),
            Kind::Trace | Kind::Yaml => {
                return Err(FormatError::of(
                    &name,
                    "is no capture of wires; give a VCD or a CSV export",
                ));
            }
        };
        let capture = Self { name, reader, levels: [None; Signal::COUNT], span: None, over: false };
        if capture.signals().is_empty() {
            return Err(FormatError::of(
                &capture.name,
                format!(
                    "has none of the board's wires; it has {}: say which is which, \
                     like `--map B1=D3,SCK=D0`",
                    listed(capture.channels())
                ),
            ));
        }
        for (signal, channel) in wiring.entries() {
            if !capture.signals().contains(&signal) {
                return Err(FormatError::of(
                    &capture.name,
                    format!(
                        "has no channel `{channel}` for {signal}; it has {}",
                        listed(capture.channels())
                    ),
                ));
            }
        }
        Ok(capture)
    }

    /// The file's name, as it was given.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The wires in it.
    pub fn signals(&self) -> &[Signal] {
        match &self.reader {
            Reader::Vcd(reader) => reader.signals(),
            Reader::Csv(reader) => reader.signals(),
        }
    }

    /// The names of its channels, whether they are wires or not.
    pub fn channels(&self) -> &[String] {
        match &self.reader {
            Reader::Vcd(reader) => reader.channels(),
            Reader::Csv(reader) => reader.channels(),
        }
    }

    /// The first and the last moment of what has been read so far.
    pub fn span(&self) -> Option<(Nanos, Nanos)> {
        self.span
    }

    /// The lines of a trace's header that the file carries along.
    pub fn header(&self) -> &[(String, String)] {
        match &self.reader {
            Reader::Vcd(reader) => reader.header(),
            Reader::Csv(_) => &[],
        }
    }

    /// What was done to the capture that its reader should know, as sentences.
    pub fn notes(&self) -> Vec<String> {
        match &self.reader {
            Reader::Vcd(_) => Vec::new(),
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
                Ok(Some(Found::Level(edge))) => (edge.at, Some(edge)),
                Ok(Some(Found::Reached(at))) => (at, None),
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

/// The names, the first dozen of them.
fn listed(names: &[String]) -> String {
    const SHOWN: usize = 12;
    if names.is_empty() {
        return "no channels".to_owned();
    }
    let more = if names.len() > SHOWN { ", …" } else { "" };
    let shown: Vec<&str> = names.iter().take(SHOWN).map(String::as_str).collect();
    format!("{}{more}", shown.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_format_is_known_by_how_it_begins() {
        for (start, kind) in [
            ("$date today $end", Some(Kind::Vcd)),
            ("\n  $timescale 1ns $end", Some(Kind::Vcd)),
            ("; CSV generated by libsigrok", Some(Kind::Csv)),
            ("Time [s],Channel 0", Some(Kind::Csv)),
            ("# won\ntrace 1", Some(Kind::Trace)),
            ("name: x\nsteps:\n", Some(Kind::Yaml)),
            ("\0\0\0", None),
            ("", None),
        ] {
            assert_eq!(Kind::of_start(start.as_bytes()), kind, "{start:?}");
        }
    }
}
