//! `nudge screenshot`: what the LCD shows at a moment of a trace.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use embedded_graphics::draw_target::DrawTarget;
use embedded_graphics::geometry::{Dimensions, Size};
use embedded_graphics::pixelcolor::Rgb888;
use embedded_graphics::pixelcolor::raw::RawU24;
use embedded_graphics_simulator::{OutputSettingsBuilder, SimulatorDisplay};
use hal_mock::golden;
use hal_mock::replay::{self, LIMIT, Options, Unjudged, Verdict};
use hal_mock::trace::{self, Action, Line, Trace, When, spoken};
use hal_mock::{Frame, Nanos};
use runner::Exit;

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
        Ok(()) => {
            writeln!(out, "wrote {}", args.output.display())?;
            Ok(Exit::Passed)
        }
        Err((exit, message)) => {
            writeln!(err, "nudge: {message}")?;
            Ok(exit)
        }
    }
}

fn picture(args: &ScreenshotArgs) -> Result<(), (Exit, String)> {
    let usage = |message: String| (Exit::Usage, message);
    let file = args.trace.display();
    let maker = board_factory(&args.board).map_err(|error| usage(error.to_string()))?;
    let trace = trace::load(&args.trace).map_err(|error| usage(error.to_string()))?;
    if is_the_trace(&args.output, &args.trace) {
        let message = format!("--output {} is the trace itself; name a PNG", args.output.display());
        return Err(usage(message));
    }
    let longest = span(&trace).longest;
    if let Some(at) = args.at.filter(|&at| at > longest + LIMIT) {
        let message = format!(
            "{file}: the trace ends at {}, and --at {at} is more than {} behind that",
            spoken(longest),
            spoken(LIMIT)
        );
        return Err(usage(message));
    }
    let mut machine = maker.build(&trace, None).map_err(|error| {
        usage(if error.place.is_some() { format!("{file}:{error}") } else { error.to_string() })
    })?;
    let options = Options { allow_violations: true, until: args.at, ..Options::default() };
    let trace = without_expectations(trace, args.at);
    let reader = text_reader::reader();
    let outcome = replay::replay(&trace, machine.as_mut(), &reader, &mut Unjudged, &options);
    match outcome.verdict {
        Verdict::Passed => {}
        Verdict::Failed(failures) => {
            let failures: Vec<String> =
                failures.iter().map(|failure| format!("{file}:{failure}")).collect();
            return Err((Exit::Failed, failures.join("\nnudge: ")));
        }
        Verdict::LimitReached { at } => {
            let at = spoken(at);
            let message = format!("{file}: at {at}: the firmware keeps the clock for itself");
            return Err((Exit::LimitReached, message));
        }
        Verdict::Broken(error) => {
            return Err((Exit::Failed, format!("{file}: the firmware cannot go on: {error}")));
        }
    }
    let frame = machine.board().frame_at(outcome.ended_at);
    golden::write_png(&args.output, &magnified(&frame, args.scale))
        .map_err(|error| usage(error.to_string()))
}

/// Whether both paths lead to one file.
fn is_the_trace(output: &Path, trace: &Path) -> bool {
    match (fs::canonicalize(output), fs::canonicalize(trace)) {
        (Ok(output), Ok(trace)) => output == trace,
        _ => false,
    }
}

/// The trace with all that presses, waits and powers, and something harmless at the times of
/// the rest, so that relative times stay; it goes on until `at`.
fn without_expectations(mut trace: Trace, at: Option<Nanos>) -> Trace {
    let nothing = || Action::Screenshot("unjudged".into());
    for line in &mut trace.lines {
        match line.action {
            ref expectation if expectation.is_expectation() => line.action = nothing(),
            Action::End if at.is_some() => line.action = nothing(),
            _ => {}
        }
    }
    // If the trace goes on for longer, the replay stops at `at` before it comes here.
    trace.lines.extend(at.map(|at| Line::new(When::At(at), nothing())));
    trace
}

/// Each pixel becomes `scale` × `scale`.
fn magnified(frame: &Frame, scale: u32) -> Frame {
    let size = Size::new(frame.width() as u32, frame.height() as u32);
    let mut display = SimulatorDisplay::<Rgb888>::new(size);
    let colours = frame.pixels().iter().map(|pixel| Rgb888::from(RawU24::new(*pixel)));
    // A simulated display never fails.
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
