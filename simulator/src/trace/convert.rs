//! `nudge trace convert`: converts traces from and to the formats of other tools.

use runner::{guard::guard, open_trace_on};
use std::io::{self, Write};
use std::path::Path;

use captures::debounce::Debouncer;
use captures::presses::{self, ConvertedTrace};
use captures::record::record_vcd;
use captures::waveform::Waveform;
use captures::{Capture, FileFormat, Signal, Wiring, scenario};
use hal_mock::replay::{self, ReplayOutcome, ReplaySettings, Unjudged, Verdict};
use host::{Exit, Interrupt, output_files::Output};
use trace::{Action, Buttons, Trace};

use super::arguments::ConvertArgs;
use super::wires::{self, WiredBoard, waveform_header, with_board};
use crate::board_factory::board_factory;
use crate::refusal::{Refusal, interrupted, usage};
use crate::{ctrl_c, text_reader};

/// Writes `args.to`, and reports the steps that could not be converted.
///
/// # Errors
/// If `out` or `err` cannot be written.
pub fn convert(args: &ConvertArgs, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<Exit> {
    match convert_file(args) {
        Ok(notes) => {
            for note in notes {
                writeln!(out, "note: {note}")?;
            }
            writeln!(out, "wrote {}", args.to.display())?;
            Ok(Exit::Passed)
        }
        Err((exit, messages)) => {
            for message in messages {
                writeln!(err, "nudge: {message}")?;
            }
            Ok(exit)
        }
    }
}

fn convert_file(args: &ConvertArgs) -> Result<Vec<String>, Refusal> {
    let to = FileFormat::of_name(&args.to)
        .filter(|to| matches!(to, FileFormat::Trace | FileFormat::Vcd));
    let to = to
        .ok_or_else(|| usage(format!("{}: only .trace and .vcd are written", args.to.display())))?;
    let from = FileFormat::of_file(&args.from).map_err(usage)?;
    match (from, to) {
        (FileFormat::Trace, FileFormat::Vcd) => trace_to_vcd(args, &ctrl_c::listen()),
        (FileFormat::Vcd | FileFormat::Csv, FileFormat::Vcd) => {
            let board = WiredBoard::of_captures(&[&args.from], &args.board).map_err(usage)?;
            capture_to_vcd(args, &board, &ctrl_c::listen())
        }
        (FileFormat::Vcd | FileFormat::Csv, _) => {
            let board = WiredBoard::of_captures(&[&args.from], &args.board).map_err(usage)?;
            let mut capture = Capture::open(&args.from, &wiring(args, &board)?).map_err(usage)?;
            let mut converted = presses::trace_of(&mut capture, args.debounce).map_err(usage)?;
            let header = std::mem::take(&mut converted.trace.header);
            converted.trace.header = with_board(header, board.file.as_deref(), &args.to);
            write_trace(args, converted)
        }
        (FileFormat::Yaml, FileFormat::Trace) => {
            let board = WiredBoard::of_captures(&[], &args.board).map_err(usage)?;
            let wiring = wiring(args, &board)?;
            let mut scenario = scenario::load(&args.from, &wiring).map_err(usage)?;
            let header = std::mem::take(&mut scenario.converted.trace.header);
            scenario.converted.trace.header = with_board(header, board.file.as_deref(), &args.to);
            let losses: Vec<String> = scenario.losses.iter().map(ToString::to_string).collect();
            if !losses.is_empty() && !args.lossy {
                let mut messages = losses;
                messages.push(
                    "nothing written: a trace cannot say that; `--lossy` writes the rest".into(),
                );
                return Err((Exit::Failed, messages));
            }
            let mut notes = write_trace(args, scenario.converted)?;
            notes.extend(losses.into_iter().map(|loss| format!("left out: {loss}")));
            Ok(notes)
        }
        (FileFormat::Yaml, _) => {
            Err(usage(format!("{} is a scenario; make a trace of it first", args.from.display())))
        }
        (FileFormat::Trace, _) => Err(usage(format!(
            "both are traces; nothing to carry over (`nudge trace check {}` looks at it)",
            args.from.display()
        ))),
    }
}

fn write_trace(args: &ConvertArgs, converted: ConvertedTrace) -> Result<Vec<String>, Refusal> {
    let text = converted.trace.to_string();
    let name = args.to.display().to_string();
    trace::parse_written(&name, &text, &converted.trace)
        .map_err(|error| usage(format!("{}: makes no trace: {error}", args.from.display())))?;
    Output::trace(&args.to).replace(args.force).write(text.as_bytes()).map_err(usage)?;
    Ok(converted.notes)
}

/// Returns the map of the command line on a board.
fn wiring(args: &ConvertArgs, board: &WiredBoard) -> Result<Wiring, Refusal> {
    match &args.map {
        Some(map) => map.on(&board.buttons).map_err(usage),
        None => Ok(Wiring::of(board.buttons.clone())),
    }
}

/// Returns the wires of the waveform.
fn signals(args: &ConvertArgs, buttons: &Buttons) -> Result<Vec<Signal>, Refusal> {
    match &args.signals[..] {
        [] => Ok(Signal::all_of(buttons)),
        names => wires::signals(names, buttons).map_err(usage),
    }
}

fn trace_to_vcd(args: &ConvertArgs, interrupt: &Interrupt) -> Result<Vec<String>, Refusal> {
    let file = args.from.display();
    let boards = board_factory(&args.board).map_err(usage)?;
    let trace = open_trace_on(&args.from, boards.parts().as_ref()).map_err(usage)?;
    let machine = boards.build(&trace, None).map_err(|error| {
        usage(if error.place.is_some() { format!("{file}:{error}") } else { error.to_string() })
    })?;
    let mut machine = guard(interrupt, machine);
    let wires = signals(args, &machine.board().buttons())?;
    let header = waveform_header(&trace, &boards, &args.to);
    let to = Output::new(&args.to).replace(args.force).create().map_err(usage)?;
    let recording = to.writer().map_err(usage).and_then(|out| {
        record_vcd(machine.board(), out, &wires, &header)
            .map_err(|error| usage(format!("{}: {error}", args.to.display())))
    })?;
    let options = ReplaySettings { allow_violations: true, ..ReplaySettings::default() };
    let reader = text_reader::reader();
    let outcome = replay::replay(&trace, machine.as_mut(), &reader, &mut Unjudged, &options);
    if interrupt.is_set() {
        return Err(interrupted());
    }
    let written = recording.finish(machine.board(), outcome.ended_at);
    written.map_err(|error| usage(format!("{}: {error}", args.to.display())))?;
    to.commit().map_err(usage)?;
    Ok(waveform_notes(&args.from, &trace, &outcome))
}

/// Returns the notes on a waveform of `trace` with the replay result `outcome`: the lines that no
/// wire shows, and the failures.
pub fn waveform_notes(file: &Path, trace: &Trace, outcome: &ReplayOutcome) -> Vec<String> {
    let file = file.display();
    let mut notes = not_on_wires(trace);
    match &outcome.verdict {
        Verdict::Passed => {}
        Verdict::Failed(failures) => {
            notes.extend(failures.iter().map(|failure| format!("{file}:{failure}")));
        }
        Verdict::LimitReached { at } => {
            notes.push(format!("{file}: the firmware keeps the clock for itself from {at} on"));
        }
        Verdict::Broken(error) => notes.push(format!("{file}: the firmware cannot go on: {error}")),
    }
    notes
}

/// Returns the lines of a trace that no wire shows.
fn not_on_wires(trace: &Trace) -> Vec<String> {
    let lost = |action: &Action| {
        !matches!(
            action,
            Action::PowerOn
                | Action::PowerOff
                | Action::Tap { .. }
                | Action::Press(_)
                | Action::Release(_)
                | Action::End
        )
    };
    let mut lost: Vec<String> =
        trace.lines.iter().map(|line| &line.action).filter(|a| lost(a)).map(Action::noun).collect();
    let count = lost.len();
    lost.sort();
    lost.dedup();
    if count == 0 {
        return Vec::new();
    }
    vec![format!(
        "a waveform has no {}: {count} of the trace's lines are not in it",
        lost.join(", ")
    )]
}

fn capture_to_vcd(
    args: &ConvertArgs,
    board: &WiredBoard,
    interrupt: &Interrupt,
) -> Result<Vec<String>, Refusal> {
    let mut capture = Capture::open(&args.from, &wiring(args, board)?).map_err(usage)?;
    let wanted = signals(args, &board.buttons)?;
    let mut wires = capture.signals().to_vec();
    wires.retain(|signal| wanted.contains(signal));
    let header = with_board(Vec::new(), board.file.as_deref(), &args.to);
    let to = Output::new(&args.to).replace(args.force).create().map_err(usage)?;
    let unwritable = |error: io::Error| usage(format!("{}: {error}", args.to.display()));
    let mut waveform =
        Waveform::new(to.writer().map_err(usage)?, &wires, &[], &header).map_err(unwritable)?;
    let mut debouncer = Debouncer::new(args.debounce.unwrap_or_default());
    for edge in capture.by_ref() {
        if interrupt.is_set() {
            return Err(interrupted());
        }
        for edge in debouncer.take(edge.map_err(usage)?) {
            waveform.set(edge).map_err(unwritable)?;
        }
    }
    let (_, end) = capture.span().unwrap_or_default();
    waveform.finish(end).map_err(unwritable)?;
    to.commit().map_err(usage)?;
    Ok(capture.notes())
}
