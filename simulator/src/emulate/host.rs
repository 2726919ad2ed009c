//! The host of `nudge emulate`: standard output or a pseudo-terminal connected to the chip's UART,
//! RTT, semihosting, USB, a waveform of its pins, the wall clock, and Ctrl-C.

use std::io::{self, Write};
use std::time::Duration;

use super::rtt::RttChannels;
use host::{
    Interrupt,
    clock::{Pacer, Speed, Stopwatch},
    output_files::OutputFile,
};
use rp2040_emulator::chip::Chip;
use rp2040_emulator::image::Symbols;
use rp2040_emulator::program::sdk_exit;
use rp2040_tools::embedded_test::{self, EmbeddedTestError, Test, USER_LIST};
use rp2040_tools::line::Line;
use rp2040_tools::pins::Waveform;
use rp2040_tools::pty::Pty;
use rp2040_tools::semihosting::{Call, SEMIHOSTING, Semihosting};
use rp2040_tools::{Host, HostRequest};
use virtual_time::Instant;

use super::expect::{Source, TextSearch};
use super::outside::Surroundings;
use super::typed::StdinReader;
use super::usb::UsbPorts;

/// Maximum number of bytes that wait for the program; further bytes stay in the pseudo-terminal.
const PENDING_BYTES_MAX: usize = 4096;

/// WL_REG_ON of the CYW43439 at GP23 (datasheet of the Pico W, 2.1).
const CYW43_POWER: u32 = 1 << 23;

/// The shortest wait worth doing. The system wakes a thread about 0.1 ms late, so a shorter wait
/// would take longer than intended.
const SHORTEST_WAIT: Duration = Duration::from_micros(500);

pub struct EmulateHost<'a> {
    pub out: &'a mut dyn Write,
    pub uart: usize,
    pub line: Line,
    pub outside: Surroundings,
    pub rtt: Option<RttChannels>,
    pub semihosting: Semihosting,
    pub symbols: &'a Symbols,
    /// The radio of a Pico W whose driver the program has.
    pub cyw43: Option<Cyw43>,
    /// The answer to `list` of a program with an old embedded-test.
    pub list: Option<Result<Vec<Test>, EmbeddedTestError>>,
    pub waveform: Option<Waveform<&'a mut OutputFile>>,
    pub usb: Option<UsbPorts>,
    pub uart_has_sent: bool,
    pub terminal: Option<Pty>,
    /// Standard input, with `--stdin`.
    pub typed: Option<StdinReader>,
    /// Set if virtual time must not run faster than the wall clock.
    pub pace: Option<Pace>,
    pub interrupt: Interrupt,
    pub expectations: TextSearch,
}

/// A CYW43439 that a program has switched on, or not yet.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cyw43 {
    pub switched_on: Option<Instant>,
}

/// Limits virtual time to the speed of the wall clock.
pub struct Pace {
    stopwatch: Stopwatch,
    pacer: Pacer,
}

impl Pace {
    /// Starts real time now.
    pub fn start() -> Self {
        let stopwatch = Stopwatch::start();
        let pacer = Pacer::new(stopwatch.elapsed(), Instant::START, Speed::REAL);
        Self { stopwatch, pacer }
    }

    /// Returns the wall time that is left until virtual time `now`.
    fn left(&mut self, now: Instant) -> Duration {
        let wall = self.stopwatch.elapsed();
        self.pacer.lag(wall, now);
        self.pacer.wall_until(wall, now).unwrap_or_default()
    }
}

impl EmulateHost<'_> {
    /// Reports the radio of a Pico W at the first access to its pins.
    fn note_cyw43(&mut self, chip: &Chip) -> io::Result<()> {
        let Some(radio) = &mut self.cyw43 else { return Ok(()) };
        if radio.switched_on.is_some() || chip.driven() & CYW43_POWER == 0 {
            return Ok(());
        }
        radio.switched_on = Some(Instant(chip.now_ns()));
        writeln!(
            io::stderr(),
            "nudge: the program switches on the CYW43439 of a Pico W (GP23 to GP25 and GP29), which \
             is not modelled: its Wi-Fi, its Bluetooth and its LED do not answer"
        )
    }

    fn show(&mut self, source: Source, bytes: &[u8]) -> io::Result<()> {
        self.expectations.take(source, bytes);
        if bytes.is_empty() {
            return Ok(());
        }
        self.out.write_all(bytes)?;
        self.out.flush()
    }
}

impl Host for EmulateHost<'_> {
    fn take(&mut self, chip: &mut Chip) -> io::Result<()> {
        let changes = chip.take_changes();
        self.outside.take(chip, &changes)?;
        self.note_cyw43(chip)?;
        // The other UART is not connected, or `outside` has read it.
        chip.take_sent(1 - self.uart);
        let bytes: Vec<u8> = chip.take_sent(self.uart).into_iter().map(|(_, byte)| byte).collect();
        self.uart_has_sent |= !bytes.is_empty();
        if let Some(usb) = &mut self.usb {
            let bytes = usb.exchange(chip, self.uart_has_sent, &mut self.line)?;
            self.show(Source::Usb, &bytes)?;
        }
        match &mut self.terminal {
            Some(terminal) => {
                self.expectations.take(Source::Uart, &bytes);
                terminal.write(&bytes)?;
            }
            None => self.show(Source::Uart, &bytes)?,
        }
        if let Some(rtt) = &mut self.rtt {
            let mut shown = Vec::new();
            rtt.take(chip, &mut shown);
            self.show(Source::Rtt, &shown)?;
        }
        self.waveform.as_mut().map_or(Ok(()), |waveform| waveform.take(&changes))
    }

    fn give(&mut self, chip: &Chip) -> Option<(usize, u8)> {
        if self.usb.as_ref().is_some_and(UsbPorts::takes_input) {
            return self.outside.give(chip);
        }
        self.line.give(chip).or_else(|| self.outside.give(chip))
    }

    fn next(&self) -> Option<Instant> {
        let rtt = self.rtt.as_ref().and_then(RttChannels::next);
        let line = if self.usb.as_ref().is_some_and(UsbPorts::takes_input) {
            None
        } else {
            self.line.next()
        };
        line.into_iter().chain(self.outside.next()).chain(rtt).min()
    }

    fn semihosting(&mut self, chip: &mut Chip, core: u8) -> io::Result<bool> {
        match self.semihosting.answer(chip, core) {
            Call::Answered => Ok(true),
            Call::Console(bytes) => self.show(Source::Semihosting, &bytes).map(|()| true),
            Call::User(USER_LIST, argument) => {
                self.list = Some(embedded_test::listed(chip, argument));
                Ok(false)
            }
            Call::User(..) | Call::Unanswered(_) => Ok(false),
        }
    }

    fn goes_on_without_core_0(&self, chip: &Chip, number: u8) -> bool {
        number != SEMIHOSTING && sdk_exit(chip, self.symbols, 0) == Some(0)
    }

    fn wait(&mut self, now: Instant) -> io::Result<HostRequest> {
        loop {
            if self.expectations.has_final_text() {
                return Ok(HostRequest::Enough);
            }
            if self.interrupt.is_set() {
                return Ok(HostRequest::End);
            }
            let Some(pace) = &mut self.pace else {
                return Ok(HostRequest::Continue);
            };
            let left = pace.left(now);
            let room = PENDING_BYTES_MAX.saturating_sub(self.line.waiting());
            let bytes = match (&mut self.terminal, &mut self.typed) {
                (Some(terminal), _) => terminal.read(room, left)?,
                (None, Some(typed)) if room > 0 && !typed.has_ended() => typed.read(left),
                (None, _) => {
                    if left >= SHORTEST_WAIT {
                        std::thread::park_timeout(left);
                    }
                    return Ok(HostRequest::Continue);
                }
            };
            self.line.send(&bytes);
            if bytes.is_empty() && left.is_zero() {
                return Ok(HostRequest::Continue);
            }
        }
    }
}
