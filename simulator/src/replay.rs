//! `nudge replay`: passes the options of the command line and the environment (colours, pictures,
//! GitHub) to the runner, with the observers for `--vcd`, `--gif`, `--perfetto`, `--observer` and
//! `--timing`, and the probes for `--coverage`, `--profile` and `--flamegraph`. The runner itself reads no
//! environment variables. `wokwi` is `--wokwi`, `against` is `--against`, which compares traces instead of judging them.

mod against;
mod boards;
mod film;
mod measured;
mod observer;
mod perfetto;
mod real_board;
mod waveform;
pub(crate) mod wokwi;

use std::io::{self, IsTerminal, Write};
use std::path::Path;

use ::boards::{Board, BoardFactory};
use escape::terminal::TextWriter;
use hal_mock::replay;
use host::{Exit, output_files::OutputError};
use runner::{
    ConvertedTraces, ElementNamer, FindError, PictureProtocol, Player, ReplayOptions,
    observe::{ReplayObserver, ReplayStart},
    run_observed,
};
use thiserror::Error;
use trace::Trace;

use crate::board_factory::{self, board_factory, insight_of};
use crate::cli::{Color, ReplayArgs};
use crate::ctrl_c;
use crate::environment::{github, is_ci, on_github, variable};
use crate::firmware::{board_named, firmware_id, firmware_namer, project};
use crate::page_board::{self, ELF_BYTES_EMBEDDED, ELF_BYTES_MAX, ElfError};
use crate::result_cache;
use crate::text_reader;
use crate::timing::{NO_NATIVE, TimingTables};
use film::FilmFile;
use measured::SuiteMeasurement;
use observer::SecondObserver;
use perfetto::TimelineFile;
use waveform::WaveformFile;
use wokwi::WokwiRun;

/// Maximum number of lines of the log of several traces, without `--all`.
const LOG_LINES_MAX: usize = 60;

/// Replays traces. Text for `out` and `err` is stripped of control characters, except the runner's
/// own colours, pictures and annotations.
pub fn replay(
    mut args: ReplayArgs,
    raw_out: &mut dyn Write,
    raw_err: &mut dyn Write,
) -> io::Result<Exit> {
    let on_github = on_github();
    if args.against.is_some() {
        let out = &mut TextWriter::new(raw_out, on_github);
        return against::against(&args, out, &mut TextWriter::new(raw_err, on_github));
    }
    if let Some(several) = &args.boards {
        let out = &mut TextWriter::new(raw_out, on_github);
        return boards::boards(&args, &several.0, out, &mut TextWriter::new(raw_err, on_github));
    }
    let err = &mut TextWriter::new(raw_err, on_github);
    if args.bless && !args.force && is_ci() {
        writeln!(
            err,
            "nudge: --bless makes every frame pass, and the variable CI says that no person \
             reviews the pictures here; bless on your own computer and commit the goldens, or add --force"
        )?;
        return Ok(Exit::Usage);
    }
    let run = match args.wokwi.as_deref().map(|folder| WokwiRun::open(folder, &args.scenario)) {
        None => None,
        Some(Ok(run)) => Some(run),
        Some(Err(error)) => {
            writeln!(err, "nudge: {error}")?;
            return Ok(Exit::Usage);
        }
    };
    let losses = match &run {
        Some(run) => run.report(args.lossy, err)?,
        None => Exit::Passed,
    };
    let (described, converted) = match run {
        Some(WokwiRun { diagram, board, scenarios, .. }) => {
            args.board = Board::Described(diagram);
            args.paths = scenarios.iter().map(|(path, _)| path.clone()).collect();
            (Some(BoardFactory::Described(board.into())), ConvertedTraces::new(scenarios))
        }
        None => (None, ConvertedTraces::default()),
    };
    let boards = match described.map_or_else(|| board_factory(&args.board), Ok) {
        Ok(boards) if args.any_firmware => boards.with_any_firmware(),
        Ok(boards) => boards,
        Err(error) => {
            writeln!(err, "nudge: {error}")?;
            return Ok(Exit::Usage);
        }
    };
    if args.repeat.is_some() && boards.at_once().is_some() {
        writeln!(
            err,
            "nudge: --repeat compares every nanosecond, and a real board is never twice the same to that"
        )?;
        return Ok(Exit::Usage);
    }
    let outputs = match Outputs::open(&args, &boards) {
        Ok(outputs) => outputs,
        Err(error) => {
            writeln!(err, "nudge: {error}")?;
            return Ok(Exit::Usage);
        }
    };
    let durations = match args.durations.as_deref().map(runner::durations).transpose() {
        Ok(durations) => durations.unwrap_or_default(),
        Err(error) => {
            writeln!(err, "nudge: {error}")?;
            return Ok(Exit::Usage);
        }
    };
    let measured = match SuiteMeasurement::open(&args, &boards) {
        Ok(measured) => measured,
        Err(error) => {
            writeln!(err, "nudge: {error}")?;
            return Ok(Exit::Usage);
        }
    };
    let memory = result_cache::last_failed(args.cache.as_deref());
    let is_terminal = io::stdout().is_terminal();
    // https://no-color.org: any value except an empty one. A dumb terminal prints escape sequences.
    let wants_none =
        variable("NO_COLOR").is_some() || variable("TERM").is_some_and(|term| term == "dumb");
    let auto = is_terminal && !wants_none && args.color != Color::Never;
    let pictures = args.pictures.or_else(|| PictureProtocol::detect(variable));
    let interrupt = ctrl_c::listen();
    let project = project();
    let firmware = firmware_id(&args.board, &boards, &project);
    let player = player(&args, &boards);
    let mut options = ReplayOptions {
        program: board_factory::application_program(),
        filter: args.filter,
        shard: args.shard,
        durations,
        tags: args.tag,
        excluded_tags: args.exclude,
        last_failed: args.last_failed,
        memory,
        today: args.today.or_else(|| host::clock::today().parse().ok()),
        started_at: Some(host::clock::iso_stamp()),
        list: args.list,
        until: args.until,
        allow_violations: args.allow_violations,
        lenient: args.lenient,
        strict: args.strict,
        bless: args.bless,
        repeat: args.repeat,
        fail_fast: args.fail_fast,
        artifacts: args.artifacts,
        contact_sheet: args.contact_sheet,
        force: args.force,
        junit: args.junit,
        player,
        html: args.html,
        github: github(),
        quiet: args.quiet,
        log_lines: (!args.all).then_some(LOG_LINES_MAX),
        reviews: false,
        colour: auto || args.color == Color::Always,
        pictures: pictures.filter(|_| auto && !args.quiet),
        progress: io::stderr().is_terminal() && !args.quiet,
        timeout: args.timeout,
        // Each real board executes one trace at a time.
        jobs: match (args.jobs, boards.at_once()) {
            (Some(jobs), Some(most)) => Some(jobs.min(most)),
            (jobs, most) => jobs.or(most),
        },
        elements: element_namer(&boards),
        parts: boards.parts(),
        board: board_named(&args.board, &project),
        firmware,
        firmware_of: firmware_namer(&boards, &project),
        project: Some(project),
        results: None,
        converted,
        interrupt: interrupt.clone(),
    };
    let needs_replays = measured.is_some() || !outputs.is_empty() || options.needs_replays();
    if !needs_replays && !options.list && !args.no_cache {
        options.results = match result_cache::result_cache(args.cache, &args.board, &boards) {
            Ok(results) => results,
            Err(error) => {
                writeln!(err, "nudge: results of replays are not kept: {error}")?;
                None
            }
        };
    }
    let build = |trace: &Trace| match &measured {
        Some(measured) => measured.probes.build(trace),
        None => boards.build(trace, None),
    };
    let observers = |start: &ReplayStart<'_>| {
        if let Some(measured) = &measured {
            measured.begin(start);
        }
        outputs.observers(start)
    };
    let reader = text_reader::reader();
    let paths = &args.paths;
    let exit = run_observed(paths, &options, &build, &reader, &observers, raw_out, raw_err)?;
    let out = &mut TextWriter::new(raw_out, on_github);
    let err = &mut TextWriter::new(raw_err, on_github);
    if matches!(exit, Exit::Usage | Exit::Interrupted) {
        return Ok(exit);
    }
    let mut worst = exit.max(losses);
    real_board::tell(&boards, exit, err)?;
    let Outputs { waveform, film, timeline, second_observer, timing } = outputs;
    if let Some(timing) = timing {
        let paths = (&args.paths[..], options.filter.as_deref());
        let how = replay::ReplaySettings {
            allow_violations: options.allow_violations,
            ..replay::ReplaySettings::default()
        };
        worst = worst.max(timing.write(paths, &args.board, &how, &interrupt, out, err)?);
    }
    if worst == Exit::Interrupted {
        return Ok(worst);
    }
    if let Some(measured) = measured {
        worst = worst.max(measured.finish(out, err)?);
    }
    if let Some(waveform) = waveform {
        worst = worst.max(waveform.finish(out, err)?.unwrap_or_default());
    }
    if let Some(film) = film {
        worst = worst.max(film.finish(out, err)?.unwrap_or_default());
    }
    if let Some(timeline) = timeline {
        worst = worst.max(timeline.finish(out, err)?.unwrap_or_default());
    }
    if let Some(second_observer) = second_observer {
        worst = worst.max(second_observer.finish(out, err)?.unwrap_or_default());
    }
    Ok(worst)
}

/// Returns the namer of the screen elements in which a frame differs. On `native` the firmware's
/// view is known, on other boards it is not.
fn element_namer(boards: &BoardFactory) -> Option<ElementNamer> {
    let BoardFactory::Native(..) = boards else { return None };
    let interior = insight_of(boards)?;
    Some(ElementNamer::new(move |trace, at, pixels| {
        why::elements(interior, trace, at, pixels, &text_reader::reader())
    }))
}

/// Further outputs of the replay.
#[derive(Default)]
struct Outputs {
    waveform: Option<WaveformFile>,
    film: Option<FilmFile>,
    timeline: Option<TimelineFile>,
    second_observer: Option<SecondObserver>,
    timing: Option<TimingTables>,
}

impl Outputs {
    /// Opens the outputs of the command line, so that an error is reported before a trace runs.
    fn open(args: &ReplayArgs, boards: &BoardFactory) -> Result<Self, OutputsError> {
        if args.timing && matches!(args.board, Board::Described(_)) {
            return Err(OutputsError::NoNative);
        }
        Ok(Self {
            waveform: args.vcd.as_deref().map(|to| waveform(args, to, boards)).transpose()?,
            film: args.gif.as_deref().map(|to| film(args, to)).transpose()?,
            timeline: args.perfetto.as_deref().map(|to| timeline(args, to)).transpose()?,
            second_observer: second_observer(args)?,
            timing: args.timing.then(TimingTables::default),
        })
    }

    /// Returns whether there is no output for single replays.
    fn is_empty(&self) -> bool {
        let Self { waveform, film, timeline, second_observer, timing } = self;
        waveform.is_none()
            && film.is_none()
            && timeline.is_none()
            && second_observer.is_none()
            && timing.is_none()
    }

    /// Creates the observers of a replay.
    fn observers(&self, start: &ReplayStart<'_>) -> Vec<Box<dyn ReplayObserver + '_>> {
        let waveform = self.waveform.as_ref().map(|waveform| waveform.observer(start));
        let film = self.film.as_ref().map(|film| film.observer(start));
        let timeline = self.timeline.as_ref().map(|timeline| timeline.observer(start));
        let timing = self.timing.as_ref().map(TimingTables::observer);
        let second = self.second_observer.as_ref().map(|second| second.observer(start));
        [waveform, film, timeline, second, timing].into_iter().flatten().collect()
    }
}

/// Reasons why a requested output cannot be written.
#[derive(Debug, Error)]
enum OutputsError {
    #[error(transparent)]
    Find(#[from] FindError),
    #[error("{what} of one trace, and these are {count}; name one, or use --filter")]
    NotOneTrace {
        what: &'static str,
        /// Number of traces.
        count: usize,
    },
    #[error("--timing: {NO_NATIVE}")]
    NoNative,
    #[error(transparent)]
    File(#[from] OutputError),
}

/// Opens the file of `--vcd`.
fn waveform(
    args: &ReplayArgs,
    to: &Path,
    boards: &BoardFactory,
) -> Result<WaveformFile, OutputsError> {
    let file = WaveformFile::create(to, args.force, boards)?;
    demand_one_trace(args, "--vcd writes the waveform")?;
    Ok(file)
}

/// Opens the file of `--gif`.
fn film(args: &ReplayArgs, to: &Path) -> Result<FilmFile, OutputsError> {
    demand_one_trace(args, "--gif films the LCD")?;
    Ok(FilmFile::create(to, args.force)?)
}

/// Opens the file of `--perfetto`.
fn timeline(args: &ReplayArgs, to: &Path) -> Result<TimelineFile, OutputsError> {
    demand_one_trace(args, "--perfetto writes the timeline")?;
    Ok(TimelineFile::create(to, args.force)?)
}

/// Returns the observer of `--observer`.
fn second_observer(args: &ReplayArgs) -> Result<Option<SecondObserver>, OutputsError> {
    let second = SecondObserver::of(args);
    if second.is_some() {
        demand_one_trace(args, "--observer has the capture")?;
    }
    Ok(second)
}

/// Returns an error unless there is exactly one trace; `what` describes the output.
fn demand_one_trace(args: &ReplayArgs, what: &'static str) -> Result<(), OutputsError> {
    let count = runner::find(&args.paths, args.filter.as_deref())?.len();
    if count == 1 { Ok(()) } else { Err(OutputsError::NotOneTrace { what, count }) }
}

/// Returns the player of failed traces for the page of `--html`.
fn player(args: &ReplayArgs, boards: &BoardFactory) -> Player {
    // A page plays traces only.
    if args.html.is_none() || args.list || args.wokwi.is_some() {
        return Player::None;
    }
    let bundle = match page_board::bundle() {
        Ok(bundle) => bundle,
        Err(reason) => return Player::Absent(reason),
    };
    let limit = if args.html_embed_elf { ELF_BYTES_MAX } else { ELF_BYTES_EMBEDDED };
    let elf = page_board::elf(&args.board, boards, limit);
    let packed =
        elf.and_then(|elf| Ok((elf, page_board::board_file(boards, Path::new(""), limit)?)));
    match packed {
        Ok((elf, board_file)) => Player::Engine {
            bundle,
            board: args.board.name(),
            elf: elf.map(Into::into),
            board_file: board_file.map(Into::into),
        },
        Err(ElfError::TooLarge { bytes, .. }) => Player::Command {
            reason: format!(
                "the program has {} KiB, and more than {} KiB go into a page only with \
                 `--html-embed-elf`",
                bytes >> 10,
                limit >> 10
            ),
        },
        Err(error) => Player::Command { reason: error.to_string() },
    }
}
