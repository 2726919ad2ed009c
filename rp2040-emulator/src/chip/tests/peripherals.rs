//! One peripheral at a time, used by a program.

use super::*;

#[test]
fn aliases_flip_set_and_clear() {
    let script = [
        Write(0x4000_8078, 0xF0),
        Write(0x4000_9078, 0x3C),
        Read(0x4000_8078),
        Write(0x4000_A078, 0x03),
        Read(0x4000_8078),
        Write(0x4000_B078, 0x0F),
        Read(0x4000_8078),
    ];
    check(&script, &[0xCC, 0xCF, 0xC0]);
}

#[test]
fn a_narrow_write_reaches_the_whole_register() {
    check(&[Byte(0x4005_800C, 0x5A), Read(0x4005_800C)], &[0x5A5A_5A5A]);
}

#[test]
fn text_leaves_the_uart_at_its_line_rate() {
    let script = after_clocks(&[
        Write(0x4003_4024, 67),
        Write(0x4003_4028, 52),
        Write(0x4003_402C, 0x70),
        Write(0x4003_4030, 0x301),
        Write(0x4003_4000, b'H'.into()),
        Write(0x4003_4000, b'i'.into()),
        Read(0x4003_4018),
    ]);
    let mut chip = check(&script, &[0x18]); // busy, nothing received
    assert_eq!(chip.take_sent(0), []);
    instead_of_the_end(&mut chip, ENDLESS);
    chip.run(chip.now_ns() + 1_000_000);
    let sent = chip.take_sent(0);
    assert_eq!(sent.iter().map(|(_, byte)| *byte).collect::<Vec<_>>(), b"Hi");
    assert_eq!(sent[1].0 - sent[0].0, 86_800);
}

#[test]
fn an_alarm_wakes_a_sleeping_core_at_its_microsecond() {
    let script = after_clocks(&[
        Write(0xE000_E100, 2),    // NVIC: interrupt 1
        Write(0x4005_4038, 2),    // INTE: alarm 1
        Write(0x4005_4014, 5000), // ALARM1
        Wfi,
        Read(0x4005_4028),
    ]);
    let mut chip = chip(&script);
    assert_eq!(chip.run(SECOND_NS), Halt::Breakpoint(0, 1));
    assert_eq!(chip.core(0).exception().map(|e| e.number()), Some(17));
    let ns = chip.now_ns();
    assert!((5_000_000..5_060_000).contains(&ns), "{ns} ns");
}

#[test]
fn a_pin_is_driven_watched_and_read_back() {
    let script = after_clocks(&[
        Write(0x4001_40CC, 5), // GPIO25: SIO
        Write(0xD000_0024, 1 << 25),
        Write(0xD000_0014, 1 << 25),
        Read(0xD000_0004),
        Write(0xD000_001C, 1 << 25),
        Read(0xD000_0004),
    ]);
    let mut chip = chip(&script);
    chip.watch(1 << 25);
    assert_eq!(chip.run(SECOND_NS), Halt::Breakpoint(0, 0));
    assert_eq!(chip.memory().bytes(RESULTS + 3), Some([2, 0, 0, 0, 0]));
    let levels: Vec<_> = chip.take_changes().iter().map(|change| change.levels).collect();
    assert_eq!(levels, [1 << 25, 0]);
}

#[test]
fn a_contact_that_closes_interrupts_while_the_core_sleeps() {
    let script = after_clocks(&[
        Write(0x4001_C00C, 0x48), // GPIO2: input, pull-up
        Write(0x4001_4014, 5),
        Write(0xE000_E100, 1 << 13),
        Write(0x4001_4100, 4 << 8), // core 0, GPIO2: falling
        Wfi,
    ]);
    let mut chip = chip(&script);
    assert_eq!(chip.run(1_000_000), Halt::Time);
    assert!(chip.core(0).asleep());
    assert_eq!(chip.levels() & 4, 4);
    chip.drive(2, Drive::Low);
    assert_eq!(chip.run(2_000_000), Halt::Breakpoint(0, 1));
    assert_eq!(chip.core(0).exception().map(|e| e.number()), Some(16 + 13));
}

#[test]
fn bypass_bits_are_stored_and_unknown_offsets_are_reported() {
    let chip = check(
        &[
            Write(0x4000_400C, 0xFFFF_FFFF),
            Write(0x4000_700C, 1), // clears
            Read(0x4000_400C),
            Write(0x4000_4010, 0xFF),
            Read(0x4000_4010),
            Write(0x4000_401C, 1),
        ],
        &[0x3FFF_FFFE, 0x3F],
    );
    let [report] = chip.not_modelled() else { panic!("{:?}", chip.not_modelled()) };
    assert_eq!((report.what, report.access.address), ("SYSCFG register", 0x4000_401C));
}

#[test]
fn the_interpolators_belong_to_their_core() {
    check(
        &[
            Write(0xD000_00AC, 31 << 10),
            Write(0xD000_0088, 9),
            Read(0xD000_0094),
            Read(0xD000_0080),
        ],
        &[9, 9],
    );
}

#[test]
fn a_bit_that_is_cleared_by_writing_is_cleared_by_the_clear_alias() {
    let mut script = after_clocks(&[
        Write(0x5020_0034, 0b101), // IRQ_FORCE of PIO0
        Write(0x5020_0030 | 0x3000, 0b001),
        Read(0x5020_0030),
        Write(0x5020_0030 | 0x2000, 0b010),
        Read(0x5020_0030),
        Write(0x4005_0004, 1 << 4), // CC, TOP and CSR of PWM 0: it wraps at once
        Write(0x4005_0010, 1),
        Write(0x4005_0000, 1),
        Write(0x4005_0000, 0),
        Read(0x4005_00A4),
        Write(0x4005_00A4 | 0x3000, 1),
        Read(0x4005_00A4),
        Write(0x4001_400C, 5), // CTRL of GPIO1: SIO, which drives it, up and down again
        Write(0xD000_0024, 2),
        Write(0xD000_0014, 2),
        Write(0xD000_0018, 2),
        Read(0x4001_40F0),
        Write(0x4001_40F0 | 0x2000, 0x40), // EDGE_LOW
        Write(0x4001_40F0 | 0x3000, 0x80), // EDGE_HIGH
        Read(0x4001_40F0),
        Write(0x5000_0000, 0x2000_2000), // a word by channel 0 of the DMA, and one by channel 1
        Write(0x5000_0004, 0x2000_2004),
        Write(0x5000_0008, 1),
        Write(0x5000_000C, 63 << 15 | 2 << 2 | 1),
        Write(0x5000_0040, 0x2000_2000),
        Write(0x5000_0044, 0x2000_2004),
        Write(0x5000_0048, 1),
        Write(0x5000_004C, 63 << 15 | 1 << 11 | 2 << 2 | 1),
        Write(0x5000_0404, 3), // INTE0
    ]);
    // Time for the transfers, which these writes do not delay.
    script.extend([Write(0x5000_0404, 3); 10]);
    script.extend([
        Read(0x5000_0400),
        Write(0x5000_0400 | 0x2000, 2),
        Write(0x5000_0400 | 0x3000, 1),
        Read(0x5000_0400),
        Write(0x5000_040C | 0x3000, 2), // INTS0
        Read(0x5000_0400),
    ]);
    let levels = 0x1111_1111;
    check(&script, &[4, 4, 1, 0, 0xC0 | levels, 0x40 | levels, 3, 2, 0]);
}
