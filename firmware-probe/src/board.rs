//! Clocks, pins and the time.
//!
//! The system clock runs at 200 MHz, for which the core gets 1.15 V (RP2040 datasheet 2.15.3, since
//! the SDK's release 2.1.1; 133 MHz at 1.10 V). The second boot stage gives the flash a quarter of
//! it, 50 MHz. A bit on a wire of 31.25 MHz then takes 6.4 cycles, and each half of it, 3.2 cycles,
//! is longer than the three cycles in which a state machine samples it. At 125 MHz a half would
//! take two cycles: half of all samples would miss it, and MOSI would be read while it changes.

use probe_protocol::bursts::STAMP_NS;
use rp2040_hal::clocks::{ClocksManager, InitError};
use rp2040_hal::fugit::{ExtU32, HertzU32, RateExtU32};
use rp2040_hal::gpio::{
    AnyPin, DynPinId, FunctionNull, FunctionSioInput, FunctionUart, Pin, PinId, Pins, PullDown,
    PullNone, PullType, PullUp, ValidFunction,
};
use rp2040_hal::pac::vreg_and_chip_reset::vreg::VSEL_A;
use rp2040_hal::pac::{self, interrupt};
use rp2040_hal::pll::common_configs::PLL_USB_48MHZ;
use rp2040_hal::pll::{PLLConfig, setup_pll_blocking};
use rp2040_hal::uart::{DataBits, StopBits, UartConfig, UartPeripheral};
use rp2040_hal::usb::UsbBus;
use rp2040_hal::xosc::setup_xosc_blocking;
use rp2040_hal::{Clock, Sio, Timer, Watchdog, vreg};

use crate::chip::{Now, set_lowest_priority, store, timer_registers, unmask};
use crate::console::Console;
use crate::frames;
use crate::sampler::Sampler;
use crate::swd::Swd;

/// Frequency of the Pico's crystal.
const CRYSTAL: HertzU32 = HertzU32::MHz(12);
const SYSTEM_HZ: u32 = 200_000_000;
const PLL_SYS_200MHZ: PLLConfig =
    PLLConfig { vco_freq: HertzU32::MHz(1200), refdiv: 1, post_div1: 6, post_div2: 1 };
/// Cycles of the system clock for the voltage to rise, at most at the ring oscillator's 12 MHz: 1
/// ms.
const VOLTAGE_CYCLES: u32 = 12_000;
/// Watchdog timeout in microseconds: a loop that takes longer hangs, and the chip resets.
const WATCHDOG_US: u32 = 800_000;
/// Longest sleep in microseconds. The DMA's memory for bytes lasts for 8 ms, the one for bursts for
/// 400 µs of the shortest ones.
const SLEEP_US: u32 = 250;
const _: () = assert!(STAMP_NS * SYSTEM_HZ as u64 == 3 * 1_000_000_000);

/// Drivers of the chip's parts, for `main`.
pub struct Board {
    /// Time, sleep and the watchdog.
    pub rest: Sleeper,
    pub usb: UsbBus,
    /// Sampler of the wires: PIO and DMA.
    pub sampler: Sampler,
    pub console: Console,
    /// The board's debug port.
    pub swd: Swd,
}

/// The timer, the second alarm and the watchdog.
pub struct Sleeper {
    timer: Timer,
    watchdog: Watchdog,
}

impl Sleeper {
    /// Returns the current time.
    pub fn now(&self) -> Now {
        Now::current()
    }

    /// Ends a turn of the loop: feeds the watchdog if the USB controller works, and sleeps if the
    /// turn found nothing to do.
    pub fn turn(&mut self, busy: bool, works: bool) {
        if works {
            self.watchdog.feed();
        }
        // The handler stamps frames; it masks itself until the controller is polled.
        frames::follow();
        if busy {
            return;
        }
        let timer = timer_registers();
        let until = self.timer.get_counter_low().wrapping_add(SLEEP_US);
        store(timer.alarm1().as_ptr(), until);
        cortex_m::asm::wfi();
    }
}

#[interrupt]
fn TIMER_IRQ_1() {
    store(timer_registers().intr().as_ptr(), 1 << 1);
}

fn input<I, P>(pin: Pin<I, FunctionNull, PullDown>) -> Pin<DynPinId, FunctionSioInput, P>
where
    I: PinId + ValidFunction<FunctionSioInput>,
    P: PullType,
    Pin<I, FunctionNull, PullDown>: AnyPin,
{
    pin.into_pull_type::<P>().into_function::<FunctionSioInput>().into_dyn_pin()
}

/// Configures the clocks and pins.
pub fn take() -> Board {
    let Some(mut pac) = pac::Peripherals::take() else { unreachable!("main calls it once") };
    vreg::set_voltage(&mut pac.VREG_AND_CHIP_RESET, VSEL_A::VOLTAGE1_15);
    cortex_m::asm::delay(VOLTAGE_CYCLES);
    let mut watchdog = Watchdog::new(pac.WATCHDOG);
    let clocks =
        clocks(pac.XOSC, pac.CLOCKS, (pac.PLL_SYS, pac.PLL_USB), &mut pac.RESETS, &mut watchdog);
    let Ok(clocks) = clocks else { unreachable!("the Pico's crystal can be multiplied to these") };
    let timer = Timer::new(pac.TIMER, &mut pac.RESETS, &clocks);
    let sio = Sio::new(pac.SIO);
    let pins = Pins::new(pac.IO_BANK0, pac.PADS_BANK0, sio.gpio_bank0, &mut pac.RESETS);

    // Open drain: the output is constantly 0, and enabled while a line is pulled. A board without
    // power pulls nothing up.
    let _lines = (
        input::<_, PullNone>(pins.gpio2),
        input::<_, PullNone>(pins.gpio3),
        input::<_, PullNone>(pins.gpio4),
        input::<_, PullNone>(pins.gpio5),
        input::<_, PullNone>(pins.gpio6),
        input::<_, PullNone>(pins.gpio7),
        input::<_, PullNone>(pins.gpio8),
        input::<_, PullNone>(pins.gpio9),
        input::<_, PullNone>(pins.gpio10),
        input::<_, PullNone>(pins.gpio11),
        input::<_, PullNone>(pins.gpio12),
        input::<_, PullNone>(pins.gpio13),
        input::<_, PullNone>(pins.gpio14),
    );
    // A disconnected wire reads as idle: not selected, and all others low.
    let _wires = (
        input::<_, PullDown>(pins.gpio15),
        input::<_, PullUp>(pins.gpio17),
        input::<_, PullDown>(pins.gpio18),
        input::<_, PullDown>(pins.gpio19),
        input::<_, PullDown>(pins.gpio20),
        input::<_, PullDown>(pins.gpio21),
        input::<_, PullDown>(pins.gpio22),
    );
    // The debug port's clock and data: inputs until its first batch. A board that is not connected there
    // reads as no acknowledgement.
    let _debug = (input::<_, PullNone>(pins.gpio27), input::<_, PullUp>(pins.gpio28));
    // The board's power is off until a task switches it on.
    let _power = pins.gpio26.into_push_pull_output_in_state(rp2040_hal::gpio::PinState::Low);

    let uart_pins: (Pin<_, FunctionUart, PullNone>, Pin<_, FunctionUart, PullUp>) =
        (pins.gpio0.reconfigure(), pins.gpio1.reconfigure());
    let config =
        UartConfig::new(probe_protocol::UART_BAUD.Hz(), DataBits::Eight, None, StopBits::One);
    let Ok(uart) = UartPeripheral::new(pac.UART0, uart_pins, &mut pac.RESETS)
        .enable(config, clocks.peripheral_clock.freq())
    else {
        unreachable!("115,200 baud can be had from 200 MHz")
    };
    let console = Console::new(uart);
    let usb =
        UsbBus::new(pac.USBCTRL_REGS, pac.USBCTRL_DPRAM, clocks.usb_clock, true, &mut pac.RESETS);
    let (sampler, swd) = Sampler::start(pac.PIO0, pac.PIO1, pac.DMA, &mut pac.RESETS);
    store(timer_registers().inte().as_ptr(), timer_registers().inte().read().bits() | 1 << 1);
    set_lowest_priority(pac::Interrupt::TIMER_IRQ_1);
    set_lowest_priority(pac::Interrupt::USBCTRL_IRQ);
    unmask(pac::Interrupt::TIMER_IRQ_1);
    watchdog.start(WATCHDOG_US.micros());
    Board { rest: Sleeper { timer, watchdog }, usb, sampler, console, swd }
}

fn clocks(
    xosc: pac::XOSC,
    clocks: pac::CLOCKS,
    (pll_sys, pll_usb): (pac::PLL_SYS, pac::PLL_USB),
    resets: &mut pac::RESETS,
    watchdog: &mut Watchdog,
) -> Result<ClocksManager, InitError> {
    let xosc = setup_xosc_blocking(xosc, CRYSTAL).map_err(InitError::XoscErr)?;
    watchdog.enable_tick_generation((CRYSTAL.to_MHz()) as u8);
    let mut clocks = ClocksManager::new(clocks);
    let pll_sys = setup_pll_blocking(
        pll_sys,
        xosc.operating_frequency(),
        PLL_SYS_200MHZ,
        &mut clocks,
        resets,
    )
    .map_err(InitError::PllError)?;
    let pll_usb =
        setup_pll_blocking(pll_usb, xosc.operating_frequency(), PLL_USB_48MHZ, &mut clocks, resets)
            .map_err(InitError::PllError)?;
    clocks.init_default(&xosc, &pll_sys, &pll_usb).map_err(InitError::ClockError)?;
    Ok(clocks)
}
