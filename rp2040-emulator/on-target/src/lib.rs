//! Code shared by the programs: the board as rp2040-hal starts it, and the report.
//!
//! A program is one file in `bin`. It takes the [`Board`], creates a [`Report`] on UART0, and
//! performs its checks in turn: each prints `ok NAME` or `failed NAME: why`, and `end` is the last
//! line. The test in `rp2040-emulator/tests/on_target` reads the lines and simulates the external
//! devices.
//!
//! Registers are accessed through rp2040-hal's types only, because the programs test the chip as
//! rp2040-hal uses it. They also run on a Pico, without the external devices.
#![no_std]

use core::cell::RefCell;
use core::fmt::Write;
use core::panic::PanicInfo;

use critical_section::Mutex;
use rp2040_hal::clocks::{Clock, ClocksManager, init_clocks_and_plls};
use rp2040_hal::fugit::{HertzU32, RateExtU32};
use rp2040_hal::gpio::bank0::{Gpio0, Gpio1};
use rp2040_hal::gpio::{FunctionNull, FunctionUart, Pin, Pins, PullDown, PullUp};
use rp2040_hal::pac::{self, UART0};
use rp2040_hal::uart::{DataBits, Enabled, StopBits, UartConfig, UartPeripheral};
use rp2040_hal::{Sio, Timer, Watchdog, sio};

/// The second-stage boot loader for the flash chip of a Pico (W25Q16JV).
#[used]
#[expect(unsafe_code, reason = "the boot ROM looks for it at the beginning of the flash")]
#[unsafe(link_section = ".boot2")]
static BOOT2: [u8; 256] = rp2040_boot2::BOOT_LOADER_W25Q080;

/// Frequency of the Pico's crystal, in Hz.
pub const CRYSTAL_HZ: u32 = 12_000_000;

/// Baud rate of the report.
const BAUD: u32 = 115_200;

/// A pin in its state after reset.
pub type Unused<I> = Pin<I, FunctionNull, PullDown>;

/// A Pico with running clocks. Devices without a field of their own are in `rest`.
pub struct Board {
    pub clocks: ClocksManager,
    pub watchdog: Watchdog,
    pub timer: Timer,
    pub pins: Pins,
    pub fifo: sio::SioFifo,
    pub divider: sio::HwDivider,
    pub interp0: sio::Interp0,
    pub interp1: sio::Interp1,
    pub resets: pac::RESETS,
    pub rest: Rest,
}

/// Devices as types of the peripheral access crate.
#[expect(non_snake_case, reason = "so does the peripheral access crate")]
pub struct Rest {
    pub ADC: pac::ADC,
    pub DMA: pac::DMA,
    pub I2C0: pac::I2C0,
    pub I2C1: pac::I2C1,
    pub PIO0: pac::PIO0,
    pub PIO1: pac::PIO1,
    pub PPB: pac::PPB,
    pub PSM: pac::PSM,
    pub PWM: pac::PWM,
    pub ROSC: pac::ROSC,
    pub RTC: pac::RTC,
    pub SPI0: pac::SPI0,
    pub SPI1: pac::SPI1,
    pub UART0: pac::UART0,
    pub UART1: pac::UART1,
    pub USBCTRL_DPRAM: pac::USBCTRL_DPRAM,
    pub USBCTRL_REGS: pac::USBCTRL_REGS,
    pub XIP_CTRL: pac::XIP_CTRL,
}

impl Board {
    /// Sets up the clocks as every program for a Pico does. Can be called once.
    pub fn take() -> Self {
        let Some(pac) = pac::Peripherals::take() else { unreachable!("main runs once") };
        let mut resets = pac.RESETS;
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
        let timer = Timer::new(pac.TIMER, &mut resets, &clocks);
        let sio = Sio::new(pac.SIO);
        let pins = Pins::new(pac.IO_BANK0, pac.PADS_BANK0, sio.gpio_bank0, &mut resets);
        Self {
            clocks,
            watchdog,
            timer,
            pins,
            fifo: sio.fifo,
            divider: sio.hwdivider,
            interp0: sio.interp0,
            interp1: sio.interp1,
            resets,
            rest: Rest {
                ADC: pac.ADC,
                DMA: pac.DMA,
                I2C0: pac.I2C0,
                I2C1: pac.I2C1,
                PIO0: pac.PIO0,
                PIO1: pac.PIO1,
                PPB: pac.PPB,
                PSM: pac.PSM,
                PWM: pac.PWM,
                ROSC: pac.ROSC,
                RTC: pac.RTC,
                SPI0: pac.SPI0,
                SPI1: pac.SPI1,
                UART0: pac.UART0,
                UART1: pac.UART1,
                USBCTRL_DPRAM: pac.USBCTRL_DPRAM,
                USBCTRL_REGS: pac.USBCTRL_REGS,
                XIP_CTRL: pac.XIP_CTRL,
            },
        }
    }
}

/// TX and RX pins of the report.
pub type ReportPins = (Pin<Gpio0, FunctionUart, PullDown>, Pin<Gpio1, FunctionUart, PullUp>);

/// UART0 as configured for the report.
pub type ReportUart = UartPeripheral<Enabled, UART0, ReportPins>;

/// The report that is written to UART0.
pub struct Report {
    /// UART0, for use by the program itself.
    pub uart: ReportUart,
}

/// A failed check: its subject, the value found, and the value expected.
pub struct Why {
    what: &'static str,
    found: u64,
    expected: u64,
}

/// Result of a check.
pub type Verdict = Result<(), Why>;

/// Fails unless `found` equals `expected`.
pub fn same(what: &'static str, found: impl Into<u64>, expected: impl Into<u64>) -> Verdict {
    let (found, expected) = (found.into(), expected.into());
    if found == expected { Ok(()) } else { Err(Why { what, found, expected }) }
}

/// Fails unless `found` is at least `least` and at most `most`; the report names the bound that it missed.
pub fn between(
    what: &'static str,
    found: impl Into<u64>,
    least: impl Into<u64>,
    most: impl Into<u64>,
) -> Verdict {
    let (found, least, most) = (found.into(), least.into(), most.into());
    if found < least {
        Err(Why { what, found, expected: least })
    } else {
        same(what, found, found.min(most))
    }
}

/// Fails unless the condition holds.
pub fn holds(what: &'static str, condition: bool) -> Verdict {
    same(what, condition, true)
}

/// Fails unless both contain the same bytes; the report names the first that differs.
pub fn same_bytes(what: &'static str, found: &[u8], expected: &[u8]) -> Verdict {
    same(what, found.len() as u32, expected.len() as u32)?;
    match found.iter().zip(expected).find(|(a, b)| a != b) {
        Some((found, expected)) => same(what, *found, *expected),
        None => Ok(()),
    }
}

impl Report {
    /// Starts the report at 115,200 baud, 8N1.
    pub fn new(
        uart: UART0,
        tx: Unused<Gpio0>,
        rx: Unused<Gpio1>,
        resets: &mut pac::RESETS,
        peripheral_clock: HertzU32,
    ) -> Self {
        let pins: ReportPins = (tx.reconfigure(), rx.reconfigure());
        let config = UartConfig::new(BAUD.Hz(), DataBits::Eight, None, StopBits::One);
        match UartPeripheral::new(uart, pins, resets).enable(config, peripheral_clock) {
            Ok(uart) => Self { uart },
            Err(_) => unreachable!("115,200 baud can be had from 125 MHz"),
        }
    }

    /// Writes the line of a check.
    pub fn record(&mut self, name: &str, verdict: Verdict) {
        // Writing to the UART cannot fail.
        let _ = match verdict {
            Ok(()) => writeln!(self.uart, "ok {name}"),
            Err(Why { what, found, expected }) => {
                writeln!(self.uart, "failed {name}: {what} is {found:#x}, not {expected:#x}")
            }
        };
    }

    /// Writes the last line and stops.
    pub fn end(mut self) -> ! {
        let _ = writeln!(self.uart, "end");
        loop {
            cortex_m::asm::wfi();
        }
    }
}

/// Creates a report from the board's UART0 and its two pins.
#[macro_export]
macro_rules! report {
    ($board:ident) => {
        $crate::Report::new(
            $board.rest.UART0,
            $board.pins.gpio0,
            $board.pins.gpio1,
            &mut $board.resets,
            rp2040_hal::clocks::Clock::freq(&$board.clocks.peripheral_clock),
        )
    };
}

/// Enables an interrupt line on this core.
pub fn unmask(line: pac::Interrupt) {
    #[expect(unsafe_code, reason = "what the handlers share is behind critical sections")]
    // SAFETY: no critical section here relies on a mask; they use spinlock 31.
    unsafe {
        pac::NVIC::unmask(line);
    }
}

/// A value shared between an interrupt handler and the program.
pub struct Shared<T>(Mutex<RefCell<Option<T>>>);

impl<T> Shared<T> {
    /// Creates an empty cell.
    #[expect(clippy::new_without_default, reason = "it stands in statics")]
    pub const fn new() -> Self {
        Self(Mutex::new(RefCell::new(None)))
    }

    /// Stores a value.
    pub fn put(&self, value: T) {
        critical_section::with(|section| self.0.replace(section, Some(value)));
    }

    /// Takes the value out.
    pub fn take(&self) -> Option<T> {
        critical_section::with(|section| self.0.take(section))
    }

    /// Calls `use_it` with the value, if there is one.
    pub fn with<R>(&self, use_it: impl FnOnce(&mut T) -> R) -> Option<R> {
        critical_section::with(|section| self.0.borrow_ref_mut(section).as_mut().map(use_it))
    }
}

/// Returns the system clock in Hz.
pub fn system_hz(clocks: &ClocksManager) -> u32 {
    clocks.system_clock.freq().to_Hz()
}

/// Reports a panic as a line, if UART0 is ready for it.
#[panic_handler]
fn panic(info: &PanicInfo<'_>) -> ! {
    cortex_m::interrupt::disable();
    struct Raw(pac::UART0);
    impl Write for Raw {
        fn write_str(&mut self, text: &str) -> core::fmt::Result {
            for byte in text.bytes() {
                while self.0.uartfr().read().txff().bit_is_set() {}
                #[expect(unsafe_code, reason = "the register takes bits")]
                // SAFETY: eight bits are data.
                self.0.uartdr().write(|w| unsafe { w.bits(byte.into()) });
            }
            Ok(())
        }
    }
    #[expect(unsafe_code, reason = "no other code runs any more")]
    // SAFETY: interrupts are off, and this function does not return.
    let mut uart = Raw(unsafe { pac::Peripherals::steal() }.UART0);
    let _ = writeln!(uart, "failed panic: {info}");
    loop {
        cortex_m::asm::wfi();
    }
}
