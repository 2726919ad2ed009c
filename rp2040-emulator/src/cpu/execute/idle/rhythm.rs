//! The rhythm of a core that waits: the instructions of one round of its loop, and when each
//! begins.
//!
//! With two cores a run is a turn of few cycles. While both wait, nothing happens but that turns
//! end: each core stops at the first instruction after its deadline. A rhythm gives that
//! instruction without executing anything. [`record`](super::record) finds it; `chip::waits` takes
//! the turns.

use super::Seen;
use crate::cpu::Cpu;
use crate::cpu::memory::Memory;

/// An instruction of a round.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Beat {
    /// Cycles since the beginning of the round.
    pub(crate) offset: u64,
    /// The core before the instruction.
    pub(crate) seen: Seen,
    /// Whether it loads from a device, before which a core that is ahead ends its turn.
    pub(crate) is_shared: bool,
}

/// A round that a core repeats until something changes that it reads.
#[derive(Clone, Debug)]
pub(crate) struct Rhythm {
    /// One or more, in the order of their cycles, no two at the same address.
    pub(crate) beats: Vec<Beat>,
    /// Cycles of a round, more than the last beat's offset.
    pub(crate) cycles: u64,
    /// The cycle before which every round takes the same branches unless a register is written.
    pub(crate) steady_until: u64,
    /// Whether registers follow a counter. Each round computes them again; the values in `beats`
    /// are those of the recorded round.
    pub(crate) counts: bool,
}

/// Where a core is in its rhythm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Position {
    pub(crate) cycle: u64,
    /// Index of the beat.
    pub(crate) beat: usize,
}

impl Rhythm {
    /// Returns the position of a core that is at `pc`.
    pub(crate) fn position(&self, pc: u32, cycle: u64) -> Option<Position> {
        let beat = self.beats.iter().position(|beat| beat.seen.pc == pc)?;
        Some(Position { cycle, beat })
    }

    /// Returns the end of a turn that begins at `from`: the first beat that is at `deadline` or
    /// later, or that loads from a device after `horizon`.
    pub(crate) fn reach(&self, from: Position, deadline: u64, horizon: u64) -> Position {
        let end = self.at(from, deadline);
        let mut place = self.at(from, horizon.saturating_add(1).min(deadline));
        while place.cycle < end.cycle && !self.beats[place.beat].is_shared {
            place = self.after(place);
        }
        place
    }

    /// Returns the beat after `place`.
    fn after(&self, place: Position) -> Position {
        let Position { cycle, beat } = place;
        let begin = cycle - self.beats[beat].offset;
        match self.beats.get(beat + 1) {
            Some(next) => Position { cycle: begin + next.offset, beat: beat + 1 },
            None => Position { cycle: begin + self.cycles, beat: 0 },
        }
    }

    /// Returns the first beat from `from` on that is at `deadline` or later.
    fn at(&self, from: Position, deadline: u64) -> Position {
        let begin = from.cycle - self.beats[from.beat].offset;
        let ahead = deadline.saturating_sub(begin);
        let (rounds, into) = (ahead / self.cycles, ahead % self.cycles);
        let begin = begin + rounds * self.cycles;
        match self.beats.iter().position(|beat| beat.offset >= into) {
            Some(beat) => Position { cycle: begin + self.beats[beat].offset, beat },
            None => Position { cycle: begin + self.cycles, beat: 0 },
        }
    }

    /// Number of instructions between two positions.
    fn instructions(&self, from: Position, to: Position) -> u64 {
        let begin = |position: Position| position.cycle - self.beats[position.beat].offset;
        let rounds = (begin(to) - begin(from)) / self.cycles;
        rounds * self.beats.len() as u64 + to.beat as u64 - from.beat as u64
    }
}

impl Cpu {
    /// Counts the executions of the instructions between two positions of the recorded rhythm, if
    /// they are counted.
    pub(crate) fn count_rounds(&self, memory: &mut Memory, from: Position, to: Position) {
        let Some(Ok(rhythm)) = self.rhythm() else { return };
        if self.asleep() || !memory.records_execution() {
            return;
        }
        let (beats, all) = (rhythm.beats.len(), rhythm.instructions(from, to));
        for (number, beat) in rhythm.beats.iter().enumerate() {
            let since = (number + beats - from.beat) % beats;
            let times = (all + (beats - 1 - since) as u64) / beats as u64;
            memory.count_times_at(beat.seen.pc, times);
        }
    }

    /// Moves the core to a later position of its recorded rhythm, or of its sleep, without
    /// executing instructions. Registers that follow a counter are as in the recorded round until
    /// the next one is executed.
    pub(crate) fn go_on(&mut self, from: Position, to: Position) {
        let (cycles, mut instructions) = (to.cycle - from.cycle, 0);
        if !self.asleep()
            && let Some(Ok(rhythm)) = self.rhythm()
        {
            instructions = rhythm.instructions(from, to);
            let Seen { pc, registers, apsr } = rhythm.beats[to.beat].seen;
            self.registers[..15].copy_from_slice(&registers);
            self.registers[15] = pc;
            self.flags.set_apsr(apsr);
        }
        self.skip(cycles, instructions);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_ends_at_the_first_instruction_after_its_deadline() {
        let beat = |offset| Beat {
            offset,
            seen: Seen { pc: 0x100 + offset as u32, registers: [0; 15], apsr: 0 },
            is_shared: offset == 2,
        };
        let beats = [0, 2, 3].map(beat).to_vec();
        let rhythm = Rhythm { beats, cycles: 5, steady_until: u64::MAX, counts: false };
        let from = rhythm.position(0x102, 1_002).unwrap();
        for deadline in 1_002..1_040 {
            let to = rhythm.reach(from, deadline, deadline);
            // Executes one instruction at a time.
            let (mut cycle, mut beat, mut instructions) = (1_002, 1, 0);
            while cycle < deadline {
                cycle += [2, 1, 2][beat];
                beat = (beat + 1) % 3;
                instructions += 1;
            }
            assert_eq!(to, Position { cycle, beat }, "{deadline}");
            assert_eq!(rhythm.instructions(from, to), instructions, "{deadline}");
        }
        assert_eq!(rhythm.position(0x104, 0), None);
    }
}
