//! Machines that count in a loop of jumps until a pin changes, as in a program that measures for
//! how long a pin rests, or the length of a pulse.
//!
//! While the pin does not change, each iteration of such a loop does the same, and only X and Y
//! decrease. Many iterations at once cost no more than one: the machine dozes, and catches up when
//! the pin changes, when its state is read, or when X or Y is about to reach zero or the other
//! register.

use super::{Machine, Rest, View};
use crate::chip::peripherals::pio::pins::PinWrites;

/// Longest iteration that is searched for, in instructions.
const LONGEST: u32 = 8;
/// Smallest number of ticks worth a doze. Fewer are executed one by one, which costs less than
/// finding the loop.
const WORTH_A_DOZE: u64 = 32;
/// Number of jumps back for which the search is skipped after it has failed once.
const UNLOOKED: u8 = 16;

// Conditions of JMP (datasheet section 3.4.2).
const JMP_ALWAYS: u32 = 0;
const JMP_NOT_X: u32 = 1;
const JMP_X_DEC: u32 = 2;
const JMP_NOT_Y: u32 = 3;
const JMP_Y_DEC: u32 = 4;
const JMP_X_NE_Y: u32 = 5;
const JMP_PIN: u32 = 6;

/// MOV Y, Y: the assembler's NOP.
const NOP: u32 = 0xA042;
/// Bits of an instruction without delay and side-set.
const OPERATION: u32 = 0xE0FF;

/// A loop that a machine repeats until a pin changes.
#[derive(Clone, Debug)]
pub(super) struct Doze {
    /// Pins whose change ends the loop; `levels` are their levels.
    pub(super) pins: u32,
    levels: u32,
    /// Cycle in which the loop ends by itself. The ticks until then have not been subtracted from
    /// the divider yet.
    pub(super) end: u64,
    /// Number of ticks of an iteration; the decrements of X and Y in it follow.
    period: u64,
    x: u32,
    y: u32,
    /// Writes of the side-set, which are the same in every instruction.
    side: PinWrites,
}

impl Machine {
    /// Handles a jump back in `view.cycle`: the machine dozes from the next cycle on if it only
    /// counts. Returns true if it then holds pins.
    pub(super) fn search_loop(&mut self, view: &View<'_>) -> bool {
        if self.skipped_searches > 0 {
            self.skipped_searches -= 1;
            return false;
        }
        let Some(doze) = self.spin(view) else {
            self.skipped_searches = UNLOOKED;
            return false;
        };
        self.stalled_side = doze.side;
        self.rest = Rest::Doze(doze);
        self.holds()
    }

    /// Returns the loop that the machine is in, if its jumps depend only on pins that are constant.
    fn spin(&self, view: &View<'_>) -> Option<Doze> {
        let plain = self.enabled
            && self.latched.is_none()
            && !self.urgent
            && !self.holds()
            && !self.control.pulls();
        if !plain {
            return None;
        }
        let since = view.cycle + 1;
        let levels = view.inputs.read(since, view.bypass);
        let (mut pc, mut period, mut pins) = (self.pc, 0, 0);
        let (mut x, mut y, mut compares) = (0, 0, false);
        let mut sides = None;
        for _ in 0..LONGEST {
            let word = u32::from(view.memory[pc as usize]);
            let (delay, side) = self.control.delay_and_side(word >> 8 & 0x1F);
            // Side-set in every cycle is equivalent to pins that are held.
            let is_held = side.is_empty() || self.delay + delay == 0 && self.divider.is_whole();
            if *sides.get_or_insert(side) != side || !is_held {
                return None;
            }
            match word >> 5 & 7 {
                _ if word & OPERATION == NOP => {}
                _ if word >> 13 != 0 => return None,
                JMP_X_DEC => x += 1,
                JMP_Y_DEC => y += 1,
                JMP_X_NE_Y => compares = true,
                JMP_PIN => pins = 1 << self.control.jump_pin(),
                _ => {}
            }
            period += 1 + u64::from(delay);
            pc = self.next_address(pc, word, levels);
            if pc == self.pc {
                // Number of iterations that change the outcome of no jump.
                let lasts = |count: u32, step: u32| {
                    count.saturating_sub(1).checked_div(step).map_or(u64::MAX, u64::from)
                };
                let rounds = lasts(self.x, x).min(lasts(self.y, y));
                let rounds = match compares {
                    true => rounds.min(lasts(self.x.abs_diff(self.y), x + y)),
                    false => rounds,
                };
                // A counting loop ends after at most 2^32 - 1 iterations; an endless one is ended
                // at that point and found again.
                let ticks = rounds.min(u32::MAX.into()) * period;
                if ticks < WORTH_A_DOZE || !view.inputs.stand(pins, since) {
                    return None;
                }
                let ticks = u64::from(self.delay) + ticks;
                let end = if rounds == u64::MAX { u64::MAX } else { self.divider.after(ticks) };
                let side = sides.unwrap_or_default();
                return Some(Doze { pins, levels, end, period, x, y, side });
            }
        }
        None
    }

    /// Returns the address after the jump or NOP `word` at `pc`; X and Y are not zero if the loop
    /// counts them.
    fn next_address(&self, pc: u32, word: u32, levels: u32) -> u32 {
        let taken = match word >> 5 & 7 {
            _ if word & OPERATION == NOP => false,
            JMP_ALWAYS | JMP_X_DEC | JMP_Y_DEC => true,
            JMP_NOT_X => self.x == 0,
            JMP_NOT_Y => self.y == 0,
            JMP_X_NE_Y => self.x != self.y,
            JMP_PIN => levels >> self.control.jump_pin() & 1 != 0,
            _ => self.output_count < self.control.pull_threshold(),
        };
        match taken {
            true => word & 0x1F,
            false if pc == self.control.wrap_top() => self.control.wrap_bottom(),
            false => (pc + 1) & 0x1F,
        }
    }

    /// Wakes the machine if it dozes, in the state after all cycles before `cycle`.
    #[cold]
    pub(super) fn wake_up(&mut self, cycle: u64, memory: &[u16; 32]) {
        let Rest::Doze(doze) = std::mem::replace(&mut self.rest, Rest::None) else { return };
        self.stalled_side = PinWrites::default();
        let ticks = self.divider.ticks_before(cycle);
        self.divider.skip(ticks);
        // The delay of the jump after which the loop was found.
        let delayed = ticks.min(self.delay.into());
        self.delay -= delayed as u32;
        let ticks = ticks - delayed;
        let rounds = (ticks / doze.period) as u32;
        self.x -= doze.x * rounds;
        self.y -= doze.y * rounds;
        let mut rest = (ticks % doze.period) as u32;
        while rest != 0 {
            let word = u32::from(memory[self.pc as usize]);
            let from = self.pc;
            self.pc = self.next_address(from, word, doze.levels);
            match word >> 5 & 7 {
                _ if word & OPERATION == NOP => {}
                JMP_X_DEC => self.x -= 1,
                JMP_Y_DEC => self.y -= 1,
                _ => {}
            }
            let (delay, _) = self.control.delay_and_side(word >> 8 & 0x1F);
            rest -= 1;
            self.delay = delay.saturating_sub(rest);
            rest = rest.saturating_sub(delay);
        }
    }
}
