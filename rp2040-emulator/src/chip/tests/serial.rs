//! PIO and I2C inside the chip: pins, interrupts, DMA, sleep.

use super::*;

const PIO0: u32 = 0x5020_0000;
const I2C0: u32 = 0x4004_4000;
/// Assigns GPIO 2 to PIO0.
const PIN: [Do; 1] = [Write(0x4001_4014, 6)];

fn pio_program(words: &[u32]) -> Vec<Do> {
    let store = |(n, word): (usize, &u32)| Write(PIO0 + 0x48 + 4 * n as u32, *word);
    words.iter().enumerate().map(store).collect()
}

/// Configures SET for GPIO 2 as an output, and the program to wrap after `words` words.
fn pio_pins(words: u32) -> [Do; 3] {
    [
        Write(PIO0 + 0xCC, (words - 1) << 12),
        Write(PIO0 + 0xDC, 1 << 26 | 2 << 5),
        Write(PIO0 + 0xD8, 0xE081), // set pindirs, 1
    ]
}

#[test]
fn a_pio_wave_is_exact_to_the_cycle_while_the_core_sleeps() {
    // set pins, 1 [3]; set pins, 0 [1]
    let words = pio_program(&[0xE301, 0xE100]);
    let script = [&PIN[..], &words, &pio_pins(2), &[Write(PIO0, 1), Wfi]].concat();
    let mut chip = chip(&after_clocks(&script));
    chip.watch(1 << 2);
    assert_eq!(chip.run(200_000), Halt::Time);
    let changes = chip.take_changes();
    assert!(chip.core(0).asleep() && changes.len() > 1000, "{} changes", changes.len());
    for (n, pair) in changes.windows(2).enumerate() {
        assert_eq!(pair[0].levels >> 2 & 1, 1 - n as u32 % 2);
        let ns = if n % 2 == 0 { 32 } else { 16 };
        assert_eq!(pair[1].ns - pair[0].ns, ns, "change {n}");
    }
    assert_eq!(chip.levels() >> 2 & 1, changes.last().unwrap().levels >> 2 & 1);
    // However the run is divided, the pin changes at the same times.
    let mut pieces = self::chip(&after_clocks(&script));
    pieces.watch(1 << 2);
    let mut all = vec![];
    for part in 1..=1000 {
        pieces.run(part * 200);
        all.extend(pieces.take_changes());
    }
    assert_eq!(all, changes);
}

#[test]
fn a_run_stops_at_each_edge_that_a_pio_drives() {
    // set pins, 1 [19]; set pins, 0 [19]
    let words = pio_program(&[0xF301, 0xF300]);
    let script = [&PIN[..], &words, &pio_pins(2), &[Write(PIO0, 1)]].concat();
    let mut chip = chip(&after_clocks(&script));
    instead_of_the_end(&mut chip, ENDLESS);
    chip.run(200_000);
    chip.watch(1 << 2);
    chip.stop_at_changes(1 << 2);
    for _ in 0..100 {
        assert_eq!(chip.run(SECOND_NS), Halt::Time);
        let changes = chip.take_changes();
        let [change] = changes[..] else { panic!("{changes:?}") };
        let late = chip.now_ns() - change.ns;
        assert!(late <= 4 * 8, "it stops {late} ns after the edge");
    }
}

#[test]
fn a_flag_of_a_pio_wakes_a_sleeping_core_in_its_cycle() {
    // set x, 31; jmp x-- 1 [31]; irq 1; jmp 3
    let words = pio_program(&[0xE03F, 0x1F41, 0xC001, 0x0003]);
    let script = [
        &words[..],
        &pio_pins(4),
        &[
            Write(0xE000_E100, 1 << 8),  // NVIC: PIO0_IRQ_1
            Write(PIO0 + 0x138, 1 << 9), // flag 1
            Write(PIO0, 1),
            Wfi,
        ],
    ]
    .concat();
    let mut chip = chip(&after_clocks(&script));
    assert_eq!(chip.run(SECOND_NS), Halt::Breakpoint(0, 1));
    assert_eq!(chip.core(0).exception().map(|e| e.number()), Some(16 + 8));
    let mut early = self::chip(&after_clocks(&script));
    // Step by step, it wakes in the same cycle.
    let (mut turns, mut steps) = (Turns::default(), 0);
    while early.step(&mut turns, SECOND_NS).is_ok() {
        steps += 1;
    }
    assert_eq!(early.core(0).cycles(), chip.core(0).cycles(), "after {steps} steps");
}

#[test]
fn dma_feeds_a_pio_and_reads_its_results() {
    // pull; mov isr, !osr; push
    let words = pio_program(&[0x80A0, 0xA0CF, 0x8020]);
    let ctrl = 1 | 2 << 2;
    let script = [
        &words[..],
        &pio_pins(3),
        &[
            Write(PIO0, 1),
            Write(0xE000_E100, 1 << 11),
            Write(0x5000_0404, 2), // channel 1 interrupts
            Write(0x5000_0040, PIO0 + 0x20),
            Write(0x5000_0044, RAM_BASE + 0x3100),
            Write(0x5000_0048, 10),
            Write(0x5000_004C, ctrl | 1 << 5 | 1 << 11 | 4 << 15),
            Write(0x5000_0000, RAM_BASE + 0x3000),
            Write(0x5000_0004, PIO0 + 0x10),
            Write(0x5000_0008, 10),
            Write(0x5000_000C, ctrl | 1 << 4),
            Wfi,
        ],
    ]
    .concat();
    let mut chip = chip(&after_clocks(&script));
    let numbers: Vec<u32> = (1..=10).map(|n| n * 0x0101).collect();
    chip.memory_mut().load(RAM_BASE + 0x3000, &super::words(&numbers)).unwrap();
    assert_eq!(chip.run(SECOND_NS), Halt::Breakpoint(0, 1));
    let results: Vec<u32> =
        (0..10).map(|n| !chip.memory().word(RAM_BASE + 0x3100 + 4 * n).unwrap()).collect();
    assert_eq!(results, numbers);
    assert_eq!(chip.not_modelled(), []);
}

#[test]
fn a_contact_on_a_pin_wakes_a_core_by_way_of_a_pio() {
    // wait 1 gpio 9; irq 0; jmp 2
    let words = pio_program(&[0x2089, 0xC000, 0x0002]);
    let interrupts = [Write(0xE000_E100, 1 << 7), Write(PIO0 + 0x12C, 1 << 8)];
    let script = [&words[..], &pio_pins(3), &interrupts, &[Write(PIO0, 1), Wfi]].concat();
    let mut chip = chip(&after_clocks(&script));
    assert_eq!(chip.run(1_000_000), Halt::Time);
    assert!(chip.devices.pios.is_quiet(), "waits for the pin and costs nothing");
    chip.drive(9, Drive::High);
    assert_eq!(chip.run(2_000_000), Halt::Breakpoint(0, 1));
    // Two flip-flops, two instructions, and the entry into the handler.
    assert!(chip.now_ns() < 1_000_000 + 40 * 8, "{} ns", chip.now_ns());
}

/// A device that acknowledges its address, 0x3C, and answers with the last byte written, plus one.
#[derive(Clone, Debug, Default)]
struct Counter(u8);

impl I2cTarget for Counter {
    fn start(&mut self, _: u64, address: u16, _: bool) -> bool {
        address == 0x3C
    }
    fn write(&mut self, _: u64, byte: u8) -> bool {
        self.0 = byte;
        true
    }
    fn read(&mut self, _: u64) -> u8 {
        self.0 += 1;
        self.0
    }
    fn stop(&mut self, _: u64) {}
    fn boxed_clone(&self) -> Box<dyn I2cTarget> {
        Box::new(self.clone())
    }
}

#[test]
fn a_device_on_i2c_answers_and_interrupts_a_sleeping_core() {
    let script = [
        Write(I2C0, 0x65),
        Write(I2C0 + 4, 0x3C),
        Write(I2C0 + 0x30, 1 << 9), // STOP_DET
        Write(0xE000_E100, 1 << 23),
        Write(I2C0 + 0x6C, 1),
        Write(I2C0 + 0x10, 0x41),
        Write(I2C0 + 0x10, 1 << 8 | 1 << 9 | 1 << 10),
        Wfi,
    ];
    let mut chip = chip(&after_clocks(&script));
    chip.attach_i2c(0, Box::new(Counter::default()));
    assert_eq!(chip.run(SECOND_NS), Halt::Breakpoint(0, 1));
    assert_eq!(chip.core(0).exception().map(|e| e.number()), Some(16 + 23));
    let ns = chip.now_ns();
    assert_eq!(chip.devices.i2cs[0].read(0x10, ns), Some(0x842));
    assert_eq!(chip.not_modelled(), []);
}

/// A device that answers each word with its complement while it is selected, and leaves every word
/// whose lowest bit is set to the caller. GPIO 17 is chip select.
#[derive(Clone, Debug)]
struct Mirror;

impl SpiDevice for Mirror {
    fn exchange(&mut self, frame: SpiWord, levels: u32) -> SpiAnswer {
        match frame.word & 1 {
            _ if levels >> 17 & 1 != 0 => SpiAnswer::Word(0),
            0 => SpiAnswer::Word(!frame.word & 0xFF),
            _ => SpiAnswer::Caller,
        }
    }

    fn boxed_clone(&self) -> Box<dyn SpiDevice> {
        Box::new(self.clone())
    }
}

/// Lets SPI0 send these words as a master of 125/16 MHz while chip select is low, then one more
/// while it is high, and read as many.
fn spi_script(words: &[u32]) -> Vec<Do> {
    let mut script = after_clocks(&[
        Write(0x4001_408C, 5), // GPIO 17: SIO
        Write(0xD000_0024, 1 << 17),
        Write(0x4003_C010, 16),
        Write(0x4003_C000, 7),
        Write(0x4003_C004, 2),
    ]);
    script.extend(words.iter().map(|word| Write(0x4003_C008, *word)));
    script.extend([Read(0x4003_C00C); 120]);
    script.push(Write(0xD000_0014, 1 << 17));
    script.push(Write(0x4003_C008, 0x20));
    script.extend([Read(0x4003_C00C); 40]);
    script.extend(vec![Read(0x4003_C008); words.len() + 1]);
    script
}

#[test]
fn a_device_answers_each_word_within_its_frame() {
    let words = [0x10, 0x22, 0xFE];
    let mut chip = chip(&spi_script(&words));
    chip.attach_spi(0, Box::new(Mirror));
    assert_eq!(chip.run(SECOND_NS), Halt::Breakpoint(0, 0));
    let read: Vec<u32> =
        (160..164).map(|n: u32| chip.memory().word(RESULTS + 4 * n).unwrap()).collect();
    assert_eq!(read, [0xEF, 0xDD, 0x01, 0]);
}

#[test]
fn a_frame_left_to_the_caller_ends_the_run() {
    let words = [0x11, 0x33, 0x10, 0x55];
    let mut chip = chip(&spi_script(&words));
    chip.attach_spi(0, Box::new(Mirror));
    let mut asked = vec![];
    loop {
        match chip.run(SECOND_NS) {
            Halt::Time => {
                let frame = chip.unanswered_spi_frame(0).expect("a question");
                let now = chip.now_ns();
                assert!((frame.start_ns..frame.ns).contains(&now), "{now} {frame:?}");
                assert!(chip.answer_spi(0, frame.word + 0x40));
                asked.push(frame.word);
            }
            halt => break assert_eq!(halt, Halt::Breakpoint(0, 0)),
        }
    }
    assert_eq!(asked, [0x11, 0x33, 0x55]);
    let read: Vec<u32> =
        (160..165).map(|n: u32| chip.memory().word(RESULTS + 4 * n).unwrap()).collect();
    assert_eq!(read, [0x51, 0x73, 0xEF, 0x95, 0]);
}

/// A target that sends the complement of the last byte, and records its selections.
#[derive(Clone, Debug, Default)]
struct Complement {
    last: u8,
    bytes: Vec<u8>,
    /// For each selection, whether it had whole bytes.
    selections: Vec<bool>,
}

impl SpiTarget for Complement {
    fn select(&mut self, _: u64) {
        self.last = 0;
    }

    fn deselect(&mut self, _: u64, is_whole: bool) {
        self.selections.push(is_whole);
    }

    fn next_output(&mut self, _: u64) -> Option<u8> {
        Some(!self.last)
    }

    fn receive(&mut self, _: u64, byte: u8) {
        self.last = byte;
        self.bytes.push(byte);
    }

    fn boxed_clone(&self) -> Box<dyn SpiTarget> {
        Box::new(self.clone())
    }
}

const TARGET_PINS: SpiPins = SpiPins { sck: 18, mosi: 19, miso: 16 };

fn complement(chip: &Chip) -> Complement {
    let target: &dyn std::any::Any = chip.spi_target(0).unwrap();
    target.downcast_ref::<Complement>().unwrap().clone()
}

/// Gives the SPI controller its pins before a script.
fn with_spi_pins(script: &[Do]) -> Vec<Do> {
    let pins = [16, 18, 19].map(|pin| Write(0x4001_4004 + 8 * pin, 1));
    [&pins, script].concat()
}

#[test]
fn a_target_answers_while_its_chip_select_is_low() {
    let words = [0x10, 0x22, 0xFE];
    // The pins get their function when the reset of their block is over.
    let mut script = spi_script(&words);
    let at = script.iter().position(|step| matches!(step, Write(0x4001_408C, 5))).unwrap();
    let tail = script.split_off(at);
    script.extend(with_spi_pins(&tail));
    let mut chip = chip(&script);
    assert!(chip.add_spi_bus(TARGET_PINS, true));
    assert_eq!(chip.attach_spi_target(TARGET_PINS, 17, Box::new(Complement::default())), Some(0));
    let outside = SpiPins { miso: 30, ..TARGET_PINS };
    assert_eq!(chip.attach_spi_target(outside, 17, Box::new(Complement::default())), None);
    assert_eq!(chip.run(SECOND_NS), Halt::Breakpoint(0, 0));
    let read: Vec<u32> =
        (160..164).map(|n: u32| chip.memory().word(RESULTS + 4 * n).unwrap()).collect();
    assert_eq!(read, [0xFF, 0xEF, 0xDD, 0xFF], "the resistor, when it is high");
    let target = complement(&chip);
    assert_eq!(target.bytes, [0x10, 0x22, 0xFE]);
    assert_eq!(target.selections.last(), Some(&true));
    // A clone continues on its own.
    let clone = chip.clone();
    chip.drive(17, Drive::High);
    assert_eq!(complement(&clone).bytes, target.bytes);
}
