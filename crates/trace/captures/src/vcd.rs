//! Reads value change dumps of any length in bounded memory, with the parser of the crate `vcd`.
//! This module tracks the scopes itself, because that parser recurses into them without a limit.

use std::collections::HashMap;
use std::io::{self, BufRead};

use escape::dump::{self, Mended, Oddities, Oddity};
use trace::LATEST;
use vcd::{Command, IdCode, Parser, TimescaleUnit, Value};
use virtual_time::Instant;

use crate::bounded::Bounded;
use crate::edge::{CaptureEvent, Edge};
use crate::error::{FormatError, FormatErrorKind, VcdError};
use crate::signal::Signal;
use crate::wiring::Wiring;

/// Maximum number of channels in a file.
const CHANNELS_MAX: usize = 65_536;
/// Maximum number of channel names that are stored for error messages.
const NAMES_MAX: usize = 64;
/// Maximum depth of scopes.
const SCOPES_MAX: usize = 64;
/// Maximum length of a channel's path, including scopes, in bytes.
const PATH_BYTES_MAX: usize = 4_096;
/// Maximum number of lines of a trace's header in a file.
const HEADER_LINES_MAX: usize = 64;
const FEMTOS_A_NANO: u128 = 1_000_000;
const FEMTOS_A_SECOND: u128 = 1_000_000_000_000_000;

/// Beginning of a comment that contains a line of a trace's header.
pub(super) const HEADER_COMMENT: &str = "nudge header ";

/// The channel that an id refers to.
struct Channel {
    bits: u32,
    signal: Option<Signal>,
    line: u64,
}

/// Reads the header of a trace in the head of a value change dump.
pub(super) fn header(
    file: &str,
    reader: impl BufRead,
) -> Result<Vec<(String, String)>, FormatError> {
    Ok(Reader::with_wires(file, reader, None)?.header)
}

/// A value change dump whose head has been read.
pub(super) struct Reader<R: BufRead> {
    file: String,
    parser: Parser<Mended<Bounded<R>>>,
    /// Oddities found in the parser's commands.
    oddities: Oddities,
    /// Length of a time step in femtoseconds.
    step: u128,
    channels: HashMap<IdCode, Channel>,
    names: Vec<String>,
    signals: Vec<Signal>,
    header: Vec<(String, String)>,
    now: Instant,
}

impl<R: BufRead> Reader<R> {
    pub(super) fn new(file: &str, reader: R, wiring: &Wiring) -> Result<Self, FormatError> {
        Self::with_wires(file, reader, Some(wiring))
    }

    /// Reads the head. Without a `wiring` no channel is a wire.
    fn with_wires(file: &str, reader: R, wiring: Option<&Wiring>) -> Result<Self, FormatError> {
        let mut reader = Self {
            file: file.to_owned(),
            parser: Parser::new(Mended::new(Bounded::new(reader))),
            oddities: Oddities::default(),
            step: 0,
            channels: HashMap::new(),
            names: Vec::new(),
            signals: Vec::new(),
            header: Vec::new(),
            now: Instant::START,
        };
        reader.read_head(wiring)?;
        Ok(reader)
    }

    pub(super) fn signals(&self) -> &[Signal] {
        &self.signals
    }

    pub(super) fn channels(&self) -> &[String] {
        &self.names
    }

    pub(super) fn header(&self) -> &[(String, String)] {
        &self.header
    }

    /// Returns a note on what was mended in the part that has been read.
    pub(super) fn notes(&mut self) -> Vec<String> {
        let oddities = self.parser.reader().oddities().and(&self.oddities);
        if oddities.is_empty() {
            return Vec::new();
        }
        vec![format!("{} is read although {oddities}", self.file)]
    }

    /// Returns the next level or time; `None` at the end of the file.
    pub(super) fn next(&mut self) -> Result<Option<CaptureEvent>, FormatError> {
        while let Some(command) = self.command()? {
            let (id, level) = match command {
                Command::Timestamp(time) => return self.reach(time).map(Some),
                Command::ChangeScalar(id, value) => (id, level(value)),
                Command::ChangeVector(id, value) => (id, value.iter().last().and_then(level)),
                Command::ChangeReal(id, _) | Command::ChangeString(id, _) => (id, None),
                Command::Begin(_) | Command::End(_) | Command::Comment(_) => continue,
                other => return Err(self.error(VcdError::BelowHead(noun(&other)))),
            };
            let Some(channel) = self.channels.get(&id) else {
                self.odd(Oddity::UnknownId);
                continue;
            };
            if let (Some(signal), Some(high)) = (channel.signal, level) {
                return Ok(Some(CaptureEvent::Level(Edge { at: self.now, signal, high })));
            }
        }
        Ok(None)
    }

    fn reach(&mut self, time: u64) -> Result<CaptureEvent, FormatError> {
        let at = u128::from(time) * self.step / FEMTOS_A_NANO;
        let at = u64::try_from(at)
            .ok()
            .map(Instant)
            .filter(|at| *at <= LATEST)
            .ok_or_else(|| self.error(VcdError::PastTheEnd(time)))?;
        if at < self.now {
            return Err(self.error(VcdError::TimeGoesBack { time, above: self.now }));
        }
        self.now = at;
        Ok(CaptureEvent::Reached(at))
    }

    fn read_head(&mut self, wiring: Option<&Wiring>) -> Result<(), FormatError> {
        let mut scopes: Vec<String> = Vec::new();
        loop {
            let Some(command) = self.command()? else {
                return Err(self.error(VcdError::NoEndOfHead));
            };
            match command {
                Command::Timescale(count, unit) => self.step = self.timescale(count, unit)?,
                Command::ScopeDef(_, name) => {
                    scopes.push(name);
                    if scopes.len() > SCOPES_MAX {
                        return Err(self.error(VcdError::ScopesTooDeep { max: SCOPES_MAX }));
                    }
                    self.check_path(scopes.iter().map(String::len).sum())?;
                }
                Command::Upscope => {
                    if scopes.pop().is_none() {
                        self.odd(Oddity::UpscopeWithoutScope);
                    }
                }
                Command::VarDef(_, bits, id, name, index) => {
                    let name = dump::name(&name);
                    let index = index.map(|index| index.to_string()).unwrap_or_default();
                    let path = scopes.iter().map(String::as_str).chain([name.as_str()]);
                    let path = format!("{}{index}", path.collect::<Vec<_>>().join("."));
                    self.check_path(path.len())?;
                    self.channel(bits, id, path, wiring)?;
                }
                Command::Comment(text) => self.comment(&text)?,
                Command::Date(_) | Command::Version(_) => {}
                Command::Enddefinitions => break,
                other => return Err(self.error(VcdError::InHead(noun(&other)))),
            }
        }
        if self.step == 0 {
            return Err(self.error(VcdError::NoTimescale));
        }
        Ok(())
    }

    fn timescale(&self, count: u32, unit: TimescaleUnit) -> Result<u128, FormatError> {
        if count == 0 {
            return Err(self.error(VcdError::ZeroTimescale));
        }
        Ok(u128::from(count) * FEMTOS_A_SECOND / u128::from(unit.divisor()))
    }

    fn channel(
        &mut self,
        bits: u32,
        id: IdCode,
        path: String,
        wiring: Option<&Wiring>,
    ) -> Result<(), FormatError> {
        let line = self.parser.line();
        let signal = wiring.and_then(|wiring| wiring.signal(&path));
        if let Some(signal) = signal
            && bits != 1
        {
            return Err(self.error(VcdError::SeveralBits { path, signal, bits }));
        }
        let first = self.channels.get(&id).map(|first| (first.bits, first.signal, first.line));
        match first {
            // An id may be declared twice for two names of one net. Two wires of the board are
            // always two nets.
            Some((first_bits, first_signal, first_line)) => {
                let two_wires =
                    signal.is_some() && first_signal.is_some() && signal != first_signal;
                let is_wire = signal.is_some() || first_signal.is_some();
                if two_wires || is_wire && first_bits != bits {
                    return Err(self.error(VcdError::IdTaken { id, path, line: first_line }));
                }
                if first_bits != bits {
                    self.odd(Oddity::TwoWidths);
                }
            }
            None if self.channels.len() >= CHANNELS_MAX => {
                return Err(self.error(VcdError::TooManyChannels { max: CHANNELS_MAX }));
            }
            None => {}
        }
        if let Some(signal) = signal {
            let before = self
                .channels
                .iter()
                .find(|(other, channel)| **other != id && channel.signal == Some(signal));
            if let Some((_, before)) = before {
                let line = before.line;
                return Err(self.error(VcdError::TwoChannels { path, signal, line }));
            }
            if !self.signals.contains(&signal) {
                self.signals.push(signal);
            }
        }
        let kept = self.channels.entry(id).or_insert(Channel { bits, signal: None, line });
        kept.signal = kept.signal.or(signal);
        if self.names.len() < NAMES_MAX {
            self.names.push(path);
        }
        Ok(())
    }

    /// Limits the length of a path, because paths are stored in memory.
    fn check_path(&self, bytes: usize) -> Result<(), FormatError> {
        if bytes > PATH_BYTES_MAX {
            return Err(self.error(VcdError::LongPath { max: PATH_BYTES_MAX }));
        }
        Ok(())
    }

    fn comment(&mut self, text: &str) -> Result<(), FormatError> {
        if let Some((key, value)) =
            text.strip_prefix(HEADER_COMMENT).and_then(|entry| entry.split_once(' '))
        {
            if self.header.len() >= HEADER_LINES_MAX {
                return Err(self.error(VcdError::TooManyHeaderLines { max: HEADER_LINES_MAX }));
            }
            self.header.push((key.to_owned(), value.trim().to_owned()));
        }
        Ok(())
    }

    fn command(&mut self) -> Result<Option<Command>, FormatError> {
        self.parser.reader().inner().begin_item();
        match self.parser.next() {
            None => Ok(None),
            Some(Ok(command)) => Ok(Some(command)),
            Some(Err(error)) => Err(self.unreadable(error)),
        }
    }

    fn unreadable(&self, error: io::Error) -> FormatError {
        match error.downcast::<vcd::ParseError>() {
            Ok(error) => FormatError::at(&self.file, error.line(), VcdError::Syntax(error)),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                self.error(VcdError::CutOff)
            }
            Err(error) => self.error(error),
        }
    }

    fn odd(&mut self, oddity: Oddity) {
        self.oddities.add(self.parser.line(), oddity);
    }

    fn error(&self, kind: impl Into<FormatErrorKind>) -> FormatError {
        FormatError::at(&self.file, self.parser.line(), kind)
    }
}

/// Returns the level of a value; `None` for X and Z, at which a wire keeps its previous level.
fn level(value: Value) -> Option<bool> {
    match value {
        Value::V0 => Some(false),
        Value::V1 => Some(true),
        Value::X | Value::Z => None,
    }
}

fn noun(command: &Command) -> &'static str {
    match command {
        Command::Timescale(..) => "$timescale",
        Command::ScopeDef(..) | Command::Upscope => "a scope",
        Command::VarDef(..) => "$var",
        Command::Enddefinitions => "$enddefinitions",
        Command::Timestamp(_) => "a time",
        Command::Date(_) | Command::Version(_) | Command::Comment(_) => "a text",
        _ => "a value",
    }
}
