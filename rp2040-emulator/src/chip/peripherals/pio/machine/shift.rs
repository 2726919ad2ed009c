//! Loops of two instructions that shift bits out to a pin: OUT PINS, 1, and a jump back to it, or a
//! NOP before the wrap.

use super::{Machine, Rest};
use crate::chip::peripherals::pio::divider::Pace;
use crate::chip::peripherals::pio::pins::Outputs;

const NOP: u32 = 0xA042;
/// Bits of an instruction without delay and side-set.
const OPERATION: u32 = 0xE0FF;

// Conditions of JMP (datasheet section 3.4.2).
const JMP_ALWAYS: u32 = 0;
const JMP_X_DEC: u32 = 2;
const JMP_Y_DEC: u32 = 4;
const JMP_NOT_OSRE: u32 = 7;

/// Fewest iterations that are worth it.
const FEWEST: u32 = 2;

/// Iterations of such a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::chip) struct Shift {
    /// Ticks of the machine's clock from the first instruction on.
    pace: Pace,
    /// Duration of an iteration in ticks, and that from its first instruction to its second.
    period: u32,
    half: u32,
    /// Number of iterations, 2 to 32.
    pub(in crate::chip) count: u32,
    /// The bits that are shifted out; the highest is the first.
    pub(in crate::chip) bits: u32,
    /// Mask of the pin that the bits are on.
    pub(in crate::chip) data: u32,
    /// Pins that may change.
    pub(in crate::chip) pins: u32,
    /// Levels of the outputs after the first and after the second instruction, with the data low.
    pub(in crate::chip) levels: [u32; 2],
}

impl Shift {
    /// Returns the number of cycles from the first instruction to the first or second one of an
    /// iteration.
    #[inline]
    pub(in crate::chip) fn cycles(&self, iteration: u32, is_second: bool) -> u64 {
        let ticks = iteration * self.period + if is_second { self.half } else { 0 };
        self.pace.cycles(ticks.into())
    }

    /// Returns the number of cycles of all iterations.
    #[inline]
    pub(in crate::chip::peripherals::pio) fn duration(&self) -> u64 {
        self.cycles(self.count, false)
    }

    /// Returns a bit by the number of its iteration.
    pub(in crate::chip) fn bit(&self, iteration: u32) -> bool {
        self.bits << (iteration & 31) >> 31 != 0
    }
}

impl Machine {
    /// Executes iterations that end before `end`, if the machine is due in `cycle` and begins such a
    /// loop, and `may` allows it for the pins. No word moves into or out of a FIFO in them.
    pub(in crate::chip::peripherals::pio) fn shift(
        &mut self,
        cycle: u64,
        end: u64,
        memory: &[u16; 32],
        outputs: Outputs,
        may: impl Fn(u32) -> bool,
    ) -> Option<Shift> {
        let is_plain = self.enabled
            && self.latched.is_none()
            && !self.urgent
            && self.delay == 0
            && matches!(self.rest, Rest::None)
            && !self.holds()
            && self.control.inline_enable().is_none();
        let data = self.control.out_pins(1).pins();
        if !is_plain || !data.is_power_of_two() || self.control.out_pins(!0).pins() != data {
            return None;
        }
        let start = self.pc;
        let second_at = self.after(start);
        let (first, second) = (
            u32::from(memory[start as usize & 0x1F]),
            u32::from(memory[second_at as usize & 0x1F]),
        );
        let next = self.after(second_at);
        let pulls = self.control.pulls();
        let threshold = self.control.pull_threshold();
        // Number of iterations after which the loop ends.
        let most = match second >> 5 & 7 {
            _ if second & OPERATION == NOP => (next == start).then_some(u32::MAX)?,
            _ if second >> 13 != 0 || second & 0x1F != start => return None,
            JMP_ALWAYS => u32::MAX,
            JMP_X_DEC => self.x.saturating_add(1),
            JMP_Y_DEC => self.y.saturating_add(1),
            JMP_NOT_OSRE => threshold.saturating_sub(self.output_count).max(1),
            _ => return None,
        };
        // The bit that reaches the threshold may pull the next word.
        let bits = match pulls {
            true => threshold.saturating_sub(self.output_count + 1),
            false => 32_u32.saturating_sub(self.output_count),
        };
        let (first_delay, first_side) = self.control.delay_and_side(first >> 8 & 0x1F);
        let (second_delay, second_side) = self.control.delay_and_side(second >> 8 & 0x1F);
        let pace = self.divider.pace();
        let period = 2 + first_delay + second_delay;
        let cycles = u32::try_from(end.saturating_sub(cycle)).unwrap_or(u32::MAX);
        let room = pace.ticks_within(cycles) / u64::from(period);
        let count = most.min(bits).min(u32::try_from(room).unwrap_or(u32::MAX));
        if count < FEWEST {
            return None;
        }
        let sides = first_side.levels.pins() | second_side.levels.pins();
        let of_directions = first_side.enables.pins() | second_side.enables.pins();
        if of_directions != 0 || sides & data != 0 || !may(sides | data) {
            return None;
        }
        let low = first_side.levels.apply(outputs.levels) & !data;
        let levels = [low, second_side.levels.apply(low)];
        // The first iteration changes the pins like all others.
        if first_side.levels.apply(levels[1]) != low {
            return None;
        }
        let bits = if self.control.shifts_out_right() {
            let bits = self.output.reverse_bits();
            self.output = self.output.checked_shr(count).unwrap_or_default();
            bits
        } else {
            let bits = self.output;
            self.output = self.output.checked_shl(count).unwrap_or_default();
            bits
        };
        self.output_count += count;
        match second >> 5 & 7 {
            _ if second & OPERATION == NOP => {}
            JMP_X_DEC => self.x = self.x.wrapping_sub(count),
            JMP_Y_DEC => self.y = self.y.wrapping_sub(count),
            _ => {}
        }
        if count == most {
            self.pc = next;
        }
        self.divider.skip(u64::from(count * period));
        let shift = Shift {
            pace,
            period,
            half: 1 + first_delay,
            count,
            bits,
            data,
            pins: sides | data,
            levels,
        };
        self.last_write.levels = self.control.out_pins(u32::from(shift.bit(count - 1)));
        Some(shift)
    }

    /// Returns the address after an instruction that does not jump.
    fn after(&self, address: u32) -> u32 {
        if address == self.control.wrap_top() {
            self.control.wrap_bottom()
        } else {
            (address + 1) & 0x1F
        }
    }
}
