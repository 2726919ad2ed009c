//! Reports on traces that are not replayed: every error in their files, each with its line, or the
//! reason why no board can be built for them.

use std::path::Path;

use hal_mock::{
    ErrorKind,
    setup::{MachineFactory, SetupError},
};
use trace::{FILE_BYTES_MAX, LINE_BYTES_MAX, Place};

use crate::options::ReplayOptions;
use crate::report::{Problem, TraceReport};
use crate::suite::open::{OpenError, header_of};
use host::Exit;

/// Returns the report on a trace that cannot be opened.
pub(crate) fn report(path: &Path, error: &OpenError) -> TraceReport {
    let OpenError::Parse(errors) = error else {
        return TraceReport::unusable(path, Problem::elsewhere(error.to_string()));
    };
    let mut report = TraceReport::new(path);
    for error in errors.iter() {
        report.add(Exit::Usage, in_line(path, error.place, error.message()));
    }
    if errors.left_out() > 0 {
        report.add(Exit::Usage, Problem::of_trace(format!("and {} more", errors.left_out())));
    }
    report
}

/// Returns the report on a trace that cannot be opened; errors in the settings of its header come first, if the
/// header can be read.
pub(crate) fn report_with_header(
    path: &Path,
    error: &OpenError,
    options: &ReplayOptions,
    boards: MachineFactory<'_>,
) -> TraceReport {
    let mut report = report(path, error);
    // A board behind a probe is not claimed for a trace that cannot run.
    let is_real = options.board.as_deref().is_some_and(|board| board.starts_with("probe"));
    if !matches!(error, OpenError::Parse(_)) || is_real {
        return report;
    }
    let header = header_of(path, options.parts.as_ref());
    let Some(Err(error)) = header.map(|trace| boards(&trace).map(drop)) else { return report };
    let errors = error.each().filter(|error| error.kind == ErrorKind::Firmware);
    let problems = errors.filter_map(|error| Some(in_line(path, error.place?, error.message())));
    report.problems.splice(0..0, problems);
    report
}

/// Returns the report on a trace whose header is wrong, or for which no board can be built.
pub(crate) fn of_setup(path: &Path, error: &SetupError) -> TraceReport {
    let mut report = TraceReport::new(path);
    for error in error.each() {
        let problem = match error.place {
            None => Problem::elsewhere(error.message()),
            Some(place) => in_line(path, place, error.message()),
        };
        let exit = match error.kind {
            ErrorKind::Firmware => Exit::Usage,
            ErrorKind::Bench => Exit::Bench,
        };
        report.add(exit, problem);
    }
    report
}

fn in_line(path: &Path, place: Place, message: String) -> Problem {
    let quote = quote(path, place);
    Problem { place: Some(place), quote, ..Problem::of_trace(message) }
}

/// Returns the line of the file at `path`, if it can still be read.
pub(crate) fn quote(path: &Path, place: Place) -> Option<String> {
    let bytes = host::input_files::read(path, FILE_BYTES_MAX).ok()?;
    let line = bytes.split(|byte| *byte == b'\n').nth((place.line as usize).checked_sub(1)?)?;
    let line = &line[..line.len().min(LINE_BYTES_MAX)];
    Some(String::from_utf8_lossy(line).trim_end().to_owned())
}
