//! A chip that can go back: copies of earlier states, and the way from there again.
//!
//! The chip is deterministic, so the state after step N is that of a copy after fewer steps, stepped
//! on. What came in from outside is kept with the step before which it came, and comes in there again.
//! What the debugger changes by hand is not part of that: the past ends at such a change.

use rp2040_emulator::chip::{Chip, Halt, Happened, Step, Turns};
use rp2040_emulator::cpu::StepOutcome;

use super::watch::{self, MemoryAccess};
use crate::host::SLICE;

/// Copies that are kept. Each is as large as the flash, and four times that for what is decoded.
const COPIES_MAX: usize = 12;
const _: () = assert!(COPIES_MAX >= 4 && COPIES_MAX.is_multiple_of(2));
/// Steps between two copies at first; doubled whenever there are too many.
const FIRST_SPACING: u64 = 1 << 16;

/// A state after so many steps.
#[derive(Clone, Debug)]
struct State {
    chip: Chip,
    turns: Turns,
    steps: u64,
}

/// A byte from outside.
#[derive(Clone, Copy, Debug)]
struct Input {
    /// It comes in when this many steps have been taken.
    steps: u64,
    uart: usize,
    byte: u8,
}

/// What a step did.
#[derive(Clone, Copy, Debug)]
pub struct StepEffect {
    pub core: usize,
    pub fault: bool,
    /// Only if it was asked for.
    pub access: Option<MemoryAccess>,
}

/// The chip now, and how to come to what it was.
#[derive(Debug)]
pub struct Timeline {
    now: State,
    /// The oldest first, never empty.
    copies: Vec<State>,
    spacing: u64,
    /// All that has come in, in order.
    inputs: Vec<Input>,
    /// Steps whose outputs have been seen already.
    seen: u64,
}

impl State {
    /// One step. When nothing has happened for a slice of time, `Halt::Time`.
    fn step(&mut self, inputs: &[Input]) -> Result<Step, Halt> {
        let first = inputs.partition_point(|input| input.steps < self.steps);
        for input in inputs[first..].iter().take_while(|input| input.steps == self.steps) {
            self.chip.send(input.uart, input.byte);
        }
        // Depends on the state alone, so that the same steps have the same slices.
        let until = (self.chip.now_ns() / SLICE.0 + 1) * SLICE.0;
        let result = self.chip.step(&mut self.turns, until);
        // That a slice is over is a step as well: it moves time.
        if !matches!(result, Err(Halt::Breakpoint(..) | Halt::Lockup(_) | Halt::RomCall(..))) {
            self.steps += 1;
        }
        result
    }
}

impl Timeline {
    /// Begins with `chip`.
    pub fn new(chip: Chip) -> Self {
        let now = State { chip, turns: Turns::default(), steps: 0 };
        let (copies, inputs) = (vec![now.clone()], vec![]);
        Self { copies, now, spacing: FIRST_SPACING, inputs, seen: 0 }
    }

    /// The chip as it stands.
    pub fn chip(&self) -> &Chip {
        &self.now.chip
    }

    /// The same, to take what it has sent: that changes nothing that the program could notice.
    pub fn outputs(&mut self) -> Option<&mut Chip> {
        let new = self.now.steps > self.seen;
        self.seen = self.seen.max(self.now.steps);
        new.then_some(&mut self.now.chip)
    }

    /// Whether this is further than it has ever been: only there can something come in.
    pub fn is_new(&self) -> bool {
        self.now.steps >= self.seen
    }

    /// A byte comes in at a UART before the next step.
    pub fn send(&mut self, uart: usize, byte: u8) {
        let steps = self.now.steps;
        let at = self.inputs.partition_point(|input| input.steps <= steps);
        self.inputs.insert(at, Input { steps, uart, byte });
    }

    /// The same, to change it by hand; there is no way back beyond that.
    pub fn change(&mut self, change: impl FnOnce(&mut Chip)) {
        change(&mut self.now.chip);
        self.copies = vec![self.now.clone()];
        self.spacing = FIRST_SPACING;
        self.inputs.retain(|input| input.steps >= self.now.steps);
        // From here on it may go another way than the one that was seen.
        if self.now.steps < self.seen {
            self.seen = self.now.steps;
            self.forget_what_was_seen();
        }
    }

    pub fn into_chip(self) -> Chip {
        self.now.chip
    }

    /// One step of a core; `watching` asks for what it touches.
    ///
    /// # Errors
    /// [`Halt`]: there was none.
    pub fn forward(&mut self, watching: bool) -> Result<StepEffect, Halt> {
        let result = step(&mut self.now, &self.inputs, watching);
        self.forget_what_was_seen();
        let effect = result?;
        let newest = self.copies.last().map_or(0, |copy| copy.steps);
        if self.now.steps >= newest + self.spacing {
            if self.copies.len() == COPIES_MAX {
                // Every second one goes; the oldest stays.
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

    /// What a copy sends on its way to here has been sent before.
    fn forget_what_was_seen(&mut self) {
        if self.now.steps == self.seen {
            for uart in [0, 1] {
                self.now.chip.take_sent(uart);
            }
            self.now.chip.take_changes();
        }
    }

    /// How many steps it has come.
    pub fn steps(&self) -> u64 {
        self.now.steps
    }

    /// Back to before the last step of `core`; to the begin, and false, if nothing is known of one.
    pub fn back_one(&mut self, core: usize) -> bool {
        let found = self.look_back(self.now.steps, |state| {
            let before = state.steps;
            let effect = step(state, &self.inputs, false).ok()?;
            (effect.core == core).then_some((before, ()))
        });
        self.return_to(found).is_some()
    }

    /// Back to before the last step of all.
    pub fn undo(&mut self) {
        let steps = self.now.steps.saturating_sub(1);
        self.go_to(steps);
    }

    /// Back to the last moment, behind a step of which `stops` gives something, which is told whether
    /// this is now; to the begin if there is none. `watching` if it looks at what is touched.
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
            // Where everything begins, each core has come to where it stands.
            let begin = &self.copies[0];
            let effect = |core| StepEffect { core, fault: false, access: None };
            let what =
                [0, 1].into_iter().find_map(|core| stops(&begin.chip, &effect(core), false))?;
            (begin.steps < self.now.steps).then_some((begin.steps, what))
        });
        self.return_to(found)
    }

    /// The last of what `look` finds while it steps, each with the moment it means; up to `end`.
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

    /// From the last copy before, with as many steps as it takes; later copies go.
    fn go_to(&mut self, steps: u64) {
        let copy = self.copies.iter().rfind(|copy| copy.steps <= steps);
        self.now = copy.unwrap_or(&self.copies[0]).clone();
        self.forget_what_was_seen();
        while self.now.steps < steps {
            // A slice without a step counts, and moves time; nothing else can happen: it was here
            // before.
            let _ = self.now.step(&self.inputs);
            self.forget_what_was_seen();
        }
        self.copies.retain(|copy| copy.steps <= steps);
    }
}

fn step(state: &mut State, inputs: &[Input], watching: bool) -> Result<StepEffect, Halt> {
    let access = |core| if watching { watch::next_access(&state.chip, core) } else { None };
    let accesses = [access(0), access(1)];
    let Step { core, happened, .. } = state.step(inputs)?;
    let fault = happened == Happened::Core(StepOutcome::Fault);
    let did = happened == Happened::Core(StepOutcome::Instruction);
    Ok(StepEffect { core, fault, access: accesses[core].filter(|_| did) })
}
