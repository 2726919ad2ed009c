//! Records the [`Rhythm`] of a core: two rounds of its loop, instruction by instruction.
//!
//! A loop has a rhythm if a round changes nothing but registers, takes as long as the one before,
//! and loads only values that stay the same, as memory does while the other core waits as well.
//! Either all registers are then as before, or those that differ are computed again in each round
//! from a counter that the round loads once. No round depends on what an earlier one has loaded,
//! and all take the same branches until a flag would differ ([`Slopes`]).

use super::rhythm::{Beat, Rhythm};
use super::slopes::Slopes;
use super::{Runner, Seen};
use crate::cpu::bus::Bus;
use crate::cpu::{Cpu, Stop};

/// The most instructions of a round. Longer loops do more than wait.
const LONGEST: usize = 64;

/// The state of a recording.
#[derive(Clone, Debug)]
pub(in crate::cpu) enum Recording {
    /// Recording begins with the next instruction.
    Begins,
    Round(Box<Round>),
    Refused,
    Found(Box<Rhythm>),
}

/// The round that is being recorded.
#[derive(Clone, Debug)]
pub(in crate::cpu) struct Round {
    /// Cycles of the round before, and the mask of its registers that followed a counter.
    before: Option<(u64, u16)>,
    begin: u64,
    beats: Vec<Beat>,
    slopes: Slopes,
    /// The cycle before which the loads give the same values again, except the counter's.
    steady_until: u64,
    /// The cycle of the counter's next count, and the cycles for each.
    counter: Option<(u64, u64)>,
}

impl Round {
    fn new(before: Option<(u64, u16)>, begin: u64) -> Self {
        let tainted = before.map_or(0, |(_, changing)| changing);
        Self {
            before,
            begin,
            beats: Vec::with_capacity(8),
            slopes: Slopes::of_a_round(tainted),
            steady_until: u64::MAX,
            counter: None,
        }
    }

    /// Lets the round begin at this beat, the last one, because a round begins with its counter.
    fn begin_at(&mut self, number: usize) {
        if number != 0 {
            let Beat { offset, seen, is_shared } = self.beats[number];
            *self = Self::new(None, self.begin + offset);
            self.beats.push(Beat { offset: 0, seen, is_shared });
        }
    }

    /// Ends a round: the core is where it began.
    fn end(self, seen: &Seen, cycle: u64) -> Recording {
        let cycles = cycle - self.begin;
        let changing = self.slopes.changing();
        let counts = self.counter.is_some();
        let is_known = !counts || !self.slopes.is_unknown();
        let Some(before) = self.before else {
            return match is_known {
                true => Recording::Round(Box::new(Self::new(Some((cycles, changing)), cycle))),
                false => Recording::Refused,
            };
        };
        let first = &self.beats[0].seen;
        let follows = |number: usize| changing >> number & 1 != 0;
        let same = (0..15).all(|n| follows(n) || first.registers[n] == seen.registers[n]);
        if !is_known || !same || before != (cycles, changing) || first.apsr != seen.apsr {
            return Recording::Refused;
        }
        let flags = match self.counter {
            Some((next, every)) => next.saturating_add(self.slopes.periods.saturating_mul(every)),
            None => u64::MAX,
        };
        let steady_until = self.steady_until.min(flags);
        Recording::Found(Box::new(Rhythm { beats: self.beats, cycles, steady_until, counts }))
    }
}

impl Cpu {
    /// Begins a recording with the next instruction.
    pub(crate) fn begin_recording(&mut self) {
        self.recording = Some(Recording::Begins);
    }

    /// Returns the result of a recording: `None` if there is none yet, and an error if there is no
    /// rhythm.
    pub(crate) fn rhythm(&self) -> Option<Result<&Rhythm, ()>> {
        match self.recording.as_ref()? {
            Recording::Begins | Recording::Round(_) => None,
            Recording::Refused => Some(Err(())),
            Recording::Found(rhythm) => Some(Ok(rhythm)),
        }
    }

    /// Ends the recording and discards its result.
    pub(crate) fn end_recording(&mut self) {
        self.recording = None;
    }

    /// Whether the core's instructions are being recorded.
    pub(in crate::cpu::execute) fn records(&self) -> bool {
        matches!(self.recording, Some(Recording::Begins | Recording::Round(_)))
    }
}

impl<B: Bus> Runner<'_, B> {
    /// Executes and records instructions up to the deadline or the end of the recording.
    pub(in crate::cpu::execute) fn record(&mut self) -> Option<Stop> {
        while self.cpu.cycles < self.until && self.cpu.records() {
            if let Some(stop) = self.cpu.yields().filter(|_| self.loads_outside()) {
                return Some(stop);
            }
            let recording = match self.cpu.recording.take() {
                Some(Recording::Begins) => Box::new(Round::new(None, self.cpu.cycles)),
                Some(Recording::Round(round)) => round,
                other => {
                    self.cpu.recording = other;
                    return None;
                }
            };
            let next = self.record_one(recording);
            self.cpu.recording = Some(next);
        }
        self.paused.take().and_then(|pause| self.pause(pause))
    }

    /// Executes an instruction of `round`, unless no waiting loop has it.
    fn record_one(&mut self, mut round: Box<Round>) -> Recording {
        if self.cpu.mpu.is_on() || self.bus.watches_memory() || round.beats.len() == LONGEST {
            return Recording::Refused;
        }
        let seen = self.seen();
        if let Some(again) = round.beats.iter().position(|beat| beat.seen.pc == seen.pc) {
            return match again {
                0 => round.end(&seen, self.cpu.cycles),
                // The instructions before did not belong to the loop.
                _ => Recording::Round(Box::new(Round::new(None, self.cpu.cycles))),
            };
        }
        let is_shared = self.loads_outside();
        round.beats.push(Beat { offset: self.cpu.cycles - round.begin, seen, is_shared });
        let load = round.beats.len() - 1;
        let transfers = self.memory.transfer_count();
        let Ok(loaded) = self.observe::<true>(Some(&mut round.slopes)) else {
            return Recording::Refused;
        };
        // Turns that are skipped have no transfers.
        if self.memory.transfer_count() != transfers {
            return Recording::Refused;
        }
        let Some(loaded) = loaded else { return Recording::Round(round) };
        match loaded.counts {
            None => round.steady_until = round.steady_until.min(loaded.steady_until),
            Some(_) if round.counter.is_some() => return Recording::Refused,
            Some(every) => {
                round.begin_at(load);
                round.counter = Some((loaded.steady_until, every));
            }
        }
        round.slopes.loaded(&loaded, &self.cpu.registers, loaded.counts.is_some().into());
        Recording::Round(round)
    }
}
