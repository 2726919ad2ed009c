//! The DMA controller: twelve channels with chaining and pacing, and the sniffer (datasheet section
//! 2.5).
//!
//! The bus drives it as a state machine: [`Dma::wanted`] returns the next transfer, the bus reads,
//! passes the value through [`Dma::fetched`], writes, and calls [`Dma::finished`]. A transfer is
//! atomic: a read and a write in one cycle, at most one transfer per cycle. The delay between read
//! and write, and its FIFO, are not modelled. A transfer is in flight only while it waits for the
//! flash, if the caller models that ([`Dma::wait`]).
//!
//! The controller does not know the peripherals. Level requests (a FIFO has room or data) are
//! passed in as a mask, pulse requests through [`Dma::request`]; the pacing timers are part of the
//! controller. Times are cycles of the system clock.

use super::array::index;
use super::dreq::{DREQ_DMA_TIMER0, DREQ_FORCE};

mod channel;
mod sniffer;
mod timer;
mod transfer;

use channel::{Channel, Trigger};
use sniffer::{SNIFF_CTRL, SNIFF_DATA, Sniffer};
use timer::PaceTimer;
use transfer::swapped;
pub(in crate::chip) use transfer::{Transfer, TransferOutcome};

pub(in crate::chip) const CHANNEL_COUNT: usize = 12;

// Registers: RP2040 datasheet 2.5.7. The registers of a channel are in `channel.rs`, those of the
// sniffer in `sniffer.rs`.
const CH0_READ_ADDR: u32 = 0x000; // first register of channel 0, 2.5.7
pub(in crate::chip) const CH_END: u32 = CHANNEL_COUNT as u32 * CHANNEL_STRIDE; // end of CH11_AL3_READ_ADDR_TRIG, 2.5.7
pub(in crate::chip) const INTR: u32 = 0x400; // raw interrupts, 2.5.7
const INTE0: u32 = 0x404; // interrupt enable of line 0, 2.5.7
const INTF0: u32 = 0x408; // interrupt force of line 0, 2.5.7
pub(in crate::chip) const INTS0: u32 = 0x40C; // interrupt status of line 0, 2.5.7
const INTE1: u32 = 0x414; // interrupt enable of line 1, 2.5.7
const INTF1: u32 = 0x418; // interrupt force of line 1, 2.5.7
pub(in crate::chip) const INTS1: u32 = 0x41C; // interrupt status of line 1, 2.5.7
const TIMER0: u32 = 0x420; // first of four pacing timers, 2.5.7
const TIMER3: u32 = 0x42C; // last pacing timer, 2.5.7
const MULTI_CHAN_TRIGGER: u32 = 0x430; // starts several channels, 2.5.7
const FIFO_LEVELS: u32 = 0x440; // levels of the internal FIFOs, 2.5.7
const CHAN_ABORT: u32 = 0x444; // aborts channels, 2.5.7
const N_CHANNELS: u32 = 0x448; // number of channels, 2.5.7
pub(in crate::chip) const CH0_DBG_CTDREQ: u32 = 0x800; // first debug register of channel 0, 2.5.7
pub(in crate::chip) const DBG_END: u32 = CH0_DBG_CTDREQ + CH_END; // end of the debug registers of channel 11, 2.5.7

/// Distance between the registers of two channels, in bytes.
pub(in crate::chip) const CHANNEL_STRIDE: u32 = 0x40;
/// Mask with a bit for each channel.
const CHANNELS: u32 = (1 << CHANNEL_COUNT) - 1;
/// Number of cycles by which an unpaced transfer may be polled late.
const BATCH: u64 = 16;
#[derive(Clone, Debug)]
pub(in crate::chip) struct Dma {
    channels: [Channel; CHANNEL_COUNT],
    /// The busy channels; only they are polled.
    busy: u32,
    /// Requests of the busy channels, one bit each.
    paced_by: u64,
    /// Whether a busy channel was started with a length of zero; it completes without a request.
    has_empty: bool,
    timers: [PaceTimer; 4],
    sniffer: Sniffer,
    raised: u32,
    enabled: [u32; 2],
    forced: [u32; 2],
    /// Earliest cycle of the next transfer.
    free_at: u64,
    /// A transfer whose read waits for the flash, and the cycle in which its word arrives. Until
    /// then no other transfer takes place, because a read occupies the controller's only read port.
    waiting: Option<(u64, Transfer)>,
    /// Channels of high priority that have not transferred in this round; a channel of low priority
    /// follows them.
    round: u32,
    last_low: usize,
}

impl Default for Dma {
    fn default() -> Self {
        Self {
            channels: std::array::from_fn(|_| Channel::new()),
            busy: 0,
            paced_by: 0,
            has_empty: false,
            timers: [PaceTimer::default(); 4],
            sniffer: Sniffer::default(),
            raised: 0,
            enabled: [0; 2],
            forced: [0; 2],
            free_at: 0,
            waiting: None,
            round: CHANNELS,
            last_low: CHANNEL_COUNT - 1,
        }
    }
}

/// Functions for the bus.
impl Dma {
    /// Returns the next transfer that takes place by `cycle`. Bit n of `ready` is the level of
    /// request n.
    ///
    /// The bus executes it, then calls this function again until it returns `None`. An unpaced
    /// channel catches up with the cycles since the last call; a paced one transfers now, because
    /// the time of its request is not known.
    #[must_use]
    pub(in crate::chip) fn wanted(&mut self, cycle: u64, ready: u64) -> Option<Transfer> {
        self.advance(cycle);
        if let Some((arrives, transfer)) = self.waiting {
            if arrives > cycle {
                return None;
            }
            self.waiting = None;
            // An abort may have ended the channel in the meantime.
            if self.channels[transfer.channel].is_busy() {
                return Some(Transfer { cycle: arrives, has_waited: true, ..transfer });
            }
        }
        while self.free_at <= cycle {
            let number = self.choose(ready)?;
            let channel = &mut self.channels[number];
            let now = if channel.request() == DREQ_FORCE { self.free_at } else { cycle };
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

    /// Delays the transfer returned by [`wanted`](Self::wanted), whose word comes from the flash in
    /// cycle `arrives`.
    pub(in crate::chip) fn wait(&mut self, transfer: Transfer, arrives: u64) {
        self.waiting = Some((arrives, transfer));
        self.free_at = self.free_at.max(arrives + 1);
    }

    /// Processes `value`, which the bus has read. Returns the value to write.
    pub(in crate::chip) fn fetched(&mut self, transfer: &Transfer, value: u32) -> u32 {
        let channel = &self.channels[transfer.channel];
        let value = if channel.swaps() { swapped(value, transfer.width) } else { value };
        if channel.is_sniffed() {
            self.sniffer.take(transfer.channel, value, transfer.width);
        }
        value
    }

    /// Completes the transfer.
    pub(in crate::chip) fn finished(&mut self, transfer: &Transfer, outcome: TransferOutcome) {
        match outcome {
            TransferOutcome::Done if self.channels[transfer.channel].step() => {
                self.complete(transfer.channel);
            }
            TransferOutcome::Done => {}
            error => self.halt(transfer.channel, error),
        }
    }

    /// Adds `count` pulses of a request, each of which permits one transfer.
    pub(in crate::chip) fn request(&mut self, number: usize, count: u32) {
        for channel in self.channels.iter_mut().filter(|channel| channel.waits_for(number)) {
            channel.add_credits(count);
        }
    }

    /// Returns whether any channel is busy; other channels neither transfer nor use requests.
    pub(in crate::chip) fn is_busy(&self) -> bool {
        self.busy != 0
    }

    /// Returns the requests that a waiting channel needs; bit n is request n.
    pub(in crate::chip) fn listens(&self) -> u64 {
        let busy = numbers(self.busy).map(|number| &self.channels[number]);
        let waiting = busy.filter(|channel| channel.is_active() && !channel.is_able(0));
        waiting.fold(0, |mask, channel| mask | 1 << channel.request())
    }

    /// Returns the requests of the busy channels; bit n is request n.
    pub(in crate::chip) fn paced_by(&self) -> u64 {
        self.paced_by
    }

    /// As [`next`](Self::next), provided that all busy channels are paced by levels.
    pub(in crate::chip) fn next_of_levels(&self, ready: u64) -> u64 {
        if ready & self.paced_by == 0 && !self.has_empty && self.waiting.is_none() {
            u64::MAX
        } else {
            self.next(ready)
        }
    }

    /// Returns the next transfer and its request, if only one channel is busy and it has more than
    /// one transfer left, and the sniffer does not process its values.
    pub(in crate::chip) fn feeds(&self, cycle: u64) -> Option<(Transfer, usize)> {
        let number = self.busy.trailing_zeros() as usize;
        let channel = self.channels.get(number)?;
        let alone = self.busy.is_power_of_two()
            && self.waiting.is_none()
            && self.free_at <= cycle
            && channel.is_active();
        let plain = !channel.is_urgent() && !channel.is_sniffed();
        let goes_on = channel.remaining() > 1 && channel.misaligned().is_none();
        (alone && plain && goes_on).then(|| (channel.next(number, cycle), channel.request()))
    }

    /// Completes the transfer returned by [`feeds`](Self::feeds).
    pub(in crate::chip) fn fed(&mut self, transfer: &Transfer) {
        self.advance(transfer.cycle);
        self.free_at = transfer.cycle + 1;
        (self.round, self.last_low) = (CHANNELS, transfer.channel);
        let channel = &mut self.channels[transfer.channel];
        channel.use_credit();
        channel.step();
    }

    /// Returns the number of transfers that the channel of this one has left.
    pub(in crate::chip) fn remaining(&self, transfer: &Transfer) -> usize {
        self.channels[transfer.channel].remaining() as usize
    }

    /// Returns the addresses from which this transfer, returned by [`feeds`](Self::feeds), and those
    /// after it read.
    pub(in crate::chip) fn sources(&self, transfer: &Transfer, count: usize) -> Vec<u32> {
        let mut channel = self.channels[transfer.channel].clone();
        let next = |_| {
            let address = channel.next(transfer.channel, transfer.cycle).read;
            channel.step();
            address
        };
        (0..count).map(next).collect()
    }

    /// Completes this number of transfers of the only busy channel, which has more left, the last
    /// one in this cycle.
    pub(in crate::chip) fn fed_all(&mut self, cycle: u64, count: usize) {
        let number = self.busy.trailing_zeros() as usize % CHANNEL_COUNT;
        self.advance(cycle);
        self.free_at = cycle + 1;
        (self.round, self.last_low) = (CHANNELS, number);
        for _ in 0..count {
            self.channels[number].use_credit();
            self.channels[number].step();
        }
    }

    /// Returns the cycle of the next poll if no request changes. Unpaced channels are polled in
    /// batches, because they catch up.
    pub(in crate::chip) fn next(&self, ready: u64) -> u64 {
        if let Some((arrives, _)) = self.waiting {
            return arrives;
        }
        let able = self.able(ready);
        if numbers(able).any(|number| self.channels[number].request() != DREQ_FORCE) {
            return self.free_at;
        }
        if able != 0 {
            return self.free_at + BATCH;
        }
        let listens = self.listens();
        let timers = self.timers.iter().enumerate();
        let waited = timers.filter(|(number, _)| listens >> (DREQ_DMA_TIMER0 + number) & 1 != 0);
        waited.map(|(_, timer)| timer.next()).min().unwrap_or(u64::MAX)
    }

    /// Returns the lines DMA_IRQ_0 and DMA_IRQ_1.
    pub(in crate::chip) fn interrupts(&self) -> [bool; 2] {
        [0, 1].map(|line| self.status(line) != 0)
    }

    pub(in crate::chip) fn read(&mut self, offset: u32, cycle: u64) -> Option<u32> {
        self.advance(cycle);
        let number = (offset % CH0_DBG_CTDREQ / CHANNEL_STRIDE) as usize;
        Some(match offset {
            CH0_READ_ADDR..CH_END => self.channels[number].read(offset % CHANNEL_STRIDE),
            INTR => self.raised,
            INTE0 => self.enabled[0],
            INTE1 => self.enabled[1],
            INTF0 => self.forced[0],
            INTF1 => self.forced[1],
            INTS0 => self.status(0),
            INTS1 => self.status(1),
            TIMER0..=TIMER3 => self.timers[index(offset, TIMER0)].fraction(),
            SNIFF_CTRL | SNIFF_DATA => self.sniffer.read(offset),
            // Triggers and aborts take effect immediately; the FIFOs are always empty.
            MULTI_CHAN_TRIGGER | FIFO_LEVELS | CHAN_ABORT => 0,
            N_CHANNELS => CHANNEL_COUNT as u32,
            CH0_DBG_CTDREQ..DBG_END => self.channels[number].read_debug(offset % CHANNEL_STRIDE)?,
            _ => return None,
        })
    }

    pub(in crate::chip) fn write(&mut self, offset: u32, value: u32, cycle: u64) -> Option<()> {
        self.advance(cycle);
        // A channel that this starts transfers in the next cycle at the earliest. Other registers
        // delay no channel.
        if matches!(offset, CH0_READ_ADDR..CH_END | MULTI_CHAN_TRIGGER) {
            self.free_at = self.free_at.max(cycle + 1);
        }
        let number = (offset % CH0_DBG_CTDREQ / CHANNEL_STRIDE) as usize;
        match offset {
            CH0_READ_ADDR..CH_END => {
                match self.channels[number].write(offset % CHANNEL_STRIDE, value) {
                    Trigger::None => {}
                    Trigger::Null => self.raised |= 1 << number,
                    Trigger::Start => self.start(1 << number),
                }
                self.look_at_busy();
            }
            INTR | INTS0 | INTS1 => self.raised &= !value,
            INTE0 => self.enabled[0] = value & CHANNELS,
            INTE1 => self.enabled[1] = value & CHANNELS,
            INTF0 => self.forced[0] = value & CHANNELS,
            INTF1 => self.forced[1] = value & CHANNELS,
            TIMER0..=TIMER3 => self.timers[index(offset, TIMER0)].set(value, cycle),
            MULTI_CHAN_TRIGGER => self.start(value),
            SNIFF_CTRL | SNIFF_DATA => self.sniffer.write(offset, value),
            CHAN_ABORT => {
                for number in numbers(value & CHANNELS) {
                    self.channels[number].abort();
                    self.note(number);
                }
            }
            FIFO_LEVELS | N_CHANNELS => {}
            CH0_DBG_CTDREQ..DBG_END => {
                self.channels[number].write_debug(offset % CHANNEL_STRIDE)?;
            }
            _ => return None,
        }
        Some(())
    }
}

impl Dma {
    /// Advances the timers to `cycle`.
    fn advance(&mut self, cycle: u64) {
        for number in 0..self.timers.len() {
            let pulses = self.timers[number].advance(cycle);
            if pulses != 0 {
                self.request(DREQ_DMA_TIMER0 + number, pulses);
            }
        }
    }

    /// Starts the channels of a mask.
    fn start(&mut self, mask: u32) {
        for number in numbers(mask & CHANNELS) {
            self.channels[number].start();
            self.note(number);
        }
    }

    /// Returns the channels that can transfer.
    fn able(&self, ready: u64) -> u32 {
        let able = |number: &usize| self.channels[*number].is_able(ready);
        numbers(self.busy).filter(able).fold(0, |mask, number| mask | 1 << number)
    }

    /// Arbitrates: all channels of high priority in turn, then one of low priority.
    fn choose(&mut self, ready: u64) -> Option<usize> {
        let able = self.able(ready);
        let high = numbers(able).filter(|number| self.channels[*number].is_urgent());
        let high = high.fold(0, |mask, number| mask | 1 << number);
        let low = able & !high;
        if high & self.round == 0 {
            self.round = CHANNELS;
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

    /// Halts a channel after an error, which always raises its interrupt.
    fn halt(&mut self, number: usize, outcome: TransferOutcome) {
        self.channels[number].halt(outcome);
        self.raised |= 1 << number;
        self.note(number);
    }

    /// Updates the mask of busy channels for one channel.
    fn note(&mut self, number: usize) {
        let busy = u32::from(self.channels[number].is_busy());
        self.busy = self.busy & !(1 << number) | busy << number;
        self.look_at_busy();
    }

    /// Updates the cached state of the busy channels.
    fn look_at_busy(&mut self) {
        let busy = || numbers(self.busy).map(|number| &self.channels[number]);
        let paced_by = busy().fold(0, |mask, channel| mask | 1 << channel.request());
        (self.has_empty, self.paced_by) =
            (busy().any(|channel| channel.remaining() == 0), paced_by);
    }

    fn status(&self, line: usize) -> u32 {
        self.raised & self.enabled[line] | self.forced[line]
    }
}

/// Returns the numbers of the set bits, lowest first.
fn numbers(mask: u32) -> impl Iterator<Item = usize> {
    std::iter::successors(Some(mask), |mask| Some(mask & mask.wrapping_sub(1)))
        .take_while(|mask| *mask != 0)
        .map(|mask| mask.trailing_zeros() as usize)
}

#[cfg(test)]
mod tests;
