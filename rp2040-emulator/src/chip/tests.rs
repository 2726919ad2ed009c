use super::*;

mod registers;
mod serial;
mod step;

/// What a script does, one after another; BKPT #0 ends it.
#[derive(Clone, Copy)]
enum Do {
    Write(u32, u32),
    /// The value is kept for [`Played::read`].
    Read(u32),
    /// A store of the lowest byte.
    Byte(u32, u32),
    Wfi,
    /// Calls the ROM's function of these letters with these three arguments and keeps its result.
    Rom(&'static [u8; 2], [u32; 3]),
}
use Do::{Byte, Read, Rom, Wfi, Write};

const PROGRAM: u32 = FLASH_BASE + 0x100;
const CODE: u32 = FLASH_BASE + 0x200;
const SCRIPT: u32 = FLASH_BASE + 0x1000;
const RESULTS: u32 = RAM_BASE + 0x1000;
const STACK: u32 = RAM_BASE + 0x1_0000;
const HANDLER: u32 = CODE + 0x80;
const SECOND_CORE: u32 = CODE + 0xC0;
const FLASH_SIZE: usize = 64 * 1024;

/// Sets the vector table at 0x10000100 and starts what it says.
const BOOT2: &[u16] = &[
    0x4803, // ldr r0, =0x10000100
    0x4904, // ldr r1, =0xE000ED08
    0x6008, // str r0, [r1]
    0xC806, // ldm r0!, {r1, r2}
    0xF381, 0x8808, // msr MSP, r1
    0x4710, // bx r2
    0xBF00, 0x0100, 0x1000, 0xED08, 0xE000,
];

/// Plays the script at R4 and puts what it reads to R5.
const PLAYER: &[u16] = &[
    0x4C18, // ldr r4, =SCRIPT
    0x4D19, // ldr r5, =RESULTS
    0xCC07, // ldm r4!, {r0, r1, r2}
    0x2801, // cmp r0, #1
    0xD307, // bcc to the end
    0xD008, // beq to the store
    0x2803, // cmp r0, #3
    0xD308, // bcc to the load
    0xD00A, // beq to the byte
    0x2804, // cmp r0, #4
    0xD00A, // beq to the wait
    0xE00B, // b to the call
    0xBF00, // nop
    0xBE00, // bkpt #0
    0xE7FE, // b .
    0x600A, // str r2, [r1]
    0xE7F0, // b to the ldm
    0x680A, // ldr r2, [r1]
    0xC504, // stm r5!, {r2}
    0xE7ED, // b to the ldm
    0x700A, // strb r2, [r1]
    0xE7EB, // b to the ldm
    0xBF30, // wfi
    0xE7E9, // b to the ldm
    0xBF00, // nop
    // r1 is the code, the three arguments follow.
    0x2014, // movs r0, #0x14
    0x8800, // ldrh r0, [r0]
    0x2218, // movs r2, #0x18
    0x8812, // ldrh r2, [r2]
    0x4790, // blx r2
    0x0006, // movs r6, r0
    0xCC07, // ldm r4!, {r0, r1, r2}
    0x47B0, // blx r6
    0xC501, // stm r5!, {r0}
    0xE7DE, // b to the ldm
];

/// Writes what it got, its number, into the RAM, tells core 0, and sleeps.
const SECOND: &[u16] = &[
    0x20D0, // movs r0, #0xD0
    0x0600, // lsls r0, r0, #24
    0x6801, // ldr r1, [r0]: CPUID
    0x3142, // adds r1, #0x42
    0x6541, // str r1, [r0, #0x54]: FIFO_WR
    0xBF40, // sev
    0xBF30, // wfi
    0xE7FD, // b to the wfi
];

fn halfwords(code: &[u16]) -> Vec<u8> {
    code.iter().flat_map(|halfword| halfword.to_le_bytes()).collect()
}

fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// A flash with the second stage, the player and a script. Every handler is BKPT #1 and a return.
fn flash(script: &[Do]) -> Vec<u8> {
    let mut flash = halfwords(BOOT2);
    flash.resize(252, 0);
    flash.extend(rom::boot2_checksum(&flash).to_le_bytes());
    let mut vectors = vec![STACK, CODE | 1];
    vectors.resize(48, HANDLER | 1);
    let mut put = |address: u32, bytes: &[u8]| {
        flash.resize((address - FLASH_BASE) as usize, 0xFF);
        flash.extend(bytes);
    };
    put(PROGRAM, &words(&vectors));
    let mut code = PLAYER.to_vec();
    code.resize(0x32, 0);
    put(CODE, &halfwords(&code));
    put(CODE + 0x64, &words(&[SCRIPT, RESULTS]));
    put(HANDLER, &halfwords(&[0xBE01, 0x4770]));
    put(SECOND_CORE, &halfwords(SECOND));
    let mut list = vec![];
    for step in script {
        list.extend(match *step {
            Write(address, value) => vec![1, address, value],
            Read(address) => vec![2, address, 0],
            Byte(address, value) => vec![3, address, value],
            Wfi => vec![4, 0, 0],
            Rom(letters, [a, b, c]) => {
                vec![5, u16::from_le_bytes(*letters).into(), 0, a, b, c]
            }
        });
    }
    list.push(0);
    put(SCRIPT, &words(&list));
    flash
}

fn chip(script: &[Do]) -> Chip {
    let mut chip = Chip::new(FLASH_SIZE);
    chip.load(&Image::from_bin(&flash(script)).unwrap()).unwrap();
    chip.set_debugged(true);
    chip.power_on().unwrap();
    chip
}

/// B to itself.
const ENDLESS: u16 = 0xE7FE;

/// Puts another instruction where the player has its BKPT #0.
fn instead_of_the_end(chip: &mut Chip, instruction: u16) {
    chip.memory_mut().load(CODE + 26, &instruction.to_le_bytes()).unwrap();
}

const SECOND_NS: u64 = 1_000_000_000;

/// Plays `script` to its end and compares what it has read.
#[track_caller]
fn check(script: &[Do], read: &[u32]) -> Chip {
    let mut chip = chip(script);
    let halt = chip.run(SECOND_NS);
    let fault = chip.core(0).fault().map(ToString::to_string);
    assert_eq!(halt, Halt::Breakpoint(0, 0), "{fault:?}");
    let values: Vec<u32> =
        (0..read.len()).map(|n| chip.memory().word(RESULTS + 4 * n as u32).unwrap()).collect();
    assert_eq!(values, read, "{values:x?}");
    chip
}

/// XOSC, PLL and clocks as every program sets them: 125 MHz, and a tick of a microsecond.
const CLOCKS: [Do; 9] = [
    Write(0x4002_4000, 0xFAB_AA0),
    Write(0x4002_8008, 125),
    Write(0x4002_8004, 0),
    Write(0x4002_800C, 6 << 16 | 2 << 12),
    Write(0x4000_8030, 2),
    Write(0x4000_803C, 1),
    Write(0x4000_8048, 1 << 11),
    Write(0x4005_802C, 1 << 9 | 12),
    Write(0x4000_F000, 0x01FF_FFFF), // RESETS, by the alias that clears
];

fn after_clocks(script: &[Do]) -> Vec<Do> {
    CLOCKS.iter().chain(script).copied().collect()
}

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
fn the_clocks_lock_and_time_goes_on_at_125_mhz() {
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
fn a_greeting_leaves_the_uart_at_its_line_rate() {
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
fn a_function_of_the_rom_that_is_not_modelled_is_named() {
    let mut chip = chip(&[Rom(b"UB", [0; 3])]);
    assert_eq!(chip.run(SECOND_NS), Halt::RomCall(0, "_reset_to_usb_boot"));
}

#[test]
fn what_is_not_modelled_is_reported_once_with_its_instruction() {
    let chip = check(&[Read(0x4005_C000), Read(0x4005_C000), Write(0x4004_C000, 1)], &[0, 0]);
    let reports: Vec<_> = chip.not_modelled().iter().map(ToString::to_string).collect();
    assert_eq!(reports.len(), 2, "{reports:#?}");
    assert!(
        reports[0].starts_with("RTC is not modelled: core 0 reads 0x4005c000 at 0x10000222"),
        "{reports:#?}"
    );
    assert!(
        reports[1].starts_with("ADC is not modelled: core 0 writes 0x4004c000"),
        "{reports:#?}"
    );
}

#[test]
fn an_address_without_anything_is_a_fault() {
    let mut chip = chip(&[Read(0x6000_0000)]);
    assert_eq!(chip.run(SECOND_NS), Halt::Breakpoint(0, 1));
    assert_eq!(chip.core(0).exception(), Some(crate::cpu::Exception::HARD_FAULT));
}

#[test]
fn a_report_of_a_fault_names_the_function_that_it_happened_in() {
    let mut chip = chip(&[Read(0x6000_0000)]);
    assert_eq!(chip.fault_report(0, &Symbols::default()), None);
    chip.run(SECOND_NS);
    let report = chip.fault_report(0, &Symbols::new([(CODE, 0, "player")])).unwrap();
    assert!(report.contains("bus error reading 0x60000000"), "{report}");
    assert!(report.ends_with("in 0x10000222 player+0x22"), "{report}");
}

#[test]
fn core_1_starts_when_it_is_told_how() {
    let mut script = vec![];
    for word in [0, 0, 1, PROGRAM, STACK - 0x1000, SECOND_CORE | 1] {
        script.extend([Write(0xD000_0054, word), Read(0xD000_0058)]);
    }
    script.extend([Write(0xE000_E100, 1 << 15), Wfi]);
    let mut chip = chip(&script);
    // What core 1 has written to the FIFO interrupts core 0.
    assert_eq!(chip.run(SECOND_NS), Halt::Breakpoint(0, 1));
    assert_eq!(chip.core(0).exception().map(|e| e.number()), Some(16 + 15));
    assert_eq!(chip.memory().word(RESULTS + 20), Some(SECOND_CORE | 1), "the last answer");
    assert_eq!(chip.core(1).stack_pointer(false), STACK - 0x1000);
    assert_eq!(chip.core(1).register(1), 0x43);
}

#[test]
fn two_sleeping_cores_wake_at_the_alarm_of_one() {
    let mut script = CLOCKS.to_vec();
    for word in [0, 0, 1, PROGRAM, STACK - 0x1000, SECOND_CORE | 1] {
        script.extend([Write(0xD000_0054, word), Read(0xD000_0058)]);
    }
    script.extend([Write(0x4005_4038, 1), Write(0x4005_4010, 900_000), Write(0xE000_E100, 1), Wfi]);
    let mut chip = chip(&script);
    assert_eq!(chip.run(SECOND_NS), Halt::Breakpoint(0, 1));
    let ns = chip.now_ns();
    assert!((900_000_000..900_060_000).contains(&ns), "{ns} ns");
    assert!(chip.core(1).asleep());
    let apart = chip.core(0).cycles().abs_diff(chip.core(1).cycles());
    assert!(apart <= 2 * LEAD, "{apart} cycles apart");
}

#[test]
fn the_watchdog_starts_the_program_again_with_its_scratch_registers() {
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
    // A NOP lets it fall into the endless loop behind.
    instead_of_the_end(&mut chip, 0xBF00);
    chip.run(first + 900_000);
    instead_of_the_end(&mut chip, 0xBE00);
    assert_eq!(chip.run(SECOND_NS), Halt::Breakpoint(0, 0));
    assert_eq!(chip.memory().word(RESULTS), Some(0xBEEF));
    assert_eq!(chip.memory().word(RESULTS + 4), Some(1), "the timer was the reason");
    assert!(chip.now_ns() - first > 1_000_000);
}

#[test]
fn a_clone_goes_on_as_its_original() {
    let mut one = chip(&after_clocks(&[Write(0x4005_4010, 100), Wfi]));
    one.run(20_000);
    let mut other = one.clone();
    one.run(5_000_000);
    for part in 1..=50 {
        other.run(part * 100_000);
    }
    assert_eq!(one.core(0).cycles(), other.core(0).cycles());
    assert_eq!(one.core(0).instructions(), other.core(0).instructions());
}

/// A number that follows from the one before: xorshift.
fn random(state: &mut u32) -> u32 {
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    *state
}

#[test]
fn no_value_in_any_register_of_a_device_is_a_panic() {
    const BLOCKS: [u32; 31] = [
        0x4000_0000,
        0x4000_8000,
        0x4000_C000,
        0x4001_0000,
        0x4001_4000,
        0x4001_C000,
        0x4002_4000,
        0x4002_8000,
        0x4003_4000,
        0x4003_8000,
        0x4004_4000,
        0x4004_8000,
        0x4005_4000,
        0x4005_8000,
        0x4006_0000,
        0x4006_4000,
        0x4000_4000,
        0x4001_8000,
        0x4002_0000,
        0x4003_C000,
        0x4004_0000,
        0x4005_0000,
        0x5000_0000,
        0x5020_0000,
        0x5020_0000,
        0x5030_0000,
        0x5030_0000,
        0x1400_0000,
        0x1800_0000,
        0xD000_0000,
        0xE000_E000,
    ];
    for seed in 1..=150 {
        println!("seed {seed}"); // the last one printed is the one that failed
        let mut state = 0x9E37_79B9u32.wrapping_mul(seed);
        let script: Vec<Do> = (0..200)
            .map(|_| {
                let block = BLOCKS[random(&mut state) as usize % BLOCKS.len()];
                let alias =
                    if matches!(block >> 28, 4 | 5) { random(&mut state) & 0x3000 } else { 0 };
                // Most registers are near the beginning; the system's are not.
                let reach = if random(&mut state) & 1 == 0 { 0xFC } else { 0xFFC };
                let address = block + alias + (random(&mut state) & reach);
                match random(&mut state) % 3 {
                    0 => Read(address),
                    1 => Write(address, random(&mut state) & random(&mut state)),
                    _ => Write(address, random(&mut state)),
                }
            })
            .collect();
        let mut chip = chip(&script);
        // What stops it, and where it goes then, does not matter: that it answers does.
        for part in 1..40 {
            let halt = chip.run(part * 50_000_000);
            chip.drive(part as usize % PIN_COUNT, Drive::High);
            chip.send(part as usize % 2, part as u8);
            if let Halt::Breakpoint(core, _) = halt {
                let core = &mut chip.cores[usize::from(core)];
                core.set_register(15, core.pc() + 2);
            }
        }
    }
}

#[test]
fn no_sequence_of_bytes_is_a_panic() {
    for seed in 1..=300 {
        println!("seed {seed}"); // the last one printed is the one that failed
        let mut state = 0x85EB_CA6Bu32.wrapping_mul(seed);
        let mut flash = flash(&[]);
        for byte in &mut flash[0x200..] {
            *byte = random(&mut state) as u8;
        }
        let mut chip = Chip::new(FLASH_SIZE);
        chip.load(&Image::from_bin(&flash).unwrap()).unwrap();
        chip.power_on().unwrap();
        for number in 0..13 {
            let base = [RAM_BASE, 0x4000_0000, 0xD000_0000, FLASH_BASE][number % 4];
            chip.cores[0].set_register(number, base + (random(&mut state) & 0xFFFC));
        }
        for part in 1..20 {
            chip.run(part * 1_000_000);
        }
    }
}

/// SPI0 at 62.5 Mbit/s, 8 bits, with DMA requests.
const SPI: [Do; 4] =
    [Write(0x4003_C000, 7), Write(0x4003_C010, 2), Write(0x4003_C024, 3), Write(0x4003_C004, 2)];
/// Bytes, the read address goes up, paced by SPI0's transmitter.
const TO_SPI: u32 = 1 | 1 << 4 | 16 << 15;

#[test]
fn dma_feeds_an_spi_without_a_pause_while_the_core_sleeps() {
    let text = b"DMA to SPI: without a pause!";
    let script = [
        &SPI[..],
        &[
            Write(0xE000_E100, 1 << 11), // NVIC: DMA_IRQ_0
            Write(0x5000_0404, 1),
            Write(0x5000_0000, RAM_BASE + 0x3000),
            Write(0x5000_0004, 0x4003_C008),
            Write(0x5000_0008, text.len() as u32),
            Write(0x5000_000C, TO_SPI),
            Wfi,
        ],
    ]
    .concat();
    let mut chip = chip(&after_clocks(&script));
    chip.memory_mut().load(RAM_BASE + 0x3000, text).unwrap();
    assert_eq!(chip.run(SECOND_NS), Halt::Breakpoint(0, 1), "the interrupt");
    let woken = chip.now_ns();
    // The handler is a BKPT and a return; nobody stops at it any more.
    chip.memory_mut().load(HANDLER, &ENDLESS.to_le_bytes()).unwrap();
    assert_eq!(chip.run(woken + 10_000), Halt::Time);
    let (sent, dropped) = chip.take_spi_sent(0);
    assert_eq!((sent.len(), dropped), (text.len(), 0));
    for (n, (byte, word)) in text.iter().zip(&sent).enumerate() {
        assert_eq!(word.word, u16::from(*byte), "word {n}");
        assert_eq!(word.ns, sent[0].ns + n as u64 * 128, "word {n}");
    }
    // The last bytes still waited in the FIFO when the DMA was done.
    let late = sent.iter().filter(|word| word.ns > woken).count();
    assert!((8..=9).contains(&late), "{late}");
    assert_eq!(chip.not_modelled(), []);
}

#[test]
fn dma_copies_memory_a_word_a_cycle_and_a_wrap_of_the_pwm_paces_it() {
    let copy = 1 | 2 << 2 | 3 << 4;
    let mut chip = check(
        &after_clocks(&[
            Write(RAM_BASE + 0x3000, 0x1234_5678),
            Write(0x5000_0000, RAM_BASE + 0x3000),
            Write(0x5000_0004, RAM_BASE + 0x3100),
            Write(0x5000_0008, 1),
            Write(0x5000_000C, copy | 0x3F << 15),
            // Slice 2 wraps every 1,000 cycles.
            Write(0x4005_0038, 999),
            Write(0x4005_0034, 250),
            Write(0x4005_0028, 1),
            Read(0x5000_000C),
            Read(RAM_BASE + 0x3100),
            Write(0x5000_0000, RAM_BASE + 0x3000),
            Write(0x5000_0004, RAM_BASE + 0x3200),
            Write(0x5000_0008, 1),
            Write(0x5000_000C, copy | 26 << 15),
            Read(RAM_BASE + 0x3200),
        ]),
        &[copy | 0x3F << 15, 0x1234_5678, 0],
    );
    assert_eq!(chip.square_wave(2, 0), Some((125_000.0, 0.25)));
    assert_eq!(chip.pwm_levels(), 1 << 4, "in the first quarter of its first period");
    instead_of_the_end(&mut chip, ENDLESS);
    chip.run(chip.now_ns() + 20_000);
    assert_eq!(chip.memory().word(RAM_BASE + 0x3200), Some(0x1234_5678));
    let (changes, dropped) = chip.take_pwm_changes();
    // High from the write of its compare on, a wave from its enable on.
    assert_eq!((changes.len(), dropped), (2, 0), "{changes:?}");
}

#[test]
fn dma_that_errs_says_so_and_a_bootsel_pressed_is_seen() {
    let mut chip = chip(&after_clocks(&[
        Write(0x5000_0000, 0xD000_0000), // the SIO is the cores' own
        Write(0x5000_0004, RAM_BASE + 0x3100),
        Write(0x5000_0008, 1),
        Write(0x5000_000C, 1 | 0x3F << 15),
        Read(0xD000_0008),
        Write(0x4001_800C, 2 << 12),
        Read(0xD000_0008),
        Read(0x5000_000C),
    ]));
    chip.press_bootsel(true);
    assert_eq!(chip.run(SECOND_NS), Halt::Breakpoint(0, 0));
    let read = [0, 1, 2].map(|n| chip.memory().word(RESULTS + 4 * n).unwrap());
    assert_eq!(read, [0x3E, 0x3C, 1 | 0x3F << 15 | 1 << 30 | 1 << 31]);
}

#[test]
fn bypassed_synchronisers_are_kept_and_the_rest_of_syscfg_is_named() {
    let chip = check(
        &[
            Write(0x4000_400C, 0xFFFF_FFFF),
            Write(0x4000_700C, 1), // clears
            Read(0x4000_400C),
            Write(0x4000_4010, 0xFF),
            Read(0x4000_4010),
            Write(0x4000_4000, 1),
        ],
        &[0x3FFF_FFFE, 0x3F],
    );
    let [report] = chip.not_modelled() else { panic!("{:?}", chip.not_modelled()) };
    assert_eq!((report.what, report.access.address), ("SYSCFG register", 0x4000_4000));
}

#[test]
fn the_roms_floating_point_is_found_and_gives_its_results_in_two_registers() {
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
