//! The options of `nudge emulate` for the surroundings of the chip: voltages, wires, stimuli,
//! UART1.

use std::path::PathBuf;

use clap::Args;
use rp2040_emulator::chip::PIN_COUNT;
use rp2040_tools::analog::AdcSetting;
use thiserror::Error;

use super::output;

#[derive(Debug, Args)]
pub struct SurroundingsArgs {
    /// What an input of the ADC has: volts, or a table of seconds and volts; temp=CELSIUS is the
    /// sensor
    #[arg(long, value_name = "CH=VOLTS|FILE.csv")]
    pub adc: Vec<AdcSetting>,
    /// Connect two pins, like gp4=gp5
    #[arg(long, value_name = "PIN=PIN", value_parser = wire)]
    pub wire: Vec<[usize; 2]>,
    /// Drive pins as the variables gpio0 to gpio29 of this waveform do (bootsel too), or a trace's
    /// buttons
    #[arg(long, value_name = "FILE.vcd|FILE.trace")]
    pub pins: Option<PathBuf>,
    /// Write what UART1 sends to FILE.txt or FILE.log; UART0 keeps standard output
    #[arg(long, value_name = "FILE", conflicts_with = "uart", value_parser = output::uart)]
    pub uart1: Option<PathBuf>,
    /// What UART1 receives, from its first byte on
    #[arg(long, value_name = "FILE", conflicts_with = "uart")]
    pub uart1_input: Option<PathBuf>,
    /// The traffic of SPI and I2C as text, a line a frame or byte, as FILE.txt or FILE.log
    #[arg(long, value_name = "FILE", value_parser = output::bus_log)]
    pub log_bus: Option<PathBuf>,
    /// The ROM of a real chip, 16 KiB, in the place of the replacement
    #[arg(long, value_name = "FILE")]
    pub boot_rom: Option<PathBuf>,
    /// Let the XIP cache's counters count from power-on, and not from their first use; this takes
    /// longer
    #[arg(long)]
    pub count_cache: bool,
}

/// Errors in the argument of `--wire`.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
enum WireError {
    #[error("it is not PIN=PIN, like gp4=gp5")]
    NoPair,
    #[error("there is no pin {0:?}; the pins are gp0 to gp29")]
    NoPin(String),
    #[error("a wire has two ends")]
    SamePin,
}

/// Parses two pins, each as `gp4`, `gpio4` or `4`.
fn wire(word: &str) -> Result<[usize; 2], WireError> {
    let (first, second) = word.split_once('=').ok_or(WireError::NoPair)?;
    let pin = |name: &str| {
        let lower = name.to_ascii_lowercase();
        let number = lower.trim_start_matches("gpio").trim_start_matches("gp");
        let pin = number.parse().ok().filter(|pin| *pin < PIN_COUNT);
        pin.ok_or_else(|| WireError::NoPin(name.to_owned()))
    };
    let pins = [pin(first)?, pin(second)?];
    if pins[0] == pins[1] { Err(WireError::SamePin) } else { Ok(pins) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wire_has_two_pins() {
        assert_eq!(wire("gp4=GPIO5"), Ok([4, 5]));
        assert_eq!(wire("0=29"), Ok([0, 29]));
        assert_eq!(wire("gp4"), Err(WireError::NoPair));
        assert_eq!(wire("gp4=gp30"), Err(WireError::NoPin("gp30".into())));
        assert_eq!(wire("gp4=4"), Err(WireError::SamePin));
    }
}
