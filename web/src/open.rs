//! Opens a session: a board, a trace or a header, and the files beside it.

use std::rc::Rc;
use std::sync::Arc;

use boards::header::HeaderErrorKind;
use boards::{BoardFactory, DescribedBoard};
use firmware_board::Firmware;
use hal_mock::{flash::FLASH_SIZE, setup::SetupError};
use reading::text::Reader;
use rp2040_emulator::program::Program;
use serde_json::{Value, json};
use timeline::{Files, Maker, Session, Setup};
use trace::{BOARD_KEY, NoIncludes, Trace, lfs::is_pointer};
use virtual_time::Nanos;

use crate::described::{self, TraceFiles};
use crate::fault::RequestError;
use crate::request::{Bytes, Request, number};

/// Virtual time between two copies of the emulated chip.
const CHIP_SNAPSHOT_INTERVAL: Nanos = Nanos::from_secs(1);
/// Virtual time between two copies of `native`. A second of play takes a few milliseconds there, about as long as a copy.
const SNAPSHOT_INTERVAL: Nanos = Nanos::from_secs(5);

/// A session, its files, and the factory of its boards.
pub(crate) struct Opened {
    /// `Err` for a trace with errors.
    pub(crate) session: Result<Session, InvalidTrace>,
    pub(crate) files: Rc<Files>,
    pub(crate) factory: BoardFactory,
}

/// A trace that cannot be replayed.
pub(crate) struct InvalidTrace {
    pub(crate) text: String,
    pub(crate) errors: Vec<TraceError>,
}

/// An error in a trace.
pub(crate) struct TraceError {
    pub(crate) line: u32,
    pub(crate) column: u32,
    pub(crate) message: String,
}

impl TraceError {
    fn answer(&self) -> Value {
        json!({"line": self.line, "column": self.column, "message": self.message})
    }
}

impl Opened {
    /// Returns the session, if its trace can be replayed.
    pub(crate) fn session(&mut self) -> Result<&mut Session, RequestError> {
        match &mut self.session {
            Ok(session) => Ok(session),
            Err(broken) => Err(RequestError {
                message: "the trace has errors, and was not replayed".to_owned(),
                line: broken.errors.first().map(|error| error.line),
            }),
        }
    }

    pub(crate) fn answer(&self) -> Value {
        let board = board_of(&self.factory);
        match &self.session {
            Ok(session) => {
                let end = session.left_at().is_none().then_some(session.reached().0);
                json!({"end": end, "errors": [], "board": board})
            }
            Err(broken) => {
                let errors = broken.errors.iter().map(TraceError::answer);
                json!({"end": null, "errors": errors.collect::<Vec<Value>>(), "board": board})
            }
        }
    }
}

/// A request to open a session: its files, its board, and its trace.
struct Prepared<'a> {
    files: Rc<Files>,
    factory: BoardFactory,
    /// Text of the trace, and the trace; `None` for a live board.
    trace: Option<(&'a str, Result<timeline::Opened, Vec<TraceError>>)>,
}

/// Returns the board that a page has to draw for the session that `request` describes, without a replay:
/// that of the request, or the one that the header of its trace names; `null` for the LCD board, and for a
/// trace with errors, which are in the answer too.
pub(crate) fn describe(request: &Request, bytes: &mut Bytes<'_>) -> Result<Value, RequestError> {
    let Prepared { factory, trace, .. } = prepare(request, bytes)?;
    let errors = trace.and_then(|(_, parsed)| parsed.err()).unwrap_or_default();
    let errors: Vec<Value> = errors.iter().map(TraceError::answer).collect();
    Ok(json!({"board": board_of(&factory), "errors": errors}))
}

/// Opens the session that `request` describes.
pub(crate) fn open(
    request: &Request,
    bytes: &mut Bytes<'_>,
    reader: &Rc<Reader>,
) -> Result<Opened, RequestError> {
    let Prepared { files, factory, trace } = prepare(request, bytes)?;
    let is_chip = matches!(factory, BoardFactory::Pico(..) | BoardFactory::Described(_));
    let setup = Setup {
        maker: maker(factory.clone(), Rc::clone(&files)),
        reader: Rc::clone(reader),
        sees_frames: is_chip,
        copied_every: if is_chip { CHIP_SNAPSHOT_INTERVAL } else { SNAPSHOT_INTERVAL },
    };
    let session = match trace {
        Some((text, parsed)) => replay(&setup, text, parsed, &files),
        None => Ok(live(&setup, request, &factory)?),
    };
    Ok(Opened { session, files, factory })
}

fn prepare<'a>(request: &'a Request, bytes: &mut Bytes<'_>) -> Result<Prepared<'a>, RequestError> {
    // All passed memory is taken first, before any error can return.
    let mut files = Files::default();
    let mut handed = |value: &Value| -> Result<Vec<u8>, RequestError> {
        let place = |name| value.get(name).and_then(number);
        let taken = place("ptr").zip(place("len")).and_then(|(ptr, len)| bytes(ptr, len));
        taken
            .ok_or_else(|| RequestError::new("bytes are `{ptr, len}` of memory from `nudge_alloc`"))
    };
    let elf = request.get("elf").map(&mut handed).transpose();
    let mut blobs = Ok(());
    for (path, value) in request.object("blobs")?.into_iter().flatten() {
        match handed(value) {
            Ok(blob) => files.insert(path, blob),
            Err(fault) => blobs = Err(fault),
        }
    }
    let elf = elf?;
    blobs?;
    for (path, value) in request.object("files")?.into_iter().flatten() {
        let text =
            value.as_str().ok_or_else(|| RequestError::new(format!("`{path}` is no text")))?;
        files.insert(path, text.as_bytes());
    }
    let files = Rc::new(files);
    let program = request.text("program")?;
    let mut factory = match request.text("board")?.unwrap_or("native") {
        "native" => firmware_board::factory(),
        "described" => {
            let path = request.required_text("board_file")?;
            BoardFactory::Described(described::board(path, program, &files)?)
        }
        "pico" => {
            let elf = elf.ok_or_else(|| RequestError::new("the board `pico` needs an `elf`"))?;
            let program =
                Program::parse(&elf).map_err(|error| RequestError::new(error.to_string()))?;
            BoardFactory::Pico(&Firmware, Arc::new(program))
        }
        other => return Err(RequestError::new(format!("there is no board `{other}`"))),
    };
    let name = request.text("name")?.unwrap_or("trace");
    let trace = match request.text("trace")? {
        Some(text) => {
            let parsed = parsed(name, text, &files, program, &factory).map(|(opened, board)| {
                if let (Some(board), BoardFactory::Native(..)) = (board, &factory) {
                    factory = BoardFactory::Described(board);
                }
                opened
            });
            Some((text, parsed))
        }
        None => None,
    };
    Ok(Prepared { files, factory, trace })
}

/// A parsed trace, and the board that its header names.
type Parsed = (timeline::Opened, Option<Arc<DescribedBoard>>);

/// Parses the trace in `text`, for the board of `factory`, or for the one that its header names.
fn parsed(
    name: &str,
    text: &str,
    files: &Files,
    program: Option<&str>,
    factory: &BoardFactory,
) -> Result<Parsed, Vec<TraceError>> {
    // Paths of included files begin in the trace's folder, and so do those of `files`.
    let file = name.rsplit('/').next().unwrap_or(name);
    let mut source = TraceFiles::new(files, program);
    let parts = factory.parts();
    let trace = trace::parse_on(file, text.as_bytes(), &mut source, parts.as_ref());
    match trace {
        Ok(trace) => {
            let opened = timeline::Opened { name: file.to_owned(), text: text.to_owned(), trace };
            Ok((opened, source.board))
        }
        Err(errors) => {
            let errors = errors.iter().map(|error| TraceError {
                line: error.place.line,
                column: error.place.column,
                message: error.message(),
            });
            Err(errors.collect())
        }
    }
}

fn board_of(factory: &BoardFactory) -> Value {
    match factory {
        BoardFactory::Described(board) => described::answer(board),
        BoardFactory::Native(..)
        | BoardFactory::Pico(..)
        | BoardFactory::Probe(..)
        | BoardFactory::EmulatedProbe(..) => Value::Null,
    }
}

/// Replays the trace in `text`.
fn replay(
    setup: &Setup,
    text: &str,
    parsed: Result<timeline::Opened, Vec<TraceError>>,
    files: &Files,
) -> Result<Session, InvalidTrace> {
    let broken = |errors| InvalidTrace { text: text.to_owned(), errors };
    let opened = parsed.map_err(broken)?;
    Session::replay(setup, opened, files).map_err(|error| {
        let errors = error.each().map(|error| TraceError {
            line: error.place.map_or(0, |place| place.line),
            column: error.place.map_or(0, |place| place.column),
            message: error.message(),
        });
        broken(errors.collect())
    })
}

/// Returns a live board with the settings of the request's header. The header of a described board names
/// its file.
fn live(setup: &Setup, request: &Request, factory: &BoardFactory) -> Result<Session, RequestError> {
    let header = request.text("header")?.unwrap_or_default();
    let named = match request.text("board_file")? {
        Some(path) => format!("{BOARD_KEY} {path}\n"),
        None => String::new(),
    };
    let text = format!("trace 1\n{header}\n{named}\n0ms power on\n");
    let parts = factory.parts();
    let parsed = trace::parse_on("header", text.as_bytes(), &mut NoIncludes, parts.as_ref());
    let trace = parsed.map_err(|errors| {
        let error = errors.first();
        // The line `trace 1` above is not part of the header.
        RequestError { message: error.message(), line: Some(error.place.line.saturating_sub(1)) }
    })?;
    let trace = Trace { header: trace.header, ..Trace::default() };
    Ok(Session::live(setup, trace)?)
}

/// Returns a maker of machines that takes the flash that a header names from `files`.
fn maker(factory: BoardFactory, files: Rc<Files>) -> Maker {
    Rc::new(move |trace| match flash_of(trace, &files)? {
        Some((trace, image)) => factory.build(&trace, Some(image)),
        None => factory.build(trace, None),
    })
}

/// Returns the trace without its header line `flash`, and that flash from `files`; no file is read from disk.
///
/// # Errors
/// If there is no such file, or it is not a flash image.
pub(crate) fn flash_of(
    trace: &Trace,
    files: &Files,
) -> Result<Option<(Trace, Vec<u8>)>, SetupError> {
    let Some(entry) = trace.get("flash") else { return Ok(None) };
    let wrong = |kind: HeaderErrorKind| SetupError::at(entry.value_place, kind);
    let name = &entry.value;
    if name.contains('/') {
        return Err(wrong(HeaderErrorKind::FlashIsPath { name: name.clone() }));
    }
    let missing = || wrong(HeaderErrorKind::FlashMissing(name.into()));
    let image = files.get(name).ok_or_else(missing)?;
    if is_pointer(image) || image.len() != FLASH_SIZE {
        let message = format!("{name} is no flash of this board, which has {FLASH_SIZE} bytes");
        return Err(SetupError::at(entry.value_place, message));
    }
    let mut without = trace.clone();
    without.header.retain(|entry| entry.key != "flash");
    Ok(Some((without, image.to_vec())))
}
