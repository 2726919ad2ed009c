//! The DMA: single, chained and bidirectional transfers, paced by devices, with interrupts.
//!
//! External: UART1 answers in capital letters and SPI0 with 1, 2, 3 and so on.
#![no_std]
#![no_main]

use cortex_m::singleton;
use embedded_hal::spi::MODE_0;
use on_target::{Board, Shared, Verdict, between, holds, same, same_bytes, unmask};
use rp2040_hal::Spi;
use rp2040_hal::clocks::Clock;
use rp2040_hal::dma::{
    CH0, CH1, CH2, CH3, CH4, Channel, DMAExt, Pace, SingleChannel, bidirectional, double_buffer,
    single_buffer,
};
use rp2040_hal::fugit::{HertzU32, RateExtU32};
use rp2040_hal::gpio::bank0::{Gpio8, Gpio9, Gpio16, Gpio18, Gpio19};
use rp2040_hal::gpio::{FunctionSpi, FunctionUart, Pin, PullDown};
use rp2040_hal::pac::{self, SPI0, UART1, interrupt};
use rp2040_hal::pwm::{CcFormat, SliceDmaWrite, Slices};
use rp2040_hal::spi::Enabled;
use rp2040_hal::timer::Timer;
use rp2040_hal::uart::{self, DataBits, StopBits, UartConfig, UartPeripheral};

type SpiPin<I> = Pin<I, FunctionSpi, PullDown>;
type SpiBus = Spi<Enabled, SPI0, (SpiPin<Gpio19>, SpiPin<Gpio16>, SpiPin<Gpio18>), 8>;
type UartPin<I> = Pin<I, FunctionUart, PullDown>;
type Uart = UartPeripheral<uart::Enabled, UART1, (UartPin<Gpio8>, UartPin<Gpio9>)>;

type Copy = single_buffer::Transfer<Channel<CH4>, &'static mut [u32; 8], &'static mut [u32; 8]>;

/// The transfer that the handler checks, and how many times it was complete.
static TRANSFER: Shared<(Copy, u32)> = Shared::new();

#[rp2040_hal::entry]
fn main() -> ! {
    let mut board = Board::take();
    let mut report = on_target::report!(board);
    let clock = board.clocks.peripheral_clock.freq();
    let timer = board.timer;
    let mut dma = board.rest.DMA.split(&mut board.resets);

    let (ch0, verdict) = memory(dma.ch0);
    report.record("memory is copied and its bytes turned", verdict);
    report.record("a finished transfer is reported at once", reported(&mut dma.ch2));
    let (ch4, verdict) = by_interrupt(dma.ch4, &timer);
    report.record("the end interrupts", verdict);
    report.record("the other line interrupts as well", other_line(ch4));

    let wires = (
        board.pins.gpio19.into_function(),
        board.pins.gpio16.into_function(),
        board.pins.gpio18.into_function(),
    );
    let spi = Spi::<_, _, _, 8>::new(board.rest.SPI0, wires);
    let spi: SpiBus = spi.init(&mut board.resets, clock, 12_500_000.Hz(), MODE_0);
    let (ch0, ch1, spi, verdict) = both_ways(ch0, dma.ch1, spi);
    report.record("SPI both ways", verdict);
    let (ch0, ch1, verdict) = chained(ch0, ch1, spi, &timer);
    report.record("buffers follow each other without a pause", verdict);

    let pins = (board.pins.gpio8.into_function(), board.pins.gpio9.into_function());
    let uart = UartPeripheral::new(board.rest.UART1, pins, &mut board.resets);
    report.record("UART out and in", serial(ch0, ch1, uart, clock));

    let slices = Slices::new(board.rest.PWM, &mut board.resets);
    report.record("a wrap of the PWM paces", paced(dma.ch3, slices, &timer));
    report.end()
}

fn memory(ch0: Channel<CH0>) -> (Channel<CH0>, Verdict) {
    let from = singleton!(: [u16; 100] = core::array::from_fn(|n| n as u16 * 3));
    let to = singleton!(: [u16; 100] = [0; 100]);
    let (Some(from), Some(to)) = (from, to) else { unreachable!("this runs once") };
    let transfer = single_buffer::Config::new(ch0, from, to).start();
    let (ch0, from, to) = transfer.wait();
    let verdict = same("differences", differences(from, to), 0u32);
    let mut config = single_buffer::Config::new(ch0, from, to);
    config.bswap(true);
    let (ch0, _, to) = config.start().wait();
    (ch0, verdict.and(same("turned", to[99], 297u16.swap_bytes())))
}

fn differences(one: &[u16], other: &[u16]) -> u32 {
    one.iter().zip(other).filter(|(a, b)| a != b).count() as u32
}

/// Checks that the interrupt of a channel is raised as soon as the channel is not busy.
fn reported(ch2: &mut Channel<CH2>) -> Verdict {
    for count in [1, 2, 7, 16, 17, 33, 64] {
        let words = [0u32; 64];
        let mut copy = [0u32; 64];
        ch2.enable_irq0();
        holds("raised too early", !ch2.check_irq0())?;
        let channel = ch2.ch();
        #[expect(unsafe_code, reason = "a transfer whose registers are looked at one by one")]
        // SAFETY: both arrays live until the channel has finished.
        unsafe {
            channel.ch_al1_ctrl().write(|w| {
                w.data_size().size_word().incr_read().set_bit().incr_write().set_bit();
                w.treq_sel().permanent().chain_to().bits(2).en().set_bit()
            });
            channel.ch_read_addr().write(|w| w.bits(words.as_ptr() as u32));
            channel.ch_trans_count().write(|w| w.bits(count));
            channel.ch_al2_write_addr_trig().write(|w| w.bits(copy.as_mut_ptr() as u32));
        }
        while channel.ch_ctrl_trig().read().busy().bit_is_set() {}
        same("what is left", channel.ch_trans_count().read().bits(), 0u32)?;
        holds("INTR", raw() & 1 << 2 != 0)?;
        holds("INTS0", ch2.check_irq0())?;
        holds("cleared", raw() & 1 << 2 == 0)?;
    }
    ch2.disable_irq0();
    Ok(())
}

fn raw() -> u32 {
    #[expect(unsafe_code, reason = "rp2040-hal shows only INTS0 and INTS1")]
    // SAFETY: reading INTR has no effect.
    unsafe { pac::Peripherals::steal() }.DMA.intr().read().bits()
}

fn by_interrupt(mut ch4: Channel<CH4>, timer: &Timer) -> (Channel<CH4>, Verdict) {
    let from = singleton!(: [u32; 8] = [9; 8]);
    let to = singleton!(: [u32; 8] = [0; 8]);
    let (Some(from), Some(to)) = (from, to) else { unreachable!("this runs once") };
    ch4.enable_irq0();
    critical_section::with(|_| {
        TRANSFER.put((single_buffer::Config::new(ch4, from, to).start(), 0));
        unmask(pac::Interrupt::DMA_IRQ_0);
    });
    wait(timer, 20);
    pac::NVIC::mask(pac::Interrupt::DMA_IRQ_0);
    let Some((transfer, count)) = TRANSFER.take() else { unreachable!("it was put there") };
    let verdict = same("interrupts", count, 1u32).and(holds("done", transfer.is_done()));
    let (mut ch4, _, to) = transfer.wait();
    ch4.disable_irq0();
    (ch4, verdict.and(same("the last word", to[7], 9u32)))
}

fn other_line(mut ch4: Channel<CH4>) -> Verdict {
    let from = singleton!(: [u8; 5] = *b"bytes");
    let to = singleton!(: [u8; 9] = [0; 9]);
    let (Some(from), Some(to)) = (from, to) else { unreachable!("this runs once") };
    ch4.enable_irq1();
    let mut transfer = single_buffer::Config::new(ch4, from, to).start();
    while !transfer.is_done() {}
    holds("pending", pac::NVIC::is_pending(pac::Interrupt::DMA_IRQ_1))?;
    holds("not on the first line", !transfer.check_irq0())?;
    holds("on the second", transfer.check_irq1())?;
    holds("cleared", !transfer.check_irq1())?;
    let (_, _, to) = transfer.wait();
    same_bytes("the shorter side decides", &to[..], b"bytes\0\0\0\0")
}

fn both_ways(
    ch0: Channel<CH0>,
    ch1: Channel<CH1>,
    spi: SpiBus,
) -> (Channel<CH0>, Channel<CH1>, SpiBus, Verdict) {
    let from = singleton!(: [u8; 20] = *b"twenty bytes of text");
    let to = singleton!(: [u8; 20] = [0; 20]);
    let (Some(from), Some(to)) = (from, to) else { unreachable!("this runs once") };
    let transfer = bidirectional::Config::new((ch0, ch1), from, spi, to).start();
    let ((ch0, ch1), _, spi, to) = transfer.wait();
    let expected: [u8; 20] = core::array::from_fn(|n| n as u8 + 1);
    (ch0, ch1, spi, same_bytes("the answers", &to[..], &expected))
}

/// Sends three buffers of a hundred bytes at 12.5 Mbit/s, which takes 192 microseconds.
fn chained(
    ch0: Channel<CH0>,
    ch1: Channel<CH1>,
    spi: SpiBus,
    timer: &Timer,
) -> (Channel<CH0>, Channel<CH1>, Verdict) {
    let buffers = (
        singleton!(: [u8; 100] = [1; 100]),
        singleton!(: [u8; 100] = [2; 100]),
        singleton!(: [u8; 100] = [3; 100]),
    );
    let (Some(one), Some(two), Some(three)) = buffers else { unreachable!("this runs once") };
    let before = timer.get_counter_low();
    let transfer = double_buffer::Config::new((ch0, ch1), one, spi).start();
    let (one, transfer) = transfer.read_next(two).wait();
    let (two, transfer) = transfer.read_next(three).wait();
    let (ch0, ch1, three, spi) = transfer.wait();
    while spi.is_busy() {}
    let took = timer.get_counter_low().wrapping_sub(before);
    let sum = u32::from(one[0]) + u32::from(two[0]) + u32::from(three[0]);
    (ch0, ch1, between("the time", took, 191u32, 196u32).and(same("the buffers", sum, 6u32)))
}

fn serial(
    ch0: Channel<CH0>,
    ch1: Channel<CH1>,
    uart: UartPeripheral<uart::Disabled, UART1, (UartPin<Gpio8>, UartPin<Gpio9>)>,
    clock: HertzU32,
) -> Verdict {
    let config = UartConfig::new(1_000_000.Hz(), DataBits::Eight, None, StopBits::One);
    let Ok(uart): Result<Uart, _> = uart.enable(config, clock) else {
        unreachable!("a rate that can be had")
    };
    let from = singleton!(: [u8; 40] = *b"forty bytes do not fit into the fifo! 40");
    let to = singleton!(: [u8; 40] = [0; 40]);
    let (Some(from), Some(to)) = (from, to) else { unreachable!("this runs once") };
    let (reader, writer) = uart.split();
    let receive = single_buffer::Config::new(ch0, reader, to).start();
    let send = single_buffer::Config::new(ch1, from, writer).start();
    let (_, _, writer) = send.wait();
    let (_, reader, to) = receive.wait();
    let uart = UartPeripheral::join(reader, writer);
    holds("nothing more", !uart.uart_is_readable())?;
    same_bytes("the answer", &to[..], b"FORTY BYTES DO NOT FIT INTO THE FIFO! 40")
}

/// Writes ten compare values, one each time the slice wraps: every 100 microseconds.
fn paced(ch3: Channel<CH3>, slices: Slices, timer: &Timer) -> Verdict {
    let mut slice = slices.pwm3;
    slice.set_div_int(125);
    slice.set_top(99);
    slice.enable();
    let values = singleton!(: [CcFormat; 10] = [CcFormat { a: 30, b: 60 }; 10]);
    let Some(values) = values else { unreachable!("this runs once") };
    let target = SliceDmaWrite::from(slice);
    let mut config = single_buffer::Config::new(ch3, values, target.cc);
    config.pace(Pace::PreferSink);
    let before = timer.get_counter_low();
    let (_, _, _) = config.start().wait();
    let took = timer.get_counter_low().wrapping_sub(before);
    between("the time", took, 900u32, 1_010u32)
}

fn wait(timer: &Timer, us: u32) {
    let start = timer.get_counter_low();
    while timer.get_counter_low().wrapping_sub(start) < us {}
}

#[interrupt]
fn DMA_IRQ_0() {
    TRANSFER.with(|(transfer, count)| *count += u32::from(transfer.check_irq0()));
}
