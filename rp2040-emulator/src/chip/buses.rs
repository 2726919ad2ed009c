//! The far ends of the UARTs, SPIs and I2Cs: the bytes, words and events that the caller exchanges
//! with the chip, and the devices that it attaches.

use std::any::Any;

use super::Chip;
use super::peripherals::i2c::{I2cEvent, I2cTarget};
use super::peripherals::io_bank::PIN_COUNT;
use super::peripherals::spi::{SpiDevice, SpiPins, SpiTarget, SpiWord};

impl Chip {
    /// Returns the bytes that UART `number` (0 or 1) has sent since the last call, each with the
    /// nanosecond at which its stop bit ended.
    pub fn take_sent(&mut self, number: usize) -> Vec<(u64, u8)> {
        self.devices.uarts[number & 1].take_sent()
    }

    /// Lets UART `number` send its remaining bytes in the time that this takes, while everything
    /// else is stopped; [`take_sent`](Self::take_sent) then returns these bytes. Intended for the
    /// end of a run.
    pub fn drain_uart(&mut self, number: usize) {
        self.devices.uarts[number & 1].drain();
    }

    /// Returns whether UART `number` has a byte on the wire or in its FIFO.
    pub fn is_sending(&self, number: usize) -> bool {
        self.devices.uarts[number & 1].is_sending()
    }

    /// Returns the duration of a byte on the wire to UART `number`, in nanoseconds; `None` while an
    /// arriving byte would be lost, because the receiver is disabled or has no clock, or its FIFO
    /// is full.
    pub fn arrival_ns(&self, number: usize) -> Option<u64> {
        self.devices.uarts[number & 1].arrival_ns()
    }

    /// Makes UART `number` report that it has lost a byte: the next byte has the overrun flag
    /// (datasheet section 4.2.8, UARTDR).
    pub fn lose(&mut self, number: usize) {
        self.devices.uarts[number & 1].lose();
        self.devices.touch();
    }

    /// Delivers a byte to UART `number`.
    pub fn send(&mut self, number: usize, byte: u8) {
        let ns = self.now_ns();
        self.devices.uarts[number & 1].arrive(byte, ns);
        self.devices.touch();
    }

    /// Returns the words that SPI controller `number` (0 or 1) has sent since the last call, and
    /// the number of words dropped since power-on because the buffer was full.
    pub fn take_spi_sent(&mut self, number: usize) -> (Vec<SpiWord>, u64) {
        let ns = self.now_ns();
        let spi = &mut self.devices.spis[number & 1];
        (spi.take_sent(ns), spi.dropped())
    }

    /// Queues the word that the next unanswered frame of SPI controller `number` reads. Returns
    /// false, and drops the word, if the queue is full.
    pub fn answer_spi(&mut self, number: usize, word: u16) -> bool {
        self.devices.spis[number & 1].answer(word)
    }

    /// Sets the level of an SPI controller's RX while no answer is queued; initially low.
    pub fn set_spi_idle_level(&mut self, number: usize, high: bool) {
        self.devices.spis[number & 1].set_idle_level(high);
    }

    /// Attaches a device to SPI controller `number` (0 or 1), replacing an earlier one. The device
    /// answers each frame that begins from now on.
    pub fn attach_spi(&mut self, number: usize, device: Box<dyn SpiDevice>) {
        self.devices.catch_up(self.cores[0].cycles());
        let levels = self.devices.bank.levels();
        self.devices.spis[number & 1].attach(device, levels);
        self.devices.spi_devices = true;
    }

    /// Returns the current frame of SPI controller `number`, if its device leaves the answer to the
    /// caller. [`answer_spi`](Self::answer_spi) sets the answer; without one the frame reads the
    /// idle level.
    pub fn unanswered_spi_frame(&self, number: usize) -> Option<SpiWord> {
        self.devices.spis[number & 1].question()
    }

    /// Adds an SPI bus for [targets](Self::attach_spi_target). If `is_pulled_up`, a resistor pulls
    /// its MISO up while no target drives it; every reset retains it. Returns false if a pin does
    /// not exist.
    pub fn add_spi_bus(&mut self, pins: SpiPins, is_pulled_up: bool) -> bool {
        self.devices.catch_up(self.cores[0].cycles());
        self.devices.add_spi_bus(pins, is_pulled_up)
    }

    /// Attaches a device to an SPI bus, with its own chip select. It receives what its wires carry:
    /// the frames of the SPI controller that has SCK and MOSI by the functions of the pins, or
    /// otherwise the edges of the pins. Returns the number of the target; `None`, and attaches
    /// nothing, if a pin does not exist.
    pub fn attach_spi_target(
        &mut self,
        pins: SpiPins,
        chip_select: usize,
        target: Box<dyn SpiTarget>,
    ) -> Option<usize> {
        self.devices.catch_up(self.cores[0].cycles());
        self.devices.attach_spi_target(pins, chip_select, target)
    }

    /// Returns the target with this number, in its current state.
    pub fn spi_target(&self, number: usize) -> Option<&dyn SpiTarget> {
        self.devices.spi_target(number)
    }

    /// Passes each SPI target and each I2C target to `change`, for changes from outside, such as a
    /// finger on a touch panel.
    pub fn change_targets(&mut self, mut change: impl FnMut(&mut dyn Any)) {
        self.devices.catch_up(self.cores[0].cycles());
        self.devices.spi_targets_mut().for_each(|target| change(target));
        for i2c in &mut self.devices.i2cs {
            i2c.targets_mut().for_each(|target| change(target));
        }
    }

    /// Returns the devices on the I2C buses.
    pub fn i2c_targets(&self) -> impl Iterator<Item = &dyn I2cTarget> {
        self.devices.i2cs.iter().flat_map(|i2c| i2c.targets())
    }

    /// Attaches a device to the bus of I2C controller `number` (0 or 1). If several devices
    /// acknowledge an address, the one that was attached first is addressed.
    pub fn attach_i2c(&mut self, number: usize, target: Box<dyn I2cTarget>) {
        self.devices.i2cs[number & 1].attach(target, 0);
    }

    /// Attaches a device to two pins, SDA and SCL. It is on the bus of the I2C controller that can
    /// have both pins, while they have that function. Returns false, and attaches nothing, if they
    /// are not the pins of one controller (datasheet section 1.4.3).
    pub fn attach_i2c_at(&mut self, [sda, scl]: [usize; 2], target: Box<dyn I2cTarget>) -> bool {
        let number = sda / 2 % 2;
        let exists = sda.max(scl) < PIN_COUNT;
        if !exists || sda % 2 != 0 || scl % 2 != 1 || scl / 2 % 2 != number {
            return false;
        }
        self.devices.i2cs[number].attach(target, 1 << sda | 1 << scl);
        self.devices.route_i2cs();
        true
    }

    /// Returns the events on the bus of I2C controller `number` as a master since the last call,
    /// each with the nanosecond of its end. The first call starts the recording; at most 262,144
    /// events are stored.
    pub fn take_i2c_events(&mut self, number: usize) -> Vec<(u64, I2cEvent)> {
        self.devices.i2cs[number & 1].take_events()
    }

    /// Sends a start and an address, as another master on the bus of I2C controller `number`.
    /// Returns true if the controller acknowledges it, as a target.
    pub fn call_i2c(&mut self, number: usize, address: u16, reading: bool) -> bool {
        self.devices.touch();
        self.devices.i2cs[number & 1].call(address, reading)
    }

    /// Writes a byte as the other master. Returns true if the controller acknowledges it.
    pub fn send_i2c(&mut self, number: usize, byte: u8) -> bool {
        self.devices.touch();
        self.devices.i2cs[number & 1].take_byte(byte)
    }

    /// Reads a byte as the other master. Returns `None` while the program has not provided one; the
    /// controller then stretches the clock.
    pub fn fetch_i2c(&mut self, number: usize) -> Option<u8> {
        self.devices.touch();
        self.devices.i2cs[number & 1].give_byte()
    }

    /// Sends a stop as the other master.
    pub fn end_i2c_call(&mut self, number: usize) {
        self.devices.touch();
        self.devices.i2cs[number & 1].end_call();
    }
}
