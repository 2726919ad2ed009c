//! Serial wire debug: the board's SWCLK and SWDIO (PIO1, machine 3).
//!
//! The machine exchanges up to 32 bits for each command: it drives SWDIO while SWCLK is low, and
//! samples it at the rising edge, in both directions with the same five instructions. The host's batches
//! (`probe_protocol::swd`) are executed by the polling loop, some transfers in each turn, so that a
//! long batch delays no other work by more than [`TURN_US`].
//!
//! The pins are inputs until the first batch after power-on, and again while the board has no
//! power: a board that is off is not fed through them. In between SWCLK stays low, because each of
//! its edges is a bit.
//!
//! Sources: ADIv5.2 B4; RP2040 datasheet 3.5 (PIO), 2.19.6 (FUNCSEL).

use heapless::Vec;
use pio::pio_asm;
use probe_protocol::swd::{
    BATCH, IDLE_BITS, Register, SwdEnd, SwdOp, SwdResult, WAITS, WORDS, check,
};
use probe_protocol::{Observation, wiring};
use rp2040_hal::pac::{self, PIO1};
use rp2040_hal::pio::{PIO, PIOBuilder, PinDir, Rx, SM3, ShiftDirection, Tx, UninitStateMachine};

use crate::chip::{micros, store};
use crate::outbox::Outbox;
use crate::tasks;

const CLOCK: u8 = wiring::SWD_CLOCK.probe;
const DATA: u8 = wiring::SWD_DATA.probe;
/// Divider of the system clock; a bit takes 8 cycles of the machine: 3.125 MHz. The RP2040's port accepts
/// 24 MHz (datasheet 2.3.4), and the wires are not terminated.
const DIVIDER: u16 = 8;
/// Time in microseconds after which a turn ends: the rings of the sampler last for 400 µs or
/// longer.
const TURN_US: u64 = 60;
/// FUNCSEL of the second PIO, and of no function.
const FUNCSEL_PIO1: u32 = 7;
const FUNCSEL_NULL: u32 = 31;

/// Acknowledgements, as they are on the wire (ADIv5.2 B4.1.1).
const OK: u32 = 0b001;
const WAIT: u32 = 0b010;
const FAULT: u32 = 0b100;

/// The machine, and the batch that is being executed.
pub struct Swd {
    tx: Tx<(PIO1, SM3)>,
    rx: Rx<(PIO1, SM3)>,
    batch: Vec<u8, BATCH>,
    words: Vec<u8, { 4 * WORDS }>,
    /// Position of the current operation in the batch, and the number of its transfers that are done.
    at: usize,
    repeated: u8,
    waits: u32,
    number: u8,
    transfers: u16,
    is_executing: bool,
    /// Whether the pins are the machine's.
    drives: bool,
}

impl Swd {
    /// Starts the machine; its pins stay inputs.
    pub fn start(pio: &mut PIO<PIO1>, machine: UninitStateMachine<(PIO1, SM3)>) -> Self {
        let program = pio_asm!(
            ".side_set 1",
            ".wrap_target",
            "    pull          side 0",
            "    out x, 5      side 0",
            "    out pindirs, 1 side 0",
            "    pull          side 0",
            "bit:",
            "    out pins, 1   side 0 [3]",
            "    in pins, 1    side 1 [2]",
            "    jmp x-- bit   side 1",
            "    push          side 0",
            ".wrap",
        );
        let Ok(program) = pio.install(&program.program) else {
            unreachable!("23 of 32 instructions with those of the edges")
        };
        let (mut machine, rx, tx) = PIOBuilder::from_installed_program(program)
            .side_set_pin_base(CLOCK)
            .out_pins(DATA, 1)
            .in_pin_base(DATA)
            .out_shift_direction(ShiftDirection::Right)
            .in_shift_direction(ShiftDirection::Right)
            .clock_divisor_fixed_point(DIVIDER, 0)
            .build(machine);
        machine.set_pindirs([(CLOCK, PinDir::Output), (DATA, PinDir::Input)]);
        machine.start();
        Self {
            tx,
            rx,
            batch: Vec::new(),
            words: Vec::new(),
            at: 0,
            repeated: 0,
            waits: 0,
            number: 0,
            transfers: 0,
            is_executing: false,
            drives: false,
        }
    }

    /// Begins a batch. Its result comes when it has ended.
    #[inline(never)]
    pub fn begin(&mut self, number: u8, batch: &[u8], outbox: &mut Outbox) {
        let refused = match () {
            () if self.is_executing || check(batch).is_err() => Some(SwdEnd::NotABatch),
            () if !tasks::is_powered() => Some(SwdEnd::NoPower),
            () => None,
        };
        if let Some(end) = refused {
            outbox.push(&Observation::Swd(SwdResult { number, end, transfers: 0, words: &[] }));
            return;
        }
        self.batch.clear();
        self.words.clear();
        // It fits: `check` has its size.
        let _ = self.batch.extend_from_slice(batch);
        (self.at, self.repeated, self.waits, self.transfers) = (0, 0, 0, 0);
        (self.number, self.is_executing) = (number, true);
        self.drive(true);
    }

    /// Drops the current batch: its host is gone.
    pub fn cancel(&mut self) {
        self.is_executing = false;
    }

    /// Executes a part of the batch. Returns true if there was anything to do.
    pub fn poll(&mut self, outbox: &mut Outbox) -> bool {
        if self.drives && !tasks::is_powered() {
            self.drive(false);
            if core::mem::take(&mut self.is_executing) {
                self.report(SwdEnd::NoPower, outbox);
            }
        }
        if !self.is_executing {
            return false;
        }
        let until = micros() + TURN_US;
        while micros() < until {
            if let Some(end) = self.step() {
                self.exchange(IDLE_BITS.into(), true, 0);
                self.is_executing = false;
                self.report(end, outbox);
                return true;
            }
        }
        true
    }

    #[inline(never)]
    fn report(&self, end: SwdEnd, outbox: &mut Outbox) {
        let (number, transfers) = (self.number, self.transfers);
        outbox.push(&Observation::Swd(SwdResult { number, end, transfers, words: &self.words }));
    }

    /// Executes a sequence or a transfer. Returns the end of the batch, if this was the last one.
    #[inline(never)]
    fn step(&mut self) -> Option<SwdEnd> {
        let rest = self.batch.get(self.at..).filter(|rest| !rest.is_empty());
        let Some(rest) = rest else { return Some(SwdEnd::Done) };
        let Ok((op, after)) = SwdOp::decode(rest) else { return Some(SwdEnd::NotABatch) };
        let length = rest.len() - after.len();
        let (register, count, data) = match op {
            SwdOp::Sequence { bits, bytes } => {
                // At most 32 bytes; copied, because the batch is borrowed.
                let (mut left, mut copy) = (u32::from(bits), [0; 32]);
                let count = bytes.len().min(copy.len());
                copy[..count].copy_from_slice(&bytes[..count]);
                for byte in &copy[..count] {
                    let now = left.min(8);
                    self.exchange(now, true, u32::from(*byte));
                    left -= now;
                }
                self.at += length;
                return None;
            }
            SwdOp::Read { register, count } => (register, count, None),
            SwdOp::Write { register, words } => {
                let words = words.as_chunks::<4>().0;
                let word = words.get(usize::from(self.repeated)).copied().unwrap_or_default();
                (register, words.len() as u8, Some(u32::from_le_bytes(word)))
            }
        };
        match self.transfer(register, data) {
            Ok(word) => {
                self.transfers += 1;
                self.waits = 0;
                self.repeated += 1;
                if data.is_none() {
                    // It fits: `check` has counted the words.
                    let _ = self.words.extend_from_slice(&word.to_le_bytes());
                }
                if self.repeated == count {
                    (self.at, self.repeated) = (self.at + length, 0);
                }
                None
            }
            Err(SwdEnd::Wait) if self.waits < WAITS => {
                self.waits += 1;
                None
            }
            Err(end) => Some(end),
        }
    }

    /// Executes a packet: writes `data`, or reads.
    #[inline(never)]
    fn transfer(&mut self, register: Register, data: Option<u32>) -> Result<u32, SwdEnd> {
        self.exchange(8, true, register.request(data.is_none()).into());
        // A turnaround and the acknowledgement.
        match self.exchange(4, false, 0) >> 1 {
            OK => {}
            WAIT => {
                self.exchange(1, false, 0);
                return Err(SwdEnd::Wait);
            }
            FAULT => {
                self.exchange(1, false, 0);
                return Err(SwdEnd::Fault);
            }
            _ => {
                // The port may send data that belongs to a bit that was lost.
                self.exchange(32, false, 0);
                self.exchange(3, false, 0);
                return Err(SwdEnd::NoAck);
            }
        }
        if let Some(word) = data {
            self.exchange(1, false, 0);
            self.exchange(32, true, word);
            self.exchange(1, true, word.count_ones() & 1);
            return Ok(word);
        }
        let word = self.exchange(32, false, 0);
        let parity = self.exchange(2, false, 0) & 1;
        if parity == word.count_ones() & 1 { Ok(word) } else { Err(SwdEnd::Parity) }
    }

    /// Drives or releases SWDIO for `bits` clocks, 1 to 32, and returns its levels, the first in
    /// bit 0.
    #[inline(never)]
    fn exchange(&mut self, bits: u32, drives: bool, data: u32) -> u32 {
        self.tx.write((bits - 1) | u32::from(drives) << 5);
        self.tx.write(data);
        loop {
            if let Some(word) = self.rx.read() {
                return word >> (32 - bits);
            }
        }
    }

    /// Gives the pins to the machine, or makes them inputs.
    #[inline(never)]
    fn drive(&mut self, drives: bool) {
        if core::mem::replace(&mut self.drives, drives) != drives {
            let function = if drives { FUNCSEL_PIO1 } else { FUNCSEL_NULL };
            for pin in [CLOCK, DATA] {
                store(pins().gpio(pin.into()).gpio_ctrl().as_ptr(), function);
            }
        }
    }
}

#[expect(unsafe_code, reason = "the functions of two pins, which nothing else changes")]
fn pins() -> &'static pac::io_bank0::RegisterBlock {
    // SAFETY: only the control registers of the two pins are written here, and only here.
    unsafe { &*pac::IO_BANK0::ptr() }
}
