//! Records the [`Rhythm`] of a core: two rounds of its loop, instruction by instruction.
//!
//! It is one if a round changes nothing but registers and takes as long as the one before, and if all that it
//! loads stays the same, as memory does while the other core waits as well. Then either all registers are what
//! they were, or those that differ are made in each round anew, of a counter that the round loads once: no
//! round depends on what an earlier one has loaded, and all take the same way until a flag comes out
//! differently ([`Slopes`]).

use super::repeat::Effect;
use super::rhythm::{Beat, Rhythm};
use super::slopes::Slopes;
use super::state::Seen;
use crate::cpu::bus::Bus;
use crate::cpu::execute::Runner;
use crate::cpu::instruction::Instruction;
use crate::cpu::{Cpu, Stop};

/// The most instructions of a round. Longer loops do more than wait.
const LONGEST: usize = 64;

/// How far a recording has come.
#[derive(Clone, Debug)]
pub(in crate::cpu) enum Recording {
    /// Before its first instruction.
    Begins,
    Round(Box<Round>),
    Refused,
    Found(Box<Rhythm>),
}

/// The round that is being recorded.
#[derive(Clone, Debug)]
pub(in crate::cpu) struct Round {
    /// Its cycles, and the registers that followed a counter: of the one before.
    before: Option<(u64, u16)>,
    begin: u64,
    beats: Vec<Beat>,
    slopes: Slopes,
    /// What becomes of registers that follow a counter is not known.
    unknown: bool,
    /// No load gives another value before this cycle, but for the counter.
    steady_until: u64,
    /// The counter: the cycle of its next count, and how many cycles it has for each.
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
            unknown: false,
            steady_until: u64::MAX,
            counter: None,
        }
    }

    /// The round begins at this beat, the last: a round begins with its counter.
    fn begin_at(&mut self, number: usize) {
        if number != 0 {
            let Beat { offset, seen } = self.beats[number];
            *self = Self::new(None, self.begin + offset);
            self.beats.push(Beat { offset: 0, seen });
        }
    }

    /// The core is where the round began.
    fn end(self, seen: &Seen, cycle: u64) -> Recording {
        let cycles = cycle - self.begin;
        let changing = self.slopes.changing();
        let counts = self.counter.is_some();
        let is_known = !counts || !self.unknown && !self.slopes.has_read_tainted();
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
    /// Records from the next instruction on.
    pub(crate) fn begin_recording(&mut self) {
        self.recording = Some(Recording::Begins);
    }

    /// Ends it: `None` if it has no result yet, and an error if there is no rhythm.
    pub(crate) fn rhythm(&self) -> Option<Result<&Rhythm, ()>> {
        match self.recording.as_ref()? {
            Recording::Begins | Recording::Round(_) => None,
            Recording::Refused => Some(Err(())),
            Recording::Found(rhythm) => Some(Ok(rhythm)),
        }
    }

    /// Forgets what was recorded.
    pub(crate) fn end_recording(&mut self) {
        self.recording = None;
    }

    /// Whether the core's instructions are to be recorded now.
    pub(in crate::cpu::execute) fn records(&self) -> bool {
        matches!(self.recording, Some(Recording::Begins | Recording::Round(_)))
    }
}

impl<B: Bus> Runner<'_, B> {
    /// Executes instructions and records them, up to the deadline or to the end of the recording.
    pub(in crate::cpu::execute) fn record(&mut self) -> Option<Stop> {
        while self.cpu.cycles < self.until && self.cpu.records() {
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

    /// Executes an instruction of `round`, unless it is one that no waiting loop has.
    fn record_one(&mut self, mut round: Box<Round>) -> Recording {
        if self.cpu.mpu.is_on() || self.bus.watches_memory() || round.beats.len() == LONGEST {
            return Recording::Refused;
        }
        if *self.memory.slot(self.index) == Instruction::Undecoded {
            self.memory.decode(self.index, self.address(self.index));
        }
        let instruction = self.memory.instruction(self.index);
        let effect = self.effect();
        let seen = self.seen();
        if let Some(again) = round.beats.iter().position(|beat| beat.seen.pc == seen.pc) {
            return match again {
                0 => round.end(&seen, self.cpu.cycles),
                // What was before did not belong to the loop.
                _ => Recording::Round(Box::new(Round::new(None, self.cpu.cycles))),
            };
        }
        round.beats.push(Beat { offset: self.cpu.cycles - round.begin, seen });
        let loaded = match effect {
            Effect::Other => return Recording::Refused,
            Effect::Registers => {
                let carry = self.cpu.flags.carry;
                let known = round.slopes.follow(instruction, &self.cpu.registers, carry);
                round.unknown |= known.is_err();
                None
            }
            Effect::Load(address) => {
                let t = round.slopes.load(instruction);
                round.unknown |= t.is_err();
                Some((address, t.ok()))
            }
        };
        let Some((passed, next)) = self.step_or_pause() else { return Recording::Refused };
        self.note(self.index, passed, next);
        self.count(passed);
        self.index = next;
        let Some((address, t)) = loaded else { return Recording::Round(round) };
        let mut slope = 0;
        let load = round.beats.len() - 1;
        if self.memory.load8(address).is_none() {
            let steady = self.steady_until(address);
            let own = self.cpu.steady_until(address).is_some();
            let counts = if own { None } else { self.bus.count_cycles(self.cpu.number, address) };
            match counts {
                _ if steady == 0 => return Recording::Refused,
                None => round.steady_until = round.steady_until.min(steady),
                Some(_) if round.counter.is_some() => return Recording::Refused,
                Some(every) => {
                    round.begin_at(load);
                    round.counter = Some((steady, every));
                    slope = 1;
                    // Of a part of a word it is not known what it counts.
                    round.unknown |= !matches!(
                        instruction,
                        Instruction::LdrImmediate { .. } | Instruction::LdrRegister { .. }
                    );
                }
            }
        }
        if let Some(t) = t {
            round.unknown |= round.slopes.loaded(t, self.get(t), slope).is_err();
        }
        Recording::Round(round)
    }
}
