//! `nudge atlas`: explores the interface by pressing, and writes one page of all screens.

use std::fs;
use std::io::{self, Write};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::thread::available_parallelism;

use analysis::atlas::{Atlas, Budget, End, Factory, Witnesses, explore, page, witness};
use clap::Args;
use embedded_graphics::geometry::Size;
use firmware_core::SOURCE_HASH;
use hal_mock::Nanos;
use hal_mock::setup::SetupError;
use hal_mock::trace::Trace;
use output_files::{Output, OutputError, OutputFile};
use runner::interrupt::Interrupt;
use runner::{Exit, FindError, OpenError, find, open_trace};

use crate::cli::{jobs, output};
use crate::trace::arguments::positive_time;
use crate::{ctrl_c, text_reader, trace};

/// Pixels of the sides of a panel.
const SIDES: core::ops::RangeInclusive<u32> = 64..=1_024;

#[derive(Debug, Args)]
pub struct AtlasArgs {
    /// Write the page to FILE.html
    #[arg(long, short, value_name = "FILE", default_value = "atlas.html", value_parser = output::page)]
    pub output: PathBuf,
    /// Stop once N screens are known
    #[arg(long, value_name = "N", default_value_t = 2_000,
          value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub screens: u32,
    /// Stop once the boards have run for this virtual time, all together, like 600h
    #[arg(long, value_name = "TIME", value_parser = positive_time)]
    pub time: Option<Nanos>,
    /// The seed of the board's chance
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Show and check every screen on a panel of this size as well, like 480x320; may be repeated
    #[arg(long, value_name = "WxH", value_parser = size)]
    pub panel: Vec<Size>,
    /// Traces, or folders of traces: mark the screens that none of them sees; may be repeated
    #[arg(long, value_name = "PATH")]
    pub seen_by: Vec<PathBuf>,
    /// Write the shortest presses to each screen as a trace into DIR
    #[arg(long, value_name = "DIR")]
    pub traces: Option<PathBuf>,
    /// How many boards run at once [default: one for each core]
    #[arg(long, short, value_name = "N", value_parser = jobs)]
    pub jobs: Option<NonZero<usize>>,
    /// Replace files that exist
    #[arg(long)]
    pub force: bool,
}

/// A text is no size of a panel.
#[derive(Debug, thiserror::Error)]
#[error(
    "`{}` is no panel; give columns x rows, each from {} to {}, like 480x320",
    .0, SIDES.start(), SIDES.end()
)]
struct NotSize(String);

fn size(text: &str) -> Result<Size, NotSize> {
    let side = |text: &str| text.parse().ok().filter(|side| SIDES.contains(side));
    let parsed = text
        .split_once('x')
        .and_then(|(width, height)| Some(Size::new(side(width)?, side(height)?)));
    parsed.ok_or_else(|| NotSize(text.to_owned()))
}

/// Why there is no atlas.
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
    // What can be wrong with the files is found before the search, which takes long.
    let mut file = Output::new(&args.output).replace(args.force).create()?;
    if let Some(folder) = args.traces.as_ref().filter(|folder| folder.exists() && !folder.is_dir())
    {
        return Err(AtlasError::NoFolder(folder.clone()));
    }
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
            let (screens, visits) = (progress.screens, progress.visits);
            failed = writeln!(out, "{what}: {screens} screens so far, {visits} visits");
        }
    })?;
    failed?;
    // Ctrl-C ends the search, and what was found by then is written. A second one ends the process.
    let interrupt = &Interrupt::default();
    let witnesses = if traces.is_empty() {
        Witnesses::default()
    } else {
        witness(&traces, &reader, jobs, interrupt)
    };
    let atlas = Atlas::draw(&factory, found, &args.panel, witnesses, jobs, interrupt)?;
    if let Some(folder) = &args.traces {
        let count = write_traces(folder, args.force, &atlas, &factory)?;
        writeln!(out, "wrote {count} traces into {}", folder.display())?;
    }
    fill(&mut file, &atlas, args)?;
    file.commit()?;
    report(&atlas, &args.output, out)?;
    Ok(())
}

/// The traces at `paths`, each by its path.
fn traces(paths: &[PathBuf]) -> Result<Vec<(String, Trace)>, AtlasError> {
    if paths.is_empty() {
        return Ok(Vec::new());
    }
    let found = find(paths, None)?;
    let named = found.into_iter().map(|found| {
        let trace = open_trace(&found.path)?;
        Ok((found.path.with_extension("").display().to_string(), trace))
    });
    named.collect()
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
    writeln!(out, "{} screens in {} visits", found.screens.len(), found.visits)?;
    for (fault, path) in &found.faults {
        let presses: Vec<String> = path.iter().map(ToString::to_string).collect();
        writeln!(out, "{fault}, after {}", presses.join(", "))?;
    }
    writeln!(out, "{} findings", atlas.flaws() + found.faults.len())?;
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
