//! The boot ROM's functions.

use super::*;

/// Uses an image whose only function adds, for any letters.
#[test]
fn functions_of_the_users_own_rom_are_executed() {
    const LOOKUP: &[u16] = &[
        0x2028, // movs r0, #0x28
        0x0100, // lsls r0, r0, #4: 0x280
        0x3001, // adds r0, #1
        0x4770, // bx lr
    ];
    const ADD: &[u16] = &[0x1840, 0x4770]; // adds r0, r0, r1; bx lr
    let mut image = vec![0; 16 * 1024];
    for (at, code) in [(0x14, &[0x100, 0, 0x201][..]), (0x200, LOOKUP), (0x280, ADD)] {
        let code = halfwords(code);
        image[at..at + code.len()].copy_from_slice(&code);
    }
    let mut chip = chip(&[Rom(b"P3", [40, 2, 0])]);
    assert_eq!(chip.run(SECOND_NS), Halt::Breakpoint(0, 0));
    assert_eq!(chip.memory().word(RESULTS), Some(2), "the replacement counts bits");
    assert_eq!(chip.set_boot_rom(&image[1..]), Err(WrongRomSize(16 * 1024 - 1)));
    chip.set_boot_rom(&image).unwrap();
    chip.power_on().unwrap();
    assert_eq!(chip.run(2 * SECOND_NS), Halt::Breakpoint(0, 0));
    assert_eq!(chip.memory().word(RESULTS), Some(42));
}

#[test]
fn the_roms_functions_are_found_by_their_letters() {
    let script = [
        Write(RAM_BASE, 0x1122_3344),
        Rom(b"P3", [0xF0F0, 0, 0]),
        Rom(b"R3", [1, 0, 0]),
        Rom(b"L3", [0x00FF_0000, 0, 0]),
        Rom(b"T3", [0x00FF_0000, 0, 0]),
        Rom(b"MC", [RAM_BASE + 0x11, RAM_BASE, 3]),
        Rom(b"MS", [RAM_BASE + 0x14, 0xAB, 2]),
        Read(RAM_BASE + 0x10),
        Read(RAM_BASE + 0x14),
    ];
    let read = [8, 1 << 31, 8, 16, RAM_BASE + 0x11, RAM_BASE + 0x14, 0x2233_4400, 0xABAB];
    check(&script, &read);
}

#[test]
fn the_rom_copies_and_fills_the_usb_controllers_ram() {
    const USB_RAM: u32 = 0x5010_0100;
    let script = [
        Write(RAM_BASE, 0x1122_3344),
        Write(RAM_BASE + 4, 0x5566_7788),
        Rom(b"MS", [USB_RAM, 0xAB, 8]),
        Rom(b"MC", [USB_RAM + 1, RAM_BASE, 2]),
        Rom(b"C4", [USB_RAM + 4, RAM_BASE + 4, 4]),
        Read(USB_RAM),
        Read(USB_RAM + 4),
        Rom(b"MC", [RAM_BASE + 8, USB_RAM, 8]),
        Read(RAM_BASE + 12),
    ];
    let [filled, copied] = [0xAB33_44AB, 0x5566_7788];
    let to = [USB_RAM, USB_RAM + 1, USB_RAM + 4];
    check(&script, &[to[0], to[1], to[2], filled, copied, RAM_BASE + 8, copied]);
}

#[test]
fn the_rom_ignores_writes() {
    check(
        &[Write(0, 0xFFFF_FFFF), Byte(0x11, 7), Read(0), Read(0x10)],
        &[0x2004_1F00, 0x0301_754D],
    );
}

#[test]
fn flash_is_erased_by_sectors_and_programmed_by_pages() {
    let at = FLASH_BASE + 0x8000;
    let script = after_clocks(&[
        Write(RAM_BASE, 0x0FF0_0FF0),
        Rom(b"EX", [0; 3]),
        Rom(b"RP", [0x8000, RAM_BASE, 256]),
        Read(at),
        Write(RAM_BASE, 0x00FF_00FF),
        Rom(b"RP", [0x8000, RAM_BASE, 256]),
        Read(at),
        Rom(b"RE", [0x8000, 4096, 0]),
        Read(at),
    ]);
    let mut chip = chip(&script);
    assert_eq!(chip.run(SECOND_NS), Halt::Breakpoint(0, 0));
    let words: Vec<_> = (0..7).map(|n| chip.memory().word(RESULTS + 4 * n).unwrap()).collect();
    assert_eq!(words[2], 0x0FF0_0FF0);
    assert_eq!(words[4], 0x00F0_00F0, "bits only fall");
    assert_eq!(words[6], 0xFFFF_FFFF);
    assert!(chip.now_ns() > 45_000_000, "an erase takes its time: {} ns", chip.now_ns());
}

#[test]
fn a_run_can_end_and_resume_during_a_flash_erase() {
    let script = after_clocks(&[Rom(b"RE", [0x8000, 4096, 0]), Read(0x4005_4028)]);
    let mut whole = chip(&script);
    let mut parts = whole.clone();
    let mut steps = whole.clone();
    assert_eq!(whole.run(SECOND_NS), Halt::Breakpoint(0, 0));
    for ms in [1, 2, 30] {
        assert_eq!(parts.run(ms * 1_000_000), Halt::Time);
        let late = parts.now_ns() - ms * 1_000_000;
        assert!(late < 100, "{late} ns after {ms} ms");
    }
    assert_eq!(parts.run(SECOND_NS), Halt::Breakpoint(0, 0));
    let mut turns = Turns::default();
    let mut until = 7_000_000;
    while until < SECOND_NS {
        match steps.step(&mut turns, until) {
            Ok(_) => {}
            Err(Halt::Time) => until += 7_000_000,
            Err(halt) => {
                assert_eq!(halt, Halt::Breakpoint(0, 0));
                break;
            }
        }
    }
    let state = |chip: &Chip| (chip.core(0).cycles(), chip.memory().word(RESULTS));
    assert_eq!([state(&parts), state(&steps)], [state(&whole); 2]);
    assert!(whole.now_ns() > 45_000_000);
}

#[test]
fn a_function_of_the_rom_that_is_not_modelled_is_named() {
    let mut chip = chip(&[Rom(b"UB", [0; 3])]);
    assert_eq!(chip.run(SECOND_NS), Halt::RomCall(0, "_reset_to_usb_boot"));
}

#[test]
fn rom_double_results_are_in_two_registers() {
    let [one, three] = [1.0f32, 3.0].map(f32::to_bits);
    let code = |number: u32| 0x400 + 4 * number;
    let mut chip = chip(&[]);
    let mut call = |number: u32, registers: [u32; 4]| {
        for (register, value) in registers.into_iter().enumerate() {
            chip.cores[0].set_register(register, value);
        }
        chip.cores[0].set_register(15, code(number));
        let udf = chip.memory().load16(code(number)).unwrap() & 0xFF;
        chip.native_call(0, udf as u16).unwrap();
        [0, 1].map(|register| chip.cores[0].register(register))
    };
    assert_eq!(call(0, [one, three, 7, 7]), [4.0f32.to_bits(), three]);
    // A double 3 divided by a double 1.
    assert_eq!(call(35, [0, 0x4008_0000, 0, 0x3FF0_0000]), [0, 0x4008_0000]);
    assert_eq!(chip.native_call(0, 64 + 4), Err("of a deprecated entry or an unknown number"));
}
