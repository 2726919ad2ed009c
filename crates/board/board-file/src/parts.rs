//! The tables of a board file, one type each.

use serde_json::{Value as Json, json};

use crate::bus::Bus;
use crate::error::BoardErrorKind;
use crate::limits::VERSION;
use crate::panels::Panel;
use crate::quantity::{BaudRate, ByteSize, Duration, Frequency, Percent, PixelOffset, PixelSize};
use crate::reader::{Entry, Raw, Reader, quoted};
use crate::table::place::Place;
use crate::table::value::{AnalogPin, Colour, FilePath, KeyName, Name, Pin, Text, Whole};
use crate::table::{Value, table, words, wrong_type};

/// 4 KiB, the smallest flash: one sector.
const SECTOR: u64 = 4 << 10;
/// 16 MiB, the largest flash that the chip addresses (RP2040 datasheet, 2.6.3).
const FLASH_MAX: u64 = 16 << 20;
/// 32 GiB, the largest SDHC card.
const CARD_MAX: u64 = 32 << 30;

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

table! {
    /// A display.
    Display, "a display" {
        /// Name of the display; needed if there are several.
        name: Name = optional;
        /// The panel's controller.
        panel: Panel = required;
        /// The bus between chip and panel.
        bus: Bus = required;
        /// Size of the visible glass, unrotated; left out, the usual size of the panel.
        size: PixelSize = optional;
        /// Place of the glass's first pixel in the memory of the panel.
        offset: PixelOffset = default("0,0 px");
        /// How far the glass is turned clockwise on the face of the board.
        rotation: Rotation = default("0 deg");
        /// Whether the picture is mirrored, before it is turned.
        mirror: Mirror = default("none");
        /// Order of the colours in the glass's filter; left out, the usual one of the panel.
        subpixels: Subpixels = optional;
        /// Clock; for `spi4` and `spi3`.
        sck: Pin = optional;
        /// Data to the panel; for `spi4` and `spi3`.
        mosi: Pin = optional;
        /// Data from the panel; for `spi4`, if it is connected.
        miso: Pin = optional;
        /// Chip select, active low; left out, it is connected to ground.
        cs: Pin = optional;
        /// Data or command, also called RS or A0; for `spi4` and `parallel8`.
        dc: Pin = optional;
        /// Reset, active low; left out, the panel is reset at power-on only.
        rst: Pin = optional;
        /// Switches or dims the backlight; left out, it is always on.
        backlight: Pin = optional;
        /// Level with which the backlight is on.
        backlight_active: Level = default("high");
        /// Tearing effect: an output of the panel.
        te: Pin = optional;
        /// Clock; for `i2c`.
        scl: Pin = optional;
        /// Data; for `i2c`.
        sda: Pin = optional;
        /// Address on the bus, without the bit for reading; for `i2c`, where it is 0x3C if left out.
        address: Whole<8, 0x77> = optional;
        /// Write strobe; for `parallel8`.
        wr: Pin = optional;
        /// Read strobe; for `parallel8`, if it is connected.
        rd: Pin = optional;
        /// Data lines D0 to D7, in this order; for `parallel8`.
        data: Vec<Pin> = list;
        /// Place on the face; left out, it is laid out automatically.
        place: Place = optional;
    }
}

words! {
    /// Rotation of a display on the face, clockwise.
    Rotation {
        /// Upright.
        None = "0 deg",
        /// The top edge is on the right.
        Right = "90 deg",
        /// Upside down.
        Half = "180 deg",
        /// The top edge is on the left.
        Left = "270 deg",
    }
}

words! {
    /// Mirrored mounting of a display.
    Mirror {
        /// Not mirrored.
        None = "none",
        /// Left and right are exchanged.
        Horizontal = "horizontal",
        /// Top and bottom are exchanged.
        Vertical = "vertical",
    }
}

words! {
    /// Order of the colours in a glass's filter.
    Subpixels {
        /// Red, green, blue.
        Rgb = "rgb",
        /// Blue, green, red: a driver sets the bit BGR of MADCTL.
        Bgr = "bgr",
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
    /// A push button.
    Button, "a button" {
        /// Name in traces: `tap A`, `press UP`.
        name: Name = required;
        /// The pin that the button connects.
        pin: Pin = required;
        /// Level of the pin while the button is pressed.
        active: Level = default("low");
        /// Resistor of the board at the pin.
        pull: Pull = default("none");
        /// Longest time in which the contact bounces, if the trace does not set it.
        bounce: Duration<0, 1_000_000_000> = default("0 ms");
        /// Suggested keys of the keyboard; the first is the default.
        keys: Vec<KeyName> = list;
        /// Place on the face; left out, it is laid out automatically.
        place: Place = optional;
    }
}

table! {
    /// A switch that remains in its position.
    Switch, "a switch" {
        /// Name in traces: `switch S on`.
        name: Name = required;
        /// The pin that the switch connects.
        pin: Pin = required;
        /// Level of the pin while the switch is on.
        active: Level = default("low");
        /// Resistor of the board at the pin.
        pull: Pull = default("none");
        /// Position at power-on.
        position: Position = default("off");
        /// Suggested keys of the keyboard; each changes the position.
        keys: Vec<KeyName> = list;
        /// Place on the face; left out, it is laid out automatically.
        place: Place = optional;
    }
}

words! {
    /// Position of a switch.
    Position {
        /// Open.
        Off = "off",
        /// Closed.
        On = "on",
    }
}

table! {
    /// A matrix of buttons between row pins and column pins.
    Matrix, "a matrix" {
        /// Name of the matrix.
        name: Name = required;
        /// Pins of the rows, from the top.
        rows: Vec<Pin> = required;
        /// Pins of the columns, from the left.
        columns: Vec<Pin> = required;
        /// Names of the buttons in traces: a list for each row, with a name for each column.
        buttons: Vec<Vec<Name>> = required;
        /// Suggested keys of the keyboard, in the same order as `buttons`.
        keys: Vec<Vec<KeyName>> = list;
        /// The pins that the program drives while it scans.
        driven: Driven = default("rows");
        /// Level of a driven pin that selects its row or column.
        active: Level = default("low");
        /// Whether each button has a diode, so that any number of them can be pressed.
        diodes: bool = default(false);
        /// Place on the face; left out, it is laid out automatically.
        place: Place = optional;
    }
}

words! {
    /// The side of a matrix that the program drives.
    Driven {
        /// The program drives the rows and reads the columns.
        Rows = "rows",
        /// The program drives the columns and reads the rows.
        Columns = "columns",
    }
}

table! {
    /// A rotary encoder with two contacts. Its push button is a `[[button]]`.
    Encoder, "an encoder" {
        /// Name in traces: `turn ENC by 3`.
        name: Name = required;
        /// Contact that changes first when the knob is turned clockwise.
        a: Pin = required;
        /// Contact that changes second.
        b: Pin = required;
        /// Resistor of the board at both pins.
        pull: Pull = default("none");
        /// Number of detents of a full turn.
        detents: Whole<1, 1_000> = default(20);
        /// Number of edges, of both contacts together, between two detents.
        edges: Whole<1, 4> = default(4);
        /// Suggested keys of the keyboard: counterclockwise, clockwise.
        keys: Vec<KeyName> = list;
        /// Place on the face; left out, it is laid out automatically.
        place: Place = optional;
    }
}

table! {
    /// A joystick with two potentiometers. Its push button is a `[[button]]`.
    Joystick, "a joystick" {
        /// Name in traces: `set JOY 0.5,0.1`.
        name: Name = required;
        /// Pin of the horizontal axis.
        x: AnalogPin = required;
        /// Pin of the vertical axis.
        y: AnalogPin = required;
        /// Voltage at rest as a share of 3.3 V, for both axes.
        rest: Percent<0, 100> = default("50 %");
        /// Suggested keys of the keyboard: left, right, up, down.
        keys: Vec<KeyName> = list;
        /// Place on the face; left out, it is laid out automatically.
        place: Place = optional;
    }
}

table! {
    /// A potentiometer, a slider or another analog source.
    Potentiometer, "a potentiometer" {
        /// Name in traces: `set VOLUME 0.5`.
        name: Name = required;
        /// Pin of the wiper.
        pin: AnalogPin = required;
        /// Voltage at power-on as a share of 3.3 V.
        start: Percent<0, 100> = default("50 %");
        /// Suggested keys of the keyboard: less, more.
        keys: Vec<KeyName> = list;
        /// Place on the face; left out, it is laid out automatically.
        place: Place = optional;
    }
}

table! {
    /// An LED, or a chain of them.
    Led, "an LED" {
        /// Name in traces: `expect led NAME on`.
        name: Name = required;
        /// How the program controls the LED.
        kind: LedKind = default("plain");
        /// Pin; for `plain`, `pwm` and `ws2812`.
        pin: Pin = optional;
        /// Pin of the red LED; for `rgb`.
        red: Pin = optional;
        /// Pin of the green LED; for `rgb`.
        green: Pin = optional;
        /// Pin of the blue LED; for `rgb`.
        blue: Pin = optional;
        /// Level with which the LED is on; not for `ws2812`.
        active: Level = default("high");
        /// Colour on the face; for `plain` and `pwm`.
        colour: Colour = default("#ff2000");
        /// Number of LEDs in the chain; for `ws2812`.
        count: Whole<1, 1_024> = default(1);
        /// Order of the bytes of an LED; for `ws2812`.
        order: ColourOrder = default("grb");
        /// Place on the face; left out, it is laid out automatically.
        place: Place = optional;
    }
}

words! {
    /// Control of an LED.
    LedKind {
        /// A level.
        Plain = "plain",
        /// A duty cycle.
        Pwm = "pwm",
        /// Three duty cycles or levels.
        Rgb = "rgb",
        /// A chain of LEDs with one data line.
        Ws2812 = "ws2812",
    }
}

words! {
    /// Order of the bytes for a WS2812.
    ColourOrder {
        /// Green, red, blue.
        Grb = "grb",
        /// Red, green, blue.
        Rgb = "rgb",
        /// Green, red, blue, white.
        Grbw = "grbw",
    }
}

table! {
    /// A buzzer or a speaker.
    Buzzer, "a buzzer" {
        /// Name of the buzzer; needed if there are several.
        name: Name = optional;
        /// The pin with the wave.
        pin: Pin = required;
        /// How the program makes the wave.
        kind: BuzzerKind = default("pwm");
        /// Place on the face; left out, it is laid out automatically.
        place: Place = optional;
    }
}

words! {
    /// Source of a buzzer's wave.
    BuzzerKind {
        /// A PWM slice.
        Pwm = "pwm",
        /// A PIO state machine.
        Pio = "pio",
        /// The program changes the level itself.
        Toggled = "toggled",
    }
}

table! {
    /// An SPI flash chip beside the program's flash.
    SpiFlash, "an SPI flash" {
        /// Name of the chip; needed if there are several.
        name: Name = optional;
        /// Clock.
        sck: Pin = required;
        /// Data to the chip.
        mosi: Pin = required;
        /// Data from the chip.
        miso: Pin = required;
        /// Chip select, active low.
        cs: Pin = required;
        /// Size of the chip, a power of two.
        size: ByteSize<SECTOR, FLASH_MAX> = required;
        /// Its content at the first power-on; left out, it is erased. The file is never written.
        image: FilePath = optional;
    }
}

table! {
    /// An SD card in SPI mode.
    SdCard, "an SD card" {
        /// Name of the card; needed if there are several.
        name: Name = optional;
        /// Clock.
        sck: Pin = required;
        /// Data to the card.
        mosi: Pin = required;
        /// Data from the card.
        miso: Pin = required;
        /// Chip select, active low.
        cs: Pin = required;
        /// Contact of the slot that is closed while a card is inserted.
        detect: Pin = optional;
        /// Size of the card, in whole sectors of 512 B; left out, that of the image. The rest of the card
        /// reads as zeros.
        size: ByteSize<SECTOR, CARD_MAX> = optional;
        /// Its content at the first power-on, from its first sector on; left out, the card is empty, or
        /// the slot if there is no `size`. The file is never written.
        image: FilePath = optional;
    }
}

table! {
    /// An I2C device whose registers have fixed answers.
    I2cDevice, "an I2C device" {
        /// Name of the device; needed if there are several.
        name: Name = optional;
        /// Data.
        sda: Pin = required;
        /// Clock.
        scl: Pin = required;
        /// Address on the bus, without the bit for reading.
        address: Whole<8, 0x77> = required;
        /// The registers; all others answer 0xFF.
        registers: Vec<Register> = list;
    }
}

table! {
    /// A register with its fixed answer.
    Register, "a register" {
        /// Number of the register: the first byte that the program writes.
        register: Whole<0, 0xFF> = required;
        /// The bytes that it answers; reading on repeats the last one.
        answer: Vec<Whole<0, 0xFF>> = required;
    }
}

table! {
    /// A wire between two pins of the chip.
    Wire, "a wire" {
        /// The two pins.
        pins: Vec<Pin> = required;
    }
}

words! {
    /// A font that many programs draw with; a name that is only a size is one of embedded-graphics.
    BuiltInFont {
        /// Cells of 4x6 px.
        Mono4x6 = "4x6",
        /// Cells of 5x7 px.
        Mono5x7 = "5x7",
        /// Cells of 5x8 px.
        Mono5x8 = "5x8",
        /// Cells of 6x9 px.
        Mono6x9 = "6x9",
        /// Cells of 6x10 px.
        Mono6x10 = "6x10",
        /// Cells of 6x12 px.
        Mono6x12 = "6x12",
        /// Cells of 6x13 px.
        Mono6x13 = "6x13",
        /// Cells of 6x13 px, bold.
        Mono6x13Bold = "6x13-bold",
        /// Cells of 7x13 px.
        Mono7x13 = "7x13",
        /// Cells of 7x13 px, bold.
        Mono7x13Bold = "7x13-bold",
        /// Cells of 7x14 px.
        Mono7x14 = "7x14",
        /// Cells of 8x13 px.
        Mono8x13 = "8x13",
        /// Cells of 9x15 px.
        Mono9x15 = "9x15",
        /// Cells of 9x18 px.
        Mono9x18 = "9x18",
        /// Cells of 10x20 px.
        Mono10x20 = "10x20",
        /// The default font of embedded-graphics 0.6; cells of 6x8 px.
        Vintage6x8 = "vintage-6x8",
        /// A font of embedded-graphics 0.6; cells of 6x12 px.
        Vintage6x12 = "vintage-6x12",
        /// A font of embedded-graphics 0.6; cells of 8x16 px.
        Vintage8x16 = "vintage-8x16",
        /// ProFont, 7 point.
        Profont7 = "profont-7",
        /// ProFont, 9 point.
        Profont9 = "profont-9",
        /// ProFont, 10 point.
        Profont10 = "profont-10",
        /// ProFont, 12 point.
        Profont12 = "profont-12",
        /// ProFont, 14 point.
        Profont14 = "profont-14",
        /// The font of Adafruit GFX without `setFont`; cells of 6x8 px.
        Adafruit5x7 = "adafruit-5x7",
        /// The font8x8 of Daniel Hepper; cells of 8x8 px.
        Font8x8 = "font8x8",
        /// The thin font of IBM's colour graphics adapter; cells of 8x8 px.
        Ibm8x8 = "ibm437-8x8",
        /// Its thick font, which it has by default; cells of 8x8 px.
        Ibm8x8Bold = "ibm437-8x8-bold",
    }
}

table! {
    /// A font with which text is read off the displays.
    Font, "a font" {
        /// The file: BDF, PSF, a GFXfont header (.h), or a sheet of glyphs (.png).
        file: FilePath = optional;
        /// A font that many programs draw with, in place of a file.
        built_in: BuiltInFont = optional;
        /// Size of a glyph; only for a sheet of glyphs.
        size: PixelSize = optional;
        /// Code point of the first glyph; only for a sheet of glyphs.
        first: Whole<0, 0x10_FFFF> = default(32);
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
