//! The pins of I2C controllers as levels: the signals on the wires, and controllers that are wired
//! together.

use super::*;
use crate::cpu::bus::{Access, Width};

const I2C0: u32 = 0x4004_4000;
const I2C1: u32 = 0x4004_8000;
const IC_DATA_CMD: u32 = 0x10;
const IC_RAW_INTR_STAT: u32 = 0x34;
const IC_TX_ABRT_SOURCE: u32 = 0x80;
const RD_REQ: u32 = 1 << 5;
const READ: u32 = 1 << 8;
const STOP: u32 = 1 << 9;
const RESTART: u32 = 1 << 10;
/// Duration of a bit, 2,440 ns: 117 cycles high, 188 low.
const BIT_NS: u64 = 2_440;
const TARGET: u32 = 0x17;
/// Pins of SDA and SCL of both controllers.
const PINS: [u32; 4] = [4, 5, 6, 7];

/// Assigns both controllers to their pins, which are pulled up.
fn pins() -> Vec<Do> {
    let pin = |pin: &u32| [Write(0x4001_C004 + 4 * pin, 0x4A), Write(0x4001_4004 + 8 * pin, 3)];
    PINS.iter().flat_map(pin).collect()
}

/// Sets up a master at fast speed that addresses `target`.
fn master(base: u32, target: u32) -> Vec<Do> {
    [(0x00, 0x65), (0x04, target), (0x1C, 109), (0x20, 187), (0xA0, 1), (0x30, 0), (0x6C, 1)]
        .map(|(offset, value)| Write(base + offset, value))
        .into()
}

/// Sets up a target that holds the clock while its FIFO is full.
fn target(base: u32, address: u32) -> Vec<Do> {
    [(0x00, 0x200), (0x08, address), (0x30, 0), (0x6C, 1)]
        .map(|(offset, value)| Write(base + offset, value))
        .into()
}

fn commands(base: u32, commands: &[u32]) -> Vec<Do> {
    commands.iter().map(|command| Write(base + IC_DATA_CMD, *command)).collect()
}

/// Creates a chip that has executed the parts of a script; with `wires` both controllers share
/// their wires.
fn playing(parts: &[Vec<Do>], wires: bool) -> Chip {
    let mut chip = chip(&after_clocks(&parts.concat()));
    instead_of_the_end(&mut chip, ENDLESS);
    if wires {
        assert!(chip.wire([4, 6]) && chip.wire([5, 7]));
    }
    chip
}

fn read(chip: &mut Chip, address: u32) -> u32 {
    let cycle = chip.core(0).cycles();
    let access = Access { core: 0, address, width: Width::Word, cycle, pc: 0 };
    chip.devices.read(access).expect("a register")
}

fn write(chip: &mut Chip, address: u32, value: u32) {
    assert!(chip.poke(0, address, Width::Word, value));
}

/// Returns the level of SDA (pin 4) at each rise of SCL (pin 5), with starts and stops, as `S`,
/// `P`, 0 and 1.
fn on_the_wires(changes: &[PinChange]) -> String {
    let mut text = String::new();
    for pair in changes.windows(2) {
        let [(sda, scl), (now_sda, now_scl)] =
            [&pair[0], &pair[1]].map(|change| (change.levels >> 4 & 1, change.levels >> 5 & 1));
        text.push_str(match (sda, scl, now_sda, now_scl) {
            (1, 1, 0, 1) => "S",
            (0, 1, 1, 1) => "P",
            (_, 0, 0, 1) => "0",
            (_, 0, 1, 1) => "1",
            _ => "",
        });
    }
    text
}

#[test]
fn without_a_target_there_are_start_address_and_stop() {
    let mut chip = playing(&[pins(), master(I2C0, 0x2A), commands(I2C0, &[0x55 | STOP])], false);
    chip.watch(1 << 4 | 1 << 5);
    chip.observe_functions();
    chip.run(1_000_000);
    let changes = chip.take_changes();
    let idle = changes.iter().position(|change| change.levels >> 4 & 3 == 3).unwrap();
    let changes = &changes[idle..];
    // The address, writing, not acknowledged. SCL rises before the stop with SDA low.
    assert_eq!(on_the_wires(changes), "S0101010010P");
    let rises = changes.windows(2).filter(|pair| !pair[0].levels & pair[1].levels & 1 << 5 != 0);
    let times: Vec<u64> = rises.map(|pair| pair[1].ns).collect();
    let gaps: Vec<u64> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
    assert_eq!(gaps, [BIT_NS; 9]);
    assert_eq!(read(&mut chip, I2C0 + IC_TX_ABRT_SOURCE) & 1, 1);
}

#[test]
fn one_controller_writes_to_and_reads_from_the_other() {
    let mut chip = playing(
        &[
            pins(),
            target(I2C0, TARGET),
            master(I2C1, TARGET),
            commands(I2C1, &[0xA5, 0x3C, READ | RESTART, READ | STOP]),
        ],
        true,
    );
    chip.run(SECOND_NS / 100);
    // The target holds the clock until the program provides a byte.
    assert_ne!(read(&mut chip, I2C0 + IC_RAW_INTR_STAT) & RD_REQ, 0);
    assert_eq!(chip.levels() >> 5 & 1, 0);
    let received = [0; 2].map(|_| read(&mut chip, I2C0 + IC_DATA_CMD) & 0xFF);
    assert_eq!(received, [0xA5, 0x3C]);
    for byte in [0x96, 0x81] {
        assert_eq!(chip.levels() >> 5 & 1, 0, "it waits for {byte:02x}");
        write(&mut chip, I2C0 + IC_DATA_CMD, byte);
        let ns = chip.now_ns();
        chip.run(ns + 20 * BIT_NS);
    }
    let received = [0; 2].map(|_| read(&mut chip, I2C1 + IC_DATA_CMD) & 0xFF);
    assert_eq!(received, [0x96, 0x81]);
    assert_eq!(chip.levels() >> 4 & 0xF, 0xF, "the bus is idle");
    assert_eq!(read(&mut chip, I2C1 + IC_TX_ABRT_SOURCE), 0);
    // The target has detected the last byte and the stop.
    assert_eq!(read(&mut chip, I2C0 + IC_RAW_INTR_STAT) & 0x280, 0x280);
}

#[test]
fn a_full_target_holds_the_clock_until_a_byte_is_read() {
    let bytes: Vec<u32> = (0..16).collect();
    let mut chip = playing(
        &[pins(), target(I2C0, TARGET), master(I2C1, TARGET), commands(I2C1, &bytes)],
        true,
    );
    chip.run(SECOND_NS / 100);
    write(&mut chip, I2C1 + IC_DATA_CMD, 16 | STOP);
    chip.run(SECOND_NS / 50);
    assert_eq!(chip.levels() >> 5 & 1, 0, "the seventeenth byte is not acknowledged yet");
    assert_eq!(read(&mut chip, I2C0 + IC_DATA_CMD) & 0xFF, 0);
    chip.run(SECOND_NS / 40);
    assert_eq!(chip.levels() >> 5 & 1, 1);
    let rest: Vec<u32> = (1..17).map(|_| read(&mut chip, I2C0 + IC_DATA_CMD) & 0xFF).collect();
    assert_eq!(rest, (1..17).collect::<Vec<u32>>());
}

#[test]
fn the_master_that_sends_a_1_against_a_0_loses_arbitration() {
    let both = [
        pins(),
        master(I2C0, 0x2A),
        master(I2C1, 0x2B),
        // TX_CMD_BLOCK holds the commands until both start.
        vec![Write(I2C0 + 0x6C, 5), Write(I2C1 + 0x6C, 5)],
        commands(I2C0, &[1 | STOP]),
        commands(I2C1, &[2 | STOP]),
        vec![Write(I2C0 + 0x6C, 1), Write(I2C1 + 0x6C, 1)],
    ];
    let mut chip = playing(&both, true);
    chip.run(SECOND_NS / 100);
    assert_eq!(read(&mut chip, I2C0 + IC_TX_ABRT_SOURCE) & 0x1001, 1, "it was not acknowledged");
    assert_eq!(read(&mut chip, I2C1 + IC_TX_ABRT_SOURCE) & 0x1001, 0x1000, "ARB_LOST");
    assert_eq!(chip.levels() >> 4 & 0xF, 0xF, "the bus is idle");
}

#[test]
fn clock_stretching_makes_the_master_wait() {
    let parts = [pins(), master(I2C0, 0x2A), commands(I2C0, &[0x55 | STOP])];
    let mut chip = playing(&parts, false);
    chip.observe_functions();
    chip.drive(5, Drive::Low);
    chip.run(SECOND_NS / 100);
    assert_eq!(read(&mut chip, I2C0 + IC_TX_ABRT_SOURCE), 0);
    chip.drive(5, Drive::High);
    chip.run(SECOND_NS / 50);
    assert_eq!(read(&mut chip, I2C0 + IC_TX_ABRT_SOURCE) & 1, 1);
}

/// A memory of 256 bytes at 0x50; the first byte written is the address at which reading or writing
/// continues.
#[derive(Clone, Debug)]
struct Memory256 {
    bytes: Vec<u8>,
    place: Option<u8>,
}

impl I2cTarget for Memory256 {
    fn start(&mut self, _: u64, address: u16, reading: bool) -> bool {
        self.place = self.place.filter(|_| reading);
        address == 0x50
    }

    fn write(&mut self, _: u64, byte: u8) -> bool {
        match self.place {
            None => self.place = Some(byte),
            Some(place) => {
                self.bytes[usize::from(place)] = byte;
                self.place = Some(place.wrapping_add(1));
            }
        }
        true
    }

    fn read(&mut self, _: u64) -> u8 {
        let place = self.place.unwrap_or_default();
        self.place = Some(place.wrapping_add(1));
        self.bytes[usize::from(place)]
    }

    fn stop(&mut self, _: u64) {}

    fn boxed_clone(&self) -> Box<dyn I2cTarget> {
        Box::new(self.clone())
    }
}

#[test]
fn observing_pins_does_not_change_a_device_transfer() {
    let parts = [
        pins(),
        master(I2C0, 0x50),
        commands(I2C0, &[3, 0x9A, 0x65 | STOP, 3, READ | RESTART, READ, READ | STOP]),
        vec![Write(I2C0 + 0x04, 0x51)],
    ];
    let mut runs = [false, true].map(|looked_at| {
        let mut chip = playing(&parts, false);
        let memory = Memory256 { bytes: vec![0x7E; 256], place: None };
        chip.attach_i2c(0, Box::new(memory));
        chip.take_i2c_events(0);
        chip.watch(1 << 4 | 1 << 5);
        if looked_at {
            chip.observe_functions();
        }
        chip.run(SECOND_NS / 100);
        chip
    });
    let changes = runs.each_mut().map(|chip| chip.take_changes().len());
    assert!(changes[0] < 10 && changes[1] > 100, "{changes:?}");
    let events = runs.each_mut().map(|chip| chip.take_i2c_events(0));
    assert_eq!(events[0], events[1]);
    assert_eq!(events[0].len(), 12);
    let read = runs.each_mut().map(|chip| [0; 3].map(|_| read(chip, I2C0 + IC_DATA_CMD)));
    assert_eq!(read, [[0x89A, 0x65, 0x7E]; 2]);
}

#[test]
fn a_device_at_certain_pins_answers_while_they_have_the_function() {
    let transfer = commands(I2C0, &[3, 0x9A | STOP]);
    let events = |attached: [usize; 2]| {
        let mut chip = playing(&[pins(), master(I2C0, 0x50), transfer.clone()], false);
        let memory = Memory256 { bytes: vec![0x7E; 256], place: None };
        assert!(chip.attach_i2c_at(attached, Box::new(memory)));
        chip.take_i2c_events(0);
        chip.run(SECOND_NS / 100);
        chip.take_i2c_events(0).into_iter().map(|(_, event)| event).collect::<Vec<_>>()
    };
    let start = |acknowledged| I2cEvent::Start { address: 0x50, reading: false, acknowledged };
    let written = |byte| I2cEvent::Written { byte, acknowledged: true };
    assert_eq!(events([4, 5]), [start(true), written(3), written(0x9A), I2cEvent::Stop]);
    assert_eq!(events([8, 9]), [start(false), I2cEvent::Stop]);
    let mut chip = playing(&[], false);
    for wrong in [[5, 4], [4, 7], [4, 30], [30, 31]] {
        let memory = Memory256 { bytes: Vec::new(), place: None };
        assert!(!chip.attach_i2c_at(wrong, Box::new(memory)), "{wrong:?}");
    }
}
