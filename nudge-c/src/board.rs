//! The board of a firmware in C: the parts that it has asked for, by their numbers.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::ffi::c_void;
use std::panic::resume_unwind;

use embedded_hal::digital::{InputPin as _, OutputPin as _, PinState};
use embedded_hal::i2c::I2c as _;
use embedded_hal::spi::SpiDevice as _;
use embedded_io::{Read as _, ReadReady as _, Write as _};
use linked::{
    Backlight, Console, DataCommand, DisplayPins, DisplaySpi, I2c, InputPin, Led, MemorySpi, Pins,
    Reset, SdCardPins,
};

use crate::statics::Statics;

/// Kind of a part, with the numbers of `boundary.c`: first those of `enum nudge_line`.
pub(crate) const KINDS: [Kind; 9] = [
    Kind::Spi,
    Kind::Dc,
    Kind::Reset,
    Kind::Backlight,
    Kind::Input,
    Kind::Led,
    Kind::I2c,
    Kind::Memory,
    Kind::Detect,
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Spi,
    Dc,
    Reset,
    Backlight,
    Input,
    Led,
    I2c,
    Memory,
    Detect,
}

enum Part {
    Spi(DisplaySpi),
    Dc(DataCommand),
    Reset(Reset),
    Backlight(Backlight),
    Input(InputPin),
    Led(Led),
    I2c(I2c),
    Memory(MemorySpi),
}

/// A use of a part that is not possible, which ends the board.
#[derive(Debug)]
enum Misuse {
    NoName,
    NoPart(u32),
    NoContact(String),
    OtherKind { part: u32, name: String, needed: &'static str },
}

impl Misuse {
    fn text(&self) -> String {
        match self {
            Self::NoName => "a name of a part is a null pointer".to_owned(),
            Self::NoPart(part) => format!(
                "there is no part {part}: the firmware uses a number that no function of nudge.h has \
                 returned"
            ),
            Self::NoContact(name) => format!(
                "the board file has no `detect` for the slot `{name}`; add the pin of its contact"
            ),
            Self::OtherKind { part, name, needed } => format!(
                "the part {part}, `{name}`, is no {needed}; nudge.h says which function is for which part"
            ),
        }
    }
}

fn end(misuse: &Misuse) -> ! {
    resume_unwind(Box::new(misuse.text()))
}

/// The parts, and the state of a firmware in C.
pub(crate) struct Board {
    pins: Pins,
    parts: RefCell<Vec<(String, Part)>>,
    console: RefCell<Option<Console>>,
    memory: RefCell<Vec<Box<[u128]>>>,
    /// The static variables with `NUDGE_STATE`.
    pub(crate) statics: Statics,
    /// Place in C to which the firmware is left: a `jmp_buf`.
    pub(crate) exit: Cell<*mut c_void>,
    /// Reason for which it is left.
    pub(crate) ended: RefCell<Option<Box<dyn Any + Send>>>,
}

impl Board {
    pub(crate) fn new(pins: Pins) -> Self {
        Self {
            pins,
            parts: RefCell::default(),
            console: RefCell::default(),
            memory: RefCell::default(),
            statics: Statics::default(),
            exit: Cell::new(std::ptr::null_mut()),
            ended: RefCell::default(),
        }
    }

    /// Returns the number of a part. An input is that of its name at each call, an output has one owner.
    pub(crate) fn part(&self, kind: Kind, name: Option<String>) -> u32 {
        let name = name.unwrap_or_else(|| end(&Misuse::NoName));
        let part = match kind {
            Kind::Input if self.pins.has_switch(&name) => Part::Input(self.pins.switch(&name)),
            Kind::Input => Part::Input(self.pins.button(&name)),
            Kind::Led => Part::Led(self.pins.led(&name)),
            Kind::I2c => Part::I2c(self.pins.i2c(&name)),
            Kind::Spi | Kind::Dc | Kind::Reset | Kind::Backlight => {
                return self.display(&name) + kind as u32;
            }
            Kind::Memory if self.pins.has_sd_card(&name) => return self.card(&name),
            Kind::Memory => Part::Memory(self.pins.spi_flash(&name)),
            Kind::Detect => {
                let contact = self.card(&name) + 1;
                let is_contact =
                    |(own, part): &(String, Part)| *own == name && matches!(part, Part::Input(_));
                if !self.parts.borrow().get(contact as usize).is_some_and(is_contact) {
                    end(&Misuse::NoContact(name));
                }
                return contact;
            }
        };
        self.add(name, part)
    }

    /// Returns the number of the first of the four lines of a display.
    fn display(&self, name: &str) -> u32 {
        let is_known = |(own, part): &(String, Part)| own == name && matches!(part, Part::Spi(_));
        if let Some(first) = self.parts.borrow().iter().position(is_known) {
            return first as u32;
        }
        let DisplayPins { spi, dc, reset, backlight } = self.pins.display(name);
        let first = self.add(name.to_owned(), Part::Spi(spi));
        self.add(name.to_owned(), Part::Dc(dc));
        self.add(name.to_owned(), Part::Reset(reset));
        self.add(name.to_owned(), Part::Backlight(backlight));
        first
    }

    /// Returns the number of the SPI of an SD card, which that of its contact follows, if it has one.
    fn card(&self, name: &str) -> u32 {
        let is_known =
            |(own, part): &(String, Part)| own == name && matches!(part, Part::Memory(_));
        if let Some(first) = self.parts.borrow().iter().position(is_known) {
            return first as u32;
        }
        let SdCardPins { spi, detect } = self.pins.sd_card(name);
        let first = self.add(name.to_owned(), Part::Memory(spi));
        if let Some(contact) = detect {
            self.add(name.to_owned(), Part::Input(contact));
        }
        first
    }

    fn add(&self, name: String, part: Part) -> u32 {
        let mut parts = self.parts.borrow_mut();
        parts.push((name, part));
        parts.len() as u32 - 1
    }

    /// Calls `work` with a part.
    fn with<T>(
        &self,
        part: u32,
        needed: &'static str,
        work: impl FnOnce(&mut Part) -> Option<T>,
    ) -> T {
        let mut parts = self.parts.borrow_mut();
        let Some((name, found)) = parts.get_mut(part as usize) else { end(&Misuse::NoPart(part)) };
        match work(found) {
            Some(result) => result,
            None => end(&Misuse::OtherKind { part, name: name.clone(), needed }),
        }
    }

    pub(crate) fn read(&self, part: u32) -> bool {
        self.with(part, "input", |part| match part {
            Part::Input(pin) => Some(pin.is_high() == Ok(true)),
            _ => None,
        })
    }

    pub(crate) fn write(&self, part: u32, is_high: bool) {
        let state = PinState::from(is_high);
        self.with(part, "output", |part| {
            let set = match part {
                Part::Dc(pin) => pin.set_state(state),
                Part::Reset(pin) => pin.set_state(state),
                Part::Backlight(pin) => pin.set_state(state),
                Part::Led(pin) => pin.set_state(state),
                Part::Spi(_) | Part::Input(_) | Part::I2c(_) | Part::Memory(_) => return None,
            };
            set.ok()
        });
    }

    pub(crate) fn spi_write(&self, part: u32, bytes: &[u8]) {
        self.with(part, "SPI device", |part| match part {
            Part::Spi(spi) => spi.write(bytes).ok(),
            _ => None,
        });
    }

    pub(crate) fn spi_select(&self, part: u32, is_selected: bool) {
        self.with(part, "memory", |part| match part {
            Part::Memory(spi) => {
                spi.select(is_selected);
                Some(())
            }
            _ => None,
        });
    }

    /// Sends bytes to a memory, and replaces them by its answer.
    pub(crate) fn spi_transfer(&self, part: u32, bytes: &mut [u8]) {
        self.with(part, "memory", |part| match part {
            Part::Memory(spi) => {
                spi.exchange(bytes);
                Some(())
            }
            _ => None,
        });
    }

    /// Returns whether a device has acknowledged the address.
    pub(crate) fn i2c_write(&self, part: u32, address: u8, bytes: &[u8]) -> bool {
        self.with(part, "I2C bus", |part| match part {
            Part::I2c(i2c) => Some(i2c.write(address, bytes).is_ok()),
            _ => None,
        })
    }

    /// Returns whether a device has acknowledged the address.
    pub(crate) fn i2c_read(&self, part: u32, address: u8, bytes: &mut [u8]) -> bool {
        self.with(part, "I2C bus", |part| match part {
            Part::I2c(i2c) => Some(i2c.read(address, bytes).is_ok()),
            _ => None,
        })
    }

    fn console<T>(&self, work: impl FnOnce(&mut Console) -> T) -> T {
        let mut console = self.console.borrow_mut();
        work(console.get_or_insert_with(|| self.pins.console()))
    }

    pub(crate) fn uart_write(&self, bytes: &[u8]) {
        // Writing does not fail.
        let _ = self.console(|console| console.write_all(bytes));
    }

    /// Returns the number of bytes that had arrived. Those after an overrun are lost, as in the chip.
    pub(crate) fn uart_read(&self, bytes: &mut [u8]) -> usize {
        self.console(|console| match console.read_ready() {
            Ok(true) => console.read(bytes).unwrap_or(0),
            _ => 0,
        })
    }

    pub(crate) fn log(&self, line: Option<String>) {
        let line = line.unwrap_or_else(|| end(&Misuse::NoName));
        self.uart_write(format!("{line}\n").as_bytes());
    }

    pub(crate) fn delay_us(&self, microseconds: u32) {
        embedded_hal::delay::DelayNs::delay_us(&mut self.pins.delay(), microseconds);
    }

    pub(crate) fn now_us(&self) -> u64 {
        self.pins.clock().now().0 / 1_000
    }

    pub(crate) fn random(&self) -> u32 {
        self.pins.entropy().next_u32()
    }

    /// Returns memory that lives as long as the board has power.
    pub(crate) fn memory(&self, size: usize) -> *mut c_void {
        let mut block = vec![0_u128; size.div_ceil(size_of::<u128>())].into_boxed_slice();
        let start = block.as_mut_ptr().cast();
        self.memory.borrow_mut().push(block);
        start
    }
}
