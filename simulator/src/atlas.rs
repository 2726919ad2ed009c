//! `nudge atlas`: explores the interface by pressing buttons, and writes one page of all screens.

use std::fs;
use std::io::{self, Write};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::thread::available_parallelism;

use ::trace::{BOARD_KEY, Trace, counted};
use atlas::{
    Atlas, Budget, Described, End, Factory, Found, Illustrated, TraceScreens, World, explore, page,
    screens_of_traces,
};
use boards::described::DescribedBoard;
use boards::session::{SessionError, board_file_from};
use boards::{Board, BoardError, BoardFactory};
use firmware_core::SOURCE_HASH;
use firmware_insight::LcdBoard;
use hal_mock::setup::SetupError;
use host::{
    Exit, Interrupt,
    output_files::{Output, OutputError, OutputFile},
};
use runner::{FindError, OpenError, find, open_trace};
use virtual_time::Nanos;

use crate::board_factory::{native, virtual_factory};
use crate::cli::atlas::AtlasArgs;
use crate::{ctrl_c, text_reader, trace};

/// Number of screens of the LCD board's firmware after which the search ends.
const SCREENS_OF_NATIVE: u32 = 2_000;
/// Number of screens of a described board after which the search ends: each has to be emulated.
const SCREENS_OF_BOARD: u32 = 100;

/// Errors of `nudge atlas`.
#[derive(Debug, thiserror::Error)]
enum AtlasError {
    #[error(transparent)]
    Find(#[from] FindError),
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error(transparent)]
    Setup(#[from] SetupError),
    #[error(transparent)]
    Output(#[from] OutputError),
    #[error(
        "the atlas explores `native` and described boards, not {0}; write a board file for its program: \
         `nudge adopt FILE` makes one"
    )]
    NotExplored(Board),
    #[error(transparent)]
    Board(#[from] BoardError),
    #[error(transparent)]
    Session(#[from] SessionError),
    #[error(
        "{0} is for the screens of the LCD board's firmware; of a described board the atlas knows the \
         pictures: leave it out"
    )]
    NotDescribed(&'static str),
    #[error("--traces: {} is no folder; name another", .0.display())]
    NoFolder(PathBuf),
    #[error(transparent)]
    Io(#[from] io::Error),
}

pub fn atlas(args: &AtlasArgs, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<Exit> {
    let interrupt = ctrl_c::listen();
    match trace::silently(|| make(args, &interrupt, out)) {
        Ok(()) if interrupt.is_set() => Ok(Exit::Interrupted),
        Ok(()) => Ok(Exit::Passed),
        Err(AtlasError::Io(error)) => Err(error),
        Err(error) => {
            writeln!(err, "nudge: {error}")?;
            Ok(Exit::Usage)
        }
    }
}

fn make(args: &AtlasArgs, interrupt: &Interrupt, out: &mut dyn Write) -> Result<(), AtlasError> {
    let board = match &args.board {
        Board::Native => match native() {
            BoardFactory::Described(application) => Some(application),
            _ => None,
        },
        board @ Board::Described(_) => match virtual_factory(board)? {
            BoardFactory::Described(board) => Some(board),
            _ => return Err(AtlasError::NotExplored(board.clone())),
        },
        board => return Err(AtlasError::NotExplored(board.clone())),
    };
    if board.is_some() && !args.panel.is_empty() {
        return Err(AtlasError::NotDescribed("--panel"));
    }
    if board.is_some() && !args.seen_by.is_empty() {
        return Err(AtlasError::NotDescribed("--seen-by"));
    }
    // File problems are reported before the search, which takes long.
    let mut file = Output::new(&args.output).replace(args.force).create()?;
    if let Some(folder) = args.traces.as_ref().filter(|folder| folder.exists() && !folder.is_dir())
    {
        return Err(AtlasError::NoFolder(folder.clone()));
    }
    args.traces.as_deref().map(host::output_files::check_folder).transpose()?;
    let atlas = match &board {
        Some(board) => of_board(args, board, interrupt, out)?,
        None => of_native(args, interrupt, out)?,
    };
    fill(&mut file, &atlas, args, board.as_deref())?;
    file.commit()?;
    report(&atlas, &args.output, out)?;
    Ok(())
}

/// Returns the limits of the search. `screens` is the number of screens without `--screens`.
fn budget(args: &AtlasArgs, screens: u32) -> Budget {
    let cores = || available_parallelism().map_or(1, NonZero::get);
    let jobs = args.jobs.map_or_else(cores, NonZero::get);
    let screens = usize::try_from(args.screens.unwrap_or(screens)).unwrap_or(usize::MAX);
    Budget { screens, time: args.time.unwrap_or(Nanos(u64::MAX)), jobs }
}

/// Explores a described board.
fn of_board(
    args: &AtlasArgs,
    board: &DescribedBoard,
    interrupt: &Interrupt,
    out: &mut dyn Write,
) -> Result<Atlas, AtlasError> {
    let budget = budget(args, SCREENS_OF_BOARD);
    let reader = text_reader::reader();
    let world = Described::new(board, &reader);
    let found = search(&world, budget, interrupt, out)?;
    let interrupt = &Interrupt::default();
    let atlas = world.atlas(found, budget.jobs, interrupt)?;
    if let Some(folder) = &args.traces {
        // The header of the traces names the board file from their folder.
        host::output_files::create_folder(folder)?;
        let name = board_file_from(board.path(), folder)?;
        let traces = world.to_traces(&atlas, &name)?;
        for Illustrated { name, trace, goldens } in &traces {
            let path = folder.join(name).with_extension("trace");
            write_trace(&path, args.force, trace)?;
            for (golden, png) in goldens {
                let path = folder.join(name).join(golden).with_extension("png");
                if !fs::read(&path).is_ok_and(|there| there == *png) {
                    Output::golden(&path).replace(args.force).write(png)?;
                }
            }
        }
        writeln!(out, "wrote {} into {}", counted(traces.len(), "trace"), folder.display())?;
    }
    Ok(atlas)
}

/// Explores the firmware of the LCD board.
fn of_native(
    args: &AtlasArgs,
    interrupt: &Interrupt,
    out: &mut dyn Write,
) -> Result<Atlas, AtlasError> {
    let traces = traces(&args.seen_by)?;
    let budget = budget(args, SCREENS_OF_NATIVE);
    let jobs = budget.jobs;
    let reader = text_reader::reader();
    let factory = Factory::new(&LcdBoard, args.seed, &reader);
    let found = search(&factory, budget, interrupt, out)?;
    // Ctrl-C ends the search; the screens found so far are written. A second Ctrl-C ends the
    // process.
    let interrupt = &Interrupt::default();
    let witnesses = if traces.is_empty() {
        TraceScreens::default()
    } else {
        screens_of_traces(&LcdBoard, &traces, &reader, jobs, interrupt)
    };
    let atlas = Atlas::draw(&factory, found, &args.panel, witnesses, jobs, interrupt)?;
    if let Some(folder) = &args.traces {
        let count = write_traces(folder, args.force, &atlas, &factory)?;
        writeln!(out, "wrote {} into {}", counted(count, "trace"), folder.display())?;
    }
    Ok(atlas)
}

/// Explores a world and writes the progress.
fn search<W>(
    world: &W,
    budget: Budget,
    interrupt: &Interrupt,
    out: &mut dyn Write,
) -> Result<Found<W::Screen>, AtlasError>
where
    W: World<Error = SetupError>,
{
    let mut told = None;
    let mut failed = Ok(());
    let found = explore(world, budget, interrupt, &mut |progress| {
        if told != Some(progress.presses) && failed.is_ok() {
            told = Some(progress.presses);
            let what = match progress.presses {
                0 => "games are played".to_owned(),
                1 => "1 press".to_owned(),
                count => format!("{count} presses"),
            };
            let (screens, visits) =
                (counted(progress.screens, "screen"), counted(progress.visits, "visit"));
            failed = writeln!(out, "{what}: {screens} so far, {visits}");
        }
    })?;
    failed?;
    Ok(found)
}

/// Opens the traces at `paths`; each is named by its path without the extension.
fn traces(paths: &[PathBuf]) -> Result<Vec<(String, Trace)>, AtlasError> {
    if paths.is_empty() {
        return Ok(Vec::new());
    }
    let found = find(paths, None)?;
    let mut named = Vec::new();
    for found in found {
        let trace = open_trace(&found.path)?;
        // A trace of another board sees no screen of this firmware.
        if trace.get(BOARD_KEY).is_none() {
            named.push((found.path.with_extension("").display().to_string(), trace));
        }
    }
    Ok(named)
}

fn write_traces(
    folder: &Path,
    force: bool,
    atlas: &Atlas,
    factory: &Factory<'_>,
) -> Result<usize, AtlasError> {
    let traces = atlas.to_traces(factory);
    for (name, trace) in &traces {
        write_trace(&folder.join(name).with_extension("trace"), force, trace)?;
    }
    Ok(traces.len())
}

/// Writes a trace, unless the file has the same content.
fn write_trace(path: &Path, force: bool, trace: &Trace) -> Result<(), OutputError> {
    let text = trace.to_string();
    if fs::read(path).is_ok_and(|there| there == text.as_bytes()) {
        return Ok(());
    }
    Output::trace(path).replace(force).write(text.as_bytes())
}

fn fill(
    file: &mut OutputFile,
    atlas: &Atlas,
    args: &AtlasArgs,
    board: Option<&DescribedBoard>,
) -> Result<(), OutputError> {
    let version = format!("nudge {}", env!("CARGO_PKG_VERSION"));
    let made_by = match board {
        Some(board) => {
            let digest = board.digest().chars().take(16).collect::<String>();
            vec![version, format!("{}, SHA-256 {digest}", board.path().display())]
        }
        None => {
            vec![version, format!("firmware source {SOURCE_HASH}"), format!("seed {}", args.seed)]
        }
    };
    file.fill(page(atlas, &made_by).as_bytes())
}

fn report(atlas: &Atlas, page: &Path, out: &mut dyn Write) -> io::Result<()> {
    let found = &atlas.found;
    if found.end == End::Interrupted {
        writeln!(out, "interrupted: there may be more screens")?;
    }
    writeln!(
        out,
        "{} in {}",
        counted(found.screens.len(), "screen"),
        counted(found.visits, "visit")
    )?;
    for (fault, path) in &found.faults {
        let presses: Vec<String> = path.iter().map(ToString::to_string).collect();
        writeln!(out, "{fault}, after {}", presses.join(", "))?;
    }
    writeln!(out, "{}", counted(atlas.flaws() + found.faults.len(), "finding"))?;
    if atlas.traces > 0 {
        writeln!(
            out,
            "{} screens that none of {} traces sees",
            atlas.unseen().len(),
            atlas.traces
        )?;
    }
    writeln!(out, "wrote {}", page.display())
}
