//! The boot ROM's functions, executed by the host.
//!
//! A function has its effects when it is called; its duration passes in the turns of the core, so
//! that a run can end within it.
//!
//! The functions follow the datasheet. Copying and filling reach devices too, such as the USB
//! controller's RAM; the other functions treat a pointer to a device as invalid. The flash
//! functions take the typical times of a W25Q16.

use super::Chip;
use super::debug_port::HALTED;
use super::devices::Devices;
use super::flash_change::FlashChange;
use super::rom::Call;
use crate::cpu::bus::{Access, Bus, Width};
use crate::cpu::memory::Memory;

pub(super) const SECTOR: u32 = 4096;
const BLOCK: u32 = 65536;
pub(super) const PAGE: u32 = 256;
const ERASE_SECTOR_NS: u64 = 45_000_000;
const ERASE_BLOCK_NS: u64 = 150_000_000;
const PROGRAM_PAGE_NS: u64 = 400_000;

impl Chip {
    /// Executes the function of UDF `number`. If it is not modelled, its name is the error.
    pub(super) fn native_call(&mut self, core: usize, number: u16) -> Result<(), &'static str> {
        let call = Call::new(number).ok_or("of a deprecated entry or an unknown number")?;
        self.check_rom_call(core, call);
        let [a, b, c] = [0, 1, 2].map(|number| self.cores[core].register(number));
        // What was read ahead of time may change.
        self.devices.catch_up(self.cores[core].cycles());
        let memory = &mut self.memory;
        let stuck = self.flash_is_stuck;
        let mut changes = vec![];
        let (mut result, mut upper, mut bytes, mut ns) = (None, None, 0, 0);
        match call {
            Call::TableLookup => result = Some(look_up(memory, a, b)),
            Call::Popcount => result = Some(a.count_ones()),
            Call::Reverse => result = Some(a.reverse_bits()),
            Call::CountLeadingZeros => result = Some(a.leading_zeros()),
            Call::CountTrailingZeros => result = Some(a.trailing_zeros()),
            Call::Memset => {
                let (cycle, pc) = (self.cores[core].cycles(), self.cores[core].pc());
                let mut reach = Reach { memory, devices: &mut self.devices, core, cycle, pc };
                for (offset, width) in steps(a, within(a, c)) {
                    reach.store(a.wrapping_add(offset), width, (b & 0xFF) * 0x0101_0101);
                }
                bytes = c;
            }
            Call::Memcpy => {
                let (cycle, pc) = (self.cores[core].cycles(), self.cores[core].pc());
                let mut reach = Reach { memory, devices: &mut self.devices, core, cycle, pc };
                for (offset, width) in steps(a | b, within(a, c)) {
                    let value = reach.load(b.wrapping_add(offset), width);
                    reach.store(a.wrapping_add(offset), width, value);
                }
                bytes = c;
            }
            Call::FlashRangeErase => ns = erase(memory, stuck, &mut changes, a, b),
            Call::FlashRangeProgram => {
                ns = program(memory, stuck, &mut changes, a, b, c);
            }
            Call::FlashExitXip => self.devices.ssi.enter_serial_mode(),
            Call::FlashFlushCache => self.devices.cache.flush(),
            Call::ConnectInternalFlash | Call::FlashEnterXip => {}
            Call::Float(float) => {
                let (lower, higher) = float.call([a, b, c, self.cores[core].register(3)]);
                (result, upper) = (Some(lower), higher);
            }
            Call::UsbBoot => return Err("_reset_to_usb_boot"),
            Call::WaitForVector if core == 1 => {
                self.devices.send_core_1_to_rom();
                return Ok(());
            }
            Call::WaitForVector => return Err("_wait_for_vector"),
            Call::Reset if core == 0 => {
                self.cores[0].idle(call.cycles(0));
                return self.boot().map_err(|_| "_reset without a program in the flash");
            }
            Call::Reset => return Err("_reset on core 1"),
        }
        if let Some(kept) = &mut self.flash_changes {
            kept.append(&mut changes);
        }
        let number = core;
        let core = &mut self.cores[core];
        let from = core.cycles();
        let busy = self.devices.time.cycle(self.devices.time.ns(from) + ns);
        if ns > 0 {
            self.devices.flash.begin(number, busy);
        }
        self.in_rom[number] = busy.saturating_sub(from) + call.cycles(bytes);
        if let Some(result) = result {
            core.set_register(0, result);
        }
        if let Some(upper) = upper {
            core.set_register(1, upper);
        }
        core.set_register(15, core.pc() + 2);
        Ok(())
    }

    /// Returns whether core `number` is in a ROM function or halted.
    pub(super) fn is_in_rom(&self, number: usize) -> bool {
        self.in_rom[number] != 0
    }

    /// Spends core `number`'s time in a ROM function, up to its end or to cycle `deadline`.
    pub(super) fn pass_in_rom(&mut self, number: usize, deadline: u64) {
        let core = &mut self.cores[number];
        let from = core.cycles();
        let passed = self.in_rom[number].min(deadline.saturating_sub(from));
        if self.in_rom[number] & HALTED == 0 {
            self.in_rom[number] -= passed;
        }
        core.idle(passed);
        self.devices.continue_dma(&mut self.memory, number as u8, from..from + passed);
    }
}

/// Access of a ROM function to memory and devices.
struct Reach<'a> {
    memory: &'a mut Memory,
    devices: &'a mut Devices,
    core: usize,
    cycle: u64,
    pc: u32,
}

impl Reach<'_> {
    fn access(&self, address: u32, width: Width) -> Access {
        Access { core: self.core as u8, address, width, cycle: self.cycle, pc: self.pc }
    }

    /// Loads a value; zero where nothing answers.
    fn load(&mut self, address: u32, width: Width) -> u32 {
        let value = match width {
            Width::Byte => self.memory.load8(address),
            Width::Half => self.memory.load16(address),
            Width::Word => self.memory.load32(address),
        };
        let access = self.access(address, width);
        value.or_else(|| self.devices.read(access).ok()).unwrap_or_default()
    }

    fn store(&mut self, address: u32, width: Width, value: u32) {
        let value = value & width.mask();
        let stored = match width {
            Width::Byte => self.memory.store8(address, value),
            Width::Half => self.memory.store16(address, value),
            Width::Word => self.memory.store32(address, value),
        };
        let access = self.access(address, width);
        // A write to an address where nothing answers has no effect.
        let _ = stored || self.devices.write(access, value).is_ok();
    }
}

/// Returns offsets and widths of the accesses to `length` bytes at `address`: words if it is
/// aligned, and bytes for the rest.
fn steps(address: u32, length: u32) -> impl Iterator<Item = (u32, Width)> {
    let words = if address.is_multiple_of(4) { length / 4 * 4 } else { 0 };
    let words_first = (0..words).step_by(4).map(|offset| (offset, Width::Word));
    words_first.chain((words..length).map(|offset| (offset, Width::Byte)))
}

/// Erases every sector that overlaps the range, unless the flash is stuck; whole blocks are faster.
/// Returns the duration in nanoseconds.
fn erase(
    memory: &mut Memory,
    stuck: bool,
    changes: &mut Vec<FlashChange>,
    offset: u32,
    length: u32,
) -> u64 {
    let first = offset & !(SECTOR - 1);
    let end = offset.saturating_add(length).next_multiple_of(SECTOR);
    if !stuck && memory.erase_flash(first, end - first) {
        changes.push(FlashChange::Erase { offset: first, length: end - first });
    }
    let (blocks, rest) = ((end - first) / BLOCK, (end - first) % BLOCK);
    u64::from(blocks) * ERASE_BLOCK_NS + u64::from(rest / SECTOR) * ERASE_SECTOR_NS
}

/// Programs whole pages from `source`, unless the flash is stuck. A page that is not aligned wraps to
/// its own beginning, as in the flash. Returns the duration in nanoseconds.
fn program(
    memory: &mut Memory,
    stuck: bool,
    changes: &mut Vec<FlashChange>,
    offset: u32,
    source: u32,
    length: u32,
) -> u64 {
    let pages = within(source, length).div_ceil(PAGE);
    for page in 0..pages {
        let at = offset.wrapping_add(page * PAGE);
        let mut bytes = [0xFF; PAGE as usize];
        for n in 0..PAGE {
            let byte = memory.load8(source.wrapping_add(page * PAGE + n)).unwrap_or_default();
            bytes[((at + n) % PAGE) as usize] = byte as u8;
        }
        let offset = at - at % PAGE;
        if !stuck && memory.program_flash(offset, &bytes) {
            changes.push(FlashChange::Program { offset, bytes: bytes.to_vec() });
        }
    }
    u64::from(pages) * PROGRAM_PAGE_NS
}

/// Limits `length` to the 16 MiB around `address`, which bounds loops over an arbitrary length.
fn within(address: u32, length: u32) -> u32 {
    length.min((1 << 24) - (address & 0x00FF_FFFF))
}

/// Searches a table of pairs of halfwords, a code and an address, which ends with a zero.
fn look_up(memory: &Memory, table: u32, code: u32) -> u32 {
    for entry in (table..).step_by(4).take(64) {
        match memory.load16(entry) {
            None | Some(0) => break,
            Some(found) if found == code => {
                return memory.load16(entry.wrapping_add(2)).unwrap_or_default();
            }
            Some(_) => {}
        }
    }
    0
}
