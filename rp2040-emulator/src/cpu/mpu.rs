//! The memory protection unit: eight regions with their permissions (section B3.5 of the
//! architecture manual; Cortex-M0+ TRM, chapter 4).
//!
//! A region has 256 bytes or more, in eight subregions that can be switched off; the region with
//! the highest number applies. A violation is a HardFault. Memory types have no effect. While the
//! unit is off it is not consulted; while it is on the core executes instruction by instruction
//! (`execute::guarded`). The private peripheral bus and vectors are never protected.

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
    }

    pub(super) fn attributes(&self) -> u32 {
        self.attributes[self.region]
    }

    pub(super) fn set_attributes(&mut self, value: u32) {
        self.attributes[self.region] = value & RASR_BITS;
    }

    /// Whether the unit permits an access to the byte at `address`.
    pub(super) fn permits(&self, address: u32, intent: Intent, by: Accessor) -> bool {
        if !self.is_on() || by.in_fault && self.control & CTRL_HFNMIENA == 0 {
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
        let size = (attributes >> RASR_SIZE_LSB & 0x1F).max(SMALLEST);
        let mask = u32::MAX.checked_shl(size + 1).unwrap_or(0);
        let within = (address ^ self.bases[number]) & mask == 0;
        let subregion = (address & !mask) >> (size - 2);
        let switched_off = attributes >> RASR_SRD_LSB >> subregion & 1 != 0;
        (attributes & RASR_ENABLE != 0 && within && !switched_off).then_some(attributes)
    }
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
}
