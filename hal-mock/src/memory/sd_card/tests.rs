use std::sync::Arc;

use proptest::prelude::*;

use super::*;

const MIB: u64 = 1 << 20;

/// A card, and a host that sends a byte each microsecond.
struct Bench {
    card: SdCard,
    ns: u64,
}

impl Bench {
    fn new(image: &[u8], size: u64) -> Self {
        let content = Content::new(Arc::from(image), SdCard::size_for(size), 0);
        let mut card = SdCard::new(content);
        card.select(0);
        Self { card, ns: 0 }
    }

    /// Creates a card that is initialised.
    fn ready(image: &[u8], size: u64) -> Self {
        let mut bench = Self::new(image, size);
        assert_eq!(bench.command(0, 0), IDLE);
        assert_eq!(bench.command(8, 0x1AA), IDLE);
        assert_eq!(bench.bytes(4), [0, 0, 1, 0xAA]);
        bench.initialise(1 << 30);
        bench
    }

    fn initialise(&mut self, argument: u32) {
        for _ in 0..100 {
            assert_eq!(self.command(55, 0) & !IDLE, 0);
            if self.command(41, argument) == 0 {
                return;
            }
            self.ns += 100_000;
        }
        panic!("never ready");
    }

    fn exchange(&mut self, byte: u8) -> u8 {
        let output = self.card.next_output(self.ns).unwrap();
        // Another selection begins with the same byte.
        assert_eq!(self.card.next_output(self.ns), Some(output));
        self.ns += 1_000;
        self.card.receive(self.ns, byte);
        output
    }

    fn bytes(&mut self, count: usize) -> Vec<u8> {
        (0..count).map(|_| self.exchange(0xFF)).collect()
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.exchange(*byte);
        }
    }

    /// Sends a command, and returns its R1.
    fn command(&mut self, index: u8, argument: u32) -> u8 {
        let mut command = vec![0x40 | index];
        command.extend(argument.to_be_bytes());
        command.push(crc7(&command));
        self.send(&command)
    }

    fn send(&mut self, command: &[u8]) -> u8 {
        self.write(command);
        if command[0] == 0x40 | 12 {
            self.exchange(0xFF);
        }
        (0..8).map(|_| self.exchange(0xFF)).find(|byte| byte >> 7 == 0).unwrap_or(0xFF)
    }

    /// Waits for a token, and returns it.
    fn token(&mut self) -> u8 {
        for _ in 0..10_000 {
            match self.exchange(0xFF) {
                0xFF => {}
                token => return token,
            }
        }
        panic!("no token");
    }

    /// Returns a block after its token, and checks its CRC.
    fn block(&mut self, length: usize) -> Vec<u8> {
        assert_eq!(self.token(), START_BLOCK);
        let data = self.bytes(length);
        assert_eq!(self.bytes(2), crc16(&data).to_be_bytes());
        data
    }

    /// Sends a block, returns its response, and waits while the card is busy.
    fn send_block(&mut self, token: u8, data: &[u8], crc: u16) -> u8 {
        self.exchange(0xFF);
        self.exchange(token);
        self.write(data);
        self.write(&crc.to_be_bytes());
        let response = self.exchange(0xFF);
        if response & 0x1F == ACCEPTED {
            assert_eq!(self.exchange(0xFF), 0, "busy");
        }
        self.wait();
        response & 0x1F
    }

    fn wait(&mut self) {
        while self.exchange(0xFF) == 0 {}
    }

    /// Reads the first bytes of a sector, by its address.
    fn first(&mut self, address: u32) -> u8 {
        assert_eq!(self.command(17, address), 0);
        self.block(BLOCK)[0]
    }
}

fn image() -> Vec<u8> {
    (0..4 * BLOCK).map(|at| (at / BLOCK) as u8 + 1).collect()
}

#[test]
fn a_card_is_silent_until_a_valid_cmd0() {
    let mut bench = Bench::new(&[], MIB);
    assert_eq!(bench.command(8, 0x1AA), 0xFF);
    assert_eq!(bench.send(&[0x40, 0, 0, 0, 0, 0x94]), 0xFF);
    assert_eq!(bench.send(&[0x40, 0, 0, 0, 0, 0x95]), IDLE);
    assert_eq!(bench.command(17, 0), IDLE | ILLEGAL_COMMAND);
    assert_eq!(bench.command(58, 0), IDLE);
    assert_eq!(bench.bytes(4), [0, 0xFF, 0x80, 0]);
}

#[test]
fn a_standard_card_is_addressed_in_bytes() {
    let mut bench = Bench::ready(&image(), 4 * MIB);
    assert_eq!(bench.command(58, 0), 0);
    assert_eq!(bench.bytes(4)[0], 0x80);
    assert_eq!(bench.first(1_024), 3);
    assert_eq!(bench.command(24, 1), ADDRESS_ERROR);
    assert_eq!(bench.command(17, 4 << 20), PARAMETER_ERROR);
    // CMD16 selects a part of a block.
    assert_eq!(bench.command(16, 4), 0);
    assert_eq!(bench.command(17, 1_020), 0);
    assert_eq!(bench.block(4), [2; 4]);
    assert_eq!(bench.command(17, 1_022), ADDRESS_ERROR);
    assert_eq!(bench.command(24, 0), PARAMETER_ERROR);
    assert_eq!(bench.command(16, 513), PARAMETER_ERROR);
}

#[test]
fn a_high_capacity_card_needs_a_host_that_knows_it() {
    let mut bench = Bench::new(&image(), 4_096 * MIB);
    assert_eq!(bench.command(0, 0), IDLE);
    for argument in [0, 1 << 30] {
        // Without CMD8 or HCS it is never ready.
        bench.command(55, 0);
        assert_eq!(bench.command(41, argument), IDLE);
        bench.ns += 1_000_000_000;
        bench.command(55, 0);
        assert_eq!(bench.command(41, 0), IDLE);
    }
    bench.command(8, 0x1AA);
    bench.bytes(4);
    bench.initialise(1 << 30);
    assert_eq!(bench.command(58, 0), 0);
    assert_eq!(bench.bytes(4)[0], 0xC0);
    assert_eq!(bench.first(2), 3);
    // The length of a block cannot be changed.
    assert_eq!(bench.command(16, 4), 0);
    assert_eq!(bench.first(1), 2);
}

#[test]
fn registers_come_as_blocks() {
    let mut bench = Bench::ready(&[], 4 * MIB);
    assert_eq!(bench.command(9, 0), 0);
    assert_eq!(bench.block(16), Capacity::for_bytes(4 * MIB).csd());
    assert_eq!(bench.command(10, 0), 0);
    assert_eq!(bench.block(16)[3..8], *b"NUDGE");
    bench.command(55, 0);
    assert_eq!(bench.command(51, 0), 0);
    assert_eq!(bench.block(8), SCR);
    bench.command(55, 0);
    assert_eq!(bench.command(13, 0), 0);
    assert_eq!(bench.exchange(0xFF), 0);
    assert_eq!(bench.block(64), [0; 64]);
    assert_eq!(bench.command(6, 0), ILLEGAL_COMMAND);
}

#[test]
fn many_blocks_are_read_until_cmd12() {
    let mut bench = Bench::ready(&image(), MIB);
    assert_eq!(bench.command(18, 512), 0);
    assert_eq!(bench.block(BLOCK), [2; BLOCK]);
    assert_eq!(bench.block(BLOCK), [3; BLOCK]);
    bench.bytes(100);
    assert_eq!(bench.command(12, 0), 0);
    assert_eq!(bench.exchange(0xFF), 0, "busy");
    bench.wait();
    assert_eq!(bench.bytes(1_000), [0xFF; 1_000]);
    assert_eq!(bench.first(0), 1);
    // Beyond the end.
    assert_eq!(bench.command(18, (MIB - 512) as u32), 0);
    bench.block(BLOCK);
    assert_eq!(bench.token(), OUT_OF_RANGE);
    assert_eq!(bench.command(12, 0), 0);
}

#[test]
fn a_written_block_is_stored_when_the_card_is_no_longer_busy() {
    let mut bench = Bench::ready(&image(), MIB);
    assert_eq!(bench.command(24, 512), 0);
    let data = [0xA5; BLOCK];
    bench.exchange(0xFF);
    bench.exchange(START_BLOCK);
    bench.write(&data);
    bench.write(&[0, 0]);
    assert_eq!(bench.exchange(0xFF) & 0x1F, ACCEPTED, "the CRC is not checked");
    assert_eq!(bench.card.content_at(bench.ns).byte(512), 2, "the power fails");
    bench.wait();
    assert_eq!(bench.card.content_at(bench.ns).byte(512), 0xA5);
    assert_eq!((bench.command(13, 0), bench.exchange(0xFF)), (0, 0));
    assert_eq!((bench.first(512), bench.first(0)), (0xA5, 1));
}

#[test]
fn many_blocks_are_written_until_their_stop_token() {
    let mut bench = Bench::ready(&[], MIB);
    bench.command(55, 0);
    assert_eq!(bench.command(23, 2), 0);
    assert_eq!(bench.command(25, 1_024), 0);
    for value in [7, 8] {
        assert_eq!(bench.send_block(START_OF_MANY, &[value; BLOCK], 0), ACCEPTED);
    }
    bench.exchange(STOP_TRANSFER);
    bench.exchange(0xFF);
    assert_eq!(bench.exchange(0xFF), 0, "busy");
    bench.wait();
    assert_eq!([0, 1_024, 1_536, 2_048].map(|at| bench.first(at)), [0, 7, 8, 0]);
    bench.command(55, 0);
    assert_eq!(bench.command(22, 0), 0);
    assert_eq!(bench.block(4), [0, 0, 0, 2]);
    // The sector after the last one.
    assert_eq!(bench.command(25, (MIB - 512) as u32), 0);
    assert_eq!(bench.send_block(START_OF_MANY, &[1; BLOCK], 0), ACCEPTED);
    assert_eq!(bench.send_block(START_OF_MANY, &[2; BLOCK], 0), WRITE_ERROR);
    assert_eq!(bench.command(12, 0), 0);
    bench.wait();
    assert_eq!((bench.command(13, 0), bench.exchange(0xFF)), (0, 4));
}

#[test]
fn checksums_count_once_they_are_switched_on() {
    let mut bench = Bench::ready(&[], MIB);
    assert_eq!(bench.send(&[0x40 | 13, 0, 0, 0, 0, 0xFF]), 0);
    assert_eq!(bench.send(&[0x48, 0, 0, 1, 0xAA, 0xFF]), CRC_ERROR, "CMD8 always");
    assert_eq!(bench.command(59, 1), 0);
    assert_eq!(bench.send(&[0x40 | 13, 0, 0, 0, 0, 0xFF]), CRC_ERROR);
    let data = [3; BLOCK];
    assert_eq!(bench.command(24, 0), 0);
    assert_eq!(bench.send_block(START_BLOCK, &data, crc16(&data) ^ 1), DATA_CRC_ERROR);
    assert_eq!(bench.first(0), 0);
    assert_eq!(bench.command(24, 0), 0);
    assert_eq!(bench.send_block(START_BLOCK, &data, crc16(&data)), ACCEPTED);
    assert_eq!(bench.first(0), 3);
}

#[test]
fn an_erase_needs_its_sequence() {
    let mut bench = Bench::ready(&image(), MIB);
    assert_eq!(bench.command(38, 0), ERASE_SEQUENCE);
    assert_eq!((bench.command(32, 512), bench.command(33, 1_024)), (0, 0));
    assert_eq!(bench.command(38, 0), 0);
    bench.wait();
    assert_eq!([0, 512, 1_024, 1_536].map(|at| bench.first(at)), [1, 0, 0, 4]);
    assert_eq!((bench.command(32, 1_024), bench.command(33, 0)), (0, 0));
    assert_eq!(bench.command(38, 0), PARAMETER_ERROR);
    bench.command(32, 0);
    bench.command(16, 512);
    assert_eq!(bench.command(33, 0), 0);
    assert_eq!(bench.command(38, 0), ERASE_SEQUENCE);
}

#[test]
fn a_selection_may_end_between_two_bytes() {
    let mut bench = Bench::ready(&image(), MIB);
    bench.write(&[0x40 | 17, 0]);
    bench.card.deselect(bench.ns, true);
    bench.card.select(bench.ns);
    assert_eq!(bench.command(17, 512), 0);
    bench.card.deselect(bench.ns, true);
    bench.card.select(bench.ns);
    assert_eq!(bench.block(BLOCK), [2; BLOCK]);
}

proptest! {
    /// Random bytes, mostly parts of commands, and pauses. A card of 32 GiB.
    #[test]
    fn random_bytes_leave_the_card_bounded(
        parts in prop::collection::vec(
            (prop::sample::select(&[0_u8, 8, 9, 12, 17, 18, 24, 25, 32, 33, 38, 41, 55, 59, 63][..]),
             any::<u32>(), prop::collection::vec(any::<u8>(), 0..700), any::<bool>()), 0..20),
        is_small: bool,
    ) {
        let size = if is_small { MIB } else { 32 << 30 };
        let mut bench = Bench::ready(&image(), size);
        for (index, argument, bytes, selects) in parts {
            bench.command(index, argument);
            if bytes.first().is_some_and(|byte| byte % 3 == 0) {
                bench.write(&[START_BLOCK, START_OF_MANY]);
            }
            bench.write(&bytes);
            if selects {
                bench.card.deselect(bench.ns, false);
                bench.ns += 1_000_000;
                bench.card.select(bench.ns);
            }
            prop_assert!(bench.card.output.len() <= BLOCK_WITH_CRC + 8);
        }
        prop_assert_eq!(bench.card.content_at(u64::MAX).size(), SdCard::size_for(size));
    }
}
