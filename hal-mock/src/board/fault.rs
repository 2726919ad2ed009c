//! Faults of a board: a contact that sticks or bounces, a wire that picks up noise, power that is
//! cut at any time, a flash that loses power in the middle of an operation.
//!
//! Tests and traces inject these; to the firmware they look like real faults. Random numbers are
//! drawn from the board's seed. The module knows no trace and no firmware.
//!
//! A program compiled for this computer runs to the end of its step after the power was cut. In
//! that time its pins are dead and its clock is stopped: see [`Circuit::is_dead`].

use super::VirtualBoard;
use super::circuit::Circuit;
use super::contact::Contact;
use super::input::{Input, TypingFault};
use super::noise::Noise;
use crate::flash::{FlashError, PAGE_PROGRAM, PAGE_SIZE, SECTOR_ERASE, SECTOR_SIZE, Tear};
use trace::Button;
use virtual_time::{Instant, Nanos, Random};

/// Separates the noise on the wire from everything else that is drawn from the seed.
const WIRE: u64 = 0x5049_5F46_4C49_5053;

impl VirtualBoard {
    /// Closes the contact of `button` from `at` on, independently of the finger.
    pub fn stick(&self, at: Instant, button: Button) {
        self.report_input(Input::Stick { at, button });
        self.change_contact(button, |contact| contact.stick(at));
    }

    /// Sets the maximum bounce time of the contact of `button` for future movements.
    pub fn set_bounce(&self, button: Button, bounce: Nanos) {
        self.report_input(Input::SetBounce { button, bounce });
        self.change_contact(button, |contact| contact.set_bounce(bounce));
    }

    /// Makes the contact of `button` follow the finger from `at` on, with the board's configured
    /// bounce.
    pub fn heal_contact(&self, at: Instant, button: Button) {
        self.report_input(Input::HealContact { at, button });
        self.change_contact(button, |contact| contact.heal(at));
    }

    fn change_contact(&self, button: Button, change: impl FnOnce(&mut Contact)) {
        let circuit = &mut *self.0.borrow_mut();
        if let Some(contact) = circuit.contacts.get_mut(button.index()) {
            change(contact);
        }
        if !circuit.powered {
            circuit.settle_contacts();
        }
    }

    /// Inverts one bit of every `one_in` that the handle's display receives from now on; `None` and 0
    /// repair the wire. The linter of the display is silent from the first inverted bit to the next power-on, because the
    /// display does not receive what the firmware sent.
    pub fn flip_bits(&self, one_in: Option<u32>) {
        let display = self.1;
        self.report_input(Input::FlipBits { display, one_in });
        let circuit = &mut *self.0.borrow_mut();
        let noise = one_in.filter(|one_in| *one_in > 0).map(|one_in| {
            let mut random = Random::new(circuit.seed ^ WIRE);
            random.stir(circuit.now.0);
            if display > 0 {
                random.stir(display as u64);
            }
            Noise { one_in, random }
        });
        circuit.set_noise(display, noise);
    }

    /// Gives the console's receiver a fault, for bytes that are typed from now on; `None` repairs
    /// it.
    pub fn set_typing_fault(&self, fault: Option<TypingFault>) {
        self.report_input(Input::TypingFault(fault));
        self.0.borrow_mut().typing.set_fault(fault);
    }

    /// Makes every bit of the source of noise 0 from now on, as if its oscillator stood still; or
    /// lets it continue where it was stuck.
    pub fn stick_noise(&self, stuck: bool) {
        self.report_input(Input::StickNoise(stuck));
        self.0.borrow_mut().entropy.stick(stuck);
    }

    /// Cuts the power at `at`, whatever the firmware does then: a byte that is not completely on
    /// the wire is not received, a program or erasure of the flash is left torn. If the clock is
    /// past `at`, the power is cut now. A planned cut is discarded when the power is lost earlier.
    pub fn cut_power_at(&self, at: Instant) {
        self.report_input(Input::CutPower { at });
        let circuit = &mut *self.0.borrow_mut();
        circuit.cut_at = Some(at);
        circuit.cut_if_due(circuit.now);
    }

    /// Cuts the power once `bytes` more bytes of the flash have been programmed or erased (a sector
    /// counts 4096); the operation that needs one more is left torn.
    pub fn cut_flash_after(&self, bytes: u64) {
        self.report_input(Input::CutFlash { after: bytes });
        let circuit = &mut *self.0.borrow_mut();
        circuit.flash.set_tear(Tear::Ragged { seed: circuit.seed });
        circuit.flash.cut_after(bytes);
    }

    /// Discards the cut that [`cut_flash_after`](Self::cut_flash_after) has planned.
    pub fn cancel_flash_cut(&self) {
        self.report_input(Input::CancelFlashCut);
        self.0.borrow_mut().flash.cancel_cut();
    }

    /// Makes the flash ignore every program and erasure from now on, as if it were write-protected; or
    /// carry them out again. Each still takes its time.
    pub fn stick_flash(&self, stuck: bool) {
        self.report_input(Input::StickFlash(stuck));
        self.0.borrow_mut().flash.stick(stuck);
    }

    /// Returns whether [`stick_flash`](Self::stick_flash) makes the flash ignore every program and
    /// erasure.
    pub fn flash_is_stuck(&self) -> bool {
        self.0.borrow().flash.is_stuck()
    }
}

impl Circuit {
    /// Returns whether the power was cut under firmware that still runs.
    pub(super) fn is_dead(&self) -> bool {
        self.cut
    }

    /// Advances the clock by `span`, unless the power was cut.
    pub(super) fn delay(&mut self, span: Nanos) {
        if !self.is_dead() {
            self.advance_to(self.now.saturating_add(span));
        }
    }

    /// Cuts the power if that is planned by `now`, and returns whether it did. The clock is then at
    /// the planned time, or unchanged if it was later.
    pub(super) fn cut_if_due(&mut self, now: Instant) -> bool {
        let Some(at) = self.cut_at.filter(|at| *at <= now && self.powered) else { return false };
        self.now = self.now.max(at);
        self.lose_power();
        true
    }

    /// Cuts the power now, under the running firmware.
    pub(super) fn lose_power(&mut self) {
        self.switch_off();
        self.cut = true;
        self.flash.lose_power();
    }

    /// Returns how many of `bytes`, on the wire from `start` to `end`, are received before the
    /// power is cut.
    pub(super) fn received(&mut self, start: Instant, end: Instant, bytes: usize) -> usize {
        let Some(at) = self.cut_at.filter(|at| *at < end && self.powered) else { return bytes };
        let (sent, whole) = (at.0.saturating_sub(start.0), (end.0 - start.0).max(1));
        (bytes as u128 * u128::from(sent) / u128::from(whole)) as usize
    }

    /// Ends a transfer from `start` to `end`: the clock is at `end`, or the power was cut in the
    /// middle.
    pub(super) fn bus_is_free(&mut self, start: Instant, end: Instant) {
        self.now = start;
        if !self.cut_if_due(end) {
            self.now = end;
        }
    }

    /// Returns the bytes that the LCD receives when `bytes` are sent; `None` if they are the same.
    #[inline]
    pub(super) fn disturbed(&mut self, bytes: &[u8]) -> Option<Vec<u8>> {
        let arrived = self.noise.as_mut()?.disturb(bytes)?;
        self.lcd.mute_linter();
        Some(arrived)
    }

    /// Programs like [`FlashChip::program`](crate::flash::FlashChip::program), and spends the time
    /// on the board's clock.
    pub(super) fn program_flash(&mut self, offset: u32, bytes: &[u8]) -> Result<(), FlashError> {
        self.plan_flash_cut(|span| {
            let page_of = |at: usize| (offset as usize + at) / PAGE_SIZE;
            let (mut left, mut done) = (span, 0);
            while done < bytes.len() {
                let end = (done..bytes.len()).find(|at| page_of(*at) != page_of(done));
                let page = end.unwrap_or(bytes.len()) - done;
                if left < PAGE_PROGRAM {
                    return Some((done as u64) + page as u64 * left.0 / PAGE_PROGRAM.0);
                }
                left = left.saturating_sub(PAGE_PROGRAM);
                done += page;
            }
            None
        });
        let busy = self.flash.program(offset, bytes);
        self.spend_flash_time(busy)
    }

    /// Erases like [`FlashChip::erase`](crate::flash::FlashChip::erase), and spends the time on the
    /// board's clock.
    pub(super) fn erase_flash(&mut self, from: u32, to: u32) -> Result<(), FlashError> {
        self.plan_flash_cut(|span| {
            let whole = u64::from(to.saturating_sub(from));
            let done = u128::from(span.0) * SECTOR_SIZE as u128 / u128::from(SECTOR_ERASE.0);
            u64::try_from(done).ok().filter(|done| *done < whole)
        });
        let busy = self.flash.erase(from, to);
        self.spend_flash_time(busy)
    }

    /// Plans the flash's power cut if the board's is planned. `bytes_in` returns how many bytes of
    /// the next operation fit into a span, `None` if all do.
    fn plan_flash_cut(&mut self, bytes_in: impl FnOnce(Nanos) -> Option<u64>) {
        let Some(at) = self.cut_at.filter(|_| self.powered) else { return };
        if let Some(bytes) = bytes_in(at.max(self.now).saturating_since(self.now)) {
            self.flash.set_tear(Tear::Ragged { seed: self.seed });
            let planned = self.flash.bytes_left().map_or(bytes, |left| left.min(bytes));
            self.flash.cut_after(planned);
        }
    }

    fn spend_flash_time(&mut self, busy: Result<Nanos, FlashError>) -> Result<(), FlashError> {
        match busy {
            Ok(busy) => self.advance_to(self.now.saturating_add(busy)),
            Err(FlashError::PowerLost { .. }) if self.powered => {
                self.now = self.now.max(self.cut_at.unwrap_or_default());
                self.lose_power();
            }
            Err(_) => {}
        }
        busy.map(drop)
    }
}

#[cfg(test)]
mod tests;
