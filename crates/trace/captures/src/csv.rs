//! Reads CSV exports of logic analysers, of any length, in bounded memory: Saleae Logic 2 (`Time
//! [s],Channel 0,…`, a row per change) and sigrok (`; Samplerate: 1 MHz`, a row per sample, or a
//! row per change with a column of times).

use std::collections::VecDeque;
use std::io::{BufRead, Read};

use ::csv::{ByteRecord, ReaderBuilder};
use escape::terminal::plain;
use trace::LATEST;
use virtual_time::{Instant, Nanos};

use crate::bounded::Bounded;
use crate::edge::{CaptureEvent, Edge};
use crate::error::{CsvError, FormatError};
use crate::signal::Signal;
use crate::wiring::Wiring;

/// Number of femtoseconds in a second and in a nanosecond.
const SECOND: i128 = 1_000_000_000_000_000;
const NANO: i128 = 1_000_000;
/// Maximum number of columns.
const COLUMNS_MAX: usize = 4_096;

/// Source of a row's time.
enum Clock {
    /// A column in units of this many femtoseconds.
    Column(i128),
    /// Rows are samples at this rate per second.
    Rows(u64),
}

/// An export whose head has been read.
pub(super) struct Reader<R: BufRead> {
    file: String,
    reader: ::csv::Reader<std::io::Chain<std::io::Cursor<Vec<u8>>, Bounded<R>>>,
    /// Number of lines above the part that the CSV parser reads.
    lines_above: u64,
    record: ByteRecord,
    clock: Clock,
    /// Wire of each column, including the column of times.
    columns: Vec<Option<Signal>>,
    names: Vec<String>,
    signals: Vec<Signal>,
    rows: u64,
    /// Number of femtoseconds that are added to each time, so that none is negative.
    shift: i128,
    now: Instant,
    levels: [Option<bool>; Signal::COUNT_MAX],
    waiting: VecDeque<Edge>,
}

/// The part of the file above the rows.
#[derive(Default)]
struct Head {
    /// Sample rate per second.
    rate: Option<u64>,
    names: Vec<String>,
    lines: u64,
    /// First line after the head, with its line end.
    row: Vec<u8>,
}

impl<R: BufRead> Reader<R> {
    pub(super) fn new(file: &str, reader: R, wiring: &Wiring) -> Result<Self, FormatError> {
        let mut reader = Bounded::new(reader);
        let head = read_head(file, &mut reader)?;
        let first: Vec<String> = fields(&head.row);
        let error = |kind: CsvError| FormatError::at(file, head.lines, kind);
        if first.is_empty() {
            return Err(FormatError::at(file, head.lines.max(1), CsvError::NoRow));
        }
        if first.len() > COLUMNS_MAX {
            return Err(error(CsvError::TooManyColumns { max: COLUMNS_MAX }));
        }
        let is_data = first.iter().all(|field| matches!(field.trim(), "0" | "1"));
        let unit = (!is_data).then(|| unit_of(first[0].trim(), head.rate)).flatten();
        let clock = match (unit, head.rate) {
            (Some(unit), _) => Clock::Column(unit),
            (None, Some(rate)) => Clock::Rows(rate),
            (None, None) => {
                return Err(error(CsvError::NoTimes { first: shortened(&first[0]) }));
            }
        };
        let times = usize::from(matches!(clock, Clock::Column(_)));
        // By default sigrok labels every column `logic`; its comment has the names.
        let labelled = !is_data && first.iter().skip(times).any(|name| name.trim() != "logic");
        let mut names: Vec<String> = if labelled || head.names.is_empty() {
            first.iter().skip(times).map(|name| name.trim().to_owned()).collect()
        } else {
            head.names.clone()
        };
        names.truncate(first.len() - times);
        let mut columns = vec![None; times];
        let mut signals = Vec::new();
        for name in &names {
            let signal = wiring.signal(name);
            if let Some(signal) = signal {
                if signals.contains(&signal) {
                    return Err(error(CsvError::TwoColumns(signal)));
                }
                signals.push(signal);
            }
            columns.push(signal);
        }
        columns.resize(first.len(), None);
        let again = if is_data { head.row } else { Vec::new() };
        let lines_above = head.lines - u64::from(is_data);
        Ok(Self {
            file: file.to_owned(),
            reader: ReaderBuilder::new()
                .has_headers(false)
                .flexible(true)
                .comment(Some(b';'))
                .from_reader(std::io::Cursor::new(again).chain(reader)),
            lines_above,
            record: ByteRecord::new(),
            clock,
            columns,
            names,
            signals,
            rows: 0,
            shift: 0,
            now: Instant::START,
            levels: [None; Signal::COUNT_MAX],
            waiting: VecDeque::new(),
        })
    }

    pub(super) fn signals(&self) -> &[Signal] {
        &self.signals
    }

    pub(super) fn channels(&self) -> &[String] {
        &self.names
    }

    pub(super) fn notes(&self) -> Vec<String> {
        if self.shift == 0 {
            return Vec::new();
        }
        let shift = Nanos((self.shift / NANO) as u64);
        vec![format!("the capture begins {shift} before its trigger; times count from there")]
    }

    /// Returns the next level or time; `None` at the end of the file.
    pub(super) fn next(&mut self) -> Result<Option<CaptureEvent>, FormatError> {
        if let Some(edge) = self.waiting.pop_front() {
            return Ok(Some(CaptureEvent::Level(edge)));
        }
        self.reader.get_mut().get_mut().1.begin_item();
        let line = |reader: &Self, below: u64| reader.lines_above + below;
        let below = self.reader.position().line();
        match self.reader.read_byte_record(&mut self.record) {
            Ok(true) => {}
            Ok(false) => return Ok(None),
            Err(error) => {
                return Err(FormatError::at(
                    &self.file,
                    line(self, below),
                    CsvError::Parser(error),
                ));
            }
        }
        let below = self.record.position().map_or(below, ::csv::Position::line);
        self.row(line(self, below)).map(Some)
    }

    fn row(&mut self, line: u64) -> Result<CaptureEvent, FormatError> {
        let error = |kind: CsvError| FormatError::at(&self.file, line, kind);
        if self.record.len() != self.columns.len() {
            let (row, head) = (self.record.len(), self.columns.len());
            return Err(error(CsvError::RowLength { row, head }));
        }
        let now = match self.clock {
            Clock::Rows(rate) => {
                let nanos = u128::from(self.rows) * 1_000_000_000 / u128::from(rate);
                u64::try_from(nanos).unwrap_or(u64::MAX)
            }
            Clock::Column(unit) => {
                let field = String::from_utf8_lossy(&self.record[0]);
                let femtos = decimal(field.trim(), unit)
                    .ok_or_else(|| error(CsvError::NotATime(shortened(&field))))?;
                if self.rows == 0 && femtos < 0 {
                    self.shift = -femtos;
                }
                let nanos = femtos.saturating_add(self.shift).div_euclid(NANO);
                u64::try_from(nanos.max(0)).unwrap_or(u64::MAX)
            }
        };
        let now = Instant(now);
        if now > LATEST {
            return Err(error(CsvError::PastTheEnd));
        }
        if now < self.now {
            return Err(error(CsvError::TimeGoesBack));
        }
        (self.now, self.rows) = (now, self.rows + 1);
        for (field, signal) in self.record.iter().zip(&self.columns) {
            let Some(signal) = *signal else { continue };
            let high = match field.trim_ascii() {
                b"0" => false,
                b"1" => true,
                // In Logic 2 the channel is off here.
                b"X" | b"x" => continue,
                other => {
                    let value = String::from_utf8_lossy(other);
                    let value = shortened(&value);
                    return Err(error(CsvError::NotALevel { value, signal }));
                }
            };
            if self.levels[signal.index()].replace(high) != Some(high) {
                self.waiting.push_back(Edge { at: now, signal, high });
            }
        }
        Ok(CaptureEvent::Reached(now))
    }
}

/// Reads the head: comments, sigrok's `META` lines and blank lines.
fn read_head<R: BufRead>(file: &str, reader: &mut Bounded<R>) -> Result<Head, FormatError> {
    let mut head = Head::default();
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
        if let Some(comment) = text.strip_prefix(';') {
            let comment = comment.trim();
            if let Some(text) = comment.strip_prefix("Samplerate:") {
                head.rate = Some(rate(text.trim())?);
            } else if comment.starts_with("Channels")
                && let Some((_, names)) = comment.split_once(':')
            {
                head.names = names.split(',').map(|name| name.trim().to_owned()).collect();
            }
        } else if let Some(text) = text.strip_prefix("META samplerate:") {
            head.rate = Some(rate(text.trim())?);
        } else if read == 0 || !text.is_empty() {
            return Ok(head);
        }
    }
}

/// Returns the fields of one line.
fn fields(line: &[u8]) -> Vec<String> {
    let line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line);
    let mut reader = ReaderBuilder::new().has_headers(false).from_reader(line);
    let mut record = ByteRecord::new();
    match reader.read_byte_record(&mut record) {
        Ok(true) => record.iter().map(|field| String::from_utf8_lossy(field).into()).collect(),
        _ => Vec::new(),
    }
}

/// Returns the unit of a column of times in femtoseconds; `None` if the column has no times.
fn unit_of(label: &str, rate: Option<u64>) -> Option<i128> {
    match label {
        "Time [s]" | "seconds" => Some(SECOND),
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
        _ => None,
    }
}

/// Parses `1 MHz`, `31.25 MHz`, `1000000`.
fn hertz(text: &str) -> Option<u64> {
    let split = text.find(|letter: char| !letter.is_ascii_digit() && letter != '.');
    let (number, unit) = text.split_at(split.unwrap_or(text.len()));
    let scale = match unit.trim() {
        "" | "Hz" => 1,
        "kHz" => 1_000,
        "MHz" => 1_000_000,
        "GHz" => 1_000_000_000,
        _ => return None,
    };
    let hertz = decimal(number, scale)?;
    u64::try_from(hertz).ok().filter(|hertz| *hertz > 0)
}

/// Parses a decimal number with an optional exponent, times `scale`, rounded towards zero.
fn decimal(text: &str, scale: i128) -> Option<i128> {
    let (number, exponent) = match text.split_once(['e', 'E']) {
        Some((number, exponent)) => (number, exponent.parse::<i32>().ok()?),
        None => (text, 0),
    };
    let (negative, number) = match number.strip_prefix('-') {
        Some(number) => (true, number),
        None => (false, number.strip_prefix('+').unwrap_or(number)),
    };
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let all_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || !all_digits(whole) || !all_digits(fraction) {
        return None;
    }
    // Digits after the 18th decimal are below a femtosecond.
    let fraction = &fraction[..fraction.len().min(18)];
    let digits: i128 = format!("{whole}{fraction}").parse().ok()?;
    let mut value = digits.checked_mul(scale)?;
    let tens = exponent.checked_sub(fraction.len() as i32)?;
    let power = 10_i128.checked_pow(tens.unsigned_abs());
    value = if tens < 0 {
        power.map_or(0, |power| value / power)
    } else {
        value.checked_mul(power?)?
    };
    Some(if negative { -value } else { value })
}

/// Returns the first 40 characters of a text from a file, for an error message.
fn shortened(text: &str) -> String {
    const SHOWN: usize = 40;
    let mut shown: String = plain(text).chars().take(SHOWN).collect();
    if text.chars().nth(SHOWN).is_some() {
        shown.push('…');
    }
    shown
}
