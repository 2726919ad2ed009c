//! `nudge atlas`: explores the interface by pressing buttons, and writes one page of all screens.

use std::fs;
use std::io::{self, Write};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::thread::available_parallelism;

use ::trace::{BOARD_KEY, Trace, counted};
use atlas::{Atlas, Budget, End, Factory, TraceScreens, explore, page, screens_of_traces};
use boards::Board;
use firmware_core::SOURCE_HASH;
use hal_mock::setup::SetupError;
use host::{
    Exit, Interrupt,
    output_files::{Output, OutputError, OutputFile},
};
use runner::{FindError, OpenError, find, open_trace};
use virtual_time::Nanos;

use crate::cli::atlas::AtlasArgs;
use crate::{ctrl_c, text_reader, trace};

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
        "the atlas recognises the screens of the LCD board's firmware, and explores `native` only; for {0} \
         `nudge trace fuzz --board {0}` plays random sessions, and `nudge replay TRACES --contact-sheet \
         FILE.png` shows what traces see"
    )]
    OnlyNative(Board),
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
    if args.board != Board::Native {
        return Err(AtlasError::OnlyNative(args.board.clone()));
    }
    // File problems are reported before the search, which takes long.
    let mut file = Output::new(&args.output).replace(args.force).create()?;
    if let Some(folder) = args.traces.as_ref().filter(|folder| folder.exists() && !folder.is_dir())
    {
        return Err(AtlasError::NoFolder(folder.clone()));
    }
    args.traces.as_deref().map(host::output_files::check_folder).transpose()?;
    let traces = traces(&args.seen_by)?;
    let cores = || available_parallelism().map_or(1, NonZero::get);
    let jobs = args.jobs.map_or_else(cores, NonZero::get);
    let screens = usize::try_from(args.screens).unwrap_or(usize::MAX);
    let budget = Budget { screens, time: args.time.unwrap_or(Nanos(u64::MAX)), jobs };
    let reader = text_reader::reader();
    let factory = Factory::new(args.seed, &reader);

    let mut told = None;
    let mut failed = Ok(());
    let found = explore(&factory, budget, interrupt, &mut |progress| {
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
    // Ctrl-C ends the search; the screens found so far are written. A second Ctrl-C ends the
    // process.
    let interrupt = &Interrupt::default();
    let witnesses = if traces.is_empty() {
        TraceScreens::default()
    } else {
        screens_of_traces(&traces, &reader, jobs, interrupt)
    };
    let atlas = Atlas::draw(&factory, found, &args.panel, witnesses, jobs, interrupt)?;
    if let Some(folder) = &args.traces {
        let count = write_traces(folder, args.force, &atlas, &factory)?;
        writeln!(out, "wrote {} into {}", counted(count, "trace"), folder.display())?;
    }
    fill(&mut file, &atlas, args)?;
    file.commit()?;
    report(&atlas, &args.output, out)?;
    Ok(())
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
        let path = folder.join(name).with_extension("trace");
        let text = trace.to_string();
        let same = fs::read(&path).is_ok_and(|there| there == text.as_bytes());
        if !same {
            Output::trace(&path).replace(force).write(text.as_bytes())?;
        }
    }
    Ok(traces.len())
}

fn fill(file: &mut OutputFile, atlas: &Atlas, args: &AtlasArgs) -> Result<(), OutputError> {
    let version = format!("nudge {}", env!("CARGO_PKG_VERSION"));
    let made_by =
        [version, format!("firmware source {SOURCE_HASH}"), format!("seed {}", args.seed)];
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
