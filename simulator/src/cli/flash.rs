//! The arguments of `nudge flash`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

#[derive(Debug, Subcommand)]
pub enum FlashVerb {
    /// List its saved games and logs, newest first, its settings and its scores
    Ls(FlashImage),
    /// Write its saved games and logs as NAME.game.txt and NAME.log.txt
    Export(FlashExportArgs),
    /// Write saved games and logs into it; a missing image is created
    Import(FlashImportArgs),
    /// Delete saved games and logs from it
    Delete(FlashDeleteArgs),
}

#[derive(Debug, Args)]
pub struct FlashImage {
    /// The file that holds the board's flash
    pub image: PathBuf,
}

#[derive(Debug, Args)]
pub struct FlashExportArgs {
    /// The file that holds the board's flash
    pub image: PathBuf,
    /// Only the saved game and the log of this name
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
    /// The folder to write to
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub out: PathBuf,
    /// Replace files that exist
    #[arg(long)]
    pub force: bool,
}

#[derive(Debug, Args)]
pub struct FlashImportArgs {
    /// The file that holds the board's flash
    pub image: PathBuf,
    /// Saved games and logs as text
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Its name on the board [default: the FILE's, up to its first dot]
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
    /// Replace saved games and logs of the same name in the flash
    #[arg(long)]
    pub force: bool,
}

#[derive(Debug, Args)]
pub struct FlashDeleteArgs {
    /// The file that holds the board's flash
    pub image: PathBuf,
    /// The names on the board
    #[arg(required = true, value_name = "NAME")]
    pub names: Vec<String>,
    /// What they name, where a game and a log have the same name
    #[arg(long, value_name = "KIND")]
    pub kind: Option<FlashKind>,
}

/// The two kinds of files in a flash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum FlashKind {
    /// Saved games
    Game,
    /// Logs
    Log,
}
