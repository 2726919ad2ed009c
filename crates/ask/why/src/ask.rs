//! Replays the trace, once or several times, and assembles the answer.

use std::sync::Arc;

use boards::BoardFactory;
use hal_mock::{
    Machine, VirtualBoard,
    replay::{self, ReplayOutcome, ReplaySettings, Unjudged, Verdict},
};
use ili9341_model::{Frame, PixelWrite};
use insight::{Interior, Views};
use reading::text::Reader;
use rp2040_emulator::backtrace;
use rp2040_emulator::program::{CodePlace, Program};
use trace::{Action, BOARD_KEY, Display, Line, Trace};
use virtual_time::{Instant, Nanos};

use super::answer::{Answer, PixelWritten};
use super::error::{PowerThen, Stopped, WhyError};
use super::observer::{Inner, WatchedMachine, drawn};

/// Maximum number of callers that an answer names for the function that sent the pixel.
const CALLERS_MAX: usize = 6;

/// A pixel of a display.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pixel<'a> {
    /// Position, from the panel's left and top edge.
    pub place: (usize, usize),
    /// Name of the display; `None` = the first one.
    pub display: Option<&'a str>,
}

impl From<(usize, usize)> for Pixel<'_> {
    fn from(place: (usize, usize)) -> Self {
        Self { place, display: None }
    }
}

/// Returns the origin of the pixel that `trace` shows at `at`, or at its end. `flash` is
/// the image that the board starts with. Without one it is the file that the header names, or the
/// factory state. The machines of `native` are those of `interior`, if the application tells it.
///
/// # Errors
/// If the panel has no such pixel, the trace ends before `at`, or nothing was written there.
pub fn ask(
    trace: &Trace,
    pixel: Pixel<'_>,
    at: Option<Instant>,
    factory: &BoardFactory,
    interior: Option<&dyn Interior>,
    flash: Option<&[u8]>,
    reader: &Reader,
) -> Result<Answer, WhyError> {
    let factory = &factory.for_trace(trace)?;
    let parts = factory.parts().unwrap_or_default();
    let display = pixel.display.map(|name| parts.displays.find(name)).transpose()?;
    let panel = display.map_or(parts.panel, Display::panel);
    let pixel = pixel.place;
    if !panel.contains(pixel.0, pixel.1) {
        return Err(WhyError::NoPixel { x: pixel.0, y: pixel.1, panel });
    }
    let display = display.map_or(0, Display::index);
    let trace = &without_expectations(trace);
    let query = Query { trace, display, at, factory, interior, flash, reader };
    // The panel shows page x of column y, unless the firmware scrolls or rotates it.
    let straight = (pixel.1, pixel.0);
    let mut watched = query.watch(straight)?;
    let behind = watched.screen().with_lcd(|lcd| lcd.cell_at(pixel.0, pixel.1));
    let cell = behind.ok_or(WhyError::NotShown { x: pixel.0, y: pixel.1 })?;
    if cell != straight {
        // A real board exists only once, so the first machine must be released.
        drop(watched);
        watched = query.watch(cell)?;
    }
    query.answer(pixel, cell, watched)
}

/// Returns the names of the elements that the view on the LCD has at `pixels` (columns and rows),
/// the element with most of them first, as `trace` shows it at `at` on `native`. Returns no names if
/// the trace does not reach `at`, or the board has no power then.
pub fn elements(
    interior: &dyn Interior,
    trace: &Trace,
    at: Instant,
    pixels: &[(usize, usize)],
    reader: &Reader,
) -> Vec<String> {
    let trace = without_expectations(trace);
    // The views of the program of another board are not known.
    if trace.get(BOARD_KEY).is_some() {
        return Vec::new();
    }
    let Ok(mut machine) = interior.machine(&trace, None) else { return Vec::new() };
    let until = Some(at);
    let settings = ReplaySettings { allow_violations: true, until, ..ReplaySettings::default() };
    replay::replay(&trace, &mut *machine, reader, &mut Unjudged, &settings);
    let Views { shown, sent } = machine.views();
    shown.or(sent).map(|view| view.names_at(pixels)).unwrap_or_default()
}

/// The query, without the pixel.
struct Query<'a> {
    trace: &'a Trace,
    /// Number of the display.
    display: usize,
    at: Option<Instant>,
    factory: &'a BoardFactory,
    interior: Option<&'a dyn Interior>,
    flash: Option<&'a [u8]>,
    reader: &'a Reader,
}

impl Query<'_> {
    /// Replays the trace while `cell` is watched.
    fn watch(&self, cell: (usize, usize)) -> Result<WatchedMachine, WhyError> {
        let flash = || self.flash.map(<[u8]>::to_vec);
        let inner = match (self.factory, self.interior) {
            (BoardFactory::Native(..), Some(interior)) => {
                Inner::Open(interior.machine(self.trace, flash())?)
            }
            _ => match self.factory.build_pico(self.trace, flash())? {
                Some(pico) => Inner::Pico(Box::new(pico)),
                None => Inner::Closed(self.factory.build(self.trace, flash())?),
            },
        };
        let mut machine = WatchedMachine::new(inner, self.display);
        machine.screen().watch_cell(cell.0, cell.1, self.at.unwrap_or(Instant::NEVER));
        let outcome = self.replay(&mut machine, self.at);
        machine.ended_at = self.ended(outcome)?;
        Ok(machine)
    }

    fn replay(&self, machine: &mut dyn Machine, until: Option<Instant>) -> ReplayOutcome {
        let options = ReplaySettings { allow_violations: true, until, ..ReplaySettings::default() };
        replay::replay(self.trace, machine, self.reader, &mut Unjudged, &options)
    }

    /// Returns the end of the replay, if it reached the time of the query.
    fn ended(&self, outcome: ReplayOutcome) -> Result<Instant, WhyError> {
        let end = outcome.ended_at;
        let stopped = match outcome.verdict {
            Verdict::Passed if self.at.is_none_or(|at| end >= at) => return Ok(end),
            Verdict::Passed => Stopped::AtEnd,
            Verdict::Failed(failures) => Stopped::Failed(failures),
            Verdict::LimitReached { .. } => Stopped::ClockKept,
            Verdict::Broken(error) => Stopped::Broken(error),
        };
        Err(match self.at {
            Some(at) => WhyError::EndsBefore { end, at, stopped },
            None => WhyError::Stops { end, stopped },
        })
    }

    fn answer(
        &self,
        pixel: (usize, usize),
        cell: (usize, usize),
        watched: WatchedMachine,
    ) -> Result<Answer, WhyError> {
        let at = watched.ended_at;
        let board = watched.screen();
        let (writes, count) = board.with_lcd(|lcd| (lcd.watched_writes(), lcd.watched_count()));
        let (x, y) = pixel;
        let Some(last) = writes.last() else {
            let power = match watched.powered_at {
                _ if !board.is_powered() => PowerThen::Off,
                Some(since) => PowerThen::Since(since),
                None => PowerThen::Never,
            };
            return Err(WhyError::NotWritten { x, y, at, power });
        };
        let functions = match self.factory.program() {
            None => Vec::new(),
            Some(program) => self.functions(program, last)?,
        };
        let frame = board.frame_at(at);
        let span = board.frame_span_at(at);
        let skipped = watched.views.len().saturating_sub(writes.len());
        let mut views = watched.views.iter().skip(skipped);
        Ok(Answer {
            pixel,
            display: (board.display_count() > 1).then(|| name_of(&board, self.display)).flatten(),
            at,
            colour: frame.pixel(x, y).unwrap_or_default(),
            unfinished: span.is_none_or(|(_, end)| last.at > end),
            cell,
            powered_at: watched.powered_at.unwrap_or_default(),
            count,
            text: text_at(board.text_reader().as_deref().unwrap_or(self.reader), &frame, pixel),
            functions,
            writes: writes
                .iter()
                .map(|write| PixelWritten {
                    write: write.clone(),
                    drawn: views.next().and_then(|views| drawn(views, pixel)),
                })
                .collect(),
        })
    }

    /// Returns the function that ran on the Pico at the first clock edge of `write`, and its
    /// callers.
    fn functions(
        &self,
        program: &Arc<Program>,
        write: &PixelWrite,
    ) -> Result<Vec<CodePlace>, WhyError> {
        let flash = self.flash.map(<[u8]>::to_vec);
        let Some(mut pico) = self.factory.build_pico(self.trace, flash)? else {
            return Ok(Vec::new());
        };
        let byte = Nanos(
            write.transfer.end.saturating_since(write.transfer.start).0
                / (write.transfer.bytes.max(1) as u64),
        );
        let first = write.at.saturating_sub(Nanos(byte.0 * write.bytes.len() as u64));
        self.replay(&mut pico, Some(first));
        let functions = pico.with_chip(|chip| {
            let core = chip.core(0);
            let callers = backtrace::callers(chip.memory(), core.register(13), core.register(14));
            // Uses the address of the call, because the return address may belong to the next
            // function.
            let calls = callers.into_iter().take(CALLERS_MAX).map(|caller| caller.wrapping_sub(2));
            std::iter::once(core.pc()).chain(calls).map(|pc| program.place(pc)).collect()
        });
        Ok(functions.unwrap_or_default())
    }
}

/// Returns the name of the display with this number.
fn name_of(board: &VirtualBoard, display: usize) -> Option<&'static str> {
    board.displays().names().get(display).copied()
}

/// Returns the line of text whose cells cover `pixel`.
fn text_at(reader: &Reader, frame: &Frame, (x, y): (usize, usize)) -> Option<String> {
    let lines = reader.read(frame).lines;
    let covers =
        |start: usize, length: usize, place: usize| (start..start + length).contains(&place);
    lines
        .into_iter()
        .find(|line| covers(line.x, line.width, x) && covers(line.y, line.height, y))
        .map(|line| line.text)
}

/// Returns the trace with a screenshot in place of each expectation, which preserves relative
/// times.
pub(crate) fn without_expectations(trace: &Trace) -> Trace {
    let mut trace = trace.clone();
    for line in &mut trace.lines {
        if line.action.is_expectation() {
            let above = std::mem::take(&mut line.above);
            *line = Line { above, ..Line::new(line.when, Action::Screenshot("unjudged".into())) };
        }
    }
    trace
}
