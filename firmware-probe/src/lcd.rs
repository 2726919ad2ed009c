//! Packs the bytes and bursts that the DMA has written.

use probe_protocol::bursts::{Packer, STAMP_NS};
use probe_protocol::message::Wire;
use probe_protocol::{Observation, ProbeTime};

use crate::chip::{MARGIN_US, Now};
use crate::outbox::Outbox;
use crate::sampler::{BURSTS_KEPT, Burst, RING, Sampler, burst_ns};
use crate::tasks;

/// Number of bursts that are packed in one go; the USB is polled in between.
const AT_ONCE: u32 = 64;
/// Number of bytes without an ended burst from which they belong to a very long one: they are
/// packed before its end.
const LONG: u32 = (RING / 2) as u32;
/// Shortest time between two reports of bursts that were not seen whole, in the machines' units: 10
/// ms. A wire with a poor contact would otherwise fill the outbox.
const REPORT_EVERY: u64 = 10_000_000 / STAMP_NS;
/// Mask of byte counts, which are modulo 2³¹.
const BYTES_MASK: u32 = u32::MAX >> 1;

/// State of the packing.
pub struct Lcd {
    packer: Packer,
    bursts: u32,
    bytes: u32,
    /// Number of bytes, and of edges of SCK, at the end of the last burst; `None` after a loss.
    counted: Option<(u32, u32)>,
    /// End of the last burst, in the machines' units.
    end: u64,
    /// Earliest time of the next report of a burst that was not seen whole.
    report_from: u64,
    /// Time of the last poll.
    polled_units: u64,
    known: ProbeTime,
}

impl Lcd {
    /// Creates the state before the first burst.
    pub const fn new() -> Self {
        Self {
            packer: Packer::new(),
            bursts: 0,
            bytes: 0,
            counted: Some((0, 0)),
            end: 0,
            report_from: 0,
            polled_units: 0,
            known: ProbeTime(0),
        }
    }

    /// Returns the time before which every byte's last bit has been reported.
    pub fn known(&self) -> ProbeTime {
        self.known
    }

    /// Packs new bursts, and reports them if a host is connected. Returns true if there were any.
    pub fn poll(&mut self, now: Now, sampler: &Sampler, outbox: &mut Outbox, told: bool) -> bool {
        let ended = sampler.bursts();
        let new = ended.wrapping_sub(self.bursts);
        let waiting = sampler.bytes().wrapping_sub(self.bytes) & BYTES_MASK;
        if new as usize > BURSTS_KEPT || waiting as usize > RING || sampler.bursts_stalled() {
            self.handle_overrun(now, sampler, outbox);
            return true;
        }
        let last = self.bursts.wrapping_add(new.min(AT_ONCE));
        while self.bursts != last {
            let burst = sampler.burst(self.bursts);
            self.bursts = self.bursts.wrapping_add(1);
            self.take(&burst, now, sampler, outbox, told);
        }
        let waiting = sampler.bytes().wrapping_sub(self.bytes) & BYTES_MASK;
        if new == 0 && waiting > LONG {
            self.take_some_of_a_long_one(waiting, now, sampler, outbox, told);
        }
        if new <= AT_ONCE {
            self.flush(outbox);
            let rests = waiting == 0 && sampler.bursts() == self.bursts;
            let until = if rests { now.before(MARGIN_US).0 } else { burst_ns(self.end) };
            self.known = self.known.max(ProbeTime(until));
        }
        self.polled_units = now.units;
        new > 0
    }

    fn take(
        &mut self,
        burst: &Burst,
        now: Now,
        sampler: &Sampler,
        outbox: &mut Outbox,
        told: bool,
    ) {
        let begin = now.whole(burst.begin).max(self.end);
        let length = burst.bytes.wrapping_sub(self.bytes) & BYTES_MASK;
        if told && burst.selected {
            self.check(begin, burst, outbox);
        }
        self.counted = Some((burst.bytes, burst.clocks));
        // A negative length: a long burst, all of which was packed already.
        let length = if length > BYTES_MASK / 2 { 0 } else { length };
        if told && burst.selected {
            self.pack(begin, burst.took, burst.dc, length, sampler, outbox);
        }
        self.bytes = self.bytes.wrapping_add(length) & BYTES_MASK;
        self.end = self.end.max(begin + u64::from(burst.took));
    }

    /// Reports a burst whose clocks are not eight for each of its bytes. A board without power ends
    /// its burst anywhere.
    fn check(&mut self, begin: u64, burst: &Burst, outbox: &mut Outbox) {
        let Some((bytes, clocks)) = self.counted else { return };
        let bytes = burst.bytes.wrapping_sub(bytes) & BYTES_MASK;
        let clocks = burst.clocks.wrapping_sub(clocks);
        if clocks != bytes.wrapping_mul(8) && begin >= self.report_from && tasks::is_powered() {
            let at = ProbeTime(burst_ns(begin));
            outbox.push(&Observation::BadBurst { at, clocks, bytes });
            self.report_from = begin + REPORT_EVERY;
        }
    }

    fn take_some_of_a_long_one(
        &mut self,
        length: u32,
        now: Now,
        sampler: &Sampler,
        outbox: &mut Outbox,
        told: bool,
    ) {
        let begin = self.end.max(self.polled_units);
        let took = u32::try_from(now.units.saturating_sub(begin)).unwrap_or(u32::MAX);
        let (selected, dc) = sampler.selected_and_dc();
        if told && selected {
            self.pack(begin, took, dc, length, sampler, outbox);
        }
        self.bytes = self.bytes.wrapping_add(length) & BYTES_MASK;
        self.end = begin + u64::from(took);
    }

    fn pack(
        &mut self,
        mut begin: u64,
        mut took: u32,
        dc: bool,
        length: u32,
        sampler: &Sampler,
        outbox: &mut Outbox,
    ) {
        let (mut from, mut left) = (self.bytes, length as usize);
        while left > 0 {
            let slice = sampler.ring(from, left);
            let of_slice = if slice.len() == left {
                took
            } else {
                (u64::from(took) * slice.len() as u64 / left as u64) as u32
            };
            let (done, spent) = self.packer.add(begin, of_slice, dc, slice);
            if done == 0 {
                self.flush(outbox);
                continue;
            }
            begin += u64::from(spent);
            took = took.saturating_sub(spent);
            from = from.wrapping_add(done as u32);
            left -= done;
        }
    }

    fn flush(&mut self, outbox: &mut Outbox) {
        if !self.packer.is_empty() {
            let (begin, packed) = self.packer.packed();
            let at = ProbeTime(burst_ns(begin));
            outbox.push_bulk(Wire::Mosi, at, &Observation::Bursts { at, packed });
            self.packer.clear();
        }
    }

    /// Handles that the DMA has overwritten bursts that were not packed.
    fn handle_overrun(&mut self, now: Now, sampler: &Sampler, outbox: &mut Outbox) {
        self.flush(outbox);
        outbox.lose(Wire::Mosi, ProbeTime(burst_ns(self.end)));
        (self.bursts, self.bytes) = (sampler.bursts(), sampler.bytes());
        self.counted = None;
        self.end = now.units;
    }
}
