//! Pictures that a PIO shifts out, fed by the DMA: executed at once and edge by edge.

use super::*;
use crate::part::Part;

const PIO0: u32 = 0x5020_0000;
const SCK: u32 = 6;
const MOSI: u32 = 7;
const WORDS: u32 = 200;
const SOURCE: u32 = RAM_BASE + 0x3000;

/// Sets up a state machine that sends two pixels of 12 bits a word, with its clock divided by 256ths,
/// and a DMA channel that feeds it.
fn sending(divider: u32) -> Vec<Do> {
    let program = [0x80A0, 0x6064, 0xE02B, 0x7001, 0x1843, 0x6064, 0xE02B, 0x7001, 0x1847];
    let mut script: Vec<Do> =
        (0..).zip(program).map(|(n, w)| Write(PIO0 + 0x48 + 4 * n, w)).collect();
    script.extend([Write(PIO0 + 0xC8, divider << 8), Write(PIO0 + 0xCC, 8 << 12 | 1 << 30)]);
    script.push(Write(PIO0 + 0xD0, 1 << 30));
    for pin in [SCK, MOSI] {
        script.extend([Write(PIO0 + 0xDC, 1 << 26 | pin << 5), Write(PIO0 + 0xD8, 0xE081)]);
        script.push(Write(0x4001_4004 + 8 * pin, 6));
    }
    script.extend([
        Write(PIO0 + 0xDC, 2 << 29 | 1 << 20 | SCK << 10 | MOSI),
        Write(PIO0, 1),
        Write(0x5000_0000, SOURCE),
        Write(0x5000_0004, PIO0 + 0x10),
        Write(0x5000_0008, WORDS),
        Write(0x5000_000C, 1 | 2 << 2 | 1 << 4), // words, incremented, paced by request 0
        Wfi,
    ]);
    script
}

/// State of the chip as a program can read it: FIFO levels, program counter, DMA counts, latched
/// edges, pins.
fn state(chip: &mut Chip) -> Vec<Option<u32>> {
    let registers = [
        PIO0 + 0x0C, // FLEVEL
        PIO0 + 0x08, // FDEBUG
        PIO0 + 0xD4, // SM0_ADDR
        PIO0 + 0x3C, // DBG_PADOUT
        0x5000_0000, // CH0_READ_ADDR
        0x5000_0008, // CH0_TRANS_COUNT
        0x5000_0400, // INTR
        0x4001_40F0, // INTR0 of the pins
    ];
    let mut state: Vec<_> = registers.iter().map(|address| chip.peek(0, *address)).collect();
    state.extend([Some(chip.levels()), Some(chip.core(0).cycles() as u32)]);
    state
}

#[test]
fn a_picture_by_pio_and_dma_is_the_same_at_once_and_edge_by_edge() {
    for divider in [0x100, 0x200, 0x201, 0x380, 0x500] {
        let mut seed = 0x1234_5678 + divider;
        let picture: Vec<u32> =
            (0..WORDS).map(|n| if n % 3 == 0 { 0x0FFF_0000 } else { random(&mut seed) }).collect();
        let mut chips = [true, false].map(|bursts| {
            let mut chip = chip(&after_clocks(&sending(divider)));
            if !bursts {
                chip.devices.disable_bursts();
                chip.devices.disable_fast_path();
            }
            chip.memory_mut().load(SOURCE, &words(&picture)).unwrap();
            chip.watch(1 << SCK | 1 << MOSI);
            chip
        });
        let mut whole = chips[0].clone();
        let mut edges = Vec::new();
        let mut ns = 0;
        while ns < 300_000 * u64::from(divider) / 256 {
            ns += u64::from(random(&mut seed) % 3_000);
            let [fast, slow] = chips.each_mut().map(|chip| {
                chip.run(ns);
                (chip.take_changes(), state(chip))
            });
            assert_eq!(fast, slow, "divider {divider}, {ns} ns");
            edges.extend(fast.0);
        }
        // The picture begins when the core sleeps.
        assert!(edges.len() >= 24 * WORDS as usize * 2, "{} changes", edges.len());
        // Bursts have the same changes, of which some are none.
        whole.take_bursts();
        whole.take_words();
        whole.run(ns);
        let (bursts, pieces) = (whole.take_bursts(), whole.take_words());
        let words: usize = pieces.iter().map(|piece| piece.words().len()).sum();
        assert!(words > WORDS as usize / 2, "{words} words, {} bursts", bursts.len());
        let mut all = whole.take_changes();
        assert!(all.len() < WORDS as usize, "{} changes in no burst", all.len());
        all.extend(bursts.iter().flat_map(PinBurst::changes));
        all.extend(pieces.iter().flat_map(PinWords::changes));
        all.sort_by_key(|change| change.ns);
        all.dedup_by_key(|change| change.levels);
        assert_eq!(all, edges, "divider {divider}");
    }
}

/// Registers of a transmitter: its program, CLKDIV, EXECCTRL, SHIFTCTRL; and the DMA's transfers.
struct Transmitter {
    program: Vec<u32>,
    divider: u32,
    last: u32,
    shift: u32,
    /// DATA_SIZE and RING_SIZE.
    width: u32,
    ring: u32,
    /// BSWAP.
    swaps: u32,
}

impl Transmitter {
    /// Returns a transmitter of one of the usual forms, with random delays, thresholds and clocks.
    fn random(kind: u32, seed: &mut u32) -> Self {
        let mut below = |end: u32| (random(seed) >> 3) % end;
        let mut delay = || [0, 0, 0, 1, 2][below(5) as usize] << 8;
        let (out, second) = (0x7001 | delay(), 0x1800 | delay());
        let both = |at: u32| [out, 0x00E0 | second | at];
        let pairs = |at: u32, count: u32| [0xE020 | count, out, 0x0040 | second | (at + 1)];
        let autopull = 1 << 17 | [8, 12, 16, 24, 0][below(5) as usize] << 25;
        let (program, shift): (Vec<u32>, u32) = match kind {
            // pull; out null, 4; set x, n; out pins, 1; jmp x--; and once more
            0 => ([&[0x80A0, 0x6064][..], &pairs(2, 11), &[0x6064], &pairs(6, 11)].concat(), 0),
            // pull; out x, 16; out y, 16; four times: mov osr, x; out null, 20; shift
            1 => {
                let pixel = |at: u32, source| [&[source, 0x6074][..], &both(at + 2)].concat();
                let [x, y] = [0xA0E1, 0xA0E2];
                let pixels = [pixel(3, x), pixel(7, x), pixel(11, y), pixel(15, y)].concat();
                ([&[0x80A0, 0x6030, 0x6050], &pixels[..]].concat(), 0)
            }
            // out pins, 1; nop, with autopull
            2 => (vec![out, 0xA042 | second], autopull),
            // out pins, 1; jmp 0, with autopull
            3 => (vec![out, second], autopull),
            // The same, of which the last bit is not in a loop: pull; mov osr, ~osr; …
            4 => ([&[0x80A0, 0xA0EF, 0x6068][..], &pairs(3, 14), &[out, second]].concat(), 0),
            // pull; mov osr, ::osr; set x, 23; shift
            5 => ([&[0x80A0, 0xA0F7][..], &pairs(2, 23)].concat(), 0),
            // pull; out x, 4; shift x + 1 bits: depends on the word
            6 => (vec![0x80A0, 0x6024, out, 0x0040 | second | 2], 0),
            // Two words of different lengths.
            _ => {
                let words = [&[0x80A0][..], &pairs(1, 15), &[0x80A0], &pairs(5, 7)];
                (words.concat(), 0)
            }
        };
        let fraction = [0, 0, 1, 0x80, 0xFF, below(256)][below(6) as usize];
        Self {
            last: program.len() as u32 - 1,
            program,
            divider: [1, 1, 2, 3][below(4) as usize] << 8 | fraction,
            shift: shift | below(2) << 19 | below(2) << 30,
            width: [2, 2, 2, 1, 0][below(5) as usize],
            ring: [8, 8, 6, 0][below(4) as usize],
            swaps: below(2),
        }
    }

    fn script(&self) -> Vec<Do> {
        let program = (0..).zip(&self.program);
        let mut script: Vec<Do> =
            program.map(|(n, word)| Write(PIO0 + 0x48 + 4 * n, *word)).collect();
        script.push(Write(PIO0 + 0xC8, self.divider << 8));
        script.push(Write(PIO0 + 0xCC, self.last << 12 | 1 << 30));
        for pin in [SCK, MOSI] {
            script.extend([Write(PIO0 + 0xDC, 1 << 26 | pin << 5), Write(PIO0 + 0xD8, 0xE081)]);
            script.push(Write(0x4001_4004 + 8 * pin, 6));
        }
        let control = 1 | self.width << 2 | 1 << 4 | self.ring << 6 | self.swaps << 22;
        script.extend([
            Write(PIO0 + 0xDC, 2 << 29 | 1 << 20 | SCK << 10 | MOSI),
            Write(PIO0 + 0xD0, self.shift),
            Write(PIO0, 1),
            Write(0xE000_E100, 1 << 11 | 2), // NVIC: DMA_IRQ_0, alarm 1
            Write(0x5000_0404, 1),
            Write(0x4005_4038, 2),
            Write(0x4005_4014, 60),
            Write(0x5000_0000, SOURCE),
            Write(0x5000_0004, PIO0 + 0x10),
            Write(0x5000_0008, 3 * WORDS),
            Write(0x5000_000C, control),
        ]);
        script
    }
}

/// Reads a register at [`TIMER`] and one at the second literal, stores to the source, and pauses.
/// With another instruction in its middle it writes to that register.
fn core(access: u16, register: u32) -> Vec<u16> {
    const TIMER: u32 = 0x4005_4000;
    let mut code = vec![
        0x4C06, // ldr r4, =TIMER
        0x4D07, // ldr r5, =SOURCE
        0x68E1, // ldr r1, [r4, #0xC]
        0x4E07, // ldr r6, =register
        access, 0x1843, // adds r3, r0, r1
        0x3207, // adds r2, #7
        0xB2D1, // uxtb r1, r2
        0x546B, // strb r3, [r5, r1]
        0x2132, // movs r1, #50
        0x3901, // subs r1, #1
        0xD1FD, // bne to the subs
        0xE7F4, // b to the ldr r1
        0xBF00, // nop; the literals follow
    ];
    let literals = [TIMER, SOURCE, register];
    code.extend(literals.iter().flat_map(|word: &u32| [*word as u16, (*word >> 16) as u16]));
    code
}

/// Stores to the source without a pause.
const WRITER: &[u16] = &[
    0x2430, // movs r4, #0x30
    0x0224, // lsls r4, r4, #8
    0x2520, // movs r5, #0x20
    0x062D, // lsls r5, r5, #24
    0x1964, // adds r4, r4, r5: SOURCE
    0x3207, // adds r2, #7
    0xB2D1, // uxtb r1, r2
    0x5462, // strb r2, [r4, r1]
    0x3B01, // subs r3, #1
    0x4353, // muls r3, r2
    0xE7F9, // b to the adds r2
];

const LOAD: u16 = 0x6830; // ldr r0, [r6]
const STORE: u16 = 0x6032; // str r2, [r6]

#[test]
fn words_by_pio_and_dma_are_the_same_at_once_and_edge_by_edge() {
    let cores = [
        vec![0xBF30, 0xE7FD], // wfi; b to it
        vec![0xE7FE],         // b to itself
        WRITER.to_vec(),
        core(LOAD, 0xD000_0000),         // SIO: CPUID
        core(LOAD, 0x5000_0000),         // DMA: CH0_READ_ADDR
        core(STORE, PIO0),               // CTRL
        core(STORE, PIO0 + 0x38),        // INPUT_SYNC_BYPASS
        core(STORE, 0xD000_0000 + 0x60), // SIO: DIV_UDIVIDEND
        core(STORE, 0xD000_0000 + 0x10), // SIO: GPIO_OUT
    ];
    let mut words_of = [0; 8];
    let part = Part::of_this_run();
    for case in part.pick(0..288_u32) {
        let (kind, code) = (case % 8, &cores[(case / 8 % 9) as usize]);
        println!("case {case}"); // the last one printed is the one that failed
        let mut seed = 0x9E37_79B9_u32.wrapping_mul(case + 1);
        let transmitter = Transmitter::random(kind, &mut seed);
        let picture: Vec<u32> = (0..3 * WORDS)
            .map(|n| if n % 3 == 0 { 0x0FFF_0000 } else { random(&mut seed) })
            .collect();
        let mut chips = [true, false].map(|bursts| {
            let mut chip = chip(&after_clocks(&transmitter.script()));
            if !bursts {
                chip.devices.disable_bursts();
                chip.devices.disable_fast_path();
            }
            chip.memory_mut().load(SOURCE, &words(&picture)).unwrap();
            chip.memory_mut().load(HANDLER, &0x4770_u16.to_le_bytes()).unwrap();
            instead_of_the_end(&mut chip, 0xE071);
            chip.memory_mut().load(CODE + 0x100, &halfwords(code)).unwrap();
            chip.watch(1 << SCK | 1 << MOSI);
            chip
        });
        let mut whole = chips[0].clone();
        let (mut edges, mut ns) = (Vec::new(), 0);
        while ns < 200_000 {
            ns += u64::from(random(&mut seed) % 20_000);
            let changes = random(&mut seed).is_multiple_of(4);
            let (at, bytes) = (random(&mut seed) % 250, random(&mut seed).to_le_bytes());
            let [fast, slow] = chips.each_mut().map(|chip| {
                chip.run(ns);
                let state = (chip.take_changes(), state(chip));
                if changes {
                    chip.memory_mut().load(SOURCE + at, &bytes).unwrap();
                }
                state
            });
            assert_eq!(fast, slow, "{ns} ns");
            edges.extend(fast.0);
        }
        whole.take_bursts();
        whole.take_words();
        whole.run(ns);
        words_of[kind as usize] +=
            whole.take_words().iter().map(|piece| piece.words().len()).sum::<usize>();
        assert!(edges.len() > 100, "{} changes", edges.len());
    }
    let [.., by_word, by_turns] = words_of;
    assert_eq!([by_word, by_turns], [0, 0], "these have no path");
    let has_path = words_of[..6].iter().all(|words| *words > 300);
    assert!(has_path || !part.is_whole(), "{words_of:?} words");
}
