//! The host's side of a debug port against the emulated chip's, bit by bit, without a probe.

use probe::ProbeError;
use probe::swd::batch::Batch;
use probe::swd::core::Call;
use probe::swd::flash::{Flasher, sectors};
use probe::swd::{BatchResult, DebugPort, Flashed, SwdError, SwdLink};
use probe_protocol::swd::{Register, SwdEnd, SwdOp, check};
use rp2040_emulator::chip::{self, Chip, FlashChange};
use rp2040_emulator::image::Image;

/// Time of a bit at 3.125 MHz, and between two batches.
const BIT_NS: u64 = 320;
const BATCH_NS: u64 = 500_000;
const FLASH: u32 = 0x1000_0000;
const RAM: u32 = 0x2000_0000;
const COUNT: u32 = RAM + 0x8000;

/// A fault of the wires.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wires {
    Joined,
    /// SWDIO is open: the probe sees its pull-up.
    NoData,
    /// SWDIO touches ground.
    Grounded,
    /// Each read of this register has one wrong bit.
    Flips(Register),
}

struct Direct {
    chip: Chip,
    port: chip::DebugPort,
    wires: Wires,
    now_ns: u64,
}

impl Direct {
    fn new(program: &[u8]) -> Self {
        let mut chip = Chip::new(2 << 20);
        chip.load(&Image::from_bin(program).unwrap()).unwrap();
        let _ = chip.power_on();
        let (port, wires, now_ns) = (chip::DebugPort::new(), Wires::Joined, 0);
        Self { chip, port, wires, now_ns }
    }

    fn pass(&mut self, ns: u64) {
        self.now_ns += ns;
        while self.chip.now_ns() < self.now_ns {
            let before = self.chip.now_ns();
            self.chip.run(self.now_ns);
            if self.chip.now_ns() == before {
                break;
            }
        }
    }

    fn exchange(&mut self, bits: u32, data: Option<u64>) -> u64 {
        let mut seen = 0;
        for n in 0..bits {
            let level = match (data, self.wires) {
                (_, Wires::Grounded) => false,
                (Some(data), _) => data >> n & 1 != 0,
                (None, Wires::NoData) => true,
                (None, _) => self.port.driven().unwrap_or(true),
            };
            self.pass(BIT_NS);
            self.port.set_clock(false, level, &mut self.chip);
            self.port.set_clock(true, level, &mut self.chip);
            seen |= u64::from(level) << n;
        }
        seen
    }

    fn transfer(&mut self, register: Register, word: Option<u32>) -> Result<u32, SwdEnd> {
        self.exchange(8, Some(register.request(word.is_none()).into()));
        match self.exchange(4, None) >> 1 {
            0b001 => {}
            other => {
                self.exchange(1, None);
                return Err(match other {
                    0b010 => SwdEnd::Wait,
                    0b100 => SwdEnd::Fault,
                    _ => SwdEnd::NoAck,
                });
            }
        }
        if let Some(word) = word {
            self.exchange(1, None);
            self.exchange(33, Some(u64::from(word) | u64::from(word.count_ones() & 1) << 32));
            return Ok(word);
        }
        let mut bits = self.exchange(34, None);
        if self.wires == Wires::Flips(register) {
            bits ^= 1 << 7;
        }
        let word = bits as u32;
        match u64::from(word.count_ones() & 1) == bits >> 32 & 1 {
            true => Ok(word),
            false => Err(SwdEnd::Parity),
        }
    }
}

impl SwdLink for Direct {
    fn execute(&mut self, batch: &[u8]) -> Result<BatchResult, ProbeError> {
        check(batch).expect("the host sends batches");
        self.pass(BATCH_NS);
        let mut result = BatchResult { end: SwdEnd::Done, transfers: 0, words: vec![] };
        let mut rest = batch;
        while let Ok((op, after)) = SwdOp::decode(rest) {
            rest = after;
            let (register, words) = match op {
                SwdOp::Sequence { bits, bytes } => {
                    for n in 0..u32::from(bits) {
                        let bit = bytes[n as usize / 8] >> (n % 8) & 1;
                        self.exchange(1, Some(bit.into()));
                    }
                    continue;
                }
                SwdOp::Read { register, count } => (register, vec![None; count.into()]),
                SwdOp::Write { register, words } => {
                    let words = words.as_chunks::<4>().0.iter();
                    (register, words.map(|word| Some(u32::from_le_bytes(*word))).collect())
                }
            };
            for word in words {
                match self.transfer(register, word) {
                    Ok(read) => {
                        result.transfers += 1;
                        if word.is_none() {
                            result.words.push(read);
                        }
                    }
                    Err(end) => return Ok(BatchResult { end, ..result }),
                }
            }
        }
        self.exchange(8, Some(0));
        Ok(result)
    }

    fn now_ns(&mut self) -> u64 {
        self.now_ns
    }
}

/// Checksum of a second boot stage (RP2040 datasheet 2.8.1.3.1): CRC-32/MPEG-2.
fn checksum(bytes: &[u8]) -> u32 {
    bytes.iter().fold(u32::MAX, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte) << 24, |crc, _| {
            crc << 1 ^ if crc >> 31 != 0 { 0x04C1_1DB7 } else { 0 }
        })
    })
}

/// A program that counts in RAM by `step`, with 20 KB of data.
fn counting(step: u16) -> Vec<u8> {
    let code = [
        0x4802,        // ldr r0, =COUNT
        0x6801,        // ldr r1, [r0]
        0x3100 | step, // adds r1, #step
        0x6001,        // str r1, [r0]
        0xE7FB,        // b to the ldr
        0xBF00,
        COUNT as u16,
        (COUNT >> 16) as u16,
    ];
    let mut program: Vec<u8> = code.into_iter().flat_map(u16::to_le_bytes).collect();
    program.resize(252, 0);
    program.extend(checksum(&program).to_le_bytes());
    program.extend((0..20_000_u32).map(|n| ((n * n) >> 7) as u8));
    program
}

fn connected(direct: &mut Direct) -> DebugPort<'_> {
    DebugPort::connect(direct).expect("an RP2040")
}

fn error(wires: Wires) -> SwdError {
    let mut direct = Direct::new(&counting(1));
    direct.wires = wires;
    DebugPort::connect(&mut direct).err().expect("it does not connect")
}

#[test]
fn memory_is_read_and_written_while_the_core_runs() {
    let program = counting(1);
    let mut direct = Direct::new(&program);
    let mut port = connected(&mut direct);
    let words: Vec<u32> = (0..700_u32).map(|n| n.wrapping_mul(0x0101_0101)).collect();
    port.write_words(RAM + 0x1_03F8, &words).unwrap();
    assert_eq!(port.read_words(RAM + 0x1_03F8, 700).unwrap(), words);
    let flash = port.read_words(FLASH, 100).unwrap();
    let bytes: Vec<u8> = flash.iter().flat_map(|word| word.to_le_bytes()).collect();
    assert_eq!(bytes, program[..400]);
    let first = port.read_word(COUNT).unwrap();
    let second = port.read_word(COUNT).unwrap();
    assert!(second > first, "{first} {second}");
}

#[test]
fn faults_of_the_wires_are_named() {
    assert_eq!(error(Wires::NoData), SwdError::NoAnswer);
    assert_eq!(error(Wires::Grounded), SwdError::NoAnswer);
    assert_eq!(error(Wires::Flips(Register::dp(0))), SwdError::Garbled);
}

#[test]
fn an_address_without_memory_is_named_and_the_port_goes_on() {
    let mut direct = Direct::new(&counting(1));
    let mut port = connected(&mut direct);
    assert_eq!(port.read_word(0x6000_0000), Err(SwdError::Bus(0x6000_0000)));
    assert_eq!(port.write_word(0x6000_0000, 1), Err(SwdError::Bus(0x6000_0000)));
    assert!(port.read_word(RAM).is_ok());
}

#[test]
fn a_core_halts_and_continues() {
    let mut direct = Direct::new(&counting(1));
    let mut port = connected(&mut direct);
    port.halt().unwrap();
    let count = port.read_word(COUNT).unwrap();
    assert_eq!(port.read_word(COUNT).unwrap(), count);
    assert_eq!(port.read_register(0).unwrap(), COUNT);
    port.leave().unwrap();
    assert!(port.read_word(COUNT).unwrap() > count);
}

#[test]
fn a_reset_starts_the_program_again() {
    let mut direct = Direct::new(&counting(1));
    let mut port = connected(&mut direct);
    // The program does not write this word.
    port.write_word(COUNT + 4, 0x1234_5678).unwrap();
    port.halt().unwrap();
    port.reset().unwrap();
    let mut port = connected(&mut direct);
    assert_eq!(port.read_word(COUNT + 4), Ok(0x1234_5678), "a reset does not clear the RAM");
    let first = port.read_word(COUNT).unwrap();
    assert!(port.read_word(COUNT).unwrap() > first, "it runs");
    port.reset_and_halt().unwrap();
    let caught = port.read_word(COUNT).unwrap();
    assert_eq!(port.read_word(COUNT).unwrap(), caught, "it is halted");
}

#[test]
fn a_function_that_does_not_return_is_stopped() {
    let mut direct = Direct::new(&counting(1));
    let mut port = connected(&mut direct);
    port.reset_and_halt().unwrap();
    // A branch to itself, and a BKPT that is not the expected one.
    port.write_words(RAM, &[0xE7FE, 0xBE00]).unwrap();
    let call = |function| Call {
        function,
        arguments: [0; 4],
        breakpoint: RAM + 0x100,
        stack: RAM + 0x1000,
        limit_ms: 5,
    };
    assert_eq!(port.call(&call(RAM)), Err(SwdError::NotReturned { pc: RAM, ms: 5 }));
    let other = port.call(&call(RAM + 4));
    assert_eq!(other, Err(SwdError::NotReturned { pc: RAM + 4, ms: 5 }));
}

/// Writes `program` and returns the result with the changes of the flash.
fn flash(direct: &mut Direct, program: &[u8]) -> (Result<Flashed, SwdError>, Vec<FlashChange>) {
    direct.chip.watch_flash();
    let sectors = sectors([(FLASH, program)]).unwrap();
    let mut port = connected(direct);
    let mut progress = vec![];
    let written = Flasher::begin(&mut port)
        .and_then(|mut it| it.write(&sectors, &mut |done, all| progress.push((done, all))));
    if written.is_ok() {
        port.reset().unwrap();
        assert!(progress.last().is_none_or(|(done, all)| done == all));
    }
    let changes = direct.chip.take_flash_changes();
    (written, changes)
}

#[test]
fn another_program_is_written_and_runs() {
    let mut direct = Direct::new(&counting(1));
    let mut other = counting(4);
    other[9_000] ^= 1;
    let (written, changes) = flash(&mut direct, &other);
    assert_eq!(written, Ok(Flashed { sectors: 5, written: 2 }));
    let erased: Vec<u32> = changes
        .iter()
        .filter_map(|change| match change {
            FlashChange::Erase { offset, length: 4096 } => Some(*offset),
            FlashChange::Erase { .. } | FlashChange::Program { .. } => None,
        })
        .collect();
    assert_eq!(erased, [0, 8192], "only sectors that differ");
    let mut port = connected(&mut direct);
    port.write_word(COUNT, 0).unwrap();
    let count = port.read_word(COUNT).unwrap();
    let later = port.read_word(COUNT).unwrap();
    assert!(later > count + 100, "{count} {later}");
    // The same program again: nothing is written.
    let (again, changes) = flash(&mut direct, &other);
    assert_eq!((again, changes), (Ok(Flashed { sectors: 5, written: 0 }), vec![]));
}

#[test]
fn a_board_without_a_program_gets_one() {
    let mut direct = Direct::new(&[0xFF; 256]);
    let (written, _) = flash(&mut direct, &counting(1));
    assert_eq!(written, Ok(Flashed { sectors: 5, written: 5 }));
    let mut port = connected(&mut direct);
    let first = port.read_word(COUNT).unwrap();
    assert!(port.read_word(COUNT).unwrap() != first);
}

#[test]
fn a_program_that_hangs_or_locks_up_is_replaced() {
    // A branch to itself, and an undefined instruction, with all interrupts disabled (`cpsid i`).
    for code in [[0xB672_u16, 0xE7FE], [0xB672, 0xDE00]] {
        let mut program = counting(1);
        program[..4].copy_from_slice(&[
            code[0] as u8,
            (code[0] >> 8) as u8,
            code[1] as u8,
            (code[1] >> 8) as u8,
        ]);
        let sum = checksum(&program[..252]).to_le_bytes();
        program[252..256].copy_from_slice(&sum);
        let mut direct = Direct::new(&program);
        let (written, _) = flash(&mut direct, &counting(1));
        assert_eq!(written, Ok(Flashed { sectors: 5, written: 1 }), "{code:x?}");
    }
}

#[test]
fn a_chip_that_is_no_rp2040_is_refused() {
    struct Other;
    impl SwdLink for Other {
        fn execute(&mut self, _: &[u8]) -> Result<BatchResult, ProbeError> {
            let words = vec![0x2BA0_1477];
            Ok(BatchResult { end: SwdEnd::Done, transfers: 1, words })
        }

        fn now_ns(&mut self) -> u64 {
            0
        }
    }
    let refused = DebugPort::connect(&mut Other).err();
    assert_eq!(refused, Some(SwdError::OtherChip(0x2BA0_1477)));
}

#[test]
fn ends_of_a_batch_become_errors() {
    struct Ends(SwdEnd, u16);
    impl SwdLink for Ends {
        fn execute(&mut self, _: &[u8]) -> Result<BatchResult, ProbeError> {
            Ok(BatchResult { end: self.0, transfers: self.1, words: vec![] })
        }

        fn now_ns(&mut self) -> u64 {
            0
        }
    }
    for (end, transfers, expected) in [
        (SwdEnd::NoPower, 0, SwdError::NoPower),
        (SwdEnd::NoAck, 0, SwdError::NoAnswer),
        (SwdEnd::NoAck, 1, SwdError::Garbled),
        (SwdEnd::Parity, 0, SwdError::Garbled),
        (SwdEnd::Wait, 0, SwdError::Busy),
        (SwdEnd::NotABatch, 0, SwdError::Probe(ProbeError::UnknownMessage)),
    ] {
        let found = DebugPort::connect(&mut Ends(end, transfers)).err();
        assert_eq!(found, Some(expected), "{end:?}");
    }
    let mut batch = Batch::new();
    batch.read(Register::dp(0), 1);
    assert_eq!(batch.bytes(), [0x10, 1]);
}
