//! Opens a trace. Only this module reads the file of a trace and the files that it includes.

use std::collections::HashMap;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use board_file::BoardFile;
use board_file::parts::ColourOrder;
use host::output_files::{OutputError, goldens_of};
use ili9341_model::Region;
use thiserror::Error;

use super::find::INCLUDED;
use super::including;
use trace::{
    BoardError, BoardParts, Buttons, ControlKind, Controls, Displays, FILE_BYTES_MAX,
    IncludeReadError, IncludeSource, LedKind, Leds, ParseErrors, TouchArea, Trace,
};

/// Reason why a trace cannot be opened.
#[derive(Debug, Error)]
pub enum OpenError {
    /// The file cannot be read.
    #[error("{}: {source}", path.display())]
    Io { path: PathBuf, source: io::Error },
    /// No golden or artifact can be named after the file.
    #[error(transparent)]
    Name(#[from] OutputError),
    /// The file can be read, but is not a valid trace.
    #[error(transparent)]
    Parse(#[from] ParseErrors),
    /// A file that traces include, where a trace is needed.
    #[error(
        "{} is a file that traces include, and no trace; {}", path.display(),
        match by {
            Some(trace) => format!("{} includes it: name that", trace.display()),
            None => "name the trace that includes it".to_owned(),
        }
    )]
    NoTrace {
        path: PathBuf,
        /// A trace that includes the file.
        by: Option<PathBuf>,
    },
    /// The board file of the board cannot be used.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// An included file that is wrong on the LCD board, and whose own board is not known.
    #[error(
        "{errors}\n{}: no trace in its folder or below includes this file, so its board is the LCD board; \
         `--board NAME.board.toml` names another", path.display()
    )]
    UnknownBoard { path: PathBuf, errors: ParseErrors },
}

/// Opens the trace in the file at `path`, with the files that it includes.
///
/// # Errors
/// If a file cannot be read, or with every error in the files; if no golden can be named after the
/// trace.
pub fn open_trace(path: &Path) -> Result<Trace, OpenError> {
    open_trace_on(path, None)
}

/// Opens the trace in the file at `path`, for a board with these parts; `None`: for the board that
/// its header names, or the LCD board.
///
/// # Errors
/// As for [`open_trace`].
pub fn open_trace_on(path: &Path, parts: Option<&BoardParts>) -> Result<Trace, OpenError> {
    goldens_of(path)?;
    if is_included(path) && path.is_file() {
        let by = including::trace_that_includes(path).map(|found| found.trace);
        return Err(OpenError::NoTrace { path: path.to_owned(), by });
    }
    let bytes = bytes_of(path)?;
    let mut files = IncludedFiles::default();
    let mut trace = trace::parse_on(&name_of(path), &bytes, &mut files, parts)?;
    trace.folder = path.parent().map(Path::to_owned);
    Ok(trace)
}

/// Returns the header of the trace at `path` with a power-on, so that its settings can be checked although other
/// lines are wrong; `None` if the header cannot be read either.
pub(crate) fn header_of(path: &Path, parts: Option<&BoardParts>) -> Option<Trace> {
    let bytes = bytes_of(path).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    let is_header = |line: &&str| {
        let first = line.trim_start().chars().next().unwrap_or('#');
        !first.is_ascii_digit() && first != '+' && line.split_whitespace().next() != Some("include")
    };
    let header: String =
        text.lines().take_while(is_header).map(|line| format!("{line}\n")).collect();
    let text = header + "0ms power on\n";
    let mut files = IncludedFiles::default();
    let mut trace = trace::parse_on(&name_of(path), text.as_bytes(), &mut files, parts).ok()?;
    trace.folder = path.parent().map(Path::to_owned);
    Some(trace)
}

/// Opens the recording in the file at `path`. If its last line is incomplete, the recording ends
/// above it, and that line is returned as well.
///
/// # Errors
/// As for [`open_trace`], on the complete lines.
pub fn open_recording(path: &Path) -> Result<(Trace, Option<String>), OpenError> {
    let torn = match open_trace(path) {
        Err(OpenError::Parse(errors)) if errors.is_torn() => errors,
        opened => return opened.map(|trace| (trace, None)),
    };
    let bytes = bytes_of(path)?;
    let Some((lines, rest)) = trace::whole_lines(&bytes) else { return Err(torn.into()) };
    let mut trace = trace::parse_with(&name_of(path), lines, &mut IncludedFiles::default())?;
    trace.folder = path.parent().map(Path::to_owned);
    Ok((trace, Some(String::from_utf8_lossy(rest).escape_debug().to_string())))
}

/// A file before and after formatting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Formatted {
    /// Content of the file.
    pub before: Vec<u8>,
    /// Formatted text.
    pub after: String,
}

/// Formats the trace, or the included file, at `path`. Writes nothing. `board` is the board file of
/// its board; without one, it is the board that the header names, of an included file the board of a
/// trace that includes it.
///
/// # Errors
/// As for [`open_trace`].
pub fn format_trace(path: &Path, board: Option<&Path>) -> Result<Formatted, OpenError> {
    let before = bytes_of(path)?;
    let mut files = IncludedFiles::default();
    let after = if is_included(path) {
        let including = including::trace_that_includes(path);
        let board = board.map(Path::to_owned).or_else(|| including.as_ref()?.board.clone());
        let parts = board.map(|board| files.board(&board)).transpose()?;
        let formatted = trace::format_included(&name_of(path), &before, &mut files, parts.as_ref());
        formatted.map_err(|errors| match (parts, including) {
            (None, None) => OpenError::UnknownBoard { path: path.to_owned(), errors },
            _ => errors.into(),
        })?
    } else {
        trace::format(&name_of(path), &before, &mut files)?
    };
    Ok(Formatted { before, after })
}

/// Reads the board file at `path`, and returns the parts that traces and waveforms name.
///
/// # Errors
/// If the file cannot be read or has errors.
pub fn board_parts(path: &Path) -> Result<BoardParts, BoardError> {
    IncludedFiles::default().board(path)
}

/// Returns the board file of a trace that includes the file at `path`; `None` if no trace in its folder or below
/// includes it, or that trace is for the LCD board.
pub fn board_of_included(path: &Path) -> Option<PathBuf> {
    including::trace_that_includes(path)?.board
}

/// Returns whether the file is one that traces include.
fn is_included(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == INCLUDED)
}

fn bytes_of(path: &Path) -> Result<Vec<u8>, OpenError> {
    host::input_files::read(path, FILE_BYTES_MAX)
        .map_err(|source| OpenError::Io { path: path.to_owned(), source })
}

pub(super) fn name_of(path: &Path) -> String {
    path.display().to_string()
}

/// Files on the disk. Each is read only once even if a trace includes it several times.
#[derive(Debug, Default)]
pub struct IncludedFiles(HashMap<PathBuf, Arc<[u8]>>);

impl IncludedFiles {
    /// Returns the board that the file at `path` describes.
    pub(super) fn board_file(&mut self, path: &Path) -> Result<BoardFile, BoardError> {
        let file = || path.display().to_string();
        let bytes = self.read(path, FILE_BYTES_MAX);
        let bytes = bytes.map_err(|reason| BoardError::Unreadable { file: file(), reason })?;
        board_file::parse_bytes(&file(), &bytes)
            .map_err(|errors| BoardError::Wrong(errors.to_string()))
    }
}

/// Returns the parts of a board that the lines of a trace name. `file` is its name in errors.
///
/// # Errors
/// If the board has more parts than a trace can name.
pub fn parts_of(board: &BoardFile, file: &Path) -> Result<BoardParts, BoardError> {
    let wrong = |error| BoardError::Buttons { file: file.display().to_string(), error };
    let buttons = Buttons::new(board.button_names()).map_err(wrong)?;
    let side = |pixels: u32| u16::try_from(pixels).unwrap_or(u16::MAX);
    let area = |name: &str| {
        let (display, size) = board.touched_area(name)?;
        let display = u8::try_from(display).ok()?;
        Some(TouchArea { display, width: side(size.width), height: side(size.height) })
    };
    let controls = board.controls().filter_map(|(table, name)| {
        ControlKind::of_table(table, area(name)).map(|kind| (kind, name))
    });
    let controls = Controls::new(controls).map_err(wrong)?;
    let leds = board.led.iter().filter_map(|led| {
        let has_white = led.order == ColourOrder::Grbw;
        let kind = LedKind::of_word(led.kind.word(), led.count.value, has_white);
        kind.map(|kind| (kind, led.name.text.as_str()))
    });
    let leds = Leds::new(leds).map_err(wrong)?;
    let panels = board.display.iter().map(|display| {
        display.visible_size().map_or(Region::PANEL, |size| Region {
            x: 0,
            y: 0,
            width: side(size.width),
            height: side(size.height),
        })
    });
    let displays = Displays::new(board.display_names().zip(panels)).map_err(wrong)?;
    let panel = displays.all().first().map_or(Region::PANEL, |display| display.panel());
    Ok(BoardParts { buttons, controls, leds, displays, panel })
}

impl IncludeSource for IncludedFiles {
    fn read(&mut self, path: &Path, limit: usize) -> Result<Arc<[u8]>, IncludeReadError> {
        if let Some(bytes) = self.0.get(path) {
            return Ok(Arc::clone(bytes));
        }
        let bytes: Arc<[u8]> = host::input_files::read(path, limit).map_err(reason)?.into();
        self.0.insert(path.to_owned(), Arc::clone(&bytes));
        Ok(bytes)
    }

    fn board(&mut self, path: &Path) -> Result<BoardParts, BoardError> {
        parts_of(&self.board_file(path)?, path)
    }
}

fn reason(error: io::Error) -> IncludeReadError {
    match error.kind() {
        ErrorKind::NotFound => IncludeReadError::NotFound,
        ErrorKind::IsADirectory => IncludeReadError::NotRegular,
        _ if host::input_files::is_not_regular(&error) => IncludeReadError::NotRegular,
        _ => IncludeReadError::Other(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn an_included_file_has_the_board_of_its_trace() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir_all(at("traces")).unwrap();
        let board = "board = 1\nname = \"x\"\nchip = \"rp2040\"\n[[display]]\npanel = \"ssd1306\"\n\
                     bus = \"i2c\"\nsda = \"GP4\"\nscl = \"GP5\"\n[[button]]\nname = \"PUSH\"\npin = \"GP2\"\n";
        fs::write(at("x.board.toml"), board).unwrap();
        fs::write(at("lone.inc"), "+1s tap PUSH\n").unwrap();
        let lone = at("lone.inc");
        let error = format_trace(&lone, None).unwrap_err().to_string();
        assert!(error.contains("unknown button `PUSH`"), "{error}");
        assert!(error.ends_with("`--board NAME.board.toml` names another"), "{error}");
        let after = |board: Option<&Path>| format_trace(&lone, board).unwrap().after;
        assert_eq!(after(Some(&at("x.board.toml"))), "+1s     tap PUSH\n");
        let error = open_trace(&lone).unwrap_err().to_string();
        assert!(error.ends_with("no trace; name the trace that includes it"), "{error}");

        // By a file between them.
        fs::write(at("between.inc"), "include lone.inc\n").unwrap();
        let trace = "trace 1\nboard ../x.board.toml\n\n0ms power on\ninclude ../between.inc\n";
        fs::write(at("traces/t.trace"), trace).unwrap();
        assert_eq!(after(None), "+1s     tap PUSH\n");
        let error = open_trace(&lone).unwrap_err().to_string();
        assert!(error.ends_with("t.trace includes it: name that"), "{error}");
    }

    #[test]
    fn a_trace_includes_files_from_its_folder_and_its_parents() {
        let folder = tempfile::tempdir().unwrap();
        let suite = folder.path().join("suite/menu");
        fs::create_dir_all(&suite).unwrap();
        let path = suite.join("open.trace");
        fs::write(&path, "trace 1\ninclude ../boot.inc\ninclude open.inc\n").unwrap();
        fs::write(folder.path().join("suite/boot.inc"), "0ms power on\n").unwrap();
        fs::write(suite.join("open.inc"), "+1s tap RESET\n+1s tpa B3\n").unwrap();
        let error = open_trace(&path).unwrap_err().to_string();
        let included = suite.join("open.inc").display().to_string();
        assert_eq!(
            error,
            format!(
                "{}:3:1: in the included file {included}:2:5: unknown verb `tpa`; did you mean `tap`?",
                path.display()
            )
        );
        fs::write(suite.join("open.inc"), "+1s tap RESET\n").unwrap();
        let trace = open_trace(&path).unwrap();
        assert_eq!((trace.lines.len(), trace.folder.as_deref()), (2, Some(suite.as_path())));
        fs::remove_file(suite.join("open.inc")).unwrap();
        let error = open_trace(&path).unwrap_err().to_string();
        assert!(error.ends_with("open.inc: there is no such file"), "{error}");
        fs::create_dir(suite.join("open.inc")).unwrap();
        let error = open_trace(&path).unwrap_err().to_string();
        assert!(error.ends_with("it is no regular file"), "{error}");
    }

    #[test]
    fn a_missing_file_and_a_folder_are_errors_with_their_name() {
        let folder = tempfile::tempdir().unwrap();
        for path in [folder.path().join("none.trace"), folder.path().to_owned()] {
            let error = open_trace(&path).unwrap_err();
            assert!(matches!(error, OpenError::Io { .. }), "{error}");
            assert!(error.to_string().starts_with(&format!("{}: ", path.display())), "{error}");
        }
    }
}
