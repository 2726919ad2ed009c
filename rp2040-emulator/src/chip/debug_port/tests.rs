//! A host that drives SWCLK and SWDIO bit by bit, as ADIv5.2 B4 describes it, and the answers of
//! the port and of a chip.

use super::dp::Request;
use super::registers::*;
use super::*;
use crate::chip::{Chip, Halt};
use crate::cpu::bus::Width;
use crate::cpu::memory::RAM_BASE;

const OK: u8 = 0b001;
const WAIT: u8 = 0b010;
const FAULT: u8 = 0b100;
/// Nothing drives the wire, which the pull-up holds high.
const NO_ACK: u8 = 0b111;

const DHCSR: u32 = 0xE000_EDF0;
const DCRSR: u32 = 0xE000_EDF4;
const DCRDR: u32 = 0xE000_EDF8;
const DEMCR: u32 = 0xE000_EDFC;
const DFSR: u32 = 0xE000_ED30;
const KEY: u32 = 0xA05F << 16;
const S_HALT: u32 = 1 << 17;

/// A memory of 4 KiB at address 0 that counts accesses; nothing else answers.
#[derive(Default)]
struct Words {
    words: Vec<u32>,
    accesses: u32,
    busy: bool,
}

impl DebugTarget for Words {
    fn debug_read(&mut self, _: usize, address: u32, width: Width) -> Result<u32, DebugFault> {
        self.accesses += 1;
        let word = self.words.get(address as usize / 4).ok_or(DebugFault)?;
        Ok(word >> (8 * (address & 3)) & width.mask())
    }

    fn debug_write(
        &mut self,
        _: usize,
        address: u32,
        width: Width,
        value: u32,
    ) -> Result<(), DebugFault> {
        self.accesses += 1;
        let word = self.words.get_mut(address as usize / 4).ok_or(DebugFault)?;
        let lane = 8 * (address & 3);
        *word = *word & !(width.mask() << lane) | value << lane;
        Ok(())
    }

    fn is_busy(&self) -> bool {
        self.busy
    }
}

struct Wire<T> {
    port: DebugPort,
    target: T,
}

impl Wire<Words> {
    fn to_words() -> Self {
        let target = Words { words: (0..1024).map(|n| n * 0x0101).collect(), ..Words::default() };
        Self { port: DebugPort::new(), target }
    }
}

impl<T: DebugTarget> Wire<T> {
    /// One clock: the host drives `level`, or nothing. Returns the level before the rising edge.
    fn clock(&mut self, level: Option<bool>) -> bool {
        let driven = self.port.driven();
        assert!(level.is_none() || driven.is_none(), "both ends drive SWDIO");
        let data = level.or(driven).unwrap_or(true);
        self.port.set_clock(false, data, &mut self.target);
        self.port.set_clock(true, data, &mut self.target);
        data
    }

    fn send(&mut self, bits: u128, count: u32) {
        for n in 0..count {
            self.clock(Some(bits >> n & 1 != 0));
        }
    }

    fn receive(&mut self, count: u32) -> u64 {
        (0..count).fold(0, |bits, n| bits | u64::from(self.clock(None)) << n)
    }

    fn line_reset(&mut self) {
        self.send(u128::MAX, 56);
        self.send(0, 4);
    }

    fn wake(&mut self) {
        self.send(0xFF, 8);
        self.send(0x19BC_0EA2_E3DD_AFE9_8685_2D95_6209_F392, 128);
        self.send(0, 4);
        self.send(0x1A, 8);
    }

    fn read(&mut self, request: u8) -> (u8, u32) {
        self.send(request.into(), 8);
        let ack = (self.receive(4) >> 1) as u8;
        if ack != OK {
            self.receive(1);
            return (ack, 0);
        }
        let bits = self.receive(34);
        let value = bits as u32;
        assert_eq!(u64::from(value.count_ones() & 1), bits >> 32 & 1, "parity");
        (ack, value)
    }

    fn write(&mut self, request: u8, value: u32) -> u8 {
        self.write_with(request, value, value.count_ones() & 1)
    }

    fn write_with(&mut self, request: u8, value: u32, parity: u32) -> u8 {
        self.send(request.into(), 8);
        let ack = (self.receive(4) >> 1) as u8;
        self.receive(1);
        // The host of TARGETSEL sends data without an acknowledgement.
        if ack == OK || request == TARGET_SELECT {
            self.send(u128::from(value) | u128::from(parity) << 32, 33);
        }
        ack
    }

    /// Wakes the port, selects core `core`'s and powers it up.
    fn connect(&mut self, core: usize) {
        self.wake();
        self.line_reset();
        assert_eq!(self.write(TARGET_SELECT, TARGETSEL[core]), NO_ACK);
        assert_eq!(self.read(READ_DPIDR), (OK, 0x0BC1_2477));
        assert_eq!(self.write(WRITE_CTRL, CDBGPWRUPREQ | CSYSPWRUPREQ), OK);
        self.ap(CSW, 0x0300_0012);
    }

    fn ap(&mut self, register: u8, value: u32) {
        let request = if register == CSW { WRITE_AP_0 } else { WRITE_AP_4 };
        assert_eq!(self.write(request, value), OK);
    }

    fn peek(&mut self, address: u32) -> u32 {
        self.ap(TAR, address);
        assert_eq!(self.read(READ_AP_C).0, OK);
        let (ack, value) = self.read(READ_RDBUFF);
        assert_eq!(ack, OK);
        value
    }

    fn poke(&mut self, address: u32, value: u32) {
        self.ap(TAR, address);
        assert_eq!(self.write(WRITE_AP_C, value), OK);
    }
}

// Requests as they are on the wire, the first bit in bit 0 (ADIv5.2 B4.1.1; the same values are in
// the tables of CMSIS-DAP and of OpenOCD).
const READ_DPIDR: u8 = 0xA5;
const WRITE_ABORT: u8 = 0x81;
const READ_CTRL: u8 = 0x8D;
const WRITE_CTRL: u8 = 0xA9;
const WRITE_SELECT: u8 = 0xB1;
const READ_RESEND: u8 = 0x95;
const READ_RDBUFF: u8 = 0xBD;
const TARGET_SELECT: u8 = 0x99;
const WRITE_AP_0: u8 = 0xA3;
const WRITE_AP_4: u8 = 0x8B;
const READ_AP_C: u8 = 0x9F;
const WRITE_AP_C: u8 = 0xBB;

#[test]
fn requests_are_decoded_as_the_specification_encodes_them() {
    let of = |access_port, read, address| Some(Request { access_port, read, address });
    for (bits, expected) in [
        (READ_DPIDR, of(false, true, 0)),
        (WRITE_ABORT, of(false, false, 0)),
        (READ_CTRL, of(false, true, 4)),
        (WRITE_CTRL, of(false, false, 4)),
        (WRITE_SELECT, of(false, false, 8)),
        (READ_RESEND, of(false, true, 8)),
        (READ_RDBUFF, of(false, true, 12)),
        (TARGET_SELECT, of(false, false, 12)),
        (WRITE_AP_0, of(true, false, 0)),
        (WRITE_AP_4, of(true, false, 4)),
        (READ_AP_C, of(true, true, 12)),
        (WRITE_AP_C, of(true, false, 12)),
    ] {
        assert_eq!(Request::decode(bits), expected, "{bits:#04x}");
    }
    let whole = (0..=u8::MAX).filter(|bits| Request::decode(*bits).is_some()).count();
    assert_eq!(whole, 16, "every other pattern has a wrong start, stop, park or parity");
}

#[test]
fn a_dormant_port_answers_only_after_the_alert_and_targetsel() {
    let mut wire = Wire::to_words();
    wire.line_reset();
    assert_eq!(wire.read(READ_DPIDR).0, NO_ACK, "it is dormant");
    wire.wake();
    wire.line_reset();
    assert_eq!(wire.read(READ_DPIDR).0, NO_ACK, "no port is selected");
    wire.line_reset();
    wire.write(TARGET_SELECT, 0x2100_2927);
    assert_eq!(wire.read(READ_DPIDR).0, NO_ACK, "no port has this instance");
    for (core, target) in TARGETSEL.into_iter().enumerate() {
        wire.line_reset();
        wire.write(TARGET_SELECT, target);
        assert_eq!(wire.read(READ_DPIDR), (OK, 0x0BC1_2477));
        assert_eq!(wire.write(WRITE_SELECT, BANK_TARGETID), OK);
        assert_eq!(wire.read(READ_CTRL), (OK, 0x0100_2927));
        assert_eq!(wire.write(WRITE_SELECT, BANK_DLPIDR), OK);
        assert_eq!(wire.read(READ_CTRL), (OK, 1 | (core as u32) << 28));
    }
}

#[test]
fn a_wrong_request_silences_the_port_up_to_a_line_reset() {
    let mut wire = Wire::to_words();
    wire.connect(0);
    wire.send((READ_DPIDR ^ 1 << 5).into(), 8);
    assert_eq!(wire.receive(5), 0x1F);
    assert_eq!(wire.read(READ_DPIDR).0, NO_ACK);
    wire.line_reset();
    wire.write(TARGET_SELECT, TARGETSEL[0]);
    assert_eq!(wire.read(READ_DPIDR).0, OK);
}

#[test]
fn power_up_requests_are_acknowledged_and_required() {
    let mut wire = Wire::to_words();
    wire.wake();
    wire.line_reset();
    wire.write(TARGET_SELECT, TARGETSEL[1]);
    assert_eq!(wire.read(READ_CTRL), (OK, 0));
    assert_eq!(wire.write(WRITE_AP_4, 0), FAULT, "the debug domain has no power");
    assert_eq!(wire.read(READ_RDBUFF).0, FAULT, "the error is sticky");
    assert_eq!(wire.read(READ_CTRL), (OK, STICKYERR));
    assert_eq!(wire.write(WRITE_ABORT, STKERRCLR), OK);
    assert_eq!(wire.write(WRITE_CTRL, CDBGPWRUPREQ | CSYSPWRUPREQ), OK);
    assert_eq!(wire.read(READ_CTRL), (OK, 0xF000_0000));
    assert_eq!(wire.write(WRITE_AP_4, 0), OK);
}

#[test]
fn reads_of_the_access_port_come_one_packet_later() {
    let mut wire = Wire::to_words();
    wire.connect(0);
    wire.ap(TAR, 8);
    assert_eq!(wire.read(READ_AP_C), (OK, 0));
    assert_eq!(wire.read(READ_AP_C), (OK, 2 * 0x0101));
    assert_eq!(wire.read(READ_RDBUFF), (OK, 3 * 0x0101));
    assert_eq!(wire.read(READ_RESEND), (OK, 3 * 0x0101));
    assert_eq!(wire.target.accesses, 2);
    assert_eq!(wire.write(WRITE_SELECT, 0xF0), OK);
    assert_eq!(wire.read(READ_AP_C).0, OK);
    assert_eq!(wire.read(READ_RDBUFF), (OK, IDR_VALUE));
}

#[test]
fn the_address_wraps_in_a_block_of_1_kb() {
    let mut wire = Wire::to_words();
    wire.connect(0);
    wire.ap(TAR, 1020);
    assert_eq!(wire.write(WRITE_AP_C, 0xAAAA), OK);
    assert_eq!(wire.write(WRITE_AP_C, 0xBBBB), OK);
    assert_eq!((wire.target.words[255], wire.target.words[0]), (0xAAAA, 0xBBBB));
    assert_eq!(wire.target.words[256], 256 * 0x0101);
}

#[test]
fn narrow_transfers_use_the_lanes_of_their_address() {
    let mut wire = Wire::to_words();
    wire.connect(0);
    wire.ap(CSW, 0x0300_0010);
    wire.ap(TAR, 6);
    assert_eq!(wire.write(WRITE_AP_C, 0x11AB_3344), OK);
    assert_eq!(wire.target.words[1], 0x00AB_0101);
    wire.ap(TAR, 6);
    wire.read(READ_AP_C);
    assert_eq!(wire.read(READ_RDBUFF), (OK, 0x00AB_0000));
    wire.ap(CSW, 0x0300_0011);
    wire.ap(TAR, 6);
    assert_eq!(wire.write(WRITE_AP_C, 0xCDEF_3344), OK);
    assert_eq!(wire.target.words[1], 0xCDEF_0101);
}

#[test]
fn an_address_without_an_answer_is_a_sticky_fault() {
    let mut wire = Wire::to_words();
    wire.connect(0);
    wire.ap(TAR, 0x4000);
    assert_eq!(wire.read(READ_AP_C).0, OK);
    assert_eq!(wire.read(READ_RDBUFF).0, FAULT);
    assert_eq!(wire.write(WRITE_ABORT, STKERRCLR), OK);
    assert_eq!(wire.peek(4), 0x0101);
}

#[test]
fn a_busy_target_is_waited_for() {
    let mut wire = Wire::to_words();
    wire.connect(0);
    wire.target.busy = true;
    assert_eq!(wire.read(READ_AP_C).0, WAIT);
    assert_eq!(wire.write(WRITE_AP_C, 1), WAIT);
    assert_eq!(wire.read(READ_CTRL).0, OK, "the port itself is not busy");
    wire.target.busy = false;
    assert_eq!(wire.read(READ_AP_C).0, OK);
    assert_eq!(wire.target.accesses, 1);
}

#[test]
fn data_with_a_wrong_parity_is_not_written() {
    let mut wire = Wire::to_words();
    wire.connect(0);
    wire.ap(TAR, 0);
    assert_eq!(wire.write_with(WRITE_AP_C, 1, 0), OK);
    assert_eq!(wire.target.words[0], 0);
    assert_eq!(wire.read(READ_CTRL).1 & WDATAERR, WDATAERR);
    assert_eq!(wire.write(WRITE_AP_C, 1), FAULT);
    assert_eq!(wire.write(WRITE_ABORT, WDERRCLR), OK);
    assert_eq!(wire.write(WRITE_AP_C, 1), OK);
    assert_eq!(wire.target.words[0], 1);
}

/// Returns a chip whose core 0 executes `program` in RAM.
fn running(program: &[u16]) -> Wire<Chip> {
    let mut chip = Chip::new(64 * 1024);
    let bytes: Vec<u8> = program.iter().flat_map(|it| it.to_le_bytes()).collect();
    chip.memory_mut().load(RAM_BASE, &bytes).unwrap();
    chip.cores[0].begin(0, RAM_BASE + 0x1000, RAM_BASE | 1);
    let mut wire = Wire { port: DebugPort::new(), target: chip };
    wire.connect(0);
    wire
}

impl Wire<Chip> {
    fn run(&mut self, ns: u64) -> Halt {
        let until = self.target.now_ns() + ns;
        self.target.run(until)
    }

    fn register(&mut self, number: u32) -> u32 {
        self.poke(DCRSR, number);
        self.peek(DCRDR)
    }

    fn set_register(&mut self, number: u32, value: u32) {
        self.poke(DCRDR, value);
        self.poke(DCRSR, 1 << 16 | number);
    }
}

/// `adds r0, #1` and a branch to it.
const COUNTER: &[u16] = &[0x3001, 0xE7FD];

#[test]
fn memory_is_read_while_the_core_runs() {
    let mut wire = running(&[0x4902, 0x3001, 0x6008, 0xE7FC, 0, 0, 0x2000, 0x2000]);
    wire.run(100_000);
    let (first, cycles) = (wire.peek(0x2000_2000), wire.target.core(0).cycles());
    wire.run(100_000);
    let second = wire.peek(0x2000_2000);
    assert!(first > 10 && second > first, "{first} {second}");
    assert!(wire.target.core(0).cycles() > cycles);
}

#[test]
fn a_core_halts_steps_and_runs_on() {
    let mut wire = running(COUNTER);
    wire.run(10_000);
    wire.poke(DHCSR, KEY | 1 | 2);
    assert_eq!(wire.peek(DHCSR) & (S_HALT | 3), S_HALT | 3);
    let count = wire.register(0);
    assert_eq!(wire.run(1_000_000), Halt::Time);
    assert_eq!(wire.register(0), count, "time passes, and the core is halted");
    // Two steps execute each of the two instructions once.
    for _ in 0..2 {
        wire.poke(DHCSR, KEY | 1 | 4);
        assert_eq!(wire.peek(DHCSR) & S_HALT, S_HALT);
    }
    assert_eq!(wire.register(0), count + 1);
    wire.poke(DHCSR, 1);
    assert_eq!(wire.peek(DHCSR) & S_HALT, S_HALT, "a write without the key has no effect");
    wire.poke(DHCSR, KEY | 1);
    wire.run(10_000);
    assert_eq!(wire.peek(DHCSR) & S_HALT, 0);
    wire.poke(DHCSR, KEY | 1 | 2);
    assert!(wire.register(0) > count + 10);
}

#[test]
fn registers_of_a_halted_core_are_transferred() {
    let mut wire = running(COUNTER);
    wire.poke(DHCSR, KEY | 1 | 2);
    for number in [1, 7, 12, 14] {
        wire.set_register(number, 0x1234_0000 + number);
        assert_eq!(wire.register(number), 0x1234_0000 + number);
    }
    wire.set_register(17, 0x2000_3000);
    wire.set_register(18, 0x2000_4000);
    assert_eq!([13, 17, 18].map(|it| wire.register(it)), [0x2000_3000, 0x2000_3000, 0x2000_4000]);
    wire.set_register(20, 2 << 24 | 1);
    assert_eq!(wire.register(20), 2 << 24 | 1);
    assert_eq!(wire.register(13), 0x2000_4000, "the process stack pointer is in use");
    wire.set_register(16, 0x6100_0000);
    assert_eq!(wire.register(16), 0x6100_0000);
}

#[test]
fn a_breakpoint_instruction_halts_the_core() {
    let mut wire = running(&[0x2007, 0xBE00, 0xE7FE]);
    wire.poke(DHCSR, KEY | 1);
    assert_eq!(wire.run(100_000), Halt::Time);
    assert_eq!(wire.peek(DHCSR) & S_HALT, S_HALT);
    assert_eq!((wire.register(0), wire.register(15)), (7, RAM_BASE + 2));
    assert_eq!(wire.peek(DFSR) & 2, 2);
    // Without a debugger it is a fault.
    let mut wire = running(&[0x2007, 0xBE00, 0xE7FE]);
    assert_eq!(wire.run(100_000), Halt::Lockup(0));
}

#[test]
fn a_reset_by_the_watchdog_is_caught_before_the_first_instruction() {
    let mut wire = running(COUNTER);
    wire.poke(DHCSR, KEY | 1);
    wire.peek(DHCSR);
    wire.poke(DEMCR, 1);
    wire.poke(0x4005_8000, 1 << 31);
    wire.run(1_000);
    let instructions = wire.target.core(0).instructions();
    let status = wire.peek(DHCSR);
    assert_eq!(status & (1 << 25 | S_HALT), 1 << 25 | S_HALT, "S_RESET_ST and S_HALT");
    assert_eq!(wire.peek(DHCSR) & 1 << 25, 0, "a read clears S_RESET_ST");
    wire.run(1_000_000);
    assert_eq!(wire.target.core(0).instructions(), instructions);
}

#[test]
fn a_locked_up_core_can_be_used_again() {
    let mut wire = running(&[0xDE00, 0xE7FE]);
    assert_eq!(wire.run(100_000), Halt::Lockup(0));
    assert_eq!(wire.peek(DHCSR) & 1 << 19, 1 << 19);
    wire.poke(DHCSR, KEY | 1 | 2);
    // The vector of the fault had no Thumb bit.
    wire.set_register(16, 1 << 24);
    wire.set_register(15, RAM_BASE + 2);
    wire.poke(DHCSR, KEY | 1);
    assert_eq!(wire.run(100_000), Halt::Time);
}

#[test]
fn a_chip_without_a_debugger_is_the_same_with_a_port() {
    let mut alone = running(COUNTER);
    let mut read = alone.target.clone();
    alone.run(50_000);
    read.run(25_000);
    let mut wire = Wire { port: DebugPort::new(), target: read };
    wire.connect(0);
    wire.peek(RAM_BASE);
    wire.target.run(alone.target.now_ns());
    let cycles = |chip: &Chip| (chip.core(0).cycles(), chip.core(0).register(0));
    assert_eq!(cycles(&wire.target), cycles(&alone.target));
}
