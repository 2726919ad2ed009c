//! Machines that wait in a loop of jumps, counting: a program that measures how long a pin rests.
//!
//! While no pin moves, each round of such a loop does the same, and only X and Y go down. So many
//! rounds at once cost no more than one.

use super::{Machine, View};

/// The longest round that is looked for, in ticks.
const LONGEST: u64 = 8;

const JMP_X_DEC: u32 = 2;
const JMP_Y_DEC: u32 = 4;
const JMP_PIN: u32 = 6;

/// What a machine does again and again until a pin moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::chip::peripherals::pio) struct Spin {
    /// The cycles of a round.
    pub(in crate::chip::peripherals::pio) period: u64,
    /// How many rounds there are at most, before X or Y reach zero.
    pub(in crate::chip::peripherals::pio) rounds: u64,
    x: u32,
    y: u32,
}

impl Machine {
    /// The round that it is in, if it is in one whose jumps depend on settled pins alone and whose clock is
    /// the system clock.
    pub(in crate::chip::peripherals::pio) fn spin(&self, view: &View<'_>) -> Option<Spin> {
        let plain = self.delay == 0
            && self.latched.is_none()
            && !self.urgent
            && !self.holds()
            && !self.control.pulls()
            && self.divider.is_whole();
        if !plain {
            return None;
        }
        let pins = view.inputs.read(view.cycle, view.bypass);
        let (mut pc, mut x, mut y) = (self.pc, 0, 0);
        for period in 1..=LONGEST {
            let word = u32::from(view.memory[pc as usize]);
            let side = self.control.delay_and_side(word >> 8 & 0x1F);
            if word >> 13 != 0 || side.0 != 0 || side.1.is_some() {
                return None;
            }
            let taken = match word >> 5 & 7 {
                0 => true,
                JMP_X_DEC => {
                    x += 1;
                    true
                }
                JMP_Y_DEC => {
                    y += 1;
                    true
                }
                JMP_PIN => pins >> self.control.jump_pin() & 1 != 0,
                _ => return None,
            };
            pc = match taken {
                true => word & 0x1F,
                false if pc == self.control.wrap_top() => self.control.wrap_bottom(),
                false => (pc + 1) & 0x1F,
            };
            if pc == self.pc {
                let lasts = |count: u32, step: u32| {
                    count.saturating_sub(1).checked_div(step).map_or(u64::MAX, u64::from)
                };
                let rounds = lasts(self.x, x).min(lasts(self.y, y));
                return (rounds > 0).then_some(Spin { period, rounds, x, y });
            }
        }
        None
    }

    /// Executes so many rounds.
    pub(in crate::chip::peripherals::pio) fn skip(&mut self, spin: &Spin, rounds: u64) {
        // There are not more than keep X and Y above zero.
        self.x -= spin.x * rounds as u32;
        self.y -= spin.y * rounds as u32;
    }
}
