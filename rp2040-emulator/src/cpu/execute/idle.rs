//! Loops in which a core only waits, and how their rounds are skipped.
//!
//! Most programs spend most of their time in such loops: `while the timer has not reached …`,
//! `while the FIFO is full`. A round that must end as the one before did is not executed. Its
//! cycles and instructions are added to the counts, and the core is then exactly where executing
//! the round would have left it.
//!
//! | loop | found by | skipped until | limit |
//! |---|---|---|---|
//! | One load; the rest computes, and no operation uses what a later one sets: `while SSPSR & BSY` | [`rounds`] from the operations of a block; [`polling`] executes and skips it | the register that it loads changes | 32 operations, those of a block |
//! | Registers follow a counter: `while now - start < delay` | [`counting`] executes two periods and compares their [`slopes`] | a flag would differ, or a register that does not count changes | 6,000 instructions a period |
//! | A round ends with the registers and flags that it began with: several registers, a call | [`repeat`] compares the core at the same load from a device, and executes a round | the first of the registers that it loads changes | 32 instructions, 8 accesses to devices |
//! | Both cores are in such a loop, or one is and the other sleeps | [`record`] records one round of each core, its [`rhythm`]; `chip::waits` skips the turns | either core's round would differ | 64 instructions a round |
//! | WFI, WFE | `Cpu::run`, by the state of the core | an interrupt line or event changes | none |
//! | No load from a device: counting down, copying | none: the fast loop executes it | | |
//!
//! A skip also ends at the deadline of the run, which is not later than the next change of an
//! interrupt line. The bus names the cycle before which a register gives the same value again
//! ([`Bus::steady_until`]), and the registers that count ([`Bus::count_cycles`]).
//!
//! At an access to a device the first three are tried in the order of the table. A loop is
//! recognized by the instructions that it executes and not by its address or source.

use super::Runner;
use crate::cpu::Cpu;
use crate::cpu::bus::Bus;
use crate::cpu::instruction::Instruction;

mod counting;
mod polling;
mod record;
mod repeat;
pub(crate) mod rhythm;
mod rounds;
mod slopes;

pub(in crate::cpu) use record::Recording;
use slopes::Slopes;

/// The state of a core before an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Seen {
    pc: u32,
    registers: [u32; 15],
    apsr: u32,
}

/// The state of the search for waiting loops.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::cpu) struct Waiting {
    /// Cycles of rounds that were skipped.
    skipped: u64,
    /// Address of a polling loop's load whose rounds [`polling`] cannot skip.
    unfit: u32,
    repeat: repeat::Search,
    counting: counting::Search,
}

impl Waiting {
    /// The state after a reset of the core.
    pub(in crate::cpu) fn after_reset(self) -> Self {
        Self { skipped: self.skipped, ..Self::default() }
    }
}

impl Cpu {
    /// The cycles since the core was created that were added without executing the rounds of a
    /// waiting loop. They are part of [`cycles`](Cpu::cycles).
    pub fn skipped(&self) -> u64 {
        self.waiting.skipped
    }

    /// Adds cycles and instructions of rounds that are not executed. A sleeping core sleeps for
    /// these cycles.
    fn skip(&mut self, cycles: u64, instructions: u64) {
        self.idle(cycles);
        if !self.asleep() {
            self.waiting.skipped += cycles;
        }
        self.instructions += instructions;
    }
}

/// The effect of an instruction.
enum Effect {
    /// Changes registers and flags of the core, or branches.
    Registers,
    /// Loads one register from this address.
    Load(u32),
    Other,
}

/// A load of a waiting loop that has been executed.
struct Loaded {
    instruction: Instruction,
    /// The cycle before which the load gives the same value again.
    steady_until: u64,
    /// Cycles for each count, if the value counts. Its next count is at `steady_until`.
    counts: Option<u64>,
}

/// No waiting loop has the instruction, or its load may give another value at any time.
struct Refused;

/// Why a round was not executed to its end.
enum Ended {
    Deadline,
    Refused,
}

impl From<Refused> for Ended {
    fn from(_: Refused) -> Self {
        Self::Refused
    }
}

/// Rounds that have been executed in turn.
struct Rounds {
    /// The most instructions that may still be executed.
    left: u32,
    cycles: u64,
    instructions: u64,
    /// The cycle before which the loads give the same values again, except those that count.
    steady_until: u64,
    /// Cycles for each count, if a load counts.
    counts: Option<u64>,
}

impl Rounds {
    fn new(longest: u32) -> Self {
        let (cycles, instructions) = (0, 0);
        Self { left: longest, cycles, instructions, steady_until: u64::MAX, counts: None }
    }

    fn add_load(&mut self, loaded: &Loaded) -> Result<(), Refused> {
        let Some(counts) = loaded.counts else {
            self.steady_until = self.steady_until.min(loaded.steady_until);
            return Ok(());
        };
        if *self.counts.get_or_insert(counts) == counts { Ok(()) } else { Err(Refused) }
    }
}

impl<B: Bus> Runner<'_, B> {
    /// Skips a waiting loop at the current instruction, which needs the bus. Returns true if it has
    /// executed anything.
    #[inline(always)]
    pub(super) fn skip_wait(&mut self) -> bool {
        let pc = self.address(self.index);
        if !self.may_begin_round(pc) {
            return false;
        }
        let is_refused = self.is_refused(pc);
        if is_refused && !self.is_counting_due() {
            self.cpu.waiting.counting.visit();
            return false;
        }
        self.skip_wait_at(pc, is_refused)
    }

    #[inline(never)]
    fn skip_wait_at(&mut self, pc: u32, is_refused: bool) -> bool {
        if !matches!(self.effect(*self.memory.slot(self.index)), Effect::Load(_)) {
            return false;
        }
        self.skip_counting() || !is_refused && self.skip_repeats(pc)
    }

    /// The state of the core before the current instruction.
    fn seen(&self) -> Seen {
        let registers = std::array::from_fn(|number| self.cpu.registers[number]);
        Seen { pc: self.address(self.index), registers, apsr: self.cpu.flags.apsr() }
    }

    /// Skips rounds, and reports to the bus how long the core has polled.
    fn skip_rounds(&mut self, rounds: u64, cycles: u64, instructions: u64) {
        if rounds != 0 {
            self.cpu.skip(rounds * cycles, rounds * instructions);
            self.bus.waited(self.cpu.number, self.cpu.cycles);
        }
    }

    /// Records that the last round, of this number of cycles, was skipped this number of times.
    fn repeat_round(&mut self, times: u64, cycles: u64) {
        self.memory.repeat_round(self.cpu.number, times, cycles, self.cpu.awake());
    }

    /// Executes one more round: instructions up to where the program is now. `follows` are slopes
    /// and the cycles in which they change the registers. Without `COUNTED` no load is taken for
    /// one that counts.
    fn go_round<const COUNTED: bool>(
        &mut self,
        rounds: &mut Rounds,
        mut follows: Option<(&mut Slopes, u64)>,
    ) -> Result<(), Ended> {
        let pc = self.address(self.index);
        let (cycles, instructions) = (self.cpu.cycles, self.cpu.instructions);
        loop {
            if self.cpu.cycles >= self.until {
                return Err(Ended::Deadline);
            }
            rounds.left = rounds.left.checked_sub(1).ok_or(Refused)?;
            let loaded =
                self.observe::<COUNTED>(follows.as_mut().map(|(slopes, _)| &mut **slopes))?;
            if let Some(loaded) = loaded {
                rounds.add_load(&loaded)?;
                if let Some((slopes, period)) = &mut follows {
                    let slope = loaded.counts.map_or(0, |counts| *period / counts);
                    slopes.loaded(&loaded, &self.cpu.registers, slope);
                }
            }
            if follows.as_ref().is_some_and(|(slopes, _)| slopes.is_unknown()) {
                return Err(Ended::Refused);
            }
            if self.address(self.index) == pc {
                rounds.cycles += self.cpu.cycles - cycles;
                rounds.instructions += self.cpu.instructions - instructions;
                return Ok(());
            }
        }
    }

    /// Executes the current instruction if a waiting loop may have it, followed by `slopes`.
    #[inline(always)]
    fn observe<const COUNTED: bool>(
        &mut self,
        slopes: Option<&mut Slopes>,
    ) -> Result<Option<Loaded>, Refused> {
        // The second instruction of a pair may not be decoded yet.
        if *self.memory.slot(self.index) == Instruction::Undecoded {
            self.memory.decode(self.index, self.address(self.index));
        }
        let instruction = *self.memory.slot(self.index);
        let effect = self.effect(instruction);
        let loads = if let Effect::Load(address) = effect { Some(address) } else { None };
        if matches!(effect, Effect::Other) || !self.is_permitted(loads) {
            return Err(Refused);
        }
        if let Some(slopes) = slopes {
            slopes.follow(instruction, &self.cpu.registers, self.cpu.flags.carry);
        }
        let (passed, next) = self.step_or_pause().ok_or(Refused)?;
        self.note(self.index, passed, next);
        self.count(passed);
        self.index = next;
        let Effect::Load(address) = effect else { return Ok(None) };
        let (mut steady_until, mut counts) = (u64::MAX, None);
        if self.memory.load8(address).is_none() {
            steady_until = self.steady_until(address);
            if COUNTED && self.cpu.steady_until(address).is_none() {
                counts = self.bus.count_cycles(self.cpu.number, address);
            }
        }
        match steady_until {
            0 => Err(Refused),
            _ => Ok(Some(Loaded { instruction, steady_until, counts })),
        }
    }

    /// Returns whether the current instruction loads from a device.
    fn loads_outside(&mut self) -> bool {
        if *self.memory.slot(self.index) == Instruction::Undecoded {
            self.memory.decode(self.index, self.address(self.index));
        }
        match self.effect(*self.memory.slot(self.index)) {
            Effect::Load(address) => self.memory.load8(address).is_none(),
            _ => false,
        }
    }

    /// [`Bus::steady_until`], also of the core's own registers, which are not on the bus.
    fn steady_until(&self, address: u32) -> u64 {
        self.cpu
            .steady_until(address)
            .unwrap_or_else(|| self.bus.steady_until(self.cpu.number, address))
    }

    /// Returns the effect of an instruction if it is in the current slot.
    fn effect(&self, instruction: Instruction) -> Effect {
        use Instruction as I;
        match instruction {
            I::LdrRegister { n, m, .. }
            | I::LdrhRegister { n, m, .. }
            | I::LdrbRegister { n, m, .. }
            | I::LdrsbRegister { n, m, .. }
            | I::LdrshRegister { n, m, .. } => Effect::Load(self.sum(n, m)),
            I::LdrImmediate { n, offset, .. }
            | I::LdrbImmediate { n, offset, .. }
            | I::LdrhImmediate { n, offset, .. } => Effect::Load(self.displaced(n, offset)),
            I::LdrLiteral { offset, .. } => Effect::Load(self.literal(self.index, offset)),
            I::StrRegister { .. }
            | I::StrhRegister { .. }
            | I::StrbRegister { .. }
            | I::StrImmediate { .. }
            | I::StrbImmediate { .. }
            | I::StrhImmediate { .. }
            | I::Push { .. }
            | I::Pop { .. }
            | I::PopPc { .. }
            | I::Stm { .. }
            | I::Ldm { .. }
            | I::Svc { .. }
            | I::Bkpt { .. }
            | I::Udf { .. }
            | I::Undefined { .. }
            | I::Cps { .. }
            | I::Msr { .. }
            | I::Mrs { .. }
            | I::Wfe
            | I::Wfi
            | I::Sev
            | I::Undecoded
            | I::End
            | I::Unfetchable
            | I::NotThumb => Effect::Other,
            _ => Effect::Registers,
        }
    }
}
