//! The parts of the board that a firmware gets, by their names in the board file.

pub(crate) mod analog;
pub(crate) mod console;
pub(crate) mod contact;
pub(crate) mod display;
pub(crate) mod flash;
pub(crate) mod i2c;
pub(crate) mod led;
pub(crate) mod matrix;
pub(crate) mod memory;
pub(crate) mod nine_bits;
mod output;
pub(crate) mod parallel;
pub(crate) mod random;
pub(crate) mod sound;
mod transfer;

use std::cell::RefCell;
use std::sync::Arc;

use board_file::BoardFile;
use board_file::bus::Bus;
use board_file::parts::{Encoder, LedKind, Level, Pull};
use trace::nearest;

use crate::clock::{Clock, Delay};
use crate::context;
use analog::{AnalogInput, Axis};
use console::Console;
use contact::{InputPin, Source};
use display::DisplayPins;
use flash::Flash;
use i2c::I2c;
use led::{Led, LedChain, RgbLed};
use matrix::MatrixPins;
use memory::{MemorySpi, SdCardPins};
use nine_bits::NineBitPins;
use parallel::ParallelPins;
use random::Entropy;
use sound::Buzzer;

/// A part that a firmware asks for and cannot have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PartError {
    /// The board has no part of the name.
    #[error(
        "the firmware asks for the {kind} `{name}`, but {}{}",
        listed(kind, names),
        suggested(nearest)
    )]
    Unknown {
        kind: &'static str,
        name: String,
        /// Names of the parts of this kind.
        names: Vec<String>,
        nearest: Option<String>,
    },
    /// An output was handed out before.
    #[error("the firmware asks twice for the {kind} `{name}`; an output has one owner")]
    Taken { kind: &'static str, name: String },
    /// The part is connected in another way than the firmware asks for.
    #[error(
        "the firmware asks for the {asked} of `{name}`, which the board file connects as `{is}`"
    )]
    Other { asked: &'static str, name: String, is: &'static str },
    /// A program for embedded-graphics-simulator draws a picture of another size than the display.
    #[error(
        "the firmware draws a picture of {}x{} pixels, but the display has {}x{}; change \
         `SimulatorDisplay::new` or `size` and `rotation` in the board file",
        asked.0, asked.1, is.0, is.1
    )]
    PictureSize { asked: (u32, u32), is: (u32, u32) },
    /// The firmware asks for other colours of the glass than those of the board file.
    #[error(
        "the firmware asks for a theme that the display in the board file does not have; add \
         `unlit = \"#{unlit:06x}\"` and `lit = \"#{lit:06x}\"` to its [[display]], or remove the theme"
    )]
    Theme { unlit: u32, lit: u32 },
}

fn listed(kind: &str, names: &[String]) -> String {
    match names {
        [] => format!("the board file has no {kind}"),
        names => format!("the board file has {}", names.join(", ")),
    }
}

fn suggested(nearest: &Option<String>) -> String {
    nearest.as_ref().map(|name| format!("; did you mean `{name}`?")).unwrap_or_default()
}

/// Ends the firmware, and so the machine, with this error.
pub(crate) fn refuse(error: PartError) -> ! {
    std::panic::resume_unwind(Box::new(error))
}

/// The parts of the board. A name that the board file does not have ends the machine with an error
/// that lists those that it has.
#[derive(Debug)]
pub struct Pins {
    file: Arc<BoardFile>,
    /// Outputs that were handed out.
    taken: RefCell<Vec<(&'static str, String)>>,
}

/// The contacts of a rotary encoder.
#[derive(Debug)]
pub struct EncoderPins {
    /// Contact that changes first when the knob is turned clockwise.
    pub a: InputPin,
    pub b: InputPin,
}

/// The voltages of a joystick.
#[derive(Debug)]
pub struct JoystickInputs {
    pub x: AnalogInput,
    pub y: AnalogInput,
}

impl Pins {
    pub(crate) fn new(file: Arc<BoardFile>) -> Self {
        Self { file, taken: RefCell::default() }
    }

    /// Returns the pin of a `[[button]]`.
    pub fn button(&self, name: &str) -> InputPin {
        let names = self.file.button.iter().map(|part| part.name.text.as_str());
        let number = self.find("button", name, names);
        let part = &self.file.button[number];
        InputPin::new(Source::Button(number), part.active, part.pull)
    }

    /// Returns the pin of a `[[switch]]`.
    pub fn switch(&self, name: &str) -> InputPin {
        let number =
            self.find("switch", name, self.file.switch.iter().map(|part| part.name.text.as_str()));
        let part = &self.file.switch[number];
        InputPin::new(Source::Switch(self.control(name)), part.active, part.pull)
    }

    /// Returns whether the board has a `[[switch]]` of the name.
    pub fn has_switch(&self, name: &str) -> bool {
        self.file.switch.iter().any(|part| part.name.text == name)
    }

    /// Returns the pins of an `[[encoder]]`.
    pub fn encoder(&self, name: &str) -> EncoderPins {
        let number = self.find(
            "encoder",
            name,
            self.file.encoder.iter().map(|part| part.name.text.as_str()),
        );
        let part: &Encoder = &self.file.encoder[number];
        let control = self.control(name);
        let closed = if part.pull == Pull::Down { Level::High } else { Level::Low };
        let pin = |contact| InputPin::new(Source::Encoder { control, contact }, closed, part.pull);
        EncoderPins { a: pin(0), b: pin(1) }
    }

    /// Returns the pins of a `[[matrix]]`, to be scanned as on the chip.
    pub fn matrix(&self, name: &str) -> MatrixPins {
        let number =
            self.find("matrix", name, self.file.matrix.iter().map(|part| part.name.text.as_str()));
        self.take("matrix", name);
        context::uncounted(|| MatrixPins::new(&self.file, number))
    }

    /// Returns the voltage of a `[[potentiometer]]`.
    pub fn potentiometer(&self, name: &str) -> AnalogInput {
        let parts = self.file.potentiometer.iter().map(|part| part.name.text.as_str());
        self.find("potentiometer", name, parts);
        AnalogInput::new(self.control(name), Axis::X)
    }

    /// Returns the voltages of a `[[joystick]]`.
    pub fn joystick(&self, name: &str) -> JoystickInputs {
        self.find("joystick", name, self.file.joystick.iter().map(|part| part.name.text.as_str()));
        let axis = |axis| AnalogInput::new(self.control(name), axis);
        JoystickInputs { x: axis(Axis::X), y: axis(Axis::Y) }
    }

    /// Returns an `[[led]]` of the kind `plain` or `pwm`.
    pub fn led(&self, name: &str) -> Led {
        let (number, kind) = self.led_of(name);
        if !matches!(kind, LedKind::Plain | LedKind::Pwm) {
            self.refuse_led("pin", name, kind);
        }
        Led::new(number, self.file.led[number].active)
    }

    /// Returns an `[[led]]` of the kind `rgb`.
    pub fn rgb_led(&self, name: &str) -> RgbLed {
        let (number, kind) = self.led_of(name);
        if kind != LedKind::Rgb {
            self.refuse_led("three pins", name, kind);
        }
        context::uncounted(|| RgbLed::new(number, self.file.led[number].active))
    }

    /// Returns an `[[led]]` of the kind `ws2812`.
    pub fn led_chain(&self, name: &str) -> LedChain {
        let (number, kind) = self.led_of(name);
        if kind != LedKind::Ws2812 {
            self.refuse_led("data line", name, kind);
        }
        LedChain::new(number, self.file.led[number].count.value)
    }

    fn led_of(&self, name: &str) -> (usize, LedKind) {
        let number =
            self.find("LED", name, self.file.led.iter().map(|part| part.name.text.as_str()));
        self.take("LED", name);
        (number, self.file.led[number].kind)
    }

    fn refuse_led(&self, asked: &'static str, name: &str, kind: LedKind) -> ! {
        refuse(PartError::Other { asked, name: name.to_owned(), is: kind.word() })
    }

    /// Returns the SPI device, D/C, reset and backlight of a `[[display]]` on the bus `spi4`.
    pub fn display(&self, name: &str) -> DisplayPins {
        DisplayPins::new(&self.file, self.display_on(Bus::Spi4, "SPI device", name))
    }

    /// Returns the SPI device of nine bits a word, reset and backlight of a `[[display]]` on the bus
    /// `spi3`.
    pub fn nine_bit_display(&self, name: &str) -> NineBitPins {
        NineBitPins::new(&self.file, self.display_on(Bus::Spi3, "SPI of nine bits", name))
    }

    /// Returns the data lines, WRX, D/CX, reset and backlight of a `[[display]]` on the bus `parallel8`.
    pub fn parallel_display(&self, name: &str) -> ParallelPins {
        ParallelPins::new(&self.file, self.display_on(Bus::Parallel8, "parallel bus", name))
    }

    /// Returns the number of a display, which must be on this bus.
    fn display_on(&self, wanted: Bus, asked: &'static str, name: &str) -> usize {
        let number = self.find("display", name, self.file.display_names());
        self.take("display", name);
        let bus = self.file.display[number].bus;
        if bus != wanted {
            refuse(PartError::Other { asked, name: name.to_owned(), is: bus.word() });
        }
        number
    }

    /// Returns the I2C bus of a `[[display]]` or an `[[i2c_device]]`, with all devices on it.
    pub fn i2c(&self, name: &str) -> I2c {
        let displays = self.file.display_names().zip(&self.file.display);
        let displays = displays.filter(|(_, display)| display.bus == Bus::I2c);
        let displays = displays.map(|(name, display)| (name, display.sda.zip(display.scl)));
        let devices = self.file.i2c_device.iter();
        let devices = devices.filter_map(|device| {
            let name = device.name.as_ref()?.text.as_str();
            Some((name, Some((device.sda, device.scl))))
        });
        let parts: Vec<_> = context::uncounted(|| displays.chain(devices).collect());
        let at = self.find("I2C device", name, parts.iter().map(|(name, _)| *name));
        let Some((sda, scl)) = parts[at].1 else {
            refuse(PartError::Other { asked: "I2C bus", name: name.to_owned(), is: "spi4" });
        };
        context::uncounted(|| I2c::new(&self.file, sda, scl))
    }

    /// Returns the SPI device of a `[[spi_flash]]`.
    pub fn spi_flash(&self, name: &str) -> MemorySpi {
        MemorySpi::new(&self.file, self.memory("SPI flash", "spi_flash", name))
    }

    /// Returns whether the board has an `[[sd_card]]` of the name.
    pub fn has_sd_card(&self, name: &str) -> bool {
        self.file.parts().iter().any(|part| part.kind == "sd_card" && part.name == name)
    }

    /// Returns the SPI device and the contact of the slot of an `[[sd_card]]`.
    pub fn sd_card(&self, name: &str) -> SdCardPins {
        let card = self.memory("SD card", "sd_card", name);
        let number = self.file.spi_flash.len() + card;
        let has_contact = self.file.sd_card[card].detect.is_some();
        // The chip pulls the contact up.
        let detect = InputPin::new(Source::Card(number), Level::Low, Pull::Up);
        let spi = MemorySpi::new(&self.file, number);
        SdCardPins { spi, detect: has_contact.then_some(detect) }
    }

    /// Returns the number of a memory among those of its kind.
    fn memory(&self, asked: &'static str, kind: &str, name: &str) -> usize {
        let parts = self.file.parts();
        let parts = parts.iter().filter(|part| part.kind == kind);
        let number = self.find(asked, name, parts.map(|part| part.name.as_str()));
        self.take(asked, name);
        number
    }

    /// Returns the first `[[buzzer]]`.
    pub fn buzzer(&self) -> Buzzer {
        if self.file.buzzer.is_empty() {
            self.find("buzzer", "buzzer", std::iter::empty());
        }
        self.take("buzzer", "buzzer");
        Buzzer::default()
    }

    /// Returns the console: the first `[[console]]`.
    pub fn console(&self) -> Console {
        if self.file.console.is_empty() {
            self.find("console", "console", std::iter::empty());
        }
        Console
    }

    /// Returns the last 256 KiB of the chip's flash, which keep their content without power.
    pub fn flash(&self) -> Flash {
        self.take("flash", "flash");
        Flash
    }

    /// Returns the source of random bits, which the seed of the trace determines.
    pub fn entropy(&self) -> Entropy {
        Entropy
    }

    /// Returns a delay.
    pub fn delay(&self) -> Delay {
        Delay
    }

    /// Returns the clock.
    pub fn clock(&self) -> Clock {
        Clock
    }

    /// Returns the number of a part of a kind.
    fn find<'a>(
        &self,
        kind: &'static str,
        name: &str,
        names: impl Iterator<Item = &'a str>,
    ) -> usize {
        let (names, number) = context::uncounted(|| {
            let names: Vec<&str> = names.collect();
            let number = names.iter().position(|own| *own == name);
            (names, number)
        });
        number.unwrap_or_else(|| {
            refuse(PartError::Unknown {
                kind,
                name: name.to_owned(),
                nearest: nearest(name, &names).map(str::to_owned),
                names: names.into_iter().map(str::to_owned).collect(),
            })
        })
    }

    /// Returns the number of a control among those of the board.
    pub(crate) fn control(&self, name: &str) -> usize {
        self.file.controls().position(|(_, own)| own == name).unwrap_or_default()
    }

    fn take(&self, kind: &'static str, name: &str) {
        let mut taken = self.taken.borrow_mut();
        if taken.iter().any(|(other, own)| (*other, own.as_str()) == (kind, name)) {
            refuse(PartError::Taken { kind, name: name.to_owned() });
        }
        context::uncounted(|| taken.push((kind, name.to_owned())));
    }
}
