//! Two cores that access the same devices: every access happens at its own cycle, in the order of
//! cycles, however long the turns are in which the emulator executes the cores.
//!
//! Not compared: memory that both cores use, interrupts that one core causes in the other, and
//! transfers of the DMA, which happen after the instruction of either core that is due then.

use rp2040_emulator::bus::Width;
use rp2040_emulator::chip::{Chip, DebugTarget, Halt, PinChange, SpiWord};
use rp2040_emulator::memory::RAM_BASE;

use super::assembler::Assembler;
use super::program::{B, BNE, chip, launch_core_1};

const RESETS: u32 = 0x4000_C000;
const CLK_PERI_CTRL: u32 = 0x4000_8048;
const GPIO_CTRL: u32 = 0x4001_4004;
const PIO: u32 = 0x5020_0000;
const SIO: u32 = 0xD000_0000;
const UART0: u32 = 0x4003_4000;
const SPI0: u32 = 0x4003_C000;
const PWM: u32 = 0x4005_0000;
const TIMER: u32 = 0x4005_4000;
/// Number of functions of a PIO; it drives pins 0 to 3.
const FUNCTION_PIO0: u32 = 6;
const FUNCTION_SIO: u32 = 5;
/// Memory of each core for its results.
const RESULTS: [u32; 2] = [RAM_BASE + 0x1_0000, RAM_BASE + 0x1_8000];

/// Registers that the programs write, with a mask of the value.
const WRITTEN: [(u32, u32); 23] = [
    (PIO, 0xF),                // CTRL: which machines run
    (PIO + 0x10, u32::MAX),    // TXF0
    (PIO + 0x14, u32::MAX),    // TXF1
    (PIO + 0x30, 0xFF),        // IRQ
    (PIO + 0x34, 0xFF),        // IRQ_FORCE
    (PIO + 0xD8, 0xFFFF),      // SM0_INSTR
    (PIO + 0xF0, 0xFFFF),      // SM1_INSTR
    (PIO + 0xD0, 0xC00F_0000), // SM0_SHIFTCTRL
    (PIO + 0xCC, 0x0001_FF80), // SM0_EXECCTRL
    (PIO + 0x08, 0x0F0F_0F0F), // FDEBUG
    (SIO + 0x1C, 0xF0),        // GPIO_OUT_XOR
    (SIO + 0x2C, 0xF0),        // GPIO_OE_XOR
    (SIO + 0x50, 0xC),         // FIFO_ST
    (SIO + 0x54, u32::MAX),    // FIFO_WR
    (SIO + 0x100, 1),          // SPINLOCK0
    (SIO + 0x104, 1),          // SPINLOCK1
    (UART0, 0xFF),             // UARTDR
    (SPI0 + 8, 0xFF),          // SSPDR
    (PWM + 4, 0xFFF0),         // CH0_DIV
    (PWM + 8, 0xFFFF),         // CH0_CTR
    (PWM + 12, 0xFFFF),        // CH0_CC
    (TIMER + 0x10, 0xFFF),     // ALARM0
    (TIMER + 0x34, 0xF),       // INTR
];

/// Registers that the programs read.
const READ: [u32; 19] = [
    PIO + 0x04,
    PIO + 0x08,
    PIO + 0x0C,
    PIO + 0x20,
    PIO + 0x24,
    PIO + 0x30,
    PIO + 0xD4,
    PIO + 0xD8,
    SIO + 0x04,
    SIO + 0x50,
    SIO + 0x58,
    SIO + 0x100,
    SIO + 0x104,
    UART0 + 0x18,
    SPI0 + 8,
    SPI0 + 0xC,
    PWM + 8,
    TIMER + 0x28,
    TIMER + 0x34,
];

/// Random numbers from a seed (xorshift).
struct Random(u32);

impl Random {
    fn next(&mut self) -> u32 {
        for (left, by) in [(true, 13), (false, 17), (true, 5)] {
            self.0 ^= if left { self.0 << by } else { self.0 >> by };
        }
        self.0
    }

    fn below(&mut self, count: usize) -> usize {
        (self.next() >> 7) as usize % count
    }
}

/// Assembles an endless loop of random accesses, sums and pauses, with results from R6 on.
fn random_loop(a: &mut Assembler, random: &mut Random, core: usize) {
    let (start, pause) =
        [("loop_0", ["p00", "p01", "p02"]), ("loop_1", ["p10", "p11", "p12"])][core];
    a.load(6, RESULTS[core]);
    a.label(start);
    let mut pauses = pause.into_iter();
    for _ in 0..6 + random.below(10) {
        match random.below(10) {
            0..=3 => {
                let (address, mask) = WRITTEN[random.below(WRITTEN.len())];
                a.load(0, address);
                a.load(1, random.next() & mask);
                for _ in 0..=random.below(4) {
                    a.code(&[0x6001]); // str r1, [r0]
                }
            }
            4..=7 => {
                a.load(0, READ[random.below(READ.len())]);
                for _ in 0..=random.below(2) {
                    a.code(&[0x6802, 0x4053, 0x0052]); // ldr r2, [r0]; eors r3, r2; lsls r2, r2, #1
                }
                a.code(&[0x6033 | (random.below(16) as u16) << 6]); // str r3, [r6, #…]
            }
            8 => a.code(&vec![0xBF00; random.below(8)]),
            _ => {
                let Some(label) = pauses.next() else { continue };
                a.code(&[0x2400 | (1 + random.below(20)) as u16]); // movs r4, #
                a.label(label);
                a.code(&[0x3C01]); // subs r4, #1
                a.branch(BNE, label);
            }
        }
        if random.below(24) == 0 {
            a.code(&[if random.below(2) == 0 { 0xBF40 } else { 0xBF20 }]); // sev, wfe
        }
    }
    a.branch(B, start);
}

/// Returns a chip with two random programs.
fn random_chip(seed: u32) -> Chip {
    let mut random = Random(seed.wrapping_mul(0x9E37_79B9) | 1);
    let mut chip = chip(|a| {
        a.label("other");
        random_loop(a, &mut random, 1);
        a.label("main");
        let entry = a.address("other");
        let mut setup = vec![(RESETS, 0), (CLK_PERI_CTRL, 1 << 11)];
        // UART 0 at 375,000 baud and SPI 0 at 250 kHz, of the ring oscillator's 6 MHz.
        setup.extend([(UART0 + 0x24, 1), (UART0 + 0x2C, 0x70), (UART0 + 0x30, 0x301)]);
        setup.extend([(SPI0 + 0x10, 24), (SPI0, 7), (SPI0 + 4, 2), (PWM, 1)]);
        setup.extend((0..4).map(|pin| (GPIO_CTRL + 8 * pin, FUNCTION_PIO0)));
        setup.extend((4..8).map(|pin| (GPIO_CTRL + 8 * pin, FUNCTION_SIO)));
        // set pindirs, 15; pull; out pins, 4; jmp 1; in pins, 8; push; irq 0; jmp 4.
        let code = [0xE08F, 0x80A0, 0x6004, 0x0001, 0x4008, 0x8020, 0xC000, 0x0004];
        setup.extend((0..).step_by(4).zip(code).map(|(at, word)| (PIO + 0x48 + at, word)));
        setup.extend([
            (PIO + 0xDC, 4 << 20 | 5 << 26),
            (PIO + 0xC8, 1 << 16 | (random.next() & 0x8000)),
        ]);
        setup.extend([(PIO + 0xF0, 4), (PIO + 0xE0, 3 << 16), (PIO, 3)]);
        for (address, value) in setup {
            a.load(0, address);
            a.load(1, value);
            a.code(&[0x6001]);
        }
        launch_core_1(a, entry);
        random_loop(a, &mut random, 0);
    });
    chip.watch(0xFF);
    chip
}

/// A chip, and what has left it.
struct Observed {
    chip: Chip,
    edges: Vec<PinChange>,
    sent: Vec<(u64, u8)>,
    words: Vec<SpiWord>,
}

impl Observed {
    fn new(chip: Chip) -> Self {
        Self { chip, edges: vec![], sent: vec![], words: vec![] }
    }

    fn run(&mut self, until: u64) -> Halt {
        let halt = self.chip.run(until);
        self.edges.extend(self.chip.take_changes());
        self.sent.extend(self.chip.take_sent(0));
        self.words.extend(self.chip.take_spi_sent(0).0);
        halt
    }

    /// Returns what a program can see at `until`, and what its surroundings have seen up to a
    /// microsecond before: a byte whose last bit ends with the run may come with the next one.
    fn state(&self, until: u64) -> impl PartialEq + std::fmt::Debug + use<> {
        let chip = &self.chip;
        let cores = [0, 1].map(|number| {
            let core = chip.core(number);
            let registers: [u32; 16] = std::array::from_fn(|number| core.register(number));
            (registers, core.xpsr(), core.cycles(), core.instructions(), core.slept())
        });
        let results = RESULTS
            .map(|base| (0..16).map(|n| chip.memory().word(base + 4 * n)).collect::<Vec<_>>());
        let end = until - 1_000;
        let edges: Vec<_> = self.edges.iter().filter(|edge| edge.ns < end).copied().collect();
        let sent: Vec<_> = self.sent.iter().filter(|(ns, _)| *ns < end).copied().collect();
        let words: Vec<_> = self.words.iter().filter(|word| word.ns < end).copied().collect();
        (cores, results, edges, sent, words)
    }
}

/// Registers that show the state of the devices at the end.
const AT_THE_END: [u32; 9] = [
    PIO,
    PIO + 0x04,
    PIO + 0x08,
    PIO + 0x0C,
    PIO + 0x30,
    PIO + 0xD4,
    PIO + 0xEC,
    SIO + 0x50,
    SIO + 0x5C,
];

/// Runs the programs of a seed in turns of many cycles and of one, and compares the chips. Returns
/// the instructions of core 1.
#[track_caller]
fn check(seed: u32) -> u64 {
    let chip = random_chip(seed);
    let (mut chip, mut slow) = (Observed::new(chip.clone()), Observed::new(chip));
    slow.chip.set_turn_cycles(1);
    for until in [60_000, 150_077, 333_333] {
        assert_eq!(chip.run(until), slow.run(until), "seed {seed} at {until} ns");
        assert_eq!(chip.state(until), slow.state(until), "seed {seed} at {until} ns");
    }
    for address in AT_THE_END {
        let read = |it: &mut Observed| it.chip.debug_read(0, address, Width::Word).ok();
        assert_eq!(read(&mut chip), read(&mut slow), "seed {seed}: {address:#x}");
    }
    chip.chip.core(1).instructions()
}

#[test]
fn random_programs_are_the_same_in_long_turns_and_in_turns_of_a_cycle() {
    let instructions: u64 = (1..=300).map(check).sum();
    assert!(instructions > 300 * 300, "{instructions} instructions of core 1");
}

/// The same with many more programs, for `make long`.
#[test]
#[ignore = "takes a minute: make long runs it"]
fn many_random_programs_are_the_same_in_long_turns_and_in_turns_of_a_cycle() {
    let instructions: u64 = (301..=10_300).map(check).sum();
    assert!(instructions > 10_000 * 300, "{instructions} instructions of core 1");
}

#[test]
fn eight_forced_instructions_make_four_words_beside_a_busy_core() {
    // At offsets 0 to 9 cycles of core 1's stores to the end of core 0's turns.
    for offset in 0..10 {
        let mut chip = chip(|a| {
            a.label("other");
            // R0: PIO. in y, 32; push; in x, 32; push, twice.
            a.load(0, PIO + 0xD8);
            for (register, word) in [(1, 0xA0C2), (2, 0xA0C1), (3, 0x8000)] {
                a.load(register, word);
            }
            a.code(&vec![0xBF00; offset]);
            for _ in 0..2 {
                a.code(&[0x6001, 0x6003, 0x6002, 0x6003]); // str r1, r3, r2, r3 to [r0]
            }
            a.code(&[0xBF30]); // wfi
            a.label("main");
            let entry = a.address("other");
            // A machine that counts down: jmp x--, 0.
            let setup = [(RESETS, 0), (PIO + 0x48, 0x40), (PIO + 0xC8, 1 << 16), (PIO + 0xCC, 0)];
            for (address, value) in setup.into_iter().chain([(PIO + 0xD0, 3 << 18), (PIO, 1)]) {
                a.load(0, address);
                a.load(1, value);
                a.code(&[0x6001]);
            }
            launch_core_1(a, entry);
            a.load(0, SIO + 0x13C);
            a.label("loop");
            a.code(&[0x6801]); // ldr r1, [r0]: a spinlock
            a.branch(B, "loop");
        });
        chip.run(100_000);
        let levels = chip.debug_read(0, PIO + 0x0C, Width::Word).expect("FLEVEL");
        assert_eq!(levels >> 4 & 0xF, 4, "offset {offset}");
    }
}
