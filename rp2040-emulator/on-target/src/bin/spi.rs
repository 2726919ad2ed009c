//! SPI0 and SPI1 as masters, in loopback, by interrupts. External: SPI0 is answered with 1, 2, 3
//! and so on, one number per frame; SPI1's input is high.
#![no_std]
#![no_main]

use embedded_hal::spi::{MODE_0, MODE_3, SpiBus};
use embedded_hal_nb::spi::FullDuplex;
use on_target::{Board, Shared, Verdict, between, holds, same, same_bytes, unmask};
use rp2040_hal::Spi;
use rp2040_hal::clocks::Clock;
use rp2040_hal::fugit::RateExtU32;
use rp2040_hal::gpio::FunctionSpi;
use rp2040_hal::pac::{self, SPI1, interrupt};
use rp2040_hal::spi::{Enabled, SpiDevice, ValidSpiPinout};
use rp2040_hal::timer::Timer;

/// Bytes that SPI1's handler has read, their number, and how many times the handler has run.
static RECEIVED: Shared<([u8; 8], usize, u32)> = Shared::new();

#[rp2040_hal::entry]
fn main() -> ! {
    let mut board = Board::take();
    let mut report = on_target::report!(board);
    let clock = board.clocks.peripheral_clock.freq();
    let timer = board.timer;

    let wires = (
        board.pins.gpio19.into_function::<FunctionSpi>(),
        board.pins.gpio16.into_function::<FunctionSpi>(),
        board.pins.gpio18.into_function::<FunctionSpi>(),
    );
    let spi = Spi::<_, _, _, 8>::new(board.rest.SPI0, wires);
    let mut spi = spi.init(&mut board.resets, clock, 1_000_000.Hz(), MODE_0);
    report.record("a transfer reads what is answered", answers(&mut spi));
    report.record("frames follow one by one", single(&mut spi));
    report.record("rates are those that it says", rates(&mut spi, clock, &timer));
    let (device, wires) = spi.disable().free();

    let spi = Spi::<_, _, _, 16>::new(device, wires);
    let mut spi = spi.init(&mut board.resets, clock, 10_000_000.Hz(), MODE_3);
    report.record("frames of sixteen bits", wide(&mut spi));

    let wires = (
        board.pins.gpio11.into_function::<FunctionSpi>(),
        board.pins.gpio10.into_function::<FunctionSpi>(),
    );
    let (output, clock_pin) = wires;
    let input = board.pins.gpio12.into_function::<FunctionSpi>();
    let spi = Spi::<_, _, _, 8>::new(board.rest.SPI1, (output, input, clock_pin));
    let mut spi = spi.init(&mut board.resets, clock, 62_500_000.Hz(), MODE_0);
    report.record("an undriven input keeps its level", idle(&mut spi));
    report.record("in a loop it reads what it writes", looped(&mut spi));
    spi.set_baudrate(clock, 1_000_000.Hz());
    report.record("the receiver interrupts", by_interrupt(&mut spi, &timer));
    report.end()
}

fn answers<D: SpiDevice, P: ValidSpiPinout<D>>(spi: &mut Spi<Enabled, D, P, 8>) -> Verdict {
    let mut read = [0; 12];
    holds("transferring", spi.transfer(&mut read, b"twelve bytes").is_ok())?;
    same_bytes("the answers", &read, &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])?;
    // A write discards what it receives.
    holds("writing", SpiBus::write(spi, b"ten bytes!").and_then(|()| spi.flush()).is_ok())?;
    holds("busy after a flush", !spi.is_busy())?;
    let mut words = *b"eight by";
    holds("transferring in place", spi.transfer_in_place(&mut words).is_ok())?;
    same_bytes("the next answers", &words, &[23, 24, 25, 26, 27, 28, 29, 30])?;
    holds("reading", SpiBus::read(spi, &mut words[..2]).is_ok())?;
    same_bytes("the last answers", &words[..2], &[31, 32])
}

fn single<D: SpiDevice, P: ValidSpiPinout<D>>(spi: &mut Spi<Enabled, D, P, 8>) -> Verdict {
    holds("nothing to read", matches!(FullDuplex::read(spi), Err(nb::Error::WouldBlock)))?;
    let taken = (0u8..20).take_while(|n| FullDuplex::write(spi, *n).is_ok()).count();
    // One frame is on the wire, eight wait.
    same("what the FIFO takes", taken as u32, 9u32)?;
    let mut last = 0;
    for _ in 0..8 {
        last = nb::block!(FullDuplex::read(spi)).unwrap_or_default();
    }
    same("the eighth answer", last, 40u8)?;
    nb::block!(FullDuplex::read(spi)).map_or(Ok(()), |answer| same("the ninth", answer, 41u8))
}

/// Checks the requested rate, the rate that rp2040-hal selects for it, and the time of 100 bytes.
/// After each byte, hal waits for the answer.
fn rates<D: SpiDevice, P: ValidSpiPinout<D>>(
    spi: &mut Spi<Enabled, D, P, 8>,
    clock: rp2040_hal::fugit::HertzU32,
    timer: &Timer,
) -> Verdict {
    for (asked, given) in [
        (1_000_000, 992_063),
        (400_000, 398_089),
        (31_250_000, 31_250_000),
        (40_000_000, 31_250_000),
    ] {
        same("the rate", spi.set_baudrate(clock, asked.Hz()).to_Hz(), given as u32)?;
        let before = timer.get_counter();
        holds("writing", SpiBus::write(spi, &[0x55; 100]).is_ok())?;
        let took = (timer.get_counter() - before).to_micros();
        let bits = 800_000_000 / given as u64;
        between("the time", took, bits.saturating_sub(1), bits + 40)?;
    }
    Ok(())
}

fn wide<D: SpiDevice, P: ValidSpiPinout<D>>(spi: &mut Spi<Enabled, D, P, 16>) -> Verdict {
    let mut read = [0u16; 3];
    holds("transferring", spi.transfer(&mut read, &[0xCAFE, 0x1234, 0x8001]).is_ok())?;
    for word in read {
        holds("a wide answer", word >= 0x0100)?;
    }
    same("the next answer", read[2], read[0] + 2)
}

fn idle<D: SpiDevice, P: ValidSpiPinout<D>>(spi: &mut Spi<Enabled, D, P, 8>) -> Verdict {
    let mut read = [0; 5];
    holds("transferring", spi.transfer(&mut read, &[0; 5]).is_ok())?;
    same_bytes("the answers", &read, &[0xFF; 5])
}

fn looped<P: ValidSpiPinout<SPI1>>(spi: &mut Spi<Enabled, SPI1, P, 8>) -> Verdict {
    registers().sspcr1().modify(|_, w| w.lbm().set_bit());
    let mut words = *b"round about";
    holds("transferring", spi.transfer_in_place(&mut words).is_ok())?;
    same_bytes("what comes back", &words, b"round about")
}

/// Checks interrupts: four words fill half of the FIFO; the timeout reports the other three.
fn by_interrupt<P: ValidSpiPinout<SPI1>>(
    spi: &mut Spi<Enabled, SPI1, P, 8>,
    timer: &Timer,
) -> Verdict {
    registers().sspimsc().write(|w| w.rxim().set_bit().rtim().set_bit());
    RECEIVED.put(([0; 8], 0, 0));
    unmask(pac::Interrupt::SPI1_IRQ);
    for byte in *b"in loop" {
        holds("writing", FullDuplex::write(spi, byte).is_ok())?;
    }
    let count = || RECEIVED.with(|(_, count, _)| *count).unwrap_or_default();
    let before = timer.get_counter_low();
    while count() < 7 && timer.get_counter_low().wrapping_sub(before) < 1_000 {}
    pac::NVIC::mask(pac::Interrupt::SPI1_IRQ);
    let Some((bytes, count, runs)) = RECEIVED.take() else { unreachable!("it was put there") };
    same_bytes("what has come", &bytes[..count], b"in loop")?;
    same("interrupts", runs, 2u32)
}

/// Returns the registers, because rp2040-hal has no functions for loopback and interrupts.
fn registers() -> SPI1 {
    #[expect(unsafe_code, reason = "the driver has the device")]
    // SAFETY: the driver does not access these registers while it transfers nothing.
    unsafe { pac::Peripherals::steal() }.SPI1
}

#[interrupt]
fn SPI1_IRQ() {
    RECEIVED.with(|(bytes, count, runs)| {
        *runs += 1;
        while registers().sspsr().read().rne().bit_is_set() && *count < bytes.len() {
            bytes[*count] = registers().sspdr().read().data().bits() as u8;
            *count += 1;
        }
    });
    registers().sspicr().write(|w| w.rtic().clear_bit_by_one());
}
