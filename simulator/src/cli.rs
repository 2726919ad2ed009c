//! The grammar of the command line. `docs/command-line.md` is its reference for people.

pub mod against;
pub mod atlas;
mod board;
mod emulate_logs;
mod emulate_outside;
mod flash;
mod flash_size;
mod font;
#[cfg(test)]
mod numbers;
pub mod output;
pub mod panel_look;
#[cfg(test)]
mod reference;
mod replay;
pub mod several;

use std::path::PathBuf;
use std::sync::LazyLock;

use boards::Board;
use boards::emulated_probe::WireFault;
use clap::{Args, Parser, Subcommand, ValueEnum};
use firmware_core::SOURCE_HASH;
use firmware_core::systems::{Game, SYSTEMS};
use host::clock::Speed;
use trace::{did_you_mean, parse_instant};
use virtual_time::{Instant, Nanos};

use self::atlas::AtlasArgs;
use crate::number::whole;
use crate::trace::arguments::{
    CheckArgs, CompareArgs, ConvertArgs, FmtArgs, FuzzArgs, ObserveArgs, RankArgs, ShrinkArgs,
    TidyArgs, WhyArgs, positive_time,
};
pub use board::{BoardCheckArgs, BoardImportArgs, BoardSchemaArgs, BoardShowArgs, BoardVerb};
pub use emulate_logs::{CargoArgs, Defmt, LogArgs};
pub use emulate_outside::SurroundingsArgs;
pub use flash::{
    FlashDeleteArgs, FlashExportArgs, FlashImage, FlashImportArgs, FlashKind, FlashVerb,
};
use flash_size::parse_flash_size;
pub use font::{FontLearnArgs, FontVerb};
use panel_look::PanelLook;
pub use replay::ReplayArgs;

const EXAMPLES: &str = "\
Examples:
  nudge run                                 play on the board in a window
  nudge run --record win.trace              … and record the session
  nudge replay tests/traces                 replay all traces of a folder
  nudge replay win.trace --bless            save the LCD's frames as goldens
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
    /// Open a trace, or a live board, in a browser: its timeline, branches, expectations
    Open(OpenArgs),
    /// Write the board as one HTML file that plays in any browser
    Export(ExportArgs),
    /// Write what the LCD shows at a moment of a trace, as a PNG file
    Screenshot(ScreenshotArgs),
    /// Explore the interface by pressing: a page of every screen, the ways between them, what is wrong
    Atlas(AtlasArgs),
    /// Check, format, convert, compare, tidy, fuzz and shrink traces
    Trace {
        /// What to do with them.
        #[command(subcommand)]
        verb: TraceVerb,
    },
    /// Join the reports that several machines have written of the parts of a suite
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
    /// Run the session of a window that builds on every save (`nudge run --watch` starts it)
    #[command(hide = true)]
    Session,
    /// Run any RP2040 program on a bare chip: console, fault reports, GDB, profile, coverage
    Emulate(EmulateArgs),
    /// Watch a program's pins for two seconds and write the board file of the board it is for
    Adopt(AdoptArgs),
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

#[derive(Debug, Subcommand)]
pub enum ProbeVerb {
    /// Look at the wires while the board starts, press each button, and name the wire that is likely
    /// wrong
    Doctor(ProbePorts),
    /// Write the probe's firmware to the drive of a Pico that waits for one
    Flash(ProbeFlashArgs),
    /// Write the board's firmware into its flash, through the probe and the board's debug port
    FlashBoard(ProbeFlashBoardArgs),
    /// A pseudo-terminal with an emulated probe and board behind it, as if it were a real probe's port
    Emulate(ProbeEmulateArgs),
}

#[derive(Debug, Args)]
pub struct ProbeEmulateArgs {
    /// Factor by which the probe is at least slower than a real one; the other nudge reads it from
    /// NUDGE_PROBE_SLOWER
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = whole(1_u32..=1000))]
    pub slower: u32,
    /// A fault of a wire: cut=b3, low=lcd-dc, high=lcd-rst, poor=lcd-sck, swap=t1,t2. May be repeated
    #[arg(long = "wire", value_name = "FAULT")]
    pub wires: Vec<WireFault>,
}

#[derive(Debug, Args)]
pub struct ProbePorts {
    /// The ports of probes, like /dev/ttyACM0 [default: all that are plugged in]
    #[arg(value_name = "PORT")]
    pub ports: Vec<String>,
}

#[derive(Debug, Args)]
pub struct ProbeFlashArgs {
    /// The firmware as UF2 [default: the one that `make firmware` has built]
    #[arg(value_name = "FILE")]
    pub file: Option<PathBuf>,
    /// The folder at which the drive RPI-RP2 is mounted [default: it is looked for]
    #[arg(long, value_name = "DIR")]
    pub drive: Option<PathBuf>,
    /// The port of the probe that restarts as a drive [default: the one that is plugged in]
    #[arg(long, value_name = "PORT")]
    pub port: Option<String>,
}

#[derive(Debug, Args)]
pub struct ProbeFlashBoardArgs {
    /// The board's firmware as ELF, UF2 or Intel HEX [default: the one that `make firmware` has built]
    #[arg(value_name = "FILE")]
    pub file: Option<PathBuf>,
    /// The port of a probe; can be repeated [default: all that are plugged in]
    #[arg(long, value_name = "PORT")]
    pub port: Vec<String>,
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
pub struct EmulateArgs {
    /// The program: ELF, UF2, Intel HEX, or a raw image of the flash named *.bin
    #[arg(required_unless_present = "cargo")]
    pub file: Option<PathBuf>,
    #[command(flatten)]
    pub cargo: CargoArgs,
    /// Stop at this virtual time, like 12.5s [default: fail after 10s]
    #[arg(long, value_name = "TIME", value_parser = parse_instant)]
    pub until: Option<Instant>,
    /// The board's flash: bytes, or a number with K or M, at most 16M
    #[arg(long, value_name = "SIZE", default_value = "2M", value_parser = parse_flash_size)]
    pub flash_size: usize,
    /// Fail if the output never has this text; can be repeated
    #[arg(long, value_name = "TEXT", conflicts_with = "gdb")]
    pub expect: Vec<String>,
    /// End well as soon as the output has this text, and fail if it never has
    #[arg(long, value_name = "TEXT", conflicts_with = "gdb")]
    pub until_text: Option<String>,
    /// The UART whose bytes are written to standard output, 0 or 1
    #[arg(long, value_name = "N", default_value_t = 0,
          value_parser = whole(0_u8..=1))]
    pub uart: u8,
    /// What the UART or a console over USB receives; - is standard input, read to its end
    #[arg(long, value_name = "FILE")]
    pub input: Option<PathBuf>,
    /// Let the UART or a console over USB receive standard input as it comes, until Ctrl-C
    #[arg(long, conflicts_with_all = ["input", "pty"])]
    pub stdin: bool,
    /// Read the RTT channels even if the program has no symbol _SEGGER_RTT: search the RAM for them
    #[arg(long)]
    pub rtt: bool,
    /// What RTT's down channel 0 receives
    #[arg(long, value_name = "FILE")]
    pub rtt_input: Option<PathBuf>,
    /// Connect pseudo-terminals to the UART and to USB serial ports, in real time, until Ctrl-C
    #[arg(long)]
    pub pty: bool,
    /// The USB host: whether serial port 0 of the program is its console
    #[arg(long, value_enum, default_value_t, value_name = "HOST")]
    pub usb: Usb,
    /// A line for every instruction [default FILE: standard error]
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true,
          value_parser = output::instructions)]
    pub trace_instructions: Option<Option<PathBuf>>,
    /// A table of the functions that took most cycles
    #[arg(long)]
    pub profile: bool,
    /// The profile: a picture as FILE.svg, folded stacks as FILE.folded or FILE.txt
    #[arg(long, value_name = "FILE", value_parser = output::flame_graph)]
    pub flamegraph: Option<PathBuf>,
    /// How often each line of the source was executed, for lcov's tools, as FILE.info
    #[arg(long, value_name = "FILE", value_parser = output::coverage)]
    pub coverage: Option<PathBuf>,
    /// The levels of all pins over time, for waveform viewers, as FILE.vcd
    #[arg(long, value_name = "FILE", value_parser = output::vcd)]
    pub vcd: Option<PathBuf>,
    #[command(flatten)]
    pub logs: LogArgs,
    #[command(flatten)]
    pub outside: SurroundingsArgs,
    /// Replace files that exist
    #[arg(long)]
    pub force: bool,
    /// Let a debugger connect to this address and control the run, like 127.0.0.1:3333
    #[arg(long, value_name = "ADDR:PORT",
          conflicts_with_all = ["until", "trace_instructions", "profile", "flamegraph", "coverage",
          "pins", "uart1", "uart1_input", "log_bus"])]
    pub gdb: Option<String>,
}

impl EmulateArgs {
    /// Returns the program's file. clap has checked that the command line names one.
    pub fn program(&self) -> PathBuf {
        self.file.clone().or_else(|| self.cargo.program()).unwrap_or_default()
    }
}

/// The USB host of the emulated chip.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Usb {
    /// A host; serial port 0 is the console unless the UART sends first
    #[default]
    Auto,
    /// A host; serial port 0 is a console beside the UART
    Console,
    /// Nothing
    Off,
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

#[derive(Debug, Args)]
pub struct RunArgs {
    /// A trace to continue at its end, or a program (.elf, .uf2): as if it were dropped on the window
    #[arg(
        value_name = "FILE",
        conflicts_with_all = ["record", "game", "seed", "flash", "flash_copy", "watch"]
    )]
    pub file: Option<PathBuf>,
    /// Open the trace or program that was opened or recorded last, at its end
    #[arg(
        long,
        conflicts_with_all = ["file", "board", "record", "game", "seed", "flash", "flash_copy", "watch"]
    )]
    pub last: bool,
    /// Show the board in the terminal, as without it where there is no display but a terminal
    #[arg(long)]
    pub tty: bool,
    /// How the terminal shows the LCD: auto, blocks, kitty, sixel or iterm
    #[arg(long, value_name = "HOW", value_enum, default_value_t, hide_possible_values = true)]
    pub tty_graphics: TtyGraphics,
    /// Record the presses in FILE, as a trace that replays to the same screens
    #[arg(long, value_name = "FILE", value_parser = output::trace)]
    pub record: Option<PathBuf>,
    /// With --record: expect the settled screens of the session, so that FILE becomes a test
    #[arg(long, requires = "record")]
    pub expect: bool,
    /// The board in the window: native, pico, pico=FILE, NAME.board.toml, probe or probe:PORT
    #[arg(long, default_value_t, value_name = "BOARD")]
    pub board: Board,
    /// The game system: board, family, wari or top-bottom [default: what the flash holds]
    #[arg(long, value_name = "NAME", value_parser = game)]
    pub game: Option<Game>,
    /// The seed of every random source [default: random]
    #[arg(long, value_name = "N", value_parser = whole(0..=u64::MAX))]
    pub seed: Option<u64>,
    /// How fast virtual time runs, 0.01 to 100; 1 is real time
    #[arg(long, value_name = "FACTOR", default_value_t)]
    pub speed: Speed,
    /// How many pixels of the window each pixel of the LCD takes, if they fit [default: what fits]
    #[arg(long, value_name = "N", value_parser = whole(1_u32..=8))]
    pub scale: Option<u32>,
    /// A key map: which key presses which button
    #[arg(long, value_name = "FILE", alias = "keys")]
    pub keymap: Option<PathBuf>,
    /// The LCD without the board, at the largest whole-number scale
    #[arg(long)]
    pub bare: bool,
    /// Fill the screen
    #[arg(long)]
    pub full_screen: bool,
    /// Show the console, the tone, the contacts and the bytes of a frame beside the board
    #[arg(long)]
    pub console: bool,
    /// Light surroundings
    #[arg(long)]
    pub light: bool,
    /// The LCD as it looks to an eye: angle=DEGREES from above (below: -DEGREES), tearing, or both
    /// with a comma
    #[arg(long, value_name = "LOOK")]
    pub panel: Option<PanelLook>,
    /// The folder of pictures and films that a key saves [default: the present folder]
    #[arg(long, value_name = "DIR")]
    pub captures: Option<PathBuf>,
    /// No sound
    #[arg(long)]
    pub mute: bool,
    /// The file that holds the board's flash [default: in your data folder; with --record,
    /// factory-new]
    #[arg(long, value_name = "FILE", value_parser = output::flash)]
    pub flash: Option<PathBuf>,
    /// Start from a copy of the flash, and write nothing back
    #[arg(long)]
    pub flash_copy: bool,
    /// Build on every save, and continue in the new firmware with the same presses
    #[arg(long)]
    pub watch: bool,
    /// Let a debugger connect to this address and control the firmware of --board pico, like
    /// 127.0.0.1:3333 or :3333
    #[arg(long, value_name = "ADDR:PORT", conflicts_with_all = ["watch", "file", "last"])]
    pub gdb: Option<String>,
    /// With --watch: what a shell runs to build [default: cargo, or scripts/firmware.sh for pico]
    #[arg(long, value_name = "COMMAND", requires = "watch")]
    pub build: Option<String>,
    /// With --watch: build in DIR [default: where cargo builds]
    #[arg(long, value_name = "DIR", requires = "watch")]
    pub target: Option<PathBuf>,
}

/// How a terminal shows the LCD.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum TtyGraphics {
    /// As pixels where the terminal says that it can, otherwise in half blocks.
    #[default]
    Auto,
    /// In half blocks.
    Blocks,
    /// By kitty's graphics protocol.
    Kitty,
    /// As sixels.
    Sixel,
    /// By iTerm2's inline images.
    Iterm,
}

/// Parses the name of a game system.
fn game(name: &str) -> Result<Game, UnknownGame> {
    let system = SYSTEMS.iter().find(|system| system.name == name);
    system.map(|system| system.game).ok_or_else(|| UnknownGame(name.to_owned()))
}

/// The error for a text that names no game system.
#[derive(Debug, thiserror::Error)]
#[error(
    "`{}` is no game of this build; it plays {}{}",
    .0, system_names().join(", "), did_you_mean(.0, &system_names())
)]
struct UnknownGame(String);

fn system_names() -> Vec<&'static str> {
    SYSTEMS.iter().map(|system| system.name).collect()
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

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
