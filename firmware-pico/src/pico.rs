//! The pins of the reference board (docs/wiring.md), and their clocks.

use embedded_hal::digital::PinState;
use embedded_hal::spi::MODE_0;
use embedded_hal_bus::spi::{ExclusiveDevice, NoDelay};
use firmware_core::firmware::{Board, Parts};
use firmware_core::lcd::SPI_HZ;
use rp2040_hal::clocks::{Clock, init_clocks_and_plls};
use rp2040_hal::fugit::RateExtU32;
use rp2040_hal::gpio::bank0::{Gpio16, Gpio17, Gpio18, Gpio19, Gpio20, Gpio21, Gpio22};
use rp2040_hal::gpio::{FunctionSioOutput, FunctionSpi, Pin, Pins, PullDown};
use rp2040_hal::pac::{self, SPI0};
use rp2040_hal::pwm::Slices;
use rp2040_hal::uart::{DataBits, StopBits, UartConfig, UartPeripheral};
use rp2040_hal::{Sio, Spi, Timer, Watchdog};

use crate::buzzer::PicoBuzzer;
use crate::console::{PicoConsole, UartPins};
use crate::contacts::{self, PicoContacts};
use crate::entropy::PicoEntropy;
use crate::flash::PicoFlash;
use crate::lcd_bus::LcdBus;
use crate::rest::Sleeper;

/// The Pico's crystal, in Hz.
const CRYSTAL_HZ: u32 = 12_000_000;

/// Rate of the console in baud (docs/console.md).
const BAUD: u32 = 115_200;

// The pads have pull-downs at power-on.
type Output<I> = Pin<I, FunctionSioOutput, PullDown>;
type SpiPin<I> = Pin<I, FunctionSpi, PullDown>;
/// MOSI, MISO and SCK.
type SpiPins = (SpiPin<Gpio19>, SpiPin<Gpio16>, SpiPin<Gpio18>);

/// The reference board.
pub struct Pico;

impl Board for Pico {
    type Spi = ExclusiveDevice<LcdBus<SpiPins>, Output<Gpio17>, NoDelay>;
    type Dc = Output<Gpio20>;
    type Reset = Output<Gpio21>;
    type Backlight = Output<Gpio22>;
    type Contacts = PicoContacts;
    type Buzzer = PicoBuzzer;
    type Console = PicoConsole;
    type Flash = PicoFlash;
    type Entropy = PicoEntropy;
    type Lent<T: 'static> = &'static mut T;
}

/// Configures the clocks and takes every pin. Works only once.
pub fn take() -> (Parts<Pico>, Sleeper) {
    let Some(pac) = pac::Peripherals::take() else { unreachable!("main runs once") };
    let mut resets = pac.RESETS;
    let timed_out = pac.WATCHDOG.reason().read().timer().bit_is_set();
    let mut watchdog = Watchdog::new(pac.WATCHDOG);
    let Ok(clocks) = init_clocks_and_plls(
        CRYSTAL_HZ,
        pac.XOSC,
        pac.CLOCKS,
        pac.PLL_SYS,
        pac.PLL_USB,
        &mut resets,
        &mut watchdog,
    ) else {
        unreachable!("the clocks' dividers are constants")
    };
    let peripheral_clock = clocks.peripheral_clock.freq();
    let timer = Timer::new(pac.TIMER, &mut resets, &clocks);
    let pins = Pins::new(pac.IO_BANK0, pac.PADS_BANK0, Sio::new(pac.SIO).gpio_bank0, &mut resets);

    let spi_pins: SpiPins =
        (pins.gpio19.into_function(), pins.gpio16.into_function(), pins.gpio18.into_function());
    let spi = Spi::<_, SPI0, _, 8>::new(pac.SPI0, spi_pins).init(
        &mut resets,
        peripheral_clock,
        SPI_HZ.Hz(),
        MODE_0,
    );
    let chip_select = pins.gpio17.into_push_pull_output_in_state(PinState::High);
    let Ok(spi) = ExclusiveDevice::new_no_delay(LcdBus(spi), chip_select);

    let uart_pins: UartPins = (pins.gpio0.reconfigure(), pins.gpio1.reconfigure());
    let Ok(console) = UartPeripheral::new(pac.UART0, uart_pins, &mut resets)
        .enable(UartConfig::new(BAUD.Hz(), DataBits::Eight, None, StopBits::One), peripheral_clock)
    else {
        unreachable!("115,200 baud can be had from 125 MHz")
    };

    let slice = Slices::new(pac.PWM, &mut resets).pwm7;
    let parts = Parts {
        spi,
        dc: pins.gpio20.into_push_pull_output_in_state(PinState::High),
        reset: pins.gpio21.into_push_pull_output_in_state(PinState::High),
        backlight: pins.gpio22.into_push_pull_output_in_state(PinState::Low),
        contacts: PicoContacts::new(
            [
                contacts::button(pins.gpio2),
                contacts::button(pins.gpio3),
                contacts::button(pins.gpio4),
                contacts::button(pins.gpio5),
                contacts::button(pins.gpio6),
                contacts::button(pins.gpio7),
                contacts::button(pins.gpio8),
                contacts::button(pins.gpio9),
                contacts::button(pins.gpio10),
                contacts::button(pins.gpio11),
                contacts::button(pins.gpio12),
                contacts::button(pins.gpio13),
                contacts::button(pins.gpio14),
            ],
            timer,
        ),
        buzzer: PicoBuzzer::new(slice, pins.gpio15, clocks.system_clock.freq().to_Hz()),
        console: PicoConsole::new(console),
        flash: PicoFlash::new(),
        entropy: PicoEntropy::new(pac.ROSC, timer),
    };
    (parts, Sleeper::new(timer, watchdog, timed_out))
}
