//! A guard below the stack: addresses between the static variables and the stack that the memory
//! protection unit (MPU) refuses. A stack that grows into them causes a hard fault instead of
//! overwriting a variable. A function with a frame larger than the guard can step over it.
//!
//! Both firmwares have this module. `STACK_GUARD_BYTES` of the crate's root is the size. The module
//! does not know what follows a hard fault: its entry calls `hard_fault` of the root with the
//! address of the fault's frame and the lowest address of the stack. A frame below that address is of
//! an overflow.
//!
//! The frame of that hard fault has no room either: the core writes a part of it, or nothing. The MPU
//! is off in the handler (MPU_CTRL.HFNMIENA is 0), and its stack would overwrite the variables below
//! the guard, among them the report for the next start. So the entry moves the stack pointer to the
//! top of the stack before anything is pushed.
#![expect(unsafe_code, reason = "a fault's entry and the registers of the MPU have no safe form")]

use core::arch::global_asm;
use core::cell::UnsafeCell;
use core::mem::MaybeUninit;

use rp2040_hal::pac::MPU;

use crate::{STACK_GUARD_BYTES, hard_fault};

/// Fields of the MPU's registers (ARMv6-M Architecture Reference Manual, B3.5).
const CTRL_ENABLE: u32 = 1;
const CTRL_PRIVDEFENA: u32 = 1 << 2;
const RBAR_VALID: u32 = 1 << 4;
const RASR_ENABLE: u32 = 1;
const RASR_SIZE_LSB: u32 = 1;
const RASR_XN: u32 = 1 << 28;

/// SIZE of RASR: the region has 2 to the power of SIZE + 1 bytes.
const SIZE: u32 = STACK_GUARD_BYTES.ilog2() - 1;

const _: () = assert!(STACK_GUARD_BYTES.is_power_of_two() && STACK_GUARD_BYTES >= 256);

struct Guard(
    #[expect(dead_code, reason = "it has only an address")]
    UnsafeCell<MaybeUninit<[u8; STACK_GUARD_BYTES]>>,
);

// SAFETY: no code accesses it.
unsafe impl Sync for Guard {}

/// The refused addresses. memory.x aligns them to their size and places them below the stack.
#[unsafe(link_section = ".stack_guard")]
static GUARD: Guard = Guard(UnsafeCell::new(MaybeUninit::uninit()));

/// Installs the guard.
pub fn install() {
    // SAFETY: no variable is in the guard, and nothing else uses the MPU. Privileged code accesses
    // everything else as without it.
    unsafe {
        let mpu = &*MPU::PTR;
        mpu.rbar.write(&raw const GUARD as u32 | RBAR_VALID);
        // The access permission 0 forbids loads and stores.
        mpu.rasr.write(RASR_XN | SIZE << RASR_SIZE_LSB | RASR_ENABLE);
        mpu.ctrl.write(CTRL_PRIVDEFENA | CTRL_ENABLE);
    }
    cortex_m::asm::dsb();
    cortex_m::asm::isb();
}

// The vector of hard faults. All code runs on the main stack.
global_asm!(
    ".section .text.HardFault, \"ax\", %progbits",
    ".global HardFault",
    ".type HardFault, %function",
    ".thumb_func",
    "HardFault:",
    "mov r0, sp",
    "ldr r1, ={guard} + {bytes}",
    "cmp r0, r1",
    "bhs 0f",
    "ldr r2, =_stack_start",
    "mov sp, r2",
    "0:",
    "ldr r2, ={handler}",
    "bx r2",
    ".pool",
    ".size HardFault, . - HardFault",
    guard = sym GUARD,
    bytes = const STACK_GUARD_BYTES,
    handler = sym hard_fault,
);
