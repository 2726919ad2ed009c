//! A board that a board file describes, with the program that it runs.
//!
//! [`DescribedBoard::load`] reads the board file, the program and the tables of its panels, and
//! connects them: [`DescribedBoard::machine`] makes machines of it. Instead of a program for the chip, it
//! can run a firmware that is linked into this program ([`DescribedBoard::linked`]). The crate `board-file` reads the
//! file, [`pico`](crate::pico) is the machine. Parts without a model are listed
//! ([`DescribedBoard::missing`]); their pins are open.

mod display;
mod error;
mod fonts;
pub mod images;
mod parts;

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use board_file::BoardFile;
use hal_mock::board::{ControlConfig, DisplayConfig, TextReader};
use hal_mock::flash::FLASH_SIZE as STORAGE;
use hal_mock::memory::MemoryPart;
use hal_mock::{BoardConfig, Machine, setup::SetupError};
use ili9341_model::Region;
use rp2040_emulator::memory::FLASH_BASE;
use rp2040_emulator::program::{Program, ProgramError};
use sha2::{Digest as _, Sha256};
use trace::{BOARD_KEY, BoardParts, Buttons, Controls, Displays, Trace};
use virtual_time::Nanos;

pub use error::DescribedError;

use crate::header;
use crate::lcd_firmware::LcdFirmware;
use crate::pico::{Pico, Wiring};

/// Files that a board file names.
pub trait BoardFiles {
    /// Reads the program at `path`.
    ///
    /// # Errors
    /// If it cannot be read, or is no program for the chip.
    fn program(&mut self, path: &Path) -> Result<Program, ProgramError>;

    /// Reads the table of a panel, a font or an image at `path`. Of a file of more than `limit` bytes, any
    /// number of bytes above `limit` suffices.
    ///
    /// # Errors
    /// If it cannot be read.
    fn data(&mut self, path: &Path, limit: usize) -> io::Result<Vec<u8>>;
}

/// The files on the disk.
struct DiskFiles;

impl BoardFiles for DiskFiles {
    fn program(&mut self, path: &Path) -> Result<Program, ProgramError> {
        Program::load(path)
    }

    fn data(&mut self, path: &Path, limit: usize) -> io::Result<Vec<u8>> {
        host::input_files::read(path, limit)
    }
}

/// A firmware that is linked into this program and runs on described boards.
pub trait LinkedFirmware: fmt::Debug + Send + Sync {
    /// Makes a machine of the board `file`, with its power off.
    fn machine(&self, file: &Arc<BoardFile>, config: BoardConfig) -> Box<dyn Machine>;
}

/// What a described board runs.
#[derive(Clone, Debug)]
enum Firmware {
    /// A program for the chip, from this file.
    Program {
        program: Arc<Program>,
        path: PathBuf,
    },
    Linked(Arc<dyn LinkedFirmware>),
}

/// A board that a board file describes.
#[derive(Debug)]
pub struct DescribedBoard {
    path: PathBuf,
    file: Arc<BoardFile>,
    firmware: Firmware,
    wiring: Arc<Wiring>,
    /// The displays, at least one.
    displays: Vec<DisplayConfig>,
    parts: BoardParts,
    controls: Vec<ControlConfig>,
    bounces: Vec<Nanos>,
    text_reader: Option<TextReader>,
    /// SPI flashes and SD cards with their content at the first power-on.
    memories: Vec<MemoryPart>,
    /// Size of the chip's flash in bytes.
    flash_size: usize,
    digest: String,
    /// Settings of the LCD board's firmware, which this board has not.
    lcd_settings: &'static [&'static str],
}

impl DescribedBoard {
    /// Reads the board file at `path`, and the files that it names.
    ///
    /// # Errors
    /// If a file cannot be read or has errors, or if the machine cannot have a part that the board
    /// needs.
    pub fn load(path: &Path) -> Result<Self, DescribedError> {
        Self::load_with(path, None)
    }

    /// Like [`load`](Self::load), with the program at `program` instead of the one that the file
    /// names.
    ///
    /// # Errors
    /// As for [`load`](Self::load).
    pub fn load_with(path: &Path, program: Option<&Path>) -> Result<Self, DescribedError> {
        let bytes = board_file::read(path)?;
        Self::assemble(path, &bytes, &mut DiskFiles, Source::of(program))
    }

    /// Makes the board of the board file at `path`, which has these bytes, with its other files from
    /// `files`. With a `program`, that one runs instead of the one that the file names.
    ///
    /// # Errors
    /// As for [`load`](Self::load).
    pub fn with_files(
        path: &Path,
        bytes: &[u8],
        program: Option<&Path>,
        files: &mut dyn BoardFiles,
    ) -> Result<Self, DescribedError> {
        Self::assemble(path, bytes, files, Source::of(program))
    }

    /// Makes the board of a board file that was imported from the file at `path`, with the program at
    /// `program`.
    ///
    /// # Errors
    /// As for [`load`](Self::load).
    pub fn imported(path: &Path, text: &str, program: &Path) -> Result<Self, DescribedError> {
        Self::assemble(path, text.as_bytes(), &mut DiskFiles, Source::Program(program))
    }

    /// Makes the board of the board file at `path`, which has this text, with a firmware that is linked
    /// into this program.
    ///
    /// # Errors
    /// As for [`load`](Self::load).
    pub fn linked(
        path: &Path,
        text: &str,
        firmware: Arc<dyn LinkedFirmware>,
    ) -> Result<Self, DescribedError> {
        Self::assemble(path, text.as_bytes(), &mut DiskFiles, Source::Linked(firmware))
    }

    fn assemble(
        path: &Path,
        bytes: &[u8],
        files: &mut dyn BoardFiles,
        source: Source<'_>,
    ) -> Result<Self, DescribedError> {
        let file = board_file::parse_bytes(&path.display().to_string(), bytes)
            .map_err(board_file::BoardFileError::from)?;
        let mut hasher = Sha256::new();
        let mut hash = |bytes: &[u8]| {
            hasher.update((bytes.len() as u64).to_le_bytes());
            hasher.update(bytes);
        };
        hash(bytes);
        let folder = path.parent().unwrap_or(Path::new(""));
        let at = |error: DescribedError| error.at(path);
        let wiring = Wiring::try_from(&file).map_err(|error| at(error.into()))?;
        let displays = file.display.iter();
        let displays = displays
            .map(|display| display::config(display, &file.permit, folder, files, &mut hash));
        let displays = displays.collect::<Result<Vec<_>, _>>().map_err(at)?;
        let text_reader = fonts::reader(&file, folder, files, &mut hash).map_err(at)?;
        let memories =
            images::memories(&file, folder, files, &mut hash).map_err(|error| at(error.into()))?;
        let buttons = Buttons::new(file.button_names()).map_err(|error| at(error.into()))?;
        let panels: Vec<Region> = displays.iter().map(display::panel).collect();
        let controls = parts::controls(&file);
        let leds = parts::leds(&file).map_err(|error| at(error.into()))?;
        let names = controls.iter().map(|control| (control.kind, control.name.as_str()));
        let parts = BoardParts {
            buttons,
            controls: Controls::new(names).map_err(|error| at(error.into()))?,
            leds,
            panel: panels.first().copied().unwrap_or(Region::PANEL),
            displays: Displays::new(file.display_names().zip(panels.iter().copied()))
                .map_err(|error| at(error.into()))?,
        };
        let named = file.program.as_ref().map(|program| folder.join(&program.0));
        let firmware = match source {
            Source::Linked(firmware) => Firmware::Linked(firmware),
            Source::Program(path) => loaded(path.to_owned(), files, &mut hash)?,
            Source::OfFile => {
                let path = named.ok_or_else(|| at(DescribedError::NoProgram))?;
                loaded(path, files, &mut hash)?
            }
        };
        let digest = hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        let bounces = file.button.iter().map(|button| Nanos(button.bounce.0)).collect();
        Ok(Self {
            path: path.to_owned(),
            firmware,
            wiring: Arc::new(wiring),
            displays,
            parts,
            controls,
            bounces,
            text_reader,
            memories,
            flash_size: usize::try_from(file.flash.0).unwrap_or(usize::MAX),
            digest,
            file: Arc::new(file),
            lcd_settings: &[],
        })
    }

    /// Gives the board the names of the settings of the LCD board's firmware, for the message about a
    /// header that sets one of them.
    #[must_use]
    pub fn with_lcd_settings(mut self, settings: &'static [&'static str]) -> Self {
        self.lcd_settings = settings;
        self
    }

    /// Builds the board with the settings of a trace's header, with its power off. `flash` is the
    /// content of the last 256 KiB of the chip's flash; `None`: as the program's file has it.
    ///
    /// # Errors
    /// If the header is wrong.
    pub fn machine(
        &self,
        trace: &Trace,
        flash: Option<Vec<u8>>,
    ) -> Result<Box<dyn Machine>, SetupError> {
        match &self.firmware {
            Firmware::Program { program, .. } => {
                Ok(Box::new(self.on_chip(program, self.config(trace, flash)?)))
            }
            Firmware::Linked(firmware) => {
                Ok(firmware.machine(&self.file, self.config(trace, flash)?))
            }
        }
    }

    /// Builds the machine like [`machine`](Self::machine), if its firmware is linked into this program. A
    /// program that calls only this one does not link the emulated chip.
    ///
    /// # Errors
    /// As for [`machine`](Self::machine).
    pub fn linked_machine(
        &self,
        trace: &Trace,
        flash: Option<Vec<u8>>,
    ) -> Result<Option<Box<dyn Machine>>, SetupError> {
        let Firmware::Linked(firmware) = &self.firmware else { return Ok(None) };
        Ok(Some(firmware.machine(&self.file, self.config(trace, flash)?)))
    }

    /// Builds the machine like [`machine`](Self::machine), if it is an emulated chip.
    ///
    /// # Errors
    /// As for [`machine`](Self::machine).
    pub fn pico(&self, trace: &Trace, flash: Option<Vec<u8>>) -> Result<Option<Pico>, SetupError> {
        let Some(program) = self.program() else { return Ok(None) };
        Ok(Some(self.on_chip(program, self.config(trace, flash)?)))
    }

    fn on_chip(&self, program: &Arc<Program>, config: BoardConfig) -> Pico {
        let (program, wiring) = (Arc::clone(program), Arc::clone(&self.wiring));
        let permitted = self.file.permit.iter().map(|rule| rule.0).collect();
        let pico = Pico::with_wiring(program, wiring, config).with_flash_size(self.flash_size);
        let pico = pico.with_crystal(self.file.crystal.0);
        pico.with_memories(self.memories.clone()).with_permitted(permitted)
    }

    fn config(&self, trace: &Trace, flash: Option<Vec<u8>>) -> Result<BoardConfig, SetupError> {
        let config = header::described(trace, flash, self.lcd_settings)?;
        // Without a line `bounce` the contacts are those of the file.
        let bounces = if trace.get("bounce").is_some() { Vec::new() } else { self.bounces.clone() };
        Ok(BoardConfig {
            flash: config.flash.or_else(|| self.storage()),
            display: self.displays.first().copied().unwrap_or_default(),
            more_displays: self.displays.iter().skip(1).copied().collect(),
            displays: self.parts.displays.clone(),
            buttons: self.parts.buttons.clone(),
            bounces,
            text_reader: self.text_reader.clone(),
            controls: self.controls.clone(),
            leds: self.parts.leds.clone(),
            memories: if self.program().is_some() { Vec::new() } else { self.memories.clone() },
            ..config
        })
    }

    /// Returns the path of the board file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the description.
    pub fn file(&self) -> &BoardFile {
        &self.file
    }

    /// Returns the places of the parts on the face.
    pub fn face(&self) -> board_file::Face {
        board_file::layout(&self.file)
    }

    /// Returns the paths of the table of the panel, of the fonts and of the images, as far as they are
    /// files.
    pub fn data_paths(&self) -> impl Iterator<Item = PathBuf> + '_ {
        let folder = self.path.parent().unwrap_or(Path::new(""));
        self.file.data_files().map(move |file| folder.join(file))
    }

    /// Returns the program that the board runs; `None` for a linked firmware.
    pub fn program(&self) -> Option<&Arc<Program>> {
        match &self.firmware {
            Firmware::Program { program, .. } => Some(program),
            Firmware::Linked(_) => None,
        }
    }

    /// Returns the path of the program; `None` for a linked firmware.
    pub fn program_path(&self) -> Option<&Path> {
        match &self.firmware {
            Firmware::Program { path, .. } => Some(path),
            Firmware::Linked(_) => None,
        }
    }

    /// Returns the parts that the lines of a trace name.
    pub fn parts(&self) -> &BoardParts {
        &self.parts
    }

    /// Returns the SHA-256 of the board file, the other files that it names and its program, in
    /// hexadecimal digits.
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// Returns the parts of the file that the machine does not have, as messages name them.
    pub fn missing(&self) -> Vec<String> {
        const MODELLED: [&str; 11] = [
            "display",
            "button",
            "switch",
            "matrix",
            "encoder",
            "joystick",
            "potentiometer",
            "led",
            "i2c_device",
            "spi_flash",
            "sd_card",
        ];
        const MODELLED_ON_CHIPS: [&str; 1] = ["touch"];
        let is_chip = self.program().is_some();
        let parts = self.file.parts();
        let first_uart = |part: &board_file::Part<'_>| !part.pins.is_empty();
        let mut has_console = false;
        let mut has_buzzer = false;
        let mut missing = Vec::new();
        for part in &parts {
            let is_modelled = match part.kind {
                "console" if first_uart(part) => !std::mem::replace(&mut has_console, true),
                "console" => false,
                "buzzer" => !std::mem::replace(&mut has_buzzer, true),
                kind => MODELLED.contains(&kind) || is_chip && MODELLED_ON_CHIPS.contains(&kind),
            };
            if !is_modelled {
                missing.push(part.label());
            }
        }
        missing
    }

    /// Returns the part of the program in the last 256 KiB of the flash, if it has one there.
    fn storage(&self) -> Option<Vec<u8>> {
        let begin = FLASH_BASE as usize + self.flash_size.checked_sub(STORAGE)?;
        let mut storage = vec![0xFF; STORAGE];
        let mut any = false;
        for segment in &self.program()?.image().segments {
            let start = segment.address as usize;
            for (at, byte) in (start..).zip(&segment.bytes) {
                let place = at.checked_sub(begin).and_then(|at| storage.get_mut(at));
                if let Some(place) = place {
                    *place = *byte;
                    any = true;
                }
            }
        }
        any.then_some(storage)
    }
}

/// Source of the firmware of a board.
enum Source<'a> {
    /// The program that the board file names.
    OfFile,
    Program(&'a Path),
    Linked(Arc<dyn LinkedFirmware>),
}

impl<'a> Source<'a> {
    fn of(program: Option<&'a Path>) -> Self {
        program.map_or(Self::OfFile, Self::Program)
    }
}

/// Returns the program at `path`, whose content `hash` gets.
fn loaded(
    path: PathBuf,
    files: &mut dyn BoardFiles,
    hash: &mut impl FnMut(&[u8]),
) -> Result<Firmware, DescribedError> {
    let program = files.program(&path)?;
    for segment in &program.image().segments {
        hash(&segment.address.to_le_bytes());
        hash(&segment.bytes);
    }
    Ok(Firmware::Program { program: Arc::new(program), path })
}

/// Returns the path of the board file that the header of `trace` names; `None` if it names none.
pub fn path_of_header(trace: &Trace) -> Option<PathBuf> {
    let entry = trace.get(BOARD_KEY)?;
    Some(trace.folder.as_deref().unwrap_or(Path::new("")).join(&entry.value))
}

/// Returns the board that the header of `trace` names; `None` if it names none. `firmware` is that of the
/// LCD board.
///
/// # Errors
/// If the board cannot be loaded, with the place in the trace.
pub(crate) fn of_header(
    trace: &Trace,
    firmware: &dyn LcdFirmware,
) -> Result<Option<DescribedBoard>, SetupError> {
    let Some(path) = path_of_header(trace) else { return Ok(None) };
    let Some(entry) = trace.get(BOARD_KEY) else { return Ok(None) };
    match DescribedBoard::load(&path) {
        Ok(board) => Ok(Some(board.with_lcd_settings(firmware.settings()))),
        Err(error) => Err(SetupError::at(entry.value_place, error)),
    }
}
