//! Execution of the nine instructions (datasheet section 3.4).

use super::outcome::{InstructionOutcome, Stall};
use super::{Machine, Shared, View};
use crate::chip::peripherals::pio::pins::{PinWrite, ones};
use crate::chip::peripherals::pio::registers::{FDEBUG_RXSTALL, FDEBUG_TXSTALL};

use InstructionOutcome::{Done, Jump, Stalled};

const WAIT_GPIO: u32 = 0;
const WAIT_PIN: u32 = 1;
const WAIT_FLAG: u32 = 2;

/// Returns a count of bits, for which zero means 32.
fn bit_count(word: u32) -> u32 {
    match word & 0x1F {
        0 => 32,
        count => count,
    }
}

impl Machine {
    /// Executes an instruction, without its delay and side-set.
    #[inline]
    pub(super) fn execute(
        &mut self,
        word: u16,
        view: &View<'_>,
        shared: &mut Shared,
    ) -> InstructionOutcome {
        let word = u32::from(word);
        let operand = word >> 5 & 7;
        let outcome = match word >> 13 {
            0 => self.jump(operand, word & 0x1F, view),
            1 => self.wait(word, view, shared),
            2 => self.shift_in(operand, bit_count(word), view),
            3 => return self.shift_out(operand, bit_count(word), shared),
            4 if word & 0x80 == 0 => self.push(word),
            4 => return self.pull(word),
            5 => self.mov(word, view, shared),
            6 => self.interrupt(word, view, shared),
            _ => self.set(operand, word & 0x1F, shared),
        };
        self.refill_after();
        outcome
    }

    /// Executes autopull after an instruction of the program. A forced instruction leaves it to the
    /// next tick or OUT, so that forced OUTs empty the FIFO and the output shift register with it,
    /// as the SDK expects.
    fn refill_after(&mut self) {
        if !self.by_hand {
            self.refill();
        }
    }

    fn jump(&mut self, condition: u32, target: u32, view: &View<'_>) -> InstructionOutcome {
        let taken = match condition {
            0 => true,
            1 => self.x == 0,
            2 => post_decrement(&mut self.x) != 0,
            3 => self.y == 0,
            4 => post_decrement(&mut self.y) != 0,
            5 => self.x != self.y,
            6 => view.inputs.read(view.cycle, view.bypass) >> self.control.jump_pin() & 1 != 0,
            _ => self.output_count < self.control.pull_threshold(),
        };
        if taken { Jump(target) } else { Done }
    }

    fn wait(&mut self, word: u32, view: &View<'_>, shared: &mut Shared) -> InstructionOutcome {
        let high = word & 0x80 != 0;
        let pin = match word >> 5 & 3 {
            WAIT_GPIO => word & 0x1F,
            WAIT_PIN => (word + self.control.in_base()) & 0x1F,
            WAIT_FLAG => {
                let flag = self.flag(word);
                if (view.flags & flag != 0) != high {
                    return Stalled(Stall::OnOthers);
                }
                // WAIT 1 IRQ clears the flag.
                shared.cleared |= if high { flag } else { 0 };
                return Done;
            }
            // Reserved.
            _ => return Done,
        };
        let level = view.inputs.read(view.cycle, view.bypass) >> pin & 1 != 0;
        if level == high { Done } else { Stalled(Stall::OnPin(pin)) }
    }

    fn shift_in(&mut self, source: u32, count: u32, view: &View<'_>) -> InstructionOutcome {
        let total = (self.input_count + count).min(32);
        let pushes = self.control.pushes() && total >= self.control.push_threshold();
        if pushes && self.receive.is_full() {
            self.debug |= FDEBUG_RXSTALL;
            return Stalled(Stall::OnOthers);
        }
        // Only MOV has a status.
        let value = if source == 5 { 0 } else { self.source(source, view) } & ones(count);
        self.input = match (self.control.shifts_in_right(), count) {
            (_, 32) => value,
            (true, _) => self.input >> count | value << (32 - count),
            (false, _) => self.input << count | value,
        };
        self.input_count = total;
        if pushes {
            self.push_input();
        }
        Done
    }

    fn shift_out(
        &mut self,
        destination: u32,
        count: u32,
        shared: &mut Shared,
    ) -> InstructionOutcome {
        if self.control.pulls() && self.output_count >= self.control.pull_threshold() {
            // An available word is pulled now, and shifted out in the next tick.
            if self.refill() {
                return Stalled(Stall::Briefly);
            }
            self.debug |= FDEBUG_TXSTALL;
            return Stalled(Stall::OnOthers);
        }
        let value = match (self.control.shifts_out_right(), count) {
            (_, 32) => std::mem::take(&mut self.output),
            (true, _) => {
                let value = self.output & ones(count);
                self.output >>= count;
                value
            }
            (false, _) => {
                let value = self.output >> (32 - count);
                self.output <<= count;
                value
            }
        };
        self.output_count = (self.output_count + count).min(32);
        self.refill_after();
        match destination {
            0 => {
                let write = self.enabled_out(value);
                self.write_levels(write, shared);
            }
            1 => self.x = value,
            2 => self.y = value,
            4 => {
                let write = self.enabled_out(value);
                self.write_enables(write, shared);
            }
            5 => return Jump(value & 0x1F),
            6 => (self.input, self.input_count) = (value, count),
            7 => self.latch(value),
            _ => {}
        }
        Done
    }

    fn push(&mut self, word: u32) -> InstructionOutcome {
        let (if_full, block) = (word & 0x40 != 0, word & 0x20 != 0);
        if if_full && self.input_count < self.control.push_threshold() {
            return Done;
        }
        if self.receive.is_full() {
            self.debug |= FDEBUG_RXSTALL;
            if block {
                return Stalled(Stall::OnOthers);
            }
        }
        // A word without room is lost.
        self.push_input();
        Done
    }

    fn pull(&mut self, word: u32) -> InstructionOutcome {
        let (if_empty, block) = (word & 0x40 != 0, word & 0x20 != 0);
        let is_empty = self.output_count >= self.control.pull_threshold();
        // With autopull, PULL has no effect while the register is full.
        if if_empty && !is_empty || self.control.pulls() && self.output_count == 0 {
            return Done;
        }
        self.output = match self.transmit.pop() {
            Some(word) => {
                self.moves_words = true;
                word
            }
            None if block => {
                self.debug |= FDEBUG_TXSTALL;
                return Stalled(Stall::OnOthers);
            }
            None => self.x,
        };
        self.output_count = 0;
        Done
    }

    fn mov(&mut self, word: u32, view: &View<'_>, shared: &mut Shared) -> InstructionOutcome {
        let value = match self.source(word & 7, view) {
            value if word >> 3 & 3 == 1 => !value,
            value if word >> 3 & 3 == 2 => value.reverse_bits(),
            value => value,
        };
        match word >> 5 & 7 {
            0 => self.write_levels(self.control.out_pins(value), shared),
            1 => self.x = value,
            2 => self.y = value,
            4 => self.latch(value),
            5 => return Jump(value & 0x1F),
            6 => (self.input, self.input_count) = (value, 0),
            7 => (self.output, self.output_count) = (value, 0),
            _ => {}
        }
        Done
    }

    fn interrupt(&mut self, word: u32, view: &View<'_>, shared: &mut Shared) -> InstructionOutcome {
        let (clear, wait) = (word & 0x40 != 0, word & 0x20 != 0);
        let flag = self.flag(word);
        if clear {
            shared.cleared |= flag;
        } else if !wait {
            shared.raised |= flag;
        } else if !self.awaits_clear {
            self.awaits_clear = true;
            shared.raised |= flag;
            return Stalled(Stall::Briefly);
        } else if view.flags & flag != 0 {
            return Stalled(Stall::OnOthers);
        } else {
            self.awaits_clear = false;
        }
        Done
    }

    fn set(&mut self, destination: u32, value: u32, shared: &mut Shared) -> InstructionOutcome {
        match destination {
            0 => self.write_levels(self.control.set_pins_to(value), shared),
            1 => self.x = value,
            2 => self.y = value,
            4 => self.write_enables(self.control.set_pins_to(value), shared),
            _ => {}
        }
        Done
    }

    /// Returns the source operand of MOV and IN.
    fn source(&self, source: u32, view: &View<'_>) -> u32 {
        match source {
            0 => {
                let inputs = view.inputs.read(view.cycle, view.bypass);
                inputs.rotate_right(self.control.in_base())
            }
            1 => self.x,
            2 => self.y,
            5 => {
                let (receive, level) = self.control.status();
                let fifo = if receive { &self.receive } else { &self.transmit };
                if fifo.level() < level { !0 } else { 0 }
            }
            6 => self.input,
            7 => self.output,
            _ => 0,
        }
    }

    /// Returns the interrupt flag of an instruction. A relative one adds the number of the machine,
    /// in the lower two bits only.
    fn flag(&self, word: u32) -> u8 {
        let relative = if word & 0x10 != 0 { self.number } else { 0 };
        1 << (word & 4 | (word + relative) & 3)
    }

    /// Sets the instruction to execute next, instead of the one at the program counter. An
    /// instruction that a forced OUT or MOV latches is forced as well: a disabled machine executes
    /// both.
    fn latch(&mut self, value: u32) {
        self.latched = Some(value as u16);
        self.forced = self.by_hand;
    }

    fn push_input(&mut self) {
        self.moves_words |= self.receive.push(self.input);
        self.input = 0;
        self.input_count = 0;
    }

    /// Returns the write of OUT to pins, unless the inline output enable is clear.
    fn enabled_out(&self, value: u32) -> PinWrite {
        match self.control.inline_enable() {
            Some(bit) if value >> bit & 1 == 0 => PinWrite::default(),
            _ => self.control.out_pins(value),
        }
    }

    fn write_levels(&mut self, write: PinWrite, shared: &mut Shared) {
        self.last_write.levels = write;
        shared.outputs.levels = write.apply(shared.outputs.levels);
    }

    fn write_enables(&mut self, write: PinWrite, shared: &mut Shared) {
        self.last_write.enables = write;
        shared.outputs.enables = write.apply(shared.outputs.enables);
    }
}

fn post_decrement(register: &mut u32) -> u32 {
    let value = *register;
    *register = value.wrapping_sub(1);
    value
}
