//! The frequency counter, BUSCTRL, TBMAN, SYSCFG and the XIP cache, used by a program.

use super::*;

#[test]
fn the_frequency_counter_measures_the_system_clock() {
    let mut script =
        after_clocks(&[Write(0x4000_8080, 12_000), Write(0x4000_8090, 0), Write(0x4000_8094, 9)]);
    // The test takes a microsecond: longer than one of these reads.
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
    // One access to the timer, and the read of the counter itself.
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
fn cache_memory_is_ram_only_while_the_cache_is_off() {
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
fn the_dma_reads_a_stream_from_the_flash() {
    let script = after_clocks(&[
        Write(0x1400_0014, CODE),
        Write(0x1400_0018, 8),
        Write(0x5000_0000, 0x5040_0000),
        Write(0x5000_0004, 0x2000_2000),
        Write(0x5000_0008, 8),
        // Words, write address incremented, paced by request 37; chained to itself.
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

#[test]
fn busctrl_counts_accesses_to_each_ram_bank() {
    let script = [
        Write(0x4003_000C, 0x0F), // accesses to SRAM0
        Write(0x4003_0014, 0x0D), // SRAM1
        Write(0x4003_0008, 0),
        Write(0x4003_0010, 0),
        Read(0x2000_2000),
        Read(0x2000_2004),
        Read(0x2100_0004),
        Write(0x2000_2004, 1),
        Read(0x4003_0008),
        Read(0x4003_0010),
    ];
    // The results are stored in the banks in turn.
    let chip = check(&script, &[0, 0, 0, 3, 3]);
    assert!(chip.not_modelled().is_empty());
}

#[test]
fn busctrl_counts_the_words_of_an_exception_and_of_the_dma() {
    let script = after_clocks(&[
        Write(0x4003_000C, 0x07), // accesses to SRAM4
        Write(0x5000_0000, 0x2004_0000),
        Write(0x5000_0004, 0x2004_0100),
        Write(0x5000_0008, 5),
        Write(0x5000_000C, 0x3F << 15 | 3 << 4 | 2 << 2 | 1),
        Read(0x4003_0004),
        Read(0x4003_0008),
    ]);
    check(&script, &[1, 10]);
    // A handler's frame of eight words, written and, on its return, read.
    let mut chip =
        chip(&[Write(0x4003_000C, 0x07), Write(0xE000_ED04, 1 << 28), Read(0x4003_0008)]);
    chip.memory_mut().load(HANDLER, &0x4770u16.to_le_bytes()).unwrap();
    chip.memory_mut().load(PROGRAM, &(RAM_BASE + 0x4_0800).to_le_bytes()).unwrap();
    assert_eq!(chip.run(SECOND_NS), Halt::Breakpoint(0, 0));
    assert_eq!(chip.memory().word(RESULTS), Some(16));
}

/// Runs `code` at `address` with the XIP's registers at R0 and a word of the flash at R1, up to its
/// BKPT.
fn run_at(address: u32, code: &[u16], counts_before: bool) -> Chip {
    let mut chip = chip(&[]);
    chip.memory_mut().load(address, &halfwords(code)).unwrap();
    chip.cores[0].begin(0, STACK, address | 1);
    for (register, value) in [(0, 0x1400_0000), (1, FLASH_BASE + 0x800)] {
        chip.cores[0].set_register(register, value);
    }
    if counts_before {
        chip.start_cache_counters();
    }
    assert_eq!(chip.run(SECOND_NS), Halt::Breakpoint(0, 0));
    assert!(chip.not_modelled().is_empty());
    chip
}

#[test]
fn the_caches_counters_are_those_of_the_pico_examples() {
    // flash_cache_perfctr.c: from RAM, after a flush.
    let code = [
        0x6045, // str r5, [r0, #4]: FLUSH
        0x60C2, // str r2, [r0, #12]: CTR_HIT
        0x6102, // str r2, [r0, #16]: CTR_ACC
        0x680B, // ldr r3, [r1]
        0x680B, // ldr r3, [r1]
        0x600A, // str r2, [r1]: discards the line
        0x680B, // ldr r3, [r1]
        0x680B, // ldr r3, [r1]
        0x68C4, // ldr r4, [r0, #12]
        0x6905, // ldr r5, [r0, #16]
        0xBE00,
    ];
    let chip = run_at(RAM_BASE + 0x3000, &code, false);
    assert_eq!([4, 5].map(|number| chip.core(0).register(number)), [2, 4]);
}

#[test]
fn the_cache_counts_words_of_instructions_with_two_in_a_line() {
    let code = [
        0x6904, // ldr r4, [r0, #16]
        0xBF00, 0xBF00, 0xBF00, 0xBF00, 0xBF00, 0xBF00, // three words
        0x6905, // ldr r5, [r0, #16]
        0x68C6, // ldr r6, [r0, #12]
        0xBE00,
    ];
    // Four words for eight instructions, and the next one for the read of the hits.
    let chip = run_at(FLASH_BASE + 0x2000, &code, true);
    assert_eq!([4, 5, 6].map(|number| chip.core(0).register(number)), [1, 4, 2]);
}

#[test]
fn counting_does_not_change_the_run() {
    let mut script = after_clocks(&[Write(0x4005_4038, 2), Write(0x4005_4014, 60)]);
    script.extend([Read(0x4005_4028), Read(0x2000_0000), Write(0x2000_2000, 7)].repeat(200));
    let state = |chip: &Chip| {
        let core = chip.core(0);
        let registers: Vec<u32> = (0..16).map(|number| core.register(number)).collect();
        (registers, core.cycles(), core.instructions(), core.xpsr())
    };
    let mut plain = chip(&script);
    let mut counted = plain.clone();
    counted.start_cache_counters();
    for us in 1..200 {
        assert_eq!(
            (plain.run(us * 1_000), state(&plain)),
            (counted.run(us * 1_000), state(&counted))
        );
    }
    let results = |chip: &Chip| chip.memory().bytes::<1600>(RESULTS);
    assert_eq!(results(&plain), results(&counted));
}
