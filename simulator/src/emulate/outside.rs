//! The surroundings of the chip in `nudge emulate`: voltages, wires, stimuli of pins, UART1, a log
//! of the buses, and the user's boot ROM.

use std::io::{self, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

use boards::pico::button_pins;
use host::output_files::{Output, OutputError, OutputFile};
use rp2040_emulator::chip::{AnalogInput, Chip, PinChange, WrongRomSize};
use rp2040_tools::analog::{self, AdcSource, AdcTableError};
use rp2040_tools::bus_log::BusLog;
use rp2040_tools::line::Line;
use rp2040_tools::stimuli::presses::PressesError;
use rp2040_tools::stimuli::{Stimuli, StimuliError};
use runner::{OpenError, open_trace};
use thiserror::Error;
use virtual_time::Instant;

use crate::cli::SurroundingsArgs;

/// Maximum size of a voltage table and of UART1's input in bytes: 64 MiB.
const FILE_BYTES_MAX: usize = 64 * 1024 * 1024;
const UART1: usize = 1;

/// Errors while something is connected to the chip.
#[derive(Debug, Error)]
pub enum SurroundingsError {
    #[error("{option} {}: {error}", path.display())]
    Unreadable {
        /// The option that names the file.
        option: &'static str,
        path: PathBuf,
        #[source]
        error: io::Error,
    },
    /// A file exceeds [`FILE_BYTES_MAX`].
    #[error("{option} {}: it has more than {FILE_BYTES_MAX} bytes", path.display())]
    TooLarge {
        /// The option that names the file.
        option: &'static str,
        path: PathBuf,
    },
    /// A voltage table is invalid.
    #[error("--adc {}: {error}", path.display())]
    Table {
        path: PathBuf,
        #[source]
        error: AdcTableError,
    },
    /// A voltage table is not text.
    #[error("--adc {}: it is no text", .0.display())]
    NoText(PathBuf),
    /// A waveform drives no pins.
    #[error("--pins {}: {error}", path.display())]
    Stimuli {
        path: PathBuf,
        #[source]
        error: StimuliError,
    },
    /// A trace cannot be read.
    #[error("--pins: {0}")]
    Trace(#[from] OpenError),
    /// A trace's buttons cannot be pin stimuli.
    #[error("--pins {}: {error}", path.display())]
    Presses {
        path: PathBuf,
        #[source]
        error: PressesError,
    },
    /// The boot ROM has the wrong size.
    #[error("--boot-rom {}: {error}", path.display())]
    Rom {
        path: PathBuf,
        #[source]
        error: WrongRomSize,
    },
    /// More wires than the chip supports.
    #[error("--wire: there are more than 15 wires")]
    Wires,
    #[error(transparent)]
    File(#[from] OutputError),
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Everything connected to the chip.
pub struct Surroundings {
    stimuli: Option<Stimuli>,
    line: Option<Line>,
    sent: Option<OutputFile>,
    log: Option<BusLog<BufWriter<OutputFile>>>,
}

impl Surroundings {
    /// Connects everything to `chip`, which has not run yet.
    pub fn connect(
        args: &SurroundingsArgs,
        force: bool,
        chip: &mut Chip,
    ) -> Result<Self, SurroundingsError> {
        if let Some(path) = &args.boot_rom {
            let rom = bytes("--boot-rom", path)?;
            let wrong = |error| SurroundingsError::Rom { path: path.clone(), error };
            chip.set_boot_rom(&rom).map_err(wrong)?;
        }
        for setting in &args.adc {
            let input = match &setting.source {
                AdcSource::Volts(volts) => AnalogInput::Volts(*volts),
                AdcSource::File(path) => table(Path::new(path))?,
            };
            chip.set_analog_input(setting.input, input);
        }
        if !args.wire.iter().all(|pins| chip.wire(*pins)) {
            return Err(SurroundingsError::Wires);
        }
        if args.count_cache {
            chip.start_cache_counters();
        }
        let mut stimuli = args.pins.as_deref().map(stimuli).transpose()?;
        if let Some(stimuli) = &mut stimuli {
            chip.observe_functions();
            stimuli.apply(chip);
        }
        let line = args.uart1_input.as_ref().map(|path| {
            let mut line = Line::new(UART1);
            line.send(&bytes("--uart1-input", path)?);
            Ok::<_, SurroundingsError>(line)
        });
        let open = |path: Option<&PathBuf>| {
            path.map(|path| Output::new(path).replace(force).create()).transpose()
        };
        let log = open(args.log_bus.as_ref())?;
        Ok(Self {
            stimuli,
            line: line.transpose()?,
            sent: open(args.uart1.as_ref())?,
            log: log.map(|file| BusLog::new(BufWriter::new(file), chip)),
        })
    }

    /// Reads the bytes that the chip has sent since the last call, in which its pins had these
    /// changes, and drives the pins that are due.
    pub fn take(&mut self, chip: &mut Chip, changes: &[PinChange]) -> io::Result<()> {
        if let Some(file) = &mut self.sent {
            let bytes: Vec<u8> = chip.take_sent(UART1).iter().map(|(_, byte)| *byte).collect();
            file.write_all(&bytes)?;
        }
        if let Some(log) = &mut self.log {
            log.take(chip, changes)?;
        }
        if let Some(stimuli) = &mut self.stimuli {
            stimuli.apply(chip);
        }
        Ok(())
    }

    /// Returns a sentence on what was mended in the dump of `--pins`.
    pub fn note(&self) -> Option<String> {
        let oddities = self.stimuli.as_ref()?.oddities();
        (!oddities.is_empty()).then(|| format!("the dump of --pins is read although {oddities}"))
    }

    /// Returns a byte for UART1 if one has arrived by now.
    pub fn give(&mut self, chip: &Chip) -> Option<(usize, u8)> {
        self.line.as_mut()?.give(chip)
    }

    /// Returns the time of the next byte or pin change.
    pub fn next(&self) -> Option<Instant> {
        let byte = self.line.as_ref().and_then(Line::next);
        let pin = self.stimuli.as_ref().and_then(Stimuli::next);
        byte.into_iter().chain(pin).min()
    }

    /// Completes the files.
    pub fn finish(self) -> Result<(), SurroundingsError> {
        if let Some(log) = self.log {
            let file = log.finish()?.into_inner().map_err(io::IntoInnerError::into_error)?;
            file.commit()?;
        }
        self.sent.map_or(Ok(()), OutputFile::commit)?;
        Ok(())
    }
}

fn bytes(option: &'static str, path: &Path) -> Result<Vec<u8>, SurroundingsError> {
    let wrong = |error| SurroundingsError::Unreadable { option, path: path.to_owned(), error };
    let bytes = host::input_files::read(path, FILE_BYTES_MAX).map_err(wrong)?;
    if bytes.len() > FILE_BYTES_MAX {
        return Err(SurroundingsError::TooLarge { option, path: path.to_owned() });
    }
    Ok(bytes)
}

fn table(path: &Path) -> Result<AnalogInput, SurroundingsError> {
    let text = String::from_utf8(bytes("--adc", path)?);
    let text = text.map_err(|_| SurroundingsError::NoText(path.to_owned()))?;
    analog::table(&text).map_err(|error| SurroundingsError::Table { path: path.to_owned(), error })
}

fn stimuli(path: &Path) -> Result<Stimuli, SurroundingsError> {
    let option = "--pins";
    if path.extension().is_some_and(|extension| extension == "trace") {
        let trace = open_trace(path)?;
        let wrong = |error| SurroundingsError::Presses { path: path.to_owned(), error };
        return Stimuli::of_trace(&trace, &button_pins()).map_err(wrong);
    }
    let file = host::input_files::open(path).map_err(|error| SurroundingsError::Unreadable {
        option,
        path: path.to_owned(),
        error,
    })?;
    let stimuli = Stimuli::read(BufReader::new(file));
    stimuli.map_err(|error| SurroundingsError::Stimuli { path: path.to_owned(), error })
}
