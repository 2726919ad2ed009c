//! The log on a flash in memory: written data is found again anywhere in the ring, and at the
//! limits of its room.

extern crate std;

use std::vec;
use std::vec::Vec;

use super::*;
use crate::game::places::Player;
use crate::storage::chip::{Chip, Counted};
use crate::storage::layout::GAME;
use crate::storage::name::Name;

/// Returns a game in which each byte depends on its position.
fn game(seed: usize, length: usize) -> Vec<u8> {
    (0..length).map(|at| (at * 7 + seed * 13 + at / 256) as u8).collect()
}

/// Writes a block with a game of `length` bytes.
#[track_caller]
fn begin(log: &mut Progress, flash: &mut Counted, about: &BlockInfo, seed: usize, length: usize) {
    let game = game(seed, length);
    let fill = |from: usize, bytes: &mut [u8]| {
        let rest = game.get(from..).unwrap_or_default();
        let now = rest.len().min(bytes.len());
        bytes[..now].copy_from_slice(&rest[..now]);
        now
    };
    assert_eq!(log.begin(flash, about, length, fill), Ok(()));
}

/// Returns what a board finds that starts with this flash, and its log.
fn found(flash: &mut Counted) -> (Progress, Option<Found>) {
    let mut log = Progress::default();
    let found = log.start(flash).expect("a flash in memory");
    (log, found)
}

fn entries(log: &Progress, flash: &mut Counted) -> Vec<(u8, u16)> {
    let (mut reading, mut entries) = (log.entries(), vec![]);
    while let Some(entry) = log.next_entry(flash, &mut reading).expect("a flash in memory") {
        entries.push(entry);
    }
    entries
}

fn read_all(log: &Progress, flash: &mut Counted) -> Vec<u8> {
    let mut all = vec![];
    let mut some = [0; 50];
    loop {
        match log.read(flash, all.len(), &mut some).expect("a flash in memory") {
            0 => return all,
            count => all.extend_from_slice(&some[..count]),
        }
    }
}

fn factory_new() -> (Progress, Counted) {
    let mut flash = Counted::new(Chip::factory_new());
    let (log, nothing) = found(&mut flash);
    assert_eq!((nothing, log.sequence(), log.must_erase_next()), (None, None, false));
    (log, flash)
}

fn about(round: usize) -> BlockInfo {
    let totals = (!round.is_multiple_of(3)).then_some([round as u32, 70_000 + round as u32]);
    let begins = match round % 4 {
        0 => Some(Player::Bottom),
        1 => Some(Player::Top),
        _ => None,
    };
    BlockInfo {
        system: (round % 5) as u8,
        totals,
        begins: begins.filter(|_| totals.is_some()),
        name: Name::new("EVENING").filter(|_| round.is_multiple_of(2)),
    }
}

/// The lengths put blocks at all positions of a page and of a sector.
#[test]
fn a_game_and_its_entries_are_found_at_any_position() {
    let (mut log, mut flash) = factory_new();
    for round in 0..120 {
        let length = match round % 6 {
            0 => MOST_BYTES,
            nth => (round * 97 + nth * 301) % 1_500,
        };
        begin(&mut log, &mut flash, &about(round), round, length);
        assert_eq!(log.sequence(), Some(round as u32 + 1));
        let mut said = vec![];
        for nth in 0..round % 9 {
            let entry = (nth as u8, (round * 500 + nth) as u16);
            let has_room = log.free + ENTRY <= SECTOR_BYTES;
            assert_eq!(log.append(&mut flash, entry.0, entry.1), Ok(has_room), "round {round}");
            said.extend(has_room.then_some(entry));
        }
        let (up, block) = found(&mut flash);
        assert_eq!(
            block,
            Some(Found { about: about(round), length: Some(length) }),
            "round {round}"
        );
        assert_eq!(up, log, "round {round}: it goes on as if the power had stayed");
        assert_eq!(read_all(&up, &mut flash), game(round, length), "round {round}");
        assert_eq!(entries(&up, &mut flash), said, "round {round}");
        if round % 5 == 4 && log.must_erase_next() {
            assert_eq!(log.erase_next(&mut flash), Ok(()));
            assert!(!log.must_erase_next());
            assert_eq!(found(&mut flash).0, log, "round {round}: tidy");
        }
    }
    let others = [0..GAME.start, GAME.end..flash.chip.0.len() as u32];
    assert!(flash.erased.iter().all(|at| GAME.contains(at)), "{:?}", flash.erased);
    // Of the rest of the flash, only the journal of erases is used.
    let blank = |at: u32| flash.chip.0[at as usize] == 0xFF;
    assert!(others.into_iter().flatten().skip(SECTOR_BYTES as usize).all(blank));
}

#[test]
fn a_sector_erased_in_advance_is_not_erased_again() {
    let (mut log, mut flash) = factory_new();
    let mut tidied = 0;
    for round in 0..20 {
        let before = flash.erased.len();
        begin(&mut log, &mut flash, &BlockInfo::default(), round, MOST_BYTES);
        assert_eq!(flash.erased.len(), before, "round {round}");
        // From the second lap on, the next sector of the ring contains an older game.
        let full = round + 1 >= SECTORS as usize;
        assert_eq!(log.must_erase_next(), full, "round {round}");
        if log.must_erase_next() {
            let next = (log.block.sector + 1) % SECTORS;
            assert_eq!(log.erase_next(&mut flash), Ok(()));
            let erased: Vec<_> =
                flash.erased[before..].iter().filter(|at| GAME.contains(at)).copied().collect();
            assert_eq!(erased, [address(next)], "round {round}");
            tidied += 1;
        }
        assert_eq!(read_all(&log, &mut flash), game(round, MOST_BYTES), "round {round}");
    }
    assert!(tidied >= 17);
}

#[test]
fn a_block_leaves_room_for_the_entry_about_stored_totals() {
    // After a first block of 2,000 bytes, a second one of this length.
    let room = (SECTOR_BYTES - HEAD - 2_000 - HEAD) as usize;
    for (length, sector) in [(room - 8, 0), (room - 7, 1), (room, 1)] {
        let (mut log, mut flash) = factory_new();
        begin(&mut log, &mut flash, &BlockInfo::default(), 1, 2_000);
        begin(&mut log, &mut flash, &about(1), 2, length);
        assert_eq!(log.block.sector, sector, "{length}");
        assert_eq!(log.stored(&mut flash), Ok(()));
        let (up, block) = found(&mut flash);
        assert_eq!(block.map(|block| block.about.totals), Some(None), "{length}");
        assert_eq!(up, log, "{length}");
    }
}

#[test]
fn blocks_and_entries_fill_a_sector_to_its_last_byte() {
    let (mut log, mut flash) = factory_new();
    assert_eq!(log.append(&mut flash, 1, 2), Ok(false), "nothing is in progress");
    begin(&mut log, &mut flash, &BlockInfo::default(), 1, MOST_BYTES);
    for nth in 0..SPARE {
        assert_eq!(log.append(&mut flash, 1, nth as u16), Ok(true), "{nth}");
    }
    assert_eq!(log.append(&mut flash, 1, 9_999), Ok(false));
    let behind = (GAME.start + SECTOR_BYTES) as usize;
    assert!(flash.chip.0[behind..behind + 64].iter().all(|byte| *byte == 0xFF));
    let (up, _) = found(&mut flash);
    assert_eq!(entries(&up, &mut flash).len(), SPARE as usize);
    // The next block begins the next sector.
    begin(&mut log, &mut flash, &BlockInfo::default(), 2, 16);
    assert_eq!((log.block.sector, log.block.at), (1, 0));
    assert_eq!(found(&mut flash).0, log);
}

#[test]
fn a_game_has_a_maximum_length() {
    let (mut log, mut flash) = factory_new();
    let none = |_: usize, _: &mut [u8]| 0;
    let too_long = log.begin(&mut flash, &BlockInfo::default(), MOST_BYTES + 1, none);
    assert_eq!(too_long, Err(StorageError::Full));
    assert_eq!(log, Progress::default());
}

#[test]
fn the_end_of_a_game_is_found_and_has_no_number() {
    let (mut log, mut flash) = factory_new();
    begin(&mut log, &mut flash, &BlockInfo::default(), 1, 100);
    assert_eq!(log.end(&mut flash, &about(1)), Ok(()));
    assert_eq!(log.sequence(), None);
    let (up, block) = found(&mut flash);
    assert_eq!(block, Some(Found { about: about(1), length: None }));
    assert_eq!((up, up.sequence()), (log, None));
}

#[test]
fn the_totals_count_until_they_are_stored() {
    let (mut log, mut flash) = factory_new();
    begin(&mut log, &mut flash, &about(1), 1, 100);
    assert_eq!(found(&mut flash).1.and_then(|found| found.about.totals), Some([1, 70_001]));
    assert_eq!(log.append(&mut flash, 7, 7), Ok(true));
    assert_eq!(log.stored(&mut flash), Ok(()));
    let (up, block) = found(&mut flash);
    assert_eq!(block.map(|found| found.about), Some(BlockInfo { totals: None, ..about(1) }));
    assert_eq!(up, log);
}

#[test]
fn a_ring_of_unknown_content_is_erased_before_it_is_written_to() {
    let mut flash = Counted::new(Chip::factory_new());
    flash.chip.0[GAME.start as usize + 3_000..][..200].fill(0x5A);
    let (mut log, nothing) = found(&mut flash);
    assert_eq!(nothing, None);
    begin(&mut log, &mut flash, &about(2), 1, MOST_BYTES);
    assert_eq!((log.block.sector, log.block.at), (0, 0));
    assert_eq!(read_all(&found(&mut flash).0, &mut flash), game(1, MOST_BYTES));
}

#[test]
fn a_damaged_entry_is_skipped_with_the_entries_after_it() {
    for byte in 0..ENTRY as usize {
        let (mut log, mut flash) = factory_new();
        begin(&mut log, &mut flash, &BlockInfo::default(), 1, 100);
        for nth in 0..4 {
            assert_eq!(log.append(&mut flash, nth, 0x0100 + u16::from(nth)), Ok(true));
        }
        let second = (address(0) + log.block.end() + ENTRY) as usize;
        flash.chip.0[second + byte] ^= 0x10;
        let (up, _) = found(&mut flash);
        assert_eq!(entries(&up, &mut flash), [(0, 0x0100)], "byte {byte}");
        // The log continues after it.
        let mut up = up;
        assert_eq!(up.append(&mut flash, 9, 9), Ok(true));
        assert_eq!(entries(&found(&mut flash).0, &mut flash), [(0, 0x0100), (9, 9)], "byte {byte}");
    }
}

#[test]
fn a_block_after_a_damaged_one_counts() {
    for (lost, with) in [(0..4, 0xFF), (0..40, 0xFF), (0..4, 0x00), (20..21, 0x11)] {
        let (mut log, mut flash) = factory_new();
        begin(&mut log, &mut flash, &BlockInfo::default(), 1, 300);
        begin(&mut log, &mut flash, &about(1), 2, 200);
        flash.chip.0[GAME.start as usize..][lost.clone()].fill(with);
        let (up, block) = found(&mut flash);
        assert_eq!(block, Some(Found { about: about(1), length: Some(200) }), "{lost:?}");
        assert_eq!(up, log, "{lost:?}");
    }
}

#[test]
fn a_byte_of_a_truncated_entry_uses_the_room_of_one() {
    let (mut log, mut flash) = factory_new();
    begin(&mut log, &mut flash, &BlockInfo::default(), 1, 100);
    flash.chip.0[(address(0) + log.free) as usize] = TAG;
    let (mut up, _) = found(&mut flash);
    assert_eq!(up.free, log.free + ENTRY);
    assert_eq!(up.append(&mut flash, 3, 4), Ok(true));
    assert_eq!(entries(&found(&mut flash).0, &mut flash), [(3, 4)]);
}

/// Programs a block by hand, with its checksum.
fn put(flash: &mut Counted, at: u32, sequence: u32, length: usize) {
    let game = game(1, length);
    let fill = |from: usize, bytes: &mut [u8]| {
        let rest = &game[from..];
        let now = rest.len().min(bytes.len());
        bytes[..now].copy_from_slice(&rest[..now]);
        now
    };
    let head = head_of(PLAY, sequence, &BlockInfo::default(), length as u32, &fill);
    let at = (address(0) + at) as usize;
    flash.chip.0[at..at + head.len()].copy_from_slice(&head);
    flash.chip.0[at + head.len()..][..length].copy_from_slice(&game);
}

#[test]
fn a_block_without_a_number_or_beyond_its_sector_is_ignored() {
    for (at, sequence, length, counts) in
        [(0, 1, 100, true), (0, 0, 100, false), (4_000, 1, 100, false), (4_000, 1, 40, true)]
    {
        let mut flash = Counted::new(Chip::factory_new());
        put(&mut flash, at, sequence, length);
        let (_, block) = found(&mut flash);
        assert_eq!(block.is_some(), counts, "{sequence} at {at}, {length} bytes");
    }
}

#[test]
fn a_damaged_block_leaves_the_one_before_it() {
    let (mut log, mut flash) = factory_new();
    begin(&mut log, &mut flash, &BlockInfo::default(), 1, 300);
    let first = log;
    begin(&mut log, &mut flash, &about(1), 2, 200);
    let second = (address(0) + first.block.end()) as usize;
    for byte in [0, 5, 9, 16, 17, 18, 19, 20, 28, 31, 32, 100, 231] {
        let mut damaged = Counted::new(Chip(flash.chip.0.clone()));
        damaged.chip.0[second + byte] ^= 0x40;
        let (up, block) = found(&mut damaged);
        let length = block.and_then(|found| found.length);
        assert_eq!((length, up.block), (Some(300), first.block), "byte {byte}");
    }
}

/// A flash sector endures 100,000 erases: all sectors of the ring must wear equally.
#[test]
fn games_wear_the_sectors_of_the_ring_equally() {
    let mut flash = Counted::new(Chip::factory_new());
    let mut log = Progress::default();
    assert_eq!(log.start(&mut flash), Ok(None));
    for _ in 0..30 {
        assert!(
            log.begin(&mut flash, &BlockInfo::default(), 3_000, |_, bytes| bytes.len()).is_ok()
        );
    }
    let erased = |sector| flash.erased.iter().filter(|at| **at == address(sector)).count();
    let counts = [0, 1, 2].map(erased);
    assert_eq!(counts.iter().sum::<usize>(), flash.erased.len(), "only the ring: {counts:?}");
    assert!(counts.iter().all(|count| (9..=10).contains(count)), "{counts:?}");
}

#[test]
fn a_blank_ring_is_read_once_at_power_on() {
    let mut flash = Counted::new(Chip::factory_new());
    assert_eq!(Progress::default().start(&mut flash), Ok(None));
    assert!(flash.bytes <= GAME.len() + 64, "{} bytes", flash.bytes);
    assert!(flash.reads <= GAME.len() / CHUNK + 8, "{} reads", flash.reads);
}
