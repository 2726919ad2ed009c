//! `nudge probe` and `nudge probes`.

use std::path::PathBuf;

use boards::emulated_probe::WireFault;
use clap::{Args, Subcommand};

use crate::number::whole;

#[derive(Debug, Subcommand)]
pub enum ProbeVerb {
    /// Look at the wires while the board starts, press each button, and name the wire that is
    /// likely wrong
    Doctor(ProbePorts),
    /// Write the probe's firmware to the drive of a Pico that waits for one
    Flash(ProbeFlashArgs),
    /// Write the board's firmware into its flash, through the probe and the board's debug port
    FlashBoard(ProbeFlashBoardArgs),
    /// A pseudo-terminal with an emulated probe and board behind it, as if it were a real probe's
    /// port
    Emulate(ProbeEmulateArgs),
}

#[derive(Debug, Args)]
pub struct ProbeEmulateArgs {
    /// Factor by which the probe is at least slower than a real one; the other nudge reads it from
    /// NUDGE_PROBE_SLOWER
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = whole(1_u32..=1000))]
    pub slower: u32,
    /// A fault of a wire: cut=b3, low=lcd-dc, high=lcd-rst, poor=lcd-sck, swap=t1,t2. May be
    /// repeated
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
    /// The board's firmware as ELF, UF2 or Intel HEX [default: the one that `make firmware` has
    /// built]
    #[arg(value_name = "FILE")]
    pub file: Option<PathBuf>,
    /// The port of a probe; can be repeated [default: all that are plugged in]
    #[arg(long, value_name = "PORT")]
    pub port: Vec<String>,
}
