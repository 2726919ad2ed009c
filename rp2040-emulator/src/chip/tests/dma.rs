//! The DMA with memory, SPI and PWM.

use super::step::state;
use super::*;

/// SPI0 at 62.5 Mbit/s, 8 bits, with DMA requests.
const SPI: [Do; 4] =
    [Write(0x4003_C000, 7), Write(0x4003_C010, 2), Write(0x4003_C024, 3), Write(0x4003_C004, 2)];
/// CTRL: bytes, read address incremented, paced by SPI0's transmitter.
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
    // The handler is a BKPT and a return; from here on it does not stop the run.
    chip.memory_mut().load(HANDLER, &ENDLESS.to_le_bytes()).unwrap();
    assert_eq!(chip.run(woken + 10_000), Halt::Time);
    let (sent, dropped) = chip.take_spi_sent(0);
    assert_eq!((sent.len(), dropped), (text.len(), 0));
    for (n, (byte, word)) in text.iter().zip(&sent).enumerate() {
        assert_eq!(word.word, u16::from(*byte), "word {n}");
        assert_eq!(word.ns, sent[0].ns + n as u64 * 128, "word {n}");
    }
    // The last bytes were still in the FIFO when the DMA was done.
    let late = sent.iter().filter(|word| word.ns > woken).count();
    assert!((8..=9).contains(&late), "{late}");
    assert_eq!(chip.not_modelled(), []);
}

/// Creates a busy core that stores to the memory that the DMA reads, a DMA that feeds an SPI from a
/// ring, and events of other devices.
fn streaming(core: &[u16], more: &[Do], chain_to: u32) -> Chip {
    let script = [
        &SPI[..],
        &[
            Write(0xE000_E100, 1 << 11 | 1 << 18 | 2), // NVIC: DMA_IRQ_0, SPI0, alarm 1
            Write(0x5000_0404, 1),
            Write(0x5000_0000, RAM_BASE + 0x3000),
            Write(0x5000_0004, 0x4003_C008),
            Write(0x5000_0008, 700),
        ],
        more,
        &[Write(0x5000_000C, TO_SPI | 8 << 6 | chain_to << 11)], // in a ring of 256 bytes
    ]
    .concat();
    let mut chip = chip(&after_clocks(&script));
    let picture = (0..=255).collect::<Vec<u8>>();
    chip.memory_mut().load(RAM_BASE + 0x3000, &picture).unwrap();
    // The program is after the script; handlers return.
    chip.memory_mut().load(HANDLER, &0x4770_u16.to_le_bytes()).unwrap();
    instead_of_the_end(&mut chip, 0xE071);
    chip.memory_mut().load(CODE + 0x100, &halfwords(core)).unwrap();
    chip
}

/// Stores to the ring that the DMA reads, without accessing a register.
const WRITER: &[u16] = &[
    0x2430, // movs r4, #0x30
    0x0224, // lsls r4, r4, #8
    0x2520, // movs r5, #0x20
    0x062D, // lsls r5, r5, #24
    0x1964, // adds r4, r4, r5: RAM_BASE + 0x3000
    0x3207, // adds r2, #7
    0xB2D1, // uxtb r1, r2
    0x5462, // strb r2, [r4, r1]
    0x3B01, // subs r3, #1
    0x4353, // muls r3, r2
    0xE7F9, // b to the adds r2
];

/// As [`WRITER`], and reads the status of the SPI regularly.
const LOOKER: &[u16] = &[
    0x4C06, // ldr r4, =SPI0
    0x4D07, // ldr r5, =RAM_BASE + 0x3000
    0x68E1, // ldr r1, [r4, #0xC]
    0x4E07, // ldr r6, =DMA
    0x6830, // ldr r0, [r6]
    0x1843, // adds r3, r0, r1
    0x3207, // adds r2, #7
    0xB2D1, // uxtb r1, r2
    0x546B, // strb r3, [r5, r1]
    0x2132, // movs r1, #50
    0x3901, // subs r1, #1
    0xD1FD, // bne to the subs
    0xE7F4, // b to the ldr r1
    0xBF00, // nop; the literals follow
];

#[test]
fn the_stream_fast_path_equals_polling_all_devices() {
    let mut looker = LOOKER.to_vec();
    let literals = [0x4003_C000, RAM_BASE + 0x3000, 0x5000_0000];
    looker.extend(literals.iter().flat_map(|word: &u32| [*word as u16, (*word >> 16) as u16]));
    let alarm = [Write(0x4005_4038, 2), Write(0x4005_4014, 60)];
    let timeout = [Write(0x4003_C014, 0xF)];
    let receiver = [
        Write(0x5000_0040, 0x4003_C008),
        Write(0x5000_0044, RAM_BASE + 0x3080),
        Write(0x5000_0048, 300),
        Write(0x5000_004C, 1 | 1 << 5 | 17 << 15 | 1 << 11),
    ];
    let chained = [
        Write(0x5000_0050, 1 | 1 << 4 | 1 << 11 | 0x3F << 15),
        Write(0x5000_0054, RAM_BASE + 0x3010),
        Write(0x5000_0044, RAM_BASE + 0x3300),
        Write(0x5000_0048, 90),
    ];
    for (name, more) in [
        ("alone", &[][..]),
        ("an alarm", &alarm),
        ("interrupts of the SPI", &timeout),
        ("a receiver", &receiver),
        ("another channel", &chained),
    ] {
        for core in [WRITER, &looker] {
            let chip = streaming(core, more, u32::from(name == "another channel"));
            let (mut chip, mut slow) = (chip.clone(), chip);
            slow.devices.disable_fast_path();
            let mut until = 0;
            for part in 0..60 {
                until += 1_000 + 977 * (part % 7);
                assert_eq!(chip.run(until), slow.run(until), "{name}, part {part}");
                assert_eq!(state(&chip), state(&slow), "{name}, part {part}");
                assert_eq!(chip.take_spi_sent(0), slow.take_spi_sent(0), "{name}, part {part}");
                let ram = |chip: &Chip| {
                    (0..256)
                        .map(|n| chip.memory().word(RAM_BASE + 0x3000 + 4 * n))
                        .collect::<Vec<_>>()
                };
                assert_eq!(ram(&chip), ram(&slow), "{name}, part {part}");
            }
        }
    }
}

#[test]
fn dma_copies_a_word_a_cycle_and_is_paced_by_pwm_wraps() {
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
    // High from the write of its compare value on, a wave from its enable on.
    assert_eq!((changes.len(), dropped), (2, 0), "{changes:?}");
}

#[test]
fn dma_errors_are_reported_and_bootsel_is_readable() {
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
fn the_flash_is_read_in_bulk_by_the_words_of_the_ssi() {
    const SSI: u32 = 0x1800_0000;
    const CHANNEL: u32 = 0x5000_0000;
    let script = after_clocks(&[
        Write(SSI + 0x08, 0),                    // SSIENR
        Write(SSI, 2 << 21 | 31 << 16 | 3 << 8), // CTRLR0: quad, 32 bits, EEPROM read
        Write(SSI + 0xF4, 0xA0 << 24),           // SPI_CTRLR0: no instruction
        Write(SSI + 0x14, 2),                    // BAUDR
        Write(SSI + 0x04, 63),                   // CTRLR1: 64 words
        Write(SSI + 0x4C, 3),                    // DMACR
        Write(SSI + 0x08, 1),
        Write(CHANNEL, SSI + 0x60),
        Write(CHANNEL + 4, RAM_BASE + 0x100),
        Write(CHANNEL + 8, 64),
        Write(CHANNEL + 12, 1 << 22 | 39 << 15 | 1 << 5 | 2 << 2 | 1), // BSWAP, SSIRX
        Write(SSI + 0x60, 0x200 << 8 | 0xA0),
    ]);
    let mut chip = chip(&script);
    instead_of_the_end(&mut chip, ENDLESS);
    chip.run(50_000);
    let words =
        |base: u32| [0, 1, 62, 63].map(|n| chip.memory().word(base + 4 * n)).map(Option::unwrap);
    assert_eq!(words(RAM_BASE + 0x100), words(CODE), "the program of the player");
}

/// CTRL: words, both addresses incremented, no pacing.
const COPY: u32 = 0x3F << 15 | 3 << 4 | 2 << 2 | 1;

#[test]
fn a_dma_read_that_misses_the_cache_waits_for_the_flash() {
    // Continuous quad reads: eight clocks of address and mode, four of waiting, sixteen of data,
    // each of four cycles: 112 cycles, as the second stage of a W25Q080 sets them up.
    let ssi = [
        Write(0x1800_0008, 0),
        Write(0x1800_0014, 4),
        Write(0x1800_0000, 2 << 21 | 31 << 16 | 3 << 8),
        Write(0x1800_00F4, 0xA0 << 24 | 4 << 11 | 8 << 2 | 2),
        Write(0x1800_0008, 1),
    ];
    // Three words of the flash, of which the first two are in one line.
    let copy = [
        Write(0x5000_0000, FLASH_BASE + 0x8000),
        Write(0x5000_0004, RAM_BASE + 0x3000),
        Write(0x5000_0008, 3),
        Write(0x5000_000C, COPY),
    ];
    let script = [&ssi[..], &copy, &[Wfi; 1]].concat();
    let arrivals = |misses: bool| {
        let mut chip = chip(&after_clocks(&script));
        instead_of_the_end(&mut chip, ENDLESS);
        chip.memory_mut().load(FLASH_BASE + 0x8000, &[7; 12]).unwrap();
        if misses {
            chip.model_dma_misses();
        }
        let mut arrivals = vec![];
        let mut ns = 0;
        while arrivals.len() < 3 && ns < 200_000 {
            ns += 8;
            let _ = chip.run(ns);
            let word = RAM_BASE + 0x3000 + 4 * arrivals.len() as u32;
            if chip.memory().word(word) == Some(0x0707_0707) {
                arrivals.push(ns as i64);
            }
        }
        assert_eq!(chip.dma_flash_reads(), 3);
        [arrivals[1] - arrivals[0], arrivals[2] - arrivals[1]]
    };
    let [within, next] = arrivals(false);
    assert!(within <= 32 && next <= 32, "a hit: {within} and {next} ns");
    let [within, next] = arrivals(true);
    assert!(within <= 32, "the same line: {within} ns");
    assert!((112 * 8..116 * 8).contains(&next), "the next line: {next} ns");
}
