//! The grammar of the command line. `docs/command-line.md` is its reference for people.

pub mod against;
pub mod atlas;
mod board;
mod emulate;
mod emulate_logs;
mod emulate_outside;
#[cfg(test)]
mod examples;
mod flash;
mod flash_size;
mod font;
#[cfg(test)]
mod numbers;
pub mod output;
pub mod panel_look;
mod probe;
mod quiz;
#[cfg(test)]
mod reference;
mod replay;
mod review;
mod run;
pub mod several;

use std::path::PathBuf;
use std::sync::LazyLock;

use boards::Board;
use clap::{Args, Parser, Subcommand, ValueEnum};
use firmware_core::SOURCE_HASH;
use trace::parse_instant;
use virtual_time::{Instant, Nanos};

use self::atlas::AtlasArgs;
use crate::number::whole;
use crate::trace::arguments::{
    CheckArgs, CompareArgs, ConvertArgs, FmtArgs, FuzzArgs, ObserveArgs, RankArgs, ShrinkArgs,
    TidyArgs, WhyArgs, positive_time,
};
pub use board::{BoardCheckArgs, BoardImportArgs, BoardSchemaArgs, BoardShowArgs, BoardVerb};
#[cfg(test)]
pub use emulate::OnFault;
pub use emulate::{EmulateArgs, Usb};
pub use emulate_logs::Defmt;
pub use emulate_outside::SurroundingsArgs;
pub use flash::{
    FlashDeleteArgs, FlashExportArgs, FlashImage, FlashImportArgs, FlashKind, FlashVerb,
};
pub use font::{FontLearnArgs, FontVerb};
pub use probe::{ProbeEmulateArgs, ProbeFlashArgs, ProbeFlashBoardArgs, ProbePorts, ProbeVerb};
pub use quiz::QuizArgs;
pub use replay::ReplayArgs;
pub use review::{AcceptedCauses, ReviewArgs};
pub use run::RunArgs;
#[cfg(any(feature = "terminal", feature = "window"))]
pub use run::TtyGraphics;

const EXAMPLES: &str = "\
Examples:
  nudge run                                 play on the board in a window
  nudge run --record win.trace              … and record the session
  nudge replay tests/traces                 replay all traces of a folder
  nudge replay win.trace --bless            save the LCD's frames as goldens
  nudge review win.trace                    … one cause at a time
  nudge replay tests --artifacts out        … and save consoles and pictures
  nudge replay tests --html page            … and show failures in a browser
  nudge replay tests --against git=main     every frame that a change alters
  nudge bisect --good v0.1.0 win.trace      the commit that broke a trace
  nudge open win.trace                      its timeline in a browser
  nudge export board.html                   the board as one file to send
  nudge screenshot win.trace --at 12.5s --output win.png
  nudge atlas --seen-by tests/traces        every screen and the ways to it
  nudge trace why win.trace --pixel 160,120 the origin of a pixel
  nudge trace convert win.trace win.vcd     its pins in GTKWave or PulseView
  nudge emulate firmware.elf --until 5s     run a program on a bare RP2040
  nudge flash export flash.bin              export the saved games as text
  nudge board check pad.board.toml          check the description of a board
  nudge panel check own.toml                check the table of an LCD

Exit codes: 0 passed, 1 an expectation failed, 2 wrong usage or a file that
cannot be read, 42 a limit of time was reached, 130 Ctrl-C, 143 SIGTERM; of
several, 2 beats 1 beats 42.";

/// Show, operate, record and replay the LCD board without the hardware
#[derive(Debug, Parser)]
#[command(name = "nudge", version = version(), arg_required_else_help = true, after_help = EXAMPLES)]
#[command(disable_help_subcommand = true)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub verb: Verb,
}

/// Returns the version, and the hash of the firmware sources that `native` runs.
pub fn version() -> &'static str {
    static VERSION: LazyLock<String> =
        LazyLock::new(|| format!("{} (firmware source {SOURCE_HASH})", env!("CARGO_PKG_VERSION")));
    &VERSION
}

#[derive(Debug, Subcommand)]
pub enum Verb {
    /// Open the board in a window: LCD, buttons, buzzer
    Run(RunArgs),
    /// Replay traces without a window, in parallel, and report on them
    Replay(ReplayArgs),
    /// Show why goldens differ, a cause at a time, and write those that are accepted
    Review(ReviewArgs),
    /// Open a trace, or a live board, in a browser: its timeline, branches, expectations
    Open(OpenArgs),
    /// Write the board as one HTML file that plays in any browser
    Export(ExportArgs),
    /// Write what the LCD shows at a moment of a trace, as a PNG file
    Screenshot(ScreenshotArgs),
    /// Explore the interface by pressing: a page of every screen, the ways between them, what is
    /// wrong
    Atlas(AtlasArgs),
    /// Check, format, convert, compare, tidy, fuzz and shrink traces
    Trace {
        /// What to do with them.
        #[command(subcommand)]
        verb: TraceVerb,
    },
    /// Join the reports of the parts of a suite; compare its runs
    Report {
        /// What to do with them.
        #[command(subcommand)]
        verb: ReportVerb,
    },
    /// List, export, import and delete the saved games and logs of a flash image
    Flash {
        /// What to do with it.
        #[command(subcommand)]
        verb: FlashVerb,
    },
    /// Check, draw and import the description of a board: parts, pins, names, keys, places
    Board {
        /// What to do with it.
        #[command(subcommand)]
        verb: BoardVerb,
    },
    /// Check, list and print the tables of LCD controllers
    Panel {
        /// What to do with them.
        #[command(subcommand)]
        verb: PanelVerb,
    },
    /// Make the fonts with which the text of other programs is read
    Font {
        /// What to do with them.
        #[command(subcommand)]
        verb: FontVerb,
    },
    /// List the probes that are plugged in, and the boards on their wires
    Probes(ProbePorts),
    /// Find the wire of a real board that is wrong; give a probe its firmware; emulate one
    Probe {
        /// What to do with it.
        #[command(subcommand)]
        verb: ProbeVerb,
    },
    /// Find the commit that made a trace fail, by building those between a good and a bad one
    Bisect(BisectArgs),
    /// Answer requests of another program about boards: JSON-RPC over standard input or a socket
    Serve(ServeArgs),
    /// Offer boards as tools to an editor's assistant, over the Model Context Protocol
    Mcp(McpArgs),
    /// Help an editor with traces, board files and panel tables: the Language Server Protocol
    Lsp(LspArgs),
    /// Run the session of a window that builds on every save (`nudge run --watch` starts it)
    #[command(hide = true)]
    Session,
    /// Run any RP2040 program on a bare chip: console, fault reports, GDB, profile, coverage
    Emulate(EmulateArgs),
    /// Watch a program's pins for two seconds and write the board file of the board it is for
    Adopt(AdoptArgs),
    /// Ask the emulated chip what a real one may answer otherwise, and compare the answers
    Quiz(QuizArgs),
}

#[derive(Debug, Subcommand)]
pub enum TraceVerb {
    /// Check that traces are well-formed, headers included
    Check(CheckArgs),
    /// Lay traces out: columns aligned, comments kept
    Fmt(FmtArgs),
    /// Print how long traces last and what they contain
    Info(TracePaths),
    /// Compare when each wait and frame is over on native and on another board
    Timing(TraceTimingArgs),
    /// Write what the board shows, says and sounds in traces, as lines of JSON
    Observe(ObserveArgs),
    /// Find the fewest traces that cover the flashed program as all do, and lines that none reaches
    Rank(RankArgs),
    /// Convert traces, waveforms, logic captures and Wokwi scenarios
    Convert(ConvertArgs),
    /// Find the first edge in which captures of the real and the simulated board differ
    Compare(CompareArgs),
    /// Find the origin of a pixel: the SPI transfer, its window, the drawn element
    Why(WhyArgs),
    /// Turn a recording into a maintainable trace: taps, round times, moves, expectations
    Tidy(TidyArgs),
    /// Play random sessions on all cores and save those that break a rule
    Fuzz(FuzzArgs),
    /// Find the smallest trace that still fails in the same way
    Shrink(ShrinkArgs),
}

#[derive(Debug, Subcommand)]
pub enum PanelVerb {
    /// Check tables: their keys and values, their examples, their power sequence
    Check(PanelFiles),
    /// List the built-in tables
    List,
    /// Print the file of a built-in table, to begin a new one with
    Show(PanelName),
}

#[derive(Debug, Args)]
pub struct PanelFiles {
    /// Tables (TOML)
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
}

#[derive(Debug, Args)]
pub struct PanelName {
    /// The name of a built-in table, such as st7789
    #[arg(value_name = "NAME")]
    pub name: String,
}

#[derive(Debug, Subcommand)]
pub enum ReportVerb {
    /// Write JUnit files as one and pages as one; fail if a part is missing or a trace failed
    Merge(MergeArgs),
    /// Compare the runs of a suite by their JUnit files: new failures, fixed ones, slowest traces
    History(HistoryArgs),
}

#[derive(Debug, Args)]
pub struct HistoryArgs {
    /// The folder with the JUnit files of the runs, one of each
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
}

#[derive(Debug, Args)]
pub struct MergeArgs {
    /// What --junit and --html of nudge replay have written: JUnit files, pages or their folders
    #[arg(required = true, value_name = "REPORT")]
    pub reports: Vec<PathBuf>,
    /// Write the JUnit files as one, FILE.xml
    #[arg(long, value_name = "FILE", value_parser = output::junit)]
    pub junit: Option<PathBuf>,
    /// Write the pages as one, DIR/index.html
    #[arg(long, value_name = "DIR")]
    pub html: Option<PathBuf>,
    /// Replace files that are no earlier reports of their kind
    #[arg(long)]
    pub force: bool,
}

#[derive(Debug, Args)]
pub struct TraceTimingArgs {
    /// Traces, or folders of traces (all *.trace in and below)
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// The board to compare with native: native, pico or pico=FILE
    #[arg(long, default_value = "pico", value_name = "BOARD")]
    pub board: Board,
}

#[derive(Debug, Args)]
pub struct TracePaths {
    /// Traces, or folders of traces (all *.trace in and below)
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,
}

#[derive(Debug, Args)]
pub struct AdoptArgs {
    /// The program: ELF, UF2, Intel HEX, or a raw image of the flash named *.bin
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// The board file, which must not exist [default: beside the program, NAME.board.toml]
    #[arg(long, value_name = "FILE", value_parser = output::board_file)]
    pub output: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct BisectArgs {
    /// The trace; it is replayed as it is now, with its goldens
    pub trace: PathBuf,
    /// A commit at which the trace passes: a hash, a tag, HEAD~20
    #[arg(long, value_name = "REV")]
    pub good: String,
    /// A later commit at which it fails
    #[arg(long, value_name = "REV", default_value = "HEAD")]
    pub bad: String,
    /// What a shell runs in the commit's files to build $CARGO_TARGET_DIR/debug/nudge
    #[arg(long, value_name = "COMMAND", default_value = changes::bisect::build::BUILD)]
    pub build: String,
    /// Build in DIR, and keep it for the next time [default: a temporary folder]
    #[arg(long, value_name = "DIR")]
    pub target: Option<PathBuf>,
    /// A replay that takes longer than TIME of wall time fails
    #[arg(long, value_name = "TIME", value_parser = positive_time)]
    pub timeout: Option<Nanos>,
}

/// When to colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal, unless NO_COLOR is set.
    #[default]
    Auto,
    /// Also in a file or a pipe, whatever NO_COLOR says.
    Always,
    /// Not at all, and no pictures.
    Never,
}

#[derive(Debug, Args)]
pub struct ScreenshotArgs {
    /// The trace; its expectations are ignored
    pub trace: PathBuf,
    /// The virtual time, like 12.5s [default: the end of the trace]
    #[arg(long, value_name = "TIME", value_parser = parse_instant)]
    pub at: Option<Instant>,
    /// The PNG file to write
    #[arg(long, short, value_name = "FILE", value_parser = output::png)]
    pub output: PathBuf,
    /// Replace FILE if it exists
    #[arg(long)]
    pub force: bool,
    /// The display, by its name in the board file [default: the first one]
    #[arg(long, value_name = "NAME")]
    pub display: Option<String>,
    /// How many pixels wide and high each pixel of the LCD becomes
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = whole(1_u32..=8))]
    pub scale: u32,
    /// The board that runs the trace: native, pico, pico=FILE, NAME.board.toml, probe or probe:PORT
    #[arg(long, default_value_t, value_name = "BOARD")]
    pub board: Board,
}

#[derive(Debug, Args)]
pub struct OpenArgs {
    /// The trace [default: a live board, whose branches are saved in the current folder]
    pub trace: Option<PathBuf>,
    /// Begin at this virtual time, like 12.5s
    #[arg(long, value_name = "TIME", value_parser = parse_instant)]
    pub at: Option<Instant>,
    /// The board: native, pico, pico=FILE, NAME.board.toml, probe or probe:PORT
    #[arg(long, default_value_t, value_name = "BOARD")]
    pub board: Board,
    /// The port of this computer's loopback to answer on [default: one that is free]
    #[arg(long, value_name = "N", value_parser = whole(1..=u16::MAX))]
    pub port: Option<u16>,
    /// Print the address and open no browser
    #[arg(long)]
    pub no_browser: bool,
}

#[derive(Debug, Args)]
pub struct ServeArgs {
    /// Answer at this Unix socket [default: on standard input and output]
    #[arg(long, value_name = "PATH")]
    pub socket: Option<PathBuf>,
    /// The folder that files are read and written in
    #[arg(long, default_value = ".", value_name = "DIR")]
    pub folder: PathBuf,
    /// Record every session in that folder, line by line
    #[arg(long)]
    pub record: bool,
}

#[derive(Debug, Args)]
pub struct McpArgs {
    /// The folder that files are read and written in
    #[arg(long, default_value = ".", value_name = "DIR")]
    pub folder: PathBuf,
    /// Record every session in that folder, line by line
    #[arg(long)]
    pub record: bool,
}

#[derive(Debug, Args)]
pub struct LspArgs {
    /// Talk over standard input and output, as without it; some editors pass it
    #[arg(long)]
    pub stdio: bool,
}

#[derive(Debug, Args)]
pub struct ExportArgs {
    /// The page to write, FILE.html
    #[arg(value_name = "FILE", value_parser = output::html)]
    pub output: PathBuf,
    /// A trace that plays by itself until a button is pressed
    #[arg(long, value_name = "FILE")]
    pub trace: Option<PathBuf>,
    /// The board: native, pico, pico=FILE, NAME.board.toml, probe or probe:PORT
    #[arg(long, default_value_t, value_name = "BOARD")]
    pub board: Board,
    /// Replace FILE if it exists
    #[arg(long)]
    pub force: bool,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;
    use firmware_core::systems::SYSTEMS;

    use super::*;

    #[test]
    fn the_help_fits_into_80_columns_and_names_every_game() {
        for line in EXAMPLES.lines() {
            assert!(line.chars().count() < 80, "{line}");
        }
        let mut command = Cli::command();
        let help = command.find_subcommand_mut("run").unwrap().render_long_help().to_string();
        for system in SYSTEMS {
            assert!(help.contains(system.name), "{}: {help}", system.name);
        }
    }
}
