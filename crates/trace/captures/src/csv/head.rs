//! The part of an export above its rows, and the unit of its times.
//!
//! | program | head | known from |
//! |---|---|---|
//! | Saleae Logic 2 | `Time [s],Channel 0` | its documentation, *Binary and CSV Export Formats* |
//! | Saleae Logic 1, KingstVIS | `Time[s], Channel 0` | exports in public projects |
//! | sigrok, PulseView | `; Samplerate: 1 MHz`, then labels or none | libsigrok, `src/output/csv.c` |
//! | DSView | `; Sample rate: 1 MHz`, then `Time(s), D0` | `libsigrok4DSL/output/csv.c` |
//! | Digilent WaveForms | `#Sample rate: 2e+06Hz`, then `Time (s)` | exports in public projects |
//!
//! Columns are separated by commas, tabs or semicolons, whichever the first row has.

use std::io::BufRead;

use ::csv::{ByteRecord, ReaderBuilder};

use super::{Clock, NANO, SECOND, decimal, shortened};
use crate::bounded::Bounded;
use crate::error::{CsvError, FormatError};

/// Maximum number of columns.
const COLUMNS_MAX: usize = 4_096;

/// The lines above the rows.
pub(super) struct Head {
    /// Sample rate per second.
    rate: Option<u64>,
    names: Vec<String>,
    pub(super) lines: u64,
    /// First line after the head, with its line end.
    pub(super) row: Vec<u8>,
    pub(super) delimiter: u8,
}

/// Meaning of the columns.
pub(super) struct Columns {
    pub(super) clock: Clock,
    /// Names of the columns that are not times.
    pub(super) names: Vec<String>,
    /// Whether the first row has values and no labels.
    pub(super) is_data: bool,
}

impl Head {
    /// Reads comments, sigrok's `META` lines, blank lines, and the line below them.
    pub(super) fn read<R: BufRead>(
        file: &str,
        reader: &mut Bounded<R>,
    ) -> Result<Self, FormatError> {
        let mut head =
            Self { rate: None, names: Vec::new(), lines: 0, row: Vec::new(), delimiter: b',' };
        loop {
            reader.begin_item();
            head.row.clear();
            let read = reader.read_until(b'\n', &mut head.row);
            head.lines += 1;
            let read = read.map_err(|error| FormatError::at(file, head.lines, error))?;
            if head.row.contains(&0) {
                return Err(FormatError::at(file, head.lines, CsvError::NulByte));
            }
            let text = String::from_utf8_lossy(&head.row);
            let text = text.trim_start_matches('\u{FEFF}').trim();
            let rate = |text: &str| {
                hertz(text).ok_or_else(|| {
                    FormatError::at(file, head.lines, CsvError::NotARate(shortened(text)))
                })
            };
            if let Some(comment) = text.strip_prefix([';', '#']) {
                let comment = comment.trim();
                let text =
                    comment.strip_prefix("Samplerate:").or(comment.strip_prefix("Sample rate:"));
                if let Some(text) = text {
                    head.rate = Some(rate(text.trim())?);
                } else if comment.starts_with("Channels")
                    && let Some((_, names)) = comment.split_once(':')
                {
                    head.names = names.split(',').map(|name| name.trim().to_owned()).collect();
                }
            } else if let Some(text) = text.strip_prefix("META samplerate:") {
                head.rate = Some(rate(text.trim())?);
            } else if read == 0 || !text.is_empty() {
                let separators = [b',', b'\t', b';'];
                let found = separators.into_iter().find(|it| head.row.contains(it));
                head.delimiter = found.unwrap_or(b',');
                return Ok(head);
            }
        }
    }

    /// Returns the meaning of the columns.
    pub(super) fn columns(&self, file: &str) -> Result<Columns, FormatError> {
        let error = |kind: CsvError| FormatError::at(file, self.lines.max(1), kind);
        let first = self.fields();
        let Some((times, others)) = first.split_first() else {
            return Err(error(CsvError::NoRow));
        };
        if first.len() > COLUMNS_MAX {
            return Err(error(CsvError::TooManyColumns { max: COLUMNS_MAX }));
        }
        let are_levels =
            |fields: &[String]| fields.iter().all(|field| matches!(field.trim(), "0" | "1"));
        let is_data = are_levels(&first);
        // Logic 1 leaves the labels out on request.
        let has_time = !is_data && decimal(times.trim(), 1).is_some();
        if has_time && !others.is_empty() && are_levels(others) {
            let names = (0..others.len()).map(|number| format!("Channel {number}")).collect();
            return Ok(Columns { clock: Clock::Column(SECOND), names, is_data: true });
        }
        let unit = (!is_data).then(|| unit_of(times.trim(), self.rate)).flatten();
        let clock = match (unit, self.rate) {
            (Some(unit), _) => Clock::Column(unit),
            (None, Some(rate)) => Clock::Rows(rate),
            (None, None) => return Err(error(CsvError::NoTimes { first: shortened(times) })),
        };
        let labels = if matches!(clock, Clock::Column(_)) { others } else { &first };
        // By default sigrok labels every column `logic`; its comment has the names.
        let labelled = !is_data && labels.iter().any(|name| name.trim() != "logic");
        let mut names = if labelled || self.names.is_empty() {
            labels.iter().map(|name| name.trim().to_owned()).collect()
        } else {
            self.names.clone()
        };
        names.truncate(labels.len());
        Ok(Columns { clock, names, is_data })
    }

    /// Returns the fields of the first row.
    fn fields(&self) -> Vec<String> {
        let line = self.row.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&self.row);
        let mut reader =
            ReaderBuilder::new().has_headers(false).delimiter(self.delimiter).from_reader(line);
        let mut record = ByteRecord::new();
        match reader.read_byte_record(&mut record) {
            Ok(true) => record.iter().map(|field| String::from_utf8_lossy(field).into()).collect(),
            _ => Vec::new(),
        }
    }
}

/// Returns the unit of a column of times in femtoseconds; `None` if the column has no times.
fn unit_of(label: &str, rate: Option<u64>) -> Option<i128> {
    match label {
        "seconds" => Some(SECOND),
        "milliseconds" => Some(SECOND / 1_000),
        "microseconds" => Some(SECOND / 1_000_000),
        "nanoseconds" => Some(NANO),
        "picoseconds" => Some(NANO / 1_000),
        "samples" => rate.map(|rate| SECOND / i128::from(rate)),
        // If the channels have names, sigrok does not state the unit; it follows from the rate.
        "Time" => Some(match rate {
            None | Some(..=1) => SECOND,
            Some(..=1_000) => SECOND / 1_000,
            Some(..=1_000_000) => SECOND / 1_000_000,
            Some(..=1_000_000_000) => NANO,
            Some(_) => NANO / 1_000,
        }),
        // `Time [s]`, `Time[s]`, `Time(s)`, `Time (ms)`.
        _ => {
            let unit = label.strip_prefix("Time")?.trim_start();
            let square = unit.strip_prefix('[').and_then(|unit| unit.strip_suffix(']'));
            let round = unit.strip_prefix('(').and_then(|unit| unit.strip_suffix(')'));
            match square.or(round)?.trim() {
                "s" => Some(SECOND),
                "ms" => Some(SECOND / 1_000),
                "us" | "µs" | "μs" => Some(SECOND / 1_000_000),
                "ns" => Some(NANO),
                "ps" => Some(NANO / 1_000),
                _ => None,
            }
        }
    }
}

/// Parses `1 MHz`, `31.25 MHz`, `2e+06Hz`, `1000000`.
fn hertz(text: &str) -> Option<u64> {
    let number = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let scale = match &text[number.len()..] {
        "" | "Hz" => 1,
        "kHz" => 1_000,
        "MHz" => 1_000_000,
        "GHz" => 1_000_000_000,
        _ => return None,
    };
    let hertz = decimal(number.trim_end(), scale)?;
    u64::try_from(hertz).ok().filter(|hertz| *hertz > 0)
}
