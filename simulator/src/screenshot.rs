//! `nudge screenshot`: a picture of the LCD at a virtual time of a trace.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use boards::{Board, BoardError};
use embedded_graphics::draw_target::DrawTarget;
use embedded_graphics::geometry::{Dimensions, Size};
use embedded_graphics::pixelcolor::Rgb888;
use embedded_graphics::pixelcolor::raw::RawU24;
use embedded_graphics_simulator::{OutputSettingsBuilder, SimulatorDisplay};
use hal_mock::{
    MachineError, VirtualBoard,
    replay::{self, Failure, LIMIT, ReplaySettings, Unjudged, Verdict},
    setup::SetupError,
};
use host::{
    Exit,
    output_files::{Output, OutputError},
};
use ili9341_model::Frame;
use reading::golden;
use runner::{OpenError, open_trace_on};
use trace::{Action, Display, Line, PartError, Trace, When};
use virtual_time::{Instant, Nanos, spoken};

use crate::board_factory::board_factory;
use crate::cli::ScreenshotArgs;
use crate::text_reader;
use crate::trace::span;

pub fn screenshot(
    args: &ScreenshotArgs,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> io::Result<Exit> {
    match picture(args) {
        Ok(others) => {
            writeln!(out, "wrote {}", args.output.display())?;
            if let (None, false) = (&args.display, others.is_empty()) {
                let others = others.join(", ");
                writeln!(out, "of the first display; --display selects another one: {others}")?;
            }
            Ok(Exit::Passed)
        }
        Err(error) => {
            writeln!(err, "nudge: {error}")?;
            Ok(error.exit())
        }
    }
}

/// Errors of `nudge screenshot`.
#[derive(Debug, thiserror::Error)]
pub enum ScreenshotError {
    #[error(transparent)]
    Board(#[from] BoardError),
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error(
        "{}: the trace ends at {}, and --at {at} is more than {} behind that",
        trace.display(),
        spoken(*longest),
        spoken(LIMIT)
    )]
    TooLate { trace: PathBuf, longest: Nanos, at: Instant },
    #[error("{}{source}", if source.place.is_some() { format!("{}:", trace.display()) } else { String::new() })]
    Setup { trace: PathBuf, source: SetupError },
    #[error("{}", each_failure(trace, failures))]
    Failed { trace: PathBuf, failures: Vec<Failure> },
    #[error("{}: at {}: the firmware keeps the clock for itself", trace.display(), spoken(at.since_start()))]
    ClockKept { trace: PathBuf, at: Instant },
    #[error("{}: the firmware cannot go on: {source}", trace.display())]
    Broken { trace: PathBuf, source: MachineError },
    #[error(transparent)]
    Output(#[from] OutputError),
    #[error("--display: {0}")]
    Display(#[from] PartError),
}

impl ScreenshotError {
    pub fn exit(&self) -> Exit {
        match self {
            Self::Failed { .. } | Self::Broken { .. } => Exit::Failed,
            Self::ClockKept { .. } => Exit::LimitReached,
            _ => Exit::Usage,
        }
    }
}

/// Formats a line `nudge: …` for each failure, without the first `nudge: `.
fn each_failure(trace: &Path, failures: &[Failure]) -> String {
    let trace = trace.display();
    let lines: Vec<String> = failures.iter().map(|failure| format!("{trace}:{failure}")).collect();
    lines.join("\nnudge: ")
}

/// Writes the picture, and returns the names of the displays after the first one.
fn picture(args: &ScreenshotArgs) -> Result<Vec<&'static str>, ScreenshotError> {
    let mut file = Output::new(&args.output).replace(args.force).create()?;
    let (board, at) = board_at(&args.board, &args.trace, args.at)?;
    let displays = board.displays();
    let display = match &args.display {
        None => 0,
        Some(name) => displays.find(name).map(Display::index)?,
    };
    let frame = board.at_display(display).frame_at(at);
    file.fill(&golden::encode_png(&magnified(&frame, args.scale)))?;
    file.commit()?;
    Ok(displays.names().into_iter().skip(1).collect())
}

/// Returns what the LCD shows at a time of a trace, or at its end.
pub fn frame(board: &Board, path: &Path, at: Option<Instant>) -> Result<Frame, ScreenshotError> {
    let (board, at) = board_at(board, path, at)?;
    Ok(board.frame_at(at))
}

/// Returns the board at a time of a trace, or at its end, and that time.
fn board_at(
    board: &Board,
    path: &Path,
    at: Option<Instant>,
) -> Result<(VirtualBoard, Instant), ScreenshotError> {
    let trace_file = || path.to_owned();
    let factory = board_factory(board)?;
    let trace = open_trace_on(path, factory.parts().as_ref())?;
    let longest = span(&trace).longest;
    if let Some(at) = at.filter(|&at| at.since_start() > longest.saturating_add(LIMIT)) {
        return Err(ScreenshotError::TooLate { trace: trace_file(), longest, at });
    }
    let mut machine = factory
        .build(&trace, None)
        .map_err(|source| ScreenshotError::Setup { trace: trace_file(), source })?;
    let options = ReplaySettings { allow_violations: true, until: at, ..ReplaySettings::default() };
    let trace = without_expectations(trace, at);
    let reader = text_reader::reader();
    let outcome = replay::replay(&trace, machine.as_mut(), &reader, &mut Unjudged, &options);
    match outcome.verdict {
        Verdict::Passed => {}
        Verdict::Failed(failures) => {
            return Err(ScreenshotError::Failed { trace: trace_file(), failures });
        }
        Verdict::LimitReached { at } => {
            return Err(ScreenshotError::ClockKept { trace: trace_file(), at });
        }
        Verdict::Broken(source) => {
            return Err(ScreenshotError::Broken { trace: trace_file(), source });
        }
    }
    Ok((machine.board().clone(), outcome.ended_at))
}

/// Replaces each expectation by a screenshot that is not taken, so that relative times are
/// unchanged. The resulting trace ends at `at`.
pub fn without_expectations(mut trace: Trace, at: Option<Instant>) -> Trace {
    let nothing = || Action::Screenshot("unjudged".into());
    for line in &mut trace.lines {
        match line.action {
            ref expectation if expectation.is_expectation() => line.action = nothing(),
            Action::End if at.is_some() => line.action = nothing(),
            _ => {}
        }
    }
    // If the trace is longer, the replay stops at `at`, before this line.
    trace.lines.extend(at.map(|at| Line::new(When::At(at), nothing())));
    trace
}

/// Enlarges each pixel to `scale` × `scale` pixels.
fn magnified(frame: &Frame, scale: u32) -> Frame {
    let size = Size::new(frame.width() as u32, frame.height() as u32);
    let mut display = SimulatorDisplay::<Rgb888>::new(size);
    let colours = frame.pixels().iter().map(|pixel| Rgb888::from(RawU24::new(*pixel)));
    // Drawing on a simulated display cannot fail.
    let Ok(()) = display.fill_contiguous(&display.bounding_box(), colours);
    let settings = OutputSettingsBuilder::new().scale(scale).build();
    let image = display.to_rgb_output_image(&settings);
    let image = image.as_image_buffer();
    let pixels = image
        .pixels()
        .map(|pixel| {
            let [red, green, blue] = pixel.0;
            u32::from_be_bytes([0, red, green, blue])
        })
        .collect();
    Frame::from_pixels(image.width() as usize, image.height() as usize, pixels)
}
