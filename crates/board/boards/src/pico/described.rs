//! The wires of a board that a board file describes.

use board_file::BoardFile;
use board_file::bus::Bus;
use board_file::parts::{
    Button, BuzzerKind, ColourOrder, Console, ConsoleKind, Display, Driven, Led, LedKind, Level,
    Matrix, Pull, Rotation, SdCard, SpiFlash, Switch, Touch, TouchController,
};
use board_file::uart::{self, Signal};
use board_file::value::{AnalogPin, Pin};
use thiserror::Error;

use super::wiring::{
    ActiveLevel, BusWiring, ByteOrder, ContactWiring, ControlWiring, Gpio, I2cDeviceKind,
    I2cDeviceWiring, I2cWiring, LcdWiring, LedWiring, MatrixContact, MemoryWiring, ParallelWiring,
    PartsWiring, SerialWiring, TouchBus, TouchGlass, TouchWiring, UartNumber, UartWiring, Wiring,
};

/// A part of a board file that the emulated board cannot have.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum WiringError {
    /// No display, which the board file's parser excludes.
    #[error("the board has no display")]
    NoDisplay,
    /// A display without a pin that its bus needs, which the board file's parser excludes.
    #[error("a display on the bus {0} lacks a pin")]
    Bus(&'static str),
    /// A console at a pin that no UART of the chip has, which the board file's parser excludes.
    #[error("GP{0} is no TX of a UART block")]
    Uart(u8),
}

impl TryFrom<&BoardFile> for Wiring {
    type Error = WiringError;

    fn try_from(board: &BoardFile) -> Result<Self, WiringError> {
        let (display, more) = board.display.split_first().ok_or(WiringError::NoDisplay)?;
        let uart = board.console.iter().find(|console| console.kind == ConsoleKind::Uart);
        Ok(Self {
            lcd: lcd(display)?,
            more_lcds: more.iter().map(lcd).collect::<Result<_, _>>()?,
            i2c_devices: i2c_devices(board),
            buttons: board.button.iter().map(contact).collect(),
            buzzer: board.buzzer.first().map(|buzzer| gpio(buzzer.pin)),
            console: uart.map(console).transpose()?.flatten(),
            parts: parts(board),
        })
    }
}

/// Returns a pin; a board file has only pins of the chip.
fn gpio(pin: Pin) -> Gpio {
    Gpio::new(pin.gpio).unwrap_or(Gpio::LOWEST)
}

fn active(level: Level) -> ActiveLevel {
    match level {
        Level::Low => ActiveLevel::Low,
        Level::High => ActiveLevel::High,
    }
}

fn lcd(display: &Display) -> Result<LcdWiring, WiringError> {
    Ok(LcdWiring {
        bus: bus(display).ok_or(WiringError::Bus(display.bus.word()))?,
        reset: display.rst.map(gpio),
        backlight: display.backlight.map(gpio),
        backlight_on: active(display.backlight_active),
        te: display.te.map(gpio),
    })
}

fn bus(display: &Display) -> Option<BusWiring> {
    Some(match display.bus {
        Bus::Spi4 | Bus::Spi3 => BusWiring::Serial(SerialWiring {
            sck: gpio(display.sck?),
            mosi: gpio(display.mosi?),
            miso: display.miso.map(gpio),
            chip_select: display.cs.map(gpio),
            dc: display.dc.map(gpio),
        }),
        Bus::I2c => {
            let address = display.i2c_address();
            BusWiring::I2c(i2c(display.sda?, display.scl?, address))
        }
        Bus::Parallel8 => {
            let data: Vec<Gpio> = display.data.iter().copied().map(gpio).collect();
            BusWiring::Parallel(ParallelWiring {
                data: data.try_into().ok()?,
                write: gpio(display.wr?),
                read: display.rd.map(gpio),
                chip_select: display.cs.map(gpio),
                dc: gpio(display.dc?),
            })
        }
    })
}

/// Returns the wires of an I2C device. A board file has only addresses of seven bits.
fn i2c(sda: Pin, scl: Pin, address: u32) -> I2cWiring {
    I2cWiring { sda: gpio(sda), scl: gpio(scl), address: address as u8 }
}

/// Returns the devices on I2C buses that have registers.
fn i2c_devices(board: &BoardFile) -> Vec<I2cDeviceWiring> {
    let devices = board.i2c_device.iter().map(|device| I2cDeviceWiring {
        wires: i2c(device.sda, device.scl, device.address.value),
        kind: I2cDeviceKind::Registers(device.fixed_registers()),
    });
    let before = board.controls().count() - board.touch.len();
    let touches = board.touch.iter().zip(before..).filter_map(|(touch, control)| {
        let cipher = match touch.controller {
            TouchController::Xpt2046 => return None,
            TouchController::Ft6206 => 0x06,
            TouchController::Ft6236 => 0x36,
        };
        let wires = i2c(touch.sda?, touch.scl?, touch.i2c_address());
        Some(I2cDeviceWiring { wires, kind: I2cDeviceKind::Touch { control, cipher } })
    });
    devices.chain(touches).collect()
}

/// Returns the wires of a touch panel; `None` without a pin or a display, which the board file's
/// parser excludes.
fn touch(board: &BoardFile, touch: &Touch) -> Option<TouchWiring> {
    let display = board.display.get(board.touched_display(touch)?)?;
    let size = display.glass_size()?;
    let turns = match display.rotation {
        Rotation::None => 0,
        Rotation::Right => 1,
        Rotation::Half => 2,
        Rotation::Left => 3,
    };
    let bus = if touch.controller.is_spi() {
        TouchBus::Spi {
            sck: gpio(touch.sck?),
            mosi: gpio(touch.mosi?),
            miso: gpio(touch.miso?),
            chip_select: gpio(touch.cs?),
        }
    } else {
        TouchBus::I2c
    };
    let side = |pixels: u32| u16::try_from(pixels).unwrap_or(u16::MAX);
    let glass = TouchGlass {
        width: side(size.width),
        height: side(size.height),
        turns,
        edges: touch.raw_edges(size.width, size.height),
        is_swapped: touch.swap,
    };
    Some(TouchWiring { bus, irq: touch.irq.map(gpio), glass })
}

fn contact(button: &Button) -> ContactWiring {
    let (closed, pull) = (active(button.active), pull(button.pull));
    ContactWiring { pin: gpio(button.pin), closed, pull }
}

fn pull(pull: Pull) -> Option<ActiveLevel> {
    match pull {
        Pull::None => None,
        Pull::Up => Some(ActiveLevel::High),
        Pull::Down => Some(ActiveLevel::Low),
    }
}

fn parts(board: &BoardFile) -> PartsWiring {
    let is_edge = |kind: BuzzerKind| matches!(kind, BuzzerKind::Pio | BuzzerKind::Toggled);
    let buzzer = board.buzzer.first().filter(|buzzer| is_edge(buzzer.kind));
    let wires = board.wire.iter().filter_map(|wire| match wire.pins.as_slice() {
        [first, second] => Some([gpio(*first), gpio(*second)]),
        _ => None,
    });
    PartsWiring {
        matrix: board.matrix.iter().flat_map(matrix).collect(),
        controls: controls(board).collect(),
        leds: board.led.iter().filter_map(led).collect(),
        edge_buzzer: buzzer.map(|buzzer| gpio(buzzer.pin)),
        wires: wires.collect(),
        memories: memories(board).collect(),
    }
}

/// Returns the SPI flashes, then the slots of SD cards.
fn memories(board: &BoardFile) -> impl Iterator<Item = MemoryWiring> {
    let flashes = board.spi_flash.iter().map(|&SpiFlash { sck, mosi, miso, cs, .. }| {
        let pins = [sck, mosi, miso, cs].map(gpio);
        (pins, false, None)
    });
    let cards = board.sd_card.iter().map(|&SdCard { sck, mosi, miso, cs, detect, .. }| {
        let pins = [sck, mosi, miso, cs].map(gpio);
        (pins, true, detect.map(gpio))
    });
    flashes.chain(cards).map(|([sck, mosi, miso, chip_select], is_miso_pulled_up, detect)| {
        MemoryWiring { sck, mosi, miso, chip_select, is_miso_pulled_up, detect }
    })
}

/// Returns the contacts of a matrix, from the left and from the top.
fn matrix(matrix: &Matrix) -> impl Iterator<Item = MatrixContact> {
    // The program drives a line to the active level and reads the others, so current flows from the
    // driven line if that level is high, and into it if it is low.
    let is_row_anode = (matrix.driven == Driven::Rows) == (matrix.active == Level::High);
    let has_diode = matrix.diodes;
    matrix.rows.iter().flat_map(move |row| {
        matrix.columns.iter().map(move |column| {
            let (row, column) = (gpio(*row), gpio(*column));
            let (anode, cathode) = if is_row_anode { (row, column) } else { (column, row) };
            MatrixContact { anode, cathode, has_diode }
        })
    })
}

/// Returns the controls, in the order of [`BoardFile::controls`].
fn controls(board: &BoardFile) -> impl Iterator<Item = ControlWiring> {
    let axis = |pin: AnalogPin| pin.channel();
    let encoders = board.encoder.iter().map(|encoder| {
        let pull = pull(encoder.pull);
        // The common contact is connected to ground, unless the resistors are.
        let closed = pull.map_or(ActiveLevel::Low, ActiveLevel::other);
        ControlWiring::Encoder { a: gpio(encoder.a), b: gpio(encoder.b), closed, pull }
    });
    let switches = board.switch.iter().map(|switch: &Switch| {
        let (closed, pull) = (active(switch.active), pull(switch.pull));
        ControlWiring::Switch(ContactWiring { pin: gpio(switch.pin), closed, pull })
    });
    let joysticks = board.joystick.iter().map(move |joystick| ControlWiring::Axes {
        x: axis(joystick.x),
        y: Some(axis(joystick.y)),
    });
    let others = board
        .potentiometer
        .iter()
        .map(move |part| ControlWiring::Axes { x: axis(part.pin), y: None });
    let touches =
        board.touch.iter().filter_map(move |part| touch(board, part).map(ControlWiring::Touch));
    encoders.chain(switches).chain(joysticks).chain(others).chain(touches)
}

/// Returns the wires of an LED; `None` without its pins, which the board file's parser excludes.
fn led(led: &Led) -> Option<LedWiring> {
    let pins = match led.kind {
        LedKind::Plain | LedKind::Pwm => vec![gpio(led.pin?)],
        LedKind::Rgb => vec![gpio(led.red?), gpio(led.green?), gpio(led.blue?)],
        LedKind::Ws2812 => {
            let order = match led.order {
                ColourOrder::Grb => ByteOrder::GRB,
                ColourOrder::Rgb => ByteOrder::RGB,
                ColourOrder::Grbw => ByteOrder::GRBW,
            };
            let count = u16::try_from(led.count.value).unwrap_or(u16::MAX);
            return Some(LedWiring::Chain { pin: gpio(led.pin?), count, order });
        }
    };
    let averages = led.kind != LedKind::Plain;
    Some(LedWiring::Levels { pins, on: active(led.active), averages })
}

/// Returns the wires of a console; `None` without a TX, which the board file's parser excludes.
fn console(console: &Console) -> Result<Option<UartWiring>, WiringError> {
    let Some(tx) = console.tx else { return Ok(None) };
    let number = match uart::block(tx.gpio, Signal::Tx) {
        Some(0) => UartNumber::Uart0,
        Some(_) => UartNumber::Uart1,
        None => return Err(WiringError::Uart(tx.gpio)),
    };
    Ok(Some(UartWiring { number, tx: gpio(tx), rx: console.rx.map(gpio) }))
}

#[cfg(test)]
mod tests {
    use board_file::{lcd_board, parse};

    use super::*;

    fn pin(number: u8) -> Gpio {
        Gpio::new(number).unwrap()
    }

    #[test]
    fn the_lcd_board_has_the_wires_of_the_document() {
        let wiring = Wiring::try_from(lcd_board()).unwrap();
        let lcd = LcdWiring {
            bus: BusWiring::Serial(SerialWiring {
                sck: pin(18),
                mosi: pin(19),
                miso: Some(pin(16)),
                chip_select: Some(pin(17)),
                dc: Some(pin(20)),
            }),
            reset: Some(pin(21)),
            backlight: Some(pin(22)),
            backlight_on: ActiveLevel::High,
            te: None,
        };
        assert_eq!(wiring.lcd, lcd);
        let contact =
            |number| ContactWiring { pin: pin(number), closed: ActiveLevel::Low, pull: None };
        assert_eq!(wiring.buttons, (2..=14).map(contact).collect::<Vec<_>>());
        assert_eq!(wiring.buzzer, Some(pin(15)));
        let uart = UartWiring { number: UartNumber::Uart0, tx: pin(0), rx: Some(pin(1)) };
        assert_eq!(wiring.console, Some(uart));
    }

    /// Converts a board with one display, and more tables.
    fn with_display(keys: &str, more: &str) -> Wiring {
        let text =
            format!("board = 1\nname = \"x\"\nchip = \"rp2040\"\n\n[[display]]\n{keys}\n{more}\n");
        Wiring::try_from(&parse("x", &text).unwrap()).unwrap()
    }

    #[test]
    fn a_display_has_the_wires_of_its_bus() {
        let wiring = with_display(
            "panel = \"ili9341\"\nbus = \"parallel8\"\ndc = \"GP20\"\nwr = \"GP26\"\nrd = \"GP27\"\n\
             data = [\"GP0\", \"GP1\", \"GP2\", \"GP3\", \"GP4\", \"GP5\", \"GP6\", \"GP9\"]",
            "",
        );
        let data = [0, 1, 2, 3, 4, 5, 6, 9].map(pin);
        let (write, read, dc) = (pin(26), Some(pin(27)), pin(20));
        let expected = ParallelWiring { data, write, read, chip_select: None, dc };
        assert_eq!(wiring.lcd.bus, BusWiring::Parallel(expected));
    }

    #[test]
    fn i2c_devices_have_their_addresses_and_registers() {
        let wiring = with_display(
            "name = \"A\"\npanel = \"ssd1306\"\nbus = \"i2c\"\nsda = \"GP4\"\nscl = \"GP5\"",
            "[[display]]\nname = \"B\"\npanel = \"ssd1306\"\nbus = \"i2c\"\nsda = \"GP4\"\n\
             scl = \"GP5\"\naddress = 0x3D\n[[i2c_device]]\nsda = \"GP6\"\nscl = \"GP7\"\n\
             address = 0x68\nregisters = [{ register = 0x75, answer = [0x68, 1] }]",
        );
        let wires = |sda, scl, address| I2cWiring { sda: pin(sda), scl: pin(scl), address };
        assert_eq!(wiring.lcd.bus, BusWiring::I2c(wires(4, 5, 0x3C)));
        let kind = I2cDeviceKind::Registers(vec![(0x75, vec![0x68, 1])]);
        let expected = I2cDeviceWiring { wires: wires(6, 7, 0x68), kind };
        assert_eq!(wiring.i2c_devices, [expected]);
        let more: Vec<BusWiring> = wiring.more_lcds.iter().map(|lcd| lcd.bus).collect();
        assert_eq!(more, [BusWiring::I2c(wires(4, 5, 0x3D))]);
        assert_eq!(wires(6, 7, 0).controller(), Some(1));
        assert_eq!(wires(20, 21, 0).controller(), Some(0));
        assert_eq!((wires(7, 6, 0).controller(), wires(4, 7, 0).controller()), (None, None));
    }
}
