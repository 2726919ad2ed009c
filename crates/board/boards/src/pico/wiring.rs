//! The wires between the chip's pins and the parts of a board, as plain data.
//!
//! A [`Wiring`] names pins; `Wires` connects a chip accordingly. This module
//! knows no file format and no firmware.

use rp2040_emulator::chip::Drive;

/// GPIO of input 0 of the ADC (RP2040 datasheet, 4.9.1).
const FIRST_ANALOG_GPIO: u8 = 26;

/// A pin of the RP2040: GPIO 0 to 29.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Gpio(u8);

impl Gpio {
    /// Number of pins.
    pub const COUNT: u8 = 30;
    /// GPIO 0.
    pub const LOWEST: Self = Self(0);

    /// Returns the pin with this number, if the chip has it.
    pub const fn new(number: u8) -> Option<Self> {
        if number < Self::COUNT { Some(Self(number)) } else { None }
    }

    /// Returns the number of the pin, 0 to 29.
    pub const fn number(self) -> usize {
        self.0 as usize
    }

    /// Returns the slice of the PWM and its channel that can be at the pin (RP2040 datasheet,
    /// 4.5.2).
    pub const fn pwm_channel(self) -> (usize, usize) {
        (self.number() / 2 % 8, self.number() % 2)
    }

    /// Returns the pin as a bit of a mask.
    pub const fn bit(self) -> u32 {
        1 << self.0
    }
}

/// Named like the pins of a Pico: `GP12`.
impl core::fmt::Display for Gpio {
    fn fmt(&self, out: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(out, "GP{}", self.0)
    }
}

/// All wires of a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wiring {
    /// The first display.
    pub lcd: LcdWiring,
    /// Displays after the first one.
    pub more_lcds: Vec<LcdWiring>,
    /// Devices on I2C buses, apart from displays.
    pub i2c_devices: Vec<I2cDeviceWiring>,
    /// Contacts of the buttons, in the order of the buttons' names. Contacts beyond the number of
    /// buttons of a board are not connected.
    pub buttons: Vec<ContactWiring>,
    /// Pin of the buzzer, which is driven by PWM.
    pub buzzer: Option<Gpio>,
    pub console: Option<UartWiring>,
    pub parts: PartsWiring,
}

/// Wires of the parts besides display, buttons and console.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PartsWiring {
    /// Buttons of matrices, in the order of the buttons' names, after the single ones.
    pub matrix: Vec<MatrixContact>,
    /// Controls, in the order of the board.
    pub controls: Vec<ControlWiring>,
    /// LEDs, in the order of the board.
    pub leds: Vec<LedWiring>,
    /// Pin of a buzzer whose tone is the frequency of the pin's edges.
    pub edge_buzzer: Option<Gpio>,
    /// Wires between two pins.
    pub wires: Vec<[Gpio; 2]>,
    /// SPI flashes and SD cards, in the order of the board.
    pub memories: Vec<MemoryWiring>,
}

impl PartsWiring {
    fn add_pins(&self, pins: &mut Vec<Gpio>) {
        pins.extend(self.matrix.iter().flat_map(|contact| [contact.anode, contact.cathode]));
        for control in &self.controls {
            match *control {
                ControlWiring::Encoder { a, b, .. } => pins.extend([a, b]),
                ControlWiring::Switch(contact) => pins.push(contact.pin),
                ControlWiring::Axes { x, y } => {
                    let of_input = |input: u8| Gpio::new(FIRST_ANALOG_GPIO.saturating_add(input));
                    pins.extend([Some(x), y].into_iter().flatten().filter_map(of_input));
                }
                ControlWiring::Touch(TouchWiring { bus, irq, .. }) => {
                    pins.extend(irq);
                    if let TouchBus::Spi { sck, mosi, miso, chip_select } = bus {
                        pins.extend([sck, mosi, miso, chip_select]);
                    }
                }
            }
        }
        for led in &self.leds {
            match led {
                LedWiring::Levels { pins: own, .. } => pins.extend(own),
                LedWiring::Chain { pin, .. } => pins.push(*pin),
            }
        }
        pins.extend(self.edge_buzzer);
        pins.extend(self.wires.iter().flatten());
        for memory in &self.memories {
            pins.extend([memory.sck, memory.mosi, memory.miso, memory.chip_select]);
            pins.extend(memory.detect);
        }
    }
}

/// Wires of an SPI flash or of the slot of an SD card. The board pulls chip select up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryWiring {
    pub sck: Gpio,
    pub mosi: Gpio,
    pub miso: Gpio,
    pub chip_select: Gpio,
    /// Whether the board pulls MISO up, as the slots of cards do.
    pub is_miso_pulled_up: bool,
    /// Contact of a slot that is closed to ground while a card is inserted.
    pub detect: Option<Gpio>,
}

/// A button between a row and a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatrixContact {
    /// Pin from which current flows through the diode.
    pub anode: Gpio,
    pub cathode: Gpio,
    /// Without a diode current flows in both directions.
    pub has_diode: bool,
}

/// Wires of a part that a person moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ControlWiring {
    Encoder {
        a: Gpio,
        b: Gpio,
        /// Level of a pin while its contact is closed.
        closed: ActiveLevel,
        /// Level to which resistors on the board pull both pins.
        pull: Option<ActiveLevel>,
    },
    Switch(ContactWiring),
    /// Inputs of the ADC, 0 to 3; a potentiometer has only the first.
    Axes {
        x: u8,
        y: Option<u8>,
    },
    Touch(TouchWiring),
}

/// Wires of the controller of a touch panel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TouchWiring {
    pub bus: TouchBus,
    /// Output that is low while the panel is touched.
    pub irq: Option<Gpio>,
    pub glass: TouchGlass,
}

/// Bus of the controller of a touch panel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TouchBus {
    /// An XPT2046. The board pulls chip select up.
    Spi { sck: Gpio, mosi: Gpio, miso: Gpio, chip_select: Gpio },
    /// An FT6206 or FT6236, which is among the devices on I2C buses.
    I2c,
}

/// The raw values of a touch panel, and how its glass is mounted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TouchGlass {
    /// Size of the unrotated glass in pixels.
    pub width: u16,
    pub height: u16,
    /// Number of quarter turns of the glass, clockwise.
    pub turns: u8,
    /// Raw values of the X channel and of the Y channel, each at the first and at the last pixel.
    pub edges: [[u16; 2]; 2],
    /// Whether X is along the height of the glass, and Y along its width.
    pub is_swapped: bool,
}

/// Wires of an LED, or of a chain of LEDs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LedWiring {
    /// An LED at one pin, or the red, the green and the blue LED at three.
    Levels {
        pins: Vec<Gpio>,
        /// Level of a pin that switches its LED on.
        on: ActiveLevel,
        /// Whether fast changes of the level are a duty cycle.
        averages: bool,
    },
    Chain {
        pin: Gpio,
        count: u16,
        order: ByteOrder,
    },
}

/// Wires of an LCD.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LcdWiring {
    pub bus: BusWiring,
    /// RESX, which the module pulls up.
    pub reset: Option<Gpio>,
    /// Switch of the backlight. Without this wire the backlight is always on.
    pub backlight: Option<Gpio>,
    /// Level with which the backlight is on.
    pub backlight_on: ActiveLevel,
    /// TE, an output of the LCD.
    pub te: Option<Gpio>,
}

/// Wires of the bus of an LCD.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BusWiring {
    Serial(SerialWiring),
    Parallel(ParallelWiring),
    I2c(I2cWiring),
}

/// Wires of a serial bus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SerialWiring {
    pub sck: Gpio,
    pub mosi: Gpio,
    pub miso: Option<Gpio>,
    /// CSX. Without this wire the LCD is always selected.
    pub chip_select: Option<Gpio>,
    /// D/CX. Without this wire each byte has nine bits, of which the first is D/CX.
    pub dc: Option<Gpio>,
}

/// Wires of an 8080 bus with eight data lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParallelWiring {
    /// D0 to D7.
    pub data: [Gpio; 8],
    /// WRX: the LCD samples the data lines when it rises.
    pub write: Gpio,
    /// RDX: the LCD drives the data lines while it is low.
    pub read: Option<Gpio>,
    /// CSX. Without this wire the LCD is always selected.
    pub chip_select: Option<Gpio>,
    pub dc: Gpio,
}

/// Wires of a device on an I2C bus, and its address. The board pulls both wires up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct I2cWiring {
    pub sda: Gpio,
    pub scl: Gpio,
    /// Address of seven bits.
    pub address: u8,
}

impl I2cWiring {
    /// Returns the I2C controller of the chip whose SDA and SCL these pins can be, if there is one
    /// (RP2040 datasheet, 1.4.3).
    pub fn controller(&self) -> Option<usize> {
        let (sda, scl) = (self.sda.number(), self.scl.number());
        let number = sda / 2 % 2;
        (sda % 2 == 0 && scl % 2 == 1 && scl / 2 % 2 == number).then_some(number)
    }
}

/// A device on an I2C bus.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct I2cDeviceWiring {
    pub wires: I2cWiring,
    pub kind: I2cDeviceKind,
}

/// Kind of an I2C device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum I2cDeviceKind {
    /// A device that acknowledges what it receives and cannot be read.
    Display,
    /// Registers with their answers, of which none is empty. All others answer 0xFF.
    Registers(Vec<(u8, Vec<u8>)>),
    /// The FT6206 or FT6236 of a touch panel.
    Touch {
        /// Number of the control.
        control: usize,
        /// Identification of the controller, register ID_G_CIPHER.
        cipher: u8,
    },
}

/// The wire of a contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContactWiring {
    pub pin: Gpio,
    /// Level of the pin while the contact is closed.
    pub closed: ActiveLevel,
    /// Level to which a resistor on the board pulls the pin. The program can switch on the chip's
    /// pulls in addition.
    pub pull: Option<ActiveLevel>,
}

/// Level of a pin, mostly the one that means "on".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActiveLevel {
    Low,
    High,
}

impl ActiveLevel {
    /// Returns the opposite level.
    pub const fn other(self) -> Self {
        match self {
            Self::Low => Self::High,
            Self::High => Self::Low,
        }
    }
}

/// Returns the drive of a pin that is connected to this level.
pub(super) const fn drive_of(level: ActiveLevel) -> Drive {
    match level {
        ActiveLevel::Low => Drive::Low,
        ActiveLevel::High => Drive::High,
    }
}

/// The wires of a console at a UART.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UartWiring {
    pub number: UartNumber,
    /// Pin of the chip's transmitter.
    pub tx: Gpio,
    /// Pin of the chip's receiver.
    pub rx: Option<Gpio>,
}

/// A UART of the chip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UartNumber {
    Uart0,
    Uart1,
}

impl UartNumber {
    /// Returns 0 or 1.
    pub const fn index(self) -> usize {
        match self {
            Self::Uart0 => 0,
            Self::Uart1 => 1,
        }
    }
}

impl Wiring {
    /// Returns the pins that are connected to a part, as a mask.
    pub fn pins(&self) -> u32 {
        let mut pins: Vec<Gpio> = self.buttons.iter().map(|contact| contact.pin).collect();
        for lcd in self.lcds() {
            pins.extend([lcd.reset, lcd.backlight, lcd.te].into_iter().flatten());
            match lcd.bus {
                BusWiring::Serial(SerialWiring { sck, mosi, miso, chip_select, dc }) => {
                    pins.extend([sck, mosi]);
                    pins.extend([miso, chip_select, dc].into_iter().flatten());
                }
                BusWiring::Parallel(ParallelWiring { data, write, read, chip_select, dc }) => {
                    pins.extend(data);
                    pins.extend([write, dc]);
                    pins.extend([read, chip_select].into_iter().flatten());
                }
                BusWiring::I2c(I2cWiring { sda, scl, .. }) => pins.extend([sda, scl]),
            }
        }
        pins.extend(
            self.i2c_devices.iter().flat_map(|device| [device.wires.sda, device.wires.scl]),
        );
        pins.extend(self.buzzer);
        pins.extend(self.console.iter().flat_map(|uart| [Some(uart.tx), uart.rx]).flatten());
        self.parts.add_pins(&mut pins);
        pins.into_iter().fold(0, |all, pin| all | pin.bit())
    }

    /// Returns the wires of all displays.
    pub fn lcds(&self) -> impl Iterator<Item = &LcdWiring> {
        std::iter::once(&self.lcd).chain(&self.more_lcds)
    }

    /// Returns the wires of the LCD board, as its board file describes them.
    ///
    /// # Panics
    /// If the embedded file has no such wiring, which a test excludes.
    pub fn lcd_board() -> Self {
        Self::try_from(board_file::lcd_board()).unwrap_or_else(|error| panic!("{error}"))
    }
}

impl Default for Wiring {
    fn default() -> Self {
        Self::lcd_board()
    }
}

/// Places of red, green, blue and white among the bytes of an LED.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ByteOrder {
    pub places: [Option<usize>; 4],
    /// Number of bytes of an LED.
    pub bytes: usize,
}

impl ByteOrder {
    pub const GRB: Self = Self { places: [Some(1), Some(0), Some(2), None], bytes: 3 };
    pub const RGB: Self = Self { places: [Some(0), Some(1), Some(2), None], bytes: 3 };
    pub const GRBW: Self = Self { places: [Some(1), Some(0), Some(2), Some(3)], bytes: 4 };
}
