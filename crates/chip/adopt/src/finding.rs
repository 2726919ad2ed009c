//! The findings about a board.

/// Certainty of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Certainty {
    /// A guess, which a board file contains as a comment.
    Unsure,
    /// The usual meaning of the evidence, but others are possible.
    Likely,
    /// The evidence has no other meaning.
    Sure,
}

impl Certainty {
    /// Returns the word for messages.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Unsure => "unsure",
            Self::Likely => "likely",
            Self::Sure => "sure",
        }
    }
}

/// A pin with a role.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signal {
    /// Number of the pin, 0 to 29.
    pub pin: u8,
    pub certainty: Certainty,
    /// Observation that leads to the finding, as the end of a sentence about the pin.
    pub evidence: String,
}

/// All findings.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Findings {
    pub display: Option<Display>,
    pub buttons: Vec<Button>,
    pub encoders: Vec<Encoder>,
    /// Further displays, of which each is sure.
    pub more_displays: Vec<Display>,
    /// A key matrix.
    pub matrix: Option<Matrix>,
    pub buzzer: Option<Buzzer>,
    pub leds: Vec<Led>,
    pub consoles: Vec<Console>,
    /// Addresses on I2C buses, apart from that of the display.
    pub i2c: Vec<I2cAddress>,
    /// Devices on the SPI bus of the display, apart from displays.
    pub devices: Vec<SpiDevice>,
    /// End of the observation, in nanoseconds of virtual time.
    pub ended_ns: u64,
}

impl Findings {
    /// Returns all displays.
    pub fn displays(&self) -> impl Iterator<Item = &Display> {
        self.display.iter().chain(&self.more_displays)
    }

    /// Returns the pins that have a role.
    pub(crate) fn pins(&self) -> u32 {
        let display = self.displays().flat_map(Display::signals);
        let buttons = self.buttons.iter().map(|button| &button.signal);
        let encoders = self.encoders.iter().flat_map(|encoder| [&encoder.a, &encoder.b]);
        let buzzer = self.buzzer.iter().map(|buzzer| &buzzer.signal);
        let leds = self.leds.iter().map(|led| &led.signal);
        let consoles = self.consoles.iter().flat_map(Console::signals);
        let devices = self.devices.iter().map(|device| &device.chip_select);
        let of_spi = self.devices.iter().filter_map(|device| device.interrupt.as_ref());
        let of_i2c = self.i2c.iter().filter_map(|found| found.interrupt.as_ref());
        let all = display
            .chain(devices)
            .chain(of_spi)
            .chain(of_i2c)
            .chain(buttons)
            .chain(encoders)
            .chain(buzzer)
            .chain(leds)
            .chain(consoles);
        let pins = all.fold(0, |pins, signal| pins | 1 << signal.pin);
        self.i2c
            .iter()
            .flat_map(|found| [found.sda, found.scl])
            .fold(pins, |pins, pin| pins | 1 << pin)
    }
}

/// Bus of a display.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Bus {
    /// SPI with a pin for data or command.
    Spi {
        sck: Signal,
        mosi: Signal,
        miso: Option<Signal>,
        chip_select: Option<Signal>,
        dc: Signal,
    },
    I2c {
        sda: Signal,
        scl: Signal,
        address: u16,
    },
}

/// A display.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Display {
    pub bus: Bus,
    pub panel: Panel,
    pub geometry: Geometry,
    pub reset: Option<Signal>,
    pub backlight: Option<Signal>,
    /// Other pins of which one may be the reset or the backlight.
    pub candidates: Vec<(&'static str, Signal)>,
    pub tearing_effect: Option<Signal>,
    /// Whether the program switches the tearing effect line on (MIPI DCS, 35h).
    pub wants_tearing_effect: bool,
}

impl Display {
    /// Returns the address on an I2C bus.
    pub(crate) fn address(&self) -> Option<u16> {
        match &self.bus {
            Bus::Spi { .. } => None,
            Bus::I2c { address, .. } => Some(*address),
        }
    }

    /// Returns the clock of an SPI bus, as a mask.
    pub(crate) fn clock(&self) -> u32 {
        match &self.bus {
            Bus::Spi { sck, .. } => 1 << sck.pin,
            Bus::I2c { .. } => 0,
        }
    }

    /// Returns the pins with their roles.
    pub(crate) fn signals(&self) -> Vec<&Signal> {
        let mut signals: Vec<&Signal> = match &self.bus {
            Bus::Spi { sck, mosi, miso, chip_select, dc } => {
                [sck, mosi, dc].into_iter().chain(miso).chain(chip_select).collect()
            }
            Bus::I2c { sda, scl, .. } => vec![sda, scl],
        };
        signals.extend(self.reset.iter().chain(&self.backlight).chain(&self.tearing_effect));
        signals
    }
}

/// The controller of a display.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Panel {
    /// Name of the controller in a board file.
    pub name: &'static str,
    pub certainty: Certainty,
    pub evidence: String,
}

/// Size and mounting of a display.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Geometry {
    /// Columns and rows of the visible glass, unrotated, if the program has set them.
    pub size: Option<(u16, u16)>,
    /// First column and row, unrotated.
    pub offset: (u16, u16),
    /// Argument of MADCTL (MIPI DCS, 36h).
    pub madctl: Option<u8>,
    /// Bits a pixel, from COLMOD (MIPI DCS, 3Ah).
    pub pixel_bits: Option<u8>,
}

/// A push button.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Button {
    pub signal: Signal,
    /// Whether the pin is high while the button is pressed.
    pub active_high: bool,
    /// Whether the chip pulls the pin to its other level, so that the board need not.
    pub is_pulled: bool,
    /// Whether the program talks to another device than the display while the button is pressed.
    pub talks: bool,
}

/// A rotary encoder whose contacts close to ground.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Encoder {
    /// Contact that closes first in one direction.
    pub a: Signal,
    pub b: Signal,
}

/// Pins of a key matrix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matrix {
    /// Outputs that the program drives in turn.
    pub driven: Vec<u8>,
    /// Inputs that it reads.
    pub read: Vec<u8>,
    /// Whether a driven output is high.
    pub active_high: bool,
    /// Never sure.
    pub certainty: Certainty,
}

impl Matrix {
    /// Returns the observation that leads to the finding.
    pub fn evidence(&self) -> String {
        let pins = |pins: &[u8]| {
            let pins: Vec<String> = pins.iter().map(|pin| format!("GP{pin}")).collect();
            pins.join(" ")
        };
        let level = if self.active_high { "high" } else { "low" };
        let driven = format!("the program drives {} {level} in turn", pins(&self.driven));
        match self.certainty {
            Certainty::Unsure => driven,
            _ => format!(
                "{driven}, and takes another path if one of them is connected with {}",
                pins(&self.read)
            ),
        }
    }
}

/// A buzzer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Buzzer {
    pub signal: Signal,
    pub kind: BuzzerKind,
}

/// Source of a buzzer's wave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BuzzerKind {
    Pwm,
    Toggled,
}

/// An LED.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Led {
    pub signal: Signal,
    pub kind: LedKind,
}

/// How the program controls an LED.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LedKind {
    Plain,
    /// By PWM.
    Dimmed,
    /// A chain of WS2812 with one data line.
    Chain {
        count: u16,
    },
}

/// A console.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Console {
    Uart { tx: Signal, rx: Option<Signal> },
    Usb { evidence: String },
}

impl Console {
    pub(crate) fn signals(&self) -> Vec<&Signal> {
        match self {
            Self::Uart { tx, rx } => [tx].into_iter().chain(rx).collect(),
            Self::Usb { .. } => Vec::new(),
        }
    }
}

/// An address on an I2C bus.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct I2cAddress {
    pub sda: u8,
    pub scl: u8,
    pub address: u16,
    pub certainty: Certainty,
    pub evidence: String,
    /// Interrupt line of a touch controller.
    pub interrupt: Option<Signal>,
}

/// A device on an SPI bus.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpiDevice {
    pub kind: SpiDeviceKind,
    pub chip_select: Signal,
    /// Interrupt line of a touch controller.
    pub interrupt: Option<Signal>,
}

/// Kind of a device on an SPI bus, by the bytes that it gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpiDeviceKind {
    SdCard,
    Flash,
    Touch,
    Unknown,
}
