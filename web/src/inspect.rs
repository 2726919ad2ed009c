//! Requests about a session's current time: a pixel, the computer's search, the LCD's controller, the flash;
//! and expectations that are written into its trace.

use boards::BoardFactory;
use boards::identity;
use firmware_board::flash_files::flash_map;
use firmware_core::SOURCE_HASH;
use firmware_insight::LcdBoard;
use ili9341_model::{DisplayMode, Ili9341, Region};
use reading::text::Reader;
use rp2040_emulator::program::SourceLine;
use serde_json::{Value, json};
use timeline::{ExpectError, Wanted};
use trace::{RegionText, Trace};
use virtual_time::Instant;
use why::thoughts::{self, OtherBoard};
use why::{Answer, Pixel, PixelWritten};

use crate::fault::RequestError;
use crate::open::{Opened, flash_of};
use crate::request::{Request, number};

/// Returns the origin of a pixel that the LCD shows.
pub(crate) fn pixel(
    opened: &mut Opened,
    request: &Request,
    reader: &Reader,
) -> Result<Value, RequestError> {
    let coordinate = |name| {
        let number = request.number(name)?;
        usize::try_from(number).map_err(|_| RequestError::new(format!("`{name}` is too large")))
    };
    let place = (coordinate("x")?, coordinate("y")?);
    let pixel = Pixel { place, display: request.text("display")? };
    let factory = opened.factory.clone();
    let SessionTrace { trace, flash, at: now } = asked(opened)?;
    let answer =
        why::ask(&trace, pixel, Some(now), &factory, Some(&LcdBoard), flash.as_deref(), reader);
    answer.map(|answer| pixel_answer(&answer)).map_err(|error| RequestError::new(error.to_string()))
}

/// A session as a trace, for a request that replays it once more.
struct SessionTrace {
    trace: Trace,
    /// Content of the board's flash at the first power-on.
    flash: Option<Vec<u8>>,
    /// The session's current time.
    at: Instant,
}

fn asked(opened: &mut Opened) -> Result<SessionTrace, RequestError> {
    let files = opened.files.clone();
    let session = opened.session()?;
    let at = session.present();
    let text = session.save(&files);
    let parts = opened.session()?.board().parts();
    let read = timeline::open("some.trace", &text, &files, Some(&parts))
        .map_err(|errors| RequestError::new(errors.first().message()))?;
    let trace = Trace { folder: None, ..read.trace };
    Ok(match flash_of(&trace, &files)? {
        Some((trace, image)) => SessionTrace { trace, flash: Some(image), at },
        None => SessionTrace { trace, flash: None, at },
    })
}

/// Returns the computer opponent's search at the current time, or the last one before. For a Pico the answer is that
/// of `native` in the same position, if both run the same firmware.
pub(crate) fn thoughts(opened: &mut Opened, reader: &Reader) -> Result<Value, RequestError> {
    let unknown = |why: &str| Ok(json!({"moves": [], "known": false, "why": why}));
    let (thoughts, of) = if let BoardFactory::Pico(_, program) = &opened.factory {
        let sources = identity::sources(program.image());
        let present = opened.session()?.present();
        let mut console = opened.session()?.board().console_lines();
        console.retain(|line| line.at <= present);
        match sources.as_deref() {
            Some(SOURCE_HASH) => {}
            Some(_) => return unknown(OTHER_SOURCES),
            None => return unknown(OTHER_PROGRAM),
        }
        let SessionTrace { trace, flash, at } = asked(opened)?;
        match thoughts::ask_for_other_board(&LcdBoard, &trace, at, &console, flash, reader) {
            Ok(OtherBoard::Same(thoughts)) => (Ok(thoughts), "position"),
            Ok(OtherBoard::OtherPosition) => return unknown(DIFFERENT_POSITION),
            Err(error) => (Err(error), "position"),
        }
    } else if let BoardFactory::Described(_) = &opened.factory {
        return unknown(OTHER_PROGRAM);
    } else {
        let SessionTrace { trace, flash, at } = asked(opened)?;
        (thoughts::ask(&LcdBoard, &trace, at, flash, reader), "board")
    };
    Ok(match thoughts.map_err(|error| RequestError::new(error.to_string()))? {
        None => json!({"moves": [], "known": true, "of": of}),
        Some(thoughts) => {
            let moves = thoughts.moves.iter();
            let moves = moves.map(|one| json!({"button": one.button, "value": one.value}));
            json!({
                "moves": moves.collect::<Vec<_>>(),
                "known": true,
                "of": of,
                "in_hand": thoughts.in_hand,
                "decided": thoughts.decided,
                "turns": thoughts.turns,
                "sowings": thoughts.examined,
            })
        }
    })
}

/// The reasons why a Pico's search is not known.
const OTHER_PROGRAM: &str = "What this program considers is not known: it is not nudge's firmware.";
const OTHER_SOURCES: &str = "What this program considers is not known: it was built from other firmware \
                             sources than this page. Build the older of the two again.";
const DIFFERENT_POSITION: &str = "What the Pico considers is not known: on native this trace has led to another \
                         position by now.";

fn pixel_answer(answer: &Answer) -> Value {
    let functions: Vec<String> =
        answer.functions.iter().map(|function| function.to_string()).collect();
    let last = answer.writes.last();
    json!({
        "colour": answer.colour,
        "at": answer.at.0,
        "text": answer.text,
        "unfinished": answer.unfinished,
        "writes": answer.count,
        "written": last.map(written),
        "earlier": answer.writes.iter().rev().skip(1).map(written).collect::<Vec<_>>(),
        "memory": {"column": answer.cell.0, "page": answer.cell.1},
        "functions": functions,
        "pc": answer.functions.first().map(|function| function.address),
        "source": answer.functions.first().map(|function| source(&function.lines)),
        "report": answer.to_string(),
    })
}

/// Returns the source lines of an instruction, the innermost function first.
fn source(lines: &[SourceLine]) -> Value {
    let lines = lines
        .iter()
        .map(|line| json!({"function": line.function, "file": line.file, "line": line.line}));
    lines.collect::<Vec<_>>().into()
}

fn written(written: &PixelWritten) -> Value {
    let write = &written.write;
    let drawn = written.drawn.as_ref().map(
        |drawn| json!({"screen": drawn.screen, "element": drawn.element, "whole": drawn.whole}),
    );
    json!({
        "at": write.at.0,
        "bytes": write.bytes,
        "transaction": {
            "number": write.transfer.number,
            "start": write.transfer.start.0,
            "end": write.transfer.end.0,
            "bytes": write.transfer.bytes,
            "first_byte": write.first_byte,
        },
        "window": {
            "columns": [write.columns.0, write.columns.1],
            "pages": [write.pages.0, write.pages.1],
            "opened": write.opened.start.0,
        },
        "drawn": drawn,
    })
}

/// Returns the state of the LCD's controller.
pub(crate) fn panel(opened: &mut Opened) -> Result<Value, RequestError> {
    let board = opened.session()?.board();
    let (panel, bus) = (board.with_lcd(Ili9341::panel), board.bus());
    let registers = panel.registers.iter().map(|register| {
        let hex: Vec<String> = register.value.iter().map(|byte| format!("{byte:02X}")).collect();
        let fields: Vec<String> =
            register.fields.iter().map(|field| format!("{} {}", field.name, field.value)).collect();
        json!({
            "name": register.name,
            "code": register.code,
            "value": hex.join(" "),
            "section": register.section,
            "note": fields.join(", "),
        })
    });
    Ok(json!({
        "powered": panel.powered,
        "in_reset": panel.in_reset,
        "backlit": panel.backlit,
        "asleep": panel.asleep,
        "display_on": panel.display_on,
        "inverted": panel.inverted,
        "idle": panel.idle,
        "tearing_line": panel.tearing_line,
        "mode": match panel.mode {
            DisplayMode::Normal => "normal",
            DisplayMode::Partial => "partial",
            DisplayMode::Scrolling => "scrolling",
        },
        "counter": [panel.counter.0, panel.counter.1],
        "refresh_hz": panel.refresh_hz,
        "bus_bytes": bus.bytes,
        "pixel_bytes": bus.pixel_bytes,
        "memory_writes": bus.windows,
        "registers": registers.collect::<Vec<_>>(),
    }))
}

/// Returns the content of the flash, and its wear.
pub(crate) fn flash(opened: &mut Opened) -> Result<Value, RequestError> {
    let board = opened.session()?.board();
    let lines = board.flash_lines();
    Ok(board.with_flash(|chip| {
        let sectors = flash_map(chip).into_iter().map(|sector| {
            json!({
                "index": sector.index,
                "offset": sector.offset,
                "erases": sector.erases,
                "used": sector.used,
                "kind": sector.content.kind(),
                "name": sector.content.name(),
            })
        });
        json!({
            "sectors": sectors.collect::<Vec<_>>(),
            "lines": lines,
            "operations": chip.operations(),
        })
    }))
}

/// Returns the session's trace with an additional expectation at the time `t`.
pub(crate) fn expect(opened: &mut Opened, request: &Request) -> Result<Value, RequestError> {
    let at = request.instant("t")?;
    let region = region(request, opened.session()?.board().panel())?;
    let wanted = match request.required_text("kind")? {
        "text" => {
            let text = request.required_text("text")?.to_owned();
            Wanted::Text(RegionText { text, display: None, region })
        }
        "region" => Wanted::Region { name: request.required_text("name")?.to_owned(), region },
        "settled" => Wanted::Settled,
        "tone" => Wanted::Tone,
        other => {
            return Err(RequestError::new(format!("nothing called `{other}` can be expected")));
        }
    };
    let files = opened.files.clone();
    let inserted = timeline::expect(opened.session()?, &files, at, &wanted)
        .map_err(|error: ExpectError| RequestError::new(error.to_string()))?;
    let text = inserted.text.lines().nth(inserted.line.saturating_sub(1));
    Ok(json!({"trace": inserted.text, "line": inserted.line, "text": text}))
}

/// Reads the field `region`: `[x, y, width, height]`.
fn region(request: &Request, panel: Region) -> Result<Option<Region>, RequestError> {
    let Some(value) = request.get("region") else { return Ok(None) };
    let numbers = value.as_array().map(Vec::as_slice).unwrap_or_default();
    let numbers: Option<Vec<u16>> = numbers
        .iter()
        .map(|value| number(value).and_then(|number| number.try_into().ok()))
        .collect();
    match numbers.as_deref() {
        Some([x, y, width, height]) => {
            let region = Region { x: *x, y: *y, width: *width, height: *height };
            if region.area() > 0 && panel.holds(region) {
                return Ok(Some(region));
            }
            Err(RequestError::new("`region` does not lie on the panel"))
        }
        _ => Err(RequestError::new("`region` is `[x, y, width, height]`")),
    }
}
