//! Opens a session: a board, a trace or a header, and the files beside it.

use std::rc::Rc;
use std::sync::Arc;

use boards::BoardFactory;
use boards::header::HeaderErrorKind;
use hal_mock::{flash::FLASH_SIZE, setup::SetupError};
use reading::text::Reader;
use rp2040_emulator::program::Program;
use serde_json::{Value, json};
use timeline::{Files, Maker, Session, Setup};
use trace::{Trace, lfs::is_pointer, parse};
use virtual_time::Nanos;

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
        match &self.session {
            Ok(session) => {
                let end = session.left_at().is_none().then_some(session.reached().0);
                json!({"end": end, "errors": []})
            }
            Err(broken) => {
                let errors = broken.errors.iter().map(|error| {
                    json!({"line": error.line, "column": error.column, "message": error.message})
                });
                json!({"end": null, "errors": errors.collect::<Vec<Value>>()})
            }
        }
    }
}

/// Opens the session that `request` describes.
pub(crate) fn open(
    request: &Request,
    bytes: &mut Bytes<'_>,
    reader: &Rc<Reader>,
) -> Result<Opened, RequestError> {
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
    let factory = match request.text("board")?.unwrap_or("native") {
        "native" => BoardFactory::default(),
        "pico" => {
            let elf = elf.ok_or_else(|| RequestError::new("the board `pico` needs an `elf`"))?;
            let program =
                Program::parse(&elf).map_err(|error| RequestError::new(error.to_string()))?;
            BoardFactory::Pico(Arc::new(program))
        }
        other => return Err(RequestError::new(format!("there is no board `{other}`"))),
    };
    let files = Rc::new(files);
    let is_chip = matches!(factory, BoardFactory::Pico(_));
    let setup = Setup {
        maker: maker(factory.clone(), Rc::clone(&files)),
        reader: Rc::clone(reader),
        sees_frames: is_chip,
        copied_every: if is_chip { CHIP_SNAPSHOT_INTERVAL } else { SNAPSHOT_INTERVAL },
    };
    let name = request.text("name")?.unwrap_or("trace");
    let session = match request.text("trace")? {
        Some(text) => replay(&setup, name, text, &files),
        None => Ok(live(&setup, request.text("header")?.unwrap_or_default())?),
    };
    Ok(Opened { session, files, factory })
}

/// Replays the trace in `text`.
fn replay(setup: &Setup, name: &str, text: &str, files: &Files) -> Result<Session, InvalidTrace> {
    let broken = |errors| InvalidTrace { text: text.to_owned(), errors };
    let opened = timeline::open(name, text, files).map_err(|errors| {
        let errors = errors.iter().map(|error| TraceError {
            line: error.place.line,
            column: error.place.column,
            message: error.message(),
        });
        broken(errors.collect())
    })?;
    Session::replay(setup, opened, files).map_err(|error| {
        let errors = error.each().map(|error| TraceError {
            line: error.place.map_or(0, |place| place.line),
            column: error.place.map_or(0, |place| place.column),
            message: error.message(),
        });
        broken(errors.collect())
    })
}

/// Returns a live board with the settings of `header`.
fn live(setup: &Setup, header: &str) -> Result<Session, RequestError> {
    let text = format!("trace 1\n{header}\n\n0ms power on\n");
    let trace = parse("header", &text).map_err(|errors| {
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
