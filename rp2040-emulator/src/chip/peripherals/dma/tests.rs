use super::*;

const READ: u32 = 0x0;
const WRITE: u32 = 0x4;
const COUNT: u32 = 0x8;
const CONTROL: u32 = 0xC;
const BUSY: u32 = 1 << 24;

/// CTRL: enabled, words, both addresses incremented, no pacing.
const COPY: u32 = 1 | 2 << 2 | 3 << 4 | 0x3F << 15;

/// A controller with 256 bytes of memory at address zero. Behind them the bus returns errors,
/// except for the controller's own registers.
#[derive(Default)]
struct Board {
    dma: Dma,
    memory: Vec<u8>,
}

const REGISTERS: u32 = 0x5000_0000;

impl Board {
    fn new() -> Self {
        Self { memory: (0..=255).collect(), dma: Dma::default() }
    }

    /// Sets up a channel chained to `chain`; writing CTRL starts it.
    fn set(&mut self, channel: u32, registers: [u32; 3], control: u32, chain: u32) {
        let control = control | chain << 11;
        let [read, write, count] = registers;
        let registers = [(READ, read), (WRITE, write), (COUNT, count), (CONTROL, control)];
        for (offset, value) in registers {
            assert_eq!(self.dma.write(channel * 0x40 + offset, value, 0), Some(()));
        }
    }

    fn register(&mut self, offset: u32) -> u32 {
        self.dma.read(offset, 0).unwrap()
    }

    /// Runs the controller until `cycle` and returns the transfers.
    fn run(&mut self, cycle: u64, ready: u64) -> Vec<Transfer> {
        let mut transfers = vec![];
        while let Some(transfer) = self.dma.wanted(cycle, ready) {
            let outcome = self.carry_out(&transfer);
            self.dma.finished(&transfer, outcome);
            transfers.push(transfer);
        }
        transfers
    }

    fn carry_out(&mut self, transfer: &Transfer) -> TransferOutcome {
        let bytes = transfer.width.bytes() as usize;
        let Some(source) = self.memory.get(transfer.read as usize..).and_then(|m| m.get(..bytes))
        else {
            return TransferOutcome::ReadError;
        };
        let value = source.iter().rev().fold(0, |value, byte| value << 8 | u32::from(*byte));
        let value = self.dma.fetched(transfer, value);
        if transfer.write >= REGISTERS {
            return match self.dma.write(transfer.write - REGISTERS, value, transfer.cycle) {
                Some(()) => TransferOutcome::Done,
                None => TransferOutcome::WriteError,
            };
        }
        let target = self.memory.get_mut(transfer.write as usize..);
        match target.and_then(|memory| memory.get_mut(..bytes)) {
            Some(target) => {
                target.copy_from_slice(&value.to_le_bytes()[..bytes]);
                TransferOutcome::Done
            }
            None => TransferOutcome::WriteError,
        }
    }
}

/// Checks the memory from 0x80 on after three transfers from `source` (0x11 or near it) with this
/// control.
#[track_caller]
fn check(control: u32, source: u32, expected: &[u8]) {
    let mut board = Board::new();
    board.set(0, [source, 0x80, 3], control, 0);
    assert_eq!(board.run(100, 0).len(), 3);
    assert_eq!(&board.memory[0x80..0x80 + expected.len()], expected);
}

#[test]
fn widths_increments_and_swaps_follow_the_control_register() {
    let bytes = 1 | 3 << 4 | 0x3F << 15;
    check(bytes, 0x11, &[0x11, 0x12, 0x13, 0x83]);
    check(bytes & !(1 << 4), 0x11, &[0x11, 0x11, 0x11, 0x83]);
    check(bytes & !(1 << 5), 0x11, &[0x13, 0x81, 0x82, 0x83]);
    let halves = bytes | 1 << 2;
    check(halves, 0x12, &[0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x86]);
    check(halves | 1 << 22, 0x12, &[0x13, 0x12, 0x15, 0x14, 0x17, 0x16, 0x86]);
    check(COPY | 1 << 22, 0x14, &[0x17, 0x16, 0x15, 0x14, 0x1B]);
}

#[test]
fn rings_wrap_one_of_the_addresses() {
    let bytes = 1 | 3 << 4 | 0x3F << 15;
    check(bytes | 1 << 6, 0x11, &[0x11, 0x10, 0x11, 0x83]);
    check(bytes | 1 << 6 | 1 << 10, 0x11, &[0x13, 0x12, 0x82]);
}

#[test]
fn a_transfer_takes_a_cycle_and_begins_after_its_trigger() {
    let mut board = Board::new();
    board.set(0, [0x10, 0x80, 4], COPY, 0);
    assert_eq!(board.dma.next(0), 1 + BATCH);
    assert_eq!(board.register(CONTROL) & BUSY, BUSY);
    let cycles: Vec<_> = board.run(2, 0).iter().map(|transfer| transfer.cycle).collect();
    assert_eq!(cycles, [1, 2]);
    assert_eq!(board.register(COUNT), 2);
    let cycles: Vec<_> = board.run(100, 0).iter().map(|transfer| transfer.cycle).collect();
    assert_eq!(cycles, [3, 4]);
    assert_eq!(board.register(CONTROL) & BUSY, 0);
    assert_eq!((board.register(READ), board.register(WRITE)), (0x20, 0x90));
    assert_eq!(board.dma.next(0), u64::MAX);
}

#[test]
fn a_restarted_channel_repeats_its_transfer_count() {
    let mut board = Board::new();
    board.set(5, [0x10, 0x80, 4], COPY, 5);
    board.run(100, 0);
    board.dma.write(0x430, 1 << 5, 100);
    assert_eq!(board.register(5 * 0x40 + COUNT), 4);
    assert_eq!(board.register(0x800 + 5 * 0x40 + 4), 4);
    assert_eq!(board.run(200, 0).len(), 4);
    assert_eq!(board.register(5 * 0x40 + READ), 0x30);
}

#[test]
fn four_groups_alias_the_registers_and_the_last_one_triggers() {
    let groups = [
        [READ, WRITE, COUNT, CONTROL],
        [0x14, 0x18, 0x1C, 0x10],
        [0x28, 0x2C, 0x24, 0x20],
        [0x3C, 0x34, 0x38, 0x30],
    ];
    for [read, write, count, control] in groups {
        let mut board = Board::new();
        let mut order = [(read, 0x10), (write, 0x80), (count, 2), (control, COPY)];
        order.sort_by_key(|(offset, _)| offset & 0xC);
        for (offset, value) in order {
            assert_eq!(board.run(100, 0), [], "nothing before the last");
            board.dma.write(offset, value, 100);
            let read = board.register(offset);
            assert_eq!(read & !BUSY, if offset == count { read } else { value });
        }
        assert_eq!(board.run(200, 0).len(), 2, "{read:#x}");
    }
}

#[test]
fn levels_and_pulses_pace_a_channel() {
    const SPI_TX: u32 = 16;
    let mut board = Board::new();
    board.set(0, [0x10, 0x80, 2], COPY & !(0x3F << 15) | SPI_TX << 15, 0);
    assert_eq!(board.run(10, 0), []);
    assert_eq!(board.dma.listens(), 1 << SPI_TX);
    assert_eq!(board.dma.next(0), u64::MAX);
    let cycles = [20, 21].map(|cycle| board.run(cycle, 1 << SPI_TX)[0].cycle);
    assert_eq!(cycles, [20, 21]);
    const WRAP_3: u32 = 27;
    board.set(0, [0x10, 0x80, 9], COPY & !(0x3F << 15) | WRAP_3 << 15, 0);
    board.dma.request(26, 5);
    assert_eq!(board.run(30, 0), []);
    board.dma.request(27, 2);
    assert_eq!(board.register(0x800), 2);
    let transfers = [40, 50, 60].map(|cycle| board.run(cycle, 0).len());
    assert_eq!(transfers, [1, 1, 0]);
}

#[test]
fn a_timer_paces_a_channel_by_its_fraction() {
    let mut board = Board::new();
    board.dma.write(0x424, 1 << 16 | 100, 0);
    board.set(0, [0x10, 0x80, 3], COPY & !(0x3F << 15) | 0x3C << 15, 0);
    let mut cycles = vec![];
    while board.dma.next(0) != u64::MAX {
        let next = board.dma.next(0);
        cycles.extend(board.run(next, 0).iter().map(|transfer| transfer.cycle));
    }
    assert_eq!(cycles, [100, 200, 300]);
}

#[test]
fn a_chain_starts_a_channel_that_a_control_block_configures() {
    let mut board = Board::new();
    board.set(1, [0x10, 0x80, 1], COPY & !1, 1);
    board.dma.write(0x50, COPY | 1 << 11, 0); // AL1_CTRL: enabled, not started
    board.set(0, [0x20, 0x90, 2], COPY, 1);
    let channels: Vec<_> = board.run(100, 0).iter().map(|transfer| transfer.channel).collect();
    assert_eq!(channels, [0, 0, 1]);
    // Two blocks of count and read address at 0x40, the second one all zeros, written to channel
    // 1's third group; writes ring around its last two registers.
    let mut board = Board::new();
    for (block, word) in [2_u32, 0x10, 0, 0].into_iter().enumerate() {
        board.memory[0x40 + block * 4..][..4].copy_from_slice(&word.to_le_bytes());
    }
    board.dma.write(0x44, 0x80, 0);
    board.dma.write(0x50, COPY | 1 << 21, 0); // quiet, chained to channel 0
    board.set(0, [0x40, REGISTERS + 0x78, 2], COPY | 3 << 6 | 1 << 10 | 1 << 21, 0);
    assert_eq!(board.run(100, 0).len(), 2 + 2 + 2);
    assert_eq!(board.memory[0x80..0x88], [0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17]);
    assert_eq!(board.register(INTR), 1 << 1, "the zero ends the list");
}

#[test]
fn the_end_interrupts_unless_the_channel_is_quiet() {
    let mut board = Board::new();
    board.dma.write(0x414, 1 << 2, 0);
    board.set(2, [0x10, 0x80, 1], COPY, 2);
    board.run(100, 0);
    assert_eq!(board.dma.interrupts(), [false, true]);
    assert_eq!([0x40C, 0x41C].map(|offset| board.register(offset)), [0, 4]);
    board.dma.write(0x41C, 1 << 2, 0);
    assert_eq!(board.dma.interrupts(), [false, false]);
    board.set(2, [0x10, 0x80, 1], COPY | 1 << 21, 2);
    board.run(200, 0);
    assert_eq!(board.register(INTR), 0);
    board.dma.write(0x408, 1, 0);
    assert_eq!(board.dma.interrupts(), [true, false], "forced");
}

#[test]
fn a_bus_error_halts_the_channel_and_is_reported() {
    for (registers, error) in [
        ([0x1000, 0x80, 4], 1 << 30),
        ([0x10, 0x1000, 4], 1 << 29),
        ([0x11, 0x80, 4], 1 << 30),
        ([0x10, 0x82, 4], 1 << 29),
    ] {
        let mut board = Board::new();
        board.set(0, registers, COPY | 1 << 21, 0);
        board.run(100, 0);
        assert_eq!(board.register(CONTROL), COPY | 1 << 21 | error | 1 << 31);
        assert_eq!(board.register(INTR), 1);
        assert_eq!(board.dma.next(0), u64::MAX);
        board.dma.write(0x10, error, 0);
        assert_eq!(board.register(CONTROL), 0, "writing a one clears it");
    }
}

#[test]
fn high_priority_goes_first_and_low_has_one_turn_a_round() {
    let mut board = Board::new();
    // Set up without a trigger, then started together.
    for (channel, control) in [(0, COPY), (1, COPY | 2), (2, COPY | 2), (3, COPY)] {
        board.set(channel, [0x10, 0x80, 8], control & !1, channel);
        board.dma.write(channel * 0x40 + 0x10, control | channel << 11, 0);
    }
    board.dma.write(0x430, 0xF, 0);
    let channels: Vec<_> = board.run(9, 0).iter().map(|transfer| transfer.channel).collect();
    assert_eq!(channels, [1, 2, 0, 1, 2, 3, 1, 2, 0]);
}

#[test]
fn a_paused_channel_waits_and_an_aborted_one_has_ended() {
    let mut board = Board::new();
    board.set(0, [0x10, 0x80, 4], COPY, 0);
    board.run(1, 0);
    board.dma.write(0x10, COPY & !1, 1);
    assert_eq!(board.run(100, 0), []);
    assert_eq!(board.register(CONTROL) & BUSY, BUSY);
    board.dma.write(0x10, COPY, 100);
    assert_eq!(board.run(101, 0).len(), 1);
    board.dma.write(0x444, 1, 101);
    assert_eq!(board.register(0x444), 0);
    assert_eq!(board.register(CONTROL) & BUSY, 0);
    assert_eq!((board.run(200, 0), board.register(INTR)), (vec![], 0));
}

#[test]
fn a_length_of_zero_completes_and_a_chain_of_them_does_not_hang() {
    let mut board = Board::new();
    board.set(0, [0x10, 0x80, 0], COPY & !1, 1);
    board.dma.write(0x10, COPY | 1 << 11, 0);
    board.set(1, [0x10, 0x80, 0], COPY, 0);
    assert_eq!(board.run(1_000, 0), []);
    assert_eq!(board.register(INTR), 3);
}

#[test]
fn the_sniffer_follows_one_channel() {
    let mut board = Board::new();
    board.dma.write(0x434, 1 | 15 << 5, 0);
    board.set(0, [0x10, 0x80, 2], COPY | 1 << 23, 0);
    board.run(100, 0);
    assert_eq!(board.register(0x438), 0x1312_1110 + 0x1716_1514);
    board.set(1, [0x10, 0x80, 2], COPY | 1 << 23, 1);
    board.run(200, 0);
    assert_eq!(board.register(0x438), 0x1312_1110 + 0x1716_1514);
}

#[test]
fn the_control_register_of_a_reset_channel_is_0() {
    let mut board = Board::new();
    assert_eq!(board.register(11 * 0x40 + CONTROL), 0);
    assert_eq!(board.register(0x448), 12);
    assert_eq!(board.dma.read(0x300, 0), None);
}
