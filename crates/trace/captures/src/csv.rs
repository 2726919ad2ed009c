//! Reads CSV exports of logic analysers, of any length, in bounded memory. `head` reads the part
//! above the rows, and lists the programs whose exports are known.
//!
//! A row is a sample or a change. Rows that lack only columns that are not wires are read.

mod head;

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
use head::{Columns, Head};

/// Number of femtoseconds in a second and in a nanosecond.
const SECOND: i128 = 1_000_000_000_000_000;
const NANO: i128 = 1_000_000;

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
    /// First line whose length differs from the head's, and the number of such rows.
    odd_rows: Option<(u64, u64)>,
    /// Number of femtoseconds that are added to each time, so that none is negative.
    shift: i128,
    now: Instant,
    levels: [Option<bool>; Signal::COUNT_MAX],
    waiting: VecDeque<Edge>,
}

impl<R: BufRead> Reader<R> {
    pub(super) fn new(file: &str, reader: R, wiring: &Wiring) -> Result<Self, FormatError> {
        let mut reader = Bounded::new(reader);
        let head = Head::read(file, &mut reader)?;
        let error = |kind: CsvError| FormatError::at(file, head.lines, kind);
        let Columns { clock, names, is_data } = head.columns(file)?;
        let times = usize::from(matches!(clock, Clock::Column(_)));
        let mut columns = vec![None; times];
        let mut signals = Vec::new();
        let wiring = wiring.among(&names);
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
        let delimiter = head.delimiter;
        let again = if is_data { head.row } else { Vec::new() };
        let lines_above = head.lines - u64::from(is_data);
        Ok(Self {
            file: file.to_owned(),
            reader: ReaderBuilder::new()
                .has_headers(false)
                .flexible(true)
                .delimiter(delimiter)
                .comment(Some(if delimiter == b';' { b'#' } else { b';' }))
                .from_reader(std::io::Cursor::new(again).chain(reader)),
            lines_above,
            record: ByteRecord::new(),
            clock,
            columns,
            names,
            signals,
            rows: 0,
            odd_rows: None,
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
        let shift = Nanos((self.shift / NANO) as u64);
        let early =
            format!("the capture begins {shift} before its trigger; times count from there");
        let odd = self.odd_rows.map(|(line, count)| {
            let file = &self.file;
            format!("{file} is read although line {line} has another number of columns than the head ({count} such rows)")
        });
        (self.shift != 0).then_some(early).into_iter().chain(odd).collect()
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
            if self.columns.iter().skip(row).any(Option::is_some) {
                return Err(error(CsvError::RowLength { row, head }));
            }
            let (first, count) = self.odd_rows.unwrap_or((line, 0));
            self.odd_rows = Some((first, count + 1));
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
