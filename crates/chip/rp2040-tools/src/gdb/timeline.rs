//! A chip that can go back, from copies of earlier states.
//!
//! The chip is deterministic, so the state after step N follows from a copy after fewer steps.
//! Inputs are recorded with the step before which they arrived, and are repeated there. A change
//! that the debugger makes is not recorded: such a change is the new beginning of the past.

use rp2040_emulator::chip::{Chip, Halt, Step, StepEvent, Turns};
use rp2040_emulator::cpu::StepOutcome;
use rp2040_emulator::instruction::Instruction;

use super::watch::{self, Watchpoint};
use crate::host::SLICE;
use crate::touched::{MemoryAccess, next_access};

/// Maximum number of copies: 18 MB. Each takes the RAM, the sectors of the flash that have changed
/// since, and the time to rebuild the blocks of code that it reaches.
const COPIES_MAX: usize = 64;
const _: () = assert!(COPIES_MAX >= 4 && COPIES_MAX.is_multiple_of(2));
/// Initial number of steps between two copies. It doubles whenever there are too many copies.
const FIRST_SPACING: u64 = 1 << 16;

/// Bytes of flash of the chip that takes the place of one that is not lent: the smallest sector.
const PLACEHOLDER_FLASH: usize = 4096;

/// The state after `steps` steps.
#[derive(Clone, Debug)]
struct State {
    chip: Chip,
    turns: Turns,
    steps: u64,
    /// Time up to which a lent chip runs, in nanoseconds; otherwise slices are of equal length.
    until: Option<u64>,
}

/// An input from outside of the chip.
#[derive(Clone, Copy, Debug)]
struct Input {
    /// Number of steps before which the input arrives.
    steps: u64,
    what: InputKind,
}

#[derive(Clone, Copy, Debug)]
enum InputKind {
    /// A UART receives a byte.
    Byte { uart: usize, byte: u8 },
    /// The debugger lets this core continue after the BKPT at which it has stopped.
    PassBreakpoint { core: usize },
}

/// The effect of a step.
#[derive(Clone, Copy, Debug)]
pub struct StepEffect {
    pub core: usize,
    pub fault: bool,
    /// Memory access of the step, if it was requested and there was one.
    pub access: Option<MemoryAccess>,
}

/// The current state of the chip, and copies from which earlier states are computed.
#[derive(Debug)]
pub struct Timeline {
    now: State,
    /// Copies with the oldest first; never empty.
    copies: Vec<State>,
    spacing: u64,
    /// All inputs, in order of their steps.
    inputs: Vec<Input>,
    /// Number of steps whose outputs the host has taken.
    seen: u64,
    /// Number of the step at which a BKPT is passed although it has stopped the program there.
    passing: Option<u64>,
    /// Whether the chip is lent for each slice by its owner: then there is no way back but one step
    /// before a watchpoint.
    is_lent: bool,
    /// State before the last step of a lent chip, if that accessed a watched address.
    before: Option<Box<State>>,
}

impl State {
    /// Executes one step. Returns `Halt::Time` if nothing has happened for a slice of time.
    fn step(&mut self, inputs: &[Input]) -> Result<Step, Halt> {
        let first = inputs.partition_point(|input| input.steps < self.steps);
        for input in inputs[first..].iter().take_while(|input| input.steps == self.steps) {
            match input.what {
                InputKind::Byte { uart, byte } => self.chip.send(uart, byte),
                InputKind::PassBreakpoint { core } => {
                    let behind = self.chip.core(core).pc().wrapping_add(2);
                    self.chip.core_mut(core).set_register(15, behind);
                }
            }
        }
        // The limit depends on the state alone, so that repeated steps have the same slices.
        let until = self.until.unwrap_or((self.chip.now_ns() / SLICE.0 + 1) * SLICE.0);
        let result = self.chip.step(&mut self.turns, until);
        // The end of a slice counts as a step, because it advances time.
        if !matches!(
            result,
            Err(Halt::Breakpoint(..) | Halt::Lockup(_) | Halt::RomCall(..) | Halt::ClockStopped)
        ) {
            self.steps += 1;
        }
        result
    }
}

impl Timeline {
    /// Creates a timeline that begins with `chip`.
    pub fn new(chip: Chip) -> Self {
        let now = State { chip, turns: Turns::default(), steps: 0, until: None };
        Self { copies: vec![now.clone()], ..Self::at(now, false) }
    }

    /// Creates a timeline of a chip that its owner lends for each slice.
    pub fn lent() -> Self {
        let (chip, turns) = (Chip::new(PLACEHOLDER_FLASH), Turns::default());
        Self::at(State { chip, turns, steps: 0, until: Some(0) }, true)
    }

    fn at(now: State, is_lent: bool) -> Self {
        Self {
            now,
            copies: vec![],
            spacing: FIRST_SPACING,
            inputs: vec![],
            seen: 0,
            passing: None,
            is_lent,
            before: None,
        }
    }

    /// Returns whether the chip is lent for each slice.
    pub fn is_lent(&self) -> bool {
        self.is_lent
    }

    /// Takes or returns a lent chip, which runs up to `until_ns`.
    pub fn swap(&mut self, chip: &mut Chip, until_ns: u64) {
        std::mem::swap(&mut self.now.chip, chip);
        self.now.until = Some(until_ns);
    }

    /// Runs a lent chip at full speed, as its owner would.
    pub fn run(&mut self) -> Halt {
        self.now.turns = Turns::default();
        self.now.steps += 1;
        self.inputs.clear();
        self.now.chip.run(self.now.until.unwrap_or_default())
    }

    /// Ends the turn of a core at the end of a slice, as a run does.
    pub fn end_slice(&mut self) {
        self.now.turns = Turns::default();
        self.inputs.retain(|input| input.steps >= self.now.steps);
    }

    /// Returns the chip in its current state.
    pub fn chip(&self) -> &Chip {
        &self.now.chip
    }

    /// Returns the chip for taking its outputs, which the program cannot notice; `None` if its
    /// outputs have been taken before.
    pub fn outputs(&mut self) -> Option<&mut Chip> {
        let new = self.now.steps > self.seen;
        self.seen = self.seen.max(self.now.steps);
        new.then_some(&mut self.now.chip)
    }

    /// Returns whether no later state was ever reached; only then can an input arrive.
    pub fn is_new(&self) -> bool {
        self.now.steps >= self.seen
    }

    /// Lets a byte arrive at a UART before the next step.
    pub fn send(&mut self, uart: usize, byte: u8) {
        self.add(InputKind::Byte { uart, byte });
    }

    /// If `core` is at a BKPT, lets it continue after the BKPT with the next step.
    pub fn pass_breakpoint(&mut self, core: usize) {
        let pc = self.now.chip.core(core).pc();
        if !matches!(self.now.chip.memory().disassemble(pc), Some(Instruction::Bkpt { .. })) {
            return;
        }
        self.passing = Some(self.now.steps);
        if self.passed_here().is_none() {
            self.add(InputKind::PassBreakpoint { core });
        }
    }

    /// Returns whether a core passes a BKPT with the next step.
    pub fn passes_breakpoint(&self) -> bool {
        self.passing == Some(self.now.steps)
    }

    /// Returns the core that passes a BKPT with the next step, as it did before.
    fn passed_here(&self) -> Option<usize> {
        let steps = self.now.steps;
        let first = self.inputs.partition_point(|input| input.steps < steps);
        let mut here = self.inputs[first..].iter().take_while(|input| input.steps == steps);
        here.find_map(|input| match input.what {
            InputKind::PassBreakpoint { core } => Some(core),
            InputKind::Byte { .. } => None,
        })
    }

    fn add(&mut self, what: InputKind) {
        let steps = self.now.steps;
        let at = self.inputs.partition_point(|input| input.steps <= steps);
        self.inputs.insert(at, Input { steps, what });
    }

    /// Restarts the cores' turns after a reset of the chip.
    pub fn begin_turns(&mut self) {
        self.now.turns = Turns::default();
        self.restart_copies();
    }

    /// Makes the current state the beginning of the past.
    fn restart_copies(&mut self) {
        if !self.is_lent {
            self.copies = vec![self.now.clone()];
        }
    }

    /// Changes the chip for the debugger. States before the change become unreachable.
    pub fn change(&mut self, change: impl FnOnce(&mut Chip)) {
        change(&mut self.now.chip);
        self.restart_copies();
        self.spacing = FIRST_SPACING;
        // A BKPT that was passed here may be another instruction now.
        self.inputs.retain(|input| match input.what {
            InputKind::Byte { .. } => input.steps >= self.now.steps,
            InputKind::PassBreakpoint { .. } => false,
        });
        // The program may now run differently, so its outputs are new.
        if self.now.steps < self.seen {
            self.seen = self.now.steps;
            self.drop_repeated_outputs();
        }
    }

    pub fn into_chip(self) -> Chip {
        self.now.chip
    }

    /// Executes one step of a core. With `watchpoints`, its memory access is computed.
    ///
    /// # Errors
    /// Returns [`Halt`] if there was no step.
    pub fn forward(&mut self, watchpoints: &[Watchpoint]) -> Result<StepEffect, Halt> {
        // A repeated run forward stops at a BKPT again.
        if let Some(core) = self.passed_here().filter(|_| self.passing != Some(self.now.steps)) {
            let pc = self.now.chip.core(core).pc();
            if let Some(Instruction::Bkpt { number }) = self.now.chip.memory().disassemble(pc) {
                return Err(Halt::Breakpoint(core as u8, number));
            }
        }
        self.passing = None;
        let watching = !watchpoints.is_empty();
        if self.is_lent {
            let accesses = [0, 1].map(|core| next_access(&self.now.chip, core));
            let is_watched = |access| watching && watch::hit(watchpoints, access).is_some();
            let copy = accesses.iter().any(is_watched).then(|| Box::new(self.now.clone()));
            self.before = copy;
        }
        let result = step(&mut self.now, &self.inputs, watching);
        self.drop_repeated_outputs();
        let effect = result?;
        if self.is_lent {
            return Ok(effect);
        }
        let newest = self.copies.last().map_or(0, |copy| copy.steps);
        if self.now.steps >= newest + self.spacing {
            if self.copies.len() == COPIES_MAX {
                // Removes every second copy; the oldest stays.
                let mut odd = true;
                self.copies.retain(|_| {
                    odd = !odd;
                    !odd
                });
                self.spacing *= 2;
            }
            self.copies.push(self.now.clone());
        }
        Ok(effect)
    }

    /// Drops the outputs of repeated steps, which the host has taken before.
    fn drop_repeated_outputs(&mut self) {
        if self.now.steps == self.seen && !self.is_lent {
            for uart in [0, 1] {
                self.now.chip.take_sent(uart);
            }
            self.now.chip.take_changes();
        }
    }

    /// Returns the number of steps since the beginning.
    pub fn steps(&self) -> u64 {
        self.now.steps
    }

    /// Goes back to before the last step of `core`. If there is none, goes to the beginning of the
    /// past and returns false.
    pub fn back_one(&mut self, core: usize) -> bool {
        let found = self.look_back(self.now.steps, |state| {
            let before = state.steps;
            let effect = step(state, &self.inputs, false).ok()?;
            (effect.core == core).then_some((before, ()))
        });
        self.return_to(found).is_some()
    }

    /// Goes back to before the last step of any core.
    pub fn undo(&mut self) {
        if self.is_lent {
            if let Some(before) = self.before.take() {
                self.now = *before;
            }
            return;
        }
        let steps = self.now.steps.saturating_sub(1);
        self.go_to(steps);
    }

    /// Goes back to the last state after a step for which `stops` returns something, or else to the
    /// beginning of the past. The last argument of `stops` is true for the current state;
    /// `watching` requests the memory accesses.
    pub fn back_to_last<T>(
        &mut self,
        watching: bool,
        stops: impl Fn(&Chip, &StepEffect, bool) -> Option<T>,
    ) -> Option<T> {
        let now = self.now.steps;
        let found = self.look_back(now, |state| {
            let effect = step(state, &self.inputs, watching).ok()?;
            stops(&state.chip, &effect, state.steps == now).map(|what| (state.steps, what))
        });
        let found = found.or_else(|| {
            // At the beginning each core counts as having stepped to its current address.
            let begin = &self.copies[0];
            let effect = |core| StepEffect { core, fault: false, access: None };
            let what =
                [0, 1].into_iter().find_map(|core| stops(&begin.chip, &effect(core), false))?;
            (begin.steps < self.now.steps).then_some((begin.steps, what))
        });
        self.return_to(found)
    }

    /// Returns the last result of `look`, with its number of steps, over the steps up to `end`.
    fn look_back<T>(
        &self,
        mut end: u64,
        mut look: impl FnMut(&mut State) -> Option<(u64, T)>,
    ) -> Option<(u64, T)> {
        for copy in self.copies.iter().rev().filter(|copy| copy.steps < self.now.steps) {
            let mut state = copy.clone();
            let mut found = None;
            while state.steps < end {
                found = look(&mut state).or(found);
            }
            if found.is_some() {
                return found;
            }
            end = copy.steps;
        }
        None
    }

    fn return_to<T>(&mut self, found: Option<(u64, T)>) -> Option<T> {
        let (steps, what) =
            found.map_or((self.copies[0].steps, None), |(at, what)| (at, Some(what)));
        self.go_to(steps);
        what
    }

    /// Goes to the state after `steps`, from the last copy before it, and drops later copies.
    fn go_to(&mut self, steps: u64) {
        let copy = self.copies.iter().rfind(|copy| copy.steps <= steps);
        self.now = copy.unwrap_or(&self.copies[0]).clone();
        self.drop_repeated_outputs();
        while self.now.steps < steps {
            // A slice without a step also counts and advances time. No other halt can occur,
            // because these steps have been executed before.
            let _ = self.now.step(&self.inputs);
            self.drop_repeated_outputs();
        }
        self.copies.retain(|copy| copy.steps <= steps);
    }
}

fn step(state: &mut State, inputs: &[Input], watching: bool) -> Result<StepEffect, Halt> {
    let access = |core| if watching { next_access(&state.chip, core) } else { None };
    let accesses = [access(0), access(1)];
    let Step { core, happened, .. } = state.step(inputs)?;
    let fault = happened == StepEvent::Core(StepOutcome::Fault);
    let did = happened == StepEvent::Core(StepOutcome::Instruction);
    Ok(StepEffect { core, fault, access: accesses[core].filter(|_| did) })
}
