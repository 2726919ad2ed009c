//! The host of `nudge emulate`: standard output or a pseudo-terminal at the chip's UART, USB, a
//! waveform of its pins, the wall clock, and Ctrl-C.

use std::io::{self, Write};

use super::rtt::RttChannels;
use hal_mock::Instant;
use output_files::OutputFile;
use rp2040_emulator::chip::Chip;
use rp2040_tools::line::Line;
use rp2040_tools::pins::Waveform;
use rp2040_tools::pty::Pty;
use rp2040_tools::{Host, HostRequest};
use runner::interrupt::Interrupt;
use wall_clock::{Pacer, Speed, Stopwatch};

use super::expect::Expectations;
use super::outside::Outside;
use super::usb::UsbPorts;

/// The most bytes that wait for the program; further bytes stay in the pseudo-terminal.
const WAITING_MAX: usize = 4096;

pub struct EmulateHost<'a> {
    pub out: &'a mut dyn Write,
    pub uart: usize,
    pub line: Line,
    pub outside: Outside,
    pub rtt: Option<RttChannels>,
    pub waveform: Option<Waveform<&'a mut OutputFile>>,
    pub usb: Option<UsbPorts>,
    pub uart_has_sent: bool,
    pub terminal: Option<Terminal>,
    pub interrupt: Interrupt,
    pub expectations: Expectations,
}

/// A pseudo-terminal. With one, virtual time runs no faster than the wall clock.
pub struct Terminal {
    pub pty: Pty,
    stopwatch: Stopwatch,
    pacer: Pacer,
}

impl Terminal {
    /// A terminal whose clock starts now.
    pub fn new(pty: Pty) -> Self {
        let stopwatch = Stopwatch::start();
        let pacer = Pacer::new(stopwatch.elapsed(), Instant::START, Speed::REAL);
        Self { pty, stopwatch, pacer }
    }
}

impl Host for EmulateHost<'_> {
    fn take(&mut self, chip: &mut Chip) -> io::Result<()> {
        self.outside.take(chip)?;
        // The other UART is not connected, or taken.
        chip.take_sent(1 - self.uart);
        let bytes: Vec<u8> = chip.take_sent(self.uart).into_iter().map(|(_, byte)| byte).collect();
        self.uart_has_sent |= !bytes.is_empty();
        if let Some(usb) = &mut self.usb {
            usb.exchange(chip, self.uart_has_sent, &mut self.line, self.out)?;
        }
        self.expectations.take(&bytes);
        match &mut self.terminal {
            Some(terminal) => terminal.pty.write(&bytes)?,
            None if bytes.is_empty() => {}
            None => {
                self.out.write_all(&bytes)?;
                self.out.flush()?;
            }
        }
        if let Some(rtt) = &mut self.rtt {
            rtt.take(chip, self.out)?;
        }
        self.waveform.as_mut().map_or(Ok(()), |waveform| waveform.take(chip))
    }

    fn give(&mut self, chip: &Chip) -> Option<(usize, u8)> {
        if self.usb.as_ref().is_some_and(UsbPorts::takes_input) {
            return self.outside.give(chip);
        }
        self.line.give(chip).or_else(|| self.outside.give(chip))
    }

    fn next(&self) -> Option<Instant> {
        if self.usb.as_ref().is_some_and(UsbPorts::takes_input) {
            return self.outside.next();
        }
        self.line.next().into_iter().chain(self.outside.next()).min()
    }

    fn wait(&mut self, now: Instant) -> io::Result<HostRequest> {
        loop {
            if self.expectations.is_enough() {
                return Ok(HostRequest::Enough);
            }
            if self.interrupt.is_set() {
                return Ok(HostRequest::End);
            }
            let Some(Terminal { pty, stopwatch, pacer }) = &mut self.terminal else {
                return Ok(HostRequest::Continue);
            };
            let wall = stopwatch.elapsed();
            pacer.lag(wall, now);
            let left = pacer.wall_until(wall, now).unwrap_or_default();
            let room = WAITING_MAX.saturating_sub(self.line.waiting());
            let bytes = pty.read(room, left)?;
            self.line.send(&bytes);
            if bytes.is_empty() && left.is_zero() {
                return Ok(HostRequest::Continue);
            }
        }
    }
}
