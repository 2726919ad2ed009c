//! The arguments of `nudge replay`.

use std::num::NonZero;
use std::path::PathBuf;

use boards::Board;
use captures::Wiring;
use clap::Args;
use runner::{PictureProtocol, REPEATS_MAX, Shard};
use trace::{Date, parse_instant, parse_time};
use virtual_time::{Instant, Nanos};

use super::against::Against;
use super::several::BoardList;
use super::{Color, output};
use crate::jobs::jobs;
use crate::trace::arguments::positive_time;

#[derive(Debug, Args)]
pub struct ReplayArgs {
    /// Traces, or folders of traces (all *.trace in and below)
    #[arg(required_unless_present = "wokwi", value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// Replay a Wokwi project instead: diagram.json, the program of wokwi.toml, and the scenarios
    #[arg(long, value_name = "DIR", conflicts_with_all = ["paths", "board", "boards", "against",
          "timing", "html_embed_elf"])]
    pub wokwi: Option<PathBuf>,
    /// With --wokwi: only this scenario, from DIR; can be given several times [default: each in
    /// DIR]
    #[arg(long, value_name = "FILE", requires = "wokwi")]
    pub scenario: Vec<String>,
    /// With --wokwi: pass scenarios of which some steps cannot be replayed
    #[arg(long, requires = "wokwi")]
    pub lossy: bool,
    /// The board that runs the traces: native, pico, pico=FILE, NAME.board.toml, probe or
    /// probe:PORT
    #[arg(long, default_value_t, value_name = "BOARD")]
    pub board: Board,
    /// Instead of judging: what differs from another board or another nudge: native=FILE,
    /// pico=FILE, native, pico, or git=REV, which builds the nudge of that commit
    #[arg(long, value_name = "BOARD", conflicts_with_all = ["bless", "artifacts", "list", "repeat",
          "fail_fast", "junit", "timing", "vcd", "gif", "allow_violations", "lenient", "strict",
          "contact_sheet", "pictures", "tag", "exclude", "last_failed", "today"], group = "compares")]
    pub against: Option<Against>,
    /// Instead of judging: where boards differ first, and how far their times are apart, like
    /// native,pico,probe; with --artifacts their frames side by side
    #[arg(long, value_name = "BOARD,BOARD…", group = "compares", conflicts_with_all = ["board", "bless", "list",
          "repeat", "fail_fast", "junit", "html", "markdown", "timing", "vcd", "gif", "perfetto", "coverage", "profile",
          "flamegraph", "allow_violations", "lenient", "strict", "contact_sheet", "pictures", "jobs",
          "tag", "exclude", "last_failed", "today"])]
    pub boards: Option<BoardList>,
    /// With --against or --boards: end with code 1 if anything differs
    #[arg(long, requires = "compares")]
    pub fail_on_change: bool,
    /// With --against: write what differs as Markdown, FILE.md
    #[arg(long, value_name = "FILE", requires = "against", value_parser = output::markdown)]
    pub markdown: Option<PathBuf>,
    /// With --against git=REV: what a shell runs in its files to build
    /// $CARGO_TARGET_DIR/debug/nudge
    #[arg(long, value_name = "COMMAND", requires = "against",
          default_value = changes::bisect::build::BUILD)]
    pub build: String,
    /// With --against git=REV: build in DIR, and keep it for the next time [default: a temporary
    /// folder]
    #[arg(long, value_name = "DIR", requires = "against")]
    pub target: Option<PathBuf>,
    /// Write the golden frames that are missing or differ; no other option does
    #[arg(long)]
    pub bless: bool,
    /// Save each trace's console and pictures in a folder of its own in DIR
    #[arg(long, value_name = "DIR")]
    pub artifacts: Option<PathBuf>,
    /// Only traces whose path contains TEXT
    #[arg(long, value_name = "TEXT")]
    pub filter: Option<String>,
    /// Only traces with the tag TAG in their header's line `tags`; can be given several times
    #[arg(long, value_name = "TAG")]
    pub tag: Vec<String>,
    /// No trace with the tag TAG; can be given several times
    #[arg(long, value_name = "TAG")]
    pub exclude: Vec<String>,
    /// Only the traces that did not pass when they were replayed last, in this working folder
    #[arg(long)]
    pub last_failed: bool,
    /// Judge dates in traces (`xfail … until`) as of DATE, like 2027-01-31 [default: today]
    #[arg(long, value_name = "DATE")]
    pub today: Option<Date>,
    /// Only the K-th of N parts of the traces, for N machines: 1/3, 2/3, 3/3
    #[arg(long, value_name = "K/N")]
    pub shard: Option<Shard>,
    /// With --shard: balance the parts by the time that each trace took in the run of this JUnit
    /// file
    #[arg(long, value_name = "FILE", requires = "shard")]
    pub durations: Option<PathBuf>,
    /// Print the paths of the traces and replay none
    #[arg(long)]
    pub list: bool,
    /// Replay each trace N times; all runs must be the same to the byte
    #[arg(long, value_name = "N", conflicts_with = "bless", value_parser = repeats)]
    pub repeat: Option<NonZero<u32>>,
    /// Stop at the first trace that does not pass
    #[arg(long)]
    pub fail_fast: bool,
    /// Write the results as a JUnit file, FILE.xml
    #[arg(long, value_name = "FILE", value_parser = output::junit)]
    pub junit: Option<PathBuf>,
    /// Write the results, or what --against finds, as a page, DIR/index.html
    #[arg(long, value_name = "DIR")]
    pub html: Option<PathBuf>,
    /// With --html and --board pico: put the program into the page, however large it is
    #[arg(long, requires = "html")]
    pub html_embed_elf: bool,
    /// Compare when each wait and frame is over on native and on the board, below the results
    #[arg(long, requires = "board", conflicts_with_all = ["bless", "list", "shard", "until", "tag", "exclude",
          "last_failed"])]
    pub timing: bool,
    /// Write the board's wires as a waveform; of exactly one trace
    #[arg(long, value_name = "FILE", conflicts_with_all = ["until", "repeat", "list", "shard"],
          value_parser = output::vcd)]
    pub vcd: Option<PathBuf>,
    /// Write what the LCD shows as a moving picture; of exactly one trace
    #[arg(long, value_name = "FILE", conflicts_with_all = ["list", "shard"],
          value_parser = output::gif)]
    pub gif: Option<PathBuf>,
    /// Write the timeline for Perfetto's viewer, FILE.json; of exactly one trace
    #[arg(long, value_name = "FILE", conflicts_with_all = ["repeat", "list", "shard"],
          value_parser = output::timeline)]
    pub perfetto: Option<PathBuf>,
    /// A logic analyser's capture of the same run, VCD or CSV, compared with the bytes on the LCD's
    /// wires burst by burst after the replay; of exactly one trace
    #[arg(long, value_name = "FILE", conflicts_with_all = ["against", "boards", "repeat", "list", "shard"])]
    pub observer: Option<PathBuf>,
    /// Which channel of the capture is which wire, like SCK=D0,MOSI=D1,DC=D2,CS=D3
    #[arg(long, value_name = "WIRE=CHANNEL,…", requires = "observer")]
    pub observer_map: Option<Wiring>,
    /// The largest distance of two times that agree
    #[arg(long, value_name = "TIME", requires = "observer", value_parser = parse_time, default_value = "1us")]
    pub observer_tolerance: Nanos,
    /// How many traces execute each line and branch of the program on the pico, for lcov's tools,
    /// as FILE.info
    #[arg(long, value_name = "FILE", conflicts_with_all = ["against", "list"],
          value_parser = output::coverage)]
    pub coverage: Option<PathBuf>,
    /// A table of the functions that took most cycles on the pico, over all traces
    #[arg(long, conflicts_with_all = ["against", "list"])]
    pub profile: bool,
    /// The profile: a picture as FILE.svg, folded stacks as FILE.folded or FILE.txt
    #[arg(long, value_name = "FILE", conflicts_with_all = ["against", "list"],
          value_parser = output::flame_graph)]
    pub flamegraph: Option<PathBuf>,
    /// Stop each trace at this virtual time, like 12.5s
    #[arg(long, value_name = "TIME", value_parser = parse_instant)]
    pub until: Option<Instant>,
    /// Pass traces that break a rule of the LCD's datasheet
    #[arg(long)]
    pub allow_violations: bool,
    /// Pass traces whose program does what the chip would not do; each place is a notice
    #[arg(long, conflicts_with = "strict")]
    pub lenient: bool,
    /// Fail traces that pass although they test little or nothing: those with a notice
    #[arg(long)]
    pub strict: bool,
    /// Let a real board run a firmware of other sources than this nudge's
    #[arg(long)]
    pub any_firmware: bool,
    /// Lay out all screenshots and last screens on one PNG
    #[arg(long, value_name = "FILE", value_parser = output::png)]
    pub contact_sheet: Option<PathBuf>,
    /// Replace files that exist: of --vcd, --gif and --perfetto, and reports over files of another
    /// kind; --bless in CI
    #[arg(long)]
    pub force: bool,
    /// Fail a trace that takes longer than TIME of wall time, like 30s; the others continue
    #[arg(long, value_name = "TIME", value_parser = positive_time)]
    pub timeout: Option<Nanos>,
    /// How many traces to replay at once [default: one for each core]
    #[arg(long, short, value_name = "N", value_parser = jobs)]
    pub jobs: Option<NonZero<usize>>,
    /// Replay every trace, also those that have passed with the same nudge, program and files
    #[arg(long)]
    pub no_cache: bool,
    /// Keep the results of traces that pass in DIR [default: nudge/results in the user's cache
    /// folder]
    #[arg(long, value_name = "DIR", conflicts_with = "no_cache")]
    pub cache: Option<PathBuf>,
    /// Print the report of each trace, however long the log becomes; without it, that of several
    /// traces has at most 60 lines
    #[arg(long, conflicts_with_all = ["against", "boards"])]
    pub all: bool,
    /// Print no line for traces that pass, and show no pictures
    #[arg(long, short)]
    pub quiet: bool,
    /// Colour the words PASS and FAIL
    #[arg(long, value_name = "WHEN", value_enum, default_value_t)]
    pub color: Color,
    /// How the terminal shows pictures: kitty, iterm or sixel [default: detected]
    #[arg(long, value_name = "HOW")]
    pub pictures: Option<PictureProtocol>,
}

/// Parses the number of runs.
fn repeats(text: &str) -> Result<NonZero<u32>, NotRepeats> {
    let parsed = text.parse().ok().filter(|count: &NonZero<u32>| count.get() <= REPEATS_MAX);
    parsed.ok_or_else(|| NotRepeats(text.to_owned()))
}

/// The error for a text that is not a number of runs.
#[derive(Debug, thiserror::Error)]
#[error("`{0}` is no number of runs; give one from 1 to {REPEATS_MAX}")]
struct NotRepeats(String);
