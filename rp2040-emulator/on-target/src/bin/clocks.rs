//! Oscillators, PLLs and clock generators: the frequencies that rp2040-hal computes are those that
//! SysTick and the UART show. Needs no external device.
#![no_std]
#![no_main]

use cortex_m::peripheral::SYST;
use cortex_m::peripheral::syst::SystClkSource;
use on_target::{Verdict, between, holds, same};
use rp2040_hal::clocks::{Clock, ClocksManager, InitError};
use rp2040_hal::fugit::RateExtU32;
use rp2040_hal::gpio::Pins;
use rp2040_hal::pac;
use rp2040_hal::pll::common_configs::{PLL_SYS_125MHZ, PLL_USB_48MHZ};
use rp2040_hal::pll::{PLLConfig, setup_pll_blocking};
use rp2040_hal::rosc::RingOscillator;
use rp2040_hal::xosc::setup_xosc_blocking;
use rp2040_hal::{Sio, Timer, Watchdog};

#[rp2040_hal::entry]
fn main() -> ! {
    let Some(pac) = pac::Peripherals::take() else { unreachable!("main runs once") };
    let Some(core) = cortex_m::Peripherals::take() else { unreachable!("main runs once") };
    let mut resets = pac.RESETS;
    let mut syst = core.SYST;
    let mut watchdog = Watchdog::new(pac.WATCHDOG);
    let mut clocks = ClocksManager::new(pac.CLOCKS);
    let crystal = on_target::CRYSTAL_HZ.Hz();

    // The steps of init_clocks_and_plls, one by one.
    let Ok(xosc) = setup_xosc_blocking(pac.XOSC, crystal) else {
        unreachable!("12 MHz are in range")
    };
    watchdog.enable_tick_generation((on_target::CRYSTAL_HZ / 1_000_000) as u8);
    let pll = setup_pll_blocking(pac.PLL_SYS, crystal, PLL_SYS_125MHZ, &mut clocks, &mut resets);
    let usb = setup_pll_blocking(pac.PLL_USB, crystal, PLL_USB_48MHZ, &mut clocks, &mut resets);
    let (Ok(pll), Ok(usb)) = (pll, usb) else { unreachable!("both are in range") };
    let ready = clocks.init_default(&xosc, &pll, &usb).map_err(InitError::ClockError);
    let timer = Timer::new(pac.TIMER, &mut resets, &clocks);
    let sio = Sio::new(pac.SIO);
    let pins = Pins::new(pac.IO_BANK0, pac.PADS_BANK0, sio.gpio_bank0, &mut resets);
    // The report's UART stays on the USB PLL's clock, whatever the system clock is.
    let apart = clocks.peripheral_clock.configure_clock(&usb, 48.MHz());
    let clock = clocks.peripheral_clock.freq();
    let mut report = on_target::Report::new(pac.UART0, pins.gpio0, pins.gpio1, &mut resets, clock);

    let verdict = holds("ready", ready.is_ok() && apart.is_ok())
        .and(same("the system's", clocks.system_clock.freq().to_Hz(), 125_000_000u32))
        .and(same("USB's", clocks.usb_clock.freq().to_Hz(), 48_000_000u32))
        .and(same("the converter's", clocks.adc_clock.freq().to_Hz(), 48_000_000u32))
        .and(same("the calendar's", clocks.rtc_clock.freq().to_Hz(), 46_875u32))
        .and(same("the reference", clocks.reference_clock.freq().to_Hz(), 12_000_000u32));
    report.record("clocks are what they should be", verdict);
    report.record("the system runs at 125 MHz", cycles(&mut syst, &timer, 125));

    let slow = clocks.system_clock.configure_clock(&xosc, 6.MHz());
    let measured = cycles(&mut syst, &timer, 6);
    let back = clocks.system_clock.configure_clock(&pll, 125.MHz());
    let verdict = holds("slow", slow.is_ok()).and(measured).and(holds("back", back.is_ok()));
    report.record("the crystal divided by two", verdict);

    let rosc = RingOscillator::new(pac.ROSC).initialize();
    let ring = clocks.system_clock.configure_clock(&rosc, rosc.operating_frequency());
    let measured = cycles_between(&mut syst, &timer, 1_000, 12_000);
    let back = clocks.system_clock.configure_clock(&pll, 125.MHz());
    let verdict = holds("the ring", ring.is_ok()).and(measured).and(holds("back", back.is_ok()));
    report.record("the ring oscillator", verdict);
    let ones = (0..64).filter(|_| rosc.get_random_bit()).count();
    report.record("its bits are random", between("ones", ones as u32, 10u32, 54u32));

    // A PLL is changed while no clock runs from it.
    let away = clocks.system_clock.configure_clock(&xosc, 12.MHz());
    let free = pll.disable().free();
    let fast = PLLConfig { vco_freq: 1_596.MHz(), refdiv: 1, post_div1: 6, post_div2: 2 };
    let pll = setup_pll_blocking(free, crystal, fast, &mut clocks, &mut resets);
    let Ok(pll) = pll else { unreachable!("133 MHz are in range") };
    // Setting up a PLL switches the reference clock to the ring oscillator: the timer would be
    // slow.
    let reference = clocks.reference_clock.configure_clock(&xosc, 12.MHz());
    let done = clocks.system_clock.configure_clock(&pll, 133.MHz());
    let verdict = holds("configured", away.is_ok() && reference.is_ok() && done.is_ok())
        .and(cycles(&mut syst, &timer, 133));
    report.record("133 MHz", verdict);
    report.end()
}

/// Checks that a hundred microseconds of the timer are a hundred times `mhz` cycles.
fn cycles(syst: &mut SYST, timer: &Timer, mhz: u32) -> Verdict {
    // Reading the timer takes some cycles at both ends.
    cycles_between(syst, timer, 1_000 * mhz - 150, 1_000 * mhz + 150)
}

fn cycles_between(syst: &mut SYST, timer: &Timer, least: u32, most: u32) -> Verdict {
    syst.set_clock_source(SystClkSource::Core);
    syst.set_reload(0x00FF_FFFF);
    syst.clear_current();
    syst.enable_counter();
    let start = timer.get_counter_low();
    while timer.get_counter_low() == start {}
    let before = SYST::get_current();
    while timer.get_counter_low().wrapping_sub(start) <= 1_000 {}
    between("cycles", before.wrapping_sub(SYST::get_current()) & 0x00FF_FFFF, least, most)
}
