//! The tables of a board file, one type each.

mod controls;
mod devices;
mod display;
mod font;
mod outputs;
mod touch;

use serde_json::{Value as Json, json};

use crate::error::BoardErrorKind;
use crate::limits::VERSION;
use crate::quantity::{BaudRate, ByteSize, Frequency};
use crate::reader::{Entry, Raw, Reader, quoted};
use crate::rule_names::RuleName;
use crate::table::value::{FilePath, Name, Pin, Text};
use crate::table::{Value, table, words, wrong_type};

pub use controls::{Button, Driven, Encoder, Joystick, Matrix, Position, Potentiometer, Switch};
pub use devices::{I2cDevice, Register, SdCard, SpiFlash};
pub use display::{Display, Mirror, Rotation, Subpixels};
pub use font::{BuiltInFont, Font};
pub use outputs::{Buzzer, BuzzerKind, ColourOrder, Led, LedKind};
pub use touch::{Touch, TouchController};

/// 4 KiB, the smallest flash: one sector.
const SECTOR: u64 = 4 << 10;
/// 16 MiB, the largest flash that the chip addresses (RP2040 datasheet, 2.6.3).
const FLASH_MAX: u64 = 16 << 20;

table! {
    /// The keys before the first table.
    BoardFile, "the board" {
        /// Version of the format: 1.
        board: Version = required;
        /// Name of the board in titles and reports.
        name: Text = required;
        /// The chip; only the RP2040 is emulated.
        chip: Chip = required;
        /// Size of the program's flash.
        flash: ByteSize<SECTOR, FLASH_MAX> = default("2 MiB");
        /// Frequency of the crystal.
        crystal: Frequency<1_000_000, 15_000_000> = default("12 MHz");
        /// The program that the board runs: UF2, ELF or a flash image.
        program: FilePath = optional;
        /// Rules of the displays and of the chip that the program is known to break: a break is a notice and fails no trace.
        permit: Vec<RuleName> = list;
        /// Serial consoles.
        console: Vec<Console> = list;
        /// Displays; a board has at least one.
        display: Vec<Display> = list;
        /// Push buttons.
        button: Vec<Button> = list;
        /// Switches that remain in their position.
        switch: Vec<Switch> = list;
        /// Key matrices.
        matrix: Vec<Matrix> = list;
        /// Rotary encoders.
        encoder: Vec<Encoder> = list;
        /// Joysticks with two potentiometers.
        joystick: Vec<Joystick> = list;
        /// Potentiometers, sliders and other analog sources.
        potentiometer: Vec<Potentiometer> = list;
        /// Touch panels on displays.
        touch: Vec<Touch> = list;
        /// LEDs.
        led: Vec<Led> = list;
        /// Buzzers.
        buzzer: Vec<Buzzer> = list;
        /// SPI flash chips beside the program's flash.
        spi_flash: Vec<SpiFlash> = list;
        /// SD cards.
        sd_card: Vec<SdCard> = list;
        /// I2C devices whose registers have fixed answers.
        i2c_device: Vec<I2cDevice> = list;
        /// Wires between two pins of the chip.
        wire: Vec<Wire> = list;
        /// Fonts with which text is read off the displays.
        font: Vec<Font> = list;
    }
}

table! {
    /// A serial console: what the program prints there is the console of traces.
    Console, "a console" {
        /// Name of the console; needed if there are several.
        name: Name = optional;
        /// How the console is connected.
        kind: ConsoleKind = required;
        /// Pin on which the program sends; only for `uart`.
        tx: Pin = optional;
        /// Pin on which the program receives; only for `uart`, and only if it does.
        rx: Pin = optional;
        /// Rate of the line; only for `uart`.
        baud: BaudRate<300, 8_000_000> = default("115200 baud");
    }
}

words! {
    /// Connection of a console.
    ConsoleKind {
        /// Two pins, with 8 data bits and no parity.
        Uart = "uart",
        /// The serial port of the program's USB device (CDC).
        Usb = "usb",
    }
}

words! {
    /// Level of a pin.
    Level {
        /// 0 V.
        Low = "low",
        /// 3.3 V.
        High = "high",
    }
}

words! {
    /// Resistor of the board at a pin. The program can switch on those of the chip in addition.
    Pull {
        /// No resistor on the board.
        None = "none",
        /// To 3.3 V.
        Up = "up",
        /// To ground.
        Down = "down",
    }
}

table! {
    /// A wire between two pins of the chip.
    Wire, "a wire" {
        /// The two pins.
        pins: Vec<Pin> = required;
    }
}

/// The version of the format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Version;

impl Value for Version {
    fn shape() -> String {
        format!("`{VERSION}`")
    }

    fn example() -> String {
        VERSION.to_string()
    }

    fn json() -> Json {
        json!({ "const": VERSION })
    }

    fn fallback() -> Option<Self> {
        Some(Self)
    }

    fn read(entry: Entry<'_>, reader: &mut Reader) -> Option<Self> {
        match entry.raw {
            Raw::Whole(Some(VERSION)) => Some(Self),
            Raw::Whole(Some(found)) => reader.refuse(entry.span, BoardErrorKind::Version { found }),
            _ => wrong_type::<Self, Self>(entry, reader),
        }
    }
}

/// The chip of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chip {
    Rp2040,
}

impl Value for Chip {
    fn shape() -> String {
        "`\"rp2040\"`".into()
    }

    fn example() -> String {
        "\"rp2040\"".into()
    }

    fn json() -> Json {
        json!({ "const": "rp2040" })
    }

    fn fallback() -> Option<Self> {
        Some(Self::Rp2040)
    }

    fn read(entry: Entry<'_>, reader: &mut Reader) -> Option<Self> {
        match entry.raw {
            Raw::Text("rp2040") => Some(Self::Rp2040),
            Raw::Text(other) => {
                reader.refuse(entry.span, BoardErrorKind::UnknownChip(quoted(other)))
            }
            _ => wrong_type::<Self, Self>(entry, reader),
        }
    }
}
