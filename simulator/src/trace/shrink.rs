//! `nudge trace shrink`: the smallest trace that still fails in the same way. Ctrl-C ends the
//! search; what is smallest by then is written.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

use analysis::fuzz::Judge;
use hal_mock::trace::{Action, Trace};
use runner::Exit;
use runner::shrink;

use super::arguments::ShrinkArgs;
use super::fuzz::{load, refused, silently};
use crate::board_factory::board_factory;
use crate::{ctrl_c, text_reader};

pub fn shrink(args: &ShrinkArgs, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<Exit> {
    match silently(|| carry_out(args, out)) {
        Ok(()) => Ok(Exit::Passed),
        Err(message) => {
            writeln!(err, "nudge: {message}")?;
            Ok(Exit::Usage)
        }
    }
}

fn carry_out(args: &ShrinkArgs, out: &mut dyn Write) -> Result<(), String> {
    let file = args.trace.display();
    let output = args.output.clone().unwrap_or_else(|| args.trace.with_extension("small.trace"));
    if output.exists() && !args.force {
        return Err(format!("{} is there already; `--force` overwrites it", output.display()));
    }
    // Better said now than after minutes.
    let folder = output.parent().filter(|folder| !folder.as_os_str().is_empty());
    if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
        let (output, folder) = (output.display(), folder.display());
        return Err(format!("{output}: there is no folder {folder}; make it, or name another"));
    }
    let trace = load(&args.trace)?;
    let maker = board_factory(&args.board).map_err(|error| error.to_string())?;
    let reader = text_reader::reader();
    let build = |trace: &Trace| maker.build(trace, None);
    let goldens = args.trace.with_extension("");
    let interrupt = ctrl_c::listen();
    let judge =
        Judge { boards: &build, reader: &reader, goldens: Some(&goldens), interrupt: &interrupt };
    let other = args.passes_on.as_ref().map(board_factory).transpose();
    let other = other.map_err(|error| error.to_string())?;
    let build_other = |trace: &Trace| other.clone().unwrap_or_default().build(trace, None);
    let passes = other.is_some().then_some(Judge { boards: &build_other, ..judge });
    let judged = judge.judge(&trace).map_err(|error| refused(&args.trace, &error))?;
    if interrupt.is_set() {
        return Err(format!("{file}: interrupted in its first replay; nothing is written"));
    }
    let Some(finding) = judged else {
        return Err(format!(
            "{file} does not fail on {}: there is nothing to shrink (chains of frames are not \
             compared here)",
            args.board
        ));
    };
    if let (Some(board), Some(other)) = (&args.passes_on, passes) {
        let judged = other.judge(&trace).map_err(|error| refused(&args.trace, &error))?;
        if let Some(finding) = judged {
            return Err(format!("{file} does not pass on {board}, either: {finding}"));
        }
    }
    // The search may take minutes: what it looks for is told before.
    let told = writeln!(out, "{finding}");
    told.map_err(|error| unwritten(&error))?;
    let shrunk = shrink::shrink(&trace, args.runs, &mut |candidate| {
        judge.fails_like(&finding, candidate, passes.as_ref())
    });
    write(&output, args.force, shrunk.trace.to_string().as_bytes())?;
    carry_goldens(&shrunk.trace, &goldens, &output.with_extension(""), args.force)?;
    let told = writeln!(
        out,
        "{}: {} lines of {}, after {} replays{}",
        output.display(),
        shrunk.trace.lines.len(),
        trace.lines.len(),
        shrunk.runs,
        if interrupt.is_set() {
            "; interrupted, it may become smaller"
        } else if shrunk.minimal {
            ""
        } else {
            "; more of them may make it smaller (`--runs`)"
        }
    );
    told.map_err(|error| unwritten(&error))
}

fn unwritten(error: &io::Error) -> String {
    format!("the output cannot be written: {error}")
}

/// The small trace is compared with the same golden frames: those that it still names are copied
/// to where it looks for them.
fn carry_goldens(trace: &Trace, from: &Path, to: &Path, force: bool) -> Result<(), String> {
    for line in &trace.lines {
        let Action::ExpectFrame(check) = &line.action else { continue };
        let name = format!("{}.png", check.name);
        // A golden that is missing may be what fails.
        let Ok(golden) = fs::read(from.join(&name)) else { continue };
        let copy = to.join(&name);
        if fs::read(&copy).is_ok_and(|there| there == golden) {
            continue;
        }
        let folder = copy.parent().unwrap_or(to);
        fs::create_dir_all(folder).map_err(|error| cannot(folder, &error))?;
        write(&copy, force, &golden)?;
    }
    Ok(())
}

fn write(path: &Path, force: bool, bytes: &[u8]) -> Result<(), String> {
    let file = if force {
        OpenOptions::new().write(true).create(true).truncate(true).open(path)
    } else {
        File::create_new(path)
    };
    let written = file.and_then(|mut file| file.write_all(bytes));
    written.map_err(|error| cannot(path, &error))
}

fn cannot(path: &Path, error: &io::Error) -> String {
    format!("{}: cannot be written: {error}", path.display())
}
