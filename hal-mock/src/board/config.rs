//! Configuration of a board: its parts, its seeds, and the initial content of its flash.

use ili9341_model::{Ili9341, Module, Table, panel_tables};
use trace::{Buttons, Leds};
use virtual_time::Nanos;

use super::controls::ControlConfig;
use super::text_reader::TextReader;
use crate::flash::FlashReader;

/// Configuration of a [`VirtualBoard`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardConfig {
    /// SPI clock in hertz; 31.25 MHz on the board. Below 1 counts as 1.
    pub spi_hz: u32,
    /// Maximum bounce time of a contact; zero = contacts do not bounce.
    pub bounce: Nanos,
    /// Seed of contact bounce and of the LCD memory's contents at power-on.
    pub seed: u64,
    /// Seed of the board's entropy source, which returns different bits after each power-on.
    /// `None`: the source returns constant bits.
    pub entropy: Option<u64>,
    /// Contents of the last 256 KiB of the flash; `None` = factory-new, every byte `0xFF`. An image
    /// of another size is cut to 256 KiB or filled up with `0xFF`. A caller that reads an image
    /// from a file checks it first with [`FlashChip::from_image`].
    pub flash: Option<Vec<u8>>,
    /// Describes the flash for [`VirtualBoard::flash_lines`]; the board itself knows only bytes.
    pub flash_reader: Option<FlashReader>,
    /// Reads the text of the board's own fonts. `None`: the reader of whoever looks at the board.
    pub text_reader: Option<TextReader>,
    /// The LCD or OLED; the one of the LCD board by default.
    pub display: DisplayConfig,
    /// The buttons; those of the LCD board by default.
    pub buttons: Buttons,
    /// Maximum bounce times of the contacts, in pin order; the others have `bounce`.
    pub bounces: Vec<Nanos>,
    /// Encoders, switches, joysticks and potentiometers; none by default.
    pub controls: Vec<ControlConfig>,
    /// The LEDs; none by default.
    pub leds: Leds,
}

/// The display of a board: its controller, and how its panel is mounted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DisplayConfig {
    pub table: &'static Table,
    pub module: Module,
    pub wires: ili9341_model::Wires,
}

/// Returns the display of the LCD board.
impl Default for DisplayConfig {
    fn default() -> Self {
        let table = &panel_tables::ILI9341;
        Self { table, module: table.module, wires: ili9341_model::Wires::default() }
    }
}

impl DisplayConfig {
    /// Creates the panel without power.
    pub(super) fn panel(&self, seed: u64) -> Ili9341 {
        let mut panel = Ili9341::with_module(seed, self.table, self.module);
        panel.set_wires(self.wires);
        panel
    }
}

impl Default for BoardConfig {
    fn default() -> Self {
        Self {
            spi_hz: 31_250_000,
            bounce: Nanos::ZERO,
            seed: 0,
            entropy: None,
            flash: None,
            flash_reader: None,
            text_reader: None,
            display: DisplayConfig::default(),
            buttons: Buttons::lcd_board(),
            bounces: Vec::new(),
            controls: Vec::new(),
            leds: Leds::default(),
        }
    }
}
