//! An I2C bus with displays and devices with fixed registers.

use board_file::BoardFile;
use board_file::bus::Bus;
use board_file::value::Pin;
use embedded_hal::i2c::{
    self, ErrorKind, ErrorType, NoAcknowledgeSource, Operation, SevenBitAddress,
};
use ili9341_model::bus::{BusByte, I2cDisplay};
use virtual_time::Nanos;

use crate::context;

/// Clock of a bus unless the firmware sets another one: the fast mode.
const CLOCK_HZ: u32 = 400_000;
/// Clocks of a byte with its acknowledgement.
const BYTE_CLOCKS: u64 = 9;
/// Answer of a register that a device does not have: nothing pulls SDA low.
const NOTHING: u8 = 0xFF;

/// No device has acknowledged its address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no device on the I2C bus has the address {address:#04x}")]
pub struct I2cError {
    pub address: u8,
}

impl i2c::Error for I2cError {
    fn kind(&self) -> ErrorKind {
        ErrorKind::NoAcknowledge(NoAcknowledgeSource::Address)
    }
}

/// An I2C bus as its controller.
#[derive(Debug)]
pub struct I2c {
    displays: Vec<DisplayDevice>,
    devices: Vec<Registers>,
    hertz: u32,
}

/// A display on the bus.
#[derive(Debug)]
struct DisplayDevice {
    display: usize,
    address: u8,
    decoder: I2cDisplay,
    /// D/C of the last byte.
    dc_high: Option<bool>,
}

/// A device whose registers have fixed answers.
#[derive(Debug)]
struct Registers {
    address: u8,
    registers: Vec<(u8, Vec<u8>)>,
    selected: u8,
}

impl Registers {
    /// Returns the answer to the read number `count` of a transfer.
    fn read(&self, count: usize) -> u8 {
        let answer = self.registers.iter().find(|(register, _)| *register == self.selected);
        let byte = answer.and_then(|(_, answer)| answer.get(count).or(answer.last()));
        byte.copied().unwrap_or(NOTHING)
    }
}

impl I2c {
    pub(crate) fn new(file: &BoardFile, sda: Pin, scl: Pin) -> Self {
        let is_here =
            |own_sda: Pin, own_scl: Pin| (own_sda.gpio, own_scl.gpio) == (sda.gpio, scl.gpio);
        let displays = file.display.iter().enumerate().filter(|(_, part)| part.bus == Bus::I2c);
        let displays = displays
            .filter(|(_, part)| part.sda.zip(part.scl).is_some_and(|(sda, scl)| is_here(sda, scl)));
        let displays = displays.map(|(display, part)| {
            let address = part.i2c_address() as u8;
            DisplayDevice { display, address, decoder: I2cDisplay::new(address), dc_high: None }
        });
        let devices = file.i2c_device.iter().filter(|part| is_here(part.sda, part.scl));
        let devices = devices.map(|part| Registers {
            address: part.address.value as u8,
            registers: part.fixed_registers(),
            selected: 0,
        });
        Self { displays: displays.collect(), devices: devices.collect(), hertz: CLOCK_HZ }
    }

    /// Returns the bus with another clock in hertz; 0 counts as 1.
    #[must_use]
    pub fn with_clock(self, hertz: u32) -> Self {
        Self { hertz: hertz.max(1), ..self }
    }

    fn byte_time(&self) -> Nanos {
        Nanos(BYTE_CLOCKS * 1_000_000_000 / u64::from(self.hertz))
    }

    /// Sends an address. Fails if no device acknowledges it.
    fn address(&mut self, address: u8, reads: bool) -> Result<(), I2cError> {
        context::spend(self.byte_time());
        let mut is_acknowledged = self.devices.iter().any(|device| device.address == address);
        for device in &mut self.displays {
            is_acknowledged |= device.address == address;
            device.decoder.start(address << 1 | u8::from(reads));
        }
        if is_acknowledged { Ok(()) } else { Err(I2cError { address }) }
    }

    fn write(&mut self, address: u8, bytes: &[u8], selects: &mut bool) {
        let takes = self.byte_time();
        for byte in bytes {
            for device in self.devices.iter_mut().filter(|device| device.address == address) {
                if *selects {
                    device.selected = *byte;
                }
            }
            *selects = false;
            for device in &mut self.displays {
                let Some(BusByte { dc_high, byte }) = device.decoder.byte(*byte) else { continue };
                context::terminals(|terminals, start| {
                    let lcd = terminals.at_display(device.display);
                    if device.dc_high.replace(dc_high) != Some(dc_high) {
                        lcd.set_lcd_dc(start, dc_high);
                    }
                    lcd.lcd_write(start, start.saturating_add(takes), &[byte]);
                });
            }
            context::spend(takes);
        }
    }

    fn read(&mut self, address: u8, bytes: &mut [u8], count: &mut usize) {
        for byte in bytes {
            let device = self.devices.iter().find(|device| device.address == address);
            *byte = device.map_or(NOTHING, |device| device.read(*count));
            *count += 1;
            context::spend(self.byte_time());
        }
    }

    fn stop(&mut self) {
        for device in &mut self.displays {
            device.decoder.stop();
        }
        context::spend(Nanos(1_000_000_000 / u64::from(self.hertz)));
    }

    fn transfer(
        &mut self,
        address: SevenBitAddress,
        operations: &mut [Operation<'_>],
    ) -> Result<(), I2cError> {
        let mut direction = None;
        let (mut selects, mut count) = (false, 0);
        for operation in operations {
            let reads = matches!(operation, Operation::Read(_));
            // Operations in the same direction follow each other without a start condition.
            if direction.replace(reads) != Some(reads) {
                self.address(address, reads)?;
                (selects, count) = (!reads, 0);
            }
            match operation {
                Operation::Write(bytes) => self.write(address, bytes, &mut selects),
                Operation::Read(bytes) => self.read(address, bytes, &mut count),
            }
        }
        Ok(())
    }
}

impl ErrorType for I2c {
    type Error = I2cError;
}

impl i2c::I2c for I2c {
    fn transaction(
        &mut self,
        address: SevenBitAddress,
        operations: &mut [Operation<'_>],
    ) -> Result<(), I2cError> {
        let result = self.transfer(address, operations);
        self.stop();
        result
    }
}

/// The same transfers; the firmware is busy while they take place.
impl embedded_hal_async::i2c::I2c for I2c {
    async fn transaction(
        &mut self,
        address: SevenBitAddress,
        operations: &mut [Operation<'_>],
    ) -> Result<(), I2cError> {
        i2c::I2c::transaction(self, address, operations)
    }
}
