//! SYSINFO: the identity of the chip (datasheet section 2.20).

// Registers: RP2040 datasheet 2.20.2.
const CHIP_ID: u32 = 0x00; // manufacturer, part and revision, 2.20.2
const PLATFORM: u32 = 0x04; // ASIC or FPGA, 2.20.2

/// Revision 2 (B2) of part 2, by Raspberry Pi.
const CHIP_ID_B2: u32 = 0x2000_2927;
const PLATFORM_ASIC: u32 = 1 << 1;

/// Reads a register. All registers are read-only.
pub(in crate::chip) fn read(offset: u32) -> Option<u32> {
    match offset {
        CHIP_ID => Some(CHIP_ID_B2),
        PLATFORM => Some(PLATFORM_ASIC),
        _ => None,
    }
}
