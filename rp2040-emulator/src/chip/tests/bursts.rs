//! Pictures that a PIO shifts out, fed by the DMA: executed at once and edge by edge.

use super::*;

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
        whole.run(ns);
        let bursts = whole.take_bursts();
        assert!(bursts.len() as u32 >= 2 * WORDS - 2, "{} bursts", bursts.len());
        let mut all = whole.take_changes();
        assert!(all.len() < WORDS as usize, "{} changes in no burst", all.len());
        all.extend(bursts.iter().flat_map(PinBurst::changes));
        all.sort_by_key(|change| change.ns);
        all.dedup_by_key(|change| change.levels);
        assert_eq!(all, edges, "divider {divider}");
    }
}
