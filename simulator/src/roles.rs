//! The files of a command line with their roles. A written file must have only one role.
//!
//! [`check`] compares the files to which the paths lead, not the text of the paths: `./x` and `x`,
//! symbolic and hard links, and names that differ in case where the file system ignores case. This
//! module knows the paths of every verb and opens no file for writing.

use std::fs;
use std::path::{Component, Path, PathBuf, absolute};

use boards::Board;
use rp2040_tools::analog::AdcSource;
use same_file::Handle;

use crate::adopt::output_path;
use crate::cli::against::Against;
use crate::cli::atlas::AtlasArgs;
use crate::cli::{
    BoardVerb, EmulateArgs, ExportArgs, FlashVerb, FontLearnArgs, FontVerb, MergeArgs,
    ProbeFlashArgs, ProbeFlashBoardArgs, ProbeVerb, ReplayArgs, ReportVerb, ReviewArgs, RunArgs,
    ScreenshotArgs, SurroundingsArgs, TraceVerb, Verb,
};
use crate::replay::wokwi::{DIAGRAM, PROJECT};
use crate::trace::arguments::{CheckArgs, ConvertArgs, FuzzArgs, RankArgs, ShrinkArgs, TidyArgs};

/// Maximum number of symbolic links followed in a row, as on Linux.
const LINKS_MAX: usize = 40;

/// A command's access to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Access {
    Reads,
    Writes,
    /// The file is written, and may be the same as the file that this role reads.
    Rewrites(&'static str),
}

#[derive(Clone, Debug)]
pub struct NamedFile {
    /// The option or argument that names the file.
    role: &'static str,
    path: PathBuf,
    access: Access,
}

impl NamedFile {
    /// Creates the entry of a file that `role` reads.
    pub fn read(role: &'static str, path: &Path) -> Self {
        Self { role, path: path.to_owned(), access: Access::Reads }
    }

    /// Creates the entry of a file that `role` writes.
    pub fn written(role: &'static str, path: &Path) -> Self {
        Self { role, path: path.to_owned(), access: Access::Writes }
    }
}

/// The error for two roles with the same file.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{} for {} and {} for {} are the same file, which would be overwritten; name another one",
    written.1.display(), written.0, other.1.display(), other.0
)]
pub struct SameFile {
    written: (&'static str, PathBuf),
    other: (&'static str, PathBuf),
}

/// Checks that no written file of a command line has a second role.
///
/// # Errors
/// Names the first two roles with the same file.
pub fn check(verb: &Verb) -> Result<(), SameFile> {
    distinct(&files(verb))
}

/// Checks that no written file among `files` occurs twice.
///
/// # Errors
/// Names the first two roles with the same file.
pub fn distinct(files: &[NamedFile]) -> Result<(), SameFile> {
    for (at, written) in files.iter().enumerate() {
        if written.access == Access::Reads {
            continue;
        }
        let identity = Identity::of(&written.path);
        for (_, other) in files.iter().enumerate().filter(|(other, _)| *other != at) {
            if written.access == Access::Rewrites(other.role) {
                continue;
            }
            if identity == Identity::of(&other.path) {
                let named = |file: &NamedFile| (file.role, file.path.clone());
                return Err(SameFile { written: named(written), other: named(other) });
            }
        }
    }
    Ok(())
}

/// The target of a path.
#[derive(Debug, PartialEq, Eq)]
enum Identity {
    /// A regular file that exists, under any name.
    File(Handle),
    /// Any other path, with its links followed as far as the path exists.
    Place(PathBuf),
}

impl Identity {
    fn of(path: &Path) -> Self {
        // Opening a pipe or a device could block, or have an effect.
        let regular = fs::metadata(path).is_ok_and(|found| found.is_file());
        let handle = regular.then(|| Handle::from_path(path).ok()).flatten();
        handle.map_or_else(|| Self::Place(place(path)), Self::File)
    }
}

/// Returns `path` as an absolute path, with its links followed as far as it exists. A dangling link
/// is replaced by its target, because an earlier output may create the target.
fn place(path: &Path) -> PathBuf {
    let mut path = absolute(path).unwrap_or_else(|_| path.to_owned());
    for _ in 0..LINKS_MAX {
        let Ok(target) = fs::read_link(&path) else { break };
        path = path.parent().unwrap_or(Path::new("")).join(target);
    }
    let real = path.ancestors().find_map(|folder| Some((folder, folder.canonicalize().ok()?)));
    let Some((folder, mut real)) = real else { return path };
    let missing = path.strip_prefix(folder).unwrap_or(Path::new(""));
    for component in missing.components() {
        match component {
            Component::ParentDir => {
                real.pop();
            }
            Component::Normal(name) if cfg!(any(windows, target_os = "macos")) => {
                real.push(name.to_string_lossy().to_lowercase());
            }
            Component::Normal(name) => real.push(name),
            Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
        }
    }
    real
}

/// Returns the files of a verb. Output folders are not included: they hold several files, and
/// `output-files` refuses to replace anything except earlier output.
fn files(verb: &Verb) -> Vec<NamedFile> {
    match verb {
        Verb::Run(args) => of_run(args),
        Verb::Replay(args) => of_replay(args),
        // Only goldens are written.
        Verb::Review(ReviewArgs { paths, board, .. }) => {
            List::new().reads("PATH", paths).board(board).0
        }
        // The page requests the files to write, all in one folder.
        Verb::Open(_) => Vec::new(),
        // The same as `open`; a socket is replaced only if no process listens on it.
        Verb::Serve(_) | Verb::Mcp(_) | Verb::Lsp(_) | Verb::Session => Vec::new(),
        Verb::Export(ExportArgs { output, trace, board, .. }) => {
            List::new().reads("--trace", trace).writes("FILE", [output]).board(board).0
        }
        Verb::Screenshot(ScreenshotArgs { trace, output, board, .. }) => {
            List::new().reads("TRACE", [trace]).writes("--output", [output]).board(board).0
        }
        Verb::Atlas(args) => of_atlas(args),
        Verb::Trace { verb } => of_trace(verb),
        Verb::Report { verb: ReportVerb::Merge(args) } => of_merge(args),
        // No file is written.
        Verb::Report { verb: ReportVerb::History(_) } => Vec::new(),
        // No file is written.
        Verb::Flash { verb: FlashVerb::Ls(_) } => Vec::new(),
        // The image determines the names of the outputs, so `nudge flash` compares them.
        Verb::Flash { verb: FlashVerb::Export(_) } => Vec::new(),
        // The file that is read is rewritten.
        Verb::Flash { verb: FlashVerb::Delete(_) } => Vec::new(),
        Verb::Flash { verb: FlashVerb::Import(args) } => {
            List::new().writes("IMAGE", [&args.image]).reads("FILE", &args.files).0
        }
        Verb::Board { verb: BoardVerb::Import(args) } => {
            List::new().reads("FROM", [&args.from]).writes("--output", [&args.output()]).0
        }
        // No file is written.
        Verb::Board { verb: _ } => Vec::new(),
        // These verbs access only connected devices.
        Verb::Probes(_) | Verb::Probe { verb: ProbeVerb::Doctor(_) | ProbeVerb::Emulate(_) } => {
            Vec::new()
        }
        Verb::Probe { verb: ProbeVerb::Flash(ProbeFlashArgs { file, .. }) } => {
            List::new().reads("FILE", file).0
        }
        Verb::Probe { verb: ProbeVerb::FlashBoard(ProbeFlashBoardArgs { file, .. }) } => {
            List::new().reads("FILE", file).0
        }
        Verb::Font { verb: FontVerb::Learn(FontLearnArgs { trace, output, board, .. }) } => {
            List::new().reads("TRACE", [trace]).writes("--output", [output]).board(board).0
        }
        // No file is written.
        Verb::Panel { .. } => Vec::new(),
        // The outputs are folders.
        Verb::Bisect(_) => Vec::new(),
        Verb::Emulate(args) => of_emulate(args),
        Verb::Adopt(args) => {
            let output = output_path(args);
            List::new().reads("FILE", [&args.file]).writes("--output", [&output]).0
        }
        // No file is written.
        Verb::Quiz(_) => Vec::new(),
    }
}

fn of_run(args: &RunArgs) -> Vec<NamedFile> {
    let RunArgs { file, record, flash, keymap, board, .. } = args;
    let list = List::new().reads("FILE", file).writes("--record", record);
    let list = list.reads("--keymap", keymap).board(board);
    if args.flash_copy { list.reads("--flash", flash).0 } else { list.writes("--flash", flash).0 }
}

fn of_replay(args: &ReplayArgs) -> Vec<NamedFile> {
    let ReplayArgs {
        paths,
        filter,
        junit,
        html,
        vcd,
        gif,
        perfetto,
        coverage,
        flamegraph,
        contact_sheet,
        observer,
        board,
        markdown,
        durations,
        wokwi,
        ..
    } = args;
    let project: Vec<PathBuf> =
        wokwi.iter().flat_map(|folder| [PROJECT, DIAGRAM].map(|name| folder.join(name))).collect();
    let page = html.as_ref().map(|folder| folder.join("index.html"));
    let list = List::new()
        .writes("--junit", junit)
        .writes("--html", &page)
        .writes("--vcd", vcd)
        .writes("--gif", gif)
        .writes("--perfetto", perfetto)
        .writes("--coverage", coverage)
        .writes("--flamegraph", flamegraph)
        .writes("--contact-sheet", contact_sheet)
        .writes("--markdown", markdown)
        .reads("--durations", durations)
        .reads("--observer", observer)
        .reads("--wokwi", &project)
        .board(board)
        .against(args.against.as_ref());
    let several = args.boards.iter().flat_map(|several| &several.0);
    let list = several.fold(list, |list, board| list.boards("--boards", Some(board)));
    // A file that does not exist is not a trace. The replay reports errors in the paths.
    if !list.0.iter().any(|file| file.access == Access::Writes && file.path.exists()) {
        return list.0;
    }
    let traces = runner::find(paths, filter.as_deref()).unwrap_or_default();
    list.reads("PATH", traces.iter().map(|trace| &trace.path)).0
}

/// For a folder, the page in the folder counts.
fn of_merge(args: &MergeArgs) -> Vec<NamedFile> {
    let MergeArgs { reports, junit, html, .. } = args;
    let page = |path: &PathBuf| {
        if path.is_dir() { path.join("index.html") } else { path.clone() }
    };
    let (reports, html): (Vec<_>, _) =
        (reports.iter().map(page).collect(), html.as_ref().map(|folder| folder.join("index.html")));
    List::new().reads("REPORT", &reports).writes("--junit", junit).writes("--html", &html).0
}

/// The outputs in a folder are new files, or earlier output of `nudge atlas`.
fn of_atlas(args: &AtlasArgs) -> Vec<NamedFile> {
    let AtlasArgs { output, seen_by, board, .. } = args;
    let list = List::new().writes("--output", [output]).board(board);
    // The same as in `of_replay`.
    if !output.exists() || seen_by.is_empty() {
        return list.0;
    }
    let traces = runner::find(seen_by, None).unwrap_or_default();
    list.reads("--seen-by", traces.iter().map(|trace| &trace.path)).0
}

fn of_trace(verb: &TraceVerb) -> Vec<NamedFile> {
    match verb {
        // The same as `nudge replay`, with one output.
        TraceVerb::Check(CheckArgs { paths, junit, .. }) => {
            let list = List::new().writes("--junit", junit);
            if !junit.as_ref().is_some_and(|file| file.exists()) {
                return list.0;
            }
            let traces = runner::find(paths, None).unwrap_or_default();
            list.reads("PATH", traces.iter().map(|trace| &trace.path)).0
        }
        // The files that are read are rewritten.
        TraceVerb::Fmt(_) => Vec::new(),
        // No file is written.
        TraceVerb::Info(_)
        | TraceVerb::Timing(_)
        | TraceVerb::Compare(_)
        | TraceVerb::Observe(_)
        | TraceVerb::Why(_) => Vec::new(),
        // The same as `nudge replay`, with one output.
        TraceVerb::Rank(RankArgs { paths, html, board, filter, .. }) => {
            let list = List::new().writes("--html", html);
            let list = board.iter().fold(list, |list, board| list.board(board));
            if !html.as_ref().is_some_and(|file| file.exists()) {
                return list.0;
            }
            let traces = runner::find(paths, filter.as_deref()).unwrap_or_default();
            list.reads("PATH", traces.iter().map(|trace| &trace.path)).0
        }
        // The outputs are new files in a folder.
        TraceVerb::Fuzz(FuzzArgs { .. }) => Vec::new(),
        TraceVerb::Convert(ConvertArgs { from, to, board, .. }) => {
            List::new().reads("FROM", [from]).writes("TO", [to]).board(board).0
        }
        TraceVerb::Tidy(TidyArgs { recording, output, board, .. }) => {
            let list = List::new().reads("RECORDING", [recording]);
            // The output may replace the recording, but not the program.
            list.add("--output", Access::Rewrites("RECORDING"), [output]).board(board).0
        }
        TraceVerb::Shrink(ShrinkArgs { trace, output, board, passes_on, .. }) => {
            let beside = trace.with_extension("small.trace");
            let output = output.as_ref().unwrap_or(&beside);
            let list = List::new().reads("FAILING", [trace]).writes("--output", [output]);
            list.board(board).boards("--passes-on", passes_on.as_ref()).0
        }
    }
}

fn of_emulate(args: &EmulateArgs) -> Vec<NamedFile> {
    let EmulateArgs {
        input,
        rtt_input,
        trace_instructions,
        flamegraph,
        coverage,
        vcd,
        outside,
        ..
    } = args;
    let SurroundingsArgs { adc, pins, uart1, uart1_input, log_bus, boot_rom, .. } = outside;
    let tables: Vec<PathBuf> = adc
        .iter()
        .filter_map(|setting| match &setting.source {
            AdcSource::File(path) => Some(path.into()),
            AdcSource::Volts(_) => None,
        })
        .collect();
    // `-` is standard input.
    let input = input.as_ref().filter(|path| path.as_os_str() != "-");
    let rtt_input = rtt_input.as_ref().filter(|path| path.as_os_str() != "-");
    List::new()
        .reads("FILE", [&args.program()])
        .reads("--input", input)
        .reads("--rtt-input", rtt_input)
        .reads("--adc", &tables)
        .reads("--pins", pins)
        .reads("--uart1-input", uart1_input)
        .reads("--boot-rom", boot_rom)
        .writes("--uart1", uart1)
        .writes("--log-bus", log_bus)
        .writes("--trace-instructions", trace_instructions.as_ref().and_then(Option::as_ref))
        .writes("--flamegraph", flamegraph)
        .writes("--coverage", coverage)
        .writes("--vcd", vcd)
        .0
}

/// Returns the files that a board file names. Errors in the file are reported by the verb.
fn files_of_board(file: &Path) -> Vec<PathBuf> {
    let Ok(board) = board_file::load(file) else { return Vec::new() };
    let folder = file.parent().unwrap_or(Path::new(""));
    board.files().map(|named| folder.join(named)).collect()
}

/// A list of files with their roles, built step by step.
struct List(Vec<NamedFile>);

impl List {
    fn new() -> Self {
        Self(Vec::new())
    }

    fn add<'a>(
        mut self,
        role: &'static str,
        access: Access,
        paths: impl IntoIterator<Item = &'a PathBuf>,
    ) -> Self {
        let named = |path: &PathBuf| NamedFile { role, path: path.clone(), access };
        self.0.extend(paths.into_iter().map(named));
        self
    }

    fn reads<'a>(self, role: &'static str, paths: impl IntoIterator<Item = &'a PathBuf>) -> Self {
        self.add(role, Access::Reads, paths)
    }

    fn writes<'a>(self, role: &'static str, paths: impl IntoIterator<Item = &'a PathBuf>) -> Self {
        self.add(role, Access::Writes, paths)
    }

    fn board(self, board: &Board) -> Self {
        self.boards("--board", Some(board))
    }

    /// Adds the file of `--against`.
    fn against(self, against: Option<&Against>) -> Self {
        match against {
            Some(Against::Board(board)) => self.boards("--against", Some(board)),
            Some(Against::Program(program)) => self.reads("--against", [program]),
            Some(Against::Git(_)) | None => self,
        }
    }

    /// Adds the program that a board runs, and the files that describe the board.
    fn boards(self, role: &'static str, board: Option<&Board>) -> Self {
        match board {
            Some(Board::Pico(Some(program))) => self.reads(role, [program]),
            Some(Board::Described(file)) => {
                self.reads(role, [file]).reads(role, &files_of_board(file))
            }
            _ => self,
        }
    }
}

#[cfg(test)]
mod tests;
