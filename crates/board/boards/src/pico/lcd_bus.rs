//! The LCD's bus, of any kind.
//!
//! A serial bus gets the frames of an SPI controller and the levels of its pins, a parallel one
//! only levels. On I2C a display is a device among others (`i2c`). The caller passes frames, levels
//! and functions in order of time.

use hal_mock::board::Terminals;
use rp2040_emulator::chip::{FunctionChange, PinBurst, PinWords, SpiWord};
use virtual_time::Instant;

use super::parallel_bus::ParallelBus;
use super::serial_bus::SerialBus;
use super::wiring::{BusWiring, Gpio};

/// The bus of an LCD.
#[derive(Clone)]
pub(super) enum LcdBus {
    Serial(SerialBus),
    Parallel(ParallelBus),
    /// The display is an I2C device; the levels of the chip's pins.
    I2c(u32),
}

impl LcdBus {
    /// Creates the bus. `levels` are those of the chip's pins, and `function` returns the current
    /// function of a pin.
    pub(super) fn new(wiring: &BusWiring, levels: u32, function: impl Fn(Gpio) -> u32) -> Self {
        match wiring {
            BusWiring::Serial(wiring) => Self::Serial(SerialBus::new(wiring, levels, function)),
            BusWiring::Parallel(wiring) => Self::Parallel(ParallelBus::new(wiring, levels)),
            BusWiring::I2c(_) => Self::I2c(levels),
        }
    }

    /// Returns the SPI controller that can drive the bus, if the pins are those of one.
    pub(super) fn controller(&self) -> Option<usize> {
        match self {
            Self::Serial(bus) => bus.controller(),
            Self::Parallel(_) | Self::I2c(_) => None,
        }
    }

    /// Returns whether an SPI controller drives the bus.
    pub(super) fn is_routed(&self) -> bool {
        match self {
            Self::Serial(bus) => bus.is_routed(),
            Self::Parallel(_) | Self::I2c(_) => false,
        }
    }

    /// Returns the pins whose levels the bus needs.
    pub(super) fn pins(&self) -> u32 {
        match self {
            Self::Serial(bus) => bus.pins(),
            Self::Parallel(bus) => bus.pins(),
            Self::I2c(_) => 0,
        }
    }

    /// Returns the pins whose functions the bus needs.
    pub(super) fn function_pins(&self) -> u32 {
        match self {
            Self::Serial(bus) => bus.function_pins(),
            Self::Parallel(_) | Self::I2c(_) => 0,
        }
    }

    /// Handles a change of the function of a pin.
    pub(super) fn change_function(&mut self, change: FunctionChange) {
        if let Self::Serial(bus) = self {
            bus.change_function(change);
        }
    }

    /// Adds a frame of the SPI controller, if it reaches the LCD. Times count from `powered_at`.
    pub(super) fn clock_in(&mut self, lcd: &Terminals, powered_at: Instant, frame: SpiWord) {
        if let Self::Serial(bus) = self {
            bus.clock_in(lcd, powered_at, frame);
        }
    }

    /// Handles a change of the levels of the pins, and returns the pins that have changed.
    pub(super) fn change_levels(
        &mut self,
        lcd: &Terminals,
        powered_at: Instant,
        ns: u64,
        levels: u32,
    ) -> u32 {
        match self {
            Self::Serial(bus) => bus.change_levels(lcd, powered_at, ns, levels),
            Self::Parallel(bus) => bus.change_levels(lcd, powered_at, ns, levels),
            Self::I2c(before) => std::mem::replace(before, levels) ^ levels,
        }
    }

    /// Returns whether the bus takes bursts of changes.
    pub(super) fn takes_bursts(&self) -> bool {
        matches!(self, Self::Serial(_))
    }

    /// Handles a burst of changes, if the bus takes this one as a whole. Returns false, and changes
    /// nothing, otherwise.
    pub(super) fn shift(&mut self, lcd: &Terminals, powered_at: Instant, burst: &PinBurst) -> bool {
        match self {
            Self::Serial(bus) => bus.shift(lcd, powered_at, burst),
            Self::Parallel(_) | Self::I2c(_) => false,
        }
    }

    /// Handles words that a PIO shifts out, if the bus takes these as a whole. Returns false, and
    /// changes nothing, otherwise.
    pub(super) fn shift_words(
        &mut self,
        lcd: &Terminals,
        powered_at: Instant,
        words: &PinWords,
    ) -> bool {
        match self {
            Self::Serial(bus) => bus.shift_words(lcd, powered_at, words),
            Self::Parallel(_) | Self::I2c(_) => false,
        }
    }

    /// Transfers the consecutive bytes to the LCD.
    pub(super) fn flush(&mut self, lcd: &Terminals) {
        match self {
            Self::Serial(bus) => bus.flush(lcd),
            Self::Parallel(bus) => bus.flush(lcd),
            Self::I2c(_) => {}
        }
    }

    /// Returns the LCD's output on MISO during a frame, and passes the word on MOSI to the LCD.
    /// Returns `None` if the frame does not reach the LCD.
    pub(super) fn read(&self, lcd: &Terminals, powered_at: Instant, frame: SpiWord) -> Option<u16> {
        match self {
            Self::Serial(bus) => bus.read(lcd, powered_at, frame),
            Self::Parallel(_) | Self::I2c(_) => None,
        }
    }
}
