//! The ring of sectors: how a map continues over many saves, and which maps are not written to.

extern crate std;

use std::collections::HashMap;
use std::vec::Vec;

use super::*;
use crate::storage::chip::Chip;
use crate::storage::records;

const RING: usize = SECTORS as usize;

/// Returns each state of the sector marks that the library leaves in two laps around the ring from
/// each sector, and how it continues from there. A sector is begun, then closed. When the library
/// begins the last blank sector, the oldest one is still full: its records are moved, then it is
/// erased.
fn states_of_the_library() -> HashMap<Vec<u8>, Next> {
    let mut known = HashMap::new();
    for first in 0..RING {
        let mut states = [State::Open; RING];
        let mut note = |states: &[State; RING], next| {
            known.insert(states.iter().map(|state| *state as u8).collect(), next);
        };
        note(&states, Next::Append);
        for turn in first..first + 2 * RING {
            let (now, oldest) = (turn % RING, (turn + 1) % RING);
            states[now] = State::Begun;
            if states[oldest] == State::Closed {
                note(&states, Next::Redo(now as u32));
                states[oldest] = State::Open;
            }
            note(&states, Next::Append);
            states[now] = State::Closed;
            // If no sector is begun, the library continues in the first blank sector that it finds.
            if states.iter().position(|state| *state == State::Open) == Some(oldest) {
                note(&states, Next::Append);
            }
        }
    }
    known
}

const STATES: [State; 4] = [State::Open, State::Begun, State::Closed, State::Invalid];

#[test]
fn a_map_continues_only_from_states_that_the_library_leaves() {
    let known = states_of_the_library();
    // Each of these states, and each state that differs from one in up to two sectors.
    for state in known.keys() {
        let legal: Vec<State> = state.iter().map(|state| STATES[usize::from(*state)]).collect();
        for (one, other) in (0..RING).flat_map(|one| (one..RING).map(move |other| (one, other))) {
            for (first, second) in STATES.iter().flat_map(|a| STATES.map(|b| (*a, b))) {
                let mut states = legal.clone();
                (states[one], states[other]) = (first, second);
                let key: Vec<u8> = states.iter().map(|state| *state as u8).collect();
                let expected = known.get(&key).copied().unwrap_or(Next::Unknown);
                let found = next(&states, &[true; RING]);
                assert!(found == expected, "{key:?}");
            }
        }
    }
}

#[test]
fn a_map_does_not_continue_in_a_sector_that_is_not_blank() {
    for state in states_of_the_library().keys() {
        let states: Vec<State> = state.iter().map(|state| STATES[usize::from(*state)]).collect();
        for sector in 0..RING {
            let mut blank = [true; RING];
            blank[sector] = false;
            let before = next(&states, &[true; RING]);
            let found = next(&states, &blank);
            let expected = if states[sector] == State::Open { Next::Unknown } else { before };
            assert!(found == expected, "{state:?} with something in {sector}");
        }
    }
}

/// Returns a record of `length` bytes with varying values.
fn record(length: usize, number: usize) -> Vec<u8> {
    (0..length).map(|byte| (byte * 7 + number) as u8).collect()
}

/// Saves records of both keys and of all lengths, and passes the flash and the places to `after`
/// each time.
fn save_many(count: usize, mut after: impl FnMut(&mut Chip, Option<Places>, usize)) {
    let (mut chip, mut places) = (Chip::factory_new(), None);
    for number in 0..count {
        let key = Key::ALL[number / 3 % Key::ALL.len()];
        let length = number * 13 % (CONTENT_BYTES - NUMBER_BYTES);
        assert!(records::save(&mut chip, &mut places, key, &record(length, number)).is_ok());
        after(&mut chip, places, number);
    }
}

fn look_at(chip: &mut Chip) -> Survey {
    survey(chip, None).expect("a flash in memory")
}

#[test]
fn a_map_written_by_saves_is_sound_with_known_places() {
    // About thirty records fill a sector: three laps around the ring.
    let mut known = 0;
    save_many(1_500, |chip, places, number| {
        let survey = look_at(chip);
        assert!(survey.sound, "after {number} saves");
        assert!(!survey.is_old);
        let others = &chip.0[address(1) as usize..address(SECTORS) as usize];
        assert_eq!(survey.is_new, others.iter().all(|byte| *byte == 0xFF), "after {number} saves");
        if let Some(places) = places {
            known += 1;
            assert!(survey.places() == Some(places), "after {number} saves");
        }
    });
    // They are unknown after a save that begins a sector.
    assert!(known > 1_300, "{known}");
}

#[test]
fn a_place_is_trusted_only_while_the_record_is_there() {
    let mut number = 0;
    save_many(40, |chip, places, _| {
        number += 1;
        let Some(places) = places else { return };
        for key in Key::ALL {
            let found = places.newest(chip, key).expect("a whole record");
            let newest = look_at(chip).newest[key as usize];
            assert_eq!(found.is_some(), newest.is_some());
            let (Some(found), Some(newest)) = (found, newest) else { continue };
            assert_eq!(found.record(), newest.record());
            assert_eq!(
                (found.sequence, found.sector, found.at),
                (newest.sequence, newest.sector, newest.at)
            );
            // Every byte of the item counts, except its padding.
            let length = usize::from(newest.record.1);
            for byte in 0..HEADER + length {
                let at = newest.at as usize + byte;
                let kept = chip.0[at];
                chip.0[at] ^= 0x10;
                let read = places.newest(chip, key).err();
                assert_eq!(read, Some(StorageError::Damaged), "save {number}, byte {byte}");
                chip.0[at] = kept;
            }
        }
        for byte in 0..HEADER {
            let at = places.end as usize + byte;
            chip.0[at] = 0x7F;
            for key in Key::ALL {
                let read = places.newest(chip, key).err();
                assert_eq!(read, Some(StorageError::Damaged), "save {number}, behind the end");
            }
            chip.0[at] = 0xFF;
        }
    });
}

#[test]
fn a_sector_is_needed_if_it_has_the_only_newest_record() {
    save_many(400, |chip, _, number| {
        if number % 20 != 0 {
            return;
        }
        let newest = look_at(chip).newest;
        for sector in 0..SECTORS {
            let holds = newest.iter().flatten().any(|copy| copy.sector == sector);
            assert_eq!(is_needed(chip, sector).ok(), Some(holds), "sector {sector}, save {number}");
        }
    });
}

#[test]
fn places_know_their_sector_and_its_free_space() {
    let (mut full, mut beyond) = (0, 0);
    save_many(120, |chip, places, number| {
        let Some(places) = places else { return };
        for length in [0, 10, CONTENT_BYTES - NUMBER_BYTES] {
            let has_room = places.append(Key::Settings, 9, length).is_some();
            assert_eq!(places.have_room(length), has_room, "save {number}");
            full += usize::from(!has_room);
        }
        for key in Key::ALL {
            let found = places.newest(chip, key).expect("a whole record");
            let newest = look_at(chip).newest[key as usize];
            assert_eq!(found.map(|copy| copy.sector), newest.map(|copy| copy.sector));
            beyond += usize::from(newest.is_some_and(|copy| copy.sector > 0));
        }
    });
    assert!(full > 0 && beyond > 0, "{full} {beyond}");
}
