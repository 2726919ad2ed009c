//! Machines that wait in a loop of jumps, counting: a program that measures how long a pin rests.
//!
//! While the pin does not move, each round of such a loop does the same, and only X and Y go down. So many rounds at once cost no
//! more than one: the machine dozes, and catches up when the pin moves, when something looks at it, or when X or Y is about to
//! reach zero.

use super::{Machine, View};

/// The longest round that is looked for, in ticks.
const LONGEST: u64 = 8;
/// Fewer cycles are executed one by one: it costs less than to find out what the machine does.
const WORTH_A_DOZE: u64 = 32;
/// After a look that was in vain, so many jumps back are not looked at.
const UNLOOKED: u8 = 16;

const JMP_X_DEC: u32 = 2;
const JMP_Y_DEC: u32 = 4;
const JMP_PIN: u32 = 6;

/// What a machine does again and again until a pin moves.
#[derive(Clone, Debug)]
pub(super) struct Doze {
    /// The pins whose change ends it, and their levels.
    pub(super) pins: u32,
    levels: u32,
    /// The first cycle that has not been executed.
    since: u64,
    /// The cycle in which it ends by itself.
    pub(super) end: u64,
    /// The cycles of a round, and what X and Y lose in it.
    period: u64,
    x: u32,
    y: u32,
}

impl Machine {
    /// Called behind a jump back, in `view.cycle`: it dozes from the next cycle on if it only counts.
    pub(super) fn look_for_a_loop(&mut self, view: &View<'_>) {
        if self.unlooked > 0 {
            self.unlooked -= 1;
            return;
        }
        self.doze = self.spin(view);
        self.unlooked = if self.doze.is_some() { 0 } else { UNLOOKED };
    }

    /// The round that it is in, if it is in one whose jumps depend on standing pins alone and whose clock is
    /// the system clock.
    fn spin(&self, view: &View<'_>) -> Option<Doze> {
        let plain = self.enabled
            && self.delay == 0
            && self.latched.is_none()
            && !self.urgent
            && !self.holds()
            && !self.control.pulls()
            && self.divider.is_whole();
        if !plain {
            return None;
        }
        let since = view.cycle + 1;
        let levels = view.inputs.read(since, view.bypass);
        let (mut pc, mut x, mut y, mut pins) = (self.pc, 0, 0, 0);
        for period in 1..=LONGEST {
            let word = u32::from(view.memory[pc as usize]);
            let side = self.control.delay_and_side(word >> 8 & 0x1F);
            if word >> 13 != 0 || side.0 != 0 || side.1.is_some() {
                return None;
            }
            match word >> 5 & 7 {
                0 => {}
                JMP_X_DEC => x += 1,
                JMP_Y_DEC => y += 1,
                JMP_PIN => pins = 1 << self.control.jump_pin(),
                _ => return None,
            }
            pc = self.behind(pc, word, levels);
            if pc == self.pc {
                let lasts = |count: u32, step: u32| {
                    count.saturating_sub(1).checked_div(step).map_or(u64::MAX, u64::from)
                };
                let rounds = lasts(self.x, x).min(lasts(self.y, y));
                let span = rounds.saturating_mul(period);
                let is_worth_it = span >= WORTH_A_DOZE && view.inputs.stand(pins, since);
                let end = since.saturating_add(span);
                return is_worth_it.then_some(Doze { pins, levels, since, end, period, x, y });
            }
        }
        None
    }

    /// The place behind the jump `word` at `pc`, whose X or Y is not zero.
    fn behind(&self, pc: u32, word: u32, levels: u32) -> u32 {
        let taken = word >> 5 & 7 != JMP_PIN || levels >> self.control.jump_pin() & 1 != 0;
        match taken {
            true => word & 0x1F,
            false if pc == self.control.wrap_top() => self.control.wrap_bottom(),
            false => (pc + 1) & 0x1F,
        }
    }

    /// If it dozes, it wakes and has executed all cycles before `cycle`.
    pub(in crate::chip::peripherals::pio) fn catch_up(&mut self, cycle: u64, memory: &[u16; 32]) {
        let Some(doze) = self.doze.take() else { return };
        let ticks = cycle.saturating_sub(doze.since);
        let rounds = (ticks / doze.period) as u32;
        self.x -= doze.x * rounds;
        self.y -= doze.y * rounds;
        for _ in 0..ticks % doze.period {
            let word = u32::from(memory[self.pc as usize]);
            match word >> 5 & 7 {
                JMP_X_DEC => self.x -= 1,
                JMP_Y_DEC => self.y -= 1,
                _ => {}
            }
            self.pc = self.behind(self.pc, word, doze.levels);
        }
    }
}
