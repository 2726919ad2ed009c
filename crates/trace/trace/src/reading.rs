//! Reads whole files: a trace, and the files that it includes, line by line.
//!
//! Reading continues after a wrong line, so that all errors are reported at once. The module opens
//! no file: the caller supplies the bytes of the trace, and an [`IncludeSource`] for the other
//! files.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

use super::board_parts::BoardParts;
use super::document::{BOARD_KEY, Trace};
use super::error::{BoardError, IncludeError, LineFault, ParseError, ParseErrorKind, ParseErrors};
use super::include::{IncludeSource, NoIncludes, check_board_path, plain_path};
use super::limits::{FILE_BYTES_MAX, INCLUDE_DEPTH_MAX};
use super::parse::{Item, LineReader};
use super::place::{IncludedPlace, Place};
use super::torn::is_beginning;
use crate::lfs::is_pointer;
use ili9341_model::frame::Region;

/// Reads a trace that includes no file. Errors name it `file`.
///
/// # Errors
/// All errors in the trace.
pub fn parse(file: &str, text: &str) -> Result<Trace, ParseErrors> {
    parse_bytes(file, text.as_bytes())
}

/// Reads a trace like [`parse`], from bytes that need not be text: UTF-8, with or without a byte
/// order mark, lines ended by LF or CRLF.
///
/// # Errors
/// All errors in the trace.
pub fn parse_bytes(file: &str, bytes: &[u8]) -> Result<Trace, ParseErrors> {
    parse_with(file, bytes, &mut NoIncludes)
}

/// Reads the text of a trace that this crate has written; its header may name a board. The text has
/// the buttons, controls, LEDs and displays of `trace`, regions of any panel, and includes no file.
///
/// # Errors
/// All errors in the text.
pub fn parse_written(file: &str, text: &str, trace: &Trace) -> Result<Trace, ParseErrors> {
    let panel = Region { x: 0, y: 0, width: u16::MAX, height: u16::MAX };
    let (controls, leds) = trace.controls_and_leds();
    let (buttons, displays) = (trace.buttons(), trace.displays());
    let parts = BoardParts { buttons, controls, leds, displays, panel };
    parse_on(file, text.as_bytes(), &mut NoIncludes, Some(&parts))
}

/// Reads a trace and the files that it includes. Errors name it `file`; paths of included files
/// start in its folder.
///
/// # Errors
/// All errors in the trace and in the files that it includes.
pub fn parse_with(
    file: &str,
    bytes: &[u8],
    includes: &mut dyn IncludeSource,
) -> Result<Trace, ParseErrors> {
    parse_on(file, bytes, includes, None)
}

/// Reads a trace like [`parse_with`], for a board with these parts; `None`: for the board that
/// the header names, or the LCD board.
///
/// # Errors
/// As for [`parse_with`].
pub fn parse_on(
    file: &str,
    bytes: &[u8],
    includes: &mut dyn IncludeSource,
    parts: Option<&BoardParts>,
) -> Result<Trace, ParseErrors> {
    let mut reading = Reading::new(file, LineReader::new(file), includes);
    if let Some(parts) = parts {
        reading.reader.set_parts(parts.clone());
        reading.has_board = true;
    }
    reading.whole(bytes)
}

/// Reads an included file by itself, for a board with these parts; `None`: for the LCD board. Its
/// lines can follow any others.
///
/// # Errors
/// All errors in the file and in the files that it includes.
pub(super) fn parse_included(
    file: &str,
    bytes: &[u8],
    includes: &mut dyn IncludeSource,
    parts: Option<&BoardParts>,
) -> Result<Trace, ParseErrors> {
    let mut reading = Reading::new(file, LineReader::of_included(file), includes);
    if let Some(parts) = parts {
        reading.reader.set_parts(parts.clone());
        reading.has_board = true;
    }
    reading.whole(bytes)
}

/// Returns the lines of a file, without their ends.
pub(super) fn lines(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    bytes.split_inclusive(|byte| *byte == b'\n').map(|line| {
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        line.strip_suffix(b"\r").unwrap_or(line)
    })
}

/// A file that is being read.
struct OpenFile {
    /// Path of its folder from the outermost file's; "" or with a `/` at its end.
    folder: String,
    /// Path of the file from the outermost file's folder, normalized by [`plain_path`].
    plain: String,
}

struct Reading<'a> {
    file: &'a str,
    reader: LineReader,
    /// Whether the caller has chosen the board.
    has_board: bool,
    includes: &'a mut dyn IncludeSource,
    trace: Trace,
    /// Comments that belong to the next line.
    comments: Vec<String>,
    /// Open files, the outermost first.
    open: Vec<OpenFile>,
    /// Place of the `include` in the outermost file.
    outer: Option<Place>,
    bytes_left: usize,
    errors: Option<ParseErrors>,
    /// Reported errors of included files; such a file may be read several times.
    known: HashSet<(Arc<str>, Place)>,
    /// Whether the names of the buttons are those of the board.
    names_are_known: bool,
    /// Whether nothing more can be read.
    is_over: bool,
}

impl<'a> Reading<'a> {
    fn new(file: &'a str, reader: LineReader, includes: &'a mut dyn IncludeSource) -> Self {
        let name = Path::new(file).file_name().unwrap_or_default().to_string_lossy();
        Self {
            file,
            reader,
            has_board: false,
            includes,
            trace: Trace::default(),
            comments: Vec::new(),
            open: vec![OpenFile { folder: String::new(), plain: name.into_owned() }],
            outer: None,
            bytes_left: FILE_BYTES_MAX,
            errors: None,
            known: HashSet::new(),
            names_are_known: true,
            is_over: false,
        }
    }

    fn whole(mut self, bytes: &[u8]) -> Result<Trace, ParseErrors> {
        self.lines_of(bytes);
        self.trace.closing = std::mem::take(&mut self.comments);
        if !self.is_over
            && let Err(fault) = self.reader.finish()
        {
            self.error(fault);
        }
        match self.errors {
            None => Ok(self.trace),
            Some(errors) => Err(errors),
        }
    }

    fn lines_of(&mut self, bytes: &[u8]) {
        let Some(left) = self.bytes_left.checked_sub(bytes.len()) else {
            self.error(LineFault::new(1, ParseErrorKind::FileTooLarge));
            self.is_over = true;
            return;
        };
        self.bytes_left = left;
        if is_pointer(bytes) {
            self.error(LineFault::new(1, ParseErrorKind::LfsPointer));
            self.is_over = true;
            return;
        }
        let mut lines = lines(bytes).peekable();
        while let Some(line) = lines.next() {
            let may_be_torn = self.outer.is_none()
                && lines.peek().is_none()
                && !bytes.ends_with(b"\n")
                && self.reader.has_started()
                && is_beginning(line, &self.reader.parts().buttons);
            match self.reader.read(line) {
                Ok(item) => self.take(item),
                Err(fault) => {
                    self.is_over |= !self.reader.recover(line, &fault);
                    self.error(if may_be_torn { fault.torn() } else { fault });
                }
            }
            if self.is_over {
                return;
            }
        }
    }

    fn take(&mut self, item: Item) {
        match item {
            Item::Blank => {}
            Item::Comment(comment) => self.comments.push(comment),
            Item::Version(comment) => {
                (self.trace.above, self.trace.comment) =
                    (std::mem::take(&mut self.comments), comment);
            }
            Item::Header(mut entry) => {
                entry.above = std::mem::take(&mut self.comments);
                if entry.key == BOARD_KEY
                    && let Err(error) = self.board(&entry.value)
                {
                    self.error(LineFault::new(entry.value_place.column, error));
                }
                self.trace.header.push(entry);
            }
            Item::Timed(mut line) => {
                line.above = std::mem::take(&mut self.comments);
                if let Some(outer) = self.outer {
                    let file = Arc::clone(&self.reader.at().file);
                    line.included = Some(IncludedPlace { file, place: line.place });
                    line.place = outer;
                }
                self.trace.lines.push(line);
            }
            Item::Include { column, path, path_column, comment } => {
                self.comments.extend(comment);
                if let Err(error) = self.include(column, &path) {
                    self.reader.lose();
                    self.error(LineFault::new(path_column, error));
                }
            }
        }
    }

    /// Reads the names of the board's parts from the file that the header names.
    fn board(&mut self, path: &str) -> Result<(), BoardError> {
        let read = check_board_path(path).and_then(|()| {
            let root = Path::new(self.file).parent().unwrap_or(Path::new(""));
            if self.has_board { Ok(None) } else { self.includes.board(&root.join(path)).map(Some) }
        });
        match read {
            Ok(Some(parts)) => self.reader.set_parts(parts),
            Ok(None) => {}
            Err(error) => {
                // Errors of unknown names would only follow from this one.
                self.names_are_known = false;
                return Err(error);
            }
        }
        Ok(())
    }

    /// Reads the file at `path`, which the last line includes.
    fn include(&mut self, column: u32, path: &str) -> Result<(), IncludeError> {
        let folder = self.open.last().map_or("", |file| &file.folder);
        let below = format!("{folder}{path}");
        let plain = plain_path(&below);
        let root = Path::new(self.file).parent().unwrap_or(Path::new(""));
        let whole = root.join(&below);
        let name = whole.display().to_string();
        if self.open.iter().any(|file| file.plain == plain) {
            return Err(IncludeError::Cycle { file: name });
        }
        if self.open.len() > INCLUDE_DEPTH_MAX {
            return Err(IncludeError::TooDeep);
        }
        let bytes = self.includes.read(&whole, self.bytes_left);
        let bytes =
            bytes.map_err(|reason| IncludeError::Unreadable { file: name.clone(), reason })?;

        let place = Place { line: self.reader.at().line, column };
        let outer = self.outer.replace(self.outer.unwrap_or(place));
        let folder = below[..below.rfind('/').map_or(0, |slash| slash + 1)].to_owned();
        self.open.push(OpenFile { folder, plain });
        let before = self.reader.enter(Arc::from(name.as_str()));
        let (lines, errors) = (self.trace.lines.len(), self.errors.is_some());
        self.lines_of(&bytes);
        self.reader.leave(before);
        self.open.pop();
        self.outer = outer;
        if self.trace.lines.len() == lines && !errors && self.errors.is_none() {
            return Err(IncludeError::Empty { file: name });
        }
        Ok(())
    }

    /// Adds an error of the last line.
    fn error(&mut self, fault: LineFault) {
        let is_of_name =
            matches!(fault.kind, ParseErrorKind::UnknownButton { .. } | ParseErrorKind::Part(_));
        if !self.names_are_known && is_of_name {
            return;
        }
        let at = self.reader.at();
        let own = Place { line: at.line.max(1), column: fault.column };
        let (place, kind) = match self.outer {
            None => (own, fault.kind),
            Some(outer) => {
                if !self.known.insert((Arc::clone(&at.file), own)) {
                    return;
                }
                let place = IncludedPlace { file: Arc::clone(&at.file), place: own };
                (outer, ParseErrorKind::Included { place, error: Box::new(fault.kind) })
            }
        };
        let error = ParseError { file: self.file.to_owned(), place, kind };
        match &mut self.errors {
            None => self.errors = Some(ParseErrors::new(error)),
            Some(errors) => errors.push(error),
        }
    }
}
