//! I2C0 as a controller, polled and by interrupts, and I2C1 as a peripheral.
//!
//! External: on I2C0, a memory of 256 bytes answers to 0x2C. The first byte sent to it is the
//! address at which reading and writing continues. It acknowledges no byte written at 0xF0 or
//! above. Another memory answers to the 10-bit address 0x2A5. On I2C1 another controller addresses
//! 0x17: it sends `ping`, then reads four bytes, then does both without a stop between.
#![no_std]
#![no_main]

use core::future::Future;
use core::pin::pin;
use core::sync::atomic::{AtomicU32, Ordering};
use core::task::{Context, Poll, Waker};

use embedded_hal::i2c::{ErrorKind, I2c as _, NoAcknowledgeSource, Operation};
use embedded_hal_async::i2c as waiting;
use on_target::{Board, Verdict, between, holds, same, same_bytes, unmask};
use rp2040_hal::I2C;
use rp2040_hal::async_utils::AsyncPeripheral;
use rp2040_hal::clocks::Clock;
use rp2040_hal::fugit::{HertzU32, RateExtU32};
use rp2040_hal::gpio::bank0::{Gpio4, Gpio5, Gpio6, Gpio7};
use rp2040_hal::gpio::{FunctionI2c, Pin, PullUp};
use rp2040_hal::i2c::Error;
use rp2040_hal::i2c::peripheral::Event;
use rp2040_hal::pac::{self, I2C0, I2C1, RESETS, interrupt};
use rp2040_hal::timer::Timer;

type I2cPin<I> = Pin<I, FunctionI2c, PullUp>;
type Pins = (I2cPin<Gpio4>, I2cPin<Gpio5>);
type Bus = I2C<I2C0, Pins>;

/// Addresses of the devices on I2C0's bus, and an address without a device.
const MEMORY: u8 = 0x2C;
const OTHER_MEMORY: u16 = 0x2A5;
const UNUSED_ADDRESS: u8 = 0x2D;
/// First offset at which the memory accepts no bytes.
const PROTECTED: u8 = 0xF0;
/// Own address of I2C1.
const OWN: u8 = 0x17;

/// Bits of IC_TX_ABRT_SOURCE: no acknowledge for a 7-bit address, for a 10-bit address, and for a
/// byte.
const ADDRESS_NACK: u32 = 1;
const TEN_BITS_NACK: u32 = 1 << 1;
const DATA_NACK: u32 = 1 << 3;
/// Mask of the reasons in IC_TX_ABRT_SOURCE. The bits above it count the flushed commands.
const REASONS: u32 = 0x1_FFFF;

/// Number of interrupts of I2C0.
static INTERRUPTS: AtomicU32 = AtomicU32::new(0);

#[rp2040_hal::entry]
fn main() -> ! {
    let mut board = Board::take();
    let mut report = on_target::report!(board);
    let clock = board.clocks.system_clock.freq();
    let timer = board.timer;
    let pins: Pins = (board.pins.gpio4.reconfigure(), board.pins.gpio5.reconfigure());
    let resets = &mut board.resets;
    let mut bus = I2C::i2c0(board.rest.I2C0, pins.0, pins.1, 400_000.Hz(), resets, clock);
    report.record("a memory is written and read", memory(&mut bus));
    report.record("a transaction restarts where it turns", transaction(&mut bus));
    report.record("more than the FIFO has room for", long(&mut bus));
    report.record("no device acknowledges an address", unanswered(&mut bus));
    report.record("a byte is not acknowledged", protected(&mut bus));
    report.record("addresses of ten bits", ten_bits(&mut bus));
    report.record("what cannot be asked for", refused(&mut bus));
    let (bus, verdict) = rates(bus, resets, clock, &timer);
    report.record("bytes take their time", verdict);
    report.record("it interrupts", by_interrupt(bus, &timer));

    let pins: (I2cPin<Gpio6>, I2cPin<Gpio7>) =
        (board.pins.gpio6.reconfigure(), board.pins.gpio7.reconfigure());
    let device = I2C::new_peripheral_event_iterator(board.rest.I2C1, pins.0, pins.1, resets, OWN);
    report.record("as a peripheral it answers", called(device, &timer));
    report.end()
}

/// Returns the abort reasons that hal reports for a transfer, without the count of flushed
/// commands.
fn abort(result: Result<(), Error>) -> u32 {
    match result {
        Err(Error::Abort(reasons)) => reasons & REASONS,
        _ => 0,
    }
}

fn memory(bus: &mut Bus) -> Verdict {
    holds("writing", bus.write(MEMORY, b"\x10memory").is_ok())?;
    holds("setting the place", bus.write(MEMORY, &[0x12]).is_ok())?;
    let mut read = [0; 4];
    holds("reading", bus.read(MEMORY, &mut read).is_ok())?;
    same_bytes("what stands there", &read, b"mory")?;
    holds("both", bus.write_read(MEMORY, &[0x10], &mut read).is_ok())?;
    same_bytes("what stands before", &read, b"memo")?;
    holds("one byte", bus.write_read(MEMORY, &[0x15], &mut read[..1]).is_ok())?;
    same("the byte", read[0], b'y')
}

fn transaction(bus: &mut Bus) -> Verdict {
    let (mut first, mut second) = ([0; 2], [0; 3]);
    let mut operations = [
        Operation::Write(&[0x20, 1, 2]),
        Operation::Write(&[3, 4, 5]),
        Operation::Write(&[0x40]),
        Operation::Read(&mut first),
        Operation::Write(&[0x20]),
        Operation::Read(&mut second),
    ];
    holds("the transaction", bus.transaction(MEMORY, &mut operations).is_ok())?;
    same_bytes("the first", &first, &[0xFF; 2])?;
    same_bytes("the second", &second, &[1, 2, 3])?;
    let mut read = [0; 3];
    holds("behind them", bus.write_read(MEMORY, &[0x23], &mut read).is_ok())?;
    same_bytes("writes go on without a restart", &read, &[4, 5, 0x40])
}

fn long(bus: &mut Bus) -> Verdict {
    let mut bytes: [u8; 60] = core::array::from_fn(|n| n as u8 * 3);
    bytes[0] = 0x60;
    holds("writing", bus.write(MEMORY, &bytes).is_ok())?;
    let mut read = [0; 59];
    holds("reading", bus.write_read(MEMORY, &[0x60], &mut read).is_ok())?;
    same_bytes("what stands there", &read, &bytes[1..])?;
    let iterator = core::iter::once(0x60).chain((0..50).map(|n| 200 - n));
    holds("an iterator", bus.write_iter(MEMORY, iterator).is_ok())?;
    holds("reading again", bus.write_iter_read(MEMORY, [0x60 + 49], &mut read[..1]).is_ok())?;
    same("the last byte", read[0], 151u8)
}

fn unanswered(bus: &mut Bus) -> Verdict {
    let mut read = [0; 3];
    let result = bus.read(UNUSED_ADDRESS, &mut read);
    let kind = result.as_ref().map_err(embedded_hal::i2c::Error::kind).err();
    let expected = ErrorKind::NoAcknowledge(NoAcknowledgeSource::Address);
    holds("the kind", kind == Some(expected))?;
    same("the reason", abort(result), ADDRESS_NACK)?;
    same(
        "writing and reading",
        abort(bus.write_read(UNUSED_ADDRESS, &[1], &mut read)),
        ADDRESS_NACK,
    )?;
    // rp2040-hal does not check whether a write that fits into the FIFO was sent: the next call
    // reports the failure.
    holds("writing", bus.write(UNUSED_ADDRESS, &[1, 2]).is_ok())?;
    same("behind it", abort(bus.read(MEMORY, &mut read)), ADDRESS_NACK)?;
    let found = (0..0x80u8).filter(|address| bus.read(*address, &mut read[..1]).is_ok());
    same("the one that is there", found.fold(0, |all, one| all << 8 | u32::from(one)), MEMORY)
}

fn protected(bus: &mut Bus) -> Verdict {
    let mut read = [0; 2];
    let result = bus.write_read(MEMORY, &[PROTECTED, 1, 2, 3], &mut read);
    let kind = result.as_ref().map_err(embedded_hal::i2c::Error::kind).err();
    let expected = ErrorKind::NoAcknowledge(NoAcknowledgeSource::Data);
    holds("the kind", kind == Some(expected))?;
    same("the reason", abort(result), DATA_NACK)?;
    holds("the next one", bus.write_read(MEMORY, &[0x10], &mut read).is_ok())?;
    same_bytes("what stands there", &read, b"me")
}

fn ten_bits(bus: &mut Bus) -> Verdict {
    holds("writing", bus.write(OTHER_MEMORY, b"\x80ten").is_ok())?;
    let mut read = [0; 3];
    holds("reading", bus.write_read(OTHER_MEMORY, &[0x80], &mut read).is_ok())?;
    same_bytes("what stands there", &read, b"ten")?;
    let missing = bus.read(OTHER_MEMORY + 1, &mut read);
    same("no answer", abort(missing), TEN_BITS_NACK)?;
    holds("seven bits again", bus.read(MEMORY, &mut read).is_ok())
}

fn refused(bus: &mut Bus) -> Verdict {
    let address = bus.write(0x80u8, &[0]);
    holds("an address", matches!(address, Err(Error::AddressOutOfRange(0x80))))?;
    let read = bus.read(MEMORY, &mut []);
    holds("reading nothing", matches!(read, Err(Error::InvalidReadBufferLength)))?;
    let write = bus.write(MEMORY, &[]);
    holds("writing nothing", matches!(write, Err(Error::InvalidWriteBufferLength)))?;
    // The bus is held when the second half turns out to be empty: hal aborts the transfer that has
    // begun.
    let half = bus.write_read(MEMORY, &[0x10], &mut []);
    holds("writing, then nothing", matches!(half, Err(Error::InvalidReadBufferLength)))?;
    let mut read = [0];
    holds("the next one", bus.write_read(MEMORY, &[0x10], &mut read).is_ok())?;
    same("what stands there", read[0], b'm')
}

/// Checks the bus rates with a start, the address, thirty bytes and a stop: 281 bits.
fn rates(mut bus: Bus, resets: &mut RESETS, clock: HertzU32, timer: &Timer) -> (Bus, Verdict) {
    let mut verdict = Ok(());
    for rate in [100_000u32, 400_000, 1_000_000] {
        let (device, (sda, scl)) = bus.free(resets);
        bus = I2C::i2c0(device, sda, scl, rate.Hz(), resets, clock);
        let before = timer.get_counter_low();
        let written = bus.write(MEMORY, &[0x10; 30]);
        let took = timer.get_counter_low().wrapping_sub(before);
        let bits = 281_000_000 / rate;
        // The spike filter and the edges lengthen every bit (datasheet section 4.3.14.2).
        verdict = verdict.and(holds("writing", written.is_ok())).and(between(
            "the time",
            took,
            bits,
            bits + bits / 5 + 20,
        ));
    }
    (bus, verdict)
}

/// Checks transfers while the core waits for interrupts.
fn by_interrupt(mut bus: Bus, timer: &Timer) -> Verdict {
    unmask(pac::Interrupt::I2C0_IRQ);
    let mut read = [0; 20];
    let mut bytes = [7; 40];
    bytes[0] = 0x30;
    let verdict = finished(waiting::I2c::write(&mut bus, MEMORY, &bytes), timer)
        .and_then(|result| holds("writing", result.is_ok()))
        .and_then(|()| {
            finished(waiting::I2c::write_read(&mut bus, MEMORY, &[0x30], &mut read), timer)
        })
        .and_then(|result| holds("reading", result.is_ok()))
        .and_then(|()| same_bytes("what stands there", &read, &[7; 20]))
        .and_then(|()| finished(waiting::I2c::read(&mut bus, UNUSED_ADDRESS, &mut [0]), timer))
        .and_then(|result| same("no answer", abort(result), ADDRESS_NACK));
    pac::NVIC::mask(pac::Interrupt::I2C0_IRQ);
    verdict
}

/// Drives a transfer to its end; it is polled again only after an interrupt.
fn finished<T>(transfer: impl Future<Output = T>, timer: &Timer) -> Result<T, on_target::Why> {
    let mut transfer = pin!(transfer);
    let mut context = Context::from_waker(Waker::noop());
    let before = timer.get_counter_low();
    loop {
        let interrupts = INTERRUPTS.load(Ordering::Relaxed);
        if let Poll::Ready(result) = transfer.as_mut().poll(&mut context) {
            return Ok(result);
        }
        while INTERRUPTS.load(Ordering::Relaxed) == interrupts {
            let waited = timer.get_counter_low().wrapping_sub(before);
            between("microseconds without an interrupt", waited, 0u32, 10_000u32)?;
        }
    }
}

/// Receives bytes and answers `pong`, until it has been addressed three times.
fn called(
    mut device: I2C<I2C1, (I2cPin<Gpio6>, I2cPin<Gpio7>), rp2040_hal::i2c::Peripheral>,
    timer: &Timer,
) -> Verdict {
    let mut taken = [0; 16];
    let (mut length, mut answers, mut starts, mut stops) = (0, 0, 0, 0);
    let before = timer.get_counter_low();
    while stops < 3 && timer.get_counter_low().wrapping_sub(before) < 20_000 {
        match device.next_event() {
            Some(Event::Start | Event::Restart) => starts += 1,
            Some(Event::TransferWrite) => {
                length += device.read(&mut taken[length..]);
            }
            Some(Event::TransferRead) => {
                answers += device.write(b"pong");
            }
            Some(Event::Stop) => stops += 1,
            None => {}
        }
    }
    same_bytes("what was sent", &taken[..length], b"pingping")?;
    same("answers", answers as u32, 8u32)?;
    same("starts", starts as u32, 4u32)?;
    same("stops", stops as u32, 3u32)
}

#[interrupt]
fn I2C0_IRQ() {
    // No other code on this core writes it.
    INTERRUPTS.store(INTERRUPTS.load(Ordering::Relaxed).wrapping_add(1), Ordering::Relaxed);
    Bus::on_interrupt();
}
