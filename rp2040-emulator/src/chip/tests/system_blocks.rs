//! Clocks' frequency counter, BUSCTRL, TBMAN, SYSCFG and the XIP cache, used by a program.

use super::*;

#[test]
fn the_frequency_counter_measures_the_system_clock() {
    let mut script =
        after_clocks(&[Write(0x4000_8080, 12_000), Write(0x4000_8090, 0), Write(0x4000_8094, 9)]);
    // The test takes a microsecond: longer than these reads.
    script.extend([Read(0x4000_8098); 40]);
    script.push(Read(0x4000_809C));
    let chip = check(&script, &[]);
    let word = |n: u32| chip.memory().word(RESULTS + 4 * n).unwrap();
    let read: Vec<u32> = (0..41).map(word).collect();
    assert_eq!((read[0], read[39], read[40]), (0x100, 0x11, 125_000 << 5), "{read:x?}");
}

#[test]
fn busctrl_counts_accesses_to_peripherals() {
    let script = [
        Read(0x4003_000C),
        Write(0x4003_000C, 1), // accesses to the APB
        Write(0x4003_0014, 3), // to the fast peripherals
        Write(0x4003_0000, 0x1111),
        Write(0x4003_0008, 0),
        Read(0x4005_4028),
        Read(0x5000_0400),
        Read(0x4003_0008),
        Read(0x4003_0010),
        Read(0x4003_0004),
    ];
    // The timer, and the read of the counter itself.
    let chip = check(&script, &[0x1F, 0, 0, 2, 1, 1]);
    assert!(chip.not_modelled().is_empty());
}

#[test]
fn it_is_a_chip_and_not_an_fpga() {
    check(&[Read(0x4006_C000)], &[1]);
}

#[test]
fn an_interrupt_that_syscfg_makes_an_nmi_passes_primask() {
    let script = after_clocks(&[
        Write(0x4000_4000, 2),   // PROC0_NMI_MASK: interrupt 1
        Write(0x4005_4038, 2),   // INTE: alarm 1
        Write(0x4005_4014, 100), // ALARM1
        Read(0x4000_4000),
    ]);
    let mut chip = chip(&script);
    instead_of_the_end(&mut chip, ENDLESS);
    chip.run(50_000);
    // CPSID would mask the interrupt, which is not enabled in the NVIC either.
    assert_eq!(chip.core(0).exception(), None);
    assert_eq!(chip.run(SECOND_NS), Halt::Breakpoint(0, 1));
    assert_eq!(chip.core(0).exception(), Some(crate::cpu::Exception::NMI));
}

#[test]
fn the_cache_is_ram_once_it_is_off_and_a_bus_error_before() {
    let script = [
        Write(0x1400_0000, 0),
        Write(0x1500_0010, 0x1122_3344),
        Byte(0x1500_0011, 0x55),
        Read(0x1500_0010),
    ];
    check(&script, &[0x1122_5544]);
    let mut on = chip(&[Read(0x1500_0010)]);
    assert_eq!(on.run(SECOND_NS), Halt::Breakpoint(0, 1));
    assert_eq!(on.core(0).exception(), Some(crate::cpu::Exception::HARD_FAULT));
}

#[test]
fn the_dma_takes_a_stream_from_the_flash() {
    let script = after_clocks(&[
        Write(0x1400_0014, CODE),
        Write(0x1400_0018, 8),
        Write(0x5000_0000, 0x5040_0000),
        Write(0x5000_0004, 0x2000_2000),
        Write(0x5000_0008, 8),
        // Words, the writing address counts up, paced by request 37; chained to itself.
        Write(0x5000_000C, 37 << 15 | 1 << 5 | 2 << 2 | 1),
        Wfi,
    ]);
    let mut chip = chip(&script);
    chip.run(200_000);
    let found: [u8; 32] = chip.memory().bytes(0x2000_2000).unwrap();
    assert_eq!(Some(found), chip.memory().bytes(CODE));
}

#[test]
fn a_program_reads_the_stream_word_by_word() {
    let script = [
        Write(0x1400_0014, PROGRAM),
        Write(0x1400_0018, 3),
        Read(0x1400_0008),
        Read(0x1400_001C),
        Read(0x5040_0000),
        Read(0x1400_001C),
        Read(0x1400_0008),
    ];
    check(&script, &[5, STACK, CODE | 1, HANDLER | 1, 3]);
}
