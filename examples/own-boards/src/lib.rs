//! Code of all programs: the second boot stage, the clocks, and a button.
#![no_std]

use core::panic::PanicInfo;

use embedded_hal::delay::DelayNs;
use embedded_hal::digital::InputPin;
use rp2040_hal::clocks::{ClocksManager, init_clocks_and_plls};
use rp2040_hal::gpio::Pins;
use rp2040_hal::{Sio, Timer, Watchdog, pac};

/// The second-stage boot loader for the flash chip of a Pico (W25Q16JV).
#[used]
#[expect(unsafe_code, reason = "the boot ROM looks for it at the beginning of the flash")]
#[unsafe(link_section = ".boot2")]
static BOOT2: [u8; 256] = rp2040_boot2::BOOT_LOADER_W25Q080;

/// Frequency of the Pico's crystal, in Hz.
const CRYSTAL_HZ: u32 = 12_000_000;

/// A Pico with running clocks.
pub struct Board {
    pub clocks: ClocksManager,
    pub timer: Timer,
    pub pins: Pins,
    pub resets: pac::RESETS,
    pub spi0: pac::SPI0,
    pub spi1: pac::SPI1,
    pub uart0: pac::UART0,
    pub adc: pac::ADC,
    pub pwm: pac::PWM,
    pub i2c0: pac::I2C0,
    pub pio0: pac::PIO0,
    pub dma: pac::DMA,
}

impl Board {
    /// Sets up the clocks as every program for a Pico does. Can be called once.
    pub fn take() -> Self {
        let Some(pac) = pac::Peripherals::take() else { unreachable!("main runs once") };
        let mut watchdog = Watchdog::new(pac.WATCHDOG);
        let mut resets = pac.RESETS;
        let clocks = init_clocks_and_plls(
            CRYSTAL_HZ,
            pac.XOSC,
            pac.CLOCKS,
            pac.PLL_SYS,
            pac.PLL_USB,
            &mut resets,
            &mut watchdog,
        );
        let Ok(clocks) = clocks else { panic!("the clocks do not start") };
        let sio = Sio::new(pac.SIO);
        let pins = Pins::new(pac.IO_BANK0, pac.PADS_BANK0, sio.gpio_bank0, &mut resets);
        let timer = Timer::new(pac.TIMER, &mut resets, &clocks);
        Self {
            clocks,
            timer,
            pins,
            resets,
            spi0: pac.SPI0,
            spi1: pac.SPI1,
            uart0: pac.UART0,
            adc: pac.ADC,
            pwm: pac.PWM,
            i2c0: pac.I2C0,
            pio0: pac.PIO0,
            dma: pac.DMA,
        }
    }
}

/// A delay that is never shorter than requested: the timer counts whole microseconds, and a panel
/// wants 120 ms after SLPOUT.
pub struct LongDelay(pub Timer);

impl DelayNs for LongDelay {
    fn delay_ns(&mut self, ns: u32) {
        self.0.delay_ns(ns);
        self.0.delay_us(10);
    }
}

/// A button that is polled every few milliseconds, which ignores bounces.
pub struct Button<P> {
    pin: P,
    /// Level while the button is pressed; true is high.
    active: bool,
    was_down: bool,
}

impl<P: InputPin> Button<P> {
    /// Creates a button whose pin has the level `active` while it is pressed.
    pub fn new(pin: P, active: bool) -> Self {
        Self { pin, active, was_down: false }
    }

    /// Returns whether the button has been pressed since the last call.
    pub fn is_pressed(&mut self) -> bool {
        let down = self.pin.is_high().unwrap_or(!self.active) == self.active;
        let was_down = core::mem::replace(&mut self.was_down, down);
        down && !was_down
    }
}

#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    loop {
        cortex_m::asm::bkpt();
    }
}
