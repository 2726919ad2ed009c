//! The ADC: single conversions, the temperature sensor, the FIFO with its threshold, the interrupt
//! and the DMA.
//!
//! External: GPIO 26 is at 1.1 V, GPIO 27 at 2.2 V, GPIO 28 rises by 1 V every 10 ms, and the
//! sensor is at 40 degrees.
#![no_std]
#![no_main]

use cortex_m::singleton;
use on_target::{Board, Shared, Verdict, between, holds, same, unmask};
use rp2040_hal::adc::{Adc, AdcPin, TempSense};
use rp2040_hal::dma::{CH0, Channel, DMAExt, single_buffer};
use rp2040_hal::gpio::bank0::{Gpio26, Gpio27, Gpio28};
use rp2040_hal::gpio::{FunctionNull, Pin, PullDown};
use rp2040_hal::pac::{self, interrupt};
use rp2040_hal::timer::Timer;

type Input<I> = AdcPin<Pin<I, FunctionNull, PullDown>>;

/// Number of values that the handler has read, and the last value.
static TAKEN: Shared<(u32, u32)> = Shared::new();

#[rp2040_hal::entry]
fn main() -> ! {
    let mut board = Board::take();
    let mut report = on_target::report!(board);
    let timer = board.timer;
    let dma = board.rest.DMA.split(&mut board.resets);
    let mut adc = Adc::new(board.rest.ADC, &mut board.resets);
    let Some(mut sensor) = adc.take_temp_sensor() else { unreachable!("it is taken once") };
    let inputs = (
        AdcPin::new(board.pins.gpio26),
        AdcPin::new(board.pins.gpio27),
        AdcPin::new(board.pins.gpio28),
    );
    let (Ok(mut first), Ok(mut second), Ok(mut third)) = inputs else {
        unreachable!("they are inputs of the ADC")
    };

    report.record("voltages are converted", single(&mut adc, &mut first, &mut second));
    report.record("a ramp rises", ramp(&mut adc, &mut third, &timer));
    report.record("the sensor has 40 degrees", temperature(&mut adc, &mut sensor));
    report.record("the FIFO fills at its rate", fifo(&mut adc, &mut first, &timer));
    report.record("the threshold interrupts", interrupts(&mut adc, &mut second, &timer));
    report.record("the DMA takes results", transfer(&mut adc, &mut first, dma.ch0, &timer));
    // This is the last check, because hal uses results of eight bits from then on.
    report.record("inputs take turns", turns(&mut adc, &mut first, &mut second));
    report.end()
}

fn single(adc: &mut Adc, first: &mut Input<Gpio26>, second: &mut Input<Gpio27>) -> Verdict {
    let low: Result<u16, _> = adc.read(first);
    let high: Result<u16, _> = adc.read(second);
    // 4096 steps up to 3.3 V.
    same("1.1 V", low.unwrap_or_default(), 1365u16)?;
    same("2.2 V", high.unwrap_or_default(), 2730u16)
}

fn ramp(adc: &mut Adc, input: &mut Input<Gpio28>, timer: &Timer) -> Verdict {
    let before: u16 = adc.read(input).unwrap_or_default();
    let start = timer.get_counter_low();
    while timer.get_counter_low().wrapping_sub(start) < 5_000 {}
    let after: u16 = adc.read(input).unwrap_or_default();
    // 0.5 V is 620 steps.
    between("steps", after - before, 619u16, 623u16)
}

fn temperature(adc: &mut Adc, sensor: &mut TempSense) -> Verdict {
    let steps: u16 = adc.read(sensor).unwrap_or_default();
    // 0.706 V - 13 * 1.721 mV.
    same("steps", steps, 848u16)
}

fn fifo(adc: &mut Adc, input: &mut Input<Gpio26>, timer: &Timer) -> Verdict {
    let start = timer.get_counter_low();
    // 48 MHz / 4800: a conversion every 100 µs.
    let mut fifo = adc.build_fifo().clock_divider(4_799, 0).set_channel(input).start();
    let mut values = [0u16; 8];
    for value in &mut values {
        while fifo.len() == 0 {}
        *value = fifo.read().unwrap_or_default();
    }
    let us = timer.get_counter_low().wrapping_sub(start);
    fifo.stop();
    holds("every value is that of 1.1 V", values == [1365; 8])?;
    between("microseconds", us, 700u32, 712u32)
}

fn turns(adc: &mut Adc, first: &mut Input<Gpio26>, second: &mut Input<Gpio27>) -> Verdict {
    let fifo = adc
        .build_fifo()
        .set_channel(first)
        .round_robin((&*first, &*second))
        .shift_8bit()
        .clock_divider(999, 0)
        .start();
    let mut fifo = fifo;
    let mut values = [0u8; 4];
    for value in &mut values {
        while fifo.len() == 0 {}
        *value = fifo.read().unwrap_or_default();
    }
    fifo.stop();
    holds("two inputs in turn", values == [85, 170, 85, 170])
}

fn interrupts(adc: &mut Adc, input: &mut Input<Gpio27>, timer: &Timer) -> Verdict {
    TAKEN.put((0, 0));
    let fifo =
        adc.build_fifo().clock_divider(4_799, 0).set_channel(input).enable_interrupt(3).start();
    unmask(pac::Interrupt::ADC_IRQ_FIFO);
    let start = timer.get_counter_low();
    while timer.get_counter_low().wrapping_sub(start) < 1_050 {}
    fifo.stop();
    let (count, last) = TAKEN.take().unwrap_or_default();
    // The first interrupt finds an empty FIFO: hal enables the interrupt before it sets THRESH,
    // which is 0 until then.
    same("handlers", count, 4u32)?;
    same("the last value", last, 2730u32)
}

/// Reads three values from the FIFO.
#[interrupt]
fn ADC_IRQ_FIFO() {
    #[expect(unsafe_code, reason = "hal keeps the FIFO to itself")]
    // SAFETY: a read of FIFO takes a value, and the main program does not read while this handler
    // runs.
    let adc = unsafe { pac::Peripherals::steal() }.ADC;
    TAKEN.with(|taken| {
        for _ in 0..3 {
            taken.1 = adc.fifo().read().bits();
        }
        taken.0 += 1;
    });
}

fn transfer(
    adc: &mut Adc,
    input: &mut Input<Gpio26>,
    channel: Channel<CH0>,
    timer: &Timer,
) -> Verdict {
    let Some(buffer) = singleton!(: [u16; 10] = [0; 10]) else { unreachable!("this runs once") };
    let mut fifo =
        adc.build_fifo().clock_divider(4_799, 0).set_channel(input).enable_dma().start_paused();
    let transfer = single_buffer::Config::new(channel, fifo.dma_read_target(), buffer).start();
    let start = timer.get_counter_low();
    fifo.resume();
    let (_, _, buffer) = transfer.wait();
    let us = timer.get_counter_low().wrapping_sub(start);
    fifo.stop();
    holds("every value is that of 1.1 V", *buffer == [1365; 10])?;
    between("microseconds", us, 900u32, 912u32)
}
