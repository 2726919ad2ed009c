//! Executes `fault` lines on the board.
//!
//! Contacts fail at their exact nanosecond, as buttons are pressed. The wire fails between two
//! steps of the firmware. A power cut comes at its exact nanosecond, in the middle of a step,
//! because the board gets it one line ahead ([`Run::plan_power_cut`]).
//!
//! Contacts and the wire can get faults without power. A fault that needs power, after a cut in the
//! flash has switched it off, fails its line and does nothing.

use super::{Run, Stop};
use crate::board::TypingFault;
use crate::replay::failure::FailureCause;
use crate::replay::goldens::Event;
use trace::{Action, BoardFault, Line, Place, When};
use virtual_time::Instant;

impl Run<'_> {
    /// Plans the power cut of the line after one that begins `at`: the firmware may be in the
    /// middle of a step at that time. After a line that waits the time is not known yet.
    pub(super) fn plan_power_cut(&mut self, at: Instant, action: &Action, next: Option<&Line>) {
        let Some(Line { when, action: Action::Fault(BoardFault::PowerCut), .. }) = next else {
            return;
        };
        if self.state.cut_is_planned {
            return;
        }
        let cut = match (*when, action) {
            (_, action) if action.longest_wait().is_some() => return,
            (When::After(span), _) => at.saturating_add(span),
            (When::At(at), _) => at,
        };
        // A board without power has nothing to lose: the cut would stay planned until the next
        // power-on, and switch that off.
        let has_power = self.board().is_powered() || *action == Action::PowerOn;
        // A board that cannot be stopped may be past that time; the cut is then executed with its
        // line.
        let in_time = self.board().inputs_from().is_none_or(|from| from <= cut);
        if has_power && in_time && self.options.until.is_none_or(|until| cut <= until) {
            self.board().cut_power_at(cut);
            self.state.cut_is_planned = true;
        }
    }

    pub(super) fn fault(
        &mut self,
        at: Instant,
        line: &Line,
        fault: BoardFault,
    ) -> Result<(), Stop> {
        self.goldens.happened(at, Event::Fault(fault));
        match fault {
            BoardFault::Stuck(button) => {
                self.apply_releases(at);
                self.board().stick(at, button);
                self.state.last_input = self.state.last_input.max(at);
                self.reach(at)
            }
            BoardFault::NoContactFault(button) => {
                self.apply_releases(at);
                self.board().heal_contact(at, button);
                self.state.last_input = self.state.last_input.max(at);
                self.reach(at)
            }
            BoardFault::Bounce { button, bounce } => {
                self.reach(at)?;
                self.board().set_bounce(button, bounce);
                Ok(())
            }
            BoardFault::SpiFlip { one_in, .. } => {
                self.reach(at)?;
                self.screen().flip_bits(Some(one_in));
                Ok(())
            }
            BoardFault::NoSpiFault { .. } => {
                self.reach(at)?;
                self.screen().flip_bits(None);
                Ok(())
            }
            BoardFault::UartLose { one_in } => {
                self.typing_fault(at, Some(TypingFault::Lose { one_in }))
            }
            BoardFault::UartGarble { one_in } => {
                self.typing_fault(at, Some(TypingFault::Garble { one_in }))
            }
            BoardFault::NoUartFault => self.typing_fault(at, None),
            BoardFault::NoiseStuck => self.stick_noise(at, true),
            BoardFault::NoNoiseFault => self.stick_noise(at, false),
            BoardFault::PowerCut => {
                let is_known = std::mem::take(&mut self.state.cut_is_planned);
                if !is_known && self.board().is_powered() {
                    self.board().cut_power_at(at);
                }
                self.reach(at)?;
                if self.fail_without_power(at, line, fault) {
                    return Ok(());
                }
                // The board has lost its power; the machine must be switched off too.
                self.machine.power_off();
                self.state.heard.input(line, self.machine.board().now());
                self.look();
                self.state.last_input = self.state.last_input.max(at);
                Ok(())
            }
            BoardFault::FlashCut { after } => {
                self.reach(at)?;
                if self.fail_without_power(at, line, fault) {
                    return Ok(());
                }
                self.board().cut_flash_after(u64::from(after));
                Ok(())
            }
            BoardFault::NoFlashFault => {
                self.reach(at)?;
                if self.fail_without_power(at, line, fault) {
                    return Ok(());
                }
                self.board().cancel_flash_cut();
                self.board().stick_flash(false);
                Ok(())
            }
            BoardFault::FlashStuck => {
                self.reach(at)?;
                self.board().stick_flash(true);
                Ok(())
            }
        }
    }

    fn typing_fault(&mut self, at: Instant, fault: Option<TypingFault>) -> Result<(), Stop> {
        self.reach(at)?;
        self.board().set_typing_fault(fault);
        Ok(())
    }

    fn stick_noise(&mut self, at: Instant, stuck: bool) -> Result<(), Stop> {
        self.reach(at)?;
        self.board().stick_noise(stuck);
        Ok(())
    }

    /// Fails the line and returns true if the power was lost before `at`. The cut of `fault power
    /// cut` itself comes at `at` or, if it was not planned one line ahead, later.
    fn fail_without_power(&mut self, at: Instant, line: &Line, fault: BoardFault) -> bool {
        let Some(off_since) = self.board().off_since().filter(|since| *since < at) else {
            return false;
        };
        self.fail_with_text(line.place, at, FailureCause::FaultWithoutPower { fault, off_since });
        true
    }

    /// Fails a `power on` while a cut in the flash is still planned.
    pub(super) fn power_is_on(&mut self, at: Instant, place: Place) -> Stop {
        let bytes_left = self.board().with_flash(|flash| flash.bytes_left());
        self.fail_with_text(place, at, FailureCause::PowerOn { bytes_left });
        Stop::Failed
    }
}
