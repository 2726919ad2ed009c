//! The arguments of `nudge board`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::output;

#[derive(Debug, Subcommand)]
pub enum BoardVerb {
    /// Check board files, and list their parts with pins, keys and places
    Check(BoardCheckArgs),
    /// Draw the face of a board as text
    Show(BoardShowArgs),
    /// Print the JSON schema of board files, for editors
    Schema(BoardSchemaArgs),
    /// Write a board file from Wokwi's diagram.json or a Zephyr devicetree overlay
    Import(BoardImportArgs),
}

#[derive(Debug, Args)]
pub struct BoardCheckArgs {
    /// Board files, NAME.board.toml [default: the LCD board, which is built in]
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Print the parts, or the errors, as JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct BoardShowArgs {
    /// The board file [default: the LCD board, which is built in]
    #[arg(value_name = "FILE")]
    pub file: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct BoardSchemaArgs {
    /// Print the tables of docs/board-file.md instead
    #[arg(long)]
    pub markdown: bool,
}

#[derive(Debug, Args)]
pub struct BoardImportArgs {
    /// Wokwi's diagram.json, or a devicetree overlay (.overlay, .dts)
    #[arg(value_name = "FROM")]
    pub from: PathBuf,
    /// The board file to write [default: FROM, with the ending .board.toml]
    #[arg(long, short, value_name = "FILE", value_parser = output::board_file)]
    pub output: Option<PathBuf>,
    /// Replace the file if it exists
    #[arg(long)]
    pub force: bool,
}

impl BoardImportArgs {
    /// Returns the path of the board file.
    pub fn output(&self) -> PathBuf {
        self.output.clone().unwrap_or_else(|| self.from.with_extension("board.toml"))
    }
}
