//! `nudge run`.

use std::path::PathBuf;

use boards::Board;
use clap::{Args, ValueEnum};
use firmware_core::systems::{Game, SYSTEMS};
use host::clock::Speed;
use trace::did_you_mean;

use super::output;
use super::panel_look::PanelLook;
use crate::number::whole;

#[derive(Debug, Args)]
pub struct RunArgs {
    /// A trace to continue at its end, or a program (.elf, .uf2): as if it were dropped on the
    /// window
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
