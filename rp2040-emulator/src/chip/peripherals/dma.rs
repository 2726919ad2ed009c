//! The DMA controller: twelve channels, their chains, their pacing and the sniffer (datasheet
//! section 2.5).
//!
//! It is a state machine that the bus drives: [`Dma::wanted`] says which transfer is next, the bus
//! reads, passes the value through [`Dma::fetched`], writes, and ends with [`Dma::finished`].
//! A transfer is whole: a read and a write in one cycle, at most one transfer a cycle. The delay
//! between reading and writing, and its FIFO, are not modelled; nothing is ever in flight.
//!
//! The controller knows no peripheral. Requests that stand as long as a FIFO has room or data come
//! in as a mask, those that are single pulses through [`Dma::request`]; its own timers it counts
//! itself. Moments are cycles of the system clock.

use crate::bus::Width;

mod channel;
mod sniffer;
mod timer;

use channel::{Channel, Trigger};
use sniffer::Sniffer;
use timer::PaceTimer;

pub(in crate::chip) const CHANNEL_COUNT: usize = 12;
const ALL: u32 = (1 << CHANNEL_COUNT) - 1;
/// Cycles that a transfer may be asked for late if it waits for no request.
const BATCH: u64 = 16;
/// The request numbers of the timers; behind them comes the one that always stands.
const FIRST_TIMER: usize = 0x3B;
const PERMANENT: usize = 0x3F;
/// The request numbers of the PWM's wraps.
const WRAPS: std::ops::RangeInclusive<usize> = 24..=31;

/// Whether a request is a pulse that stands for one transfer, instead of a level.
fn is_pulse(request: usize) -> bool {
    WRAPS.contains(&request) || (FIRST_TIMER..PERMANENT).contains(&request)
}

/// A read and a write of the same width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::chip) struct Transfer {
    pub(in crate::chip) channel: usize,
    /// The cycle in which it takes place.
    pub(in crate::chip) cycle: u64,
    /// Where from, aligned to `width`.
    pub(in crate::chip) read: u32,
    /// Where to, aligned to `width`.
    pub(in crate::chip) write: u32,
    pub(in crate::chip) width: Width,
}

/// What the bus said to a transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::chip) enum Outcome {
    Done,
    ReadError,
    WriteError,
}

#[derive(Clone, Debug)]
pub(in crate::chip) struct Dma {
    channels: [Channel; CHANNEL_COUNT],
    /// The channels that are busy, so that nobody asks the others.
    busy: u32,
    timers: [PaceTimer; 4],
    sniffer: Sniffer,
    raised: u32,
    enabled: [u32; 2],
    forced: [u32; 2],
    /// The next transfer takes place in this cycle or later.
    free_at: u64,
    /// The channels of high priority whose turn this round has not been; after them comes one of
    /// low priority.
    round: u32,
    last_low: usize,
}

impl Default for Dma {
    fn default() -> Self {
        Self {
            channels: std::array::from_fn(Channel::new),
            busy: 0,
            timers: [PaceTimer::default(); 4],
            sniffer: Sniffer::default(),
            raised: 0,
            enabled: [0; 2],
            forced: [0; 2],
            free_at: 0,
            round: ALL,
            last_low: CHANNEL_COUNT - 1,
        }
    }
}

/// The bus's side.
impl Dma {
    /// The next transfer that takes place by `cycle`. Bit n of `ready` is the level of request n.
    ///
    /// The bus carries it out, then asks again until there is none. A channel that waits for no
    /// request makes up for cycles in which the bus did not ask; any other one cannot know when
    /// its request came and begins now.
    #[must_use]
    pub(in crate::chip) fn wanted(&mut self, cycle: u64, ready: u64) -> Option<Transfer> {
        self.advance(cycle);
        while self.free_at <= cycle {
            let number = self.choose(ready)?;
            let channel = &mut self.channels[number];
            let now = if channel.request() == PERMANENT { self.free_at } else { cycle };
            self.free_at = now + 1;
            if channel.remaining() == 0 {
                self.complete(number);
            } else if let Some(outcome) = channel.misaligned() {
                self.halt(number, outcome);
            } else {
                return Some(self.channels[number].transfer(number, now));
            }
        }
        None
    }

    /// The bus has read `value`: what it is to write.
    pub(in crate::chip) fn fetched(&mut self, transfer: &Transfer, value: u32) -> u32 {
        let channel = &self.channels[transfer.channel];
        let value = if channel.swaps() { swapped(value, transfer.width) } else { value };
        if channel.is_sniffed() {
            self.sniffer.take(transfer.channel, value, transfer.width);
        }
        value
    }

    /// The transfer is over.
    pub(in crate::chip) fn finished(&mut self, transfer: &Transfer, outcome: Outcome) {
        match outcome {
            Outcome::Done if self.channels[transfer.channel].step() => {
                self.complete(transfer.channel);
            }
            Outcome::Done => {}
            error => self.halt(transfer.channel, error),
        }
    }

    /// `count` pulses of a request, which stands for as many transfers.
    pub(in crate::chip) fn request(&mut self, number: usize, count: u32) {
        for channel in self.channels.iter_mut().filter(|channel| channel.waits_for(number)) {
            channel.add_credits(count);
        }
    }

    /// Whether any channel is: nobody else transfers, or listens to requests.
    pub(in crate::chip) fn is_busy(&self) -> bool {
        self.busy != 0
    }

    /// The requests that would let a channel go on which now waits: bit n is request n.
    pub(in crate::chip) fn listens(&self) -> u64 {
        let busy = numbers(self.busy).map(|number| &self.channels[number]);
        let waiting = busy.filter(|channel| channel.is_active() && !channel.is_able(0));
        waiting.fold(0, |mask, channel| mask | 1 << channel.request())
    }

    /// The cycle in which the bus is to ask again if no request changes. Channels that wait for no
    /// request are asked about in batches, as they make up for the time.
    pub(in crate::chip) fn next(&self, ready: u64) -> u64 {
        let able = self.able(ready);
        if numbers(able).any(|number| self.channels[number].request() != PERMANENT) {
            return self.free_at;
        }
        if able != 0 {
            return self.free_at + BATCH;
        }
        let listens = self.listens();
        let timers = self.timers.iter().enumerate();
        let waited = timers.filter(|(number, _)| listens >> (FIRST_TIMER + number) & 1 != 0);
        waited.map(|(_, timer)| timer.next()).min().unwrap_or(u64::MAX)
    }

    /// The lines DMA_IRQ_0 and DMA_IRQ_1.
    pub(in crate::chip) fn interrupts(&self) -> [bool; 2] {
        [0, 1].map(|line| self.status(line) != 0)
    }

    pub(in crate::chip) fn read(&mut self, offset: u32, cycle: u64) -> Option<u32> {
        self.advance(cycle);
        let number = offset as usize / 0x40;
        Some(match offset {
            0x000..0x300 => self.channels[number].read(offset % 0x40),
            0x400 => self.raised,
            0x404 | 0x414 => self.enabled[line(offset)],
            0x408 | 0x418 => self.forced[line(offset)],
            0x40C | 0x41C => self.status(line(offset)),
            0x420..=0x42C => self.timers[(offset as usize - 0x420) / 4].fraction(),
            0x434 | 0x438 => self.sniffer.read(offset),
            // Triggers and aborts are done at once; the FIFOs are always empty.
            0x430 | 0x440 | 0x444 => 0,
            0x448 => CHANNEL_COUNT as u32,
            0x800..0xB00 => self.channels[number - 0x20].read_debug(offset % 0x40)?,
            _ => return None,
        })
    }

    pub(in crate::chip) fn write(&mut self, offset: u32, value: u32, cycle: u64) -> Option<()> {
        self.advance(cycle);
        // Whatever this lets go on does so in the next cycle.
        self.free_at = self.free_at.max(cycle + 1);
        let number = offset as usize / 0x40;
        match offset {
            0x000..0x300 => match self.channels[number].write(offset % 0x40, value) {
                Trigger::None => {}
                Trigger::Null => self.raised |= 1 << number,
                Trigger::Start => self.start(1 << number),
            },
            0x400 | 0x40C | 0x41C => self.raised &= !value,
            0x404 | 0x414 => self.enabled[line(offset)] = value & ALL,
            0x408 | 0x418 => self.forced[line(offset)] = value & ALL,
            0x420..=0x42C => self.timers[(offset as usize - 0x420) / 4].set(value, cycle),
            0x430 => self.start(value),
            0x434 | 0x438 => self.sniffer.write(offset, value),
            0x444 => {
                for number in numbers(value & ALL) {
                    self.channels[number].abort();
                    self.note(number);
                }
            }
            0x440 | 0x448 => {}
            0x800..0xB00 => self.channels[number - 0x20].write_debug(offset % 0x40)?,
            _ => return None,
        }
        Some(())
    }
}

impl Dma {
    /// Counts the timers until `cycle`.
    fn advance(&mut self, cycle: u64) {
        for number in 0..self.timers.len() {
            let pulses = self.timers[number].advance(cycle);
            if pulses != 0 {
                self.request(FIRST_TIMER + number, pulses);
            }
        }
    }

    /// Starts the channels of a mask.
    fn start(&mut self, mask: u32) {
        for number in numbers(mask & ALL) {
            self.channels[number].start();
            self.note(number);
        }
    }

    /// The channels that can go on.
    fn able(&self, ready: u64) -> u32 {
        let able = |number: &usize| self.channels[*number].is_able(ready);
        numbers(self.busy).filter(able).fold(0, |mask, number| mask | 1 << number)
    }

    /// Whose turn it is: all of high priority, then one of low priority, then again.
    fn choose(&mut self, ready: u64) -> Option<usize> {
        let able = self.able(ready);
        let high = numbers(able).filter(|number| self.channels[*number].is_urgent());
        let high = high.fold(0, |mask, number| mask | 1 << number);
        let low = able & !high;
        if high & self.round == 0 {
            self.round = ALL;
            let later = low & !((2 << self.last_low) - 1);
            if let Some(number) = numbers(later).chain(numbers(low)).next() {
                self.last_low = number;
                return Some(number);
            }
        }
        let number = numbers(high & self.round).next()?;
        self.round &= !((2 << number) - 1);
        Some(number)
    }

    fn complete(&mut self, number: usize) {
        let channel = &mut self.channels[number];
        let chained = channel.complete();
        if !channel.is_quiet() {
            self.raised |= 1 << number;
        }
        self.note(number);
        if chained != number && chained < CHANNEL_COUNT {
            self.start(1 << chained);
        }
    }

    /// An error ends a channel, and is always told.
    fn halt(&mut self, number: usize, outcome: Outcome) {
        self.channels[number].halt(outcome);
        self.raised |= 1 << number;
        self.note(number);
    }

    /// A channel may have become busy, or have ended.
    fn note(&mut self, number: usize) {
        let busy = u32::from(self.channels[number].is_busy());
        self.busy = self.busy & !(1 << number) | busy << number;
    }

    fn status(&self, line: usize) -> u32 {
        self.raised & self.enabled[line] | self.forced[line]
    }
}

/// Which of the two interrupt lines a register belongs to.
fn line(offset: u32) -> usize {
    usize::from(offset & 0x10 != 0)
}

/// The numbers of the bits that are set, lowest first.
fn numbers(mask: u32) -> impl Iterator<Item = usize> {
    std::iter::successors(Some(mask), |mask| Some(mask & mask.wrapping_sub(1)))
        .take_while(|mask| *mask != 0)
        .map(|mask| mask.trailing_zeros() as usize)
}

/// A value with its bytes in the other order.
fn swapped(value: u32, width: Width) -> u32 {
    match width {
        Width::Byte => value,
        Width::Half => (value as u16).swap_bytes().into(),
        Width::Word => value.swap_bytes(),
    }
}

#[cfg(test)]
mod tests;
