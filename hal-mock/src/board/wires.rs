//! The firmware's handles: pins, the SPI device, the delay, the flash, the console's transmitter
//! and the buzzer. Each refers to the same board, and knows only its wire, not what is drawn over
//! it.

use core::convert::Infallible;
use std::cell::RefCell;
use std::rc::Rc;

use embedded_hal::delay::DelayNs;
use embedded_hal::digital::{ErrorType as PinErrorType, InputPin, OutputPin};
use embedded_hal::pwm::{ErrorType as PwmErrorType, SetDutyCycle};
use embedded_hal::spi::{ErrorType as SpiErrorType, Operation, SpiDevice};
use embedded_io::{ErrorKind, ErrorType as UartErrorType, Read, ReadReady, Write, WriteReady};
use embedded_storage::nor_flash::{
    ErrorType as FlashErrorType, MultiwriteNorFlash, NorFlash, ReadNorFlash,
};
use thiserror::Error;

use super::circuit::Circuit;
use super::contact::Contact;
use super::probe::LcdPin;
use super::sound::MAX_DUTY;
use crate::flash::{FLASH_SIZE, FlashError, SECTOR_SIZE, WRITE_SIZE};
use trace::{Button, ButtonSet};
use virtual_time::{Instant, Nanos};

type Shared = Rc<RefCell<Circuit>>;

/// A button's GPIO with its pull-up: low while the contact is closed.
pub struct ButtonPin {
    pub(super) circuit: Shared,
    pub(super) button: Button,
}

impl PinErrorType for ButtonPin {
    type Error = Infallible;
}

impl InputPin for ButtonPin {
    fn is_high(&mut self) -> Result<bool, Infallible> {
        Ok(!self.is_low()?)
    }

    fn is_low(&mut self) -> Result<bool, Infallible> {
        let circuit = &mut *self.circuit.borrow_mut();
        Ok(circuit.read_contact(circuit.now, self.button))
    }
}

/// All buttons, with the time of each edge: pins whose edges raise an interrupt.
pub struct Contacts(pub(super) Shared);

impl Contacts {
    /// Returns the buttons whose contacts are closed. Consumes the edges up to now.
    pub fn closed(&mut self) -> ButtonSet {
        let circuit = &mut *self.0.borrow_mut();
        circuit.read_contacts(circuit.now)
    }

    /// Consumes the earliest unread edge up to now, and returns its time and which contacts are
    /// closed right after it. Without power there is none.
    pub fn next_change(&mut self) -> Option<(Instant, ButtonSet)> {
        let circuit = &mut *self.0.borrow_mut();
        let next = circuit.contacts.iter().filter_map(Contact::next_edge).min();
        let at = next.filter(|at| circuit.powered && *at <= circuit.now)?;
        Some((at, circuit.read_contacts(at)))
    }
}

/// SPI0 with the LCD's chip select. A byte takes eight clocks of virtual time; chip select
/// is low for one transaction and takes no time of its own.
pub struct LcdSpi(pub(super) Shared);

impl SpiErrorType for LcdSpi {
    type Error = Infallible;
}

impl SpiDevice for LcdSpi {
    fn transaction(&mut self, operations: &mut [Operation<'_, u8>]) -> Result<(), Infallible> {
        let circuit = &mut *self.0.borrow_mut();
        for operation in operations {
            match operation {
                Operation::Write(bytes) => circuit.clock_out(bytes),
                Operation::Read(bytes) => {
                    // During a read the PL022 sends zeros.
                    bytes.fill(0);
                    circuit.clock_both(bytes);
                }
                Operation::TransferInPlace(bytes) => circuit.clock_both(bytes),
                Operation::Transfer(read, write) => {
                    // The longer of the two sets the length; zeros are sent after the end of
                    // `write`.
                    let mut bytes = write.to_vec();
                    bytes.resize(read.len().max(write.len()), 0);
                    circuit.clock_both(&mut bytes);
                    read.copy_from_slice(&bytes[..read.len()]);
                }
                Operation::DelayNs(nanos) => {
                    circuit.delay(Nanos(u64::from(*nanos)));
                }
            }
        }
        Ok(())
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), Infallible> {
        self.0.borrow_mut().clock_out(bytes);
        Ok(())
    }
}

macro_rules! lcd_pin {
    ($(#[$doc:meta])* $name:ident, $pin:expr) => {
        $(#[$doc])*
        pub struct $name(pub(super) Shared);

        impl PinErrorType for $name {
            type Error = Infallible;
        }

        impl OutputPin for $name {
            fn set_low(&mut self) -> Result<(), Infallible> {
                let circuit = &mut *self.0.borrow_mut();
                circuit.set_lcd_pin(circuit.now, $pin, false);
                Ok(())
            }

            fn set_high(&mut self) -> Result<(), Infallible> {
                let circuit = &mut *self.0.borrow_mut();
                circuit.set_lcd_pin(circuit.now, $pin, true);
                Ok(())
            }
        }
    };
}

lcd_pin!(
    /// The LCD's D/CX: low while a command byte is sent.
    LcdDc,
    LcdPin::Dc
);
lcd_pin!(
    /// The LCD's RESX: low resets it. A pull-up on the module holds it high until it is driven.
    LcdReset,
    LcdPin::Reset
);
lcd_pin!(
    /// The LCD's backlight: high is on; off until it is driven.
    Backlight,
    LcdPin::Backlight
);

/// A delay that advances the virtual clock.
pub struct BoardDelay(pub(super) Shared);

impl DelayNs for BoardDelay {
    fn delay_ns(&mut self, nanos: u32) {
        self.0.borrow_mut().delay(Nanos(u64::from(nanos)));
    }
}

/// The board's entropy source.
pub struct Entropy(pub(super) Shared);

impl Entropy {
    /// Returns the next bit; always 0 if the board has no entropy seed.
    pub fn bit(&mut self) -> bool {
        self.0.borrow_mut().entropy.bit()
    }
}

/// The last 256 KiB of the board's flash. Programming and erasing advance the clock by
/// their datasheet time.
pub struct FlashHandle(pub(super) Shared);

impl FlashErrorType for FlashHandle {
    type Error = FlashError;
}

impl ReadNorFlash for FlashHandle {
    const READ_SIZE: usize = 1;

    fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), FlashError> {
        self.0.borrow().flash.read(offset, bytes)
    }

    fn capacity(&self) -> usize {
        FLASH_SIZE
    }
}

impl NorFlash for FlashHandle {
    const WRITE_SIZE: usize = WRITE_SIZE;
    const ERASE_SIZE: usize = SECTOR_SIZE;

    fn erase(&mut self, from: u32, to: u32) -> Result<(), FlashError> {
        let circuit = &mut *self.0.borrow_mut();
        circuit.erase_flash(from, to)
    }

    fn write(&mut self, offset: u32, bytes: &[u8]) -> Result<(), FlashError> {
        let circuit = &mut *self.0.borrow_mut();
        circuit.program_flash(offset, bytes)
    }
}

impl MultiwriteNorFlash for FlashHandle {}

/// The firmware's end of the console wire.
pub struct Uart(pub(super) Shared);

/// The receiver had no room for a byte, which is lost. The next byte is good.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("a byte was lost, because the receiver had no room for it")]
pub struct UartOverrun;

impl embedded_io::Error for UartOverrun {
    fn kind(&self) -> ErrorKind {
        ErrorKind::Other
    }
}

impl UartErrorType for Uart {
    type Error = UartOverrun;
}

impl Read for Uart {
    /// Reads the bytes that have arrived, up to a lost one; returns 0 if there are none.
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize, UartOverrun> {
        let circuit = &mut *self.0.borrow_mut();
        let now = circuit.now;
        let mut count = 0;
        if !buffer.is_empty() && circuit.typing.take_loss(now) {
            return Err(UartOverrun);
        }
        while count < buffer.len()
            && !circuit.typing.has_loss(now)
            && let Some(typed) = circuit.typing.take(now)
        {
            buffer[count] = typed.byte;
            count += 1;
        }
        Ok(count)
    }
}

impl ReadReady for Uart {
    fn read_ready(&mut self) -> Result<bool, UartOverrun> {
        let circuit = &mut *self.0.borrow_mut();
        Ok(circuit.typing.look(circuit.now))
    }
}

impl Write for Uart {
    /// Writes as much as fits into the FIFO, at least one byte: if the FIFO is full, the clock
    /// advances until the byte on the wire has left. Without power the bytes are lost.
    fn write(&mut self, bytes: &[u8]) -> Result<usize, UartOverrun> {
        let circuit = &mut *self.0.borrow_mut();
        if bytes.is_empty() || !circuit.powered {
            return Ok(bytes.len());
        }
        circuit.console.catch_up(circuit.now);
        if circuit.console.room() == 0
            && let Some(end) = circuit.console.front_leaves_at()
        {
            circuit.advance_to(end);
            circuit.console.catch_up(end);
        }
        if !circuit.powered {
            return Ok(bytes.len());
        }
        Ok(circuit.console.queue(circuit.now, bytes))
    }

    /// Advances the clock until the last byte has left the wire.
    fn flush(&mut self) -> Result<(), UartOverrun> {
        let circuit = &mut *self.0.borrow_mut();
        circuit.console.catch_up(circuit.now);
        while let Some(end) = circuit.console.front_leaves_at() {
            circuit.advance_to(end);
            circuit.console.catch_up(end);
        }
        Ok(())
    }
}

impl WriteReady for Uart {
    fn write_ready(&mut self) -> Result<bool, UartOverrun> {
        let circuit = &mut *self.0.borrow_mut();
        circuit.console.catch_up(circuit.now);
        Ok(circuit.console.room() > 0)
    }
}

/// The firmware's end of the buzzer.
pub struct Buzzer(pub(super) Shared);

impl Buzzer {
    /// Sets the frequency in hertz; 0 is silence, whatever the duty cycle.
    pub fn set_frequency(&mut self, hz: u32) {
        let circuit = &mut *self.0.borrow_mut();
        if circuit.powered {
            circuit.sound.hz = hz;
            circuit.sound.listen(circuit.now);
        }
    }
}

impl PwmErrorType for Buzzer {
    type Error = Infallible;
}

impl SetDutyCycle for Buzzer {
    fn max_duty_cycle(&self) -> u16 {
        MAX_DUTY
    }

    fn set_duty_cycle(&mut self, duty: u16) -> Result<(), Infallible> {
        let circuit = &mut *self.0.borrow_mut();
        if circuit.powered {
            circuit.sound.duty = duty;
            circuit.sound.listen(circuit.now);
        }
        Ok(())
    }
}
