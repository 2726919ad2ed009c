//! Machines that wait in a loop of jumps, counting: a program that measures how long a pin rests, or how long a pulse is.
//!
//! While the pin does not move, each round of such a loop does the same, and only X and Y go down. So many rounds at once cost no
//! more than one: the machine dozes, and catches up when the pin moves, when something looks at it, or when X or Y is about to
//! reach zero or the other one.

use super::{Machine, Rest, View};
use crate::chip::peripherals::pio::pins::PinWrites;

/// The longest round that is looked for, in instructions.
const LONGEST: u32 = 8;
/// Fewer ticks are executed one by one: it costs less than to find out what the machine does.
const WORTH_A_DOZE: u64 = 32;
/// After a look that was in vain, so many jumps back are not looked at.
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
/// The bits of an instruction without delay and side-set.
const OPERATION: u32 = 0xE0FF;

/// What a machine does again and again until a pin moves.
#[derive(Clone, Debug)]
pub(super) struct Doze {
    /// The pins whose change ends it, and their levels.
    pub(super) pins: u32,
    levels: u32,
    /// The cycle in which it ends by itself. The ticks until then are still to be taken from the divider.
    pub(super) end: u64,
    /// The ticks of a round, and what X and Y lose in it.
    period: u64,
    x: u32,
    y: u32,
    /// Side-set's pins, which are the same in every instruction.
    side: PinWrites,
}

impl Machine {
    /// Called behind a jump back, in `view.cycle`: it dozes from the next cycle on if it only counts. True if
    /// it then holds pins.
    pub(super) fn look_for_a_loop(&mut self, view: &View<'_>) -> bool {
        if self.unlooked > 0 {
            self.unlooked -= 1;
            return false;
        }
        let Some(doze) = self.spin(view) else {
            self.unlooked = UNLOOKED;
            return false;
        };
        self.stalled_side = doze.side;
        self.rest = Rest::Doze(doze);
        self.holds()
    }

    /// The round that it is in, if it is in one whose jumps depend on standing pins alone.
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
            // Side-set in every cycle is the same as pins that are held.
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
            pc = self.behind(pc, word, levels);
            if pc == self.pc {
                // So many rounds change the outcome of no jump.
                let lasts = |count: u32, step: u32| {
                    count.saturating_sub(1).checked_div(step).map_or(u64::MAX, u64::from)
                };
                let rounds = lasts(self.x, x).min(lasts(self.y, y));
                let rounds = match compares {
                    true => rounds.min(lasts(self.x.abs_diff(self.y), x + y)),
                    false => rounds,
                };
                // No loop lasts longer than all 32 bits of a register; one that lasts for ever ends later.
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

    /// The place behind the jump or NOP `word` at `pc`; X and Y are not zero if the loop counts them.
    fn behind(&self, pc: u32, word: u32, levels: u32) -> u32 {
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

    /// If it dozes, it wakes and has executed all cycles before `cycle`.
    #[cold]
    pub(super) fn wake_up(&mut self, cycle: u64, memory: &[u16; 32]) {
        let Rest::Doze(doze) = std::mem::replace(&mut self.rest, Rest::None) else { return };
        self.stalled_side = PinWrites::default();
        let ticks = self.divider.ticks_before(cycle);
        self.divider.skip(ticks);
        // The delay of the jump behind which it was found.
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
            self.pc = self.behind(from, word, doze.levels);
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
