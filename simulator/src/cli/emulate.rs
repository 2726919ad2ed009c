//! `nudge emulate`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use trace::parse_instant;
use virtual_time::Instant;

use super::emulate_logs::{CargoArgs, LogArgs};
use super::emulate_outside::SurroundingsArgs;
use super::flash_size::parse_flash_size;
use super::output;
use crate::number::whole;

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
    /// Whether a HardFault ends the run
    #[arg(long, value_enum, default_value_t, value_name = "HOW", conflicts_with = "gdb")]
    pub on_fault: OnFault,
    /// Fail if the program does what the chip would not do
    #[arg(long, conflicts_with = "gdb")]
    pub strict: bool,
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

/// Decision whether a HardFault or a lockup ends the run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum OnFault {
    /// Fails, unless the handler returns or the watchdog resets the chip: that is a note
    #[default]
    Judge,
    /// Fails at every HardFault
    Stop,
    /// Only notes
    Continue,
}

impl From<OnFault> for rp2040_tools::OnFault {
    fn from(on_fault: OnFault) -> Self {
        match on_fault {
            OnFault::Judge => Self::Judge,
            OnFault::Stop => Self::Stop,
            OnFault::Continue => Self::Continue,
        }
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
