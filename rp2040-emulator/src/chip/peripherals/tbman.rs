//! TBMAN: reports whether this is a chip or an FPGA (datasheet section 2.22).

// Registers: RP2040 datasheet 2.22.1.
const PLATFORM: u32 = 0x0; // ASIC or FPGA, 2.22.1

const PLATFORM_ASIC: u32 = 1;

/// Reads the register, which is read-only.
pub(in crate::chip) fn read(offset: u32) -> Option<u32> {
    (offset == PLATFORM).then_some(PLATFORM_ASIC)
}

/// Ignores a write.
pub(in crate::chip) fn write(offset: u32) -> Option<()> {
    (offset == PLATFORM).then_some(())
}
