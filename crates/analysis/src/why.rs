//! Where a pixel came from: the SPI transfer that wrote it, the window it went through, and
//! what drew it.
//!
//! [`ask`] replays a trace up to a moment and watches one cell of the LCD's memory meanwhile;
//! of what it sees it keeps the last few writes, so its memory does not grow with the trace.
//! On `native` the view that the firmware was sending names the element; on `pico` a second
//! replay stops where the last write begins, and the program counter names the function. What
//! the trace expects is not judged. It knows no file; [`Answer`]'s `Display` is the report.

mod element;
mod report;

use std::collections::VecDeque;
use std::fmt;
use std::sync::Arc;

use firmware_core::screen::View;
use hal_mock::lcd::{PixelWrite, WRITES_KEPT};
use hal_mock::replay::{self, Failure, Options, Outcome, Unjudged, Verdict};
use hal_mock::text::Reader;
use hal_mock::trace::{Action, Line, Trace, spoken};
use hal_mock::{Frame, Machine, MachineError, Nanos, Region, VirtualBoard};
use rp2040_emulator::backtrace;
use rp2040_emulator::program::Program;

use boards::BoardFactory;
use boards::header::{self, HeaderError};
use boards::native::Native;
use boards::pico::Pico;

pub use element::Drawn;

/// Callers of the function that sent the pixel which are told.
const CALLERS_TOLD: usize = 6;

/// What is known of a pixel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The pixel, from the panel's left and top edge.
    pub pixel: (usize, usize),
    /// The moment that was asked about.
    pub at: Nanos,
    /// The colour that a person saw then, `0x00RRGGBB`, eight bits a colour.
    pub colour: u32,
    /// The frame that the last write belongs to was still being sent.
    pub unfinished: bool,
    /// Column and page of the memory's cell behind the pixel.
    pub cell: (usize, usize),
    /// When the power came that the board had then.
    pub powered_at: Nanos,
    /// The last writes since, the latest last; at most [`WRITES_KEPT`], at least one.
    pub writes: Vec<Written>,
    /// How many there were since.
    pub count: u64,
    /// What can be read at that place of the LCD.
    pub text: Option<String>,
    /// On `pico`: the function that sent the last write, and who called it.
    pub functions: Vec<String>,
}

/// One write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// What came over the wire.
    pub write: PixelWrite,
    /// On `native`: what the firmware drew.
    pub drawn: Option<Drawn>,
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum WhyError {
    /// The panel has no such pixel.
    #[error(
        "there is no pixel {x},{y}: the panel has {}x{}, 0,0 to {},{}",
        Region::PANEL.width, Region::PANEL.height, Region::PANEL.width - 1, Region::PANEL.height - 1
    )]
    NoPixel {
        /// From the left edge.
        x: usize,
        /// From the top edge.
        y: usize,
    },
    /// There is no board for the trace.
    #[error(transparent)]
    Header(#[from] HeaderError),
    /// The replay ends before the moment that was asked about.
    #[error("the trace ends at {}, and --at {at} is behind that{stopped}", spoken(*end))]
    EndsBefore {
        /// When the replay ended.
        end: Nanos,
        /// The moment that was asked about.
        at: Nanos,
        /// What ended it.
        stopped: Stopped,
    },
    /// The replay does not come to the end of the trace.
    #[error("the trace stops at {}{stopped}", spoken(*end))]
    Stops {
        /// When the replay ended.
        end: Nanos,
        /// What ended it.
        stopped: Stopped,
    },
    /// No cell of the memory is shown at the pixel.
    #[error("the glass shows no memory at {x},{y}: partial mode is on")]
    NotShown {
        /// From the left edge.
        x: usize,
        /// From the top edge.
        y: usize,
    },
    /// Nothing was written since power-on.
    #[error(
        "nothing has been written to the pixel {x},{y} by {}: {power}; ask for a later time",
        spoken(*at)
    )]
    NotWritten {
        /// From the left edge.
        x: usize,
        /// From the top edge.
        y: usize,
        /// The moment that was asked about.
        at: Nanos,
        /// Whether the board had power then.
        power: PowerThen,
    },
}

impl WhyError {
    /// Whether the question makes no sense for this trace, or there is no such board; otherwise
    /// there is nothing to tell.
    pub fn is_wrong_question(&self) -> bool {
        match self {
            Self::NoPixel { .. }
            | Self::Header(_)
            | Self::EndsBefore { .. }
            | Self::Stops { .. } => true,
            Self::NotShown { .. } | Self::NotWritten { .. } => false,
        }
    }
}

/// What ended a replay too early; `Display` goes on a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// The trace was over.
    AtEnd,
    /// Lines failed.
    Failed(Vec<Failure>),
    /// The firmware lets no time pass.
    ClockKept,
    /// The machine could not go on.
    Broken(MachineError),
}

impl fmt::Display for Stopped {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AtEnd => Ok(()),
            Self::Failed(failures) => {
                failures.iter().try_for_each(|failure| write!(out, ": {failure}"))
            }
            Self::ClockKept => out.write_str(": the firmware keeps the clock for itself"),
            Self::Broken(error) => write!(out, ": the firmware cannot go on: {error}"),
        }
    }
}

/// The power of a board at a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PowerThen {
    /// It was off.
    Off,
    /// It was on since.
    Since(Nanos),
    /// It was never on.
    Never,
}

impl fmt::Display for PowerThen {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Off => out.write_str("the board has no power then"),
            Self::Since(since) => write!(out, "the power came at {}", spoken(*since)),
            Self::Never => out.write_str("the power never came"),
        }
    }
}

/// Where the pixel at `pixel` came from that `trace` shows at `at`, or at its end.
///
/// # Errors
/// If the pixel is none, the trace does not last until `at`, or nothing was written there.
pub fn ask(
    trace: &Trace,
    pixel: (usize, usize),
    at: Option<Nanos>,
    maker: &BoardFactory,
    reader: &Reader,
) -> Result<Answer, WhyError> {
    let (width, height) = (usize::from(Region::PANEL.width), usize::from(Region::PANEL.height));
    if pixel.0 >= width || pixel.1 >= height {
        return Err(WhyError::NoPixel { x: pixel.0, y: pixel.1 });
    }
    let question = Question { trace: &without_expectations(trace), at, maker, reader };
    // The glass shows page x of column y, unless the firmware scrolls or turns it.
    let straight = (pixel.1, pixel.0);
    let mut watched = question.watch(straight)?;
    let behind = watched.board().with_lcd(|lcd| lcd.cell_at(pixel.0, pixel.1));
    let cell = behind.ok_or(WhyError::NotShown { x: pixel.0, y: pixel.1 })?;
    if cell != straight {
        watched = question.watch(cell)?;
    }
    question.answer(pixel, cell, watched)
}

/// What is asked of whom.
struct Question<'a> {
    trace: &'a Trace,
    at: Option<Nanos>,
    maker: &'a BoardFactory,
    reader: &'a Reader,
}

impl Question<'_> {
    /// Replays with an eye on `cell`.
    fn watch(&self, cell: (usize, usize)) -> Result<Watched, WhyError> {
        let config = header::board(self.trace, None)?;
        let mut machine = match self.maker {
            BoardFactory::Native(_) => Watched::new(Inner::Native(Box::new(Native::new(config)))),
            BoardFactory::Pico(program) => {
                Watched::new(Inner::Pico(Box::new(Pico::new(Arc::clone(program), config))))
            }
        };
        machine.board().watch_cell(cell.0, cell.1, self.at.unwrap_or(Nanos::MAX));
        let outcome = self.replay(&mut machine, self.at);
        machine.ended_at = self.ended(outcome)?;
        Ok(machine)
    }

    fn replay(&self, machine: &mut dyn Machine, until: Option<Nanos>) -> Outcome {
        let options = Options { allow_violations: true, until, ..Options::default() };
        replay::replay(self.trace, machine, self.reader, &mut Unjudged, &options)
    }

    /// When the replay was over, if it came as far as was asked.
    fn ended(&self, outcome: Outcome) -> Result<Nanos, WhyError> {
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
        watched: Watched,
    ) -> Result<Answer, WhyError> {
        let at = watched.ended_at;
        let board = watched.board();
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
        let functions = match self.maker {
            BoardFactory::Native(_) => Vec::new(),
            BoardFactory::Pico(program) => self.functions(program, last)?,
        };
        let frame = board.frame_at(at);
        let span = board.frame_span_at(at);
        let skipped = watched.views.len().saturating_sub(writes.len());
        let mut views = watched.views.iter().skip(skipped);
        Ok(Answer {
            pixel,
            at,
            colour: frame.pixel(x, y).unwrap_or_default(),
            unfinished: span.is_none_or(|(_, end)| last.at > end),
            cell,
            powered_at: watched.powered_at.unwrap_or_default(),
            count,
            text: text_at(self.reader, &frame, pixel),
            functions,
            writes: writes
                .iter()
                .map(|write| Written {
                    write: write.clone(),
                    drawn: views.next().and_then(|views| Drawn::of(views, pixel)),
                })
                .collect(),
        })
    }

    /// Who was at work on the Pico when the first clock of `write` came.
    fn functions(
        &self,
        program: &Arc<Program>,
        write: &PixelWrite,
    ) -> Result<Vec<String>, WhyError> {
        let mut pico = Pico::new(Arc::clone(program), header::board(self.trace, None)?);
        let byte = Nanos(
            (write.transfer.end - write.transfer.start).0 / (write.transfer.bytes.max(1) as u64),
        );
        let first = write.at - Nanos(byte.0 * write.bytes.len() as u64);
        self.replay(&mut pico, Some(first));
        let told = pico.with_chip(|chip| {
            let core = chip.core(0);
            let callers = backtrace::callers(chip.memory(), core.register(13), core.register(14));
            // The call itself, not what comes after it: that may belong to the next function.
            let calls = callers.into_iter().take(CALLERS_TOLD).map(|caller| caller.wrapping_sub(2));
            std::iter::once(core.pc()).chain(calls).map(|pc| program.describe(pc)).collect()
        });
        Ok(told.unwrap_or_default())
    }
}

/// The line of text whose cells cover `pixel`.
fn text_at(reader: &Reader, frame: &Frame, (x, y): (usize, usize)) -> Option<String> {
    let lines = reader.read(frame).lines;
    let covers =
        |start: usize, length: usize, place: usize| (start..start + length).contains(&place);
    lines
        .into_iter()
        .find(|line| covers(line.x, line.width, x) && covers(line.y, line.height, y))
        .map(|line| line.text)
}

/// The trace with all that presses, waits and powers, and something harmless at the times of
/// the rest, so that relative times stay.
fn without_expectations(trace: &Trace) -> Trace {
    let mut trace = trace.clone();
    for line in &mut trace.lines {
        if line.action.is_expectation() {
            let above = std::mem::take(&mut line.above);
            *line = Line { above, ..Line::new(line.when, Action::Screenshot("unjudged".into())) };
        }
    }
    trace
}

/// Before and after: what the LCD showed, and what was being sent.
type Views = (Option<View>, Option<View>);

enum Inner {
    Native(Box<Native>),
    Pico(Box<Pico>),
}

/// A machine whose LCD has a watched cell.
struct Watched {
    inner: Inner,
    /// Of each of the last writes, what the firmware was sending; the latest last.
    views: VecDeque<Views>,
    seen: u64,
    powered_at: Option<Nanos>,
    ended_at: Nanos,
}

impl Watched {
    fn new(inner: Inner) -> Self {
        let views = VecDeque::with_capacity(WRITES_KEPT);
        Self { inner, views, seen: 0, powered_at: None, ended_at: Nanos::ZERO }
    }

    fn machine(&mut self) -> &mut dyn Machine {
        match &mut self.inner {
            Inner::Native(native) => native.as_mut(),
            Inner::Pico(pico) => pico.as_mut(),
        }
    }

    fn views(&self) -> Views {
        match &self.inner {
            Inner::Native(native) => native.views(),
            Inner::Pico(_) => (None, None),
        }
    }

    /// Notes what was being sent if the cell has been written in this step.
    fn look(&mut self, before: Option<View>) {
        let count = self.board().with_lcd(hal_mock::lcd::Ili9341::watched_count);
        let (shown, next) = self.views();
        for _ in self.seen..count.min(self.seen + WRITES_KEPT as u64) {
            if self.views.len() == WRITES_KEPT {
                self.views.pop_front();
            }
            // A frame that ended in this step is what is shown now.
            self.views.push_back((before, next.or(shown)));
        }
        self.seen = count;
    }
}

impl Machine for Watched {
    fn board(&self) -> &VirtualBoard {
        match &self.inner {
            Inner::Native(native) => native.board(),
            Inner::Pico(pico) => pico.board(),
        }
    }

    fn power_on(&mut self) -> Result<(), MachineError> {
        if !self.board().is_powered() {
            self.powered_at = Some(self.board().now());
            self.views.clear();
            self.seen = 0;
        }
        let booted = self.machine().power_on();
        self.look(None);
        booted
    }

    fn power_off(&mut self) {
        self.machine().power_off();
    }

    fn step(&mut self, limit: Nanos) -> Result<(), MachineError> {
        let (before, _) = self.views();
        let stepped = self.machine().step(limit);
        self.look(before);
        stepped
    }
}
