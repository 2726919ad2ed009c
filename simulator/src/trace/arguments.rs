//! The grammar of the verbs of `nudge trace` that have options.

use std::num::NonZero;
use std::path::PathBuf;

use boards::Board;
use captures::WireMap;
use clap::{Args, ValueEnum};
use trace::{TimeError, parse_instant, parse_time};
use virtual_time::{Instant, Nanos};

use crate::cli::output;
use crate::jobs::jobs;
use crate::number::whole;

#[derive(Debug, Args)]
pub struct CheckArgs {
    /// Traces, or folders of traces (all *.trace in and below)
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// Fail traces that pass although they test little or nothing: those with a notice
    #[arg(long)]
    pub strict: bool,
    /// Write the results as a JUnit file, FILE.xml
    #[arg(long, value_name = "FILE", value_parser = output::junit)]
    pub junit: Option<PathBuf>,
    /// Replace a FILE.xml that is no earlier report
    #[arg(long)]
    pub force: bool,
}

#[derive(Debug, Args)]
pub struct FmtArgs {
    /// Traces and files that they include, or folders of them (all *.trace and *.inc in and below)
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// Write nothing; name the files that would change, and fail if there are any
    #[arg(long)]
    pub check: bool,
    /// The board file whose names included files use [default: that of a trace that includes them]
    #[arg(long, value_name = "NAME.board.toml")]
    pub board: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct ConvertArgs {
    /// The file to read: a .trace, .vcd, .csv (Saleae Logic 2, sigrok) or .yaml (Wokwi scenario)
    pub from: PathBuf,
    /// The file to write: a .trace or .vcd
    pub to: PathBuf,
    /// Which channel (or Wokwi part) is which wire, like B1=D3,SCK=D0
    #[arg(long, value_name = "WIRE=CHANNEL,…")]
    pub map: Option<WireMap>,
    /// Leave out a contact's edges within TIME after a movement, like 5ms
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    pub debounce: Option<Nanos>,
    /// Only these wires go into a waveform, like B1,RESET,UART_TX [default: all]
    #[arg(long, value_name = "WIRE,…", value_delimiter = ',')]
    pub signals: Vec<String>,
    /// The board that runs a trace to record a waveform: native, pico, pico=FILE, NAME.board.toml,
    /// probe or probe:PORT; of a capture, the board file whose buttons it has
    #[arg(long, default_value_t, value_name = "BOARD")]
    pub board: Board,
    /// Write even if a step cannot be converted; a comment takes its place
    #[arg(long)]
    pub lossy: bool,
    /// Replace a file that exists
    #[arg(long)]
    pub force: bool,
}

#[derive(Debug, Args)]
pub struct CompareArgs {
    /// The capture of the real board: VCD or CSV
    pub real: PathBuf,
    /// The capture of the simulated one
    pub simulated: PathBuf,
    /// The largest distance of two edges that belong together
    #[arg(long, value_name = "TIME", value_parser = parse_time, default_value = "1ms")]
    pub tolerance: Nanos,
    /// The largest drift between the two clocks, in parts per million
    #[arg(long, value_name = "PPM", default_value_t = 0,
          value_parser = whole(0_u32..=100_000))]
    pub skew: u32,
    /// Which channel of the real capture is which wire, like B1=D3,SCK=D0
    #[arg(long, value_name = "WIRE=CHANNEL,…")]
    pub map: Option<WireMap>,
    /// The board whose buttons the captures have [default: that of a waveform's header, or the LCD
    /// board]
    #[arg(long, value_name = "NAME.board.toml")]
    pub board: Option<PathBuf>,
    /// Only these wires, like CS,SCK,MOSI,DC [default: all that both have]
    #[arg(long, value_name = "WIRE,…", value_delimiter = ',')]
    pub signals: Vec<String>,
    /// Leave out a contact's edges within TIME after a movement, like 5ms
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    pub debounce: Option<Nanos>,
}

#[derive(Debug, Args)]
pub struct WhyArgs {
    /// The trace; its expectations are ignored
    pub trace: PathBuf,
    /// The virtual time, like 12.5s [default: the end of the trace]
    #[arg(long, value_name = "TIME", value_parser = parse_instant)]
    pub at: Option<Instant>,
    /// The pixel, from the panel's left and top edge, like 160,120
    #[arg(long, value_name = "X,Y", value_parser = super::pixel::pixel)]
    pub pixel: (usize, usize),
    /// The display of a described board that has several [default: the first one]
    #[arg(long, value_name = "NAME")]
    pub display: Option<String>,
    /// The board that runs the trace: native, pico or pico=FILE
    #[arg(long, default_value_t, value_name = "BOARD")]
    pub board: Board,
}

#[derive(Debug, Args)]
pub struct FuzzArgs {
    /// Judge these traces instead of random sessions
    #[arg(conflicts_with_all = ["time", "count", "seed", "session", "no_faults"])]
    pub traces: Vec<PathBuf>,
    /// Play for this time [default: 60s, unless --count is given]
    #[arg(long, value_name = "TIME", value_parser = positive_time)]
    pub time: Option<Nanos>,
    /// Play N sessions
    #[arg(long, value_name = "N", value_parser = whole(1..=u64::MAX))]
    pub count: Option<u64>,
    /// The seed; session K of a seed is always the same
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole(0..=u64::MAX))]
    pub seed: u64,
    /// Begin with session K
    #[arg(long, value_name = "K", default_value_t = 0, value_parser = whole(0..=u64::MAX))]
    pub session: u64,
    /// No faults: no stuck or bouncing contacts, flipped bits or power cuts
    #[arg(long)]
    pub no_faults: bool,
    /// How many sessions to play at once [default: one for each core]
    #[arg(long, value_name = "N", value_parser = whole(1_u16..=256))]
    pub jobs: Option<u16>,
    /// The board that runs the sessions: native, pico, pico=FILE or NAME.board.toml
    #[arg(long, default_value_t, value_name = "BOARD")]
    pub board: Board,
    /// Write the traces that break a rule into DIR
    #[arg(long, value_name = "DIR", default_value = "fuzz-findings")]
    pub out: PathBuf,
}

#[derive(Debug, Args)]
pub struct ObserveArgs {
    /// Traces, or folders of traces; without one, only the first line is written
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// Stop each trace at this virtual time, like 12.5s
    #[arg(long, value_name = "TIME", value_parser = parse_instant)]
    pub until: Option<Instant>,
    /// The board that runs the traces: native, pico, pico=FILE or NAME.board.toml
    #[arg(long, default_value_t, value_name = "BOARD")]
    pub board: Board,
}

#[derive(Debug, Args)]
pub struct RankArgs {
    /// Traces, or folders of traces (all *.trace in and below)
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// The board that runs the traces: pico, pico=FILE or NAME.board.toml, with an ELF file that has
    /// line tables [default: the one that the traces name, or pico]
    #[arg(long, value_name = "BOARD")]
    pub board: Option<Board>,
    /// Write the lines that no trace reaches as a page, FILE.html
    #[arg(long, value_name = "FILE", value_parser = output::html)]
    pub html: Option<PathBuf>,
    /// Replace FILE if it exists
    #[arg(long)]
    pub force: bool,
    /// Only traces whose path contains TEXT
    #[arg(long, value_name = "TEXT")]
    pub filter: Option<String>,
    /// How many traces to replay at once [default: one for each core]
    #[arg(long, short, value_name = "N", value_parser = jobs)]
    pub jobs: Option<NonZero<usize>>,
}

#[derive(Debug, Args)]
pub struct ShrinkArgs {
    /// The trace that fails, or breaks a rule of `nudge trace fuzz`
    pub trace: PathBuf,
    /// Write it to FILE [default: FAILING.small.trace beside FAILING.trace]
    #[arg(long, short, value_name = "FILE", value_parser = output::trace)]
    pub output: Option<PathBuf>,
    /// Replace FILE if it exists
    #[arg(long)]
    pub force: bool,
    /// Replay at most N candidates
    #[arg(long, value_name = "N", default_value_t = 2_000,
          value_parser = whole(1..=u32::MAX))]
    pub runs: u32,
    /// The board that runs the trace: native, pico or pico=FILE
    #[arg(long, default_value_t, value_name = "BOARD")]
    pub board: Board,
    /// Only candidates that pass on BOARD: the firmware before the change, pico=OLD.elf
    #[arg(long, value_name = "BOARD")]
    pub passes_on: Option<Board>,
    /// What the small trace has in common with the whole one: the line that fails; the text on the LCD as well;
    /// its picture as well
    #[arg(long, value_name = "PART", value_enum, default_value_t)]
    pub same: SamePart,
}

/// Value of `--same`.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub enum SamePart {
    Line,
    #[default]
    Text,
    Screen,
}

impl From<SamePart> for fuzz::Sameness {
    fn from(part: SamePart) -> Self {
        match part {
            SamePart::Line => Self::Line,
            SamePart::Text => Self::Text,
            SamePart::Screen => Self::Screen,
        }
    }
}

#[derive(Debug, Args)]
pub struct TidyArgs {
    /// The recording
    pub recording: PathBuf,
    /// The trace to write; its goldens go into the folder of the same name
    #[arg(long, short, value_name = "FILE", value_parser = output::trace)]
    pub output: PathBuf,
    /// Expect the settled screens: their text and their frame
    #[arg(long)]
    pub expect: bool,
    /// The board that replays the recording: native, pico or pico=FILE
    #[arg(long, default_value_t, value_name = "BOARD")]
    pub board: Board,
    /// Replace files that exist
    #[arg(long)]
    pub force: bool,
}

/// Parses a duration of more than 0 ns.
pub fn positive_time(text: &str) -> Result<Nanos, NotPositive> {
    match parse_time(text)? {
        Nanos::ZERO => Err(NotPositive::Zero(text.to_owned())),
        span => Ok(span),
    }
}

/// The error for a text that is not a positive duration.
#[derive(Debug, thiserror::Error)]
pub enum NotPositive {
    #[error(transparent)]
    Time(#[from] TimeError),
    #[error("`{0}` is no time at all; give a longer one, like `30s`")]
    Zero(String),
}
