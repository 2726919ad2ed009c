//! The arguments of `nudge review`.

use std::collections::BTreeSet;
use std::num::NonZero;
use std::path::PathBuf;
use std::str::FromStr;

use boards::Board;
use clap::Args;
use runner::PictureProtocol;

use crate::jobs::jobs;

#[derive(Debug, Args)]
pub struct ReviewArgs {
    /// Traces, or folders of traces (all *.trace in and below)
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// List the causes, and write nothing
    #[arg(long)]
    pub list: bool,
    /// Accept these causes without asking, by their numbers in --list, like 1,3; or all
    #[arg(long, value_name = "N,…", conflicts_with = "list")]
    pub accept: Option<AcceptedCauses>,
    /// The board that runs the traces: native, pico, pico=FILE, NAME.board.toml, probe or
    /// probe:PORT
    #[arg(long, default_value_t, value_name = "BOARD")]
    pub board: Board,
    /// Only traces whose path contains TEXT
    #[arg(long, value_name = "TEXT")]
    pub filter: Option<String>,
    /// Only traces with the tag TAG in their header's line `tags`; can be given several times
    #[arg(long, value_name = "TAG")]
    pub tag: Vec<String>,
    /// No trace with the tag TAG; can be given several times
    #[arg(long, value_name = "TAG")]
    pub exclude: Vec<String>,
    /// How many traces to replay at once [default: one for each core]
    #[arg(long, short, value_name = "N", value_parser = jobs)]
    pub jobs: Option<NonZero<usize>>,
    /// Write goldens in CI too, where no person reviews them
    #[arg(long)]
    pub force: bool,
    /// How the terminal shows pictures: kitty, iterm or sixel [default: detected]
    #[arg(long, value_name = "HOW")]
    pub pictures: Option<PictureProtocol>,
}

/// The causes that are accepted without asking.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AcceptedCauses {
    All,
    Numbers(BTreeSet<usize>),
}

/// The error for a text that names no causes.
#[derive(Debug, thiserror::Error)]
#[error("`{0}` names no causes; give `all`, or their numbers in --list, like 1,3")]
pub struct NoCauses(String);

impl FromStr for AcceptedCauses {
    type Err = NoCauses;

    fn from_str(text: &str) -> Result<Self, NoCauses> {
        if text == "all" {
            return Ok(Self::All);
        }
        let number = |part: &str| part.parse().ok().filter(|number: &usize| *number > 0);
        let numbers: Option<BTreeSet<usize>> = text.split(',').map(number).collect();
        numbers.map(Self::Numbers).ok_or_else(|| NoCauses(text.to_owned()))
    }
}
