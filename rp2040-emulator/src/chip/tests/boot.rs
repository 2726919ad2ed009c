//! Starts and restarts of a program.

use super::*;

#[test]
fn a_program_starts_through_its_second_stage() {
    let chip = check(&[Read(0xE000_ED08), Read(0xD000_0000)], &[PROGRAM, 0]);
    assert_eq!(chip.core(0).stack_pointer(false), STACK);
    assert_eq!(chip.not_modelled(), []);
}

#[test]
fn a_second_stage_with_a_wrong_checksum_does_not_start() {
    let mut bytes = flash(&[]);
    bytes[3] ^= 1;
    let mut chip = Chip::new(FLASH_SIZE);
    chip.load(&Image::from_bin(&bytes).unwrap()).unwrap();
    assert!(matches!(chip.power_on(), Err(BootError::Boot2Checksum(..))));
    let error = Chip::new(FLASH_SIZE).power_on().unwrap_err();
    assert!(error.to_string().contains("not 0xffffffff"), "{error}");
}

#[test]
fn a_program_larger_than_the_flash_does_not_load() {
    let image = Image::from_bin(&vec![0; FLASH_SIZE + 1]).unwrap();
    let error = Chip::new(FLASH_SIZE).load(&image).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the program reaches 0x10010000, but this flash of 65536 bytes ends at 0x10010000"
    );
}

#[test]
fn the_clocks_lock_and_time_continues_at_125_mhz() {
    let status = [
        Read(0x4002_4004),
        Read(0x4002_8000),
        Read(0x4000_8038),
        Read(0x4000_8044),
        Read(0x4000_C008),
    ];
    let read = [0x8000_1000, 0x8000_0001, 4, 2, 0x01FF_FFFF];
    let mut chip = check(&after_clocks(&status), &read);
    let (cycles, ns) = (chip.core(0).cycles(), chip.now_ns());
    instead_of_the_end(&mut chip, ENDLESS);
    assert_eq!(chip.run(ns + 80_000), Halt::Time);
    assert_eq!(chip.core(0).cycles() - cycles, 10_000);
    assert_eq!(chip.not_modelled(), []);
}

#[test]
fn a_watchdog_reset_retains_the_scratch_registers() {
    let script = after_clocks(&[
        Read(0x4005_8010),
        Read(0x4005_8008),
        Write(0x4005_8010, 0xBEEF),
        Write(0x4005_8004, 2000), // a millisecond
        Write(0x4005_A000, 1 << 30),
    ]);
    let mut chip = chip(&script);
    assert_eq!(chip.run(SECOND_NS), Halt::Breakpoint(0, 0));
    let first = chip.now_ns();
    assert_eq!(chip.memory().word(RESULTS + 4), Some(0));
    // A NOP lets it fall through into the endless loop after it.
    instead_of_the_end(&mut chip, 0xBF00);
    chip.run(first + 900_000);
    instead_of_the_end(&mut chip, 0xBE00);
    assert_eq!(chip.run(SECOND_NS), Halt::Breakpoint(0, 0));
    assert_eq!(chip.memory().word(RESULTS), Some(0xBEEF));
    assert_eq!(chip.memory().word(RESULTS + 4), Some(1), "the timer was the reason");
    assert!(chip.now_ns() - first > 1_000_000);
}

#[test]
fn the_watchdog_boots_at_the_address_in_scratch_registers() {
    const SCRATCH4: u32 = 0x4005_801C;
    let [stack, entry] = [STACK - 0x800, SECOND_CORE | 1];
    let mut chip = chip(&[
        Write(SCRATCH4, 0xB007_C0D3),
        Write(SCRATCH4 + 4, entry ^ 0x4FF8_3F2D),
        Write(SCRATCH4 + 8, stack),
        Write(SCRATCH4 + 12, entry),
        Write(0x4005_A000, 1 << 31), // TRIGGER
    ]);
    assert_eq!(chip.run(1_000_000), Halt::Time);
    // The program that core 1 runs in other tests: the number of its core plus 0x42.
    assert_eq!((chip.core(0).register(1), chip.core(0).register(13)), (0x42, stack));
    assert!(chip.core(0).asleep());
}

/// Switches PLL_SYS off, on which the system clock runs.
const PLL_OFF: Do = Write(0x4002_8004, 0x2D);

#[test]
fn a_system_clock_that_stops_ends_the_run() {
    let mut chip = chip(&after_clocks(&[PLL_OFF]));
    assert_eq!(chip.run(SECOND_NS), Halt::ClockStopped);
}

#[test]
fn the_reference_clock_resuscitates_the_system_clock() {
    const RESUS_CTRL: u32 = 0x4000_8078;
    let script = after_clocks(&[
        Write(RESUS_CTRL, 0x1FF), // ENABLE
        PLL_OFF,
        Read(0x4000_807C), // status
        Read(0x4000_80B8), // INTR
        Write(0x4000_80BC, 1),
        Read(0x4000_80C4),
        // Back to the reference clock, and the resuscitation is cleared.
        Write(0x4000_803C, 0),
        Write(RESUS_CTRL, 0x1_01FF),
        Write(RESUS_CTRL, 0x1FF),
        Read(0x4000_807C),
        Read(0x4000_80C4),
    ]);
    let mut chip = check(&script, &[1, 1, 1, 0, 0]);
    let (cycles, ns) = (chip.core(0).cycles(), chip.now_ns());
    instead_of_the_end(&mut chip, ENDLESS);
    assert_eq!(chip.run(ns + 1_000_000), Halt::Time);
    assert_eq!(chip.core(0).cycles() - cycles, 12_000, "12 MHz");
}
