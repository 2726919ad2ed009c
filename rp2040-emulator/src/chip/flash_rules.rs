//! Rules for the ROM functions that erase and program the flash (datasheet section 2.8.3.1.3).

use super::Chip;
use super::native::{PAGE, SECTOR};
use super::rom::Call;
use super::rules::{Detail, Rule};
use crate::cpu::bus::{Access, Width};
use crate::cpu::memory::{FLASH_BASE, RAM_BASE};

/// Returns whether an address is in a window of the flash.
fn is_of_flash(address: u32) -> bool {
    (FLASH_BASE..RAM_BASE).contains(&address) && address >> 26 == FLASH_BASE >> 26
}

impl Chip {
    /// Checks a call of a ROM function by core `number`, and notes whether the flash can be read
    /// after it.
    pub(super) fn check_rom_call(&mut self, number: usize, call: Call) {
        match call {
            Call::FlashExitXip | Call::FlashRangeErase | Call::FlashRangeProgram => {
                self.devices.flash.set_serial(true);
            }
            Call::FlashEnterXip => return self.devices.flash.set_serial(false),
            _ => return,
        }
        let access = self.rom_caller(number);
        if is_of_flash(access.pc) {
            self.devices.findings.add(Rule::FlashCallFromFlash, access, None);
        }
        self.check_flash_range(number, call, access);
    }

    /// Checks the arguments of the functions that erase and program.
    fn check_flash_range(&mut self, number: usize, call: Call, access: Access) {
        let [offset, second, third] = [0, 1, 2].map(|at| self.cores[number].register(at));
        let (unit, length) = match call {
            Call::FlashRangeErase => (SECTOR, second),
            Call::FlashRangeProgram => (PAGE, third),
            _ => return,
        };
        if !offset.is_multiple_of(unit) || !length.is_multiple_of(unit) {
            let detail = Some(Detail::Address(offset));
            self.devices.findings.add(Rule::FlashRange, access, detail);
        }
        if matches!(call, Call::FlashRangeProgram) && is_of_flash(second) {
            let detail = Some(Detail::Address(second));
            self.devices.findings.add(Rule::FlashSource, access, detail);
        }
    }

    /// Ends an operation of the flash that is over at the turn of core `number`, and checks whether
    /// an interrupt has become due while that core waited for it.
    #[inline(always)]
    pub(super) fn end_flash_operation(&mut self, number: usize) {
        if self.devices.flash.is_under_way() {
            self.check_flash_interrupt(number);
        }
    }

    fn check_flash_interrupt(&mut self, number: usize) {
        if !self.devices.flash.end(number, self.cores[number].cycles()) {
            return;
        }
        let handler = self.cores[number].due_handler(&self.memory, &mut self.devices);
        let Some((vector, handler)) = handler else { return };
        if is_of_flash(vector) || is_of_flash(handler) {
            let access = self.rom_caller(number);
            let detail = Some(Detail::Address(handler & !1));
            self.devices.findings.add(Rule::FlashInterrupt, access, detail);
        }
    }

    /// Returns an access at the call of the ROM function in which core `number` is.
    fn rom_caller(&self, number: usize) -> Access {
        let core = &self.cores[number];
        let pc = (core.register(14) & !1).wrapping_sub(2);
        Access { core: number as u8, address: pc, width: Width::Half, cycle: core.cycles(), pc }
    }
}
