//! A state machine: its registers, its FIFOs, and the execution of a tick of its clock (datasheet
//! sections 3.2.4 and 3.5).
//!
//! A machine that stalls on an external event sleeps: it is not executed until the event. It has no
//! access to other machines, pads or the bus; the caller passes in the levels of the pins.

use super::control::Control;
use super::divider::Divider;
use super::fifo::{DEPTH, Fifo};
use super::inputs::Inputs;
use super::pins::{Outputs, PinWrites};
use super::registers::{
    FDEBUG_RXUNDER, FDEBUG_TXOVER, INTR_SM0_RXNEMPTY_LSB, INTR_SM0_TXNFULL_LSB,
    SM_EXECCTRL_EXEC_STALLED_LSB,
};

mod execute;
mod outcome;
mod path;
mod shift;
mod spin;

use outcome::{InstructionOutcome, Stall};
pub(super) use path::{MAX_SEARCHES, Paths};
pub(in crate::chip) use path::{WordBit, WordPath};
pub(in crate::chip) use shift::Shift;
use spin::Doze;

/// Inputs of a machine in a cycle.
#[derive(Clone, Copy, Debug)]
pub(super) struct View<'a> {
    pub(super) cycle: u64,
    pub(super) memory: &'a [u16; 32],
    pub(super) inputs: &'a Inputs,
    /// INPUT_SYNC_BYPASS.
    pub(super) bypass: u32,
    /// Interrupt flags at the beginning of the cycle.
    pub(super) flags: u8,
}

/// State that machines share, as they change it in a cycle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shared {
    pub(super) outputs: Outputs,
    /// Interrupt flags that are set, and below cleared, at the end of the cycle.
    pub(super) raised: u8,
    pub(super) cleared: u8,
    /// Number of ticks that the machines have executed.
    pub(super) ticks: u64,
}

#[derive(Clone, Debug)]
pub(super) struct Machine {
    number: u32,
    pub(super) enabled: bool,
    pub(super) control: Control,
    pub(super) divider: Divider,
    pub(super) transmit: Fifo,
    pub(super) receive: Fifo,
    pc: u32,
    x: u32,
    y: u32,
    input: u32,
    output: u32,
    /// Number of bits that have been shifted in; `output_count` is the number shifted out.
    input_count: u32,
    output_count: u32,
    /// Remaining delay in ticks before the next instruction.
    delay: u32,
    /// An instruction that precedes the one at `pc`: from SMx_INSTR, OUT or MOV.
    latched: Option<u16>,
    /// Whether the latched instruction is from SMx_INSTR; a disabled machine executes it too.
    forced: bool,
    /// Whether the latched instruction was just written and does not wait for a tick.
    urgent: bool,
    /// Whether the current instruction is from SMx_INSTR.
    by_hand: bool,
    /// Whether IRQ WAIT has raised its flag and waits until it is cleared.
    awaits_clear: bool,
    /// FDEBUG, with the bits of machine 0.
    debug: u32,
    /// Last OUT or SET of levels and of enables, which OUT_STICKY writes in every cycle.
    last_write: PinWrites,
    /// Remaining side-set of a stalled instruction, or of a loop in which the machine dozes.
    stalled_side: PinWrites,
    rest: Rest,
    /// Whether an instruction has moved a word into or out of a FIFO.
    moves_words: bool,
    /// Number of jumps back for which the search for a counting loop is skipped.
    skipped_searches: u8,
}

/// Reason why a machine executes nothing in the next tick of its clock.
#[derive(Clone, Debug)]
enum Rest {
    /// No reason: the machine executes something.
    None,
    /// The machine stalls until one of these pins changes. Accesses to registers and flags also end
    /// the stall.
    Stall(u32),
    /// The machine waits for the ticks of a delay until this cycle. They have not been subtracted
    /// from `delay` and the divider yet.
    Delay(u64),
    /// The machine counts in a loop.
    Doze(Doze),
}

impl Machine {
    pub(super) fn new(number: u32) -> Self {
        Self {
            number,
            enabled: false,
            control: Control::default(),
            divider: Divider::default(),
            transmit: Fifo::default(),
            receive: Fifo::default(),
            pc: 0,
            x: 0,
            y: 0,
            input: 0,
            output: 0,
            input_count: 0,
            output_count: 32,
            delay: 0,
            latched: None,
            forced: false,
            urgent: false,
            by_hand: false,
            awaits_clear: false,
            debug: 0,
            last_write: PinWrites::default(),
            stalled_side: PinWrites::default(),
            rest: Rest::None,
            moves_words: false,
            skipped_searches: 0,
        }
    }
}

/// Functions for the bus.
impl Machine {
    /// Returns SMx_ADDR.
    pub(super) fn pc(&self) -> u32 {
        self.pc
    }

    /// Returns the instruction from SMx_INSTR, OUT or MOV that has not been executed yet.
    pub(super) fn forced(&self) -> Option<u16> {
        self.latched
    }

    /// Returns SMx_EXECCTRL, including whether a forced instruction is stalled.
    pub(super) fn exec_control(&self) -> u32 {
        self.control.exec() | u32::from(self.latched.is_some()) << SM_EXECCTRL_EXEC_STALLED_LSB
    }

    /// Returns the next instruction.
    pub(super) fn instruction(&self, memory: &[u16; 32]) -> u16 {
        self.latched.unwrap_or(memory[self.pc as usize])
    }

    /// Writes SMx_INSTR: the instruction is executed in the next cycle, independent of the clock
    /// divider.
    pub(super) fn force(&mut self, instruction: u16) {
        self.latched = Some(instruction);
        self.forced = true;
        self.urgent = true;
        // An IRQ WAIT that it interrupts starts over, and so does one that it replaces.
        self.awaits_clear = false;
    }

    /// Writes SMx_SHIFTCTRL. FIFOs whose joining changes are emptied.
    pub(super) fn set_shift_control(&mut self, value: u32) {
        if self.control.set_shift(value) {
            let (transmit, receive) = self.control.depths(DEPTH);
            self.transmit = Fifo::new(transmit);
            self.receive = Fifo::new(receive);
        }
    }

    /// Executes SM_RESTART: clears the state of an incomplete instruction. Program counter, scratch
    /// registers, FIFOs and the contents of the output shift register are retained.
    pub(super) fn restart(&mut self) {
        self.input = 0;
        self.input_count = 0;
        self.output_count = 32;
        self.delay = 0;
        self.latched = None;
        self.urgent = false;
        self.awaits_clear = false;
        self.last_write = PinWrites::default();
        self.stalled_side = PinWrites::default();
    }

    /// Writes TXFx.
    pub(super) fn send(&mut self, word: u32) {
        if !self.transmit.push(word) {
            self.debug |= FDEBUG_TXOVER;
        }
    }

    /// Reads RXFx.
    pub(super) fn receive(&mut self) -> u32 {
        self.receive.pop().unwrap_or_else(|| {
            self.debug |= FDEBUG_RXUNDER;
            0
        })
    }

    /// Returns FDEBUG, with the bits of machine 0.
    pub(super) fn debug(&self) -> u32 {
        self.debug
    }

    pub(super) fn clear_debug(&mut self, bits: u32) {
        self.debug &= !bits;
    }
}

/// Functions for the block.
impl Machine {
    /// Returns the next cycle, `now` or later, in which the machine is due.
    #[inline]
    pub(super) fn due(&mut self, now: u64) -> u64 {
        if self.urgent {
            return now;
        }
        match &self.rest {
            Rest::Delay(end) => *end,
            Rest::Doze(doze) => doze.end,
            Rest::None if self.runs() => self.divider.next(now),
            Rest::None | Rest::Stall(_) => u64::MAX,
        }
    }

    /// Returns whether the machine executes anything, now or after an event.
    #[inline]
    pub(super) fn runs(&self) -> bool {
        self.enabled || self.forced && self.latched.is_some()
    }

    /// Wakes the machine after an event that it may wait for; all cycles before `cycle` have been
    /// executed.
    pub(super) fn wake(&mut self, cycle: u64, memory: &[u16; 32]) {
        if let Rest::Stall(_) = self.rest {
            self.rest = Rest::None;
        }
        self.catch_up(cycle, memory);
    }

    /// Handles a change of these pins. Returns true if that ends the machine's rest.
    #[inline]
    pub(super) fn wake_for_pins(&mut self, pins: u32, cycle: u64, memory: &[u16; 32]) -> bool {
        match &self.rest {
            Rest::Stall(awaited) if awaited & pins != 0 => self.rest = Rest::None,
            Rest::Doze(doze) if doze.pins & pins != 0 => self.catch_up(cycle, memory),
            _ => return false,
        }
        true
    }

    /// Brings the machine into its state after all cycles before `cycle`, if ticks of a delay or of
    /// a loop have not been executed one by one.
    #[inline]
    pub(super) fn catch_up(&mut self, cycle: u64, memory: &[u16; 32]) {
        match self.rest {
            Rest::None | Rest::Stall(_) => {}
            Rest::Delay(end) => {
                let all = u64::from(self.delay);
                let ticks =
                    if cycle == end { all } else { self.divider.ticks_before(cycle).min(all) };
                self.divider.skip(ticks);
                self.delay -= ticks as u32;
                self.rest = Rest::None;
            }
            Rest::Doze(_) => self.wake_up(cycle, memory),
        }
    }

    #[cfg(test)]
    pub(super) fn dozes(&self) -> bool {
        matches!(self.rest, Rest::Doze(_))
    }

    #[cfg(test)]
    pub(super) fn delays(&self) -> bool {
        matches!(self.rest, Rest::Delay(_))
    }

    /// Returns INTR with the bits of machine 0: a word in the receive FIFO, room in the transmit
    /// FIFO.
    #[inline]
    pub(super) fn interrupts(&self) -> u32 {
        u32::from(!self.receive.is_empty()) << INTR_SM0_RXNEMPTY_LSB
            | u32::from(!self.transmit.is_full()) << INTR_SM0_TXNFULL_LSB
    }

    /// Returns the bits of [`interrupts`](Self::interrupts) for room in the transmit FIFO and for a
    /// word in the receive FIFO.
    pub(super) fn interrupt_bits(&self, transmit: bool, receive: bool) -> u32 {
        u32::from(receive) << INTR_SM0_RXNEMPTY_LSB | u32::from(transmit) << INTR_SM0_TXNFULL_LSB
    }

    /// Returns whether [`held`](Self::held) may write a pin.
    #[inline]
    pub(super) fn holds(&self) -> bool {
        self.enabled && self.control.is_sticky() || !self.stalled_side.is_empty()
    }

    /// Returns the machine's writes to the pins in every cycle: sticky outputs and the side-set of
    /// a stall.
    pub(super) fn held(&self) -> PinWrites {
        let sticky = if self.control.is_sticky() && self.enabled {
            self.last_write
        } else {
            PinWrites::default()
        };
        sticky.then(self.stalled_side)
    }

    /// Executes the cycles before `end` in which the machine is due, the first of which is
    /// `view.cycle`. It stops after a change of `shared` or of its FIFOs, when it begins to hold
    /// pins, and before it shifts a bit out to a pin. Returns the last cycle.
    pub(super) fn run(&mut self, mut view: View<'_>, end: u64, shared: &mut Shared) -> u64 {
        let outputs = shared.outputs;
        self.moves_words = false;
        loop {
            shared.ticks += 1;
            let may_hold = self.tick(&view, shared);
            let goes_on = shared.raised | shared.cleared == 0
                && shared.outputs == outputs
                && !self.moves_words
                && !may_hold
                && !self.is_shifting(view.memory);
            let due = if goes_on { self.due(view.cycle + 1) } else { u64::MAX };
            if due >= end {
                return view.cycle;
            }
            view.cycle = due;
        }
    }

    /// Executes one tick of the clock, or a forced instruction. Returns true if the machine stalls,
    /// or changes the pins that it holds.
    #[inline]
    fn tick(&mut self, view: &View<'_>, shared: &mut Shared) -> bool {
        self.catch_up(view.cycle, view.memory);
        if self.divider.next(view.cycle) == view.cycle {
            self.divider.skip(1);
        }
        if !std::mem::take(&mut self.urgent) && self.delay != 0 {
            self.delay -= 1;
            self.refill();
            self.jump_over_delay();
            return false;
        }
        let latched = self.latched.take();
        self.by_hand = latched.is_some() && self.forced;
        let word = latched.unwrap_or(view.memory[self.pc as usize & 0x1F]);
        let (delay, side) = self.control.delay_and_side(u32::from(word) >> 8 & 0x1F);
        let outcome = self.execute(word, view, shared);
        if !side.is_empty() {
            shared.outputs = side.apply(shared.outputs);
        }
        match outcome {
            InstructionOutcome::Stalled(stall) => {
                self.latched = latched;
                self.stalled_side = side;
                // A forced OUT that has pulled its word continues immediately.
                self.urgent = self.by_hand && matches!(stall, Stall::Briefly);
                self.rest = match stall {
                    // A forced instruction stalls within the delay of another, whose ticks pass.
                    _ if self.delay != 0 => Rest::None,
                    Stall::OnOthers => Rest::Stall(0),
                    Stall::OnPin(pin) if view.inputs.are_settled(view.cycle) => {
                        Rest::Stall(1 << pin)
                    }
                    Stall::OnPin(_) | Stall::Briefly => Rest::None,
                };
                true
            }
            outcome => {
                self.stalled_side = PinWrites::default();
                // The delay of an instruction that latches another is ignored.
                self.delay = if self.latched.is_some() { 0 } else { delay };
                let from = self.pc;
                self.pc = match outcome {
                    InstructionOutcome::Jump(target) => target,
                    _ if latched.is_some() => self.pc,
                    _ if self.pc == self.control.wrap_top() => self.control.wrap_bottom(),
                    _ => (self.pc + 1) & 0x1F,
                };
                let holds = self.pc <= from && self.search_loop(view);
                if matches!(self.rest, Rest::None) {
                    self.jump_over_delay();
                }
                holds
            }
        }
    }

    /// Skips the remaining ticks of a delay, if nothing happens in them.
    #[inline]
    fn jump_over_delay(&mut self) {
        if self.delay != 0 && self.enabled && !self.urgent && !self.would_refill() {
            self.rest = Rest::Delay(self.divider.after(self.delay.into()));
        }
    }

    /// Executes autopull: takes a word from the transmit FIFO if the threshold is reached.
    #[inline]
    fn refill(&mut self) -> bool {
        let word = if self.would_refill() { self.transmit.pop() } else { None };
        if let Some(word) = word {
            self.moves_words = true;
            self.output = word;
            self.output_count = 0;
        }
        word.is_some()
    }

    #[inline]
    fn would_refill(&self) -> bool {
        self.control.pulls()
            && self.output_count >= self.control.pull_threshold()
            && !self.transmit.is_empty()
    }
}
