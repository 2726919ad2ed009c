//! Records the board's wires as a waveform while firmware runs on it: SPI and UART bit by bit,
//! the buzzer as a square wave, contacts with their bounce.
//!
//! A [`Recording`] is attached to a board as a probe. It sorts the reported changes by time and
//! writes them; only the changes of the last [`REPORT_DELAY_MAX`] are in memory. The module knows
//! nothing of a trace except its header's entries.

use std::cell::RefCell;
use std::cmp::Ordering;
use std::collections::{BinaryHeap, VecDeque};
use std::io::{self, Write};
use std::rc::Rc;

use hal_mock::{
    VirtualBoard,
    board::{LcdPin, REPORT_DELAY_MAX, UART_BAUD, WireListener},
};
use trace::{Button, HeaderEntry};
use virtual_time::{Instant, Nanos};

use crate::signal::Signal;
use crate::waveform::{Lane, Waveform};

/// Start bit, eight data bits and stop bit.
const UART_BITS: u64 = 10;

pub struct Recording(Rc<RefCell<Recorder>>);

/// Records `signals` of `board`, whose power must be off and whose clock must be at 0, into `out`
/// from now on; of displays after the first one the same wires as of that one. `header` is that of the replayed trace, or empty.
///
/// # Errors
/// If `out` cannot be written.
pub fn record_vcd(
    board: &VirtualBoard,
    out: impl Write + 'static,
    signals: &[Signal],
    header: &[HeaderEntry],
) -> io::Result<Recording> {
    let mut wanted = [false; Signal::COUNT_MAX];
    for signal in signals {
        wanted[signal.index()] = true;
    }
    let names = board.displays().names();
    let recorder = Rc::new(RefCell::new(Recorder {
        out: Some(Waveform::new(out, signals, names.get(1..).unwrap_or_default(), header)?),
        wanted,
        waiting: BinaryHeap::new(),
        sequence: 0,
        bursts: names.iter().map(|_| VecDeque::new()).collect(),
        wave: None,
        failed: None,
    }));
    board.set_listener(recorder.clone());
    Ok(Recording(recorder))
}

impl Recording {
    /// Ends the recording at `at` and leaves out later changes.
    ///
    /// # Errors
    /// The first error of `out`.
    pub fn finish(self, board: &VirtualBoard, at: Instant) -> io::Result<()> {
        board.notify_listeners();
        self.0.borrow_mut().finish(at)
    }
}

/// A change that is written at a given time.
struct Item {
    at: Instant,
    /// Order of the reports; decides between changes at the same time.
    sequence: u64,
    what: ItemKind,
}

enum ItemKind {
    Level(Lane, bool),
    Tone(Option<u32>),
}

/// Bytes on the bus of a display. Those of one display are reported in order of time and do not
/// overlap. A picture has
/// millions of edges, so the edges are computed on demand and not stored.
struct Burst {
    start: Instant,
    end: Instant,
    sent: Vec<u8>,
    answered: Vec<u8>,
    /// Number of half bits that have been written: sixteen per byte.
    halves: usize,
}

impl Burst {
    /// Returns the time of the next half bit, evenly spread; the last falling edge is at the end.
    /// [`Instant::NEVER`] after that.
    fn next(&self) -> Instant {
        let all = self.sent.len() * 16;
        if self.halves > all {
            return Instant::NEVER;
        }
        let span = u128::from(self.end.saturating_since(self.start).0);
        let passed = span * self.halves as u128 / all.max(1) as u128;
        self.start.saturating_add(Nanos(passed as u64))
    }

    /// Returns the levels of MOSI and MISO from the next half bit on, if a bit begins with it.
    fn bit(&self) -> Option<(bool, bool)> {
        let sent = self.sent.get(self.halves / 16).filter(|_| self.halves.is_multiple_of(2))?;
        let answered = self.answered.get(self.halves / 16).copied().unwrap_or(0);
        let mask = 0x80 >> (self.halves % 16 / 2);
        Some((sent & mask != 0, answered & mask != 0))
    }
}

/// Orders the earliest item as the greatest, so that the heap pops it first.
impl Ord for Item {
    fn cmp(&self, other: &Self) -> Ordering {
        (other.at, other.sequence).cmp(&(self.at, self.sequence))
    }
}

impl PartialOrd for Item {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Item {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Item {}

/// A square wave at the buzzer.
struct Wave {
    since: Instant,
    hz: u32,
    /// Number of half periods that have been written.
    halves: u64,
}

impl Wave {
    fn next(&self) -> Instant {
        let span = u128::from(self.halves) * 500_000_000 / u128::from(self.hz.max(1));
        self.since.saturating_add(Nanos(u64::try_from(span).unwrap_or(u64::MAX)))
    }
}

struct Recorder {
    out: Option<Waveform<'static>>,
    wanted: [bool; Signal::COUNT_MAX],
    waiting: BinaryHeap<Item>,
    sequence: u64,
    /// Bytes that have not been written, display by display.
    bursts: Vec<VecDeque<Burst>>,
    wave: Option<Wave>,
    failed: Option<io::Error>,
}

impl Recorder {
    fn wants(&self, signal: Signal) -> bool {
        self.wanted[signal.index()]
    }

    fn push(&mut self, at: Instant, what: ItemKind) {
        self.sequence += 1;
        self.waiting.push(Item { at, sequence: self.sequence, what });
    }

    fn level(&mut self, at: Instant, signal: Signal, high: bool) {
        self.level_of(at, 0, signal, high);
    }

    /// Records the level of a wire of a display; signals of the board are those of the first one.
    fn level_of(&mut self, at: Instant, display: usize, signal: Signal, high: bool) {
        if self.wants(signal)
            && let Some(lane) = Lane::of(display, signal)
        {
            self.push(at, ItemKind::Level(lane, high));
        }
    }

    fn pin_of(&mut self, at: Instant, display: usize, pin: LcdPin, high: bool) {
        let signal = match pin {
            LcdPin::Dc => Signal::Dc,
            LcdPin::Reset => Signal::LcdReset,
            LcdPin::Backlight => Signal::Backlight,
        };
        self.level_of(at, display, signal, high);
    }

    fn bytes_of(
        &mut self,
        display: usize,
        (start, end): (Instant, Instant),
        sent: &[u8],
        answered: &[u8],
    ) {
        const WIRES: [Signal; 4] = [Signal::ChipSelect, Signal::Clock, Signal::Mosi, Signal::Miso];
        if sent.is_empty() || !WIRES.into_iter().any(|signal| self.wants(signal)) {
            return;
        }
        let (sent, answered) = (sent.to_vec(), answered.to_vec());
        // Between bytes without a gap chip select is high and low at the same time, so it stays
        // low.
        self.level_of(start, display, Signal::ChipSelect, false);
        if let Some(bursts) = self.bursts.get_mut(display) {
            bursts.push_back(Burst { start, end, sent, answered, halves: 0 });
        }
        self.level_of(end, display, Signal::ChipSelect, true);
    }

    /// Returns the time of the next half bit on a bus, and the display.
    fn next_burst(&self) -> (Instant, usize) {
        let displays = self.bursts.iter().enumerate();
        let times = displays
            .map(|(display, bursts)| (bursts.front().map_or(Instant::NEVER, Burst::next), display));
        times.min().unwrap_or((Instant::NEVER, 0))
    }

    /// Writes all changes up to `until`.
    fn write_until(&mut self, until: Instant) {
        loop {
            let next = self.waiting.peek().map_or(Instant::NEVER, |item| item.at);
            let wave = self.wave.as_ref().map_or(Instant::NEVER, Wave::next);
            let (half, display) = self.next_burst();
            if next.min(wave).min(half) > until {
                return;
            }
            if half < next.min(wave) {
                self.next_half(display);
            } else if wave < next {
                if let Some(wave) = &mut self.wave {
                    let (at, high) = (wave.next(), wave.halves.is_multiple_of(2));
                    wave.halves += 1;
                    self.put(at, Signal::Buzzer.into(), high);
                }
            } else if let Some(item) = self.waiting.pop() {
                self.write_item(item);
            }
        }
    }

    fn write_item(&mut self, Item { at, what, .. }: Item) {
        match what {
            ItemKind::Level(lane, high) => self.put(at, lane, high),
            ItemKind::Tone(hz) => {
                self.wave = hz.map(|hz| Wave { since: at, hz, halves: 0 });
                if self.wave.is_none() {
                    self.put(at, Signal::Buzzer.into(), false);
                }
            }
        }
    }

    /// Writes the next half bit of the first burst of a display. SPI mode 0: the data changes at the
    /// falling edge of SCK.
    fn next_half(&mut self, display: usize) {
        let Some(bursts) = self.bursts.get_mut(display) else { return };
        let Some(burst) = bursts.front_mut() else { return };
        let (at, bit) = (burst.next(), burst.bit());
        let high = !burst.halves.is_multiple_of(2);
        burst.halves += 1;
        if burst.next() == Instant::NEVER {
            bursts.pop_front();
        }
        let mut put = |signal, high| {
            if self.wants(signal)
                && let Some(lane) = Lane::of(display, signal)
            {
                self.put(at, lane, high);
            }
        };
        put(Signal::Clock, high);
        if let Some((sent, answered)) = bit {
            put(Signal::Mosi, sent);
            put(Signal::Miso, answered);
        }
    }

    fn put(&mut self, at: Instant, lane: Lane, high: bool) {
        if self.failed.is_some() {
            return;
        }
        if let Some(out) = &mut self.out {
            self.failed = out.set_lane(at, lane, high).err();
        }
    }

    fn finish(&mut self, at: Instant) -> io::Result<()> {
        self.write_until(at);
        self.waiting.clear();
        self.bursts.iter_mut().for_each(VecDeque::clear);
        self.wave = None;
        let out = self.out.take();
        match (self.failed.take(), out) {
            (Some(error), _) => Err(error),
            (None, Some(out)) => out.finish(at),
            (None, None) => Ok(()),
        }
    }
}

impl WireListener for Recorder {
    fn power(&mut self, at: Instant, on: bool) {
        self.level(at, Signal::Power, on);
        if !on {
            for display in 0..self.bursts.len() {
                self.level_of(at, display, Signal::Backlight, false);
                self.level_of(at, display, Signal::LcdReset, true);
            }
        }
    }

    fn contact(&mut self, at: Instant, button: Button, closed: bool) {
        self.level(at, Signal::Button(button), !closed);
    }

    fn lcd_pin(&mut self, at: Instant, pin: LcdPin, high: bool) {
        self.pin_of(at, 0, pin, high);
    }

    fn lcd_bytes(&mut self, start: Instant, end: Instant, sent: &[u8], answered: &[u8]) {
        self.bytes_of(0, (start, end), sent, answered);
    }

    fn further_lcd_pin(&mut self, display: usize, at: Instant, pin: LcdPin, high: bool) {
        self.pin_of(at, display, pin, high);
    }

    fn further_lcd_bytes(
        &mut self,
        display: usize,
        start: Instant,
        end: Instant,
        sent: &[u8],
        answered: &[u8],
    ) {
        self.bytes_of(display, (start, end), sent, answered);
    }

    fn tone(&mut self, at: Instant, hz: Option<u32>) {
        if self.wants(Signal::Buzzer) {
            self.push(at, ItemKind::Tone(hz.filter(|hz| *hz > 0)));
        }
    }

    fn console(&mut self, end: Instant, byte: u8) {
        if !self.wants(Signal::UartTx) {
            return;
        }
        let bits = |count: u64| Nanos(count * 1_000_000_000 / UART_BAUD);
        let start = end.saturating_sub(bits(UART_BITS));
        self.level(start, Signal::UartTx, false);
        for bit in 0..8 {
            self.level(start.saturating_add(bits(bit + 1)), Signal::UartTx, byte >> bit & 1 != 0);
        }
        self.level(start.saturating_add(bits(9)), Signal::UartTx, true);
    }

    fn reached(&mut self, now: Instant) {
        // Changes that are reported later are not earlier than this.
        if let Some(known) = now.0.checked_sub(REPORT_DELAY_MAX.0) {
            self.write_until(Instant(known));
        }
    }
}
