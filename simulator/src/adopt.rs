//! `nudge adopt`: writes the board file of a program, by watching the pins of the chip that runs
//! it.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use adopt::{
    Bus, Certainty, Encoder, Findings, Signal, SpiDevice, SpiDeviceKind, adopt as watch, board_text,
};
use boards::described::{BoardFiles, DescribedBoard};
use hal_mock::Machine as _;
use host::Exit;
use host::output_files::{Output, OutputError};
use rp2040_emulator::chip::BootError;
use rp2040_emulator::program::{Program, ProgramError};
use trace::Trace;
use virtual_time::Instant;

use crate::cli::AdoptArgs;

/// Extension of board files.
const EXTENSION: &str = "board.toml";

/// Errors of `nudge adopt`.
#[derive(Debug, thiserror::Error)]
enum AdoptError {
    #[error(transparent)]
    Program(#[from] ProgramError),
    /// The chip does not start the program.
    #[error("{}: {error}", path.display())]
    Boot {
        path: PathBuf,
        #[source]
        error: BootError,
    },
    #[error(transparent)]
    Output(#[from] OutputError),
}

pub fn adopt(args: &AdoptArgs, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<Exit> {
    match write_board_file(args) {
        Ok((path, findings, broken)) => {
            report(&findings, out)?;
            for rule in broken {
                writeln!(
                    out,
                    "broken  {rule}: a rule of the display or the chip; `permit` of the board file has it"
                )?;
            }
            writeln!(out, "wrote {}", path.display())?;
            Ok(Exit::Passed)
        }
        Err(error) => {
            writeln!(err, "nudge: {error}")?;
            Ok(Exit::Usage)
        }
    }
}

/// Returns the path of the board file: beside the program, unless the command line names one.
pub fn output_path(args: &AdoptArgs) -> PathBuf {
    args.output.clone().unwrap_or_else(|| args.file.with_extension(EXTENSION))
}

/// Writes the board file, and returns its path, the findings, and the rules that the program breaks.
fn write_board_file(
    args: &AdoptArgs,
) -> Result<(PathBuf, Findings, Vec<&'static str>), AdoptError> {
    let path = output_path(args);
    // Before the program runs, so that an existing file is reported at once.
    let mut file = Output::new(&path).create()?;
    let program = Program::load(&args.file)?;
    let findings =
        watch(&program).map_err(|error| AdoptError::Boot { path: args.file.clone(), error })?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let name = name.trim_end_matches(&format!(".{EXTENSION}")).to_owned();
    let text =
        |broken: &[&str]| board_text(&findings, &name, &program_path(&args.file, &path), broken);
    let broken = broken_rules(&path, &text(&[]), &program, findings.ended_ns);
    file.fill(text(&broken).as_bytes())?;
    file.commit()?;
    Ok((path, findings, broken))
}

/// Runs the program on the board of this text until `ended_ns`, and returns the rules
/// of the displays and the chip that it breaks. A program that stops broke those before. Empty if
/// the board cannot be built, for example without a display.
fn broken_rules(path: &Path, text: &str, program: &Program, ended_ns: u64) -> Vec<&'static str> {
    // A panel that is unsure is commented out, and a board needs one.
    let text = text.replacen("\n# panel =", "\npanel =", 1);
    let board = DescribedBoard::with_files(path, text.as_bytes(), None, &mut Loaded(program));
    let pico = board.map(|board| board.pico(&Trace::default(), None));
    let Ok(Ok(Some(mut pico))) = pico else { return Vec::new() };
    let ended = pico.power_on().and_then(|()| pico.run_until(Instant(ended_ns)));
    drop(ended);
    pico.broken_rules()
}

/// The files of a board file that was made here: the program, which is loaded.
struct Loaded<'a>(&'a Program);

impl BoardFiles for Loaded<'_> {
    fn program(&mut self, _: &Path) -> Result<Program, ProgramError> {
        Ok(self.0.clone())
    }

    fn data(&mut self, _: &Path, _: usize) -> io::Result<Vec<u8>> {
        Err(io::ErrorKind::NotFound.into())
    }
}

/// Returns the path of the program relative to the folder of the board file, if the program is in
/// that folder or below it; else its absolute path.
fn program_path(program: &Path, board_file: &Path) -> String {
    let absolute = |path: &Path| {
        let folder = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new(".")).canonicalize().ok();
        folder.map(|folder| folder.join(path.file_name().unwrap_or_default()))
    };
    let (Some(program_file), Some(board_file)) = (absolute(program), absolute(board_file)) else {
        return program.display().to_string();
    };
    let folder = board_file.parent().unwrap_or(Path::new(""));
    let path = program_file.strip_prefix(folder).unwrap_or(&program_file);
    path.display().to_string()
}

/// Prints one line for each finding.
fn report(findings: &Findings, out: &mut dyn Write) -> io::Result<()> {
    let mut line = |certainty: Certainty, what: &str, evidence: &str| {
        writeln!(out, "{:<7} {what}: {evidence}", certainty.word())
    };
    let at = |what: &str, signal: &Signal| format!("GP{} {what}", signal.pin);
    for display in findings.displays() {
        line(
            display.panel.certainty,
            &format!("panel {}", display.panel.name),
            &display.panel.evidence,
        )?;
        let bus = match &display.bus {
            Bus::Spi { sck, mosi, miso, chip_select, dc } => [
                Some(("SCK", sck)),
                Some(("MOSI", mosi)),
                miso.as_ref().map(|signal| ("MISO", signal)),
                chip_select.as_ref().map(|signal| ("CS", signal)),
                Some(("DC", dc)),
            ],
            Bus::I2c { sda, scl, .. } => [Some(("SDA", sda)), Some(("SCL", scl)), None, None, None],
        };
        let others = [
            ("RST", &display.reset),
            ("backlight", &display.backlight),
            ("TE", &display.tearing_effect),
        ];
        let others = others.map(|(what, signal)| signal.as_ref().map(|signal| (what, signal)));
        for (what, signal) in bus.into_iter().chain(others).flatten() {
            line(signal.certainty, &at(what, signal), &signal.evidence)?;
        }
        for (what, signal) in &display.candidates {
            line(signal.certainty, &at(what, signal), &signal.evidence)?;
        }
    }
    for button in &findings.buttons {
        line(button.signal.certainty, &at("button", &button.signal), &button.signal.evidence)?;
    }
    if let Some(matrix) = &findings.matrix {
        let read: Vec<String> = matrix.read.iter().map(|pin| format!("GP{pin}")).collect();
        let what = format!("matrix, read at {}", read.join(" "));
        line(matrix.certainty, &what, &matrix.evidence())?;
    }
    for Encoder { a, b } in &findings.encoders {
        line(a.certainty, &format!("GP{} GP{} encoder", a.pin, b.pin), &a.evidence)?;
    }
    for SpiDevice { kind, chip_select, interrupt } in &findings.devices {
        let what = match kind {
            SpiDeviceKind::SdCard => "CS of an SD card",
            SpiDeviceKind::Flash => "CS of an SPI flash",
            SpiDeviceKind::Touch => "CS of a touch controller",
            SpiDeviceKind::Unknown => "CS of another device",
        };
        line(chip_select.certainty, &at(what, chip_select), &chip_select.evidence)?;
        if let Some(irq) = interrupt {
            line(irq.certainty, &at("IRQ of the touch controller", irq), &irq.evidence)?;
        }
    }
    if let Some(buzzer) = &findings.buzzer {
        line(buzzer.signal.certainty, &at("buzzer", &buzzer.signal), &buzzer.signal.evidence)?;
    }
    for led in &findings.leds {
        line(led.signal.certainty, &at("LED", &led.signal), &led.signal.evidence)?;
    }
    for console in &findings.consoles {
        match console {
            adopt::Console::Uart { tx, rx } => {
                line(tx.certainty, &at("console TX", tx), &tx.evidence)?;
                if let Some(rx) = rx {
                    line(rx.certainty, &at("console RX", rx), &rx.evidence)?;
                }
            }
            adopt::Console::Usb { evidence } => line(Certainty::Unsure, "USB console", evidence)?,
        }
    }
    for found in &findings.i2c {
        line(found.certainty, &format!("I2C 0x{:02X}", found.address), &found.evidence)?;
        if let Some(irq) = &found.interrupt {
            line(irq.certainty, &at("IRQ of the touch controller", irq), &irq.evidence)?;
        }
    }
    Ok(())
}
