//! The memory protection unit: eight regions with their permissions (section B3.5 of the
//! architecture manual; Cortex-M0+ TRM, chapter 4).
//!
//! A region has 256 bytes or more, in eight subregions that can be switched off; the region with
//! the highest number applies. A violation is a HardFault. Memory types have no effect. The private
//! peripheral bus and vectors are never protected.
//!
//! While the unit is off it is not consulted. While it restricts a privileged program in a part of
//! the RAM only, as the guard below a stack does, it is consulted for accesses there ([`Guard`]).
//! Otherwise the core executes instruction by instruction and consults it each time
//! (`execute::guarded`).

use crate::cpu::memory::{RAM_BASE, RAM_SIZE};

pub(super) const REGION_COUNT: usize = 8;

const CTRL_ENABLE: u32 = 1;
const CTRL_HFNMIENA: u32 = 1 << 1;
const CTRL_PRIVDEFENA: u32 = 1 << 2;
const CTRL_BITS: u32 = CTRL_ENABLE | CTRL_HFNMIENA | CTRL_PRIVDEFENA;
const RBAR_ADDR: u32 = 0xFFFF_FF00;
const RBAR_VALID: u32 = 1 << 4;
const RBAR_REGION: u32 = 0xF;
const RASR_ENABLE: u32 = 1;
const RASR_SIZE_LSB: u32 = 1;
const RASR_SRD_LSB: u32 = 8;
const RASR_AP_LSB: u32 = 24;
const RASR_XN: u32 = 1 << 28;
const RASR_BITS: u32 = 0x1707_FF3F;
/// The smallest SIZE: 256 bytes.
const SMALLEST: u32 = 7;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Intent {
    Fetch,
    Load,
    Store,
}

/// The mode of the core during an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Accessor {
    pub(super) privileged: bool,
    /// In HardFault or NMI, where the unit is off unless HFNMIENA is set.
    pub(super) in_fault: bool,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Mpu {
    control: u32,
    region: usize,
    bases: [u32; REGION_COUNT],
    attributes: [u32; REGION_COUNT],
    guard: Option<Guard>,
}

/// The part of the RAM that contains all addresses at which a privileged program needs a
/// permission: the unit permits every access elsewhere. It may be empty.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Guard {
    pub(super) first: u32,
    /// Size in bytes.
    pub(super) size: u32,
}

/// Action of a core before an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Protection {
    /// The unit permits every access.
    Off,
    /// The unit must be consulted before an access within the guard.
    Guard(Guard),
    /// The unit must be consulted before every access.
    Full,
}

impl Guard {
    /// Whether the guard contains the byte at `address`.
    #[inline(always)]
    pub(super) fn contains(self, address: u32) -> bool {
        address.wrapping_sub(self.first) < self.size
    }

    /// Whether the guard contains one of `count` words from `address` on, at most 16.
    #[inline(always)]
    pub(super) fn contains_any(self, address: u32, count: u32) -> bool {
        // The words begin at most `before` bytes before the guard.
        let before = 4 * count.saturating_sub(1);
        let from_first = address.wrapping_sub(self.first).wrapping_add(before);
        self.size != 0 && from_first < self.size + before
    }
}

impl Mpu {
    /// Whether accesses must be checked.
    pub(super) fn is_on(&self) -> bool {
        self.control & CTRL_ENABLE != 0
    }

    pub(super) fn control(&self) -> u32 {
        self.control
    }

    pub(super) fn set_control(&mut self, value: u32) {
        self.control = value & CTRL_BITS;
        self.guard = self.find_guard();
    }

    pub(super) fn region(&self) -> u32 {
        self.region as u32
    }

    pub(super) fn select(&mut self, value: u32) {
        self.region = (value & RBAR_REGION) as usize % REGION_COUNT;
    }

    pub(super) fn base(&self) -> u32 {
        self.bases[self.region] | self.region as u32
    }

    pub(super) fn set_base(&mut self, value: u32) {
        if value & RBAR_VALID != 0 {
            self.select(value);
        }
        self.bases[self.region] = value & RBAR_ADDR;
        self.guard = self.find_guard();
    }

    pub(super) fn attributes(&self) -> u32 {
        self.attributes[self.region]
    }

    pub(super) fn set_attributes(&mut self, value: u32) {
        self.attributes[self.region] = value & RASR_BITS;
        self.guard = self.find_guard();
    }

    /// Returns what a core must do before an access.
    pub(super) fn protection(&self, by: Accessor) -> Protection {
        match self.guard {
            _ if !self.consults(by) => Protection::Off,
            Some(guard) if by.privileged => Protection::Guard(guard),
            _ => Protection::Full,
        }
    }

    /// Whether the unit applies to accesses by `by`.
    fn consults(&self, by: Accessor) -> bool {
        self.is_on() && (!by.in_fault || self.control & CTRL_HFNMIENA != 0)
    }

    /// Returns the smallest range with all subregions that do not permit everything to a privileged
    /// program; `None` if it is not within the RAM.
    fn find_guard(&self) -> Option<Guard> {
        if self.control & CTRL_PRIVDEFENA == 0 {
            return None;
        }
        let everything = |attributes| {
            let intents = [Intent::Fetch, Intent::Load, Intent::Store];
            intents.into_iter().all(|intent| allows(attributes, intent, true))
        };
        let (mut first, mut end) = (u64::MAX, 0);
        for (base, attributes) in self.bases.into_iter().zip(self.attributes) {
            if attributes & RASR_ENABLE == 0 || everything(attributes) {
                continue;
            }
            let bytes = 1u64 << (size_field(attributes) + 1);
            let base = u64::from(base) & !(bytes - 1);
            for number in (0..8).filter(|number| attributes >> RASR_SRD_LSB >> number & 1 == 0) {
                first = first.min(base + number * bytes / 8);
                end = end.max(base + (number + 1) * bytes / 8);
            }
        }
        if end == 0 {
            return Some(Guard::default());
        }
        let ram = u64::from(RAM_BASE)..=u64::from(RAM_BASE) + RAM_SIZE as u64;
        let guard = Guard { first: first as u32, size: end.wrapping_sub(first) as u32 };
        (ram.contains(&first) && ram.contains(&end)).then_some(guard)
    }

    /// Whether the unit permits an access to the byte at `address`.
    pub(super) fn permits(&self, address: u32, intent: Intent, by: Accessor) -> bool {
        if !self.consults(by) {
            return true;
        }
        let regions = (0..REGION_COUNT).rev();
        match regions.map(|number| self.rights(number, address)).find_map(|rights| rights) {
            Some(attributes) => allows(attributes, intent, by.privileged),
            None => by.privileged && self.control & CTRL_PRIVDEFENA != 0,
        }
    }

    /// Returns the attributes of a region, if it contains the address.
    fn rights(&self, number: usize, address: u32) -> Option<u32> {
        let attributes = self.attributes[number];
        let size = size_field(attributes);
        let mask = u32::MAX.checked_shl(size + 1).unwrap_or(0);
        let within = (address ^ self.bases[number]) & mask == 0;
        let subregion = (address & !mask) >> (size - 2);
        let switched_off = attributes >> RASR_SRD_LSB >> subregion & 1 != 0;
        (attributes & RASR_ENABLE != 0 && within && !switched_off).then_some(attributes)
    }
}

/// Returns the binary logarithm of a region's size in bytes, minus one.
fn size_field(attributes: u32) -> u32 {
    (attributes >> RASR_SIZE_LSB & 0x1F).max(SMALLEST)
}

/// Whether a region with these attributes permits the access.
fn allows(attributes: u32, intent: Intent, privileged: bool) -> bool {
    let (read, write) = match (attributes >> RASR_AP_LSB & 7, privileged) {
        (1 | 2, true) | (3, _) => (true, true),
        (5, true) | (2, false) | (6 | 7, _) => (true, false),
        // 0 is no access, 4 is reserved.
        _ => (false, false),
    };
    match intent {
        Intent::Fetch => read && attributes & RASR_XN == 0,
        Intent::Load => read,
        Intent::Store => write,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BASE: u32 = 0x2000_1000;
    const MAIN: Accessor = Accessor { privileged: true, in_fault: false };
    const USER: Accessor = Accessor { privileged: false, in_fault: false };

    /// Returns a unit with one region of 256 bytes at `BASE`.
    fn region(control: u32, attributes: u32) -> Mpu {
        let mut mpu = Mpu::default();
        mpu.set_control(control);
        mpu.set_base(BASE | RBAR_VALID | 2);
        mpu.set_attributes(attributes | SMALLEST << RASR_SIZE_LSB | RASR_ENABLE);
        mpu
    }

    /// Returns what the permission `ap` allows a privileged and an unprivileged program: fetch,
    /// load, store.
    #[track_caller]
    fn check(ap: u32, main: [bool; 3], user: [bool; 3]) {
        let mpu = region(CTRL_ENABLE, ap << RASR_AP_LSB);
        for (by, expected) in [(MAIN, main), (USER, user)] {
            let found = [Intent::Fetch, Intent::Load, Intent::Store]
                .map(|intent| mpu.permits(BASE + 0xFF, intent, by));
            assert_eq!(found, expected, "AP {ap}, {by:?}");
        }
    }

    #[test]
    fn permissions_are_those_of_the_manual() {
        let (none, read, all) = ([false; 3], [true, true, false], [true; 3]);
        check(0, none, none);
        check(1, all, none);
        check(2, all, read);
        check(3, all, all);
        check(5, read, none);
        check(6, read, read);
        check(7, read, read);
    }

    #[test]
    fn outside_of_regions_the_default_map_is_for_privileged_programs() {
        let mut mpu = region(CTRL_ENABLE | CTRL_PRIVDEFENA, 0);
        for address in [BASE - 1, BASE + 0x100] {
            assert!(mpu.permits(address, Intent::Store, MAIN));
            assert!(!mpu.permits(address, Intent::Load, USER));
        }
        mpu.set_control(CTRL_ENABLE);
        assert!(!mpu.permits(BASE - 1, Intent::Load, MAIN));
        mpu.set_control(0);
        assert!(mpu.permits(BASE, Intent::Store, USER), "it is off");
    }

    #[test]
    fn a_subregion_can_be_switched_off_and_the_highest_number_applies() {
        // All but the first 32 bytes are switched off, as rp2040-hal guards a stack.
        let mut mpu = region(CTRL_ENABLE | CTRL_PRIVDEFENA, 0xFE << RASR_SRD_LSB | RASR_XN);
        let ends = [0, 0x1F, 0x20, 0xFF].map(|at| mpu.permits(BASE + at, Intent::Load, MAIN));
        assert_eq!(ends, [false, false, true, true]);
        mpu.set_base(BASE | RBAR_VALID | 7);
        mpu.set_attributes(3 << RASR_AP_LSB | SMALLEST << RASR_SIZE_LSB | RASR_ENABLE);
        assert!(mpu.permits(BASE, Intent::Load, MAIN));
        assert_eq!((mpu.base(), mpu.region()), (BASE | 7, 7));
        // The largest region is the whole address space.
        mpu.set_attributes(0x1F << RASR_SIZE_LSB | RASR_ENABLE);
        assert!(!mpu.permits(0xC000_0000, Intent::Load, MAIN));
    }

    #[test]
    fn in_a_fault_it_is_off_unless_hfnmiena_is_set() {
        let by = Accessor { privileged: true, in_fault: true };
        let mut mpu = region(CTRL_ENABLE, 0);
        assert!(mpu.permits(BASE, Intent::Store, by));
        mpu.set_control(CTRL_ENABLE | CTRL_HFNMIENA);
        assert!(!mpu.permits(BASE, Intent::Store, by));
    }

    #[test]
    fn a_guard_contains_all_addresses_that_need_a_permission() {
        let guard = |mpu: &Mpu| match mpu.protection(MAIN) {
            Protection::Guard(guard) => Some((guard.first, guard.size)),
            _ => None,
        };
        let mut mpu = region(CTRL_ENABLE | CTRL_PRIVDEFENA, 0xF1 << RASR_SRD_LSB | RASR_XN);
        assert_eq!(guard(&mpu), Some((BASE + 0x20, 0x60)), "subregions 1 to 3");
        // A region that permits everything adds nothing, one that must not be executed does.
        mpu.set_base((BASE + 0x200) | RBAR_VALID | 3);
        mpu.set_attributes(3 << RASR_AP_LSB | SMALLEST << RASR_SIZE_LSB | RASR_ENABLE);
        assert_eq!(guard(&mpu), Some((BASE + 0x20, 0x60)));
        mpu.set_attributes(3 << RASR_AP_LSB | SMALLEST << RASR_SIZE_LSB | RASR_ENABLE | RASR_XN);
        assert_eq!(guard(&mpu), Some((BASE + 0x20, 0x2E0)));
        assert_eq!(mpu.protection(USER), Protection::Full);
        let in_fault = Accessor { privileged: true, in_fault: true };
        assert_eq!(mpu.protection(in_fault), Protection::Off);
        mpu.set_base(0x1000_0000 | RBAR_VALID | 3);
        assert_eq!(mpu.protection(MAIN), Protection::Full, "the flash");
        mpu.set_control(CTRL_ENABLE);
        assert_eq!(mpu.protection(MAIN), Protection::Full, "no default map");
        mpu.set_control(0);
        assert_eq!(mpu.protection(USER), Protection::Off);
    }

    #[test]
    fn words_are_in_a_guard_if_one_of_them_is() {
        let guard = Guard { first: BASE, size: 0x20 };
        let found = [-12, -8, -4, 0, 0x1C, 0x20]
            .map(|at| guard.contains_any(BASE.wrapping_add_signed(at), 3));
        assert_eq!(found, [false, true, true, true, true, false]);
        assert!(!Guard::default().contains_any(0, 3) && !guard.contains(BASE - 1));
    }
}
