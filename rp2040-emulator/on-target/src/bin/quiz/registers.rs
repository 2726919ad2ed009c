//! Registers by their addresses, and the cycle counter.
//!
//! The quiz asks the chip and no driver, so it reads and writes registers as the datasheet lists
//! them.

/// Offset of the alias of a register that sets bits (datasheet section 2.1.2).
const SET: u32 = 0x2000;
/// Offset of the alias of a register that clears bits.
const CLEAR: u32 = 0x3000;

/// SysTick: control, reload and current value.
const SYST_CSR: u32 = 0xE000_E010;
const SYST_RVR: u32 = 0xE000_E014;
pub const SYST_CVR: u32 = 0xE000_E018;
/// SysTick counts down in 24 bits.
pub const SYSTICK_MASK: u32 = 0x00FF_FFFF;

/// Reads a word.
pub fn read(address: u32) -> u32 {
    #[expect(unsafe_code, reason = "the quiz asks for what is at an address")]
    // SAFETY: the callers name registers and memory of the chip, whose reads affect no Rust value.
    unsafe {
        (address as *const u32).read_volatile()
    }
}

/// Writes a word.
pub fn write(address: u32, value: u32) {
    #[expect(unsafe_code, reason = "the quiz sets registers by their addresses")]
    // SAFETY: the callers name registers of devices that no driver uses at that time.
    unsafe {
        (address as *mut u32).write_volatile(value);
    }
}

/// Sets bits of a register.
pub fn set(address: u32, bits: u32) {
    write(address + SET, bits);
}

/// Clears bits of a register.
pub fn clear(address: u32, bits: u32) {
    write(address + CLEAR, bits);
}

/// Lets SysTick count the cycles of the core.
pub fn start_systick() {
    write(SYST_RVR, SYSTICK_MASK);
    write(SYST_CVR, 0);
    write(SYST_CSR, 0b101);
}

/// Returns the cycles that `work` takes, the reads of the counter included.
pub fn cycles(work: impl FnOnce()) -> u32 {
    let before = read(SYST_CVR);
    work();
    before.wrapping_sub(read(SYST_CVR)) & SYSTICK_MASK
}

/// Waits for a number of cycles, or a few more.
pub fn wait(cycles: u32) {
    let start = read(SYST_CVR);
    while start.wrapping_sub(read(SYST_CVR)) & SYSTICK_MASK < cycles {}
}

/// Waits until the register has one of the bits, for 10 ms at most. Returns whether it has.
pub fn wait_for(address: u32, bits: u32) -> bool {
    let start = read(SYST_CVR);
    while start.wrapping_sub(read(SYST_CVR)) & SYSTICK_MASK < 1_250_000 {
        if read(address) & bits != 0 {
            return true;
        }
    }
    false
}
