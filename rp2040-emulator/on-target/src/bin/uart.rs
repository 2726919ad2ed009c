//! UART0 and UART1: polled, through their FIFOs, by interrupts.
//!
//! External: bytes sent to UART1 come back in capital letters. `!` brings forty bytes at once.
//! UART0 receives `report` at the beginning.
#![no_std]
#![no_main]

use embedded_io::{Read, ReadReady, Write};
use on_target::{Board, Shared, Verdict, between, holds, same, same_bytes, unmask};
use rp2040_hal::clocks::Clock;
use rp2040_hal::fugit::RateExtU32;
use rp2040_hal::gpio::bank0::{Gpio8, Gpio9};
use rp2040_hal::gpio::{FunctionUart, Pin, PullDown};
use rp2040_hal::pac::{self, UART1, interrupt};
use rp2040_hal::timer::Timer;
use rp2040_hal::uart::{
    DataBits, Enabled, FifoWatermark, Parity, ReadErrorType, StopBits, UartConfig, UartPeripheral,
};

type Pins = (Pin<Gpio8, FunctionUart, PullDown>, Pin<Gpio9, FunctionUart, PullDown>);
type Uart = UartPeripheral<Enabled, UART1, Pins>;

/// The receiver that the handler reads, and the bytes that it has read.
static RECEIVER: Shared<(Uart, [u8; 8], usize)> = Shared::new();
/// The bytes that the handler sends, and how many times it ran.
static SENDER: Shared<(Uart, &'static [u8], u32)> = Shared::new();

#[rp2040_hal::entry]
fn main() -> ! {
    let mut board = Board::take();
    let mut report = on_target::report!(board);
    let clock = board.clocks.peripheral_clock.freq();
    let timer = board.timer;

    let pins: Pins = (board.pins.gpio8.into_function(), board.pins.gpio9.into_function());
    let config = UartConfig::new(1_000_000.Hz(), DataBits::Eight, None, StopBits::One);
    let uart = UartPeripheral::new(board.rest.UART1, pins, &mut board.resets);
    let Ok(mut uart) = uart.enable(config, clock) else { unreachable!("a rate that can be had") };

    report.record("polled bytes come back", polled(&uart));
    report.record("embedded-io reads and writes", io(&mut uart));
    report.record("bytes take their time on the line", line_time(&uart, &timer));
    report.record("the FIFO takes 32 bytes", fifo(&mut uart));
    report.record("a full receiver tells of an overrun", overrun(&uart, &timer));
    uart.set_fifos(true);
    let (uart, verdict) = received_by_interrupt(uart, &timer);
    report.record("the receiver interrupts", verdict);
    let (uart, verdict) = sent_by_interrupt(uart, &timer);
    report.record("the transmitter interrupts", verdict);
    report.record("split halves work", halves(uart, clock));

    let mut word = [0; 6];
    let read = report.uart.read_full_blocking(&mut word);
    let verdict = holds("reading", read.is_ok()).and(same_bytes("the word", &word, b"report"));
    report.record("UART0 receives", verdict);
    report.end()
}

fn polled(uart: &Uart) -> Verdict {
    uart.write_full_blocking(b"ping");
    let mut answer = [0; 4];
    holds("reading", uart.read_full_blocking(&mut answer).is_ok())?;
    same_bytes("the answer", &answer, b"PING")?;
    holds("nothing more", !uart.uart_is_readable())
}

fn io(uart: &mut Uart) -> Verdict {
    holds("ready too early", uart.read_ready() == Ok(false))?;
    holds("writing", uart.write_all(b"embedded").and_then(|()| uart.flush()).is_ok())?;
    let mut answer = [0; 8];
    holds("reading", uart.read_exact(&mut answer).is_ok())?;
    same_bytes("the answer", &answer, b"EMBEDDED")
}

/// Checks the time of twenty frames of ten bits at 1 MBd, plus that of the last answer.
fn line_time(uart: &Uart, timer: &Timer) -> Verdict {
    let before = timer.get_counter();
    uart.write_full_blocking(b"twenty bytes of text");
    while uart.uart_is_busy() {}
    let took = (timer.get_counter() - before).to_micros();
    let mut answer = [0; 20];
    holds("reading", uart.read_full_blocking(&mut answer).is_ok())?;
    between("the time", took, 199u32, 205u32)
}

/// Checks the transmit FIFO: one byte is on the line and 32 wait; without the FIFO only one waits.
fn fifo(uart: &mut Uart) -> Verdict {
    let mut answer = [0; 40];
    for (fifos, taken) in [(true, 33u32), (false, 2)] {
        uart.set_fifos(fifos);
        let left = uart.write_raw(&[b'x'; 40]).map_or(0, <[u8]>::len) as u32;
        same("what was taken", 40 - left, taken)?;
        holds("writable", !uart.uart_is_writable())?;
        let answer = &mut answer[..taken as usize];
        holds("reading", uart.read_full_blocking(answer).is_ok())?;
    }
    uart.set_fifos(true);
    same_bytes("the answers", &answer[..33], &[b'X'; 33])
}

/// Checks an overrun: forty bytes arrive without a read, and 32 are stored. rp2040-hal reports the
/// others twice: when the FIFO is empty, from UARTRIS, and with the next byte, which has the
/// overrun flag.
fn overrun(uart: &Uart, timer: &Timer) -> Verdict {
    uart.write_full_blocking(b"!");
    wait(timer, 1_000);
    let mut kept = [0; 32];
    holds("reading what is kept", uart.read_full_blocking(&mut kept).is_ok())?;
    same_bytes("the bytes", &kept, &[b'!'; 32])?;
    holds("no more", !uart.uart_is_readable())?;
    let result = uart.read_full_blocking(&mut kept[..1]);
    holds("the interrupt is reported", matches!(result, Err(ReadErrorType::Overrun)))?;
    uart.write_full_blocking(b"a");
    let result = uart.read_full_blocking(&mut kept[..1]);
    holds("the overrun is reported", matches!(result, Err(ReadErrorType::Overrun)))?;
    uart.write_full_blocking(b"b");
    holds("and only once", uart.read_full_blocking(&mut kept[..1]).is_ok())?;
    same("the last byte", kept[0], b'B')
}

fn received_by_interrupt(mut uart: Uart, timer: &Timer) -> (Uart, Verdict) {
    uart.set_rx_watermark(FifoWatermark::Bytes4);
    uart.enable_rx_interrupt();
    uart.write_full_blocking(b"by wire");
    RECEIVER.put((uart, [0; 8], 0));
    unmask(pac::Interrupt::UART1_IRQ);
    // Seven bytes: four at the watermark, three after the receiver's timeout.
    let count = || RECEIVER.with(|(_, _, count)| *count).unwrap_or_default();
    let deadline = timer.get_counter_low().wrapping_add(10_000);
    while count() < 7 && (deadline.wrapping_sub(timer.get_counter_low()) as i32) > 0 {}
    pac::NVIC::mask(pac::Interrupt::UART1_IRQ);
    let Some((mut uart, bytes, count)) = RECEIVER.take() else { unreachable!("it was put there") };
    uart.disable_rx_interrupt();
    (uart, same_bytes("what has come", &bytes[..count], b"BY WIRE"))
}

fn sent_by_interrupt(mut uart: Uart, timer: &Timer) -> (Uart, Verdict) {
    uart.set_tx_watermark(FifoWatermark::Bytes8);
    uart.enable_tx_interrupt();
    // The interrupt occurs when the FIFO falls to its watermark, so the FIFO is first filled by
    // hand.
    uart.write_full_blocking(&[b'y'; 20]);
    SENDER.put((uart, b"more of it", 0));
    unmask(pac::Interrupt::UART1_IRQ);
    wait(timer, 1_000);
    pac::NVIC::mask(pac::Interrupt::UART1_IRQ);
    let Some((mut uart, left, runs)) = SENDER.take() else { unreachable!("it was put there") };
    uart.disable_tx_interrupt();
    let mut answer = [0; 30];
    let verdict = same("what is left", left.len() as u32, 0u32)
        .and(same("interrupts", runs, 1u32))
        .and(holds("reading", uart.read_full_blocking(&mut answer).is_ok()))
        .and(same_bytes("the answer", &answer[20..], b"MORE OF IT"));
    (uart, verdict)
}

/// Checks the receiver and the transmitter separately, at another rate and format.
fn halves(uart: Uart, clock: rp2040_hal::fugit::HertzU32) -> Verdict {
    let config = UartConfig::new(250_000.Hz(), DataBits::Seven, Some(Parity::Even), StopBits::Two);
    let uart = uart.disable().enable(config, clock);
    holds("the other format", uart.is_ok())?;
    let Ok(uart) = uart else { return Ok(()) };
    let (reader, writer) = uart.split();
    writer.write_full_blocking(b"halves");
    let mut answer = [0; 6];
    holds("reading", reader.read_full_blocking(&mut answer).is_ok())?;
    same_bytes("the answer", &answer, b"HALVES")?;
    let uart = UartPeripheral::join(reader, writer);
    holds("nothing more", !uart.uart_is_readable())
}

fn wait(timer: &Timer, us: u32) {
    let start = timer.get_counter_low();
    while timer.get_counter_low().wrapping_sub(start) < us {}
}

#[interrupt]
fn UART1_IRQ() {
    RECEIVER.with(|(uart, bytes, count)| {
        *count += uart.read_raw(&mut bytes[*count..]).unwrap_or_default();
    });
    SENDER.with(|(uart, left, runs)| {
        *runs += 1;
        *left = uart.write_raw(left).unwrap_or(left);
        if left.is_empty() {
            uart.disable_tx_interrupt();
        }
    });
}
